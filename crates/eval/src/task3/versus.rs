//! Two runs of Task 3 beside each other: over the topics where people judged both.

use super::error::Task3Error;
use super::grades::RELEVANT;
use super::relevance::{MeanOver, Relevance};
use super::similarity::SimilarityScore;
use formats::TopicId;
use stats::paired::{Resampling, randomisation_test};
use std::collections::BTreeMap;

/// A run beside another, by the grades of their answers.
#[derive(Clone, Debug, PartialEq)]
pub struct GradeComparison {
    /// The topics where the answers of both were judged, in the order in which people list them.
    pub topics: Vec<TopicId>,
    /// By average relevance.
    pub ar: Difference,
    /// By the share of answers of grade 2 or more.
    pub p_at_1: Difference,
}

/// A run beside another, by the similarity of their answers to references.
#[derive(Clone, Debug, PartialEq)]
pub struct SimilarityComparison {
    /// The topics where both have a value, in the order in which people list them.
    pub topics: Vec<TopicId>,
    /// By these values.
    pub difference: Difference,
}

/// The means of two runs over the same topics.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// The mean of the run.
    pub run: f64,
    /// The mean of the other.
    pub base: f64,
    /// How many topics are better, equal and worse than in the other.
    pub better: usize,
    /// See `better`.
    pub equal: usize,
    /// See `better`.
    pub worse: usize,
    /// How likely so large a difference is if it were chance which run gave which answer.
    pub p: f64,
}

impl Difference {
    /// The mean of the run less that of the other.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.run - self.base
    }

    fn of(run: &[f64], base: &[f64], resampling: &Resampling) -> Result<Self, stats::Error> {
        let count = |of: fn(&f64, &f64) -> bool| run.iter().zip(base).filter(|(a, b)| of(a, b)).count();
        Ok(Self {
            run: stats::summary::mean(run)?,
            base: stats::summary::mean(base)?,
            better: count(|a, b| a > b),
            equal: count(|a, b| a == b),
            worse: count(|a, b| a < b),
            p: randomisation_test(run, base, resampling)?.p_value,
        })
    }
}

/// Compares a run with another over the topics where both were judged, by Fisher's randomisation test of the
/// mean grade and of the share of relevant answers, two-sided. Nothing if there is no such topic.
///
/// # Errors
///
/// When no resample is asked for.
pub fn compare_grades(
    run: &Relevance,
    base: &Relevance,
    resampling: &Resampling,
) -> Result<Option<GradeComparison>, Task3Error> {
    let grades = |relevance: &Relevance| -> BTreeMap<TopicId, i32> {
        let judged = relevance.over(MeanOver::JudgedAnswers);
        judged.counted().map(|(topic, grade)| (topic.topic.clone(), grade)).collect()
    };
    let (run, base) = (grades(run), grades(base));
    let mut both: Vec<(&TopicId, i32, i32)> =
        run.iter().filter_map(|(topic, grade)| Some((topic, *grade, *base.get(topic)?))).collect();
    if both.is_empty() {
        return Ok(None);
    }
    both.sort_by(|left, right| left.0.natural_cmp(right.0));
    let compare = |value: fn(i32) -> f64| {
        let (run, base): (Vec<f64>, Vec<f64>) =
            both.iter().map(|(_, run, base)| (value(*run), value(*base))).unzip();
        Difference::of(&run, &base, resampling).map_err(failed)
    };
    Ok(Some(GradeComparison {
        ar: compare(f64::from)?,
        p_at_1: compare(|grade| f64::from(u8::from(grade >= RELEVANT)))?,
        topics: both.into_iter().map(|(topic, _, _)| topic.clone()).collect(),
    }))
}

/// Compares the similarities of a run with those of another over the topics where both have one, by the same
/// test. Nothing if there is no such topic.
///
/// # Errors
///
/// When no resample is asked for.
pub fn compare_similarity(
    run: &SimilarityScore,
    base: &SimilarityScore,
    resampling: &Resampling,
) -> Result<Option<SimilarityComparison>, Task3Error> {
    let of_base: BTreeMap<&TopicId, f64> = base.counted().collect();
    let mut topics = Vec::new();
    let (mut of_run, mut of_both) = (Vec::new(), Vec::new());
    for (topic, value) in run.counted() {
        if let Some(other) = of_base.get(topic) {
            topics.push(topic.clone());
            of_run.push(value);
            of_both.push(*other);
        }
    }
    if topics.is_empty() {
        return Ok(None);
    }
    let difference = Difference::of(&of_run, &of_both, resampling).map_err(failed)?;
    Ok(Some(SimilarityComparison { topics, difference }))
}

