//! Letters of a font as characters of their own: `\mathbb{R}` is ℝ.
//!
//! Unicode has a block of mathematical alphanumerics (U+1D400 and up); some of
//! its places are taken by older characters elsewhere. A letter that has no
//! such form stays as it is.

use latex::Font;

/// All fonts.
pub(crate) const FONTS: [Font; 11] = [
    Font::Default,
    Font::Roman,
    Font::Italic,
    Font::Bold,
    Font::BoldItalic,
    Font::DoubleStruck,
    Font::Calligraphic,
    Font::Script,
    Font::Fraktur,
    Font::SansSerif,
    Font::Monospace,
];

/// The letter, digit or Greek letter in this font.
#[must_use]
pub fn styled(c: char, font: Font) -> char {
    let Some(alphabet) = Alphabet::of(font) else { return c };
    let code = match c {
        'A'..='Z' => alphabet.upper.map(|start| start + (c as u32 - 'A' as u32)),
        'a'..='z' => alphabet.lower.map(|start| start + (c as u32 - 'a' as u32)),
        '0'..='9' => alphabet.digits.map(|start| start + (c as u32 - '0' as u32)),
        'Α'..='Ρ' | 'Σ'..='Ω' => alphabet.greek_upper.map(|start| start + (c as u32 - 'Α' as u32)),
        'α'..='ω' => alphabet.greek_lower.map(|start| start + (c as u32 - 'α' as u32)),
        'ϴ' => alphabet.greek_upper.map(|start| start + 17),
        '∇' => alphabet.greek_upper.map(|start| start + 25),
        '∂' => alphabet.greek_lower.map(|start| start + 25),
        'ϵ' => alphabet.greek_lower.map(|start| start + 26),
        'ϑ' => alphabet.greek_lower.map(|start| start + 27),
        'ϰ' => alphabet.greek_lower.map(|start| start + 28),
        'ϕ' => alphabet.greek_lower.map(|start| start + 29),
        'ϱ' => alphabet.greek_lower.map(|start| start + 30),
        'ϖ' => alphabet.greek_lower.map(|start| start + 31),
        _ => None,
    };
    match code.and_then(char::from_u32) {
        Some(styled) => elsewhere(styled),
        None => c,
    }
}

/// Where the letters of a font begin.
struct Alphabet {
    upper: Option<u32>,
    lower: Option<u32>,
    digits: Option<u32>,
    greek_upper: Option<u32>,
    greek_lower: Option<u32>,
}

impl Alphabet {
    fn of(font: Font) -> Option<Self> {
        let latin = |upper, lower| Self {
            upper: Some(upper),
            lower: Some(lower),
            digits: None,
            greek_upper: None,
            greek_lower: None,
        };
        Some(match font {
            Font::Default | Font::Roman => return None,
            Font::Bold => Self {
                digits: Some(0x1d7ce),
                greek_upper: Some(0x1d6a8),
                greek_lower: Some(0x1d6c2),
                ..latin(0x1d400, 0x1d41a)
            },
            Font::Italic => {
                Self { greek_upper: Some(0x1d6e2), greek_lower: Some(0x1d6fc), ..latin(0x1d434, 0x1d44e) }
            }
            Font::BoldItalic => Self {
                digits: Some(0x1d7ce),
                greek_upper: Some(0x1d71c),
                greek_lower: Some(0x1d736),
                ..latin(0x1d468, 0x1d482)
            },
            Font::DoubleStruck => Self { digits: Some(0x1d7d8), ..latin(0x1d538, 0x1d552) },
            Font::Calligraphic | Font::Script => latin(0x1d49c, 0x1d4b6),
            Font::Fraktur => latin(0x1d504, 0x1d51e),
            Font::SansSerif => Self { digits: Some(0x1d7e2), ..latin(0x1d5a0, 0x1d5ba) },
            Font::Monospace => Self { digits: Some(0x1d7f6), ..latin(0x1d670, 0x1d68a) },
        })
    }
}

/// The older character, where the block leaves a hole.
fn elsewhere(c: char) -> char {
    match c {
        '\u{1d455}' => 'ℎ',
        '\u{1d49d}' => 'ℬ',
        '\u{1d4a0}' => 'ℰ',
        '\u{1d4a1}' => 'ℱ',
        '\u{1d4a3}' => 'ℋ',
        '\u{1d4a4}' => 'ℐ',
        '\u{1d4a7}' => 'ℒ',
        '\u{1d4a8}' => 'ℳ',
        '\u{1d4ad}' => 'ℛ',
        '\u{1d4ba}' => 'ℯ',
        '\u{1d4bc}' => 'ℊ',
        '\u{1d4c4}' => 'ℴ',
        '\u{1d506}' => 'ℭ',
        '\u{1d50b}' => 'ℌ',
        '\u{1d50c}' => 'ℑ',
        '\u{1d515}' => 'ℜ',
        '\u{1d51d}' => 'ℨ',
        '\u{1d53a}' => 'ℂ',
        '\u{1d53f}' => 'ℍ',
        '\u{1d545}' => 'ℕ',
        '\u{1d547}' => 'ℙ',
        '\u{1d548}' => 'ℚ',
        '\u{1d549}' => 'ℝ',
        '\u{1d551}' => 'ℤ',
        c => c,
    }
}

