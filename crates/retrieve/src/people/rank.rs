//! The best posts: by the groups of a system and by whole formulas, as far as restrictions let them.

use crate::engine::{Engine, Memory};
use crate::error::Error;
use crate::people::desk::Desk;
use crate::people::formulas::Similar;
use crate::people::restrict::Restriction;
use crate::people::words::Asked;
use crate::people::{DEEPEST, Total, notes};
use crate::posts::GroupQuery;
use crate::system::PostStage;
use crate::typed::Note;
use collection::{DocId, order};
use index::Document;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Of the posts with formulas like those of the query, so many are ranked by words as well.
const WITH_FORMULAS: usize = 4096;
/// How much further the next step looks when too few pass.
const STEP: usize = 4;

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
    /// As many as were wanted, best first.
    pub(super) posts: Vec<Candidate>,
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

impl Ranking<'_, '_> {
    /// The best posts that pass. More and more are ranked until as many as are wanted pass.
    pub(super) fn find(
        &mut self,
        restrictions: &[&Restriction],
        wanted: usize,
        desk: &mut Desk<'_>,
        memory: &mut Memory,
    ) -> Result<Found, Error> {
        let need_text: Vec<_> = restrictions.iter().filter(|restriction| restriction.needs_text()).collect();
        // One more tells whether there are more.
        let mut depth = if need_text.is_empty() { wanted + 1 } else { (wanted + 1) * STEP };
        let mut known: HashMap<Document, bool> = HashMap::new();
        loop {
            let candidates = if self.asked.is_rankable() {
                self.ranked(restrictions, depth, memory)
            } else {
                self.listed(restrictions, depth)
            };
            let exhausted = candidates.len() < depth;
            let (looked_at, mut posts) = (candidates.len(), Vec::new());
            for candidate in candidates {
                let document = candidate.document;
                let passes = match known.get(&document) {
                    Some(passes) => *passes,
                    None => {
                        let mut passes = true;
                        for restriction in &need_text {
                            passes = passes && restriction.passes(desk, document)?;
                        }
                        known.insert(document, passes);
                        passes
                    }
                };
                if passes {
                    posts.push(candidate);
                    if posts.len() > wanted {
                        break;
                    }
                }
            }
            if posts.len() > wanted || exhausted || depth > DEEPEST {
                let total = if exhausted && posts.len() <= wanted {
                    Total::Exactly(posts.len())
                } else {
                    Total::AtLeast(posts.len())
                };
                let cut_short = posts.len() <= wanted && !exhausted && !need_text.is_empty();
                let note = cut_short.then(|| {
                    let text = format!("only the {looked_at} posts that are ranked first were looked at");
                    notes::about(&text, 0..0)
                });
                posts.truncate(wanted);
                return Ok(Found { posts, total, candidates: looked_at, note });
            }
            depth = (depth * STEP).min(DEEPEST + 1);
        }
    }

    /// Whether a post may be among the results, as far as the index can tell.
    fn may_pass(&self, restrictions: &[&Restriction], document: Document) -> bool {
        restrictions.iter().all(|restriction| restriction.may_pass(self.engine, document))
    }

    /// The best posts for words and formulas.
    fn ranked(&self, restrictions: &[&Restriction], depth: usize, memory: &mut Memory) -> Vec<Candidate> {
        let returns = self.stage.returns;
        let may_pass = |document: Document| self.may_pass(restrictions, document);
        let mut search = |depth: usize, accept: &dyn Fn(Document) -> bool| {
            self.engine.search_groups(self.groups, returns, depth, &|document| accept(document), memory)
        };
        let mut base: BTreeMap<Document, f64> = BTreeMap::new();
        let mut add = |hits: Vec<crate::Hit>| {
            base.extend(hits.into_iter().map(|hit| (hit.document, hit.score)));
        };
        add(search(depth, &may_pass));
        let gain =
            |document: Document| self.similar.iter().map(|similar| similar.gain(document)).sum::<f64>();
        let mut with: Vec<Document> =
            self.similar.iter().flat_map(|similar| similar.posts.keys().copied()).collect();
        with.sort_unstable();
        with.dedup();
        if !with.is_empty() {
            let highest = with.iter().map(|document| gain(*document)).fold(0.0, f64::max);
            add(search(depth.max(WITH_FORMULAS), &|document| {
                with.binary_search(&document).is_ok() && may_pass(document)
            }));
            if with.len() > WITH_FORMULAS {
                // Too many to know what all their words are worth: those with the best formulas come first.
                add(search(depth, &|document| gain(document) >= highest && may_pass(document)));
            }
        }
        for document in with {
            if !base.contains_key(&document)
                && self.engine.is_returned(document, returns)
                && may_pass(document)
            {
                base.insert(document, 0.0);
            }
        }
        let candidate = |(document, score): (Document, f64)| {
            let (source, post) = self.engine.index().post(document);
            let id = source.collection.post_id(post).to_string();
            Candidate { document, id, score: score + gain(document) }
        };
        let mut candidates: Vec<Candidate> = base.into_iter().map(candidate).collect();
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
                    let (source, post) = index.post(document);
                    let facts = source.collection.post_facts(post);
                    all.push((Reverse(facts.score), Reverse(facts.date), document));
                }
            }
        }
        all.sort_unstable();
        all.truncate(depth);
        let candidate = |document: Document| {
            let (source, post) = index.post(document);
            Candidate { document, id: source.collection.post_id(post).to_string(), score: 0.0 }
        };
        all.into_iter().map(|(.., document)| candidate(document)).collect()
    }
}
