//! `hypatia run`: topics through a system, as a run that can be submitted.

pub(crate) mod answering;
mod answers;
pub(crate) mod given;
pub(crate) mod named;
mod refused;
pub(crate) mod topics;

use crate::answers::model::{KeptArgs, ModelArgs};
use crate::output::{WholeFile, ensure_apart, note};
use crate::place::find_index;
use crate::progress::Progress;
use crate::{Answer, Run, systems};
use ::collection::check::{MOST_RESULTS, Task as LabTask};
use ::collection::{RecordedModel, Source, Topic, read_topics};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use given::{GivenArgs, MemberFile, SystemFile, member_systems};
use named::Named;
use retrieve::{Engine, Pipeline, System, Task};
use serde::Serialize;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use topics::{Effort, Ids, Timed, Timings};

const LONG_ABOUT: &str = "\
Runs every topic of a file through a system and writes the ranking, best first, in the form in which \
it can be submitted. The same topics, system and index give the same bytes, whatever the number of \
threads. Beside the run stands a file RUN.json that says how it was made: the command, the system's \
file, the fingerprints of index and topics, and how long topics took.

In a folder the run is named as the guidelines of the labs ask, with text, math or both by what the system \
uses: [group]-[task]-[id]-[run-type]-[data]-[ans-type]-[eval].tsv.

A system is one of those that come with the program (see `hypatia systems`) or a file of your own. \
Some are made of others, and of runs that are given with --member: members that are missing \
and optional are named in a warning, and the others are fused alone.

For task 3 a system gives one answer to each topic, of at most 1,200 characters: cut out of the posts that \
another system found, or written by a language model, which is a GGUF file that runs here or a server. What \
a model wrote is kept in the folder RUN.cache, so that a run that was interrupted goes on where it was, and \
the same run can be made again without asking anyone. A topic that the model refuses is left unanswered and \
named in a warning and in RUN.json, and the exit code is 1; what would be wrong with every topic ends the run.";

const EXAMPLES: &str = "\
Examples:
  hypatia run --task 1 --topics Topics_Task1.xml --index math.index -o hypatia-task1-classic-auto-both-P.tsv
  hypatia run --task 2 --topics Topics_Task2.xml --index math.index --format trec --ids visual -o run.trec
  hypatia run --task 1 --system bm25 --topics topics.xml --index math.index -o runs/
  hypatia run --task 1 --system mine.toml --topics topics.xml --index math.index -o -
  hypatia run --task 1 --system approach0-fusion-alpha05 --member colbert=colbert.tsv \\
      --topics topics.xml --index math.index -o fused.tsv
  hypatia run --task 3 --topics Topics_Task1.xml --index math.index -o runs/
  hypatia run --task 3 --system first-answer --candidates bm25 --topics t.xml --index math.index -o first.tsv
  hypatia run --task 3 --system labs-prompt --model smollm2.gguf --topics t.xml --index math.index -o written.tsv
  hypatia run --task 3 --system hypatia-sources --endpoint http://127.0.0.1:8000/v1 --model llama-3 \\
      --topics t.xml --index math.index -o sources.tsv";

/// How a run is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layout {
    /// The lab's: topic, post, rank, score, run; for formulas topic, formula, post, rank, score, run
    Arqmath,
    /// topic, Q0, document, rank, score, run
    Trec,
}

/// Run topics through a system and write a run
#[derive(Debug, Args)]
#[command(name = "run", long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct RunSystem {
    /// 1: find answers to questions; 2: find formulas; 3: give one answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3))]
    task: u8,

    /// The name of a system, or a file [default: hypatia-1 or hypatia-2 where the index has vectors and their model is in
    /// the store, else hypatia-classic-1 or hypatia-classic-2; hypatia-extract for task 3]
    #[arg(long, value_name = "NAME")]
    system: Option<String>,

    /// The file of topics
    #[arg(long, value_name = "FILE")]
    topics: PathBuf,

    /// The index [default: that of the settings, see hypatia config]
    #[arg(long, value_name = "INDEX")]
    index: Option<PathBuf>,

    /// How the run is laid out
    #[arg(long, value_enum, default_value_t = Layout::Arqmath)]
    format: Layout,

    /// What stands for a formula
    #[arg(long, value_enum)]
    ids: Option<Ids>,

    /// How many results a topic has at most [default: 1000]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// What the run is called in its last column [default: the lab's form with the system's name]
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,

    #[command(flatten)]
    given: GivenArgs,

    /// Task 3: the system, or its file, that ranks the answers among which one is chosen
    #[arg(long, value_name = "NAME")]
    candidates: Option<String>,

    #[command(flatten)]
    model: ModelArgs,

    #[command(flatten)]
    kept: KeptArgs,

    /// Leave nothing out to be faster: search formulas by every feature, the most common included
    #[arg(long)]
    exact: bool,

    /// How many threads work [default: all cores]
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// How often each topic is run, for measuring: the least time of a topic counts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,

    /// Where the run goes: a file, a folder in which it gets the name that the labs' guidelines ask for, or - for
    /// standard output
    #[arg(short, long, value_name = "RUN")]
    output: PathBuf,
}

