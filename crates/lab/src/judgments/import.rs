//! Judgments from files: every row is held against the lab before any of them is taken.

use super::{Judgment, NewJudgment, Stage, Thing, latest, thing};
use crate::clock::{now, stamp};
use crate::error::{Error, Result};
use crate::folder::Lab;
use crate::manifest::PoolKind;
use crate::pools::StoredPool;
use collection::{Assessment, Flag, Source, TopicId, read_assessments, read_flags};
use rusqlite::params;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What happens to judgments of items that are in no pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unpooled {
    /// The file is refused.
    #[default]
    Refuse,
    /// They are taken, as for judgments of an earlier lab.
    Take,
}

/// How judgments are imported.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The set of topics; the current one if none is named.
    pub set: Option<String>,
    /// What is judged for, where the rows do not say.
    pub stage: Stage,
    /// What happens to judgments of items that are in no pool.
    pub unpooled: Unpooled,
}

/// What came of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Rows that were added to the log.
    pub added: usize,
    /// Rows that say what the log says already.
    pub known: usize,
    /// Codes without a comment, which assessors are asked for.
    pub uncommented: usize,
}

impl Lab {
    /// Takes a table of judgments: all rows or none.
    ///
    /// # Errors
    ///
    /// When the table cannot be read, or a row does not fit the lab: a topic that the set does not
    /// have, an item that was not pooled, a grade that the scale does not have. All such rows are told.
    pub fn import_judgments(&mut self, source: Source<'_>, options: &ImportOptions) -> Result<Imported> {
        let origin = source.name().to_owned();
        let set = self.manifest().set(options.set.as_deref())?.name.clone();
        let table = read_assessments(source)?;
        let fit = Fit::of(self, &set)?;
        let mut problems = Vec::new();
        let mut rows = Vec::new();
        let mut result = Imported::default();
        for assessment in &table {
            match fit.judgment(self, assessment, &set, options, &origin) {
                Ok(row) => rows.push(row),
                Err(reason) => problems.push(format!("{}: {reason}", assessment.place)),
            }
        }
        if !problems.is_empty() {
            return Err(Error::Rows(problems));
        }
        let known = fit.known;
        rows.retain(|row: &NewJudgment| {
            let key = (row.topic.clone(), row.item.clone(), row.instance.clone());
            let is_known = known
                .get(&(key, row.stage, row.assessor.clone()))
                .is_some_and(|said| said.verdict == row.verdict && said.comment == row.comment);
            result.known += usize::from(is_known);
            !is_known
        });
        result.added = rows.len();
        result.uncommented =
            rows.iter().filter(|row| row.verdict.grade().is_none() && row.comment.is_empty()).count();
        self.add_judgments(&rows)?;
        if result.added > 0 {
            self.note_event("organiser", &format!("imported {} judgments from {origin}", result.added))?;
        }
        Ok(result)
    }
}

impl Lab {
    /// Takes a table of what was asked about written answers after judging: whether they look
    /// machine-made, and whether they hold unrelated things. All rows or none.
    ///
    /// # Errors
    ///
    /// When the table cannot be read, or is about answers that are in no pool.
    pub fn import_flags(&mut self, source: Source<'_>, set: Option<&str>, assessor: &str) -> Result<usize> {
        let origin = source.name().to_owned();
        let set = self.manifest().set(set)?.name.clone();
        let flags = read_flags(source)?;
        let pooled = self.pool(PoolKind::Answers, &set)?.map(items).unwrap_or_default();
        let strangers: Vec<String> = flags
            .iter()
            .filter(|(topic, answer, _)| !pooled.contains_key(&((*topic).clone(), answer.to_string())))
            .map(|(topic, answer, _)| format!("{origin}: {answer} was not pooled for topic {topic}"))
            .collect();
        if !strangers.is_empty() {
            return Err(Error::Rows(strangers));
        }
        let failed = self.failed();
        let transaction = self.database_mut().transaction().map_err(&failed)?;
        let mut added = 0;
        for (topic, answer, said) in flags.iter() {
            let number = |flag: Flag| match flag {
                Flag::Yes => Some(1),
                Flag::No => Some(0),
                Flag::NotAssessed => None,
            };
            let insert =
                "INSERT INTO flag (topic_set, topic, item, assessor, machine_generated, unrelated, judged_at)
                          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let values = params![
                set,
                topic.as_str(),
                answer.as_str(),
                assessor,
                number(said.machine_generated),
                number(said.unrelated_information),
                stamp(now()),
            ];
            added += transaction.execute(insert, values).map_err(&failed)?;
        }
        transaction.commit().map_err(&failed)?;
        self.note_event(assessor, &format!("imported {added} remarks on answers from {origin}"))?;
        Ok(added)
    }
}

