//! Why a model gave nothing, or why what it gave cannot be had again.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a model gave nothing, or why what it gave cannot be had again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request is longer than what the model can look at.
    #[error("the prompt has {tokens} tokens, and {model} looks at {limit} at most")]
    TooLong {
        /// The model.
        model: String,
        /// How many tokens there are.
        tokens: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A model in this process failed.
    #[error("{model}: {reason}")]
    Model {
        /// The model.
        model: String,
        /// What went wrong.
        reason: String,
    },
    /// The request can be put to no model.
    #[error("this cannot be asked: {reason}")]
    Request {
        /// What is wrong with it.
        reason: String,
    },
    /// There is no usable key.
    #[error("the key cannot be used: {reason}")]
    Key {
        /// What is wrong, without the key.
        reason: String,
    },
    /// The address of a server cannot be used, or not with a key.
    #[error("the address cannot be used: {reason}")]
    Address {
        /// What is wrong with it.
        reason: String,
    },
    /// A server gave no completion.
    #[error("{name}: {cause}{}", times(*.attempts))]
    Endpoint {
        /// Which model at which address.
        name: String,
        /// How often it was asked.
        attempts: u32,
        /// What happened the last time.
        cause: Cause,
    },
    /// Only completions that are kept may be used, and this one is not.
    #[error(
        "{}: no completion is kept under {key}, and {generator} may not be asked",
        folder.display()
    )]
    NotKept {
        /// The key of the request.
        key: String,
        /// The generator that would have been asked.
        generator: String,
        /// Where completions are kept.
        folder: PathBuf,
    },
    /// A kept completion is not as it was written.
    #[error("{}: {reason}; remove the file to ask again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file could not be read or written.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
}

impl Error {
    /// Whether the same request may well succeed later.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::Endpoint { cause, .. } if cause.is_temporary())
    }

    /// Whether it is this request that was not answered, so that others may well be: it is too long, its
    /// answer was withheld or could not be used, or it is the one that is not kept. What is wrong with the
    /// key, the address or the server is wrong with every request.
    #[must_use]
    pub fn is_of_request(&self) -> bool {
        match self {
            Self::TooLong { .. } | Self::Request { .. } | Self::NotKept { .. } => true,
            Self::Endpoint { cause, .. } => cause.is_of_request(),
            _ => false,
        }
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |cause| Self::Io { path: path.to_owned(), cause }
    }
}

fn times(attempts: u32) -> String {
    if attempts > 1 { format!(" (asked {attempts} times)") } else { String::new() }
}

/// What went wrong when a server was asked once. No text in it holds the key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// There was no connection.
    #[error("cannot be reached: {reason}")]
    Unreachable {
        /// What the system said.
        reason: String,
    },
    /// There was no connection that nobody else can read.
    #[error("no safe connection: {reason}")]
    Insecure {
        /// What is wrong with it.
        reason: String,
    },
    /// It took too long.
    #[error("{wait} {} s", limit.as_secs_f64())]
    TimedOut {
        /// What was waited for.
        wait: Wait,
        /// How long.
        limit: Duration,
    },
    /// The answer came to an end before it was whole.
    #[error("the answer broke off: {reason}")]
    BrokenOff {
        /// How.
        reason: String,
    },
    /// The server did not give an answer but a status.
    #[error("answered {status}: {message}")]
    Status {
        /// The status of HTTP.
        status: u16,
        /// What the server said, shortened.
        message: String,
    },
    /// The server points elsewhere.
    #[error("answered {status} and points to {to}, which is not followed")]
    Redirect {
        /// The status of HTTP.
        status: u16,
        /// Where it points to.
        to: String,
    },
    /// The server said in the middle of an answer that it failed.
    #[error("reported: {message}")]
    Reported {
        /// What the server said, shortened.
        message: String,
    },
    /// The answer is not of the form that was asked for.
    #[error("the answer cannot be read: {reason}")]
    Unreadable {
        /// What is wrong with it.
        reason: String,
    },
    /// The answer has more bytes than allowed, as one without end has.
    #[error("the answer has more than {limit} bytes")]
    TooLarge {
        /// How many it may have.
        limit: u64,
    },
    /// The text was ended by something that is neither the model nor the limit of tokens.
    #[error("the text was ended by \"{reason}\"")]
    Withheld {
        /// What the server calls it.
        reason: String,
    },
    /// The model thought until it had no more tokens.
    #[error("the model spent all its tokens on thinking and wrote no answer; it needs more of them")]
    OnlyThoughts,
    /// The answer holds the key.
    #[error("the answer holds the key, and is not taken")]
    HoldsKey,
}

