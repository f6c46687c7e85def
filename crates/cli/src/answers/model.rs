//! The language model that is asked: a file that runs here, or a server.

use super::watched::Watched;
use crate::settings::Settings;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use generate::{Absent, Cache, Cached, Cause, Endpoint, EndpointConfig, Generator, Key, Mode};
use model::{LocalModel, Options};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The variable that holds a server's key when no other is named.
const KEY: &str = "HYPATIA_API_KEY";

/// How often a server is asked on behalf of someone who looks at a page meanwhile.
const ATTEMPTS_WHEN_SERVING: u32 = 2;

/// What is drawn from when no seed is named.
const SEED: u64 = 1;

/// The language model that is asked, and where what it wrote is kept.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Language model")]
pub(crate) struct ModelArgs {
    /// A GGUF file of a model, which runs in this process, by its path or by its name in the folder of models
    /// (see hypatia config); with --endpoint, the name of a model there
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,

    /// Ask an OpenAI-compatible server instead, such as http://127.0.0.1:8000/v1
    #[arg(long, value_name = "ADDRESS", requires = "model")]
    pub(crate) endpoint: Option<String>,

    /// The variable that holds the server's key [default: HYPATIA_API_KEY, if it is set]
    #[arg(long, value_name = "VARIABLE", requires = "endpoint")]
    key_variable: Option<String>,

    /// Send the key over plain http to another machine, where others on the way can read it and then ask at
    /// your cost: only for a network of your own
    #[arg(long, requires = "endpoint")]
    key_over_http: bool,

    /// How many seconds the server may take for an answer, its silence before it included [default: 600, of
    /// which 120 in silence]
    #[arg(long, value_name = "SECONDS", requires = "endpoint")]
    answer_limit: Option<u64>,

    /// How often the server is asked at most when it fails or is busy [default: 6; 2 in serve and demo]
    #[arg(long, value_name = "N", requires = "endpoint")]
    attempts: Option<NonZeroU32>,
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

    /// What chance is drawn from, when a model writes [default: 1]
    #[arg(long, value_name = "N", requires = "model")]
    seed: Option<u64>,
}

impl KeptArgs {
    /// What chance is drawn from.
    pub(crate) fn seed(&self) -> u64 {
        self.seed_or(SEED)
    }

    /// The same, with another one where nothing is said.
    pub(crate) fn seed_or(&self, otherwise: u64) -> u64 {
        self.seed.unwrap_or(otherwise)
    }

    /// How to go on after an interruption, if what was written is kept in this folder.
    pub(crate) fn resumed(&self, folder: &str) -> String {
        match self.mode() {
            Mode::Refresh => {
                format!(
                    "what was written is kept in {folder}: the same without --ask-again goes on from there"
                )
            }
            Mode::Use => format!("what was written is kept in {folder}: the same command goes on from there"),
            _ => format!("only what is kept in {folder} is taken"),
        }
    }

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
        Ok(self.open_watched(kept)?.map(|watched| Box::new(watched) as Box<dyn Generator>))
    }

    /// The same, with what a server says of itself.
    pub(crate) fn open_watched(&self, kept: Option<(Cache, Mode)>) -> Result<Option<Watched>> {
        let Some(model) = &self.model else { return Ok(None) };
        let generator: Box<dyn Generator> = match (&self.endpoint, kept) {
            (Some(address), Some((cache, mode))) => {
                Box::new(Cached::new(Endpoint::new(self.config(address, model)?)?, cache, mode))
            }
            (Some(address), None) => Box::new(Endpoint::new(self.config(address, model)?)?),
            (None, Some((cache, Mode::Only))) if !file_of(model)?.exists() => {
                let name = absent(model, &cache)?;
                Box::new(Cached::new(Absent { name }, cache, Mode::Only))
            }
            (None, Some((cache, mode))) => Box::new(Cached::new(local(model)?, cache, mode)),
            (None, None) => Box::new(local(model)?),
        };
        Ok(Some(Watched::new(generator)))
    }

    /// The model for people who look at a page meanwhile, and no longer than this.
    pub(crate) fn open_to_serve(&self, limit: Duration) -> Result<Option<Box<dyn Generator>>> {
        let (Some(model), Some(address)) = (&self.model, &self.endpoint) else { return self.open(None) };
        let endpoint = Endpoint::new(self.config_to_serve(address, model, limit)?)?;
        Ok(Some(Box::new(Watched::new(Box::new(endpoint)))))
    }

    fn config_to_serve(&self, address: &str, model: &str, limit: Duration) -> Result<EndpointConfig> {
        let mut config = self.config(address, model)?;
        config.answer_timeout = config.answer_timeout.min(limit);
        config.idle_timeout = config.idle_timeout.min(limit);
        config.attempts = self.attempts.map_or(ATTEMPTS_WHEN_SERVING, NonZeroU32::get);
        // Nobody reads along; what came of a request stands in the log.
        config.on_retry = None;
        Ok(config)
    }

    fn config(&self, address: &str, model: &str) -> Result<EndpointConfig> {
        let mut config = EndpointConfig::new(address, model);
        // A variable that is empty is one that somebody wanted to be without.
        let is_set = || std::env::var_os(KEY).is_some_and(|value| !value.is_empty());
        config.key = match &self.key_variable {
            Some(variable) => Some(Key::from_environment(variable)?),
            None if is_set() => Some(Key::from_environment(KEY)?),
            None => None,
        };
        config.key_over_plain_http = self.key_over_http;
        if let Some(seconds) = self.answer_limit {
            ensure!(seconds > 0, "--answer-limit is at least 1 second");
            config.answer_timeout = Duration::from_secs(seconds);
            // A server that gives its answer whole is silent until then.
            config.idle_timeout = config.idle_timeout.max(config.answer_timeout);
        }
        if let Some(attempts) = self.attempts {
            config.attempts = attempts.get();
        }
        config.on_retry = Some(told);
        Ok(config)
    }
}

