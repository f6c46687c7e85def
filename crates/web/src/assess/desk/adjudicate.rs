//! Deciding what something comes to, of which people said different things.

use super::disagreements::{far_word, read_far};
use super::{Flash, Pairs, with_flash, words};
use crate::assess::{Answer, AssessApp, AssessError, Checked, Organiser, Person, see};
use crate::view::Html;
use askama::Template;
use assess::{Books, Decided, Decision, Far, JudgmentNo, LONGEST_COMMENT, Look, Opinion, Several};
use axum::extract::{Path, Query, State};
use lab::{Stage, Verdict};

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
    piece: Html,
    /// How many of these are left, this one included.
    left: usize,
    opinions: Vec<OpinionView>,
    decided: Option<OpinionView>,
    grades: Vec<GradeView>,
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

struct GradeView {
    value: String,
    name: String,
    about: String,
    pressed: &'static str,
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
    let made = app.read(move |books| draw(books, person, flash, judgment, far));
    with_flash(&made.await?, &said)
}

fn draw(
    books: &Books<'_>,
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
    let places = ["First", "Second", "Third", "Fourth", "Fifth"];
    let view = |(place, opinion): (usize, &Opinion)| OpinionView {
        who: match (hidden, places.get(place)) {
            (true, Some(place)) => (*place).to_owned(),
            (true, None) => "Another".to_owned(),
            (false, _) => opinion.assessor.clone(),
        },
        verdict: words::verdict(books.manifest(), task, opinion.verdict),
        role: if opinion.stage == Stage::CrossCheck { "cross-check" } else { "" },
        comment: opinion.comment.clone(),
    };
    let decided = thing.decided.as_ref().map(|opinion| OpinionView {
        who: opinion.assessor.clone(),
        verdict: words::verdict(books.manifest(), task, opinion.verdict),
        role: "",
        comment: opinion.comment.clone(),
    });
    let chosen = thing.decided.as_ref().map(|opinion| opinion.verdict);
    let pressed = |verdict: Verdict| if chosen == Some(verdict) { "true" } else { "false" };
    let mut grades: Vec<GradeView> = Vec::new();
    if thing.opinions().next().is_some() {
        let of_scale = books.manifest().grades_of(task).into_iter().map(|grade| GradeView {
            value: grade.grade.to_string(),
            name: grade.name.clone(),
            about: grade.definition.clone(),
            pressed: pressed(Verdict::Grade(grade.grade)),
        });
        grades.extend(of_scale);
        grades.extend([Verdict::SystemFailure, Verdict::DoNotKnow].map(|code| GradeView {
            value: code.to_string(),
            name: words::verdict(books.manifest(), task, code),
            about: "Needs a comment.".to_owned(),
            pressed: pressed(code),
        }));
    }
    let (question, piece) = drawn(&thing, &look);
    Ok(AdjudicatePage {
        person,
        flash,
        judgment,
        far: far_word(far),
        topic: thing.topic.to_string(),
        title: words::item(thing.kind, &thing.item, thing.instance.as_deref()),
        question,
        piece,
        left: open.len(),
        opinions: thing.opinions().enumerate().map(view).collect(),
        decided,
        grades,
        next,
        longest: LONGEST_COMMENT,
    })
}

/// The question and what was found, as those see them who judge.
fn drawn(thing: &Several, look: &Look) -> (Html, Html) {
    let piece = look.text.as_deref().unwrap_or(&thing.item);
    (Html::text(thing.topic.as_str()), Html::text(piece))
}
