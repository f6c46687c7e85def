//! Epochs over sequences, on one thread or several.
//!
//! Sequences come in pieces. The learning rate and the draws of a piece depend on the seed, the epoch and the number
//! of the piece alone, so one thread learns the same from any point where it is resumed.

use super::chance::{Negatives, keep};
use super::checkpoint::{self, Cursor, fill};
use super::error::Error;
use super::learner::{Learner, Made, Network, Plan};
use super::numbers::blocks;
use super::options::{Options, Reference};
use super::rows::{Matrix, Plain, Rows, Shared};
use super::sequences::NumberedSequences;
use super::subwords::ngrams;
use foldhash::fast::FixedState;
use pulp::NullaryFnOnce;
use stats::rng::Rng;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The pieces between two looks at the clock, for each thread.
const ROUND: usize = 16;
/// How often what was learned is written down.
const BETWEEN: Duration = Duration::from_secs(300);

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// On.
    No,
    /// What was learned is written down, and the training ends.
    Yes,
}

/// Follows a training.
pub trait Watch {
    /// So many of the tokens of all epochs are learned; `loss` is the mean of a prediction since the last call.
    fn learned(&mut self, done: u64, total: u64, loss: f64) -> Stopped {
        let _ = (done, total, loss);
        Stopped::No
    }
}

/// Nobody watches.
impl Watch for () {}

/// What is learned beside tokens: the buckets of their sub-words, in the order of their numbers.
pub(super) struct Layout {
    pub(super) made: Made,
    pub(super) buckets: Vec<u32>,
}

impl Layout {
    pub(super) fn new(options: &Options, sequences: &NumberedSequences) -> Self {
        let reference = options.algorithm.reference();
        let tokens = sequences.vocabulary.len() as u32;
        let mut of_tokens: Vec<u32> = Vec::new();
        let mut ends = Vec::with_capacity(tokens as usize);
        for token in sequences.vocabulary.tokens() {
            if let Some(subwords) = &options.subwords {
                ngrams(token, subwords, |bucket| of_tokens.push(bucket));
            }
            ends.push(of_tokens.len());
        }
        let mut buckets = of_tokens.clone();
        buckets.sort_unstable();
        buckets.dedup();
        let rows: HashMap<u32, u32, FixedState> =
            buckets.iter().zip(0..).map(|(bucket, row)| (*bucket, tokens + row)).collect();
        let mut made = Made::default();
        let mut start = 0;
        for (token, end) in (0..).zip(ends) {
            let own: Vec<u32> = of_tokens[start..end].iter().map(|bucket| rows[bucket]).collect();
            made.push(token, &own, reference);
            start = end;
        }
        Self { made, buckets }
    }
}

/// What a row of the input begins with depends on what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Token(u32),
    Bucket(u32),
    Place(u32),
}

