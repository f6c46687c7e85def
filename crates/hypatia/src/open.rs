//! An index, opened.

use crate::error::Error;
use crate::post::{self, Post, Thread};
use retrieve::people::{
    Answers, FormulaResults, FoundVisual, Instances, Question, Results, SearchOptions, Visual,
};
use retrieve::typed::Typed;
use retrieve::{Deadline, Engine, Pipeline};
use std::path::Path;
use std::sync::Arc;

/// An index, opened for searching: a state that does not change, whatever is written to its folder later.
///
/// It can be shared by threads, and a clone is the same index.
#[derive(Clone, Debug)]
pub struct Index(Arc<Engine>);

impl Index {
    /// Opens an index.
    ///
    /// # Errors
    ///
    /// When there is none, or it is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Self::of(index::Index::open(path.as_ref())?))
    }

    pub(crate) fn of(index: index::Index) -> Self {
        Self(Arc::new(Engine::new(index)))
    }

    /// What it is searched with; there is more in it than this library shows.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.0
    }

    /// Where it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.index().path()
    }

    /// How many posts can be found.
    #[must_use]
    pub fn num_posts(&self) -> u32 {
        self.0.index().num_posts()
    }

    /// Finds posts: the first ten for what a person typed.
    ///
    /// # Errors
    ///
    /// When the index cannot be read. Nothing that is typed is an error: notes say what was not understood.
    pub fn search(&self, query: &str) -> Result<Results, Error> {
        self.search_with(query, &SearchOptions::default())
    }

    /// Finds posts or threads, with facets if wanted.
    ///
    /// ```
    /// # let folder = testkit::TempDir::new("hypatia-search");
    /// # use hypatia::{Document, Grouping, Index, SearchOptions};
    /// # let index = Index::build(folder.path().join("i"), [Document::new("1", "Primes", "There are many.")])?;
    /// let options = SearchOptions { limit: 20, grouping: Grouping::Threads, facets: 200, ..SearchOptions::default() };
    /// let results = index.search_with("primes", &options)?;
    /// assert_eq!(results.hits.len(), 1);
    /// # Ok::<(), hypatia::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the index lacks what the system needs, or cannot be read.
    pub fn search_with(&self, query: &str, options: &SearchOptions) -> Result<Results, Error> {
        Ok(self.0.search(&Typed::read_as(query, options.understanding), options)?)
    }

    /// Finds formulas like those that a person typed; what looks the same is one.
    ///
    /// ```
    /// # let folder = testkit::TempDir::new("hypatia-formulas");
    /// # use hypatia::{Document, Index, SearchOptions};
    /// # let index = Index::build(folder.path().join("i"), [Document::new("1", "Squares", "$(a+b)^2=a^2+2ab+b^2$ and $x$")])?;
    /// let results = index.search_formulas("$(x+y)^2$", &SearchOptions::default())?;
    /// let best = &results.hits[0];
    /// assert_eq!(best.latex, "(a+b)^2=a^2+2ab+b^2");
    /// let formula = index.formula(best.visual_id)?.expect("it was found");
    /// assert_eq!((formula.posts, formula.instances), (1, 1));
    /// # Ok::<(), hypatia::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the index lacks what the system needs, or cannot be read.
    pub fn search_formulas(&self, query: &str, options: &SearchOptions) -> Result<FormulaResults, Error> {
        Ok(self.0.search_formulas(&Typed::read_as(query, options.understanding), options)?)
    }

    /// A formula by its visual id, with its spellings.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    pub fn formula(&self, visual_id: u64) -> Result<Option<Visual>, Error> {
        Ok(self.0.visual(visual_id, &Deadline::NEVER)?)
    }

    /// The posts that a formula stands in, those with most votes first.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    pub fn instances(&self, visual_id: u64, offset: usize, limit: usize) -> Result<Instances, Error> {
        Ok(self.0.instances(visual_id, offset, limit, &Deadline::NEVER)?)
    }

    /// The formulas that are most like a formula, itself aside.
    ///
    /// # Errors
    ///
    /// When the index lacks what is needed, or cannot be read.
    pub fn similar(&self, visual_id: u64, limit: usize) -> Result<Vec<FoundVisual>, Error> {
        Ok(self.0.similar_formulas(visual_id, limit, &Deadline::never())?)
    }

    /// The formulas that hold a formula, itself aside; the smallest first.
    ///
    /// # Errors
    ///
    /// When the index lacks what is needed, or cannot be read.
    pub fn containing(&self, visual_id: u64, limit: usize) -> Result<Vec<FoundVisual>, Error> {
        Ok(self.0.containing_formulas(visual_id, limit, &Deadline::never())?)
    }

    /// Finds answers to a question in full, by the system that is the default for this.
    ///
    /// ```
    /// # let folder = testkit::TempDir::new("hypatia-ask");
    /// # use hypatia::{Document, Index, Kind, Question};
    /// # let documents = [
    /// #     Document { kind: Kind::Question, ..Document::new("1", "Sum of $1/n$", "Does it converge?") },
    /// #     Document { kind: Kind::Answer { to: "1".into() }, ..Document::new("2", "", "The series diverges.") },
    /// # ];
    /// # let index = Index::build(folder.path().join("i"), documents)?;
    /// let question = Question {
    ///     title: "Does $\\sum 1/n$ converge?".into(),
    ///     body: "I know that the **series** $\\sum 1/n^2$ does.".into(),
    ///     tags: vec!["sequences-and-series".into()],
    /// };
    /// let answers = index.ask(&question, 10)?;
    /// assert_eq!(answers.hits[0].id, "2");
    /// # Ok::<(), hypatia::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the index lacks what the system needs, or cannot be read.
    pub fn ask(&self, question: &Question, limit: usize) -> Result<Answers, Error> {
        self.ask_with(self.0.default_posts(), question, limit)
    }

    /// Finds answers to a question by a system that comes with the program: see [`SYSTEMS`](crate::SYSTEMS).
    ///
    /// # Errors
    ///
    /// When there is no such system, or it cannot be run over this index.
    pub fn ask_with(&self, system: &str, question: &Question, limit: usize) -> Result<Answers, Error> {
        let pipeline = Pipeline::named(system)?;
        Ok(self.0.ask(&pipeline, question, limit, &Deadline::never())?)
    }

    /// A post by its id.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    pub fn post(&self, id: &str) -> Result<Option<Post>, Error> {
        self.0.sound(post::post(self.0.index(), id))?
    }

    /// The thread of a post: the question with all answers, or the post alone.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    pub fn thread(&self, id: &str) -> Result<Option<Thread>, Error> {
        self.0.sound(post::thread(self.0.index(), id))?
    }
}
