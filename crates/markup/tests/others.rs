//! Markdown, LaTeX and plain text, and cleaned HTML as text, as tables.

use markup::{Cleaner, Dollars, Markup, expand, text};

fn check(markup: Markup, cases: &[(&str, &str)]) {
    let mut cleaner = Cleaner::new();
    for (input, expected) in cases {
        let cleaned = cleaner.clean(input, markup, Dollars::Math);
        let shown = expand(&cleaned.html, |k, out| out.push_str(&format!("[{}]", cleaned.formulas[k].latex)));
        // Blanks between blocks do not matter.
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace("> <", "><");
        assert_eq!(flat(&shown), flat(expected), "{input}");
    }
}

#[test]
fn markdown() {
    check(
        Markup::Markdown,
        &[
            ("A *b* **c** $a_1 * b_1 * c$", "<p>A <em>b</em> <strong>c</strong> [a_1 * b_1 * c]</p>"),
            (r"$$\begin{matrix}a\\b\end{matrix}$$", r"<p>[\begin{matrix}a\\b\end{matrix}]</p>"),
            ("`$x$` $y$", "<p><code>$x$</code> [y]</p>"),
            ("```\n$x$\n```\n$y$", "<pre><code>$x$\n</code></pre>\n<p>[y]</p>"),
            ("a\n\n    $x$\n\n$y$", "<p>a</p>\n<pre><code>$x$\n</code></pre>\n<p>[y]</p>"),
            (r"costs \$5 and \$6", "<p>costs $5 and $6</p>"),
            ("# T $x$\n\n- a\n- b", "<h1>T [x]</h1>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
            (
                "[a](http://b.c) ![$x$](http://d.e)",
                "<p><a href=\"http://b.c\">a</a> <a href=\"http://d.e\">[image: [x]]</a></p>",
            ),
            ("a <b onclick=x>c</b> <span class='math-container'>z</span> $y$", "<p>a <b>c</b> [z] [y]</p>"),
            ("[a](javascript:b)", "<p><a>a</a></p>"),
            (
                "|a|b|\n|-|-|\n|$x$|d|",
                "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>\n<tr><td>[x]</td><td>d</td></tr>\n</tbody></table>",
            ),
        ],
    );
}

#[test]
fn latex() {
    check(
        Markup::Latex,
        &[
            ("a $x$ b\n\nc \\(y\\)", "<p>a [x] b</p>\n\n<p>c [y]</p>"),
            (
                "\\documentclass{a}\n\\title{T $x$}\n\\begin{document}\n\\maketitle\na\n\\end{document} z",
                "<h1>T [x]</h1>\n<p>a\n</p>",
            ),
            ("\\section{A}\\label{s}b\\subsection*{C}", "<h2>A</h2><p>b</p>\n<h3>C</h3>"),
            ("a% b $x$\nc 5\\% d", "<p>ac 5% d</p>"),
            (
                "\\begin{itemize}\n\\item a\n\\item[b] $x$\n\\end{itemize}",
                "<ul>\n\n<li> a\n</li>\n<li><b>b</b>  [x]\n</li>\n</ul>",
            ),
            ("\\emph{a \\textbf{b}} {\\it c}", "<p><em>a <strong>b</strong></em> c</p>"),
            ("``a'' `b' c--d---e~f", "<p>“a” ‘b’ c–d—e&nbsp;f</p>"),
            (
                "Poincar\\'e, Erd\\H{o}s, G\\\"{o}del, \\v{C}ech, na\\\"{\\i}ve, \\O ystein, \\c{c}a",
                "<p>Poincaré, Erdős, Gödel, Čech, naïve, Øystein, ça</p>",
            ),
            (r"\# \& \_ \{ \} \$ <", "<p># &amp; _ { } $ &lt;</p>"),
            (
                "\\begin{theorem}[Euler]\\label{a}Let $x$.\\end{theorem}\\begin{proof}b\\end{proof}",
                "<p><b>Theorem (Euler).</b> Let [x].</p>\n<p><b>Proof.</b> b</p>",
            ),
            ("\\begin{align*}a&=b\\end{align*}", "<p>[\\begin{align*}a&=b\\end{align*}]</p>"),
            (r"\foo{a} \bar b \newcommand{\x}[1]{$y$}z $x$", "<p>a b z [x]</p>"),
            (
                r"\verb|$x$| \href{http://a.b}{c} \footnote{d}",
                "<p><code>$x$</code> <a href=\"http://a.b\">c</a>  (d)</p>",
            ),
            ("\\begin{verbatim}\n$x$ <\n\\end{verbatim}a", "<pre>$x$ &lt;\n</pre>\n<p>a</p>"),
            ("$ 5 and 6 $", "<p>[5 and 6]</p>"),
        ],
    );
}

#[test]
fn plain() {
    check(
        Markup::Text,
        &[
            ("a <b>\nc\n\n\nd &amp;", "<p>a &lt;b&gt;<br>\nc</p>\n<p>d &amp;amp;</p>"),
            ("Let $x<y$ be \\$5.", "<p>Let [x<y] be $5.</p>"),
            ("<script>a</script>", "<p>&lt;script&gt;a&lt;/script&gt;</p>"),
            ("", ""),
        ],
    );
}

#[test]
fn as_text() {
    let mut cleaner = Cleaner::new();
    for (html, expected) in [
        ("<p>a  b\n c</p><p>d $x$e</p>", "a b c\nd Fe"),
        ("<ul><li>a<li>b <b>c</b></ul>d", "- a\n- b c\nd"),
        ("a<br>b<hr>c", "a\nb\nc"),
        ("a &lt;b&gt; &amp;amp;&nbsp;c", "a <b> &amp; c"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "a b\nc"),
        ("<pre>a\n  b</pre>c", "a\n  b\nc"),
        ("<ol><li>a<ul><li>b</ul></ol>", "- a\n- b"),
        ("x<sub>1</sub>", "x1"),
        ("", ""),
    ] {
        let cleaned = cleaner.clean(html, Markup::Html, Dollars::Math);
        assert_eq!(text(&cleaned.html, |_, out| out.push('F')), expected, "{html}");
    }
}
