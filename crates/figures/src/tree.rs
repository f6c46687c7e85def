//! Trees drawn as SVG: boxes with labels, lines between them, names on the lines.
//!
//! A tree is a list of nodes that name their parents, so trees as deep as they are large are no trouble. What
//! is drawn takes all colours from the page: classes say what is what, and without any rules it is drawn in
//! the colour of the text. Trees grow in time that is linear in what is drawn, and only so much is drawn.
//!
//! Classes: `tree` (all), `tree-node` and the class of the node (a group with a box and a text),
//! `tree-edge` and `tree-edge-label`, `tree-more` (where something is left out).

mod layout;

use crate::chart::metrics::{shorten, text_width};
use crate::escape::markup;
use layout::{Arranged, Box, arrange};

/// Nodes that are drawn at most; of larger trees those nearest to the root.
pub const MOST_NODES: usize = 300;

/// Where a tree grows to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Down from its root.
    #[default]
    Down,
    /// To the right, as one writes.
    Right,
}

/// How a node stands to its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// With its siblings, the parent in the middle of them.
    #[default]
    Branch,
    /// In one line with the parent; the first such sibling counts.
    Straight,
}

/// A node of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// What stands in its box.
    pub label: String,
    /// A longer name for the tooltip; may be empty.
    pub tip: String,
    /// The class of its group.
    pub class: &'static str,
    /// What stands at the line from its parent; may be empty.
    pub edge: String,
    /// How it stands to its parent.
    pub side: Side,
    /// Its parent by its place in the list, where it comes before; `None` for the root.
    pub parent: Option<usize>,
}

/// A tree of plain values.
///
/// ```
/// use figures::tree::{Node, Tree};
///
/// let node = |label: &str, parent| Node { label: label.into(), parent, ..Node::default() };
/// let nodes = vec![node("+", None), node("x", Some(0)), node("1", Some(0))];
/// let svg = Tree { title: "x plus 1".into(), nodes, ..Tree::default() }.to_svg();
/// assert!(svg.starts_with("<svg class=\"tree\" role=\"img\""));
/// assert!(!svg.contains("style"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// What the drawing shows, for those who cannot see it.
    pub title: String,
    /// Where it grows to.
    pub direction: Direction,
    /// The nodes, parents before children, children of one parent in order. The first is the root; others
    /// without a parent that comes before them are not drawn.
    pub nodes: Vec<Node>,
}

/// Size of labels.
const LABEL: f64 = 14.0;
/// Size of the names of lines.
const EDGE_LABEL: f64 = 11.0;
/// Height of boxes.
const HEIGHT: f64 = 26.0;
/// Room for the label of one box at most.
const ROOM: f64 = 132.0;
/// Blank around it all.
const MARGIN: f64 = 8.0;

