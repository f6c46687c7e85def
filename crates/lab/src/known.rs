//! What a lab knows of its collection: what posts are, where formulas stand, what they look like.

use crate::error::{Error, Result};
use crate::folder::Lab;
use crate::manifest::CollectionFile;
use eval::VisualIdLookup;
use formats::check::{CollectionLookup, FormulaPlace, PostKind};
use formats::run::{Run, TopicRows};
use formats::{DocId, FormulaId, FormulaSite, Keep, VisualIds, Wanted, read_visual_ids};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use store::{Collection, Official};

/// The collection of a lab, or what stands for it.
#[derive(Debug)]
pub enum Known {
    /// The collection itself.
    Collection(Box<Collection>),
    /// A table of formulas, which is read for those that runs name.
    Table(PathBuf),
    /// Nothing: ids are taken as they are.
    Nothing,
}

/// A formula that a run returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaFact {
    /// What it looks like.
    pub visual: String,
    /// The post it stands in.
    pub post: Option<String>,
    /// The question of that post's thread.
    pub thread: Option<String>,
}

/// Formulas by their ids.
#[derive(Clone, Debug, Default)]
pub struct FormulaFacts(BTreeMap<String, FormulaFact>);

impl FormulaFacts {
    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is known of a formula.
    #[must_use]
    pub fn get(&self, formula: &str) -> Option<&FormulaFact> {
        self.0.get(formula)
    }
}

impl VisualIdLookup for FormulaFacts {
    fn visual_id(&self, formula: DocId<'_>) -> Option<DocId<'_>> {
        self.0.get(formula.as_str()).map(|fact| DocId(&fact.visual))
    }
}

/// Opens a collection that `lab.toml` names, if it is the one it was when the lab was made.
pub(crate) fn open_known(lab: &Lab, file: &CollectionFile) -> Result<Collection> {
    let path = lab.root().join(&file.path);
    if !path.is_file() {
        return Err(Error::folder(&path, "the collection of the lab is not there; see lab.toml"));
    }
    let collection = Collection::open_whole(&path)?;
    let found = format!("{:016x}", collection.fingerprint());
    if found != file.fingerprint {
        let reason = format!(
            "the collection is not the one of the lab: its fingerprint is {found}, and lab.toml has {}",
            file.fingerprint
        );
        return Err(Error::folder(&path, reason));
    }
    Ok(collection)
}

impl Known {
    pub(crate) fn open(lab: &Lab) -> Result<Self> {
        let manifest = lab.manifest();
        if let Some(file) = &manifest.collection {
            return Ok(Self::Collection(Box::new(open_known(lab, file)?)));
        }
        Ok(manifest.formulas.as_ref().map_or(Self::Nothing, |table| Self::Table(lab.root().join(table))))
    }

    /// The collection, if that is what is known.
    #[must_use]
    pub fn collection(&self) -> Option<&Collection> {
        match self {
            Self::Collection(collection) => Some(collection),
            Self::Table(_) | Self::Nothing => None,
        }
    }

    /// What is known of all formulas that runs returned.
    ///
    /// # Errors
    ///
    /// When the table of formulas cannot be read.
    pub fn formulas<'a>(&self, runs: impl Iterator<Item = &'a Run>) -> Result<FormulaFacts> {
        let mut wanted: HashSet<FormulaId> = HashSet::new();
        for row in runs.flat_map(Run::topics).flat_map(TopicRows::rows) {
            if !wanted.contains(row.doc().as_str()) {
                wanted.insert(FormulaId::from(row.doc().as_str()));
            }
        }
        let mut facts = FormulaFacts::default();
        match self {
            Self::Nothing => {}
            Self::Collection(collection) => {
                for id in wanted {
                    if let Some(fact) = in_collection(collection, id.as_str()) {
                        facts.0.insert(id.as_str().to_owned(), fact);
                    }
                }
            }
            Self::Table(path) => {
                let ids: VisualIds = read_visual_ids(path, Wanted::Only(&wanted), Keep::Places)?;
                for (formula, visual) in ids.iter() {
                    let post = ids.place(formula.as_str()).map(|place| place.post.as_str().to_owned());
                    let fact = FormulaFact { visual: visual.as_str().to_owned(), post, thread: None };
                    facts.0.insert(formula.as_str().to_owned(), fact);
                }
            }
        }
        Ok(facts)
    }

