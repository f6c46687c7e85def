//! What does a text mean? Encoders such as BERT, RoBERTa and MPNet.
//!
//! An encoder is a folder as its makers publish it: `config.json`,
//! `tokenizer.json` and `model.safetensors`, perhaps with the `modules.json` of
//! sentence-transformers. [`tokens`] makes tokens of texts, [`network`] hidden
//! states of tokens, by [products](matrix) and by [what stands between
//! them](numbers). A [`TextEncoder`] makes vectors of them, a [`CrossEncoder`]
//! a score for two texts together, and a [`ContextualSimilarity`] compares
//! texts token by token.
//!
//! Texts are sorted by length and go through the layers in batches without
//! padding, one batch for each thread. Vectors are the same to the bit whatever
//! the batch, the number of threads and the processor.

mod config;
mod cross;
mod matrix;
mod network;
mod numbers;
mod pipeline;
mod similarity;
mod text;
mod tokens;
pub mod training;
mod weights;

use crate::Error;
use config::Config;
pub use cross::CrossEncoder;
use matrix::Spread;
use network::{Network, Scratch, TokenIds};
use rayon::prelude::*;
pub use similarity::ContextualSimilarity;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
pub use text::{EncoderOptions, TextEncoder, TokenVectors};
use tokens::{Tokenised, Tokens};
use weights::Weights;
use xxhash_rust::xxh3::Xxh3;

/// How many tokens go through the layers at once, unless one text has more.
const TOKENS_AT_ONCE: usize = 256;
/// Which numbers come out: a change of the arithmetic here changes every fingerprint.
const ARITHMETIC: &str = "hypatia encoder 1";

/// An encoder: tokens of texts, and hidden states of tokens.
struct Encoder {
    folder: PathBuf,
    config: Config,
    tokens: Tokens,
    network: Network,
}

impl Encoder {
    /// Reads the folder of an encoder up to the layer that `layer` gives, counted from 1, and its weights for
    /// what else is among them.
    fn read(
        folder: &Path,
        lower_case: bool,
        layer: impl FnOnce(&Config) -> Result<usize, Error>,
    ) -> Result<(Self, Weights), Error> {
        let config = Config::read(&folder.join("config.json"))?;
        let layer = layer(&config)?;
        let (tokens, network) = rayon::join(
            || Tokens::read(&folder.join("tokenizer.json"), &config, lower_case),
            || {
                let weights = Weights::open(folder)?;
                Network::read(&weights, &config, layer).map(|network| (network, weights))
            },
        );
        let tokens = tokens?;
        let (network, weights) = network?;
        tokens.check()?;
        Ok((Self { folder: folder.to_owned(), config, tokens, network }, weights))
    }

    /// What `f` makes of the states of each text. `go_on` is asked before each batch.
    fn each<T: Send>(
        &self,
        texts: &[Tokenised],
        go_on: &(dyn Fn() -> bool + Sync),
        f: impl Fn(&[f32]) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|&text| std::cmp::Reverse(texts[text].ids.len()));
        let batches = batches(&order, |text| texts[text].ids.len());
        let spread = match rayon::current_num_threads() {
            1 => Spread::No,
            threads if batches.len() < threads => Spread::Panels,
            _ => Spread::No,
        };
        let hidden = self.network.hidden();
        let encode = |scratch: &mut Scratch, batch: &&[usize]| {
            if !go_on() {
                return Err(Error::Stopped);
            }
            let tokens: Vec<TokenIds<'_>> = batch.iter().map(|&text| texts[text].tokens()).collect();
            let mut states = self.network.states(&tokens, scratch, spread);
            let mut found = Vec::with_capacity(batch.len());
            for (&text, tokens) in batch.iter().zip(&tokens) {
                let (these, rest) = states.split_at(tokens.ids.len() * hidden);
                states = rest;
                found.push((text, f(these)));
            }
            Ok(found)
        };
        let found: Vec<Vec<(usize, T)>> = batches
            .par_iter()
            .with_max_len(1)
            .map_init(Scratch::default, encode)
            .collect::<Result<_, _>>()?;
        let mut found: Vec<(usize, T)> = found.into_iter().flatten().collect();
        found.sort_by_key(|(text, _)| *text);
        Ok(found.into_iter().map(|(_, value)| value).collect())
    }

    /// That a model gives numbers that are none.
    fn not_finite(&self) -> Error {
        Error::damaged(&self.folder, "the weights of the model give no numbers for a text")
    }
}

/// Consecutive texts that go through the layers at once.
fn batches(order: &[usize], length: impl Fn(usize) -> usize) -> Vec<&[usize]> {
    let (mut batches, mut rest) = (Vec::new(), order);
    while !rest.is_empty() {
        let mut tokens = 0;
        let fits = |text: &&usize| {
            tokens += length(**text);
            tokens <= TOKENS_AT_ONCE
        };
        let count = rest.iter().take_while(fits).count().max(1);
        let (batch, others) = rest.split_at(count);
        batches.push(batch);
        rest = others;
    }
    batches
}

/// The name of a folder.
fn name(folder: &Path) -> String {
    folder
        .file_name()
        .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// A checksum of files and of what else decides which numbers come out.
fn fingerprint(folder: &Path, files: &[PathBuf], settings: &str) -> Result<String, Error> {
    let mut hasher = Xxh3::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    add(ARITHMETIC.as_bytes());
    add(settings.as_bytes());
    let mut buffer = vec![0; 1 << 20];
    for path in files {
        let name = path.strip_prefix(folder).unwrap_or(path);
        add(name.to_string_lossy().replace('\\', "/").as_bytes());
        let io = |cause| Error::io(path, cause);
        let mut file = File::open(path).map_err(io)?;
        loop {
            let read = file.read(&mut buffer).map_err(io)?;
            add(&buffer[..read]);
            if read == 0 {
                break;
            }
        }
    }
    Ok(format!("{:032x}", hasher.digest128()))
}
