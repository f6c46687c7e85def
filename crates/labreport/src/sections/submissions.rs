//! Who sent what: runs by task, team, type and depth of pooling.

use crate::document::Section;
use crate::input::{Pooled, Role, System};
use crate::scored::ScoredTask;
use crate::words::{count, count_cell};
use figures::table::{Cell, Column, Row, Table};
use formats::check::{Evaluation, RunType};
use std::collections::BTreeMap;

/// The table of submissions.
pub(super) fn section(tasks: &[ScoredTask<'_, '_>]) -> Section {
    let mut section = Section::new("submissions", "Submissions");
    if tasks.iter().all(|task| task.task.systems.is_empty()) {
        if !tasks.is_empty() {
            section.paragraph("No run has been handed in.");
        }
        return section;
    }
    let mut rows = Vec::new();
    let mut footnotes = Vec::new();
    for task in tasks {
        let (members, totals) = counts(&task.task.systems);
        rows.push(Row::Section(task.task.name.clone()));
        rows.extend(members.iter().map(|(name, counts)| row(name.clone(), *counts)));
        let all = task.task.systems.len();
        rows.push(row(format!("Totals ({})", count(all, "run", "runs")), totals));
    }
    let systems = || tasks.iter().flat_map(|task| &task.task.systems);
    if systems().any(|system| system.role == Role::Baseline) {
        footnotes.push(
            "Baselines were made by the organisers; they count by the depth to which they were pooled."
                .to_owned(),
        );
    }
    let not_pooled = systems().filter(|system| system.pooled == Pooled::Not).count();
    if not_pooled > 0 {
        let verb = if not_pooled == 1 { "was" } else { "were" };
        footnotes.push(format!("{} {verb} not pooled.", count(not_pooled, "run", "runs")));
    }
    let warned: Vec<&System> = systems().filter(|system| system.warnings > 0).collect();
    if !warned.is_empty() {
        let warnings: usize = warned.iter().map(|system| system.warnings).sum();
        let verb = if warned.len() == 1 { "was" } else { "were" };
        footnotes.push(format!(
            "{} {verb} handed in with warnings, {warnings} in all.",
            count(warned.len(), "run", "runs")
        ));
    }
    let filtered: Vec<&System> = systems().filter(|system| system.filtered > 0).collect();
    if !filtered.is_empty() {
        let hits: usize = filtered.iter().map(|system| system.filtered).sum();
        let verb = if hits == 1 { "was" } else { "were" };
        footnotes.push(format!(
            "{} of {} {verb} filtered for breaking a rule of the guidelines.",
            count(hits, "hit", "hits"),
            count(filtered.len(), "run", "runs")
        ));
    }
    let columns = vec![
        Column::left("Team"),
        Column::right("Primary").under("Automatic"),
        Column::right("Alternate").under("Automatic"),
        Column::right("Primary").under("Manual"),
        Column::right("Alternate").under("Manual"),
    ];
    let caption = vec!["Submitted runs by task and team.".to_owned()];
    section.table("submissions", Table { caption, columns, rows, footnotes });
    section
}

/// Automatic primary, automatic alternate, manual primary, manual alternate.
type Counts = [usize; 4];

/// The counts of each row, baselines first and teams by the alphabet, and their sum.
fn counts(systems: &[System]) -> (Vec<(String, Counts)>, Counts) {
    let mut baselines = [0; 4];
    let mut teams: BTreeMap<(String, &str), Counts> = BTreeMap::new();
    for system in systems {
        let primary = match system.role {
            Role::Submitted(evaluation) => evaluation == Evaluation::Primary,
            Role::Baseline => system.pooled == Pooled::AsPrimary,
        };
        let place = 2 * usize::from(system.run_type == RunType::Manual) + usize::from(!primary);
        match system.role {
            Role::Baseline => baselines[place] += 1,
            Role::Submitted(_) => {
                teams.entry((system.team.to_lowercase(), &system.team)).or_default()[place] += 1;
            }
        }
    }
    let mut rows: Vec<(String, Counts)> =
        teams.into_iter().map(|((_, team), counts)| (team.to_owned(), counts)).collect();
    let num_baselines = baselines.iter().sum::<usize>();
    if num_baselines > 0 {
        let name = if num_baselines == 1 { "Baseline" } else { "Baselines" };
        rows.insert(0, (name.to_owned(), baselines));
    }
    let mut totals = [0; 4];
    for (_, counts) in &rows {
        totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
    }
    (rows, totals)
}

/// A row; what there is none of stays blank, as in the lab's tables.
fn row(name: String, counts: Counts) -> Row {
    let cell = |count: usize| if count == 0 { Cell::default() } else { count_cell(count) };
    Row::Cells(std::iter::once(Cell::text(name)).chain(counts.map(cell)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{baseline, manual, primary, submitted};

    /// Table 1 of the overview of ARQMath-3, Task 1.
    #[test]
    fn the_totals_of_arqmath_3() {
        let mut systems: Vec<System> = (0..5).map(|n| baseline(&format!("b{n}"))).collect();
        systems[0].pooled = Pooled::AsPrimary;
        systems[1].pooled = Pooled::AsPrimary;
        for (team, alternates) in [
            ("Approach0", 4),
            ("TU_DBS", 4),
            ("DPRL", 4),
            ("MathDowsers", 2),
            ("MIRMU", 4),
            ("MSM", 4),
            ("SCM", 4),
        ] {
            let runs = std::iter::once(primary(team, "p"))
                .chain((0..alternates).map(|n| submitted(team, &n.to_string())));
            systems.extend(runs.map(|run| if team == "Approach0" { manual(run) } else { run }));
        }
        let (rows, totals) = counts(&systems);
        let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Baselines", "Approach0", "DPRL", "MathDowsers", "MIRMU", "MSM", "SCM", "TU_DBS"]);
        assert_eq!(rows[0].1, [2, 3, 0, 0]);
        assert_eq!(rows[1].1, [0, 0, 1, 4]);
        assert_eq!(totals, [8, 25, 1, 4]);
        assert_eq!(systems.len(), 38);
    }
}
