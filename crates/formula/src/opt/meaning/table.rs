//! Tables: matrices, cases, and equations set below each other.

use super::Read;
use super::fence::Fence;
use super::signs::{Kind, level, sign};
use super::tokens::{NONE, Token};
use crate::opt::{Brackets, OptId};
use crate::slt::{Edge, SltId};

impl Read<'_> {
    /// A table without fences.
    pub(super) fn table(&mut self, id: SltId, fence: Fence) -> OptId {
        if self.is_aligned(id, fence) { self.aligned(id, fence) } else { self.matrix(id) }
    }

    /// A table between fences.
    pub(super) fn fenced_table(&mut self, id: SltId, fence: Fence) -> OptId {
        if fence.open == '{' && self.is_aligned(id, fence) {
            let node = self.aligned(id, fence);
            self.opt.set_brackets(node, Brackets::Curly);
            return node;
        }
        let matrix = self.matrix(id);
        match fence.open {
            '|' => return self.unary("F!det", self.slt.span(id), matrix),
            '‖' => return self.unary("O!norm", self.slt.span(id), matrix),
            '[' => self.opt.set_brackets(matrix, Brackets::Square),
            '{' => self.opt.set_brackets(matrix, Brackets::Curly),
            _ => self.opt.set_brackets(matrix, Brackets::Round),
        }
        matrix
    }

    /// Rows of cells.
    fn matrix(&mut self, id: SltId) -> OptId {
        let tag = self.slt.tag(id);
        let size = tag.trim_start_matches(|c: char| !c.is_ascii_digit());
        let node = self.opt.push_with(|tags| {
            tags.push_str("M!M-");
            tags.push_str(size);
        });
        let columns = Fence::of(tag).map_or(1, |fence| fence.columns).max(1);
        self.rows(node, id, columns, Blanks::Keep);
        self.widen(node, self.slt.span(id));
        node
    }

    fn rows(&mut self, node: OptId, id: SltId, columns: usize, blanks: Blanks) {
        let mut cell = self.slt.child(id, Edge::Within);
        let mut row: Option<OptId> = None;
        let mut column = 0;
        while let Some(head) = cell {
            cell = self.slt.child(head, Edge::Element);
            let current = match row {
                Some(row) => row,
                None => self.node("M!R!"),
            };
            row = Some(current);
            let content = self.row(Some(head));
            if blanks == Blanks::Keep || self.opt.tag(content) != "W!" || column == 0 {
                self.add(current, content);
            }
            column += 1;
            if column == columns {
                self.add(node, current);
                row = None;
                column = 0;
            }
        }
        if let Some(row) = row {
            self.add(node, row);
        }
    }

    /// Whether the rows of a table are statements: a second cell begins with a sign, or there is one column
    /// with relations in it.
    fn is_aligned(&self, id: SltId, fence: Fence) -> bool {
        let one_column = self.has_one_column(id, fence);
        let mut cell = self.slt.child(id, Edge::Within);
        let mut column = 0;
        while let Some(head) = cell {
            cell = self.slt.child(head, Edge::Element);
            let kind = sign(self.slt.tag(head)).0;
            if column > 0 && kind == Kind::Relation && self.slt.next(head).is_some() {
                return true;
            }
            if column == 0 {
                let mut at = Some(head);
                while let Some(symbol) = at {
                    let kind = sign(self.slt.tag(symbol)).0;
                    let last = self.slt.next(symbol).is_none();
                    if kind == Kind::Relation && (one_column || (last && symbol != head)) {
                        return true;
                    }
                    at = self.slt.next(symbol);
                }
            }
            column = (column + 1) % fence.columns.max(1);
        }
        false
    }

    /// Whether all cells but the first of each row are empty.
    fn has_one_column(&self, id: SltId, fence: Fence) -> bool {
        let mut cell = self.slt.child(id, Edge::Within);
        let mut column = 0;
        while let Some(head) = cell {
            if column > 0 && (self.slt.tag(head) != "W!" || self.slt.next(head).is_some()) {
                return false;
            }
            cell = self.slt.child(head, Edge::Element);
            column = (column + 1) % fence.columns.max(1);
        }
        true
    }

    /// Equations below each other, read as if they stood in one row. A row that begins with a relation goes on
    /// with the one before.
    fn aligned(&mut self, id: SltId, fence: Fence) -> OptId {
        let columns = fence.columns.max(1);
        let start = self.memory.tokens.len();
        let mut cell = self.slt.child(id, Edge::Within);
        let mut column = 0;
        let mut first_is_blank = false;
        while let Some(head) = cell {
            cell = self.slt.child(head, Edge::Element);
            let separator = self.memory.tokens.len();
            if column % 2 == 0 && separator > start {
                self.memory.tokens.push(Token { id, kind: Kind::Semicolon, tag: "", partner: NONE });
            }
            let begin = self.memory.tokens.len();
            self.tokenise(head);
            let first = self.memory.tokens.get(begin).map(|token| token.kind);
            if column == 0 {
                first_is_blank = first.is_none();
            }
            let goes_on = first.is_some_and(|kind| {
                kind == Kind::Relation || kind == Kind::Implies || (first_is_blank && level(kind) > 0)
            });
            // The sign may stand in the second cell of a row whose first is empty.
            if goes_on
                && let Some(last) = self.memory.tokens[start..begin].last_mut()
                && last.kind == Kind::Semicolon
                && (column == 0 || first_is_blank)
            {
                last.kind = Kind::Nothing;
            }
            column = (column + 1) % columns;
        }
        let node = self.tokens_from(start);
        self.memory.tokens.truncate(start);
        self.widen(node, self.slt.span(id));
        node
    }

    /// A brace before a table.
    pub(super) fn cases(&mut self, token: Token) -> OptId {
        self.pos += 1;
        let brace = self.slt.span(token.id);
        let Some(table) = self.peek() else { return self.blank() };
        self.pos += 1;
        let id = table.id;
        let Some(fence) = Fence::of(self.slt.tag(id)) else { return self.blank() };
        let node = if self.is_aligned(id, fence) {
            let node = self.aligned(id, fence);
            self.opt.set_brackets(node, Brackets::Curly);
            node
        } else {
            let node = self.node("O!cases");
            self.rows(node, id, fence.columns.max(1), Blanks::Drop);
            node
        };
        self.widen(node, brace);
        self.widen(node, self.slt.span(id));
        self.scripted(node, id)
    }
}

/// What becomes of cells with nothing in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blanks {
    Keep,
    Drop,
}
