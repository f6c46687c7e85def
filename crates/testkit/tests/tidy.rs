//! The house rules that a program can check.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

use std::collections::{BTreeMap, BTreeSet};
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

/// The functions that the section on the two journeys names are in the files that it names.
#[test]
fn architecture_follows_data_through_functions_that_exist() {
    let root = workspace_root();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let section = text.split("\n## Two journeys\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut complaints = Vec::new();
    let mut hops = 0;
    for row in section.lines().filter(|line| line.starts_with('|') && line.contains(".rs`")) {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let (file, function) = (cells[2], cells[3]);
        hops += 1;
        let source = fs::read_to_string(root.join(file)).unwrap_or_default();
        let named = |rest: &str| rest.starts_with(['(', '<']);
        if !source.split(&format!("fn {function}")).skip(1).any(named) {
            complaints.push(format!("ARCHITECTURE.md: {file} has no function {function}"));
        }
    }
    assert!(hops > 20, "only {hops} hops are named");
    assert_none(&complaints);
}

/// Crate to the crates of ours that it depends on, tests left out.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let root = workspace_root();
    let folders = fs::read_dir(root.join("crates")).unwrap();
    let names: BTreeSet<String> =
        folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let of = |name: &String| {
        let manifest = fs::read_to_string(root.join("crates").join(name).join("Cargo.toml")).unwrap();
        let table = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
        let lines = table.lines().take_while(|line| !line.starts_with('['));
        let keys = lines.filter_map(|line| line.split(['.', ' ', '=']).next().map(str::to_owned));
        keys.filter(|key| names.contains(key)).collect()
    };
    names.iter().map(|name| (name.clone(), of(name))).collect()
}

/// All that a crate depends on, directly or not.
fn reached(graph: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(name) = open.pop() {
        open.extend(graph[name].iter().filter(|next| found.insert((*next).clone())).map(String::as_str));
    }
    found
}

/// One line per crate, by the length of its longest chain of dependencies; what a dependency depends on, too, is left
/// out.
fn drawn(graph: &BTreeMap<String, BTreeSet<String>>) -> String {
    fn level(graph: &BTreeMap<String, BTreeSet<String>>, name: &str) -> usize {
        graph[name].iter().map(|next| level(graph, next) + 1).max().unwrap_or(0)
    }
    let mut levels: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for name in graph.keys() {
        levels.entry(level(graph, name)).or_default().push(name);
    }
    let mut out = String::from("```\n");
    for (level, names) in levels.iter().rev() {
        for name in names {
            let direct = &graph[*name];
            let indirect: BTreeSet<String> = direct.iter().flat_map(|next| reached(graph, next)).collect();
            let shown: Vec<&str> = direct.difference(&indirect).map(String::as_str).collect();
            let arrow = if shown.is_empty() { "" } else { " ─► " };
            out.push_str(format!("{level:2}  {name:<10}{arrow}{}", shown.join(" · ")).trim_end());
            out.push('\n');
        }
    }
    out.push_str("```\n");
    out
}

#[test]
fn architecture_draws_the_dependencies_as_they_are() {
    const START: &str = "<!-- dependencies -->\n";
    const END: &str = "<!-- end of dependencies -->\n";
    let path = workspace_root().join("ARCHITECTURE.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(START).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    let expected = drawn(&dependencies());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, format!("{before}{START}{expected}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(found, expected, "UPDATE_EXPECT=1 cargo test -p hypatia-testkit draws it again");
}

/// Dependencies that code does not name, and why they are there.
const UNNAMED: [(&str, &str); 3] = [
    // The tests of `cli` include the hub of the tests of `shelf`, which uses both.
    ("cli", "sha1"),
    ("cli", "sha2"),
    // There for its feature, which removes a level of logging.
    ("generate", "log"),
];

#[test]
fn every_dependency_is_used() {
    let root = workspace_root();
    let sources = rust_files();
    let manifests = tracked_files();
    let manifests =
        manifests.iter().map(|path| relative(path, &root)).filter(|path| path.ends_with("Cargo.toml"));
    let mut complaints = Vec::new();
    let mut seen = 0;
    for manifest in manifests {
        let folder = manifest.strip_suffix("Cargo.toml").unwrap();
        let crate_name = folder.trim_end_matches('/').rsplit('/').next().unwrap();
        let named = |name: &str, tests: bool| {
            let files = sources.iter().filter(|(path, _)| {
                path.strip_prefix(folder).is_some_and(|rest| tests || !rest.starts_with("tests/"))
            });
            files.flat_map(|(_, text)| text.lines()).any(|line| {
                let code = line.split("//").next().unwrap_or_default();
                names_crate(code, name)
            })
        };
        let text = fs::read_to_string(root.join(&manifest)).unwrap();
        let mut section = "";
        for line in text.lines() {
            if line.starts_with('[') {
                section = line.trim_matches(['[', ']']);
                continue;
            }
            let dependency = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let is_dependency = section.ends_with("dependencies") && !section.starts_with("workspace");
            if !is_dependency || dependency.is_empty() || dependency.starts_with('#') {
                continue;
            }
            seen += 1;
            let known = UNNAMED.contains(&(crate_name, dependency));
            if !known && !named(&dependency.replace('-', "_"), section.starts_with("dev")) {
                complaints.push(format!("{manifest}: nothing in [{section}] uses {dependency}"));
            }
        }
    }
    assert!(seen > 200, "only {seen} dependencies found");
    assert_none(&complaints);
}

/// Whether a line of code names a crate: in a path, or as the last part of a `use`.
fn names_crate(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let starts = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
        let in_path = after.trim_start().starts_with("::");
        let in_use = before.trim_end().ends_with("use") && after.starts_with([';', ' ']);
        starts && (in_path || in_use)
    })
}

