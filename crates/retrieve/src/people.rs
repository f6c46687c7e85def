//! Search for people: what was typed goes in, posts with reasons come out.
//!
//! [`Engine::search`] ranks by the groups of a system and adds, when the system ranks formulas too, how alike
//! the best of a post's formulas is to each formula of the query. `docs/search.md` says what ranks how.
//! Nothing here prints or knows of a terminal.

mod alike;
mod ask;
mod desk;
mod facets;
mod formulas;
mod marked;
mod notes;
mod page;
mod rank;
mod restrict;
mod show;
mod visuals;
mod words;

pub use ask::{Answers, LONGEST_QUESTION, Question};
pub use facets::{Facet, FacetValue};
pub use marked::{Marked, MarkedFormula, Rest};
pub use visuals::{Containment, FormulaResults, FoundVisual, Instance, Instances, Spelling, Visual};

use crate::engine::Engine;
use crate::error::Error;
use crate::hits::Clue;
use crate::posts::post_stage;
use crate::system::{DEFAULT_SEARCH, System};
use crate::typed::{Note, Typed};
use formula::matching::Likeness;
use index::Document;
use std::ops::Range;
use std::time::{Duration, Instant};
use store::{Date, PostKind};

/// So many posts can be paged through; what comes later was not worth much.
pub const DEEPEST: usize = 10_000;

/// How to search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// The system that ranks.
    pub system: System,
    /// How many results are given at most.
    pub limit: usize,
    /// How many of the best are left out before them.
    pub offset: usize,
    /// How many of the best formulas are given at most, for each formula of the query.
    pub formulas: usize,
    /// What one result is.
    pub grouping: Grouping,
    /// Over how many of the best posts facets are counted; 0 for no facets.
    pub facets: usize,
}

/// What one result is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// A post.
    #[default]
    Posts,
    /// A thread, shown by its best post with the others below it; limit, offset and total count threads.
    Threads,
}

impl Default for SearchOptions {
    fn default() -> Self {
        let system = System::named(DEFAULT_SEARCH).expect("it comes with the program");
        Self { system, limit: 10, offset: 0, formulas: 5, grouping: Grouping::Posts, facets: 0 }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The posts, best first.
    pub hits: Vec<FoundPost>,
    /// How many results there are in all, the pages before and after included.
    pub total: Total,
    /// How many posts were ranked to find these.
    pub candidates: usize,
    /// The formulas that are most like those of the query, best first.
    pub formulas: Vec<BestFormula>,
    /// By what the results can be narrowed down, if that was asked for.
    pub facets: Vec<Facet>,
    /// What the person may want to know; those of the query first.
    pub notes: Vec<Note>,
    /// How long it took.
    pub elapsed: Duration,
}

/// How many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// So many.
    Exactly(usize),
    /// So many and more that were not counted.
    AtLeast(usize),
}

impl Total {
    /// The number.
    #[must_use]
    pub fn known(self) -> usize {
        match self {
            Self::Exactly(number) | Self::AtLeast(number) => number,
        }
    }
}

/// A post that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPost {
    /// Its document.
    pub document: Document,
    /// Its id.
    pub id: String,
    /// The id of the question it answers.
    pub question_id: Option<String>,
    /// The place of the result among all, from 1.
    pub rank: usize,
    /// What it is worth: the sum of the clues.
    pub score: f64,
    /// What it is.
    pub kind: PostKind,
    /// Whether the person who asked accepted it.
    pub standing: Standing,
    /// The title, that of its question for an answer.
    pub title: Marked,
    /// The tags, those of its question for an answer.
    pub tags: Vec<String>,
    /// Votes for it less votes against it.
    pub votes: Option<i32>,
    /// When it was written.
    pub date: Option<Date>,
    /// The name of who wrote it, or the number where there is no name.
    pub user: Option<String>,
    /// What of its text shows best what was found.
    pub snippet: Marked,
    /// Why it was found.
    pub why: Reasons,
    /// With [`Grouping::Threads`] the next best posts of the same thread, at most three.
    pub others: Vec<FoundPost>,
    /// How many other posts of the same thread are among those that were ranked.
    pub num_others: usize,
}

/// Whether an answer was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// By the person who asked.
    Accepted,
    /// By nobody, or it is no answer.
    Plain,
}

