//! Average relevance and P@1: what people thought of the one answer.
//!
//! AR is the mean grade of the answers, from 0 to 3, and is DCG@1; P@1 is the
//! share of answers with grade 2 or 3. A system failure and "do not know"
//! count 0. The published means leave out topics whose answer was not judged,
//! so every topic is listed here with what became of it.

use super::error::Task3Error;
use super::grades::{Grades, RELEVANT, grade_of};
use super::share::Share;
use formats::qrels::{Judgment, Qrels};
use formats::{DocId, TopicId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Over which topics the mean goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MeanOver {
    /// Topics whose answer was judged, as in the lab's tables.
    #[default]
    JudgedAnswers,
    /// All topics with judgments; where the answer is missing or was not judged it counts 0.
    JudgedTopics,
    /// The same over topics with an answer of grade 1 or more, for judgments that were cut down.
    RelevantTopics,
}

impl fmt::Display for MeanOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::JudgedAnswers => "topics whose answer was judged",
            Self::JudgedTopics => "all judged topics",
            Self::RelevantTopics => "judged topics with an answer of grade 1 or more",
        })
    }
}

/// Which topics are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TopicFilter {
    /// All of them.
    #[default]
    All,
    /// All but these.
    Except(BTreeSet<TopicId>),
    /// What the lab's script for Task 1 runs does with its list of topics to
    /// exclude: its test is the wrong way round, so only the listed topics
    /// stay, and none if the list is empty.
    ExceptAsRun(BTreeSet<TopicId>),
}

impl TopicFilter {
    /// Whether the topic is looked at.
    #[must_use]
    pub fn keeps(&self, topic: &TopicId) -> bool {
        match self {
            Self::All => true,
            Self::Except(listed) => !listed.contains(topic),
            Self::ExceptAsRun(listed) => listed.contains(topic),
        }
    }
}

/// What an answer counts of which assessors said "system failure" or "do not know" alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CodeRule {
    /// It counts 0, as the overview says of Task 3.
    #[default]
    Zero,
    /// Its topic is left out, as if the answer was not judged. The published values of Task 1 runs by the measures
    /// of Task 3 fit this.
    LeftOut,
}

impl fmt::Display for CodeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Zero => "codes as 0",
            Self::LeftOut => "codes left out",
        })
    }
}

/// How AR and P@1 are computed; the default is the published way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelevanceConfig {
    /// Over which topics the mean goes.
    pub mean_over: MeanOver,
    /// Which topics are looked at.
    pub filter: TopicFilter,
    /// What an answer with a code alone counts.
    pub codes: CodeRule,
}

/// What became of a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The answer was judged.
    Judged(Judgment),
    /// The topic has judgments, the answer has none.
    AnswerNotJudged,
    /// The topic has judgments, the run has no answer.
    NotAnswered,
    /// The topic has no answer of grade 1 or more, and only others were asked for.
    NothingRelevant,
    /// The run has an answer, the topic has no judgments.
    TopicNotJudged,
    /// The topic was filtered out.
    Excluded,
    /// Assessors gave the answer a code and no grade, and such answers are left out.
    CodeLeftOut,
}

impl Outcome {
    /// What the topic adds to the mean; nothing if it is left out.
    #[must_use]
    pub fn grade(self, mean_over: MeanOver) -> Option<i32> {
        match (self, mean_over) {
            (Self::Judged(judgment), _) => grade_of(judgment),
            (
                Self::AnswerNotJudged | Self::NotAnswered,
                MeanOver::JudgedTopics | MeanOver::RelevantTopics,
            ) => Some(0),
            (Self::AnswerNotJudged | Self::NotAnswered, MeanOver::JudgedAnswers)
            | (Self::NothingRelevant | Self::TopicNotJudged | Self::Excluded | Self::CodeLeftOut, _) => None,
        }
    }
}

/// A topic, its answer and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicRelevance {
    /// The topic.
    pub topic: TopicId,
    /// The id of the answer, if there is one and it is known.
    pub answer: Option<Box<str>>,
    /// What became of it.
    pub outcome: Outcome,
}

/// AR and P@1 of a run, with every topic of the run and of the judgments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relevance {
    /// Over which topics the mean goes.
    pub mean_over: MeanOver,
    /// All topics, in the order in which people list them.
    pub topics: Vec<TopicRelevance>,
}

