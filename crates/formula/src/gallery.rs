//! A page that shows formulas beside their rendering, for people to look at.
//!
//! The page needs nothing but a browser: no script, no other file. The
//! formulas stand in `data/gallery.tsv`.

use crate::mathml::{Display, MathmlOptions, push_escaped, write_mathml_into};
use crate::text::write_text;

/// One formula of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'s> {
    /// The heading under which it stands.
    pub group: &'s str,
    /// The formula as typed.
    pub latex: &'s str,
}

/// The formulas that come with the program.
pub fn entries() -> impl Iterator<Item = Entry<'static>> {
    let rows = include_str!("../data/gallery.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split_once('\t')).map(|(group, latex)| Entry { group, latex })
}

/// An HTML page with these formulas, a heading wherever the group changes.
///
/// ```
/// use formula::gallery::{Entry, gallery};
///
/// let page = gallery([Entry { group: "Basics", latex: "x<y" }]);
/// assert!(page.contains("<code>x&lt;y</code>"));
/// ```
#[must_use]
pub fn gallery<'s>(entries: impl IntoIterator<Item = Entry<'s>>) -> String {
    let mut page = String::with_capacity(1 << 17);
    page.push_str(HEAD);
    let mut group = None;
    let mut count = 0;
    for entry in entries {
        if group != Some(entry.group) {
            if group.is_some() {
                page.push_str("</table>\n");
            }
            group = Some(entry.group);
            page.push_str("<h2>");
            push_escaped(entry.group, &mut page);
            page.push_str("</h2>\n<table>\n<tr><th>LaTeX<th>Drawn<th>On one line</tr>\n");
        }
        row(entry.latex, &mut page);
        count += 1;
    }
    if group.is_some() {
        page.push_str("</table>\n");
    }
    page.push_str(&format!("<p>{count} formulas.</p>\n</body>\n</html>\n"));
    page
}

fn row(latex: &str, page: &mut String) {
    let parse = latex::parse(latex);
    page.push_str("<tr><td><code>");
    push_escaped(latex, page);
    page.push_str("</code>");
    if !parse.diagnostics.is_empty() {
        page.push_str("<ul>");
        for diagnostic in &parse.diagnostics {
            page.push_str("<li>");
            push_escaped(&diagnostic.message, page);
            let place = latex.get(diagnostic.span.range()).unwrap_or_default();
            if !place.is_empty() {
                page.push_str(", at <code>");
                push_escaped(place, page);
                page.push_str("</code>");
            }
            page.push_str("</li>");
        }
        page.push_str("</ul>");
    }
    page.push_str("</td><td class=\"drawn\">");
    let options = MathmlOptions { display: Display::Block, ..MathmlOptions::default() };
    write_mathml_into(&parse.tree, latex, options, page);
    page.push_str("</td><td class=\"line\">");
    push_escaped(&write_text(&parse.tree), page);
    page.push_str("</td></tr>\n");
}

const HEAD: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Formulas as Hypatia reads them</title>
<style>
:root {
  color-scheme: light dark;
  --ink: #1c1c1a; --paper: #fdfdfb; --faint: #6b6b66; --rule: #deded8; --code: #f3f3ee; --warn: #9a4b00;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e1; --paper: #17181a; --faint: #9b9a95; --rule: #34363a; --code: #222428; --warn: #e8a15a; }
}
body {
  margin: 2rem auto; max-width: 80rem; padding: 0 1.25rem;
  background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.6rem; margin-bottom: 0.25rem; }
h2 { font-size: 1.1rem; margin: 2.25rem 0 0.5rem; }
p { color: var(--faint); max-width: 46rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th { text-align: left; font-weight: normal; font-size: 0.8rem; color: var(--faint); padding: 0 0.75rem 0.25rem; }
td { border-top: 1px solid var(--rule); padding: 0.75rem; vertical-align: middle; overflow-wrap: anywhere; }
th:nth-child(1) { width: 33%; }
th:nth-child(2) { width: 39%; }
code { font: 0.8rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--code); border-radius: 3px;
  padding: 0.1rem 0.3rem; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.line { font-size: 0.95rem; }
ul { margin: 0.4rem 0 0; padding-left: 1.1rem; font-size: 0.85rem; color: var(--warn); }
math { font-family: "Latin Modern Math", "STIX Two Math", "STIX Math", "Cambria Math", "Libertinus Math",
  "TeX Gyre Termes Math", "Noto Sans Math", "DejaVu Math TeX Gyre", math; font-size: 1.2rem; }
.hyp-opaque { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.85em; color: var(--warn); }
.hyp-wildcard { background: var(--code); border-radius: 3px; padding: 0 0.15em; }
</style>
</head>
<body>
<h1>Formulas as Hypatia reads them</h1>
<p>Each formula as it was typed, as the browser draws the MathML made from it, and as one line of text.
Remarks of the reader stand below the source.</p>
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_every_formula_and_no_script() {
        let all: Vec<_> = entries().collect();
        assert!(all.len() >= 60, "{}", all.len());
        let page = gallery(all.iter().copied());
        assert_eq!(page.matches("<math ").count(), all.len());
        assert_eq!(page.matches("<tr><td>").count(), all.len());
        assert!(!page.contains("<script"));
        assert!(!page.contains("http"));
    }

    #[test]
    fn bad_input_comes_with_its_remarks() {
        let page = gallery([Entry { group: "Bad", latex: r"\frac{a}{b" }]);
        assert!(page.contains("this brace is never closed"), "{page}");
    }

    #[test]
    fn good_groups_have_no_errors() {
        for entry in entries().filter(|entry| entry.group != "Bad input") {
            let parse = latex::parse(entry.latex);
            assert!(!parse.has_errors(), "{}: {:?}", entry.latex, parse.diagnostics);
        }
    }
}
