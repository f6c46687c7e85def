//! Rules about what was returned: ids, duplicates, places in the collection; and about tags.

use super::file_name::{SubmissionName, Task, stem};
use super::finding::{Findings, RuleId, Spot};
use super::lookup::{CollectionLookup, PostKind};
use super::rows::{Row, Rows, TopicRows};
use super::submission::Submission;
use crate::fields::shorten;
use crate::ids::DocId;
use crate::run::RunLayout;
use std::collections::HashMap;

/// Checks the documents of each topic.
pub(super) fn check(
    rows: &Rows<'_>,
    task: Task,
    lookup: Option<&dyn CollectionLookup>,
    findings: &mut Findings,
) {
    for TopicRows { topic, rows, .. } in rows.by_topic() {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for row in &rows {
            let first = *seen.entry(row.doc).or_insert(row.number);
            if first != row.number {
                let (what, doc, topic) = (noun(task), shorten(row.doc), shorten(topic));
                let text = format!("{what} {doc} was returned for topic {topic} before, on line {first}");
                findings.error(
                    RuleId::Duplicate,
                    row.spot(row.doc),
                    text,
                    "keep the row with the higher score",
                );
            }
        }
    }
    let ids_are_visual = task == Task::Task2 && rows.layout == Some(RunLayout::Trec);
    for row in rows.rows() {
        let row = &row;
        let is_number = check_id(row, row.doc, noun(task), findings);
        let post_is_number = row.post.is_none_or(|post| check_id(row, post, "post", findings));
        if let (true, true, false, Some(lookup)) = (is_number, post_is_number, ids_are_visual, lookup) {
            match task {
                Task::Task2 => check_formula(row, lookup, findings),
                Task::Task1 | Task::Task3 => check_answer(row, lookup, findings),
            }
        }
    }
}

fn noun(task: Task) -> &'static str {
    match task {
        Task::Task2 => "formula",
        Task::Task1 | Task::Task3 => "document",
    }
}

/// Whether an id is a whole number as the collection writes it.
fn check_id(row: &Row<'_>, id: &str, what: &str, findings: &mut Findings) -> bool {
    let digits = id.bytes().all(|byte| byte.is_ascii_digit());
    if digits && (id == "0" || !id.starts_with('0')) {
        return true;
    }
    let shown = shorten(id);
    let (text, fix) = if digits {
        (format!("the {what} id '{shown}' starts with a zero"), "write the id as the collection does")
    } else if id.strip_suffix(".0").is_some_and(|id| id.parse::<u64>().is_ok()) {
        (format!("the {what} id '{shown}' is a fraction"), "write ids as whole numbers, without .0")
    } else {
        (format!("the {what} id '{shown}' is not a whole number"), "write the id that the collection has")
    };
    findings.error(RuleId::DocId, row.spot(id), text, fix);
    false
}

fn check_answer(row: &Row<'_>, lookup: &dyn CollectionLookup, findings: &mut Findings) {
    let kind = lookup.is_answer(DocId(row.doc));
    let text = match kind {
        PostKind::Answer | PostKind::Unknown => return,
        PostKind::Question => format!("post {} is a question; Task 1 returns answers", row.doc),
        PostKind::Comment => format!("post {} is a comment; Task 1 returns answers", row.doc),
        PostKind::Missing => format!("post {} is not in the collection", row.doc),
    };
    findings.error(RuleId::NotAnAnswer, row.spot(row.doc), text, "return answers only");
}

fn check_formula(row: &Row<'_>, lookup: &dyn CollectionLookup, findings: &mut Findings) {
    let formula = row.doc;
    let Some(place) = lookup.formula_place(DocId(formula)) else {
        let text = format!("formula {formula} is not in the collection");
        let fix = "return formulas of the collection; see that all formula tables are given";
        findings.error(RuleId::FormulaPlace, row.spot(formula), text, fix);
        return;
    };
    if place.kind == PostKind::Comment {
        let text = format!("formula {formula} stands in a comment, which the lab does not judge");
        findings.error(
            RuleId::FormulaPlace,
            row.spot(formula),
            text,
            "return formulas of questions and answers",
        );
        return;
    }
    if let Some(post) = row.post
        && post != place.post.as_ref()
    {
        let text = format!("formula {formula} stands in post {}, not in {post}", place.post);
        findings.error(RuleId::FormulaPlace, row.spot(post), text, "write the post that holds the formula");
    }
}

/// One tag in the whole file, without blanks, that is the run's id or the file's name.
pub(super) fn check_tags<'a>(
    tags: impl Iterator<Item = (&'a str, Spot)>,
    submission: &Submission,
    name: Option<&SubmissionName>,
    findings: &mut Findings,
) {
    let mut first: Option<&str> = None;
    for (tag, place) in tags {
        let shown = shorten(tag);
        match first {
            None => {
                first = Some(tag);
                if tag.contains(char::is_whitespace) {
                    let text = format!("the tag '{shown}' holds blanks, at which other tools cut");
                    findings.warning(RuleId::Tag, place, text, "write it without blanks");
                }
                let file = stem(submission.file_name.as_deref().unwrap_or_default());
                if let Some(name) = name
                    && tag != file
                    && !tag.eq_ignore_ascii_case(&name.id)
                {
                    let wanted = if name.id.is_empty() { file } else { &name.id };
                    let text = format!("the tag is '{shown}', but the name of the file says '{wanted}'");
                    findings.warning(RuleId::Tag, place, text, "use one name for the run");
                }
            }
            Some(first) if first == tag => {}
            Some(first) => {
                let text = format!("the tag is '{shown}' here, but '{}' before", shorten(first));
                findings.warning(RuleId::Tag, place, text, "write one tag in all rows");
                return;
            }
        }
    }
}
