//! Other orders of what was ranked: by votes, by date.

use crate::engine::Engine;
use crate::hits::Hit;
use index::Document;
use std::cmp::Reverse;
use store::PostFacts;

/// The order in which results are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Best first.
    #[default]
    Relevance,
    /// Most votes first.
    Votes,
    /// Newest first.
    Date,
}

impl Sort {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Relevance, Self::Votes, Self::Date];

    /// Its name in addresses, in the API and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Votes => "votes",
            Self::Date => "date",
        }
    }

    /// The order with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sort| sort.name() == name)
    }

    /// Sorts posts that stand in the order of their ranks. Posts of equal votes or dates keep that order; posts
    /// without votes or a date come last.
    pub(super) fn apply(self, engine: &Engine, posts: &mut [Hit]) {
        let facts = |hit: &Hit| facts(engine, hit.document);
        match self {
            Self::Relevance => {}
            Self::Votes => posts.sort_by_cached_key(|hit| Reverse(facts(hit).score)),
            Self::Date => posts.sort_by_cached_key(|hit| Reverse(facts(hit).date)),
        }
    }

    /// Whether posts can be told apart by it.
    fn fits(self, engine: &Engine, posts: &[Hit]) -> bool {
        let mut facts = posts.iter().map(|hit| facts(engine, hit.document));
        match self {
            Self::Relevance => true,
            Self::Votes => facts.any(|facts| facts.score.is_some()),
            Self::Date => facts.any(|facts| facts.date.is_some()),
        }
    }
}

/// The orders in which posts can be shown: by votes and by date only if some of them have any.
pub(super) fn sorts(engine: &Engine, posts: &[Hit]) -> Vec<Sort> {
    Sort::ALL.into_iter().filter(|sort| sort.fits(engine, posts)).collect()
}

fn facts(engine: &Engine, document: Document) -> PostFacts {
    let (source, post) = engine.index().post(document);
    source.collection.post_facts(post)
}
