//! Taking a run: checked, held against the team's other runs, kept with its checksum.

use crate::change::Change;
use crate::clock::{now, stamp};
use crate::error::{Error, Result};
use crate::files::checksum;
use crate::folder::Lab;
use crate::manifest::Rules;
use crate::systems::{
    DataUsed, FilteredHits, Role, SubmissionNo, System, SystemNo, filtered_path, queries_path, record_path,
};
use formats::check::{
    self, Columns, Evaluation, Filtered, FilteredHit, Finding, Options, RuleId, Severity, Submission,
    SubmissionName, Task, Topics,
};
use formats::run::{Run, RunKind};
use formats::task3::Task3Run;
use formats::{RecordFile, Source, TopicId};
use rusqlite::params;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A run that is handed in.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What the file is called in messages.
    pub label: String,
    /// The name of the file, which says team, task, run and so on.
    pub file_name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// The record that lies beside it.
    pub record: Option<RecordFile>,
    /// The file of queries made by hand that the record names.
    pub queries: Option<Vec<u8>>,
    /// The set of topics; the current one if none is named.
    pub set: Option<String>,
    /// Who hands it in.
    pub by: String,
    /// For whom.
    pub role: Role,
    /// How deep it is pooled, if not as its name says.
    pub pooled_as: Option<Evaluation>,
    /// That it used links between posts, which no name can say.
    pub uses_links: UsesLinks,
    /// Topic sets whose judgments the system learned from.
    pub trained_on: Vec<String>,
    /// A sentence about it.
    pub about: String,
    /// What happens to an earlier run of the same system on the same topics.
    pub earlier: Earlier,
}

impl Entry {
    /// A run of a team on the current topics, of which nothing but its file is known.
    #[must_use]
    pub fn new(file_name: &str, bytes: impl Into<Vec<u8>>, by: &str) -> Self {
        Self {
            label: file_name.to_owned(),
            file_name: file_name.to_owned(),
            bytes: bytes.into(),
            record: None,
            queries: None,
            set: None,
            by: by.to_owned(),
            role: Role::Team,
            pooled_as: None,
            uses_links: UsesLinks::No,
            trained_on: Vec::new(),
            about: String::new(),
            earlier: Earlier::Stays,
        }
    }
}

/// Whether a system used links between posts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UsesLinks {
    /// It used texts and formulas alone.
    #[default]
    No,
    /// It used links.
    Yes,
}

/// What happens to an earlier run of the same system on the same topics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Earlier {
    /// It stays, and the new one is refused.
    #[default]
    Stays,
    /// The new one takes its place.
    IsReplaced,
}

/// What became of a run that was handed in.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// The system it belongs to.
    pub system: SystemNo,
    /// Its number.
    pub submission: SubmissionNo,
    /// What its name says.
    pub name: SubmissionName,
    /// The set of topics.
    pub set: String,
    /// Where it is kept, seen from the folder of the lab.
    pub path: String,
    /// The checksum of the file that is kept.
    pub sha256: String,
    /// What is allowed but probably not meant, and which hits are filtered.
    pub warnings: Vec<Finding>,
    /// The hits that are filtered: the run is kept without them, and they are listed beside it.
    pub filtered: Vec<FilteredHit>,
}

/// Why a run was not taken.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// It breaks rules of the lab.
    #[error("{label}: not valid (errors: {})", findings.iter().filter(|finding| finding.severity == Severity::Error).count())]
    Invalid {
        /// What the file is called.
        label: String,
        /// All that was found.
        findings: Vec<Finding>,
    },
    /// Something else is wrong.
    #[error(transparent)]
    Lab(#[from] Error),
}

