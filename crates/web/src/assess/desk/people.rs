//! Who is here: invited, taken on, gone.

use super::{Flash, Pairs, with_flash, words};
use crate::assess::{Answer, AssessApp, AssessError, Checked, Organiser, Person, see};
use crate::view::count;
use askama::Template;
use assess::school::LessonResults;
use assess::{
    Account, AccountNo, Books, INVITATION_LIFE, Invitation, InvitationNo, Invited, NewInvitation, Role,
    Standing,
};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A link for a new password can be used for so long, in seconds.
const RESET_LIFE: i64 = 2 * 24 * 3600;

#[derive(Template)]
#[template(path = "assess/desk/people.html")]
struct PeoplePage {
    person: Person,
    flash: Flash,
    /// A link that is shown this once.
    link: Option<LinkView>,
    groups: Vec<Group>,
    colleagues: Vec<(AccountNo, String)>,
    invitations: Vec<InvitationView>,
    /// What was typed for whom, to be typed no second time.
    recipient: String,
}

impl PeoplePage {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "people"
    }
}

/// A link that is shown once.
#[derive(Clone, Debug)]
struct LinkView {
    title: String,
    address: String,
    until: String,
}

struct Group {
    title: &'static str,
    people: Vec<PersonRow>,
}

struct PersonRow {
    number: AccountNo,
    name: String,
    since: String,
    seen: String,
    work: String,
    /// What they have now, so that it is known what happens when they leave.
    open: usize,
    sample: Vec<String>,
    is_applicant: bool,
    has_left: bool,
    is_self: bool,
}

struct InvitationView {
    number: InvitationNo,
    recipient: String,
    what: String,
    made: String,
    until: String,
}

/// The page.
pub(super) async fn people(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Query(pairs): Query<Pairs>,
) -> Answer {
    let batches = |name: &str| count(pairs.number(name).unwrap_or(0), "batch", "batches");
    let news = match pairs.get("done") {
        "withdrawn" => "The link was withdrawn and cannot be used any more.".to_owned(),
        "promoted" => "They can judge now.".to_owned(),
        "left" => format!(
            "They have left. Handed over: {}; returned to the queue: {}.",
            batches("handed"),
            batches("returned")
        ),
        "back" => "They can come in and judge again.".to_owned(),
        _ => String::new(),
    };
    show(&app, person, Flash::done(news), None, String::new()).await
}

async fn show(
    app: &AssessApp,
    person: Person,
    flash: Flash,
    link: Option<LinkView>,
    recipient: String,
) -> Answer {
    let said = flash.clone();
    let made = app.read(move |books| draw(books, person, flash, link, recipient));
    with_flash(&made.await?, &said)
}

fn draw(
    books: &Books<'_>,
    person: Person,
    flash: Flash,
    link: Option<LinkView>,
    recipient: String,
) -> assess::Result<PeoplePage> {
    let now = books.now();
    let accounts = books.accounts()?;
    let samples = books.sample_scores()?;
    let progress: BTreeMap<AccountNo, _> =
        books.progress()?.people.into_iter().map(|one| (one.account.number, one)).collect();
    let row = |account: &Account| {
        let far = progress.get(&account.number);
        PersonRow {
            number: account.number,
            name: account.name.clone(),
            since: words::moment(account.made_at).split(' ').next().unwrap_or_default().to_owned(),
            seen: far.and_then(|far| far.seen).map_or_else(|| "–".to_owned(), |seen| words::ago(now, seen)),
            work: far.map_or_else(String::new, |far| {
                let mut work = format!("{} judged", far.done);
                if far.batches > 0 {
                    work = format!(
                        "{work}, {} of {} left in {}",
                        far.open.left(),
                        far.open.all,
                        count(far.batches, "batch", "batches")
                    );
                }
                work
            }),
            open: far.map_or(0, |far| far.batches),
            sample: samples.iter().filter_map(|results| sample(results, account)).collect(),
            is_applicant: account.standing == Standing::Applicant,
            has_left: account.standing == Standing::Left,
            is_self: account.number == person.account.number,
        }
    };
    let of = |wanted: &dyn Fn(&Account) -> bool| -> Vec<PersonRow> {
        accounts.iter().filter(|account| wanted(account)).map(row).collect()
    };
    let groups = [
        Group { title: "Applicants", people: of(&|account| account.standing == Standing::Applicant) },
        Group {
            title: "Assessors",
            people: of(&|account| account.standing == Standing::Active && !account.is_organiser()),
        },
        Group {
            title: "Organisers",
            people: of(&|account| account.standing == Standing::Active && account.is_organiser()),
        },
        Group { title: "Left", people: of(&|account| account.standing == Standing::Left) },
    ];
    let colleagues = accounts.iter().filter(|account| account.standing == Standing::Active);
    let colleagues = colleagues.map(|account| (account.number, account.name.clone())).collect();
    let invitations = books.open_invitations()?.iter().map(|one| invitation(one, now)).collect();
    let groups = groups.into_iter().filter(|group| !group.people.is_empty()).collect();
    Ok(PeoplePage { person, flash, link, groups, colleagues, invitations, recipient })
}

/// What came of an applicant's sample work.
fn sample(results: &LessonResults, account: &Account) -> Option<String> {
    if account.standing != Standing::Applicant {
        return None;
    }
    let own = results.pupils.iter().find(|pupil| pupil.account == Some(account.number))?;
    let with = &own.with_known;
    Some(format!(
        "{}: {} of {} judged, {} with the known grade, kappa {} ({} by relevant or not)",
        words::kind(results.lesson.key.kind),
        own.judged,
        own.of,
        with.exact.map_or_else(|| "–".to_owned(), words::percent),
        words::decimals(with.kappa),
        words::decimals(with.binary),
    ))
}

