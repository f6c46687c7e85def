//! Batches for Turkle, one a topic.

use crate::books::Books;
use crate::error::{Error, Result};
use crate::plan::planned;
use formats::{TopicId, write_csv_row};
use lab::{PoolKind, pools::StoredPool};
use pool::ItemKind;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// So many things are judged in a task at most.
pub const MOST_PARTS: usize = 5;

/// A file for Turkle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurkleFile {
    /// Its name, such as `answers-A.301.csv`.
    pub name: String,
    /// What stands in it.
    pub text: String,
    /// How many tasks it has.
    pub tasks: usize,
}

/// A question, as safe HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// Its title, inside a line.
    pub title: String,
    /// The question itself.
    pub body: String,
}

/// Something that is shown to be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToShow<'a> {
    /// Answers or formulas.
    pub kind: PoolKind,
    /// The set of topics.
    pub set: &'a str,
    /// The topic.
    pub topic: &'a TopicId,
    /// The item.
    pub item: &'a str,
    /// What it is.
    pub item_kind: ItemKind,
    /// The instance of a formula.
    pub instance: Option<&'a str>,
    /// The post that is shown.
    pub post: Option<&'a str>,
    /// The text of a written answer.
    pub text: Option<&'a str>,
}

/// Whoever knows what questions and posts look like, as HTML that is safe to show.
pub trait Pages {
    /// The question of a topic.
    ///
    /// # Errors
    ///
    /// When there is no such topic, or it cannot be read.
    fn question(&mut self, kind: PoolKind, set: &str, topic: &TopicId) -> Result<Question>;

    /// Something that is judged.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    fn shown(&mut self, part: &ToShow<'_>) -> Result<String>;
}

/// HTML that Turkle can put into a template: no name of a field in it is filled in.
#[must_use]
pub fn safe_field(html: &str) -> String {
    html.replace("${", "&#36;{")
}

/// An id in letters that mean nothing in HTML and in templates; `read_id` gives it back.
#[must_use]
pub fn safe_id(id: &str) -> String {
    let mut safe = String::new();
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || b"._:-".contains(&byte) {
            safe.push(char::from(byte));
        } else {
            let _ = write!(safe, "%{byte:02X}");
        }
    }
    safe
}

/// Reads an id that [`safe_id`] wrote; what it cannot have written is taken as it is.
pub(super) fn read_id(safe: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = safe.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
            let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) else {
                return safe.to_owned();
            };
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| safe.to_owned())
}

/// The columns of a batch: what Turkle knows them by, and what the template of `web` uses.
pub(super) fn columns(kind: PoolKind) -> Vec<String> {
    let mut names: Vec<String> = ["topic", "item", "title", "question"].map(str::to_owned).to_vec();
    for at in 1..=parts(kind) {
        names.extend([format!("instance_{at}"), format!("shown_{at}"), format!("off_{at}")]);
    }
    names
}

/// How many things are judged in a task of a kind.
fn parts(kind: PoolKind) -> usize {
    match kind {
        PoolKind::Answers => 1,
        PoolKind::Formulas => MOST_PARTS,
    }
}

impl Books<'_> {
    /// The topics of which there is something to be judged, and how many tasks they have.
    ///
    /// # Errors
    ///
    /// When there is no pool.
    pub fn turkle_topics(&self, kind: PoolKind, set: &str) -> Result<Vec<(TopicId, usize)>> {
        let given_out =
            |topic: &lab::pools::StoredTopic| topic.items.iter().filter(|item| item.place.is_some()).count();
        let pool = self.turkle_pool(kind, set)?;
        Ok(pool.topics.iter().map(|topic| (topic.topic.clone(), given_out(topic))).collect())
    }

    /// Batches for Turkle, one for each of these topics, or for all. Each is given to `take` as soon
    /// as it is written, as all of them together may be large.
    ///
    /// # Errors
    ///
    /// When there is no pool or topic, something cannot be shown, or `take` fails.
    pub fn write_turkle(
        &self,
        kind: PoolKind,
        set: &str,
        only: Option<&TopicId>,
        pages: &mut dyn Pages,
        take: &mut dyn FnMut(TurkleFile) -> Result<()>,
    ) -> Result<()> {
        let pool = self.turkle_pool(kind, set)?;
        if let Some(only) = only
            && !pool.topics.iter().any(|topic| topic.topic == *only)
        {
            return Err(Error::refused(format!("topic {only} is not in the pool")));
        }
        let columns = columns(kind);
        for topic in pool.topics.iter().filter(|topic| only.is_none_or(|only| topic.topic == *only)) {
            let answers = self.texts(&topic.topic)?;
            let question = pages.question(kind, set, &topic.topic)?;
            let mut file = TurkleFile {
                name: format!("{kind}-{}.csv", safe_id(topic.topic.as_str())),
                text: write_csv_row(columns.iter().map(String::as_str)),
                tasks: 0,
            };
            for item in topic.items.iter().filter(|item| item.place.is_some()) {
                let mut fields = vec![
                    safe_id(topic.topic.as_str()),
                    safe_id(&item.id),
                    safe_field(&question.title),
                    safe_field(&question.body),
                ];
                let shown = planned(item).parts;
                if shown.len() > parts(kind) {
                    let reason =
                        format!("{} has {} instances, and a task has {MOST_PARTS}", item.id, shown.len());
                    return Err(Error::refused(reason));
                }
                for part in &shown {
                    let html = pages.shown(&ToShow {
                        kind,
                        set,
                        topic: &topic.topic,
                        item: &item.id,
                        item_kind: item.kind,
                        instance: part.instance.as_deref(),
                        post: part.post.as_deref(),
                        text: answers.get(&item.id).map(String::as_str),
                    })?;
                    let instance = part.instance.as_deref().map(safe_id).unwrap_or_default();
                    fields.extend([instance, safe_field(&html), String::new()]);
                }
                for _ in shown.len()..parts(kind) {
                    // What is off is neither seen nor asked for.
                    fields.extend([String::new(), String::new(), "hidden disabled".to_owned()]);
                }
                file.text.push_str(&write_csv_row(fields.iter().map(String::as_str)));
                file.tasks += 1;
            }
            if file.tasks > 0 {
                take(file)?;
            }
        }
        Ok(())
    }

    fn turkle_pool(&self, kind: PoolKind, set: &str) -> Result<StoredPool> {
        let pool = self.lab().pool(kind, set)?;
        pool.ok_or_else(|| Error::refused(format!("there is no pool of {kind} for the set {set} yet")))
    }

    /// The texts of written answers.
    fn texts(&self, topic: &TopicId) -> Result<BTreeMap<String, String>> {
        let mut select = self.database().prepare_cached("SELECT id, text FROM answer WHERE topic = ?1")?;
        let rows = select.query_map([topic.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
