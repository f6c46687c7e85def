//! What if a team had not taken part, what if the pool had been shallower?

use super::{exposure_note, rows, run_cell};
use crate::document::Section;
use crate::error::{OverviewError, Scored};
use crate::input::{Kind, Output, Settings};
use crate::scored::ScoredTask;
use crate::words::{count_cell, optional};
use eval::{Codes, Duplicate, Setting, TeamRun, leave_one_team_out, pool_depths};
use figures::chart::{Lines, Range, Series, Spacing};
use figures::table::{Cell, Column, Row, Table};
use stats::correlation::{tau_ap_b, tau_b};

/// The two studies of a task with rankings.
pub(super) fn part(task: &ScoredTask<'_, '_>, settings: &Settings) -> Result<Section, OverviewError> {
    let key = &task.task.key;
    let mut section = Section::new(format!("{key}-reliability-part"), task.task.name.clone());
    let set = &task.task.current;
    let (Kind::Ranked(_), Some(qrels)) = (&task.task.kind, set.qrels) else { return Ok(section) };
    let mut systems = Vec::new();
    let mut runs = Vec::new();
    for system in task.systems() {
        // Baselines belong to nobody: each is a team of its own.
        let team = match task.is_baseline(system) {
            true => task.names[system].as_str(),
            false => task.task.systems[system].team.as_str(),
        };
        if let Some(Some(Output::Ranking(run))) = set.outputs.get(system)
            && task.current().value(system, 0).is_some()
        {
            systems.push(system);
            runs.push(TeamRun { run, team });
        }
    }
    if runs.len() < 2 {
        return Ok(section);
    }
    let tested = set.tested(qrels);
    let setting = Setting {
        qrels: &tested,
        codes: Codes::Unjudged,
        measure: &task.columns[0].measure,
        pipeline: set.pipeline,
        policy: set.policy,
    };
    let failed = |cause: Duplicate| {
        let (task, set) = (task.task.name.clone(), set.name.clone());
        let of = Box::new(Scored { task, system: "a run".to_owned(), set });
        OverviewError::Duplicate { of, cause: Box::new(cause) }
    };
    let depth = set.pool.as_ref().and_then(|pool| pool.depths.primary.max(pool.depths.alternate));
    let left_out = leave_one_team_out(&runs, setting, depth).map_err(failed)?;
    section.table(format!("{key}-left-out"), teams(task, &systems, &left_out, depth));
    if !settings.study_depths.is_empty() {
        let at = pool_depths(&runs, setting, &settings.study_depths).map_err(failed)?;
        let full: Vec<f64> = left_out.iter().map(|run| run.full).collect();
        depths(task, &full, &at, &mut section);
    }
    Ok(section)
}

fn teams(
    task: &ScoredTask<'_, '_>,
    systems: &[usize],
    left_out: &[eval::LeftOutRun],
    depth: Option<usize>,
) -> Table {
    let mut columns = vec![Column::left("Run")];
    columns.extend(
        ["all", "without own"].map(|title| Column::right(title).under(task.columns[0].name.as_str())),
    );
    columns.push(Column::right("change"));
    columns.extend(["all", "without own"].map(|title| Column::right(title).under("Place")));
    columns.push(Column::right("own judgments"));
    let rows = rows(task, |system| {
        let out = &left_out[systems.iter().position(|other| *other == system)?];
        Some(vec![
            run_cell(task, system),
            Cell::number(out.full, 3),
            Cell::number(out.without, 3),
            Cell::number(out.without - out.full, 3),
            count_cell(out.full_place),
            count_cell(out.without_place),
            count_cell(out.own_judgments),
        ])
    });
    let full: Vec<f64> = left_out.iter().map(|run| run.full).collect();
    let without: Vec<f64> = left_out.iter().map(|run| run.without).collect();
    let within = match depth {
        Some(depth) => format!("among its first {depth} results"),
        None => "at any place".to_owned(),
    };
    let mut footnotes = vec![format!(
        "Every run is scored without the judgments of documents that only its team returned {within} (own judgments), \
         as if the team had not taken part. A baseline is a team of its own."
    )];
    footnotes.extend(exposure_note(task, &rows));
    if let Ok(tau) = tau_b(&full, &without) {
        footnotes.push(format!("Kendall's tau-b between the two orders of the systems is {tau:.3}."));
    }
    let caption = vec![format!("{}: what if a team had not taken part?", task.task.name)];
    Table { caption, columns, rows, footnotes }
}

fn depths(task: &ScoredTask<'_, '_>, full: &[f64], at: &[eval::AtDepth], section: &mut Section) {
    let mut at: Vec<&eval::AtDepth> = at.iter().filter(|at| at.judgments > 0).collect();
    // Beyond the end of the longest run nothing changes any more.
    at.dedup_by_key(|at| at.judgments);
    let mut columns = vec![Column::left("Pool depth")];
    columns.extend(["judgments", "mean value", "tau-b", "tau-AP,b"].map(Column::right));
    let rows = at.iter().map(|at| {
        Row::Cells(vec![
            Cell::text(at.depth.to_string()),
            count_cell(at.judgments),
            optional(stats::summary::mean(&at.values).ok(), 3),
            optional(tau_b(full, &at.values).ok(), 3),
            optional(tau_ap_b(full, &at.values).ok(), 3),
        ])
    });
    let caption = vec![format!("{}: {} with shallower pools.", task.task.name, task.columns[0].name)];
    let footnotes = vec![
        "Only the judgments of documents that stand among the first results of a run are kept. tau: agreement of the \
         order of the systems with that by all judgments, Kendall's and the one that weighs the top."
            .to_owned(),
    ];
    section.table(
        format!("{}-depths", task.task.key),
        Table { caption, columns, rows: rows.collect(), footnotes },
    );
    if at.len() < 2 || full.len() < 3 {
        return;
    }
    type Tau = fn(&[f64], &[f64]) -> Result<f64, stats::Error>;
    #[expect(clippy::cast_precision_loss, reason = "depths are small")]
    let series = |name: &str, tau: Tau| Series {
        name: name.to_owned(),
        points: at.iter().map(|at| (at.depth as f64, tau(full, &at.values).unwrap_or(f64::NAN))).collect(),
        band: Vec::new(),
    };
    let chart = Lines {
        title: format!("{}: agreement with the whole pool", task.task.name),
        x_label: "pool depth".to_owned(),
        y_label: "tau with the order by all judgments".to_owned(),
        series: vec![series("tau-b", tau_b), series("tau-AP,b", tau_ap_b)],
        x_spacing: Spacing::Log,
        y_spacing: Spacing::Linear,
        x_range: Range::Data,
        y_range: Range::AtLeast { low: 0.5, high: 1.0 },
        decimals: 3,
        notes: Vec::new(),
    };
    section.chart(chart.to_svg(), "How deep must a pool be for the systems to stand in the same order?");
}
