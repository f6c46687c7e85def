//! Rankings as pooling sees them: in the order in which they were submitted, without judgments.
//!
//! Scores and ranks of a submitted run agree, and of equal scores the rank decides. Measures look at scores
//! alone, as trec_eval does, and order equal ones by id: that is for them, and not for pools.
//!
//! Runs are sorted by their names here, once, and everything after works in
//! that order. So the order in which runs are given changes nothing at all.

use crate::error::Error;
use crate::extent::Standing;
use crate::item::{ItemId, ItemKind};
use eval::{Duplicates, JudgedTopic, Pipeline, VisualIdLookup};
use formats::order::Width;
use formats::run::{Run, TopicRows};
use formats::{DocId, RunTag, TopicId};
use std::collections::{BTreeMap, BTreeSet};

/// A run that takes part.
#[derive(Clone, Debug)]
pub struct PooledRun<'a> {
    /// What it is called. No two runs may have the same name; tags of files often do.
    pub name: RunTag,
    /// The run.
    pub run: &'a Run,
    /// What it counts as.
    pub standing: Standing,
}

/// What the documents of the runs are, and what people are asked about.
#[derive(Clone, Copy)]
pub enum Unit<'a> {
    /// Posts; people are asked about them.
    Posts,
    /// Formula instances; people are asked about formulas that look different.
    Formulas(&'a dyn VisualIdLookup),
    /// Visual ids; people are asked about them, and no instances are known.
    VisualIds,
    /// Formula instances; people are asked about each of them.
    Instances,
}

impl Unit<'_> {
    /// What people are asked about.
    #[must_use]
    pub fn items(self) -> ItemKind {
        match self {
            Self::Posts => ItemKind::Post,
            Self::Formulas(_) | Self::VisualIds => ItemKind::Formula,
            Self::Instances => ItemKind::Instance,
        }
    }

    /// What the labs do with a document that is listed twice: Task 1 counts the
    /// first row, Task 2 the last, NTCIR refuses it.
    #[must_use]
    pub fn duplicates(self) -> Duplicates {
        match self {
            Self::Posts => Duplicates::KeepFirst,
            Self::Formulas(_) | Self::VisualIds => Duplicates::KeepLast,
            Self::Instances => Duplicates::Refuse,
        }
    }
}

/// How the rows of a file become a ranking.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// What the documents are.
    pub unit: Unit<'a>,
    /// What happens to documents that are listed twice.
    pub duplicates: Duplicates,
}

impl<'a> Reading<'a> {
    /// By the rules of the labs: duplicates as [`Unit::duplicates`] says.
    #[must_use]
    pub fn new(unit: Unit<'a>) -> Self {
        Self { unit, duplicates: unit.duplicates() }
    }

    /// The documents of a topic in the order in which they were submitted, best first: score descending,
    /// then rank ascending, then as in the file. Formula instances stay what they are.
    ///
    /// # Errors
    ///
    /// When a document is listed twice and that is refused.
    pub fn ranking<'r>(&self, rows: TopicRows<'r>) -> Result<Vec<DocId<'r>>, Error> {
        let pipeline =
            Pipeline { width: Width::F64, duplicates: self.duplicates, visual_ids: None, depth: None };
        let mut entries = pipeline.rank(rows, &JudgedTopic::unjudged(rows.id()))?.entries;
        let ranks: BTreeMap<usize, u64> =
            rows.rows().map(|row| (row.line(), row.rank_text().trim().parse().unwrap_or(u64::MAX))).collect();
        let rank = |line: usize| ranks.get(&line).copied().unwrap_or(u64::MAX);
        entries.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then_with(|| (rank(a.line), a.line).cmp(&(rank(b.line), b.line)))
        });
        Ok(entries.into_iter().map(|entry| entry.doc).collect())
    }
}

/// The rankings of all runs for the topics of a lab, ready to be pooled to any depth.
#[derive(Clone, Debug)]
pub struct Rankings<'a> {
    pub(crate) items: ItemKind,
    pub(crate) topics: Vec<TopicRankings<'a>>,
}

/// The rankings of one topic.
#[derive(Clone, Debug)]
pub(crate) struct TopicRankings<'a> {
    pub(crate) topic: TopicId,
    /// By the names of the runs; a run without results has an empty one.
    pub(crate) runs: Vec<RunRanking<'a>>,
}

/// What one run has for a topic.
#[derive(Clone, Debug)]
pub(crate) struct RunRanking<'a> {
    pub(crate) name: RunTag,
    pub(crate) standing: Standing,
    /// In order, best first.
    pub(crate) rows: Vec<RankedRow<'a>>,
    /// Where in the rows an item stands for the first time.
    pub(crate) firsts: Vec<usize>,
}

/// One place of a ranking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankedRow<'a> {
    /// What people would be asked about; nothing for a formula without a visual id.
    pub(crate) item: Option<DocId<'a>>,
    /// The formula that stands here, where it is not the item itself.
    pub(crate) instance: Option<DocId<'a>>,
}

