//! Turkle's files: batches to be loaded there, and results to be taken from there.

use super::app::AssessApp;
use super::error::AssessError;
use super::front::sentence;
use super::judging::rules_of;
use super::person::{Organiser, Person};
use super::streamed::streamed;
use super::upload::Upload;
use super::{Answer, page};
use crate::assess::material::{Material, Wanted};
use crate::view::encode;
use askama::Template;
use assess::turkle::{Columns, MOST_PARTS, Pages, Question, ToShow, TurkleFile, TurkleOptions};
use assess::{Books, Office};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use formats::{Source, TopicId};
use lab::judgments::Imported;
use lab::{Manifest, PoolKind, Stage};
use pool::ItemKind;
use std::io::{self, Write};
use std::sync::Arc;

/// So many rows that do not fit are told.
const MOST_TOLD: usize = 500;

/// The pages.
pub(super) fn routes() -> Router<AssessApp> {
    Router::new()
        .route("/desk/turkle", get(turkle).post(upload))
        .route("/desk/turkle/{kind}/all.zip", get(archive))
        .route("/desk/turkle/{kind}/template.html", get(template_file))
        .route("/desk/turkle/{kind}/batch/{file}", get(batch))
}

/// Draws what assessors in Turkle see: the same as here, without links into this server.
struct Drawn<'m>(&'m Material);

impl Pages for Drawn<'_> {
    fn question(&mut self, kind: PoolKind, set: &str, topic: &TopicId) -> assess::Result<Question> {
        let question = self.0.question(set, kind, topic.as_str());
        // The title has a place of its own in the template.
        let title = question.title.as_ref().map(|title| title.as_str().to_owned());
        let untitled = crate::assess::material::Question { title: None, ..(*question).clone() };
        Ok(Question { title: unlinked(&title.unwrap_or_default()), body: unlinked(untitled.html().as_str()) })
    }

    fn shown(&mut self, part: &ToShow<'_>) -> assess::Result<String> {
        let wanted = match part.item_kind {
            ItemKind::Post => Wanted::Post(part.item.to_owned()),
            ItemKind::Answer => {
                Wanted::Written { id: part.item.to_owned(), text: part.text.map(str::to_owned) }
            }
            ItemKind::Formula | ItemKind::Instance => Wanted::Instance {
                formula: part.instance.unwrap_or(part.item).to_owned(),
                post: part.post.map(str::to_owned),
            },
        };
        Ok(unlinked(self.0.piece(wanted).html().as_str()))
    }
}

/// Without links to pages of this server, which Turkle does not have.
fn unlinked(html: &str) -> String {
    html.replace(" href=\"/", " data-href=\"/").replace(" href=\"#", " data-href=\"#")
}

#[derive(Template)]
#[template(path = "assess/turkle/task.html")]
struct TaskTemplate<'m> {
    kind: PoolKind,
    style: &'static str,
    grades: Vec<&'m lab::Grade>,
    /// The rules of judging, as on the page on which one judges here.
    rules: Vec<&'static str>,
    parts: usize,
}

/// The template that Turkle shows batches with.
///
/// # Errors
///
/// Never for labs as they are; a page that cannot be written says so.
pub fn turkle_template(manifest: &Manifest, kind: PoolKind) -> Result<String, AssessError> {
    let parts = if kind == PoolKind::Formulas { MOST_PARTS } else { 1 };
    let style = formula::mathml::STYLE_SHEET;
    let (grades, rules) = (manifest.grades_of(kind.task()), rules_of(manifest, kind));
    let template = TaskTemplate { kind, style, grades, rules, parts };
    template.render().map_err(|_| AssessError::Broken)
}

/// Batches for Turkle, one a topic, and the template with them, each given to `take` by its name.
///
/// # Errors
///
/// When there is no pool, or `take` fails.
pub fn write_turkle(
    office: &Office,
    kind: PoolKind,
    set: &str,
    take: &mut dyn FnMut(&str, &str) -> io::Result<()>,
) -> Result<usize, AssessError> {
    let mut tasks = 0;
    office.read(|books| {
        let material = Material::open(books.lab())?;
        let kept = |error: io::Error| assess::Error::NotKept(error.to_string());
        let template = turkle_template(books.manifest(), kind).map_err(|_| assess::Error::Broken)?;
        take(&format!("{kind}-template.html"), &template).map_err(kept)?;
        tasks = write_batches(books, &material, kind, set, &mut |file| {
            take(&file.name, &file.text).map_err(kept)
        })?;
        Ok(())
    })?;
    Ok(tasks)
}

