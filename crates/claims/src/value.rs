//! Values of expressions: exact where they can be, otherwise with a bound of the error.

use crate::ball::Ball;
use crate::rational::Rational;
use num_traits::ToPrimitive;

/// Why a value cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// There is none at this place.
    Undefined,
    /// Rounding or slow convergence leaves too little of it.
    Imprecise,
    /// It would take too long.
    Budget,
    /// Something in it has no known meaning.
    Unknown(String),
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Exact(Rational),
    Near(Ball),
    /// Positive or negative infinity: the value of a limit, or a bound.
    Infinite(bool),
    Table(Table),
}

/// A matrix row by row.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) columns: usize,
    pub(crate) cells: Vec<Value>,
}

pub(crate) type Made = Result<Value, Stop>;

/// How two values stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Less,
    Greater,
    Equal,
    /// Not equal, and without an order.
    Different,
    Unclear,
}

/// Values that differ by less than this, relative to their size, are never called different.
const CLOSEST: f64 = 1e-9;
/// Values that are known less well than this, relative to their size, are never called equal.
const WORST: f64 = 1e-6;

impl Value {
    pub(crate) fn whole(value: i64) -> Self {
        Self::Exact(Rational::whole(value))
    }

    pub(crate) fn ball(&self) -> Result<Ball, Stop> {
        match self {
            Self::Exact(value) => {
                let near = value.to_f64();
                if !near.is_finite() {
                    return Err(Stop::Imprecise);
                }
                // Small whole numbers and powers of two in the denominator are floats without an error.
                let is_float = value.denom().magnitude().count_ones() == 1 && value.bits() <= 53;
                Ok(if is_float { Ball::exact(near) } else { Ball::rounded(near) })
            }
            Self::Near(ball) => Ok(*ball),
            Self::Infinite(_) | Self::Table(_) => Err(Stop::Undefined),
        }
    }

    pub(crate) fn add(&self, other: &Self) -> Made {
        match (self, other) {
            (Self::Exact(left), Self::Exact(right)) => match left.add(right) {
                Some(sum) => Ok(Self::Exact(sum)),
                None => Ok(Self::Near(self.ball()?.add(other.ball()?)?)),
            },
            (Self::Table(left), Self::Table(right)) => left.add(right),
            (Self::Infinite(sign), Self::Exact(_) | Self::Near(_)) => Ok(Self::Infinite(*sign)),
            _ => Ok(Self::Near(self.ball()?.add(other.ball()?)?)),
        }
    }

    pub(crate) fn neg(&self) -> Self {
        match self {
            Self::Exact(value) => Self::Exact(value.neg()),
            Self::Near(ball) => Self::Near(ball.neg()),
            Self::Infinite(positive) => Self::Infinite(!positive),
            Self::Table(table) => Self::Table(table.map(Value::neg)),
        }
    }

    pub(crate) fn mul(&self, other: &Self) -> Made {
        match (self, other) {
            (Self::Exact(left), Self::Exact(right)) => match left.mul(right) {
                Some(product) => Ok(Self::Exact(product)),
                None => Ok(Self::Near(self.ball()?.mul(other.ball()?)?)),
            },
            (Self::Table(left), Self::Table(right)) => left.mul(right),
            (Self::Table(table), scalar) | (scalar, Self::Table(table)) => table.scaled(scalar),
            _ => Ok(Self::Near(self.ball()?.mul(other.ball()?)?)),
        }
    }

    pub(crate) fn div(&self, other: &Self) -> Made {
        match (self, other) {
            (Self::Exact(_), Self::Exact(right)) if right.is_zero() => Err(Stop::Undefined),
            (Self::Exact(left), Self::Exact(right)) => match left.div(right) {
                Some(quotient) => Ok(Self::Exact(quotient)),
                None => Ok(Self::Near(self.ball()?.div(other.ball()?)?)),
            },
            (Self::Table(table), Self::Exact(_) | Self::Near(_)) => table.scaled(&Self::whole(1).div(other)?),
            _ => Ok(Self::Near(self.ball()?.div(other.ball()?)?)),
        }
    }

