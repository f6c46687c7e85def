//! What one sees of a node that its tag does not say.

use crate::alphabet::FONTS;
use latex::Font;

/// Font and other visible things that the labs' tags leave out, in a few bits.
///
/// The default has no font of its own and no marks set.
/// The lowest four bits hold the font, every other bit is a mark.
///
/// ```
/// use formula::slt::Look;
/// use latex::Font;
///
/// let look = Look::font(Font::Bold).with(Look::STRETCHY);
/// assert_eq!(look.get_font(), Font::Bold);
/// assert!(look.has(Look::STRETCHY) && !look.has(Look::NO_BAR));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Look(u32);

impl Look {
    /// A fraction without its line (`\binom`, `linethickness="0"`).
    pub const NO_BAR: Self = Self(1 << 4);
    /// An accent or a brace that stretches over its base.
    pub const STRETCHY: Self = Self(1 << 5);
    /// Content that takes room but is not drawn (`mphantom`).
    pub const PHANTOM: Self = Self(1 << 6);

    /// A mark over or under something whose scripts it covers, too: `\overline{x^2}`, not `\overline{x}^2`.
    pub const COVERS_SCRIPTS: Self = Self(1 << 7);

    const FONT_BITS: u32 = 0xf;

    /// This font and no marks.
    #[must_use]
    pub fn font(font: Font) -> Self {
        Self(FONTS.iter().position(|&known| known == font).unwrap_or(0) as u32)
    }

    /// The font.
    #[must_use]
    pub fn get_font(self) -> Font {
        FONTS.get((self.0 & Self::FONT_BITS) as usize).copied().unwrap_or_default()
    }

    /// This look with another font.
    #[must_use]
    pub fn with_font(self, font: Font) -> Self {
        Self(self.0 & !Self::FONT_BITS | Self::font(font).0)
    }

    /// This look with the marks of another added.
    #[must_use]
    pub const fn with(self, marks: Self) -> Self {
        Self(self.0 | marks.0 & !Self::FONT_BITS)
    }

    /// Whether all marks of another look are set here.
    #[must_use]
    pub const fn has(self, marks: Self) -> bool {
        let marks = marks.0 & !Self::FONT_BITS;
        self.0 & marks == marks
    }

    /// All bits, for hashing and comparing.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_and_marks_do_not_touch_each_other() {
        for font in FONTS {
            let look = Look::font(font).with(Look::NO_BAR).with(Look::STRETCHY);
            assert_eq!(look.get_font(), font);
            assert_eq!(look.with_font(Font::Fraktur).get_font(), Font::Fraktur);
            assert!(look.with_font(Font::Fraktur).has(Look::NO_BAR));
            assert!(!look.has(Look::PHANTOM));
        }
        assert_eq!(Look::default().get_font(), Font::Default);
        assert_eq!(Look::default().bits(), 0);
    }
}
