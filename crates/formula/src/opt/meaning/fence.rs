//! Brackets: groups, tuples, intervals, sets, absolute values, inner products.

use super::Read;
use super::signs::{Kind, sign};
use super::tokens::Token;
use crate::opt::{Brackets, OptId};
use crate::slt::{Edge, Look, SltId};
use latex::Span;

/// What the tag of a fence or a table says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fence {
    /// The opening sign; NUL for a table without fences.
    pub(super) open: char,
    pub(super) close: char,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl Fence {
    /// The fence or table of a tag.
    pub(super) fn of(tag: &str) -> Option<Self> {
        let rest = tag.strip_prefix("M!")?;
        let (front, columns) = rest.rsplit_once('x')?;
        let signs = front.trim_end_matches(|c: char| c.is_ascii_digit());
        let rows = front[signs.len()..].parse().ok()?;
        let columns = columns.parse().ok()?;
        let (open, close) = match signs {
            "" => ('\0', '\0'),
            "()" => ('(', ')'),
            "&lsqb;&rsqb;" => ('[', ']'),
            "{}" => ('{', '}'),
            "||" => ('|', '|'),
            "||||" | "∥∥" | "‖‖" => ('‖', '‖'),
            _ => {
                let sign = |text: &str| match text {
                    "&lsqb;" => '[',
                    "&rsqb;" => ']',
                    _ => text.chars().next().unwrap_or_default(),
                };
                let first = if signs.starts_with("&lsqb;") || signs.starts_with("&rsqb;") {
                    6
                } else {
                    signs.chars().next().map_or(0, char::len_utf8)
                };
                (sign(&signs[..first]), sign(&signs[first..]))
            }
        };
        Some(Self { open, close, rows, columns })
    }
}

