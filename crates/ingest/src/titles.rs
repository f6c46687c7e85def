//! What is a document without a title called?
//!
//! By its first heading, whatever its markup: cleaned text has the headings of Markdown and HTML and the sections
//! of LaTeX as `<h1>` to `<h6>`. Without any, by its first words. A document without words has no title, and is
//! called by its id, which for a page is the path of its file.

use formula::text::write_text;
use latex::Mode;
use markup::{Cleaned, Found, MARKER};
use std::ops::Range;

/// So many characters of a text are a title.
const LONGEST: usize = 80;
/// So many bytes of a text are looked at for its first words.
const LOOKED_AT: usize = 4096;

/// The title of a document that has none, if there is one in its text. A heading before all other text goes from
/// the text, so that its words and formulas are not there twice.
pub(crate) fn title(body: &mut Cleaned) -> Option<Cleaned> {
    if let Some((whole, inside)) = heading(&body.html) {
        let markers = |range: Range<usize>| body.html[range].matches(MARKER).count();
        let first = markers(0..inside.start);
        let own = first..first + markers(inside.clone());
        let title = body.html[inside].trim().to_owned();
        let formulas = match own.end <= body.formulas.len() {
            // The first thing of the text.
            true if is_blank(&body.html[..whole.start]) => {
                // Empty headings before it go with it, other tags stay.
                let before = &body.html[..whole.start];
                let are_headings =
                    before.split('<').skip(1).all(|tag| tag.trim_start_matches('/').starts_with('h'));
                let start = if are_headings { 0 } else { whole.start };
                body.html.replace_range(start..whole.end, "");
                body.html.truncate(body.html.trim_end().len());
                let start = body.html.len() - body.html.trim_start().len();
                body.html.replace_range(..start, "");
                body.formulas.drain(own).collect()
            }
            true => body.formulas[own].to_vec(),
            false => Vec::new(),
        };
        return Some(Cleaned { html: title, formulas, flaws: Vec::new() });
    }
    let html = first_words(body)?;
    Some(Cleaned { html, formulas: Vec::new(), flaws: Vec::new() })
}

/// Whether nothing is seen of a text.
fn is_blank(html: &str) -> bool {
    !html.contains(MARKER) && markup::text(html, |_, _| ()).trim().is_empty()
}

/// The first heading that is not empty: with its tags, and what stands between them.
fn heading(html: &str) -> Option<(Range<usize>, Range<usize>)> {
    let mut at = 0;
    while let Some(start) = html[at..].find("<h").map(|found| at + found) {
        at = start + 2;
        let level = html[at..].chars().next().filter(|level| ('1'..='6').contains(level));
        let Some(level) = level.filter(|_| html[at + 1..].starts_with('>')) else { continue };
        let inside = at + 2;
        let end = inside + html[inside..].find(&format!("</h{level}>"))?;
        let whole = end + "</h1>".len();
        if !is_blank(&html[inside..end]) || html[inside..end].contains(MARKER) {
            return Some((start..whole, inside..end));
        }
        at = whole;
    }
    None
}

/// The first sentence with a word in it, or its beginning, as HTML; formulas are written as text.
fn first_words(body: &Cleaned) -> Option<String> {
    let end = (0..=body.html.len().min(LOOKED_AT)).rev().find(|end| body.html.is_char_boundary(*end))?;
    let start = &body.html[..end];
    // No half of a tag or of an entity.
    let whole = start.rfind('<').filter(|open| !start[*open..].contains('>') && end < body.html.len());
    let start = &start[..whole.unwrap_or(end)];
    let mut reader = latex::Reader::default();
    let text = markup::text(start, |k, out| {
        let formula = body.formulas.get(k).map(|found: &Found| found.latex.as_str());
        let formula = formula.filter(|latex| latex.len() <= LONGEST * 4).unwrap_or_default();
        out.push_str(&write_text(&reader.read(formula.as_bytes(), Mode::Document).tree));
    });
    let lines = || text.lines().map(|line| line.trim().trim_start_matches("- "));
    let is_word = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    // Better a line of prose than one that is a formula.
    let prose = lines().find(|line| line.split_whitespace().any(is_word));
    let line = prose.or_else(|| lines().find(|line| line.chars().any(char::is_alphanumeric)))?;
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(escaped(&short(&words)))
}

