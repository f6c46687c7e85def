//! How many guesses a password takes of somebody who knows how people choose theirs.
//!
//! People decorate: they take a word, a name or a row of keys, write it with a capital or a zero for
//! an o, and add a year and a sign. A list of such passwords is never complete, so what is listed here
//! is what they are made of (`crates/assess/data/common.txt`), and a password is cut into pieces of
//! that kind in the way that takes the fewest guesses. The guesses of the pieces multiply; here their
//! logarithms are added. The method is that of zxcvbn (Wheeler 2016), with fewer kinds of pieces.

use std::collections::HashSet;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization as _;

/// What people make passwords of.
static COMMON: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("../../data/common.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// Rows and columns of keys, and what else is learned in an order.
const ROWS: [&str; 22] = [
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiopü",
    "asdfghjklöä",
    "yxcvbnm",
    "azertyuiop",
    "qsdfghjklm",
    "wxcvbn",
    "1qaz",
    "2wsx",
    "3edc",
    "4rfv",
    "5tgb",
    "6yhn",
    "7ujm",
    "8ik",
    "9ol",
    "!@#$%^&*()",
    "!\"§$%&/()=",
];

/// The keys of a keyboard by their rows, each half a key further to the right.
const KEYS: [&str; 4] = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];

/// Logarithms of guesses to the base of ten.
mod cost {
    /// One of the common words, of about 2,000.
    pub(super) const WORD: f64 = 3.3;
    /// A word that is about the person: their name, the lab's.
    pub(super) const PERSONAL: f64 = 1.0;
    /// That a word is written with other signs, or backwards.
    pub(super) const DISGUISE: f64 = 0.5;
    /// A year of a life.
    pub(super) const YEAR: f64 = 2.0;
    /// A piece of a row of keys.
    pub(super) const ROW: f64 = 1.8;
    /// A walk over neighbouring keys, and each of its turns.
    pub(super) const WALK: f64 = 2.0;
    pub(super) const TURN: f64 = 0.4;
    /// That something is repeated.
    pub(super) const REPEAT: f64 = 0.7;
    /// Any digit: they make dates and numbers of telephones.
    pub(super) const DIGIT: f64 = 0.6;
    /// Any letter of ASCII, any other sign of ASCII, anything else.
    pub(super) const LETTER: f64 = 1.3;
    pub(super) const SIGN: f64 = 1.1;
    pub(super) const OTHER: f64 = 1.8;
}

/// The longest piece that is looked for in the list.
const LONGEST: usize = 24;
/// Shorter words of a person are no hint.
const SHORTEST: usize = 3;

/// A text as a guesser sees it: compatible signs and case are the same.
pub(super) fn plain(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).collect()
}

/// The logarithm to the base of ten of the guesses that a password takes, at most; `about` holds
/// names that somebody would try for this person.
pub(super) fn guesses(password: &str, about: &[&str]) -> f64 {
    let letters: Vec<char> = plain(password).chars().collect();
    let personal = personal(about);
    let mut least = vec![f64::INFINITY; letters.len() + 1];
    least[0] = 0.0;
    for from in 0..letters.len() {
        let before = least[from];
        let mut take = |until: usize, cost: f64| least[until] = least[until].min(before + cost);
        take(from + 1, single(letters[from]));
        for until in from + 2..=letters.len().min(from + LONGEST) {
            if let Some(cost) = piece(&letters[from..until], &personal) {
                take(until, cost);
            }
        }
        // Pieces that may be as long as the password.
        for (until, cost) in rows(&letters, from).into_iter().chain(repeats(&letters, from)) {
            take(until, cost);
        }
        if let Some((until, cost)) = walk(&letters, from) {
            take(until, cost);
        }
    }
    least[letters.len()]
}

/// Names, and the parts that they have.
fn personal(about: &[&str]) -> HashSet<String> {
    let mut words = HashSet::new();
    for name in about {
        let name = plain(name);
        let together: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
        let parts = name.split(|c: char| !c.is_alphabetic()).map(ToOwned::to_owned);
        words.extend(parts.chain([name.clone(), together]));
    }
    words.retain(|word| word.chars().count() >= SHORTEST);
    words
}

fn single(letter: char) -> f64 {
    match letter {
        '0'..='9' => cost::DIGIT,
        'a'..='z' => cost::LETTER,
        other if other.is_ascii() => cost::SIGN,
        _ => cost::OTHER,
    }
}

/// What a piece takes if it is a word or a year.
fn piece(letters: &[char], personal: &HashSet<String>) -> Option<f64> {
    let text: String = letters.iter().collect();
    if letters.len() == 4 && text.parse::<u16>().is_ok_and(|year| (1900..2100).contains(&year)) {
        return Some(cost::YEAR);
    }
    let known = |text: &str| {
        let word = COMMON.contains(text).then_some(cost::WORD);
        if personal.contains(text) { Some(cost::PERSONAL) } else { word }
    };
    let backwards: String = letters.iter().rev().collect();
    let disguised =
        ['i', 'l'].map(|one| letters.iter().map(|letter| undisguised(*letter, one)).collect::<String>());
    known(&text)
        .or_else(|| known(&backwards).map(|cost| cost + cost::DISGUISE))
        .or_else(|| disguised.iter().find_map(|word| known(word)).map(|cost| cost + cost::DISGUISE))
}

