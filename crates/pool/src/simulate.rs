//! What would adaptive judging have saved? Judgments that exist, made again one by one.
//!
//! A [`Replay`] pools the runs, takes the items that have an official grade,
//! and lets a [`Method`] choose among them. After each share of the judgments
//! the runs are scored by what has been judged so far, and their order is
//! compared with the order by all judgments of the replay.
//!
//! Its limits, which no setting removes:
//!
//! - Only items with an official grade can be replayed. What nobody judged is
//!   left out of the pool, so a method is never seen to waste a judgment on it.
//! - "All judgments" are those of the pool of the runs at hand. Other runs
//!   brought more into the official pool; these judgments count nowhere here,
//!   and values differ from official ones.
//! - Where files of runs hold judged results only, ranks are ranks among these.
//! - The runs that are compared are those that are asked. How a run does that
//!   was not pooled, which is what adaptive pools are bad for, is not seen.
//! - With few runs tau moves in large steps: with seven there are 21 pairs, so
//!   that 0.9 means one pair exchanged, at most.

use crate::choose::{Choice, Chooser, Method, Relevance, Stop};
use crate::error::Error;
use crate::extent::Extent;
use crate::pool::TopicPool;
use crate::ranking::{PooledRun, Rankings, Reading, Unit};
use eval::{Codes, Judgments, Measure, Pipeline, Scorer, Ties, TopicPolicy};
use formats::order::Width;
use formats::qrels::Qrels;
use formats::run::Run;
use formats::{DocId, TopicId};
use stats::correlation::tau_b;
use std::collections::BTreeMap;

/// What is replayed, and how the runs are scored.
#[derive(Clone)]
pub struct Setting<'a> {
    /// The runs.
    pub runs: &'a [PooledRun<'a>],
    /// How their rows become rankings.
    pub reading: Reading<'a>,
    /// How deep they are pooled.
    pub extent: Extent,
    /// The official judgments. Codes that are no grades count as not judged.
    pub qrels: &'a Qrels,
    /// From which grade on an item is relevant for the choosers and for the share found.
    pub level: i32,
    /// By what the runs are put in order.
    pub measure: &'a Measure,
    /// Which topics enter the means.
    pub policy: TopicPolicy,
}

/// Judgments ready to be made again.
pub struct Replay<'a> {
    setting: Setting<'a>,
    /// The judged topics, each with the pooled items that have a grade.
    topics: Vec<TopicPool>,
    grades: BTreeMap<TopicId, BTreeMap<&'a str, i32>>,
    /// The value of each run with all judgments of the replay.
    full: Vec<f64>,
}

/// A replay by one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// The method.
    pub method: Method,
    /// What chance began with.
    pub seed: u64,
    /// How many judgments there are in all.
    pub judgments: usize,
    /// How many items are relevant.
    pub relevant: usize,
    /// What held after each share of the judgments, in the order of the shares.
    pub points: Vec<Point>,
}

/// What holds after a share of the judgments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The share of each topic's judgments, from 0 to 1.
    pub share: f64,
    /// How many judgments these are; of each topic, as many as reach the share.
    pub judgments: usize,
    /// Kendall's tau-b between the runs' values now and with all judgments;
    /// nothing when all runs score the same now.
    pub tau: Option<f64>,
    /// How many of all relevant items have been found, from 0 to 1; 1 if there are none.
    pub found: f64,
}

impl Replayed {
    /// The smallest share from which on tau stays at or above a value, among
    /// the shares that were asked for.
    #[must_use]
    pub fn steady_from(&self, tau: f64) -> Option<f64> {
        let mut points: Vec<&Point> = self.points.iter().collect();
        points.sort_by(|a, b| b.share.total_cmp(&a.share));
        let is_near = |point: &&&Point| point.tau.is_some_and(|found| found >= tau);
        points.iter().take_while(is_near).last().map(|point| point.share)
    }
}

impl<'a> Replay<'a> {
    /// Pools the runs and finds what can be replayed.
    ///
    /// # Errors
    ///
    /// When there are fewer than two runs or two of one name, a document is
    /// listed twice and that is refused, nothing has a grade, or all runs
    /// score the same with all judgments.
    pub fn new(setting: Setting<'a>) -> Result<Self, Error> {
        if setting.runs.len() < 2 {
            return Err(Error::TooFewRuns(setting.runs.len()));
        }
        let mut grades: BTreeMap<TopicId, BTreeMap<&'a str, i32>> = BTreeMap::new();
        for topic in setting.qrels.topics() {
            let graded = topic.rows().filter_map(|row| Some((row.doc().as_str(), row.judgment().grade()?)));
            grades.insert(topic.id().clone(), graded.collect());
        }
        let topics: Vec<TopicId> = grades.keys().cloned().collect();
        let mut topics = Rankings::new(setting.runs, &topics, &setting.reading)?.pool(setting.extent).topics;
        for topic in &mut topics {
            let graded = &grades[&topic.topic];
            topic.items.retain(|item| graded.contains_key(item.id.as_str()));
        }
        if topics.iter().all(|topic| topic.items.is_empty()) {
            return Err(Error::NothingToReplay);
        }
        let mut replay = Self { setting, topics, grades, full: Vec::new() };
        let whole: Vec<Vec<&str>> = replay.topics.iter().map(all_items).collect();
        replay.full = replay.values(&whole, 1.0)?;
        if replay.full.windows(2).all(|pair| pair[0] == pair[1]) {
            return Err(Error::NoOrder);
        }
        Ok(replay)
    }

