//! Symbol pairs.

use super::{any_latex, monsters, slt};
use formula::features::{EndOfBaseline, Location, Pair, PairExtractor, PairOptions, Side, Wildcards};
use formula::opt::Opt;
use formula::slt::Slt;
use proptest::prelude::*;

const TANGENT_S: PairOptions = PairOptions { window: 4, end_of_baseline: EndOfBaseline::Small };

fn check(tree: &str, options: PairOptions, expected: &[&str]) {
    let mut found = pairs(tree, options);
    found.sort();
    let mut expected: Vec<_> = expected.iter().map(|pair| format!("({pair})")).collect();
    expected.sort();
    assert_eq!(found, expected, "{tree}");
}

/// Layout trees and operator trees: the latter have a label `0` before their first child.
fn pairs(tree: &str, options: PairOptions) -> Vec<String> {
    let mut found = Vec::new();
    let mut extractor = PairExtractor::new(options);
    if tree.contains(",0[") || tree.starts_with("[O!op") {
        extractor.opt(&Opt::read(tree).expect("a tree"), |pair| found.push(pair.to_string()));
    } else {
        extractor.slt(&Slt::read(tree).expect("a tree"), |pair| found.push(pair.to_string()));
    }
    found
}

#[test]
fn worked_examples() {
    let x2_1 = "[V!x[+[N!1]],a[N!2]]";
    check(x2_1, TANGENT_S, &["V!x,+,n", "V!x,N!1,nn", "V!x,N!2,a", "+,N!1,n"]);
    check("[V!x,a[N!2]]", TANGENT_S, &["V!x,N!2,a", "V!x,0!,n", "N!2,0!,n"]);
    check(
        x2_1,
        PairOptions::TANGENT_CFT,
        &["V!x,+,n", "V!x,N!1,nn", "V!x,N!2,a", "+,N!1,n", "N!2,0!,n", "N!1,0!,n"],
    );
    check(
        "[U!plus,0[O!SUP,0[V!x],1[N!2]],1[N!1]]",
        TANGENT_S,
        &["U!plus,O!SUP,0", "U!plus,V!x,00", "U!plus,N!2,01", "U!plus,N!1,0", "O!SUP,V!x,0", "O!SUP,N!2,1"],
    );
    check(
        "[O!minus,0[U!times,0[V!a],1[V!b]],1[V!c]]",
        TANGENT_S,
        &[
            "O!minus,U!times,0",
            "O!minus,V!a,00",
            "O!minus,V!b,00",
            "O!minus,V!c,1",
            "U!times,V!a,0",
            "U!times,V!b,0",
        ],
    );
    let squares = pairs("[V!a[+[V!b[=[V!c,a[N!2]]],a[N!2]]],a[N!2]]", TANGENT_S);
    let from = |tag: &str| squares.iter().filter(|pair| pair.starts_with(&format!("({tag},"))).count();
    assert_eq!([from("V!a"), from("+"), from("V!b"), from("="), from("V!c")], [6, 5, 4, 2, 1]);
    assert_eq!(squares.len(), 18);
}

#[test]
fn pairs_of_a_part_are_pairs_of_the_whole() {
    let fraction = "[O!divide,0[U!plus,0[V!a],1[V!b]],1[V!c]]";
    let query = format!("[U!eq,0[U!times,0[V!f],1[V!x]],1{fraction}]");
    let candidate = format!("[O!form-seq,0{query},1[O!in,0[V!x],1[U!times,0[T!R],1[V!R]]]]");
    let [query, candidate] = [query, candidate].map(|tree| pairs(&tree, TANGENT_S));
    let mut left = candidate.clone();
    let common = query.iter().filter(|pair| {
        let place = left.iter().position(|other| &other == pair);
        place.inspect(|&place| drop(left.swap_remove(place))).is_some()
    });
    assert_eq!(common.count(), query.len());
}

#[test]
fn ends_of_small_trees_only() {
    check("[V!x]", TANGENT_S, &["V!x,0!,n"]);
    check("[O!op]", TANGENT_S, &["O!op,0!,0"]);
    check("[O!SUP,0[V!x],1[N!2]]", TANGENT_S, &["O!SUP,V!x,0", "O!SUP,N!2,1", "V!x,0!,0", "N!2,0!,0"]);
    let none = PairOptions { end_of_baseline: EndOfBaseline::None, ..TANGENT_S };
    check("[V!x,a[N!2]]", none, &["V!x,N!2,a"]);
}

#[test]
fn errors_inside_a_fence_give_no_pair_and_no_end() {
    let all = PairOptions { window: 1, end_of_baseline: EndOfBaseline::All };
    check("[M!()1x1,w[E!bad]]", all, &["M!()1x1,0!,n"]);
    check("[V!x[E!bad]]", all, &["V!x,E!bad,n"]);
}

