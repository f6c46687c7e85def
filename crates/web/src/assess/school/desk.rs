//! The organisers' side of the school: lessons are made, followed and opened; who drifts.

use super::super::access::Nothing;
use super::super::app::AssessApp;
use super::super::error::AssessError;
use super::super::form::Checked;
use super::super::front::sentence;
use super::super::person::{Organiser, Person};
use super::super::{Answer, page, see};
use super::results::Chip;
use super::words::{self, kind_name, relevant_name};
use super::{charts, key_of};
use crate::view::Html;
use askama::Template;
use assess::school::{
    Drift, DriftRule, Lesson, LessonKey, LessonPlan, LessonResults, Pupils, Source, ThingRow,
};
use assess::{AccountNo, Role, Standing};
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use formats::TopicId;
use lab::{PoolKind, Stage};
use serde::Deserialize;

pub(super) fn routes() -> Router<AssessApp> {
    Router::new()
        .route("/desk/school", get(desk))
        .route("/desk/school/make", post(make))
        .route("/desk/school/lesson/{stage}/{kind}", get(lesson))
        .route("/desk/school/lesson/{stage}/{kind}/open", post(open))
        .route("/desk/school/lesson/{stage}/{kind}/give", post(give))
        .route("/desk/school/lesson/{stage}/{kind}/remove", post(remove))
}

#[derive(Template)]
#[template(path = "assess/school/desk.html")]
struct DeskPage {
    person: Person,
    lessons: Vec<LessonLine>,
    charts: Vec<(&'static str, Html)>,
    sources: Vec<SourceChoice>,
    people: Vec<PersonChoice>,
    next_round: u32,
    seed: u64,
    drift: Vec<Drift>,
    rule: String,
    news: String,
    wrong: String,
    /// What was filled in before, if it was refused.
    form: Vec<(String, String)>,
}

impl DeskPage {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "school"
    }

    /// What was filled in, or what is proposed.
    fn filled<'a>(&'a self, field: &str, otherwise: &'a str) -> &'a str {
        self.form.iter().find(|(name, _)| name == field).map_or(otherwise, |(_, value)| value.as_str())
    }

    fn is_chosen(&self, field: &str, value: &str) -> bool {
        self.form.iter().any(|(name, said)| name == field && said == value)
    }
}

struct LessonLine {
    key: LessonKey,
    name: String,
    kind: &'static str,
    set: String,
    topics: usize,
    items: usize,
    pupils: usize,
    done: usize,
    is_open: bool,
    graded: Option<f64>,
    binary: Option<f64>,
}

/// Topics with known grades that a lesson can be made from.
struct SourceChoice {
    value: String,
    name: String,
    topics: usize,
    items: usize,
}

struct PersonChoice {
    number: AccountNo,
    name: String,
    about: &'static str,
}

#[derive(Debug, Default, Deserialize)]
struct News {
    #[serde(default)]
    news: String,
}

async fn desk(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Query(news): Query<News>,
) -> Answer {
    let news = match news.news.as_str() {
        "made" => {
            "The lesson was made and handed out to the assessors who have joined. Those who join later get it by “Give it to assessors without it”."
        }
        "removed" => "The lesson was taken away.",
        _ => "",
    };
    let mut shown = load(&app, person).await?;
    shown.news = news.to_owned();
    page(&shown)
}

