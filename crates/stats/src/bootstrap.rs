//! Intervals by resampling: what would other topics of the same kind have given?
//!
//! A resample draws as many values as there are, each equally likely each time.
//! The middle part of the statistic's values over many resamples is the interval
//! (Efron & Tibshirani 1993). The result depends on the seed, which belongs next
//! to it in a report.

use crate::distributions::normal_quantile;
use crate::error::{Error, at_least_one, check, open_unit};
use crate::rng::Rng;
use crate::special::normal_below;
use crate::summary::{Interval, Moments};

/// Which part of the resampled values becomes the interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The values between the (1 − level)/2 and (1 + level)/2 quantiles.
    Percentile,
    /// The quantiles moved for bias z₀ and acceleration a (Efron 1987):
    /// Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))). Second-order correct, also for skewed statistics.
    BiasCorrectedAccelerated,
}

/// How to resample.
///
/// ```
/// use stats::bootstrap::{Bootstrap, Method};
///
/// let scores = [0.5, 0.6, 0.7, 0.2, 0.4, 0.9, 0.1, 0.3];
/// let bootstrap = Bootstrap { resamples: 2_000, seed: 1, level: 0.95, method: Method::Percentile };
/// let interval = bootstrap.mean_interval(&scores)?;
/// assert!(interval.low > 0.25 && interval.high < 0.65);
/// # Ok::<(), stats::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// How many times to draw; thousands for the ends of a 95 % interval.
    pub resamples: u32,
    /// The seed of the generator.
    pub seed: u64,
    /// The share of resamples inside, such as 0.95.
    pub level: f64,
    /// How the ends are placed.
    pub method: Method,
}

impl Bootstrap {
    /// The interval of the mean.
    ///
    /// # Errors
    /// As [`Bootstrap::interval`].
    pub fn mean_interval(&self, values: &[f64]) -> Result<Interval, Error> {
        self.interval(values, |sample| Moments::of(sample).mean())
    }

    /// The interval of any statistic of a list.
    ///
    /// Ends are quantiles with linear interpolation between the two nearest
    /// resampled values. A statistic that is the same in every resample gives an
    /// interval of width 0.
    ///
    /// # Errors
    /// When there are fewer than two values, one is not finite, a parameter is
    /// out of range, or the statistic of a resample is not a finite number.
    pub fn interval(&self, values: &[f64], statistic: impl Fn(&[f64]) -> f64) -> Result<Interval, Error> {
        check(values, 2)?;
        open_unit("level", self.level)?;
        at_least_one("resamples", self.resamples)?;
        let tail = 0.5 * (1.0 - self.level);
        let mut resampled = self.resample(values, &statistic)?;
        resampled.sort_by(f64::total_cmp);
        let (low, high) = match self.method {
            Method::Percentile => (tail, 1.0 - tail),
            Method::BiasCorrectedAccelerated => {
                let correction = Correction::of(values, &statistic, &resampled)?;
                let z = normal_quantile(tail)?;
                (correction.place(z), correction.place(-z))
            }
        };
        Ok(Interval { low: quantile(&resampled, low), high: quantile(&resampled, high) })
    }

    /// The percentile interval of a statistic that draws its resamples itself, where these are more than a
    /// list of values. A resample for which it has no value is left out.
    ///
    /// ```
    /// # use stats::bootstrap::{Bootstrap, Method};
    /// let bootstrap = Bootstrap { resamples: 1_000, seed: 1, level: 0.9, method: Method::Percentile };
    /// let interval = bootstrap.interval_of(|rng| Some(rng.unit()))?;
    /// assert!((interval.low - 0.05).abs() < 0.03 && (interval.high - 0.95).abs() < 0.03);
    /// # Ok::<(), stats::Error>(())
    /// ```
    ///
    /// # Errors
    /// When a parameter is out of range, no resample has a value, or one is not a finite number.
    pub fn interval_of(&self, mut statistic: impl FnMut(&mut Rng) -> Option<f64>) -> Result<Interval, Error> {
        open_unit("level", self.level)?;
        at_least_one("resamples", self.resamples)?;
        let mut rng = Rng::seeded(self.seed);
        let drawn = (0..self.resamples).filter_map(|_| statistic(&mut rng));
        let mut resampled = drawn.map(finite).collect::<Result<Vec<f64>, Error>>()?;
        if resampled.is_empty() {
            return Err(Error::TooFew { needed: 1, found: 0 });
        }
        resampled.sort_by(f64::total_cmp);
        let tail = 0.5 * (1.0 - self.level);
        Ok(Interval { low: quantile(&resampled, tail), high: quantile(&resampled, 1.0 - tail) })
    }

