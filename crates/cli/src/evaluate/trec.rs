//! What trec_eval prints, byte for byte.

use super::{Eval, OutputFormat, Topics};
use crate::{Exit, output};
use anyhow::{Result, bail, ensure};
use clap::Args;
use eval::trec::{Averaged, Lines, Options, Results, report};
use formats::Source;
use formats::qrels::{Qrels, Scale};
use formats::run::{Run, RunKind};

/// trec_eval's own options.
#[derive(Debug, Args)]
#[command(next_help_heading = "trec_eval")]
pub(super) struct TrecArgs {
    /// Print what trec_eval 9 would; -m takes its names, -q adds the lines of every topic
    #[arg(long)]
    pub(super) trec: bool,

    /// Average over all judged topics, one without results counting 0
    #[arg(short = 'c', requires = "trec")]
    complete: bool,

    /// Look at judged results only
    #[arg(short = 'J', requires = "trec")]
    judged_only: bool,

    /// The grade from which on something is relevant
    #[arg(short = 'l', value_name = "GRADE", requires = "trec")]
    level: Option<u32>,

    /// No summary over all topics
    #[arg(short = 'n', requires = "trec")]
    no_summary: bool,

    /// How many results of a topic count
    #[arg(short = 'M', value_name = "N", requires = "trec")]
    max_results: Option<usize>,

    /// How many documents the collection has, for the measure 'utility'
    #[arg(short = 'N', value_name = "N", requires = "trec")]
    num_docs: Option<u64>,
}

/// Reads, scores and prints; the output of several runs stands one after the other.
pub(super) fn print(args: &Eval) -> Result<Exit> {
    ensure_no_other(args)?;
    let [path] = args.qrels.as_slice() else { bail!("--trec takes one file of judgments") };
    let (qrels, _) = Qrels::read(Source::path(path), Scale::Plain)?;
    let trec = &args.trec;
    let options = Options {
        lines: match (args.per_topic, trec.no_summary) {
            (false, false) => Lines::Summary,
            (true, false) => Lines::TopicsAndSummary,
            (true, true) => Lines::Topics,
            (false, true) => Lines::Nothing,
        },
        averaged: if trec.complete { Averaged::Complete } else { Averaged::Common },
        results: if trec.judged_only { Results::Judged } else { Results::All },
        level: trec.level.unwrap_or(1),
        max_retrieved: trec.max_results,
        num_docs: trec.num_docs.unwrap_or(0),
        measures: args.measures.clone(),
    };
    let reports = parallel::map(&args.runs, |path| -> Result<String> {
        let run = Run::read(Source::path(path), RunKind::Documents)?;
        Ok(report(&run, &qrels, &options)?)
    });
    let reports: String = reports.into_iter().collect::<Result<_>>()?;
    output::print(reports.as_bytes())?;
    Ok(Exit::Yes)
}

/// What trec_eval does not know has no effect beside `--trec`.
fn ensure_no_other(args: &Eval) -> Result<()> {
    let options = [
        ("--task", args.task.is_some()),
        ("--topics", args.topics != Topics::All),
        ("--format", args.format != OutputFormat::Text),
        ("--plot", args.plot.is_some()),
        ("--against", args.compare.against.is_some()),
        ("--by", args.compare.by.is_some()),
        ("--study", args.compare.study.is_some()),
        ("--tukey", args.compare.tukey),
        ("--correlate", args.compare.correlate),
        ("--around", args.around.around),
        ("--ties", args.around.ties),
        ("--unjudged", args.around.unjudged),
        ("--ids", args.ranking.ids.is_some()),
        ("--visual-ids", args.ranking.visual_ids.is_some()),
        ("--depth", args.ranking.depth.is_some()),
        ("--duplicates", args.ranking.duplicates.is_some()),
    ];
    for (option, given) in options {
        ensure!(!given, "{option} has no effect with --trec");
    }
    args.task3.ensure_unused()
}
