//! All judged formula instances beside visually distinct formulas, as in Tables 7 and 8 of the comparison of six
//! collections for formula retrieval.

use crate::evaluate::score::{Results, ScoredSet};
use crate::evaluate::table::{Sections, decimals};
use anyhow::Result;
use eval::{Average, Stratum};
use figures::table::{Cell, Column, Mark, Row, Table};
use formats::DocId;
use std::collections::HashMap;

/// One table with all measures for one file of judgments (Table 8), else one table for each measure, with the
/// judgments side by side (Table 7); all topics first, then each kind that was asked for.
pub(super) fn tables(results: &Results<'_>) -> Result<Vec<Table>> {
    let sections = Sections::new(results)?;
    let mut tables = Vec::new();
    for kind in std::iter::once(None).chain(results.kinds.iter().map(Some)) {
        let of_kind = |stratum: &Stratum| {
            let label = results.args.compare.label().unwrap_or_default();
            let topics = stratum.topics.iter().filter(|topic| results.sets[0].qrels.topic(topic).is_some());
            format!(", {label} {} ({} topics)", stratum.name, topics.count())
        };
        let suffix = kind.map(of_kind).unwrap_or_default();
        if results.sets.len() == 1 {
            let values: Vec<(usize, usize)> =
                (0..results.num_measures()).map(|measure| (0, measure)).collect();
            let titles = results.columns.iter().map(|column| column.name.clone()).collect();
            let caption = format!("All instances and visually distinct formulas{suffix}");
            tables.push(table(results, &sections, kind, &values, titles, caption));
        } else {
            for measure in 0..results.num_measures() {
                let values: Vec<(usize, usize)> = (0..results.sets.len()).map(|set| (set, measure)).collect();
                let titles = results.sets.iter().map(|set| set.name.clone()).collect();
                let name = &results.columns[measure].name;
                let caption = format!("{name}: all instances and visually distinct formulas{suffix}");
                tables.push(table(results, &sections, kind, &values, titles, caption));
            }
        }
    }
    if let Some(last) = tables.last_mut() {
        last.footnotes.extend(repeated(results));
        last.footnotes.push(
            "Instances and visual ids have different ids, so results with equal scores may be in another order."
                .to_owned(),
        );
    }
    Ok(tables)
}

/// The values of some measures by some judgments, in both conditions.
fn table(
    results: &Results<'_>,
    sections: &Sections,
    kind: Option<&Stratum>,
    values: &[(usize, usize)],
    titles: Vec<String>,
    caption: String,
) -> Table {
    let conditions: [(&str, &[ScoredSet]); 2] =
        [("All instances", &results.instances), ("Visually distinct", &results.sets)];
    let mut columns = vec![Column::left("Run")];
    // For each column the value of each run and the highest of them.
    let mut shown: Vec<(usize, Vec<Average>, f64)> = Vec::new();
    for (condition, sets) in conditions {
        for ((set, measure), title) in values.iter().zip(&titles) {
            columns.push(Column::right(title.as_str()).under(condition));
            let average = |run: usize| {
                let scores = &sets[*set].scores[run];
                match kind {
                    Some(kind) => scores.average_in(kind, *measure, results.policy),
                    None => scores.average(*measure, results.policy),
                }
            };
            let averages: Vec<Average> = (0..results.runs.len()).map(average).collect();
            let best = averages.iter().map(|average| average.value).fold(f64::NEG_INFINITY, f64::max);
            shown.push((*measure, averages, best));
        }
    }
    let rows: Vec<Row> = sections.rows(|run| {
        let mut cells = vec![Cell::text(results.runs[run].name.as_str())];
        for (measure, averages, best) in &shown {
            let average = averages[run];
            let cell = match average.topics {
                0 => Cell::text("–"),
                _ => Cell::number(average.value, decimals(results, *measure)),
            };
            let is_best = results.runs.len() > 1 && average.topics > 0 && average.value >= *best;
            cells.push(if is_best { cell.marked(Mark::Best) } else { cell });
        }
        cells
    });
    Table { caption: vec![caption], columns, rows, footnotes: Vec::new() }
}

/// How many judged formulas have several judged instances.
fn repeated(results: &Results<'_>) -> Option<String> {
    let (ids, instances) = (results.visual_ids()?, results.instances.first()?);
    let (mut formulas, mut several, mut judged) = (0, 0, 0);
    for topic in instances.qrels.topics() {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for row in topic.rows().filter(|row| row.judgment().grade().is_some()) {
            let doc: DocId<'_> = row.doc();
            if let Some(id) = ids.get(doc.as_str()) {
                *counts.entry(id.as_str()).or_default() += 1;
            }
        }
        formulas += counts.len();
        judged += counts.values().sum::<usize>();
        several += counts.values().filter(|count| **count > 1).count();
    }
    #[expect(clippy::cast_precision_loss, reason = "counts")]
    let share = 100.0 * several as f64 / formulas.max(1) as f64;
    Some(format!(
        "{judged} judged instances are {formulas} visually distinct formulas of their topics; {share:.1} % of these \
         have at least 2 judged instances."
    ))
}
