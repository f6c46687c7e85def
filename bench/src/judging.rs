//! Judging under load: simulated assessors over HTTP, how long they wait, and whether anything is lost.
//!
//! `load` serves a lab to a number of assessors who judge at once for a while. `kill` does the same while
//! the server is killed and started again, time after time. Afterwards every judgment that the server said
//! it has kept is looked for in the lab's database.

use assess::{Asks, BatchPlan, INVITATION_LIFE, NewInvitation, Office, Role, Standing};
use lab::Stage;
use rusqlite::{Connection, OpenFlags};
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use testkit::crowd::{Day, Habits, Visitor, work};

/// What is asked for: `assess load|kill LAB [people] [seconds or kills] [think in ms]`.
pub(crate) fn run(mut arguments: impl Iterator<Item = String>) {
    let usage = "assess load LAB [PEOPLE] [SECONDS] [THINK_MS], or assess kill LAB [PEOPLE] [KILLS] [THINK_MS]; \
                 HYPATIA names the program";
    let (Some(mode), Some(lab)) = (arguments.next(), arguments.next()) else {
        println!("{usage}");
        return;
    };
    let mut number = |usual: u64| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let program = std::env::var_os("HYPATIA").map_or_else(|| PathBuf::from("hypatia"), PathBuf::from);
    let lab = PathBuf::from(lab);
    match mode.as_str() {
        "load" => {
            let (people, seconds, think) = (number(100), number(600), number(1000));
            load(&program, &lab, people, Duration::from_secs(seconds), Duration::from_millis(think));
        }
        "kill" => {
            let (people, kills, think) = (number(20), number(100), number(20));
            kill(&program, &lab, people, kills, Duration::from_millis(think));
        }
        _ => println!("{usage}"),
    }
}

/// A server that is killed when it is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(program: &Path, lab: &Path, port: u16) -> Self {
        let mut child = Command::new(program)
            .args(["lab", "assess"])
            .arg(lab)
            .args(["--port", &port.to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("HYPATIA names a program that starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its output is ours");
        BufReader::new(stdout).read_line(&mut line).expect("it tells where it listens");
        assert!(line.starts_with("http://"), "the server did not start");
        Self { child, address: line.trim().trim_end_matches('/').to_owned() }
    }

    fn port(&self) -> u16 {
        self.address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("the address has a port")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGKILL: it can do nothing about it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes batches of all pools, if there are none yet, and links for so many people.
fn prepare(lab: &Path, people: u64) -> Vec<String> {
    let office = Office::open(lab).expect("the lab opens");
    let made = office.read(|books| Ok(books.batches()?.len())).expect("its batches can be read");
    if made == 0 {
        let kinds: Vec<_> =
            office.read(|books| Ok(books.manifest().pool_kinds().collect())).expect("the lab has pools");
        for kind in kinds {
            let set = office.read(|books| Ok(books.manifest().current.clone())).expect("it has a set");
            let plan = BatchPlan {
                kind,
                set,
                stage: Stage::Main,
                asks: Asks::Grades,
                judges: 1,
                overlap: 0.0,
                at_most: Some(40),
                gold: 0,
                seed: 1,
            };
            office.write(move |books| books.make_batches(&plan, "bench")).expect("batches can be made");
        }
    }
    (0..people)
        .map(|number| {
            let new = NewInvitation {
                recipient: format!("simulated {number}"),
                role: Role::Assessor,
                standing: Standing::Active,
                life: INVITATION_LIFE,
            };
            office.write(move |books| books.invite(&new, "bench")).expect("people can be invited").path()
        })
        .collect()
}

/// Lets everybody come in; they take turns, since passwords take long on purpose.
fn come_in(address: &str, links: &[String]) -> Vec<Visitor> {
    let stamp = std::process::id();
    links
        .iter()
        .enumerate()
        .map(|(number, link)| {
            let mut visitor = Visitor::new(address);
            loop {
                match visitor.join(link, &format!("sim{stamp}-{number}"), "a long secret of the bench") {
                    Ok(()) => return visitor,
                    Err(testkit::crowd::Trouble::Refused(429, _)) => thread::sleep(Duration::from_secs(1)),
                    Err(trouble) => panic!("nobody comes in: {trouble}"),
                }
            }
        })
        .collect()
}

/// Everybody works until it is time to stop.
fn all_work(visitors: Vec<Visitor>, think: Duration, stop: &AtomicBool, judged: &AtomicUsize) -> Vec<Day> {
    let days = Mutex::new(Vec::new());
    let base = u64::from(std::process::id()) << 16;
    thread::scope(|scope| {
        for (number, mut visitor) in visitors.into_iter().enumerate() {
            let days = &days;
            scope.spawn(move || {
                let habits = Habits { think, seed: base + number as u64 };
                let day = work(&mut visitor, &habits, || stop.load(Ordering::Relaxed));
                let day = day.unwrap_or_else(|trouble| {
                    println!(
                        "assessor {number} stopped: {}",
                        trouble.to_string().chars().take(300).collect::<String>()
                    );
                    Day::default()
                });
                judged.fetch_add(day.kept.len(), Ordering::Relaxed);
                days.lock().expect("nobody panics with it").push(day);
            });
        }
    });
    days.into_inner().expect("nobody panics with it")
}

fn load(program: &Path, lab: &Path, people: u64, time: Duration, think: Duration) {
    let links = prepare(lab, people);
    let server = Server::start(program, lab, 0);
    let begun = Instant::now();
    let visitors = come_in(&server.address, &links);
    println!("{people} assessors came in within {:.0} s", begun.elapsed().as_secs_f64());
    let (stop, judged) = (AtomicBool::new(false), AtomicUsize::new(0));
    let begun = Instant::now();
    let days = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(time);
            stop.store(true, Ordering::Relaxed);
        });
        all_work(visitors, think, &stop, &judged)
    });
    let elapsed = begun.elapsed().as_secs_f64();
    let memory = resident(server.child.id());
    drop(server);
    let mut submits: Vec<Duration> =
        days.iter().flat_map(|day| day.kept.iter().map(|kept| kept.took)).collect();
    let mut pages: Vec<Duration> = days.iter().flat_map(|day| day.pages.iter().copied()).collect();
    println!(
        "{people} assessors, {:.0} ms to think, {elapsed:.0} s: {} judgments, {:.0} a second; memory at the end {memory}",
        think.as_secs_f64() * 1000.0,
        submits.len(),
        submits.len() as f64 / elapsed
    );
    print_times("submit", &mut submits);
    print_times("page", &mut pages);
    check(lab, &days);
}

