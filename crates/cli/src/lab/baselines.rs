//! `hypatia lab baselines`: systems of the organisers, run and handed in.

use crate::answers::model::{KeptArgs, ModelArgs};
use crate::check::TaskNumber;
use crate::output::note;
use crate::place::find_index;
use crate::progress::Progress;
use crate::run::Layout;
use crate::run::answering::{Answering, answering_threads};
use crate::run::given::{GivenArgs, Inputs};
use crate::run::named::{self, id};
use crate::run::topics::{self, Effort, Ids};
use crate::{Exit, Run, answers, systems, warn};
use ::formats::check::{AnswerType, Data, Evaluation, RunType, SubmissionName, Task};
use ::formats::task3::Task3Run;
use ::formats::{RecordFile, RunRecord, Topic};
use answer::Maker;
use anyhow::{Context, Result, ensure};
use clap::Args;
use generate::Generator;
use lab::submit::{Earlier, Entry, Refusal, UsesLinks, lines};
use lab::{Lab, Role};
use retrieve::{Engine, Query};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;

const LONG_ABOUT: &str = "\
Runs the baselines that the organisers of ARQMath ran, over the topics of every set of the lab, and \
hands them in as baselines: for Task 1 TF-IDF over raw LaTeX and over signs named by words, Tangent-S, \
their mean with Tangent-S, and linked posts; for Task 2 Tangent-S; for Task 3 the first answer of a \
Task 1 baseline that has at most 1,200 characters and, where --model names a language model, what it \
writes to the labs' prompt, as their baseline with GPT-3 did. Linked posts and the mean are pooled as primary \
runs, the others as alternates, and the baselines of Tasks 2 and 3 as primary runs.

The model is a GGUF file that runs here, or one of the server that --endpoint names, as for `hypatia run \
--task 3 --system labs-prompt`; `--systems labs-chat` asks the same of servers that only hold conversations. \
What it wrote is kept in the folder cache of the lab unless --cache names another, so that the same command \
goes on after an interruption.

--systems names others: any of `hypatia systems`. A baseline for which the index or the \
topics have nothing is left out with a warning, unless it was named.";

const EXAMPLES: &str = "\
Examples:
  hypatia lab baselines mylab --index math.index
  hypatia lab baselines mylab --index math.index --task 2 --systems tangent-s,approach0-a0
  hypatia lab baselines mylab --index math.index --task 3 --model smollm2.gguf
  hypatia lab baselines mylab --index math.index --task 3 --endpoint http://127.0.0.1:8000/v1 --model llama-3
  hypatia lab baselines mylab --index math.index --links duplicates.tsv --replace";

/// The baselines of ARQMath-3: system, how it is pooled, whether it uses links.
const DEFAULTS: [(&str, Evaluation, UsesLinks); 6] = [
    ("terrier-tf-idf", Evaluation::Alternate, UsesLinks::No),
    ("tf-idf+tangent-s", Evaluation::Primary, UsesLinks::No),
    ("pyterrier-tf-idf", Evaluation::Alternate, UsesLinks::No),
    ("tangent-s-answers", Evaluation::Alternate, UsesLinks::No),
    ("linked-posts", Evaluation::Primary, UsesLinks::Yes),
    ("tangent-s", Evaluation::Primary, UsesLinks::No),
];

/// The baseline of Task 3, and the system whose answers it takes.
const FIRST_FIT: &str = "first_answer_that_fits";
const FIRST_FIT_FROM: &str = "terrier-tf-idf";

/// The baseline of Task 3 that a language model writes.
const WRITTEN: &str = "labs-prompt";

/// Who the baselines are of.
const TEAM: &str = "Baselines";

