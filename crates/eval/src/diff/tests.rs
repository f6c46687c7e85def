//! Tiny runs, worked by hand, and what holds for all.

use super::*;
use crate::judgments::Codes;
use crate::pipeline::Entry;
use crate::ranked::{JudgedGrades, Ranked, ResultGrade};
use formats::qrels::{Qrels, Scale};
use formats::run::RunKind;
use formats::{DocId, Source};
use proptest::prelude::*;

/// One of every kind of measure.
const MEASURES: [&str; 29] = [
    "nDCG",
    "nDCG'",
    "nDCG@3",
    "nDCG(gain=exp)",
    "DCG",
    "DCG(gains={0:-1,2:5})",
    "AP",
    "AP'(rel=2)",
    "AP@3",
    "AP(rel=0)",
    "P@5",
    "P'(rel=2)@2",
    "P@hit",
    "R@3",
    "Rprec",
    "bpref",
    "RR",
    "RR'(rel=2)@3",
    "Success@2",
    "Judged@3",
    "Judged",
    "infAP",
    "RBP(p=0.8)",
    "RBP(p=0.5,max=3)",
    "ERR@5",
    "IPrec@0.5",
    "SetP",
    "SetF",
    "GMAP",
];

/// A run from `topic: a=3 b=2; topic: c=1`.
fn run(text: &str) -> Run {
    let mut rows = String::new();
    for topic in text.split(';').filter(|topic| !topic.trim().is_empty()) {
        let (id, results) = topic.split_once(':').unwrap();
        for result in results.split_whitespace() {
            let (doc, score) = result.split_once('=').unwrap();
            rows.push_str(&format!("{} Q0 {doc} 1 {score} tag\n", id.trim()));
        }
    }
    Run::read(Source::bytes("run", rows), RunKind::Documents).unwrap()
}

fn differ<'a>(gauge: Option<Gauge<'a>>) -> Differ<'a> {
    Differ { pipeline: Pipeline::default(), persistence: 0.9, gauge }
}

