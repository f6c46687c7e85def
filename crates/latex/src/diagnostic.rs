//! What the reader has to say about a formula, each with the place it is about.

use crate::Span;
use std::borrow::Cow;
use std::fmt;

/// One remark about the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The bytes it is about.
    pub span: Span,
    /// What kind of remark it is; says whether it is an error.
    pub kind: DiagnosticKind,
    /// The remark, as a sentence without a full stop.
    pub message: Cow<'static, str>,
}

/// The kinds of remark, each with a stable name for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// A command that nothing here knows; kept as a symbol.
    UnknownCommand,
    /// An environment that nothing here knows; read as a matrix.
    UnknownEnvironment,
    /// A brace without its partner.
    UnmatchedBrace,
    /// A `\left`, `\right`, `\begin` or `\end` without its partner.
    UnmatchedDelimiter,
    /// `\left` or the like, followed by something that is no delimiter.
    BadDelimiter,
    /// `&` outside a table, `\over` twice in a group, a number that no character has.
    Misplaced,
    /// A character that TeX would refuse here; kept as a symbol, control characters as U+FFFD.
    StrayCharacter,
    /// A command whose argument is not there.
    MissingArgument,
    /// Two superscripts or two subscripts on the same thing.
    DoubleScript,
    /// Groups inside groups, deeper than the limit.
    TooDeep,
    /// A formula that is longer than [`LONGEST`](crate::LONGEST); the rest is kept unread.
    TooLong,
    /// A definition that cannot be read or that expands without end.
    BadMacro,
    /// Bytes that are not UTF-8.
    InvalidUtf8,
    /// Something known that is kept in one piece, unread (`\ce`, `\xymatrix`).
    Unread,
    /// Something left out on purpose that changes little or nothing one sees (`\label`, `\hline`, a comment).
    Ignored,
}

impl DiagnosticKind {
    /// Whether part of the input could not be placed in the tree.
    #[must_use]
    pub fn is_error(self) -> bool {
        !matches!(
            self,
            Self::Unread | Self::Ignored | Self::DoubleScript | Self::MissingArgument | Self::StrayCharacter
        )
    }

    /// The name used in reports, such as `unknown-command`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::UnknownCommand => "unknown-command",
            Self::UnknownEnvironment => "unknown-environment",
            Self::UnmatchedBrace => "unmatched-brace",
            Self::UnmatchedDelimiter => "unmatched-delimiter",
            Self::BadDelimiter => "bad-delimiter",
            Self::Misplaced => "misplaced",
            Self::StrayCharacter => "stray-character",
            Self::MissingArgument => "missing-argument",
            Self::DoubleScript => "double-script",
            Self::TooDeep => "too-deep",
            Self::TooLong => "too-long",
            Self::BadMacro => "bad-macro",
            Self::InvalidUtf8 => "invalid-utf8",
            Self::Unread => "unread",
            Self::Ignored => "ignored",
        }
    }
}

impl fmt::Display for DiagnosticKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
