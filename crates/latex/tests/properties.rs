//! What holds for every input.

use latex::{Kind, Mode, Parse, Reader, Tree, parse_bytes};
use proptest::prelude::*;

/// Pieces of LaTeX, whole and broken, for formulas that are almost right.
const PIECES: &[&str] = &[
    "x",
    "y",
    "12",
    "1.5",
    "+",
    "=",
    " ",
    "(",
    ")",
    "[",
    "]",
    "|",
    ".",
    ",",
    "'",
    "’",
    "²",
    "₁",
    "α",
    "𝑥",
    "é",
    "\u{301}",
    "^",
    "_",
    "{",
    "}",
    "&",
    "#",
    "#1",
    "$",
    "%",
    "%\n",
    "~",
    "?",
    "?x",
    "\\",
    "\\\\",
    "\\\\[2pt]",
    "\\ ",
    "\\,",
    "&lt;",
    "&amp;",
    "\n",
    "\\frac",
    "\\sqrt",
    "\\sqrt[",
    "\\root",
    "\\of",
    "\\over",
    "\\choose",
    "\\above1pt",
    "\\left",
    "\\left(",
    "\\right",
    "\\right)",
    "\\middle|",
    "\\big",
    "\\bigl(",
    "\\begin{matrix}",
    "\\end{matrix}",
    "\\begin{array}{c|c}",
    "\\end{array}",
    "\\begin{align}",
    "\\end{align}",
    "\\begin{foo}",
    "\\end",
    "\\begin",
    "\\begin{CD}",
    "\\end{CD}",
    "\\matrix",
    "\\cases{",
    "\\cr",
    "\\text",
    "\\text{",
    "\\mbox{",
    "\\(",
    "\\)",
    "\\bf",
    "\\mathbb",
    "\\rm",
    "\\hat",
    "\\underbrace",
    "\\sum",
    "\\int",
    "\\limits",
    "\\sin",
    "\\operatorname",
    "\\operatorname*{",
    "\\mathop",
    "\\not",
    "\\overset",
    "\\buildrel",
    "\\xrightarrow",
    "\\sideset",
    "\\prescript",
    "\\boxed",
    "\\fbox",
    "\\cancelto",
    "\\phantom",
    "\\smash[",
    "\\displaystyle",
    "\\color{red}",
    "\\textcolor",
    "\\hskip",
    "1em",
    " plus 2pt",
    "\\hspace",
    "\\tag{1}",
    "\\label",
    "\\def\\a",
    "\\def\\b#1{#1x}",
    "\\def\\c#1#2{#2#1}",
    "\\newcommand\\d[2][y]{#1#2}",
    "\\newcommand",
    "[1]",
    "\\let\\a=",
    "\\DeclareMathOperator\\a{",
    "\\a",
    "\\b",
    "\\c",
    "\\d",
    "\\pmod",
    "\\bra",
    "\\braket",
    "\\qvar{x}",
    "\\simto",
    "\\qvar@construct",
    "\\unicode{x3b1}",
    "\\char",
    "\"41",
    "\\ce",
    "\\xymatrix",
    "\\verb|",
    "\\bgroup",
    "\\egroup",
    "\\sp",
    "\\@@eqnarray",
    "\\foo",
    "\\'",
    "\\dots",
    "\\mathchoice",
    "\\genfrac",
    "\\hline",
    "\\href",
    "\\array{",
    "\\array",
    "\\arrayopts{\\collayout{left right}}",
    "\\arrayopts",
    "\\underoverset",
    "\\tensor",
    "\\tensor[_",
    "\\multiscripts",
    "\\Set",
    "\\abs",
    "\\Hom",
    "&\\displaystyle amp;",
    "&$\\displaystyle amp;",
    "&\\displaystyle lt;",
    "$&$\\displaystyle gt;",
    "\\begin{matrix}{x\\hfil&",
    "\\hfil\\\\",
    "\\end{document}",
    "\\lx@foo",
    "{&}amp;",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

/// Visits every node with the ids of its children.
fn visit(tree: &Tree, mut check: impl FnMut(&latex::Node, &latex::Node)) -> usize {
    let root = tree.root().expect("there is a tree");
    let mut stack = vec![root];
    let mut children = Vec::new();
    let mut seen = 0;
    while let Some(id) = stack.pop() {
        seen += 1;
        assert!(seen <= tree.len(), "a node hangs in two places");
        children.clear();
        tree.children(id, &mut children);
        for &(_, child) in &children {
            check(tree.node(id), tree.node(child));
            stack.push(child);
        }
    }
    seen
}

fn check_spans(source: &[u8], parse: &Parse) {
    let text = std::str::from_utf8(source).ok();
    let check = |span: latex::Span| {
        assert!(span.start <= span.end && span.end as usize <= source.len(), "{span:?} of {}", source.len());
        if let Some(text) = text {
            assert!(text.get(span.range()).is_some(), "{span:?} cuts a character of {text:?}");
        }
    };
    visit(&parse.tree, |parent, child| {
        check(child.span);
        assert!(
            parent.span.start <= child.span.start && child.span.end <= parent.span.end,
            "{child:?} reaches out of {parent:?} in {:?}",
            String::from_utf8_lossy(source)
        );
    });
    let root = parse.tree.root().expect("there is a tree");
    assert_eq!(parse.tree.node(root).span.range(), 0..source.len());
    for diagnostic in &parse.diagnostics {
        check(diagnostic.span);
    }
    assert!(parse.diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span.start));
}

