//! The name of a submission: `[group]-[task]-[id]-[run-type]-[data]-[ans-type]-[eval].tsv`.
//!
//! It is read from the right, where the words are few and known; the first
//! `task1`, `task2` or `task3` then parts the group from the id, so that both
//! may hold hyphens. Names of real runs that depart from the convention but
//! still say all of it are taken, with their departures listed.

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
    /// The team, without a `prim_` or `alt_` that the lab put before it.
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
    /// The group starts with the `prim_` or `alt_` that the lab puts before names.
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
            Self::LabMark => "the group starts with 'prim_' or 'alt_', which the lab adds itself",
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
}

impl SubmissionName {
    /// Reads the name of a file, with or without `.tsv` and `.gz`.
    ///
    /// ```
    /// use collection::check::{SubmissionName, Task};
    /// let (name, departures) = SubmissionName::parse("the-team-task1-bm25-k1-auto-both-P.tsv.gz")?;
    /// assert_eq!((name.group.as_str(), name.task, name.id.as_str()), ("the-team", Task::Task1, "bm25-k1"));
    /// assert!(departures.is_empty());
    /// # Ok::<(), collection::check::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a part is missing.
    pub fn parse(file_name: &str) -> Result<(Self, Vec<Departure>), NameError> {
        let mut reader = Reader { rest: stem(file_name), departures: Vec::new() };
        let packed = file_name.strip_suffix(".gz").unwrap_or(file_name);
        if !packed.ends_with(".tsv") {
            reader.depart(Departure::Ending);
        }
        let last = reader.last();
        let letter = last.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let evaluation = Evaluation::read(letter).ok_or(NameError::Evaluation)?;
        reader.letters(letter, evaluation.word());
        if letter.len() < last.len() {
            reader.depart(Departure::NumberedEvaluation);
        }
        reader.cut(last);
        let answer_type = reader.word(AnswerType::read, AnswerType::word);
        let data = reader.word(Data::read, Data::word).ok_or(NameError::Data)?;
        let run_type = reader.word(RunType::read, RunType::word).ok_or(NameError::RunType)?;
        let (group, task, id) = reader.task().ok_or(NameError::Task)?;
        let unmarked = group.strip_prefix("prim_").or_else(|| group.strip_prefix("alt_"));
        if unmarked.is_some() {
            reader.depart(Departure::LabMark);
        }
        let group = unmarked.unwrap_or(group).to_owned();
        if group.is_empty() {
            return Err(NameError::Group);
        }
        if id.is_empty() {
            reader.depart(Departure::NoId);
        }
        match (task, answer_type) {
            (Task::Task3, None) => reader.depart(Departure::NoAnswerType),
            (Task::Task1 | Task::Task2, Some(_)) => reader.depart(Departure::SurplusAnswerType),
            _ => {}
        }
        let id = id.to_owned();
        Ok((Self { group, task, id, run_type, data, answer_type, evaluation }, reader.departures))
    }
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

/// The name of a file without its ending.
pub(super) fn stem(file_name: &str) -> &str {
    let name = file_name.strip_suffix(".gz").unwrap_or(file_name);
    if let Some(stem) = name.strip_suffix(".tsv") {
        return stem;
    }
    // A run id may hold dots; an ending is what follows the last word.
    match name.rfind(['.', '-', '_']) {
        Some(at) if name[at..].starts_with('.') && at > 0 => &name[..at],
        _ => name,
    }
}

struct Reader<'a> {
    rest: &'a str,
    departures: Vec<Departure>,
}

impl<'a> Reader<'a> {
    fn depart(&mut self, departure: Departure) {
        if !self.departures.contains(&departure) {
            self.departures.push(departure);
        }
    }

    fn letters(&mut self, found: &str, wanted: &str) {
        if found != wanted {
            self.depart(Departure::Letters);
        }
    }

