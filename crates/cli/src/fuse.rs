//! `hypatia fuse`: several runs in, one run out, with weights found if asked for.

mod load;
mod options;
mod tune;
mod write;

use crate::evaluate::{DuplicateRule, RankingTask as Task};
use crate::output::WholeFile;
use crate::{Exit, Run, output, run_record};
use ::formats::RunRecord;
use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};
use fuse::Fusion;
use std::path::{Path, PathBuf};

const LONG_ABOUT: &str = "\
Makes one run of several, topic by topic.

Every run is put in order first: by score, highest first, then by id, highest first; the ranks in \
a file are not looked at. Then scores are made comparable (--normalise), and what the runs say of \
a document becomes one number (--by). Formulas and sources are in docs/fusion.md. The result is in \
the same order, its ranks count from 1, and its scores have all digits. A file RUN.json beside it \
lists the models of the runs, by their own records.

Methods that look at ranks: rrf, isr, logisr, borda, ibc. Methods that look at scores: combsum, \
combmnz, combanz, combmax, combmin, combmed, ranked-sum (also at ranks), weighted (combsum with --weights), interpolate (two \
runs, --alpha). Whatever adds up takes --weights, one a run; a run of weight 0 is left out. An \
option that has no effect is an error.

With --tune the weights are found: those with the best mean of a measure, multiples of 1/--steps \
that add up to 1, by coordinate ascent. Topics are split into folds, and the mean on topics held \
out, each with the weights found without it, is what to expect on new topics; the mean on all is \
too good. The run is written with the weights found on all topics, or, with --held-out, each topic \
with the weights of its fold. Several values of --k, separated by commas, are tried, too.";

const EXAMPLES: &str = "\
Examples:
  hypatia fuse bm25.tsv formulas.tsv --by rrf -o fused.tsv
  hypatia fuse a.tsv b.tsv c.tsv --by combmnz --normalise z --depth 100 -o fused.tsv
  hypatia fuse a.tsv b.tsv --by weighted --weights 0.7,0.3 --tag ours -o fused.tsv
  hypatia fuse colbert.tsv a0.tsv --by interpolate --alpha 0.2 --flat zero -o fused.tsv
  hypatia fuse tangent-s.tsv tf-idf.tsv --by combsum --flat keep --topics first -o baseline.tsv
  hypatia fuse *.tsv --by rrf --k 10,60 --tune qrels.txt --task 1 --folds 5 -o fused.tsv
  hypatia fuse *.tsv --by weighted --tune q --task 1 -m \"AP'(rel=2)\" --held-out -o honest.tsv";

/// Make one run of several, with given weights or with weights found by cross-validation
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Fuse {
    /// The runs, two or more; '-' is standard input
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// How what the runs say of a document becomes one number
    #[arg(long, value_name = "METHOD", default_value = "rrf")]
    by: By,

    /// The constant of rrf and ranked-sum; with --tune several, separated by commas [default: 60]
    #[arg(long, value_name = "K", value_delimiter = ',')]
    k: Vec<f64>,

    /// What each run counts, separated by commas [default: 1 each]
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    weights: Vec<f64>,

    /// What the first of two runs counts for interpolate, from 0 to 1; the second counts the rest
    #[arg(long, value_name = "A")]
    alpha: Option<f64>,

    /// How scores are made comparable [default: min-max]
    #[arg(long, value_name = "HOW")]
    normalise: Option<Normalise>,

    /// What min-max makes of a list whose scores are all equal [default: one]
    #[arg(long, value_name = "RULE")]
    flat: Option<FlatRule>,

    /// How many results of a topic are written
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,

    /// How many results of each run are looked at [default: all; for ibc 1000, the rank of what is missing]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    from: Option<u32>,

    /// Which topics are written
    #[arg(long, value_name = "WHICH", default_value = "all")]
    topics: Topics,

    /// The name in the last column [default: the method]
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,

    /// How the columns are laid out [default: as those of the first run]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Whose rules are followed: with 2, six columns are Task 2's unless the second is Q0
    #[arg(long, value_name = "TASK")]
    task: Option<Task>,

    /// What happens to a document listed twice for a topic [default: the task's rule, else refuse]
    #[arg(long, value_name = "RULE")]
    duplicates: Option<DuplicateRule>,

    /// Where the fused run goes; '-' is standard output
    #[arg(short, long, value_name = "RUN")]
    output: PathBuf,

    /// Where chance starts: folds and restarts of --tune, and ibc [default: 1]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    #[command(flatten)]
    tuning: TuneArgs,
}

