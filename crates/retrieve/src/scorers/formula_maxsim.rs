//! Formulas compared with the query token by token: ColBERT's late interaction, by the vectors that an encoder makes
//! of the tokens of a formula, or of the post around it.
//!
//! With `context`, a formula is read as it stands in a post, every other formula there masked, and the query in its
//! question in the same way. Of several instances, the first of them, the best counts.

use super::{Compared, FormulaScorer};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::formulas::Candidate;
use crate::meaning::Texts;
use crate::pipeline::need::Need;
use dense::text::{FormulaStyle, Masking, TextWriter};
use dense::{EncodeTokens, MaxSim, Padding, TokenVectors};
use serde::Deserialize;

/// Compares by the vectors of tokens.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ByTokens {
    model: String,
    #[serde(default)]
    formulas: FormulaStyle,
    /// Whether the tokens that fill texts up count as ones of similarity 0.
    #[serde(default)]
    padded: bool,
    context: Option<Context>,
}

/// How a formula is read in its posts.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Context {
    /// What stands for every other formula.
    #[serde(default = "mask")]
    mask: String,
    /// How many instances are read.
    #[serde(default = "five")]
    instances: usize,
    /// Formulas whose LaTeX is shorter are read alone.
    #[serde(default = "three")]
    shortest: usize,
    /// How many bytes are read to either side.
    #[serde(default = "two_thousand")]
    window: usize,
}

fn mask() -> String {
    "[MASK]".to_owned()
}

fn five() -> usize {
    5
}

fn three() -> usize {
    3
}

fn two_thousand() -> usize {
    2000
}

impl ByTokens {
    fn compare(&self, query: &TokenVectors, encoder: &dyn EncodeTokens, text: &str) -> Result<f64, Error> {
        let padding = if self.padded { Padding::Zero } else { Padding::Ignored };
        Ok(MaxSim::with_padding(query, &encoder.tokens(text)?, padding).score)
    }

    /// The best of the first instances of a candidate.
    fn in_context(
        &self,
        context: &Context,
        (engine, query, encoder): (&Engine, &TokenVectors, &dyn EncodeTokens),
        (candidate, places): (&Candidate, crate::formulas::Places),
        texts: &mut Texts<'_>,
    ) -> Result<Option<f64>, Error> {
        let masking = Masking { mask: &context.mask, window: context.window };
        let mut best: Option<f64> = None;
        let instances = engine.places_of(candidate, places);
        for (place, document) in instances.take(context.instances) {
            let text = texts.around(document, place, &masking)?;
            let score = self.compare(query, encoder, &text)?;
            best = Some(best.map_or(score, |best| best.max(score)));
        }
        Ok(best)
    }
}

impl FormulaScorer for ByTokens {
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
        let encoder = engine.model(|models| models.token_encoder(&self.model))?;
        let mut writer = TextWriter::new(self.formulas);
        let mut texts = Texts::new(engine, self.formulas);
        let text = match &self.context {
            Some(context) if query.question.typed.is_none() => {
                let masking = Masking { mask: &context.mask, window: context.window };
                let (title, body) = (&query.question.title, &query.question.body);
                let sections = ((&*title.text, &*title.formulas), (&*body.text, &*body.formulas));
                writer.query_around_formula(sections.0, sections.1, query.latex, &masking)
            }
            _ => writer.formula_alone(query.latex),
        };
        let ours = encoder.tokens(&text)?;
        for (number, candidate) in candidates.iter_mut().enumerate() {
            if work.is_over() {
                return Ok(number);
            }
            let latex = engine.candidate_latex(candidate);
            let read = self.context.as_ref().filter(|context| latex.len() >= context.shortest);
            let found = match read {
                Some(context) => {
                    let with = (engine, &ours, &*encoder);
                    self.in_context(context, with, (&*candidate, query.places), &mut texts)?
                }
                None => None,
            };
            candidate.score = match found {
                Some(score) => score,
                None => self.compare(&ours, &*encoder, &writer.formula_alone(latex))?,
            };
        }
        Ok(candidates.len())
    }
}
