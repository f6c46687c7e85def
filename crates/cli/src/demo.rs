//! `hypatia demo`: everything at work with nothing but the program.

use crate::serve::{How, PORT};
use crate::{Answer, Run, output};
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

If port 8080 is taken and --port is not given, a free one is chosen.";

const EXAMPLES: &str = "\
Examples:
  hypatia demo
  hypatia demo --port 9000";

/// Try it: serve a small collection that is part of the program
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Demo {
    /// The port to listen on; 0 for any that is free [default: 8080, or any that is free]
    #[arg(short, long, value_name = "PORT")]
    port: Option<u16>,

    #[command(flatten)]
    how: How,
}

impl Run for Demo {
    fn run(self) -> Result<Answer> {
        let config = self.how.config()?;
        // Before the work, so that a port that is taken is told at once.
        let listener = match web::listen(self.how.address(self.port.unwrap_or(PORT))) {
            Err(error) if error.is_taken() && self.port.is_none() => web::listen(self.how.address(0))?,
            listener => listener?,
        };
        let address = listener.local_addr().context("the address of the server")?;
        // Before the folder, so that it is removed whenever the signal comes.
        let process = web::Process::new()?;
        let folder = Folder::make()?;
        let index = build(&folder.0)?;
        if process.is_stopped() {
            return Ok(Answer::Yes);
        }
        let app = App::open(&index, config)?;
        output::print(welcome(address).as_bytes())?;
        process.run(listener, app)?;
        Ok(Answer::Yes)
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

/// Where it is and what to try.
fn welcome(address: SocketAddr) -> String {
    // Whoever listens everywhere is reached here, too.
    let host = if address.ip().is_unspecified() {
        SocketAddr::from(([127, 0, 0, 1], address.port()))
    } else {
        address
    };
    let site = format!("http://{host}");
    format!(
        "Hypatia is at {site}/

Three things to try:
  words with a formula  {site}/search?q=eigenvalues+of+%24AB%24+and+%24BA%24
  a wildcard            {site}/search?q=%24%3Fa%5E2%2B%3Fb%5E2%3D%3Fc%5E2%24
  a whole question      {site}/ask?title=Why+are+the+eigenvalues+of+a+real+symmetric+matrix+real%3F

Ctrl-C ends it.
"
    )
}
