//! Math tuples of Tangent-L and MathDowsers: words for an engine that searches text.
//!
//! The layout tree is that of the labs with three differences: fractions are
//! `f!`, roots `r!`, and commas between the items of a fence are left out. Tags
//! are in lower case and free of the signs that the words themselves need.
//! Tuples come in the order in which the lab's program writes them: a node, then
//! what hangs from it (in the order n, a, b, c, o, u, d, w, e), then what can
//! only be said when that is known.
//!
//! Paths and locations of duplicates, and the paths of long pairs, are looked at
//! up to [`LONGEST_PATH`] labels, so the work is linear in the number of nodes
//! with that factor at worst; without long pairs and with few repeated symbols
//! it is the window that counts.

mod options;
mod spell;

pub use options::{Anchors, Include, NodeTypes, NodeTypesError, Normalisation, Synonyms, TupleOptions};

use super::Location;
use super::tag::Tag;
use crate::slt::{Edge, Slt, SltId};
use options::{ANYTHING, NodeType};
use spell::spell;
use std::collections::HashMap;

/// How long paths of duplicates and of long pairs can be.
pub const LONGEST_PATH: usize = 100;
/// The word before the tuples of a formula.
pub const START: &str = "#(start)#";
/// The word after the tuples of a formula.
pub const END: &str = "#(end)#";

/// The order of children.
const EDGES: [Edge; 9] = [
    Edge::Next,
    Edge::Above,
    Edge::Below,
    Edge::PreAbove,
    Edge::Over,
    Edge::Under,
    Edge::PreBelow,
    Edge::Within,
    Edge::Element,
];

/// After these, locations begin anew.
const RELATIONS: [&str; 21] = [
    ":=", "<", "=", ">", "≠", "≤", "≥", "∝", "∼", "≅", "≈", "≡", "→", "↔", "↦", "⇒", "⇔", "⟹", "⊂", "⊆", "⊈",
];

/// Makes the tuples of layout trees; keeps its memory between them.
///
/// ```
/// use formula::features::{TupleExtractor, TupleOptions};
/// use formula::slt::Slt;
///
/// let mut tuples = Vec::new();
/// let mut extractor = TupleExtractor::new(TupleOptions::default());
/// extractor.slt(&Slt::read("[V!x]")?, |tuple| tuples.push(tuple.to_owned()));
/// assert_eq!(tuples, ["#(v!x,!0)#", "#(v!x,!0,-)#"]);
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TupleExtractor {
    options: TupleOptions,
    /// The spelled tags of all nodes, one after the other.
    tags: String,
    nodes: Vec<Spelled>,
    /// The way from the root to the node at hand.
    frames: Vec<Frame>,
    labels: String,
    below: Vec<Frame>,
    path: String,
    /// For each tag met so far (by its hash), where it was met last.
    met: HashMap<u64, usize>,
    places: Vec<String>,
    text: String,
}

/// How a node is written.
#[derive(Clone, Copy, Debug, Default)]
struct Spelled {
    start: u32,
    end: u32,
    /// Whether a comma after it separates items of a fence.
    fenced: bool,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    id: SltId,
    /// Where its location begins in the labels.
    start: usize,
    /// How many of [`EDGES`] were looked at.
    edges: usize,
}

