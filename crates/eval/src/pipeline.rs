//! From the rows of a file to a ranking: the rules of the labs, step by step.
//!
//! 1. A document that is listed twice is refused, or its first or last row is kept.
//! 2. Formula instances become visual ids (Task 2): the list is walked from
//!    the top, and of each visual id the first instance is kept with its score.
//! 3. The ranking is put in the one order: see [`formats::order`].
//! 4. It is cut at a depth.

use crate::doc_table::DocTable;
use crate::judgments::JudgedTopic;
use crate::ranked::ResultGrade;
use foldhash::{HashMap, HashMapExt as _};
use formats::order::{Width, compare};
use formats::run::{RunRow, TopicRows};
use formats::{DocId, Place, TopicId};
use std::ops::Range;

/// What happens to a document that a topic lists twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// It is an error, as in trec_eval.
    #[default]
    Refuse,
    /// The first row of the file counts, as in the scripts of Task 1.
    KeepFirst,
    /// The last row of the file counts, as in the scripts of Task 2.
    KeepLast,
}

/// Knows the visual ids of formula instances.
pub trait VisualIdLookup: Sync {
    /// The visual id of a formula, if there is one.
    fn visual_id(&self, formula: DocId<'_>) -> Option<DocId<'_>>;
}

/// The rules by which rows become a ranking.
#[derive(Clone, Copy, Default)]
pub struct Pipeline<'a> {
    /// How many bits of a score count.
    pub width: Width,
    /// What happens to documents that are listed twice.
    pub duplicates: Duplicates,
    /// How formula instances become visual ids, if they do.
    pub visual_ids: Option<&'a dyn VisualIdLookup>,
    /// How many results count; the rest of the list is not looked at.
    pub depth: Option<usize>,
}

/// A document that a topic lists twice although it must not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: document {doc} is listed a second time for topic {topic}; the first is on line {first}")]
pub struct Duplicate {
    /// Where the second row is.
    pub place: Place,
    /// The document.
    pub doc: String,
    /// The topic.
    pub topic: TopicId,
    /// The line of the first row.
    pub first: usize,
}

/// One result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<'a> {
    /// What was retrieved: after step 2 a visual id.
    pub doc: DocId<'a>,
    /// Its score, with as many bits as count.
    pub score: f64,
    /// What the judges said of it.
    pub verdict: ResultGrade,
    /// The line of the file.
    pub line: usize,
}

/// What was left out on the way to a ranking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Rows of documents that are listed twice.
    pub duplicates: usize,
    /// Formula instances without a visual id.
    pub without_visual_id: usize,
    /// Instances of a visual id that stands higher up already.
    pub repeated_visual_ids: usize,
    /// Results beyond the depth.
    pub too_deep: usize,
}

impl std::ops::AddAssign for LeftOut {
    fn add_assign(&mut self, other: Self) {
        self.duplicates += other.duplicates;
        self.without_visual_id += other.without_visual_id;
        self.repeated_visual_ids += other.repeated_visual_ids;
        self.too_deep += other.too_deep;
    }
}

/// A ranking in order, best first.
#[derive(Clone, Debug, Default)]
pub struct Ranking<'a> {
    /// The results.
    pub entries: Vec<Entry<'a>>,
    /// What is not among them.
    pub left_out: LeftOut,
}

impl Ranking<'_> {
    /// Groups of results with the same score, where there is more than one.
    #[must_use]
    pub fn ties(&self) -> Vec<Range<usize>> {
        ties(&self.entries)
    }
}

