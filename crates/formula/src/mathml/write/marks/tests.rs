//! Marked parts of small formulas.

use super::super::{Display, Label, MathmlOptions, write_marked};
use super::*;
use expect_test::{Expect, expect};

/// Marks what stands between the signs, each kind with a class of its own: `⟨⟩` with `a`, `⟦⟧` with `b`.
fn check(marked: &str, expected: Expect) {
    let (mut source, mut marks, mut open) = (String::new(), Vec::new(), Vec::new());
    for c in marked.chars() {
        match c {
            '⟨' | '⟦' => open.push((source.len(), if c == '⟨' { "a" } else { "b" })),
            '⟩' | '⟧' => {
                let (start, class) = open.pop().expect("one is open");
                marks.push(Mark { range: start..source.len(), class });
            }
            _ => source.push(c),
        }
    }
    let options = MathmlOptions { display: Display::Block, label: Label::None, ..MathmlOptions::default() };
    let mathml = write_marked(&latex::parse(&source).tree, &source, options, &marks);
    let inside =
        mathml.split_once(&format!("alttext=\"{source}\">")).map_or(mathml.as_str(), |parts| parts.1);
    let inside = inside.strip_suffix("</math>").unwrap_or(inside);
    expected.assert_eq(if marked.starts_with('⟨') && marked.ends_with('⟩') { &mathml } else { inside });
}