    /// How this value stands to another.
    pub(crate) fn compare(&self, other: &Self) -> Standing {
        match (self, other) {
            (Self::Exact(left), Self::Exact(right)) => match left.compare(right) {
                std::cmp::Ordering::Less => Standing::Less,
                std::cmp::Ordering::Equal => Standing::Equal,
                std::cmp::Ordering::Greater => Standing::Greater,
            },
            (Self::Infinite(left), Self::Infinite(right)) => match (left, right) {
                (false, true) => Standing::Less,
                (true, false) => Standing::Greater,
                _ => Standing::Equal,
            },
            (Self::Infinite(true), Self::Exact(_) | Self::Near(_)) => Standing::Greater,
            (Self::Infinite(false), Self::Exact(_) | Self::Near(_)) => Standing::Less,
            (Self::Exact(_) | Self::Near(_), Self::Infinite(positive)) => {
                if *positive {
                    Standing::Less
                } else {
                    Standing::Greater
                }
            }
            (Self::Table(left), Self::Table(right)) => left.compare(right),
            _ => match (self.ball(), other.ball()) {
                (Ok(left), Ok(right)) => near(left, right),
                _ => Standing::Unclear,
            },
        }
    }

    /// A real value as a float.
    pub(crate) fn to_f64(&self) -> Option<f64> {
        self.ball().ok().filter(|ball| ball.im.abs() <= ball.rad).map(|ball| ball.re)
    }

    /// A small whole number.
    pub(crate) fn to_i64(&self) -> Option<i64> {
        match self {
            Self::Exact(value) => value.as_big().and_then(ToPrimitive::to_i64),
            _ => None,
        }
    }
}

fn near(left: Ball, right: Ball) -> Standing {
    let distance = libm::hypot(left.re - right.re, left.im - right.im);
    let (error, size) = (left.rad + right.rad, left.abs().max(right.abs()));
    if distance > 4.0 * error && distance > CLOSEST * size {
        let is_real = left.im.abs() <= left.rad && right.im.abs() <= right.rad;
        return match (is_real, left.re < right.re) {
            (false, _) => Standing::Different,
            (true, true) => Standing::Less,
            (true, false) => Standing::Greater,
        };
    }
    let is_known = error <= WORST * size.max(1e-3);
    if distance <= 4.0 * error + 1e-12 * size && is_known { Standing::Equal } else { Standing::Unclear }
}

impl Table {
    fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    fn at(&self, row: usize, column: usize) -> &Value {
        &self.cells[row * self.columns + column]
    }

    fn is_square(&self) -> bool {
        self.columns * self.columns == self.cells.len()
    }

    fn map(&self, of: impl FnMut(&Value) -> Value) -> Self {
        Self { columns: self.columns, cells: self.cells.iter().map(of).collect() }
    }

    fn add(&self, other: &Self) -> Made {
        if self.columns != other.columns || self.cells.len() != other.cells.len() {
            return Err(Stop::Undefined);
        }
        let cells = self.cells.iter().zip(&other.cells).map(|(left, right)| left.add(right));
        Ok(Value::Table(Self { columns: self.columns, cells: cells.collect::<Result<_, _>>()? }))
    }

    fn scaled(&self, by: &Value) -> Made {
        let cells = self.cells.iter().map(|cell| cell.mul(by)).collect::<Result<_, _>>()?;
        Ok(Value::Table(Self { columns: self.columns, cells }))
    }

    fn mul(&self, other: &Self) -> Made {
        if self.columns != other.rows() {
            return Err(Stop::Undefined);
        }
        let mut cells = Vec::with_capacity(self.rows() * other.columns);
        for row in 0..self.rows() {
            for column in 0..other.columns {
                let mut sum = Value::whole(0);
                for inner in 0..self.columns {
                    sum = sum.add(&self.at(row, inner).mul(other.at(inner, column))?)?;
                }
                cells.push(sum);
            }
        }
        Ok(Value::Table(Self { columns: other.columns, cells }))
    }

    pub(crate) fn identity(size: usize) -> Self {
        let cell = |place: usize| Value::whole(i64::from(place / size == place % size));
        Self { columns: size, cells: (0..size * size).map(cell).collect() }
    }

    pub(crate) fn transposed(&self) -> Self {
        let (rows, columns) = (self.rows(), self.columns);
        let cells = (0..self.cells.len()).map(|place| self.at(place % rows, place / rows).clone()).collect();
        debug_assert_eq!(rows * columns, self.cells.len());
        Self { columns: rows, cells }
    }

