//! Lessons that were made: what is judged in them, who takes part and how far they are.

use super::known::{KnownItem, KnownPart};
use crate::batches::{Batch, item_kind};
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::{AccountNo, AssignmentNo, BatchNo};
use formats::TopicId;
use lab::{PoolKind, Stage, Verdict};
use rusqlite::{OptionalExtension as _, params};
use std::fmt;

/// Which lesson it is: those who judge answers and those who judge formulas are taught apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LessonKey {
    /// [`Stage::Sample`] or [`Stage::Training`].
    pub stage: Stage,
    /// What is judged.
    pub kind: PoolKind,
}

impl LessonKey {
    /// A key, if the stage is one of a lesson.
    #[must_use]
    pub fn new(stage: Stage, kind: PoolKind) -> Option<Self> {
        matches!(stage, Stage::Sample | Stage::Training(_)).then_some(Self { stage, kind })
    }

    /// Reads what [`LessonKey`] prints: `training-2/answers`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (stage, kind) = text.split_once('/')?;
        Self::new(Stage::read(stage)?, PoolKind::read(kind)?)
    }

    /// What people call it: `Sample`, or `Round 2`.
    #[must_use]
    pub fn name(&self) -> String {
        match self.stage {
            Stage::Training(round) => format!("Round {round}"),
            _ => "Sample".to_owned(),
        }
    }
}

impl fmt::Display for LessonKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.stage, self.kind)
    }
}

/// A lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Which one it is.
    pub key: LessonKey,
    /// The set whose topics it has.
    pub set: String,
    /// The topics with their items and what is known of them.
    pub topics: Vec<(TopicId, Vec<KnownItem>)>,
    /// When it was made.
    pub made_at: i64,
    /// When its results were opened to those who took part.
    pub opened_at: Option<i64>,
    /// Who takes part, by name.
    pub pupils: Vec<Pupil>,
}

impl Lesson {
    /// How many things are judged.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.topics.iter().flat_map(|(_, items)| items).map(|item| item.parts.len()).sum()
    }

    /// How many items there are.
    #[must_use]
    pub fn items(&self) -> usize {
        self.topics.iter().map(|(_, items)| items.len()).sum()
    }
}

/// Somebody who takes part in a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pupil {
    /// Their account.
    pub account: AccountNo,
    /// Their name.
    pub name: String,
    /// How many things they judge.
    pub parts: usize,
    /// How many they have judged.
    pub judged: usize,
}

impl Pupil {
    /// Whether they have judged all.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.parts > 0 && self.judged == self.parts
    }
}

/// The batch from which the copies of a lesson are made. Nobody judges it: it is out of the queue
/// and kept for nobody.
pub(super) const PATTERN: &str = "withdrawn = 1 AND kept_for IS NULL";

