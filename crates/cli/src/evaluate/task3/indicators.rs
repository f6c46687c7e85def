//! What can be counted in written answers, as a table and as JSON.

use super::entries::Entry;
use anyhow::{Result, ensure};
use eval::task3::{Indicator, Indicators, WrittenAnswer};
use figures::table::{Cell, Column, Mark, Row, Table};
use formats::task3::Task3Answer;
use formats::{Source, TopicId, read_topics};
use post::plain_html;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The questions of topics with their titles, as plain text.
pub(super) struct Questions(BTreeMap<TopicId, String>);

impl Questions {
    /// Reads topics; none of which a run answers a topic are a mistake.
    pub(super) fn read(path: &Path, entries: &[Entry]) -> Result<Self> {
        let file = read_topics(Source::path(path))?;
        file.notes.iter().for_each(|note| crate::warn(&note.to_string()));
        let texts = file.topics.iter().map(|topic| {
            let parts: Vec<String> =
                [&topic.title, &topic.question].into_iter().flatten().map(plain_html).collect();
            (topic.id.clone(), parts.join(" "))
        });
        let questions = Self(texts.collect());
        let is_known = |answer: &Task3Answer| questions.0.contains_key(&answer.topic);
        ensure!(
            entries.iter().flat_map(Entry::written).any(is_known),
            "{}: holds none of the topics that are answered",
            path.display()
        );
        Ok(questions)
    }
}

impl Questions {
    /// The question of a topic.
    pub(super) fn text(&self, topic: &TopicId) -> Option<&str> {
        self.0.get(topic).map(String::as_str)
    }
}

/// Counts what there is in the answers of a run; nothing if their texts are not known.
pub(super) fn count(entry: &Entry, questions: Option<&Questions>) -> Option<Indicators> {
    let answers = entry.written().iter().map(|answer| WrittenAnswer {
        topic: &answer.topic,
        text: &answer.answer,
        sources: &answer.sources,
        question: questions.and_then(|questions| questions.text(&answer.topic)),
    });
    (!entry.written().is_empty()).then(|| Indicators::count(answers))
}

/// A row for each run, a column for each count.
pub(super) fn table(runs: &[(&str, &Indicators)]) -> Table {
    let lists: Vec<_> = runs.iter().map(|(_, indicators)| indicators.list()).collect();
    let longest = lists.iter().max_by_key(|list| list.len()).cloned().unwrap_or_default();
    let mut columns = vec![Column::left("Run")];
    columns.extend(longest.iter().map(|indicator| Column::right(indicator.name)));
    let row = |((name, _), list): (&(&str, &Indicators), &Vec<Indicator>)| {
        let mut cells = vec![Cell::text(*name)];
        cells.extend(list.iter().map(|indicator| {
            let cell = Cell::number(indicator.value, indicator.decimals);
            if indicator.is_high() { cell.marked(Mark::Letters("!".to_owned())) } else { cell }
        }));
        Row::Cells(cells)
    };
    let footnote = |indicator: &Indicator| {
        let high = indicator.high.map(|high| format!(" (! from {high} on)")).unwrap_or_default();
        format!("{}: {}{high}.", indicator.name, indicator.meaning)
    };
    let mut footnotes: Vec<String> = longest.iter().map(footnote).collect();
    footnotes
        .push("A mark is a reason to look at the answers; it says nothing about their quality.".to_owned());
    let caption = vec!["Lengths and repetitions".to_owned()];
    Table { caption, columns, rows: runs.iter().zip(&lists).map(row).collect(), footnotes }
}

/// All counts by name, and which of them are high.
pub(super) fn json(indicators: &Indicators) -> Value {
    let list = indicators.list();
    let mut object: Map<String, Value> =
        list.iter().map(|indicator| (indicator.key.to_owned(), json!(indicator.value))).collect();
    let high: Vec<&str> =
        list.iter().filter(|indicator| indicator.is_high()).map(|indicator| indicator.key).collect();
    object.insert("high".to_owned(), json!(high));
    object.into()
}
