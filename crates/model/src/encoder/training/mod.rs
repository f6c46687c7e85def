//! Encoders that learn: the way back through every layer, for `train::encoder`.
//!
//! A [`Learner`] is read from the folder of an encoder, learns as a [`train::encoder::Network`], and is written as a
//! folder again. On the way forward it computes what the encoder computes, to the bit. There is no dropout: what is
//! learned depends on the examples and their order alone.
//!
//! Texts go forward twice, once for the loss and once more, keeping what the way back needs, so that memory does
//! not grow with the batch: it has the parameters five times (those of the training, those in use, the gradient, two
//! moments), the matrices of the layers packed for both ways, and for each of [`LANES`] lanes a gradient without the
//! words, and what is kept of about 256 tokens. Which lane a text belongs to depends on the batch alone, and the
//! gradients of lanes are added in order, so the result is the same to the bit whatever the number of threads.

mod attention;
mod body;
mod folder;
mod heads;
mod parameters;
mod parts;

use super::config::Config;
use super::cross::{USUAL_LIMIT, head_names};
use super::network::TokenIds;
use super::pipeline::{Modules, Part};
use super::tokens::{Tokenised, Tokens};
use super::weights::Weights;
use crate::Error;
use body::{Body, Gradient, Tape, Workspace};
pub use folder::{Record, write_adapter};
use heads::{Head, Step};
use parameters::{From, LinearSlot, Parameters, Tensor};
use parts::Affine;
use rayon::prelude::*;
use stats::rng::Rng;
use std::ops::Range;
use std::path::{Path, PathBuf};
use train::encoder::{Network, Texts};

/// Gradients that are made beside each other: no more threads learn at once.
pub const LANES: usize = 4;
/// The standard deviation of the weights of a new head, as BERT has it.
const NEW_WEIGHTS: f64 = 0.02;

/// An encoder that learns.
pub struct Learner<'t> {
    /// The folder it was read from, and that of the encoder in it.
    base: PathBuf,
    config: Config,
    tokens: Tokens,
    texts: Box<dyn Texts + 't>,
    parameters: Parameters,
    body: Body,
    head: Head,
    files: Vec<PathBuf>,
    kind: Kind,
    lanes: Vec<(Workspace, Gradient)>,
}

/// What is made of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Vectors,
    Logits(usize),
}

/// A text, or two that are read together, as tokens.
#[derive(Debug)]
pub struct Input(Tokenised);

impl<'t> Learner<'t> {
    /// Reads an encoder that makes a vector of each text.
    ///
    /// # Errors
    ///
    /// As [`TextEncoder::open`](crate::TextEncoder::open), and for models that give a vector for each token only.
    pub fn encoder(
        folder: &Path,
        max_tokens: Option<usize>,
        texts: Box<dyn Texts + 't>,
    ) -> Result<Self, Error> {
        let modules = Modules::read(folder)?;
        let mut read = Read::new(&modules.transformer)?;
        let body = Body::read(&mut read.parameters, From { file: 0, weights: &read.weights }, &read.config)?;
        let parts = modules.parts(body.hidden())?.ok_or_else(|| {
            let reason = "it gives a vector for each token only, which is not trained here".to_owned();
            Error::Option { path: folder.to_owned(), reason }
        })?;
        let (mut pooling, mut steps, mut files) = (Vec::new(), Vec::new(), vec![modules.transformer.clone()]);
        for part in parts {
            match part {
                Part::Pooling(modes) => pooling = modes,
                Part::Normalize => steps.push(Step::Normalize),
                Part::Dense(dense) => {
                    let weights = Weights::open(&dense.folder)?;
                    let from = From { file: files.len(), weights: &weights };
                    let names = ["linear"];
                    let slot =
                        read.parameters.linear(from, &names, dense.columns, dense.depth, dense.has_bias)?;
                    steps.push(Step::Dense(Affine::new(slot, &read.parameters.values), dense.activation));
                    files.push(dense.folder);
                }
            }
        }
        let tokens =
            Tokens::read(&modules.transformer.join("tokenizer.json"), &read.config, modules.lower_case)?;
        let window = tokens.limit();
        let limit = max_tokens.or(modules.limit.map(|limit| limit.min(window))).unwrap_or(window);
        read.finish(
            folder,
            body,
            Head::Vector { pooling, steps },
            (tokens, limit),
            (files, Kind::Vectors),
            texts,
        )
    }

