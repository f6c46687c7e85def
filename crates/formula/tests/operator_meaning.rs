//! Operator trees as a mathematician reads them, against strings that were checked by hand, and what holds for
//! every input.

use formula::opt::meaning::{SltToOpt, from_slt};
use formula::opt::{Brackets, Opt, OptId};
use formula::slt::{LatexToSlt, Slt};
use proptest::prelude::*;

fn read(latex: &str) -> (Slt, Opt) {
    let (mut slt, mut opt) = (Slt::default(), Opt::default());
    formula::slt::from_latex(&latex::parse_bytes(latex.as_bytes(), latex::Mode::Query).tree, &mut slt);
    from_slt(&slt, &mut opt);
    (slt, opt)
}

#[test]
fn operator_trees_from_latex() {
    let mut reader = latex::Reader::default();
    let (mut to_slt, mut to_opt) = (LatexToSlt::default(), SltToOpt::default());
    let (mut slt, mut opt) = (Slt::default(), Opt::default());
    let mut checked = 0;
    let mut wrong = String::new();
    let rows = include_str!("../test_data/meaning.tsv").lines().filter(|line| !line.starts_with('#'));
    for row in rows {
        let (latex, expected) = row.split_once('\t').expect("two columns");
        to_slt.read(&reader.read(latex.as_bytes(), latex::Mode::Query).tree, &mut slt);
        to_opt.read(&slt, &mut opt);
        let found = opt.to_string();
        checked += 1;
        if found != expected {
            wrong += &format!("{latex}\n  expected {expected}\n  found    {found}\n");
        }
    }
    assert!(checked > 300, "only {checked} rows");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn notation_that_means_the_same_gives_the_same_tree() {
    for [one, other] in [
        [r"\frac{a}{b}", "a/b"],
        ["2x", r"2\cdot x"],
        ["2x", r"2\times x"],
        ["(a+b)c", r"\left(a+b\right)c"],
        ["(x)", "x"],
        [r"\sqrt[2]{x}", r"\sqrt x"],
        [r"\sin^{-1}x", r"\arcsin x"],
        [r"\sin(x)", r"\sin x"],
        [r"a\equiv b\pmod n", r"a\equiv b\mod n"],
        [r"\frac{dy}{dx}", "dy/dx"],
        [r"\int\frac{dx}{x}", r"\int\frac1x dx"],
        [r"\iint_D f\,dx\,dy", r"\int_D f\,dx\,dy"],
        [r"\langle x|y\rangle", r"\langle x,y\rangle"],
        [r"\max\{a,b\}", r"\max(a,b)"],
        ["log(n)", r"\log n"],
        [r"\begin{aligned}a&=b\\&=c\end{aligned}", "a=b=c"],
        [r"\{x:x>0\}", r"\{x\mid x>0\}"],
        [r"\lVert x\rVert", "||x||"],
        [r"L^2([0,1])", "L^2[0,1]"],
        [r"\text{sec}^2 x", r"\sec^2 x"],
        [r"a\equiv b\ \text{mod}\ n", r"a\equiv b\mod n"],
        ["f^{(2)}(x)", "f''(x)"],
        [r"\nabla\cdot\nabla f", r"\nabla^2 f"],
    ] {
        assert_eq!(read(one).1.to_string(), read(other).1.to_string(), "{one} and {other}");
    }
}

/// The strings of the labs have no looks, hints or spans, and unpaired brackets.
#[test]
fn operator_trees_from_layout_strings() {
    for (string, expected) in [
        ("[V!𝑥[+[N!1]],a[N!2]]", "[U!plus,0[O!SUP,0[V!x],1[N!2]],1[N!1]]"),
        ("[V!f[M!()1x2,w[V!x[&comma;],e[V!y]]]]", "[F!f,0[V!x],1[V!y]]"),
        ("[∫[V!x[d[V!x]]],o[N!1],u[N!0]]", "[O!int,0[V!x],1[V!x],2[N!0],3[N!1]]"),
        ("[|[V!x[|]]]", "[F!abs,0[V!x]]"),
        ("[|[|[V!x[|[|]]]]]", "[O!norm,0[V!x]]"),
        ("[([V!a[+[V!b[)]]]]]", "[U!plus,0[V!a],1[V!b]]"),
        ("[V!a[+[V!b[)[V!c]]]]]", "[U!plus,0[V!a],1[U!times,0[V!b],1[V!c]]]"),
        ("[([V!a[+[V!b]]]]", "[U!plus,0[V!a],1[V!b]]"),
        ("[⌊[V!x[⌋,o[N!2]]]]", "[O!SUP,0[F!floor,0[V!x]],1[N!2]]"),
        ("[V!x,e[V!y]]", "[O!fragments,0[V!x],1[V!y]]"),
        ("[V!x,w[V!y]]", "[O!fragments,0[V!x],1[V!y]]"),
        ("[W!]", "[W!]"),
        (
            "[V!x[V!≡[N!2[V!−[V!y]]]],a[N!2]]",
            "[U!equivalent,0[O!SUP,0[V!x],1[N!2]],1[O!minus,0[N!2],1[V!y]]]",
        ),
        (
            "[lim[V!x,b[V!n]],u[V!n[V!→[V!∞]]]]",
            "[O!limit,0[O!SUB,0[V!x],1[V!n]],1[O!to,0[V!n],1[C!infinity]]]",
        ),
        ("[M!||1x1,w[V!A[|[|[V!B]]]]]", "[U!times,0[F!abs,0[V!A]],1[F!abs,0[V!B]]]"),
        (
            "[M!||1x1,w[V!A[V!B[|[=[|[V!A[|[|[V!B]]]]]]]]]]",
            "[U!eq,0[F!abs,0[U!times,0[V!A],1[V!B]]],1[U!times,0[F!abs,0[V!A]],1[F!abs,0[V!B]]]]",
        ),
        (
            "[M!||1x1,w[V!a[|[+[|[V!b[|[≥[|[V!a[+[V!b]]]]]]]]]]]]",
            "[O!geq,0[U!plus,0[F!abs,0[V!a]],1[F!abs,0[V!b]]],1[F!abs,0[U!plus,0[V!a],1[V!b]]]]",
        ),
        (
            "[M!||1x1,a[N!2],w[V!x[|[+[|[V!y]]],a[N!2]]]]",
            "[U!plus,0[O!SUP,0[F!abs,0[V!x]],1[N!2]],1[O!SUP,0[F!abs,0[V!y]],1[N!2]]]",
        ),
        (
            "[M!∥∥1x1,w[V!x[+[V!y[∥[≤[∥[V!x[∥[+[∥[V!y]]]]]]]]]]]]",
            "[O!leq,0[O!norm,0[U!plus,0[V!x],1[V!y]]],1[U!plus,0[O!norm,0[V!x]],1[O!norm,0[V!y]]]]",
        ),
        ("[M!|∥1x1,w[V!x[|[≤[∥[V!y]]]]]]", "[O!leq,0[F!abs,0[V!x]],1[O!norm,0[V!y]]]"),
        ("[M!||1x2,w[V!a[|[&comma;]],e[|[V!b]]]]", "[M!L-2,0[F!abs,0[V!a]],1[F!abs,0[V!b]]]"),
        ("[M!||1x1,w[|[V!x[|[-[|[V!y[|]]]]]]]]", "[F!abs,0[O!minus,0[F!abs,0[V!x]],1[F!abs,0[V!y]]]]"),
        ("[M!||1x1,w[∥[V!x[∥[-[∥[V!y[∥]]]]]]]]", "[F!abs,0[O!minus,0[O!norm,0[V!x]],1[O!norm,0[V!y]]]]"),
        (
            "[M!||1x1,w[N!2[|[V!x[|[-[N!3]]]]]]]",
            "[F!abs,0[O!minus,0[U!times,0[N!2],1[F!abs,0[V!x]]],1[N!3]]]",
        ),
        ("[N!2[|[V!y[|[|[V!z[|]]]]]]]", "[U!times,0[N!2],1[F!abs,0[V!y]],2[F!abs,0[V!z]]]"),
        (
            "[V!a[|[V!b[⇒[V!a[|[V!c]]]]]]]",
            "[O!implies,0[O!divides,0[V!a],1[V!b]],1[O!divides,0[V!a],1[V!c]]]",
        ),
    ] {
        let mut opt = Opt::default();
        from_slt(&Slt::read_repaired(string).unwrap(), &mut opt);
        assert_eq!(opt.to_string(), expected, "{string}");
    }
}

fn find(opt: &Opt, tag: &str) -> OptId {
    opt.preorder().find(|&id| opt.tag(id) == tag).expect("a node with this tag")
}

#[test]
fn spans_are_the_source_of_a_part() {
    for (latex, tag, source) in [
        (r"a+\frac{b}{c}", "O!divide", r"\frac{b}{c}"),
        (r"2(x+1)=3", "U!plus", "(x+1)"),
        (r"2(x+1)=3", "U!times", "2(x+1)"),
        (r"y=\sin 2x+1", "F!sin", r"\sin 2x"),
        (r"1+\sum_{i=1}^n a_i", "O!sum", r"\sum_{i=1}^n a_i"),
        (r"\int_0^1 x\,dx=2", "O!int", r"\int_0^1 x\,dx"),
        (r"c+f(x,y)", "F!f", "f(x,y)"),
        (r"a<b<c", "O!lt", "a<b"),
        (r"x\in[0,1)", "O!interval(C-O)", "[0,1)"),
    ] {
        let (_, opt) = read(latex);
        assert_eq!(&latex[opt.span(find(&opt, tag)).range()], source, "{latex}");
    }
}

#[test]
fn brackets_that_only_group_are_remembered() {
    let (_, opt) = read("(a+b)c+[d-e]");
    assert_eq!(opt.brackets(find(&opt, "O!minus")), Brackets::Square);
    let product = find(&opt, "U!times");
    assert_eq!(opt.brackets(opt.first_child(product).unwrap()), Brackets::Round);
    assert_eq!(opt.brackets(product), Brackets::None);
}

/// What must hold for any tree: every letter is there, parts lie in what they are parts of, and reading again
/// gives the same.
fn check_any(slt: &Slt, again: &mut SltToOpt) -> Result<(), TestCaseError> {
    let (mut opt, mut second) = (Opt::default(), Opt::default());
    again.read(slt, &mut opt);
    from_slt(slt, &mut second);
    let string = opt.to_string();
    prop_assert_eq!(&string, &second.to_string());
    prop_assert_eq!(Opt::read(&string).map(|read| read.to_string()), Ok(string.clone()));
    for id in opt.preorder() {
        if let Some(parent) = opt.parent(id) {
            let (inner, outer) = (opt.span(id), opt.span(parent));
            prop_assert!(
                inner.is_empty() || outer.start <= inner.start && inner.end <= outer.end,
                "{} in {}: {}",
                opt.tag(id),
                opt.tag(parent),
                string
            );
        }
    }
    for id in slt.preorder() {
        let tag = slt.tag(id);
        let letter = matches!(tag.as_bytes(), [b'V' | b'N' | b'T' | b'E', b'!', ..] | [b'?', ..]);
        // Those that a sign or a name stands for.
        let known = ["V!d", "V!¬", "V!∞", "V!∂", "V!∇", "V!#", "N!1", "N!2", "T!d", "V!mod", "T!mod"]
            .contains(&tag)
            || tag.len() == 2;
        let name = tag.strip_prefix("V!").or(tag.strip_prefix("T!")).unwrap_or(tag);
        let ascii = tag.is_ascii() && !name.ends_with(['.', ';']);
        if letter && ascii && !known && slt.root().is_some() {
            prop_assert!(string.contains(name), "{} is not in {}", tag, string);
        }
    }
    Ok(())
}

/// Pieces of LaTeX that make trees of all kinds.
fn latex_pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "x",
        "y",
        "2",
        "f",
        "d",
        "+",
        "-",
        "=",
        "<",
        ",",
        "(",
        ")",
        "[",
        "]",
        r"\{",
        r"\}",
        "|",
        r"\langle",
        r"\rangle",
        "^",
        "_",
        "{",
        "}",
        r"\frac",
        r"\sqrt",
        r"\sin",
        r"\log",
        r"\sum",
        r"\int",
        "dx",
        r"\lim",
        r"\forall",
        r"\exists",
        ":",
        r"\land",
        r"\to",
        r"\partial",
        r"\nabla",
        "!",
        "'",
        r"\mod",
        r"\pmod",
        r"\text{if}",
        r"\quad",
        "&",
        r"\\",
        r"\begin{cases}",
        r"\end{cases}",
        r"\begin{matrix}",
        r"\end{matrix}",
        r"\left(",
        r"\right)",
        r"\bar",
        r"\cdots",
        "/",
        r"\cdot",
        r"\neg",
        r"\in",
        r"\mid",
        r"\max",
        ".",
        ";",
        "?x",
        r"\lfloor",
        r"\rfloor",
        r"\|",
        "arg",
        "mod",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.join(" "))
}

