//! How formulas are ranked, as a system's file says it.

use super::Budget;
use crate::model::Model;
use formula::similarity::structure::LENGTH_PENALTY;
use index::FeatureKind;
use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;

/// How formulas are ranked: found in one or several ways, then perhaps compared.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormulaStage {
    /// The ways in which formulas are found; what a formula scores in each is added up.
    #[serde(deserialize_with = "at_least_one")]
    pub find: Vec<Find>,
    /// How the first are compared and ranked anew; not at all, if it is missing.
    pub rerank: Option<Rerank>,
}

impl FormulaStage {
    /// Leaves nothing out: every feature of a query is searched for.
    pub(crate) fn search_for_all(&mut self) {
        for find in &mut self.find {
            find.budget = None;
        }
    }

    /// How many formulas are compared.
    #[must_use]
    pub fn compared(&self) -> usize {
        self.rerank.map_or(0, |rerank| rerank.depth())
    }

    /// Compares no more than so many.
    pub fn compare_at_most(&mut self, most: usize) {
        if let Some(rerank) = &mut self.rerank {
            rerank.limit(most);
        }
    }
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

fn at_least_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Find>, D::Error> {
    let ways = Vec::<Find>::deserialize(deserializer)?;
    match ways.len() {
        0 => Err(de::Error::custom("at least one [[formulas.find]] is needed")),
        1..=MOST_WAYS => Ok(ways),
        _ => Err(de::Error::custom(format!("there can be {MOST_WAYS} [[formulas.find]] at most"))),
    }
}

/// How many ways to find there can be.
const MOST_WAYS: usize = 32;

/// How the first formulas are compared with the query. The others follow in their order, below them.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Rerank {
    /// By our own matcher.
    Matcher {
        /// How many are compared.
        depth: usize,
    },
    /// By Tangent-S's alignments of layout and operator trees. What only `pairs` found has no scores for
    /// operator trees, and the other way round.
    TangentS {
        /// How many are compared.
        depth: usize,
    },
    /// By approach0's scores of structure and symbols.
    Approach0 {
        /// How many are compared.
        depth: usize,
        /// How much long formulas lose, from 0 to 1.
        #[serde(default = "length_penalty")]
        penalty: f64,
    },
}

impl Rerank {
    /// How many are compared.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::Matcher { depth } | Self::TangentS { depth } | Self::Approach0 { depth, .. } => *depth,
        }
    }

    fn limit(&mut self, most: usize) {
        match self {
            Self::Matcher { depth } | Self::TangentS { depth } | Self::Approach0 { depth, .. } => {
                *depth = most.min(*depth);
            }
        }
    }
}

fn length_penalty() -> f64 {
    LENGTH_PENALTY
}
