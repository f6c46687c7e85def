//! What changes do, and what they leave alone.

use super::*;
use proptest::prelude::{prop, prop_assert_eq, proptest};

fn key(latex: &str) -> Key {
    Changer::default().read(latex).unwrap().key
}

/// All that a change makes of a formula, over many seeds.
fn queries(change: Change, latex: &str) -> BTreeSet<String> {
    let mut changer = Changer::default();
    let read = changer.read(latex).unwrap();
    let one = |seed| changer.make(change, latex, read, &mut Rng::seeded(seed));
    (0..60).filter_map(one).map(|changed| changed.query).collect()
}

#[test]
fn renaming_changes_the_look_and_nothing_but_names() {
    for latex in [
        "a^2+b^2=c^2",
        r"\int_0^x f(t)\,dt=F(x)",
        r"\alpha\beta x\cdot\gamma",
        r"\frac\alpha2+\sum_{k=1}^n k",
        r"e^{i\pi}+x\mathbf{x}",
    ] {
        let queries = queries(Change::Renamed, latex);
        assert!(queries.len() >= 20, "{latex}: {queries:?}");
        let mut changer = Changer::default();
        let old = changer.read(latex).unwrap();
        for query in &queries {
            let new = changer.read(query).unwrap();
            assert_eq!(new.nameless, old.nameless, "{latex} {query}");
            assert_ne!(new.key, old.key, "{latex} {query}");
        }
    }
    // Constants stay.
    for query in queries(Change::Renamed, r"e^{i\pi}+x+\mathbb{R}_d") {
        assert!(query.starts_with(r"e^{i\pi}+") && query.ends_with(r"\mathbb{R}_d"), "{query}");
        assert!(!query.contains('x'), "{query}");
    }
    // A name is never one that the formula has already.
    for query in queries(Change::Renamed, "x+y+z+w=1") {
        assert!(!query.contains(['x', 'y', 'z', 'w']), "{query}");
    }
}

#[test]
fn what_has_no_variables_or_spells_a_function_is_not_renamed() {
    for latex in ["1+2=3+e", r"\mathbf{x}+\mathbf{y}=1", "sin x+cos y=1", "e^{i\\pi}+1=0"] {
        assert_eq!(queries(Change::Renamed, latex), BTreeSet::new(), "{latex}");
    }
    assert!(!queries(Change::Renamed, "xyz+abc=1").is_empty());
}

#[test]
fn retyping_keeps_the_look_and_changes_more_than_blanks() {
    for (latex, typed) in [
        (r"\frac{a}{b}+c", r"{a \over b}+c"),
        (r"{a+1 \over b}\le 2", r"{\frac{a+1}{b}}\leq 2"),
        ("x_1^2+x_2^2", "x_{1}^{2}+x_{2}^{2}"),
        (r"\left(a+b\right)^{2}=1", "(a+b)^2 = 1"),
        ("f(x)=(a+b)^n", r"f\left(x\right) = \left(a+b\right)^{n}"),
        (r"\sum_{i=1}^n a_i", r"\sum\limits_{i=1}^{n} a_{i}"),
        ("x_1^2=y", "x^{2}_{1}=y"),
    ] {
        let queries = queries(Change::Retyped, latex);
        let bare = |latex: &str| latex.split_whitespace().collect::<String>();
        let seen = || queries.iter().map(|query| bare(query));
        assert!(seen().any(|query| query == bare(typed)), "{latex}: {queries:?}");
        for query in &queries {
            assert_eq!(key(query), key(latex), "{latex} {query}");
            assert_ne!(bare(query), bare(latex));
        }
    }
    assert_eq!(queries(Change::Retyped, "a+b+c"), BTreeSet::new());
}

#[test]
fn operands_of_sums_products_and_equations_change_places() {
    for (latex, expected) in [
        ("a+b=2", &["b+a=2", "2=a+b"][..]),
        ("a+b-c+d", &["b+a-c+d", "d+b-c+a", "a+d-c+b"]),
        ("-a+b+c", &["-a+c+b"]),
        (r"a\cdot(b+c)", &[r"(b+c)\cdot a", r"a\cdot(c+b)"]),
        (r"\frac{x+1}{2}<y", &[r"\frac{1+x}{2}<y"]),
        (r"A\cup B=C", &[r"B\cup A=C", r"C=A\cup B"]),
        (r"|x|+|y|^2", &[r"|y|^2+|x|"]),
        (r"\sum_k a_k = s", &[r"s = \sum_k a_k"]),
        (r"\left(a+b\right)^2", &[r"\left(b+a\right)^2"]),
    ] {
        let expected: BTreeSet<String> = expected.iter().map(|query| (*query).to_owned()).collect();
        assert_eq!(queries(Change::Swapped, latex), expected, "{latex}");
    }
}

