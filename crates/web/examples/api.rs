//! Asks the API of a running server; `docs/api.md` shows it from the first `use` on.

#![allow(clippy::print_stdout, reason = "it prints what it was told")]

use serde_json::{Value, json};

fn api(path: &str) -> String {
    let api = std::env::var("HYPATIA_API").unwrap_or("http://127.0.0.1:8080/api/v1".to_owned());
    format!("{api}{path}")
}

fn get(path: &str, parameters: &[(&str, &str)]) -> Result<Value, ureq::Error> {
    let request = ureq::get(api(path)).query_pairs(parameters.iter().copied());
    request.call()?.body_mut().read_json()
}

fn main() -> Result<(), ureq::Error> {
    let found = get("/search", &[("q", "Pascal's triangle"), ("f", r"\sum\binom nk^2"), ("limit", "1")])?;
    println!("{}", found["hits"][0]["title"]);

    let found = get("/formulas", &[("f", r"\int ?f dx"), ("limit", "1")])?;
    println!("{} whole: {}", found["query"]["formulas"][0], found["hits"][0]["whole"]);

    let preview = get("/preview", &[("q", r"why is $\frac{a}{\foo}$ so")])?;
    println!("{}", preview["formulas"][0]["diagnostics"][0]["message"]);

    let question = json!({ "title": r"Why is $\sqrt 2$ irrational?", "systems": ["bm25"], "limit": 2 });
    let answer: Value = ureq::post(api("/ask")).send_json(&question)?.body_mut().read_json()?;
    println!("{} answers", answer["rankings"][0]["hits"].as_array().map_or(0, Vec::len));
    Ok(())
}
