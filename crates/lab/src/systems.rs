//! Systems and their runs: who takes part, with what, on which topics.

use crate::error::{Error, Result};
use crate::folder::Lab;
use formats::check::{AnswerType, Data, Evaluation, FilteredHit, RunType, Task};
use formats::run::{Run, RunKind};
use formats::task3::Task3Run;
use formats::{RunRecord, Source};
use rusqlite::Row;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What stands between the name of a run and the ending of the file of its queries.
const QUERIES: &str = "queries";

/// The number of a system in the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemNo(pub i64);

/// The number of a submission in the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubmissionNo(pub i64);

/// Who entered a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A team that takes part.
    Team,
    /// The organisers, for comparison.
    Baseline,
}

/// What a system used of topics and posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataUsed {
    /// What the name of a file can say.
    Content(Data),
    /// Links between posts, as the oracle of the organisers.
    Links,
}

impl DataUsed {
    /// The word in names and in the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Content(data) => data.word(),
            Self::Links => "links",
        }
    }
}

/// What a team, or the organisers, entered for a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// Its number.
    pub number: SystemNo,
    /// The team.
    pub team: String,
    /// The task.
    pub task: Task,
    /// The team's name for it.
    pub run: String,
    /// Who entered it.
    pub role: Role,
    /// Primary or alternate.
    pub evaluation: Evaluation,
    /// How deep it is pooled: baselines may be pooled as primary runs are.
    pub pooled_as: Evaluation,
    /// Whether people had a hand in it.
    pub run_type: RunType,
    /// What it used.
    pub data: DataUsed,
    /// Where its answers come from, in Task 3.
    pub answer_type: Option<AnswerType>,
    /// A sentence about it.
    pub about: String,
    /// Topic sets whose judgments it learned from.
    pub trained_on: Vec<String>,
    /// Its runs.
    pub submissions: Vec<Submitted>,
}

impl System {
    /// Whether it is meant by `team/run` or by the name of the run alone.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.to_string().eq_ignore_ascii_case(name) || self.run.eq_ignore_ascii_case(name)
    }

    /// Its run on a set of topics.
    #[must_use]
    pub fn on(&self, set: &str) -> Option<&Submitted> {
        self.submissions.iter().find(|submission| submission.set == set)
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.team, self.run)
    }
}

/// A run that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// Its number.
    pub number: SubmissionNo,
    /// The set of topics.
    pub set: String,
    /// Its file, seen from the folder of the lab.
    pub path: String,
    /// How many rows it has.
    pub rows: usize,
    /// For how many topics.
    pub topics: usize,
    /// How many things were found that are allowed but probably not meant.
    pub warnings: usize,
    /// Who submitted it.
    pub by: String,
    /// When, as in `2022-05-01T12:00:00Z`.
    pub at: String,
    /// The checksum of its file.
    pub sha256: String,
}

impl Submitted {
    /// The name of its file, without folder and ending.
    #[must_use]
    pub fn name(&self) -> &str {
        let file = self.path.rsplit('/').next().unwrap_or(&self.path);
        let unpacked = file.strip_suffix(".gz").unwrap_or(file);
        unpacked.strip_suffix(".tsv").unwrap_or(unpacked)
    }
}