    /// The table of formulas as `check` asks for it, or the collection.
    ///
    /// # Errors
    ///
    /// When the table of formulas cannot be read.
    pub fn lookup(&self, run: Option<&Run>) -> Result<Option<Box<dyn CollectionLookup + '_>>> {
        Ok(match (self, run) {
            (Self::Collection(collection), _) => Some(Box::new(InCollection(collection))),
            (Self::Table(path), Some(run)) => {
                let rows = run.topics().flat_map(TopicRows::rows);
                let wanted: HashSet<FormulaId> =
                    rows.map(|row| FormulaId::from(row.doc().as_str())).collect();
                let table = read_visual_ids(path, Wanted::Only(&wanted), Keep::Places)?;
                // A table without places says nothing about where formulas stand, but that none of
                // them is in it says enough.
                let has_places =
                    table.is_empty() || wanted.iter().any(|formula| table.place(formula.as_str()).is_some());
                has_places.then(|| Box::new(InTable(table)) as Box<dyn CollectionLookup>)
            }
            (Self::Table(_) | Self::Nothing, _) => None,
        })
    }
}

fn in_collection(collection: &Collection, id: &str) -> Option<FormulaFact> {
    // Where an id stands in several places, that in a post counts.
    let formula =
        collection.find_formulas(id).min_by_key(|formula| collection.formula_comment(*formula).is_some())?;
    let visual = collection.visual_id(collection.form_visual(collection.formula_form(formula)));
    let post = collection.formula_post(formula);
    Some(FormulaFact {
        visual: visual.to_string(),
        post: post.map(|post| collection.post_id(post).to_string()),
        thread: post.map(|post| collection.post_id(collection.thread_of(post)).to_string()),
    })
}

/// A collection as `check` asks for it: what posts are, and where the labs have formulas.
#[derive(Clone, Copy, Debug)]
pub struct InCollection<'a>(pub &'a Collection);

impl CollectionLookup for InCollection<'_> {
    fn is_answer(&self, post: DocId<'_>) -> PostKind {
        match self.0.find_post(post.as_str()) {
            None if self.0.find_comment(post.as_str()).is_some() => PostKind::Comment,
            None => PostKind::Missing,
            Some(post) => match self.0.post_facts(post).kind {
                store::PostKind::Answer => PostKind::Answer,
                store::PostKind::Question => PostKind::Question,
                store::PostKind::Document => PostKind::Unknown,
            },
        }
    }

    fn formula_place(&self, formula: DocId<'_>) -> Option<FormulaPlace<'_>> {
        let (post, kind) = match self.0.official_place_of(formula.as_str()).ok()? {
            Official::Nowhere => return None,
            Official::Comment(post) => (post, PostKind::Comment),
            Official::Post(post) => {
                let kind = match self.0.post_facts(post).kind {
                    store::PostKind::Answer => PostKind::Answer,
                    store::PostKind::Question => PostKind::Question,
                    store::PostKind::Document => PostKind::Unknown,
                };
                (post, kind)
            }
        };
        Some(FormulaPlace { post: Cow::Owned(self.0.post_id(post).to_string()), kind })
    }
}

struct InTable(VisualIds);

impl CollectionLookup for InTable {
    fn is_answer(&self, _: DocId<'_>) -> PostKind {
        PostKind::Unknown
    }

    fn formula_place(&self, formula: DocId<'_>) -> Option<FormulaPlace<'_>> {
        let place = self.0.place(formula.as_str())?;
        let kind = match place.site {
            FormulaSite::Title | FormulaSite::Question => PostKind::Question,
            FormulaSite::Answer => PostKind::Answer,
            FormulaSite::Comment => PostKind::Comment,
        };
        Some(FormulaPlace { post: Cow::Borrowed(place.post.as_str()), kind })
    }
}
