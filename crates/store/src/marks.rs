//! What is known of a formula instance and of a form, in a byte each.

use std::fmt;

/// The part of a post or comment that a formula stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Part {
    /// The title of a post.
    Title = 0,
    /// The text of a post.
    Body = 1,
    /// A comment.
    Comment = 2,
    /// No text at all: a table names it, and nothing else.
    Nowhere = 3,
}

/// What is known of a formula instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormulaMarks(u8);

impl FormulaMarks {
    /// Set off on lines of its own.
    pub const BLOCK: u8 = 1 << 2;
    /// Its id is ours; the source gave none.
    pub const OUR_ID: u8 = 1 << 3;
    /// It stands elsewhere than its table says.
    pub const ELSEWHERE: u8 = 1 << 4;
    /// Its visual id was changed, by those who published it or by a repair.
    pub const NEW_VISUAL_ID: u8 = 1 << 5;
    /// It had no span in the source.
    pub const WRAPPED: u8 = 1 << 6;
    /// The text gives its id, but the collection's tables have no row for it.
    pub const NO_ROW: u8 = 1 << 7;

    /// Marks of a formula in a part of a text; `bits` are the constants above.
    #[must_use]
    pub fn new(part: Part, bits: u8) -> Self {
        Self(part as u8 | bits)
    }

    /// The same marks and one more of the constants above.
    #[must_use]
    pub fn with(self, bit: u8) -> Self {
        Self(self.0 | bit)
    }

    pub(crate) fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    pub(crate) fn byte(self) -> u8 {
        self.0
    }

    /// The part of the text it stands in.
    #[must_use]
    pub fn part(self) -> Part {
        match self.0 & 3 {
            0 => Part::Title,
            1 => Part::Body,
            2 => Part::Comment,
            _ => Part::Nowhere,
        }
    }

    /// Whether one of the constants above holds.
    #[must_use]
    pub fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// The mark of ARQMath's tables: `v`, `d`, `dv` or nothing.
    #[must_use]
    pub fn issue(self) -> &'static str {
        match (self.part(), self.has(Self::NEW_VISUAL_ID)) {
            (Part::Nowhere, true) => "dv",
            (Part::Nowhere, false) => "d",
            (_, true) => "v",
            (_, false) => "",
        }
    }
}

/// What is known of a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormMarks(pub u8);

impl FormMarks {
    /// A part of its LaTeX could not be placed in a tree.
    pub const UNREADABLE: u8 = 1;
    /// Its visual id is ours; the source gave none.
    pub const OUR_VISUAL_ID: u8 = 1 << 1;
    /// The presentation MathML that was given is wrong: that of another formula, or broken.
    pub const FOREIGN_PRESENTATION: u8 = 1 << 2;
    /// The content MathML that was given is wrong: that of another formula, or broken.
    pub const FOREIGN_CONTENT: u8 = 1 << 3;

    /// Whether one of the constants above holds.
    #[must_use]
    pub fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Title => "title",
            Self::Body => "body",
            Self::Comment => "comment",
            Self::Nowhere => "nowhere",
        })
    }
}
