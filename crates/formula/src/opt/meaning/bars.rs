//! Bars at the ends of a row that are no pair: `|G|=[G:H]|H|`.
//!
//! Layout trees have one fence for a row that begins and ends with a bar if nothing else is known of the row. The
//! bars on the baseline inside then tell whether the outer ones belong to each other.

use super::Read;
use super::fence::Fence;
use super::signs::Kind;
use super::tokens::{Bars, NONE, Token, begins_operand, ends_operand};
use crate::slt::{Edge, SltId};
use latex::Span;

/// How many bars may be open at once, of which neighbours are of different kinds.
const MAX_OPEN: usize = 4;

/// Two single bars that stand for one of a norm.
const DOUBLE: &str = "||";

/// The partner of a bar that another stands for.
const DROPPED: u32 = 0;

impl<'r> Read<'r> {
    /// Puts the bars of a fence and what is between them onto the list of tokens, if the bars are no pair.
    pub(super) fn split_bars(&mut self, id: SltId) -> bool {
        let Some(fence) = Fence::of(self.slt.tag(id)).filter(|fence| fence.rows == 1) else { return false };
        let (Some(first), Some(last)) = (bar_tag(fence.open), bar_tag(fence.close)) else { return false };
        let start = self.memory.tokens.len();
        self.memory.tokens.push(Token { id, kind: Kind::Bar, tag: first, partner: NONE });
        let mut item = self.slt.child(id, Edge::Within);
        while let Some(head) = item {
            item = self.slt.child(head, Edge::Element);
            self.tokenise_row(head, Bars::Paired);
        }
        self.memory.tokens.push(Token { id, kind: Kind::Bar, tag: last, partner: NONE });
        if self.settle_bars(start) {
            self.seen(id);
            return true;
        }
        self.memory.tokens.truncate(start);
        false
    }

    /// Says which bars open and which close, from the one at `start` to the one at the end; false if they cannot
    /// be told apart, or if the outer ones are partners. Two bars side by side can be the one of a norm.
    fn settle_bars(&mut self, start: usize) -> bool {
        let tokens = &mut self.memory.tokens[start..];
        let mut open = [""; MAX_OPEN];
        let mut depth = 0;
        let mut apart = false;
        let mut at = 0;
        while at < tokens.len() {
            let Token { kind: Kind::Bar, tag, .. } = tokens[at] else {
                at += 1;
                continue;
            };
            let after_operand = at > 0 && ends_operand(tokens[at - 1].kind);
            let top = if depth > 0 { open[depth - 1] } else { "" };
            let doubled = tag == "F!abs"
                && tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Bar && next.tag == tag);
            if top == tag || top == DOUBLE && doubled {
                if !after_operand {
                    return false;
                }
                if top == DOUBLE {
                    tokens[at].partner = DROPPED;
                    at += 1;
                    tokens[at].tag = "O!norm";
                }
                depth -= 1;
                apart |= depth == 0 && at + 1 < tokens.len();
                tokens[at].kind = Kind::Close('|');
            } else {
                if depth == MAX_OPEN {
                    return false;
                }
                tokens[at].kind = Kind::Open('|');
                open[depth] = tag;
                if doubled {
                    tokens[at].tag = "O!norm";
                    open[depth] = DOUBLE;
                    at += 1;
                    tokens[at].partner = DROPPED;
                }
                depth += 1;
                let begins = match tokens.get(at + 1).map(|next| next.kind) {
                    // `|2|x|-3|` has a difference, no negative number.
                    Some(Kind::Add) => !after_operand,
                    Some(kind) => begins_operand(kind) || matches!(kind, Kind::Bar | Kind::Differential),
                    None => false,
                };
                if !begins {
                    return false;
                }
            }
            at += 1;
        }
        if depth > 0 || !apart {
            return false;
        }
        let mut kept = start;
        for at in start..self.memory.tokens.len() {
            let token = self.memory.tokens[at];
            if token.partner != DROPPED {
                self.memory.tokens[kept] = token;
                kept += 1;
            }
        }
        self.memory.tokens.truncate(kept);
        true
    }

    /// Whether a bar after an operand opens something all the same, `2|x|`: the next bar ends an operand, no
    /// relation stands before it, and no operand after it.
    pub(super) fn opens_product(&self, at: usize, end: usize) -> bool {
        let tokens = &self.memory.tokens;
        let tag = tokens[at].tag;
        let mut close = at + 1;
        while close < end && tokens[close].kind != Kind::Bar {
            if matches!(
                tokens[close].kind,
                Kind::Relation
                    | Kind::Comma
                    | Kind::Semicolon
                    | Kind::Colon
                    | Kind::Implies
                    | Kind::Close(_)
                    | Kind::Open(_)
            ) {
                return false;
            }
            close += 1;
        }
        close < end
            && close > at + 1
            && tokens[close].tag == tag
            && !matches!(tokens[at + 1].kind, Kind::Add)
            && !self.carries(tokens[at].id)
            && ends_operand(tokens[close - 1].kind)
            && tokens[..end].get(close + 1).is_none_or(|next| !begins_operand(next.kind))
    }

    /// The span of a bracket on the baseline. A fence that is split has one span for two bars, so neither has it.
    pub(super) fn bracket_span(&self, token: Token) -> Span {
        if is_split(self.slt.tag(token.id)) { Span::default() } else { self.slt.span(token.id) }
    }

    /// The sign of a bracket on the baseline.
    pub(super) fn bracket_sign(&self, token: Token) -> &'r str {
        match self.slt.tag(token.id) {
            _ if token.tag == "O!norm" => "‖",
            tag if is_split(tag) => "|",
            tag => tag,
        }
    }
}

/// Whether a bracket on the baseline is one of the bars of a fence.
fn is_split(tag: &str) -> bool {
    tag.starts_with("M!")
}

/// What a pair of these bars is.
fn bar_tag(sign: char) -> Option<&'static str> {
    match sign {
        '|' => Some("F!abs"),
        '‖' | '∥' => Some("O!norm"),
        _ => None,
    }
}
