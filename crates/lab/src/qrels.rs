//! Judgments for evaluation: one grade an item, with a file that says how they were made.

use crate::aggregate::{Aggregated, Codes, Rule, Undecided, aggregate};
use crate::change::Change;
use crate::error::{Error, Result};
use crate::files::checksum;
use crate::folder::Lab;
use crate::judgments::{Stage, log_checksum};
use crate::manifest::{Identical, PoolKind, Rules};
use crate::pools::StoredPool;
use crate::report::provenance;
use crate::verdict::Verdict;
use formats::TopicId;
use formats::check::Task;
use pool::ItemKind;
use serde::{Deserialize, Serialize};
use stats::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How judgments become files.
#[derive(Clone, Debug)]
pub struct QrelsRequest {
    /// The task.
    pub task: Task,
    /// The set of topics; the current one if none is named.
    pub set: Option<String>,
    /// How several assessors' grades become one; as the lab's rules have it if nothing is said.
    pub rule: Option<Rule>,
    /// What becomes of codes; as the lab had it for the task if nothing is said.
    pub codes: Option<Codes>,
    /// Topics with fewer items of `level` or more are dropped.
    pub least_relevant: Option<usize>,
    /// From which grade on an item counts for that.
    pub level: i32,
    /// What happens when the rule leaves things undecided.
    pub undecided: WhenUndecided,
    /// The share of topics that is set apart for training, from 0 to 1.
    pub train_share: Option<f64>,
    /// The topics that are set apart for training, where they are named instead.
    pub train_topics: Option<BTreeSet<TopicId>>,
}

/// What happens when the rule leaves things undecided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhenUndecided {
    /// Nothing is written.
    #[default]
    Refuse,
    /// They are left out.
    LeaveOut,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct MadeQrels {
    /// The files, seen from the folder of the lab, the judgments first.
    pub files: Vec<String>,
    /// How they were made.
    pub provenance: Provenance,
}

/// How judgments were made, as it stands beside them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The program and its version.
    pub program: String,
    /// The lab.
    pub lab: String,
    /// The task.
    pub task: u8,
    /// The set of topics.
    pub set: String,
    /// How several grades became one.
    pub rule: String,
    /// What became of codes.
    pub codes: String,
    /// What was asked of a topic to stay.
    pub kept_topics: String,
    /// Topics that were dropped, with their number of relevant items.
    pub dropped: Vec<DroppedTopic>,
    /// How many things the rule left undecided.
    pub undecided: usize,
    /// How many judgments an adjudicator decided; they stand above those of assessors, whatever the rule.
    #[serde(default)]
    pub adjudicated: usize,
    /// How many items were judged, by what was said of them; those of dropped topics are among them.
    pub verdicts: BTreeMap<String, usize>,
    /// How many items the file of judgments has.
    #[serde(default)]
    pub rows: usize,
    /// Items with a code and no grade, whatever the files keep of them.
    #[serde(default)]
    pub coded: Vec<CodedItem>,
    /// How many items of the pool nobody has judged yet.
    pub not_judged: usize,
    /// How many formulas got the highest grade because they look like the one asked for.
    pub identical: usize,
    /// The number of the pool and how it was made.
    pub pool: Option<PoolNote>,
    /// How many rows of the log were read.
    pub log_rows: usize,
    /// A checksum over them.
    pub log_sha256: String,
    /// The number of the last judgment in the log when the files were made.
    #[serde(default)]
    pub last_judgment: Option<i64>,
    /// The topics for training, if some were set apart, and the seed that chose them.
    pub train: Option<Split>,
    /// Checksums of the files.
    pub files: BTreeMap<String, String>,
}

/// A topic that was dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedTopic {
    /// The topic.
    pub topic: String,
    /// How many items of it counted as relevant.
    pub relevant: usize,
}

/// An item with a code and no grade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodedItem {
    /// The topic.
    pub topic: String,
    /// The item.
    pub item: String,
    /// The code.
    pub code: Code,
}

/// The verdicts that are not grades.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Code {
    /// The item could not be shown or read.
    Failure,
    /// The assessor cannot tell.
    Unknown,
}

