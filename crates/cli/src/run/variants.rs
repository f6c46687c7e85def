//! The runs that one command makes: one, or the one with queries made by hand and its automatic twin.

use super::RunSystem;
use super::by_hand::ByHand;
use super::named::Named;
use crate::output::{ensure_apart, note};
use ::formats::check::{AnswerType, Data, RunType, SubmissionName, Task as LabTask};
use ::formats::{Source, Topic, Topics, read_topics};
use anyhow::{Context, Result, ensure};
use retrieve::SystemTask;
use std::fs;
use std::path::{Path, PathBuf};

/// The topics of a command, and what people ask in their place.
pub(super) struct Questions {
    topics: Topics,
    pub(super) fingerprint: String,
    by_hand: Option<ByHand>,
}

impl Questions {
    /// Reads topics and the queries made for them.
    pub(super) fn read(args: &RunSystem, task: SystemTask) -> Result<Self> {
        let name = args.topics.display().to_string();
        let text = fs::read(&args.topics).with_context(|| name.clone())?;
        let topics = read_topics(Source::bytes(&name, &text[..]))?.topics;
        ensure!(!topics.is_empty(), "{name}: has no topics");
        let fingerprint = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&text));
        let by_hand =
            args.queries.as_deref().map(|queries| ByHand::read(queries, &topics, task)).transpose()?;
        if let Some(by_hand) = &by_hand {
            by_hand.warn();
        }
        Ok(Self { topics, fingerprint, by_hand })
    }

    /// The runs to be made, each with its topics, its name and its place.
    pub(super) fn variants(&self, args: &RunSystem, of: &Naming<'_>) -> Result<Vec<Variant<'_>>> {
        let run_type = if self.by_hand.is_some() { RunType::Manual } else { RunType::Auto };
        let named = of.named(args.tag.as_deref(), run_type);
        ensure!(
            self.by_hand.is_none()
                || (named.run_type() == Some(run_type) && !named.tag.split('-').any(|word| word == "auto")),
            "--tag {}: says auto, but a run with queries made by hand is manual",
            named.tag
        );
        let path = named.path(&args.output)?;
        ensure_named(&path, run_type)?;
        let mut variants = Vec::new();
        let topics = self.by_hand.as_ref().map_or_else(|| self.topics.iter().collect(), ByHand::topics);
        let by_hand = self.by_hand.as_ref();
        let twin_name = named.twin();
        variants.push(Variant { topics, tag: named.tag, path, by_hand, twin_of: None });
        if by_hand.is_some() && !args.no_twin {
            let run = &variants[0];
            if run.path == Path::new("-") {
                note("no automatic twin is made: it would stand beside a file");
            } else {
                let twin = Variant {
                    topics: self.topics.iter().collect(),
                    path: twin_path(&run.path, &twin_name, &args.output),
                    tag: twin_name.tag,
                    by_hand: None,
                    twin_of: Some(run.tag.clone()),
                };
                variants.push(twin);
            }
        }
        let read = [Some(args.topics.as_path()), args.queries.as_deref()];
        for variant in &variants {
            ensure_apart(&variant.path, read.into_iter().flatten())?;
            super::topics::warn_of_long_formulas(&variant.topics);
        }
        Ok(variants)
    }
}

/// A run to be made.
pub(super) struct Variant<'q> {
    pub(super) topics: Vec<&'q Topic>,
    pub(super) tag: String,
    pub(super) path: PathBuf,
    pub(super) by_hand: Option<&'q ByHand>,
    /// The tag of the run whose queries were made by hand, if this is its automatic twin.
    pub(super) twin_of: Option<String>,
}

/// By what the runs of a command are named.
pub(super) struct Naming<'a> {
    pub(super) task: LabTask,
    pub(super) system: &'a str,
    pub(super) data: Data,
    pub(super) answer_type: Option<AnswerType>,
}

impl Naming<'_> {
    fn named(&self, tag: Option<&str>, run_type: RunType) -> Named {
        Named::new(self.task, self.system, tag, self.data, self.answer_type, run_type)
    }
}

/// A file whose name says the opposite of what the run is would be misfiled by everybody.
fn ensure_named(path: &Path, run_type: RunType) -> Result<()> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Ok((name, _)) = SubmissionName::parse(&name) else { return Ok(()) };
    ensure!(
        name.run_type == run_type || run_type == RunType::Auto,
        "{}: its name says auto, but a run with queries made by hand is manual",
        path.display()
    );
    Ok(())
}

/// Where the twin stands: in the same folder, with its own name there, or with that of the run and `auto` in it.
fn twin_path(run: &Path, twin: &Named, output: &Path) -> PathBuf {
    if run != output {
        return run.with_file_name(&twin.file);
    }
    let name = run.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let own = SubmissionName::parse(&name).ok().map(|(name, _)| super::named::twin(&name).to_string());
    run.with_file_name(own.unwrap_or_else(|| match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => format!("{stem}.auto.{ending}"),
        _ => format!("{name}.auto"),
    }))
}
