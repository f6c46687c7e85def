//! `hypatia lab report`: what the overview paper says.

use super::counted;
use crate::output::note;
use crate::progress::Waiting;
use crate::similarity::{self, Chosen};
use crate::{Exit, Run, warn};
use anyhow::Result;
use clap::Args;
use lab::report::ReportRequest;
use labreport::TopicPages;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Writes the report of a lab below report/, or into the folder that --output names: one page that loads and runs nothing (index.html), the same \
as Markdown (report.md), and every table as LaTeX (tables/*.tex).

It has what the overview papers of the labs have: submissions, grades, pools and judging with their \
figures, agreement of assessors, results of every task on every set of topics with intervals and \
tests, kinds of topics, correlations of measures, how far the judgments can be trusted, and every topic \
with its runs side by side. What is not known is left out.";

const EXAMPLES: &str = "\
Examples:
  hypatia lab report mylab
  hypatia lab report mylab --against Baselines/tangent_s
  hypatia lab report mylab --encoder mathberta
  hypatia lab report mylab --no-topics";

/// Write the report
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Report {
    /// The folder of the lab
    #[arg(value_name = "LAB")]
    folder: PathBuf,

    /// The system that others are tested against, as TEAM/RUN [default: the best baseline of each task]
    #[arg(long, value_name = "SYSTEM")]
    against: Option<String>,

    /// The folder to write to, for a lab that cannot be written [default: report in the lab]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// A BERT or RoBERTa model for contextual similarity of Task 3, by its name in the store of models or its
    /// folder [default: that of lab.toml]
    #[arg(long, value_name = "MODEL")]
    encoder: Option<PathBuf>,

    /// The layer of the encoder whose vectors are compared [default: that of lab.toml for its own encoder, else 10 of
    /// 12, else the last]
    #[arg(long, value_name = "N")]
    layer: Option<usize>,

    /// Leave out the part for every topic
    #[arg(long)]
    no_topics: bool,
}

impl Run for Report {
    fn run(self) -> Result<Exit> {
        let lab = super::open_to_read(&self.folder)?;
        let chosen = Chosen { encoder: self.encoder.as_deref(), layer: self.layer, ..Chosen::default() };
        let instruments = similarity::instruments(&lab, chosen)?;
        let request = ReportRequest {
            compare_with: self.against,
            topic_pages: if self.no_topics { TopicPages::None } else { TopicPages::Current },
            output: self.output,
            facts: Vec::new(),
            instruments,
        };
        let waiting = Waiting::new("scoring the runs and writing the report");
        let made = lab.make_report(&request)?;
        drop(waiting);
        made.warnings.iter().for_each(|warning| warn(warning));
        note(&format!(
            "{} and {}",
            made.page.display(),
            counted(made.files.len() - 1, "more file", "more files")
        ));
        Ok(Exit::Yes)
    }
}