impl Relevance {
    /// The topics in the mean, with what they count.
    pub fn counted(&self) -> impl Iterator<Item = (&TopicRelevance, i32)> {
        self.topics.iter().filter_map(|topic| Some((topic, topic.outcome.grade(self.mean_over)?)))
    }

    /// The topics that are left out of the mean.
    pub fn left_out(&self) -> impl Iterator<Item = &TopicRelevance> {
        self.topics.iter().filter(|topic| topic.outcome.grade(self.mean_over).is_none())
    }

    /// The same topics, in another mean. What is left out for having nothing relevant stays so.
    #[must_use]
    pub fn over(&self, mean_over: MeanOver) -> Self {
        Self { mean_over, topics: self.topics.clone() }
    }

    /// The topics whose answer was judged, of all topics that could be in a mean.
    #[must_use]
    pub fn judged(&self) -> Share {
        let outcomes = self.topics.iter().map(|topic| topic.outcome);
        let is_judged = |outcome: Outcome| outcome.grade(MeanOver::JudgedAnswers).is_some();
        outcomes.filter(|outcome| outcome.grade(MeanOver::JudgedTopics).is_some()).map(is_judged).collect()
    }

    /// How many topics are in the mean.
    #[must_use]
    pub fn num_topics(&self) -> usize {
        self.counted().count()
    }

    /// Average relevance; nothing if no topic is in the mean.
    #[must_use]
    pub fn ar(&self) -> Option<f64> {
        let total: i64 = self.counted().map(|(_, grade)| i64::from(grade)).sum();
        let topics = self.num_topics();
        (topics > 0).then(|| total as f64 / topics as f64)
    }

    /// The share of topics whose answer has grade 2 or more: its value is P@1.
    #[must_use]
    pub fn p_at_1(&self) -> Share {
        self.counted().map(|(_, grade)| grade >= RELEVANT).collect()
    }
}

/// AR and P@1 of a run that has one answer for a topic: topics and answer ids. An answer whose id is not
/// known, `None`, was not judged.
///
/// The judgments must have been read so that Task 3's codes are no grades, see
/// [`Scale::Task3`](formats::qrels::Scale::Task3). A run of Task 1 is
/// scored after [`first_answers`](super::first_answers).
///
/// ```
/// use formats::{DocId, Source, TopicId, qrels::{Qrels, Scale}};
/// use eval::task3::{RelevanceConfig, relevance};
/// let (qrels, _) = Qrels::read(Source::bytes("q", "A.1 0 d1 3\nA.2 0 d2 6\nA.3 0 d3 2\n"), Scale::Task3)?;
/// let answers = [("A.1", "d1"), ("A.2", "d2"), ("A.3", "d9")];
/// let answers = answers.map(|(topic, answer)| (TopicId::from(topic), DocId(answer)));
/// let relevance = relevance(answers, &qrels, &RelevanceConfig::default())?;
/// assert_eq!((relevance.ar(), relevance.p_at_1().value()), (Some(1.5), Some(0.5)));
/// assert_eq!(relevance.num_topics(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When a topic is answered twice.
pub fn relevance<'a, A: Into<Option<DocId<'a>>>>(
    answers: impl IntoIterator<Item = (TopicId, A)>,
    qrels: &Qrels,
    config: &RelevanceConfig,
) -> Result<Relevance, Task3Error> {
    let mut by_topic = BTreeMap::new();
    for (topic, answer) in answers {
        if by_topic.contains_key(&topic) {
            return Err(Task3Error::RepeatedTopic(topic));
        }
        by_topic.insert(topic, answer.into());
    }
    let grades = Grades::new(qrels);
    let mut ids: BTreeSet<&TopicId> = grades.topics().collect();
    ids.extend(by_topic.keys());
    let mut topics: Vec<TopicRelevance> = ids
        .into_iter()
        .map(|topic| {
            let answer = by_topic.get(topic).copied();
            let outcome = match config.filter.keeps(topic) {
                true => outcome(&grades, topic, answer, config),
                false => Outcome::Excluded,
            };
            let answer = answer.flatten().map(|answer| answer.as_str().into());
            TopicRelevance { topic: topic.clone(), answer, outcome }
        })
        .collect();
    topics.sort_by(|left, right| left.topic.natural_cmp(&right.topic));
    Ok(Relevance { mean_over: config.mean_over, topics })
}

