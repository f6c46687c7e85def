//! Cross-checks after the judging: everybody judges topics of a colleague again.

use crate::batches::{Asks, NewBatch, NewPart, item_kind};
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::{AccountNo, BatchNo, TaskNo};
use formats::TopicId;
use lab::{PoolKind, Stage};
use rusqlite::params;
use stats::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// What shall be judged again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckPlan {
    /// Answers or formulas.
    pub kind: PoolKind,
    /// The set of topics.
    pub set: String,
    /// How many topics everybody judges again.
    pub topics: usize,
    /// What chance begins with.
    pub seed: u64,
}

/// A topic that somebody would judge again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedCheck {
    /// Who judges it again.
    pub account: AccountNo,
    /// Their name.
    pub name: String,
    /// The topic.
    pub topic: TopicId,
    /// Who judged it.
    pub colleague: AccountNo,
    /// Their name.
    pub colleague_name: String,
    /// How many pages it has.
    pub items: usize,
}

/// How many topics everybody judges again, if nothing else is said: formulas are quicker.
#[must_use]
pub fn usual_topics(kind: PoolKind) -> usize {
    match kind {
        PoolKind::Answers => 1,
        PoolKind::Formulas => 2,
    }
}

/// What one person judged of a topic.
#[derive(Clone, Debug)]
struct Judged {
    topic: TopicId,
    account: AccountNo,
    name: String,
    batches: Vec<BatchNo>,
    items: usize,
}

