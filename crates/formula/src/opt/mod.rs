//! The operator tree: which operation is applied to what.
//!
//! A node has a tag and any number of children in order. Tags are those of the
//! labs (`U!plus`, `O!SUP`, `V!x`, `F!sin`; `docs/trees.md` lists them), and
//! trees are as deep as formulas are nested. Nodes live in one arena, so an
//! [`Opt`] can be emptied and filled again without allocating, and nothing here
//! recurses.
//!
//! [`text`] reads and writes the strings of the labs.

pub mod content;
pub mod labs;
pub mod linear;
pub mod meaning;
pub mod text;

pub use text::{OptError, OptErrorReason};

use latex::Span;
use std::num::NonZeroU32;

/// The index of a node in its [`Opt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OptId(NonZeroU32);

impl OptId {
    /// The node that was pushed first.
    pub const FIRST: Self = Self(NonZeroU32::MIN);

    /// A number from 0, smaller than [`Opt::len`], for tables kept beside the tree.
    #[must_use]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Brackets that were written around an expression and only group it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Brackets {
    /// None.
    #[default]
    None,
    /// `( )`
    Round,
    /// `[ ]`
    Square,
    /// `{ }`, seen.
    Curly,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    start: u32,
    end: u32,
    span: Span,
    brackets: Brackets,
    parent: Option<OptId>,
    first_child: Option<OptId>,
    last_child: Option<OptId>,
    sibling: Option<OptId>,
}

/// An operator tree in an arena. See the [module](self).
///
/// ```
/// use formula::opt::Opt;
///
/// let mut opt = Opt::default();
/// let square = opt.push("O!SUP");
/// let x = opt.push("V!x");
/// let two = opt.push("N!2");
/// opt.append(square, x);
/// opt.append(square, two);
/// opt.set_root(Some(square));
/// assert_eq!(opt.to_string(), "[O!SUP,0[V!x],1[N!2]]");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Opt {
    nodes: Vec<Node>,
    tags: String,
    root: Option<OptId>,
}

