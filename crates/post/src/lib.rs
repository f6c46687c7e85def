//! What does this post say, as text and formulas?
//!
//! A stored post is HTML with a marker for each formula. [`PostView`] is the one way to its title and body as plain
//! text with [`MARK`] for each formula, and [`FormulaTexts`] the one way to the LaTeX of a stored formula, which is
//! made from its MathML where none was given. [`looker`] says what formulas look like when a collection is written.
//!
//! To quote a post, [`Pieces`] become [`Unit`]s: sentences, parts of sentences and displayed formulas, none of which
//! cuts a formula in two. A [`Quote`] puts units together again, as plain text with formulas between dollars.
//! Choosing what to quote is left to others.

mod formulas;
mod look;
mod pieces;
mod quote;
mod sign;
mod units;
mod view;

pub use formulas::{FormulaTexts, latex_of};
pub use look::looker;
pub use pieces::{Formula, MARK, Pieces, body, plain_html};
pub use quote::{Quote, is_balanced};
pub use units::{Unit, units};
pub use view::{Passage, PostView, plain};
