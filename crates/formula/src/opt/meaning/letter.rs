//! Letters, and whether the bracket after one is what it is applied to.

use super::fence::Fence;
use super::function::bare_name;
use super::signs::{Kind, inverse};
use super::tokens::{Token, ends_operand};
use super::{Read, letter_of, push_folded};
use crate::opt::{Brackets, OptId};
use crate::slt::{Edge, SltId};

/// How far into a bracket one looks for the letter before it.
const NEARBY: usize = 64;

impl Read<'_> {
    /// A letter, a number, a structure: with its scripts, and applied if it is a function.
    pub(super) fn thing(&mut self, token: Token) -> OptId {
        let id = token.id;
        let tag = self.slt.tag(id);
        if token.tag == "O!cases" {
            return self.cases(token);
        }
        if let Some(derivative) = self.inline_derivative(token) {
            return derivative;
        }
        self.pos += 1;
        if tag.starts_with("M!") {
            let fence = self.fence(token);
            return self.composed(fence);
        }
        match tag {
            "O!divide" => return self.fraction(token),
            "O!root" => return self.root(id),
            _ => {}
        }
        if let Some(content) = self.slt.child(id, Edge::Within) {
            return self.enclosed(id, content);
        }
        let next = self.peek();
        if let Some(next) = next.filter(|&next| self.is_space(id, next)) {
            return self.space(id, next);
        }
        if next.is_some_and(|next| self.applies(id, next)) {
            return self.applied(id);
        }
        let leaf = self.leaf(id);
        let node = self.scripted(leaf, id);
        match next.filter(|&next| {
            self.argument_fence(next).is_some_and(|fence| match fence.open {
                '{' => false,
                '[' => is_ring(tag) || self.is_polynomial_ring(tag, next.id),
                _ => is_ring(tag),
            })
        }) {
            Some(next) => {
                self.pos += 1;
                let ring = self.unary("O!adjoin", self.slt.span(next.id), node);
                self.spread(ring, next.id);
                self.scripted(ring, next.id)
            }
            None => node,
        }
    }

    /// `(f∘g)(x)`: a composition in brackets is applied to the bracket after it.
    fn composed(&mut self, thing: OptId) -> OptId {
        let applied = self.opt.tag(thing) == "O!compose"
            && self.opt.brackets(thing) == Brackets::Round
            && self
                .peek()
                .is_some_and(|next| self.argument_fence(next).is_some_and(|fence| fence.open == '('));
        if !applied {
            return thing;
        }
        let node = self.unary("+!O!compose", latex::Span::default(), thing);
        match self.arguments(node) {
            Some(fence) => self.scripted(node, fence),
            None => node,
        }
    }

    /// Something with lines around or through it.
    fn enclosed(&mut self, id: SltId, content: SltId) -> OptId {
        let inside = self.row(Some(content));
        let tag = self.slt.tag(id);
        self.widen(inside, self.slt.span(id));
        let node = if is_letter_tag(tag) {
            let leaf = self.leaf(id);
            self.binary_node("O!fragments", leaf, inside)
        } else if tag.contains("strike") {
            self.unary("O!cancel", self.slt.span(id), inside)
        } else {
            inside
        };
        self.scripted(node, id)
    }

    /// A letter before brackets, applied to what is in them.
    fn applied(&mut self, id: SltId) -> OptId {
        let node = self.operator_of(id);
        match self.arguments(node) {
            Some(fence) => {
                // The brackets that are left open have scripts of their own.
                if Fence::of(self.slt.tag(fence)).is_some() {
                    self.scripted(node, fence)
                } else {
                    self.scripted_outside(node, fence)
                }
            }
            None => node,
        }
    }

    /// The node of a letter that is applied to something, without what it is applied to.
    pub(super) fn operator_of(&mut self, id: SltId) -> OptId {
        let tag = self.slt.tag(id);
        let scripted = self.carries(id);
        let node = if scripted {
            let leaf = self.leaf(id);
            let head = self.scripted(leaf, id);
            self.compound(bare_name(tag), head)
        } else {
            self.seen(id);
            self.opt.push_with(|tags| match tag.split_once('!') {
                Some(("V" | "T", name)) => {
                    tags.push_str("F!");
                    push_folded(tags, name);
                }
                _ => tags.push_str(tag),
            })
        };
        self.widen(node, self.slt.span(id));
        node
    }

    /// Whether a letter before a bracket is a function. See `docs/trees.md`.
    fn applies(&mut self, id: SltId, next: Token) -> bool {
        let tag = self.slt.tag(id);
        if next.kind == Kind::Open(')') {
            return letter_of(tag)
                .is_some_and(|letter| is_function_letter(letter) || self.is_function_elsewhere(letter));
        }
        let Some(fence) = self.argument_fence(next) else { return false };
        let round = fence.open == '(';
        if tag.starts_with("T!") {
            return round;
        }
        let wildcard = tag.starts_with('?');
        if !wildcard && !tag.starts_with("V!") {
            return false;
        }
        let letter = letter_of(tag);
        if !round {
            return letter.is_some_and(|letter| matches!(letter, 'E' | '𝔼' | 'ℙ' | 'P'));
        }
        if !self.may_be_applied(id) && !letter.is_some_and(is_function_letter) {
            return false;
        }
        if fence.columns > 1 {
            return !matches!(tag, "V!∞" | "V!…" | "V!⋯");
        }
        match letter {
            None if wildcard => self.is_plain_argument(next.id, None),
            // A word.
            None => true,
            Some(letter) if is_function_letter(letter) => true,
            Some('∞' | '…' | '⋯' | 'i' | 'e') => false,
            Some('π') => self.is_no_number(id, next.id),
            Some(letter) => {
                self.is_plain_argument(next.id, Some(letter))
                    || self.has_primes(id)
                    || (self.is_function_elsewhere(letter) && !self.holds_letter(next.id, letter))
            }
        }
    }

    /// Whether π is a projection, a group or the number of primes: `π_1(X)`, `π^{-1}(U)`, and `π(x)` without
    /// a factor before it.
    fn is_no_number(&self, id: SltId, fence: SltId) -> bool {
        let before = self.pos.checked_sub(2).filter(|&before| before >= self.start);
        let factor = before.is_some_and(|before| ends_operand(self.memory.tokens[before].kind));
        let bare = self.slt.child(fence, Edge::Within).is_some_and(|head| !self.carries(head));
        self.carries(id) || !factor && bare && self.is_plain_argument(fence, Some('π'))
    }

    /// Whether the scripts of a letter leave it a function: indices, primes, orders, inverses; no powers.
    fn may_be_applied(&self, id: SltId) -> bool {
        let Some(above) = self.slt.child(id, Edge::Above) else { return true };
        let tag = self.slt.tag(above);
        super::script::primes(tag).is_some()
            || tag.starts_with("M!()")
            || self.is_minus_one(above)
            || !tag.contains('!')
    }

    /// Whether brackets above a letter hold the order of a derivative: it is a function here or elsewhere.
    pub(super) fn is_differentiated(&mut self, id: SltId) -> bool {
        let tag = self.slt.tag(id);
        let Some(letter) = letter_of(tag) else { return inverse(bare_name(tag)).is_some() };
        matches!(letter, 'f' | 'g' | 'h' | 'F' | 'G' | 'H' | 'φ' | 'ψ' | 'Φ' | 'Ψ' | 'Γ' | 'ζ' | 'y')
            || self.is_function_elsewhere(letter)
    }

    fn has_primes(&self, id: SltId) -> bool {
        let above = self.slt.child(id, Edge::Above);
        above.is_some_and(|above| super::script::primes(self.slt.tag(above)).is_some())
    }

    /// Whether a bracket holds one letter or number and nothing else, not the letter before it.
    fn is_plain_argument(&self, fence: SltId, letter: Option<char>) -> bool {
        let Some(mut head) = self.slt.child(fence, Edge::Within) else { return false };
        if matches!(self.slt.tag(head), "-" | "−")
            && let Some(next) = self.slt.next(head)
        {
            head = next;
        }
        let tag = self.slt.tag(head);
        let plain = is_letter_tag(tag) && !tag.starts_with("T!");
        let same = letter.is_some() && letter_of(tag) == letter;
        plain && !same && self.slt.next(head).is_none()
    }

    /// Whether a bracket holds this letter, near its beginning.
    fn holds_letter(&self, fence: SltId, letter: char) -> bool {
        let Some(inside) = self.slt.child(fence, Edge::Within) else { return false };
        self.slt.preorder_from(inside).take(NEARBY).any(|id| {
            letter_of(self.slt.tag(id)) == Some(letter)
                && self.slt.next(id).is_none_or(|next| !self.slt.tag(next).starts_with("M!()"))
        })
    }

    /// Whether a letter is applied somewhere in the formula, without doubt.
    fn is_function_elsewhere(&mut self, letter: char) -> bool {
        if !self.memory.functions_known {
            self.memory.functions_known = true;
            for id in self.slt.preorder() {
                let Some(found) = letter_of(self.slt.tag(id)) else { continue };
                let Some(next) = self.slt.next(id) else { continue };
                let tag = self.slt.tag(next);
                let applied = tag.starts_with("M!()1x")
                    && self.may_be_applied(id)
                    && (tag != "M!()1x1" || self.is_plain_argument(next, Some(found)));
                if (applied || tag == ":")
                    && !self.memory.functions.contains(&found)
                    && self.memory.functions.len() < NEARBY
                {
                    self.memory.functions.push(found);
                }
            }
        }
        self.memory.functions.contains(&letter)
    }

    /// Whether a script is −1 and nothing else.
    pub(super) fn is_minus_one(&self, head: SltId) -> bool {
        matches!(self.slt.tag(head), "-" | "−")
            && self
                .slt
                .next(head)
                .is_some_and(|one| self.slt.tag(one) == "N!1" && !self.slt.has_children(one))
    }

    pub(super) fn seen_all(&mut self, head: SltId) {
        for id in self.slt.preorder_from(head) {
            self.memory.seen[id.index()] = true;
        }
    }

    /// Says which brackets stand around an expression; they belong to its span.
    pub(super) fn in_brackets(&mut self, node: OptId, brackets: Brackets, span: latex::Span) {
        self.opt.set_brackets(node, brackets);
        self.widen(node, span);
    }
}

