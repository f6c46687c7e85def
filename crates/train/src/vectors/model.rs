//! What was learned, as a folder: vectors of tokens and of buckets, the tokens with their counts, and how it was made.

use super::error::Error;
use super::learner::Network;
use super::numbers::zeros;
use super::options::{Objective, Options, Subwords};
use super::rows::{Matrix, Plain};
use super::safetensors::{self, NewTensor, Tensors};
use super::sequences::NumberedSequences;
use super::subwords::ngrams;
use super::training::{Layout, Start, first_row};
use super::vocabulary::Vocabulary;
use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The `model_type` in the `config.json` of a model of tokens.
pub const CONFIG_TYPE: &str = "token-vectors";

/// The file of the vectors.
const WEIGHTS: &str = "model.safetensors";
/// The file of the tokens.
const VOCABULARY: &str = "vocabulary.tsv";

/// How a model was made: its `config.json`.
#[derive(Debug, Serialize, Deserialize)]
struct Config {
    model_type: String,
    architectures: Vec<String>,
    hidden_size: usize,
    /// What it learned from, in words.
    source: String,
    /// Sequences, occurrences of tokens, distinct tokens, and those with a vector.
    sequences: u64,
    occurrences: u64,
    distinct: u64,
    tokens: u64,
    options: Options,
}

/// What was learned, and from what.
pub(super) struct Learned<'l> {
    pub(super) options: &'l Options,
    pub(super) sequences: &'l NumberedSequences,
    pub(super) layout: &'l Layout,
    pub(super) network: &'l Network<Plain>,
    pub(super) source: &'l str,
    pub(super) sets: &'l [String],
}

impl Learned<'_> {
    pub(super) fn write(&self, folder: &Path) -> Result<(), Error> {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(Error::io(folder))?;
        }
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let Self { sequences, layout, options, network, .. } = self;
        let (tokens, dimensions) = (sequences.vocabulary.len(), options.dimensions);
        let blocks = super::numbers::blocks(dimensions);
        let row = move |number: usize| {
            let mut row = zeros(blocks);
            network.input.read(number, &mut row);
            row.as_flattened()[..dimensions].to_vec()
        };
        let bytes = |numbers: Vec<f32>| numbers.into_iter().flat_map(f32::to_le_bytes).collect::<Vec<u8>>();
        let of_token = move |token: usize| {
            let rows = layout.made.of(token as u32);
            let mut sum = vec![0.0; dimensions];
            for &number in rows {
                sum.iter_mut().zip(row(number as usize)).for_each(|(sum, number)| *sum += number);
            }
            sum.iter_mut().for_each(|sum| *sum /= rows.len() as f32);
            sum
        };
        let mut tensors = vec![NewTensor {
            name: "tokens",
            dtype: "F32",
            shape: vec![tokens, dimensions],
            rows: Box::new((0..tokens).map(move |token| bytes(of_token(token)))),
        }];
        if options.subwords.is_some() {
            let buckets = layout.buckets.len();
            tensors.push(NewTensor {
                name: "buckets",
                dtype: "F32",
                shape: vec![buckets, dimensions],
                rows: Box::new((0..buckets).map(move |bucket| bytes(row(tokens + bucket)))),
            });
            tensors.push(NewTensor {
                name: "bucket_numbers",
                dtype: "U32",
                shape: vec![buckets, 1],
                rows: Box::new(layout.buckets.iter().map(|bucket| bucket.to_le_bytes().to_vec())),
            });
        }
        safetensors::write(&folder.join(WEIGHTS), tensors)?;
        let put = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, bytes).map_err(Error::io(&path))
        };
        put(VOCABULARY, sequences.vocabulary.to_lines().as_bytes())?;
        for (name, bytes) in sequences.extras()? {
            put(&name, &bytes)?;
        }
        let config = serde_json::to_string_pretty(&self.config()).expect("names and numbers can be written");
        put("config.json", format!("{config}\n").as_bytes())?;
        put("README.md", self.card().as_bytes())
    }

    fn config(&self) -> Config {
        let Self { sequences, options, .. } = self;
        Config {
            model_type: CONFIG_TYPE.to_owned(),
            architectures: vec!["TokenVectors".to_owned()],
            hidden_size: options.dimensions,
            source: self.source.to_owned(),
            sequences: sequences.sequences,
            occurrences: sequences.total,
            distinct: sequences.distinct,
            tokens: sequences.vocabulary.len() as u64,
            options: (*options).clone(),
        }
    }

    /// A card for people, with the training sets where readers of cards look for them.
    fn card(&self) -> String {
        let Self { sequences, options, source, sets, .. } = self;
        let mut card = String::new();
        if !sets.is_empty() {
            card.push_str("---\ndatasets:\n");
            sets.iter().for_each(|set| card.push_str(&format!("- {set}\n")));
            card.push_str("---\n\n");
        }
        let Options { algorithm, objective, dimensions, window, epochs, negatives, seed, .. } = options;
        card.push_str(&format!(
            "Vectors of {} tokens, trained by hypatia from {source}: {} sequences of {} tokens in all.\n\n\
             {algorithm}, {objective}, {dimensions} dimensions, window {window}, {epochs} epochs, {negatives} \
             negatives, seed {seed}; `config.json` has all options.\n",
            sequences.vocabulary.len(),
            sequences.sequences,
            sequences.total,
        ));
        card
    }
}

