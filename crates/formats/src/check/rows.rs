//! The rows of a run of Task 1 or 2, cut strictly, and the rules about their columns.
//!
//! The reader of runs is lenient: it takes blanks for tabs and says in words
//! what it cannot take. Here every departure has its rule, so lines are cut
//! again; what the reader refuses all the same is an error, too.
//!
//! A file may have millions of lines, so that of a row only its place is kept,
//! eight bytes; it is cut again when it is looked at, a topic at a time.

mod cut;

pub(super) use cut::guess_task;

use super::Columns;
use super::file_name::Task;
use super::finding::{Findings, RuleId, Spot};
use super::submission::Submission;
use super::topics::TopicSpot;
use crate::fields::{Span, line_at, lines, shorten};
use crate::run::{Run, RunKind, RunLayout};
use cut::{Cut, is_header};
use std::collections::HashMap;
use std::ops::Range;
use text::hidden_character;

/// How many rows of a topic are looked at together; the lab allows 1,000.
const MOST_ROWS: usize = 100_000;
/// The most topics that are told apart; labs have at most a few hundred.
const MOST_TOPICS: usize = 100_000;

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
#[derive(Debug)]
pub(super) struct Rows<'a> {
    text: &'a str,
    task: Task,
    columns: Columns,
    /// How the columns are laid out, by the first row.
    pub(super) layout: Option<RunLayout>,
    stubs: Vec<Stub>,
    /// Topics in the order in which they first occur.
    topics: Vec<&'a str>,
    /// Rows of one topic that follow each other; those of a topic together, in the order of topics.
    blocks: Vec<Block>,
    /// The first line whose topic is one too many.
    pub(super) surplus: Option<usize>,
    /// The line of the header.
    pub(super) header: Option<usize>,
    /// The first line that could not be taken as a row, and how many there are.
    pub(super) broken: Option<(usize, usize)>,
    /// The first row whose score is not a finite number.
    pub(super) unscored: Option<usize>,
    /// Rows with other separators than tabs, or blanks around fields.
    pub(super) untidy: usize,
}

/// Where a row is: the byte that its line begins at, and the number of the line.
#[derive(Clone, Copy, Debug)]
struct Stub {
    start: u32,
    number: u32,
}

/// Rows of one topic that follow each other.
#[derive(Clone, Copy, Debug)]
struct Block {
    topic: u32,
    start: u32,
    end: u32,
}

/// The rows of a topic.
#[derive(Debug)]
pub(super) struct TopicRows<'a> {
    pub(super) topic: &'a str,
    /// How many there are.
    pub(super) count: usize,
    /// Whether rows of other topics stand between them.
    pub(super) torn: bool,
    /// The first of them, [`MOST_ROWS`] at most.
    pub(super) rows: Vec<Row<'a>>,
}

impl TopicRows<'_> {
    /// Whether all rows are there.
    pub(super) fn is_whole(&self) -> bool {
        self.rows.len() == self.count
    }
}

impl<'a> Rows<'a> {
    fn new(text: &'a str, task: Task, columns: Columns) -> Self {
        // One more than there can be lines with something in them, so that the list never grows.
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
        Self {
            text,
            task,
            columns,
            layout: None,
            stubs: Vec::with_capacity(lines),
            topics: Vec::new(),
            blocks: Vec::new(),
            surplus: None,
            header: None,
            broken: None,
            unscored: None,
            untidy: 0,
        }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.stubs.len()
    }

    /// A row, cut again.
    fn row(&self, stub: Stub) -> Row<'a> {
        let whole = line_at(self.text, stub.start as usize);
        let cut = Cut::new(whole, self.task, self.columns);
        let fields: Vec<&str> = cut.fields.iter().map(|field| field.trim_matches(' ')).collect();
        let layout = self.layout.unwrap_or(standard(self.task));
        Row::new(stub.number as usize, whole, layout, &fields)
    }

    /// The rows, in the order of the file.
    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'a>> {
        self.stubs.iter().map(|stub| self.row(*stub))
    }

    /// The topics in the order in which they first occur, with their rows.
    pub(super) fn by_topic(&self) -> impl Iterator<Item = TopicRows<'a>> {
        self.blocks.chunk_by(|left, right| left.topic == right.topic).map(|blocks| {
            let range = |block: &Block| Range { start: block.start as usize, end: block.end as usize };
            let stubs = blocks.iter().flat_map(|block| &self.stubs[range(block)]);
            TopicRows {
                topic: self.topics[blocks[0].topic as usize],
                count: blocks.iter().map(|block| range(block).len()).sum(),
                torn: blocks.len() > 1,
                rows: stubs.take(MOST_ROWS).map(|stub| self.row(*stub)).collect(),
            }
        })
    }

    /// The topics, each where it first occurs.
    pub(super) fn topics(&self) -> Vec<TopicSpot<'a>> {
        let first = self.blocks.chunk_by(|left, right| left.topic == right.topic);
        let spot = |blocks: &[Block]| {
            let row = self.row(self.stubs[blocks[0].start as usize]);
            TopicSpot { id: self.topics[blocks[0].topic as usize], place: row.spot(row.topic) }
        };
        first.map(spot).collect()
    }

    /// The tags with their places.
    pub(super) fn tags(&self) -> impl Iterator<Item = (&'a str, Spot)> {
        self.rows().map(|row| (row.tag, row.spot(row.tag)))
    }
}

