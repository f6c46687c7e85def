//! A system that ranks formulas, as a node of a pipeline.

use super::need::Need;
use super::run::{Asked, Kinds};
use super::stage::{Filter, OpenStage, Output, Stage};
use super::uses::{self, Uses};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::formulas::{FeatureRows, FormulaSearch, Places, Sought};
use crate::hits::{Clue, Hit};
use crate::system::System;
use fuse::Ranked;
use std::sync::Arc;

/// So many formulas are found at least, so that the first do not depend on how many are asked for.
pub(super) const FOUND: usize = 1000;

/// Ranks formulas.
#[derive(Clone, Debug)]
pub(crate) struct FormulaRanking {
    system: System,
    search: Option<FormulaSearch>,
    /// The node that finds the formulas, where the system does not.
    found: Option<usize>,
}

impl FormulaRanking {
    pub(super) fn new(system: System) -> Self {
        Self { search: system.formulas.as_ref().map(FormulaSearch::new), system, found: None }
    }

    /// Reranks what a node has found.
    pub(super) fn of_found(system: System, node: usize) -> Self {
        Self { found: Some(node), ..Self::new(system) }
    }
}

impl Stage for FormulaRanking {
    fn needs(&self) -> Vec<Need> {
        self.search.iter().flat_map(FormulaSearch::needs).collect()
    }

    fn models(&self, engine: &Engine) -> Vec<String> {
        self.search.iter().flat_map(|search| search.models(engine)).collect()
    }

    fn uses(&self, engine: &Engine) -> Uses {
        uses::of_system(&self.system, engine)
    }

    fn exact(&self) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(Self { found: self.found, ..Self::new(self.system.clone().exact()) }))
    }

    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        asked: Asked<'q>,
        _: &mut Work,
    ) -> Result<Box<dyn OpenStage + 'q>, Error> {
        engine.ensure(&self.needs())?;
        let places = match asked.kinds {
            Kinds::All => Places::All,
            Kinds::ForTopics => Places::Official,
        };
        let sought =
            asked.formula.map(|latex| Sought { latex, topic: asked.topic, question: asked.query, places });
        Ok(Box::new(OpenFormulas { engine, search: self.search.as_ref(), found: self.found, sought }))
    }
}

struct OpenFormulas<'q> {
    engine: &'q Engine,
    search: Option<&'q FormulaSearch>,
    found: Option<usize>,
    sought: Option<Sought<'q>>,
}

impl OpenStage for OpenFormulas<'_> {
    fn rank(
        &mut self,
        members: &[Vec<Ranked<String>>],
        depth: usize,
        _: Option<&Filter<'_>>,
        work: &mut Work,
    ) -> Result<Output, Error> {
        Ok(Output::Formulas(match self.search.zip(self.sought) {
            Some((search, sought)) => {
                let wanted = depth.max(FOUND);
                let given = self.found.and_then(|node| members.get(node)).map(Vec::as_slice);
                let mut hits = work.timed("formulas", |work| match given {
                    Some(given) => search.rerank_given(self.engine, sought, given, work),
                    None => search.rank(self.engine, sought, wanted, work),
                })?;
                hits.truncate(depth);
                hits
            }
            None => Vec::new(),
        }))
    }

    fn features(
        &mut self,
        members: &[Vec<Ranked<String>>],
        work: &mut Work,
    ) -> Result<Option<(Vec<String>, FeatureRows)>, Error> {
        let Some((search, sought)) = self.search.zip(self.sought) else { return Ok(None) };
        let given = self.found.and_then(|node| members.get(node)).map(Vec::as_slice);
        search.features(self.engine, sought, given, FOUND, work)
    }

    fn explain(&mut self, _: &[Vec<Ranked<String>>], _: &Hit, _: &mut Work) -> Result<Vec<Clue>, Error> {
        Ok(Vec::new())
    }
}
