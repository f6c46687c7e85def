//! Runs beside each other: significance, every two runs, correlations.

use super::score::{Results, ScoredSet};
use super::table::{Sections, decimals};
use super::{TestName, load};
use anyhow::{Context, Result, ensure};
use eval::{Aggregate, Comparison, Method, PairedTest, TopicPolicy, pairs};
use figures::table::{Cell, Column, Mark, Row, Table};
use serde_json::{Map, Value, json};
use stats::correlation::{pearson, spearman, tau_a, tau_ap_b, tau_b};
use stats::paired::Resampling;
use stats::power::{Goal, detectable_difference};
use stats::summary::standard_deviation;
use stats::tukey::randomised_tukey_hsd;

/// How often is resampled.
pub(crate) const RESAMPLES: u32 = 10_000;

/// What is called significant, once and twice starred.
pub(crate) const LEVELS: [f64; 2] = [0.05, 0.01];

fn method(results: &Results<'_>) -> Method {
    let compare = &results.args.compare;
    Method {
        test: compare.test.map_or(PairedTest::T, TestName::test),
        correction: compare.correction.correction(),
        policy: results.policy,
        resampling: Resampling { resamples: RESAMPLES, seed: compare.seed },
    }
}

/// The run that the others are compared with.
pub(super) fn base(results: &Results<'_>) -> Result<Option<usize>> {
    let against = results.args.compare.against.as_ref();
    against.map(|base| load::find(&results.runs, base, "--against")).transpose()
}

/// For each run and measure the comparison with the base; the base has none.
fn comparisons(results: &Results<'_>, set: &ScoredSet, base: usize) -> Vec<Vec<Option<Comparison>>> {
    let others: Vec<usize> = (0..set.scores.len()).filter(|run| *run != base).collect();
    let scores: Vec<_> = others.iter().map(|run| &set.scores[*run]).collect();
    let mut all = vec![Vec::with_capacity(results.num_measures()); set.scores.len()];
    for measure in 0..results.num_measures() {
        let found = eval::against(&set.scores[base], &scores, measure, method(results));
        all[base].push(None);
        for (run, comparison) in others.iter().zip(found) {
            all[*run].push(Some(comparison));
        }
    }
    all
}

/// The star of a comparison, if it has one.
pub(crate) fn star(comparison: &Comparison) -> Option<Mark> {
    match comparison.corrected? {
        p if p < LEVELS[1] => Some(Mark::DoubleStar),
        p if p < LEVELS[0] => Some(Mark::Star),
        _ => None,
    }
}

/// Stars for the overview: by judgments, run and measure.
pub(super) fn marks(results: &Results<'_>) -> Result<Vec<Vec<Vec<Option<Mark>>>>> {
    let base = base(results)?;
    let mark = |comparison: &Option<Comparison>| star(comparison.as_ref()?);
    let of_set = |set: &ScoredSet| match base {
        None => vec![vec![None; results.num_measures()]; set.scores.len()],
        Some(base) => {
            comparisons(results, set, base).iter().map(|run| run.iter().map(mark).collect()).collect()
        }
    };
    Ok(results.sets.iter().map(of_set).collect())
}

/// What the stars mean.
pub(super) fn footnote(results: &Results<'_>) -> Option<String> {
    let base = results.args.compare.against.as_ref()?;
    let method = method(results);
    let name = load::find(&results.runs, base, "--against").ok().map(|run| results.runs[run].name.clone())?;
    Some(format!(
        "* p < {}, ** p < {} against {name} ({}, two-sided, {} over the runs).",
        LEVELS[0], LEVELS[1], method.test, method.correction
    ))
}

/// The comparison with the base, as JSON by judgments and run.
pub(super) fn values(results: &Results<'_>) -> Result<Option<Vec<Vec<Value>>>> {
    let Some(base) = base(results)? else { return Ok(None) };
    let method = method(results);
    let of_set = |set: &ScoredSet| {
        let object = |run: &Vec<Option<Comparison>>| {
            let mut measures = Map::new();
            for (column, comparison) in results.columns.iter().zip(run) {
                if let Some(c) = comparison {
                    let value = json!({
                        "difference": c.difference, "p": c.p, "p_corrected": c.corrected, "effect": c.effect,
                        "topics": c.topics, "better": c.better, "equal": c.equal, "worse": c.worse,
                    });
                    measures.insert(column.name.clone(), value);
                }
            }
            json!({
                "run": results.runs[base].name, "test": method.test.to_string(),
                "correction": method.correction.to_string(), "measures": measures,
            })
        };
        comparisons(results, set, base).iter().map(object).collect()
    };
    Ok(Some(results.sets.iter().map(of_set).collect()))
}

