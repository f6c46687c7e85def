//! Task 3: one answer to each topic.

use super::given::{MemberFile, SystemFile, member_systems};
use super::topics::{Timings, threads};
use super::{RunSystem, missing};
use crate::answers;
use crate::output::{WholeFile, note};
use crate::progress::Progress;
use crate::systems::find_member;
use ::collection::task3::Task3Run;
use ::collection::{Source, Topic, read_topics};
use ::index::Index;
use answer::{Answer, Maker, Writer};
use anyhow::{Context, Result, bail, ensure};
use generate::{Continue, Event, Generator};
use retrieve::{Engine, Task};
use serde::Serialize;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// So many answers are asked of a server at once, unless it is said.
const ASKED_AT_ONCE: NonZeroUsize = NonZeroUsize::new(4).expect("four is not zero");

/// An answer, and how long it took.
struct Timed {
    answer: Option<Answer>,
    seconds: f64,
}

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
    let kind = if is_generative { "generate" } else { "extract" };
    let tag = args.tag.clone().unwrap_or_else(|| {
        format!("hypatia-task3-{}-auto-both-{kind}-P", system.name.replace(['-', '+'], "_"))
    });
    let path =
        if args.output.is_dir() { args.output.join(format!("{tag}.tsv")) } else { args.output.clone() };
    let output = WholeFile::create(&path)?;
    let beside = |ending: &str| PathBuf::from(format!("{}.{ending}", path.display()));
    let is_file = path != Path::new("-");
    let kept =
        if is_generative { args.kept.open(is_file.then(|| beside("cache")).as_deref())? } else { None };
    let folder = kept.as_ref().map(|(cache, _)| cache.folder().display().to_string());
    let model = args.model.open(kept)?;
    let engine = Engine::new(Index::open(&args.index)?);
    let inputs = args.given.read(Task::Answers, engine.index())?;
    let maker = Maker::new(system, &find_member, inputs.runs())?;
    let plans: Vec<&retrieve::Plan> = maker.plan().into_iter().collect();
    plans.iter().for_each(|plan| inputs.tell_missing(plan));
    inputs.ensure_used(&plans)?;
    let threads = match (args.threads, is_generative) {
        (Some(threads), _) => threads,
        // A model in this process takes all cores by itself.
        (None, true) if args.model.is_local() => NonZeroUsize::MIN,
        (None, true) => ASKED_AT_ONCE,
        (None, false) => threads(None),
    };
    let progress = Mutex::new(Progress::items(topics.len() as u64));
    let failed = AtomicBool::new(false);
    let made = parallel::map_on(threads, &topics, |topic| {
        if failed.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let start = Instant::now();
        let query = inputs.query(topic);
        let answer = one(&maker, &engine, &query, topic, model.as_deref(), args.kept.seed);
        let done = answer.map(|answer| Some(Timed { answer, seconds: start.elapsed().as_secs_f64() }));
        if done.is_err() {
            failed.store(true, Ordering::Relaxed);
        }
        if let Ok(mut progress) = progress.lock() {
            progress.advance(1);
        }
        done
    });
    drop(progress);
    let done = made.iter().filter(|made| matches!(made, Ok(Some(_)))).count();
    let mut timed = Vec::with_capacity(made.len());
    for (topic, made) in topics.iter().zip(made) {
        let made = made.with_context(|| match &folder {
            Some(folder) => format!(
                "topic {}, after {done} of {} (what was written is kept in {folder}: the same command goes on from there)",
                topic.id,
                topics.len()
            ),
            None => format!("topic {}", topic.id),
        })?;
        timed.extend(made);
    }
    ensure!(timed.len() == topics.len(), "some topics were not run");
    let mut rows = Vec::new();
    for (topic, timed) in topics.iter().zip(&timed) {
        match &timed.answer {
            None => crate::warn(&format!("topic {} has no answer", topic.id)),
            Some(answer) => rows.push(answers::row(topic, answer, &tag)),
        }
    }
    let answered = rows.len();
    output.write(Task3Run { name: tag.clone(), answers: rows }.to_text().as_bytes())?;
    let timings = Timings::of(timed.iter().map(|timed| timed.seconds).collect());
    if is_file {
        let plan = maker.plan();
        let answers = || timed.iter().filter_map(|timed| timed.answer.as_ref());
        let sidecar = Sidecar {
            program: "hypatia",
            version: env!("CARGO_PKG_VERSION"),
            command: std::env::args().collect(),
            tag: &tag,
            system: &maker.system().name,
            system_file: answers::text(name)?,
            candidates: maker.system().candidates.as_ref().map(|stage| stage.system.as_str()),
            member_systems: plan.map(member_systems).transpose()?.unwrap_or_default(),
            member_runs: plan.map(|plan| inputs.files(plan)).unwrap_or_default(),
            missing_members: plan.map(missing).unwrap_or_default(),
            index_fingerprint: format!("{:016x}", engine.index().fingerprint()),
            index_generation: engine.index().generation(),
            topics_fingerprint: format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&topics_text)),
            topics: topics.len(),
            answered,
            whole: answers().filter(|answer| answer.whole).count(),
            kind: answers().next().map(|answer| answer.kind.word()),
            model: model.as_ref().map(|model| model.name()),
            seed: model.as_ref().map(|_| args.kept.seed),
            tries: answers().map(|answer| u64::from(answer.tries)).sum(),
            cut: answers().filter(|answer| answer.cut).count(),
            threads: threads.get(),
            milliseconds: timings,
        };
        let json = serde_json::to_string_pretty(&sidecar).context("writing down how the run was made")?;
        WholeFile::create(&beside("json"))?.write(format!("{json}\n").as_bytes())?;
    }
    note(&format!("{answered} of {} topics answered by {}: {timings}", topics.len(), maker.system().name));
    Ok(crate::Answer::Yes)
}

/// The answer to one topic.
fn one(
    maker: &Maker,
    engine: &Engine,
    query: &retrieve::Query,
    topic: &Topic,
    model: Option<&dyn Generator>,
    seed: u64,
) -> Result<Option<Answer>> {
    let writer = model.map(|model| Writer::new(model, seed));
    let nobody_listens = &mut |_: Event<'_>| Continue::Yes;
    Ok(maker.answer(engine, query, topic.id.as_str(), writer.as_ref(), nobody_listens)?)
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
    index_fingerprint: String,
    index_generation: u64,
    topics_fingerprint: String,
    topics: usize,
    answered: usize,
    whole: usize,
    kind: Option<&'a str>,
    model: Option<String>,
    seed: Option<u64>,
    tries: u64,
    cut: usize,
    threads: usize,
    milliseconds: Timings,
}
