//! What several people judged: the ground of agreement, of disagreements and of deciding them.

use crate::batches::item_kind;
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::JudgmentNo;
use formats::TopicId;
use lab::judgments::Thing;
use lab::{PoolKind, Stage, Verdict};
use pool::ItemKind;
use rusqlite::{OptionalExtension as _, Row, params};
use std::collections::BTreeMap;

/// What one person said of a thing, as it counts now.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// The row of the log.
    pub judgment: JudgmentNo,
    /// Who said it.
    pub assessor: String,
    /// For what it was judged.
    pub stage: Stage,
    /// What was said.
    pub verdict: Verdict,
    /// In their words.
    pub comment: String,
}

/// A thing of which several people said something.
#[derive(Clone, Debug, PartialEq)]
pub struct Several {
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
    /// Who judged it for the lab, by name.
    pub main: Vec<Opinion>,
    /// Who judged it again, by name.
    pub checks: Vec<Opinion>,
    /// What an organiser decided.
    pub decided: Option<Opinion>,
}

const COLUMNS: &str = "j.number, j.topic, j.item, j.instance, j.stage, j.assessor, j.verdict, j.comment";

impl Books<'_> {
    /// Things that more than one person judged, topics as people list them.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn several(&self, kind: PoolKind, set: &str) -> Result<Vec<Several>> {
        let select = format!(
            "SELECT {COLUMNS} FROM judgment AS j JOIN (
                 SELECT topic, item, instance FROM judgment
                 WHERE kind = ?1 AND topic_set = ?2 AND stage IN ('main', 'cross-check')
                 GROUP BY topic, item, instance HAVING min(assessor) <> max(assessor)
             ) AS s ON j.topic = s.topic AND j.item = s.item AND j.instance IS s.instance
             WHERE j.kind = ?1 AND j.topic_set = ?2 AND j.stage IN ('main', 'cross-check', 'adjudication')
             ORDER BY j.number"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let rows = statement.query_map(params![kind.word(), set], read)?;
        let mut found = gather(kind, set, rows)?;
        found.retain(|thing| thing.opinions().count() > 1);
        Ok(found)
    }

    /// The thing that a judgment is of, with all that was said of it for the lab.
    ///
    /// # Errors
    ///
    /// When there is no such judgment.
    pub fn thing_of(&self, judgment: JudgmentNo) -> Result<Several> {
        let select = "SELECT kind, topic_set, topic, item, instance FROM judgment WHERE number = ?1";
        let found = self
            .database()
            .query_row(select, [judgment], |row| {
                let text = |column: usize| row.get::<_, String>(column);
                Ok((text(0)?, text(1)?, text(2)?, text(3)?, row.get::<_, Option<String>>(4)?))
            })
            .optional()?;
        let (kind, set, topic, item, instance) = found.ok_or(Error::NotYours("judgment"))?;
        let select = format!(
            "SELECT {COLUMNS} FROM judgment AS j WHERE j.kind = ?1 AND j.topic_set = ?2 AND j.topic = ?3
             AND j.item = ?4 AND j.instance IS ?5 AND j.stage IN ('main', 'cross-check', 'adjudication')
             ORDER BY j.number"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let rows = statement.query_map(params![kind, set, topic, item, instance], read)?;
        let kind = PoolKind::read(&kind).ok_or(Error::Broken)?;
        let found = gather(kind, &set, rows)?.pop();
        Ok(found.unwrap_or_else(|| Several::new(kind, set, (TopicId::from(topic.as_str()), item, instance))))
    }

    /// What is shown of a thing.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn look_of(&self, thing: &Several) -> Result<Look> {
        let database = self.database();
        let select = "SELECT i.kind FROM pool_item i JOIN pool p ON p.number = i.pool
                      WHERE p.kind = ?1 AND p.topic_set = ?2 AND i.topic = ?3 AND i.item = ?4
                      UNION ALL SELECT t.kind FROM task t JOIN batch b ON b.number = t.batch
                      WHERE b.kind = ?1 AND b.topic_set = ?2 AND b.topic = ?3 AND t.item = ?4 LIMIT 1";
        let values = params![thing.kind.word(), thing.set, thing.topic.as_str(), thing.item];
        let word: Option<String> = database.query_row(select, values, |row| row.get(0)).optional()?;
        let kind = match (word, thing.kind) {
            (Some(word), _) => item_kind(&word)?,
            (None, PoolKind::Answers) => ItemKind::Post,
            (None, PoolKind::Formulas) if thing.instance.is_some() => ItemKind::Formula,
            (None, PoolKind::Formulas) => ItemKind::Instance,
        };
        let select = "SELECT text FROM answer WHERE id = ?1";
        let text = match kind {
            ItemKind::Answer => database.query_row(select, [&thing.item], |row| row.get(0)).optional()?,
            _ => None,
        };
        let instance = thing.instance.as_deref().unwrap_or(&thing.item);
        let select = "SELECT post FROM part WHERE instance = ?1 AND post IS NOT NULL
                      UNION ALL SELECT post FROM pool_instance WHERE instance = ?1 AND post IS NOT NULL LIMIT 1";
        let post = match kind {
            ItemKind::Formula | ItemKind::Instance => {
                database.query_row(select, [instance], |row| row.get(0)).optional()?
            }
            _ => None,
        };
        Ok(Look { kind, text, post })
    }
}

