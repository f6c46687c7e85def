//! How complex formulas are, and that the measure behaves.

use topics::Level::{self, High, Low, Medium};
use topics::complexity::{Measure, measure};

fn of(latex: &str) -> Measure {
    measure(&latex::parse(latex).tree)
}

fn check(latex: &str, expected: (u32, u32, u32), level: Level) {
    let measure = of(latex);
    assert_eq!((measure.signs, measure.structures, measure.depth), expected, "{latex}");
    assert_eq!(measure.level(), level, "{latex}: {} points", measure.points());
}

#[test]
fn formulas_have_their_level() {
    check("", (0, 0, 0), Low);
    check(r"\quad", (0, 0, 0), Low);
    check("x", (1, 0, 0), Low);
    check("12.5", (1, 0, 0), Low);
    check("x+y", (3, 0, 0), Low);
    check("f(x)", (4, 0, 0), Low);
    check("f'", (2, 0, 0), Low);
    check("f''(x)", (6, 0, 0), Low);
    check("x^2", (2, 1, 1), Low);
    check("x_1", (2, 1, 1), Low);
    check(r"\mathbb{R}", (1, 0, 0), Low);
    check(r"\mathbb{R}^n", (2, 1, 1), Low);
    check(r"\sin x", (2, 1, 0), Low);
    check(r"\hat x", (1, 1, 0), Low);
    check(r"n \times n", (3, 0, 0), Low);
    check("[x,y]=x", (7, 0, 0), Low);
    check(r"\text{if } x", (2, 0, 0), Low);
    check(r"\frac12", (2, 1, 1), Low);
    check(r"\sqrt 2", (1, 1, 1), Low);
    check(r"\phantom{abcdef} x", (1, 0, 0), Low);
    check("x^2+y^2", (5, 2, 1), Low);
    check("x_i^2", (3, 2, 1), Low);
    check(r"\sqrt[3]{x}", (2, 1, 1), Low);
    check(r"\binom{n}{k}", (2, 1, 1), Low);
    check(r"\left(\frac12\right)", (4, 1, 1), Low);
    check("x^2+y^2=z^2", (8, 3, 1), Medium);
    check("e^{x^2}", (3, 2, 2), Low);
    check(r"\lim_{n\to\infty} a_n", (6, 3, 1), Low);
    check(r"\sum_{n=1}^\infty \frac1{n^2}", (8, 5, 2), Medium);
    check(r"\int\frac{1}{(x^2+1)^n}dx", (11, 4, 2), Medium);
    check(r"\frac{\sqrt{1-p^2}}{2\pi(1-2p\sin(\phi)\cos(\phi))}", (20, 5, 3), High);
    check(r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", (6, 2, 1), Low);
    check(r"x^{2^{2^{2}}}", (4, 3, 3), Medium);
    check(r"\int_0^\infty \frac{\sin(x^2)}{x^2+\sqrt{x}}\,dx = \sum_{k} a_k", (19, 11, 2), High);
    check(r"\unknowncommand", (1, 0, 0), Low);
}

#[test]
fn nesting_makes_formulas_more_complex() {
    for inner in ["x", "x+1", r"\frac ab", r"\sqrt{x_1}", r"\sum_{k=1}^n k^2", "(", ""] {
        let before = of(inner).points();
        for (open, close) in
            [(r"\frac{", "}{2}"), (r"\sqrt{", "}+1"), ("x^{", "}"), ("(", ")"), (r"\sin\left(", r"\right)")]
        {
            let nested = format!("{open}{inner}{close}");
            assert!(of(&nested).points() > before, "{nested}");
        }
    }
    let mut latex = "x".to_owned();
    for _ in 0..20 {
        let before = of(&latex).points();
        latex = format!(r"\frac{{1}}{{1+{latex}}}");
        assert!(of(&latex).points() > before);
    }
}

#[test]
fn hostile_formulas_are_measured() {
    for piece in ["(", "^", r"\frac", "{", r"\left(", r"\sqrt{", "x^{", r"\begin{matrix}"] {
        let _ = of(&piece.repeat(100_000 / piece.len()));
    }
}
