//! The language model that is asked: a file that runs here, or a server.

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use generate::{Cache, Cached, Endpoint, EndpointConfig, Generator, Key, Mode};
use model::{LocalModel, Options};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The variable that holds a server's key when no other is named.
const KEY: &str = "HYPATIA_API_KEY";

/// The language model that is asked, and where what it wrote is kept.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Language model")]
pub(crate) struct ModelArgs {
    /// A GGUF file of a model, which runs in this process; with --endpoint, the name of a model there
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,

    /// Ask an OpenAI-compatible server instead, such as http://127.0.0.1:8000/v1
    #[arg(long, value_name = "ADDRESS", requires = "model")]
    pub(crate) endpoint: Option<String>,

    /// The variable that holds the server's key [default: HYPATIA_API_KEY, if it is set]
    #[arg(long, value_name = "VARIABLE", requires = "endpoint")]
    key_variable: Option<String>,

    /// How many seconds the server may take for an answer
    #[arg(long, value_name = "SECONDS", requires = "endpoint")]
    answer_limit: Option<u64>,
}

/// Where what a model wrote is kept, and what chance is drawn from.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Language model")]
pub(crate) struct KeptArgs {
    /// The folder in which what a model wrote is kept, so that the same is had again
    #[arg(long, value_name = "FOLDER", requires = "model")]
    pub(crate) cache: Option<PathBuf>,

    /// Ask nobody: take only what is kept
    #[arg(long, requires = "model", conflicts_with = "ask_again")]
    only_kept: bool,

    /// Ask again for what is kept already
    #[arg(long, requires = "model")]
    ask_again: bool,

    /// What chance is drawn from, when a model writes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

impl KeptArgs {
    fn mode(&self) -> Mode {
        match (self.only_kept, self.ask_again) {
            (true, _) => Mode::Only,
            (_, true) => Mode::Refresh,
            _ => Mode::Use,
        }
    }

    /// The cache, in the folder that was named or else in this one.
    pub(crate) fn open(&self, otherwise: Option<&Path>) -> Result<Option<(Cache, Mode)>> {
        match self.cache.as_deref().or(otherwise) {
            Some(folder) => Ok(Some((Cache::open(folder)?, self.mode()))),
            None => {
                ensure!(!self.only_kept && !self.ask_again, "nothing is kept: name a folder with --cache");
                Ok(None)
            }
        }
    }
}

impl ModelArgs {
    /// Whether the model runs in this process.
    pub(crate) fn is_local(&self) -> bool {
        self.endpoint.is_none()
    }

    /// Makes the model ready; nothing if none is named.
    pub(crate) fn open(&self, kept: Option<(Cache, Mode)>) -> Result<Option<Box<dyn Generator>>> {
        let Some(model) = &self.model else { return Ok(None) };
        Ok(Some(match (&self.endpoint, kept) {
            (Some(address), Some((cache, mode))) => {
                Box::new(Cached::new(self.endpoint(address, model)?, cache, mode))
            }
            (Some(address), None) => Box::new(self.endpoint(address, model)?),
            (None, Some((cache, mode))) => Box::new(Cached::new(local(model)?, cache, mode)),
            (None, None) => Box::new(local(model)?),
        }))
    }

    fn endpoint(&self, address: &str, model: &str) -> Result<Endpoint> {
        let mut config = EndpointConfig::new(address, model);
        config.key = match &self.key_variable {
            Some(variable) => Some(Key::from_environment(variable)?),
            None if std::env::var_os(KEY).is_some() => Some(Key::from_environment(KEY)?),
            None => None,
        };
        if let Some(seconds) = self.answer_limit {
            ensure!(seconds > 0, "--answer-limit is at least 1 second");
            config.answer_timeout = Duration::from_secs(seconds);
        }
        Ok(Endpoint::new(config)?)
    }
}

fn local(model: &str) -> Result<LocalModel> {
    let path = Path::new(model);
    if !path.exists() {
        let hint = "name a GGUF file, or a server with --endpoint that knows a model of this name";
        bail!("{model}: there is no such file; {hint}");
    }
    let opened = LocalModel::open(path, &Options::default()).context("opening the language model")?;
    opened.remarks().iter().for_each(|remark| crate::warn(remark));
    Ok(opened)
}
