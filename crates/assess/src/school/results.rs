//! What came of a lesson: everybody held against what is known, and against each other.

use super::agreement::{Agreement, mean};
use super::known::KnownItem;
use super::lesson::{Lesson, LessonKey};
use crate::books::Books;
use crate::error::Result;
use crate::ids::AccountNo;
use formats::TopicId;
use lab::{PoolKind, Stage, Verdict};
use rusqlite::params;
use std::collections::BTreeMap;

/// What came of a lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct LessonResults {
    /// The lesson.
    pub lesson: Lesson,
    /// Everybody who said something, by name.
    pub pupils: Vec<PupilResult>,
    /// What was judged, in its order.
    pub things: Vec<ThingRow>,
}

impl LessonResults {
    /// What came of one person's work.
    #[must_use]
    pub fn of(&self, name: &str) -> Option<&PupilResult> {
        self.pupils.iter().find(|pupil| pupil.name == name)
    }

    /// The mean kappa of all with the others: by all grades, and by relevant or not.
    #[must_use]
    pub fn mean_kappa(&self) -> (Option<f64>, Option<f64>) {
        let of = |kappa: fn(&PupilResult) -> Option<f64>| mean(self.pupils.iter().map(kappa));
        (of(|pupil| pupil.kappa), of(|pupil| pupil.binary))
    }

    /// The mean kappa of all with what is known: by all grades, and by relevant or not.
    #[must_use]
    pub fn mean_with_known(&self) -> (Option<f64>, Option<f64>) {
        let of = |kappa: fn(&PupilResult) -> Option<f64>| mean(self.pupils.iter().map(kappa));
        (of(|pupil| pupil.with_known.kappa), of(|pupil| pupil.with_known.binary))
    }
}

/// What came of one person's work in a lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct PupilResult {
    /// Their name.
    pub name: String,
    /// Their account, if they have one: judgments may also come from files.
    pub account: Option<AccountNo>,
    /// How many things they judged.
    pub judged: usize,
    /// How many there are.
    pub of: usize,
    /// How often they did not know.
    pub do_not_know: usize,
    /// How often something could not be read.
    pub failures: usize,
    /// How long it took them, where that is known.
    pub seconds: f64,
    /// How alike they judge with what is known.
    pub with_known: Agreement,
    /// With how many others they have things in common.
    pub others: usize,
    /// The mean of Cohen's kappa with each of the others, by all grades.
    pub kappa: Option<f64>,
    /// The same by relevant or not.
    pub binary: Option<f64>,
}

impl PupilResult {
    /// Whether they judged all.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.of > 0 && self.judged == self.of
    }

    /// The share of what they judged of which they did not know the grade.
    #[must_use]
    pub fn do_not_know_share(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.do_not_know as f64 / self.judged as f64)
    }
}

/// Something that was judged, and what everybody said.
#[derive(Clone, Debug, PartialEq)]
pub struct ThingRow {
    /// The topic.
    pub topic: TopicId,
    /// The item.
    pub item: String,
    /// The instance of a formula.
    pub instance: Option<String>,
    /// What is known.
    pub known: Verdict,
    /// What everybody said, in the order of [`LessonResults::pupils`].
    pub said: Vec<Option<Verdict>>,
}

/// What somebody said of a thing in a lesson.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LessonSaid {
    pub(super) verdict: Verdict,
    pub(super) comment: String,
    pub(super) seconds: f64,
}

/// What is judged: topic, item and instance.
pub(super) type Thing = (TopicId, String, Option<String>);
/// What everybody said, by their names.
pub(super) type AllSaid = BTreeMap<String, BTreeMap<Thing, LessonSaid>>;