/// Finding weights.
#[derive(Debug, Args)]
#[command(next_help_heading = "Finding weights")]
struct TuneArgs {
    /// Judgments by which weights are found
    #[arg(long, value_name = "QRELS")]
    tune: Option<PathBuf>,

    /// The measure whose mean over judged topics is made large
    #[arg(short, long, value_name = "MEASURE", default_value = "nDCG'", requires = "tune")]
    measure: String,

    /// Into how many parts topics are split
    #[arg(long, value_name = "N", default_value_t = 5, requires = "tune")]
    folds: usize,

    /// Into how many steps the sum of the weights is cut
    #[arg(long, value_name = "N", default_value_t = 20, requires = "tune",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    steps: u32,

    /// Write each topic with the weights found without it
    #[arg(long, requires = "tune")]
    held_out: bool,

    /// Visual ids of formulas, to score runs of formula ids: a table, or a folder of tables
    #[arg(long, value_name = "TABLE", requires = "tune")]
    visual_ids: Option<PathBuf>,
}

/// The methods by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// Reciprocal rank fusion: the sum of w/(k + rank)
    Rrf,
    /// The sum of w·score/(k + rank), as in Tangent-CFT2
    RankedSum,
    /// The sum of scores
    Combsum,
    /// The sum of scores times the number of runs
    Combmnz,
    /// The mean score of the runs that have the document
    Combanz,
    /// The highest score
    Combmax,
    /// The lowest score
    Combmin,
    /// The median score
    Combmed,
    /// The sum of scores with --weights
    Weighted,
    /// Two runs: alpha times the first and the rest times the second
    Interpolate,
    /// Inverse square rank: the number of runs times the sum of 1/rank²
    Isr,
    /// The same with the logarithm of the number of runs
    Logisr,
    /// Points for ranks, as in elections; with --from N, N points for the first and none for what is missing
    Borda,
    /// Median rank, then the number of runs
    Ibc,
}

/// How scores are made comparable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Normalise {
    /// Scores stay as they are
    None,
    /// From 1 for the best to 0 for the last
    MinMax,
    /// Mean 0, deviation 1
    Z,
    /// The lowest is 0, the sum is 1
    Sum,
    /// The best is 1
    Max,
    /// By rank alone: 1 for the first, 1/n for the last
    Rank,
}

/// What min-max makes of equal scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FlatRule {
    /// All are 1
    One,
    /// All are 0
    Zero,
    /// They stay as they are
    Keep,
}

/// Which topics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Topics {
    /// Those of any run
    All,
    /// Those of the first run
    First,
    /// Those of all runs
    Common,
}

/// How columns are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// TREC's six columns
    Trec,
    /// The columns of the task
    Arqmath,
}

impl Run for Fuse {
    fn run(self) -> Result<Exit> {
        let settings = options::Settings::new(&self)?;
        let runs = load::runs(&self)?;
        let topics = load::topics(&self, &runs)?;
        output::ensure_apart(&self.output, self.runs.iter().map(PathBuf::as_path))?;
        let file = WholeFile::create(&self.output)?;
        let Some(qrels) = &self.tuning.tune else {
            let fusions = vec![settings.fusion(&self.weights, None); topics.len()];
            file.write(write::text(&self, &runs, &topics, &fusions)?.as_bytes())?;
            self.write_record()?;
            return Ok(Exit::Yes);
        };
        let tuned = tune::tune(&self, &settings, &topics, qrels)?;
        file.write(write::text(&self, &runs, &topics, &tuned.fusions)?.as_bytes())?;
        self.write_record()?;
        if self.output == Path::new("-") {
            output::note(&tuned.report);
        } else {
            output::print(tuned.report.as_bytes())?;
        }
        Ok(Exit::Yes)
    }
}

impl Fuse {
    /// Writes the models of all runs beside the fused one, which is exposed where one of them is.
    fn write_record(&self) -> Result<()> {
        let models = run_record::joined(self.runs.iter().flat_map(|run| run_record::models(run)));
        run_record::write(&self.output, &RunRecord { models, ..RunRecord::default() })
    }
}

/// Fuses the rankings of one topic.
fn topic<'a>(topic: &load::Topic<'a>, fusion: &Fusion) -> Result<Vec<fuse::Ranked<formats::DocId<'a>>>> {
    let rankings: Vec<&[fuse::Ranked<formats::DocId<'_>>]> =
        topic.rankings.iter().map(Vec::as_slice).collect();
    let fused = fuse::fuse(&rankings, fusion);
    fused.map_err(|error| anyhow!(error)).with_context(|| format!("topic {}", topic.id))
}
