//! What fitting an encoder and fitting a cross-encoder have in common: options, data, the course, the record.

mod data;
mod record;
mod watch;

use super::keep::KeepArgs;
use crate::model::{check_with_engine, note_new};
use crate::output::{note, size};
use ::train::encoder::{
    Decay, Error, Held, Network, Objective, Options, Outcome, Sampler, Schedule, Training,
};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
pub(super) use data::{Data, DataArgs, Judged, Reading};
pub(super) use record::Base;
use record::Recorded;
use serde_json::{Value, json};
use shelf::{AddOptions, Store};
use std::path::{Path, PathBuf};
use std::time::Duration;
use watch::Watcher;

/// The greatest number of held-out questions that is taken by default.
const MOST_HELD: usize = 200;

/// What becomes of the rate after the warm-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DecayArg {
    /// A line down to zero
    Linear,
    /// The same to the end
    Constant,
}

/// Options of a training.
#[derive(Clone, Debug, Args)]
pub(super) struct FitArgs {
    /// The model to begin with: a name in the store, or a folder
    #[arg(long, value_name = "MODEL")]
    pub(super) base: String,

    /// The name of the new model in the store
    #[arg(long, value_name = "NAME")]
    pub(super) name: String,

    /// Passes over all examples [default: 1; 10 with --adapter]
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,

    /// Examples whose texts are compared with each other
    #[arg(long, value_name = "N", default_value_t = 32)]
    batch: usize,

    /// Batches of which one step is made
    #[arg(long, value_name = "N", default_value_t = 1)]
    accumulate: usize,

    /// The highest learning rate [default: 2e-5; 1e-3 with --adapter]
    #[arg(long, value_name = "X")]
    rate: Option<f64>,

    /// Steps in which the rate rises from zero [default: a tenth of all]
    #[arg(long, value_name = "N")]
    warmup: Option<u64>,

    /// What becomes of the rate after the warm-up
    #[arg(long, value_name = "HOW", default_value = "linear")]
    schedule: DecayArg,

    /// Begin with the warm-up again in each epoch
    #[arg(long)]
    restart_schedule: bool,

    /// Weight decay of matrices
    #[arg(long, value_name = "X", default_value_t = 0.01)]
    decay: f64,

    /// The longest gradient; 0 for no limit
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    clip: f64,

    /// The most steps
    #[arg(long, value_name = "N")]
    steps: Option<u64>,

    /// The most tokens of a text, or of two that are read together [default: the model's limit]
    #[arg(long, value_name = "N")]
    pub(super) max_tokens: Option<usize>,

    /// The seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,

    /// Questions that are not learned from, to measure on [default: a tenth, at most 200]
    #[arg(long, value_name = "N")]
    held_out: Option<usize>,

    /// Steps between measurements; 0 for one after each epoch
    #[arg(long, value_name = "N", default_value_t = 0)]
    measure_every: u64,

    /// Measurements without a new best after which the training ends; 0 for never
    #[arg(long, value_name = "N", default_value_t = 3)]
    patience: u32,

    /// Seconds between checkpoints
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0)]
    checkpoint: f64,

    /// Say what the training will take, and do not begin
    #[arg(long)]
    pub(super) estimate: bool,

    /// Threads; the result is the same with any number [default: all cores]
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,

    #[command(flatten)]
    keep: KeepArgs,
}

/// A training that may begin: names and options are checked.
pub(super) struct Fit<'a> {
    args: &'a FitArgs,
    store: Store,
    pub(super) base: Base,
}

/// What is different for encoders, adapters and cross-encoders.
pub(super) struct Plan<'p> {
    /// `encoder`, `adapter`, `cross-encoder`.
    pub(super) kind: &'p str,
    pub(super) objective: Objective,
    pub(super) epochs: u32,
    pub(super) rate: f64,
    /// What else decides the result.
    pub(super) more: Value,
    pub(super) data: &'p Data,
    pub(super) sampler: &'p Sampler,
    pub(super) held: &'p [Held],
    /// The most tokens of a text.
    pub(super) tokens: usize,
    /// About how much memory it takes.
    pub(super) memory: u64,
}

impl FitArgs {
    /// Checks what can be checked before anything is read.
    pub(super) fn begin(&self) -> Result<Fit<'_>> {
        let store = self.keep.open(std::slice::from_ref(&self.name))?;
        ensure!(self.checkpoint >= 0.0 && self.checkpoint < 1e9, "--checkpoint takes seconds of at least 0");
        ensure!(self.threads != Some(0), "--threads must be at least 1");
        let base = Base::find(&store, &self.base)?;
        if let Some(threads) = self.threads {
            model::training::use_threads(threads).map_err(anyhow::Error::msg)?;
        }
        Ok(Fit { args: self, store, base })
    }

    /// The number of questions to hold out.
    pub(super) fn held_out(&self, questions: usize) -> usize {
        self.held_out.unwrap_or_else(|| (questions / 10).min(MOST_HELD)).min(questions.saturating_sub(1))
    }

    /// Epochs and rate, where they were not given.
    pub(super) fn epochs_and_rate(&self, epochs: u32, rate: f64) -> (u32, f64) {
        (self.epochs.unwrap_or(epochs), self.rate.unwrap_or(rate))
    }
}