    /// The value of each run with all judgments of the replay, in the order in which the runs were given.
    #[must_use]
    pub fn values_by_all(&self) -> &[f64] {
        &self.full
    }

    /// Judges again, as the method says, and looks at these shares of the judgments.
    ///
    /// # Errors
    ///
    /// When a share is not between 0 and 1, or a setting of the method is out of range.
    pub fn run(&self, method: Method, seed: u64, shares: &[f64]) -> Result<Replayed, Error> {
        if let Some(share) = shares.iter().copied().find(|share| !(0.0..=1.0).contains(share)) {
            return Err(Error::Setting { name: "share", value: share, range: "from 0 to 1" });
        }
        let choice = Choice { method, stop: Stop::default(), seed };
        let orders = self.topics.iter().map(|topic| self.judge(topic, &choice));
        let orders = orders.collect::<Result<Vec<Vec<&str>>, Error>>()?;
        let relevant = self.num_relevant(&orders, 1.0);
        let points = shares.iter().map(|share| {
            let values = self.values(&orders, *share)?;
            let found = self.num_relevant(&orders, *share);
            Ok(Point {
                share: *share,
                judgments: orders.iter().map(|order| reached(order.len(), *share)).sum(),
                tau: tau_b(&values, &self.full).ok(),
                found: if relevant == 0 { 1.0 } else { found as f64 / relevant as f64 },
            })
        });
        let points = points.collect::<Result<_, Error>>()?;
        Ok(Replayed { method, seed, judgments: orders.iter().map(Vec::len).sum(), relevant, points })
    }

    /// The items of a topic in the order in which a chooser asks for them.
    fn judge<'t>(&self, topic: &'t TopicPool, choice: &Choice) -> Result<Vec<&'t str>, Error> {
        let mut chooser = Chooser::new(topic, choice)?;
        let mut order = Vec::with_capacity(topic.items.len());
        while let Some(item) = chooser.next_item() {
            let relevance = match self.grades[&topic.topic][item.as_str()] >= self.setting.level {
                true => Relevance::Relevant,
                false => Relevance::NotRelevant,
            };
            chooser.judged(&item, relevance)?;
            let place = topic.items.binary_search_by(|known| known.id.cmp(&item));
            order.extend(place.ok().map(|place| topic.items[place].id.as_str()));
        }
        Ok(order)
    }

    fn num_relevant(&self, orders: &[Vec<&str>], share: f64) -> usize {
        let in_topic = |(topic, order): (&TopicPool, &Vec<&str>)| {
            let grades = &self.grades[&topic.topic];
            let judged = order.iter().take(reached(order.len(), share));
            judged.filter(|item| grades[**item] >= self.setting.level).count()
        };
        self.topics.iter().zip(orders).map(in_topic).sum()
    }

    /// The value of each run by the first judgments of each topic.
    fn values(&self, orders: &[Vec<&str>], share: f64) -> Result<Vec<f64>, Error> {
        let mut judged: BTreeMap<&TopicId, Vec<&str>> = BTreeMap::new();
        for (topic, order) in self.topics.iter().zip(orders) {
            let mut items = order[..reached(order.len(), share)].to_vec();
            items.sort_unstable();
            judged.insert(&topic.topic, items);
        }
        let keep = |topic: &TopicId, doc: DocId<'_>| {
            judged.get(topic).is_some_and(|items| items.binary_search(&doc.as_str()).is_ok())
        };
        let judgments = Judgments::restricted(self.setting.qrels, Codes::Unjudged, keep);
        self.setting.runs.iter().map(|run| self.value(run.run, &judgments)).collect()
    }

    fn value(&self, run: &Run, judgments: &Judgments<'_>) -> Result<f64, Error> {
        let Setting { reading, measure, policy, .. } = &self.setting;
        let visual_ids = match reading.unit {
            Unit::Formulas(table) => Some(table),
            Unit::Posts | Unit::VisualIds | Unit::Instances => None,
        };
        let pipeline =
            Pipeline { width: Width::F32, duplicates: reading.duplicates, visual_ids, depth: None };
        let measures = std::slice::from_ref(*measure);
        let scores = Scorer { judgments, measures, pipeline, ties: Ties::Ordered }.score(run)?;
        Ok(scores.average(0, *policy).value)
    }
}

fn all_items(topic: &TopicPool) -> Vec<&str> {
    topic.items.iter().map(|item| item.id.as_str()).collect()
}

/// How many of so many judgments reach a share: the smallest number that does.
fn reached(count: usize, share: f64) -> usize {
    // A share such as 0.15 of 20 is 3, though the product is a little more.
    ((count as f64 * share - 1e-9).ceil().max(0.0) as usize).min(count)
}

#[cfg(test)]
mod tests;
