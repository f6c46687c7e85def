//! Keys and explanations of hand-made trees.

use super::*;
use crate::slt::{Edge, Look};
use latex::Font;

fn key(string: &str) -> Key {
    Keyer::default().key_of_tree(&Slt::read(string).unwrap())
}

#[track_caller]
fn same(a: &str, b: &str) {
    assert_eq!(key(a), key(b), "{a} and {b}");
}

#[track_caller]
fn different(a: &str, b: &str) {
    assert_ne!(key(a), key(b), "{a} and {b}");
}

#[test]
fn keys_stay_what_they_are() {
    // If these change, `Key::VERSION` must.
    assert_eq!(key("[V!x,a[N!2]]").to_string(), "19b70dd6281197323690d15f9d9100cd");
    assert_eq!(key("[M!()2x2,w[V!a,e[V!b,e[V!c,e[V!d]]]]]").to_string(), "d4bbbc822f5f0e04ac86dca78b02d743");
    assert_eq!(Keyer::default().key_of_latex(r"\foo x").to_string(), "3dd97346c2ede30a2160c51786118705");
}

#[test]
fn brackets_are_signs() {
    same("[V!f[M!()1x1,w[V!x]]]", "[V!f[([V!x[)]]]]");
    same("[M!()1x2,w[V!x[&comma;],e[V!y]]]", "[([V!x[&comma;[V!y[)]]]]]");
    same("[M!()1x1,a[N!2],w[V!a[+[V!b]]]]", "[([V!a[+[V!b[),o[N!2]]]]]]");
    same("[M!&lsqb;)1x2,w[N!0[&comma;],e[N!1]]]", "[&lsqb;[N!0[&comma;[N!1[)]]]]]");
    different("[M!()1x1,w[V!x]]", "[M!||1x1,w[V!x]]");
    // A row of a matrix has a gap where a list has a comma.
    different("[M!()1x2,w[V!a,e[V!b]]]", "[M!()1x1,w[V!a[V!b]]]");
    different("[M!()1x2,w[V!a,e[V!b]]]", "[M!()1x2,w[V!a[&comma;],e[V!b]]]");
    // A matrix in brackets, whoever put them there.
    same("[M!()2x1,w[V!a,e[V!b]]]", "[([M!2x1[)],w[V!a,e[V!b]]]]");
    different("[M!()2x1,w[V!a,e[V!b]]]", "[M!()1x2,w[V!a,e[V!b]]]");
    different("[M!()1x1,o[¯],w[V!a]]", "[M!()1x1,a[¯],w[V!a]]");
}

#[test]
fn groups_are_invisible_unless_something_shows_them() {
    same("[M!1x1,a[N!2],w[V!a[V!b]]]", "[V!a[V!b,a[N!2]]]");
    same("[M!1x1,w[V!a[V!b]]]", "[V!a[V!b]]");
    same("[M!1x1,a[N!2],w[V!f[M!()1x1,w[V!x]]]]", "[V!f[M!()1x1,a[N!2],w[V!x]]]");
    different("[M!1x1,a[N!3],w[V!x,a[N!2]]]", "[V!x,a[N!2[N!3]]]");
    different("[M!1x1,o[¯],w[V!a[V!b]]]", "[V!a[V!b,o[¯]]]");
    same("[M!1x1,o[¯],w[V!a]]", "[V!a,o[¯]]");
    same("[M!1x1,o[¯],w[N!1[N!2]]]", "[N!12,o[¯]]");
}

#[test]
fn words_are_letters() {
    same("[V!sin]", "[T!sin]");
    same("[V!lim]", "[lim]");
    same("[N!12]", "[N!1[N!2]]");
    same("[T!such that]", "[T!such[T!that]]");
    different("[V!sin]", "[V!s[V!i[V!n]]]");
    different("[T!x]", "[V!x]");
    same("[N!1&comma;000]", "[N!1[&comma;[N!000]]]");
}

#[test]
fn faces_count_where_they_show() {
    let with = |tag: &str, font| {
        let mut slt = Slt::default();
        let id = slt.push_with(Look::font(font), |tags| tags.push_str(tag));
        slt.set_root(Some(id));
        Keyer::default().key_of_tree(&slt)
    };
    assert_eq!(key("[V!ℝ]"), with("V!R", Font::DoubleStruck));
    assert_eq!(key("[V!ℝ]"), with("V!ℝ", Font::DoubleStruck));
    assert_eq!(key("[V!x]"), key("[V!𝑥]"));
    assert_eq!(key("[V!x]"), with("V!x", Font::Italic));
    // The labs write the d of an integral so when it is upright, and so when it is slanted.
    assert_ne!(key("[d[V!x]]"), key("[𝑑[V!x]]"));
    assert_ne!(key("[V!x]"), with("V!x", Font::Roman));
    assert_ne!(with("V!x", Font::Bold), with("V!x", Font::BoldItalic));
    assert_eq!(with("V!x", Font::Bold), key("[V!𝐱]"));
    assert_eq!(with("(", Font::Bold), key("[(]"));
    assert_eq!(with("N!1", Font::Roman), key("[N!1]"));
    assert_ne!(with("N!1", Font::Bold), key("[N!1]"));
    assert_ne!(with("V!ℒ", Font::Script), with("V!ℒ", Font::Calligraphic));
    assert_eq!(key("[V!ℒ]"), with("V!ℒ", Font::Calligraphic));
}