/// Cuts the lines of a text and checks their columns.
pub(super) fn read<'a>(text: &'a str, task: Task, columns: Columns, findings: &mut Findings) -> Rows<'a> {
    if text.len() > Span::LIMIT {
        findings.error(
            RuleId::Columns,
            Spot::File,
            "the file is larger than 4 GiB".to_owned(),
            "split the file",
        );
        return Rows::new("", task, columns);
    }
    let mut rows = Rows::new(text, task, columns);
    let mut topics = Grouping::default();
    for (number, start, end) in lines(text) {
        let whole = &text[start..end];
        let cut = Cut::new(whole, task, columns);
        let is_first = rows.len() == 0 && rows.broken.is_none() && rows.header.is_none();
        if is_first && is_header(&cut.fields) {
            rows.header = Some(number);
            let text = format!("the first line is a header: {}", shorten(whole.trim()));
            findings.error(RuleId::Header, Spot::Line(number), text, "delete it");
            continue;
        }
        match take(&mut rows, number, whole, &cut, task, findings) {
            Some(row) => topics.add(&mut rows, start, &row, findings),
            None => rows.broken.get_or_insert((number, 0)).1 += 1,
        }
    }
    // Blocks of a topic that starts again come together; most files have none.
    rows.blocks.sort_by_key(|block| block.topic);
    if let (Some(number), true) = (rows.header, rows.len() == 0 && rows.broken.is_none()) {
        let text = "the file has a header but no rows".to_owned();
        findings.error(RuleId::Empty, Spot::Line(number), text, "write a row for each result");
    }
    check_layout(&rows, task, columns, findings);
    rows
}

/// The row of a line, unless it is broken.
fn take<'a>(
    rows: &mut Rows<'a>,
    number: usize,
    whole: &'a str,
    cut: &Cut<'a>,
    task: Task,
    findings: &mut Findings,
) -> Option<Row<'a>> {
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
        return None;
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
            return None;
        }
        if let Some(bad) = hidden_character(field) {
            let text = format!("the {name} holds the hidden character U+{:04X}", u32::from(bad));
            findings.error(RuleId::Characters, spot(number, whole, field), text, "delete the character");
            return None;
        }
    }
    Some(Row::new(number, whole, layout, &fields))
}

/// The lab's layout of a task.
pub(super) fn standard(task: Task) -> RunLayout {
    match task {
        Task::Task2 => RunLayout::Task2,
        Task::Task1 | Task::Task3 => RunLayout::Task1,
    }
}

/// Tells which rows belong to which topic, as they come.
#[derive(Default)]
struct Grouping<'a> {
    indexes: HashMap<&'a str, u32>,
    /// Topics whose rows do not stand together.
    torn: std::collections::HashSet<u32>,
}

impl<'a> Grouping<'a> {
    /// Adds a row; a topic that starts again is said.
    fn add(&mut self, rows: &mut Rows<'a>, start: usize, row: &Row<'a>, findings: &mut Findings) {
        let short = |number: usize| u32::try_from(number).expect("a file has at most 4 GiB");
        if row.score.is_none() {
            rows.unscored.get_or_insert(row.number);
        }
        let index = short(rows.stubs.len());
        rows.stubs.push(Stub { start: short(start), number: short(row.number) });
        if let Some(last) = rows.blocks.last_mut()
            && rows.topics[last.topic as usize] == row.topic
            && last.end == index
        {
            last.end += 1;
            return;
        }
        let is_new = !self.indexes.contains_key(row.topic);
        if is_new && rows.topics.len() == MOST_TOPICS {
            if rows.surplus.is_none() {
                rows.surplus = Some(row.number);
                let text =
                    format!("there are more than {MOST_TOPICS} topics; rows of the others are not looked at");
                findings.error(
                    RuleId::TooMany,
                    row.spot(row.topic),
                    text,
                    "see whether the first column is the topic",
                );
            }
            return;
        }
        let topic = *self.indexes.entry(row.topic).or_insert_with(|| {
            rows.topics.push(row.topic);
            short(rows.topics.len() - 1)
        });
        if !is_new && self.torn.insert(topic) {
            let text = format!("topic {} goes on here, after rows of another topic", shorten(row.topic));
            let fix = "keep the rows of a topic together";
            findings.warning(RuleId::TopicOrder, row.spot(row.topic), text, fix);
        }
        rows.blocks.push(Block { topic, start: index, end: index + 1 });
    }
}

/// The rules about the layout as a whole, said once.
fn check_layout(rows: &Rows<'_>, task: Task, columns: Columns, findings: &mut Findings) {
    let (Some(layout), Some(first)) = (rows.layout, rows.stubs.first()) else { return };
    let place = Spot::Line(first.number as usize);
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
    if rows.broken.is_some() || rows.header.is_some() || rows.unscored.is_some() {
        return;
    }
    let kind = if task == Task::Task2 { RunKind::Formulas } else { RunKind::Documents };
    let problems = Run::problems_of(&submission.label, rows.text, kind);
    let said = findings.error_lines();
    for problem in problems.kept.into_iter().filter(|problem| !said.contains(&problem.place.line)) {
        let line = problem.place.line;
        let place = problem.place.column.map_or(Spot::Line(line), |column| Spot::Column(line, column));
        findings.error(RuleId::Columns, place, problem.reason, "correct the row");
    }
}
