//! The lab in a few sentences, all of them computed.

use crate::document::Section;
use crate::input::{Lab, Role};
use crate::scored::{SIGNIFICANT, ScoredTask};
use crate::words::{count, count_cell, list, mean, optional};
use figures::table::{Cell, Column, Row, Table};
use std::collections::BTreeSet;

/// Sentences about the lab and a table of its numbers.
pub(super) fn section(lab: &Lab<'_>, tasks: &[ScoredTask<'_, '_>]) -> Section {
    let mut section = Section::new("summary", "Summary");
    if tasks.is_empty() {
        section.paragraph("The lab has no tasks yet.");
        return section;
    }
    section.paragraph(participation(lab, tasks));
    for task in tasks {
        if let Some(text) = best(task) {
            section.paragraph(text);
        }
    }
    section.table("summary", numbers(tasks));
    section
}

/// Who took part.
fn participation(lab: &Lab<'_>, tasks: &[ScoredTask<'_, '_>]) -> String {
    let mut teams = BTreeSet::new();
    let (mut runs, mut baselines) = (0, 0);
    for system in tasks.iter().flat_map(|task| &task.task.systems) {
        match system.role {
            Role::Baseline => baselines += 1,
            Role::Submitted(_) => {
                teams.insert(&system.team);
                runs += 1;
            }
        }
    }
    let name = if lab.name.is_empty() { "The lab" } else { &lab.name };
    let tasks_named = count(tasks.len(), "task", "tasks");
    let mut text = match runs {
        0 => format!("{name} has {tasks_named}; no team has handed in a run."),
        _ => {
            let by_task = tasks.iter().map(|task| {
                let runs = task.task.systems.iter().filter(|system| system.role != Role::Baseline).count();
                format!("{runs} for {}", task.task.name)
            });
            let took = if teams.len() == 1 { "1 team" } else { &format!("{} teams", teams.len()) };
            format!("In {name}, {took} took part with {}: {}.", count(runs, "run", "runs"), list(by_task))
        }
    };
    if baselines > 0 {
        text.push_str(&format!(" The organisers added {}.", count(baselines, "baseline", "baselines")));
    }
    text
}

/// The best run of a task, its interval, and whether it is better than the second.
fn best(task: &ScoredTask<'_, '_>) -> Option<String> {
    let set = task.current();
    let name = &task.task.name;
    if task.task.systems.is_empty() {
        return None;
    }
    if set.set.qrels.is_none() {
        return Some(format!("{name}: there are no judgments for {} yet.", set.set.name));
    }
    let ranking: Vec<usize> = task.ranking();
    let runs: Vec<usize> = ranking.iter().copied().filter(|system| !task.is_baseline(*system)).collect();
    let measure = &task.columns[0].name;
    let Some(first) = runs.first().copied() else {
        return Some(format!("{name}: no run has a judged result on {}.", set.set.name));
    };
    let manual = if task.is_manual(first) { "manual" } else { "automatic" };
    let average = set.average(first, 0)?;
    let mut text = format!(
        "{name}: the best run on {} is {} ({manual}) with {measure} {:.3}{} over {}.",
        set.set.name,
        task.names[first],
        average.value,
        interval(task, first),
        count(average.topics, "topic", "topics")
    );
    if let Some(second) = runs.get(1).copied() {
        text.push(' ');
        text.push_str(&second_best(task, first, second));
    }
    if task.is_manual(first)
        && let Some(automatic) = runs.iter().copied().find(|system| !task.is_manual(*system))
    {
        let value = set.value(automatic, 0)?;
        text.push_str(&format!(
            " The best automatic run is {} with {value:.3}{}.",
            task.names[automatic],
            interval(task, automatic)
        ));
    }
    if let Some(baseline) = ranking.iter().copied().find(|system| task.is_baseline(*system)) {
        let value = set.value(baseline, 0)?;
        let better = if value > average.value { ", which is more than any run" } else { "" };
        text.push_str(&format!(" The best baseline is {} with {value:.3}{better}.", task.names[baseline]));
    }
    Some(text)
}

fn interval(task: &ScoredTask<'_, '_>, system: usize) -> String {
    let interval = task.current().interval(system, 0);
    interval
        .map_or_else(String::new, |found| format!(" (95 % interval {:.3} to {:.3})", found.low, found.high))
}

fn second_best(task: &ScoredTask<'_, '_>, first: usize, second: usize) -> String {
    let value = task.current().value(second, 0).unwrap_or_default();
    let mut text = format!("Second is {} with {value:.3}", task.names[second]);
    if let Some(comparison) = task.pair(first, second) {
        let verdict = match comparison.p {
            Some(p) if p < SIGNIFICANT[0] => {
                format!("is significant ({}, p = {})", task.method.test, p_text(p))
            }
            Some(p) => format!("is not significant ({}, p = {})", task.method.test, p_text(p)),
            None => "cannot be tested".to_owned(),
        };
        let set = task.current();
        let of = |system: usize| set.average(system, 0).map_or(0, |average| average.topics);
        let both = match comparison.topics {
            topics if topics == of(first) && topics == of(second) => String::new(),
            topics => format!(" on the {topics} topics of both"),
        };
        text.push_str(&format!("; the difference of {:.3}{both} {verdict}", comparison.difference));
    }
    text.push('.');
    text
}

/// A p-value for a sentence.
fn p_text(p: f64) -> String {
    if p < 0.001 { "0.001 or less".to_owned() } else { format!("{p:.3}") }
}

/// The tasks in numbers.
fn numbers(tasks: &[ScoredTask<'_, '_>]) -> Table {
    let mut columns = vec![Column::left("Task")];
    columns.extend(["Teams", "Runs", "Baselines", "Topics", "Judged topics"].map(Column::right));
    columns.extend(
        ["pooled", "judged", "relevant"].map(|title| Column::right(title).under("Mean per judged topic")),
    );
    let rows = tasks.iter().map(|task| {
        let systems = &task.task.systems;
        let submitted = || systems.iter().filter(|system| system.role != Role::Baseline);
        let teams: BTreeSet<&String> = submitted().map(|system| &system.team).collect();
        let current = task.current();
        let judged: Vec<usize> = current.judged.iter().map(|(_, grades)| grades.len()).collect();
        let relevant: Vec<usize> = current
            .judged
            .iter()
            .map(|(_, grades)| grades.iter().filter(|grade| **grade >= 1).count())
            .collect();
        let is_judged = |topic| current.judged.is_empty() || current.judged.iter().any(|(id, _)| id == topic);
        let pooled: Vec<usize> = task
            .task
            .current
            .pool
            .iter()
            .flat_map(|pool| &pool.topics)
            .filter(|topic| is_judged(&topic.topic))
            .map(|topic| topic.items)
            .collect();
        let topics = task.task.current.topics.len();
        let judged_topics = current.num_topics();
        let known = |number: usize| if number == 0 { Cell::text("–") } else { count_cell(number) };
        Row::Cells(vec![
            Cell::text(task.task.name.as_str()),
            count_cell(teams.len()),
            count_cell(submitted().count()),
            count_cell(systems.len() - submitted().count()),
            known(topics),
            known(judged_topics),
            optional(mean(&pooled), 1),
            optional(mean(&judged), 1),
            optional(mean(&relevant), 1),
        ])
    });
    Table {
        caption: vec!["The lab in numbers.".to_owned()],
        columns,
        rows: rows.collect(),
        footnotes: vec![
            "judged: with a grade. relevant: with a grade of 1 or more. A dash stands where nothing is known.".to_owned(),
        ],
    }
}
