//! Grade scales: what a grade is called and when it is given.

use super::{Manifest, Rules};
use serde::Deserialize;
use std::collections::BTreeSet;

/// A grade of a task.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grade {
    /// The task.
    pub task: u8,
    /// The number that stands in judgments.
    pub grade: i32,
    /// What it is called, such as `High`.
    pub name: String,
    /// When it is given.
    pub definition: String,
}

/// Scales that labs used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// High, Medium, Low, Not relevant.
    Arqmath,
    /// R, P, N, given by two assessors.
    Ntcir,
}

impl Scale {
    /// Its grades for a task, with definitions to begin from.
    #[must_use]
    pub fn grades(self, task: u8) -> Vec<Grade> {
        let grades: &[(i32, &str, &str)] = match (self, task) {
            (Self::Arqmath, 2) => &[
                (3, "High", "As good as finding the very formula that was asked for."),
                (2, "Medium", "Useful, though less than the very formula would be."),
                (1, "Low", "There is some chance that it leads to something useful."),
                (0, "Not relevant", "It is not expected to be useful."),
            ],
            (Self::Arqmath, _) => &[
                (3, "High", "Answers the whole question by itself."),
                (2, "Medium", "Shows a way to the solution: clears up the question or gives steps."),
                (1, "Low", "Helps to find or understand an answer, or to understand the question."),
                (0, "Not relevant", "Says nothing that matters here, or only repeats the question."),
            ],
            (Self::Ntcir, _) => {
                &[(2, "R", "Relevant."), (1, "P", "Partially relevant."), (0, "N", "Not relevant.")]
            }
        };
        let grade = |(grade, name, definition): &(i32, &str, &str)| Grade {
            task,
            grade: *grade,
            name: (*name).to_owned(),
            definition: (*definition).to_owned(),
        };
        grades.iter().map(grade).collect()
    }
}

/// What is wrong with the grades of a lab.
pub(super) fn problem(manifest: &Manifest) -> Option<String> {
    for task in manifest.all_tasks() {
        let grades = manifest.grades_of(task);
        let task = task.number();
        if grades.len() < 2 {
            return Some(format!("task {task} needs at least two grades"));
        }
        let numbers: BTreeSet<i32> = grades.iter().map(|grade| grade.grade).collect();
        let names: BTreeSet<String> = grades.iter().map(|grade| grade.name.to_lowercase()).collect();
        if numbers.len() != grades.len() || names.len() != grades.len() {
            return Some(format!("task {task} has a grade or a name of a grade twice"));
        }
        if numbers.iter().any(|grade| !(0..=4).contains(grade)) {
            return Some(format!(
                "grades of task {task} must be from 0 to 4: 5 and 6 are codes in judgments"
            ));
        }
        if !numbers.contains(&0) {
            return Some(format!("task {task} has no grade 0 for what is not relevant"));
        }
        if manifest.rules != Rules::Arqmath && numbers.iter().any(|grade| *grade > 2) {
            return Some("grades that two assessors give and that are summed end at 2".to_owned());
        }
        if grades.iter().any(|grade| grade.name.trim().is_empty()) {
            return Some(format!("a grade of task {task} has no name"));
        }
    }
    let stray = manifest.grades.iter().find(|grade| !manifest.tasks.contains(&grade.task) && grade.task != 1);
    stray.map(|grade| format!("there is a grade for task {}, which the lab does not have", grade.task))
}