/// What `look` sees of the only topic of two runs.
fn one<R>(left: &str, right: &str, look: impl FnOnce(&TopicDiff<'_>) -> R) -> R {
    let (left, right) = (run(&format!("t: {left}")), run(&format!("t: {right}")));
    let diff = differ(None).runs(&left, &right, |_| true).unwrap();
    look(&diff.topics[0])
}

/// Items and contributions by a measure.
fn contributions(measure: &str, qrels: &str, left: &str, right: &str) -> Vec<(String, f64)> {
    let (left, right) = (run(&format!("t: {left}")), run(&format!("t: {right}")));
    let rows: String =
        qrels.split_whitespace().map(|row| format!("t 0 {}\n", row.replace(':', " "))).collect();
    let (qrels, _) = Qrels::read(Source::bytes("qrels", rows), Scale::Plain).unwrap();
    let judgments = Judgments::new(&qrels, Codes::Unjudged);
    let measure: Measure = measure.parse().unwrap();
    let gauge = Gauge { judgments: &judgments, measure: &measure };
    let diff = differ(Some(gauge)).runs(&left, &right, |_| true).unwrap();
    diff.topics[0].items.iter().map(|item| (item.doc.to_string(), item.contribution())).collect()
}

#[track_caller]
fn check(measure: &str, qrels: &str, left: &str, right: &str, expected: &[(&str, f64)]) {
    let found = contributions(measure, qrels, left, right);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((doc, value), (expected_doc, expected)) in found.iter().zip(expected) {
        assert_eq!(doc, expected_doc, "{found:?}");
        assert!((value - expected).abs() < 1e-12, "{doc}: {value}, not {expected}");
    }
}

#[test]
fn likeness_from_identical_to_different() {
    let likeness = |left, right| one(left, right, |topic| topic.likeness);
    assert_eq!(likeness("a=2 b=1", "a=2 b=1"), Likeness::Identical);
    assert_eq!(likeness("a=2 b=1", "a=9 b=1"), Likeness::Scores);
    assert_eq!(likeness("a=2 b=1", "a=1 b=2"), Likeness::Order);
    assert_eq!(likeness("a=2 b=1", "a=2"), Likeness::Documents);
    assert_eq!(likeness("a=2 b=1", "a=2 c=1"), Likeness::Documents);
    // Equal in the 32 bits that count.
    assert_eq!(likeness("a=0.10000000001", "a=0.1"), Likeness::Identical);
}

#[test]
fn overlap_of_lists_that_are_short() {
    one("a=4 b=3 c=2", "a=4 d=3", |topic| {
        assert_eq!(topic.overlap.at_10, 1.0 / 3.0);
        assert_eq!(topic.overlap, Overlap { at_10: 1.0 / 3.0, at_100: 1.0 / 3.0, all: 1.0 / 3.0 });
        assert_eq!((topic.common, topic.tau_b), (1, None));
    });
    let long =
        |docs: std::ops::Range<u32>| docs.map(|doc| format!("d{doc:03}={}", 500 - doc)).collect::<Vec<_>>();
    one(&long(0..20).join(" "), &long(5..25).join(" "), |topic| {
        assert_eq!(topic.overlap, Overlap { at_10: 0.5, at_100: 0.75, all: 0.75 });
        assert_eq!((topic.common, topic.moved, topic.tau_b), (15, 15, Some(1.0)));
    });
}

#[test]
fn moves_within_ties_are_told_apart() {
    one("a=1 b=1 c=0", "a=2 b=1 c=0", |topic| {
        // The left order is b, a, c: ties are ordered by id, the highest first.
        assert_eq!((topic.moved, topic.tie_order, topic.likeness), (2, 2, Likeness::Order));
        assert_eq!(topic.items[0].moved, Move::TieOrder);
    });
    one("a=3 b=2 c=1", "a=1 b=2 c=3", |topic| {
        assert_eq!((topic.moved, topic.tie_order, topic.tau_b), (2, 0, Some(-1.0)));
    });
}

#[test]
fn what_happens_at_the_top_comes_first() {
    one("a=9 b=8 c=7 d=6", "x=9 b=8 d=7 c=6", |topic| {
        let items: Vec<_> = topic.items.iter().map(|item| (item.doc.as_str(), item.moved)).collect();
        assert_eq!(
            items,
            [("a", Move::OnlyLeft), ("x", Move::OnlyRight), ("c", Move::Moved), ("d", Move::Moved)]
        );
    });
}

#[test]
fn topics_of_one_run_or_none() {
    let (left, right) = (run("t2: a=1; t10: b=1"), run("t10: b=1; t3: c=1"));
    let (qrels, _) = Qrels::read(Source::bytes("qrels", "t10 0 b 1\nt4 0 z 1\n"), Scale::Plain).unwrap();
    let judgments = Judgments::new(&qrels, Codes::Unjudged);
    let measure: Measure = "RR".parse().unwrap();
    let gauge = Gauge { judgments: &judgments, measure: &measure };
    let diff = differ(Some(gauge)).runs(&left, &right, |_| true).unwrap();
    let found: Vec<_> = diff.topics.iter().map(|topic| (topic.id.as_str(), topic.presence)).collect();
    let expected = [Presence::Left, Presence::Right, Presence::Neither, Presence::Both];
    assert_eq!(found, ["t2", "t3", "t4", "t10"].into_iter().zip(expected).collect::<Vec<_>>());
    // t4 counts 0 on both sides, as it does when the runs are scored.
    let expected = Change { topics: 2, left: 0.5, right: 0.5, better: 0, equal: 2, worse: 0 };
    assert_eq!(diff.change(&measure), expected);
    assert_eq!(diff.mean(|topic| Some(topic.overlap.all)), Some(1.0));
    let diff = differ(Some(gauge)).runs(&left, &right, |id| id.as_str() == "t10").unwrap();
    assert_eq!((diff.topics.len(), diff.likeness()), (1, Likeness::Identical));
}

#[test]
fn contributions_by_hand() {
    let qrels = "a:3 b:0 c:1";
    let ideal = 3.0 + 1.0 / 3_f64.log2();
    let (left, right) = ("a=3 b=2 c=1", "b=3 x=2 a=1");
    let gained = [("a", (1.5 - 3.0) / ideal), ("c", -0.5 / ideal), ("b", 0.0), ("x", 0.0)];
    check("nDCG", qrels, left, right, &gained);
    check("P@1", qrels, left, right, &[("a", -1.0), ("b", 0.0), ("x", 0.0), ("c", 0.0)]);
    // AP: a has 1/1 and then 1/3, c has 2/3 and then nothing.
    check("AP", qrels, left, right, &[("a", -1.0 / 3.0), ("c", -1.0 / 3.0), ("b", 0.0), ("x", 0.0)]);
    check("RR", qrels, left, right, &[("a", 1.0 / 3.0 - 1.0), ("b", 0.0), ("x", 0.0), ("c", 0.0)]);
}

#[test]
fn an_item_contributes_without_moving_when_those_above_it_do() {
    // c stays at rank 3; the precision there falls from 2/3 to 1/3.
    check("AP", "a:1 c:1", "b=4 a=3 c=2", "b=4 x=3 c=2", &[("a", -0.25), ("c", -1.0 / 6.0), ("x", 0.0)]);
}

#[test]
fn unjudged_results_do_not_count_where_judged_ones_do() {
    // x pushes a down in the list, but not among the judged results.
    check("nDCG'", "a:1", "a=1", "x=2 a=1", &[("x", 0.0), ("a", 0.0)]);
}

#[test]
fn duplicates_are_refused_with_their_place() {
    let (left, right) = (run("t: a=1"), run("t: a=2 b=1 a=0"));
    let error = differ(None).runs(&left, &right, |_| true).unwrap_err();
    let message = "run:3: document a is listed a second time for topic t; the first is on line 1";
    assert_eq!(error.to_string(), message);
}

/// Documents in some order, some with equal scores.
fn ranking() -> impl Strategy<Value = Vec<(usize, u8)>> {
    prop::collection::btree_map(0_usize..24, 0_u8..12, 0..20).prop_map(|docs| docs.into_iter().collect())
}

/// A ranking over documents whose grades are in `grades`; `None` is not judged.
fn entries<'a>(ranking: &[(usize, u8)], names: &'a [String], grades: &[Option<i32>]) -> Vec<Entry<'a>> {
    let entry = |(doc, score): &(usize, u8)| Entry {
        doc: DocId(&names[*doc]),
        score: f64::from(*score),
        verdict: grades[*doc].map_or(ResultGrade::UNJUDGED, ResultGrade::graded),
        line: 1,
    };
    let mut entries: Vec<Entry<'a>> = ranking.iter().map(entry).collect();
    entries.sort_by(|a, b| formats::order::compare((a.score, a.doc), (b.score, b.doc)));
    entries
}

