//! A page of results: posts as they are, or threads with their best posts.

use crate::desk::Desk;
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::Hit;
use crate::people::formulas::QueryFormula;
use crate::people::highlight::Highlight;
use crate::people::{FoundPost, Grouping, show};
use crate::pipeline::run::OpenPipeline;
use index::Document;
use std::collections::HashMap;
use std::ops::Range;

/// So many posts of a thread are shown below the best.
const MOST_OTHERS: usize = 3;

impl Grouping {
    /// What a post is counted as: itself, or the question that its thread begins with.
    pub(super) fn of(self, engine: &Engine, document: Document) -> Document {
        match self {
            Self::Posts => document,
            Self::Threads => engine.question_of(document).unwrap_or(document),
        }
    }

    /// The posts of each result, best first.
    fn results<'h>(self, engine: &Engine, posts: &'h [Hit]) -> Vec<Vec<&'h Hit>> {
        let mut results: Vec<Vec<&Hit>> = Vec::new();
        let mut places: HashMap<Document, usize> = HashMap::new();
        for post in posts {
            let place = *places.entry(self.of(engine, post.document)).or_insert(results.len());
            match results.get_mut(place) {
                Some(result) => result.push(post),
                None => results.push(vec![post]),
            }
        }
        results
    }
}

/// What makes a page of what was ranked.
pub(super) struct Page<'p> {
    pub(super) highlight: &'p Highlight,
    pub(super) formulas: &'p [QueryFormula],
}

impl Page<'_> {
    /// The results with these places, from 0.
    pub(super) fn show(
        &self,
        open: &mut OpenPipeline<'_>,
        posts: &[Hit],
        grouping: Grouping,
        places: Range<usize>,
        work: &mut Work,
    ) -> Result<Vec<FoundPost>, Error> {
        let mut desk = Desk::new(open.engine);
        let results = grouping.results(open.engine, posts);
        let mut hits = Vec::new();
        for (place, result) in results.iter().enumerate().skip(places.start).take(places.len()) {
            let Some((best, others)) = result.split_first() else { continue };
            if work.deadline.is_cancelled() {
                return Err(Error::Stopped);
            }
            let mut shown = |hit: &Hit| {
                let clues = open.explain(hit, work)?;
                show::show(&mut desk, self.highlight, self.formulas, (place + 1, hit, clues), work)
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
