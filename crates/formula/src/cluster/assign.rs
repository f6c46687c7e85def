//! Numbers for formulas that come one after another.

use super::VisualId;
use crate::identity::{Blanks, Formula, Key, Keyer};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Whose rule says what looks the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IdentityRule {
    /// Ours: [`Key`].
    #[default]
    Look,
    /// The labs': [`LabsKey`](crate::identity::LabsKey).
    Labs(Blanks),
}

/// By what a look is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LookKeys {
    /// The key of the tree, if it can be read.
    pub tree: Option<Key>,
    /// The key of the LaTeX without blanks.
    pub latex: Key,
}

impl LookKeys {
    /// The key that counts.
    #[must_use]
    pub fn key(self) -> Key {
        self.tree.unwrap_or(self.latex)
    }
}

impl IdentityRule {
    /// The keys of a formula by this rule.
    pub fn keys(self, keyer: &mut Keyer, formula: Formula<'_>) -> LookKeys {
        let tree = formula.slt.filter(|slt| slt.root().is_some()).and_then(|slt| match self {
            Self::Look => keyer.key_of_readable_tree(slt),
            Self::Labs(blanks) => Some(keyer.labs_key(formula, blanks).0),
        });
        let latex = match self {
            Self::Look => keyer.key_of_latex(formula.latex),
            Self::Labs(blanks) => keyer.labs_key_of_latex(formula.latex, blanks).0,
        };
        LookKeys { tree, latex }
    }
}

/// Gives formulas visual ids: a look that was not seen before gets the next number, from 1.
///
/// The same formulas in the same order get the same numbers. When a look is new
/// the LaTeX without blanks is remembered for it, too, so that a later formula
/// that cannot be read but has the same LaTeX joins it.
///
/// Memory does not depend on how many formulas there are but on how many looks:
/// at most two entries for each, of 24 bytes and one byte of the table's own,
/// in tables that are at least 7/16 full: under 120 bytes a look.
///
/// ```
/// use formula::cluster::{Clusterer, VisualId};
/// use formula::identity::Formula;
/// use formula::slt::Slt;
///
/// let mut clusterer = Clusterer::default();
/// let x = Slt::read("[V!x]")?;
/// assert_eq!(clusterer.assign(Formula { slt: Some(&x), latex: "x" }), VisualId(1));
/// assert_eq!(clusterer.assign(Formula { slt: None, latex: r"\unreadable{x}" }), VisualId(2));
/// assert_eq!(clusterer.assign(Formula { slt: Some(&x), latex: "{x}" }), VisualId(1));
/// assert_eq!(clusterer.assign(Formula { slt: None, latex: " x" }), VisualId(1));
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Debug, Default)]
pub struct Clusterer {
    rule: IdentityRule,
    keyer: Keyer,
    ids: HashMap<Entry, u32, BuildHasherDefault<KeyHasher>>,
    looks: u32,
}

impl Clusterer {
    /// A clusterer by this rule.
    #[must_use]
    pub fn new(rule: IdentityRule) -> Self {
        Self { rule, ..Self::default() }
    }

    /// The visual id of the next formula.
    ///
    /// # Panics
    /// After more than four billion different looks.
    pub fn assign(&mut self, formula: Formula<'_>) -> VisualId {
        let keys = self.rule.keys(&mut self.keyer, formula);
        self.assign_keys(keys)
    }

    /// The same for a formula whose keys were made elsewhere, by the same rule.
    ///
    /// # Panics
    /// After more than four billion different looks.
    pub fn assign_keys(&mut self, keys: LookKeys) -> VisualId {
        let key = keys.key();
        if let Some(&id) = self.ids.get(&Entry::of(key)) {
            return VisualId(id.into());
        }
        self.looks = self.looks.checked_add(1).expect("there are not four billion different looks");
        self.ids.insert(Entry::of(key), self.looks);
        if keys.tree.is_some() {
            self.ids.entry(Entry::of(keys.latex)).or_insert(self.looks);
        }
        VisualId(self.looks.into())
    }

    /// How many looks were seen; the highest number given.
    #[must_use]
    pub fn looks(&self) -> u32 {
        self.looks
    }
}

/// A key in two halves, so that an entry of the table is 24 bytes and not 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry([u64; 2]);

impl Entry {
    fn of(key: Key) -> Self {
        Self([key.bits() as u64, (key.bits() >> 64) as u64])
    }
}

impl std::hash::Hash for Entry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0[0]);
    }
}

/// Keys are hashes already.
#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slt::Slt;

    fn ids(rule: IdentityRule, formulas: &[(Option<&str>, &str)]) -> Vec<u64> {
        let mut clusterer = Clusterer::new(rule);
        let assign = |&(string, latex): &(Option<&str>, &str)| {
            let slt = string.map(|string| Slt::read(string).unwrap());
            clusterer.assign(Formula { slt: slt.as_ref(), latex }).0
        };
        formulas.iter().map(assign).collect()
    }

    #[test]
    fn entries_are_small() {
        assert_eq!(size_of::<(Entry, u32)>(), 24);
    }

    #[test]
    fn numbers_in_order_of_appearance() {
        let formulas =
            [(Some("[V!x]"), "x"), (Some("[V!y]"), "y"), (Some("[V!x]"), "{x}"), (Some("[V!z]"), "z")];
        assert_eq!(ids(IdentityRule::Look, &formulas), [1, 2, 1, 3]);
        assert_eq!(ids(IdentityRule::Labs(Blanks::All), &formulas), [1, 2, 1, 3]);
        assert_eq!(ids(IdentityRule::Look, &formulas), ids(IdentityRule::Look, &formulas));
    }

    #[test]
    fn a_formula_without_tree_joins_by_latex() {
        let formulas = [
            (None, "a b"),
            (Some("[V!x]"), "x y"),
            (None, "xy"),
            (None, "ab"),
            // Its tree is new, its LaTeX is taken by the first.
            (Some("[V!z]"), "ab"),
            (None, "ab"),
            (Some("[V!z]"), "c"),
            // Only the LaTeX of a look's first formula is remembered.
            (None, "c"),
        ];
        assert_eq!(ids(IdentityRule::Look, &formulas), [1, 2, 2, 1, 3, 1, 3, 4]);
        assert_eq!(ids(IdentityRule::Labs(Blanks::All), &formulas), [1, 2, 2, 1, 3, 1, 3, 4]);
    }

    #[test]
    fn rules_differ() {
        let formulas = [
            (Some("[-[V!x]]"), "-x"),
            (Some("[−[V!x]]"), "−x"),
            (Some("[E!]"), r"\lt"),
            (Some("[E!]"), r"\gt"),
            (None, "a\tb"),
            (None, "ab"),
        ];
        assert_eq!(ids(IdentityRule::Look, &formulas), [1, 1, 2, 3, 4, 4]);
        assert_eq!(ids(IdentityRule::Labs(Blanks::All), &formulas), [1, 2, 3, 3, 4, 4]);
        assert_eq!(ids(IdentityRule::Labs(Blanks::SpacesOnly), &formulas), [1, 2, 3, 3, 4, 5]);
    }
}