impl Lab {
    /// Takes a run, or says why not; a run that is refused leaves nothing behind.
    ///
    /// Hits that break a rule of the guidelines, such as questions in Task 1 and answers of Task 3 that are too
    /// long, are filtered: the run is kept without them, and they are listed beside it.
    ///
    /// # Errors
    ///
    /// When the run breaks the rules, or the lab cannot be read or written.
    pub fn submit(&mut self, entry: &Entry) -> Result<Receipt, Refusal> {
        let label = entry.label.as_str();
        let set = self.manifest().set(entry.set.as_deref())?.name.clone();
        let (name, _) = SubmissionName::parse(&entry.file_name).map_err(|reason| {
            let form = "[group]-[task]-[id]-[run-type]-[data]-[ans-type]-[eval].tsv";
            Error::asked(format!("{label}: the name does not follow {form}: {reason}"))
        })?;
        let (task, number) = (name.task, name.task.number());
        if !self.manifest().tasks.contains(&number) {
            return Err(Error::asked(format!("{label}: the lab has no task {number}")).into());
        }
        if name.id.is_empty() {
            return Err(Error::asked(format!("{label}: the name has no id for the run")).into());
        }
        for trained in &entry.trained_on {
            self.manifest().set(Some(trained))?;
        }
        let topics = self.topic_ids(&set, task)?;
        let submission =
            Submission::read(label, Some(&entry.file_name), entry.bytes.clone()).map_err(Error::from)?;
        let (findings, Filtered { text: kept, hits: filtered }) = self.check(&submission, task, &topics)?;
        if findings.iter().any(|finding| finding.severity == Severity::Error) {
            return Err(Refusal::Invalid { label: label.to_owned(), findings });
        }
        let submission = match kept {
            Some(text) => submission.with_text(text),
            None => submission,
        };
        let (rows, with_results) = count(task, &submission)?;
        let file_name = name.to_string();
        if !is_file_name(&file_name) {
            return Err(
                Error::asked(format!("{label}: {file_name:?} cannot be the name of a file here")).into()
            );
        }
        let path = format!("runs/{set}/{file_name}");
        let text = submission.text.as_bytes();
        let sha256 = checksum(text);
        let warnings = findings;
        let row = NewRow {
            set: &set,
            path: &path,
            text,
            sha256: &sha256,
            rows,
            topics: with_results,
            warnings: warnings.iter().filter(|finding| finding.severity == Severity::Warning).count(),
            filtered: &filtered,
        };
        let (system, number) = self.change(|change| self.take(change, entry, &name, &row))?;
        Ok(Receipt { system, submission: number, name, set, path, sha256, warnings, filtered })
    }

    /// Holds a run against all others and keeps it, under one write lock.
    fn take(
        &self,
        change: &mut Change<'_>,
        entry: &Entry,
        name: &SubmissionName,
        row: &NewRow<'_>,
    ) -> Result<(SystemNo, SubmissionNo)> {
        let systems = self.systems()?;
        let is_same = |system: &&System| {
            system.task == name.task && same(&system.team, &name.group) && same(&system.run, &name.id)
        };
        let known = systems.iter().find(is_same);
        self.hold_against_others(entry, name, row.set, &systems, known)?;
        let taken = systems.iter().flat_map(|system| &system.submissions);
        let mut others = taken.filter(|other| other.sha256 == row.sha256);
        let replaced = known.and_then(|system| system.on(row.set)).map(|submission| submission.number);
        if let Some(other) = others.find(|other| Some(other.number) != replaced) {
            return Err(Error::asked(format!("{}: the file is the same as {}", entry.label, other.path)));
        }
        change.file(row.path, row.text)?;
        let record = record_path(row.path);
        match &entry.record {
            Some(file) => change.file(&record, file.text.as_bytes())?,
            // The record of a run that is replaced says nothing of the new one.
            None => change.remove(&record)?,
        }
        let made = entry.record.as_ref().and_then(|file| file.record.queries.as_ref());
        let queries = made.zip(entry.queries.as_ref());
        let queries = queries.map(|(named, bytes)| (queries_path(row.path, &named.kept), bytes));
        for old in self.queries_files(row.path)? {
            if queries.as_ref().is_none_or(|(path, _)| *path != old) {
                change.remove(&old)?;
            }
        }
        if let Some((path, bytes)) = queries {
            change.file(&path, bytes)?;
        }
        let list = filtered_path(row.path);
        if row.filtered.is_empty() {
            change.remove(&list)?;
        } else {
            let json =
                serde_json::to_string_pretty(&FilteredHits::new(row.filtered)).unwrap_or_default() + "\n";
            change.file(&list, json.as_bytes())?;
        }
        let kept = self.keep(entry, name, known, row).map_err(self.failed())?;
        self.note_event(&entry.by, &format!("submitted {} ({})", row.path, &row.sha256[..12]))?;
        Ok(kept)
    }

