//! Measures of relevant or not, as only trec_eval has them.
//!
//! With n results of which k are among the R relevant documents, out of N in
//! the collection: utility weighs and adds k, n − k, R − k and the rest of N;
//! precision relative to the best possible is k / min(n, R), at a cutoff that
//! of the first results; set F is (x + 1)PR / (R + xP), and set AP is PR.
//! Binary G is (1/R) Σ over relevant results of 1 / log₂(2 + others above).
//! All are 0 where a divisor is. Source: trec_eval 9, `utility`, `relative_P`,
//! `set_relative_P`, `set_F`, `set_map`, `binG`.

use super::topic::Topic;
use std::num::NonZeroUsize;

/// How many results are judged and not relevant.
pub(super) fn num_nonrelevant(topic: &Topic<'_>) -> usize {
    topic.ranked.grades.iter().filter(|verdict| verdict.is_judged()).count() - topic.num_rel_ret
}

/// What the results are worth: found, returned in vain, missed, left out rightly.
pub(super) fn utility(topic: &Topic<'_>, coefficients: [f64; 4]) -> f64 {
    let found = topic.num_rel_ret as f64;
    let vain = (topic.num_ret - topic.num_rel_ret) as f64;
    let missed = (topic.num_rel - topic.num_rel_ret) as f64;
    let rest = topic.num_docs as f64 - found - vain - missed;
    coefficients[0] * found + coefficients[1] * vain + coefficients[2] * missed + coefficients[3] * rest
}

/// Precision at a cutoff over the highest that there can be.
pub(super) fn relative_precision(topic: &Topic<'_>, cutoff: NonZeroUsize) -> f64 {
    let first = topic.ranked.grades.iter().take(cutoff.get());
    let found = first.filter(|verdict| verdict.is_relevant(topic.level)).count();
    share(found, cutoff.get().min(topic.num_rel))
}

/// Precision of all results over the highest that there can be.
pub(super) fn set_relative_precision(topic: &Topic<'_>) -> f64 {
    share(topic.num_rel_ret, topic.num_ret.min(topic.num_rel))
}

/// Precision times recall.
pub(super) fn set_map(topic: &Topic<'_>) -> f64 {
    let found = topic.num_rel_ret as f64;
    if topic.num_rel_ret == 0 { 0.0 } else { found * found / (topic.num_ret as f64 * topic.num_rel as f64) }
}

/// The harmonic mean of precision and recall, recall counting `weight` times.
///
/// A negative weight can make it infinite or no number.
pub(super) fn set_f(topic: &Topic<'_>, weight: f64) -> f64 {
    if topic.num_rel_ret == 0 {
        return 0.0;
    }
    let precision = share(topic.num_rel_ret, topic.num_ret);
    let recall = share(topic.num_rel_ret, topic.num_rel);
    (weight + 1.0) * precision * recall / (recall + weight * precision)
}

/// Binary G.
pub(super) fn gain(topic: &Topic<'_>) -> f64 {
    let mut others = 0;
    let mut sum = 0.0;
    for verdict in topic.ranked.grades {
        if verdict.is_relevant(topic.level) {
            sum += 1.0 / f64::from(others + 2).log2();
        } else {
            others += 1;
        }
    }
    if topic.num_rel == 0 { 0.0 } else { sum / topic.num_rel as f64 }
}

/// A share, and 0 of nothing.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
