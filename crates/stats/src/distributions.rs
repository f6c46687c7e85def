//! How likely is a value this large? Cumulative distributions and their quantiles.
//!
//! Normal, Student's t, F and binomial stand on the error function and the
//! incomplete beta function. The noncentral t (power) and the studentized range
//! (Tukey) are both averages over the estimated standard deviation, see
//! [`noncentral_t_below`] and [`studentized_range_below`].
//!
//! The only dependency is `libm`, for erfc and ln Γ: it has no dependencies of
//! its own and computes the same bits on every platform. A larger crate would
//! bring neither of the last two distributions.
//!
//! Against scipy 1.17.1 the values agree to about ten digits, tails included,
//! for up to some hundred thousand degrees of freedom; the two averages to an
//! absolute error below 1e-10.

use crate::error::{Error, open_unit};
use crate::special::{beta_regularised, falling_root, normal_below, quadrature, t_two_sided};

/// P(Z ≤ z) of the standard normal distribution.
///
/// # Errors
/// When `z` is NaN.
pub fn normal_cdf(z: f64) -> Result<f64, Error> {
    number("z", z).map(normal_below)
}

/// The z with P(Z ≤ z) = `probability`.
///
/// # Errors
/// When the probability is not strictly between 0 and 1.
pub fn normal_quantile(probability: f64) -> Result<f64, Error> {
    open_unit("probability", probability)?;
    Ok(both_tails(probability, |tail| falling_root(tail, |z| normal_below(-z))))
}

/// P(T ≤ t) of Student's t with these degrees of freedom (any positive number).
///
/// # Errors
/// When `t` is NaN or the degrees are not a positive finite number.
pub fn student_t_cdf(t: f64, degrees: f64) -> Result<f64, Error> {
    let upper = 0.5 * student_t_two_sided(t, degrees)?;
    Ok(if t < 0.0 { upper } else { 1.0 - upper })
}

/// P(|T| ≥ |t|): the two-sided p-value, precise however small.
///
/// # Errors
/// When `t` is NaN or the degrees are not a positive finite number.
pub fn student_t_two_sided(t: f64, degrees: f64) -> Result<f64, Error> {
    number("t", t)?;
    positive("degrees of freedom", degrees)?;
    Ok(t_two_sided(t, degrees))
}

/// The t with P(T ≤ t) = `probability`.
///
/// ```
/// let t = stats::distributions::student_t_quantile(0.975, 3.0)?;
/// assert!((t - 3.182446).abs() < 1e-6);
/// # Ok::<(), stats::Error>(())
/// ```
///
/// # Errors
/// When the probability is not strictly between 0 and 1, the degrees are not a
/// positive finite number, or the quantile is too large for a 64-bit number.
pub fn student_t_quantile(probability: f64, degrees: f64) -> Result<f64, Error> {
    open_unit("probability", probability)?;
    positive("degrees of freedom", degrees)?;
    let quantile = both_tails(probability, |tail| falling_root(tail, |t| 0.5 * t_two_sided(t, degrees)));
    // The search for the bracket ends at a quarter of the largest number.
    if quantile.abs() < f64::MAX / 8.0 { Ok(quantile) } else { Err(Error::TooLarge) }
}

/// P(F ≥ f) of the F distribution.
///
/// # Errors
/// When `f` is NaN or one of the degrees is not a positive finite number.
pub fn f_survival(f: f64, numerator: f64, denominator: f64) -> Result<f64, Error> {
    number("f", f)?;
    positive("numerator degrees of freedom", numerator)?;
    positive("denominator degrees of freedom", denominator)?;
    let ratio = f.max(0.0) * (numerator / denominator);
    if ratio.is_infinite() {
        return Ok(0.0);
    }
    let (x, y) = (1.0 / (1.0 + ratio), ratio / (1.0 + ratio));
    Ok(beta_regularised(0.5 * denominator, 0.5 * numerator, x, y))
}

/// P(X ≤ successes) of the binomial distribution: I at 1 − q of (trials − successes, successes + 1).
///
/// # Errors
/// When the chance of a success is not in [0, 1].
pub fn binomial_cdf(successes: u64, trials: u64, chance: f64) -> Result<f64, Error> {
    if !(0.0..=1.0).contains(&chance) {
        return Err(Error::OutOfRange { name: "chance", value: chance, allowed: "from 0 to 1" });
    }
    if successes >= trials {
        return Ok(1.0);
    }
    let (failures, above) = ((trials - successes) as f64, successes as f64 + 1.0);
    Ok(beta_regularised(failures, above, 1.0 - chance, chance))
}

/// P(T ≤ t) of the noncentral t: T = (Z + δ)/S with S² = χ²(ν)/ν.
///
/// Given S = s this is Φ(t·s − δ); the mean over s is taken by quadrature.
/// Used for [power](crate::power), where δ = d·√n.
///
/// # Errors
/// When `t` or the noncentrality is not finite, or the degrees of freedom are 0.
pub fn noncentral_t_below(t: f64, degrees: u32, noncentrality: f64) -> Result<f64, Error> {
    finite("t", t)?;
    finite("noncentrality", noncentrality)?;
    crate::error::at_least_one("degrees of freedom", degrees)?;
    // The step of Φ(ts − δ) may be far narrower than the density of s.
    let steps = (-9..=9).map(|z| (noncentrality + f64::from(z)) / t);
    let scale = scale_places(degrees, steps);
    Ok(scale
        .iter()
        .map(|&(s, weight)| weight * normal_below(t * s - noncentrality))
        .sum::<f64>()
        .clamp(0.0, 1.0))
}

