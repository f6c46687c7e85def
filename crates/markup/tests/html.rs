//! Formulas in HTML, and what becomes of the rest, as tables.

use markup::{Cleaned, Cleaner, Display, Dollars, Markup, Origin, expand, markers};

/// The HTML with formulas written as `[latex]` (`[[latex]]` on lines of their own, `#id` before it), then flaws.
fn show(cleaned: &Cleaned) -> String {
    assert_eq!(markers(&cleaned.html), cleaned.formulas.len());
    let mut line = expand(&cleaned.html, |k, out| {
        let found = &cleaned.formulas[k];
        let (open, close) = if found.display == Display::Block { ("[[", "]]") } else { ("[", "]") };
        let id = found.id.as_ref().map_or_else(String::new, |id| format!("#{id} "));
        out.push_str(&format!("{open}{id}{}{close}", found.latex));
    });
    for flaw in &cleaned.flaws {
        line.push_str(&format!(" !{}", flaw.kind.name()));
    }
    line
}

fn check(dollars: Dollars, cases: &[(&str, &str)]) {
    let mut cleaner = Cleaner::new();
    for (input, expected) in cases {
        let cleaned = cleaner.clean(input, Markup::Html, dollars);
        assert_eq!(show(&cleaned), *expected, "{input}");
    }
}

