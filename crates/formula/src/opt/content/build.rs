//! The labs' rules by which a content tree becomes an operator tree.

use super::names::{self, Known, Named};
use super::tree::{Closure, ContentId, Dictionary, Element, Tree};
use super::{ContentRemark, Reading};
use crate::opt::{Brackets, Opt, OptId};
use crate::slt::push_clean;

/// The most children a node of the labs may have.
const MAX_CHILDREN: usize = 62;

/// The tag of what is not there.
pub(in crate::opt) const BLANK: &str = "W!";

/// What stands for a [`Element::Share`] until its relation is complete. No tag of any reader.
const SHARE: &str = "$!share";

/// Builds operator trees from content trees; keeps its memory.
#[derive(Debug, Default)]
pub(in crate::opt) struct Build {
    open: Vec<(ContentId, usize)>,
    done: Vec<OptId>,
    text: String,
}

/// One tree being built.
struct Work<'w> {
    tree: &'w Tree,
    opt: &'w mut Opt,
    reading: Reading,
    remarks: &'w mut Vec<ContentRemark>,
    /// More nodes than this are not made by copying.
    limit: usize,
}

impl Build {
    /// Writes the tree below `root` into `opt`, which is emptied first.
    pub(in crate::opt) fn run(
        &mut self,
        tree: &Tree,
        root: ContentId,
        opt: &mut Opt,
        reading: Reading,
        remarks: &mut Vec<ContentRemark>,
    ) {
        opt.clear();
        self.open.clear();
        self.done.clear();
        let limit = 8 * tree.len() + 1024;
        let mut work = Work { tree, opt: &mut *opt, reading, remarks: &mut *remarks, limit };
        self.open.push((root, 0));
        while let Some((id, next)) = self.open.pop() {
            let children = if is_leaf(tree.element(id)) { &[] } else { tree.children(id) };
            if let Some(&child) = children.get(next) {
                self.open.push((id, next + 1));
                self.open.push((child, 0));
                continue;
            }
            let start = self.done.len() - children.len();
            let node = work.node(id, &self.done[start..], &mut self.text);
            self.done.truncate(start);
            self.done.push(node);
            work.opt.set_span(node, tree.span(id));
            if tree.brackets(id) != Brackets::None {
                work.opt.set_brackets(node, tree.brackets(id));
            }
        }
        let root = self.done.pop();
        opt.set_root(root);
        // A share that no chain of relations took stands for nothing.
        let lost: Vec<OptId> = opt.preorder().filter(|&id| opt.tag(id) == SHARE).collect();
        for share in lost {
            remarks.push(ContentRemark::UnknownName("share".to_owned()));
            opt.set_tag(share, BLANK);
        }
    }
}

/// Whether only the text of a node counts.
fn is_leaf(element: Element) -> bool {
    matches!(
        element,
        Element::Identifier
            | Element::Number
            | Element::Text
            | Element::Wildcard
            | Element::Symbol(_)
            | Element::Sign
            | Element::Share
            | Element::Layout
    )
}

