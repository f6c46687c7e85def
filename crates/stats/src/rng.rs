//! Numbers that look random and never change: a seeded generator.
//!
//! The algorithm is part of the format. A report that prints its seed must give
//! the same shuffle and the same p-value on every machine and in every later
//! version, so this is written out here and fixed by test vectors:
//!
//! 1. The four state words are the first four outputs of SplitMix64 started at
//!    the seed (Steele, Lea & Flood 2014).
//! 2. Each step is xoshiro256++ (Blackman & Vigna 2021).
//! 3. A number below `n` is the high word of `x · n`, where draws whose low word
//!    is below `2^64 mod n` are thrown away, so each result is equally likely
//!    (Lemire 2019).
//! 4. A shuffle walks from the last place to the second and swaps each with a
//!    place drawn from those up to and including itself (Fisher & Yates; Durstenfeld 1964).
//!
//! Not for secrets: the state can be computed from the output.

/// A generator that depends on its seed alone.
///
/// ```
/// use stats::rng::Rng;
///
/// let mut topics = ["A.301", "A.302", "A.303", "A.304"];
/// Rng::seeded(2022).shuffle(&mut topics);
/// assert_eq!(topics, ["A.301", "A.304", "A.303", "A.302"]);
/// ```
#[derive(Debug, Clone)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The generator for this seed. Every seed is as good as any other, zero too.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        let mut counter = seed;
        Self { state: std::array::from_fn(|_| split_mix(&mut counter)) }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number from `0..bound`, each equally likely; 0 when `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            if product as u64 >= threshold {
                return (product >> 64) as u64;
            }
        }
    }

    /// A place in a list of this length; 0 for an empty list.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// A number from `[0, 1)`: the upper 53 bits of the next word over 2^53.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Puts the items in an order in which each permutation is equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
    }
}

fn split_mix(counter: &mut u64) -> u64 {
    *counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *counter;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Rng, split_mix};

    /// The sequence published for seed 1234567.
    #[test]
    fn split_mix_gives_its_published_sequence() {
        let mut counter = 1_234_567;
        let words: Vec<u64> = (0..5).map(|_| split_mix(&mut counter)).collect();
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(words, published);
    }

    /// What the authors' C program prints from the state 1, 2, 3, 4.
    #[test]
    fn xoshiro_gives_its_published_sequence() {
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let words: Vec<u64> = (0..6).map(|_| rng.next_u64()).collect();
        let published = [
            41_943_041,
            58_720_359,
            3_588_806_011_781_223,
            3_591_011_842_654_386,
            9_228_616_714_210_784_205,
            9_973_669_472_204_895_162,
        ];
        assert_eq!(words, published);
    }

    /// Frozen: a change here changes published reports. A second program, in Python, gave the same.
    #[test]
    fn a_seed_gives_the_same_numbers_for_ever() {
        let mut rng = Rng::seeded(42);
        let drawn: Vec<u64> = (0..8).map(|_| rng.below(100)).collect();
        assert_eq!(drawn, [81, 31, 98, 70, 79, 58, 12, 60]);
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.below(1), 0);
    }

    #[test]
    fn each_order_of_three_is_about_equally_frequent() {
        let mut rng = Rng::seeded(7);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..60_000 {
            let mut items = [0, 1, 2];
            rng.shuffle(&mut items);
            *counts.entry(items).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), 6);
        // The standard deviation of each count is about 91.
        assert!(counts.values().all(|&count| count.abs_diff(10_000) < 460), "{counts:?}");
    }

    proptest! {
        #[test]
        fn draws_stay_below_their_bound(seed: u64, bound in 1_u64..) {
            let mut rng = Rng::seeded(seed);
            for _ in 0..20 {
                prop_assert!(rng.below(bound) < bound);
                prop_assert!((0.0..1.0).contains(&rng.unit()));
            }
        }

        #[test]
        fn a_shuffle_keeps_every_item(seed: u64, items: Vec<u8>) {
            let mut shuffled = items.clone();
            Rng::seeded(seed).shuffle(&mut shuffled);
            let mut items = items;
            items.sort_unstable();
            shuffled.sort_unstable();
            prop_assert_eq!(items, shuffled);
        }
    }
}
