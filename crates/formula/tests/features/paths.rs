//! approach0's operator trees and paths.

use super::{any_latex, monsters, slt};
use formula::features::paths::{PathTree, PathTreeBuilder, Paths, Pruning, Token, WildcardPaths};
use formula::features::{PathExtractor, PathOptions};
use formula::slt::Slt;
use proptest::prelude::*;

/// The tree, with `x` for a letter in its hanger.
fn tree(latex: &str) -> String {
    let mut slt = Slt::default();
    formula::slt::from_latex(&latex::parse_bytes(latex.as_bytes(), latex::Mode::Query).tree, &mut slt);
    let mut tree = PathTree::default();
    PathTreeBuilder::default().build(&slt, &mut tree);
    let mut text = tree.to_string();
    for letter in ('a'..='z').chain('A'..='Z') {
        text = text.replace(&format!("HANGER(BASE(VAR:{letter}))"), &letter.to_string());
    }
    text
}

fn paths(options: PathOptions, latex: &str) -> Paths {
    let mut paths = Paths::default();
    PathExtractor::new(options).slt(&slt(latex), &mut paths);
    paths
}

#[test]
fn the_worked_example() {
    assert_eq!(tree("k(y+5)"), "TIMES(k,GROUP(ADD(SIGN(y),SIGN(NUM:5))))");
    let paths = paths(PathOptions::default(), "k(y+5)");
    let texts: Vec<_> = paths.iter().map(|path| path.to_string()).collect();
    assert_eq!(
        texts,
        [
            "VAR/BASE",
            "VAR/BASE/HANGER",
            "VAR/BASE/HANGER/TIMES",
            "VAR/BASE",
            "VAR/BASE/HANGER",
            "VAR/BASE/HANGER/SIGN",
            "VAR/BASE/HANGER/SIGN/ADD",
            "VAR/BASE/HANGER/SIGN/ADD/GROUP",
            "VAR/BASE/HANGER/SIGN/ADD/GROUP/TIMES",
            "NUM/SIGN",
            "NUM/SIGN/ADD",
            "NUM/SIGN/ADD/GROUP",
            "NUM/SIGN/ADD/GROUP/TIMES",
        ]
    );
    assert!(paths.iter().all(|path| path.width() == 1));
    assert_eq!(paths.leaves(), 3);
}

