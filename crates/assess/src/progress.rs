//! How far the work is, who does it, how quick it goes and what needs a look.

mod alarms;
mod habits;
mod pace;
mod people;

pub use alarms::{Alarm, Alarms};
pub use habits::Habits;
pub use pace::{Finish, Stroke, Time, WorkPace};
pub use people::PersonProgress;

use crate::batches::{Asks, PART_IS_DONE};
use crate::books::Books;
use crate::days::Day;
use crate::error::{Error, Result};
use formats::TopicId;
use lab::{PoolKind, Stage};
use people::Touch;
use rusqlite::{OptionalExtension as _, params};
use std::collections::BTreeMap;

/// Where the lab says by when all shall be judged.
const LAST_DAY: &str = "assess.last_day";

/// So much, of so much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How much is done.
    pub done: usize,
    /// Of how much.
    pub all: usize,
}

impl Share {
    /// How much is not done.
    #[must_use]
    pub fn left(self) -> usize {
        self.all.saturating_sub(self.done)
    }

    /// In whole percent, rounded down: what is not done is never told as done.
    #[must_use]
    pub fn percent(self) -> usize {
        (self.done * 100).checked_div(self.all).unwrap_or(0)
    }

    fn add(&mut self, done: usize, all: usize) {
        self.done += done;
        self.all += all;
    }
}

/// How far batches of one sort are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Batches.
    pub batches: Share,
    /// Pages.
    pub tasks: Share,
    /// What is judged on them.
    pub parts: Share,
    /// Batches that somebody has.
    pub held: usize,
}

/// What batches are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sort {
    /// What people are asked.
    pub asks: Asks,
    /// Answers or formulas.
    pub kind: PoolKind,
    /// For what it is judged.
    pub stage: Stage,
}

/// How far the batches of a topic are.
pub type TopicProgress = (Sort, TopicId, Extent);

/// How far all is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// For every sort of batches that there is.
    pub sorts: Vec<(Sort, Extent)>,
    /// The same for every topic, as people list them.
    pub topics: Vec<TopicProgress>,
    /// Batches that were taken out of the queue; they count nowhere else.
    pub withdrawn: usize,
    /// Items of the newest pools that are in no batch, by kind.
    pub outside: Vec<(PoolKind, usize)>,
    /// All that counts for the lab: judgments, cross-checks and what is asked afterwards.
    pub whole: Share,
    /// How quick it goes.
    pub pace: WorkPace,
    /// When it will be done.
    pub finish: Finish,
    /// By when it shall be done, if the organisers said so.
    pub last_day: Option<Day>,
    /// Who does it, by name.
    pub people: Vec<PersonProgress>,
}

impl Progress {
    /// Items of the newest pools that are in no batch.
    #[must_use]
    pub fn num_outside(&self) -> usize {
        self.outside.iter().map(|(_, items)| items).sum()
    }
}

impl Sort {
    /// Whether it counts for the lab: training and samples do not.
    #[must_use]
    pub fn counts(self) -> bool {
        matches!(self.stage, Stage::Main | Stage::CrossCheck | Stage::Adjudication)
    }
}

