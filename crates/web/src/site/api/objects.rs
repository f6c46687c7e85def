//! What was found, as JSON objects; the program prints the same with `--json`.

use formula::matching::Likeness;
use formula::mathml::{Label, MathmlOptions, write_mathml};
use latex::Mode;
use retrieve::people::{
    Containment, Facet, FoundFormula, FoundPost, FoundVisual, Marked, MarkedFormula, Rest, Results, Standing,
    Total,
};
use retrieve::typed::{Note, Typed};
use serde::Serialize;
use std::ops::Range;

/// Whether formulas are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mathml {
    /// They are given as LaTeX alone.
    #[default]
    None,
    /// Each has its MathML.
    Drawn,
}

/// Whether results say why they were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reasons {
    /// They do not.
    #[default]
    None,
    /// They do.
    Told,
}

/// What is shown of results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// Whether formulas are drawn.
    pub mathml: Mathml,
    /// Whether results say why they were found.
    pub reasons: Reasons,
}

/// Longer LaTeX (bytes) is not drawn.
const LONGEST_DRAWN: usize = 20_000;

impl Shown {
    /// A formula of a post, if formulas are drawn.
    pub(super) fn draw(self, latex: &str) -> Option<String> {
        self.draw_as(latex, Mode::Document)
    }

    pub(super) fn draw_as(self, latex: &str, mode: Mode) -> Option<String> {
        (self.mathml == Mathml::Drawn && latex.len() <= LONGEST_DRAWN).then(|| mathml(latex, mode))
    }
}

/// A formula as MathML.
pub(super) fn mathml(latex: &str, mode: Mode) -> String {
    let options = MathmlOptions { label: Label::None, ..MathmlOptions::default() };
    write_mathml(&latex::parse_bytes(latex.as_bytes(), mode).tree, latex, options)
}

/// The answer to a search as one JSON object.
#[must_use]
pub fn search_json(query: &str, typed: &Typed, results: &Results, shown: Shown) -> String {
    let object = SearchObject::new(query, typed, results, shown);
    serde_json::to_string(&object).expect("keys are texts and nothing fails by itself")
}

#[derive(Serialize)]
struct SearchObject<'a> {
    query: QueryObject<'a>,
    /// Mistyped words and what was searched for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    corrections: Vec<CorrectionObject<'a>>,
    notes: Vec<NoteObject<'a>>,
    total: usize,
    /// Whether there are more than the total, which were not counted.
    more: bool,
    candidates: usize,
    milliseconds: f64,
    formulas: Vec<BestObject<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facets: Vec<FacetObject<'a>>,
    hits: Vec<HitObject<'a>>,
}

/// What was typed.
#[derive(Serialize)]
pub(super) struct QueryObject<'a> {
    text: &'a str,
    words: Vec<&'a str>,
    formulas: Vec<&'a str>,
}

/// A word that was searched for in the place of another.
#[derive(Serialize)]
struct CorrectionObject<'a> {
    typed: &'a str,
    meant: &'a str,
}

/// What the person may want to know.
#[derive(Serialize)]
pub(super) struct NoteObject<'a> {
    message: &'a str,
    /// What of the query it is about.
    about: &'a str,
}

#[derive(Serialize)]
struct BestObject<'a> {
    query: usize,
    visual_id: String,
    latex: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mathml: Option<String>,
    similarity: f32,
    posts: usize,
}

#[derive(Serialize)]
struct FacetObject<'a> {
    name: &'a str,
    values: Vec<FacetValueObject<'a>>,
}

#[derive(Serialize)]
struct FacetValueObject<'a> {
    label: &'a str,
    filter: &'a str,
    count: usize,
}

/// A post that was found.
#[derive(Serialize)]
pub(super) struct HitObject<'a> {
    rank: usize,
    id: &'a str,
    question_id: Option<&'a str>,
    score: f64,
    kind: &'static str,
    accepted: bool,
    title: &'a str,
    snippet: &'a str,
    /// Whether something was left out before the snippet and after it.
    cut: [bool; 2],
    tags: &'a [String],
    votes: Option<i32>,
    date: Option<String>,
    user: Option<&'a str>,
    marks: Marks<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<WhyObject<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<HitObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_others: Option<usize>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    mathml: Option<String>,
    /// The formula of the query that it is like.
    like: Option<usize>,
}

#[derive(Serialize)]
struct WhyObject<'a> {
    clues: Vec<ClueObject<'a>>,
    words: Vec<WordObject<'a>>,
    formulas: Vec<FormulaObject<'a>>,
}

#[derive(Serialize)]
struct ClueObject<'a> {
    group: &'a str,
    place: &'a str,
    term: &'a str,
    // Clients know it by this name.
    #[serde(rename = "worth")]
    score: f64,
}

#[derive(Serialize)]
struct WordObject<'a> {
    word: &'a str,
    fields: &'a [&'static str],
}

#[derive(Serialize)]
struct FormulaObject<'a> {
    query: usize,
    latex: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mathml: Option<String>,
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

/// A formula that was found.
#[derive(Serialize)]
pub(super) struct VisualObject<'a> {
    rank: usize,
    query: usize,
    visual_id: String,
    latex: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mathml: Option<String>,
    similarity: f32,
    /// Whether it holds all of the query.
    whole: bool,
    aligned: Vec<Aligned<'a>>,
    posts: usize,
    instances: usize,
    example: Option<Example<'a>>,
}

#[derive(Serialize)]
struct Example<'a> {
    id: &'a str,
    title: &'a str,
}

