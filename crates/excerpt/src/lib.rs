//! What does this post say, as text that can be quoted?
//!
//! A post becomes [`Pieces`], text and formulas in turn, and these become [`Unit`]s: sentences, parts of
//! sentences and displayed formulas, none of which cuts a formula in two. A [`Quote`] puts units together
//! again, as plain text with formulas between dollars. Which units are worth quoting is no matter of this
//! crate.

mod pieces;
mod quote;
mod sign;
mod units;

pub use pieces::{Formula, MARK, Pieces, body, plain_html};
pub use quote::{Quote, is_balanced};
pub use units::{Unit, units};