/// Every run beside the base: difference, p, effect, topics won and lost.
pub(super) fn against(results: &Results<'_>) -> Result<Table> {
    let base = base(results)?.context("no base to compare with")?;
    ensure!(results.runs.len() > 1, "--against compares runs: give another one than the base");
    let sections = Sections::new(results)?;
    let mut columns = vec![Column::left("Run"), Column::left("Measure")];
    columns.extend(
        ["difference", "p", "corrected", "effect", "better", "equal", "worse", "detectable"]
            .map(Column::right),
    );
    let mut rows = Vec::new();
    let mut topics = Vec::new();
    let mut tiny = false;
    for set in &results.sets {
        if results.sets.len() > 1 {
            rows.push(Row::Section(set.name.clone()));
        }
        let comparisons = comparisons(results, set, base);
        for run in sections.runs().filter(|run| *run != base) {
            if let Some(Some(c)) = comparisons[run].first() {
                topics.push(format!("{} {}", results.runs[run].name, c.topics));
            }
            for (measure, comparison) in comparisons[run].iter().enumerate() {
                let Some(c) = comparison else { continue };
                tiny |= c.p.is_some_and(|p| p < 0.000_05);
                let decimals = decimals(results, measure);
                let optional = |value: Option<f64>, decimals| {
                    value.map_or_else(|| Cell::text("–"), |value| Cell::number(value, decimals))
                };
                let mut cells = vec![
                    Cell::text(results.runs[run].name.as_str()),
                    Cell::text(results.columns[measure].name.as_str()),
                    Cell::number(c.difference, decimals),
                    optional(c.p, 4),
                    optional(c.corrected, 4),
                    optional(c.effect, 3),
                ];
                #[expect(clippy::cast_precision_loss, reason = "numbers of topics")]
                cells.extend([c.better, c.equal, c.worse].map(|count| Cell::number(count as f64, 0)));
                cells.push(optional(detectable(results, set, run, base, measure), decimals));
                rows.push(Row::Cells(cells));
            }
        }
    }
    let mut footnotes = vec![
        format!("{}, two-sided, {} over the runs.", method(results).test, method(results).correction),
        "effect: mean difference in standard deviations of the differences. detectable: the difference that a t-test \
         with as many topics would find four times out of five (alpha 0.05)."
            .to_owned(),
    ];
    if tiny {
        footnotes.push("A p of 0.0000 is less than 0.00005; --format csv has all digits.".to_owned());
    }
    if differs_by_run(results.policy) {
        footnotes.push(format!(
            "Over topics that count for both runs, so that a difference is not that of the means above: {}.",
            topics.join(", ")
        ));
    }
    let caption = vec![format!("Against {}", results.runs[base].name)];
    Ok(Table { caption, columns, rows, footnotes })
}

/// Whether the topics that count are others for each run.
fn differs_by_run(policy: TopicPolicy) -> bool {
    matches!(policy, TopicPolicy::Returned | TopicPolicy::Judged)
}

fn detectable(
    results: &Results<'_>,
    set: &ScoredSet,
    run: usize,
    base: usize,
    measure: usize,
) -> Option<f64> {
    if set.scores[run].measures[measure].aggregate() != Aggregate::Mean {
        return None;
    }
    let (values, base) = pairs(&set.scores[run], &set.scores[base], measure, results.policy);
    let differences: Vec<f64> = values.iter().zip(&base).map(|(value, base)| value - base).collect();
    let deviation = standard_deviation(&differences).ok()?;
    let topics = u32::try_from(differences.len()).ok()?;
    detectable_difference(topics, deviation, &Goal { alpha: LEVELS[0], power: 0.8 }).ok()
}

