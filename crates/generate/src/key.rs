//! The secret by which a server knows who asks.
//!
//! It is shown nowhere: not when a key is printed, not in an error, not in what is kept. The one place that
//! takes it out is the header of a request.

use crate::Error;
use crate::endpoint::begun;
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
    /// When there is no such variable, or no key in it. What can be no name of a variable, or looks like none,
    /// is not shown: it may be the key itself.
    pub fn from_environment(variable: &str) -> Result<Self, Error> {
        if !is_name(variable) {
            let reason =
                "what was given is no name of a variable, and is not shown in case that it is the key";
            return Err(Error::Key { reason: reason.to_owned() });
        }
        let is_usual = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        let shown = if variable.bytes().all(is_usual) {
            format!("the variable {variable}")
        } else {
            "the variable of the name that was given".to_owned()
        };
        let about = |reason: &str| Error::Key { reason: format!("{shown}: {reason}") };
        match env::var(variable) {
            Ok(text) => Self::new(&text).map_err(|error| match error {
                Error::Key { reason } => about(&reason),
                other => other,
            }),
            Err(env::VarError::NotPresent) => Err(about("it is not set")),
            Err(env::VarError::NotUnicode(_)) => Err(about("it is no text")),
        }
    }

    /// The value of the `Authorization` header, for the one place that sends it.
    #[must_use]
    pub fn authorization(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// A text without the key, whatever a server put into it.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        text.replace(&self.0, PLACEHOLDER)
    }

    /// Whether no other word is likely to be the same.
    pub(crate) fn is_unmistakable(&self) -> bool {
        self.0.len() >= UNMISTAKABLE
    }

    /// Whether a text holds the key and not merely the same word.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.is_unmistakable() && text.contains(&self.0)
    }

    /// How many bytes at the end of a text may be the beginning of the key.
    pub(crate) fn begun(&self, text: &str) -> usize {
        begun(text, &self.0)
    }
}

/// Whether a shell would take this as the name of a variable.
fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
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
    fn a_key_in_place_of_a_name_is_not_shown() {
        for given in ["sk-abc", "gsk_abcdef", "hf_abc", "", "0abc", "abc=", "ABC abc"] {
            let error = Key::from_environment(given).unwrap_err().to_string();
            assert!(!error.contains("abc"), "{error}");
        }
    }

    #[test]
    fn a_variable_gives_its_key() {
        // Every run of tests has this one, and its text can be a key.
        let expected = Key::new(env!("CARGO_PKG_NAME")).unwrap();
        assert_eq!(Key::from_environment("CARGO_PKG_NAME").unwrap(), expected);
    }
}
