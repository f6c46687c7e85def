//! One baseline after approach0's grammar, sign by sign.
//!
//! Four strengths of binding: separators, arrows and quantifiers; relations and
//! set operations; sums; products. The first two go from right to left, the
//! others from left to right. An operator may lack its operands. Operators that
//! are flat take in operands that are the same operator.

use super::symbols::{Operator, Sign};
use super::{PathNode, PathTree, Token};

/// What is being read between two brackets; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// Operators waiting for what is right of them, of all open brackets.
    outer: Vec<Waiting>,
    relations: Vec<Waiting>,
    /// The open brackets, the baseline itself first.
    open: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    left: Option<PathNode>,
    /// A node of its own that only holds token and symbol until it is known what hangs from it.
    operator: PathNode,
}

#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// The bracket, a node without children; `None` for the baseline itself.
    bracket: Option<PathNode>,
    outer: usize,
    relations: usize,
    sum: Option<PathNode>,
    /// Whether `sum` was made here, so more can be added.
    sum_grows: bool,
    after: After,
    product: Option<PathNode>,
    product_grows: bool,
    divide: bool,
    /// The last factor, which a sign after it may still change.
    last: Option<PathNode>,
}

/// What stands between a sum and the next product.
#[derive(Clone, Copy, Debug, Default)]
enum After {
    #[default]
    Nothing,
    Add(Sign, PathNode),
    Modular(PathNode),
}

impl Row {
    pub(super) fn begin(&mut self) {
        self.outer.clear();
        self.relations.clear();
        self.open.clear();
        self.open.push(Part::default());
    }

