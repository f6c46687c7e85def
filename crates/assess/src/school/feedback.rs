//! What somebody learns from a lesson, item by item, once its results are open.

use super::lesson::LessonKey;
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::{AccountNo, AssignmentNo, TaskNo};
use formats::TopicId;
use lab::Verdict;
use pool::ItemKind;
use rusqlite::params;
use std::collections::BTreeMap;

/// An item with what everybody said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Feedback {
    /// The topic.
    pub topic: TopicId,
    /// The item.
    pub item: String,
    /// What it is.
    pub kind: ItemKind,
    /// What was judged of it.
    pub parts: Vec<FeedbackPart>,
    /// Where to look at it again.
    pub look: Option<(AssignmentNo, TaskNo)>,
}

/// What was said of one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedbackPart {
    /// The instance of a formula.
    pub instance: Option<String>,
    /// What is known.
    pub known: Verdict,
    /// What they said themselves.
    pub own: Option<Remark>,
    /// How many of the others said what, the highest grade first.
    pub others: Vec<(Verdict, usize)>,
    /// What the others remarked, without names.
    pub remarks: Vec<Remark>,
}

/// What somebody said, in their words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The verdict.
    pub verdict: Verdict,
    /// The comment; may be empty.
    pub comment: String,
}

impl Books<'_> {
    /// What somebody learns from a lesson.
    ///
    /// # Errors
    ///
    /// When they do not take part, have not finished, or the results are not open yet.
    pub fn feedback(&self, account: AccountNo, key: LessonKey) -> Result<Vec<Feedback>> {
        let lesson = self.lesson(key)?;
        let pupil = lesson.pupils.iter().find(|pupil| pupil.account == account);
        let pupil = pupil.ok_or(Error::NotYours("lesson"))?;
        if lesson.opened_at.is_none() {
            return Err(Error::refused("the results are not open yet: an organiser opens them"));
        }
        if !pupil.is_done() {
            return Err(Error::refused("the results are shown when you have judged everything"));
        }
        let said = self.said_in(&lesson)?;
        let pages = self.pages_of(account, key)?;
        let mut feedback = Vec::new();
        for (topic, item) in lesson.all_items() {
            let parts = item.parts.iter().map(|part| {
                let thing = (topic.clone(), item.item.clone(), part.instance.clone());
                let mut entry = FeedbackPart {
                    instance: part.instance.clone(),
                    known: part.verdict,
                    own: None,
                    others: Vec::new(),
                    remarks: Vec::new(),
                };
                let mut counts: BTreeMap<(bool, i32, Verdict), usize> = BTreeMap::new();
                for (name, theirs) in &said {
                    let Some(said) = theirs.get(&thing) else { continue };
                    let remark = Remark { verdict: said.verdict, comment: said.comment.clone() };
                    if *name == pupil.name {
                        entry.own = Some(remark);
                        continue;
                    }
                    let grade = said.verdict.grade();
                    *counts.entry((grade.is_none(), -grade.unwrap_or(0), said.verdict)).or_default() += 1;
                    if !remark.comment.trim().is_empty() {
                        entry.remarks.push(remark);
                    }
                }
                // Ordered by what is said, remarks do not tell whose they are.
                entry
                    .remarks
                    .sort_by(|one, other| (one.verdict, &one.comment).cmp(&(other.verdict, &other.comment)));
                entry.others = counts.into_iter().map(|((_, _, verdict), count)| (verdict, count)).collect();
                entry
            });
            feedback.push(Feedback {
                topic: topic.clone(),
                item: item.item.clone(),
                kind: item.kind,
                parts: parts.collect(),
                look: pages.get(&(topic.clone(), item.item.clone())).copied(),
            });
        }
        Ok(feedback)
    }

    /// Where somebody's own pages of a lesson are.
    fn pages_of(
        &self,
        account: AccountNo,
        key: LessonKey,
    ) -> Result<BTreeMap<(TopicId, String), (AssignmentNo, TaskNo)>> {
        let mut select = self.database().prepare(
            "SELECT b.topic, t.item, a.number, t.number FROM batch b JOIN task t ON t.batch = b.number
             JOIN assignment a ON a.batch = b.number AND a.account = b.kept_for
             WHERE b.stage = ?1 AND b.kind = ?2 AND b.kept_for = ?3 ORDER BY a.number",
        )?;
        let rows = select.query_map(params![key.stage.to_string(), key.kind.word(), account], |row| {
            let topic: String = row.get(0)?;
            Ok(((TopicId::from(topic.as_str()), row.get(1)?), (row.get(2)?, row.get(3)?)))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
