//! `hypatia collection`: what is in a collection, one file a command.

pub(crate) mod build;
mod citations;
mod export;
mod info;
mod show;
mod thread;
mod topics;
mod validation;
mod verify;

use crate::{Exit, Run};
use anyhow::Result;
use clap::Subcommand;

const LONG_ABOUT: &str = "\
Reads collections once and keeps them whole.

Dumps of ARQMath and Stack Exchange, NTCIR's documents, folders of Markdown, HTML or LaTeX, \
and JSON lines become one file with all posts, comments, links and formulas, which opens in \
milliseconds whatever its size.";

const EXAMPLES: &str = "\
Examples:
  hypatia collection build dump/ -o math.coll     read a folder of dumps
  hypatia collection info math.coll               how much of what is in it
  hypatia collection show math.coll 1023          one post, comment or formula
  hypatia collection thread math.coll 1023 -o 1023.html
  hypatia collection export math.coll --to parquet -o tables/
  hypatia collection verify math.coll             is it as it was written?";

/// Read, look at, export and repair collections of posts and formulas
#[derive(Debug, Subcommand)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) enum Collection {
    Build(build::Build),
    Info(info::Info),
    Show(show::Show),
    Thread(thread::Thread),
    Export(export::Export),
    Verify(verify::Verify),
    Topics(topics::Topics),
    Validation(validation::Validation),
    Citations(citations::Citations),
}

impl Run for Collection {
    fn run(self) -> Result<Exit> {
        match self {
            Self::Build(command) => command.run(),
            Self::Info(command) => command.run(),
            Self::Show(command) => command.run(),
            Self::Thread(command) => command.run(),
            Self::Export(command) => command.run(),
            Self::Verify(command) => command.run(),
            Self::Topics(command) => command.run(),
            Self::Validation(command) => command.run(),
            Self::Citations(command) => command.run(),
        }
    }
}
