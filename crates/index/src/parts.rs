//! Parts: values for posts or formulas that are stored beside the posting lists.
//!
//! A part has a name, a version and settings. It has one file for each segment
//! of posts, or one for the formulas of each collection. A [`PartKind`] builds
//! the files. A [`PartFile`] is an open one; opening, checking and keeping it
//! needs no kind. What the sections mean is known to the kind alone.
//!
//! ```no_run
//! use index::parts::{BuildPosts, NewPosts, PartBuilder, PartKind, PartOutput, RowSection};
//!
//! /// The length of each post in bytes.
//! #[derive(Debug)]
//! struct Lengths;
//!
//! impl PartKind for Lengths {
//!     fn name(&self) -> &str {
//!         "lengths"
//!     }
//!
//!     fn version(&self) -> u32 {
//!         1
//!     }
//!
//!     fn settings(&self) -> String {
//!         String::new()
//!     }
//!
//!     fn builder(&self) -> PartBuilder<'_> {
//!         PartBuilder::Posts(self)
//!     }
//! }
//!
//! impl BuildPosts for Lengths {
//!     fn build(&self, posts: &NewPosts<'_>, out: &mut PartOutput<'_>) -> Result<(), index::Error> {
//!         let section = RowSection { name: "lengths", documents: posts.documents(), bytes: 4, batch: 1024 };
//!         let old = |doc| posts.old(doc).and_then(|(file, doc)| file.row("lengths", 4, doc));
//!         out.rows(section, old, || {
//!             let mut readers = posts.readers();
//!             move |docs: &[u32]| {
//!                 let mut rows = Vec::new();
//!                 for doc in docs {
//!                     let (reader, post) = readers.post(*doc);
//!                     let length = u32::try_from(reader.post(post)?.body.len()).unwrap_or(u32::MAX);
//!                     rows.extend_from_slice(&length.to_le_bytes());
//!                 }
//!                 Ok(rows)
//!             }
//!         })?;
//!         Ok(())
//!     }
//! }
//!
//! # fn main() -> Result<(), index::Error> {
//! let path = std::path::Path::new("math.index");
//! index::add_part(path, &Lengths, &index::Unwatched)?;
//! # Ok(())
//! # }
//! ```

mod file;
mod input;
mod output;

pub use file::{PartAbout, PartFile};
pub use input::{NewFormulas, NewPosts, PostReaders};
pub use output::{ListSection, PartOutput, RowSection};

pub(crate) use file::{FORMAT, open_parts};

use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of part: what identifies its files, and how to build them.
///
/// Files are reused as long as name, version and settings stay the same, so these three must change
/// whenever the same input would give other bytes.
pub trait PartKind: Sync + fmt::Debug {
    /// The name of the part: lower-case letters, digits and hyphens. File names end with it.
    fn name(&self) -> &str;
    /// The version of the sections' layout and of the algorithm that fills them.
    fn version(&self) -> u32;
    /// Everything else the values depend on, such as the fingerprint of a model.
    fn settings(&self) -> String;
    /// How the part is built, which also says what it is over.
    fn builder(&self) -> PartBuilder<'_>;
}

/// How a part is built.
#[derive(Clone, Copy, Debug)]
pub enum PartBuilder<'k> {
    /// One file for each segment of posts.
    Posts(&'k dyn BuildPosts),
    /// One file for the formulas of each collection.
    Formulas(&'k dyn BuildFormulas),
}

/// Builds files over posts.
pub trait BuildPosts: Sync + fmt::Debug {
    /// What the value of a post depends on. It decides when [`NewPosts::old`] offers an old value.
    fn context(&self) -> Context {
        Context::Post
    }

    /// Writes the sections for a segment. Documents include those that are deleted later.
    ///
    /// The bytes must not depend on the number of cores, nor on which old values were offered. Progress
    /// that is kept in [`PartOutput::work`] is there again when an interrupted build is resumed;
    /// [`PartOutput::rows`] does all of this.
    ///
    /// # Errors
    ///
    /// When something cannot be read or written, or the kind fails ([`Error::part`]).
    fn build(&self, posts: &NewPosts<'_>, out: &mut PartOutput<'_>) -> Result<(), Error>;
}

/// Builds files over formulas.
pub trait BuildFormulas: Sync + fmt::Debug {
    /// Writes the sections for the formulas of a collection; the rules are those of [`BuildPosts::build`].
    ///
    /// # Errors
    ///
    /// When something cannot be read or written, or the kind fails ([`Error::part`]).
    fn build(&self, formulas: &NewFormulas<'_>, out: &mut PartOutput<'_>) -> Result<(), Error>;
}

/// What the value of a post depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// The post and its comments.
    Post,
    /// The post, its comments, and the question that it answers.
    Question,
}

/// What a part has one file for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Over {
    /// Each segment of posts.
    Posts,
    /// The formulas of each collection.
    Formulas,
}

/// What identifies a part. It stands in the manifest and in each of the part's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartLabel {
    /// The name of the part.
    pub name: String,
    /// The version that its kind had.
    pub version: u32,
    /// The settings that its kind had.
    pub settings: String,
    /// What it is over.
    pub over: Over,
}

impl PartLabel {
    pub(crate) fn of(kind: &dyn PartKind) -> Self {
        let over = match kind.builder() {
            PartBuilder::Posts(_) => Over::Posts,
            PartBuilder::Formulas(_) => Over::Formulas,
        };
        Self { name: kind.name().to_owned(), version: kind.version(), settings: kind.settings(), over }
    }
}

/// Names that file names end with for other reasons.
const RESERVED: [&str; 6] = ["collection", "dead", "done", "formulas", "new", "posts"];

/// Whether a part can have this name.
pub(crate) fn is_part_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.len() <= 64 && name.bytes().all(allowed) && !RESERVED.contains(&name)
}
