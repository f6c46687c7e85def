//! How posts are ranked, as a system's file says it.

use super::beyond::{ByFormulas, Chosen, Dense, FormulaGain, KeptWords, Links, Locations, Proximity};
use super::{Budget, FormulaStage, is_weight, named, one};
use crate::model::Model;
use crate::pipeline::stage::PostScorer;
use crate::scorers;
use index::{FeatureKind, Field, Part as FieldPart};
use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;
use std::sync::Arc;
use text::{Stemmer, StopWords};

/// Which posts are returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Returns {
    /// Answers, or documents where an index has no answers.
    #[default]
    Answers,
    /// Questions.
    Questions,
    /// Any.
    Posts,
}

/// How often what stands in a part of the topic counts.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// In the title.
    pub title: f64,
    /// In the question.
    pub body: f64,
    /// Among the tags.
    pub tags: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { title: 1.0, body: 1.0, tags: 1.0 }
    }
}

/// How posts are ranked: groups of parts are added up.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostStage {
    /// Which posts are returned.
    #[serde(default)]
    pub returns: Returns,
    /// Which of them a run over topics returns; all if it is missing, or if there is none of the kind.
    pub returns_for_topics: Option<Returns>,
    /// How often what stands in a part of the topic counts, where a part does not say otherwise.
    #[serde(default)]
    pub query: Weights,
    /// How many terms of a part are searched for; all, if it is missing.
    pub budget: Option<Budget>,
    /// The groups.
    #[serde(default, rename = "group")]
    pub groups: Vec<Group>,
    /// Posts that have formulas which the system finds.
    pub by_formulas: Option<ByFormulas>,
    /// Posts whose vectors are near the vector of the query.
    #[serde(default, deserialize_with = "one_or_several")]
    pub dense: Vec<Dense>,
    /// Posts in which terms of the query stand near each other.
    pub proximity: Option<Proximity>,
    /// What scores the first posts after that, one after the other.
    #[serde(default)]
    pub rerank: Vec<PostRerank>,
    /// Answers to questions that the topic is linked to. Then nothing else may rank.
    pub links: Option<Links>,
}

impl PostStage {
    /// What of it cannot be.
    pub(super) fn mistake(&self, formulas: Option<&FormulaStage>) -> Option<&'static str> {
        let parts = || self.groups.iter().flat_map(|group| &group.parts);
        let by_vectors = |part: &Part| matches!(part.model, Model::TfIdfCosine(_));
        if self.links.is_some() {
            let alone = self.groups.is_empty()
                && self.by_formulas.is_none()
                && self.dense.is_empty()
                && self.proximity.is_none()
                && self.rerank.is_empty();
            return (!alone).then_some("[posts.links] ranks alone: there can be no groups beside it");
        }
        if self.rerank.len() > MOST_SCORERS {
            return Some("there can be 31 [[posts.rerank]] at most");
        }
        if self.groups.is_empty() && self.by_formulas.is_none() && self.dense.is_empty() {
            return Some(
                "[posts] needs a [[posts.group]], [posts.by_formulas], [posts.dense] or [posts.links]",
            );
        }
        if self.by_formulas.is_some() && formulas.is_none() {
            return Some("[posts.by_formulas] needs [formulas], by which they are found");
        }
        let compares = formulas.and_then(|stage| stage.rerank.as_ref());
        let has_similarity = compares.is_some_and(|rerank| rerank.scorer.has_similarity());
        if self.by_formulas.is_some_and(|by| by.gain == FormulaGain::Similarity) && !has_similarity {
            return Some(
                "gain = \"similarity\" needs a [formulas.rerank] that says how alike formulas are, such as \
                 the matcher",
            );
        }
        let weights = |dense: &Dense| [dense.own, dense.question, dense.weight].into_iter().all(is_weight);
        if !self.dense.iter().all(weights) {
            return Some("[posts.dense] needs weights from 0 to 1e6");
        }
        if self.proximity.is_some_and(|near| near.offset <= 0.0 || near.weight < 0.0) {
            return Some("[posts.proximity] needs an offset above 0 and a weight that is not below 0");
        }
        let unlike = parts().any(|part| by_vectors(part) && part.statistics == Statistics::Posts);
        unlike.then_some("tf-idf-cosine needs statistics = \"documents\"")
    }
}

