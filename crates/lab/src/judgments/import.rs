//! Judgments from files: every row is held against the lab before any of them is taken.

use super::{Judgment, NewJudgment, Stage, Thing, latest};
use crate::clock::{now, stamp};
use crate::error::{Error, Result};
use crate::folder::Lab;
use crate::manifest::PoolKind;
use crate::pools::StoredPool;
use crate::verdict::Verdict;
use formats::{Assessment, Flag, Flags, Source, TopicId, read_assessments, read_flags};
use rusqlite::params;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

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
    /// Rows in whose place a later one of the same file counts.
    pub repeated: usize,
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
        let table = read_assessments(source)?;
        // Under one lock, or a file that is imported twice at once would be added twice.
        self.change(|_| {
            let (rows, result) = self.fit_judgments(&table, &origin, options)?;
            for row in &rows {
                self.append_judgment(row)?;
            }
            if result.added > 0 {
                self.note_event("organiser", &format!("imported {} judgments from {origin}", result.added))?;
            }
            Ok(result)
        })
    }

    /// Holds rows of a file against the lab, and tells those that it does not have yet. Nothing is
    /// kept: that is left to whoever asks.
    ///
    /// A row is known if the log says the same now, or if it said the same at the moment that the row
    /// names: who changed their mind since is not taken back to what a file says. Of rows about the
    /// same thing by the same person the last one counts; those before it are kept as history if they
    /// name their moments.
    ///
    /// # Errors
    ///
    /// When a row does not fit the lab. All such rows are told.
    pub fn fit_judgments(
        &self,
        table: &[Assessment],
        origin: &str,
        options: &ImportOptions,
    ) -> Result<(Vec<NewJudgment>, Imported)> {
        let set = self.manifest().set(options.set.as_deref())?.name.clone();
        let fit = Fit::of(self, &set)?;
        let mut problems = Vec::new();
        let mut rows: Vec<NewJudgment> = Vec::new();
        let mut result = Imported::default();
        for assessment in table {
            match fit.judgment(self, assessment, &set, options, origin) {
                Ok(row) => rows.push(row),
                Err(reason) => problems.push(format!("{}: {reason}", assessment.place)),
            }
        }
        if !problems.is_empty() {
            return Err(Error::Rows(problems));
        }
        // What a file says last of a thing decides whether the log says it already; what it says before
        // that is history, if it names its moment, and else a slip that was corrected.
        let last: HashMap<(Thing, Stage, String), usize> =
            rows.iter().enumerate().map(|(at, row)| (key(row), at)).collect();
        let known: HashSet<(Thing, Stage, String)> =
            last.iter().filter(|(_, at)| fit.is_known(&rows[**at])).map(|(key, _)| key.clone()).collect();
        let mut at = 0;
        rows.retain(|row| {
            let key = key(row);
            let is_last = last.get(&key) == Some(&at);
            at += 1;
            let is_slip = !is_last && row.at.is_none();
            let is_known = !is_slip && (known.contains(&key) || fit.was_said(row));
            result.repeated += usize::from(is_slip);
            result.known += usize::from(is_known);
            !is_slip && !is_known
        });
        result.added = rows.len();
        result.uncommented =
            rows.iter().filter(|row| row.verdict.grade().is_none() && row.comment.is_empty()).count();
        Ok((rows, result))
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
        self.change(|_| self.add_flags(&flags, &origin, &set, assessor))
    }

    fn add_flags(&self, flags: &Flags, origin: &str, set: &str, assessor: &str) -> Result<usize> {
        let pooled = self.pool(PoolKind::Answers, set)?.map(items).unwrap_or_default();
        let strangers: Vec<String> = flags
            .iter()
            .filter(|(topic, answer, _)| !pooled.contains_key(&((*topic).clone(), answer.to_string())))
            .map(|(topic, answer, _)| format!("{origin}: {answer} was not pooled for topic {topic}"))
            .collect();
        if !strangers.is_empty() {
            return Err(Error::Rows(strangers));
        }
        let failed = self.failed();
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
            added += self.database().execute(insert, values).map_err(&failed)?;
        }
        self.note_event(assessor, &format!("imported {added} remarks on answers from {origin}"))?;
        Ok(added)
    }
}

/// What judgments must fit to.
struct Fit {
    topics: HashMap<TopicId, PoolKind>,
    /// Items of the newest pools with the instances that are shown.
    pooled: BTreeMap<PoolKind, HashMap<(TopicId, String), BTreeSet<String>>>,
    /// What counts now.
    known: HashMap<(Thing, Stage, String), NewJudgment>,
    /// What was said at some moment.
    said_at: HashSet<(Thing, Stage, String, String, Verdict, String)>,
}

/// Of what, for what and by whom a judgment is.
fn key(row: &NewJudgment) -> (Thing, Stage, String) {
    ((row.topic.clone(), row.item.clone(), row.instance.clone()), row.stage, row.assessor.clone())
}

impl Fit {
    fn of(lab: &Lab, set: &str) -> Result<Self> {
        let mut fit = Self {
            topics: HashMap::new(),
            pooled: BTreeMap::new(),
            known: HashMap::new(),
            said_at: HashSet::new(),
        };
        for kind in lab.manifest().pool_kinds() {
            if lab.manifest().set(Some(set))?.files(kind.task()).is_none() {
                continue;
            }
            fit.topics.extend(lab.topic_ids(set, kind.task())?.into_iter().map(|topic| (topic, kind)));
            if let Some(pool) = lab.pool(kind, set)? {
                fit.pooled.insert(kind, items(pool));
            }
            let log: Vec<Judgment> = lab.judgment_log(kind, set)?;
            fit.said_at.extend(log.iter().filter_map(|row| moment(&row.said)));
            fit.known.extend(latest(log).into_iter().map(|row| (key(&row.said), row.said)));
        }
        Ok(fit)
    }

    /// Whether the log says so now, or said so at the moment that the row names.
    fn is_known(&self, row: &NewJudgment) -> bool {
        let says_so = |said: &NewJudgment| said.verdict == row.verdict && said.comment == row.comment;
        self.known.get(&key(row)).is_some_and(says_so) || self.was_said(row)
    }

    /// Whether the log said so at the moment that the row names.
    fn was_said(&self, row: &NewJudgment) -> bool {
        moment(row).is_some_and(|moment| self.said_at.contains(&moment))
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

/// What was said by whom and when, if that is known.
fn moment(row: &NewJudgment) -> Option<(Thing, Stage, String, String, Verdict, String)> {
    let (thing, stage, assessor) = key(row);
    Some((thing, stage, assessor, row.at.clone()?, row.verdict, row.comment.clone()))
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