/// Vectors of tokens: those that were learned, and those made of sub-words.
#[derive(Debug)]
pub struct TokenVectors {
    options: Options,
    numbers: HashMap<Box<str>, u32, FixedState>,
    tokens: Vec<f32>,
    bucket_rows: HashMap<u32, u32, FixedState>,
    buckets: Vec<f32>,
}

impl TokenVectors {
    /// Reads the folder of a model.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, is damaged, or does not fit the others.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("config.json");
        let text = fs::read_to_string(&path).map_err(Error::io(&path))?;
        let config: Config =
            serde_json::from_str(&text).map_err(|cause| Error::damaged(&path, cause.to_string()))?;
        if config.model_type != CONFIG_TYPE {
            return Err(Error::damaged(
                &path,
                format!("a model of type {}, not {CONFIG_TYPE}", config.model_type),
            ));
        }
        let options = config.options;
        if config.hidden_size != options.dimensions {
            return Err(Error::damaged(&path, "its vectors have two lengths"));
        }
        if let Some(mistake) = options.mistake() {
            return Err(Error::damaged(&path, mistake));
        }
        let path = folder.join(VOCABULARY);
        let lines = fs::read_to_string(&path).map_err(Error::io(&path))?;
        let vocabulary = Vocabulary::from_lines(&lines)
            .map_err(|line| Error::damaged(&path, format!("line {line} is not a token with a count")))?;
        let path = folder.join(WEIGHTS);
        let tensors = Tensors::read(&path)?;
        let matrix = |name: &str| {
            let found =
                tensors.matrix(name, "F32").filter(|([_, columns], _)| *columns == options.dimensions);
            let ([rows, _], bytes) = found.ok_or_else(|| {
                Error::damaged(&path, format!("the matrix {name} is missing or has another width"))
            })?;
            let numbers: Vec<f32> = bytes.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
            match numbers.iter().all(|number| number.is_finite()) {
                true => Ok((rows, numbers)),
                false => {
                    Err(Error::damaged(&path, format!("the matrix {name} has numbers that are not finite")))
                }
            }
        };
        let (rows, tokens) = matrix("tokens")?;
        if rows != vocabulary.len() {
            let reason = format!("{rows} vectors for the {} tokens of {VOCABULARY}", vocabulary.len());
            return Err(Error::damaged(&path, reason));
        }
        let (mut buckets, mut bucket_rows) = (Vec::new(), HashMap::with_hasher(FixedState::default()));
        if options.subwords.is_some() {
            let (rows, numbers) = matrix("buckets")?;
            let of = tensors.matrix("bucket_numbers", "U32").filter(|(shape, _)| *shape == [rows, 1]);
            let (_, of) =
                of.ok_or_else(|| Error::damaged(&path, "the numbers of its buckets are missing or too few"))?;
            bucket_rows.extend(of.iter().map(|bytes| u32::from_le_bytes(*bytes)).zip(0..));
            buckets = numbers;
        }
        let numbers = vocabulary.tokens().map(Box::from).zip(0..).collect();
        Ok(Self { options, numbers, tokens, bucket_rows, buckets })
    }

    /// The numbers of a vector.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.options.dimensions
    }

    /// The number of tokens that have vectors of their own.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether no token has a vector.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// What the model was trained to predict.
    #[must_use]
    pub fn objective(&self) -> Objective {
        self.options.objective
    }

    /// The options of the training.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The vector of a token that has one of its own.
    #[must_use]
    pub fn known(&self, token: &str) -> Option<&[f32]> {
        let start = *self.numbers.get(token)? as usize * self.dimensions();
        Some(&self.tokens[start..start + self.dimensions()])
    }

    /// Adds the vector of a token to a sum: its own, else the mean of those of its sub-words. Says whether it has
    /// one.
    fn add(&self, token: &str, sum: &mut [f32]) -> bool {
        if let Some(known) = self.known(token) {
            sum.iter_mut().zip(known).for_each(|(sum, number)| *sum += number);
            return true;
        }
        let Some(subwords) = &self.options.subwords else { return false };
        let mut buckets = Vec::new();
        ngrams(token, subwords, |bucket| buckets.push(bucket));
        let count = buckets.len() as f32;
        for bucket in &buckets {
            let add = |row: &[f32], sum: &mut [f32]| {
                sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number / count);
            };
            match self.bucket_rows.get(bucket) {
                Some(&row) => {
                    let start = row as usize * self.dimensions();
                    add(&self.buckets[start..start + self.dimensions()], sum);
                }
                // What no token of the training had stands as the training would have begun.
                None => add(&first_row(&self.options, Start::Bucket(*bucket)), sum),
            }
        }
        !buckets.is_empty()
    }

    /// The vector of a token; nothing if it is unknown and has no sub-words.
    #[must_use]
    pub fn token(&self, token: &str) -> Option<Vec<f32>> {
        let mut vector = vec![0.0; self.dimensions()];
        self.add(token, &mut vector).then_some(vector)
    }

    /// The mean of the vectors of the tokens that have one; zeros if none has.
    #[must_use]
    pub fn sequence<'t>(&self, tokens: impl IntoIterator<Item = &'t str>) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimensions()];
        let count = tokens.into_iter().filter(|token| self.add(token, &mut sum)).count();
        sum.iter_mut().for_each(|sum| *sum /= count.max(1) as f32);
        sum
    }

    /// The tokens nearest to a vector by cosine, nearest first.
    #[must_use]
    pub fn nearest(&self, vector: &[f32], most: usize) -> Vec<(&str, f32)> {
        let norm = |vector: &[f32]| vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        let own = norm(vector);
        let cosine = |row: &[f32]| {
            let dot: f32 = row.iter().zip(vector).map(|(left, right)| left * right).sum();
            dot / (own * norm(row)).max(f32::MIN_POSITIVE)
        };
        let all = self.numbers.iter().map(|(token, &number)| {
            let start = number as usize * self.dimensions();
            (&**token, cosine(&self.tokens[start..start + self.dimensions()]))
        });
        let mut all: Vec<(&str, f32)> = all.collect();
        all.sort_by(|left, right| right.1.total_cmp(&left.1).then_with(|| right.0.cmp(left.0)));
        all.truncate(most);
        all
    }

    /// The sub-words of its tokens, if it has any.
    #[must_use]
    pub fn subwords(&self) -> Option<Subwords> {
        self.options.subwords
    }
}
