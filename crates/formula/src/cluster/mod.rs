//! Visual ids: numbers for looks.
//!
//! A [`Clusterer`] reads formulas one after another and gives each the number
//! of its look; [`recluster`] repairs a numbering that exists already, when keys
//! have become better, with as few changes as possible. What "the same look"
//! means is for [`crate::identity`].

mod assign;
mod recluster;

pub use assign::{Clusterer, IdentityRule, LookKeys};
pub use recluster::{Change, Member, Reclustering, Summary, TieBreak, recluster};

use std::fmt;

/// The number of a look, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VisualId(pub u64);

impl fmt::Display for VisualId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of a formula in a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaId(pub u64);

impl fmt::Display for FormulaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