#[test]
fn limits_are_scripts() {
    same("[lim[V!x],u[V!n]]", "[lim[V!x],b[V!n]]");
    same("[V!max[V!x],u[V!n]]", "[V!max[V!x],b[V!n]]");
    different("[V!x,o[V!n]]", "[V!x,a[V!n]]");
    different("[V!x,u[V!n]]", "[V!x,b[V!n]]");
    // A line over a name is no limit.
    different("[V!lim,o[¯]]", "[V!lim,a[¯]]");
}

#[test]
fn scripts_of_nothing() {
    same("[V!x,a[W!]]", "[V!x]");
    same("[V!x[W!,a[N!2]]]", "[V!x,a[N!2]]");
    same("[W!,a[N!2]]", "[W!,a[N!2]]");
    same("[W![V!C],a[N!14],b[N!6]]", "[V!C,c[N!14],d[N!6]]");
    different("[V!T[W!,b[V!b]],a[V!a]]", "[V!T,a[V!a],b[V!b]]");
    different("[V!T[W!,a[V!b]],b[V!a]]", "[V!T,a[V!b],b[V!a]]");
    different("[V!x[W!,o[N!2]]]", "[V!x,o[N!2]]");
    same("[O!root,c[W!],w[V!x]]", "[O!root,w[V!x]]");
    different("[O!root,c[N!3],w[V!x]]", "[O!root,w[V!x]]");
}

#[test]
fn accents_over_one_sign_have_one_width() {
    let with = |string: &str, look: Look| {
        let mut slt = Slt::read(string).unwrap();
        let root = slt.root().unwrap();
        let accent = slt.child(root, Edge::Over).unwrap();
        slt.set_look(accent, look);
        Keyer::default().key_of_tree(&slt)
    };
    assert_eq!(with("[V!x,o[^]]", Look::STRETCHY), with("[V!x,o[^]]", Look::default()));
    let wide = "[M!1x1,o[^],w[V!x[V!y]]]";
    assert_ne!(with(wide, Look::STRETCHY), with(wide, Look::default()));
}

#[test]
fn marks_that_do_not_show() {
    let with = |look: Look| {
        let mut slt = Slt::read("[⇔]").unwrap();
        let root = slt.root().unwrap();
        slt.set_look(root, look);
        Keyer::default().key_of_tree(&slt)
    };
    assert_eq!(with(Look::PHANTOM), with(Look::default()));
    assert_eq!(with(Look::STRETCHY), with(Look::default()));
}

#[test]
fn look_alikes_are_one() {
    for (a, b) in [
        ("[−[V!x]]", "[-[V!x]]"),
        ("[∗]", "[*]"),
        ("[∣]", "[|]"),
        ("[V!f,a[′′]]", "[V!f,a[′[′]]]"),
        ("[V!f,a[″]]", "[V!f,a[′[′]]]"),
        ("[V!…]", "[.[.[.]]]"),
        ("[≠]", "[=\u{338}]"),
        ("[:[=]]", "[≔]"),
        ("[:=]", "[≔]"),
    ] {
        same(a, b);
    }
    different("[V!ϵ]", "[V!ε]");
    different("[≤]", "[⩽]");
}

#[test]
fn fractions_roots_enclosures() {
    let fraction = |look| {
        let mut slt = Slt::read("[O!divide,o[V!n],u[V!k]]").unwrap();
        let root = slt.root().unwrap();
        slt.set_look(root, look);
        Keyer::default().key_of_tree(&slt)
    };
    assert_ne!(fraction(Look::default()), fraction(Look::NO_BAR));
    different("[O!divide,o[V!n],u[V!k]]", "[V!n[/[V!k]]]");
    different("[box,w[V!x]]", "[updiagonalstrike,w[V!x]]");
    different("[?x]", "[V!x]");
    different("[E!x]", "[V!x]");
}

#[test]
fn everything_in_its_place() {
    let all = [
        "[V!a[V!b]]",
        "[V!a,a[V!b]]",
        "[V!a,b[V!b]]",
        "[V!a,o[V!b]]",
        "[V!a,u[V!b]]",
        "[V!b[V!a]]",
        "[V!a,a[V!b[V!c]]]",
        "[V!a[V!c],a[V!b]]",
        "[V!a,a[V!b,a[V!c]]]",
        "[V!b,c[V!a]]",
        "[V!b,d[V!a]]",
        "[O!divide,o[V!a],u[V!b]]",
        "[O!divide,o[V!b],u[V!a]]",
        "[O!divide,o[V!a[V!b]]]",
        "[O!divide,u[V!a[V!b]]]",
        "[O!root,w[V!a[V!b]]]",
        "[O!root[V!b],w[V!a]]",
        "[M!1x2,w[V!a,e[V!b]]]",
        "[M!2x1,w[V!a,e[V!b]]]",
        "[M!2x1,w[V!a[V!b]]]",
        "[W!]",
        "[E!]",
        "[?]",
    ];
    for (i, a) in all.iter().enumerate() {
        for b in &all[i + 1..] {
            different(a, b);
        }
    }
}

