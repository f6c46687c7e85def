//! Pairs of formulas that people would call the same or not, checked by hand.

use formula::identity::{Formula, Keyer, explain};
use formula::slt::{Slt, from_latex};
use std::path::Path;

#[test]
fn pairs_are_the_same_or_different_as_they_look() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data/identity.tsv");
    let pairs = testkit::read_tsv(&path);
    assert!(pairs.len() >= 180, "only {} pairs", pairs.len());
    let mut keyer = Keyer::default();
    let mut failures = Vec::new();
    for pair in &pairs {
        let (a, b) = (&pair["a"], &pair["b"]);
        let trees = [tree(a), tree(b)];
        let [left, right] = [Formula { slt: Some(&trees[0]), latex: a }, Formula { slt: Some(&trees[1]), latex: b }];
        let expected = match pair["verdict"].as_str() {
            "same" => true,
            "different" => false,
            other => panic!("{other} is no verdict"),
        };
        let found = keyer.key(left) == keyer.key(right);
        let explanation = explain(left, right);
        assert_eq!(explanation.same, found, "{a} and {b}: {explanation}");
        if found != expected {
            failures.push(format!(
                "{a}  and  {b}  should be {} ({}) but are {explanation}\n    {}\n    {}",
                pair["verdict"], pair["why"], trees[0], trees[1]
            ));
        }
    }
    assert!(failures.is_empty(), "{} of {} pairs:\n{}", failures.len(), pairs.len(), failures.join("\n"));
}

fn tree(latex: &str) -> Slt {
    let mut slt = Slt::default();
    from_latex(&latex::parse(latex).tree, &mut slt);
    slt
}
