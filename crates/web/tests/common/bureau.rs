//! A lab over the sample with pools of answers and formulas, its pages without a socket, and browsers.

use super::Answer;
use assess::{Account, NewInvitation, Office, Role, Secret, Standing};
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, header};
use http_body_util::BodyExt;
use ingest::{Strictness, Unwatched};
use lab::pools::PoolRequest;
use lab::submit::Entry;
use lab::{Lab, Manifest, NewFiles, NewSet, PoolKind, Rules};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use store::{Collection, Part};
use testkit::TempDir;
use tower::ServiceExt;
use web::{AssessApp, AssessConfig, assess_router};

/// When tests begin.
pub(crate) const START: i64 = 1_700_000_000;
/// The password of everybody.
pub(crate) const PASSWORD: &str = "a good long secret of tests";
/// What somebody's program wrote as an answer, with what must never reach a browser as it is.
pub(crate) const WRITTEN: &str =
    "It is $x^2$, <script>alert(1)</script><img src=x onerror=alert(2)> and \"that\".";

/// The collection of the sample, built once for all tests of a program.
static SAMPLE: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = TempDir::new("bureau-sample");
    let (plan, path) = (sample::plan().unwrap(), folder.path().join("sample.coll"));
    ingest::build(&plan, &path, Strictness::Strict, &AtomicU64::new(0), &mut Unwatched).unwrap();
    folder
});

/// A lab with its pages, and clocks to turn.
pub(crate) struct Bureau {
    pub(crate) folder: TempDir,
    pub(crate) root: PathBuf,
    pub(crate) app: AssessApp,
    pub(crate) router: Router,
    seconds: Arc<AtomicI64>,
    ticks: Arc<AtomicU64>,
}

/// As usual, but with limits that only what never ends runs into, on however slow a machine.
pub(crate) fn patient() -> AssessConfig {
    let long = Duration::from_secs(300);
    AssessConfig { time_limit: long, patience: long, farewell: long, ..AssessConfig::default() }
}

impl Bureau {
    /// A lab whose set `now` has eight topics for each task, with up to four answers (and one that a
    /// program wrote) and up to four formulas in the pools of each; the set `old` has the judgments of
    /// Task 1 as its qrels.
    pub(crate) fn new(name: &str) -> Self {
        Self::with(name, patient())
    }

    /// The same, served in another way.
    pub(crate) fn with(name: &str, config: AssessConfig) -> Self {
        Self::of_tasks(name, config, &[1, 2, 3])
    }

    /// The same without the tasks that are not named.
    pub(crate) fn of_tasks(name: &str, config: AssessConfig, tasks: &[u8]) -> Self {
        let folder = TempDir::new(name);
        let root = folder.path().join("lab");
        make_lab(&folder, &root, manifest(tasks));
        Self::over(folder, root, config)
    }

    /// The same with a collection of topic threads.
    pub(crate) fn with_topic_threads(name: &str, posts: &str) -> Self {
        let folder = TempDir::new(name);
        let root = folder.path().join("lab");
        let path = super::collection(folder.path(), "threads.coll", posts);
        let threads = lab::CollectionFile { path, fingerprint: String::new() };
        make_lab(&folder, &root, Manifest { topic_threads: Some(threads), ..manifest(&[1, 2, 3]) });
        Self::over(folder, root, patient())
    }

    fn over(folder: TempDir, root: PathBuf, config: AssessConfig) -> Self {
        let (seconds, ticks) = (Arc::new(AtomicI64::new(START)), Arc::new(AtomicU64::new(0)));
        let (time, passed) = (Arc::clone(&seconds), Arc::clone(&ticks));
        let office = Office::with_clock(&root, Arc::new(move || time.load(Ordering::SeqCst))).unwrap();
        let tick = Arc::new(move || Duration::from_millis(passed.load(Ordering::SeqCst)));
        let app = AssessApp::with_ticks(office, config, tick);
        let router = assess_router(app.clone());
        Self { folder, root, app, router, seconds, ticks }
    }

    pub(crate) fn office(&self) -> &Office {
        self.app.office()
    }

    /// Lets time pass, after all that is to be written has been.
    pub(crate) fn pass(&self, seconds: u32) {
        self.office().write(|_| Ok(())).unwrap();
        self.seconds.fetch_add(i64::from(seconds), Ordering::SeqCst);
        self.ticks.fetch_add(u64::from(seconds) * 1000, Ordering::SeqCst);
    }