async fn load(app: &AssessApp, person: Person) -> Result<DeskPage, AssessError> {
    app.read(move |books| {
        let manifest = books.manifest();
        let (samples, rounds) = (books.sample_scores()?, books.rounds()?);
        let lessons = samples.iter().chain(&rounds).map(line).collect();
        let number = |round: &LessonResults| match round.lesson.key.stage {
            Stage::Training(number) => number,
            _ => 0,
        };
        let next_round = 1 + rounds.iter().map(number).max().unwrap_or(0);
        let mut charts = Vec::new();
        for kind in manifest.pool_kinds() {
            let of_kind: Vec<&LessonResults> = rounds
                .iter()
                .filter(|round| round.lesson.key.kind == kind && !round.pupils.is_empty())
                .collect();
            if !of_kind.is_empty() {
                let relevant = relevant_name(manifest, kind, books.relevant_from(kind));
                charts.push((kind_name(kind), charts::means(&of_kind, &relevant)));
            }
        }
        let mut sources = Vec::new();
        for kind in manifest.pool_kinds() {
            for set in manifest.sets.iter().filter(|set| set.files(kind.task()).is_some()) {
                for source in [Source::Given, Source::Organisers] {
                    let topics = books.known_topics(kind, &set.name, source)?;
                    if topics.is_empty() {
                        continue;
                    }
                    let whose = match source {
                        Source::Given => "its judgments",
                        Source::Organisers => "judged by organisers",
                    };
                    sources.push(SourceChoice {
                        value: format!("{kind}/{}/{}", source.word(), set.name),
                        name: format!("{} of {}, {whose}", kind_name(kind), set.name),
                        topics: topics.len(),
                        items: topics.iter().flat_map(|topic| topic.items.values()).sum(),
                    });
                }
            }
        }
        let people = books.accounts()?.into_iter().filter_map(|account| {
            let about = match (account.role, account.standing) {
                (_, Standing::Left) | (Role::Organiser, _) => return None,
                (Role::Assessor, Standing::Applicant) => "applicant",
                (Role::Assessor, Standing::Active) => "assessor",
            };
            Some(PersonChoice { number: account.number, name: account.name, about })
        });
        Ok(DeskPage {
            person,
            lessons,
            charts,
            sources,
            people: people.collect(),
            next_round,
            seed: manifest.seed,
            drift: books.drift()?,
            rule: rule_sentence(&DriftRule::default()),
            news: String::new(),
            wrong: String::new(),
            form: Vec::new(),
        })
    })
    .await
}

/// When there is an alarm.
fn rule_sentence(rule: &DriftRule) -> String {
    let DriftRule { window, at_least, lowest_exact, lowest_kappa, fall } = rule;
    format!(
        "The last {window} of them are held against the first {window}. There is an alarm when of the last ones, \
         {at_least} or more, fewer than {} have the known grade, their weighted kappa is below {}, or the share \
         with the known grade fell by more than {}.",
        words::percent(Some(*lowest_exact)),
        words::kappa(Some(*lowest_kappa)),
        words::percent(Some(*fall))
    )
}

fn line(results: &LessonResults) -> LessonLine {
    let Lesson { key, set, topics, pupils, opened_at, .. } = &results.lesson;
    let (graded, binary) = match key.stage {
        Stage::Sample => results.mean_with_known(),
        _ => results.mean_kappa(),
    };
    LessonLine {
        key: *key,
        name: key.name(),
        kind: kind_name(key.kind),
        set: set.clone(),
        topics: topics.len(),
        items: results.lesson.items(),
        pupils: pupils.len(),
        done: pupils.iter().filter(|pupil| pupil.is_done()).count(),
        is_open: opened_at.is_some(),
        graded,
        binary,
    }
}

async fn make(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Checked(form): Checked<Vec<(String, String)>>,
) -> Answer {
    let by = person.account.name.clone();
    let made = match plan(&form) {
        Ok(plan) => app.write(move |books| books.make_lesson(&plan, &by)).await,
        Err(reason) => Err(assess::Error::refused(reason).into()),
    };
    match made {
        Ok(_) => Ok(see("/desk/school?news=made")),
        Err(AssessError::Books(error @ (assess::Error::Refused(_) | assess::Error::Lab(_)))) => {
            let mut shown = load(&app, person).await?;
            shown.wrong = sentence(&error.to_string());
            shown.form = form;
            let mut response = page(&shown)?;
            *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
            Ok(response)
        }
        Err(error) => Err(error),
    }
}

