//! A tree laid out in flat arrays, with all that an alignment asks for.

use crate::opt::Opt;
use crate::slt::{Edge, Slt};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// The order in which children of a layout tree are visited, hence in which start pairs are tried.
const VISITED: [Edge; 9] = [
    Edge::Above,
    Edge::Over,
    Edge::PreAbove,
    Edge::Next,
    Edge::Below,
    Edge::Under,
    Edge::PreBelow,
    Edge::Element,
    Edge::Within,
];

pub(super) const NEXT: u32 = Edge::Next as u32;
pub(super) const ELEMENT: u32 = Edge::Element as u32;
pub(super) const WITHIN: u32 = Edge::Within as u32;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Layout {
    #[default]
    Slt,
    Opt,
}

/// What kind of symbol a tag stands for, as far as matching cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// `?name`
    Wildcard,
    /// `V!`, one character.
    Letter,
    /// `V!`, longer or empty; how many characters does not matter between two words.
    Word,
    /// `N!` with a text that is a number.
    Number,
    /// `N!` with another text.
    NotANumber,
    /// `O!` and `U!`, and tags without a type: equal or not, nothing else.
    Fixed,
    /// Any other type; holds its letter.
    Typed(u8),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    pub(super) tag: u64,
    pub(super) class: Class,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Child {
    /// The label of the edge to it.
    pub(super) label: u32,
    pub(super) node: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    /// The label of the edge from the parent: an [`Edge`], or the position among siblings.
    pub(super) label: u32,
    /// The child at [`Edge::Next`].
    pub(super) next: u32,
    children: (u32, u32),
    /// The cells of a matrix or fence of a layout tree.
    cells: (u32, u32),
    pub(super) rows: u32,
    pub(super) columns: u32,
    /// The character after `M!`, or 0.
    pub(super) group: u32,
    pub(super) unordered: bool,
    /// Which variable or wildcard of the tree this is, counted in the order of tags.
    pub(super) name: u32,
    /// How many nodes hang here, this one included, without what follows on the baseline or as next cell.
    pub(super) own_size: u32,
    /// A hash of the same.
    pub(super) own_hash: u64,
    /// Where the node lies in the tree it came from.
    pub(super) source: u32,
}

/// A tree prepared for alignments, as query or candidate.
///
/// Nodes are kept in the order in which start pairs are tried: parents before children; children of a layout
/// tree by edge in the order a, o, c, n, b, u, d, e, w, those of an operator tree from first to last.
///
/// ```
/// use formula::similarity::tangent_s::Prepared;
/// use formula::slt::Slt;
///
/// let prepared = Prepared::from(&Slt::read("[V!x[+[N!1]],a[N!2]]")?);
/// assert_eq!(prepared.len(), 4);
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    pub(super) layout: Layout,
    pub(super) symbols: Vec<Symbol>,
    pub(super) nodes: Vec<Node>,
    /// Ranges of children, each sorted by label.
    children: Vec<Child>,
    cells: Vec<u32>,
    /// How many different variables there are.
    pub(super) variables: usize,
    /// How often each wildcard name occurs.
    pub(super) wildcards: Vec<u32>,
}

impl From<&Slt> for Prepared {
    fn from(slt: &Slt) -> Self {
        let mut builder = Builder::new(Layout::Slt);
        let mut stack = Vec::new();
        stack.extend(slt.root().map(|root| (root, NONE, NEXT)));
        while let Some((id, parent, label)) = stack.pop() {
            let node = builder.push(slt.tag(id), parent, label, id.index());
            for edge in VISITED.iter().rev() {
                if let Some(child) = slt.child(id, *edge) {
                    stack.push((child, node, *edge as u32));
                }
            }
        }
        builder.finish()
    }
}

impl From<&Opt> for Prepared {
    fn from(opt: &Opt) -> Self {
        let mut builder = Builder::new(Layout::Opt);
        let mut stack = Vec::new();
        stack.extend(opt.root().map(|root| (root, NONE, 0)));
        while let Some((id, parent, label)) = stack.pop() {
            let node = builder.push(opt.tag(id), parent, label, id.index());
            let first = stack.len();
            stack.extend((0..).zip(opt.children(id)).map(|(position, child)| (child, node, position)));
            stack[first..].reverse();
        }
        builder.finish()
    }
}

