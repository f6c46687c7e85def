//! Brackets that are signs on the baseline: angles, floors, bars, and those that no fence was made of.

use super::Read;
use super::fence::Sign;
use super::signs::Kind;
use super::tokens::Token;
use crate::opt::{Brackets, OptId};
use latex::Span;

impl Read<'_> {
    /// What stands between signs that open and close.
    pub(super) fn bracketed(&mut self, token: Token) -> OptId {
        let open = self.pos;
        let close = (token.partner as usize).clamp(open + 1, self.end);
        self.pos = (close + 1).min(self.end);
        let closing = self.memory.tokens[..self.end].get(close).copied();
        let mut span = self.bracket_span(token);
        if let Some(closing) = closing {
            let end = self.bracket_span(closing);
            span = if span.is_empty() {
                end
            } else if end.is_empty() {
                span
            } else {
                span.to(end)
            };
        }
        let close_tag = closing.map_or("", |closing| self.bracket_sign(closing));
        let node = match self.bracket_sign(token) {
            "⟨" | "〈" => self.angle(open + 1, close, close_tag, span),
            "⌊" => self.around(if close_tag == "⌉" { "O!round" } else { "F!floor" }, open + 1, close, span),
            "⌈" => self.around("F!ceiling", open + 1, close, span),
            "|" if close_tag == "⟩" => self.around("O!ket", open + 1, close, span),
            "|" => self.bars(open + 1, close, span),
            "||" | "∥" | "‖" => self.around("O!norm", open + 1, close, span),
            tag => self.round(tag, open, close, close_tag, span),
        };
        match closing {
            Some(closing) => self.scripted_outside(node, closing.id),
            None => node,
        }
    }

    fn around(&mut self, tag: &str, start: usize, end: usize, span: Span) -> OptId {
        let inside = self.part(start, end);
        self.unary(tag, span, inside)
    }

    /// Bars; two pairs of them around the same thing are a norm.
    fn bars(&mut self, start: usize, end: usize, span: Span) -> OptId {
        let inner = self.memory.tokens[start];
        if end > start + 2
            && matches!(inner.kind, Kind::Open('|'))
            && inner.partner as usize + 1 == end
            && !self.has_scripts(self.memory.tokens[end - 1])
        {
            return self.around("O!norm", start + 1, end - 1, span);
        }
        self.around("F!abs", start, end, span)
    }

    /// `⟨x,y⟩`, `⟨a|b⟩`, `⟨a|H|b⟩`, `⟨a|`.
    fn angle(&mut self, start: usize, end: usize, close_tag: &str, span: Span) -> OptId {
        if !matches!(close_tag, "⟩" | "〉") {
            let tag = if close_tag == "|" { "O!bra" } else { "O!angle" };
            return self.around(tag, start, end, span);
        }
        let mark = self.memory.items.len();
        let mut from = start;
        let mut bars = 0;
        while let Some(bar) = self.bar_between(from, end, Sign::Bar).filter(|_| bars < 2) {
            let part = self.part(from, bar);
            self.memory.items.push(part);
            from = bar + 1;
            bars += 1;
        }
        if bars > 0 {
            let part = self.part(from, end);
            self.memory.items.push(part);
        } else {
            self.part_items(mark, from, end);
        }
        let tag = match self.memory.items.len() - mark {
            2 => "O!inner-product",
            3 if bars > 0 => "O!quantum-operator-product",
            _ => "O!angle",
        };
        let node = self.node(tag);
        self.add_items(node, mark);
        self.widen(node, span);
        node
    }

    /// Brackets that stayed signs: as if they were a fence.
    fn round(&mut self, tag: &str, open: usize, close: usize, close_tag: &str, span: Span) -> OptId {
        let sign = |tag: &str| match tag {
            "&lsqb;" => '[',
            "&rsqb;" => ']',
            tag => tag.chars().next().unwrap_or_default(),
        };
        let (left, right) = (sign(tag), sign(close_tag));
        let before = if open > self.start { Some(self.memory.tokens[open - 1]) } else { None };
        if left == '{' && right == '}' {
            let mark = self.memory.items.len();
            if let Some(bar) = self.bar_between(open + 1, close, Sign::BarOrColon) {
                let element = self.part(open + 1, bar);
                let condition = self.part(bar + 1, close);
                let node = self.binary_node("O!conditional-set", element, condition);
                self.widen(node, span);
                return node;
            }
            self.part_items(mark, open + 1, close);
            return self.of_items(mark, "M!S-", span);
        }
        let mark = self.memory.items.len();
        self.part_items(mark, open + 1, close);
        if self.memory.items.len() == mark + 1 {
            let inside = self.memory.items[mark];
            self.memory.items.truncate(mark);
            let brackets = if left == '[' { Brackets::Square } else { Brackets::Round };
            self.in_brackets(inside, brackets, span);
            return inside;
        }
        if self.memory.items.len() == mark && right == '\0' {
            let blank = self.blank();
            self.widen(blank, span);
            return blank;
        }
        self.tuple_of_items(mark, left, right, span, before)
    }
}
