//! Which token is taken?
//!
//! At temperature 0 the one with the highest score, and of equals the one with
//! the lowest id. Otherwise one is drawn: with a token's share
//! `exp((score - highest) / temperature)`, computed in double precision in the
//! order of ids, the first token is taken at which the sum of shares exceeds
//! `u` times the sum of all. `u` is the next number of [`stats::rng`] in `[0, 1)`,
//! one for each token, seeded by the request.

use stats::rng::Rng;

/// How tokens are chosen.
#[derive(Debug)]
pub(crate) struct Sampler {
    temperature: f64,
    rng: Rng,
}

impl Sampler {
    /// # Errors
    ///
    /// When nothing can be drawn at this temperature.
    pub(crate) fn new(temperature: f64, seed: u64) -> Result<Self, String> {
        if temperature.is_finite() && temperature >= 0.0 {
            Ok(Self { temperature, rng: Rng::seeded(seed) })
        } else {
            Err(format!("the temperature is {temperature}; it must be 0 or more"))
        }
    }

    /// Takes a token.
    ///
    /// # Errors
    ///
    /// When the scores are no numbers, as a damaged model's.
    pub(crate) fn take(&mut self, scores: &[f32]) -> Result<u32, String> {
        let mut best = 0;
        let mut highest = f32::NEG_INFINITY;
        for (token, &score) in scores.iter().enumerate() {
            if score.is_nan() {
                return Err("its weights give no numbers".to_owned());
            }
            if score > highest {
                (best, highest) = (token, score);
            }
        }
        if !highest.is_finite() {
            return Err("its weights give no finite numbers".to_owned());
        }
        if self.temperature == 0.0 {
            return Ok(best as u32);
        }
        let share = |score: f32| libm::exp((f64::from(score) - f64::from(highest)) / self.temperature);
        let shares: Vec<f64> = scores.iter().map(|&score| share(score)).collect();
        let drawn = self.rng.unit() * shares.iter().sum::<f64>();
        let mut sum = 0.0;
        for (token, share) in shares.iter().enumerate() {
            sum += share;
            if sum > drawn {
                return Ok(token as u32);
            }
        }
        // Rounding may leave the sum a last bit short.
        Ok(best as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::Sampler;

    #[test]
    fn the_highest_is_taken_and_of_equals_the_first() {
        let mut greedy = Sampler::new(0.0, 1).unwrap();
        assert_eq!(greedy.take(&[0.5, 2.0, -1.0, 2.0]), Ok(1));
        assert_eq!(greedy.take(&[f32::NEG_INFINITY, -5.0]), Ok(1));
    }

    #[test]
    fn draws_follow_the_shares() {
        // Shares of e^0 and e^-ln 3 at temperature 1: three to one.
        let scores = [0.0, -(3.0_f32.ln())];
        let mut sampler = Sampler::new(1.0, 7).unwrap();
        let first = (0..10_000).filter(|_| sampler.take(&scores) == Ok(0)).count();
        // The standard deviation is 43.
        assert!(first.abs_diff(7500) < 220, "{first}");
    }

    #[test]
    fn heat_makes_draws_more_even() {
        let scores = [0.0, -(3.0_f32.ln())];
        let mut sampler = Sampler::new(1000.0, 7).unwrap();
        let first = (0..10_000).filter(|_| sampler.take(&scores) == Ok(0)).count();
        assert!(first.abs_diff(5000) < 250, "{first}");
    }

    #[test]
    fn cold_is_greedy_and_a_seed_repeats_itself() {
        let scores = [1.0, 1.5, 0.0];
        let mut cold = Sampler::new(1e-300, 3).unwrap();
        assert!((0..100).all(|_| cold.take(&scores) == Ok(1)));
        let draw = |seed| {
            let mut sampler = Sampler::new(1.0, seed).unwrap();
            (0..50).map(|_| sampler.take(&scores).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(draw(5), draw(5));
        assert_ne!(draw(5), draw(6));
    }

    #[test]
    fn what_cannot_be_drawn_from_is_an_error() {
        assert!(Sampler::new(-0.1, 0).is_err());
        assert!(Sampler::new(f64::NAN, 0).is_err());
        let mut greedy = Sampler::new(0.0, 1).unwrap();
        assert!(greedy.take(&[0.0, f32::NAN]).is_err());
        assert!(greedy.take(&[f32::INFINITY]).is_err());
        assert!(greedy.take(&[]).is_err());
    }
}
