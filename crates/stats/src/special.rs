//! Numerical tools under the distributions: incomplete beta, quadrature, root finding.
//!
//! Private to the crate. Arguments are checked by the callers.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The share of a standard normal variable below `z`: erfc(−z/√2)/2, precise in both tails.
pub(crate) fn normal_below(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// P(|T| ≥ |t|) for Student's t: I_x(ν/2, 1/2) at x = ν/(ν + t²).
pub(crate) fn t_two_sided(t: f64, degrees: f64) -> f64 {
    // Written with t²/ν so that a huge t does not give inf/inf.
    let ratio = (t / degrees.sqrt()).powi(2);
    if ratio > 1e300 {
        // Only the first term of the series in x is left, x^a/(a B(a, 1/2)).
        let (a, ln_x) = (degrees / 2.0, degrees.ln() - 2.0 * t.abs().ln());
        return ((a * ln_x - ln_beta(a, 0.5)).exp() / a).min(1.0);
    }
    beta_regularised(degrees / 2.0, 0.5, 1.0 / (1.0 + ratio), ratio / (1.0 + ratio))
}

/// The regularised incomplete beta function I_x(a, b), where `y` is 1 − x.
///
/// The continued fraction of Abramowitz & Stegun 26.5.8, evaluated from the
/// front with Lentz's method; beyond the mean the fraction of the other tail
/// converges faster and gives the complement. The number of steps grows with
/// the square root of the larger parameter. Both `x` and `y` are asked for,
/// since a caller can often give the smaller one more precisely than 1 − x.
pub(crate) fn beta_regularised(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    let ln_front = a * ln_of(x, y) + b * ln_of(y, x) - ln_beta(a, b);
    let value = if x <= (a + 1.0) / (a + b + 2.0) {
        ln_front.exp() * beta_fraction(a, b, x) / a
    } else {
        1.0 - ln_front.exp() * beta_fraction(b, a, y) / b
    };
    value.clamp(0.0, 1.0)
}

/// ln B(a, b) = ln Γ(a) + ln Γ(b) − ln Γ(a + b).
///
/// For a large parameter, the difference of two of these is taken from
/// Stirling's series, where the large parts cancel on paper.
fn ln_beta(a: f64, b: f64) -> f64 {
    let (small, large) = (a.min(b), a.max(b));
    let growth = if large < 20.0 {
        libm::lgamma(large + small) - libm::lgamma(large)
    } else {
        let rest = |x: f64| {
            (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / 1680.0 / (x * x)) / (x * x)) / (x * x)) / x
        };
        (large - 0.5) * libm::log1p(small / large) + small * (large + small).ln() - small
            + rest(large + small)
            - rest(large)
    };
    libm::lgamma(small) - growth
}

/// ln x, by way of the complement when x is near 1.
fn ln_of(x: f64, complement: f64) -> f64 {
    if x > 0.5 { libm::log1p(-complement) } else { x.ln() }
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let limit = 200 + 20 * a.max(b).min(1e12).sqrt() as u32;
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..=limit {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away(1.0 + even * d);
        c = away(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away(1.0 + odd * d);
        c = away(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-16 {
            break;
        }
    }
    fraction
}

/// Points in each panel of [`quadrature`].
const POINTS: usize = 16;

/// Places and weights for ∫ f over neighbouring panels, sixteen Gauss–Legendre points each.
///
/// `edges` are the borders of the panels in rising order; empty panels are skipped.
pub(crate) fn quadrature(edges: &[f64]) -> Vec<(f64, f64)> {
    let rule = gauss_legendre();
    let mut places = Vec::with_capacity(edges.len() * POINTS);
    for panel in edges.windows(2) {
        let (middle, half) = (0.5 * (panel[0] + panel[1]), 0.5 * (panel[1] - panel[0]));
        if half > 0.0 {
            places.extend(rule.iter().map(|(place, weight)| (middle + half * place, half * weight)));
        }
    }
    places
}

/// Roots of the Legendre polynomial by Newton's method, and the weights 2/((1−x²)P′(x)²).
fn gauss_legendre() -> [(f64, f64); POINTS] {
    let n = POINTS as f64;
    std::array::from_fn(|index| {
        let mut x = (PI * (index as f64 + 0.75) / (n + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..20 {
            let (mut before, mut value) = (1.0, x);
            for degree in 2..=POINTS {
                let degree = degree as f64;
                (before, value) =
                    (value, ((2.0 * degree - 1.0) * x * value - (degree - 1.0) * before) / degree);
            }
            slope = n * (x * value - before) / (x * x - 1.0);
            let step = value / slope;
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    })
}

/// Where a falling function of x ≥ 0 reaches `target`.
///
/// The bracket is doubled from 1 until it holds the place, then narrowed by
/// the secant rule with Illinois weights, and by halving whenever that is slow.
pub(crate) fn falling_root(target: f64, function: impl Fn(f64) -> f64) -> f64 {
    let mut high = 1.0;
    let mut at_high = function(high) - target;
    let (mut low, mut at_low) = (0.0, function(0.0) - target);
    if at_low <= 0.0 {
        return 0.0;
    }
    while at_high > 0.0 && high < f64::MAX / 4.0 {
        (low, at_low) = (high, at_high);
        high *= 2.0;
        at_high = function(high) - target;
    }
    for round in 0..200 {
        if (high - low) <= 4.0 * f64::EPSILON * high || at_high == 0.0 {
            break;
        }
        let secant = (low * at_high - high * at_low) / (at_high - at_low);
        let middle =
            if round % 3 == 2 || !(low < secant && secant < high) { 0.5 * (low + high) } else { secant };
        let at_middle = function(middle) - target;
        if at_middle > 0.0 {
            (low, at_low) = (middle, at_middle);
            at_high *= 0.5;
        } else {
            (high, at_high) = (middle, at_middle);
            at_low *= 0.5;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: f64, expected: f64, relative: f64) {
        assert!((found - expected).abs() <= relative * expected.abs(), "{found:e} is not {expected:e}");
    }

    /// scipy 1.17.1, `special.betainc`.
    #[test]
    fn incomplete_beta_agrees_with_scipy() {
        for (a, b, x, expected) in BETAINC {
            close(beta_regularised(a, b, x, 1.0 - x), expected, 1e-11);
        }
    }

    const BETAINC: [(f64, f64, f64, f64); 7] = [
        (0.5, 0.5, 0.3, 0.36901011956554536),
        (2.0, 3.0, 0.9, 0.9963),
        (10.0, 0.5, 0.999, 0.8888967091248604),
        (1.5, 0.5, 1e-12, 4.244131815785148e-19),
        (50_000.0, 0.5, 0.9999, 0.0015650197621734966),
        (30.0, 40.0, 0.1, 6.029599569246279e-13),
        (200.0, 300.0, 0.42, 0.8196010664172663),
    ];

    #[test]
    fn quadrature_is_exact_for_polynomials() {
        let sum: f64 = quadrature(&[0.0, 0.5, 0.5, 2.0]).iter().map(|(x, weight)| weight * x.powi(9)).sum();
        close(sum, 102.4, 1e-14);
    }

    #[test]
    fn the_root_is_found_near_and_far() {
        close(falling_root(0.25, |x| 1.0 / (1.0 + x)), 3.0, 1e-15);
        close(falling_root(1e-9, |x| 1.0 / (1.0 + x)), 1e9 - 1.0, 1e-12);
        close(falling_root(0.999, |x| (-x).exp()), -0.999_f64.ln(), 1e-12);
        assert_eq!(falling_root(2.0, |x| (-x).exp()), 0.0);
    }
}
