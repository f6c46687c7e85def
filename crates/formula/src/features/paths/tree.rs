//! approach0's operator tree.

use super::Token;
use std::fmt;

/// The index of a node in its [`PathTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathNode(u32);

impl PathNode {
    /// A number from 0 for tables beside the tree.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    token: Token,
    start: u32,
    end: u32,
    parent: Option<PathNode>,
    first_child: Option<PathNode>,
    last_child: Option<PathNode>,
    sibling: Option<PathNode>,
}

/// An operator tree in an arena.
///
/// Prints as `ADD(SIGN(HANGER(BASE(VAR:x))),SIGN(ONE:1))`: classes, and for leaves their symbols.
#[derive(Clone, Debug, Default)]
pub struct PathTree {
    nodes: Vec<Node>,
    symbols: String,
    root: Option<PathNode>,
}

impl PathTree {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.symbols.clear();
        self.root = None;
    }

    /// The outermost operation; `None` when there is nothing to see.
    #[must_use]
    pub fn root(&self) -> Option<PathNode> {
        self.root
    }

    pub(super) fn set_root(&mut self, root: Option<PathNode>) {
        self.root = root;
    }

    pub(super) fn push(&mut self, token: Token, symbol: &str) -> PathNode {
        let start = self.symbols.len() as u32;
        self.symbols.push_str(symbol);
        let end = self.symbols.len() as u32;
        let id = PathNode(self.nodes.len() as u32);
        self.nodes.push(Node {
            token,
            start,
            end,
            parent: None,
            first_child: None,
            last_child: None,
            sibling: None,
        });
        id
    }

    /// Hangs a node that hangs from nothing behind the children of another.
    pub(super) fn append(&mut self, parent: PathNode, child: PathNode) {
        self.nodes[child.index()].parent = Some(parent);
        match self.nodes[parent.index()].last_child {
            Some(last) => self.nodes[last.index()].sibling = Some(child),
            None => self.nodes[parent.index()].first_child = Some(child),
        }
        self.nodes[parent.index()].last_child = Some(child);
    }

    /// Hangs all children of a node, which is left out of the tree, behind those of another; or before them,
    /// when there are none yet. The work is the number of children moved.
    pub(super) fn adopt(&mut self, parent: PathNode, from: PathNode) {
        let mut child = self.nodes[from.index()].first_child.take();
        self.nodes[from.index()].last_child = None;
        while let Some(current) = child {
            child = self.nodes[current.index()].sibling.take();
            self.append(parent, current);
        }
    }

    /// Takes the only child off a node, which is left out of the tree.
    pub(super) fn only_child(&mut self, id: PathNode) -> Option<PathNode> {
        let child = self.nodes[id.index()].first_child?;
        if self.nodes[id.index()].last_child != Some(child) {
            return None;
        }
        self.nodes[id.index()].first_child = None;
        self.nodes[id.index()].last_child = None;
        self.nodes[child.index()].parent = None;
        Some(child)
    }

    pub(super) fn set_symbol_of(&mut self, id: PathNode, other: PathNode) {
        let Node { start, end, .. } = self.nodes[other.index()];
        let node = &mut self.nodes[id.index()];
        (node.start, node.end) = (start, end);
    }

    /// The class.
    #[must_use]
    pub fn token(&self, id: PathNode) -> Token {
        self.nodes[id.index()].token
    }

    /// What was written.
    #[must_use]
    pub fn symbol(&self, id: PathNode) -> &str {
        let Node { start, end, .. } = self.nodes[id.index()];
        &self.symbols[start as usize..end as usize]
    }

    /// The node this one hangs from.
    #[must_use]
    pub fn parent(&self, id: PathNode) -> Option<PathNode> {
        self.nodes[id.index()].parent
    }

    /// The children in order.
    pub fn children(&self, id: PathNode) -> impl Iterator<Item = PathNode> {
        std::iter::successors(self.nodes[id.index()].first_child, |child| self.nodes[child.index()].sibling)
    }

    /// Whether the node has no child.
    #[must_use]
    pub fn is_leaf(&self, id: PathNode) -> bool {
        self.nodes[id.index()].first_child.is_none()
    }

    /// All nodes of the tree, parents before children.
    pub fn preorder(&self) -> impl Iterator<Item = PathNode> {
        let mut at = self.root;
        std::iter::from_fn(move || {
            let given = at?;
            at = self.nodes[given.index()].first_child;
            let mut up = given;
            while at.is_none() {
                at = self.nodes[up.index()].sibling;
                match self.nodes[up.index()].parent {
                    Some(parent) => up = parent,
                    None => break,
                }
            }
            Some(given)
        })
    }

    /// How many nodes the arena holds.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
}

impl fmt::Display for PathTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(mut at) = self.root else { return Ok(()) };
        loop {
            write!(f, "{}", self.token(at))?;
            if let Some(first) = self.nodes[at.index()].first_child {
                f.write_str("(")?;
                at = first;
                continue;
            }
            if !self.symbol(at).is_empty() {
                write!(f, ":{}", self.symbol(at))?;
            }
            loop {
                if let Some(sibling) = self.nodes[at.index()].sibling {
                    f.write_str(",")?;
                    at = sibling;
                    break;
                }
                let Some(parent) = self.nodes[at.index()].parent else { return Ok(()) };
                f.write_str(")")?;
                at = parent;
            }
        }
    }
}
