//! Exact fractions of whole numbers, of a bounded size.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// Numbers with more bits are not computed exactly.
pub(crate) const MAX_BITS: u64 = 16_384;

/// A fraction in lowest terms; the denominator is positive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rational {
    numer: BigInt,
    denom: BigInt,
}

impl Rational {
    /// A fraction; nothing if the denominator is 0 or a part is too large.
    pub(crate) fn new(numer: BigInt, denom: BigInt) -> Option<Self> {
        if denom.is_zero() || numer.bits() > MAX_BITS || denom.bits() > MAX_BITS {
            return None;
        }
        let common = numer.gcd(&denom);
        let common = if denom.is_negative() { -common } else { common };
        Some(Self { numer: numer / &common, denom: denom / common })
    }

    pub(crate) fn whole(value: i64) -> Self {
        Self { numer: value.into(), denom: BigInt::one() }
    }

    pub(crate) fn of_big(value: BigInt) -> Option<Self> {
        Self::new(value, BigInt::one())
    }

    pub(crate) fn fraction(numer: i64, denom: i64) -> Option<Self> {
        Self::new(numer.into(), denom.into())
    }

    /// Reads digits with at most one point; the second value is the number of digits behind it, if there is one.
    pub(crate) fn parse(text: &str) -> Option<(Self, Option<u32>)> {
        let (whole, behind) = match text.split_once('.') {
            Some((whole, behind)) => (whole, Some(behind)),
            None => (text, None),
        };
        let digits = format!("{whole}{}", behind.unwrap_or_default());
        if digits.is_empty() || digits.len() > 2_000 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let numer = BigInt::parse_bytes(digits.as_bytes(), 10)?;
        let places = behind.map(|behind| behind.len() as u32);
        let denom = BigInt::from(10).pow(places.unwrap_or(0));
        Some((Self::new(numer, denom)?, places))
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.numer.is_zero()
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.numer.is_negative()
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.denom.is_one()
    }

    /// The number, if it is whole.
    pub(crate) fn as_big(&self) -> Option<&BigInt> {
        self.is_whole().then_some(&self.numer)
    }

    /// The number, if it is whole and not too large.
    pub(crate) fn to_i64(&self) -> Option<i64> {
        self.as_big().and_then(BigInt::to_i64)
    }

    pub(crate) fn numer(&self) -> &BigInt {
        &self.numer
    }

    pub(crate) fn denom(&self) -> &BigInt {
        &self.denom
    }

    /// How large its parts are, in bits.
    pub(crate) fn bits(&self) -> u64 {
        self.numer.bits() + self.denom.bits()
    }

    /// The nearest float, or nearly; infinite if there is none.
    pub(crate) fn to_f64(&self) -> f64 {
        // Parts of more than 900 bits are cut to a size that a float holds.
        let shift = |big: &BigInt| big.bits().saturating_sub(900);
        let (up, down) = (shift(&self.numer), shift(&self.denom));
        let numer = (&self.numer >> up).to_f64().unwrap_or(f64::INFINITY);
        let denom = (&self.denom >> down).to_f64().unwrap_or(f64::INFINITY);
        let scale = i32::try_from(up as i64 - down as i64).unwrap_or(i32::MAX);
        libm::scalbn(numer / denom, scale)
    }

    pub(crate) fn add(&self, other: &Self) -> Option<Self> {
        Self::new(&self.numer * &other.denom + &other.numer * &self.denom, &self.denom * &other.denom)
    }

    pub(crate) fn neg(&self) -> Self {
        Self { numer: -&self.numer, denom: self.denom.clone() }
    }

    pub(crate) fn sub(&self, other: &Self) -> Option<Self> {
        self.add(&other.neg())
    }

    pub(crate) fn mul(&self, other: &Self) -> Option<Self> {
        Self::new(&self.numer * &other.numer, &self.denom * &other.denom)
    }

    pub(crate) fn div(&self, other: &Self) -> Option<Self> {
        Self::new(&self.numer * &other.denom, &self.denom * &other.numer)
    }

    /// A whole power; nothing for 0 to a negative one, and for what becomes too large.
    pub(crate) fn pow(&self, exponent: i64) -> Option<Self> {
        let size = u32::try_from(exponent.unsigned_abs()).ok()?;
        let is_unit = self.denom.is_one() && (self.numer.is_zero() || self.numer.magnitude().is_one());
        if is_unit {
            let sign = if size % 2 == 0 { self.mul(self)? } else { self.clone() };
            let value = if size == 0 { Self::whole(1) } else { sign };
            return (exponent >= 0 || !value.is_zero()).then_some(value);
        }
        if self.numer.bits().max(self.denom.bits()).checked_mul(u64::from(size))? > MAX_BITS {
            return None;
        }
        let (numer, denom) = (self.numer.pow(size), self.denom.pow(size));
        if exponent < 0 { Self::new(denom, numer) } else { Self::new(numer, denom) }
    }

