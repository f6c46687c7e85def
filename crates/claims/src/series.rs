//! Infinite sums and products.
//!
//! Three kinds have a value: those whose terms fall like a power of a number,
//! alternating ones, and those whose partial sums come closer like a power of
//! the number of terms. What fits none of them has none.

use crate::ball::Ball;
use crate::eval::Evaluator;
use crate::expr::{Big, Shared};
use crate::value::{Made, Stop, Value};
use std::rc::Rc;

/// How many terms tell what kind of series it is.
const FIRST: usize = 48;
/// More terms of a fast one are not added.
const MOST: usize = 1_500;
/// The number of terms of the first partial sum of a slow series; the others double it.
const SHORTEST: usize = 16;
const DOUBLINGS: u32 = 7;

/// The value of an infinite sum or product.
pub(crate) fn infinite(
    evaluator: &mut Evaluator,
    big: Big,
    index: &Rc<str>,
    from: i64,
    term: &Shared,
) -> Made {
    let mut at = |place: usize| -> Result<Ball, Stop> {
        evaluator.with(index, Value::whole(from + place as i64), term)?.ball()
    };
    if big == Big::Product {
        return product(&mut at);
    }
    let mut terms = Vec::with_capacity(FIRST);
    for place in 0..FIRST {
        match at(place) {
            Ok(term) => terms.push(term),
            // A fast one is known before its terms are too small or too long.
            Err(Stop::Imprecise | Stop::Budget) if place >= 24 => break,
            Err(stop) => return Err(stop),
        }
    }
    if let Some(ratio) = ratio(&terms) {
        return fast(&mut at, terms, ratio);
    }
    if terms.len() < FIRST {
        return Err(Stop::Imprecise);
    }
    if alternates(&terms) {
        return alternating(&terms);
    }
    // Terms that do not become small have no sum.
    if terms[FIRST - 1].abs() > 0.9 * terms[FIRST / 2].abs() {
        return Err(Stop::Undefined);
    }
    slow(&mut at, Ball::exact(0.0), Ball::add)
}

/// How fast terms fall, if that is fast: the largest of a window over the largest of the window before.
fn ratio(terms: &[Ball]) -> Option<f64> {
    let largest = |window: &[Ball]| window.iter().map(|term| term.abs()).fold(0.0, f64::max);
    let windows: Vec<f64> = terms.chunks_exact(8).map(largest).collect();
    let late = &windows[windows.len() / 2..];
    let ratios = late.windows(2).map(|pair| if pair[1] == 0.0 { 0.0 } else { pair[1] / pair[0] });
    let ratio = ratios.fold(0.0, f64::max);
    // Powers of the index fall, too, but ever more slowly.
    let earlier = if late.len() > 1 && late[0] > 0.0 { late[1] / late[0] } else { 0.0 };
    (windows.len() >= 3 && ratio < 0.3 && earlier < 0.3).then_some(ratio).or_else(|| steady(terms))
}

/// Terms of one sign or alternating whose quotient hardly changes and is clearly below 1.
fn steady(terms: &[Ball]) -> Option<f64> {
    let quotients: Vec<f64> = terms.windows(2).map(|pair| pair[1].abs() / pair[0].abs()).collect();
    let quotients = quotients.get(24..)?;
    let (first, last) = (*quotients.first()?, *quotients.last()?);
    let most = quotients.iter().copied().fold(0.0, f64::max);
    // For n^-p times r^n it is r(1 - p/n): it may rise, but not to 1.
    let ahead = last + 2.5 * (last - first).max(0.0);
    (most.is_finite() && ahead < 0.97 && most < 0.97).then_some(libm::pow(ahead.max(most), 8.0))
}

fn fast(at: &mut dyn FnMut(usize) -> Result<Ball, Stop>, terms: Vec<Ball>, ratio: f64) -> Made {
    let mut sum = Ball::exact(0.0);
    let mut window = 0.0_f64;
    for place in 0..MOST {
        let term = match terms.get(place) {
            Some(term) => *term,
            None => match at(place) {
                Ok(term) => term,
                Err(Stop::Imprecise) => break,
                Err(stop) => return Err(stop),
            },
        };
        sum = sum.add(term)?;
        window = window.max(term.abs());
        if place % 8 == 7 {
            let tail = 16.0 * window / (1.0 - ratio);
            if place >= 31 && tail <= 1e-15 * sum.abs().max(1e-3) {
                return Ok(Value::Near(Ball { rad: sum.rad + tail, ..sum }));
            }
            window = 0.0;
        }
    }
    let tail = 16.0 * window / (1.0 - ratio);
    if tail <= 1e-10 * sum.abs().max(1e-3) && window > 0.0 {
        Ok(Value::Near(Ball { rad: sum.rad + tail, ..sum }))
    } else {
        Err(Stop::Imprecise)
    }
}

