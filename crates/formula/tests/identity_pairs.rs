//! Pairs of formulas that people would call the same or not, checked by hand.
//!
//! Where the reason begins with `gap:` our trees cannot tell yet; when they can, the mark must go.

use formula::identity::{Formula, Keyer, explain};
use formula::slt::{Slt, from_latex};
use proptest::prelude::*;
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
        let [left, right] =
            [Formula { slt: Some(&trees[0]), latex: a }, Formula { slt: Some(&trees[1]), latex: b }];
        let expected = match pair["verdict"].as_str() {
            "same" => true,
            "different" => false,
            other => panic!("{other} is no verdict"),
        };
        let gap = pair["why"].starts_with("gap:");
        let found = keyer.key(left) == keyer.key(right);
        let explanation = explain(left, right);
        assert_eq!(explanation.same, found, "{a} and {b}: {explanation}");
        if (found != expected) != gap {
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

proptest! {
    #[test]
    fn keys_and_explanations_agree_on_anything(
        a in r"([a-c(){}\[\]|,^_&'+=… 1]|\\(frac|sqrt|left\(|right\)|hat|over|mathbf|text|sum|foo|,)){0,12}",
        b in r"([a-c(){}\[\]|,^_&'+=… 1]|\\(frac|sqrt|left\(|right\)|hat|over|mathbf|text|sum|foo|,)){0,12}",
    ) {
        let trees = [tree(&a), tree(&b)];
        let [left, right] =
            [Formula { slt: Some(&trees[0]), latex: &a }, Formula { slt: Some(&trees[1]), latex: &b }];
        let mut keyer = Keyer::default();
        let same = keyer.key(left) == keyer.key(right);
        let explanation = explain(left, right);
        prop_assert_eq!(explanation.same, same);
        prop_assert!(same || explanation.place.is_some() || !explanation.notes.is_empty());
        prop_assert_eq!(explain(right, left).same, same);
        prop_assert!(explain(left, left).same);
        // Blanks around a formula and braces around it never show.
        let braced = format!(" {{{a}}} ");
        if latex::parse(&a).diagnostics.is_empty() {
            let slt = tree(&braced);
            prop_assert_eq!(keyer.key(left), keyer.key(Formula { slt: Some(&slt), latex: &braced }));
        }
    }
}
