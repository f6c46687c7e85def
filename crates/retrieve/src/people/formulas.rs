//! The formulas that are most like those of the query, and the posts that they stand in.

use crate::engine::Engine;
use crate::error::Error;
use crate::hits::FormulaHit;
use crate::people::BestFormula;
use crate::people::alike::Comparer;
use crate::people::words::Asked;
use crate::system::System;
use formula::matching::Prepared;
use index::Document;
use latex::Mode;
use std::collections::HashMap;

/// So many formulas are found for each of the query.
pub(super) const FOUND: usize = 200;
/// Of longer formulas (bytes) not so many are compared by the matcher.
const LONG: usize = 300;
/// So many of them are.
const COMPARED_IF_LONG: usize = 20;
/// A formula of so many symbols or more counts as much as all words together, a smaller one less: a
/// single letter stands in every other post.
const WHOLE_SIZE: usize = 4;

/// What is like a formula of the query.
pub(super) struct Similar {
    /// Its LaTeX.
    pub(super) latex: String,
    /// Its place among the formulas that were typed.
    pub(super) place: usize,
    /// It, ready to be compared; none if it is too long for that.
    pub(super) prepared: Option<Prepared>,
    /// How much a post gains by having it.
    pub(super) weight: f64,
    /// How alike the best formula of a post is.
    pub(super) posts: HashMap<Document, f32, foldhash::fast::FixedState>,
    /// The best of all.
    pub(super) best: Vec<BestFormula>,
}

impl Similar {
    /// What a post gains.
    pub(super) fn gain(&self, document: Document) -> f64 {
        self.posts.get(&document).map_or(0.0, |similarity| self.weight * f64::from(*similarity))
    }
}

/// Finds what is like each formula of the query. A system that ranks no formulas finds none.
pub(super) fn similar(engine: &Engine, asked: &Asked, shown: usize) -> Result<Vec<Similar>, Error> {
    let mut comparer = Comparer::default();
    let mut all = Vec::new();
    for (place, latex) in &asked.formulas {
        let size = comparer.size(latex).clamp(1, WHOLE_SIZE);
        let mut similar = Similar {
            latex: latex.clone(),
            place: *place,
            prepared: comparer.prepare(latex, Mode::Query),
            weight: size as f64 / (WHOLE_SIZE * asked.formulas.len()) as f64,
            posts: HashMap::default(),
            best: Vec::new(),
        };
        if asked.system.formulas.is_some() {
            find(engine, asked, &mut similar, shown)?;
        }
        all.push(similar);
    }
    Ok(all)
}

fn find(engine: &Engine, asked: &Asked, similar: &mut Similar, shown: usize) -> Result<(), Error> {
    let hits = compared(engine, &asked.system, &similar.latex, shown)?;
    for (number, (hit, similarity)) in hits.into_iter().enumerate() {
        let documents = engine.posts_with(hit.visual_id);
        let posts = documents.len();
        for document in documents {
            let best = similar.posts.entry(document).or_insert(0.0);
            *best = best.max(similarity);
        }
        if number < shown {
            let (query, visual_id, latex) =
                (similar.place, hit.visual_id, engine.formula_latex(&hit).to_owned());
            similar.best.push(BestFormula { query, visual_id, latex, similarity, posts });
        }
    }
    Ok(())
}

/// How many formulas are compared with this one.
pub(super) fn most_compared(latex: &str) -> usize {
    if latex.len() > LONG { COMPARED_IF_LONG } else { FOUND }
}

/// The formulas that a system finds and compares, best first, each with how alike it is; at least so many are
/// given if they are there, those that were not compared as not alike.
pub(super) fn compared(
    engine: &Engine,
    system: &System,
    latex: &str,
    least: usize,
) -> Result<Vec<(FormulaHit, f32)>, Error> {
    let mut system = system.clone();
    let mut compared = FOUND;
    if let Some(stage) = &mut system.formulas {
        stage.compare_at_most(most_compared(latex));
        compared = stage.compared().min(FOUND);
    }
    let hits = engine.formulas(&system, latex, compared.max(least))?;
    // What was compared has one more than the matcher's score.
    let similarity = |number: usize, score: f64| {
        if number < compared { (score - 1.0).clamp(0.0, 1.0) as f32 } else { 0.0 }
    };
    Ok(hits.into_iter().enumerate().map(|(number, hit)| (hit, similarity(number, hit.score))).collect())
}
