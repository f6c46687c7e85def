//! Task 3: one answer to each topic.

use super::answering::{Answered, Answering, answering_threads};
use super::given::{MemberFile, SystemFile, member_systems};
use super::named::Named;
use super::refused::Unanswered;
use super::topics::Timings;
use super::{RunSystem, missing};
use crate::answers;
use crate::output::{WholeFile, ensure_apart, note};
use crate::place::find_index;
use crate::systems::find_member;
use ::collection::check::{AnswerType, Task as LabTask};
use ::collection::task3::Task3Run;
use ::collection::{RecordedModel, Source, Topic, read_topics};
use answer::Maker;
use anyhow::{Context, Result, bail, ensure};
use generate::Generator;
use retrieve::{Engine, Task};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Runs the topics and writes the run.
pub(super) fn run(args: &RunSystem) -> Result<crate::Answer> {
    args.ensure_no_ranking()?;
    let name = args.system.as_deref().unwrap_or(answer::DEFAULT);
    let system = answers::find(name, args.candidates.as_deref())?;
    let is_generative = system.is_generative();
    ensure!(
        is_generative || args.model.model.is_none(),
        "--model has no effect: {} writes nothing, it cuts answers out of posts",
        system.name
    );
    ensure!(
        !is_generative || args.model.model.is_some(),
        "{} lets a language model write: name a GGUF file with --model, or a server with --endpoint",
        system.name
    );
    let topics_text = fs::read(&args.topics).with_context(|| args.topics.display().to_string())?;
    let file = read_topics(Source::bytes(&args.topics.display().to_string(), &topics_text[..]))?;
    let topics: Vec<&Topic> = file.topics.iter().collect();
    ensure!(!topics.is_empty(), "{}: has no topics", args.topics.display());
    super::topics::warn_of_long_formulas(&topics);
    let index = find_index(args.index.as_deref())?;
    let engine = Engine::open_whole(&index, crate::models::resources()?)?;
    let inputs = args.given.read(Task::Answers, engine.index())?;
    let maker = Maker::new(system, &find_member, inputs.runs())?;
    let kind = if is_generative { AnswerType::Generate } else { AnswerType::Extract };
    let named = Named::new(
        LabTask::Task3,
        &maker.system().name,
        args.tag.as_deref(),
        answers::data(&maker, &engine),
        Some(kind),
    );
    let path = named.path(&args.output)?;
    let tag = named.tag;
    ensure_apart(&path, [&*args.topics])?;
    let output = WholeFile::create(&path)?;
    let beside = |ending: &str| PathBuf::from(format!("{}.{ending}", path.display()));
    let is_file = path != Path::new("-");
    let kept =
        if is_generative { args.kept.open(is_file.then(|| beside("cache")).as_deref())? } else { None };
    let folder = kept.as_ref().map(|(cache, _)| cache.folder().display().to_string());
    let model = args.model.open_watched(kept)?;
    let pipelines: Vec<&retrieve::Pipeline> = maker.pipeline(&engine).into_iter().collect();
    pipelines.iter().for_each(|pipeline| inputs.tell_missing(pipeline));
    inputs.ensure_used(&pipelines)?;
    let threads = answering_threads(args.threads, is_generative, &args.model);
    let answering = Answering {
        maker: &maker,
        engine: &engine,
        inputs: &inputs,
        model: model.as_ref(),
        seed: args.kept.seed(),
        threads,
        tag: &tag,
    };
    let resumed = folder.as_deref().map(|folder| args.kept.resumed(folder));
    let Answered { timed, rows, fits, unanswered, refused } = answering.all(&topics, resumed.as_deref())?;
    let answered = rows.len();
    output.write(Task3Run { name: tag.clone(), answers: rows }.to_text().as_bytes())?;
    let timings = Timings::of(timed.iter().map(|timed| timed.seconds).collect());
    let pipeline = maker.pipeline(&engine);
    let used = pipeline.map(|pipeline| inputs.models(&engine, pipeline)).transpose()?.unwrap_or_default();
    crate::models::warn_of_exposed(&used);
    if is_file {
        let seen = model.as_ref().map(|model| model.seen()).unwrap_or_default();
        let answers = || timed.iter().filter_map(|timed| timed.answer.as_ref());
        let sidecar = Sidecar {
            program: "hypatia",
            version: env!("CARGO_PKG_VERSION"),
            command: std::env::args().collect(),
            tag: &tag,
            system: &maker.system().name,
            system_file: answers::text(name)?,
            candidates: maker.system().candidates.as_ref().and(pipeline).map(retrieve::Pipeline::name),
            member_systems: pipeline.map(member_systems).transpose()?.unwrap_or_default(),
            member_runs: pipeline.map(|pipeline| inputs.files(pipeline)).unwrap_or_default(),
            missing_members: pipeline.map(missing).unwrap_or_default(),
            models: used,
            index_fingerprint: format!("{:016x}", engine.index().fingerprint()),
            index_generation: engine.index().generation(),
            topics_fingerprint: format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&topics_text)),
            topics: topics.len(),
            answered,
            unanswered,
            whole: answers().filter(|answer| answer.whole).count(),
            close: answers().filter(|answer| answer.is_close()).count(),
            fits,
            kind: answers().next().map(|answer| answer.kind.word()),
            model: model.as_ref().map(|model| model.name()),
            served_models: seen.models,
            served_fingerprints: seen.system_fingerprints,
            left_out: seen.left_out,
            seed: model.as_ref().map(|_| args.kept.seed()),
            tries: answers().map(|answer| u64::from(answer.tries)).sum(),
            cut: answers().filter(|answer| answer.cut).count(),
            threads: threads.get(),
            milliseconds: timings,
        };
        let json = serde_json::to_string_pretty(&sidecar).context("writing down how the run was made")?;
        WholeFile::create_beside(&beside("json"))?.write(format!("{json}\n").as_bytes())?;
    }
    note(&format!("{answered} of {} topics answered by {}: {timings}", topics.len(), maker.system().name));
    Ok(if refused == 0 { crate::Answer::Yes } else { crate::Answer::No })
}

