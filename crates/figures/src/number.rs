//! Numbers as people read them.

/// A number with fixed decimals; `None` if it is not finite.
/// What rounds to zero has no sign; huge numbers are written with a power of ten.
pub(crate) fn fixed(value: f64, decimals: usize) -> Option<String> {
    if !value.is_finite() {
        return None;
    }
    // No more digits than a number has, nor more than a cell can take.
    let decimals = decimals.min(17);
    if value.abs() >= 1e15 {
        return Some(format!("{value:.3e}"));
    }
    let text = format!("{value:.decimals$}");
    let unsigned = text.strip_prefix('-');
    Some(match unsigned {
        Some(digits) if digits.bytes().all(|b| b == b'0' || b == b'.') => digits.to_owned(),
        _ => text,
    })
}

/// [`fixed`] with a true minus sign, and a dash where there is no number.
pub(crate) fn typeset(value: f64, decimals: usize) -> String {
    fixed(value, decimals).map_or_else(|| MISSING.to_owned(), |text| text.replace('-', "−"))
}

/// What stands where a number should be.
pub(crate) const MISSING: &str = "–";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(fixed(-0.0004, 3).as_deref(), Some("0.000"));
        assert_eq!(fixed(-0.0006, 3).as_deref(), Some("-0.001"));
        assert_eq!(fixed(f64::NAN, 3), None);
        assert_eq!(typeset(-0.5, 1), "−0.5");
        assert_eq!(typeset(-1e299, 3), "−1.000e299");
        assert_eq!(typeset(f64::INFINITY, 1), "–");
    }
}
