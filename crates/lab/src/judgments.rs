//! The log of judgments: rows are added, never changed, and the present state is read from them.

mod import;

pub use import::{ImportOptions, Imported, Unpooled};

use crate::clock::{now, stamp};
use crate::error::Result;
use crate::files::checksum;
use crate::folder::Lab;
use crate::manifest::PoolKind;
use crate::verdict::Verdict;
use formats::TopicId;
use rusqlite::{Connection, params};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// For what something was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// For the lab's judgments.
    Main,
    /// Where others disagreed, to decide.
    Adjudication,
    /// Again by another assessor, to see how far they agree.
    CrossCheck,
    /// To learn, in a round of training, counted from 1.
    Training(u32),
    /// By an applicant, to see whether they can judge.
    Sample,
    /// Something whose grade is known, among other work, to see who drifts.
    Gold,
}

impl Stage {
    /// Reads the word in files and in the database.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        match word {
            "main" => Some(Self::Main),
            "adjudication" => Some(Self::Adjudication),
            "cross-check" => Some(Self::CrossCheck),
            "sample" => Some(Self::Sample),
            "gold" => Some(Self::Gold),
            other => {
                let round = other.strip_prefix("training-")?.parse().ok()?;
                (round > 0).then_some(Self::Training(round))
            }
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Main => f.pad("main"),
            Self::Adjudication => f.pad("adjudication"),
            Self::CrossCheck => f.pad("cross-check"),
            Self::Sample => f.pad("sample"),
            Self::Gold => f.pad("gold"),
            Self::Training(round) => write!(f, "training-{round}"),
        }
    }
}

/// What somebody says of something.
#[derive(Clone, Debug, PartialEq)]
pub struct NewJudgment {
    /// What is judged.
    pub kind: PoolKind,
    /// The set of topics.
    pub set: String,
    /// The topic.
    pub topic: TopicId,
    /// A post, a written answer, a visual id or an instance.
    pub item: String,
    /// The instance of a formula that was looked at.
    pub instance: Option<String>,
    /// For what it was judged.
    pub stage: Stage,
    /// Who says so.
    pub assessor: String,
    /// What they say.
    pub verdict: Verdict,
    /// In their words.
    pub comment: String,
    /// How long it took, idle time left out.
    pub seconds: Option<f64>,
    /// When; now, if nothing is said.
    pub at: Option<String>,
    /// Where the judgment comes from: a file, or the web.
    pub origin: String,
}

/// A row of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgment {
    /// Its number.
    pub number: i64,
    /// What was said; `at` is always there.
    pub said: NewJudgment,
}

/// What is judged: topic, item and instance.
pub type Thing = (TopicId, String, Option<String>);

impl Lab {
    /// Adds rows to the log: all of them or none.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn add_judgments(&mut self, rows: &[NewJudgment]) -> Result<()> {
        self.change(|_| rows.iter().try_for_each(|row| self.append_judgment(row).map(|_| ())))
    }

    /// Adds a row to the log, within the transaction that is under way, and tells its number.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn append_judgment(&self, row: &NewJudgment) -> Result<i64> {
        append(self.database(), row).map_err(self.failed())
    }

    /// The whole log of a kind and a set, oldest first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or holds something that no judgment is.
    pub fn judgment_log(&self, kind: PoolKind, set: &str) -> Result<Vec<Judgment>> {
        let failed = self.failed();
        let select =
            "SELECT number, topic, item, instance, stage, assessor, verdict, comment, seconds, judged_at,
                      origin FROM judgment WHERE kind = ?1 AND topic_set = ?2 ORDER BY number";
        let mut statement = self.database().prepare(select).map_err(&failed)?;
        let rows = statement.query_map(params![kind.word(), set], |row| {
            let text = |column: usize| row.get::<_, String>(column);
            let unread = |column: usize, text: String| {
                rusqlite::Error::FromSqlConversionFailure(
                    column,
                    rusqlite::types::Type::Text,
                    format!("{text:?} is none").into(),
                )
            };
            let (stage, verdict) = (text(4)?, text(6)?);
            Ok(Judgment {
                number: row.get(0)?,
                said: NewJudgment {
                    kind,
                    set: set.to_owned(),
                    topic: TopicId::from(text(1)?.as_str()),
                    item: text(2)?,
                    instance: row.get(3)?,
                    stage: Stage::read(&stage).ok_or_else(|| unread(4, stage))?,
                    assessor: text(5)?,
                    verdict: Verdict::stored(&verdict).ok_or_else(|| unread(6, verdict))?,
                    comment: text(7)?,
                    seconds: row.get(8)?,
                    at: Some(text(9)?),
                    origin: text(10)?,
                },
            })
        });
        rows.map_err(&failed)?.collect::<rusqlite::Result<Vec<Judgment>>>().map_err(&failed)
    }

    /// What counts now: for every thing, stage and assessor the last row, in the order of the log,
    /// unless it takes back what was said.
    ///
    /// # Errors
    ///
    /// As [`Lab::judgment_log`].
    pub fn judgments(&self, kind: PoolKind, set: &str) -> Result<Vec<Judgment>> {
        Ok(latest(self.judgment_log(kind, set)?))
    }
}

