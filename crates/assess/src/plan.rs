//! From a pool to batches: what is given out, to how many, in which pieces.

use crate::batches::{Asks, NewBatch, NewPart};
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::BatchNo;
use formats::TopicId;
use lab::pools::{StoredItem, StoredPool};
use lab::{PoolKind, Stage};
use pool::ItemKind;
use rusqlite::params;
use stats::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// What batches shall be made of a pool.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchPlan {
    /// Answers or formulas.
    pub kind: PoolKind,
    /// The set of topics.
    pub set: String,
    /// For what it is judged.
    pub stage: Stage,
    /// What people are asked.
    pub asks: Asks,
    /// How many people judge every item.
    pub judges: u32,
    /// The share of the items that somebody else judges again, as a cross-check. Of flags, the share
    /// of posts that are asked about besides the written answers.
    pub overlap: f64,
    /// How many items a batch has at most; a whole topic if nothing is said.
    pub at_most: Option<usize>,
    /// How many items with a known grade are hidden in a batch.
    pub gold: usize,
    /// What chance begins with.
    pub seed: u64,
}

/// A batch that would be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedBatch {
    /// The topic.
    pub topic: TopicId,
    /// For what it is judged.
    pub stage: Stage,
    /// Which of several copies it is.
    pub copy: u32,
    /// The items, in their order.
    pub items: Vec<PlannedItem>,
}

/// An item of a planned batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedItem {
    /// Its id.
    pub id: String,
    /// What it is.
    pub kind: ItemKind,
    /// What is judged of it.
    pub parts: Vec<NewPart>,
}

