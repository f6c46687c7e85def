//! A finite number that can be compared and hashed, as parameters must be.

use std::fmt;
use std::hash::{Hash, Hasher};

/// A finite number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(f64);

impl Number {
    pub(crate) const ONE: Self = Self(1.0);
    pub(crate) const FOUR_FIFTHS: Self = Self(0.8);

    /// Nothing if the number is not finite; −0 becomes 0.
    pub(crate) fn new(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self(value + 0.0))
    }

    pub(crate) fn get(self) -> f64 {
        self.0
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
