//! Answers as they are shown: paragraphs, formulas drawn, and numbers of sources that lead to them.
//!
//! The text may come from a language model and is trusted no more than what anybody else wrote.

use super::html::Html;
use super::marked::expanded;
use super::math::Pen;
use markup::{Cleaner, Display, Dollars, Found, MARKER, Markup};

/// A plain text with formulas between dollars, as HTML. `sources` are the numbers by which it may call its
/// sources, each with an address.
pub(crate) fn said(pen: &mut Pen, text: &str, sources: &[(usize, String)]) -> Html {
    let cleaned = Cleaner::new().clean(text, Markup::Text, Dollars::Math);
    let html = without_breaks(&cleaned.html, &cleaned.formulas);
    expanded(pen, &cited(&html, sources), &cleaned.formulas)
}

/// The same without line breaks beside formulas that stand on lines of their own anyway.
fn without_breaks(html: &str, formulas: &[Found]) -> String {
    const BREAK: &str = "<br>";
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    let mut number = 0;
    while let Some(at) = rest.find(MARKER) {
        out.push_str(&rest[..at]);
        rest = &rest[at + MARKER.len_utf8()..];
        let block = formulas.get(number).is_some_and(|found| found.display == Display::Block);
        number += 1;
        if block {
            let kept = out.trim_end().strip_suffix(BREAK).map_or(out.len(), |kept| kept.trim_end().len());
            out.truncate(kept);
            rest = rest.trim_start().strip_prefix(BREAK).map_or(rest, str::trim_start);
        }
        out.push(MARKER);
    }
    out.push_str(rest);
    out
}

/// The same with links around numbers in brackets that stand for sources, such as `[1]` and `[1, 2]`.
fn cited(html: &str, sources: &[(usize, String)]) -> String {
    let mut out = Html::default();
    let mut rest = html;
    while let Some(open) = rest.find('[') {
        let (before, from) = rest.split_at(open);
        out.write(|out| out.push_str(before));
        let numbers = from.find(']').and_then(|close| Some((close, numbers(&from[1..close], sources)?)));
        let Some((close, numbers)) = numbers else {
            out.push("[");
            rest = &from[1..];
            continue;
        };
        out.push("<span class=\"cites\">[");
        for (place, (number, address)) in numbers.into_iter().enumerate() {
            out.push(if place > 0 { ", <a href=\"" } else { "<a href=\"" });
            out.push_text(address);
            out.push("\" aria-label=\"Source ");
            out.push_text(&number.to_string());
            out.push("\">");
            out.push_text(&number.to_string());
            out.push("</a>");
        }
        out.push("]</span>");
        rest = &from[close + 1..];
    }
    out.write(|out| out.push_str(rest));
    out.as_str().to_owned()
}

/// The sources that stand between brackets, if nothing else does.
fn numbers<'s>(inside: &str, sources: &'s [(usize, String)]) -> Option<Vec<&'s (usize, String)>> {
    let numbers = inside.split([',', ' ']).filter(|number| !number.is_empty());
    let numbers = numbers.map(|number| {
        let number: usize = number.parse().ok()?;
        sources.iter().find(|(known, _)| *known == number)
    });
    numbers.collect::<Option<Vec<_>>>().filter(|numbers| !numbers.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let sources = [(1, "/thread/7#post-8".to_owned()), (2, "/thread/9?a&b".to_owned())];
        let html = said(&mut Pen::default(), text, &sources);
        // Formulas are drawn elsewhere.
        let mut short = String::new();
        for (place, part) in html.as_str().split("</math>").enumerate() {
            let part = if place == 0 { part.to_owned() } else { format!("</math>{part}") };
            let (before, _) = part.split_once("<math").unwrap_or((&part, ""));
            short.push_str(&before.replace("</math>", "M"));
        }
        assert_eq!(short, expected, "{html}");
    }

    #[test]
    fn paragraphs_and_formulas() {
        check("One.\n\nTwo costs \\$5.", "<p>One.</p>\n<p>Two costs $5.</p>");
        check("So $x$.", "<p>So <span class=\"tied\"><span class=\"fx\">M</span>.</span></p>");
        check("So\n$$x$$\nends.", "<p>So<span class=\"scroll\" tabindex=\"0\">M</span>ends.</p>");
        check("one\ntwo", "<p>one<br>\ntwo</p>");
        check("", "");
    }

    #[test]
    fn numbers_of_sources_are_links() {
        check(
            "as in [1].",
            "<p>as in <span class=\"cites\">[<a href=\"/thread/7#post-8\" aria-label=\"Source 1\">1</a>]</span>.</p>",
        );
        check(
            "[1, 2]",
            "<p><span class=\"cites\">[<a href=\"/thread/7#post-8\" aria-label=\"Source 1\">1</a>, \
             <a href=\"/thread/9?a&amp;b\" aria-label=\"Source 2\">2</a>]</span></p>",
        );
        check("[3] and [0, 1] and [a] and [] and [1", "<p>[3] and [0, 1] and [a] and [] and [1</p>");
    }

    #[test]
    fn nothing_becomes_markup() {
        let hostile = "<script>alert(1)</script> [<img src=x onerror=alert(1)>] \
            $\\text{</math><script>x</script>}\\href{javascript:alert(1)}{y}\\style{color:red}{z}$ &lt;b&gt;";
        let html = said(&mut Pen::default(), hostile, &[]);
        let html = html.as_str();
        for never in ["<script", "<img", "href=", " style=", "</math><script", "<b>"] {
            assert!(!html.contains(never), "{never} in {html}");
        }
        assert!(html.contains("&lt;script&gt;"), "{html}");
    }
}
