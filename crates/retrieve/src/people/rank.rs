//! The best posts: by the groups of a system and by whole formulas, as far as restrictions let them.

use crate::engine::{Engine, Memory};
use crate::error::Error;
use crate::people::desk::Desk;
use crate::people::formulas::Similar;
use crate::people::restrict::Restriction;
use crate::people::words::Asked;
use crate::people::{DEEPEST, Grouping, Rest, Total, notes};
use crate::posts::GroupQuery;
use crate::system::PostStage;
use crate::typed::Note;
use collection::{DocId, order};
use index::Document;
use std::collections::{BTreeMap, HashSet};

/// So many posts with formulas like those of the query are all ranked by words as well.
const ALL_SCORED: usize = 50_000;
/// Of more, so many.
const WITH_FORMULAS: usize = 4096;
/// Of those with the most similar formulas, so many.
const WITH_BEST: usize = 1024;
/// How many posts are ranked, step by step, when too few pass.
const STEPS: [usize; 4] = [256, 1024, 4096, DEEPEST + 1];

/// A post on its way to the results.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) document: Document,
    pub(super) id: String,
    pub(super) score: f64,
}

/// What a search found.
#[derive(Debug)]
pub(super) struct Found {
    /// All that passed as far as was looked, best first.
    pub(super) posts: Vec<Candidate>,
    /// How many results they make.
    pub(super) total: Total,
    pub(super) candidates: usize,
    pub(super) note: Option<Note>,
}

/// What is ranked by.
pub(super) struct Ranking<'r, 'e> {
    pub(super) engine: &'e Engine,
    pub(super) stage: &'r PostStage,
    pub(super) groups: &'r [GroupQuery<'r, 'e>],
    pub(super) similar: &'r [Similar],
    pub(super) asked: &'r Asked,
}

/// What is wanted of a ranking.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// So many results, those of earlier pages included.
    pub(super) results: usize,
    /// What one result is.
    pub(super) grouping: Grouping,
    /// So many posts at least, whatever a result is.
    pub(super) posts: usize,
}

