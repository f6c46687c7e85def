//! The pages in a real browser: every flow, with and without scripts, by mouse and by keyboard.
//!
//! The server runs here over the sample; the tests are in `crates/web/tests/browser`, one file a flow, and
//! are run by Node with Playwright and axe-core. Skipped where Node, those packages or Chromium are not
//! there; `./test` gets them where it can.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

mod common;

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

    let output = Command::new("node")
        .args(["--test", "--test-concurrency=2", "--test-reporter=spec", "."])
        .current_dir(TESTS)
        .env("HYPATIA_SITE", format!("http://{}", server.address))
        .env("HYPATIA_MODEL_SITE", format!("http://{}", with_model.address))
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
    with_model.stop();
    server.stop();
}

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let known =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
    named.into_iter().chain(known).find(|path| path.is_file())
}
