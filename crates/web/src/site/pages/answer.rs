//! One answer to a question: on a page of its own, as a part of others, and written by a language model.
//!
//! Answers that are cut out of posts are made at once; a model writes only when somebody presses the button.

mod card;
mod wanted;

pub(crate) use card::{WriteView, address as source_address};
pub(crate) use wanted::Wanted;

use super::question::draw;
use super::{PageError, Pairs, page};
use crate::site::answers::{self, Made};
use crate::site::error::AppError;
use crate::site::model::Model;
use crate::site::state::{App, Served};
use crate::view::{Html, Pen};
use askama::Template;
use axum::extract::{Form, Query, RawQuery, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use card::Card;
use retrieve::Deadline;

/// A system that can be chosen.
struct Choice {
    name: &'static str,
    about: &'static str,
    /// Why it cannot be.
    reason: Option<String>,
    checked: bool,
}

#[derive(Template)]
#[template(path = "answer.html")]
struct AnswerPage {
    wanted: Wanted,
    /// What was asked, short.
    name: String,
    drawn: Html,
    cards: Vec<Card>,
    /// What a model may write.
    writes: Vec<WriteView>,
    choices: Vec<Choice>,
}

impl AnswerPage {
    fn here(&self) -> &'static str {
        "answer"
    }

    /// Whether other systems than the usual one were chosen.
    fn compares(&self) -> bool {
        self.wanted.compares()
    }

    fn new(served: &Served, model: Option<&Model>, wanted: Wanted) -> Self {
        let chosen = wanted.systems();
        let makers = answers::all().iter();
        // Without a model nothing here speaks of one.
        let makers = makers.filter(|maker| model.is_some() || !maker.system().is_generative());
        let choices = makers.map(|maker| {
            let name = maker.system().name.as_str();
            Choice {
                name,
                about: maker.system().about.trim(),
                reason: answers::reason(maker, &served.engine, model),
                checked: chosen.contains(&name),
            }
        });
        let choices = choices.collect();
        Self {
            name: wanted.name(),
            drawn: draw(&wanted.asked().0),
            cards: Vec::new(),
            writes: Vec::new(),
            choices,
            wanted,
        }
    }
}

/// An answer without a page around it.
#[derive(Template)]
#[template(path = "card.html")]
struct Part {
    card: Card,
}

/// What stands in the box of other pages in place of an answer that may be about something else.
#[derive(Template)]
#[template(path = "far.html")]
struct Far {
    /// Where the answer is.
    address: String,
}

/// The answers of the systems that are named; of the usual one if none is.
pub(super) async fn answer(State(app): State<App>, Query(pairs): Pairs) -> Result<Response, PageError> {
    let wanted = Wanted::read(&pairs)?;
    let model = app.config().model.clone();
    let made = app.work(move |served, deadline| show(served, model.as_ref(), wanted, deadline)).await?;
    Ok(page(&made))
}

fn show(
    served: &Served,
    model: Option<&Model>,
    wanted: Wanted,
    deadline: &Deadline,
) -> Result<AnswerPage, AppError> {
    let mut made = AnswerPage::new(served, model, wanted);
    let asked = made.wanted.asked();
    let mut writes = Vec::new();
    for name in made.wanted.systems() {
        let maker = answers::ready(name, &served.engine, model)?;
        if asked.is_empty() {
            continue;
        }
        if maker.system().is_generative() {
            writes.push(maker.system().name.as_str());
        } else {
            let said = answers::extract(served, maker, &asked, deadline)?;
            made.cards.push(Card::new(&mut Pen::default(), made.cards.len() + 1, &said));
        }
    }
    if writes.is_empty() && !asked.is_empty() {
        writes.push(answers::USUAL_WRITER);
    }
    made.writes = writes.iter().filter_map(|name| WriteView::new(model, &made.wanted, name)).collect();
    Ok(made)
}

/// The answer of the first system that is named, for the box on other pages.
pub(super) async fn part(State(app): State<App>, Query(pairs): Pairs) -> Result<Response, PageError> {
    let wanted = Wanted::read(&pairs)?;
    let address = wanted.address("/answer");
    let card = app
        .work(move |served, deadline| {
            let maker = answers::ready(wanted.systems()[0], &served.engine, None)?;
            let said = answers::extract(served, maker, &wanted.asked(), deadline)?;
            Ok(Card::new(&mut Pen::default(), 1, &said))
        })
        .await?;
    let far = card.shown.is_some() && !card.is_close();
    Ok(if far { page(&Far { address }) } else { page(&Part { card }) })
}

/// Who comes back to what was written, or follows a link there, is led to the question.
pub(super) async fn not_written(RawQuery(query): RawQuery) -> Redirect {
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    Redirect::to(&format!("/answer{query}"))
}

/// Lets the language model write an answer: a form of our pages asks for it, nothing else can.
pub(super) async fn write(
    State(app): State<App>,
    headers: HeaderMap,
    form: Result<Form<Vec<(String, String)>>, axum::extract::rejection::FormRejection>,
) -> Result<Response, PageError> {
    if app.config().model.is_none() {
        return Err(answers::no_model().into());
    }
    crate::site::front::is_ours(&headers)?;
    let Form(pairs) = form.map_err(|_| AppError::BadRequest("the form could not be read".to_owned()))?;
    let wanted = Wanted::read(&pairs)?;
    if wanted.asked().is_empty() {
        return Err(AppError::BadRequest("there is no question to answer".to_owned()).into());
    }
    let whole = !pairs.iter().any(|(name, value)| name == "part" && value == "yes");
    let made = app
        .write(move |served, model, patience| {
            let name = wanted.systems.first().map_or(answers::USUAL_WRITER, String::as_str);
            let maker = answers::ready(name, &served.engine, Some(model))?;
            if !maker.system().is_generative() {
                return Err(AppError::BadRequest(format!("{name} lets no language model write")));
            }
            let said: Made = answers::write(served, maker, &wanted.asked(), model, patience)?;
            let card = Card::new(&mut Pen::default(), 1, &said);
            let whole = whole.then(|| AnswerPage::new(served, Some(model), wanted));
            Ok((card, whole))
        })
        .await?;
    let response = match made {
        (card, None) => page(&Part { card }),
        (card, Some(whole)) => page(&AnswerPage { cards: vec![card], ..whole }),
    };
    // What a model wrote is nobody's to keep: the next time it may write something else.
    Ok(([(header::CACHE_CONTROL, "no-store")], response).into_response())
}