    /// What is wrong with a run, and what is left of it when hits are filtered.
    fn check(
        &self,
        submission: &Submission,
        task: Task,
        topics: &[TopicId],
    ) -> Result<(Vec<Finding>, Filtered)> {
        let known = self.known()?;
        let by_table = match task {
            Task::Task2 => {
                Run::read(Source::bytes(&submission.label, submission.text.clone()), RunKind::Formulas).ok()
            }
            Task::Task1 | Task::Task3 => None,
        };
        let lookup = known.lookup(by_table.as_ref())?;
        let options = Options {
            task: None,
            columns: Columns::Lab,
            most_results: Some(self.manifest().rules.most_results()),
            topics: Some(Topics::All(topics)),
            lookup: lookup.as_deref(),
        };
        let mut findings = check::check(submission, &options).findings;
        if self.manifest().rules != Rules::Arqmath {
            // NTCIR's ids are names of files with a number behind, and its runs have TREC's columns.
            findings.retain(|finding| !matches!(finding.rule, RuleId::DocId | RuleId::TrecColumns));
        }
        Ok((findings, check::filter(submission, &options)))
    }

    /// The rules about all runs of a team.
    fn hold_against_others(
        &self,
        entry: &Entry,
        name: &SubmissionName,
        set: &str,
        systems: &[System],
        known: Option<&System>,
    ) -> Result<()> {
        let (label, task) = (&entry.label, name.task.number());
        if let Some(system) = known {
            let differs = [
                ("its role", system.role != entry.role),
                ("primary or alternate", system.evaluation != name.evaluation),
                ("automatic or manual", system.run_type != name.run_type),
                ("the data used", system.data != data_of(entry, name)),
                ("extract or generate", system.answer_type != name.answer_type),
            ];
            if let Some((what, _)) = differs.iter().find(|(_, differs)| *differs) {
                return Err(Error::asked(format!(
                    "{label}: {system} was submitted before, and {what} was told otherwise then"
                )));
            }
            if let Some(before) = system.on(set)
                && entry.earlier == Earlier::Stays
            {
                return Err(Error::asked(format!(
                    "{label}: {system} has a run on the set {set} already ({}); --replace takes the new one",
                    before.path
                )));
            }
            return Ok(());
        }
        if entry.role == Role::Baseline {
            return Ok(());
        }
        let of_team = |system: &&System| {
            system.role == Role::Team && system.task == name.task && same(&system.team, &name.group)
        };
        let team: Vec<&System> = systems.iter().filter(of_team).collect();
        let most = self.manifest().most_runs;
        if team.len() >= most {
            return Err(Error::asked(format!(
                "{label}: {} has {} runs in task {task} already, and {most} are the most",
                name.group,
                team.len()
            )));
        }
        let primary = team.iter().find(|system| system.evaluation == Evaluation::Primary);
        match primary {
            Some(primary) if name.evaluation == Evaluation::Primary => Err(Error::asked(format!(
                "{label}: {} has a primary run in task {task} already: {}",
                name.group, primary.run
            ))),
            _ => Ok(()),
        }
    }

