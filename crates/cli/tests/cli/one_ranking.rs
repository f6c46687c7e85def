//! What people get is what is measured: a run over topics that are titles alone, and the API's search for the
//! same titles, by every system that the page offers.

use crate::util::{Dir, Running, get, sample};
use std::collections::BTreeMap;

/// What somebody types; as titles of topics, formulas between dollars stand in spans.
const TITLES: [&str; 11] = [
    "eigenvalues of a symmetric matrix",
    "why is $x^2\\ge 0$",
    "sum of $\\sum_{n=1}^\\infty \\frac1{n^2}$ and $n$",
    "$a^2+b^2$",
    "prime numbers -matrix",
    "\"symmetric matrix\" eigenvalues",
    "prove a^2+b^2>=2ab",
    "to be or not to be",
    "continuous function tag:calculus",
    "tag:calculus",
    "zxcvqq -tag:calculus",
];

/// More than any system finds on the sample.
const DEPTH: usize = 100;

/// Ids and scores.
type Ranked = Vec<(String, f64)>;

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Topics of titles alone; HTML stands in the file as text, as in those of the labs.
fn topics() -> String {
    let mut topics = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Topics>\n");
    for (number, typed) in TITLES.iter().enumerate() {
        let mut title = String::new();
        for (place, piece) in typed.split('$').enumerate() {
            let piece = escaped(piece);
            if place % 2 == 1 {
                let id = format!("q_{number}{place}");
                title.push_str(&format!("<span class=\"math-container\" id=\"{id}\">{piece}</span>"));
            } else {
                title.push_str(&piece);
            }
        }
        let title = escaped(&title);
        topics.push_str(&format!(
            "<Topic number=\"A.{number}\"><Title>{title}</Title><Question></Question><Tags></Tags></Topic>\n"
        ));
    }
    topics + "</Topics>\n"
}

/// A run, by topics.
fn run(dir: &Dir, system: &str) -> BTreeMap<usize, Ranked> {
    let depth = DEPTH.to_string();
    let arguments = [
        "run",
        "--task",
        "1",
        "--topics",
        "titles.xml",
        "--system",
        system,
        "--index",
        "all.index",
        "--format",
        "trec",
        "--depth",
        &depth,
        "-o",
        "run.tsv",
    ];
    let outcome = dir.run(&arguments);
    assert_eq!(outcome.code, 0, "{system}: {}", outcome.stderr);
    let mut found: BTreeMap<usize, Ranked> = BTreeMap::new();
    for line in std::fs::read_to_string(dir.path().join("run.tsv")).unwrap().lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let topic = fields[0].strip_prefix("A.").unwrap().parse().unwrap();
        found.entry(topic).or_default().push((fields[2].to_owned(), fields[4].parse().unwrap()));
    }
    found
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The first hits of the API for a query.
fn search(address: &str, system: &str, typed: &str, filter: &str) -> Ranked {
    let query = encoded(&format!("{typed}{filter}"));
    let answer = get(address, &format!("/api/v1/search?q={query}&system={}&limit={DEPTH}", encoded(system)));
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{system}, {typed}: {answer}");
    let body: serde_json::Value = serde_json::from_str(body.trim()).unwrap();
    let hit =
        |hit: &serde_json::Value| (hit["id"].as_str().unwrap().to_owned(), hit["score"].as_f64().unwrap());
    body["hits"].as_array().unwrap().iter().map(hit).collect()
}

#[test]
fn runs_over_titles_are_what_the_page_shows() {
    let dir = sample("one-ranking");
    dir.write("titles.xml", topics());
    let all = ["index", "sample.coll", "-o", "all.index", "--features", "all", "--post-features", "all"];
    let outcome = dir.run(&all);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let mut running = Running::start(&dir, &["serve", "--index", "all.index", "--port", "0"]);
    let (address, _) = running.address();
    let answer = get(&address, "/api/v1/systems");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let body: serde_json::Value = serde_json::from_str(body.trim()).unwrap();
    let (mut offered, mut compared) = (0, 0);
    for system in body["systems"].as_array().unwrap() {
        let usable = system["usable"].as_array().unwrap();
        if !usable.iter().any(|place| place == "search") {
            continue;
        }
        offered += 1;
        let name = system["name"].as_str().unwrap();
        let run = run(&dir, name);
        // One system returns documents of any kind for topics, too.
        let filter = if name == "formula+keywords" { "" } else { " is:answer" };
        for (number, typed) in TITLES.iter().enumerate() {
            let shown = search(&address, name, typed, filter);
            let ranked = run.get(&number).cloned().unwrap_or_default();
            let ids = |ranked: &Ranked| {
                let mut ids: Vec<String> = ranked.iter().map(|(id, _)| id.clone()).collect();
                if ranked.iter().all(|(_, score)| *score == 0.0) {
                    // With nothing to rank by, posts stand by votes on the page, which no run can say.
                    ids.sort_unstable();
                }
                ids
            };
            assert_eq!(ids(&ranked), ids(&shown), "{name}: {typed}");
            // A run has scores of 32 bits, the API six decimals.
            let same = |(one, other): (&(String, f64), &(String, f64))| {
                (one.1 - other.1).abs() <= 1e-6 * other.1.abs().max(1.0)
            };
            assert!(ranked.iter().zip(&shown).all(same), "{name}: {typed}");
            compared += usize::from(shown.len() > 3);
        }
    }
    assert!(offered > 20, "{offered} systems are offered");
    assert!(compared > offered * 4, "{compared} rankings of some length");
    running.stop("-INT");
}
