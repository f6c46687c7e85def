//! Topics and items whose grades are known before anybody is asked.

use crate::batches::NewPart;
use crate::books::Books;
use crate::error::{Error, Result};
use crate::plan::planned;
use formats::TopicId;
use formats::qrels::Judgment as Judged;
use lab::{Known, PoolKind, Rules, Stage, Verdict};
use pool::ItemKind;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::Collection;

/// So many instances of a formula are shown at most.
pub const MOST_INSTANCES: usize = 5;

/// Where the grades are known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Judgments that the set came with.
    Given,
    /// What organisers judged themselves.
    Organisers,
}

impl Source {
    /// The word in forms.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Organisers => "organisers",
        }
    }

    /// Reads the word.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        [Self::Given, Self::Organisers].into_iter().find(|source| source.word() == word)
    }
}

/// A topic with the number of items of each grade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownTopic {
    /// The topic.
    pub topic: TopicId,
    /// How many items have a grade.
    pub items: BTreeMap<i32, usize>,
}

/// An item whose grade is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownItem {
    /// A post, a written answer, a visual id or an instance.
    pub item: String,
    /// Which of these.
    pub kind: ItemKind,
    /// What is judged of it, in the order in which it is shown.
    pub parts: Vec<KnownPart>,
}

/// What is judged of an item, with its grade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownPart {
    /// The instance of a formula.
    pub instance: Option<String>,
    /// The post in which it stands.
    pub post: Option<String>,
    /// What is known.
    pub verdict: Verdict,
}

impl KnownItem {
    /// The grade of the item: the best of its parts.
    #[must_use]
    pub fn grade(&self) -> i32 {
        self.parts.iter().filter_map(|part| part.verdict.grade()).max().unwrap_or(0)
    }

    /// Whether one grade is known for all that is shown, as judgments of formulas have one for a
    /// visual id. Then the best grade that somebody gave counts, as when judgments are made.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.parts.windows(2).all(|two| two[0].verdict == two[1].verdict)
    }
}

impl Books<'_> {
    /// The topics of a set whose items have known grades, as people list them.
    ///
    /// # Errors
    ///
    /// When the lab cannot be read.
    pub fn known_topics(&self, kind: PoolKind, set: &str, source: Source) -> Result<Vec<KnownTopic>> {
        let mut topics: BTreeMap<TopicId, BTreeMap<i32, usize>> = BTreeMap::new();
        match source {
            Source::Given => {
                let Some(qrels) = self.lab().given_qrels(set, kind.task())? else { return Ok(Vec::new()) };
                for topic in qrels.topics() {
                    for grade in topic.rows().filter_map(|row| row.judgment().grade()) {
                        *topics.entry(topic.id().clone()).or_default().entry(grade).or_default() += 1;
                    }
                }
            }
            Source::Organisers => {
                for (topic, items) in self.judged_by_organisers(kind, set)? {
                    for item in items {
                        *topics.entry(topic.clone()).or_default().entry(item.grade()).or_default() += 1;
                    }
                }
            }
        }
        let mut topics: Vec<KnownTopic> =
            topics.into_iter().map(|(topic, items)| KnownTopic { topic, items }).collect();
        topics.sort_by(|one, other| one.topic.natural_cmp(&other.topic));
        Ok(topics)
    }

    /// Items of a topic by the judgments that its set came with: visual ids without their
    /// instances, which are looked up for those that are taken.
    pub(super) fn given_items(&self, kind: PoolKind, set: &str, topic: &TopicId) -> Result<Vec<KnownItem>> {
        let Some(qrels) = self.lab().given_qrels(set, kind.task())? else { return Ok(Vec::new()) };
        let item_kind = match (kind, self.manifest().rules) {
            (PoolKind::Answers, _) => ItemKind::Post,
            (PoolKind::Formulas, Rules::Arqmath) => ItemKind::Formula,
            (PoolKind::Formulas, Rules::Ntcir10 | Rules::Ntcir12) => ItemKind::Instance,
        };
        let rows = qrels.topic(topic).into_iter().flat_map(|topic| topic.rows());
        Ok(rows
            .filter_map(|row| {
                let Judged::Grade(grade) = row.judgment() else { return None };
                let item = row.doc().as_str().to_owned();
                let post = (item_kind == ItemKind::Post).then(|| item.clone());
                let part = KnownPart { instance: None, post, verdict: Verdict::Grade(grade) };
                Some(KnownItem { item, kind: item_kind, parts: vec![part] })
            })
            .collect())
    }

    /// Items of the newest pool of which organisers judged all that is shown. A decision where
    /// others disagreed counts more than a judgment like others, and the last more than the first.
    pub(super) fn judged_by_organisers(
        &self,
        kind: PoolKind,
        set: &str,
    ) -> Result<BTreeMap<TopicId, Vec<KnownItem>>> {
        let organisers = self.organisers()?;
        let Some(pool) = self.lab().pool(kind, set)? else { return Ok(BTreeMap::new()) };
        let mut said: HashMap<(TopicId, String, Option<String>), (bool, Verdict)> = HashMap::new();
        for row in self.lab().judgments(kind, set)? {
            let decides = row.said.stage == Stage::Adjudication;
            if !(decides || row.said.stage == Stage::Main)
                || !organisers.contains(&row.said.assessor.to_lowercase())
            {
                continue;
            }
            let thing = (row.said.topic, row.said.item, row.said.instance);
            let before = said.get(&thing).is_some_and(|(decided, _)| *decided);
            if decides || !before {
                said.insert(thing, (decides, row.said.verdict));
            }
        }
        let mut known: BTreeMap<TopicId, Vec<KnownItem>> = BTreeMap::new();
        for topic in &pool.topics {
            for item in &topic.items {
                let part = |NewPart { instance, post, .. }| {
                    let thing = (topic.topic.clone(), item.id.clone(), instance.clone());
                    let (_, verdict) = said.get(&thing)?;
                    verdict.grade()?;
                    Some(KnownPart { instance, post, verdict: *verdict })
                };
                let parts = planned(item).parts.into_iter().map(part);
                if let Some(parts) = parts.collect::<Option<Vec<_>>>() {
                    let item = KnownItem { item: item.id.clone(), kind: item.kind, parts };
                    known.entry(topic.topic.clone()).or_default().push(item);
                }
            }
        }
        Ok(known)
    }

    /// The names of all organisers, in lower case.
    fn organisers(&self) -> Result<BTreeSet<String>> {
        let mut select = self.database().prepare("SELECT name FROM account WHERE role = 'organiser'")?;
        let names = select.query_map([], |row| row.get::<_, String>(0))?;
        Ok(names.map(|name| name.map(|name| name.to_lowercase())).collect::<rusqlite::Result<_>>()?)
    }
}

