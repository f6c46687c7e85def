//! The organiser's desk: what it shows and does, and that nobody else gets there.

use crate::common;

use assess::{Account, Asks, BatchPlan, NewGrade, Role, Standing};
use common::bureau::{Browser, Bureau, PASSWORD, START};
use lab::{PoolKind, Stage, Verdict};

const DAY: u32 = 86_400;

const PAGES: [&str; 10] = [
    "/desk",
    "/desk/now",
    "/desk/people",
    "/desk/batches",
    "/desk/batches/make?what=answers",
    "/desk/comments",
    "/desk/disagreements",
    "/desk/checks",
    "/desk/files",
    "/desk/log",
];

fn plan(kind: PoolKind, judges: u32) -> BatchPlan {
    BatchPlan {
        kind,
        set: "now".to_owned(),
        stage: Stage::Main,
        asks: Asks::Grades,
        judges,
        overlap: 0.0,
        at_most: None,
        gold: 0,
        seed: 7,
    }
}

fn make(bureau: &Bureau, kind: PoolKind, judges: u32) -> usize {
    let plan = plan(kind, judges);
    bureau.office().write(move |books| books.make_batches(&plan, "olga")).unwrap().len()
}

/// Takes the next batch and judges so many pages of it.
fn work(bureau: &Bureau, account: &Account, pages: usize, say: fn(usize) -> (Verdict, &'static str)) {
    let account = account.clone();
    bureau
        .office()
        .write(move |books| {
            let assignment = books.take(&account)?.unwrap();
            for line in books.tasks_of(account.number, assignment)?.iter().take(pages) {
                for part in books.show(account.number, assignment, line.task)?.parts {
                    let (verdict, comment) = say(line.place);
                    let new = NewGrade {
                        assignment,
                        part: part.part,
                        verdict,
                        comment: comment.to_owned(),
                        seconds: Some(12.0),
                        request: format!("request-of-part-{}", part.part),
                    };
                    books.judge(&account, &new)?;
                }
            }
            Ok(())
        })
        .unwrap();
}

fn good(_: usize) -> (Verdict, &'static str) {
    (Verdict::Grade(3), "")
}

fn bad(place: usize) -> (Verdict, &'static str) {
    if place == 1 { (Verdict::DoNotKnow, "I <b>cannot</b> tell") } else { (Verdict::Grade(0), "") }
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
    rest.split(after).next().unwrap()
}

async fn page(browser: &mut Browser, path: &str) -> String {
    let answer = browser.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer.text()
}

/// Sends a form, and gives the page to which it leads.
async fn done(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> String {
    let answer = browser.post(path, fields).await;
    assert_eq!(answer.status, 303, "{path}: {}", answer.text());
    let to = answer.header("location").to_owned();
    page(browser, &to).await
}

#[tokio::test]
async fn only_organisers_have_a_desk() {
    let bureau = Bureau::new("desk-closed");
    let mut olga = bureau.organiser("olga").await;
    let mut ada = bureau.assessor("ada").await;
    let mut nobody = bureau.browser();
    for path in PAGES.into_iter().chain(["/desk/files/judgments.csv", "/desk/adjudicate/1"]) {
        let answer = ada.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        let answer = nobody.get(path).await;
        assert_eq!(answer.status, 303, "{path}");
    }
    for path in PAGES {
        let text = page(&mut olga, path).await;
        assert!(!text.contains(" style="), "{path}");
        assert!(!text.contains("<style"), "{path}");
        assert!(!text.contains("<script>"), "{path}");
    }
    let before = bureau.rows(&["session"]);
    for path in [
        "/desk/last-day",
        "/desk/people/invite",
        "/desk/people/withdraw",
        "/desk/people/1/reset",
        "/desk/people/1/promote",
        "/desk/people/1/leave",
        "/desk/people/1/return",
        "/desk/batches",
        "/desk/batches/make",
        "/desk/comments/1",
        "/desk/adjudicate/1",
        "/desk/checks",
    ] {
        let fields = [
            ("recipient", "x"),
            ("as", "organiser"),
            ("invitation", "1"),
            ("verdict", "3"),
            ("what", "answers"),
        ];
        assert_eq!(ada.post(path, &fields).await.status, 404, "{path}");
        let forged: Vec<(&str, &str)> = fields.into_iter().chain([("csrf", "x")]).collect();
        assert_eq!(olga.post_bare(path, &forged).await.status, 403, "{path}");
    }
    assert_eq!(bureau.rows(&["session"]), before, "nothing was written");
}

#[tokio::test]
async fn the_overview_tells_how_far_it_is_and_when_it_ends() {
    let bureau = Bureau::new("desk-overview");
    let mut olga = bureau.organiser("olga").await;
    let text = page(&mut olga, "/desk").await;
    assert!(text.contains("No batches have been made yet"), "{text}");
    assert!(text.contains("of the pool are in no batch yet"), "{text}");
    let ada = bureau.account("ada", Role::Assessor, Standing::Active);
    let batches = make(&bureau, PoolKind::Answers, 1);
    assert_eq!(batches, 8);
    work(&bureau, &ada, 99, good);
    let text = page(&mut olga, "/desk/now").await;
    assert!(text.contains("Too early to tell when it is done"), "{text}");
    assert!(!text.contains("<html"), "a part of a page");
    bureau.pass(DAY);
    // Who was away for a day is not signed in any more.
    assert_eq!(olga.sign_in("olga", PASSWORD).await.status, 303);
    olga.open("/account").await;
    work(&bureau, &ada, 1, bad);
    let text = page(&mut olga, "/desk/now").await;
    assert!(text.contains("Done about "), "{text}");
    assert!(text.contains("At this pace the last is judged in"), "{text}");
    assert!(text.contains("1 comment") || text.contains("1\u{a0}comment"), "{text}");
    assert!(text.contains("<svg") && text.contains("Judgments so far"), "{text}");
    let last = done(&mut olga, "/desk/last-day", &[("day", "2023-11-20")]).await;
    assert!(last.contains("The last day of judging is set."), "{last}");
    assert!(last.contains("Late by") || last.contains("On time"), "{last}");
    let wrong = olga.post("/desk/last-day", &[("day", "yesterday")]).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("A day is written as"), "{}", wrong.text());
    assert_eq!(START / 86_400, 19_675, "14 November 2023");
}

#[tokio::test]
async fn people_are_invited_taken_on_and_leave() {
    let bureau = Bureau::new("desk-people");
    let mut olga = bureau.organiser("olga").await;
    let answer = olga
        .post("/desk/people/invite", &[("recipient", "Bob <bob@example.org>"), ("as", "applicant")])
        .await;
    assert_eq!(answer.status, 200);
    let text = answer.text();
    assert!(
        text.contains("Bob &#60;bob@example.org&#62;") || text.contains("Bob &lt;bob@example.org&gt;"),
        "{text}"
    );
    let link = between(&text, "readonly value=\"http://lab.example.org", "\"").to_owned();
    assert!(link.starts_with("/join/"), "{link}");
    assert!(!page(&mut olga, "/desk/people").await.contains(&link), "it is shown once");
    let mut bob = bureau.browser();
    bob.open(&link).await;
    assert_eq!(
        bob.post(&link, &[("name", "bob"), ("password", PASSWORD), ("again", PASSWORD)]).await.status,
        303
    );
    let text = page(&mut olga, "/desk/people").await;
    assert!(text.contains("Applicants"), "{text}");
    let (before, _) = text.split_once("/promote").unwrap();
    let number = before.rsplit('/').next().unwrap().to_owned();
    let text = done(&mut olga, &format!("/desk/people/{number}/promote"), &[]).await;
    assert!(text.contains("They can judge now."), "{text}");
    assert_eq!(olga.post(&format!("/desk/people/{number}/promote"), &[]).await.status, 422);
    let reset = olga.post(&format!("/desk/people/{number}/reset"), &[]).await;
    assert!(reset.text().contains("The link by which bob sets a new password"), "{}", reset.text());
    let invitation = between(&reset.text(), "name=\"invitation\" value=\"", "\"").to_owned();
    let text = done(&mut olga, "/desk/people/withdraw", &[("invitation", &invitation)]).await;
    assert!(text.contains("The link was withdrawn"), "{text}");

    make(&bureau, PoolKind::Answers, 1);
    let cy = bureau.account("cy", Role::Assessor, Standing::Active);
    let bob = bureau.office().read(|books| books.account_named("bob")).unwrap().unwrap();
    work(&bureau, &bob, 1, good);
    let to = cy.number.to_string();
    let text = done(&mut olga, &format!("/desk/people/{number}/leave"), &[("to", &to)]).await;
    assert!(text.contains("Handed over: 1\u{a0}batch; returned to the queue: 0\u{a0}batches."), "{text}");
    let held = bureau.office().read(move |books| books.work_of(cy.number)).unwrap();
    assert_eq!((held.len(), held[0].parts_done), (1, 1), "what bob judged stays");
    let text = done(&mut olga, &format!("/desk/people/{number}/return"), &[]).await;
    assert!(text.contains("They can come in and judge again."), "{text}");
    let own = olga.account.clone().unwrap().number.to_string();
    let only = olga.post(&format!("/desk/people/{own}/leave"), &[]).await;
    assert_eq!(only.status, 422);
    assert!(only.text().contains("only organiser"), "{}", only.text());
}

#[tokio::test]
async fn batches_are_previewed_made_given_and_taken_back() {
    let bureau = Bureau::new("desk-batches");
    let mut olga = bureau.organiser("olga").await;
    let ada = bureau.account("ada", Role::Assessor, Standing::Active);
    let asked = "/desk/batches/make?what=answers&judges=2&overlap=50&at_most=3&gold=0";
    let text = page(&mut olga, asked).await;
    assert!(text.contains("This would be made"), "{text}");
    assert!(bureau.office().read(|books| books.batches()).unwrap().is_empty(), "nothing is made by looking");
    let fields = [("what", "answers"), ("judges", "2"), ("overlap", "50"), ("at_most", "3"), ("gold", "0")];
    let text = done(&mut olga, "/desk/batches/make", &fields).await;
    assert!(text.contains("batches were made."), "{text}");
    let again = olga.post("/desk/batches/make", &fields).await;
    assert_eq!(again.status, 422);
    assert!(again.text().contains("are in batches or judged already"), "{}", again.text());
    for (name, value, told) in [
        ("judges", "9", "one to five"),
        ("judges", "x", "no whole number"),
        ("overlap", "900", "no share from 0 to 100"),
        ("what", "x", "Batches are made of"),
    ] {
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(known, old)| if *known == name { (name, value) } else { (*known, *old) })
            .collect();
        let answer = olga.post("/desk/batches/make", &fields).await;
        assert_eq!(answer.status, 422, "{name}={value}");
        assert!(answer.text().contains(told), "{}", answer.text());
    }
    let flags =
        done(&mut olga, "/desk/batches/make", &[("what", "flags"), ("judges", "1"), ("overlap", "0")]).await;
    assert!(flags.contains("questions afterwards"), "{flags}");

    let to = ada.number.to_string();
    let nothing = olga.post("/desk/batches", &[("action", "give"), ("to", &to)]).await;
    assert!(nothing.text().contains("Tick the batches first."), "{}", nothing.text());
    // One and two are copies of the same items: nobody gets both.
    let answer = olga
        .post(
            "/desk/batches",
            &[("action", "give"), ("to", &to), ("pick", "1"), ("pick", "2"), ("sure", "yes")],
        )
        .await;
    assert_eq!(answer.status, 422);
    assert!(
        answer.text().contains("Done for 1\u{a0}batch. Not done: batch 2: ada has or had"),
        "{}",
        answer.text()
    );
    let text =
        done(&mut olga, "/desk/batches", &[("action", "take"), ("pick", "1"), ("state", "waiting")]).await;
    assert!(text.contains("Done for 1\u{a0}batch."), "{text}");
    let text = done(
        &mut olga,
        "/desk/batches",
        &[("action", "withdraw"), ("pick", "1"), ("pick", "2"), ("sure", "yes")],
    )
    .await;
    assert!(text.contains("Done for 2\u{a0}batches."), "{text}");
    let text = page(&mut olga, "/desk/batches?kind=answers&stage=main&state=withdrawn").await;
    assert!(text.contains("all 2"), "{text}");
    for noted in
        ["olga: gave batch 1 to ada", "olga: took batch 1 back into the queue", "olga: withdrew batch 2"]
    {
        assert!(bureau.events().iter().any(|event| event == noted), "{:?}", bureau.events());
    }
}

