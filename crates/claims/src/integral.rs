//! Definite integrals by the double exponential rule, with an estimate of the error.
//!
//! Each integral is computed with two steps, and once more in two pieces; where
//! the three disagree, as at a pole inside or for slow decay, there is no value.

use crate::ball::Ball;
use crate::eval::Evaluator;
use crate::expr::Shared;
use crate::value::{Made, Stop, Value};
use std::f64::consts::FRAC_PI_2;
use std::rc::Rc;

/// How finely the coarser of the two sums is made; the finer has half the step. The second is tried if the first
/// is not enough.
const STEPS: [f64; 2] = [1.0 / 8.0, 1.0 / 32.0];
/// Disagreement beyond this, relative to the size of the integral, makes it unknown.
const LARGEST: f64 = 1e-7;

/// Where an integral goes.
#[derive(Clone, Copy, Debug)]
enum Path {
    Between(f64, f64),
    /// From a number up to infinity, or down from one.
    Beyond(f64, f64),
    All,
}

impl Path {
    /// A place on the way, how far it is from the nearer end, and its weight.
    fn at(self, t: f64) -> (f64, f64) {
        let (inner, slope) = (FRAC_PI_2 * libm::sinh(t), FRAC_PI_2 * libm::cosh(t));
        match self {
            Self::Between(low, high) => {
                let half = (high - low) / 2.0;
                // Close to an end the distance to it is what counts.
                let near = libm::exp(-inner.abs()) / libm::cosh(inner);
                let x = if t < 0.0 { low + half * near } else { high - half * near };
                (x, half * slope / (libm::cosh(inner) * libm::cosh(inner)))
            }
            Self::Beyond(from, sign) => {
                let away = libm::exp(inner);
                (from + sign * away, away * slope)
            }
            Self::All => (libm::sinh(inner), libm::cosh(inner) * slope),
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Sum {
    re: f64,
    im: f64,
    rad: f64,
    /// What the parts amount to without their signs.
    size: f64,
}

impl Sum {
    fn add(&mut self, ball: Ball, weight: f64) -> f64 {
        self.re += ball.re * weight;
        self.im += ball.im * weight;
        let part = ball.abs() * weight;
        self.rad += ball.rad * weight + part * 8.0 * f64::EPSILON;
        self.size += part;
        part
    }
}

/// The integral of an expression over a variable.
pub(crate) fn definite(
    evaluator: &mut Evaluator,
    term: &Shared,
    name: &Rc<str>,
    low: &Value,
    high: &Value,
) -> Made {
    if let (Value::Exact(low), Value::Exact(high)) = (low, high)
        && low.compare(high) == std::cmp::Ordering::Equal
    {
        return Ok(Value::whole(0));
    }
    let end = |value: &Value| match value {
        Value::Infinite(true) => Ok(f64::INFINITY),
        Value::Infinite(false) => Ok(f64::NEG_INFINITY),
        _ => value.to_f64().ok_or(Stop::Undefined),
    };
    let (low, high) = (end(low)?, end(high)?);
    if low > high {
        return Ok(Value::Near(between(evaluator, term, name, high, low)?.neg()));
    }
    between(evaluator, term, name, low, high).map(Value::Near)
}

fn between(
    evaluator: &mut Evaluator,
    term: &Shared,
    name: &Rc<str>,
    low: f64,
    high: f64,
) -> Result<Ball, Stop> {
    let (path, split) = match (low.is_finite(), high.is_finite()) {
        (true, true) => {
            // Not in the middle, where poles are.
            let middle = low + (high - low) * 0.381_966;
            (Path::Between(low, high), [Path::Between(low, middle), Path::Between(middle, high)])
        }
        (true, false) => {
            (Path::Beyond(low, 1.0), [Path::Between(low, low + 1.7), Path::Beyond(low + 1.7, 1.0)])
        }
        (false, true) => {
            (Path::Beyond(high, -1.0), [Path::Beyond(high - 1.7, -1.0), Path::Between(high - 1.7, high)])
        }
        (false, false) => (Path::All, [Path::Beyond(0.3, -1.0), Path::Beyond(0.3, 1.0)]),
    };
    let mut known = Err(Stop::Imprecise);
    for step in STEPS {
        known = by_steps(evaluator, term, name, path, split, step);
        if !matches!(known, Err(Stop::Imprecise)) {
            break;
        }
    }
    known
}

fn by_steps(
    evaluator: &mut Evaluator,
    term: &Shared,
    name: &Rc<str>,
    path: Path,
    split: [Path; 2],
    step: f64,
) -> Result<Ball, Stop> {
    let coarse = sum(evaluator, term, name, path, step)?;
    let fine = sum(evaluator, term, name, path, step / 2.0)?;
    let first = sum(evaluator, term, name, split[0], step / 2.0)?;
    let second = sum(evaluator, term, name, split[1], step / 2.0)?;
    let apart = libm::hypot(coarse.re - fine.re, coarse.im - fine.im);
    let pieces = libm::hypot(first.re + second.re - fine.re, first.im + second.im - fine.im);
    let size = fine.size.max(1e-12);
    let error = apart.max(pieces);
    if error.is_nan() || error > LARGEST * size {
        return Err(Stop::Imprecise);
    }
    Ok(Ball { re: fine.re, im: fine.im, rad: 10.0 * error + fine.rad + 1e-13 * size })
}

fn sum(evaluator: &mut Evaluator, term: &Shared, name: &Rc<str>, path: Path, step: f64) -> Result<Sum, Stop> {
    let mut sum = Sum::default();
    let mut value = |t: f64, sum: &mut Sum| -> Result<Option<f64>, Stop> {
        let (x, weight) = path.at(t);
        if !x.is_finite() || !weight.is_finite() || weight == 0.0 {
            return Ok(None);
        }
        if let Path::Between(low, high) = path
            && (x <= low || x >= high)
        {
            return Ok(None);
        }
        match evaluator.with(name, Value::Near(Ball::exact(x)), term) {
            Ok(value) => {
                let part = sum.add(value.ball()?, weight * step);
                Ok(part.is_finite().then_some(part))
            }
            Err(Stop::Undefined | Stop::Imprecise) => Ok(None),
            Err(stop) => Err(stop),
        }
    };
    value(0.0, &mut sum)?.ok_or(Stop::Undefined)?;
    for sign in [-1.0, 1.0] {
        let (mut last, mut small) = (f64::INFINITY, 0);
        for place in 1..=640 {
            let t = sign * step * f64::from(place);
            if t.abs() > 6.5 {
                break;
            }
            match value(t, &mut sum)? {
                // Nothing more comes from out here.
                Some(part) if part <= 1e-17 * sum.size => small += 1,
                Some(part) => (last, small) = (part, 0),
                None if last <= 1e-8 * sum.size || small > 0 => break,
                None => return Err(Stop::Imprecise),
            }
            if small >= 4 {
                break;
            }
        }
        if small == 0 && last > 1e-8 * sum.size {
            return Err(Stop::Imprecise);
        }
    }
    Ok(sum)
}