impl Prepared {
    /// How many nodes the tree has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The children of a node, by label.
    pub(super) fn children(&self, node: u32) -> &[Child] {
        let (start, end) = self.nodes[node as usize].children;
        &self.children[start as usize..end as usize]
    }

    /// The cells of a matrix; empty for other nodes.
    pub(super) fn cells(&self, node: u32) -> &[u32] {
        let (start, end) = self.nodes[node as usize].cells;
        &self.cells[start as usize..end as usize]
    }

    /// How many nodes hang from a child that counts for a wildcard, and a hash of them.
    pub(super) fn whole(&self, node: u32) -> (u32, u64) {
        let mut size = 0;
        let mut hash = 0;
        let mut at = node;
        while at != NONE {
            let part = &self.nodes[at as usize];
            size += part.own_size;
            hash = mix(hash, part.own_hash);
            at = part.next;
        }
        (size, hash)
    }
}

pub(super) fn mix(hash: u64, more: u64) -> u64 {
    (hash ^ more).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) ^ more
}

struct Builder<'t> {
    prepared: Prepared,
    tags: Vec<&'t str>,
}

impl<'t> Builder<'t> {
    fn new(layout: Layout) -> Self {
        Self { prepared: Prepared { layout, ..Prepared::default() }, tags: Vec::new() }
    }

    fn push(&mut self, tag: &'t str, parent: u32, label: u32, source: usize) -> u32 {
        let layout = self.prepared.layout;
        let index = self.tags.len() as u32;
        let group = tag.strip_prefix("M!").map_or(0, |rest| rest.chars().next().map_or(1, u32::from));
        let (rows, columns) = if group != 0 && layout == Layout::Slt { dimensions(tag) } else { (0, 0) };
        self.tags.push(tag);
        self.prepared.symbols.push(Symbol { tag: xxh3_64(tag.as_bytes()), class: class(tag) });
        self.prepared.nodes.push(Node {
            parent,
            label,
            next: NONE,
            children: (0, 0),
            cells: (0, 0),
            rows,
            columns,
            group,
            unordered: layout == Layout::Opt && tag.starts_with("U!"),
            name: NONE,
            own_size: 1,
            own_hash: 0,
            source: source as u32,
        });
        if layout == Layout::Slt && label == NEXT && parent != NONE {
            self.prepared.nodes[parent as usize].next = index;
        }
        index
    }

    fn finish(mut self) -> Prepared {
        self.collect_children();
        self.collect_cells();
        self.measure();
        self.number_names();
        self.prepared
    }

    fn collect_children(&mut self) {
        let Prepared { nodes, children, .. } = &mut self.prepared;
        // Counting sort by parent; siblings come in the order visited.
        for index in 0..nodes.len() {
            let parent = nodes[index].parent;
            if parent != NONE {
                nodes[parent as usize].children.1 += 1;
            }
        }
        let mut end = 0;
        for node in nodes.iter_mut() {
            let count = node.children.1;
            node.children = (end, end);
            end += count;
        }
        children.resize(end as usize, Child::default());
        for index in 0..nodes.len() {
            let Node { parent, label, .. } = nodes[index];
            if parent != NONE {
                let place = &mut nodes[parent as usize].children.1;
                children[*place as usize] = Child { label, node: index as u32 };
                *place += 1;
            }
        }
        for node in nodes.iter() {
            let range = node.children.0 as usize..node.children.1 as usize;
            children[range].sort_unstable_by_key(|child| child.label);
        }
    }

    fn collect_cells(&mut self) {
        if self.prepared.layout == Layout::Opt {
            return;
        }
        for index in 0..self.prepared.nodes.len() as u32 {
            if self.prepared.nodes[index as usize].group == 0 {
                continue;
            }
            let start = self.prepared.cells.len() as u32;
            let mut at = self.child_at(index, WITHIN);
            while let Some(cell) = at {
                self.prepared.cells.push(cell);
                at = self.child_at(cell, ELEMENT);
            }
            self.prepared.nodes[index as usize].cells = (start, self.prepared.cells.len() as u32);
        }
    }

