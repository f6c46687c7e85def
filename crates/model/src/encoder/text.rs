//! Vectors of texts, and of their tokens.

use super::numbers::to_unit_length;
use super::pipeline::{Dense, Modules, Pipeline};
use super::{Encoder, fingerprint, name};
use crate::Error;
use rayon::prelude::*;
use std::fmt;
use std::ops::Range;
use std::path::Path;

/// Options of encoders.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EncoderOptions {
    /// The most tokens that a text may have, with those that the model puts around it; beyond it texts are cut.
    /// By default the limit that the model states, or all that it can take.
    pub max_tokens: Option<usize>,
}

impl EncoderOptions {
    /// Options with this limit of tokens.
    #[must_use]
    pub fn with_max_tokens(max_tokens: usize) -> Self {
        Self { max_tokens: Some(max_tokens) }
    }
}

/// Makes vectors of texts, so that texts of similar meaning have similar vectors.
///
/// A model is a folder in the form of Hugging Face or of sentence-transformers. Its weights are held once, in
/// single precision; each thread needs a few megabytes beside. Vectors are the same to the bit whatever the
/// batch, the number of threads and the processor.
///
/// ```no_run
/// use model::{EncoderOptions, TextEncoder};
/// let encoder = TextEncoder::open("all-MiniLM-L6-v2".as_ref(), &EncoderOptions::default())?;
/// let vectors = encoder.encode(&["Is $n^2$ even?", "The square of an even number is even."])?;
/// assert_eq!(vectors.len(), 2 * encoder.dimensions());
/// # Ok::<(), model::Error>(())
/// ```
pub struct TextEncoder {
    encoder: Encoder,
    pipeline: Pipeline,
    name: String,
    fingerprint: String,
}

/// The vectors of the tokens of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenVectors {
    /// One vector after the other, each of unit length.
    pub rows: Vec<f32>,
    /// How many numbers a vector has.
    pub dimensions: usize,
    /// The bytes of the text that each token stands for; empty for tokens that the model puts around texts.
    pub spans: Vec<Range<usize>>,
}

impl TextEncoder {
    /// Opens the folder of a model.
    ///
    /// With a `modules.json` vectors are made as it states; otherwise they are the mean of the states of all
    /// tokens, brought to unit length.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or is damaged, when its parts do not belong together, when the model is of a
    /// kind that is not known here, or when the limit of tokens is not possible.
    pub fn open(folder: &Path, options: &EncoderOptions) -> Result<Self, Error> {
        let mut modules = Modules::read(folder)?;
        let transformer = modules.transformer.clone();
        let (mut encoder, weights) =
            Encoder::read(&transformer, modules.lower_case, |config| Ok(config.layers))?;
        let hidden = encoder.config.hidden_size;
        let mut pipeline = modules.pipeline(hidden)?;
        if pipeline.projection.is_none() {
            pipeline.projection = Dense::of_colbert(&weights.without_prefix(), hidden)?;
        }
        let window = encoder.tokens.limit();
        // The makers of a model may state more than it can take.
        let limit = options.max_tokens.or(modules.limit.map(|limit| limit.min(window))).unwrap_or(window);
        encoder.tokens = encoder.tokens.with_limit(limit)?;
        let mut files = ["config.json", "tokenizer.json", "model.safetensors"]
            .map(|name| transformer.join(name))
            .to_vec();
        files.append(&mut modules.files);
        let fingerprint = fingerprint(folder, &files, &format!("text {limit}"))?;
        Ok(Self { encoder, pipeline, name: name(folder), fingerprint })
    }

