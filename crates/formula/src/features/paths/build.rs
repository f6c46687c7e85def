//! From the layout tree to approach0's operator tree.
//!
//! approach0 reads LaTeX with a grammar of its own; the same grammar is applied
//! here to the baselines of a layout tree, inner ones first, so the work is
//! linear and nothing recurses.

use super::row::{Row, append_operand};
use super::symbols::{self, Operator, Role};
use super::{PathNode, PathTree, Token};
use crate::features::tag::{Table, Tag};
use crate::slt::{Edge, Hints, Look, Slt, SltId};

/// Builds operator trees; keeps its memory between formulas.
///
/// ```
/// use formula::features::paths::{PathTree, PathTreeBuilder};
/// use formula::slt::Slt;
///
/// let mut tree = PathTree::default();
/// PathTreeBuilder::default().build(&Slt::read("[V!x[+[N!1]]]")?, &mut tree);
/// assert_eq!(tree.to_string(), "ADD(SIGN(HANGER(BASE(VAR:x))),SIGN(ONE:1))");
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathTreeBuilder {
    row: Row,
    /// The first nodes of all baselines, outer ones first.
    heads: Vec<SltId>,
    nodes: Vec<Known>,
}

/// What is known about a node of the layout tree.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// For the head of a baseline: its tree.
    result: Option<PathNode>,
    /// For a superscript: how many primes it begins with.
    primes: usize,
    /// For an item of a fence or cell: whether it goes on with the baseline of the one before.
    joined: bool,
}

impl PathTreeBuilder {
    /// Replaces `tree` by the operator tree of a layout tree.
    pub fn build(&mut self, slt: &Slt, tree: &mut PathTree) {
        tree.clear();
        self.nodes.clear();
        self.nodes.resize(slt.len(), Known::default());
        self.find_heads(slt);
        let heads = std::mem::take(&mut self.heads);
        for &head in heads.iter().rev() {
            let result = self.baseline(slt, tree, head);
            self.nodes[head.index()].result = result;
        }
        self.heads = heads;
        let mut root = slt.root().and_then(|root| self.nodes[root.index()].result);
        if let Some(leaf) = root.filter(|&root| tree.is_leaf(root)) {
            let nil = tree.push(Token::Nil, "");
            tree.append(nil, leaf);
            root = Some(nil);
        }
        tree.set_root(root);
    }

    fn find_heads(&mut self, slt: &Slt) {
        self.heads.clear();
        for id in slt.preorder() {
            let begins = slt.edge(id) != Edge::Next && !self.nodes[id.index()].joined;
            if begins || slt.root() == Some(id) {
                self.heads.push(id);
            }
            if let Some(content) = slt.child(id, Edge::Within) {
                self.join_items(slt, id, content);
            }
        }
    }

    /// Sees which items or cells are one baseline: those of a fence, and those of a row of aligned equations.
    fn join_items(&mut self, slt: &Slt, id: SltId, content: SltId) {
        let every = match Tag::of(slt.tag(id)) {
            Tag::Table(table) => match Grid::of(slt, table, content) {
                Grid::Row => 0,
                Grid::Equations => table.columns,
                Grid::Cells => 1,
            },
            _ => 0,
        };
        let items = std::iter::successors(Some(content), |&item| slt.child(item, Edge::Element));
        for (index, item) in items.enumerate().skip(1) {
            self.nodes[item.index()].joined = every == 0 || index % every != 0;
        }
    }

    /// The tree of a baseline.
    fn baseline(&mut self, slt: &Slt, tree: &mut PathTree, head: SltId) -> Option<PathNode> {
        let mut item = head;
        let mut at = Some(head);
        if slt.root() != Some(head) && slt.edge(head) == Edge::Above {
            let mut primes = 0;
            while let Some(id) = at
                && let Tag::Operator(text) = Tag::of(slt.tag(id))
                && symbols::operator(text) == Role::Prime
            {
                primes += symbols::strokes(text);
                at = slt.next(id);
            }
            self.nodes[head.index()].primes = primes;
        }
        let mut row = std::mem::take(&mut self.row);
        row.begin();
        while let Some(mut id) = at {
            if let Some((name, last)) = symbols::typed_name(slt, id) {
                let leaf = tree.push(symbols::name(name), name);
                let factor = self.head(slt, tree, last, leaf);
                row.factor(tree, factor);
                id = last;
            } else {
                self.read(slt, tree, &mut row, id);
            }
            at = slt.next(id).or_else(|| {
                item = slt.child(item, Edge::Element).filter(|next| self.nodes[next.index()].joined)?;
                Some(item)
            });
        }
        let result = row.end(tree);
        self.row = row;
        result
    }

