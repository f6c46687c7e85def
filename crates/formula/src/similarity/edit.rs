//! Tree edit distance: how many symbols must be deleted, inserted and renamed to make one tree the other.
//!
//! Trees are ordered and compared as they stand, with the labs' costs
//! ([`Costs::SLT`], [`Costs::OPT`]) or others. The method is that of Zhang and
//! Shasha (1989) on the trees or on their mirror images, whichever is less work:
//! the distance is the same. A baseline is a path of first children, so long
//! formulas cost the product of their lengths; layers of brackets or scripts
//! multiply that, each by its share of the formula.
//!
//! # Bound
//!
//! If both ways would fill more than 2²⁴ cells (some tens of milliseconds; two
//! baselines of 4,000 symbols), or the trees have more than 65,536 nodes
//! together, the result is [`Distance::Between`] two bounds found in linear time:
//! from below by the symbols both have, from above by laying child over child.

use crate::opt::Opt;
use crate::slt::Slt;
use xxhash_rust::xxh3::xxh3_64;

/// Cells beyond which only bounds are given.
const MAX_CELLS: u64 = 1 << 24;
/// Nodes of both trees beyond which only bounds are given. The dearest distance still fits 32 bits.
const MAX_NODES: usize = 1 << 16;

/// What each operation costs, in hundredths, so that sums are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Costs {
    /// To delete a node of the first tree; its children move up.
    pub delete: u16,
    /// To insert a node of the second tree.
    pub insert: u16,
    /// To change a node's symbol.
    pub rename: u16,
}

impl Costs {
    /// One each.
    pub const UNIT: Self = Self { delete: 100, insert: 100, rename: 100 };
    /// Of the labs' rerankers for layout trees: 0.4, 0.2, 0.4.
    pub const SLT: Self = Self { delete: 40, insert: 20, rename: 40 };
    /// Of the labs' rerankers for operator trees: 0.3, 0.2, 0.2.
    pub const OPT: Self = Self { delete: 30, insert: 20, rename: 20 };

    /// Costs as the labs write them: whole numbers, of which ten are a distance of one.
    ///
    /// ```
    /// use formula::similarity::edit::Costs;
    ///
    /// assert_eq!(Costs::tenths(4, 2, 4), Costs::SLT);
    /// ```
    #[must_use]
    pub const fn tenths(delete: u8, insert: u8, rename: u8) -> Self {
        Self { delete: delete as u16 * 10, insert: insert as u16 * 10, rename: rename as u16 * 10 }
    }
}

/// The distance of two trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distance {
    /// This one.
    Exact(f64),
    /// The trees are too large or too twisted; it lies between these.
    Between {
        /// Not less.
        lower: f64,
        /// Not more.
        upper: f64,
    },
}

impl Distance {
    /// The distance, or the upper bound.
    #[must_use]
    pub fn at_most(self) -> f64 {
        match self {
            Self::Exact(distance) => distance,
            Self::Between { upper, .. } => upper,
        }
    }

    /// `1 − distance / nodes of both`: the share of the trees that stays. Two empty trees are alike.
    ///
    /// With unit costs it is from 0 to 1.
    #[must_use]
    pub fn share_kept(self, one: &EditTree, other: &EditTree) -> f64 {
        let nodes = one.len() + other.len();
        if nodes == 0 { 1.0 } else { 1.0 - self.at_most() / nodes as f64 }
    }

    /// `1 / (distance + 1)`.
    #[must_use]
    pub fn inverse(self) -> f64 {
        1.0 / (self.at_most() + 1.0)
    }
}

/// What makes two nodes of layout trees the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Labels {
    /// The tag alone, as in the labs: then `x²` and `x₂` have the distance 0.
    #[default]
    Tags,
    /// The tag and the edge it hangs from.
    TagsAndEdges,
    /// The kind of symbol alone: a letter, a number, an operation whose operands have no order.
    Types,
}

impl Labels {
    fn of(self, tag: &str) -> u64 {
        xxh3_64(match self {
            Self::Tags | Self::TagsAndEdges => tag.as_bytes(),
            Self::Types => kind_of(tag).as_bytes(),
        })
    }
}

/// What a tag says of its kind: what stands before `!`, or all of it where there is none, as in `+`.
///
/// ```
/// use formula::similarity::edit::kind_of;
///
/// assert_eq!(["V!x", "N!12", "U!plus", "+", "!"].map(kind_of), ["V", "N", "U", "+", "!"]);
/// ```
#[must_use]
pub fn kind_of(tag: &str) -> &str {
    match tag.split_once('!') {
        Some((kind, _)) if !kind.is_empty() => kind,
        _ => tag,
    }
}