/// Every two runs by each measure, corrected for all pairs.
pub(super) fn tukey(results: &Results<'_>) -> Result<Table> {
    ensure!(results.runs.len() > 1, "--tukey compares runs: give at least two");
    let mut columns = vec![Column::left("Run"), Column::left("Other run"), Column::left("Measure")];
    columns.extend(["difference", "p"].map(Column::right));
    let mut rows = Vec::new();
    let mut footnotes = Vec::new();
    let mut topics = Vec::new();
    let resampling = Resampling { resamples: RESAMPLES, seed: results.args.compare.seed };
    for set in &results.sets {
        if results.sets.len() > 1 {
            rows.push(Row::Section(set.name.clone()));
        }
        let counted: Vec<usize> = (0..set.scores[0].topics.len())
            .filter(|topic| set.scores.iter().all(|run| results.policy.admits(&run.topics[*topic])))
            .collect();
        topics.push(counted.len().to_string());
        for measure in 0..results.num_measures() {
            let matrix: Vec<Vec<f64>> = set
                .scores
                .iter()
                .map(|scores| counted.iter().map(|topic| scores.topics[*topic].values[measure]).collect())
                .collect();
            let name = &results.columns[measure].name;
            let test = randomised_tukey_hsd(&matrix, LEVELS[0], &resampling)
                .with_context(|| format!("--tukey, {name}"))?;
            for pair in &test.pairs {
                let mut p = Cell::number(pair.p_value, 4);
                if pair.p_value < LEVELS[1] {
                    p = p.marked(Mark::DoubleStar);
                } else if pair.p_value < LEVELS[0] {
                    p = p.marked(Mark::Star);
                }
                rows.push(Row::Cells(vec![
                    Cell::text(results.runs[pair.first].name.as_str()),
                    Cell::text(results.runs[pair.second].name.as_str()),
                    Cell::text(name.as_str()),
                    Cell::number(pair.difference, decimals(results, measure)),
                    p,
                ]));
            }
            footnotes.push(format!(
                "{name}: differences above {:.4} are significant (0.05).",
                test.honest_difference
            ));
        }
    }
    footnotes
        .push(format!("Randomised Tukey test, {RESAMPLES} resamples, seed {}.", results.args.compare.seed));
    if differs_by_run(results.policy) {
        footnotes.push(format!(
            "Over topics that count for all runs, so that a difference is not that of the means above: {}.",
            topics.join(", ")
        ));
    }
    Ok(Table { caption: vec!["Every two runs".to_owned()], columns, rows, footnotes })
}

/// A way to say how alike two lists are.
type Coefficient = fn(&[f64], &[f64]) -> Result<f64, stats::Error>;

/// How alike two lists are, in several ways.
const COEFFICIENTS: [(&str, Coefficient); 5] = [
    ("Pearson", pearson),
    ("Spearman", spearman),
    ("tau-b", tau_b),
    ("tau-a", tau_a),
    ("tau-AP,b", tau_ap_b),
];

/// Cells for all coefficients of two lists.
pub(super) fn coefficients(x: &[f64], y: &[f64]) -> Vec<Cell> {
    let cell = |value: Result<f64, _>| value.map_or_else(|_| Cell::text("–"), |value| Cell::number(value, 3));
    COEFFICIENTS.iter().map(|(_, coefficient)| cell(coefficient(x, y))).collect()
}

/// The heads of the columns of [`coefficients`].
pub(super) fn coefficient_columns() -> impl Iterator<Item = Column> {
    COEFFICIENTS.iter().map(|(name, _)| Column::right(*name))
}

/// Correlation over the runs: between measures, and between judgments.
pub(super) fn correlations(results: &Results<'_>) -> Result<Vec<Table>> {
    ensure!(results.runs.len() > 2, "--correlate compares orders of runs: give at least three");
    let values = |set: &ScoredSet, measure: usize| -> Vec<f64> {
        set.scores.iter().map(|scores| scores.average(measure, results.policy).value).collect()
    };
    let table = |caption: String, first: &str, second: &str, rows: Vec<Row>| {
        let mut columns = vec![Column::left(first), Column::left(second)];
        columns.extend(coefficient_columns());
        Table { caption: vec![caption], columns, rows, footnotes: Vec::new() }
    };
    let runs = results.runs.len();
    let mut tables = Vec::new();
    for set in &results.sets {
        let mut rows = Vec::new();
        for left in 0..results.num_measures() {
            for right in left + 1..results.num_measures() {
                let mut cells =
                    [left, right].map(|measure| Cell::text(results.columns[measure].name.as_str())).to_vec();
                cells.extend(coefficients(&values(set, left), &values(set, right)));
                rows.push(Row::Cells(cells));
            }
        }
        if !rows.is_empty() {
            let by = if results.sets.len() > 1 { format!(" by {}", set.name) } else { String::new() };
            tables.push(table(
                format!("Correlation between measures over {runs} runs{by}"),
                "Measure",
                "Measure",
                rows,
            ));
        }
    }
    for measure in 0..results.num_measures() {
        let mut rows = Vec::new();
        for (index, left) in results.sets.iter().enumerate() {
            for right in &results.sets[index + 1..] {
                let mut cells = vec![Cell::text(left.name.as_str()), Cell::text(right.name.as_str())];
                cells.extend(coefficients(&values(left, measure), &values(right, measure)));
                rows.push(Row::Cells(cells));
            }
        }
        if !rows.is_empty() {
            let name = &results.columns[measure].name;
            let caption = format!("Correlation between judgments by {name} over {runs} runs");
            tables.push(table(caption, "Judgments", "Judgments", rows));
        }
    }
    Ok(tables)
}
