//! What answers this query, and why?
//!
//! A [`System`] is read from a file and says how to rank; a [`Plan`] is a system
//! with all that it is made of. An [`Engine`] runs
//! it over an index: a [`Query`] goes in, [`Hit`]s come out, best first, each
//! of which can [explain itself](Engine::explain_post). Models are in
//! [`model`], one file each; what people type is taken apart in [`typed`].

mod engine;
mod error;
mod formulas;
mod hits;
pub mod model;
pub mod people;
mod plan;
mod posts;
mod query;
mod system;
pub mod typed;

pub use engine::Engine;
pub use error::Error;
pub use hits::{Clue, FormulaHit, FormulaPlace, Hit, Why};
pub use plan::{Asked, Given, Missing, Plan, PlanError, Ranking};
pub use posts::Filter;
pub use query::{Query, Section};
pub use system::{
    Budget, ByFormulas, Chosen, DEFAULT_FORMULAS, DEFAULT_POSTS, DEFAULT_SEARCH, Features, Feedback, Find,
    FormulaStage, FusionStage, Group, Kept, KeptWords, Lab, Linked, Links, Locations, Member, Need,
    Normalise, OUR_OWN, Only, Origin, Part, PostStage, Proximity, Rerank, Returns, SYSTEMS, Statistics,
    System, SystemError, Task, Terms, Topics, Weights,
};