/// A tree prepared for distances.
///
/// ```
/// use formula::similarity::edit::{Costs, Distance, EditDistance, EditTree, Labels};
/// use formula::slt::Slt;
///
/// let one = EditTree::slt(&Slt::read("[V!x[+[N!1]],a[N!2]]")?, Labels::Tags);
/// let other = EditTree::slt(&Slt::read("[V!y[+[N!1]],a[N!2]]")?, Labels::Tags);
/// let distance = EditDistance::default().distance(&one, &other, Costs::SLT);
/// assert_eq!(distance, Distance::Exact(0.4));
/// assert_eq!(distance.share_kept(&one, &other), 0.95);
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct EditTree {
    /// Labels and numbers of children, parents first, for the bounds.
    labels: Vec<u64>,
    children: Vec<u32>,
    /// Labels, sorted.
    sorted: Vec<u64>,
    /// The tree and its mirror image.
    orders: [Order; 2],
}

/// A tree with children before parents.
#[derive(Clone, Debug, Default)]
struct Order {
    labels: Vec<u64>,
    /// The first node below each, itself for a leaf.
    first: Vec<u32>,
    /// The topmost nodes of all paths of first children, ascending.
    tops: Vec<u32>,
    /// The sum of the sizes of the trees at `tops`: this tree's factor of the work.
    work: u64,
}

impl EditTree {
    /// Prepares a layout tree, its children in printing order.
    #[must_use]
    pub fn slt(slt: &Slt, labels: Labels) -> Self {
        let mut place = vec![0; slt.len()];
        let mut nodes = Vec::new();
        for id in slt.preorder() {
            place[id.index()] = nodes.len();
            let tag = labels.of(slt.tag(id));
            let label = match labels {
                Labels::Tags | Labels::Types => tag,
                Labels::TagsAndEdges => tag.rotate_left(8) ^ slt.edge(id) as u64,
            };
            nodes.push((label, slt.parent(id).map(|parent| place[parent.index()])));
        }
        Self::new(&nodes)
    }

    /// Prepares an operator tree. Its edges are the places of the children, which count in any case.
    #[must_use]
    pub fn opt(opt: &Opt, labels: Labels) -> Self {
        let mut place = vec![0; opt.len()];
        let mut nodes = Vec::new();
        for id in opt.preorder() {
            place[id.index()] = nodes.len();
            let parent = opt.parent(id).map(|parent| place[parent.index()]);
            nodes.push((labels.of(opt.tag(id)), parent));
        }
        Self::new(&nodes)
    }

    /// From labels and parents, parents first, children in order.
    fn new(nodes: &[(u64, Option<usize>)]) -> Self {
        let count = nodes.len();
        let mut depth = vec![0; count];
        let mut size = vec![1; count];
        let mut children = vec![0; count];
        for (index, (_, parent)) in nodes.iter().enumerate() {
            if let Some(parent) = *parent {
                depth[index] = depth[parent] + 1;
                children[parent] += 1;
            }
        }
        for (index, (_, parent)) in nodes.iter().enumerate().rev() {
            if let Some(parent) = *parent {
                size[parent] += size[index];
            }
        }
        let labels: Vec<u64> = nodes.iter().map(|(label, _)| *label).collect();
        let mut sorted = labels.clone();
        sorted.sort_unstable();
        // Children before parents, from the left: all before in the other order, less those above, and all below.
        let from_left = Order::new(&labels, &size, |index| index + size[index] - 1 - depth[index]);
        let from_right = Order::new(&labels, &size, |index| count - 1 - index);
        Self { labels, children, sorted, orders: [from_left, from_right] }
    }

    /// How many nodes the tree has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }
}

impl Order {
    fn new(labels: &[u64], size: &[usize], place: impl Fn(usize) -> usize) -> Self {
        let mut order = Self { labels: labels.to_vec(), first: vec![0; labels.len()], ..Self::default() };
        for (index, label) in labels.iter().enumerate() {
            let at = place(index);
            order.labels[at] = *label;
            order.first[at] = (at + 1 - size[index]) as u32;
        }
        let mut seen = vec![false; labels.len()];
        for at in (0..labels.len()).rev() {
            let first = order.first[at] as usize;
            if !std::mem::replace(&mut seen[first], true) {
                order.tops.push(at as u32);
                order.work += (at + 1 - first) as u64;
            }
        }
        order.tops.reverse();
        order
    }
}

/// Computes distances and keeps the memory for it, 128 MiB at most.
#[derive(Clone, Debug, Default)]
pub struct EditDistance {
    /// Of every two subtrees.
    trees: Vec<u32>,
    /// Of the forests left of and below the two nodes at hand.
    forests: Vec<u32>,
}

impl EditDistance {
    /// What it costs to make `from` into `to`.
    pub fn distance(&mut self, from: &EditTree, to: &EditTree, costs: Costs) -> Distance {
        if from.labels == to.labels && from.children == to.children {
            return Distance::Exact(0.0);
        }
        let cells = |side: usize| from.orders[side].work.saturating_mul(to.orders[side].work);
        let side = usize::from(cells(1) < cells(0));
        if cells(side) > MAX_CELLS || from.len() + to.len() > MAX_NODES {
            let (lower, upper) = bounds(from, to, costs);
            if lower < upper {
                return Distance::Between { lower: hundredths(lower), upper: hundredths(upper) };
            }
            return Distance::Exact(hundredths(lower));
        }
        Distance::Exact(hundredths(self.zhang_shasha(&from.orders[side], &to.orders[side], costs).into()))
    }

