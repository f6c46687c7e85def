//! How far the judgments can be trusted: what if a team had not taken part,
//! what if the pool had been shallower?
//!
//! Both studies take away judgments and score again. Which run brought a
//! document into the pool is taken from the runs at hand; a judged document
//! that none of them returned stays in the first study and goes in the second.

use crate::average::TopicPolicy;
use crate::judgments::{Codes, Judgments};
use crate::measure::Measure;
use crate::pipeline::{Duplicate, Pipeline};
use crate::scores::{RunScores, Scorer, Ties};
use foldhash::HashMap;
use formats::qrels::Qrels;
use formats::run::Run;
use formats::{DocId, TopicId};

/// A run and the team it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct TeamRun<'a> {
    /// The run.
    pub run: &'a Run,
    /// The team's name.
    pub team: &'a str,
}

/// What stays the same in a study.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The judgments, whole.
    pub qrels: &'a Qrels,
    /// What codes count as.
    pub codes: Codes,
    /// The measure.
    pub measure: &'a Measure,
    /// The rules by which rows become a ranking.
    pub pipeline: Pipeline<'a>,
    /// Which topics enter the means.
    pub policy: TopicPolicy,
}

/// A run scored with all judgments and without those that only its team brought.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOutRun {
    /// The value with all judgments.
    pub full: f64,
    /// The value without its team's own.
    pub without: f64,
    /// The place among the runs with all judgments, from 1.
    pub full_place: usize,
    /// The place when every run is scored without its team's own.
    pub without_place: usize,
    /// How many judgments only its team brought.
    pub own_judgments: usize,
}

/// Scores every run without the judgments that only its own team brought.
///
/// `depth` is how deep the runs were pooled; without it, any place in a run counts.
///
/// # Errors
///
/// When a run lists a document twice and the rules refuse that.
pub fn leave_one_team_out(
    runs: &[TeamRun<'_>],
    setting: Setting<'_>,
    depth: Option<usize>,
) -> Result<Vec<LeftOutRun>, Duplicate> {
    let judgments = Judgments::new(setting.qrels, setting.codes);
    let contributions = contributions(runs, &judgments, setting.pipeline)?;
    let depth = depth.unwrap_or(usize::MAX);
    // The one team that brought a document, if it is one.
    let only_team = |topic: &TopicId, doc: DocId<'_>| -> Option<&str> {
        let by = contributions.get(&(topic, doc))?;
        let mut teams = by.iter().filter(|by| by.rank <= depth).map(|by| runs[by.run].team);
        let first = teams.next()?;
        teams.all(|team| team == first).then_some(first)
    };
    let mut full = Vec::new();
    let mut without = Vec::new();
    let mut own = Vec::new();
    for TeamRun { run, team } in runs {
        let mut own_judgments = 0;
        let restricted = Judgments::restricted(setting.qrels, setting.codes, |topic, doc| {
            let is_own = only_team(topic, doc) == Some(team);
            own_judgments += usize::from(is_own);
            !is_own
        });
        full.push(setting.value(run, &judgments)?);
        without.push(setting.value(run, &restricted)?);
        own.push(own_judgments);
    }
    let (full_places, without_places) = (places(&full), places(&without));
    Ok((0..runs.len())
        .map(|index| LeftOutRun {
            full: full[index],
            without: without[index],
            full_place: full_places[index],
            without_place: without_places[index],
            own_judgments: own[index],
        })
        .collect())
}

/// What the runs score when only their first results had been judged.
#[derive(Clone, Debug, PartialEq)]
pub struct AtDepth {
    /// How many results of each run had been judged.
    pub depth: usize,
    /// How many judgments are left.
    pub judgments: usize,
    /// The value of each run.
    pub values: Vec<f64>,
}

/// Scores every run with those judgments only that a pool of each depth would
/// have held.
///
/// # Errors
///
/// When a run lists a document twice and the rules refuse that.
pub fn pool_depths(
    runs: &[TeamRun<'_>],
    setting: Setting<'_>,
    depths: &[usize],
) -> Result<Vec<AtDepth>, Duplicate> {
    let judgments = Judgments::new(setting.qrels, setting.codes);
    let contributions = contributions(runs, &judgments, setting.pipeline)?;
    let mut results = Vec::with_capacity(depths.len());
    for &depth in depths {
        let mut left = 0;
        let restricted = Judgments::restricted(setting.qrels, setting.codes, |topic, doc| {
            let by = contributions.get(&(topic, doc));
            let kept = by.is_some_and(|by| by.iter().any(|by| by.rank <= depth));
            left += usize::from(kept);
            kept
        });
        let values: Result<Vec<f64>, Duplicate> =
            runs.iter().map(|TeamRun { run, .. }| setting.value(run, &restricted)).collect();
        results.push(AtDepth { depth, judgments: left, values: values? });
    }
    Ok(results)
}

impl Setting<'_> {
    fn value(&self, run: &Run, judgments: &Judgments<'_>) -> Result<f64, Duplicate> {
        let measures = std::slice::from_ref(self.measure);
        let scorer = Scorer { judgments, measures, pipeline: self.pipeline, ties: Ties::Ordered };
        let scores: RunScores = scorer.score(run)?;
        Ok(scores.average(0, self.policy).value)
    }
}

/// That a run returned a document at a rank, from 1.
#[derive(Clone, Copy, Debug)]
struct Contribution {
    run: usize,
    rank: usize,
}

type Contributions<'a> = HashMap<(&'a TopicId, DocId<'a>), Vec<Contribution>>;

/// Which runs returned which judged documents.
fn contributions<'a>(
    runs: &[TeamRun<'a>],
    judgments: &Judgments<'a>,
    pipeline: Pipeline<'a>,
) -> Result<Contributions<'a>, Duplicate> {
    let mut contributions: Contributions<'a> = HashMap::default();
    for (index, TeamRun { run, .. }) in runs.iter().enumerate() {
        for rows in run.topics() {
            let Some(topic) = judgments.index_of(rows.id()).map(|index| &judgments.topics()[index]) else {
                continue;
            };
            for (rank, entry) in pipeline.rank(rows, topic)?.entries.iter().enumerate() {
                if entry.verdict.is_judged() {
                    let by = contributions.entry((topic.id(), entry.doc)).or_default();
                    by.push(Contribution { run: index, rank: rank + 1 });
                }
            }
        }
    }
    Ok(contributions)
}

/// The place of each value, the highest first; equal values share the better place.
fn places(values: &[f64]) -> Vec<usize> {
    values.iter().map(|value| 1 + values.iter().filter(|other| *other > value).count()).collect()
}
