//! The rows of a run of Task 1 or 2, cut strictly, and the rules about their columns.
//!
//! The reader of runs is lenient: it takes blanks for tabs and says in words
//! what it cannot take. Here every departure has its rule, so lines are cut
//! again; what the reader refuses all the same is an error, too.

mod cut;

pub(super) use cut::guess_task;

use super::Columns;
use super::file_name::Task;
use super::finding::{Findings, RuleId, Spot};
use super::submission::Submission;
use super::topics::TopicSpot;
use crate::fields::{hidden_character, lines, shorten};
use crate::run::{Run, RunKind, RunLayout};
use crate::source::Source;
use cut::{Cut, is_header};
use std::collections::HashMap;

/// A row that could be cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) number: usize,
    whole: &'a str,
    pub(super) topic: &'a str,
    pub(super) doc: &'a str,
    pub(super) post: Option<&'a str>,
    pub(super) rank_text: &'a str,
    pub(super) score_text: &'a str,
    pub(super) tag: &'a str,
    /// The rank, if it is a whole number.
    pub(super) rank: Option<u64>,
    /// The score, if it is a finite number.
    pub(super) score: Option<f64>,
}

impl<'a> Row<'a> {
    fn new(number: usize, whole: &'a str, layout: RunLayout, fields: &[&'a str]) -> Self {
        let (doc, post) = match layout {
            RunLayout::Trec => (fields[2], None),
            RunLayout::Task2 => (fields[1], Some(fields[2])),
            RunLayout::Task1 | RunLayout::Task2WithoutPost => (fields[1], None),
        };
        let [rank_text, score_text, tag] = [3, 2, 1].map(|back| fields[fields.len() - back]);
        let is_whole = !rank_text.is_empty() && rank_text.bytes().all(|byte| byte.is_ascii_digit());
        let rank = rank_text.parse().ok().filter(|_| is_whole);
        let score = score_text.parse().ok().filter(|score: &f64| score.is_finite());
        Self { number, whole, topic: fields[0], doc, post, rank_text, score_text, tag, rank, score }
    }

    /// The place of one of the row's fields.
    pub(super) fn spot(&self, field: &str) -> Spot {
        spot(self.number, self.whole, field)
    }
}

fn spot(number: usize, whole: &str, field: &str) -> Spot {
    let offset = (field.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
    match whole.get(..offset) {
        Some(before) => Spot::Column(number, before.chars().count() + 1),
        None => Spot::Line(number),
    }
}

/// What of a file could be cut, and what could not.
#[derive(Debug, Default)]
pub(super) struct Rows<'a> {
    /// How the columns are laid out, by the first row.
    pub(super) layout: Option<RunLayout>,
    pub(super) rows: Vec<Row<'a>>,
    /// Topics in the order in which they first occur, with their rows.
    pub(super) by_topic: Vec<(&'a str, Vec<usize>)>,
    /// The line of the header.
    pub(super) header: Option<usize>,
    /// Lines that could not be taken as rows.
    pub(super) broken: Vec<usize>,
    /// Rows with other separators than tabs, or blanks around fields.
    pub(super) untidy: usize,
}

impl<'a> Rows<'a> {
    /// The topics, each where it first occurs.
    pub(super) fn topics(&self) -> Vec<TopicSpot<'a>> {
        let first = |(id, rows): &(&'a str, Vec<usize>)| {
            let row = &self.rows[*rows.first()?];
            Some(TopicSpot { id, place: row.spot(row.topic) })
        };
        self.by_topic.iter().filter_map(first).collect()
    }

    /// The tags with their places.
    pub(super) fn tags(&self) -> impl Iterator<Item = (&'a str, Spot)> {
        self.rows.iter().map(|row| (row.tag, row.spot(row.tag)))
    }
}

/// Cuts the lines of a text and checks their columns.
pub(super) fn read<'a>(text: &'a str, task: Task, columns: Columns, findings: &mut Findings) -> Rows<'a> {
    let mut rows = Rows::default();
    for (number, start, end) in lines(text) {
        let whole = &text[start..end];
        let cut = Cut::new(whole, task, columns);
        let is_first = rows.rows.is_empty() && rows.broken.is_empty() && rows.header.is_none();
        if is_first && is_header(&cut.fields) {
            rows.header = Some(number);
            let text = format!("the first line is a header: {}", shorten(whole.trim()));
            findings.error(RuleId::Header, Spot::Line(number), text, "delete it");
            continue;
        }
        if !take(&mut rows, number, whole, &cut, task, findings) {
            rows.broken.push(number);
        }
    }
    group(&mut rows, findings);
    if let (Some(number), true) = (rows.header, rows.rows.is_empty() && rows.broken.is_empty()) {
        let text = "the file has a header but no rows".to_owned();
        findings.error(RuleId::Empty, Spot::Line(number), text, "write a row for each result");
    }
    check_layout(&rows, task, columns, findings);
    rows
}

