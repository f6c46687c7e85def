//! Who has which batch: taken from the queue, given by an organiser, given back, expired.

use crate::accounts::{Account, Role, Standing};
use crate::batches::{Asks, BATCH, BATCH_COLUMNS, Batch, PART_IS_DONE, batch};
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::{AccountNo, AssignmentNo, BatchNo};
use crate::school::LessonKey;
use formats::TopicId;
use lab::{PoolKind, Stage};
use rusqlite::{OptionalExtension as _, Row, params};
use std::collections::HashSet;

/// So many batches may somebody have taken at once; what is kept for them does not count.
pub const MOST_OPEN: usize = 3;
/// How long somebody has a batch without judging anything, unless the lab says otherwise.
pub const LEASE: i64 = 3 * 24 * 3600;
/// Where the lab says otherwise.
const LEASE_FACT: &str = "assess.lease";

/// How it stands with an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// They have it.
    Open,
    /// All is judged.
    Done,
    /// They gave it back, or it was taken from them.
    Returned,
    /// They did nothing for too long.
    Expired,
}

impl State {
    /// The word in the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
            Self::Returned => "returned",
            Self::Expired => "expired",
        }
    }

    /// Reads the word.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        [Self::Open, Self::Done, Self::Returned, Self::Expired].into_iter().find(|state| state.word() == word)
    }
}

/// An assignment with how far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// The assignment.
    pub assignment: AssignmentNo,
    /// Whose it is.
    pub account: AccountNo,
    /// What they judge.
    pub batch: Batch,
    /// How it stands.
    pub state: State,
    /// Since when.
    pub made_at: i64,
    /// When it returns to the queue, if nothing is judged until then.
    pub expires_at: i64,
    /// Its pages.
    pub tasks: usize,
    /// Pages of which all is judged, by whomever.
    pub done: usize,
    /// What is judged on the pages.
    pub parts: usize,
    /// Of which something was said.
    pub parts_done: usize,
    /// How long this person worked on it, idle time left out.
    pub seconds: f64,
}

/// An assignment, as judging needs it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assignment {
    pub(crate) number: AssignmentNo,
    pub(crate) state: State,
    pub(crate) made_at: i64,
    pub(crate) batch: Batch,
}

