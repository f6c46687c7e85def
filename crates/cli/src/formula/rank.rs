//! `hypatia formula rank`: candidates ranked by how alike they are to queries.

mod best;
mod notes;
mod queries;
mod record;
mod score;
mod table;

use crate::engine::MEASURES;
use crate::output::WholeFile;
use crate::run::topics::threads;
use crate::{Exit, Run, output, warn};
use anyhow::{Result, ensure};
use clap::Args;
use clap::builder::PossibleValuesParser;
use formats::RunTag;
use formats::run::{RunBuilder, RunLayout};
use queries::Queries;
use score::{Outcome, score};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use table::{Table, Wanted, is_usable};

const LONG_ABOUT: &str = "\
Ranks formulas by how alike they are to queries, and writes a run in TREC form: topic, Q0, \
id, rank, score, tag.

Both files are tables with a header line. Queries have a column 'topic', candidates a column \
'id' (or the one that --id names); both have formulas in any of the columns 'latex', 'mathml', \
'slt' and 'opt'. Two formulas are compared in the first of these four notations that both rows \
have; where they have none in common, each is read in the first that it has. LaTeX of queries \
may hold wildcards ('?x', '\\qvar{x}'), and operator trees are made from the layout but for 'opt'.

Candidates are read piece by piece and only the best of each query are kept, so there may be \
any number of them; the file may be packed with gzip. The run is the same whatever the number \
of threads.

Scores are between 0 and 1. A candidate that is missing or cannot be read gets -1 and so stands \
last; that is said on standard error, with the line of the first ones. Of candidates with the \
same id the best score counts. Equal scores are ordered by id, the last first, as evaluation \
tools do.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula rank --queries queries.tsv --candidates formulas.tsv -o run.tsv
  hypatia formula rank --queries queries.tsv --candidates pool.tsv \\
      --id visual_id --by topic -o run.tsv
  hypatia formula rank --queries queries.tsv --candidates all.tsv.gz \\
      --depth 100 --tag mine --record run.json -o run.tsv
  hypatia formula rank --queries queries.tsv --candidates pool.tsv --measure edit-slt -o run.tsv
  hypatia formula rank --queries queries.tsv --candidates pool.tsv -o - \\
      | hypatia eval - --qrels qrels.tsv";

