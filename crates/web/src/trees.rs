//! Layout trees and operator trees of formulas as trees to be drawn.

use figures::tree::{Direction, Node, Side, Tree};
use formula::opt::Opt;
use formula::slt::{Edge, Slt, SltId};

/// A layout tree, drawn as one writes: the baseline runs to the right, what stands above it goes up.
#[must_use]
pub fn layout_tree(slt: &Slt) -> Tree {
    let mut nodes = Vec::new();
    let mut open: Vec<(SltId, Option<usize>)> = slt.root().map(|root| (root, None)).into_iter().collect();
    while let Some((id, parent)) = open.pop() {
        let edge = slt.edge(id);
        let (label, class) = label(slt.tag(id));
        let side = if parent.is_some() && edge == Edge::Next { Side::Straight } else { Side::Branch };
        let name = if parent.is_some() { edge.to_string() } else { String::new() };
        let mut children: Vec<(Edge, SltId)> = slt.children(id).collect();
        // The lowest is pushed first, so the highest comes out first.
        children.sort_by_key(|(edge, _)| std::cmp::Reverse(height(*edge)));
        open.extend(children.into_iter().map(|(_, child)| (child, Some(nodes.len()))));
        nodes.push(Node { label, tip: slt.tag(id).to_owned(), class, edge: name, side, parent });
    }
    Tree { title: "Symbol layout tree".into(), direction: Direction::Right, nodes }
}

/// An operator tree, drawn downwards.
#[must_use]
pub fn operator_tree(opt: &Opt) -> Tree {
    let mut nodes: Vec<Node> = Vec::new();
    let mut places = vec![None; opt.len()];
    for id in opt.preorder() {
        let (label, class) = label(opt.tag(id));
        let parent = opt.parent(id).and_then(|parent| places[parent.index()]);
        places[id.index()] = Some(nodes.len());
        let tip = opt.tag(id).to_owned();
        nodes.push(Node { label, tip, class, parent, ..Node::default() });
    }
    Tree { title: "Operator tree".into(), direction: Direction::Down, nodes }
}

/// Where children go, from top to bottom.
fn height(edge: Edge) -> u8 {
    match edge {
        Edge::Over => 0,
        Edge::PreAbove => 1,
        Edge::Above => 2,
        Edge::Next => 3,
        Edge::Within => 4,
        Edge::Element => 5,
        Edge::Below => 6,
        Edge::PreBelow => 7,
        Edge::Under => 8,
    }
}

/// What a tag of the labs says, readable, and its kind as a class.
fn label(tag: &str) -> (String, &'static str) {
    let Some((kind, name)) = tag.split_once('!').filter(|(kind, _)| kind.len() == 1) else {
        return match tag.strip_prefix('?') {
            Some(_) => (tag.to_owned(), "tree-wildcard"),
            None => (sign(tag).to_owned(), "tree-sign"),
        };
    };
    let name = sign(name);
    match kind {
        "V" => (name.to_owned(), "tree-letter"),
        "N" => (name.to_owned(), "tree-number"),
        "C" => (constant(name).to_owned(), "tree-number"),
        "T" => (format!("“{name}”"), "tree-text"),
        "F" => (name.to_owned(), "tree-function"),
        "O" | "U" => (operation(name).to_owned(), "tree-operation"),
        "M" => (group(name), "tree-group"),
        "W" => ("␣".to_owned(), "tree-blank"),
        "E" => (name.to_owned(), "tree-error"),
        "+" => (label_of_compound(name), "tree-operation"),
        _ => (tag.to_owned(), "tree-sign"),
    }
}

/// An operation whose sign has scripts has the tag of the operation in its own.
fn label_of_compound(name: &str) -> String {
    let name = name.split_once('!').map_or(name, |(_, name)| name);
    operation(sign(name)).to_owned()
}

/// Signs that a tag cannot hold.
fn sign(name: &str) -> &str {
    match name {
        "&comma;" => ",",
        "&lsqb;" | "&lbrack;" => "[",
        "&rsqb;" | "&rbrack;" => "]",
        _ => name,
    }
}

/// Constants by the sign that people write for them.
fn constant(name: &str) -> &str {
    match name {
        "infinity" => "∞",
        "emptyset" => "∅",
        "imaginaryi" => "i",
        "hbar" => "ℏ",
        _ => name,
    }
}

