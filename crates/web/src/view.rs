//! How formulas and texts are drawn: escaped, marked, and never trusted.

mod address;
mod html;
mod marked;
mod math;
mod number;
mod preview;
mod said;

pub use address::encode;
pub(crate) use address::{Search, View};
pub(crate) use html::Html;
pub(crate) use marked::{Formulas, marked, texts, written};
pub(crate) use math::Pen;
pub(crate) use number::{count, day, number_of, total, votes};
pub(crate) use preview::{Preview, preview};
pub(crate) use said::said;
