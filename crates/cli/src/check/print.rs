//! How `hypatia check` prints: for people and as JSON.

use super::mend::Copy;
use super::{Outcome, Rigour};
use crate::output;
use formats::check::{Checked, Finding, RuleId, Severity};
use serde::Serialize;
use std::collections::BTreeMap;

/// How many findings of a rule are shown in each file.
pub(super) const SHOWN: usize = 5;

/// Findings by file, each file with a line that sums it up.
pub(super) fn text(outcomes: &[Outcome], rigour: Rigour, shown: usize) -> String {
    let mut parts = Vec::new();
    for report in outcomes.iter().flatten() {
        let mut out = String::new();
        let label = &report.submission.label;
        push_findings(&mut out, label, &report.checked, shown);
        push_summary(&mut out, label, &report.checked, rigour);
        if let Some(copy) = &report.mended {
            push_copy(&mut out, label, copy, rigour, shown);
        }
        parts.push(out);
    }
    parts.join("\n")
}

fn push_findings(out: &mut String, label: &str, checked: &Checked, shown: usize) {
    let mut counts: BTreeMap<(Severity, RuleId), usize> = BTreeMap::new();
    for finding in &checked.findings {
        let count = counts.entry((finding.severity, finding.rule)).or_default();
        *count += 1;
        if *count <= shown {
            out.push_str(&plain(&finding.line(label)));
            out.push_str(&plain(&format!("\n  fix: {}", finding.fix)));
            out.push('\n');
        }
    }
    for ((severity, rule), count) in counts {
        if count > shown {
            let (more, severity) = (count - shown, severity.name());
            out.push_str(&format!("{}: {severity}[{rule}]: {more} more; --all shows them\n", plain(label)));
        }
    }
}

/// Characters of the file that nobody sees must not reach the terminal.
fn plain(text: &str) -> std::borrow::Cow<'_, str> {
    text::visible(text)
}

fn push_summary(out: &mut String, label: &str, checked: &Checked, rigour: Rigour) {
    let counted = |severity: Severity, noun: &str| {
        let count = checked.count(severity);
        let plural = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} {noun}{plural}"))
    };
    let errors = counted(Severity::Error, "error");
    let found: Vec<String> =
        [errors.clone(), counted(Severity::Filtered, "filtered hit"), counted(Severity::Warning, "warning")]
            .into_iter()
            .flatten()
            .collect();
    let found = found.join(", ");
    let summary = match (found.as_str(), errors, rigour) {
        ("", ..) => "valid".to_owned(),
        (_, Some(_), _) => format!("not valid: {found}"),
        (_, None, Rigour::Lenient) => format!("valid with {found}"),
        (_, None, Rigour::Strict) => format!("not valid: {found} (--strict)"),
    };
    out.push_str(&format!("{}: {summary}\n", plain(label)));
}

fn push_copy(out: &mut String, label: &str, copy: &Copy, rigour: Rigour, shown: usize) {
    for refusal in &copy.refusals {
        out.push_str(&format!("{label}: not mended[{}]: {}\n", refusal.rule, refusal.text));
    }
    let Some(written) = &copy.written else {
        let why = if copy.refusals.is_empty() { "there is nothing that can be mended" } else { "see above" };
        out.push_str(&format!("{label}: no copy written: {why}\n"));
        return;
    };
    out.push_str(&format!("{label}: corrected copy written to {}\n", written.label));
    for change in &copy.changes {
        out.push_str(&format!("  mended[{}]: {}\n", change.rule, change.text));
    }
    push_findings(out, &written.label, &written.checked, shown);
    push_summary(out, &written.label, &written.checked, rigour);
}

#[derive(Serialize)]
#[serde(untagged)]
enum FileObject<'a> {
    Unreadable { file: &'a str, unreadable: &'a str },
    Read(ReadObject<'a>),
}

#[derive(Serialize)]
struct ReadObject<'a> {
    file: &'a str,
    task: u8,
    #[serde(flatten)]
    verdict: VerdictObject<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mended: Option<CopyObject<'a>>,
}

#[derive(Serialize)]
struct VerdictObject<'a> {
    valid: bool,
    errors: usize,
    filtered: usize,
    warnings: usize,
    findings: Vec<FindingObject<'a>>,
}

#[derive(Serialize)]
struct FindingObject<'a> {
    severity: &'static str,
    rule: &'static str,
    line: Option<usize>,
    column: Option<usize>,
    text: &'a str,
    fix: &'a str,
}

#[derive(Serialize)]
struct CopyObject<'a> {
    file: Option<&'a str>,
    changes: Vec<NoteObject<'a>>,
    refused: Vec<NoteObject<'a>>,
    #[serde(flatten)]
    verdict: Option<VerdictObject<'a>>,
}

#[derive(Serialize)]
struct NoteObject<'a> {
    rule: &'static str,
    text: &'a str,
}

/// An array with an object for each file.
pub(super) fn json(outcomes: &[Outcome], rigour: Rigour) -> String {
    let objects: Vec<FileObject<'_>> = outcomes
        .iter()
        .map(|outcome| match outcome {
            Err(error) => FileObject::Unreadable { file: &error.file, unreadable: &error.reason },
            Ok(report) => FileObject::Read(ReadObject {
                file: &report.submission.label,
                task: report.checked.task.number(),
                verdict: verdict(&report.checked, rigour),
                mended: report.mended.as_ref().map(|copy| copy_object(copy, rigour)),
            }),
        })
        .collect();
    let mut out = String::new();
    output::push_json(&mut out, &objects);
    out
}

fn verdict(checked: &Checked, rigour: Rigour) -> VerdictObject<'_> {
    VerdictObject {
        valid: rigour.is_valid(checked),
        errors: checked.count(Severity::Error),
        filtered: checked.count(Severity::Filtered),
        warnings: checked.count(Severity::Warning),
        findings: checked.findings.iter().map(finding_object).collect(),
    }
}

fn finding_object(finding: &Finding) -> FindingObject<'_> {
    FindingObject {
        severity: finding.severity.name(),
        rule: finding.rule.name(),
        line: finding.place.line(),
        column: finding.place.column(),
        text: &finding.text,
        fix: &finding.fix,
    }
}

fn copy_object(copy: &Copy, rigour: Rigour) -> CopyObject<'_> {
    CopyObject {
        file: copy.written.as_ref().map(|written| written.label.as_str()),
        changes: copy
            .changes
            .iter()
            .map(|item| NoteObject { rule: item.rule.name(), text: &item.text })
            .collect(),
        refused: copy
            .refusals
            .iter()
            .map(|item| NoteObject { rule: item.rule.name(), text: &item.text })
            .collect(),
        verdict: copy.written.as_ref().map(|written| verdict(&written.checked, rigour)),
    }
}
