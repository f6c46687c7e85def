//! Texts made to take forever, to overflow or to panic.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use claims::{Limits, Status, check};
use proptest::prelude::*;

fn outcomes(text: &str) -> Vec<Status> {
    check(text, &[], Limits::default(), &mut || true).into_iter().map(|claim| claim.status).collect()
}

#[test]
fn what_cannot_be_computed_is_given_up() {
    for claim in [
        "9^{9^{9^{9}}}=1",
        "((((9!)!)!)!)!=1",
        "\\sum_{k=1}^{10^{9}}\\frac{1}{k}=1",
        "\\sum_{k=1}^{10^{18}}k!=1",
        "\\binom{10^{9}}{5\\cdot 10^{8}}=1",
        "\\int_0^1\\int_0^1\\int_0^1\\int_0^1 e^{xyzw}\\,dx\\,dy\\,dz\\,dw=1",
        "\\lim_{x\\to 0}\\sum_{n=1}^\\infty\\sum_{m=1}^\\infty\\frac{x}{n^2m^2}=1",
        "2^{10^{100}}\\equiv 1\\pmod{10^{3000}+1}",
        "\\prod_{n=1}^\\infty\\prod_{m=1}^\\infty\\left(1+\\frac{1}{n^2m^2}\\right)=1",
        "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}^{10^{9}}=1",
        "\\frac{1}{0}=1",
        "0^0=2",
        "\\infty-\\infty=1",
        "\\int_{-1}^{1}\\frac{1}{x^2}dx=-2",
        "\\sum_{n=1}^\\infty\\frac1n=5",
        "\\lim_{x\\to 0}\\frac1x=1",
    ] {
        let found = outcomes(&format!("${claim}$"));
        assert_eq!(found, [Status::NotCheckable], "{claim}");
    }
}

#[test]
fn deep_nesting_and_long_texts_end() {
    let nested = |open: &str, close: &str| format!("${}x{}=1$", open.repeat(300), close.repeat(300));
    for (open, close) in
        [("(", ")"), ("\\sqrt{", "}"), ("\\frac{1}{", "}"), ("\\sin(", ")"), ("-", ""), ("{2^", "}")]
    {
        let _ = outcomes(&nested(open, close));
    }
    // A definition that grows with each use.
    let mut text = "Let $f(x)=x^x+\\sin x$. ".to_owned();
    text.push_str(
        "Let $g(x)=f(f(f(f(f(x)))))$. Let $h(x)=g(g(g(x)))$. Then $h''''(2)=1$ and $f(x)=g(h(x))$.",
    );
    assert!(!outcomes(&text).contains(&Status::Failed));
    let many = "$2+2=5$, ".repeat(10_000);
    let found = outcomes(&many);
    assert_eq!(found.len(), Limits::default().claims);
    let circle = "Let $a=b+1$. Let $b=a+1$. Then $a+b=3$ and $f(x)=f(x)+1$.";
    assert!(!outcomes(circle).contains(&Status::Failed));
}

#[test]
fn who_waits_no_longer_gets_no_outcomes() {
    let claims = check("$2+2=5$ and $1+1=2$", &[], Limits::default(), &mut || false);
    assert!(claims.len() == 2 && claims.iter().all(|claim| claim.status == Status::NotCheckable));
    let none = Limits { claim: 1, text: 1, claims: 10 };
    let claims = check("$2+2=5$ and $1+1=2$", &[], none, &mut || true);
    assert!(claims.iter().all(|claim| claim.status == Status::NotCheckable));
}

#[test]
fn the_context_says_what_letters_are() {
    let question = "Suppose $x^2=x+1$.";
    let answer = "Then $x^4=x^2+2x+1=3x+2$ for every $x$.";
    let found = check(answer, &[question], Limits::default(), &mut || true);
    assert!(found.len() == 2 && found.iter().all(|claim| claim.status == Status::NotCheckable), "{found:?}");
    let alone = check(answer, &[], Limits::default(), &mut || true);
    assert!(alone.iter().all(|claim| claim.status == Status::Failed), "{alone:?}");
    let found = check("Then $f(3)=9$.", &["Let $f(x)=x^2$."], Limits::default(), &mut || true);
    assert_eq!(found[0].status, Status::Checked, "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_ends_with_claims_that_are_parts_of_it(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("$"), Just("$$"), Just("x"), Just("="), Just("2"), Just("+"), Just("^{"), Just("}"), Just("("),
                Just(")"), Just("\\frac{1}{"), Just("\\sum_{n=1}^\\infty "), Just("\\int_0^1 "), Just("\\,dx"),
                Just("\\lim_{x\\to 0}"), Just(" for all real "), Just("Let "), Just(". "), Just(", "), Just("!"),
                Just("\\sqrt{"), Just("\\pmod 7"), Just("\\equiv "), Just("\\le "), Just(" is prime"), Just("é\\"),
            ],
            0..40,
        ),
    ) {
        let text = parts.concat();
        let limits = Limits { claim: 20_000, text: 100_000, claims: 20 };
        let claims = check(&text, &[], limits, &mut || true);
        for claim in &claims {
            prop_assert!(text.get(claim.place.clone()).is_some());
        }
        prop_assert_eq!(check(&text, &[], limits, &mut || true), claims);
    }
}
