//! When do two formulas look the same?
//!
//! A [`Key`] is 128 bits of the *canonical layout* of a formula: its printed
//! signs in the order in which one reads them, each with its face, and where
//! each baseline stands (superscript, numerator, cell, …). The tree it is made
//! from is a [`Slt`], so what is typed in several ways but makes one tree
//! (script order, braces, spacing, `\frac12` and `1 \over 2`, `\ne` and `\not=`)
//! has one key to begin with. On top of that these rules hold:
//!
//! 1. **Brackets are signs.** Whether `(a,b)` was read as one fenced thing or as
//!    signs side by side, it is told as `(`, `a`, `,`, `b`, `)`, and scripts of the
//!    whole are scripts of the closing sign. `\left`, `\big` and the like are
//!    sizes and do not count.
//! 2. **Groups are invisible** unless something shows them: `{ab}^2` prints like
//!    `ab^2`, but `{a^2}^3` does not print like `a^{23}`, and `\overline{ab}`
//!    has its line over both.
//! 3. **Words are letters.** `\sin`, `\operatorname{sin}`, `\mathrm{sin}` and
//!    `\text{sin}` are three upright letters; `12` and `1{2}` are two digits. Blanks
//!    never count, not even in text.
//! 4. **Faces count where they show.** Latin letters upright or slanted, bold,
//!    double-struck, …; a bracket has no slant, a digit is as upright in
//!    `\mathrm` as outside. Both ways of writing ℝ (one character, or R and a
//!    font) are one. `\mathcal` and `\mathscr` differ.
//! 5. **Limits are scripts.** Whether the scripts of `∑` or `lim` stand beside or
//!    below depends on the style around the formula, so it does not count; over
//!    and under anything else it does.
//! 6. **Empty scripts** are not there; a script of nothing (`x{}^2`) belongs to the
//!    sign before it, unless that has scripts already, and scripts in front of a sign are
//!    the same however they came about.
//! 7. **Accents over one sign** have one width: `\hat x` and `\widehat x` are the
//!    same, `\hat{xy}` and `\widehat{xy}` are not.
//! 8. **Look-alikes**: a short table of characters that print the same.
//! 9. Fractions with and without line differ; sizes, colours, styles, equation
//!    alignment and phantoms do not show in the tree and do not count.
//!
//! **Fallback.** A tree with an error node (an unknown command, a stray brace)
//! does not tell what one would see, so then the key is that of the LaTeX
//! without blanks, if there is any; the same when there is no tree at all.
//!
//! [`Keyer::key_without_names`] forgets the names of variables as well.
//!
//! The rule of the ARQMath labs is [`LabsKey`]. [`explain`] says in words why two
//! formulas are or are not the same. Numbering formulas by key is the job of
//! [`crate::cluster`].

mod canon;
mod explain;
mod glyph;
mod key;
mod labs;
mod look_alikes;
mod naming;

pub use explain::{Explanation, Place, explain};
pub use glyph::Face;
pub use key::{Key, KeyError};
pub use labs::{Blanks, LabsKey, without_blanks};
pub use naming::is_variable;

use crate::slt::{Slt, SltId};
use canon::{Event, Mark, Sink, Walker};
use key::Domain;

/// What is known about a formula: its tree, if there is one, and what was typed (may be empty).
#[derive(Clone, Copy, Debug)]
pub struct Formula<'f> {
    /// The layout tree.
    pub slt: Option<&'f Slt>,
    /// The LaTeX.
    pub latex: &'f str,
}

/// Makes keys; keeps its memory between formulas.
///
/// ```
/// use formula::identity::{Formula, Keyer};
/// use formula::slt::Slt;
///
/// let mut keyer = Keyer::default();
/// let mut key = |string| keyer.key_of_tree(&Slt::read(string).unwrap());
/// // A fence as one thing and as signs side by side; two minus signs.
/// assert_eq!(key("[M!()1x1,a[N!2],w[-[V!x]]]"), key("[([−[V!x[),o[N!2]]]]]"));
/// assert_ne!(key("[V!x,a[N!2]]"), key("[V!x,a[N!3]]"));
/// ```
#[derive(Debug, Default)]
pub struct Keyer {
    walker: Walker,
    buffer: Vec<u8>,
    text: String,
}

