//! One regression tree, grown leaf by leaf.

use super::Boosting;
use super::pairs::Slopes;
use crate::learn::Example;

/// A split that gains less is rounding.
const LEAST_GAIN: f64 = 1e-9;

/// A tree, whose root is the first node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Leaf(f64),
    /// Feature values up to the threshold go to `low`, others and NaN to `high`.
    Split {
        feature: usize,
        threshold: f64,
        low: usize,
        high: usize,
    },
}

impl Tree {
    /// The value of the leaf that features lead to.
    pub(super) fn value(&self, features: &[f64]) -> f64 {
        let mut node = 0;
        loop {
            match self.nodes[node] {
                Node::Leaf(value) => return value,
                Node::Split { feature, threshold, low, high } => {
                    node = if features[feature] <= threshold { low } else { high };
                }
            }
        }
    }
}

/// The values of each feature.
pub(super) struct Columns {
    values: Vec<Vec<f64>>,
    /// Examples by the value of each feature, lowest first.
    sorted: Vec<Vec<usize>>,
}

impl Columns {
    pub(super) fn of(examples: &[&Example]) -> Self {
        let size = examples.first().map_or(0, |example| example.features.len());
        for example in examples {
            assert_eq!(example.features.len(), size, "all examples have the same features");
        }
        // NaN goes where the tree sends it: above every threshold.
        let value = |value: f64| if value.is_nan() { f64::INFINITY } else { value };
        let column = |feature| examples.iter().map(|example| value(example.features[feature])).collect();
        let values: Vec<Vec<f64>> = (0..size).map(column).collect();
        let sort = |column: &Vec<f64>| {
            let mut sorted: Vec<usize> = (0..column.len()).collect();
            sorted.sort_by(|left, right| column[*left].total_cmp(&column[*right]));
            sorted
        };
        let sorted = values.iter().map(sort).collect();
        Self { values, sorted }
    }
}

/// Sums over the examples of a leaf.
#[derive(Clone, Copy, Default)]
struct Sums {
    gradient: f64,
    curvature: f64,
}

impl Sums {
    fn add(&mut self, slopes: &Slopes, example: usize) {
        self.gradient += slopes.gradient[example];
        self.curvature += slopes.curvature[example];
    }

    fn of(slopes: &Slopes, examples: &[usize]) -> Self {
        let mut sums = Self::default();
        examples.iter().for_each(|example| sums.add(slopes, *example));
        sums
    }

    fn less(self, other: Self) -> Self {
        Self { gradient: self.gradient - other.gradient, curvature: self.curvature - other.curvature }
    }

    /// The value of a leaf that lowers the quadratic approximation of the loss most.
    fn newton(self, penalty: f64) -> f64 {
        let curvature = self.curvature + penalty;
        if curvature > 0.0 { -self.gradient / curvature } else { 0.0 }
    }

    /// Twice by how much that value lowers it.
    fn reduction(self, penalty: f64) -> f64 {
        -self.gradient * self.newton(penalty)
    }
}

#[derive(Clone, Copy)]
struct Split {
    gain: f64,
    feature: usize,
    threshold: f64,
}

/// A leaf that may be split.
struct Open {
    node: usize,
    /// Its examples by the value of each feature.
    sorted: Vec<Vec<usize>>,
    best: Option<Split>,
}

/// Grows a tree for the derivatives of the loss. `None` if no split lowers it.
pub(super) fn grow(columns: &Columns, slopes: &Slopes, how: &Boosting) -> Option<Tree> {
    let open = |node: usize, sorted: Vec<Vec<usize>>| {
        let best = best_split(columns, &sorted, slopes, how);
        // Without features there is nothing to sort by, and nothing to split.
        let value = sorted.first().map_or(0.0, |all| Sums::of(slopes, all).newton(how.penalty));
        (Open { node, sorted, best }, Node::Leaf(how.rate * value))
    };
    let (root, leaf) = open(0, columns.sorted.clone());
    let (mut nodes, mut leaves) = (vec![leaf], vec![root]);
    while leaves.len() < how.leaves {
        let mut next: Option<(usize, Split)> = None;
        for (place, leaf) in leaves.iter().enumerate() {
            if let Some(split) = leaf.best.filter(|split| next.is_none_or(|(_, best)| split.gain > best.gain))
            {
                next = Some((place, split));
            }
        }
        let Some((place, Split { feature, threshold, .. })) = next else { break };
        let leaf = leaves.remove(place);
        let is_low = |example: &usize| columns.values[feature][*example] <= threshold;
        let (low, high) = leaf.sorted.into_iter().map(|all| all.into_iter().partition(is_low)).unzip();
        for sorted in [low, high] {
            let (leaf, node) = open(nodes.len(), sorted);
            nodes.push(node);
            leaves.push(leaf);
        }
        nodes[leaf.node] = Node::Split { feature, threshold, low: nodes.len() - 2, high: nodes.len() - 1 };
    }
    (nodes.len() > 1).then_some(Tree { nodes })
}

/// The split of a leaf with the highest gain: of equal ones that of the lowest feature, then the lowest threshold.
fn best_split(columns: &Columns, sorted: &[Vec<usize>], slopes: &Slopes, how: &Boosting) -> Option<Split> {
    let mut best: Option<Split> = None;
    for (feature, examples) in sorted.iter().enumerate() {
        let all = Sums::of(slopes, examples);
        let whole = all.reduction(how.penalty);
        let mut low = Sums::default();
        for (number, pair) in (1..).zip(examples.windows(2)) {
            low.add(slopes, pair[0]);
            let [below, above] = [pair[0], pair[1]].map(|example| columns.values[feature][example]);
            if number < how.least || examples.len() - number < how.least || below >= above {
                continue;
            }
            let gain = low.reduction(how.penalty) + all.less(low).reduction(how.penalty) - whole;
            if gain > best.map_or(LEAST_GAIN, |best| best.gain) {
                best = Some(Split { gain, feature, threshold: between(below, above) });
            }
        }
    }
    best
}

/// The middle of two values, or the lower one if there is no number between them.
fn between(below: f64, above: f64) -> f64 {
    let middle = below / 2.0 + above / 2.0;
    if middle >= below && middle < above { middle } else { below }
}
