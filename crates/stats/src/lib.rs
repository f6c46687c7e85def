//! How sure is a number? Tests, intervals, correlation and agreement.
//!
//! | module | answers |
//! |---|---|
//! | [`rng`] | where does chance come from? |

pub mod rng;
