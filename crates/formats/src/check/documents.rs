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
    let mut hits = Hits::default();
    for row in rows.rows() {
        let row = &row;
        check_id(row, row.doc, noun(task), findings);
        if let Some(post) = row.post {
            check_id(row, post, "post", findings);
        }
        let broken = broken_hit(row, rows, task, lookup);
        hits.add(row.topic, broken.is_some());
        if let Some(Broken { rule, field, text, fix }) = broken {
            findings.filtered(rule, row.spot(field), text, fix);
        }
    }
    hits.check(findings);
}

/// How many hits each topic keeps, in the order of topics.
#[derive(Default)]
struct Hits<'a> {
    topics: Vec<(&'a str, usize)>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Hits<'a> {
    fn add(&mut self, topic: &'a str, is_filtered: bool) {
        let place = *self.places.entry(topic).or_insert_with(|| {
            self.topics.push((topic, 0));
            self.topics.len() - 1
        });
        self.topics[place].1 += usize::from(!is_filtered);
    }

    fn check(&self, findings: &mut Findings) {
        let without: Vec<&str> =
            self.topics.iter().filter(|(_, kept)| *kept == 0).map(|(topic, _)| *topic).collect();
        if without.is_empty() {
            return;
        }
        if without.len() == self.topics.len() {
            return every_hit_is_filtered(findings);
        }
        let shown: Vec<String> = without.iter().take(10).map(|topic| shorten(topic).to_string()).collect();
        let more = if without.len() > shown.len() { ", …" } else { "" };
        let text = format!(
            "{} no hit when the lab has filtered: {}{more}",
            super::mend::counted(without.len(), "topic has", "topics have"),
            shown.join(", ")
        );
        findings.warning(RuleId::MissingTopic, Spot::File, text, KEPT);
    }
}

/// What helps against filtering.
const KEPT: &str = "return hits that the lab takes";

/// Nothing is left of the file when hits are filtered.
pub(super) fn every_hit_is_filtered(findings: &mut Findings) {
    let text = "the lab filters every hit of the file".to_owned();
    findings.error(RuleId::Empty, Spot::File, text, KEPT);
}

/// What is wrong with a hit that the lab filters.
pub(super) struct Broken<'a> {
    pub(super) rule: RuleId,
    /// The field that it is about.
    field: &'a str,
    pub(super) text: String,
    fix: &'static str,
}

/// What is wrong with a hit, if the lab filters it.
pub(super) fn broken_hit<'a>(
    row: &Row<'a>,
    rows: &Rows<'_>,
    task: Task,
    lookup: Option<&dyn CollectionLookup>,
) -> Option<Broken<'a>> {
    let ids_are_visual = task == Task::Task2 && rows.layout == Some(RunLayout::Trec);
    // What is no id is an error of its own.
    let are_ids = is_id(row.doc) && row.post.is_none_or(is_id);
    let lookup = lookup.filter(|_| are_ids && !ids_are_visual)?;
    match task {
        Task::Task2 => broken_formula(row, lookup),
        Task::Task1 | Task::Task3 => broken_answer(row, lookup),
    }
}

fn noun(task: Task) -> &'static str {
    match task {
        Task::Task2 => "formula",
        Task::Task1 | Task::Task3 => "document",
    }
}

/// Whether an id is a whole number as the collection writes it.
fn is_id(id: &str) -> bool {
    id.bytes().all(|byte| byte.is_ascii_digit()) && (id == "0" || !id.starts_with('0'))
}

/// The rule about ids.
fn check_id(row: &Row<'_>, id: &str, what: &str, findings: &mut Findings) {
    if is_id(id) {
        return;
    }
    let digits = id.bytes().all(|byte| byte.is_ascii_digit());
    let shown = shorten(id);
    let (text, fix) = if digits {
        (format!("the {what} id '{shown}' starts with a zero"), "write the id as the collection does")
    } else if id.strip_suffix(".0").is_some_and(|id| id.parse::<u64>().is_ok()) {
        (format!("the {what} id '{shown}' is a fraction"), "write ids as whole numbers, without .0")
    } else {
        (format!("the {what} id '{shown}' is not a whole number"), "write the id that the collection has")
    };
    findings.error(RuleId::DocId, row.spot(id), text, fix);
}

fn broken_answer<'a>(row: &Row<'a>, lookup: &dyn CollectionLookup) -> Option<Broken<'a>> {
    let text = match lookup.is_answer(DocId(row.doc)) {
        PostKind::Answer | PostKind::Unknown => return None,
        PostKind::Question => format!("post {} is a question; Task 1 returns answers", row.doc),
        PostKind::Comment => format!("post {} is a comment; Task 1 returns answers", row.doc),
        PostKind::Missing => format!("post {} is not in the collection", row.doc),
    };
    Some(Broken { rule: RuleId::NotAnAnswer, field: row.doc, text, fix: "return answers only" })
}

fn broken_formula<'a>(row: &Row<'a>, lookup: &dyn CollectionLookup) -> Option<Broken<'a>> {
    let formula = row.doc;
    let broken = |field, text, fix| Some(Broken { rule: RuleId::FormulaPlace, field, text, fix });
    let Some(place) = lookup.formula_place(DocId(formula)) else {
        let text = format!("formula {formula} is not in the collection");
        return broken(
            formula,
            text,
            "return formulas of the collection; see that all formula tables are given",
        );
    };
    if place.kind == PostKind::Comment {
        let text = format!("formula {formula} stands in a comment, which the lab does not judge");
        return broken(formula, text, "return formulas of questions and answers");
    }
    let post = row.post.filter(|post| *post != place.post.as_ref())?;
    let text = format!("formula {formula} stands in post {}, not in {post}", place.post);
    broken(post, text, "write the post that holds the formula")
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
