//! Drawing: streams of numbers that depend on a seed and a place.

use stats::rng::Rng;

/// What a stream is for, so that no two uses of a seed meet.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Use {
    Plan = 1,
    Thread,
    Text,
    Formula,
    Variables,
    Pool,
    Subject,
    Post,
    User,
    Link,
    Plant,
    Topic,
    Name,
}

/// Stirs a number into a seed: the finisher of SplitMix64.
pub(crate) fn mix(seed: u64, number: u64) -> u64 {
    let mut word = (seed ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The seed of a place: a use and up to two numbers.
pub(crate) fn place(seed: u64, usage: Use, first: u64, second: u64) -> u64 {
    mix(mix(mix(seed, usage as u64), first), second)
}

/// A stream of draws.
#[derive(Clone, Debug)]
pub(crate) struct Draw(Rng);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rng::seeded(seed))
    }

    pub(crate) fn at(seed: u64, usage: Use, first: u64, second: u64) -> Self {
        Self::new(place(seed, usage, first, second))
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub(crate) fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    /// From `0..bound`; 0 when there is nothing to choose from.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0.index(bound)
    }

    /// From `low..=high`.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True with that chance in a hundred.
    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.0.below(100) < chance
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// A place in a list, the first ones much more often: density as 1/(rank + shift).
    pub(crate) fn ranked(&mut self, length: usize, shift: f64) -> usize {
        let top = (length as f64 + shift) / shift;
        let rank = shift * libm::pow(top, self.unit()) - shift;
        (rank as usize).min(length.saturating_sub(1))
    }

    /// A normal deviate (Box and Muller, the cosine half).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// An exponential deviate of that mean.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(1.0 - self.unit())
    }

    /// The index of a weight, as often as its share.
    pub(crate) fn weighted(&mut self, weights: &[u16]) -> usize {
        let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
        let mut drawn = self.0.below(total);
        for (index, weight) in weights.iter().enumerate() {
            match drawn.checked_sub(u64::from(*weight)) {
                Some(rest) => drawn = rest,
                None => return index,
            }
        }
        0
    }
}
