//! Whole pipelines on small files: which topics count, how formulas become
//! visual ids, and what happens to ties and duplicates.

#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

use eval::{
    Codes, Duplicates, Judgments, LeftOut, Measure, Outcome, Pipeline, RunScores, Scorer, Ties, TopicPolicy,
    VisualIdLookup,
};
use formats::order::Width;
use formats::qrels::{Qrels, Scale};
use formats::run::{Run, RunKind};
use formats::{DocId, Source};

fn qrels(text: &str) -> Qrels {
    Qrels::read(Source::bytes("qrels", text.replace("; ", "\n")), Scale::Plain).unwrap().0
}

fn run(text: &str, kind: RunKind) -> Run {
    Run::read(Source::bytes("run", text.replace("; ", "\n")), kind).unwrap()
}

fn score(run: &Run, qrels: &Qrels, measures: &[&str], pipeline: Pipeline<'_>) -> RunScores {
    let measures: Vec<Measure> = measures.iter().map(|measure| measure.parse().unwrap()).collect();
    let judgments = Judgments::new(qrels, Codes::Unjudged);
    let scorer = Scorer { judgments: &judgments, measures: &measures, pipeline, ties: Ties::Ordered };
    scorer.score(run).unwrap()
}

fn close(value: f64, expected: f64) {
    assert!((value - expected).abs() < 5e-7, "{value} is not {expected}");
}

const ARQMATH: [&str; 3] = ["nDCG'", "AP'(rel=2)", "P'(rel=2)@10"];

#[test]
fn which_topics_enter_the_mean() {
    let qrels = qrels("A.1 0 d1 3; A.1 0 d2 0; A.2 0 d3 2; A.2 0 d4 0; A.3 0 d5 1; A.3 0 d6 0; A.4 0 d7 2");
    let rows =
        "A.1 Q0 d2 1 2 t; A.1 Q0 d1 2 1 t; A.2 Q0 x 1 3 t; A.2 Q0 y 2 2 t; A.3 Q0 d5 1 1 t; A.9 Q0 d5 1 1 t";
    let run = run(rows, RunKind::Documents);
    let scores = score(&run, &qrels, &ARQMATH, Pipeline::default());
    for (policy, topics, expected) in [
        (TopicPolicy::Judged, 2, [0.8155, 0.2500, 0.0500]),
        (TopicPolicy::Returned, 3, [0.5436, 0.1667, 0.0333]),
        (TopicPolicy::All, 4, [0.4077, 0.1250, 0.0250]),
        (TopicPolicy::Relevant, 4, [0.4077, 0.1250, 0.0250]),
    ] {
        for (measure, expected) in expected.into_iter().enumerate() {
            let average = scores.average(measure, policy);
            assert_eq!(average.topics, topics, "{policy}");
            assert!((average.value - expected).abs() < 5e-5, "{policy}: {} is not {expected}", average.value);
        }
    }
    let outcomes: Vec<Outcome> = scores.topics.iter().map(|topic| topic.outcome).collect();
    assert_eq!(outcomes, [Outcome::Judged, Outcome::NothingJudged, Outcome::Judged, Outcome::NoResults]);
    assert_eq!(scores.without_judgments.len(), 1);
}

struct VisualIds;

impl VisualIdLookup for VisualIds {
    fn visual_id(&self, formula: DocId<'_>) -> Option<DocId<'_>> {
        Some(DocId(match formula.as_str() {
            "f1" | "f2" => "10",
            "f3" | "f5" => "9",
            "f4" => "77",
            "f6" => "30",
            _ => return None,
        }))
    }
}

const FORMULAS: &str = "B f2 p 1 5 t; B f4 p 2 4.5 t; B f1 p 3 4 t; B f5 p 4 3 t; B f3 p 5 3 t; B f6 p 6 3 t";

fn by_visual_id() -> Pipeline<'static> {
    Pipeline { visual_ids: Some(&VisualIds), duplicates: Duplicates::KeepLast, ..Pipeline::default() }
}

#[test]
fn formulas_are_counted_once_for_each_look() {
    let run = run(FORMULAS, RunKind::Formulas);
    let measures = ["nDCG'", "AP'(rel=2)", "P'(rel=2)@10", "RR'(rel=2)"];
    let scores = score(&run, &qrels("B 0 10 3; B 0 9 2; B 0 30 0; B 0 55 2"), &measures, by_visual_id());
    for (value, expected) in scores.topics[0].values.iter().zip([0.809953, 0.666667, 0.2, 1.0]) {
        close(*value, expected);
    }
    assert_eq!(scores.left_out, LeftOut { repeated_visual_ids: 2, ..LeftOut::default() });
}