impl Run for RunSystem {
    fn run(self) -> Result<Answer> {
        if self.task == 3 {
            return answers::run(&self);
        }
        self.ensure_no_answers()?;
        let depth = self.depth.unwrap_or(MOST_RESULTS);
        let task = if self.task == 1 { Task::Answers } else { Task::Formulas };
        let engine = Engine::open_whole(&find_index(self.index.as_deref())?, crate::models::resources()?)?;
        let system_name = self.system.as_deref().unwrap_or_else(|| match task {
            Task::Answers => engine.default_posts(),
            Task::Formulas => engine.default_formulas(),
        });
        let system = find_system(system_name, task)?;
        let name = system.name.clone();
        let ids = match (self.ids, self.format) {
            (Some(Ids::Visual), Layout::Arqmath) => {
                bail!("--ids visual needs --format trec: the lab's form asks for ids of instances")
            }
            (Some(Ids::Visual), _) if task == Task::Answers => {
                bail!("answers have no visual ids: leave --ids out")
            }
            (ids, _) => ids.unwrap_or(Ids::Formula),
        };
        let topics_text = fs::read(&self.topics).with_context(|| self.topics.display().to_string())?;
        let file = read_topics(Source::bytes(&self.topics.display().to_string(), &topics_text[..]))?;
        let topics: Vec<&Topic> = file.topics.iter().collect();
        ensure!(!topics.is_empty(), "{}: has no topics", self.topics.display());
        topics::warn_of_long_formulas(&topics);
        let inputs = self.given.read(task, engine.index())?;
        let pipeline = inputs.pipeline(system)?;
        inputs.ensure_used(&[&pipeline])?;
        let of_lab = if task == Task::Answers { LabTask::Task1 } else { LabTask::Task2 };
        let data = named::data(pipeline.uses(&engine));
        let named = Named::new(of_lab, &name, self.tag.as_deref(), data, None);
        let path = named.path(&self.output)?;
        let tag = named.tag;
        ensure_apart(&path, [&*self.topics])?;
        let output = WholeFile::create(&path)?;
        let pipeline = if self.exact { pipeline.exact() } else { pipeline };
        let threads = topics::threads(self.threads);
        let progress = Mutex::new(Progress::items(topics.len() as u64));
        let effort = Effort { depth, passes: self.passes, threads, ids };
        let found = topics::run(&engine, &pipeline, &topics, &inputs, effort, &progress)?;
        drop(progress);
        engine.index().sound()?;
        let mut text = String::new();
        for (topic, found) in topics.iter().zip(&found) {
            if found.lines.is_empty() {
                crate::warn(&format!("topic {} has no results", topic.id));
            }
            for (rank, line) in (1..).zip(&found.lines) {
                topics::push_line(&mut text, self.format, topic, rank, line, &tag);
            }
        }
        output.write(text.as_bytes())?;
        let used = inputs.models(&engine, &pipeline)?;
        crate::models::warn_of_exposed(&used);
        let timings = Timings::of(found.iter().map(|found| found.wall).collect());
        if path != Path::new("-") {
            let sidecar = Sidecar {
                program: "hypatia",
                version: env!("CARGO_PKG_VERSION"),
                command: std::env::args().collect(),
                tag: &tag,
                system: &name,
                system_file: systems::text(system_name)?,
                member_systems: member_systems(&pipeline)?,
                member_runs: inputs.files(&pipeline),
                missing_members: missing(&pipeline),
                models: used,
                index_fingerprint: format!("{:016x}", engine.index().fingerprint()),
                index_generation: engine.index().generation(),
                topics_fingerprint: format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&topics_text)),
                topics: topics.len(),
                depth,
                exact: self.exact,
                threads: threads.get(),
                passes: self.passes,
                milliseconds: timings,
                cpu_milliseconds: Timings::of(found.iter().map(|found| found.cpu).collect()),
                stages: stage_times(&found),
            };
            let name = format!("{}.json", path.display());
            let json = serde_json::to_string_pretty(&sidecar).context("writing down how the run was made")?;
            WholeFile::create_beside(Path::new(&name))?.write(format!("{json}\n").as_bytes())?;
        }
        note(&format!("{} topics by {name}: {timings}", topics.len()));
        Ok(Answer::Yes)
    }
}

/// A system for a task.
fn find_system(name: &str, task: Task) -> Result<System> {
    let system = systems::find(name)?;
    ensure!(
        system.task == task,
        "the system {name} is for task {}, not for task {}",
        system.task.number(),
        task.number()
    );
    Ok(system)
}

impl RunSystem {}

/// How a run was made.
#[derive(Serialize)]
struct Sidecar<'a> {
    program: &'a str,
    version: &'a str,
    command: Vec<String>,
    tag: &'a str,
    system: &'a str,
    system_file: String,
    member_systems: Vec<SystemFile>,
    member_runs: Vec<MemberFile>,
    missing_members: Vec<String>,
    models: Vec<RecordedModel>,
    index_fingerprint: String,
    index_generation: u64,
    topics_fingerprint: String,
    topics: usize,
    depth: usize,
    exact: bool,
    threads: usize,
    passes: u32,
    milliseconds: Timings,
    cpu_milliseconds: Timings,
    stages: Vec<StageTime>,
}

/// What a stage of the pipeline took for a topic on average. Where there are several systems, the time of each
/// includes that of its sources and scorers.
#[derive(Serialize)]
struct StageTime {
    stage: String,
    milliseconds: f64,
}

/// What each stage took, in the order in which they began.
fn stage_times(found: &[Timed]) -> Vec<StageTime> {
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

/// The names of what a pipeline is made without.
fn missing(pipeline: &Pipeline) -> Vec<String> {
    pipeline.missing().iter().map(|missing| missing.member.clone()).collect()
}
