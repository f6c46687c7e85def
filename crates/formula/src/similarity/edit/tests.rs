//! Distances by hand, by definition, and those of the labs.

use super::*;
use crate::similarity::random;
use proptest::prelude::*;

fn distance(one: &EditTree, other: &EditTree, costs: Costs) -> f64 {
    match EditDistance::default().distance(one, other, costs) {
        Distance::Exact(distance) => distance,
        bounds @ Distance::Between { .. } => panic!("{bounds:?}"),
    }
}

fn slt(text: &str) -> EditTree {
    EditTree::slt(&Slt::read(text).unwrap(), Labels::Tags)
}

#[test]
fn worked_examples() {
    for (one, other, costs, expected) in [
        // One deleted, one inserted, of four each.
        ("[V!x[+[N!1]],a[N!2]]", "[V!x[+[N!1[N!3]]]]", Costs::SLT, 0.6),
        ("[V!x[+[N!1]],a[N!2]]", "[V!y[+[N!1]],a[N!2]]", Costs::SLT, 0.4),
        ("[V!x[+[N!1]],a[N!2]]", "[V!y[+[N!1]],a[N!2]]", Costs::OPT, 0.2),
        ("[V!a[+[V!b[=[V!c]]]]]", "[V!a[=[V!c]]]", Costs::UNIT, 2.0),
        ("[V!a[=[V!c]]]", "[V!a[+[V!b[=[V!c]]]]]", Costs::SLT, 0.4),
        ("[V!x,a[N!2]]", "[V!x,b[N!2]]", Costs::UNIT, 0.0),
    ] {
        assert_eq!(distance(&slt(one), &slt(other), costs), expected, "{one} {other}");
    }
    let (one, other) = (slt("[V!x[+[N!1]],a[N!2]]"), slt("[V!x[+[N!1[N!3]]]]"));
    let found = EditDistance::default().distance(&one, &other, Costs::SLT);
    assert_eq!((found.share_kept(&one, &other), found.inverse()), (0.925, 0.625));
    let edges = |text| EditTree::slt(&Slt::read(text).unwrap(), Labels::TagsAndEdges);
    assert_eq!(distance(&edges("[V!x,a[N!2]]"), &edges("[V!x,b[N!2]]"), Costs::UNIT), 1.0);
    let nothing = EditTree::default();
    assert_eq!(distance(&nothing, &one, Costs::SLT), 0.8);
    assert_eq!(distance(&one, &nothing, Costs::SLT), 1.6);
    assert_eq!(
        EditDistance::default().distance(&nothing, &nothing, Costs::SLT).share_kept(&nothing, &nothing),
        1.0
    );
}

/// The distances of small trees with the labs' costs, ten of which are a distance of one.
#[test]
fn distances_of_the_labs() {
    let opt = |text: &str| EditTree::opt(&Opt::read(text).unwrap(), Labels::Tags);
    let square = slt("[V!x,a[N!2]]");
    let squares = [square.clone(), slt("[V!y,a[N!2]]"), slt("[V!x[+[N!1]],a[N!2]]")];
    let opt_square = opt("[O!SUP,0[V!x],1[N!2]]");
    let opt_squares = [opt("[O!SUP,0[V!y],1[N!2]]"), opt("[U!plus,0[O!SUP,0[V!x],1[N!2]],1[N!1]]")];
    let [_, other, sum] = &squares;
    for (costs, expected) in [
        (Costs::tenths(1, 1, 1), [1, 2, 2, 1, 2]),
        (Costs::tenths(4, 2, 4), [4, 4, 8, 4, 4]),
        (Costs::tenths(3, 2, 2), [2, 4, 6, 2, 4]),
        (Costs::tenths(9, 1, 8), [8, 2, 18, 8, 2]),
        (Costs::tenths(8, 1, 5), [5, 2, 16, 5, 2]),
    ] {
        let pairs = [
            (&square, other),
            (&square, sum),
            (sum, &square),
            (&opt_square, &opt_squares[0]),
            (&opt_square, &opt_squares[1]),
        ];
        let found = pairs.map(|(one, other)| distance(one, other, costs) * 10.0);
        assert_eq!(found.map(|tenths| tenths.round() as i32), expected, "{costs:?}");
    }
    let found = EditDistance::default().distance(&square, other, Costs::SLT);
    assert!((found.inverse() - 0.714_286).abs() < 1e-6);
    assert!((found.share_kept(&square, other) - 0.9).abs() < 1e-12);
    // Of 19 and 23 nodes, a distance of 8 tenths keeps this share; of 8 and 10 nodes, one of 12.
    let nodes = |count| chain(count, |_| "V!x".to_owned());
    let kept =
        |tenths: f64, one, other| Distance::Exact(tenths / 10.0).share_kept(&nodes(one), &nodes(other));
    assert!((kept(8.0, 19, 23) - 0.980_952).abs() < 1e-6);
    assert!((kept(12.0, 8, 10) - 0.933_333).abs() < 1e-6);
}

