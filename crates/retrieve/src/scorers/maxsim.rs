//! Posts compared with the question token by token: late interaction.
//!
//! Each token of the question counts by the similarity of the nearest token of the post. Vectors of posts are computed
//! when they are needed.

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, ClueKind};
use crate::meaning::Texts;
use crate::pipeline::need::Need;
use crate::pipeline::stage::{OpenPostScorer, OpenPostSource, PostScorer};
use crate::query::Query;
use dense::text::FormulaStyle;
use dense::{EncodeTokens, MaxSim as Compared, TokenVectors};
use index::Document;
use serde::Deserialize;
use std::sync::Arc;

/// The pairs of tokens that an explanation names.
const NAMED: usize = 3;

/// Scores posts by late interaction.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MaxSim {
    model: String,
    #[serde(default)]
    formulas: FormulaStyle,
}

impl PostScorer for MaxSim {
    fn needs(&self) -> Vec<Need> {
        vec![Need::Model(self.model.clone())]
    }

    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        query: &'q Query,
        _: &[Box<dyn OpenPostSource + 'q>],
        _: &mut Work,
    ) -> Result<Box<dyn OpenPostScorer + 'q>, Error> {
        let encoder = engine.model(|models| models.token_encoder(&self.model))?;
        let mut texts = Texts::new(engine, self.formulas);
        let question = texts.query(query);
        let tokens = encoder.tokens(&question)?;
        Ok(Box::new(OpenMaxSim { encoder, question, tokens, texts }))
    }
}

struct OpenMaxSim<'q> {
    encoder: Arc<dyn EncodeTokens>,
    question: String,
    tokens: TokenVectors,
    texts: Texts<'q>,
}

impl OpenMaxSim<'_> {
    /// The text of a post, and how it compares with the question.
    fn compare(&mut self, document: Document) -> Result<(String, TokenVectors, Compared), Error> {
        let text = self.texts.post(document)?;
        let tokens = self.encoder.tokens(&text)?;
        let compared = Compared::new(&self.tokens, &tokens);
        Ok((text, tokens, compared))
    }
}

impl OpenPostScorer for OpenMaxSim<'_> {
    fn score(&mut self, documents: &[Document], work: &mut Work) -> Result<Vec<f64>, Error> {
        let mut scores = Vec::with_capacity(documents.len());
        for document in documents {
            if work.is_over() {
                break;
            }
            scores.push(self.compare(*document)?.2.score);
        }
        Ok(scores)
    }

    fn explain(&mut self, document: Document, score: f64, _: &mut Work) -> Result<Vec<Clue>, Error> {
        let (text, tokens, compared) = self.compare(document)?;
        let mut pairs: Vec<(f32, &str, &str)> = Vec::new();
        for (place, (nearest, similarity)) in compared.nearest.iter().enumerate() {
            let of_question = self.tokens.spans.get(place).and_then(|span| self.question.get(span.clone()));
            let of_text = tokens.spans.get(*nearest).and_then(|span| text.get(span.clone()));
            if let (Some(left), Some(right)) = (of_question, of_text)
                && left.chars().any(char::is_alphanumeric)
            {
                pairs.push((*similarity, left, right));
            }
        }
        pairs.sort_by(|left, right| right.0.total_cmp(&left.0));
        pairs.dedup_by_key(|(_, left, _)| *left);
        let named: Vec<String> =
            pairs.iter().take(NAMED).map(|(_, left, right)| format!("{left} ~ {right}")).collect();
        let term = format!("token by token: {}", named.join(", "));
        let group = "late interaction".to_owned();
        Ok(vec![Clue { group, place: "post", term, kind: ClueKind::Remark, frequency: 1.0, score }])
    }
}