    fn resample(&self, values: &[f64], statistic: &impl Fn(&[f64]) -> f64) -> Result<Vec<f64>, Error> {
        let mut rng = Rng::seeded(self.seed);
        let mut sample = vec![0.0; values.len()];
        let mut resampled = Vec::with_capacity(self.resamples as usize);
        for _ in 0..self.resamples {
            sample.fill_with(|| values[rng.index(values.len())]);
            resampled.push(finite(statistic(&sample))?);
        }
        Ok(resampled)
    }
}

/// Bias and acceleration of a bootstrap distribution.
struct Correction {
    bias: f64,
    acceleration: f64,
}

impl Correction {
    fn of(values: &[f64], statistic: &impl Fn(&[f64]) -> f64, resampled: &[f64]) -> Result<Self, Error> {
        let estimate = finite(statistic(values))?;
        let below = resampled.iter().filter(|&&value| value < estimate).count() as f64;
        let equal = resampled.iter().filter(|&&value| value == estimate).count() as f64;
        let count = resampled.len() as f64;
        // All on one side would put the bias at infinity; half a resample keeps it finite.
        let share = ((below + 0.5 * equal) / count).clamp(0.5 / count, 1.0 - 0.5 / count);
        Ok(Self { bias: normal_quantile(share)?, acceleration: acceleration(values, statistic)? })
    }

    /// The quantile that stands in for Φ(z).
    fn place(&self, z: f64) -> f64 {
        let moved = self.bias + z;
        normal_below(self.bias + moved / (1.0 - self.acceleration * moved))
    }
}

/// A sixth of the skewness of the statistic when one value at a time is left out.
fn acceleration(values: &[f64], statistic: &impl Fn(&[f64]) -> f64) -> Result<f64, Error> {
    let mut without = values[1..].to_vec();
    let mut left_out = Vec::with_capacity(values.len());
    for place in 0..values.len() {
        left_out.push(finite(statistic(&without))?);
        if place < without.len() {
            without[place] = values[place];
        }
    }
    let moments = Moments::of(&left_out);
    let deviation = moments.deviation();
    if deviation == 0.0 || !deviation.is_finite() {
        return Ok(0.0);
    }
    let mean = moments.mean();
    let (squares, cubes) = left_out.iter().fold((0.0, 0.0), |(squares, cubes), value| {
        let distance = (mean - value) / deviation;
        (squares + distance * distance, cubes + distance.powi(3))
    });
    let acceleration = cubes / (6.0 * f64::powf(squares, 1.5));
    Ok(if acceleration.is_finite() { acceleration } else { 0.0 })
}

/// A quantile of sorted values, with linear interpolation.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    if below == above {
        return below;
    }
    let part = place.fract();
    below * (1.0 - part) + above * part
}

