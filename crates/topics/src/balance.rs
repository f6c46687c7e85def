//! How are topics spread over types, levels and elements, beside the candidates they were chosen from?

use crate::{Candidate, Chosen, Dependence, Element, Level, QuestionType};

/// The counts of one dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    /// Its name.
    pub name: &'static str,
    /// Whether each question has exactly one of the values, so that shares add up to 1.
    pub kind: DimensionKind,
    /// Its values in order; values that no candidate has are left out.
    pub values: Vec<Share>,
}

/// Whether questions have one value of a dimension, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DimensionKind {
    /// Each question has one: strata are made of it.
    Stratum,
    /// A question may have several.
    Several,
}

/// How many questions have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The value.
    pub value: &'static str,
    /// How many candidates have it.
    pub candidates: usize,
    /// How many topics have it.
    pub topics: usize,
}

/// How evenly candidates, and topics, are spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evenness {
    /// Of the candidates.
    pub candidates: f64,
    /// Of the topics.
    pub topics: f64,
}

impl Dimension {
    /// The entropy of the shares, divided by the greatest that the values among the candidates allow: 1 if all are as
    /// frequent, 0 if all questions have the same. `None` with fewer than two values, without topics, or where
    /// questions may have several values.
    #[must_use]
    pub fn evenness(&self) -> Option<Evenness> {
        let values = self.values.len();
        let of = |count: &dyn Fn(&Share) -> usize| {
            let all = self.values.iter().map(count).sum::<usize>() as f64;
            let shares =
                self.values.iter().map(|value| count(value) as f64 / all).filter(|share| *share > 0.0);
            let entropy: f64 = shares.map(|share| -share * share.ln()).sum();
            // A lone value has no entropy, and not less than none.
            (all > 0.0).then(|| (entropy / (values as f64).ln()).max(0.0))
        };
        if values < 2 || self.kind == DimensionKind::Several {
            return None;
        }
        Some(Evenness { candidates: of(&|value| value.candidates)?, topics: of(&|value| value.topics)? })
    }
}

/// Counts candidates and topics in every dimension.
#[must_use]
pub fn balance(candidates: &[Candidate], chosen: &Chosen<'_>) -> Vec<Dimension> {
    type Has<'h> = &'h dyn Fn(&Candidate) -> bool;
    let share = |value: &'static str, has: Has<'_>| Share {
        value,
        candidates: candidates.iter().filter(|candidate| has(candidate)).count(),
        topics: chosen.topics.iter().filter(|picked| has(picked.candidate)).count(),
    };
    let dimension = |name, kind, values: Vec<Share>| Dimension {
        name,
        kind,
        values: values.into_iter().filter(|value| value.candidates > 0).collect(),
    };
    let levels = |level: &dyn Fn(&Candidate) -> Level| {
        Level::ALL.map(|value| share(value.name(), &|candidate| level(candidate) == value)).to_vec()
    };
    let types =
        QuestionType::ALL.map(|value| share(value.name(), &|candidate| candidate.stratum.kind == value));
    let dependences =
        Dependence::ALL.map(|value| share(value.name(), &|candidate| candidate.stratum.dependence == value));
    let elements =
        Element::ALL.map(|value| share(value.name(), &|candidate| candidate.stratum.element == value));
    let of_queries =
        Element::ALL.map(|value| share(value.name(), &|candidate| candidate.query_elements.has(value)));
    let of_questions =
        Element::ALL.map(|value| share(value.name(), &|candidate| candidate.elements.has(value)));
    let is_multi_part = |candidate: &Candidate| candidate.multi_part.starts_with("Yes");
    vec![
        dimension("type", DimensionKind::Stratum, types.to_vec()),
        dimension("difficulty", DimensionKind::Stratum, levels(&|candidate| candidate.stratum.difficulty)),
        dimension("dependence", DimensionKind::Stratum, dependences.to_vec()),
        dimension("complexity", DimensionKind::Stratum, levels(&|candidate| candidate.stratum.complexity)),
        dimension("leading element", DimensionKind::Stratum, elements.to_vec()),
        dimension("elements of the formula query", DimensionKind::Several, of_queries.to_vec()),
        dimension("elements of the question", DimensionKind::Several, of_questions.to_vec()),
        dimension("parts", DimensionKind::Several, vec![share("multi-part", &is_multi_part)]),
    ]
}
