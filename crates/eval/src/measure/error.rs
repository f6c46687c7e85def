//! What can be wrong with the name of a measure.

use thiserror::Error;

/// Why a text does not name a measure.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// No measure has this name.
    #[error("there is no measure `{name}`{}; known are {}", did_you_mean(*nearest), known.join(", "))]
    UnknownMeasure {
        /// The name as written.
        name: String,
        /// The most similar known name, if one is similar.
        nearest: Option<&'static str>,
        /// All known names.
        known: Vec<&'static str>,
    },
    /// The measure has no such parameter, or it would have no effect.
    #[error("`{parameter}` has no effect on {measure}: {reason}")]
    NoEffect {
        /// The measure.
        measure: &'static str,
        /// The parameter as written; `'` and `@…` are ones too.
        parameter: String,
        /// Why, and what there is instead.
        reason: String,
    },
    /// A parameter has a value that it cannot have.
    #[error("`{parameter}{value}` of {measure} should be {expected}")]
    BadValue {
        /// The measure.
        measure: &'static str,
        /// The parameter, with the sign that joins it to the value.
        parameter: String,
        /// The value as written.
        value: String,
        /// What is expected.
        expected: &'static str,
    },
    /// The measure needs a cutoff and has none.
    #[error("{measure} needs a cutoff, as in {measure}@{example}")]
    MissingCutoff {
        /// The measure.
        measure: &'static str,
        /// A cutoff it might have.
        example: &'static str,
    },
    /// Part of the text is not in the form of a measure.
    #[error("cannot read `{part}` in `{text}`: {expected}")]
    Syntax {
        /// The whole text.
        text: String,
        /// What could not be read.
        part: String,
        /// What was expected there.
        expected: &'static str,
    },
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" (did you mean {name}?)")).unwrap_or_default()
}
