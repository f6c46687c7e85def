//! Linear rankers learned from judged pairs.
//!
//! [`RankSvm`] finds the weights of a ranking support-vector machine exactly, to a tolerance that is proved by the
//! duality gap, and a [`Ranker`] is what is kept of it: weights by the names of features, with the record of the
//! data, the parameters and the topics.

mod ranker;
mod svm;

pub use ranker::{LARGEST_RANKER, Ranker, RankerError, Training};
pub use svm::{Fitted, Judged, Pass, RankSvm, TooManyPairs};
