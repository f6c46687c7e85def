//! The assessors' school: what somebody learns from, and the organisers' side of it.

mod charts;
mod desk;
mod results;
mod words;

use super::access::Nothing;
use super::app::AssessApp;
use super::error::AssessError;
use super::form::Checked;
use super::person::Person;
use super::{Answer, page, see};
use crate::view::Html;
use askama::Template;
use assess::Standing;
use assess::school::{LessonKey, LessonResults, PupilResult};
use axum::Router;
use axum::extract::{Path, State};
use axum::routing::{get, post};
use lab::PoolKind;
use words::{kind_name, relevant_name};

/// All the pages of the school.
pub(super) fn routes() -> Router<AssessApp> {
    Router::new()
        .route("/school", get(school))
        .route("/school/{stage}/{kind}", get(results::results))
        .route("/school/{stage}/{kind}/begin", post(begin))
        .merge(desk::routes())
}

/// The lesson that an address names.
fn key_of(stage: &str, kind: &str) -> Result<LessonKey, AssessError> {
    LessonKey::read(&format!("{stage}/{kind}")).ok_or_else(|| AssessError::NotFound("such lesson".to_owned()))
}

#[derive(Template)]
#[template(path = "assess/school/school.html")]
struct SchoolPage {
    person: Person,
    lessons: Vec<OwnLesson>,
    /// What is judged, and how alike they judge it with the others.
    charts: Vec<(&'static str, Html)>,
}

impl SchoolPage {
    fn here(&self) -> &'static str {
        "school"
    }
}

/// A lesson as who takes part in it sees it.
struct OwnLesson {
    key: LessonKey,
    name: String,
    kind: &'static str,
    topics: usize,
    items: usize,
    judged: usize,
    parts: usize,
    is_open: bool,
}

impl OwnLesson {
    fn is_done(&self) -> bool {
        self.parts > 0 && self.judged == self.parts
    }
}

async fn school(State(app): State<AssessApp>, person: Person) -> Answer {
    let number = person.account.number;
    if person.account.standing == Standing::Applicant
        && app.read(move |books| books.lacks_sample(number)).await?
    {
        app.write(move |books| books.give_sample(number)).await?;
    }
    let name = person.account.name.clone();
    let (lessons, charts) = app
        .read(move |books| {
            let rounds = books.rounds()?;
            // Only what is open to them.
            let shown = |round: &&LessonResults| {
                round.lesson.opened_at.is_some() && round.of(&name).is_some_and(PupilResult::is_done)
            };
            let rounds: Vec<&LessonResults> = rounds.iter().filter(shown).collect();
            let mut charts = Vec::new();
            for kind in [PoolKind::Answers, PoolKind::Formulas] {
                let rounds: Vec<&LessonResults> =
                    rounds.iter().copied().filter(|round| round.lesson.key.kind == kind).collect();
                if !rounds.is_empty() {
                    let relevant = relevant_name(books.manifest(), kind, books.relevant_from(kind));
                    charts.push((kind_name(kind), charts::own(&rounds, &name, &relevant)));
                }
            }
            Ok((books.lessons()?, charts))
        })
        .await?;
    let own = lessons.into_iter().filter_map(|lesson| {
        let pupil = lesson.pupils.iter().find(|pupil| pupil.account == number)?;
        Some(OwnLesson {
            key: lesson.key,
            name: lesson.key.name(),
            kind: kind_name(lesson.key.kind),
            topics: lesson.topics.len(),
            items: lesson.items(),
            judged: pupil.judged,
            parts: pupil.parts,
            is_open: lesson.opened_at.is_some(),
        })
    });
    page(&SchoolPage { person, lessons: own.collect(), charts })
}

async fn begin(
    State(app): State<AssessApp>,
    person: Person,
    Path((stage, kind)): Path<(String, String)>,
    _: Checked<Nothing>,
) -> Answer {
    let key = key_of(&stage, &kind)?;
    let number = person.account.number;
    let assignment = app.write(move |books| books.begin_lesson(number, key)).await?;
    Ok(see(&format!("/batch/{assignment}/next")))
}