/// What is shown of a thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// What it is.
    pub kind: ItemKind,
    /// The text of a written answer.
    pub text: Option<String>,
    /// The post in which a formula stands.
    pub post: Option<String>,
}

type Said = (TopicId, String, Option<String>, Opinion);

fn read(row: &Row<'_>) -> rusqlite::Result<Said> {
    let (stage, verdict) = (row.get::<_, String>(4)?, row.get::<_, String>(6)?);
    let opinion = Opinion {
        judgment: row.get(0)?,
        stage: Stage::read(&stage).ok_or(rusqlite::Error::InvalidQuery)?,
        assessor: row.get(5)?,
        verdict: Verdict::stored(&verdict).ok_or(rusqlite::Error::InvalidQuery)?,
        comment: row.get(7)?,
    };
    Ok((TopicId::from(row.get::<_, String>(1)?.as_str()), row.get(2)?, row.get(3)?, opinion))
}

/// Brings rows of the log together, oldest first: the last one of a person and stage counts.
fn gather(
    kind: PoolKind,
    set: &str,
    rows: impl Iterator<Item = rusqlite::Result<Said>>,
) -> Result<Vec<Several>> {
    type Words = BTreeMap<(Stage, String), Opinion>;
    let mut things: BTreeMap<(TopicId, String, Option<String>), Words> = BTreeMap::new();
    for row in rows {
        let (topic, item, instance, opinion) = row?;
        let said = things.entry((topic, item, instance)).or_default();
        said.insert((opinion.stage, opinion.assessor.clone()), opinion);
    }
    let mut found: Vec<Several> = things
        .into_iter()
        .map(|((topic, item, instance), said)| {
            let counts = said.into_values().filter(|opinion| opinion.verdict != Verdict::Withdrawn);
            let mut thing = Several::new(kind, set.to_owned(), (topic, item, instance));
            for opinion in counts {
                match opinion.stage {
                    Stage::Main => thing.main.push(opinion),
                    Stage::CrossCheck => thing.checks.push(opinion),
                    // Of several organisers the last one decides.
                    _ if thing.decided.as_ref().is_some_and(|last| last.judgment > opinion.judgment) => {}
                    _ => thing.decided = Some(opinion),
                }
            }
            thing
        })
        .collect();
    found.sort_by(|left, right| left.topic.natural_cmp(&right.topic));
    Ok(found)
}

impl Several {
    fn new(kind: PoolKind, set: String, (topic, item, instance): Thing) -> Self {
        Self { kind, set, topic, item, instance, main: Vec::new(), checks: Vec::new(), decided: None }
    }

    /// Who judged it for the lab, then who judged it again.
    pub fn opinions(&self) -> impl Iterator<Item = &Opinion> {
        self.main.iter().chain(&self.checks)
    }

    /// Two opinions of different people, for each two of which the first is for the lab.
    pub fn pairs(&self) -> impl Iterator<Item = (&Opinion, &Opinion)> {
        let within = self
            .main
            .iter()
            .enumerate()
            .flat_map(|(at, first)| self.main[at + 1..].iter().map(move |second| (first, second)));
        let across = self.main.iter().flat_map(|first| {
            let others = self.checks.iter().filter(|second| second.assessor != first.assessor);
            others.map(move |second| (first, second))
        });
        within.chain(across)
    }

    /// The number by which pages call the thing: its oldest row that counts.
    #[must_use]
    pub fn judgment(&self) -> Option<JudgmentNo> {
        self.opinions().chain(&self.decided).map(|opinion| opinion.judgment).min()
    }
}
