//! Our matcher: how alike a query formula and a candidate are, and why.
//!
//! Two formulas are compared by the best [alignment](align) of their operator
//! trees, in which letters may be renamed and operands change places, and by
//! the symbol pairs their trees have in common. The score is a weighted sum of
//! a few shares between 0 and 1, so it can be explained term by term.

pub mod align;
mod bag;
mod even;
mod holds;
pub mod layout;
mod likeness;
mod needed;
pub mod node;
mod parts;
mod prepared;
#[cfg(test)]
mod tests;
pub mod weights;

pub use align::{Agreement, Aligned, Alignment};
pub use holds::{Containment, holds};
pub use likeness::Likeness;
pub use parts::Parts;
pub use prepared::{Letters, Prepared, Preparer};
pub use weights::Weights;

use align::Aligner;
use bag::{Bag, Overlap};

/// The terms of the score, in the order of [`Weights::terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Term {
    /// Aligned weight, as a share of both trees.
    Aligned,
    /// Aligned weight, as a share of the query.
    Covered,
    /// Pairs of symbols in the layout that both have.
    LayoutPairs,
    /// Pairs of symbols in the query's layout that the candidate has.
    LayoutPairsCovered,
    /// Pairs of operators and operands that both have.
    OperatorPairs,
    /// Pairs of operators and operands of the query that the candidate has.
    OperatorPairsCovered,
    /// Pairs in the layout when letters and numbers are only letters and numbers.
    ShapePairs,
    /// Symbols that both have.
    Symbols,
    /// Whether both say the same: nothing is left over on either side but for notation, the order of
    /// operands and, for less, the names of letters.
    Equivalent,
    /// Whether both look the same, to the last comma.
    Identical,
}

/// How many terms there are.
pub const TERMS: usize = 10;

impl Term {
    /// All terms, in order.
    pub const ALL: [Self; TERMS] = [
        Self::Aligned,
        Self::Covered,
        Self::LayoutPairs,
        Self::LayoutPairsCovered,
        Self::OperatorPairs,
        Self::OperatorPairsCovered,
        Self::ShapePairs,
        Self::Symbols,
        Self::Equivalent,
        Self::Identical,
    ];

    /// Whether it compares layout trees; formulas given as operator trees alone have none.
    #[must_use]
    pub fn needs_layout(self) -> bool {
        match self {
            Self::LayoutPairs
            | Self::LayoutPairsCovered
            | Self::ShapePairs
            | Self::Symbols
            | Self::Identical => true,
            Self::Aligned
            | Self::Covered
            | Self::OperatorPairs
            | Self::OperatorPairsCovered
            | Self::Equivalent => false,
        }
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Aligned => "aligned",
            Self::Covered => "covered",
            Self::LayoutPairs => "layout pairs",
            Self::LayoutPairsCovered => "layout pairs covered",
            Self::OperatorPairs => "operator pairs",
            Self::OperatorPairsCovered => "operator pairs covered",
            Self::ShapePairs => "shape pairs",
            Self::Symbols => "symbols",
            Self::Equivalent => "equivalent",
            Self::Identical => "identical",
        }
    }
}

/// How alike two formulas are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// The terms, each between 0 and 1.
    pub terms: [f32; TERMS],
    /// Their weighted mean, between 0 and 1.
    pub value: f32,
}

/// What is left of a score when a part of the query that must stand as it is does not.
const STRICT_PART_LOST: f32 = 0.5;

/// Compares formulas; keeps its memory.
#[derive(Debug)]
pub struct Matcher {
    weights: Weights,
    aligner: Aligner,
}

impl Default for Matcher {
    fn default() -> Self {
        Self::new(Weights::default())
    }
}

impl Matcher {
    /// A matcher with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        Self { aligner: Aligner::new(weights.clone()), weights }
    }

    /// Scores a candidate.
    pub fn score(&mut self, query: &Prepared, candidate: &Prepared) -> Score {
        self.aligner.align(&query.nodes, &candidate.nodes);
        let alignment = &self.aligner.alignment;
        // Of nothing, everything is found.
        let share = |part: f32, whole: f32| if whole <= 0.0 { 1.0 } else { (part / whole).min(1.0) };
        let (wanted, offered) = (query.nodes.total(), candidate.nodes.total() - alignment.swallowed);
        // What a wildcard stands for is no surplus, so only the query's side counts then.
        let shared = |ours: &Bag, theirs: &Bag| {
            let overlap = Overlap::of(ours, theirs);
            if query.has_wildcard { Overlap { dice: overlap.recall, ..overlap } } else { overlap }
        };
        let layout = shared(&query.layout_pairs, &candidate.layout_pairs);
        let operators = shared(&query.operator_pairs, &candidate.operator_pairs);
        let terms = [
            share(2.0 * alignment.credit, wanted + offered),
            share(alignment.credit, wanted),
            layout.dice,
            layout.recall,
            operators.dice,
            operators.recall,
            shared(&query.shape_pairs, &candidate.shape_pairs).dice,
            shared(&query.symbols, &candidate.symbols).dice,
            match alignment.agreement(&query.nodes, &candidate.nodes) {
                Agreement::Same => 1.0,
                Agreement::Renamed => self.weights.equivalent_renamed,
                Agreement::Different => 0.0,
            },
            if query.key.is_some() && query.key == candidate.key { 1.0 } else { 0.0 },
        ];
        let strict_part_lost = query.has_strict_part && !alignment.keeps_strict_part(&query.nodes);
        // What has no layout is not compared by it.
        let has_layout = query.key.is_some() && candidate.key.is_some();
        let (mut sum, mut whole) = (0.0, f32::MIN_POSITIVE);
        for term in Term::ALL.into_iter().filter(|term| has_layout || !term.needs_layout()) {
            let weight = self.weights.terms[term as usize];
            sum += terms[term as usize] * weight;
            whole += weight;
        }
        let mean = sum / whole;
        Score { terms, value: if strict_part_lost { mean * STRICT_PART_LOST } else { mean } }
    }

    /// The alignment of the last pair that was scored.
    #[must_use]
    pub fn alignment(&self) -> &Alignment {
        &self.aligner.alignment
    }
}