/// P(Q ≤ q) of the studentized range of `groups` means: Tukey's distribution.
///
/// Q is the range of k standard normal variables over S, S² = χ²(ν)/ν. Given
/// S = s, the range is below w = q·s with probability
/// k ∫ φ(z) (Φ(z) − Φ(z − w))^(k−1) dz; both integrals are taken by quadrature.
///
/// ```
/// let below = stats::distributions::studentized_range_below(3.876777, 3, 10)?;
/// assert!((below - 0.95).abs() < 1e-6);
/// # Ok::<(), stats::Error>(())
/// ```
///
/// # Errors
/// When `q` is NaN, there are fewer than two groups, or the degrees of freedom are 0.
pub fn studentized_range_below(q: f64, groups: u32, degrees: u32) -> Result<f64, Error> {
    number("q", q)?;
    let range = NormalRange::of(groups)?;
    crate::error::at_least_one("degrees of freedom", degrees)?;
    Ok(studentized_range(q, &range, degrees))
}

/// The q with P(Q ≤ q) = `probability`: Tukey's critical value.
///
/// # Errors
/// When the probability is not strictly between 0 and 1, there are fewer than
/// two groups, or the degrees of freedom are 0.
pub fn studentized_range_quantile(probability: f64, groups: u32, degrees: u32) -> Result<f64, Error> {
    open_unit("probability", probability)?;
    let range = NormalRange::of(groups)?;
    crate::error::at_least_one("degrees of freedom", degrees)?;
    Ok(falling_root(1.0 - probability, |q| 1.0 - studentized_range(q, &range, degrees)))
}

fn studentized_range(q: f64, range: &NormalRange, degrees: u32) -> f64 {
    if q <= 0.0 {
        return 0.0;
    }
    if q.is_infinite() {
        return 1.0;
    }
    let steps = (1..=12).map(|w| f64::from(w) / q);
    let scale = scale_places(degrees, steps);
    scale.iter().map(|&(s, weight)| weight * range.below(q * s)).sum::<f64>().clamp(0.0, 1.0)
}

/// The range of independent standard normal variables.
struct NormalRange {
    groups: u32,
    /// z, Φ(z) and φ(z) times the weight of the place.
    places: Vec<(f64, f64, f64)>,
}

impl NormalRange {
    fn of(groups: u32) -> Result<Self, Error> {
        if groups < 2 {
            return Err(Error::TooFew { needed: 2, found: groups as usize });
        }
        let edges: Vec<f64> = (-4..=4).map(|edge| 2.1 * f64::from(edge)).collect();
        let density = |z: f64| (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
        let places = quadrature(&edges);
        Ok(Self {
            groups,
            places: places.iter().map(|&(z, weight)| (z, normal_below(z), weight * density(z))).collect(),
        })
    }

    fn below(&self, width: f64) -> f64 {
        let inside = |&(z, below, weight): &(f64, f64, f64)| {
            weight * (below - normal_below(z - width)).max(0.0).powf(f64::from(self.groups - 1))
        };
        f64::from(self.groups) * self.places.iter().map(inside).sum::<f64>()
    }
}

/// Places and weights, summing to 1, for the mean over S = √(χ²(ν)/ν).
///
/// The density is proportional to s^(ν−1)·exp(−ν s²/2); it is normalised by its
/// own sum. `steps` are places where the averaged function changes quickly.
fn scale_places(degrees: u32, steps: impl Iterator<Item = f64>) -> Vec<(f64, f64)> {
    let degrees = f64::from(degrees);
    let spread = 1.0 / (2.0 * degrees).sqrt();
    let low = (1.0 - 10.0 * spread).max(0.0);
    let high = (1.0 + 24.0 * spread + 80.0 / degrees).sqrt().max(1.0 + 10.0 * spread);
    let mut edges: Vec<f64> = (0..=10).map(|edge| low + (high - low) * f64::from(edge) / 10.0).collect();
    edges.extend(steps.filter(|step| (low..high).contains(step)));
    edges.sort_by(f64::total_cmp);
    let mut places = quadrature(&edges);
    let mut total = 0.0;
    for (s, weight) in &mut places {
        *weight *= ((degrees - 1.0) * s.ln() - 0.5 * degrees * (*s * *s - 1.0)).exp();
        total += *weight;
    }
    for (_, weight) in &mut places {
        *weight /= total;
    }
    // What lies ten deviations out costs time and adds nothing.
    places.retain(|&(_, weight)| weight > 1e-18);
    places
}

/// A quantile of a symmetric distribution from the quantile of its upper tail.
fn both_tails(probability: f64, upper: impl Fn(f64) -> f64) -> f64 {
    if probability == 0.5 {
        0.0
    } else if probability < 0.5 {
        -upper(probability)
    } else {
        upper(1.0 - probability)
    }
}

fn number(name: &'static str, value: f64) -> Result<f64, Error> {
    if value.is_nan() { Err(Error::OutOfRange { name, value, allowed: "a number" }) } else { Ok(value) }
}

fn finite(name: &'static str, value: f64) -> Result<f64, Error> {
    if value.is_finite() { Ok(value) } else { Err(Error::OutOfRange { name, value, allowed: "finite" }) }
}

fn positive(name: &'static str, value: f64) -> Result<f64, Error> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(Error::OutOfRange { name, value, allowed: "positive and finite" })
    }
}

#[cfg(test)]
mod tests;
