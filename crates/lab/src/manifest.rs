//! `lab.toml`: what the lab is, in words that people read and edit.
//!
//! The file says which rules the lab follows, what its grades mean and which
//! topics there are. What happens in the lab, who submitted and who judged, is
//! in the database beside it.

mod answers;
mod scale;
mod write;

pub use answers::{AnswerScoring, TokenCounting, TokenizerChoice};
pub use scale::{Grade, Scale};

use crate::error::{Error, Result};
use crate::files::is_plain_name;
use eval::Preset;
use formats::check::{MOST_RESULTS, MOST_RESULTS_NTCIR10, Task};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// The version of the folder's layout that this program writes and reads.
pub const FORMAT: u32 = 1;

/// What a lab is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the folder's layout.
    pub format: u32,
    /// The name of the lab, such as `arqmath-3`.
    pub name: String,
    /// A sentence about it.
    #[serde(default)]
    pub about: String,
    /// Whose rules it follows.
    pub rules: Rules,
    /// The numbers of its tasks.
    pub tasks: Vec<u8>,
    /// From which all chance in the lab comes.
    pub seed: u64,
    /// How many runs a team may submit for a task.
    pub most_runs: usize,
    /// What assessors see of a formula.
    pub context: Context,
    /// What is said of a formula that looks like the one asked for.
    pub identical: Identical,
    /// The set of topics that is judged now.
    pub current: String,
    /// The collection that is searched.
    #[serde(default)]
    pub collection: Option<CollectionFile>,
    /// The threads of the topics, with what was posted later: shown to assessors, never searched.
    #[serde(default)]
    pub topic_threads: Option<CollectionFile>,
    /// A table with the visual ids of formulas, where there is no collection.
    #[serde(default)]
    pub formulas: Option<PathBuf>,
    /// How written answers are scored without people.
    #[serde(default)]
    pub answers: AnswerScoring,
    /// Groups of assessors that the report tells apart, such as undergraduates and graduates.
    #[serde(default)]
    pub assessor_groups: Vec<AssessorGroup>,
    /// What the grades mean, for each task.
    pub grades: Vec<Grade>,
    /// The sets of topics: this year's, and those of earlier years.
    pub sets: Vec<TestSet>,
}

impl Manifest {
    /// A lab without topics and collection: ARQMath's or NTCIR's scale by its rules, five runs a team, the set `now`.
    #[must_use]
    pub fn new(name: &str, rules: Rules, tasks: &[u8]) -> Self {
        let scale = if rules == Rules::Arqmath { Scale::Arqmath } else { Scale::Ntcir };
        // Written answers of Task 3 are judged as those of Task 1.
        let mut judged: Vec<u8> = tasks.iter().map(|task| if *task == 3 { 1 } else { *task }).collect();
        judged.sort_unstable();
        judged.dedup();
        Self {
            format: FORMAT,
            name: name.to_owned(),
            about: String::new(),
            rules,
            tasks: tasks.to_vec(),
            seed: 1,
            most_runs: 5,
            context: rules.usual_context(),
            identical: Identical::Judged,
            current: "now".to_owned(),
            collection: None,
            topic_threads: None,
            formulas: None,
            answers: AnswerScoring::default(),
            assessor_groups: Vec::new(),
            grades: judged.into_iter().flat_map(|task| scale.grades(task)).collect(),
            sets: Vec::new(),
        }
    }
}

/// Whose rules a lab follows: how it pools, judges and scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rules {
    /// ARQMath's: four grades by one assessor, formulas by their looks.
    Arqmath,
    /// NTCIR-10's: the sum of two assessors, formula instances, pools by rank to 100.
    Ntcir10,
    /// NTCIR-12's: as NTCIR-10, with the first 20 of each run pooled.
    Ntcir12,
}