impl Read<'_> {
    /// A fence or a table. Its token is the one before the next.
    pub(super) fn fence(&mut self, token: Token) -> OptId {
        let node = self.fence_alone(token);
        match Fence::of(self.slt.tag(token.id)) {
            Some(Fence { open: '\0', rows: 1, columns: 1, .. }) => node,
            _ => self.scripted(node, token.id),
        }
    }

    /// The same without its scripts, unless these are all there is (`M!1x1`).
    pub(super) fn fence_alone(&mut self, token: Token) -> OptId {
        let id = token.id;
        let Some(fence) = Fence::of(self.slt.tag(id)) else {
            self.seen(id);
            let inside = self.child_row(id, Edge::Within);
            self.widen(inside, self.slt.span(id));
            return inside;
        };
        match fence {
            Fence { open: '\0', rows: 1, columns: 1, .. } => self.wrapped(id),
            Fence { open: '\0', .. } => self.table(id, fence),
            Fence { rows, .. } if rows != 1 => self.fenced_table(id, fence),
            Fence { open: '|', close: '|', .. } => self.function_of(id, "F!abs"),
            Fence { open: '‖', .. } => self.function_of(id, "O!norm"),
            Fence { open: '{', close: '}', .. } => self.set(id),
            Fence { columns: 1, .. } => self.group(id, fence),
            _ => self.tuple(id, fence),
        }
    }

    /// Things that only scripts hold together.
    fn wrapped(&mut self, id: SltId) -> OptId {
        let Some(head) = self.slt.child(id, Edge::Within) else {
            let blank = self.blank();
            return self.scripted(blank, id);
        };
        let (below, above) = self.bounds(id);
        let start = self.memory.tokens.len();
        self.tokenise(head);
        // `f|_A`
        let bars = self.memory.tokens[start..].iter().filter(|token| token.kind == Kind::Bar).count();
        let bar = self.memory.tokens[start..]
            .last()
            .filter(|last| last.kind == Kind::Bar && bars % 2 == 1)
            .copied();
        let Some(bar) = bar.filter(|_| below.or(above).is_some() && self.memory.tokens.len() > start + 1)
        else {
            let node = self.tokens_from(start);
            self.memory.tokens.truncate(start);
            self.widen(node, self.slt.span(id));
            return self.scripted(node, id);
        };
        self.memory.tokens.pop();
        let value = self.tokens_from(start);
        self.memory.tokens.truncate(start);
        let node = self.unary("O!evaluated-at", self.slt.span(bar.id), value);
        self.widen(node, self.slt.span(id));
        let bound = self.row(below);
        self.add(node, bound);
        if above.is_some() {
            let bound = self.row(above);
            self.add(node, bound);
        }
        node
    }

    // Items

    /// Puts what stands between the commas of a fence onto the list of items.
    fn fence_items(&mut self, id: SltId) {
        let mut item = self.slt.child(id, Edge::Within);
        while let Some(head) = item {
            item = self.slt.child(head, Edge::Element);
            let node = self.row(Some(head));
            self.memory.items.push(node);
        }
    }

    /// A node of all items since `mark`.
    pub(super) fn of_items(&mut self, mark: usize, prefix: &str, span: Span) -> OptId {
        let count = self.memory.items.len() - mark;
        let node = self.opt.push_with(|_| {});
        self.set_counted_tag(node, prefix, count);
        self.add_items(node, mark);
        self.widen(node, span);
        node
    }

    pub(super) fn add_items(&mut self, node: OptId, mark: usize) {
        for at in mark..self.memory.items.len() {
            self.add(node, self.memory.items[at]);
        }
        self.memory.items.truncate(mark);
    }

    fn function_of(&mut self, id: SltId, tag: &str) -> OptId {
        let mark = self.memory.items.len();
        self.fence_items(id);
        // Bars around bars are a norm.
        if let [inner] = self.memory.items[mark..]
            && tag == "F!abs"
            && self.opt.tag(inner) == tag
            && self.opt.brackets(inner) == Brackets::None
        {
            self.memory.items.truncate(mark);
            self.opt.set_tag(inner, "O!norm");
            self.widen(inner, self.slt.span(id));
            return inner;
        }
        let node = self.node(tag);
        self.widen(node, self.slt.span(id));
        self.add_items(node, mark);
        node
    }

    // Groups and tuples

    /// Brackets around one expression.
    fn group(&mut self, id: SltId, fence: Fence) -> OptId {
        let head = self.slt.child(id, Edge::Within);
        if let Some(stack) = head.filter(|&head| self.is_stack(head)) {
            let tag = match fence.open {
                '(' => "O!binomial",
                '[' => "O!stirling-first",
                _ => "O!atop",
            };
            return self.binomial(id, stack, tag);
        }
        let inside = self.row(head);
        let brackets = if fence.open == '[' { Brackets::Square } else { Brackets::Round };
        self.in_brackets(inside, brackets, self.slt.span(id));
        inside
    }

    /// Whether a fraction without a line stands alone.
    fn is_stack(&self, head: SltId) -> bool {
        self.slt.tag(head) == "O!divide"
            && self.slt.look(head).has(Look::NO_BAR)
            && self.slt.children(head).all(|(edge, _)| matches!(edge, Edge::Over | Edge::Under))
    }

    fn binomial(&mut self, id: SltId, stack: SltId, tag: &str) -> OptId {
        let over = self.child_row(stack, Edge::Over);
        let under = self.child_row(stack, Edge::Under);
        let node = self.binary_node(tag, over, under);
        self.widen(node, self.slt.span(id));
        node
    }

    /// Brackets around several things.
    fn tuple(&mut self, id: SltId, fence: Fence) -> OptId {
        let head = self.slt.child(id, Edge::Within);
        if let Some(head) = head.filter(|&head| sign(self.slt.tag(head)).0 == Kind::Quantifier) {
            return self.one_statement(id, head);
        }
        let mark = self.memory.items.len();
        self.fence_items(id);
        let context = self.pos.checked_sub(2).filter(|&before| before >= self.start);
        let context = context.map(|before| self.memory.tokens[before]);
        self.tuple_of_items(mark, fence.open, fence.close, self.slt.span(id), context)
    }

    /// `(∀x,y: x=y)`: the commas belong to the quantifier.
    fn one_statement(&mut self, id: SltId, head: SltId) -> OptId {
        let start = self.memory.tokens.len();
        let mut item = Some(head);
        while let Some(head) = item {
            item = self.slt.child(head, Edge::Element);
            self.tokenise(head);
        }
        let node = self.tokens_from(start);
        self.memory.tokens.truncate(start);
        self.in_brackets(node, Brackets::Round, self.slt.span(id));
        node
    }

    pub(super) fn tuple_of_items(
        &mut self,
        mark: usize,
        open: char,
        close: char,
        span: Span,
        before: Option<Token>,
    ) -> OptId {
        if self.memory.items.len() == mark + 2 {
            let interval = match (open, close) {
                ('[', ']') => Some("O!interval(C-C)"),
                ('[', ')' | '[') => Some("O!interval(C-O)"),
                ('(' | ']', ']') => Some("O!interval(O-C)"),
                (']', '[') => Some("O!interval(O-O)"),
                ('(', ')') if self.is_interval(mark, before) => Some("O!interval(O-O)"),
                _ => None,
            };
            if let Some(tag) = interval {
                let node = self.node(tag);
                self.add_items(node, mark);
                self.widen(node, span);
                return node;
            }
        }
        let node = self.of_items(mark, "M!V-", span);
        self.opt.set_brackets(node, if open == '[' { Brackets::Square } else { Brackets::Round });
        node
    }

    /// Whether `(a,b)` is an interval: it is a set here, or one of its ends is infinite.
    fn is_interval(&self, mark: usize, before: Option<Token>) -> bool {
        before.is_some_and(|token| {
            matches!(
                token.tag,
                "O!in" | "O!notin" | "O!subset" | "O!subset-of-or-equals" | "U!union" | "U!intersect"
            )
        }) || self.memory.items[mark..].iter().any(|&item| {
            let infinite = |id: OptId| self.opt.tag(id) == "C!infinity";
            infinite(item)
                || self.opt.tag(item) == "O!minus" && self.opt.first_child(item).is_some_and(infinite)
        })
    }

    /// The modulus, if a token is `(mod n)`.
    pub(super) fn modulus_in(&self, token: Token) -> Option<SltId> {
        if token.kind != Kind::Operand || self.slt.tag(token.id) != "M!()1x1" {
            return None;
        }
        let head = self.slt.child(token.id, Edge::Within)?;
        let head = match self.slt.tag(head) {
            "mod" | "V!mod" | "T!mod" => head,
            "V!m" => self.spelled(head, "mod")?,
            _ => return None,
        };
        self.slt.next(head)
    }

    /// The word or sign before a modulus is read with it.
    pub(super) fn see_modulo(&mut self, fence: SltId) {
        let mut at = self.slt.child(fence, Edge::Within);
        let spelled = at.is_some_and(|head| self.slt.tag(head) == "V!m");
        for _ in 0..if spelled { 3 } else { 1 } {
            let Some(id) = at else { return };
            self.seen(id);
            at = self.slt.next(id);
        }
    }

    // Sets

    /// Braces: the members, or what they are and which.
    pub(super) fn set(&mut self, id: SltId) -> OptId {
        let span = self.slt.span(id);
        let Some(head) = self.slt.child(id, Edge::Within) else {
            return self.node("M!S-0");
        };
        if self.is_stack(head) && self.slt.child(head, Edge::Element).is_none() {
            return self.binomial(id, head, "O!stirling-second");
        }
        let mark = self.memory.items.len();
        if let Some(split) = self.items_around_bar(id, mark, Sign::BarOrColon) {
            return self.halves(mark, split, "O!conditional-set", span);
        }
        self.of_items(mark, "M!S-", span)
    }

    /// As [`Read::fence_items`]. If a bar stands in one of the items, it splits that item into two, and the
    /// number of items before the bar is given.
    fn items_around_bar(&mut self, id: SltId, mark: usize, sign: Sign) -> Option<usize> {
        let mut split = None;
        let mut item = self.slt.child(id, Edge::Within);
        while let Some(head) = item {
            item = self.slt.child(head, Edge::Element);
            if split.is_some() || self.depth >= super::MAX_DEPTH {
                let node = self.row(Some(head));
                self.memory.items.push(node);
                continue;
            }
            let start = self.memory.tokens.len();
            self.tokenise(head);
            self.pair(start);
            let end = self.memory.tokens.len();
            match self.bar_between(start, end, sign) {
                Some(bar) => {
                    let left = self.part(start, bar);
                    let right = self.part(bar + 1, end);
                    self.memory.items.push(left);
                    split = Some(self.memory.items.len() - mark);
                    self.memory.items.push(right);
                }
                None => {
                    let node = self.part(start, end);
                    self.memory.items.push(node);
                }
            }
            self.memory.tokens.truncate(start);
        }
        split
    }

    /// Where a bar stands between two things, outside of brackets.
    pub(super) fn bar_between(&self, start: usize, end: usize, sign: Sign) -> Option<usize> {
        let mut at = start;
        while at < end {
            let token = self.memory.tokens[at];
            let here = match token.kind {
                Kind::Relation => token.tag == "O!divides" && !self.has_scripts(token),
                Kind::Colon => sign == Sign::BarOrColon,
                Kind::Open(_) => {
                    at = (token.partner as usize).clamp(at + 1, end);
                    continue;
                }
                _ => false,
            };
            if here && at > start && at + 1 < end {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// A node of two parts: the items before the bar, and those after it.
    fn halves(&mut self, mark: usize, split: usize, tag: &str, span: Span) -> OptId {
        let right = self.shared_list(mark + split);
        self.memory.items.truncate(mark + split);
        let left = self.shared_list(mark);
        self.memory.items.truncate(mark);
        let node = self.binary_node(tag, left, right);
        self.widen(node, span);
        node
    }

    // Arguments

    /// Hangs what stands in the brackets of a function from its node; `P(A|B)` has one argument.
    pub(super) fn spread(&mut self, node: OptId, id: SltId) {
        let span = self.slt.span(id);
        let mark = self.memory.items.len();
        match self.items_around_bar(id, mark, Sign::Bar) {
            Some(split) => {
                let conditional = self.halves(mark, split, "O!conditional", Span::default());
                self.add(node, conditional);
            }
            None => self.add_items(node, mark),
        }
        self.widen(node, span);
    }

    /// The same for brackets that are signs on the baseline.
    pub(super) fn spread_part(&mut self, node: OptId, start: usize, end: usize) {
        let mark = self.memory.items.len();
        self.part_items(mark, start, end);
        self.add_items(node, mark);
    }

    pub(super) fn part_items(&mut self, mark: usize, start: usize, end: usize) {
        let outside = (self.start, self.pos, self.end);
        (self.start, self.pos, self.end) = (start, start, end);
        self.depth += 1;
        if self.depth > super::MAX_DEPTH {
            if start < end {
                let rest = self.rest_flat();
                self.memory.items.push(rest);
            }
        } else if start + 1 == end {
            let item = self.list();
            self.memory.items.push(item);
        } else {
            while self.peek().is_some() {
                self.read_items(mark);
                if self.peek().is_some() {
                    self.pos += 1;
                }
            }
        }
        self.depth -= 1;
        (self.start, self.pos, self.end) = outside;
    }
}

/// What splits the inside of a bracket into two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Bar,
    BarOrColon,
}
