//! Pools of a lab: made from its runs, kept in its database, written out as tables.

mod store;

pub use store::{StoredInstance, StoredItem, StoredPool, StoredTopic};

use crate::error::{Error, Result};
use crate::folder::Lab;
use crate::known::FormulaFacts;
use crate::manifest::{PoolKind, Rules};
use crate::systems::{Submitted, System};
use crate::verdict::Verdict;
use formats::check::{Evaluation, Task};
use formats::run::Run;
use formats::task3::Task3Run;
use formats::{FormulaId, PostId, RunTag, TopicId};
use pool::choose::{Choice, Chooser, Method, Relevance, Stop};
use pool::{
    AnsweringRun, Depths, Extent, FormulaThread, ItemId, Pool, PooledRun, Preview, Rankings, Rates, Reading,
    Show, ShowRule, Standing, ThreadLookup, TopicPool, Unit, pool_answers, preview,
};
use serde::Serialize;
use std::collections::BTreeMap;

/// What shall be pooled, and how.
#[derive(Clone, Debug)]
pub struct PoolRequest {
    /// Answers or formulas.
    pub kind: PoolKind,
    /// The set of topics; the current one if none is named.
    pub set: Option<String>,
    /// How deep; as the lab's rules have it if nothing is said.
    pub extent: Option<Extent>,
    /// How the instances to be shown are chosen.
    pub show: InstanceRule,
    /// How many instances of a formula are shown at most.
    pub at_most: usize,
    /// What chance begins with; the lab's seed if nothing is said.
    pub seed: Option<u64>,
    /// In which order the items are judged.
    pub order: Order,
    /// How long people take.
    pub rates: Rates,
    /// Other depths, the same for all runs, whose cost shall be told.
    pub what_if: Vec<usize>,
}

impl PoolRequest {
    /// As the lab's rules have it, at most five instances of a formula.
    #[must_use]
    pub fn new(kind: PoolKind) -> Self {
        Self {
            kind,
            set: None,
            extent: None,
            show: InstanceRule::default(),
            at_most: 5,
            seed: None,
            order: Order::default(),
            rates: Rates::default(),
            what_if: Vec::new(),
        }
    }
}

/// How the instances of a formula that are shown are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InstanceRule {
    /// Those with the highest sum of reciprocal ranks, as in 2021 and 2022.
    #[default]
    ReciprocalRanks,
    /// Those that most runs returned, as in 2020.
    MostRuns,
    /// From different threads, as the protocol of 2020 planned it.
    Threads,
}

impl InstanceRule {
    /// What it is called on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::ReciprocalRanks => "reciprocal-ranks",
            Self::MostRuns => "most-runs",
            Self::Threads => "threads",
        }
    }
}

/// In which order items are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Order {
    /// By chance, all of them.
    #[default]
    Random,
    /// So many more items of each topic, those that are most likely relevant by what was judged
    /// before; the rest is held back.
    Adaptive {
        /// How the next item is chosen.
        method: Method,
        /// How many items of each topic are given out.
        batch: usize,
        /// When a topic has been judged enough.
        stop: Stop,
    },
}

/// A pool before it is kept.
#[derive(Clone, Debug)]
pub struct PlannedPool {
    /// What was asked for.
    pub request: PoolRequest,
    /// The set of topics.
    pub set: String,
    /// The extent that was taken.
    pub extent: Extent,
    /// The seed that was taken.
    pub seed: u64,
    /// The runs, by the names they have in the pool.
    pub runs: BTreeMap<RunTag, PooledSystem>,
    /// The items with what brought them.
    pub pool: Pool,
    /// What it costs.
    pub preview: Preview,
    /// What other depths would cost.
    pub what_if: Vec<(usize, Preview)>,
    facts: FormulaFacts,
}

/// A system whose run is pooled.
#[derive(Clone, Debug)]
pub struct PooledSystem {
    /// The system.
    pub system: System,
    /// Its run on the set.
    pub submission: Submitted,
}

