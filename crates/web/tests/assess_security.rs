//! What nobody can do: see or change the work of others, come to the organiser's desk, send forms of other
//! sites, bring markup into pages, or leave the folder of the lab.
//!
//! Routes are read from the source, so that a new one is tried like all others.

use crate::common;

use assess::{AccountNo, AssignmentNo, PartNo, Role, Standing, TaskNo};
use axum::body::Body;
use axum::http::{Request, header};
use common::bureau::{Browser, Bureau, WRITTEN, encoded, form, hostile_lab, patient};
use common::judging::give_out;
use std::fs;
use std::path::Path;
use std::time::Duration;
use web::{AssessConfig, AttemptLimits};

/// What must never reach a browser as it is.
const MARKUP: &str = "<script>alert(7)</script><img src=x onerror=alert(8)>\"'><b onmouseover=alert(9)>";

/// A route: its path, with names in braces, and its methods.
#[derive(Debug)]
struct Route {
    path: String,
    methods: Vec<&'static str>,
}

impl Route {
    fn has(&self, method: &str) -> bool {
        self.methods.contains(&method)
    }

    /// The path with something for every name.
    fn with(&self, value: &str) -> String {
        let parts = self.path.split('/').map(|part| if part.starts_with('{') { value } else { part });
        parts.collect::<Vec<_>>().join("/")
    }
}

/// All routes, as they stand in the source.
fn routes() -> Vec<Route> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = vec![root.join("assess.rs")];
    let mut folders = vec![root.join("assess")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { &mut folders } else { &mut files }.push(path);
        }
    }
    let mut routes = Vec::new();
    for file in files {
        let source = fs::read_to_string(&file).unwrap();
        for call in source.split(".route(").skip(1) {
            let path = call.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
            let path =
                path.unwrap_or_else(|| panic!("{}: a path that is no text", file.display())).to_owned();
            let mut depth = 1;
            let end = call.find(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth == 0
            });
            let handlers = &call[..end.unwrap()];
            let all = ["get", "post", "put", "delete", "patch", "any", "on", "head"];
            let of = |method: &&&str| {
                let calls = [format!(" {method}("), format!("\n{method}("), format!(".{method}(")];
                calls.iter().any(|call| handlers.contains(call.as_str()))
            };
            let methods: Vec<_> = all.iter().filter(of).copied().collect();
            assert!(!methods.is_empty(), "{path}: {handlers}");
            routes.push(Route { path, methods });
        }
    }
    assert!(routes.len() > 45, "{}", routes.len());
    routes.sort_by(|left, right| left.path.cmp(&right.path));
    routes
}

/// Pages for which nobody needs to be signed in.
const OPEN: [&str; 6] =
    ["/login", "/join/{token}", "/healthz", "/favicon.ico", "/robots.txt", "/static/{hash}/{name}"];

/// As often as anybody likes: here the clock stands still.
fn unlimited() -> AssessConfig {
    let mut config = patient();
    config.limits.requests = AttemptLimits { at_once: 1e9, every: Duration::from_millis(1) };
    config.limits.attempts = config.limits.requests;
    config.limits.attempts_of_name = config.limits.requests;
    config.limits.attempts_of_address = config.limits.requests;
    config
}

/// Somebody's browser.
async fn browser_of(bureau: &Bureau, account: assess::Account) -> Browser {
    let secret = bureau.office().welcome(&account, bureau.app.config().sessions).unwrap().secret;
    let mut browser = bureau.browser();
    browser.cookies.insert("hypatia".to_owned(), secret.as_str().to_owned());
    browser.account = Some(account);
    assert_eq!(browser.open("/account").await.status, 200);
    browser
}

/// A lab in which two people have batches, and one runs it.
struct Scene {
    bureau: Bureau,
    ada: Browser,
    ben: Browser,
    grace: Browser,
    /// What Ada has: answers, formulas, flags.
    of_ada: [AssignmentNo; 3],
    of_ben: [AssignmentNo; 3],
}

