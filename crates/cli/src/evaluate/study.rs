//! Studies of a test collection: what if judgments were taken away, do kinds of topics agree, do repeated
//! formulas matter, and how much is there to find?

mod instances;
pub(super) mod judgments;
mod kinds;

use super::StudyName;
use super::load::NamedRun;
use super::score::Results;
use super::table::{DECIMALS, team};
use anyhow::{Context, Result, ensure};
use eval::{AtDepth, Codes, LeftOutRun, Setting, TeamRun, leave_one_team_out, pool_depths};
use figures::table::{Cell, Column, Row, Table};
use stats::correlation::{tau_ap_b, tau_b};

/// The depths that are tried.
const DEPTHS: [usize; 8] = [1, 5, 10, 20, 50, 100, 200, 1000];

/// The study that was asked for. Those that take judgments away use the first measure and the first judgments.
pub(super) fn tables(results: &Results<'_>) -> Result<Vec<Table>> {
    let study = results.args.compare.study.context("no study was asked for")?;
    let is_of_runs = study != StudyName::Instances;
    ensure!(!is_of_runs || results.runs.len() > 1, "--study compares runs: give at least two");
    let of_instances = |run: &NamedRun| run.holds_instances(results.args);
    let alike = results.runs.iter().all(|run| of_instances(run) == of_instances(&results.runs[0]));
    ensure!(alike, "--study needs runs of one kind: some hold formula instances, others visual ids");
    match study {
        StudyName::Teams => Ok(vec![teams(results)?]),
        StudyName::Depth => Ok(vec![depths(results)?]),
        StudyName::Kinds => Ok(vec![kinds::table(results)?]),
        StudyName::Instances => instances::tables(results),
        StudyName::Judged | StudyName::Relevant => Ok(Vec::new()),
    }
}

fn with_setting<R>(results: &Results<'_>, work: impl FnOnce(&[TeamRun<'_>], Setting<'_>) -> R) -> R {
    let teams: Vec<String> =
        results.runs.iter().map(|run| team(&run.name).unwrap_or_else(|| run.name.clone())).collect();
    let runs: Vec<TeamRun<'_>> =
        results.runs.iter().zip(&teams).map(|(run, team)| TeamRun { run: &run.run, team }).collect();
    results.with_pipeline(0, |pipeline| {
        let setting = Setting {
            qrels: &results.sets[0].qrels,
            codes: Codes::Unjudged,
            measure: &results.sets[0].scores[0].measures[0],
            pipeline,
            policy: results.policy,
        };
        work(&runs, setting)
    })
}

fn teams(results: &Results<'_>) -> Result<Table> {
    let depth = results.args.compare.pool_depth.map(|depth| depth as usize);
    let left_out: Vec<LeftOutRun> =
        with_setting(results, |runs, setting| leave_one_team_out(runs, setting, depth))?;
    let mut columns = vec![Column::left("Run"), Column::left("Team")];
    columns
        .extend(["all judgments", "without own", "place", "without own", "own judgments"].map(Column::right));
    let mut order: Vec<usize> = (0..left_out.len()).collect();
    order.sort_by_key(|run| left_out[*run].full_place);
    #[expect(clippy::cast_precision_loss, reason = "counts")]
    let count = |number: usize| Cell::number(number as f64, 0);
    let rows = order.iter().map(|run| {
        let (name, out) = (&results.runs[*run].name, &left_out[*run]);
        Row::Cells(vec![
            Cell::text(name.as_str()),
            Cell::text(team(name).unwrap_or_else(|| name.clone())),
            Cell::number(out.full, DECIMALS),
            Cell::number(out.without, DECIMALS),
            count(out.full_place),
            count(out.without_place),
            count(out.own_judgments),
        ])
    });
    let full: Vec<f64> = left_out.iter().map(|out| out.full).collect();
    let without: Vec<f64> = left_out.iter().map(|out| out.without).collect();
    let mut footnotes = vec![
        "own judgments: those of documents that no other team's run returned. A run whose name follows no convention \
         is its own team."
            .to_owned(),
    ];
    footnotes.extend(agreement(&full, &without));
    let caption = vec![format!(
        "{} without the judgments that only the run's own team brought",
        results.columns[0].name
    )];
    Ok(Table { caption, columns, rows: rows.collect(), footnotes })
}

fn depths(results: &Results<'_>) -> Result<Table> {
    let mut at: Vec<AtDepth> = with_setting(results, |runs, setting| pool_depths(runs, setting, &DEPTHS))?;
    // Beyond the end of the longest run nothing changes any more.
    at.dedup_by_key(|at| at.judgments);
    let scores = &results.sets[0].scores;
    let full: Vec<f64> = scores.iter().map(|scores| scores.average(0, results.policy).value).collect();
    let mut columns = vec![Column::right("Pool depth")];
    columns.extend(["judgments", "mean value", "tau-b", "tau-AP,b"].map(Column::right));
    #[expect(clippy::cast_precision_loss, reason = "counts")]
    let row = |depth: Cell, judgments: usize, values: &[f64]| {
        let coefficient =
            |value: Result<f64, _>| value.map_or_else(|_| Cell::text("–"), |value| Cell::number(value, 3));
        Row::Cells(vec![
            depth,
            Cell::number(judgments as f64, 0),
            Cell::number(values.iter().sum::<f64>() / values.len() as f64, DECIMALS),
            coefficient(tau_b(&full, values)),
            coefficient(tau_ap_b(&full, values)),
        ])
    };
    #[expect(clippy::cast_precision_loss, reason = "a depth")]
    let mut rows: Vec<Row> =
        at.iter().map(|at| row(Cell::number(at.depth as f64, 0), at.judgments, &at.values)).collect();
    rows.push(row(Cell::text("all"), results.sets[0].qrels.num_rows(), &full));
    let footnotes = vec![
        "Only the judgments of documents that stand among the first results of a run given here. tau: agreement of the \
         order of the runs with that by all judgments."
            .to_owned(),
    ];
    let caption = vec![format!("{} with shallower pools", results.columns[0].name)];
    Ok(Table { caption, columns, rows, footnotes })
}

fn agreement(full: &[f64], without: &[f64]) -> Option<String> {
    let tau = tau_b(full, without).ok()?;
    Some(format!("tau-b between the two orders of the runs: {tau:.3}."))
}
