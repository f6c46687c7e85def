//! What ranks posts beyond sums over terms, as a system's file says it: formulas, nearness, links.

use super::{Need, Normalise, one};
use serde::Deserialize;

/// Which formulas of a topic are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chosen {
    /// All.
    #[default]
    All,
    /// All of the title, and those of the text that are more than one letter or number.
    Telling,
    /// The one with most symbols in the title, or in the text if the title has none; chance decides between equals,
    /// where it has a seed, else the first is taken.
    Largest,
}

/// Posts that have formulas which the system's `[formulas]` finds.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByFormulas {
    /// Which formulas of the topic are looked for.
    #[serde(default)]
    pub choose: Chosen,
    /// How many formulas are found for each of them.
    #[serde(default = "thousand")]
    pub depth: usize,
    /// What scores of formulas are multiplied with.
    #[serde(default = "one")]
    pub weight: f64,
    /// How much the formula of the topic counts whose best score is highest,
    #[serde(default = "one")]
    pub best: f64,
    /// and how much each other.
    #[serde(default = "one")]
    pub others: f64,
    /// Which of a post's formulas decides.
    #[serde(default)]
    pub keep: Kept,
    /// So many different formulas of the topic are looked for at most, the first; all if it is missing.
    pub most: Option<usize>,
    /// Where more posts than this have a formula that was found, those that are likely to be among the first
    /// are scored by the groups, and the others are left out; all are if it is missing.
    pub all_scored: Option<usize>,
    /// What a formula brings to the posts that it stands in.
    #[serde(default)]
    pub gain: FormulaGain,
    /// How much each formula of the topic counts.
    #[serde(default)]
    pub shares: Shares,
}

/// What a formula brings to the posts that it stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormulaGain {
    /// Its score.
    #[default]
    Score,
    /// How alike it is to the formula of the topic, from 0 to 1; nothing if it was not compared.
    Similarity,
}

/// How much each formula of a topic counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shares {
    /// The one whose best score is highest counts `best`, each other `others`.
    #[default]
    Best,
    /// All together count 1 at most, each by its size: those of four symbols or more alike, smaller ones less.
    Sizes,
}

/// Which of the formulas of a post that were found decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// The best.
    #[default]
    Best,
    /// The one that was ranked last.
    Last,
}

/// What of a query an encoder reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueryText {
    /// Title and body.
    #[default]
    All,
    /// The title; all if there is none.
    Title,
}

/// Posts whose vectors are near the vector of the query.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dense {
    /// The model; if it is missing, the first that the index has vectors of.
    pub model: Option<String>,
    /// What of the query is compared.
    #[serde(default)]
    pub query: QueryText,
    /// How much the post itself counts,
    #[serde(default = "one")]
    pub own: f64,
    /// and how much the question it answers.
    #[serde(default)]
    pub question: f64,
    /// What similarities are multiplied with.
    #[serde(default = "one")]
    pub weight: f64,
    /// Posts that are less similar than this are not found by meaning, and gain nothing by it; 0 for no limit.
    #[serde(default)]
    pub least: f64,
    /// What they are divided by.
    #[serde(default)]
    pub normalise: Normalise,
    /// Whether every post is compared, also where lists of vectors could leave most out.
    #[serde(default)]
    pub exact: bool,
    /// Whether posts are ranked without vectors where the index has none or the model is not there.
    #[serde(default)]
    pub need: Need,
}

/// Posts in which terms of the query stand near each other gain.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Proximity {
    /// So many of the first are looked at.
    pub depth: usize,
    /// How much nearness counts.
    pub weight: f64,
    /// The higher, the less it counts.
    pub offset: f64,
}

impl Default for Proximity {
    fn default() -> Self {
        Self { depth: 100, weight: 1.0, offset: 0.3 }
    }
}

/// Answers to the questions that a topic is linked to, those with most votes first.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Links {
    /// The kinds of links of the collection that count.
    pub kinds: Vec<Linked>,
}

/// How a question is linked to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Linked {
    /// It asks the same.
    Duplicate,
    /// It mentions the other.
    Related,
}

/// Which words of a topic are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeptWords {
    /// Those whose stem a word of some tag has, stop words left out.
    TagWords,
}

/// Whether tuples of a topic's formulas are looked for with their locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Locations {
    /// With and without, as they are indexed.
    #[default]
    Kept,
    /// Without.
    None,
}

fn thousand() -> usize {
    1000
}
