//! What was typed and is not seen, but tells how a formula is meant.

/// Marks beside a node's tag and look. They never count when trees are compared, printed or keyed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints(u8);

impl Hints {
    /// A wide space stands before this symbol, as a comma would.
    pub const SPACE_BEFORE: Self = Self(1);
    /// Typed as the name of a function: `\sin`, `\operatorname{rank}`.
    pub const FUNCTION: Self = Self(1 << 1);
    /// In a part of a query that need only be similar: `\simto{…}`.
    pub const SIMILAR: Self = Self(1 << 2);

    /// A fence whose signs were typed as a pair: `\left( … \right)`.
    pub const PAIRED: Self = Self(1 << 3);
    /// A grid, typed as an environment.
    pub const TABLE: Self = Self(1 << 4);
    /// The grid of `matrix` or its kin, not of `array`.
    pub const MATRIX: Self = Self(1 << 5);
    /// The grid of `cases`.
    pub const CASES: Self = Self(1 << 6);

    /// These hints and others.
    #[must_use]
    pub const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether all of these hints are given.
    #[must_use]
    pub const fn has(self, hints: Self) -> bool {
        self.0 & hints.0 == hints.0
    }
}
