//! The best posts that pass what a query asks of them.
//!
//! What the index can tell of a post restricts the ranking itself; what only its text can tell is asked of the
//! posts that are ranked first.

use super::run::OpenPipeline;
use crate::desk::Desk;
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::Hit;
use crate::query::Query;
use crate::restrict::Restriction;
use index::Document;
use std::collections::HashSet;

/// So many posts are ranked at most; what comes later was not worth much.
pub(crate) const DEEPEST: usize = 10_000;
/// How many posts are ranked, step by step, when too few pass.
const STEPS: [usize; 4] = [256, 1024, 4096, DEEPEST + 1];

/// The step that a depth belongs to: 1,024, or four times as many until it is enough. Where candidates are
/// left out, as many are looked at as the step says, so that the first of a ranking are the same however many
/// are asked for.
pub(crate) fn step(depth: usize) -> usize {
    let mut step = STEPS[1];
    while step < depth {
        step = step.saturating_mul(4);
    }
    step
}

/// What is wanted of a ranking.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'w> {
    /// So many results, those of earlier pages included.
    pub(crate) results: usize,
    /// What a post is counted as, where several are one result.
    pub(crate) group: &'w dyn Fn(Document) -> Document,
    /// So many posts at least, whatever a result is.
    pub(crate) posts: usize,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Found {
    /// All that passed as far as was looked, best first.
    pub(crate) posts: Vec<Hit>,
    /// How many results they make.
    pub(crate) results: usize,
    /// Whether there may be more.
    pub(crate) rest: Rest,
    /// How many posts were ranked.
    pub(crate) ranked: usize,
    /// Whether texts were read, so that what was not ranked is not known to fail.
    pub(crate) read: bool,
}

/// Whether something was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// Nothing.
    #[default]
    None,
    /// Something.
    Cut,
}

/// The best posts that pass. More and more are ranked until as many as are wanted pass.
///
/// What a deeper step finds follows what the steps before found, and the first two steps have the same first
/// posts: so the pages of a query never overlap.
pub(crate) fn find(
    open: &mut OpenPipeline<'_>,
    query: &Query,
    restrictions: &[&Restriction],
    wanted: Wanted<'_>,
    work: &mut Work,
) -> Result<Found, Error> {
    let engine = open.engine;
    let mut desk = Desk::new(engine);
    let need_text: Vec<_> = restrictions.iter().filter(|restriction| restriction.needs_text()).collect();
    let may_pass =
        |document: Document| restrictions.iter().all(|restriction| restriction.may_pass(engine, document));
    let (mut seen, mut results) = (HashSet::new(), HashSet::new());
    let mut posts = Vec::new();
    let mut rest = Rest::Cut;
    let is_rankable = query.is_rankable();
    let returns = open.returned(work)?;
    let first = usize::from(wanted.results.max(wanted.posts) >= STEPS[0]);
    'steps: for depth in STEPS.into_iter().skip(first) {
        let hits = match (is_rankable, restrictions.is_empty()) {
            (true, true) => open.posts(depth, None, work)?,
            (true, false) => open.posts(depth, Some(&may_pass), work)?,
            (false, true) => Vec::new(),
            (false, false) => work.timed("votes", |work| {
                engine.by_votes_alone(depth, &|document| returns.has(document) && may_pass(document), work)
            }),
        };
        let exhausted = hits.len() < depth;
        for hit in hits {
            if !seen.insert(hit.document) {
                continue;
            }
            let mut passes = true;
            for restriction in &need_text {
                passes = passes && restriction.passes(&mut desk, hit.document, work)?;
            }
            if !need_text.is_empty() && work.is_over() {
                break 'steps;
            }
            if !passes {
                continue;
            }
            results.insert((wanted.group)(hit.document));
            posts.push(hit);
            // Reading texts is dear. One more than wanted tells that there are more.
            if !need_text.is_empty() && results.len() > wanted.results && posts.len() >= wanted.posts {
                break 'steps;
            }
        }
        if exhausted && !open.is_limited() && !work.is_cut_short() {
            rest = Rest::None;
        }
        if exhausted || (results.len() > wanted.results && posts.len() >= wanted.posts) || work.is_cut_short()
        {
            break;
        }
    }
    Ok(Found { posts, results: results.len(), rest, ranked: seen.len(), read: !need_text.is_empty() })
}

impl Engine {
    /// Posts when there is nothing to rank by: those with most votes first, then the latest.
    fn by_votes_alone(&self, depth: usize, may_pass: &dyn Fn(Document) -> bool, work: &mut Work) -> Vec<Hit> {
        let mut all = Vec::new();
        for (number, segment) in self.index.segments().iter().enumerate() {
            let see = |doc: u32| {
                let document = Document { segment: number, doc };
                if segment.is_live(doc) && may_pass(document) {
                    all.push((self.by_votes(document), document));
                }
            };
            if work.each(0..segment.posts.documents(), see).is_err() {
                break;
            }
        }
        all.sort_unstable();
        all.truncate(depth);
        all.into_iter().map(|(_, document)| self.hit(document, 0.0)).collect()
    }
}
