//! What did this person write, as safe HTML and as text, and which formulas are in it?
//!
//! Values in, values out: nothing here reads a file.
//! Text of any of four kinds ([`Markup`]) goes in; out come HTML that is safe to show, the formulas in reading
//! order, and what was wrong ([`Flaw`]).
//! In the HTML a formula is one [`MARKER`]; the k-th marker is the k-th formula.
//!
//! How it works: one pass over the text (`html`) finds the formulas, puts a numbered token in the place of
//! each, and writes what remains anew with only the tags of a short list, every one closed, and with all else
//! escaped (`balance`).
//! Text that was not well-formed or not harmless goes through `ammonia` as well (`guard`).
//! Markdown, LaTeX and plain text are first turned into HTML with tokens, then take the same way.
//!
//! ```
//! use markup::{Cleaner, Dollars, Markup};
//! let cleaned = Cleaner::new().clean("<p onclick='x()'>Let $x < 1$.", Markup::Html, Dollars::Math);
//! assert_eq!(cleaned.formulas[0].latex, "x < 1");
//! assert_eq!(markup::text(&cleaned.html, |k, out| out.push_str(&cleaned.formulas[k].latex)), "Let x < 1.");
//! ```

mod balance;
mod dollars;
mod entity;
mod guard;
mod html;
mod latex;
mod markdown;
mod mend;
mod place;
mod plain;
mod span;
mod stray;
mod tag;
mod text;

pub use mend::mended;
pub use place::{expand, markers};
pub use text::text;

/// The character that an entity at the start of a text stands for (`&lt;`, `&#39;`), and the entity's length.
#[must_use]
pub fn entity(text: &str) -> Option<(char, usize)> {
    let ([first, second], length) = entity::read(text, entity::Place::Text)?;
    (second == '\0' && text.as_bytes()[length - 1] == b';').then_some((first, length))
}

/// Stands for a formula in cleaned HTML; the k-th marker is the k-th formula.
pub const MARKER: char = ::text::FORMULA;

/// Ends the number of a formula while its final place is not known yet.
const MARKER_END: char = '\u{FDD1}';

/// Longer texts are cut here (bytes).
const LONGEST: usize = 4 << 20;

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// HTML or XHTML, well-formed or not.
    Html,
    /// Markdown (CommonMark), which may hold HTML.
    Markdown,
    /// A LaTeX document or a part of one.
    Latex,
    /// Plain text; a blank line ends a paragraph.
    Text,
}

/// What dollars, `\(`…`\)` and environments outside spans mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dollars {
    /// Formulas.
    Math,
    /// Formulas that lack the spans of others; each is reported as [`FlawKind::BareFormula`].
    Stray,
    /// Text; each would-be formula is reported as [`FlawKind::BareFormula`].
    Text,
}

/// Whether a formula stands in a line or on lines of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    /// In a line of text.
    Inline,
    /// On lines of its own.
    Block,
}

/// What showed that something is a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A `math-container` span.
    Span,
    /// `$…$` or `$$…$$`.
    Dollars,
    /// `\(…\)` or `\[…\]`.
    Brackets,
    /// `\begin{align}…\end{align}` and the like.
    Environment,
    /// Nothing: it has no delimiters.
    Bare,
    /// A MathML `math` element.
    Math,
}

/// A formula as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The `id` that its element carries.
    pub id: Option<String>,
    /// Its LaTeX without delimiters; environments are kept, but for `math` and `displaymath`.
    /// Empty for MathML that names no LaTeX.
    pub latex: String,
    /// The source of its `math` element.
    pub mathml: Option<String>,
    /// Whether it stands in a line.
    pub display: Display,
    /// What showed that it is a formula.
    pub origin: Origin,
}

/// What can be wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlawKind {
    /// A formula's span does not end; it was ended at the next block, formula or end of text.
    UnclosedSpan,
    /// A `</span>` without a `<span>`; taken out.
    StraySpanEnd,
    /// A formula's span inside a formula's span; read as one formula.
    NestedSpan,
    /// A formula outside a span, where others have spans.
    BareFormula,
    /// A formula without content; a span of one stays, since tables may name it, anything else is taken out.
    EmptyFormula,
    /// A single letter of a word that was taken for a formula; it stays one.
    LetterInWord,
    /// A formula whose entities were escaped twice; undone twice.
    EscapedTwice,
    /// Tags inside a formula; taken out, or what Markdown made them of put back.
    HtmlInFormula,
    /// A formula that stood in something that was removed; put at the end.
    LostFormula,
    /// Something dangerous was removed (told once a text).
    UnsafeMarkup,
    /// The text was cut.
    TooLong,
    /// A `math` element that does not end; its text stays.
    UnreadableMathml,
}

