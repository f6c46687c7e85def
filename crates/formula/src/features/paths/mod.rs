//! approach0: the ways from the leaves of an operator tree to its nodes.
//!
//! The tree is approach0's own ([`PathTree`]); a path is the classes of the nodes
//! from a leaf upwards. Between a child and an operator whose operands have an
//! order, the child's position stands (at most 3). All beginnings of at least two
//! nodes are features; each belongs to the node where it ends, its root, and the
//! leaves that share it are counted (the width of the sector).
//!
//! A formula with more leaves than [`PathOptions::most_leaves`] has no features,
//! as in approach0, and paths are followed [`LONGEST_PATH`] nodes up, so the work
//! is linear in the formula plus the product of both bounds.

mod build;
mod row;
mod symbols;
mod token;
mod tree;

pub use build::PathTreeBuilder;
pub use token::Token;
pub use tree::{PathNode, PathTree};

use crate::slt::Slt;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// How many nodes a path can have.
pub const LONGEST_PATH: usize = 128;
/// The highest position that is told apart.
pub const MOST_RANKS: usize = 3;
/// How many symbols of one path and root are told apart.
pub const MOST_SPLITS: usize = 8;

/// Whether leaves that are wildcards have paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WildcardPaths {
    /// No: in documents there are none, and they are never indexed.
    #[default]
    Skip,
    /// Yes, for queries.
    Keep,
}

/// Which paths are left out when documents are indexed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Pruning {
    /// None; so it is for queries.
    #[default]
    None,
    /// Those whose root covers no more than this share of the leaves, then the longest until there are no more
    /// than so many different ones.
    Static {
        /// Of all leaves; approach0 has 0.2.
        share: f64,
        /// Different sequences of tokens; approach0 has 128.
        most: usize,
    },
}

impl Pruning {
    /// What approach0 does with documents.
    pub const APPROACH0: Self = Self::Static { share: 0.2, most: 128 };
}

/// Which paths are made. The default is approach0's for a query without wildcards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathOptions {
    /// Formulas with more leaves have no paths; approach0 has 64.
    pub most_leaves: usize,
    /// Which paths are left out.
    pub pruning: Pruning,
    /// Whether wildcards have paths.
    pub wildcards: WildcardPaths,
}

impl Default for PathOptions {
    fn default() -> Self {
        Self { most_leaves: 64, pruning: Pruning::None, wildcards: WildcardPaths::Skip }
    }
}

/// A step of a path: a node's class, or the position of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// A node.
    Node(Token),
    /// The child at this position, from 1 to [`MOST_RANKS`], of an operator whose operands have an order.
    Rank(u8),
}

impl Step {
    fn byte(self) -> u8 {
        match self {
            Self::Node(token) => token as u8,
            Self::Rank(rank) => 0xf0 + rank,
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(token) => write!(f, "{token}"),
            Self::Rank(rank) => write!(f, "{rank}"),
        }
    }
}

/// Leaves of one path and root that are the same symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The hash of the symbol.
    pub symbol: u64,
    /// What the leaf is part of: four bits for each of its nearest structural ancestors, the nearest highest.
    pub fingerprint: u16,
    /// How many leaves.
    pub width: u32,
}

/// A path that ends at a root.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    paths: &'p Paths,
    entry: &'p Entry,
}

#[derive(Clone, Debug)]
struct Entry {
    hash: u64,
    root: PathNode,
    /// Where the steps are.
    steps: (u32, u32),
    width: u32,
    splits: Vec<Split>,
}

impl<'p> Path<'p> {
    /// A number that is equal for equal paths, the same on every machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.entry.hash
    }

    /// Where it ends.
    #[must_use]
    pub fn root(&self) -> PathNode {
        self.entry.root
    }

    /// How many leaves share it.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.entry.width
    }

    /// The leaves by symbol, at most [`MOST_SPLITS`] of them.
    #[must_use]
    pub fn splits(&self) -> &'p [Split] {
        &self.entry.splits
    }

    /// Whether its leaf is a wildcard of a query.
    #[must_use]
    pub fn is_wild(&self) -> bool {
        self.steps().first() == Some(&Step::Node(Token::Wildcard))
    }

    /// From the leaf to the root.
    #[must_use]
    pub fn steps(&self) -> &'p [Step] {
        &self.paths.steps[self.entry.steps.0 as usize..self.entry.steps.1 as usize]
    }
}

/// `VAR/BASE/HANGER/TIMES`
impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps().iter().enumerate() {
            let slash = if index > 0 { "/" } else { "" };
            write!(f, "{slash}{step}")?;
        }
        Ok(())
    }
}

/// The paths of a formula.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    entries: Vec<Entry>,
    steps: Vec<Step>,
    /// The entries by their hash.
    by_hash: Vec<u32>,
    leaves: usize,
}

impl Paths {
    /// Paths and their roots, by the first leaf that has them, short ones first.
    pub fn iter(&self) -> impl Iterator<Item = Path<'_>> {
        self.entries.iter().map(|entry| Path { paths: self, entry })
    }

    /// Paths and their roots in the order of their hashes.
    pub fn by_hash(&self) -> impl Iterator<Item = Path<'_>> {
        self.by_hash.iter().map(|&place| Path { paths: self, entry: &self.entries[place as usize] })
    }

    /// How many leaves the formula has, counted before anything is left out.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    /// Whether there are none, because there is nothing to see or too much.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.steps.clear();
        self.by_hash.clear();
        self.leaves = 0;
    }
}

