//! Mending what can be mended without guessing.
//!
//! Measures go by the score, so sorting and counting ranks anew, dropping the
//! lower of two rows for a document and cutting at the limit change nothing that
//! is measured; and so does dropping the hits that the lab filters. Rows that
//! cannot be read are never dropped: the whole file is then refused.

use super::answers::{self, Answers};
use super::documents::broken_hit;
use super::file_name::Task;
use super::finding::{Findings, RuleId};
use super::rows::{self, Row, Rows};
use super::submission::{ByteOrderMark, LineEnds, Submission};
use super::{Columns, Options, file_name, filter, scores};
use crate::run::{RunLayout, RunLine};
use std::borrow::Cow;
use std::collections::HashSet;

/// Something that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The rule that asked for it.
    pub rule: RuleId,
    /// How often.
    pub count: usize,
    /// What was changed.
    pub text: String,
}

/// Something that cannot be mended safely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule that is broken.
    pub rule: RuleId,
    /// Why nothing was done.
    pub text: String,
}

/// A file after mending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mended {
    /// The new text; none if nothing was to be changed, or nothing could be.
    pub text: Option<String>,
    /// What was changed.
    pub changes: Vec<Change>,
    /// What was not, and why.
    pub refusals: Vec<Refusal>,
}

impl Mended {
    fn change(&mut self, rule: RuleId, count: usize, one: &str, many: &str) {
        if count > 0 {
            self.changes.push(Change { rule, count, text: counted(count, one, many) });
        }
    }

    fn refuse(&mut self, rule: RuleId, text: impl Into<String>) {
        self.refusals.push(Refusal { rule, text: text.into() });
    }
}

/// Makes a corrected text where that is safe.
///
/// ```
/// use formats::check::{Options, Submission, mend};
/// let name = "us-task1-bm25-auto-both-P.tsv";
/// let text = "A.1 42 0 0.5 bm25\r\nA.1 7 1 0.4 bm25\r\n";
/// let mended = mend(&Submission::read(name, Some(name), text)?, &Options::default());
/// assert_eq!(mended.text.as_deref(), Some("A.1\t42\t1\t0.5\tbm25\nA.1\t7\t2\t0.4\tbm25\n"));
/// # Ok::<(), formats::Error>(())
/// ```
#[must_use]
pub fn mend(submission: &Submission, options: &Options<'_>) -> Mended {
    let task = file_name::check(submission, options.task, &mut Findings::default()).0;
    let mut mended = Mended::default();
    if submission.mark == ByteOrderMark::Present {
        mended.change(RuleId::ByteOrderMark, 1, "byte order mark dropped", "byte order marks dropped");
    }
    let lines_are_rows = task != Task::Task3 || !submission.is_quoted();
    let text = if lines_are_rows {
        tidy_lines(&submission.text, &mut mended)
    } else {
        submission.text.as_str().into()
    };
    let text = match task {
        Task::Task3 => mend_answers(&submission.with_text(text.into_owned()), &mut mended),
        Task::Task1 | Task::Task2 => {
            let rows = rows::read(&text, task, options.columns, &mut Findings::default());
            mend_rows(&rows, task, options, &mut mended)
        }
    };
    match text {
        Some(text) if !mended.changes.is_empty() => mended.text = Some(text),
        Some(_) => {}
        None => mended.changes.clear(),
    }
    mended
}

/// Ends all lines with a line feed; blank lines go when the rows are written.
fn tidy_lines<'a>(text: &'a str, mended: &mut Mended) -> Cow<'a, str> {
    let ends = LineEnds::of(text);
    mended.change(RuleId::LineEnds, ends.crlf, "line end CR LF made LF", "line ends CR LF made LF");
    mended.change(RuleId::LineEnds, ends.lone_cr, "CR made a line end", "CRs made line ends");
    let is_blank = |line: &&str| line.bytes().all(|byte| byte.is_ascii_whitespace());
    let blank = text.split_terminator('\n').filter(is_blank).count();
    mended.change(RuleId::BlankLine, blank, "blank line dropped", "blank lines dropped");
    if ends.crlf + ends.lone_cr == 0 {
        return text.into();
    }
    text.replace("\r\n", "\n").replace('\r', "\n").into()
}

