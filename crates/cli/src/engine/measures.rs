//! Every measure of likeness there is, under one roof. A new one is a line of [`MEASURES`] and a method.

use super::{Alike, Formula, Notation};
use formula::features::pairs::{Pair, PairExtractor, Side, Wildcards};
use formula::opt::Opt;
use formula::opt::labs::LabsOpt;
use formula::similarity::dice::{PairHashes, QueryPair, WildcardCandidate, WildcardQuery};
use formula::similarity::edit::{Costs, EditDistance, EditTree, Labels};
use formula::similarity::tangent_s::{self, Scores};
use formula::slt::Slt;
use latex::Mode;

/// A measure of likeness.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    /// What people call it.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) about: &'static str,
    value: fn(&mut Measurer, &Trees, &Trees) -> Option<f64>,
}

/// All measures, our own first.
pub(crate) const MEASURES: [Measure; 12] = [
    Measure { name: "hypatia", about: "our own score", value: Measurer::own },
    Measure { name: "dice-slt", about: "Dice over symbol pairs of layout trees", value: Measurer::dice_slt },
    Measure {
        name: "dice-opt",
        about: "Dice over symbol pairs of operator trees",
        value: Measurer::dice_opt,
    },
    Measure { name: "tangent-s", about: "Tangent-S, its six scores combined", value: Measurer::tangent_s },
    Measure {
        name: "mss-slt",
        about: "Tangent-S, largest common part of layout trees",
        value: |it, query, candidate| it.common_slt(query, candidate).map(|scores| scores.mss),
    },
    Measure {
        name: "precision-slt",
        about: "Tangent-S, share of the candidate's layout found",
        value: |it, query, candidate| it.common_slt(query, candidate).map(|scores| scores.precision),
    },
    Measure {
        name: "recall-slt",
        about: "Tangent-S, share of the query's layout found exactly",
        value: |it, query, candidate| it.common_slt(query, candidate).map(|scores| scores.recall),
    },
    Measure {
        name: "mss-opt",
        about: "Tangent-S, largest common part of operator trees",
        value: |it, query, candidate| Some(it.common_opt(query, candidate).mss),
    },
    Measure {
        name: "precision-opt",
        about: "Tangent-S, share of the candidate's operators found",
        value: |it, query, candidate| Some(it.common_opt(query, candidate).precision),
    },
    Measure {
        name: "recall-opt",
        about: "Tangent-S, share of the query's operators found exactly",
        value: |it, query, candidate| Some(it.common_opt(query, candidate).recall),
    },
    Measure {
        name: "edit-slt",
        about: "share of layout trees that editing keeps",
        value: Measurer::edit_slt,
    },
    Measure {
        name: "edit-opt",
        about: "share of operator trees that editing keeps",
        value: Measurer::edit_opt,
    },
];

/// The trees of a formula.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trees {
    prepared: formula::matching::Prepared,
    /// None for a formula that is given by its operators only.
    slt: Option<Slt>,
    opt: Opt,
}

/// Computes measures; keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Measurer {
    alike: Alike,
    pairs: PairExtractor,
    aligner: tangent_s::Aligner,
    editor: EditDistance,
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
            return Ok(Trees { prepared, slt: None, opt: self.alike.opt.clone() });
        }
        let slt = self.alike.engine.slt.clone();
        let mut opt = Opt::default();
        self.to_opt.read(&slt, &mut opt);
        Ok(Trees { prepared, slt: Some(slt), opt })
    }

    /// A measure of two formulas; none if it needs a tree that is not there.
    pub(crate) fn value(&mut self, measure: &Measure, query: &Trees, candidate: &Trees) -> Option<f64> {
        (measure.value)(self, query, candidate)
    }

    /// A measure of two formulas in LaTeX.
    pub(crate) fn of_latex(&mut self, measure: &Measure, query: &str, candidate: &str) -> Option<f64> {
        let latex = |mode, source| Formula { notation: Notation::Latex, mode, source };
        let query = self.read(latex(Mode::Query, query)).ok()?;
        let candidate = self.read(latex(Mode::Document, candidate)).ok()?;
        self.value(measure, &query, &candidate)
    }

    fn own(&mut self, query: &Trees, candidate: &Trees) -> Option<f64> {
        Some(f64::from(self.alike.score(&query.prepared, &candidate.prepared).value))
    }

    fn dice_slt(&mut self, query: &Trees, candidate: &Trees) -> Option<f64> {
        let (query, candidate) = (query.slt.as_ref()?, candidate.slt.as_ref()?);
        let (mut wanted, mut offered) = (Vec::new(), Vec::new());
        self.pairs.slt(query, |pair| wanted.push(query_pair(&pair)));
        self.pairs.slt(candidate, |pair| offered.push(hashes(&pair)));
        Some(dice(wanted, offered))
    }

    fn dice_opt(&mut self, query: &Trees, candidate: &Trees) -> Option<f64> {
        let (mut wanted, mut offered) = (Vec::new(), Vec::new());
        self.pairs.opt(&query.opt, |pair| wanted.push(query_pair(&pair)));
        self.pairs.opt(&candidate.opt, |pair| offered.push(hashes(&pair)));
        Some(dice(wanted, offered))
    }

    fn tangent_s(&mut self, query: &Trees, candidate: &Trees) -> Option<f64> {
        let slt = self.common_slt(query, candidate).unwrap_or_default();
        Some(tangent_s::combine(slt, self.common_opt(query, candidate)))
    }

    fn common_slt(&mut self, query: &Trees, candidate: &Trees) -> Option<Scores> {
        let (query, candidate) = (query.slt.as_ref()?, candidate.slt.as_ref()?);
        Some(self.aligner.align(&query.into(), &candidate.into()).scores)
    }

    fn common_opt(&mut self, query: &Trees, candidate: &Trees) -> Scores {
        self.aligner.align(&(&query.opt).into(), &(&candidate.opt).into()).scores
    }

    fn edit_slt(&mut self, query: &Trees, candidate: &Trees) -> Option<f64> {
        let query = EditTree::slt(query.slt.as_ref()?, Labels::Tags);
        let candidate = EditTree::slt(candidate.slt.as_ref()?, Labels::Tags);
        Some(self.editor.distance(&query, &candidate, Costs::SLT).share_kept(&query, &candidate))
    }

    fn edit_opt(&mut self, query: &Trees, candidate: &Trees) -> Option<f64> {
        let (query, candidate) = (EditTree::opt(&query.opt), EditTree::opt(&candidate.opt));
        Some(self.editor.distance(&query, &candidate, Costs::OPT).share_kept(&query, &candidate))
    }
}

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