impl Books<'_> {
    /// What [`Books::make_batches`] would make: items of the newest pool that no batch has yet and
    /// that were not judged often enough from files.
    ///
    /// # Errors
    ///
    /// When there is no pool, or the plan makes no sense.
    pub fn plan_batches(&self, plan: &BatchPlan) -> Result<Vec<PlannedBatch>> {
        if !(1..=5).contains(&plan.judges) {
            return Err(Error::refused("an item is judged by one to five people"));
        }
        if !(0.0..=1.0).contains(&plan.overlap) {
            return Err(Error::refused("the share that is judged again is from 0 to 1"));
        }
        if plan.at_most == Some(0) {
            return Err(Error::refused("a batch has at least one item"));
        }
        if plan.asks == Asks::Flags && plan.kind != PoolKind::Answers {
            return Err(Error::refused("only answers are asked about after judging"));
        }
        if !matches!(plan.stage, Stage::Main | Stage::CrossCheck) {
            return Err(Error::refused("batches of a pool are for judging or for checking it"));
        }
        let pool = self.lab().pool(plan.kind, &plan.set)?.ok_or_else(|| {
            Error::refused(format!("there is no pool of {} for the set {} yet", plan.kind, plan.set))
        })?;
        let given_out = self.given_out(plan)?;
        let judged = self.judged_elsewhere(plan, &pool)?;
        let mut batches = Vec::new();
        for topic in &pool.topics {
            let mut chance = Rng::seeded(plan.seed ^ seed_of(&topic.topic));
            let is_new = |item: &&StoredItem| {
                let key = (topic.topic.clone(), item.id.clone());
                item.place.is_some() && !given_out.contains(&key) && !judged.contains(&key)
            };
            let mut fresh: Vec<&StoredItem> = topic.items.iter().filter(is_new).collect();
            if plan.asks == Asks::Flags {
                fresh = asked_about(fresh, plan.overlap, &mut chance);
            }
            if fresh.is_empty() {
                continue;
            }
            let gold = if plan.asks == Asks::Grades && plan.stage == Stage::Main { plan.gold } else { 0 };
            let pieces = fresh.chunks(plan.at_most.unwrap_or(fresh.len()));
            for piece in pieces {
                for copy in 1..=plan.judges {
                    let mut items: Vec<PlannedItem> = piece.iter().map(|item| planned(item)).collect();
                    self.hide_gold(plan, &topic.topic, gold, &mut chance, &mut items)?;
                    batches.push(PlannedBatch { topic: topic.topic.clone(), stage: plan.stage, copy, items });
                }
            }
            if plan.asks == Asks::Grades && plan.stage == Stage::Main {
                let again = sampled(&fresh, plan.overlap, &mut chance);
                if !again.is_empty() {
                    let items = again.into_iter().map(planned).collect();
                    let (topic, stage) = (topic.topic.clone(), Stage::CrossCheck);
                    batches.push(PlannedBatch { topic, stage, copy: 1, items });
                }
            }
        }
        Ok(batches)
    }

    /// Makes batches of the newest pool; see [`Books::plan_batches`].
    ///
    /// # Errors
    ///
    /// When there is no pool, the plan makes no sense, or nothing is left to be given out.
    pub fn make_batches(&self, plan: &BatchPlan, by: &str) -> Result<Vec<BatchNo>> {
        let planned = self.plan_batches(plan)?;
        if planned.is_empty() {
            return Err(Error::refused("all items of the pool are in batches or judged already"));
        }
        let mut made = Vec::new();
        let mut items = 0;
        for batch in &planned {
            let number = self.add_batch(&NewBatch {
                asks: plan.asks,
                kind: plan.kind,
                set: &plan.set,
                topic: &batch.topic,
                stage: batch.stage,
                copy: batch.copy,
                kept_for: None,
            })?;
            for (place, item) in (1..).zip(&batch.items) {
                self.add_task(number, place, &item.id, item.kind, &item.parts)?;
                items += 1;
            }
            made.push(number);
        }
        let batches = made.len();
        self.note(
            by,
            &format!("made {batches} batches with {items} items of the {} of {}", plan.kind, plan.set),
        )?;
        Ok(made)
    }

    /// Items that are in batches of this kind already.
    fn given_out(&self, plan: &BatchPlan) -> Result<BTreeSet<(TopicId, String)>> {
        let select = "SELECT b.topic, t.item FROM batch b JOIN task t ON t.batch = b.number
                      WHERE b.kind = ?1 AND b.topic_set = ?2 AND b.stage = ?3 AND b.asks = ?4 AND b.withdrawn = 0
                      AND NOT EXISTS (SELECT 1 FROM part p WHERE p.task = t.number AND p.gold IS NOT NULL)";
        let mut statement = self.database().prepare(select)?;
        let values = params![plan.kind.word(), plan.set, plan.stage.to_string(), plan.asks.word()];
        let rows = statement.query_map(values, |row| {
            Ok((TopicId::from(row.get::<_, String>(0)?.as_str()), row.get::<_, String>(1)?))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Items of which as many people as are wanted have said something already, as in files.
    fn judged_elsewhere(&self, plan: &BatchPlan, pool: &StoredPool) -> Result<BTreeSet<(TopicId, String)>> {
        if plan.asks == Asks::Flags {
            return Ok(BTreeSet::new());
        }
        let mut said: BTreeMap<(TopicId, String), BTreeMap<String, usize>> = BTreeMap::new();
        for row in self.lab().judgments(plan.kind, &plan.set)? {
            if row.said.stage == plan.stage || row.said.stage == Stage::Adjudication {
                let people = said.entry((row.said.topic, row.said.item)).or_default();
                *people.entry(row.said.assessor).or_default() += 1;
            }
        }
        let mut done = BTreeSet::new();
        for topic in &pool.topics {
            for item in &topic.items {
                let key = (topic.topic.clone(), item.id.clone());
                let parts = planned(item).parts.len();
                let people = said
                    .get(&key)
                    .map_or(0, |people| people.values().filter(|count| **count >= parts).count());
                if people >= plan.judges as usize {
                    done.insert(key);
                }
            }
        }
        Ok(done)
    }

    /// Puts items with known grades between the others, where nobody can tell them.
    fn hide_gold(
        &self,
        plan: &BatchPlan,
        topic: &TopicId,
        how_many: usize,
        chance: &mut Rng,
        items: &mut Vec<PlannedItem>,
    ) -> Result<()> {
        if how_many == 0 {
            return Ok(());
        }
        for gold in self.hidden(plan, topic, chance.next_u64(), how_many)? {
            if items.iter().any(|item| item.id == gold.id) {
                continue;
            }
            // Not among the first ones, when people have not found their measure yet.
            let from = items.len().min(2);
            let at = from + chance.index(items.len() - from + 1);
            items.insert(at, gold);
        }
        Ok(())
    }
}

impl Books<'_> {
    fn hidden(
        &self,
        plan: &BatchPlan,
        topic: &TopicId,
        seed: u64,
        how_many: usize,
    ) -> Result<Vec<PlannedItem>> {
        let part = |(instance, post, verdict)| NewPart { instance, post, gold: Some(verdict) };
        let gold = self.gold_for(plan.kind, &plan.set, topic, seed, how_many)?;
        Ok(gold
            .into_iter()
            .map(|gold| PlannedItem {
                id: gold.item,
                kind: gold.kind,
                parts: gold.parts.into_iter().map(part).collect(),
            })
            .collect())
    }
}

/// What is judged of an item of a pool.
pub(crate) fn planned(item: &StoredItem) -> PlannedItem {
    let parts = match item.kind {
        ItemKind::Formula if !item.instances.is_empty() => item
            .instances
            .iter()
            .map(|shown| NewPart { instance: Some(shown.id.clone()), post: shown.post.clone(), gold: None })
            .collect(),
        ItemKind::Formula | ItemKind::Answer => vec![NewPart::default()],
        ItemKind::Post => vec![NewPart { post: Some(item.id.clone()), ..NewPart::default() }],
        ItemKind::Instance => {
            let post = item.instances.first().and_then(|shown| shown.post.clone());
            vec![NewPart { post, ..NewPart::default() }]
        }
    };
    PlannedItem { id: item.id.clone(), kind: item.kind, parts }
}

/// All written answers, and a share of the posts.
fn asked_about<'i>(items: Vec<&'i StoredItem>, share: f64, chance: &mut Rng) -> Vec<&'i StoredItem> {
    let (written, posts): (Vec<_>, Vec<_>) =
        items.into_iter().partition(|item| item.kind == ItemKind::Answer);
    let mut chosen = written;
    chosen.extend(sampled(&posts, share, chance));
    // What is a machine's must not be told by its place.
    chance.shuffle(&mut chosen);
    chosen
}

/// A share of items, chosen by chance, in their order.
fn sampled<'i>(items: &[&'i StoredItem], share: f64, chance: &mut Rng) -> Vec<&'i StoredItem> {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of few items"
    )]
    let count = (share * items.len() as f64).round() as usize;
    let mut places: Vec<usize> = (0..items.len()).collect();
    chance.shuffle(&mut places);
    places.truncate(count);
    places.sort_unstable();
    places.into_iter().map(|place| items[place]).collect()
}

/// Chance of a topic that does not depend on which other topics there are.
fn seed_of(topic: &TopicId) -> u64 {
    // FNV-1a: any mixing will do, if it is always the same.
    topic.as_str().bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
