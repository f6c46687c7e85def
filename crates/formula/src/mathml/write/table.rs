//! Grids: matrices, cases, aligned equations.

use super::operator::Side;
use super::{Writer, styles};
use crate::text::atoms::{Atom, unwrapped};
use latex::{Kind, List, NodeId, TableKind, Text};

/// How many letters of a column specification count.
const MAX_COLUMNS: usize = 200;

/// How a cell stands in its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Center,
    Right,
}

impl Writer<'_, '_> {
    pub(super) fn table(
        &mut self,
        id: NodeId,
        rows: List,
        kind: TableKind,
        (left, right): (Option<char>, Option<char>),
        columns: Text,
    ) {
        let tree = self.tree;
        let fenced = left.is_some() || right.is_some();
        if fenced {
            self.out.push_str("<mrow>");
            if let Some(sign) = left {
                self.fence(sign, Side::Left);
            }
        }
        let (display, level) = (self.display, self.level);
        let small = self.typed(id).get(..24).unwrap_or(self.typed(id)).contains("smallmatrix");
        match kind {
            TableKind::Align | TableKind::Gather => {
                self.display = true;
                self.out.push_str("<mtable displaystyle=\"true\">");
            }
            _ if small => {
                self.display = false;
                self.level = self.level.max(1);
                self.out.push_str("<mtable displaystyle=\"false\" scriptlevel=\"1\">");
            }
            _ => {
                self.display = false;
                self.out.push_str("<mtable>");
            }
        }
        tree.with_text(columns, |columns| {
            // Nobody reads further; looking each column up stays cheap.
            let columns = columns.get(..MAX_COLUMNS).unwrap_or(columns);
            for &row in tree.list(rows) {
                let Kind::TableRow(cells) = tree.kind(row) else { continue };
                self.out.push_str("<mtr>");
                for (index, &cell) in tree.list(cells).iter().enumerate() {
                    self.cell(cell, index, kind, columns);
                }
                self.out.push_str("</mtr>");
            }
        });
        self.out.push_str("</mtable>");
        (self.display, self.level) = (display, level);
        if fenced {
            if let Some(sign) = right {
                self.fence(sign, Side::Right);
            }
            self.out.push_str("</mrow>");
        }
    }

    fn cell(&mut self, cell: NodeId, index: usize, kind: TableKind, columns: &str) {
        let tree = self.tree;
        let align = alignment(kind, columns, index);
        let mut rules = Vec::with_capacity(2);
        match (kind, align) {
            // The two sides of an equation stand together; further pairs apart.
            (TableKind::Align, Align::Right) if index > 0 => rules.push(styles::FURTHER_SIDE),
            (TableKind::Align, Align::Right) => rules.push(styles::LEFT_SIDE),
            (TableKind::Align, Align::Left) if index > 0 => rules.push(styles::RIGHT_SIDE),
            (TableKind::Align, Align::Center) => rules.push(styles::SIGN),
            (TableKind::Substack, Align::Left) => rules.push(styles::TIGHT_LEFT),
            (TableKind::Substack, _) => rules.push(styles::TIGHT),
            (_, Align::Left) => rules.push(styles::LEFT),
            (_, Align::Right) => rules.push(styles::RIGHT),
            (_, Align::Center) => {}
        }
        if has_line(columns, index) {
            rules.push(styles::LEFT_LINE);
        }
        self.out.push_str("<mtd");
        self.style(&rules);
        self.out.push('>');
        let cell = unwrapped(tree, cell);
        // As in TeX, the right side of an equation begins with an empty thing.
        let before = (kind == TableKind::Align && index > 0).then_some(Atom::Ord);
        self.row(tree.row(&cell), before);
        self.out.push_str("</mtd>");
    }
}

fn alignment(kind: TableKind, columns: &str, index: usize) -> Align {
    let named = columns.bytes().filter(|&b| b != b'|').nth(index);
    let named = match (kind, named) {
        // `rl` and `rcl` repeat.
        (TableKind::Align, None) if !columns.is_empty() => {
            let count = columns.bytes().filter(|&b| b != b'|').count();
            columns.bytes().filter(|&b| b != b'|').nth(index.checked_rem(count).unwrap_or(0))
        }
        (_, named) => named,
    };
    match (named, kind) {
        (Some(b'l'), _) => Align::Left,
        (Some(b'r'), _) => Align::Right,
        (Some(_), _) => Align::Center,
        (None, TableKind::Cases) => Align::Left,
        (None, TableKind::Align) if index.is_multiple_of(2) => Align::Right,
        (None, TableKind::Align) => Align::Left,
        (None, TableKind::Matrix | TableKind::Gather | TableKind::Substack) => Align::Center,
    }
}

/// Whether `|` stands before a column.
fn has_line(columns: &str, index: usize) -> bool {
    let mut seen = 0;
    for byte in columns.bytes() {
        match byte {
            b'|' if seen == index => return true,
            b'|' => {}
            _ => seen += 1,
        }
        if seen > index {
            return false;
        }
    }
    false
}