#[test]
fn tied_looks_are_ordered_by_their_visual_ids() {
    let run = run(FORMULAS, RunKind::Formulas);
    let scores = score(
        &run,
        &qrels("B 0 10 3; B 0 30 2; B 0 9 0; B 0 55 2"),
        &["nDCG'", "AP'(rel=2)"],
        by_visual_id(),
    );
    close(scores.topics[0].values[0], 0.760188);
    close(scores.topics[0].values[1], 0.555556);
}

#[test]
fn the_last_score_of_a_repeated_formula_counts() {
    let run = run("B f1 p 1 5 t; B f3 p 2 3 t; B f1 p 3 2 t; B lost p 4 1 t", RunKind::Formulas);
    let scores = score(&run, &qrels("B 0 10 1; B 0 9 0"), &["RR"], by_visual_id());
    close(scores.topics[0].values[0], 0.5);
    assert_eq!(scores.left_out, LeftOut { duplicates: 1, without_visual_id: 1, ..LeftOut::default() });
}

#[test]
fn scores_that_agree_in_32_bits_are_tied() {
    let (run, qrels) =
        (run("A Q0 a 1 0.10000000001 t; A Q0 b 2 0.1 t", RunKind::Documents), qrels("A 0 a 0; A 0 b 3"));
    for (width, expected) in [(Width::F32, 1.0), (Width::F64, 0.5)] {
        let pipeline = Pipeline { width, ..Pipeline::default() };
        close(score(&run, &qrels, &["RR"], pipeline).topics[0].values[0], expected);
    }
}

#[test]
fn ties_are_broken_by_the_bytes_of_the_id() {
    let run = run("A Q0 100 1 1 t; A Q0 10 2 1 t; A Q0 9 3 1 t", RunKind::Documents);
    let scores = score(&run, &qrels("A 0 9 3; A 0 10 0; A 0 100 0"), &["RR", "nDCG"], Pipeline::default());
    assert_eq!(scores.topics[0].values, [1.0, 1.0]);
    assert_eq!(scores.topics[0].num_tied, 3);
}

#[test]
fn negative_zero_ties_with_zero() {
    for zero in ["0", "1e-46"] {
        let run = run(&format!("A Q0 a 1 {zero} t; A Q0 b 2 -{zero} t"), RunKind::Documents);
        close(score(&run, &qrels("A 0 a 0; A 0 b 3"), &["RR"], Pipeline::default()).topics[0].values[0], 1.0);
    }
}

#[test]
fn the_range_over_all_orders_of_ties() {
    let run = run("A Q0 a 1 1 t; A Q0 b 2 1 t; A Q0 c 3 1 t", RunKind::Documents);
    let qrels = qrels("A 0 a 0; A 0 b 3; A 0 c 0");
    let judgments = Judgments::new(&qrels, Codes::Unjudged);
    let measures = ["RR".parse().unwrap()];
    let pipeline = Pipeline::default();
    let scorer = Scorer { judgments: &judgments, measures: &measures, pipeline, ties: Ties::Bounded };
    let scores = scorer.score(&run).unwrap();
    assert_eq!(scores.topics[0].values, [0.5]);
    assert_eq!(scores.topics[0].tie_bounds, [1.0 / 3.0..1.0]);
}

#[test]
fn a_document_that_is_listed_twice_is_refused_with_its_place() {
    let run = run("A Q0 a 1 3 t; A Q0 b 2 2 t; A Q0 a 3 1 t", RunKind::Documents);
    let qrels = qrels("A 0 a 1");
    let judgments = Judgments::new(&qrels, Codes::Unjudged);
    let measures = ["P@1".parse().unwrap()];
    let scorer = Scorer {
        judgments: &judgments,
        measures: &measures,
        pipeline: Pipeline::default(),
        ties: Ties::Ordered,
    };
    assert_eq!(
        scorer.score(&run).unwrap_err().to_string(),
        "run:3: document a is listed a second time for topic A; the first is on line 1"
    );
}

#[test]
fn the_depth_is_cut_before_unjudged_results_are_removed() {
    let run = run("A Q0 x 1 3 t; A Q0 y 2 2 t; A Q0 a 3 1 t", RunKind::Documents);
    let pipeline = Pipeline { depth: Some(2), ..Pipeline::default() };
    let scores = score(&run, &qrels("A 0 a 1"), &["nDCG'"], pipeline);
    assert_eq!(scores.topics[0].values, [0.0]);
    assert_eq!(scores.left_out.too_deep, 1);
}
