//! Whether the lab will be done in time, and who needs a look.

use super::agreement::{AgreementView, agreement_view};
use super::alarms::{AlarmView, alarm_view, drift_view};
use super::checklist::{StepView, step_view};
use super::{Flash, Pairs, chart, words};
use crate::assess::{Answer, AssessApp, Checked, Organiser, Person, page, see};
use crate::view::{Html, count, number_of};
use askama::Template;
use assess::school::Drift;
use assess::{
    Agreement, Alarm, Books, Day, Far, PersonProgress, Progress, Several, Share, Standing, StepState,
    WorkPace,
};
use axum::extract::{Query, State};
use lab::PoolKind;
use serde::Deserialize;

#[derive(Template)]
#[template(path = "assess/desk/overview.html")]
struct Overview {
    person: Person,
    flash: Flash,
    lab: String,
    last_day: String,
    today: String,
    now: Now,
}

impl Overview {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "overview"
    }
}

/// What changes while one looks.
#[derive(Template)]
#[template(path = "assess/desk/now.html")]
struct Now {
    /// How it stands, in one line, and how good that is.
    headline: String,
    mood: &'static str,
    /// How that was computed.
    words: String,
    steps: Vec<StepView>,
    whole: Bar,
    tiles: Vec<Tile>,
    alarms: Vec<AlarmView>,
    notices: Vec<Notice>,
    people: Vec<PersonView>,
    sorts: Vec<SortView>,
    days: Vec<DayView>,
    chart: Option<Html>,
    topics: Vec<TopicGroup>,
    agreement: Vec<AgreementView>,
    at: String,
}

// It escapes what it shows by itself.
impl askama::filters::HtmlSafe for Now {}

/// So much of so much.
struct Bar {
    done: usize,
    all: usize,
    percent: usize,
    text: String,
}

impl Bar {
    fn new(share: Share) -> Self {
        let text = format!("{} of {}", number_of(share.done), number_of(share.all));
        Self { done: share.done, all: share.all.max(1), percent: share.percent(), text }
    }
}

struct Tile {
    name: &'static str,
    value: String,
    about: String,
}

struct Notice {
    text: String,
    link: &'static str,
    action: &'static str,
}

struct PersonView {
    name: String,
    standing: &'static str,
    done: String,
    practice: String,
    today: String,
    mean: String,
    median: String,
    unknown: String,
    seen: String,
    batches: usize,
    open: Bar,
    /// Why they are looked at.
    marked: Vec<&'static str>,
}

struct SortView {
    name: String,
    batches: Bar,
    held: usize,
    tasks: Bar,
    parts: Bar,
}

struct DayView {
    day: String,
    count: usize,
    most: usize,
}

#[derive(Default)]
struct TopicGroup {
    id: String,
    name: String,
    all: usize,
    /// Topics that somebody has begun, with how far they are.
    open: Vec<(String, Bar)>,
    waiting: Vec<String>,
    done: Vec<String>,
}

/// The page.
pub(super) async fn overview(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Query(pairs): Query<Pairs>,
) -> Answer {
    let news = match pairs.get("done") {
        "last-day" => "The last day of judging is set.",
        "no-last-day" => "The judging has no last day any more.",
        _ => "",
    };
    show(&app, person, Flash::done(news.to_owned())).await
}

async fn show(app: &AssessApp, person: Person, flash: Flash) -> Answer {
    let said = flash.clone();
    let made = app.read(move |books| {
        let last_day = books.last_day()?.map(|day| day.to_string()).unwrap_or_default();
        Ok(Overview {
            person,
            flash,
            lab: books.manifest().name.clone(),
            last_day,
            today: Day::of(books.now()).to_string(),
            now: look(books)?,
        })
    });
    super::with_flash(&made.await?, &said)
}

/// What changes, by itself: a script puts it into the page.
pub(super) async fn now(State(app): State<AssessApp>, Organiser(_): Organiser) -> Answer {
    page(&app.read(look).await?)
}

#[derive(Deserialize)]
pub(super) struct LastDay {
    #[serde(default)]
    day: String,
}

/// Says by when all shall be judged.
pub(super) async fn last_day(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Checked(sent): Checked<LastDay>,
) -> Answer {
    let by = person.account.name.clone();
    let typed = sent.day.trim().to_owned();
    let day = Day::read(&typed);
    let result = app.write(move |books| {
        if day.is_none() && !typed.is_empty() {
            return Err(assess::Error::refused("a day is written as 2026-05-31"));
        }
        books.set_last_day(day, &by)
    });
    match result.await {
        Ok(()) => Ok(see(if day.is_some() { "/desk?done=last-day" } else { "/desk?done=no-last-day" })),
        Err(error) => show(&app, person, Flash::refused(error)?).await,
    }
}