impl TupleExtractor {
    /// An extractor with these options.
    #[must_use]
    pub fn new(options: TupleOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &TupleOptions {
        &self.options
    }

    /// Calls `sink` with [`START`], the tuples of a tree, and [`END`].
    pub fn wrapped(&mut self, slt: &Slt, mut sink: impl FnMut(&str)) {
        sink(START);
        self.slt(slt, &mut sink);
        sink(END);
    }

    /// Calls `sink` with each tuple of a tree.
    pub fn slt(&mut self, slt: &Slt, mut sink: impl FnMut(&str)) {
        self.spell_all(slt);
        self.met.clear();
        self.labels.clear();
        self.frames.clear();
        let small = self.options.ends != Include::No && is_small(self, slt);
        let Some(root) = slt.root() else { return };
        self.enter(slt, Frame { id: root, start: 0, edges: 0 }, small, &mut sink);
        while let Some(frame) = self.frames.last_mut() {
            let Frame { id, start, edges } = *frame;
            let Some(&edge) = EDGES.get(edges) else {
                self.leave(slt, id, &mut sink);
                self.frames.pop();
                self.labels.pop();
                continue;
            };
            frame.edges += 1;
            let Some(child) = self.child(slt, id, edge) else { continue };
            self.pairs(slt, id, edge, child, &mut sink);
            self.swapped(slt, id, edge, child, &mut sink);
            self.labels.push(edge.label());
            let anchor = self.options.anchors == Anchors::Relations && RELATIONS.contains(&slt.tag(id));
            let start = if anchor { self.labels.len() } else { start };
            self.enter(slt, Frame { id: child, start, edges: 0 }, small, &mut sink);
        }
    }

    /// Spells the tags and sees which baselines are items of a fence.
    fn spell_all(&mut self, slt: &Slt) {
        self.tags.clear();
        self.nodes.clear();
        self.nodes.resize(slt.len(), Spelled::default());
        for id in slt.preorder() {
            let parent = slt.parent(id).filter(|_| slt.root() != Some(id));
            let fenced = parent.is_some_and(|parent| match slt.edge(id) {
                Edge::Next | Edge::Element => self.nodes[parent.index()].fenced,
                Edge::Within => matches!(Tag::of(slt.tag(parent)), Tag::Table(table) if table.open.is_some()),
                _ => false,
            });
            let start = self.tags.len() as u32;
            spell(slt.tag(id), &mut self.tags);
            self.nodes[id.index()] = Spelled { start, end: self.tags.len() as u32, fenced };
        }
    }

    fn tag(&self, id: SltId) -> &str {
        let Spelled { start, end, .. } = self.nodes[id.index()];
        &self.tags[start as usize..end as usize]
    }

    /// The child at an edge, but for a comma between items.
    fn child(&self, slt: &Slt, id: SltId, edge: Edge) -> Option<SltId> {
        let child = if edge == Edge::Next { slt.next(id) } else { slt.child(id, edge) };
        child.filter(|&child| {
            let separator = edge == Edge::Next
                && self.nodes[id.index()].fenced
                && slt.tag(child) == "&comma;"
                && !slt.has_children(child);
            !separator
        })
    }

    fn location_start(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.start)
    }

    /// Writes a tuple, and again with a location.
    fn emit(&mut self, include: Include, location: &str, sink: &mut impl FnMut(&str)) {
        let close = if self.text.starts_with("#{") { "}#" } else { ")#" };
        let length = self.text.len();
        self.text.push_str(close);
        sink(&self.text);
        if include.with_location(location.len()) {
            use std::fmt::Write;
            self.text.truncate(length);
            // Writing to a string cannot fail.
            let _ = write!(self.text, ",{}{close}", Location(location));
            sink(&self.text);
        }
    }

    /// Writes a tuple that begins with the location of the node at hand.
    fn emit_here(&mut self, include: Include, sink: &mut impl FnMut(&str)) {
        let labels = std::mem::take(&mut self.labels);
        self.emit(include, &labels[self.location_start()..], sink);
        self.labels = labels;
    }