/// What judgments must fit to.
struct Fit {
    topics: HashMap<TopicId, PoolKind>,
    /// Items of the newest pools with the instances that are shown.
    pooled: BTreeMap<PoolKind, HashMap<(TopicId, String), BTreeSet<String>>>,
    known: HashMap<(Thing, Stage, String), NewJudgment>,
}

impl Fit {
    fn of(lab: &Lab, set: &str) -> Result<Self> {
        let mut fit = Self { topics: HashMap::new(), pooled: BTreeMap::new(), known: HashMap::new() };
        for kind in lab.manifest().pool_kinds() {
            if lab.manifest().set(Some(set))?.files(kind.task()).is_none() {
                continue;
            }
            fit.topics.extend(lab.topic_ids(set, kind.task())?.into_iter().map(|topic| (topic, kind)));
            if let Some(pool) = lab.pool(kind, set)? {
                fit.pooled.insert(kind, items(pool));
            }
            let now: Vec<Judgment> = latest(lab.judgment_log(kind, set)?);
            fit.known.extend(
                now.into_iter()
                    .map(|row| ((thing(&row), row.said.stage, row.said.assessor.clone()), row.said)),
            );
        }
        Ok(fit)
    }

    fn judgment(
        &self,
        lab: &Lab,
        row: &Assessment,
        set: &str,
        options: &ImportOptions,
        origin: &str,
    ) -> std::result::Result<NewJudgment, String> {
        let kind = *self
            .topics
            .get(&row.topic)
            .ok_or_else(|| format!("topic {} is not in the set {set}", row.topic))?;
        let verdict = lab.manifest().read_verdict(kind.task(), &row.verdict)?;
        let stage = match row.stage.as_deref() {
            None => options.stage,
            Some(word) => Stage::read(word).ok_or_else(|| {
                format!(
                    "{word:?} is no stage: there are main, adjudication, cross-check, sample, gold and training-1, -2, …"
                )
            })?,
        };
        if options.unpooled == Unpooled::Refuse
            && !matches!(stage, Stage::Training(_) | Stage::Sample | Stage::Gold)
        {
            let pooled = self
                .pooled
                .get(&kind)
                .ok_or_else(|| format!("there is no pool of {kind} for the set {set} yet"))?;
            let shown = pooled
                .get(&(row.topic.clone(), row.item.clone()))
                .ok_or_else(|| format!("{} was not pooled for topic {}", row.item, row.topic))?;
            if let Some(instance) = &row.instance
                && !shown.contains(instance)
            {
                return Err(format!("instance {instance} of {} is not one that was shown", row.item));
            }
        }
        Ok(NewJudgment {
            kind,
            set: set.to_owned(),
            topic: row.topic.clone(),
            item: row.item.clone(),
            instance: row.instance.clone(),
            stage,
            assessor: row.assessor.clone(),
            verdict,
            comment: row.comment.clone(),
            seconds: row.seconds,
            at: row.at.clone(),
            origin: origin.to_owned(),
        })
    }
}

fn items(pool: StoredPool) -> HashMap<(TopicId, String), BTreeSet<String>> {
    let topics = pool.topics.into_iter();
    topics
        .flat_map(|topic| {
            let id = topic.topic;
            topic.items.into_iter().map(move |item| {
                let shown = item.instances.into_iter().map(|instance| instance.id).collect();
                ((id.clone(), item.id), shown)
            })
        })
        .collect()
}