    /// A link by which somebody can join.
    pub(crate) fn invite(&self, role: Role, standing: Standing) -> Secret {
        let recipient = "somebody@example.org".to_owned();
        let new = NewInvitation { recipient, role, standing, life: assess::INVITATION_LIFE };
        self.office().write(move |books| books.invite(&new, "tester")).unwrap().secret
    }

    /// Somebody with an account.
    pub(crate) fn account(&self, name: &str, role: Role, standing: Standing) -> Account {
        let secret = self.invite(role, standing);
        self.office().join(&secret, name, PASSWORD).unwrap()
    }

    /// Somebody with an account, who is signed in.
    pub(crate) async fn person(&self, name: &str, role: Role, standing: Standing) -> Browser {
        let account = self.account(name, role, standing);
        let limits = self.app.config().sessions;
        let signed_in = self.office().welcome(&account, limits).unwrap();
        let mut browser = self.browser();
        browser.cookies.insert("hypatia".to_owned(), signed_in.secret.as_str().to_owned());
        browser.account = Some(account);
        browser.find_csrf().await;
        browser
    }

    pub(crate) async fn organiser(&self, name: &str) -> Browser {
        self.person(name, Role::Organiser, Standing::Active).await
    }

    pub(crate) async fn assessor(&self, name: &str) -> Browser {
        self.person(name, Role::Assessor, Standing::Active).await
    }

    /// A browser of nobody in particular.
    pub(crate) fn browser(&self) -> Browser {
        Browser {
            router: self.router.clone(),
            cookies: BTreeMap::new(),
            csrf: String::new(),
            account: None,
            address: None,
        }
    }

    /// All rows of all tables but the given ones, to see whether something was written.
    pub(crate) fn rows(&self, without: &[&str]) -> BTreeMap<String, Vec<String>> {
        let database = rusqlite::Connection::open(self.root.join("lab.db")).unwrap();
        let mut tables = database
            .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            .unwrap();
        let names: Vec<String> =
            tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let mut all = BTreeMap::new();
        for name in names.into_iter().filter(|name| !without.contains(&name.as_str())) {
            let mut select = database.prepare(&format!("SELECT * FROM {name}")).unwrap();
            let columns = select.column_count();
            let rows = select.query_map([], |row| {
                (0..columns)
                    .map(|at| Ok(format!("{:?}", row.get_ref(at)?)))
                    .collect::<rusqlite::Result<Vec<_>>>()
            });
            let rows: Vec<String> = rows.unwrap().map(|row| row.unwrap().join(" ")).collect();
            all.insert(name, rows);
        }
        all
    }

    /// What was noted, as `who: what`, in its order.
    pub(crate) fn events(&self) -> Vec<String> {
        let database = rusqlite::Connection::open(self.root.join("lab.db")).unwrap();
        let mut select = database.prepare("SELECT who || ': ' || what FROM event ORDER BY rowid").unwrap();
        select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }
}

/// A browser: it keeps cookies, and knows the token of the forms it was shown.
#[derive(Clone)]
pub(crate) struct Browser {
    router: Router,
    pub(crate) cookies: BTreeMap<String, String>,
    pub(crate) csrf: String,
    /// Who uses it.
    pub(crate) account: Option<Account>,
    /// Where it says it is, to a server that believes proxies.
    pub(crate) address: Option<String>,
}