impl Rules {
    /// The word in the file.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Arqmath => "arqmath",
            Self::Ntcir10 => "ntcir10",
            Self::Ntcir12 => "ntcir12",
        }
    }

    /// What assessors see of a formula, unless a lab says otherwise: in NTCIR-10 it stood alone.
    #[must_use]
    pub fn usual_context(self) -> Context {
        match self {
            Self::Ntcir10 => Context::Formula,
            Self::Arqmath | Self::Ntcir12 => Context::Post,
        }
    }

    /// How many results a run may have for a topic.
    #[must_use]
    pub fn most_results(self) -> usize {
        match self {
            Self::Ntcir10 => MOST_RESULTS_NTCIR10,
            Self::Arqmath | Self::Ntcir12 => MOST_RESULTS,
        }
    }

    /// The measures of a ranked task.
    #[must_use]
    pub fn preset(self, task: Task) -> Preset {
        match (self, task) {
            (Self::Arqmath, Task::Task2) => Preset::Task2,
            (Self::Arqmath, _) => Preset::Task1,
            (Self::Ntcir10, _) => Preset::Ntcir10,
            (Self::Ntcir12, _) => Preset::Ntcir12,
        }
    }
}

/// What is judged together: Tasks 1 and 3 are one pool, since both answer questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PoolKind {
    /// Posts that answer a question, and answers that systems wrote.
    Answers,
    /// Formulas.
    Formulas,
}

impl PoolKind {
    /// The word in files and in the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Answers => "answers",
            Self::Formulas => "formulas",
        }
    }

    /// Reads the word.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        [Self::Answers, Self::Formulas].into_iter().find(|kind| kind.word() == word)
    }

    /// The task whose topics and grades it has.
    #[must_use]
    pub fn task(self) -> Task {
        match self {
            Self::Answers => Task::Task1,
            Self::Formulas => Task::Task2,
        }
    }

    /// Where the results of a task are judged.
    #[must_use]
    pub fn of(task: Task) -> Self {
        match task {
            Task::Task1 | Task::Task3 => Self::Answers,
            Task::Task2 => Self::Formulas,
        }
    }
}

impl fmt::Display for PoolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Arqmath => "ARQMath",
            Self::Ntcir10 => "NTCIR-10",
            Self::Ntcir12 => "NTCIR-12",
        })
    }
}

/// What assessors see of a retrieved formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Context {
    /// The post it stands in.
    Post,
    /// The formula alone.
    Formula,
}

/// What is said of a formula that looks like the one asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Identical {
    /// It is judged as any other, as in ARQMath-2 and -3.
    Judged,
    /// It has the highest grade, as in ARQMath-1.
    Relevant,
}

/// Assessors that the report looks at together.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssessorGroup {
    /// Its name, such as `undergraduates`.
    pub name: String,
    /// The names of the assessors.
    pub assessors: Vec<String>,
}

/// The collection that is searched, which stays where it is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollectionFile {
    /// Where it is, seen from the folder of the lab.
    pub path: PathBuf,
    /// Its fingerprint when the lab was made.
    pub fingerprint: String,
}

/// Topics of one year.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestSet {
    /// Its name, such as `2022`.
    pub name: String,
    /// Questions, for Tasks 1 and 3.
    #[serde(default)]
    pub questions: Option<SetFiles>,
    /// Formulas, for Task 2.
    #[serde(default)]
    pub formulas: Option<SetFiles>,
}

/// The files of a set for one kind of topics, seen from the folder of the lab.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetFiles {
    /// The topics.
    pub topics: String,
    /// What organisers say of them: type, difficulty and so on.
    #[serde(default)]
    pub labels: Option<String>,
    /// Judgments that were there before the lab, for sets of earlier years.
    #[serde(default)]
    pub qrels: Option<String>,
}

impl TestSet {
    /// The files for a task.
    #[must_use]
    pub fn files(&self, task: Task) -> Option<&SetFiles> {
        match task {
            Task::Task1 | Task::Task3 => self.questions.as_ref(),
            Task::Task2 => self.formulas.as_ref(),
        }
    }
}

impl Manifest {
    /// Reads the text of a `lab.toml`.
    ///
    /// # Errors
    ///
    /// When it is no such file, or says things that do not go together.
    pub fn read(path: &Path, text: &str) -> Result<Self> {
        let bad = |reason: String| Error::folder(path, reason);
        let manifest: Self = toml::from_str(text).map_err(|error| {
            let line =
                error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            bad(format!("line {line}: {}", error.message()))
        })?;
        if manifest.format != FORMAT {
            return Err(bad(format!(
                "the lab has format {}, and this program reads format {FORMAT}",
                manifest.format
            )));
        }
        manifest.problem().map_or(Ok(manifest), |problem| Err(bad(problem)))
    }