proptest! {
    #[test]
    fn contributions_add_up_to_the_difference(
        left in ranking(),
        right in ranking(),
        grades in prop::collection::vec(prop::option::of(-1_i32..4), 24),
    ) {
        let id = TopicId::from("t");
        let names: Vec<String> = (0..24).map(|doc| format!("d{doc}")).collect();
        let pool = JudgedGrades::new(grades.iter().flatten().copied().collect());
        let (left, right) = (entries(&left, &names, &grades), entries(&right, &names, &grades));
        for name in MEASURES {
            let measure: Measure = name.parse().unwrap();
            let gauge = Some((&pool, &measure));
            let diff = topic::compare(&id, Presence::Both, [&left, &right], 0.9, gauge);
            let values = diff.values.unwrap();
            let sum: f64 = diff.items.iter().map(Item::contribution).sum();
            prop_assert!((sum - values.difference()).abs() < 1e-9, "{name}: {sum} of {values:?}");
            let verdicts: Vec<ResultGrade> = left.iter().map(|entry| entry.verdict).collect();
            prop_assert_eq!(values.left, measure.score(Ranked { grades: &verdicts, judged: &pool }));
            let back = topic::compare(&id, Presence::Both, [&right, &left], 0.9, gauge);
            prop_assert_eq!(back.items.len(), diff.items.len());
            for (item, other) in diff.items.iter().zip(&back.items) {
                prop_assert_eq!((item.doc, item.contribution()), (other.doc, -other.contribution()));
            }
        }
    }

    #[test]
    fn skipping_blocks_changes_no_term(
        verdicts in prop::collection::vec((-1_i32..3, 1_usize..4), 0..8),
        further in prop::collection::vec(0_i32..4, 0..4),
    ) {
        let verdicts: Vec<ResultGrade> = verdicts
            .iter()
            .flat_map(|(grade, count)| std::iter::repeat_n(ResultGrade::graded(*grade), *count))
            .collect();
        let retrieved = verdicts.iter().filter_map(|verdict| verdict.grade());
        let pool = JudgedGrades::new(retrieved.chain(further).collect());
        for name in MEASURES {
            let measure: Measure = name.parse().unwrap();
            let value = |length: usize| {
                measure.score_filtered(Ranked { grades: &verdicts[..length], judged: &pool })
            };
            let expected: Vec<f64> = (0..verdicts.len()).map(|i| value(i + 1) - value(i)).collect();
            prop_assert_eq!(terms::terms(&measure, &verdicts, &pool), expected, "{}", name);
        }
    }

    #[test]
    fn lists_are_compared_in_range_and_both_ways_alike(left in ranking(), right in ranking()) {
        let id = TopicId::from("t");
        let names: Vec<String> = (0..24).map(|doc| format!("d{doc}")).collect();
        let grades = vec![None; 24];
        let (left, right) = (entries(&left, &names, &grades), entries(&right, &names, &grades));
        let diff = topic::compare(&id, Presence::Both, [&left, &right], 0.9, None);
        let back = topic::compare(&id, Presence::Both, [&right, &left], 0.9, None);
        prop_assert_eq!((diff.likeness, diff.moved, diff.tie_order), (back.likeness, back.moved, back.tie_order));
        prop_assert_eq!((diff.overlap, diff.tau_b, diff.rbo), (back.overlap, back.tau_b, back.rbo));
        for share in [diff.overlap.at_10, diff.overlap.at_100, diff.overlap.all] {
            prop_assert!((0.0..=1.0).contains(&share));
        }
        prop_assert!(diff.tie_order <= diff.moved && diff.moved <= diff.common);
        prop_assert_eq!(diff.likeness.is_same_ranking(), diff.items.is_empty());
        let same = topic::compare(&id, Presence::Both, [&left, &left], 0.9, None);
        prop_assert_eq!((same.likeness, same.overlap.all, same.items.len()), (Likeness::Identical, 1.0, 0));
    }
}