/// Run the organisers' baselines and hand them in
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Baselines {
    /// The folder of the lab
    #[arg(value_name = "LAB")]
    folder: PathBuf,

    /// The index of the lab's collection [default: that of the settings, see hypatia config]
    #[arg(long, value_name = "INDEX")]
    index: Option<PathBuf>,

    /// Only one task
    #[arg(long, value_name = "N")]
    task: Option<TaskNumber>,

    /// Systems instead of the usual ones, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    systems: Vec<String>,

    /// How deep they are pooled [default: as in ARQMath-3; named ones as primary runs]
    #[arg(long, value_name = "AS")]
    pool_as: Option<super::submit::Depth>,

    /// Only one set of topics
    #[arg(long, value_name = "SET")]
    set: Option<String>,

    #[command(flatten)]
    given: GivenArgs,

    #[command(flatten)]
    model: ModelArgs,

    #[command(flatten)]
    kept: KeptArgs,

    /// Take the place of earlier runs of the same systems
    #[arg(long)]
    replace: bool,

    /// How many threads work [default: all cores]
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// A system to be run.
struct Baseline {
    system: String,
    pooled_as: Evaluation,
    uses_links: UsesLinks,
}

impl Run for Baselines {
    fn run(self) -> Result<Exit> {
        let mut lab = super::open(&self.folder)?;
        let index = find_index(self.index.as_deref())?;
        let engine = Engine::open_whole(&index, crate::models::resources()?)?;
        if let Some(collection) = &lab.manifest().collection {
            let is_own = |source: &::index::Source| {
                format!("{:016x}", source.collection.fingerprint()) == collection.fingerprint
            };
            let sources = engine.index().sources();
            ensure!(
                sources.len() == 1 && sources.iter().all(is_own),
                "{}: is an index of another collection than the lab's",
                index.display()
            );
        }
        let tasks: Vec<Task> = lab
            .manifest()
            .all_tasks()
            .filter(|task| self.task.is_none_or(|wanted| wanted.task() == *task))
            .collect();
        ensure!(
            self.model.model.is_none()
                || (tasks.contains(&Task::Task3) && !self.answering_systems().is_empty()),
            "--model has no effect: no baseline that writes is run"
        );
        let sets: Vec<String> = match &self.set {
            Some(set) => vec![lab.manifest().set(Some(set))?.name.clone()],
            None => lab.manifest().sets.iter().map(|set| set.name.clone()).collect(),
        };
        let mut taken = 0;
        for set in &sets {
            for task in &tasks {
                if lab.manifest().set(Some(set))?.files(*task).is_none() {
                    continue;
                }
                taken += self.run_task(&mut lab, &engine, *task, set)?;
            }
        }
        ensure!(taken > 0, "no baseline could be run");
        Ok(Exit::Yes)
    }
}

impl Baselines {
    fn run_task(&self, lab: &mut Lab, engine: &Engine, task: Task, set: &str) -> Result<usize> {
        let mut taken = 0;
        if task == Task::Task3 {
            if self.systems.is_empty() {
                taken += usize::from(self.first_answer_that_fits(lab, engine, set)?);
            }
            for system in self.answering_systems() {
                self.answer(lab, engine, set, system)?;
                taken += 1;
            }
            return Ok(taken);
        }
        for baseline in self.baselines(task)? {
            match self.rank(lab, engine, task, set, &baseline) {
                Ok(Some((text, record, data))) => {
                    let name = name(task, &baseline, data, None);
                    self.hand_in(lab, set, &name, &baseline, text, &record)?;
                    taken += 1;
                }
                Ok(None) => {
                    warn(&format!("{} finds nothing for the set {set} and is left out", baseline.system));
                }
                Err(error) if self.systems.is_empty() => {
                    engine.index().sound()?;
                    warn(&format!("{} is left out: {error:#}", baseline.system));
                }
                Err(error) => return Err(error.context(baseline.system)),
            }
        }
        Ok(taken)
    }

    /// The systems that answer: those that are named, else the one whose prompt the labs used if there is a model.
    fn answering_systems(&self) -> Vec<&str> {
        let named: Vec<&str> =
            self.systems.iter().map(String::as_str).filter(|name| answers::is_known(name)).collect();
        match &self.model.model {
            Some(_) if self.systems.is_empty() => vec![WRITTEN],
            _ => named,
        }
    }

    /// Lets a system answer the topics of a set, and hands the answers in.
    fn answer(&self, lab: &mut Lab, engine: &Engine, set: &str, name: &str) -> Result<()> {
        let system = answers::find(name, None)?;
        let is_generative = system.is_generative();
        ensure!(
            !is_generative || self.model.model.is_some(),
            "{name} lets a language model write: name a GGUF file with --model, or a server with --endpoint"
        );
        let inputs = self.given.read(retrieve::SystemTask::Answers, engine.index())?;
        let maker = Maker::new(system, &systems::find_member, inputs.runs())?;
        let kept = if is_generative { self.kept.open(Some(&self.folder.join("cache")))? } else { None };
        let folder = kept.as_ref().map(|(cache, _)| cache.folder().display().to_string());
        let model = if is_generative { self.model.open_watched(kept)? } else { None };
        let file = lab.topics(set, Task::Task1)?;
        let list: Vec<&Topic> = file.topics.iter().collect();
        let tag = id(name);
        let answering = Answering {
            maker: &maker,
            engine,
            inputs: &inputs,
            model: model.as_ref(),
            seed: self.kept.seed_or(lab.manifest().seed),
            threads: answering_threads(self.threads, is_generative, &self.model),
            originals: None,
            tag: &tag,
        };
        let resumed = folder.as_deref().map(|folder| self.kept.resumed(folder));
        let rows = answering.all(&list, resumed.as_deref()).with_context(|| name.to_owned())?.rows;
        ensure!(!rows.is_empty(), "{name} answers no topic of the set {set}");
        let text = Task3Run { name: tag, answers: rows }.to_text();
        let pooled_as = self.pool_as.map_or(Evaluation::Primary, super::submit::Depth::evaluation);
        let baseline = Baseline { system: name.to_owned(), pooled_as, uses_links: UsesLinks::No };
        let kind = if is_generative { AnswerType::Generate } else { AnswerType::Extract };
        let run = self::name(Task::Task3, &baseline, answers::data(&maker, engine), Some(kind));
        let record = RunRecord {
            system: Some(name.to_owned()),
            kind: Some(if is_generative { "generated" } else { "extracted" }.to_owned()),
            model: model.as_ref().map(Generator::name),
            ..RunRecord::default()
        };
        self.hand_in(lab, set, &run, &baseline, text, &record)
    }

    /// The systems for a task.
    fn baselines(&self, task: Task) -> Result<Vec<Baseline>> {
        let of_task = |name: &str| -> Result<bool> {
            Ok(!answers::is_known(name) && systems::find(name)?.task.number() == task.number())
        };
        let mut baselines = Vec::new();
        if self.systems.is_empty() {
            for (system, pooled_as, uses_links) in DEFAULTS {
                if of_task(system)? {
                    baselines.push(Baseline { system: system.to_owned(), pooled_as, uses_links });
                }
            }
        }
        for system in &self.systems {
            if of_task(system)? {
                let pooled_as = Evaluation::Primary;
                baselines.push(Baseline { system: system.clone(), pooled_as, uses_links: UsesLinks::No });
            }
        }
        if let Some(depth) = self.pool_as {
            baselines.iter_mut().for_each(|baseline| baseline.pooled_as = depth.evaluation());
        }
        Ok(baselines)
    }

    /// The run of a system, its record and what it uses, or nothing where it found nothing.
    fn rank(
        &self,
        lab: &Lab,
        engine: &Engine,
        task: Task,
        set: &str,
        baseline: &Baseline,
    ) -> Result<Option<(String, RunRecord, Data)>> {
        let system = systems::find(&baseline.system)?;
        let file = lab.topics(set, task)?;
        let list: Vec<&Topic> = file.topics.iter().collect();
        let inputs: Inputs = self.given.read(system.task, engine.index())?.with_seed(lab.manifest().seed);
        let pipeline = inputs.pipeline(system)?;
        let effort = Effort {
            depth: lab.manifest().rules.most_results(),
            passes: 1,
            threads: topics::threads(self.threads),
            ids: Ids::Formula,
        };
        let progress = Mutex::new(Progress::items(list.len() as u64));
        let found = topics::run(engine, &pipeline, &list, &inputs, effort, &progress)?;
        drop(progress);
        let tag = id(&baseline.system);
        let mut text = String::new();
        for (topic, found) in list.iter().zip(&found) {
            for (rank, line) in (1..).zip(&found.lines) {
                topics::push_line(&mut text, Layout::Arqmath, topic, rank, line, &tag);
            }
        }
        let models = inputs.models(engine, &pipeline, &list)?;
        let record = RunRecord { system: Some(baseline.system.clone()), models, ..RunRecord::default() };
        let data = named::data(pipeline.uses(engine));
        Ok(Some((text, record, data)).filter(|(text, ..)| !text.is_empty()))
    }

    /// The first answer of a ranking that a run of Task 3 may give, for each topic.
    fn first_answer_that_fits(&self, lab: &mut Lab, engine: &Engine, set: &str) -> Result<bool> {
        let maker = answers::maker(answers::find("first-answer", Some(FIRST_FIT_FROM))?)?;
        let file = lab.topics(set, Task::Task1)?;
        let list: Vec<&Topic> = file.topics.iter().collect();
        let found = parallel::map_on(topics::threads(self.threads), &list, |topic| {
            answers::extracted(&maker, engine, &Query::of_topic(topic), topic)
        });
        let mut rows = Vec::new();
        for (topic, found) in list.iter().zip(found) {
            let found = found.with_context(|| format!("topic {}", topic.id))?;
            rows.extend(found.map(|answer| answers::row(topic, &answer, FIRST_FIT)));
        }
        if rows.is_empty() {
            return Ok(false);
        }
        let text = Task3Run { name: FIRST_FIT.to_owned(), answers: rows }.to_text();
        let baseline = Baseline {
            system: FIRST_FIT.to_owned(),
            pooled_as: Evaluation::Primary,
            uses_links: UsesLinks::No,
        };
        let name = name(Task::Task3, &baseline, answers::data(&maker, engine), Some(AnswerType::Extract));
        let record = RunRecord { system: Some(FIRST_FIT.to_owned()), ..RunRecord::default() };
        self.hand_in(lab, set, &name, &baseline, text, &record)?;
        Ok(true)
    }

    fn hand_in(
        &self,
        lab: &mut Lab,
        set: &str,
        name: &SubmissionName,
        baseline: &Baseline,
        text: String,
        record: &RunRecord,
    ) -> Result<()> {
        let file_name = name.to_string();
        let entry = Entry {
            label: file_name.clone(),
            file_name: file_name.clone(),
            bytes: text.into_bytes(),
            record: Some(RecordFile { record: record.clone(), text: record.to_json() }),
            queries: None,
            set: Some(set.to_owned()),
            by: "organiser".to_owned(),
            role: Role::Baseline,
            pooled_as: Some(baseline.pooled_as),
            uses_links: baseline.uses_links,
            trained_on: Vec::new(),
            about: String::new(),
            earlier: if self.replace { Earlier::IsReplaced } else { Earlier::Stays },
        };
        match lab.submit(&entry) {
            Ok(receipt) => note(&format!("taken: {} on {set}", receipt.name)),
            Err(Refusal::Invalid { findings, .. }) => {
                anyhow::bail!("{file_name}: is not valid: {}", lines(&file_name, &findings));
            }
            Err(Refusal::Lab(error)) => return Err(error).context("handing in a baseline"),
        }
        Ok(())
    }
}

fn name(task: Task, baseline: &Baseline, data: Data, answer_type: Option<AnswerType>) -> SubmissionName {
    SubmissionName {
        group: TEAM.to_owned(),
        task,
        id: id(&baseline.system),
        run_type: RunType::Auto,
        data,
        answer_type,
        evaluation: baseline.pooled_as,
    }
}
