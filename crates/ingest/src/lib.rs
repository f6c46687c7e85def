//! What did people publish? Dumps, documents and formula tables, read into a collection.
//!
//! [`Plan`] looks at what files there are, [`build`] reads them. What is wrong
//! with them is told as [`Dirt`], by kinds that say what is done about each.

mod build;
mod dirt;
pub mod documents;
mod dump;
pub mod files;
mod forms;
mod given;
mod index;
mod journal;
mod prepare;
mod record;
mod rows;
mod site;
mod tables;
mod titles;

pub use build::{BuildError, Plan, Source, build};
pub use dirt::{Action, Dirt, DirtKind};
pub use journal::{Strictness, Unwatched, Watch};
pub use markup::Markup;
pub use record::{At, RawComment, RawLink, RawPost, RawUser, Record};
pub use site::is_exchange;
