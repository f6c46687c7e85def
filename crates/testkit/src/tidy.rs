//! Looking at the repository itself.

use crate::workspace_root;
use std::path::{Path, PathBuf};

/// The files of the repository, without what is built or fetched: every file
/// below the root except in hidden folders (`.ci` is one of ours) and `target`,
/// and except what fuzzing leaves behind.
///
/// # Panics
///
/// When a folder cannot be read.
#[must_use]
pub fn tracked_files() -> Vec<PathBuf> {
    fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
        let entries = std::fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
        for entry in entries {
            let path = entry.unwrap_or_else(|error| panic!("{}: {error}", dir.display())).path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if !path.is_dir() {
                files.push(path);
            } else if name == ".ci" || !(name.starts_with('.') || is_generated(&path, &name)) {
                walk(&path, files);
            }
        }
    }
    let mut files = Vec::new();
    walk(&workspace_root(), &mut files);
    files.sort();
    files
}

fn is_generated(path: &Path, name: &str) -> bool {
    let in_fuzz = path.parent().is_some_and(|parent| parent.ends_with("fuzz"));
    ["target", "node_modules"].contains(&name)
        || (in_fuzz && ["corpus", "artifacts", "coverage"].contains(&name))
}

/// What stands in backticks in a Markdown text and looks like a path: it holds
/// a slash or ends like a file of ours, and holds nothing that paths do not.
///
/// ```
/// let text = "See `crates/cli` and `README.md`, not `x + y` or `crates/*`.";
/// assert_eq!(testkit::paths_in_markdown(text), ["crates/cli", "README.md"]);
/// ```
#[must_use]
pub fn paths_in_markdown(text: &str) -> Vec<&str> {
    let endings = [".rs", ".md", ".toml", ".tsv", ".html", ".lock", ".txt", ".tex", ".tree"];
    text.lines()
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .filter(|code| code.contains('/') || endings.iter().any(|ending| code.ends_with(ending)))
        .filter(|code| code.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c)))
        .collect()
}
