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
use collection::{DocId, order};
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
pub(crate) fn best(engine: &Engine, mut scored: Vec<(Document, f64)>, depth: usize) -> Vec<Hit> {
    if depth > 0 && scored.len() > depth {
        // Ids decide between equal scores; the others need none.
        let mut scores: Vec<f64> = scored.iter().map(|(_, score)| *score).collect();
        let (_, least, _) = scores.select_nth_unstable_by(depth - 1, |left, right| right.total_cmp(left));
        let least = *least;
        scored.retain(|(_, score)| *score >= least);
    }
    let hit = |(document, score): (Document, f64)| engine.hit(document, score);
    let mut hits: Vec<Hit> = scored.into_iter().map(hit).collect();
    sort(&mut hits);
    hits.truncate(depth);
    hits
}

/// The scores of posts among those that are known one by one.
fn listed_scores(listed: &BTreeMap<Document, f64>, documents: &[Document]) -> Vec<f64> {
    documents.iter().map(|document| listed.get(document).copied().unwrap_or(0.0)).collect()
}
