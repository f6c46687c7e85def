//! Formulas made ready for matching.

use super::bag::Bag;
use super::layout::normalise;
use super::node::{Kind, Node, Nodes};
use super::weights::Weights;
use crate::features::pairs::{END, EndOfBaseline, Pair, PairExtractor, PairOptions, Wildcards};
use crate::identity::{Key, Keyer};
use crate::opt::Opt;
use crate::opt::meaning::SltToOpt;
use crate::slt::{Hints, Slt};
use latex::Span;

/// Whether [`holds`](super::holds) takes letters by their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// Each stands for itself.
    #[default]
    Same,
    /// Each stands for any letter, the same everywhere, and different ones for different letters.
    Any,
}

/// A formula made ready.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    pub(super) nodes: Nodes,
    pub(super) layout_pairs: Bag,
    pub(super) operator_pairs: Bag,
    pub(super) shape_pairs: Bag,
    pub(super) symbols: Bag,
    /// What the formula looks like; `None` if only its operators are known.
    pub(super) key: Option<Key>,
    pub(super) has_wildcard: bool,
    pub(super) letters: Letters,
    /// Whether a part of the query need only be similar, and the rest not.
    pub(super) has_strict_part: bool,
}

impl Prepared {
    /// The nodes that are aligned.
    #[must_use]
    pub fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// Lets the letters of a query stand for others.
    #[must_use]
    pub fn with_letters(self, letters: Letters) -> Self {
        Self { letters, ..self }
    }

    /// Gives every node its weight anew.
    pub fn weigh(&mut self, weights: &Weights) {
        self.nodes.weigh(weights);
    }
}

/// Makes formulas ready; keeps its memory.
#[derive(Debug)]
pub struct Preparer {
    weights: Weights,
    pairs: PairExtractor,
    keyer: Keyer,
    to_opt: SltToOpt,
    slt: Slt,
    opt: Opt,
    layout: Vec<u64>,
    operators: Vec<u64>,
    shapes: Vec<u64>,
}

impl Preparer {
    /// A preparer for matchers with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        let options = PairOptions { window: 4, end_of_baseline: EndOfBaseline::Small };
        Self {
            weights,
            pairs: PairExtractor::new(options),
            keyer: Keyer::default(),
            to_opt: SltToOpt::default(),
            slt: Slt::default(),
            opt: Opt::default(),
            layout: Vec::new(),
            operators: Vec::new(),
            shapes: Vec::new(),
        }
    }

    /// A formula given by its layout.
    pub fn from_slt(&mut self, slt: &Slt) -> Prepared {
        self.slt.clone_from(slt);
        normalise(&mut self.slt);
        self.to_opt.read(&self.slt, &mut self.opt);
        self.layout.clear();
        self.shapes.clear();
        let (layout, shapes) = (&mut self.layout, &mut self.shapes);
        // Where a wildcard stands, anything may follow: ends of baselines say nothing then.
        let wild = self.slt.preorder().any(|id| self.slt.tag(id).starts_with('?'));
        self.pairs.slt(&self.slt, |pair| {
            if pair.wildcards() == Wildcards::None && !(wild && pair.descendant == END) {
                layout.push(pair.hash());
                shapes.push(Pair::new(shape(pair.ancestor), shape(pair.descendant), pair.path).hash());
            }
        });
        let even = &self.slt;
        let tags = even.preorder().map(|id| even.tag(id)).filter(|tag| !tag.starts_with('?'));
        let symbols = Bag::new(tags.map(|tag| Pair::new(tag, "", "").hash()));
        let mut prepared = self.finish_opt();
        prepared.layout_pairs = Bag::new(self.layout.iter().copied());
        prepared.shape_pairs = Bag::new(self.shapes.iter().copied());
        prepared.symbols = symbols;
        let marked = slt.preorder().filter(|&id| slt.hints(id).has(Hints::SIMILAR));
        let similar: Vec<Span> = marked.map(|id| slt.span(id)).collect();
        if !similar.is_empty() {
            prepared.nodes.be_strict_outside(&similar);
            prepared.has_strict_part = true;
        }
        prepared.key = Some(self.keyer.key_of_tree(slt));
        prepared
    }

    /// A formula given by its operator tree alone.
    pub fn from_opt(&mut self, opt: &Opt) -> Prepared {
        self.opt.clone_from(opt);
        self.finish_opt()
    }

    fn finish_opt(&mut self) -> Prepared {
        self.operators.clear();
        let operators = &mut self.operators;
        let wild = self.opt.preorder().any(|id| self.opt.tag(id).starts_with('?'));
        self.pairs.opt(&self.opt, |pair| {
            if pair.wildcards() == Wildcards::None && !(wild && pair.descendant == END) {
                operators.push(pair.hash());
            }
        });
        let nodes = Nodes::new(&self.opt, &self.weights);
        let is_wildcard = |node: &Node| matches!(node.kind, Kind::Wildcard | Kind::AnyWildcard);
        Prepared {
            has_wildcard: nodes.all().iter().any(is_wildcard),
            nodes,
            operator_pairs: Bag::new(self.operators.iter().copied()),
            ..Prepared::default()
        }
    }
}

/// A tag that says only what sort of thing stands there, for letters and numbers.
fn shape(tag: &str) -> &str {
    if tag.starts_with("V!") || tag.starts_with("N!") { &tag[..2] } else { tag }
}
