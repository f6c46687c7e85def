//! What somebody learns from a lesson, item by item.

use super::super::app::AssessApp;
use super::super::person::Person;
use super::super::{Answer, page};
use super::key_of;
use super::words::{self, kind_name, relevant_name, task_of, verdict_class, verdict_name};
use crate::view::Html;
use askama::Template;
use assess::school::{Feedback, FeedbackPart, LessonKey, PupilResult};
use axum::extract::{Path, State};
use lab::{Manifest, Stage, Verdict};

#[derive(Template)]
#[template(path = "assess/school/results.html")]
struct ResultsPage {
    person: Person,
    name: String,
    kind: &'static str,
    training: bool,
    relevant: String,
    own: PupilResult,
    /// The mean over all who took part.
    mean: (Option<f64>, Option<f64>),
    topics: Vec<TopicFeedback>,
}

impl ResultsPage {
    fn here(&self) -> &'static str {
        "school"
    }
}

struct TopicFeedback {
    topic: String,
    title: Option<Html>,
    items: Vec<ItemFeedback>,
}

struct ItemFeedback {
    item: String,
    look: Option<String>,
    parts: Vec<PartFeedback>,
}

struct PartFeedback {
    instance: Option<String>,
    own: Option<Chip>,
    own_comment: String,
    known: Chip,
    /// How far apart the two are.
    apart: &'static str,
    apart_class: &'static str,
    others: Vec<(Chip, usize)>,
    remarks: Vec<(Chip, String)>,
}

/// A verdict as it is shown.
pub(super) struct Chip {
    pub(super) name: String,
    pub(super) class: String,
}

impl Chip {
    pub(super) fn of(manifest: &Manifest, task: formats::check::Task, verdict: Verdict) -> Self {
        Self { name: verdict_name(manifest, task, verdict), class: verdict_class(verdict) }
    }
}

pub(super) async fn results(
    State(app): State<AssessApp>,
    person: Person,
    Path((stage, kind)): Path<(String, String)>,
) -> Answer {
    let key = key_of(&stage, &kind)?;
    let account = person.account.clone();
    let material = app.material().await?;
    let found = app
        .read(move |books| {
            let feedback = books.feedback(account.number, key)?;
            let results = books.lesson_results(key)?;
            let own = results.of(&account.name).cloned().ok_or(assess::Error::NotYours("lesson"))?;
            let manifest = books.manifest();
            let relevant = relevant_name(manifest, key.kind, books.relevant_from(key.kind));
            let title = |topic: &str| material.question(&results.lesson.set, key.kind, topic).title.clone();
            Ok((topics(manifest, key, feedback, title), own, results.mean_kappa(), relevant))
        })
        .await?;
    let (topics, own, mean, relevant) = found;
    page(&ResultsPage {
        person,
        name: key.name(),
        kind: kind_name(key.kind),
        training: key.stage != Stage::Sample,
        relevant,
        own,
        mean,
        topics,
    })
}

fn topics(
    manifest: &Manifest,
    key: LessonKey,
    feedback: Vec<Feedback>,
    title: impl Fn(&str) -> Option<Html>,
) -> Vec<TopicFeedback> {
    let mut topics: Vec<TopicFeedback> = Vec::new();
    for item in feedback {
        let task = task_of(key.kind, item.kind);
        let part = |part: FeedbackPart| {
            let (apart, apart_class) = distance(part.own.as_ref().map(|own| own.verdict), part.known);
            PartFeedback {
                instance: part.instance,
                own: part.own.as_ref().map(|own| Chip::of(manifest, task, own.verdict)),
                own_comment: part.own.map(|own| own.comment).unwrap_or_default(),
                known: Chip::of(manifest, task, part.known),
                apart,
                apart_class,
                others: part
                    .others
                    .into_iter()
                    .map(|(verdict, count)| (Chip::of(manifest, task, verdict), count))
                    .collect(),
                remarks: part
                    .remarks
                    .into_iter()
                    .map(|remark| (Chip::of(manifest, task, remark.verdict), remark.comment))
                    .collect(),
            }
        };
        let entry = ItemFeedback {
            item: item.item,
            look: item.look.map(|(assignment, task)| format!("/task/{assignment}/{task}")),
            parts: item.parts.into_iter().map(part).collect(),
        };
        match topics.last_mut() {
            Some(last) if last.topic == item.topic.as_str() => last.items.push(entry),
            _ => topics.push(TopicFeedback {
                title: title(item.topic.as_str()),
                topic: item.topic.to_string(),
                items: vec![entry],
            }),
        }
    }
    topics
}

/// How far apart two verdicts are, in words and as a class.
fn distance(own: Option<Verdict>, known: Verdict) -> (&'static str, &'static str) {
    match (own.and_then(Verdict::grade), known.grade()) {
        (Some(own), Some(known)) => match own.abs_diff(known) {
            0 => ("the same", "same"),
            1 => ("one apart", "near"),
            2 => ("two apart", "far"),
            _ => ("three or more apart", "far"),
        },
        _ => ("not comparable", "near"),
    }
}
