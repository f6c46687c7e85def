//! How layout becomes nodes: one method per construct, each following the rules of the labs' reader.
//!
//! Readers (of MathML, of LaTeX) build from the inside out: when a construct
//! ends, they call its method with the heads of what is inside and get the head
//! of the result. `None` stands for "nothing there". Nodes that end up outside
//! the tree stay in the arena unused.

use super::{Edge, Look, Slt, SltId};
use std::fmt::Write as _;

/// The tag of a blank: a slot that must be filled but shows nothing.
pub const BLANK: &str = "W!";
/// The tag of a fraction.
pub const FRACTION: &str = "O!divide";
/// The tag of a root.
pub const ROOT: &str = "O!root";
/// The tag of the invisible wrapper around something that gets scripts but is more than a symbol.
pub const WRAPPER: &str = "M!1x1";
/// The tag of the comma, which separates items in fences.
pub const SEPARATOR: &str = "&comma;";

/// The kinds of leaf; each has its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// Letters and names, `V!`.
    Identifier,
    /// Numbers, `N!`.
    Number,
    /// Words, `T!`.
    Text,
    /// Operators, fences, accents: no prefix.
    Operator,
    /// Wildcards of queries, `?`.
    Wildcard,
    /// What could not be read, `E!`.
    Error,
}

impl Leaf {
    /// What the tag begins with.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Identifier => "V!",
            Self::Number => "N!",
            Self::Text => "T!",
            Self::Operator => "",
            Self::Wildcard => "?",
            Self::Error => "E!",
        }
    }
}

/// Which of two ways to go where the labs' reader loses things that one sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// As the labs: scripts of a closing bracket, and of a table that is merged into its left neighbour, are
    /// lost, and so is what follows in the same group.
    #[default]
    Labs,
    /// Nothing is lost: scripts of a closing bracket become those of the fence, only bare tables are merged,
    /// and brackets in the middle of a row are matched, too.
    Lossless,
}

/// Builds a tree from the inside out. See the [module](self).
///
/// ```
/// use formula::slt::{Builder, Leaf, Look, Slt};
///
/// let mut slt = Slt::default();
/// let mut builder = Builder::new(&mut slt);
/// let x = builder.leaf(Leaf::Identifier, "x", Look::default());
/// let two = builder.leaf(Leaf::Number, "2", Look::default());
/// let square = builder.scripts(Some(x), None, Some(two));
/// let plus = builder.leaf(Leaf::Operator, "+", Look::default());
/// let one = builder.leaf(Leaf::Number, "1", Look::default());
/// let root = builder.row(&[square, plus, one]);
/// slt.set_root(root);
/// assert_eq!(slt.to_string(), "[V!x[+[N!1]],a[N!2]]");
/// ```
#[derive(Debug)]
pub struct Builder<'t> {
    pub(super) slt: &'t mut Slt,
    pub(super) rules: Rules,
}

impl<'t> Builder<'t> {
    /// A builder that adds to this tree's arena, by the rules of the labs.
    pub fn new(slt: &'t mut Slt) -> Self {
        Self::with_rules(slt, Rules::Labs)
    }

    /// A builder that adds to this tree's arena.
    pub fn with_rules(slt: &'t mut Slt, rules: Rules) -> Self {
        Self { slt, rules }
    }

    /// The tree so far.
    pub fn slt(&mut self) -> &mut Slt {
        self.slt
    }

    /// A symbol, number or text. Nothing to see makes a [blank](Builder::blank).
    pub fn leaf(&mut self, kind: Leaf, text: &str, look: Look) -> SltId {
        self.slt.push_tag(kind.prefix(), text, look)
    }

    /// A wildcard of a query: `?` and its name, without the stars around it or the question mark before it that
    /// some topics have. Without a name it is `?` alone, and each stands for anything by itself.
    pub fn wildcard(&mut self, name: &str, look: Look) -> SltId {
        let name = name.trim();
        let name = name.strip_prefix('?').unwrap_or(name).trim_matches('*').trim();
        if name.is_empty() { self.node("?", look) } else { self.leaf(Leaf::Wildcard, name, look) }
    }