/// The plan that a form describes.
fn plan(form: &[(String, String)]) -> Result<LessonPlan, String> {
    let field =
        |wanted: &str| form.iter().find(|(name, _)| name == wanted).map_or("", |(_, value)| value.trim());
    let number = |wanted: &str, what: &str| {
        field(wanted)
            .parse::<usize>()
            .map_err(|_| format!("{what} must be a number, and is {:?}", field(wanted)))
    };
    let mut parts = field("source").splitn(3, '/');
    let mut part = || parts.next().unwrap_or_default();
    let (kind, source, set) = (PoolKind::read(part()), Source::read(part()), part().to_owned());
    let (Some(kind), Some(source)) = (kind, source) else {
        return Err("choose the topics from which the lesson is made".to_owned());
    };
    let stage = match field("what") {
        "sample" => Stage::Sample,
        _ => match field("round").parse::<u32>() {
            Ok(round @ 1..=99) => Stage::Training(round),
            _ => return Err("rounds are counted from 1 to 99".to_owned()),
        },
    };
    let key = LessonKey::new(stage, kind).ok_or_else(|| "there is no such lesson".to_owned())?;
    let seed = field("seed").parse().map_err(|_| "the seed must be a whole number".to_owned())?;
    let topics: Vec<TopicId> = field("topics")
        .split([',', ';', ' ', '\n', '\r', '\t'])
        .filter(|topic| !topic.is_empty())
        .map(TopicId::from)
        .collect();
    let people: Vec<AccountNo> = form
        .iter()
        .filter(|(name, _)| name == "person")
        .filter_map(|(_, number)| number.parse().ok().map(AccountNo))
        .collect();
    Ok(LessonPlan {
        key,
        set: Some(set),
        source,
        topics,
        how_many: number("how_many", "the number of topics")?,
        per_topic: number("per_topic", "the number of items")?,
        seed,
        pupils: if people.is_empty() { Pupils::All } else { Pupils::These(people) },
    })
}

#[derive(Template)]
#[template(path = "assess/school/lesson.html")]
struct LessonPage {
    person: Person,
    line: LessonLine,
    training: bool,
    begun: bool,
    relevant: String,
    results: LessonResults,
    /// What was judged, what is known, and what everybody said in the order of the results.
    matrix: Vec<(ThingRow, Chip, Vec<Option<Chip>>)>,
    chart: Html,
    news: &'static str,
}

impl LessonPage {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "school"
    }
}

async fn lesson(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path((stage, kind)): Path<(String, String)>,
    Query(news): Query<News>,
) -> Answer {
    let key = key_of(&stage, &kind)?;
    let (results, matrix, relevant) = app
        .read(move |books| {
            let results = books.lesson_results(key)?;
            let manifest = books.manifest();
            let task = key.kind.task();
            let chip = |verdict| Chip::of(manifest, task, verdict);
            let row = |thing: &ThingRow| {
                let said: Vec<Option<Chip>> = thing.said.iter().map(|said| said.map(chip)).collect();
                (thing.clone(), chip(thing.known), said)
            };
            let matrix: Vec<(ThingRow, Chip, Vec<Option<Chip>>)> = results.things.iter().map(row).collect();
            Ok((results, matrix, relevant_name(manifest, key.kind, books.relevant_from(key.kind))))
        })
        .await?;
    let news = match news.news.as_str() {
        "opened" => "The results are open to those who have finished.",
        "given" => "The lesson was given to those who did not have it.",
        "nobody" => "Everybody it is for has it already.",
        _ => "",
    };
    page(&LessonPage {
        person,
        line: line(&results),
        training: key.stage != Stage::Sample,
        begun: results.lesson.pupils.iter().any(|pupil| pupil.judged > 0),
        chart: charts::lesson(&results, &relevant),
        relevant,
        results,
        matrix,
        news,
    })
}

async fn open(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path((stage, kind)): Path<(String, String)>,
    _: Checked<Nothing>,
) -> Answer {
    let key = key_of(&stage, &kind)?;
    app.write(move |books| books.open_lesson(key, &person.account.name)).await?;
    Ok(see(&format!("/desk/school/lesson/{key}?news=opened")))
}

async fn give(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path((stage, kind)): Path<(String, String)>,
    _: Checked<Nothing>,
) -> Answer {
    let key = key_of(&stage, &kind)?;
    let given = app.write(move |books| books.give_lesson(key, &Pupils::All, &person.account.name)).await?;
    let news = if given > 0 { "given" } else { "nobody" };
    Ok(see(&format!("/desk/school/lesson/{key}?news={news}")))
}

async fn remove(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path((stage, kind)): Path<(String, String)>,
    _: Checked<Nothing>,
) -> Answer {
    let key = key_of(&stage, &kind)?;
    app.write(move |books| books.remove_lesson(key, &person.account.name)).await?;
    Ok(see("/desk/school?news=removed"))
}
