//! Tables to take away.

use super::{Choice, Pairs};
use crate::assess::streamed::streamed;
use crate::assess::{Answer, AssessApp, AssessError, Organiser, Person, page};
use askama::Template;
use assess::{Form, Table};
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::IntoResponse;
use std::io::Write as _;
use std::ops::ControlFlow;

#[derive(Template)]
#[template(path = "assess/desk/files.html")]
struct FilesPage {
    person: Person,
    set: String,
    sets: Vec<Choice>,
    tables: Vec<TableView>,
}

impl FilesPage {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "files"
    }
}

struct TableView {
    title: &'static str,
    about: &'static str,
    name: &'static str,
}

/// The page.
pub(super) async fn files(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Query(pairs): Query<Pairs>,
) -> Answer {
    let wanted = pairs.get("set").to_owned();
    let (set, names) = app
        .read(move |books| {
            let manifest = books.manifest();
            let names: Vec<String> = manifest.sets.iter().map(|set| set.name.clone()).collect();
            let set = if names.contains(&wanted) { wanted } else { manifest.current.clone() };
            Ok((set, names))
        })
        .await?;
    let tables =
        Table::ALL.map(|table| TableView { title: title(table), about: table.about(), name: table.name() });
    let sets = names.iter().map(|name| Choice::new(name, name, &set)).collect();
    page(&FilesPage { person, set, sets, tables: tables.into() })
}

fn title(table: Table) -> &'static str {
    match table {
        Table::Log => "The log of judgments",
        Table::Current => "Judgments as they stand",
        Table::Flags => "Questions afterwards",
        Table::Assignments => "Who had what",
        Table::Agreement => "Agreement",
    }
}

/// A table, sent as it is read.
pub(super) async fn download(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path(name): Path<String>,
    Query(pairs): Query<Pairs>,
) -> Answer {
    let missing = || AssessError::NotFound("such file".to_owned());
    let (stem, ending) = name.split_once('.').ok_or_else(missing)?;
    let table = Table::ALL.into_iter().find(|table| table.name() == stem).ok_or_else(missing)?;
    let form = [Form::Csv, Form::Tsv].into_iter().find(|form| form.ending() == ending).ok_or_else(missing)?;
    let wanted = pairs.get("set").to_owned();
    let who = person.account.name.clone();
    let (set, file) = app
        .write(move |books| {
            let wanted = (!wanted.is_empty()).then_some(wanted.as_str());
            let set =
                books.manifest().set(wanted).map_err(|error| assess::Error::refused(error.to_string()))?;
            let file = books.file_name(table, form, &set.name);
            books.note(&who, &format!("took the table {file}"))?;
            Ok((set.name.clone(), file))
        })
        .await?;
    let body = streamed(move |out| {
        let mut failed = None;
        let mut sink = |line: String| match out.write_all(line.as_bytes()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error.to_string());
                ControlFlow::Break(())
            }
        };
        let read = app.office().read(|books| books.export(table, form, &set, &mut sink));
        read.map_err(|error| error.to_string())?;
        failed.map_or(Ok(()), Err)
    });
    let kind = match form {
        Form::Csv => "text/csv; charset=utf-8",
        Form::Tsv => "text/tab-separated-values; charset=utf-8",
    };
    // The name has letters, digits and a few signs only.
    let saved = format!("attachment; filename=\"{file}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, saved)], body)
        .into_response())
}
