//! What a network is to learn from the examples of a batch.

use super::losses::{
    Lossy, Negatives, Ranking, binary_cross_entropy, cosine_regression, online_contrastive,
    softmax_cross_entropy, triplet,
};
use super::samplers::Example;
use serde::{Deserialize, Serialize};

/// What is to be learned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "loss")]
pub enum Objective {
    /// Which text of a batch belongs to a query, by cosine: MultipleNegativesRanking.
    Ranking {
        /// What cosines are multiplied by.
        scale: f64,
        /// Which texts a query is compared with.
        negatives: Negatives,
    },
    /// The same by dot product, without a scale, as approach0 has it.
    InBatch {
        /// Which texts a query is compared with.
        negatives: Negatives,
    },
    /// A margin between a query's text and its hard negative, by cosine.
    Triplet {
        /// The margin.
        margin: f64,
    },
    /// The cosine itself, beside a target from votes.
    Cosine,
    /// Hard pairs that belong together or do not.
    OnlineContrastive {
        /// How far apart those that do not must be.
        margin: f64,
    },
    /// One logit for two texts that are read together: binary cross-entropy.
    OneLogit,
    /// Two logits: cross-entropy.
    TwoLogits,
}

impl Objective {
    /// Whether two texts are read together.
    #[must_use]
    pub fn is_cross(self) -> bool {
        matches!(self, Self::OneLogit | Self::TwoLogits)
    }

    /// Whether every example needs a hard negative.
    #[must_use]
    pub fn needs_negatives(self) -> bool {
        match self {
            Self::Ranking { negatives, .. } | Self::InBatch { negatives } => negatives == Negatives::Own,
            Self::Triplet { .. } | Self::OnlineContrastive { .. } => true,
            Self::Cosine | Self::OneLogit | Self::TwoLogits => false,
        }
    }

    /// Whether hard negatives are read where there are some.
    #[must_use]
    pub fn reads_negatives(self) -> bool {
        !self.is_cross() && self != Self::Cosine
    }

    /// The loss of rows: for texts read alone queries, texts and, if all examples have one, negatives; for texts read
    /// together a row of logits each.
    #[must_use]
    pub fn loss(self, rows: &[f32], width: usize, examples: &[Example]) -> Lossy {
        let groups = || -> Vec<[u32; 2]> {
            examples.iter().map(|example| [example.thread, example.negative_thread]).collect()
        };
        let targets = || -> Vec<f32> { examples.iter().map(|example| example.target).collect() };
        match self {
            Self::Ranking { scale, negatives } => {
                Ranking { scale, cosine: true, negatives }.loss(rows, width, &groups())
            }
            Self::InBatch { negatives } => {
                Ranking { scale: 1.0, cosine: false, negatives }.loss(rows, width, &groups())
            }
            Self::Triplet { margin } => triplet(rows, width, margin),
            Self::Cosine => cosine_regression(rows, width, &targets()),
            Self::OnlineContrastive { margin } => online_contrastive(rows, width, margin),
            Self::OneLogit => binary_cross_entropy(rows, &targets()),
            Self::TwoLogits => softmax_cross_entropy(rows, &targets()),
        }
    }
}
