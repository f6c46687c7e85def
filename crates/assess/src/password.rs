//! Passwords: which are good enough, and how they are kept.

mod guess;

use crate::error::{Error, Result};
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use guess::{guesses, plain};
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization as _;

/// A password has so many characters at least.
const SHORTEST: usize = 10;
/// And so many at most: hashing a book takes long.
const LONGEST: usize = 200;

/// A password that takes fewer guesses is refused, as a logarithm to the base of ten. Whoever has the
/// database can try about as many in a day on one computer.
const GUESSES: f64 = 8.0;

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

/// Checks a new password of somebody with a name in a lab, and says what is wrong with it.
///
/// # Errors
///
/// With a sentence, when it is too short, too long, or easy to guess.
pub fn check_password(password: &str, name: &str, lab: &str) -> Result<()> {
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
    let name = plain(name);
    if !name.is_empty() && plain(password).trim() == name {
        return Err(Error::refused("the password is the name; choose another"));
    }
    if guesses(password, &[&name, lab]) < GUESSES {
        return Err(Error::refused(
            "the password is one of the first that anybody would try: common words, names, years, rows of keys \
             and repetitions are no secret; choose another, such as four words that have nothing to do with each \
             other",
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
        let check =
            |password: &str| check_password(password, "Ada.Lovelace", "arqmath-4").unwrap_err().to_string();
        assert!(check("short").contains("too short"));
        assert!(check(&"é".repeat(9)).contains("too short"));
        assert!(check(&"long ".repeat(41)).contains("too long"));
        assert!(check("ada.lovelace").contains("is the name"));
        assert!(check("with\0a control").contains("cannot be typed"));
        for common in [
            "1234567890",
            "Password123!",
            "passwort2024",
            "aaaaaaaaaaaa",
            "!!hypatia!!!",
            "QWERTYUIOP",
            "1q2w3e4r5t",
            "P@ssw0rd2026",
            "Summer2026!",
            "Winter-2025",
            "Sommer2024!!",
            "printemps2026",
            "October2026",
            "qwertyuiop123",
            "qwertzuiop1",
            "1qaz2wsx3edc",
            "zaq1xsw2cde3",
            "asdfghjkl;1",
            "abcdefghij1",
            "9876543210a",
            "0000000000",
            "ababababab",
            "abc123abc123",
            "!!!!!!!!!!!!",
            "iloveyou2024",
            "iloveyou!!!",
            "letmein12345",
            "Monkey1234!",
            "dragonmonkey",
            "Football2026",
            "AdaLovelace1",
            "lovelace1815",
            "ada.lovelace!",
            "Ada1815Ada1815",
            "ecalevol99",
            "Arqmath-4-2026",
            "arqmath2026!",
            "Michael1987!",
            "Chelsea1905!",
            "trustno1trustno1",
            "changeme2026",
            "08151994081",
            "+4915112345678",
        ] {
            assert!(check(common).contains("first"), "{common}");
        }
        for good in [
            "correct horse",
            "x7#kQ2!pLm",
            "zehn Zeichen",
            "not the password of others",
            "vier fünf Wörter",
            "Tr0ub4dor&3x",
            "数学证明很有意思真的",
            "ленивый барсук",
            "kettle orbit maple",
            "hj8-Wq2-pz4",
        ] {
            check_password(good, "ada", "arqmath-4").unwrap_or_else(|error| panic!("{good}: {error}"));
        }
    }

    /// Every common word with what people add to it.
    #[test]
    fn decorated_words_are_refused_by_the_thousand() {
        let words = include_str!("../data/common.txt").lines().filter(|line| !line.starts_with('#'));
        let ends = [
            "1",
            "123",
            "1234",
            "12345!",
            "2024",
            "2025!",
            "!2026",
            "_1987",
            "007",
            "!!!",
            "99",
            "123456789",
        ];
        let mut refused = 0;
        for word in words.flat_map(str::split_whitespace) {
            let mut letters = word.chars();
            let first = letters.next().unwrap().to_uppercase().to_string();
            for end in ends {
                let password = format!("{first}{}{end}", letters.as_str());
                if password.chars().count() >= SHORTEST {
                    check_password(&password, "", "").expect_err(&password);
                    refused += 1;
                }
            }
        }
        assert!(refused > 8_000, "{refused}");
    }
}
