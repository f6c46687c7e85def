//! What a claim is at one place.

use super::{Kind, Relation};
use crate::decimals::Sides;
use crate::eval::Evaluator;
use crate::expr::{Expr, Shared};
use crate::rational::{Rational, is_prime};
use crate::value::{Standing, Stop, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// What a place says about a claim.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Holds,
    Violated(String),
    Unclear,
    Undefined(Stop),
}

/// The outcome, and what was computed if it holds.
pub(super) type Seen = (Outcome, Option<String>);

/// Computes both sides and compares them.
pub(super) fn outcome(kind: &Kind, evaluator: &mut Evaluator) -> Seen {
    let made = match kind {
        Kind::Compare(relation, left, right) => return compare(*relation, left, right, evaluator),
        // Resolved claims have none.
        Kind::Primitive(..) => return (Outcome::Undefined(Stop::Undefined), None),
        Kind::Congruent(left, right, modulus) => congruent(left, right, modulus, evaluator),
        Kind::Divides(divisor, number, holds) => divides(divisor, number, *holds, evaluator),
        Kind::Prime(number, holds) => whole(number, evaluator).and_then(|number| {
            let prime = is_prime(&number).ok_or(Stop::Budget)?;
            let holds = if *holds { prime } else { !prime && number > BigInt::one() };
            Ok(said(holds, format!("{} is {}", shown(&number), if prime { "prime" } else { "not prime" })))
        }),
        Kind::Even(number, even) => whole(number, evaluator).map(|number| {
            let is_even = number.is_even();
            said(is_even == *even, format!("{} is {}", shown(&number), if is_even { "even" } else { "odd" }))
        }),
        Kind::Eigenvalues(table, values) => eigenvalues(table, values, evaluator),
    };
    made.unwrap_or_else(|stop| (Outcome::Undefined(stop), None))
}

fn said(holds: bool, what: String) -> Seen {
    if holds { (Outcome::Holds, Some(what)) } else { (Outcome::Violated(what), None) }
}

fn shown(number: &BigInt) -> String {
    Rational::of_big(number.clone()).map_or_else(|| "a long number".to_owned(), |number| number.to_string())
}

fn whole(number: &Shared, evaluator: &mut Evaluator) -> Result<BigInt, Stop> {
    match evaluator.value(number)? {
        Value::Exact(value) => value.as_big().cloned().ok_or(Stop::Undefined),
        _ => Err(Stop::Undefined),
    }
}

pub(super) fn compare(relation: Relation, left: &Shared, right: &Shared, evaluator: &mut Evaluator) -> Seen {
    let sides = Sides { left, right };
    let values = evaluator.value(left).and_then(|left| Ok((left, evaluator.value(right)?)));
    let (one, other) = match values {
        Ok(values) => values,
        Err(stop) => return (Outcome::Undefined(stop), None),
    };
    let is_table = |value: &Value| matches!(value, Value::Table(_));
    if is_table(&one) != is_table(&other) {
        return (Outcome::Undefined(Stop::Undefined), None);
    }
    let standing = one.compare(&other);
    let differs = matches!(standing, Standing::Less | Standing::Greater | Standing::Different);
    if (relation == Relation::Near || (relation == Relation::Equal && differs))
        && let Some(outcome) = sides.rounded(relation, &one, &other)
    {
        return match outcome {
            Some(true) => (Outcome::Holds, Some(format!("{one} and {other}, to the digits given"))),
            Some(false) => {
                (Outcome::Violated(format!("the left side is {one}, the right side {other}")), None)
            }
            None => (Outcome::Unclear, None),
        };
    }
    let holds = match (relation, standing) {
        (_, Standing::Unclear) => None,
        (Relation::Equal | Relation::Near, _) => Some(!differs),
        (Relation::NotEqual, _) => Some(differs),
        (_, Standing::Different) => return (Outcome::Undefined(Stop::Undefined), None),
        (Relation::Less, Standing::Equal) | (Relation::Greater, Standing::Equal) => {
            let exact = matches!((&one, &other), (Value::Exact(_), Value::Exact(_)));
            if exact { Some(false) } else { None }
        }
        (Relation::Less, _) => Some(standing == Standing::Less),
        (Relation::Greater, _) => Some(standing == Standing::Greater),
        (Relation::AtMost, _) => Some(standing != Standing::Greater),
        (Relation::AtLeast, _) => Some(standing != Standing::Less),
    };
    let what = || format!("the left side is {one}, the right side {other}");
    match holds {
        Some(true) if standing == Standing::Equal => (Outcome::Holds, Some(format!("both sides are {one}"))),
        Some(true) => (Outcome::Holds, Some(what())),
        Some(false) => (Outcome::Violated(what()), None),
        None => (Outcome::Unclear, None),
    }
}