impl Fit<'_> {
    /// The folder of the training.
    fn folder(&self) -> PathBuf {
        self.args.keep.folder(&self.store, &self.args.name)
    }

    /// A folder in it, for what a training needs beside its checkpoint; made if it is not there.
    pub(super) fn beside(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder().join(name);
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(folder)
    }

    /// Discards what was learned, if that was asked for.
    pub(super) fn restart(&self) -> Result<()> {
        self.args.keep.restart(&self.folder())
    }

    fn options(&self, plan: &Plan<'_>, examples: usize) -> Options {
        let args = self.args;
        let decay = match args.schedule {
            DecayArg::Linear => Decay::Linear,
            DecayArg::Constant => Decay::Constant,
        };
        let schedule = Schedule { rate: plan.rate, warmup: 0, decay, restarts: args.restart_schedule };
        let mut options = Options {
            objective: plan.objective,
            schedule,
            batch: args.batch,
            accumulate: args.accumulate,
            epochs: plan.epochs,
            max_steps: args.steps,
            decay: args.decay,
            clip: args.clip,
            seed: args.seed,
            measure_every: args.measure_every,
            patience: args.patience,
        };
        let all = if args.restart_schedule {
            options.steps_in_epoch(examples)
        } else {
            options.total_steps(examples)
        };
        options.schedule.warmup = args.warmup.unwrap_or(all / 10);
        options
    }

    /// Trains, and adds what `write` makes of the parameters to the store.
    pub(super) fn run<N: Network>(
        &self,
        network: &mut N,
        plan: &Plan<'_>,
        write: impl FnOnce(&N, &Path, &[f32], &model::training::Record) -> Result<(), model::Error>,
    ) -> Result<()> {
        let args = self.args;
        let examples = plan.sampler.epoch(args.seed, 0).len();
        let options = self.options(plan, examples);
        if let Some(mistake) = options.mistake() {
            bail!("{mistake}");
        }
        let made = json!({
            "version": 1,
            "kind": plan.kind,
            "base": self.base.name,
            "base_fingerprint": self.base.fingerprint,
            "data": plan.data.record(),
            "examples": examples,
            "held_out": plan.held.len(),
            "max_tokens": plan.tokens,
            "options": options,
            "more": plan.more,
        });
        let every = Duration::from_secs_f64(args.checkpoint);
        let training = match Training::open(&self.folder(), &format!("{made:#}\n"), every) {
            Err(error @ Error::Other { .. }) => bail!("{error}: resume that one, or --restart discards it"),
            opened => opened?,
        };
        note(&format!(
            "{}: {examples} examples an epoch, {} held-out questions, texts of up to {} tokens, about {} of memory",
            args.name,
            plan.held.len(),
            plan.tokens,
            size(plan.memory),
        ));
        let mut watcher = Watcher::new(&args.name, args.estimate);
        let outcome = match training.run(network, plan.sampler, plan.held, &options, &mut watcher) {
            Err(Error::Stopped) if args.estimate => return Ok(()),
            outcome => outcome?,
        };
        drop(watcher);
        self.finish(network, &outcome, made, plan, write)?;
        training.remove()?;
        // The last training leaves no empty folder.
        let _ = self.folder().parent().map(std::fs::remove_dir);
        Ok(())
    }

    fn finish<N: Network>(
        &self,
        network: &N,
        outcome: &Outcome,
        made: Value,
        plan: &Plan<'_>,
        write: impl FnOnce(&N, &Path, &[f32], &model::training::Record) -> Result<(), model::Error>,
    ) -> Result<()> {
        let args = self.args;
        let mut sets = args.keep.trained_on.clone();
        if sets.is_empty() {
            sets.extend(plan.data.site().map(str::to_owned));
        }
        sets.extend(plan.data.judged_set());
        let topics = plan.data.judged_topics();
        let recorded =
            Recorded { name: &args.name, base: &self.base, sets: &sets, topics, plan: made, outcome };
        let folder = self.beside("model")?;
        write(network, &folder, &outcome.parameters, &recorded.record())?;
        note(&recorded.summary());
        let add =
            AddOptions { name: Some(args.name.clone()), replace: args.keep.replace, ..AddOptions::default() };
        note_new(&self.store.add(&[folder], &add, &mut check_with_engine, &mut ())?);
        Ok(())
    }
}
