//! The labs' own rule for visual ids.

use super::key::{self, Domain, Key};
use super::{Formula, Keyer};
use std::fmt;

/// Identity by the rule of the ARQMath labs: the same string of the layout tree; where there is no tree, the
/// same LaTeX without blanks.
///
/// The string of the labs leaves out fonts and lines of fractions and depends on how brackets were grouped, so
/// this is both coarser and finer than [`Key`].
/// Error nodes have strings like all others: `a\lt b` and `a\gt b` are the same to a reader that knows
/// neither command and keeps no text for them. That is how the labs' tables came about, and it is kept.
///
/// ```
/// use formula::identity::{Blanks, Formula, Keyer};
/// use formula::slt::Slt;
///
/// let slt = Slt::read("[V!x]")?;
/// let mut keyer = Keyer::default();
/// let with_tree = keyer.labs_key(Formula { slt: Some(&slt), latex: "x" }, Blanks::All);
/// let also = keyer.labs_key(Formula { slt: Some(&slt), latex: r"\mathrm x" }, Blanks::All);
/// assert_eq!(with_tree, also);
/// let without = keyer.labs_key(Formula { slt: None, latex: "x" }, Blanks::All);
/// assert_ne!(with_tree, without);
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabsKey(pub Key);

impl fmt::Display for LabsKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What to take out of LaTeX before comparing it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blanks {
    /// All white space, as for ARQMath-2.
    #[default]
    All,
    /// The character U+0020 only, as the code for version 3 does.
    SpacesOnly,
}

impl Keyer {
    /// The key by the labs' rule.
    pub fn labs_key(&mut self, formula: Formula<'_>, blanks: Blanks) -> LabsKey {
        match formula.slt.filter(|slt| slt.root().is_some()) {
            Some(slt) => {
                key::begin(&mut self.buffer, Domain::LabsString);
                self.text.clear();
                slt.write_to(&mut self.text);
                self.buffer.extend(self.text.bytes());
                LabsKey(Key::of(&self.buffer))
            }
            None => self.labs_key_of_latex(formula.latex, blanks),
        }
    }

    /// The key of a formula without tree by the labs' rule.
    pub fn labs_key_of_latex(&mut self, latex: &str, blanks: Blanks) -> LabsKey {
        key::begin(&mut self.buffer, Domain::Latex);
        push_without_blanks(latex, blanks, &mut self.buffer);
        LabsKey(Key::of(&self.buffer))
    }
}

/// LaTeX without its blanks.
#[must_use]
pub fn without_blanks(latex: &str, blanks: Blanks) -> String {
    latex.chars().filter(|&c| !is_blank(c, blanks)).collect()
}

pub(super) fn push_without_blanks(latex: &str, blanks: Blanks, out: &mut Vec<u8>) {
    if latex.is_ascii() {
        out.extend(latex.bytes().filter(|&byte| !is_blank(byte as char, blanks)));
        return;
    }
    for c in latex.chars().filter(|&c| !is_blank(c, blanks)) {
        out.extend(c.encode_utf8(&mut [0; 4]).bytes());
    }
}

fn is_blank(c: char, blanks: Blanks) -> bool {
    match blanks {
        // Python's `split` takes these four separators for blanks, too.
        Blanks::All => c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}'),
        Blanks::SpacesOnly => c == ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slt::Slt;

    #[test]
    fn blanks() {
        let latex = "a \t\n\u{a0}b\u{1f}c";
        assert_eq!(without_blanks(latex, Blanks::All), "abc");
        assert_eq!(without_blanks(latex, Blanks::SpacesOnly), "a\t\n\u{a0}b\u{1f}c");
        let mut bytes = Vec::new();
        push_without_blanks(latex, Blanks::All, &mut bytes);
        assert_eq!(bytes, b"abc");
    }

    #[test]
    fn strings_first_then_latex() {
        let mut keyer = Keyer::default();
        let slt = Slt::read("[V!x[+[N!1]],a[N!2]]").unwrap();
        let other = Slt::read("[V!x[+[N!1]],a[N!3]]").unwrap();
        let mut key = |slt, latex| keyer.labs_key(Formula { slt, latex }, Blanks::All);
        assert_eq!(key(Some(&slt), "a"), key(Some(&slt), "b"));
        assert_ne!(key(Some(&slt), "a"), key(Some(&other), "a"));
        assert_eq!(key(None, "a b"), key(None, "ab\n"));
        assert_ne!(key(None, "a"), key(Some(&slt), "a"));
        // A tree without nodes is no tree.
        assert_eq!(key(Some(&Slt::default()), "ab"), key(None, "a b"));
    }
}
