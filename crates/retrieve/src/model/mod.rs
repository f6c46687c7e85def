//! Models: what a term is worth to a document, one file each with its formula and source.

mod bm25;
mod bm25_plus;
mod cosine;
mod dice;
mod overlap;
mod query_likelihood;
mod structure;
mod tf_idf;
mod tf_idf_cosine;

pub use bm25::{Bm25, Idf, Lengths};
pub use bm25_plus::Bm25Plus;
pub use cosine::{Cosine, SymbolIdf};
pub use dice::Dice;
pub use overlap::Overlap;
pub use query_likelihood::{Dirichlet, JelinekMercer};
pub use structure::Structure;
pub use tf_idf::TfIdf;
pub use tf_idf_cosine::TfIdfCosine;

use index::top::TermScorer;
use serde::Deserialize;

/// What a model needs to know of a term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TermStatistics {
    /// How many documents have it.
    pub documents: f64,
    /// How often it occurs in all of them.
    pub occurrences: f64,
}

/// What a model needs to know of all documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// How many there are.
    pub documents: f64,
    /// How long they are on average.
    pub mean_length: f64,
}

impl Totals {
    /// How long all of them are together.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.documents * self.mean_length
    }
}

/// A model and its parameters, as a system's file names it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Model {
    /// See [`Bm25`].
    Bm25(Bm25),
    /// See [`Bm25Plus`].
    Bm25Plus(Bm25Plus),
    /// See [`TfIdf`].
    TfIdf(TfIdf),
    /// See [`TfIdfCosine`].
    TfIdfCosine(TfIdfCosine),
    /// See [`Dirichlet`].
    Dirichlet(Dirichlet),
    /// See [`JelinekMercer`].
    JelinekMercer(JelinekMercer),
    /// See [`Overlap`].
    Overlap(Overlap),
    /// See [`Dice`].
    Dice(Dice),
    /// See [`Cosine`].
    Cosine(Cosine),
    /// See [`Structure`].
    Structure(Structure),
}

impl Model {
    /// The inverse document frequency, as the model sees it.
    #[must_use]
    pub fn idf(&self, term: TermStatistics, totals: Totals) -> f64 {
        match self {
            Self::Bm25(model) => model.idf(term, totals),
            Self::Bm25Plus(_) => bm25_plus::idf(term, totals),
            Self::TfIdf(_) => tf_idf::idf(term, totals),
            Self::TfIdfCosine(_) => tf_idf_cosine::idf(term, totals),
            Self::Dirichlet(_) | Self::JelinekMercer(_) => bm25::idf(term, totals),
            Self::Overlap(_) => overlap::idf(term, totals),
            Self::Dice(_) => dice::idf(term, totals),
            Self::Cosine(_) => cosine::idf(term, totals),
            Self::Structure(_) => structure::idf(term, totals),
        }
    }

    /// Whether it matters how often a term occurs in all documents together.
    #[must_use]
    pub fn counts_occurrences(&self) -> bool {
        matches!(self, Self::Dirichlet(_) | Self::JelinekMercer(_))
    }

    /// Whether it compares how often a term occurs in query and document, so that repeating it in the query
    /// does not make it weigh more.
    #[must_use]
    pub fn compares_frequencies(&self) -> bool {
        matches!(self, Self::Overlap(_) | Self::Dice(_) | Self::Cosine(_) | Self::Structure(_))
    }

    /// Whether a symbol of a picture has an idf, wherever it stands.
    #[must_use]
    pub fn weighs_symbols(&self) -> bool {
        matches!(self, Self::Cosine(Cosine { idf: SymbolIdf::Symbol }))
    }

    /// The norm of a document of some length.
    #[must_use]
    pub fn norm(&self, length: f64, totals: Totals) -> f32 {
        let norm = match self {
            Self::Bm25(model) => model.norm(length, totals),
            Self::Bm25Plus(model) => model.norm(length, totals),
            Self::TfIdf(model) => model.norm(length, totals),
            Self::TfIdfCosine(model) => model.norm(length),
            Self::Dirichlet(_) | Self::JelinekMercer(_) | Self::Overlap(_) | Self::Dice(_) => length,
            Self::Cosine(model) => model.norm(length),
            Self::Structure(model) => model.norm(length),
        };
        norm as f32
    }

    /// What a term is worth that counts `weight` in the query, in which it occurs `frequency` times.
    #[must_use]
    pub fn term(&self, weight: f64, frequency: f64, term: TermStatistics, totals: Totals) -> ModelScorer {
        match self {
            Self::Bm25(model) => ModelScorer::Bm25(model.term(weight, term, totals)),
            Self::Bm25Plus(model) => ModelScorer::Bm25Plus(model.term(weight, term, totals)),
            Self::TfIdf(model) => ModelScorer::Bm25(model.term(weight, term, totals)),
            Self::TfIdfCosine(model) => ModelScorer::TfIdfCosine(model.term(weight, term, totals)),
            Self::Dirichlet(model) => ModelScorer::Dirichlet(model.term(weight, term, totals)),
            Self::JelinekMercer(model) => ModelScorer::JelinekMercer(model.term(weight, term, totals)),
            Self::Overlap(model) => ModelScorer::Overlap(model.term(weight, frequency, term, totals)),
            Self::Dice(model) => ModelScorer::Dice(model.term(weight, frequency)),
            Self::Cosine(model) => ModelScorer::Cosine(model.term(weight, term, totals)),
            Self::Structure(model) => ModelScorer::Structure(model.term(weight, frequency, term, totals)),
        }
    }
}

