//! Search for people: what was typed goes in, posts with reasons come out.
//!
//! [`Engine::search`] reads what was typed, has a [`Pipeline`] rank it as runs are made, and shows the results:
//! titles, snippets, reasons, facets and notes. `docs/search.md` says what ranks how.
//! Nothing here ranks, prints or knows of a terminal.

mod ask;
mod facets;
mod formulas;
mod highlight;
mod marked;
mod notes;
mod page;
mod show;
mod sort;
mod visuals;

pub use crate::alike::Containment;
pub use crate::pipeline::find::Rest;
pub use crate::restrict::Standing;
pub use ask::{Answers, LONGEST_QUESTION, Question};
pub use facets::{Facet, FacetValue};
pub use marked::{Marked, MarkedFormula};
pub use sort::Sort;
pub use visuals::{FormulaResults, FoundVisual, Instance, Instances, Spelling, Visual};

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::Clue;
use crate::pipeline::find::{DEEPEST as DEEPEST_RANK, Wanted, find};
use crate::pipeline::run::OpenPipeline;
use crate::pipeline::{Asked, Pipeline};
use crate::query::Query;
use crate::restrict;
use crate::system::DEFAULT_SEARCH;
use crate::typed::{Note, Typed, Understanding};
use formula::matching::Likeness;
use highlight::Highlight;
use index::{Deadline, Document};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{Date, PostKind};

/// So many posts can be paged through; what comes later was not worth much.
pub const DEEPEST: usize = DEEPEST_RANK;

/// How to search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// What ranks.
    pub pipeline: Arc<Pipeline>,
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
    /// Whether mistyped words are corrected; what was typed has been read by the same.
    pub understanding: Understanding,
    /// In which order results are given. Any but relevance is over the best [`DEEPEST`] posts.
    pub sort: Sort,
    /// When the search has to end. One that is cut short gives what it has, with a note.
    pub deadline: Deadline,
}

/// A word that was searched for in the place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// Where the word stands that was typed.
    pub span: Range<usize>,
    /// What was searched for.
    pub meant: String,
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
        Self {
            pipeline: Pipeline::named(DEFAULT_SEARCH).expect("it comes with the program"),
            limit: 10,
            offset: 0,
            formulas: 5,
            grouping: Grouping::Posts,
            facets: 0,
            understanding: Understanding::default(),
            sort: Sort::Relevance,
            deadline: Deadline::never(),
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The posts, best first unless another order was asked for.
    pub hits: Vec<FoundPost>,
    /// The orders that make a difference: by votes and by date only if posts that were found have them.
    pub sorts: Vec<Sort>,
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
    /// The words that were searched for in the place of mistyped ones, in the order of the query.
    pub corrections: Vec<Correction>,
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
    /// Its score: the sum of the clues.
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

impl FoundPost {
    /// What it is called where it has no title.
    #[must_use]
    pub fn label(&self) -> String {
        let kind = match self.kind {
            PostKind::Question => "Question",
            PostKind::Answer => "Answer",
            PostKind::Document => "Document",
        };
        format!("{kind} {}", self.id)
    }
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
        self.work(&options.deadline, |work| {
            let mut typed = typed.clone();
            if options.understanding == Understanding::Helpful {
                self.spell(&mut typed, options.pipeline.words().0, work);
            }
            let typed = &typed;
            let query = Query::of_typed(typed);
            let highlight = Highlight::new(&query, options.pipeline.words());
            let restrictions = restrict::read(self, typed, work)?;
            let mut results = Results {
                hits: Vec::new(),
                sorts: Vec::new(),
                total: Total::Exactly(0),
                candidates: 0,
                formulas: Vec::new(),
                facets: Vec::new(),
                notes: typed.notes.clone(),
                corrections: corrections(typed),
                elapsed: Duration::ZERO,
            };
            notes::missing(&mut results.notes, &options.pipeline);
            let is_rankable = query.is_rankable();
            if is_rankable || !restrictions.is_empty() {
                let asked = Asked::posts(&query).until(&options.deadline);
                let open = OpenPipeline::new(self, &options.pipeline, asked, work)?;
                let search = Search { query: &query, highlight: &highlight, restrictions: &restrictions };
                search.results(open, typed, options, &mut results, work)?;
            }
            let is_cut_short = work.is_cut_short();
            notes::words(&mut results.notes, self, typed, &highlight, options.understanding, work);
            if typed.is_empty() || (!is_rankable && restrictions.is_empty()) {
                results.notes.push(notes::about(notes::HELP, 0..0));
            }
            if is_cut_short {
                results.notes.push(notes::about(notes::CUT_SHORT, 0..0));
            }
            results.elapsed = start.elapsed();
            Ok(results)
        })
    }
}

fn corrections(typed: &Typed) -> Vec<Correction> {
    let corrected = typed.words.iter().filter_map(|word| {
        word.meant.as_ref().map(|meant| Correction { span: word.span.clone(), meant: meant.clone() })
    });
    corrected.collect()
}

/// What is searched for.
struct Search<'s> {
    query: &'s Query,
    highlight: &'s Highlight,
    restrictions: &'s [restrict::Restriction],
}

impl Search<'_> {
    /// Ranks, and makes results of what is found.
    fn results(
        &self,
        mut open: OpenPipeline<'_>,
        typed: &Typed,
        options: &SearchOptions,
        results: &mut Results,
        work: &mut Work,
    ) -> Result<(), Error> {
        let engine = open.engine;
        let offset = options.offset.min(DEEPEST);
        let limit = options.limit.min(DEEPEST - offset);
        let every: Vec<_> = self.restrictions.iter().collect();
        let wanted = Wanted {
            results: offset + limit,
            group: &|document| options.grouping.of(engine, document),
            posts: if options.sort == Sort::Relevance { options.facets.min(DEEPEST) } else { DEEPEST },
        };
        let mut found = find(&mut open, self.query, &every, wanted, work)?;
        let formulas = formulas::of_query(self.highlight);
        results.formulas = formulas::best(engine, open.formulas(), &formulas, options.formulas, work);
        if options.facets > 0 {
            let counted = &found.posts[..options.facets.min(found.posts.len())];
            results.facets = facets::count(engine, typed, counted, work)?;
        }
        results.sorts = sort::sorts(engine, &found.posts);
        if options.sort != Sort::Relevance {
            found.posts.truncate(DEEPEST);
            options.sort.apply(engine, &mut found.posts);
            notes::sorted(&mut results.notes, options.sort, &results.sorts, &found);
        }
        let page = page::Page { highlight: self.highlight, formulas: &formulas };
        let places = offset..offset + limit;
        results.hits = page.show(&mut open, &found.posts, options.grouping, places, work)?;
        results.candidates = found.ranked;
        results.total = match found.rest {
            Rest::None => Total::Exactly(found.results),
            Rest::Cut => Total::AtLeast(found.results),
        };
        if found.posts.is_empty() && !work.is_cut_short() {
            notes::nothing(&mut results.notes, &mut open, self.query, self.restrictions, work)?;
        }
        if found.results <= wanted.results && found.rest == Rest::Cut && found.read {
            let text = format!("only the first {} posts of the ranking were checked", found.ranked);
            results.notes.push(notes::about(&text, 0..0));
        }
        if results.hits.is_empty() && found.results > 0 && options.limit > 0 {
            let text = format!("there are only {} results", found.results);
            results.notes.push(notes::about(&text, 0..0));
        }
        Ok(())
    }
}
