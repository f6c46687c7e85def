//! Layout trees from LaTeX, against strings that were checked by hand.

use formula::slt::{LatexToSlt, Slt};

#[test]
fn layout_trees_from_latex() {
    let mut reader = latex::Reader::default();
    let mut to_slt = LatexToSlt::default();
    let mut slt = Slt::default();
    let mut checked = 0;
    let mut wrong = String::new();
    let rows = include_str!("../test_data/layout.tsv").lines().filter(|line| !line.starts_with('#'));
    for row in rows {
        let (latex, expected) = row.split_once('\t').expect("two columns");
        to_slt.read(&reader.read(latex.as_bytes(), latex::Mode::Document).tree, &mut slt);
        let found = slt.to_string();
        checked += 1;
        if found != expected {
            wrong += &format!("{latex}\n  expected {expected}\n  found    {found}\n");
        }
    }
    assert!(checked > 90, "only {checked} rows");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn wildcards_of_queries() {
    let mut slt = Slt::default();
    for (latex, expected) in [
        ("?x+1", "[?x[+[N!1]]]"),
        (r"\qvar{*1*}+1", "[?1[+[N!1]]]"),
        (r"O(\qvar{*1*}\log\qvar{*2*})", "[V!O[M!()1x1,w[?1[V!log[?2]]]]]"),
    ] {
        let parse = latex::parse_bytes(latex.as_bytes(), latex::Mode::Query);
        formula::slt::from_latex(&parse.tree, &mut slt);
        assert_eq!(slt.to_string(), expected);
    }
    formula::slt::from_latex(&latex::parse("x?").tree, &mut slt);
    assert_eq!(slt.to_string(), "[V!x[V!&quest;]]");
}

#[test]
fn long_rows_and_deep_fences_come_back() {
    let mut slt = Slt::default();
    for latex in [
        "x".repeat(200_000),
        "(".repeat(100_000),
        "(".repeat(50_000) + &")".repeat(50_000),
        "|".repeat(100_000),
        "{a|".repeat(10_000),
        "\\{a|".repeat(20_000),
        "|a".repeat(50_000) + "^2",
        "\\int d".repeat(20_000),
        "a^b^c".repeat(20_000),
        "|".to_owned() + &"\\sin".repeat(50_000),
        "|".to_owned() + &"\\log".repeat(50_000),
        "|".to_owned() + &"\\sum".repeat(50_000),
        "|".to_owned() + &"\\nabla".repeat(50_000),
        "|a=".repeat(20_000),
        "d".to_owned() + &"\\int".repeat(50_000),
        "|".to_owned() + &"\\log(".repeat(20_000),
        "\\langle a|".repeat(20_000),
        "\\{a|b,".repeat(10_000) + &"\\}".repeat(10_000),
        "|a,b=".repeat(10_000),
        "|x|=".to_owned() + &"a,b=".repeat(50_000) + "c",
        r"\begin{matrix}a\end{matrix}".repeat(5_000),
        format!(r"\begin{{matrix}}{}{}\end{{matrix}}", "&".repeat(20_000), r"\\".repeat(20_000)),
    ] {
        formula::slt::from_latex(&latex::parse(&latex).tree, &mut slt);
        assert!(slt.root().is_some());
        assert!(!slt.to_string().is_empty());
    }
}
