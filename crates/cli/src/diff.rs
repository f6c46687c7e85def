//! `hypatia diff`: two runs in; what moved, and what made the difference, out.

mod json;
mod load;
mod tables;

use crate::evaluate::{DuplicateRule, RankingTask as Task, ScoreBits};
use crate::{Exit, Run, nearest, output, warn};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use eval::{Aggregate, Codes, Differ, Gauge, Judgments, Measure, Presence, RunDiff, TopicDiff};
use formats::TopicId;
use std::collections::BTreeSet;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Says topic by topic what moved between two runs, and, with judgments, which items made the \
difference. The program leaves with 0 when the rankings are the same, with 1 when they differ \
and with 2 when something went wrong, as diff does. Rankings are ordered as by hypatia eval: by \
score, highest first, then by id, highest first; the ranks in a file are not looked at. Two runs \
whose scores or tags differ but not their order have the same rankings, and it is said so.

Without judgments: the overlap of the first 10, the first 100 and all results, which is what both \
have over the length of the longer list; rank-biased overlap (RBO, extrapolated); Kendall's tau-b \
over the common documents, equal scores being tied; how many documents only one run has; how many \
have another rank, and for how many of these it is only a matter of how results with equal scores \
are ordered. Topics with the least overlap come first. Items come by |1/rank - 1/rank|, so that \
what happens at the top comes first; an item that is missing counts 0.

With --qrels: also the measure in both runs and the difference, the largest first. The difference \
is shared out among the items. An item's term in a ranking is what the value gains when the list \
is read one result further, down to the item: gain over discount and ideal for nDCG, 1/k for P@k, \
precision at its rank over the number of relevant items for AP, 1/rank of the first relevant \
result for RR, the summands of ERR, RBP and bpref. Its contribution is its term on the right minus \
that on the left. Contributions add up to the difference for every measure. An item can contribute \
without having moved where others above it matter, as in AP. Means are over all judged topics, \
those without results counting 0.";

const EXAMPLES: &str = "\
Examples:
  hypatia diff old.tsv new.tsv                                what moved
  hypatia diff old.tsv new.tsv > /dev/null && echo same       in a script
  hypatia diff old.tsv new.tsv --qrels qrels.txt              by nDCG', item by item
  hypatia diff old.tsv new.tsv --qrels q -m \"AP'(rel=2)\" --topic A.301 --all
  hypatia diff a.tsv b.tsv --qrels q --task 2 --visual-ids latex_representation.tsv
  hypatia diff old.tsv new.tsv --format json | jq '.per_topic[0].items'

JSON holds everything, whatever is shown otherwise:
  left, right   file, tag, topics, results
  likeness      identical, same order but different scores, same documents, different order, different
  same_ranking  true or false, as the exit code
  depth, rbo_p, measure   as asked for; no measure without --qrels
  topics        how many are alike in which way; the names of those in one run only; how many
                judged ones are in neither
  means         over topics in both runs: overlap_10, overlap_100, overlap, rbo, tau_b
  change        topics, left, right, difference, better, equal, worse; null without --qrels
  per_topic     in the order of the tables: topic, in (both, left, right, neither), likeness,
                results_left, results_right, common, only_left, only_right, moved, tie_order, the
                five of means, left, right, difference (null if not judged), items: all that moved
                or contributed, with doc, grade (null: unjudged), move (stayed, tie order, moved,
                only left, only right), contribution, and on either side null or rank, counted (the
                rank among the results that the measure looks at), score, term";

/// Say what moved between two runs, and which items made the difference
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Diff {
    /// The one run, on the left
    #[arg(value_name = "LEFT")]
    left: PathBuf,

    /// The other, on the right
    #[arg(value_name = "RIGHT")]
    right: PathBuf,

    /// Judgments, to say what the moves are worth
    #[arg(long, value_name = "FILE")]
    qrels: Option<PathBuf>,

    /// The measure by which topics are compared [default: nDCG']
    #[arg(short, long, value_name = "MEASURE", requires = "qrels")]
    measure: Option<String>,

    /// Whose rules are followed: columns and depth [default: documents as they are, all results]
    #[arg(long, value_name = "TASK")]
    task: Option<Task>,

    /// Visual ids of formulas: an index TSV, two columns, or a folder of such files
    #[arg(long, value_name = "TABLE")]
    visual_ids: Option<PathBuf>,

    /// How many results of a topic count [default: 1000 for Task 1, else all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// What happens to a document listed twice for a topic
    #[arg(long, value_name = "RULE", default_value = "refuse")]
    duplicates: DuplicateRule,

    /// How many bits of a score count: trec_eval 9 keeps 32, version 10 keeps 64
    #[arg(long, value_name = "BITS", default_value = "32")]
    score_bits: ScoreBits,

    /// The chance that a reader goes on to the next rank, for RBO
    #[arg(long, value_name = "P", default_value_t = 0.9, value_parser = persistence)]
    rbo_p: f64,

    /// Only this topic; may be given several times
    #[arg(long, value_name = "TOPIC")]
    topic: Vec<String>,

    /// How many topics are shown [default: 10, or all that --topic names]
    #[arg(long, value_name = "N", conflicts_with = "all")]
    top: Option<usize>,

    /// Show every topic and every item, not only what differs most
    #[arg(long)]
    all: bool,

    /// How results are printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A summary, then tables of topics and items
    Text,
    /// One object that holds everything
    Json,
    /// The same as text, in Markdown
    Markdown,
    /// The tables as comma-separated values with all digits and all items
    Csv,
}

