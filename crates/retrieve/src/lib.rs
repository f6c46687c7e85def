//! What answers this query, and why?
//!
//! A [`System`] is read from a file and says how to rank. An [`Engine`] runs
//! it over an index: a [`Query`] goes in, [`Hit`]s come out, best first, each
//! of which can [explain itself](Engine::explain_post). Models are in
//! [`model`], one file each; what people type is taken apart in [`typed`].

mod engine;
mod error;
mod formulas;
mod hits;
pub mod model;
pub mod people;
mod posts;
mod query;
mod system;
pub mod typed;

pub use engine::Engine;
pub use error::Error;
pub use hits::{Clue, FormulaHit, FormulaPlace, Hit, Why};
pub use posts::Filter;
pub use query::{Query, Section};
pub use system::{
    Budget, ByFormulas, Chosen, DEFAULT_FORMULAS, DEFAULT_POSTS, DEFAULT_SEARCH, Features, Feedback, Find,
    FormulaStage, Group, Kept, KeptWords, Linked, Links, Locations, Normalise, Part, PostStage, Proximity,
    Rerank, Returns, SYSTEMS, Statistics, System, SystemError, Task, Terms, Weights,
};
