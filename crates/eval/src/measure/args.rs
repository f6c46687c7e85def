//! The parameters written behind a measure's name, taken one by one.
//!
//! A measure takes what it knows; what is left over at the end is an error
//! that says what the measure would have taken.

use super::{MeasureError, Number};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

/// Above this, 2^grade is too large to divide by.
const HIGHEST_MAX_GRADE: i32 = 100;

/// What is written behind a name.
#[derive(Debug)]
pub(crate) struct Args<'a> {
    measure: &'static str,
    given: Vec<(&'a str, &'a str)>,
    cutoff: Option<&'a str>,
    known: Vec<&'static str>,
    knows_cutoff: bool,
    reasons: Vec<(&'static str, &'static str)>,
}

impl<'a> Args<'a> {
    pub(crate) fn new(
        measure: &'static str,
        given: Vec<(&'a str, &'a str)>,
        cutoff: Option<&'a str>,
    ) -> Self {
        Self { measure, given, cutoff, known: Vec::new(), knows_cutoff: false, reasons: Vec::new() }
    }

    /// The grade from which on a result is relevant; 1 unless said.
    pub(crate) fn level(&mut self) -> Result<i32, MeasureError> {
        Ok(self.optional_level()?.unwrap_or(1))
    }

    /// The same, if said.
    pub(crate) fn optional_level(&mut self) -> Result<Option<i32>, MeasureError> {
        self.whole("rel", 0..=i32::MAX, "a grade of 0 or more")
    }

    /// The highest grade there is, if said.
    pub(crate) fn max_grade(&mut self) -> Result<Option<i32>, MeasureError> {
        self.whole("max", 1..=HIGHEST_MAX_GRADE, "a grade from 1 to 100")
    }

    fn whole(
        &mut self,
        name: &'static str,
        range: RangeInclusive<i32>,
        expected: &'static str,
    ) -> Result<Option<i32>, MeasureError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let value = text.parse().ok().filter(|value| range.contains(value));
        value.map(Some).ok_or_else(|| self.bad(name, text, expected))
    }

    /// A number, if said.
    pub(crate) fn number(
        &mut self,
        name: &'static str,
        range: RangeInclusive<f64>,
    ) -> Result<Option<Number>, MeasureError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let value = text.parse().ok().filter(|value| range.contains(value)).and_then(Number::new);
        let expected = if *range.end() > 1.0 { "a number of 0 or more" } else { "a number from 0 to 1" };
        value.map(Some).ok_or_else(|| self.bad(name, text, expected))
    }

    /// A parameter as written, if said.
    pub(crate) fn text(&mut self, name: &'static str) -> Option<&'a str> {
        self.known.push(name);
        let index = self.given.iter().position(|(given, _)| *given == name)?;
        Some(self.given.remove(index).1)
    }

    /// The cutoff as written; it still counts as not taken.
    pub(crate) fn raw_cutoff(&mut self) -> Option<&'a str> {
        self.knows_cutoff = true;
        self.cutoff
    }

    /// The cutoff, if said.
    pub(crate) fn cutoff(&mut self) -> Result<Option<NonZeroUsize>, MeasureError> {
        let Some(text) = self.raw_cutoff() else { return Ok(None) };
        let cutoff = text.parse().map_err(|_| MeasureError::BadValue {
            measure: self.measure,
            parameter: "@".to_owned(),
            value: text.to_owned(),
            expected: "a whole number of 1 or more",
        })?;
        Ok(Some(cutoff))
    }

    /// The cutoff of a measure that does not go without.
    pub(crate) fn required_cutoff(&mut self) -> Result<NonZeroUsize, MeasureError> {
        self.cutoff()?.ok_or(MeasureError::MissingCutoff { measure: self.measure, example: "10" })
    }

    /// A recall point in the place of the cutoff, or named.
    pub(crate) fn recall(&mut self) -> Result<Number, MeasureError> {
        if let Some(text) = self.raw_cutoff() {
            let value = text.parse().ok().filter(|value| (0.0..=1.0).contains(value)).and_then(Number::new);
            return value.ok_or_else(|| MeasureError::BadValue {
                measure: self.measure,
                parameter: "@".to_owned(),
                value: text.to_owned(),
                expected: "a recall from 0 to 1",
            });
        }
        let recall = self.number("recall", 0.0..=1.0)?;
        recall.ok_or(MeasureError::MissingCutoff { measure: self.measure, example: "0.1" })
    }

    /// Says why there is no such parameter, should it be given.
    pub(crate) fn has_no(&mut self, name: &'static str, reason: &'static str) {
        self.reasons.push((name, reason));
    }

    /// Says why there is no cutoff, should one be given.
    pub(crate) fn has_no_cutoff(&mut self, reason: &'static str) {
        self.has_no("@", reason);
    }

    /// The error for a value that the parameter cannot have.
    pub(crate) fn bad(&self, name: &str, value: &str, expected: &'static str) -> MeasureError {
        MeasureError::BadValue {
            measure: self.measure,
            parameter: format!("{name}="),
            value: value.to_owned(),
            expected,
        }
    }

    /// An error if something was given that the measure did not take.
    pub(crate) fn finish(mut self) -> Result<(), MeasureError> {
        let (key, parameter) = match (self.given.first(), self.cutoff) {
            (Some((name, value)), _) => (*name, format!("{name}={value}")),
            (None, Some(cutoff)) if !self.knows_cutoff => ("@", format!("@{cutoff}")),
            _ => return Ok(()),
        };
        let reason = self.reasons.iter().find(|(name, _)| *name == key).map(|(_, reason)| *reason);
        if self.knows_cutoff {
            self.known.push("@cutoff");
        }
        let reason = match (reason, self.known.as_slice()) {
            _ if self.known.contains(&key) => "it is given twice".to_owned(),
            (Some(reason), _) => reason.to_owned(),
            (None, []) => "it has no parameters".to_owned(),
            (None, known) => format!("it knows {}", known.join(", ")),
        };
        Err(MeasureError::NoEffect { measure: self.measure, parameter, reason })
    }
}
