//! The pages in a real browser: every flow, with and without scripts, by mouse and by keyboard.
//!
//! The server runs here over the sample; the tests are in `crates/web/tests/browser`, one file a flow, and
//! are run by Node with Playwright and axe-core. Skipped where Node, those packages or Chromium are not
//! there; `./test` gets them where it can.

use crate::common;

use common::writer::{Fake, Manner};
use common::{Running, Site};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser");

#[test]
fn every_flow_in_a_browser() {
    let skip = |reason: &str| {
        let _ = writeln!(std::io::stderr(), "SKIPPED every_flow_in_a_browser: {reason}");
    };
    if !Command::new("node").arg("--version").output().is_ok_and(|node| node.status.success()) {
        return skip("no Node");
    }
    let Some(chromium) = chromium() else { return skip("no Chromium (set CHROMIUM)") };
    if !Path::new(TESTS).join("node_modules/playwright-core").is_dir() {
        return skip("no packages (npm ci in crates/web/tests/browser)");
    }
    let site = Site::sample("web-browser");
    let server = Running::start(&site);
    // The same with a language model, for the flows that need one.
    let said = "It is irrational [1]: from $a^2=2b^2$ both would be even. <script>alert(1)</script>";
    let fake = Fake::new(Manner::Either(said.to_owned()));
    let index = site.folder.path().join("sample.index");
    let with_model = Running::serving(web::App::open(&index, fake.config()).unwrap());

    // And one with everything that can be too wide for a screen.
    let posts = common::collection(site.folder.path(), "wide.coll", &wide_posts());
    common::index_of(&posts, &site.folder.path().join("wide.index"));
    let wide = web::App::open(&site.folder.path().join("wide.index"), common::patient()).unwrap();
    let wide = Running::serving(wide);

    let output = Command::new("node")
        .args(["--test", "--test-concurrency=2", "--test-reporter=spec", "."])
        .current_dir(TESTS)
        .env("HYPATIA_SITE", format!("http://{}", server.address))
        .env("HYPATIA_MODEL_SITE", format!("http://{}", with_model.address))
        .env("HYPATIA_WIDE_SITE", format!("http://{}", wide.address))
        .env("CHROMIUM", chromium)
        // Profiles go where they are removed again.
        .env("TMPDIR", site.folder.path())
        .env_remove("NODE_OPTIONS")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}\n{}", String::from_utf8_lossy(&output.stderr));
    // What was measured is worth reading, though nothing depends on it.
    for line in report.lines().filter(|line| line.contains("measured")) {
        let _ = writeln!(std::io::stderr(), "{}", line.trim());
    }
    wide.stop();
    with_model.stop();
    server.stop();
}

/// Posts with wide things in each place where there can be some, votes and dates for some of them.
fn wide_posts() -> String {
    let sum = (0..60).map(|k| format!("x_{{{k}}}")).collect::<Vec<_>>().join("+");
    let row = (0..30).map(|k| format!("a_{{{k}}}")).collect::<Vec<_>>().join("&");
    let matrix = format!("\\begin{{pmatrix}}{row}\\\\{row}\\end{{pmatrix}}");
    let word = "Donaudampfschifffahrtsgesellschaft".repeat(8);
    let header = (0..24).map(|k| format!("|column {k}")).collect::<String>();
    let table = format!("{header}|\n{}|\n{header}|", "|---".repeat(24));
    let code = format!("```\nlet sum = {};\n```", sum.replace(['{', '}'], ""));
    let body = format!(
        "wide words\n\n$${sum}$$\n\ninline ${sum}$ and ${matrix}$, then {word}.\n\n\
         - item ${sum}$\n    - deeper ${sum}$\n\n> quoted ${sum}$ and `{word}`\n\n{table}\n\n{code}\n"
    );
    let posts = [
        serde_json::json!({"kind": "question", "id": 1, "title": format!("wide matrix ${matrix}$ and {word}"),
            "body": body, "tags": [word, "matrices"], "score": 4, "date": "2015-02-03"}),
        serde_json::json!({"kind": "answer", "id": 2, "parent": 1, "body": body, "score": 11, "date": "2014-02-03"}),
        serde_json::json!({"kind": "comment", "id": 9, "post": 2, "body": format!("wide {word} ${sum}$ $${sum}$$")}),
        serde_json::json!({"kind": "question", "id": 3, "title": format!("wide sum ${sum}$"), "body": "See 1.",
            "score": 2, "date": "2016-02-03"}),
        serde_json::json!({"kind": "link", "from": 3, "to": 1, "link": "related"}),
        serde_json::json!({"kind": "document", "id": 4, "body": format!("## wide {word} ${matrix}$\n\nText")}),
    ];
    posts.iter().map(|post| format!("{post}\n")).collect()
}

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let known =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
    named.into_iter().chain(known).find(|path| path.is_file())
}
