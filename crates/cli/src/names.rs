//! What runs are called in tables and on pages.

use anyhow::{Result, bail};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// What standard input is called among files.
pub(crate) const STDIN: &str = "-";

/// The names of files without folder and ending, or their paths where these are not enough.
pub(crate) fn of_files(paths: &[PathBuf]) -> Vec<String> {
    let short: Vec<String> = paths.iter().map(|path| short_name(path)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in &short {
        *counts.entry(name).or_default() += 1;
    }
    let name = |(path, short): (&PathBuf, &String)| {
        if counts[short.as_str()] == 1 { short.clone() } else { path.display().to_string() }
    };
    paths.iter().zip(&short).map(name).collect()
}

/// The same for files of which none may be given twice.
pub(crate) fn of_distinct_files(paths: &[PathBuf]) -> Result<Vec<String>> {
    let mut seen = HashSet::new();
    if let Some(twice) = paths.iter().find(|path| !seen.insert(path.as_path())) {
        bail!("{}: is given twice", twice.display());
    }
    Ok(of_files(paths))
}

/// The name of a file without its folder and its ending.
fn short_name(path: &Path) -> String {
    if path == Path::new(STDIN) {
        return "standard input".to_owned();
    }
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let endings = [".tsv", ".txt", ".dat", ".run", ".csv", ".trec", ".qrels"];
    endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_same_name_have_their_folders() {
        let names = |paths: &[&str]| of_distinct_files(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["a/run.tsv", "b/run.tsv", "b/v1.2"]).unwrap(), ["a/run.tsv", "b/run.tsv", "v1.2"]);
        assert_eq!(names(&["a/x.tsv.gz", "b/y.tsv"]).unwrap(), ["x", "y"]);
        assert_eq!(names(&["x", "x"]).unwrap_err().to_string(), "x: is given twice");
    }
}