#[test]
fn leaves_and_what_is_marked_from_end_to_end() {
    check("⟨x⟩^2", expect![[r#"<msup><mi class="a">x</mi><mn>2</mn></msup>"#]]);
    check("⟨x^2⟩+y", expect![[r#"<msup class="a"><mi>x</mi><mn>2</mn></msup><mo>+</mo><mi>y</mi>"#]]);
    check(
        "x^{⟨n+1⟩}",
        expect![[
            r#"<msup><mi>x</mi><mrow class="a"><mi>n</mi><mo lspace="0" rspace="0">+</mo><mn>1</mn></mrow></msup>"#
        ]],
    );
    check("⟨x^⟩2", expect![[r#"<msup><mi class="a">x</mi><mn>2</mn></msup>"#]]);
    check(
        r"1+⟨\frac{a}{b}⟩",
        expect![[r#"<mn>1</mn><mo>+</mo><mfrac class="a"><mi>a</mi><mi>b</mi></mfrac>"#]],
    );
    check(
        r"⟨\frac{⟩a⟨}{b}⟩=1",
        expect![[r#"<mfrac><mi>a</mi><mi class="a">b</mi></mfrac><mo>=</mo><mn>1</mn>"#]],
    );
    check(r"a⟨\sqrt{x}⟩b", expect![[r#"<mi>a</mi><msqrt class="a"><mi>x</mi></msqrt><mi>b</mi>"#]]);
}

#[test]
fn the_whole_formula() {
    check(
        "⟨x+1⟩",
        expect![[r#"<math class="a" display="block" alttext="x+1"><mi>x</mi><mo>+</mo><mn>1</mn></math>"#]],
    );
}

#[test]
fn marks_in_marks() {
    check(
        "⟨x^⟦2⟧+y⟩=z",
        expect![[
            r#"<msup class="a"><mi>x</mi><mn class="b">2</mn></msup><mo class="a">+</mo><mi class="a">y</mi><mo>=</mo><mi>z</mi>"#
        ]],
    );
    check(
        "⟨a+⟦b⟧+⟦c⟧⟩=d",
        expect![[
            r#"<mi class="a">a</mi><mo class="a">+</mo><mi class="b">b</mi><mo class="a">+</mo><mi class="b">c</mi><mo>=</mo><mi>d</mi>"#
        ]],
    );
    check(
        r"⟨\frac{⟦a⟧}{b}⟩c",
        expect![[r#"<mfrac class="a"><mi class="b">a</mi><mi>b</mi></mfrac><mi>c</mi>"#]],
    );
}

#[test]
fn what_has_a_class_already_and_what_is_no_element() {
    check(
        r"⟨\qvar{x}⟩+1",
        expect![[r#"<mi class="a hyp-wildcard" mathvariant="normal">?x</mi><mo>+</mo><mn>1</mn>"#]],
    );
    check(
        r"⟨\boxed{x}⟩+1",
        expect![[
            r#"<mrow class="a hyp-box" style="border:1px solid;padding:0.25em"><mi>x</mi></mrow><mo>+</mo><mn>1</mn>"#
        ]],
    );
    check(r"⟨\,⟩x", expect![[r#"<mspace width="0.167em"/><mi>x</mi>"#]]);
    check(r"⟨{}⟩x", expect!["<mi>x</mi>"]);
    check(r"⟨\mathrm{ab}⟩c", expect![[r#"<mi class="a">ab</mi><mi>c</mi>"#]]);
    check(
        r"⟨\left(⟩x⟨\right)⟩",
        expect![[
            r#"<math display="block" alttext="\left(x\right)"><mrow><mo class="a" form="prefix" stretchy="false">(</mo><mi>x</mi><mo class="a" form="postfix" stretchy="false">)</mo></mrow></math>"#
        ]],
    );
    check(
        r"⟨\left(x\right)⟩y",
        expect![[
            r#"<mrow class="a"><mo form="prefix" stretchy="false">(</mo><mi>x</mi><mo form="postfix" stretchy="false">)</mo></mrow><mi>y</mi>"#
        ]],
    );
    check(r"⟨\not R⟩y", expect![[r#"<mi class="a">𝑅̸</mi><mi>y</mi>"#]]);
    check(
        r"⟨\mathbin{\#}⟩y",
        expect![[r#"<mo class="a" form="prefix" lspace="0" rspace="0">#</mo><mi>y</mi>"#]],
    );
    check(
        r"2⟨\sin⟩ x",
        expect![[
            r#"<mn>2</mn><mspace width="0.167em"/><mi class="a">sin</mi><mo lspace="0" rspace="0.167em">&#x2061;</mo><mi>x</mi>"#
        ]],
    );
}

#[test]
fn a_class_is_said_once() {
    let marks = [Mark { range: 0..8, class: "hyp-wildcard" }];
    let source = r"\qvar{x}+1";
    let mathml = write_marked(&latex::parse(source).tree, source, MathmlOptions::default(), &marks);
    assert!(mathml.contains(r#"<mi class="hyp-wildcard" mathvariant="normal">?x</mi>"#), "{mathml}");
}

#[test]
fn marks_lie_in_each_other() {
    let mark = |range: Range<usize>, class| Mark { range, class };
    for (marks, part, expected) in [
        (vec![mark(0..4, "a"), mark(2..6, "b")], 2..4, Some("b")),
        (vec![mark(0..4, "a"), mark(2..6, "b")], 4..5, None),
        (vec![mark(0..4, "a"), mark(0..4, "b")], 1..2, Some("b")),
        (vec![mark(0..9, "a"), mark(1..2, "b"), mark(3..4, "c")], 5..6, Some("a")),
        (vec![mark(0..9, "a"), mark(1..2, "b"), mark(3..4, "c")], 1..4, Some("a")),
        (vec![mark(0..9, "a"), mark(3..4, "c")], 3..4, Some("c")),
        (vec![mark(0..9, "a")], 8..10, None),
        (vec![mark(3..3, "a")], 3..4, None),
        (vec![mark(0..9, "a")], 3..3, None),
        (Vec::from_iter((0..100).map(|at| mark(at..200, "a"))), 150..151, Some("a")),
    ] {
        let all = Marks::new(&marks);
        let found = all.find(part.clone()).map(|mark| all.all[mark].class);
        assert_eq!(found, expected, "{marks:?} {part:?}");
    }
}