    /// Begins a tuple with these parts.
    fn begin(&mut self, open: &str, parts: &[&str]) {
        self.text.clear();
        self.text.push_str(open);
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.text.push_str(part);
        }
    }

    /// What can be said of a node before its children.
    fn enter(&mut self, slt: &Slt, frame: Frame, small: bool, sink: &mut impl FnMut(&str)) {
        let id = frame.id;
        self.frames.push(frame);
        let mut edges = [""; EDGES.len()];
        let mut count = 0;
        for edge in EDGES {
            if self.child(slt, id, edge).is_some() {
                edges[count] = edge_label(edge);
                count += 1;
            }
        }
        let wild = is_wild(self.tag(id));
        let tags = std::mem::take(&mut self.tags);
        let tag = &tags[self.nodes[id.index()].start as usize..self.nodes[id.index()].end as usize];
        let symbol = if wild { ANYTHING } else { tag };
        if count > 1 && self.options.compounds != Include::No {
            let edges = format!("[{}]", edges[..count].join(","));
            let synonym = self.synonym(tag).filter(|_| !wild);
            for symbol in std::iter::once(symbol).chain(synonym) {
                self.begin("#(", &[symbol, &edges]);
                self.emit_here(self.options.compounds, sink);
            }
        }
        if count == 0 && !wild {
            if self.options.terminals != Include::No {
                self.begin("#(", &[symbol, "!0"]);
                self.emit_here(self.options.terminals, sink);
            }
            if small {
                self.begin("#(", &[symbol, "!0", "n"]);
                self.emit_here(self.options.ends, sink);
            }
        }
        self.tags = tags;
    }

    fn synonym(&self, tag: &str) -> Option<&'static str> {
        match self.options.synonyms {
            Synonyms::None => None,
            Synonyms::Any => Some(ANYTHING),
            Synonyms::Typed => Some(NodeType::of(tag).wildcard()),
        }
    }

    /// Pairs of a node with a child and what is below the child.
    fn pairs(&mut self, slt: &Slt, id: SltId, edge: Edge, child: SltId, sink: &mut impl FnMut(&str)) {
        let TupleOptions { window, pairs, long_pairs, abbreviated_pairs, .. } = self.options;
        let far = long_pairs != Include::No || abbreviated_pairs != Include::No;
        let near = if pairs == Include::No { 0 } else { window.min(LONGEST_PATH) };
        let longest = if far { LONGEST_PATH } else { near };
        if longest == 0 {
            return;
        }
        let mut below = std::mem::take(&mut self.below);
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        path.push(edge.label());
        below.push(Frame { id: child, start: 0, edges: 0 });
        self.pair(id, child, &path, sink);
        while let Some(frame) = below.last_mut() {
            let next = EDGES.get(frame.edges).filter(|_| path.len() < longest);
            let Some(&edge) = next else {
                below.pop();
                path.pop();
                continue;
            };
            frame.edges += 1;
            let upper = frame.id;
            let Some(lower) = self.child(slt, upper, edge) else { continue };
            path.push(edge.label());
            below.push(Frame { id: lower, start: 0, edges: 0 });
            self.pair(id, lower, &path, sink);
        }
        (self.below, self.path) = (below, path);
    }

    /// The tuples of two symbols.
    fn pair(&mut self, upper: SltId, lower: SltId, path: &str, sink: &mut impl FnMut(&str)) {
        let [upper, lower] = [upper, lower].map(|id| self.nodes[id.index()]);
        let tags = std::mem::take(&mut self.tags);
        let [upper, lower] = [upper, lower].map(|node| &tags[node.start as usize..node.end as usize]);
        let options = self.options;
        if path.len() <= options.window {
            if options.pairs != Include::No {
                let written = Location(path).to_string();
                self.pair_with(upper, lower, Some(&written), options.pairs, sink);
            }
        } else {
            if options.long_pairs != Include::No {
                self.pair_with(upper, lower, None, options.long_pairs, sink);
            }
            if options.abbreviated_pairs != Include::No {
                let ends = [&path[..1], &path[path.len() - 1..]].concat();
                self.pair_with(upper, lower, Some(&ends), options.abbreviated_pairs, sink);
            }
        }
        self.tags = tags;
    }

    fn pair_with(
        &mut self,
        upper: &str,
        lower: &str,
        path: Option<&str>,
        include: Include,
        sink: &mut impl FnMut(&str),
    ) {
        let wild = [upper, lower].map(is_wild);
        let mut write = |extractor: &mut Self, upper: &str, lower: &str| {
            extractor.begin("#(", &[upper, lower]);
            if let Some(path) = path {
                extractor.text.extend([",", path]);
            }
            extractor.emit_here(include, sink);
        };
        match wild {
            [true, true] => {}
            [true, false] => write(self, ANYTHING, lower),
            [false, true] => write(self, upper, ANYTHING),
            [false, false] => {
                write(self, upper, lower);
                if let Some((above, below)) = self.synonym(upper).zip(self.synonym(lower)) {
                    write(self, above, lower);
                    write(self, upper, below);
                }
            }
        }
    }

    /// After the pair of a sign and its right operand: the pairs of both operands the other way round.
    fn swapped(&mut self, slt: &Slt, id: SltId, edge: Edge, right: SltId, sink: &mut impl FnMut(&str)) {
        if self.options.normalisation == Normalisation::None || edge != Edge::Next {
            return;
        }
        let Some(turned) = turned_around(slt.tag(id)) else { return };
        let left = slt.parent(id).filter(|_| slt.root() != Some(id) && slt.edge(id) == Edge::Next);
        let Some(left) = left else { return };
        let mut sign = String::new();
        spell(turned, &mut sign);
        let [left, right] = [left, right].map(|id| self.tag(id).to_owned());
        let plain = if self.options.pairs == Include::No { Include::No } else { Include::Near(1) };
        if plain != Include::No {
            self.pair_with(&right, &sign, Some("n"), plain, sink);
            self.pair_with(&sign, &left, Some("n"), plain, sink);
        }
    }

    /// What can be said of a node after its children.
    fn leave(&mut self, slt: &Slt, id: SltId, sink: &mut impl FnMut(&str)) {
        let tags = std::mem::take(&mut self.tags);
        let labels = std::mem::take(&mut self.labels);
        let Spelled { start, end, .. } = self.nodes[id.index()];
        let tag = &tags[start as usize..end as usize];
        let location = &labels[self.location_start()..];
        if self.options.edge_pairs != Include::No
            && let Some(last) = location.len().checked_sub(1)
        {
            let symbol = if is_wild(tag) { ANYTHING } else { tag };
            for edge in EDGES {
                if edge != Edge::Within && self.child(slt, id, edge).is_some() {
                    self.begin("#(", &[&location[last..], edge_label(edge), symbol]);
                    self.emit(self.options.edge_pairs, location, sink);
                }
            }
        }
        if self.options.duplicates != Include::No {
            self.duplicate(tag, location, sink);
        }
        (self.tags, self.labels) = (tags, labels);
    }

    /// Relates a node to the last one finished with the same tag.
    fn duplicate(&mut self, tag: &str, location: &str, sink: &mut impl FnMut(&str)) {
        let node_type = NodeType::of(tag);
        if !self.options.duplicates_of.has(node_type) || location.len() > LONGEST_PATH {
            return;
        }
        let hash = xxhash_rust::xxh3::xxh3_64(tag.as_bytes());
        let Some(&place) = self.met.get(&hash) else {
            // Places of formulas before are used again.
            let place = self.met.len();
            if place == self.places.len() {
                self.places.push(String::new());
            }
            self.places[place].clear();
            self.places[place].push_str(location);
            self.met.insert(hash, place);
            return;
        };
        let mut earlier = std::mem::take(&mut self.places[place]);
        let common = location.bytes().zip(earlier.bytes()).take_while(|(a, b)| a == b).count();
        let other = Location(&earlier[common..]).to_string();
        let own = Location(&location[common..]).to_string();
        let wild = is_wild(tag);
        let symbol = if wild { ANYTHING } else { tag };
        let copy = self.options.wild_duplicates_of.has(node_type) && !wild;
        let copy = copy.then(|| node_type.wildcard());
        for symbol in std::iter::once(symbol).chain(copy) {
            if common == location.len() {
                self.begin("#{", &[symbol, &other]);
            } else {
                self.begin("#{", &[symbol, &other, &own]);
            }
            self.emit(self.options.duplicates, &location[..common], sink);
        }
        earlier.clear();
        earlier.push_str(location);
        self.places[place] = earlier;
    }
}

