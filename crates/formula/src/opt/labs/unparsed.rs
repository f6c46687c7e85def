//! What becomes of a baseline that is not of the labs' grammar.
//!
//! Delimiters are paired whatever their kind, scripts go to what stands before
//! them, and everything else stays side by side.

use super::node::Nodes;
use super::role::Role;
use super::tokens::{Made, Token};
use crate::opt::content::tree::{ContentId, Dictionary, Element};

/// An error node with the pieces of a baseline.
pub(super) fn fragments(tokens: &[Token], leaves: &[ContentId], nodes: &mut Nodes<'_>) -> ContentId {
    // What is in the delimiters that are open, and where each begins.
    let mut open: Vec<(usize, Vec<ContentId>)> = vec![(0, Vec::new())];
    let mut floating: Vec<usize> = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        let leaf = leaves[place];
        let Some((_, items)) = open.last_mut() else { break };
        match token.role {
            _ if token.made == Made::Space => {}
            Role::PostSub | Role::PostSup if !items.is_empty() => {
                let base = items.pop();
                let base = base.unwrap_or(leaf);
                let scripted = script(nodes, place, token.role, base, leaf);
                items.push(scripted);
            }
            Role::PostSub | Role::PostSup | Role::FloatSub | Role::FloatSup => floating.push(place),
            Role::Open => open.push((place, vec![leaf])),
            Role::Close => {
                items.push(leaf);
                if open.len() > 1
                    && let Some((from, items)) = open.pop()
                    && let Some((_, outer)) = open.last_mut()
                {
                    outer.push(pieces(nodes, from, place + 1, &items));
                }
            }
            _ => {
                let mut item = match token.role {
                    Role::Unknown if nodes.tree.element(leaf) == Element::Identifier => {
                        let letters = nodes.tree.text(leaf).to_owned();
                        let span = nodes.tree.span(leaf);
                        nodes.tree.push(Element::Symbol(Dictionary::Unknown), &letters, &[], span)
                    }
                    _ => leaf,
                };
                while let Some(float) = floating.pop() {
                    item = script(nodes, place, tokens[float].role, item, leaves[float]);
                }
                items.push(item);
            }
        }
    }
    while open.len() > 1
        && let Some((from, items)) = open.pop()
    {
        let inner = pieces(nodes, from, tokens.len(), &items);
        if let Some((_, outer)) = open.last_mut() {
            outer.push(inner);
        }
    }
    let mut items = open.pop().map(|(_, items)| items).unwrap_or_default();
    while let Some(float) = floating.pop() {
        let absent = nodes.absent();
        items.push(script(nodes, float, tokens[float].role, absent, leaves[float]));
    }
    pieces(nodes, 0, tokens.len(), &items)
}

fn script(nodes: &mut Nodes<'_>, place: usize, role: Role, base: ContentId, leaf: ContentId) -> ContentId {
    let name = if matches!(role, Role::PostSub | Role::FloatSub) { "subscript" } else { "superscript" };
    let operator = nodes.ambiguous(name);
    nodes.apply(place, place + 1, operator, &[base, leaf])
}

fn pieces(nodes: &mut Nodes<'_>, from: usize, to: usize, items: &[ContentId]) -> ContentId {
    if let [only] = items {
        return *only;
    }
    let fragments = nodes.ambiguous("fragments");
    let mut all = vec![fragments];
    all.extend_from_slice(items);
    nodes.group(from, to, Element::Error, &all)
}