    /// Takes one symbol of a baseline.
    fn read(&mut self, slt: &Slt, tree: &mut PathTree, row: &mut Row, id: SltId) {
        if slt.hints(id).has(Hints::SPACE_BEFORE) && row.has_operand() {
            let node = tree.push(Token::Sep, " ");
            row.operator(tree, Operator::Outer(Token::Sep), node);
        }
        let within = slt.child(id, Edge::Within);
        let inside = within.and_then(|content| self.nodes[content.index()].result);
        let (role, text) = match Tag::of(slt.tag(id)) {
            Tag::Variable(text) => (symbols::identifier(text), text),
            // The lines of an enclosure are not read.
            Tag::Operator(_) if within.is_some() => {
                let factor = inside.map(|inside| self.hang(slt, tree, id, inside));
                return self.take(tree, row, factor);
            }
            Tag::Operator(text) => (symbols::operator(text), text),
            Tag::Number(text) => {
                let number = number(tree, text);
                let factor = self.hang(slt, tree, id, number);
                return row.factor(tree, factor);
            }
            Tag::Text(text) => (Role::Head(Token::NameFun), text),
            Tag::Wildcard(name) => {
                let leaf = tree.push(Token::Wildcard, name);
                let factor = self.hang(slt, tree, id, leaf);
                return row.factor(tree, factor);
            }
            Tag::Fraction => {
                let token = if slt.look(id).has(Look::NO_BAR) { Token::Binom } else { Token::Frac };
                let fraction = tree.push(token, "/");
                for edge in [Edge::Over, Edge::Under] {
                    if let Some(part) = self.result(slt, id, edge) {
                        append_operand(tree, fraction, part);
                    }
                }
                let factor = self.hang(slt, tree, id, fraction);
                return row.factor(tree, factor);
            }
            Tag::Root => {
                let root = tree.push(Token::Root, "√");
                for part in [inside, self.result(slt, id, Edge::PreAbove)].into_iter().flatten() {
                    tree.append(root, part);
                }
                let factor = self.hang(slt, tree, id, root);
                return row.factor(tree, factor);
            }
            // What stands before `(mod n)` is taken modulo n, too.
            Tag::Table(Table { open: Some('('), .. })
                if within.is_some_and(|head| slt.tag(head) == "mod") =>
            {
                let node = tree.push(Token::Modular, "mod");
                row.operator(tree, Operator::Modular, node);
                let modulus = inside.map(|inside| tree.only_child(inside).unwrap_or(inside));
                return self.take(tree, row, modulus);
            }
            Tag::Table(table) => {
                let group = self.table(slt, tree, within, table);
                let factor = group.map(|group| self.hang(slt, tree, id, group));
                return self.take(tree, row, factor);
            }
            Tag::Error(text) => (Role::Symbol(Token::Var), text),
            Tag::Blank => (Role::Nothing, ""),
        };
        self.take_role(slt, tree, row, id, (role, text));
    }

    /// Takes one symbol of a baseline by its role.
    fn take_role(
        &mut self,
        slt: &Slt,
        tree: &mut PathTree,
        row: &mut Row,
        id: SltId,
        (role, text): (Role, &str),
    ) {
        match role {
            Role::Symbol(token) => {
                let leaf = tree.push(token, text);
                let factor = self.hanger(slt, tree, id, leaf);
                row.factor(tree, factor);
            }
            Role::Head(token) => {
                let leaf = tree.push(token, text);
                let factor = self.head(slt, tree, id, leaf);
                row.factor(tree, factor);
            }
            Role::Prime => {
                let leaf = tree.push(Token::Prime, "′");
                let factor = self.hanger(slt, tree, id, leaf);
                row.factor(tree, factor);
            }
            Role::Between(operator) => {
                let token = match operator {
                    Operator::Outer(token) | Operator::Relation(token) => token,
                    Operator::Add(_) => Token::Add,
                    Operator::Modular => Token::Modular,
                    Operator::Times => Token::Times,
                    Operator::Frac => Token::Frac,
                };
                let node = tree.push(token, text);
                row.operator(tree, operator, node);
            }
            Role::Factorial => row.wrap_last(|mut last| {
                for _ in text.chars() {
                    let factorial = tree.push(Token::Fact, "!");
                    if let Some(last) = last {
                        tree.append(factorial, last);
                    }
                    last = Some(factorial);
                }
                let last = last.unwrap_or_else(|| tree.push(Token::Fact, "!"));
                self.head_if_scripts(slt, tree, id, last)
            }),
            Role::Open(token) => row.open(tree.push(token, text)),
            Role::Close => {
                if row.close(tree) {
                    row.wrap_last(|last| {
                        let last = last.unwrap_or_else(|| tree.push(Token::Group, ""));
                        self.head_if_scripts(slt, tree, id, last)
                    });
                }
            }
            Role::Nothing => {}
        }
    }