fn look(books: &Books<'_>) -> assess::Result<Now> {
    let progress = books.progress()?;
    // What several people judged is read once: it tells both how far they agree and where they do not.
    let mut agreement = Vec::new();
    let mut differ = 0;
    for kind in books.manifest().pool_kinds() {
        let (things, line) = (books.several(kind, &books.manifest().current)?, books.relevant_from(kind));
        let open = |thing: &&Several| thing.decided.is_none() && thing.differs(Far::AcrossTheLine, line);
        differ += things.iter().filter(open).count();
        let found = Agreement::of(kind, line, &things);
        agreement.extend((!found.pairs.is_empty()).then_some(found));
    }
    let pairs = agreement.iter().map(|kind| kind.pairs.len()).sum();
    let mut steps = books.checklist(&progress, pairs)?;
    // A lab that has its report needs no checklist.
    if steps.iter().all(|step| matches!(step.state, StepState::Done | StepState::Optional)) {
        steps.clear();
    }
    let alarms = books.alarms(&progress, &agreement)?;
    let drift = books.drift()?;
    let now = books.now();
    let (headline, mood) = headline(&progress, now);
    let mut views: Vec<AlarmView> =
        drift.iter().filter(|one| !one.alarms.is_empty()).map(drift_view).collect();
    views.extend(alarms.iter().map(|alarm| alarm_view(alarm, now)));
    let most = progress.pace.days.iter().rev().take(8).map(|(_, count)| *count).max().unwrap_or(1).max(1);
    let days = progress.pace.days.iter().rev().take(8).map(|(day, count)| DayView {
        day: day.in_words(),
        count: *count,
        most,
    });
    Ok(Now {
        headline,
        mood,
        steps: steps.iter().map(step_view).collect(),
        words: progress.finish.words.clone(),
        whole: Bar::new(progress.whole),
        tiles: tiles(&progress),
        notices: notices(
            &progress,
            books.open_comments()?,
            differ,
            books.lab().judgments_since_qrels(&books.manifest().current)?,
        ),
        people: progress.people.iter().map(|one| person_view(one, &alarms, &drift, now)).collect(),
        alarms: views,
        sorts: progress
            .sorts
            .iter()
            .map(|(sort, extent)| SortView {
                name: words::sort(*sort),
                batches: Bar::new(extent.batches),
                held: extent.held,
                tasks: Bar::new(extent.tasks),
                parts: Bar::new(extent.parts),
            })
            .collect(),
        days: days.collect(),
        chart: chart::by_day(&progress),
        topics: topics(&progress),
        agreement: agreement.iter().map(agreement_view).collect(),
        at: words::moment(now),
    })
}

/// How it stands, in one line.
fn headline(progress: &Progress, now: i64) -> (String, &'static str) {
    if progress.whole.all == 0 {
        return ("No batches have been made yet".to_owned(), "calm");
    }
    if progress.whole.left() == 0 {
        return match progress.num_outside() {
            0 => ("All batches are judged".to_owned(), "good"),
            outside => {
                (format!("{} not in a batch yet", count(outside, "pool item is", "pool items are")), "calm")
            }
        };
    }
    let finish = progress.finish.day;
    match (finish, progress.last_day) {
        (Some(day), Some(last)) if day <= last => {
            let early = match last.0 - day.0 {
                0 => "on the last day itself".to_owned(),
                1 => "1 day before the last day".to_owned(),
                days => format!("{days} days before the last day"),
            };
            (format!("On time: done about {}, {early}", day.in_words()), "good")
        }
        (Some(day), Some(last)) => {
            let late = day.0 - last.0;
            let days = if late == 1 { "1 day".to_owned() } else { format!("{late} days") };
            (format!("Late by {days}: done about {}, wanted by {}", day.in_words(), last.in_words()), "bad")
        }
        (Some(day), None) => (format!("Done about {}", day.in_words()), "calm"),
        (None, Some(last)) if last < Day::of(now) => {
            (format!("Late: the last day was {}", last.in_words()), "bad")
        }
        (None, _) if progress.pace.over.is_some() => {
            ("Nothing was judged in the last days".to_owned(), "bad")
        }
        (None, _) => ("Too early to tell when it is done".to_owned(), "calm"),
    }
}

fn tiles(progress: &Progress) -> Vec<Tile> {
    let pace = &progress.pace;
    let dash = || "–".to_owned();
    let mut tiles = vec![
        Tile {
            name: "Left",
            value: number_of(progress.whole.left()),
            about: progress.finish.hours.map_or_else(
                || "hours of work not known yet".to_owned(),
                |hours| format!("about {hours:.0} hours of work"),
            ),
        },
        Tile { name: "Today", value: number_of(pace.today), about: "since midnight UTC".to_owned() },
        Tile {
            name: "A day",
            value: pace.a_day.map_or_else(dash, |a_day| format!("{a_day:.0}")),
            about: match pace.over {
                Some((_, 1)) => "on the last whole day".to_owned(),
                Some((_, days)) => format!("over the last {days} whole days"),
                None => "after the first whole day".to_owned(),
            },
        },
        Tile {
            name: "An hour of work",
            value: pace.an_hour.map_or_else(dash, |an_hour| format!("{an_hour:.0}")),
            about: pace.time.map_or_else(dash, |time| {
                format!("{} each, median {}", words::seconds(time.mean), words::seconds(time.median))
            }),
        },
    ];
    if let Some(last) = progress.last_day {
        let needed = WorkPace::needed(
            progress.whole.left(),
            last,
            progress.pace.days.last().map_or(0, |(day, _)| day.0 * 86_400),
        );
        tiles.push(Tile {
            name: "Needed a day",
            value: needed.map_or_else(dash, |needed| format!("{:.0}", needed.ceil())),
            about: format!("to be done by {}", last.in_words()),
        });
    }
    tiles
}

