//! `hypatia serve`: the search page and the API, for browsers and programs.

use crate::answers::model::ModelArgs;
use crate::place::find_index;
use crate::settings::Settings;
use crate::{Exit, Run, output};
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use web::{App, Config, LogFormat, Model, PerAddress, Queries};

/// So many answers a server with a language model is asked to write at once.
const WRITTEN_AT_ONCE: usize = 4;

/// So long an answer may take that a model writes.
const WRITING_LIMIT: Duration = Duration::from_secs(120);

const LONG_ABOUT: &str = "\
Serves the search page, the pages of threads and formulas, and an API, until Ctrl-C or SIGTERM.

The API stands below /api/v1 and is described at /api; /healthz says that the server is well, /metrics \
counts for Prometheus. Each request is a line of the log on standard error; what people search for is not \
in it unless --log-queries is given. docs/serving.md tells how to run it for others.

The index may be changed, compacted or built anew while it is served: the new state is taken over within \
two seconds, or at once on SIGHUP, and no request is lost. A state that cannot be opened is \
logged, and the old one stays.

With --model a language model writes answers for those who ask for one; pages mark them as written by it. A \
model in this process writes one at a time, a server is asked for four at once, and for no longer than someone \
waits.

Without --index it uses the index of the settings (`hypatia config` shows them), by default hypatia.index \
in the current folder. Only this computer can connect unless --host says otherwise.";

const EXAMPLES: &str = "\
Examples:
  hypatia serve --index math.index
  hypatia serve --index math.index --port 9000 --log json 2>> requests.jsonl
  hypatia serve --host 0.0.0.0 --workers 8 --time-limit 5
  hypatia serve --allow-origin https://example.org
  hypatia serve --model smollm2.gguf
  curl 'http://127.0.0.1:8080/api/v1/search?q=sum+of+cubes'";

/// Serve the search page and the API
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// The index [default: that of the settings, see hypatia config]
    #[arg(short, long, value_name = "INDEX")]
    index: Option<PathBuf>,

    /// The port to listen on; 0 for any that is free [default: that of the settings, else 8080]
    #[arg(short, long, value_name = "PORT")]
    port: Option<u16>,

    #[command(flatten)]
    how: How,
}

/// What `serve` and `demo` share.
#[derive(Debug, Args)]
pub(crate) struct How {
    /// The address to listen on; 0.0.0.0 lets other computers connect [default: that of the settings, else
    /// 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    host: Option<IpAddr>,

    /// How people reach the server, such as https://search.example.org, for what browsers keep of it
    #[arg(long, value_name = "URL")]
    address: Option<String>,

    /// How many connections one address may have open; 0 for no limit [default: 128, and no limit for this computer, where a proxy may run]
    #[arg(long, value_name = "N")]
    connections_per_address: Option<usize>,

    /// How many searches run at once [default: the number of cores]
    #[arg(long, value_name = "N")]
    workers: Option<NonZeroUsize>,

    /// How many seconds a search may take
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    time_limit: f64,

    /// What the lines of the log look like
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log: Log,

    /// Tell in the log what people search for
    #[arg(long)]
    log_queries: bool,

    /// Let pages of this site call the API: * for all, or one such as https://example.org
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Option<String>,

    #[command(flatten)]
    model: ModelArgs,

    /// What pages and the API call the language model [default: its file or name, without folder and address]
    #[arg(long, value_name = "NAME", requires = "model", help_heading = "Language model")]
    model_name: Option<String>,
}

/// What the lines of the log look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Log {
    /// For people
    Text,
    /// An object a line
    Json,
}

impl Log {
    pub(crate) fn format(self) -> LogFormat {
        match self {
            Self::Text => LogFormat::Text,
            Self::Json => LogFormat::Json,
        }
    }
}

/// Reads the limit of connections from one address.
pub(crate) fn per_address(given: Option<usize>) -> PerAddress {
    match given {
        None => PerAddress::default(),
        Some(0) => PerAddress::Unlimited,
        Some(most) => PerAddress::Every(most),
    }
}

/// Reads the address at which people reach a server.
pub(crate) fn public_address(typed: &str) -> Result<String> {
    let plain = typed.trim_end_matches('/');
    let host = plain.strip_prefix("https://").or_else(|| plain.strip_prefix("http://"));
    let is_host = |host: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
        !host.is_empty() && host.bytes().all(plain)
    };
    ensure!(
        host.is_some_and(is_host),
        "--address is such as https://example.org, without a path, not {typed}"
    );
    Ok(plain.to_owned())
}

impl How {
    /// Begins the log and says how to serve.
    pub(crate) fn config(&self) -> Result<Config> {
        let limit = self.time_limit;
        ensure!((0.01..=3600.0).contains(&limit), "--time-limit is from 0.01 to 3600 seconds, not {limit}");
        if let Some(origin) = &self.allow_origin {
            let plain = origin == "*"
                || origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://")).is_some_and(
                    |host| !host.is_empty() && !host.contains(['/', ',', ' ']) && host.is_ascii(),
                );
            ensure!(
                plain,
                "--allow-origin is * or such as https://example.org, without a path, not {origin}"
            );
        }
        let address = self.address.as_deref().map(public_address).transpose()?;
        web::log_to_stderr(self.log.format());
        let usual = Config::default();
        Ok(Config {
            workers: self.workers.map_or(usual.workers, NonZeroUsize::get),
            time_limit: Duration::from_secs_f64(limit),
            queries: if self.log_queries { Queries::Logged } else { Queries::Private },
            allow_origin: self.allow_origin.clone(),
            address,
            per_address: per_address(self.connections_per_address),
            model: self.model()?,
            resources: crate::models::resources()?,
            ..usual
        })
    }

    /// The language model that writes answers when people ask for one.
    fn model(&self) -> Result<Option<Model>> {
        let Some(generator) = self.model.open_to_serve(WRITING_LIMIT)? else { return Ok(None) };
        let mut model = Model::new(Arc::from(generator));
        model.time_limit = WRITING_LIMIT;
        if !self.model.is_local() {
            model.at_once = WRITTEN_AT_ONCE;
        }
        if let Some(name) = &self.model_name {
            ensure!(!name.trim().is_empty(), "--model-name is empty");
            name.trim().clone_into(&mut model.display_name);
        }
        Ok(Some(model))
    }

    /// Where to listen.
    pub(crate) fn address(&self, port: u16, settings: &Settings) -> SocketAddr {
        SocketAddr::new(self.host.unwrap_or(settings.host.value), port)
    }
}

impl Run for Serve {
    fn run(self) -> Result<Exit> {
        let settings = Settings::read()?;
        let index = find_index(self.index.as_deref())?;
        let config = self.how.config()?;
        let process = web::Process::new()?;
        let app = App::open(&index, config)?;
        let port = self.port.unwrap_or(settings.port.value);
        let listener = web::listen(self.how.address(port, &settings))?;
        let address = listener.local_addr().context("the address of the server")?;
        output::print(format!("http://{address}/\n").as_bytes())?;
        process.run(listener, app)?;
        Ok(Exit::Yes)
    }
}
