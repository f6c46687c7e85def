//! The commands of README.md, run as they stand, from top to bottom, in one empty folder.

use crate::util::{Dir, Running, get};
use std::path::Path;
use std::process::{Command, Stdio};

const README: &str = include_str!("../../../../README.md");

/// The lines of the blocks that begin with this fence, continued lines joined.
fn blocks(fence: &str) -> Vec<Vec<String>> {
    let mut blocks = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        if line != fence {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let block = block.join("\n").replace("\\\n", " ");
        blocks.push(block.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect());
    }
    blocks
}

/// A command without the comment at its end.
fn without_comment(line: &str) -> &str {
    line.split("  #").next().unwrap_or(line).trim_end()
}

#[test]
fn every_command_of_the_readme_works_as_it_stands() {
    let dir = Dir::new("readme");
    let bin = Path::new(env!("CARGO_BIN_EXE_hypatia")).parent().unwrap().display().to_string();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
    let mut run = 0;
    for block in blocks("```console") {
        let mut servers: Vec<(Running, String)> = Vec::new();
        for line in &block {
            let command = without_comment(line);
            if command == "./test" {
                continue;
            }
            run += 1;
            let command = command.replace("cargo run --release -- ", "hypatia ");
            if let Some(arguments) = server(&command) {
                // On any free port, since others may be taken here.
                let arguments = [&arguments[..], &["--port", "0"]].concat();
                let mut running = Running::start(&dir, &arguments);
                let (address, _) = running.address();
                let host = address.split('/').next().unwrap().to_owned();
                let health = get(&host, "/healthz");
                assert!(health.starts_with("HTTP/1.1 200"), "{command}: {health}");
                servers.push((running, host));
            } else if let Some(address) = command.strip_prefix("curl ") {
                let (_, place) = address.trim_matches('\'').split_once(":8080").unwrap();
                let answer = get(&servers.last().unwrap().1, place);
                assert!(
                    answer.starts_with("HTTP/1.1 200") && answer.contains("\"hits\""),
                    "{command}: {answer}"
                );
            } else {
                let mut shell = Command::new("bash");
                shell.args(["-c", &format!("set -e\n{command}")]).env("PATH", &path).stdout(Stdio::piped());
                dir.isolate(&mut shell);
                let output = shell.output().unwrap();
                let told = String::from_utf8_lossy(&output.stderr);
                // Like diff(1), it says by its exit code that the runs differ.
                let expected = i32::from(command.starts_with("hypatia diff "));
                assert_eq!(output.status.code(), Some(expected), "{command}\n{told}");
            }
        }
        for (running, _) in servers {
            assert_eq!(running.stop("-INT").0, Some(0));
        }
    }
    assert!(run >= 40, "{run} commands were run");
}

/// The arguments of a command that serves until it is stopped.
fn server(command: &str) -> Option<Vec<&str>> {
    let arguments = command.strip_prefix("hypatia ")?;
    let serves = ["serve", "demo", "lab assess"].iter().any(|name| arguments.starts_with(name));
    serves.then(|| arguments.split_whitespace().collect())
}

/// Commands that need one's own files are not run, so they stand where the text says that they do, and they are
/// at least commands and options that exist.
#[test]
fn commands_that_need_own_data_say_so() {
    let (ours, own) = README.split_once("## Your own data\n\nThese commands need files of yours").unwrap();
    assert!(!ours.contains("```console own-data"));
    assert!(own.matches("```console own-data").count() >= 2);
    let dir = Dir::new("readme-own");
    for line in blocks("```console own-data").iter().flatten() {
        let command = without_comment(line);
        let words: Vec<&str> = command.split_whitespace().collect();
        assert_eq!(words[0], "hypatia", "{command}");
        let names: Vec<&str> = words[1..]
            .iter()
            .copied()
            .take_while(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()))
            .collect();
        let help = [&names[..1.max(names.len().min(2))], &["--help"]].concat();
        let help = dir.run(&help);
        assert_eq!(help.code, 0, "{command}: {}", help.stderr);
        for option in words.iter().filter(|word| word.starts_with("--")) {
            assert!(help.stdout.contains(option), "{command}: there is no {option}");
        }
    }
}

#[test]
fn pictures_and_pages_that_the_readme_names_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let links = README.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
    let files: Vec<&str> = links.filter(|link| !link.starts_with('#')).collect();
    assert!(files.len() >= 20);
    for file in files {
        assert!(root.join(file).is_file(), "{file}");
    }
}