impl Code {
    /// The number in files of judgments.
    #[must_use]
    pub fn number(self) -> i32 {
        match self {
            Self::Failure => 5,
            Self::Unknown => 6,
        }
    }

    fn of(verdict: Verdict) -> Option<Self> {
        match verdict {
            Verdict::SystemFailure => Some(Self::Failure),
            Verdict::DoNotKnow => Some(Self::Unknown),
            Verdict::Grade(_) | Verdict::Withdrawn => None,
        }
    }
}

/// The pool that was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolNote {
    /// Its number.
    pub number: i64,
    /// How deep.
    pub extent: String,
    /// What chance began with.
    pub seed: u64,
}

/// Topics set apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// The seed that chose them; nothing where they were named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The task whose split it follows, where it does: Task 3 has the questions of Task 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows_task: Option<u8>,
    /// The topics for training.
    pub topics: Vec<String>,
}

impl Lab {
    /// Makes the judgments of a task and writes them below `qrels`.
    ///
    /// # Errors
    ///
    /// When nothing was judged, the rule leaves things undecided and that is refused, or a file
    /// cannot be written.
    pub fn make_qrels(&mut self, request: &QrelsRequest) -> Result<MadeQrels> {
        // Under one lock, so that all files are made of the same judgments, whoever else makes some.
        self.change(|change| self.qrels_within(change, request))
    }

    /// How many judgments came to the log of a set after its qrels were made; 0 where there are no qrels, or where
    /// they were made before their record said so.
    ///
    /// # Errors
    ///
    /// When the database or a record cannot be read.
    pub fn judgments_since_qrels(&self, set: &str) -> Result<usize> {
        #[derive(serde::Deserialize)]
        struct Made {
            last_judgment: Option<i64>,
        }
        let mut newer: BTreeMap<&str, usize> = BTreeMap::new();
        for task in self.manifest().all_tasks() {
            let path = format!("qrels/{set}/task{}.json", task.number());
            if !self.path(&path).is_file() {
                continue;
            }
            let made: Made = serde_json::from_slice(&self.unchanged(&path)?)
                .map_err(|error| Error::folder(&self.path(&path), error.to_string()))?;
            let Some(last) = made.last_judgment else { continue };
            let kind = PoolKind::of(task).word();
            let select = "SELECT count(*) FROM judgment WHERE kind = ?1 AND topic_set = ?2 AND number > ?3
                          AND stage IN ('main', 'cross-check', 'adjudication')";
            let count =
                self.database().query_row(select, rusqlite::params![kind, set, last], |row| row.get(0));
            let count: usize = count.map_err(self.failed())?;
            // Tasks 1 and 3 are judged in one log.
            let known = newer.entry(kind).or_default();
            *known = count.max(*known);
        }
        Ok(newer.values().sum())
    }

    fn last_judgment(&self) -> Result<i64> {
        let select = "SELECT coalesce(max(number), 0) FROM judgment";
        self.database().query_row(select, [], |row| row.get(0)).map_err(self.failed())
    }

