//! Deciding what something comes to, of which people said different things.

use super::disagreements::{far_word, read_far};
use super::{Flash, Pairs, with_flash, words};
use crate::assess::judging::{GradeButton, grade_name, scale, see_thread};
use crate::assess::material::{Material, Wanted};
use crate::assess::{Answer, AssessApp, AssessError, Checked, Organiser, Person, see};
use crate::view::Html;
use askama::Template;
use assess::{Books, Decided, Decision, Far, JudgmentNo, LONGEST_COMMENT, Look, Opinion, Several};
use axum::extract::{Path, Query, State};
use formats::check::Task;
use lab::{Context, PoolKind, Stage, Verdict};
use pool::ItemKind;

#[derive(Template)]
#[template(path = "assess/desk/adjudicate.html")]
struct AdjudicatePage {
    person: Person,
    flash: Flash,
    judgment: i64,
    far: &'static str,
    topic: String,
    title: String,
    question: Html,
    question_thread: Option<String>,
    /// The formula that was found, above the post it stands in.
    found: Option<Html>,
    piece: Html,
    piece_thread: Option<String>,
    /// The title of the question that the answer was given to.
    piece_question: Option<Html>,
    /// How many of these are left, this one included.
    left: usize,
    opinions: Vec<OpinionView>,
    decided: Option<OpinionView>,
    grades: Vec<GradeButton>,
    next: Option<JudgmentNo>,
    longest: usize,
}

impl AdjudicatePage {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "disagreements"
    }
}

struct OpinionView {
    who: String,
    verdict: String,
    role: &'static str,
    comment: String,
}

/// The page of one thing.
pub(super) async fn adjudicate(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path(judgment): Path<i64>,
    Query(pairs): Query<Pairs>,
) -> Answer {
    show(&app, person, Flash::default(), judgment, read_far(pairs.get("far"))).await
}

/// Decides, and goes on to the next one.
pub(super) async fn decide(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path(judgment): Path<i64>,
    Checked(sent): Checked<Pairs>,
) -> Answer {
    let far = read_far(sent.get("far"));
    let verdict = Verdict::stored(sent.get("verdict"))
        .ok_or_else(|| AssessError::BadRequest("a decision is one of the grades".to_owned()))?;
    let decision = Decision { of: JudgmentNo(judgment), verdict, comment: sent.get("comment").to_owned() };
    let by = person.account.name.clone();
    let decided = app.write(move |books| {
        if decision.comment.chars().count() > LONGEST_COMMENT {
            return Err(assess::Error::refused(format!(
                "a comment has at most {LONGEST_COMMENT} characters"
            )));
        }
        books.adjudicate(&decision, &by)?;
        Ok(books.disagreements(far, Decided::No)?.iter().find_map(Several::judgment))
    });
    match decided.await {
        Ok(Some(next)) => Ok(see(&format!("/desk/adjudicate/{next}?far={}", far_word(far)))),
        Ok(None) => Ok(see(&format!("/desk/disagreements?far={}&done=all", far_word(far)))),
        Err(error) => show(&app, person, Flash::refused(error)?, judgment, far).await,
    }
}

async fn show(app: &AssessApp, person: Person, flash: Flash, judgment: i64, far: Far) -> Answer {
    let said = flash.clone();
    let material = app.material().await?;
    let made = app.read(move |books| draw(books, &material, person, flash, judgment, far));
    with_flash(&made.await?, &said)
}

