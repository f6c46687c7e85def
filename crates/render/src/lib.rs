//! What does this thread look like on a page?
//!
//! [`Page`] makes one HTML page of a question, its answers, the comments on them and the questions it
//! is linked with; a document, and an answer whose question is not there, is a page of its own.
//! A page loads nothing, runs nothing and leads nowhere outside the collection.
//! A [`Fragment`] is the same for a page of a site, with formulas that lead to their own pages.
//!
//! What is stored was cleaned before, but no page relies on it: `weave.rs` writes every tag
//! itself, from a short list and without attributes, and everything else as text, so that even a
//! collection made to do harm gives a harmless page.
//! Formulas are drawn by our own writer of MathML (`formulas.rs`), addresses become links
//! only if they lead to a post of the collection (`address.rs`).
//!
//! ```
//! # let small = testkit::small_collection("thread-doc");
//! use render::{Options, Page};
//!
//! let page = Page::new(&small.collection, Options::default());
//! let post = small.collection.find_post("12").expect("it is there");
//! let html = page.render(&mut small.collection.reader(), post)?;
//! assert!(html.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), store::Error>(())
//! ```

mod address;
mod escape;
mod files;
mod formulas;
mod given;
mod links;
mod page;
mod style;
mod tag;
mod weave;
mod width;

pub use address::Site;
pub use files::{Folders, file_name};
pub use given::{Shape, given};
pub use links::Links;
pub use page::{Around, Fragment, Highlight, Options, Page};
pub use width::Width;