fn write_batches(
    books: &Books<'_>,
    material: &Material,
    kind: PoolKind,
    set: &str,
    take: &mut dyn FnMut(TurkleFile) -> assess::Result<()>,
) -> assess::Result<usize> {
    let mut tasks = 0;
    books.write_turkle(kind, set, None, &mut Drawn(material), &mut |file| {
        tasks += file.tasks;
        take(file)
    })?;
    Ok(tasks)
}

#[derive(Template)]
#[template(path = "assess/turkle/turkle.html")]
struct TurklePage {
    person: Person,
    set: String,
    pools: Vec<PoolFiles>,
    most: usize,
    news: String,
    wrong: String,
    problems: Vec<String>,
    /// What was filled in before, if it was refused.
    stage: String,
    columns: String,
}

impl TurklePage {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "files"
    }
}

/// The batches of a pool.
struct PoolFiles {
    kind: PoolKind,
    tasks: usize,
    /// What a topic is called, the path of its batch and how many tasks it has.
    topics: Vec<(String, String, usize)>,
}

async fn load(app: &AssessApp, person: Person) -> Result<TurklePage, AssessError> {
    let most = app.config().limits.upload >> 20;
    app.read(move |books| {
        let set = books.manifest().current.clone();
        let mut pools = Vec::new();
        for kind in books.manifest().pool_kinds() {
            if books.lab().pool(kind, &set)?.is_some() {
                let topics = books.turkle_topics(kind, &set)?;
                let tasks = topics.iter().map(|(_, tasks)| tasks).sum();
                let topics = topics.into_iter().map(|(topic, tasks)| {
                    let path = format!("/desk/turkle/{kind}/batch/{}.csv", encode(topic.as_str()));
                    (topic.to_string(), path, tasks)
                });
                let topics = topics.collect();
                pools.push(PoolFiles { kind, tasks, topics });
            }
        }
        Ok(TurklePage {
            person,
            set,
            pools,
            most,
            news: String::new(),
            wrong: String::new(),
            problems: Vec::new(),
            stage: "main".to_owned(),
            columns: String::new(),
        })
    })
    .await
}

async fn turkle(State(app): State<AssessApp>, Organiser(person): Organiser) -> Answer {
    page(&load(&app, person).await?)
}

fn kind_of(word: &str) -> Result<PoolKind, AssessError> {
    PoolKind::read(word).ok_or_else(|| AssessError::NotFound("such pool".to_owned()))
}

/// A file to be kept.
fn attached(kind: &'static str, name: &str, body: impl IntoResponse) -> Response {
    let name: String = name.chars().filter(|letter| letter.is_ascii_graphic() && *letter != '"').collect();
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, body).into_response()
}

async fn template_file(State(app): State<AssessApp>, _: Organiser, Path(kind): Path<String>) -> Answer {
    let kind = kind_of(&kind)?;
    let template = app
        .read(move |books| turkle_template(books.manifest(), kind).map_err(|_| assess::Error::Broken))
        .await?;
    // A browser that opened it would find names instead of posts.
    Ok(attached("text/plain; charset=utf-8", &format!("{kind}-template.html"), template))
}

async fn batch(
    State(app): State<AssessApp>,
    _: Organiser,
    Path((kind, file)): Path<(String, String)>,
) -> Answer {
    let kind = kind_of(&kind)?;
    let topic = TopicId::from(file.strip_suffix(".csv").unwrap_or(&file));
    let material = app.material().await?;
    let file = app
        .read(move |books| {
            let mut found = None;
            let set = &books.manifest().current;
            books.write_turkle(kind, set, Some(&topic), &mut Drawn(&material), &mut |file| {
                found = Some(file);
                Ok(())
            })?;
            found.ok_or(assess::Error::NotYours("batch"))
        })
        .await?;
    Ok(attached("text/csv; charset=utf-8", &file.name, file.text))
}

async fn archive(State(app): State<AssessApp>, _: Organiser, Path(kind): Path<String>) -> Answer {
    let kind = kind_of(&kind)?;
    let material = app.material().await?;
    // What there is not is told before anything is sent.
    app.read(move |books| books.turkle_topics(kind, &books.manifest().current)).await?;
    let name = format!("turkle-{kind}.zip");
    let body = streamed(move |out| {
        let written = app.office().read(|books| {
            let set = books.manifest().current.clone();
            zipped(books, &material, kind, &set, out)
        });
        written.map_err(|error| error.to_string())
    });
    Ok(attached("application/zip", &name, body))
}