    /// A blank, `W!`.
    pub fn blank(&mut self) -> SltId {
        self.node(BLANK, Look::default())
    }

    fn node(&mut self, tag: &str, look: Look) -> SltId {
        self.slt.push_with(look, |tags| tags.push_str(tag))
    }

    /// Whether a row drops this: a blank that nothing hangs from.
    #[must_use]
    pub fn is_ignorable(&self, id: SltId) -> bool {
        matches!(self.slt.tag(id), BLANK | "") && !self.slt.has_children(id)
    }

    /// Things side by side. Fences of the labs' list become nodes of their own, neighbouring tables are merged.
    pub fn row<I: Into<Option<SltId>> + Copy>(&mut self, items: &[I]) -> Option<SltId> {
        if self.rules == Rules::Lossless
            && let Some(grouped) = self.group_inner_fences(items)
        {
            return self.row_as_it_is(&grouped);
        }
        self.row_as_it_is(items)
    }

    pub(super) fn row_as_it_is<I: Into<Option<SltId>> + Copy>(&mut self, items: &[I]) -> Option<SltId> {
        let mut first = None;
        let mut last = None;
        let mut count = 0;
        for id in items.iter().filter_map(|&item| item.into()) {
            if !self.is_ignorable(id) {
                first = first.or(Some(id));
                last = Some(id);
                count += 1;
            }
        }
        let (first, last) = (first?, last?);
        if count > 2 && self.are_fences(first, last) {
            return Some(self.fence(items, first, last, count));
        }
        let mut chain = Chain::default();
        let mut run = Vec::new();
        for id in items.iter().filter_map(|&item| item.into()) {
            if self.is_ignorable(id) {
                continue;
            }
            if chain.last_item.is_some_and(|left| self.can_merge(left, id)) {
                run.push(id);
            } else {
                self.merge_tables(chain.last_item, &mut run);
                self.extend(&mut chain, id);
            }
        }
        self.merge_tables(chain.last_item, &mut run);
        chain.head
    }

    /// Things side by side, fences and tables left as they are.
    pub fn chain<I: Into<Option<SltId>> + Copy>(&mut self, items: &[I]) -> Option<SltId> {
        let mut chain = Chain::default();
        for id in items.iter().filter_map(|&item| item.into()) {
            if !self.is_ignorable(id) {
                self.extend(&mut chain, id);
            }
        }
        chain.head
    }

    pub(super) fn extend(&mut self, chain: &mut Chain, id: SltId) {
        let end = self.slt.baseline_end(id);
        match chain.head.zip(chain.end) {
            None => chain.head = Some(id),
            Some((head, last)) => {
                self.slt.link(last, Edge::Next, id);
                self.slt.node_mut(head).towards_end = Some(end);
            }
        }
        chain.end = Some(end);
        chain.last_item = Some(id);
    }

    /// Whether two neighbours are tables without fences and with the same number of rows.
    fn can_merge(&self, left: SltId, right: SltId) -> bool {
        let Some((rows, _)) = bare_table(self.slt.tag(left)) else { return false };
        let Some((right_rows, _)) = bare_table(self.slt.tag(right)) else { return false };
        let only_cells = |id| self.slt.children(id).all(|(edge, _)| edge == Edge::Within);
        rows == right_rows && (self.rules == Rules::Labs || only_cells(left) && only_cells(right))
    }

    /// Sets the tables of `run`, which is emptied, against the right side of the one before them.
    fn merge_tables(&mut self, left: Option<SltId>, run: &mut Vec<SltId>) {
        let Some(left) = left.filter(|_| !run.is_empty()) else { return };
        let mut sides = Vec::with_capacity(run.len() + 1);
        let mut columns = 0usize;
        for table in std::iter::once(left).chain(run.drain(..)) {
            let width = bare_table(self.slt.tag(table)).map_or(1, |(_, columns)| columns);
            columns = columns.saturating_add(width);
            sides.push((self.slt.unlink(table, Edge::Within), width.max(1)));
        }
        let mut last: Option<SltId> = None;
        while sides.iter().any(|(cell, _)| cell.is_some()) {
            for (from, width) in &mut sides {
                for _ in 0..*width {
                    let Some(cell) = *from else { break };
                    *from = self.slt.unlink(cell, Edge::Element);
                    match last {
                        None => self.slt.link(left, Edge::Within, cell),
                        Some(last) => self.slt.link(last, Edge::Element, cell),
                    }
                    last = Some(cell);
                }
            }
        }
        let rows = bare_table(self.slt.tag(left)).map_or(1, |(rows, _)| rows);
        self.slt.set_tag_with(left, |tags, _| push_size(tags, "M!", rows, columns));
    }

