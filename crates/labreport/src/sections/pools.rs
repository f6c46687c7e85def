//! What was pooled, what was judged of it, and who brought it.

use super::rows;
use crate::document::Section;
use crate::input::{Output, PoolStatistics, Pooled};
use crate::scored::ScoredTask;
use crate::words::{count, count_cell, mean, optional, percent};
use eval::{Codes, Judgments};
use figures::chart::{Bars, Bin, Dots, Estimate, Panel, Range, Shape, System, Tone};
use figures::table::{Cell, Column, Row, Table};
use formats::{DocId, TopicId};

/// More topics than this make no readable bars.
const MOST_TOPICS: usize = 130;

/// The pool of a task's current test set.
pub(super) fn part(task: &ScoredTask<'_, '_>) -> Section {
    let key = &task.task.key;
    let mut section = Section::new(format!("{key}-pool-part"), task.task.name.clone());
    let pool = task.task.current.pool.as_ref();
    if pool.is_none() && task.current().judged.is_empty() {
        return section;
    }
    match pool {
        Some(pool) => words(task, pool, &mut section),
        None => section.paragraph("How the pool was made is not recorded; these are the judgments."),
    }
    section.table(format!("{key}-pool"), sizes(task, pool));
    if let Some(svg) = sizes_chart(task, pool) {
        section.chart(
            svg,
            format!("The pool of each topic of {}, and what is relevant in it.", task.task.current.name),
        );
    }
    if let Some(pool) = pool.filter(|pool| pool.contributions.iter().any(Option::is_some)) {
        section.table(format!("{key}-contributions"), contributions(task, pool));
        section.chart(unique_chart(task, pool), "What no other system brought into the pool.");
    }
    section
}

fn words(task: &ScoredTask<'_, '_>, pool: &PoolStatistics, section: &mut Section) {
    let mut text = match (pool.depths.primary, pool.depths.alternate) {
        (Some(primary), Some(alternate)) if primary == alternate => {
            format!("The first {} of every run were pooled.", unit(task, primary))
        }
        (Some(primary), Some(alternate)) => format!(
            "The first {} of primary runs were pooled, and the first {alternate} of alternate ones.",
            unit(task, primary)
        ),
        (Some(depth), None) | (None, Some(depth)) => format!("The first {} were pooled.", unit(task, depth)),
        (None, None) => String::new(),
    };
    if let Some(seed) = pool.seed {
        text.push_str(&format!(" Chance was drawn from seed {seed}."));
    }
    if let Some(many) = pool.many_instances
        && let Some(share) = percent(many.items, many.of)
    {
        let have = if many.items == 1 { "has" } else { "have" };
        text.push_str(&format!(
            " {} of {} ({share}) {have} more than {}.",
            many.items,
            unit(task, many.of),
            count(many.more_than, "instance", "instances")
        ));
    }
    if !text.trim().is_empty() {
        section.paragraph(text.trim());
    }
    pool.notes.iter().for_each(|note| section.paragraph(note.clone()));
}

fn unit(task: &ScoredTask<'_, '_>, number: usize) -> String {
    count(number, &task.task.unit.one, &task.task.unit.many)
}

/// What is counted for each topic.
struct Counted {
    name: String,
    topics: Vec<(TopicId, usize)>,
}

fn counted(task: &ScoredTask<'_, '_>, pool: Option<&PoolStatistics>) -> Vec<Counted> {
    let many = &task.task.unit.many;
    let mut all = Vec::new();
    let mut add = |name: String, topics: Vec<(TopicId, usize)>| {
        if !topics.is_empty() {
            all.push(Counted { name, topics });
        }
    };
    if let Some(pool) = pool {
        let topics = &pool.topics;
        let items = topics.iter().map(|topic| (topic.topic.clone(), topic.items)).collect();
        add(format!("{many} pooled"), items);
        let instances =
            topics.iter().filter_map(|topic| Some((topic.topic.clone(), topic.instances?))).collect();
        add("instances pooled".to_owned(), instances);
        let judged: Vec<(TopicId, usize)> = topics
            .iter()
            .filter(|topic| topic.judged_items > 0)
            .map(|topic| (topic.topic.clone(), topic.judged_items))
            .collect();
        add(format!("{many} judged"), judged);
        let instances =
            topics.iter().filter_map(|topic| Some((topic.topic.clone(), topic.judged_instances?)));
        add("instances judged".to_owned(), instances.filter(|(_, judged)| *judged > 0).collect());
    }
    let judged = &task.current().judged;
    let at_least = |least: i32| -> Vec<(TopicId, usize)> {
        let relevant = |grades: &[i32]| grades.iter().filter(|grade| **grade >= least).count();
        judged.iter().map(|(topic, grades)| (topic.clone(), relevant(grades))).collect()
    };
    add("with a grade, in the means".to_owned(), at_least(0));
    add("with grade 1 or more".to_owned(), at_least(1));
    if task.task.relevant_from != 1 {
        add(
            format!("with grade {} or more ({})", task.task.relevant_from, task.task.relevant_name),
            at_least(task.task.relevant_from),
        );
    }
    all
}