impl Lab {
    /// Makes a pool without keeping it.
    ///
    /// # Errors
    ///
    /// When there are no runs, or one is missing, was changed or cannot be read.
    pub fn plan_pool(&self, request: &PoolRequest) -> Result<PlannedPool> {
        let set = self.manifest().set(request.set.as_deref())?.name.clone();
        let topics = self.topic_ids(&set, request.kind.task())?;
        let runs = self.pooled_systems(request.kind, &set)?;
        if runs.is_empty() {
            return Err(Error::asked(format!("there are no runs of {} on the set {set} yet", request.kind)));
        }
        let extent = request.extent.unwrap_or_else(|| default_extent(self.manifest().rules, request.kind));
        let mut read: Vec<(RunTag, Run)> = Vec::new();
        let mut written: Vec<(RunTag, Task3Run)> = Vec::new();
        for (name, pooled) in &runs {
            match pooled.system.task {
                Task::Task3 => written.push((name.clone(), self.answers(&pooled.submission)?)),
                task => read.push((name.clone(), self.run(task, &pooled.submission)?)),
            }
        }
        let facts = match (request.kind, self.manifest().rules) {
            (PoolKind::Formulas, Rules::Arqmath) => {
                let facts = self.known()?.formulas(read.iter().map(|(_, run)| run))?;
                if facts.is_empty() {
                    return Err(Error::asked(
                        "no formula of the runs has a visual id: the lab needs its collection, or a table of formulas"
                            .to_owned(),
                    ));
                }
                facts
            }
            _ => FormulaFacts::default(),
        };
        let unit = match (request.kind, self.manifest().rules) {
            (PoolKind::Answers, _) => Unit::Posts,
            (PoolKind::Formulas, Rules::Arqmath) => Unit::Formulas(&facts),
            (PoolKind::Formulas, Rules::Ntcir10 | Rules::Ntcir12) => Unit::Instances,
        };
        let ranked: Vec<PooledRun<'_>> = read
            .iter()
            .map(|(name, run)| PooledRun { name: name.clone(), run, standing: standing(&runs[name].system) })
            .collect();
        let rankings = Rankings::new(&ranked, &topics, &Reading::new(unit)).map_err(pooling)?;
        let answering: Vec<AnsweringRun<'_>> =
            written.iter().map(|(name, run)| AnsweringRun { name: name.clone(), run }).collect();
        let answers = pool_answers(&answering, &topics).map_err(pooling)?;
        let pool = rankings.pool(extent).merged(answers.clone());
        let cost = |pool: &Pool| preview(pool, request.at_most, request.rates);
        let at =
            |depth: usize| cost(&rankings.pool(Extent::Depths(Depths::same(depth))).merged(answers.clone()));
        let what_if = request.what_if.iter().map(|depth| (*depth, at(*depth))).collect();
        Ok(PlannedPool {
            request: request.clone(),
            preview: cost(&pool),
            seed: request.seed.unwrap_or(self.manifest().seed),
            set,
            extent,
            pool,
            what_if,
            facts: facts.clone(),
            runs,
        })
    }

    /// The systems that are pooled for a set, by the names they have in the pool.
    fn pooled_systems(&self, kind: PoolKind, set: &str) -> Result<BTreeMap<RunTag, PooledSystem>> {
        let of_kind = |system: &System| PoolKind::of(system.task) == kind;
        let systems = self.systems()?.into_iter().filter(of_kind);
        Ok(systems
            .filter_map(|system| {
                let submission = system.on(set)?.clone();
                let name = RunTag::new(submission.number.0.to_string());
                Some((name, PooledSystem { system, submission }))
            })
            .collect())
    }

    /// The items of a topic in the order of judging, and how many of them are given out.
    fn order<'p>(
        &self,
        plan: &PlannedPool,
        topic: &'p TopicPool,
        judged: &BTreeMap<(TopicId, String), Verdict>,
    ) -> Result<(Vec<&'p pool::PoolItem>, usize)> {
        match plan.request.order {
            Order::Random => {
                let items = pool::judging_order(topic, plan.seed);
                let all = items.len();
                Ok((items, all))
            }
            Order::Adaptive { method, batch, stop } => {
                let choice = Choice { method, stop, seed: plan.seed };
                let mut chooser = Chooser::new(topic, &choice).map_err(pooling)?;
                // What was judged before comes first, and tells the chooser where to look.
                let verdict =
                    |item: &pool::PoolItem| judged.get(&(topic.topic.clone(), item.id.as_str().to_owned()));
                let mut items: Vec<&pool::PoolItem> = Vec::new();
                for item in topic.items.iter().filter(|item| verdict(item).is_some()) {
                    let relevant =
                        verdict(item).and_then(|verdict| verdict.grade()).is_some_and(|grade| grade > 0);
                    let relevance = if relevant { Relevance::Relevant } else { Relevance::NotRelevant };
                    chooser.judged(&item.id, relevance).map_err(pooling)?;
                    items.push(item);
                }
                let find = |id: &ItemId| topic.items.iter().find(|item| item.id == *id);
                for _ in 0..batch {
                    let Some(id) = chooser.next_item() else { break };
                    items.extend(find(&id));
                }
                let given_out = items.len();
                let held: Vec<&pool::PoolItem> = topic
                    .items
                    .iter()
                    .filter(|item| !items.iter().any(|other| other.id == item.id))
                    .collect();
                items.extend(held);
                Ok((items, given_out))
            }
        }
    }
}