/// A generator for one purpose, told apart by a seed and three numbers.
fn generator(seed: u64, numbers: [u64; 3]) -> Rng {
    let mix =
        |seed: u64, number: &u64| Rng::seeded(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next_u64();
    Rng::seeded(numbers.iter().fold(seed, mix))
}

/// The numbers that a row begins with.
pub(super) fn first_row(options: &Options, start: Start) -> Vec<f32> {
    let (kind, number) = match start {
        Start::Token(number) => (1, number),
        Start::Bucket(number) => (2, number),
        Start::Place(number) => (3, number),
    };
    let mut rng = generator(options.seed, [kind, u64::from(number), 0]);
    let positional = match start {
        Start::Place(_) | Start::Token(_) => options.positional,
        Start::Bucket(_) => 0,
    };
    let mut row = Vec::with_capacity(options.dimensions);
    for _ in 0..positional {
        row.push(root_normal(&mut rng, options.dimensions) as f32);
    }
    if !matches!(start, Start::Place(_)) {
        let uniform = |_| ((2.0 * rng.unit() - 1.0) / options.dimensions as f64) as f32;
        row.extend((positional..options.dimensions).map(uniform));
    }
    row
}

/// A number whose product with another such number is normally distributed, as pine draws it.
fn root_normal(rng: &mut Rng, dimensions: usize) -> f64 {
    let sigma = (1.0 / (3.0_f64.sqrt() * dimensions as f64)).sqrt();
    // A variable of the gamma distribution with shape 1/2 and scale 1: half the square of a normal one.
    let mut gamma = || {
        let normal =
            (-2.0 * libm::log(1.0 - rng.unit())).sqrt() * libm::cos(std::f64::consts::TAU * rng.unit());
        normal * normal / 2.0
    };
    let mut exponent = libm::log(2.0) / 4.0 - gamma();
    for step in 1..=9 {
        let step = f64::from(step);
        exponent += libm::log(1.0 + 1.0 / step) / 4.0 - gamma() / (2.0 * step + 1.0);
    }
    let sign = if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
    sign * sigma.sqrt() * libm::exp(exponent)
}

/// A network before it has learned anything.
fn new_network<M: Matrix>(options: &Options, tokens: usize, buckets: &[u32]) -> Network<M> {
    let blocks = blocks(options.dimensions);
    let start = |row: usize| match row.checked_sub(tokens) {
        None => Start::Token(row as u32),
        Some(bucket) => Start::Bucket(buckets[bucket]),
    };
    let positions = if options.positional > 0 { 2 * options.window } else { 0 };
    let first = |start: Start| first_row(options, start).into_iter();
    Network {
        input: M::new(tokens + buckets.len(), blocks, |row, into| fill(into, first(start(row)))),
        output: M::new(tokens, blocks, |_, _| ()),
        positions: M::new(positions, blocks, |row, into| fill(into, first(Start::Place(row as u32)))),
    }
}

/// A training on disk.
pub(super) struct Training<'t> {
    pub(super) options: &'t Options,
    pub(super) sequences: &'t NumberedSequences,
    pub(super) layout: &'t Layout,
    pub(super) checkpoint: &'t Path,
}

