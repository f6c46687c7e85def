//! The score of a document in a fusion, one family of methods a file.

pub(crate) mod borda;
pub(crate) mod comb;
pub(crate) mod ibc;
pub(crate) mod reciprocal;