#[test]
fn operands_stay_where_their_order_or_reach_is_not_certain() {
    for latex in [
        r"\int f+g\,dx",
        r"a+b+\dots+z",
        r"a\times b\times c",
        "f(x,y)<g",
        "a-b-c",
        r"x\to y+1, z+1",
        r"a\circ b\circ c",
        "a=b=c",
        "[0,1)<x",
        r"A\setminus B\cup C",
        r"\sum_{i=1}^n a_i",
        r"a\equiv b\mod p",
        r"a+b\equiv c\pmod p",
        r"\underset{x=1}{\max} f",
    ] {
        assert_eq!(queries(Change::Swapped, latex), BTreeSet::new(), "{latex}");
    }
}

#[test]
fn a_side_is_what_stands_on_one_side_of_a_relation() {
    for (latex, expected) in [
        (r"\int_0^1 f(x)dx = 2", &[r"\int_0^1 f(x)dx"][..]),
        ("(a+b)^2=a^2+2ab+b^2", &["(a+b)^2", "a^2+2ab+b^2"]),
        (r"a+b+c\le x+y+z<1", &["a+b+c", "x+y+z"]),
        ("x=1, y=2+a+b", &[]),
        ("f(a=b+c+d)", &[]),
        ("x=y", &[]),
        (r"a+b+c\equiv x+y+z\pmod n", &[]),
    ] {
        let expected: BTreeSet<String> = expected.iter().map(|query| (*query).to_owned()).collect();
        assert_eq!(queries(Change::Side, latex), expected, "{latex}");
    }
}

#[test]
fn the_first_change_that_can_be_made_is_made() {
    let change = |latex: &str, changes: &[Change], seed| {
        Changer::default().change(latex, changes, &mut Rng::seeded(seed))
    };
    let latex = r"\frac{a+b}{c}=x^2+\sum_{k=1}^n k";
    for wanted in Change::ALL {
        let made = change(latex, &[wanted], 3);
        assert_eq!(made.as_ref().map(|made| made.change), Some(wanted));
        assert_eq!(made, change(latex, &[wanted], 3));
    }
    let made = change("a+b+c", &[Change::Side, Change::Retyped, Change::Swapped], 1).unwrap();
    assert_eq!(made.change, Change::Swapped);
    // Too small, too large, not to be read.
    let large = vec!["x"; 200].join("+");
    for latex in ["x+y", "", &large, r"a+b+\unknown{c}=1"] {
        assert_eq!(change(latex, &Change::ALL, 1), None, "{latex}");
    }
    assert_eq!(on_one_line("a\n+b").as_deref(), Some("a +b"));
    assert_eq!((on_one_line("a%b\nc"), on_one_line("$a$")), (None, None));
}

/// Pieces of LaTeX, whole and broken.
const PIECES: [&str; 28] = [
    "x",
    "y",
    "α",
    "°",
    "2",
    "+",
    "-",
    "=",
    "\\le",
    " ",
    "^",
    "_",
    "{",
    "}",
    "(",
    ")",
    "|",
    "\\frac",
    "{a}{b}",
    "\\over",
    "\\left(",
    "\\right)",
    "\\sum_{i=1}^n",
    "\\alpha",
    "\\cdot",
    "\\",
    "'",
    "\\text{ä b}",
];

proptest! {
    #[test]
    fn no_formula_breaks_a_change(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24), seed: u64) {
        let latex = pieces.concat();
        let mut changer = Changer::default();
        if let Some(read) = changer.read(&latex) {
            for change in Change::ALL {
                if let Some(changed) = changer.make(change, &latex, read, &mut Rng::seeded(seed)) {
                    let new = changer.read(&changed.query).unwrap();
                    prop_assert_eq!(new.key == read.key, change == Change::Retyped, "{} {}", latex, changed.query);
                }
            }
        }
    }
}
