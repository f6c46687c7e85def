//! What trec_eval prints, byte for byte: a run and judgments in, its report out.
//!
//! The report is that of version 9 with standard judgments: the same names,
//! the same order, the same digits, and the same quirks, so that scripts made
//! for it go on working. Values come from [`Measure`](crate::Measure) where
//! there is one; measures that only trec_eval has are computed here. Reading
//! files and arguments is left to others.
//!
//! ```
//! use formats::{Source, qrels::{Qrels, Scale}, run::{Run, RunKind}};
//! use eval::trec::{Options, report};
//!
//! let (qrels, _) = Qrels::read(Source::bytes("qrels", "A.1 0 a 1\nA.1 0 b 0\n"), Scale::Plain)?;
//! let run = Run::read(Source::bytes("run", "A.1 Q0 b 1 2.5 us\nA.1 Q0 a 2 1 us\n"), RunKind::Documents)?;
//! let measures = ["map", "P.5,1"].map(String::from).to_vec();
//! let text = report(&run, &qrels, &Options { measures, ..Options::default() })?;
//! assert_eq!(
//!     text,
//!     "map                   \tall\t0.5000\n\
//!      P_1                   \tall\t0.0000\n\
//!      P_5                   \tall\t0.2000\n"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What differs: trec_eval stops when the first topic has negative grades only,
//! and finds no second row of a document beyond `-M`; here, a gain is not given
//! twice nor to what is not judged, numbers are finite, and relevance levels
//! not negative, where it would take for relevant what nobody judged; `ndcg_rel`
//! can differ when gains are given that lie less than 1 apart, which trec_eval
//! does not sort; and measures of preferences are not known.

mod binary;
mod column;
mod error;
mod gains;
mod interpolated;
mod parameters;
mod print;
mod select;
mod topic;

pub use error::TrecError;

use crate::judgments::{Codes, Judgments};
use crate::pipeline::Pipeline;
use column::Context;
use formats::qrels::Qrels;
use formats::run::{Run, TopicRows};
use print::Report;
use topic::Topic;

/// How trec_eval is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which lines are printed (`-q`, `-n`).
    pub lines: Lines,
    /// Which topics the means are over (`-c`).
    pub averaged: Averaged,
    /// Which results count (`-J`).
    pub results: Results,
    /// The grade from which on a document is relevant (`-l`); 1 unless said.
    pub level: u32,
    /// How many results of a topic count (`-M`), before any are removed.
    pub max_retrieved: Option<usize>,
    /// How many documents the collection has (`-N`); only `utility` asks.
    pub num_docs: u64,
    /// The measures as they stand behind each `-m`, such as `P.5,10`; the
    /// official ones if there are none.
    pub measures: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            lines: Lines::default(),
            averaged: Averaged::default(),
            results: Results::default(),
            level: 1,
            max_retrieved: None,
            num_docs: 0,
            measures: Vec::new(),
        }
    }
}

/// Which lines are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lines {
    /// Those over all topics.
    #[default]
    Summary,
    /// Those of each topic, then those over all: `-q`.
    TopicsAndSummary,
    /// Those of each topic only: `-q -n`.
    Topics,
    /// None at all, which is what `-n` alone asks for.
    Nothing,
}

impl Lines {
    /// Whether there are lines of single topics.
    fn has_topics(self) -> bool {
        matches!(self, Self::TopicsAndSummary | Self::Topics)
    }

    /// Whether there are lines over all topics.
    fn has_summary(self) -> bool {
        matches!(self, Self::TopicsAndSummary | Self::Summary)
    }
}

/// Which topics the summary is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Averaged {
    /// Those that have both results and judgments.
    #[default]
    Common,
    /// All that have judgments, those without results counting 0: `-c`. They
    /// have no lines of their own, and `num_rel` counts what is graded 1 or
    /// higher, whatever the level.
    Complete,
}

/// Which results count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Results {
    /// All.
    #[default]
    All,
    /// Those that are judged: `-J`.
    Judged,
}

/// What trec_eval would print.
///
/// Topics come in the order of the bytes of their ids, measures in trec_eval's
/// own order. Results are ordered by score, kept in 32 bits, and then by id.
/// Task 3's codes for "system failure" and "do not know" count as not judged.
///
/// # Errors
///
/// When a measure is not known or its parameters cannot be read, when no topic
/// has both results and judgments, or when such a topic lists a document twice.
pub fn report(run: &Run, qrels: &Qrels, options: &Options) -> Result<String, TrecError> {
    let columns = select::columns(options)?;
    let judgments = Judgments::new(qrels, Codes::Unjudged);
    let topics = common_topics(run, &judgments);
    if topics.is_empty() {
        return Err(TrecError::NoCommonTopic { run: run.name().to_owned(), qrels: qrels.name().to_owned() });
    }
    let pipeline = Pipeline { depth: options.max_retrieved, ..Pipeline::default() };
    let mut report = Report::new(&columns);
    let mut verdicts = Vec::new();
    for (rows, judged) in topics {
        let judged = &judgments.topics()[judged];
        let ranking = pipeline.rank(rows, judged)?;
        verdicts.clear();
        verdicts.extend(ranking.entries.iter().map(|entry| entry.verdict));
        if options.results == Results::Judged {
            verdicts.retain(|verdict| verdict.is_judged());
        }
        report.topic(rows.id(), &Topic::new(&verdicts, judged.pool(), options), options.lines);
    }
    if options.lines.has_summary() {
        report.summary(&context(run, &judgments, options));
    }
    Ok(report.text())
}

/// The topics of the run that have judgments, by the bytes of their ids, and
/// where the judgments stand.
fn common_topics<'r>(run: &'r Run, judgments: &Judgments<'_>) -> Vec<(TopicRows<'r>, usize)> {
    let mut topics: Vec<(TopicRows<'r>, usize)> =
        run.topics().filter_map(|rows| Some((rows, judgments.index_of(rows.id())?))).collect();
    topics.sort_by(|(a, _), (b, _)| a.id().cmp(b.id()));
    topics
}

/// What only the summary needs to know.
fn context<'r>(run: &'r Run, judgments: &Judgments<'_>, options: &Options) -> Context<'r> {
    let last = run.topics().filter_map(|topic| topic.rows().last()).max_by_key(|row| row.line());
    let complete = match options.averaged {
        Averaged::Common => None,
        Averaged::Complete => Some(judgments.topics()),
    };
    Context {
        // A tag may hold blanks where tabs divide the columns; trec_eval stops at the first.
        run_id: last.and_then(|row| row.tag_text().split_whitespace().next()).unwrap_or_default(),
        num_topics: complete.map(<[_]>::len),
        num_graded: complete.map(|topics| topics.iter().map(|topic| topic.pool().num_relevant(1)).sum()),
    }
}
