//! The symbol layout tree: which symbol stands where, seen from its neighbour.
//!
//! A node has a tag (`V!x`, `N!2`, `+`, `M!()1x1`, …) and at most one child per
//! [`Edge`]. A baseline is a chain of [`Edge::Next`], so trees are as deep as
//! formulas are long, and nothing here recurses. Nodes live in one arena, so a
//! [`Slt`] can be emptied and filled again without allocating.
//!
//! [`build`] has the rules by which layout constructs become nodes, [`text`]
//! reads and writes the strings of the labs. Trees from MathML are made by
//! [`crate::mathml`].

pub mod build;
mod clean;
mod edge;
mod fence;
mod from_latex;
mod hints;
mod look;
pub mod text;
mod to_latex;

pub use build::{Builder, Leaf, Rules};
pub(crate) use clean::push_clean;
pub use edge::Edge;
pub use from_latex::{LatexToSlt, from_latex};
pub use hints::Hints;
pub use look::Look;
pub use text::{SltError, SltErrorReason};

use latex::Span;
use std::num::NonZeroU32;

/// The index of a node in its [`Slt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SltId(NonZeroU32);

impl SltId {
    /// A number from 0, smaller than [`Slt::len`], for tables kept beside the tree.
    #[must_use]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    start: u32,
    end: u32,
    span: Span,
    hints: Hints,
    look: Look,
    parent: Option<SltId>,
    first_child: Option<SltId>,
    sibling: Option<SltId>,
    /// A node further along the baseline, to find its end quickly. May lag behind, never leads astray.
    towards_end: Option<SltId>,
    edge: Edge,
}

/// A symbol layout tree in an arena. See the [module](self).
///
/// ```
/// use formula::slt::{Edge, Look, Slt};
///
/// let mut slt = Slt::default();
/// let x = slt.push_tag("V!", "x", Look::default());
/// let two = slt.push_tag("N!", "2", Look::default());
/// slt.link(x, Edge::Above, two);
/// slt.set_root(Some(x));
/// assert_eq!(slt.to_string(), "[V!x,a[N!2]]");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Slt {
    nodes: Vec<Node>,
    tags: String,
    root: Option<SltId>,
}