fn edge_label(edge: Edge) -> &'static str {
    let place = edge as usize;
    &"naboucdwe"[place..=place]
}

fn is_wild(tag: &str) -> bool {
    tag.starts_with('?')
}

/// Whether no node is further from the root than two edges.
fn is_small(extractor: &TupleExtractor, slt: &Slt) -> bool {
    let Some(root) = slt.root() else { return true };
    let below = |id| EDGES.into_iter().filter_map(move |edge| extractor.child(slt, id, edge));
    below(root).flat_map(below).all(|id| below(id).next().is_none())
}

/// The sign that says the same with its operands swapped.
fn turned_around(tag: &str) -> Option<&str> {
    const TURNED: [(&str, &str); 14] = [
        ("<", ">"),
        ("≤", "≥"),
        ("≪", "≫"),
        ("⊂", "⊃"),
        ("⊆", "⊇"),
        ("∈", "∋"),
        ("→", "←"),
        ("⇒", "⇐"),
        ("⟹", "⟸"),
        ("⟶", "⟵"),
        ("≺", "≻"),
        ("⩽", "⩾"),
        ("⪯", "⪰"),
        ("⊏", "⊐"),
    ];
    const SAME: [&str; 22] = [
        "+", "·", "⋅", "×", "∗", "⊕", "⊗", "∪", "∩", "∧", "∨", "=", "≠", "≈", "≡", "≅", "∼", "≃", "↔", "⇔",
        "∥", "⊥",
    ];
    if SAME.contains(&tag) {
        return Some(tag);
    }
    TURNED.iter().find_map(|&(less, greater)| match tag {
        _ if tag == less => Some(greater),
        _ if tag == greater => Some(less),
        _ => None,
    })
}
