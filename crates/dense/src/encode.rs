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

    /// The vectors of texts, one after the other, made by this thread alone.
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

/// Why a text could not be encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EncodeError(pub String);

/// An encoder that threads and indexes share, as a resource of an engine.
#[derive(Clone, Debug)]
pub struct SharedEncoder(pub Arc<dyn Encode>);
