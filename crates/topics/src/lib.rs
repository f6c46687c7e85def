//! Which questions make good topics?
//!
//! Topics for a lab are chosen as organisers do it: questions of a later period, with a formula and with a
//! known duplicate in the collection, so that something relevant is there to be found; of these a varied set
//! that repeats neither itself nor earlier topics. Every rule is a text beside the code that follows it
//! ([`rules`]), and the same choices are made from the same seed.
//!
//! | module | answers |
//! |---|---|
//! | [`complexity`] | how complex is a formula? |
//! | [`elements`] | which mathematical elements does it contain? |
//! | [`wording`] | what does a question ask for: a proof, a concept, a computation? One thing or several? |
//! | [`estimate`] | how hard is it, and does it live by its words or its formulas? |
//! | [`query`] | which formula of a question shall be looked for? |
//! | [`near`] | do two questions ask the same? |
//! | [`candidates`] | which questions come into consideration, and where did the others fall? |
//! | [`mod@choose`] | which of the candidates become topics? |
//! | [`balance`] | how are topics spread, beside the candidates? |
//! | [`mod@write`] | what do the lab's files say of them? |
//!
//! [`validation`] makes topics of another kind: those whose relevant items are known from the collection itself.
//! [`citations`] makes topics of discussion threads; what their answers cite is relevant.

pub mod balance;
pub mod candidates;
pub mod choose;
pub mod citations;
pub mod complexity;
pub mod elements;
pub mod estimate;
pub mod near;
pub mod query;
pub mod validation;
pub mod wording;
pub mod write;

mod addresses;
mod draft;
mod error;
mod look;
mod question;
mod strata;

pub use candidates::{
    Bounds, Candidate, Candidates, Criterion, ElementsOf, Funnel, Known, LeftOut, Period, Plan, find,
};
pub use choose::{Choice, Chosen, choose};
pub use elements::{Element, Elements};
pub use error::Error;
pub use strata::{Dependence, Level, QuestionType, Stratum};
pub use write::{Files, Numbering, files};

/// The rules by which topics are chosen, each with its name.
#[must_use]
pub fn rules() -> [(&'static str, &'static str); 12] {
    [
        ("candidates", candidates::RULE),
        ("soft criteria", candidates::SOFT_RULE),
        ("near-duplicates", near::RULE),
        ("earlier topics", near::EARLIER_RULE),
        ("choice", choose::RULE),
        ("type", wording::TYPE_RULE),
        ("difficulty", estimate::DIFFICULTY_RULE),
        ("dependence", estimate::DEPENDENCE_RULE),
        ("complexity", complexity::RULE),
        ("elements", elements::RULE),
        ("formula query", query::RULE),
        ("multi-part", wording::PARTS_RULE),
    ]
}
