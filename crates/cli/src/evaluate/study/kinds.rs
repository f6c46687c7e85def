//! Do kinds of topics rank the runs alike? One line for each measure, as in Table 6 of the comparison of six
//! collections for formula retrieval.

use crate::evaluate::score::Results;
use crate::evaluate::{strata, table};
use crate::warn;
use anyhow::{Result, ensure};
use figures::table::{Cell, Column, Row, Table};
use std::collections::BTreeSet;

/// Teams, runs, the mean gap, and how every two kinds agree.
pub(super) fn table(results: &Results<'_>) -> Result<Table> {
    let judged: Vec<_> = results
        .kinds
        .iter()
        .filter(|kind| {
            let is_judged = |topic| results.sets.iter().any(|set| set.qrels.topic(topic).is_some());
            kind.topics.iter().any(is_judged)
        })
        .cloned()
        .collect();
    let label = results.args.compare.label().unwrap_or_default();
    ensure!(
        judged.len() > 1,
        "--study kinds compares kinds of topics: all judged ones have the same {label}"
    );
    let teams: BTreeSet<String> =
        results.runs.iter().map(|run| table::team(&run.name).unwrap_or_else(|| run.name.clone())).collect();
    let pairs: Vec<String> = (0..judged.len())
        .flat_map(|left| (left + 1..judged.len()).map(move |right| (left, right)))
        .map(|(left, right)| format!("{}:{}", judged[left].name, judged[right].name))
        .collect();
    let by_several = results.sets.len() > 1;
    let mut columns = Vec::new();
    if by_several {
        columns.push(Column::left("Judgments"));
    }
    columns.push(Column::left("Measure"));
    columns.extend(["teams", "runs", "mean gap"].map(Column::right));
    for group in ["Kendall's tau", "swapped pairs", "mean swaps"] {
        columns.extend(pairs.iter().map(|pair| Column::right(pair.as_str()).under(group)));
    }
    #[expect(clippy::cast_precision_loss, reason = "counts")]
    let count = |number: usize| Cell::number(number as f64, 0);
    let mut rows = Vec::new();
    for set in &results.sets {
        for measure in 0..results.num_measures() {
            let study = strata::study(results, set, &judged, measure);
            let mut cells = Vec::new();
            if by_several {
                cells.push(Cell::text(set.name.as_str()));
            }
            cells.push(Cell::text(results.columns[measure].name.as_str()));
            cells.extend([teams.len(), results.runs.len()].map(count));
            cells.push(study.mean_gap.map_or_else(|| Cell::text("–"), |gap| Cell::number(gap, 3)));
            let tau = |tau: Option<f64>| tau.map_or_else(|| Cell::text("–"), |tau| Cell::number(tau, 2));
            cells.extend(study.pairs.iter().map(|pair| tau(pair.tau_b)));
            #[expect(clippy::cast_precision_loss, reason = "a number of pairs")]
            cells.extend(study.pairs.iter().map(|pair| Cell::number(pair.swaps as f64, 0)));
            cells.extend(study.pairs.iter().map(|pair| Cell::number(pair.mean_move, 1)));
            rows.push(Row::Cells(cells));
        }
    }
    let topics = judged.iter().map(|kind| {
        let judged = kind
            .topics
            .iter()
            .filter(|topic| results.sets.iter().any(|set| set.qrels.topic(topic).is_some()))
            .count();
        format!("{} {judged}", kind.name)
    });
    let topics: Vec<String> = topics.collect();
    if results.runs.len() == 2 {
        warn("--study kinds: with two runs Kendall's tau is 1 or -1; give all runs of the collection");
    }
    let footnotes = vec![
        format!("Judged topics: {}. Kendall's tau is tau-b, over the runs given here.", topics.join(", ")),
        "mean gap: mean difference between adjacent runs when ranked by all topics. swapped pairs: pairs of runs in \
         the opposite order. mean swaps: mean number of places by which a run moves."
            .to_owned(),
        "A run whose name follows no convention, such as a baseline, is a team of its own.".to_owned(),
    ];
    let caption = vec![format!("Rankings of runs by {label} of the topics")];
    Ok(Table { caption, columns, rows, footnotes })
}
