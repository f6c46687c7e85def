//! What is inside a formula's span or a `math` element.

use crate::entity::{self, Place};
use crate::tag::{Lexeme, Lexer, Side, Tag};
use crate::{Display, FlawKind, Found, Notes, Origin, mend};

/// Where the content of a span ends, and where the text goes on.
pub(crate) struct Extent {
    pub(crate) end: usize,
    pub(crate) after: usize,
    pub(crate) shape: Shape,
}

/// How a span is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `<span>…</span>`
    Whole,
    /// It does not end.
    Unclosed,
    /// There are formulas' spans inside.
    Nested,
}

/// Looks no further than this many spans ahead to find out whether they are nested or one is not closed.
const DEEPEST: usize = 8;

/// Finds the end of the formula's span whose content starts at `from`.
///
/// It ends at its own `</span>`; where that is missing, before the next block, formula's span or end of text.
pub(crate) fn extent(text: &str, from: usize, lexer: &mut Lexer) -> Extent {
    let mut depth = 1_usize;
    let mut spans = 0;
    let mut closed = false;
    let mut first_inner = None;
    let mut at = from;
    let mut end = text.len();
    while let Some(found) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        at += found;
        let Some(lexeme) = lexer.read(text, at) else {
            at += 1;
            continue;
        };
        if lexeme.tag == Tag::Span {
            if lexeme.end == Side::End {
                depth -= 1;
                closed = true;
                if depth == 0 {
                    let shape = if first_inner.is_some() { Shape::Nested } else { Shape::Whole };
                    return Extent { end: at, after: lexeme.after, shape };
                }
            } else {
                let formula = lexeme.starts_formula();
                if formula {
                    first_inner.get_or_insert(at);
                }
                spans += usize::from(formula);
                if (formula && closed) || spans > DEEPEST {
                    end = at;
                    break;
                }
                depth += 1;
            }
        } else if lexeme.tag.is_block() {
            end = at;
            break;
        }
        at = lexeme.after;
    }
    let end = first_inner.unwrap_or(end);
    Extent { end, after: end, shape: Shape::Unclosed }
}

/// The LaTeX in a piece of HTML: tags out, references undone, delimiters off; and what the delimiters say.
pub(crate) fn latex(source: &str, notes: &mut Notes) -> (String, Option<Display>) {
    let text = content(source, notes);
    let (inner, display) = undelimited(trimmed(&text));
    (trimmed(inner).to_owned(), display)
}

/// The LaTeX in a piece of HTML that has no delimiters, or not any more.
pub(crate) fn content(source: &str, notes: &mut Notes) -> String {
    let mut text = std::borrow::Cow::Borrowed(source);
    if source.contains('<') {
        let stripped = mend::without_tags(source);
        if let Some(stripped) = stripped {
            notes.flaw(FlawKind::HtmlInFormula, source);
            text = stripped.into();
        }
    }
    if text.contains('&') {
        text = entity::undo(&text, Place::Text).into();
        const ESCAPED: [&str; 6] = ["&lt;", "&gt;", "&amp;", "&quot;", "&#39;", "&nbsp;"];
        if text.contains('&') && ESCAPED.iter().any(|escape| text.contains(escape)) {
            notes.flaw(FlawKind::EscapedTwice, source);
            text = entity::undo(&text, Place::Text).into();
        }
        if let Some(tagless) = mend::without_escaped_tags(&text) {
            notes.flaw(FlawKind::HtmlInFormula, source);
            text = tagless.into();
        }
    }
    if let Some(entities) = mend::lost_entities(&text) {
        notes.flaw(FlawKind::EscapedTwice, source);
        text = entities.into();
    }
    tidy(&text)
}

/// Whether nothing is in a formula that was written to keep a distance: `$ $`, `${}{}$`.
pub(crate) fn is_empty(latex: &str) -> bool {
    latex.bytes().all(|b| matches!(b, b'{' | b'}') || b.is_ascii_whitespace())
}

