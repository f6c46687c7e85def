//! What normalised LaTeX looks like, and that it is stable.

use super::*;
use expect_test::expect;
use proptest::prelude::*;

fn normal(source: &str) -> String {
    write_latex(&latex::parse(source).tree)
}

fn check(source: &str, expected: &str) {
    let once = normal(source);
    assert_eq!(once, expected, "{source}");
    assert_eq!(normal(&once), once, "{source} is not stable");
}

#[test]
fn groups_behind_an_unknown_command_stay() {
    check(r"\foo{ab}{cd}", r"\foo{ab}{cd}");
    check(r"\roof{x/3}+{y}", r"\roof{x/3}+y");
    check(r"\foo\mathbf{x}", r"\foo{\mathbf{x}}");
}

#[test]
fn scripts_in_one_order() {
    check("x^2_i", "x_i^2");
    check("x^{a}_{bc}", "x_{bc}^a");
    check("x^{12}", "x^{12}");
    check("x^12", "x^12");
    check(r"x_\alpha y", r"x_\alpha y");
    check("f'", "f'");
    check("f''^2", "f''^2");
    check("f^{2}'", "f^2'");
    check("f'_1", "f_1'");
    check("x^{'}", "x^{{}'}");
    check("{}_a^b", "{}_a^b");
    check("^2", "{}^2");
    check("x_1_2", "{x_1}_2");
    check("x²", "x^2");
    check(r"\sum\limits_a^b", r"\sum\limits_a^b");
    check(r"\sum_{i=1}^n", r"\sum_{i=1}^n");
    check("1 2^3", "1{2}^3");
    check(r"\hat'", r"\hat{{}'}");
}

#[test]
fn fractions_in_one_spelling() {
    check(r"{n\over m}", r"\frac{n}{m}");
    check(r"\frac12", r"\frac{1}{2}");
    check(r"n\choose k", r"\binom{n}{k}");
    check(r"a\atop b", r"\genfrac{}{}{0pt}{}{a}{b}");
    check(r"\dfrac ab", r"\dfrac{a}{b}");
    check(r"\root 3 \of x", r"\sqrt[3]{x}");
    check(r"\sqrt[n+1]x", r"\sqrt[{n+1}]{x}");
}

#[test]
fn symbols_have_one_name() {
    check("≤", r"\leq");
    check(r"a\le b", r"a\leq b");
    check(r"a\not=b", r"a\neq b");
    check(r"\lt", "<");
    check("ℝ", r"\mathbb{R}");
    check(r"\alpha\beta x", r"\alpha\beta x");
    check(r"\operatorname{sin}x", r"\sin x");
    check(r"\operatorname{foo}x", r"\operatorname{foo}x");
    check(r"\operatorname*{foo\,bar}", r"\operatorname*{foo\ bar}");
    check(r"\#\$\%\&\_\{\}", r"\#\$\%\&\_\{\}");
    check(r"\foo x", r"\foo x");
    check(r"a \bmod b \pmod n", r"a\bmod b\pmod{n}");
}

#[test]
fn braces_only_where_they_are_seen() {
    check("{{x}}", "x");
    check("{a+b}c", "a+bc");
    check("1{,}000", "1{,}000");
    check("a{=}b", "a{=}b");
    check(r"{\displaystyle x}y", r"{\displaystyle x}y");
    check(r"\mathbf{a}\mathbf{b}", r"\mathbf{ab}");
    check(r"\mathbf{x_1}", r"\mathbf{x}_{\mathbf{1}}");
    check(r"{\bf x}y", r"\mathbf{x}y");
    check(r"\mathbf{+}", r"\mathbf{+}");
    check(r"\textcolor{red}{x}y", r"{\color{red}x}y");
}

