//! How far topics agree, as tables or JSON.

use super::{Format, Pair, RESAMPLES};
use anyhow::{Context, Result};
use eval::ToldApart;
use figures::table::{Cell, Colour, Column, Row, Table};
use serde_json::{Value, json};

pub(super) fn render(pairs: &[Pair<'_>], format: Format, seed: u64) -> Result<String> {
    let tables = || [correlations(pairs, seed), pairs_of_systems(pairs)];
    Ok(match format {
        Format::Text => tables().map(|table| table.to_text(Colour::Off)).join("\n"),
        Format::Markdown => tables().map(|table| table.to_markdown()).join("\n"),
        Format::Json => {
            serde_json::to_string_pretty(&object(pairs, seed)).context("writing the result")? + "\n"
        }
    })
}

fn number(value: Option<f64>) -> Cell {
    value.map_or_else(|| Cell::text("–"), |value| Cell::number(value, 3))
}

fn count(count: usize) -> Cell {
    Cell::number(count as f64, 0)
}

fn correlations(pairs: &[Pair<'_>], seed: u64) -> Table {
    let mut columns = vec![Column::left("A"), Column::left("B")];
    columns.extend(["systems", "topics A", "topics B", "tau-b"].map(Column::right));
    columns.push(Column::left("95 %"));
    columns.extend(["tau-AP", "Pearson"].map(Column::right));
    let row = |pair: &Pair<'_>| {
        let found = &pair.found;
        let interval = found
            .tau_interval
            .map_or_else(Cell::default, |ends| Cell::text(format!("{:.3} to {:.3}", ends.low, ends.high)));
        let sets = [pair.first, pair.second].map(|set| Cell::text(format!("{} ({})", set.name, set.measure)));
        let counts = [found.systems, pair.topics[0], pair.topics[1]].map(count);
        let mut cells: Vec<Cell> = sets.into_iter().chain(counts).collect();
        cells.extend([number(found.tau), interval, number(found.tau_ap), number(found.pearson)]);
        Row::Cells(cells)
    };
    Table {
        caption: vec!["Agreement on the order of systems by their mean scores".to_owned()],
        columns,
        rows: pairs.iter().map(row).collect(),
        footnotes: vec![
            format!("95 %: bootstrap interval of tau-b over systems ({RESAMPLES} resamples, seed {seed})."),
            "tau-AP: symmetric, corrected for ties; differences at the top of the ranking weigh more."
                .to_owned(),
        ],
    }
}

fn pairs_of_systems(pairs: &[Pair<'_>]) -> Table {
    let mut columns =
        vec![Column::left("told apart by"), Column::right("pairs"), Column::left("compared with")];
    columns.extend(["same way", "opposite way", "not told apart"].map(Column::right));
    let row = |by: &str, with: &str, told: ToldApart| {
        let mut cells = vec![Cell::text(by), count(told.pairs), Cell::text(with)];
        cells.extend([told.same, told.opposite, told.not].map(count));
        Row::Cells(cells)
    };
    let rows = |pair: &Pair<'_>| {
        let (first, second) = (pair.first.name.as_str(), pair.second.name.as_str());
        [row(first, second, pair.found.of_first), row(second, first, pair.found.of_second)]
    };
    Table {
        caption: vec![
            "Pairs of systems that one set tells apart, and what the other says of them".to_owned(),
        ],
        columns,
        rows: pairs.iter().flat_map(rows).collect(),
        footnotes: vec![
            "Told apart: paired t-test over topics, two-sided, Holm-corrected over all pairs, p < 0.05."
                .to_owned(),
        ],
    }
}

fn object(pairs: &[Pair<'_>], seed: u64) -> Value {
    let told = |told: ToldApart| json!({ "pairs": told.pairs, "same": told.same, "opposite": told.opposite, "not": told.not });
    let pair = |pair: &Pair<'_>| {
        let sets = [(pair.first, pair.topics[0]), (pair.second, pair.topics[1])]
            .map(|(set, topics)| json!({ "file": set.path, "measure": set.measure, "topics": topics }));
        let [first, second] = sets;
        let found = &pair.found;
        json!({
            "a": first,
            "b": second,
            "systems": found.systems,
            "tau_b": found.tau,
            "tau_b_interval_95": found.tau_interval.map(|ends| [ends.low, ends.high]),
            "tau_ap": found.tau_ap,
            "pearson": found.pearson,
            "told_apart_by_a": told(found.of_first),
            "told_apart_by_b": told(found.of_second),
        })
    };
    json!({
        "pairs": pairs.iter().map(pair).collect::<Vec<_>>(),
        "resamples": RESAMPLES,
        "seed": seed,
        "made_by": concat!("hypatia ", env!("CARGO_PKG_VERSION")),
    })
}
