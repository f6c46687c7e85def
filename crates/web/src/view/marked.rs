//! Texts with what was found in them.

use super::address::{Search, View};
use super::html::Html;
use super::math::Pen;
use markup::{Cleaner, Dollars, Found, Markup};
use retrieve::people::{FoundFormula, Marked, Rest};
use std::ops::Range;

/// What formulas in a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Formulas {
    /// Links to a search for them.
    Links,
    /// Part of something that is a link itself.
    Plain,
    /// The same in a single low line: those that are tall or wide are written as text.
    Low,
}

/// So many formulas of a text are drawn; more than that nobody writes by hand.
const MOST: usize = 300;

/// So many characters fit into a low line.
const LOW: usize = 90;

enum Piece {
    Word,
    Formula(Option<usize>),
}

/// A text with its words marked and its formulas drawn. `found` are the formulas of which it is known how
/// they are like those of the query.
pub(crate) fn marked(pen: &mut Pen, marked: &Marked, found: &[FoundFormula], formulas: Formulas) -> Html {
    let mut pieces: Vec<(Range<usize>, Piece)> = Vec::new();
    pieces.extend(marked.words.iter().map(|word| (word.clone(), Piece::Word)));
    pieces.extend(marked.formulas.iter().map(|formula| (formula.span.clone(), Piece::Formula(formula.like))));
    pieces.sort_by_key(|(range, _)| range.start);
    let mut out = Html::default();
    if marked.before == Rest::Cut {
        out.push("<span class=\"cut\">…</span> ");
    }
    let mut at = 0;
    // What does not fit into the line would only be hidden.
    let mut room = if formulas == Formulas::Low { LOW } else { usize::MAX };
    for (range, piece) in pieces {
        if range.start < at {
            continue;
        }
        room = push_some(marked.text.get(at..range.start).unwrap_or_default(), room, &mut out);
        if room == 0 {
            break;
        }
        let text = marked.text.get(range.clone()).unwrap_or_default();
        match piece {
            Piece::Word => {
                out.push("<mark>");
                out.push_text(text);
                out.push("</mark>");
                room = room.saturating_sub(text.chars().count());
            }
            Piece::Formula(like) => {
                let latex = text.strip_prefix('$').and_then(|text| text.strip_suffix('$')).unwrap_or(text);
                let known = found.iter().find(|found| Some(found.query) == like && found.latex == latex);
                let spans = known.map_or(&[][..], |found| &found.spans);
                draw(pen, latex, like, spans, formulas, &mut out);
                if formulas == Formulas::Low {
                    room = room.saturating_sub(pen.text(latex).chars().count());
                }
            }
        }
        at = range.end;
    }
    if room == 0 || push_some(marked.text.get(at..).unwrap_or_default(), room, &mut out) == 0 {
        out.push(" <span class=\"cut\">…</span>");
        return out;
    }
    if marked.after == Rest::Cut {
        out.push(" <span class=\"cut\">…</span>");
    }
    out
}

/// Appends as much of a text as there is room for, in characters; gives the room that is left.
fn push_some(text: &str, room: usize, out: &mut Html) -> usize {
    let end = text.char_indices().nth(room).map_or(text.len(), |(at, _)| at);
    out.push_text(&text[..end]);
    if end < text.len() { 0 } else { room.saturating_sub(text.chars().count()) }
}

fn draw(
    pen: &mut Pen,
    latex: &str,
    like: Option<usize>,
    spans: &[(Range<usize>, formula::matching::Likeness)],
    formulas: Formulas,
    out: &mut Html,
) {
    let link = formulas == Formulas::Links && !latex.trim().is_empty();
    if formulas == Formulas::Low && !pen.is_low(latex) {
        out.push_text(&pen.text(latex));
        return;
    }
    let width = pen.width(latex).class();
    if link {
        let search =
            Search { f: latex.trim().to_owned(), view: View::Formulas, page: 1, ..Search::default() };
        out.push("<a class=\"fx");
        out.push(width);
        out.push(if like.is_some() { " like\" href=\"" } else { "\" href=\"" });
        out.push_text(&search.address());
        out.push("\">");
    } else {
        out.push("<span class=\"fx");
        out.push(width);
        out.push(if like.is_some() { " like\">" } else { "\">" });
    }
    match formulas {
        // In a short line beside its post it needs no words of its own.
        Formulas::Low => pen.bare(latex, latex::Mode::Document, formula::mathml::Display::Inline, out),
        Formulas::Links | Formulas::Plain => pen.inline(latex, spans, out),
    }
    out.push(if link { "</a>" } else { "</span>" });
}