    /// Reads an encoder that gives one logit or two for a pair of texts. What it has no head for begins with small
    /// numbers that depend on the seed.
    ///
    /// # Errors
    ///
    /// As [`CrossEncoder::open`](crate::CrossEncoder::open), but for the head.
    pub fn cross_encoder(
        folder: &Path,
        logits: usize,
        max_tokens: Option<usize>,
        seed: u64,
        texts: Box<dyn Texts + 't>,
    ) -> Result<Self, Error> {
        let modules = Modules::read(folder)?;
        let mut read = Read::new(&modules.transformer)?;
        let body = Body::read(&mut read.parameters, From { file: 0, weights: &read.weights }, &read.config)?;
        let hidden = body.hidden();
        let (dense_name, activation, classes_name) = head_names(read.config.family);
        let mut rng = Rng::seeded(seed);
        let whole = Weights::open(&modules.transformer)?.without_prefix();
        // Encoders published without a head often have the first part of one.
        let pooler = dense_name.strip_prefix(folder::prefix(read.config.family)).unwrap_or(dense_name);
        let known = [(&whole, dense_name), (&read.weights, pooler)];
        let dense = read.parameters.head_part(&known, dense_name, [hidden, hidden], &mut rng)?;
        let classes = [(&whole, classes_name)];
        let classes = read.parameters.head_part(&classes, classes_name, [logits, hidden], &mut rng)?;
        let values = &read.parameters.values;
        let steps = vec![
            Step::Dense(Affine::new(dense, values), activation),
            Step::Dense(Affine::new(classes, values), super::numbers::Activation::Identity),
        ];
        let tokens =
            Tokens::read(&modules.transformer.join("tokenizer.json"), &read.config, modules.lower_case)?;
        tokens.tokenise_pair(("a", "b"))?;
        let limit = max_tokens.unwrap_or(USUAL_LIMIT.min(tokens.limit()));
        let files = (vec![modules.transformer], Kind::Logits(logits));
        read.finish(folder, body, Head::Logits { steps }, (tokens, limit), files, texts)
    }

    /// The most tokens of a text, or of two.
    #[must_use]
    pub fn max_tokens(&self) -> usize {
        self.tokens.limit()
    }

    /// The tensors that are trained, and where each is among the parameters; those of modules after the encoder with
    /// the module's folder before the name.
    pub fn tensors(&self) -> impl Iterator<Item = (String, Range<usize>)> {
        self.parameters.tensors.iter().map(|tensor| {
            let folder =
                self.files.get(tensor.file).filter(|_| tensor.file > 0).and_then(|file| file.file_name());
            let folder = folder.map_or_else(String::new, |folder| format!("{}/", folder.to_string_lossy()));
            (format!("{folder}{}", tensor.name), tensor.range.clone())
        })
    }

    /// About how many bytes a training holds at most.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let (all, dense) = (self.parameters.values.len(), self.body.before_words());
        let hidden = self.config.hidden_size + self.config.intermediate_size;
        let kept = self.config.layers * 8 * hidden * self.tokens.limit().max(super::TOKENS_AT_ONCE);
        4 * (5 * all + 2 * dense + LANES * (dense + kept)) as u64
    }
}

impl std::fmt::Debug for Learner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learner").field("base", &self.base).field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// Learns with this many threads from now on. The result is the same with any number.
///
/// # Errors
///
/// A sentence, if threads were chosen before or cannot be started.
pub fn use_threads(threads: usize) -> Result<(), String> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().map_err(|error| error.to_string())
}

/// Consecutive inputs that go through the layers at once.
fn chunks(inputs: &[Input]) -> Vec<Range<usize>> {
    let order: Vec<usize> = (0..inputs.len()).collect();
    let batches = super::batches(&order, |input| inputs[input].0.ids.len());
    batches.into_iter().filter_map(|batch| Some(*batch.first()?..batch.last()? + 1)).collect()
}

fn tokens(inputs: &[Input]) -> Vec<TokenIds<'_>> {
    inputs.iter().map(|input| input.0.tokens()).collect()
}

