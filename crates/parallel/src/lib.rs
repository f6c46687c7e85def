//! How is work spread over the cores? With results in the order of the input, whoever is done first.
//!
//! [`ordered`] is for input that is read piece by piece, [`batches`] for things
//! that are numbered, [`map()`] for a list, [`fold_on`] for sums. Memory is bounded by short channels,
//! and the results never depend on the number of cores.

mod batches;
mod fold;
mod map;
mod ordered;

pub use batches::batches;
pub use fold::fold_on;
pub use map::{map, map_on};
pub use ordered::{ordered, ordered_on};
