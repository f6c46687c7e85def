//! The best candidates of one query, as many as are wanted.

use formats::DocId;
use formats::order::compare;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// The best candidates so far. Each id is there once, with its best score.
#[derive(Debug)]
pub(super) struct Best {
    /// How many are kept; all without a limit.
    depth: Option<NonZeroUsize>,
    ranking: BTreeSet<Ranked>,
    scores: HashMap<Arc<str>, f32>,
    /// How many were offered.
    offered: u64,
    /// How many were offered under an id that was there already.
    repeated: u64,
}

impl Best {
    /// Keeps the best `depth`.
    pub(super) fn new(depth: Option<NonZeroUsize>) -> Self {
        Self { depth, ranking: BTreeSet::new(), scores: HashMap::new(), offered: 0, repeated: 0 }
    }

    /// Takes a candidate if it is good enough.
    pub(super) fn offer(&mut self, id: &str, score: f32) {
        self.offered += 1;
        if let (true, Some(worst)) = (self.is_full(), self.ranking.last())
            && compare(worst.key(), (f64::from(score), DocId(id))) == Ordering::Less
        {
            return;
        }
        let id = match self.scores.get_key_value(id) {
            Some((id, &before)) => {
                self.repeated += 1;
                if before >= score {
                    return;
                }
                let id = Arc::clone(id);
                self.ranking.remove(&Ranked { score: before, id: Arc::clone(&id) });
                id
            }
            None => Arc::from(id),
        };
        self.scores.insert(Arc::clone(&id), score);
        self.ranking.insert(Ranked { score, id });
        if self.depth.is_some_and(|depth| self.ranking.len() > depth.get())
            && let Some(worst) = self.ranking.pop_last()
        {
            self.scores.remove(&worst.id);
        }
    }

    /// The score that must at least be reached; none as long as there is room.
    pub(super) fn floor(&self) -> f32 {
        let worst = self.ranking.last().filter(|_| self.is_full());
        worst.map_or(f32::NEG_INFINITY, |worst| worst.score)
    }

    /// Whether what comes must be better than something that is there.
    pub(super) fn is_full(&self) -> bool {
        self.depth.is_some_and(|depth| self.ranking.len() >= depth.get())
    }

    /// Whether nothing was ever offered.
    pub(super) fn is_untouched(&self) -> bool {
        self.offered == 0
    }

    /// How many were offered under an id that was there already.
    pub(super) fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The candidates with their scores, the best first.
    pub(super) fn ranking(&self) -> impl ExactSizeIterator<Item = (DocId<'_>, f32)> {
        self.ranking.iter().map(|ranked| (DocId(&ranked.id), ranked.score))
    }
}

/// A candidate with its score, ordered as in a ranking.
#[derive(Debug)]
struct Ranked {
    score: f32,
    id: Arc<str>,
}

impl Ranked {
    fn key(&self) -> (f64, DocId<'_>) {
        (f64::from(self.score), DocId(&self.id))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self.key(), other.key())
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(depth: usize, offers: &[(&str, f32)], expected: &[(&str, f32)]) {
        let mut best = Best::new(NonZeroUsize::new(depth));
        for (id, score) in offers {
            best.offer(id, *score);
        }
        let ranking: Vec<(&str, f32)> = best.ranking().map(|(id, score)| (id.as_str(), score)).collect();
        assert_eq!(ranking, expected);
    }

    #[test]
    fn the_best_stay() {
        let offers = [("a", 0.1), ("b", 0.3), ("c", 0.2), ("d", 0.2)];
        check(0, &offers, &[("b", 0.3), ("d", 0.2), ("c", 0.2), ("a", 0.1)]);
        check(2, &offers, &[("b", 0.3), ("d", 0.2)]);
        check(1, &offers, &[("b", 0.3)]);
    }

    #[test]
    fn an_id_stays_once_with_its_best_score() {
        check(2, &[("a", 0.1), ("a", 0.4), ("b", 0.2), ("a", 0.3)], &[("a", 0.4), ("b", 0.2)]);
        // It comes back after it was pushed out.
        check(1, &[("a", 0.1), ("b", 0.2), ("a", 0.3)], &[("a", 0.3)]);
    }

    #[test]
    fn a_depth_that_nobody_has_memory_for_costs_nothing() {
        check(usize::MAX, &[("a", 0.1)], &[("a", 0.1)]);
    }
}
