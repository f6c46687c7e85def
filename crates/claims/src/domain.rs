//! Places at which a claim is tested: chosen by a fixed rule, so that the same text has the same outcome.

use crate::ball::Ball;
use crate::rational::{Rational, is_prime};
use crate::value::Value;
use num_bigint::BigInt;

/// What numbers a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    Real,
    Complex,
    /// All whole numbers.
    Integer,
    /// Positive whole numbers.
    Natural,
    Prime,
}

impl Numbers {
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Self::Integer | Self::Natural | Self::Prime)
    }
}

/// SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % end) as i64
    }
}

/// Places for several names, small and usual ones first.
pub(crate) fn places(numbers: &[Numbers]) -> Vec<Vec<Value>> {
    if let [one] = numbers
        && one.is_whole()
    {
        return whole(*one).into_iter().map(|value| vec![Value::whole(value)]).collect();
    }
    let count = if numbers.iter().all(|one| one.is_whole()) { 120 } else { 72 };
    let mut chance = Chance(0x00c1_a135);
    let primes = whole(Numbers::Prime);
    let place = |family: usize| {
        let value = |one: &Numbers| match one {
            Numbers::Real => real(family, &mut chance),
            Numbers::Complex => {
                let part = |value: i64| value as f64 / 64.0;
                let (re, im) = (part(chance.below(256) - 128), part(chance.below(256) - 128));
                Value::Near(Ball { re, im, rad: 0.0 })
            }
            Numbers::Prime => Value::whole(primes[chance.below(8) as usize]),
            Numbers::Natural => Value::whole(1 + chance.below([4, 8, 15, 30][family % 4])),
            Numbers::Integer => {
                Value::whole(chance.below([7, 13, 25, 9][family % 4]) - [0, 6, 12, 0][family % 4])
            }
        };
        numbers.iter().map(value).collect()
    };
    (0..count).map(place).collect()
}

/// A fraction that is nobody's special value, from one of several ranges.
fn real(family: usize, chance: &mut Chance) -> Value {
    const PARTS: i64 = 97;
    let mut within = |low: i64, high: i64| low * PARTS + 1 + chance.below(((high - low) * PARTS - 1) as u64);
    let numer = match family % 9 {
        0 | 1 => within(0, 2),
        2 => within(-3, 3),
        3 => within(0, 1),
        4 => within(-1, 0),
        5 => within(1, 6),
        6 => within(-6, 6),
        7 => within(2, 14),
        _ => within(10, 400),
    };
    Value::Exact(Rational::fraction(numer, PARTS).unwrap_or_else(|| Rational::whole(1)))
}

fn whole(numbers: Numbers) -> Vec<i64> {
    match numbers {
        Numbers::Prime => (2..200).filter(|one| is_prime(&BigInt::from(*one)) == Some(true)).collect(),
        Numbers::Integer => {
            (0..=50).flat_map(|one| if one > 0 && one <= 12 { vec![one, -one] } else { vec![one] }).collect()
        }
        _ => (1..=50).collect(),
    }
}