impl<'a> SearchObject<'a> {
    fn new(query: &'a str, typed: &'a Typed, results: &'a Results, shown: Shown) -> Self {
        let best = |best: &'a retrieve::people::BestFormula| BestObject {
            query: best.query,
            visual_id: best.visual_id.to_string(),
            latex: &best.latex,
            mathml: shown.draw(&best.latex),
            similarity: best.similarity,
            posts: best.posts,
        };
        Self {
            query: QueryObject::new(query, typed),
            corrections: results
                .corrections
                .iter()
                .map(|correction| CorrectionObject {
                    typed: query.get(correction.span.clone()).unwrap_or_default(),
                    meant: &correction.meant,
                })
                .collect(),
            notes: notes(&results.notes, query),
            total: results.total.known(),
            more: is_more(results.total),
            candidates: results.candidates,
            milliseconds: milliseconds(results.elapsed),
            formulas: results.formulas.iter().map(best).collect(),
            facets: results.facets.iter().map(FacetObject::new).collect(),
            hits: results.hits.iter().map(|hit| HitObject::new(hit, shown)).collect(),
        }
    }
}

/// Whether there are more than were counted.
pub(super) fn is_more(total: Total) -> bool {
    matches!(total, Total::AtLeast(_))
}

/// A duration in milliseconds.
pub(super) fn milliseconds(elapsed: std::time::Duration) -> f64 {
    elapsed.as_secs_f64() * 1000.0
}

impl<'a> QueryObject<'a> {
    pub(super) fn new(query: &'a str, typed: &'a Typed) -> Self {
        Self {
            text: query,
            words: typed.words.iter().map(|word| word.text.as_str()).collect(),
            formulas: typed.formulas.iter().map(|formula| formula.latex.as_str()).collect(),
        }
    }
}

/// Notes on a query.
pub(super) fn notes<'a>(notes: &'a [Note], query: &'a str) -> Vec<NoteObject<'a>> {
    let about = |note: &Note| query.get(note.span.clone()).unwrap_or_default();
    notes.iter().map(|note| NoteObject { message: &note.message, about: about(note) }).collect()
}

impl<'a> FacetObject<'a> {
    fn new(facet: &'a Facet) -> Self {
        let value = |value: &'a retrieve::people::FacetValue| FacetValueObject {
            label: &value.label,
            filter: &value.filter,
            count: value.count,
        };
        Self { name: facet.name, values: facet.values.iter().map(value).collect() }
    }
}

fn pair(range: &Range<usize>) -> [usize; 2] {
    [range.start, range.end]
}

fn aligned<'a>(latex: &'a str, spans: &[(Range<usize>, Likeness)]) -> Vec<Aligned<'a>> {
    let one = |(span, how): &(Range<usize>, Likeness)| Aligned {
        span: pair(span),
        text: latex.get(span.clone()).unwrap_or_default(),
        how: how.name(),
    };
    spans.iter().map(one).collect()
}

impl<'a> TextMarks<'a> {
    fn new(marked: &'a Marked, shown: Shown) -> Self {
        let formula = |formula: &MarkedFormula| {
            let latex = marked.latex(formula);
            FormulaMark { span: pair(&formula.span), latex, mathml: shown.draw(latex), like: formula.like }
        };
        Self {
            words: marked.words.iter().map(pair).collect(),
            formulas: marked.formulas.iter().map(formula).collect(),
        }
    }
}

impl<'a> HitObject<'a> {
    pub(super) fn new(hit: &'a FoundPost, shown: Shown) -> Self {
        Self {
            rank: hit.rank,
            id: &hit.id,
            question_id: hit.question_id.as_deref(),
            score: hit.score,
            kind: hit.kind.name(),
            accepted: hit.standing == Standing::Accepted,
            title: &hit.title.text,
            snippet: &hit.snippet.text,
            cut: [hit.snippet.before == Rest::Cut, hit.snippet.after == Rest::Cut],
            tags: &hit.tags,
            votes: hit.votes,
            date: hit.date.map(|date| date.to_string()),
            user: hit.user.as_deref(),
            marks: Marks {
                title: TextMarks::new(&hit.title, shown),
                snippet: TextMarks::new(&hit.snippet, shown),
            },
            why: (shown.reasons == Reasons::Told).then(|| WhyObject::new(hit, shown)),
            // Those below a post of a thread have none below them, so it goes no deeper.
            others: hit.others.iter().map(|other| HitObject::new(other, shown)).collect(),
            num_others: Some(hit.num_others).filter(|number| *number > 0),
        }
    }
}

impl<'a> WhyObject<'a> {
    fn new(hit: &'a FoundPost, shown: Shown) -> Self {
        let clue = |clue: &'a retrieve::Clue| ClueObject {
            group: &clue.group,
            place: clue.place,
            term: &clue.term,
            score: clue.score,
        };
        let formula = |found: &'a FoundFormula| FormulaObject {
            query: found.query,
            latex: &found.latex,
            mathml: shown.draw(&found.latex),
            field: found.field,
            similarity: found.similarity,
            aligned: aligned(&found.latex, &found.spans),
        };
        let words = hit.why.words.iter();
        Self {
            clues: hit.why.clues.iter().map(clue).collect(),
            words: words.map(|found| WordObject { word: &found.word, fields: &found.fields }).collect(),
            formulas: hit.why.formulas.iter().map(formula).collect(),
        }
    }
}

impl<'a> VisualObject<'a> {
    pub(super) fn new(found: &'a FoundVisual, shown: Shown) -> Self {
        Self {
            rank: found.rank,
            query: found.query,
            visual_id: found.visual_id.to_string(),
            latex: &found.latex,
            mathml: shown.draw(&found.latex),
            similarity: found.similarity,
            whole: found.containment == Containment::Whole,
            aligned: aligned(&found.latex, &found.spans),
            posts: found.posts,
            instances: found.instances,
            example: found.example.as_ref().map(|(id, title)| Example { id, title }),
        }
    }
}
