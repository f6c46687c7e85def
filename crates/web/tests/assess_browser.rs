//! Judging in a real browser: by keys alone, with a server that fails, on a phone.
//!
//! The pages are served here over the sample's lab; the tests are in `crates/web/tests/browser/assess`. Skipped
//! where Node, its packages or Chromium are not there, as in `browser.rs`.

use crate::common;

use common::judging::JudgingSite;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser");

#[test]
fn judging_in_a_browser() {
    let skip = |reason: &str| {
        let _ = writeln!(std::io::stderr(), "SKIPPED judging_in_a_browser: {reason}");
    };
    if !Command::new("node").arg("--version").output().is_ok_and(|node| node.status.success()) {
        return skip("no Node");
    }
    let Some(chromium) = chromium() else { return skip("no Chromium (set CHROMIUM)") };
    if !Path::new(TESTS).join("node_modules/playwright-core").is_dir() {
        return skip("no packages (npm ci in crates/web/tests/browser)");
    }
    let site = JudgingSite::start("assess-browser");
    let output = Command::new("node")
        .args(["--test", "--test-concurrency=2", "--test-reporter=spec", "assess/judging.mjs"])
        .current_dir(TESTS)
        .env("HYPATIA_SITE", format!("http://{}", site.address))
        .env("HYPATIA_PEOPLE", site.people.to_string())
        .env("CHROMIUM", chromium)
        // Profiles go where they are removed again.
        .env("TMPDIR", site.bureau.folder.path())
        .env_remove("NODE_OPTIONS")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}\n{}", String::from_utf8_lossy(&output.stderr));
    let judgments = site.bureau.rows(&[])["judgment"].len();
    assert!(judgments > 0);
    site.stop();
}

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let known =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
    named.into_iter().chain(known).find(|path| path.is_file())
}
