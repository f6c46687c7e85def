//! Values of elementary functions.

use crate::ball::Ball;
use crate::eval::Readings;
use crate::expr::Function;
use crate::rational::Rational;
use crate::value::{Made, Stop, Value};
use num_bigint::Sign;

/// The value of a function of one argument.
pub(crate) fn value(function: Function, of: &Value, readings: Readings) -> Made {
    if let Some(exact) = exact(function, of) {
        return Ok(exact);
    }
    let complex = readings.complex;
    let ball = of.ball()?;
    let angle = |ball: Ball| match readings.degrees {
        true => ball.mul(Ball::rounded(std::f64::consts::PI / 180.0)),
        false => Ok(ball),
    };
    let one = Ball::exact(1.0);
    let turned = |ball: Result<Ball, Stop>| match readings.degrees {
        true => ball?.div(Ball::rounded(std::f64::consts::PI / 180.0)),
        false => ball,
    };
    let made = match function {
        Function::Sin => angle(ball)?.sin(),
        Function::Cos => angle(ball)?.cos(),
        Function::Tan => angle(ball)?.sin()?.div(angle(ball)?.cos()?),
        Function::Cot => angle(ball)?.cos()?.div(angle(ball)?.sin()?),
        Function::Sec => one.div(angle(ball)?.cos()?),
        Function::Csc => one.div(angle(ball)?.sin()?),
        Function::Sinh => half_sum(ball, false),
        Function::Cosh => half_sum(ball, true),
        Function::Tanh => half_sum(ball, false)?.div(half_sum(ball, true)?),
        Function::Coth => half_sum(ball, true)?.div(half_sum(ball, false)?),
        Function::Sech => one.div(half_sum(ball, true)?),
        Function::Csch => one.div(half_sum(ball, false)?),
        Function::Arcsin => turned(ball.arc(libm::asin)),
        Function::Arccos => turned(ball.arc(libm::acos)),
        Function::Arctan => turned(ball.real(libm::atan(ball.re), 1.0)),
        Function::Arcsinh => ball.real(libm::asinh(ball.re), 1.0),
        Function::Arccosh if ball.re > 1.0 + ball.rad => {
            ball.real(libm::acosh(ball.re), 1.0 / libm::sqrt(ball.re * ball.re - 1.0))
        }
        Function::Arctanh if ball.re.abs() < 1.0 - 2.0 * ball.rad => {
            ball.real(libm::atanh(ball.re), 1.0 / (1.0 - ball.re * ball.re))
        }
        Function::Ln => ball.ln(complex),
        Function::Abs => Ok(Ball::with_error(ball.abs(), ball.rad + ball.abs() * f64::EPSILON)),
        Function::Sign if ball.is_real() && ball.re.abs() > ball.rad => Ok(Ball::exact(ball.re.signum())),
        Function::Gamma => gamma(ball),
        Function::Erf => ball.real(libm::erf(ball.re), 1.2),
        Function::Re => Ok(Ball { im: 0.0, ..ball }),
        Function::Im => Ok(Ball { re: ball.im, im: 0.0, rad: ball.rad }),
        Function::Conjugate => Ok(Ball { im: if ball.im == 0.0 { 0.0 } else { -ball.im }, ..ball }),
        _ => Err(Stop::Undefined),
    };
    made.map(Value::Near)
}

fn half_sum(ball: Ball, plus: bool) -> Result<Ball, Stop> {
    if ball.is_real() {
        let (value, slope) = (libm::sinh(ball.re), libm::cosh(ball.re));
        return ball.real(if plus { slope } else { value }, slope);
    }
    let (up, down) = (ball.exp()?, ball.neg().exp()?);
    up.add(if plus { down } else { down.neg() })?.mul(Ball::exact(0.5))
}

/// On positive numbers, where the slope is at most that of its logarithm, and off the poles.
fn gamma(ball: Ball) -> Result<Ball, Stop> {
    if !ball.is_real() || ball.re < -20.0 || ball.re > 150.0 {
        return Err(Stop::Undefined);
    }
    if ball.re <= 0.0 && (ball.re - libm::round(ball.re)).abs() <= 1e-6 {
        return Err(Stop::Undefined);
    }
    let value = libm::tgamma(ball.re);
    let slope =
        value.abs() * (10.0 + 1.0 / (ball.re - libm::round(ball.re)).abs().max(1e-6).min(ball.re.abs()));
    let made = ball.real(value, slope)?;
    Ok(Ball { rad: made.rad + value.abs() * 1e-14, ..made })
}

fn exact(function: Function, of: &Value) -> Option<Value> {
    let Value::Exact(value) = of else { return None };
    Some(Value::Exact(match function {
        Function::Abs if value.is_negative() => value.neg(),
        Function::Abs | Function::Re | Function::Conjugate => value.clone(),
        Function::Im => Rational::whole(0),
        Function::Sign => Rational::whole(match value.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }),
        _ => return None,
    }))
}