#[tokio::test]
async fn comments_are_answered() {
    let bureau = Bureau::new("desk-comments");
    let mut olga = bureau.organiser("olga").await;
    let ada = bureau.account("ada", Role::Assessor, Standing::Active);
    make(&bureau, PoolKind::Answers, 1);
    work(&bureau, &ada, 2, bad);
    let text = page(&mut olga, "/desk/comments").await;
    assert!(!text.contains("<b>cannot</b>") && text.contains("cannot"), "{text}");
    let number = between(&text, "id=\"judgment-", "\"").to_owned();
    let path = format!("/desk/comments/{number}");
    let long = "x".repeat(2001);
    assert_eq!(olga.post(&path, &[("text", &long)]).await.status, 422);
    let text = done(&mut olga, &path, &[("text", "Have a <look> at the guide.")]).await;
    assert!(text.contains("Nothing is here."), "{text}");
    let text = page(&mut olga, "/desk/comments?show=dealt").await;
    assert!(text.contains("Have a &#60;look&#62; at") || text.contains("Have a &lt;look&gt; at"), "{text}");
    let seen = bureau.office().read(|books| books.replies_to("ada", 5)).unwrap();
    assert_eq!(seen.len(), 1);
    let text = done(&mut olga, &path, &[("action", "reopen"), ("show", "all")]).await;
    assert!(text.contains("The comment is open again."), "{text}");
    let look = page(&mut olga, &format!("/desk/adjudicate/{number}")).await;
    assert!(look.contains("Do not know"), "{look}");
    assert_eq!(olga.get("/desk/adjudicate/999999").await.status, 404);
}

