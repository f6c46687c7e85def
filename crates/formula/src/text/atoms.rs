//! What a node is to its neighbours: TeX's classes of atoms, from which blanks follow.

use latex::{Class, Kind, NodeId, Text, Tree};

/// How a thing in a row stands to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    Ord,
    Op,
    Bin,
    Rel,
    Open,
    Close,
    Punct,
    Inner,
}

impl Atom {
    fn of_class(class: Class) -> Self {
        match class {
            Class::Ord | Class::Prefix | Class::Fence => Self::Ord,
            Class::BigOp | Class::Integral | Class::Function | Class::LimitFunction => Self::Op,
            Class::Bin => Self::Bin,
            Class::Rel | Class::Arrow => Self::Rel,
            Class::Open => Self::Open,
            Class::Close | Class::Postfix => Self::Close,
            Class::Punct => Self::Punct,
            Class::Inner => Self::Inner,
        }
    }
}

/// The atom that a node is; `None` for what takes no part, such as spaces.
pub(crate) fn atom(tree: &Tree, id: NodeId) -> Option<Atom> {
    Some(match tree.kind(id) {
        // A slash and a full stop have no blanks around them.
        Kind::Symbol { text: Text::Char('/' | '\\' | '.'), .. } => Atom::Ord,
        Kind::Symbol { class, .. } | Kind::Delimiter { class, .. } | Kind::Classed { class, .. } => {
            Atom::of_class(class)
        }
        Kind::Scripts { base: Some(base), .. } => atom(tree, base).unwrap_or(Atom::Ord),
        Kind::PreScripts { base: Some(base), .. }
        | Kind::Stack { base, .. }
        | Kind::Enclose { body: base, enclosure: latex::Enclosure::Not } => {
            single(tree, base).and_then(|only| atom(tree, only)).unwrap_or(Atom::Ord)
        }
        Kind::Space(_) | Kind::StyleSwitch(_) | Kind::ColorSwitch(_) | Kind::LineBreak => return None,
        _ => Atom::Ord,
    })
}

/// The first atom of a list.
pub(crate) fn first_atom(tree: &Tree, items: &[NodeId]) -> Option<Atom> {
    items
        .iter()
        .take_while(|&&item| !matches!(tree.kind(item), Kind::LineBreak))
        .find_map(|&item| atom(tree, item))
}

/// Whether a binary operator between these two connects them, as TeX decides; otherwise it is a sign.
pub(crate) fn connects(before: Option<Atom>, after: Option<Atom>) -> bool {
    !matches!(before, None | Some(Atom::Bin | Atom::Op | Atom::Rel | Atom::Open | Atom::Punct))
        && !matches!(after, None | Some(Atom::Rel | Atom::Close | Atom::Punct))
}

/// Whether the operator at the heart of a node is a named function, which is applied to what follows.
pub(crate) fn is_function(tree: &Tree, id: NodeId) -> bool {
    match tree.kind(id) {
        Kind::Symbol { class, .. } | Kind::Classed { class, .. } => {
            matches!(class, Class::Function | Class::LimitFunction)
        }
        Kind::Scripts { base: Some(base), .. } => is_function(tree, base),
        _ => false,
    }
}

/// Whether a node is what `\pmod` gives: the word in parentheses, with a wide blank before it.
pub(crate) fn is_modulus(tree: &Tree, id: NodeId) -> bool {
    let Kind::Fenced { left: Some('('), right: Some(')'), body } = tree.kind(id) else { return false };
    match tree.row(&body).first().map(|&first| tree.kind(first)) {
        Some(Kind::Symbol { text, class: Class::Function, .. }) => tree.with_text(text, |name| name == "mod"),
        _ => false,
    }
}

/// The inside of rows that hold one row and nothing else; similar parts count as rows.
pub(crate) fn unwrapped(tree: &Tree, mut id: NodeId) -> NodeId {
    loop {
        id = match tree.kind(id) {
            Kind::Similar { body } => body,
            Kind::Row(list) => match *tree.list(list) {
                [only] if matches!(tree.kind(only), Kind::Row(_) | Kind::Similar { .. }) => only,
                _ => return id,
            },
            _ => return id,
        };
    }
}

/// The only thing in a row, or the node itself when it is no row.
pub(crate) fn single(tree: &Tree, id: NodeId) -> Option<NodeId> {
    match *tree.row(&unwrapped(tree, id)) {
        [only] => Some(only),
        _ => None,
    }
}

/// Blank characters to the reader of LaTeX, zero-width ones included.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2060}'..='\u{2064}')
}
