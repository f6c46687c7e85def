//! Layout trees from LaTeX, against strings that were checked by hand.

use formula::slt::{Hints, LatexToSlt, Slt, from_latex};
use latex::Mode;

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

fn query(latex: &str) -> Slt {
    let mut slt = Slt::default();
    from_latex(&latex::parse_bytes(latex.as_bytes(), Mode::Query).tree, &mut slt);
    slt
}

#[test]
fn wildcards_of_queries() {
    for (latex, expected) in [
        ("?x+1", "[?x[+[N!1]]]"),
        (r"\qvar{*1*}+1", "[?1[+[N!1]]]"),
        (r"O(\qvar{*1*}\log\qvar{*2*})", "[V!O[M!()1x1,w[?1[V!log[?2]]]]]"),
        (r"\qvar{x0}", "[?x0]"),
        (r"\qvar@construct{x0}", "[?x0]"),
        (r"\mbox{?{x0}}", "[?x0]"),
        ("?x0", "[?x0]"),
        ("?{*1*}+?1", "[?1[+[?1]]]"),
        // Without a name; a wildcard called w is another thing.
        ("?+?w", "[?[+[?w]]]"),
        ("?^2_i", "[?,a[N!2],b[V!i]]"),
    ] {
        let slt = query(latex);
        assert_eq!(slt.to_string(), expected, "{latex}");
        assert_eq!(Slt::read(expected).map(|slt| slt.to_string()).as_deref(), Ok(expected));
    }
    let mut slt = Slt::default();
    from_latex(&latex::parse("x?").tree, &mut slt);
    assert_eq!(slt.to_string(), "[V!x[V!&quest;]]");
}

#[test]
fn parts_that_need_only_be_similar() {
    for (latex, expected, similar) in [
        (r"\simto{x}", "[V!x]", "V!x"),
        (r"\simto{a+b}=c", "[V!a[+[V!b[=[V!c]]]]]", "V!a + V!b"),
        (r"y=\simto{f(a)}+1", "[V!y[=[V!f[M!()1x1[+[N!1]],w[V!a]]]]]", "V!f M!()1x1 V!a"),
        (r"\simto{\frac{a}{b}}^2", "[O!divide,a[N!2],o[V!a],u[V!b]]", "O!divide V!a V!b"),
        (r"x^{\simto{?1}}", "[V!x,a[?1]]", "?1"),
        (r"\simto{\simto{x}y}z", "[V!x[V!y[V!z]]]", "V!x V!y"),
        (r"\mathrm{a}\simto{\mathrm{b}}\mathrm{c}", "[V!a[V!b[V!c]]]", "V!b"),
        (r"a\simto{<}b", "[V!a[<[V!b]]]", "<"),
        (r"\simto{}x\simto", "[V!x]", ""),
    ] {
        let slt = query(latex);
        assert_eq!(slt.to_string(), expected, "{latex}");
        assert_eq!(marked(&slt), similar, "{latex}");
    }
    for latex in [r"\simto{".repeat(10_000), r"\simto".repeat(10_000), r"\simto{x}".repeat(10_000)] {
        assert!(query(&latex).root().is_some());
    }
    // In a document it is no mark.
    let mut slt = Slt::default();
    from_latex(&latex::parse(r"\simto{x}").tree, &mut slt);
    assert_eq!(marked(&slt), "");
}

/// The tags of the similar parts, in the order of the tree.
fn marked(slt: &Slt) -> String {
    let tags: Vec<_> =
        slt.preorder().filter(|&id| slt.hints(id).has(Hints::SIMILAR)).map(|id| slt.tag(id)).collect();
    tags.join(" ")
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
