//! What can go wrong: the settings, and the folder.

use crate::{MAX_POSTS, POSTS_PER_TOPIC};
use std::io;
use std::path::PathBuf;

/// Why no collection was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A collection of nothing.
    #[error("a collection needs at least one post")]
    NoPosts,
    /// More posts than ids.
    #[error("{0} posts are too many; at most {MAX_POSTS} can be made")]
    TooManyPosts(u64),
    /// Relevant threads would find no place.
    #[error(
        "{topics} topics are too many for {posts} posts: each needs {POSTS_PER_TOPIC}, so {possible} can be made"
    )]
    TooManyTopics {
        /// Topics asked for.
        topics: u32,
        /// Posts asked for.
        posts: u64,
        /// Topics that are possible.
        possible: u64,
    },
    /// The folder holds something already.
    #[error("{}: holds files already, such as {example}", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
        /// One of its files.
        example: String,
    },
    /// The folder is a file.
    #[error("{}: is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// A file could not be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The topics could not be written in their format.
    #[error(transparent)]
    Topics(#[from] formats::Error),
}
