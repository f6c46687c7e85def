//! What was found, and why.

use index::Document;
use store::FormulaNo;

/// A post that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its document.
    pub document: Document,
    /// Its id.
    pub id: String,
    /// Its score.
    pub score: f64,
    /// The scorers that reranked it: the lowest bit is the first of the system's file.
    pub(crate) reranked: u32,
}

/// A formula that was found: what looks the same is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormulaHit {
    /// The collection, by its place among the sources of the index.
    pub source: usize,
    /// The document among the formulas of the collection.
    pub doc: u32,
    /// The visual id.
    pub visual_id: u64,
    /// Its score.
    pub score: f64,
    /// How alike it is to the formula that is looked for, from 0 to 1, if it was compared by a scorer that
    /// says that.
    pub similarity: Option<f32>,
    /// The instance whose context counted, if one did.
    pub(crate) place: Option<FormulaNo>,
}

/// Where a formula stands first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaPlace {
    /// The id of the instance.
    pub formula_id: String,
    /// The id of the post that it stands in.
    pub post_id: String,
}

/// Why a document has its score.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// What each term brought, most first.
    pub clues: Vec<Clue>,
    /// Their sum.
    pub score: f64,
}

/// What a clue is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClueKind {
    /// A word of the query.
    Word,
    /// A formula of the query, as LaTeX.
    Formula,
    /// Something else, in words.
    Remark,
}

/// What a term brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Clue {
    /// The group of the system.
    pub group: String,
    /// Where it was found: of the post itself or of the question it answers.
    pub place: &'static str,
    /// The term, or the formula that a feature comes from.
    pub term: String,
    /// What the term is.
    pub kind: ClueKind,
    /// How often it occurs there.
    pub frequency: f32,
    /// Its score.
    pub score: f64,
}
