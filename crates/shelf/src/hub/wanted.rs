//! Which model of a hub.

use std::fmt;
use std::str::FromStr;

/// A repository of a hub and a revision: `ORGANISATION/NAME`, or with `@REVISION`, which is a branch, a tag or a
/// commit.
///
/// ```
/// let wanted: shelf::Wanted = "sentence-transformers/all-MiniLM-L6-v2@main".parse().unwrap();
/// assert_eq!(wanted.repository, "sentence-transformers/all-MiniLM-L6-v2");
/// assert_eq!(wanted.revision.as_deref(), Some("main"));
/// assert!("a/b/c".parse::<shelf::Wanted>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The repository.
    pub repository: String,
    /// The revision; the main branch by default.
    pub revision: Option<String>,
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (repository, revision) = match text.split_once('@') {
            Some((repository, revision)) => (repository, Some(revision)),
            None => (text, None),
        };
        let parts: Vec<&str> = repository.split('/').collect();
        if parts.len() > 2 || !parts.iter().all(|part| crate::name::is_good(part)) {
            return Err(format!("'{repository}' is not a repository; expected ORGANISATION/NAME"));
        }
        if revision.is_some_and(|revision| revision.is_empty() || revision.len() > 200) {
            return Err("the revision after @ is empty or too long".to_owned());
        }
        Ok(Self { repository: repository.to_owned(), revision: revision.map(str::to_owned) })
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.repository)?;
        self.revision.as_ref().map_or(Ok(()), |revision| write!(formatter, "@{revision}"))
    }
}

/// A text as one part of an address.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            quoted.push(char::from(byte));
        } else {
            quoted.push_str(&format!("%{byte:02X}"));
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_and_revisions() {
        let wanted: Wanted = "org/name@refs/pr/1".parse().unwrap();
        assert_eq!(wanted.revision.as_deref(), Some("refs/pr/1"));
        assert_eq!(wanted.to_string(), "org/name@refs/pr/1");
        assert_eq!("bert-base".parse::<Wanted>().unwrap().revision, None);
        for bad in ["", "/", "a/", "/a", "a/b/c", "../x", "a b", "a/..", "a@", "https://x/y"] {
            assert!(bad.parse::<Wanted>().is_err(), "{bad}");
        }
        assert_eq!(quote("refs/pr/1 é"), "refs%2Fpr%2F1%20%C3%A9");
    }
}
