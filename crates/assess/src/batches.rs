//! Batches: items of a topic that one person judges, their tasks and what is judged in each.

use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::{AccountNo, AssignmentNo, BatchNo, PartNo, TaskNo};
use formats::TopicId;
use lab::{PoolKind, Stage};
use pool::ItemKind;
use rusqlite::{OptionalExtension as _, Row, params};

/// What people are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asks {
    /// How relevant something is.
    Grades,
    /// Whether an answer looks machine-made, and whether it holds unrelated things.
    Flags,
}

impl Asks {
    /// The word in the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Grades => "grades",
            Self::Flags => "flags",
        }
    }

    /// Reads the word.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        [Self::Grades, Self::Flags].into_iter().find(|asks| asks.word() == word)
    }
}

/// Items of a topic that one person judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Its number.
    pub number: BatchNo,
    /// What people are asked.
    pub asks: Asks,
    /// Answers or formulas.
    pub kind: PoolKind,
    /// The set of topics.
    pub set: String,
    /// The topic.
    pub topic: TopicId,
    /// For what it is judged.
    pub stage: Stage,
    /// Which of several copies it is, from 1.
    pub copy: u32,
    /// For whom it is kept.
    pub kept_for: Option<AccountNo>,
    /// Whether an organiser took it out of the queue.
    pub withdrawn: bool,
    /// When it was made.
    pub made_at: i64,
}

/// A batch before it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBatch<'a> {
    /// What people are asked.
    pub asks: Asks,
    /// Answers or formulas.
    pub kind: PoolKind,
    /// The set of topics.
    pub set: &'a str,
    /// The topic.
    pub topic: &'a TopicId,
    /// For what it is judged.
    pub stage: Stage,
    /// Which of several copies it is, from 1.
    pub copy: u32,
    /// For whom it is kept.
    pub kept_for: Option<AccountNo>,
}

/// What is judged in a task: the item itself, or an instance of a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewPart {
    /// The instance.
    pub instance: Option<String>,
    /// The post it stands in.
    pub post: Option<String>,
    /// The verdict that is known, as the log has it.
    pub gold: Option<String>,
}

/// A batch with how far it is and who has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchLine {
    /// The batch.
    pub batch: Batch,
    /// Its pages.
    pub tasks: usize,
    /// What is judged on them.
    pub parts: usize,
    /// Of which something was said.
    pub parts_done: usize,
    /// Who has it or has done it, until when, and whether it is done.
    pub held: Option<Held>,
}

/// Who has a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The assignment.
    pub assignment: AssignmentNo,
    /// Who.
    pub account: AccountNo,
    /// Their name.
    pub name: String,
    /// Whether all is judged.
    pub done: bool,
    /// When it returns to the queue.
    pub expires_at: i64,
}

/// The columns of a batch, in the order in which [`batch`] reads them.
pub(crate) const BATCH: &str = "b.number, b.asks, b.kind, b.topic_set, b.topic, b.stage, b.copy, b.kept_for, \
                                b.withdrawn, b.made_at";
/// How many columns those are.
pub(crate) const BATCH_COLUMNS: usize = 10;

/// Parts of which something was said that was not taken back, for a query that calls a part `p`
/// and its batch `b`.
pub(crate) const PART_IS_DONE: &str = "CASE b.asks
    WHEN 'grades' THEN COALESCE((SELECT j.verdict <> 'withdrawn' FROM judged d JOIN judgment j ON j.number = d.judgment
         WHERE d.part = p.number ORDER BY d.judgment DESC LIMIT 1), 0)
    ELSE COALESCE((SELECT f.machine_generated IS NOT NULL OR f.unrelated IS NOT NULL OR d.undoes IS NULL
         FROM flagged d JOIN flag f ON f.number = d.flag WHERE d.part = p.number ORDER BY d.flag DESC LIMIT 1), 0) END";

/// Reads a batch from the first columns of a row.
pub(crate) fn batch(row: &Row<'_>) -> rusqlite::Result<Batch> {
    let unread = |column: usize, word: String| {
        let reason = format!("{word:?} is none");
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, reason.into())
    };
    let (asks, kind, stage): (String, String, String) = (row.get(1)?, row.get(2)?, row.get(5)?);
    Ok(Batch {
        number: row.get(0)?,
        asks: Asks::read(&asks).ok_or_else(|| unread(1, asks))?,
        kind: PoolKind::read(&kind).ok_or_else(|| unread(2, kind))?,
        set: row.get(3)?,
        topic: TopicId::from(row.get::<_, String>(4)?.as_str()),
        stage: Stage::read(&stage).ok_or_else(|| unread(5, stage))?,
        copy: row.get(6)?,
        kept_for: row.get(7)?,
        withdrawn: row.get(8)?,
        made_at: row.get(9)?,
    })
}