    /// A pair of fences given as characters around something, as the row of the three would be.
    pub fn fenced(&mut self, open: &str, inner: Option<SltId>, close: &str) -> Option<SltId> {
        let open = self.leaf(Leaf::Operator, open, Look::default());
        let close = self.leaf(Leaf::Operator, close, Look::default());
        self.row(&[Some(open), inner, Some(close)])
    }

    /// Sub- and superscript: beside a symbol, under and over an operator.
    pub fn scripts(&mut self, base: Option<SltId>, sub: Option<SltId>, sup: Option<SltId>) -> SltId {
        if base.is_some_and(|base| is_operator(self.slt.tag(base))) {
            self.under_over(base, sub, sup)
        } else {
            self.attach(base, (Edge::Below, sub), (Edge::Above, sup))
        }
    }

    /// Things straight under and over another: limits, accents, labels.
    pub fn under_over(&mut self, base: Option<SltId>, under: Option<SltId>, over: Option<SltId>) -> SltId {
        let has_scripts = base.is_some_and(|base| {
            self.slt.child(base, Edge::Above).is_some() || self.slt.child(base, Edge::Below).is_some()
        });
        if has_scripts {
            for mark in [under, over].into_iter().flatten() {
                let look = self.slt.look(mark).with(Look::COVERS_SCRIPTS);
                self.slt.set_look(mark, look);
            }
        }
        self.attach(base, (Edge::Under, under), (Edge::Over, over))
    }

    fn attach(
        &mut self,
        base: Option<SltId>,
        first: (Edge, Option<SltId>),
        second: (Edge, Option<SltId>),
    ) -> SltId {
        let base = self.base_for(base, first, second);
        for (edge, script) in [first, second] {
            if let Some(script) = script {
                self.slt.link(base, edge, script);
            }
        }
        base
    }

    /// What can carry these scripts: the base, or a wrapper if the base goes on or has such scripts already.
    fn base_for(
        &mut self,
        base: Option<SltId>,
        first: (Edge, Option<SltId>),
        second: (Edge, Option<SltId>),
    ) -> SltId {
        let Some(base) = base.filter(|&base| !self.is_ignorable(base)) else { return self.blank() };
        let taken = self.slt.children(base).any(|(edge, _)| {
            edge == Edge::Next
                || (edge == first.0 && first.1.is_some())
                || (edge == second.0 && second.1.is_some())
        });
        if taken { self.wrap(base) } else { base }
    }

    /// Puts something into an invisible `M!1x1`, so that it can carry scripts as a whole.
    pub fn wrap(&mut self, content: SltId) -> SltId {
        let wrapper = self.node(WRAPPER, Look::default());
        self.slt.link(wrapper, Edge::Within, content);
        wrapper
    }

    /// Scripts on both sides. `post` and `pre` alternate between sub- and superscripts.
    pub fn multiscripts(
        &mut self,
        base: Option<SltId>,
        post: &[Option<SltId>],
        pre: &[Option<SltId>],
    ) -> SltId {
        let below = self.script_chain(post, 0);
        let above = self.script_chain(post, 1);
        let pre_below = self.script_chain(pre, 0);
        let pre_above = self.script_chain(pre, 1);
        let slots = [
            (Edge::Below, below),
            (Edge::Above, above),
            (Edge::PreBelow, pre_below),
            (Edge::PreAbove, pre_above),
        ];
        let base = match base.filter(|&base| !self.is_ignorable(base)) {
            None => self.blank(),
            Some(base) => {
                // The labs hang these scripts from the first symbol of a longer base.
                let taken = self.slt.children(base).any(|(edge, _)| {
                    (edge == Edge::Next && self.rules == Rules::Lossless)
                        || slots.iter().any(|&(slot, script)| slot == edge && script.is_some())
                });
                if taken { self.wrap(base) } else { base }
            }
        };
        for (edge, script) in slots {
            if let Some(script) = script {
                self.slt.link(base, edge, script);
            }
        }
        base
    }

