//! One printed sign: a character and its face.
//!
//! Unicode has styled letters as characters of their own, tags may carry them,
//! and a [`Look`](crate::slt::Look) may name a font beside a plain letter. Here all of these
//! become a plain character and a [`Face`], and faces that nobody could see
//! (an upright bracket, an italic digit) become the natural one.

use latex::Font;

/// How a character is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Face {
    /// As TeX draws it in a formula: Latin and small Greek letters slanted, everything else upright.
    Natural,
    /// A Latin letter that stands upright.
    Upright,
    /// A capital Greek letter that is slanted.
    Slanted,
    /// Bold and upright.
    Bold,
    /// Bold and slanted.
    BoldSlanted,
    /// With double strokes.
    DoubleStruck,
    /// Calligraphic.
    Calligraphic,
    /// Script, with more swing than calligraphic.
    Script,
    /// Broken letters.
    Fraktur,
    /// Without serifs.
    SansSerif,
    /// Of a typewriter.
    Monospace,
}

impl Face {
    /// Plain words, as in "`x` is *bold*".
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Natural => "normal",
            Self::Upright => "upright",
            Self::Slanted => "slanted",
            Self::Bold => "bold",
            Self::BoldSlanted => "bold and slanted",
            Self::DoubleStruck => "double-struck",
            Self::Calligraphic => "calligraphic",
            Self::Script => "script",
            Self::Fraktur => "Fraktur",
            Self::SansSerif => "sans serif",
            Self::Monospace => "typewriter",
        }
    }
}

/// The face of a plain character in this font. In a word, letters without a font stand upright.
pub(super) fn face(c: char, font: Font, in_word: bool) -> Face {
    let kind = Kind::of(c);
    match font {
        Font::Default if kind == Kind::Latin && in_word => Face::Upright,
        Font::Default => Face::Natural,
        Font::Roman if kind == Kind::Latin => Face::Upright,
        Font::Roman => Face::Natural,
        Font::Italic if kind == Kind::GreekCapital => Face::Slanted,
        Font::Italic => Face::Natural,
        // Only `\boldsymbol` and its kin make signs bold; `\mathbf` does letters and digits.
        Font::Bold if kind == Kind::Sign => Face::Natural,
        Font::BoldItalic if matches!(kind, Kind::Sign | Kind::Digit) => Face::Bold,
        _ if kind == Kind::Sign && font != Font::BoldItalic => Face::Natural,
        Font::Bold => Face::Bold,
        Font::BoldItalic => Face::BoldSlanted,
        Font::DoubleStruck => Face::DoubleStruck,
        Font::Calligraphic => Face::Calligraphic,
        Font::Script => Face::Script,
        Font::Fraktur => Face::Fraktur,
        Font::SansSerif => Face::SansSerif,
        Font::Monospace => Face::Monospace,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Latin,
    GreekSmall,
    GreekCapital,
    Digit,
    Sign,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' | 'A'..='Z' => Self::Latin,
            '0'..='9' => Self::Digit,
            '\0'..='\u{bf}' => Self::Sign,
            'Α'..='Ω' => Self::GreekCapital,
            'α'..='ω' | 'ϵ' | 'ϑ' | 'ϰ' | 'ϕ' | 'ϱ' | 'ϖ' | '∂' => Self::GreekSmall,
            '∇' => Self::GreekCapital,
            _ if c.is_alphabetic() && c < '\u{2100}' => Self::Latin,
            _ => Self::Sign,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabet::{plain, styled};

    #[test]
    fn styled_letters_come_back() {
        let fonts = [
            Font::Bold,
            Font::Italic,
            Font::BoldItalic,
            Font::DoubleStruck,
            Font::Calligraphic,
            Font::Fraktur,
            Font::SansSerif,
            Font::Monospace,
        ];
        for font in fonts {
            for c in ('A'..='Z').chain('a'..='z').chain('0'..='9').chain('Α'..='ω').chain("∇∂ϵϖ".chars())
            {
                let letter = styled(c, font);
                if letter != c {
                    let (back, found) = plain(letter).unwrap();
                    assert_eq!(back, c);
                    // Digits have one bold only.
                    assert_eq!(face(c, found, false), face(c, font, false), "{c} {font:?}");
                }
            }
        }
        assert_eq!(plain('x'), None);
        assert_eq!(plain('∑'), None);
    }

    #[test]
    fn faces_that_cannot_be_seen_are_natural() {
        for (c, font, expected) in [
            ('x', Font::Default, Face::Natural),
            ('x', Font::Italic, Face::Natural),
            ('x', Font::Roman, Face::Upright),
            ('Γ', Font::Roman, Face::Natural),
            ('Γ', Font::Italic, Face::Slanted),
            ('α', Font::Roman, Face::Natural),
            ('1', Font::Roman, Face::Natural),
            ('1', Font::BoldItalic, Face::Bold),
            ('(', Font::Bold, Face::Natural),
            ('(', Font::Fraktur, Face::Natural),
            ('=', Font::BoldItalic, Face::Bold),
            ('x', Font::Bold, Face::Bold),
            ('x', Font::BoldItalic, Face::BoldSlanted),
        ] {
            assert_eq!(face(c, font, false), expected, "{c} {font:?}");
        }
        assert_eq!(face('x', Font::Default, true), Face::Upright);
    }
}
