//! What is wrong with the files of a collection, and what is done about it.
//!
//! Every kind of dirt has one name, one rule by which it is met, and one
//! sentence about it; the table below is where they are written down.

use crate::record::At;
use markup::FlawKind;

/// What is done about a piece of dirt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// It is kept as it is; it is worth knowing, no more.
    Kept,
    /// It is mended by the rule of its kind.
    Mended,
    /// It is left out, since nothing can be made of it.
    Skipped,
}

impl Action {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Mended => "mended",
            Self::Skipped => "skipped",
        }
    }
}

macro_rules! kinds {
    ($($kind:ident $action:ident $name:literal $rule:literal)*) => {
        /// A kind of dirt.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum DirtKind {
            $(#[doc = $rule] $kind,)*
        }

        impl DirtKind {
            /// All kinds, in the order of reports.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// Its name in reports: words with hyphens.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// What is done about it.
            #[must_use]
            pub fn action(self) -> Action {
                match self { $(Self::$kind => Action::$action,)* }
            }

            /// What it is and by which rule it is met.
            #[must_use]
            pub fn rule(self) -> &'static str {
                match self { $(Self::$kind => $rule,)* }
            }
        }
    };
}

kinds! {
    // Files.
    BadEncoding Mended "bad-encoding" "Bytes that are not UTF-8 become U+FFFD."
    CutShort Skipped "cut-short" "The file ends in the middle of a record or before its root is closed; the build ends, or goes on without that record with --keep-going."
    UnknownFile Kept "unknown-file" "A file whose name says nothing about its contents is not read."
    UnreadableFile Skipped "unreadable-file" "A file, or the rest of one, cannot be read or unpacked; the build ends, or goes on without it with --keep-going."
    // Rows of XML files and lines of others.
    BrokenRow Skipped "broken-row" "A row that is no well-formed element is left out."
    UnknownElement Skipped "unknown-element" "An element that is no row is left out."
    MissingId Skipped "missing-id" "A record without an id is left out."
    BadId Skipped "bad-id" "A record whose id is not a number where ids are numbers, or holds a character that nobody sees, is left out."
    DuplicatePost Skipped "duplicate-post" "Of several posts with one id the first is kept."
    DuplicateComment Skipped "duplicate-comment" "Of several comments with one id the first is kept."
    MissingKind Skipped "missing-kind" "A post that does not say what it is is left out."
    OtherKind Skipped "other-kind" "A post that is neither question nor answer, such as a tag's wiki page, is left out."
    RepeatedAttribute Mended "repeated-attribute" "Of an attribute that is given twice the first value is used."
    BadNumber Mended "bad-number" "A number that cannot be read is taken as not given."
    BadDate Mended "bad-date" "A date that cannot be read is taken as not given."
    MissingTitle Kept "missing-title" "A question without a title is kept."
    MissingBody Kept "missing-body" "A post or comment without text is kept."
    BadTags Mended "bad-tags" "Tags that are not written as a list are taken apart at blanks, commas and bars."
    // How records belong together.
    MissingParent Kept "missing-parent" "An answer that names no question is kept as a thread of its own."
    OrphanAnswer Kept "orphan-answer" "An answer whose question is not in the collection is kept as a thread of its own."
    ParentNotQuestion Mended "parent-not-question" "An answer to something that is no question becomes a thread of its own."
    BadAccepted Mended "bad-accepted" "An accepted answer that is no answer to the question is taken as not given."
    OrphanComment Skipped "orphan-comment" "A comment on a post that is not in the collection is left out."
    LinkOutside Kept "link-outside" "A link that leads out of the collection, or comes from outside, is kept and counted."
    LinkToItself Skipped "link-to-itself" "A link from a post to itself is left out."
    DuplicateLink Skipped "duplicate-link" "A link that is given twice with the same kind is kept once."
    OtherLinkKind Skipped "other-link-kind" "A link that is neither related nor duplicate is left out."
    DuplicateUser Skipped "duplicate-user" "Of several users with one id the first is kept."
    // Formulas in texts.
    UnclosedSpan Mended "unclosed-span" "A formula's span without an end is ended before the next tag of a block or span."
    StraySpanEnd Mended "stray-span-end" "An end of a span that was never begun is taken out."
    NestedSpan Mended "nested-span" "A formula's span inside another is one formula with it."
    SpanWithoutId Mended "span-without-id" "A formula's span without an id gets an id of ours."
    BadSpanId Mended "bad-span-id" "A formula's span whose id is no number gets an id of ours."
    BareFormula Mended "bare-formula" "A formula between dollars, in an environment or without delimiters that has no span, where formulas have spans, becomes a formula with an id of ours."
    EmptyFormula Kept "empty-formula" "A span without content stays a formula without LaTeX; dollars around nothing are taken out."
    LetterInWord Kept "letter-in-word" "A single letter of a word that stands in a span stays a formula, since the tables have it."
    EscapedTwice Mended "escaped-twice" "A formula that still holds HTML entities, or the pieces that a converter made of them, has them undone."
    HtmlInFormula Mended "html-in-formula" "Tags inside a formula are taken out; where Markdown made them of underscores or stars, these are put back."
    LostFormula Mended "lost-formula" "A formula inside mark-up that is taken out stands at the end of its text."
    UnsafeMarkup Mended "unsafe-markup" "Scripts, handlers, forms, frames and styles are taken out; images become links."
    TooLong Mended "too-long" "What is longer than the limit is cut there."
    UnreadableMathml Mended "unreadable-mathml" "MathML that cannot be read in a text becomes its own text."
    // The formula tables.
    BadIndexRow Skipped "bad-index-row" "A row of a formula table with too few columns or a bad id is left out."
    DuplicateIndexRow Skipped "duplicate-index-row" "Of several rows for one formula the first is used."
    BadVisualId Mended "bad-visual-id" "A visual id that is no number is taken as not given."
    OtherPlace Mended "other-place" "A row whose type is none of title, question, answer and comment is placed by its id alone."
    NoLatexRow Skipped "no-latex-row" "A row of MathML for a formula that has no row of LaTeX is left out."
    OtherVisualId Mended "other-visual-id" "Where tables disagree about a visual id, that of the LaTeX table is used."
    RowNowhere Kept "row-nowhere" "A row for a formula that stands in no text is kept and marked."
    SpanWithoutRow Mended "span-without-row" "A formula whose id has no row is read from its text."
    ManyPlaces Kept "many-places" "An id that stands in several posts or comments is one formula with several places."
    RowElsewhere Kept "row-elsewhere" "A formula that stands elsewhere than its row says is kept where it stands."
    RowDiffers Kept "row-differs" "Where a row's LaTeX is not what the text has, the row's is used."
    // The formulas themselves.
    UnreadableLatex Kept "unreadable-latex" "LaTeX of which a part cannot be placed in a tree is kept, with that part opaque."
}