impl Keyer {
    /// The key of a formula: of its tree, or of its LaTeX if there is no tree without error nodes.
    pub fn key(&mut self, formula: Formula<'_>) -> Key {
        match formula.slt {
            Some(slt) if formula.latex.is_empty() => self.key_of_tree(slt),
            Some(slt) => self.key_of_readable_tree(slt).unwrap_or_else(|| self.key_of_latex(formula.latex)),
            None => self.key_of_latex(formula.latex),
        }
    }

    /// The key of a tree, error nodes or not.
    pub fn key_of_tree(&mut self, slt: &Slt) -> Key {
        self.write(slt);
        Key::of(&self.buffer)
    }

    /// The key of a tree, if it has no error nodes.
    pub fn key_of_readable_tree(&mut self, slt: &Slt) -> Option<Key> {
        self.write(slt).then(|| Key::of(&self.buffer))
    }

    /// The key of LaTeX without its blanks.
    pub fn key_of_latex(&mut self, latex: &str) -> Key {
        key::begin(&mut self.buffer, Domain::Latex);
        labs::push_without_blanks(latex, Blanks::All, &mut self.buffer);
        Key::of(&self.buffer)
    }

    /// Writes the canonical layout into the buffer; says whether all of it could be read.
    fn write(&mut self, slt: &Slt) -> bool {
        key::begin(&mut self.buffer, Domain::Layout);
        let mut writer = Writer { buffer: &mut self.buffer, readable: true };
        self.walker.walk(slt, &mut writer);
        writer.readable
    }
}

/// Writes events so that different ones never make the same bytes: signs in UTF-8, everything else behind
/// bytes that UTF-8 does not have.
struct Writer<'w> {
    buffer: &'w mut Vec<u8>,
    readable: bool,
}

const FACE: u8 = 0xf5;
const OPEN: u8 = 0xf6;
const CLOSE: u8 = 0xf7;
const MARK: u8 = 0xf8;

impl Sink<'_> for Writer<'_> {
    fn event(&mut self, event: Event<'_>, _: SltId, _: char) {
        match event {
            Event::Glyph(sign, face) => {
                if face != Face::Natural {
                    self.buffer.extend([FACE, face as u8]);
                }
                match u8::try_from(sign) {
                    Ok(byte) if byte.is_ascii() => self.buffer.push(byte),
                    _ => self.buffer.extend(sign.encode_utf8(&mut [0; 4]).bytes()),
                }
            }
            Event::Open(part) => self.buffer.extend([OPEN, part as u8]),
            Event::Close => self.buffer.push(CLOSE),
            Event::Mark(mark) => self.mark(mark),
        }
    }
}

impl Writer<'_> {
    fn mark(&mut self, mark: Mark<'_>) {
        let (number, text) = match mark {
            Mark::Fraction => (0, None),
            Mark::Stacked => (1, None),
            Mark::Root => (2, None),
            Mark::Table { .. } => (3, None),
            Mark::Gap => (4, None),
            Mark::Floating => (5, None),
            Mark::Stretched => (6, None),
            Mark::Enclosure(notation) => (7, Some(notation)),
            Mark::Wildcard(name) => (8, Some(name)),
            Mark::Unread(text) => (9, Some(text)),
            Mark::Marks(_) => (10, None),
        };
        self.readable &= !matches!(mark, Mark::Unread(_));
        self.buffer.extend([MARK, number]);
        if let Mark::Table { rows, columns } = mark {
            self.buffer.extend(rows.to_le_bytes());
            self.buffer.extend(columns.to_le_bytes());
        }
        if let Mark::Marks(bits) = mark {
            self.buffer.extend(bits.to_le_bytes());
        }
        if let Some(text) = text {
            self.buffer.extend((text.len() as u32).to_le_bytes());
            self.buffer.extend(text.bytes());
        }
    }
}

#[cfg(test)]
mod tests;
