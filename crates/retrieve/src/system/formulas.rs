//! How formulas are ranked, as a system's file says it.

use super::{Budget, Need, is_weight, one};
use crate::model::Model;
use crate::scorers::{self, FormulaScorer};
use index::FeatureKind;
use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How formulas are ranked: found in one or several ways, then perhaps compared.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormulaStage {
    /// The system that finds formulas in the place of ways of its own; `rerank` puts them into a new order.
    pub from: Option<String>,
    /// The ways in which formulas are found; what a formula scores in each is added up.
    #[serde(default, deserialize_with = "not_too_many")]
    pub find: Vec<Find>,
    /// Formulas found by their vectors, as one more way.
    pub dense: Option<FormulaDense>,
    /// How the first are compared and ranked anew; not at all, if it is missing.
    pub rerank: Option<Rerank>,
    /// How much the posts that formulas stand in count, where the question of a formula is known.
    pub context: Option<FormulaContext>,
}

impl FormulaStage {
    /// What of it cannot be.
    pub(super) fn mistake(&self) -> Option<&'static str> {
        let Self { from, find, dense, context, .. } = self;
        let has_ways = !find.is_empty() || dense.is_some();
        if !has_ways && from.is_none() {
            return Some(
                "[formulas] needs at least one [[formulas.find]], [formulas.dense], or a system in `from`",
            );
        }
        if has_ways && from.is_some() {
            return Some("[formulas] has what `from` finds, or ways of its own to find formulas, not both");
        }
        if dense.as_ref().is_some_and(|dense| !is_weight(dense.weight)) {
            return Some("[formulas.dense] needs a weight from 0 to 1e6");
        }
        let weights = context.as_ref().map(|context| [context.own, context.question, context.weight]);
        if weights.is_some_and(|weights| !weights.into_iter().all(is_weight)) {
            return Some("[formulas.context] needs weights from 0 to 1e6");
        }
        None
    }

    /// Leaves nothing out: every feature of a query is searched for.
    pub(crate) fn search_for_all(&mut self) {
        for find in &mut self.find {
            find.budget = None;
        }
        if let Some(dense) = &mut self.dense {
            dense.exact = true;
        }
    }
}

/// Formulas whose vectors are near the vector of the formula that is looked for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormulaDense {
    /// The model; if it is missing, the first that the index has vectors of formulas by.
    pub model: Option<String>,
    /// What similarities are multiplied with.
    #[serde(default = "one")]
    pub weight: f64,
    /// How many formulas are found; as many as are asked for, if it is missing.
    pub depth: Option<usize>,
    /// Whether every formula is compared, also where lists of vectors could leave most out.
    #[serde(default)]
    pub exact: bool,
}

/// When a formula that is the one that is looked for is relevant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Identical {
    /// Where its context fits, as ARQMath judged since 2021.
    #[default]
    InContext,
    /// Wherever it stands, as ARQMath judged in 2020: it scores as if its context were the same.
    Always,
}

/// The question in which a formula is looked for, compared with the posts in which formulas stand. What the nearest
/// post of a formula is worth is added to its score, and the formula is returned as it stands there.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormulaContext {
    /// The model; if it is missing, the first that the index has vectors of posts by.
    pub model: Option<String>,
    /// How much the post itself counts,
    #[serde(default = "one")]
    pub own: f64,
    /// and how much the question it answers.
    #[serde(default)]
    pub question: f64,
    /// What similarities are multiplied with.
    pub weight: f64,
    /// How many of the first formulas are compared.
    #[serde(default = "thousand")]
    pub depth: usize,
    /// Whether the context of a formula counts that is the one that is looked for.
    #[serde(default)]
    pub identical: Identical,
    /// Whether formulas are ranked without context where the index has no vectors or the model is missing.
    #[serde(default)]
    pub need: Need,
}

fn thousand() -> usize {
    1000
}

