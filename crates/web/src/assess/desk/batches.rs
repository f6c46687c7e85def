//! Batches: made from the pool, given out, taken back.

use super::confirm::{asks_first, confirm};
use super::{Choice, Flash, Paging, Pairs, with_flash, words};
use crate::assess::{Answer, AssessApp, Checked, Organiser, Person, see};
use crate::view::{count, encode, number_of};
use askama::Template;
use assess::{AccountNo, Asks, AssignmentNo, BatchLine, BatchNo, BatchPlan, Books, PlannedBatch, Standing};
use axum::extract::{Query, State};
use lab::{PoolKind, Rules, Stage};
use std::collections::BTreeMap;

/// So many are on a page.
const AT_MOST: usize = 100;

#[derive(Template)]
#[template(path = "assess/desk/batches.html")]
struct BatchesPage {
    person: Person,
    flash: Flash,
    form: MakeForm,
    plan: Option<PlanView>,
    kinds: Vec<Choice>,
    stages: Vec<Choice>,
    states: Vec<Choice>,
    rows: Vec<BatchRow>,
    paging: Paging,
    people: Vec<(AccountNo, String)>,
}

impl BatchesPage {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "batches"
    }
}

/// What stands in the form by which batches are made.
#[derive(Clone, Debug)]
struct MakeForm {
    what: String,
    judges: String,
    overlap: String,
    at_most: String,
    gold: String,
    has_answers: bool,
    has_formulas: bool,
}

