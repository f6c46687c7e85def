//! Judging page by page, with and without the script: nothing is lost, nothing counts twice, and nobody sees or
//! changes the work of others.

use crate::common;

use assess::{Asks, AssignmentNo, BatchPlan, Role, Standing};
use axum::body::Body;
use axum::http::{Request, header};
use common::Answer;
use common::bureau::{Browser, Bureau, encoded, patient};
use common::judging::{give_out, plan};
use lab::PoolKind;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A person with a batch of each kind: answers, formulas, flags.
struct Desk {
    bureau: Bureau,
    browser: Browser,
    batches: [AssignmentNo; 3],
}

async fn desk(name: &str) -> Desk {
    desk_of(Bureau::new(name)).await
}

async fn desk_of(bureau: Bureau) -> Desk {
    let people = give_out(&bureau);
    let (account, batches) = people.into_iter().next().unwrap();
    let signed_in = bureau.office().welcome(&account, bureau.app.config().sessions).unwrap();
    let mut browser = bureau.browser();
    browser.cookies.insert("hypatia".to_owned(), signed_in.secret.as_str().to_owned());
    browser.account = Some(account);
    browser.open("/account").await;
    Desk { bureau, browser, batches }
}

impl Desk {
    /// The address of the next page of a batch.
    async fn next(&mut self, kind: usize) -> String {
        let answer = self.browser.get(&format!("/batch/{}/next", self.batches[kind])).await;
        assert_eq!(answer.status, 303);
        answer.header("location").to_owned()
    }

    async fn open(&mut self, path: &str) -> String {
        let answer = self.browser.open(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.text()
    }

    /// Sends as the script does.
    async fn send(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body: Vec<String> =
            fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json")
            .header("x-csrf", &self.browser.csrf)
            .body(Body::from(body.join("&")));
        self.browser.send(request.unwrap()).await
    }

    /// How many judgments there are.
    fn judgments(&self) -> usize {
        self.bureau.rows(&[])["judgment"].len()
    }
}

/// The values of an attribute or a hidden field, in order.
fn values<'a>(page: &'a str, mark: &str) -> Vec<&'a str> {
    page.split(mark).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

fn parts(page: &str) -> Vec<&str> {
    values(page, "data-part=\"").into_iter().collect::<Vec<_>>()
}

/// What a form of the page holds for a part, with something more.
fn fields<'a>(page: &'a str, place: usize, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let form =
        page.split("<form class=\"").filter(|form| form.starts_with("grades") || form.starts_with("flags"));
    let form = form.clone().nth(place).unwrap();
    let field = |name: &str| values(form, &format!("name=\"{name}\" value=\""))[0];
    let mut all: Vec<(&str, &str)> = vec![
        ("assignment", field("assignment")),
        ("task", field("task")),
        ("part", field("part")),
        ("request", field("request")),
    ];
    all.extend(more);
    all
}

fn pressed(page: &str) -> Vec<&str> {
    let buttons =
        page.split("<button class=\"").skip(1).filter(|button| button.contains("aria-pressed=\"true\""));
    buttons.map(|button| values(button, "value=\"")[0]).collect()
}

#[tokio::test]
async fn a_batch_is_judged_by_forms_alone() {
    let mut desk = desk("judging-forms").await;
    let home = desk.open("/").await;
    assert!(home.contains("Your batches") && home.contains("0 of 5 judged"), "{home}");
    let batch = format!("/batch/{}", desk.batches[0]);
    let mut path = desk.next(0).await;
    for step in 0.. {
        let page = desk.open(&path).await;
        assert!(page.contains(&format!("{step} of 5 in this batch")), "{page}");
        for harmful in ["<script>alert", "<img", "onerror=alert(2)>"] {
            assert!(!page.contains(harmful), "{harmful} in {page}");
        }
        let sent = fields(&page, 0, &[("verdict", "2"), ("comment", ""), ("seconds", "12.5")]);
        let answer = desk.browser.post("/judge", &sent).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        path = answer.header("location").to_owned();
        if path == batch {
            break;
        }
        assert!(step < 5, "there is no end");
    }
    let done = desk.open(&batch).await;
    assert!(done.contains("All of it is judged"), "{done}");
    assert_eq!(desk.judgments(), 5);
    let home = desk.open("/").await;
    assert!(
        home.contains("<dd>5 <small>12 s each</small></dd>")
            || home.contains("<dd>5 <small>13 s each</small></dd>"),
        "{home}"
    );
}

