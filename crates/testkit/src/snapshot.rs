//! Snapshots: an input file, and beside it a file with what should come of it.

use std::fs;
use std::path::{Path, PathBuf};

/// Runs `make` on every file of `dir` that ends in `.{input}` and compares the
/// result with the file of the same name that ends in `.{output}`. The last
/// line end of the input is not part of it.
///
/// With `UPDATE_EXPECT=1` in the environment the output files are rewritten
/// instead; read the difference before committing it.
///
/// # Panics
///
/// When a result differs (all of them are listed), when an output file has no
/// input, and when there is no input at all.
pub fn check_dir(dir: impl AsRef<Path>, input: &str, output: &str, make: impl Fn(&str) -> String) {
    check(dir.as_ref(), input, output, std::env::var_os("UPDATE_EXPECT").is_some(), make);
}

fn check(dir: &Path, input: &str, output: &str, update: bool, make: impl Fn(&str) -> String) {
    let inputs = files(dir, input);
    assert!(!inputs.is_empty(), "{}: no .{input} files, so nothing was tested", dir.display());
    let mut failures = String::new();
    for path in &inputs {
        let source = read(path);
        let actual = make(source.strip_suffix('\n').unwrap_or(&source));
        let beside = path.with_extension(output);
        if update {
            fs::write(&beside, &actual).unwrap_or_else(|error| panic!("{}: {error}", beside.display()));
            continue;
        }
        let expected = if beside.exists() { read(&beside) } else { String::from("(no such file)\n") };
        if expected != actual {
            let place = first_difference(&expected, &actual);
            failures.push_str(&format!(
                "\n{}: {place}\n--- expected\n{expected}\n--- actual\n{actual}\n",
                beside.display()
            ));
        }
    }
    for path in files(dir, output) {
        if !path.with_extension(input).exists() {
            failures.push_str(&format!("\n{}: has no .{input} file beside it\n", path.display()));
        }
    }
    assert!(failures.is_empty(), "{failures}\nrun again with UPDATE_EXPECT=1 to accept what is new");
}

fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap_or_else(|error| panic!("{}: {error}", dir.display())).path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn first_difference(expected: &str, actual: &str) -> String {
    let same = expected.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
    format!("differs from line {}", same + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TempDir;
    use std::panic::catch_unwind;

    #[test]
    fn rewrites_then_agrees_then_fails() {
        let dir = TempDir::new("snapshot");
        dir.write("a.tex", "x\n");
        let outcome = |make: fn(&str) -> String| {
            let path = dir.path().to_owned();
            catch_unwind(move || check(&path, "tex", "tree", false, make)).is_ok()
        };
        assert!(!outcome(|source| format!("<{source}>\n")), "without the output file");
        check(dir.path(), "tex", "tree", true, |source| format!("<{source}>\n"));
        assert_eq!(read(&dir.path().join("a.tree")), "<x>\n");
        assert!(outcome(|source| format!("<{source}>\n")));
        assert!(!outcome(|source| format!("[{source}]\n")));
        dir.write("b.tree", "orphan\n");
        assert!(!outcome(|source| format!("<{source}>\n")), "with an orphan");
    }

    #[test]
    fn an_empty_folder_fails() {
        let dir = TempDir::new("snapshot-empty");
        let path = dir.path().to_owned();
        assert!(catch_unwind(move || check(&path, "tex", "tree", false, str::to_owned)).is_err());
    }
}
