//! Formulas and their lines.

use super::*;

fn check(source: &str, expected: &str) {
    assert_eq!(write_text(&latex::parse(source).tree), expected, "{source}");
}

#[test]
fn blanks_around_operators() {
    check("a^2+b^2=c^2", "a² + b² = c²");
    check("-x", "−x");
    check("(-x)", "(−x)");
    check("a=-b", "a = −b");
    check("f(x,y)", "f(x, y)");
    check(r"2\sin x", "2 sin x");
    check(r"\sin(x)", "sin(x)");
    check(r"\sin^2x", "sin² x");
    check(r"A\to B", "A → B");
    check("n!", "n!");
    check("a/b", "a/b");
    check(r"a\quad b", "a b");
}

#[test]
fn scripts() {
    check("x_i", "xᵢ");
    check("x^{n+1}", "xⁿ⁺¹");
    check("x_{i,j}", "x_(i,j)");
    check(r"e^{i\pi}", "e^(iπ)");
    check("x^{2^n}", "x^(2ⁿ)");
    check("f''", "f″");
    check("f'^2", "f′²");
    check(r"\sum_{i=1}^n i", "∑ᵢ₌₁ⁿ i");
    check(r"\lim_{x\to 0}f(x)", "lim_(x→0) f(x)");
    check(r"x^\infty y", "x^∞ y");
    check(r"x^{(\pi q)}", "x^(πq)");
    check(r"\prescript{14}{6}{C}", "¹⁴₆C");
}

#[test]
fn fractions_and_roots() {
    check(r"\int_0^\infty \frac{\sin x}{x} dx", "∫₀^∞ sin x / x dx");
    check(r"\frac{a+b}{c}", "(a + b) / c");
    check(r"\frac{a}{bc}", "a / (bc)");
    check(r"\frac12x", "(1 / 2) x");
    check(r"x+\frac12", "x + 1 / 2");
    check(r"\left(\frac ab\right)^2", "(a / b)²");
    check(r"{\frac ab}^2", "(a / b)²");
    check(r"\frac1{\frac2x}", "1 / (2 / x)");
    check(r"e^{\frac{1}{2}}", "e^(1/2)");
    check(r"\frac{1}{(a+b)}", "1 / (a + b)");
    check(r"\binom nk", "C(n, k)");
    check(r"\sqrt x", "√x");
    check(r"\sqrt{a+b}", "√(a + b)");
    check(r"\sqrt[3]x", "∛x");
    check(r"\sqrt[n]{x^2}", "ⁿ√(x²)");
}

#[test]
fn accents_fonts_and_text() {
    check(r"\bar x", "x\u{304}");
    check(r"\hat{ab}", "hat(ab)");
    check(r"\vec v", "v\u{20d7}");
    check(r"\mathbb R", "ℝ");
    check(r"\mathbf x", "𝐱");
    check(r"x\text{ if }y", "x if y");
    check(r"x\text{if}y", "x if y");
    check(r"\not R", "R\u{338}");
}

#[test]
fn tables() {
    check(r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", "(a b; c d)");
    check(r"\left(\begin{array}{c|c}1&2\end{array}\right)", "(1 2)");
    check(r"\begin{matrix}a+1&b\\c&d\end{matrix}", "[a+1 b; c d]");
    check(r"\begin{cases}x&\text{if }x>0\\0&\text{otherwise}\end{cases}", "{ x if x > 0; 0 otherwise }");
    check(r"\begin{align}a&=b\\&=c\end{align}", "a = b; = c");
    check(r"\sum_{\substack{i<n\\j<m}}x", "∑_(i<n, j<m) x");
}

#[test]
fn terminals_are_safe() {
    for source in ["\\text{a\u{1b}[31mb\u{202e}c}", "\u{1b}x", "\\tag{\u{9b}31m}", "\\qvar{\u{7}}"] {
        let line = write_text(&latex::parse(source).tree);
        assert!(!line.contains(|c: char| c.is_control() || c == '\u{202e}'), "{line:?}");
    }
    check(r"\foo x", r"\foo x");
}