#[tokio::test]
async fn minds_are_changed_and_things_taken_back() {
    let mut desk = desk("judging-changes").await;
    let path = desk.next(0).await;
    for verdict in ["3", "0"] {
        let page = desk.open(&path).await;
        let sent = fields(&page, 0, &[("verdict", verdict), ("comment", "<b>hm</b>")]);
        assert_eq!(desk.browser.post("/judge", &sent).await.status, 303);
    }
    let page = desk.open(&path).await;
    assert_eq!(pressed(&page), ["0"]);
    assert!(page.contains("&#60;b&#62;hm") || page.contains("&lt;b&gt;hm"), "{page}");
    assert!(page.contains("Said 2 times"), "{page}");
    let history = desk.open(&format!("/history/{}", parts(&page)[0])).await;
    assert!(history.contains("<b>High</b>") && history.contains("<b>Not relevant</b>"), "{history}");
    for expected in [vec!["3"], vec![]] {
        let page = desk.open(&path).await;
        let form = page.split("id=\"undo\"").nth(1).unwrap();
        let [assignment, request] =
            ["assignment", "request"].map(|name| values(form, &format!("name=\"{name}\" value=\""))[0]);
        let answer = desk.browser.post("/undo", &[("assignment", assignment), ("request", request)]).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (303, path.as_str()));
        let page = desk.open(&path).await;
        assert_eq!(pressed(&page), expected);
    }
    // There is nothing else to take back.
    let fields = [("assignment", desk.batches[0].to_string()), ("request", "x".repeat(20))];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(desk.send("/undo", &fields).await.json()["task"], Value::Null);
}

#[tokio::test]
async fn what_is_sent_twice_counts_once() {
    let mut desk = desk("judging-twice").await;
    let path = desk.next(0).await;
    let page = desk.open(&path).await;
    let sent = fields(&page, 0, &[("verdict", "1"), ("seconds", "4")]);
    let first = desk.send("/judge", &sent).await;
    assert_eq!(first.status, 200, "{}", first.text());
    assert_eq!(first.json(), serde_json::json!({ "again": false, "task_done": true, "batch_done": false }));
    for _ in 0..3 {
        assert_eq!(desk.send("/judge", &sent).await.json()["again"], true);
    }
    assert_eq!(desk.browser.post("/judge", &sent).await.status, 303);
    assert_eq!(desk.judgments(), 1);
}

#[tokio::test]
async fn a_comment_is_asked_for_and_what_was_typed_stays() {
    let mut desk = desk("judging-comment").await;
    let path = desk.next(0).await;
    let page = desk.open(&path).await;
    let sent = fields(&page, 0, &[("verdict", "unknown"), ("comment", "  ")]);
    let refused = desk.browser.post("/judge", &sent).await;
    assert_eq!(refused.status, 422);
    let text = refused.text();
    assert!(text.contains("Do not know is saved when there is a comment."), "{text}");
    assert!(text.contains("role=\"alert\">Please say in a comment"), "{text}");
    assert_eq!(desk.judgments(), 0);
    let sent = fields(&page, 0, &[("verdict", "unknown"), ("comment", " ")]);
    let told = desk.send("/judge", &sent).await;
    assert_eq!(told.status, 422);
    assert!(told.json()["error"].as_str().unwrap().contains("comment"), "{}", told.text());
    let long = "long ".repeat(1000);
    let sent = fields(&page, 0, &[("verdict", "3"), ("comment", &long)]);
    let refused = desk.browser.post("/judge", &sent).await;
    assert!(refused.status == 422 && refused.text().contains("long long long"), "{}", refused.text());
    let sent = fields(&page, 0, &[("verdict", "failure"), ("comment", "the formula is cut")]);
    assert_eq!(desk.browser.post("/judge", &sent).await.status, 303);
    let page = desk.open(&path).await;
    assert_eq!(pressed(&page), ["failure"]);
    assert!(page.contains(">the formula is cut</textarea>"), "{page}");
}

