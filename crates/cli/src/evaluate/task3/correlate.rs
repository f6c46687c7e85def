//! Do the measures of Task 3 order the runs alike? The counterpart of Table 6 of ARQMath-3's overview.

use super::super::compare::{coefficient_columns, coefficients};
use super::Scored;
use anyhow::{Result, ensure};
use figures::table::{Cell, Column, Row, Table};
use std::collections::BTreeMap;

/// Every two measures, over the runs that have both.
pub(super) fn table(scored: &[Scored]) -> Result<Table> {
    ensure!(scored.len() > 2, "--correlate compares orders of runs: give at least three");
    let runs: Vec<BTreeMap<String, f64>> =
        scored.iter().map(|scored| scored.measures().into_iter().collect()).collect();
    let mut measures: Vec<String> = Vec::new();
    for (name, _) in scored.iter().flat_map(Scored::measures) {
        if !measures.contains(&name) {
            measures.push(name);
        }
    }
    let mut columns = vec![Column::left("Measure"), Column::left("Other measure"), Column::right("runs")];
    columns.extend(coefficient_columns());
    let mut rows = Vec::new();
    for (place, first) in measures.iter().enumerate() {
        for second in &measures[place + 1..] {
            let both = runs.iter().filter_map(|run| Some((*run.get(first)?, *run.get(second)?)));
            let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
            #[expect(clippy::cast_precision_loss, reason = "a number of runs")]
            let number = Cell::number(x.len() as f64, 0);
            let mut cells = vec![Cell::text(first.as_str()), Cell::text(second.as_str()), number];
            cells.extend(coefficients(&x, &y));
            rows.push(Row::Cells(cells));
        }
    }
    let footnotes = vec!["Over the runs that have both measures; fewer than three have no order.".to_owned()];
    Ok(Table { caption: vec!["Correlation of measures over the runs".to_owned()], columns, rows, footnotes })
}
