//! Writes HTML in which every tag is of the list, closed, and where HTML's own rules would leave it.
//!
//! What a browser's parser would move or mend is mended here first, in simple ways: a block ends an open
//! paragraph, an item ends the item before it, an end tag closes what is open inside its element, a stray end tag
//! is dropped, and text in a table that is in no cell gets one.
//! So the result is read back as it was written; `ammonia` agreeing with it is a test.

use crate::entity;
use crate::tag::{TAGS, Tag};

/// Tags deeper than this are dropped; their text stays.
const DEEPEST: usize = 200;

/// Cleaned HTML under way.
pub(crate) struct Writer {
    out: String,
    open: Vec<Tag>,
    /// How many of each tag are open.
    count: [u32; TAGS],
    /// How many start tags were dropped whose end tags must be dropped too.
    dropped: [u32; TAGS],
    /// A newline right after `<pre>` is not content.
    after_pre: bool,
    mended: bool,
}

impl Default for Writer {
    fn default() -> Self {
        Self {
            out: String::new(),
            open: Vec::new(),
            count: [0; TAGS],
            dropped: [0; TAGS],
            after_pre: false,
            mended: false,
        }
    }
}

impl Writer {
    /// Forgets everything but its buffers.
    pub(crate) fn clear(&mut self) {
        self.out.clear();
        self.open.clear();
        self.count = [0; TAGS];
        self.dropped = [0; TAGS];
        self.after_pre = false;
        self.mended = false;
    }

    /// What was written; whole after [`Self::finish`].
    pub(crate) fn html(&self) -> &str {
        &self.out
    }

    /// Puts other HTML in the place of what was written.
    pub(crate) fn replace(&mut self, html: &str) {
        self.clear();
        self.out.push_str(html);
    }

    /// Whether tags had to be moved, closed or dropped beyond what HTML allows to leave out.
    pub(crate) fn was_mended(&self) -> bool {
        self.mended
    }

    /// How many elements of this tag are open.
    pub(crate) fn open_count(&self, tag: Tag) -> u32 {
        self.count[tag as usize]
    }

    fn top(&self) -> Option<Tag> {
        self.open.last().copied()
    }

    fn push(&mut self, tag: Tag) {
        self.out.push('<');
        self.out.push_str(tag.name());
        self.open.push(tag);
        self.count[tag as usize] += 1;
    }

    fn pop(&mut self) {
        if let Some(tag) = self.open.pop() {
            self.count[tag as usize] -= 1;
            self.out.push_str("</");
            self.out.push_str(tag.name());
            self.out.push('>');
            self.after_pre = false;
        }
    }

    fn pop_to(&mut self, length: usize) {
        while self.open.len() > length {
            self.pop();
        }
    }

    /// The innermost open element that `wanted` says yes to, if `through` says yes to all inside it.
    fn nearest(&self, wanted: impl Fn(Tag) -> bool, through: impl Fn(Tag) -> bool) -> Option<usize> {
        for (at, tag) in self.open.iter().enumerate().rev() {
            if wanted(*tag) {
                return Some(at);
            }
            if !through(*tag) {
                return None;
            }
        }
        None
    }

    /// Writes a start tag, and what must end before it.
    pub(crate) fn start(&mut self, tag: Tag) {
        if self.begin(tag) {
            self.out.push('>');
            self.after_pre = tag == Tag::Pre;
        }
    }

    /// Writes the start tag of a link.
    pub(crate) fn start_link(&mut self, href: &str) {
        if self.begin(Tag::A) {
            self.out.push_str(" href=\"");
            entity::escape_attribute(href, &mut self.out);
            self.out.push_str("\">");
        }
    }

    /// Writes a start tag but for its `>`; false if it is not to be.
    fn begin(&mut self, tag: Tag) -> bool {
        match tag {
            Tag::Other => return false,
            Tag::Thead | Tag::Tbody | Tag::Tr | Tag::Th | Tag::Td => return self.begin_part(tag),
            _ => self.make_cell(),
        }
        if tag.is_block() {
            let inline = |tag: Tag| !tag.is_block();
            if let Some(at) = self.nearest(|open| open == Tag::P, inline) {
                self.mended |= at + 1 < self.open.len();
                self.pop_to(at);
            }
            if tag.is_heading()
                && let Some(at) = self.nearest(Tag::is_heading, inline)
            {
                self.mended = true;
                self.pop_to(at);
            }
            let item: fn(Tag) -> bool = match tag {
                Tag::Li => |open| open == Tag::Li,
                Tag::Dt | Tag::Dd => |open| matches!(open, Tag::Dt | Tag::Dd),
                _ => |_| false,
            };
            if let Some(at) = self.nearest(item, |open| !open.is_block() || open == Tag::Div) {
                self.mended |= at + 1 < self.open.len();
                self.pop_to(at);
            }
        } else if tag == Tag::A && self.count[Tag::A as usize] > 0 {
            self.mended = true;
            match self.nearest(|open| open == Tag::A, |open| !open.is_block()) {
                Some(at) => self.pop_to(at),
                None => {
                    self.dropped[tag as usize] += 1;
                    return false;
                }
            }
        }
        self.after_pre = false;
        if matches!(tag, Tag::Br | Tag::Hr) {
            self.out.push('<');
            self.out.push_str(tag.name());
            return true;
        }
        if self.open.len() >= DEEPEST {
            self.mended = true;
            self.dropped[tag as usize] += 1;
            return false;
        }
        self.push(tag);
        true
    }

