//! The regions of a formula: strips and rings, in levels.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How many regions there can be: one bit each.
pub const MOST_REGIONS: usize = 128;

/// A way to cut the box around a formula into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Vertical strips, from left to right.
    X,
    /// Horizontal strips, from top to bottom.
    Y,
    /// Rings between concentric ellipses, from the middle outwards.
    Ellipses,
    /// Rings between concentric rectangles, from the middle outwards.
    Rectangles,
}

impl Family {
    fn letter(self) -> char {
        match self {
            Self::X => 'x',
            Self::Y => 'y',
            Self::Ellipses => 'o',
            Self::Rectangles => 'r',
        }
    }

    fn from_letter(letter: char) -> Option<Self> {
        [Self::X, Self::Y, Self::Ellipses, Self::Rectangles]
            .into_iter()
            .find(|family| family.letter() == letter)
    }
}

/// Families of regions, each with its deepest level: `xy5`, `xy7o4`.
///
/// A name is letters (`x`, `y`, `o`, and `r` for rectangles) and the deepest level of those families, again
/// and again. Level *k* of a family has *k* parts of equal breadth; level 1, the whole formula, is there once.
/// Bit 0 is the whole formula, then come the families as written, each from level 2 on.
///
/// ```
/// use formula::features::phoc::Regions;
///
/// let regions: Regions = "xy7o4".parse()?;
/// assert_eq!(regions.bits(), 64);
/// # Ok::<(), formula::features::phoc::RegionsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Regions {
    families: Vec<(Family, usize)>,
    bits: usize,
}

/// Why a name stands for no regions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RegionsError {
    /// Not letters and a level.
    #[error("`{0}` is no set of regions; write families (x, y, o, r) and their deepest level, as in xy7o4")]
    NotAName(String),
    /// More than fit in a vector.
    #[error("`{0}` has more than {MOST_REGIONS} regions")]
    TooMany(String),
}

impl FromStr for Regions {
    type Err = RegionsError;

    fn from_str(name: &str) -> Result<Self, RegionsError> {
        let wrong = || RegionsError::NotAName(name.to_owned());
        let mut families = Vec::new();
        let mut bits = 1;
        let mut rest = name;
        while !rest.is_empty() {
            let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
            let digits = rest[letters..].bytes().take_while(u8::is_ascii_digit).count();
            let level: usize = rest[letters..letters + digits].parse().map_err(|_| wrong())?;
            if letters == 0 || level == 0 {
                return Err(wrong());
            }
            for letter in rest[..letters].chars() {
                let family = Family::from_letter(letter).ok_or_else(wrong)?;
                if families.iter().any(|(known, _)| *known == family) {
                    return Err(wrong());
                }
                // Checked before it is squared.
                if level <= MOST_REGIONS {
                    bits += level * (level + 1) / 2 - 1;
                }
                if level > MOST_REGIONS || bits > MOST_REGIONS {
                    return Err(RegionsError::TooMany(name.to_owned()));
                }
                families.push((family, level));
            }
            rest = &rest[letters + digits..];
        }
        if families.is_empty() {
            return Err(wrong());
        }
        Ok(Self { families, bits })
    }
}

impl fmt::Display for Regions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (family, level)) in self.families.iter().enumerate() {
            write!(f, "{}", family.letter())?;
            if self.families.get(index + 1).is_none_or(|(_, next)| next != level) {
                write!(f, "{level}")?;
            }
        }
        Ok(())
    }
}

/// The best of the runs at the lab, `xy7o4`.
impl Default for Regions {
    fn default() -> Self {
        let families = vec![(Family::X, 7), (Family::Y, 7), (Family::Ellipses, 4)];
        Self { families, bits: 64 }
    }
}

impl Regions {
    /// How many regions there are.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// The regions that hold a point of the box around a formula, which goes from 0 to 1 in both directions
    /// (`y` downwards). A point on a border belongs to the part right of, below or outside it; what is outside
    /// the largest ellipse belongs to the outermost ring.
    #[must_use]
    pub fn holding(&self, x: f32, y: f32) -> u128 {
        let mut bits = 1;
        let mut first = 1;
        let (across, down) = (2.0 * x - 1.0, 2.0 * y - 1.0);
        for &(family, deepest) in &self.families {
            let place = match family {
                Family::X => x,
                Family::Y => y,
                Family::Ellipses => (across * across + down * down).sqrt(),
                Family::Rectangles => across.abs().max(down.abs()),
            };
            for level in 2..=deepest {
                // Casting cuts off and maps anything odd into range.
                let part = ((place * level as f32) as usize).min(level - 1);
                bits |= 1_u128 << (first + part);
                first += level;
            }
        }
        bits
    }
}
