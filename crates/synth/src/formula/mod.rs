//! Formulas: each is a few numbers until it is written, so that sharing one
//! costs no memory.
//!
//! A [`Formula`] has a key that decides its structure, and a naming that decides
//! its letters: the same key with another naming is the same formula with its
//! variables renamed. It is written in one canonical way first, which decides
//! its visual id, and then as somebody might type it.

mod atoms;
mod grammar;
mod larger;
mod statement;
mod tokens;
mod typing;
mod variables;

pub(crate) use typing::type_as;

use crate::draw::{Draw, Use, mix, place};
use grammar::Grammar;
use tokens::Tokens;
use variables::Variables;
use xxhash_rust::xxh3::xxh3_64;

/// What a formula is likely to be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Analysis,
    Series,
    Number,
    Integral,
    Linear,
    Algebra,
    Chance,
    Sets,
    Plane,
    Logic,
}

impl Family {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "analysis" => Self::Analysis,
            "series" => Self::Series,
            "number" => Self::Number,
            "integral" => Self::Integral,
            "linear" => Self::Linear,
            "algebra" => Self::Algebra,
            "chance" => Self::Chance,
            "sets" => Self::Sets,
            "plane" => Self::Plane,
            "logic" => Self::Logic,
            _ => return None,
        })
    }
}

/// Which form a formula has at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A letter, a digit, a set: what everybody writes all the time.
    Symbol,
    /// This very text, which is canonical.
    Fixed(&'static str),
    /// Whatever the family makes.
    Any,
    /// Two sides and a relation between them.
    Relation,
    /// The right side of that.
    RightSide,
}

/// A formula that is not written yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Formula {
    pub(crate) key: u64,
    pub(crate) naming: u64,
    pub(crate) family: Family,
    pub(crate) shape: Shape,
    /// About how many symbols it has.
    pub(crate) size: u16,
}

impl Formula {
    /// Writes it canonically, in place of what `out` held.
    pub(crate) fn write(&self, out: &mut String) {
        out.clear();
        let variables = Variables::named(self.naming);
        let mut grammar = Grammar {
            draw: Draw::new(mix(self.key, Use::Formula as u64)),
            variables,
            family: self.family,
            out: Tokens::new(out),
        };
        let size = usize::from(self.size);
        match self.shape {
            Shape::Symbol => grammar.symbol(),
            Shape::Fixed(text) => grammar.push(text),
            Shape::Any => grammar.statement(size),
            Shape::Relation => {
                grammar.expression(size / 3);
                grammar.relation();
                // The right side has a stream of its own, so that it can stand alone.
                grammar.draw = Draw::new(mix(self.key, Use::Formula as u64 + 100));
                grammar.expression(size - size / 3);
            }
            Shape::RightSide => {
                grammar.draw = Draw::new(mix(self.key, Use::Formula as u64 + 100));
                grammar.expression(size - size / 3);
            }
        }
    }

    /// The same with other letters.
    pub(crate) fn renamed(self, number: u64) -> Self {
        Self { naming: place(self.naming, Use::Variables, number, 1), ..self }
    }
}

/// The visual id of a canonical formula: 53 bits of a hash, which JSON and
/// spreadsheets hold exactly. Among ten million formulas the chance that any
/// two share one by accident is half a per cent.
pub(crate) fn visual_id(canonical: &str) -> u64 {
    (xxh3_64(canonical.as_bytes()) >> 11).max(1)
}
