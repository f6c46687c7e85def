//! Limits: values on the way there, and where they lead.
//!
//! Nothing here is certain, so a limit is a number only if the values on the
//! way and their extrapolation agree; what is slow or jumps has none.

use crate::ball::Ball;
use crate::eval::Evaluator;
use crate::expr::{Shared, Side};
use crate::rational::Rational;
use crate::value::{Made, Standing, Stop, Value};
use num_bigint::BigInt;
use std::rc::Rc;

/// How many times the distance is halved, or the number doubled.
const HALVINGS: u32 = 28;

/// The limit of an expression where a variable goes to a value.
pub(crate) fn limit(
    evaluator: &mut Evaluator,
    term: &Shared,
    name: &Rc<str>,
    to: &Value,
    side: Side,
) -> Made {
    match (to, side) {
        (Value::Infinite(positive), _) => {
            let sign = if *positive { 1 } else { -1 };
            let values = way(evaluator, term, name, |step| {
                // Whole numbers, since the variable may stand for one.
                Rational::of_big(BigInt::from(sign * 3) << step).map(Value::Exact)
            })?;
            end(&values)
        }
        (Value::Table(_), _) => Err(Stop::Undefined),
        (_, Side::Above) => one_side(evaluator, term, name, to, 1),
        (_, Side::Below) => one_side(evaluator, term, name, to, -1),
        (_, Side::Both) => {
            let above = one_side(evaluator, term, name, to, 1);
            let below = one_side(evaluator, term, name, to, -1);
            match (above, below) {
                (Ok(above), Ok(below)) => match above.compare(&below) {
                    Standing::Equal => Ok(above),
                    Standing::Unclear => Err(Stop::Imprecise),
                    _ => Err(Stop::Undefined),
                },
                // A square root at 0 has one side.
                (Ok(one), Err(Stop::Undefined)) | (Err(Stop::Undefined), Ok(one)) => Ok(one),
                (Err(stop), _) | (_, Err(stop)) => Err(stop),
            }
        }
    }
}

fn one_side(evaluator: &mut Evaluator, term: &Shared, name: &Rc<str>, to: &Value, sign: i64) -> Made {
    let values = way(evaluator, term, name, |step| {
        let away = Rational::new(BigInt::from(sign), BigInt::from(4) << step)?;
        to.add(&Value::Exact(away)).ok()
    })?;
    end(&values)
}

/// The values on the way, as far as they are known.
fn way(
    evaluator: &mut Evaluator,
    term: &Shared,
    name: &Rc<str>,
    place: impl Fn(u32) -> Option<Value>,
) -> Result<Vec<Ball>, Stop> {
    let mut values = Vec::new();
    let mut undefined = 0;
    for step in 0..HALVINGS {
        let Some(at) = place(step) else { break };
        match evaluator.with(name, at, term) {
            Ok(value) => values.push(value.ball()?),
            Err(Stop::Imprecise) if values.len() >= 4 => break,
            // At the beginning it may not be defined yet.
            Err(Stop::Undefined | Stop::Imprecise) if values.is_empty() && undefined < 6 => undefined += 1,
            Err(Stop::Budget) if values.len() >= 8 && evaluator.steps_left() > 0 => break,
            Err(stop) => return Err(stop),
        }
    }
    if values.len() < 6 {
        Err(if values.is_empty() { Stop::Undefined } else { Stop::Imprecise })
    } else {
        Ok(values)
    }
}

fn apart(left: Ball, right: Ball) -> f64 {
    libm::hypot(left.re - right.re, left.im - right.im)
}

/// Where a sequence leads whose places double.
fn end(values: &[Ball]) -> Made {
    if let Some(positive) = grows(values) {
        return Ok(Value::Infinite(positive));
    }
    match extrapolated(values) {
        Ok(value) => Ok(value),
        Err(stop) => settles(values).map(Value::Near).ok_or(stop),
    }
}

fn extrapolated(values: &[Ball]) -> Made {
    // Neville's scheme with halved steps: what is left after taking out 1/2, 1/4, … of the error.
    let mut best: Option<(f64, Ball)> = None;
    let mut row: Vec<Ball> = Vec::new();
    for value in values {
        let mut next = vec![*value];
        for (order, before) in row.iter().enumerate().take(7) {
            let factor = libm::exp2(order as f64 + 1.0);
            let known = next[order];
            let better = |new: f64, old: f64| (factor * new - old) / (factor - 1.0);
            let rad = (factor * known.rad + before.rad) / (factor - 1.0);
            let made = Ball { re: better(known.re, before.re), im: better(known.im, before.im), rad };
            let error = 50.0
                * apart(made, known).max(row.get(order + 1).map_or(f64::INFINITY, |old| apart(made, *old)));
            let error = error + 2.0 * rad + 1e-13 * made.abs();
            if best.as_ref().is_none_or(|(least, _)| error < *least) {
                best = Some((error, made));
            }
            next.push(made);
        }
        row = next;
    }
    let (error, value) = best.ok_or(Stop::Imprecise)?;
    // The values themselves must come closer all the time.
    let from: Vec<f64> = values.iter().map(|one| apart(*one, value)).collect();
    let close = from
        .iter()
        .zip(values)
        .all(|(from, one)| *from <= 1e-9 * (1.0 + value.abs()) + 4.0 * one.rad + error);
    let late = &from[from.len() / 3..];
    let falls = late
        .windows(2)
        .zip(&values[from.len() / 3 + 1..])
        .all(|(pair, one)| pair[1] <= 0.9 * pair[0] + 8.0 * one.rad + error);
    if (falls || close) && error <= 1e-5 * (1.0 + value.abs()) {
        Ok(Value::Near(Ball {
            rad: error,
            im: if value.im.abs() <= error { 0.0 } else { value.im },
            ..value
        }))
    } else {
        Err(Stop::Imprecise)
    }
}

/// The last value, if nothing has changed for long.
fn settles(values: &[Ball]) -> Option<Ball> {
    let last = values.iter().rposition(|value| value.rad <= 1e-9 * (1.0 + value.abs()))?;
    let tail = values.get(last.checked_sub(8)?..=last)?;
    let change = tail.windows(2).map(|pair| apart(pair[0], pair[1])).fold(0.0, f64::max);
    let newest = values[last];
    // Each step must be much smaller than the one before, or there is nothing left to change.
    let halves = tail.windows(3).all(|three| {
        apart(three[1], three[2])
            <= 0.8 * apart(three[0], three[1]) + 4.0 * three[2].rad + 1e-14 * three[2].abs()
    });
    let size = 1.0 + newest.abs();
    (halves && change <= 1e-7 * size).then_some(Ball { rad: newest.rad + 10.0 * change, ..newest })
}

/// Whether the values grow beyond all bounds, and which way.
fn grows(values: &[Ball]) -> Option<bool> {
    let tail = &values[values.len() - 6..];
    let positive = tail[0].re > 0.0;
    let grows = tail.windows(2).all(|pair| {
        let (before, after) = (pair[0], pair[1]);
        let is_real = after.is_real() && (after.re > 0.0) == positive;
        is_real && after.re.abs() > 1.3 * before.re.abs() && after.rad < 0.1 * after.re.abs()
    });
    (grows && tail[5].re.abs() > 1e3).then_some(positive)
}