impl Books<'_> {
    /// How long somebody has a batch without judging anything, in seconds.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn lease(&self) -> Result<i64> {
        let select = "SELECT value FROM fact WHERE name = ?1";
        let mut statement = self.database().prepare_cached(select)?;
        let said = statement.query_row([LEASE_FACT], |row| row.get::<_, String>(0)).optional()?;
        Ok(said.and_then(|text| text.parse().ok()).unwrap_or(LEASE))
    }

    /// Says how long somebody has a batch without judging anything.
    ///
    /// # Errors
    ///
    /// When it is less than a minute or more than a year.
    pub fn set_lease(&self, seconds: i64, by: &str) -> Result<()> {
        if !(60..=366 * 24 * 3600).contains(&seconds) {
            return Err(Error::refused("a batch is somebody's for a minute to a year"));
        }
        let insert =
            "INSERT INTO fact (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2";
        self.database().execute(insert, params![LEASE_FACT, seconds.to_string()])?;
        self.note(by, &format!("batches are now somebody's for {seconds} s"))
    }

    /// All that an account has or had, what they have first and then the newest.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn work_of(&self, account: AccountNo) -> Result<Vec<Work>> {
        let select = format!(
            "SELECT {BATCH}, a.number, a.account, a.state, a.made_at, a.expires_at,
                    (SELECT count(*) FROM task t WHERE t.batch = b.number),
                    (SELECT count(*) FROM task t WHERE t.batch = b.number AND NOT EXISTS (
                        SELECT 1 FROM part p WHERE p.task = t.number AND NOT {PART_IS_DONE})),
                    (SELECT count(*) FROM task t JOIN part p ON p.task = t.number WHERE t.batch = b.number),
                    (SELECT count(*) FROM task t JOIN part p ON p.task = t.number WHERE t.batch = b.number AND {PART_IS_DONE}),
                    (SELECT total(j.seconds) FROM judged d JOIN judgment j ON j.number = d.judgment
                     WHERE d.assignment = a.number)
             FROM assignment a JOIN batch b ON b.number = a.batch
             WHERE a.account = ?1 ORDER BY a.state <> 'open', a.number DESC"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let rows = statement.query_map([account], |row| {
            Ok(Work {
                batch: batch(row)?,
                assignment: row.get(BATCH_COLUMNS)?,
                account: row.get(BATCH_COLUMNS + 1)?,
                state: state(row, BATCH_COLUMNS + 2)?,
                made_at: row.get(BATCH_COLUMNS + 3)?,
                expires_at: row.get(BATCH_COLUMNS + 4)?,
                tasks: row.get(BATCH_COLUMNS + 5)?,
                done: row.get(BATCH_COLUMNS + 6)?,
                parts: row.get(BATCH_COLUMNS + 7)?,
                parts_done: row.get(BATCH_COLUMNS + 8)?,
                seconds: row.get(BATCH_COLUMNS + 9)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Gives somebody the next batch from the queue; nothing, if there is none for them.
    ///
    /// What is kept for them comes first, then what others began, then the topics in their order.
    /// Nobody gets an item twice, and nobody gets a batch that somebody else has or has done.
    ///
    /// # Errors
    ///
    /// When they have too many batches already.
    pub fn take(&self, account: &Account) -> Result<Option<AssignmentNo>> {
        self.expire()?;
        let Some(next) = self.queue_for(account, 1)?.into_iter().next() else { return Ok(None) };
        if next.kept_for.is_none() {
            let select = "SELECT count(*) FROM assignment a JOIN batch b ON b.number = a.batch
                          WHERE a.account = ?1 AND a.state = 'open' AND b.kept_for IS NULL";
            let open: usize = self.database().query_row(select, [account.number], |row| row.get(0))?;
            if open >= MOST_OPEN {
                return Err(Error::refused(format!(
                    "you have {open} batches already: finish one of them or give it back"
                )));
            }
        }
        self.hand_out(next.number, account.number).map(Some)
    }

    /// How many batches [`Books::take`] could give somebody.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn waiting_for(&self, account: &Account) -> Result<usize> {
        Ok(self.queue_for(account, usize::MAX)?.len())
    }

    /// Gives a batch to somebody, whoever has it.
    ///
    /// # Errors
    ///
    /// When they judged some of its items already, it is done, or they are not there any more.
    pub fn assign(&self, number: BatchNo, account: AccountNo, by: &str) -> Result<AssignmentNo> {
        let batch = self.batch(number)?;
        let person = self.account(account)?;
        if person.standing == Standing::Left {
            return Err(Error::refused(format!("{} has left", person.name)));
        }
        if person.standing == Standing::Applicant && batch.stage != Stage::Sample {
            return Err(Error::refused(format!("{} is an applicant and judges samples only", person.name)));
        }
        let held =
            "SELECT number, account, state FROM assignment WHERE batch = ?1 AND state IN ('open', 'done')";
        let held = self
            .database()
            .query_row(held, [number], |row| {
                Ok((row.get::<_, AssignmentNo>(0)?, row.get::<_, AccountNo>(1)?, state(row, 2)?))
            })
            .optional()?;
        match held {
            Some((_, _, State::Done)) => return Err(Error::refused("this batch is done")),
            Some((assignment, holder, _)) if holder == account => return Ok(assignment),
            Some((assignment, ..)) => self.end(assignment, State::Returned)?,
            None => {}
        }
        if self.knows_items_of(account, &batch)? {
            let reason = format!("{} has or had some of its items in another batch", person.name);
            return Err(Error::refused(reason));
        }
        let assignment = self.hand_out(number, account)?;
        self.note(by, &format!("gave batch {number} to {}", person.name))?;
        Ok(assignment)
    }

    /// Gives a batch back to the queue. What was judged stays.
    ///
    /// # Errors
    ///
    /// When it is not theirs or not open.
    pub fn give_back(&self, account: AccountNo, number: AssignmentNo) -> Result<()> {
        let assignment = self.assignment_of(account, number)?;
        if assignment.state != State::Open {
            return Err(Error::refused("this batch is not open any more"));
        }
        self.end(number, State::Returned)?;
        let name = self.account(account)?.name;
        self.note(&name, &format!("gave back batch {}", assignment.batch.number))
    }

    /// Takes a batch from whoever has it, so that it is in the queue again. What was judged stays.
    ///
    /// # Errors
    ///
    /// When it is not open.
    pub fn take_away(&self, number: AssignmentNo, by: &str) -> Result<()> {
        let select = "SELECT batch FROM assignment WHERE number = ?1 AND state = 'open'";
        let found = self.database().query_row(select, [number], |row| row.get::<_, BatchNo>(0)).optional()?;
        let batch = found.ok_or_else(|| Error::refused("nobody has this batch open any more"))?;
        self.end(number, State::Returned)?;
        self.note(by, &format!("took batch {batch} back into the queue"))
    }

    /// Returns to the queue what nobody worked on for too long, and tells how many batches those are.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn expire(&self) -> Result<usize> {
        let update = "UPDATE assignment SET state = 'expired', ended_at = ?1
                      WHERE state = 'open' AND expires_at <= ?1";
        Ok(self.database().prepare_cached(update)?.execute([self.now()])?)
    }

    /// An assignment, if it is theirs.
    pub(crate) fn assignment_of(&self, account: AccountNo, number: AssignmentNo) -> Result<Assignment> {
        let select = format!(
            "SELECT {BATCH}, a.number, a.state, a.made_at FROM assignment a JOIN batch b ON b.number = a.batch
             WHERE a.number = ?1 AND a.account = ?2"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let found = statement.query_row(params![number, account], |row| {
            Ok(Assignment {
                batch: batch(row)?,
                number: row.get(BATCH_COLUMNS)?,
                state: state(row, BATCH_COLUMNS + 1)?,
                made_at: row.get(BATCH_COLUMNS + 2)?,
            })
        });
        found.optional()?.ok_or(Error::NotYours("batch"))
    }

    pub(crate) fn end(&self, number: AssignmentNo, state: State) -> Result<()> {
        let update = "UPDATE assignment SET state = ?2, ended_at = ?3 WHERE number = ?1";
        self.database().execute(update, params![number, state.word(), self.now()])?;
        Ok(())
    }

    fn hand_out(&self, batch: BatchNo, account: AccountNo) -> Result<AssignmentNo> {
        let insert = "INSERT INTO assignment (batch, account, state, made_at, expires_at)
                      VALUES (?1, ?2, 'open', ?3, ?4)";
        let until = self.now() + self.lease()?;
        let number =
            self.database().prepare_cached(insert)?.insert(params![batch, account, self.now(), until])?;
        Ok(AssignmentNo(number))
    }

    /// So many batches that somebody could get, the next one first.
    fn queue_for(&self, account: &Account, most: usize) -> Result<Vec<Batch>> {
        if account.standing == Standing::Left {
            return Ok(Vec::new());
        }
        let select = format!(
            "SELECT {BATCH},
                    EXISTS (SELECT 1 FROM assignment a WHERE a.batch = b.number) AS begun
             FROM batch b
             WHERE b.withdrawn = 0 AND (b.kept_for IS NULL OR b.kept_for = ?1)
             AND NOT EXISTS (SELECT 1 FROM assignment a WHERE a.batch = b.number
                             AND (a.state = 'done' OR (a.state = 'open' AND a.expires_at > ?2)))
             ORDER BY b.kept_for IS NULL, begun DESC, b.stage <> 'main', b.number"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let rows = statement.query_map(params![account.number, self.now()], |row| {
            Ok((batch(row)?, row.get::<_, bool>(BATCH_COLUMNS)?))
        })?;
        let known = self.topics_known_to(account.number)?;
        // Who learns gets nothing else until they have judged their round.
        let learning = account.role == Role::Assessor && self.is_learning(account.number)?;
        let mut queue = Vec::new();
        for found in rows {
            let (found, begun) = found?;
            let may = match (account.role, account.standing) {
                (_, Standing::Left) => false,
                (Role::Organiser, _) => found.kept_for.is_some() || found.stage != Stage::Sample,
                (Role::Assessor, Standing::Applicant) => found.stage == Stage::Sample,
                (Role::Assessor, Standing::Active) => true,
            };
            let may = may && !(learning && LessonKey::new(found.stage, found.kind).is_none());
            // What nobody has begun is not finished, and of another topic nobody knows an item.
            let may = may && !(begun && self.is_finished(found.number)?);
            if may && !(known.contains(&topic_of(&found)) && self.knows_items_of(account.number, &found)?) {
                queue.push(found);
                if queue.len() == most {
                    break;
                }
            }
        }
        Ok(queue)
    }

    /// Whether somebody has samples or training to judge.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn is_learning(&self, account: AccountNo) -> Result<bool> {
        let select = format!(
            "SELECT 1 FROM batch b JOIN task t ON t.batch = b.number JOIN part p ON p.task = t.number
             WHERE b.kept_for = ?1 AND b.withdrawn = 0 AND (b.stage = 'sample' OR b.stage LIKE 'training-%')
             AND NOT {PART_IS_DONE} LIMIT 1"
        );
        Ok(self.database().prepare_cached(&select)?.exists([account])?)
    }

    /// The topics of which somebody has or had a batch.
    fn topics_known_to(&self, account: AccountNo) -> Result<HashSet<(Asks, PoolKind, String, TopicId)>> {
        let select = format!(
            "SELECT {BATCH} FROM assignment a JOIN batch b ON b.number = a.batch WHERE a.account = ?1"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let rows = statement.query_map([account], |row| Ok(topic_of(&batch(row)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether everything in a batch was judged, by whomever.
    pub(crate) fn is_finished(&self, number: BatchNo) -> Result<bool> {
        // What is judged last is looked at first, so that this ends early.
        let select = format!(
            "SELECT 1 FROM task t JOIN batch b ON b.number = t.batch JOIN part p ON p.task = t.number
             WHERE t.batch = ?1 AND NOT {PART_IS_DONE} ORDER BY t.place DESC LIMIT 1"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        Ok(!statement.exists([number])?)
    }

    /// Whether somebody has, has done or has judged an item of a batch in another one.
    fn knows_items_of(&self, account: AccountNo, batch: &Batch) -> Result<bool> {
        let select = "SELECT 1 FROM assignment a
                      JOIN batch o ON o.number = a.batch
                      JOIN task u ON u.batch = o.number
                      JOIN task t ON t.batch = ?2 AND t.item = u.item
                      WHERE a.account = ?1 AND o.number <> ?2
                      -- Hidden items with known grades may be the same in several batches.
                      AND NOT EXISTS (SELECT 1 FROM part p WHERE p.task = t.number AND p.gold IS NOT NULL)
                      AND o.kind = ?3 AND o.topic_set = ?4 AND o.topic = ?5 AND o.asks = ?6
                      AND (a.state IN ('open', 'done')
                           OR EXISTS (SELECT 1 FROM judged d WHERE d.assignment = a.number)
                           OR EXISTS (SELECT 1 FROM flagged f WHERE f.assignment = a.number))
                      LIMIT 1";
        let mut statement = self.database().prepare_cached(select)?;
        Ok(statement.exists(params![
            account,
            batch.number,
            batch.kind.word(),
            batch.set,
            batch.topic.as_str(),
            batch.asks.word(),
        ])?)
    }
}

/// What a batch is about: what is asked, and of which topic.
fn topic_of(batch: &Batch) -> (Asks, PoolKind, String, TopicId) {
    (batch.asks, batch.kind, batch.set.clone(), batch.topic.clone())
}

/// Reads a state.
pub(crate) fn state(row: &Row<'_>, column: usize) -> rusqlite::Result<State> {
    let word: String = row.get(column)?;
    State::read(&word).ok_or_else(|| {
        let reason = format!("{word:?} is no state");
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, reason.into())
    })
}
