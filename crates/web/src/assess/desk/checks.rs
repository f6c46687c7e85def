//! Cross-checks by colleagues after the judging.

use super::agreement::{AgreementView, agreement_view};
use super::{Choice, Flash, Pairs, with_flash, words};
use crate::assess::{Answer, AssessApp, Checked, Organiser, Person, see};
use crate::view::count;
use askama::Template;
use assess::{Agreement, Books, CheckPlan, Occasion, PlannedCheck, usual_topics};
use axum::extract::{Query, State};
use lab::{PoolKind, Stage};

#[derive(Template)]
#[template(path = "assess/desk/checks.html")]
struct ChecksPage {
    person: Person,
    flash: Flash,
    kinds: Vec<Choice>,
    topics: usize,
    planned: Vec<PlannedCheck>,
    batches: Vec<CheckRow>,
    agreement: Vec<AgreementView>,
}

impl ChecksPage {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "checks"
    }
}

struct CheckRow {
    what: &'static str,
    topic: String,
    who: String,
    done: usize,
    all: usize,
}

/// The page; with a kind it shows what would be made.
pub(super) async fn checks(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Query(pairs): Query<Pairs>,
) -> Answer {
    let n: usize = pairs.number("n").unwrap_or(0);
    let news = match pairs.get("done") {
        "made" => {
            format!("{} made, each kept for who shall judge it.", count(n, "batch was", "batches were"))
        }
        _ => String::new(),
    };
    let wanted = pairs.clone();
    let planned = match pairs.get("kind") {
        "" => Ok(Vec::new()),
        _ => app.read(move |books| books.plan_checks(&read_plan(books, &wanted)?)).await,
    };
    match planned {
        Ok(planned) => show(&app, person, Flash::done(news), pairs, planned).await,
        Err(error) => show(&app, person, Flash::refused(error)?, pairs, Vec::new()).await,
    }
}

/// Makes the batches.
pub(super) async fn make(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Checked(sent): Checked<Pairs>,
) -> Answer {
    let (by, wanted) = (person.account.name.clone(), sent.clone());
    match app.write(move |books| books.make_checks(&read_plan(books, &wanted)?, &by)).await {
        Ok(made) => Ok(see(&format!("/desk/checks?done=made&n={}", made.len()))),
        Err(error) => show(&app, person, Flash::refused(error)?, sent, Vec::new()).await,
    }
}

fn read_plan(books: &Books<'_>, pairs: &Pairs) -> assess::Result<CheckPlan> {
    let kind = PoolKind::read(pairs.get("kind"))
        .ok_or_else(|| assess::Error::refused("answers or formulas are checked"))?;
    let topics = match pairs.get("topics") {
        "" => usual_topics(kind),
        text => text.parse().map_err(|_| assess::Error::refused(format!("{text:?} is no whole number")))?,
    };
    Ok(CheckPlan { kind, set: books.manifest().current.clone(), topics, seed: books.manifest().seed })
}

async fn show(
    app: &AssessApp,
    person: Person,
    flash: Flash,
    pairs: Pairs,
    planned: Vec<PlannedCheck>,
) -> Answer {
    let said = flash.clone();
    let made = app.read(move |books| draw(books, person, flash, &pairs, planned));
    with_flash(&made.await?, &said)
}

fn draw(
    books: &Books<'_>,
    person: Person,
    flash: Flash,
    pairs: &Pairs,
    planned: Vec<PlannedCheck>,
) -> assess::Result<ChecksPage> {
    let kinds: Vec<PoolKind> = books.manifest().pool_kinds().collect();
    let kind = PoolKind::read(pairs.get("kind")).or(kinds.first().copied()).unwrap_or(PoolKind::Answers);
    let names: std::collections::BTreeMap<_, _> =
        books.accounts()?.into_iter().map(|account| (account.number, account.name)).collect();
    let lines = books
        .batches()?
        .into_iter()
        .filter(|line| line.batch.stage == Stage::CrossCheck && !line.batch.withdrawn);
    let batches = lines.map(|line| CheckRow {
        what: words::kind(line.batch.kind),
        topic: line.batch.topic.to_string(),
        who: match (&line.held, line.batch.kept_for.and_then(|account| names.get(&account))) {
            (Some(held), _) => held.name.clone(),
            (None, Some(name)) => name.clone(),
            (None, None) => "anybody".to_owned(),
        },
        done: line.parts_done,
        all: line.parts.max(1),
    });
    let after = |agreement: Agreement| {
        let pairs =
            agreement.pairs.into_iter().filter(|pair| pair.occasion == Occasion::Afterwards).collect();
        Agreement { pairs, ..agreement }
    };
    let agreement = books.agreement()?.into_iter().map(after).filter(|agreement| !agreement.pairs.is_empty());
    Ok(ChecksPage {
        person,
        flash,
        kinds: kinds.iter().map(|one| Choice::new(one.word(), words::kind(*one), kind.word())).collect(),
        topics: pairs.number("topics").unwrap_or_else(|| usual_topics(kind)),
        planned,
        batches: batches.collect(),
        agreement: agreement.map(|agreement| agreement_view(&agreement)).collect(),
    })
}