impl FlawKind {
    /// All kinds, in order.
    pub const ALL: [Self; 12] = [
        Self::UnclosedSpan,
        Self::StraySpanEnd,
        Self::NestedSpan,
        Self::BareFormula,
        Self::EmptyFormula,
        Self::LetterInWord,
        Self::EscapedTwice,
        Self::HtmlInFormula,
        Self::LostFormula,
        Self::UnsafeMarkup,
        Self::TooLong,
        Self::UnreadableMathml,
    ];

    /// Its name in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::UnclosedSpan => "unclosed_span",
            Self::StraySpanEnd => "stray_span_end",
            Self::NestedSpan => "nested_span",
            Self::BareFormula => "bare_formula",
            Self::EmptyFormula => "empty_formula",
            Self::LetterInWord => "letter_in_word",
            Self::EscapedTwice => "escaped_twice",
            Self::HtmlInFormula => "html_in_formula",
            Self::LostFormula => "lost_formula",
            Self::UnsafeMarkup => "unsafe_markup",
            Self::TooLong => "too_long",
            Self::UnreadableMathml => "unreadable_mathml",
        }
    }
}

/// Something wrong with a text, and what was done about it (see its kind).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// What is wrong.
    pub kind: FlawKind,
    /// The formula, tag or figure it is about; long ones are cut.
    pub detail: String,
}

impl Flaw {
    fn new(kind: FlawKind, detail: &str) -> Self {
        const LONGEST_DETAIL: usize = 200;
        let detail = if detail.len() <= LONGEST_DETAIL {
            detail.to_owned()
        } else {
            format!("{}…", start(detail, LONGEST_DETAIL))
        };
        Self { kind, detail }
    }
}

/// A text made safe, with its formulas taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleaned {
    /// Safe HTML with a [`MARKER`] for each formula.
    pub html: String,
    /// The formulas in the order of their markers.
    pub formulas: Vec<Found>,
    /// What was wrong.
    pub flaws: Vec<Flaw>,
}

/// Cleans texts one after another and keeps its buffers between them.
pub struct Cleaner {
    guard: guard::Guard,
    writer: balance::Writer,
}

impl Default for Cleaner {
    fn default() -> Self {
        Self::new()
    }
}

impl Cleaner {
    /// A cleaner with empty buffers.
    #[must_use]
    pub fn new() -> Self {
        Self { guard: guard::Guard::new(), writer: balance::Writer::default() }
    }

    /// Reads a text. Never fails; takes time linear in the length of the text.
    pub fn clean(&mut self, text: &str, markup: Markup, dollars: Dollars) -> Cleaned {
        let mut notes = Notes::default();
        let mut text = text;
        if text.len() > LONGEST {
            notes.flaw(FlawKind::TooLong, &format!("{} bytes", text.len()));
            text = start(text, LONGEST);
        }
        let owned: String;
        if memchr::memmem::find(text.as_bytes(), b"\xEF\xB7").is_some() {
            owned = text.chars().filter(|c| !matches!(*c, MARKER | MARKER_END)).collect();
            text = &owned;
        }
        let innocence = match markup {
            Markup::Html => html::scan(text, dollars.into(), &mut notes, &mut self.writer),
            Markup::Markdown => {
                let source = markdown::html(text, dollars, &mut notes);
                html::scan(&source, html::Mode::Ignore, &mut notes, &mut self.writer)
            }
            Markup::Latex => {
                let source = latex::html(text, dollars, &mut notes);
                html::scan(&source, html::Mode::Ignore, &mut notes, &mut self.writer)
            }
            Markup::Text => {
                let source = plain::html(text, dollars, &mut notes);
                html::scan(&source, html::Mode::Ignore, &mut notes, &mut self.writer)
            }
        };
        if innocence == html::Innocence::Doubtful {
            self.guard.check(&mut self.writer);
        }
        place::place(self.writer.html(), notes)
    }
}

/// What is gathered while a text is read: formulas in the order of their numbers, and flaws.
#[derive(Default)]
struct Notes {
    formulas: Vec<Found>,
    flaws: Vec<Flaw>,
}

impl Notes {
    fn flaw(&mut self, kind: FlawKind, detail: &str) {
        self.flaws.push(Flaw::new(kind, detail));
    }

    fn flaw_once(&mut self, kind: FlawKind, detail: &str) {
        if !self.flaws.iter().any(|flaw| flaw.kind == kind) {
            self.flaw(kind, detail);
        }
    }

    /// Keeps a formula and gives its number.
    fn formula(&mut self, found: Found) -> usize {
        self.formulas.push(found);
        self.formulas.len() - 1
    }
}

/// Writes the token of formula `k`.
fn push_token(k: usize, out: &mut String) {
    use std::fmt::Write as _;
    out.push(MARKER);
    let _ = write!(out, "{k}");
    out.push(MARKER_END);
}

/// The start of a text that is longer, in whole characters.
fn start(text: &str, length: usize) -> &str {
    let length = (0..=length).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..length]
}