#[tokio::test]
async fn what_is_skipped_comes_last() {
    let mut desk = desk("judging-skip").await;
    let first = desk.next(0).await;
    let page = desk.open(&first).await;
    let form = page.split("class=\"skip-item\"").nth(1).unwrap();
    let [assignment, task] =
        ["assignment", "task"].map(|name| values(form, &format!("name=\"{name}\" value=\""))[0]);
    let answer = desk.browser.post("/skip", &[("assignment", assignment), ("task", task)]).await;
    assert_eq!(answer.status, 303);
    assert_ne!(answer.header("location"), first);
    let list = desk.open(&format!("/batch/{assignment}")).await;
    assert_eq!(list.matches("<li class=\"skipped\">").count(), 1, "{list}");
    for _ in 0..4 {
        let path = desk.next(0).await;
        assert_ne!(path, first);
        let page = desk.open(&path).await;
        let sent = fields(&page, 0, &[("verdict", "0")]);
        assert_eq!(desk.send("/judge", &sent).await.status, 200);
    }
    assert_eq!(desk.next(0).await, first);
}

#[tokio::test]
async fn two_questions_are_answered() {
    let mut desk = desk("judging-flags").await;
    let path = desk.next(2).await;
    let page = desk.open(&path).await;
    assert!(page.contains("Does this answer look machine-generated?"), "{page}");
    assert!(!page.contains("name=\"verdict\""), "{page}");
    let sent = fields(&page, 0, &[("machine", "yes"), ("unrelated", "open")]);
    let answer = desk.browser.post("/flag", &sent).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let page = desk.open(&path).await;
    assert!(page.contains("name=\"machine\" value=\"yes\" checked"), "{page}");
    assert!(page.contains("name=\"unrelated\" value=\"open\" checked"), "{page}");
    let wrong = fields(&page, 0, &[("machine", "perhaps")]);
    assert_eq!(desk.send("/flag", &wrong).await.status, 400);
    let grade = fields(&page, 0, &[("verdict", "3")]);
    assert_eq!(desk.send("/judge", &grade).await.status, 422);
}

#[tokio::test]
async fn formulas_are_judged_post_by_post() {
    let mut desk = desk("judging-formulas").await;
    let mut seen = 0;
    loop {
        let path = desk.next(1).await;
        if path.starts_with("/batch/") {
            break;
        }
        let page = desk.open(&path).await;
        assert!(
            page.contains("Formula that was found") && page.contains("Formula that is looked for"),
            "{page}"
        );
        let numbers = values(&page, "<article class=\"part\" id=\"part-");
        let asked = page.split("<section class=\"pane found-pane\"").next().unwrap();
        assert_eq!(
            asked.matches("math-container hit").count() + asked.matches("block hit").count(),
            1,
            "{asked}"
        );
        for (place, number) in numbers.iter().enumerate() {
            let part = page
                .split(&format!("id=\"part-{number}\""))
                .nth(1)
                .unwrap()
                .split("</article>")
                .next()
                .unwrap();
            assert_eq!(part.matches(" hit\"").count(), 1, "{part}");
            let sent = fields(&page, place, &[("verdict", "2")]);
            let answer = desk.browser.post("/judge", &sent).await;
            assert_eq!(answer.status, 303, "{}", answer.text());
            let last = place + 1 == numbers.len();
            assert_eq!(answer.header("location").contains("#part-"), !last, "{}", answer.header("location"));
            seen += 1;
        }
    }
    assert!(seen >= 3, "{seen}");
}

