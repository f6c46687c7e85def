//! Systems run as tests need them.

use retrieve::{Asked, Engine, FormulaHit, Hit, Pipeline, Query, Ranking, System, Why};
use std::collections::BTreeMap;

/// A system as a pipeline.
pub(crate) fn pipeline(system: &System) -> Pipeline {
    Pipeline::compile(system.clone(), &System::named, &BTreeMap::new()).unwrap()
}

/// The best posts of any kind.
#[allow(dead_code, reason = "not every test ranks posts")]
pub(crate) fn posts(engine: &Engine, system: &System, query: &Query, depth: usize) -> Vec<Hit> {
    match engine.run(&pipeline(system), &Asked::posts(query), depth).unwrap().ranking {
        Ranking::Posts(hits) => hits,
        Ranking::Formulas(_) => panic!("posts are wanted"),
    }
}

/// The best formulas.
#[allow(dead_code, reason = "not every test ranks formulas")]
pub(crate) fn formulas(engine: &Engine, system: &System, latex: &str, depth: usize) -> Vec<FormulaHit> {
    // A system for answers that finds formulas, too, finds them as one for formulas does.
    let system = System { task: retrieve::SystemTask::Formulas, posts: None, ..system.clone() };
    match engine.run(&pipeline(&system), &Asked::formulas(latex), depth).unwrap().ranking {
        Ranking::Formulas(hits) => hits,
        Ranking::Posts(_) => panic!("formulas are wanted"),
    }
}

/// Why a post has its score.
#[allow(dead_code, reason = "not every test explains")]
pub(crate) fn explain(engine: &Engine, system: &System, query: &Query, id: &str) -> Why {
    let document = engine.index().find(id).unwrap();
    engine.explain_post(&pipeline(system), query, document).unwrap()
}
