//! Scores of Task 3 as tables and JSON.

use super::super::Eval;
use super::super::table::DECIMALS;
use super::Scored;
use super::entries::Entry;
use anyhow::{Context, Result};
use collection::qrels::Qrels;
use collection::{Flags, TopicId};
use eval::task3::{Relevance, UnrelatedByRelevance};
use report::table::{Cell, Column, Mark, Row, Table};
use serde_json::{Map, Value, json};

/// All runs by all measures there are.
pub(super) fn table(
    entries: &[Entry],
    scored: &[Scored],
    best: &Relevance,
    flags: Option<&Flags>,
    qrels: &Qrels,
) -> Table {
    let measures: Vec<Vec<(&str, f64)>> = scored.iter().map(Scored::measures).collect();
    let shown: Vec<&str> = ["AR", "P@1", "LO", "MG", "UI"]
        .into_iter()
        .filter(|name| measures.iter().flatten().any(|(shown, _)| shown == name))
        .collect();
    let value = |run: usize, name: &str| {
        measures[run].iter().find(|(shown, _)| *shown == name).map(|(_, value)| *value)
    };
    let mut columns = vec![Column::left("Run"), Column::right("topics")];
    columns.extend(shown.iter().map(|name| Column::right(*name)));
    let mut order: Vec<usize> = (0..entries.len()).collect();
    let first = shown.first().copied().unwrap_or("AR");
    order.sort_by(|a, b| {
        let of = |run: usize| value(run, first).unwrap_or(f64::NEG_INFINITY);
        of(*b).total_cmp(&of(*a))
    });
    let mut highest = vec![Cell::text("highest possible").marked(Mark::Dim), count(best.num_topics())];
    highest.extend(best.ar().map(|value| Cell::number(value, 3).marked(Mark::Dim)));
    highest.extend(best.p_at_1().value().map(|value| Cell::number(value, 3).marked(Mark::Dim)));
    let mut rows = if shown.contains(&"AR") { vec![Row::Cells(highest), Row::Rule] } else { Vec::new() };
    for run in order {
        let mut cells = vec![Cell::text(entries[run].name.as_str()), count(scored[run].topics())];
        for name in &shown {
            let values = (0..entries.len()).filter_map(|run| value(run, name));
            let lower_is_better = matches!(*name, "MG" | "UI");
            let best = if lower_is_better { values.reduce(f64::min) } else { values.reduce(f64::max) };
            cells.push(match value(run, name) {
                None => Cell::text("–"),
                Some(found) if entries.len() > 1 && Some(found) == best => {
                    Cell::number(found, 3).marked(Mark::Best)
                }
                Some(found) => Cell::number(found, 3),
            });
        }
        rows.push(Row::Cells(cells));
    }
    let mut footnotes = vec![format!(
        "AR: mean grade, from 0 to 3; P@1: share of grades 2 and 3; over {}. System failure and \"do not know\" \
             count 0.",
        best.mean_over
    )];
    if let Some(overlap) = scored.iter().find_map(|scored| scored.overlap.as_ref()) {
        let rules: Vec<String> =
            overlap.rules.iter().map(|rule| format!("{}: {}", rule.name, rule.value)).collect();
        footnotes.push(format!(
            "LO: {}; {}.",
            overlap.measure,
            rules[..rules.len().saturating_sub(1)].join("; ")
        ));
        footnotes.push("LO leaves out references that only the run's own team returned.".to_owned());
    }
    for (entry, scored) in entries.iter().zip(scored) {
        let left_out: Vec<&str> =
            scored.relevance.iter().flat_map(Relevance::left_out).map(|topic| topic.topic.as_str()).collect();
        let judged_elsewhere = |topic: &&&str| qrels.topic(&TopicId::from(**topic)).is_some();
        let missing = left_out.iter().filter(judged_elsewhere).count();
        if missing > 0 {
            let topics = if missing == 1 { "topic has" } else { "topics have" };
            footnotes.push(format!("{}: {missing} judged {topics} no judged answer of it.", entry.name));
        }
    }
    if let Some(flags) = flags {
        let by_relevance = UnrelatedByRelevance::count(flags, qrels);
        let (unrelated, all) = (by_relevance.not_relevant_of_unrelated(), by_relevance.not_relevant_of_all());
        if let (Some(of_unrelated), Some(of_all)) = (unrelated.value(), all.value()) {
            footnotes.push(format!(
                "Of answers with unrelated information {:.2} % are not relevant ({unrelated}), of all {:.2} % ({all}).",
                100.0 * of_unrelated,
                100.0 * of_all
            ));
        }
    }
    Table { caption: Vec::new(), columns, rows, footnotes }
}

#[expect(clippy::cast_precision_loss, reason = "a number of topics")]
fn count(number: usize) -> Cell {
    Cell::number(number as f64, 0)
}

pub(super) fn per_topic(entries: &[Entry], scored: &[Scored]) -> Table {
    let mut columns = vec![Column::left("Topic"), Column::left("Run"), Column::left("Measure")];
    columns.push(Column::right("value"));
    let mut lines: Vec<(TopicId, usize, &'static str, f64)> = Vec::new();
    for (run, scored) in scored.iter().enumerate() {
        for (topic, values) in scored.per_topic() {
            lines.extend(values.into_iter().map(|(name, value)| (topic.clone(), run, name, value)));
        }
    }
    lines.sort_by(|a, b| a.0.natural_cmp(&b.0).then(a.1.cmp(&b.1)));
    let row = |(topic, run, name, value): (TopicId, usize, &'static str, f64)| {
        let name = Cell::text(name);
        Row::Cells(vec![
            Cell::text(topic.as_str()),
            Cell::text(entries[run].name.as_str()),
            name,
            Cell::number(value, DECIMALS),
        ])
    };
    Table { caption: Vec::new(), columns, rows: lines.into_iter().map(row).collect(), footnotes: Vec::new() }
}

pub(super) fn json(args: &Eval, entries: &[Entry], scored: &[Scored], best: &Relevance) -> Result<String> {
    let pairs = |values: Vec<(&'static str, f64)>| -> Value {
        values.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect::<Map<_, _>>().into()
    };
    let objects: Vec<Value> = entries
        .iter()
        .zip(scored)
        .map(|(entry, scored)| {
            let mut object = json!({
                "run": entry.name,
                "topics": scored.topics(),
                "measures": pairs(scored.measures()),
                "averaged_over": best.mean_over.to_string(),
                "highest": { "AR": best.ar(), "P@1": best.p_at_1().value() },
            });
            let left_out: Vec<String> = scored
                .relevance
                .iter()
                .flat_map(Relevance::left_out)
                .map(|topic| topic.topic.to_string())
                .collect();
            object["left_out"] = json!(left_out);
            if let Some(overlap) = &scored.overlap {
                let rules: Map<String, Value> =
                    overlap.rules.iter().map(|rule| (rule.name.to_owned(), json!(rule.value))).collect();
                object["LO"] =
                    json!({ "measure": overlap.measure, "rules": rules, "topics": overlap.num_topics() });
            }
            if args.per_topic {
                let topics = scored.per_topic().into_iter();
                object["per_topic"] = topics
                    .map(|(topic, values)| (topic.to_string(), pairs(values)))
                    .collect::<Map<_, _>>()
                    .into();
            }
            object
        })
        .collect();
    let mut out = serde_json::to_string_pretty(&objects).context("writing JSON")?;
    out.push('\n');
    Ok(out)
}
