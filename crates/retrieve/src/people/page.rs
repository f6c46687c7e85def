//! A page of results: posts as they are, or threads with their best posts.

use crate::engine::{Engine, Memory};
use crate::error::Error;
use crate::people::desk::Desk;
use crate::people::formulas::Similar;
use crate::people::rank::Candidate;
use crate::people::words::Asked;
use crate::people::{FoundPost, Grouping, show};
use crate::posts::GroupQuery;
use index::Document;
use std::collections::HashMap;
use std::ops::Range;

/// So many posts of a thread are shown below the best.
const MOST_OTHERS: usize = 3;

impl Grouping {
    /// What a post is counted as: itself, or the question that its thread begins with.
    pub(super) fn of(self, desk: &Desk<'_>, document: Document) -> Document {
        match self {
            Self::Posts => document,
            Self::Threads => desk.question(document).unwrap_or(document),
        }
    }

    /// The posts of each result, best first.
    fn results<'c>(self, desk: &Desk<'_>, posts: &'c [Candidate]) -> Vec<Vec<&'c Candidate>> {
        let mut results: Vec<Vec<&Candidate>> = Vec::new();
        let mut places: HashMap<Document, usize> = HashMap::new();
        for post in posts {
            let place = *places.entry(self.of(desk, post.document)).or_insert(results.len());
            match results.get_mut(place) {
                Some(result) => result.push(post),
                None => results.push(vec![post]),
            }
        }
        results
    }
}

/// What makes a page of what was ranked.
pub(super) struct Page<'p, 'e> {
    pub(super) engine: &'e Engine,
    pub(super) asked: &'p Asked,
    pub(super) similar: &'p [Similar],
    pub(super) groups: &'p [GroupQuery<'p, 'e>],
}

impl Page<'_, '_> {
    /// The results with these places, from 0.
    pub(super) fn show(
        &self,
        posts: &[Candidate],
        grouping: Grouping,
        places: Range<usize>,
        desk: &mut Desk<'_>,
        memory: &mut Memory,
    ) -> Result<Vec<FoundPost>, Error> {
        let results = grouping.results(desk, posts);
        let mut hits = Vec::new();
        for (place, result) in results.iter().enumerate().skip(places.start).take(places.len()) {
            let Some((best, others)) = result.split_first() else { continue };
            let mut shown = |candidate: &Candidate| {
                let why = self.engine.explain_by_groups(self.groups, candidate.document, memory);
                show::show(desk, self.asked, self.similar, (place + 1, candidate), why)
            };
            let mut hit = shown(best)?;
            hit.num_others = others.len();
            for other in others.iter().take(MOST_OTHERS) {
                hit.others.push(shown(other)?);
            }
            hits.push(hit);
        }
        Ok(hits)
    }
}