#[tokio::test]
async fn disagreements_are_decided_one_after_the_other() {
    let bureau = Bureau::new("desk-differ");
    let mut olga = bureau.organiser("olga").await;
    let ada = bureau.account("ada", Role::Assessor, Standing::Active);
    let bob = bureau.account("bob", Role::Assessor, Standing::Active);
    make(&bureau, PoolKind::Answers, 2);
    work(&bureau, &ada, 3, good);
    work(&bureau, &bob, 3, bad);
    let text = page(&mut olga, "/desk/disagreements?far=line").await;
    assert!(text.contains("all that differ (3)") && text.contains("relevant or not (2)"), "{text}");
    assert!(text.contains(">Answer</a>") && !text.contains(">Answer "), "no id before the decision: {text}");
    let comments = page(&mut olga, "/desk/comments").await;
    assert!(comments.contains("cannot") && !comments.contains("<b>bob</b>"), "nor a name: {comments}");
    assert!(!comments.contains(">Answer 1"), "{comments}");
    let path = format!("/desk/adjudicate/{}", between(&text, "/desk/adjudicate/", "?"));
    let text = page(&mut olga, &format!("{path}?far=line")).await;
    assert!(text.contains("<b>First</b>") && !text.contains("<b>ada</b>"), "{text}");
    assert!(text.contains("<h1>Answer for A."), "no id before the decision, as in judging: {text}");
    assert!(text.contains(&format!("href=\"{path}/thread\"")) && !text.contains("href=\"/thread/"), "{text}");
    let thread = olga.get(&format!("{path}/thread")).await.status;
    assert!(thread == 200 || thread == 303, "{thread}");
    let wrong = olga.post(&path, &[("verdict", "unknown"), ("far", "line")]).await;
    assert_eq!(wrong.status, 422);
    assert_eq!(olga.post(&path, &[("verdict", "9"), ("far", "line")]).await.status, 422);
    assert_eq!(olga.post(&path, &[("verdict", "x"), ("far", "line")]).await.status, 400);
    let next = done(&mut olga, &path, &[("verdict", "2"), ("far", "line"), ("comment", "half of it")]).await;
    assert!(next.contains("1 to be decided"), "{next}");
    let second =
        format!("/desk/adjudicate/{}", between(&next, "method=\"post\" action=\"/desk/adjudicate/", "\""));
    let end = done(&mut olga, &second, &[("verdict", "0"), ("far", "line")]).await;
    assert!(end.contains("All of these are decided."), "{end}");
    let decided = page(&mut olga, "/desk/disagreements?decided=yes").await;
    assert!(decided.contains("Medium by olga") && decided.contains(">Answer "), "{decided}");
    let text = page(&mut olga, &path).await;
    assert!(text.contains("<b>ada</b>") && text.contains("half of it"), "names are told afterwards: {text}");
    let log = bureau.office().read(|books| Ok(books.lab().judgments(PoolKind::Answers, "now")?)).unwrap();
    assert_eq!(log.iter().filter(|row| row.said.stage == Stage::Adjudication).count(), 2);
    done(&mut olga, &path, &[("verdict", "withdrawn"), ("far", "line")]).await;
    let text = page(&mut olga, "/desk/disagreements?far=line").await;
    assert!(text.contains("relevant or not (1)"), "{text}");
}

