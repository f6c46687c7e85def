//! Math-aware search inside a Rust program.
//!
//! An [`Index`] is a folder that was made by `hypatia index`, or by [`Index::build`] from what a program has
//! in memory. It is searched by what people type: words, formulas, filters.
//!
//! ```
//! # let folder = testkit::TempDir::new("hypatia-lib");
//! # let path = folder.path().join("math.index");
//! use hypatia::{Document, Index};
//!
//! let documents = [
//!     Document::new("harmonic", "The harmonic series", "Group the terms of $\\sum_{n=1}^\\infty 1/n$: it diverges."),
//!     Document::new("basel", "The Basel problem", "Euler found $\\sum_{n=1}^\\infty 1/n^2=\\pi^2/6$."),
//! ];
//! Index::build(&path, documents)?;
//!
//! let index = Index::open(&path)?;
//! let results = index.search("why does $\\sum 1/n$ diverge")?;
//! assert_eq!(results.hits[0].id, "harmonic");
//! assert_eq!(results.hits[0].title.text, "The harmonic series");
//! # Ok::<(), hypatia::Error>(())
//! ```
//!
//! `docs/library.md` shows the rest.

mod build;
mod error;
mod open;
mod post;
mod similarity;

pub use build::{Document, Kind, Source};
pub use error::Error;
pub use ingest::Markup;
pub use open::Index;
pub use post::{Post, Thread};
pub use retrieve::people::{
    Answers, BestFormula, Containment, Facet, FacetValue, FormulaResults, FoundFormula, FoundPost,
    FoundVisual, FoundWord, Grouping, Instance, Instances, Marked, MarkedFormula, Question, Reasons, Results,
    SearchOptions, Spelling, Standing, Total, Visual,
};
pub use retrieve::typed::{Note, Typed};
pub use retrieve::{Cancel, Deadline, Engine, Pipeline, SYSTEMS, System};
pub use similarity::similarity;
pub use store::{Date, PostKind};

/// The code of `docs/library.md` runs.
#[doc = include_str!("../../../docs/library.md")]
#[cfg(doctest)]
struct Readme;
