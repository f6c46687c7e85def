//! Why a number has no answer: one list of reasons for the whole crate.
//!
//! No function here returns NaN or panics on what a caller passes; a question
//! without an answer is one of these.

/// Why a statistic is not defined for this input.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two lists that belong together differ in length.
    #[error("the lists have {left} and {right} values and cannot be paired")]
    UnequalLengths {
        /// Length of the first list.
        left: usize,
        /// Length of the second list.
        right: usize,
    },
    /// Fewer values than the statistic needs.
    #[error("needs at least {needed} values, has {found}")]
    TooFew {
        /// The smallest number that would do.
        needed: usize,
        /// The number given.
        found: usize,
    },
    /// A value is NaN or infinite.
    #[error("value {position} (counting from 0) is not a finite number")]
    NotFinite {
        /// Where it stands in its list.
        position: usize,
    },
    /// Every value (or every difference) is the same, so the statistic divides by zero.
    #[error("the values do not vary")]
    NoVariation,
    /// Both sides agree in every pair: there is nothing to test.
    #[error("every difference is zero")]
    NoDifference,
    /// Two items have equal values where the definition needs a strict order.
    #[error("items {first} and {second} are tied, and the definition knows no ties")]
    Tied {
        /// One of the items.
        first: usize,
        /// The other.
        second: usize,
    },
    /// An item stands twice in a ranking.
    #[error("the item at position {position} (counting from 0) was seen before")]
    Repeated {
        /// Where it stands the second time.
        position: usize,
    },
    /// Items were rated by different numbers of raters.
    #[error("item {item} has {found} ratings, the first has {expected}")]
    UnequalRaters {
        /// The item that differs from the first.
        item: usize,
        /// Ratings of the first item.
        expected: u64,
        /// Ratings of this one.
        found: u64,
    },
    /// A parameter lies outside its range.
    #[error("{name} is {value}, must be {allowed}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What may be given.
        allowed: &'static str,
    },
    /// A statistic given by the caller came out as NaN or infinite.
    #[error("the statistic of a resample is not a finite number")]
    StatisticNotFinite,
    /// The values are finite, the result is too large for a 64-bit number.
    #[error("the result is too large for a 64-bit floating-point number")]
    TooLarge,
}

/// The values, if each is a finite number and there are enough of them.
pub(crate) fn check(values: &[f64], needed: usize) -> Result<(), Error> {
    if let Some(position) = values.iter().position(|value| !value.is_finite()) {
        return Err(Error::NotFinite { position });
    }
    if values.len() < needed {
        return Err(Error::TooFew { needed, found: values.len() });
    }
    Ok(())
}

/// Two lists of one length, each finite and long enough.
pub(crate) fn check_pair(left: &[f64], right: &[f64], needed: usize) -> Result<(), Error> {
    if left.len() != right.len() {
        return Err(Error::UnequalLengths { left: left.len(), right: right.len() });
    }
    check(left, needed)?;
    check(right, needed)
}

/// A computed value, if it fits.
pub(crate) fn fits(value: f64) -> Result<f64, Error> {
    if value.is_finite() { Ok(value) } else { Err(Error::TooLarge) }
}

/// A value strictly between 0 and 1.
pub(crate) fn open_unit(name: &'static str, value: f64) -> Result<f64, Error> {
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(Error::OutOfRange { name, value, allowed: "between 0 and 1, both excluded" })
    }
}

/// A count of at least one.
pub(crate) fn at_least_one(name: &'static str, value: u32) -> Result<u32, Error> {
    if value == 0 { Err(Error::OutOfRange { name, value: 0.0, allowed: "at least 1" }) } else { Ok(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_read_as_sentences() {
        let unequal = Error::UnequalLengths { left: 2, right: 3 };
        assert_eq!(unequal.to_string(), "the lists have 2 and 3 values and cannot be paired");
        let outside = open_unit("alpha", 1.5).unwrap_err();
        assert_eq!(outside.to_string(), "alpha is 1.5, must be between 0 and 1, both excluded");
    }

    #[test]
    fn unequal_lengths_come_before_bad_values() {
        assert_eq!(check_pair(&[f64::NAN], &[], 1), Err(Error::UnequalLengths { left: 1, right: 0 }));
        assert_eq!(check_pair(&[0.0], &[f64::NAN], 1), Err(Error::NotFinite { position: 0 }));
        assert_eq!(check_pair(&[0.0], &[0.0], 2), Err(Error::TooFew { needed: 2, found: 1 }));
        assert!(open_unit("p", f64::NAN).is_err());
    }
}