/// Trimmed, with ordinary blanks and line ends.
pub(crate) fn tidy(text: &str) -> String {
    if text.contains(['\u{A0}', '\u{FEFF}', '\0', '\r']) {
        let text = text.replace('\u{A0}', " ").replace("\r\n", "\n").replace(['\u{FEFF}', '\0', '\r'], "");
        return trimmed(&text).to_owned();
    }
    trimmed(text).to_owned()
}

/// Without the delimiters around the whole, and what they say.
fn undelimited(text: &str) -> (&str, Option<Display>) {
    for (open, close, display) in [
        ("$$", "$$", Display::Block),
        ("$", "$", Display::Inline),
        (r"\(", r"\)", Display::Inline),
        (r"\[", r"\]", Display::Block),
    ] {
        if let Some(inner) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close))
            && !inner.ends_with('\\')
        {
            return (inner, Some(display));
        }
    }
    (text, None)
}

/// Finds ends of `math` elements; remembers the last one found, so that the text is searched once.
#[derive(Default)]
pub(crate) struct MathEnds {
    next: Option<(usize, usize)>,
    none_left: bool,
}

impl MathEnds {
    /// The end tag of the `math` element that starts with `start`: where it begins and where the text goes on.
    pub(crate) fn find(
        &mut self,
        text: &str,
        start: &Lexeme<'_>,
        lexer: &mut Lexer,
    ) -> Option<(usize, usize)> {
        if self.next.is_none_or(|(begin, _)| begin < start.after) {
            self.next = None;
            if self.none_left {
                return None;
            }
            let mut at = start.after;
            while let Some(found) = memchr::memmem::find(&text.as_bytes()[at..], b"</") {
                at += found;
                if let Some(lexeme) = lexer.read(text, at)
                    && lexeme.local().eq_ignore_ascii_case("math")
                {
                    self.next = Some((at, lexeme.after));
                    break;
                }
                at += 2;
            }
            self.none_left = self.next.is_none();
        }
        let (begin, after) = self.next?;
        lexer.read(text, begin).filter(|end| end.is(start.name)).map(|_| (begin, after))
    }
}

/// The formula of a `math` element with this start tag, content and source.
pub(crate) fn math(start: &Lexeme<'_>, content: &str, source: &str) -> Found {
    let latex = start.value("alttext").or_else(|| annotation(content)).unwrap_or_default();
    let block = start.attribute("display").is_some_and(|value| value.eq_ignore_ascii_case("block"));
    Found {
        id: start.value("id").filter(|id| !id.is_empty()),
        latex: trimmed(undelimited(&tidy(&latex)).0).to_owned(),
        mathml: Some(source.to_owned()),
        display: if block { Display::Block } else { Display::Inline },
        origin: Origin::Math,
    }
}

/// The text of the annotation that is TeX.
fn annotation(content: &str) -> Option<String> {
    let mut lexer = Lexer::default();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &content.as_bytes()[at..]) {
        at += found;
        let Some(lexeme) = lexer.read(content, at) else {
            at += 1;
            continue;
        };
        at = lexeme.after;
        if lexeme.end == Side::Start
            && lexeme.local().eq_ignore_ascii_case("annotation")
            && lexeme
                .attribute("encoding")
                .is_some_and(|value| value.eq_ignore_ascii_case("application/x-tex"))
        {
            let length = content[at..].find('<').unwrap_or(content.len() - at);
            return Some(entity::undo(&content[at..at + length], Place::Text));
        }
    }
    None
}

/// A formula without the blanks around it; a blank after a lone backslash is a command and stays.
fn trimmed(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.trim_end();
    let backslashes = end.len() - end.trim_end_matches('\\').len();
    match text[end.len()..].chars().next() {
        Some(blank) if backslashes % 2 == 1 => &text[..end.len() + blank.len_utf8()],
        _ => end,
    }
}
