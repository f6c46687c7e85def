//! References and the measures over them, together.

use super::*;
use formats::qrels::{Qrels, Scale};
use formats::{DocId, RunTag, Source, TopicId};
use proptest::prelude::*;

const OVERLAP: LexicalOverlap<'static> =
    LexicalOverlap { tokenizer: &Tokenizer::Blanks, counting: Counting::Sets };

fn qrels(rows: &str) -> Qrels {
    Qrels::read(Source::bytes("q", rows), Scale::Task3).unwrap().0
}

/// Task 3 references; each row is run, topic, id, grade and text.
fn references(rows: &[(&str, &str, &str, i32, &str)]) -> References {
    let mut references = References::new(Normalisation::Published);
    for (run, topic, id, grade, text) in rows {
        let qrels = qrels(&format!("{topic} 0 {id} {grade}\n"));
        references.add_task3(
            &RunTag::from(*run),
            [(TopicId::from(*topic), DocId(id), *text)],
            |_, _| true,
            &qrels,
        );
    }
    references
}

fn runs(task: ReferenceTask, tags: &[&str]) -> std::collections::BTreeSet<Contributor> {
    tags.iter().map(|tag| Contributor { task, run: RunTag::from(*tag) }).collect()
}

fn score(answers: &[(&str, &str)], references: &References) -> SimilarityScore {
    let answers = answers.iter().map(|(topic, answer)| (TopicId::from(*topic), *answer));
    similarity(&OVERLAP, answers, references, Unanswered::LeftOut).unwrap()
}

fn texts(references: &References, topic: &str) -> Vec<String> {
    references.topic(&TopicId::from(topic)).iter().map(|reference| reference.text.clone()).collect()
}

#[test]
fn the_best_reference_counts_and_the_mean_is_over_topics_with_one() {
    let references = references(&[
        ("U", "A.1", "d1", 2, "a b d"),
        ("U", "A.1", "d2", 3, "a b"),
        ("U", "A.1", "d3", 3, "  "),
        ("U", "A.2", "d4", 2, "z"),
        ("U", "A.3", "d5", 1, "not relevant"),
        ("U", "A.5", "d6", 2, "not answered"),
    ]);
    let score =
        score(&[("A.1", "a b c"), ("A.2", "x y"), ("A.3", "not relevant"), ("A.4", "x")], &references);
    let counted: Vec<_> = score.counted().map(|(topic, value)| (topic.as_str(), value)).collect();
    assert_eq!(counted, [("A.1", 0.8), ("A.2", 0.0)]);
    assert_eq!((score.num_topics(), score.mean()), (2, Some(0.4)));
    let outcomes: Vec<_> = score.topics.iter().map(|topic| topic.outcome.clone()).collect();
    let best = BestReference { task: ReferenceTask::Task3, ids: ["d2".into()].into() };
    assert_eq!(outcomes[0], SimilarityOutcome::Compared { value: 0.8, best, references: 2 });
    assert_eq!(
        outcomes[2..],
        [SimilarityOutcome::NoReference, SimilarityOutcome::NoReference, SimilarityOutcome::NotAnswered]
    );
}

#[test]
fn topics_without_an_answer_can_count_zero() {
    let references = references(&[("U", "A.1", "d1", 2, "a"), ("U", "A.2", "d2", 2, "b")]);
    let answers = [(TopicId::from("A.1"), "a")];
    let score = similarity(&OVERLAP, answers, &references, Unanswered::Zero).unwrap();
    assert_eq!((score.num_topics(), score.mean()), (2, Some(0.5)));
}

#[test]
fn empty_answers_count_zero() {
    let references = references(&[("U", "A.1", "d1", 2, "a")]);
    let score = score(&[("A.1", " ")], &references);
    assert_eq!((score.num_topics(), score.mean()), (1, Some(0.0)));
}

#[test]
fn a_number_comes_with_what_it_depends_on() {
    let references = references(&[("U", "A.1", "d1", 2, "a")]);
    let score =
        score(&[("A.1", "a")], &references.without_team(&runs(ReferenceTask::Task3, &["U"])).unwrap());
    assert_eq!((score.measure.as_str(), score.mean()), ("LO", None));
    let rules: Vec<String> = score.rules.iter().map(ToString::to_string).collect();
    let expected = [
        "tokenizer: blanks",
        "tokens: sets, as run",
        "normalisation: as published",
        "references: all but 1 that only the team's 1 runs contributed to the pools",
    ];
    assert_eq!(rules, expected);
}

