//! Complex numbers as floats with a bound of their error.
//!
//! A [`Ball`] holds the number that is meant: a centre, and how far the number
//! may be from it. Every function adds what rounding and the errors of its
//! arguments may amount to, so two balls that do not meet are two numbers. The
//! functions are `libm`'s, which give the same on every machine.

use crate::value::Stop;

/// What rounding adds to an operation, relative to its result: some units in the last place.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Functions of a number that is known less well than this are not computed.
const LOOSEST: f64 = 1e-3;

/// A number, complex unless `im` is exactly 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub(crate) re: f64,
    pub(crate) im: f64,
    pub(crate) rad: f64,
}

type Made = Result<Ball, Stop>;

impl Ball {
    pub(crate) const fn exact(re: f64) -> Self {
        Self { re, im: 0.0, rad: 0.0 }
    }

    /// A real number and the error of rounding it.
    pub(crate) fn rounded(re: f64) -> Self {
        Self { re, im: 0.0, rad: re.abs() * ROUNDING }
    }

    pub(crate) fn with_error(re: f64, rad: f64) -> Self {
        Self { re, im: 0.0, rad }
    }

    pub(crate) const I: Self = Self { re: 0.0, im: 1.0, rad: 0.0 };

    pub(crate) fn is_real(self) -> bool {
        self.im == 0.0
    }

    pub(crate) fn abs(self) -> f64 {
        libm::hypot(self.re, self.im)
    }

    /// The value with the rounding of an operation added; nothing beyond what floats hold.
    fn done(re: f64, im: f64, rad: f64) -> Made {
        let rad = rad + ROUNDING * libm::hypot(re, im);
        let is_finite = re.is_finite() && im.is_finite() && rad.is_finite();
        if is_finite { Ok(Self { re, im, rad }) } else { Err(Stop::Imprecise) }
    }

    pub(crate) fn add(self, other: Self) -> Made {
        // Rounding is of what is added, not of the sum.
        let lost = ROUNDING * (self.abs() + other.abs());
        Self::done(self.re + other.re, self.im + other.im, self.rad + other.rad + lost)
    }

    pub(crate) fn neg(self) -> Self {
        Self { re: -self.re, im: if self.im == 0.0 { 0.0 } else { -self.im }, rad: self.rad }
    }

    pub(crate) fn mul(self, other: Self) -> Made {
        let rad = self.abs() * other.rad + other.abs() * self.rad + self.rad * other.rad;
        let im =
            if self.is_real() && other.is_real() { 0.0 } else { self.re * other.im + self.im * other.re };
        let lost = if im == 0.0 { 0.0 } else { ROUNDING * self.abs() * other.abs() };
        let re = if self.is_real() || other.is_real() {
            self.re * other.re
        } else {
            self.re * other.re - self.im * other.im
        };
        Self::done(re, im, rad + lost)
    }

    pub(crate) fn div(self, other: Self) -> Made {
        let size = other.abs();
        if size <= other.rad * 2.0 {
            return Err(if size == 0.0 { Stop::Undefined } else { Stop::Imprecise });
        }
        let inverse_rad = other.rad / (size * (size - other.rad));
        let square = size * size;
        if !square.is_finite() || square == 0.0 {
            return Err(Stop::Imprecise);
        }
        let inverse = if other.is_real() {
            Self { re: 1.0 / other.re, im: 0.0, rad: 0.0 }
        } else {
            Self { re: other.re / square, im: -other.im / square, rad: 0.0 }
        };
        let rad = inverse_rad + ROUNDING * inverse.abs();
        self.mul(Self { rad, ..inverse })
    }

    /// A function value: its error is that of the argument times the slope, doubled for the bend of the curve.
    fn value(self, re: f64, im: f64, slope: f64) -> Made {
        if self.rad > LOOSEST * (1.0 + self.abs()) {
            return Err(Stop::Imprecise);
        }
        Self::done(re, im, 2.0 * slope * self.rad)
    }

    pub(crate) fn exp(self) -> Made {
        let size = libm::exp(self.re);
        if self.is_real() {
            return self.value(size, 0.0, size);
        }
        let lost = Self::exact(self.im.abs() * f64::EPSILON);
        let turned = self.value(size * libm::cos(self.im), size * libm::sin(self.im), size)?;
        Ok(Self { rad: turned.rad + size * lost.re, ..turned })
    }

