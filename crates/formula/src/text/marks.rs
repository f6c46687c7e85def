//! Marks over and under letters.

/// The combining character that puts the mark on the letter before it.
pub(super) fn combining(mark: char, under: bool) -> Option<char> {
    Some(match (mark, under) {
        ('^', false) => '\u{302}',
        ('ˇ', false) => '\u{30c}',
        ('˘', false) => '\u{306}',
        ('´', false) => '\u{301}',
        ('`', false) => '\u{300}',
        ('~', false) => '\u{303}',
        ('¯', false) => '\u{304}',
        ('→', false) => '\u{20d7}',
        ('←', false) => '\u{20d6}',
        ('↔', false) => '\u{20e1}',
        ('⇀', false) => '\u{20d1}',
        ('↼', false) => '\u{20d0}',
        ('˙', false) => '\u{307}',
        ('¨', false) => '\u{308}',
        ('⏜', false) => '\u{311}',
        ('\u{20db}', false) => '\u{20db}',
        ('\u{20dc}', false) => '\u{20dc}',
        ('\u{30a}' | '˚', false) => '\u{30a}',
        ('¯', true) => '\u{332}',
        ('~', true) => '\u{330}',
        ('^', true) => '\u{32d}',
        ('→', true) => '\u{20ef}',
        ('←', true) => '\u{20ee}',
        _ => return None,
    })
}

/// The mark as a function's name: `hat(a + b)`.
pub(super) fn name(mark: char, under: bool) -> &'static str {
    match (mark, under) {
        ('^', false) => "hat",
        ('ˇ', false) => "check",
        ('˘', false) => "breve",
        ('´', false) => "acute",
        ('`', false) => "grave",
        ('~', false) => "tilde",
        ('¯', false) => "bar",
        ('→', false) => "vec",
        ('˙', false) => "dot",
        ('¨', false) => "ddot",
        ('\u{20db}', false) => "dddot",
        ('\u{20dc}', false) => "ddddot",
        ('\u{30a}' | '˚', false) => "ring",
        ('⏞', false) => "overbrace",
        ('﹇' | '⎴', false) => "overbracket",
        ('⏜' | '⏠', false) => "overparen",
        (_, false) => "over",
        ('¯', true) => "underline",
        ('~', true) => "undertilde",
        ('⏟', true) => "underbrace",
        ('﹈' | '⎵', true) => "underbracket",
        ('⏝' | '⏡', true) => "underparen",
        ('→' | '←' | '↔', true) => "underarrow",
        (_, true) => "under",
    }
}

/// The mark in words.
pub(super) fn spoken(mark: char, under: bool) -> &'static str {
    match (mark, under) {
        ('→', false) => "vector",
        ('˙', false) => "dot",
        ('¨', false) => "double dot",
        ('\u{20db}' | '\u{20dc}', false) => "dots",
        ('⏞', _) => "brace above",
        ('⏟', _) => "brace below",
        _ => name(mark, under),
    }
}
