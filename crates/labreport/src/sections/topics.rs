//! Topics one by one, the hardest first.

use crate::document::{Block, CompactTable, Fold, Section};
use crate::scored::ScoredTask;
use crate::words::{count, list, shown};
use figures::chart::{Heatmap, Range, Scale};
use figures::table::{Cell, Column, Row, Table};
use formats::TopicId;

/// How many topics the table of the hardest has.
const HARDEST: usize = 10;

/// More systems than this make no readable heat map.
const MOST_SYSTEMS: usize = 80;

/// How many topics stand side by side in a heat map.
const COLUMNS: usize = 100;

/// The topics of the current set.
pub(super) fn part(task: &ScoredTask<'_, '_>) -> Section {
    let key = &task.task.key;
    let mut section = Section::new(format!("{key}-topics-part"), task.task.name.clone());
    if task.current().with_scores().is_empty() {
        return section;
    }
    let topics = by_difficulty(task);
    section.table(format!("{key}-hardest"), hardest(task, &topics));
    let ranking = task.ranking();
    if ranking.len() <= MOST_SYSTEMS && ranking.len() > 1 {
        for topics in topics.chunks(COLUMNS) {
            let caption = format!(
                "{} of every system on every topic of {}; the hardest topics on the left, the best systems on top.",
                task.columns[0].name,
                task.current().set.name
            );
            section.chart(heatmap(task, &ranking, topics), caption);
        }
    }
    let mut jumps: Vec<(&TopicId, String)> =
        topics.iter().enumerate().map(|(place, topic)| (&topic.id, format!("{key}-topic-{place}"))).collect();
    jumps.sort_by(|(a, _), (b, _)| a.natural_cmp(b));
    section.blocks.push(Block::Jumps(jumps.into_iter().map(|(topic, id)| (id, topic.to_string())).collect()));
    for (place, topic) in topics.iter().enumerate() {
        let id = format!("{key}-topic-{place}");
        section.blocks.push(Block::Fold(fold(task, &ranking, topic, id)));
    }
    section
}

/// A topic and how well the systems do on it.
struct TopicMean {
    id: TopicId,
    /// The mean of the first measure over the systems for which it counts.
    mean: Option<f64>,
    systems: usize,
}

/// The judged topics, the hardest first; those without values at the end.
fn by_difficulty(task: &ScoredTask<'_, '_>) -> Vec<TopicMean> {
    let set = task.current();
    let systems = set.with_scores();
    let mut topics: Vec<TopicMean> = set
        .tested()
        .map(|(id, _)| {
            let values: Vec<f64> =
                systems.iter().filter_map(|system| set.topic_value(*system, id, 0)).collect();
            TopicMean { id: id.clone(), mean: stats::summary::mean(&values).ok(), systems: values.len() }
        })
        .collect();
    let place = |topic: &TopicMean| topic.mean.unwrap_or(f64::INFINITY);
    topics.sort_by(|a, b| place(a).total_cmp(&place(b)).then_with(|| a.id.natural_cmp(&b.id)));
    topics
}

fn title<'t>(task: &'t ScoredTask<'_, '_>, topic: &TopicId) -> &'t str {
    let topic = task.task.current.topics.iter().find(|known| known.id == *topic);
    topic.map_or("", |topic| &topic.title)
}

fn hardest(task: &ScoredTask<'_, '_>, topics: &[TopicMean]) -> Table {
    let columns = vec![
        Column::left("Topic"),
        Column::left("Title"),
        Column::right("mean"),
        Column::right("best"),
        Column::left("by"),
        Column::right(format!("{} items", task.task.relevant_name)),
    ];
    let rows = topics.iter().filter(|topic| topic.mean.is_some()).take(HARDEST).map(|topic| {
        let best = extreme(task, &topic.id).0;
        let relevant =
            grades(task, &topic.id).iter().filter(|grade| **grade >= task.task.relevant_from).count();
        Row::Cells(vec![
            Cell::text(topic.id.as_str()),
            Cell::text(shorten(title(task, &topic.id), 70)),
            Cell::number(topic.mean.unwrap_or(f64::NAN), 3),
            Cell::number(best.as_ref().map_or(f64::NAN, |(value, _)| *value), 3),
            Cell::text(best.map_or_else(String::new, |(_, system)| task.names[system].clone())),
            crate::words::count_cell(relevant),
        ])
    });
    let caption = vec![format!(
        "{}: the hardest topics by the mean of {} over all systems.",
        task.task.name, task.columns[0].name
    )];
    Table { caption, columns, rows: rows.collect(), footnotes: Vec::new() }
}

/// A value and the system that has it.
type Extreme = (f64, usize);

/// The systems with the highest and the lowest value on a topic.
fn extreme(task: &ScoredTask<'_, '_>, topic: &TopicId) -> (Option<Extreme>, Option<Extreme>) {
    let set = task.current();
    let values = || {
        let ranking = task.ranking().into_iter();
        ranking.filter_map(|system| Some((set.topic_value(system, topic, 0)?, system)))
    };
    let best = values().reduce(|best, other| if other.0 > best.0 { other } else { best });
    let worst = values().reduce(|worst, other| if other.0 <= worst.0 { other } else { worst });
    (best, worst)
}

