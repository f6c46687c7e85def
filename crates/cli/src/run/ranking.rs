//! Tasks 1 and 2: a ranking for each topic.

use super::given::{Inputs, member_systems};
use super::named;
use super::record::{Ranked, Sidecar, missing, stage_times};
use super::topics::{self, Effort, Ids, Timings};
use super::variants::{Naming, Questions, Variant};
use super::{Layout, RunSystem};
use crate::output::{WholeFile, note};
use crate::place::find_index;
use crate::progress::Progress;
use crate::{Exit, systems};
use ::formats::check::{MOST_RESULTS, Task as LabTask};
use anyhow::{Result, bail, ensure};
use retrieve::{Engine, Pipeline, System, SystemTask};
use std::path::Path;
use std::sync::Mutex;

/// Runs the topics and writes the run, and its automatic twin if there is to be one.
pub(super) fn run(args: &RunSystem) -> Result<Exit> {
    args.ensure_no_answers()?;
    let task = if args.task == 1 { SystemTask::Answers } else { SystemTask::Formulas };
    let engine = Engine::open_whole(&find_index(args.index.as_deref())?, crate::models::resources()?)?;
    let system_name = args.system.as_deref().unwrap_or_else(|| match task {
        SystemTask::Answers => engine.default_posts(),
        SystemTask::Formulas => engine.default_formulas(),
    });
    let system = find_system(system_name, task)?;
    let name = system.name.clone();
    let ids = args.ids(task)?;
    let questions = Questions::read(args, task)?;
    let inputs = args.given.read(task, engine.index())?;
    let pipeline = inputs.pipeline(system)?;
    inputs.ensure_used(&[&pipeline])?;
    for (member, lacking) in engine.absent(&pipeline) {
        crate::warn(&format!("{name} is run without {member}, which needs {lacking}"));
    }
    let variants = questions.variants(
        args,
        &Naming {
            task: if task == SystemTask::Answers { LabTask::Task1 } else { LabTask::Task2 },
            system: &name,
            data: named::data(pipeline.uses(&engine)),
            answer_type: None,
        },
    )?;
    let effort = Effort {
        depth: args.depth.unwrap_or(MOST_RESULTS),
        passes: args.passes,
        threads: topics::threads(args.threads),
        ids,
    };
    let pipeline = if args.exact { pipeline.exact() } else { pipeline };
    let ranking =
        Ranking { args, engine: &engine, pipeline: &pipeline, inputs: &inputs, system_name, effort };
    for variant in &variants {
        ranking.make(variant, &questions.fingerprint)?;
    }
    Ok(Exit::Yes)
}

/// A system with all that it needs to rank.
struct Ranking<'a> {
    args: &'a RunSystem,
    engine: &'a Engine,
    pipeline: &'a Pipeline,
    inputs: &'a Inputs,
    /// The name or the file by which the system was asked for.
    system_name: &'a str,
    effort: Effort,
}

impl Ranking<'_> {
    /// Makes one run, with the record of how it was made.
    fn make(&self, variant: &Variant<'_>, topics_fingerprint: &str) -> Result<()> {
        let Variant { topics, tag, path, by_hand, twin_of } = variant;
        let output = WholeFile::create(path)?;
        let progress = Mutex::new(Progress::items(topics.len() as u64));
        let found = topics::run(self.engine, self.pipeline, topics, self.inputs, self.effort, &progress)?;
        drop(progress);
        self.engine.index().sound()?;
        let mut text = String::new();
        for (topic, found) in topics.iter().zip(&found) {
            if found.lines.is_empty() {
                crate::warn(&format!("topic {} has no results", topic.id));
            }
            for (rank, line) in (1..).zip(&found.lines) {
                topics::push_line(&mut text, self.args.format, topic, rank, line, tag);
            }
        }
        output.write(text.as_bytes())?;
        let queries = by_hand.map(|by_hand| by_hand.keep(path)).transpose()?;
        let models = self.inputs.models(self.engine, self.pipeline, topics)?;
        crate::models::warn_of_exposed(&models);
        let timings = Timings::of(found.iter().map(|found| found.wall).collect());
        if path != Path::new("-") {
            let sidecar = Sidecar {
                program: "hypatia",
                version: env!("CARGO_PKG_VERSION"),
                command: std::env::args().collect(),
                tag,
                system: self.pipeline.name(),
                system_file: systems::text(self.system_name)?,
                member_systems: member_systems(self.pipeline)?,
                member_runs: self.inputs.files(self.pipeline),
                missing_members: missing(self.engine, self.pipeline),
                models,
                index_fingerprint: format!("{:016x}", self.engine.index().fingerprint()),
                index_generation: self.engine.index().generation(),
                topics_fingerprint,
                topics: topics.len(),
                queries,
                twin_of: twin_of.as_deref(),
                of_task: Ranked {
                    depth: self.effort.depth,
                    exact: self.args.exact,
                    passes: self.effort.passes,
                    cpu_milliseconds: Timings::of(found.iter().map(|found| found.cpu).collect()),
                    stages: stage_times(&found),
                },
                threads: self.effort.threads.get(),
                milliseconds: timings,
            };
            sidecar.write(path)?;
        }
        note(&format!("{} topics by {}: {timings}", topics.len(), self.pipeline.name()));
        Ok(())
    }
}

/// A system for a task.
fn find_system(name: &str, task: SystemTask) -> Result<System> {
    let system = systems::find(name)?;
    ensure!(
        system.task == task,
        "the system {name} is for task {}, not for task {}",
        system.task.number(),
        task.number()
    );
    Ok(system)
}

impl RunSystem {
    /// What stands for a formula in the run.
    fn ids(&self, task: SystemTask) -> Result<Ids> {
        match (self.ids, self.format) {
            (Some(Ids::Visual), Layout::Arqmath) => {
                bail!("--ids visual needs --format trec: the lab's form asks for ids of instances")
            }
            (Some(Ids::Visual), _) if task == SystemTask::Answers => {
                bail!("answers have no visual ids: leave --ids out")
            }
            (ids, _) => Ok(ids.unwrap_or(Ids::Formula)),
        }
    }
}
