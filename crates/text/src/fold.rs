//! One spelling for what reads the same: lower case, no accents, no typographic forms.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::signs::{Sign, is_ideograph, sign};

/// Appends the folded form of a text to `into`; folding what is folded changes nothing.
///
/// ```
/// let mut folded = String::new();
/// text::fold("Erdős–Rényi: Poincaré’s 𝔽 in Straßburg", &mut folded);
/// assert_eq!(folded, "erdos-renyi: poincare's f in strassburg");
/// ```
pub fn fold(text: &str, into: &mut String) {
    for character in text.chars() {
        if character.is_ascii() {
            into.push(character.to_ascii_lowercase());
            continue;
        }
        match sign(character) {
            Sign::Letter | Sign::Greek | Sign::Ideograph => fold_letter(character, |part| into.push(part)),
            Sign::Symbol => into.push(fold_symbol(character)),
            Sign::Apostrophe => into.push('\''),
            Sign::Hyphen => into.push('-'),
            Sign::Star => into.push('*'),
            Sign::Silent => {}
            Sign::Other => into.push(character),
        }
    }
}

/// The folded characters of one that stands in a word: letters and digits only.
pub(crate) fn fold_letter(character: char, mut each: impl FnMut(char)) {
    if is_ideograph(character) {
        // Taking marks off would turn one syllable into another.
        character.nfkc().filter(|part| is_letter(*part)).for_each(each);
        return;
    }
    if is_fraction(character) {
        // Its parts would read as one number of two digits.
        each(character);
        return;
    }
    for part in character.nfkd() {
        if is_combining_mark(part) {
            continue;
        }
        for lower in part.to_lowercase() {
            match spelled_out(lower) {
                Some(letters) => letters.chars().for_each(&mut each),
                None if is_letter(lower) => each(lower),
                None => {}
            }
        }
    }
}

fn is_letter(character: char) -> bool {
    matches!(sign(character), Sign::Letter | Sign::Greek | Sign::Ideograph)
}

/// A sign of mathematics without its font.
pub(crate) fn fold_symbol(character: char) -> char {
    let mut parts = character.nfkd();
    match (parts.next(), parts.next()) {
        (Some(single), None) if sign(single) == Sign::Symbol => single,
        _ => character,
    }
}

/// One half, three quarters and the like.
pub(crate) fn is_fraction(character: char) -> bool {
    matches!(character, '¼'..='¾' | '\u{2150}'..='\u{215F}' | '\u{2189}')
}

/// Letters that Unicode does not take apart, as people without that key type them.
fn spelled_out(lower: char) -> Option<&'static str> {
    Some(match lower {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ŧ' => "t",
        'þ' => "th",
        'ı' => "i",
        'ȷ' => "j",
        'ς' => "σ",
        'ϵ' => "ε",
        _ => return None,
    })
}