impl Cause {
    /// Whether the same request may well succeed later.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Unreachable { .. }
            | Self::TimedOut { .. }
            | Self::BrokenOff { .. }
            | Self::Reported { .. }
            | Self::Unreadable { .. }
            | Self::TooLarge { .. } => true,
            Self::Status { status, .. } => is_temporary(*status),
            Self::Insecure { .. }
            | Self::Redirect { .. }
            | Self::Withheld { .. }
            | Self::OnlyThoughts
            | Self::HoldsKey => false,
        }
    }

    /// Whether it is this request that was not answered, so that others may well be.
    #[must_use]
    pub fn is_of_request(&self) -> bool {
        match self {
            Self::Withheld { .. }
            | Self::OnlyThoughts
            | Self::HoldsKey
            | Self::Reported { .. }
            | Self::Unreadable { .. }
            | Self::TooLarge { .. }
            | Self::TimedOut { wait: Wait::Answer, .. } => true,
            // Some servers say 500 of what is too long for them.
            Self::Status { status, .. } => matches!(status, 400 | 413 | 414 | 422 | 451 | 500),
            Self::Unreachable { .. }
            | Self::Insecure { .. }
            | Self::TimedOut { .. }
            | Self::BrokenOff { .. }
            | Self::Redirect { .. } => false,
        }
    }

    /// The same with every text changed.
    pub(crate) fn map_text(mut self, change: impl Fn(&str) -> String) -> Self {
        match &mut self {
            Self::Unreachable { reason: text }
            | Self::Insecure { reason: text }
            | Self::BrokenOff { reason: text }
            | Self::Unreadable { reason: text }
            | Self::Withheld { reason: text }
            | Self::Redirect { to: text, .. }
            | Self::Status { message: text, .. }
            | Self::Reported { message: text } => *text = change(text),
            Self::TimedOut { .. } | Self::TooLarge { .. } | Self::OnlyThoughts | Self::HoldsKey => {}
        }
        self
    }
}

/// Whether a status says that the server, not the request, is at fault, or that it is too early.
fn is_temporary(status: u16) -> bool {
    match status {
        408 | 409 | 425 | 429 => true,
        // What the server does not know how to do, it will not know later.
        501 | 505 => false,
        500..=599 => true,
        _ => false,
    }
}

/// What was waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wait {
    /// A connection.
    Connection,
    /// The next byte.
    Byte,
    /// The end of the answer.
    Answer,
}

impl std::fmt::Display for Wait {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Connection => "no connection within",
            Self::Byte => "no byte for",
            Self::Answer => "no whole answer within",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_fault_it_is() {
        let status = |status| Cause::Status { status, message: String::new() };
        for cause in [status(400), status(422), Cause::HoldsKey, Cause::OnlyThoughts] {
            assert!(cause.is_of_request(), "{cause}");
        }
        let late = Cause::TimedOut { wait: Wait::Connection, limit: Duration::ZERO };
        for cause in [status(401), status(403), status(404), status(429), status(503), late] {
            assert!(!cause.is_of_request(), "{cause}");
        }
    }

    #[test]
    fn which_status_is_worth_another_attempt() {
        for status in [408, 409, 425, 429, 500, 502, 503, 504, 524, 529] {
            assert!(Cause::Status { status, message: String::new() }.is_temporary(), "{status}");
        }
        for status in [400, 401, 402, 403, 404, 405, 413, 415, 422, 451, 501, 505] {
            assert!(!Cause::Status { status, message: String::new() }.is_temporary(), "{status}");
        }
    }
}