/// Makes the paths of formulas; keeps its memory between them.
///
/// ```
/// use formula::features::{PathExtractor, PathOptions};
/// use formula::features::paths::Paths;
/// use formula::slt::Slt;
///
/// let mut paths = Paths::default();
/// PathExtractor::new(PathOptions::default()).slt(&Slt::read("[V!x]")?, &mut paths);
/// let texts: Vec<_> = paths.iter().map(|path| path.to_string()).collect();
/// assert_eq!(texts, ["VAR/BASE", "VAR/BASE/HANGER"]);
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathExtractor {
    options: PathOptions,
    builder: PathTreeBuilder,
    tree: PathTree,
    ranks: Vec<u8>,
    leaves: Vec<PathNode>,
    /// How many leaves are below each node.
    covered: Vec<u32>,
    places: HashMap<(u64, PathNode), usize, foldhash::fast::FixedState>,
}

impl PathExtractor {
    /// An extractor with these options.
    #[must_use]
    pub fn new(options: PathOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> PathOptions {
        self.options
    }

    /// The tree of the formula read last.
    #[must_use]
    pub fn tree(&self) -> &PathTree {
        &self.tree
    }

    /// Replaces `paths` by those of a layout tree.
    pub fn slt(&mut self, slt: &Slt, paths: &mut Paths) {
        paths.clear();
        let mut tree = std::mem::take(&mut self.tree);
        self.builder.build(slt, &mut tree);
        self.look_around(&tree);
        paths.leaves = self.leaves.len();
        if self.leaves.len() <= self.options.most_leaves {
            self.collect(&tree, paths);
            self.prune(paths);
            paths.by_hash.extend(0..paths.entries.len() as u32);
            paths.by_hash.sort_by_key(|&place| paths.entries[place as usize].hash);
        }
        self.tree = tree;
    }

    /// Finds leaves and positions, and counts leaves.
    fn look_around(&mut self, tree: &PathTree) {
        self.leaves.clear();
        self.ranks.clear();
        self.ranks.resize(tree.len(), 0);
        let nodes: Vec<PathNode> = tree.preorder().collect();
        self.covered.clear();
        self.covered.resize(tree.len(), 0);
        for &node in &nodes {
            if tree.is_leaf(node) {
                if tree.token(node) != Token::Wildcard || self.options.wildcards == WildcardPaths::Keep {
                    self.leaves.push(node);
                    self.covered[node.index()] = 1;
                }
            } else if !tree.token(node).is_commutative() {
                for (index, child) in tree.children(node).enumerate() {
                    self.ranks[child.index()] = (index + 1).min(MOST_RANKS) as u8;
                }
            }
        }
        for &node in nodes.iter().rev() {
            if let Some(parent) = tree.parent(node) {
                self.covered[parent.index()] += self.covered[node.index()];
            }
        }
    }

    fn collect(&mut self, tree: &PathTree, paths: &mut Paths) {
        self.places.clear();
        let mut bytes = Vec::with_capacity(LONGEST_PATH);
        for &leaf in &self.leaves {
            bytes.clear();
            let start = paths.steps.len() as u32;
            let split = Split {
                symbol: xxh3_64(tree.symbol(leaf).as_bytes()),
                fingerprint: fingerprint(tree, leaf),
                width: 1,
            };
            let mut step = |paths: &mut Paths, step: Step| {
                paths.steps.push(step);
                bytes.push(step.byte());
                xxh3_64(&bytes)
            };
            step(paths, Step::Node(tree.token(leaf)));
            let mut below = leaf;
            let ancestors = std::iter::successors(tree.parent(leaf), |&node| tree.parent(node));
            for node in ancestors.take(LONGEST_PATH - 1) {
                let rank = self.ranks[below.index()];
                if rank > 0 {
                    step(paths, Step::Rank(rank));
                }
                let hash = step(paths, Step::Node(tree.token(node)));
                let end = paths.steps.len() as u32;
                let place = *self.places.entry((hash, node)).or_insert_with(|| {
                    let entry = Entry { hash, root: node, steps: (start, end), width: 0, splits: Vec::new() };
                    paths.entries.push(entry);
                    paths.entries.len() - 1
                });
                add(&mut paths.entries[place], split);
                below = node;
            }
        }
    }

    fn prune(&self, paths: &mut Paths) {
        let Pruning::Static { share, most } = self.options.pruning else { return };
        let few = share * paths.leaves as f64;
        paths.entries.retain(|entry| f64::from(self.covered[entry.root.index()]) > few);
        let length = |entry: &Entry| entry.steps.1 - entry.steps.0;
        let distinct: BTreeSet<(u32, u64)> =
            paths.entries.iter().map(|entry| (length(entry), entry.hash)).collect();
        if let Some(&first_out) = distinct.iter().nth(most) {
            paths.entries.retain(|entry| (length(entry), entry.hash) < first_out);
        }
    }
}

fn add(entry: &mut Entry, split: Split) {
    entry.width += 1;
    let same = |known: &&mut Split| (known.symbol, known.fingerprint) == (split.symbol, split.fingerprint);
    if let Some(known) = entry.splits.iter_mut().find(same) {
        known.width += 1;
    } else if entry.splits.len() < MOST_SPLITS {
        entry.splits.push(split);
    }
}

/// Four bits for each of the nearest structural ancestors; of five, the first falls out again.
fn fingerprint(tree: &PathTree, leaf: PathNode) -> u16 {
    std::iter::successors(tree.parent(leaf), |&node| tree.parent(node))
        .take(LONGEST_PATH)
        .filter(|&node| tree.token(node).is_structural())
        .take(5)
        .fold(0, |bits, node| {
            let symbol = xxh3_64(tree.symbol(node).as_bytes()) % 15;
            bits << 4 | symbol as u16
        })
}
