//! XY-PHOC: which symbol is where in the picture of a formula.
//!
//! The box around a formula is cut into [`Regions`]; for every symbol, bits say
//! in which of them it occurs. The lab's system took boxes from a rendered
//! formula; here [`Layout`] sets the layout tree in boxes. A symbol belongs to
//! the regions that hold the middle of its box (the rule of the lab's system is
//! not known), and the bits of all its occurrences are put together. Symbols are
//! characters: `sin` is three of them, a fraction line and the sign of a root are
//! one each, wildcards are none.
//!
//! The work is linear in the formula, and sorting its distinct symbols.

mod layout;
mod metrics;
mod regions;

pub use layout::{FRACTION_LINE, Glyph, Layout, ROOT_SIGN};
pub use regions::{Family, MOST_REGIONS, Regions, RegionsError};

use crate::slt::Slt;
use std::fmt;

/// For each symbol of a formula, the regions in which it occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phoc {
    /// In the order of the symbols, each once.
    symbols: Vec<(char, u128)>,
}

/// Makes vectors of layout trees; keeps its memory between them.
///
/// ```
/// use formula::features::phoc::{Phoc, PhocExtractor};
/// use formula::slt::Slt;
///
/// let mut extractor = PhocExtractor::new("xy2".parse()?);
/// let mut phoc = Phoc::default();
/// extractor.read(&Slt::read("[V!x,a[N!2]]")?, &mut phoc);
/// // All, left, right, top, bottom; the lowest bit is the first.
/// assert_eq!(phoc.get('x'), 0b10011);
/// assert_eq!(phoc.get('2'), 0b01101);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PhocExtractor {
    regions: Regions,
    layout: Layout,
}

impl PhocExtractor {
    /// An extractor for these regions.
    #[must_use]
    pub fn new(regions: Regions) -> Self {
        Self { regions, layout: Layout::default() }
    }

    /// The regions.
    #[must_use]
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    /// Replaces `phoc` by the vectors of a tree.
    pub fn read(&mut self, slt: &Slt, phoc: &mut Phoc) {
        self.layout.set(slt);
        phoc.symbols.clear();
        let Some([left, top, right, bottom]) = self.layout.bounds() else { return };
        let relative = |at: f32, from: f32, to: f32| if to > from { (at - from) / (to - from) } else { 0.5 };
        for glyph in self.layout.glyphs() {
            let x = relative((glyph.left + glyph.right) / 2.0, left, right);
            let y = relative((glyph.top + glyph.bottom) / 2.0, top, bottom);
            phoc.symbols.push((glyph.symbol, self.regions.holding(x, y)));
        }
        phoc.symbols.sort_unstable();
        phoc.symbols.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 |= next.1;
            }
            same
        });
    }
}

impl Phoc {
    /// Symbols and their bits, in the order of the symbols.
    pub fn iter(&self) -> impl Iterator<Item = (char, u128)> {
        self.symbols.iter().copied()
    }

    /// The bits of a symbol; none if it does not occur.
    #[must_use]
    pub fn get(&self, symbol: char) -> u128 {
        let place = self.symbols.binary_search_by_key(&symbol, |(symbol, _)| *symbol);
        place.map_or(0, |place| self.symbols[place].1)
    }

    /// Whether there are no symbols.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// The length of all vectors put together, each bit weighing `weight` of its symbol.
    #[must_use]
    pub fn norm(&self, weight: impl Fn(char) -> f64) -> f64 {
        let square = |(symbol, bits): (char, u128)| weight(symbol).powi(2) * f64::from(bits.count_ones());
        self.iter().map(square).sum::<f64>().sqrt()
    }

    /// How alike two formulas are, from 0 to 1: the cosine of their vectors, in which each bit of a symbol
    /// weighs what `weight` says (1 for all in the lab's better run, the symbol's idf in the other). Vectors
    /// of different regions have nothing to say about each other. 0 if either has no symbols.
    #[must_use]
    pub fn similarity(&self, other: &Self, weight: impl Fn(char) -> f64) -> f64 {
        let norms = self.norm(&weight) * other.norm(&weight);
        if norms == 0.0 {
            return 0.0;
        }
        let overlap = |(symbol, bits): (char, u128)| {
            weight(symbol).powi(2) * f64::from((bits & other.get(symbol)).count_ones())
        };
        (self.iter().map(overlap).sum::<f64>() / norms).min(1.0)
    }
}

/// `x:13 2:0d`: symbols and their bits in hexadecimal digits.
impl fmt::Display for Phoc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (symbol, bits)) in self.iter().enumerate() {
            let blank = if index > 0 { " " } else { "" };
            write!(f, "{blank}{symbol}:{bits:x}")?;
        }
        Ok(())
    }
}
