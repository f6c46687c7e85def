//! Lessons are made from topics with known grades, and handed out in copies.

use super::choose;
use super::known::{KnownItem, KnownPart, Shower, Source};
use super::lesson::LessonKey;
use crate::batches::{Asks, NewBatch, NewPart};
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::{AccountNo, BatchNo};
use formats::TopicId;
use lab::Stage;
use rusqlite::params;

/// So many topics and items at most; a lesson is small.
const MOST: usize = 100;

/// What a lesson shall be.
#[derive(Clone, Debug, PartialEq)]
pub struct LessonPlan {
    /// Which lesson.
    pub key: LessonKey,
    /// The set of topics; the current one if none is named.
    pub set: Option<String>,
    /// Where the grades are known from.
    pub source: Source,
    /// The topics; chance takes some if none is named.
    pub topics: Vec<TopicId>,
    /// How many topics chance takes.
    pub how_many: usize,
    /// How many items of a topic are judged.
    pub per_topic: usize,
    /// What chance begins with.
    pub seed: u64,
    /// Who takes part.
    pub pupils: Pupils,
}

impl LessonPlan {
    /// As in 2022: three topics as a sample, four as a round of training, six items each.
    #[must_use]
    pub fn new(key: LessonKey, seed: u64) -> Self {
        let how_many = if key.stage == Stage::Sample { 3 } else { 4 };
        Self {
            key,
            set: None,
            source: Source::Given,
            topics: Vec::new(),
            how_many,
            per_topic: 6,
            seed,
            pupils: Pupils::All,
        }
    }
}

/// Who takes part in a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pupils {
    /// All applicants for a sample, all active assessors for training.
    All,
    /// These.
    These(Vec<AccountNo>),
}

/// What was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// The topics.
    pub topics: usize,
    /// The items.
    pub items: usize,
    /// Those who take part.
    pub pupils: usize,
    /// Items with a grade that are not in the collection, for which others were taken.
    pub missing: usize,
}

