//! The formulas of a query, and those of the index that are most like them.

use crate::alike::Comparer;
use crate::engine::{Engine, Work};
use crate::people::BestFormula;
use crate::people::highlight::Highlight;
use crate::pipeline::stage::LikeFormulas;
use formula::matching::Prepared;
use latex::Mode;

/// A formula of the query, ready to be compared with those of posts.
pub(super) struct QueryFormula {
    /// Its LaTeX.
    pub(super) latex: String,
    /// Its place among the formulas that were typed.
    pub(super) place: usize,
    /// It, ready to be compared; none if it is too long for that.
    pub(super) prepared: Option<Prepared>,
}

/// The formulas of a query.
pub(super) fn of_query(highlight: &Highlight) -> Vec<QueryFormula> {
    let mut comparer = Comparer::default();
    let formula = |(place, latex): &(usize, String)| QueryFormula {
        latex: latex.clone(),
        place: *place,
        prepared: comparer.prepare(latex, Mode::Query),
    };
    highlight.formulas.iter().map(formula).collect()
}

/// The first formulas that were found for each formula of the query.
pub(super) fn best(
    engine: &Engine,
    found: &[LikeFormulas],
    formulas: &[QueryFormula],
    shown: usize,
    work: &mut Work,
) -> Vec<BestFormula> {
    let mut comparer = Comparer::default();
    let mut best = Vec::new();
    for formula in formulas {
        let Some(like) = found.iter().find(|like| like.latex == formula.latex) else { continue };
        for (place, hit) in like.hits.iter().enumerate().take(shown) {
            let latex = engine.formula_latex(hit).to_owned();
            let similarity = hit.similarity.or_else(|| {
                let candidate = comparer.prepare(&latex, Mode::Document)?;
                Some(comparer.similarity(formula.prepared.as_ref()?, &candidate))
            });
            let known = like.posts.get(place).copied();
            let posts = known.unwrap_or_else(|| engine.posts_with(hit.visual_id, work).len());
            best.push(BestFormula {
                query: formula.place,
                visual_id: hit.visual_id,
                latex,
                similarity: similarity.unwrap_or(0.0),
                posts,
            });
        }
    }
    best
}