/// The answer is `None` if there is none, and `Some(None)` if there is one whose id is not known.
fn outcome(
    grades: &Grades<'_>,
    topic: &TopicId,
    answer: Option<Option<DocId<'_>>>,
    config: &RelevanceConfig,
) -> Outcome {
    let only_relevant = config.mean_over == MeanOver::RelevantTopics;
    match answer {
        _ if !grades.has_topic(topic) => Outcome::TopicNotJudged,
        _ if only_relevant && !grades.has_relevant(topic) => Outcome::NothingRelevant,
        None => Outcome::NotAnswered,
        Some(answer) => match answer.and_then(|answer| grades.judgment(topic, answer)) {
            None => Outcome::AnswerNotJudged,
            Some(Judgment::SystemFailure | Judgment::DoNotKnow) if config.codes == CodeRule::LeftOut => {
                Outcome::CodeLeftOut
            }
            Some(judgment) => Outcome::Judged(judgment),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::Source;
    use formats::qrels::Scale;

    /// Answers `d` to topics 1, 2 and so on, with the given grades; `-` is not judged.
    fn score(grades: &str, config: &RelevanceConfig) -> Relevance {
        let mut lines = String::new();
        let mut answers = Vec::new();
        for (grade, number) in grades.split(' ').zip(1..) {
            let (topic, answer) = (format!("A.{number}"), if grade == "-" { "other" } else { "d" });
            lines.push_str(&format!("{topic} 0 {answer} {}\n", if grade == "-" { "3" } else { grade }));
            answers.push((TopicId::from(topic.as_str()), DocId("d")));
        }
        let (qrels, _) = Qrels::read(Source::bytes("q", lines), Scale::Task3).unwrap();
        relevance(answers, &qrels, config).unwrap()
    }

    fn check(grades: &str, config: &RelevanceConfig, expected: (f64, f64), num_topics: usize) {
        let relevance = score(grades, config);
        assert_eq!(relevance.num_topics(), num_topics, "{grades}");
        assert!((relevance.ar().unwrap() - expected.0).abs() < 5e-7, "{grades}: {:?}", relevance.ar());
        let p_at_1 = relevance.p_at_1().value().unwrap();
        assert!((p_at_1 - expected.1).abs() < 5e-7, "{grades}: {p_at_1}");
    }

    #[test]
    fn failures_count_zero_and_what_was_not_judged_is_left_out() {
        let published = RelevanceConfig::default();
        check("3 2 0 5 1", &published, (1.2, 0.4), 5);
        check("3 6 -", &published, (1.5, 0.5), 2);
        check("1 1", &published, (1.0, 0.0), 2);
        check("2", &published, (2.0, 1.0), 1);
        check("3 -1", &published, (3.0, 1.0), 1);
    }

    /// Published values of runs: the sum of the grades, relevant answers and judged answers of 78 topics.
    #[test]
    fn an_answer_with_a_code_alone_counts_zero_or_is_left_out() {
        let left_out = RelevanceConfig { codes: CodeRule::LeftOut, ..RelevanceConfig::default() };
        check("3 2 0 5 1", &left_out, (1.5, 0.5), 4);
        check("3 6 -", &left_out, (3.0, 1.0), 1);
        let all = RelevanceConfig { mean_over: MeanOver::JudgedTopics, ..left_out };
        check("3 6 -", &all, (1.5, 0.5), 2);
        let outcomes: Vec<Outcome> = score("3 6", &all).left_out().map(|topic| topic.outcome).collect();
        assert_eq!(outcomes, [Outcome::CodeLeftOut]);
    }

    #[test]
    fn published_values_leave_out_what_was_not_judged() {
        for (sum, relevant, judged, ar, p_at_1) in [
            (119, 40, 74, "1.608", "0.541"),
            (106, 37, 77, "1.377", "0.481"),
            (96, 36, 77, "1.247", "0.468"),
            (88, 29, 77, "1.143", "0.377"),
            (25, 6, 77, "0.325", "0.078"),
            (105, 39, 78, "1.346", "0.500"),
        ] {
            let high = relevant.min(sum - 2 * relevant);
            let low = sum - 2 * relevant - high;
            let counts = [("3", high), ("2", relevant - high), ("1", low), ("0", judged - relevant - low)];
            let mut grades: Vec<&str> =
                counts.iter().flat_map(|(grade, count)| vec![*grade; *count]).collect();
            grades.resize(78, "-");
            let relevance = score(&grades.join(" "), &RelevanceConfig::default());
            assert_eq!((relevance.num_topics(), relevance.left_out().count()), (judged, 78 - judged));
            assert_eq!(format!("{:.3}", relevance.ar().unwrap()), ar);
            assert_eq!(format!("{:.3}", relevance.p_at_1().value().unwrap()), p_at_1);
        }
    }

    #[test]
    fn all_judged_topics_can_count() {
        let all = RelevanceConfig { mean_over: MeanOver::JudgedTopics, ..RelevanceConfig::default() };
        check("3 6 -", &all, (1.0, 1.0 / 3.0), 3);
    }

    #[test]
    fn topics_with_nothing_relevant_can_be_left_out() {
        let relevant = RelevanceConfig { mean_over: MeanOver::RelevantTopics, ..RelevanceConfig::default() };
        check("3 6 - 0 1", &relevant, (4.0 / 3.0, 1.0 / 3.0), 3);
        let found = score("3 6 - 0 1", &relevant);
        assert_eq!(found.judged().to_string(), "2/3");
        assert_eq!(found.over(MeanOver::JudgedAnswers).ar(), Some(2.0));
        assert_eq!(
            found.left_out().map(|topic| topic.outcome).collect::<Vec<_>>(),
            [Outcome::NothingRelevant; 2]
        );
    }

    #[test]
    fn an_answer_that_is_not_known_was_not_judged() {
        let (qrels, _) = Qrels::read(Source::bytes("q", "A.1 0 d 3\nA.2 0 d 2\n"), Scale::Task3).unwrap();
        let answers = [("A.1", Some(DocId("d"))), ("A.2", None)];
        let answers = answers.map(|(topic, answer)| (TopicId::from(topic), answer));
        let found = relevance(answers, &qrels, &RelevanceConfig::default()).unwrap();
        assert_eq!((found.judged().to_string(), found.ar()), ("1/2".to_owned(), Some(3.0)));
        assert_eq!(found.over(MeanOver::JudgedTopics).ar(), Some(1.5));
        assert_eq!(found.topics[1].outcome, Outcome::AnswerNotJudged);
    }

    #[test]
    fn what_is_left_out_is_listed_with_its_reason() {
        let (qrels, _) =
            Qrels::read(Source::bytes("q", "A.2 0 d 3\nA.9 0 d 2\nA.10 0 d 1\n"), Scale::Task3).unwrap();
        let answers = ["A.2", "A.9", "A.11"].map(|topic| (TopicId::from(topic), DocId("d")));
        let filter = TopicFilter::Except([TopicId::from("A.9")].into());
        let config = RelevanceConfig { filter, ..RelevanceConfig::default() };
        let relevance = relevance(answers, &qrels, &config).unwrap();
        let left_out: Vec<_> =
            relevance.left_out().map(|topic| (topic.topic.as_str(), topic.outcome)).collect();
        let expected =
            [("A.9", Outcome::Excluded), ("A.10", Outcome::NotAnswered), ("A.11", Outcome::TopicNotJudged)];
        assert_eq!(left_out, expected);
        assert_eq!(relevance.ar(), Some(3.0));
    }

    #[test]
    fn the_labs_script_keeps_only_what_it_should_exclude() {
        let listed = RelevanceConfig {
            filter: TopicFilter::ExceptAsRun([TopicId::from("A.1")].into()),
            ..RelevanceConfig::default()
        };
        check("3 2", &listed, (3.0, 1.0), 1);
        let empty = RelevanceConfig {
            filter: TopicFilter::ExceptAsRun(BTreeSet::new()),
            ..RelevanceConfig::default()
        };
        let relevance = score("3 2", &empty);
        assert_eq!((relevance.num_topics(), relevance.ar(), relevance.p_at_1().value()), (0, None, None));
    }

    #[test]
    fn a_second_answer_to_a_topic_is_an_error() {
        let (qrels, _) = Qrels::read(Source::bytes("q", "A.1 0 d 3\n"), Scale::Task3).unwrap();
        let answers = ["d", "e"].map(|answer| (TopicId::from("A.1"), DocId(answer)));
        let error = relevance(answers, &qrels, &RelevanceConfig::default()).unwrap_err();
        assert_eq!(error.to_string(), "topic A.1 is answered a second time");
    }
}