#[tokio::test]
async fn the_work_of_others_is_not_there() {
    let mut desk = desk("judging-others").await;
    let path = desk.next(0).await;
    let page = desk.open(&path).await;
    let part = parts(&page)[0].to_owned();
    let sent = fields(&page, 0, &[("verdict", "3")]);
    let before = desk.bureau.rows(&["session", "event"]);
    let mut other = desk.bureau.person("zoe", Role::Assessor, Standing::Active).await;
    let mut nobody = desk.bureau.browser();
    let before_zoe = desk.bureau.rows(&["session", "event"]);
    assert_eq!(before["judgment"], before_zoe["judgment"]);
    let batch = format!("/batch/{}", desk.batches[0]);
    for path in [path.clone(), batch.clone(), format!("{batch}/next"), format!("/history/{part}")] {
        assert_eq!(other.get(&path).await.status, 404, "{path}");
        assert_eq!(nobody.get(&path).await.status, 303, "{path}");
    }
    assert_eq!(other.post("/judge", &sent).await.status, 404);
    let assignment = desk.batches[0].to_string();
    assert_eq!(
        other.post("/undo", &[("assignment", &assignment), ("request", &"r".repeat(20))]).await.status,
        404
    );
    assert_eq!(other.post(&format!("{batch}/give-back"), &[]).await.status, 404);
    // Without the right token nothing happens, either.
    let csrf = std::mem::take(&mut desk.browser.csrf);
    assert_eq!(desk.browser.post("/judge", &sent).await.status, 403);
    desk.browser.csrf = csrf;
    assert_eq!(desk.bureau.rows(&["session", "event"]), before_zoe);
}

#[tokio::test]
async fn batches_are_taken_and_given_back() {
    let bureau = Bureau::new("judging-take");
    let mut browser = bureau.assessor("ada").await;
    let empty = browser.open("/").await.text();
    assert!(empty.contains("none waits"), "{empty}");
    assert_eq!(browser.post("/take", &[]).await.header("location"), "/");
    let batches = plan(PoolKind::Answers, assess::Asks::Grades);
    bureau.office().write(move |books| books.make_batches(&batches, "tester")).unwrap();
    let home = browser.open("/").await.text();
    assert!(home.contains("Take the next batch") && home.contains("8\u{A0}batches wait"), "{home}");
    let taken = browser.post("/take", &[]).await.header("location").to_owned();
    let batch = taken.strip_suffix("/next").unwrap().to_owned();
    let page = browser.open(&batch).await.text();
    assert!(page.contains("Begin") && page.contains("3 days left"), "{page}");
    // Time is up: it is told, and what is judged is kept.
    bureau.pass(4 * 24 * 3600);
    let page = browser.open(&batch).await;
    if page.status == 200 {
        assert!(page.text().contains("Judge something to keep it"), "{}", page.text());
    }
    bureau.office().write(|books| books.expire()).unwrap();
    let path = browser.sign_in("ada", common::bureau::PASSWORD).await;
    assert_eq!(path.status, 303);
    let first = browser.get(&taken).await.header("location").to_owned();
    let page = browser.open(&first).await.text();
    assert!(page.contains("returned to the queue"), "{page}");
    let sent = fields(&page, 0, &[("verdict", "3")]);
    assert_eq!(browser.post("/judge", &sent).await.status, 303);
    let given = browser.post(&format!("{batch}/give-back"), &[]).await;
    assert_eq!((given.status.as_u16(), given.header("location")), (303, "/"));
    assert!(browser.open("/").await.text().contains("given back"));
    assert_eq!(bureau.rows(&[])["judgment"].len(), 1);
}

#[tokio::test]
async fn guide_and_threads() {
    let mut desk = desk("judging-guide").await;
    let guide = desk.open("/guide").await;
    for part in [
        "Answers the whole question by itself.",
        "As good as finding the very formula",
        "System failure",
        "Do not know",
        "not followed",
        "Judge as an expert would",
        "an answer is High only if it covers all of them",
        "anything behind links that lead out of the collection",
    ] {
        assert!(guide.contains(part), "{part} is not in {guide}");
    }
    let path = desk.next(1).await;
    let page = desk.open(&path).await;
    assert!(page.contains("A formula identical to the query formula can be less relevant"), "{page}");
    let link = values(&page, "class=\"to-thread\" href=\"")[0];
    let thread = desk.browser.get(link).await.header("location").to_owned();
    let shown = desk.open(thread.split('#').next().unwrap()).await;
    assert!(shown.contains("class=\"thread\"") && shown.contains(" hit\""), "{shown}");
    assert!(!shown.contains("href=\"/formula/") && !shown.contains("href=\"/search"), "{shown}");
    for path in [
        "/thread/0",
        "/thread/..%2F..%2Flab.toml",
        "/thread/%2Fetc%2Fpasswd",
        "/thread/%00",
        "/thread/1%27",
        "/task/1/x",
        "/batch/99",
        "/history/99999",
    ] {
        let answer = desk.browser.get(path).await;
        assert!(answer.status == 404 || answer.status == 400, "{path}: {}", answer.status);
    }
    assert_eq!(desk.bureau.browser().get("/thread/1").await.status, 303);
}