/// Signs in place of names, where a sign says more.
fn operation(name: &str) -> &str {
    match name {
        "plus" => "+",
        "minus" => "−",
        "times" => "×",
        "divide" => "÷",
        "plus-or-minus" => "±",
        "eq" => "=",
        "neq" => "≠",
        "lt" => "<",
        "gt" => ">",
        "leq" => "≤",
        "geq" => "≥",
        "in" => "∈",
        "notin" => "∉",
        "subset" => "⊂",
        "subseteq" => "⊆",
        "union" => "∪",
        "intersect" => "∩",
        "setdiff" => "∖",
        "to" => "→",
        "implies" => "⇒",
        "iff" => "⇔",
        "and" => "∧",
        "or" => "∨",
        "not" => "¬",
        "forall" => "∀",
        "exists" => "∃",
        "sum" => "∑",
        "product" => "∏",
        "int" => "∫",
        "root" => "√",
        "compose" => "∘",
        "tensor-product" => "⊗",
        "SUP" => "superscript",
        "SUB" => "subscript",
        _ => name,
    }
}

/// A fence or a table: `()1x1` is `( )`, `()2x3` is `( ) 2×3`; those of operator trees have letters.
fn group(name: &str) -> String {
    for (letter, word) in [("M-", "matrix"), ("V-", "tuple"), ("S-", "set"), ("L-", "list")] {
        if let Some(size) = name.strip_prefix(letter) {
            return format!("{word} {}", size.replace('x', "×"));
        }
    }
    if name == "R!" {
        return "row".to_owned();
    }
    let fence = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'x');
    let size = &name[fence.len()..];
    let Some((rows, columns)) = size.split_once('x') else { return name.to_owned() };
    let fence = fence.chars().map(String::from).collect::<Vec<String>>().join(" ");
    match (fence.as_str(), size) {
        ("", "1x1") => "group".to_owned(),
        ("", _) => format!("{rows}×{columns}"),
        (_, "1x1") => fence,
        _ => format!("{fence} {rows}×{columns}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formula::opt::meaning;
    use formula::slt::from_latex;

    fn trees(latex: &str) -> [Tree; 2] {
        let (mut slt, mut opt) = (Slt::default(), Opt::default());
        from_latex(&latex::parse(latex).tree, &mut slt);
        meaning::from_slt(&slt, &mut opt);
        [layout_tree(&slt), operator_tree(&opt)]
    }

    fn outline(tree: &Tree) -> Vec<String> {
        let line = |node: &Node| {
            let parent = node.parent.map_or("", |parent| tree.nodes[parent].label.as_str());
            format!("{parent} {} {}", node.edge, node.label)
        };
        tree.nodes.iter().map(line).collect()
    }

    #[test]
    fn a_sum_as_both_trees() {
        let [layout, operators] = trees(r"x_i^2+\frac{1}{n}=(a)");
        assert_eq!(
            outline(&layout),
            ["  x", "x a 2", "x n +", "+ n ÷", "÷ o 1", "÷ n =", "= n ( )", "( ) w a", "÷ u n", "x b i"]
        );
        assert_eq!(outline(&operators)[..2], ["  =", "=  +"]);
    }

    #[test]
    fn labels_are_readable() {
        for (tag, expected) in [
            ("V!x", ("x", "tree-letter")),
            ("N!2", ("2", "tree-number")),
            ("C!infinity", ("∞", "tree-number")),
            ("C!reals", ("reals", "tree-number")),
            ("T!if", ("“if”", "tree-text")),
            ("?x", ("?x", "tree-wildcard")),
            ("=", ("=", "tree-sign")),
            ("!", ("!", "tree-sign")),
            ("&comma;", (",", "tree-sign")),
            ("O!SUP", ("superscript", "tree-operation")),
            ("U!plus", ("+", "tree-operation")),
            ("O!connected-sum", ("connected-sum", "tree-operation")),
            ("+!O!tensor-product", ("⊗", "tree-operation")),
            ("F!sin", ("sin", "tree-function")),
            ("M!()1x1", ("( )", "tree-group")),
            ("M!||2x3", ("| | 2×3", "tree-group")),
            ("M!2x3", ("2×3", "tree-group")),
            ("M!M-2x3", ("matrix 2×3", "tree-group")),
            ("M!R!", ("row", "tree-group")),
            ("M!V-2", ("tuple 2", "tree-group")),
            ("M!", ("", "tree-group")),
            ("W!", ("␣", "tree-blank")),
            ("E!x", ("x", "tree-error")),
            ("", ("", "tree-sign")),
        ] {
            let (text, class) = label(tag);
            assert_eq!((text.as_str(), class), expected, "{tag}");
        }
    }

    #[test]
    fn deep_and_long_formulas_are_drawn_too() {
        for latex in ["x+".repeat(5_000), "{\\frac".repeat(200), "x^".repeat(2_000), String::new()] {
            for tree in trees(&latex) {
                assert!(tree.to_svg().ends_with("</svg>\n"));
            }
        }
    }
}