/// Strings of layout trees with anything anywhere.
fn layout_string() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec![
        "V!x",
        "V!yy",
        "N!3",
        "+",
        "=",
        "∑",
        "∫",
        "d",
        "V!d",
        "|",
        "(",
        ")",
        "⟨",
        "⟩",
        "&comma;",
        "M!()1x1",
        "M!()1x2",
        "M!2x2",
        "M!{}1x2",
        "M!||1x1",
        "M!1x1",
        "O!divide",
        "O!root",
        "T!if",
        "W!",
        "?q",
        "∀",
        "′",
        "lim",
        "V!sin",
        "!",
        "mod",
        ":",
        "box",
        "E!bad",
        "∂",
        "≡",
        "V!#",
        "{",
        "/",
        "M!&lsqb;)1x2",
        "M!||1x1",
        "|",
        "∧",
        "-",
        "¯",
    ]);
    let leaf = tag.clone().prop_map(|tag| format!("[{tag}]"));
    leaf.prop_recursive(6, 40, 4, move |inner| {
        let edge = prop::sample::subsequence(vec!["a", "b", "o", "u", "c", "d", "w", "e"], 0..3);
        (tag.clone(), prop::option::of(inner.clone()), edge, prop::collection::vec(inner, 3)).prop_map(
            |(tag, next, edges, children)| {
                let mut string = format!("[{tag}{}", next.unwrap_or_default());
                for (edge, child) in edges.iter().zip(children) {
                    string += &format!(",{edge}{child}");
                }
                string + "]"
            },
        )
    })
}