/// Reads a table, or several.
fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Dense>, D::Error> {
    let tables = match toml::Value::deserialize(deserializer)? {
        toml::Value::Array(tables) => tables,
        table => vec![table],
    };
    let read = |table: toml::Value| {
        table.try_into().map_err(|error: toml::de::Error| {
            de::Error::custom(format!("[posts.dense]: {}", error.message()))
        })
    };
    tables.into_iter().map(read).collect()
}

/// How many scorers there can be, beside that of `[posts.proximity]`.
const MOST_SCORERS: usize = 31;

/// Heavier scorers would give scores that no run can hold.
const HEAVIEST: f64 = 1e9;

/// A scorer that ranks the first posts anew. The others follow in their order, below them.
#[derive(Clone, Debug)]
pub struct PostRerank {
    /// So many of the first are scored.
    pub depth: usize,
    /// What scores are multiplied with.
    pub weight: f64,
    /// What becomes of the score that a post had.
    pub mix: Mix,
    by: &'static str,
    pub(crate) scorer: Arc<dyn PostScorer>,
    settings: toml::Table,
}

/// What becomes of the score that a post had before it was scored anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mix {
    /// The new score is added to it.
    #[default]
    Add,
    /// The new score takes its place.
    Replace,
}

impl PostRerank {
    pub(crate) fn new(by: &'static str, depth: usize, weight: f64, scorer: Arc<dyn PostScorer>) -> Self {
        Self { depth, weight, mix: Mix::Add, by, scorer, settings: toml::Table::new() }
    }

    /// The name of the scorer.
    #[must_use]
    pub fn by(&self) -> &'static str {
        self.by
    }
}

impl PartialEq for PostRerank {
    fn eq(&self, other: &Self) -> bool {
        (self.by, self.depth, self.weight, self.mix, &self.settings)
            == (other.by, other.depth, other.weight, other.mix, &other.settings)
    }
}

impl<'de> Deserialize<'de> for PostRerank {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut settings = toml::Table::deserialize(deserializer)?;
        let depth = taken(&mut settings, "depth")?.unwrap_or(100);
        let weight: f64 = taken(&mut settings, "weight")?.unwrap_or(1.0);
        if weight.is_nan() || weight.abs() > HEAVIEST {
            return Err(de::Error::custom("`weight` is a number from -1e9 to 1e9"));
        }
        let mix = taken(&mut settings, "mix")?.unwrap_or_default();
        let (by, scorer) = scorers::read(scorers::POSTS, settings.clone()).map_err(de::Error::custom)?;
        Ok(Self { depth, weight, mix, by, scorer, settings })
    }
}

/// Takes a setting out of a table.
fn taken<'de, T: Deserialize<'de>, E: de::Error>(table: &mut toml::Table, key: &str) -> Result<Option<T>, E> {
    let value = table.remove(key).map(T::deserialize).transpose();
    value.map_err(|cause| E::custom(format!("`{key}`: {}", cause.message())))
}

/// What a group's score is divided by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Normalise {
    /// Nothing.
    #[default]
    None,
    /// The highest that a document has.
    Max,
}

/// Parts whose scores are added up, divided by something, and weighed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// What it is called in explanations.
    pub name: String,
    /// How much it counts.
    #[serde(default = "one")]
    pub weight: f64,
    /// What its score is divided by.
    #[serde(default)]
    pub normalise: Normalise,
    /// The parts.
    #[serde(rename = "part")]
    pub parts: Vec<Part>,
}

/// Which terms are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Terms {
    /// Words outside formulas.
    Words,
    /// Letters, numbers and names in the LaTeX of formulas.
    Source,
    /// The names of the signs in texts and formulas.
    Symbols,
    /// Features of formulas.
    Math(FeatureKind),
}

impl Terms {
    fn named(name: &str) -> Result<Self, String> {
        match (name, name.parse()) {
            ("words", _) => Ok(Self::Words),
            ("source", _) => Ok(Self::Source),
            ("symbols", _) => Ok(Self::Symbols),
            (_, Ok(kind)) => Ok(Self::Math(kind)),
            _ => Err(format!(
                "there are no terms called `{name}`; there are words, source, {}",
                FeatureKind::OF_POSTS.map(FeatureKind::name).join(", ")
            )),
        }
    }
}

