//! The secret by which a server knows who asks.
//!
//! It is shown nowhere: not when a key is printed, not in an error, not in what is kept. The one place that
//! takes it out is the header of a request.

use crate::Error;
use std::{env, fmt};

/// The secret by which a server knows who asks; printing it prints a placeholder.
///
/// ```
/// let key = generate::Key::new("sk-12345678").unwrap();
/// assert_eq!(format!("{key} {key:?}"), "[key] [key]");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

/// What stands where a key was.
const PLACEHOLDER: &str = "[key]";

/// A shorter key may be a common word, as those are that servers without keys ask for.
const UNMISTAKABLE: usize = 16;

impl Key {
    /// A key from a text; blanks around it are no part of it.
    ///
    /// # Errors
    ///
    /// When nothing is left of it, or something that cannot stand in the header of a request.
    pub fn new(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Error::Key { reason: "it is empty".to_owned() });
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            let reason = "it has blanks or letters that cannot be sent in a header".to_owned();
            return Err(Error::Key { reason });
        }
        Ok(Self(text.to_owned()))
    }

    /// The key in a variable of the environment, so that it stands neither in a command nor in a file.
    ///
    /// # Errors
    ///
    /// When there is no such variable, or no key in it.
    pub fn from_environment(variable: &str) -> Result<Self, Error> {
        let about = |reason: &str| Error::Key { reason: format!("the variable {variable}: {reason}") };
        match env::var(variable) {
            Ok(text) => Self::new(&text).map_err(|error| match error {
                Error::Key { reason } => about(&reason),
                other => other,
            }),
            Err(env::VarError::NotPresent) => Err(about("it is not set")),
            Err(env::VarError::NotUnicode(_)) => Err(about("it is no text")),
        }
    }

    /// The header that carries the key.
    pub(crate) fn authorization(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// A text without the key, whatever a server put into it.
    pub(crate) fn scrub(&self, text: &str) -> String {
        text.replace(&self.0, PLACEHOLDER)
    }

    /// Whether a text holds the key and not merely the same word.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.0.len() >= UNMISTAKABLE && text.contains(&self.0)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(PLACEHOLDER)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(PLACEHOLDER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_around_a_key_are_no_part_of_it() {
        assert_eq!(Key::new(" sk-1\n").unwrap(), Key::new("sk-1").unwrap());
    }

    #[test]
    fn what_cannot_be_a_key_is_refused_without_showing_it() {
        for bad in ["", " \n", "sk-1 secret", "sk-é-secret", "sk\r\nsecret"] {
            let error = Key::new(bad).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("secret"), "{bad:?}");
        }
    }

    #[test]
    fn a_variable_that_is_not_set_is_named() {
        let error = Key::from_environment("HYPATIA_NO_SUCH_KEY").unwrap_err().to_string();
        assert!(error.contains("HYPATIA_NO_SUCH_KEY: it is not set"), "{error}");
    }

    #[test]
    fn a_variable_gives_its_key() {
        // Every run of tests has this one, and its text can be a key.
        let expected = Key::new(env!("CARGO_PKG_NAME")).unwrap();
        assert_eq!(Key::from_environment("CARGO_PKG_NAME").unwrap(), expected);
    }
}
