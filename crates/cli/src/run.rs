//! `hypatia run`: topics through a system, as a run that can be submitted.

pub(crate) mod answering;
mod answers;
mod by_hand;
pub(crate) mod given;
pub(crate) mod named;
mod ranking;
pub(crate) mod record;
mod refused;
pub(crate) mod topics;
mod variants;

use crate::answers::model::{KeptArgs, ModelArgs};
use crate::{Exit, Run};
use anyhow::Result;
use clap::{Args, ValueEnum};
use given::GivenArgs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use topics::Ids;

const LONG_ABOUT: &str = "\
Runs every topic of a file through a system and writes the ranking, best first, in the form in which \
it can be submitted. The same topics, system and index give the same bytes, whatever the number of \
threads. Beside the run stands a file RUN.json that says how it was made: the command, the system's \
file, the fingerprints of index and topics, and how long topics took.

In a folder the run is named as the guidelines of the labs ask, with text, math or both by what the system \
uses: [group]-[task]-[id]-[run-type]-[data]-[ans-type]-[eval].tsv.

A system is one of those that come with the program (see `hypatia systems`) or a file of your own. \
Some are made of others, and of runs that are given with --member: members that are missing \
and optional are named in a warning, and the others are fused alone.

With --queries the run is a manual one: people made what is asked in the place of each topic, such as the \
keywords and formulas that they picked in its question. The file has any form in which topics come: a table with \
the columns topic, keywords and formula, pya0's tables and JSON, the XML of NTCIR. The run is named manual, its \
queries are kept beside it, so that it can be made again, and the same system runs the topics as they are, too: \
its automatic twin, which says what the hand-made queries gained. Topics without a query are asked as they are.

For task 3 a system gives one answer to each topic, of at most 1,200 characters: cut out of the posts that \
another system found, or written by a language model, which is a GGUF file that runs here or a server. What \
a model wrote is kept in the folder RUN.cache, so that a run that was interrupted goes on where it was, and \
the same run can be made again without asking anyone. A topic that the model refuses is left unanswered and \
named in a warning and in RUN.json, and the exit code is 1; what would be wrong with every topic ends the run.";

const EXAMPLES: &str = "\
Examples:
  hypatia run --task 1 --topics Topics_Task1.xml --index math.index -o hypatia-task1-classic-auto-both-P.tsv
  hypatia run --task 2 --topics Topics_Task2.xml --index math.index --format trec --ids visual -o run.trec
  hypatia run --task 1 --system bm25 --topics topics.xml --index math.index -o runs/
  hypatia run --task 1 --system mine.toml --topics topics.xml --index math.index -o -
  hypatia run --task 1 --system approach0-fusion-alpha05 --member colbert=colbert.tsv \\
      --topics topics.xml --index math.index -o fused.tsv
  hypatia run --task 1 --system bm25 --topics topics.xml --queries picked.tsv --index math.index -o runs/
  hypatia run --task 3 --topics Topics_Task1.xml --index math.index -o runs/
  hypatia run --task 3 --system first-answer --candidates bm25 --topics t.xml --index math.index -o first.tsv
  hypatia run --task 3 --system labs-prompt --model smollm2.gguf --topics t.xml --index math.index -o written.tsv
  hypatia run --task 3 --system hypatia-sources --endpoint http://127.0.0.1:8000/v1 --model llama-3 \\
      --topics t.xml --index math.index -o sources.tsv";

/// How a run is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layout {
    /// The lab's: topic, post, rank, score, run; for formulas topic, formula, post, rank, score, run
    Arqmath,
    /// topic, Q0, document, rank, score, run
    Trec,
}

/// Run topics through a system and write a run
#[derive(Debug, Args)]
#[command(name = "run", long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct RunSystem {
    /// 1: find answers to questions; 2: find formulas; 3: give one answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3))]
    task: u8,

    /// The name of a system, or a file [default: hypatia-1 or hypatia-2 where the index has vectors and their model is in
    /// the store, else hypatia-classic-1 or hypatia-classic-2; hypatia-extract for task 3]
    #[arg(long, value_name = "NAME")]
    system: Option<String>,

    /// The file of topics
    #[arg(long, value_name = "FILE")]
    topics: PathBuf,

    /// Queries made by hand: what to ask in the place of each topic, in any form in which topics come
    ///
    /// The run is manual, the queries are kept beside it as RUN.queries.*, and the same system also runs the topics
    /// as they are, as the automatic twin of the run.
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,

    /// Make no automatic twin beside a run with --queries
    #[arg(long, requires = "queries")]
    no_twin: bool,

    /// The index [default: that of the settings, see hypatia config]
    #[arg(long, value_name = "INDEX")]
    index: Option<PathBuf>,

    /// How the run is laid out
    #[arg(long, value_enum, default_value_t = Layout::Arqmath)]
    format: Layout,

    /// What stands for a formula
    #[arg(long, value_enum)]
    ids: Option<Ids>,

    /// How many results a topic has at most [default: 1000]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// What the run is called in its last column [default: the lab's form with the system's name]
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,

    #[command(flatten)]
    given: GivenArgs,

    /// Task 3: the system, or its file, that ranks the answers among which one is chosen
    #[arg(long, value_name = "NAME")]
    candidates: Option<String>,

    #[command(flatten)]
    model: ModelArgs,

    #[command(flatten)]
    kept: KeptArgs,

    /// Leave nothing out to be faster: search formulas by every feature, the most common included
    #[arg(long)]
    exact: bool,

    /// How many threads work [default: all cores]
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// How often each topic is run, for measuring: the least time of a topic counts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,

    /// Where the run goes: a file, a folder in which it gets the name that the labs' guidelines ask for, or - for
    /// standard output
    #[arg(short, long, value_name = "RUN")]
    output: PathBuf,
}

impl Run for RunSystem {
    fn run(self) -> Result<Exit> {
        if self.task == 3 { answers::run(&self) } else { ranking::run(&self) }
    }
}