#[tokio::test]
async fn colleagues_check_each_other() {
    let bureau = Bureau::new("desk-checks");
    let mut olga = bureau.organiser("olga").await;
    let early = olga.get("/desk/checks?kind=answers&topics=1").await;
    assert_eq!(early.status, 422);
    assert!(early.text().contains("two people at least"), "{}", early.text());
    let ada = bureau.account("ada", Role::Assessor, Standing::Active);
    let bob = bureau.account("bob", Role::Assessor, Standing::Active);
    make(&bureau, PoolKind::Answers, 1);
    work(&bureau, &ada, 99, good);
    work(&bureau, &bob, 99, bad);
    let text = page(&mut olga, "/desk/checks?kind=answers&topics=1").await;
    assert!(text.contains("This would be made"), "{text}");
    let text = done(&mut olga, "/desk/checks", &[("kind", "answers"), ("topics", "1")]).await;
    assert!(text.contains("2\u{a0}batches were made"), "{text}");
    assert_eq!(olga.post("/desk/checks", &[("kind", "answers"), ("topics", "1")]).await.status, 422);
    work(&bureau, &ada, 99, good);
    let text = page(&mut olga, "/desk/checks").await;
    assert!(text.contains("bob · ada"), "{text}");
    assert!(text.contains("cross-checked"), "{text}");
}