impl Network for Learner<'_> {
    type Input = Input;

    fn parameters(&self) -> &[f32] {
        &self.parameters.values
    }

    fn decayed(&self) -> &[Range<usize>] {
        &self.parameters.decayed
    }

    fn width(&self) -> usize {
        self.head.width(self.body.hidden())
    }

    fn prepare(&mut self, parameters: &[f32]) {
        self.parameters.values.copy_from_slice(parameters);
        self.body.prepare(parameters);
        self.head.prepare(parameters);
    }

    fn read(&mut self, text: u32, other: Option<u32>, chance: u64) -> Result<Input, String> {
        let first = self.texts.text(text, chance)?;
        let tokens = match other {
            None => self.tokens.tokenise(&first),
            Some(other) => {
                let second = self.texts.text(other, chance)?;
                self.tokens.tokenise_pair((&first, &second))
            }
        };
        tokens.map(Input).map_err(|error| error.to_string())
    }

    fn outputs(&mut self, inputs: &[Input]) -> Result<Vec<f32>, String> {
        let Self { body, head, parameters, .. } = &*self;
        let hidden = body.hidden();
        let encode = |space: &mut Workspace, chunk: &Range<usize>| {
            let texts = tokens(&inputs[chunk.clone()]);
            let states = body.forward(&parameters.values, &texts, space, None);
            let (mut states, mut rows) = (&states[..], Vec::new());
            for text in &texts {
                let (these, rest) = states.split_at(text.ids.len() * hidden);
                states = rest;
                rows.extend(head.forward(these, hidden, &mut space.tools));
            }
            rows
        };
        let chunks = chunks(inputs);
        let rows: Vec<Vec<f32>> =
            chunks.par_iter().with_max_len(1).map_init(Workspace::default, encode).collect();
        let rows = rows.concat();
        if rows.iter().all(|number| number.is_finite()) {
            Ok(rows)
        } else {
            Err(format!("{}: the model gives no numbers for a text", self.base.display()))
        }
    }

    fn back(&mut self, inputs: &[Input], rows: &[f32], gradient: &mut [f32]) {
        let (width, hidden, dense) = (self.width(), self.body.hidden(), self.body.before_words());
        let mut lanes = std::mem::take(&mut self.lanes);
        let chunks = chunks(inputs);
        lanes.resize_with(LANES, Default::default);
        let Self { body, head, parameters, .. } = &*self;
        lanes.par_iter_mut().with_max_len(1).enumerate().for_each(|(lane, (space, sums))| {
            for chunk in chunks.iter().skip(lane).step_by(LANES) {
                sums.dense.resize(dense, 0.0);
                let texts = tokens(&inputs[chunk.clone()]);
                let mut tape = Tape::default();
                let states = body.forward(&parameters.values, &texts, space, Some(&mut tape));
                let mut slope = Vec::with_capacity(states.len());
                let (mut states, mut rows) = (&states[..], &rows[chunk.start * width..]);
                for text in &texts {
                    let (these, rest) = states.split_at(text.ids.len() * hidden);
                    states = rest;
                    let (row, rest) = rows.split_at(width);
                    rows = rest;
                    slope.extend(head.back(these, hidden, row, &mut space.tools, &mut sums.dense));
                }
                body.back(&texts, tape, slope, space, sums);
            }
        });
        let size = self.body.word_size();
        for (_, sums) in &mut lanes {
            gradient.iter_mut().zip(&sums.dense).for_each(|(sum, slope)| *sum += slope);
            for (word, row) in sums.words.drain() {
                let to = &mut gradient[dense + word as usize * size..][..size];
                to.iter_mut().zip(row).for_each(|(sum, slope)| *sum += slope);
            }
            sums.dense.fill(0.0);
        }
        self.lanes = lanes;
    }

    fn cost(&self, inputs: &[Input]) -> f64 {
        // Forward twice, and backward to the inputs and to the weights.
        inputs.iter().map(|input| 4.0 * self.body.cost(input.0.ids.len())).sum()
    }
}

/// A model that is being read.
struct Read {
    config: Config,
    weights: Weights,
    parameters: Parameters,
}

impl Read {
    fn new(folder: &Path) -> Result<Self, Error> {
        let config = Config::read(&folder.join("config.json"))?;
        Ok(Self { config, weights: Weights::open(folder)?, parameters: Parameters::default() })
    }

    fn finish<'t>(
        mut self,
        base: &Path,
        mut body: Body,
        head: Head,
        (tokens, limit): (Tokens, usize),
        (files, kind): (Vec<PathBuf>, Kind),
        texts: Box<dyn Texts + 't>,
    ) -> Result<Learner<'t>, Error> {
        tokens.check()?;
        let from = From { file: 0, weights: &self.weights };
        body.read_words(&mut self.parameters, from)?;
        Ok(Learner {
            base: base.to_owned(),
            config: self.config,
            tokens: tokens.with_limit(limit)?,
            texts,
            parameters: self.parameters,
            body,
            head,
            files,
            kind,
            lanes: Vec::new(),
        })
    }
}

impl Parameters {
    /// A part of a head: the first of `known` that the weights have, else small numbers at random.
    fn head_part(
        &mut self,
        known: &[(&Weights, &str)],
        name: &str,
        [columns, depth]: [usize; 2],
        rng: &mut Rng,
    ) -> Result<LinearSlot, Error> {
        let fits = |(weights, name): &&(&Weights, &str)| {
            weights.shape(&format!("{name}.weight")) == Some(&[columns, depth])
        };
        let first = self.values.len();
        let read = known.iter().find(fits);
        for (part, shape) in [("weight", vec![columns, depth]), ("bias", vec![columns])] {
            let (values, read) = match read {
                Some((weights, from)) => {
                    let from = format!("{from}.{part}");
                    (weights.tensor(&from, &shape)?, weights.whole_name(&from))
                }
                None if part == "bias" => (vec![0.0; columns], None),
                None => ((0..columns * depth).map(|_| normal(rng)).collect(), None),
            };
            self.add(Tensor { file: 0, read, name: format!("{name}.{part}"), shape, range: 0..0 }, &values);
        }
        let middle = first + columns * depth;
        Ok(LinearSlot { weights: first..middle, bias: middle..self.values.len(), columns, depth })
    }
}

/// A draw from a normal distribution (Box & Muller 1958).
fn normal(rng: &mut Rng) -> f32 {
    let (radius, angle) = (1.0 - rng.unit(), rng.unit());
    let radius = (-2.0 * libm::log(radius)).sqrt();
    (NEW_WEIGHTS * radius * libm::cos(std::f64::consts::TAU * angle)) as f32
}
