//! How far somebody is and how fast they are.

use crate::batches::{PART_IS_DONE, item_kind};
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::{AccountNo, AssignmentNo, PartNo, TaskNo};
use lab::PoolKind;
use pool::ItemKind;
use rusqlite::{OptionalExtension as _, params};

/// A page of a batch, as the way through it needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The page.
    pub task: TaskNo,
    /// Whether all on it is said.
    pub done: bool,
    /// How often it was put off.
    pub skips: usize,
}

/// The way through a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// Its pages in their order.
    pub steps: Vec<Step>,
    /// Of how many things this person said something and how long it took, idle time left out.
    pub pace: Pace,
}

/// How much was judged, and in which time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Of how many things something was said.
    pub judged: usize,
    /// Of how many of them it is known how long it took.
    pub timed: usize,
    /// How long those took together, in seconds without idle time.
    pub seconds: f64,
}

impl Pace {
    /// How long one took on average, in seconds.
    #[must_use]
    pub fn each(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a count")]
        (self.timed > 0).then(|| self.seconds / self.timed as f64)
    }
}

impl Books<'_> {
    /// The way through somebody's batch.
    ///
    /// # Errors
    ///
    /// When it is not theirs.
    pub fn outline(&self, account: AccountNo, number: AssignmentNo) -> Result<Outline> {
        let assignment = self.assignment_of(account, number)?;
        let select = format!(
            "SELECT t.number, NOT EXISTS (SELECT 1 FROM part p WHERE p.task = t.number AND NOT {PART_IS_DONE}),
                    (SELECT count(*) FROM skip s WHERE s.assignment = ?2 AND s.task = t.number)
             FROM task t JOIN batch b ON b.number = t.batch WHERE t.batch = ?1 ORDER BY t.place"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let rows = statement.query_map(params![assignment.batch.number, number], |row| {
            Ok(Step { task: row.get(0)?, done: row.get(1)?, skips: row.get(2)? })
        })?;
        let steps = rows.collect::<rusqlite::Result<_>>()?;
        Ok(Outline { steps, pace: self.pace("d.assignment = ?1 AND ?2 = ''", number.0, "")? })
    }

    /// How much somebody has judged in all, and how much of it since midnight (UTC).
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn pace_of(&self, account: AccountNo) -> Result<(Pace, Pace)> {
        let day = 24 * 3600;
        let midnight = lab::stamp(store::Date(self.now() / day * day * 1000));
        let ever = self.pace("a.account = ?1 AND ?2 = ''", account.0, "")?;
        let today = self.pace("a.account = ?1 AND j.judged_at >= ?2", account.0, &midnight)?;
        Ok((today, ever))
    }

    /// Of what kind something is that is judged.
    ///
    /// # Errors
    ///
    /// When there is no such thing.
    pub fn kind_of_part(&self, part: PartNo) -> Result<(PoolKind, ItemKind)> {
        let select = "SELECT b.kind, t.kind FROM part p JOIN task t ON t.number = p.task
                      JOIN batch b ON b.number = t.batch WHERE p.number = ?1";
        let mut statement = self.database().prepare_cached(select)?;
        let found = statement
            .query_row([part], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
            .optional()?;
        let (kind, item) = found.ok_or(Error::NotYours("item"))?;
        Ok((PoolKind::read(&kind).ok_or(Error::Broken)?, item_kind(&item)?))
    }

    /// Things are counted once, however often somebody changed their mind; the time of all changes counts.
    fn pace(&self, which: &str, number: i64, since: &str) -> Result<Pace> {
        let grades = format!(
            "SELECT count(DISTINCT d.part), count(DISTINCT CASE WHEN j.seconds IS NOT NULL THEN d.part END),
                    total(j.seconds)
             FROM judged d JOIN judgment j ON j.number = d.judgment JOIN assignment a ON a.number = d.assignment
             WHERE {which} AND d.undoes IS NULL
             AND NOT EXISTS (SELECT 1 FROM judged u WHERE u.undoes = d.judgment)"
        );
        let mut statement = self.database().prepare_cached(&grades)?;
        let mut pace = statement.query_row(params![number, since], |row| {
            Ok(Pace { judged: row.get(0)?, timed: row.get(1)?, seconds: row.get(2)? })
        })?;
        let flags = format!(
            "SELECT count(DISTINCT d.part)
             FROM flagged d JOIN flag j ON j.number = d.flag JOIN assignment a ON a.number = d.assignment
             WHERE {which} AND d.undoes IS NULL
             AND NOT EXISTS (SELECT 1 FROM flagged u WHERE u.undoes = d.flag)"
        );
        let mut statement = self.database().prepare_cached(&flags)?;
        pace.judged += statement.query_row(params![number, since], |row| row.get::<_, usize>(0))?;
        Ok(pace)
    }
}