impl Training<'_> {
    /// Learns what remains, and leaves a checkpoint of all of it.
    pub(super) fn run(&self, watch: &mut dyn Watch) -> Result<(), Error> {
        match self.threads() {
            1 => self.run_on::<Plain>(watch, &|network, epoch, pieces, plan| {
                let mut learner = Learner::new(plan);
                let Network { input, output, positions } = network;
                let mut view = Network { input, output, positions };
                for piece in pieces {
                    self.piece(&mut learner, epoch, piece, &mut view)?;
                }
                Ok(learner.loss)
            }),
            threads => self.run_on::<Shared>(watch, &|network, epoch, pieces, plan| {
                self.round(threads, network, epoch, pieces, plan)
            }),
        }
    }

    pub(super) fn threads(&self) -> usize {
        match self.options.threads {
            0 => thread::available_parallelism().map_or(1, Into::into),
            threads => threads,
        }
    }

    fn run_on<M: Matrix>(&self, watch: &mut dyn Watch, round: &RoundOf<'_, M>) -> Result<(), Error> {
        let Self { options, sequences, layout, checkpoint } = *self;
        let tokens = sequences.vocabulary.len();
        let positions = if options.positional > 0 { 2 * options.window } else { 0 };
        let rows = [tokens + layout.buckets.len(), tokens, positions];
        let (blocks, fingerprint) = (blocks(options.dimensions), sequences.fingerprint());
        let found = checkpoint::read::<M>(checkpoint, rows, blocks, fingerprint)?;
        let (mut network, mut cursor) =
            found.unwrap_or_else(|| (new_network(options, tokens, &layout.buckets), Cursor::default()));
        let plan = self.plan();
        let pieces = ROUND * self.threads();
        let all = sequences.known.saturating_mul(u64::from(options.epochs));
        let mut written = Instant::now();
        while cursor.epoch < options.epochs {
            let end = sequences.pieces().min(cursor.piece + pieces);
            let (loss, predictions) = round(&mut network, cursor.epoch, cursor.piece..end, &plan)?;
            cursor.piece = end;
            if end == sequences.pieces() {
                cursor = Cursor { epoch: cursor.epoch + 1, piece: 0 };
            }
            let done = sequences.known * u64::from(cursor.epoch) + sequences.before(cursor.piece);
            let stopped = watch.learned(done, all, loss / predictions.max(1) as f64);
            let is_over = cursor.epoch == options.epochs;
            if is_over || stopped == Stopped::Yes || written.elapsed() >= BETWEEN {
                checkpoint::write(checkpoint, &network, blocks, cursor, fingerprint)?;
                written = Instant::now();
            }
            if stopped == Stopped::Yes && !is_over {
                return Err(Error::Stopped);
            }
        }
        Ok(())
    }

    fn plan(&self) -> Plan {
        let Self { options, sequences, layout, .. } = *self;
        let reference = options.algorithm.reference();
        let total = match reference {
            Reference::Facebook => sequences.total,
            Reference::Gensim | Reference::Pine => sequences.known,
        };
        let counts = &sequences.vocabulary.counts;
        let kept = counts.iter().map(|count| keep(reference, *count, total, options.sample)).collect();
        Plan::new(options, layout.made.clone(), kept, Negatives::new(reference, counts))
    }

    /// Learns from pieces on several threads.
    fn round(
        &self,
        threads: usize,
        network: &mut Network<Shared>,
        epoch: u32,
        pieces: std::ops::Range<usize>,
        plan: &Plan,
    ) -> Result<(f64, u64), Error> {
        let next = AtomicUsize::new(pieces.start);
        let sum = Mutex::new((0.0, 0));
        let network = &*network;
        let work = || -> Result<(), Error> {
            let mut learner = Learner::new(plan);
            let mut view =
                Network { input: &network.input, output: &network.output, positions: &network.positions };
            loop {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= pieces.end {
                    break;
                }
                self.piece(&mut learner, epoch, piece, &mut view)?;
            }
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            *sum = (sum.0 + learner.loss.0, sum.1 + learner.loss.1);
            Ok(())
        };
        thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("learning does not panic"))
        })?;
        Ok(sum.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Learns from a piece.
    fn piece<R: Rows>(
        &self,
        learner: &mut Learner<'_>,
        epoch: u32,
        piece: usize,
        network: &mut Network<R>,
    ) -> Result<(), Error> {
        let (mut tokens, mut ends) = (Vec::new(), Vec::new());
        self.sequences.read(piece, &mut tokens, &mut ends)?;
        let before = self.sequences.known * u64::from(epoch) + self.sequences.before(piece);
        let all = self.sequences.known.saturating_mul(u64::from(self.options.epochs));
        let rng = &mut generator(self.options.seed, [4, u64::from(epoch), piece as u64]);
        let options = self.options;
        pulp::Arch::new().dispatch(Learn {
            learner,
            tokens: &tokens,
            ends: &ends,
            before,
            all,
            options,
            rng,
            network,
        });
        Ok(())
    }
}

/// What learns from a range of pieces of an epoch.
type RoundOf<'r, M> =
    dyn Fn(&mut Network<M>, u32, std::ops::Range<usize>, &Plan) -> Result<(f64, u64), Error> + 'r;

/// Learns from the sequences of a piece, compiled for the processor at hand.
struct Learn<'a, 'p, R> {
    learner: &'a mut Learner<'p>,
    tokens: &'a [u32],
    ends: &'a [usize],
    before: u64,
    all: u64,
    options: &'a Options,
    rng: &'a mut Rng,
    network: &'a mut Network<R>,
}

impl<R: Rows> NullaryFnOnce for Learn<'_, '_, R> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { learner, tokens, ends, before, all, options, rng, network } = self;
        let Options { rate, end_rate, .. } = *options;
        let mut start = 0;
        for &end in ends {
            let learned = match options.algorithm.reference() {
                // The rate falls with every sequence,
                Reference::Facebook => before + start as u64,
                // or with every job.
                Reference::Gensim | Reference::Pine => before,
            };
            let rate = rate - (rate - end_rate) * (learned as f64 / all.max(1) as f64);
            learner.sequence(&tokens[start..end], rate as f32, network, rng);
            start = end;
        }
    }
}
