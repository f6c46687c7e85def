//! What would a collection of any size look like? One made up from a seed.
//!
//! [`write()`] makes a folder with the files of ARQMath: posts, comments, links,
//! tags, users, the table of formulas, topics and judgments. It is for tests of
//! scale, so three things hold:
//!
//! - Same number of posts, seed and topics, same bytes, however many threads
//!   work and on whatever machine (logarithms and powers are `libm`'s).
//! - The memory does not grow with the collection: posts are made in blocks of
//!   1,024 that depend on the seed and their number only. That takes some 20 MB a
//!   thread, and at most 20 MB to count distinct formulas, exactly up to half a
//!   million. 24 bytes a thousand posts and the topics are all that grows.
//! - What is relevant to a topic is known, since it was planted: a topic is a
//!   hidden subject, some words and formulas, that some threads share in whole,
//!   in large part or in part.
//!
//! Lengths, counts and shares follow a sample of ARQMath; see `plan` and `pool`
//! for the numbers. What differs from a real site: a thread is never longer
//! than its block, so that no answer comes years later.
//!
//! ```
//! let folder = std::env::temp_dir().join(format!("synth-example-{}", std::process::id()));
//! let settings = synth::Settings { posts: 50, seed: 1, topics: 2, threads: 1 };
//! let manifest = synth::write(&settings, &folder, synth::Existing::Refuse, |_| {})?;
//! assert_eq!(manifest.posts, 50);
//! assert_eq!(manifest.questions + manifest.answers, 50);
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok::<(), synth::Error>(())
//! ```

mod block;
mod calendar;
mod count;
mod draw;
mod error;
mod folder;
mod formula;
mod manifest;
mod people;
mod plan;
mod plant;
mod pool;
mod subject;
mod text;
mod topics;
mod vocabulary;
mod write;
mod xml;

pub use error::Error;
pub use folder::Existing;
pub use manifest::{FormulaCounts, Manifest};
pub use write::FILES;
pub use write::write;

/// The most posts a collection may have: ids stay below 2^31.
pub const MAX_POSTS: u64 = 1_000_000_000;

/// Posts that a topic needs at least, so that its relevant threads find a place.
pub const POSTS_PER_TOPIC: u64 = 25;

/// What is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Questions and answers together.
    pub posts: u64,
    /// What everything is drawn from.
    pub seed: u64,
    /// Topics with planted relevant threads.
    pub topics: u32,
    /// Threads that make posts; no matter for the result. At least one is used.
    pub threads: usize,
}

impl Settings {
    /// As many topics as that many posts can hold, but no more than 20.
    #[must_use]
    pub fn usual_topics(posts: u64) -> u32 {
        (posts / POSTS_PER_TOPIC).min(20) as u32
    }

    /// Whether such a collection can be made.
    fn check(&self) -> Result<(), Error> {
        if self.posts == 0 {
            return Err(Error::NoPosts);
        }
        if self.posts > MAX_POSTS {
            return Err(Error::TooManyPosts(self.posts));
        }
        let possible = self.posts / POSTS_PER_TOPIC;
        if u64::from(self.topics) > possible {
            return Err(Error::TooManyTopics { topics: self.topics, posts: self.posts, possible });
        }
        Ok(())
    }
}
