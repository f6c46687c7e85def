//! What a single character is to the cutter.

use unicode_normalization::char::is_combining_mark;

/// Stands where a formula was taken out, in cleaned HTML and in plain text; it separates words.
pub const FORMULA: char = '\u{FDD0}';

/// What a character does in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// A letter or digit of any script that is not one of the next two.
    Letter,
    /// A Greek letter, in any of the mathematical alphabets too.
    Greek,
    /// A character of Chinese, Japanese or Korean, which is a word by itself.
    Ideograph,
    /// Belongs to the word around it and leaves no trace: accents, soft hyphens, joiners.
    Silent,
    /// An apostrophe in any of its forms.
    Apostrophe,
    /// A hyphen in any of its forms, the minus sign and the short dash.
    Hyphen,
    /// An asterisk in any of its forms.
    Star,
    /// A sign of mathematics.
    Symbol,
    /// Separates and is nothing.
    Other,
}

/// What this character does.
pub(crate) fn sign(character: char) -> Sign {
    match character {
        '0'..='9' | 'a'..='z' | 'A'..='Z' => Sign::Letter,
        '\'' | '\u{2018}' | '\u{2019}' | '\u{02BC}' | '\u{00B4}' | '\u{FF07}' => Sign::Apostrophe,
        '-' | '\u{2010}' | '\u{2011}' | '\u{2013}' | '\u{2212}' | '\u{FE63}' | '\u{FF0D}' => Sign::Hyphen,
        '*' | '\u{2217}' | '\u{22C6}' | '\u{FF0A}' => Sign::Star,
        '\0'..='\u{7F}' => Sign::Other,
        // Stack Exchange breaks long words in comments with joiners and spaces of no width.
        '\u{00AD}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' => {
            Sign::Silent
        }
        _ if is_ideograph(character) => Sign::Ideograph,
        _ if is_combining_mark(character) => Sign::Silent,
        _ if is_symbol(character) => Sign::Symbol,
        _ if character.is_alphanumeric() => {
            if is_greek(character) {
                Sign::Greek
            } else {
                Sign::Letter
            }
        }
        _ => Sign::Other,
    }
}

fn is_greek(character: char) -> bool {
    matches!(character, '\u{00B5}' | '\u{0370}'..='\u{03FF}' | '\u{1F00}'..='\u{1FFF}' | '\u{2126}'
        | '\u{213C}'..='\u{213F}' | '\u{1D6A8}'..='\u{1D7CB}')
}

/// Hangul is among them although it has blanks between words: syllables match well enough.
pub(crate) fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{1100}'..='\u{11FF}' | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}'
        | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{3105}'..='\u{312F}'
        | '\u{3131}'..='\u{318E}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAD9}' | '\u{FF66}'..='\u{FF9D}'
        | '\u{20000}'..='\u{3134F}')
}

/// Operators, relations, arrows and brackets; no ASCII, where signs are mostly punctuation.
fn is_symbol(character: char) -> bool {
    matches!(character, '¬' | '±' | '×' | '÷' | '\u{2190}'..='\u{21FF}' | '\u{2200}'..='\u{22FF}'
        | '\u{2308}'..='\u{230B}' | '\u{27C0}'..='\u{27FF}' | '\u{2900}'..='\u{2AFF}'
        | '\u{1D6C1}' | '\u{1D6DB}' | '\u{1D6FB}' | '\u{1D715}' | '\u{1D735}' | '\u{1D74F}'
        | '\u{1D76F}' | '\u{1D789}' | '\u{1D7A9}' | '\u{1D7C3}')
}
