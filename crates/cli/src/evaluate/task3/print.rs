//! Scores of Task 3 as tables.

use super::super::OutputFormat;
use super::super::table::DECIMALS;
use super::entries::{Answers, Entry};
use super::footnotes::footnotes;
use super::{Scored, Similar};
use crate::run_record::{EXPOSURE_FIELD, exposure_cell, name_cell};
use eval::task3::{CodeRule, FlagShares, MatchRule, MeanOver, Relevance, Share, SimilarityScore};
use figures::table::{Cell, Column, Mark, Row, Table};
use formats::qrels::Qrels;
use formats::{Flags, TopicId};
use std::collections::BTreeSet;

/// What all tables are about.
pub(super) struct Shown<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) scored: &'a [Scored],
    pub(super) best: &'a Relevance,
    pub(super) flags: Option<&'a Flags>,
    pub(super) qrels: &'a Qrels,
    pub(super) rule: MatchRule,
    /// What the references are, in sentences.
    pub(super) references: &'a [String],
    /// What answers with codes alone count.
    pub(super) codes: CodeRule,
}

impl Shown<'_> {
    /// Whether all answers came after the lab that scores them, and it judged none of them: they have no grades.
    pub(super) fn is_without_grades(&self) -> bool {
        let is_new = |entry: &Entry| matches!(entry.answers, Answers::New { .. });
        self.entries.iter().all(is_new)
            && self.scored.iter().all(|scored| scored.relevance.judged().count == 0)
    }
}

/// A mean of a run, and over which topics it is.
#[derive(Clone, PartialEq)]
struct Mean {
    value: f64,
    topics: BTreeSet<TopicId>,
}

/// A column of values, one for each run.
struct Values {
    column: Column,
    highest: Option<f64>,
    lower_is_better: bool,
    /// Whether the number of topics stands beside each value, as the first column is not about them.
    shows_topics: bool,
    means: Vec<Option<Mean>>,
}

/// All runs by all measures there are.
pub(super) fn table(shown: &Shown<'_>, format: OutputFormat) -> Table {
    // What a map says was given to people to judge; what stands in other runs may never have been seen.
    let by_map = shown.entries.iter().all(|entry| matches!(entry.answers, Answers::Mapped { .. }));
    let mut values = match by_map {
        _ if shown.is_without_grades() => Vec::new(),
        true => of_map(shown),
        false => with_judged_share(shown),
    };
    values.extend(others(shown));
    let mut columns = vec![Column::left("Run"), Column::right("topics")];
    if !by_map {
        columns.push(Column::right("judged"));
    }
    columns.extend(values.iter().flat_map(Values::columns));
    if format == OutputFormat::Csv {
        columns.push(Column::left(EXPOSURE_FIELD));
    }
    let mut rows = Vec::new();
    if values.iter().any(|values| values.highest.is_some()) {
        let mut highest =
            vec![Cell::text("highest possible").marked(Mark::Dim), count(shown.best.num_topics())];
        if !by_map {
            highest.push(Cell::default());
        }
        highest.extend(values.iter().flat_map(Values::highest_cells));
        rows.extend([Row::Cells(highest), Row::Rule]);
    }
    let mut order: Vec<usize> = (0..shown.entries.len()).collect();
    if let Some(first) = values.first() {
        let of = |run: usize| first.means[run].as_ref().map_or(f64::NEG_INFINITY, |mean| mean.value);
        order.sort_by(|a, b| of(*b).total_cmp(&of(*a)));
    }
    for run in order {
        let scored = &shown.scored[run];
        let topics = if by_map { scored.topics() } else { scored.relevance.judged().total };
        let entry = &shown.entries[run];
        let name = match format {
            OutputFormat::Csv => Cell::text(entry.name.as_str()),
            _ => name_cell(&entry.name, &entry.models),
        };
        let mut cells = vec![name, count(topics)];
        if !by_map {
            cells.push(Cell::text(scored.relevance.judged().to_string()));
        }
        cells.extend(values.iter().flat_map(|values| values.cells(run)));
        if format == OutputFormat::Csv {
            cells.push(exposure_cell(&entry.models));
        }
        rows.push(Row::Cells(cells));
    }
    Table { caption: Vec::new(), columns, rows, footnotes: footnotes(shown, by_map) }
}

impl Values {
    fn new(column: Column, means: Vec<Option<Mean>>) -> Self {
        Self { column, highest: None, lower_is_better: false, shows_topics: false, means }
    }

    fn below(self, highest: Option<f64>) -> Self {
        Self { highest, ..self }
    }

    fn with_topics(self) -> Self {
        Self { shows_topics: true, ..self }
    }

    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![self.column.clone()];
        if self.shows_topics {
            columns.push(Column::right(format!("{} (n)", self.column.title)));
        }
        columns
    }

    fn highest_cells(&self) -> Vec<Cell> {
        let mut cells = vec![match self.highest {
            Some(value) => Cell::number(value, 3).marked(Mark::Dim),
            None => Cell::default(),
        }];
        if self.shows_topics {
            cells.push(Cell::default());
        }
        cells
    }

    fn cells(&self, run: usize) -> Vec<Cell> {
        let Some(mean) = &self.means[run] else {
            return vec![Cell::text("–"); self.columns().len()];
        };
        let cell = Cell::number(mean.value, 3);
        let mut cells = vec![if self.best() == Some(mean.value) { cell.marked(Mark::Best) } else { cell }];
        if self.shows_topics {
            cells.push(count(mean.topics.len()));
        }
        cells
    }

    /// The best value; nothing if the values are not over the same topics, as an easier topic is no better run.
    fn best(&self) -> Option<f64> {
        let mut means = self.means.iter().flatten();
        let first = means.next()?;
        if self.means.len() == 1 || !means.all(|mean| mean.topics == first.topics) {
            return None;
        }
        let values = self.means.iter().flatten().map(|mean| mean.value);
        if self.lower_is_better { values.reduce(f64::min) } else { values.reduce(f64::max) }
    }
}

