//! A question in full, answered by a system.

use crate::desk::Desk;
use crate::engine::Engine;
use crate::error::Error;
use crate::people::formulas::QueryFormula;
use crate::people::highlight::Highlight;
use crate::people::{DEEPEST, FoundPost, notes, show};
use crate::pipeline::run::OpenPipeline;
use crate::pipeline::{Asked, Pipeline};
use crate::query::{Query, Section};
use crate::typed::Note;
use index::Deadline;
use latex::Mode;
use markup::{Cleaner, Markup};
use post::FormulaTexts;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A question as people write one: Markdown with formulas between dollars.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The title, in one line; may be empty.
    pub title: String,
    /// The question in full; may be empty.
    pub body: String,
    /// The tags.
    pub tags: Vec<String>,
}

/// What a system answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    /// The posts, best first, with what was found in them.
    pub hits: Vec<FoundPost>,
    /// What the person may want to know.
    pub notes: Vec<Note>,
    /// How long it took.
    pub elapsed: Duration,
}

/// So many characters of a question are read.
pub const LONGEST_QUESTION: usize = 10_000;
/// So many of its formulas are looked for in what is found, the largest.
const MOST_FORMULAS: usize = 8;

impl Question {
    /// The question as a query.
    #[must_use]
    pub fn query(&self) -> Query {
        let mut memory = (Cleaner::new(), FormulaTexts::default());
        let mut section =
            |text: &str| Section::of_text(start(text), Markup::Markdown, (&mut memory.0, &mut memory.1));
        let (title, body) = (section(&self.title), section(&self.body));
        let tags = self.tags.iter().map(|tag| tag.trim().to_lowercase()).filter(|tag| !tag.is_empty());
        Query { title, body, tags: tags.collect(), ..Query::default() }
    }
}

/// The beginning of a text, as far as it is read.
fn start(text: &str) -> &str {
    text.char_indices().nth(LONGEST_QUESTION).map_or(text, |(end, _)| &text[..end])
}

impl Engine {
    /// Ranks answers to a question by a system.
    ///
    /// In what is found the words of the question are marked, and the formulas that are like one of its
    /// eight largest; these are called by their place among all formulas of the question, those of the title
    /// first. Clues are what makes up the score, as a run with the same question would have it.
    ///
    /// # Errors
    ///
    /// When the system ranks no posts, or the index lacks what it needs or cannot be read.
    pub fn ask(
        &self,
        pipeline: &Pipeline,
        question: &Question,
        limit: usize,
        deadline: &Deadline,
    ) -> Result<Answers, Error> {
        let start = Instant::now();
        let query = question.query();
        let mut notes = Vec::new();
        notes::missing(&mut notes, pipeline);
        for (name, text) in [("title", &question.title), ("question", &question.body)] {
            if self::start(text).len() < text.len() {
                let message = format!("only the first {LONGEST_QUESTION} characters of the {name} were read");
                notes.push(notes::about(&message, 0..0));
            }
        }
        if query.title.is_empty() && query.body.is_empty() && query.tags.is_empty() {
            notes.push(notes::about("there is no question yet: write a title, a text or tags", 0..0));
            return Ok(Answers { hits: Vec::new(), notes, elapsed: start.elapsed() });
        }
        self.work(deadline, |work| {
            let asked = Asked::answers(&query).until(deadline);
            let mut open = OpenPipeline::new(self, pipeline, asked, work)?;
            let found = open.posts(limit.min(DEEPEST), None, work)?;
            if found.is_empty() {
                notes.push(notes::about("nothing was found", 0..0));
            }
            let mut desk = Desk::new(self);
            let highlight = Highlight::new(&query, pipeline.words());
            let formulas = largest(&mut desk, &highlight);
            let mut hits = Vec::new();
            for (rank, hit) in (1..).zip(&found) {
                if work.deadline.is_cancelled() {
                    return Err(Error::Stopped);
                }
                let clues = open.explain(hit, work)?;
                hits.push(show::show(&mut desk, &highlight, &formulas, (rank, hit, clues), work)?);
            }
            if work.is_cut_short() {
                notes.push(notes::about(notes::CUT_SHORT, 0..0));
            }
            Ok(Answers { hits, notes, elapsed: start.elapsed() })
        })
    }
}

/// The largest formulas of a question, each once, in their order.
fn largest(desk: &mut Desk<'_>, highlight: &Highlight) -> Vec<QueryFormula> {
    let mut seen = BTreeSet::new();
    let mut sized: Vec<(usize, usize, &str)> = Vec::new();
    for (place, latex) in highlight.formulas.iter().filter(|(_, latex)| seen.insert(latex.as_str())) {
        sized.push((desk.comparer.size(latex), *place, latex));
    }
    sized.sort_by_key(|(size, place, _)| (Reverse(*size), *place));
    sized.truncate(MOST_FORMULAS);
    sized.sort_by_key(|(_, place, _)| *place);
    let formula = |(_, place, latex): (usize, usize, &str)| QueryFormula {
        latex: latex.to_owned(),
        place,
        prepared: desk.comparer.prepare(latex, Mode::Document),
    };
    sized.into_iter().map(formula).collect()
}