#[tokio::test]
async fn tables_are_taken_away() {
    let bureau = Bureau::new("desk-files");
    let mut olga = bureau.organiser("olga").await;
    let ada = bureau.account("ada", Role::Assessor, Standing::Active);
    make(&bureau, PoolKind::Answers, 1);
    work(&bureau, &ada, 2, |_| (Verdict::Grade(1), "=HYPERLINK(\"x\")"));
    for table in ["judgment-log", "judgments", "flags", "assignments", "agreement"] {
        for ending in ["csv", "tsv"] {
            let answer = olga.get(&format!("/desk/files/{table}.{ending}?set=now")).await;
            assert_eq!(answer.status, 200, "{table}.{ending}: {}", answer.text());
            let saved = answer.header("content-disposition").to_owned();
            assert!(
                saved.starts_with("attachment; filename=\"") && saved.ends_with(&format!(".{ending}\"")),
                "{saved}"
            );
        }
    }
    let csv = olga.get("/desk/files/judgment-log.csv").await.text();
    assert!(csv.contains("\"'=HYPERLINK(\"\"x\"\")\""), "{csv}");
    let tsv = olga.get("/desk/files/judgment-log.tsv").await.text();
    assert!(tsv.contains("\"=HYPERLINK(\"\"x\"\")\""), "{tsv}");
    assert_eq!(tsv.lines().count(), 3);
    for path in
        ["/desk/files/judgments.exe", "/desk/files/x.csv", "/desk/files/judgments", "/desk/files/..%2Flab.db"]
    {
        assert_eq!(olga.get(path).await.status, 404, "{path}");
    }
    assert_eq!(olga.get("/desk/files/judgments.csv?set=none").await.status, 422);
    let text = page(&mut olga, "/desk/log?who=olga").await;
    assert!(text.contains("took the table"), "{text}");
    assert!(text.contains("-judgment-log-2023-11-14.csv"), "{text}");
}