/// Rank candidates by how alike they are to queries
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Rank {
    /// The table of queries, '-' for standard input
    #[arg(long, value_name = "FILE")]
    queries: PathBuf,

    /// The table of candidates, '-' for standard input
    #[arg(long, value_name = "FILE")]
    candidates: PathBuf,

    /// The column of the candidates that holds their ids
    #[arg(long, value_name = "COLUMN", default_value = "id")]
    id: String,

    /// Rank for each query only the candidates that have its value in this column
    ///
    /// A query's value is that of the same column of its own, else its topic.
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,

    /// How candidates are compared: `hypatia formula compare --all` shows all measures
    ///
    /// Measures of the labs are computed on layout trees, and on operator trees made from them or given in 'opt'.
    #[arg(long, value_name = "MEASURE", default_value = OWN, value_parser = measures())]
    measure: String,

    /// How many candidates of each query are written; 0 for all
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    depth: usize,

    /// The name of the run in its last column
    #[arg(long, value_name = "TAG", default_value = "hypatia-formula", value_parser = parse_tag)]
    tag: RunTag,

    /// The run to write, '-' for standard output
    #[arg(short, long, value_name = "RUN")]
    output: PathBuf,

    /// Also write how the run was made, as JSON: parameters, weights, checksums
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// How many threads work [default: all cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// The measure that is our own.
const OWN: &str = "hypatia";

fn measures() -> PossibleValuesParser {
    MEASURES.iter().map(|measure| measure.name).collect::<Vec<_>>().into()
}

fn parse_tag(text: &str) -> Result<RunTag, String> {
    if is_usable(text) { Ok(RunTag::from(text)) } else { Err("a tag is a word without blanks".to_owned()) }
}

impl Run for Rank {
    fn run(self) -> Result<Exit> {
        self.ensure_apart()?;
        let queries_table = Table::open(&self.queries)?;
        let table = Table::open(&self.candidates)?;
        let wanted = Wanted {
            id: table.column(&self.id)?,
            by: self.by.as_deref().map(|name| table.column(name)).transpose()?,
            formulas: table.formulas()?,
        };
        let measure = MEASURES.iter().find(|known| known.name == self.measure && known.name != OWN);
        let queries = Queries::read(queries_table, self.by.as_deref(), measure)?;
        let output = WholeFile::create(&self.output)?;
        let record = self.record.as_deref().map(WholeFile::create_beside).transpose()?;
        let threads = threads(self.threads.and_then(|threads| NonZeroUsize::new(threads.into())));
        let name = table.name.clone();
        let outcome = score(table, wanted, &queries, measure, NonZeroUsize::new(self.depth), threads)?;
        report(&name, &queries, &outcome);
        let (text, rows) = self.text(&queries, &outcome)?;
        output.write(text.as_bytes())?;
        if let Some(record) = record {
            let mut json = self.record(&queries, &outcome, &text, rows)?;
            json.push('\n');
            record.write(json.as_bytes())?;
        }
        Ok(Exit::Yes)
    }
}

impl Rank {
    /// Makes sure that no file is asked for twice.
    fn ensure_apart(&self) -> Result<()> {
        let stdin = Path::new("-");
        ensure!(
            self.queries != stdin || self.candidates != stdin,
            "standard input can hold the queries or the candidates, not both"
        );
        let inputs = || [&*self.queries, &*self.candidates];
        output::ensure_apart(&self.output, inputs())?;
        if let Some(record) = &self.record {
            output::ensure_apart(record, inputs())?;
            let is_same = match (record.canonicalize(), self.output.canonicalize()) {
                (Ok(record), Ok(run)) => record == run && run.is_file(),
                _ => *record == self.output,
            };
            ensure!(!is_same, "{}: asked for as run and as record", record.display());
        }
        Ok(())
    }

    /// The run as text and how many rows it has.
    fn text(&self, queries: &Queries, outcome: &Outcome) -> Result<(String, usize)> {
        let mut builder = RunBuilder::new(self.tag.clone());
        let mut rows = 0;
        for (query, best) in queries.all.iter().zip(&outcome.best) {
            for ((id, score), rank) in best.ranking().zip(1..) {
                builder.push(&query.topic, id, rank, shortest(score));
                rows += 1;
            }
        }
        if rows == 0 {
            return Ok((String::new(), 0));
        }
        let run = builder.finish(&self.output.display().to_string())?;
        Ok((run.to_text(RunLayout::Trec), rows))
    }

    fn record(&self, queries: &Queries, outcome: &Outcome, text: &str, rows: usize) -> Result<String> {
        let arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
        let record = record::Record {
            command: arguments.collect(),
            version: env!("CARGO_PKG_VERSION"),
            parameters: record::Parameters {
                id: &self.id,
                by: self.by.as_deref(),
                measure: &self.measure,
                depth: self.depth,
                tag: self.tag.as_str(),
            },
            weights: record::weights(),
            queries: record::Input::new(&self.queries, queries.all.len() as u64)?,
            candidates: record::Input::new(&self.candidates, outcome.rows)?,
            run: record::Run {
                file: self.output.display().to_string(),
                checksum: record::checksum(text.as_bytes()),
                rows,
            },
        };
        Ok(serde_json::to_string_pretty(&record)?)
    }
}

/// The shortest decimal that is this score in 32 bits. Of two scores the higher
/// one has the higher decimal, so the order is the same in 32 and in 64 bits.
fn shortest(score: f32) -> f64 {
    score.to_string().parse().unwrap_or_else(|_| f64::from(score))
}

/// Says what was wrong with the candidates.
fn report(name: &str, queries: &Queries, outcome: &Outcome) {
    outcome.notes.report(name, ["ranked last"; 2]);
    let repeated: u64 = outcome.best.iter().map(|best| best.repeated()).sum();
    if repeated > 0 {
        // What is not good enough is not remembered.
        let least = if outcome.best.iter().any(|best| best.is_full()) { "at least " } else { "" };
        let times = if repeated == 1 { "once" } else { &format!("{repeated} times") };
        warn(&format!("{name}: a topic has an id again {least}{times}; the best score counts"));
    }
    let untouched: Vec<String> = queries
        .all
        .iter()
        .zip(&outcome.best)
        .filter(|(_, best)| best.is_untouched())
        .map(|(query, _)| query.topic.to_string())
        .collect();
    if !untouched.is_empty() {
        let plural = if untouched.len() == 1 { "" } else { "s" };
        let topics = crate::nearest::list(&untouched);
        warn(&format!("{name}: no candidates for {} topic{plural}: {topics}", untouched.len()));
    }
}
