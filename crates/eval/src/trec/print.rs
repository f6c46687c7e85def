//! The lines of a report.
//!
//! A line holds the name of a measure, filled with blanks to 22 characters,
//! the topic or `all`, and the value, with tabs between them. Counts are whole
//! numbers, all else has four decimals.

use super::Lines;
use super::column::{Column, Content, Context};
use super::topic::Topic;
use crate::measure::Aggregate;
use crate::ranked::ResultGrade;
use formats::TopicId;
use std::fmt::{Display, Write as _};

/// What takes the place of the topic in the summary.
const ALL: &str = "all";

/// A report that grows topic by topic.
pub(super) struct Report<'a> {
    columns: &'a [Column],
    /// For each column the values of the topics.
    values: Vec<Vec<f64>>,
    num_topics: usize,
    text: String,
}

impl<'a> Report<'a> {
    pub(super) fn new(columns: &'a [Column]) -> Self {
        Self { columns, values: vec![Vec::new(); columns.len()], num_topics: 0, text: String::new() }
    }

    /// Adds a topic: its values, and its lines if there are to be any.
    pub(super) fn topic(&mut self, id: &TopicId, topic: &Topic<'_>, lines: Lines) {
        self.num_topics += 1;
        let mut print = |name: &str, value: &dyn Display| {
            if lines.has_topics() {
                line(&mut self.text, name, id.as_str(), value);
            }
        };
        for (column, values) in self.columns.iter().zip(&mut self.values) {
            let name = &column.name;
            match &column.content {
                Content::RunId | Content::NumTopics => {}
                Content::Count(count) => {
                    let count = count(topic);
                    values.push(count as f64);
                    print(name, &count);
                }
                Content::NumRelevant => {
                    values.push(topic.num_rel as f64);
                    print(name, &topic.num_rel);
                }
                Content::Mean(formula) => {
                    let value = formula(topic);
                    values.push(value);
                    print(name, &Decimals(value));
                }
                Content::GeometricMean(measure) => values.push(measure.score_filtered(topic.ranked)),
                Content::Grades(shown) => print(name, &Grades(topic.ranked.grades, *shown)),
            }
        }
    }

    /// Adds the lines over all topics; those that have no results count 0.
    pub(super) fn summary(&mut self, context: &Context<'_>) {
        let num_topics = context.num_topics.unwrap_or(self.num_topics);
        for (column, values) in self.columns.iter().zip(&mut self.values) {
            values.resize(num_topics, 0.0);
            let mut print = |value: &dyn Display| line(&mut self.text, &column.name, ALL, value);
            match &column.content {
                Content::RunId => print(&context.run_id),
                Content::NumTopics => print(&num_topics),
                Content::Count(_) => print(&Aggregate::Sum.of(values)),
                Content::NumRelevant => match context.num_graded {
                    Some(count) => print(&count),
                    None => print(&Aggregate::Sum.of(values)),
                },
                // `+ 0.0` makes 0 of -0, which a sum of nothing but -0 would be.
                Content::Mean(_) => print(&Decimals(Aggregate::Mean.of(values) + 0.0)),
                Content::GeometricMean(_) => print(&Decimals(Aggregate::GeometricMean.of(values))),
                Content::Grades(_) => {}
            }
        }
    }

    /// All lines.
    pub(super) fn text(self) -> String {
        self.text
    }
}

fn line(out: &mut String, name: &str, topic: &str, value: &dyn Display) {
    writeln!(out, "{name:<22}\t{topic}\t{value}").expect("strings take all that is written");
}

/// A number as C prints it with four decimals in a field of six.
struct Decimals(f64);

impl Display for Decimals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_nan() {
            // Zero divided by zero has its sign set on the machines that trec_eval runs on.
            write!(f, "{:>6}", "-nan")
        } else if self.0.is_infinite() {
            write!(f, "{:>6}", self.0)
        } else {
            write!(f, "{:.4}", self.0)
        }
    }
}

/// The grades of the first results, a character each.
struct Grades<'a>(&'a [ResultGrade], usize);

impl Display for Grades<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_char('\'')?;
        for verdict in self.0.iter().take(self.1) {
            let shown = match verdict.grade() {
                Some(grade) => {
                    u32::try_from(grade).ok().and_then(|grade| char::from_digit(grade, 10)).unwrap_or('>')
                }
                None if *verdict == ResultGrade::POOLED => '.',
                None => '-',
            };
            f.write_char(shown)?;
        }
        f.write_char('\'')
    }
}
