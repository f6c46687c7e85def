//! Signs that are different characters but print the same.
//!
//! A sign is here only if a reader of the page could not tell which of the two
//! was typed; spacing around it does not count. What differs by a stroke, a
//! slant or a weight (ϵ and ε, ϕ and φ, ∅ and ⌀, → and ⟶, ⊂ and ⊊, letters of
//! different fonts) is not here, and neither are letters of different alphabets.

/// What stands for this character in the canonical layout, if that is not the character itself.
pub(super) fn same_look(c: char) -> Option<&'static str> {
    Some(match c {
        // Dashes on the math axis.
        '−' | '‐' | '‑' | '–' | '﹣' => "-",
        // Stars, as MathJax sets `*`.
        '∗' => "*",
        // One bar and two: `\mid`, `\vert`, `|`; `\parallel`, `\Vert`, `\|`.
        '∣' | '❘' | '￨' => "|",
        '‖' => "∥",
        // Colons, dots, slashes.
        '∶' | '꞉' => ":",
        '·' | '‧' => "⋅",
        '∙' => "•",
        '∕' | '⁄' => "/",
        '∖' | '﹨' => "\\",
        // Dots come as one sign or as three.
        '…' => "...",
        '⋯' => "⋅⋅⋅",
        '‥' => "..",
        // Primes come as one sign or as several, and from the keyboard.
        '\'' | '’' | 'ʹ' => "′",
        '″' | 'ʺ' => "′′",
        '‴' => "′′′",
        '⁗' => "′′′′",
        // Signs made of two.
        '≔' => ":=",
        '≕' => "=:",
        '⩴' => "::=",
        '⩵' => "==",
        '‼' => "!!",
        '∬' => "∫∫",
        '∭' => "∫∫∫",
        '⨌' => "∫∫∫∫",
        // Accents: spacing forms, combining forms, and what people type for them.
        'ˆ' | '\u{302}' => "^",
        '˜' | '∼' | '\u{303}' => "~",
        '‾' | 'ˉ' | '\u{305}' | '\u{304}' => "¯",
        // Angle brackets of other blocks.
        '\u{2329}' | '\u{3008}' => "⟨",
        '\u{232a}' | '\u{3009}' => "⟩",
        // Signs that Unicode has twice, as a letter and as an operator or unit.
        '\u{2206}' => "Δ",
        '\u{2126}' => "Ω",
        '\u{b5}' => "μ",
        '\u{212a}' => "K",
        '\u{212b}' => "Å",
        // The sign for perpendicular and the one for bottom.
        '⟂' => "⊥",
        _ => return None,
    })
}

/// A sign and the stroke through it as one character.
pub(super) fn struck(c: char) -> Option<char> {
    let (_, negated) = STRUCK.iter().find(|(plain, _)| *plain == c)?;
    Some(*negated)
}

const STRUCK: [(char, char); 38] = [
    ('=', '≠'),
    ('<', '≮'),
    ('>', '≯'),
    ('≤', '≰'),
    ('≥', '≱'),
    ('∈', '∉'),
    ('∋', '∌'),
    ('|', '∤'),
    ('∣', '∤'),
    ('∥', '∦'),
    ('~', '≁'),
    ('∼', '≁'),
    ('≃', '≄'),
    ('≅', '≇'),
    ('≈', '≉'),
    ('≡', '≢'),
    ('≲', '≴'),
    ('≳', '≵'),
    ('≺', '⊀'),
    ('≻', '⊁'),
    ('≼', '⋠'),
    ('≽', '⋡'),
    ('⊂', '⊄'),
    ('⊃', '⊅'),
    ('⊆', '⊈'),
    ('⊇', '⊉'),
    ('⊢', '⊬'),
    ('⊨', '⊭'),
    ('⊩', '⊮'),
    ('⊲', '⋪'),
    ('⊳', '⋫'),
    ('⊴', '⋬'),
    ('⊵', '⋭'),
    ('∃', '∄'),
    ('→', '↛'),
    ('←', '↚'),
    ('⇒', '⇏'),
    ('⇔', '⇎'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_sign_stands_for_itself() {
        for c in (0..0x30000).filter_map(char::from_u32) {
            for stands in same_look(c).into_iter().flat_map(str::chars) {
                assert_eq!(same_look(stands), None, "{c} leads to {stands}");
            }
            if let Some(negated) = struck(c) {
                assert_eq!(same_look(negated), None, "{negated}");
            }
        }
    }

    #[test]
    fn near_misses_stay_apart() {
        for c in "ϵεϕφϑθ∅⟶→⊂⊊⋆∘•○≤⩽⟺⇔ΣΠ∑∏".chars() {
            assert_eq!(same_look(c), None, "{c}");
        }
    }
}