async fn scene(name: &str) -> Scene {
    let bureau = Bureau::with(name, unlimited());
    let people = give_out(&bureau);
    let ((ada, of_ada), (ben, of_ben)) = (people[0].clone(), people[1].clone());
    let ada = browser_of(&bureau, ada).await;
    let ben = browser_of(&bureau, ben).await;
    let grace = bureau.organiser("grace").await;
    Scene { bureau, ada, ben, grace, of_ada, of_ben }
}

impl Scene {
    /// The first page of a batch, and the first thing on it.
    fn first(&self, account: &Browser, assignment: AssignmentNo) -> (TaskNo, PartNo) {
        let number = account.account.as_ref().unwrap().number;
        let read = self.bureau.office().read(move |books| {
            let task = books.first_task(number, assignment)?.unwrap();
            Ok((task, books.show(number, assignment, task)?.parts[0].part))
        });
        read.unwrap()
    }
}

/// Fields of all forms at once, with something in each.
fn fields(numbers: &str, words: &str) -> Vec<(&'static str, String)> {
    let numbers_of = [
        "assignment",
        "task",
        "part",
        "batch",
        "account",
        "invitation",
        "judgment",
        "to",
        "judges",
        "at_most",
        "gold",
        "seed",
        "topics",
        "overlap",
        "instances",
        "from",
        "heir",
    ];
    let words_of = [
        "name",
        "password",
        "again",
        "old",
        "new",
        "next",
        "recipient",
        "as",
        "verdict",
        "comment",
        "request",
        "seconds",
        "machine",
        "unrelated",
        "kind",
        "set",
        "stage",
        "asks",
        "text",
        "reply",
        "day",
        "do",
        "deed",
        "columns",
        "topic",
        "grade",
        "source",
        "number",
    ];
    let numbers = numbers_of.into_iter().map(|name| (name, numbers.to_owned()));
    numbers.chain(words_of.into_iter().map(|name| (name, words.to_owned()))).collect()
}

