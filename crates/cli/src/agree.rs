//! `hypatia agree`: do different topics say the same of the same systems?

mod print;
mod read;

use crate::output::{self, WholeFile};
use crate::{Exit, Run};
use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use eval::{Agreement, agreement};
use read::Scored;
use std::collections::BTreeSet;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Compares topic sets by what they say of the same systems, so that one knows what a change on a \
validation set is worth on judged topics.

Each file is the output of `hypatia compare --format json` on other topics, or of `hypatia eval \
--per-topic --format json` on other judgments. For every two files, over the systems that both have (at \
least 3), it reports Kendall's tau-b of the mean scores with a 95 % bootstrap interval over systems, \
tau-AP, in which the top of the ranking weighs more, and Pearson's correlation. Then, of the pairs of \
systems that one set tells apart (paired t-test, Holm-corrected over all pairs, p < 0.05), how many \
the other set tells apart in the same direction, in the opposite direction, or not at all.

Files may have different measures: nDCG' for judged topics, nDCG@1000 for validation sets, which have no \
judgments of grade 0. --measure takes one measure for all files, or one for each.";

const EXAMPLES: &str = "\
Examples:
  hypatia compare --systems all --task 1 --topics t.xml --qrels q.txt --index math.index \\
      --format json -o judged.json
  hypatia compare --systems all --task 1 --topics v/answers/Topics_Task1.xml \\
      --qrels v/answers/task1.qrels --index answers.index -m nDCG@1000 --format json -o answers.json
  hypatia agree judged.json answers.json
  hypatia agree judged.json answers.json links.json --measure \"nDCG',nDCG@1000,nDCG@1000\" --format markdown";

/// The fewest systems that two files must have in common.
const FEWEST: usize = 3;

/// How often systems are resampled.
const RESAMPLES: u32 = 2000;

/// How the result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Aligned tables
    Text,
    /// Markdown tables
    Markdown,
    /// One object with all values
    Json,
}

/// Measure how far different topic sets agree on the same systems
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Agree {
    /// Comparisons in JSON, two or more
    #[arg(value_name = "FILE", required = true, num_args = 2..)]
    files: Vec<PathBuf>,

    /// The measure, or one for each file, separated by commas [default: the first of each comparison]
    #[arg(short, long, value_name = "LIST", value_delimiter = ',')]
    measure: Vec<String>,

    /// Random seed for the bootstrap
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// How the result is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Output file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Two files beside each other.
struct Pair<'s> {
    first: &'s Scored,
    second: &'s Scored,
    /// How many topics of each count.
    topics: [usize; 2],
    found: Agreement,
}

impl Run for Agree {
    fn run(self) -> Result<Exit> {
        let asked = self.measure.len();
        ensure!(
            asked < 2 || asked == self.files.len(),
            "--measure names {asked} measures for {} files: give one for all, or one for each",
            self.files.len()
        );
        let mut sets = Vec::new();
        for (at, path) in self.files.iter().enumerate() {
            let measure = self.measure.get(at).or(self.measure.first());
            sets.push(Scored::read(path, measure.map(String::as_str))?);
        }
        name_apart(&mut sets);
        let output = self.output.as_deref().map(WholeFile::create).transpose()?;
        let mut pairs = Vec::new();
        for (at, first) in sets.iter().enumerate() {
            for second in &sets[at + 1..] {
                pairs.push(Pair::new(first, second, self.seed)?);
            }
        }
        let text = print::render(&pairs, self.format, self.seed)?;
        match output {
            Some(file) => file.write(text.as_bytes())?,
            None => output::print(text.as_bytes())?,
        }
        Ok(Exit::Yes)
    }
}

/// Files in different folders may share a name; then their paths tell them apart.
fn name_apart(sets: &mut [Scored]) {
    let names: BTreeSet<&str> = sets.iter().map(|set| set.name.as_str()).collect();
    if names.len() < sets.len() {
        sets.iter_mut().for_each(|set| set.name.clone_from(&set.path));
    }
}

impl<'s> Pair<'s> {
    fn new(first: &'s Scored, second: &'s Scored, seed: u64) -> Result<Self> {
        if let (Some(one), Some(other)) = (first.task, second.task) {
            ensure!(
                one == other,
                "{} is of task {one} and {} of task {other}: they have no systems in common",
                first.path,
                second.path
            );
        }
        let common: Vec<&str> = first.systems().filter(|name| second.has(name)).collect();
        ensure!(
            common.len() >= FEWEST,
            "{} and {} have {} systems in common{}; at least {FEWEST} are needed",
            first.path,
            second.path,
            common.len(),
            if common.is_empty() { String::new() } else { format!(" ({})", common.join(", ")) }
        );
        let (of_first, of_second) = (first.values(&common)?, second.values(&common)?);
        let topics = [&of_first, &of_second].map(|values| values.first().map_or(0, Vec::len));
        let slices =
            [&of_first, &of_second].map(|values| values.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let found = agreement(&slices[0], &slices[1], RESAMPLES, seed);
        Ok(Self { first, second, topics, found })
    }
}
