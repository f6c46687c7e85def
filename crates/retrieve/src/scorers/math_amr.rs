//! Formulas in their sentences, compared as DPRL's MathAMR does: what a sentence means as a graph, with the operator
//! trees of its formulas, written in a line, encoded, and compared by the cosine.
//!
//! Graphs come from a file in PENMAN form that a parser for abstract meaning representations wrote (`graphs`), named by
//! the ids of formulas and topics, with `eqxIDeqx` for the formula of an id. Where there is none, the words of the
//! sentences but for stop words stand in for the graph, in their order, which needs no parser.
//! The sentences are the one with the formula and its neighbours.

use super::{Compared, FormulaScorer};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::formulas::Candidate;
use crate::meaning::failed;
use crate::pipeline::need::Need;
use dense::Encode;
use formats::{AmrGraph, Source, formula_of_placeholder, read_penman};
use formula::opt::linear::linear;
use latex::Mode;
use post::{FormulaTexts, MARK, Passage, Pieces, PostView, Unit};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use store::FormulaNo;
use text::{StopWords, Tokenizer};

/// Instances of a formula among which one with a graph is looked for.
const MOST_INSTANCES: usize = 64;
/// Words of a text; encoders read no more.
const MOST_WORDS: usize = 400;

/// Compares what formulas mean in their sentences.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ByMeaning {
    model: String,
    /// A file of graphs.
    graphs: Option<PathBuf>,
    #[serde(skip)]
    read: OnceLock<Result<Graphs, String>>,
}

/// Graphs by their names.
type Graphs = Arc<BTreeMap<String, AmrGraph>>;

impl ByMeaning {
    fn graphs(&self) -> Result<Graphs, Error> {
        let Some(path) = &self.graphs else { return Ok(Graphs::default()) };
        let read = || read_penman(Source::path(path)).map(Arc::new).map_err(|error| error.to_string());
        self.read.get_or_init(read).clone().map_err(failed)
    }

    /// The text of the query: its graph by the topic's name, or its sentences.
    fn of_query(&self, query: Compared<'_>, graphs: &Graphs, work: &mut Work) -> String {
        if let Some(graph) = graphs.get(query.topic) {
            let formula = formula_line(query.latex, Mode::Query, work);
            return graph.linear(|text| formula_of_placeholder(text).map(|_| formula.clone()));
        }
        for section in [&query.question.title, &query.question.body] {
            let found = section.formulas.iter().position(|latex| latex == query.latex);
            if let Some(place) = found {
                let formulas = section
                    .formulas
                    .iter()
                    .map(|latex| post::Formula { latex: latex.clone(), display: false });
                let units = post::units(&Pieces::new(&section.text, formulas.collect()));
                let all: Vec<&str> = section.formulas.iter().map(String::as_str).collect();
                return sentences(&units, place, &all, Mode::Query, work);
            }
        }
        formula_line(query.latex, Mode::Query, work)
    }

    /// The text of a candidate: the graph of its first instance that has one, or the sentences of the first.
    fn of_candidate(
        engine: &Engine,
        (candidate, query): (&Candidate, Compared<'_>),
        graphs: &Graphs,
        work: &mut Work,
    ) -> Result<String, Error> {
        let collection = &engine.index.sources()[candidate.source].collection;
        let latex = engine.candidate_latex(candidate);
        let mut instances = engine.places_of(candidate, query.places).take(MOST_INSTANCES).peekable();
        let first = instances.peek().copied();
        if !graphs.is_empty()
            && let Some(graph) =
                instances.find_map(|(place, _)| graphs.get(&collection.formula_id(place).to_string()))
        {
            let formula = formula_line(latex, Mode::Document, work);
            return Ok(graph.linear(|text| formula_of_placeholder(text).map(|_| formula.clone())));
        }
        let Some((place, document)) = first else { return Ok(formula_line(latex, Mode::Document, work)) };
        let (source, post) = engine.index.post(document);
        let mut reader = source.collection.reader();
        let mut texts = FormulaTexts::default();
        let PostView { title, body, .. } = PostView::read(&mut reader, post)?;
        let has = |passage: &&Passage| passage.formulas.contains(&place.0);
        let Some(passage) = title.iter().chain([&body]).find(has) else {
            return Ok(formula_line(latex, Mode::Document, work));
        };
        let FormulaNo(number) = place;
        let pieces = passage.pieces(&mut reader, &mut texts)?;
        let all: Vec<&str> = pieces.latex().collect();
        let units = post::units(&pieces);
        Ok(sentences(&units, (number - passage.formulas.start) as usize, &all, Mode::Document, work))
    }
}

/// The names of the nodes of a formula's operator tree, in a line.
fn formula_line(latex: &str, mode: Mode, work: &mut Work) -> String {
    work.extractor.read(latex, mode);
    let mut line = String::new();
    linear(work.extractor.opt(), |word| {
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
    });
    line
}

/// The words of the sentence with a formula and of its neighbours, stop words left out, with the formulas in a line.
fn sentences(units: &[Unit], formula: usize, formulas: &[&str], mode: Mode, work: &mut Work) -> String {
    let at = units.iter().position(|unit| unit.formulas().contains(&formula)).unwrap_or(0);
    let near = at.saturating_sub(1)..(at + 2).min(units.len());
    let mut words: Vec<String> = Vec::new();
    let mut tokenizer = Tokenizer::default();
    for unit in &units[near] {
        let mut in_unit = unit.formulas().iter();
        for (number, piece) in unit.plain().split(MARK).enumerate() {
            if number > 0
                && let Some(latex) = in_unit.next().and_then(|place| formulas.get(*place))
            {
                words.push(formula_line(latex, mode, work));
            }
            tokenizer.tokenize(piece, |word| {
                if !StopWords::Long.contains(word.term) {
                    words.push(word.term.to_owned());
                }
            });
        }
    }
    words.truncate(MOST_WORDS);
    words.join(" ")
}

fn cosine(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(one, other)| f64::from(one * other)).sum()
}

impl FormulaScorer for ByMeaning {
    fn needs(&self) -> Vec<Need> {
        vec![Need::Model(self.model.clone())]
    }

    fn models(&self) -> Vec<String> {
        vec![self.model.clone()]
    }

    fn score(
        &self,
        engine: &Engine,
        query: Compared<'_>,
        candidates: &mut [Candidate],
        work: &mut Work,
    ) -> Result<usize, Error> {
        let graphs = self.graphs()?;
        let encoder: Arc<dyn Encode> = engine.model(|models| models.encoder(&self.model, None))?;
        let ours = encoder.encode(&[&self.of_query(query, &graphs, work)])?;
        for (number, candidate) in candidates.iter_mut().enumerate() {
            if work.is_over() {
                return Ok(number);
            }
            let text = Self::of_candidate(engine, (candidate, query), &graphs, work)?;
            candidate.score = cosine(&ours, &encoder.encode(&[&text])?);
        }
        Ok(candidates.len())
    }
}
