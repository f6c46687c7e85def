//! A pool in the database, and as a table for people.

use super::{PlannedPool, PoolRule, PooledSystem};
use crate::change::Change;
use crate::clock::{now, stamp};
use crate::error::{Error, Result};
use crate::folder::Lab;
use crate::manifest::PoolKind;
use crate::systems::SubmissionNo;
use formats::check::Task;
use formats::{RunTag, TopicId};
use pool::ItemKind;
use rusqlite::{OptionalExtension as _, params};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A pool that is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPool {
    /// Its number; the highest of a kind and set is the one that counts.
    pub number: i64,
    /// What is judged.
    pub kind: PoolKind,
    /// The set of topics.
    pub set: String,
    /// How it was made.
    pub rule: PoolRule,
    /// What chance began with.
    pub seed: u64,
    /// When.
    pub made_at: String,
    /// The topics, as people list them.
    pub topics: Vec<StoredTopic>,
}

/// The items of a topic, in the order of judging; those held back come last.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredTopic {
    /// The topic.
    pub topic: TopicId,
    /// Its items.
    pub items: Vec<StoredItem>,
}

/// Something to be judged.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredItem {
    /// Its number in the database.
    pub number: i64,
    /// A post, a written answer, a visual id or an instance.
    pub id: String,
    /// Which of these.
    pub kind: ItemKind,
    /// The place in the order of judging, from 1; nothing while it is held back.
    pub place: Option<usize>,
    /// Which runs brought it, at which rank.
    pub sources: Vec<(SubmissionNo, usize)>,
    /// The instances of a formula that are shown.
    pub instances: Vec<StoredInstance>,
    /// How many instances the runs brought.
    pub candidates: usize,
}

impl StoredItem {
    /// Whether it is one of a task: Tasks 1 and 3 are pooled together.
    #[must_use]
    pub fn is_of(&self, task: Task) -> bool {
        match task {
            Task::Task1 => self.kind == ItemKind::Post,
            Task::Task3 => self.kind == ItemKind::Answer,
            Task::Task2 => matches!(self.kind, ItemKind::Formula | ItemKind::Instance),
        }
    }
}

/// An instance of a formula that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredInstance {
    /// The formula.
    pub id: String,
    /// The post it stands in.
    pub post: Option<String>,
}

impl Lab {
    /// Keeps a pool, which from then on is the one that counts for its kind and set, and writes it
    /// as a table. Judgments that were made stay.
    ///
    /// # Errors
    ///
    /// When runs came or changed since the pool was planned, or the database or the table cannot be
    /// written.
    pub fn keep_pool(&mut self, plan: &PlannedPool) -> Result<StoredPool> {
        self.change(|change| self.keep_planned(change, plan))
    }

    fn keep_planned(&self, change: &mut Change<'_>, plan: &PlannedPool) -> Result<StoredPool> {
        let kind = plan.request.kind;
        let runs = |systems: &BTreeMap<RunTag, PooledSystem>| -> BTreeMap<RunTag, String> {
            systems.iter().map(|(name, pooled)| (name.clone(), pooled.submission.sha256.clone())).collect()
        };
        if runs(&self.pooled_systems(kind, &plan.set)?) != runs(&plan.runs) {
            return Err(Error::asked(format!(
                "runs on the set {} were submitted while its pool of {kind} was made; make the pool again",
                plan.set
            )));
        }
        let judged: BTreeMap<(TopicId, String), _> = self
            .judgments(kind, &plan.set)?
            .into_iter()
            .map(|row| ((row.said.topic, row.said.item), row.said.verdict))
            .collect();
        let in_order = |topic| Ok((topic, self.order(plan, topic, &judged)?));
        let ordered: Vec<_> = plan.pool.topics.iter().map(in_order).collect::<Result<_>>()?;
        let failed = self.failed();
        let rule = serde_json::to_string(&plan.rule()).unwrap_or_default();
        let database = self.database();
        let write = || -> rusqlite::Result<()> {
            database.execute(
                "INSERT INTO pool (kind, topic_set, rule, seed, made_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![kind.word(), plan.set, rule, plan.seed.to_string(), stamp(now())],
            )?;
            let pool = database.last_insert_rowid();
            let mut add_item = database.prepare(
                "INSERT INTO pool_item (pool, topic, item, kind, place, candidates)
                          VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
            let mut add_source =
                database.prepare("INSERT INTO pool_source (item, submission, rank) VALUES (?1, ?2, ?3)")?;
            let mut add_instance = database
                .prepare("INSERT INTO pool_instance (item, place, instance, post) VALUES (?1, ?2, ?3, ?4)")?;
            let mut add_answer =
                database.prepare("INSERT OR IGNORE INTO answer (id, topic, text) VALUES (?1, ?2, ?3)")?;
            for (topic, (items, given_out)) in &ordered {
                for (at, item) in items.iter().enumerate() {
                    let place = (at < *given_out).then(|| number(at + 1));
                    let name = item.id.as_str();
                    let candidates = number(item.candidates.len());
                    let (topic_id, kind) = (topic.topic.as_str(), item.id.kind().name());
                    add_item.execute(params![pool, topic_id, name, kind, place, candidates])?;
                    let item_number = database.last_insert_rowid();
                    for source in &item.sources.within {
                        let submission = plan.runs.get(&source.run).map(|pooled| pooled.submission.number.0);
                        add_source.execute(params![item_number, submission, number(source.rank)])?;
                    }
                    for (place, instance) in (1..).zip(plan.instances(&topic.topic, item)) {
                        add_instance.execute(params![item_number, place, instance.id, instance.post])?;
                    }
                    if let Some(text) = &item.text {
                        add_answer.execute(params![name, topic.topic.as_str(), text])?;
                    }
                }
            }
            Ok(())
        };
        write().map_err(&failed)?;
        let pool = self.pool(kind, &plan.set)?.ok_or_else(|| failed(rusqlite::Error::QueryReturnedNoRows))?;
        self.write_pool_table(change, &pool)?;
        self.note_event("organiser", &format!("made pool {} of {kind} for {}", pool.number, plan.set))?;
        Ok(pool)
    }

    fn write_pool_table(&self, change: &mut Change<'_>, pool: &StoredPool) -> Result<()> {
        let names: BTreeMap<i64, String> = self
            .systems()?
            .iter()
            .flat_map(|system| {
                let name = format!("{}:{system}", system.task);
                system.submissions.iter().map(move |submission| (submission.number.0, name.clone()))
            })
            .collect();
        let mut out = String::from("topic\tplace\titem\tkind\tinstances\tsources\n");
        for topic in &pool.topics {
            for item in &topic.items {
                let place = item.place.map_or_else(|| "-".to_owned(), |place| place.to_string());
                let instances: Vec<&str> =
                    item.instances.iter().map(|instance| instance.id.as_str()).collect();
                let sources: Vec<String> = item
                    .sources
                    .iter()
                    .map(|(submission, rank)| {
                        let name = names.get(&submission.0).map_or("?", String::as_str);
                        format!("{name}@{rank}")
                    })
                    .collect();
                let (id, kind) = (&item.id, item.kind);
                let _ = writeln!(
                    out,
                    "{}\t{place}\t{id}\t{kind}\t{}\t{}",
                    topic.topic,
                    instances.join(" "),
                    sources.join(" ")
                );
            }
        }
        let path = format!("pools/{}-{}.tsv", pool.set, pool.kind);
        change.file(&path, out.as_bytes())
    }

    /// The pool of a kind and set that counts now.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn pool(&self, kind: PoolKind, set: &str) -> Result<Option<StoredPool>> {
        self.read_pool(kind, set).map_err(self.failed())
    }

