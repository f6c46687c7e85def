//! Interpolated precision at any recall, also where trec_eval gives no number.
//!
//! With no results at all, trec_eval divides 0 by 0 at recalls that ask for no
//! document; see the measure `IPrec` for all else. The mean over recalls goes
//! through them from the last to the first and takes them to be ascending.

use super::topic::Topic;
use crate::measure::Number;
use crate::measures::Interpolated;

/// At one recall.
pub(super) fn at(topic: &Topic<'_>, recall: Number) -> f64 {
    sum(topic, &[recall.get()])
}

/// The mean over recalls, given from the last to the first.
pub(super) fn mean(topic: &Topic<'_>, recalls: &[f64]) -> f64 {
    sum(topic, recalls) / recalls.len() as f64
}

fn sum(topic: &Topic<'_>, recalls: &[f64]) -> f64 {
    let asks_for_none = |recall: &f64| recall * topic.num_rel as f64 + 0.9 < 1.0;
    if topic.num_ret == 0 && recalls.iter().any(asks_for_none) {
        return f64::NAN;
    }
    Interpolated::new(topic.level).sum_at(recalls, topic.ranked)
}