impl Books<'_> {
    /// What applicants said of sample work, held against what is known: one for each kind of sample.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn sample_scores(&self) -> Result<Vec<LessonResults>> {
        let samples = self.lessons()?.into_iter().filter(|lesson| lesson.key.stage == Stage::Sample);
        samples.map(|lesson| self.results_of(lesson)).collect()
    }

    /// What came of all rounds of training, in their order.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn rounds(&self) -> Result<Vec<LessonResults>> {
        let rounds = self.lessons()?.into_iter().filter(|lesson| lesson.key.stage != Stage::Sample);
        rounds.map(|lesson| self.results_of(lesson)).collect()
    }

    /// What came of a lesson.
    ///
    /// # Errors
    ///
    /// When there is no such lesson, or the database cannot be read.
    pub fn lesson_results(&self, key: LessonKey) -> Result<LessonResults> {
        self.results_of(self.lesson(key)?)
    }

    fn results_of(&self, lesson: Lesson) -> Result<LessonResults> {
        let said = self.said_in(&lesson)?;
        let relevant_from = self.relevant_from(lesson.key.kind);
        let accounts: BTreeMap<&str, AccountNo> =
            lesson.pupils.iter().map(|pupil| (pupil.name.as_str(), pupil.account)).collect();
        let pupils: Vec<PupilResult> = said
            .iter()
            .map(|(name, own)| {
                let of_verdict = |verdict| own.values().filter(|said| said.verdict == verdict).count();
                let pairs: Vec<Agreement> = said
                    .iter()
                    .filter(|(other, _)| *other != name)
                    .map(|(_, theirs)| Agreement::of(&common(own, theirs), relevant_from))
                    .filter(|pair| pair.things > 0)
                    .collect();
                PupilResult {
                    name: name.clone(),
                    account: accounts.get(name.as_str()).copied(),
                    judged: own.len(),
                    of: lesson.parts(),
                    do_not_know: of_verdict(Verdict::DoNotKnow),
                    failures: of_verdict(Verdict::SystemFailure),
                    seconds: own.values().map(|said| said.seconds).sum(),
                    with_known: Agreement::of(&beside_known(&lesson, own), relevant_from),
                    others: pairs.len(),
                    kappa: mean(pairs.iter().map(|pair| pair.kappa)),
                    binary: mean(pairs.iter().map(|pair| pair.binary)),
                }
            })
            .collect();
        let mut things = Vec::new();
        for (topic, item) in lesson.all_items() {
            for part in &item.parts {
                let thing = (topic.clone(), item.item.clone(), part.instance.clone());
                things.push(ThingRow {
                    said: said.values().map(|own| own.get(&thing).map(|said| said.verdict)).collect(),
                    topic: thing.0,
                    item: thing.1,
                    instance: thing.2,
                    known: part.verdict,
                });
            }
        }
        Ok(LessonResults { lesson, pupils, things })
    }

    /// From which grade on something is relevant, for kappas by relevant or not: High and Medium.
    #[must_use]
    pub fn relevant_from(&self, kind: PoolKind) -> i32 {
        self.manifest().highest_grade(kind.task()).min(2)
    }

    /// What counts now of all that was said of the things of a lesson.
    pub(super) fn said_in(&self, lesson: &Lesson) -> Result<AllSaid> {
        let mut things: BTreeMap<Thing, ()> = BTreeMap::new();
        for (topic, item) in lesson.all_items() {
            for part in &item.parts {
                things.insert((topic.clone(), item.item.clone(), part.instance.clone()), ());
            }
        }
        let mut select = self.database().prepare_cached(
            "SELECT topic, item, instance, assessor, verdict, comment, seconds FROM judgment
             WHERE kind = ?1 AND topic_set = ?2 AND stage = ?3 ORDER BY number",
        )?;
        let key = lesson.key;
        let mut rows = select.query(params![key.kind.word(), lesson.set, key.stage.to_string()])?;
        let mut said: AllSaid = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let topic: String = row.get(0)?;
            let thing = (TopicId::from(topic.as_str()), row.get(1)?, row.get(2)?);
            if !things.contains_key(&thing) {
                continue;
            }
            let verdict: String = row.get(4)?;
            let verdict = Verdict::stored(&verdict).ok_or(crate::Error::Broken)?;
            let own = said.entry(row.get(3)?).or_default();
            let earlier = own.remove(&thing).map_or(0.0, |said| said.seconds);
            if verdict != Verdict::Withdrawn {
                let seconds = earlier + row.get::<_, Option<f64>>(6)?.unwrap_or(0.0);
                own.insert(thing, LessonSaid { verdict, comment: row.get(5)?, seconds });
            }
        }
        said.retain(|_, own| !own.is_empty());
        Ok(said)
    }
}

impl Lesson {
    /// All items with their topics.
    pub(super) fn all_items(&self) -> impl Iterator<Item = (&TopicId, &KnownItem)> {
        self.topics.iter().flat_map(|(topic, items)| items.iter().map(move |item| (topic, item)))
    }
}

/// What two people said of the things that both judged.
fn common(one: &BTreeMap<Thing, LessonSaid>, other: &BTreeMap<Thing, LessonSaid>) -> Vec<(Verdict, Verdict)> {
    one.iter().filter_map(|(thing, said)| Some((said.verdict, other.get(thing)?.verdict))).collect()
}

/// What somebody said beside what is known. Where one grade is known for all instances of a
/// formula, their best grade counts, as when judgments are made of what people say.
fn beside_known(lesson: &Lesson, own: &BTreeMap<Thing, LessonSaid>) -> Vec<(Verdict, Verdict)> {
    let mut pairs = Vec::new();
    for (topic, item) in lesson.all_items() {
        let said: Vec<Option<Verdict>> = item
            .parts
            .iter()
            .map(|part| {
                let thing = (topic.clone(), item.item.clone(), part.instance.clone());
                own.get(&thing).map(|said| said.verdict)
            })
            .collect();
        if item.parts.len() > 1 && item.is_one() {
            // Until all are judged, the best one is not known.
            let Some(said) = said.into_iter().collect::<Option<Vec<Verdict>>>() else { continue };
            let best = said.iter().filter(|verdict| verdict.grade().is_some()).max();
            pairs.extend(best.or(said.first()).map(|best| (*best, item.parts[0].verdict)));
        } else {
            let both = said.into_iter().zip(&item.parts);
            pairs.extend(both.filter_map(|(said, part)| Some((said?, part.verdict))));
        }
    }
    pairs
}
