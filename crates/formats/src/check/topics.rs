//! Rules about topics: their ids, and which there must be.

use super::file_name::Task;
use super::finding::{Findings, RuleId, Spot};
use crate::fields::shorten;
use crate::ids::TopicId;
use std::collections::{BTreeSet, HashSet};

/// What is known of the topics of a task.
#[derive(Clone, Copy, Debug)]
pub enum Topics<'a> {
    /// These are all topics.
    All(&'a [TopicId]),
    /// These were judged; there may be others.
    Judged(&'a [TopicId]),
}

impl<'a> Topics<'a> {
    fn ids(self) -> &'a [TopicId] {
        match self {
            Self::All(ids) | Self::Judged(ids) => ids,
        }
    }
}

/// A topic of a file, where it first occurs.
#[derive(Clone, Copy, Debug)]
pub(super) struct TopicSpot<'a> {
    pub(super) id: &'a str,
    pub(super) place: Spot,
}

/// How many ids are named in one message.
const NAMED: usize = 5;

/// Checks the topics of a file, each given once.
pub(super) fn check(
    topics: &[TopicSpot<'_>],
    task: Task,
    known: Option<Topics<'_>>,
    findings: &mut Findings,
) {
    let ids: HashSet<&str> = known.map(Topics::ids).unwrap_or_default().iter().map(TopicId::as_str).collect();
    for topic in topics {
        if !ids.contains(topic.id) {
            check_id(*topic, task, findings);
        }
    }
    let Some(known) = known else { return };
    let unknown: Vec<&TopicSpot<'_>> = topics.iter().filter(|topic| !ids.contains(topic.id)).collect();
    match known {
        Topics::All(_) => {
            for topic in &unknown {
                let text = format!("topic {} is not a topic of the lab", shorten(topic.id));
                let fix = "correct the id, or delete its rows";
                findings.error(RuleId::UnknownTopic, topic.place, text, fix);
            }
        }
        Topics::Judged(_) => {
            if let Some(first) = unknown.first() {
                let names = list(unknown.iter().map(|topic| topic.id));
                let count = super::mend::counted(unknown.len(), "topic is", "topics are");
                let text = format!("{count} not judged and will count nowhere: {names}");
                findings.warning(RuleId::UnknownTopic, first.place, text, "see whether the ids are right");
            }
        }
    }
    let here: HashSet<&str> = topics.iter().map(|topic| topic.id).collect();
    let missing: BTreeSet<&str> = ids.into_iter().filter(|id| !here.contains(id)).collect();
    if !missing.is_empty() {
        let mut missing: Vec<TopicId> = missing.into_iter().map(TopicId::from).collect();
        missing.sort_by(TopicId::natural_cmp);
        let names = list(missing.iter().map(TopicId::as_str));
        let count = super::mend::counted(missing.len(), "topic has", "topics have");
        let text = format!("{count} no results and will count as zero: {names}");
        findings.warning(RuleId::MissingTopic, Spot::File, text, "add rows for all topics");
    }
}

fn list<'a>(ids: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = ids.len().saturating_sub(NAMED);
    let mut names: Vec<String> = ids.take(NAMED).map(shorten).collect();
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}

fn check_id(topic: TopicSpot<'_>, task: Task, findings: &mut Findings) {
    let letter = match task {
        Task::Task1 | Task::Task3 => 'A',
        Task::Task2 => 'B',
    };
    let id = shorten(topic.id);
    let number = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    let fix = format!("topics of Task {} are {letter}. and a number", task.number());
    let text = match topic.id.split_once('.') {
        Some((start, rest)) if start == letter.to_string() && number(rest) => return,
        Some(("A", rest)) if number(rest) => format!("topic {id} is one of Task 1 or 3, not of Task 2"),
        Some(("B", rest)) if number(rest) => format!("topic {id} is one of Task 2, not of {task}"),
        _ => format!("'{id}' is not the id of a topic"),
    };
    findings.error(RuleId::TopicId, topic.place, text, fix);
}