fn sizes(task: &ScoredTask<'_, '_>, pool: Option<&PoolStatistics>) -> Table {
    let mut columns = vec![Column::left("")];
    columns.extend(["topics", "total", "mean", "median"].map(Column::right));
    columns.extend(["number", "topic"].map(|title| Column::right(title).under("Least")));
    columns.extend(["number", "topic"].map(|title| Column::right(title).under("Most")));
    let rows = counted(task, pool).into_iter().filter_map(|counted| {
        let numbers: Vec<usize> = counted.topics.iter().map(|(_, number)| *number).collect();
        // Of equal topics the first is named.
        let least = counted.topics.iter().min_by_key(|(_, number)| *number)?;
        let most = counted.topics.iter().rev().max_by_key(|(_, number)| *number)?;
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let plain: Vec<f64> = numbers.iter().map(|number| *number as f64).collect();
        Some(Row::Cells(vec![
            Cell::text(counted.name),
            count_cell(numbers.len()),
            count_cell(numbers.iter().sum()),
            optional(mean(&numbers), 1),
            optional(crate::words::median(&plain), 1),
            count_cell(least.1),
            Cell::text(least.0.as_str()),
            count_cell(most.1),
            Cell::text(most.0.as_str()),
        ]))
    });
    let caption =
        vec![format!("{}: pools and judgments of {} by topic.", task.task.name, task.task.current.name)];
    Table { caption, columns, rows: rows.collect(), footnotes: Vec::new() }
}

fn sizes_chart(task: &ScoredTask<'_, '_>, pool: Option<&PoolStatistics>) -> Option<String> {
    let judged = &task.current().judged;
    let mut topics: Vec<TopicId> = match pool {
        Some(pool) if !pool.topics.is_empty() => {
            pool.topics.iter().map(|topic| topic.topic.clone()).collect()
        }
        _ => judged.iter().map(|(topic, _)| topic.clone()).collect(),
    };
    if topics.is_empty() || topics.len() > MOST_TOPICS {
        return None;
    }
    topics.sort_by(TopicId::natural_cmp);
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let bins = topics.iter().map(|topic| {
        let pooled = pool.and_then(|pool| pool.topics.iter().find(|pooled| pooled.topic == *topic));
        let grades = judged.iter().find(|(id, _)| id == topic).map(|(_, grades)| grades);
        let relevant = |grades: &Vec<i32>| grades.iter().filter(|grade| **grade >= 1).count() as f64;
        let mut values: Vec<f64> = pooled.map(|pooled| pooled.items as f64).into_iter().collect();
        if !judged.is_empty() {
            values.push(grades.map_or(0.0, |grades| grades.len() as f64));
            values.push(grades.map_or(0.0, relevant));
        }
        Bin { label: topic.to_string(), values }
    });
    let mut series: Vec<String> =
        pool.filter(|pool| !pool.topics.is_empty()).map(|_| "pooled".to_owned()).into_iter().collect();
    if !judged.is_empty() {
        series.extend(["with a grade", "grade 1 or more"].map(str::to_owned));
    }
    let chart = Bars {
        title: format!("{}: pool sizes", task.task.name),
        x_label: "topic".to_owned(),
        y_label: task.task.unit.many.clone(),
        series,
        bins: bins.collect(),
        decimals: 0,
        ..Bars::default()
    };
    Some(chart.to_svg())
}

