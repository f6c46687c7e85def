//! Krippendorff's alpha: any number of raters, gaps allowed.

use crate::error::{Error, check};
use crate::ranks::compare;
use crate::summary::scale_of;

/// What the distance of two values means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Names: 0 when equal, else 1.
    Nominal,
    /// Ranks: the number of values given from the one to the other, ends counted half, squared.
    Ordinal,
    /// Numbers: (a − b)².
    Interval,
}

/// Krippendorff's alpha: 1 − D_o/D_e (Krippendorff 2004, chapter 11).
///
/// `ratings[rater][item]`, `None` where a rater did not judge an item. Items with
/// fewer than two ratings say nothing about agreement and are left out. D_o is
/// the mean squared distance of two ratings of one item (an item with m ratings
/// weighs m), D_e that of any two ratings.
///
/// ```
/// use stats::agreement::{Level, krippendorff_alpha};
///
/// let ratings = [[Some(1.0), Some(0.0), None], [Some(1.0), Some(0.0), Some(2.0)]];
/// assert_eq!(krippendorff_alpha(&ratings, Level::Interval)?, 1.0);
/// # Ok::<(), stats::Error>(())
/// ```
///
/// # Errors
/// When rows differ in length, a value is not finite, no item has two ratings,
/// or all ratings that count are the same.
pub fn krippendorff_alpha<R: AsRef<[Option<f64>]>>(ratings: &[R], level: Level) -> Result<f64, Error> {
    let units = units(ratings)?;
    let pooled: Vec<f64> = units.iter().flatten().copied().collect();
    if pooled.is_empty() {
        return Err(Error::TooFew { needed: 2, found: 0 });
    }
    let scale = Scale::of(&pooled, level);
    if scale.values.len() < 2 {
        return Err(Error::NoVariation);
    }
    let mut observed = 0.0;
    for unit in &units {
        let places: Vec<usize> = unit.iter().map(|&value| scale.place(value)).collect();
        let mut distances = 0.0;
        for (index, &a) in places.iter().enumerate() {
            distances += places[index + 1..].iter().map(|&b| scale.distance(a, b)).sum::<f64>();
        }
        observed += 2.0 * distances / (unit.len() - 1) as f64;
    }
    let mut expected = 0.0;
    for a in 0..scale.values.len() {
        for b in a + 1..scale.values.len() {
            expected += 2.0 * scale.counts[a] * scale.counts[b] * scale.distance(a, b);
        }
    }
    let count = pooled.len() as f64;
    Ok(1.0 - observed * (count - 1.0) / expected)
}

/// The ratings of each item that has at least two.
fn units<R: AsRef<[Option<f64>]>>(ratings: &[R]) -> Result<Vec<Vec<f64>>, Error> {
    let items = ratings.first().map_or(0, |row| row.as_ref().len());
    let mut units = vec![Vec::new(); items];
    for row in ratings {
        let row = row.as_ref();
        if row.len() != items {
            return Err(Error::UnequalLengths { left: items, right: row.len() });
        }
        for (position, rating) in row.iter().enumerate() {
            if let Some(value) = *rating {
                check(&[value], 1).map_err(|_| Error::NotFinite { position })?;
                units[position].push(value);
            }
        }
    }
    units.retain(|unit| unit.len() > 1);
    Ok(units)
}

/// The distinct values, how often each was given, and where each stands on a line.
struct Scale {
    values: Vec<f64>,
    counts: Vec<f64>,
    /// Squared distances on this line are the distances of the level.
    line: Vec<f64>,
    level: Level,
}

impl Scale {
    fn of(pooled: &[f64], level: Level) -> Self {
        let mut sorted = pooled.to_vec();
        sorted.sort_by(|&a, &b| compare(a, b));
        let (mut values, mut counts) = (Vec::new(), Vec::<f64>::new());
        for group in sorted.chunk_by(|a, b| a == b) {
            values.push(group[0]);
            counts.push(group.len() as f64);
        }
        let line = match level {
            Level::Nominal => vec![0.0; values.len()],
            // The sum from a to b less half of both ends is a difference of mid-ranks.
            Level::Ordinal => {
                let mut below = 0.0;
                let middle = |&count: &f64| {
                    below += count;
                    below - 0.5 * count
                };
                counts.iter().map(middle).collect()
            }
            Level::Interval => {
                let scale = scale_of(&values);
                values.iter().map(|value| value / scale).collect()
            }
        };
        Self { values, counts, line, level }
    }

    fn place(&self, value: f64) -> usize {
        self.values.partition_point(|&other| other < value)
    }

    fn distance(&self, a: usize, b: usize) -> f64 {
        match self.level {
            Level::Nominal => f64::from(u8::from(a != b)),
            Level::Ordinal | Level::Interval => (self.line[a] - self.line[b]).powi(2),
        }
    }
}