    /// The principal logarithm; of negative numbers only where complex ones are meant.
    pub(crate) fn ln(self, complex: bool) -> Made {
        let size = self.abs();
        if size == 0.0 && self.rad == 0.0 {
            return Err(Stop::Undefined);
        }
        if size <= 2.0 * self.rad {
            return Err(Stop::Imprecise);
        }
        if self.is_real() && self.re > 0.0 {
            let lost = self.rad / (size - self.rad);
            return Self::done(libm::log(self.re), 0.0, lost + f64::EPSILON);
        }
        if !complex {
            return Err(Stop::Undefined);
        }
        // On the cut it depends on a rounding error which side is meant.
        if self.re < 0.0 && self.im != 0.0 && self.im.abs() <= 2.0 * self.rad {
            return Err(Stop::Imprecise);
        }
        let lost = self.rad / (size - self.rad);
        Self::done(libm::log(size), libm::atan2(self.im, self.re), lost + f64::EPSILON)
    }

    /// A real number's root of an odd degree, or the principal square root.
    pub(crate) fn root(self, degree: u32, complex: bool) -> Made {
        if self.is_real() && self.re == 0.0 && self.rad == 0.0 {
            return Ok(Self::exact(0.0));
        }
        if self.is_real() && self.re.abs() <= 2.0 * self.rad {
            return Err(Stop::Imprecise);
        }
        if self.is_real() && self.re < 0.0 && degree % 2 == 1 {
            return Ok(self.neg().root(degree, false)?.neg());
        }
        if self.is_real() && self.re > 0.0 {
            let root = match degree {
                2 => libm::sqrt(self.re),
                3 => libm::cbrt(self.re),
                _ => libm::pow(self.re, 1.0 / f64::from(degree)),
            };
            return self.value(root, 0.0, root / self.re / f64::from(degree));
        }
        if !complex {
            return Err(Stop::Undefined);
        }
        if self.is_real() && degree == 2 {
            let root = libm::sqrt(-self.re);
            return self.value(0.0, root, 0.5 / root);
        }
        self.ln(true)?.div(Self::exact(f64::from(degree)))?.exp()
    }

    /// A power with any exponent; of negative numbers only where complex ones are meant.
    pub(crate) fn pow(self, exponent: Self, complex: bool) -> Made {
        if self.is_real() && self.re == 0.0 && self.rad == 0.0 {
            let is_positive = exponent.is_real() && exponent.re > exponent.rad;
            return if is_positive { Ok(Self::exact(0.0)) } else { Err(Stop::Undefined) };
        }
        self.ln(complex)?.mul(exponent)?.exp()
    }

    /// A whole power by repeated squaring.
    pub(crate) fn powi(self, exponent: i64) -> Made {
        let mut left = exponent.unsigned_abs();
        if left > 1 << 20 {
            let is_odd = left % 2 == 1;
            let size = Self { re: self.re.abs(), ..self };
            let power = size.pow(Self::exact(exponent as f64), !self.is_real())?;
            return Ok(if self.is_real() && self.re < 0.0 && is_odd { power.neg() } else { power });
        }
        let (mut base, mut power) = (self, Self::exact(1.0));
        while left > 0 {
            if left % 2 == 1 {
                power = power.mul(base)?;
            }
            left /= 2;
            if left > 0 {
                base = base.mul(base)?;
            }
        }
        if exponent < 0 { Self::exact(1.0).div(power) } else { Ok(power) }
    }

    pub(crate) fn sin(self) -> Made {
        if self.is_real() {
            return self.value(libm::sin(self.re), 0.0, 1.0).map(|made| made.turned(self.re));
        }
        let (re, im) = (self.re, self.im);
        let slope = libm::cosh(im);
        self.value(libm::sin(re) * slope, libm::cos(re) * libm::sinh(im), slope)
            .map(|made| made.turned(slope))
    }

    pub(crate) fn cos(self) -> Made {
        if self.is_real() {
            return self.value(libm::cos(self.re), 0.0, 1.0).map(|made| made.turned(self.re));
        }
        let (re, im) = (self.re, self.im);
        let slope = libm::cosh(im);
        self.value(libm::cos(re) * slope, -libm::sin(re) * libm::sinh(im), slope)
            .map(|made| made.turned(slope))
    }