    fn zhang_shasha(&mut self, from: &Order, to: &Order, costs: Costs) -> u32 {
        let (rows, columns) = (from.labels.len(), to.labels.len());
        let (delete, insert, rename) =
            (u32::from(costs.delete), u32::from(costs.insert), u32::from(costs.rename));
        if rows == 0 || columns == 0 {
            return delete * rows as u32 + insert * columns as u32;
        }
        // Written before it is read: smaller subtrees come first.
        self.trees.resize((rows * columns).max(self.trees.len()), 0);
        let stride = columns + 1;
        self.forests.resize((stride * (rows + 1)).max(self.forests.len()), 0);
        for &i_top in &from.tops {
            let i_first = from.first[i_top as usize] as usize;
            for &j_top in &to.tops {
                let j_first = to.first[j_top as usize] as usize;
                let width = j_top as usize - j_first + 1;
                for (j, cell) in (0..).zip(&mut self.forests[..=width]) {
                    *cell = j * insert;
                }
                let to_labels = &to.labels[j_first..=j_top as usize];
                let to_first = &to.first[j_first..=j_top as usize];
                for i in i_first..=i_top as usize {
                    let row = i - i_first;
                    let (above, below) = self.forests.split_at_mut((row + 1) * stride);
                    let last = &above[row * stride..][..=width];
                    let current = &mut below[..=width];
                    // The forest left of the subtree at `i`.
                    let i_below = from.first[i] as usize - i_first;
                    let left = i_below * stride;
                    let trees = &mut self.trees[i * columns + j_first..][..width];
                    current[0] = last[0] + delete;
                    let mut newest = current[0];
                    for j in 0..width {
                        let j_below = to_first[j] as usize - j_first;
                        let whole_trees = i_below == 0 && j_below == 0;
                        let matched = if whole_trees {
                            last[j] + if from.labels[i] == to_labels[j] { 0 } else { rename }
                        } else {
                            above[left + j_below] + trees[j]
                        };
                        newest = (newest + insert).min(last[j + 1] + delete).min(matched);
                        current[j + 1] = newest;
                        if whole_trees {
                            trees[j] = newest;
                        }
                    }
                }
            }
        }
        self.trees[rows * columns - 1]
    }
}

fn hundredths(cost: u64) -> f64 {
    cost as f64 / 100.0
}

/// Bounds of the distance in linear time (but for sorting, done before).
fn bounds(from: &EditTree, to: &EditTree, costs: Costs) -> (u64, u64) {
    let (delete, insert) = (u64::from(costs.delete), u64::from(costs.insert));
    let rename = u64::from(costs.rename).min(delete + insert);
    let (rows, columns) = (from.len() as u64, to.len() as u64);
    let cost =
        |kept: u64, equal: u64| delete * (rows - kept) + insert * (columns - kept) + rename * (kept - equal);
    let most = rows.min(columns);
    // As renaming is never dearer than deleting and inserting, it pays to keep as many nodes as can be.
    let lower = cost(most, common(&from.sorted, &to.sorted));
    let (kept, equal) = laid_over(from, to);
    (lower, cost(kept, equal).max(lower))
}

/// How many labels two sorted lists have in common.
fn common(one: &[u64], other: &[u64]) -> u64 {
    let (mut i, mut j, mut found) = (0, 0, 0);
    while i < one.len() && j < other.len() {
        let order = one[i].cmp(&other[j]);
        found += u64::from(order.is_eq());
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    found
}

/// Lays root over root, first child over first child and so on: how many nodes lie over each other, how many of
/// them are equal.
fn laid_over(from: &EditTree, to: &EditTree) -> (u64, u64) {
    let (mut kept, mut equal) = (0, 0);
    let (mut i, mut j) = (0, 0);
    // For each open pair of nodes, how many pairs of children are still to come, and how many children are too many.
    let mut open: Vec<[u32; 3]> = Vec::new();
    let skip = |tree: &EditTree, at: &mut usize| {
        let mut pending = 1u64;
        while pending > 0 {
            pending += u64::from(tree.children[*at]);
            pending -= 1;
            *at += 1;
        }
    };
    while i < from.len() && j < to.len() {
        kept += 1;
        equal += u64::from(from.labels[i] == to.labels[j]);
        let (ours, theirs) = (from.children[i], to.children[j]);
        let both = ours.min(theirs);
        open.push([both, ours - both, theirs - both]);
        i += 1;
        j += 1;
        while let Some([left, ours, theirs]) = open.last_mut() {
            if *left > 0 {
                *left -= 1;
                break;
            }
            for _ in 0..*ours {
                skip(from, &mut i);
            }
            for _ in 0..*theirs {
                skip(to, &mut j);
            }
            open.pop();
        }
        if open.is_empty() {
            break;
        }
    }
    (kept, equal)
}

#[cfg(test)]
mod tests;