/// How deep a lab pools by its rules.
#[must_use]
pub fn default_extent(rules: Rules, kind: PoolKind) -> Extent {
    let preset = match (rules, kind) {
        (Rules::Arqmath, PoolKind::Answers) => pool::Preset::Arqmath3Task1,
        (Rules::Arqmath, PoolKind::Formulas) => pool::Preset::Arqmath3Task2,
        (Rules::Ntcir10, _) => pool::Preset::Ntcir10,
        (Rules::Ntcir12, _) => pool::Preset::Ntcir12,
    };
    preset.extent()
}

fn standing(system: &System) -> Standing {
    match system.pooled_as {
        Evaluation::Primary => Standing::Primary,
        Evaluation::Alternate => Standing::Alternate,
    }
}

fn pooling(error: pool::Error) -> Error {
    Error::asked(error.to_string())
}

impl PlannedPool {
    /// Which instances of an item are shown.
    fn instances(&self, topic: &TopicId, item: &pool::PoolItem) -> Vec<StoredInstance> {
        let rule = match self.request.show {
            InstanceRule::ReciprocalRanks => ShowRule::ReciprocalRanks,
            InstanceRule::MostRuns => ShowRule::MostRuns,
            InstanceRule::Threads => ShowRule::Threads(&self.facts),
        };
        let show = Show { rule, at_most: self.request.at_most, seed: self.seed };
        let shown = show.choose(topic, item).instances.into_iter();
        shown
            .map(|id| StoredInstance {
                post: self.facts.get(id.as_str()).and_then(|fact| fact.post.clone()),
                id: id.as_str().to_owned(),
            })
            .collect()
    }

    /// The rule in words and numbers, as it is kept with the pool.
    fn rule(&self) -> PoolRule {
        let (primary, alternate) = match self.extent {
            Extent::Depths(depths) => (Some(depths.primary), Some(depths.alternate)),
            Extent::RankByRank { .. } => (None, None),
        };
        PoolRule {
            primary,
            alternate,
            at_most: self.request.at_most,
            extent: extent_in_words(self.extent, self.request.kind),
            instances: match self.request.kind {
                PoolKind::Answers => None,
                PoolKind::Formulas => {
                    Some(format!("at most {} by {}", self.request.at_most, self.request.show.word()))
                }
            },
            order: match self.request.order {
                Order::Random => "by chance".to_owned(),
                Order::Adaptive { method, batch, .. } => format!("{method}, {batch} more of each topic"),
            },
        }
    }
}

/// How a pool was made, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct PoolRule {
    /// How deep runs were taken.
    pub extent: String,
    /// The depth of primary runs, where runs have depths.
    pub primary: Option<usize>,
    /// The depth of the others.
    pub alternate: Option<usize>,
    /// How many instances of a formula are shown at most.
    pub at_most: usize,
    /// Which instances of formulas are shown.
    pub instances: Option<String>,
    /// In which order items are judged.
    pub order: String,
}

fn extent_in_words(extent: Extent, kind: PoolKind) -> String {
    let what = match kind {
        PoolKind::Answers => "answers",
        PoolKind::Formulas => "formulas",
    };
    match extent {
        Extent::Depths(Depths { primary, alternate }) => {
            format!("the first {primary} {what} of primary runs and {alternate} of others")
        }
        Extent::RankByRank { at_least } => {
            format!("rank by rank over all runs until there are {at_least} {what}")
        }
    }
}

impl ThreadLookup for FormulaFacts {
    fn thread_of(&self, formula: &FormulaId) -> Option<FormulaThread> {
        let fact = self.get(formula.as_str())?;
        let post = fact.post.as_deref()?;
        let thread = fact.thread.as_deref().unwrap_or(post);
        Some(FormulaThread { post: PostId::from(post), thread: PostId::from(thread) })
    }
}