#[test]
fn references_that_only_the_team_returned_go() {
    let references = references(&[
        ("T1", "A.1", "x", 3, "the text of x"),
        ("U1", "A.1", "x2", 2, "the text  of x"),
        ("T1", "A.1", "y", 2, "the text of y"),
        ("T2", "A.1", "y", 2, "the text of y"),
    ]);
    assert_eq!(texts(&references, "A.1"), ["the text of x", "the text of y"]);
    let team = runs(ReferenceTask::Task3, &["T1", "T2"]);
    let left = references.without_team(&team).unwrap();
    assert_eq!(texts(&left, "A.1"), ["the text of x"]);
    assert_eq!(left.ablation(), &Ablation::Team { runs: team, removed: 1 });
    let ids: Vec<&str> = left.topic(&TopicId::from("A.1"))[0].ids.iter().map(|id| &**id).collect();
    assert_eq!(ids, ["x", "x2"]);
}

#[test]
fn an_unknown_run_of_a_team_is_an_error() {
    let references = references(&[("T1", "A.1", "x", 3, "x")]);
    let error = references.without_team(&runs(ReferenceTask::Task1, &["T1"])).unwrap_err();
    let expected = "T1 of Task 1 is not among the runs from which the references come (T1 of Task 3)";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn short_answers_of_task_1_are_references_too() {
    let qrels = qrels("A.1 0 1 3\nA.1 0 2 2\nA.1 0 3 2\nA.1 0 4 1\nA.1 0 5 2\n");
    let mut references = References::new(Normalisation::AsRun);
    for run in ["T1", "U1"] {
        let answers = ["1", "2", "3", "4", "5"].map(|id| (TopicId::from("A.1"), DocId(id)));
        let answers = answers.into_iter().take(if run == "T1" { 5 } else { 1 });
        references.add_task1(
            &RunTag::from(run),
            answers,
            |_, _| true,
            &qrels,
            |id| {
                let long = "x".repeat(1198);
                match id.as_str() {
                    "1" => Some(ComparedAnswer::from_pieces([
                        Piece::Text("so "),
                        Piece::Formula("x"),
                        Piece::Text(" is"),
                    ])),
                    "2" => Some(ComparedAnswer::from_pieces([Piece::Formula(&long)])),
                    "3" => Some(ComparedAnswer::from_pieces([Piece::Text("a"), Piece::Formula(&long)])),
                    _ => None,
                }
            },
        );
    }
    assert_eq!(references.num_references(), 2);
    assert_eq!(texts(&references, "A.1")[1], "so [MATH] x [/MATH] is");
    let not_used: Vec<_> = references.not_used().iter().map(|answer| (&*answer.id, answer.reason)).collect();
    assert_eq!(not_used, [("3", NotUsedReason::TooLong(1201)), ("5", NotUsedReason::NoText)]);
    let left = references.without_team(&runs(ReferenceTask::Task1, &["T1"])).unwrap();
    assert_eq!(texts(&left, "A.1"), ["so [MATH] x [/MATH] is"]);
}

const PASSAGE: &str = "the sum of the first n odd numbers is a square, as a picture of it shows at once";

#[test]
fn posts_of_which_nobody_knows_who_returned_them_are_references() {
    let qrels = qrels("A.1 0 1 3\nA.1 0 2 1\nA.1 0 3 2\nA.1 0 4 2\n");
    let mut references = References::new(Normalisation::Published);
    let text = |id: DocId<'_>| {
        let text = format!("{PASSAGE} {}", id.as_str().repeat(if id.as_str() == "3" { 2000 } else { 1 }));
        (id.as_str() != "4").then(|| ComparedAnswer::from_pieces([Piece::Text(&text)]))
    };
    references.add_judged(&qrels, text);
    assert_eq!(texts(&references, "A.1"), [format!("{PASSAGE} 1")]);
    assert_eq!(references.not_used().len(), 2);
    // Once a run is known it can be its team's alone; before that it stays.
    let nobody = references.without_team(&runs(ReferenceTask::Task1, &[])).unwrap();
    assert_eq!(nobody.num_references(), 1);
    let tag = RunTag::from("T1");
    references.add_task1(&tag, [(TopicId::from("A.1"), DocId("1"))], |_, _| true, &qrels, text);
    assert_eq!(references.num_references(), 1);
    let without = references.without_team(&runs(ReferenceTask::Task1, &["T1"])).unwrap();
    assert_eq!((without.num_references(), without.ablation().removed()), (0, 1));
}