impl Lab {
    /// All systems, in the order in which they were first submitted.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn systems(&self) -> Result<Vec<System>> {
        let failed = self.failed();
        let mut systems = self.read_systems().map_err(&failed)?;
        let mut trained = self
            .database()
            .prepare("SELECT system, topic_set FROM trained_on ORDER BY system, topic_set")
            .map_err(&failed)?;
        let rows = trained.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)));
        for row in rows.map_err(&failed)? {
            let (system, set) = row.map_err(&failed)?;
            if let Some(system) = systems.iter_mut().find(|known| known.number.0 == system) {
                system.trained_on.push(set);
            }
        }
        let select = "SELECT s.number, s.system, s.topic_set, s.path, s.rows, s.topics, s.warnings, s.submitted_by,
                      s.submitted_at, f.sha256 FROM submission s JOIN file f ON f.path = s.path ORDER BY s.number";
        let mut submissions = self.database().prepare(select).map_err(&failed)?;
        let rows = submissions.query_map([], |row| Ok((row.get::<_, i64>(1)?, submitted(row)?)));
        for row in rows.map_err(&failed)? {
            let (system, submission) = row.map_err(&failed)?;
            if let Some(system) = systems.iter_mut().find(|known| known.number.0 == system) {
                system.submissions.push(submission);
            }
        }
        Ok(systems)
    }

    fn read_systems(&self) -> rusqlite::Result<Vec<System>> {
        let select =
            "SELECT number, team, task, run, role, evaluation, pooled_as, run_type, data, answer_type, about
                      FROM system ORDER BY number";
        let mut statement = self.database().prepare(select)?;
        let rows = statement.query_map([], |row| {
            let text = |column: usize| row.get::<_, String>(column);
            Ok(System {
                number: SystemNo(row.get(0)?),
                team: text(1)?,
                task: match row.get::<_, i64>(2)? {
                    1 => Task::Task1,
                    2 => Task::Task2,
                    _ => Task::Task3,
                },
                run: text(3)?,
                role: if text(4)? == "baseline" { Role::Baseline } else { Role::Team },
                evaluation: evaluation(&text(5)?),
                pooled_as: evaluation(&text(6)?),
                run_type: if text(7)? == "manual" { RunType::Manual } else { RunType::Auto },
                data: match text(8)?.as_str() {
                    "text" => DataUsed::Content(Data::Text),
                    "math" => DataUsed::Content(Data::Math),
                    "links" => DataUsed::Links,
                    _ => DataUsed::Content(Data::Both),
                },
                answer_type: row.get::<_, Option<String>>(9)?.map(|text| match text.as_str() {
                    "extract" => AnswerType::Extract,
                    _ => AnswerType::Generate,
                }),
                about: text(10)?,
                trained_on: Vec::new(),
                submissions: Vec::new(),
            })
        })?;
        rows.collect()
    }

    /// Reads a run of Task 1 or 2, unless it was changed.
    ///
    /// # Errors
    ///
    /// When it is missing, was changed or cannot be read.
    pub fn run(&self, task: Task, submission: &Submitted) -> Result<Run> {
        let kind = match task {
            Task::Task2 => RunKind::Formulas,
            Task::Task1 | Task::Task3 => RunKind::Documents,
        };
        let (name, bytes) = (self.path(&submission.path), self.unchanged(&submission.path)?);
        Ok(Run::read(Source::bytes(&name.display().to_string(), bytes), kind)?)
    }

    /// Reads the record that was submitted with a run, unless it was changed; nothing if there was none.
    ///
    /// # Errors
    ///
    /// When it is missing, was changed or cannot be read.
    pub fn record(&self, submission: &Submitted) -> Result<Option<RunRecord>> {
        let path = record_path(&submission.path);
        if self.registered(&path)?.is_none() {
            return Ok(None);
        }
        let (name, bytes) = (self.path(&path), self.unchanged(&path)?);
        Ok(Some(RunRecord::read(Source::bytes(&name.display().to_string(), bytes))?))
    }

    /// The queries made by hand that were submitted with a manual run, unless they were changed, and where they are kept,
    /// seen from the folder of the lab; nothing if there were none.
    ///
    /// # Errors
    ///
    /// When they are missing, were changed or cannot be read.
    pub fn queries(&self, submission: &Submitted) -> Result<Option<(String, Vec<u8>)>> {
        let Some(path) = self.queries_files(&submission.path)?.pop() else { return Ok(None) };
        let bytes = self.unchanged(&path)?;
        Ok(Some((path, bytes)))
    }

    /// The files of queries of a run: one, or none.
    pub(crate) fn queries_files(&self, run: &str) -> Result<Vec<String>> {
        let failed = self.failed();
        let select = "SELECT path FROM file WHERE path = ?1 OR substr(path, 1, length(?1) + 1) = ?1 || '.'";
        let mut statement = self.database().prepare_cached(select).map_err(&failed)?;
        let rows = statement.query_map([format!("{run}.{QUERIES}")], |row| row.get(0)).map_err(&failed)?;
        rows.collect::<rusqlite::Result<_>>().map_err(&failed)
    }

    /// The hits of a run that the lab filtered when it took it.
    ///
    /// # Errors
    ///
    /// When the list of them is missing, was changed or cannot be read.
    pub fn filtered(&self, submission: &Submitted) -> Result<FilteredHits> {
        let path = filtered_path(&submission.path);
        if self.registered(&path)?.is_none() {
            return Ok(FilteredHits::default());
        }
        let bytes = self.unchanged(&path)?;
        serde_json::from_slice(&bytes).map_err(|error| Error::folder(&self.path(&path), error.to_string()))
    }

    /// Reads a run of Task 3, unless it was changed.
    ///
    /// # Errors
    ///
    /// When it is missing, was changed or cannot be read.
    pub fn answers(&self, submission: &Submitted) -> Result<Task3Run> {
        let (name, bytes) = (self.path(&submission.path), self.unchanged(&submission.path)?);
        Ok(Task3Run::read(Source::bytes(&name.display().to_string(), bytes))?)
    }
}

/// The hits of a run that the lab filtered, as they are kept beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilteredHits {
    /// In the order of the file that was handed in.
    pub filtered: Vec<FilteredRow>,
}

/// A hit that the lab filtered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilteredRow {
    /// The line on which it stood.
    pub line: usize,
    /// The topic.
    pub topic: String,
    /// The post, the formula, or in Task 3 the answer.
    pub hit: String,
    /// The rule that it broke.
    pub rule: String,
    /// How.
    pub reason: String,
}

impl FilteredHits {
    pub(crate) fn new(hits: &[FilteredHit]) -> Self {
        let row = |hit: &FilteredHit| FilteredRow {
            line: hit.line,
            topic: hit.topic.clone(),
            hit: hit.hit.clone(),
            rule: hit.rule.to_string(),
            reason: hit.reason.clone(),
        };
        Self { filtered: hits.iter().map(row).collect() }
    }
}

/// Where the filtered hits of a run are kept, seen from the folder of the lab.
pub(crate) fn filtered_path(run: &str) -> String {
    format!("{run}.filtered.json")
}

/// Where the record of a run is kept, seen from the folder of the lab.
pub(crate) fn record_path(run: &str) -> String {
    format!("{run}.json")
}

/// Where the queries of a run are kept, seen from the folder of the lab. The ending says what they are written in.
pub(crate) fn queries_path(run: &str, named: &str) -> String {
    match named.rsplit_once('.') {
        Some((_, ending))
            if !ending.is_empty() && ending.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            format!("{run}.{QUERIES}.{ending}")
        }
        _ => format!("{run}.{QUERIES}"),
    }
}

fn evaluation(letter: &str) -> Evaluation {
    if letter == "P" { Evaluation::Primary } else { Evaluation::Alternate }
}

fn submitted(row: &Row<'_>) -> rusqlite::Result<Submitted> {
    let count = |column: usize| -> rusqlite::Result<usize> {
        Ok(usize::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
    };
    Ok(Submitted {
        number: SubmissionNo(row.get(0)?),
        set: row.get(2)?,
        path: row.get(3)?,
        rows: count(4)?,
        topics: count(5)?,
        warnings: count(6)?,
        by: row.get(7)?,
        at: row.get(8)?,
        sha256: row.get(9)?,
    })
}
