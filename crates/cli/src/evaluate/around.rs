//! What surrounds the numbers: chance, ceiling, intervals, ties, unjudged results.

use super::json::range;
use super::score::{Results, ScoredSet};
use super::table::{Sections, decimals};
use anyhow::Result;
use eval::{Aggregate, Cases, Codes, Judgments, ResultGrade, RunScores, TopicPolicy, average};
use figures::table::{Cell, Column, Row, Table};
use serde_json::{Map, Value};
use stats::rng::Rng;
use stats::summary::{Interval, t_interval};

/// How sure intervals are.
const LEVEL: f64 = 0.95;

/// The interval of a mean by Student's t; nothing for fewer than two topics, nor where the value is
/// a sum or a geometric mean.
pub(crate) fn interval_of(scores: &RunScores, measure: usize, policy: TopicPolicy) -> Option<Interval> {
    if scores.measures[measure].aggregate() != Aggregate::Mean {
        return None;
    }
    let values: Vec<f64> = scores.admitted(policy).map(|topic| topic.values[measure]).collect();
    t_interval(&values, LEVEL).ok()
}

/// The interval of one of the results.
pub(super) fn interval(
    results: &Results<'_>,
    set: &ScoredSet,
    run: usize,
    measure: usize,
) -> Option<Interval> {
    interval_of(&set.scores[run], measure, results.policy)
}

/// Floor, ceiling, chance-adjusted value and interval of every value.
pub(super) fn surroundings(results: &Results<'_>) -> Table {
    let titles = ["value", "from", "to", "chance", "highest", "adjusted"];
    let mut columns = vec![Column::left("Run"), Column::left("Measure")];
    columns.extend(titles.map(Column::right));
    let mut rows = Vec::new();
    for set in &results.sets {
        if results.sets.len() > 1 {
            rows.push(Row::Section(set.name.clone()));
        }
        for (run, scores) in set.scores.iter().enumerate() {
            for measure in 0..results.num_measures() {
                let around = set.bounds.around(scores, measure, results.policy);
                let interval = interval(results, set, run, measure);
                let decimals = decimals(results, measure);
                let optional = |value: Option<f64>| {
                    value.map_or_else(Cell::default, |value| Cell::number(value, decimals))
                };
                rows.push(Row::Cells(vec![
                    Cell::text(results.runs[run].name.as_str()),
                    Cell::text(results.columns[measure].name.as_str()),
                    Cell::number(scores.average(measure, results.policy).value, decimals),
                    optional(interval.map(|interval| interval.low)),
                    optional(interval.map(|interval| interval.high)),
                    optional(around.floor),
                    Cell::number(around.ceiling, decimals),
                    optional(around.adjusted),
                ]));
            }
        }
    }
    let footnotes = vec![
        "from, to: 95 % interval of the mean (Student's t over topics). chance: expected value of a random order of \
         the judged pool. highest: value of its best order. adjusted: 0 at chance, 1 at highest."
            .to_owned(),
    ];
    Table { caption: vec!["Around the values".to_owned()], columns, rows, footnotes }
}

/// What surrounds one value, as JSON.
pub(super) fn json(results: &Results<'_>, set: usize, run: usize, measure: usize) -> Value {
    let set = &results.sets[set];
    let scores = &set.scores[run];
    let around = set.bounds.around(scores, measure, results.policy);
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("chance", around.floor.into());
    put("highest", around.ceiling.into());
    put("adjusted", around.adjusted.into());
    if let Some(interval) = interval(results, set, run, measure) {
        put("interval_95", range(interval.low, interval.high));
    }
    if results.args.around.ties {
        let (low, high) = tie_bounds(results, set, run, measure);
        put("over_ties", range(low, high));
    }
    object.into()
}

fn tie_bounds(results: &Results<'_>, set: &ScoredSet, run: usize, measure: usize) -> (f64, f64) {
    let scores = &set.scores[run];
    let bound = |of: fn(&std::ops::Range<f64>) -> f64| {
        let topics = scores.admitted(results.policy).map(|topic| of(&topic.tie_bounds[measure]));
        average(&scores.measures[measure], topics).value
    };
    (bound(|range| range.start), bound(|range| range.end))
}

