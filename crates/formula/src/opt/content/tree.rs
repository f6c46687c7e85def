//! A content tree: Content MathML without its markup.
//!
//! The reader of Content MathML and the labs' grammar both make such trees, and
//! one set of rules ([`super::build`]) turns them into operator trees. Nodes are
//! never changed once they are made, so a parser may throw attempts away by
//! forgetting their numbers.

use crate::opt::Brackets;
use latex::Span;

/// The number of a node in its [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::opt) struct ContentId(u32);

/// What a node is. Names and letters are in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::opt) enum Element {
    /// An operator and what it is applied to.
    Apply,
    /// `ci`
    Identifier,
    /// `cn`
    Number,
    /// `mtext`
    Text,
    /// `qvar`; the text is its name.
    Wildcard,
    /// `csymbol`
    Symbol(Dictionary),
    /// An element that stands for one sign, such as `plus`.
    Sign,
    /// `cerror`
    Error,
    /// The last operand of the relation before.
    Share,
    /// `vector`
    Vector,
    /// `list`
    List,
    /// `set`
    Set,
    /// `matrix`
    Matrix,
    /// `matrixrow`
    Row,
    /// `interval`
    Interval(Closure),
    /// `degree`, `bvar`, `lowlimit`, `uplimit`: parts of an application.
    Qualifier,
    /// Any other element with content in it.
    Other,
    /// Layout inside `ci`: only its text counts, and only for the tolerant reader.
    Layout,
}

/// Where a `csymbol` is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::opt) enum Dictionary {
    /// `latexml`
    Latexml,
    /// `ambiguous`
    Ambiguous,
    /// `unknown`
    Unknown,
    /// Ours: the text is a tag, as it is.
    Tag,
    /// Any other.
    Other,
}

/// Which ends belong to an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::opt) enum Closure {
    Closed,
    Open,
    OpenClosed,
    ClosedOpen,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    element: Element,
    text: (u32, u32),
    children: (u32, u32),
    span: Span,
    brackets: Brackets,
}

/// Nodes, their children and their texts.
#[derive(Clone, Debug, Default)]
pub(in crate::opt) struct Tree {
    nodes: Vec<Node>,
    children: Vec<ContentId>,
    texts: String,
}

impl Tree {
    pub(in crate::opt) fn clear(&mut self) {
        self.nodes.clear();
        self.children.clear();
        self.texts.clear();
    }

    pub(in crate::opt) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(in crate::opt) fn push(
        &mut self,
        element: Element,
        text: &str,
        children: &[ContentId],
        span: Span,
    ) -> ContentId {
        let start = self.texts.len() as u32;
        self.texts.push_str(text);
        let first = self.children.len() as u32;
        self.children.extend_from_slice(children);
        self.nodes.push(Node {
            element,
            text: (start, self.texts.len() as u32),
            children: (first, self.children.len() as u32),
            span,
            brackets: Brackets::None,
        });
        ContentId(self.nodes.len() as u32 - 1)
    }

    /// The same node once more, in brackets.
    pub(in crate::opt) fn in_brackets(&mut self, id: ContentId, brackets: Brackets, span: Span) -> ContentId {
        let node = *self.node(id);
        self.nodes.push(Node { brackets, span, ..node });
        ContentId(self.nodes.len() as u32 - 1)
    }

    fn node(&self, id: ContentId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(in crate::opt) fn element(&self, id: ContentId) -> Element {
        self.node(id).element
    }

    pub(in crate::opt) fn text(&self, id: ContentId) -> &str {
        let (start, end) = self.node(id).text;
        &self.texts[start as usize..end as usize]
    }

    pub(in crate::opt) fn children(&self, id: ContentId) -> &[ContentId] {
        let (start, end) = self.node(id).children;
        &self.children[start as usize..end as usize]
    }

    pub(in crate::opt) fn span(&self, id: ContentId) -> Span {
        self.node(id).span
    }

    pub(in crate::opt) fn brackets(&self, id: ContentId) -> Brackets {
        self.node(id).brackets
    }

    /// Whether two operators are the same sign, scripts included as far as the labs look.
    pub(in crate::opt) fn same_operator(&self, one: ContentId, other: ContentId) -> bool {
        self.element(one) == self.element(other)
            && self.text(one) == self.text(other)
            && self.children(one).len() == self.children(other).len()
            && self.letters(one) == self.letters(other)
    }

    /// The texts of a small tree side by side; at most a few levels down.
    fn letters(&self, id: ContentId) -> Vec<&str> {
        let mut found = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if found.len() > 16 {
                break;
            }
            found.push(self.text(id));
            open.extend_from_slice(self.children(id));
        }
        found
    }
}