    fn take(&mut self, tree: &mut PathTree, row: &mut Row, factor: Option<PathNode>) {
        if let Some(factor) = factor {
            row.factor(tree, factor);
        }
    }

    fn result(&self, slt: &Slt, id: SltId, edge: Edge) -> Option<PathNode> {
        slt.child(id, edge).and_then(|child| self.nodes[child.index()].result)
    }

    /// What is inside a fence or table.
    fn table(
        &mut self,
        slt: &Slt,
        tree: &mut PathTree,
        content: Option<SltId>,
        table: Table,
    ) -> Option<PathNode> {
        let Some(content) = content else {
            return table.open.map(|_| tree.push(Token::Group, ""));
        };
        let inside = self.nodes[content.index()].result;
        let grid = Grid::of(slt, table, content);
        if grid == Grid::Row {
            let Some(open) = table.open else { return inside };
            // The brackets of a binomial are part of it.
            if open == '(' && is_binomial(slt, content) {
                return inside;
            }
            let token = if matches!(open, '|' | '∣' | '∥' | '‖') { Token::Verts } else { Token::Group };
            let group = tree.push(token, open.encode_utf8(&mut [0; 4]));
            if let Some(inside) = inside {
                tree.append(group, inside);
            }
            return Some(group);
        }
        let cells = std::iter::successors(Some(content), |&cell| slt.child(cell, Edge::Element));
        if grid == Grid::Equations {
            let rows: Vec<PathNode> =
                cells.step_by(table.columns).filter_map(|cell| self.nodes[cell.index()].result).collect();
            return rows.into_iter().rev().reduce(|below, row| {
                let separator = tree.push(Token::Sep, "\\\\");
                tree.append(separator, row);
                tree.append(separator, below);
                separator
            });
        }
        let mut rows = None;
        let mut row = None;
        for (index, cell) in cells.enumerate() {
            if table.columns == 1 {
                row = Some(*rows.get_or_insert_with(|| tree.push(Token::TabRow, "\\\\")));
            } else if index % table.columns == 0 {
                let node = tree.push(Token::TabCol, "&");
                if table.rows > 1 {
                    let all = *rows.get_or_insert_with(|| tree.push(Token::TabRow, "\\\\"));
                    tree.append(all, node);
                } else {
                    rows = Some(node);
                }
                row = Some(node);
            }
            if let (Some(row), Some(result)) = (row, self.nodes[cell.index()].result) {
                tree.append(row, result);
            }
        }
        rows
    }

    /// The scripts of a node, hung from `hanger`; whether there were any.
    fn scripts(&self, slt: &Slt, tree: &mut PathTree, id: SltId, hanger: PathNode, limits: Limits) -> bool {
        let mut any = false;
        for (edge, child) in slt.children(id) {
            let token = match edge {
                Edge::Below | Edge::PreBelow => Token::Subscript,
                Edge::Above => Token::Supscript,
                Edge::PreAbove if Tag::of(slt.tag(id)) != Tag::Root => Token::Supscript,
                Edge::Under if limits == Limits::AreScripts => Token::Subscript,
                Edge::Over if limits == Limits::AreScripts => Token::Supscript,
                _ => continue,
            };
            let Known { result, primes, .. } = self.nodes[child.index()];
            for _ in 0..primes {
                let script = tree.push(Token::Supscript, "^");
                let prime = tree.push(Token::Prime, "′");
                tree.append(script, prime);
                tree.append(hanger, script);
                any = true;
            }
            if let Some(result) = result {
                let script = tree.push(token, if token == Token::Subscript { "_" } else { "^" });
                tree.append(script, result);
                tree.append(hanger, script);
                any = true;
            }
        }
        any
    }

    /// A symbol in its hanger, with its scripts.
    fn hanger(&mut self, slt: &Slt, tree: &mut PathTree, id: SltId, leaf: PathNode) -> PathNode {
        let hanger = tree.push(Token::Hanger, "");
        let base = tree.push(Token::Base, "");
        tree.append(hanger, base);
        tree.append(base, leaf);
        match accent(slt, id) {
            // What has a mark is a thing of its own, which may have scripts.
            Some(mark) => self.hang_with(slt, tree, id, hanger, Some(mark), Limits::AreMarks),
            None => {
                self.scripts(slt, tree, id, hanger, Limits::AreMarks);
                hanger
            }
        }
    }