#[tokio::test]
async fn bulk_actions_ask_first_by_a_page_without_scripts() {
    let bureau = Bureau::new("desk-confirm");
    let mut olga = bureau.organiser("olga").await;
    let ada = bureau.account("ada", Role::Assessor, Standing::Active);
    make(&bureau, PoolKind::Answers, 1);
    let to = ada.number.to_string();
    let fields = [("action", "give"), ("to", to.as_str()), ("pick", "1"), ("pick", "3"), ("pick", "4")];
    let asked = olga.post("/desk/batches", &fields).await;
    assert_eq!(asked.status, 200);
    let text = asked.text();
    assert!(text.contains("<h1>Give 3\u{a0}batches to ada?</h1>"), "{text}");
    let held = |bureau: &Bureau| bureau.office().read(move |books| books.work_of(ada.number)).unwrap().len();
    assert_eq!(held(&bureau), 0, "nothing is done by asking");
    // The form of that page holds all that was sent.
    for field in
        ["name=\"sure\" value=\"yes\"", "name=\"action\" value=\"give\"", "name=\"pick\" value=\"4\""]
    {
        assert!(text.contains(field), "{field} is not in {text}");
    }
    assert!(text.contains(">Cancel</a>"), "{text}");
    let sure: Vec<(&str, &str)> = fields.into_iter().chain([("sure", "yes")]).collect();
    assert_eq!(olga.post("/desk/batches", &sure).await.status, 303);
    assert_eq!(held(&bureau), 3);
    for (action, question) in
        [("take", "Take 2\u{a0}batches back?"), ("withdraw", "Withdraw 2\u{a0}batches?")]
    {
        let asked = olga.post("/desk/batches", &[("action", action), ("pick", "1"), ("pick", "3")]).await;
        assert!(asked.text().contains(question), "{}", asked.text());
    }
    assert_eq!(held(&bureau), 3);
}

#[tokio::test]
async fn an_organiser_lands_on_the_desk_with_a_checklist_that_says_what_is_next() {
    let bureau = Bureau::new("desk-first-hour");
    let secret = bureau.invite(Role::Organiser, Standing::Active);
    let link = format!("/join/{}", secret.as_str());
    let mut olga = bureau.browser();
    olga.open(&link).await;
    let joined = olga.post(&link, &[("name", "olga"), ("password", PASSWORD), ("again", PASSWORD)]).await;
    assert_eq!((joined.status.as_u16(), joined.header("location")), (303, "/desk"));
    let text = page(&mut olga, "/desk").await;
    let list = between(&text, "id=\"checklist\"", "</ol>").to_owned();
    let names: Vec<&str> = list.split("<b>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    let expected = [
        "Topics",
        "Runs",
        "Pools",
        "People",
        "Training",
        "Batches",
        "Judging",
        "Agreement",
        "Qrels",
        "Report",
    ];
    assert_eq!(names, expected);
    let next = between(&list, "aria-current=\"step\"", "</li>").to_owned();
    assert!(next.contains("<b>People</b>") && next.contains("href=\"/desk/people\""), "{next}");
    // Pools whose items are in no batch are not called judged.
    assert!(!text.contains("Nothing is left to judge"), "{text}");
    assert!(text.contains("in no batch yet, so nobody can judge."), "{text}");
    // An assessor begins with their work.
    let link = format!("/join/{}", bureau.invite(Role::Assessor, Standing::Active).as_str());
    let mut ada = bureau.browser();
    ada.open(&link).await;
    let joined = ada.post(&link, &[("name", "ada"), ("password", PASSWORD), ("again", PASSWORD)]).await;
    assert_eq!(joined.header("location"), "/");
}

#[tokio::test]
async fn adjudication_has_the_keys_and_definitions_of_judging() {
    let bureau = Bureau::new("desk-keys");
    let mut olga = bureau.organiser("olga").await;
    let ada = bureau.account("ada", Role::Assessor, Standing::Active);
    let bob = bureau.account("bob", Role::Assessor, Standing::Active);
    make(&bureau, PoolKind::Answers, 2);
    work(&bureau, &ada, 3, good);
    work(&bureau, &bob, 3, bad);
    let list = page(&mut olga, "/desk/disagreements?far=line").await;
    let path = format!("/desk/adjudicate/{}", between(&list, "/desk/adjudicate/", "?"));
    let text = page(&mut olga, &path).await;
    let manifest = bureau.office().read(|books| Ok(books.manifest().clone())).unwrap();
    for grade in manifest.grades_of(formats::check::Task::Task1) {
        let key = format!("aria-keyshortcuts=\"{0}\"", grade.grade);
        assert!(text.contains(&key) && text.contains(&grade.definition), "{}: {text}", grade.name);
    }
    for key in ["f", "d"] {
        assert!(text.contains(&format!("aria-keyshortcuts=\"{key}\"")), "{text}");
    }
    // The lab has Task 3: before the decision nothing tells a post from an answer that a system wrote.
    assert!(!text.contains("Given to:"), "{text}");
    done(&mut olga, &path, &[("verdict", "2")]).await;
    let text = page(&mut olga, &path).await;
    assert!(text.contains("Given to:"), "an answer shows the title of its own question: {text}");
}