    /// Starts a part of a table, with the parts around it that were left out.
    fn begin_part(&mut self, tag: Tag) -> bool {
        let Some(at) = self.nearest(|open| open.is_frame() || open.is_cell(), |_| true) else {
            self.mended = true;
            return false; // not in a table
        };
        // Cells end at the next part whatever it is.
        let wanted = |open: Tag| match tag {
            Tag::Thead | Tag::Tbody => open == Tag::Table,
            Tag::Tr => matches!(open, Tag::Table | Tag::Thead | Tag::Tbody),
            _ => open.is_frame(),
        };
        let keep = (0..=at).rev().find(|at| wanted(self.open[*at])).unwrap_or(at);
        self.mended |= keep + 2 < self.open.len();
        self.pop_to(keep + 1);
        if matches!(tag, Tag::Tr | Tag::Th | Tag::Td) && self.top() == Some(Tag::Table) {
            self.push_whole(Tag::Tbody);
        }
        if tag.is_cell() && matches!(self.top(), Some(Tag::Thead | Tag::Tbody)) {
            self.push_whole(Tag::Tr);
        }
        self.after_pre = false;
        // Parts of a table may go a little deeper than the bound, which only tables themselves must keep.
        self.push(tag);
        true
    }

    fn push_whole(&mut self, tag: Tag) {
        self.push(tag);
        self.out.push('>');
    }

    /// Between the parts of a table nothing may stand: starts a cell.
    fn make_cell(&mut self) {
        if self.top().is_some_and(Tag::is_frame) {
            self.mended = true;
            self.start(Tag::Td);
        }
    }

    /// Writes an end tag, and those of all that is open inside the element; stray ones are dropped.
    pub(crate) fn end(&mut self, tag: Tag) {
        if tag == Tag::Br {
            return self.start(tag);
        }
        if self.dropped[tag as usize] > 0 {
            self.dropped[tag as usize] -= 1;
            return;
        }
        let wanted = |open: Tag| open == tag || (tag.is_heading() && open.is_heading());
        let through = |open: Tag| match tag {
            Tag::Table => true,
            Tag::Thead | Tag::Tbody | Tag::Tr | Tag::Th | Tag::Td => open != Tag::Table,
            Tag::Li => !matches!(open, Tag::Ul | Tag::Ol) && !open.is_frame() && !open.is_cell(),
            Tag::Dt | Tag::Dd => open != Tag::Dl && !open.is_frame() && !open.is_cell(),
            _ if tag.is_block() => !open.is_frame() && !open.is_cell(),
            _ => !open.is_block(),
        };
        let Some(at) = self.nearest(wanted, through) else {
            self.mended = true;
            return;
        };
        let optional = |tag: Tag| {
            matches!(tag, Tag::P | Tag::Li | Tag::Dt | Tag::Dd | Tag::Tbody | Tag::Tr | Tag::Td | Tag::Th)
        };
        self.mended |= !self.open[at + 1..].iter().all(|open| optional(*open));
        self.pop_to(at);
    }

    /// Writes text, escaped where needed.
    pub(crate) fn text(&mut self, text: &str) {
        let mut rest = text;
        if self.after_pre || self.top().is_some_and(Tag::is_frame) {
            let Some(text) = self.lead(rest) else { return };
            rest = text;
        }
        let mut from = 0;
        for (at, byte) in rest.bytes().enumerate() {
            let entity = match byte {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                _ => continue,
            };
            self.out.push_str(&rest[from..at]);
            self.out.push_str(entity);
            from = at + 1;
        }
        self.out.push_str(&rest[from..]);
    }

    /// Writes text that needs no escapes.
    pub(crate) fn plain(&mut self, text: &str) {
        let mut rest = text;
        if self.after_pre || self.top().is_some_and(Tag::is_frame) {
            let Some(text) = self.lead(rest) else { return };
            rest = text;
        }
        self.out.push_str(rest);
    }

    /// Writes one character of text.
    pub(crate) fn char(&mut self, c: char) {
        let mut buffer = [0; 4];
        match c {
            '\u{A0}' => {
                self.make_cell();
                self.after_pre = false;
                self.out.push_str("&nbsp;");
            }
            '\r' => self.text("\n"),
            c => self.text(c.encode_utf8(&mut buffer)),
        }
    }

    /// Writes the token of a formula.
    pub(crate) fn token(&mut self, k: usize) {
        self.make_cell();
        self.after_pre = false;
        crate::push_token(k, &mut self.out);
    }

    /// Handles text after `<pre>` and between the parts of a table; what is left to write, if anything.
    fn lead<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let mut rest = text;
        if self.after_pre {
            rest = rest.trim_start_matches('\n');
            if rest.is_empty() {
                return None;
            }
            self.after_pre = false;
        }
        if self.top().is_some_and(Tag::is_frame) {
            let text = rest.trim_ascii_start();
            self.out.push_str(&rest[..rest.len() - text.len()]);
            if text.is_empty() {
                return None;
            }
            self.make_cell();
            rest = text;
        }
        Some(rest)
    }

    /// Closes all that is open.
    pub(crate) fn finish(&mut self) {
        self.pop_to(0);
    }
}
