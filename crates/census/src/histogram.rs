//! How values are spread, in memory that does not grow with how many there are.

use std::collections::BTreeMap;

/// Values nearer to zero than this are counted one by one; larger ones share a
/// bin with those that have the same first seven binary digits.
const EXACT: u64 = 4096;
const DIGITS: u32 = 7;

/// Counts of whole numbers.
///
/// Count, sum, least and greatest are exact. A quantile is exact below 4,096
/// and at most 1.6 % too near to zero above. There are at most some 15,000
/// bins, however many values there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    bins: BTreeMap<i64, u64>,
    count: u64,
    sum: i128,
    ends: Option<(i64, i64)>,
}

impl Histogram {
    /// Counts a value once.
    pub fn add(&mut self, value: i64) {
        self.add_times(value, 1);
    }

    /// Counts a value several times.
    pub fn add_times(&mut self, value: i64, times: u64) {
        if times == 0 {
            return;
        }
        *self.bins.entry(bin(value)).or_default() += times;
        self.count += times;
        self.sum += i128::from(value) * i128::from(times);
        let (least, greatest) = self.ends.unwrap_or((value, value));
        self.ends = Some((least.min(value), greatest.max(value)));
    }

    /// Counts all that another has counted.
    pub fn merge(&mut self, other: &Self) {
        for (bin, count) in &other.bins {
            *self.bins.entry(*bin).or_default() += count;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.ends = match (self.ends, other.ends) {
            (Some(ours), Some(theirs)) => Some((ours.0.min(theirs.0), ours.1.max(theirs.1))),
            (ours, theirs) => ours.or(theirs),
        };
    }

    /// How many values there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// All values together.
    #[must_use]
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// How often a value from -4,095 to 4,095 was counted.
    #[must_use]
    pub fn at(&self, value: i64) -> u64 {
        self.bins.get(&value).copied().unwrap_or(0)
    }

    /// How many values are at least this large; exact up to 4,096.
    #[must_use]
    pub fn at_least(&self, value: i64) -> u64 {
        self.bins.range(value..).map(|(_, count)| count).sum()
    }

    /// The bins by the value nearest to zero in each, in ascending order.
    pub fn bins(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> {
        self.bins.iter().map(|(value, count)| (*value, *count))
    }

    /// The arithmetic mean, if there is a value.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The least value.
    #[must_use]
    pub fn least(&self) -> Option<i64> {
        self.ends.map(|(least, _)| least)
    }

    /// The greatest value.
    #[must_use]
    pub fn greatest(&self) -> Option<i64> {
        self.ends.map(|(_, greatest)| greatest)
    }

    /// The middle value, or the mean of the two in the middle.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        self.quartile(2)
    }

    /// The value a quarter, two or three quarters along the sorted values.
    /// Between two values it lies in proportion, as R and NumPy have it.
    #[must_use]
    pub fn quartile(&self, quarter: u64) -> Option<f64> {
        let steps = self.count.checked_sub(1)?.checked_mul(quarter.min(4))?;
        let (below, rest) = (steps / 4, steps % 4);
        let low = self.ranked(below)?;
        let high = if rest == 0 { low } else { self.ranked(below + 1)? };
        Some(low + (high - low) * rest as f64 / 4.0)
    }

    /// The value with a rank from 0.
    fn ranked(&self, rank: u64) -> Option<f64> {
        let mut passed = 0;
        for (value, count) in &self.bins {
            passed += count;
            if rank < passed {
                return Some(*value as f64);
            }
        }
        None
    }
}

/// The value that stands for all of its bin.
fn bin(value: i64) -> i64 {
    let size = value.unsigned_abs();
    if size < EXACT {
        return value;
    }
    let dropped = u64::BITS - size.leading_zeros() - DIGITS;
    let kept = i64::try_from(size >> dropped << dropped).unwrap_or(i64::MAX);
    if value < 0 { -kept } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[i64]) -> Histogram {
        let mut histogram = Histogram::default();
        values.iter().for_each(|value| histogram.add(*value));
        histogram
    }

    #[test]
    fn quartiles_are_those_of_sorted_values() {
        for (values, quartiles) in [
            (&[7][..], [7.0, 7.0, 7.0]),
            (&[1, 2], [1.25, 1.5, 1.75]),
            (&[3, 1, 2], [1.5, 2.0, 2.5]),
            (&[0, 0, 0, 10], [0.0, 0.0, 2.5]),
            (&[-5, -1, 0, 3, 4], [-1.0, 0.0, 3.0]),
        ] {
            let histogram = of(values);
            let found = [1, 2, 3].map(|quarter| histogram.quartile(quarter).unwrap());
            assert_eq!(found, quartiles, "{values:?}");
        }
        assert_eq!(Histogram::default().median(), None);
        assert_eq!(Histogram::default().mean(), None);
    }

    #[test]
    fn large_values_are_near_and_ends_exact() {
        for value in [4095, 4096, 100_003, -77_777, i64::MAX, i64::MIN] {
            let histogram = of(&[value]);
            assert_eq!((histogram.least(), histogram.greatest()), (Some(value), Some(value)));
            let error = (histogram.median().unwrap() - value as f64).abs() / (value as f64).abs();
            assert!(error <= 1.0 / 64.0, "{value}: {error}");
        }
        let mut all = Histogram::default();
        (0..2_000_000).for_each(|value| all.add(value * 4_000_000_000_000));
        assert!(all.bins().count() < 15_000);
    }

    #[test]
    fn merging_is_counting_all() {
        let mut merged = of(&[1, 5, 9000]);
        merged.merge(&of(&[-3, 5]));
        assert_eq!(merged, of(&[-3, 1, 5, 5, 9000]));
        assert_eq!((merged.at(5), merged.at_least(5), merged.count()), (2, 3, 5));
        assert_eq!(merged.sum(), 9008);
    }
}