/// A way in which formulas are found.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Find {
    /// The features that formulas are found by.
    pub features: Features,
    /// What a feature is worth.
    pub model: Model,
    /// How many features are searched for; all, if it is missing.
    pub budget: Option<Budget>,
    /// How many formulas are found in this way; as many as are asked for, if it is missing.
    pub depth: Option<usize>,
}

/// Kinds of features and what each weighs. Their lengths add up.
#[derive(Clone, Debug, PartialEq)]
pub struct Features(pub(crate) Vec<(FeatureKind, f64)>);

impl Features {
    /// The kinds and their weights.
    #[must_use]
    pub fn kinds(&self) -> &[(FeatureKind, f64)] {
        &self.0
    }

    /// Whether a kind is among them.
    #[must_use]
    pub fn has(&self, kind: FeatureKind) -> bool {
        self.0.iter().any(|(one, _)| *one == kind)
    }

    /// The kind, if there is only one.
    #[must_use]
    pub fn only(&self) -> Option<FeatureKind> {
        if let [(kind, _)] = self.0[..] { Some(kind) } else { None }
    }
}

impl<'de> Deserialize<'de> for Features {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "the name of features, or a table of names and weights")]
        enum Given {
            One(String),
            Several(BTreeMap<String, f64>),
        }
        let given = match Given::deserialize(deserializer)? {
            Given::One(name) => BTreeMap::from([(name, 1.0)]),
            Given::Several(weights) => weights,
        };
        if given.is_empty() {
            return Err(de::Error::custom("at least one kind of features is needed"));
        }
        let mut kinds = Vec::new();
        for (name, weight) in given {
            let kind: FeatureKind = name.parse().map_err(de::Error::custom)?;
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(de::Error::custom(format!("the weight of {kind} must not be negative")));
            }
            kinds.push((kind, weight));
        }
        Ok(Self(kinds))
    }
}

fn not_too_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Find>, D::Error> {
    let ways = Vec::<Find>::deserialize(deserializer)?;
    match ways.len() {
        0..=MOST_WAYS => Ok(ways),
        _ => Err(de::Error::custom(format!("there can be {MOST_WAYS} [[formulas.find]] at most"))),
    }
}

/// How many ways to find there can be.
const MOST_WAYS: usize = 31;

/// How the first formulas are compared with the query. The others follow in their order, below them.
#[derive(Clone, Debug)]
pub struct Rerank {
    /// How many are compared.
    pub depth: usize,
    by: &'static str,
    pub(crate) scorer: Arc<dyn FormulaScorer>,
    settings: toml::Table,
}

impl Rerank {
    /// The name of the scorer that compares.
    #[must_use]
    pub fn by(&self) -> &'static str {
        self.by
    }

    /// The ranker that has its weights, if it names one.
    #[must_use]
    pub fn ranker(&self) -> Option<&str> {
        let model = self.settings.get("model").and_then(toml::Value::as_str);
        model.filter(|_| self.by == LEARNED)
    }

    /// The same without weights, for learning them.
    pub(crate) fn unlearned(mut self) -> Self {
        if self.by == LEARNED {
            self.settings.remove("model");
            if let Ok((_, scorer)) = scorers::read(scorers::FORMULAS, self.settings.clone()) {
                self.scorer = scorer;
            }
        }
        self
    }
}

/// The scorer whose weights can be learned.
const LEARNED: &str = "learned";

impl PartialEq for Rerank {
    fn eq(&self, other: &Self) -> bool {
        (self.by, self.depth, &self.settings) == (other.by, other.depth, &other.settings)
    }
}

impl<'de> Deserialize<'de> for Rerank {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut settings = toml::Table::deserialize(deserializer)?;
        let depth = settings.remove("depth").ok_or_else(|| de::Error::missing_field("depth"))?;
        let depth = usize::deserialize(depth).map_err(|_| de::Error::custom("`depth` is a whole number"))?;
        let (by, scorer) = scorers::read(scorers::FORMULAS, settings.clone()).map_err(de::Error::custom)?;
        Ok(Self { depth, by, scorer, settings })
    }
}
