//! Hits that break a rule of the guidelines: the lab filters them, and the rest of the run is kept.
//!
//! Task 1 returns answers, Task 2 formulas of questions and answers, and an answer of Task 3 has at most
//! 1,200 characters, with dollar signs in pairs around formulas.

use super::answers::{self, Answers};
use super::documents::broken_hit;
use super::file_name::{self, Task};
use super::finding::{Findings, RuleId};
use super::rows;
use super::submission::Submission;
use super::{Options, mend};
use std::collections::HashSet;

/// A hit that the lab filters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilteredHit {
    /// The line on which it stands, from 1.
    pub line: usize,
    /// The topic.
    pub topic: String,
    /// The post, the formula, or in Task 3 the answer.
    pub hit: String,
    /// The rule that it breaks.
    pub rule: RuleId,
    /// How.
    pub reason: String,
}

/// A run without the hits that the lab filters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filtered {
    /// The text without them; none if there are none. All other lines of Tasks 1 and 2 are as they were.
    pub text: Option<String>,
    /// The hits, in the order of the file.
    pub hits: Vec<FilteredHit>,
}

/// Takes out the hits that the lab filters, of a run without errors.
///
/// ```
/// use formats::check::{Options, Submission, filter};
/// let name = "us-task3-gpt-auto-both-generate-P.tsv";
/// let text = "A.301\t1\t1\tgpt\t\tIt is $x$.\nA.302\t1\t1\tgpt\t\tIt is $x.\n";
/// let filtered = filter(&Submission::read(name, Some(name), text)?, &Options::default());
/// assert_eq!(filtered.text.as_deref(), Some("A.301\t1\t1\tgpt\t\tIt is $x$.\n"));
/// assert_eq!((filtered.hits.len(), filtered.hits[0].topic.as_str()), (1, "A.302"));
/// # Ok::<(), formats::Error>(())
/// ```
#[must_use]
pub fn filter(submission: &Submission, options: &Options<'_>) -> Filtered {
    let task = file_name::check(submission, options.task, &mut Findings::default()).0;
    match task {
        Task::Task3 => filter_answers(submission),
        Task::Task1 | Task::Task2 => filter_rows(submission, task, options),
    }
}

fn filter_rows(submission: &Submission, task: Task, options: &Options<'_>) -> Filtered {
    let rows = rows::read(&submission.text, task, options.columns, &mut Findings::default());
    let broken = rows.rows().filter_map(|row| {
        let broken = broken_hit(&row, &rows, task, options.lookup)?;
        let (topic, hit) = (row.topic.to_owned(), row.doc.to_owned());
        Some(FilteredHit { line: row.number, topic, hit, rule: broken.rule, reason: broken.text })
    });
    let hits: Vec<FilteredHit> = broken.collect();
    if hits.is_empty() {
        return Filtered::default();
    }
    let lines: HashSet<usize> = hits.iter().map(|hit| hit.line).collect();
    let kept = submission.text.split_inclusive('\n').zip(1..).filter(|(_, line)| !lines.contains(line));
    Filtered { text: Some(kept.map(|(line, _)| line).collect()), hits }
}

fn filter_answers(submission: &Submission) -> Filtered {
    let Some(Answers { mut run, .. }) = answers::read(submission) else { return Filtered::default() };
    let mut hits = Vec::new();
    run.answers.retain(|answer| {
        let broken = answers::broken(answer);
        let Some(first) = broken.first() else { return true };
        let reasons: Vec<&str> = broken.iter().map(|broken| broken.text.as_str()).collect();
        hits.push(FilteredHit {
            line: answer.line,
            topic: answer.topic.to_string(),
            hit: answer.answer.clone(),
            rule: first.rule,
            reason: reasons.join("; "),
        });
        false
    });
    if hits.is_empty() {
        return Filtered::default();
    }
    Filtered { text: Some(run.to_text()), hits }
}

/// The change that filtering was, as [`mend()`](mend::mend) tells it: one for each rule.
pub(super) fn changes(hits: &[RuleId]) -> Vec<mend::Change> {
    let mut rules: Vec<RuleId> = hits.to_vec();
    rules.sort_unstable();
    rules.dedup();
    let change = |rule: RuleId| {
        let count = hits.iter().filter(|other| **other == rule).count();
        let text =
            mend::counted(count, "hit dropped that the lab filters", "hits dropped that the lab filters");
        mend::Change { rule, count, text }
    };
    rules.into_iter().map(change).collect()
}