/// How deep a system went into the pool.
fn depth(task: &ScoredTask<'_, '_>, pool: &PoolStatistics, system: usize) -> Option<usize> {
    match task.task.systems[system].pooled {
        Pooled::AsPrimary => pool.depths.primary,
        Pooled::AsAlternate => pool.depths.alternate,
        Pooled::Not => None,
    }
}

/// How many relevant items a system brought, if its depth and the judgments are known.
fn relevant(
    task: &ScoredTask<'_, '_>,
    pool: &PoolStatistics,
    judgments: &Judgments<'_>,
    system: usize,
) -> Option<usize> {
    let set = &task.task.current;
    let is_relevant = |topic: &TopicId, doc: DocId<'_>| {
        let topic = judgments.index_of(topic).map(|index| &judgments.topics()[index]);
        topic.is_some_and(|topic| topic.verdict(doc).is_relevant(task.task.relevant_from))
    };
    if let Some(contributed) = &pool.contributed {
        let items = contributed.get(system)?.0.iter();
        let relevant =
            items.map(|(topic, items)| items.iter().filter(|item| is_relevant(topic, DocId(item))).count());
        return Some(relevant.sum());
    }
    match set.outputs.get(system)?.as_ref()? {
        Output::Answers(answers) => {
            Some(answers.iter().filter(|answer| is_relevant(&answer.topic, DocId(&answer.id))).count())
        }
        Output::Ranking(run) => {
            let depth = depth(task, pool, system)?;
            let mut relevant = 0;
            for rows in run.topics() {
                let Some(index) = judgments.index_of(rows.id()) else { continue };
                let ranking = set.pipeline.rank(rows, &judgments.topics()[index]).ok()?;
                let first = ranking.entries.iter().take(depth);
                relevant += first.filter(|entry| entry.verdict.is_relevant(task.task.relevant_from)).count();
            }
            Some(relevant)
        }
    }
}

fn contributions(task: &ScoredTask<'_, '_>, pool: &PoolStatistics) -> Table {
    let mut columns = vec![Column::left("Run")];
    columns.extend(["depth", "items", "unique", "unique share"].map(Column::right));
    columns.push(Column::right(format!("relevant ({})", task.task.relevant_name)));
    let judgments = task.task.current.qrels.map(|qrels| Judgments::new(qrels, Codes::Unjudged));
    let rows = rows(task, |system| {
        let relevant = judgments.as_ref().and_then(|judgments| relevant(task, pool, judgments, system));
        let contribution = pool.contributions.get(system).copied().flatten()?;
        let depth = depth(task, pool, system);
        Some(vec![
            Cell::text(task.task.systems[system].run.as_str()),
            depth.map_or_else(|| Cell::text("–"), count_cell),
            count_cell(contribution.items),
            count_cell(contribution.unique_items),
            percent(contribution.unique_items, contribution.items)
                .map_or_else(|| Cell::text("–"), Cell::text),
            relevant.map_or_else(|| Cell::text("–"), count_cell),
        ])
    });
    let footnotes = vec![format!(
        "items: {} that the run brought into the pool, over all topics. unique: those that no other run brought. \
         relevant: those that were judged {}.",
        task.task.unit.many, task.task.relevant_name
    )];
    let caption = vec![format!("{}: what each run brought into the pool.", task.task.name)];
    Table { caption, columns, rows, footnotes }
}

fn unique_chart(task: &ScoredTask<'_, '_>, pool: &PoolStatistics) -> String {
    let mut systems: Vec<(usize, usize)> = task
        .systems()
        .filter_map(|system| Some((system, pool.contributions.get(system).copied().flatten()?.unique_items)))
        .collect();
    systems.sort_by_key(|(_, unique)| std::cmp::Reverse(*unique));
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let estimates =
        systems.iter().map(|(_, unique)| Estimate { value: *unique as f64, interval: None }).collect();
    let names = systems.iter().map(|(system, _)| System {
        name: task.names[*system].clone(),
        tone: if task.is_baseline(*system) { Tone::Dim } else { Tone::Plain },
    });
    Dots {
        title: format!("{}: unique contributions to the pool", task.task.name),
        systems: names.collect(),
        panels: vec![Panel {
            measure: format!("{} that no other run brought", task.task.unit.many),
            estimates,
            references: Vec::new(),
            range: Range::FROM_ZERO,
            decimals: 0,
        }],
        shape: Shape::Bar,
        notes: Vec::new(),
    }
    .to_svg()
}