impl DirtKind {
    /// Whether it is worth knowing but wrong in no way that a strict build would mind.
    #[must_use]
    pub fn is_note(self) -> bool {
        matches!(self, Self::LinkOutside | Self::UnreadableLatex | Self::UnknownFile)
    }

    /// The kind that a flaw of a text is.
    pub(crate) fn of_flaw(kind: FlawKind) -> Self {
        match kind {
            FlawKind::UnclosedSpan => Self::UnclosedSpan,
            FlawKind::StraySpanEnd => Self::StraySpanEnd,
            FlawKind::NestedSpan => Self::NestedSpan,
            FlawKind::BareFormula => Self::BareFormula,
            FlawKind::EmptyFormula => Self::EmptyFormula,
            FlawKind::LetterInWord => Self::LetterInWord,
            FlawKind::EscapedTwice => Self::EscapedTwice,
            FlawKind::HtmlInFormula => Self::HtmlInFormula,
            FlawKind::LostFormula => Self::LostFormula,
            FlawKind::UnsafeMarkup => Self::UnsafeMarkup,
            FlawKind::TooLong => Self::TooLong,
            FlawKind::UnreadableMathml => Self::UnreadableMathml,
        }
    }
}

/// One piece of dirt, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dirt {
    /// What it is.
    pub kind: DirtKind,
    /// Where.
    pub at: At,
    /// What it is about, such as `post 17` or `formula 2041`; may be empty.
    pub about: String,
    /// What was found, shortened; may be empty.
    pub detail: String,
}

impl Dirt {
    /// How much of what was found is quoted, in characters.
    pub const QUOTED: usize = 80;

    /// A piece of dirt; `detail` is put on one line and shortened.
    #[must_use]
    pub fn new(kind: DirtKind, at: At, about: impl Into<String>, detail: &str) -> Self {
        let mut quoted: String = detail.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = quoted.char_indices().nth(Self::QUOTED) {
            quoted.truncate(end);
            quoted.push('…');
        }
        Self { kind, at, about: about.into(), detail: quoted }
    }
}
