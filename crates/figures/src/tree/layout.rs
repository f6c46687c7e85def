//! Where the boxes of a tree go.
//!
//! Subtrees are set beside each other as near as their outlines allow, after Reingold and Tilford. The outlines
//! are lists by level, the deepest first, so that a parent is appended; when two are joined, the longer list is
//! kept and only as many levels are touched as the shorter one has, which makes it linear in all.
//! "Along" is the direction that the tree grows to, "across" the other one.

use super::Side;

/// A box to be placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Box {
    /// The box it hangs from, which comes before it; the first one hangs from none.
    pub(super) parent: Option<usize>,
    /// Its size along.
    pub(super) along: f64,
    /// Its size across.
    pub(super) across: f64,
    pub(super) side: Side,
}

/// Where the boxes go.
#[derive(Clone, Debug, Default)]
pub(super) struct Arranged {
    /// For each box where it begins along, and where its middle is across.
    pub(super) places: Vec<(f64, f64)>,
    /// The size of all.
    pub(super) along: f64,
    pub(super) across: f64,
}

/// The outline of a subtree: for each level where it begins and ends, the deepest level first.
#[derive(Debug, Default)]
struct Outline {
    levels: Vec<(f64, f64)>,
    /// To be added to all.
    shift: f64,
}

impl Outline {
    /// Sets another subtree beside it, and says by how much that one was shifted.
    fn join(&mut self, mut other: Self, apart: f64) -> f64 {
        if self.levels.is_empty() {
            *self = other;
            return 0.0;
        }
        let common = self.levels.len().min(other.levels.len());
        let pairs = || self.levels.iter().rev().zip(other.levels.iter().rev()).take(common);
        let needed = pairs().map(|((_, end), (begin, _))| (end + self.shift) - (begin + other.shift) + apart);
        let move_by = needed.fold(f64::NEG_INFINITY, f64::max);
        other.shift += move_by;
        if self.levels.len() >= other.levels.len() {
            let shift = other.shift - self.shift;
            for (level, (_, end)) in self.levels.iter_mut().rev().zip(other.levels.iter().rev()) {
                level.1 = end + shift;
            }
        } else {
            let shift = self.shift - other.shift;
            for (level, (begin, _)) in other.levels.iter_mut().rev().zip(self.levels.iter().rev()) {
                level.0 = begin + shift;
            }
            *self = other;
        }
        move_by
    }
}

/// Places boxes: `between` is the room between levels, `apart` that between neighbours.
pub(super) fn arrange(boxes: &[Box], between: f64, apart: f64) -> Arranged {
    // Levels and their sizes.
    let mut depths: Vec<usize> = Vec::with_capacity(boxes.len());
    let mut sizes: Vec<f64> = Vec::new();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); boxes.len()];
    for (number, shape) in boxes.iter().enumerate() {
        let depth = shape.parent.map_or(0, |parent| depths[parent] + 1);
        if let Some(parent) = shape.parent {
            children[parent].push(number);
        }
        if sizes.len() <= depth {
            sizes.resize(depth + 1, 0.0);
        }
        sizes[depth] = shape.along.max(sizes[depth]);
        depths.push(depth);
    }
    // Children come after their parents, so this goes from the leaves to the root.
    let mut outlines: Vec<Outline> = Vec::new();
    outlines.resize_with(boxes.len(), Outline::default);
    // Where each box is, seen from its parent.
    let mut offsets = vec![0.0; boxes.len()];
    for number in (0..boxes.len()).rev() {
        let mut all = Outline::default();
        for &child in &children[number] {
            offsets[child] = all.join(std::mem::take(&mut outlines[child]), apart);
        }
        let straight = children[number].iter().copied().find(|&child| boxes[child].side == Side::Straight);
        let middle = match (straight, children[number].as_slice()) {
            (Some(child), _) => offsets[child],
            (None, [first, .., last]) => f64::midpoint(offsets[*first], offsets[*last]),
            _ => 0.0,
        };
        for &child in &children[number] {
            offsets[child] -= middle;
        }
        all.shift -= middle;
        let half = boxes[number].across / 2.0;
        all.levels.push((-half - all.shift, half - all.shift));
        outlines[number] = all;
    }
    let Some(root) = outlines.first() else { return Arranged::default() };
    let begin = root.levels.iter().map(|level| level.0).fold(f64::INFINITY, f64::min) + root.shift;
    let end = root.levels.iter().map(|level| level.1).fold(f64::NEG_INFINITY, f64::max) + root.shift;
    let mut starts = Vec::with_capacity(sizes.len());
    let mut along = 0.0;
    for size in &sizes {
        starts.push(along);
        along += size + between;
    }
    let mut places: Vec<(f64, f64)> = Vec::with_capacity(boxes.len());
    for (number, shape) in boxes.iter().enumerate() {
        let across = shape.parent.map_or(-begin, |parent| places[parent].1) + offsets[number];
        places.push((starts[depths[number]], across));
    }
    Arranged { places, along: along - between, across: end - begin }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parents: &[Option<usize>], expected: &[(f64, f64)]) {
        let boxes: Vec<Box> = parents
            .iter()
            .map(|&parent| Box { parent, along: 10.0, across: 10.0, side: Side::Branch })
            .collect();
        assert_eq!(arrange(&boxes, 5.0, 2.0).places, expected, "{parents:?}");
    }

    #[test]
    fn parents_stand_in_the_middle_of_their_children() {
        check(&[], &[]);
        check(&[None], &[(0.0, 5.0)]);
        check(&[None, Some(0), Some(0)], &[(0.0, 11.0), (15.0, 5.0), (15.0, 17.0)]);
        check(&[None, Some(0), Some(1)], &[(0.0, 5.0), (15.0, 5.0), (30.0, 5.0)]);
        // A deep subtree goes below a flat one.
        check(
            &[None, Some(0), Some(0), Some(2), Some(2)],
            &[(0.0, 11.0), (15.0, 5.0), (15.0, 17.0), (30.0, 11.0), (30.0, 23.0)],
        );
    }

    #[test]
    fn boxes_never_overlap_and_all_is_inside() {
        // Trees from a simple generator of numbers; the sizes differ.
        let mut state = 12345_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for count in [1, 2, 3, 7, 20, 60, 200] {
            for _ in 0..40 {
                let boxes: Vec<Box> = (0..count)
                    .map(|number| Box {
                        parent: (number > 0).then(|| number - 1 - next(number.min(6))),
                        along: 10.0 + next(5) as f64,
                        across: 10.0 + next(50) as f64,
                        side: if next(3) == 0 { Side::Straight } else { Side::Branch },
                    })
                    .collect();
                let arranged = arrange(&boxes, 5.0, 2.0);
                let mut spans: Vec<(i64, f64, f64)> = Vec::new();
                for (shape, (along, across)) in boxes.iter().zip(&arranged.places) {
                    let half = shape.across / 2.0;
                    assert!(across - half > -0.01 && across + half < arranged.across + 0.01);
                    assert!(*along >= 0.0 && along + shape.along < arranged.along + 0.01);
                    spans.push(((along * 100.0) as i64, across - half, across + half));
                }
                spans.sort_by(|a, b| a.partial_cmp(b).unwrap());
                for pair in spans.windows(2) {
                    let (first, second) = (pair[0], pair[1]);
                    assert!(first.0 != second.0 || first.2 + 1.99 < second.1, "{first:?} {second:?}");
                }
            }
        }
    }
}
