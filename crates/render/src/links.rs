//! How threads lead to each other.

use crate::escape::percent;
use crate::files::file_name;
use std::fmt;
use store::{Collection, PostNo};

/// How a page writes links to other threads of the collection.
#[derive(Clone, Copy, Default)]
pub enum Links<'a> {
    /// To `ID.html` in the same folder.
    #[default]
    Files,
    /// To `/thread/ID`, for a server.
    Server,
    /// Not at all.
    None,
    /// As the function says of the post that a thread begins with; `None` is no link. What it gives is
    /// trusted to lead to a page of ours.
    With(&'a (dyn Fn(PostNo) -> Option<String> + Sync)),
}

impl fmt::Debug for Links<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Files => "Files",
            Self::Server => "Server",
            Self::None => "None",
            Self::With(_) => "With(…)",
        })
    }
}

impl Links<'_> {
    /// The address of the page of a thread.
    pub(crate) fn address(&self, collection: &Collection, thread: PostNo) -> Option<String> {
        let id = || collection.post_id(thread);
        match self {
            // A name that holds a colon before any slash would be read as a scheme; ours hold none.
            Self::Files => Some(percent(&file_name(id()))),
            Self::Server => Some(format!("/thread/{}", percent(&id().to_string()))),
            Self::None => None,
            Self::With(address) => address(thread),
        }
    }
}