    fn keep(
        &self,
        entry: &Entry,
        name: &SubmissionName,
        known: Option<&System>,
        row: &NewRow<'_>,
    ) -> rusqlite::Result<(SystemNo, SubmissionNo)> {
        let role = match entry.role {
            Role::Team => "team",
            Role::Baseline => "baseline",
        };
        let pooled_as = entry.pooled_as.unwrap_or(name.evaluation).word();
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let database = self.database();
        let system = match known {
            Some(system) => system.number.0,
            None => {
                let insert =
                    "INSERT INTO system (team, task, run, role, evaluation, pooled_as, run_type, data,
                              answer_type, about) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
                database.execute(
                    insert,
                    params![
                        name.group,
                        name.task.number(),
                        name.id,
                        role,
                        name.evaluation.word(),
                        pooled_as,
                        name.run_type.word(),
                        data_of(entry, name).word(),
                        name.answer_type.map(check::AnswerType::word),
                        entry.about,
                    ],
                )?;
                database.last_insert_rowid()
            }
        };
        for set in &entry.trained_on {
            let insert = "INSERT OR IGNORE INTO trained_on (system, topic_set) VALUES (?1, ?2)";
            database.execute(insert, params![system, set])?;
        }
        let insert = "INSERT INTO submission (system, topic_set, path, rows, topics, warnings, submitted_by,
                      submitted_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                      ON CONFLICT (system, topic_set) DO UPDATE SET path = ?3, rows = ?4, topics = ?5,
                      warnings = ?6, submitted_by = ?7, submitted_at = ?8";
        let counts = [row.rows, row.topics, row.warnings].map(number);
        database.execute(
            insert,
            params![system, row.set, row.path, counts[0], counts[1], counts[2], entry.by, stamp(now())],
        )?;
        let select = "SELECT number FROM submission WHERE system = ?1 AND topic_set = ?2";
        let submission = database.query_row(select, params![system, row.set], |row| row.get(0))?;
        Ok((SystemNo(system), SubmissionNo(submission)))
    }
}

/// What the database is told of a run.
struct NewRow<'a> {
    set: &'a str,
    path: &'a str,
    text: &'a [u8],
    sha256: &'a str,
    rows: usize,
    topics: usize,
    warnings: usize,
    filtered: &'a [FilteredHit],
}

/// Names of teams and runs become names of files, which must stay where they are put.
fn is_file_name(name: &str) -> bool {
    let harmless = |letter: char| !letter.is_control() && !"/\\:*?\"<>|".contains(letter);
    name.len() <= 200 && !name.starts_with(['.', ' ']) && name.chars().all(harmless)
}

fn same(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
}

fn data_of(entry: &Entry, name: &SubmissionName) -> DataUsed {
    match entry.uses_links {
        UsesLinks::Yes => DataUsed::Links,
        UsesLinks::No => DataUsed::Content(name.data),
    }
}

/// How many rows a run has, and for how many topics.
fn count(task: Task, submission: &Submission) -> Result<(usize, usize)> {
    let source = Source::bytes(&submission.label, submission.text.clone());
    Ok(match task {
        Task::Task3 => {
            let run = Task3Run::read(source)?;
            (run.answers.len(), run.answers.len())
        }
        Task::Task1 => {
            let run = Run::read(source, RunKind::Documents)?;
            (run.num_rows(), run.topics().len())
        }
        Task::Task2 => {
            let run = Run::read(source, RunKind::Formulas)?;
            (run.num_rows(), run.topics().len())
        }
    })
}

/// How many findings of a rule are shown.
const SHOWN: usize = 5;

/// Findings as lines, for people: the first of each rule, and how many more there are.
#[must_use]
pub fn lines(label: &str, findings: &[Finding]) -> String {
    let mut out = String::new();
    let mut counts: BTreeMap<RuleId, usize> = BTreeMap::new();
    for finding in findings {
        let count = counts.entry(finding.rule).or_default();
        *count += 1;
        if *count <= SHOWN {
            let _ = writeln!(out, "{}", finding.line(label));
        }
    }
    for (rule, count) in counts.into_iter().filter(|(_, count)| *count > SHOWN) {
        let _ =
            writeln!(out, "{label}: and {} more of [{rule}]; hypatia check --all tells them", count - SHOWN);
    }
    out
}
