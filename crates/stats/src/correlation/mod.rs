//! Do two lists agree? Correlation of values, of orders, and of rankings that differ in length.
//!
//! | function | compares | ties |
//! |---|---|---|
//! | [`pearson`] | values | – |
//! | [`spearman`] | ranks | share the mean rank |
//! | [`tau_a`] | pairs, over all pairs | count for neither side |
//! | [`tau_b`] | pairs, over pairs not tied | corrected for |
//! | [`tau_ap`] | pairs, the top weighs more | an error |
//! | [`tau_ap_b`] | the same, symmetric | corrected for |
//! | [`rbo`] | rankings of items, possibly cut off | none by form |
//!
//! Scores are compared as written; values that should be equal but differ in
//! the last bit are not tied.

mod kendall;
mod linear;
mod rank_biased;
mod tau_ap;

pub use kendall::{PairCounts, pair_counts, swaps, tau_a, tau_b};
pub use linear::{pearson, spearman};
pub use rank_biased::{RankBiasedOverlap, rbo};
pub use tau_ap::{tau_ap, tau_ap_b, tau_ap_symmetric};

#[cfg(test)]
mod tests;