/// Reads a kind of item.
pub(crate) fn item_kind(word: &str) -> Result<ItemKind> {
    [ItemKind::Post, ItemKind::Answer, ItemKind::Formula, ItemKind::Instance]
        .into_iter()
        .find(|kind| kind.name() == word)
        .ok_or(Error::Broken)
}

impl Books<'_> {
    /// A batch.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn batch(&self, number: BatchNo) -> Result<Batch> {
        let select = format!("SELECT {BATCH} FROM batch b WHERE b.number = ?1");
        let found = self.database().prepare_cached(&select)?.query_row([number], batch).optional()?;
        found.ok_or(Error::NotYours("batch"))
    }

    /// All batches, in the order of their topics.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn batches(&self) -> Result<Vec<BatchLine>> {
        let select = format!(
            "SELECT {BATCH},
                    (SELECT count(*) FROM task t WHERE t.batch = b.number),
                    (SELECT count(*) FROM task t JOIN part p ON p.task = t.number WHERE t.batch = b.number),
                    (SELECT count(*) FROM task t JOIN part p ON p.task = t.number WHERE t.batch = b.number AND {PART_IS_DONE}),
                    a.number, a.account, c.name, a.state = 'done', a.expires_at
             FROM batch b
             LEFT JOIN assignment a ON a.batch = b.number AND a.state IN ('open', 'done')
             LEFT JOIN account c ON c.number = a.account"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let rows = statement.query_map([], |row| {
            let held = match row.get::<_, Option<AssignmentNo>>(BATCH_COLUMNS + 3)? {
                None => None,
                Some(assignment) => Some(Held {
                    assignment,
                    account: row.get(BATCH_COLUMNS + 4)?,
                    name: row.get(BATCH_COLUMNS + 5)?,
                    done: row.get(BATCH_COLUMNS + 6)?,
                    expires_at: row.get(BATCH_COLUMNS + 7)?,
                }),
            };
            Ok(BatchLine {
                batch: batch(row)?,
                tasks: row.get(BATCH_COLUMNS)?,
                parts: row.get(BATCH_COLUMNS + 1)?,
                parts_done: row.get(BATCH_COLUMNS + 2)?,
                held,
            })
        })?;
        let mut lines: Vec<BatchLine> = rows.collect::<rusqlite::Result<_>>()?;
        lines.sort_by(|a, b| {
            let key = |line: &BatchLine| (line.batch.asks, line.batch.kind, line.batch.stage);
            key(a)
                .cmp(&key(b))
                .then_with(|| a.batch.topic.natural_cmp(&b.batch.topic))
                .then_with(|| a.batch.number.cmp(&b.batch.number))
        });
        Ok(lines)
    }

    /// Takes a batch out of the queue. Who has it may finish it; what was judged stays.
    ///
    /// # Errors
    ///
    /// When there is no such batch.
    pub fn withdraw(&self, number: BatchNo, by: &str) -> Result<()> {
        let changed = self
            .database()
            .execute("UPDATE batch SET withdrawn = 1 WHERE number = ?1 AND withdrawn = 0", [number])?;
        if changed == 0 {
            return Err(Error::refused("there is no such batch, or it is withdrawn already"));
        }
        self.note(by, &format!("withdrew batch {number}"))
    }

    pub(crate) fn add_batch(&self, new: &NewBatch<'_>) -> Result<BatchNo> {
        let insert = "INSERT INTO batch (asks, kind, topic_set, topic, stage, copy, kept_for, made_at)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let number = self.database().prepare_cached(insert)?.insert(params![
            new.asks.word(),
            new.kind.word(),
            new.set,
            new.topic.as_str(),
            new.stage.to_string(),
            new.copy,
            new.kept_for,
            self.now(),
        ])?;
        Ok(BatchNo(number))
    }

    pub(crate) fn add_task(
        &self,
        batch: BatchNo,
        place: usize,
        item: &str,
        kind: ItemKind,
        parts: &[NewPart],
    ) -> Result<TaskNo> {
        let insert = "INSERT INTO task (batch, place, item, kind) VALUES (?1, ?2, ?3, ?4)";
        let task =
            self.database().prepare_cached(insert)?.insert(params![batch, place, item, kind.name()])?;
        for (place, part) in (1..).zip(parts) {
            self.add_part(TaskNo(task), place, part)?;
        }
        Ok(TaskNo(task))
    }

    pub(crate) fn add_part(&self, task: TaskNo, place: usize, part: &NewPart) -> Result<PartNo> {
        let insert = "INSERT INTO part (task, place, instance, post, gold) VALUES (?1, ?2, ?3, ?4, ?5)";
        let values = params![task, place, part.instance, part.post, part.gold];
        Ok(PartNo(self.database().prepare_cached(insert)?.insert(values)?))
    }
}