/// Whether a tag is a letter, a number, a text, a wildcard.
pub(super) fn is_letter_tag(tag: &str) -> bool {
    super::is_visible(tag)
}

/// Rings to which one adjoins something in square brackets: `ℤ[x]`.
fn is_ring(tag: &str) -> bool {
    matches!(
        tag,
        "V!ℤ"
            | "V!ℚ"
            | "V!ℝ"
            | "V!ℂ"
            | "V!𝔽"
            | "V!𝕜"
            | "V!𝕂"
            | "V!𝐙"
            | "V!𝐐"
            | "V!𝐑"
            | "V!𝐂"
            | "V!𝐅"
    )
}

/// Letters that are functions whenever a bracket follows.
fn is_function_letter(letter: char) -> bool {
    matches!(
        letter,
        'f' | 'g'
            | 'h'
            | 'F'
            | 'G'
            | 'H'
            | 'φ'
            | 'ψ'
            | 'Φ'
            | 'Ψ'
            | 'Γ'
            | 'ζ'
            | 'Θ'
            | 'Ω'
            | 'O'
            | 'o'
            | 'P'
            | 'E'
            | 'T'
            | 'ℙ'
            | '𝔼'
            | '𝒪'
            | '𝒫'
            | '℘'
            | 'ℒ'
            | 'ℱ'
            | 'ϑ'
            | 'ℬ'
            | '𝒩'
            | 'ϖ'
            | '𝔓'
            | '𝟏'
            | '𝟙'
    )
}
