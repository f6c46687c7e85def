//! Are two formulas the same but for the names of their variables?
//!
//! The canonical layout of the [module](super) with each variable as the number of its first occurrence:
//! `a^2+b^2=c^2` and `x^2+y^2=z^2` are the same, `a^2+a^2=c^2` is another.

use super::canon::{Event, Sink};
use super::key::{self, Domain};
use super::{Face, Key, Keyer, Writer};
use crate::slt::{Slt, SltId};

/// Whether a letter, in its usual face, is the name of a variable.
///
/// These are Latin and Greek letters without those that mostly stand for one thing: e, i, d (of
/// differentials), π, and the capitals Σ and Π.
///
/// ```
/// use formula::identity::is_variable;
/// assert!(is_variable('x') && is_variable('Γ') && is_variable('ε'));
/// assert!(!is_variable('e') && !is_variable('π') && !is_variable('∂'));
/// ```
#[must_use]
pub fn is_variable(letter: char) -> bool {
    match letter {
        'e' | 'i' | 'd' | 'π' | 'ς' | 'Σ' | 'Π' => false,
        'a'..='z' | 'A'..='Z' | 'α'..='ω' | 'Α'..='Ρ' | 'Τ'..='Ω' => true,
        _ => matches!(letter, 'ϵ' | 'ϑ' | 'ϰ' | 'ϕ' | 'ϱ'),
    }
}

impl Keyer {
    /// A key that formulas share if they look the same once their variables are renamed, different ones
    /// differently; `None` if the tree has error nodes.
    ///
    /// ```
    /// use formula::identity::Keyer;
    /// use formula::slt::{LatexToSlt, Slt};
    ///
    /// let mut slt = Slt::default();
    /// let mut key = |latex: &str| {
    ///     LatexToSlt::default().read(&latex::parse(latex).tree, &mut slt);
    ///     Keyer::default().key_without_names(&slt)
    /// };
    /// assert_eq!(key("a^2+b^2=c^2"), key(r"x^2+\beta^2=Z^2"));
    /// assert_ne!(key("a^2+b^2=c^2"), key("a^2+b^2=a^2"));
    /// assert_ne!(key("a^2+b^2=c^2"), key("a^2+b^2=e^2"));
    /// ```
    pub fn key_without_names(&mut self, slt: &Slt) -> Option<Key> {
        key::begin(&mut self.buffer, Domain::Naming);
        let writer = Writer { buffer: &mut self.buffer, readable: true };
        let mut sink = Nameless { writer, slt, names: Vec::new() };
        self.walker.walk(slt, &mut sink);
        sink.writer.readable.then(|| Key::of(&self.buffer))
    }
}

/// Stands before the number of a variable; UTF-8 and the marks of [`Writer`] do not have it.
const NAME: u8 = 0xf9;

/// Writes events with variables numbered.
struct Nameless<'w, 't> {
    writer: Writer<'w>,
    slt: &'t Slt,
    /// The variables so far.
    names: Vec<char>,
}

impl<'t> Sink<'t> for Nameless<'_, 't> {
    fn event(&mut self, event: Event<'t>, node: SltId, raw: char) {
        let is_letter = || {
            let letters = self.slt.tag(node).strip_prefix("V!").map(str::chars);
            letters.is_some_and(|mut letters| letters.next().is_some() && letters.next().is_none())
        };
        match event {
            Event::Glyph(letter, Face::Natural) if is_variable(letter) && is_letter() => {
                let known = self.names.iter().position(|name| *name == letter);
                let number = known.unwrap_or_else(|| {
                    self.names.push(letter);
                    self.names.len() - 1
                });
                self.writer.buffer.push(NAME);
                self.writer.buffer.extend((number as u32).to_le_bytes());
            }
            _ => self.writer.event(event, node, raw),
        }
    }
}
