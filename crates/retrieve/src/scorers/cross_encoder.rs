//! Posts judged together with the question by a cross-encoder.
//!
//! Without blocks a post's score is the model's logit. With blocks, such as those at 4, 8 and 16, posts change places
//! inside their block only, so a weak model can do little harm: a post of the block `b` of `n` scores
//! `n - b + sigmoid(logit)`.

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, ClueKind};
use crate::meaning::Texts;
use crate::pipeline::need::Need;
use crate::pipeline::stage::{OpenPostScorer, OpenPostSource, PostScorer};
use crate::query::Query;
use dense::Judge;
use dense::text::FormulaStyle;
use index::Document;
use serde::Deserialize;
use std::sync::Arc;

/// The posts that are judged between two looks at the clock.
const AT_ONCE: usize = 8;

/// Scores posts by a cross-encoder.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct CrossEncoder {
    model: String,
    formulas: FormulaStyle,
    /// Where blocks end; none for one block without an end.
    blocks: Vec<usize>,
}

/// The settings as they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    model: String,
    #[serde(default)]
    formulas: FormulaStyle,
    #[serde(default)]
    blocks: Vec<usize>,
}

impl TryFrom<Written> for CrossEncoder {
    type Error = &'static str;

    fn try_from(Written { model, formulas, blocks }: Written) -> Result<Self, Self::Error> {
        if !blocks.is_sorted_by(|left, right| left < right) || blocks.first() == Some(&0) {
            return Err("`blocks` are the ranks at which blocks end, in order: [4, 8, 16]");
        }
        Ok(Self { model, formulas, blocks })
    }
}

impl PostScorer for CrossEncoder {
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
        let judge = engine.model(|models| models.judge(&self.model))?;
        let mut texts = Texts::new(engine, self.formulas);
        let question = texts.query(query);
        Ok(Box::new(OpenCrossEncoder { scorer: self, judge, question, texts }))
    }
}

struct OpenCrossEncoder<'q> {
    scorer: &'q CrossEncoder,
    judge: Arc<dyn Judge>,
    question: String,
    texts: Texts<'q>,
}

impl OpenPostScorer for OpenCrossEncoder<'_> {
    fn score(&mut self, documents: &[Document], work: &mut Work) -> Result<Vec<f64>, Error> {
        let blocks = &self.scorer.blocks;
        let judged = blocks.last().map_or(documents.len(), |end| documents.len().min(*end));
        let mut scores = Vec::with_capacity(judged);
        for batch in documents[..judged].chunks(AT_ONCE) {
            if work.is_over() {
                break;
            }
            let texts = batch.iter().map(|document| self.texts.post(*document));
            let texts = texts.collect::<Result<Vec<String>, Error>>()?;
            let pairs: Vec<(&str, &str)> =
                texts.iter().map(|text| (self.question.as_str(), text.as_str())).collect();
            for logit in self.judge.scores(&pairs)? {
                scores.push(score(blocks, scores.len(), f64::from(logit)));
            }
        }
        Ok(scores)
    }

    fn explain(&mut self, _: Document, score: f64, _: &mut Work) -> Result<Vec<Clue>, Error> {
        let term = format!("read together with the question by {}", self.judge.name());
        let group = "cross-encoder".to_owned();
        Ok(vec![Clue { group, place: "post", term, kind: ClueKind::Remark, frequency: 1.0, score }])
    }
}

/// The score of a post at a place of the list.
fn score(blocks: &[usize], place: usize, logit: f64) -> f64 {
    if blocks.is_empty() {
        return logit;
    }
    let block = blocks.iter().filter(|end| **end <= place).count();
    (blocks.len() - block) as f64 + 1.0 / (1.0 + libm::exp(-logit))
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn posts_stay_in_their_blocks() {
        let logits = [0.1, 0.9, 0.3, 0.5, 0.99, 0.2, 0.7, 0.4];
        let mut order: Vec<usize> = (0..logits.len()).collect();
        order.sort_by(|left, right| {
            let score = |place: &usize| score(&[4, 8], *place, logits[*place]);
            score(right).total_cmp(&score(left))
        });
        assert_eq!(order, [1, 3, 2, 0, 4, 6, 7, 5]);
        assert_eq!(score(&[], 3, -2.0), -2.0);
    }
}