    fn qrels_within(&self, change: &mut Change<'_>, request: &QrelsRequest) -> Result<MadeQrels> {
        let task = request.task;
        let set = self.manifest().set(request.set.as_deref())?.name.clone();
        if !self.manifest().tasks.contains(&task.number()) {
            return Err(Error::asked(format!("the lab has no task {}", task.number())));
        }
        let kind = PoolKind::of(task);
        let rule = request.rule.unwrap_or(default_rule(self.manifest().rules));
        let codes = request.codes.unwrap_or(default_codes(task));
        self.ensure_sums_are_grades(task, rule)?;
        let least = request.least_relevant.unwrap_or(default_least(self.manifest().rules));
        let log = self.judgments(kind, &set)?;
        let pool = self.pool(kind, &set)?;
        let mut judged = aggregate(&log, rule);
        // Task 3 has the topics that Task 1 keeps: MAP' asks for relevant items, and AR does not.
        let deciding =
            if task == Task::Task3 && self.manifest().tasks.contains(&1) { Task::Task1 } else { task };
        let mut decides = judged.clone();
        keep_task(&mut decides, deciding, pool.as_ref());
        keep_task(&mut judged, task, pool.as_ref());
        if !request.undecided_is_fine(&judged.undecided) {
            return Err(Error::Rows(judged.undecided.iter().map(in_words).collect()));
        }
        let identical = self.raise_identical(task, &set, pool.as_ref(), &mut judged)?;
        if judged.topics.is_empty() {
            let reason = format!("nothing of task {} was judged on the set {set} yet", task.number());
            return Err(Error::asked(reason));
        }
        let verdicts = count_verdicts(&judged);
        let poor = poor_topics(if deciding == task { &judged } else { &decides }, least, request.level);
        let dropped = drop_topics(&mut judged, &poor);
        if judged.topics.is_empty() {
            let reason = format!(
                "no topic of task {} has {least} or more items of grade {} or more (see --least-relevant)",
                deciding.number(),
                request.level
            );
            return Err(Error::asked(reason));
        }
        let not_judged = pool.as_ref().map_or(0, |pool| not_judged(pool, task, &log));
        let mut provenance = Provenance {
            program: format!("hypatia {}", env!("CARGO_PKG_VERSION")),
            lab: self.manifest().name.clone(),
            task: task.number(),
            set: set.clone(),
            rule: rule.to_string(),
            codes: codes.to_string(),
            kept_topics: format!(
                "{least} or more items of task {} of grade {} or more",
                deciding.number(),
                request.level
            ),
            dropped,
            undecided: judged.undecided.len(),
            adjudicated: decided(&log, &judged),
            verdicts,
            rows: judged
                .topics
                .values()
                .flat_map(BTreeMap::values)
                .filter_map(|verdict| grade_text(*verdict, codes))
                .count(),
            coded: coded_items(&judged),
            not_judged,
            identical,
            pool: pool.as_ref().map(|pool| PoolNote {
                number: pool.number,
                extent: pool.rule.extent.clone(),
                seed: pool.seed,
            }),
            log_rows: log.len(),
            log_sha256: log_checksum(&log),
            last_judgment: Some(self.last_judgment()?),
            train: None,
            files: BTreeMap::new(),
        };
        let mut written: Vec<(String, String)> = Vec::new();
        let base = format!("qrels/{set}/task{}", task.number());
        written.push((format!("{base}.qrels"), text(&judged.topics, codes, |_| true)));
        // Of the same questions Tasks 1 and 3 set the same apart.
        let of_decider = if deciding == task { &judged.topics } else { &decides.topics };
        let kept = of_decider.keys().filter(|topic| !poor.contains_key(*topic));
        if let Some(split) = self.training_topics(request, &set, &judged, kept)? {
            let train: BTreeSet<TopicId> =
                split.topics.iter().map(|topic| TopicId::from(topic.as_str())).collect();
            written.push((
                format!("{base}.train.qrels"),
                text(&judged.topics, codes, |topic| train.contains(topic)),
            ));
            written.push((
                format!("{base}.test.qrels"),
                text(&judged.topics, codes, |topic| !train.contains(topic)),
            ));
            provenance.train = Some(split);
        }
        if kind == PoolKind::Formulas && !judged.instances.is_empty() {
            written.push((format!("{base}.instances.qrels"), instances_text(&judged, codes)));
        }
        if task == Task::Task3 {
            written.push((format!("{base}.answers.tsv"), self.answer_map(&set)?));
        }
        for (path, text) in &written {
            provenance.files.insert(path.clone(), checksum(text.as_bytes()));
        }
        let json = serde_json::to_string_pretty(&provenance).unwrap_or_default() + "\n";
        written.push((format!("{base}.json"), json));
        for (path, text) in &written {
            change.file(path, text.as_bytes())?;
        }
        self.note_event("organiser", &format!("made judgments of task {} for {set}", task.number()))?;
        Ok(MadeQrels { files: written.into_iter().map(|(path, _)| path).collect(), provenance })
    }