/// Adds a row, unless it is broken.
fn take<'a>(
    rows: &mut Rows<'a>,
    number: usize,
    whole: &'a str,
    cut: &Cut<'a>,
    task: Task,
    findings: &mut Findings,
) -> bool {
    let first = *rows.layout.get_or_insert(cut.layout.unwrap_or(standard(task)));
    let Some(layout) = cut.layout.filter(|layout| *layout == first) else {
        let count = super::mend::counted(cut.fields.len(), "column", "columns");
        let text = match cut.layout {
            Some(other) if other.columns() == first.columns() => {
                format!("the columns are {}, but those of the lines before {}", other.names(), first.names())
            }
            _ => format!("{count} where {} are wanted: {}", first.columns(), first.names()),
        };
        findings.error(
            RuleId::Columns,
            Spot::Column(number, 1),
            text,
            "give each row all columns, with tabs",
        );
        return false;
    };
    let mut untidy = false;
    if let Some(separator) = cut.separator {
        let text = format!("{separator} part the columns, not single tabs");
        findings.error(RuleId::Separator, Spot::Line(number), text, "put one tab between columns");
        untidy = true;
    }
    let fields: Vec<&str> = cut.fields.iter().map(|field| field.trim_matches(' ')).collect();
    if let Some(padded) = cut.fields.iter().zip(&fields).find(|(raw, field)| raw != field)
        && cut.separator.is_none()
    {
        let text = format!("there are blanks around '{}'", shorten(padded.1));
        let place = spot(number, whole, padded.0);
        findings.warning(RuleId::Characters, place, text, "delete the blanks");
        untidy = true;
    }
    rows.untidy += usize::from(untidy);
    for (field, name) in fields.iter().zip(layout.names().split(", ")) {
        if field.is_empty() {
            let text = format!("the {name} is empty");
            findings.error(RuleId::EmptyField, spot(number, whole, field), text, format!("write the {name}"));
            return false;
        }
        if let Some(bad) = hidden_character(field) {
            let text = format!("the {name} holds the hidden character U+{:04X}", u32::from(bad));
            findings.error(RuleId::Characters, spot(number, whole, field), text, "delete the character");
            return false;
        }
    }
    rows.rows.push(Row::new(number, whole, layout, &fields));
    true
}

/// The lab's layout of a task.
pub(super) fn standard(task: Task) -> RunLayout {
    match task {
        Task::Task2 => RunLayout::Task2,
        Task::Task1 | Task::Task3 => RunLayout::Task1,
    }
}

/// Brings the rows of each topic together; a topic that starts again is said.
fn group(rows: &mut Rows<'_>, findings: &mut Findings) {
    let mut indexes: HashMap<&str, usize> = HashMap::new();
    let mut torn = std::collections::HashSet::new();
    let mut last = None;
    for (index, row) in rows.rows.iter().enumerate() {
        let topic = *indexes.entry(row.topic).or_insert_with(|| {
            rows.by_topic.push((row.topic, Vec::new()));
            rows.by_topic.len() - 1
        });
        let list = &mut rows.by_topic[topic].1;
        if !list.is_empty() && last != Some(topic) && torn.insert(topic) {
            let text = format!("topic {} goes on here, after rows of another topic", shorten(row.topic));
            let fix = "keep the rows of a topic together";
            findings.warning(RuleId::TopicOrder, row.spot(row.topic), text, fix);
        }
        list.push(index);
        last = Some(topic);
    }
}

/// The rules about the layout as a whole, said once.
fn check_layout(rows: &Rows<'_>, task: Task, columns: Columns, findings: &mut Findings) {
    let (Some(layout), Some(first)) = (rows.layout, rows.rows.first()) else { return };
    let place = Spot::Line(first.number);
    let number = task.number();
    match (layout, columns) {
        (RunLayout::Trec, Columns::Trec) => {}
        (_, Columns::Trec) => {
            let wanted = RunLayout::Trec.names();
            let text = format!("the columns are {}, but TREC's are wanted: {wanted}", layout.names());
            findings.error(RuleId::Columns, place, text, "leave --columns out, or write TREC's columns");
        }
        (RunLayout::Trec, Columns::Lab) => {
            let text = format!(
                "the columns are TREC's ({}), but those of Task {number} are {}",
                layout.names(),
                standard(task).names()
            );
            let fix = match task {
                Task::Task2 => {
                    "write the lab's columns, with the formula and its post; --columns trec takes TREC's"
                }
                Task::Task1 | Task::Task3 => "delete the second column; --columns trec takes TREC's",
            };
            findings.warning(RuleId::TrecColumns, place, text, fix);
        }
        (RunLayout::Task2WithoutPost, Columns::Lab) => {
            let text = format!("the post is missing: the columns of Task 2 are {}", standard(task).names());
            findings.error(RuleId::Columns, place, text, "write the post behind the formula");
        }
        (RunLayout::Task1 | RunLayout::Task2, Columns::Lab) => {}
    }
}

/// Whatever the reader of runs refuses is an error, whether or not a rule names it.
pub(super) fn check_reader(submission: &Submission, task: Task, rows: &Rows<'_>, findings: &mut Findings) {
    // One bad line may set the reader on the wrong layout for all others.
    let has_wrong_score = rows.rows.iter().any(|row| row.score.is_none());
    if !rows.broken.is_empty() || rows.header.is_some() || has_wrong_score {
        return;
    }
    let kind = if task == Task::Task2 { RunKind::Formulas } else { RunKind::Documents };
    let source = Source::bytes(&submission.label, submission.text.as_bytes());
    let problems = match Run::read_tolerant(source, kind) {
        Ok((_, problems)) => problems,
        Err(error) => {
            findings.error(RuleId::Columns, Spot::File, error.to_string(), "split the file");
            return;
        }
    };
    let said = findings.error_lines();
    for problem in problems.kept.into_iter().filter(|problem| !said.contains(&problem.place.line)) {
        let line = problem.place.line;
        let place = problem.place.column.map_or(Spot::Line(line), |column| Spot::Column(line, column));
        findings.error(RuleId::Columns, place, problem.reason, "correct the row");
    }
}
