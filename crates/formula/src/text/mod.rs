//! A formula as plain text: one line of Unicode for terminals, and words for screen readers.
//!
//! Both say what the layout tree shows. Nothing of the formula is lost, but
//! neither can be read back; for that there is [`crate::normal`].

pub(crate) mod atoms;
mod line;
mod marks;
mod raised;
pub(crate) mod spoken;

pub use line::{write_text, write_text_into};
pub use spoken::{write_spoken, write_spoken_into};