/// What would be made.
struct PlanView {
    summary: String,
    topics: Vec<PlanTopic>,
    fields: Vec<(&'static str, String)>,
}

struct PlanTopic {
    topic: String,
    batches: usize,
    items: usize,
    judgments: usize,
    checks: usize,
}

struct BatchRow {
    number: BatchNo,
    what: String,
    topic: String,
    items: usize,
    done: usize,
    all: usize,
    percent: usize,
    state: &'static str,
    who: String,
}

/// The page.
pub(super) async fn batches(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Query(pairs): Query<Pairs>,
) -> Answer {
    let n: usize = pairs.number("n").unwrap_or(0);
    let news = match pairs.get("done") {
        "made" => format!("{} made.", count(n, "batch was", "batches were")),
        "changed" => format!("Done for {}.", count(n, "batch", "batches")),
        _ => String::new(),
    };
    show(&app, person, Flash::done(news), pairs, None).await
}

/// What would be made, before it is.
pub(super) async fn preview(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Query(pairs): Query<Pairs>,
) -> Answer {
    let wanted = pairs.clone();
    let planned = app
        .read(move |books| {
            let plan = read_plan(books, &wanted)?;
            let planned = books.plan_batches(&plan)?;
            if planned.is_empty() {
                return Err(assess::Error::refused("all items of the pool are in batches or judged already"));
            }
            Ok(plan_view(&planned, &wanted))
        })
        .await;
    match planned {
        Ok(view) => show(&app, person, Flash::default(), pairs, Some(view)).await,
        Err(error) => show(&app, person, Flash::refused(error)?, pairs, None).await,
    }
}

/// Makes batches.
pub(super) async fn make(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Checked(pairs): Checked<Pairs>,
) -> Answer {
    let (by, wanted) = (person.account.name.clone(), pairs.clone());
    let made = app.write(move |books| books.make_batches(&read_plan(books, &wanted)?, &by));
    match made.await {
        Ok(made) => Ok(see(&format!("/desk/batches?done=made&n={}", made.len()))),
        Err(error) => show(&app, person, Flash::refused(error)?, pairs, None).await,
    }
}

/// Gives, takes back or withdraws the batches that were ticked.
pub(super) async fn change(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Checked(pairs): Checked<Pairs>,
) -> Answer {
    if asks_first(&pairs) {
        let back = format!("/desk/batches?{}", filter_of(&pairs));
        return confirm(&app, person, &pairs, back).await;
    }
    let by = person.account.name.clone();
    let sent = pairs.clone();
    let changed = app.write(move |books| change_all(books, &sent, &by));
    let back = filter_of(&pairs);
    match changed.await {
        Ok((n, problems)) if problems.is_empty() => {
            Ok(see(&format!("/desk/batches?{back}&done=changed&n={n}")))
        }
        Ok((n, problems)) => {
            let wrong =
                format!("Done for {}. Not done: {}.", count(n, "batch", "batches"), problems.join("; "));
            show(&app, person, Flash { news: String::new(), wrong }, pairs, None).await
        }
        Err(error) => show(&app, person, Flash::refused(error)?, pairs, None).await,
    }
}

fn change_all(books: &Books<'_>, sent: &Pairs, by: &str) -> assess::Result<(usize, Vec<String>)> {
    let chosen: Vec<BatchNo> =
        sent.all("pick").filter_map(|number| number.parse().ok()).map(BatchNo).collect();
    if chosen.is_empty() {
        return Err(assess::Error::refused("tick the batches first"));
    }
    let lines: BTreeMap<BatchNo, BatchLine> =
        books.batches()?.into_iter().map(|line| (line.batch.number, line)).collect();
    let held = |number: &BatchNo| -> Option<AssignmentNo> {
        lines
            .get(number)
            .and_then(|line| line.held.as_ref())
            .filter(|held| !held.done)
            .map(|held| held.assignment)
    };
    let (mut n, mut problems) = (0, Vec::new());
    for number in chosen {
        let result = match sent.get("action") {
            "give" => match sent.number("to").map(AccountNo) {
                Some(to) => books.assign(number, to, by).map(|_| ()),
                None => return Err(assess::Error::refused("choose to whom the batches are given")),
            },
            "take" => match held(&number) {
                Some(assignment) => books.take_away(assignment, by),
                None => Err(assess::Error::refused("nobody has it open")),
            },
            "withdraw" => books.withdraw(number, by),
            _ => return Err(assess::Error::refused("batches are given, taken back or withdrawn")),
        };
        match result {
            Ok(()) => n += 1,
            Err(assess::Error::Refused(reason)) => problems.push(format!("batch {number}: {reason}")),
            Err(other) => return Err(other),
        }
    }
    Ok((n, problems))
}

/// The part of an address that says which batches are listed.
fn filter_of(pairs: &Pairs) -> String {
    let of = |name: &str| format!("{name}={}", encode(pairs.get(name)));
    ["kind", "stage", "state"].map(of).join("&")
}

fn read_plan(books: &Books<'_>, pairs: &Pairs) -> assess::Result<BatchPlan> {
    let (kind, asks) = match pairs.get("what") {
        "formulas" => (PoolKind::Formulas, Asks::Grades),
        "flags" => (PoolKind::Answers, Asks::Flags),
        "answers" => (PoolKind::Answers, Asks::Grades),
        _ => {
            return Err(assess::Error::refused(
                "batches are made of answers, formulas or questions afterwards",
            ));
        }
    };
    let whole = |name: &str, empty: usize| match pairs.get(name) {
        "" => Ok(empty),
        text => {
            text.parse::<usize>().map_err(|_| assess::Error::refused(format!("{text:?} is no whole number")))
        }
    };
    let overlap = match pairs.get("overlap") {
        "" => 0.0,
        text => match text.trim_end_matches('%').trim().parse::<f64>() {
            Ok(percent) if (0.0..=100.0).contains(&percent) => percent / 100.0,
            _ => return Err(assess::Error::refused(format!("{text:?} is no share from 0 to 100 percent"))),
        },
    };
    let at_most = whole("at_most", 0)?;
    Ok(BatchPlan {
        kind,
        set: books.manifest().current.clone(),
        stage: Stage::Main,
        asks,
        judges: u32::try_from(whole("judges", 1)?).unwrap_or(u32::MAX),
        overlap,
        at_most: (at_most > 0).then_some(at_most),
        gold: whole("gold", 0)?,
        seed: books.manifest().seed,
    })
}

fn plan_view(planned: &[PlannedBatch], pairs: &Pairs) -> PlanView {
    let mut topics: Vec<PlanTopic> = Vec::new();
    for batch in planned {
        let name = batch.topic.to_string();
        if topics.last().is_none_or(|last| last.topic != name) {
            topics.push(PlanTopic { topic: name, batches: 0, items: 0, judgments: 0, checks: 0 });
        }
        let Some(topic) = topics.last_mut() else { continue };
        topic.batches += 1;
        topic.judgments += batch.items.iter().map(|item| item.parts.len()).sum::<usize>();
        match batch.stage {
            Stage::CrossCheck => topic.checks += batch.items.len(),
            _ => topic.items += batch.items.len(),
        }
    }
    let total = |of: fn(&PlanTopic) -> usize| topics.iter().map(of).sum::<usize>();
    let summary = format!(
        "{} for {} with {} and {}",
        count(total(|topic| topic.batches), "batch", "batches"),
        count(topics.len(), "topic", "topics"),
        count(total(|topic| topic.items) + total(|topic| topic.checks), "page", "pages"),
        count(total(|topic| topic.judgments), "judgment", "judgments"),
    );
    let fields =
        ["what", "judges", "overlap", "at_most", "gold"].map(|name| (name, pairs.get(name).to_owned()));
    PlanView { summary, topics, fields: fields.into() }
}

async fn show(app: &AssessApp, person: Person, flash: Flash, pairs: Pairs, plan: Option<PlanView>) -> Answer {
    let said = flash.clone();
    let made = app.read(move |books| draw(books, person, flash, &pairs, plan));
    with_flash(&made.await?, &said)
}

fn draw(
    books: &Books<'_>,
    person: Person,
    flash: Flash,
    pairs: &Pairs,
    plan: Option<PlanView>,
) -> assess::Result<BatchesPage> {
    let manifest = books.manifest();
    let kinds: Vec<PoolKind> = manifest.pool_kinds().collect();
    let lines = books.batches()?;
    let names: BTreeMap<AccountNo, String> =
        books.accounts()?.into_iter().map(|account| (account.number, account.name)).collect();
    let (kind, stage, state) = (pairs.get("kind"), pairs.get("stage"), pairs.get("state"));
    let one: Option<i64> = pairs.number("batch");
    let mut stages: Vec<Stage> = lines.iter().map(|line| line.batch.stage).collect();
    stages.sort();
    stages.dedup();
    let wanted = |line: &&BatchLine| {
        one.is_none_or(|one| line.batch.number.0 == one)
            && (kind.is_empty() || kind_word(line) == kind)
            && (stage.is_empty() || line.batch.stage.to_string() == stage)
            && (state.is_empty() || state_word(line) == state)
    };
    let found: Vec<&BatchLine> = lines.iter().filter(wanted).collect();
    let from: usize = pairs.number("from").unwrap_or(0).min(found.len());
    let shown: Vec<BatchRow> =
        found.iter().skip(from).take(AT_MOST).map(|line| row(line, &names, books.now())).collect();
    let back = filter_of(pairs);
    let paging = Paging::new(from, shown.len(), found.len(), AT_MOST, |from| {
        format!("/desk/batches?{back}&from={from}")
    });
    let active = books.accounts()?.into_iter().filter(|account| account.standing != Standing::Left);
    let judges = if manifest.rules == Rules::Arqmath { "1" } else { "2" };
    let typed = |name: &str, usual: &str| {
        let typed = pairs.get(name);
        if typed.is_empty() { usual.to_owned() } else { typed.to_owned() }
    };
    let first = kinds.first().map_or("answers", |kind| kind.word());
    Ok(BatchesPage {
        person,
        flash,
        form: MakeForm {
            what: typed("what", first),
            judges: typed("judges", judges),
            overlap: typed("overlap", "0"),
            at_most: pairs.get("at_most").to_owned(),
            gold: typed("gold", "0"),
            has_answers: kinds.contains(&PoolKind::Answers),
            has_formulas: kinds.contains(&PoolKind::Formulas),
        },
        plan,
        kinds: [
            ("", "all kinds"),
            ("answers", "answers"),
            ("formulas", "formulas"),
            ("flags", "questions afterwards"),
        ]
        .map(|(value, name)| Choice::new(value, name, kind))
        .into(),
        stages: std::iter::once(Choice::new("", "all stages", stage))
            .chain(stages.iter().map(|one| Choice::new(one.to_string(), words::stage(*one), stage)))
            .collect(),
        states: ["", "waiting", "open", "done", "withdrawn"]
            .map(|word| Choice::new(word, if word.is_empty() { "all states" } else { word }, state))
            .into(),
        rows: shown,
        paging,
        people: active.map(|account| (account.number, account.name)).collect(),
    })
}

fn kind_word(line: &BatchLine) -> &'static str {
    match line.batch.asks {
        Asks::Flags => "flags",
        Asks::Grades => line.batch.kind.word(),
    }
}

