//! Written answers (Task 3): all of them are pooled, each text once.
//!
//! Two answers to a topic are the same if their texts are, trimmed and with
//! every stretch of white space as one space. The id of an answer follows from
//! its topic and this text alone, so that pooling again, with more runs or
//! fewer, gives the same ids, and judgments can be kept.

use crate::error::Error;
use crate::item::{AnswerId, ItemId, PoolItem, Returned, Sources};
use crate::pool::{Pool, TopicPool, Walked};
use crate::ranking::distinct_topics;
use formats::task3::Task3Run;
use formats::{RunTag, TopicId};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_128;

/// How many hexadecimal digits of the fingerprint are in an id.
const DIGITS: usize = 12;

/// A run of written answers that takes part.
#[derive(Clone, Debug)]
pub struct AnsweringRun<'a> {
    /// What it is called. No two runs may have the same name.
    pub name: RunTag,
    /// The run.
    pub run: &'a Task3Run,
}

/// Pools written answers: all answers of all runs to these topics.
///
/// The rank of an answer is its place among the run's answers to the topic;
/// there should be one. An answer without a word is skipped and counted.
///
/// # Errors
///
/// When two runs have the same name, or two different answers the same id.
pub fn pool_answers(runs: &[AnsweringRun<'_>], topics: &[TopicId]) -> Result<Pool, Error> {
    let mut runs: Vec<&AnsweringRun<'_>> = runs.iter().collect();
    runs.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(pair) = runs.windows(2).find(|pair| pair[0].name == pair[1].name) {
        return Err(Error::RunTwice(pair[0].name.clone()));
    }
    let topics = distinct_topics(topics).into_iter().map(|topic| pool_topic(&runs, topic));
    Ok(Pool { topics: topics.collect::<Result<_, Error>>()? })
}

/// The id of an answer: the topic, a hyphen and the first 12 hexadecimal
/// digits of XXH3 (128 bits) of the text, trimmed and with single spaces.
///
/// ```
/// use formats::TopicId;
/// let topic = TopicId::from("A.301");
/// let id = pool::answer_id(&topic, "Take  $x = 1$.\n");
/// assert_eq!(id, pool::answer_id(&topic, "Take $x = 1$."));
/// assert_eq!(id.as_str().len(), "A.301-".len() + 12);
/// ```
#[must_use]
pub fn answer_id(topic: &TopicId, text: &str) -> AnswerId {
    let digits = format!("{:032x}", xxh3_128(one_spaced(text).as_bytes()));
    AnswerId::new(format!("{topic}-{}", &digits[..DIGITS]))
}

fn one_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn pool_topic(runs: &[&AnsweringRun<'_>], topic: TopicId) -> Result<TopicPool, Error> {
    let mut found = Found::default();
    let mut walks = Vec::new();
    for AnsweringRun { name, run } in runs.iter().copied() {
        let mut walked = Walked { run: name.clone(), depth: 0, skipped: 0 };
        for answer in run.answers.iter().filter(|answer| answer.topic == topic) {
            walked.depth += 1;
            let text = one_spaced(&answer.answer);
            if text.is_empty() {
                walked.skipped += 1;
                continue;
            }
            let id = answer_id(&topic, &text);
            found.add(&topic, id, text, Returned { run: name.clone(), rank: walked.depth })?;
        }
        walks.push(walked);
    }
    let items = found.0.into_iter().map(|(id, (text, within))| PoolItem {
        id: ItemId::Answer(id),
        sources: Sources { within, deeper: Vec::new() },
        candidates: Vec::new(),
        text: Some(text),
    });
    Ok(TopicPool::new(topic, items.collect(), walks))
}

/// The texts so far, and who wrote them.
#[derive(Default)]
struct Found(BTreeMap<AnswerId, (String, Vec<Returned>)>);

impl Found {
    fn add(&mut self, topic: &TopicId, id: AnswerId, text: String, by: Returned) -> Result<(), Error> {
        let (known, within) = self.0.entry(id.clone()).or_insert_with(|| (text.clone(), Vec::new()));
        if *known != text {
            return Err(Error::Collision { topic: topic.clone(), id });
        }
        // A run that says the same thing twice said it first at the first place.
        if within.last().is_none_or(|last| last.run != by.run) {
            within.push(by);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::Source;

    fn run(name: &str, answers: &[(&str, &str)]) -> Task3Run {
        let row = |(topic, answer): &(&str, &str)| format!("{topic}\t1\t1\t{name}\t\t\"{answer}\"\n");
        let text: String = answers.iter().map(row).collect();
        Task3Run::read_tolerant(Source::bytes(name, text)).unwrap().0
    }

    fn pool(runs: &[&Task3Run], topics: &[&str]) -> Result<Pool, Error> {
        let runs = runs.iter().map(|run| AnsweringRun { name: run.name.as_str().into(), run });
        let topics: Vec<TopicId> = topics.iter().map(|topic| TopicId::from(*topic)).collect();
        pool_answers(&runs.collect::<Vec<_>>(), &topics)
    }

    fn shown(topic: &TopicPool) -> Vec<(String, Vec<(&str, usize)>)> {
        let places = |item: &'_ PoolItem| item.text.clone().unwrap();
        let mut shown: Vec<_> = topic
            .items
            .iter()
            .map(|item| {
                let by = item.sources.within.iter().map(|by| (by.run.as_str(), by.rank)).collect();
                (places(item), by)
            })
            .collect();
        shown.sort();
        shown
    }

    #[test]
    fn the_same_text_is_one_item_with_all_its_runs() {
        let a = run("a", &[("A.1", " It is  $x$.\n"), ("A.2", "two")]);
        let b = run("b", &[("A.1", "It\tis $x$."), ("A.2", "Two"), ("A.9", "elsewhere")]);
        let pool = pool(&[&b, &a], &["A.1", "A.2"]).unwrap();
        assert_eq!(shown(&pool.topics[0]), [("It is $x$.".to_owned(), vec![("a", 1), ("b", 1)])]);
        let both = [("Two".to_owned(), vec![("b", 1)]), ("two".to_owned(), vec![("a", 1)])];
        assert_eq!(shown(&pool.topics[1]), both);
        assert_eq!(pool.topics.len(), 2);
        let shares: Vec<_> = pool.topics[0].runs.iter().map(|run| (run.items, run.alone)).collect();
        assert_eq!(shares, [(1, 0), (1, 0)]);
    }

    #[test]
    fn an_id_does_not_depend_on_other_runs() {
        let a = run("a", &[("A.1", "one")]);
        let b = run("b", &[("A.1", "two")]);
        let alone = pool(&[&a], &["A.1"]).unwrap();
        let together = pool(&[&a, &b], &["A.1"]).unwrap();
        assert!(together.topics[0].items.iter().any(|item| item.id == alone.topics[0].items[0].id));
        let elsewhere = answer_id(&"A.2".into(), "one");
        assert_ne!(alone.topics[0].items[0].id, ItemId::Answer(elsewhere));
    }

    #[test]
    fn empty_and_repeated_answers_are_no_items_of_their_own() {
        let a = run("a", &[("A.1", "  "), ("A.1", "one"), ("A.1", "one ")]);
        let pool = pool(&[&a], &["A.1"]).unwrap();
        assert_eq!(shown(&pool.topics[0]), [("one".to_owned(), vec![("a", 2)])]);
        assert_eq!((pool.topics[0].runs[0].depth, pool.topics[0].runs[0].skipped), (3, 1));
    }

    #[test]
    fn two_texts_with_one_id_are_refused() {
        let (topic, id) = (TopicId::from("A.1"), AnswerId::new("A.1-0"));
        let by = || Returned { run: "a".into(), rank: 1 };
        let mut found = Found::default();
        assert_eq!(found.add(&topic, id.clone(), "one".to_owned(), by()), Ok(()));
        let refused = found.add(&topic, id.clone(), "two".to_owned(), by());
        assert_eq!(refused, Err(Error::Collision { topic, id }));
    }

    #[test]
    fn two_runs_of_one_name_are_refused() {
        let a = run("a", &[]);
        assert_eq!(pool(&[&a, &a], &[]), Err(Error::RunTwice("a".into())));
    }
}
