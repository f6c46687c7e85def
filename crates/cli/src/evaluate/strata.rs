//! Runs on each kind of topics.

use super::Eval;
use super::score::{Results, ScoredSet};
use super::table::{Sections, decimals};
use crate::warn;
use anyhow::{Context, Result, ensure};
use eval::{Stratum, strata};
use figures::table::{Cell, Column, Mark, Row, Table};
use formats::qrels::Qrels;
use formats::{Source, TopicId, read_labels};

/// The kinds of topics by the label that was asked for; none if none was.
pub(super) fn read(args: &Eval, sets: &[&Qrels]) -> Result<Vec<Stratum>> {
    let (Some(path), Some(label)) = (&args.compare.labels, args.compare.label()) else {
        return Ok(Vec::new());
    };
    let (labels, notes) = read_labels(Source::path(path))?;
    notes.iter().for_each(|note| warn(&note.to_string()));
    let strata = labels.strata(label).with_context(|| path.display().to_string())?;
    let judged = |topic: &TopicId| sets.iter().any(|qrels| qrels.topic(topic).is_some());
    ensure!(
        strata.iter().any(|stratum| stratum.topics.iter().any(judged)),
        "{}: no judged topic has the label {label}",
        path.display()
    );
    Ok(strata
        .into_iter()
        .map(|stratum| Stratum { name: stratum.value, topics: stratum.topics.into_iter().collect() })
        .collect())
}

/// A table of values for each measure, and one of how the kinds of topics agree.
pub(super) fn tables(results: &Results<'_>) -> Result<Vec<Table>> {
    let strata = &results.kinds;
    let label = results.args.compare.label().unwrap_or_default();
    let sections = Sections::new(results)?;
    let mut tables = Vec::new();
    for set in &results.sets {
        let by = if results.sets.len() > 1 { format!(", {}", set.name) } else { String::new() };
        for measure in 0..results.num_measures() {
            tables.push(values(results, set, strata, &sections, measure, &format!("by {label}{by}")));
        }
        if results.runs.len() > 1 {
            tables.push(agreement(results, set, strata, &format!("{label}{by}")));
        }
    }
    Ok(tables)
}

/// All values of one measure on each kind of topics.
pub(super) fn study(
    results: &Results<'_>,
    set: &ScoredSet,
    kinds: &[Stratum],
    measure: usize,
) -> eval::StrataStudy {
    let scores: Vec<_> = set.scores.iter().collect();
    strata::study(&scores, kinds, measure, results.policy)
}

fn values(
    results: &Results<'_>,
    set: &ScoredSet,
    kinds: &[Stratum],
    sections: &Sections,
    measure: usize,
    caption: &str,
) -> Table {
    let study = study(results, set, kinds, measure);
    let mut columns = vec![Column::left("Run"), Column::right("all")];
    for (kind, values) in kinds.iter().zip(&study.values) {
        let topics = values.iter().map(|average| average.topics).max().unwrap_or(0);
        columns.push(Column::right(format!("{} ({topics})", kind.name)));
    }
    let rows = sections.rows(|run| {
        let decimals = decimals(results, measure);
        let mut cells = vec![
            Cell::text(results.runs[run].name.as_str()),
            Cell::number(set.scores[run].average(measure, results.policy).value, decimals),
        ];
        for values in &study.values {
            let best = values.iter().map(|average| average.value).fold(f64::NEG_INFINITY, f64::max);
            let average = values[run];
            let cell = match average.topics {
                0 => Cell::text("–"),
                _ => Cell::number(average.value, decimals),
            };
            let best = results.runs.len() > 1 && average.topics > 0 && average.value >= best;
            cells.push(if best { cell.marked(Mark::Best) } else { cell });
        }
        cells
    });
    let unlabelled = set.scores.first().map_or(0, |scores| {
        let has_kind = |topic: &&eval::TopicScores| kinds.iter().any(|kind| kind.topics.contains(&topic.id));
        scores.topics.iter().filter(|topic| !has_kind(topic)).count()
    });
    let mut footnotes = vec!["In parentheses: how many topics.".to_owned()];
    if unlabelled > 0 {
        let verb = if unlabelled == 1 { "topic has" } else { "topics have" };
        footnotes
            .push(format!("{unlabelled} judged {verb} no such label: in none of the columns but 'all'."));
    }
    Table { caption: vec![format!("{} {caption}", results.columns[measure].name)], columns, rows, footnotes }
}

/// How the kinds of topics agree on the order of the runs.
fn agreement(results: &Results<'_>, set: &ScoredSet, kinds: &[Stratum], caption: &str) -> Table {
    let mut columns = vec![Column::left("Measure"), Column::right("mean gap"), Column::left("Kinds")];
    columns.extend(["tau-b", "swaps", "mean move"].map(Column::right));
    let mut rows = Vec::new();
    for measure in 0..results.num_measures() {
        let study = study(results, set, kinds, measure);
        for pair in &study.pairs {
            let (left, right) = (&kinds[pair.left].name, &kinds[pair.right].name);
            #[expect(clippy::cast_precision_loss, reason = "a number of pairs")]
            let swaps = pair.swaps as f64;
            rows.push(Row::Cells(vec![
                Cell::text(results.columns[measure].name.as_str()),
                study.mean_gap.map_or_else(Cell::default, |gap| Cell::number(gap, 3)),
                Cell::text(format!("{left} : {right}")),
                pair.tau_b.map_or_else(|| Cell::text("–"), |tau| Cell::number(tau, 2)),
                Cell::number(swaps, 0),
                Cell::number(pair.mean_move, 1),
            ]));
        }
    }
    let footnotes = vec![
        "mean gap: mean difference between neighbours when the runs are ordered by all topics. swaps: pairs of runs in \
         another order. mean move: by how many places a run moves."
            .to_owned(),
    ];
    Table { caption: vec![format!("Do the kinds of topics agree? {caption}")], columns, rows, footnotes }
}