impl Books<'_> {
    /// What [`Books::make_checks`] would make: for everybody who judged, topics that a colleague has
    /// done and of which they saw nothing, chosen by chance so that each is checked about as often.
    ///
    /// # Errors
    ///
    /// When the plan makes no sense, or fewer than two people have done a topic.
    pub fn plan_checks(&self, plan: &CheckPlan) -> Result<Vec<PlannedCheck>> {
        if !(1..=20).contains(&plan.topics) {
            return Err(Error::refused("everybody judges one to twenty topics again"));
        }
        let judged = self.judged_topics(plan)?;
        let mut people: BTreeMap<AccountNo, String> = BTreeMap::new();
        for done in &judged {
            people.insert(done.account, done.name.clone());
        }
        for account in self.accounts()? {
            if account.standing != crate::Standing::Active {
                people.remove(&account.number);
            }
        }
        if people.is_empty() || judged.iter().map(|done| done.account).collect::<BTreeSet<_>>().len() < 2 {
            return Err(Error::refused(
                "colleagues can check each other when two people at least have finished a batch",
            ));
        }
        let seen = self.seen_topics(plan)?;
        let mut chance = Rng::seeded(plan.seed);
        let mut order: Vec<(AccountNo, String)> = people.into_iter().collect();
        chance.shuffle(&mut order);
        let mut times = vec![0_usize; judged.len()];
        let mut given: BTreeSet<(AccountNo, TopicId)> = BTreeSet::new();
        let mut checks = Vec::new();
        for _ in 0..plan.topics {
            for (account, name) in &order {
                let may = |(_, done): &(usize, &Judged)| {
                    let key = (*account, done.topic.clone());
                    done.account != *account && !seen.contains(&key) && !given.contains(&key)
                };
                let mut choice: Vec<usize> =
                    judged.iter().enumerate().filter(may).map(|(place, _)| place).collect();
                let fewest = choice.iter().map(|place| times[*place]).min();
                choice.retain(|place| Some(times[*place]) == fewest);
                if choice.is_empty() {
                    continue;
                }
                let place = choice[chance.index(choice.len())];
                times[place] += 1;
                let done = &judged[place];
                given.insert((*account, done.topic.clone()));
                checks.push(PlannedCheck {
                    account: *account,
                    name: name.clone(),
                    topic: done.topic.clone(),
                    colleague: done.account,
                    colleague_name: done.name.clone(),
                    items: done.items,
                });
            }
        }
        checks.sort_by(|left, right| {
            left.name.cmp(&right.name).then_with(|| left.topic.natural_cmp(&right.topic))
        });
        Ok(checks)
    }

    /// Makes batches for cross-checks, each kept for who shall judge it; see [`Books::plan_checks`].
    ///
    /// # Errors
    ///
    /// When nothing can be checked that was not checked before.
    pub fn make_checks(&self, plan: &CheckPlan, by: &str) -> Result<Vec<BatchNo>> {
        let planned = self.plan_checks(plan)?;
        if planned.is_empty() {
            return Err(Error::refused("everybody has seen all topics that are done"));
        }
        let judged = self.judged_topics(plan)?;
        let mut made = Vec::new();
        for check in &planned {
            let number = self.add_batch(&NewBatch {
                asks: Asks::Grades,
                kind: plan.kind,
                set: &plan.set,
                topic: &check.topic,
                stage: Stage::CrossCheck,
                copy: 1,
                kept_for: Some(check.account),
            })?;
            let same = |done: &&Judged| done.account == check.colleague && done.topic == check.topic;
            let batches = judged.iter().find(same).map(|done| done.batches.clone()).unwrap_or_default();
            self.copy_tasks(&batches, number)?;
            made.push(number);
        }
        let batches = made.len();
        self.note(
            by,
            &format!("made {batches} batches to check {} of {} by colleagues", plan.kind, plan.set),
        )?;
        Ok(made)
    }

    /// Copies pages in their order; hidden items with known grades are nobody's judgment and stay out.
    fn copy_tasks(&self, from: &[BatchNo], to: BatchNo) -> Result<()> {
        let mut place = 1;
        for batch in from {
            let select = "SELECT t.number, t.item, t.kind FROM task t WHERE t.batch = ?1 AND NOT EXISTS (
                          SELECT 1 FROM part p WHERE p.task = t.number AND p.gold IS NOT NULL) ORDER BY t.place";
            let mut statement = self.database().prepare_cached(select)?;
            let tasks: Vec<(TaskNo, String, String)> = statement
                .query_map([batch], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                .collect::<rusqlite::Result<_>>()?;
            for (task, item, kind) in tasks {
                let select = "SELECT instance, post FROM part WHERE task = ?1 ORDER BY place";
                let mut statement = self.database().prepare_cached(select)?;
                let parts: Vec<NewPart> = statement
                    .query_map([task], |row| {
                        Ok(NewPart { instance: row.get(0)?, post: row.get(1)?, gold: None })
                    })?
                    .collect::<rusqlite::Result<_>>()?;
                self.add_task(to, place, &item, item_kind(&kind)?, &parts)?;
                place += 1;
            }
        }
        Ok(())
    }

    /// What everybody has done for the lab, by topic.
    fn judged_topics(&self, plan: &CheckPlan) -> Result<Vec<Judged>> {
        let select = "SELECT b.topic, a.account, c.name, b.number, (
                          SELECT count(*) FROM task t WHERE t.batch = b.number AND NOT EXISTS (
                          SELECT 1 FROM part p WHERE p.task = t.number AND p.gold IS NOT NULL))
                      FROM assignment a JOIN batch b ON b.number = a.batch JOIN account c ON c.number = a.account
                      WHERE a.state = 'done' AND b.stage = 'main' AND b.asks = 'grades' AND b.kind = ?1
                      AND b.topic_set = ?2 AND b.withdrawn = 0 ORDER BY b.number";
        let mut statement = self.database().prepare_cached(select)?;
        let mut rows = statement.query(params![plan.kind.word(), plan.set])?;
        let mut found: BTreeMap<(TopicId, AccountNo), Judged> = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let topic = TopicId::from(row.get::<_, String>(0)?.as_str());
            let (account, name): (AccountNo, String) = (row.get(1)?, row.get(2)?);
            let done = found.entry((topic.clone(), account)).or_insert_with(|| Judged {
                topic,
                account,
                name,
                batches: Vec::new(),
                items: 0,
            });
            done.batches.push(row.get(3)?);
            done.items += row.get::<_, usize>(4)?;
        }
        Ok(found.into_values().collect())
    }

    /// Topics of which somebody has, had or is kept a batch.
    fn seen_topics(&self, plan: &CheckPlan) -> Result<BTreeSet<(AccountNo, TopicId)>> {
        let select = "SELECT a.account, b.topic FROM assignment a JOIN batch b ON b.number = a.batch
                      WHERE b.kind = ?1 AND b.topic_set = ?2 AND b.asks = 'grades'
                      UNION SELECT b.kept_for, b.topic FROM batch b
                      WHERE b.kept_for IS NOT NULL AND b.kind = ?1 AND b.topic_set = ?2 AND b.withdrawn = 0";
        let mut statement = self.database().prepare_cached(select)?;
        let rows = statement.query_map(params![plan.kind.word(), plan.set], |row| {
            Ok((row.get(0)?, TopicId::from(row.get::<_, String>(1)?.as_str())))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

#[cfg(test)]
mod tests;
