//! A layout tree set in boxes: where each character is, roughly.
//!
//! A small box model in the manner of TeX: scripts are smaller and raised,
//! fractions stacked, fences as tall as what they hold, matrices are grids.
//! Nodes are looked at three times: parents first for their size, children
//! first for the room they take, parents first again for where they are; so the
//! work is linear and nothing recurses.

use super::metrics::{self, AXIS, COLUMN_GAP, Extent, FENCE, HOOK, ROW_GAP, SCALES};
use crate::features::tag::{Tag, characters};
use crate::slt::{Edge, Look, Slt, SltId};

/// The character that stands for the line of a fraction.
pub const FRACTION_LINE: char = '─';
/// The character that stands for the sign of a root.
pub const ROOT_SIGN: char = '√';

/// A character and its box. `y` grows downwards, the unit is an em of the main size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glyph {
    /// What is seen.
    pub symbol: char,
    /// The node it belongs to.
    pub node: SltId,
    /// Left edge.
    pub left: f32,
    /// Upper edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Lower edge.
    pub bottom: f32,
}

/// Sets layout trees; keeps its memory between them.
///
/// ```
/// use formula::features::phoc::Layout;
/// use formula::slt::Slt;
///
/// let mut layout = Layout::default();
/// layout.set(&Slt::read("[V!x,a[N!2]]")?);
/// let [x, two] = layout.glyphs() else { panic!() };
/// assert_eq!((x.symbol, two.symbol), ('x', '2'));
/// assert!(two.left >= x.right && two.bottom < x.bottom);
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Layout {
    nodes: Vec<Placed>,
    order: Vec<SltId>,
    cells: Vec<SltId>,
    columns: Vec<f32>,
    glyphs: Vec<Glyph>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Placed {
    /// Index into [`SCALES`].
    level: usize,
    /// Whether it is an item of a fence or matrix, which sets it.
    item: bool,
    /// Whether it is an accent, or has one.
    accent: bool,
    /// The symbol itself, without scripts; for fences with what is inside.
    nucleus: Extent,
    /// Where the nucleus begins, after spacing and scripts on the left.
    start: f32,
    /// The rest of the baseline from here on.
    row: Extent,
    /// Where it is, seen from the node it was set by.
    from: Option<SltId>,
    right: f32,
    up: f32,
    /// Where it is.
    x: f32,
    y: f32,
}

/// What is known when a symbol without its scripts is measured.
#[derive(Clone, Copy, Debug)]
struct Room {
    scale: f32,
    /// Where it begins, unless limits are wider.
    before: f32,
    /// The width of the wider limit.
    limits: f32,
}

impl Layout {
    /// The characters, in the order of their nodes.
    #[must_use]
    pub fn glyphs(&self) -> &[Glyph] {
        &self.glyphs
    }

    /// The box around all characters: left, top, right, bottom. `None` when nothing is seen.
    #[must_use]
    pub fn bounds(&self) -> Option<[f32; 4]> {
        let first = self.glyphs.first()?;
        let start = [first.left, first.top, first.right, first.bottom];
        Some(self.glyphs.iter().fold(start, |[left, top, right, bottom], glyph| {
            [left.min(glyph.left), top.min(glyph.top), right.max(glyph.right), bottom.max(glyph.bottom)]
        }))
    }

    /// Sets a tree.
    pub fn set(&mut self, slt: &Slt) {
        self.nodes.clear();
        self.nodes.resize(slt.len(), Placed::default());
        self.glyphs.clear();
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(slt.preorder());
        for &id in &order {
            self.size(slt, id);
        }
        for &id in order.iter().rev() {
            self.measure(slt, id);
        }
        for &id in &order {
            self.place(slt, id);
        }
        self.order = order;
    }

    fn node(&self, id: SltId) -> &Placed {
        &self.nodes[id.index()]
    }

    /// How big a node's characters are, and who sets it.
    fn size(&mut self, slt: &Slt, id: SltId) {
        let Some(parent) = slt.parent(id).filter(|_| slt.root() != Some(id)) else { return };
        let above = *self.node(parent);
        let edge = slt.edge(id);
        let stacked = Tag::of(slt.tag(parent)) == Tag::Fraction && matches!(edge, Edge::Over | Edge::Under);
        let accent = matches!(edge, Edge::Over | Edge::Under) && is_accent(slt, parent, id);
        let smaller = !stacked && !accent && !matches!(edge, Edge::Next | Edge::Within | Edge::Element);
        let level = if smaller { (above.level + 1).min(SCALES.len() - 1) } else { above.level };
        let item = edge == Edge::Within || edge == Edge::Element && above.item;
        let node = &mut self.nodes[id.index()];
        (node.level, node.item, node.accent) = (level, item, accent);
    }

    /// Says where a node is, seen from another, and returns how much room its baseline takes.
    fn set_by(&mut self, from: SltId, id: SltId, right: f32, up: f32) -> Extent {
        let node = &mut self.nodes[id.index()];
        (node.from, node.right, node.up) = (Some(from), right, up);
        node.row
    }

    /// The room of a node whose children are measured.
    fn measure(&mut self, slt: &Slt, id: SltId) {
        let level = self.node(id).level;
        let scale = SCALES[level];
        let tag = Tag::of(slt.tag(id));
        let sign = if let Tag::Operator(text) = tag { single(text) } else { None };
        let spacing = if level == 0 { sign.map_or(0.0, metrics::space_around) } else { 0.0 };
        let [pre_above, pre_below, mut above, mut below, mut over, mut under] =
            [Edge::PreAbove, Edge::PreBelow, Edge::Above, Edge::Below, Edge::Over, Edge::Under]
                .map(|edge| slt.child(id, edge));
        if tag == Tag::Fraction {
            (over, under) = (None, None);
        } else if sign.is_some_and(metrics::has_limits_beside) {
            let free = |place: &mut Option<SltId>, limit: &mut Option<SltId>| {
                if place.is_none() {
                    *place = limit.take();
                }
            };
            free(&mut above, &mut over);
            free(&mut below, &mut under);
        }
        // Scripts on the left come before everything else.
        let before = spacing + self.widest(&[pre_above, pre_below]);
        let limits = self.widest(&[over, under]);
        let body = self.nucleus(slt, id, tag, Room { scale, before, limits });
        // Limits and accents are centred; the nucleus moves when they are wider.
        let broad = body.width.max(limits);
        let start = before + (broad - body.width) / 2.0;
        let mut unit = Extent::default();
        unit.cover(body, start, 0.0);
        for limit in [over, under].into_iter().flatten() {
            if self.node(limit).accent && slt.look(limit).has(Look::STRETCHY) {
                let mark = &mut self.nodes[limit.index()];
                (mark.nucleus.width, mark.row.width) = (body.width, body.width);
            }
            let Placed { row, accent, .. } = *self.node(limit);
            let gap = if accent { 0.03 } else { 0.12 } * scale;
            let up = if Some(limit) == over {
                body.ascent + gap + row.descent
            } else {
                -(body.descent + gap + row.ascent)
            };
            let right = before + (broad - row.width) / 2.0;
            self.set_by(id, limit, right, up);
            unit.cover(row, right, up);
        }
        let raise = |row: Extent| (body.ascent - 0.3 * scale).max(0.4 * scale).max(row.descent + 0.15);
        let lower = |row: Extent| (body.descent + 0.15 * scale).max(row.ascent - 0.25 * scale).max(0.15);
        // The index of a root stands over the hook.
        let over_hook = |row: Extent| body.height() * 0.5 - body.descent + row.descent;
        for script in [pre_above, pre_below, above, below].into_iter().flatten() {
            let row = self.node(script).row;
            let is_left = [pre_above, pre_below].contains(&Some(script));
            let right = if is_left { before - row.width } else { before + broad };
            let up = match slt.edge(script) {
                Edge::PreAbove if tag == Tag::Root => over_hook(row),
                Edge::PreAbove | Edge::Above | Edge::Over => raise(row),
                _ => -lower(row),
            };
            self.set_by(id, script, right, up);
            unit.cover(row, right, up);
        }
        unit.width += spacing;
        let mut row = unit;
        if let Some(next) = slt.next(id) {
            let rest = self.set_by(id, next, unit.width, 0.0);
            row.cover(rest, unit.width, 0.0);
        }
        // An item outside any fence stands behind the baseline.
        if let Some(element) = slt.child(id, Edge::Element)
            && !self.node(id).item
        {
            let right = row.width;
            let rest = self.set_by(id, element, right, 0.0);
            row.cover(rest, right, 0.0);
        }
        let node = &mut self.nodes[id.index()];
        (node.nucleus, node.start, node.row) = (body, start, row);
    }

    fn widest(&self, nodes: &[Option<SltId>]) -> f32 {
        nodes.iter().flatten().map(|&id| self.node(id).row.width).fold(0.0, f32::max)
    }

    /// The room of a symbol without its scripts; sets what is inside it.
    fn nucleus(&mut self, slt: &Slt, id: SltId, tag: Tag<'_>, room: Room) -> Extent {
        let scale = room.scale;
        let content = slt.child(id, Edge::Within);
        let (mut extent, inside) = match tag {
            _ if self.node(id).accent => return Extent::new(0.5, 0.15, 0.0).scaled(scale),
            Tag::Fraction => return self.fraction(slt, id, room),
            Tag::Table(table) => {
                let fence = |sign: Option<char>| if sign.is_some() { FENCE * scale } else { 0.0 };
                let shape = (table.rows, table.columns);
                let mut extent = self.grid(slt, id, content, shape, fence(table.open));
                if table.open.is_some() || table.close.is_some() {
                    // Brackets reach as far from the axis on both sides.
                    let reach = (extent.ascent - AXIS * scale).max(extent.descent + AXIS * scale);
                    let reach = reach.max(0.5 * scale);
                    extent.ascent = AXIS * scale + reach;
                    extent.descent = reach - AXIS * scale;
                }
                extent.width += fence(table.close);
                self.shift_items(slt, content, room, extent.width);
                return extent;
            }
            Tag::Root => (Extent::new(HOOK * scale, 0.7 * scale, 0.05 * scale), HOOK * scale),
            // The name of an enclosure is not seen.
            Tag::Operator(_) if content.is_some() => (Extent::default(), 0.1 * scale),
            Tag::Operator("(" | "{" | "&lsqb;" | "|") if big_table_after(slt, id).is_some() => {
                // A bracket without its other half, as before cases.
                let table =
                    big_table_after(slt, id).map_or(Extent::default(), |table| self.node(table).nucleus);
                return Extent::new(FENCE * scale, table.ascent, table.descent);
            }
            Tag::Variable(text) | Tag::Number(text) | Tag::Text(text) | Tag::Operator(text) => {
                (text_extent(text, scale), 0.0)
            }
            Tag::Error(text) => (text_extent(text, scale), 0.0),
            Tag::Wildcard(_) => (Extent::new(0.6 * scale, 0.7 * scale, 0.0), 0.0),
            Tag::Blank => (Extent::new(0.3 * scale, 0.3 * scale, 0.0), 0.0),
        };
        if content.is_some() {
            let row = self.grid(slt, id, content, (1, 1), inside);
            extent.cover(row, 0.0, 0.0);
            extent.ascent += 0.1 * scale;
            extent.descent += 0.02;
            self.shift_items(slt, content, room, extent.width);
        }
        extent
    }

    /// Items were set from the left end of the nucleus, which is not where the node begins.
    fn shift_items(&mut self, slt: &Slt, content: Option<SltId>, room: Room, width: f32) {
        let shift = room.before + (room.limits.max(width) - width) / 2.0;
        let mut item = content;
        while let Some(current) = item {
            self.nodes[current.index()].right += shift;
            item = slt.child(current, Edge::Element);
        }
    }

    fn fraction(&mut self, slt: &Slt, id: SltId, room: Room) -> Extent {
        let parts = [Edge::Over, Edge::Under].map(|edge| slt.child(id, edge));
        let rows = parts.map(|part| part.map_or(Extent::default(), |part| self.node(part).row));
        let [axis, gap] = [AXIS * room.scale, 0.15 * room.scale];
        let width = rows[0].width.max(rows[1].width) + 0.24 * room.scale;
        let mut extent = Extent::new(width, axis, -axis);
        let up = [axis + gap + rows[0].descent, axis - gap - rows[1].ascent];
        for ((part, row), up) in parts.into_iter().zip(rows).zip(up) {
            let Some(part) = part else { continue };
            let right = (width - row.width) / 2.0;
            self.set_by(id, part, room.before + right, up);
            extent.cover(row, right, up);
        }
        extent
    }

    /// Sets items in rows of so many columns; one row stands on the baseline, more are centred on the axis.
    fn grid(
        &mut self,
        slt: &Slt,
        id: SltId,
        first: Option<SltId>,
        (rows, columns): (usize, usize),
        left: f32,
    ) -> Extent {
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        cells.extend(std::iter::successors(first, |&cell| slt.child(cell, Edge::Element)));
        let scale = SCALES[self.node(id).level];
        let mut extent = Extent::new(left, 0.0, 0.0);
        if rows <= 1 {
            for &cell in &cells {
                let right = extent.width;
                let row = self.set_by(id, cell, right, 0.0);
                extent.cover(row, right, 0.0);
            }
        } else {
            let mut widths = std::mem::take(&mut self.columns);
            widths.clear();
            widths.resize(columns.min(cells.len()), 0.0);
            for row in cells.chunks(columns) {
                for (width, &cell) in widths.iter_mut().zip(row) {
                    *width = self.node(cell).row.width.max(*width);
                }
            }
            let gaps = COLUMN_GAP * scale * widths.len().saturating_sub(1) as f32;
            extent.width += widths.iter().sum::<f32>() + gaps;
            let mut down = 0.0;
            for row in cells.chunks(columns) {
                let rows = || row.iter().map(|&cell| self.nodes[cell.index()].row);
                let ascent = rows().map(|row| row.ascent).fold(0.7 * scale, f32::max);
                let descent = rows().map(|row| row.descent).fold(0.0, f32::max);
                down += ascent;
                let mut right = left;
                for (&width, &cell) in widths.iter().zip(row) {
                    let centred = right + (width - self.node(cell).row.width) / 2.0;
                    self.set_by(id, cell, centred, -down);
                    right += width + COLUMN_GAP * scale;
                }
                down += descent + ROW_GAP * scale;
            }
            let height = (down - ROW_GAP * scale).max(0.0);
            let top = AXIS * scale + height / 2.0;
            for &cell in &cells {
                self.nodes[cell.index()].up += top;
            }
            (extent.ascent, extent.descent) = (top, height - top);
            self.columns = widths;
        }
        self.cells = cells;
        extent
    }

    /// Puts a node where it belongs and draws its characters.
    fn place(&mut self, slt: &Slt, id: SltId) {
        let mut node = *self.node(id);
        if let Some(from) = node.from {
            let from = self.node(from);
            (node.x, node.y) = (from.x + node.right, from.y - node.up);
            self.nodes[id.index()] = node;
        }
        let scale = SCALES[node.level];
        let Extent { width, ascent, descent } = node.nucleus;
        let (left, right) = (node.x + node.start, node.x + node.start + width);
        let (top, bottom) = (node.y - ascent, node.y + descent);
        let mut draw = |symbol, left, top, right, bottom| {
            self.glyphs.push(Glyph { symbol, node: id, left, top, right, bottom });
        };
        match Tag::of(slt.tag(id)) {
            Tag::Fraction if !slt.look(id).has(Look::NO_BAR) => {
                let axis = node.y - AXIS * scale;
                draw(FRACTION_LINE, left, axis - 0.02, right, axis + 0.02);
            }
            Tag::Root => draw(ROOT_SIGN, left, top, right, bottom),
            Tag::Table(table) => {
                let fence = FENCE * scale;
                if let Some(open) = table.open {
                    draw(open, left, top, left + fence, bottom);
                }
                if let Some(close) = table.close {
                    draw(close, right - fence, top, right, bottom);
                }
            }
            Tag::Variable(text) | Tag::Number(text) | Tag::Text(text) | Tag::Error(text) => {
                letters(text, left, node.y, scale, draw);
            }
            Tag::Operator(text) if slt.child(id, Edge::Within).is_none() => match single(text) {
                Some(sign) => draw(sign, left, top, right, bottom),
                None => letters(text, left, node.y, scale, draw),
            },
            Tag::Fraction | Tag::Operator(_) | Tag::Wildcard(_) | Tag::Blank => {}
        }
    }
}

/// Draws text on a baseline.
fn letters(text: &str, left: f32, y: f32, scale: f32, mut draw: impl FnMut(char, f32, f32, f32, f32)) {
    let mut x = left;
    for c in characters(text) {
        let extent = metrics::character(c).scaled(scale);
        if !c.is_whitespace() {
            draw(c, x, y - extent.ascent, x + extent.width, y + extent.descent);
        }
        x += extent.width;
    }
}

fn text_extent(text: &str, scale: f32) -> Extent {
    let mut extent = Extent::new(0.0, 0.0, f32::MIN);
    for c in characters(text) {
        let right = extent.width;
        extent.cover(metrics::character(c), right, 0.0);
    }
    extent.descent = if extent.descent == f32::MIN { 0.0 } else { extent.descent };
    extent.scaled(scale)
}

/// The only character of a text.
fn single(text: &str) -> Option<char> {
    let mut characters = characters(text);
    characters.next().filter(|_| characters.next().is_none())
}

/// The matrix that stands beside a node.
fn big_table_after(slt: &Slt, id: SltId) -> Option<SltId> {
    slt.next(id).filter(|&next| matches!(Tag::of(slt.tag(next)), Tag::Table(table) if table.rows > 1))
}

/// A sign alone over or under something that is no operator.
fn is_accent(slt: &Slt, base: SltId, mark: SltId) -> bool {
    let alone = !slt.has_children(mark);
    let is_operator = |id| matches!(Tag::of(slt.tag(id)), Tag::Operator(_));
    alone && is_operator(mark) && !is_operator(base)
}