#[test]
fn an_answer_does_not_meet_what_it_was_cut_out_of() {
    let qrels = qrels("A.1 0 1 3\nA.1 0 2 2\nA.1 0 3 2\nA.2 0 1 3\n");
    let mut references = References::new(Normalisation::Published);
    references.add_judged(&qrels, |id| {
        let text = match id.as_str() {
            "1" => format!("As is well known, {PASSAGE}. This was the question."),
            "2" => PASSAGE.to_owned(),
            _ => "another answer".to_owned(),
        };
        Some(ComparedAnswer::from_pieces([Piece::Text(&text)]))
    });
    let own = |answer: &str| {
        let answers = [(TopicId::from("A.1"), answer)];
        let left = references.without_own(answers, MatchRule::default());
        (
            left.topic(&TopicId::from("A.1")).len(),
            left.topic(&TopicId::from("A.2")).len(),
            left.ablation().clone(),
        )
    };
    // It is an excerpt of the first, and the whole of the second; what another topic has stays.
    assert_eq!(own(PASSAGE), (1, 1, Ablation::Own { removed: 2 }));
    // The second stands in it, with much else around.
    let joined = format!("Here is something that nobody ever wrote about odd numbers before. Now {PASSAGE}.");
    assert_eq!(own(&joined), (2, 1, Ablation::Own { removed: 1 }));
    assert_eq!(own("something else"), (3, 1, Ablation::Own { removed: 0 }));
    assert_eq!(Ablation::Own { removed: 2 }.to_string(), "all but 2 that the answer itself was cut out of");
}

#[test]
fn one_text_from_both_tasks_is_compared_once() {
    let mut references = references(&[("T1", "A.1", "d", 2, "a b")]);
    let post = ComparedAnswer::from_pieces([Piece::Text("a b")]);
    let answers = [(TopicId::from("A.1"), DocId("7"))];
    references.add_task1(
        &RunTag::from("U"),
        answers,
        |_, _| true,
        &qrels("A.1 0 7 2\n"),
        |_| Some(post.clone()),
    );
    let score = score(&[("A.1", "a b")], &references);
    let best = BestReference { task: ReferenceTask::Task1, ids: ["7".into()].into() };
    assert_eq!(score.topics[0].outcome, SimilarityOutcome::Compared { value: 1.0, best, references: 1 });
}

/// A model that counts its own way takes the place of the tokens.
#[test]
fn another_measure_can_be_plugged_in() {
    struct SameLength;
    impl AnswerSimilarity for SameLength {
        fn name(&self) -> String {
            "same length".to_owned()
        }
        fn rules(&self) -> Vec<Rule> {
            Vec::new()
        }
        fn similarities(&self, answer: &str, references: &[&str]) -> Result<Vec<Option<f64>>, Task3Error> {
            Ok(references.iter().map(|text| Some(f64::from(u8::from(text.len() == answer.len())))).collect())
        }
    }
    let references = references(&[("U", "A.1", "d1", 2, "abc")]);
    let answers = [(TopicId::from("A.1"), "xyz")];
    let score = similarity(&SameLength, answers, &references, Unanswered::LeftOut).unwrap();
    assert_eq!((score.measure.as_str(), score.mean()), ("same length", Some(1.0)));
}

proptest! {
    #[test]
    fn overlap_is_a_share_and_more_references_never_lower_it(
        answer in "[a-d ]{0,12}",
        texts in prop::collection::vec("[a-d ]{0,12}", 1..5),
    ) {
        let rows: Vec<_> = texts.iter().map(|text| ("U", "A.1", "d", 2, text.as_str())).collect();
        let mean = |count: usize| score(&[("A.1", &answer)], &references(&rows[..count])).mean();
        let (one, all) = (mean(1), mean(rows.len()));
        prop_assert!(all.is_none_or(|value| (0.0..=1.0).contains(&value)));
        prop_assert!(one.unwrap_or(0.0) <= all.unwrap_or(0.0));
    }
}
