//! How a run was made, written down beside it.

use super::by_hand;
use super::given::{MemberFile, SystemFile};
use super::topics::{Timed, Timings};
use crate::output::WholeFile;
use ::formats::RecordedModel;
use anyhow::{Context, Result};
use retrieve::{Engine, Pipeline};
use serde::Serialize;
use std::path::Path;

/// How a run was made.
#[derive(Serialize)]
pub(super) struct Sidecar<'a, T> {
    pub(super) program: &'a str,
    pub(super) version: &'a str,
    pub(super) command: Vec<String>,
    pub(super) tag: &'a str,
    pub(super) system: &'a str,
    pub(super) system_file: String,
    pub(super) member_systems: Vec<SystemFile>,
    pub(super) member_runs: Vec<MemberFile>,
    pub(super) missing_members: Vec<String>,
    pub(super) models: Vec<RecordedModel>,
    pub(super) index_fingerprint: String,
    pub(super) index_generation: u64,
    pub(super) topics_fingerprint: &'a str,
    pub(super) topics: usize,
    /// The queries that people made in the place of topics, in a manual run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) queries: Option<by_hand::Record>,
    /// The tag of the manual run that this is the automatic twin of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) twin_of: Option<&'a str>,
    /// What only runs of the task have.
    #[serde(flatten)]
    pub(super) of_task: T,
    pub(super) threads: usize,
    pub(super) milliseconds: Timings,
}

impl<T: Serialize> Sidecar<'_, T> {
    /// Writes it beside the run.
    pub(super) fn write(&self, run: &Path) -> Result<()> {
        let name = format!("{}.json", run.display());
        let json = serde_json::to_string_pretty(self).context("writing down how the run was made")?;
        WholeFile::create_beside(Path::new(&name))?.write(format!("{json}\n").as_bytes())
    }
}

/// How a ranking was made.
#[derive(Serialize)]
pub(super) struct Ranked {
    pub(super) depth: usize,
    pub(super) exact: bool,
    pub(super) passes: u32,
    pub(super) cpu_milliseconds: Timings,
    pub(super) stages: Vec<StageTime>,
}

/// What a stage of the pipeline took for a topic on average. Where there are several systems, the time of each
/// includes that of its sources and scorers.
#[derive(Serialize)]
pub(super) struct StageTime {
    stage: String,
    milliseconds: f64,
}

/// What each stage took, in the order in which they began.
pub(super) fn stage_times(found: &[Timed]) -> Vec<StageTime> {
    let mut stages: Vec<StageTime> = Vec::new();
    for cost in found.iter().flat_map(|found| &found.costs) {
        let milliseconds = cost.time.as_secs_f64() * 1000.0 / found.len() as f64;
        match stages.iter_mut().find(|known| known.stage == cost.stage) {
            Some(known) => known.milliseconds += milliseconds,
            None => stages.push(StageTime { stage: cost.stage.clone(), milliseconds }),
        }
    }
    stages
}

/// The names of what a pipeline is made without, and run without.
pub(crate) fn missing(engine: &Engine, pipeline: &Pipeline) -> Vec<String> {
    let missing = pipeline.missing().iter().map(|missing| missing.member.clone());
    missing.chain(engine.absent(pipeline).into_iter().map(|(member, _)| member)).collect()
}
