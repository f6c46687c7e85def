//! Tangent-S, second stage: the largest part of a query that a candidate holds, symbol by symbol.
//!
//! Trees are [`Prepared`] once. An [`Aligner`] lays a query over a candidate at
//! every pair of symbols that could be the same, follows both trees from there
//! (through symbols that differ, too), finds out which letters of the query can
//! stand for which letters of the candidate, and keeps the best three numbers
//! ([`Scores`]). They are those of the labs' "metric 12"; on their pool of
//! judged formulas they come out the same (`tests/tangent_s.rs`).
//!
//! # Rules
//!
//! - Two symbols can be the same if their tags are equal, if the query's is a
//!   wildcard (`?name`), or if they are of the same kind and not operators: any
//!   two numbers, any two letters, but not a letter and a word.
//! - Layout trees are followed edge by edge, matrices cell by cell. Operator
//!   trees are followed child by child, and below equal `U!` nodes each operand
//!   goes to the one it fits best.
//! - A letter of the query stands for one letter of the candidate and the other
//!   way round. What occurs most often is bound first, then equal letters, then
//!   by tag, the last in the alphabet first.
//! - A wildcard covers what hangs from the symbol it meets. On a baseline, if it
//!   has no scripts of its own, it goes on to the symbol that follows it in the
//!   query (first the same, else one that could be), to the end if nothing
//!   follows, and no further than one symbol if what follows is not found. At
//!   the head of a baseline where the alignment begins it also takes what stands
//!   to the left. Where a name occurs more than once, the largest thing found
//!   wins, and the others must be the same.
//! - Start pairs are tried in order (parents first, see [`Prepared`]); those that
//!   were matched by an earlier alignment are not tried again.
//!
//! # Bounds
//!
//! - Trees are cut to the nodes that come first when the product of their sizes
//!   exceeds 2²² ([`Effort::Bounded`]). Two trees of 2,048 nodes are not cut.
//! - After 2¹⁸ steps (visited pairs) only the most promising start pair of each
//!   query node is tried, for as many steps again. In the labs' pool, with
//!   candidates of up to 990 nodes, no pair gets there.
//! - Operands of nodes with more than 2¹⁶ pairs of children keep their order.
//!
//! A start pair that cannot beat the best alignment so far is left out, which
//! changes no result: what it would have matched could not beat it either.

mod align;
mod prepared;
mod tables;
#[cfg(test)]
mod tests;
mod unify;

pub use align::{Aligner, Alignment, Effort, Match, MatchKind};
pub use prepared::Prepared;

/// Whether different symbols of the same kind can stand for each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unification {
    /// Letters for letters, numbers for numbers, consistently.
    #[default]
    Allowed,
    /// Only equal symbols match, and wildcards.
    None,
}

/// How much of a query was found, three numbers from 0 to 1. Alignments are compared by the first, then the
/// second, then the third.
///
/// `E`, `U`, `W` are the query nodes matched exactly, by unification, by wildcards.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Scores {
    /// Maximum subtree similarity: the harmonic mean of the shares of the query's nodes (`E + U + W`) and edges
    /// that were found.
    pub mss: f64,
    /// The share of the candidate that was matched: `E`, `U` and all that wildcards cover.
    pub precision: f64,
    /// The share of the query found without unification: `E + W`.
    pub recall: f64,
}

/// One number from the scores on layout and operator trees, as Tangent-S combines them: weights learned from the
/// NTCIR-12 judgments. A formula not found in one representation has zeros there ([`Scores::default`]).
///
/// ```
/// use formula::similarity::tangent_s::{Scores, combine};
///
/// let perfect = Scores { mss: 1.0, precision: 1.0, recall: 1.0 };
/// assert!((combine(perfect, perfect) - 2.6769).abs() < 1e-9);
/// assert!((combine(perfect, Scores::default()) - 2.0566).abs() < 1e-9);
/// ```
#[must_use]
pub fn combine(slt: Scores, opt: Scores) -> f64 {
    0.2930 + 0.0861 * slt.mss - 0.1694 * slt.precision + 1.8469 * slt.recall + 0.9657 * opt.mss
        - 0.0153 * opt.precision
        - 0.3301 * opt.recall
}