impl<'de> Deserialize<'de> for Terms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::named(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// Over what a term's frequency is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistics {
    /// Posts of any kind that have the term in one of the fields named.
    #[default]
    Posts,
    /// What is returned, with the context that belongs to it.
    Documents,
}

/// A weighted disjunction over posts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Which terms are looked for. A word of a text and one in the LaTeX of a formula are the same term.
    #[serde(deserialize_with = "one_or_more")]
    pub terms: Vec<Terms>,
    /// The fields of the post itself, and how often what stands there counts: title, body, tags, comments,
    /// or `math` for features of formulas.
    #[serde(default)]
    pub own: BTreeMap<String, f64>,
    /// The same of the question that the post answers.
    #[serde(default)]
    pub question: BTreeMap<String, f64>,
    /// How words are stemmed.
    #[serde(default = "no_stems", deserialize_with = "named")]
    pub stem: Stemmer,
    /// The words that are left out.
    #[serde(default = "no_stops", deserialize_with = "named")]
    pub stop: StopWords,
    /// The ranking model that scores terms.
    pub model: Model,
    /// How often what stands in a part of the topic counts.
    pub query: Option<Weights>,
    /// How slowly the frequency of a term in the query saturates; 0 for not counting it, none for not at all.
    pub saturation: Option<f64>,
    /// The power of a term's inverse document frequency that its weight is multiplied with.
    #[serde(default)]
    pub idf_power: f64,
    /// So many of the terms that weigh most are kept.
    pub keywords: Option<usize>,
    /// Over what a term's frequency is counted.
    #[serde(default)]
    pub statistics: Statistics,
    /// Pseudo-relevance feedback: terms of the top documents.
    pub feedback: Option<Feedback>,
    /// How much the part counts.
    #[serde(default = "one")]
    pub weight: f64,
    /// How much terms of each kind count; `words` stands for words in texts and in LaTeX.
    #[serde(default)]
    pub weights: BTreeMap<Terms, f64>,
    /// Which words of the topic are looked for; all but stop words, if it is missing.
    pub keep: Option<KeptWords>,
    /// Which formulas of the topic are looked for.
    #[serde(default)]
    pub formulas: Chosen,
    /// Whether tuples are looked for with their locations.
    #[serde(default)]
    pub locations: Locations,
}

/// Pseudo-relevance feedback by relevance model 3 (Abdul-Jaleel and others, 2004): the query is mixed with terms of
/// its top documents.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Feedback {
    /// How many of the top documents terms are taken from.
    pub documents: usize,
    /// How many of their terms are taken.
    pub terms: usize,
    /// How much the query as it was counts.
    pub original: f64,
}

impl Default for Feedback {
    fn default() -> Self {
        Self { documents: 10, terms: 10, original: 0.5 }
    }
}

fn no_stems() -> Stemmer {
    Stemmer::None
}

fn no_stops() -> StopWords {
    StopWords::None
}

fn one_or_more<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Terms>, D::Error> {
    // Names first, so that a wrong one is told and not only that nothing fits.
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMore {
        One(String),
        More(Vec<String>),
    }
    let names = match OneOrMore::deserialize(deserializer)? {
        OneOrMore::One(name) => vec![name],
        OneOrMore::More(names) => names,
    };
    names.iter().map(|name| Terms::named(name).map_err(de::Error::custom)).collect()
}

impl Part {
    /// The index's fields that a name stands for.
    pub(crate) fn fields(&self, name: &str) -> Vec<Field> {
        let part = FieldPart::ALL.into_iter().find(|part| part.name() == name);
        let field = |terms: &Terms| match (terms, part) {
            (Terms::Words, Some(part)) => Some(Field::Words(part)),
            (Terms::Source, Some(part @ (FieldPart::Title | FieldPart::Body))) => Some(Field::Source(part)),
            (Terms::Symbols, Some(part @ (FieldPart::Title | FieldPart::Body))) => Some(Field::Symbols(part)),
            (Terms::Math(kind), None) if name == "math" => Some(Field::Math(*kind)),
            _ => None,
        };
        self.terms.iter().filter_map(field).collect()
    }
}
