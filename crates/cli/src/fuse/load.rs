//! The runs from their files, and the rankings of each topic, in order.

use super::{Fuse, Task, Topics};
use anyhow::{Result, bail, ensure};
use eval::{Duplicate, Duplicates, Preset};
use formats::order::compare;
use formats::run::{Run, RunKind, RunLayout, RunRow, TopicRows};
use formats::{DocId, Source, TopicId};
use fuse::Ranked;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// What every run has for a topic.
pub(super) struct Topic<'a> {
    pub(super) id: &'a TopicId,
    /// One for each run, best first; empty if it has nothing.
    pub(super) rankings: Vec<Vec<Ranked<DocId<'a>>>>,
}

/// Reads all runs.
pub(super) fn runs(args: &Fuse) -> Result<Vec<Run>> {
    let kind = if args.task == Some(Task::Two) { RunKind::Formulas } else { RunKind::Documents };
    let inputs = args.runs.iter().chain(&args.tuning.tune).filter(|path| path == &Path::new("-")).count();
    ensure!(inputs < 2, "standard input can be read once");
    let runs = parallel::map(&args.runs, |path| Run::read(Source::path(path), kind));
    let runs = runs.into_iter().collect::<Result<Vec<Run>, _>>()?;
    for run in &runs {
        ensure!(run.num_rows() > 0, "{}: holds no results", run.name());
        check_marks(run)?;
    }
    let is_trec = |run: &Run| run.layout() == RunLayout::Trec;
    if kind == RunKind::Formulas
        && let Some(other) = runs.iter().find(|run| is_trec(run) != is_trec(&runs[0]))
    {
        bail!(
            "{} and {}: of Task 2 runs, those with Q0 hold visual ids and the others formula ids, which cannot be fused",
            runs[0].name(),
            other.name()
        );
    }
    Ok(runs)
}

/// A run of formula ids that is read without `--task 2` would have its posts taken for its documents.
fn check_marks(run: &Run) -> Result<()> {
    let is_number = |row: &RunRow<'_>| {
        row.mark().is_some_and(|mark| mark.len() > 1 && mark.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let of_task2 = run.topics().all(|topic| topic.id().as_str().starts_with("B."));
    match run.topics().flat_map(TopicRows::rows).find(is_number).filter(|_| of_task2) {
        Some(row) => bail!(
            "{}: the second column, Q0 in TREC runs, holds a number; a run of formula ids is read with --task 2",
            row.column_place(1)
        ),
        None => Ok(()),
    }
}

/// The topics that are asked for, as people list them.
pub(super) fn topics<'a>(args: &Fuse, runs: &'a [Run]) -> Result<Vec<Topic<'a>>> {
    let mut found: BTreeMap<Listed<'a>, Vec<Option<TopicRows<'a>>>> = BTreeMap::new();
    for (member, run) in runs.iter().enumerate() {
        for topic in run.topics() {
            found.entry(Listed(topic.id())).or_insert_with(|| vec![None; runs.len()])[member] = Some(topic);
        }
    }
    found.retain(|_, members| match args.topics {
        Topics::All => true,
        Topics::First => members[0].is_some(),
        Topics::Common => members.iter().all(Option::is_some),
    });
    ensure!(!found.is_empty(), "no topic is in all runs");
    let found: Vec<_> = found.into_iter().collect();
    let topics = parallel::map(&found, |(id, members)| {
        let ranking = |(rows, run): (&Option<TopicRows<'a>>, &Run)| {
            rows.map_or(Ok(Vec::new()), |rows| ranking(rows, duplicates(args, run), args.from))
        };
        let rankings = members.iter().zip(runs).map(ranking).collect::<Result<Vec<_>, Duplicate>>()?;
        Ok(Topic { id: id.0, rankings })
    });
    let topics = topics.into_iter().collect::<Result<Vec<_>, Duplicate>>();
    topics.map_err(|error| anyhow::anyhow!("{error}; see --duplicates"))
}

/// The rule for documents that are listed twice.
fn duplicates(args: &Fuse, run: &Run) -> Duplicates {
    let default = match args.task {
        Some(Task::One) => Preset::Task1.duplicates(),
        Some(Task::Two) if run.layout() != RunLayout::Trec => Preset::Task2.duplicates(),
        _ => Duplicates::Refuse,
    };
    args.duplicates.map_or(default, crate::evaluate::DuplicateRule::rule)
}

/// The rows of a topic as a ranking, best first.
fn ranking(
    rows: TopicRows<'_>,
    duplicates: Duplicates,
    depth: Option<u32>,
) -> Result<Vec<Ranked<DocId<'_>>>, Duplicate> {
    let topic = rows.id();
    let rows = rows.rows();
    let mut ranking: Vec<Ranked<DocId<'_>>> = Vec::with_capacity(rows.len());
    let mut seen: HashMap<DocId<'_>, (usize, usize)> = HashMap::with_capacity(rows.len());
    for row in rows {
        // Adding zero makes one zero of two: -0 and 0 are equal scores.
        let (id, score) = (row.doc(), row.score() + 0.0);
        let Some((place, first)) = seen.get(&id).copied() else {
            seen.insert(id, (ranking.len(), row.line()));
            ranking.push(Ranked { id, score });
            continue;
        };
        match duplicates {
            Duplicates::Refuse => {
                return Err(Duplicate {
                    place: row.place(),
                    doc: id.to_string(),
                    topic: topic.clone(),
                    first,
                });
            }
            Duplicates::KeepFirst => {}
            Duplicates::KeepLast => ranking[place].score = score,
        }
    }
    ranking.sort_unstable_by(|a, b| compare((a.score, a.id), (b.score, b.id)));
    if let Some(depth) = depth {
        ranking.truncate(depth as usize);
    }
    Ok(ranking)
}

/// Topics in the order in which people list them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Listed<'a>(&'a TopicId);

impl Ord for Listed<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.natural_cmp(other.0)
    }
}

impl PartialOrd for Listed<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