impl Browser {
    /// Sends anything, with the cookies.
    pub(crate) async fn send(&mut self, mut request: Request<Body>) -> Answer {
        if !self.cookies.is_empty() && !request.headers().contains_key(header::COOKIE) {
            let pairs: Vec<String> =
                self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request.headers_mut().insert(header::COOKIE, pairs.join("; ").parse().unwrap());
        }
        request.headers_mut().entry(header::HOST).or_insert("lab.example.org".parse().unwrap());
        if let Some(address) = &self.address {
            request.headers_mut().insert("x-forwarded-for", address.parse().unwrap());
        }
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        for cookie in headers.get_all(header::SET_COOKIE) {
            let text = cookie.to_str().unwrap();
            let (name, value) = text.split(';').next().unwrap().split_once('=').unwrap();
            if text.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        let body = response.into_body().collect().await.unwrap().to_bytes().to_vec();
        Answer { status, headers, body }
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// Opens a page and remembers the token of its forms.
    pub(crate) async fn open(&mut self, path: &str) -> Answer {
        let answer = self.get(path).await;
        let text = answer.text();
        for mark in ["name=\"csrf\" value=\"", "name=\"csrf\" content=\""] {
            if let Some((_, rest)) = text.split_once(mark) {
                self.csrf = rest.split('"').next().unwrap().to_owned();
            }
        }
        answer
    }

    async fn find_csrf(&mut self) {
        let answer = self.open("/account").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    /// Sends a form with the token.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let csrf = self.csrf.clone();
        let fields: Vec<(&str, &str)> = fields.iter().copied().chain([("csrf", csrf.as_str())]).collect();
        self.post_bare(path, &fields).await
    }

    /// Sends a form as it is.
    pub(crate) async fn post_bare(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body: Vec<String> =
            fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        self.send(form(path, &body.join("&"))).await
    }

    /// Sends JSON as a script of ours does, and wants JSON.
    pub(crate) async fn post_json(&mut self, path: &str, body: &serde_json::Value) -> Answer {
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json")
            .header("x-csrf", &self.csrf)
            .body(Body::from(body.to_string()));
        self.send(request.unwrap()).await
    }

    /// Signs in by the form.
    pub(crate) async fn sign_in(&mut self, name: &str, password: &str) -> Answer {
        self.open("/login").await;
        let answer = self.post("/login", &[("name", name), ("password", password)]).await;
        if answer.status == 303 {
            self.find_csrf().await;
        }
        answer
    }
}

/// A form on its way.
pub(crate) fn form(path: &str, body: &str) -> Request<Body> {
    Request::builder()
        .method(Method::POST)
        .uri(path)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(body.to_owned()))
        .unwrap()
}

/// Text as it stands in addresses and forms.
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

fn make_lab(folder: &TempDir, root: &Path, manifest: Manifest) {
    let files = sample::files().unwrap();
    let text = |path: &str| files.iter().find(|file| file.path == path).unwrap().text.to_string();
    let write = |name: &str, path: &str| folder.write(name, text(path));
    let questions = write("task1.xml", "topics/Topics_Task1.xml");
    let formulas = write("task2.xml", "topics/Topics_Task2.xml");
    let qrels = write("task1.qrels", "qrels/task1.qrels");
    let topics = |topics: &Path| NewFiles { topics: topics.to_owned(), ..NewFiles::default() };
    let sets = [
        NewSet {
            name: "old".to_owned(),
            questions: Some(NewFiles { qrels: Some(qrels), ..topics(&questions) }),
            formulas: None,
        },
        NewSet {
            name: "now".to_owned(),
            questions: Some(topics(&questions)),
            formulas: Some(topics(&formulas)),
        },
    ];
    let collection = SAMPLE.path().join("sample.coll");
    let has_task_3 = manifest.tasks.contains(&3);
    let mut lab = Lab::create(root, manifest, Some(&collection), &sets).unwrap();
    let collection = Collection::open(&collection).unwrap();
    submit(&mut lab, "us-task1-first-auto-both-P.tsv", &answers());
    submit(&mut lab, "us-task2-trees-auto-math-P.tsv", &instances(&collection));
    if has_task_3 {
        submit(&mut lab, "us-task3-writer-auto-both-generate-P.tsv", &written());
    }
    for kind in [PoolKind::Answers, PoolKind::Formulas] {
        let plan = lab.plan_pool(&PoolRequest::new(kind)).unwrap();
        lab.keep_pool(&plan).unwrap();
    }
}

fn manifest(tasks: &[u8]) -> Manifest {
    Manifest {
        seed: 5,
        most_runs: 2,
        about: "A lab for tests.".to_owned(),
        ..Manifest::new("the sample's lab", Rules::Arqmath, tasks)
    }
}

/// A lab whose collection and topics hold what must never reach a browser as it is.
pub(crate) fn hostile_lab(name: &str, config: AssessConfig) -> Bureau {
    const BAD: &str = "<script>alert(7)</script><img src=x onerror=alert(8)><iframe src=//evil.org></iframe>\
                       <a href='javascript:alert(9)'>x</a><style>*{}</style><b onmouseover=alert(9)>b</b><base href=//evil.org>";
    let folder = TempDir::new(name);
    let line = |value: serde_json::Value| format!("{value}\n");
    let body = format!("For $x^2$ {BAD} and $\\text{{<script>alert(7)</script>}}$");
    let posts = [
        serde_json::json!({ "kind": "user", "id": 3, "name": BAD }),
        serde_json::json!({ "kind": "question", "id": 1, "title": format!("Is $x^2$ {BAD}"), "body": body, "tags": [BAD], "owner": 3 }),
        serde_json::json!({ "kind": "answer", "id": 2, "parent": 1, "body": body, "owner": 3 }),
        serde_json::json!({ "kind": "answer", "id": 4, "parent": 1, "body": format!("Only $y$ {BAD}") }),
        serde_json::json!({ "kind": "comment", "id": 9, "post": 2, "body": format!("{BAD} $x$") }),
    ];
    let posts: String = posts.into_iter().map(line).collect();
    let path = super::collection(folder.path(), "posts.coll", &posts);
    let escaped = BAD.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let question =
        format!("<Title>T {escaped}</Title><Question>Is $x^2$ it? {escaped}</Question><Tags>a</Tags>");
    let questions = format!("<Topics><Topic number=\"A.1\">{question}</Topic></Topics>");
    let formulas = format!(
        "<Topics><Topic number=\"B.1\"><Formula_Id>q_1</Formula_Id><Latex>x^2 {escaped}</Latex>{question}</Topic></Topics>"
    );
    let topics =
        |file: &str, text: &str| NewFiles { topics: folder.write(file, text), ..NewFiles::default() };
    let sets = [NewSet {
        name: "now".to_owned(),
        questions: Some(topics("task1.xml", &questions)),
        formulas: Some(topics("task2.xml", &formulas)),
    }];
    let root = folder.path().join("lab");
    let mut lab = Lab::create(&root, manifest(&[1, 2, 3]), Some(&path), &sets).unwrap();
    let collection = Collection::open(&path).unwrap();
    submit(&mut lab, "us-task1-first-auto-both-P.tsv", "A.1\t2\t1\t9\tfirst\nA.1\t4\t2\t8\tfirst\n");
    let mut run = String::new();
    let places = places(&collection);
    for (rank, (formula, post)) in (1..).zip(places.values().flatten()) {
        writeln!(run, "B.1\t{formula}\t{post}\t{rank}\t{}\ttrees", 100 - rank).unwrap();
    }
    submit(&mut lab, "us-task2-trees-auto-math-P.tsv", &run);
    submit(&mut lab, "us-task3-writer-auto-both-generate-P.tsv", &format!("A.1\t1\t1\twriter\t\t{BAD}\n"));
    for kind in [PoolKind::Answers, PoolKind::Formulas] {
        let plan = lab.plan_pool(&PoolRequest::new(kind)).unwrap();
        lab.keep_pool(&plan).unwrap();
    }
    drop(lab);
    Bureau::over(folder, root, config)
}

/// A run with up to four judged answers of each topic.
fn answers() -> String {
    let mut run = String::new();
    for topic in sample::task1().chunk_by(|left, right| left.topic == right.topic).take(8) {
        for (rank, judgment) in (1..=4).zip(topic) {
            writeln!(run, "{}\t{}\t{rank}\t{}\tfirst", judgment.topic, judgment.item, 100 - rank).unwrap();
        }
    }
    run
}

/// A run with up to four formulas of each topic, wherever they stand.
fn instances(collection: &Collection) -> String {
    let (judgments, places) = (sample::task2(), places(collection));
    let mut run = String::new();
    for topic in judgments.chunk_by(|left, right| left.topic == right.topic).take(8) {
        let found = topic.iter().filter_map(|judgment| places.get(judgment.item)).flatten();
        let mut seen = Vec::new();
        for (formula, post) in found {
            if seen.len() < 4 && !seen.contains(&formula) {
                seen.push(formula);
                let rank = seen.len();
                writeln!(run, "{}\t{formula}\t{post}\t{rank}\t{}\ttrees", topic[0].topic, 100 - rank)
                    .unwrap();
            }
        }
    }
    run
}

/// Where formulas stand in posts, by their LaTeX: formula and post.
fn places(collection: &Collection) -> BTreeMap<String, Vec<(String, String)>> {
    let mut reader = collection.reader();
    let mut places: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for form in collection.forms() {
        let latex = reader.latex(form).unwrap().trim().to_owned();
        for formula in collection.formulas_of_form(form) {
            let in_post = matches!(collection.formula_marks(formula).part(), Part::Title | Part::Body);
            let Some(post) = collection.formula_post(formula).filter(|_| in_post) else { continue };
            let place = (collection.formula_id(formula).to_string(), collection.post_id(post).to_string());
            places.entry(latex.clone()).or_default().push(place);
        }
    }
    places
}

/// A run with a written answer for each topic.
fn written() -> String {
    let judgments = sample::task1();
    let topics = judgments.chunk_by(|left, right| left.topic == right.topic).take(8);
    topics.map(|topic| format!("{}\t1\t1\twriter\t\t{WRITTEN}\n", topic[0].topic)).collect()
}

fn submit(lab: &mut Lab, name: &str, text: &str) {
    let entry = Entry::new(name, text, "tester");
    lab.submit(&entry).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
}