#[test]
fn delimiters_and_tables() {
    check(r"\left(x\right.", r"\left(x\right.");
    check(r"\left<x\middle|y\right>", r"\left\langle x\big|y\right\rangle");
    check(r"\left(\begin{array}{cc}a&b\end{array}\right)", r"\begin{pmatrix}a & b\end{pmatrix}");
    check(r"\begin{array}{l|r}a&b\end{array}", r"\begin{array}{l|r}a & b\end{array}");
    check(r"\begin{align}a&=b\\[2pt]&=c\end{align}", r"\begin{aligned}a & =b\\  & =c\end{aligned}");
    check(r"\cases{a&b\cr c&d}", r"\begin{cases}a & b\\ c & d\end{cases}");
    check(r"\substack{a\\b}", r"\substack{a\\ b}");
    check(r"a & b", r"\begin{aligned}a & b\end{aligned}");
    check(r"\matrix{a\\ [x]}", r"\begin{matrix}a\\ {}[x]\end{matrix}");
    check(r"\xrightarrow[a]{b}", r"\xrightarrow[a]{b}");
    check(r"\overset{a}{\to}", r"\overset{a}{\rightarrow}");
}

#[test]
fn text_and_what_could_not_be_read() {
    check(r"\text{if $x$ or \{}", r"\text{if }x\text{ or \{}");
    check(r"\mbox{a  b}", r"\text{a b}");
    check(r"\text{a_b^c~d%}", r"\text{a\_b\textasciicircum{}c d}");
    check("a}", r"a\text{\}}");
    check(r"\ce{H2O}", r"\ce{H2O}");
    check(r"\tag{1}", r"\tag{1}");
    check(r"\qvar{x}", r"\qvar{x}");
}

#[test]
fn the_whole_of_a_longer_one() {
    let source = r"\def\d{\mathrm d}\int\limits^{\infty}_{0} {{\sin x} \over {x}}\,\d x = {\pi\over2}";
    expect![[r"\int\limits_0^\infty\frac{\sin x}{x}\,\mathrm{d}x=\frac{\pi}{2}"]].assert_eq(&normal(source));
}

/// Pieces that LaTeX is made of, in any order.
fn latex_like() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "x",
        "y",
        "1",
        "2",
        ".",
        ",",
        "+",
        "-",
        "=",
        "(",
        ")",
        "[",
        "]",
        "|",
        "{",
        "}",
        "{}",
        "^",
        "_",
        "'",
        "&",
        " ",
        "~",
        "\\\\",
        "\\frac",
        "\\sqrt",
        "\\left(",
        "\\right)",
        "\\right.",
        "\\middle|",
        "\\over",
        "\\sum",
        "\\int",
        "\\limits",
        "\\sin",
        "\\lim",
        "\\alpha",
        "\\mathbf",
        "\\mathrm",
        "\\bf",
        "\\text{a b}",
        "\\text{",
        "\\hat",
        "\\overline",
        "\\underbrace",
        "\\overset",
        "\\xrightarrow",
        "\\begin{matrix}",
        "\\end{matrix}",
        "\\begin{cases}",
        "\\end{cases}",
        "\\begin{align}",
        "\\end{align}",
        "\\begin{array}{c|l}",
        "\\end{array}",
        "\\substack",
        "\\not",
        "\\operatorname",
        "\\mathop",
        "\\displaystyle",
        "\\color{red}",
        "\\,",
        "\\!",
        "\\quad",
        "\\big",
        "\\Bigl",
        "\\binom",
        "\\phantom",
        "\\boxed",
        "\\cancel",
        "\\foo",
        "\\ce{H_2}",
        "\\tag{1}",
        "$",
        "%",
        "#",
        "&lt;",
        "&amp;",
        "\\%",
        "\\{",
        "\\}",
        "²",
        "′",
        "ℝ",
        "≤",
        "é",
        "\u{200b}",
        "\\'e",
        "\\qvar{x}",
        "\\prescript",
        "\\pmod",
        "\\bmod",
        "\\sideset",
        "\\stackrel",
        "\\hspace{1em}",
        "\\unicode{x7e}",
        "\\mathbb",
        "\\genfrac",
        "\\root",
        "\\of",
        "\\def\\a#1{#1x}",
        "\\a",
        "*",
        "<",
        ">",
        "/",
        "\\|",
        "\\vert",
        "\\verb|x|",
        "\\enclose{box}",
    ]);
    prop::collection::vec(pieces, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn writing_is_stable_on_pieces(source in latex_like()) {
        let once = normal(&source);
        let twice = normal(&once);
        prop_assert_eq!(&twice, &once, "{}", source);
    }

    #[test]
    fn writing_is_stable_on_anything(source in any::<String>()) {
        let once = normal(&source);
        prop_assert_eq!(&normal(&once), &once);
    }
}
