//! Rules over all files that are given together.

use super::file_name::{Evaluation, SubmissionName, Task};
use super::finding::{Finding, Findings, RuleId, Spot};
use std::collections::{BTreeMap, HashMap};

/// How many runs a team may send for a task.
const MOST_RUNS: usize = 5;

/// A file as the others see it.
#[derive(Clone, Copy, Debug)]
pub struct TeamFile<'a> {
    /// What the file is called in messages.
    pub label: &'a str,
    /// What its name says, if it follows the convention.
    pub name: Option<&'a SubmissionName>,
    /// Its text.
    pub text: &'a str,
}

/// Checks files against each other; each finding comes with the index of its file.
#[must_use]
pub fn together(files: &[TeamFile<'_>]) -> Vec<(usize, Finding)> {
    let mut found = Vec::new();
    let mut add = |file: usize, rule: RuleId, text: String, fix: &str| {
        let mut findings = Findings::default();
        findings.error(rule, Spot::File, text, fix);
        found.extend(findings.sorted().into_iter().map(|finding| (file, finding)));
    };
    let mut texts: HashMap<&str, usize> = HashMap::new();
    let mut teams: BTreeMap<(&str, Task), Vec<(usize, &SubmissionName)>> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        let first = *texts.entry(file.text).or_insert(index);
        if first != index && !file.text.trim().is_empty() {
            let text = format!("the file is the same as {}", files[first].label);
            add(index, RuleId::Identical, text, "send a run once");
        }
        if let Some(name) = file.name {
            teams.entry((&name.group, name.task)).or_default().push((index, name));
        }
    }
    for ((group, task), runs) in teams {
        for (index, _) in runs.iter().skip(MOST_RUNS) {
            let text = format!("{group} has {} runs in {task}; {MOST_RUNS} are the most", runs.len());
            add(*index, RuleId::RunsPerTeam, text, "choose the runs that shall count");
        }
        let is_primary = |run: &&(usize, &SubmissionName)| run.1.evaluation == Evaluation::Primary;
        let primaries: Vec<_> = runs.iter().filter(is_primary).collect();
        match (primaries.as_slice(), runs.as_slice()) {
            ([], [(first, _), _, ..]) => {
                let text = format!("none of the {} runs of {group} in {task} is primary", runs.len());
                add(*first, RuleId::Primary, text, "let one name end in P");
            }
            ([(first, _), rest @ ..], _) => {
                for (index, _) in rest {
                    let text =
                        format!("{group} has a primary run in {task} already: {}", files[*first].label);
                    add(*index, RuleId::Primary, text, "let all names but one end in A");
                }
            }
            ([], _) => {}
        }
        let mut ids: HashMap<String, usize> = HashMap::new();
        for (index, name) in &runs {
            let first = *ids.entry(name.id.to_lowercase()).or_insert(*index);
            if first != *index {
                let text = format!("the run id '{}' is also that of {}", name.id, files[first].label);
                add(*index, RuleId::RunId, text, "give each run an id of its own");
            }
        }
    }
    found.sort_by_key(|(file, finding)| (*file, finding.rule));
    found
}
