//! Symbol pairs of Tangent-S: two symbols, and the way from the one to the other.
//!
//! A pair is the tag of a node, the tag of a node below it, and the labels of
//! the edges between them. In layout trees the labels are those of the edges;
//! in operator trees they count the children, but below an operation whose
//! operands have no order (`U!`) every label is `0`. Pairs form a multiset.
//!
//! A node gives a pair with each of its nearest ancestors, as many as the
//! window allows, so the work is the number of nodes times the window. A window
//! without limit would make it quadratic in the length of a formula; it looks
//! [`LONGEST_PATH`] edges far and no further.

use super::Location;
use crate::opt::{self, Opt, OptId};
use crate::slt::{Edge, Slt, SltId, Step};
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// How long the path of a pair can be when the window has no limit.
pub const LONGEST_PATH: usize = 255;

/// The tag of what is not there: the second half of the pair that ends a baseline.
pub const END: &str = "0!";

/// Which nodes that end a baseline (or are leaves of an operator tree) give a pair with [`END`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EndOfBaseline {
    /// None.
    None,
    /// Those of trees that are no more than a root and its children; the default of Tangent-S.
    #[default]
    Small,
    /// All; so do TangentCFT and the features for learning to rank.
    All,
}

/// Which pairs are made. The default is that of Tangent-S: a window of four, ends in small trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairOptions {
    /// How many edges a path can have; 0 for no limit but [`LONGEST_PATH`].
    pub window: usize,
    /// Which ends count.
    pub end_of_baseline: EndOfBaseline,
}

impl Default for PairOptions {
    fn default() -> Self {
        Self { window: 4, end_of_baseline: EndOfBaseline::Small }
    }
}

impl PairOptions {
    /// As TangentCFT makes them: a window of two and all ends.
    pub const TANGENT_CFT: Self = Self { window: 2, end_of_baseline: EndOfBaseline::All };

    fn longest_path(self) -> usize {
        if self.window == 0 { LONGEST_PATH } else { self.window }
    }
}

/// One half of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The upper symbol.
    Ancestor,
    /// The lower symbol.
    Descendant,
}

/// Which halves of a pair are wildcards of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wildcards {
    /// Neither: the pair matches itself.
    None,
    /// This one: the pair matches those with the same other half and path.
    One(Side),
    /// Both: the pair says nothing.
    Both,
}

/// Two symbols and the way from the one to the other.
///
/// Prints as `(V!x,N!2,a)`. For counting and indexing, [`Pair::hash`] stands for the text.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'t> {
    /// The tag of the upper symbol.
    pub ancestor: &'t str,
    /// The tag of the lower symbol, or [`END`].
    pub descendant: &'t str,
    /// The labels from the one to the other.
    pub path: &'t str,
    /// Where the upper symbol is. Not part of the pair's identity.
    pub location: Location<'t>,
    hashes: Hashes,
}

#[derive(Clone, Copy, Debug)]
struct Hashes {
    ancestor: u64,
    descendant: u64,
    path: u64,
}

impl<'t> Pair<'t> {
    /// A pair from its parts, at the root.
    #[must_use]
    pub fn new(ancestor: &'t str, descendant: &'t str, path: &'t str) -> Self {
        let hashes = Hashes {
            ancestor: tag_hash(ancestor),
            descendant: tag_hash(descendant),
            path: path.bytes().rev().fold(PATH_START, path_step),
        };
        Self { ancestor, descendant, path, location: Location(""), hashes }
    }

