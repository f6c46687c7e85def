//! `hypatia lab pool`: what people shall look at.

use super::counted;
use crate::check::TaskNumber;
use crate::output::{self, note};
use crate::progress::Waiting;
use crate::{Exit, Run};
use ::pool::choose::{Method, Stop};
use ::pool::{AT_MOST, Depths, Extent, Preset, Rates};
use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use figures::table::{Cell, Colour, Column, Row, Table};
use lab::pools::{InstanceRule, Order, PlannedPool, PoolRequest, default_extent};
use lab::{Lab, PoolKind};
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Chooses what people judge: the first results of every run, each once. Answers of Tasks 1 and 3 are one \
pool; of formulas, each run is walked down until it has given a number that look different. The order \
of judging is random, by the seed of the lab, and it is kept which run at which rank brought what.

How deep runs go is said by the rules of the lab (ARQMath-3's: 45 answers of primary runs and 20 of \
others; 25 and 15 formulas; NTCIR-10's and NTCIR-12's), by --preset, or by --primary and --alternate. \
--preview tells what it costs, and what other depths would cost, and keeps nothing.

For a formula at most five instances are shown: those with the largest sum of reciprocal ranks (2021 \
and 2022), those that most runs returned (2020), or from different threads (the protocol of 2020).

With --adaptive only the next --batch items of each topic are given out, those that are most likely \
relevant by what was judged so far; run it again after each round. --stop-after ends a topic after so \
many judgments in a row that found nothing relevant. Others stay held back.

A pool that is made anew takes the place of the one before it; judgments stay.";

const EXAMPLES: &str = "\
Examples:
  hypatia lab pool mylab --preview
  hypatia lab pool mylab
  hypatia lab pool mylab --task 2 --preset arqmath1-task2 --instances threads
  hypatia lab pool mylab --task 1 --primary 30 --alternate 10 --seed 7
  hypatia lab pool mylab --task 1 --adaptive max-mean-last --batch 20 --stop-after 30";

/// Depths whose cost a preview tells beside the one that was asked for.
const WHAT_IF: [usize; 7] = [5, 10, 15, 20, 30, 45, 60];

/// Choose what people judge
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Pool {
    /// The folder of the lab
    #[arg(value_name = "LAB")]
    folder: PathBuf,

    /// Only one task; Tasks 1 and 3 are pooled together [default: all]
    #[arg(long, value_name = "N")]
    task: Option<TaskNumber>,

    /// The set of topics [default: the one that is judged now]
    #[arg(long, value_name = "SET")]
    set: Option<String>,

    /// Depths that a lab had
    #[arg(long, value_name = "NAME", conflicts_with_all = ["primary", "alternate"])]
    preset: Option<PresetName>,

    /// How deep primary runs go
    #[arg(long, value_name = "N")]
    primary: Option<usize>,

    /// How deep other runs go
    #[arg(long, value_name = "N")]
    alternate: Option<usize>,

    /// How the instances of a formula that are shown are chosen
    #[arg(long, value_name = "RULE", default_value = "reciprocal-ranks")]
    instances: Instances,

    /// How many instances of a formula are shown at most
    #[arg(long, value_name = "N", default_value_t = AT_MOST)]
    at_most: usize,

    /// What chance begins with [default: the seed of the lab]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Seconds that an answer takes
    #[arg(long, value_name = "SECONDS", default_value_t = Rates::default().seconds_per_answer)]
    per_answer: f64,

    /// Seconds that an instance of a formula takes
    #[arg(long, value_name = "SECONDS", default_value_t = Rates::default().seconds_per_instance)]
    per_instance: f64,

    /// Tell what it costs, and keep nothing
    #[arg(long)]
    preview: bool,

    /// Give out items by what was judged so far
    #[arg(long, value_name = "METHOD")]
    adaptive: Option<MethodName>,

    /// How many more items of each topic are given out
    #[arg(long, value_name = "N", default_value_t = 20, requires = "adaptive")]
    batch: usize,

    /// End a topic after this number of judgments in a row without a relevant one
    #[arg(long, value_name = "N", requires = "adaptive")]
    stop_after: Option<usize>,

    /// End a topic after this number of judgments
    #[arg(long, value_name = "N", requires = "adaptive")]
    budget: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PresetName {
    /// 25 and 10 formulas
    #[value(name = "arqmath1-task2")]
    Arqmath1Task2,
    /// 20 and 10 formulas
    #[value(name = "arqmath2-task2")]
    Arqmath2Task2,
    /// 45 and 20 answers
    #[value(name = "arqmath3-task1")]
    Arqmath3Task1,
    /// 25 and 15 formulas
    #[value(name = "arqmath3-task2")]
    Arqmath3Task2,
    /// Rank by rank until there are 100
    Ntcir10,
    /// The first 20 of every run
    Ntcir12,
}

impl PresetName {
    fn preset(self) -> Preset {
        match self {
            Self::Arqmath1Task2 => Preset::Arqmath1Task2,
            Self::Arqmath2Task2 => Preset::Arqmath2Task2,
            Self::Arqmath3Task1 => Preset::Arqmath3Task1,
            Self::Arqmath3Task2 => Preset::Arqmath3Task2,
            Self::Ntcir10 => Preset::Ntcir10,
            Self::Ntcir12 => Preset::Ntcir12,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Instances {
    /// The largest sums of 1/rank over runs
    ReciprocalRanks,
    /// Those that most runs returned
    MostRuns,
    /// From different threads
    Threads,
}

/// How the next item is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MethodName {
    /// What runs have first, then what they have second, and so on
    RankByRank,
    /// By chance
    Random,
    /// From the run whose last items were relevant
    MoveToFront,
    /// From the run with the largest share of relevant items
    MaxMean,
    /// The same, where the last judgment of a run counts alone
    MaxMeanLast,
}

impl MethodName {
    pub(super) fn method(self) -> Method {
        match self {
            Self::RankByRank => Method::RankByRank,
            Self::Random => Method::Random,
            Self::MoveToFront => Method::MoveToFront,
            Self::MaxMean => Method::MAX_MEAN,
            Self::MaxMeanLast => Method::MAX_MEAN_LAST,
        }
    }
}

impl Run for Pool {
    fn run(self) -> Result<Exit> {
        let mut lab =
            if self.preview { super::open_to_read(&self.folder)? } else { super::open(&self.folder)? };
        let set = lab.manifest().set(self.set.as_deref())?;
        let wanted = self.task.map(|task| PoolKind::of(task.task()));
        let kinds: Vec<PoolKind> = lab
            .manifest()
            .pool_kinds()
            .filter(|kind| wanted.map_or_else(|| set.files(kind.task()).is_some(), |wanted| wanted == *kind))
            .collect();
        if kinds.is_empty() {
            bail!("the lab has nothing of that kind to pool");
        }
        ensure!(
            kinds.len() == 1 || (self.preset.is_none() && self.primary.is_none() && self.alternate.is_none()),
            "depths are for one kind of items: say which with --task"
        );
        let mut pooled = 0;
        for kind in &kinds {
            let request = self.request(&lab, *kind);
            let waiting = Waiting::new("pooling the runs");
            let plan = match lab.plan_pool(&request) {
                Ok(plan) => plan,
                // Where several kinds are asked for, one without runs is no reason to stop.
                Err(lab::Error::Asked(reason)) if kinds.len() > 1 => {
                    crate::warn(&reason);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            drop(waiting);
            pooled += 1;
            if self.preview {
                output::print(preview(&plan).as_bytes())?;
            } else {
                let pool = lab.keep_pool(&plan)?;
                let items = pool.topics.iter().flat_map(|topic| &topic.items);
                let (given, all) = items
                    .fold((0, 0), |(given, all), item| (given + usize::from(item.place.is_some()), all + 1));
                let held = if given < all { format!(", {} held back", all - given) } else { String::new() };
                note(&format!(
                    "pool {} of {kind} for {}: {} over {}{held}; about {:.0} hours (pools/{}-{kind}.tsv)",
                    pool.number,
                    pool.set,
                    counted(given, "item", "items"),
                    counted(pool.topics.len(), "topic", "topics"),
                    plan.preview.hours,
                    pool.set,
                ));
            }
        }
        ensure!(pooled > 0, "there are no runs to pool yet");
        Ok(Exit::Yes)
    }
}

impl Pool {
    fn request(&self, lab: &Lab, kind: PoolKind) -> PoolRequest {
        let extent = match (self.preset, self.primary, self.alternate) {
            (Some(preset), _, _) => Some(preset.preset().extent()),
            (None, None, None) => None,
            (None, primary, alternate) => {
                let usual = match default_extent(lab.manifest().rules, kind) {
                    Extent::Depths(depths) => depths,
                    Extent::RankByRank { .. } => Depths::same(100),
                };
                Some(Extent::Depths(Depths {
                    primary: primary.unwrap_or(usual.primary),
                    alternate: alternate.unwrap_or(usual.alternate),
                }))
            }
        };
        PoolRequest {
            kind,
            set: self.set.clone(),
            extent,
            show: match self.instances {
                Instances::ReciprocalRanks => InstanceRule::ReciprocalRanks,
                Instances::MostRuns => InstanceRule::MostRuns,
                Instances::Threads => InstanceRule::Threads,
            },
            at_most: self.at_most,
            seed: self.seed,
            order: match self.adaptive {
                None => Order::Random,
                Some(method) => Order::Adaptive {
                    method: method.method(),
                    batch: self.batch,
                    stop: Stop { budget: self.budget, in_a_row: self.stop_after, share: None },
                },
            },
            rates: Rates { seconds_per_answer: self.per_answer, seconds_per_instance: self.per_instance },
            what_if: if self.preview { WHAT_IF.to_vec() } else { Vec::new() },
        }
    }
}

/// What a pool costs, as tables.
fn preview(plan: &PlannedPool) -> String {
    let kind = plan.request.kind;
    #[expect(clippy::cast_precision_loss, reason = "counts")]
    let number = |count: usize| Cell::number(count as f64, 0);
    let columns = || vec![Column::right("items"), Column::right("instances"), Column::right("hours")];
    let mut rows = Vec::new();
    for topic in &plan.preview.topics {
        rows.push(Row::Cells(vec![
            Cell::text(topic.topic.as_str()),
            number(topic.items),
            number(topic.instances),
            Cell::number(topic.seconds / 3600.0, 1),
        ]));
    }
    rows.push(Row::Rule);
    let (items, instances) = (&plan.preview.items, &plan.preview.instances);
    rows.push(Row::Cells(vec![
        Cell::text("all"),
        number(items.total),
        number(instances.total),
        Cell::number(plan.preview.hours, 1),
    ]));
    rows.push(Row::Cells(vec![
        Cell::text("mean"),
        Cell::number(items.mean, 1),
        Cell::number(instances.mean, 1),
    ]));
    rows.push(Row::Cells(vec![Cell::text("least"), number(items.min), number(instances.min)]));
    rows.push(Row::Cells(vec![Cell::text("most"), number(items.max), number(instances.max)]));
    let mut columns_of_topics = vec![Column::left("Topic")];
    columns_of_topics.extend(columns());
    let topics = Table {
        caption: vec![format!("The pool of {kind} for {}, of {} runs", plan.set, plan.runs.len())],
        columns: columns_of_topics,
        rows,
        footnotes: Vec::new(),
    };
    let mut columns_of_depths = vec![Column::right("Depth of all runs")];
    columns_of_depths.extend(columns());
    let depths = Table {
        caption: vec!["At other depths".to_owned()],
        columns: columns_of_depths,
        rows: plan
            .what_if
            .iter()
            .map(|(depth, cost)| {
                Row::Cells(vec![
                    number(*depth),
                    number(cost.items.total),
                    number(cost.instances.total),
                    Cell::number(cost.hours, 1),
                ])
            })
            .collect(),
        footnotes: Vec::new(),
    };
    format!("{}\n{}\n", topics.to_text(Colour::Off), depths.to_text(Colour::Off))
}
