//! What turns texts into vectors.

use std::fmt::Debug;
use std::sync::Arc;

/// Turns texts into vectors of unit length. The same text gives the same vector, whatever it is encoded with.
pub trait Encode: Debug + Send + Sync {
    /// The name of the model.
    fn name(&self) -> &str;

    /// Everything that decides the vectors, as one short string: two encoders with the same fingerprint give the
    /// same vectors.
    fn fingerprint(&self) -> &str;

    /// The numbers of a vector.
    fn dimensions(&self) -> usize;

    /// The tokens of a text that it reads.
    fn max_tokens(&self) -> usize;

    /// What its texts may be.
    fn reads(&self) -> Reads {
        Reads::Texts
    }

    /// The vectors of texts, one after the other.
    ///
    /// # Errors
    ///
    /// When the model cannot be used; the error names it.
    fn encode(&self, texts: &[&str]) -> Result<Vec<f32>, EncodeError>;

    /// Where a text is cut so that each passage fits the model, with an overlap of some tokens: ranges of bytes.
    ///
    /// # Errors
    ///
    /// As [`Encode::encode`].
    fn passages(&self, text: &str, overlap: usize) -> Result<Vec<std::ops::Range<usize>>, EncodeError>;
}

/// What an encoder reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Texts, with or without formulas.
    Texts,
    /// A formula by itself, as LaTeX between dollars.
    Formulas,
}

/// Why a text could not be encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EncodeError(pub String);

/// The models that are at hand, opened when they are first needed.
pub trait Models: Debug + Send + Sync {
    /// Whether there is a model of this name; nothing is opened to find out.
    fn knows(&self, name: &str) -> bool;

    /// The encoder of a name, which reads this many tokens of a text, or as many as its maker says.
    ///
    /// # Errors
    ///
    /// When there is none, or it cannot be opened; the error names it and the reason.
    fn encoder(&self, name: &str, max_tokens: Option<usize>) -> Result<Arc<dyn Encode>, EncodeError>;

    /// The cross-encoder of a name.
    ///
    /// # Errors
    ///
    /// As [`Models::encoder`].
    fn judge(&self, name: &str) -> Result<Arc<dyn Judge>, EncodeError>;

    /// The encoder of tokens of a name.
    ///
    /// # Errors
    ///
    /// As [`Models::encoder`].
    fn token_encoder(&self, name: &str) -> Result<Arc<dyn EncodeTokens>, EncodeError>;

    /// The weights of a ranker of a name.
    ///
    /// # Errors
    ///
    /// As [`Models::encoder`].
    fn ranker(&self, name: &str) -> Result<Arc<FeatureWeights>, EncodeError> {
        Err(EncodeError(format!("there is no ranker '{name}'")))
    }
}

/// What features count, by their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureWeights(pub Vec<(String, f64)>);

/// Models that engines share.
#[derive(Clone, Debug)]
pub struct SharedModels(pub Arc<dyn Models>);

/// Judges how well a text answers another: a cross-encoder reads both at once.
pub trait Judge: Debug + Send + Sync {
    /// The name of the model.
    fn name(&self) -> &str;

    /// The score of each pair of a question and a text, the higher the better: the model's logit.
    ///
    /// # Errors
    ///
    /// When the model cannot be used; the error names it.
    fn scores(&self, pairs: &[(&str, &str)]) -> Result<Vec<f32>, EncodeError>;
}

/// A vector of unit length for each token of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TokenVectors {
    /// The numbers of a vector.
    pub dimensions: usize,
    /// The vectors, one after the other.
    pub rows: Vec<f32>,
    /// Where each token stands in the text; empty for tokens that the model adds.
    pub spans: Vec<std::ops::Range<usize>>,
}

/// Turns each token of a text into a vector.
pub trait EncodeTokens: Debug + Send + Sync {
    /// The name of the model.
    fn name(&self) -> &str;

    /// The vectors of a text.
    ///
    /// # Errors
    ///
    /// When the model cannot be used; the error names it.
    fn tokens(&self, text: &str) -> Result<TokenVectors, EncodeError>;
}

/// What the tokens count that fill short texts up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Padding {
    /// Nothing: they are not compared.
    #[default]
    Ignored,
    /// Each is a token of similarity 0, as in approach0's own ColBERT, where they can win against negative ones.
    Zero,
}

/// The similarity of late interaction: for each token of the query the nearest of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct MaxSim {
    /// The sum over the tokens of the query.
    pub score: f64,
    /// For each token of the query the nearest token of the text, and how near it is.
    pub nearest: Vec<(usize, f32)>,
}

impl MaxSim {
    /// Compares a query with a text; a text without tokens scores 0.
    #[must_use]
    pub fn new(query: &TokenVectors, text: &TokenVectors) -> Self {
        Self::with_padding(query, text, Padding::Ignored)
    }

    /// The same where texts were padded to one length, as in a batch.
    #[must_use]
    pub fn with_padding(query: &TokenVectors, text: &TokenVectors, padding: Padding) -> Self {
        let size = query.dimensions.max(1);
        if text.rows.is_empty() || text.dimensions != query.dimensions {
            return Self { score: 0.0, nearest: Vec::new() };
        }
        let dot = |left: &[f32], right: &[f32]| {
            left.iter().zip(right).map(|(left, right)| left * right).sum::<f32>()
        };
        let nearest = |token: &[f32]| {
            let all = text.rows.chunks_exact(size).map(|other| dot(token, other)).enumerate();
            let least = match padding {
                Padding::Ignored => (0, f32::NEG_INFINITY),
                Padding::Zero => (text.rows.len() / size, 0.0),
            };
            all.fold(least, |best, next| if next.1 > best.1 { next } else { best })
        };
        let nearest: Vec<(usize, f32)> = query.rows.chunks_exact(size).map(nearest).collect();
        Self { score: nearest.iter().map(|(_, similarity)| f64::from(*similarity)).sum(), nearest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_of_the_query_takes_the_nearest() {
        let vectors = |rows: &[f32]| TokenVectors { dimensions: 2, rows: rows.to_vec(), spans: Vec::new() };
        let query = vectors(&[1.0, 0.0, 0.0, 1.0, 0.6, 0.8]);
        let found = MaxSim::new(&query, &vectors(&[0.8, 0.6, 0.0, 1.0]));
        assert!((found.score - 2.76).abs() < 1e-6, "{found:?}");
        assert_eq!(found.nearest.iter().map(|(token, _)| *token).collect::<Vec<_>>(), [0, 1, 0]);
        // Negative similarities count: there is no token that wins with 0.
        let negative = MaxSim::new(&vectors(&[-1.0, 0.0]), &vectors(&[0.8, 0.6]));
        assert!((negative.score + 0.8).abs() < 1e-6);
        let padded = MaxSim::with_padding(&vectors(&[-1.0, 0.0]), &vectors(&[0.8, 0.6]), Padding::Zero);
        assert_eq!((padded.score, padded.nearest[0]), (0.0, (1, 0.0)));
        assert_eq!(MaxSim::new(&query, &vectors(&[])).score, 0.0);
    }
}