fn invitation(one: &Invitation, now: i64) -> InvitationView {
    InvitationView {
        number: one.number,
        recipient: one.recipient.clone(),
        what: match (one.resets, one.role, one.standing) {
            (Some(_), ..) => "a new password".to_owned(),
            (None, Role::Organiser, _) => "organiser".to_owned(),
            (None, Role::Assessor, Standing::Applicant) => "applicant".to_owned(),
            (None, Role::Assessor, _) => "assessor".to_owned(),
        },
        made: format!("{} by {}", words::ago(now, one.made_at), one.made_by),
        until: words::until(now, one.expires_at),
    }
}

#[derive(Deserialize)]
pub(super) struct Invite {
    recipient: String,
    #[serde(rename = "as")]
    whom: String,
}

/// Makes a link, and shows it this once: it is kept nowhere.
pub(super) async fn invite(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    headers: HeaderMap,
    Checked(sent): Checked<Invite>,
) -> Answer {
    let (role, standing) = match sent.whom.as_str() {
        "assessor" => (Role::Assessor, Standing::Active),
        "applicant" => (Role::Assessor, Standing::Applicant),
        "organiser" => (Role::Organiser, Standing::Active),
        _ => {
            return Err(AssessError::BadRequest(
                "somebody is invited as assessor, applicant or organiser".to_owned(),
            ));
        }
    };
    let (by, recipient) = (person.account.name.clone(), sent.recipient.trim().to_owned());
    let new = NewInvitation { recipient: recipient.clone(), role, standing, life: INVITATION_LIFE };
    match app.write(move |books| books.invite(&new, &by)).await {
        Ok(invited) => {
            let title = format!("The link for {recipient}");
            let link = link(&app, &headers, title, &invited);
            show(&app, person, Flash::default(), Some(link), String::new()).await
        }
        Err(error) => show(&app, person, Flash::refused(error)?, None, recipient).await,
    }
}

/// Makes a link for a new password.
pub(super) async fn reset(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path(account): Path<i64>,
    headers: HeaderMap,
    Checked(_): Checked<Pairs>,
) -> Answer {
    let by = person.account.name.clone();
    let made = app.write(move |books| {
        let invited = books.reset_link(AccountNo(account), RESET_LIFE, &by)?;
        Ok((invited, books.account(AccountNo(account))?.name))
    });
    match made.await {
        Ok((invited, name)) => {
            let link =
                link(&app, &headers, format!("The link by which {name} sets a new password"), &invited);
            show(&app, person, Flash::default(), Some(link), String::new()).await
        }
        Err(error) => show(&app, person, Flash::refused(error)?, None, String::new()).await,
    }
}

fn link(app: &AssessApp, headers: &HeaderMap, title: String, invited: &Invited) -> LinkView {
    let until = words::moment(invited.expires_at);
    LinkView { title, address: format!("{}{}", own_address(app, headers), invited.path()), until }
}

/// How people reach the server: as it was told, else as the browser of the organiser did.
fn own_address(app: &AssessApp, headers: &HeaderMap) -> String {
    if let Some(address) = &app.config().address {
        return address.trim_end_matches('/').to_owned();
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let forwarded = text("x-forwarded-host").filter(|_| app.config().trust_proxy);
    let host = forwarded.or(text(header::HOST.as_str())).unwrap_or("localhost");
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    let host = if host.bytes().all(plain) { host } else { "localhost" };
    format!("{}://{host}", if app.config().behind_https { "https" } else { "http" })
}

#[derive(Deserialize)]
pub(super) struct Withdraw {
    invitation: i64,
}

/// Withdraws a link.
pub(super) async fn withdraw(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Checked(sent): Checked<Withdraw>,
) -> Answer {
    let by = person.account.name.clone();
    match app.write(move |books| books.withdraw_invitation(InvitationNo(sent.invitation), &by)).await {
        Ok(()) => Ok(see("/desk/people?done=withdrawn")),
        Err(error) => show(&app, person, Flash::refused(error)?, None, String::new()).await,
    }
}

/// Takes an applicant on.
pub(super) async fn promote(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path(account): Path<i64>,
    Checked(_): Checked<Pairs>,
) -> Answer {
    let by = person.account.name.clone();
    match app.write(move |books| books.promote(AccountNo(account), &by)).await {
        Ok(_) => Ok(see("/desk/people?done=promoted")),
        Err(error) => show(&app, person, Flash::refused(error)?, None, String::new()).await,
    }
}

/// Lets somebody leave, and gives what they had to a colleague or to the queue.
pub(super) async fn leave(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path(account): Path<i64>,
    Checked(sent): Checked<Pairs>,
) -> Answer {
    let by = person.account.name.clone();
    let to = sent.number("to").map(AccountNo);
    match app.write(move |books| books.leave(AccountNo(account), to, &by)).await {
        Ok(leaving) => {
            let (handed, returned) = (leaving.handed, leaving.returned);
            Ok(see(&format!("/desk/people?done=left&handed={handed}&returned={returned}")))
        }
        Err(error) => show(&app, person, Flash::refused(error)?, None, String::new()).await,
    }
}

/// Lets somebody who has left come in again.
pub(super) async fn come_back(
    State(app): State<AssessApp>,
    Organiser(person): Organiser,
    Path(account): Path<i64>,
    Checked(_): Checked<Pairs>,
) -> Answer {
    let by = person.account.name.clone();
    match app.write(move |books| books.set_standing(AccountNo(account), Standing::Active, &by)).await {
        Ok(_) => Ok(see("/desk/people?done=back")),
        Err(error) => show(&app, person, Flash::refused(error)?, None, String::new()).await,
    }
}
