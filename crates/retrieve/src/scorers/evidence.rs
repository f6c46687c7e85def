//! What speaks for a post whatever is asked: how much it says, in words and in formulas, and how near it is to the
//! question it answers.
//!
//! The logarithm of the words of its text and that of the letters, numbers and names in its formulas count as shares of
//! those of a long post, from 0 to 1, and the similarity of its vector to that of its question as it is.

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, ClueKind};
use crate::pipeline::need::Need;
use crate::pipeline::stage::{OpenPostScorer, OpenPostSource, PostScorer};
use crate::query::Query;
use dense::VectorFile;
use index::parts::Over;
use index::{Document, Field, Part};
use serde::Deserialize;
use text::StopWords;

/// Texts of this many words, and formulas of this many letters, count as much as longer ones.
const LONG: f64 = 1000.0;

/// Scores posts by what is known of them without a query.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct Evidence {
    weights: [f64; 3],
    model: Option<String>,
}

/// The settings as they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    words: f64,
    #[serde(default)]
    formulas: f64,
    #[serde(default)]
    own_question: f64,
    model: Option<String>,
}

impl TryFrom<Written> for Evidence {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let Written { words, formulas, own_question, model } = written;
        let weights = [words, formulas, own_question];
        if weights.iter().any(|weight| !(-1e6..=1e6).contains(weight)) {
            return Err("weights are numbers from -1e6 to 1e6");
        }
        Ok(Self { weights, model })
    }
}

impl PostScorer for Evidence {
    fn needs(&self) -> Vec<Need> {
        if self.weights[2] == 0.0 { Vec::new() } else { vec![Need::Vectors(Over::Posts, self.model.clone())] }
    }

    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        _: &'q Query,
        _: &[Box<dyn OpenPostSource + 'q>],
        _: &mut Work,
    ) -> Result<Box<dyn OpenPostScorer + 'q>, Error> {
        let files = match self.weights[2] {
            0.0 => Vec::new(),
            _ => {
                let found = engine.vectors(Over::Posts, self.model.as_deref());
                found.map_err(|what| engine.lacks_meaning(&what))?.files(engine)?
            }
        };
        Ok(Box::new(OpenEvidence { engine, weights: self.weights, files }))
    }
}

struct OpenEvidence<'q> {
    engine: &'q Engine,
    weights: [f64; 3],
    /// The vectors of each segment.
    files: Vec<Option<VectorFile<'q>>>,
}

impl OpenEvidence<'_> {
    /// The logarithm of the length of a field, as a share of that of a long one.
    fn length(&self, document: Document, field: Field) -> f64 {
        let posts = &self.engine.index.segments()[document.segment].posts;
        let length = f64::from(posts.length(field, StopWords::None, document.doc));
        (libm::log1p(length) / libm::log1p(LONG)).min(1.0)
    }

    /// How near an answer is to its question; 0 without vectors of both.
    fn own_question(&self, document: Document) -> f64 {
        let similarity = || {
            let file = self.files.get(document.segment)?.as_ref()?;
            let question = self.engine.parent(document)?;
            let own = file.rows().row(file.of(document.doc).next()?)?;
            Some(file.nearest(question.doc, &own)?.1)
        };
        similarity().map_or(0.0, f64::from)
    }

    /// What speaks for a post, each times its weight.
    fn scores(&self, document: Document) -> [f64; 3] {
        let [words, formulas, own_question] = self.weights;
        [
            words * self.length(document, Field::Words(Part::Body)),
            formulas * self.length(document, Field::Source(Part::Body)),
            own_question * self.own_question(document),
        ]
    }
}

impl OpenPostScorer for OpenEvidence<'_> {
    fn score(&mut self, documents: &[Document], _: &mut Work) -> Result<Vec<f64>, Error> {
        Ok(documents.iter().map(|document| self.scores(*document).iter().sum()).collect())
    }

    fn explain(&mut self, document: Document, score: f64, _: &mut Work) -> Result<Vec<Clue>, Error> {
        let scores = self.scores(document);
        // The score has the weight of the stage in it.
        let sum: f64 = scores.iter().sum();
        let factor = if sum == 0.0 { 0.0 } else { score / sum };
        let terms = ["length of its text", "length of its formulas", "nearness to its own question"];
        let named = scores.into_iter().zip(terms).filter(|(score, _)| *score != 0.0);
        let clue = |(score, term): (f64, &str)| Clue {
            group: "evidence".to_owned(),
            place: "post",
            term: term.to_owned(),
            kind: ClueKind::Remark,
            frequency: 1.0,
            score: factor * score,
        };
        Ok(named.map(clue).collect())
    }
}
