//! What stands behind the dot of a measure, read as trec_eval reads it.
//!
//! It takes the number that a text starts with and passes over the rest: `5`,
//! ` +5` and `5.7x` are all a cutoff of 5, and no digit at all is a 0.

use super::TrecError;
use crate::measure::Number;
use std::num::NonZeroUsize;

/// The parameters of one measure, if there are any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameters<'a> {
    /// The measure.
    pub(super) measure: &'static str,
    /// What stands behind the dot.
    pub(super) given: Option<&'a str>,
}

impl<'a> Parameters<'a> {
    /// The name of a measure that prints its parameters as they were written.
    pub(super) fn name(self) -> String {
        match self.given {
            Some(given) => format!("{}_{given}", self.measure),
            None => self.measure.to_owned(),
        }
    }

    /// Cutoffs, the lowest first.
    pub(super) fn cutoffs(self, default: &[usize]) -> Result<Vec<NonZeroUsize>, TrecError> {
        let expected = "whole numbers of 1 or more, none of them twice, divided by commas";
        let mut cutoffs: Vec<NonZeroUsize> = match self.given {
            None => default.iter().copied().filter_map(NonZeroUsize::new).collect(),
            Some(given) => given
                .split(',')
                .map(|text| usize::try_from(leading_integer(text)).ok().and_then(NonZeroUsize::new))
                .collect::<Option<_>>()
                .ok_or_else(|| self.bad(expected))?,
        };
        cutoffs.sort_unstable();
        if cutoffs.is_sorted_by(|a, b| a < b) { Ok(cutoffs) } else { Err(self.bad(expected)) }
    }

    /// Points such as recalls, the lowest first, none twice.
    pub(super) fn points(self, default: &[f64]) -> Result<Vec<Number>, TrecError> {
        let mut points = self.numbers(default)?;
        points.sort_by(|a, b| a.get().total_cmp(&b.get()));
        if points.is_sorted_by(|a, b| a.get() < b.get()) {
            Ok(points)
        } else {
            Err(self.bad("numbers, none of them twice, divided by commas"))
        }
    }

    /// Numbers in the order in which they were written.
    pub(super) fn numbers(self, default: &[f64]) -> Result<Vec<Number>, TrecError> {
        let numbers: Option<Vec<Number>> = match self.given {
            None => default.iter().copied().map(Number::new).collect(),
            Some(given) => given.split(',').map(|text| Number::new(leading_number(text))).collect(),
        };
        numbers.ok_or_else(|| self.bad("finite numbers, divided by commas"))
    }

    /// Pairs of a grade and its gain.
    pub(super) fn pairs(self) -> Result<Vec<(i64, f64)>, TrecError> {
        let mut pairs: Vec<(i64, f64)> = Vec::new();
        for text in self.given.into_iter().flat_map(|given| given.split(',')) {
            let pair =
                text.split_once('=').filter(|(_, gain)| !gain.contains('=')).and_then(|(grade, gain)| {
                    Some((leading_integer(grade), Number::new(leading_number(gain))?.get()))
                });
            let pair = pair.filter(|(grade, _)| *grade >= 0 && pairs.iter().all(|(other, _)| other != grade));
            pairs.push(pair.ok_or_else(|| {
                self.bad("pairs of a grade of 0 or more and its gain, such as 1=3.5,2=9, no grade twice")
            })?);
        }
        Ok(pairs)
    }

    /// The error that says what is expected.
    pub(super) fn bad(self, expected: &'static str) -> TrecError {
        let given = self.given.unwrap_or_default().to_owned();
        TrecError::BadParameters { measure: self.measure, given, expected }
    }
}

/// The whole number that a text starts with, cut to what 64 bits hold; else 0.
pub(super) fn leading_integer(text: &str) -> i64 {
    let text = text.trim_ascii_start();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let negative = text.starts_with('-');
    digits.bytes().take_while(u8::is_ascii_digit).fold(0i64, |value, digit| {
        let digit = i64::from(digit - b'0');
        let value = value.saturating_mul(10);
        if negative { value.saturating_sub(digit) } else { value.saturating_add(digit) }
    })
}

/// The number that a text starts with; else 0.
pub(super) fn leading_number(text: &str) -> f64 {
    let text = text.trim_ascii_start();
    let sign = usize::from(text.starts_with(['+', '-']));
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = sign + digits(sign);
    if text[end..].starts_with('.') {
        end += 1 + digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let exponent = end + 1 + usize::from(text[end + 1..].starts_with(['+', '-']));
        if digits(exponent) > 0 {
            end = exponent + digits(exponent);
        }
    }
    text[..end].parse().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_far_as_they_go() {
        for (text, integer, number) in [
            ("5", 5, 5.0),
            (" +5.75x", 5, 5.75),
            ("-3", -3, -3.0),
            ("x", 0, 0.0),
            ("", 0, 0.0),
            ("-", 0, 0.0),
            (".5", 0, 0.5),
            ("1e3", 1, 1000.0),
            ("2e", 2, 2.0),
            ("2.e-", 2, 2.0),
            (".", 0, 0.0),
            ("99999999999999999999", i64::MAX, 1e20),
            ("-99999999999999999999", i64::MIN, -1e20),
            ("é", 0, 0.0),
        ] {
            assert_eq!((leading_integer(text), leading_number(text)), (integer, number), "{text}");
        }
    }

    #[test]
    fn lists_are_sorted_and_have_nothing_twice() {
        let given = |given| Parameters { measure: "P", given: Some(given) };
        let cutoffs: Vec<usize> = given("10,5").cutoffs(&[]).unwrap().into_iter().map(usize::from).collect();
        assert_eq!(cutoffs, [5, 10]);
        for bad in ["5,5", "0", "x", "5,,6", "-3"] {
            assert!(given(bad).cutoffs(&[]).is_err(), "{bad}");
        }
        assert!(given("0.5,.5").points(&[]).is_err());
        assert!(given("0.5,.5").numbers(&[]).is_ok());
        assert!(given("1e999").numbers(&[]).is_err());
        assert_eq!(given("1=2,2=").pairs().unwrap(), [(1, 2.0), (2, 0.0)]);
        for bad in ["1", "1=2=3", "1=2,", "-1=2", "1=2,1=3"] {
            assert!(given(bad).pairs().is_err(), "{bad}");
        }
    }
}