/// Reads a probability that is neither 0 nor 1.
fn persistence(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|p: &f64| *p > 0.0 && *p < 1.0);
    number.ok_or_else(|| "not a number between 0 and 1, as 0.9 is".to_owned())
}

/// Everything that was read and computed, for the printers.
struct Found<'a> {
    args: &'a Diff,
    runs: [&'a formats::run::Run; 2],
    depth: Option<usize>,
    measure: Option<&'a Measure>,
    diff: &'a RunDiff<'a>,
    /// The topics, those that differ most first.
    topics: Vec<&'a TopicDiff<'a>>,
}

impl Run for Diff {
    fn run(self) -> Result<Exit> {
        if self.format == Format::Json {
            ensure!(self.top.is_none(), "--top has no effect on JSON, which holds everything");
        }
        let measure = self.qrels.as_ref().map(|_| self.measure()).transpose()?;
        let loaded = load::read(&self)?;
        let [left, right] = &loaded.runs;
        let judgments = loaded.qrels.as_ref().map(|qrels| Judgments::new(qrels, Codes::Unjudged));
        let gauge = judgments.as_ref().zip(measure.as_ref());
        let gauge = gauge.map(|(judgments, measure)| Gauge { judgments, measure });
        let table = loaded.visual_ids.as_ref().map(load::Table);
        let pipeline = load::pipeline(&self, table.as_ref());
        let differ = Differ { pipeline, persistence: self.rbo_p, gauge };
        let wanted = self.wanted(left, right, judgments.as_ref())?;
        let diff = differ
            .runs(left, right, |id| wanted.as_ref().is_none_or(|wanted| wanted.contains(id)))
            .context("a document may stand in the list of a topic only once (see --duplicates)")?;
        if gauge.is_some() {
            warn_if_blind(&self, &diff);
        }
        let found = Found {
            args: &self,
            runs: [left, right],
            depth: pipeline.depth,
            measure: measure.as_ref(),
            diff: &diff,
            topics: in_order(&diff),
        };
        let out = match self.format {
            Format::Json => json::object(&found)?,
            Format::Text | Format::Markdown | Format::Csv => tables::render(&found),
        };
        output::print(out.as_bytes())?;
        Ok(if diff.likeness().is_same_ranking() { Exit::Yes } else { Exit::No })
    }
}

impl Diff {
    /// The measure that was asked for, if a change of it can be shared out.
    fn measure(&self) -> Result<Measure> {
        let name = self.measure.as_deref().unwrap_or("nDCG'");
        let measure: Measure = name.parse().context("--measure")?;
        if measure.aggregate() == Aggregate::Sum {
            bail!(
                "--measure: {measure} is a count, not a score that rankings share; take one such as nDCG', AP or P@10"
            );
        }
        Ok(measure)
    }

    /// The topics that were named, all of which must exist; nothing if none was named.
    fn wanted(
        &self,
        left: &formats::run::Run,
        right: &formats::run::Run,
        judgments: Option<&Judgments<'_>>,
    ) -> Result<Option<BTreeSet<TopicId>>> {
        if self.topic.is_empty() {
            return Ok(None);
        }
        let of_runs = left.topics().chain(right.topics()).map(|topic| topic.id());
        let of_judgments = judgments.iter().flat_map(|judgments| judgments.topics()).map(|topic| topic.id());
        let mut known: Vec<&TopicId> = of_runs.chain(of_judgments).collect();
        known.sort_by(|a, b| a.natural_cmp(b));
        known.dedup();
        for wanted in &self.topic {
            if !known.iter().any(|id| id.as_str() == wanted) {
                let names: Vec<String> = known.iter().map(ToString::to_string).collect();
                bail!("--topic: no topic '{wanted}'; {}", nearest::suggest(wanted, &names));
            }
        }
        Ok(Some(self.topic.iter().map(|topic| TopicId::from(topic.as_str())).collect()))
    }
}

/// The topics that differ most first: by the size of the difference if they
/// are judged, then by how little the lists have in common.
fn in_order<'a>(diff: &'a RunDiff<'a>) -> Vec<&'a TopicDiff<'a>> {
    let mut topics: Vec<&TopicDiff<'_>> = diff.topics.iter().collect();
    let size = |topic: &TopicDiff<'_>| topic.values.map_or(-1.0, |values| values.difference().abs());
    let alike = |topic: &TopicDiff<'_>| {
        let overlap = topic.overlap;
        [overlap.at_10, overlap.at_100, overlap.all, topic.rbo.unwrap_or(overlap.all)]
    };
    topics.sort_by(|a, b| {
        let by_overlap = alike(a).into_iter().zip(alike(b)).map(|(a, b)| a.total_cmp(&b));
        let by_overlap = by_overlap.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then);
        size(b).total_cmp(&size(a)).then(by_overlap).then(b.likeness.cmp(&a.likeness))
    });
    topics
}

/// Values of 0 are often a matter of ids that do not match.
fn warn_if_blind(args: &Diff, diff: &RunDiff<'_>) {
    if diff.topics.iter().all(|topic| topic.presence == Presence::Neither) {
        return;
    }
    for (side, path) in [&args.left, &args.right].into_iter().enumerate() {
        if diff.topics.iter().all(|topic| topic.judged[side] == 0) {
            let hint = match (args.task, &args.visual_ids) {
                (Some(Task::Two), None) => "; formula ids become visual ids with --visual-ids",
                _ => "",
            };
            warn(&format!("{}: none of the results is judged{hint}", path.display()));
        }
    }
}
