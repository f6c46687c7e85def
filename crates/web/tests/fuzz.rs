//! Many requests that the description allows, and many that it does not, made up by schemathesis.

use crate::common;

use common::{Running, Site};
use std::env;
use std::path::PathBuf;
use std::process::Command;

/// The program, on the path or where `SCHEMATHESIS` says.
fn program() -> Option<PathBuf> {
    let named = env::var_os("SCHEMATHESIS").map(PathBuf::from);
    let folders = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&folders).map(|folder| folder.join("schemathesis"));
    named.or_else(|| on_path.into_iter().find(|path| path.is_file()))
}

/// An address may be too long although each of its parameters is not, and a request that breaks several rules
/// may be sent away for any of them.
const SETTINGS: &str = r#"
[checks]
negative_data_rejection.expected-statuses = [400, 404, 405, 413, 414, 415, 431]
positive_data_acceptance.expected-statuses = ["2xx", 404, 414]
"#;

#[test]
fn the_api_holds_against_schemathesis() {
    let Some(program) = program() else {
        return testkit::skip("schemathesis is not on the path; `pip install schemathesis` brings it");
    };
    let site = Site::sample("fuzz");
    let running = Running::start(&site);
    site.folder.write("schemathesis.toml", SETTINGS);
    let output = Command::new(program)
        .current_dir(site.folder.path())
        .arg("run")
        .arg(format!("http://{}/api/v1/openapi.json", running.address))
        .args(["--checks", "all", "--max-examples", "25", "--generation-deterministic", "--no-color"])
        .args(["--request-timeout", "30"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
    running.stop();
}
