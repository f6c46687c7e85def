//! Things of which people said different things.

use super::{Choice, Paging, Pairs, words};
use crate::assess::judging::grade_name;
use crate::assess::{Answer, AssessApp, Organiser, Person, page};
use askama::Template;
use assess::{Books, Decided, Far, JudgmentNo, Opinion, Several};
use axum::extract::{Query, State};

/// So many are on a page.
const AT_MOST: usize = 100;

#[derive(Template)]
#[template(path = "assess/desk/disagreements.html")]
struct DisagreementsPage {
    person: Person,
    news: &'static str,
    fars: Vec<(Choice, usize)>,
    decided: Vec<Choice>,
    far: &'static str,
    things: Vec<ThingView>,
    first: Option<JudgmentNo>,
    paging: Paging,
}

impl DisagreementsPage {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "disagreements"
    }
}

struct ThingView {
    judgment: JudgmentNo,
    topic: String,
    item: String,
    apart: String,
    said: Vec<(String, &'static str)>,
    comments: usize,
    decided: String,
}

/// Reads how far apart people must be.
pub(super) fn read_far(word: &str) -> Far {
    match word {
        "two" => Far::TwoGrades,
        "line" => Far::AcrossTheLine,
        _ => Far::Any,
    }
}

/// The word for it.
pub(super) fn far_word(far: Far) -> &'static str {
    match far {
        Far::Any => "any",
        Far::TwoGrades => "two",
        Far::AcrossTheLine => "line",
    }
}

/// The page.
pub(super) async fn disagreements(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Query(pairs): Query<Pairs>,
) -> Answer {
    page(&app.read(move |books| draw(books, person, &pairs)).await?)
}

fn draw(books: &Books<'_>, person: Person, pairs: &Pairs) -> assess::Result<DisagreementsPage> {
    let far = read_far(pairs.get("far"));
    let decided = if pairs.get("decided") == "yes" { Decided::Yes } else { Decided::No };
    let decided_word = if decided == Decided::Yes { "yes" } else { "no" };
    let all = books.disagreements(Far::Any, decided)?;
    let holds = |thing: &Several, far: Far| thing.differs(far, books.relevant_from(thing.kind));
    let names = [
        (Far::Any, "all that differ"),
        (Far::TwoGrades, "by two grades or more"),
        (Far::AcrossTheLine, "relevant or not"),
    ];
    let fars = names.map(|(one, name)| {
        let count = all.iter().filter(|thing| holds(thing, one)).count();
        (Choice::new(far_word(one), name, far_word(far)), count)
    });
    let found: Vec<&Several> = all.iter().filter(|thing| holds(thing, far)).collect();
    let from: usize = pairs.number("from").unwrap_or(0).min(found.len());
    let mut things = Vec::new();
    for thing in found.iter().skip(from).take(AT_MOST) {
        things.extend(view(books, thing)?);
    }
    let paging = Paging::new(from, things.len(), found.len(), AT_MOST, |from| {
        format!("/desk/disagreements?far={}&decided={decided_word}&from={from}", far_word(far))
    });
    let decided_names = [("no", "to be decided"), ("yes", "decided")];
    Ok(DisagreementsPage {
        person,
        news: if pairs.get("done") == "all" { "All of these are decided." } else { "" },
        fars: fars.into(),
        decided: decided_names.map(|(value, name)| Choice::new(value, name, decided_word)).into(),
        far: far_word(far),
        first: things.first().filter(|_| decided == Decided::No).map(|thing| thing.judgment),
        things,
        paging,
    })
}

fn view(books: &Books<'_>, thing: &Several) -> assess::Result<Option<ThingView>> {
    let Some(judgment) = thing.judgment() else { return Ok(None) };
    let task = books.task_of(thing.kind, &thing.set, &thing.topic, &thing.item)?;
    let name = |opinion: &Opinion| grade_name(books.manifest(), task, opinion.verdict);
    let role = |opinion: &Opinion| if opinion.stage == lab::Stage::CrossCheck { "cross-check" } else { "" };
    let apart = match thing.apart() {
        Some(0) | None => "no grade".to_owned(),
        Some(1) => "1 grade".to_owned(),
        Some(grades) => format!("{grades} grades"),
    };
    Ok(Some(ThingView {
        judgment,
        topic: thing.topic.to_string(),
        item: match thing.decided {
            None => words::blind_item(thing.kind).to_owned(),
            Some(_) => words::item(thing.kind, &thing.item, thing.instance.as_deref()),
        },
        apart,
        said: thing.opinions().map(|opinion| (name(opinion), role(opinion))).collect(),
        comments: thing.opinions().filter(|opinion| !opinion.comment.is_empty()).count(),
        decided: thing
            .decided
            .as_ref()
            .map(|decided| format!("{} by {}", name(decided), decided.assessor))
            .unwrap_or_default(),
    }))
}