fn grades<'t>(task: &'t ScoredTask<'_, '_>, topic: &TopicId) -> &'t [i32] {
    task.current().judged.iter().find(|(id, _)| id == topic).map_or(&[], |(_, grades)| grades)
}

/// The text, cut at its end if it is too long for a row.
fn shorten(text: &str, most: usize) -> String {
    match text.chars().count() {
        length if length <= most => text.to_owned(),
        _ => format!("{}…", text.chars().take(most - 1).collect::<String>()),
    }
}

fn heatmap(task: &ScoredTask<'_, '_>, ranking: &[usize], topics: &[TopicMean]) -> String {
    let set = task.current();
    let value = |system: usize, topic: &TopicMean| set.topic_value(system, &topic.id, 0).unwrap_or(f64::NAN);
    Heatmap {
        title: format!("{}: {} by topic", task.task.name, task.columns[0].name),
        rows: ranking.iter().map(|system| task.names[*system].clone()).collect(),
        columns: topics.iter().map(|topic| topic.id.to_string()).collect(),
        values: ranking
            .iter()
            .map(|system| topics.iter().map(|topic| value(*system, topic)).collect())
            .collect(),
        measure: task.columns[0].name.clone(),
        scale: Scale::Sequential,
        range: Range::FROM_ZERO,
        decimals: 2,
        notes: Vec::new(),
    }
    .to_svg()
}

/// Everything about one topic.
fn fold(task: &ScoredTask<'_, '_>, ranking: &[usize], topic: &TopicMean, id: String) -> Fold {
    let title = title(task, &topic.id);
    let mean = shown(topic.mean, 3);
    let summary = match title {
        "" => format!("{} (mean {} {mean})", topic.id, task.columns[0].name),
        title => format!("{} {} (mean {} {mean})", topic.id, shorten(title, 110), task.columns[0].name),
    };
    let mut lines = Vec::new();
    let known = task.task.current.topics.iter().find(|known| known.id == topic.id);
    if let Some(known) = known.filter(|known| !known.labels.is_empty()) {
        let labels = known.labels.iter().map(|label| format!("{}: {}", label.name, label.value));
        lines.push(format!("{}.", labels.collect::<Vec<_>>().join("; ")));
    }
    lines.push(judged_words(task, &topic.id));
    if let (Some(best), Some(worst)) = extreme(task, &topic.id)
        && topic.systems > 1
    {
        lines.push(format!(
            "Best of {}: {} with {:.3}. Worst: {} with {:.3}.",
            count(topic.systems, "system", "systems"),
            task.names[best.1],
            best.0,
            task.names[worst.1],
            worst.0
        ));
    }
    Fold { id, summary, lines, table: Some(table(task, ranking, &topic.id)) }
}

/// How much was pooled, and what was said of it.
fn judged_words(task: &ScoredTask<'_, '_>, topic: &TopicId) -> String {
    let grades = grades(task, topic);
    let mut levels: Vec<i32> = grades.to_vec();
    levels.dedup();
    let named = levels.iter().map(|level| {
        let name = task.task.grades.iter().find(|grade| grade.grade == *level);
        let name = name.map_or_else(|| format!("grade {level}"), |grade| grade.name.clone());
        format!("{} {name}", grades.iter().filter(|grade| *grade == level).count())
    });
    let pool = task.task.current.pool.as_ref();
    let pooled = pool.and_then(|pool| pool.topics.iter().find(|pooled| pooled.topic == *topic));
    let pooled = pooled.map_or_else(String::new, |pooled| format!("{} pooled, ", pooled.items));
    format!(
        "{pooled}{} judged: {}.",
        count(grades.len(), &task.task.unit.one, &task.task.unit.many),
        list(named)
    )
}

/// All systems on the topic, in the order of the whole test set.
fn table(task: &ScoredTask<'_, '_>, ranking: &[usize], topic: &TopicId) -> CompactTable {
    let set = task.current();
    let mut columns = vec!["Run".to_owned()];
    columns.extend(task.columns.iter().map(|column| column.name.clone()));
    columns.extend(["results".to_owned(), "judged".to_owned()]);
    let rows = ranking.iter().filter_map(|system| {
        let scores = set.scores[*system].as_ref()?;
        let of_topic = scores.topics.iter().find(|scores| scores.id == *topic)?;
        let mut cells: Vec<String> = (0..task.columns.len())
            .map(|measure| shown(set.topic_value(*system, topic, measure), 3))
            .collect();
        cells.extend([of_topic.num_results.to_string(), of_topic.num_judged.to_string()]);
        Some((task.names[*system].clone(), cells))
    });
    CompactTable { columns, rows: rows.collect() }
}
