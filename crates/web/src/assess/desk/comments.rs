//! What assessors wrote, and what is answered.

use super::{Choice, Flash, Paging, Pairs, with_flash, words};
use crate::assess::judging::grade_name;
use crate::assess::{Answer, AssessApp, Checked, Organiser, Person, see};
use askama::Template;
use assess::{Books, Far, Inbox, JudgmentNo, LONGEST_REPLY, SinceThen};
use axum::extract::{Path, Query, State};

/// So many are on a page.
const AT_MOST: usize = 50;

#[derive(Template)]
#[template(path = "assess/desk/comments.html")]
struct CommentsPage {
    person: Person,
    flash: Flash,
    open: usize,
    show: String,
    choices: Vec<Choice>,
    comments: Vec<CommentView>,
    paging: Paging,
    longest: usize,
}

impl CommentsPage {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "comments"
    }
}

struct CommentView {
    judgment: JudgmentNo,
    topic: String,
    item: String,
    stage: String,
    assessor: String,
    verdict: String,
    comment: String,
    at: String,
    changed: bool,
    reply: Option<ReplyView>,
}

struct ReplyView {
    who: String,
    at: String,
    text: String,
}

/// The page.
pub(super) async fn comments(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Query(pairs): Query<Pairs>,
) -> Answer {
    let news = match pairs.get("done") {
        "answered" => "The answer is with who wrote the comment.",
        "dealt" => "The comment is dealt with.",
        "open" => "The comment is open again.",
        _ => "",
    };
    show(&app, person, Flash::done(news.to_owned()), pairs).await
}

/// Answers a comment, marks it as dealt with, or opens it again.
pub(super) async fn reply(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path(judgment): Path<i64>,
    Checked(sent): Checked<Pairs>,
) -> Answer {
    let by = person.account.name.clone();
    let (text, again) = (sent.get("text").to_owned(), sent.get("action") == "reopen");
    let done = match (again, text.is_empty()) {
        (true, _) => "open",
        (false, true) => "dealt",
        (false, false) => "answered",
    };
    let result = app.write(move |books| match again {
        true => books.reopen(JudgmentNo(judgment), &by),
        false => books.reply(JudgmentNo(judgment), &text, &by),
    });
    match result.await {
        Ok(()) => Ok(see(&format!("/desk/comments?show={}&done={done}", word(inbox(sent.get("show")))))),
        Err(error) => show(&app, person, Flash::refused(error)?, sent).await,
    }
}

fn inbox(word: &str) -> Inbox {
    match word {
        "dealt" => Inbox::Dealt,
        "all" => Inbox::All,
        _ => Inbox::Open,
    }
}

fn word(inbox: Inbox) -> &'static str {
    match inbox {
        Inbox::Open => "open",
        Inbox::Dealt => "dealt",
        Inbox::All => "all",
    }
}

async fn show(app: &AssessApp, person: Person, flash: Flash, pairs: Pairs) -> Answer {
    let said = flash.clone();
    let made = app.read(move |books| draw(books, person, flash, &pairs));
    with_flash(&made.await?, &said)
}

fn draw(books: &Books<'_>, person: Person, flash: Flash, pairs: &Pairs) -> assess::Result<CommentsPage> {
    let inbox = inbox(pairs.get("show"));
    let from = pairs.number("from").unwrap_or(0);
    let found = books.comments(inbox, from, AT_MOST)?;
    let mut comments = Vec::new();
    for one in found.list {
        let task = books.task_of(one.kind, &one.set, &one.topic, &one.item)?;
        // Nobody decides a disagreement knowing the assessor or the item.
        let thing = books.thing_of(one.judgment)?;
        let is_open = thing.decided.is_none() && thing.differs(Far::Any, books.relevant_from(one.kind));
        comments.push(CommentView {
            judgment: one.judgment,
            topic: one.topic.to_string(),
            item: if is_open {
                words::blind_item(one.kind).to_owned()
            } else {
                words::item(one.kind, &one.item, one.instance.as_deref())
            },
            stage: words::stage(one.stage),
            assessor: if is_open { "An assessor".to_owned() } else { one.assessor },
            verdict: grade_name(books.manifest(), task, one.verdict),
            comment: one.comment,
            at: words::stamp(&one.at),
            changed: one.since == SinceThen::Changed,
            reply: one.reply.map(|reply| ReplyView {
                who: reply.who,
                at: words::moment(reply.at),
                text: reply.text,
            }),
        });
    }
    let show = word(inbox);
    let names = [("open", "open"), ("dealt", "dealt with"), ("all", "all")];
    let paging = Paging::new(from, comments.len(), found.total, AT_MOST, |from| {
        format!("/desk/comments?show={show}&from={from}")
    });
    Ok(CommentsPage {
        person,
        flash,
        open: found.open,
        show: show.to_owned(),
        choices: names.map(|(value, name)| Choice::new(value, name, show)).into(),
        comments,
        paging,
        longest: LONGEST_REPLY,
    })
}