    /// The last word of what is left.
    fn last(&self) -> &'a str {
        self.rest.rfind(['-', '_']).map_or(self.rest, |at| &self.rest[at + 1..])
    }

    /// Takes the last word away, and what joined it.
    fn cut(&mut self, word: &str) {
        let before = &self.rest[..self.rest.len() - word.len()];
        if before.ends_with('_') {
            self.depart(Departure::Underscores);
        }
        self.rest = before.strip_suffix(['-', '_']).unwrap_or(before);
    }

    fn word<T: Copy>(&mut self, read: fn(&str) -> Option<T>, word: fn(T) -> &'static str) -> Option<T> {
        let found = self.last();
        let value = read(found)?;
        self.letters(found, word(value));
        self.cut(found);
        Some(value)
    }

    /// What stands before, in and behind the first word that names a task.
    fn task(&mut self) -> Option<(&'a str, Task, &'a str)> {
        let rest = self.rest;
        let mut start = 0;
        while let Some(at) = rest[start..].find(['-', '_']).map(|at| start + at) {
            let behind = &rest[at + 1..];
            let end = behind.find(['-', '_']).unwrap_or(behind.len());
            if let Some(task) = Task::read(&behind[..end]) {
                self.letters(&behind[..end], task.word());
                let joined = &rest[at..=at] == "_" || behind[end..].starts_with('_');
                if joined {
                    self.depart(Departure::Underscores);
                }
                return Some((&rest[..at], task, behind.get(end + 1..).unwrap_or_default()));
            }
            start = at + 1;
        }
        None
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
                    Severity::Warning => findings.warning(RuleId::Name, Spot::File, text, fix.clone()),
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
            let fix = "rename it, for example: us-task1-bm25-auto-both-P.tsv";
            match given {
                Some(task) => {
                    findings.warning(RuleId::Name, Spot::File, text, fix);
                    (task, None)
                }
                None => {
                    let task = guess();
                    let text = format!("{text} (by its columns it is {task}; --task says it)");
                    findings.error(RuleId::Name, Spot::File, text, fix);
                    (task, None)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, name: &str, departures: &[Departure]) {
        let (found, departed) = SubmissionName::parse(file).unwrap();
        assert_eq!((found.to_string().as_str(), departed.as_slice()), (name, departures), "{file}");
    }

    #[test]
    fn names_by_the_convention() {
        for name in [
            "TeamX-task1-bm25-auto-both-P.tsv",
            "TeamX-task3-gpt-auto-both-generate-A.tsv",
            "a-team-task2-x_y.z-task1-manual-math-A.tsv",
        ] {
            check(name, name, &[]);
            check(&format!("{name}.gz"), name, &[]);
        }
        let (name, _) = SubmissionName::parse("a-team-task2-x-task1-auto-math-A.tsv").unwrap();
        assert_eq!((name.group.as_str(), name.id.as_str()), ("a-team", "x-task1"));
    }

    #[test]
    fn names_of_real_runs() {
        use Departure::{Ending, LabMark, Letters, NoId, NumberedEvaluation, Underscores};
        check(
            "DPRL-Task3-AMRBERT-auto-both-extract-A",
            "DPRL-task3-AMRBERT-auto-both-extract-A.tsv",
            &[Ending, Letters],
        );
        check(
            "prim_MathDowsers-task1-alpha05noReRank-auto-both-A.tsv",
            "MathDowsers-task1-alpha05noReRank-auto-both-A.tsv",
            &[LabMark],
        );
        let zbmath = "prim_zbMATH-task1-auto-both-P.tsv";
        check(zbmath, "zbMATH-task1--auto-both-P.tsv", &[LabMark, NoId]);
        let dprl = "DPRL_task1_auto_both_A3.txt";
        check(dprl, "DPRL-task1--auto-both-A.tsv", &[Ending, NumberedEvaluation, Underscores, NoId]);
        let tu_dbs = "TU_DBS-task3-amps3_se1_hints-auto-both-generate-A.tsv";
        check(tu_dbs, tu_dbs, &[]);
    }

    #[test]
    fn names_that_say_too_little() {
        for (name, error) in [
            ("run.tsv", NameError::Evaluation),
            ("", NameError::Evaluation),
            ("us-task1-x-auto-both.tsv", NameError::Evaluation),
            ("us-task1-x-auto-P.tsv", NameError::Data),
            ("us-task1-x-both-P.tsv", NameError::RunType),
            ("us-x-auto-both-P.tsv", NameError::Task),
            ("task1-x-auto-both-P.tsv", NameError::Task),
            ("-task1-x-auto-both-P.tsv", NameError::Group),
        ] {
            assert_eq!(SubmissionName::parse(name), Err(error), "{name}");
        }
    }
}
