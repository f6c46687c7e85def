//! Items with known grades to be hidden among other work.

use super::choose;
use super::known::KnownItem;
use crate::books::Books;
use crate::error::Result;
use formats::TopicId;
use lab::PoolKind;
use pool::ItemKind;

/// An item whose grade an organiser gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldItem {
    /// A post, a written answer, a visual id or an instance.
    pub item: String,
    /// Which of these.
    pub kind: ItemKind,
    /// What is judged of it: the instance, the post and the verdict as the log has it.
    pub parts: Vec<(Option<String>, Option<String>, String)>,
}

impl Books<'_> {
    /// Items of a topic that organisers judged, in the assessment itself or to decide where others
    /// disagreed: some of every grade, chosen by the seed.
    ///
    /// # Errors
    ///
    /// When the lab cannot be read.
    pub fn gold_for(
        &self,
        kind: PoolKind,
        set: &str,
        topic: &TopicId,
        seed: u64,
        how_many: usize,
    ) -> Result<Vec<GoldItem>> {
        let known = self.judged_by_organisers(kind, set)?;
        let items = known.get(topic).map_or(&[][..], Vec::as_slice);
        let mut chance = choose::rng(seed, "gold", topic.as_str());
        let chosen = choose::spread(items, KnownItem::grade, how_many, &mut chance);
        let gold = |item: KnownItem| GoldItem {
            item: item.item,
            kind: item.kind,
            parts: item
                .parts
                .into_iter()
                .map(|part| (part.instance, part.post, part.verdict.to_string()))
                .collect(),
        };
        Ok(chosen.into_iter().map(gold).collect())
    }
}