/// What can be shown of given items.
pub(super) struct Shower {
    known: Known,
}

impl Shower {
    /// Opens what is known of the collection.
    pub(super) fn open(books: &Books<'_>) -> Result<Self> {
        Ok(Self { known: books.lab().known()? })
    }

    /// The item with what is shown of it; nothing if the collection does not have it.
    pub(super) fn show(&self, item: &KnownItem) -> Result<Option<KnownItem>> {
        let Some(collection) = self.known.collection() else {
            return match item.kind {
                ItemKind::Formula => Err(Error::refused(
                    "the lab has no collection, so nobody knows where the formulas of the judgments stand",
                )),
                ItemKind::Post | ItemKind::Answer | ItemKind::Instance => Ok(Some(item.clone())),
            };
        };
        Ok(match item.kind {
            ItemKind::Post => collection.find_post(&item.item).map(|_| item.clone()),
            ItemKind::Answer => Some(item.clone()),
            ItemKind::Instance => {
                let place = places(collection, collection.find_formulas(&item.item)).into_iter().next();
                place.map(|(_, post)| {
                    let part = KnownPart { post: Some(post), ..item.parts[0].clone() };
                    KnownItem { parts: vec![part], ..item.clone() }
                })
            }
            ItemKind::Formula => {
                let visual = item.item.parse().ok().and_then(|id| collection.find_visual(id));
                let formulas = visual.into_iter().flat_map(|visual| {
                    let forms = collection.forms_of_visual(visual);
                    forms.flat_map(|form| collection.formulas_of_form(form))
                });
                let places = places(collection, formulas);
                (!places.is_empty()).then(|| with_parts(item, places))
            }
        })
    }
}

/// The first places by their ids at which formulas stand in posts, and the posts.
fn places(
    collection: &Collection,
    formulas: impl Iterator<Item = store::FormulaNo>,
) -> Vec<(String, String)> {
    // There may be hundreds of thousands of a small formula, of which few are kept.
    let mut first: BTreeSet<(store::Id<'_>, String)> = BTreeSet::new();
    for formula in formulas {
        if collection.formula_comment(formula).is_some() {
            continue;
        }
        let Some(post) = collection.formula_post(formula) else { continue };
        let id = collection.formula_id(formula);
        if first.len() == MOST_INSTANCES && first.last().is_some_and(|(last, _)| *last <= id) {
            continue;
        }
        first.insert((id, collection.post_id(post).to_string()));
        if first.len() > MOST_INSTANCES {
            first.pop_last();
        }
    }
    first.into_iter().map(|(id, post)| (id.to_string(), post)).collect()
}

fn with_parts(item: &KnownItem, places: Vec<(String, String)>) -> KnownItem {
    let verdict = Verdict::Grade(item.grade());
    let part = |(instance, post)| KnownPart { instance: Some(instance), post: Some(post), verdict };
    KnownItem { parts: places.into_iter().map(part).collect(), ..item.clone() }
}