    /// The name of the folder.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A checksum of everything that decides what vectors are: files, limit of tokens, arithmetic.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// How many numbers the vector of a text has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.pipeline.dimensions(self.encoder.config.hidden_size)
    }

    /// The most tokens that a text may have, with those around it; beyond it texts are cut.
    #[must_use]
    pub fn max_tokens(&self) -> usize {
        self.encoder.tokens.limit()
    }

    /// How many tokens a text has, without those around it and without a limit.
    ///
    /// # Errors
    ///
    /// When the tokenizer fails.
    pub fn tokens(&self, text: &str) -> Result<usize, Error> {
        self.encoder.tokens.count(text)
    }

    /// Ranges of bytes of a text that each fit the limit, in order, with an overlap of about `overlap` tokens.
    ///
    /// A text that fits is one range. Others are cut between tokens, between words where there are any; the
    /// overlap is at most half of the limit.
    ///
    /// # Errors
    ///
    /// When the tokenizer fails.
    pub fn passages(&self, text: &str, overlap: usize) -> Result<Vec<Range<usize>>, Error> {
        self.encoder.tokens.passages(text, overlap)
    }

    /// The vectors of texts, one after the other.
    ///
    /// # Errors
    ///
    /// When the tokenizer makes tokens that the model does not have, or the weights give no numbers.
    pub fn encode(&self, texts: &[&str]) -> Result<Vec<f32>, Error> {
        self.encode_while(texts, &|| true)
    }

    /// As [`TextEncoder::encode`]; `go_on` is asked before each batch of about 256 tokens.
    ///
    /// # Errors
    ///
    /// As [`TextEncoder::encode`], and [`Error::Stopped`] if `go_on` returned `false`.
    pub fn encode_while(&self, texts: &[&str], go_on: &(dyn Fn() -> bool + Sync)) -> Result<Vec<f32>, Error> {
        let tokenise = |text: &&str| self.encoder.tokens.tokenise(text);
        let tokens = texts.par_iter().map(tokenise).collect::<Result<Vec<_>, _>>()?;
        let hidden = self.encoder.config.hidden_size;
        let vectors = self.encoder.each(&tokens, go_on, |states| self.pipeline.vector(states, hidden))?;
        let vectors = vectors.concat();
        if vectors.iter().all(|number| number.is_finite()) {
            Ok(vectors)
        } else {
            Err(self.encoder.not_finite())
        }
    }

    /// The vectors of the tokens of a text, those around it included, for late interaction.
    ///
    /// Where the model has a projection, as ColBERT has, states go through it; vectors have unit length.
    ///
    /// # Errors
    ///
    /// As [`TextEncoder::encode`].
    pub fn encode_tokens(&self, text: &str) -> Result<TokenVectors, Error> {
        let mut all = self.encode_tokens_of(&[text])?;
        all.pop().ok_or_else(|| self.encoder.not_finite())
    }

    /// As [`TextEncoder::encode_tokens`], for several texts.
    ///
    /// # Errors
    ///
    /// As [`TextEncoder::encode`].
    pub fn encode_tokens_of(&self, texts: &[&str]) -> Result<Vec<TokenVectors>, Error> {
        let tokenise = |text: &&str| self.encoder.tokens.tokenise(text);
        let tokens = texts.par_iter().map(tokenise).collect::<Result<Vec<_>, _>>()?;
        let projection = self.pipeline.projection.as_ref();
        let dimensions = projection.map_or(self.encoder.config.hidden_size, Dense::columns);
        let vectors = self.encoder.each(&tokens, &|| true, |states| {
            let mut rows =
                projection.map_or_else(|| states.to_vec(), |projection| projection.forward(states));
            rows.chunks_exact_mut(dimensions).for_each(to_unit_length);
            rows
        })?;
        if !vectors.iter().flatten().all(|number| number.is_finite()) {
            return Err(self.encoder.not_finite());
        }
        let with_spans = |(rows, tokens): (Vec<f32>, super::Tokenised)| TokenVectors {
            rows,
            dimensions,
            spans: tokens.spans,
        };
        Ok(vectors.into_iter().zip(tokens).map(with_spans).collect())
    }
}

impl fmt::Debug for TextEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextEncoder")
            .field("name", &self.name)
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}