/// What a page shows of an item, without what belongs to the request: numbers of rows and one-time secrets.
fn shape(page: &str) -> String {
    let article = page.split("<article").nth(1).unwrap().split("</article>").next().unwrap();
    let (head, rest) = article.split_once("</header>").unwrap();
    let form = &rest[rest.find("<form").unwrap()..];
    let secret = values(form, "name=\"request\" value=\"")[0];
    let plain = format!("{head}{form}").replace(secret, "");
    plain.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// The addresses of the pages that the list of a batch leads to.
fn pages_of(list: &str, assignment: AssignmentNo) -> BTreeSet<String> {
    let mark = format!("href=\"/task/{assignment}/");
    values(list, &mark).into_iter().map(|task| format!("/task/{assignment}/{task}")).collect()
}

#[tokio::test]
async fn judging_is_blind_to_where_an_answer_comes_from() {
    let mut desk = desk("judging-blind").await;
    let ids: Vec<String> = sample::task1().iter().map(|judgment| judgment.item.to_owned()).collect();
    // One batch of grades, and one that asks of all answers whether they look machine-made.
    let account = desk.browser.account.clone().unwrap().number;
    let flags = desk.bureau.office().write(move |books| {
        for line in books.batches()? {
            if line.batch.asks == Asks::Flags {
                books.withdraw(line.batch.number, "tester")?;
            }
        }
        let all = BatchPlan { overlap: 1.0, ..plan(PoolKind::Answers, Asks::Flags) };
        let made = books.make_batches(&all, "tester")?;
        books.assign(made[3], account, "tester")
    });
    for assignment in [desk.batches[0], flags.unwrap()] {
        let list = desk.open(&format!("/batch/{assignment}")).await;
        let pages = pages_of(&list, assignment);
        assert_eq!(pages.len(), 5);
        assert_eq!(list.matches("<span class=\"name\">Answer</span>").count(), 5, "{list}");
        let (mut shapes, mut written) = (BTreeSet::new(), 0);
        for path in &pages {
            let page = desk.open(path).await;
            let found = page.split("found-pane").nth(1).unwrap();
            shapes.insert(shape(&page));
            written += usize::from(found.contains("&lt;script&gt;alert(1)"));
            assert!(!found.contains("href=\"/thread/"), "{found}");
            assert!(!found.contains("data-visual-id"), "written answers have none: {found}");
            for id in &ids {
                for name in ["Answer", "Post"] {
                    assert!(!found.contains(&format!("{name} {id}")), "{found}");
                }
            }
        }
        assert_eq!(shapes.len(), 1, "a post and a written answer look the same: {shapes:#?}");
        assert_eq!(written, 1, "one of them was written by a system");
    }
}

/// The longest part of a title without formulas.
fn words_of(title: &str) -> &str {
    title.split('$').step_by(2).max_by_key(|part| part.len()).unwrap().trim()
}

/// In a lab with Task 3 a title would tell posts from answers that systems wrote; in others it says what was asked.
#[tokio::test]
async fn a_judged_answer_shows_the_title_of_its_own_question_where_systems_write_none() {
    let mut titles = BTreeMap::new();
    for text in sample::threads().iter().map(|part| part.text) {
        let mut title = "";
        for line in text.lines() {
            title = line.strip_prefix("title: ").unwrap_or(title);
            if let Some(answer) = line.strip_prefix("--- answer ") {
                titles.insert(answer.trim(), words_of(title));
            }
        }
    }
    let bureau = Bureau::of_tasks("judging-given-to", patient(), &[1, 2]);
    let mut ada = bureau.assessor("ada").await;
    let account = ada.account.clone().unwrap().number;
    let given = bureau.office().write(move |books| {
        let made = books.make_batches(&plan(PoolKind::Answers, Asks::Grades), "tester")?[0];
        let topic = books.batches()?.into_iter().find(|line| line.batch.number == made).unwrap().batch.topic;
        Ok((topic, books.assign(made, account, "tester")?))
    });
    let (topic, assignment) = given.unwrap();
    let items = sample::task1().into_iter().filter(|judgment| judgment.topic == topic.as_str()).take(4);
    let mut expected: Vec<&str> = items.map(|judgment| titles[judgment.item]).collect();
    let list = ada.open(&format!("/batch/{assignment}")).await.text();
    let mut shown = Vec::new();
    for path in pages_of(&list, assignment) {
        let page = ada.open(&path).await.text();
        let title = page.split("Given to: ").nth(1).expect("the title").split("</p>").next().unwrap();
        let title = title.replace("&#39;", "'").replace("&#x27;", "'");
        shown.push(*expected.iter().find(|words| title.contains(**words)).expect(&title));
    }
    expected.sort_unstable();
    shown.sort_unstable();
    assert_eq!(shown, expected);
}

/// The question of topic A.1 with an answer and a comment that were posted after the collection was made.
const LATER: &str = r#"{"kind":"question","id":"A.1","title":"The question","body":"Is it so?","tags":["late-tag"]}
{"kind":"answer","id":"later","parent":"A.1","body":"A later answer."}
{"kind":"comment","id":"c1","post":"later","body":"A later comment."}
"#;

#[tokio::test]
async fn the_question_has_a_thread_link_to_later_answers_comments_and_tags() {
    let mut desk = desk_of(Bureau::with_topic_threads("judging-topic-thread", LATER)).await;
    let path = desk.next(0).await;
    let page = desk.open(&path).await;
    assert!(page.contains("Question A.1"), "{page}");
    let asked = page.split("asked-pane").nth(1).unwrap().split("found-pane").next().unwrap();
    let link = values(asked, "href=\"/topic-thread/")[0];
    let thread = desk.open(&format!("/topic-thread/{}", link.split('#').next().unwrap())).await;
    for part in ["Is it so?", "A later answer.", "A later comment.", "late-tag", "no system searched it"] {
        assert!(thread.contains(part), "{part} is not in {thread}");
    }
    // The collection that was searched does not know it, and strangers see nothing.
    for path in ["/thread/A.1", "/thread/later", "/topic-thread/1", "/topic-thread/..%2Flab.toml"] {
        assert_eq!(desk.browser.get(path).await.status, 404, "{path}");
    }
    assert_eq!(desk.bureau.browser().get("/topic-thread/A.1").await.status, 303);
}

#[tokio::test]
async fn thread_links_do_not_tell_a_post_from_a_written_answer() {
    let mut desk = desk("judging-threads").await;
    let list = desk.open(&format!("/batch/{}", desk.batches[0])).await;
    let (mut threads, mut none) = (0, 0);
    for path in &pages_of(&list, desk.batches[0]) {
        let page = desk.open(path).await;
        let link = values(&page, "class=\"to-thread\" href=\"")[0].to_owned();
        assert_eq!(link, format!("{path}/thread/{}", parts(&page)[0]));
        let answer = desk.browser.get(&link).await;
        match answer.status.as_u16() {
            303 => {
                assert!(answer.header("location").starts_with("/thread/"), "{}", answer.header("location"));
                threads += 1;
            }
            200 => {
                assert!(answer.text().contains("Judge it by its text alone."), "{}", answer.text());
                none += 1;
            }
            other => panic!("{other}"),
        }
    }
    assert_eq!((threads, none), (4, 1));
    // Where people are asked whether an answer looks machine-made, nothing has a thread.
    let path = desk.next(2).await;
    let page = desk.open(&path).await;
    assert!(!page.contains("to-thread"), "{page}");
    let direct = format!("{path}/thread/{}", parts(&page)[0]);
    assert_eq!(desk.browser.get(&direct).await.status, 404);
}