/// The letter that a sign stands for, where people write one for the other.
fn undisguised(sign: char, one: char) -> char {
    match sign {
        '@' | '4' => 'a',
        '8' => 'b',
        '(' => 'c',
        '3' | '€' => 'e',
        '6' | '9' => 'g',
        '1' | '!' | '|' => one,
        '0' => 'o',
        '$' | '5' => 's',
        '7' | '+' => 't',
        '2' => 'z',
        other => other,
    }
}

/// Pieces of rows of keys that begin here, forwards or backwards.
fn rows(letters: &[char], from: usize) -> Vec<(usize, f64)> {
    let mut found = Vec::new();
    for row in ROWS {
        let forwards: Vec<char> = row.chars().collect();
        let backwards: Vec<char> = row.chars().rev().collect();
        for row in [forwards, backwards] {
            let starts = row.iter().enumerate().filter(|(_, key)| **key == letters[from]).map(|(at, _)| at);
            for start in starts {
                let length = row[start..].iter().zip(&letters[from..]).take_while(|(a, b)| a == b).count();
                found.extend((3..=length).map(|length| (from + length, cost::ROW)));
            }
        }
    }
    found
}

/// The longest walk over neighbouring keys that begins here.
fn walk(letters: &[char], from: usize) -> Option<(usize, f64)> {
    let place = |letter: char| -> Option<(i32, i32)> {
        KEYS.iter().zip(0i32..).find_map(|(row, down)| {
            let at = row.chars().zip(0i32..).find(|(key, _)| *key == letter)?.1;
            // In half keys, since rows are shifted against each other.
            Some((2 * at + down, down))
        })
    };
    let step = |a: char, b: char| -> Option<(i32, i32)> {
        let (a, b) = (place(a)?, place(b)?);
        let (across, down) = (b.0 - a.0, b.1 - a.1);
        let near = (down == 0 && across.abs() == 2) || (down.abs() == 1 && across.abs() == 1);
        near.then_some((across, down))
    };
    let (mut until, mut turns, mut last) = (from + 1, 0.0, None);
    while let Some(next) = letters.get(until).and_then(|next| step(letters[until - 1], *next)) {
        turns += if last.is_some_and(|last| last != next) { 1.0 } else { 0.0 };
        last = Some(next);
        until += 1;
    }
    (until - from >= 4).then_some((until, cost::WALK + turns * cost::TURN))
}

/// Something that is repeated from here on: a sign three times or more, several at least twice.
fn repeats(letters: &[char], from: usize) -> Vec<(usize, f64)> {
    let rest = &letters[from..];
    let mut found = Vec::new();
    for period in 1..=rest.len() / 2 {
        let same = rest.iter().zip(&rest[period..]).take_while(|(a, b)| a == b).count();
        let times = same / period + 1;
        let least = if period == 1 { 3 } else { 2 };
        if times >= least {
            let once: f64 = rest[..period].iter().map(|letter| single(*letter)).sum();
            found.push((from + times * period, once + cost::REPEAT));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_plain() {
        assert!(COMMON.len() > 1800, "{}", COMMON.len());
        for word in COMMON.iter() {
            assert_eq!(plain(word), **word);
            assert!(word.chars().count() <= LONGEST, "{word}");
        }
    }

    #[test]
    fn pieces_are_found() {
        let least = |password: &str| guesses(password, &[]);
        for (password, most) in [
            ("monkey", cost::WORD),
            ("m0nk3y", cost::WORD + cost::DISGUISE),
            ("yeknom", cost::WORD + cost::DISGUISE),
            ("1987", cost::YEAR),
            ("jklmnop", cost::ROW),
            ("98765432", cost::ROW),
            ("zxcvbnmnbvcxz", 2.0 * cost::ROW),
            ("aaaaaaaaaaaaaaaa", cost::LETTER + cost::REPEAT),
            ("x7x7x7x7x7x7", cost::LETTER + cost::DIGIT + cost::REPEAT),
            ("zaqwsxcde", cost::WALK + 4.0 * cost::TURN),
        ] {
            assert!(least(password) <= most + 1e-9, "{password}: {}", least(password));
        }
        assert!(least("x7#kQ2!pLm") > 10.0);
        assert!((guesses("ada.lovelace", &["Ada.Lovelace"]) - cost::PERSONAL).abs() < 1e-9);
        assert_eq!(guesses("", &[]), 0.0);
        // A long one takes a moment at most, whatever is in it.
        assert!(least(&"ab1!".repeat(50)) < 8.0);
    }
}