impl Tree {
    /// The tree as an `svg` element without any style of its own.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let shown = self.shown();
        let drawn: Vec<Drawn<'_>> = shown.nodes.iter().map(|node| Drawn::new(node, self)).collect();
        let boxes: Vec<Box> = drawn
            .iter()
            .map(|drawn| {
                let (along, across) = match self.direction {
                    Direction::Down => (HEIGHT, drawn.width),
                    Direction::Right => (drawn.width, HEIGHT),
                };
                Box { parent: drawn.parent, along, across, side: drawn.side }
            })
            .collect();
        let (between, apart) = match self.direction {
            Direction::Down => (30.0, 12.0),
            Direction::Right => (34.0, 10.0),
        };
        let arranged = arrange(&boxes, between, apart);
        self.write(&drawn, &boxes, &arranged, shown.left_out)
    }

    /// The nodes nearest to the root, with signs where others are left out.
    fn shown(&self) -> Shown {
        // Depth of each node; none if it does not hang from the root.
        let mut depths: Vec<Option<usize>> = Vec::with_capacity(self.nodes.len());
        let mut levels: Vec<usize> = Vec::new();
        for (place, node) in self.nodes.iter().enumerate() {
            let depth = match node.parent {
                _ if place == 0 => Some(0),
                Some(parent) if parent < place => depths[parent].map(|depth| depth + 1),
                _ => None,
            };
            if let Some(depth) = depth {
                if levels.len() <= depth {
                    levels.resize(depth + 1, 0);
                }
                levels[depth] += 1;
            }
            depths.push(depth);
        }
        // How many of each level there is room for.
        let mut room = MOST_NODES;
        for level in &mut levels {
            *level = (*level).min(room);
            room -= *level;
        }
        let mut kept: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let mut nodes: Vec<Kept> = Vec::new();
        let mut left_out = 0;
        for (place, depth) in depths.iter().enumerate() {
            let parent = self.nodes[place].parent.filter(|parent| *parent < place);
            let parent = parent.and_then(|parent| kept[parent]);
            match depth.filter(|depth| levels[*depth] > 0 && (place == 0 || parent.is_some())) {
                Some(depth) => {
                    levels[depth] -= 1;
                    kept[place] = Some(nodes.len());
                    nodes.push(Kept { place: Some(place), parent, complete: Complete::Yes });
                }
                None => {
                    left_out += 1;
                    if let Some(parent) = parent {
                        nodes[parent].complete = Complete::No;
                    }
                }
            }
        }
        for number in 0..nodes.len() {
            if nodes[number].complete == Complete::No {
                nodes.push(Kept { place: None, parent: Some(number), complete: Complete::Yes });
            }
        }
        Shown { nodes, left_out }
    }

    fn write(&self, drawn: &[Drawn<'_>], boxes: &[Box], arranged: &Arranged, left_out: usize) -> String {
        let (along, across) = (arranged.along + 2.0 * MARGIN, arranged.across + 2.0 * MARGIN);
        let (width, mut height) = match self.direction {
            Direction::Down => (across, along),
            Direction::Right => (along, across),
        };
        let rest = match left_out {
            0 => String::new(),
            1 => "1 node is not shown".to_owned(),
            more => format!("{more} nodes are not shown"),
        };
        let width = width.max(text_width(&rest, EDGE_LABEL) + 2.0 * MARGIN);
        if !rest.is_empty() {
            height += 18.0;
        }
        let title =
            if rest.is_empty() { markup(&self.title) } else { markup(&format!("{} ({rest})", self.title)) };
        let (width, height) = (place(width), place(height));
        let mut out = format!(
            "<svg class=\"tree\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-size=\"{LABEL}\" \
             text-anchor=\"middle\">\n<title>{title}</title>\n"
        );
        let mut edges = String::new();
        let mut names = String::new();
        let mut nodes = String::new();
        for (number, (node, shape)) in drawn.iter().zip(boxes).enumerate() {
            let (x, y) = self.at(arranged, number);
            if let Some(parent) = node.parent {
                let (from, size) = (self.at(arranged, parent), &boxes[parent]);
                let dashed = if node.class == MORE { " stroke-dasharray=\"3 3\"" } else { "" };
                let path = self.line(from, size, (x, y));
                edges.push_str(&format!("<path class=\"tree-edge\" d=\"{path}\"{dashed}/>\n"));
                if !node.edge.is_empty() {
                    let (x, y) = match self.direction {
                        Direction::Down => (x + 9.0, y - 4.0),
                        Direction::Right => (x - 8.0, y + HEIGHT / 2.0 - 4.0),
                    };
                    let edge = markup(node.edge);
                    names.push_str(&format!("<text x=\"{}\" y=\"{}\">{edge}</text>\n", place(x), place(y)));
                }
            }
            let (left, top, middle) = match self.direction {
                Direction::Down => (x - shape.across / 2.0, y, x),
                Direction::Right => (x, y, x + node.width / 2.0),
            };
            nodes.push_str(&format!("<g class=\"tree-node {}\">", node.class));
            if !node.tip.is_empty() {
                nodes.push_str(&format!("<title>{}</title>", markup(node.tip)));
            }
            if node.class != MORE {
                nodes.push_str(&format!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{HEIGHT}\" rx=\"6\" fill=\"none\" \
                     stroke=\"currentColor\" stroke-opacity=\"0.45\"/>",
                    place(left),
                    place(top),
                    place(node.width)
                ));
            }
            nodes.push_str(&format!(
                "<text x=\"{}\" y=\"{}\" fill=\"currentColor\">{}</text></g>\n",
                place(middle),
                place(top + HEIGHT / 2.0 + 5.0),
                markup(&node.label)
            ));
        }
        out.push_str(&format!(
            "<g fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.45\">\n{edges}</g>\n"
        ));
        if !names.is_empty() {
            out.push_str(&format!(
                "<g class=\"tree-edge-label\" font-size=\"{EDGE_LABEL}\" fill=\"currentColor\">\n{names}</g>\n"
            ));
        }
        out.push_str(&nodes);
        if !rest.is_empty() {
            out.push_str(&format!(
                "<text class=\"tree-rest\" x=\"{}\" y=\"{}\" font-size=\"{EDGE_LABEL}\" text-anchor=\"start\" \
                 fill=\"currentColor\">{rest}</text>\n",
                place(MARGIN),
                place(arranged_end(self.direction, arranged) + MARGIN + 14.0),
            ));
        }
        out.push_str("</svg>\n");
        out
    }

    /// The corner of a box from which it grows: the middle of its top, or its top left.
    fn at(&self, arranged: &Arranged, node: usize) -> (f64, f64) {
        let (along, across) = arranged.places[node];
        match self.direction {
            Direction::Down => (across + MARGIN, along + MARGIN),
            Direction::Right => (along + MARGIN, across + MARGIN - HEIGHT / 2.0),
        }
    }

    /// The line from a box to another.
    fn line(&self, (fx, fy): (f64, f64), parent: &Box, (x, y): (f64, f64)) -> String {
        match self.direction {
            Direction::Down => {
                let from = fy + HEIGHT;
                let bend = (from + y) / 2.0;
                format!(
                    "M{} {}C{} {} {} {} {} {}",
                    place(fx),
                    place(from),
                    place(fx),
                    place(bend),
                    place(x),
                    place(bend),
                    place(x),
                    place(y)
                )
            }
            Direction::Right => {
                let (from, fy, y) = (fx + parent.along, fy + HEIGHT / 2.0, y + HEIGHT / 2.0);
                if (fy - y).abs() < 0.01 {
                    return format!("M{} {}H{}", place(from), place(fy), place(x));
                }
                let bend = (from + 26.0).min(x);
                format!(
                    "M{} {}C{} {} {} {} {} {}H{}",
                    place(from),
                    place(fy),
                    place(bend),
                    place(fy),
                    place(from + 4.0),
                    place(y),
                    place(bend),
                    place(y),
                    place(x)
                )
            }
        }
    }
}