#[test]
fn trees_as_approach0_makes_them() {
    for (latex, expected) in [
        ("x", "x"),
        ("42", "NIL(NUM:42)"),
        ("a+b+c", "ADD(SIGN(a),SIGN(b),SIGN(c))"),
        ("-a", "ADD(SIGN(a))"),
        ("a+(b+c)", "ADD(SIGN(a),SIGN(GROUP(ADD(SIGN(b),SIGN(c)))))"),
        ("abc", "TIMES(a,b,c)"),
        (r"a\times bc", "TIMES(a,b,c)"),
        ("a/b", "FRAC(a,b)"),
        ("ab/cd", "TIMES(FRAC(TIMES(a,b),c),d)"),
        (r"\frac ab c", "TIMES(FRAC(a,b),c)"),
        ("a/b/c", "FRAC(FRAC(a,b),c)"),
        ("(a+b)/(c)(d)", "TIMES(FRAC(ADD(SIGN(a),SIGN(b)),c),GROUP(d))"),
        (r"\frac{(a)}{b}", "FRAC(a,b)"),
        ("(a)(b)/c", "FRAC(TIMES(GROUP(a),GROUP(b)),c)"),
        ("()/b", "FRAC(GROUP:(,b)"),
        ("a<b=c", "GTLS(a,b,c)"),
        ("a+b=c,d=e", "SEP(GTLS(ADD(SIGN(a),SIGN(b)),c),GTLS(d,e))"),
        ("f(x,y)", "TIMES(f,GROUP(SEP(x,y)))"),
        ("(a,b,c)", "GROUP(SEP(a,SEP(b,c)))"),
        (r"\lfloor x\rfloor", "FLOOR(x)"),
        (r"\sqrt[n]{x}", "ROOT(x,n)"),
        (r"\binom nk", "BINOM(n,k)"),
        ("n!m", "TIMES(FACT(n),m)"),
        ("ab!", "TIMES(a,FACT(b))"),
        ("a_1^2", "HANGER(BASE(VAR:a),SUPSCRIPT(NUM:2),SUBSCRIPT(ONE:1))"),
        ("(a)^2", "HANGER(SUPSCRIPT(NUM:2),BASE(GROUP(a)))"),
        ("2^n", "HANGER(SUPSCRIPT(n),BASE(NUM:2))"),
        ("x''", "HANGER(BASE(VAR:x),SUPSCRIPT(PRIME:′),SUPSCRIPT(PRIME:′))"),
        ("f'^2", "HANGER(BASE(VAR:f),SUPSCRIPT(PRIME:′),SUPSCRIPT(NUM:2))"),
        (r"\sin x", "TIMES(TRIGONOMETRIC:sin,x)"),
        (r"\sin^2 x", "TIMES(HANGER(SUPSCRIPT(NUM:2),BASE(TRIGONOMETRIC:sin)),x)"),
        ("nlogn", "TIMES(n,LOG:log,n)"),
        ("sin^2x", "TIMES(HANGER(SUPSCRIPT(NUM:2),BASE(TRIGONOMETRIC:sin)),x)"),
        ("s i n", "TIMES(s,i,n)"),
        ("s^2in", "TIMES(HANGER(BASE(VAR:s),SUPSCRIPT(NUM:2)),i,n)"),
        (r"\sum_i x", "TIMES(SUM(SUBSCRIPT(i),BASE(SUM:∑)),x)"),
        (r"\lim_{x\to 0}f", "TIMES(LIM(SUBSCRIPT(ARROW(x,ZERO:0)),BASE(LIM:lim)),f)"),
        (r"\max_i x", "TIMES(HANGER(SUBSCRIPT(i),BASE(MAXMIN:max)),x)"),
        ("3.14", "FLOAT(NUM:3,NUM:14)"),
        (r"a\in B=c", "INNI(a,GTLS(B,c))"),
        (r"a=b\to c", "ARROW(GTLS(a,b),c)"),
        (r"a\to b,c", "ARROW(a,SEP(b,c))"),
        (r"a+b\cup c", "CAPCUP(ADD(SIGN(a),SIGN(b)),c)"),
        (r"a+b\bmod c", "MODULAR(ADD(SIGN(a),SIGN(b)),c)"),
        (r"a\equiv b\pmod n", "GTLS(a,MODULAR(b,n))"),
        ("n!!", "FACT(FACT(n))"),
        (r"\forall x\in A", "FORALL(INNI(x,A))"),
        (r"\vec x", "VECT(x)"),
        (r"\overline{x}", "x"),
        (r"a^*", "HANGER(BASE(VAR:a),SUPSCRIPT(HANGER(BASE(STAR:*))))"),
        (r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", "TAB_ROW(TAB_COL(a,b),TAB_COL(c,d))"),
        (r"\begin{align}a&=b\\c&=d\end{align}", "SEP(GTLS(a,b),GTLS(c,d))"),
        ("a=", "GTLS(a)"),
        ("+a", "ADD(SIGN(a))"),
        ("()", "NIL(GROUP:()"),
        (r"\{x:x>0\}", "GROUP(SEP(x,GTLS(x,ZERO:0)))"),
        ("?x+1", "ADD(SIGN(WILDCARD:x),SIGN(ONE:1))"),
        ("", ""),
    ] {
        assert_eq!(tree(latex), expected, "{latex}");
    }
}

#[test]
fn positions_below_operators_with_an_order() {
    let texts = |latex| {
        let paths = paths(PathOptions::default(), latex);
        let mut longest: Vec<_> = paths.iter().map(|path| path.to_string()).collect();
        longest.retain(|path| path.ends_with("FRAC") || path.ends_with("SEP"));
        longest
    };
    assert_eq!(texts(r"\frac 12"), ["ONE/1/FRAC", "NUM/2/FRAC"]);
    assert_eq!(texts("1,2"), ["ONE/1/SEP", "NUM/2/SEP"]);
    // No beginning ends with a position.
    let all = paths(PathOptions::default(), r"\frac{a}{1}");
    assert!(all.iter().all(|path| !path.to_string().ends_with(['1', '2', '3'])));
}

#[test]
fn leaves_of_one_path_are_counted() {
    let found = paths(PathOptions::default(), "x+x+y+1");
    let sum = found.iter().find(|path| path.to_string() == "VAR/BASE/HANGER/SIGN/ADD").unwrap();
    assert_eq!(sum.width(), 3);
    assert_eq!(sum.splits().iter().map(|split| split.width).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn too_many_leaves_are_rejected() {
    let row = |count| "x".repeat(count);
    assert!(!paths(PathOptions::default(), &row(64)).is_empty());
    let too_many = paths(PathOptions::default(), &row(65));
    assert!(too_many.is_empty() && too_many.leaves() == 65);
    let more = PathOptions { most_leaves: 100, ..PathOptions::default() };
    assert!(!paths(more, &row(65)).is_empty());
}

#[test]
fn static_pruning() {
    let all = paths(PathOptions::default(), "a+b+c+d+e");
    let options = PathOptions { pruning: Pruning::APPROACH0, ..PathOptions::default() };
    let pruned = paths(options, "a+b+c+d+e");
    // One leaf of five is no more than a fifth.
    assert_eq!(all.iter().count(), 5 * 3 + 1);
    assert_eq!(pruned.iter().map(|path| path.to_string()).collect::<Vec<_>>(), ["VAR/BASE/HANGER/SIGN/ADD"]);
    let two = PathOptions { pruning: Pruning::Static { share: 0.0, most: 2 }, ..PathOptions::default() };
    let mut texts: Vec<_> = paths(two, "a+b").iter().map(|path| path.to_string()).collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts, ["VAR/BASE", "VAR/BASE/HANGER"]);
}

#[test]
fn wildcards_are_never_indexed() {
    let mut query = Slt::default();
    formula::slt::from_latex(&latex::parse_bytes(b"?x+1", latex::Mode::Query).tree, &mut query);
    let count = |wildcards| {
        let mut paths = Paths::default();
        PathExtractor::new(PathOptions { wildcards, ..PathOptions::default() }).slt(&query, &mut paths);
        paths.iter().filter(|path| path.steps()[0].to_string() == "WILDCARD").count()
    };
    assert_eq!([WildcardPaths::Skip, WildcardPaths::Keep].map(count), [0, 2]);
}

#[test]
fn classes_have_different_names() {
    let mut names: Vec<_> = Token::ALL.iter().map(|token| token.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Token::ALL.len());
}

#[test]
fn monsters_end() {
    let mut extractor = PathExtractor::default();
    let mut paths = Paths::default();
    for latex in monsters() {
        extractor.slt(&slt(&latex), &mut paths);
        let _ = extractor.tree().to_string();
    }
}

proptest! {
    #[test]
    fn any_input_has_a_tree(latex in any_latex()) {
        let mut slt = Slt::default();
        formula::slt::from_latex(&latex::parse_bytes(&latex, latex::Mode::Query).tree, &mut slt);
        let mut paths = Paths::default();
        let mut extractor = PathExtractor::default();
        extractor.slt(&slt, &mut paths);
        let tree = extractor.tree();
        for node in tree.preorder() {
            for child in tree.children(node) {
                prop_assert_eq!(tree.parent(child), Some(node));
            }
        }
        // Each leaf has one path to the root, unless that is too far.
        if let Some(root) = tree.root() && !paths.is_empty() {
            let widths: u32 = paths.iter().filter(|path| path.root() == root).map(|path| path.width()).sum();
            prop_assert_eq!(widths as usize, paths.leaves());
        }
    }
}