    /// What is wrong with it, if anything is.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        if self.name.trim().is_empty() {
            return Some("the lab has no name".to_owned());
        }
        let tasks: BTreeSet<u8> = self.tasks.iter().copied().collect();
        if tasks.is_empty()
            || tasks.len() != self.tasks.len()
            || !tasks.iter().all(|task| (1..=3).contains(task))
        {
            return Some("tasks must be some of 1, 2 and 3, each once".to_owned());
        }
        let mut groups: BTreeSet<&str> = BTreeSet::new();
        if let Some(group) = self.assessor_groups.iter().find(|group| !groups.insert(&group.name)) {
            return Some(format!("two groups of assessors are called {:?}", group.name));
        }
        if self.rules != Rules::Arqmath && self.tasks != [2] {
            return Some(format!("labs by the rules of {} have task 2 alone", self.rules));
        }
        if let Some(problem) = scale::problem(self).or_else(|| self.answers.problem()) {
            return Some(problem);
        }
        let mut names = BTreeSet::new();
        for set in &self.sets {
            if !is_plain_name(&set.name) {
                return Some(format!(
                    "the name of a set may have letters, digits and ._-+, not {:?}",
                    set.name
                ));
            }
            if !names.insert(&set.name) {
                return Some(format!("the set {} is there twice", set.name));
            }
            let files = [&set.questions, &set.formulas].into_iter().flatten();
            let paths =
                files.flat_map(|files| [Some(&files.topics), files.labels.as_ref(), files.qrels.as_ref()]);
            if let Some(path) = paths.flatten().find(|path| !is_inside(path)) {
                return Some(format!("{path}: files of a lab are inside its folder"));
            }
        }
        let Some(current) = self.sets.iter().find(|set| set.name == self.current) else {
            return Some(format!("the current set is {:?}, but there is no set of that name", self.current));
        };
        let without = self.all_tasks().find(|task| current.files(*task).is_none());
        without
            .map(|task| format!("the current set {} has no topics for task {}", current.name, task.number()))
    }

    /// The tasks.
    pub fn all_tasks(&self) -> impl Iterator<Item = Task> + '_ {
        [Task::Task1, Task::Task2, Task::Task3].into_iter().filter(|task| self.tasks.contains(&task.number()))
    }

    /// What is judged in the lab.
    pub fn pool_kinds(&self) -> impl Iterator<Item = PoolKind> + '_ {
        let has = |kind: &PoolKind| self.all_tasks().any(|task| PoolKind::of(task) == *kind);
        [PoolKind::Answers, PoolKind::Formulas].into_iter().filter(has)
    }

    /// A set by its name, or the current one.
    ///
    /// # Errors
    ///
    /// When there is no such set; the error names those there are.
    pub fn set(&self, name: Option<&str>) -> Result<&TestSet> {
        let name = name.unwrap_or(&self.current);
        self.sets.iter().find(|set| set.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.sets.iter().map(|set| set.name.as_str()).collect();
            Error::asked(format!("there is no set {name:?}; the sets are {}", names.join(", ")))
        })
    }

    /// The grades of a task, highest first. Task 3 is judged as Task 1 is, unless it has its own.
    #[must_use]
    pub fn grades_of(&self, task: Task) -> Vec<&Grade> {
        let of =
            |number: u8| self.grades.iter().filter(move |grade| grade.task == number).collect::<Vec<_>>();
        let mut grades = of(task.number());
        if grades.is_empty() && task == Task::Task3 {
            grades = of(1);
        }
        grades.sort_by_key(|grade| std::cmp::Reverse(grade.grade));
        grades
    }
}

/// Whether a path stays inside the folder.
fn is_inside(path: &str) -> bool {
    let path = Path::new(path);
    let plain = |part: std::path::Component<'_>| matches!(part, std::path::Component::Normal(_));
    path.components().next().is_some() && path.components().all(plain)
}

#[cfg(test)]
mod tests;