    fn part(&mut self) -> &mut Part {
        if self.open.is_empty() {
            self.open.push(Part::default());
        }
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    /// Whether something stands left of here that an operator would take.
    pub(super) fn has_operand(&mut self) -> bool {
        let part = self.part();
        part.last.is_some() || part.product.is_some()
    }

    /// Takes a factor.
    pub(super) fn factor(&mut self, tree: &mut PathTree, factor: PathNode) {
        self.merge_last(tree);
        self.part().last = Some(factor);
    }

    /// Puts something around the last factor.
    pub(super) fn wrap_last(&mut self, wrap: impl FnOnce(Option<PathNode>) -> PathNode) {
        let part = self.part();
        part.last = Some(wrap(part.last.take()));
    }

    /// Takes an operator; `node` holds its token and symbol.
    pub(super) fn operator(&mut self, tree: &mut PathTree, operator: Operator, node: PathNode) {
        match operator {
            Operator::Times => self.merge_last(tree),
            Operator::Frac => {
                self.merge_last(tree);
                self.close_division(tree);
                self.part().divide = true;
            }
            Operator::Add(sign) => {
                self.close_product(tree);
                self.part().after = After::Add(sign, node);
            }
            Operator::Modular => {
                self.close_product(tree);
                self.part().after = After::Modular(node);
            }
            Operator::Relation(_) => {
                let left = self.close_sum(tree);
                self.relations.push(Waiting { left, operator: node });
            }
            Operator::Outer(_) => {
                let left = self.close_relations(tree);
                self.outer.push(Waiting { left, operator: node });
            }
        }
    }

    /// Opens a bracket; `node` holds its token.
    pub(super) fn open(&mut self, node: PathNode) {
        let (outer, relations) = (self.outer.len(), self.relations.len());
        self.open.push(Part { bracket: Some(node), outer, relations, ..Part::default() });
    }

    /// Closes the last bracket and takes it as a factor. Nothing happens when none is open.
    pub(super) fn close(&mut self, tree: &mut PathTree) -> bool {
        let Some(bracket) = self.part().bracket else { return false };
        let inside = self.close_outer(tree);
        self.open.pop();
        if let Some(inside) = inside {
            tree.append(bracket, inside);
        }
        self.factor(tree, bracket);
        true
    }

    /// The tree of the baseline. Brackets that are still open are as if they were not there.
    pub(super) fn end(&mut self, tree: &mut PathTree) -> Option<PathNode> {
        while self.part().bracket.is_some() {
            let inside = self.close_outer(tree);
            self.open.pop();
            if let Some(inside) = inside {
                self.factor(tree, inside);
            }
        }
        self.close_outer(tree)
    }

    fn merge_last(&mut self, tree: &mut PathTree) {
        let part = self.part();
        let Some(factor) = part.last.take() else { return };
        match part.product {
            Some(_) if part.divide => self.divide(tree, Some(factor)),
            None if part.divide => self.divide(tree, Some(factor)),
            None => (part.product, part.product_grows) = (Some(factor), false),
            Some(product) => {
                if part.product_grows {
                    attach(tree, product, factor);
                } else {
                    let times = tree.push(Token::Times, "×");
                    attach(tree, times, product);
                    attach(tree, times, factor);
                    let part = self.part();
                    (part.product, part.product_grows) = (Some(times), true);
                }
            }
        }
    }

    fn divide(&mut self, tree: &mut PathTree, by: Option<PathNode>) {
        let fraction = tree.push(Token::Frac, "/");
        let part = self.part();
        part.divide = false;
        part.product_grows = false;
        let over = part.product.replace(fraction);
        for operand in [over, by].into_iter().flatten() {
            append_operand(tree, fraction, operand);
        }
    }

    /// A fraction whose right side never came.
    fn close_division(&mut self, tree: &mut PathTree) {
        if self.part().divide {
            self.divide(tree, None);
        }
    }

    fn close_product(&mut self, tree: &mut PathTree) {
        self.merge_last(tree);
        self.close_division(tree);
        let part = self.part();
        let product = part.product.take();
        let Part { sum, sum_grows, after, .. } = *part;
        (part.after, part.product_grows) = (After::Nothing, false);
        let (sum, grows) = match after {
            After::Nothing => (product.or(sum), false),
            After::Modular(node) => {
                for operand in [sum, product].into_iter().flatten() {
                    tree.append(node, operand);
                }
                (Some(node), false)
            }
            After::Add(sign, node) => {
                let all = match sum {
                    Some(sum) if sum_grows => {
                        tree.set_symbol_of(sum, node);
                        sum
                    }
                    _ => {
                        if let Some(sum) = sum {
                            attach_signed(tree, node, sum, Sign::Plus);
                        }
                        node
                    }
                };
                if let Some(product) = product {
                    attach_signed(tree, all, product, sign);
                }
                (Some(all), true)
            }
        };
        let part = self.part();
        (part.sum, part.sum_grows) = (sum, grows);
    }

    fn close_sum(&mut self, tree: &mut PathTree) -> Option<PathNode> {
        self.close_product(tree);
        let part = self.part();
        part.sum_grows = false;
        part.sum.take()
    }

    fn close_relations(&mut self, tree: &mut PathTree) -> Option<PathNode> {
        let tail = self.close_sum(tree);
        let start = self.part().relations;
        fold(tree, &mut self.relations, start, tail)
    }

    fn close_outer(&mut self, tree: &mut PathTree) -> Option<PathNode> {
        let tail = self.close_relations(tree);
        let start = self.part().outer;
        fold(tree, &mut self.outer, start, tail)
    }
}

/// Joins operators that wait, from right to left.
fn fold(
    tree: &mut PathTree,
    waiting: &mut Vec<Waiting>,
    start: usize,
    mut tail: Option<PathNode>,
) -> Option<PathNode> {
    while waiting.len() > start {
        // Equal flat operators side by side are one; the first gives the symbol.
        let token = tree.token(waiting[waiting.len() - 1].operator);
        let same = if token.is_flat() {
            waiting[start..].iter().rev().take_while(|other| tree.token(other.operator) == token).count()
        } else {
            1
        };
        let run = waiting.len() - same;
        let node = waiting[run].operator;
        for left in waiting[run..].iter().filter_map(|waiting| waiting.left) {
            attach(tree, node, left);
        }
        if let Some(right) = tail {
            attach(tree, node, right);
        }
        waiting.truncate(run);
        tail = Some(node);
    }
    tail
}

/// Hangs an operand from a fraction, without the brackets around the whole of it.
pub(super) fn append_operand(tree: &mut PathTree, fraction: PathNode, operand: PathNode) {
    let inside = if tree.token(operand) == Token::Group { tree.only_child(operand) } else { None };
    tree.append(fraction, inside.unwrap_or(operand));
}

/// Hangs an operand from an operator, or what hangs from the operand when they are the same.
fn attach(tree: &mut PathTree, parent: PathNode, child: PathNode) {
    let token = tree.token(parent);
    if token.is_flat() && tree.token(child) == token && !tree.is_leaf(child) {
        tree.adopt(parent, child);
    } else {
        tree.append(parent, child);
    }
}

/// Hangs an operand from a sum, with its sign; a sum in a sum has none.
fn attach_signed(tree: &mut PathTree, sum: PathNode, operand: PathNode, sign: Sign) {
    if tree.token(operand) == Token::Add && !tree.is_leaf(operand) {
        tree.adopt(sum, operand);
        return;
    }
    let signed = tree.push(Token::Sign, if sign == Sign::Plus { "+" } else { "-" });
    tree.append(signed, operand);
    tree.append(sum, signed);
}
