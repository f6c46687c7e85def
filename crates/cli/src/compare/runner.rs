//! Pipelines run over the topics and scored.

use super::score::{self, Firsts, Set};
use crate::progress::Progress;
use crate::run::given::Inputs;
use crate::run::record::missing;
use crate::run::topics::{self, Effort, Timed, Timings};
use ::formats::run::{Run as RankedRun, RunBuilder};
use ::formats::{DocId, RecordedModel, RunTag, Topic};
use ::index::FeatureKind;
use anyhow::Result;
use eval::{Measure, Outcome, Preset, RunScores};
use retrieve::{Engine, Pipeline, SystemTask};
use std::sync::Mutex;

/// Runs pipelines over all files of topics.
pub(super) struct Runner<'a> {
    pub(super) engine: &'a Engine,
    pub(super) inputs: &'a Inputs,
    pub(super) sets: &'a [Set],
    pub(super) measures: &'a [Measure],
    pub(super) preset: Preset,
    pub(super) effort: Effort,
    pub(super) progress: &'a Mutex<Progress>,
    /// How many of the first results are kept.
    pub(super) firsts: usize,
}

/// A pipeline that was run.
pub(super) struct Ran {
    /// What it is made without.
    pub(super) missing: Vec<String>,
    /// The models that it ranks with.
    pub(super) models: Vec<RecordedModel>,
    /// By file of judgments.
    pub(super) by_set: Vec<RunScores>,
    /// Over all of them.
    pub(super) scores: RunScores,
    pub(super) cpu: Timings,
    /// The first results of all topics.
    pub(super) firsts: Firsts,
}

impl Runner<'_> {
    /// Runs a pipeline under a name; the inner error says why it is left out.
    pub(super) fn run(
        &self,
        name: &str,
        pipeline: &Pipeline,
        passes: u32,
    ) -> Result<Result<(Ran, Vec<RankedRun>), String>> {
        let effort = Effort { passes, ..self.effort };
        let found = run_sets(self.engine, pipeline, self.sets, |topics| {
            topics::run(self.engine, pipeline, topics, self.inputs, effort, self.progress)
        });
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                self.engine.index().sound()?;
                return Ok(Err(why));
            }
        };
        let runs: Vec<RankedRun> = self
            .sets
            .iter()
            .zip(&found)
            .map(|(set, found)| as_run(name, set, found))
            .collect::<Result<_>>()?;
        let scored = self.sets.iter().zip(&runs);
        let scored = scored.map(|(set, run)| score::score(set, run, self.measures, self.preset));
        let by_set: Vec<RunScores> = scored.collect::<Result<_>>()?;
        // Zeros would look like scores.
        if by_set.iter().flat_map(|scores| &scores.topics).all(|topic| topic.outcome != Outcome::Judged) {
            let why = "nothing of what it found is judged: are the judgments those of this task?";
            return Ok(Err(why.to_owned()));
        }
        let topics: Vec<&Topic> = self.sets.iter().flat_map(|set| &set.topics).collect();
        let ran = Ran {
            missing: missing(self.engine, pipeline),
            models: self.inputs.models(self.engine, pipeline, &topics)?,
            scores: score::pooled(&by_set),
            by_set,
            cpu: Timings::of(found.iter().flatten().map(|found| found.cpu).collect()),
            firsts: score::firsts(self.sets, &runs, self.firsts),
        };
        Ok(Ok((ran, runs)))
    }
}

/// What a system found for the topics of each set, or what would help it.
fn run_sets(
    engine: &Engine,
    pipeline: &Pipeline,
    sets: &[Set],
    run: impl Fn(&[&Topic]) -> Result<Vec<Timed>>,
) -> Result<Vec<Vec<Timed>>, String> {
    let mut all = Vec::new();
    for set in sets {
        let topics: Vec<&Topic> = set.topics.iter().collect();
        all.push(run(&topics).map_err(|error| why_not(engine, pipeline.task(), &error))?);
    }
    if all.iter().flatten().all(|found| found.lines.is_empty()) {
        return Err("it found nothing for any topic".to_owned());
    }
    Ok(all)
}

/// Why a system cannot be run, with the option of `hypatia index` that would help.
fn why_not(engine: &Engine, task: SystemTask, error: &anyhow::Error) -> String {
    let cause = error.chain().find_map(|cause| cause.downcast_ref::<retrieve::Error>());
    let Some(retrieve::Error::Index(::index::Error::Missing { what, .. })) = cause else {
        return format!("{error:#}");
    };
    let lacks = |kinds: Vec<FeatureKind>| !kinds.iter().any(|kind| kind.name() == what);
    let mut options = Vec::new();
    if lacks(engine.index().formula_features()) {
        options.push(format!("--features {what}"));
    }
    if task == SystemTask::Answers && lacks(engine.index().post_features()) {
        options.push(format!("--post-features {what}"));
    }
    format!("the index has no {what}; `hypatia index` with {} would", options.join(" and "))
}

/// A run of what was found.
fn as_run(name: &str, set: &Set, found: &[Timed]) -> Result<RankedRun> {
    let mut builder = RunBuilder::new(RunTag::from(name));
    for (topic, found) in set.topics.iter().zip(found) {
        for (rank, line) in (1..).zip(&found.lines) {
            builder.push(&topic.id, DocId(&line.doc), rank, line.score);
        }
    }
    Ok(builder.finish(name)?)
}
