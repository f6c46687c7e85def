//! Answers as rankings of length one.

use crate::input::Answer;
use eval::task3::{self, RelevanceConfig, Task3Error, relevance};
use eval::{Column, Judgments, LeftOut, Measure, Outcome, RunScores, TopicScores};
use formats::DocId;
use formats::qrels::Qrels;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// AR and P@1. AR is DCG at the first rank: the grade itself.
pub(super) fn columns(relevant_from: i32) -> Vec<Column> {
    let average_relevance = "DCG@1".parse().expect("DCG@1 is a measure");
    vec![
        Column { name: "AR".to_owned(), measure: average_relevance },
        Column { name: "P@1".to_owned(), measure: Measure::precision(relevant_from, NonZeroUsize::MIN) },
    ]
}

/// The grade of each answer, and whether it is relevant.
pub(super) fn scores(
    answers: &[Answer],
    qrels: &Qrels,
    judgments: &Judgments<'_>,
    measures: &[Measure],
) -> Result<RunScores, Task3Error> {
    let given = answers.iter().map(|answer| (answer.topic.clone(), DocId(&answer.id)));
    let relevance = relevance(given, qrels, &RelevanceConfig::default())?;
    let outcomes: BTreeMap<_, _> =
        relevance.topics.iter().map(|topic| (&topic.topic, topic.outcome)).collect();
    let mut topics = Vec::new();
    for judged in judgments.topics() {
        let (outcome, grade) = match outcomes.get(judged.id()) {
            Some(task3::Outcome::Judged(judgment)) => match task3::grade_of(*judgment) {
                Some(grade) => (Outcome::Judged, Some(grade)),
                None => (Outcome::NothingJudged, None),
            },
            Some(task3::Outcome::AnswerNotJudged) => (Outcome::NothingJudged, None),
            _ => (Outcome::NoResults, None),
        };
        let verdicts: Vec<eval::ResultGrade> = grade.map(eval::ResultGrade::graded).into_iter().collect();
        let ranked = eval::Ranked { grades: &verdicts, judged: judged.pool() };
        topics.push(TopicScores {
            id: judged.id().clone(),
            outcome,
            values: measures.iter().map(|measure| measure.score(ranked)).collect(),
            num_results: usize::from(outcome != Outcome::NoResults),
            num_judged: usize::from(outcome == Outcome::Judged),
            pool_size: judged.pool().num_judged(),
            highest_grade: judged.pool().grades().first().copied(),
            num_tied: 0,
            tie_bounds: Vec::new(),
        });
    }
    let not_judged = |topic: &&task3::TopicRelevance| topic.outcome == task3::Outcome::TopicNotJudged;
    let without_judgments =
        relevance.topics.iter().filter(not_judged).map(|topic| topic.topic.clone()).collect();
    Ok(RunScores { measures: measures.to_vec(), topics, without_judgments, left_out: LeftOut::default() })
}