#[test]
fn kinds_alone_hide_names() {
    let kinds = |text: &str| EditTree::slt(&Slt::read(text).unwrap(), Labels::Types);
    assert_eq!(distance(&kinds("[V!x,a[N!2]]"), &kinds("[V!y,a[N!3]]"), Costs::UNIT), 0.0);
    assert_eq!(distance(&kinds("[V!x,a[N!2]]"), &kinds("[V!x,a[V!y]]"), Costs::UNIT), 1.0);
    let kinds = |text: &str| EditTree::opt(&Opt::read(text).unwrap(), Labels::Types);
    assert_eq!(
        distance(&kinds("[U!plus,0[V!x],1[N!1]]"), &kinds("[U!times,0[V!y],1[N!1]]"), Costs::UNIT),
        0.0
    );
}

fn chain(count: usize, tag: impl Fn(usize) -> String) -> EditTree {
    let text: String = (0..count).map(|i| format!("[{}", tag(i))).collect();
    slt(&(text + &"]".repeat(count)))
}

#[test]
fn long_baselines_are_exact_and_monsters_end() {
    let start = std::time::Instant::now();
    let letters = |i: usize| format!("V!{}", i % 7);
    let one = chain(2_000, letters);
    let other = chain(2_001, |i| if i == 0 { "+".to_owned() } else { letters(i - 1) });
    assert_eq!(distance(&one, &other, Costs::UNIT), 1.0);
    // Brackets in brackets, something after each.
    let nest = |count: usize| {
        let text: String = (0..count).map(|_| "[M!()1x1[+],w").collect();
        slt(&(text + "[V!x]" + &"]".repeat(count)))
    };
    assert_eq!(distance(&nest(1_000), &nest(1_001), Costs::UNIT), 2.0);
    let (one, other) = (chain(30_000, letters), chain(40_000, letters));
    let found = EditDistance::default().distance(&one, &other, Costs::UNIT);
    assert_eq!(found, Distance::Exact(10_000.0));
    let other = chain(40_000, |i| format!("V!{}", i % 6));
    let found = EditDistance::default().distance(&one, &other, Costs::UNIT);
    assert!(matches!(found, Distance::Between { lower, upper } if lower >= 10_000.0 && upper <= 40_000.0));
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[derive(Clone, Debug, PartialEq)]
struct Tree(u64, Vec<Tree>);

fn tree(edit: &EditTree) -> Vec<Tree> {
    fn build(edit: &EditTree, at: &mut usize) -> Tree {
        let index = *at;
        *at += 1;
        Tree(edit.labels[index], (0..edit.children[index]).map(|_| build(edit, at)).collect())
    }
    if edit.is_empty() { Vec::new() } else { vec![build(edit, &mut 0)] }
}

fn nodes(forest: &[Tree]) -> u64 {
    forest.iter().map(|tree| 1 + nodes(&tree.1)).sum()
}

/// The definition: what happens to the last root of either forest.
fn by_definition(one: &[Tree], other: &[Tree], costs: Costs) -> u64 {
    let (Some((last, rest)), Some((other_last, other_rest))) = (one.split_last(), other.split_last()) else {
        return nodes(one) * u64::from(costs.delete) + nodes(other) * u64::from(costs.insert);
    };
    let deleted = by_definition(&[rest, &last.1].concat(), other, costs) + u64::from(costs.delete);
    let inserted = by_definition(one, &[other_rest, &other_last.1].concat(), costs) + u64::from(costs.insert);
    let renamed = if last.0 == other_last.0 { 0 } else { u64::from(costs.rename) };
    let kept =
        by_definition(&last.1, &other_last.1, costs) + by_definition(rest, other_rest, costs) + renamed;
    deleted.min(inserted).min(kept)
}

fn any_costs() -> impl Strategy<Value = Costs> {
    (1..100u16, 1..100u16, 1..250u16).prop_map(|(delete, insert, rename)| Costs { delete, insert, rename })
}

proptest! {
    #[test]
    fn as_defined(one in random::opt(6), other in random::opt(6), costs in any_costs()) {
        let (one, other) = (EditTree::opt(&one, Labels::Tags), EditTree::opt(&other, Labels::Tags));
        let expected = by_definition(&tree(&one), &tree(&other), costs);
        let mut distances = EditDistance::default();
        for side in 0..2 {
            let got = distances.zhang_shasha(&one.orders[side], &other.orders[side], costs);
            prop_assert_eq!(u64::from(got), expected);
        }
        let (lower, upper) = bounds(&one, &other, costs);
        prop_assert!(lower <= expected && expected <= upper, "{} {} {}", lower, expected, upper);
    }

    #[test]
    fn a_distance(a in random::slt(30), b in random::slt(30), c in random::slt(30), costs in any_costs()) {
        let [a, b, c] = [&a, &b, &c].map(|slt| EditTree::slt(slt, Labels::Tags));
        let back = Costs { delete: costs.insert, insert: costs.delete, rename: costs.rename };
        prop_assert_eq!(distance(&a, &b, costs), distance(&b, &a, back));
        prop_assert_eq!(distance(&a, &b, costs) == 0.0, tree(&a) == tree(&b));
        let unit = |one, other| distance(one, other, Costs::UNIT);
        prop_assert!(unit(&a, &c) <= unit(&a, &b) + unit(&b, &c) + 1e-9);
        prop_assert_eq!(unit(&a, &a), 0.0);
        let kept = Distance::Exact(unit(&a, &b)).share_kept(&a, &b);
        prop_assert!((0.0..=1.0).contains(&kept));
    }
}
