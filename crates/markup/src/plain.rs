//! Plain text to HTML with tokens: a blank line ends a paragraph, a line break stays one.

use crate::dollars::{Finder, Flavour, Hit};
use crate::{Dollars, FlawKind, Found, Notes, entity, push_token, span};

/// Plain text as HTML; formulas are tokens.
pub(crate) fn html(text: &str, dollars: Dollars, notes: &mut Notes) -> String {
    let text = with_tokens(text, dollars, notes, &[], Escapes::Undone, Flavour::Plain);
    let mut out = String::with_capacity(text.len() + 16);
    let mut open = false;
    for line in text.lines() {
        let line = line.trim_end();
        if line.is_empty() {
            if std::mem::take(&mut open) {
                out.push_str("</p>\n");
            }
            continue;
        }
        out.push_str(if open { "<br>\n" } else { "<p>" });
        open = true;
        entity::escape(line, &mut out);
    }
    if open {
        out.push_str("</p>");
    }
    out
}

/// What `\$` outside formulas becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// A dollar.
    Undone,
    /// What it is: someone else reads it.
    Kept,
}

/// Text with tokens for its formulas, but for those that start in one of `codes` (ranges in order).
pub(crate) fn with_tokens(
    text: &str,
    dollars: Dollars,
    notes: &mut Notes,
    codes: &[std::ops::Range<usize>],
    escapes: Escapes,
    flavour: Flavour,
) -> String {
    let mut finder = Finder::new(flavour);
    let mut out = String::with_capacity(text.len());
    let mut codes = codes.iter().peekable();
    let (mut at, mut from) = (0, 0);
    while let Some(found) = memchr::memchr2(b'$', b'\\', &text.as_bytes()[at..]) {
        at += found;
        while codes.peek().is_some_and(|code| code.end <= at) {
            codes.next();
        }
        if let Some(code) = codes.peek()
            && code.contains(&at)
        {
            at = code.end;
            continue;
        }
        let hit = finder.at(text, at).filter(|hit| codes.peek().is_none_or(|code| hit.after <= code.start));
        match (hit, dollars) {
            (Some(hit), Dollars::Math | Dollars::Stray) => {
                if dollars == Dollars::Stray {
                    notes.flaw(FlawKind::BareFormula, &text[at..hit.after]);
                }
                out.push_str(&text[from..at]);
                at = hit.after;
                from = at;
                token(text, hit, notes, &mut out);
            }
            (Some(hit), Dollars::Text) => {
                notes.flaw(FlawKind::BareFormula, &text[at..hit.after]);
                at = hit.after;
            }
            (None, _) => {
                let rest = &text[at..];
                if rest.starts_with(r"\$") && escapes == Escapes::Undone && dollars != Dollars::Text {
                    out.push_str(&text[from..at]);
                    from = at + 1;
                }
                let pair = [r"\\", r"\$", "$$"].iter().any(|pair| rest.starts_with(pair));
                at += if pair { 2 } else { 1 };
            }
        }
    }
    out.push_str(&text[from..]);
    out
}

/// Keeps a formula of a text without tags and writes its token.
pub(crate) fn token(text: &str, hit: Hit, notes: &mut Notes, out: &mut String) {
    let latex = span::tidy(&text[hit.inner.clone()]);
    if span::is_empty(&latex) {
        notes.flaw(FlawKind::EmptyFormula, &text[hit.inner]);
        return;
    }
    let found = Found { id: None, latex, mathml: None, display: hit.display, origin: hit.origin };
    push_token(notes.formula(found), out);
}
