//! What is drawn: which occurrences of frequent tokens are kept, and which tokens stand against the one to predict.

use super::options::Reference;
use stats::rng::Rng;

/// The probability with which an occurrence of a token is kept. `total` counts the occurrences of all tokens.
pub(super) fn keep(reference: Reference, count: u64, total: u64, sample: f64) -> f64 {
    if sample <= 0.0 || count == 0 {
        return 1.0;
    }
    let (count, total) = (count as f64, total as f64);
    let threshold = match reference {
        Reference::Facebook => sample / (count / total),
        Reference::Gensim | Reference::Pine => sample * total / count,
    };
    // Both write the same sum in different ways.
    (threshold.sqrt() + threshold).min(1.0)
}

/// Draws tokens in proportion to a power of their counts, in constant time (Walker 1977, Vose 1991).
#[derive(Clone, Debug)]
pub(super) struct Negatives {
    /// For each column the share of its own token in 2^32 parts, and the token that has the rest.
    columns: Vec<[u32; 2]>,
}

impl Negatives {
    pub(super) fn new(reference: Reference, counts: &[u64]) -> Self {
        let weights = shares(reference, counts);
        let size = weights.len() as f64;
        let mut scaled: Vec<f64> = weights.iter().map(|weight| weight * size).collect();
        let mut columns: Vec<[u32; 2]> = (0..).take(scaled.len()).map(|token| [u32::MAX, token]).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..scaled.len()).partition(|&token| scaled[token] < 1.0);
        while let (Some(low), Some(&high)) = (small.pop(), large.last()) {
            columns[low] = [(scaled[low] * PARTS) as u32, high as u32];
            scaled[high] -= 1.0 - scaled[low];
            if scaled[high] < 1.0 {
                large.pop();
                small.push(high);
            }
        }
        Self { columns }
    }

    /// A token.
    #[inline(always)]
    pub(super) fn draw(&self, rng: &mut Rng) -> u32 {
        let place = rng.next_u64();
        // The high bits choose the column, the low ones which of its two tokens: without a branch, which would be
        // guessed wrong half of the time.
        let column = ((place >> 32) * self.columns.len() as u64) >> 32;
        let [own, other] = self.columns[column as usize];
        [other, column as u32][usize::from((place as u32) < own)]
    }

    /// The probability of each token, for tests.
    #[cfg(test)]
    pub(super) fn probabilities(&self) -> Vec<f64> {
        let mut all = vec![0.0; self.columns.len()];
        for (token, &[own, other]) in self.columns.iter().enumerate() {
            let own = f64::from(own) / PARTS;
            all[token] += own / self.columns.len() as f64;
            all[other as usize] += (1.0 - own) / self.columns.len() as f64;
        }
        all
    }
}

/// The parts of a share.
const PARTS: f64 = 4_294_967_296.0;

/// The share of each token.
fn shares(reference: Reference, counts: &[u64]) -> Vec<f64> {
    let power = match reference {
        Reference::Facebook => 0.5,
        Reference::Gensim | Reference::Pine => 0.75,
    };
    let weights: Vec<f64> = counts.iter().map(|&count| libm::pow(count as f64, power)).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-7, "{found} in place of {expected}");
    }

    #[test]
    fn occurrences_are_kept_as_in_the_references() {
        close(keep(Reference::Facebook, 1000, 100_000, 1e-4), 0.11);
        close(keep(Reference::Gensim, 1000, 100_000, 1e-3), 0.416228);
        close(keep(Reference::Pine, 1000, 100_000, 1e-5), 0.032623);
        assert_eq!(keep(Reference::Gensim, 1, 100_000, 1e-3), 1.0);
        assert_eq!(keep(Reference::Facebook, 1000, 100_000, 0.0), 1.0);
    }

    #[test]
    fn negatives_are_drawn_by_a_power_of_their_counts() {
        let counts = [100, 25, 4];
        let expected = [
            (Reference::Facebook, [0.588235, 0.294118, 0.117647]),
            (Reference::Gensim, [0.693003, 0.245013, 0.061984]),
        ];
        for (reference, expected) in expected {
            let negatives = Negatives::new(reference, &counts);
            for (found, expected) in negatives.probabilities().into_iter().zip(expected) {
                close(found, expected);
            }
            let mut rng = Rng::seeded(1);
            let mut drawn = [0_u32; 3];
            (0..100_000).for_each(|_| drawn[negatives.draw(&mut rng) as usize] += 1);
            for (drawn, expected) in drawn.into_iter().zip(expected) {
                assert!((f64::from(drawn) / 1e5 - expected).abs() < 0.005, "{drawn}");
            }
        }
        assert_eq!(Negatives::new(Reference::Gensim, &[7]).draw(&mut Rng::seeded(1)), 0);
    }
}
