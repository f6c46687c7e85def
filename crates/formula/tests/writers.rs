//! The writers are total: whatever was read can be written, as good XML, and written again the same.

use formula::mathml::{Display, Mark, MathmlOptions, Styles, write_marked, write_mathml};
use formula::normal::write_latex;
use formula::text::{write_spoken, write_text};
use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;

/// Writes a formula in every way and panics if something is wrong.
fn check(source: &str) {
    let tree = latex::parse(source).tree;
    for display in [Display::Inline, Display::Block] {
        let mathml = write_mathml(&tree, source, MathmlOptions { display, ..MathmlOptions::default() });
        check_xml(&mathml, source);
    }
    check_classes(&tree, source);
    let line = write_text(&tree);
    assert!(!line.contains(|c: char| c.is_control()), "{source:?}: {line:?}");
    assert!(!write_spoken(&tree).contains("  "), "{source:?}");
    let latex = write_latex(&tree);
    assert_eq!(write_latex(&latex::parse(&latex).tree), latex, "{source:?}");
}

/// With classes there are no styles, and marks change nothing but classes.
fn check_classes(tree: &latex::Tree, source: &str) {
    let options = MathmlOptions { styles: Styles::Classes, ..MathmlOptions::default() };
    let plain = write_mathml(tree, source, options);
    assert!(!plain.contains(" style=\""), "{source:?}\n{plain}");
    let third = source.len() / 3;
    let marks = [(0..source.len(), "outer"), (third..2 * third, "inner"), (third / 2..third, "first")]
        .map(|(range, class)| Mark { range, class });
    for number in 1..=marks.len() {
        let marked = write_marked(tree, source, options, &marks[..number]);
        check_xml(&marked, source);
        assert_eq!(without_classes(&marked), without_classes(&plain), "{source:?}");
    }
}

fn without_classes(xml: &str) -> String {
    let mut pieces = xml.split(" class=\"");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out.push_str(piece.split_once('"').map_or("", |(_, rest)| rest));
    }
    out
}