fn alternates(terms: &[Ball]) -> bool {
    let real = terms.iter().all(|term| term.is_real());
    let turns = terms[4..].windows(2).all(|pair| pair[0].re * pair[1].re < 0.0);
    real && turns && terms[8..].windows(2).all(|pair| pair[1].re.abs() < pair[0].re.abs())
}

/// Cohen, Rodriguez Villegas and Zagier, "Convergence acceleration of alternating series", algorithm 1; with
/// two numbers of terms.
fn alternating(terms: &[Ball]) -> Made {
    let mut sums = [0.0_f64; 2];
    let lead = 8;
    let head = terms[..lead].iter().try_fold(Ball::exact(0.0), |sum, term| sum.add(*term))?;
    for (sum, count) in sums.iter_mut().zip([22_usize, 30]) {
        let n = count as f64;
        let power = libm::pow(3.0 + libm::sqrt(8.0), n);
        let d = (power + 1.0 / power) / 2.0;
        let (mut b, mut c) = (-1.0, -d);
        for (place, term) in terms[lead..lead + count].iter().enumerate() {
            let k = place as f64;
            c = b - c;
            *sum += c * term.re.abs();
            b = (k + n) * (k - n) * b / ((k + 0.5) * (k + 1.0));
        }
        *sum *= terms[lead].re.signum() / d;
    }
    let error = 20.0 * (sums[0] - sums[1]).abs() + 1e-13;
    let tail = Ball::with_error(sums[1], error + terms[lead].rad);
    if error > 1e-8 { Err(Stop::Imprecise) } else { Ok(Value::Near(head.add(tail)?)) }
}

fn product(at: &mut dyn FnMut(usize) -> Result<Ball, Stop>) -> Made {
    slow(at, Ball::exact(1.0), Ball::mul)
}

/// Partial sums at doubled numbers of terms, and where they lead: their distance to the sum falls like a power
/// of the number of terms, and the rest like the powers below.
fn slow(
    at: &mut dyn FnMut(usize) -> Result<Ball, Stop>,
    start: Ball,
    of: fn(Ball, Ball) -> Result<Ball, Stop>,
) -> Made {
    let (mut partial, mut sums) = (start, Vec::new());
    let mut next = SHORTEST;
    for place in 0..SHORTEST << DOUBLINGS {
        partial = of(partial, at(place)?)?;
        if place + 1 == next {
            sums.push(partial);
            next *= 2;
        }
    }
    let steps: Vec<f64> = sums.windows(2).map(|pair| pair[1].re - pair[0].re).collect();
    let [.., before, last] = steps.as_slice() else { return Err(Stop::Imprecise) };
    let newest = sums[sums.len() - 1];
    if sums.iter().any(|sum| !sum.is_real()) {
        return Err(Stop::Imprecise);
    }
    if last.abs() <= 1e-14 * newest.abs() && before.abs() <= 1e-14 * newest.abs() {
        return Ok(Value::Near(Ball { rad: newest.rad + 1e-13 * newest.abs(), ..newest }));
    }
    let falls = before / last;
    // Hardly faster than not at all: 1/n has no sum, and 1/(n ln² n) nobody can add.
    if falls.is_nan() || falls <= 1.2 {
        return Err(Stop::Undefined);
    }
    let power = libm::log2(falls);
    let nearest = libm::round(power * 2.0) / 2.0;
    if (power - nearest).abs() > 0.02 || nearest < 0.5 {
        return bracketed(newest, *last, falls);
    }
    let mut rows = sums.iter().map(|sum| sum.re).collect::<Vec<f64>>();
    let (mut order, mut tips) = (nearest, Vec::new());
    while rows.len() > 2 {
        let factor = libm::exp2(order);
        rows = rows.windows(2).map(|pair| (factor * pair[1] - pair[0]) / (factor - 1.0)).collect();
        tips.push(rows[rows.len() - 1]);
        order += 1.0;
    }
    let closest = tips.windows(2).map(|pair| ((pair[1] - pair[0]).abs(), pair[1]));
    let (apart, value) = closest.min_by(|left, right| left.0.total_cmp(&right.0)).ok_or(Stop::Imprecise)?;
    let error = 100.0 * apart + 16.0 * newest.rad + 1e-13 * value.abs();
    if error > 1e-6 * (1e-3 + value.abs()) {
        return bracketed(newest, *last, falls);
    }
    Ok(Value::Near(Ball::with_error(value, error)))
}

/// What is left lies between nothing and some multiple of the last step.
fn bracketed(newest: Ball, last: f64, falls: f64) -> Made {
    if falls < 1.35 {
        return Err(Stop::Imprecise);
    }
    let left = 2.0 * last / (falls - 1.0);
    Ok(Value::Near(Ball::with_error(newest.re + left / 2.0, left.abs() + newest.rad)))
}
