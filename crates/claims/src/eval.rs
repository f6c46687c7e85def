//! Values of expressions at a place, within a number of steps.

use crate::ball::Ball;
use crate::expr::{Big, Expr, Function, Range, Shared};
use crate::rational::Rational;
use crate::value::{Made, Standing, Stop, Table, Value};
use crate::{integral, limit, series};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Factorials of larger numbers are not computed.
const MAX_FACTORIAL: i64 = 1_500;
/// More terms of a finite sum are not added.
const MAX_TERMS: i64 = 20_000;

/// What notation that has several meanings is taken for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Readings {
    /// The base of `log`; 0 for e.
    pub(crate) base: u8,
    /// Whether angles are degrees.
    pub(crate) degrees: bool,
    /// Whether roots and logarithms of negative numbers are complex numbers.
    pub(crate) complex: bool,
}

/// Computes values. See the [module](self).
pub(crate) struct Evaluator {
    steps: u64,
    pub(crate) readings: Readings,
    assigned: BTreeMap<Rc<str>, Value>,
}

impl Evaluator {
    pub(crate) fn new(steps: u64, readings: Readings) -> Self {
        Self { steps, readings, assigned: BTreeMap::new() }
    }

    pub(crate) fn steps_left(&self) -> u64 {
        self.steps
    }

    /// Gives a variable the value of a fraction; the denominator is not 0.
    pub(crate) fn assign(&mut self, name: &Rc<str>, numer: i64, denom: i64) {
        let value = Rational::fraction(numer, denom).unwrap_or_else(|| Rational::whole(numer));
        self.set(name, Value::Exact(value));
    }

    pub(crate) fn set(&mut self, name: &Rc<str>, value: Value) {
        self.assigned.insert(Rc::clone(name), value);
    }

    /// A value with a variable that is bound inside.
    pub(crate) fn with(&mut self, name: &Rc<str>, value: Value, expr: &Shared) -> Made {
        let before = self.assigned.insert(Rc::clone(name), value);
        let made = self.value(expr);
        match before {
            Some(before) => self.assigned.insert(Rc::clone(name), before),
            None => self.assigned.remove(name),
        };
        made
    }

    /// Whether both have values here, and the same.
    pub(crate) fn are_equal(&mut self, left: &Shared, right: &Shared) -> bool {
        let (left, right) = (self.value(left), self.value(right));
        matches!((left, right), (Ok(left), Ok(right)) if left.compare(&right) == Standing::Equal)
    }

    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Stop> {
        self.steps = self.steps.checked_sub(steps).ok_or(Stop::Budget).inspect_err(|_| self.steps = 0)?;
        Ok(())
    }

    pub(crate) fn value(&mut self, expr: &Shared) -> Made {
        self.spend(1)?;
        let made = self.compute(expr)?;
        if let Value::Exact(value) = &made {
            // Long numbers take longer.
            let words = value.bits() / 64;
            self.spend(words * words / 8)?;
        }
        Ok(made)
    }

    fn compute(&mut self, expr: &Shared) -> Made {
        match &**expr {
            Expr::Number(value) | Expr::Decimal(value, _) => Ok(Value::Exact(value.clone())),
            Expr::Pi => Ok(Value::Near(Ball::rounded(std::f64::consts::PI))),
            Expr::E => Ok(Value::Near(Ball::rounded(std::f64::consts::E))),
            Expr::I => Ok(Value::Near(Ball::I)),
            Expr::Infinity => Ok(Value::Infinite(true)),
            Expr::Variable(name) => {
                let unknown = || Stop::Unknown(format!("{name} has no known value"));
                self.assigned.get(name).cloned().ok_or_else(unknown)
            }
            Expr::Add(parts) => self.fold(parts, Value::add),
            Expr::Mul(parts) => self.fold(parts, Value::mul),
            Expr::Neg(part) => Ok(self.value(part)?.neg()),
            Expr::Div(left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                left.div(&right)
            }
            Expr::Pow(base, exponent) => self.power(base, exponent),
            Expr::Root(base, degree) => {
                let degree = self.value(degree)?.to_i64().and_then(|degree| u32::try_from(degree).ok());
                let degree = degree.filter(|degree| (1..=1_000).contains(degree)).ok_or(Stop::Undefined)?;
                let base = self.value(base)?;
                root(&base, degree, self.readings.complex)
            }
            Expr::Call(function, arguments) => self.call(*function, arguments),
            Expr::Apply(name, ..) => Err(Stop::Unknown(format!("the function {name} is not known"))),
            Expr::Repeat(big, range, term) => self.repeat(*big, range, term),
            Expr::Integral(term, name, Some((low, high))) => {
                let (low, high) = (self.value(low)?, self.value(high)?);
                integral::definite(self, term, name, &low, &high)
            }
            Expr::Integral(_, _, None) => {
                Err(Stop::Unknown("an integral without bounds has no value".to_owned()))
            }
            Expr::Limit(term, name, to, side) => {
                let to = self.value(to)?;
                limit::limit(self, term, name, &to, *side)
            }
            Expr::Derivative(..) => Err(Stop::Unknown("the derivative is not known".to_owned())),
            Expr::Matrix(columns, cells) => {
                let cells = cells.iter().map(|cell| self.value(cell)).collect::<Result<_, _>>()?;
                Ok(Value::Table(Table { columns: *columns, cells }))
            }
        }
    }

