//! Who judges, how much and how quick.

use super::habits::Habits;
use super::pace::{Stroke, Time};
use super::{Share, Sort};
use crate::accounts::{Account, Role};
use crate::batches::{Asks, PART_IS_DONE};
use crate::books::Books;
use crate::days::{Day, moment};
use crate::error::{Error, Result};
use crate::ids::AccountNo;
use lab::{PoolKind, Stage, Verdict};
use std::collections::HashMap;

/// How far one person is.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonProgress {
    /// Who.
    pub account: Account,
    /// What they judged that counts for the lab.
    pub done: usize,
    /// What they judged as samples and in training.
    pub practice: usize,
    /// What they judged today.
    pub today: usize,
    /// Things of which they do not know, among those that count for the lab.
    pub unknown: usize,
    /// How long one takes them.
    pub time: Option<Time>,
    /// When they were last here or judged something, in seconds since 1970.
    pub seen: Option<i64>,
    /// Batches they have.
    pub batches: usize,
    /// What is judged in those.
    pub open: Share,
    /// How they judge, where that stands out.
    pub habits: Habits,
}

/// Something that somebody judged and that counts now.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Touch {
    pub(super) sort: Sort,
    pub(super) account: Option<AccountNo>,
    pub(super) stroke: Stroke,
    pub(super) verdict: Option<Verdict>,
}

impl Books<'_> {
    /// The last word of everybody on everything that was judged in batches.
    pub(super) fn touches(&self) -> Result<Vec<Touch>> {
        let graded = "SELECT b.asks, b.kind, b.stage, a.account, j.judged_at, j.seconds, j.verdict
             FROM judged d JOIN judgment j ON j.number = d.judgment
             JOIN part p ON p.number = d.part JOIN task t ON t.number = p.task JOIN batch b ON b.number = t.batch
             LEFT JOIN assignment a ON a.number = d.assignment
             WHERE j.verdict <> 'withdrawn' AND NOT EXISTS (
                 SELECT 1 FROM judged l JOIN judgment k ON k.number = l.judgment
                 WHERE l.part = d.part AND l.judgment > d.judgment AND k.assessor = j.assessor)
             ORDER BY d.judgment";
        let flagged = "SELECT b.asks, b.kind, b.stage, a.account, f.judged_at, NULL, NULL
             FROM flagged d JOIN flag f ON f.number = d.flag
             JOIN part p ON p.number = d.part JOIN task t ON t.number = p.task JOIN batch b ON b.number = t.batch
             LEFT JOIN assignment a ON a.number = d.assignment
             WHERE (f.machine_generated IS NOT NULL OR f.unrelated IS NOT NULL OR d.undoes IS NULL) AND NOT EXISTS (
                 SELECT 1 FROM flagged l JOIN flag k ON k.number = l.flag
                 WHERE l.part = d.part AND l.flag > d.flag AND k.assessor = f.assessor)";
        let mut touches = Vec::new();
        for select in [graded, flagged] {
            let mut statement = self.database().prepare_cached(select)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let word = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
                touches.push(Touch {
                    sort: Sort {
                        asks: Asks::read(word(0)?).ok_or(Error::Broken)?,
                        kind: PoolKind::read(word(1)?).ok_or(Error::Broken)?,
                        stage: Stage::read(word(2)?).ok_or(Error::Broken)?,
                    },
                    account: row.get(3)?,
                    stroke: Stroke { at: moment(word(4)?).unwrap_or_default(), seconds: row.get(5)? },
                    verdict: row.get_ref(6)?.as_str_or_null().ok().flatten().and_then(Verdict::stored),
                });
            }
        }
        Ok(touches)
    }

    /// How far everybody is who judges or may judge, by name.
    pub(super) fn people_progress(&self, touches: &[Touch]) -> Result<Vec<PersonProgress>> {
        let seen: HashMap<AccountNo, i64> =
            self.pairs("SELECT account, max(seen_at) FROM session GROUP BY account")?;
        let held = format!(
            "SELECT a.account, count(DISTINCT a.batch), count(*), sum({PART_IS_DONE}) FROM assignment a
             JOIN batch b ON b.number = a.batch JOIN task t ON t.batch = b.number JOIN part p ON p.task = t.number
             WHERE a.state = 'open' GROUP BY a.account"
        );
        let mut statement = self.database().prepare_cached(&held)?;
        let held: HashMap<AccountNo, (usize, Share)> = statement
            .query_map([], |row| {
                Ok((row.get(0)?, (row.get(1)?, Share { all: row.get(2)?, done: row.get(3)? })))
            })?
            .collect::<rusqlite::Result<_>>()?;
        let mut by_account: HashMap<AccountNo, Vec<&Touch>> = HashMap::new();
        for touch in touches {
            if let Some(account) = touch.account {
                by_account.entry(account).or_default().push(touch);
            }
        }
        let shares = Habits::shares(touches.iter().filter(|touch| touch.sort.counts()));
        let paused = self.paused()?;
        let today = Day::of(self.now());
        let mut people = Vec::new();
        for account in self.accounts()? {
            let own = by_account.remove(&account.number).unwrap_or_default();
            let (batches, open) = held.get(&account.number).copied().unwrap_or_default();
            // Organisers are here for other things; they are told of when they judge.
            if account.role == Role::Organiser && own.is_empty() && batches == 0 {
                continue;
            }
            let counting: Vec<&&Touch> = own.iter().filter(|touch| touch.sort.counts()).collect();
            let last = own.iter().map(|touch| touch.stroke.at).max();
            people.push(PersonProgress {
                done: counting.len(),
                practice: own.len() - counting.len(),
                today: own.iter().filter(|touch| Day::of(touch.stroke.at) == today).count(),
                unknown: counting.iter().filter(|touch| touch.verdict == Some(Verdict::DoNotKnow)).count(),
                time: Time::of(counting.iter().filter_map(|touch| touch.stroke.seconds).collect()),
                seen: seen.get(&account.number).copied().max(last),
                habits: Habits {
                    paused_since: paused.get(&account.number).copied(),
                    ..Habits::of(counting.iter().map(|touch| **touch), &shares)
                },
                batches,
                open,
                account,
            });
        }
        Ok(people)
    }

    /// When something was last judged in a batch that somebody has begun and not finished; of several, the one that
    /// waits longest.
    fn paused(&self) -> Result<HashMap<AccountNo, i64>> {
        let select = format!(
            "SELECT a.account, max(j.judged_at) FROM assignment a
             JOIN judged d ON d.assignment = a.number JOIN judgment j ON j.number = d.judgment
             WHERE a.state = 'open' AND EXISTS (
                 SELECT 1 FROM batch b JOIN task t ON t.batch = b.number JOIN part p ON p.task = t.number
                 WHERE b.number = a.batch AND NOT {PART_IS_DONE})
             GROUP BY a.number"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        let mut paused: HashMap<AccountNo, i64> = HashMap::new();
        for row in rows {
            let (account, at) = row?;
            let at = moment(&at).unwrap_or_default();
            paused.entry(account).and_modify(|first| *first = at.min(*first)).or_insert(at);
        }
        Ok(paused)
    }

    fn pairs(&self, select: &str) -> Result<HashMap<AccountNo, i64>> {
        let mut statement = self.database().prepare_cached(select)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
