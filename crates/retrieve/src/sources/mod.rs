//! Where candidates come from: one file for each way to find posts.

pub(crate) mod by_formulas;
pub(crate) mod dense;
pub(crate) mod links;
pub(crate) mod terms;

pub(crate) use by_formulas::PostsByFormulas;
pub(crate) use dense::DenseSearch;
pub(crate) use links::LinkedAnswers;
pub(crate) use terms::TermSearch;

use crate::engine::Engine;
use crate::hits::Hit;
use crate::pipeline::stage::Filter;
use formats::{DocId, order};
use index::Document;
use std::collections::BTreeMap;

impl Engine {
    /// The question that a post answers.
    pub(crate) fn parent(&self, document: Document) -> Option<Document> {
        let posts = &self.index.segments()[document.segment].posts;
        posts.parent(document.doc).map(|doc| Document { doc, ..document })
    }

    /// A post with a score.
    pub(crate) fn hit(&self, document: Document, score: f64) -> Hit {
        let (source, post) = self.index.post(document);
        Hit { document, id: source.collection.post_id(post).to_string(), score, reranked: 0 }
    }
}

/// Puts hits in the order of rankings.
pub(crate) fn sort(hits: &mut [Hit]) {
    hits.sort_by(|left, right| {
        order::compare((left.score, DocId(&left.id)), (right.score, DocId(&right.id)))
    });
}

/// The best `depth` of posts that are known one by one.
fn best_listed(
    engine: &Engine,
    listed: &BTreeMap<Document, f64>,
    depth: usize,
    accept: &Filter<'_>,
) -> Vec<Hit> {
    let accepted = listed.iter().filter(|(document, _)| accept(**document));
    best(engine, accepted.map(|(document, score)| (*document, *score)).collect(), depth)
}

/// The best `depth` of posts with scores.
pub(crate) fn best(engine: &Engine, scored: Vec<(Document, f64)>, depth: usize) -> Vec<Hit> {
    // Ids decide between equal scores; the others need none.
    let hit = |(document, score): (Document, f64)| engine.hit(document, score);
    let mut hits: Vec<Hit> = Best { scored, ..Best::new(depth) }.into_scored().into_iter().map(hit).collect();
    sort(&mut hits);
    hits.truncate(depth);
    hits
}

/// The best of many, and all that score as much as the last of them.
#[derive(Debug)]
pub(crate) struct Best<T> {
    depth: usize,
    least: f64,
    scored: Vec<(T, f64)>,
}

impl<T> Best<T> {
    pub(crate) fn new(depth: usize) -> Self {
        Self { depth, least: f64::NEG_INFINITY, scored: Vec::new() }
    }

    /// Whether a score may be among the best.
    pub(crate) fn takes(&self, score: f64) -> bool {
        score >= self.least && self.depth > 0
    }

    pub(crate) fn push(&mut self, thing: T, score: f64) {
        self.scored.push((thing, score));
        if self.scored.len() >= 2 * self.depth + 1024 {
            self.prune();
        }
    }

    fn prune(&mut self) {
        if self.depth == 0 || self.scored.len() <= self.depth {
            return;
        }
        let mut scores: Vec<f64> = self.scored.iter().map(|(_, score)| *score).collect();
        let (_, least, _) =
            scores.select_nth_unstable_by(self.depth - 1, |left, right| right.total_cmp(left));
        self.least = *least;
        self.scored.retain(|(_, score)| *score >= self.least);
    }

    pub(crate) fn into_scored(mut self) -> Vec<(T, f64)> {
        self.prune();
        self.scored
    }
}

/// The scores of posts among those that are known one by one.
fn listed_scores(listed: &BTreeMap<Document, f64>, documents: &[Document]) -> Vec<f64> {
    documents.iter().map(|document| listed.get(document).copied().unwrap_or(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::Best;

    #[test]
    fn the_best_and_all_that_score_as_much_as_the_last() {
        let mut best = Best::new(2);
        for number in 0..5000_u32 {
            let score = f64::from(number % 50);
            if best.takes(score) {
                best.push(number, score);
            }
        }
        let scored = best.into_scored();
        assert_eq!(scored.len(), 100);
        assert!(scored.iter().all(|(number, score)| number % 50 == 49 && *score == 49.0));
        assert!(Best::<u32>::new(0).into_scored().is_empty());
    }
}