    pub(crate) fn trace(&self) -> Made {
        if !self.is_square() {
            return Err(Stop::Undefined);
        }
        (0..self.columns).try_fold(Value::whole(0), |sum, place| sum.add(self.at(place, place)))
    }

    /// The determinant by expansion where division is to be avoided, and by elimination for larger ones.
    pub(crate) fn det(&self) -> Made {
        if !self.is_square() {
            return Err(Stop::Undefined);
        }
        match self.columns {
            1 => Ok(self.cells[0].clone()),
            size if size <= 4 => {
                let mut sum = Value::whole(0);
                for column in 0..size {
                    let minor = self.without(0, column).det()?;
                    let part = self.at(0, column).mul(&minor)?;
                    sum = sum.add(&if column % 2 == 0 { part } else { part.neg() })?;
                }
                Ok(sum)
            }
            _ => self.eliminated().map(|(det, _)| det),
        }
    }

    fn without(&self, row: usize, column: usize) -> Self {
        let is_kept = |place: &usize| place / self.columns != row && place % self.columns != column;
        let cells = (0..self.cells.len()).filter(is_kept).map(|place| self.cells[place].clone()).collect();
        Self { columns: self.columns - 1, cells }
    }

    pub(crate) fn inverse(&self) -> Made {
        if !self.is_square() {
            return Err(Stop::Undefined);
        }
        self.eliminated().and_then(|(_, inverse)| inverse.map(Value::Table).ok_or(Stop::Undefined))
    }

    /// Gauss and Jordan: the determinant, and the inverse if there is one.
    fn eliminated(&self) -> Result<(Value, Option<Self>), Stop> {
        let size = self.columns;
        let (mut left, mut right) = (self.clone(), Self::identity(size));
        let mut det = Value::whole(1);
        for column in 0..size {
            let mut pivot: Option<(usize, f64)> = None;
            for row in column..size {
                let ball = left.at(row, column).ball()?;
                if ball.abs() > 2.0 * ball.rad && pivot.is_none_or(|(_, best)| ball.abs() > best) {
                    pivot = Some((row, ball.abs()));
                } else if ball.rad > 0.0 && ball.abs() <= 2.0 * ball.rad {
                    return Err(Stop::Imprecise);
                }
            }
            let Some((pivot, _)) = pivot else { return Ok((Value::whole(0), None)) };
            if pivot != column {
                for place in 0..size {
                    left.cells.swap(pivot * size + place, column * size + place);
                    right.cells.swap(pivot * size + place, column * size + place);
                }
                det = det.neg();
            }
            let by = left.at(column, column).clone();
            det = det.mul(&by)?;
            for place in column * size..(column + 1) * size {
                left.cells[place] = left.cells[place].div(&by)?;
                right.cells[place] = right.cells[place].div(&by)?;
            }
            for row in (0..size).filter(|row| *row != column) {
                let factor = left.at(row, column).neg();
                for place in 0..size {
                    for table in [&mut left, &mut right] {
                        let part = table.at(column, place).mul(&factor)?;
                        table.cells[row * size + place] = table.at(row, place).add(&part)?;
                    }
                }
            }
        }
        Ok((det, Some(right)))
    }

    fn compare(&self, other: &Self) -> Standing {
        if self.columns != other.columns || self.cells.len() != other.cells.len() {
            return Standing::Unclear;
        }
        let mut standing = Standing::Equal;
        for (left, right) in self.cells.iter().zip(&other.cells) {
            match left.compare(right) {
                Standing::Equal => {}
                Standing::Unclear => standing = Standing::Unclear,
                _ => return Standing::Different,
            }
        }
        standing
    }
}

/// As an explanation shows it.
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exact(value) => write!(f, "{value}"),
            Self::Near(ball) => write!(f, "{ball}"),
            Self::Infinite(true) => f.write_str("∞"),
            Self::Infinite(false) => f.write_str("−∞"),
            Self::Table(table) => {
                let row = |cells: &[Self]| cells.iter().map(Self::to_string).collect::<Vec<_>>().join(", ");
                let rows: Vec<String> = table.cells.chunks(table.columns).map(row).collect();
                write!(f, "({})", rows.join("; "))
            }
        }
    }
}