#[test]
fn long_and_deep_formulas() {
    let mut keyer = Keyer::default();
    let mut long = String::from("[V!x");
    long.extend(std::iter::repeat_n("[V!x", 300_000));
    long.extend(std::iter::repeat_n("]", 300_001));
    let mut deep = String::from("[V!x");
    deep.extend(std::iter::repeat_n(",a[V!x", 300_000));
    deep.extend(std::iter::repeat_n("]", 300_001));
    let mut wrapped = String::from("[V!x]");
    wrapped = format!("{}{wrapped}{}", "[M!1x1,a[N!2],w".repeat(100_000), "]".repeat(100_000));
    let keys = [&long, &deep, &wrapped].map(|text| keyer.key_of_tree(&Slt::read(text).unwrap()));
    assert_ne!(keys[0], keys[1]);
    assert_ne!(keys[1], keys[2]);
}

#[test]
fn unread_parts_make_the_latex_count() {
    let mut keyer = Keyer::default();
    let slt = Slt::read(r"[E!\foo[V!x]]").unwrap();
    let plain = Slt::read("[V!x]").unwrap();
    let mut key = |slt, latex| keyer.key(Formula { slt, latex });
    assert_eq!(key(Some(&slt), r"\foo x"), key(None, r"\foo  x"));
    assert_ne!(key(Some(&slt), r"\foo x"), key(Some(&slt), r"\foo{x}"));
    assert_eq!(key(Some(&slt), ""), key(Some(&slt), ""));
    assert_eq!(key(Some(&plain), "x"), key(Some(&plain), "{x}"));
}

fn explained(a: &str, b: &str) -> String {
    let (a, b) = (Slt::read(a).unwrap(), Slt::read(b).unwrap());
    let formula = |slt| Formula { slt: Some(slt), latex: "" };
    explain(formula(&a), formula(&b)).to_string()
}

#[test]
fn explanations() {
    for (a, b, expected) in [
        ("[V!x]", "[V!x]", "the same: nothing differs"),
        ("[V!x,a[N!2]]", "[V!x,a[N!3]]", "different: in the superscript of x, at the beginning: 2 against 3"),
        ("[V!x,a[N!2]]", "[V!x]", "different: after x: superscript 2 against nothing more"),
        ("[V!x,a[N!2]]", "[V!x,b[N!2]]", "different: after x: superscript 2 against subscript 2"),
        ("[V!a[+[V!𝐱]]]", "[V!a[+[V!x]]]", "different: after a+: x bold against normal"),
        ("[V!x[+[N!1]]]", "[V!x[−[N!1]]]", "different: after x: + against -"),
        ("[V!x[−[N!1]]]", "[V!x[-[N!1]]]", "the same after: - and − look alike"),
        ("[M!()1x1,w[V!x]]", "[([V!x[)]]]", "the same after: how brackets were matched"),
        ("[lim,u[V!n]]", "[lim,b[V!n]]", "the same after: scripts beside or as limits"),
        ("[T!if]", "[V!if]", "the same after: a name or a text"),
        ("[V!𝑥]", "[V!x]", "the same after: fonts by name or by character"),
        (
            "[O!divide,o[V!a],u[V!b]]",
            "[O!divide,o[V!a],u[V!c]]",
            "different: in the denominator, at the beginning: b against c",
        ),
    ] {
        assert_eq!(explained(a, b), expected);
    }
}

#[test]
fn explanations_from_latex() {
    let slt = Slt::read("[V!x,a[V!b],b[V!a]]").unwrap();
    let unread = Slt::read("[E!]").unwrap();
    let check = |a: (&Slt, &str), b: (&Slt, &str), expected: &str| {
        let formula = |(slt, latex)| Formula { slt: Some(slt), latex };
        assert_eq!(explain(formula(a), formula(b)).to_string(), expected);
    };
    check((&slt, "x_a^b"), (&slt, "x_a ^b"), "the same after: blanks");
    check((&slt, "x_a^b"), (&slt, "x_{a}^b"), "the same after: braces");
    check((&slt, "x_a^b"), (&slt, r"x_a^b\,"), "the same after: spacing");
    check((&slt, "x_a^b"), (&slt, "x^b_a"), "the same after: the order of scripts or of words in the source");
    check((&slt, r"\frac12"), (&slt, r"\dfrac12"), r"the same after: spelling, `\frac` for `\dfrac`");
    check(
        (&unread, r"\foo a"),
        (&unread, r"\foo b"),
        r"different: after \foo: a against b; compared by LaTeX without blanks, since neither could be read in full",
    );
}
