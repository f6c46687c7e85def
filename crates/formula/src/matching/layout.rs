//! Layout trees with differences evened out that no reader sees as one.
//!
//! - punctuation at the end of a formula belongs to the sentence around it;
//! - `l c m` side by side is the name of a function that was typed without `\operatorname`;
//! - signs that are drawn alike and mean the same get one tag.

use crate::slt::{Edge, Slt, SltId};

/// Evens a layout tree out.
pub fn normalise(slt: &mut Slt) {
    let all: Vec<SltId> = slt.preorder().collect();
    for &id in &all {
        if let Some(tag) = usual(slt.tag(id)) {
            slt.set_tag(id, tag);
        }
    }
    for &id in &all {
        join_name(slt, id);
    }
    drop_end(slt);
}

/// The usual tag for one that is drawn alike.
fn usual(tag: &str) -> Option<&'static str> {
    Some(match tag {
        "𝑑" | "d" => "V!d",
        "V!mod" => "mod",
        "⋯" | "V!⋯" | "V!…" => "…",
        "V!⋅" | "·" | "*" | "∗" => "⋅",
        "∣" => "|",
        "−" => "-",
        "⟹" => "⇒",
        "⟶" => "→",
        "⟺" => "⇔",
        "⩽" | "≦" => "≤",
        "⩾" | "≧" => "≥",
        "V!ϕ" => "V!φ",
        "V!ϵ" => "V!ε",
        "V!ϑ" => "V!θ",
        _ => return None,
    })
}

/// Names that people type as letters.
const NAMES: [&str; 34] = [
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "Cov", "csc", "deg", "det", "diag", "dim",
    "exp", "gcd", "inf", "ker", "lcm", "lim", "log", "max", "min", "mod", "rank", "sec", "sgn", "sin",
    "sinh", "span", "sup", "tan", "tanh", "Var", "vol",
];

/// Makes one symbol of letters that spell a name.
fn join_name(slt: &mut Slt, first: SltId) {
    let letter = |slt: &Slt, id: SltId| {
        let name = slt.tag(id).strip_prefix("V!")?;
        let mut letters = name.chars();
        letters.next().filter(|c| c.is_ascii_alphabetic() && letters.next().is_none())
    };
    if letter(slt, first).is_none() {
        return;
    }
    let mut word = String::new();
    let mut ends: Vec<SltId> = Vec::new();
    let mut at = Some(first);
    while let Some(id) = at.filter(|_| word.len() < 6) {
        let Some(c) = letter(slt, id) else { break };
        word.push(c);
        ends.push(id);
        let bare = slt.children(id).all(|(edge, _)| edge == Edge::Next);
        at = slt.next(id).filter(|_| bare);
    }
    // The longest name wins.
    let Some(length) = (3..=word.len()).rev().find(|&length| NAMES.contains(&&word[..length])) else {
        return;
    };
    let last = ends[length - 1];
    let name = format!("V!{}", &word[..length]);
    let tail: Vec<(Edge, SltId)> = slt.children(last).collect();
    for &(edge, _) in &tail {
        slt.unlink(last, edge);
    }
    slt.unlink(first, Edge::Next);
    let span = slt.span(first).to(slt.span(last));
    slt.set_tag(first, &name);
    slt.set_span(first, span);
    for (edge, child) in tail {
        slt.link(first, edge, child);
    }
}

/// Cuts the punctuation at the end of the main baseline off.
fn drop_end(slt: &mut Slt) {
    let Some(root) = slt.root() else { return };
    let mut baseline = vec![root];
    while let Some(next) = baseline.last().and_then(|&last| slt.next(last)) {
        baseline.push(next);
    }
    while let [.., before, last] = baseline[..]
        && matches!(slt.tag(last), "." | "&comma;" | ";" | "&quest;")
        && !slt.has_children(last)
    {
        slt.unlink(before, Edge::Next);
        baseline.pop();
    }
}