fn failed(error: stats::Error) -> Task3Error {
    Task3Error::Comparison { reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task3::{
        BestReference, ReferenceTask, RelevanceConfig, SimilarityOutcome, TopicSimilarity, Unanswered,
        relevance,
    };
    use formats::qrels::{Qrels, Scale};
    use formats::{DocId, Source};
    use std::collections::BTreeSet;

    const RESAMPLING: Resampling = Resampling { resamples: 1000, seed: 1 };

    /// Topic by topic the grades of two answers; `-` is not judged.
    fn compare(grades: &str) -> Option<GradeComparison> {
        let mut rows = String::new();
        let mut topics = Vec::new();
        for (pair, number) in grades.split(' ').zip(1..) {
            for (grade, answer) in pair.chars().zip(["a", "b"]) {
                let answer = if grade == '-' { "other" } else { answer };
                let grade = if grade == '-' { '0' } else { grade };
                rows.push_str(&format!("A.{number} 0 {answer} {grade}\n"));
            }
            topics.push(TopicId::from(format!("A.{number}").as_str()));
        }
        let (qrels, _) = Qrels::read(Source::bytes("q", rows), Scale::Task3).unwrap();
        let of = |answer: &'static str| {
            let answers = topics.iter().map(|topic| (topic.clone(), DocId(answer)));
            relevance(answers, &qrels, &RelevanceConfig::default()).unwrap()
        };
        compare_grades(&of("a"), &of("b"), &RESAMPLING).unwrap()
    }

    #[test]
    fn only_topics_where_both_were_judged_count() {
        let found = compare("31 20 0- -3 22 05").unwrap();
        let topics: Vec<&str> = found.topics.iter().map(TopicId::as_str).collect();
        assert_eq!(topics, ["A.1", "A.2", "A.5", "A.6"]);
        let ar = found.ar;
        assert_eq!((ar.run, ar.base, ar.value()), (1.75, 0.75, 1.0));
        assert_eq!((ar.better, ar.equal, ar.worse), (2, 2, 0));
        // Of the four patterns of signs of two differences of 2, two are as far from 0.
        assert!((ar.p - 0.5).abs() < 1e-12);
        assert_eq!((found.p_at_1.run, found.p_at_1.base), (0.75, 0.25));
        assert_eq!((found.p_at_1.better, found.p_at_1.equal, found.p_at_1.worse), (2, 2, 0));
    }

    #[test]
    fn similarities_are_compared_where_both_have_one() {
        let score = |values: &[(&str, Option<f64>)]| SimilarityScore {
            measure: "LO".to_owned(),
            rules: Vec::new(),
            unanswered: Unanswered::LeftOut,
            topics: values
                .iter()
                .map(|(topic, value)| {
                    let best = BestReference { task: ReferenceTask::Task1, ids: BTreeSet::new() };
                    let outcome = match value {
                        Some(value) => SimilarityOutcome::Compared { value: *value, best, references: 1 },
                        None => SimilarityOutcome::NoReference,
                    };
                    TopicSimilarity { topic: TopicId::from(*topic), outcome }
                })
                .collect(),
        };
        let run = score(&[("A.1", Some(0.5)), ("A.2", None), ("A.3", Some(0.25))]);
        let base = score(&[("A.1", Some(0.25)), ("A.2", Some(1.0)), ("A.3", Some(0.0)), ("A.4", Some(1.0))]);
        let found = compare_similarity(&run, &base, &RESAMPLING).unwrap().unwrap();
        assert_eq!(found.topics, ["A.1", "A.3"].map(TopicId::from));
        assert_eq!((found.difference.run, found.difference.base), (0.375, 0.125));
        assert_eq!((found.difference.better, found.difference.worse), (2, 0));
        let none = score(&[("A.9", Some(1.0))]);
        assert_eq!(compare_similarity(&none, &base, &RESAMPLING).unwrap(), None);
    }

    #[test]
    fn equal_runs_and_runs_without_a_common_topic() {
        assert!((compare("33 00").unwrap().ar.p - 1.0).abs() < 1e-12);
        assert_eq!(compare("3- -1"), None);
    }
}