    /// With the rounding of something this large added.
    fn turned(self, by: f64) -> Self {
        Self { rad: self.rad + by.abs() * f64::EPSILON, ..self }
    }

    /// A real function on an interval of real numbers.
    pub(crate) fn real(self, value: f64, slope: f64) -> Made {
        if !self.is_real() {
            return Err(Stop::Undefined);
        }
        self.value(value, 0.0, slope).map(|made| made.turned(value))
    }

    /// arcsin or arccos, on [-1, 1].
    pub(crate) fn arc(self, function: fn(f64) -> f64) -> Made {
        if !self.is_real() || self.re.abs() > 1.0 + self.rad {
            return Err(Stop::Undefined);
        }
        // At the ends the slope is infinite, and what is lost is the root of the error.
        let (inside, error) = (1.0 - self.re * self.re, self.rad + f64::EPSILON);
        let lost =
            if inside > 8.0 * error { 2.0 * error / libm::sqrt(inside) } else { 4.0 * libm::sqrt(error) };
        let lost = if self.rad == 0.0 { f64::EPSILON } else { lost };
        Self::done(function(self.re.clamp(-1.0, 1.0)), 0.0, lost)
    }
}

/// A float with some six digits.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e9).contains(&size) {
        return format!("{value:.5e}");
    }
    let places = (5 - libm::floor(libm::log10(size)) as i32).clamp(0, 9) as usize;
    let text = format!("{value:.places$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

impl std::fmt::Display for Ball {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.im.abs() <= self.rad {
            return f.write_str(&short(self.re));
        }
        let sign = if self.im < 0.0 { '-' } else { '+' };
        if self.re.abs() <= self.rad {
            return write!(f, "{}i", short(self.im));
        }
        write!(f, "{} {sign} {}i", short(self.re), short(self.im.abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn holds(ball: Made, re: f64, im: f64) {
        let ball = ball.unwrap();
        assert!(libm::hypot(ball.re - re, ball.im - im) <= ball.rad + 1e-300, "{ball:?} misses {re} + {im}i");
        assert!(ball.rad < 1e-12 * (1.0 + ball.abs()), "{ball:?} says little");
    }

    #[test]
    fn balls_hold_the_number_that_is_meant() {
        let pi = Ball::rounded(PI);
        holds(pi.sin(), 0.0, 0.0);
        holds(Ball { re: 0.0, im: PI, rad: 1e-15 }.exp(), -1.0, 0.0);
        holds(Ball::exact(2.0).pow(Ball::exact(0.5), false), std::f64::consts::SQRT_2, 0.0);
        holds(Ball::exact(-8.0).root(3, false), -2.0, 0.0);
        holds(Ball::I.mul(Ball::I), -1.0, 0.0);
        holds(Ball::exact(1.0).div(Ball::I), 0.0, -1.0);
        holds(Ball::exact(-1.0).ln(true), 0.0, PI);
        holds(Ball::exact(1.0 / 1024.0).powi(-2), 1_048_576.0, 0.0);
        holds(Ball::exact(1.0).arc(libm::asin), PI / 2.0, 0.0);
    }

    #[test]
    fn what_is_lost_is_said() {
        let large = Ball::rounded(1e15);
        let gone = large.add(Ball::exact(1.0)).unwrap().add(large.neg()).unwrap();
        assert!(gone.rad >= (gone.re - 1.0).abs() && gone.rad > 0.1);
        assert_eq!(Ball::exact(-1.0).ln(false).unwrap_err(), Stop::Undefined);
        assert_eq!(Ball::exact(1.0).div(Ball::exact(0.0)).unwrap_err(), Stop::Undefined);
        assert_eq!(Ball::exact(1e4).exp().unwrap_err(), Stop::Imprecise);
        assert_eq!(Ball::with_error(0.0, 1e-16).ln(true).unwrap_err(), Stop::Imprecise);
    }

    #[test]
    fn numbers_are_written_short() {
        for (value, text) in [
            (0.5, "0.5"),
            (3.0, "3"),
            (-2.0e-7, "-2.00000e-7"),
            (1234567.0, "1234567"),
            (2.0 / 3.0, "0.666667"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