fn state_word(line: &BatchLine) -> &'static str {
    match &line.held {
        Some(held) if held.done => "done",
        Some(_) => "open",
        None if line.batch.withdrawn => "withdrawn",
        None if line.parts_done == line.parts => "done",
        None => "waiting",
    }
}

fn row(line: &BatchLine, names: &BTreeMap<AccountNo, String>, now: i64) -> BatchRow {
    let batch = &line.batch;
    let sort = assess::Sort { asks: batch.asks, kind: batch.kind, stage: batch.stage };
    let kept = batch.kept_for.and_then(|account| names.get(&account));
    BatchRow {
        number: batch.number,
        what: if batch.copy > 1 {
            format!("{}, copy {}", words::sort(sort), batch.copy)
        } else {
            words::sort(sort)
        },
        topic: batch.topic.to_string(),
        items: line.tasks,
        done: line.parts_done,
        all: line.parts.max(1),
        percent: (line.parts_done * 100).checked_div(line.parts).unwrap_or(0),
        state: state_word(line),
        who: match (&line.held, kept) {
            (Some(held), _) if held.done => held.name.clone(),
            (Some(held), _) => format!("{}, ends {}", held.name, words::until(now, held.expires_at)),
            (None, Some(name)) => format!("kept for {name}"),
            (None, None) => String::new(),
        },
    }
}

impl PlanView {
    /// How many batches, for the button.
    fn batches(&self) -> String {
        number_of(self.topics.iter().map(|topic| topic.batches).sum())
    }
}