    fn fold(&mut self, parts: &[Shared], of: fn(&Value, &Value) -> Made) -> Made {
        let (first, rest) = parts.split_first().ok_or(Stop::Undefined)?;
        let mut made = self.value(first)?;
        for part in rest {
            let part = self.value(part)?;
            if let (Value::Table(table), Value::Table(_)) = (&made, &part) {
                self.spend(table.cells.len() as u64 * 8)?;
            }
            made = of(&made, &part)?;
        }
        Ok(made)
    }

    fn power(&mut self, base: &Shared, exponent: &Shared) -> Made {
        let exponent = self.value(exponent)?;
        if matches!(**base, Expr::E) {
            return Ok(match exponent {
                Value::Exact(ref value) if value.is_zero() => Value::whole(1),
                _ => Value::Near(exponent.ball()?.exp()?),
            });
        }
        let base = self.value(base)?;
        if let Value::Table(table) = &base {
            return self.table_power(table, &exponent);
        }
        if let Value::Exact(of) = &exponent {
            // 0^0 is left to those who define it.
            let is_zero = matches!(&base, Value::Exact(base) if base.is_zero());
            if is_zero && of.sign() != num_bigint::Sign::Plus {
                return Err(Stop::Undefined);
            }
            if let Some(whole) = of.to_i64() {
                if let Value::Exact(base) = &base
                    && let Some(power) = base.pow(whole)
                {
                    return Ok(Value::Exact(power));
                }
                return Ok(Value::Near(base.ball()?.powi(whole)?));
            }
            // Fractional powers of negative numbers have several values.
            let negative = base.to_f64().is_some_and(|base| base < 0.0);
            if negative && !self.readings.complex {
                return Err(Stop::Undefined);
            }
            if let (Value::Exact(base), Some(degree)) = (&base, of.denom().to_u32()) {
                let exact = base.root(degree).zip(of.numer().to_i64()).and_then(|(root, by)| root.pow(by));
                if let Some(exact) = exact.filter(|_| !negative) {
                    return Ok(Value::Exact(exact));
                }
            }
        }
        Ok(Value::Near(base.ball()?.pow(exponent.ball()?, self.readings.complex)?))
    }

    fn table_power(&mut self, table: &Table, exponent: &Value) -> Made {
        let whole = exponent.to_i64().filter(|whole| whole.abs() <= 1_000).ok_or(Stop::Undefined)?;
        let mut base = if whole < 0 { table.inverse()? } else { Value::Table(table.clone()) };
        let mut power = Value::Table(Table::identity(table.columns));
        let mut left = whole.unsigned_abs();
        while left > 0 {
            self.spend(64 + table.cells.len() as u64 * 16)?;
            if left % 2 == 1 {
                power = power.mul(&base)?;
            }
            left /= 2;
            if left > 0 {
                base = base.mul(&base)?;
            }
        }
        Ok(power)
    }

    fn repeat(&mut self, big: Big, range: &Range, term: &Shared) -> Made {
        let from = self.value(&range.from)?.to_i64().ok_or(Stop::Undefined)?;
        let to = match self.value(&range.to)? {
            Value::Infinite(true) => return series::infinite(self, big, &range.index, from, term),
            to => to.to_i64().ok_or(Stop::Undefined)?,
        };
        // Sums over less than nothing are conventions.
        if to < from - 1 {
            return Err(Stop::Undefined);
        }
        if to - from > MAX_TERMS {
            return Err(Stop::Budget);
        }
        let (mut made, of): (Value, fn(&Value, &Value) -> Made) = match big {
            Big::Sum => (Value::whole(0), Value::add),
            Big::Product => (Value::whole(1), Value::mul),
        };
        for at in from..=to {
            let term = self.with(&range.index, Value::whole(at), term)?;
            made = if at == from { term } else { of(&made, &term)? };
            if let Value::Exact(value) = &made {
                self.spend(value.bits() / 16)?;
            }
        }
        Ok(made)
    }

