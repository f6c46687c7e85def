//! Passwords: which are good enough, and how they are kept.

use crate::error::{Error, Result};
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization as _;

/// A password has so many characters at least.
const SHORTEST: usize = 10;
/// And so many at most: hashing a book takes long.
const LONGEST: usize = 200;

/// What everybody tries first; signs between and at the end are not looked at.
const COMMON: [&str; 24] = [
    "1234567890",
    "0123456789",
    "9876543210",
    "0987654321",
    "1q2w3e4r5t",
    "qwertyuiop",
    "qwertzuiop",
    "azertyuiop",
    "asdfghjkl",
    "abcdefghij",
    "password",
    "passwort",
    "motdepasse",
    "passphrase",
    "letmein",
    "changeme",
    "iloveyou",
    "administrator",
    "welcome",
    "hypatia",
    "arqmath",
    "assessor",
    "organiser",
    "mathematics",
];

/// A password as it is kept: by argon2id, with a salt of its own.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Hashed(String);

impl Hashed {
    /// What stands in the books.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Against this a password is held where there is no account, so that it takes as long.
static NOBODY: LazyLock<Option<Hashed>> = LazyLock::new(|| hash("nobody has this one").ok());

/// Checks a new password, and says what is wrong with it.
///
/// # Errors
///
/// With a sentence, when it is too short, too long, or easy to guess.
pub fn check_password(password: &str, name: &str) -> Result<()> {
    let length = password.chars().count();
    if length < SHORTEST {
        return Err(Error::refused(format!(
            "the password is too short: it needs {SHORTEST} characters or more"
        )));
    }
    if length > LONGEST {
        return Err(Error::refused(format!("the password is too long: {LONGEST} characters are the most")));
    }
    if password.chars().any(char::is_control) {
        return Err(Error::refused("the password has characters that cannot be typed"));
    }
    let plain = |text: &str| text.nfkc().flat_map(char::to_lowercase).collect::<String>();
    let (guess, name) = (plain(password), plain(name));
    if !name.is_empty() && guess.trim() == name {
        return Err(Error::refused("the password is the name; choose another"));
    }
    // `Password123!` is the same idea as `password`.
    let bare = guess.trim_end_matches(|c: char| !c.is_alphabetic());
    let bare = if bare.is_empty() { guess.as_str() } else { bare };
    let first = guess.chars().next();
    let same = guess.chars().all(|c| Some(c) == first);
    let common = COMMON.iter().any(|common| {
        bare == *common
            || guess == *common
            || bare.trim_start_matches(|c: char| !c.is_alphabetic()) == *common
    });
    if same || common {
        return Err(Error::refused(
            "the password is one of the first that anybody would try; choose another",
        ));
    }
    Ok(())
}

/// Hashes a password; this takes long on purpose.
pub(crate) fn hash(password: &str) -> Result<Hashed> {
    let hashed: PasswordHash =
        Argon2::default().hash_password(typed(password).as_bytes()).map_err(|_| Error::Broken)?;
    Ok(Hashed(hashed.to_string()))
}

/// Whether it is the password that is kept. It takes as long where none is.
pub(crate) fn fits(password: &str, kept: Option<&str>) -> bool {
    // A longer one cannot be kept, and would take longer.
    let short = password.chars().take(LONGEST + 1).count() <= LONGEST;
    let password = if short { password } else { "" };
    let nobody = NOBODY.as_ref().map_or("", Hashed::as_str);
    let fits = PasswordHash::new(kept.unwrap_or(nobody))
        .is_ok_and(|kept| Argon2::default().verify_password(typed(password).as_bytes(), &kept).is_ok());
    fits && short && kept.is_some()
}

/// The same password typed on another system may come in other code points.
fn typed(password: &str) -> String {
    password.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_fits_itself_only() {
        let hashed = hash("a long enough one é").unwrap();
        assert!(hashed.as_str().starts_with("$argon2id$v=19$"), "{}", hashed.as_str());
        assert!(fits("a long enough one é", Some(hashed.as_str())));
        assert!(fits("a long enough one e\u{301}", Some(hashed.as_str())));
        assert!(!fits("a long enough one e", Some(hashed.as_str())));
        assert!(!fits("", Some(hashed.as_str())));
        assert!(!fits("a long enough one é", None));
        assert!(!fits("nobody has this one", None));
        assert!(!fits("a long enough one é", Some("no hash at all")));
        assert_ne!(hash("the same twice").unwrap().as_str(), hash("the same twice").unwrap().as_str());
    }

    #[test]
    fn bad_ones_are_refused_with_a_reason() {
        let check = |password: &str| check_password(password, "Ada.Lovelace").unwrap_err().to_string();
        assert!(check("short").contains("too short"));
        assert!(check(&"é".repeat(9)).contains("too short"));
        assert!(check(&"long ".repeat(41)).contains("too long"));
        assert!(check("ada.lovelace").contains("is the name"));
        for common in
            ["1234567890", "Password123!", "passwort2024", "aaaaaaaaaaaa", "!!hypatia!!!", "QWERTYUIOP"]
        {
            assert!(check(common).contains("first"), "{common}");
        }
        assert!(check("with\0a control").contains("cannot be typed"));
        for good in ["correct horse", "x7#kQ2!pLm", "zehn Zeichen", "密码密码密码密码密码"] {
            check_password(good, "ada").unwrap();
        }
    }
}