fn check_all(source: &[u8]) {
    let mut reader = Reader::default();
    for mode in [Mode::Document, Mode::Query, Mode::Document] {
        let parse = parse_bytes(source, mode);
        check_spans(source, &parse);
        let again = reader.read(source, mode);
        assert_eq!(parse.tree.to_string(), again.tree.to_string(), "a reused reader reads the same");
        assert_eq!(parse.diagnostics, again.diagnostics);
    }
}

/// Characters that TeX shows as they are, whatever stands beside them.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphabetic() || "+-=<>()[]|,;:!/*@αβ≤→∑".contains(c)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_byte_string_has_a_tree(source in prop::collection::vec(any::<u8>(), 0..200)) {
        check_all(&source);
    }

    #[test]
    fn every_string_has_a_tree(source in "\\PC{0,60}") {
        check_all(source.as_bytes());
    }

    #[test]
    fn every_soup_of_latex_has_a_tree(source in soup()) {
        check_all(source.as_bytes());
    }

    #[test]
    fn macros_keep_spans_in_order(source in soup()) {
        check_all(format!(r"\def\a#1#2#3{{{{#3}}_{{#1}}\frac#2}}\newcommand\b[1][z]{{\left(#1\a}}{source}").as_bytes());
    }

    #[test]
    fn a_prefix_of_a_formula_has_a_tree(source in soup(), cut in any::<prop::sample::Index>()) {
        let cut = cut.index(source.len() + 1);
        check_all(&source.as_bytes()[..cut]);
    }

    #[test]
    fn what_is_typed_plainly_is_found_where_it_stands(source in "[a-zA-Z+=<>()\\[\\]|,;:!/*@αβ≤→∑ {}^_-]{0,40}") {
        let parse = latex::parse(&source);
        let mut shown = 0;
        for node in parse.tree.nodes() {
            if let Kind::Symbol { text, .. } = node.kind {
                assert_eq!(parse.tree.text(text), &source[node.span.range()]);
                shown += 1;
            }
        }
        // Nothing is lost.
        assert_eq!(shown, source.chars().filter(|&c| is_plain(c)).count());
    }

    #[test]
    fn letters_are_never_lost(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..20)) {
        // Definitions keep letters for later; the name of an environment is in no node of its own.
        let hides = |piece: &&str| {
            let names = ["\\a", "\\b", "\\c", "\\d", "\\begin", "\\end"];
            let definitions = ["\\def", "\\new", "\\let", "\\Declare"];
            names.contains(piece) || definitions.iter().any(|name| piece.starts_with(name))
        };
        let pieces: Vec<&str> = pieces.into_iter().filter(|piece| !hides(piece)).collect();
        // A mark that is never part of a command or an environment's columns.
        let source = pieces.join("é");
        let parse = latex::parse(&source);
        let mut held = vec![false; source.len()];
        for node in parse.tree.nodes() {
            let is_leaf = matches!(
                node.kind,
                Kind::Symbol { .. } | Kind::TextRun { .. } | Kind::Space(_) | Kind::ColorSwitch(_) | Kind::Tag(_)
                    | Kind::Wildcard(_) | Kind::Opaque { .. } | Kind::Delimiter { .. }
            );
            if is_leaf {
                held[node.span.range()].fill(true);
            }
        }
        for diagnostic in &parse.diagnostics {
            held[diagnostic.span.range()].fill(true);
        }
        for (at, _) in source.match_indices('é') {
            prop_assert!(held[at], "{source:?} loses the letter at {at}\n{}", parse.tree);
        }
    }

    #[test]
    fn what_follows_another_formula_does_not_depend_on_it(first in soup(), second in soup()) {
        let mut reader = Reader::default();
        reader.read(first.as_bytes(), Mode::Query);
        let reused = reader.read(second.as_bytes(), Mode::Document).clone();
        let fresh = latex::parse(&second);
        assert_eq!(reused.tree.to_string(), fresh.tree.to_string());
        assert_eq!(reused.diagnostics, fresh.diagnostics);
    }
}

