//! `hypatia lab assess`: a lab judged in real browsers, a server that is killed while people judge, and what
//! the command refuses.

use crate::util::{Dir, Outcome};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use testkit::crowd::{Habits, Visitor, work};
use testkit::workspace_root;

/// A server of a lab; killed when it is dropped.
struct Server {
    child: Child,
    address: String,
    /// The link of the first organiser, if there was none yet.
    first: Option<String>,
}

impl Server {
    fn start(lab: &Path, port: u16) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hypatia"))
            .args(["lab", "assess"])
            .arg(lab)
            .args(["--port", &port.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.next().unwrap().unwrap().trim_end_matches('/').to_owned();
        let organisers = lab_has_organiser(lab);
        let first = if organisers { None } else { lines.next() };
        let first = first.map(|line| line.unwrap().trim_start_matches("first organiser: ").to_owned());
        Self { child, address, first }
    }

    fn port(&self) -> u16 {
        self.address.rsplit(':').next().unwrap().parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn database(lab: &Path) -> rusqlite::Connection {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
    let database = rusqlite::Connection::open_with_flags(lab.join("lab.db"), flags).unwrap();
    database.busy_timeout(Duration::from_secs(30)).unwrap();
    database
}

fn count(lab: &Path, select: &str) -> i64 {
    database(lab).query_row(select, [], |row| row.get(0)).unwrap()
}

fn lab_has_organiser(lab: &Path) -> bool {
    count(lab, "SELECT count(*) FROM account WHERE role = 'organiser' AND standing = 'active'") > 0
}

/// The sample's lab up to its pools.
fn sample_lab(dir: &Dir, depth: &str) -> PathBuf {
    let script = workspace_root().join("examples/sample-lab/run");
    let output = Command::new("bash")
        .arg(&script)
        .arg(dir.path().join("work"))
        .arg("pools")
        .env("HYPATIA", env!("CARGO_BIN_EXE_hypatia"))
        .env("DEPTH", depth)
        .output()
        .unwrap();
    let outcome = Outcome::from(output);
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stdout.contains("hypatia lab assess"), "{}", outcome.stdout);
    dir.path().join("work/lab")
}

/// An organiser and two assessors with real browsers take a lab from the first link to its report: checklist, training,
/// judging of all three tasks, disagreements, agreement, qrels.
#[test]
fn a_lab_is_judged_in_browsers() {
    let tests = workspace_root().join("crates/web/tests/browser");
    let node = Command::new("node").arg("--version").output().is_ok_and(|node| node.status.success());
    let chromium = std::env::var_os("CHROMIUM").map(PathBuf::from).into_iter();
    let known =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
    let chromium = chromium.chain(known).find(|path| path.is_file());
    let (true, Some(chromium), true) = (node, chromium, tests.join("node_modules/playwright-core").is_dir())
    else {
        let _ =
            writeln!(std::io::stderr(), "SKIPPED a_lab_is_judged_in_browsers: no Node, packages or Chromium");
        return;
    };
    let dir = Dir::new("assess-browsers");
    let lab = sample_lab(&dir, "3");
    let server = Server::start(&lab, 0);
    let told = dir.path().join("told.json");
    let output = Command::new("node")
        .args(["--test", "--test-reporter=spec", "assess/lab.mjs"])
        .current_dir(&tests)
        .env("HYPATIA_SITE", &server.address)
        .env("HYPATIA_FIRST", server.first.as_deref().unwrap())
        .env("HYPATIA_TOLD", &told)
        .env("HYPATIA_LAB", &lab)
        .env("HYPATIA_PROGRAM", env!("CARGO_BIN_EXE_hypatia"))
        .env("CHROMIUM", chromium)
        // Profiles go where they are removed again.
        .env("TMPDIR", dir.path())
        .env_remove("NODE_OPTIONS")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}\n{}", String::from_utf8_lossy(&output.stderr));
    drop(server);

    // Every key that was pressed is a judgment, and there is no other.
    let told: Value = serde_json::from_str(&fs::read_to_string(&told).unwrap()).unwrap();
    let pressed = |what: &str| -> i64 {
        let of_person = |one: &Value| {
            let grades = one["grades"].as_object().unwrap().values();
            grades.map(|count| count.as_i64().unwrap()).sum::<i64>() + one["unknown"].as_i64().unwrap()
        };
        told[what].as_array().unwrap().iter().map(of_person).sum()
    };
    let judged = |stages: &str| count(&lab, &format!("SELECT count(*) FROM judgment WHERE {stages}"));
    assert_eq!(pressed("trained"), 16, "eight items for each of two");
    assert_eq!(judged("stage LIKE 'training%'"), 16);
    assert_eq!(judged("stage IN ('main', 'cross-check')"), pressed("graded"));
    assert_eq!(told["decided"].as_i64(), Some(judged("stage = 'adjudication'")));
    assert!(told["decided"].as_i64() > Some(0), "they disagree");
    let flags: i64 = told["asked"].as_array().unwrap().iter().map(|one| one["flags"].as_i64().unwrap()).sum();
    assert_eq!(count(&lab, "SELECT count(*) FROM flag"), flags);
    assert!(flags >= 16, "all written answers were asked about: {flags}");
    let people: BTreeSet<String> = {
        let database = database(&lab);
        let select = "SELECT DISTINCT assessor FROM judgment WHERE stage <> 'adjudication'";
        let mut statement = database.prepare(select).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    assert_eq!(people, BTreeSet::from(["ada".to_owned(), "bob".to_owned()]));
    // Nobody judged what the other one had: an item has one main judgment for each of its parts.
    let twice = "SELECT count(*) FROM (SELECT 1 FROM judgment WHERE stage = 'main'
                 GROUP BY topic, item, instance HAVING count(DISTINCT assessor) > 1)";
    assert_eq!(count(&lab, twice), 0);
    assert!(judged("stage = 'cross-check'") > 0);

    let whole = dir.run(&["lab", "verify", "work/lab"]);
    assert_eq!(whole.code, 0, "{}\n{}", whole.stdout, whole.stderr);
    for task in 1..=3 {
        let provenance = fs::read_to_string(lab.join(format!("qrels/2026/task{task}.json"))).unwrap();
        let provenance: Value = serde_json::from_str(&provenance).unwrap();
        assert_eq!(provenance["not_judged"], 0, "task {task}");
    }
    let page = fs::read_to_string(lab.join("report/index.html")).unwrap();
    for part in ["ada", "bob", "After the assessment", "agreement in training"] {
        assert!(page.contains(part), "the report does not speak of {part}");
    }
}

/// A small lab without a collection: 12 topics with 30 answers each.
fn small_lab(dir: &Dir) -> PathBuf {
    let topics: Vec<String> = (1..=12)
        .map(|topic| {
            format!(
                "<Topic number=\"A.{topic}\"><Title>T{topic}</Title><Question>Is $x$ {topic}?</Question><Tags>a</Tags></Topic>"
            )
        })
        .collect();
    dir.write("q.xml", format!("<Topics>{}</Topics>", topics.concat()));
    let run: String = (1..=12)
        .flat_map(|topic| {
            (1..=30).map(move |rank| format!("A.{topic}\t{topic}{rank:02}\t{rank}\t{}\ta\n", 100 - rank))
        })
        .collect();
    dir.write("us-task1-a-auto-both-P.tsv", &run);
    for arguments in [
        &["lab", "init", "lab", "--name", "x", "--topics", "1=q.xml"][..],
        &["lab", "submit", "lab", "us-task1-a-auto-both-P.tsv"],
        &["lab", "pool", "lab"],
    ] {
        let done = dir.run(arguments);
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    dir.path().join("lab")
}

/// What was told as kept is there once, however often the server dies.
#[test]
fn a_server_that_is_killed_loses_no_judgment() {
    let dir = Dir::new("assess-kill");
    let lab = small_lab(&dir);
    let invite = |whom: &str, role: &str| {
        let done = dir.run(&["lab", "assess", "lab", "--invite", whom, "--role", role]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        let link = done.stdout.trim().to_owned();
        link[link.find("/join/").unwrap()..].to_owned()
    };
    let (desk, links) =
        (invite("me", "organiser"), (0..6).map(|_| invite("you", "assessor")).collect::<Vec<_>>());
    let first = Server::start(&lab, 0);
    let (address, port) = (first.address.clone(), first.port());
    // A server that has been told of an organiser's link by the command line prints one of its own.
    assert!(first.first.is_some());
    let mut organiser = Visitor::new(&address);
    organiser.join(&desk, "me", "a long secret of tests").unwrap();
    let fields = [("what", "answers"), ("judges", "1"), ("overlap", "0"), ("at_most", "10"), ("gold", "0")];
    let made = organiser.post("/desk/batches/make", &fields).unwrap();
    assert!(made.status < 400, "{}: {}", made.status, made.body);
    let visitors: Vec<Visitor> = links
        .iter()
        .enumerate()
        .map(|(number, link)| {
            let mut visitor = Visitor::new(&address);
            visitor.join(link, &format!("you{number}"), "a long secret of tests").unwrap();
            visitor
        })
        .collect();
    let stop = AtomicBool::new(false);
    let days = thread::scope(|scope| {
        let workers: Vec<_> = (0_u64..)
            .zip(visitors)
            .map(|(seed, mut visitor)| {
                let stop = &stop;
                scope.spawn(move || {
                    let habits = Habits { think: Duration::from_millis(3), seed };
                    work(&mut visitor, &habits, || stop.load(Ordering::Relaxed)).unwrap()
                })
            })
            .collect();
        let mut server = Some(first);
        for kill in 0..8 {
            thread::sleep(Duration::from_millis(150 + 70 * (kill % 3)));
            drop(server.take());
            server = Some(Server::start(&lab, port));
        }
        thread::sleep(Duration::from_millis(300));
        stop.store(true, Ordering::Relaxed);
        workers.into_iter().map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    let kept: BTreeMap<&str, &str> = days
        .iter()
        .flat_map(|day| &day.kept)
        .map(|kept| (kept.request.as_str(), kept.verdict.as_str()))
        .collect();
    assert!(!kept.is_empty());
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let database = database(&lab);
    let select = "SELECT d.request, j.verdict FROM judged d JOIN judgment j ON j.number = d.judgment";
    let mut statement = database.prepare(select).unwrap();
    let rows =
        statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap();
    for row in rows {
        let (request, verdict) = row.unwrap();
        found.entry(request.split_once(':').unwrap().1.to_owned()).or_default().push(verdict);
    }
    for (request, verdict) in &kept {
        assert_eq!(found.get(*request).map(Vec::as_slice), Some(&[(*verdict).to_owned()][..]), "{request}");
    }
    assert_eq!(count(&lab, "SELECT count(*) FROM judgment"), count(&lab, "SELECT count(*) FROM judged"));
    assert_eq!(dir.run(&["lab", "verify", "lab"]).code, 0);
}

#[test]
fn what_cannot_be_is_refused() {
    let dir = Dir::new("assess-refused");
    dir.run(&["lab", "assess", "lab"])
        .fails("hypatia: lab: there is no such folder; `hypatia lab init` makes a lab");
    small_lab(&dir);
    let path = dir.run(&["lab", "assess", "lab", "--address", "https://a.example/b"]);
    assert!(path.code == 2 && path.stderr.contains("without a path"), "{}", path.stderr);
    let lease = dir.run(&["lab", "assess", "lab", "--lease", "-1", "--port", "0"]);
    assert_eq!(lease.code, 2);
    let nobody = dir.run(&["lab", "assess", "lab", "--invite", " "]);
    assert_eq!(nobody.code, 2, "{}", nobody.stdout);
    let link =
        dir.run(&["lab", "assess", "lab", "--invite", "Ada", "--address", "https://judge.example.org/"]);
    assert!(link.stdout.starts_with("https://judge.example.org/join/"), "{}", link.stdout);
}