/// Groups of neighbours with the same score, of two or more.
pub(crate) fn ties(entries: &[Entry<'_>]) -> Vec<Range<usize>> {
    let mut start = 0;
    entries
        .chunk_by(|a, b| a.score.total_cmp(&b.score).is_eq())
        .map(|group| {
            start += group.len();
            start - group.len()..start
        })
        .filter(|group| group.len() > 1)
        .collect()
}

impl<'a> Pipeline<'a> {
    /// The ranking of one topic, seen through its judgments.
    ///
    /// # Errors
    ///
    /// When a document is listed twice and that is refused.
    pub fn rank(&self, rows: TopicRows<'a>, judged: &JudgedTopic<'_>) -> Result<Ranking<'a>, Duplicate> {
        self.rank_with(rows, judged, &mut DocTable::default())
    }

    /// The same with a table that is used again for the next topic.
    pub(crate) fn rank_with(
        &self,
        rows: TopicRows<'a>,
        judged: &JudgedTopic<'_>,
        seen: &mut DocTable,
    ) -> Result<Ranking<'a>, Duplicate> {
        let mut left_out = LeftOut::default();
        let mut entries = self.entries(rows, judged, seen, &mut left_out)?;
        if let Some(visual_ids) = self.visual_ids {
            entries = by_visual_id(entries, visual_ids, &mut left_out);
            for entry in &mut entries {
                entry.verdict = judged.verdict(entry.doc);
            }
        }
        for entry in &mut entries {
            // Adding zero makes one zero of two: -0 and 0 are equal scores, also after rounding.
            entry.score = self.width.round(entry.score) + 0.0;
        }
        sort(&mut entries);
        if let Some(depth) = self.depth {
            left_out.too_deep = entries.len().saturating_sub(depth);
            entries.truncate(depth);
        }
        Ok(Ranking { entries, left_out })
    }

    /// The rows without duplicates, in the order of the file, with scores as they were read.
    fn entries(
        &self,
        rows: TopicRows<'a>,
        judged: &JudgedTopic<'_>,
        seen: &mut DocTable,
        left_out: &mut LeftOut,
    ) -> Result<Vec<Entry<'a>>, Duplicate> {
        let topic = rows.id();
        let rows = rows.rows();
        let mut entries: Vec<Entry<'a>> = Vec::with_capacity(rows.len());
        seen.clear(rows.len());
        for row in rows {
            let mut entry = entry(row);
            let hash = judged.hash(entry.doc);
            let Some(first) = seen.insert(hash, entries.len(), |at| entries[at].doc == entry.doc) else {
                entry.verdict = judged.verdict_of(hash, entry.doc);
                entries.push(entry);
                continue;
            };
            left_out.duplicates += 1;
            match self.duplicates {
                Duplicates::Refuse => {
                    return Err(Duplicate {
                        place: row.place(),
                        doc: entry.doc.to_string(),
                        topic: topic.clone(),
                        first: entries[first].line,
                    });
                }
                Duplicates::KeepFirst => {}
                Duplicates::KeepLast => entries[first].score = entry.score,
            }
        }
        Ok(entries)
    }
}

/// Puts results in the one order. Files mostly hold them by score already, and
/// then only those with equal scores are to be looked at.
fn sort(entries: &mut [Entry<'_>]) {
    let order = |a: &Entry<'_>, b: &Entry<'_>| compare((a.score, a.doc), (b.score, b.doc));
    if !entries.is_sorted_by(|a, b| a.score >= b.score) {
        return entries.sort_unstable_by(order);
    }
    for tied in entries.chunk_by_mut(|a, b| a.score.total_cmp(&b.score).is_eq()) {
        if tied.len() > 1 {
            tied.sort_unstable_by(order);
        }
    }
}

fn entry(row: RunRow<'_>) -> Entry<'_> {
    Entry { doc: row.doc(), score: row.score(), verdict: ResultGrade::UNJUDGED, line: row.line() }
}

/// The first instance of each visual id from the top, rows with equal scores in the order of the file.
fn by_visual_id<'a>(
    mut entries: Vec<Entry<'a>>,
    visual_ids: &'a dyn VisualIdLookup,
    left_out: &mut LeftOut,
) -> Vec<Entry<'a>> {
    entries.sort_by(|a, b| (b.score + 0.0).total_cmp(&(a.score + 0.0)));
    let mut seen = HashMap::with_capacity(entries.len());
    entries.retain_mut(|entry| match visual_ids.visual_id(entry.doc) {
        None => {
            left_out.without_visual_id += 1;
            false
        }
        Some(id) => {
            entry.doc = id;
            let first = seen.insert(id, ()).is_none();
            left_out.repeated_visual_ids += usize::from(!first);
            first
        }
    });
    entries
}