#[test]
fn packages_have_the_name_of_their_folder() {
    let root = workspace_root();
    let mut complaints = Vec::new();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let folder = entry.unwrap().file_name().into_string().unwrap();
        let manifest = fs::read_to_string(root.join("crates").join(&folder).join("Cargo.toml")).unwrap();
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = ")).unwrap_or_default();
        if folder != "hypatia" && name != format!("\"hypatia-{folder}\"") {
            complaints.push(format!("crates/{folder} is called {name}"));
        }
    }
    assert_none(&complaints);
}

/// Crates that compute: they take values and return values.
const COMPUTING: [&str; 17] = [
    "answer",
    "eval",
    "figures",
    "formula",
    "fuse",
    "grader",
    "labreport",
    "latex",
    "markup",
    "pool",
    "post",
    "render",
    "retrieve",
    "stats",
    "text",
    "topics",
    "vectors",
];

#[test]
fn crates_that_compute_open_no_file() {
    let mut complaints = Vec::new();
    let mut seen = BTreeSet::new();
    for (path, text) in rust_files() {
        let Some((name, _)) = path.strip_prefix("crates/").and_then(|rest| rest.split_once("/src/")) else {
            continue;
        };
        let Some(name) = COMPUTING.iter().find(|known| **known == name) else { continue };
        seen.insert(*name);
        for (line, number) in text.lines().zip(1..) {
            let code = line.split("//").next().unwrap_or_default();
            if ["std::fs", " fs::", "(fs::", " File::", "(File::"].iter().any(|word| code.contains(word)) {
                complaints.push(format!("{path}:{number}: {name} opens no file"));
            }
        }
    }
    assert_eq!(seen.len(), COMPUTING.len(), "crates that compute: {seen:?}");
    assert_none(&complaints);
}

/// Functions that are long because they are tables: a line for each thing.
const TABLES: [(&str, &str); 4] = [
    ("crates/claims/src/grammar.rs", "mode"),
    ("crates/formula/src/mathml/entities.rs", "named"),
    ("crates/latex/src/parser/commands.rs", "structure"),
    ("crates/synth/src/formula/atoms.rs", "symbol"),
];

#[test]
fn files_and_functions_are_short() {
    const LONGEST_FILE: usize = 800;
    const LONGEST_FUNCTION: usize = 120;
    let mut complaints = Vec::new();
    let mut functions = 0;
    for (path, text) in rust_files() {
        let lines: Vec<&str> = text.lines().collect();
        if lines.len() > LONGEST_FILE {
            complaints.push(format!("{path} has {} lines", lines.len()));
        }
        let is_library = path.starts_with("crates/") && path.contains("/src/");
        for (start, line) in lines.iter().enumerate().filter(|_| is_library) {
            let Some(name) = function_name(line) else { continue };
            let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
            let Some(length) = lines[start..].iter().position(|line| *line == end) else { continue };
            functions += 1;
            if length >= LONGEST_FUNCTION && !TABLES.contains(&(path.as_str(), name)) {
                complaints.push(format!("{path}:{}: {name} has {} lines", start + 1, length + 1));
            }
        }
    }
    assert!(functions > 5000, "only {functions} functions found");
    assert_none(&complaints);
}

/// The name of the function that begins on a line, unless it ends there.
fn function_name(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("fn ")?;
    let modifiers = before.split_whitespace().all(|word| {
        matches!(word, "pub" | "const" | "async" | "unsafe" | "extern") || word.starts_with("pub(")
    });
    let ends = line.ends_with('}') || line.ends_with(';');
    let name = rest.split(['(', '<']).next()?;
    (modifiers && !ends).then_some(name)
}

/// A file in `systems` that the program does not carry could be named in a document and never run.
#[test]
fn every_system_file_is_shipped() {
    let root = workspace_root();
    let mut complaints = Vec::new();
    for (folder, list) in [
        ("systems", "crates/retrieve/src/system/shipped.rs"),
        ("systems/answers", "crates/answer/src/system.rs"),
    ] {
        let listed = fs::read_to_string(root.join(list)).unwrap();
        let mut files = 0;
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            if !file.ends_with(".toml") {
                continue;
            }
            files += 1;
            if !listed.contains(&format!("/{folder}/{file}\")")) {
                complaints.push(format!("{folder}/{file} is not in {list}"));
            }
        }
        assert!(files > 5, "only {files} systems in {folder}");
        let carried = listed.matches(&format!("/{folder}/")).count();
        assert_eq!(carried, files, "{list} carries {carried} files of {folder}");
    }
    assert_none(&complaints);
}

/// The two sites of `web` share what stands beside them, and nothing else.
#[test]
fn the_sites_of_web_do_not_name_each_other() {
    let root = workspace_root();
    let sides = [("site", "crate::assess"), ("assess", "crate::site")];
    let mut complaints = Vec::new();
    let mut seen = [0; 2];
    for path in tracked_files() {
        let name = relative(&path, &root);
        let source = name.strip_prefix("crates/web/src/");
        let template = name.strip_prefix("crates/web/templates/");
        let side = match (source, template) {
            (Some(rest), _) if rest.starts_with("site") => 0,
            (Some(rest), _) if rest.starts_with("assess") => 1,
            (_, Some(rest)) => usize::from(rest.starts_with("assess/")),
            _ => continue,
        };
        seen[side] += 1;
        let (this, other) = sides[side];
        for (line, number) in fs::read_to_string(&path).unwrap().lines().zip(1..) {
            if line.contains(other) {
                complaints.push(format!("{name}:{number}: `{this}` names `{other}`"));
            }
        }
    }
    assert!(seen.iter().all(|files| *files > 20), "{seen:?} files found");
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