fn divides(divisor: &Shared, number: &Shared, holds: bool, evaluator: &mut Evaluator) -> Result<Seen, Stop> {
    let divisor = whole(divisor, evaluator)?;
    if divisor.is_zero() {
        return Err(Stop::Undefined);
    }
    let rest = modular(number, &divisor.abs(), evaluator)?;
    let what = format!("the remainder by {} is {}", shown(&divisor), shown(&rest));
    Ok(said(rest.is_zero() == holds, what))
}

fn congruent(
    left: &Shared,
    right: &Shared,
    modulus: &Shared,
    evaluator: &mut Evaluator,
) -> Result<Seen, Stop> {
    let modulus = whole(modulus, evaluator)?.abs();
    if modulus.is_zero() {
        return Err(Stop::Undefined);
    }
    let left = modular(left, &modulus, evaluator)?;
    let right = modular(right, &modulus, evaluator)?;
    let what = format!("modulo {} they are {} and {}", shown(&modulus), shown(&left), shown(&right));
    Ok(said(left == right, what))
}

/// The remainder of an expression, without computing large powers.
fn modular(expr: &Shared, modulus: &BigInt, evaluator: &mut Evaluator) -> Result<BigInt, Stop> {
    evaluator.spend(1 + modulus.bits() / 64)?;
    let mut inner = |part: &Shared| modular(part, modulus, evaluator);
    let made = match &**expr {
        Expr::Add(parts) => parts.iter().try_fold(BigInt::zero(), |sum, part| Ok(sum + inner(part)?))?,
        Expr::Mul(parts) => {
            parts.iter().try_fold(BigInt::one(), |made, part| Ok((made * inner(part)?) % modulus))?
        }
        Expr::Neg(part) => -inner(part)?,
        Expr::Pow(base, exponent) => {
            let exponent = whole(exponent, evaluator)?;
            let base = modular(base, modulus, evaluator)?;
            evaluator.spend((exponent.bits() + 1) * (1 + modulus.bits() * modulus.bits() / 2_048))?;
            let base =
                if exponent.is_negative() { base.modinv(modulus).ok_or(Stop::Undefined)? } else { base };
            base.modpow(&exponent.abs(), modulus)
        }
        Expr::Div(above, below) => {
            // A quotient that is whole, or the inverse.
            match whole(expr, evaluator) {
                Ok(whole) => whole,
                Err(Stop::Undefined) => {
                    let above = modular(above, modulus, evaluator)?;
                    let below = modular(below, modulus, evaluator)?;
                    above * below.modinv(modulus).ok_or(Stop::Undefined)?
                }
                Err(stop) => return Err(stop),
            }
        }
        _ => whole(expr, evaluator)?,
    };
    Ok(made.mod_floor(modulus))
}

/// Whether each value is one, and there are not fewer than there must be.
fn eigenvalues(table: &Shared, values: &[Shared], evaluator: &mut Evaluator) -> Result<Seen, Stop> {
    let Value::Table(matrix) = evaluator.value(table)? else { return Err(Stop::Undefined) };
    let size = matrix.columns;
    let identity = Value::Table(crate::value::Table::identity(size));
    let mut sum = Value::whole(0);
    for value in values {
        let value = evaluator.value(value)?;
        let shifted = Value::Table(matrix.clone()).add(&identity.mul(&value.neg())?)?;
        let Value::Table(shifted) = shifted else { return Err(Stop::Undefined) };
        let det = shifted.det()?;
        match det.compare(&Value::whole(0)) {
            Standing::Equal => {}
            Standing::Unclear if det.ball().is_ok_and(|det| det.abs() <= 4.0 * det.rad) => {}
            Standing::Unclear => return Ok((Outcome::Unclear, None)),
            _ => return Ok(said(false, format!("det(A − λI) is {det} for λ = {value}"))),
        }
        sum = sum.add(&value)?;
    }
    if values.len() == size {
        let trace = matrix.trace()?;
        let standing = trace.compare(&sum);
        let what = format!("their sum is {sum}, the trace {trace}");
        return Ok(match standing {
            Standing::Unclear => (Outcome::Unclear, None),
            _ => said(standing == Standing::Equal, what),
        });
    }
    Ok(said(true, "det(A − λI) is 0 for each".to_owned()))
}
