//! What scores candidates that sources have found: one file for each scorer, and the registry that names them.
//!
//! A new scorer is a file that implements [`PostScorer`] or [`FormulaScorer`] and reads its settings with
//! serde, and a line in [`POSTS`] or [`FORMULAS`] below. System files name it: `[[posts.rerank]]` or
//! `[formulas.rerank]` with `by = "…"`.

mod approach0;
pub(crate) mod cross_encoder;
mod edit_distance;
mod evidence;
mod formula_maxsim;
pub(crate) mod learned;
mod matcher;
mod math_amr;
pub(crate) mod maxsim;
mod proximity;
mod tangent_s;

pub(crate) use proximity::Proximity;

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::formulas::{Candidate, Places, Sought, in_order};
use crate::pipeline::need::Need;
use crate::pipeline::stage::PostScorer;
use crate::query::Query;
use crate::system::Find;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::sync::Arc;

/// The scorers of posts.
pub(crate) const POSTS: &[Entry<dyn PostScorer>] = &[
    post_scorer::<Proximity>("proximity"),
    post_scorer::<cross_encoder::CrossEncoder>("cross-encoder"),
    post_scorer::<maxsim::MaxSim>("maxsim"),
    post_scorer::<evidence::Evidence>("evidence"),
];

/// The scorers of formulas.
pub(crate) const FORMULAS: &[Entry<dyn FormulaScorer>] = &[
    formula_scorer::<matcher::ByMatcher>("matcher"),
    formula_scorer::<tangent_s::ByAlignment>("tangent-s"),
    formula_scorer::<approach0::ByStructure>("approach0"),
    formula_scorer::<edit_distance::ByEdits>("edit-distance"),
    formula_scorer::<learned::Learned>("learned"),
    formula_scorer::<formula_maxsim::ByTokens>("maxsim"),
    formula_scorer::<math_amr::ByMeaning>("math-amr"),
];

/// A scorer by its name.
pub(crate) struct Entry<S: ?Sized> {
    pub(crate) name: &'static str,
    /// Reads its settings.
    read: fn(toml::Table) -> Result<Arc<S>, toml::de::Error>,
}

const fn post_scorer<S: PostScorer + DeserializeOwned + 'static>(
    name: &'static str,
) -> Entry<dyn PostScorer> {
    Entry { name, read: |settings| Ok(Arc::new(S::deserialize(settings)?)) }
}

const fn formula_scorer<S: FormulaScorer + DeserializeOwned + 'static>(
    name: &'static str,
) -> Entry<dyn FormulaScorer> {
    Entry { name, read: |settings| Ok(Arc::new(S::deserialize(settings)?)) }
}

/// The scorer that a table of a system's file names with `by`; the other settings are its own.
pub(crate) fn read<S: ?Sized>(
    entries: &[Entry<S>],
    mut settings: toml::Table,
) -> Result<(&'static str, Arc<S>), String> {
    let by = settings.remove("by").ok_or("`by` says which scorer it is")?;
    let by = by.as_str().ok_or("`by` is the name of a scorer")?;
    let entry = entries.iter().find(|entry| entry.name == by).ok_or_else(|| {
        let known: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
        format!("there is no scorer `{by}`; there are {}", known.join(", "))
    })?;
    let scorer = (entry.read)(settings).map_err(|cause| format!("{by}: {}", cause.message()))?;
    Ok((entry.name, scorer))
}

/// The formula that candidates are compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compared<'q> {
    pub(crate) latex: &'q str,
    /// The topic; empty where none is asked.
    pub(crate) topic: &'q str,
    /// The question in which it is looked for.
    pub(crate) question: &'q Query,
    /// Which instances of candidates count.
    pub(crate) places: Places,
    /// The ways in which candidates were found.
    pub(crate) finds: &'q [Find],
}

impl<'q> Compared<'q> {
    pub(crate) fn new(sought: Sought<'q>, finds: &'q [Find]) -> Self {
        let Sought { latex, topic, question, places } = sought;
        Self { latex, topic, question, places, finds }
    }
}

/// Scores formulas that were found.
pub(crate) trait FormulaScorer: Debug + Send + Sync {
    /// What it cannot do without.
    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }

    /// The models that it uses, by name.
    fn models(&self) -> Vec<String> {
        Vec::new()
    }

    /// The features of candidates from which its weights can be learned, of the first for which there is time;
    /// nothing if it does not learn.
    fn values(
        &self,
        _: &Engine,
        _: Compared<'_>,
        _: &mut [Candidate],
        _: &mut Work,
    ) -> Result<Option<learned::Values>, Error> {
        Ok(None)
    }

    /// How many of so many candidates are scored.
    fn depth(&self, depth: usize, _: Compared<'_>) -> usize {
        depth
    }

    /// Scores candidates in their order; says how many there was time for.
    fn score(
        &self,
        engine: &Engine,
        query: Compared<'_>,
        candidates: &mut [Candidate],
        work: &mut Work,
    ) -> Result<usize, Error>;

    /// The score that those that are not scored stay below.
    fn floor(&self, scored: &[Candidate]) -> f64 {
        scored.iter().map(|candidate| candidate.score).fold(f64::INFINITY, f64::min)
    }

    /// How alike a formula with this score is to the query, from 0 to 1, where scores say that.
    fn similarity(&self, _score: f64) -> Option<f32> {
        None
    }

    /// Whether [`similarity`](FormulaScorer::similarity) gives anything.
    fn has_similarity(&self) -> bool {
        self.similarity(1.0).is_some()
    }
}

/// Goes through candidates as long as there is time; says how many there was time for.
fn each_in_time(
    candidates: &mut [Candidate],
    work: &mut Work,
    mut each: impl FnMut(&mut Candidate, &mut Work),
) -> usize {
    for (number, candidate) in candidates.iter_mut().enumerate() {
        if work.is_over() {
            return number;
        }
        each(candidate, work);
    }
    candidates.len()
}