/// A line of plain text with LaTeX between dollars, drawn; nothing in it is marked or a link.
pub(crate) fn texts(pen: &mut Pen, text: &str, mode: latex::Mode) -> Html {
    let mut cleaner = Cleaner::new();
    let cleaned = cleaner.clean(text, Markup::Text, Dollars::Math);
    // Markers and text only: the tags around paragraphs are taken off by reading it as text again.
    let mut out = Html::default();
    let mut at = 0;
    let plain = markup::text(&cleaned.html, |k, out| {
        out.push(markup::MARKER);
        out.push_str(&k.to_string());
        out.push('\u{FDD1}');
    });
    while let Some(start) = plain[at..].find(markup::MARKER).map(|start| at + start) {
        let (before, opening) = tied_before(&plain[at..start]);
        out.push_text(before);
        let rest = &plain[start + markup::MARKER.len_utf8()..];
        let end = rest.find('\u{FDD1}').unwrap_or(rest.len());
        at = start + markup::MARKER.len_utf8() + end + '\u{FDD1}'.len_utf8();
        at = at.min(plain.len());
        let closing = tied_after(&plain[at..]);
        at += closing.len();
        let tied = !opening.is_empty() || !closing.is_empty();
        out.push(if tied { TIED } else { "" });
        out.push_text(opening);
        if let Some(found) = rest[..end].parse().ok().and_then(|k: usize| cleaned.formulas.get(k)) {
            out.push("<span class=\"fx");
            out.push(pen.width(&found.latex).class());
            out.push("\">");
            pen.draw(&found.latex, mode, formula::mathml::Display::Inline, &[], &mut out);
            out.push("</span>");
        }
        out.push_text(closing);
        out.push(if tied { "</span>" } else { "" });
    }
    out.push_text(&plain[at..]);
    out
}

/// Markdown with formulas between dollars, as HTML.
pub(crate) fn written(pen: &mut Pen, markdown: &str) -> Html {
    let cleaned = Cleaner::new().clean(markdown, Markup::Markdown, Dollars::Math);
    expanded(pen, &cleaned.html, &cleaned.formulas)
}

/// Cleaned HTML with its formulas drawn.
pub(super) fn expanded(pen: &mut Pen, html: &str, formulas: &[Found]) -> Html {
    let html = markup::expand(&tied(html, formulas), |k, out| {
        let Some(found) = formulas.get(k) else { return };
        if k >= MOST {
            out.push_str(Html::text(&format!("${}$", found.latex)).as_str());
            return;
        }
        let mut math = Html::default();
        let display = match found.display {
            markup::Display::Inline => formula::mathml::Display::Inline,
            markup::Display::Block => formula::mathml::Display::Block,
        };
        pen.draw(&found.latex, latex::Mode::Document, display, &[], &mut math);
        let block = display == formula::mathml::Display::Block;
        if block {
            out.push_str("<span class=\"scroll\" tabindex=\"0\">");
        } else {
            out.extend(["<span class=\"fx", pen.width(&found.latex).class(), "\">"]);
        }
        out.push_str(math.as_str());
        out.push_str("</span>");
    });
    // What is left are the tags of the cleaner's short list, with no attributes that load or run anything.
    Html::trusted(html)
}

/// Around a formula and the punctuation beside it: browsers would break the line between the two.
const TIED: &str = "<span class=\"tied\">";