impl Opt {
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.tags.clear();
        self.root = None;
    }

    /// The outermost operation; `None` for an empty tree.
    #[must_use]
    pub fn root(&self) -> Option<OptId> {
        self.root
    }

    /// Says where the tree begins. The node must not hang from another.
    pub fn set_root(&mut self, root: Option<OptId>) {
        self.root = root;
    }

    /// How many nodes the arena holds, those not in the tree included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the arena holds no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Adds a node with this tag, as it is. It must not hold `[`, `]` or `,`.
    pub fn push(&mut self, tag: &str) -> OptId {
        self.push_with(|tags| tags.push_str(tag))
    }

    /// Adds a node whose tag is what `write` appends, as it is. It must append only, and no `[`, `]` or `,`.
    pub fn push_with(&mut self, write: impl FnOnce(&mut String)) -> OptId {
        let start = self.tags.len();
        write(&mut self.tags);
        debug_assert!(
            !self.tags[start..].contains(['[', ']', ',']),
            "{} cannot be a tag",
            &self.tags[start..]
        );
        self.nodes.push(Node {
            start: start as u32,
            end: self.tags.len() as u32,
            span: Span::default(),
            brackets: Brackets::None,
            parent: None,
            first_child: None,
            last_child: None,
            sibling: None,
        });
        let number = NonZeroU32::new(self.nodes.len() as u32);
        OptId(number.expect("a node was just pushed, so the count is not zero"))
    }

    /// Replaces a tag.
    pub fn set_tag(&mut self, id: OptId, tag: &str) {
        let start = self.tags.len() as u32;
        self.tags.push_str(tag);
        let end = self.tags.len() as u32;
        let node = self.node_mut(id);
        (node.start, node.end) = (start, end);
    }

    fn node(&self, id: OptId) -> &Node {
        &self.nodes[id.index()]
    }

    fn node_mut(&mut self, id: OptId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// The tag, prefix included.
    #[must_use]
    pub fn tag(&self, id: OptId) -> &str {
        let node = self.node(id);
        &self.tags[node.start as usize..node.end as usize]
    }

    /// Which bytes of the source the whole sub-expression was typed with, brackets included; empty if not known.
    #[must_use]
    pub fn span(&self, id: OptId) -> Span {
        self.node(id).span
    }

    /// Says which bytes of the source a sub-expression was typed with.
    pub fn set_span(&mut self, id: OptId, span: Span) {
        self.node_mut(id).span = span;
    }

    /// The brackets around the sub-expression that its tag does not tell.
    #[must_use]
    pub fn brackets(&self, id: OptId) -> Brackets {
        self.node(id).brackets
    }

    /// Says which brackets stand around a sub-expression.
    pub fn set_brackets(&mut self, id: OptId, brackets: Brackets) {
        self.node_mut(id).brackets = brackets;
    }

    /// The node this one hangs from.
    #[must_use]
    pub fn parent(&self, id: OptId) -> Option<OptId> {
        self.node(id).parent
    }

    /// The first child.
    #[must_use]
    pub fn first_child(&self, id: OptId) -> Option<OptId> {
        self.node(id).first_child
    }

    /// The last child.
    #[must_use]
    pub fn last_child(&self, id: OptId) -> Option<OptId> {
        self.node(id).last_child
    }

    /// The child after this one, of the same node.
    #[must_use]
    pub fn next_sibling(&self, id: OptId) -> Option<OptId> {
        self.node(id).sibling
    }

    /// Whether the node has no child.
    #[must_use]
    pub fn is_leaf(&self, id: OptId) -> bool {
        self.node(id).first_child.is_none()
    }

    /// The children in order.
    pub fn children(&self, id: OptId) -> impl Iterator<Item = OptId> {
        std::iter::successors(self.node(id).first_child, |&child| self.node(child).sibling)
    }

    /// Hangs `child` behind the children of `parent`. It must hang from nothing and not be above `parent`.
    pub fn append(&mut self, parent: OptId, child: OptId) {
        debug_assert_ne!(parent, child);
        debug_assert!(self.parent(child).is_none(), "{} hangs already", self.tag(child));
        self.node_mut(child).parent = Some(parent);
        match self.node(parent).last_child {
            Some(last) => self.node_mut(last).sibling = Some(child),
            None => self.node_mut(parent).first_child = Some(child),
        }
        self.node_mut(parent).last_child = Some(child);
    }

    /// Takes all children off a node and returns them in order.
    pub fn take_children(&mut self, parent: OptId) -> Vec<OptId> {
        let children: Vec<OptId> = self.children(parent).collect();
        for &child in &children {
            let node = self.node_mut(child);
            node.parent = None;
            node.sibling = None;
        }
        let node = self.node_mut(parent);
        node.first_child = None;
        node.last_child = None;
        children
    }

    /// All nodes of the tree, parents before children.
    pub fn preorder(&self) -> Preorder<'_> {
        Preorder { opt: self, top: self.root, at: self.root }
    }

    /// The node and all below it, parents before children.
    pub fn preorder_from(&self, top: OptId) -> Preorder<'_> {
        Preorder { opt: self, top: Some(top), at: Some(top) }
    }
}

/// Trees are equal when they have the same shape and tags, wherever their nodes lie.
impl PartialEq for Opt {
    fn eq(&self, other: &Self) -> bool {
        let mut ours = self.preorder();
        let mut theirs = other.preorder();
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return true,
                (Some(our), Some(their))
                    if self.tag(our) == other.tag(their)
                        && self.children(our).count() == other.children(their).count() => {}
                _ => return false,
            }
        }
    }
}

impl Eq for Opt {}

/// Iterator of [`Opt::preorder`].
#[derive(Clone, Debug)]
pub struct Preorder<'t> {
    opt: &'t Opt,
    top: Option<OptId>,
    at: Option<OptId>,
}

impl Iterator for Preorder<'_> {
    type Item = OptId;

    fn next(&mut self) -> Option<OptId> {
        let given = self.at?;
        self.at = self.opt.node(given).first_child;
        let mut up = given;
        while self.at.is_none() && Some(up) != self.top {
            let node = self.opt.node(up);
            self.at = node.sibling;
            match node.parent {
                Some(parent) => up = parent,
                None => break,
            }
        }
        Some(given)
    }
}