/// Well-formed, one element, and elements that need so many children have them.
fn check_xml(xml: &str, source: &str) {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let mut stack: Vec<(String, usize)> = vec![(String::new(), 0)];
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{source:?}: {error}\n{xml}")) {
            Event::Start(start) => {
                for attribute in start.attributes() {
                    let attribute = attribute.unwrap_or_else(|error| panic!("{source:?}: {error}\n{xml}"));
                    assert!(!attribute.key.as_ref().starts_with("on"), "{xml}");
                }
                stack.last_mut().expect("an open element").1 += 1;
                stack.push((start.name().as_ref().to_owned(), 0));
            }
            Event::Empty(_) => stack.last_mut().expect("an open element").1 += 1,
            Event::End(_) => {
                let (name, children) = stack.pop().expect("an open element");
                let expected = match name.as_str() {
                    "msub" | "msup" | "munder" | "mover" | "mfrac" | "mroot" => Some(2),
                    "msubsup" | "munderover" => Some(3),
                    "mi" | "mo" | "mn" | "mtext" => Some(0),
                    _ => None,
                };
                assert!(
                    expected.is_none_or(|count| count == children),
                    "{source:?}: {name} has {children}\n{xml}"
                );
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(stack, [(String::new(), 1)], "{source:?}\n{xml}");
}

#[test]
fn hard_cases() {
    for source in [
        "",
        "<script>",
        "\\text{</mtext></math><script>alert(1)</script>}",
        "\\color{\" onload=\"x}y",
        "\\tag{<}",
        "\\qvar{\"<}",
        "\\foo<",
        "&&\\\\",
        "^^__''",
        "\\frac\\frac\\frac",
        "\\left.\\right.",
        "\\begin{matrix}\\end{matrix}",
        "\\mathop\\sum'_i",
        "\\sum'^2",
        "\\displaystyle^2",
        "\\\\^2",
        "\\enclose{x\" y=\"}{z}",
        "\u{1}\u{fffe}\u{ffff}\u{feff}",
        "\\not",
        "\\not{ab}",
        "\\xrightarrow{}",
        "\\overset{}{}",
    ] {
        check(source);
    }
}

#[test]
fn similar_parts_are_written_as_what_is_in_them() {
    let written = |source: &str| {
        let tree = latex::parse_bytes(source.as_bytes(), latex::Mode::Query).tree;
        let mathml = write_mathml(&tree, "", MathmlOptions::default());
        check_xml(&mathml, source);
        // The braces around it stay, so what is beside it cannot run into it.
        let latex = write_latex(&latex::parse(&write_latex(&tree)).tree);
        (latex, write_text(&tree), write_spoken(&tree), mathml)
    };
    for (body, rest) in [
        ("a+b", "=c"),
        ("x", "^2"),
        (r"\frac{a}{b}", "_1"),
        ("x", "/2"),
        (r"\sqrt{x}", "^2"),
        (r"\mathrm{ab}", ""),
    ] {
        assert_eq!(written(&format!("\\simto{{{body}}}{rest}")), written(&format!("{{{body}}}{rest}")));
    }
}

#[test]
fn long_and_deep() {
    check(&"x+".repeat(20_000));
    check(&"\\color{red}x".repeat(5_000));
    check(&"x\\\\".repeat(5_000));
    check(&"\\sin".repeat(5_000));
    check(&"\\, ".repeat(20_000));
    check(&"{\\frac".repeat(60));
    for piece in ["{", "\\left(", "\\hat", "\\sqrt", "x^", "\\begin{matrix}", "\\mathbf{"] {
        let tree = latex::parse(&piece.repeat(1_000)).tree;
        let mathml = write_mathml(&tree, "", MathmlOptions::default());
        check_xml(&mathml, piece);
        let _ = (write_text(&tree), write_spoken(&tree), write_latex(&tree));
    }
}

/// Pieces that LaTeX is made of, in any order.
fn latex_like() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "x",
        "1",
        ".",
        ",",
        "+",
        "-",
        "=",
        "(",
        ")",
        "|",
        "{",
        "}",
        "{}",
        "^",
        "_",
        "'",
        "&",
        "\\\\",
        "\\frac",
        "\\sqrt",
        "\\left(",
        "\\right)",
        "\\middle|",
        "\\over",
        "\\sum",
        "\\int",
        "\\limits",
        "\\nolimits",
        "\\sin",
        "\\lim",
        "\\mathbf",
        "\\rm",
        "\\text{a b}",
        "\\text{",
        "\\hat",
        "\\overline",
        "\\underbrace",
        "\\overset",
        "\\underset",
        "\\xrightarrow",
        "\\begin{matrix}",
        "\\end{matrix}",
        "\\begin{align}",
        "\\end{align}",
        "\\substack",
        "\\not",
        "\\operatorname",
        "\\mathop",
        "\\mathrel",
        "\\displaystyle",
        "\\large",
        "\\color{red}",
        "\\,",
        "\\!",
        "\\big",
        "\\binom",
        "\\phantom",
        "\\boxed",
        "\\cancel",
        "\\foo",
        "\\ce{H_2}",
        "\\tag{1}",
        "$",
        "%",
        "²",
        "′",
        "\\qvar{x}",
        "\\prescript",
        "\\sideset",
        "\\pmod",
        "\\genfrac",
        "\\dots",
        "\\enclose{circle}",
        "<",
        "&lt;",
        "\\array{",
        "\\underoverset",
        "\\tensor",
        "\\multiscripts",
        "\\root",
        "\\Set",
        "\\Hom",
        "\\abs",
        "&\\displaystyle amp;",
        "\\@@eqnarray",
        "\\begin{matrix}{x\\hfil&",
    ]);
    prop::collection::vec(pieces, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn anything_can_be_written(source in any::<String>()) {
        check(&source);
    }

    #[test]
    fn anything_like_latex_can_be_written(source in latex_like()) {
        check(&source);
    }
}

#[test]
fn real_formulas() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the real data is not there");
    };
    let rows = testkit::read_tsv(&data.join("arqmath-mini/latex_representation.tsv"));
    let formulas: std::collections::BTreeSet<&str> =
        rows.iter().filter_map(|row| row.get("formula")).map(String::as_str).collect();
    assert!(formulas.len() > 20_000, "{}", formulas.len());
    for formula in formulas {
        check(formula);
    }
    let wiki = std::fs::read_to_string(data.join("formulas/nlab.txt")).expect("the file is text");
    wiki.lines().for_each(check);
}

#[test]
fn groups_in_groups_are_written_in_no_time() {
    for open in ["{", "{a{", "\\left({", "{{}x{", "\\bar{{", "x^{{", "\\text{", "\\mathbf{{", "\\sqrt{{"] {
        let source = open.repeat(60) + "y";
        let tree = latex::parse(&source).tree;
        let options = formula::mathml::MathmlOptions::default();
        assert!(formula::normal::write_latex(&tree).contains('y'));
        assert!(formula::mathml::write_mathml(&tree, &source, options).contains('y'));
        assert!(formula::text::write_text(&tree).contains(['y', 'ʸ']));
    }
}