/// Every `q` is in the tree, or in the span of a diagnostic.
#[test]
fn nothing_typed_is_lost() {
    let sources = [
        r"a\label{b}c",
        r"\multicolumn{2}{c}{d}",
        r"\cfrac[l]{a}{b}",
        r"\left(a",
        r"a\over b\over c",
        r"a&b\end{x}c",
        r"\hskip q",
        r"\kern 3x y",
        r"\left{q\right}",
        r"\big q",
        r"\sideset{q}{}\sum",
        r"{\def\q}",
        r"\newcommand{q}{r}",
        r"\verb|q",
        r"\text{q",
        r"\sqrt[q",
        r"\begin{array}[q]{c}x\end{array}",
        r"\smash[q]x",
        r"\mathchoice abcd",
        r"%q",
        r"\text{a%q",
        r"\xy q",
        r"\genfrac qrs4ab",
        r"\root q",
        r"\buildrel q",
        r"\char q",
        r"\href{q}{x}",
        r"\limits q",
        r"\begin{q}",
        r"\end{q}",
        r"\begin{matrix}\end{q}",
        r"\operatorname q",
        r"\'q",
        r"\'\foo q",
        r"\noalign{q}",
        r"\array{\arrayopts{\collayout{left q}}x}",
        r"\array{\arrayopts{q}x}",
        r"\tensor{T}{q}",
        r"\tensor[q]{T}{}",
        r"\multiscripts{_q^}{T}q",
        r"\begin{matrix}{x\hfil&q",
        r"\qvar@construct{q}",
        r"\lx@foo{q}",
    ];
    for source in sources {
        let parse = latex::parse(source);
        let mut held = vec![false; source.len()];
        visit(&parse.tree, |_, child| {
            if !matches!(child.kind, Kind::Row(_) | Kind::Table { .. } | Kind::TableRow(_)) {
                held[child.span.range()].fill(true);
            }
        });
        for diagnostic in &parse.diagnostics {
            held[diagnostic.span.range()].fill(true);
        }
        let lost = source.match_indices('q').find(|&(at, _)| !held[at]);
        assert!(lost.is_none(), "{source} loses {lost:?}\n{}", parse.tree);
    }
}
