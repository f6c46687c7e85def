//! Task 3: one answer to each topic.

use super::RunSystem;
use super::answering::{Answered, Answering, answering_threads};
use super::by_hand::ByHand;
use super::given::{Inputs, member_systems};
use super::record::{Sidecar, missing};
use super::refused::Unanswered;
use super::topics::Timings;
use super::variants::{Naming, Questions, Variant};
use crate::answers;
use crate::output::{WholeFile, note};
use crate::place::find_index;
use crate::systems::find_member;
use ::formats::check::{AnswerType, Task as LabTask};
use ::formats::task3::Task3Run;
use answer::Maker;
use anyhow::{Result, bail, ensure};
use generate::Generator;
use retrieve::{Engine, SystemTask};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Runs the topics and writes the run, and its automatic twin if there is to be one.
pub(super) fn run(args: &RunSystem) -> Result<crate::Exit> {
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
    let questions = Questions::read(args, SystemTask::Answers)?;
    let index = find_index(args.index.as_deref())?;
    let engine = Engine::open_whole(&index, crate::models::resources()?)?;
    let inputs = args.given.read(SystemTask::Answers, engine.index())?;
    let maker = Maker::new(system, &find_member, inputs.runs())?;
    ensure!(
        args.queries.is_none() || maker.pipeline(&engine).is_some(),
        "--queries has no effect: {} searches for nothing, it asks a model the question of the topic",
        maker.system().name
    );
    let kind = if is_generative { AnswerType::Generate } else { AnswerType::Extract };
    let variants = questions.variants(
        args,
        &Naming {
            task: LabTask::Task3,
            system: &maker.system().name,
            data: answers::data(&maker, &engine),
            answer_type: Some(kind),
        },
    )?;
    let pipelines: Vec<&retrieve::Pipeline> = maker.pipeline(&engine).into_iter().collect();
    pipelines.iter().for_each(|pipeline| inputs.tell_missing(pipeline));
    inputs.ensure_used(&pipelines)?;
    let run = Making { args, maker: &maker, engine: &engine, inputs: &inputs, system_name: name };
    let mut refused = 0;
    for variant in &variants {
        refused += run.make(variant, &questions.fingerprint)?;
    }
    Ok(if refused == 0 { crate::Exit::Yes } else { crate::Exit::No })
}

/// A system with all that it needs to answer, but for its model.
struct Making<'a> {
    args: &'a RunSystem,
    maker: &'a Maker,
    engine: &'a Engine,
    inputs: &'a Inputs,
    /// The name or the file by which the system was asked for.
    system_name: &'a str,
}

impl Making<'_> {
    /// Makes one run, with the record of how it was made; gives how many topics the model refused.
    fn make(&self, variant: &Variant<'_>, topics_fingerprint: &str) -> Result<usize> {
        let Self { args, maker, engine, inputs, system_name } = *self;
        let Variant { topics, tag, path, by_hand, twin_of } = variant;
        let is_generative = maker.system().is_generative();
        let output = WholeFile::create(path)?;
        let cache = PathBuf::from(format!("{}.cache", path.display()));
        let is_file = path != Path::new("-");
        let kept = if is_generative { args.kept.open(is_file.then_some(&*cache))? } else { None };
        let folder = kept.as_ref().map(|(cache, _)| cache.folder().display().to_string());
        let model = args.model.open_watched(kept)?;
        let threads = answering_threads(args.threads, is_generative, &args.model);
        let answering = Answering {
            maker,
            engine,
            inputs,
            model: model.as_ref(),
            seed: args.kept.seed(),
            threads,
            originals: by_hand.map(ByHand::originals),
            tag,
        };
        let resumed = folder.as_deref().map(|folder| args.kept.resumed(folder));
        let Answered { timed, rows, fits, unanswered, refused } =
            answering.all(topics, resumed.as_deref())?;
        let answered = rows.len();
        output.write(Task3Run { name: tag.clone(), answers: rows }.to_text().as_bytes())?;
        let queries = by_hand.map(|by_hand| by_hand.keep(path)).transpose()?;
        let timings = Timings::of(timed.iter().map(|timed| timed.seconds).collect());
        let pipeline = maker.pipeline(engine);
        let models =
            pipeline.map(|pipeline| inputs.models(engine, pipeline, topics)).transpose()?.unwrap_or_default();
        crate::models::warn_of_exposed(&models);
        if is_file {
            let seen = model.as_ref().map(|model| model.seen()).unwrap_or_default();
            let answers = || timed.iter().filter_map(|timed| timed.answer.as_ref());
            let sidecar = Sidecar {
                program: "hypatia",
                version: env!("CARGO_PKG_VERSION"),
                command: std::env::args().collect(),
                tag,
                system: &maker.system().name,
                system_file: answers::text(system_name)?,
                member_systems: pipeline.map(member_systems).transpose()?.unwrap_or_default(),
                member_runs: pipeline.map(|pipeline| inputs.files(pipeline)).unwrap_or_default(),
                missing_members: pipeline.map(|pipeline| missing(engine, pipeline)).unwrap_or_default(),
                models,
                index_fingerprint: format!("{:016x}", engine.index().fingerprint()),
                index_generation: engine.index().generation(),
                topics_fingerprint,
                topics: topics.len(),
                queries,
                twin_of: twin_of.as_deref(),
                of_task: Written {
                    candidates: maker
                        .system()
                        .candidates
                        .as_ref()
                        .and(pipeline)
                        .map(retrieve::Pipeline::name),
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
                },
                threads: threads.get(),
                milliseconds: timings,
            };
            sidecar.write(path)?;
        }
        note(&format!(
            "{answered} of {} topics answered by {}: {timings}",
            topics.len(),
            maker.system().name
        ));
        Ok(refused)
    }
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

/// How answers were made.
#[derive(Serialize)]
struct Written<'a> {
    candidates: Option<&'a str>,
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
}
