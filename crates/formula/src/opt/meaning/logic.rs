//! How loosely logical signs bind, which depends on whether statements stand beside them.

use super::Read;
use super::signs::{Kind, sign};
use super::tokens::Token;
use crate::slt::Edge;

impl Read<'_> {
    /// `∧` and `∨` join statements if several of them are statements, and operands if not. An arrow among
    /// statements is looser than their relations, an equivalence looser than all.
    pub(super) fn settle_logic(&mut self, start: usize, end: usize) {
        let mut from = start;
        for at in start..=end {
            let kind = if at < end { self.memory.tokens[at].kind } else { Kind::Comma };
            if matches!(kind, Kind::Comma | Kind::Semicolon | Kind::Colon) {
                self.settle_sentence(from, at);
                from = at + 1;
            }
        }
    }

    /// The same for what stands between commas.
    fn settle_sentence(&mut self, start: usize, end: usize) {
        self.settle_equivalences(start, end);
        let mut from = start;
        for at in start..=end {
            if at == end || matches!(self.memory.tokens[at].kind, Kind::Implies | Kind::Equivalent) {
                self.settle_statement(from, at);
                from = at + 1;
            }
        }
    }

    /// Which of the signs `≡`, `↔`, `⇔`, `⊢` have whole statements on their sides.
    fn settle_equivalences(&mut self, from: usize, to: usize) {
        let mut seen = Sentence::default();
        for at in from..to {
            let token = self.memory.tokens[at];
            match (token.kind, token.tag) {
                (Kind::Not, _) => seen.denied = true,
                (Kind::And | Kind::Or, _) => seen.connected = true,
                (Kind::Quantifier, _) => seen.quantified = true,
                (Kind::Implies, "O!iff") => seen.equivalences += 1,
                (Kind::Implies, _) if seen.equivalences == 0 => seen.implied_before = true,
                (Kind::Implies, _) => seen.implied_after = true,
                (Kind::Relation, "O!to") => seen.arrows = true,
                (Kind::Relation, "U!equivalent" | "U!leftrightarrow") => {
                    seen.equivalences += 1;
                    let next = self.memory.tokens[..to].get(at + 1);
                    seen.numbers |= next.is_some_and(|next| self.slt.tag(next.id).starts_with("N!"));
                }
                (Kind::Relation, "O!proves" | "O!models") => seen.proofs += 1,
                (Kind::Relation, _) => seen.related = true,
                (Kind::Modulo, _) => seen.numbers = true,
                _ => {
                    seen.numbers |= self.modulus_in(token).is_some();
                    seen.quantified |= self.is_quantifier_in_brackets(token);
                }
            }
        }
        if seen.equivalences + seen.proofs == 0 {
            return;
        }
        for token in &mut self.memory.tokens[from..to] {
            if matches!(token.kind, Kind::Relation | Kind::Implies) && seen.is_loosest(token.tag) {
                token.kind = Kind::Equivalent;
            }
        }
    }

    /// `(∀x)`
    fn is_quantifier_in_brackets(&self, token: Token) -> bool {
        let head = if self.slt.tag(token.id).starts_with("M!()1x") {
            self.slt.child(token.id, Edge::Within)
        } else {
            None
        };
        head.is_some_and(|head| sign(self.slt.tag(head)).0 == Kind::Quantifier)
    }

    /// `∧`, `∨` and `→` in what stands between implications.
    fn settle_statement(&mut self, from: usize, to: usize) {
        let tokens = &mut self.memory.tokens[from..to];
        let (mut statements, mut relation) = (0, false);
        let (mut logical, mut connected, mut arrows) = (false, false, false);
        let mut sides: Option<(usize, usize)> = None;
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Relation => {
                    relation = true;
                    arrows |= token.tag == "O!to";
                    if is_strict(token.tag) {
                        sides = Some((sides.map_or(at, |(first, _)| first), at));
                    }
                }
                Kind::Quantifier | Kind::Not => logical = true,
                Kind::And | Kind::Or => {
                    connected = true;
                    statements += usize::from(std::mem::take(&mut relation));
                }
                _ => {}
            }
        }
        statements += usize::from(relation);
        if connected && statements == 1 && !logical {
            for token in tokens.iter_mut() {
                token.kind = match token.kind {
                    Kind::And => Kind::Intersect,
                    Kind::Or => Kind::Union,
                    kind => kind,
                };
            }
        }
        if arrows {
            for (at, token) in tokens.iter_mut().enumerate().filter(|(_, token)| token.tag == "O!to") {
                if logical || sides.is_some_and(|(first, last)| first < at && at < last) {
                    token.kind = Kind::Implies;
                }
            }
        }
    }
}

/// What stands between two commas.
#[derive(Clone, Copy, Debug, Default)]
struct Sentence {
    denied: bool,
    connected: bool,
    quantified: bool,
    /// `→`
    arrows: bool,
    /// An implication before the first equivalence.
    implied_before: bool,
    implied_after: bool,
    /// Any other relation.
    related: bool,
    /// It is about congruent numbers.
    numbers: bool,
    equivalences: usize,
    proofs: usize,
}

impl Sentence {
    /// Whether a sign holds between statements, whatever they are made of.
    fn is_loosest(self, tag: &str) -> bool {
        let implied = self.implied_before || self.implied_after;
        let only = self.equivalences == 1 && !self.related;
        match tag {
            // Chains of ⇒ and ⇔ are steps of a proof, unless there is one on each side.
            "O!iff" => {
                self.quantified
                    || self.arrows && !implied
                    || only && self.implied_before && self.implied_after
            }
            "U!equivalent" | "U!leftrightarrow" => {
                !self.numbers && (self.denied || self.arrows || only && implied)
            }
            "O!proves" | "O!models" => {
                self.proofs == 1
                    && !implied
                    && (self.denied || self.connected || self.arrows || self.quantified)
            }
            _ => false,
        }
    }
}

/// Whether a relation makes a statement of what might else be a step towards a limit.
fn is_strict(tag: &str) -> bool {
    !matches!(tag, "U!eq" | "O!to" | "O!assign" | "U!approx" | "U!equivalent" | "O!maps-to" | "U!similar-to")
}