    /// A function or a big operator with its scripts and limits.
    fn head(&mut self, slt: &Slt, tree: &mut PathTree, id: SltId, leaf: PathNode) -> PathNode {
        let token = tree.token(leaf);
        if !token.is_sum_class() {
            return self.head_if_scripts(slt, tree, id, leaf);
        }
        let hanger = tree.push(token, "");
        tree.set_symbol_of(hanger, leaf);
        self.scripts(slt, tree, id, hanger, Limits::AreScripts);
        let base = tree.push(Token::Base, "");
        tree.append(base, leaf);
        tree.append(hanger, base);
        hanger
    }

    fn head_if_scripts(&mut self, slt: &Slt, tree: &mut PathTree, id: SltId, node: PathNode) -> PathNode {
        self.hang_with(slt, tree, id, node, None, Limits::AreScripts)
    }

    /// Anything else with its scripts, if it has any.
    fn hang(&mut self, slt: &Slt, tree: &mut PathTree, id: SltId, node: PathNode) -> PathNode {
        self.hang_with(slt, tree, id, node, accent(slt, id), Limits::AreMarks)
    }

    fn hang_with(
        &mut self,
        slt: &Slt,
        tree: &mut PathTree,
        id: SltId,
        mut node: PathNode,
        mark: Option<Mark>,
        limits: Limits,
    ) -> PathNode {
        if mark == Some(Mark::Arrow) {
            let vector = tree.push(Token::Vect, "→");
            tree.append(vector, node);
            node = vector;
        }
        let hanger = tree.push(Token::Hanger, "");
        if !self.scripts(slt, tree, id, hanger, limits) {
            return node;
        }
        let base = tree.push(Token::Base, "");
        tree.append(base, node);
        tree.append(hanger, base);
        hanger
    }
}

/// What stands straight over and under a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limits {
    AreScripts,
    /// Accents and labels, which are not read.
    AreMarks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Arrow,
    Other,
}

/// The mark over a symbol, if it has one.
fn accent(slt: &Slt, id: SltId) -> Option<Mark> {
    let over = slt.child(id, Edge::Over).or_else(|| slt.child(id, Edge::Under))?;
    let alone = !slt.has_children(over) && Tag::of(slt.tag(id)) != Tag::Fraction;
    match Tag::of(slt.tag(over)) {
        Tag::Operator("→" | "⃗" | "←" | "⇀" | "↔") if alone => Some(Mark::Arrow),
        Tag::Operator(_) if alone => Some(Mark::Other),
        _ => None,
    }
}

/// How the items of a table belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grid {
    /// One baseline: a fence.
    Row,
    /// Cells.
    Cells,
    /// Rows of cells that are one baseline each: aligned equations.
    Equations,
}

impl Grid {
    fn of(slt: &Slt, table: Table, content: SltId) -> Self {
        let mut cells = std::iter::successors(Some(content), |&cell| slt.child(cell, Edge::Element));
        if table.rows > 1 {
            let starts_with_relation = |&cell: &SltId| {
                let Tag::Operator(text) = Tag::of(slt.tag(cell)) else { return false };
                let role = symbols::operator(text);
                matches!(role, Role::Between(Operator::Relation(_) | Operator::Outer(Token::Arrow)))
            };
            let equations = table.columns > 1 && cells.any(|cell| starts_with_relation(&cell));
            return if equations { Self::Equations } else { Self::Cells };
        }
        // Items of a fence are followed by commas, cells are not.
        let mut end = content;
        while let Some(next) = slt.next(end) {
            end = next;
        }
        let lone = slt.child(content, Edge::Element).is_none();
        if lone || slt.tag(end) == "&comma;" { Self::Row } else { Self::Cells }
    }
}

/// Whether a fraction without a line stands alone.
fn is_binomial(slt: &Slt, id: SltId) -> bool {
    slt.tag(id) == "O!divide"
        && slt.look(id).has(Look::NO_BAR)
        && slt.children(id).all(|(edge, _)| matches!(edge, Edge::Over | Edge::Under))
}

/// A number; one with a decimal point has two halves.
fn number(tree: &mut PathTree, text: &str) -> PathNode {
    let whole = |tree: &mut PathTree, text: &str| {
        let token = match text.trim_start_matches('0') {
            "" => Token::Zero,
            "1" => Token::One,
            _ => Token::Num,
        };
        tree.push(token, text)
    };
    match text.split_once('.') {
        Some((before, after)) if !before.is_empty() && !after.is_empty() => {
            let float = tree.push(Token::Float, text);
            for half in [before, after] {
                let half = whole(tree, half);
                tree.append(float, half);
            }
            float
        }
        Some((before, after)) => whole(tree, if before.is_empty() { after } else { before }),
        None => whole(tree, text),
    }
}