    /// The root of this degree, if it is a fraction; of a negative number for odd degrees.
    pub(crate) fn root(&self, degree: u32) -> Option<Self> {
        if degree == 0 || (self.is_negative() && degree.is_multiple_of(2)) {
            return None;
        }
        let exact = |big: &BigInt| {
            let root = big.nth_root(degree);
            (root.pow(degree) == *big).then_some(root)
        };
        Self::new(exact(&self.numer)?, exact(&self.denom)?)
    }

    pub(crate) fn floor(&self) -> BigInt {
        self.numer.div_floor(&self.denom)
    }

    pub(crate) fn ceil(&self) -> BigInt {
        -(-&self.numer).div_floor(&self.denom)
    }

    pub(crate) fn sign(&self) -> Sign {
        self.numer.sign()
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        (&self.numer * &other.denom).cmp(&(&other.numer * &self.denom))
    }
}

/// As people write it: `3`, `-5/6`; long numbers by their first digits.
impl std::fmt::Display for Rational {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numer = self.numer.to_string();
        let denom = self.denom.to_string();
        if numer.len() + denom.len() > 30 {
            return if self.is_whole() && numer.len() <= 60 {
                f.write_str(&numer)
            } else {
                write!(f, "{}", crate::ball::short(self.to_f64()))
            };
        }
        if self.is_whole() { f.write_str(&numer) } else { write!(f, "{numer}/{denom}") }
    }
}

/// Whether a whole number is prime; nothing if it is too large to say. Exact below 3.3·10^24.
pub(crate) fn is_prime(number: &BigInt) -> Option<bool> {
    const BASES: [u32; 13] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];
    if *number < BigInt::from(2) {
        return Some(false);
    }
    for base in BASES {
        let base = BigInt::from(base);
        if (number % &base).is_zero() {
            return Some(*number == base);
        }
    }
    if number.bits() > 512 {
        return None;
    }
    let one = BigInt::one();
    let less = number - &one;
    let twos = less.trailing_zeros().unwrap_or(0);
    let odd = &less >> twos;
    'bases: for base in BASES {
        let mut power = BigInt::from(base).modpow(&odd, number);
        if power == one || power == less {
            continue;
        }
        for _ in 1..twos {
            power = (&power * &power) % number;
            if power == less {
                continue 'bases;
            }
        }
        return Some(false);
    }
    // These bases decide below 3,317,044,064,679,887,385,961,981.
    (number.bits() <= 81).then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_exact() {
        let (third, half) = (Rational::fraction(-2, -6).unwrap(), Rational::fraction(1, 2).unwrap());
        assert_eq!(third.add(&half).unwrap().to_string(), "5/6");
        assert_eq!(third.div(&half).unwrap().to_string(), "2/3");
        assert_eq!(third.pow(-2).unwrap().to_string(), "9");
        assert_eq!(Rational::parse("12.50").unwrap().0.to_string(), "25/2");
        assert_eq!(Rational::fraction(-27, 8).unwrap().root(3).unwrap().to_string(), "-3/2");
        assert!(Rational::whole(0).pow(-1).is_none() && Rational::whole(2).pow(1 << 40).is_none());
        assert_eq!(Rational::whole(-1).pow((1 << 31) + 1).unwrap(), Rational::whole(-1));
        assert_eq!(Rational::whole(10).pow(4000).unwrap().to_f64(), f64::INFINITY);
        assert_eq!(Rational::fraction(-5, 2).unwrap().floor(), BigInt::from(-3));
    }

    #[test]
    fn primes_are_known() {
        let primes: Vec<i64> = (0..60).filter(|n| is_prime(&BigInt::from(*n)) == Some(true)).collect();
        assert_eq!(primes, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]);
        for (number, expected) in
            [("2147483647", Some(true)), ("3215031751", Some(false)), ("561", Some(false))]
        {
            assert_eq!(is_prime(&number.parse().unwrap()), expected, "{number}");
        }
        let large = BigInt::from(2).pow(127) - 1;
        assert_eq!(is_prime(&large), None, "probably prime is not known");
        assert_eq!(is_prime(&(BigInt::from(2).pow(128) + 1)), Some(false));
    }
}