    /// A number that is equal for equal pairs, the same on every machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hashes.combined()
    }

    /// The hash of what is left of the pair when one half may be anything. A query's pair with a wildcard on
    /// this side matches the pairs for which this number is the same.
    #[must_use]
    pub fn hash_without(&self, side: Side) -> u64 {
        let mut hashes = self.hashes;
        match side {
            Side::Ancestor => hashes.ancestor = ANY,
            Side::Descendant => hashes.descendant = ANY,
        }
        hashes.combined()
    }

    /// Which halves are wildcards. Only queries have wildcards.
    #[must_use]
    pub fn wildcards(&self) -> Wildcards {
        match (self.ancestor.starts_with('?'), self.descendant.starts_with('?')) {
            (false, false) => Wildcards::None,
            (true, false) => Wildcards::One(Side::Ancestor),
            (false, true) => Wildcards::One(Side::Descendant),
            (true, true) => Wildcards::Both,
        }
    }
}

/// Pairs are equal wherever they are.
impl PartialEq for Pair<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.ancestor, self.descendant, self.path) == (other.ancestor, other.descendant, other.path)
    }
}

impl Eq for Pair<'_> {}

impl fmt::Display for Pair<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{},{})", self.ancestor, self.descendant, self.path)
    }
}

/// Stands for the hash of a half that may be anything; no tag begins with a NUL, so none has it by intent.
const ANY: u64 = 0;
/// The hash of an empty path, and the step to a path with one more label in front (FNV-1a).
const PATH_START: u64 = 0xcbf2_9ce4_8422_2325;

fn path_step(hash: u64, label: u8) -> u64 {
    (hash ^ u64::from(label)).wrapping_mul(0x0000_0100_0000_01b3)
}

fn tag_hash(tag: &str) -> u64 {
    xxh3_64(tag.as_bytes())
}

impl Hashes {
    fn combined(self) -> u64 {
        let mut bytes = [0; 24];
        for (place, hash) in bytes.chunks_exact_mut(8).zip([self.ancestor, self.descendant, self.path]) {
            place.copy_from_slice(&hash.to_le_bytes());
        }
        xxh3_64(&bytes)
    }
}

/// Makes the pairs of trees; keeps its memory between them.
///
/// ```
/// use formula::features::{PairExtractor, PairOptions};
/// use formula::slt::Slt;
///
/// let slt = Slt::read("[V!x[+[N!1]],a[N!2]]")?;
/// let mut pairs = Vec::new();
/// PairExtractor::new(PairOptions::default()).slt(&slt, |pair| pairs.push(pair.to_string()));
/// assert_eq!(pairs, ["(V!x,+,n)", "(+,N!1,n)", "(V!x,N!1,nn)", "(V!x,N!2,a)"]);
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PairExtractor {
    options: PairOptions,
    slt: Branch<SltId>,
    opt: Branch<OptId>,
}

/// The nodes from the root to the one at hand.
#[derive(Clone, Debug)]
struct Branch<Id> {
    nodes: Vec<(Id, u64)>,
    /// The label of the edge into each node but the root.
    labels: String,
}

impl<Id> Default for Branch<Id> {
    fn default() -> Self {
        Self { nodes: Vec::new(), labels: String::new() }
    }
}

