//! Correlation in which the top of the ranking weighs more.

use crate::error::{Error, check_pair};
use crate::ranks::compare;

/// τ_AP of an estimate against the truth (Yilmaz, Aslam & Robertson 2008); larger scores rank higher.
///
/// Walk down the estimated ranking. At rank i ≥ 2, take the share of the i − 1
/// items above that are above in the truth too; τ_AP is twice the mean of these
/// shares, minus 1. Exchanging the arguments changes the value. Takes n² steps.
///
/// # Errors
/// When the lists differ in length, hold fewer than two values or one that is
/// not finite, or two items of one list are tied; with ties use [`tau_ap_b`].
pub fn tau_ap(truth: &[f64], estimate: &[f64]) -> Result<f64, Error> {
    check_pair(truth, estimate, 2)?;
    strict(truth)?;
    strict(estimate)?;
    directed(truth, estimate)
}

/// The mean of τ_AP in both directions: neither list is the truth.
///
/// # Errors
/// As [`tau_ap`].
pub fn tau_ap_symmetric(x: &[f64], y: &[f64]) -> Result<f64, Error> {
    Ok(0.5 * (tau_ap(x, y)? + tau_ap(y, x)?))
}

/// τ_AP,b: symmetric, for rankings that may have ties (Urbano & Marrero 2017).
///
/// In each direction, items of a tied group all look at the p − 1 items above
/// the group, the topmost group has nothing above it and is left out of the mean, and a
/// pair counts as agreeing only when both lists order it, and alike. Without
/// ties it is [`tau_ap_symmetric`].
///
/// # Errors
/// When the lists differ in length, hold fewer than two values or one that is
/// not finite, or all items of one list are tied.
pub fn tau_ap_b(x: &[f64], y: &[f64]) -> Result<f64, Error> {
    check_pair(x, y, 2)?;
    Ok(0.5 * (directed(x, y)? + directed(y, x)?))
}

/// Twice the mean share of agreement with the items above in `ranking`, minus 1.
fn directed(other: &[f64], ranking: &[f64]) -> Result<f64, Error> {
    let order = falling(ranking);
    let mut sum = 0.0;
    let mut above = 0;
    for group in order.chunk_by(|&a, &b| ranking[a] == ranking[b]) {
        if above > 0 {
            for &item in group {
                let agreeing = order[..above].iter().filter(|&&higher| other[higher] > other[item]).count();
                sum += agreeing as f64 / above as f64;
            }
        }
        above += group.len();
    }
    let top = order.iter().take_while(|&&item| ranking[item] == ranking[order[0]]).count();
    if top == order.len() {
        return Err(Error::NoVariation);
    }
    Ok(2.0 * sum / (order.len() - top) as f64 - 1.0)
}

fn falling(scores: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    places.sort_by(|&a, &b| compare(scores[b], scores[a]));
    places
}

fn strict(scores: &[f64]) -> Result<(), Error> {
    let order = falling(scores);
    match order.windows(2).find(|pair| scores[pair[0]] == scores[pair[1]]) {
        Some(pair) => Err(Error::Tied { first: pair[0].min(pair[1]), second: pair[0].max(pair[1]) }),
        None => Ok(()),
    }
}
