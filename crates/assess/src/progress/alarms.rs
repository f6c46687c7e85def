//! What an organiser should look at before it becomes a trouble.

use super::{PersonProgress, Progress};
use crate::accounts::Standing;
use crate::agreement::{Agreement, PairAgreement};
use crate::books::Books;
use crate::error::Result;
use crate::ids::{AccountNo, BatchNo};
use formats::TopicId;
use lab::PoolKind;
use rusqlite::params;

/// Who takes less than this for one (median, in seconds) hardly reads it.
const QUICK: f64 = 3.0;
/// From so many judgments on, times and shares say something.
const ENOUGH: usize = 20;
/// Who does not know more often than this is told of, if it is also twice the share of all.
const UNSURE: f64 = 0.10;
/// Pairs that agree less than this (kappa by all grades) are told of.
const LOW: f64 = 0.2;
/// Who has work and was not here for so long is told of, in seconds.
const SILENT: i64 = 2 * 24 * 3600;
/// What returns to the queue within this is told of, in seconds.
const SOON: i64 = 24 * 3600;

/// The number of judgments made within a second that raises an alarm: fewer may be slips of the hand.
const SLIPS: usize = 5;
/// A batch that was begun and left alone for this many seconds raises an alarm.
const PAUSE: i64 = 24 * 3600;

/// Something to be looked at.
#[derive(Clone, Debug, PartialEq)]
pub enum Alarm {
    /// Somebody's batch returns to the queue soon.
    Expires {
        /// Who has it.
        account: AccountNo,
        /// Their name.
        name: String,
        /// The batch.
        batch: BatchNo,
        /// Its topic.
        topic: TopicId,
        /// When, in seconds since 1970.
        at: i64,
    },
    /// Somebody does not know unusually often.
    Unsure {
        /// Who.
        account: AccountNo,
        /// Their name.
        name: String,
        /// How often.
        unknown: usize,
        /// Of how many.
        of: usize,
        /// The share of all people together.
        usual: f64,
    },
    /// Somebody is unusually quick.
    Quick {
        /// Who.
        account: AccountNo,
        /// Their name.
        name: String,
        /// The median, in seconds.
        median: f64,
        /// Of how many.
        of: usize,
    },
    /// Somebody gives grades within a second.
    Instant {
        /// Who.
        account: AccountNo,
        /// Their name.
        name: String,
        /// How often.
        instant: usize,
        /// Of how many.
        of: usize,
    },
    /// Somebody gave the same grade many times in a row.
    Straight {
        /// Who.
        account: AccountNo,
        /// Their name.
        name: String,
        /// The grade.
        grade: i32,
        /// How often in a row.
        length: usize,
    },
    /// Somebody has begun a batch and left it.
    Paused {
        /// Who.
        account: AccountNo,
        /// Their name.
        name: String,
        /// When they last judged in it, in seconds since 1970.
        since: i64,
    },
    /// Somebody has work and has not been here for long.
    Silent {
        /// Who.
        account: AccountNo,
        /// Their name.
        name: String,
        /// Since when, in seconds since 1970; never, if nothing is said.
        since: Option<i64>,
        /// How many judgments wait for them.
        left: usize,
    },
    /// Two people hardly agree.
    Disagree {
        /// Of what.
        kind: PoolKind,
        /// Who, and how far.
        pair: PairAgreement,
    },
}

/// All that should be looked at.
pub type Alarms = Vec<Alarm>;