    fn call(&mut self, function: Function, arguments: &[Shared]) -> Made {
        let values = arguments.iter().map(|one| self.value(one)).collect::<Result<Vec<_>, _>>()?;
        let one = values.first().ok_or(Stop::Undefined)?;
        match function {
            Function::Factorial => self.factorial(one, 1),
            Function::DoubleFactorial => self.factorial(one, 2),
            Function::Binomial => self.binomial(&values),
            Function::Gcd | Function::Lcm => {
                let whole = values.iter().map(|value| big(value).cloned()).collect::<Result<Vec<_>, _>>()?;
                let mut whole = whole.into_iter();
                let first = whole.next().ok_or(Stop::Undefined)?.abs();
                let fold = |left: BigInt, right: BigInt| match function {
                    Function::Gcd => left.gcd(&right),
                    _ => left.lcm(&right),
                };
                exact(whole.fold(first, fold))
            }
            Function::Rem => match values.as_slice() {
                [left, right] if big(right)?.is_positive() => exact(big(left)?.mod_floor(big(right)?)),
                _ => Err(Stop::Undefined),
            },
            Function::Max | Function::Min => {
                let wanted = if function == Function::Max { Standing::Greater } else { Standing::Less };
                let mut best = one.clone();
                for value in &values[1..] {
                    match value.compare(&best) {
                        standing if standing == wanted => best = value.clone(),
                        Standing::Less | Standing::Greater | Standing::Equal => {}
                        _ => return Err(Stop::Imprecise),
                    }
                }
                Ok(best)
            }
            Function::Det | Function::Trace | Function::Transpose => match (one, function) {
                (Value::Table(table), Function::Det) => self.spend(1_000).and_then(|()| table.det()),
                (Value::Table(table), Function::Trace) => table.trace(),
                (Value::Table(table), _) => Ok(Value::Table(table.transposed())),
                _ => Err(Stop::Undefined),
            },
            Function::Floor | Function::Ceiling => rounded(one, function),
            Function::Log => self.logarithm(&values),
            _ => crate::function::value(function, one, self.readings),
        }
    }

    fn logarithm(&mut self, values: &[Value]) -> Made {
        let complex = self.readings.complex;
        let of = values[0].ball()?.ln(complex)?;
        let base = match values.get(1) {
            Some(base) => base.ball()?,
            None if self.readings.base == 0 => return Ok(Value::Near(of)),
            None => Ball::exact(f64::from(self.readings.base)),
        };
        Ok(Value::Near(of.div(base.ln(false)?)?))
    }

    fn factorial(&mut self, of: &Value, step: i64) -> Made {
        let Some(whole) = of.to_i64() else {
            // Γ is another function.
            return Err(Stop::Undefined);
        };
        if whole > MAX_FACTORIAL {
            return Err(Stop::Budget);
        }
        if whole < 0 {
            return Err(Stop::Undefined);
        }
        self.spend(whole.unsigned_abs())?;
        let (mut product, mut at) = (BigInt::from(1), whole);
        while at > 1 {
            product *= at;
            at -= step;
        }
        exact(product)
    }

    fn binomial(&mut self, values: &[Value]) -> Made {
        let [above, below] = values else { return Err(Stop::Undefined) };
        let below =
            below.to_i64().filter(|below| (0..=MAX_FACTORIAL).contains(below)).ok_or(Stop::Undefined)?;
        if let Some(above) = above.to_i64() {
            // Outside the triangle it is a convention.
            if above < 0 || below > above {
                return Err(Stop::Undefined);
            }
        }
        let mut made = Value::whole(1);
        for at in 0..below {
            self.spend(2)?;
            made = made.mul(&above.add(&Value::whole(-at))?)?.div(&Value::whole(at + 1))?;
        }
        Ok(made)
    }
}

fn exact(value: BigInt) -> Made {
    Rational::of_big(value).map(Value::Exact).ok_or(Stop::Budget)
}

fn big(value: &Value) -> Result<&BigInt, Stop> {
    match value {
        Value::Exact(value) => value.as_big().ok_or(Stop::Undefined),
        _ => Err(Stop::Undefined),
    }
}

fn rounded(value: &Value, function: Function) -> Made {
    let is_floor = function == Function::Floor;
    match value {
        Value::Exact(value) => exact(if is_floor { value.floor() } else { value.ceil() }),
        _ => {
            let ball = value.ball()?;
            if !ball.is_real() || ball.re.abs() > 1e15 {
                return Err(Stop::Undefined);
            }
            let of = if is_floor { libm::floor } else { libm::ceil };
            let (low, high) = (of(ball.re - ball.rad), of(ball.re + ball.rad));
            if low == high { Ok(Value::whole(low as i64)) } else { Err(Stop::Imprecise) }
        }
    }
}

fn root(base: &Value, degree: u32, complex: bool) -> Made {
    if let Value::Exact(value) = base
        && let Some(root) = value.root(degree)
    {
        // A complex cube root of a negative number is another one.
        return if value.is_negative() && complex { Err(Stop::Undefined) } else { Ok(Value::Exact(root)) };
    }
    Ok(Value::Near(base.ball()?.root(degree, complex)?))
}