impl Books<'_> {
    /// How far all is.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn progress(&self) -> Result<Progress> {
        let (topics, withdrawn) = self.extents()?;
        let mut sorts: BTreeMap<Sort, Extent> = BTreeMap::new();
        let mut whole = Share::default();
        for (sort, _, extent) in &topics {
            sorts.entry(*sort).or_default().merge(extent);
            if sort.counts() {
                whole.add(extent.parts.done, extent.parts.all);
            }
        }
        let touches = self.touches()?;
        let counting: Vec<&Touch> = touches.iter().filter(|touch| touch.sort.counts()).collect();
        let strokes: Vec<Stroke> = counting.iter().map(|touch| touch.stroke).collect();
        let pace = WorkPace::of(&strokes, self.now());
        let mut finish = pace.finish(whole.left(), seconds_left(&sorts, &counting, pace.time), self.now());
        let mut outside = Vec::new();
        for kind in self.manifest().pool_kinds() {
            outside.push((kind, self.outside(kind)?));
        }
        // What is in no batch is left, too, although nobody knows yet how many judgments it takes.
        let waiting: usize = outside.iter().map(|(_, items): &(PoolKind, usize)| items).sum();
        if whole.left() == 0 {
            let are = if waiting == 1 { "item is" } else { "items are" };
            finish.words = match (whole.all, waiting) {
                (0, 0) => "There is nothing to judge yet.".to_owned(),
                (_, 0) => finish.words,
                (0, _) => format!("{waiting} pool {are} in no batch yet, so nobody can judge."),
                _ => format!("All batches are judged, but {waiting} pool {are} in no batch yet."),
            };
        }
        Ok(Progress {
            sorts: sorts.into_iter().collect(),
            topics,
            withdrawn,
            outside,
            whole,
            pace,
            finish,
            last_day: self.last_day()?,
            people: self.people_progress(&touches)?,
        })
    }

    /// By when all shall be judged, if the organisers said so.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn last_day(&self) -> Result<Option<Day>> {
        let select = "SELECT value FROM fact WHERE name = ?1";
        let said = self.database().query_row(select, [LAST_DAY], |row| row.get::<_, String>(0)).optional()?;
        Ok(said.and_then(|text| Day::read(&text)))
    }

    /// Says by when all shall be judged, or that there is no such day.
    ///
    /// # Errors
    ///
    /// When the day is over.
    pub fn set_last_day(&self, day: Option<Day>, by: &str) -> Result<()> {
        let Some(day) = day else {
            self.database().execute("DELETE FROM fact WHERE name = ?1", [LAST_DAY])?;
            return self.note(by, "the judging has no last day any more");
        };
        if day < Day::of(self.now()) {
            return Err(Error::refused(format!("{} is over; name a day to come", day.in_words())));
        }
        let insert =
            "INSERT INTO fact (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2";
        self.database().execute(insert, params![LAST_DAY, day.to_string()])?;
        self.note(by, &format!("the last day of judging is {day}"))
    }

    /// How far the batches of every sort and topic are, and how many batches are withdrawn.
    fn extents(&self) -> Result<(Vec<TopicProgress>, usize)> {
        let select = format!(
            "WITH page AS (
                 SELECT t.batch AS batch, count(*) AS parts, sum({PART_IS_DONE}) AS done
                 FROM task t JOIN batch b ON b.number = t.batch JOIN part p ON p.task = t.number
                 WHERE b.withdrawn = 0 GROUP BY t.number
             ), far AS (
                 SELECT batch, count(*) AS tasks, sum(done = parts) AS tasks_done, sum(parts) AS parts, sum(done) AS done
                 FROM page GROUP BY batch
             )
             SELECT b.asks, b.kind, b.stage, b.topic, f.tasks, f.tasks_done, f.parts, f.done,
                    EXISTS (SELECT 1 FROM assignment a WHERE a.batch = b.number AND a.state = 'open')
             FROM batch b JOIN far f ON f.batch = b.number"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let mut rows = statement.query([])?;
        let mut found: BTreeMap<(Sort, TopicId), Extent> = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let word = |column: usize| row.get::<_, String>(column);
            let sort = Sort {
                asks: Asks::read(&word(0)?).ok_or(Error::Broken)?,
                kind: PoolKind::read(&word(1)?).ok_or(Error::Broken)?,
                stage: Stage::read(&word(2)?).ok_or(Error::Broken)?,
            };
            let (tasks, parts) = (
                Share { all: row.get(4)?, done: row.get(5)? },
                Share { all: row.get(6)?, done: row.get(7)? },
            );
            let extent = Extent {
                batches: Share { done: usize::from(parts.left() == 0), all: 1 },
                tasks,
                parts,
                held: usize::from(row.get::<_, bool>(8)?),
            };
            found.entry((sort, TopicId::from(word(3)?.as_str()))).or_default().merge(&extent);
        }
        let mut found: Vec<TopicProgress> =
            found.into_iter().map(|((sort, topic), extent)| (sort, topic, extent)).collect();
        found.sort_by(|left, right| left.0.cmp(&right.0).then_with(|| left.1.natural_cmp(&right.1)));
        let withdrawn = "SELECT count(*) FROM batch WHERE withdrawn = 1";
        Ok((found, self.database().query_row(withdrawn, [], |row| row.get(0))?))
    }

    /// How many items of the newest pool of a kind are given out in no batch and were not judged
    /// from a file either.
    fn outside(&self, kind: PoolKind) -> Result<usize> {
        let select = "SELECT count(*) FROM pool_item i
            WHERE i.pool = (SELECT max(number) FROM pool WHERE kind = ?1 AND topic_set = ?2) AND i.place IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM batch b JOIN task t ON t.batch = b.number AND t.item = i.item
                            WHERE b.kind = ?1 AND b.topic_set = ?2 AND b.topic = i.topic AND b.asks = 'grades'
                            AND b.stage = 'main' AND b.withdrawn = 0)
            AND NOT EXISTS (SELECT 1 FROM judgment j WHERE j.kind = ?1 AND j.topic_set = ?2 AND j.stage = 'main'
                            AND j.topic = i.topic AND j.item = i.item)";
        let values = params![kind.word(), self.manifest().current];
        Ok(self.database().prepare_cached(select)?.query_row(values, |row| row.get(0))?)
    }
}

impl Extent {
    fn merge(&mut self, other: &Self) {
        self.batches.add(other.batches.done, other.batches.all);
        self.tasks.add(other.tasks.done, other.tasks.all);
        self.parts.add(other.parts.done, other.parts.all);
        self.held += other.held;
    }
}

/// How long what is left takes, each sort at its own pace where it is known, else at that of all.
fn seconds_left(sorts: &BTreeMap<Sort, Extent>, touches: &[&Touch], all: Option<Time>) -> Option<f64> {
    let all = all?.mean;
    let of_sort = |(sort, extent): (&Sort, &Extent)| {
        let same = |touch: &&&Touch| (touch.sort.asks, touch.sort.kind) == (sort.asks, sort.kind);
        let times = touches.iter().filter(same).filter_map(|touch| touch.stroke.seconds).collect();
        extent.parts.left() as f64 * Time::of(times).map_or(all, |time| time.mean)
    };
    Some(sorts.iter().filter(|(sort, _)| sort.counts()).map(of_sort).sum())
}

#[cfg(test)]
mod tests;
