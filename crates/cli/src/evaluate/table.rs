//! The tables of scores: all runs, and every topic.

use super::remarks::{remarks, together};
use super::score::{Results, ScoredSet};
use super::{OutputFormat, compare, load};
use crate::run_record::{EXPOSURE_FIELD, exposure_cell, name_cell};
use anyhow::Result;
use eval::{Average, Outcome};
use figures::table::{Cell, Column, Mark, Row, Table};
use formats::check::SubmissionName;
use std::collections::BTreeMap;
use std::ops::Range;

/// How many decimals scores have.
pub(super) const DECIMALS: usize = 4;

/// The runs in the order of the table: baselines first, then by team, the best first.
pub(super) struct Sections {
    /// A heading, if there is one, and the runs below it.
    pub(super) sections: Vec<(Option<String>, Vec<usize>)>,
}

impl Sections {
    /// Puts the runs in order by the first measure and the first judgments.
    pub(super) fn new(results: &Results<'_>) -> Result<Self> {
        let mut baselines: Vec<usize> = Vec::new();
        let compare = &results.args.compare;
        let against = compare.against.iter().map(|base| (base, "--against"));
        for (path, option) in against.chain(compare.baselines.iter().map(|base| (base, "--baselines"))) {
            let index = load::find(&results.runs, path, option)?;
            if !baselines.contains(&index) {
                baselines.push(index);
            }
        }
        let value = |run: usize| results.sets[0].scores[run].average(0, results.policy).value;
        let others: Vec<usize> = (0..results.runs.len()).filter(|run| !baselines.contains(run)).collect();
        let mut teams: BTreeMap<Option<String>, Vec<usize>> = BTreeMap::new();
        for run in others {
            teams.entry(team(&results.runs[run].name)).or_default().push(run);
        }
        let by_value = |a: &usize, b: &usize| value(*b).total_cmp(&value(*a));
        let mut sections: Vec<(Option<String>, Vec<usize>)> = teams.into_iter().collect();
        for (_, runs) in &mut sections {
            runs.sort_by(by_value);
        }
        sections.sort_by(|(_, a), (_, b)| by_value(&a[0], &b[0]));
        if !baselines.is_empty() {
            let heading = if baselines.len() == 1 { "Baseline" } else { "Baselines" };
            sections.insert(0, (Some(heading.to_owned()), baselines));
        }
        // A heading over all runs says nothing.
        if let [(heading, _)] = sections.as_mut_slice() {
            *heading = None;
        }
        for (heading, _) in sections.iter_mut().skip(1) {
            heading.get_or_insert_with(|| "Others".to_owned());
        }
        Ok(Self { sections })
    }

    /// The runs one after the other.
    pub(super) fn runs(&self) -> impl Iterator<Item = usize> {
        self.sections.iter().flat_map(|(_, runs)| runs.iter().copied())
    }

    /// The rows of a table, made by `row`.
    pub(super) fn rows(&self, mut row: impl FnMut(usize) -> Vec<Cell>) -> Vec<Row> {
        let mut rows = Vec::new();
        for (heading, runs) in &self.sections {
            if let Some(heading) = heading {
                rows.push(Row::Section(heading.clone()));
            }
            rows.extend(runs.iter().map(|run| Row::Cells(row(*run))));
        }
        rows
    }
}

/// The team of a run that is named as the labs ask for; runs of like names also name their folder.
pub(super) fn team(name: &str) -> Option<String> {
    let file = name.rsplit(std::path::is_separator).next().unwrap_or(name);
    SubmissionName::parse(file).ok().map(|(name, _)| name.group)
}

/// More columns of values than this do not stand side by side.
const WIDEST: usize = 9;

/// All runs by all measures: one table, or one for each file of judgments if it would be too wide.
pub(super) fn overviews(results: &Results<'_>) -> Result<Vec<Table>> {
    let sections = Sections::new(results)?;
    let marks = compare::marks(results)?;
    let sets = results.sets.len();
    let groups: Vec<Range<usize>> = match sets * results.num_measures() {
        ..=WIDEST => std::iter::once(0..sets).collect(),
        _ => (0..sets).map(|set| set..set + 1).collect(),
    };
    let mut tables: Vec<Table> =
        groups.into_iter().map(|sets| overview(results, &sections, &marks, sets)).collect();
    if let Some(last) = tables.last_mut() {
        last.footnotes.extend(results.rules.clone());
        last.footnotes.extend(compare::footnote(results));
        last.footnotes.push(
            "judged@10: share of the first ten results that is judged; of pool: share of the judged documents that \
             the run returned."
                .to_owned(),
        );
        last.footnotes.extend(results.exposed().note());
        last.footnotes.extend(together(sections.runs().flat_map(|run| remarks(results, run))));
    }
    Ok(tables)
}