    fn child_at(&self, node: u32, label: u32) -> Option<u32> {
        let children = self.prepared.children(node);
        children.iter().find(|child| child.label == label).map(|child| child.node)
    }

    /// Sizes and hashes, children before parents.
    fn measure(&mut self) {
        let count = self.prepared.nodes.len();
        // Of the whole subtree; `own` leaves out what comes next.
        let mut sizes = vec![0u32; count];
        let mut hashes = vec![0u64; count];
        for index in (0..count).rev() {
            let mut own = (1, mix(1, self.prepared.symbols[index].tag));
            let mut following = (0, 0);
            for &Child { label, node: child } in self.prepared.children(index as u32) {
                let beside = self.prepared.layout == Layout::Slt && (label == NEXT || label == ELEMENT);
                let sum = if beside { &mut following } else { &mut own };
                sum.0 += sizes[child as usize];
                sum.1 = mix(mix(sum.1, u64::from(label)), hashes[child as usize]);
            }
            let node = &mut self.prepared.nodes[index];
            (node.own_size, node.own_hash) = own;
            sizes[index] = own.0 + following.0;
            hashes[index] = mix(own.1, following.1);
        }
    }

    /// Numbers variables and wildcards by tag.
    fn number_names(&mut self) {
        let Prepared { symbols, nodes, .. } = &mut self.prepared;
        let mut number = |wanted: fn(Class) -> bool| -> Vec<u32> {
            let mut order: Vec<usize> =
                (0..nodes.len()).filter(|&index| wanted(symbols[index].class)).collect();
            order.sort_unstable_by_key(|&index| self.tags[index]);
            let mut counts = Vec::new();
            let mut last = None;
            for index in order {
                if last != Some(self.tags[index]) {
                    last = Some(self.tags[index]);
                    counts.push(0);
                }
                nodes[index].name = counts.len() as u32 - 1;
                if let Some(count) = counts.last_mut() {
                    *count += 1;
                }
            }
            counts
        };
        let variables = number(|class| matches!(class, Class::Letter | Class::Word)).len();
        let wildcards = number(|class| class == Class::Wildcard);
        self.prepared.variables = variables;
        self.prepared.wildcards = wildcards;
    }
}

/// Rows and columns at the end of a matrix tag, `2x3`; a row of one if there are none.
fn dimensions(tag: &str) -> (u32, u32) {
    let digits_at_end = |text: &str| -> Range<usize> {
        let start = text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        start..text.len()
    };
    let columns = digits_at_end(tag);
    let Some(before) = tag[..columns.start].strip_suffix('x') else { return (1, 1) };
    let rows = digits_at_end(before);
    match (before[rows].parse(), tag[columns].parse()) {
        (Ok(rows), Ok(columns)) => (rows, columns),
        _ => (1, 1),
    }
}

fn class(tag: &str) -> Class {
    if tag.starts_with('?') {
        return Class::Wildcard;
    }
    let bytes = tag.as_bytes();
    if bytes.get(1) != Some(&b'!') {
        return Class::Fixed;
    }
    let text = &tag[2..];
    match bytes[0] {
        b'V' if text.chars().nth(1).is_none() && !text.is_empty() => Class::Letter,
        b'V' => Class::Word,
        b'N' if is_number(text) => Class::Number,
        b'N' => Class::NotANumber,
        b'O' | b'U' => Class::Fixed,
        letter => Class::Typed(letter),
    }
}

/// Whether a text is a number to the labs' tools, which read bold and other digits, too.
fn is_number(text: &str) -> bool {
    let digit = |c: char| match c {
        '\u{1D7CE}'..='\u{1D7FF}' => char::from(b'0' + ((u32::from(c) - 0x1D7CE) % 10) as u8),
        '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}' | '\u{FF10}'..='\u{FF19}' => {
            char::from(b'0' + (u32::from(c) & 0xF) as u8)
        }
        c => c,
    };
    let text = text.trim();
    if text.is_ascii() {
        return text.parse::<f64>().is_ok();
    }
    text.chars().map(digit).collect::<String>().parse::<f64>().is_ok()
}
