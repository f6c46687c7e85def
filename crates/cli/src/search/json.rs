//! Results as one JSON object.

use crate::output;
use retrieve::people::{FoundPost, Marked, Results, Standing, Total};
use retrieve::typed::{Note, Typed};
use serde::Serialize;
use std::ops::Range;

#[derive(Serialize)]
struct Object<'a> {
    query: Query<'a>,
    notes: Vec<NoteObject<'a>>,
    total: usize,
    /// Whether there are more than the total, which were not counted.
    more: bool,
    candidates: usize,
    milliseconds: f64,
    formulas: Vec<BestFormula<'a>>,
    hits: Vec<Hit<'a>>,
}

#[derive(Serialize)]
struct Query<'a> {
    text: &'a str,
    words: Vec<&'a str>,
    formulas: Vec<&'a str>,
}

#[derive(Serialize)]
struct NoteObject<'a> {
    message: &'a str,
    /// What of the query it is about.
    about: &'a str,
}

#[derive(Serialize)]
struct BestFormula<'a> {
    query: usize,
    visual_id: u64,
    latex: &'a str,
    similarity: f32,
    posts: usize,
}

#[derive(Serialize)]
struct Hit<'a> {
    rank: usize,
    id: &'a str,
    question_id: Option<&'a str>,
    score: f64,
    kind: &'static str,
    accepted: bool,
    title: &'a str,
    snippet: &'a str,
    tags: &'a [String],
    votes: Option<i32>,
    date: Option<String>,
    user: Option<&'a str>,
    marks: Marks<'a>,
    why: Why<'a>,
}

#[derive(Serialize)]
struct Marks<'a> {
    title: TextMarks<'a>,
    snippet: TextMarks<'a>,
}

/// Where words and formulas stand in a text, in bytes.
#[derive(Serialize)]
struct TextMarks<'a> {
    words: Vec<[usize; 2]>,
    formulas: Vec<FormulaMark<'a>>,
}

#[derive(Serialize)]
struct FormulaMark<'a> {
    span: [usize; 2],
    latex: &'a str,
    /// The formula of the query that it is like.
    like: Option<usize>,
}

#[derive(Serialize)]
struct Why<'a> {
    clues: Vec<Clue<'a>>,
    words: Vec<Word<'a>>,
    formulas: Vec<Formula<'a>>,
}

#[derive(Serialize)]
struct Clue<'a> {
    group: &'a str,
    place: &'a str,
    term: &'a str,
    worth: f64,
}

#[derive(Serialize)]
struct Word<'a> {
    word: &'a str,
    fields: &'a [&'static str],
}

#[derive(Serialize)]
struct Formula<'a> {
    query: usize,
    latex: &'a str,
    field: &'a str,
    similarity: f32,
    aligned: Vec<Aligned<'a>>,
}

#[derive(Serialize)]
struct Aligned<'a> {
    span: [usize; 2],
    text: &'a str,
    how: &'static str,
}

/// Appends results as an object on a line of its own.
pub(super) fn push(out: &mut String, query: &str, typed: &Typed, results: &Results) {
    let object = Object {
        query: Query {
            text: query,
            words: typed.words.iter().map(|word| word.text.as_str()).collect(),
            formulas: typed.formulas.iter().map(|formula| formula.latex.as_str()).collect(),
        },
        notes: results.notes.iter().map(|note| NoteObject::new(note, query)).collect(),
        total: results.total.known(),
        more: matches!(results.total, Total::AtLeast(_)),
        candidates: results.candidates,
        milliseconds: results.elapsed.as_secs_f64() * 1000.0,
        formulas: results
            .formulas
            .iter()
            .map(|best| BestFormula {
                query: best.query,
                visual_id: best.visual_id,
                latex: &best.latex,
                similarity: best.similarity,
                posts: best.posts,
            })
            .collect(),
        hits: results.hits.iter().map(Hit::new).collect(),
    };
    output::push_json(out, &object);
}

impl<'a> NoteObject<'a> {
    fn new(note: &'a Note, query: &'a str) -> Self {
        Self { message: &note.message, about: query.get(note.span.clone()).unwrap_or_default() }
    }
}

fn pair(range: &Range<usize>) -> [usize; 2] {
    [range.start, range.end]
}

impl<'a> TextMarks<'a> {
    fn new(marked: &'a Marked) -> Self {
        let formula = |formula: &retrieve::people::MarkedFormula| FormulaMark {
            span: pair(&formula.span),
            latex: marked.text.get(formula.span.start + 1..formula.span.end - 1).unwrap_or_default(),
            like: formula.like,
        };
        Self {
            words: marked.words.iter().map(pair).collect(),
            formulas: marked.formulas.iter().map(formula).collect(),
        }
    }
}

impl<'a> Hit<'a> {
    fn new(hit: &'a FoundPost) -> Self {
        let clue = |clue: &'a retrieve::Clue| Clue {
            group: &clue.group,
            place: clue.place,
            term: &clue.term,
            worth: clue.worth,
        };
        let formula = |found: &'a retrieve::people::FoundFormula| Formula {
            query: found.query,
            latex: &found.latex,
            field: found.field,
            similarity: found.similarity,
            aligned: found
                .spans
                .iter()
                .map(|(span, likeness)| Aligned {
                    span: pair(span),
                    text: found.latex.get(span.clone()).unwrap_or_default(),
                    how: super::print::likeness(*likeness),
                })
                .collect(),
        };
        Self {
            rank: hit.rank,
            id: &hit.id,
            question_id: hit.question_id.as_deref(),
            score: hit.score,
            kind: hit.kind.name(),
            accepted: hit.standing == Standing::Accepted,
            title: &hit.title.text,
            snippet: &hit.snippet.text,
            tags: &hit.tags,
            votes: hit.votes,
            date: hit.date.map(|date| date.to_string()),
            user: hit.user.as_deref(),
            marks: Marks { title: TextMarks::new(&hit.title), snippet: TextMarks::new(&hit.snippet) },
            why: Why {
                clues: hit.why.clues.iter().map(clue).collect(),
                words: hit
                    .why
                    .words
                    .iter()
                    .map(|found| Word { word: &found.word, fields: &found.fields })
                    .collect(),
                formulas: hit.why.formulas.iter().map(formula).collect(),
            },
        }
    }
}