#[test]
fn spans() {
    check(
        Dollars::Text,
        &[
            (r#"<p>a <span class="math-container" id="7">x</span> b</p>"#, "<p>a [#7 x] b</p>"),
            (r#"<SPAN ID='7' CLASS='big math-container z'>x</SPAN>"#, "[#7 x]"),
            (r#"<span class="math-container">$$x$$</span>"#, "[[x]]"),
            (
                r#"<span class="math-container">\[ x \]</span>, <span class="math-container">\(y\)</span>"#,
                "[[x]], [y]",
            ),
            (r#"<span class="math-container">$ x&nbsp;$</span>"#, "[x]"),
            (
                r#"<span class="math-container">\begin{align}x\end{align}</span>"#,
                r"[[\begin{align}x\end{align}]]",
            ),
            (r#"<span class="math-container">$a&lt;b$</span>"#, "[a<b]"),
            (r#"<span class="math-container">$a&amp;lt;b &amp;amp; c$</span>"#, "[a<b & c] !escaped_twice"),
            (r#"<span class="math-container">f&#39(x)</span>"#, "[f'(x)]"),
            (r#"<span class="math-container">a<em>b</em><br>c</span>"#, "[ab c] !html_in_formula"),
            (r#"<span class="math-container">a<b</span>"#, "[a<b]"),
            (r#"<span class="math-container">$ x\ $</span>y"#, r"[x\ ]y"),
            (r#"<span class="math-container">$ $</span>x"#, "[]x !empty_formula"),
            (r#"<span class="math-container" id="3"></span>x"#, "[#3 ]x !empty_formula"),
            (r#"<p><span class="math-container">x</p><p>y</p>"#, "<p>[x]</p><p>y</p> !unclosed_span"),
            (
                r#"<span class="math-container">x <span class="math-container">y</span> z"#,
                "[x][y] z !unclosed_span",
            ),
            (
                r#"<span class="math-container">x<span class="math-container">y</span>z</span>"#,
                "[xyz] !nested_span",
            ),
            (r#"<span class="math-container">x"#, "[x] !unclosed_span"),
            ("a</span>b", "ab !stray_span_end"),
            ("<span class=c>a</span>b", "<span>a</span>b"),
            (r#"<span="" class="math-container" id="4" not="">x</span>"#, "[#4 x]"),
            (
                r#"s<t, <span="" class="math-container" id="4"><math alttext="2"><mn>2</mn></math> mod"#,
                "s&lt;t, [#4 2] mod !unclosed_span",
            ),
            (r#"A<infinity <span class="math-container">x</span>"#, "A&lt;infinity [x]"),
            (r#"<a title="<span class='math-container'>x</span>">y</a>"#, "<a>y</a>"),
            (
                r#"<table>a<span class="math-container">x</span><tr><td>b</table>"#,
                "<table><tbody><tr><td>a[x]</td></tr><tr><td>b</td></tr></tbody></table>",
            ),
            (
                r#"a<script><span class="math-container" id="5">x</span></script>b"#,
                "ab<p>[#5 x]</p> !unsafe_markup !lost_formula",
            ),
        ],
    );
}

#[test]
fn letters_in_words() {
    let span = |letter: &str| format!(r#"<span class="math-container">${letter}$</span>"#);
    for (text, expected) in [
        ("di{d}n't", "di[d]n't !letter_in_word"),
        ("Tha{n}{k}s a lot", "Tha[n][k]s a lot"),
        ("Tha{n}{k}s a l{o}t", "Tha[n][k]s a l[o]t !letter_in_word !letter_in_word !letter_in_word"),
        ("mea{n}s, proo{f}", "mea[n]s, proo[f]"),
        (
            "mea{n}s, proo{f}, ri{g}ht",
            "mea[n]s, proo[f], ri[g]ht !letter_in_word !letter_in_word !letter_in_word",
        ),
        ("the {n}th, {x}-axis, {x}s", "the [n]th, [x]-axis, [x]s"),
        ("on{m} and inf{E}", "on[m] and inf[E]"),
        ("sup{e}and", "sup[e]and"),
        ("when{n}is", "when[n]is"),
        ("2{n}x", "2[n]x"),
        ("di{dx}n't", "di[dx]n't"),
        (r"di{\alpha}n't", r"di[\alpha]n't"),
        ("the{n}th", "the[n]th"),
    ] {
        let mut input = String::new();
        for part in text.split_inclusive(['{', '}']) {
            match part.strip_suffix('}') {
                Some(letter) => input.push_str(&span(letter)),
                None => input.push_str(part.trim_end_matches('{')),
            }
        }
        check(Dollars::Text, &[(&input, expected)]);
    }
}

#[test]
fn mathml() {
    check(
        Dollars::Text,
        &[
            (r#"<math id="m1" alttext="x&lt;y" display="block"><mi>x</mi></math>"#, "[[#m1 x<y]]"),
            (
                r#"<m:math><m:semantics><m:mi>x</m:mi><m:annotation encoding="application/x-tex">x &amp; y</m:annotation></m:semantics></m:math>."#,
                "[x & y].",
            ),
            ("<math><mi>x</mi></math>", "[]"),
            ("<math><mi>x</mi>", "x !unreadable_mathml"),
            ("<math><mi>x</mi></m:math>", "x !unreadable_mathml"),
        ],
    );
    let source = r#"<m:math id="1"><m:mi>x</m:mi></m:math>"#;
    let cleaned = Cleaner::new().clean(&format!("a{source}b"), Markup::Html, Dollars::Text);
    assert_eq!(cleaned.formulas[0].mathml.as_deref(), Some(source));
    assert_eq!(cleaned.formulas[0].origin, Origin::Math);
}

#[test]
fn dollars() {
    check(
        Dollars::Math,
        &[
            ("<p>Let $x$ and $$y$$ and \\(z\\).</p>", "<p>Let [x] and [[y]] and [z].</p>"),
            ("$a&lt;b$", "[a<b]"),
            ("$a_<em>1 b_</em>2<br>c$", "[a_1 b_2 c] !html_in_formula"),
            ("<p>$x</p><p>y$</p>", "<p>$x</p><p>y$</p>"),
            ("<code>$x$</code><pre>$y$</pre><textarea>$z$</textarea>", "<code>$x$</code><pre>$y$</pre>$z$"),
            ("costs $5 or $10, not \\$3$4$", "costs $5 or $10, not $3[4]"),
            (r#"<a href="http://a.b/$x$">$y$</a>"#, r#"<a href="http://a.b/$x$">[y]</a>"#),
            (r"\begin{align}a&amp;=b\\c&amp;=d\end{align}", r"[[\begin{align}a&=b\\c&=d\end{align}]]"),
            (r"\(\)", " !empty_formula"),
            (r#"<span class="math-container">$x$</span> $y$"#, "[x] [y]"),
        ],
    );
    check(
        Dollars::Text,
        &[
            ("Let $x$ be $5 or \\$6.", "Let $x$ be $5 or \\$6. !bare_formula"),
            (r"\[x\]", r"\[x\] !bare_formula"),
        ],
    );
}

#[test]
fn formulas_that_lost_their_spans() {
    let span = r#"<span class="math-container" id="7">$x$</span>"#;
    let with_spans = [
        // An environment takes the formulas of its text with it; they keep their ids and follow it.
        (
            r"\begin{align}a&amp;=b\text{ if SPAN}\end{align} c",
            r"[[\begin{align}a&=b\text{ if $x$}\end{align}]][#7 x] c !html_in_formula !bare_formula !nested_span",
        ),
        ("SPAN, $y = 1$ and SPAN", "[#7 x], [y = 1] and [#7 x] !bare_formula"),
        // Dollars do not reach over a span.
        ("$a SPAN b$", "$a [#7 x] b$"),
        (r"$\alpha \SPAN i$", r"$\alpha \[#7 x] i$"),
        (r"$\alphSPAN \le b$", r"$\alph[#7 x] [\le b] !bare_formula"),
        (r"$\alphaSPANi\beta$", r"$\alpha[#7 x]i\beta$ !letter_in_word"),
        (r"<p>SPAN \le SPAN</p>", r"<p>[#7 x] [\le] [#7 x]</p> !bare_formula"),
    ];
    for (input, expected) in with_spans {
        check(Dollars::Stray, &[(&input.replace("SPAN", span), expected)]);
    }
    check(
        Dollars::Stray,
        &[
            (
                "Let $x$ and $$y$$ and \\(z\\).",
                "Let [x] and [[y]] and [z]. !bare_formula !bare_formula !bare_formula",
            ),
            ("It costs $5 and $10, not 5$ + 6$ or \\$7.", "It costs $5 and $10, not 5$ + 6$ or $7."),
            (
                "with $y=2^x $ and$ x=2y$ and $f(x) $ but $5 (cash) $",
                "with [y=2^x] and[x=2y] and [f(x)] but $5 (cash) $ !bare_formula !bare_formula !bare_formula",
            ),
            (
                "<code>$x$ \\frac{a}{b}</code> `$y$` <pre>\\begin{align}z\\end{align}</pre>",
                "<code>$x$ \\frac{a}{b}</code> `$y$` <pre>\\begin{align}z\\end{align}</pre>",
            ),
            ("Yes!${}{}$ No. $ $", "Yes! No.  !empty_formula !empty_formula"),
            ("?q=$%7Bx%5Ey=1%7D$", "?q=$%7Bx%5Ey=1%7D$"),
            (
                r"\begin{eqnarray*}a&amp;=&amp;b\end{eqnarray*}.",
                r"[[\begin{eqnarray*}a&=&b\end{eqnarray*}]]. !bare_formula",
            ),
            (r"so \begin {cases}a\\b\end {cases}", r"so [[\begin {cases}a\\b\end {cases}]] !bare_formula"),
            // Environments inside others of the same name, over the end of a paragraph, and not closed.
            (
                r"\begin{array}{c}\begin{array}{c}a\end{array}\end{array}b",
                r"[[\begin{array}{c}\begin{array}{c}a\end{array}\end{array}]]b !bare_formula",
            ),
            (
                r"<p>\begin{gather}a\\</p> <p>b\end{gather} c</p>",
                r"<p>[[\begin{gather}a\\   b\end{gather}]] c</p> !html_in_formula !bare_formula",
            ),
            (
                r"<p>\begin{align}a</p><p>\begin{align}b\end{align}</p>",
                r"<p>\begin{align}a</p><p>[[\begin{align}b\end{align}]]</p> !bare_formula",
            ),
            (r"between \begin{align} and \end{align}", r"between \begin{align} and \end{align}"),
            // No delimiters at all.
            (r"<p>\frac{a}{b}=c</p>", r"<p>[[\frac{a}{b}=c]]</p> !bare_formula"),
            (r"<li>\sqrt{\pi}$</li>", r"<li>[\sqrt{\pi}]</li> !bare_formula"),
            (r"Use \sim here.", r"Use \sim here."),
            // What Markdown, HTML and converters do to formulas.
            ("$a<em>1 + b</em>2$", "[a_1 + b_2] !html_in_formula !bare_formula"),
            ("$a &amp;lt; b$", "[a < b] !escaped_twice !bare_formula"),
            (
                r#"<span class="math-container">$a&amp;\displaystyle amp;=b&amp;\displaystyle lt;c$</span>"#,
                r"[a&\displaystyle =b<c] !escaped_twice",
            ),
            (r#"<span class="math-container">$x&lt;/p&gt;&lt;p&gt;y$</span>"#, "[x  y] !html_in_formula"),
            (r#"<span class="math-container">$&lt;/p&gt;&lt;p&gt;$</span>"#, "[{}] !html_in_formula"),
            (r#"<span class="math-container">$a&lt;p&gt;b$</span>"#, "[a<p>b]"),
        ],
    );
}

#[test]
fn commands_of_text() {
    check(
        Dollars::Stray,
        &[
            (r"By \eqref{1} and \ref{b}", "By (1) and [b]"),
            (r"they \textbf{exist}, \emph{all}", "they <strong>exist</strong>, <em>all</em>"),
            (r"\begin{itemize} \item a \item[b] c\end{itemize}", " <br>•  a <br>• b c"),
            (r"\begin{proof} x\end{proof}", "<b>Proof</b> x"),
            (r"\newcommand{\R}{\mathbb{R}} x\label{y} a, \dots, b", " x a, …, b"),
            (r"`\textbf{a}` and\or C:\new \m/", r"`\textbf{a}` and\or C:\new \m/"),
            (r"<code>\textbf{a}</code>", r"<code>\textbf{a}</code>"),
        ],
    );
    check(Dollars::Text, &[(r"By \eqref{1} \textbf{x}", r"By \eqref{1} \textbf{x}")]);
}

#[test]
fn safe() {
    check(
        Dollars::Text,
        &[
            ("<p class=a id=b>x</p>", "<p>x</p>"),
            ("<p onclick='a()'>x</p>", "<p>x</p> !unsafe_markup"),
            ("<p style='a'>x</p>", "<p>x</p> !unsafe_markup"),
            ("<script>a()</script>x<style>b</style>", "x !unsafe_markup"),
            ("<script>x", "x !unsafe_markup"),
            ("<scr<script>ipt>a</script>", "&lt;scr !unsafe_markup"),
            ("<iframe src=x>a</iframe>b", "b !unsafe_markup"),
            ("<svg onload=a()><b>x", "<b>x</b> !unsafe_markup"),
            ("<a href='javascript:a()'>x</a>", "<a>x</a> !unsafe_markup"),
            ("<a href='java\tscript&colon;a()'>x</a>", "<a>x</a> !unsafe_markup"),
            ("<a href='/q/1'>x</a>", "<a>x</a>"),
            (
                "<a href='http://a.b/?c=d&amp;e=\"' rel=nofollow>x</a>",
                "<a href=\"http://a.b/?c=d&amp;e=&quot;\">x</a>",
            ),
            ("<a href='mailto:a@b.c'>x</a>", "<a href=\"mailto:a@b.c\">x</a>"),
            ("<img src='http://a.b/c.png' alt='<b>'>", "<a href=\"http://a.b/c.png\">[image: &lt;b&gt;]</a>"),
            ("<img src=c.png alt=d>", "[image: d]"),
            ("<a href=http://a.b><img src=http://a.b/c></a>", "<a href=\"http://a.b\">[image]</a>"),
            ("<img src=data:x alt=d>", "[image: d] !unsafe_markup"),
            ("a<!-- b -->c<!--d", "ac&lt;!--d"),
            ("<!DOCTYPE html><?xml a?>x", "x"),
            ("a < b > c & d &amp; e &copy; &nbsp;f", "a &lt; b &gt; c &amp; d &amp; e © &nbsp;f"),
            ("<font color=red>x</font><custom-tag>y</custom-tag>", "xy"),
            ("\u{FDD0}0\u{FDD1}&#xFDD0;\u{FEFF}\0x", "0x"),
        ],
    );
}

#[test]
fn balanced() {
    check(
        Dollars::Text,
        &[
            ("<p>a<p>b", "<p>a</p><p>b</p>"),
            ("<ul><li>a<li>b</ul>c", "<ul><li>a</li><li>b</li></ul>c"),
            ("<b>a<i>b</b>c</i>", "<b>a<i>b</i></b>c"),
            ("<p><b>a<div>c</div>", "<p><b>a</b></p><div>c</div>"),
            ("</p>a</b>", "a"),
            (
                "<a href=http://a.b>a<a href=http://c.d>b</a>",
                "<a href=\"http://a.b\">a</a><a href=\"http://c.d\">b</a>",
            ),
            ("<h1>a<h2>b</h1>c", "<h1>a</h1><h2>b</h2>c"),
            (
                "<table><tr><td>a<td>b<tr><td>c</table>",
                "<table><tbody><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></tbody></table>",
            ),
            ("<tr><td>a</td></tr>", "a"),
            ("<pre>\n\na\r\nb</pre>", "<pre>a\nb</pre>"),
            ("a<br/>b</br>c<hr>", "a<br>b<br>c<hr>"),
            ("<div>a", "<div>a</div>"),
        ],
    );
}

#[test]
fn long_texts_are_cut() {
    let text = "é".repeat(3 << 20);
    let cleaned = Cleaner::new().clean(&text, Markup::Html, Dollars::Math);
    assert_eq!(cleaned.html.len(), 4 << 20);
    assert_eq!(cleaned.flaws[0].kind.name(), "too_long");
}
