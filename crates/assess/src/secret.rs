//! Secrets that only whoever was given one has: in links and in cookies.

use crate::error::{Error, Result};
use std::fmt;

/// So many random bytes are in a secret.
const BYTES: usize = 32;

/// A secret of 32 random bytes. The books only have its checksum, so that who reads them cannot use it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one, from the system's own source of randomness.
    ///
    /// # Errors
    ///
    /// When the system has none to give.
    pub fn new() -> Result<Self> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|_| Error::Broken)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Reads one as it came from a link or a cookie; what cannot be one is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let plain = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 2 * BYTES && text.bytes().all(plain)).then(|| Self(text.to_owned()))
    }

    /// How it is written in a link or a cookie.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands in the books.
    #[must_use]
    pub fn checksum(&self) -> String {
        lab::checksum(self.0.as_bytes())
    }

    /// Another secret that follows from this one, for one purpose; it does not tell this one.
    #[must_use]
    pub fn derived(&self, purpose: &str) -> String {
        lab::checksum(format!("{purpose}{}", self.0).as_bytes())
    }
}

impl fmt::Debug for Secret {
    /// It must not come into any log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_read_as_written_and_nothing_else_is() {
        let secret = Secret::new().unwrap();
        assert_eq!(Secret::read(secret.as_str()), Some(secret.clone()));
        assert_ne!(secret, Secret::new().unwrap());
        assert_ne!(secret.checksum(), secret.derived("csrf"));
        assert!(!format!("{secret:?}").contains(secret.as_str()));
        let text = secret.as_str();
        for wrong in
            ["", "0", &text[1..], &format!("{text}0"), &text.replace(|_: char| true, "G"), "' OR 1=1 --"]
        {
            assert_eq!(Secret::read(wrong), None, "{wrong}");
        }
    }
}