impl<'a> Rankings<'a> {
    /// Puts the results of all runs for these topics in order. Other topics of
    /// the runs are not looked at, and topics come out as people list them, each once.
    ///
    /// # Errors
    ///
    /// When two runs have the same name, or a document is listed twice and that is refused.
    pub fn new(runs: &[PooledRun<'a>], topics: &[TopicId], reading: &Reading<'a>) -> Result<Self, Error> {
        let mut runs: Vec<&PooledRun<'a>> = runs.iter().collect();
        runs.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(pair) = runs.windows(2).find(|pair| pair[0].name == pair[1].name) {
            return Err(Error::RunTwice(pair[0].name.clone()));
        }
        let topics = distinct_topics(topics).into_iter().map(|topic| {
            let ranked = runs.iter().map(|run| RunRanking::new(run, &topic, reading));
            let runs = ranked.collect::<Result<_, Error>>()?;
            Ok(TopicRankings { topic, runs })
        });
        Ok(Self { items: reading.unit.items(), topics: topics.collect::<Result<_, Error>>()? })
    }

    /// What people are asked about.
    #[must_use]
    pub fn items(&self) -> ItemKind {
        self.items
    }
}

impl<'a> RunRanking<'a> {
    fn new(run: &PooledRun<'a>, topic: &TopicId, reading: &Reading<'a>) -> Result<Self, Error> {
        let docs = match run.run.topic(topic) {
            Some(rows) => reading.ranking(rows)?,
            None => Vec::new(),
        };
        let rows: Vec<RankedRow<'a>> = docs
            .into_iter()
            .map(|doc| match reading.unit {
                Unit::Formulas(table) => RankedRow { item: table.visual_id(doc), instance: Some(doc) },
                Unit::Posts | Unit::VisualIds | Unit::Instances => {
                    RankedRow { item: Some(doc), instance: None }
                }
            })
            .collect();
        let mut seen = BTreeSet::new();
        let firsts =
            rows.iter().enumerate().filter(|(_, row)| row.item.is_some_and(|item| seen.insert(item)));
        let firsts = firsts.map(|(place, _)| place).collect();
        Ok(Self { name: run.name.clone(), standing: run.standing, rows, firsts })
    }

    /// How many rows are walked until so many items have been met: all rows if
    /// there are fewer items.
    pub(crate) fn rows_to(&self, items: usize) -> usize {
        match items.checked_sub(1) {
            None => 0,
            Some(last) => self.firsts.get(last).map_or(self.rows.len(), |place| place + 1),
        }
    }
}

/// An item of the given kind; the texts of all kinds but written answers stand in runs.
pub(crate) fn item_id(kind: ItemKind, doc: DocId<'_>) -> ItemId {
    match kind {
        ItemKind::Post => ItemId::Post(doc.as_str().into()),
        ItemKind::Answer => ItemId::Answer(crate::item::AnswerId::new(doc.as_str())),
        ItemKind::Formula => ItemId::Formula(doc.as_str().into()),
        ItemKind::Instance => ItemId::Instance(doc.as_str().into()),
    }
}

/// Each topic once, as people list them.
pub(crate) fn distinct_topics(topics: &[TopicId]) -> Vec<TopicId> {
    let mut topics = topics.to_vec();
    topics.sort_by(TopicId::natural_cmp);
    topics.dedup();
    topics
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{run, run_text};

    fn docs(run: &Run, reading: &Reading<'_>) -> Result<Vec<String>, Error> {
        let rows = run.topics().next().unwrap();
        Ok(reading.ranking(rows)?.iter().map(ToString::to_string).collect())
    }

    /// trec_eval would put 9 before 10, and take the two scores that differ in their last bits for one.
    #[test]
    fn equal_scores_keep_the_order_of_their_ranks() {
        let text = "A.1 Q0 10 2 1.0 us\nA.1 Q0 9 3 1.0 us\nA.1 Q0 100 1 2 us\nA.1 Q0 8 5 -1 us\nA.1 Q0 99 4 0.99999999999 us\n";
        let reading = Reading::new(Unit::Posts);
        assert_eq!(docs(&run_text("us", text), &reading).unwrap(), ["100", "10", "9", "99", "8"]);
        let other = text.replace(" 2 1.0 ", " 3 1.0 ").replace("9 3 1.0", "9 2 1.0");
        assert_eq!(docs(&run_text("us", &other), &reading).unwrap(), ["100", "9", "10", "99", "8"]);
    }

    #[test]
    fn duplicates_follow_the_rule_of_the_task() {
        let run = run_text("us", "A.1 Q0 a 1 3 us\nA.1 Q0 b 2 2 us\nA.1 Q0 a 3 1 us\n");
        assert_eq!(docs(&run, &Reading::new(Unit::Posts)).unwrap(), ["a", "b"]);
        assert_eq!(docs(&run, &Reading::new(Unit::VisualIds)).unwrap(), ["b", "a"]);
        let refused = docs(&run, &Reading::new(Unit::Instances)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "us:3: document a is listed a second time for topic A.1; the first is on line 1"
        );
    }

    #[test]
    fn two_runs_of_one_name_are_refused() {
        let run = run("us", "A.1", &["a"]);
        let one = PooledRun { name: "us".into(), run: &run, standing: Standing::Primary };
        let error =
            Rankings::new(&[one.clone(), one], &["A.1".into()], &Reading::new(Unit::Posts)).unwrap_err();
        assert_eq!(error.to_string(), "two runs are called us");
    }

    #[test]
    fn topics_come_out_once_and_in_the_order_of_people() {
        let topics = ["A.10", "A.9", "A.10"].map(TopicId::from);
        let rankings = Rankings::new(&[], &topics, &Reading::new(Unit::Posts)).unwrap();
        let names: Vec<String> = rankings.topics.iter().map(|topic| topic.topic.to_string()).collect();
        assert_eq!(names, ["A.9", "A.10"]);
    }
}
