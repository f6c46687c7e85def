//! Every search that README, help and pages show as an example finds the right thing first, on the sample.
//!
//! `crates/sample/data/examples.tsv` says what is right. An example that is shown and not in the table fails,
//! so that nobody shows one without knowing what it finds.

use crate::util::{Dir, Running, get};
use serde_json::Value;
use std::collections::BTreeMap;

/// Queries, each with the threads of which one has to come first; none if any hit is right.
fn examples() -> BTreeMap<&'static str, Vec<&'static str>> {
    let table = include_str!("../../../sample/data/examples.tsv");
    let rows = table.lines().skip(1).map(|line| line.split_once('\t').unwrap());
    rows.map(|(query, first)| (query, first.split(',').filter(|id| *id != "any").collect())).collect()
}

/// Commands `hypatia search '…'` and `hypatia ask '…'` in a text, by the last quoted argument.
fn commands<'t>(text: &'t str, command: &str) -> Vec<&'t str> {
    let lines = text.lines().map(str::trim).filter(|line| line.starts_with(command));
    let quoted = lines.filter_map(|line| {
        let end = line.rfind('\'')?;
        let start = line[..end].rfind('\'')?;
        Some(&line[start + 1..end])
    });
    quoted.filter(|query| !query.starts_with('.')).collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let text = text.replace('+', " ").replace("&amp;", "&");
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// What the links of a page search for, words and formula together.
fn links(page: &str) -> Vec<String> {
    let links = page.split("href=\"/search?").skip(1).map(|rest| rest.split('"').next().unwrap());
    let mut queries = Vec::new();
    for link in links {
        let link = link.replace("&amp;", "&");
        let value = |name: &str| link.split('&').find_map(|pair| pair.strip_prefix(name)).map(decoded);
        let formula = value("f=").filter(|formula| !formula.is_empty()).map(|formula| format!("${formula}$"));
        let parts = [value("q="), formula].into_iter().flatten().filter(|part| !part.is_empty());
        queries.push(parts.collect::<Vec<_>>().join(" "));
    }
    queries
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn every_example_finds_the_right_thing_first() {
    let dir = Dir::new("examples");
    let mut running = Running::start(&dir, &["demo", "--port", "0"]);
    let (address, tries) = running.address();
    let examples = examples();
    let mut shown: Vec<String> = links(&get(&address, "/"));
    assert!(shown.len() >= 6, "{shown:?}");
    shown.extend(links(&get(&address, "/help")));
    assert!(shown.len() >= 25, "{shown:?}");
    shown.extend(
        tries.lines().filter_map(|line| line.split_once("/search?q=")).map(|(_, query)| decoded(query)),
    );
    let readme = include_str!("../../../../README.md").to_owned();
    let help = |arguments: &[&str]| dir.run(arguments).stdout;
    let texts = [readme, help(&["--help"]), help(&["search", "--help"]), help(&["ask", "--help"])];
    let mut asked: Vec<String> = Vec::new();
    for text in &texts {
        shown.extend(commands(text, "hypatia search").into_iter().map(ToOwned::to_owned));
        asked.extend(commands(text, "hypatia ask").into_iter().map(ToOwned::to_owned));
    }
    assert!(shown.len() >= 35 && asked.len() >= 6, "{} and {}", shown.len(), asked.len());
    let ask = get(&address, "/ask");
    let placeholder = ask.split("placeholder=\"").nth(1).unwrap().split('"').next().unwrap();
    asked.push(placeholder.to_owned());
    asked.extend(
        tries.lines().filter_map(|line| line.split_once("/ask?title=")).map(|(_, title)| decoded(title)),
    );
    for query in shown.iter().chain(&asked) {
        assert!(examples.contains_key(query.as_str()), "{query} is shown, but not in examples.tsv");
    }

    let json = |path: &str| -> Value {
        let answer = get(&address, path);
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    };
    let mut wrong = Vec::new();
    for (query, right) in &examples {
        let found = json(&format!("/api/v1/search?limit=3&q={}", encoded(query)));
        let threads: Vec<&str> = found["hits"].as_array().unwrap().iter().map(thread).collect();
        let fits = threads.first().is_some_and(|first| right.is_empty() || right.contains(first));
        if !fits {
            wrong.push(format!("{query}: {right:?}, found {threads:?}"));
        }
    }
    for question in &asked {
        let right = &examples[question.as_str()];
        let found = json(&format!("/api/v1/answer?q={}", encoded(question)));
        if !right.iter().any(|id| {
            source(&found).contains(&format!("/thread/{id}#"))
                || source(&found).contains(&format!("/thread/{id}\""))
        }) {
            wrong.push(format!("asked: {question}: {right:?}, answered from {}", source(&found)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), examples.len(), wrong.join("\n"));
}

/// The thread of a hit.
fn thread(hit: &Value) -> &str {
    hit["question_id"].as_str().or(hit["id"].as_str()).unwrap()
}

/// Where an answer comes from.
fn source(answer: &Value) -> String {
    answer.to_string()
}

/// The judged queries of `bench/search/typed.jsonl` over the sample; `bench/search/typed.py` measures all of them.
#[test]
fn judged_queries_find_the_right_thread() {
    let dir = Dir::new("judged-queries");
    let mut running = Running::start(&dir, &["demo", "--port", "0"]);
    let (address, _) = running.address();
    let (mut queries, mut first, mut in_three, mut missed) = (0, 0, 0, Vec::new());
    for line in include_str!("../../../../bench/search/typed.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        if row["collection"] != "sample" {
            continue;
        }
        let query = row["query"].as_str().unwrap();
        let found = get(&address, &format!("/api/v1/search?group=threads&limit=3&q={}", encoded(query)));
        let found: Value = serde_json::from_str(&found[found.find('{').unwrap()..]).unwrap();
        let thread = |hit: &Value| -> u64 {
            let id = hit["question_id"].as_str().or(hit["id"].as_str()).unwrap();
            id.parse().unwrap()
        };
        let is_right = |hit: &Value| row["right"].as_array().unwrap().contains(&thread(hit).into());
        let rank = found["hits"].as_array().unwrap().iter().position(is_right);
        queries += 1;
        first += usize::from(rank == Some(0));
        in_three += usize::from(rank.is_some());
        if rank != Some(0) {
            missed.push(query.to_owned());
        }
    }
    assert!(queries > 200, "{queries}");
    assert!(first * 100 >= queries * 88, "{first} of {queries} first; not: {missed:#?}");
    assert!(in_three * 100 >= queries * 95, "{in_three} of {queries} in three; not first: {missed:#?}");
}
