//! Letters before brackets that hold a set: spaces of functions, rings of polynomials.

use super::fence::Fence;
use super::tokens::Token;
use super::{Read, letter_of};
use crate::opt::OptId;
use crate::slt::{Edge, SltId};

/// How many symbols in a bracket are looked at.
const MAX_VARIABLES: usize = 32;

impl Read<'_> {
    /// Whether this is a space of functions on what is in brackets: `C[0,1]`, `L^2(ℝ^n)`, `C^\infty(M)`.
    pub(super) fn is_space(&self, id: SltId, next: Token) -> bool {
        if !matches!(self.slt.tag(id), "V!L" | "V!C" | "V!W" | "V!ℓ" | "V!𝒞" | "V!ℒ" | "V!𝐿" | "V!𝐶")
        {
            return false;
        }
        match self.argument_fence(next) {
            Some(Fence { open: '[', columns: 2, .. }) => true,
            Some(Fence { open: '(', columns, .. }) => {
                let Some(head) = self.slt.child(next.id, Edge::Within) else { return false };
                let tag = self.slt.tag(head);
                let set = letter_of(tag).is_some_and(is_set) || tag.starts_with("M!&lsqb;");
                // `L^2(X,μ)`
                let ends = self.slt.next(head).is_none_or(|next| self.slt.tag(next) == "&comma;");
                self.slt.child(id, Edge::Above).is_some() && set && ends && columns <= 3
            }
            _ => false,
        }
    }

    /// A space applied to the set its functions are defined on.
    pub(super) fn space(&mut self, id: SltId, next: Token) -> OptId {
        let node = self.operator_of(id);
        if self.argument_fence(next).is_none_or(|fence| fence.open != '[') {
            self.arguments(node);
            return self.scripted(node, next.id);
        }
        self.pos += 1;
        let interval = self.fence_alone(next);
        self.add(node, interval);
        self.scripted(node, next.id)
    }

    /// `k[x,y]`: whether square brackets after the letter of a ring hold nothing but letters.
    pub(super) fn is_polynomial_ring(&self, ring: &str, fence: SltId) -> bool {
        if !letter_of(ring).is_some_and(|letter| matches!(letter, 'k' | 'K' | 'R' | 'F' | 'A' | 'S')) {
            return false;
        }
        let mut item = self.slt.child(fence, Edge::Within);
        for _ in 0..MAX_VARIABLES {
            let Some(head) = item else { return true };
            let tag = self.slt.tag(head);
            if letter_of(tag).is_none() && tag != "…"
                || self.slt.child(head, Edge::Above).is_some()
                || self.slt.next(head).is_some_and(|next| self.slt.tag(next) != "&comma;")
            {
                return false;
            }
            item = self.slt.child(head, Edge::Element);
        }
        false
    }
}

/// Letters that sets have.
fn is_set(letter: char) -> bool {
    letter.is_ascii_uppercase()
        || matches!(letter, 'Ω' | 'ℝ' | 'ℂ' | 'ℤ' | 'ℕ' | 'ℚ' | '𝕋' | '𝔻' | 'ℍ' | '𝕊' | 'μ')
}