    /// The judged topics that are set apart for training. `kept` are the topics of the task that decides which
    /// topics there are.
    fn training_topics<'k>(
        &self,
        request: &QrelsRequest,
        set: &str,
        judged: &Aggregated,
        kept: impl Iterator<Item = &'k TopicId>,
    ) -> Result<Option<Split>> {
        let of_judged = |topics: &BTreeSet<TopicId>| -> Vec<String> {
            let judged = topics.iter().filter(|topic| judged.topics.contains_key(*topic));
            judged.map(ToString::to_string).collect()
        };
        if let Some(named) = &request.train_topics {
            let known = self.topics(set, request.task)?;
            if let Some(topic) = named.iter().find(|topic| known.topics.get(topic.as_str()).is_none()) {
                let reason = format!("topic {topic}, named for training, is not in the set {set}");
                return Err(Error::asked(reason));
            }
            let topics = of_judged(named);
            if topics.is_empty() || topics.len() == judged.topics.len() {
                let which = if topics.is_empty() { "none" } else { "all" };
                let reason = format!("{which} of the judged topics are named for training");
                return Err(Error::asked(reason));
            }
            return Ok(Some(Split { seed: None, follows_task: None, topics }));
        }
        let Some(share) = request.train_share else { return Ok(None) };
        let seed = self.manifest().seed;
        let train = split(kept, share, seed)?;
        if request.task == Task::Task3
            && let Some(first) = provenance(self, Task::Task1, set)?.and_then(|made| made.train)
        {
            let train = first.topics.iter().map(|topic| TopicId::from(topic.as_str())).collect();
            return Ok(Some(Split {
                follows_task: Some(Task::Task1.number()),
                topics: of_judged(&train),
                ..first
            }));
        }
        Ok(Some(Split { seed: Some(seed), follows_task: None, topics: of_judged(&train) }))
    }

    /// A sum of two grades must stay below the codes 5 and 6.
    fn ensure_sums_are_grades(&self, task: Task, rule: Rule) -> Result<()> {
        let highest = 2 * self.manifest().highest_grade(task);
        if rule == Rule::Sum && highest >= Code::Failure.number() {
            return Err(Error::asked(format!(
                "two assessors' grades of task {} sum up to {highest}, but 5 and 6 are codes in judgments: choose another --rule",
                task.number()
            )));
        }
        Ok(())
    }

    /// Gives the highest grade to formulas that look like the one asked for, where the lab says so.
    fn raise_identical(
        &self,
        task: Task,
        set: &str,
        pool: Option<&StoredPool>,
        judged: &mut Aggregated,
    ) -> Result<usize> {
        if task != Task::Task2 || self.manifest().identical == Identical::Judged {
            return Ok(0);
        }
        let known = self.known()?;
        let Some(collection) = known.collection() else {
            return Err(Error::asked(
                "identical = \"relevant\" needs the collection, which knows what formulas look like",
            ));
        };
        // Looks are told as they were when the collection was built.
        let (mut look, mut texts) = (post::looker(), post::FormulaTexts::default());
        let mut raised = 0;
        let highest = Verdict::Grade(self.manifest().highest_grade(task));
        let topics = self.topics(set, task)?;
        for pooled in pool.map(|pool| pool.topics.as_slice()).unwrap_or_default() {
            let query = topics.topics.get(pooled.topic.as_str()).and_then(|topic| topic.queries().next());
            let Some(latex) = query.and_then(|query| texts.given(query)) else { continue };
            let key = look(&latex, "").key;
            for item in pooled.items.iter().filter(|item| item.kind == ItemKind::Formula) {
                let visual = item.id.parse().ok().and_then(|id| collection.find_visual(id));
                let Some(visual) = visual else { continue };
                if collection.forms_of_visual(visual).any(|form| collection.form_key(form) == key) {
                    judged.topics.entry(pooled.topic.clone()).or_default().insert(item.id.clone(), highest);
                    raised += 1;
                }
            }
        }
        Ok(raised)
    }

    /// Which answer each run of Task 3 gave: run, topic, id of the answer. A run has the name of its file, as in
    /// the map of ARQMath-3, so that `eval --answers` finds it by the file.
    fn answer_map(&self, set: &str) -> Result<String> {
        let mut out = String::new();
        for system in self.systems()?.iter().filter(|system| system.task == Task::Task3) {
            let Some(submission) = system.on(set) else { continue };
            let run = submission.name();
            for answer in self.answers(submission)?.answers {
                if !answer.answer.trim().is_empty() {
                    let id = pool::answer_id(&answer.topic, &answer.answer);
                    let _ = writeln!(out, "{run}\t{}\t{id}", answer.topic);
                }
            }
        }
        Ok(out)
    }
}