    fn read_pool(&self, kind: PoolKind, set: &str) -> rusqlite::Result<Option<StoredPool>> {
        let database = self.database();
        let select = "SELECT number, rule, seed, made_at FROM pool WHERE kind = ?1 AND topic_set = ?2
                      ORDER BY number DESC LIMIT 1";
        let row = database.query_row(select, params![kind.word(), set], |row| {
            Ok((
                row.get::<_, i64>(0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, String>(3)?,
            ))
        });
        let Some((number, rule, seed, made_at)) = row.optional()? else { return Ok(None) };
        let unread = |column: usize, reason: String| {
            rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, reason.into())
        };
        let rule = serde_json::from_str(&rule).map_err(|error| unread(1, error.to_string()))?;
        let seed = seed.parse().map_err(|_| unread(2, format!("{seed:?} is no seed")))?;
        let mut items: Vec<(String, StoredItem)> = Vec::new();
        let mut places: BTreeMap<i64, usize> = BTreeMap::new();
        let select = "SELECT number, topic, item, kind, place, candidates FROM pool_item WHERE pool = ?1
                      ORDER BY topic, place IS NULL, place, number";
        let mut statement = database.prepare(select)?;
        let mut rows = statement.query([number])?;
        while let Some(row) = rows.next()? {
            let word: String = row.get(3)?;
            let kind = [ItemKind::Post, ItemKind::Answer, ItemKind::Formula, ItemKind::Instance]
                .into_iter()
                .find(|kind| kind.name() == word)
                .ok_or_else(|| unread(3, format!("{word:?} is no kind of item")))?;
            let item = StoredItem {
                number: row.get(0)?,
                id: row.get(2)?,
                kind,
                place: row.get::<_, Option<i64>>(4)?.and_then(|place| usize::try_from(place).ok()),
                sources: Vec::new(),
                instances: Vec::new(),
                candidates: usize::try_from(row.get::<_, i64>(5)?).unwrap_or(0),
            };
            places.insert(item.number, items.len());
            items.push((row.get(1)?, item));
        }
        let select =
            "SELECT s.item, s.submission, s.rank FROM pool_source s JOIN pool_item i ON i.number = s.item
                      WHERE i.pool = ?1 ORDER BY s.item, s.submission";
        let mut statement = database.prepare(select)?;
        let mut rows = statement.query([number])?;
        while let Some(row) = rows.next()? {
            if let Some(at) = places.get(&row.get::<_, i64>(0)?) {
                let rank = usize::try_from(row.get::<_, i64>(2)?).unwrap_or(0);
                items[*at].1.sources.push((SubmissionNo(row.get(1)?), rank));
            }
        }
        let select =
            "SELECT s.item, s.instance, s.post FROM pool_instance s JOIN pool_item i ON i.number = s.item
                      WHERE i.pool = ?1 ORDER BY s.item, s.place";
        let mut statement = database.prepare(select)?;
        let mut rows = statement.query([number])?;
        while let Some(row) = rows.next()? {
            if let Some(at) = places.get(&row.get::<_, i64>(0)?) {
                items[*at].1.instances.push(StoredInstance { id: row.get(1)?, post: row.get(2)? });
            }
        }
        let mut topics: Vec<StoredTopic> = Vec::new();
        for (topic, item) in items {
            match topics.last_mut() {
                Some(last) if last.topic.as_str() == topic => last.items.push(item),
                _ => topics.push(StoredTopic { topic: TopicId::from(topic.as_str()), items: vec![item] }),
            }
        }
        topics.sort_by(|a, b| a.topic.natural_cmp(&b.topic));
        Ok(Some(StoredPool { number, kind, set: set.to_owned(), rule, seed, made_at, topics }))
    }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
