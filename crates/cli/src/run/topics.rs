//! Topics through a system, with the time that each took.

use super::Layout;
use super::given::Inputs;
use crate::progress::Progress;
use ::formats::run::{RunLayout, RunLine};
use ::formats::{DocId, Topic, order};
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use cpu_time::ThreadTime;
use eval::JudgedTopic;
use retrieve::{Asked, Engine, FormulaHit, Outcome, Pipeline, Query, Ranking, StageCost, SystemTask};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// Says which topics hold formulas that are too long to be searched for whole.
pub(crate) fn warn_of_long_formulas(topics: &[&Topic]) {
    for topic in topics {
        for reason in Query::long_formulas(topic) {
            crate::warn(&format!("topic {}: {reason}", topic.id));
        }
    }
}

/// What stands for a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ids {
    /// The id of its first instance in a question or answer
    Formula,
    /// Its visual id, for which the run must be in TREC's form
    Visual,
}

/// What a system returned.
pub(crate) enum Doc {
    Post(String),
    Formula(FormulaHit),
}

/// How topics are run.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// How many results a topic has at most.
    pub(crate) depth: usize,
    /// How often each topic is run; the least time counts.
    pub(crate) passes: u32,
    pub(crate) threads: NonZeroUsize,
    pub(crate) ids: Ids,
}

/// A line of a run.
pub(crate) struct Line {
    pub(crate) doc: String,
    pub(crate) post: Option<String>,
    /// Rounded to 32 bits, by which whoever reads the run orders it.
    pub(crate) score: f64,
}

/// What was found for a topic, and how long that took.
pub(crate) struct Timed {
    pub(crate) lines: Vec<Line>,
    /// In seconds, as is the other.
    pub(crate) wall: f64,
    pub(crate) cpu: f64,
    /// What each stage cost, in the last pass.
    pub(crate) costs: Vec<StageCost>,
}

/// What was found for a topic, best first, and what each stage cost.
pub(crate) struct Ranked {
    pub(crate) ranked: Vec<(Doc, f64)>,
    pub(crate) costs: Vec<StageCost>,
}

/// Ranks for a topic, as the system's task asks.
pub(crate) fn rank(
    engine: &Engine,
    pipeline: &Pipeline,
    topic: &Topic,
    inputs: &Inputs,
    depth: usize,
) -> Result<Ranked> {
    let query = inputs.query(topic);
    let formula = match pipeline.task() {
        SystemTask::Answers => None,
        SystemTask::Formulas => {
            Some(Query::formula_of_topic(topic).context("the topic has no formula to look for")?)
        }
    };
    let asked = match &formula {
        None => Asked::answers(&query),
        Some(latex) => Asked::formulas_for_topics(latex).in_question(&query),
    };
    let Outcome { ranking, costs, .. } = engine.run(pipeline, &asked.for_topic(topic.id.as_str()), depth)?;
    let ranked = match ranking {
        Ranking::Posts(hits) => hits.into_iter().map(|hit| (Doc::Post(hit.id), hit.score)).collect(),
        Ranking::Formulas(hits) => hits.into_iter().map(|hit| (Doc::Formula(hit), hit.score)).collect(),
    };
    Ok(Ranked { ranked, costs })
}

/// The lines of a topic, in the order in which the run is read.
fn lines(engine: &Engine, ranked: Vec<(Doc, f64)>, ids: Ids) -> Vec<Line> {
    let round = |score: f64| order::Width::F32.round(score);
    let line = |(doc, score): (Doc, f64)| match (doc, ids) {
        (Doc::Post(id), _) => Some(Line { doc: id, post: None, score: round(score) }),
        (Doc::Formula(hit), Ids::Visual) => {
            Some(Line { doc: hit.visual_id.to_string(), post: None, score: round(score) })
        }
        (Doc::Formula(hit), Ids::Formula) => {
            let place = engine.formula_place(&hit)?;
            Some(Line { doc: place.formula_id, post: Some(place.post_id), score: round(score) })
        }
    };
    let mut lines: Vec<Line> = ranked.into_iter().filter_map(line).collect();
    lines.sort_by(|left, right| {
        order::compare((left.score, DocId(&left.doc)), (right.score, DocId(&right.doc)))
    });
    lines
}