/// A text without the brackets at its end that open before a formula, and these.
fn tied_before(text: &str) -> (&str, &str) {
    text.split_at(text.trim_end_matches(['(', '[']).len())
}

/// The punctuation with which a text goes on after a formula.
fn tied_after(text: &str) -> &str {
    let rest = text.trim_start_matches([',', '.', ';', ':', ')', ']', '?', '!', '\u{2019}', '\u{201D}']);
    &text[..text.len() - rest.len()]
}

/// The same cleaned HTML with formulas in a line tied to the punctuation beside them.
fn tied(html: &str, formulas: &[Found]) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    for found in formulas {
        let Some(at) = rest.find(markup::MARKER) else { break };
        let (before, from) = rest.split_at(at);
        let after = &from[markup::MARKER.len_utf8()..];
        let (before, opening) = tied_before(before);
        let closing = tied_after(after);
        let tied = found.display == markup::Display::Inline && !(opening.is_empty() && closing.is_empty());
        out.push_str(before);
        out.push_str(if tied { TIED } else { "" });
        out.push_str(opening);
        out.push(markup::MARKER);
        out.push_str(closing);
        out.push_str(if tied { "</span>" } else { "" });
        rest = &after[closing.len()..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrieve::people::MarkedFormula;

    #[test]
    fn words_are_marked_and_nothing_is_trusted() {
        let text = Marked {
            text: "a <b> matrix $x<1$ end".to_owned(),
            words: std::iter::once(6..12).collect(),
            formulas: vec![MarkedFormula { span: 13..18, like: Some(0) }],
            before: Rest::Cut,
            after: Rest::None,
        };
        let html = marked(&mut Pen::default(), &text, &[], Formulas::Links);
        let start = "<span class=\"cut\">…</span> a &lt;b&gt; <mark>matrix</mark> \
                     <a class=\"fx like\" href=\"/search?f=x%3C1&amp;view=formulas\"><math";
        assert!(html.as_str().starts_with(start), "{html}");
        assert!(html.as_str().ends_with("</math></a> end"), "{html}");
        assert!(!html.as_str().contains("<b>"));
    }

    /// HTML with an M for each formula.
    fn check_tied(html: &Html, expected: &str) {
        let mut short = String::new();
        for part in html.as_str().split("</math>") {
            let (before, formula) = part.split_once("<math").map_or((part, ""), |(before, _)| (before, "M"));
            short.push_str(before);
            short.push_str(formula);
        }
        assert_eq!(short, expected, "{html}");
    }

    #[test]
    fn punctuation_stays_with_its_formula() {
        let mut pen = Pen::default();
        check_tied(
            &written(&mut pen, "If ($x$), $y$; then $z$ <b>$w$</b>. So $u$"),
            "<p>If <span class=\"tied\">(<span class=\"fx\">M</span>),</span> \
             <span class=\"tied\"><span class=\"fx\">M</span>;</span> then <span class=\"fx\">M</span> \
             <b><span class=\"fx\">M</span></b>. So <span class=\"fx\">M</span></p>\n",
        );
        check_tied(
            &texts(&mut pen, "Is $x^2$, or ($y$) <2?", latex::Mode::Document),
            "Is <span class=\"tied\"><span class=\"fx\">M</span>,</span> or \
             <span class=\"tied\">(<span class=\"fx\">M</span>)</span> &lt;2?",
        );
        check_tied(
            &written(&mut pen, "So\n$$x$$."),
            "<p>So\n<span class=\"scroll\" tabindex=\"0\">M</span>.</p>\n",
        );
    }

    #[test]
    fn plain_lines_are_drawn() {
        let html = texts(&mut Pen::default(), "Is $x^2$ < <i>2</i>?", latex::Mode::Document);
        assert!(html.as_str().starts_with("Is <span class=\"fx\"><math"), "{html}");
        assert!(html.as_str().ends_with("</math></span> &lt; &lt;i&gt;2&lt;/i&gt;?"), "{html}");
    }
}
