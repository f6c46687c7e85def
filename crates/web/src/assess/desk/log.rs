//! Who did what when.

use super::{Choice, Paging, Pairs, words};
use crate::assess::{Answer, AssessApp, Organiser, Person, page};
use crate::view::encode;
use askama::Template;
use assess::Event;
use axum::extract::{Query, State};

/// So many are on a page.
const AT_MOST: usize = 100;

#[derive(Template)]
#[template(path = "assess/desk/log.html")]
struct LogPage {
    person: Person,
    people: Vec<Choice>,
    events: Vec<Event>,
    paging: Paging,
}

impl LogPage {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "log"
    }
}

/// The page.
pub(super) async fn log(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Query(pairs): Query<Pairs>,
) -> Answer {
    let (who, from) = (pairs.get("who").to_owned(), pairs.number("from").unwrap_or(0));
    let wanted = (!who.is_empty()).then(|| who.clone());
    let found = app.read(move |books| books.events(wanted.as_deref(), from, AT_MOST)).await?;
    let mut people = vec![Choice::new("", "everybody", &who)];
    people.extend(found.people.iter().map(|name| Choice::new(name, name, &who)));
    let address = |from: usize| format!("/desk/log?who={}&from={from}", encode(&who));
    let paging = Paging::new(from, found.list.len(), found.total, AT_MOST, address);
    let events = found.list.into_iter().map(|event| Event { at: words::stamp(&event.at), ..event }).collect();
    page(&LogPage { person, people, events, paging })
}