proptest! {
    #[test]
    fn any_latex_gives_a_whole_tree(text in ".{0,60}", pieces in latex_pieces()) {
        let mut to_opt = SltToOpt::default();
        let mut slt = Slt::default();
        for latex in [text, pieces] {
            formula::slt::from_latex(&latex::parse_bytes(latex.as_bytes(), latex::Mode::Query).tree, &mut slt);
            check_any(&slt, &mut to_opt)?;
        }
    }

    #[test]
    fn any_layout_string_gives_a_whole_tree(string in layout_string()) {
        let slt = Slt::read_repaired(&string).unwrap();
        check_any(&slt, &mut SltToOpt::default())?;
    }
}

#[test]
fn long_and_deep_formulas_come_back() {
    for latex in [
        "x".repeat(100_000),
        "(".repeat(100_000),
        "(".repeat(50_000) + &")".repeat(50_000),
        "|".repeat(50_000),
        "|a|=[b:c]".repeat(10_000) + "|d|",
        "a|b+".repeat(20_000),
        "-".repeat(50_000),
        "a-b/".repeat(20_000),
        "a<".repeat(20_000),
        "a-".repeat(50_000),
        "n".to_owned() + &"!".repeat(50_000),
        r"\sin".repeat(30_000),
        r"\sum".repeat(30_000),
        r"\int".repeat(30_000),
        r"\int dx".repeat(10_000),
        r"\forall x".repeat(20_000),
        r"\langle a|".repeat(20_000),
        r"\frac{d}{dx}".repeat(5_000),
        r"a(b".repeat(20_000),
        "x(".repeat(100) + &"a<b<c".repeat(10) + &")".repeat(100),
        "a<(".repeat(120) + "b" + &")<c".repeat(120),
        "a^b^c".repeat(20_000),
        "a,b=".repeat(20_000),
        r"\neg a\equiv b\to".repeat(10_000),
        r"\exists x a\iff".repeat(10_000),
        r"\neg".repeat(30_000),
        "a:".repeat(30_000),
        "f(".repeat(30_000),
        r"\{a|".repeat(20_000),
        r"\sqrt{".repeat(300) + "x" + &"}".repeat(300),
    ] {
        let (slt, opt) = read(&latex);
        assert!(slt.root().is_some() && opt.root().is_some());
        // Chains repeat their operands, so not more than a fixed number of times as many.
        assert!(opt.len() < 600 * (slt.len() + 10), "{}", &latex[..20]);
    }
}
