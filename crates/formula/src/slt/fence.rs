//! The fence rule: brackets and what is between them become one node.
//!
//! Only the brackets of the labs' list are fences. What is between them is split
//! at commas; a comma stays at the end of the item it follows.

use super::build::{Builder, Chain, Rules, SEPARATOR, bare_table, push_size};
use super::{Edge, Look, SltId};

/// The items of a fence being built.
#[derive(Debug, Default)]
struct Items {
    first: Option<SltId>,
    last: Option<SltId>,
    current: Chain,
    separators: usize,
    after_separator: bool,
}

impl Builder<'_> {
    pub(super) fn are_fences(&self, first: SltId, last: SltId) -> bool {
        is_open(self.slt.tag(first))
            && is_close(self.slt.tag(last))
            && (self.rules == Rules::Labs || (!self.slt.has_children(first) && self.slt.next(last).is_none()))
    }

    /// Makes fences of the brackets that match inside a row, so that its first and last one are not taken for a
    /// pair when they are not: `(a)(b)`. `None` if there are no brackets but at the ends.
    pub(super) fn group_inner_fences<I: Into<Option<SltId>> + Copy>(
        &mut self,
        items: &[I],
    ) -> Option<Vec<SltId>> {
        let bracket = |builder: &Self, id: SltId| {
            let tag = builder.slt.tag(id);
            match tag {
                "(" | "&lsqb;" | "{" if !builder.slt.has_children(id) => Some(true),
                ")" | "&rsqb;" | "}" if builder.slt.next(id).is_none() => Some(false),
                _ => None,
            }
        };
        let inner = items.get(1..items.len().saturating_sub(1)).unwrap_or_default();
        if !inner.iter().filter_map(|&item| item.into()).any(|id| bracket(self, id).is_some()) {
            return None;
        }
        let mut row: Vec<SltId> = Vec::with_capacity(items.len());
        let mut open = Vec::new();
        let mut left = items.iter().filter_map(|&item| item.into()).count();
        for id in items.iter().filter_map(|&item| item.into()) {
            left -= 1;
            let side = bracket(self, id);
            if side == Some(true) {
                open.push(row.len());
            }
            row.push(id);
            // A pair around everything is for the row itself.
            if side == Some(false)
                && let Some(start) = open.pop()
                && !(start == 0 && left == 0)
            {
                let fence = self.row_as_it_is(&row[start..]);
                row.truncate(start);
                row.extend(fence);
            }
        }
        Some(row)
    }

    /// The fence rule. `count` items are not ignorable, `first` and `last` are the fences.
    pub(super) fn fence<I: Into<Option<SltId>> + Copy>(
        &mut self,
        items: &[I],
        first: SltId,
        last: SltId,
        count: usize,
    ) -> SltId {
        let mut inner = items.iter().filter_map(|&item| item.into()).filter(|&id| id != first && id != last);
        let mut list = Items::default();
        let fence = if count == 3 {
            let middle = inner.find(|&id| !self.is_ignorable(id));
            middle.and_then(|middle| self.fence_middle(&mut list, middle, first, last))
        } else {
            for id in inner {
                if !self.is_ignorable(id) {
                    self.add_to_list(&mut list, id);
                }
            }
            None
        };
        let fence = fence.unwrap_or_else(|| self.finish_list(list, first, last));
        if self.rules == Rules::Lossless {
            let sub = self.slt.unlink(last, Edge::Under);
            let sup = self.slt.unlink(last, Edge::Over);
            return self.scripts(Some(fence), sub, sup);
        }
        fence
    }

    /// What a single thing between fences becomes: a table with fences, or items in `list`.
    fn fence_middle(&mut self, list: &mut Items, middle: SltId, first: SltId, last: SltId) -> Option<SltId> {
        if bare_table(self.slt.tag(middle)).is_some()
            && self.slt.children(middle).all(|(edge, _)| edge == Edge::Within)
        {
            self.put_in_fences(middle, first, last);
            return Some(middle);
        }
        self.split_chain(list, middle);
        None
    }

    fn finish_list(&mut self, mut list: Items, first: SltId, last: SltId) -> SltId {
        self.finish_item(&mut list);
        let fence = self.slt.push_with(Look::default(), |_| {});
        let (open, close) = (self.slt.range(first), self.slt.range(last));
        self.slt.set_tag_with(fence, |tags, _| {
            tags.push_str("M!");
            tags.extend_from_within(open);
            tags.extend_from_within(close);
            push_size(tags, "", 1, 1 + list.separators);
        });
        if let Some(head) = list.first {
            self.slt.link(fence, Edge::Within, head);
        }
        fence
    }

    /// Writes fences into the tag of a table that has none.
    fn put_in_fences(&mut self, table: SltId, first: SltId, last: SltId) {
        let (open, close) = (self.slt.range(first), self.slt.range(last));
        self.slt.set_tag_with(table, |tags, old| {
            tags.push_str("M!");
            tags.extend_from_within(open);
            tags.extend_from_within(close);
            tags.extend_from_within(old.start + 2..old.end);
        });
    }

    /// Splits a baseline after its separators. A separator that begins a later item is like any other sign.
    fn split_chain(&mut self, list: &mut Items, head: SltId) {
        let mut start = head;
        if self.slt.tag(head) == SEPARATOR {
            let blank = self.blank();
            self.slt.append(blank, head);
            start = blank;
        }
        let mut end = start;
        while let Some(next) = self.slt.next(end) {
            end = next;
            if self.slt.tag(end) == SEPARATOR {
                list.separators += 1;
                let rest = self.slt.cut_after(start, end);
                list.current.head = Some(start);
                self.finish_item(list);
                let Some(rest) = rest else { return };
                start = rest;
                end = rest;
            }
        }
        list.current.head = Some(start);
    }

    /// Adds one of several things between fences. Separators stay at the end of the item before them.
    fn add_to_list(&mut self, list: &mut Items, id: SltId) {
        let separates = self.slt.tag(id) == SEPARATOR;
        if separates {
            list.separators += 1;
            if list.current.head.is_none() {
                let blank = self.blank();
                self.extend(&mut list.current, blank);
            }
        } else if list.after_separator {
            self.finish_item(list);
        }
        self.extend(&mut list.current, id);
        list.after_separator = separates;
    }

    fn finish_item(&mut self, list: &mut Items) {
        let Some(head) = std::mem::take(&mut list.current).head else { return };
        match list.last {
            Some(last) => self.slt.link(last, Edge::Element, head),
            None => list.first = Some(head),
        }
        list.last = Some(head);
    }
}

fn is_open(tag: &str) -> bool {
    matches!(tag, "(" | "{" | "|" | "∥" | "&lsqb;")
}

fn is_close(tag: &str) -> bool {
    matches!(tag, ")" | "}" | "|" | "∥" | "&rsqb;")
}
