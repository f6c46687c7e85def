//! Every measure of likeness there is, under one roof. A new one is a line of [`MEASURES`] and a method.

use super::{Alike, Formula, Notation};
use formula::features::pairs::{Pair, PairExtractor, Side, Wildcards};
use formula::opt::Opt;
use formula::opt::labs::LabsOpt;
use formula::similarity::dice::{PairHashes, QueryPair, WildcardCandidate, WildcardQuery};
use formula::similarity::tangent_s::{self, Scores};
use formula::similarity::tree_pairs::{FEATURES, Feature, TreePairs, TreesRead};
use formula::slt::Slt;
use latex::Mode;

/// A measure of likeness.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    /// What people call it.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) about: &'static str,
    value: Value,
}

/// How a measure is computed.
#[derive(Clone, Copy, Debug)]
enum Value {
    Own,
    DiceSlt,
    DiceOpt,
    TangentS,
    /// Of the labs' learned rankers.
    Feature(&'static Feature),
}

const FIRST: [Measure; 4] = [
    Measure { name: "hypatia", about: "our own score", value: Value::Own },
    Measure { name: "dice-slt", about: "Dice over symbol pairs of layout trees", value: Value::DiceSlt },
    Measure { name: "dice-opt", about: "Dice over symbol pairs of operator trees", value: Value::DiceOpt },
    Measure { name: "tangent-s", about: "Tangent-S, its six scores combined", value: Value::TangentS },
];

/// All measures, our own first.
pub(crate) const MEASURES: [Measure; FIRST.len() + FEATURES.len()] = {
    let mut all = [FIRST[0]; FIRST.len() + FEATURES.len()];
    let mut place = 0;
    while place < all.len() {
        all[place] = if place < FIRST.len() {
            FIRST[place]
        } else {
            let feature = &FEATURES[place - FIRST.len()];
            Measure { name: feature.name, about: feature.about, value: Value::Feature(feature) }
        };
        place += 1;
    }
    all
};

/// The trees of a formula.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trees {
    prepared: formula::matching::Prepared,
    /// None for a formula that is given by its operators only.
    slt: Option<Slt>,
    opt: Opt,
    read: TreesRead,
}

/// Computes measures; keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Measurer {
    alike: Alike,
    pairs: PairExtractor,
    tree_pairs: TreePairs,
    to_opt: LabsOpt,
}

impl Measurer {
    /// Reads a formula for measures.
    ///
    /// # Errors
    ///
    /// Why it could not be read; LaTeX always can.
    pub(crate) fn read(&mut self, formula: Formula<'_>) -> Result<Trees, String> {
        let prepared = self.alike.read(formula)?;
        if formula.notation == Notation::Opt {
            let opt = self.alike.opt.clone();
            let read = self.tree_pairs.read(None, Some(&opt));
            return Ok(Trees { prepared, slt: None, opt, read });
        }
        let slt = self.alike.engine.slt.clone();
        let mut opt = Opt::default();
        self.to_opt.read(&slt, &mut opt);
        let read = self.tree_pairs.read(Some(&slt), Some(&opt));
        Ok(Trees { prepared, slt: Some(slt), opt, read })
    }

    /// Reads a formula that is given as layout tree and as operator tree.
    ///
    /// # Errors
    ///
    /// As [`Measurer::read`].
    pub(crate) fn read_both(&mut self, layout: Formula<'_>, operators: Formula<'_>) -> Result<Trees, String> {
        let Trees { opt, .. } = self.read(operators)?;
        let trees = self.read(layout)?;
        let read = self.tree_pairs.read(trees.slt.as_ref(), Some(&opt));
        Ok(Trees { opt, read, ..trees })
    }

    /// A measure of two formulas; none if it needs a tree that is not there.
    pub(crate) fn value(&mut self, measure: &Measure, query: &Trees, candidate: &Trees) -> Option<f64> {
        match measure.value {
            Value::Own => Some(f64::from(self.alike.score(&query.prepared, &candidate.prepared).value)),
            Value::DiceSlt => self.dice_slt(query, candidate),
            Value::DiceOpt => Some(self.dice_opt(query, candidate)),
            Value::TangentS => Some(self.tangent_s(query, candidate)),
            Value::Feature(feature) => {
                let is_there = query.read.has(feature.trees) && candidate.read.has(feature.trees);
                is_there.then(|| self.tree_pairs.value(feature, &query.read, &candidate.read))
            }
        }
    }

    /// A measure of two formulas in LaTeX.
    pub(crate) fn of_latex(&mut self, measure: &Measure, query: &str, candidate: &str) -> Option<f64> {
        let latex = |mode, source| Formula { notation: Notation::Latex, mode, source };
        let query = self.read(latex(Mode::Query, query)).ok()?;
        let candidate = self.read(latex(Mode::Document, candidate)).ok()?;
        self.value(measure, &query, &candidate)
    }

    fn dice_slt(&mut self, query: &Trees, candidate: &Trees) -> Option<f64> {
        let (query, candidate) = (query.slt.as_ref()?, candidate.slt.as_ref()?);
        let (mut wanted, mut offered) = (Vec::new(), Vec::new());
        self.pairs.slt(query, |pair| wanted.push(query_pair(&pair)));
        self.pairs.slt(candidate, |pair| offered.push(hashes(&pair)));
        Some(dice(wanted, offered))
    }

    fn dice_opt(&mut self, query: &Trees, candidate: &Trees) -> f64 {
        let (mut wanted, mut offered) = (Vec::new(), Vec::new());
        self.pairs.opt(&query.opt, |pair| wanted.push(query_pair(&pair)));
        self.pairs.opt(&candidate.opt, |pair| offered.push(hashes(&pair)));
        dice(wanted, offered)
    }

    fn tangent_s(&mut self, query: &Trees, candidate: &Trees) -> f64 {
        let mut values = Vec::with_capacity(TANGENT_S.len());
        let features: Vec<&Feature> = TANGENT_S.iter().filter_map(|name| Feature::named(name)).collect();
        self.tree_pairs.values(&features, &query.read, &candidate.read, &mut values);
        let of = |place: usize| Scores {
            mss: values.get(place).copied().unwrap_or(0.0),
            precision: values.get(place + 1).copied().unwrap_or(0.0),
            recall: values.get(place + 2).copied().unwrap_or(0.0),
        };
        tangent_s::combine(of(0), of(3))
    }
}

/// The features that Tangent-S combines.
const TANGENT_S: [&str; 6] =
    ["mss-slt", "precision-slt", "recall-slt", "mss-opt", "precision-opt", "recall-opt"];

fn hashes(pair: &Pair<'_>) -> PairHashes {
    PairHashes {
        whole: pair.hash(),
        without_ancestor: pair.hash_without(Side::Ancestor),
        without_descendant: pair.hash_without(Side::Descendant),
    }
}

fn query_pair(pair: &Pair<'_>) -> QueryPair {
    match pair.wildcards() {
        Wildcards::None => QueryPair::Exact(pair.hash()),
        Wildcards::One(Side::Ancestor) => QueryPair::AncestorWild(pair.hash_without(Side::Ancestor)),
        Wildcards::One(Side::Descendant) => QueryPair::DescendantWild(pair.hash_without(Side::Descendant)),
        Wildcards::Both => QueryPair::BothWild,
    }
}

fn dice(query: Vec<QueryPair>, candidate: Vec<PairHashes>) -> f64 {
    let mut query: WildcardQuery = query.into_iter().collect();
    let candidate: WildcardCandidate = candidate.into_iter().collect();
    query.dice(&candidate)
}
