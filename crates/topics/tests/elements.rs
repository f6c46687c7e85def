//! Which mathematical elements formulas contain.

use topics::elements::{Element, elements};

fn check(latex: &str, expected: &str) {
    assert_eq!(elements(&latex::parse(latex).tree).to_string(), expected, "{latex}");
}

#[test]
fn formulas_have_the_elements_that_their_layout_shows() {
    check("", "Plain");
    check("a+b=c", "Plain");
    check("x^2+y^2=z^2", "Plain");
    check(r"\int_0^\infty e^{-x^2}dx", "Integral");
    check(r"\oint_\gamma f", "Integral");
    check(r"\lim_{n\to\infty} a_n", "Limit");
    check(r"\limsup a_n", "Limit");
    check(r"\sum_{k=1}^n k", "Sum");
    check(r"\prod_{p} (1-p)", "Product");
    check(r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", "Matrix");
    check(r"\left[\begin{array}{cc}a&b\\c&d\end{array}\right]", "Matrix");
    check(r"\begin{cases}1&x\\0&y\end{cases}", "Cases");
    check(r"\left\{\begin{array}{c}x+y=1\\x-y=2\end{array}\right.", "Cases");
    check(r"\begin{align}a&=b\\c&=d\end{align}", "Plain");
    check(r"\binom{n}{k}", "Binomial");
    check(r"\frac12", "Fraction");
    check(r"\sqrt[3]{2}", "Root");
    check(r"x\in A\cup B", "Set");
    check(r"\{1,2,3\}", "Set");
    check(r"\left\{1,2\right\}", "Set");
    check(r"\forall x\,\exists y", "Logic");
    check(r"p\implies q", "Logic");
    check(r"a\le b<c", "Inequality");
    check(r"a\equiv b\pmod{n}", "Congruence");
    check(r"\sin x", "Function");
    check(r"\max(a,b)", "Function");
}

#[test]
fn derivatives_are_told_from_fractions_and_accents() {
    check(r"\frac{dy}{dx}", "Derivative");
    check(r"\frac{d^2y}{dx^2}", "Derivative");
    check(r"\frac{\mathrm{d}}{\mathrm{d}x}", "Derivative");
    check(r"\frac{\partial f}{\partial x}", "Derivative");
    check(r"\frac{a}{d}", "Fraction");
    check("f'(x)", "Derivative");
    check("y''+y=0", "Derivative");
    check("x'(t)", "Derivative");
    check("A'", "Plain");
    check(r"\dot x", "Derivative");
    check(r"\hat x", "Plain");
    check(r"\nabla u", "Derivative");
}

#[test]
fn the_leading_element_is_the_first_in_the_order_of_the_rule() {
    let latex = r"\frac{1}{n}\sum_{k}\sin k\le\int_0^1\sqrt{x}\,dx";
    check(latex, "Integral Sum Root Inequality Fraction Function");
    let found = elements(&latex::parse(latex).tree);
    assert_eq!(found.leading(), Element::Integral);
    assert!(found.has(Element::Root) && !found.has(Element::Limit) && !found.has(Element::Plain));
    for element in Element::ALL {
        assert_eq!(Element::from_name(&element.name().to_lowercase()), Some(element));
    }
}

#[test]
fn hostile_formulas_have_elements_too() {
    for piece in ["(", "^", r"\frac", "{", r"\left\{", r"\sqrt{", "x^{", r"\begin{matrix}", "f'("] {
        let _ = elements(&latex::parse(&piece.repeat(50_000 / piece.len())).tree);
    }
}
