//! 128 bits that say what a formula looks like.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_128;

/// What is hashed, so that a tree and a text never meet by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Domain {
    /// The canonical layout of a tree.
    Layout = b'T',
    /// LaTeX without blanks.
    Latex = b'L',
    /// The labs' string of a tree.
    LabsString = b'S',
    /// The canonical layout of a tree without the names of variables.
    Naming = b'N',
}

/// The identity of a look: formulas that look the same have the same key.
///
/// A key is the same in every process, on every machine and in every version
/// that has the same [`Key::VERSION`]. It prints as 32 hexadecimal digits.
///
/// ```
/// use formula::identity::{Formula, Keyer};
/// use formula::slt::Slt;
///
/// let slt = Slt::read("[V!x,a[N!2]]")?;
/// let key = Keyer::default().key(Formula { slt: Some(&slt), latex: "x^2" });
/// assert_eq!(key.to_string().parse(), Ok(key));
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(u128);

impl Key {
    /// Counts the changes to what is hashed. It is the first byte of everything that is.
    pub const VERSION: u8 = 1;

    /// Hashes what was written behind the two bytes of [`begin`].
    pub(super) fn of(buffer: &[u8]) -> Self {
        Self(xxh3_128(buffer))
    }

    /// The key with these bits.
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    /// All bits.
    #[must_use]
    pub const fn bits(self) -> u128 {
        self.0
    }
}

/// Empties the buffer and writes version and domain.
pub(super) fn begin(buffer: &mut Vec<u8>, domain: Domain) {
    buffer.clear();
    buffer.extend([Key::VERSION, domain as u8]);
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

/// Why a text is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a key has 32 hexadecimal digits in lower case")]
pub struct KeyError;

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        if text.len() != 32 || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(KeyError);
        }
        u128::from_str_radix(text, 16).map(Self).map_err(|_| KeyError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_and_parses() {
        let key = Key::from_bits(0xab);
        assert_eq!(key.to_string(), "000000000000000000000000000000ab");
        assert_eq!(key.to_string().parse(), Ok(key));
        assert_eq!(Key::from_bits(u128::MAX).to_string().parse(), Ok(Key::from_bits(u128::MAX)));
        for wrong in ["", "ab", "000000000000000000000000000000AB", "+00000000000000000000000000000ab"] {
            assert_eq!(wrong.parse::<Key>(), Err(KeyError), "{wrong}");
        }
    }
}
