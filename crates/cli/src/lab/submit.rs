//! `hypatia lab submit`: a run is handed in.

use super::counted;
use crate::output::{self, note};
use crate::{Exit, Run, run_record};
use ::formats::check::{Evaluation, Severity};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use lab::Role;
use lab::submit::{Earlier, Entry, Refusal, UsesLinks, lines};
use std::fs;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Takes runs into a lab. The name of a file says whose it is: \
[group]-[task]-[id]-[run-type]-[data]-[ans-type]-[eval].tsv, as for `hypatia check`, which every run \
must pass against the topics and the collection of the lab. A team may have five runs in a task, one \
of them primary. What is taken is kept with its SHA-256, who handed it in and when.

As the guidelines say, hits that break a rule are filtered, and the rest of the run is kept as it is: posts \
that are no answers in Task 1, formulas in comments or without an id of the collection in Task 2, answers of \
more than 1,200 characters or with dollar signs that have no partner in Task 3. They are printed, and listed \
beside the run in RUN.filtered.json. A run whose ranks and scores disagree is refused, with the lines.

A system is run on every set of topics of the lab: --set names the set, and the same team, task and id \
make it the same system. --trained-on names sets whose judgments it learned from; its results on them \
are marked in the report. The record that `hypatia run` writes beside a run, RUN.json, is kept with it, \
and the queries made by hand of a manual run, which the record names; the report marks runs whose models, by their records, were trained on the site of ARQMath's topics.

The program leaves with 1 when a run was refused; others that are given with it are still taken.";

const EXAMPLES: &str = "\
Examples:
  hypatia lab submit mylab us-task1-bm25-auto-both-P.tsv --by ada
  hypatia lab submit mylab 2021/us-task1-bm25-auto-both-P.tsv --set 2021 --by ada --trained-on 2021
  hypatia lab submit mylab base-task1-links-auto-both-P.tsv --baseline --links
  hypatia lab submit mylab us-task1-bm25-auto-both-P.tsv --replace";

/// Hand in runs
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Submit {
    /// The folder of the lab
    #[arg(value_name = "LAB")]
    folder: PathBuf,

    /// Runs
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// The set of topics [default: the one that is judged now]
    #[arg(long, value_name = "SET")]
    set: Option<String>,

    /// Who hands it in
    #[arg(long, value_name = "NAME", default_value = "organiser")]
    by: String,

    /// A run of the organisers, for comparison
    #[arg(long)]
    baseline: bool,

    /// How deep it is pooled [default: as its name says]
    #[arg(long, value_name = "AS")]
    pool_as: Option<Depth>,

    /// It used links between posts, which no name can say
    #[arg(long)]
    links: bool,

    /// A set whose judgments the system learned from; may be given several times
    #[arg(long, value_name = "SET")]
    trained_on: Vec<String>,

    /// A sentence about the system
    #[arg(long, value_name = "TEXT", default_value = "")]
    about: String,

    /// Take the place of an earlier run of the same system on the same topics
    #[arg(long)]
    replace: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Depth {
    /// As primary runs are
    Primary,
    /// As alternate runs are
    Alternate,
}

impl Depth {
    pub(super) fn evaluation(self) -> Evaluation {
        match self {
            Self::Primary => Evaluation::Primary,
            Self::Alternate => Evaluation::Alternate,
        }
    }
}

impl Run for Submit {
    fn run(self) -> Result<Exit> {
        let mut lab = super::open(&self.folder)?;
        let mut refused = 0;
        for path in &self.runs {
            let label = path.display().to_string();
            let name = path.file_name().with_context(|| format!("{label}: is no file"))?;
            let record = run_record::beside(path);
            let queries = record.as_ref().map(|file| run_record::queries(path, &file.record)).transpose()?;
            let entry = Entry {
                label: label.clone(),
                file_name: name.to_string_lossy().into_owned(),
                bytes: fs::read(path).with_context(|| label.clone())?,
                record,
                queries: queries.flatten(),
                set: self.set.clone(),
                by: self.by.clone(),
                role: if self.baseline { Role::Baseline } else { Role::Team },
                pooled_as: self.pool_as.map(Depth::evaluation),
                uses_links: if self.links { UsesLinks::Yes } else { UsesLinks::No },
                trained_on: self.trained_on.clone(),
                about: self.about.clone(),
                earlier: if self.replace { Earlier::IsReplaced } else { Earlier::Stays },
            };
            match lab.submit(&entry) {
                Ok(receipt) => {
                    output::print(lines(&label, &receipt.warnings).as_bytes())?;
                    let warned = receipt.warnings.iter();
                    let warned = warned.filter(|finding| finding.severity == Severity::Warning).count();
                    let warnings = counted(warned, "warning", "warnings");
                    if !receipt.filtered.is_empty() {
                        let hits = counted(receipt.filtered.len(), "hit is filtered", "hits are filtered");
                        note(&format!("{label}: {hits}, listed in {}.filtered.json", receipt.path));
                    }
                    note(&format!(
                        "taken: {} on {} ({warnings}), SHA-256 {}",
                        receipt.name, receipt.set, receipt.sha256
                    ));
                }
                Err(Refusal::Invalid { findings, .. }) => {
                    output::print(lines(&label, &findings).as_bytes())?;
                    note(&format!("refused: {label}"));
                    refused += 1;
                }
                Err(Refusal::Lab(error @ lab::Error::Asked(_))) => {
                    note(&format!("refused: {error}"));
                    refused += 1;
                }
                Err(other) => bail!(other),
            }
        }
        Ok(if refused == 0 { Exit::Yes } else { Exit::No })
    }
}