impl Slt {
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.tags.clear();
        self.root = None;
    }

    /// The leftmost symbol of the main baseline; `None` for a formula without symbols.
    #[must_use]
    pub fn root(&self) -> Option<SltId> {
        self.root
    }

    /// Says where the tree begins.
    pub fn set_root(&mut self, root: Option<SltId>) {
        self.root = root;
        if let Some(root) = root {
            let node = self.node_mut(root);
            node.parent = None;
            node.sibling = None;
            node.edge = Edge::Next;
        }
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

    /// Adds a node whose tag is `prefix` and the cleaned `text` of a leaf (see [`Slt::push_with`] for tags as
    /// they are). A text that is empty, or one invisible operator, makes a blank, `W!`.
    pub fn push_tag(&mut self, prefix: &str, text: &str, look: Look) -> SltId {
        let start = self.tags.len();
        self.tags.push_str(prefix);
        let text_start = self.tags.len();
        clean::push_clean(text, &mut self.tags);
        if self.tags.len() == text_start {
            self.tags.truncate(start);
            self.tags.push_str(build::BLANK);
        }
        self.push_node(start, look)
    }

    /// Adds a node whose tag is what `write` appends, as it is. It must append only, and no `[`, `]` or `,`.
    pub fn push_with(&mut self, look: Look, write: impl FnOnce(&mut String)) -> SltId {
        let start = self.tags.len();
        write(&mut self.tags);
        debug_assert!(
            !self.tags[start..].contains(['[', ']', ',']),
            "{} cannot be a tag",
            &self.tags[start..]
        );
        self.push_node(start, look)
    }

    /// Replaces a tag by what `write` appends, as it is. `write` gets the old tag's range in the buffer.
    pub fn set_tag_with(&mut self, id: SltId, write: impl FnOnce(&mut String, std::ops::Range<usize>)) {
        let old = self.range(id);
        let start = self.tags.len();
        write(&mut self.tags, old);
        let end = self.tags.len();
        let node = self.node_mut(id);
        node.start = start as u32;
        node.end = end as u32;
    }

    /// Replaces a tag, as it is.
    pub fn set_tag(&mut self, id: SltId, tag: &str) {
        self.set_tag_with(id, |buffer, _| buffer.push_str(tag));
    }

    fn push_node(&mut self, start: usize, look: Look) -> SltId {
        self.nodes.push(Node {
            start: start as u32,
            end: self.tags.len() as u32,
            span: Span::default(),
            hints: Hints::default(),
            look,
            parent: None,
            first_child: None,
            sibling: None,
            towards_end: None,
            edge: Edge::Next,
        });
        let number = NonZeroU32::new(self.nodes.len() as u32);
        SltId(number.expect("a node was just pushed, so the count is not zero"))
    }

    fn node_mut(&mut self, id: SltId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// The tag, prefix included.
    #[must_use]
    pub fn tag(&self, id: SltId) -> &str {
        &self.tags[self.range(id)]
    }

    /// Where the tag lies in the buffer.
    fn range(&self, id: SltId) -> std::ops::Range<usize> {
        let node = &self.nodes[id.index()];
        node.start as usize..node.end as usize
    }

    /// What is visible but not in the tag.
    #[must_use]
    pub fn look(&self, id: SltId) -> Look {
        self.nodes[id.index()].look
    }

    /// Replaces what is visible but not in the tag.
    pub fn set_look(&mut self, id: SltId, look: Look) {
        self.node_mut(id).look = look;
    }

    /// Which bytes of the source this symbol was typed with, without what hangs from it; empty if not known.
    /// For a fence, from its opening to its closing sign.
    #[must_use]
    pub fn span(&self, id: SltId) -> Span {
        self.nodes[id.index()].span
    }

    /// Says which bytes of the source a symbol was typed with.
    pub fn set_span(&mut self, id: SltId, span: Span) {
        self.node_mut(id).span = span;
    }

    /// What was typed and is neither seen nor in the tag.
    #[must_use]
    pub fn hints(&self, id: SltId) -> Hints {
        self.nodes[id.index()].hints
    }

    /// Adds hints to all nodes after the first `count` that were made.
    pub(crate) fn add_hints_after(&mut self, count: usize, hints: Hints) {
        for node in self.nodes.iter_mut().skip(count) {
            node.hints = node.hints.with(hints);
        }
    }

    /// Adds hints to those a node has.
    pub fn add_hints(&mut self, id: SltId, hints: Hints) {
        let node = self.node_mut(id);
        node.hints = node.hints.with(hints);
    }

    /// The node this one hangs from.
    #[must_use]
    pub fn parent(&self, id: SltId) -> Option<SltId> {
        self.nodes[id.index()].parent
    }

    /// The label of the edge this node hangs from; [`Edge::Next`] for a node without parent.
    #[must_use]
    pub fn edge(&self, id: SltId) -> Edge {
        self.nodes[id.index()].edge
    }

    /// The child at an edge.
    #[must_use]
    pub fn child(&self, id: SltId, edge: Edge) -> Option<SltId> {
        self.children(id)
            .find(|(label, _)| *label >= edge)
            .filter(|(label, _)| *label == edge)
            .map(|(_, id)| id)
    }

    /// The next node on the baseline. Faster than [`Slt::child`] with [`Edge::Next`].
    #[must_use]
    pub fn next(&self, id: SltId) -> Option<SltId> {
        self.nodes[id.index()].first_child.filter(|first| self.nodes[first.index()].edge == Edge::Next)
    }

    /// Whether the node has any child.
    #[must_use]
    pub fn has_children(&self, id: SltId) -> bool {
        self.nodes[id.index()].first_child.is_some()
    }

    /// The children in printing order.
    pub fn children(&self, id: SltId) -> impl Iterator<Item = (Edge, SltId)> {
        std::iter::successors(self.nodes[id.index()].first_child, |id| self.nodes[id.index()].sibling)
            .map(|id| (self.nodes[id.index()].edge, id))
    }

    /// Hangs `child` from `parent`. The edge must be free, `child` must not hang from anything that stays in
    /// the tree, and `parent` must not be below `child`.
    pub fn link(&mut self, parent: SltId, edge: Edge, child: SltId) {
        debug_assert_ne!(parent, child);
        debug_assert!(self.child(parent, edge).is_none(), "edge {edge} of {} is taken", self.tag(parent));
        let mut before = None;
        let mut after = self.nodes[parent.index()].first_child;
        while let Some(id) = after {
            let node = &self.nodes[id.index()];
            if node.edge > edge {
                break;
            }
            before = Some(id);
            after = node.sibling;
        }
        let node = self.node_mut(child);
        node.parent = Some(parent);
        node.edge = edge;
        node.sibling = after;
        match before {
            Some(before) => self.node_mut(before).sibling = Some(child),
            None => self.node_mut(parent).first_child = Some(child),
        }
    }

    /// Takes the child at an edge off and returns it.
    pub fn unlink(&mut self, parent: SltId, edge: Edge) -> Option<SltId> {
        let mut before = None;
        let mut after = self.nodes[parent.index()].first_child;
        while let Some(id) = after {
            let Node { edge: found, sibling, .. } = self.nodes[id.index()];
            if found == edge {
                match before {
                    Some(before) => self.node_mut(before).sibling = sibling,
                    None => self.node_mut(parent).first_child = sibling,
                }
                let node = self.node_mut(id);
                node.parent = None;
                node.sibling = None;
                node.edge = Edge::Next;
                return Some(id);
            }
            before = after;
            after = sibling;
        }
        None
    }

    /// The last node of the baseline that `head` is on.
    pub fn baseline_end(&mut self, head: SltId) -> SltId {
        let mut end = head;
        while let Some(further) = self.nodes[end.index()].towards_end.or_else(|| self.next(end)) {
            end = further;
        }
        if end != head {
            self.node_mut(head).towards_end = Some(end);
        }
        end
    }

    /// Appends the baseline that begins with `tail` to the one that `head` is on.
    pub fn append(&mut self, head: SltId, tail: SltId) {
        let end = self.baseline_end(head);
        self.link(end, Edge::Next, tail);
        let end = self.baseline_end(tail);
        self.node_mut(head).towards_end = Some(end);
    }

    /// Cuts the baseline after `id` and returns the head of the rest.
    ///
    /// Nodes from `head` to `id` forget what they knew about the end, so the cost is their number.
    pub(crate) fn cut_after(&mut self, head: SltId, id: SltId) -> Option<SltId> {
        let mut at = head;
        while at != id {
            self.node_mut(at).towards_end = None;
            match self.next(at) {
                Some(next) => at = next,
                None => return None,
            }
        }
        self.node_mut(id).towards_end = None;
        if head != id {
            self.node_mut(head).towards_end = Some(id);
        }
        self.unlink(id, Edge::Next)
    }

    /// All nodes of the tree, parents before children, children in printing order.
    pub fn preorder(&self) -> Preorder<'_> {
        Preorder { slt: self, top: self.root, at: self.root }
    }

    /// The node and all below it, parents before children, children in printing order.
    pub fn preorder_from(&self, top: SltId) -> Preorder<'_> {
        Preorder { slt: self, top: Some(top), at: Some(top) }
    }

    /// Whether any tag begins with `E!`: something the labs' tools could not read.
    #[must_use]
    pub fn has_error_node(&self) -> bool {
        self.preorder().any(|id| self.tag(id).starts_with("E!"))
    }
}