impl RunSystem {
    /// What is about rankings is an error, not silence.
    fn ensure_no_ranking(&self) -> Result<()> {
        let options = [
            ("--format trec", self.format == super::Layout::Trec),
            ("--ids", self.ids.is_some()),
            ("--depth", self.depth.is_some()),
            ("--exact", self.exact),
            ("--passes", self.passes > 1),
        ];
        match options.iter().find(|(_, given)| *given) {
            Some((option, _)) => bail!("{option} has no effect with --task 3: a topic has one answer"),
            None => Ok(()),
        }
    }

    /// What is about answers has no effect on rankings.
    pub(super) fn ensure_no_answers(&self) -> Result<()> {
        let options = [("--candidates", self.candidates.is_some()), ("--model", self.model.model.is_some())];
        match options.iter().find(|(_, given)| *given) {
            Some((option, _)) => bail!("{option} has no effect without --task 3"),
            None => Ok(()),
        }
    }
}

/// How a run was made.
#[derive(Serialize)]
struct Sidecar<'a> {
    program: &'a str,
    version: &'a str,
    command: Vec<String>,
    tag: &'a str,
    system: &'a str,
    system_file: String,
    candidates: Option<&'a str>,
    member_systems: Vec<SystemFile>,
    member_runs: Vec<MemberFile>,
    missing_members: Vec<String>,
    models: Vec<RecordedModel>,
    index_fingerprint: String,
    index_generation: u64,
    topics_fingerprint: String,
    topics: usize,
    answered: usize,
    unanswered: Vec<Unanswered>,
    whole: usize,
    close: usize,
    fits: BTreeMap<String, f64>,
    kind: Option<&'a str>,
    model: Option<String>,
    served_models: BTreeSet<String>,
    served_fingerprints: BTreeSet<String>,
    left_out: BTreeSet<String>,
    seed: Option<u64>,
    tries: u64,
    cut: usize,
    threads: usize,
    milliseconds: Timings,
}
