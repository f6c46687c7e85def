//! A question in full, answered by a system.

use crate::engine::Engine;
use crate::error::Error;
use crate::hits::{Hit, Why};
use crate::people::desk::Desk;
use crate::people::formulas::Similar;
use crate::people::rank::Candidate;
use crate::people::words::Asked;
use crate::people::{DEEPEST, FoundPost, SearchOptions, notes, show};
use crate::plan::{self as run, Plan, Ranking};
use crate::query::{Query, Section};
use crate::typed::Note;
use latex::Mode;
use markup::{Cleaner, Markup};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
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
        let mut cleaner = Cleaner::new();
        let mut section = |text: &str| Section::of_text(start(text), Markup::Markdown, &mut cleaner);
        let (title, body) = (section(&self.title), section(&self.body));
        let tags = self.tags.iter().map(|tag| tag.trim().to_lowercase()).filter(|tag| !tag.is_empty());
        Query { title, body, tags: tags.collect(), post: None, linked: Vec::new() }
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
    /// first. There are no clues, since what a post is worth need not be a sum.
    ///
    /// # Errors
    ///
    /// When the system ranks no posts, or the index lacks what it needs or cannot be read.
    pub fn ask(&self, plan: &Plan, question: &Question, limit: usize) -> Result<Answers, Error> {
        let start = Instant::now();
        let query = question.query();
        let mut notes = Vec::new();
        for missing in plan.missing() {
            let about = missing.about.as_deref().map(|about| format!(" ({about})")).unwrap_or_default();
            let message = format!("{} is run without {}{about}", missing.system, missing.member);
            notes.push(notes::about(&message, 0..0));
        }
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
        let asked = run::Asked { topic: "", query: &query, formula: None };
        let Ranking::Posts(found) = self.run(plan, &asked, limit.min(DEEPEST))? else {
            let system = plan.systems().last().unwrap_or_default().to_owned();
            return Err(Error::Other { system, returns: "formulas", wanted: "posts" });
        };
        if found.is_empty() {
            notes.push(notes::about("nothing was found", 0..0));
        }
        let mut desk = Desk::new(self);
        let asked = Asked::of_question(query, &SearchOptions::default().system);
        let similar = largest(&mut desk, &asked);
        let mut hits = Vec::new();
        for (rank, Hit { document, id, score }) in (1..).zip(found) {
            let candidate = Candidate { document, id, score };
            let why = Why { clues: Vec::new(), score };
            hits.push(show::show(&mut desk, &asked, &similar, (rank, &candidate), why)?);
        }
        Ok(Answers { hits, notes, elapsed: start.elapsed() })
    }
}

/// The largest formulas of a question, each once, in their order.
fn largest(desk: &mut Desk<'_>, asked: &Asked) -> Vec<Similar> {
    let mut seen = BTreeSet::new();
    let mut sized: Vec<(usize, usize, &str)> = Vec::new();
    for (place, latex) in asked.formulas.iter().filter(|(_, latex)| seen.insert(latex.as_str())) {
        sized.push((desk.comparer.size(latex), *place, latex));
    }
    sized.sort_by_key(|(size, place, _)| (Reverse(*size), *place));
    sized.truncate(MOST_FORMULAS);
    sized.sort_by_key(|(_, place, _)| *place);
    let similar = |(_, place, latex): (usize, usize, &str)| Similar {
        latex: latex.to_owned(),
        place,
        prepared: desk.comparer.prepare(latex, Mode::Document),
        weight: 0.0,
        posts: HashMap::default(),
        best: Vec::new(),
    };
    sized.into_iter().map(similar).collect()
}
