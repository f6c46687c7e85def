//! How far people agree, as tables show it.

use super::words;
use crate::view::count;
use assess::{Agreement, PairAgreement};

/// How far people agree on one kind of things.
pub(super) struct AgreementView {
    pub(super) kind: &'static str,
    pub(super) scale: String,
    pub(super) means: Vec<MeanView>,
    pub(super) pairs: Vec<PairView>,
}

pub(super) struct MeanView {
    pub(super) text: String,
}

/// How far two people agree.
pub(super) struct PairView {
    pub(super) occasion: &'static str,
    pub(super) first: String,
    pub(super) second: String,
    pub(super) things: usize,
    pub(super) left_out: usize,
    pub(super) equal: String,
    pub(super) graded: String,
    pub(super) graded_strength: &'static str,
    pub(super) binary: String,
    pub(super) binary_strength: &'static str,
}

/// How far people agree, for a page.
pub(super) fn agreement_view(agreement: &Agreement) -> AgreementView {
    let means = agreement.means().into_iter().map(|mean| MeanView {
        text: format!(
            "{}: {} over {}; mean kappa {} by all grades, {} by relevant or not.",
            words::capital(mean.occasion.name()),
            count(mean.pairs, "pair", "pairs"),
            count(mean.things, "thing", "things"),
            words::decimals(mean.graded),
            words::decimals(mean.binary),
        ),
    });
    AgreementView {
        kind: words::kind(agreement.kind),
        scale: format!("relevant from grade {} on", agreement.relevant_from),
        means: means.collect(),
        pairs: agreement.pairs.iter().map(pair_view).collect(),
    }
}

fn pair_view(pair: &PairAgreement) -> PairView {
    PairView {
        occasion: pair.occasion.name(),
        first: pair.first.clone(),
        second: pair.second.clone(),
        things: pair.things,
        left_out: pair.left_out,
        equal: pair.equal.map_or_else(|| "–".to_owned(), words::percent),
        graded: words::decimals(pair.graded),
        graded_strength: words::strength(pair.graded),
        binary: words::decimals(pair.binary),
        binary_strength: words::strength(pair.binary),
    }
}