    /// Every second script from `offset`, side by side. Blanks stay as placeholders, except at the end.
    fn script_chain(&mut self, scripts: &[Option<SltId>], offset: usize) -> Option<SltId> {
        let is_seen = |script: &&Option<SltId>| script.is_some_and(|id| !self.is_ignorable(id));
        let count = scripts.len() - scripts.iter().rev().take_while(|script| !is_seen(script)).count();
        let mut chain = Chain::default();
        let mut blanks = 0;
        for script in scripts[..count].iter().skip(offset).step_by(2) {
            match script.filter(|&id| !self.is_ignorable(id)) {
                None => blanks += 1,
                Some(id) => {
                    for _ in 0..std::mem::take(&mut blanks) {
                        let blank = self.blank();
                        self.extend(&mut chain, blank);
                    }
                    self.extend(&mut chain, id);
                }
            }
        }
        chain.head
    }

    /// A fraction.
    pub fn fraction(&mut self, numerator: Option<SltId>, denominator: Option<SltId>, look: Look) -> SltId {
        let fraction = self.node(FRACTION, look);
        for (edge, part) in [(Edge::Over, numerator), (Edge::Under, denominator)] {
            if let Some(part) = part {
                self.slt.link(fraction, edge, part);
            }
        }
        fraction
    }

    /// A root with its index, if it has one.
    pub fn root(&mut self, radicand: Option<SltId>, index: Option<SltId>) -> SltId {
        let root = self.node(ROOT, Look::default());
        for (edge, part) in [(Edge::PreAbove, index), (Edge::Within, radicand)] {
            if let Some(part) = part {
                self.slt.link(root, edge, part);
            }
        }
        root
    }

    /// A table without fences. The cells of all rows follow each other; a missing cell is a blank.
    pub fn table<I: Into<Option<SltId>> + Copy>(
        &mut self,
        cells: &[I],
        rows: usize,
        columns: usize,
    ) -> SltId {
        let table = self.slt.push_with(Look::default(), |tags| push_size(tags, "M!", rows, columns));
        let mut last = None;
        for &cell in cells {
            let cell = cell.into().unwrap_or_else(|| self.blank());
            match last {
                None => self.slt.link(table, Edge::Within, cell),
                Some(last) => self.slt.link(last, Edge::Element, cell),
            }
            last = Some(cell);
        }
        table
    }

    /// Something with lines around or through it. The notation is MathML's (`box`, `updiagonalstrike`).
    pub fn enclose(&mut self, notation: &str, content: Option<SltId>) -> SltId {
        let enclosure = self.slt.push_tag("", notation, Look::default());
        if let Some(content) = content {
            self.slt.link(enclosure, Edge::Within, content);
        }
        enclosure
    }
}

/// A baseline being built.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chain {
    pub(super) head: Option<SltId>,
    end: Option<SltId>,
    /// The head of what was appended last.
    last_item: Option<SltId>,
}

/// Whether scripts of a node with this tag go under and over it.
#[must_use]
pub fn is_operator(tag: &str) -> bool {
    let mut letters = tag.chars();
    letters.next().is_some_and(|first| first != '?') && letters.next() != Some('!')
}

/// Rows and columns, if this is the tag of a table without fences.
pub(super) fn bare_table(tag: &str) -> Option<(usize, usize)> {
    let (rows, columns) = tag.strip_prefix("M!")?.split_once('x')?;
    let number = |digits: &str| {
        if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
    };
    Some((number(rows)?, number(columns)?))
}

pub(super) fn push_size(tags: &mut String, prefix: &str, rows: usize, columns: usize) {
    // Writing to a string cannot fail.
    let _ = write!(tags, "{prefix}{rows}x{columns}");
}