impl Books<'_> {
    /// Makes a lesson and hands it out.
    ///
    /// # Errors
    ///
    /// When the lesson is there already, no grades are known, or something is named that there is
    /// not; and when the database cannot be written.
    pub fn make_lesson(&self, plan: &LessonPlan, by: &str) -> Result<Made> {
        let key = plan.key;
        if !self.patterns(key)?.is_empty() {
            return Err(Error::refused(format!("{} of {} is there already", key.name(), key.kind)));
        }
        if !(1..=MOST).contains(&plan.how_many) || !(1..=MOST).contains(&plan.per_topic) {
            return Err(Error::refused(format!(
                "a lesson has from 1 to {MOST} topics with 1 to {MOST} items each"
            )));
        }
        let set = self.manifest().set(plan.set.as_deref())?.name.clone();
        let topics = self.topics_for(plan, &set)?;
        let organisers = match plan.source {
            Source::Given => None,
            Source::Organisers => Some(self.judged_by_organisers(key.kind, &set)?),
        };
        let shower = Shower::open(self)?;
        let mut made = Made { topics: topics.len(), ..Made::default() };
        for topic in &topics {
            let all = match &organisers {
                Some(known) => known.get(topic).cloned().unwrap_or_default(),
                None => self.given_items(key.kind, &set, topic)?,
            };
            let mut chance = choose::rng(plan.seed, "lesson items", &format!("{key}\0{topic}"));
            let mut left = all;
            let items = loop {
                let taken = choose::spread(&left, KnownItem::grade, plan.per_topic, &mut chance);
                if organisers.is_some() {
                    break taken;
                }
                let shown: Vec<Option<KnownItem>> =
                    taken.iter().map(|item| shower.show(item)).collect::<Result<_>>()?;
                if shown.iter().all(Option::is_some) {
                    break shown.into_iter().flatten().collect();
                }
                // What the collection does not have is taken out, and chance begins anew.
                for (item, shown) in taken.iter().zip(&shown) {
                    if shown.is_none() {
                        left.retain(|other| other.item != item.item);
                        made.missing += 1;
                    }
                }
            };
            if items.is_empty() {
                return Err(Error::refused(format!("topic {topic} has no item that can be shown")));
            }
            made.items += items.len();
            let batch = self.add_pattern(key, &set, topic)?;
            self.add_items(batch, &items)?;
        }
        made.pupils = self.give_lesson(key, &plan.pupils, by)?;
        let count = made.items;
        self.note(by, &format!("made {key} of {count} items from {} topics of {set}", made.topics))?;
        Ok(made)
    }

    fn topics_for(&self, plan: &LessonPlan, set: &str) -> Result<Vec<TopicId>> {
        let known: Vec<TopicId> = self
            .known_topics(plan.key.kind, set, plan.source)?
            .into_iter()
            .map(|topic| topic.topic)
            .collect();
        if known.is_empty() {
            return Err(Error::refused(match plan.source {
                Source::Given => format!("the set {set} came without judgments of {}", plan.key.kind),
                Source::Organisers => {
                    format!("no organiser has judged {} of the set {set} yet", plan.key.kind)
                }
            }));
        }
        if plan.topics.is_empty() {
            // Topics of other lessons come last, so that nobody sees one twice.
            let mut used = Vec::new();
            for lesson in self.lessons()?.iter().filter(|lesson| lesson.key.kind == plan.key.kind) {
                if lesson.set == set {
                    used.extend(lesson.topics.iter().map(|(topic, _)| topic.clone()));
                }
            }
            let (used, fresh): (Vec<TopicId>, Vec<TopicId>) =
                known.into_iter().partition(|topic| used.contains(topic));
            let mut chance = choose::rng(plan.seed, "lesson topics", &plan.key.to_string());
            let mut chosen = choose::topics(&fresh, plan.how_many, &mut chance);
            let missing = plan.how_many - chosen.len();
            chosen.extend(choose::topics(&used, missing, &mut chance));
            chosen.sort_by(TopicId::natural_cmp);
            return Ok(chosen);
        }
        let mut topics = plan.topics.clone();
        topics.sort_by(TopicId::natural_cmp);
        topics.dedup();
        if topics.len() > MOST {
            return Err(Error::refused(format!("a lesson has {MOST} topics at most")));
        }
        if let Some(stranger) = topics.iter().find(|topic| !known.contains(topic)) {
            return Err(Error::refused(format!("no grades are known for topic {stranger} in the set {set}")));
        }
        Ok(topics)
    }

    /// Gives a lesson to those who do not have it yet, and tells how many there were.
    ///
    /// # Errors
    ///
    /// When there is no such lesson or account, or the database cannot be written.
    pub fn give_lesson(&self, key: LessonKey, pupils: &Pupils, by: &str) -> Result<usize> {
        let patterns = self.patterns(key)?;
        if patterns.is_empty() {
            return Err(Error::refused(format!("there is no lesson {key}")));
        }
        let standing = if key.stage == Stage::Sample { "applicant" } else { "active" };
        let mut handed = 0;
        let mut select = self.database().prepare(
            "SELECT a.number, a.standing = ?3 AND a.role = 'assessor', a.standing <> 'left' FROM account a
             WHERE NOT EXISTS (SELECT 1 FROM batch b WHERE b.stage = ?1 AND b.kind = ?2 AND b.kept_for = a.number)
             ORDER BY a.number",
        )?;
        let rows = select.query_map(params![key.stage.to_string(), key.kind.word(), standing], |row| {
            Ok((row.get::<_, AccountNo>(0)?, row.get::<_, bool>(1)?, row.get::<_, bool>(2)?))
        })?;
        let without: Vec<(AccountNo, bool, bool)> = rows.collect::<rusqlite::Result<_>>()?;
        for (account, is_meant, is_here) in without {
            let wanted = match pupils {
                Pupils::All => is_meant,
                Pupils::These(these) => is_here && these.contains(&account),
            };
            if wanted {
                for (pattern, ..) in &patterns {
                    self.copy_for(*pattern, account)?;
                }
                handed += 1;
            }
        }
        if handed > 0 {
            self.note(by, &format!("gave {key} to {handed} people"))?;
        }
        Ok(handed)
    }

    /// Whether an applicant has sample work to come that was not copied for them yet.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn lacks_sample(&self, account: AccountNo) -> Result<bool> {
        let select = "SELECT EXISTS (SELECT 1 FROM account a, batch p
             WHERE a.number = ?1 AND a.standing = 'applicant' AND p.stage = 'sample' AND p.withdrawn = 1
             AND p.kept_for IS NULL AND NOT EXISTS (SELECT 1 FROM batch b
                WHERE b.stage = p.stage AND b.kind = p.kind AND b.kept_for = a.number))";
        Ok(self.database().query_row(select, [account], |row| row.get(0))?)
    }

    /// Gives an applicant who comes for the first time all sample work there is.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn give_sample(&self, account: AccountNo) -> Result<usize> {
        if !self.lacks_sample(account)? {
            return Ok(0);
        }
        let samples = self.lessons()?.into_iter().filter(|lesson| lesson.key.stage == Stage::Sample);
        let mut given = 0;
        for lesson in samples {
            given += self.give_lesson(lesson.key, &Pupils::These(vec![account]), "school")?;
        }
        Ok(given)
    }

    /// A batch from which copies are made.
    fn add_pattern(&self, key: LessonKey, set: &str, topic: &TopicId) -> Result<BatchNo> {
        let new = NewBatch {
            asks: Asks::Grades,
            kind: key.kind,
            set,
            topic,
            stage: key.stage,
            copy: 1,
            kept_for: None,
        };
        let batch = self.add_batch(&new)?;
        self.database().execute("UPDATE batch SET withdrawn = 1 WHERE number = ?1", [batch])?;
        Ok(batch)
    }

    fn add_items(&self, batch: BatchNo, items: &[KnownItem]) -> Result<()> {
        for (place, item) in (1..).zip(items) {
            let part = |part: &KnownPart| NewPart {
                instance: part.instance.clone(),
                post: part.post.clone(),
                gold: Some(part.verdict.to_string()),
            };
            let parts: Vec<NewPart> = item.parts.iter().map(part).collect();
            self.add_task(batch, place, &item.item, item.kind, &parts)?;
        }
        Ok(())
    }

    /// A copy of a pattern for somebody.
    fn copy_for(&self, pattern: BatchNo, account: AccountNo) -> Result<()> {
        let of = self.batch(pattern)?;
        let copies =
            "SELECT max(copy) FROM batch WHERE kind = ?1 AND topic_set = ?2 AND topic = ?3 AND stage = ?4";
        let values = params![of.kind.word(), of.set, of.topic.as_str(), of.stage.to_string()];
        let copies: u32 = self.database().query_row(copies, values, |row| row.get(0))?;
        let batch = self.add_batch(&NewBatch {
            asks: of.asks,
            kind: of.kind,
            set: &of.set,
            topic: &of.topic,
            stage: of.stage,
            copy: copies + 1,
            kept_for: Some(account),
        })?;
        self.add_items(batch, &self.known_of(pattern)?)
    }
}