fn append(database: &Connection, row: &NewJudgment) -> rusqlite::Result<i64> {
    let insert = "INSERT INTO judgment (kind, topic_set, topic, item, instance, stage, assessor, verdict,
                  comment, seconds, judged_at, origin)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    let mut statement = database.prepare_cached(insert)?;
    let at = row.at.clone().unwrap_or_else(|| stamp(now()));
    statement.insert(params![
        row.kind.word(),
        row.set,
        row.topic.as_str(),
        row.item,
        row.instance,
        row.stage.to_string(),
        row.assessor,
        row.verdict.to_string(),
        row.comment,
        row.seconds,
        at,
        row.origin,
    ])
}

/// The last row for every thing, stage and assessor, in the order of the log; what was taken back
/// is left out.
pub(crate) fn latest(log: Vec<Judgment>) -> Vec<Judgment> {
    let mut last: BTreeMap<(Thing, Stage, String), usize> = BTreeMap::new();
    for (at, row) in log.iter().enumerate() {
        last.insert((thing(row), row.said.stage, row.said.assessor.clone()), at);
    }
    let counts = |at: &usize| log[*at].said.verdict != Verdict::Withdrawn;
    let kept: BTreeSet<usize> = last.into_values().filter(counts).collect();
    log.into_iter().enumerate().filter(|(at, _)| kept.contains(at)).map(|(_, row)| row).collect()
}

pub(crate) fn thing(row: &Judgment) -> Thing {
    (row.said.topic.clone(), row.said.item.clone(), row.said.instance.clone())
}

/// A checksum over a log, so that judgments in files can say what they were made of.
#[must_use]
pub fn log_checksum(log: &[Judgment]) -> String {
    let mut text = String::new();
    for row in log {
        let said = &row.said;
        let instance = said.instance.as_deref().unwrap_or("-");
        text.push_str(&format!(
            "{}\t{}\t{}\t{instance}\t{}\t{}\t{}\n",
            row.number, said.topic, said.item, said.stage, said.assessor, said.verdict
        ));
    }
    checksum(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: i64, item: &str, assessor: &str, grade: i32) -> Judgment {
        Judgment {
            number,
            said: NewJudgment {
                kind: PoolKind::Answers,
                set: "s".to_owned(),
                topic: TopicId::from("A.1"),
                item: item.to_owned(),
                instance: None,
                stage: Stage::Main,
                assessor: assessor.to_owned(),
                verdict: Verdict::Grade(grade),
                comment: String::new(),
                seconds: None,
                at: None,
                origin: String::new(),
            },
        }
    }

    #[test]
    fn who_changes_their_mind_counts_once() {
        let log = vec![row(1, "7", "a", 3), row(2, "8", "a", 1), row(3, "7", "b", 0), row(4, "7", "a", 2)];
        let now: Vec<(i64, Verdict)> =
            latest(log.clone()).iter().map(|row| (row.number, row.said.verdict)).collect();
        assert_eq!(now, [(2, Verdict::Grade(1)), (3, Verdict::Grade(0)), (4, Verdict::Grade(2))]);
        assert_ne!(log_checksum(&log), log_checksum(&log[..3]));
    }

    #[test]
    fn stages_are_read_back() {
        for stage in [
            Stage::Main,
            Stage::Adjudication,
            Stage::CrossCheck,
            Stage::Training(3),
            Stage::Sample,
            Stage::Gold,
        ] {
            assert_eq!(Stage::read(&stage.to_string()), Some(stage));
        }
        assert_eq!(Stage::read("training-0"), None);
        assert_eq!(Stage::read("x"), None);
    }
}
