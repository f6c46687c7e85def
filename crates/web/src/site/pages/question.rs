//! Questions in full, answered by one or several systems side by side.

mod columns;
mod systems;

use super::answer::Wanted;
use super::search::ReplyView;
use super::{PageError, Pairs, page};
use crate::site::config::Config;
use crate::site::error::AppError;
use crate::site::state::{App, Served};
use crate::view::{Html, Pen, written};
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use columns::{Column, columns};
use retrieve::Deadline;
use retrieve::people::Question;
use systems::{Group, choices};

/// So many answers a system gives.
const LIMIT: usize = 10;
/// So many systems answer at once.
const MOST_SYSTEMS: usize = 4;
/// So many characters of a question are read.
const LONGEST: usize = 20_000;

#[derive(Template)]
#[template(path = "ask.html")]
struct AskPage {
    title: String,
    body: String,
    tags: String,
    drawn: Html,
    /// Those that were chosen.
    systems: Vec<String>,
    /// The one that answers when none is chosen.
    usual: &'static str,
    groups: Vec<Group>,
    columns: Vec<Column>,
    /// A place for an answer.
    reply: Option<ReplyView>,
    /// What was asked, short.
    name: String,
}

impl AskPage {
    fn here(&self) -> &'static str {
        "ask"
    }

    fn is_asked(&self) -> bool {
        !self.columns.is_empty()
    }

    /// Whether other systems than the usual one were chosen.
    fn compares(&self) -> bool {
        self.systems != [self.usual]
    }
}

/// What an address asks.
#[derive(Debug, Default)]
struct Asked {
    question: Question,
    tags: String,
    systems: Vec<String>,
}

impl Asked {
    fn read(pairs: &[(String, String)]) -> Result<Self, AppError> {
        let value = |name: &str| pairs.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value);
        let (title, body) = (value("title").trim(), value("body").trim());
        if title.chars().count() + body.chars().count() > LONGEST {
            return Err(AppError::BadRequest(format!("a question can have {LONGEST} characters")));
        }
        let tags = value("tags").trim();
        let list = tags.split(|c: char| c.is_whitespace() || c == ',').filter(|tag| !tag.is_empty());
        let mut systems: Vec<String> = Vec::new();
        for (_, name) in pairs.iter().filter(|(key, name)| key == "system" && !name.is_empty()) {
            if !systems.contains(name) {
                systems.push(name.clone());
            }
        }
        if systems.len() > MOST_SYSTEMS {
            return Err(AppError::BadRequest(format!("{MOST_SYSTEMS} systems can be put side by side")));
        }
        let question = Question {
            title: title.to_owned(),
            body: body.to_owned(),
            tags: list.take(20).map(str::to_lowercase).collect(),
        };
        Ok(Self { question, tags: tags.to_owned(), systems })
    }
}

/// The form, and what systems answer.
pub(super) async fn ask(State(app): State<App>, Query(pairs): Pairs) -> Result<Response, PageError> {
    let asked = Asked::read(&pairs)?;
    let config = app.config().clone();
    let made = app.work(move |served, deadline| answer(served, &config, asked, deadline)).await?;
    Ok(page(&made))
}

/// The question as it is being written, drawn.
pub(super) async fn preview(State(app): State<App>, Query(pairs): Pairs) -> Result<Response, PageError> {
    #[derive(Template)]
    #[template(source = "<div class=\"drawn text\">{{ drawn }}</div>", ext = "html")]
    struct Part {
        drawn: Html,
    }
    let asked = Asked::read(&pairs)?;
    let drawn = app.work(move |_, _| Ok(draw(&asked.question))).await?;
    Ok(page(&Part { drawn }))
}

pub(super) fn draw(question: &Question) -> Html {
    let mut pen = Pen::default();
    let mut out = Html::default();
    if !question.title.is_empty() {
        out.push("<p class=\"question-title\">");
        out.push_html(&crate::view::texts(&mut pen, &question.title, latex::Mode::Document));
        out.push("</p>");
    }
    out.push_html(&written(&mut pen, &question.body));
    out
}

fn answer(served: &Served, config: &Config, asked: Asked, deadline: &Deadline) -> Result<AskPage, AppError> {
    let Asked { question, tags, mut systems } = asked;
    let usual = served.engine.default_posts();
    if systems.is_empty() {
        systems.push(usual.to_owned());
    }
    let mut found = Vec::new();
    if !question.title.is_empty() || !question.body.is_empty() {
        for name in &systems {
            let pipeline = crate::site::systems::for_questions(&served.engine, name)?;
            found.push((name.clone(), served.engine.ask(pipeline, &question, LIMIT, deadline)?));
        }
    }
    let first = question.title.lines().chain(question.body.lines()).find(|line| !line.trim().is_empty());
    let name: String = first.unwrap_or_default().chars().take(70).collect();
    let wanted = Wanted::of_question(&question.title, &question.body, &tags);
    let reply = if found.is_empty() { None } else { ReplyView::new(served, config, &wanted) };
    Ok(AskPage {
        reply,
        drawn: draw(&question),
        groups: choices(&served.engine, &systems),
        systems,
        usual,
        columns: columns(&mut Pen::default(), &found),
        title: question.title,
        body: question.body,
        tags,
        name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_asks_once_of_each_system() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let pairs = [
            pair("title", " Why? "),
            pair("tags", "Calculus, limits  "),
            pair("system", "bm25"),
            pair("system", ""),
            pair("system", "bm25"),
        ];
        let asked = Asked::read(&pairs).expect("short");
        assert_eq!(asked.question.title, "Why?");
        assert_eq!(asked.question.tags, ["calculus", "limits"]);
        assert_eq!(asked.systems, ["bm25"]);
        assert!(Asked::read(&[]).expect("short").systems.is_empty());
        assert!(Asked::read(&[pair("body", &"x".repeat(LONGEST + 1))]).is_err());
    }
}