impl QrelsRequest {
    /// All as the lab's rules have it.
    #[must_use]
    pub fn new(task: Task) -> Self {
        Self {
            task,
            set: None,
            rule: None,
            codes: None,
            least_relevant: None,
            level: 2,
            undecided: WhenUndecided::default(),
            train_share: None,
            train_topics: None,
        }
    }

    fn undecided_is_fine(&self, undecided: &[Undecided]) -> bool {
        undecided.is_empty() || self.undecided == WhenUndecided::LeaveOut
    }
}

fn in_words(undecided: &Undecided) -> String {
    let instance =
        undecided.instance.as_ref().map_or_else(String::new, |instance| format!(", instance {instance}"));
    format!("topic {}, {}{instance}: {}", undecided.topic, undecided.item, undecided.reason)
}

/// ARQMath's judgments are the highest grades, NTCIR's are sums.
fn default_rule(rules: Rules) -> Rule {
    match rules {
        Rules::Arqmath => Rule::Maximum,
        Rules::Ntcir10 | Rules::Ntcir12 => Rule::Sum,
    }
}

/// Tasks 1 and 2 leave out what got no grade, Task 3 keeps the codes.
fn default_codes(task: Task) -> Codes {
    match task {
        Task::Task1 | Task::Task2 => Codes::LeaveOut,
        Task::Task3 => Codes::Keep,
    }
}

/// ARQMath drops topics with fewer than two items of High or Medium, NTCIR none.
fn default_least(rules: Rules) -> usize {
    match rules {
        Rules::Arqmath => 2,
        Rules::Ntcir10 | Rules::Ntcir12 => 0,
    }
}

/// Tasks 1 and 3 are judged together: keeps what belongs to the one.
fn keep_task(judged: &mut Aggregated, task: Task, pool: Option<&StoredPool>) {
    let written: BTreeSet<(&TopicId, &str)> = pool
        .iter()
        .flat_map(|pool| &pool.topics)
        .flat_map(|topic| topic.items.iter().map(move |item| (&topic.topic, item)))
        .filter(|(_, item)| item.is_of(Task::Task3))
        .map(|(topic, item)| (topic, item.id.as_str()))
        .collect();
    let keep = |topic: &TopicId, item: &str| match task {
        Task::Task2 => true,
        Task::Task1 => !written.contains(&(topic, item)),
        Task::Task3 => written.contains(&(topic, item)),
    };
    for (topic, items) in &mut judged.topics {
        items.retain(|item, _| keep(topic, item));
    }
    judged.topics.retain(|_, items| !items.is_empty());
    judged.undecided.retain(|undecided| keep(&undecided.topic, &undecided.item));
}

/// How many judgments of these items an adjudicator decided.
fn decided(log: &[crate::Judgment], judged: &Aggregated) -> usize {
    let is_kept = |row: &&crate::Judgment| {
        let of_topic = judged.topics.get(&row.said.topic);
        row.said.stage == Stage::Adjudication
            && of_topic.is_some_and(|items| items.contains_key(&row.said.item))
    };
    log.iter().filter(is_kept).count()
}

fn count_verdicts(judged: &Aggregated) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for verdict in judged.topics.values().flat_map(BTreeMap::values) {
        *counts.entry(verdict.to_string()).or_default() += 1;
    }
    counts
}

fn coded_items(judged: &Aggregated) -> Vec<CodedItem> {
    let items = sorted(&judged.topics).into_iter().flat_map(|(topic, items)| {
        items.iter().filter_map(move |(item, verdict)| {
            Some(CodedItem { topic: topic.to_string(), item: item.clone(), code: Code::of(*verdict)? })
        })
    });
    items.collect()
}