impl Books<'_> {
    /// What should be looked at, the most pressing first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn alarms(&self, progress: &Progress, agreement: &[Agreement]) -> Result<Alarms> {
        let mut alarms = self.expiring()?;
        alarms.extend(of_people(&progress.people, self.now()));
        for kind in agreement {
            let low =
                |pair: &&PairAgreement| pair.things >= ENOUGH && pair.graded.is_some_and(|kappa| kappa < LOW);
            let pairs = kind.pairs.iter().filter(low);
            alarms.extend(pairs.map(|pair| Alarm::Disagree { kind: kind.kind, pair: pair.clone() }));
        }
        Ok(alarms)
    }

    fn expiring(&self) -> Result<Alarms> {
        // Where batches are lent for a short time, the last third of it is soon.
        let soon = SOON.min(self.lease()? / 3);
        let select = "SELECT a.account, c.name, a.batch, b.topic, a.expires_at
                      FROM assignment a JOIN account c ON c.number = a.account JOIN batch b ON b.number = a.batch
                      WHERE a.state = 'open' AND a.expires_at > ?1 AND a.expires_at <= ?2 ORDER BY a.expires_at";
        let mut statement = self.database().prepare_cached(select)?;
        let rows = statement.query_map(params![self.now(), self.now() + soon], |row| {
            Ok(Alarm::Expires {
                account: row.get(0)?,
                name: row.get(1)?,
                batch: row.get(2)?,
                topic: TopicId::from(row.get::<_, String>(3)?.as_str()),
                at: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

fn of_people(people: &[PersonProgress], now: i64) -> Alarms {
    let (unknown, all) =
        people.iter().fold((0, 0), |(unknown, all), person| (unknown + person.unknown, all + person.done));
    let usual = if all == 0 { 0.0 } else { unknown as f64 / all as f64 };
    let mut alarms = Vec::new();
    for person in people.iter().filter(|person| person.account.standing != Standing::Left) {
        let (account, name) = (person.account.number, person.account.name.clone());
        if let Some(time) = person.time.filter(|time| time.of >= ENOUGH && time.median < QUICK) {
            alarms.push(Alarm::Quick { account, name: name.clone(), median: time.median, of: time.of });
        }
        let habits = person.habits;
        if habits.instant >= SLIPS {
            let (instant, of) = (habits.instant, person.done);
            alarms.push(Alarm::Instant { account, name: name.clone(), instant, of });
        }
        if let Some((grade, length)) = habits.straight {
            alarms.push(Alarm::Straight { account, name: name.clone(), grade, length });
        }
        let share = person.unknown as f64 / person.done.max(1) as f64;
        if person.done >= ENOUGH && share > UNSURE && share >= 2.0 * usual.min(share) {
            let (unknown, of) = (person.unknown, person.done);
            alarms.push(Alarm::Unsure { account, name: name.clone(), unknown, of, usual });
        }
        let silent = person.seen.is_none_or(|seen| now - seen > SILENT);
        let paused = habits.paused_since.filter(|since| now - since > PAUSE);
        if silent && person.open.left() > 0 {
            alarms.push(Alarm::Silent { account, name, since: person.seen, left: person.open.left() });
        } else if let Some(since) = paused {
            alarms.push(Alarm::Paused { account, name, since });
        }
    }
    alarms
}

#[cfg(test)]
mod tests {
    use super::super::{Habits, Share, Time};
    use super::*;
    use crate::accounts::{Account, Role};

    fn person(name: &str, done: usize, unknown: usize, median: f64) -> PersonProgress {
        PersonProgress {
            account: Account {
                number: AccountNo(1),
                name: name.to_owned(),
                role: Role::Assessor,
                standing: Standing::Active,
                made_at: 0,
            },
            done,
            practice: 0,
            today: 0,
            unknown,
            time: Some(Time { mean: median, median, of: done }),
            seen: Some(1_000_000),
            batches: 1,
            open: Share { done: 1, all: 3 },
            habits: Habits::default(),
        }
    }

    /// Of 160 judgments 12 are not known, that is 7.5 %: 10 of 40 are 25 %, more than twice that.
    #[test]
    fn who_stands_out_is_told_of() {
        let people = [person("ada", 40, 10, 30.0), person("bob", 100, 1, 2.5), person("cy", 20, 1, 3.0)];
        let alarms = of_people(&people, 1_000_000);
        let told: Vec<String> = alarms
            .iter()
            .map(|alarm| match alarm {
                Alarm::Unsure { name, unknown, of, usual, .. } => format!("{name} {unknown}/{of} {usual}"),
                Alarm::Quick { name, median, of, .. } => format!("{name} {median} {of}"),
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(told, ["ada 10/40 0.075", "bob 2.5 100"]);
        // Few judgments say nothing, and three days without a word do.
        let people = [person("ada", 19, 19, 0.5)];
        let alarms = of_people(&people, 1_000_000 + 3 * 86_400);
        assert_eq!(
            alarms,
            [Alarm::Silent {
                account: AccountNo(1),
                name: "ada".to_owned(),
                since: Some(1_000_000),
                left: 2
            }]
        );
    }

    #[test]
    fn instant_judgments_straight_lines_and_long_pauses_raise_alarms() {
        let now = 1_000_000;
        let with =
            |habits: Habits| of_people(&[PersonProgress { habits, ..person("ada", 40, 0, 30.0) }], now);
        let (account, name) = (AccountNo(1), "ada".to_owned());
        let four = Habits { instant: 4, ..Habits::default() };
        assert_eq!(with(four), []);
        let habits = Habits { instant: 5, straight: Some((2, 15)), paused_since: Some(now - PAUSE - 1) };
        assert_eq!(
            with(habits),
            [
                Alarm::Instant { account, name: name.clone(), instant: 5, of: 40 },
                Alarm::Straight { account, name: name.clone(), grade: 2, length: 15 },
                Alarm::Paused { account, name, since: now - PAUSE - 1 },
            ]
        );
        assert_eq!(with(Habits { paused_since: Some(now - PAUSE), ..Habits::default() }), []);
    }
}