/// AR and P@1 in the mean that was asked for.
fn of_map(shown: &Shown<'_>) -> Vec<Values> {
    let of = |value: fn(&Relevance) -> Option<f64>| {
        shown.scored.iter().map(|scored| graded(&scored.relevance, value)).collect()
    };
    let mut values = vec![
        Values::new(Column::right("AR"), of(Relevance::ar)).below(shown.best.ar()),
        Values::new(Column::right("P@1"), of(p_at_1)).below(p_at_1(shown.best)),
    ];
    values.retain(|values| values.means.iter().any(Option::is_some));
    values
}

/// AR and P@1 with unjudged answers as 0 and without them.
fn with_judged_share(shown: &Shown<'_>) -> Vec<Values> {
    let mut values = Vec::new();
    for (group, mean_over) in
        [("unjudged = 0", MeanOver::JudgedTopics), ("judged only", MeanOver::JudgedAnswers)]
    {
        let of = |value: fn(&Relevance) -> Option<f64>| {
            shown.scored.iter().map(|scored| graded(&scored.relevance.over(mean_over), value)).collect()
        };
        let is_first = mean_over == MeanOver::JudgedTopics;
        let highest = shown.best.over(mean_over);
        values.push(
            Values::new(Column::right("AR").under(group), of(Relevance::ar))
                .below(highest.ar().filter(|_| is_first)),
        );
        values.push(
            Values::new(Column::right("P@1").under(group), of(p_at_1))
                .below(p_at_1(&highest).filter(|_| is_first)),
        );
    }
    values
}

fn p_at_1(relevance: &Relevance) -> Option<f64> {
    relevance.p_at_1().value()
}

fn graded(relevance: &Relevance, value: fn(&Relevance) -> Option<f64>) -> Option<Mean> {
    let topics = relevance.counted().map(|(topic, _)| topic.topic.clone()).collect();
    Some(Mean { value: value(relevance)?, topics })
}

fn similar(score: &SimilarityScore) -> Option<Mean> {
    Some(Mean { value: score.mean()?, topics: score.counted().map(|(topic, _)| topic.clone()).collect() })
}

/// The measures of similarity that a run has, in their order, each as it is of the first run that has it.
pub(super) fn measures(scored: &[Scored]) -> Vec<(&str, &Similar)> {
    let mut measures: Vec<(&str, &Similar)> = Vec::new();
    for similar in scored.iter().flat_map(|scored| &scored.similar) {
        let name = similar.score.measure.as_str();
        if measures.iter().all(|(known, _)| *known != name) {
            measures.push((name, similar));
        }
    }
    measures
}

/// A share of answers with a flag, and over which topics it is.
type Flagged = fn(&FlagShares) -> (Share, &BTreeSet<TopicId>);

/// Similarities with and without ablation, and shares of flags.
fn others(shown: &Shown<'_>) -> Vec<Values> {
    let mut columns = Vec::new();
    for (measure, _) in measures(shown.scored) {
        let of = |scored: &Scored| {
            let found = scored.similar.iter().find(|similar| similar.score.measure == measure)?;
            Some((similar(&found.score), similar(found.all.as_ref().unwrap_or(&found.score))))
        };
        let (own, all): (Vec<Option<Mean>>, Vec<Option<Mean>>) =
            shown.scored.iter().map(|scored| of(scored).unwrap_or_default()).unzip();
        let differs = own != all;
        columns.push(Values::new(Column::right(measure), own).with_topics());
        if !shown.references.is_empty() && differs {
            columns.push(Values::new(Column::right(format!("{measure}, all")), all).with_topics());
        }
    }
    for (name, flagged) in [
        ("MG", (|flags| (flags.machine_generated, &flags.machine_generated_over)) as Flagged),
        ("UI", |flags| (flags.unrelated_information, &flags.unrelated_information_over)),
    ] {
        let of = |scored: &Scored| {
            let (share, topics) = flagged(scored.flags.as_ref()?);
            Some(Mean { value: share.value()?, topics: topics.clone() })
        };
        let values = Values::new(Column::right(name), shown.scored.iter().map(of).collect()).with_topics();
        columns.push(Values { lower_is_better: true, ..values });
    }
    columns.retain(|values| values.means.iter().any(Option::is_some));
    columns
}

#[expect(clippy::cast_precision_loss, reason = "a number of topics")]
fn count(number: usize) -> Cell {
    Cell::number(number as f64, 0)
}

pub(super) fn per_topic(entries: &[Entry], scored: &[Scored]) -> Table {
    let mut columns = vec![Column::left("Topic"), Column::left("Run"), Column::left("Measure")];
    columns.push(Column::right("value"));
    let mut lines: Vec<(TopicId, usize, String, f64)> = Vec::new();
    for (run, scored) in scored.iter().enumerate() {
        for (topic, values) in scored.per_topic() {
            lines.extend(values.into_iter().map(|(name, value)| (topic.clone(), run, name, value)));
        }
    }
    lines.sort_by(|a, b| a.0.natural_cmp(&b.0).then(a.1.cmp(&b.1)));
    let row = |(topic, run, name, value): (TopicId, usize, String, f64)| {
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
