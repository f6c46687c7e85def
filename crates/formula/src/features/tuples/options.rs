//! Which tuples are made.

use std::str::FromStr;
use thiserror::Error;

/// Whether tuples of a kind are made, and which of them once more with their location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Include {
    /// None are made.
    No,
    /// They are made, and again with the location when it has fewer than this many nodes. The root counts as
    /// one, so `Near(1)` makes no second copies; [`Include::EVERYWHERE`] makes all.
    Near(usize),
}

impl Include {
    /// With locations, however long.
    pub const EVERYWHERE: Self = Self::Near(usize::MAX);

    pub(super) fn with_location(self, length: usize) -> bool {
        matches!(self, Self::Near(bound) if length + 1 < bound)
    }
}

/// Whether relations are where locations begin anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Anchors {
    /// What follows a relation has a location seen from there.
    Relations,
    /// All locations are seen from the root.
    None,
}

/// Copies of pairs and compounds that a query's wildcards match; made for documents only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Synonyms {
    /// None: wildcards find nothing.
    None,
    /// Each symbol replaced by `*`, which is what a query's wildcard is written as.
    Any,
    /// Each symbol replaced by its type: `?v`, `?n`, …
    Typed,
}

/// Copies that make formulas alike which say the same in another order.
///
/// What the lab's system of 2021 did exactly is not known; this is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Normalisation {
    /// None.
    None,
    /// The symbols on both sides of a commutative sign or a relation that can be turned around are also
    /// paired with it the other way: `a+b` also gives the pairs of `b+a`, and `a<b` those of `b>a`.
    SwappedOperands,
}

/// A set of node types: variables, numbers, operators, matrices and fences, fractions, roots, text, and
/// wildcards with all else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeTypes(u8);

/// Letters of the types, and what stands for a node of the type.
const TYPES: [(char, &str); 8] = [
    ('V', "?v"),
    ('N', "?n"),
    ('O', "?o"),
    ('M', "?m"),
    ('F', "?f"),
    ('R', "?r"),
    ('T', "?t"),
    ('W', ANYTHING),
];

/// What a query's wildcard is written as.
pub(super) const ANYTHING: &str = "*";

/// The text is not made of the letters of node types.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no set of node types; write any of the letters VNOMFRTW")]
pub struct NodeTypesError(String);

impl NodeTypes {
    /// All types.
    pub const ALL: Self = Self(0xff);
    /// No type.
    pub const NONE: Self = Self(0);

    pub(super) fn has(self, node_type: NodeType) -> bool {
        self.0 >> node_type.0 & 1 == 1
    }
}

/// Letters, as in `VNO`.
impl FromStr for NodeTypes {
    type Err = NodeTypesError;

    fn from_str(letters: &str) -> Result<Self, NodeTypesError> {
        letters.chars().try_fold(Self::NONE, |types, letter| {
            let place = TYPES.iter().position(|(known, _)| *known == letter);
            let place = place.ok_or_else(|| NodeTypesError(letters.to_owned()))?;
            Ok(Self(types.0 | 1 << place))
        })
    }
}

/// One of the types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeType(usize);

impl NodeType {
    /// The type of a tag in the spelling of tuples.
    pub(super) fn of(tag: &str) -> Self {
        let mut letters = tag.chars();
        let letter = match (letters.next(), letters.next()) {
            (Some(letter), Some('!')) => letter.to_ascii_uppercase(),
            (Some('?'), _) => 'W',
            _ => 'O',
        };
        Self(TYPES.iter().position(|(known, _)| *known == letter).unwrap_or(TYPES.len() - 1))
    }

    pub(super) fn wildcard(self) -> &'static str {
        TYPES[self.0].1
    }
}

/// Which tuples are made. The default is that of mathtuples, Version 2: the system of ARQMath-3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TupleOptions {
    /// How many edges the path of a symbol pair can have.
    pub window: usize,
    /// Two symbols and the path between them: `#(v!x,n!2,a)#`.
    pub pairs: Include,
    /// A symbol at which a branch ends: `#(n!2,!0)#`.
    pub terminals: Include,
    /// A symbol from which several things hang: `#(v!x,[n,a])#`.
    pub compounds: Include,
    /// A symbol that occurs before, and the ways to both: `#{v!n,nna}#`, `#{v!n,-,a}#`.
    pub duplicates: Include,
    /// The edge into a symbol and one out of it: `#(n,a,v!x)#`.
    pub edge_pairs: Include,
    /// A symbol at which a branch of a small tree ends: `#(n!2,!0,n)#`.
    pub ends: Include,
    /// Two symbols further apart than the window, without a path: `#(v!x,n!2)#`.
    pub long_pairs: Include,
    /// The same with the first and the last label of the path: `#(v!x,n!2,na)#`.
    pub abbreviated_pairs: Include,
    /// Where locations begin anew.
    pub anchors: Anchors,
    /// Which nodes are looked at for duplicates.
    pub duplicates_of: NodeTypes,
    /// Of which nodes duplicates are also made with the type in place of the symbol: `#{?v,nna}#`.
    pub wild_duplicates_of: NodeTypes,
    /// Copies for the wildcards of queries.
    pub synonyms: Synonyms,
    /// Copies for other orders.
    pub normalisation: Normalisation,
}

impl Default for TupleOptions {
    fn default() -> Self {
        let near = Include::Near(8);
        Self {
            window: 1,
            pairs: near,
            terminals: near,
            compounds: near,
            duplicates: near,
            edge_pairs: Include::No,
            ends: Include::No,
            long_pairs: Include::No,
            abbreviated_pairs: Include::No,
            anchors: Anchors::Relations,
            duplicates_of: NodeTypes::ALL,
            wild_duplicates_of: NodeTypes::ALL,
            synonyms: Synonyms::None,
            normalisation: Normalisation::None,
        }
    }
}

impl TupleOptions {
    /// As Tangent-L made them until 2021: edge pairs and ends, no duplicates, no locations.
    #[must_use]
    pub fn tangent_l() -> Self {
        let plain = Include::Near(1);
        Self {
            pairs: plain,
            terminals: plain,
            compounds: plain,
            duplicates: Include::No,
            edge_pairs: plain,
            ends: plain,
            ..Self::default()
        }
    }

    /// These options with another bound for all kinds that are made: `1` for tuples without locations.
    #[must_use]
    pub fn with_locations_below(mut self, bound: usize) -> Self {
        for kind in [
            &mut self.pairs,
            &mut self.terminals,
            &mut self.compounds,
            &mut self.duplicates,
            &mut self.edge_pairs,
            &mut self.ends,
            &mut self.long_pairs,
            &mut self.abbreviated_pairs,
        ] {
            if *kind != Include::No {
                *kind = Include::Near(bound);
            }
        }
        self
    }
}
