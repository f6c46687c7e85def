//! What holds for any text at all.

use markup::{Cleaned, Cleaner, Dollars, Markup, expand, markers, text};
use proptest::prelude::*;

/// Pieces that, in any order, make hostile texts.
#[rustfmt::skip]
const PIECES: [&str; 112] = [
    "<p>", "</p>", "<b>", "</b>", "<i>", "</i>", "<a href='http://a.b/c?d&e'>", "<a>", "</a>", "<div>", "</div>",
    "<ul>", "</ul>", "<ol>", "<li>", "</li>", "<dl>", "<dt>", "<dd>", "</dd>", "</dl>", "<h1>", "</h1>", "<h2>",
    "</h2>", "<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<th>", "<thead>", "<tbody>", "</tbody>",
    "<pre>", "</pre>", "<code>", "</code>", "<blockquote>", "</blockquote>", "<span>", "</span>",
    "<span class=\"math-container\" id=\"1\">", "<span class='math-container'>d</span>", "<br>", "<hr>", "<img src='http://x/y' alt='a<b'>",
    "<script>", "</script>", "<style>", "</style>", "<svg>", "<math>", "</math>", "<m:math alttext='x'>",
    "</m:math>", "<textarea>", "</textarea>", "<!--", "-->", "<![CDATA[", "<", ">", "&", "&lt;", "&amp;lt;",
    "&#x3c;", "&nbsp;", "\u{A0}", "$", "$$", "\\$", "\\(", "\\)", "\\[", "\\]", "\\begin{align}", "\\end{align}", "\\",
    "\\begin{array}", "\\end{array}", "\\begin {cases}", "\\end {cases}", "\\textbf{", "\\textbf{a}", "\\eqref{1}",
    "\\item", "\\item[a]", "\\newcommand{", "\\label{", "\\begin{proof}", "\\frac", "\\alpha", "\\text{", "{", "}", "&amp;amp;",
    "<em>", "</em>", "x", "ab", " ", "\n", "\n\n", "\r\n", "é", "\"", "'", "\u{FDD0}", "<sup>", "</sup>",
];

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        20 => proptest::sample::select(&PIECES[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z<>&;#/\"'=!-]{0,6}",
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

const ALLOWED: &str = " p br hr em strong b i u s sub sup del ins code pre kbd blockquote ul ol li dl dt dd h1 h2 h3 h4 h5 h6 table thead tbody tr th td a span div abbr ";

/// Every `<` in cleaned HTML starts a tag of the list, without attributes but for a link's.
fn assert_safe(html: &str) {
    for rest in html.split('<').skip(1) {
        let (tag, _) = rest.split_once('>').expect("tags end");
        let tag = tag.strip_prefix('/').unwrap_or(tag);
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(ALLOWED.contains(&format!(" {name} ")), "{tag} in {html}");
        let link = |text: &str| {
            let value = text.strip_prefix("href=\"").and_then(|rest| rest.strip_suffix('"'));
            value.is_some_and(|value| !value.contains('"') && value.starts_with("http"))
        };
        assert!(attributes.is_empty() || (name == "a" && link(attributes)), "{tag} in {html}");
    }
}

/// The HTML with its formulas in spans again.
fn whole(cleaned: &Cleaned) -> String {
    expand(&cleaned.html, |k, out| {
        let latex = cleaned.formulas[k].latex.replace('&', "&amp;").replace('<', "&lt;");
        out.push_str(&format!("<span class=\"math-container\">\\(x{latex}\\)</span>"));
    })
}

/// What `ammonia` alone makes of it, with the same list.
fn ammonia(html: &str) -> String {
    ammonia::Builder::new()
        .tags(ALLOWED.split_whitespace().collect())
        .tag_attributes([("a", ["href"].into())].into())
        .generic_attributes([].into())
        .url_schemes(["http", "https", "mailto"].into())
        .link_rel(None)
        .clean(html)
        .to_string()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(input in hostile(), kind in 0..4_usize, dollars in 0..3_usize) {
        let markup = [Markup::Html, Markup::Markdown, Markup::Latex, Markup::Text][kind];
        let dollars = [Dollars::Math, Dollars::Stray, Dollars::Text][dollars];
        let mut cleaner = Cleaner::new();
        let cleaned = cleaner.clean(&input, markup, dollars);
        prop_assert_eq!(markers(&cleaned.html), cleaned.formulas.len());
        assert_safe(&cleaned.html);
        prop_assert_eq!(ammonia(&cleaned.html), cleaned.html.clone(), "{:?}", input);
        let again = cleaner.clean(&whole(&cleaned), Markup::Html, Dollars::Text);
        prop_assert_eq!(&again.html, &cleaned.html, "{:?}", input);
        prop_assert_eq!(again.formulas.len(), cleaned.formulas.len());
        let words = text(&cleaned.html, |_, out| out.push('F'));
        prop_assert!(!words.contains('<') || cleaned.html.contains("&lt;"), "{words}");
    }
}

#[test]
fn environments_thousands_deep() {
    let deep = 20_000;
    for (begin, end) in [("\\begin{array}{c}", "\\end{array}"), ("\\begin{align}<p>", "\\end{align}")] {
        let whole = format!("a {}x{} b", begin.repeat(deep), end.repeat(deep));
        let cleaned = Cleaner::new().clean(&whole, Markup::Html, Dollars::Stray);
        assert_eq!(cleaned.formulas.len(), 1);
        let half = format!("a {}x{} b", begin.repeat(deep), end.repeat(deep / 2));
        let cleaned = Cleaner::new().clean(&half, Markup::Html, Dollars::Stray);
        assert!(cleaned.formulas.len() <= 1, "{}", cleaned.formulas.len());
    }
}

/// Time must grow with the length, not with its square: each of these is done in a moment.
#[test]
fn long_hostile_texts() {
    let mut cleaner = Cleaner::new();
    let formula = "<span class=\"math-container\">";
    for (piece, count) in [
        ("<b>", 100_000),
        ("<a>", 100_000),
        ("<a href='http://a.b'>", 50_000),
        ("<table>", 100_000),
        ("<p><b>", 100_000),
        ("<div>", 100_000),
        ("<ul><li>", 100_000),
        ("<table><tr><td>", 50_000),
        ("<", 100_000),
        ("<!--", 100_000),
        ("&#", 100_000),
        ("<a b='", 100_000),
        ("<a b=\"<", 100_000),
        ("<math>", 100_000),
        ("<a:math></b:math>", 50_000),
        ("<script>", 100_000),
        ("<style><script>", 50_000),
        (formula, 50_000),
        ("<span>", 100_000),
        ("</span>", 100_000),
        ("$", 100_000),
        ("$$", 100_000),
        ("${", 100_000),
        ("$a ", 100_000),
        ("$$a", 99_999),
        ("\\(", 100_000),
        ("\\[", 100_000),
        ("\\begin{align}", 100_000),
        ("\\begin{math}\\begin{equation}", 50_000),
        ("\\begin{", 500_000),
        ("\\begin{align}<p>", 100_000),
        ("\\begin{align}<span class='math-container'>", 30_000),
        ("\\begin{align}<span class='math-container'>x</span>", 30_000),
        ("\\begin{array}\\begin{cases}\\end{array}", 30_000),
        ("\\begin{align}\\begin{align}\\end{align}", 30_000),
        ("\\begin{align}x\\end{align}", 30_000),
        ("\\textbf{", 100_000),
        ("\\newcommand{", 100_000),
        ("\\newcommand{\\a}[1]{", 50_000),
        ("\\item[", 100_000),
        ("\\frac{", 100_000),
        ("<br>\\alpha", 100_000),
        ("$a<em>1$", 50_000),
        ("amp;&", 100_000),
        ("\\", 100_001),
        ("<span class='math-container'><b>", 50_000),
        ("x<span class='math-container'>d</span>", 50_000),
        ("\n", 100_000),
        ("> ", 20_000),
        ("- ", 20_000),
        ("`", 100_000),
        ("[", 50_000),
        ("![", 50_000),
        ("*a_", 50_000),
        ("{", 100_000),
        ("%", 100_000),
        ("\\item", 100_000),
        ("\\emph{", 100_000),
        ("\\begin{itemize}", 100_000),
        ("<![CDATA[", 100_000),
        ("<svg><math>", 50_000),
        ("</p>", 100_000),
        ("<b></i>", 100_000),
        ("$ ", 100_001),
        ("&lt", 100_000),
        ("<textarea>", 100_000),
        ("<!-", 100_000),
        ("</a,", 100_000),
        ("<h1><h2>", 50_000),
        ("\n$", 50_000),
    ] {
        for (markup, part) in
            [(Markup::Html, 1), (Markup::Markdown, 5), (Markup::Latex, 5), (Markup::Text, 5)]
        {
            let input = piece.repeat(count / part);
            let start = std::time::Instant::now();
            let cleaned = cleaner.clean(&input, markup, Dollars::Math);
            assert_eq!(markers(&cleaned.html), cleaned.formulas.len());
            let _ = text(&cleaned.html, |_, out| out.push('F'));
            // Far more than is needed on a busy machine, and far less than a quadratic way would take.
            assert!(start.elapsed().as_secs() < 20, "{piece} {markup:?}: {:?}", start.elapsed());
        }
    }
}
