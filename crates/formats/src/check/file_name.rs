//! The name of a submission: `[group]-[task]-[id]-[run-type]-[data]-[ans-type]-[eval].tsv`.
//!
//! It is read from the right, where the words are few and known; the first
//! `task1`, `task2` or `task3` then parts the group from the id, so that both
//! may hold hyphens. Names of real runs that depart from the convention but
//! still say all of it are taken, with their departures listed.

mod parse;

pub(super) use parse::stem;

use super::finding::{Findings, RuleId, Severity, Spot};
use super::submission::Submission;
use std::fmt;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$item_doc])* $item,)*
        }

        impl $name {
            /// How it is written in names of files.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$item => $word,)*
                }
            }

            /// Reads the word, in capital letters or small.
            fn read(word: &str) -> Option<Self> {
                [$(Self::$item,)*].into_iter().find(|item| item.word().eq_ignore_ascii_case(word))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

words! {
    /// A task of the lab.
    Task {
        /// Answers to questions: topics `A.…`, posts.
        Task1 = "task1",
        /// Formulas like a formula: topics `B.…`, formulas in posts.
        Task2 = "task2",
        /// One written answer to a question: topics `A.…`.
        Task3 = "task3",
    }
}

impl Task {
    /// Its number.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Task1 => 1,
            Self::Task2 => 2,
            Self::Task3 => 3,
        }
    }
}

words! {
    /// Whether people had a hand in the run.
    RunType {
        /// Any step by hand.
        Manual = "manual",
        /// None.
        Auto = "auto",
    }
}

words! {
    /// What of the topics and posts was used.
    Data {
        /// The words.
        Text = "text",
        /// The formulas.
        Math = "math",
        /// Both.
        Both = "both",
    }
}

words! {
    /// Where the answers of Task 3 come from.
    AnswerType {
        /// Cut out of the collection.
        Extract = "extract",
        /// Written by a program.
        Generate = "generate",
    }
}

words! {
    /// How the lab shall treat the run.
    Evaluation {
        /// The team's main run, which is sure to be judged.
        Primary = "P",
        /// One of the others.
        Alternate = "A",
    }
}

/// What the name of a submission says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmissionName {
    /// The team, without a `prim_` or `alt_` before it.
    pub group: String,
    /// The task.
    pub task: Task,
    /// The team's name for the run; empty if there is none.
    pub id: String,
    /// Whether people had a hand in it.
    pub run_type: RunType,
    /// What was used.
    pub data: Data,
    /// Where answers come from, in Task 3.
    pub answer_type: Option<AnswerType>,
    /// Primary or alternate.
    pub evaluation: Evaluation,
}

/// How a name that says everything departs from the convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// The file does not end in `.tsv`.
    Ending,
    /// Parts are joined by `_`.
    Underscores,
    /// A word is in other letters than in the convention.
    Letters,
    /// A number stands behind `P` or `A`.
    NumberedEvaluation,
    /// The run has no id.
    NoId,
    /// The group starts with `prim_` or `alt_`, as in published lists of results.
    LabMark,
    /// Task 1 or 2 with `extract` or `generate`.
    SurplusAnswerType,
    /// Task 3 without `extract` or `generate`.
    NoAnswerType,
}

impl Departure {
    /// How bad it is.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::SurplusAnswerType | Self::NoAnswerType => Severity::Error,
            _ => Severity::Warning,
        }
    }

    /// What is wrong.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Ending => "the name does not end in .tsv",
            Self::Underscores => "parts of the name are joined by '_', not by '-'",
            Self::Letters => "a word of the name is not in the letters of the convention, such as 'Task1'",
            Self::NumberedEvaluation => "a number stands behind P or A at the end of the name",
            Self::NoId => "the name has no run id between the task and manual or auto",
            Self::LabMark => "the group starts with 'prim_' or 'alt_', which P or A at the end says already",
            Self::SurplusAnswerType => "only names of Task 3 say extract or generate",
            Self::NoAnswerType => "names of Task 3 say extract or generate before P or A",
        }
    }
}

/// Why a name does not follow the convention at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// The last word is not an evaluation.
    #[error("it does not end in P (primary) or A (alternate)")]
    Evaluation,
    /// No data.
    #[error("it does not say text, math or both")]
    Data,
    /// No run type.
    #[error("it does not say manual or auto")]
    RunType,
    /// No task.
    #[error("it does not say task1, task2 or task3 behind the group")]
    Task,
    /// No group.
    #[error("it names no group")]
    Group,
    /// A character that nobody sees, so that the name is another one than it looks like.
    #[error("it holds the hidden character U+{:04X}", u32::from(*.0))]
    Hidden(char),
}

impl fmt::Display for SubmissionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}-{}-{}", self.group, self.task, self.id, self.run_type, self.data)?;
        if let Some(answer_type) = self.answer_type {
            write!(f, "-{answer_type}")?;
        }
        write!(f, "-{}.tsv", self.evaluation)
    }
}

/// The rule about the name; gives the task, guessed if nothing says it.
pub(super) fn check(
    submission: &Submission,
    given: Option<Task>,
    findings: &mut Findings,
) -> (Task, Option<SubmissionName>) {
    let guess = || super::rows::guess_task(&submission.text);
    let Some(file_name) = &submission.file_name else {
        let task = given.unwrap_or_else(|| {
            let task = guess();
            let text = format!("standard input has no name; by its columns it is {task}");
            findings.warning(RuleId::Name, Spot::File, text, "say the task with --task");
            task
        });
        return (task, None);
    };
    let convention = "[group]-[task]-[id]-[run-type]-[data]-[ans-type]-[eval].tsv";
    match SubmissionName::parse(file_name) {
        Ok((name, departures)) => {
            let id = if name.id.is_empty() { "[id]".to_owned() } else { name.id.clone() };
            let fix = format!("rename it: {}", SubmissionName { id, ..name.clone() });
            for departure in departures {
                let text = departure.text().to_owned();
                match departure.severity() {
                    Severity::Error => findings.error(RuleId::Name, Spot::File, text, "rename it"),
                    Severity::Filtered | Severity::Warning => {
                        findings.warning(RuleId::Name, Spot::File, text, fix.clone());
                    }
                }
            }
            let task = given.unwrap_or(name.task);
            if task != name.task {
                let text = format!("the name says {}, but it is checked as {task}", name.task);
                findings.warning(RuleId::Name, Spot::File, text, "rename it, or leave --task out");
            }
            (task, Some(name))
        }
        Err(reason) => {
            let text = format!("the name does not follow {convention}: {reason}");
            let task = given.unwrap_or_else(guess);
            let answer_type = if task == Task::Task3 { "generate-" } else { "" };
            let fix = format!("rename it, for example: us-{task}-first-auto-both-{answer_type}P.tsv");
            if given.is_some() {
                findings.warning(RuleId::Name, Spot::File, text, fix);
            } else {
                let text = format!("{text} (by its columns it is {task}; --task says it)");
                findings.error(RuleId::Name, Spot::File, text, fix);
            }
            (task, None)
        }
    }
}