impl PairExtractor {
    /// An extractor with these options.
    #[must_use]
    pub fn new(options: PairOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> PairOptions {
        self.options
    }

    /// Calls `sink` with each pair of a layout tree: nodes in preorder, for each its ancestors from the
    /// nearest on, then its end.
    pub fn slt(&mut self, slt: &Slt, mut sink: impl FnMut(Pair<'_>)) {
        let ends = self.ends(|| is_small_slt(slt));
        let tag = |id| slt.tag(id);
        self.slt.clear();
        for step in slt.walk() {
            let Step::Open(edge, id) = step else {
                self.slt.leave();
                continue;
            };
            let error = slt.tag(id).starts_with("E!");
            let paths = if error && edge == Edge::Within { 0 } else { self.options.longest_path() };
            self.slt.enter(id, edge.label(), tag(id));
            self.slt.pairs_up(paths, tag, &mut sink);
            if ends && !error && slt.next(id).is_none() {
                self.slt.end("n", tag, &mut sink);
            }
        }
    }

    /// Calls `sink` with each pair of an operator tree, in the same order.
    pub fn opt(&mut self, opt: &Opt, mut sink: impl FnMut(Pair<'_>)) {
        let ends = self.ends(|| is_small_opt(opt));
        let tag = |id| opt.tag(id);
        self.opt.clear();
        // For each open node, how many of its children were entered.
        let mut entered: Vec<usize> = Vec::new();
        for id in opt.preorder() {
            let parent = opt.parent(id).filter(|_| opt.root() != Some(id));
            while self.opt.nodes.last().map(|&(last, _)| last) != parent && !self.opt.nodes.is_empty() {
                self.opt.leave();
                entered.pop();
            }
            let mut position = 0;
            if let (Some(parent), Some(count)) = (parent, entered.last_mut()) {
                position = if opt.tag(parent).starts_with("U!") { 0 } else { *count };
                *count += 1;
            }
            let error = opt.tag(id).starts_with("E!");
            self.opt.enter(id, opt::text::label(position), tag(id));
            entered.push(0);
            self.opt.pairs_up(self.options.longest_path(), tag, &mut sink);
            if ends && !error && opt.is_leaf(id) {
                self.opt.end("0", tag, &mut sink);
            }
        }
    }

    /// The hashes of all pairs of a layout tree, appended to `hashes`.
    pub fn slt_hashes(&mut self, slt: &Slt, hashes: &mut Vec<u64>) {
        self.slt(slt, |pair| hashes.push(pair.hash()));
    }

    /// The hashes of all pairs of an operator tree, appended to `hashes`.
    pub fn opt_hashes(&mut self, opt: &Opt, hashes: &mut Vec<u64>) {
        self.opt(opt, |pair| hashes.push(pair.hash()));
    }

    fn ends(&self, is_small: impl FnOnce() -> bool) -> bool {
        match self.options.end_of_baseline {
            EndOfBaseline::None => false,
            EndOfBaseline::Small => is_small(),
            EndOfBaseline::All => true,
        }
    }
}

impl<Id: Copy> Branch<Id> {
    fn clear(&mut self) {
        self.nodes.clear();
        self.labels.clear();
    }

    fn enter(&mut self, id: Id, label: char, tag: &str) {
        if !self.nodes.is_empty() {
            self.labels.push(label);
        }
        self.nodes.push((id, tag_hash(tag)));
    }

    fn leave(&mut self) {
        self.nodes.pop();
        self.labels.pop();
    }

    /// Pairs of the last node with its ancestors.
    fn pairs_up<'t>(&self, longest: usize, tag: impl Fn(Id) -> &'t str, sink: &mut impl FnMut(Pair<'_>)) {
        let Some((&(id, descendant), above)) = self.nodes.split_last() else { return };
        let mut path = PATH_START;
        for (depth, &(upper, ancestor)) in above.iter().enumerate().rev().take(longest) {
            path = path_step(path, self.labels.as_bytes()[depth]);
            sink(Pair {
                ancestor: tag(upper),
                descendant: tag(id),
                path: &self.labels[depth..],
                location: Location(&self.labels[..depth]),
                hashes: Hashes { ancestor, descendant, path },
            });
        }
    }

    /// The pair of the last node with the end.
    fn end<'t>(&self, path: &str, tag: impl Fn(Id) -> &'t str, sink: &mut impl FnMut(Pair<'_>)) {
        let Some(&(id, _)) = self.nodes.last() else { return };
        sink(Pair { location: Location(&self.labels), ..Pair::new(tag(id), END, path) });
    }
}

fn is_small_slt(slt: &Slt) -> bool {
    slt.root().is_none_or(|root| slt.children(root).all(|(_, child)| !slt.has_children(child)))
}

fn is_small_opt(opt: &Opt) -> bool {
    opt.root().is_none_or(|root| opt.children(root).all(|child| opt.is_leaf(child)))
}