fn borrowed<'f>(fields: &'f [(&'static str, String)]) -> Vec<(&'static str, &'f str)> {
    fields.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

#[test]
fn there_are_no_other_methods_than_get_and_post() {
    for route in routes() {
        let odd: Vec<_> = route.methods.iter().filter(|method| !["get", "post"].contains(method)).collect();
        assert!(odd.is_empty(), "{route:?}: what else changes something needs a test here");
    }
}

#[tokio::test]
async fn nobody_comes_in_without_signing_in() {
    let scene = scene("security-outside").await;
    let mut nobody = scene.bureau.browser();
    nobody.open("/login").await;
    let rows = scene.bureau.rows(&[]);
    let sent = fields("1", "x");
    for route in routes() {
        if OPEN.contains(&route.path.as_str()) {
            continue;
        }
        let path = route.with("1");
        if route.has("get") {
            let answer = nobody.get(&path).await;
            let next = if path == "/" { String::new() } else { format!("?next={}", encoded(&path)) };
            assert_eq!(answer.status, 303, "{path}");
            assert_eq!(answer.header("location"), format!("/login{next}"));
            assert!(answer.body.is_empty(), "{path}");
        }
        if route.has("post") {
            let answer = nobody.post(&path, &borrowed(&sent)).await;
            assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/login"), "{path}");
        }
    }
    assert_eq!(scene.bureau.rows(&[]), rows, "nothing was written");
}

#[tokio::test]
async fn the_desk_is_not_there_for_others() {
    let mut scene = scene("security-desk").await;
    let mut applicant = scene.bureau.person("hal", Role::Assessor, Standing::Applicant).await;
    let rows = scene.bureau.rows(&[]);
    let desk: Vec<Route> = routes().into_iter().filter(|route| route.path.starts_with("/desk")).collect();
    assert!(desk.len() > 25, "{}", desk.len());
    let sent = fields("1", "main");
    for route in &desk {
        let path = route.with("1");
        for browser in [&mut scene.ada, &mut applicant] {
            // Just as for a page that there is not, and before anything of a form is looked at.
            let unknown = browser.get("/desk-nothing").await.text();
            let expected = unknown.replace("/desk-nothing", &path);
            if route.has("get") {
                let answer = browser.get(&path).await;
                assert_eq!(answer.status, 404, "{path}");
                assert_eq!(answer.text(), expected);
            }
            if route.has("post") {
                for sent in [borrowed(&sent), Vec::new()] {
                    let answer = browser.post(&path, &sent).await;
                    assert_eq!(answer.status, 404, "{path}");
                    assert_eq!(answer.text(), expected);
                }
                let json = serde_json::json!({ "batch": 1 });
                assert_eq!(browser.post_json(&path, &json).await.status, 404, "{path}");
            }
        }
    }
    assert_eq!(scene.bureau.rows(&[]), rows, "nothing was written");
    // The links to it are not shown either.
    assert!(!scene.ada.get("/").await.text().contains("/desk"));
    assert!(scene.grace.get("/").await.text().contains("/desk"));
}

#[tokio::test]
async fn every_form_needs_its_token() {
    let mut scene = scene("security-token").await;
    let rows = scene.bureau.rows(&[]);
    let sent = fields("1", "main");
    let posts: Vec<Route> = routes().into_iter().filter(|route| route.has("post")).collect();
    assert!(posts.len() > 20, "{}", posts.len());
    for route in &posts {
        let path = route.with("1");
        for csrf in ["", scene.ben.csrf.as_str()] {
            let csrf = ("csrf", csrf);
            let mut all = borrowed(&sent);
            all.push(csrf);
            // The one form with files says first that this is none.
            let answer = scene.grace.post_bare(&path, &all).await;
            assert!([403, 415].contains(&answer.status.as_u16()), "{path}: {}", answer.status);
            if answer.status == 415 {
                let body = format!(
                    "--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n{}\r\n\
                     --x\r\nContent-Disposition: form-data; name=\"table\"; filename=\"a.csv\"\r\n\r\na,b\r\n--x--\r\n",
                    csrf.1
                );
                let mut request = form(&path, &body);
                let kind = "multipart/form-data; boundary=x".parse().unwrap();
                request.headers_mut().insert(header::CONTENT_TYPE, kind);
                assert_eq!(scene.grace.send(request).await.status, 403, "{path}");
            }
            let json = Request::post(&path)
                .header(header::CONTENT_TYPE, "application/json")
                .header("x-csrf", csrf.1)
                .body(Body::from("{}"));
            let answer = scene.grace.send(json.unwrap()).await;
            assert!([403, 415].contains(&answer.status.as_u16()), "{path}: {}", answer.status);
        }
        // The right token, but the browser says that another site sent it.
        let mut request = form(&path, &format!("csrf={}", scene.grace.csrf));
        request.headers_mut().insert("sec-fetch-site", "cross-site".parse().unwrap());
        assert_eq!(scene.grace.send(request).await.status, 403, "{path}");
    }
    assert_eq!(scene.bureau.rows(&[]), rows, "nothing was written");
}

#[tokio::test]
async fn looking_changes_nothing() {
    let mut scene = scene("security-reading").await;
    // Taking a table away is noted.
    let rows = scene.bureau.rows(&["event"]);
    for route in routes().iter().filter(|route| route.has("get")) {
        for value in ["1", "answers", "judgments.csv", "main"] {
            for browser in [&mut scene.ada, &mut scene.grace] {
                let path = route.with(value);
                let answer = browser.get(&path).await;
                assert!(answer.status.as_u16() < 500, "{path}: {}", answer.status);
            }
        }
    }
    assert_eq!(scene.bureau.rows(&["event"]), rows);
}

#[tokio::test]
async fn the_work_of_others_is_out_of_reach() {
    let mut scene = scene("security-others").await;
    let assignment = scene.of_ada[0];
    let (task, part) = scene.first(&scene.ada, assignment);
    let (own_task, own_part) = scene.first(&scene.ben, scene.of_ben[0]);
    let said = [
        ("assignment", assignment.to_string()),
        ("task", task.to_string()),
        ("part", part.to_string()),
        ("verdict", "2".to_owned()),
        ("comment", "the secret of Ada".to_owned()),
        ("request", "request-of-ada-1".to_owned()),
    ];
    let said: Vec<_> = said.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(scene.ada.post("/judge", &said).await.status, 303);
    assert!(scene.ada.get(&format!("/history/{part}")).await.text().contains("the secret of Ada"));
    let rows = scene.bureau.rows(&[]);
    let flags = scene.of_ada[2];
    let (flag_task, flag_part) = scene.first(&scene.ada, flags);
    for browser in [&mut scene.ben, &mut scene.grace] {
        for path in [
            format!("/batch/{assignment}"),
            format!("/batch/{assignment}/next"),
            format!("/task/{assignment}/{task}"),
            format!("/history/{part}"),
        ] {
            let answer = browser.get(&path).await;
            assert_eq!(answer.status, 404, "{path}");
            assert!(!answer.text().contains("secret of Ada"), "{path}");
        }
        let send = |assignment: AssignmentNo, task: TaskNo, part: PartNo| {
            vec![
                ("assignment", assignment.to_string()),
                ("task", task.to_string()),
                ("part", part.to_string()),
                ("verdict", "0".to_owned()),
                ("comment", String::new()),
                ("machine", "yes".to_owned()),
                ("unrelated", "no".to_owned()),
                ("request", "request-of-another".to_owned()),
            ]
        };
        let mine = scene.of_ben[0];
        let tries = [
            ("/judge", send(assignment, task, part)),
            ("/judge", send(assignment, task, own_part)),
            ("/judge", send(mine, own_task, part)),
            ("/flag", send(flags, flag_task, flag_part)),
            ("/flag", send(mine, flag_task, flag_part)),
            ("/undo", send(assignment, task, part)),
            ("/skip", send(assignment, task, part)),
            ("/skip", send(mine, task, part)),
        ];
        for (path, sent) in tries {
            let answer = browser.post(path, &borrowed(&sent)).await;
            assert_eq!(answer.status, 404, "{path} {sent:?}: {}", answer.text());
        }
        let path = format!("/batch/{assignment}/give-back");
        assert_eq!(browser.post(&path, &[]).await.status, 404);
    }
    assert_eq!(scene.bureau.rows(&[]), rows, "nothing was written");
    // What her request was called does not stand in the way of his, nor is his taken for hers.
    let mut again: Vec<(&str, String)> =
        said.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    for (name, value) in &mut again {
        match *name {
            "assignment" => *value = scene.of_ben[0].to_string(),
            "task" => *value = own_task.to_string(),
            "part" => *value = own_part.to_string(),
            _ => {}
        }
    }
    let answer = scene.ben.post("/judge", &borrowed(&again)).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let judged = &scene.bureau.rows(&[])["judgment"];
    assert_eq!(judged[..1], rows["judgment"][..]);
    assert_eq!(judged.len(), 2);
}

#[tokio::test]
async fn anything_in_any_field_is_answered_and_does_no_harm() {
    let mut scene = scene("security-fields").await;
    let accounts = scene.bureau.rows(&[])["account"].len();
    let odd = [
        "-1",
        "0",
        "9223372036854775807",
        "99999999999999999999",
        "1e9",
        "NaN",
        "' OR 1=1 --",
        "1; DROP TABLE judgment; --",
        "..%2f..%2flab.db",
        "%00",
        "%ff",
        "<script>alert(7)</script>",
    ];
    for route in routes() {
        if route.path == "/logout"
            || route.path.starts_with("/account/")
            || OPEN.contains(&route.path.as_str())
        {
            continue;
        }
        for value in odd {
            for browser in [&mut scene.ada, &mut scene.grace] {
                let path = route.with(&if value.starts_with(['.', '%']) {
                    value.to_owned()
                } else {
                    encoded(value)
                });
                if route.has("get") {
                    let answer = browser.get(&path).await;
                    assert!(answer.status.as_u16() < 500, "{path}: {}", answer.status);
                    let query = format!("{path}?{}", query(&fields(value, value)));
                    let answer = browser.get(&query).await;
                    assert!(answer.status.as_u16() < 500, "{query}: {}", answer.status);
                    assert!(!String::from_utf8_lossy(&answer.body).contains("<script>alert"), "{query}");
                }
                if route.has("post") {
                    for (numbers, words) in [(value, "main"), ("1", value), (value, value)] {
                        let sent = fields(numbers, words);
                        let answer = browser.post(&path, &borrowed(&sent)).await;
                        assert!(answer.status.as_u16() < 500, "{path} {numbers} {words}: {}", answer.status);
                        assert!(!answer.text().contains("<script>alert"), "{path}: {}", answer.text());
                    }
                }
            }
        }
    }
    let rows = scene.bureau.rows(&[]);
    assert_eq!(rows["account"].len(), accounts);
    assert!(rows["judgment"].is_empty(), "{:?}", rows["judgment"]);
}

fn query(fields: &[(&'static str, String)]) -> String {
    let pairs: Vec<String> =
        fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    pairs.join("&")
}

/// Whether a page is free of what people brought in, but shows it.
fn is_clean(what: &str, page: &str) {
    for bad in [
        "<script>alert",
        "<img src=x",
        "<b onmouseover",
        "<iframe",
        "href=\"javascript:",
        "<style>",
        "<base ",
    ] {
        assert!(!page.contains(bad), "{what} has {bad}:\n{page}");
    }
}

#[tokio::test]
async fn comments_names_and_answers_of_people_are_text() {
    let mut scene = scene("security-markup").await;
    let assignment = scene.of_ada[0];
    let number = scene.ada.account.as_ref().unwrap().number;
    let comments = [MARKUP, "=HYPERLINK(\"https://evil.org\")", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)"];
    let mut parts = Vec::new();
    let mut written = 0;
    for comment in comments {
        let Some(task) =
            scene.bureau.office().read(move |books| books.first_task(number, assignment)).unwrap()
        else {
            break;
        };
        let page = scene.ada.get(&format!("/task/{assignment}/{task}")).await.text();
        is_clean("the page on which one judges", &page);
        written += usize::from(page.contains("&lt;img src=x") || page.contains("&lt;script&gt;"));
        let part = scene
            .bureau
            .office()
            .read(move |books| Ok(books.show(number, assignment, task)?.parts[0].part))
            .unwrap();
        let sent = [
            ("assignment", assignment.to_string()),
            ("task", task.to_string()),
            ("part", part.to_string()),
            ("verdict", "unknown".to_owned()),
            ("comment", comment.to_owned()),
            ("request", format!("request-of-part-{part:0>8}")),
        ];
        let answer = scene.ada.post("/judge", &borrowed(&sent)).await;
        assert_eq!(answer.status, 303, "{comment}: {}", answer.text());
        let page = scene.ada.get(&format!("/task/{assignment}/{task}")).await.text();
        is_clean("the page on which one judges", &page);
        is_clean("the history", &scene.ada.get(&format!("/history/{part}")).await.text());
        parts.push(part);
    }
    assert!(parts.len() >= 4, "{}", parts.len());
    assert!(written > 0, "the answer of a program was shown: {WRITTEN}");
    // A name that somebody types, and whom an organiser invites.
    scene.bureau.browser().sign_in(MARKUP, "not a password").await;
    let invited = scene.grace.post("/desk/people/invite", &[("recipient", MARKUP), ("as", "assessor")]).await;
    assert_eq!(invited.status, 200, "{}", invited.text());
    is_clean("the link", &invited.text());
    for route in routes().iter().filter(|route| route.has("get") && route.path.starts_with("/desk")) {
        for value in ["1", "answers", "main"] {
            let path = route.with(value);
            let answer = scene.grace.get(&path).await;
            if answer.header("content-type").starts_with("text/html") {
                is_clean(&path, &answer.text());
            }
        }
    }
    let inbox = scene.grace.get("/desk/comments").await.text();
    assert!(inbox.contains("&#60;script&#62;alert(7)"), "{inbox}");
    // In a table for spreadsheets no cell is a formula.
    for table in ["judgment-log", "judgments", "flags", "assignments", "agreement"] {
        let answer = scene.grace.get(&format!("/desk/files/{table}.csv")).await;
        assert!(answer.header("content-disposition").starts_with("attachment"), "{table}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        for line in answer.text().lines() {
            for cell in line.split(',') {
                let cell = cell.trim_start_matches('"');
                assert!(!cell.starts_with(['=', '+', '@']), "{table}: {line}");
            }
        }
    }
}

#[tokio::test]
async fn posts_and_questions_with_markup_are_cleaned() {
    let bureau = hostile_lab("security-posts", unlimited());
    let plans = [lab::PoolKind::Answers, lab::PoolKind::Formulas]
        .map(|kind| common::judging::plan(kind, assess::Asks::Grades));
    for plan in plans {
        bureau.office().write(move |books| books.make_batches(&plan, "tester")).unwrap();
    }
    let mut ada = bureau.assessor("ada").await;
    let mut grace = bureau.organiser("grace").await;
    let account = ada.account.clone().unwrap();
    let number: AccountNo = account.number;
    let mut seen = 0;
    while let Some(assignment) = bureau
        .office()
        .write({
            let account = account.clone();
            move |books| books.take(&account)
        })
        .unwrap()
    {
        let tasks = bureau.office().read(move |books| books.tasks_of(number, assignment)).unwrap();
        for task in tasks {
            let task = task.task;
            let page = ada.get(&format!("/task/{assignment}/{task}")).await;
            assert_eq!(page.status, 200, "{}", page.text());
            is_clean("the page on which one judges", &page.text());
            seen += 1;
            let part = bureau
                .office()
                .read(move |books| Ok(books.show(number, assignment, task)?.parts[0].part))
                .unwrap();
            let sent = [
                ("assignment", assignment.to_string()),
                ("task", task.to_string()),
                ("part", part.to_string()),
                ("verdict", "unknown".to_owned()),
                ("comment", MARKUP.to_owned()),
                ("request", format!("request-of-part-{part:0>8}")),
            ];
            let answer = ada.post("/judge", &borrowed(&sent)).await;
            assert_eq!(answer.status, 303, "{}", answer.text());
        }
        is_clean("the batch", &ada.get(&format!("/batch/{assignment}")).await.text());
    }
    assert!(seen >= 3, "{seen}");
    for path in ["/", "/guide", "/thread/1", "/thread/2"] {
        let answer = ada.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        is_clean(path, &answer.text());
    }
    for route in routes().iter().filter(|route| route.has("get") && route.path.starts_with("/desk")) {
        let path = route.with("1");
        let answer = grace.get(&path).await;
        if answer.header("content-type").starts_with("text/html") {
            is_clean(&path, &answer.text());
        }
    }
}

#[tokio::test]
async fn no_path_leads_out() {
    let mut scene = scene("security-paths").await;
    let secret = fs::read_to_string(scene.bureau.root.join("lab.toml")).unwrap();
    let first = secret.lines().find(|line| line.contains("format")).unwrap();
    for begin in [
        "/thread/",
        "/desk/files/",
        "/desk/turkle/answers/batch/",
        "/static/x/",
        "/history/",
        "/school/main/",
    ] {
        for trick in [
            "..%2f..%2flab.toml",
            "..%2Flab.db",
            "%2e%2e%2flab.toml",
            "..%5c..%5clab.toml",
            "....%2f%2flab.toml",
            "%2fetc%2fpasswd",
            "..%252flab.toml",
            "lab.toml%00.csv",
            "..",
            ".",
        ] {
            for browser in [&mut scene.ada, &mut scene.grace] {
                let path = format!("{begin}{trick}");
                let answer = browser.get(&path).await;
                assert!([400, 404, 422].contains(&answer.status.as_u16()), "{path}: {}", answer.status);
                let text = String::from_utf8_lossy(&answer.body).into_owned();
                assert!(
                    !text.contains(first) && !text.contains("SQLite format") && !text.contains("root:"),
                    "{path}"
                );
                is_clean(&path, &text);
            }
        }
    }
}