impl Ranking<'_, '_> {
    /// The best posts that pass. More and more are ranked until as many as are wanted pass.
    ///
    /// How deep the steps go does not depend on what is wanted, and what a deeper step finds follows what the
    /// steps before found: so the pages of a query never overlap.
    pub(super) fn find(
        &mut self,
        restrictions: &[&Restriction],
        wanted: Wanted,
        desk: &mut Desk<'_>,
        memory: &mut Memory,
    ) -> Result<Found, Error> {
        let need_text: Vec<_> = restrictions.iter().filter(|restriction| restriction.needs_text()).collect();
        let (mut seen, mut results) = (HashSet::new(), HashSet::new());
        let mut posts = Vec::new();
        let mut rest = Rest::Cut;
        'steps: for depth in STEPS {
            let candidates = if self.asked.is_rankable() {
                self.ranked(restrictions, depth, memory)
            } else {
                self.listed(restrictions, depth)
            };
            let exhausted = candidates.len() < depth;
            for candidate in candidates {
                if !seen.insert(candidate.document) {
                    continue;
                }
                let mut passes = true;
                for restriction in &need_text {
                    passes = passes && restriction.passes(desk, candidate.document)?;
                }
                if !passes {
                    continue;
                }
                results.insert(wanted.grouping.of(desk, candidate.document));
                posts.push(candidate);
                // Reading texts is dear. One more than wanted tells that there are more.
                if !need_text.is_empty() && results.len() > wanted.results && posts.len() >= wanted.posts {
                    break 'steps;
                }
            }
            if exhausted {
                rest = Rest::None;
            }
            if exhausted || (results.len() > wanted.results && posts.len() >= wanted.posts) {
                break;
            }
        }
        let total = match rest {
            Rest::None => Total::Exactly(results.len()),
            Rest::Cut => Total::AtLeast(results.len()),
        };
        let cut_short = results.len() <= wanted.results && rest == Rest::Cut && !need_text.is_empty();
        let note = cut_short.then(|| {
            let text = format!("only the {} posts that are ranked first were looked at", seen.len());
            notes::about(&text, 0..0)
        });
        Ok(Found { posts, total, candidates: seen.len(), note })
    }

    /// Whether a post may be among the results, as far as the index can tell.
    fn may_pass(&self, restrictions: &[&Restriction], document: Document) -> bool {
        restrictions.iter().all(|restriction| restriction.may_pass(self.engine, document))
    }

    /// The best posts for words and formulas.
    fn ranked(&self, restrictions: &[&Restriction], depth: usize, memory: &mut Memory) -> Vec<Candidate> {
        let returns = self.stage.returns;
        let may_pass = |document: Document| self.may_pass(restrictions, document);
        let passes = |document: Document| self.engine.is_returned(document, returns) && may_pass(document);
        let mut base: BTreeMap<Document, f64> = BTreeMap::new();
        let gain =
            |document: Document| self.similar.iter().map(|similar| similar.gain(document)).sum::<f64>();
        let mut with: Vec<Document> =
            self.similar.iter().flat_map(|similar| similar.posts.keys().copied()).collect();
        with.sort_unstable();
        with.dedup();
        let has = |document: Document| with.binary_search(&document).is_ok();
        // What a post with such a formula is worth must not depend on the depth.
        let others = |document| !has(document) && may_pass(document);
        let hits = self.engine.search_groups(self.groups, returns, depth, &others, memory);
        base.extend(hits.into_iter().map(|hit| (hit.document, hit.score)));
        if !with.is_empty() {
            if with.len() <= ALL_SCORED {
                let passing: Vec<Document> =
                    with.iter().copied().filter(|document| passes(*document)).collect();
                base.extend(self.engine.score_documents(self.groups, &passing, memory));
            } else {
                // Too many to know what all their words are worth: of those with the best formulas, and of
                // those with the best words, it is known.
                let highest = with.iter().map(|document| gain(*document)).fold(0.0, f64::max);
                for (depth, least) in [(WITH_FORMULAS, 0.0), (WITH_BEST, highest)] {
                    let accept = |document| has(document) && gain(document) >= least && may_pass(document);
                    let hits = self.engine.search_groups(self.groups, returns, depth, &accept, memory);
                    base.extend(hits.into_iter().map(|hit| (hit.document, hit.score)));
                }
                for document in with.iter().filter(|document| passes(**document)) {
                    base.entry(*document).or_insert(0.0);
                }
            }
        }
        let mut scored: Vec<(Document, f64)> =
            base.into_iter().map(|(document, score)| (document, score + gain(document))).collect();
        if depth > 0 && scored.len() > depth {
            // Ids decide between equal scores; the others need none.
            let mut scores: Vec<f64> = scored.iter().map(|(_, score)| *score).collect();
            let (_, least, _) = scores.select_nth_unstable_by(depth - 1, |left, right| right.total_cmp(left));
            let least = *least;
            scored.retain(|(_, score)| *score >= least);
        }
        let candidate = |(document, score): (Document, f64)| {
            let (source, post) = self.engine.index().post(document);
            Candidate { document, id: source.collection.post_id(post).to_string(), score }
        };
        let mut candidates: Vec<Candidate> = scored.into_iter().map(candidate).collect();
        candidates.sort_by(|left, right| {
            order::compare((left.score, DocId(&left.id)), (right.score, DocId(&right.id)))
        });
        candidates.truncate(depth);
        candidates
    }

    /// Posts when there is nothing to rank by: those with most votes first, then the latest.
    fn listed(&self, restrictions: &[&Restriction], depth: usize) -> Vec<Candidate> {
        let index = self.engine.index();
        let mut all = Vec::new();
        for (number, segment) in index.segments().iter().enumerate() {
            for doc in (0..segment.posts.documents()).filter(|doc| segment.is_live(*doc)) {
                let document = Document { segment: number, doc };
                if self.engine.is_returned(document, self.stage.returns)
                    && self.may_pass(restrictions, document)
                {
                    all.push((self.engine.by_votes(document), document));
                }
            }
        }
        all.sort_unstable();
        all.truncate(depth);
        let candidate = |document: Document| {
            let (source, post) = index.post(document);
            Candidate { document, id: source.collection.post_id(post).to_string(), score: 0.0 }
        };
        all.into_iter().map(|(_, document)| candidate(document)).collect()
    }
}
