//! What is on a page, and which page comes next.

use crate::batches::{Batch, PART_IS_DONE, item_kind};
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::{AccountNo, AssignmentNo, BatchNo, PartNo, TaskNo};
use crate::work::State;
use lab::Verdict;
use pool::ItemKind;
use rusqlite::{OptionalExtension as _, Row, params};

/// What somebody said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The verdict.
    pub verdict: Verdict,
    /// In their words.
    pub comment: String,
    /// When.
    pub at: String,
    /// Who.
    pub assessor: String,
}

/// What somebody said after judging; nothing where they cannot tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Whether an answer looks machine-made.
    pub machine_generated: Option<bool>,
    /// Whether it holds unrelated things.
    pub unrelated: Option<bool>,
}

/// What is judged on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPart {
    /// Its number.
    pub part: PartNo,
    /// The instance of a formula.
    pub instance: Option<String>,
    /// The post that is shown.
    pub post: Option<String>,
    /// What counts now.
    pub said: Option<Said>,
    /// What counts now of what was asked afterwards.
    pub flags: Option<Flags>,
    /// How often something was said.
    pub changes: usize,
}

/// What is on one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Whose work it is part of.
    pub assignment: AssignmentNo,
    /// How it stands with that.
    pub state: State,
    /// The batch.
    pub batch: Batch,
    /// The page.
    pub task: TaskNo,
    /// Its place in the batch, from 1.
    pub place: usize,
    /// How many pages the batch has.
    pub of: usize,
    /// How many of them are done.
    pub done: usize,
    /// What is judged.
    pub item: String,
    /// What that is.
    pub kind: ItemKind,
    /// The text of a written answer.
    pub text: Option<String>,
    /// What is judged one by one.
    pub parts: Vec<ShownPart>,
    /// The page before.
    pub previous: Option<TaskNo>,
    /// The page behind.
    pub following: Option<TaskNo>,
    /// The next page that is not done.
    pub next: Option<TaskNo>,
}

/// A page in the list of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskLine {
    /// The page.
    pub task: TaskNo,
    /// Its place in the batch, from 1.
    pub place: usize,
    /// What is judged.
    pub item: String,
    /// What that is.
    pub kind: ItemKind,
    /// What was said of each part.
    pub verdicts: Vec<Option<Verdict>>,
    /// Whether it was asked about afterwards.
    pub flagged: bool,
    /// Whether all is said.
    pub done: bool,
    /// Whether it was put off.
    pub skipped: bool,
}