fn mend_rows(rows: &Rows<'_>, task: Task, options: &Options<'_>, mended: &mut Mended) -> Option<String> {
    let columns = options.columns;
    if let Some((line, count)) = rows.broken {
        let more = count - 1;
        let and = if more == 0 { String::new() } else { format!(" (and {more} more)") };
        mended.refuse(
            RuleId::Columns,
            format!("line {line}{and} is not a row, and no row is dropped: correct it by hand"),
        );
    }
    if let Some(line) = rows.unscored {
        mended
            .refuse(RuleId::Score, format!("the score on line {line} cannot be guessed: correct it by hand"));
    }
    if let Some(line) = rows.surplus {
        mended.refuse(RuleId::TooMany, format!("there are too many topics from line {line} on"));
    }
    if rows.len() == 0 && rows.broken.is_none() {
        mended.refuse(RuleId::Empty, "there are no rows");
    }
    let (up, all) = scores::rising(rows);
    if up * 2 > all {
        mended.refuse(
            RuleId::ScoreOrder,
            format!("{up} of {all} scores rise with the rank: if low scores are good, write them negative; if not, sort by score"),
        );
    }
    if !mended.refusals.is_empty() {
        return None;
    }
    mended.change(RuleId::Header, usize::from(rows.header.is_some()), "header dropped", "headers dropped");
    mended.change(
        RuleId::Separator,
        rows.untidy,
        "row written with single tabs between columns",
        "rows written with single tabs between columns",
    );
    let from = rows.layout?;
    let to = target_layout(from, task, columns, mended);
    if to != from {
        let rule = if columns == Columns::Trec { RuleId::Columns } else { RuleId::TrecColumns };
        let names = to.names();
        let text = format!("columns made {names}");
        mended.changes.push(Change { rule, count: rows.len(), text });
    }
    let mut out = String::new();
    let mut counts = Counts::default();
    let mut filtered = Vec::new();
    for topic in rows.by_topic() {
        if !topic.is_whole() {
            let (topic, count) = (crate::fields::shorten(topic.topic), topic.count);
            mended.refuse(RuleId::TooMany, format!("topic {topic} has {count} rows, too many to sort"));
            return None;
        }
        counts.torn += usize::from(topic.torn);
        let mut ranking: Vec<&Row<'_>> = topic.rows.iter().collect();
        ranking.retain(|row| match broken_hit(row, rows, task, options.lookup) {
            Some(broken) => {
                filtered.push(broken.rule);
                false
            }
            None => true,
        });
        for (row, rank) in counts.rank(ranking, options.most_results()).into_iter().zip(1..) {
            push_row(&mut out, row, rank, to);
        }
    }
    if out.is_empty() {
        mended.refuse(RuleId::Empty, "the lab filters every hit");
        return None;
    }
    mended.changes.extend(filter::changes(&filtered));
    counts.report(options.most_results(), mended);
    Some(out)
}

/// The layout that the copy has.
fn target_layout(from: RunLayout, task: Task, columns: Columns, mended: &mut Mended) -> RunLayout {
    match (from, task, columns) {
        (_, _, Columns::Trec) => RunLayout::Trec,
        (RunLayout::Trec, Task::Task2, Columns::Lab) => {
            mended.refuse(RuleId::TrecColumns, "the formulas and posts behind TREC's columns are not known");
            from
        }
        (RunLayout::Trec, _, Columns::Lab) => RunLayout::Task1,
        (RunLayout::Task2WithoutPost, _, Columns::Lab) => {
            mended.refuse(RuleId::Columns, "the posts that are missing are not known");
            from
        }
        (RunLayout::Task1 | RunLayout::Task2, _, Columns::Lab) => from,
    }
}

/// What was done to rankings.
#[derive(Default)]
struct Counts {
    torn: usize,
    sorted: usize,
    renumbered: usize,
    repeated: usize,
    beyond: usize,
}

