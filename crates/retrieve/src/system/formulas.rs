//! How formulas are ranked, as a system's file says it.

use super::{Budget, named};
use crate::model::Model;
use index::FeatureKind;
use serde::Deserialize;

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