/// The first sentence of a line, or as many words as a title has.
fn short(line: &str) -> String {
    let end = line.char_indices().nth(LONGEST).map_or(line.len(), |(at, _)| at);
    // An abbreviation does not end a sentence and is hardly a title.
    let mut ends = line[..end].match_indices(['.', '?', '!']);
    let sentence =
        ends.find(|(at, _)| *at >= 12 && line[at + 1..].chars().next().is_none_or(char::is_whitespace));
    if let Some((at, mark)) = sentence {
        return line[..if mark == "." { at } else { at + 1 }].to_owned();
    }
    if end == line.len() {
        return line.to_owned();
    }
    let words = line[..end].rfind(' ').map_or(end, |blank| blank);
    format!("{}…", line[..words].trim_end_matches([',', ';', ':', ' ']))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use markup::{Cleaner, Dollars, Markup};

    /// The title that is found in a text, and what is left of the text, each with formulas between dollars.
    fn check(markup: Markup, text: &str, expected: Option<(&str, &str)>) {
        let mut body = Cleaner::new().clean(text, markup, Dollars::Math);
        let title = title(&mut body);
        let drawn = |cleaned: &Cleaned| {
            markup::expand(&cleaned.html, |k, out| {
                out.push_str(&format!("${}$", cleaned.formulas[k].latex));
            })
            .trim()
            .to_owned()
        };
        let found = title.as_ref().map(|title| (drawn(title), drawn(&body)));
        let found = found.as_ref().map(|(title, body)| (title.as_str(), body.as_str()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_first_heading_of_any_markup() {
        check(Markup::Markdown, "## On $x^2$\n\nText $y$", Some(("On $x^2$", "<p>Text $y$</p>")));
        check(
            Markup::Markdown,
            "Let $a$.\n\n### On $x^2$\n\nText",
            Some(("On $x^2$", "<p>Let $a$.</p>\n<h3>On $x^2$</h3>\n<p>Text</p>")),
        );
        check(
            Markup::Html,
            "<h1> </h1><h3>Rings &amp; <b>ideals</b></h3>x",
            Some(("Rings &amp; <b>ideals</b>", "x")),
        );
        check(
            Markup::Latex,
            "\\documentclass{article}\\begin{document}\\section{Groups $G$}A group.\\end{document}",
            Some(("Groups $G$", "<p>A group.</p>")),
        );
    }

    #[test]
    fn else_the_first_words() {
        let long =
            "Every bounded sequence of real numbers has a subsequence that converges to a real number, so";
        for (text, expected) in [
            ("Let $x^2<1$ hold. Then", "Let x² &lt; 1 hold"),
            ("$$x$$\n\nIs a compact set closed? Yes.", "Is a compact set closed?"),
            ("$$x$$", "x"),
            ("- one\n- two", "one"),
            ("E.g. this one", "E.g. this one"),
            (long, "Every bounded sequence of real numbers has a subsequence that converges to a…"),
        ] {
            let mut body = Cleaner::new().clean(text, Markup::Markdown, Dollars::Math);
            let before = body.clone();
            let title = title(&mut body).map(|title| title.html);
            assert_eq!(title.as_deref(), Some(expected), "{text}");
            assert_eq!(body, before);
        }
        check(Markup::Markdown, "", None);
        check(Markup::Markdown, "---\n\n***", None);
    }

    #[test]
    fn long_texts_take_no_longer_than_others() {
        for unit in ["<h1></h1>", "<h1>", "<h", "&amp;", "<b>", "x", " ", "$x$ "] {
            let mut body = Cleaner::new().clean(&unit.repeat(200_000), Markup::Html, Dollars::Math);
            let found = title(&mut body);
            assert!(found.is_none_or(|title| title.html.len() < 2_000_000), "{unit}");
        }
    }
}