/// The lowest and highest value over all orders of tied results.
pub(super) fn ties(results: &Results<'_>) -> Table {
    let mut columns = vec![Column::left("Run"), Column::left("Measure")];
    columns.extend(["lowest", "as ordered", "highest", "tied results"].map(Column::right));
    let mut rows = Vec::new();
    for set in &results.sets {
        if results.sets.len() > 1 {
            rows.push(Row::Section(set.name.clone()));
        }
        for (run, scores) in set.scores.iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "counts")]
            let tied = scores.admitted(results.policy).map(|topic| topic.num_tied).sum::<usize>() as f64;
            for measure in 0..results.num_measures() {
                let (low, high) = tie_bounds(results, set, run, measure);
                let decimals = decimals(results, measure);
                rows.push(Row::Cells(vec![
                    Cell::text(results.runs[run].name.as_str()),
                    Cell::text(results.columns[measure].name.as_str()),
                    Cell::number(low, decimals),
                    Cell::number(scores.average(measure, results.policy).value, decimals),
                    Cell::number(high, decimals),
                    Cell::number(tied, 0),
                ]));
            }
        }
    }
    let footnotes = vec!["Results with equal scores are ordered by id, highest first.".to_owned()];
    Table { caption: vec!["Over all orders of tied results".to_owned()], columns, rows, footnotes }
}

/// What each value could be if the unjudged results were judged.
pub(super) fn unjudged(results: &Results<'_>) -> Result<Table> {
    let mut columns = vec![Column::left("Run"), Column::left("Measure")];
    columns.extend(["worst", "as judged", "expected", "best"].map(Column::right));
    let mut rows = Vec::new();
    for set in &results.sets {
        if results.sets.len() > 1 {
            rows.push(Row::Section(set.name.clone()));
        }
        let judgments = Judgments::new(&set.qrels, Codes::Unjudged);
        let highest_grade = judgments.topics().iter().filter_map(|topic| topic.pool().grades().first()).max();
        let highest_grade = highest_grade.copied().unwrap_or(1).max(1);
        for run in Sections::new(results)?.runs() {
            let measures: Vec<usize> = (0..results.num_measures()).collect();
            let lines = parallel::map(&measures, |&measure| {
                let with_all = set.scores[run].measures[measure].clone().over_all_results();
                let mut rng = Rng::seeded(results.args.compare.seed);
                let mut cases: Vec<(Cases, f64)> = Vec::new();
                for (topic, scores) in judgments.topics().iter().zip(&set.scores[run].topics) {
                    if !results.policy.admits(scores) {
                        continue;
                    }
                    let verdicts: Vec<ResultGrade> = match results.runs[run].run.topic(topic.id()) {
                        None => Vec::new(),
                        Some(rows) => results
                            .with_pipeline(run, |pipeline| {
                                pipeline.rank(rows, topic).map(|ranking| {
                                    ranking.entries.iter().map(|entry| entry.verdict).collect()
                                })
                            })
                            .unwrap_or_default(),
                    };
                    let judged =
                        with_all.score_filtered(eval::Ranked { grades: &verdicts, judged: topic.pool() });
                    cases.push((eval::cases(&with_all, &verdicts, topic, highest_grade, &mut rng), judged));
                }
                let mean = |of: fn(&(Cases, f64)) -> f64| average(&with_all, cases.iter().map(of)).value;
                let values = [
                    mean(|(cases, _)| cases.worst),
                    mean(|(_, judged)| *judged),
                    mean(|(cases, _)| cases.expected),
                    mean(|(cases, _)| cases.best),
                ];
                (with_all.to_string(), values)
            });
            for (measure, (name, values)) in lines.into_iter().enumerate() {
                let mut cells = vec![Cell::text(results.runs[run].name.as_str()), Cell::text(name)];
                cells.extend(values.map(|value| Cell::number(value, decimals(results, measure))));
                rows.push(Row::Cells(cells));
            }
        }
    }
    let footnotes = vec![format!(
        "Unjudged results stay in the ranking here. worst, best: over all ways to call them irrelevant or of the \
         highest grade; expected: mean of {} random verdicts with the frequencies of the topic's judgments, seed {}.",
        eval::DRAWS,
        results.args.compare.seed
    )];
    Ok(Table { caption: vec!["If the unjudged results were judged".to_owned()], columns, rows, footnotes })
}
