//! Which of the candidates become topics?

use crate::{Candidate, Element, Stratum};
use stats::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// The rule in words.
pub const RULE: &str = "\
Candidates of the same type, difficulty, dependence, complexity and leading element make a stratum. In a stratum the \
one of the highest quality comes first; chance, which depends on --seed alone, decides between equals. Topics are chosen \
in rounds: in each, every stratum gives its first candidate that is not like a topic already chosen. Within a round it \
is the turn of the stratum whose five values have been chosen least often; the count of each value is multiplied by \
the number of values of its dimension that candidates have, so that three types and twelve elements have the same \
weight. Between equals the higher quality of the first candidate decides, then chance. It ends when there are enough or no more. Topics are numbered in the order of the choice, so that the first are \
what a smaller --count would have given.";

/// How many topics are wanted, and what chance begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// How many topics, at most.
    pub count: usize,
    /// What chance begins with.
    pub seed: u64,
    /// How much two questions may have in common; see [`crate::near`].
    pub alike: f64,
}

/// A candidate that became a topic.
#[derive(Clone, Debug)]
pub struct Picked<'c> {
    /// The candidate.
    pub candidate: &'c Candidate,
    /// The round it was chosen in, from 1.
    pub round: usize,
}

/// The topics, and how many candidates were passed over.
#[derive(Clone, Debug, Default)]
pub struct Chosen<'c> {
    /// The topics in the order of the choice.
    pub topics: Vec<Picked<'c>>,
    /// How many were passed over because they are like a topic.
    pub alike: usize,
    /// How many were passed over because they share a duplicate with a topic.
    pub shared: usize,
}

/// Chooses topics.
#[must_use]
pub fn choose<'c>(candidates: &'c [Candidate], choice: &Choice) -> Chosen<'c> {
    let mut rng = Rng::seeded(choice.seed);
    let mut order: Vec<&Candidate> = candidates.iter().collect();
    rng.shuffle(&mut order);
    order.sort_by(|left, right| right.quality.total_cmp(&left.quality));
    let mut by_stratum: BTreeMap<Stratum, Vec<&Candidate>> = BTreeMap::new();
    for candidate in order.into_iter().rev() {
        by_stratum.entry(candidate.stratum).or_default().push(candidate);
    }
    // The best of each is last now, to be taken from there.
    let mut strata: Vec<(Stratum, Vec<&Candidate>)> = by_stratum.into_iter().collect();
    rng.shuffle(&mut strata);
    let mut chosen = Chosen::default();
    let mut tally = Tally::new(candidates);
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for round in 1.. {
        let mut waiting: Vec<usize> = (0..strata.len()).filter(|at| !strata[*at].1.is_empty()).collect();
        if waiting.is_empty() {
            break;
        }
        while !waiting.is_empty() {
            if chosen.topics.len() >= choice.count {
                return chosen;
            }
            let first = |at: usize| strata[waiting[at]].1.last().map_or(0.0, |candidate| candidate.quality);
            let least = (0..waiting.len()).min_by(|at, other| {
                let sum = |at: usize| tally.sum(strata[waiting[at]].0);
                sum(*at).cmp(&sum(*other)).then_with(|| first(*other).total_cmp(&first(*at)))
            });
            let stratum = waiting.remove(least.unwrap_or_default());
            while let Some(candidate) = strata[stratum].1.pop() {
                let own = || candidate.duplicates.iter().chain([&candidate.id]).map(String::as_str);
                let is_like = |other: &Picked<'_>| {
                    candidate.traits.alike(&other.candidate.traits, choice.alike).is_some()
                };
                if own().any(|id| used.contains(id)) {
                    chosen.shared += 1;
                } else if chosen.topics.iter().any(is_like) {
                    chosen.alike += 1;
                } else {
                    used.extend(own());
                    tally.add(candidate.stratum);
                    chosen.topics.push(Picked { candidate, round });
                    break;
                }
            }
        }
    }
    chosen
}

/// How often each value was chosen.
struct Tally {
    counts: [[usize; Element::ALL.len()]; DIMENSIONS],
    /// How many values of each dimension candidates have.
    weights: [usize; DIMENSIONS],
}

/// How many dimensions a stratum has.
const DIMENSIONS: usize = 5;

impl Tally {
    fn new(candidates: &[Candidate]) -> Self {
        let mut seen = [[false; Element::ALL.len()]; DIMENSIONS];
        for candidate in candidates {
            for (seen, place) in seen.iter_mut().zip(Self::places(candidate.stratum)) {
                seen[place] = true;
            }
        }
        let weights = seen.map(|seen| seen.into_iter().filter(|seen| *seen).count());
        Self { counts: [[0; Element::ALL.len()]; DIMENSIONS], weights }
    }

    fn places(stratum: Stratum) -> [usize; DIMENSIONS] {
        [
            stratum.kind as usize,
            stratum.difficulty as usize,
            stratum.dependence as usize,
            stratum.complexity as usize,
            stratum.element as usize,
        ]
    }

    fn sum(&self, stratum: Stratum) -> usize {
        let counts = self.counts.iter().zip(Self::places(stratum)).map(|(counts, place)| counts[place]);
        counts.zip(self.weights).map(|(count, weight)| count * weight).sum()
    }

    fn add(&mut self, stratum: Stratum) {
        for (counts, place) in self.counts.iter_mut().zip(Self::places(stratum)) {
            counts[place] += 1;
        }
    }
}
