//! The parts by which formulas are found before they are matched.
//!
//! A part is a small piece of the evened-out layout or operator tree: exact
//! ones tell formulas apart, those in which letters and numbers are only
//! letters and numbers find formulas whose letters were renamed. They form a
//! multiset; nothing that touches a wildcard is part of it.
//!
//! | part | of | what |
//! | --- | --- | --- |
//! | symbol | layout | every symbol |
//! | shape pair | layout | a symbol and one beside it, letters and numbers as such |
//! | far pair | layout | a symbol, the one two edges further, and both edges |
//! | operand | operators | an operator, an operand, and its place unless the order is free |
//! | operand's shape | operators | the same, letters and numbers as such, if it has any |
//! | operation | operators | an operator with all its operands, letters and numbers as such |

use super::layout::normalise;
use super::node::{Kind, Node, Nodes, Order};
use crate::opt::Opt;
use crate::opt::meaning::SltToOpt;
use crate::slt::{Edge, Slt};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// How many symbols of a formula are looked at.
const MAX_SYMBOLS: usize = 600;

/// Which sort of part it is: parts of two sorts are never the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
enum Sort {
    Symbol = 1,
    ShapePair,
    FarPair,
    Operand,
    OperandShape,
    Operation,
}

fn part(sort: Sort, of: &[u64]) -> u64 {
    let mut bytes = [0; 24];
    for (bytes, number) in bytes.chunks_exact_mut(8).zip(of) {
        bytes.copy_from_slice(&number.to_le_bytes());
    }
    xxh3_64_with_seed(&bytes, sort as u64)
}

/// The part that is a symbol of the layout.
pub(super) fn symbol_part(tag: &str) -> u64 {
    part(Sort::Symbol, &[xxh3_64(tag.as_bytes())])
}

/// What stands for any letter, and for any number.
const LETTER: u64 = 1;
const NUMBER: u64 = 2;

/// The name of a symbol as a number; all letters are the same, and all numbers.
fn shape_of(tag: &str, name: u64) -> u64 {
    if tag.starts_with("N!") {
        NUMBER
    } else if tag.strip_prefix("V!").is_some_and(|name| name.chars().count() == 1) {
        LETTER
    } else {
        name
    }
}

/// Takes formulas apart; keeps its memory.
#[derive(Debug, Default)]
pub struct Parts {
    pub(super) slt: Slt,
    pub(super) opt: Opt,
    pub(super) to_opt: SltToOpt,
    pub(super) nodes: Nodes,
    operands: Vec<u64>,
    /// For each node of the layout tree its tag as a number, with and without the name of a letter.
    tags: Vec<Option<(u64, u64)>>,
}

impl Parts {
    /// Gives the parts of a formula, each as a number that is the same on every machine and with the weight
    /// that it has in a query, and says how many symbols the formula has.
    ///
    /// Operands without letters and numbers are their own shape, so they count twice.
    pub fn of(&mut self, slt: &Slt, mut sink: impl FnMut(u64, f32)) -> usize {
        self.slt.clone_from(slt);
        normalise(&mut self.slt);
        let symbols = self.layout(&mut sink);
        self.to_opt.read(&self.slt, &mut self.opt);
        self.nodes.read(&self.opt);
        self.operators(&mut sink);
        symbols
    }

    /// How many symbols a formula has, and a number by which formulas that look alike lie together when they are
    /// sorted: first which signs there are, then the first symbols, letters and numbers as such.
    pub fn outline(&mut self, slt: &Slt) -> (usize, u64) {
        self.slt.clone_from(slt);
        normalise(&mut self.slt);
        let (mut symbols, mut signs, mut first) = (0, 0_u64, 0_u64);
        for id in self.slt.preorder().take(MAX_SYMBOLS) {
            let name = self.slt.tag(id);
            let shape = shape_of(name, xxh3_64(name.as_bytes()));
            if shape > NUMBER {
                signs |= 1 << (shape % 32);
            }
            if symbols < 8 {
                let class = if shape > NUMBER { 3 + shape % 13 } else { shape };
                first |= class << (28 - 4 * symbols);
            }
            symbols += 1;
        }
        (symbols, signs << 32 | first)
    }

