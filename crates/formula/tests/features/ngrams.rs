//! Runs of tokens.

use super::{any_latex, monsters, slt};
use formula::features::Tokens;
use formula::slt::Slt;
use proptest::prelude::*;

fn words(tokens: &Tokens) -> String {
    tokens.iter().collect::<Vec<_>>().join(" ")
}

#[test]
fn tokens_of_typed_latex() {
    let mut tokens = Tokens::default();
    for (latex, expected) in [
        ("", ""),
        (r"x^2 + 1", "x ^ 2 + 1"),
        (r"3.14 x_{12}", "3.14 x _ 12"),
        (r"1. 2", "1 . 2"),
        (r"\frac{a}{b}", r"\frac a b"),
        (r"\left. x \right|_0", "x | _ 0"),
        (r"\bigl( x \Bigr)", "( x )"),
        (r"a\,b\;c\quad d~e", "a b c d e"),
        (r"\displaystyle\sum\limits_{i}", r"\sum _ i"),
        (r"\text{for all } x", "for all x"),
        (r"\operatorname{rank} A", "rank A"),
        (r"\color{red} x", "x"),
        (r"\begin{array}{cc} a & b \\ c\end{array}", r"array a & b \\ c array"),
        (r"\{x\}", r"\{ x \}"),
        (r"α+\alpha", r"α + \alpha"),
        (r"x % comment", "x"),
        (r"\", ""),
        (r"\text{a", "a"),
        (r"\hspace{1em", ""),
    ] {
        tokens.read_latex(latex);
        assert_eq!(words(&tokens), expected, "{latex}");
    }
}

#[test]
fn trees_make_spellings_one() {
    let tokens = |latex: &str| {
        let mut tokens = Tokens::default();
        tokens.read_tree(&latex::parse(latex).tree);
        words(&tokens)
    };
    assert_eq!(tokens(r"x^2_1"), tokens(r"{x}_{1}^{2}"));
    assert_eq!(tokens(r"a\over b"), r"\frac a b");
    assert_eq!(tokens(r"\left(x\right)"), "( x )");
}

#[test]
fn tags_in_reading_order() {
    let mut tokens = Tokens::default();
    for (latex, expected) in [
        ("x^2+1", "V!x N!2 + N!1"),
        (r"x_1^2", "V!x N!1 N!2"),
        (r"\frac{a+b}{c}d", "O!divide V!a + V!b V!c V!d"),
        (r"\sqrt[3]{x}", "O!root N!3 V!x"),
        (r"\sum_{i=1}^n i", "∑ V!n V!i = N!1 V!i"),
        (r"f(x,y)", "V!f M!()1x2 V!x &comma; V!y"),
        (r"{ab}^2", "V!a V!b N!2"),
    ] {
        tokens.read_slt(&slt(latex));
        assert_eq!(words(&tokens), expected, "{latex}");
    }
}

#[test]
fn runs_and_their_hashes() {
    let mut tokens = Tokens::default();
    tokens.read_latex("a+b");
    let runs = |tokens: &Tokens, longest| {
        let mut runs = Vec::new();
        tokens.ngrams(longest, |run| runs.push((run.to_string(), run.hash())));
        runs
    };
    let texts: Vec<_> = runs(&tokens, 3).into_iter().map(|(text, _)| text).collect();
    assert_eq!(texts, ["a", "a~+", "a~+~b", "+", "+~b", "b"]);
    assert_eq!(runs(&tokens, 1).len(), 3);
    assert_eq!(runs(&tokens, 0).len(), 0);
    let hash = runs(&tokens, 2)[1].1;
    tokens.read_latex("1 a +");
    assert_eq!(runs(&tokens, 2)[3], ("a~+".to_owned(), hash));
}

#[test]
fn monsters_end() {
    let mut tokens = Tokens::default();
    for latex in monsters() {
        tokens.read_latex(&latex);
        assert!(tokens.len() <= latex.len());
        tokens.read_tree(&latex::parse(&latex).tree);
        tokens.read_slt(&slt(&latex));
    }
}

proptest! {
    #[test]
    fn any_input_has_tokens(latex in any_latex(), longest in 0_usize..20) {
        let mut tokens = Tokens::default();
        tokens.read_latex(&String::from_utf8_lossy(&latex));
        let tree = latex::parse_bytes(&latex, latex::Mode::Query).tree;
        tokens.read_tree(&tree);
        let mut count = 0;
        tokens.ngrams(longest, |run| { assert!(!run.to_string().is_empty()); count += 1; });
        prop_assert!(count <= tokens.len() * 8);
        let mut slt = Slt::default();
        formula::slt::from_latex(&tree, &mut slt);
        tokens.read_slt(&slt);
        prop_assert!(tokens.len() <= slt.len());
    }
}
