//! Lists: what stands between commas, and how relations share their sides with it.

use super::Read;
use super::signs::{COLON, Kind};
use super::tokens::Token;
use crate::opt::{Brackets, OptId};
use latex::Span;

impl Read<'_> {
    /// Everything up to the end of the row: one expression, or several with commas or words between them.
    pub(super) fn list(&mut self) -> OptId {
        self.trim();
        if let Some(leaf) = self.lone_sign() {
            return leaf;
        }
        let mark = self.memory.items.len();
        while self.peek().is_some() {
            self.read_group(mark);
        }
        let node = match self.memory.items[mark..] {
            [] => self.blank(),
            _ => self.join_items(mark),
        };
        self.memory.items.truncate(mark);
        node
    }

    /// What stands between semicolons or wide spaces becomes one item.
    fn read_group(&mut self, mark: usize) {
        let inner = self.memory.items.len();
        self.read_items(inner);
        if self.peek().is_some() {
            self.pos += 1;
        }
        if self.memory.items.len() == inner {
            return;
        }
        let group = self.shared_list(inner);
        self.memory.items.truncate(inner);
        if self.is_open_forall(group) && inner > mark {
            self.quantify_the_one_before(group);
        }
        self.memory.items.push(group);
    }

    /// Punctuation at the end of a row ends the sentence, not the formula.
    fn trim(&mut self) {
        let ends = |token: &Token| {
            matches!(token.kind, Kind::Comma | Kind::Semicolon | Kind::Period | Kind::Nothing)
        };
        while self.end > self.pos + 1 && ends(&self.memory.tokens[self.end - 1]) {
            self.end -= 1;
        }
    }

    /// A sign that stands alone is a thing of its own: `x^*`, `(G,+)`.
    fn lone_sign(&mut self) -> Option<OptId> {
        if self.end != self.pos + 1 {
            return None;
        }
        let token = self.memory.tokens[self.pos];
        let lone = !matches!(
            token.kind,
            Kind::Operand
                | Kind::Function
                | Kind::Text
                | Kind::Big
                | Kind::Integral
                | Kind::Open(_)
                | Kind::Nothing
        );
        if !lone {
            return None;
        }
        self.pos += 1;
        let leaf = if matches!(token.kind, Kind::Comma | Kind::Semicolon | Kind::Close(_)) {
            self.opt.push("V!&comma;")
        } else {
            self.leaf(token.id)
        };
        Some(self.scripted(leaf, token.id))
    }

    /// Puts what stands between commas onto the list of items, up to a semicolon.
    pub(super) fn read_items(&mut self, mark: usize) {
        while let Some(token) = self.peek().filter(|token| token.kind != Kind::Semicolon) {
            match token.kind {
                Kind::Comma | Kind::Period => self.pos += 1,
                Kind::Text if self.is_connective(token) => {
                    self.pos += 1;
                    let leaf = self.leaf(token.id);
                    let leaf = self.scripted(leaf, token.id);
                    self.memory.items.push(leaf);
                }
                _ if self.modulus_in(token).is_some() => {
                    let before = if self.memory.items.len() > mark { self.memory.items.pop() } else { None };
                    let before = before.unwrap_or_else(|| self.blank());
                    let item = self.with_modulus(before, None);
                    self.memory.items.push(item);
                }
                _ => {
                    let before = self.pos;
                    let item = self.binary(COLON);
                    if self.pos == before {
                        // Nothing can begin with this sign.
                        self.pos += 1;
                        let leaf = self.leaf(token.id);
                        let leaf = self.scripted(leaf, token.id);
                        self.memory.items.push(leaf);
                        continue;
                    }
                    if self.is_open_forall(item) && self.memory.items.len() > mark {
                        self.quantify_the_one_before(item);
                    }
                    self.memory.items.push(item);
                }
            }
        }
    }

    /// Whether this is a quantifier with nothing after it.
    pub(super) fn quantifies_nothing(&self, item: OptId) -> bool {
        matches!(self.opt.tag(item), "O!forall" | "O!exists")
            && self.opt.last_child(item).is_some_and(|body| self.opt.tag(body) == "W!")
    }

    /// The same, only for all: what exists is not said of what is before.
    fn is_open_forall(&self, item: OptId) -> bool {
        self.opt.tag(item) == "O!forall" && self.quantifies_nothing(item)
    }

    /// `f(x)=0 ∀x`: what is said before is said of all.
    fn quantify_the_one_before(&mut self, quantifier: OptId) {
        if let Some(body) = self.memory.items.pop() {
            self.give_body(quantifier, body);
        }
    }

    /// Puts what is said into a quantifier that has nothing yet.
    pub(super) fn give_body(&mut self, quantifier: OptId, body: OptId) -> OptId {
        let children = self.opt.take_children(quantifier);
        if let Some(&bound) = children.first() {
            self.add(quantifier, bound);
        }
        self.add(quantifier, body);
        quantifier
    }

    /// `k=1,2,…,n` says what k is, `a,b∈A` where both are: items without a relation go to the nearest side of
    /// the one with a relation.
    fn share_sides(&mut self, mark: usize) {
        let count = self.memory.items.len() - mark;
        if count < 2 {
            return;
        }
        let related = |read: &Self, at: usize| {
            let item = read.memory.items[mark + at];
            let tag = read.opt.tag(item);
            (is_related(tag) && read.opt.brackets(item) == Brackets::None, is_membership(tag))
        };
        if !(0..count).any(|at| related(self, at).0) {
            return;
        }
        let mut kept = 0usize;
        let mut at = 0;
        let mut run: Option<usize> = None;
        while at <= count {
            let (is_relation, membership) = if at < count { related(self, at) } else { (false, false) };
            let stands_alone =
                at < count && !is_relation && !self.can_be_shared(self.memory.items[mark + at]);
            if at < count && !is_relation && !stands_alone {
                run.get_or_insert(at);
                at += 1;
                continue;
            }
            if let Some(start) = run.take() {
                let before = kept.checked_sub(1).filter(|&before| {
                    let tag = self.opt.tag(self.memory.items[mark + before]);
                    is_related(tag) && !is_membership(tag)
                });
                let to_next = is_relation && (membership || before.is_none());
                if to_next {
                    self.share(mark, start, at, at, Side::Left);
                } else if let Some(before) = before.filter(|_| !is_relation || !membership) {
                    self.share(mark, start, at, before, Side::Right);
                } else {
                    for position in start..at {
                        self.memory.items[mark + kept] = self.memory.items[mark + position];
                        kept += 1;
                    }
                }
            }
            if at < count {
                self.memory.items[mark + kept] = self.memory.items[mark + at];
                kept += 1;
            }
            at += 1;
        }
        self.memory.items.truncate(mark + kept);
    }

    /// Whether an item can be one of several sides: no text, no statement of another kind.
    fn can_be_shared(&self, item: OptId) -> bool {
        let tag = self.opt.tag(item);
        !tag.starts_with("T!")
            && !matches!(
                tag,
                "O!forall"
                    | "O!exists"
                    | "O!colon"
                    | "U!and"
                    | "U!or"
                    | "O!implies"
                    | "O!iff"
                    | "O!not"
                    | "O!mod"
            )
    }

    /// Makes a list of the items from `start` to `end` and a side of another item.
    fn share(&mut self, mark: usize, start: usize, end: usize, target: usize, side: Side) {
        let target = self.memory.items[mark + target];
        let relation = match self.opt.tag(target) {
            "U!and" | "O!mod" => return,
            _ => target,
        };
        let children = self.opt.take_children(relation);
        let list = self.opt.push_with(|_| {});
        let (first, last) = match children[..] {
            [first, last] => (first, last),
            _ => {
                for child in children {
                    self.add(relation, child);
                }
                return;
            }
        };
        let mut size = end - start;
        let shared = if side == Side::Left { first } else { last };
        // A list that was made already grows.
        let grows = self.opt.tag(shared).starts_with("M!L-") && self.opt.brackets(shared) == Brackets::None;
        let head = if grows { self.opt.take_children(shared) } else { vec![shared] };
        size += head.len();
        if side == Side::Right {
            for child in head {
                self.add(list, child);
            }
            for position in start..end {
                self.add(list, self.memory.items[mark + position]);
            }
        } else {
            for position in start..end {
                self.add(list, self.memory.items[mark + position]);
            }
            for child in head {
                self.add(list, child);
            }
        }
        self.set_counted_tag(list, "M!L-", size);
        let (left, right) = if side == Side::Left { (list, last) } else { (first, list) };
        self.add(relation, left);
        self.add(relation, right);
    }

    /// The items since `mark` as one node.
    pub(super) fn shared_list(&mut self, mark: usize) -> OptId {
        self.share_sides(mark);
        self.join_items(mark)
    }

    /// One node for several items.
    fn join_items(&mut self, mark: usize) -> OptId {
        let count = self.memory.items.len() - mark;
        if count == 1 {
            return self.memory.items[mark];
        }
        let sequence = (mark..mark + count)
            .any(|at| !self.can_be_shared(self.memory.items[at]) || self.is_statement(at));
        let node = self.opt.push_with(|_| {});
        for at in mark..mark + count {
            self.add(node, self.memory.items[at]);
        }
        if sequence {
            self.opt.set_tag(node, "O!form-seq");
        } else {
            self.set_counted_tag(node, "M!L-", count);
        }
        node
    }

    fn is_statement(&self, at: usize) -> bool {
        is_related(self.opt.tag(self.memory.items[at]))
    }

    /// Writes a tag that ends with a number.
    pub(super) fn set_counted_tag(&mut self, node: OptId, prefix: &str, count: usize) {
        let mut digits = [0; 20];
        let mut at = digits.len();
        let mut rest = count;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        let start = self.opt.tags.len() as u32;
        self.opt.tags.push_str(prefix);
        self.opt.tags.extend(digits[at..].iter().map(|&digit| digit as char));
        let end = self.opt.tags.len() as u32;
        let node = self.opt.node_mut(node);
        (node.start, node.end) = (start, end);
    }

    /// Whether a text joins statements rather than being one of the things in them.
    pub(super) fn is_connective(&self, token: Token) -> bool {
        let text = self.slt.tag(token.id).get(2..).unwrap_or_default();
        text.contains(' ') || is_connective_word(text.trim_end_matches(['.', ';', ':']))
    }

    /// The span of a token.
    pub(super) fn token_span(&self, at: usize) -> Span {
        self.memory.tokens.get(at).map_or(Span::default(), |token| self.slt.span(token.id))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Whether an operation is a relation between two things.
pub(super) fn is_related(tag: &str) -> bool {
    match tag.get(..2) {
        Some("U!") => matches!(
            &tag[2..],
            "eq" | "neq"
                | "approx"
                | "equivalent"
                | "similar-to"
                | "similar-to-or-equals"
                | "approximately-equals"
                | "asymptotically-equals"
                | "perpendicular-to"
                | "leftrightarrow"
                | "parallel-to"
        ),
        Some("O!") => {
            is_membership(tag)
                || matches!(
                    &tag[2..],
                    "lt" | "gt"
                        | "leq"
                        | "geq"
                        | "assign"
                        | "divides"
                        | "proportional-to"
                        | "to"
                        | "maps-to"
                        | "much-less-than"
                        | "much-greater-than"
                        | "precedes"
                        | "succeeds"
                        | "precedes-or-equals"
                        | "succeeds-or-equals"
                        | "not-divides"
                )
        }
        _ => false,
    }
}

fn is_membership(tag: &str) -> bool {
    matches!(tag, "O!in" | "O!notin" | "O!subset" | "O!subset-of-or-equals" | "O!prsubset" | "O!contains")
}

fn is_connective_word(word: &str) -> bool {
    matches!(
        word,
        "if" | "and"
            | "or"
            | "for"
            | "where"
            | "when"
            | "with"
            | "such"
            | "then"
            | "so"
            | "iff"
            | "otherwise"
            | "else"
            | "on"
            | "in"
            | "is"
            | "as"
            | "since"
            | "because"
            | "hence"
            | "thus"
            | "therefore"
            | "while"
            | "but"
            | "not"
            | "to"
            | "from"
            | "by"
            | "that"
            | "implies"
            | "If"
            | "For"
            | "Let"
            | "let"
            | "&"
            | "s.t"
            | "whenever"
            | "are"
            | "at"
            | "unless"
            | "Then"
            | "And"
            | "i.e"
            | "either"
            | "has"
            | "have"
            | "we"
    )
}