fn kill(program: &Path, lab: &Path, people: u64, kills: u64, think: Duration) {
    let links = prepare(lab, people);
    let first = Server::start(program, lab, 0);
    let (address, port) = (first.address.clone(), first.port());
    let visitors = come_in(&address, &links);
    let (stop, judged) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut server = Some(first);
    let mut chance = 0x2545_F491_4F6C_DD1D_u64;
    let days = thread::scope(|scope| {
        let crowd = scope.spawn(|| all_work(visitors, think, &stop, &judged));
        for number in 1..=kills {
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            // At any moment: while it starts, while it works.
            thread::sleep(Duration::from_millis(50 + chance % 700));
            drop(server.take());
            server = Some(Server::start(program, lab, port));
            if number % 10 == 0 {
                println!("killed {number} times");
            }
        }
        thread::sleep(Duration::from_secs(1));
        stop.store(true, Ordering::Relaxed);
        crowd.join().expect("the crowd does not panic")
    });
    let again: usize = days.iter().map(|day| day.again).sum();
    println!("{kills} kills, {} judgments told as kept, {again} sent again", judged.load(Ordering::Relaxed));
    drop(server);
    check(lab, &days);
}

/// Looks for every judgment that was told as kept, and for any that is there twice.
fn check(lab: &Path, days: &[Day]) {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let database = Connection::open_with_flags(lab.join("lab.db"), flags).expect("the database opens");
    let mut rows: HashMap<String, Vec<(String, String)>> = HashMap::new();
    let select = "SELECT d.request, d.part, j.verdict FROM judged d JOIN judgment j ON j.number = d.judgment";
    let mut statement = database.prepare(select).expect("the tables are there");
    let found = statement
        .query_map([], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?.to_string(), row.get::<_, String>(2)?))
        })
        .expect("rows can be read");
    for row in found {
        let (request, part, verdict) = row.expect("rows can be read");
        let name = request.split_once(':').map_or(request.clone(), |(_, name)| name.to_owned());
        rows.entry(name).or_default().push((part, verdict));
    }
    let (mut lost, mut other) = (0, 0);
    for kept in days.iter().flat_map(|day| &day.kept) {
        match rows.get(&kept.request).map(Vec::as_slice) {
            None | Some([]) => lost += 1,
            Some([(part, verdict)]) if *part == kept.part && *verdict == kept.verdict => {}
            Some(_) => other += 1,
        }
    }
    let doubled = rows.values().filter(|rows| rows.len() > 1).count();
    let count =
        |select: &str| -> i64 { database.query_row(select, [], |row| row.get(0)).expect("it counts") };
    let loose = count(
        "SELECT count(*) FROM judgment WHERE origin = 'web' AND number NOT IN (SELECT judgment FROM judged)",
    );
    let told: usize = days.iter().map(|day| day.kept.len()).sum();
    println!(
        "told as kept {told}; lost {lost}, with other content {other}, doubled {doubled}, without their work {loose}; \
         the log has {} rows; integrity: {}",
        count("SELECT count(*) FROM judgment"),
        database
            .query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0))
            .expect("it is looked over")
    );
    assert!(told > 0 && lost + other + doubled == 0 && loose == 0, "judgments were lost, changed or doubled");
}

fn print_times(what: &str, times: &mut [Duration]) {
    if times.is_empty() {
        return;
    }
    times.sort_unstable();
    let at = |share: f64| {
        let place = ((times.len() - 1) as f64 * share).round() as usize;
        times[place].as_secs_f64() * 1000.0
    };
    println!(
        "{what}: p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0)
    );
}

/// Memory of a process, as the system tells it.
fn resident(process: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS"));
    line.map_or_else(|| "not known".to_owned(), |line| line.trim_start_matches("VmRSS:").trim().to_owned())
}