fn arranged_end(direction: Direction, arranged: &Arranged) -> f64 {
    match direction {
        Direction::Down => arranged.along,
        Direction::Right => arranged.across,
    }
}

/// The class of signs for what is left out.
const MORE: &str = "tree-more";

/// Whether all children of a node are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Complete {
    Yes,
    No,
}

/// A node that is drawn; one without a place stands for those that are not.
struct Kept {
    place: Option<usize>,
    parent: Option<usize>,
    complete: Complete,
}

struct Shown {
    nodes: Vec<Kept>,
    left_out: usize,
}

/// What is written of a node.
struct Drawn<'t> {
    label: String,
    tip: &'t str,
    class: &'t str,
    edge: &'t str,
    side: Side,
    parent: Option<usize>,
    width: f64,
}

impl<'t> Drawn<'t> {
    fn new(kept: &Kept, tree: &'t Tree) -> Self {
        let parent = kept.parent;
        let Some(place) = kept.place else {
            return Self {
                label: "…".into(),
                tip: "",
                class: MORE,
                edge: "",
                side: Side::Branch,
                parent,
                width: 24.0,
            };
        };
        let node = &tree.nodes[place];
        // Nobody reads further, and shortening takes time.
        let end = node.label.char_indices().nth(200).map_or(node.label.len(), |(end, _)| end);
        let label = shorten(&node.label[..end], ROOM, LABEL);
        let tip = if node.tip.is_empty() && label != node.label { &node.label } else { &node.tip };
        let width = (text_width(&label, LABEL) + 14.0).max(HEIGHT);
        Self { label, tip, class: node.class, edge: &node.edge, side: node.side, parent, width }
    }
}

/// A coordinate, to a tenth.
fn place(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests;
