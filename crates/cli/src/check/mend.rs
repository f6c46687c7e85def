//! Corrected copies: written beside the file or into a folder, never over anything.

use super::Report;
use anyhow::{Context, Result, ensure};
use formats::check::{self, Change, Checked, Mended, Options, Refusal, RuleId};
use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What became of a file under `--fix`.
pub(super) struct Copy {
    pub(super) changes: Vec<Change>,
    pub(super) refusals: Vec<Refusal>,
    /// The copy, if there was something that could be mended.
    pub(super) written: Option<Written>,
}

/// A copy and what is still to be said of it.
pub(super) struct Written {
    pub(super) label: String,
    pub(super) checked: Checked,
}

/// What will be written, and where.
pub(super) struct Plan {
    mended: Mended,
    target: PathBuf,
}

/// Mends a file without writing anything yet.
pub(super) fn plan(path: &Path, dir: Option<&Path>, report: &Report, options: &Options<'_>) -> Plan {
    Plan { mended: check::mend(&report.submission, options), target: target(path, dir) }
}

/// Makes sure that no copy would take the place of a file or of another copy.
pub(super) fn ensure_free<'a>(plans: impl Iterator<Item = &'a Plan>) -> Result<()> {
    let mut seen = HashSet::new();
    for Plan { target, .. } in plans.filter(|plan| plan.mended.text.is_some()) {
        let label = target.display();
        ensure!(
            !target.exists(),
            "{label}: exists, and nothing is ever overwritten; choose a folder with -o"
        );
        ensure!(seen.insert(target), "{label}: two corrected copies would have this name");
    }
    Ok(())
}

/// Writes the copy, if there is one, and checks it.
pub(super) fn write(plan: Plan, report: &Report, options: &Options<'_>) -> Result<Copy> {
    let Mended { text, changes, refusals } = plan.mended;
    let Some(text) = text else {
        return Ok(Copy { changes, refusals, written: None });
    };
    let label = plan.target.display().to_string();
    if let Some(dir) = plan.target.parent() {
        fs::create_dir_all(dir).with_context(|| format!("making {}", dir.display()))?;
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&plan.target)
        .with_context(|| format!("writing {label}"))?;
    file.write_all(text.as_bytes()).with_context(|| format!("writing {label}"))?;
    // The copy stands for the file, so it is checked under the file's name.
    let mut checked = check::check(&report.submission.with_text(text), options);
    let about_team = |rule: RuleId| {
        matches!(rule, RuleId::RunsPerTeam | RuleId::Primary | RuleId::RunId | RuleId::Identical)
    };
    let team = report.checked.findings.iter().filter(|finding| about_team(finding.rule)).cloned();
    checked.findings.splice(0..0, team);
    Ok(Copy { changes, refusals, written: Some(Written { label, checked }) })
}

/// Where the copy goes: `DIR/NAME.tsv`, or `NAME.fixed.tsv` beside the file.
fn target(path: &Path, dir: Option<&Path>) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match dir {
        Some(dir) => dir.join(name),
        None => path.with_file_name(format!("{}.fixed.tsv", name.strip_suffix(".tsv").unwrap_or(name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_named_after_their_files() {
        for (path, dir, expected) in [
            ("a/x.tsv", None, "a/x.fixed.tsv"),
            ("a/x.tsv.gz", None, "a/x.fixed.tsv"),
            ("x.txt", None, "x.txt.fixed.tsv"),
            ("a/x.tsv.gz", Some("out"), "out/x.tsv"),
        ] {
            assert_eq!(target(Path::new(path), dir.map(Path::new)), Path::new(expected));
        }
    }
}