fn draw(
    books: &Books<'_>,
    material: &Material,
    person: Person,
    flash: Flash,
    judgment: i64,
    far: Far,
) -> assess::Result<AdjudicatePage> {
    let thing = books.thing_of(JudgmentNo(judgment))?;
    let look = books.look_of(&thing)?;
    let task = books.task_of(thing.kind, &thing.set, &thing.topic, &thing.item)?;
    let open = books.disagreements(far, Decided::No)?;
    let own = thing.judgment();
    let next = open.iter().filter_map(Several::judgment).find(|other| Some(*other) != own);
    // Who decides shall not know whom they decide against, before they have.
    let hidden = thing.decided.is_none() && thing.opinions().count() > 1;
    // By name, the same person would be the first everywhere.
    let mut opinions: Vec<&Opinion> = thing.opinions().collect();
    if hidden {
        opinions.sort_by_key(|opinion| xxhash_rust::xxh3::xxh3_64(&opinion.judgment.0.to_le_bytes()));
    }
    let places = ["First", "Second", "Third", "Fourth", "Fifth"];
    let view = |(place, opinion): (usize, &Opinion)| OpinionView {
        who: match (hidden, places.get(place)) {
            (true, Some(place)) => (*place).to_owned(),
            (true, None) => "Another".to_owned(),
            (false, _) => opinion.assessor.clone(),
        },
        verdict: grade_name(books.manifest(), task, opinion.verdict),
        role: if opinion.stage == Stage::CrossCheck { "cross-check" } else { "" },
        comment: opinion.comment.clone(),
    };
    let decided = thing.decided.as_ref().map(|opinion| OpinionView {
        who: opinion.assessor.clone(),
        verdict: grade_name(books.manifest(), task, opinion.verdict),
        role: "",
        comment: opinion.comment.clone(),
    });
    let chosen = thing.decided.as_ref().map(|opinion| opinion.verdict);
    // What nobody judged for the lab cannot be decided, only looked at.
    let grades = match thing.opinions().next() {
        Some(_) => scale(books.manifest(), task, chosen),
        None => Vec::new(),
    };
    let question = material.question(&thing.set, thing.kind, thing.topic.as_str());
    let piece = material.piece(wanted(&thing, look));
    Ok(AdjudicatePage {
        person,
        flash,
        judgment,
        far: far_word(far),
        topic: thing.topic.to_string(),
        // An id tells a post of the collection from an answer that a system wrote.
        title: if hidden {
            words::blind_item(thing.kind).to_owned()
        } else {
            words::item(thing.kind, &thing.item, thing.instance.as_deref())
        },
        question: question.html(),
        question_thread: question.thread.clone(),
        found: piece.formula.clone().filter(|_| !piece.body.is_empty()),
        piece: piece.html(),
        // The same link whether there is a thread or not, until it is decided.
        piece_thread: if hidden {
            let has_context = material.manifest().context != Context::Formula;
            has_context.then(|| format!("/desk/adjudicate/{judgment}/thread"))
        } else {
            piece.thread.clone()
        },
        // As in judging: where systems write answers, too, a title would tell theirs from those of the collection.
        piece_question: piece.question.clone().filter(|_| {
            !hidden
                || thing.kind == PoolKind::Formulas
                || !material.manifest().all_tasks().any(|task| task == Task::Task3)
        }),
        left: open.len(),
        opinions: opinions.into_iter().enumerate().map(view).collect(),
        decided,
        grades,
        next,
        longest: LONGEST_COMMENT,
    })
}

/// The thread of the item, by the address of the page on which it is decided.
pub(super) async fn thread(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path(judgment): Path<i64>,
) -> Answer {
    let material = app.material().await?;
    let found = app.read(move |books| {
        let thing = books.thing_of(JudgmentNo(judgment))?;
        let look = books.look_of(&thing)?;
        Ok(material.piece(wanted(&thing, look)).thread.clone())
    });
    see_thread(person, found.await?)
}

/// What is drawn of a thing: what those saw who judged it.
fn wanted(thing: &Several, look: Look) -> Wanted {
    match look.kind {
        ItemKind::Post => Wanted::Post(thing.item.clone()),
        ItemKind::Answer => Wanted::Written { id: thing.item.clone(), text: look.text },
        ItemKind::Formula | ItemKind::Instance => Wanted::Instance {
            formula: thing.instance.clone().unwrap_or_else(|| thing.item.clone()),
            post: look.post,
        },
    }
}
