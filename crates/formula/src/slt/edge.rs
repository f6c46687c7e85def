//! The labels of a layout tree's edges.

use std::fmt;

/// Where a node stands, seen from its parent. The order is the one in which children are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Edge {
    /// Next on the baseline; the only edge printed without a label.
    #[default]
    Next,
    /// Superscript.
    Above,
    /// Subscript.
    Below,
    /// Straight above: limits, accents, numerators.
    Over,
    /// Straight below: limits, denominators.
    Under,
    /// Superscript on the left, or the index of a root.
    PreAbove,
    /// Subscript on the left.
    PreBelow,
    /// First thing inside a fence, matrix, root or enclosure.
    Within,
    /// The following cell of a matrix or item of a list.
    Element,
}

impl Edge {
    /// All edges, in printing order.
    pub const ALL: [Self; 9] = [
        Self::Next,
        Self::Above,
        Self::Below,
        Self::Over,
        Self::Under,
        Self::PreAbove,
        Self::PreBelow,
        Self::Within,
        Self::Element,
    ];

    /// The one-letter label used in strings, paths and tuples.
    #[must_use]
    pub fn label(self) -> char {
        b"naboucdwe"[self as usize] as char
    }

    /// The edge with this label.
    #[must_use]
    pub fn from_label(label: char) -> Option<Self> {
        Self::ALL.into_iter().find(|edge| edge.label() == label)
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.label())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_in_printing_order_and_read_back() {
        let labels: String = Edge::ALL.iter().map(|edge| edge.label()).collect();
        assert_eq!(labels, "naboucdwe");
        assert!(Edge::ALL.is_sorted());
        for edge in Edge::ALL {
            assert_eq!(Edge::from_label(edge.label()), Some(edge));
        }
        assert_eq!(Edge::from_label('x'), None);
    }
}
