//! Systems: how to rank, as readable files.
//!
//! The files of the systems that come with the program are in `systems/`;
//! `docs/systems.md` says what may stand in one.

use crate::model::Model;
use index::{FeatureKind, Field, Part as FieldPart};
use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;
use text::{Stemmer, StopWords};

/// The systems that come with the program: a name and the text of the file.
pub const SYSTEMS: &[(&str, &str)] = &[
    ("hypatia-classic-1", include_str!("../../../systems/hypatia-classic-1.toml")),
    ("hypatia-classic-2", include_str!("../../../systems/hypatia-classic-2.toml")),
    ("formula+keywords", include_str!("../../../systems/formula+keywords.toml")),
    ("bm25", include_str!("../../../systems/bm25.toml")),
    ("search", include_str!("../../../systems/search.toml")),
];

/// The system for posts when none is named.
pub const DEFAULT_POSTS: &str = "hypatia-classic-1";
/// The system for formulas when none is named.
pub const DEFAULT_FORMULAS: &str = "hypatia-classic-2";
/// The system for people's searches when none is named.
pub const DEFAULT_SEARCH: &str = "search";

/// Which task of the labs a system is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u8")]
pub enum Task {
    /// Find answers to questions.
    Answers,
    /// Find formulas.
    Formulas,
}

impl Task {
    /// Its number in the labs.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Answers => 1,
            Self::Formulas => 2,
        }
    }
}

impl TryFrom<u8> for Task {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            1 => Ok(Self::Answers),
            2 => Ok(Self::Formulas),
            other => {
                Err(format!("there is no task {other} for systems; there are 1 (answers) and 2 (formulas)"))
            }
        }
    }
}

/// A system.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// Its name.
    pub name: String,
    /// The task it is for.
    pub task: Task,
    /// What it is, in a sentence or two.
    pub about: String,
    /// How posts are ranked.
    pub posts: Option<PostStage>,
    /// How formulas are ranked.
    pub formulas: Option<FormulaStage>,
}

/// A system's file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {what}")]
pub struct SystemError {
    name: String,
    what: String,
}

impl System {
    /// A system that comes with the program.
    ///
    /// # Errors
    ///
    /// When there is none of this name; the error lists those there are.
    pub fn named(name: &str) -> Result<Self, SystemError> {
        let Some((_, file)) = SYSTEMS.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = SYSTEMS.iter().map(|(name, _)| *name).collect();
            let what = format!("there is no such system; there are {}", known.join(", "));
            return Err(SystemError { name: name.to_owned(), what });
        };
        Self::read(file, name)
    }

    /// Reads a system's file.
    ///
    /// # Errors
    ///
    /// When the file says something that is not understood, with line and column.
    pub fn read(text: &str, file: &str) -> Result<Self, SystemError> {
        let error = |what: String| SystemError { name: file.to_owned(), what };
        let system: Self = toml::from_str(text).map_err(|cause| error(cause.to_string()))?;
        system.checked(file)
    }

    /// Reads a system's file with other numbers in some places, such as `posts.group.words.weight`: parts of
    /// a list are called by their name, or by their place from 0 on.
    ///
    /// # Errors
    ///
    /// As [`System::read`], and when there is no such place.
    pub fn varied(text: &str, file: &str, changes: &[(&str, f64)]) -> Result<Self, SystemError> {
        let error = |what: String| SystemError { name: file.to_owned(), what };
        let mut table: toml::Table = toml::from_str(text).map_err(|cause| error(cause.to_string()))?;
        for (place, value) in changes {
            change(&mut table, place, *value)
                .ok_or_else(|| error(format!("there is no place `{place}` for a number")))?;
        }
        let system: Self = table.try_into().map_err(|cause| error(cause.to_string()))?;
        system.checked(file)
    }

    /// The same without what leaves a part of the work out: every feature of a query is searched for.
    #[must_use]
    pub fn exact(mut self) -> Self {
        if let Some(formulas) = &mut self.formulas {
            formulas.budget = None;
        }
        if let Some(posts) = &mut self.posts {
            posts.budget = None;
        }
        self
    }

    fn checked(self, file: &str) -> Result<Self, SystemError> {
        let error = |what: String| SystemError { name: file.to_owned(), what };
        let system = self;
        match (system.task, &system.posts, &system.formulas) {
            (Task::Answers, None, _) => Err(error("a system for task 1 needs [posts]".to_owned())),
            (Task::Formulas, _, None) => Err(error("a system for task 2 needs [formulas]".to_owned())),
            _ => Ok(system),
        }
    }
}

