//! What systems are given beside the index: runs to be fused with, and questions that topics are linked to.

use crate::{models, nearest, run_record, systems, warn};
use ::formats::run::{Run, RunKind};
use ::formats::{RecordedModel, Source, Topic};
use ::index::Index;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use retrieve::{Engine, Given, Pipeline, Query, System, SystemTask};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What systems are given beside the index.
#[derive(Clone, Debug, Args)]
pub(crate) struct GivenArgs {
    /// A run that a fusion asks for by this name; may be given several times
    #[arg(long = "member", value_name = "NAME=RUN", value_parser = member)]
    members: Vec<(String, PathBuf)>,

    /// Questions that topics are linked to, a line each: topic, tab, id of the question
    #[arg(long, value_name = "FILE")]
    links: Option<PathBuf>,
}

fn member(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => Ok((name.to_owned(), path.into())),
        _ => Err("expected NAME=RUN, such as colbert=runs/colbert.tsv".to_owned()),
    }
}

/// What was given, read.
pub(crate) struct Inputs {
    runs: BTreeMap<String, Arc<Given>>,
    files: Vec<MemberFile>,
    links: BTreeMap<String, Vec<String>>,
    seed: Option<u64>,
}

/// A run that was given, as it is written down beside a run.
#[derive(Clone, Serialize)]
pub(crate) struct MemberFile {
    name: String,
    file: String,
    fingerprint: String,
    /// The models of the run, by the record beside it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    models: Vec<RecordedModel>,
}

/// A system's file, as it is written down beside a run.
#[derive(Serialize)]
pub(crate) struct SystemFile {
    name: String,
    file: String,
}

impl GivenArgs {
    /// Reads what is given, for a task.
    pub(crate) fn read(&self, task: SystemTask, index: &Index) -> Result<Inputs> {
        let kind = if task == SystemTask::Formulas { RunKind::Formulas } else { RunKind::Documents };
        let (mut runs, mut files) = (BTreeMap::new(), Vec::new());
        for (name, path) in &self.members {
            let file = path.display().to_string();
            let bytes = fs::read(path).with_context(|| file.clone())?;
            let fingerprint = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bytes));
            let run = Run::read(Source::path(path), kind)?;
            let given = Given::of(&run, task, index);
            ensure!(
                given.topics().next().is_some(),
                "{file}: the index has nothing of what this run found ({} results)",
                run.num_rows()
            );
            if given.unknown() > 0 {
                let (unknown, rows) = (given.unknown(), run.num_rows());
                warn(&format!("{file}: {unknown} of {rows} results are not in the index and are left out"));
            }
            let before = runs.insert(name.clone(), Arc::new(given));
            ensure!(before.is_none(), "--member: {name} is given twice");
            let models = run_record::models(path);
            files.push(MemberFile { name: name.clone(), file, fingerprint, models });
        }
        let links = self.links.as_deref().map(links).transpose()?.unwrap_or_default();
        Ok(Inputs { runs, files, links, seed: None })
    }
}

/// The questions that topics are linked to.
fn links(path: &Path) -> Result<BTreeMap<String, Vec<String>>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut links: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [topic, question] => links.entry(topic.to_owned()).or_default().push(question.to_owned()),
            _ => bail!("{}:{number}: expected a topic and the id of a question", path.display()),
        }
    }
    Ok(links)
}

impl Inputs {
    /// A system with all that it is made of; what it is made without is told.
    pub(crate) fn pipeline(&self, system: System) -> Result<Pipeline> {
        let pipeline = self.pipeline_quietly(system)?;
        self.tell_missing(&pipeline);
        Ok(pipeline)
    }

    /// The runs that were given, by their names.
    pub(crate) fn runs(&self) -> &BTreeMap<String, Arc<Given>> {
        &self.runs
    }

    /// Tells what a pipeline is made without.
    pub(crate) fn tell_missing(&self, pipeline: &Pipeline) {
        for missing in pipeline.missing() {
            let about = missing.about.as_ref().map_or_else(String::new, |about| format!(" ({about})"));
            let (system, member) = (&missing.system, &missing.member);
            warn(&format!("{system} is made without {member}{about}; --member {member}=RUN gives it"));
        }
    }

    /// The same without a word.
    pub(crate) fn pipeline_quietly(&self, system: System) -> Result<Pipeline> {
        Ok(Pipeline::compile(system, &systems::find_member, &self.runs)?)
    }

    /// A run that nothing is made of was probably given under a wrong name.
    pub(crate) fn ensure_used(&self, pipelines: &[&Pipeline]) -> Result<()> {
        let used: BTreeSet<&str> = pipelines.iter().flat_map(|pipeline| pipeline.runs()).collect();
        if let Some(name) = self.runs.keys().find(|name| !used.contains(name.as_str())) {
            let missing = pipelines
                .iter()
                .flat_map(|pipeline| pipeline.missing())
                .map(|missing| missing.member.clone());
            let known: BTreeSet<String> = used.iter().map(|name| (*name).to_owned()).chain(missing).collect();
            let known: Vec<String> = known.into_iter().collect();
            ensure!(!known.is_empty(), "--member {name}: nothing here is made of runs");
            bail!("--member {name}: no member is called so; {}", nearest::suggest(name, &known));
        }
        Ok(())
    }

    /// What is asked by a topic.
    pub(crate) fn query(&self, topic: &Topic) -> Query {
        let mut query = Query::of_topic(topic);
        if let Some(linked) = self.links.get(topic.id.as_str()) {
            query.linked.clone_from(linked);
        }
        match self.seed {
            // Each topic has a seed of its own, so that others do not matter.
            Some(seed) => query.with_chance(xxhash_rust::xxh3::xxh3_64_with_seed(
                format!("formula\0{}", topic.id).as_bytes(),
                seed,
            )),
            None => query,
        }
    }

    /// The same with chance between formulas of a topic that are as large, where a system looks for one.
    pub(crate) fn with_seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// The models that a pipeline ranks topics with, and those of the runs that it is made of.
    pub(crate) fn models(
        &self,
        engine: &Engine,
        pipeline: &Pipeline,
        topics: &[&Topic],
    ) -> Result<Vec<RecordedModel>> {
        let used = models::used(&engine.models_of(pipeline), topics)?;
        let of_members = self.files(pipeline).into_iter().flat_map(|file| file.models);
        Ok(run_record::joined(used.into_iter().chain(of_members)))
    }

    /// The runs that a pipeline is made of.
    pub(crate) fn files(&self, pipeline: &Pipeline) -> Vec<MemberFile> {
        let used: BTreeSet<&str> = pipeline.runs().collect();
        self.files.iter().filter(|file| used.contains(file.name.as_str())).cloned().collect()
    }
}

/// The files of the systems that a pipeline is made of, but for the last, which is the system itself.
pub(crate) fn member_systems(pipeline: &Pipeline) -> Result<Vec<SystemFile>> {
    let mut names: Vec<&str> = pipeline.systems().collect();
    names.pop();
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    let file = |name: &str| Ok(SystemFile { name: name.to_owned(), file: systems::text(name)? });
    names.into_iter().map(file).collect()
}
