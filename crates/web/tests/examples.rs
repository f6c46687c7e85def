//! The examples of `docs/api.md` print what they say.

use crate::common;

use common::{Running, Site};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A block of code, its language, and what it prints.
struct Example {
    language: String,
    code: String,
    prints: String,
}

fn examples(document: &str) -> Vec<Example> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in document.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => open = Some((language.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, code))) => {
                code.push_str(line);
                code.push('\n');
            }
            (None, None) => {}
        }
    }
    let mut examples = Vec::new();
    let mut blocks = blocks.into_iter();
    while let Some((language, code)) = blocks.next() {
        let (kind, prints) = blocks.next().unwrap();
        assert_eq!(kind, "text", "what this prints comes next: {code}");
        examples.push(Example { language, code, prints });
    }
    examples
}

fn runs(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The program of the example, which cargo builds with the tests.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().and_then(Path::parent).unwrap().join("examples/api");
    assert!(program.is_file(), "{}: `cargo build -p hypatia-web --example api` makes it", program.display());
    program
}

#[test]
fn examples_print_what_they_say() {
    let site = Site::sample("examples");
    let running = Running::start(&site);
    let document = fs::read_to_string(testkit::workspace_root().join("docs/api.md")).unwrap();
    let examples = examples(&document);
    assert!(examples.len() >= 7, "{}", examples.len());
    let here = format!("http://{}", running.address);
    let mut missing = Vec::new();
    for example in &examples {
        let code = example.code.replace("http://127.0.0.1:8080", &here);
        assert_ne!(code, example.code, "it asks the server");
        let mut command = match example.language.as_str() {
            "sh" if runs("curl") && runs("jq") => Command::new("sh"),
            "python" if runs("python3") => Command::new("python3"),
            "rust" => {
                let file = fs::read_to_string(testkit::workspace_root().join("crates/web/examples/api.rs"));
                assert!(file.unwrap().ends_with(&example.code), "docs/api.md shows another program");
                // The address is in the program; it is built with another one here.
                continue;
            }
            other => {
                missing.push(other.to_owned());
                continue;
            }
        };
        let output = command.args(["-c", &code]).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(printed.trim_end(), example.prints.trim_end(), "{code}\n{told}");
    }
    if !missing.is_empty() {
        testkit::skip(&format!("no program for examples in {}", missing.join(", ")));
    }
    let rust = examples.iter().find(|example| example.language == "rust").unwrap();
    let output = Command::new(program()).env("HYPATIA_API", format!("{here}/api/v1")).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), rust.prints, "{told}");
    running.stop();
}
