//! Pipelines: what a system's file becomes to be run, and the one executor of all of them.
//!
//! [`Pipeline::compile`] makes a pipeline of a [`System`](crate::System) and of all that it is made of, and
//! [`Engine::run`](crate::Engine::run) runs it for a topic. Search for people runs the same pipelines through
//! the same executor; it adds what is read from the query and what is shown.

mod compile;
pub(crate) mod find;
mod formulas;
mod fusion;
mod given;
pub(crate) mod need;
mod posts;
pub(crate) mod run;
pub(crate) mod stage;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails is what unwrap is for here")]
mod tests;
mod uses;

pub use compile::{CompileError, Missing};
pub use given::Given;
pub use run::{Asked, Completeness, FormulaFeatures, Kinds, Outcome, Ranking, StageCost};
pub use uses::Uses;

use crate::system::{Returns, System, SystemError, SystemTask};
use stage::Stage;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use text::{Stemmer, StopWords};

/// A system with all that it is made of, ready to be run.
#[derive(Clone, Debug)]
pub struct Pipeline {
    pub(crate) task: SystemTask,
    /// Members stand before what is made of them; the last is the system itself.
    pub(crate) nodes: Vec<Node>,
    missing: Vec<Missing>,
}

/// A ranking to be made.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    /// How many results are wanted; the last node is told when it is run.
    pub(crate) depth: usize,
    kind: NodeKind,
    /// Whether nothing is ranked by it where the engine lacks what it needs.
    pub(crate) is_optional: bool,
    pub(crate) stage: Arc<dyn Stage>,
}

/// Where the ranking of a node comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodeKind {
    System,
    Run,
}

/// Pipelines of systems that come with the program and were asked for.
static SHIPPED: Mutex<BTreeMap<String, Arc<Pipeline>>> = Mutex::new(BTreeMap::new());

impl Pipeline {
    /// Makes a system ready: `find` gives the systems that it names, `runs` are those that are given.
    ///
    /// # Errors
    ///
    /// When a member is not there, is for another task, or is made of what is made of it.
    pub fn compile(
        system: System,
        find: &dyn Fn(&str) -> Result<System, SystemError>,
        runs: &BTreeMap<String, Arc<Given>>,
    ) -> Result<Self, CompileError> {
        compile::compile(system, find, runs)
    }

    /// The pipeline of a system that comes with the program; it is compiled once.
    ///
    /// # Errors
    ///
    /// When there is none of this name, or it needs runs.
    pub fn named(name: &str) -> Result<Arc<Self>, CompileError> {
        let mut compiled = SHIPPED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = compiled.get(name) {
            return Ok(Arc::clone(pipeline));
        }
        let pipeline = Arc::new(Self::compile(System::named(name)?, &System::named, &BTreeMap::new())?);
        compiled.insert(name.to_owned(), Arc::clone(&pipeline));
        Ok(pipeline)
    }

    /// The task that it is for.
    #[must_use]
    pub fn task(&self) -> SystemTask {
        self.task
    }

    /// The name of the system.
    #[must_use]
    pub fn name(&self) -> &str {
        self.nodes.last().map_or("", |node| node.name.as_str())
    }

    /// The names of the systems that it is made of, as they were asked for, in their order.
    pub fn systems(&self) -> impl Iterator<Item = &str> {
        self.names(NodeKind::System)
    }

    /// The names of the runs that it is made of.
    pub fn runs(&self) -> impl Iterator<Item = &str> {
        self.names(NodeKind::Run)
    }

    fn names(&self, kind: NodeKind) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter(move |node| node.kind == kind).map(|node| node.name.as_str())
    }

    /// What it is made without.
    #[must_use]
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// The same without what leaves a part of the work out, in every system that it is made of.
    #[must_use]
    pub fn exact(mut self) -> Self {
        for node in &mut self.nodes {
            if let Some(exact) = node.stage.exact() {
                node.stage = exact;
            }
        }
        self
    }

    /// Which posts it ranks: answers, if all of its systems do.
    pub(crate) fn returns(&self, kinds: Kinds) -> Returns {
        let returns = self.nodes.iter().map(|node| node.stage.returns(kinds));
        let mut others = returns.filter(|returns| *returns != Returns::Answers);
        others.next().unwrap_or(Returns::Answers)
    }

    /// How words are read that are marked in what is found: as the first of its systems that reads words reads
    /// them, stop words left out in any case.
    pub(crate) fn words(&self) -> (Stemmer, StopWords) {
        match self.nodes.iter().find_map(|node| node.stage.words()) {
            None => (Stemmer::Porter, StopWords::Long),
            Some((stemmer, StopWords::None)) => (stemmer, StopWords::Long),
            Some(words) => words,
        }
    }
}