fn zipped(
    books: &Books<'_>,
    material: &Arc<Material>,
    kind: PoolKind,
    set: &str,
    out: &mut dyn Write,
) -> assess::Result<()> {
    let kept = |error: io::Error| assess::Error::NotKept(error.to_string());
    let mut archive = zip::ZipWriter::new_stream(out);
    let options = zip::write::SimpleFileOptions::default();
    let mut add = |name: &str, text: &str| -> io::Result<()> {
        archive.start_file(name, options)?;
        archive.write_all(text.as_bytes())
    };
    let template = turkle_template(books.manifest(), kind).map_err(|_| assess::Error::Broken)?;
    add(&format!("{kind}-template.html"), &template).map_err(kept)?;
    write_batches(books, material, kind, set, &mut |file| add(&file.name, &file.text).map_err(kept))?;
    archive.finish().map(|_| ()).map_err(|error| assess::Error::NotKept(error.to_string()))
}

async fn upload(State(app): State<AssessApp>, upload: Upload) -> Answer {
    let stage = upload.field("stage").unwrap_or("main").to_owned();
    let columns = upload.field("columns").unwrap_or_default().to_owned();
    let person = upload.person.clone();
    let imported = import(&app, upload).await;
    let mut shown = load(&app, person).await?;
    let status = match imported {
        Ok((name, imported)) => {
            shown.news = told(&name, &imported);
            StatusCode::OK
        }
        Err(AssessError::Books(assess::Error::Lab(lab::Error::Rows(mut rows)))) => {
            shown.wrong = format!("Nothing was taken: {} rows do not fit.", rows.len());
            rows.truncate(MOST_TOLD);
            shown.problems = rows;
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Err(AssessError::Books(
            error @ (assess::Error::Refused(_)
            | assess::Error::Lab(lab::Error::Collection(_) | lab::Error::Asked(_))),
        )) => {
            shown.wrong = format!("Nothing was taken. {}", sentence(&error.to_string()));
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Err(error) => return Err(error),
    };
    if status != StatusCode::OK {
        (shown.stage, shown.columns) = (stage, columns);
    }
    let mut response = page(&shown)?;
    *response.status_mut() = status;
    Ok(response)
}

async fn import(app: &AssessApp, upload: Upload) -> Result<(String, Imported), AssessError> {
    let refused = |reason: String| AssessError::Books(assess::Error::refused(reason));
    let stage = upload.field("stage").unwrap_or("main");
    let stage = Stage::read(stage)
        .filter(|stage| *stage != Stage::Gold)
        .ok_or_else(|| refused(format!("{stage:?} is nothing that something is judged for")))?;
    let columns = Columns::read(upload.field("columns").unwrap_or_default()).map_err(refused)?;
    let file = upload.file("table").filter(|file| !file.bytes.is_empty()).cloned();
    let file = file.ok_or_else(|| refused("choose a file with results of Turkle".to_owned()))?;
    let (name, by) = (file.name.clone(), upload.person.account.name);
    let options = TurkleOptions { set: None, stage, columns };
    let imported = app
        .write(move |books| {
            books.import_turkle(Source::bytes(&file.name, file.bytes.to_vec()), &options, &by)
        })
        .await?;
    Ok((name, imported))
}

/// What came of an import, in sentences.
fn told(name: &str, imported: &Imported) -> String {
    let Imported { added, known, repeated, uncommented, .. } = imported;
    let mut text = format!("{name}: {added} judgments were added, {known} were known.");
    if *repeated > 0 {
        text.push_str(&format!(" {repeated} rows have a later one about the same thing, which counts."));
    }
    if *uncommented > 0 {
        text.push_str(&format!(" {uncommented} are without a grade and without a comment."));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_link_leads_into_turkle() {
        let html = "<a class=\"x\" href=\"/thread/1#post-1\">a</a><a href=\"https://example.org/\">b</a>";
        let expected =
            "<a class=\"x\" data-href=\"/thread/1#post-1\">a</a><a href=\"https://example.org/\">b</a>";
        assert_eq!(unlinked(html), expected);
    }
}