/// Appends a line of a run, in the form in which it can be submitted or in TREC's.
pub(crate) fn push_line(
    text: &mut String,
    layout: Layout,
    topic: &Topic,
    rank: usize,
    line: &Line,
    tag: &str,
) {
    let Line { doc, post, score } = line;
    #[expect(clippy::cast_possible_truncation, reason = "it was rounded to 32 bits before")]
    let score = *score as f32;
    let columns = match (layout, post) {
        (Layout::Trec, _) => RunLayout::Trec,
        (Layout::Arqmath, Some(_)) => RunLayout::Task2,
        (Layout::Arqmath, None) => RunLayout::Task1,
    };
    RunLine { topic: topic.id.as_str(), doc, post: post.as_deref(), rank, score, tag }.push(columns, text);
}

/// Runs topics, in their order; all of them, or up to the first that cannot be run.
pub(crate) fn run(
    engine: &Engine,
    pipeline: &Pipeline,
    topics: &[&Topic],
    inputs: &Inputs,
    effort: Effort,
    progress: &Mutex<Progress>,
) -> Result<Vec<Timed>> {
    let found = parallel::map_on(effort.threads, topics, |topic| {
        let (mut wall, mut cpu) = (f64::INFINITY, f64::INFINITY);
        let mut ranked = Ok(Ranked { ranked: Vec::new(), costs: Vec::new() });
        for _ in 0..effort.passes {
            let (start, cpu_start) = (Instant::now(), ThreadTime::now());
            ranked = rank(engine, pipeline, topic, inputs, effort.depth);
            cpu = cpu.min(cpu_start.elapsed().as_secs_f64());
            wall = wall.min(start.elapsed().as_secs_f64());
        }
        let lines = ranked.map(|Ranked { ranked, costs }| (lines(engine, ranked, effort.ids), costs));
        if let Ok(mut progress) = progress.lock() {
            progress.advance(1);
        }
        lines.map(|(lines, costs)| Timed { lines, wall, cpu, costs })
    });
    let named =
        |(topic, timed): (&&Topic, Result<Timed>)| timed.with_context(|| format!("topic {}", topic.id));
    topics.iter().zip(found).map(named).collect()
}

/// Refuses files of topics without a file of judgments each.
pub(crate) fn ensure_each_is_judged(topics: &[PathBuf], qrels: &[PathBuf]) -> Result<()> {
    let (topics, qrels) = (topics.len(), qrels.len());
    ensure!(topics == qrels, "{topics} files of topics and {qrels} of judgments: each needs its own");
    Ok(())
}

/// Warns of measures that leave out unjudged results where nothing is judged 0: whatever a system returns,
/// only relevant items are left. `instead` says what to use.
pub(crate) fn warn_of_primes<'j>(
    qrels: &Path,
    topics: impl IntoIterator<Item = &'j JudgedTopic<'j>>,
    measures: impl IntoIterator<Item = String>,
    instead: &str,
) {
    let measures: Vec<String> = measures.into_iter().collect();
    let Some((last, others)) = measures.split_last() else { return };
    if topics.into_iter().any(|topic| topic.pool().num_nonrelevant(1) > 0) {
        return;
    }
    let names = if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) };
    let leave = if others.is_empty() { "leaves" } else { "leave" };
    crate::warn(&format!(
        "{}: no item is judged 0, so {names}, which {leave} out unjudged results, cannot tell systems apart; \
         use {instead}",
        qrels.display()
    ));
}

/// How many threads work: as many as asked for, else one a core.
pub(crate) fn threads(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

/// How long topics took, in milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Timings {
    pub(crate) mean: f64,
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) highest: f64,
}

impl Timings {
    /// Of times in seconds, of which there is at least one.
    pub(crate) fn of(mut seconds: Vec<f64>) -> Self {
        seconds.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = (share * seconds.len() as f64).ceil() as usize;
            seconds[place.clamp(1, seconds.len()) - 1] * 1000.0
        };
        Self {
            mean: seconds.iter().sum::<f64>() / seconds.len() as f64 * 1000.0,
            p50: at(0.5),
            p95: at(0.95),
            p99: at(0.99),
            highest: at(1.0),
        }
    }
}

impl std::fmt::Display for Timings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:.1} ms in the middle, 95 of 100 within {:.1}, the slowest {:.1}",
            self.p50, self.p95, self.highest
        )
    }
}
