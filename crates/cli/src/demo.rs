//! `hypatia demo`: everything at work with nothing but the program.

use crate::serve::How;
use crate::settings::{Origin, Settings};
use crate::{Exit, Run, output};
use anyhow::{Context, Result};
use clap::Args;
use index::{FeatureKind, Options};
use ingest::{Strictness, Unwatched};
use std::env;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::time::Instant;
use web::App;

const LONG_ABOUT: &str = "\
Shows what Hypatia can do, with nothing but this program.

The sample, a small collection of original questions and answers, is made searchable in a temporary \
folder and served on this computer, as `hypatia serve` does with an index of your own. The address is \
printed with three things to try. Ctrl-C ends it, and the folder is removed.

If port 8080 is taken and neither --port nor the settings name another, a free one is chosen.";

const EXAMPLES: &str = "\
Examples:
  hypatia demo
  hypatia demo --port 9000";

/// Try it: serve a small collection that is part of the program
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Demo {
    /// The port to listen on; 0 for any that is free [default: that of the settings, else 8080 or any that is free]
    #[arg(short, long, value_name = "PORT")]
    port: Option<u16>,

    #[command(flatten)]
    how: How,
}

impl Run for Demo {
    fn run(self) -> Result<Exit> {
        let settings = Settings::read()?;
        let config = self.how.config()?;
        // Before the work, so that a port that is taken is told at once.
        let any_port = self.port.is_none() && settings.port.origin == Origin::Default;
        let port = self.port.unwrap_or(settings.port.value);
        let listener = match web::listen(self.how.address(port, &settings)) {
            Err(error) if error.is_taken() && any_port => web::listen(self.how.address(0, &settings))?,
            listener => listener?,
        };
        let address = listener.local_addr().context("the address of the server")?;
        // Before the folder, so that it is removed whenever the signal comes.
        let process = web::Process::new()?;
        let folder = Folder::make()?;
        let index = build(&folder.0)?;
        if process.is_stopped() {
            return Ok(Exit::Yes);
        }
        let app = App::open(&index, config)?;
        output::print(welcome(address).as_bytes())?;
        process.run(listener, app)?;
        Ok(Exit::Yes)
    }
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn make() -> Result<Self> {
        let path = env::temp_dir().join(format!("hypatia-demo-{}", std::process::id()));
        fs::create_dir(&path).with_context(|| path.display().to_string())?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            crate::warn(&format!("{}: cannot be removed: {error}", self.0.display()));
        }
    }
}

/// Makes the sample searchable and says where its index is.
fn build(folder: &Path) -> Result<PathBuf> {
    let start = Instant::now();
    output::note("making the sample searchable …");
    let (collection, index) = (folder.join("sample.coll"), folder.join("sample.index"));
    let plan = sample::plan()?;
    ingest::build(&plan, &collection, Strictness::Strict, &AtomicU64::new(0), &mut Unwatched)?;
    let options = Options {
        formula_features: FeatureKind::ALL.to_vec(),
        post_features: FeatureKind::OF_POSTS.to_vec(),
    };
    let built = index::build(&collection, &index, &options, &index::Unwatched)?;
    let seconds = start.elapsed().as_secs_f64();
    output::note(&format!("{} posts in {seconds:.1} s", built.num_posts()));
    Ok(index)
}

/// Searches that show what it can do: what each shows, where it leads, and what is typed.
const TO_TRY: [(&str, &str, &str); 3] = [
    ("Words and a formula", "/search?q=", r"why does $\sum 1/n$ diverge"),
    ("A formula with wildcards", "/search?q=", "$?a^2+?b^2=?c^2$"),
    ("A question in full", "/ask?title=", "Why are the eigenvalues of a real symmetric matrix real?"),
];

/// What to open, what to try, and how to stop.
fn welcome(address: SocketAddr) -> String {
    // A server that listens on all addresses can be reached on this one.
    let host = if address.ip().is_unspecified() {
        SocketAddr::from(([127, 0, 0, 1], address.port()))
    } else {
        address
    };
    let site = format!("http://{host}");
    let mut text = format!("\nHypatia is running. Open this page:\n\n  {site}/\n\nThree things to try:\n");
    for (what, place, typed) in TO_TRY {
        text.push_str(&format!("\n  {what}: {typed}\n  {site}{place}{}\n", web::encode(typed)));
    }
    text + "\nPress Ctrl-C to stop.\n"
}