/// Why a post was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reasons {
    /// What each word and formula brought, most first; the score is their sum.
    pub clues: Vec<Clue>,
    /// The words of the query that it has.
    pub words: Vec<FoundWord>,
    /// For each formula of the query the most similar one that it has.
    pub formulas: Vec<FoundFormula>,
}

/// A word that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundWord {
    /// The word as it was typed.
    pub word: String,
    /// Where it stands: title, body, tags, title of the question, tags of the question.
    pub fields: Vec<&'static str>,
}

/// A formula that was found in a post.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundFormula {
    /// Which formula of the query it is like, by its place in [`Typed::formulas`].
    pub query: usize,
    /// Its LaTeX.
    pub latex: String,
    /// Where it stands: title or body.
    pub field: &'static str,
    /// How alike they are, from 0 to 1, by the matcher.
    pub similarity: f32,
    /// What of its LaTeX was aligned with something of the query, and how; in order.
    pub spans: Vec<(Range<usize>, Likeness)>,
    /// The same for the formula of the query.
    pub query_spans: Vec<(Range<usize>, Likeness)>,
}

/// A formula of the index that is like one of the query.
#[derive(Clone, Debug, PartialEq)]
pub struct BestFormula {
    /// Which formula of the query it is like, by its place in [`Typed::formulas`].
    pub query: usize,
    /// Its visual id.
    pub visual_id: u64,
    /// Its LaTeX.
    pub latex: String,
    /// How alike they are, from 0 to 1, by the matcher.
    pub similarity: f32,
    /// In how many posts it stands, whatever the filters say.
    pub posts: usize,
}

impl Engine {
    /// Searches for what a person typed. Whatever that is, it is no error: notes say why nothing is found.
    ///
    /// # Errors
    ///
    /// When the index lacks what the system needs, or cannot be read.
    pub fn search(&self, typed: &Typed, options: &SearchOptions) -> Result<Results, Error> {
        let start = Instant::now();
        let asked = words::Asked::new(typed, &options.system);
        let stage = post_stage(&asked.system)?;
        let restrictions = restrict::read(self, typed)?;
        let mut notes = typed.notes.clone();
        let (mut hits, mut candidates, mut total) = (Vec::new(), 0, Total::Exactly(0));
        let mut facets = Vec::new();
        let similar = formulas::similar(self, &asked, options.formulas)?;
        if asked.is_rankable() || !restrictions.is_empty() {
            let offset = options.offset.min(DEEPEST);
            let limit = options.limit.min(DEEPEST - offset);
            let every: Vec<_> = restrictions.iter().collect();
            let wanted = rank::Wanted {
                results: offset + limit,
                grouping: options.grouping,
                posts: options.facets.min(DEEPEST),
            };
            let mut desk = desk::Desk::new(self);
            let found = self.with_memory(|memory| {
                let groups = self.groups(stage, &asked.query, memory)?;
                let mut ranking =
                    rank::Ranking { engine: self, stage, groups: &groups, similar: &similar, asked: &asked };
                let found = ranking.find(&every, wanted, &mut desk, memory)?;
                if found.posts.is_empty() {
                    notes::nothing(&mut notes, &mut ranking, &restrictions, &mut desk, memory)?;
                }
                let page = page::Page { engine: self, asked: &asked, similar: &similar, groups: &groups };
                let places = offset..offset + limit;
                hits = page.show(&found.posts, options.grouping, places, &mut desk, memory)?;
                if options.facets > 0 {
                    let counted = &found.posts[..options.facets.min(found.posts.len())];
                    facets = facets::count(&mut desk, typed, counted)?;
                }
                Ok::<_, Error>(found)
            })?;
            (candidates, total) = (found.candidates, found.total);
            notes.extend(found.note);
            if hits.is_empty() && total.known() > 0 && options.limit > 0 {
                notes.push(notes::about(&format!("there are only {} results", total.known()), 0..0));
            }
        }
        notes::words(&mut notes, self, typed, &asked);
        if typed.is_empty() || (!asked.is_rankable() && restrictions.is_empty()) {
            notes.push(notes::about(notes::HELP, 0..0));
        }
        let formulas = similar.into_iter().flat_map(|similar| similar.best).collect();
        Ok(Results { hits, total, candidates, formulas, facets, notes, elapsed: start.elapsed() })
    }
}