/// All runs by all measures and some of the judgments.
fn overview(
    results: &Results<'_>,
    sections: &Sections,
    marks: &[Vec<Vec<Option<Mark>>>],
    shown: Range<usize>,
) -> Table {
    let sets = &results.sets[shown.clone()];
    let mut columns = vec![Column::left("Run")];
    for set in sets {
        let group = |column: Column| match results.sets.len() {
            1 => column,
            _ => column.under(set.name.clone()),
        };
        columns.push(group(Column::right("topics")));
        columns.extend(results.columns.iter().map(|column| group(Column::right(column.name.as_str()))));
        columns.push(group(Column::right("judged@10")));
        columns.push(group(Column::right("of pool")));
    }
    // A file of values has no footnotes, so that a mark would not be explained.
    let is_csv = results.args.format == OutputFormat::Csv;
    if is_csv {
        columns.push(Column::left(EXPOSURE_FIELD));
    }
    let averages: Vec<Vec<Vec<Average>>> = sets
        .iter()
        .map(|set| {
            let of_run = |scores: &eval::RunScores| {
                (0..results.num_measures()).map(|measure| scores.average(measure, results.policy)).collect()
            };
            set.scores.iter().map(of_run).collect()
        })
        .collect();
    let best = |set: usize, measure: usize| {
        averages[set].iter().map(|run| run[measure].value).fold(f64::NEG_INFINITY, f64::max)
    };
    let mut rows = bounds(results, sets);
    rows.extend(sections.rows(|run| {
        let (name, models) = (&results.runs[run].name, &results.runs[run].models);
        let mut cells = vec![if is_csv { Cell::text(name.as_str()) } else { name_cell(name, models) }];
        for (index, set) in sets.iter().enumerate() {
            let scores = &set.scores[run];
            #[expect(clippy::cast_precision_loss, reason = "a number of topics")]
            cells.push(Cell::number(scores.admitted(results.policy).count() as f64, 0));
            for measure in 0..results.num_measures() {
                let average = averages[index][run][measure];
                let mut cell = Cell::number(average.value, decimals(results, measure));
                if results.runs.len() > 1 && average.value >= best(index, measure) {
                    cell = cell.marked(Mark::Best);
                }
                if let Some(mark) = &marks[shown.start + index][run][measure] {
                    cell = cell.marked(mark.clone());
                }
                cells.push(cell);
            }
            cells.push(Cell::number(results.judged_at(scores), 3));
            cells.push(Cell::number(scores.coverage(results.policy).pool_share, 3));
        }
        if is_csv {
            cells.push(exposure_cell(models));
        }
        cells
    }));
    Table { caption: Vec::new(), columns, rows, footnotes: Vec::new() }
}

/// Counts have no decimals.
pub(super) fn decimals(results: &Results<'_>, measure: usize) -> usize {
    match results.columns[measure].measure.aggregate() {
        eval::Aggregate::Sum => 0,
        eval::Aggregate::Mean | eval::Aggregate::GeometricMean => DECIMALS,
    }
}

/// What chance and the best order of the pool would score. Both depend on the
/// judgments alone as long as the same topics count for all runs.
fn bounds(results: &Results<'_>, sets: &[ScoredSet]) -> Vec<Row> {
    use eval::TopicPolicy::{All, Relevant};
    // Nor do they belong among the rows of a file of values.
    if !matches!(results.policy, All | Relevant) || results.args.format == OutputFormat::Csv {
        return Vec::new();
    }
    let mut chance = vec![Cell::text("random order of the pool").marked(Mark::Dim)];
    let mut highest = vec![Cell::text("highest possible").marked(Mark::Dim)];
    let mut known = false;
    for set in sets {
        let Some(scores) = set.scores.first() else { return Vec::new() };
        for row in [&mut chance, &mut highest] {
            row.push(Cell::default());
        }
        for measure in 0..results.num_measures() {
            let around = set.bounds.around(scores, measure, results.policy);
            known |= around.floor.is_some();
            let decimals = decimals(results, measure);
            chance.push(match around.floor {
                Some(floor) => Cell::number(floor, decimals).marked(Mark::Dim),
                None => Cell::default(),
            });
            highest.push(Cell::number(around.ceiling, decimals).marked(Mark::Dim));
        }
        for row in [&mut chance, &mut highest] {
            row.extend([Cell::default(), Cell::default()]);
        }
    }
    let mut rows = vec![Row::Cells(highest)];
    if known {
        rows.insert(0, Row::Cells(chance));
    }
    rows.push(Row::Rule);
    rows
}

/// A table for each file of judgments: every topic of every run.
pub(super) fn per_topic(results: &Results<'_>) -> Vec<Table> {
    let one = |set: &ScoredSet| {
        let mut columns = vec![Column::left("Topic"), Column::left("Run")];
        columns.extend(results.columns.iter().map(|column| Column::right(column.name.as_str())));
        columns.extend(["results", "judged", "pool"].map(Column::right));
        columns.push(Column::left(""));
        let mut rows = Vec::new();
        for topic in 0..set.scores.first().map_or(0, |scores| scores.topics.len()) {
            for (run, scores) in set.scores.iter().enumerate() {
                let scores = &scores.topics[topic];
                if !results.policy.admits(scores) {
                    continue;
                }
                let mut cells =
                    vec![Cell::text(scores.id.as_str()), Cell::text(results.runs[run].name.as_str())];
                cells.extend(
                    (0..results.num_measures())
                        .map(|measure| Cell::number(scores.values[measure], decimals(results, measure))),
                );
                #[expect(clippy::cast_precision_loss, reason = "counts")]
                cells.extend(
                    [scores.num_results, scores.num_judged, scores.pool_size]
                        .map(|n| Cell::number(n as f64, 0)),
                );
                cells.push(Cell::text(match scores.outcome {
                    Outcome::NoResults => "no results",
                    Outcome::NothingJudged => "nothing judged",
                    Outcome::Judged => "",
                }));
                rows.push(Row::Cells(cells));
            }
        }
        let caption = if results.sets.len() > 1 { vec![set.name.clone()] } else { Vec::new() };
        Table { caption, columns, rows, footnotes: Vec::new() }
    };
    results.sets.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_no_part_of_a_team() {
        for name in
            ["us-task1-a-auto-both-P", "us-task1-a-auto-both-P.tsv", "2021/us-task1-a-auto-both-P.tsv"]
        {
            assert_eq!(team(name).as_deref(), Some("us"), "{name}");
        }
        assert_eq!(team("us-runs/bm25.tsv"), None);
    }
}