fn finite(value: f64) -> Result<f64, Error> {
    if value.is_finite() { Ok(value) } else { Err(Error::StatisticNotFinite) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SKEWED: [f64; 12] = [0.02, 0.05, 0.05, 0.08, 0.1, 0.13, 0.2, 0.22, 0.3, 0.41, 0.6, 0.95];

    fn bootstrap(method: Method) -> Bootstrap {
        Bootstrap { resamples: 100_000, seed: 11, level: 0.95, method }
    }

    /// scipy 1.17.1, `stats.bootstrap` with 200,000 resamples; two draws of this
    /// size differ by a few units in the third place.
    #[test]
    fn intervals_agree_with_scipy_up_to_chance() {
        for (method, low, high) in SCIPY {
            let interval = bootstrap(method).mean_interval(&SKEWED).unwrap();
            assert!((interval.low - low).abs() < 3e-3, "{method:?} {interval:?}");
            assert!((interval.high - high).abs() < 3e-3, "{method:?} {interval:?}");
        }
    }

    const SCIPY: [(Method, f64, f64); 2] = [
        (Method::Percentile, 0.1275, 0.42333333),
        (Method::BiasCorrectedAccelerated, 0.14666667, 0.47083333),
    ];

    #[test]
    fn a_seed_gives_the_same_interval_again() {
        let short = Bootstrap { resamples: 200, ..bootstrap(Method::BiasCorrectedAccelerated) };
        assert_eq!(short.mean_interval(&SKEWED), short.mean_interval(&SKEWED));
        let other = Bootstrap { seed: 12, ..short };
        assert_ne!(short.mean_interval(&SKEWED), other.mean_interval(&SKEWED));
    }

    #[test]
    fn degenerate_input_has_an_outcome() {
        let percentile = bootstrap(Method::Percentile);
        assert_eq!(percentile.mean_interval(&[1.0]), Err(Error::TooFew { needed: 2, found: 1 }));
        assert!(Bootstrap { resamples: 0, ..percentile }.mean_interval(&SKEWED).is_err());
        assert!(Bootstrap { level: 0.0, ..percentile }.mean_interval(&SKEWED).is_err());
        assert_eq!(percentile.interval(&SKEWED, |_| f64::NAN), Err(Error::StatisticNotFinite));
        for method in [Method::Percentile, Method::BiasCorrectedAccelerated] {
            let short = Bootstrap { resamples: 50, ..bootstrap(method) };
            assert_eq!(short.mean_interval(&[0.1; 4]), Ok(Interval { low: 0.1, high: 0.1 }));
        }
    }

    #[test]
    fn a_statistic_may_draw_itself_and_have_no_value() {
        let percentile = Bootstrap { resamples: 200, ..bootstrap(Method::Percentile) };
        let mean = |rng: &mut super::Rng| {
            let drawn = SKEWED.map(|_| SKEWED[rng.index(SKEWED.len())]);
            Some(Moments::of(&drawn).mean())
        };
        assert_eq!(percentile.interval_of(mean), percentile.mean_interval(&SKEWED));
        let mut calls = 0;
        let odd = percentile.interval_of(|_| {
            calls += 1;
            (calls % 2 == 1).then_some(0.5)
        });
        assert_eq!((odd, calls), (Ok(Interval { low: 0.5, high: 0.5 }), 200));
        assert_eq!(percentile.interval_of(|_| None), Err(Error::TooFew { needed: 1, found: 0 }));
        assert_eq!(percentile.interval_of(|_| Some(f64::NAN)), Err(Error::StatisticNotFinite));
    }

    #[test]
    fn quantiles_interpolate() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert_eq!(quantile(&[1.0], 0.3), 1.0);
    }

    proptest! {
        #[test]
        fn ends_are_ordered_and_inside_the_values(
            values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::ZERO, 2..12),
            seed: u64,
        ) {
            for method in [Method::Percentile, Method::BiasCorrectedAccelerated] {
                let bootstrap = Bootstrap { resamples: 60, seed, level: 0.9, method };
                let interval = bootstrap.mean_interval(&values).unwrap();
                let (low, high) = crate::summary::ends(&values);
                prop_assert!(low <= interval.low && interval.high <= high);
                if method == Method::Percentile {
                    prop_assert!(interval.low <= interval.high);
                }
            }
        }
    }
}