impl Work<'_> {
    fn node(&mut self, id: ContentId, children: &[OptId], text: &mut String) -> OptId {
        match self.tree.element(id) {
            Element::Apply => self.apply(id, children),
            Element::Identifier => self.identifier(id, text),
            Element::Number => self.leaf("N!", self.tree.text(id), text),
            Element::Text | Element::Layout => self.leaf("T!", self.tree.text(id), text),
            Element::Wildcard => {
                text.clear();
                push_clean(self.tree.text(id), text);
                self.opt.push_with(|tag| {
                    tag.push('?');
                    tag.push_str(text);
                })
            }
            Element::Symbol(dictionary) => self.symbol(dictionary, self.tree.text(id), text),
            Element::Sign => match names::sign(self.tree.text(id)) {
                Some((named, known)) => self.named(named, self.tree.text(id), known),
                None => self.named(Named::Prefix("O!"), self.tree.text(id), Known::No),
            },
            Element::Error => {
                let error = self.parent("E!", children);
                self.fuse_unknown(error);
                self.split(error);
                error
            }
            Element::Share => self.opt.push(SHARE),
            Element::Vector => self.counted("M!V-", children),
            Element::List => self.counted("M!L-", children),
            Element::Set => self.counted("M!S-", children),
            Element::Matrix => self.matrix(children),
            Element::Row => self.parent("M!R!", children),
            Element::Interval(closure) => {
                let tag = match closure {
                    Closure::Closed => "O!interval(C-C)",
                    Closure::Open => "O!interval(O-O)",
                    Closure::OpenClosed => "O!interval(O-C)",
                    Closure::ClosedOpen => "O!interval(C-O)",
                };
                self.parent(tag, children)
            }
            Element::Qualifier => {
                let node = self.opt.push_with(|tag| {
                    tag.push_str("$!");
                    tag.push_str(self.tree.text(id));
                });
                self.adopt(node, children);
                node
            }
            Element::Other => {
                let node = self.named(Named::Prefix("O!"), self.tree.text(id), Known::No);
                self.adopt(node, children);
                node
            }
        }
    }

    fn parent(&mut self, tag: &str, children: &[OptId]) -> OptId {
        let node = self.opt.push(tag);
        self.adopt(node, children);
        node
    }

    fn adopt(&mut self, node: OptId, children: &[OptId]) {
        for &child in children {
            self.opt.append(node, child);
        }
    }

    fn leaf(&mut self, prefix: &str, letters: &str, text: &mut String) -> OptId {
        text.clear();
        push_clean(letters, text);
        if text.is_empty() {
            return self.opt.push(BLANK);
        }
        self.opt.push_with(|tag| {
            tag.push_str(prefix);
            tag.push_str(text);
        })
    }

    fn identifier(&mut self, id: ContentId, text: &mut String) -> OptId {
        if self.reading == Reading::Tolerant
            && self.tree.text(id).trim().is_empty()
            && let Some(&layout) = self.tree.children(id).first()
        {
            return self.leaf("T!", self.tree.text(layout), text);
        }
        self.leaf("V!", self.tree.text(id), text)
    }

    fn symbol(&mut self, dictionary: Dictionary, name: &str, text: &mut String) -> OptId {
        if dictionary == Dictionary::Tag {
            return self.opt.push_with(|tag| push_tag(name, tag));
        }
        text.clear();
        push_clean(name, text);
        let lower = text.to_lowercase();
        match dictionary {
            Dictionary::Unknown => self.named(Named::Prefix("-!"), &lower, Known::Yes),
            Dictionary::Ambiguous => {
                let (named, known) = names::ambiguous(&lower);
                self.named(named, &lower, known)
            }
            Dictionary::Latexml => {
                if let Some(delimiters) = lower.strip_prefix("delimited-") {
                    // The labs cut one character too many.
                    let rest = delimiters.chars().next().map_or("", |first| &delimiters[first.len_utf8()..]);
                    return self.named(Named::Prefix("M!D-"), rest, Known::Yes);
                }
                let (named, known) = names::latexml(&lower);
                if known == Known::No
                    && let Ok(value) = lower.parse::<f64>()
                {
                    let number = format!("{value:?}");
                    return self.named(Named::Prefix("N!"), &number, Known::Yes);
                }
                self.named(named, &lower, known)
            }
            Dictionary::Tag | Dictionary::Other => self.named(Named::Prefix("O!"), &lower, Known::No),
        }
    }

    fn named(&mut self, named: Named, name: &str, known: Known) -> OptId {
        if known == Known::No {
            self.remarks.push(ContentRemark::UnknownName(name.to_owned()));
        }
        match named {
            Named::Tag(tag) => self.opt.push(tag),
            Named::Prefix(prefix) => self.opt.push_with(|tag| {
                tag.push_str(prefix);
                push_tag(name, tag);
            }),
        }
    }

    fn apply(&mut self, id: ContentId, children: &[OptId]) -> OptId {
        let Some((&operator, operands)) = children.split_first() else { return self.opt.push(BLANK) };
        let first = self.tree.children(id).first();
        if first.is_some_and(|&first| self.tree.element(first) == Element::Symbol(Dictionary::Tag)) {
            self.adopt(operator, operands);
            return operator;
        }
        if let Some(name) = self.opt.tag(operator).strip_prefix("V!") {
            let tag = format!("F!{name}");
            self.opt.set_tag(operator, &tag);
        }
        let node = if self.opt.is_leaf(operator) {
            operator
        } else {
            let first = self.opt.first_child(operator);
            let main = match (self.opt.tag(operator), first) {
                ("O!SUB" | "O!SUP", Some(first)) => format!("+!{}", self.opt.tag(first)),
                _ => "+!".to_owned(),
            };
            let node = self.opt.push(&main);
            self.opt.append(node, operator);
            node
        };
        match self.opt.tag(node) {
            "O!int" => self.integral(node, operands),
            "O!root" => self.root(node, operands),
            "U!and" => {
                self.shares(operands);
                self.adopt(node, operands);
            }
            _ => self.adopt(node, operands),
        }
        self.split(node);
        node
    }

    /// Puts the last operand of each relation where the next one shares it.
    fn shares(&mut self, relations: &[OptId]) {
        for pair in relations.windows(2) {
            let last = self.opt.last_child(pair[0]);
            let shared: Vec<OptId> =
                self.opt.children(pair[1]).filter(|&child| self.opt.tag(child) == SHARE).collect();
            for share in shared {
                match last {
                    Some(last) => self.copy(last, share),
                    None => self.opt.set_tag(share, BLANK),
                }
            }
        }
    }

    /// Makes the leaf `to` a copy of the tree at `from`, as long as that does not get out of hand.
    fn copy(&mut self, from: OptId, to: OptId) {
        let mut open = vec![(from, to)];
        while let Some((from, to)) = open.pop() {
            let tag = self.opt.tag(from).to_owned();
            self.opt.set_tag(to, &tag);
            self.opt.set_span(to, self.opt.span(from));
            self.opt.set_brackets(to, self.opt.brackets(from));
            let children: Vec<OptId> = self.opt.children(from).collect();
            if self.opt.len() + children.len() > self.limit {
                continue;
            }
            for child in children {
                let copy = self.opt.push(BLANK);
                self.opt.append(to, copy);
                open.push((child, copy));
            }
        }
    }

    /// Operand, limits, variable.
    fn integral(&mut self, node: OptId, operands: &[OptId]) {
        let (mut limits, mut variable) = ([None, None], None);
        let mut plain = Vec::new();
        for &operand in operands {
            match self.opt.tag(operand) {
                "$!lowlimit" => limits[0] = self.opt.take_children(operand).first().copied(),
                "$!uplimit" => limits[1] = self.opt.take_children(operand).first().copied(),
                "$!bvar" => variable = self.opt.take_children(operand).first().copied(),
                _ => plain.push(operand),
            }
        }
        if plain.len() != 1 {
            self.remarks.push(ContentRemark::Operands("int".to_owned()));
        }
        let mut plain = plain.into_iter();
        let operand = plain.next().unwrap_or_else(|| self.opt.push(BLANK));
        let interval = if limits == [None, None] {
            self.opt.push(BLANK)
        } else {
            let ends = limits.map(|limit| limit.unwrap_or_else(|| self.opt.push(BLANK)));
            self.parent("O!interval(C-C)", &ends)
        };
        let variable = variable.unwrap_or_else(|| self.opt.push(BLANK));
        self.adopt(node, &[operand, interval, variable]);
        for more in plain {
            self.opt.append(node, more);
        }
    }

    /// Operand and degree.
    fn root(&mut self, node: OptId, operands: &[OptId]) {
        let mut degree = None;
        let mut plain = Vec::new();
        for &operand in operands {
            if self.opt.tag(operand) == "$!degree" {
                degree = self.opt.take_children(operand).first().copied();
            } else {
                plain.push(operand);
            }
        }
        if plain.len() != 1 {
            self.remarks.push(ContentRemark::Operands("root".to_owned()));
        }
        let mut plain = plain.into_iter();
        let operand = plain.next().unwrap_or_else(|| self.opt.push(BLANK));
        let degree = degree.unwrap_or_else(|| self.opt.push("N!2"));
        self.adopt(node, &[operand, degree]);
        for more in plain {
            self.opt.append(node, more);
        }
    }

    fn counted(&mut self, prefix: &str, children: &[OptId]) -> OptId {
        let tag = format!("{prefix}{}", children.len());
        self.parent(&tag, children)
    }

    fn matrix(&mut self, children: &[OptId]) -> OptId {
        let rows: Vec<OptId> = children
            .iter()
            .map(|&row| if self.opt.tag(row) == "M!R!" { row } else { self.parent("M!R!", &[row]) })
            .collect();
        let columns = rows.iter().map(|&row| self.opt.children(row).count()).max().unwrap_or(0);
        let cells: usize = rows.iter().map(|&row| self.opt.children(row).count()).sum();
        // Short rows are filled up, unless one long row among many would make that a flood.
        if columns.saturating_mul(rows.len()) <= 4 * cells + 256 {
            for &row in &rows {
                for _ in self.opt.children(row).count()..columns {
                    let filler = self.opt.push("E!");
                    self.opt.append(row, filler);
                }
            }
        }
        let tag = format!("M!M-{}x{columns}", rows.len());
        self.parent(&tag, &rows)
    }

    /// Makes one text of neighbouring unknown symbols.
    fn fuse_unknown(&mut self, error: OptId) {
        let children = self.opt.take_children(error);
        let mut kept: Vec<OptId> = Vec::with_capacity(children.len());
        let mut run = String::new();
        for child in children {
            let tag = self.opt.tag(child);
            if let (Some(letters), Some(&last)) = (tag.strip_prefix("-!"), kept.last())
                && (self.opt.tag(last).starts_with("-!") || self.opt.tag(last).starts_with("T!"))
            {
                if run.is_empty() {
                    run.push_str("T!");
                    run.push_str(&self.opt.tag(last)[2..]);
                }
                run.push_str(letters);
                let span = self.opt.span(last).to(self.opt.span(child));
                self.opt.set_span(last, span);
                continue;
            }
            self.end_run(&kept, &mut run);
            kept.push(child);
        }
        self.end_run(&kept, &mut run);
        for child in kept {
            self.opt.append(error, child);
        }
    }

    fn end_run(&mut self, kept: &[OptId], run: &mut String) {
        if let Some(&last) = kept.last().filter(|_| !run.is_empty()) {
            self.opt.set_tag(last, run);
            run.clear();
        }
    }

    /// The labs halve nodes with too many children, where order does not count.
    fn split(&mut self, node: OptId) {
        let tag = self.opt.tag(node);
        if self.reading == Reading::Tolerant || !(tag.starts_with("U!") || tag.starts_with("E!")) {
            return;
        }
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if self.opt.children(node).nth(MAX_CHILDREN).is_none() {
                continue;
            }
            let tag = self.opt.tag(node).to_owned();
            let children = self.opt.take_children(node);
            let (left, right) = children.split_at(children.len().div_ceil(2));
            for half in [left, right] {
                let part = self.opt.push(&tag);
                let ends = half.first().zip(half.last());
                if let Some((&first, &last)) = ends {
                    let span = self.opt.span(first).to(self.opt.span(last));
                    self.opt.set_span(part, span);
                }
                self.adopt(part, half);
                self.opt.append(node, part);
                open.push(part);
            }
        }
    }
}

/// Appends a name with the signs of the string grammar spelled out; those spelled out already stay.
fn push_tag(name: &str, tag: &mut String) {
    for c in name.chars() {
        match c {
            '[' => tag.push_str("&lsqb;"),
            ']' => tag.push_str("&rsqb;"),
            ',' => tag.push_str("&comma;"),
            c => tag.push(c),
        }
    }
}
