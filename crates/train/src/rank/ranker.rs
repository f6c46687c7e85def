//! What is kept of a ranker: weights by name, and how they were learned.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The version of the file.
const FORMAT: u32 = 1;
/// A ranker is a page; a larger file is something else.
pub const LARGEST_RANKER: u64 = 8 << 20;

/// A linear ranker: the score of an item is the sum of its features times their weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranker {
    format: u32,
    /// The names of the features.
    pub features: Vec<String>,
    /// A weight for each.
    pub weights: Vec<f64>,
    /// How they were learned.
    pub training: Training,
}

/// How weights were learned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// The method.
    pub method: String,
    /// What it was trained on: names of files with checksums.
    pub data: Vec<String>,
    /// The topics whose judgments were used.
    pub topics: Vec<String>,
    /// The system that found the items, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// How much pairs in the wrong order count.
    pub c: f64,
    /// The share of the objective that the gap was allowed to have.
    pub tolerance: f64,
    /// The seed.
    pub seed: u64,
    /// Judged items.
    pub items: usize,
    /// Pairs of items of different grades.
    pub pairs: usize,
    /// Those in the wrong order.
    pub swapped: usize,
    /// The objective reached.
    pub objective: f64,
    /// The gap to the dual objective.
    pub gap: f64,
    /// Passes over all pairs.
    pub passes: usize,
}

/// Why a file is not a ranker.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RankerError(pub String);

impl Ranker {
    /// A ranker with a weight for each feature.
    ///
    /// # Panics
    ///
    /// When there is another number of weights than of features.
    #[must_use]
    pub fn new(features: Vec<String>, weights: Vec<f64>, training: Training) -> Self {
        assert_eq!(features.len(), weights.len(), "each feature has a weight");
        Self { format: FORMAT, features, weights, training }
    }

    /// The weight of a feature; nothing if the ranker does not know it.
    #[must_use]
    pub fn weight(&self, feature: &str) -> Option<f64> {
        self.features.iter().position(|known| known == feature).map(|place| self.weights[place])
    }

    /// The ranker as its file.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("numbers and texts can be written as JSON");
        json.push('\n');
        json
    }

    /// Reads the file of a ranker.
    ///
    /// # Errors
    ///
    /// When it is not one: with the reason.
    pub fn read(text: &str) -> Result<Self, RankerError> {
        let ranker: Self = serde_json::from_str(text).map_err(|cause| RankerError(cause.to_string()))?;
        let wrong = |reason: String| Err(RankerError(reason));
        if ranker.format != FORMAT {
            return wrong(format!("format {}; this program reads format {FORMAT}", ranker.format));
        }
        if ranker.features.len() != ranker.weights.len() {
            return wrong(format!("{} features and {} weights", ranker.features.len(), ranker.weights.len()));
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = ranker.features.iter().find(|feature| !seen.insert(feature.as_str())) {
            return wrong(format!("feature {twice} is there twice"));
        }
        // JSON has no infinite numbers, but a number can be too large to be one.
        if !ranker.weights.iter().all(|weight| weight.is_finite()) {
            return wrong("a weight is not finite".to_owned());
        }
        Ok(ranker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranker() -> Ranker {
        let names = ["mss", "edit"].map(str::to_owned).to_vec();
        Ranker::new(names, vec![0.25, -1e-3], Training { c: 0.2, ..Training::default() })
    }

    #[test]
    fn a_file_is_read_back() {
        let read = Ranker::read(&ranker().to_json()).unwrap();
        assert_eq!(read, ranker());
        assert_eq!((read.weight("edit"), read.weight("other")), (Some(-1e-3), None));
    }

    #[test]
    fn what_is_no_ranker_is_refused() {
        let text = ranker().to_json();
        for (from, to, reason) in [
            ("\"format\": 1", "\"format\": 2", "format 2; this program reads format 1"),
            ("\"edit\"", "\"mss\"", "feature mss is there twice"),
            ("0.25,", "", "2 features and 1 weights"),
            ("0.25", "1e999", "out of range"),
            ("\"weights\"", "\"heights\"", "missing field"),
        ] {
            let error = Ranker::read(&text.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