impl Books<'_> {
    /// All lessons: samples first, then the rounds in their order.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn lessons(&self) -> Result<Vec<Lesson>> {
        let mut keys: Vec<LessonKey> = Vec::new();
        let sql = format!(
            "SELECT DISTINCT stage, kind FROM batch
             WHERE {PATTERN} AND (stage = 'sample' OR stage LIKE 'training-%')"
        );
        let mut select = self.database().prepare(&sql)?;
        let rows = select.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
        for row in rows {
            let (stage, kind) = row?;
            keys.extend(LessonKey::read(&format!("{stage}/{kind}")));
        }
        keys.sort_by_key(|key| (key.stage != Stage::Sample, *key));
        keys.into_iter().map(|key| self.lesson(key)).collect()
    }

    /// A lesson.
    ///
    /// # Errors
    ///
    /// When there is no such lesson, or the database cannot be read.
    pub fn lesson(&self, key: LessonKey) -> Result<Lesson> {
        let patterns = self.patterns(key)?;
        let Some((_, set, _, made_at)) = patterns.first().cloned() else {
            return Err(Error::refused(format!("there is no lesson {key}")));
        };
        let mut topics = Vec::new();
        for (batch, _, topic, _) in patterns {
            topics.push((topic, self.known_of(batch)?));
        }
        topics.sort_by(|(one, _), (other, _)| one.natural_cmp(other));
        let opened = "SELECT at FROM opened WHERE stage = ?1 AND kind = ?2";
        let opened_at = self
            .database()
            .query_row(opened, params![key.stage.to_string(), key.kind.word()], |row| row.get(0))
            .optional()?;
        Ok(Lesson { key, set, topics, made_at, opened_at, pupils: self.pupils(key)? })
    }

    /// The batches from which copies are made.
    pub(super) fn patterns(&self, key: LessonKey) -> Result<Vec<(BatchNo, String, TopicId, i64)>> {
        let sql = format!(
            "SELECT number, topic_set, topic, made_at FROM batch
             WHERE stage = ?1 AND kind = ?2 AND {PATTERN} ORDER BY number"
        );
        let mut select = self.database().prepare(&sql)?;
        let rows = select.query_map(params![key.stage.to_string(), key.kind.word()], |row| {
            let topic: String = row.get(2)?;
            Ok((row.get(0)?, row.get(1)?, TopicId::from(topic.as_str()), row.get(3)?))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The items of a batch with what is known of them.
    pub(super) fn known_of(&self, batch: BatchNo) -> Result<Vec<KnownItem>> {
        let mut items: Vec<KnownItem> = Vec::new();
        let mut select = self.database().prepare_cached(
            "SELECT t.item, t.kind, p.instance, p.post, p.gold FROM task t JOIN part p ON p.task = t.number
             WHERE t.batch = ?1 ORDER BY t.place, p.place",
        )?;
        let mut rows = select.query([batch])?;
        while let Some(row) = rows.next()? {
            let (item, kind): (String, String) = (row.get(0)?, row.get(1)?);
            let gold: Option<String> = row.get(4)?;
            let verdict = gold.as_deref().and_then(Verdict::stored).ok_or(Error::Broken)?;
            let part = KnownPart { instance: row.get(2)?, post: row.get(3)?, verdict };
            match items.last_mut() {
                Some(last) if last.item == item => last.parts.push(part),
                _ => {
                    items.push(KnownItem { item, kind: item_kind(&kind)?, parts: vec![part] });
                }
            }
        }
        Ok(items)
    }

    /// Who takes part, by name.
    fn pupils(&self, key: LessonKey) -> Result<Vec<Pupil>> {
        let mut select = self.database().prepare(
            "SELECT a.number, a.name, count(p.number), count(j.number) FROM batch b
             JOIN account a ON a.number = b.kept_for
             JOIN task t ON t.batch = b.number JOIN part p ON p.task = t.number
             LEFT JOIN judgment j ON j.verdict <> 'withdrawn'
                  AND j.number = (SELECT max(d.judgment) FROM judged d WHERE d.part = p.number)
             WHERE b.stage = ?1 AND b.kind = ?2 AND b.withdrawn = 0
             GROUP BY a.number ORDER BY a.name",
        )?;
        let rows = select.query_map(params![key.stage.to_string(), key.kind.word()], |row| {
            Ok(Pupil {
                account: row.get(0)?,
                name: row.get(1)?,
                parts: row.get::<_, u32>(2)? as usize,
                judged: row.get::<_, u32>(3)? as usize,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Gives somebody the next part of a lesson that is kept for them, or the one that they have begun.
    ///
    /// # Errors
    ///
    /// When they have no part in it, or have judged all of it.
    pub fn begin_lesson(&self, account: AccountNo, key: LessonKey) -> Result<AssignmentNo> {
        let lesson = self.lesson(key)?;
        let pupil = lesson.pupils.iter().find(|pupil| pupil.account == account);
        let pupil = pupil.ok_or(Error::NotYours("lesson"))?;
        let mut select = self.database().prepare(
            "SELECT b.number FROM batch b WHERE b.stage = ?1 AND b.kind = ?2 AND b.kept_for = ?3
             AND b.withdrawn = 0 ORDER BY b.number",
        )?;
        let values = params![key.stage.to_string(), key.kind.word(), account];
        let batches: Vec<BatchNo> =
            select.query_map(values, |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        for batch in batches {
            if !self.is_finished(batch)? {
                return self.assign(batch, account, &pupil.name);
            }
        }
        Err(Error::refused("you have judged all of it"))
    }

    /// Opens the results of a lesson to those who took part and finished. It stays open.
    ///
    /// # Errors
    ///
    /// When there is no such lesson, or the database cannot be written.
    pub fn open_lesson(&self, key: LessonKey, by: &str) -> Result<()> {
        if self.lesson(key)?.opened_at.is_some() {
            return Ok(());
        }
        self.database().execute(
            "INSERT INTO opened (stage, kind, who, at) VALUES (?1, ?2, ?3, ?4)",
            params![key.stage.to_string(), key.kind.word(), by, self.now()],
        )?;
        self.note(by, &format!("opened the results of {key}"))
    }

    /// Takes a lesson away that nobody has begun.
    ///
    /// # Errors
    ///
    /// When there is no such lesson, somebody has begun it, or the database cannot be written.
    pub fn remove_lesson(&self, key: LessonKey, by: &str) -> Result<()> {
        self.lesson(key)?;
        let of = params![key.stage.to_string(), key.kind.word()];
        let begun: bool = self.database().query_row(
            "SELECT EXISTS (SELECT 1 FROM assignment a JOIN batch b ON b.number = a.batch
             WHERE b.stage = ?1 AND b.kind = ?2)",
            of,
            |row| row.get(0),
        )?;
        if begun {
            return Err(Error::refused("somebody has begun it: what people judged is not thrown away"));
        }
        let batches = "SELECT number FROM batch WHERE stage = ?1 AND kind = ?2";
        let tasks = format!("SELECT number FROM task WHERE batch IN ({batches})");
        self.database().execute(&format!("DELETE FROM part WHERE task IN ({tasks})"), of)?;
        self.database().execute(&format!("DELETE FROM task WHERE batch IN ({batches})"), of)?;
        self.database().execute("DELETE FROM batch WHERE stage = ?1 AND kind = ?2", of)?;
        self.database().execute("DELETE FROM opened WHERE stage = ?1 AND kind = ?2", of)?;
        self.note(by, &format!("took {key} away, which nobody had begun"))
    }

    /// Refuses changes to a finished part of a lesson whose results are open: who has seen what is
    /// known cannot say it any more.
    pub(crate) fn check_not_shown(&self, batch: &Batch) -> Result<()> {
        if LessonKey::new(batch.stage, batch.kind).is_none() {
            return Ok(());
        }
        let select = "SELECT 1 FROM opened WHERE stage = ?1 AND kind = ?2";
        let mut statement = self.database().prepare_cached(select)?;
        let is_open = statement.exists(params![batch.stage.to_string(), batch.kind.word()])?;
        if is_open && self.is_finished(batch.number)? {
            return Err(Error::refused("the results are open: what was said stays as it is"));
        }
        Ok(())
    }
}
