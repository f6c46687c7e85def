//! Do assessors agree more than chance would have it?
//!
//! | function | raters | gaps | grades |
//! |---|---|---|---|
//! | [`cohen_kappa`] | two | no | names or numbers, all disagreements equal |
//! | [`cohen_kappa_at`] | two | no | relevant from a threshold up, or not |
//! | [`weighted_kappa`] | two | no | numbers, by distance |
//! | [`fleiss_kappa`] | the same number for each item | no | names |
//! | [`krippendorff_alpha`] | any | yes | names, ranks or numbers |
//!
//! 1 is full agreement, 0 what independent raters with the same habits would
//! reach, below 0 worse than that.

mod cohen;
mod fleiss;
mod krippendorff;

pub use cohen::{Distance, Kappa, cohen_kappa, cohen_kappa_at, weighted_kappa};
pub use fleiss::fleiss_kappa;
pub use krippendorff::{Level, krippendorff_alpha};

#[cfg(test)]
mod tests;