#[test]
fn windows() {
    let tree = "[V!a[V!b[V!c[V!d[V!e[V!f]]]]]]";
    let count = |window| pairs(tree, PairOptions { window, ..TANGENT_S }).len();
    assert_eq!([1, 2, 4, 5, 0].map(count), [5, 9, 14, 15, 15]);
    let long = slt(&"x".repeat(2_000));
    let mut counted = 0;
    PairExtractor::new(PairOptions { window: 0, ..TANGENT_S }).slt(&long, |_| counted += 1);
    assert_eq!(counted, (0..2_000).map(|depth: usize| depth.min(255)).sum::<usize>());
}

#[test]
fn locations() {
    let mut found = Vec::new();
    let tree = slt("aaaaaab^2");
    let options = PairOptions { window: 1, ..TANGENT_S };
    PairExtractor::new(options).slt(&tree, |pair| found.push(pair.location.to_string()));
    assert_eq!(found, ["-", "n", "nn", "nnn", "nnnn", "nnnnn", "6n"]);
    assert_eq!(Location("nnna").to_string(), "nnna");
    assert_eq!(Location("nnnnna").to_string(), "5n1a");
}

#[test]
fn hashes_stand_for_texts() {
    let tree = slt(r"\frac{a+b}{\sqrt{x_1^2}} = f(x,y)");
    let mut extractor = PairExtractor::new(PairOptions { window: 0, end_of_baseline: EndOfBaseline::All });
    let mut hashes = Vec::new();
    let mut found = Vec::new();
    extractor.slt_hashes(&tree, &mut hashes);
    extractor.slt(&tree, |pair| {
        let again = Pair::new(pair.ancestor, pair.descendant, pair.path);
        assert_eq!(again.hash(), pair.hash());
        assert_eq!(again, pair);
        found.push((pair.hash(), pair.to_string()));
    });
    assert_eq!(hashes, found.iter().map(|(hash, _)| *hash).collect::<Vec<_>>());
    found.sort();
    found.dedup();
    assert!(found.windows(2).all(|pair| pair[0].0 != pair[1].0));
    // Stored in indexes, so it must stay.
    assert_eq!(Pair::new("V!x", "N!2", "a").hash(), 165_690_453_219_687_772);
}

#[test]
fn wildcards_match_by_what_is_left() {
    let query = Pair::new("?x", "+", "n");
    assert_eq!(query.wildcards(), Wildcards::One(Side::Ancestor));
    let hash = query.hash_without(Side::Ancestor);
    assert_eq!(Pair::new("V!a", "+", "n").hash_without(Side::Ancestor), hash);
    assert_ne!(Pair::new("V!a", "-", "n").hash_without(Side::Ancestor), hash);
    assert_ne!(Pair::new("V!a", "+", "a").hash_without(Side::Ancestor), hash);
    assert_eq!(Pair::new("+", "?y", "n").wildcards(), Wildcards::One(Side::Descendant));
    assert_eq!(Pair::new("?x", "?y", "n").wildcards(), Wildcards::Both);
    assert_eq!(Pair::new("V!x", "0!", "n").wildcards(), Wildcards::None);
}

#[test]
fn memory_used_again_changes_nothing() {
    let mut extractor = PairExtractor::default();
    let all = |extractor: &mut PairExtractor, tree: &Slt| {
        let mut found = Vec::new();
        extractor.slt(tree, |pair| found.push(pair.to_string()));
        found
    };
    let trees = ["x^2+1", "y", r"\frac{a}{b}+\sqrt c", "x^2+1"].map(slt);
    let again: Vec<_> = trees.iter().map(|tree| all(&mut extractor, tree)).collect();
    let fresh: Vec<_> = trees.iter().map(|tree| all(&mut PairExtractor::default(), tree)).collect();
    assert_eq!(again, fresh);
}

#[test]
fn monsters_end() {
    for latex in monsters() {
        let (mut count, tree) = (0, slt(&latex));
        PairExtractor::default().slt(&tree, |_| count += 1);
        assert!(count <= 4 * tree.len() + 2);
    }
}

proptest! {
    #[test]
    fn any_input_has_pairs(latex in any_latex(), window in 0_usize..6) {
        let mut tree = Slt::default();
        formula::slt::from_latex(&latex::parse_bytes(&latex, latex::Mode::Query).tree, &mut tree);
        let nodes = tree.preorder().count();
        let mut extractor = PairExtractor::new(PairOptions { window, end_of_baseline: EndOfBaseline::All });
        let (mut steps, mut ends) = (0, 0);
        extractor.slt(&tree, |pair| {
            if pair.path.len() == 1 && pair.descendant != "0!" { steps += 1 }
            if pair.descendant == "0!" { ends += 1 }
        });
        prop_assert!(steps < nodes.max(1) && ends <= nodes);
    }
}