/// Topics with too few relevant items, with their number.
fn poor_topics(judged: &Aggregated, least: usize, level: i32) -> BTreeMap<TopicId, usize> {
    let relevant = |items: &BTreeMap<String, Verdict>| {
        items.values().filter(|verdict| verdict.grade().is_some_and(|grade| grade >= level)).count()
    };
    let counted = judged.topics.iter().map(|(topic, items)| (topic.clone(), relevant(items)));
    counted.filter(|(_, relevant)| *relevant < least).collect()
}

fn drop_topics(judged: &mut Aggregated, poor: &BTreeMap<TopicId, usize>) -> Vec<DroppedTopic> {
    let mut dropped: Vec<(&TopicId, usize)> = poor
        .iter()
        .filter(|(topic, _)| judged.topics.contains_key(*topic))
        .map(|(topic, relevant)| (topic, *relevant))
        .collect();
    dropped.sort_by(|a, b| a.0.natural_cmp(b.0));
    judged.topics.retain(|topic, _| !poor.contains_key(topic));
    judged.instances.retain(|topic, _| judged.topics.contains_key(topic));
    dropped.into_iter().map(|(topic, relevant)| DroppedTopic { topic: topic.to_string(), relevant }).collect()
}

/// How many items that were given out for a task have no judgment.
fn not_judged(pool: &StoredPool, task: Task, log: &[crate::Judgment]) -> usize {
    let said = log.iter().filter(|row| matches!(row.said.stage, Stage::Main | Stage::Adjudication));
    let judged: BTreeSet<(&TopicId, &str)> =
        said.map(|row| (&row.said.topic, row.said.item.as_str())).collect();
    let open = pool.topics.iter().flat_map(|topic| topic.items.iter().map(move |item| (&topic.topic, item)));
    open.filter(|(_, item)| item.place.is_some() && item.is_of(task))
        .filter(|(topic, item)| !judged.contains(&(*topic, item.id.as_str())))
        .count()
}

/// Topics for training: the first of all topics in an order by chance.
fn split<'a>(topics: impl Iterator<Item = &'a TopicId>, share: f64, seed: u64) -> Result<BTreeSet<TopicId>> {
    if !(0.0..=1.0).contains(&share) {
        return Err(Error::asked(format!("the share of topics for training is from 0 to 1, not {share}")));
    }
    let mut topics: Vec<&TopicId> = topics.collect();
    topics.sort_by(|a, b| a.natural_cmp(b));
    Rng::seeded(seed).shuffle(&mut topics);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of few topics"
    )]
    let count = (share * topics.len() as f64).round() as usize;
    Ok(topics.into_iter().take(count).cloned().collect())
}

fn grade_text(verdict: Verdict, codes: Codes) -> Option<i32> {
    if let Verdict::Grade(grade) = verdict {
        return Some(grade);
    }
    let code = Code::of(verdict)?;
    match codes {
        Codes::LeaveOut => None,
        Codes::Zero => Some(0),
        Codes::Keep => Some(code.number()),
    }
}

fn sorted<T>(topics: &BTreeMap<TopicId, T>) -> Vec<(&TopicId, &T)> {
    let mut topics: Vec<(&TopicId, &T)> = topics.iter().collect();
    topics.sort_by(|a, b| a.0.natural_cmp(b.0));
    topics
}

fn text(
    topics: &BTreeMap<TopicId, BTreeMap<String, Verdict>>,
    codes: Codes,
    keep: impl Fn(&TopicId) -> bool,
) -> String {
    let mut out = String::new();
    for (topic, items) in sorted(topics).into_iter().filter(|(topic, _)| keep(topic)) {
        for (item, verdict) in items {
            if let Some(grade) = grade_text(*verdict, codes) {
                let _ = writeln!(out, "{topic}\t0\t{item}\t{grade}");
            }
        }
    }
    out
}

fn instances_text(judged: &Aggregated, codes: Codes) -> String {
    let mut out = String::new();
    for (topic, instances) in sorted(&judged.instances) {
        for ((_, instance), verdict) in instances {
            if let Some(grade) = grade_text(*verdict, codes) {
                let _ = writeln!(out, "{topic}\t0\t{instance}\t{grade}");
            }
        }
    }
    out
}