impl Counts {
    /// The rows of a topic as they shall be; their ranks count from 1.
    fn rank<'r, 'a>(&mut self, ranking: Vec<&'r Row<'a>>, most: usize) -> Vec<&'r Row<'a>> {
        let mut sorted = ranking.clone();
        sorted.sort_by(|a, b| {
            let [left, right] = [a, b].map(|row| row.score.unwrap_or(f64::NEG_INFINITY));
            let rank = |row: &Row<'_>| row.rank.unwrap_or(u64::MAX);
            // -0 and 0 are one score.
            (right + 0.0).total_cmp(&(left + 0.0)).then_with(|| rank(a).cmp(&rank(b)))
        });
        let moved = ranking.iter().zip(&sorted).any(|(before, after)| before.number != after.number);
        self.sorted += usize::from(moved);
        let rows = sorted.len();
        let mut seen = HashSet::new();
        sorted.retain(|row| seen.insert(row.doc));
        self.repeated += rows - sorted.len();
        self.beyond += sorted.len().saturating_sub(most);
        sorted.truncate(most);
        let is_wrong = |(row, rank): (&&Row<'_>, u64)| row.rank != Some(rank);
        self.renumbered += usize::from(sorted.iter().zip(1..).any(is_wrong));
        sorted
    }

    fn report(&self, most: usize, mended: &mut Mended) {
        mended.change(RuleId::TopicOrder, self.torn, "topic brought together", "topics brought together");
        mended.change(RuleId::ScoreOrder, self.sorted, "topic sorted by score", "topics sorted by score");
        mended.change(
            RuleId::Duplicate,
            self.repeated,
            "row dropped whose document stands higher in its topic",
            "rows dropped whose documents stand higher in their topics",
        );
        let [one, many] = ["row", "rows"].map(|rows| format!("{rows} dropped behind rank {most}"));
        mended.change(RuleId::TooMany, self.beyond, &one, &many);
        let (one, many) = ("topic with ranks counted anew", "topics with ranks counted anew");
        mended.change(RuleId::Rank, self.renumbered, one, many);
    }
}

fn push_row(out: &mut String, row: &Row<'_>, rank: usize, layout: RunLayout) {
    let Row { topic, doc, post, score_text: score, tag, .. } = *row;
    RunLine { topic, doc, post, rank, score, tag }.push(layout, out);
}

fn mend_answers(submission: &Submission, mended: &mut Mended) -> Option<String> {
    let Some(Answers { mut run, header, problems }) = answers::read(submission) else {
        mended.refuse(RuleId::Empty, "there are no rows");
        return None;
    };
    if let Some(problem) = problems.kept.first() {
        let line = problem.place.line;
        let text = format!("line {line} is not a row, and no row is dropped: correct it by hand");
        mended.refuse(RuleId::Columns, text);
        return None;
    }
    mended.change(RuleId::Header, usize::from(header.is_some()), "header dropped", "headers dropped");
    let topics: HashSet<_> = run.answers.iter().map(|answer| &answer.topic).collect();
    if topics.len() < run.answers.len() {
        mended.refuse(RuleId::Duplicate, "which of several answers to a topic counts is yours to say");
        return None;
    }
    let mut ranks = 0;
    for answer in run.answers.iter_mut().filter(|answer| answer.rank.trim() != "1") {
        answer.rank = "1".to_owned();
        ranks += 1;
    }
    mended.change(RuleId::Rank, ranks, "rank made 1", "ranks made 1");
    let mut filtered = Vec::new();
    run.answers.retain(|answer| {
        let broken = answers::broken(answer);
        filtered.extend(broken.first().map(|broken| broken.rule));
        broken.is_empty()
    });
    if run.answers.is_empty() {
        mended.refuse(RuleId::Empty, "the lab filters every answer");
        return None;
    }
    mended.changes.extend(filter::changes(&filtered));
    Some(run.to_text())
}

/// A number with its noun, as in `1 line` and `2 lines`.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