/// Tells why nothing happens for a while.
fn told(cause: &Cause, wait: Duration) {
    crate::warn(&format!("the server: {cause}; it is asked again in {:.0} s", wait.as_secs_f64().ceil()));
}

/// The full name of a model whose file is not there, by what it wrote: names of models hold a checksum of
/// their files, and begin with the name of the file.
fn absent(model: &str, cache: &Cache) -> Result<String> {
    let generators = cache.generators()?;
    if generators.contains(model) {
        return Ok(model.to_owned());
    }
    let file = Path::new(model).file_name().map(|name| name.to_string_lossy().into_owned());
    let start = format!("{} (", file.as_deref().unwrap_or(model));
    let found: Vec<&String> = generators.iter().filter(|name| name.starts_with(&start)).collect();
    let folder = cache.folder().display();
    match found[..] {
        [name] => Ok(name.clone()),
        [] => bail!(
            "{model}: there is no such file, and nothing that a model of this name wrote is in {folder}"
        ),
        _ => {
            let found: Vec<String> = found.iter().map(|name| format!("\"{name}\"")).collect();
            bail!("{folder} holds what several such models wrote; name one by --model: {}", found.join(", "))
        }
    }
}

/// The file of a model: the one at this path, else the one of this name in the store of models, as `hypatia model`
/// keeps it or as a file with its ending `.gguf` or without. If there is none, the path as it is.
fn file_of(model: &str) -> Result<PathBuf> {
    let path = PathBuf::from(model);
    if path.exists() {
        return Ok(path);
    }
    let Some(folder) = Settings::read()?.models.value else { return Ok(path) };
    if let Ok(found) = shelf::Store::open(&folder).find(model)
        && found.facts.kind == shelf::Kind::Decoder
        && let Some(weights) = found.facts.weights().next()
    {
        return Ok(found.folder.join(&weights.path));
    }
    let places = [folder.join(model), folder.join(format!("{model}.gguf"))];
    Ok(places.into_iter().find(|place| place.is_file()).unwrap_or(path))
}

fn local(model: &str) -> Result<LocalModel> {
    let path = file_of(model)?;
    if !path.exists() {
        let hint = match Settings::read()?.models.value {
            Some(folder) => format!("and none in {}", folder.display()),
            None => "and no folder of models is set (see hypatia config)".to_owned(),
        };
        bail!("{model}: there is no such file, {hint}; with --endpoint, name a model that the server knows");
    }
    let opened = LocalModel::open(&path, &Options::default()).context("opening the language model")?;
    opened.remarks().iter().for_each(|remark| crate::warn(remark));
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(config: &EndpointConfig) -> (u64, u64, u32) {
        (config.answer_timeout.as_secs(), config.idle_timeout.as_secs(), config.attempts)
    }

    #[test]
    fn a_server_may_be_silent_as_long_as_it_may_take() {
        let config = |answer_limit, attempts: Option<u32>| {
            let attempts = attempts.and_then(NonZeroU32::new);
            let args = ModelArgs { answer_limit, attempts, ..ModelArgs::default() };
            limits(&args.config("http://127.0.0.1:1/v1", "m").unwrap())
        };
        assert_eq!(config(None, None), (600, 120, 6));
        assert_eq!(config(Some(60), None), (60, 120, 6));
        assert_eq!(config(Some(900), Some(1)), (900, 900, 1));
    }

    #[test]
    fn for_someone_who_waits_a_server_is_not_asked_for_long() {
        let config = |answer_limit, attempts: Option<u32>| {
            let attempts = attempts.and_then(NonZeroU32::new);
            let args = ModelArgs { answer_limit, attempts, ..ModelArgs::default() };
            let limit = Duration::from_secs(100);
            limits(&args.config_to_serve("http://127.0.0.1:1/v1", "m", limit).unwrap())
        };
        assert_eq!(config(None, None), (100, 100, 2));
        assert_eq!(config(Some(900), Some(3)), (100, 100, 3));
        assert_eq!(config(Some(30), None), (30, 100, 2));
    }

    #[test]
    fn how_to_go_on_is_said_as_it_is() {
        let resumed =
            |only_kept, ask_again| KeptArgs { cache: None, only_kept, ask_again, seed: None }.resumed("kept");
        assert!(resumed(false, false).ends_with("kept: the same command goes on from there"));
        assert!(resumed(false, true).ends_with("the same without --ask-again goes on from there"));
        assert!(!resumed(true, false).contains("goes on"));
    }
}
