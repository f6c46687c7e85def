//! What answers this query, and why?
//!
//! A [`System`] is read from a file and says how to rank. It is compiled to a [`Pipeline`], with all that it is
//! made of, and an [`Engine`] runs that over an index: a [`Query`] goes in, [`Hit`]s come out, best first, with
//! what each stage cost, and each hit can be [explained](Engine::explain_post). Runs over topics, search for
//! [`people`], answers and the library all go through this one executor.
//!
//! Ranking models are in [`model`], one file each; sources of candidates are in `sources`, scorers that rank
//! candidates anew in `scorers`; what people type is taken apart in [`typed`].

mod alike;
mod desk;
mod engine;
mod error;
mod formulas;
mod hits;
mod language;
mod meaning;
pub mod model;
mod norms;
pub mod people;
mod pipeline;
mod query;
mod resources;
mod restrict;
mod scorers;
mod sources;
mod spelling;
mod system;
pub mod typed;

pub use engine::Engine;
pub use error::Error;
pub use hits::{Clue, ClueKind, FormulaHit, FormulaPlace, Hit, Why};
pub use index::{Cancel, Deadline, Hurry};
pub use pipeline::stage::Filter;
pub use pipeline::{
    Asked, CompileError, Completeness, FormulaFeatures, Given, Kinds, Missing, Outcome, Pipeline, Ranking,
    StageCost, Uses,
};
pub use query::{Query, Section, TypedQuery};
pub use resources::{Resource, Resources};
pub use system::{
    Budget, ByFormulas, Chosen, Component, DEFAULT_FORMULAS, DEFAULT_POSTS, DEFAULT_SEARCH,
    DEFAULT_SEARCH_FORMULAS, Dense, Features, Feedback, Find, FormulaContext, FormulaDense, FormulaGain,
    FormulaStage, FusionStage, Group, Identical, Kept, KeptWords, Lab, Linked, Links, Locations, Member, Mix,
    Need, Normalise, OUR_OWN, Only, Origin, Part, PostRerank, PostStage, Proximity, QueryText, Rerank,
    Returns, SYSTEMS, Shares, State, Statistics, System, SystemError, SystemTask, Terms, Topics, Weights,
    read_settings,
};
