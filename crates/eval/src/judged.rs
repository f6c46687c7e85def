//! What was judged: how many items each topic has, how many of them are relevant, and with which grade.
//!
//! The comparison of six collections for formula retrieval counts both: Table 5 gives the least, the most and
//! the mean number of items, Figure 2 the mean number of items of each grade by the complexity of the query.

use crate::judgments::{Codes, Judgments};
use formats::TopicId;
use formats::qrels::Qrels;

/// The grades of a topic's judged items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicGrades {
    /// The topic.
    pub id: TopicId,
    /// The grades, the highest first.
    pub grades: Vec<i32>,
}

/// The grades of every topic that has some, in the order in which people list topics.
#[must_use]
pub fn topic_grades(qrels: &Qrels, codes: Codes) -> Vec<TopicGrades> {
    let judgments = Judgments::new(qrels, codes);
    let topics = judgments
        .topics()
        .iter()
        .map(|topic| TopicGrades { id: topic.id().clone(), grades: topic.pool().grades().to_vec() });
    topics.filter(|topic| !topic.grades.is_empty()).collect()
}

/// The least, the most and the mean of a count over topics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The least.
    pub least: usize,
    /// The most.
    pub most: usize,
    /// The mean.
    pub mean: f64,
}

impl Extent {
    /// Of the counts of topics; nothing without topics.
    #[must_use]
    pub fn of(counts: &[usize]) -> Option<Self> {
        let (least, most) = (*counts.iter().min()?, *counts.iter().max()?);
        Some(Self { least, most, mean: mean(counts.iter().sum(), counts.len()) })
    }
}

/// How many items of a topic are judged, and how many of those have a grade of 1 or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedCounts {
    /// The number of topics.
    pub topics: usize,
    /// Judged items.
    pub judged: Extent,
    /// Relevant items.
    pub relevant: Extent,
}

impl JudgedCounts {
    /// Of the grades of topics; nothing without topics.
    #[must_use]
    pub fn of<'a>(topics: impl Iterator<Item = &'a [i32]>) -> Option<Self> {
        let (judged, relevant): (Vec<usize>, Vec<usize>) =
            topics.map(|grades| (grades.len(), relevant(grades))).unzip();
        Some(Self { topics: judged.len(), judged: Extent::of(&judged)?, relevant: Extent::of(&relevant)? })
    }
}

/// How many items of each grade a topic has on average.
#[derive(Clone, Debug, PartialEq)]
pub struct GradeMeans {
    /// The number of topics.
    pub topics: usize,
    /// The mean number of items of each grade that was asked for.
    pub means: Vec<f64>,
    /// The mean number of items with a grade of 1 or more.
    pub relevant: f64,
}

impl GradeMeans {
    /// Of the grades of topics; nothing without topics.
    #[must_use]
    pub fn of<'a>(topics: impl Iterator<Item = &'a [i32]>, levels: &[i32]) -> Option<Self> {
        let topics: Vec<&[i32]> = topics.collect();
        let of = |count: &dyn Fn(&[i32]) -> usize| {
            mean(topics.iter().map(|grades| count(grades)).sum(), topics.len())
        };
        let level = |level: i32| move |grades: &[i32]| grades.iter().filter(|grade| **grade == level).count();
        (!topics.is_empty()).then(|| Self {
            topics: topics.len(),
            means: levels.iter().map(|wanted| of(&level(*wanted))).collect(),
            relevant: of(&relevant),
        })
    }
}

fn relevant(grades: &[i32]) -> usize {
    grades.iter().filter(|grade| **grade >= 1).count()
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn mean(sum: usize, topics: usize) -> f64 {
    sum as f64 / topics as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::Source;
    use formats::qrels::Scale;

    fn grades(text: &str) -> Vec<TopicGrades> {
        let qrels = Qrels::read(Source::bytes("q", text.to_owned()), Scale::Coded).unwrap().0;
        topic_grades(&qrels, Codes::Unjudged)
    }

    /// Codes and negative grades do not count as judgments; B.3 has nothing else and is left out.
    const QRELS: &str = "B.10 0 a 3\nB.10 0 b 0\nB.10 0 c 6\nB.2 0 a 1\nB.2 0 b 2\nB.2 0 c 2\nB.2 0 d 0\n\
                         B.3 0 a 5\nB.3 0 b -1\n";

    #[test]
    fn relevant_is_all_but_not_relevant_and_topics_without_grades_do_not_count() {
        let topics = grades(QRELS);
        let ids: Vec<&str> = topics.iter().map(|topic| topic.id.as_str()).collect();
        assert_eq!(ids, ["B.2", "B.10"]);
        let counts = JudgedCounts::of(topics.iter().map(|topic| topic.grades.as_slice())).unwrap();
        assert_eq!(counts.topics, 2);
        assert_eq!(counts.judged, Extent { least: 2, most: 4, mean: 3.0 });
        assert_eq!(counts.relevant, Extent { least: 1, most: 3, mean: 2.0 });
        assert_eq!(JudgedCounts::of(std::iter::empty()), None);
    }

    #[test]
    fn means_by_grade_are_over_all_topics_also_those_without_the_grade() {
        let topics = grades(QRELS);
        let means = GradeMeans::of(topics.iter().map(|topic| topic.grades.as_slice()), &[3, 2, 1]).unwrap();
        // B.2 has two items of grade 2 and one of grade 1, B.10 one of grade 3.
        assert_eq!((means.topics, means.means, means.relevant), (2, vec![0.5, 1.0, 0.5], 2.0));
        assert_eq!(GradeMeans::of(std::iter::empty(), &[1]), None);
    }
}