    fn layout(&mut self, sink: &mut impl FnMut(u64, f32)) -> usize {
        let slt = &self.slt;
        self.tags.clear();
        self.tags.resize(slt.len() + 1, None);
        let label = |edge: Edge| u64::from(u32::from(edge.label()));
        let mut symbols = 0;
        for id in slt.preorder().take(MAX_SYMBOLS) {
            symbols += 1;
            let tag = slt.tag(id);
            if tag.starts_with('?') {
                continue;
            }
            let name = xxh3_64(tag.as_bytes());
            let shape = shape_of(tag, name);
            self.tags[id.index()] = Some((name, shape));
            sink(part(Sort::Symbol, &[name]), 1.0);
            let Some(parent) = slt.parent(id) else { continue };
            let edge = label(slt.edge(id));
            if let Some((_, above)) = self.tags[parent.index()] {
                sink(part(Sort::ShapePair, &[above, shape, edge]), 1.0);
            }
            if let Some(far) = slt.parent(parent)
                && let Some((above, _)) = self.tags[far.index()]
            {
                sink(part(Sort::FarPair, &[above, name, label(slt.edge(parent)) << 32 | edge]), 1.0);
            }
        }
        symbols
    }

    fn operators(&mut self, sink: &mut impl FnMut(u64, f32)) {
        let wild =
            |node: &Node| matches!(node.kind, Kind::Wildcard | Kind::AnyWildcard | Kind::FunctionWildcard);
        let shape = |node: &Node| match node.kind {
            Kind::Letter => LETTER,
            Kind::Number => NUMBER,
            _ => node.symbol,
        };
        for node in self.nodes.all().iter().filter(|node| !wild(node)) {
            let children = self.nodes.children(node);
            self.operands.clear();
            for (place, &child) in (0..).zip(children) {
                let child = &self.nodes.all()[child as usize];
                if wild(child) {
                    continue;
                }
                let place = if node.order == Order::Free { 0 } else { place };
                let shapes = (shape(node), shape(child));
                let is_own_shape = shapes == (node.symbol, child.symbol);
                let weight = if is_own_shape { 2.0 } else { 1.0 };
                sink(part(Sort::Operand, &[node.symbol, child.symbol, place]), weight);
                if !is_own_shape {
                    sink(part(Sort::OperandShape, &[shapes.0, shapes.1, place]), 1.0);
                }
                self.operands.push(shapes.1);
            }
            if !children.is_empty() && self.operands.len() == children.len() {
                if node.order == Order::Free {
                    self.operands.sort_unstable();
                }
                let mut bytes = Vec::with_capacity(self.operands.len() * 8);
                self.operands.iter().for_each(|operand| bytes.extend_from_slice(&operand.to_le_bytes()));
                sink(part(Sort::Operation, &[node.symbol, xxh3_64(&bytes)]), 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Parts;
    use crate::slt::{LatexToSlt, Slt};
    use latex::Mode;

    fn parts(latex: &str) -> Vec<u64> {
        let (mut slt, mut parts) = (Slt::default(), Vec::new());
        LatexToSlt::default()
            .read(&latex::Reader::default().read(latex.as_bytes(), Mode::Query).tree, &mut slt);
        Parts::default().of(&slt, |part, _| parts.push(part));
        parts.sort_unstable();
        parts
    }

    #[test]
    fn notation_that_is_evened_out_makes_no_other_parts_of_operations() {
        let common = |left: &str, right: &str| {
            let (left, right) = (parts(left), parts(right));
            left.iter().filter(|part| right.contains(part)).count()
        };
        assert!(common("a>b", "b<a") > common("a>b", "b|a"));
        assert!(common(r"\frac{a}{b}+c", "c+a/b") > common(r"\frac{a}{b}+c", "c-ab"));
        assert_eq!(parts("x+1."), parts("x+1"));
    }

    #[test]
    fn a_wildcard_leaves_what_it_touches_out() {
        let whole = parts("x^2+y");
        assert!(parts("x^2+?a").iter().all(|part| whole.contains(part)));
        assert!(parts("?a").is_empty());
    }
}