/// The plain character and the font of a styled one: what [`styled`] does, undone.
#[must_use]
pub fn plain(c: char) -> Option<(char, Font)> {
    let code = c as u32;
    if !(0x2102..=0x1d7ff).contains(&code) {
        return None;
    }
    if code < 0x1d400 {
        let (plain, font) = match c {
            'ℂ' => ('C', Font::DoubleStruck),
            'ℍ' => ('H', Font::DoubleStruck),
            'ℕ' => ('N', Font::DoubleStruck),
            'ℙ' => ('P', Font::DoubleStruck),
            'ℚ' => ('Q', Font::DoubleStruck),
            'ℝ' => ('R', Font::DoubleStruck),
            'ℤ' => ('Z', Font::DoubleStruck),
            'ℬ' => ('B', Font::Calligraphic),
            'ℰ' => ('E', Font::Calligraphic),
            'ℱ' => ('F', Font::Calligraphic),
            'ℋ' => ('H', Font::Calligraphic),
            'ℐ' => ('I', Font::Calligraphic),
            'ℒ' => ('L', Font::Calligraphic),
            'ℳ' => ('M', Font::Calligraphic),
            'ℛ' => ('R', Font::Calligraphic),
            'ℯ' => ('e', Font::Calligraphic),
            'ℊ' => ('g', Font::Calligraphic),
            'ℴ' => ('o', Font::Calligraphic),
            'ℭ' => ('C', Font::Fraktur),
            'ℌ' => ('H', Font::Fraktur),
            'ℑ' => ('I', Font::Fraktur),
            'ℜ' => ('R', Font::Fraktur),
            'ℨ' => ('Z', Font::Fraktur),
            'ℎ' => ('h', Font::Italic),
            _ => return None,
        };
        return Some((plain, font));
    }
    let letter = |offset: u32, font| {
        let first = if offset < 26 { b'A' } else { b'a' - 26 };
        Some(((first + offset as u8) as char, font))
    };
    let greek = |offset: u32, font| {
        let plain = match offset {
            0..=16 | 18..=24 => char::from_u32('Α' as u32 + offset)?,
            17 => 'ϴ',
            25 => '∇',
            26..=50 => char::from_u32('α' as u32 + offset - 26)?,
            51 => '∂',
            _ => *['ϵ', 'ϑ', 'ϰ', 'ϕ', 'ϱ', 'ϖ'].get(offset as usize - 52)?,
        };
        Some((plain, font))
    };
    let digit = |offset: u32, font| Some(((b'0' + offset as u8) as char, font));
    match code {
        0x1d400..=0x1d433 => letter(code - 0x1d400, Font::Bold),
        0x1d434..=0x1d467 => letter(code - 0x1d434, Font::Italic),
        0x1d468..=0x1d49b => letter(code - 0x1d468, Font::BoldItalic),
        0x1d49c..=0x1d4cf => letter(code - 0x1d49c, Font::Calligraphic),
        0x1d504..=0x1d537 => letter(code - 0x1d504, Font::Fraktur),
        0x1d538..=0x1d56b => letter(code - 0x1d538, Font::DoubleStruck),
        0x1d5a0..=0x1d5d3 => letter(code - 0x1d5a0, Font::SansSerif),
        0x1d670..=0x1d6a3 => letter(code - 0x1d670, Font::Monospace),
        0x1d6a8..=0x1d6e1 => greek(code - 0x1d6a8, Font::Bold),
        0x1d6e2..=0x1d71b => greek(code - 0x1d6e2, Font::Italic),
        0x1d71c..=0x1d755 => greek(code - 0x1d71c, Font::BoldItalic),
        0x1d7ce..=0x1d7d7 => digit(code - 0x1d7ce, Font::Bold),
        0x1d7d8..=0x1d7e1 => digit(code - 0x1d7d8, Font::DoubleStruck),
        0x1d7e2..=0x1d7eb => digit(code - 0x1d7e2, Font::SansSerif),
        0x1d7f6..=0x1d7ff => digit(code - 0x1d7f6, Font::Monospace),
        // Bold script, bold Fraktur and the other sans serifs stay as they are.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_fonts() {
        for (c, font, expected) in [
            ('R', Font::DoubleStruck, 'ℝ'),
            ('A', Font::DoubleStruck, '𝔸'),
            ('x', Font::Bold, '𝐱'),
            ('1', Font::Bold, '𝟏'),
            ('α', Font::BoldItalic, '𝜶'),
            ('Σ', Font::Bold, '𝚺'),
            ('F', Font::Calligraphic, 'ℱ'),
            ('g', Font::Fraktur, '𝔤'),
            ('h', Font::Italic, 'ℎ'),
            ('x', Font::Roman, 'x'),
            ('+', Font::Bold, '+'),
        ] {
            assert_eq!(styled(c, font), expected);
        }
    }
}