impl Books<'_> {
    /// The pages of somebody's batch, in their order.
    ///
    /// # Errors
    ///
    /// When it is not theirs.
    pub fn tasks_of(&self, account: AccountNo, number: AssignmentNo) -> Result<Vec<TaskLine>> {
        let assignment = self.assignment_of(account, number)?;
        let select = format!(
            "SELECT t.number, t.place, t.item, t.kind,
                    NOT EXISTS (SELECT 1 FROM part p WHERE p.task = t.number AND NOT {PART_IS_DONE}),
                    EXISTS (SELECT 1 FROM skip s WHERE s.assignment = ?2 AND s.task = t.number),
                    EXISTS (SELECT 1 FROM part p JOIN flagged f ON f.part = p.number WHERE p.task = t.number)
             FROM task t JOIN batch b ON b.number = t.batch WHERE t.batch = ?1 ORDER BY t.place"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let mut rows = statement.query(params![assignment.batch.number, number])?;
        let mut lines = Vec::new();
        while let Some(row) = rows.next()? {
            let task: TaskNo = row.get(0)?;
            let parts = self.parts_of(task)?;
            lines.push(TaskLine {
                task,
                place: row.get(1)?,
                item: row.get(2)?,
                kind: item_kind(&row.get::<_, String>(3)?)?,
                done: row.get(4)?,
                skipped: row.get(5)?,
                flagged: row.get(6)?,
                verdicts: parts.into_iter().map(|part| part.said.map(|said| said.verdict)).collect(),
            });
        }
        Ok(lines)
    }

    /// What is on a page of somebody's batch.
    ///
    /// # Errors
    ///
    /// When it is not theirs.
    pub fn show(&self, account: AccountNo, number: AssignmentNo, task: TaskNo) -> Result<Shown> {
        let assignment = self.assignment_of(account, number)?;
        let select = "SELECT place, item, kind FROM task WHERE number = ?1 AND batch = ?2";
        let mut statement = self.database().prepare_cached(select)?;
        let found = statement
            .query_row(params![task, assignment.batch.number], |row| {
                Ok((row.get::<_, usize>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
            })
            .optional()?;
        let (place, item, kind) = found.ok_or(Error::NotYours("task"))?;
        let kind = item_kind(&kind)?;
        let text = if kind == ItemKind::Answer { self.written_answer(&item)? } else { None };
        let (of, done) = self.progress_of(assignment.batch.number)?;
        let beside = |select: &str| -> Result<Option<TaskNo>> {
            let mut statement = self.database().prepare_cached(select)?;
            Ok(statement.query_row(params![assignment.batch.number, place], |row| row.get(0)).optional()?)
        };
        Ok(Shown {
            assignment: number,
            state: assignment.state,
            task,
            place,
            of,
            done,
            item,
            kind,
            text,
            parts: self.parts_of(task)?,
            previous: beside(
                "SELECT number FROM task WHERE batch = ?1 AND place < ?2 ORDER BY place DESC LIMIT 1",
            )?,
            following: beside(
                "SELECT number FROM task WHERE batch = ?1 AND place > ?2 ORDER BY place LIMIT 1",
            )?,
            next: self.next_after(number, assignment.batch.number, task)?,
            batch: assignment.batch,
        })
    }

    /// The next page that is not done; nothing, if all is.
    ///
    /// # Errors
    ///
    /// When the batch is not theirs.
    pub fn first_task(&self, account: AccountNo, number: AssignmentNo) -> Result<Option<TaskNo>> {
        let assignment = self.assignment_of(account, number)?;
        Ok(self.undone(number, assignment.batch.number)?.first().map(|(task, _)| *task))
    }

    /// Puts a page off: it comes again when the others are done.
    ///
    /// # Errors
    ///
    /// When it is not theirs.
    pub fn skip(&self, account: AccountNo, number: AssignmentNo, task: TaskNo) -> Result<Option<TaskNo>> {
        let assignment = self.assignment_of(account, number)?;
        let select = "SELECT 1 FROM task WHERE number = ?1 AND batch = ?2";
        if !self.database().prepare_cached(select)?.exists(params![task, assignment.batch.number])? {
            return Err(Error::NotYours("task"));
        }
        let next = self.next_after(number, assignment.batch.number, task)?;
        let insert = "INSERT INTO skip (assignment, task, at) VALUES (?1, ?2, ?3)";
        self.database().prepare_cached(insert)?.execute(params![number, task, self.now()])?;
        Ok(next)
    }

    /// What is judged on a page, with what counts now.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn parts_of(&self, task: TaskNo) -> Result<Vec<ShownPart>> {
        let select = "SELECT p.number, p.instance, p.post,
                             (SELECT max(d.judgment) FROM judged d WHERE d.part = p.number),
                             (SELECT max(d.flag) FROM flagged d WHERE d.part = p.number),
                             (SELECT count(*) FROM judged d WHERE d.part = p.number)
                             + (SELECT count(*) FROM flagged d WHERE d.part = p.number)
                      FROM part p WHERE p.task = ?1 ORDER BY p.place";
        let mut statement = self.database().prepare_cached(select)?;
        let mut rows = statement.query([task])?;
        let mut parts = Vec::new();
        while let Some(row) = rows.next()? {
            let said = match row.get::<_, Option<i64>>(3)? {
                Some(judgment) => self.said(judgment)?.filter(|said| said.verdict != Verdict::Withdrawn),
                None => None,
            };
            let flags = match row.get::<_, Option<i64>>(4)? {
                Some(flag) => self.flags(flag)?,
                None => None,
            };
            parts.push(ShownPart {
                part: row.get(0)?,
                instance: row.get(1)?,
                post: row.get(2)?,
                said,
                flags,
                changes: row.get(5)?,
            });
        }
        Ok(parts)
    }

    /// The text of an answer that a system wrote.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn written_answer(&self, id: &str) -> Result<Option<String>> {
        let mut statement = self.database().prepare_cached("SELECT text FROM answer WHERE id = ?1")?;
        Ok(statement.query_row([id], |row| row.get(0)).optional()?)
    }

    fn said(&self, judgment: i64) -> Result<Option<Said>> {
        let select = "SELECT verdict, comment, judged_at, assessor FROM judgment WHERE number = ?1";
        Ok(self.database().prepare_cached(select)?.query_row([judgment], said).optional()?)
    }

    fn flags(&self, flag: i64) -> Result<Option<Flags>> {
        let select = "SELECT f.machine_generated, f.unrelated, d.undoes FROM flag f
                      JOIN flagged d ON d.flag = f.number WHERE f.number = ?1";
        let found = self
            .database()
            .prepare_cached(select)?
            .query_row([flag], |row| {
                let flags = Flags { machine_generated: row.get(0)?, unrelated: row.get(1)? };
                Ok((flags, row.get::<_, Option<i64>>(2)?))
            })
            .optional()?;
        // Who takes back the first thing said has said nothing.
        Ok(found
            .filter(|(flags, undoes)| *flags != Flags::default() || undoes.is_none())
            .map(|(flags, _)| flags))
    }

    fn progress_of(&self, batch: BatchNo) -> Result<(usize, usize)> {
        let select = format!(
            "SELECT count(*), total(NOT EXISTS (SELECT 1 FROM part p WHERE p.task = t.number AND NOT {PART_IS_DONE}))
             FROM task t JOIN batch b ON b.number = t.batch WHERE t.batch = ?1"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let counts = statement.query_row([batch], |row| Ok((row.get(0)?, row.get::<_, f64>(1)? as usize)))?;
        Ok(counts)
    }

    /// Pages that are not done, those put off last: with how often that was and their place.
    fn undone(&self, assignment: AssignmentNo, batch: BatchNo) -> Result<Vec<(TaskNo, (usize, usize))>> {
        let select = format!(
            "SELECT t.number, (SELECT count(*) FROM skip s WHERE s.assignment = ?2 AND s.task = t.number) AS skips, t.place
             FROM task t JOIN batch b ON b.number = t.batch WHERE t.batch = ?1
             AND EXISTS (SELECT 1 FROM part p WHERE p.task = t.number AND NOT {PART_IS_DONE})
             ORDER BY skips, t.place"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let rows = statement
            .query_map(params![batch, assignment], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The page that follows another among those that are not done; after the last comes the first.
    fn next_after(&self, assignment: AssignmentNo, batch: BatchNo, task: TaskNo) -> Result<Option<TaskNo>> {
        let select =
            "SELECT (SELECT count(*) FROM skip s WHERE s.assignment = ?2 AND s.task = t.number), t.place
                      FROM task t WHERE t.number = ?1";
        let mut statement = self.database().prepare_cached(select)?;
        let here: (usize, usize) =
            statement.query_row(params![task, assignment], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let others: Vec<(TaskNo, (usize, usize))> =
            self.undone(assignment, batch)?.into_iter().filter(|(other, _)| *other != task).collect();
        let behind = others.iter().find(|(_, at)| *at > here).or_else(|| others.first());
        Ok(behind.map(|(task, _)| *task))
    }
}

/// Reads what somebody said: verdict, comment, moment, name.
pub(crate) fn said(row: &Row<'_>) -> rusqlite::Result<Said> {
    let verdict: String = row.get(0)?;
    let verdict = Verdict::stored(&verdict).ok_or_else(|| {
        let reason = format!("{verdict:?} is no verdict");
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, reason.into())
    })?;
    Ok(Said { verdict, comment: row.get(1)?, at: row.get(2)?, assessor: row.get(3)? })
}
