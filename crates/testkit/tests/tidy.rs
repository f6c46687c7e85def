//! The house rules that a program can check.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

use std::fs;
use std::path::Path;
use testkit::{paths_in_markdown, tracked_files, workspace_root};

/// The Rust files, with their text.
fn rust_files() -> Vec<(String, String)> {
    let root = workspace_root();
    let files: Vec<(String, String)> = tracked_files()
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| (relative(path, &root), fs::read_to_string(path).unwrap()))
        .collect();
    assert!(files.len() > 10, "only {} Rust files found", files.len());
    files
}

fn relative(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap().display().to_string()
}

fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn architecture_names_only_what_exists() {
    let root = workspace_root();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let paths = paths_in_markdown(&text);
    assert!(paths.len() >= 8, "ARCHITECTURE.md names only {paths:?}");
    let missing: Vec<String> = paths
        .iter()
        .filter(|path| !root.join(path).exists())
        .map(|path| format!("ARCHITECTURE.md names {path}, which does not exist"))
        .collect();
    assert_none(&missing);
}

#[test]
fn architecture_mentions_every_crate() {
    let root = workspace_root();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let mut complaints = Vec::new();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !text.contains(&format!("`crates/{name}`")) {
            complaints.push(format!("ARCHITECTURE.md does not mention `crates/{name}`"));
        }
    }
    for name in ["bench", "fuzz", "docs"] {
        if !text.contains(&format!("`{name}`")) {
            complaints.push(format!("ARCHITECTURE.md does not mention `{name}`"));
        }
    }
    assert_none(&complaints);
}

#[test]
fn every_rust_file_says_what_it_is() {
    let complaints: Vec<String> = rust_files()
        .into_iter()
        .filter(|(path, text)| {
            // Fuzz targets start with the attribute that takes `main` away.
            let text =
                if path.starts_with("fuzz/") { text.trim_start_matches("#![no_main]\n") } else { text };
            !text.starts_with("//!")
        })
        .map(|(path, _)| format!("{path} does not open with //!"))
        .collect();
    assert_none(&complaints);
}

#[test]
fn nothing_is_ignored_or_left_to_do() {
    // Spelled in two parts, so that this file does not find itself.
    let forbidden = [concat!("#[ig", "nore"), concat!("to", "do!("), concat!("unimple", "mented!(")];
    let mut complaints = Vec::new();
    for (path, text) in rust_files() {
        for (line, number) in text.lines().zip(1..) {
            for word in forbidden {
                if line.contains(word) {
                    complaints.push(format!("{path}:{number}: {word}"));
                }
            }
        }
    }
    assert_none(&complaints);
}

#[test]
fn no_file_is_large() {
    let root = workspace_root();
    let complaints: Vec<String> = tracked_files()
        .iter()
        .filter_map(|path| {
            let bytes = fs::metadata(path).unwrap().len();
            (bytes > 1_000_000).then(|| format!("{} has {bytes} bytes", relative(path, &root)))
        })
        .collect();
    assert_none(&complaints);
}

#[test]
fn markdown_has_one_sentence_per_line() {
    let root = workspace_root();
    let mut complaints = Vec::new();
    for path in tracked_files().iter().filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        // Posts and topics of the sample are texts as people write them.
        let name = relative(path, &root);
        if name.starts_with("crates/sample/data/") && !name.ends_with("README.md") {
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        let mut in_code = false;
        for (line, number) in text.lines().zip(1..) {
            in_code ^= line.starts_with("```");
            let prose = !in_code && !line.starts_with('|') && !line.starts_with("    ");
            let sentence_ends = line.match_indices(". ").filter(|(at, _)| {
                let numbered = line[..*at].trim_start().chars().all(|c| c.is_ascii_digit());
                !numbered && line[at + 2..].starts_with(|c: char| c.is_uppercase())
            });
            if prose && sentence_ends.count() > 0 {
                complaints.push(format!("{}:{number}: more than one sentence", relative(path, &root)));
            }
        }
    }
    assert_none(&complaints);
}