/// Trees are equal when they have the same shape, tags and looks, wherever their nodes lie.
impl PartialEq for Slt {
    fn eq(&self, other: &Self) -> bool {
        let mut ours = self.walk();
        let mut theirs = other.walk();
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return true,
                (Some(Step::Close), Some(Step::Close)) => {}
                (Some(Step::Open(edge, our)), Some(Step::Open(other_edge, their)))
                    if edge == other_edge
                        && self.tag(our) == other.tag(their)
                        && self.look(our) == other.look(their) => {}
                _ => return false,
            }
        }
    }
}

impl Eq for Slt {}

/// Iterator of [`Slt::preorder`].
#[derive(Clone, Debug)]
pub struct Preorder<'t> {
    slt: &'t Slt,
    top: Option<SltId>,
    at: Option<SltId>,
}

impl Iterator for Preorder<'_> {
    type Item = SltId;

    fn next(&mut self) -> Option<SltId> {
        let given = self.at?;
        self.at = self.slt.nodes[given.index()].first_child;
        let mut up = given;
        while self.at.is_none() && Some(up) != self.top {
            let node = &self.slt.nodes[up.index()];
            self.at = node.sibling;
            match node.parent {
                Some(parent) => up = parent,
                None => break,
            }
        }
        Some(given)
    }
}

/// One step of a walk around the tree: into a node, or out of the one entered last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Into a node, over this edge (the top counts as [`Edge::Next`]).
    Open(Edge, SltId),
    /// Out of the node entered last that was not left yet.
    Close,
}

/// Iterator of [`Slt::walk`].
#[derive(Clone, Debug)]
pub struct Walk<'t> {
    slt: &'t Slt,
    top: Option<SltId>,
    at: Option<SltId>,
    down: bool,
}

impl Slt {
    /// A walk around the whole tree, every node entered and left once, without a stack.
    pub fn walk(&self) -> Walk<'_> {
        Walk { slt: self, top: self.root, at: self.root, down: true }
    }

    /// A walk around the node and all below it.
    pub fn walk_from(&self, top: SltId) -> Walk<'_> {
        Walk { slt: self, top: Some(top), at: Some(top), down: true }
    }
}

impl Iterator for Walk<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let at = self.at?;
        let node = &self.slt.nodes[at.index()];
        if self.down {
            match node.first_child {
                Some(first) => self.at = Some(first),
                None => self.down = false,
            }
            let edge = if self.top == Some(at) { Edge::Next } else { node.edge };
            return Some(Step::Open(edge, at));
        }
        if self.top == Some(at) {
            self.at = None;
        } else if let Some(sibling) = node.sibling {
            self.at = Some(sibling);
            self.down = true;
        } else {
            self.at = node.parent;
        }
        Some(Step::Close)
    }
}