/// What a term of a query is worth, by its model.
#[derive(Clone, Copy, Debug)]
pub enum ModelScorer {
    /// Saturated frequency.
    Bm25(bm25::Term),
    /// Saturated frequency above a floor.
    Bm25Plus(bm25_plus::Term),
    /// A product of two numbers of vectors.
    TfIdfCosine(tf_idf_cosine::Term),
    /// Smoothed by the collection as if it were a document.
    Dirichlet(query_likelihood::DirichletTerm),
    /// Mixed with the collection.
    JelinekMercer(query_likelihood::JelinekMercerTerm),
    /// What both have.
    Overlap(overlap::Term),
    /// What both have of all that either has.
    Dice(dice::Term),
    /// A bit that both have.
    Cosine(cosine::Term),
    /// What both have, long documents less.
    Structure(structure::Term),
}

impl ModelScorer {
    /// The same, worth so many times as much.
    #[must_use]
    pub fn times(mut self, factor: f32) -> Self {
        match &mut self {
            Self::Bm25(term) => term.weight *= factor,
            Self::Bm25Plus(term) => term.weight *= factor,
            Self::TfIdfCosine(term) => term.times(factor),
            Self::Dirichlet(term) => term.weight *= factor,
            Self::JelinekMercer(term) => term.weight *= factor,
            Self::Overlap(term) => term.weight *= factor,
            Self::Dice(term) => term.weight *= factor,
            Self::Cosine(term) => term.weight *= factor,
            Self::Structure(term) => term.weight *= factor,
        }
        self
    }

    /// The same in a query of some length, which counts for models that compare lengths.
    #[must_use]
    pub fn in_query_of(mut self, length: f64) -> Self {
        match &mut self {
            Self::Dice(term) => term.query = length as f32,
            Self::Cosine(term) => term.weight /= libm::sqrt(length.max(1.0)) as f32,
            _ => {}
        }
        self
    }
}

impl TermScorer for ModelScorer {
    #[inline]
    fn score(&self, frequency: f32, norm: f32) -> f32 {
        match self {
            Self::Bm25(term) => term.score(frequency, norm),
            Self::Bm25Plus(term) => term.score(frequency, norm),
            Self::TfIdfCosine(term) => term.score(frequency, norm),
            Self::Dirichlet(term) => term.score(frequency, norm),
            Self::JelinekMercer(term) => term.score(frequency, norm),
            Self::Overlap(term) => term.score(frequency, norm),
            Self::Dice(term) => term.score(frequency, norm),
            Self::Cosine(term) => term.score(norm),
            Self::Structure(term) => term.score(frequency, norm),
        }
    }

    #[inline(always)]
    fn score_all(&self, frequencies: &mut [f32], norms: &[f32]) {
        // The kind of model is asked once, not for each document.
        #[inline(always)]
        fn all(frequencies: &mut [f32], norms: &[f32], score: impl Fn(f32, f32) -> f32) {
            for (frequency, norm) in frequencies.iter_mut().zip(norms) {
                *frequency = score(*frequency, *norm);
            }
        }
        match self {
            Self::Bm25(term) => all(frequencies, norms, |frequency, norm| term.score(frequency, norm)),
            Self::Bm25Plus(term) => all(frequencies, norms, |frequency, norm| term.score(frequency, norm)),
            Self::TfIdfCosine(term) => all(frequencies, norms, |frequency, norm| term.score(frequency, norm)),
            Self::Dirichlet(term) => all(frequencies, norms, |frequency, norm| term.score(frequency, norm)),
            Self::JelinekMercer(term) => {
                all(frequencies, norms, |frequency, norm| term.score(frequency, norm));
            }
            Self::Overlap(term) => all(frequencies, norms, |frequency, norm| term.score(frequency, norm)),
            Self::Dice(term) => all(frequencies, norms, |frequency, norm| term.score(frequency, norm)),
            Self::Cosine(term) => all(frequencies, norms, |_, norm| term.score(norm)),
            Self::Structure(term) => all(frequencies, norms, |frequency, norm| term.score(frequency, norm)),
        }
    }

    fn most(&self) -> f32 {
        match self {
            Self::Bm25(term) => term.weight,
            Self::Bm25Plus(term) => term.most(),
            Self::TfIdfCosine(term) => term.most(),
            Self::Dirichlet(term) => term.most(),
            Self::JelinekMercer(term) => term.most(),
            Self::Overlap(term) => term.most(),
            Self::Dice(term) => term.most(),
            Self::Cosine(term) => term.weight,
            Self::Structure(term) => term.most(),
        }
    }
}
