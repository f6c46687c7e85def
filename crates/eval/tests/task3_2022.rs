//! The runs of ARQMath-3's Task 3, scored against the official judgments.

use eval::task3::{
    MeanOver, Outcome, Relevance, RelevanceConfig, TopicFilter, UnrelatedByRelevance, highest_possible,
    relevance,
};
use formats::qrels::{Qrels, Scale};
use formats::{AnswerFlags, DocId, Flag, Flags, Source, TopicId};
use std::path::PathBuf;

/// The overview's Table 5: run, AR, P@1, topics with a judged answer.
const TABLE: [(&str, &str, &str, usize); 14] = [
    ("Baseline2022-task3-GPT3-auto-both-generate-P", "1.346", "0.500", 78),
    ("approach0-task3-run1-manual-both-extract-A", "1.282", "0.436", 78),
    ("approach0-task3-run4-manual-both-extract-A", "1.231", "0.397", 78),
    ("approach0-task3-run3-manual-both-extract-A", "1.179", "0.372", 78),
    ("approach0-task3-run2-manual-both-extract-A", "1.115", "0.321", 78),
    ("approach0-task3-run5-manual-both-extract-P", "0.949", "0.282", 78),
    ("DPRL-Task3-SVMSBERT-auto-both-extract-A", "0.462", "0.154", 78),
    ("DPRL-Task3-SVMBERT-auto-both-extract-P", "0.449", "0.154", 78),
    ("DPRL-Task3-AMRSBERT-auto-both-extract-A", "0.423", "0.128", 78),
    ("DPRL-Task3-AMRBERT-auto-both-extract-A", "0.385", "0.103", 78),
    ("TU_DBS-task3-amps3_se1_hints-auto-both-generate-A", "0.325", "0.078", 77),
    ("TU_DBS-task3-se3_len_pen_10-auto-both-generate-A", "0.244", "0.064", 78),
    ("TU_DBS-task3-amps3_se1_len_pen_20_sample_hint-auto-both-generate-A", "0.231", "0.051", 78),
    ("TU_DBS-task3-shortest-auto-both-generate-P", "0.205", "0.026", 78),
];

/// Topics that were not assessed for machine generation and unrelated information.
const WITHOUT_FLAGS: [&str; 5] = ["A.301", "A.314", "A.322", "A.324", "A.350"];

fn folder() -> Option<PathBuf> {
    let folder = testkit::data_dir()?.join("task3-2022");
    folder.is_dir().then_some(folder)
}

fn qrels(folder: &std::path::Path) -> Qrels {
    let path = folder.join("qrels.arqmath-2022-task3-official.txt");
    Qrels::read(Source::path(&path), Scale::Task3).unwrap().0
}

fn score(map: &str, run: &str, qrels: &Qrels, config: &RelevanceConfig) -> Relevance {
    let answers: Vec<_> = map
        .lines()
        .filter_map(|line| {
            let [name, topic, answer] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
            (name == run).then(|| (TopicId::from(topic), DocId(answer)))
        })
        .collect();
    assert!(answers.len() >= 99, "{run} has {} answers", answers.len());
    relevance(answers, qrels, config).unwrap()
}

#[test]
fn table_5_is_reproduced() {
    let Some(folder) = folder() else {
        return testkit::skip("the Task 3 runs are not there");
    };
    let qrels = qrels(&folder);
    let map = std::fs::read_to_string(folder.join("teams_document_id.tsv")).unwrap();
    for (run, ar, p_at_1, num_topics) in TABLE {
        let relevance = score(&map, run, &qrels, &RelevanceConfig::default());
        assert_eq!(format!("{:.3}", relevance.ar().unwrap()), ar, "{run}");
        assert_eq!(format!("{:.3}", relevance.p_at_1().value().unwrap()), p_at_1, "{run}");
        assert_eq!(relevance.num_topics(), num_topics, "{run}");
        let not_judged = relevance.left_out().filter(|topic| topic.outcome == Outcome::TopicNotJudged);
        assert_eq!(not_judged.count(), 22, "{run}");
        let missing: Vec<&str> = relevance
            .left_out()
            .filter(|topic| topic.outcome == Outcome::NotAnswered)
            .map(|topic| topic.topic.as_str())
            .collect();
        assert_eq!(missing, if num_topics == 77 { vec!["A.327"] } else { vec![] }, "{run}");
    }
}

#[test]
fn the_run_with_77_answers_scores_less_over_all_topics() {
    let Some(folder) = folder() else {
        return testkit::skip("the Task 3 runs are not there");
    };
    let qrels = qrels(&folder);
    let map = std::fs::read_to_string(folder.join("teams_document_id.tsv")).unwrap();
    let config = RelevanceConfig { mean_over: MeanOver::JudgedTopics, ..RelevanceConfig::default() };
    let relevance = score(&map, TABLE[10].0, &qrels, &config);
    assert_eq!((relevance.num_topics(), relevance.ar()), (78, Some(25.0 / 78.0)));
    assert_eq!(relevance.p_at_1().to_string(), "6/78");
}

#[test]
fn the_highest_possible_ar_is_the_published_one() {
    let Some(folder) = folder() else {
        return testkit::skip("the Task 3 judgments are not there");
    };
    let highest = highest_possible(&qrels(&folder), &RelevanceConfig::default()).unwrap();
    assert_eq!((highest.num_topics(), format!("{:.3}", highest.ar().unwrap())), (78, "2.346".to_owned()));
    assert_eq!(highest.p_at_1().to_string(), "66/78");
}

/// 79.03 % of all answers were not relevant: of the distinct ones of the 73 topics.
#[test]
fn the_published_share_of_answers_that_are_not_relevant() {
    let Some(folder) = folder() else {
        return testkit::skip("the Task 3 judgments are not there");
    };
    let qrels = qrels(&folder);
    let without = TopicFilter::Except(WITHOUT_FLAGS.map(TopicId::from).into());
    let none = AnswerFlags { machine_generated: Flag::No, unrelated_information: Flag::No };
    let flags: Flags = qrels
        .topics()
        .filter(|topic| without.keeps(topic.id()))
        .flat_map(|topic| topic.rows().map(move |row| (topic.id().clone(), row.doc(), none)))
        .collect();
    let share = UnrelatedByRelevance::count(&flags, &qrels).not_relevant_of_all();
    assert_eq!(share.to_string(), "584/739");
    assert_eq!(format!("{:.4}", share.value().unwrap()), "0.7903");
}
