//! `hypatia lab`: a shared task in a folder, one file a command.

mod assess;
mod baselines;
mod init;
mod judgments;
mod pool;
mod qrels;
mod report;
mod simulate;
mod status;
mod submit;
mod verify;

use crate::{Exit, Run, warn};
use anyhow::Result;
use clap::Subcommand;
use std::path::Path;

const LONG_ABOUT: &str = "\
Runs a shared task: what organisers of labs do with scripts, spreadsheets and forms, in one folder. \
The folder holds plain files and one database of SQLite, so that a lab can be copied, versioned and \
archived.

The way of a lab: `init` makes the folder from topics and a collection; `submit` takes runs of teams, \
`baselines` makes those of the organisers; `pool` chooses what people judge; `assess` lets them judge \
in a browser, `judgments` takes what they said elsewhere; `qrels` makes judgments for evaluation of it; `report` writes what the overview paper \
says. `status` tells how far the lab is, `verify` whether its folder is whole, and `simulate` what \
adaptive judging would have saved.";

const EXAMPLES: &str = "\
Examples:
  hypatia lab init mylab --name mylab --topics 1=Topics_Task1.xml --topics 2=Topics_Task2.xml \\
      --collection math.coll
  hypatia lab submit mylab us-task1-bm25-auto-both-P.tsv --by ada
  hypatia lab baselines mylab --index math.index
  hypatia lab pool mylab --preview
  hypatia lab pool mylab
  hypatia lab assess mylab
  hypatia lab judgments mylab --import ada.tsv
  hypatia lab qrels mylab
  hypatia lab report mylab
  hypatia lab verify mylab";

/// Run a shared task: submissions, pools, judgments, report
#[derive(Debug, Subcommand)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) enum Lab {
    Init(Box<init::Init>),
    Submit(submit::Submit),
    Baselines(Box<baselines::Baselines>),
    Pool(Box<pool::Pool>),
    Assess(Box<assess::Assess>),
    Judgments(judgments::Judgments),
    Qrels(qrels::Qrels),
    Report(report::Report),
    Status(status::Status),
    Verify(verify::Verify),
    Simulate(Box<simulate::Simulate>),
}

impl Run for Lab {
    fn run(self) -> Result<Exit> {
        match self {
            Self::Init(command) => command.run(),
            Self::Submit(command) => command.run(),
            Self::Baselines(command) => command.run(),
            Self::Pool(command) => command.run(),
            Self::Assess(command) => command.run(),
            Self::Judgments(command) => command.run(),
            Self::Qrels(command) => command.run(),
            Self::Report(command) => command.run(),
            Self::Status(command) => command.run(),
            Self::Verify(command) => command.run(),
            Self::Simulate(command) => command.run(),
        }
    }
}

/// Opens a lab to change it, and warns where others can read what is private.
fn open(folder: &Path) -> Result<lab::Lab> {
    let lab = lab::Lab::open(folder)?;
    warn_of_exposed(&lab);
    Ok(lab)
}

/// Opens a lab to read it, and warns where others can read what is private.
pub(crate) fn open_to_read(folder: &Path) -> Result<lab::Lab> {
    let lab = lab::Lab::open_to_read(folder)?;
    warn_of_exposed(&lab);
    Ok(lab)
}

fn warn_of_exposed(lab: &lab::Lab) {
    for (name, mode) in lab.exposed() {
        warn(&format!(
            "{}: others on this computer may read it (mode {mode:03o}), and it holds passwords and judgments; \
             chmod 600 it, or 700 the folder",
            lab.path(&name).display()
        ));
    }
}

/// A number with its noun, in one or several.
pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
