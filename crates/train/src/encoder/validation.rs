//! How well a network finds the right text on questions that it does not learn from.

use super::Network;
use super::error::Error;
use super::objective::Objective;

/// A held-out question: the right text first, then others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The question.
    pub query: u32,
    /// The right text, then others that are none.
    pub documents: Vec<u32>,
}

/// Texts that are read at once.
const AT_ONCE: usize = 32;

/// The mean reciprocal rank of the right text. Texts read alone are ranked among those of all held-out questions,
/// texts read together with the question among its own. Of equal scores the right one counts as the last.
pub(super) fn measure<N: Network>(
    network: &mut N,
    objective: Objective,
    held: &[Held],
) -> Result<f64, Error> {
    let mut sum = 0.0;
    if objective.is_cross() {
        for question in held {
            let pairs = question.documents.iter().map(|document| (question.query, Some(*document)));
            let rows = rows(network, &pairs.collect::<Vec<_>>())?;
            let scores: Vec<f64> = rows
                .chunks_exact(network.width())
                .map(|logits| match logits {
                    [apart, together] => f64::from(*together) - f64::from(*apart),
                    _ => logits.first().copied().map_or(f64::NEG_INFINITY, f64::from),
                })
                .collect();
            sum += reciprocal_rank(0, &scores);
        }
    } else {
        let mut texts: Vec<u32> =
            held.iter().flat_map(|question| question.documents.iter().copied()).collect();
        texts.sort_unstable();
        texts.dedup();
        let alone = |texts: &mut dyn Iterator<Item = u32>| texts.map(|text| (text, None)).collect::<Vec<_>>();
        let queries = rows(network, &alone(&mut held.iter().map(|question| question.query)))?;
        let documents = rows(network, &alone(&mut texts.iter().copied()))?;
        let width = network.width();
        let by_cosine = !matches!(objective, Objective::InBatch { .. });
        let lengths: Vec<f64> =
            documents.chunks_exact(width).map(|row| dot(row, row).sqrt().max(1e-12)).collect();
        for (question, query) in held.iter().zip(queries.chunks_exact(width)) {
            let score =
                |(row, length): (&[f32], &f64)| dot(query, row) / if by_cosine { *length } else { 1.0 };
            let scores: Vec<f64> = documents.chunks_exact(width).zip(&lengths).map(score).collect();
            let right = question.documents.first().and_then(|right| texts.binary_search(right).ok());
            sum += right.map_or(0.0, |right| reciprocal_rank(right, &scores));
        }
    }
    Ok(sum / held.len().max(1) as f64)
}

fn rows<N: Network>(network: &mut N, texts: &[(u32, Option<u32>)]) -> Result<Vec<f32>, Error> {
    let mut rows = Vec::with_capacity(texts.len() * network.width());
    for texts in texts.chunks(AT_ONCE) {
        let inputs: Vec<N::Input> = texts
            .iter()
            .map(|(text, other)| network.read(*text, *other, 0))
            .collect::<Result<_, _>>()
            .map_err(Error::Network)?;
        rows.extend(network.outputs(&inputs).map_err(Error::Network)?);
    }
    Ok(rows)
}

fn dot(left: &[f32], right: &[f32]) -> f64 {
    left.iter().zip(right).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}

fn reciprocal_rank(right: usize, scores: &[f64]) -> f64 {
    let Some(own) = scores.get(right) else { return 0.0 };
    let before = scores.iter().enumerate().filter(|(place, score)| *place != right && *score >= own).count();
    1.0 / (before + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::reciprocal_rank;

    #[test]
    fn equal_scores_count_against_the_right_text() {
        assert_eq!(reciprocal_rank(0, &[3.0, 1.0, 2.0]), 1.0);
        assert_eq!(reciprocal_rank(0, &[2.0, 2.0, 3.0]), 1.0 / 3.0);
        assert_eq!(reciprocal_rank(5, &[2.0]), 0.0);
    }
}