fn notices(progress: &Progress, comments: usize, differ: usize, since_qrels: usize) -> Vec<Notice> {
    let mut notices = Vec::new();
    for (kind, outside) in progress.outside.iter().filter(|(_, outside)| *outside > 0) {
        let what = match kind {
            PoolKind::Answers => count(*outside, "answer", "answers"),
            PoolKind::Formulas => count(*outside, "formula", "formulas"),
        };
        let are = if *outside == 1 { "is" } else { "are" };
        notices.push(Notice {
            text: format!("{what} of the pool {are} in no batch yet and not counted here."),
            link: "/desk/batches",
            action: "Make batches",
        });
    }
    if comments > 0 {
        let wait = if comments == 1 { "waits" } else { "wait" };
        notices.push(Notice {
            text: format!("{} {wait} for an answer.", count(comments, "comment", "comments")),
            link: "/desk/comments",
            action: "Read",
        });
    }
    if differ > 0 {
        let items = count(differ, "item", "items");
        notices.push(Notice {
            text: format!("{items}: assessors disagree on relevance."),
            link: "/desk/disagreements?far=line",
            action: "Decide",
        });
    }
    if since_qrels > 0 {
        let made = count(since_qrels, "judgment is", "judgments are");
        notices.push(Notice {
            text: format!("{made} newer than the qrels: run hypatia lab qrels and lab report again."),
            link: "/desk/agreement",
            action: "Agreement",
        });
    }
    notices
}

fn person_view(one: &PersonProgress, alarms: &[Alarm], drift: &[Drift], now: i64) -> PersonView {
    let number = one.account.number;
    let mut marked: Vec<&'static str> = alarms
        .iter()
        .filter_map(|alarm| match alarm {
            Alarm::Quick { account, .. } if *account == number => Some("quick"),
            Alarm::Unsure { account, .. } if *account == number => Some("unsure"),
            Alarm::Silent { account, .. } if *account == number => Some("silent"),
            Alarm::Instant { account, .. } if *account == number => Some("instant"),
            Alarm::Straight { account, .. } if *account == number => Some("straight line"),
            Alarm::Paused { account, .. } if *account == number => Some("paused"),
            Alarm::Expires { account, .. } if *account == number => Some("expires"),
            _ => None,
        })
        .collect();
    marked.dedup();
    if drift.iter().any(|one_drift| one_drift.assessor == one.account.name && !one_drift.alarms.is_empty()) {
        marked.push("drifts");
    }
    let dash = || "–".to_owned();
    PersonView {
        name: one.account.name.clone(),
        standing: match one.account.standing {
            Standing::Active => "",
            Standing::Applicant => "applicant",
            Standing::Left => "left",
        },
        done: number_of(one.done),
        practice: if one.practice > 0 { number_of(one.practice) } else { String::new() },
        today: number_of(one.today),
        mean: one.time.map_or_else(dash, |time| words::seconds(time.mean)),
        median: one.time.map_or_else(dash, |time| words::seconds(time.median)),
        unknown: if one.unknown == 0 {
            "0".to_owned()
        } else {
            format!("{} ({})", one.unknown, words::percent(one.unknown as f64 / one.done.max(1) as f64))
        },
        seen: one.seen.map_or_else(|| "never".to_owned(), |seen| words::ago(now, seen)),
        batches: one.batches,
        open: Bar::new(one.open),
        marked,
    }
}

fn topics(progress: &Progress) -> Vec<TopicGroup> {
    let mut groups: Vec<TopicGroup> = Vec::new();
    for (sort, topic, extent) in &progress.topics {
        let name = words::sort(*sort);
        if groups.last().is_none_or(|last| last.name != name) {
            let id = format!("topics-{}-{}-{}", sort.asks.word(), sort.kind.word(), sort.stage);
            groups.push(TopicGroup { id, name, ..TopicGroup::default() });
        }
        if let Some(group) = groups.last_mut() {
            group.all += 1;
            match extent.parts {
                parts if parts.left() == 0 => group.done.push(topic.to_string()),
                parts if parts.done == 0 && extent.held == 0 => group.waiting.push(topic.to_string()),
                parts => group.open.push((topic.to_string(), Bar::new(parts))),
            }
        }
    }
    groups
}