/// Puts a number where a path leads. The last step may be new, all others must be there.
fn change(table: &mut toml::Table, place: &str, value: f64) -> Option<()> {
    let (path, last) = place.rsplit_once('.').unwrap_or(("", place));
    let mut at = table;
    let mut steps = path.split('.').filter(|step| !step.is_empty());
    while let Some(step) = steps.next() {
        at = match at.get_mut(step)? {
            toml::Value::Table(table) => table,
            toml::Value::Array(items) => {
                let wanted = steps.next()?;
                let named =
                    |item: &toml::Value| item.get("name").and_then(toml::Value::as_str) == Some(wanted);
                let found = items.iter().position(named).or_else(|| wanted.parse().ok())?;
                items.get_mut(found)?.as_table_mut()?
            }
            _ => return None,
        };
    }
    // Counts stay whole numbers.
    let whole = value.fract() == 0.0 && matches!(at.get(last), None | Some(toml::Value::Integer(_)));
    let value = if whole { toml::Value::Integer(value as i64) } else { toml::Value::Float(value) };
    at.insert(last.to_owned(), value);
    Some(())
}

/// Which posts are returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Returns {
    /// Answers.
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
    /// How often what stands in a part of the topic counts, where a part does not say otherwise.
    #[serde(default)]
    pub query: Weights,
    /// How many terms of a part are searched for; all, if it is missing.
    pub budget: Option<Budget>,
    /// The groups.
    #[serde(rename = "group")]
    pub groups: Vec<Group>,
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

fn one() -> f64 {
    1.0
}

/// Which terms are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terms {
    /// Words outside formulas.
    Words,
    /// Letters, numbers and names in the LaTeX of formulas.
    Source,
    /// Features of formulas.
    Math(FeatureKind),
}

impl<'de> Deserialize<'de> for Terms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        match (name.as_str(), name.parse()) {
            ("words", _) => Ok(Self::Words),
            ("source", _) => Ok(Self::Source),
            (_, Ok(kind)) => Ok(Self::Math(kind)),
            _ => Err(de::Error::custom(format!(
                "there are no terms called `{name}`; there are words, source, parts, pairs, pairs-opt, tuples, paths, ngrams"
            ))),
        }
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
    /// What a term is worth.
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
    /// Terms from what was found first.
    pub feedback: Option<Feedback>,
    /// How much the part counts.
    #[serde(default = "one")]
    pub weight: f64,
}

/// Feedback by relevance model 3 (Abdul-Jaleel and others, 2004): the query is mixed with terms of the
/// documents that it finds first.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Feedback {
    /// How many documents are looked at.
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

fn named<'de, D: Deserializer<'de>, T: std::str::FromStr<Err: std::fmt::Display>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}

fn one_or_more<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Terms>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMore {
        One(Terms),
        More(Vec<Terms>),
    }
    Ok(match OneOrMore::deserialize(deserializer)? {
        OneOrMore::One(terms) => vec![terms],
        OneOrMore::More(terms) => terms,
    })
}

impl Part {
    /// The index's fields that a name stands for.
    pub(crate) fn fields(&self, name: &str) -> Vec<Field> {
        let part = FieldPart::ALL.into_iter().find(|part| part.name() == name);
        let field = |terms: &Terms| match (terms, part) {
            (Terms::Words, Some(part)) => Some(Field::Words(part)),
            (Terms::Source, Some(part @ (FieldPart::Title | FieldPart::Body))) => Some(Field::Source(part)),
            (Terms::Math(kind), None) if name == "math" => Some(Field::Math(*kind)),
            _ => None,
        };
        self.terms.iter().filter_map(field).collect()
    }
}

/// How many of a query's terms are searched for, the rarest first.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// As long as their lists together are no longer than this share of all documents,
    pub share: f64,
    /// or than this number,
    pub postings: f64,
    /// and so many in any case. The others count for what is found.
    pub least: usize,
}

impl Budget {
    /// How many lists of these lengths, the shortest first, are searched for among so many documents.
    pub(crate) fn allows(&self, lengths: impl Iterator<Item = f64>, documents: f64) -> usize {
        let limit = (self.share * documents).max(self.postings);
        let mut sum = 0.0;
        let within = lengths.take_while(|length| {
            sum += length;
            sum <= limit
        });
        within.count().max(self.least).max(1)
    }
}

/// How formulas are ranked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormulaStage {
    /// The features that formulas are found by.
    #[serde(deserialize_with = "named")]
    pub features: FeatureKind,
    /// What a feature is worth.
    pub model: Model,
    /// How many features are searched for; all, if it is missing.
    pub budget: Option<Budget>,
    /// So many of the first are compared by the matcher and ranked by its score.
    #[serde(default)]
    pub rerank: usize,
}
