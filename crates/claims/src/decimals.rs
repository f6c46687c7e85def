//! Numbers with a point: as many digits as people write, and no more.

use crate::expr::{Expr, Shared};
use crate::judge::Relation;
use crate::rational::Rational;
use crate::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

/// The two sides of a claim.
pub(crate) struct Sides<'s> {
    pub(crate) left: &'s Shared,
    pub(crate) right: &'s Shared,
}

impl Sides<'_> {
    /// Whether two values that differ are the same to the digits that are given. Nothing if no digits are given;
    /// nothing inside if they do not tell.
    pub(crate) fn rounded(&self, relation: Relation, left: &Value, right: &Value) -> Option<Option<bool>> {
        let mut digits: Option<u32> = None;
        for side in [self.left, self.right] {
            side.any(&mut |part| {
                if let Expr::Decimal(value, _) = part {
                    let own = significant(value, part);
                    digits = Some(digits.map_or(own, |known| known.min(own)));
                }
                false
            });
        }
        if relation == Relation::Equal && digits.is_none() {
            return None;
        }
        let (Some(one), Some(other)) = (left.to_f64(), right.to_f64()) else { return Some(None) };
        let size = one.abs().max(other.abs()).max(1e-300);
        let apart = (one - other).abs();
        for (side, written, meant, value) in [(self.left, one, other, right), (self.right, other, one, left)]
        {
            let Some(places) = lone(side) else { continue };
            let unit = libm::pow(10.0, -f64::from(places));
            let cut = meant.abs() - written.abs();
            let agrees =
                apart <= 0.5 * unit * (1.0 + 1e-9) || (meant * written > 0.0 && cut >= 0.0 && cut < unit);
            // An exact value that has room in these digits is not rounded.
            let has_room = matches!(value, Value::Exact(value) if fits(value, places));
            if agrees {
                let exact = matches!((left, right), (Value::Exact(_), Value::Exact(_)));
                let is_sure = !has_room && (relation == Relation::Near || !exact);
                return Some(if has_room && relation == Relation::Equal {
                    Some(false)
                } else {
                    is_sure.then_some(true)
                });
            }
            if relation == Relation::Equal && has_room {
                return Some(Some(false));
            }
            if relation == Relation::Near && apart > 100.0 * unit && apart > 0.01 * size {
                return Some(Some(false));
            }
        }
        if relation == Relation::Near {
            return Some(if apart <= 0.01 * size {
                Some(true)
            } else if apart >= 0.25 * size {
                Some(false)
            } else {
                None
            });
        }
        let loose = 0.5 * libm::pow(10.0, 1.0 - f64::from(digits.unwrap_or(1)));
        Some(if apart > loose * size { Some(false) } else { None })
    }
}

/// The places behind the point, if the side is such a number and nothing else.
fn lone(side: &Shared) -> Option<u32> {
    match &**side {
        Expr::Decimal(_, places) => Some(*places),
        Expr::Neg(inner) => lone(inner),
        _ => None,
    }
}

/// How many digits of a number count.
fn significant(value: &Rational, part: &Expr) -> u32 {
    let places = if let Expr::Decimal(_, places) = part { *places } else { 0 };
    let scaled = value.mul(&Rational::whole(10).pow(i64::from(places)).unwrap_or_else(|| Rational::whole(1)));
    scaled.map_or(1, |scaled| scaled.numer().to_string().trim_start_matches('-').len() as u32)
}

/// Whether a fraction has a finite decimal expansion of at most this length.
fn fits(value: &Rational, places: u32) -> bool {
    places <= 200 && BigInt::from(10).pow(places).mod_floor(value.denom()).is_zero()
}
