//! `hypatia train vectors`: embeddings of tokens, from the formulas of a collection or from lines of tokens.

mod source;

use super::keep::KeepArgs;
use crate::model::{check_with_engine, note_new};
use crate::output::note;
use crate::progress::Progress;
use crate::{Exit, Run};
use ::train::vectors::{Algorithm, Objective, Options, Stopped, Subwords, Watch, Work};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use formula::features::TupleWords;
use shelf::{AddOptions, Store};
use source::Source;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

const LONG_ABOUT: &str = "\
Learns an embedding of each token from the tokens around it, and adds the model to the store, where `hypatia model \
list` shows it. `hypatia index I --encode NAME` then makes vectors of the formulas of an index.

The tokens are the symbol pairs of the formulas of a collection, as TangentCFT makes them: of the layout tree (slt), \
of the operator tree (opt), or of the types alone of either (slt-type, opt-type). Several kinds are trained one \
after the other, each as a model NAME-KIND. Every distinct formula is one sequence. With --from lines, each line of \
a text file is a sequence, and its tokens stand between blanks.

--algorithm names the program that is followed, with its defaults:
  fasttext             Facebook's fastText: skip-gram, sub-words, rate 0.05, sample 1e-4
  gensim-fasttext      gensim's FastText, which DPRL used for Tangent-CFT: rate 0.025, sample 1e-3
  word2vec             gensim's Word2Vec: CBOW, no sub-words
  positional-word2vec  pine: CBOW with constrained positional weighting, 300 dimensions, 60 of them positional

What was learned is written down every five minutes in a folder of the training, and the same command goes on from \
there after a kill. One thread, the default, gives the same bytes for the same data, options and seed on every machine. \
With more threads results differ a little from run to run, and on two cores they took longer than one. Memory holds the vectors and the distinct tokens, of which at most \
--most-distinct are counted at a time; sequences stay on disk.";

const EXAMPLES: &str = "\
Examples:
  hypatia train vectors math.coll --name cft --tokens slt,opt,slt-type,opt-type
  hypatia train vectors math.coll --name cft --tokens slt,opt,slt-type,opt-type \\
      --dimensions 300 --negatives 20 --epochs 30          as Tangent-CFT was trained
  hypatia train vectors math.coll --name cft-slt --tokens slt -j 1 --seed 7
  hypatia train vectors posts.txt --from lines --name words --algorithm word2vec

Then: hypatia index math.index --encode cft-slt,cft-opt,cft-slt-type,cft-opt-type --of formulas";

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum From {
    /// The distinct formulas of a collection
    Formulas,
    /// Lines of a text file
    Lines,
}

/// Learn embeddings of tokens
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct TrainVectors {
    /// A collection, or a text file with one sequence of tokens a line
    #[arg(value_name = "SOURCE")]
    source: PathBuf,

    /// What is read
    #[arg(long, value_name = "WHAT", default_value = "formulas")]
    from: From,

    /// Tokens of formulas, with commas between: slt, opt, slt-type, opt-type
    #[arg(long, value_name = "KINDS", value_delimiter = ',', default_value = "slt")]
    tokens: Vec<TupleWords>,

    /// The name of the model in the store; with several kinds of tokens, -KIND is appended
    #[arg(long, value_name = "NAME")]
    name: String,

    /// Write the sequences as lines of tokens, for other programs, and train nothing
    #[arg(long, value_name = "FILE")]
    write_sequences: Option<PathBuf>,

    #[command(flatten)]
    options: OptionArgs,

    /// Threads, 0 for all cores; with more than one, results differ from run to run
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    threads: usize,

    #[command(flatten)]
    keep: KeepArgs,
}

/// Options of the training; what is not given is as in the program that is followed.
#[derive(Debug, Args)]
struct OptionArgs {
    /// The program that is followed: fasttext, gensim-fasttext, word2vec, positional-word2vec
    #[arg(long, value_name = "NAME", default_value = "gensim-fasttext")]
    algorithm: Algorithm,

    /// What is predicted: skip-gram (the tokens around a token) or cbow (the token amid others)
    #[arg(long, value_name = "WHAT")]
    objective: Option<Objective>,

    /// Numbers of a vector
    #[arg(long, value_name = "N")]
    dimensions: Option<usize>,

    /// The most tokens on each side
    #[arg(long, value_name = "N")]
    window: Option<usize>,

    /// Passes over all sequences
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,

    /// Tokens drawn against each that is predicted
    #[arg(long, value_name = "N")]
    negatives: Option<usize>,

    /// The fewest occurrences of a token with a vector of its own
    #[arg(long, value_name = "N")]
    min_count: Option<u64>,

    /// The most tokens with a vector of their own
    #[arg(long, value_name = "N")]
    max_tokens: Option<usize>,

    /// The lengths of sub-words in characters, such as 3-6; 0 for none
    #[arg(long, value_name = "MIN-MAX")]
    ngrams: Option<String>,

    /// Buckets of sub-words
    #[arg(long, value_name = "N")]
    buckets: Option<u32>,

    /// The learning rate at the start
    #[arg(long, value_name = "X")]
    rate: Option<f64>,

    /// The threshold of sub-sampling frequent tokens; 0 for none
    #[arg(long, value_name = "X")]
    sample: Option<f64>,

    /// Dimensions that depend on the place in the window
    #[arg(long, value_name = "N")]
    positional: Option<usize>,

    /// The seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Distinct tokens that are counted at a time; beyond that, rare ones are forgotten
    #[arg(long, value_name = "N")]
    most_distinct: Option<usize>,
}

impl OptionArgs {
    fn options(&self, threads: usize) -> Result<Options> {
        let known = Options::of(self.algorithm);
        let buckets = self.buckets.or(known.subwords.map(|subwords| subwords.buckets)).unwrap_or(2_000_000);
        let subwords = match self.ngrams.as_deref() {
            None => known.subwords.map(|subwords| Subwords { buckets, ..subwords }),
            Some("0") => None,
            Some(given) => {
                let lengths = given.split_once('-').and_then(|(shortest, longest)| {
                    Some((shortest.trim().parse().ok()?, longest.trim().parse().ok()?))
                });
                let Some((shortest, longest)) = lengths else {
                    bail!("--ngrams {given}: give two lengths, such as 3-6, or 0 for no sub-words");
                };
                Some(Subwords { shortest, longest, buckets })
            }
        };
        ensure!(subwords.is_some() || self.buckets.is_none(), "--buckets has no effect without sub-words");
        let options = Options {
            objective: self.objective.unwrap_or(known.objective),
            dimensions: self.dimensions.unwrap_or(known.dimensions),
            window: self.window.unwrap_or(known.window),
            epochs: self.epochs.unwrap_or(known.epochs),
            negatives: self.negatives.unwrap_or(known.negatives),
            min_count: self.min_count.unwrap_or(known.min_count),
            max_tokens: self.max_tokens.or(known.max_tokens),
            subwords,
            rate: self.rate.unwrap_or(known.rate),
            sample: self.sample.unwrap_or(known.sample),
            positional: self.positional.unwrap_or(known.positional),
            seed: self.seed,
            threads,
            most_distinct: self.most_distinct.unwrap_or(known.most_distinct),
            ..known
        };
        match options.mistake() {
            Some(mistake) => bail!("{mistake}"),
            None => Ok(options),
        }
    }
}

impl Run for TrainVectors {
    fn run(self) -> Result<Exit> {
        let options = self.options.options(self.threads)?;
        let mut kinds = self.tokens.clone();
        kinds.sort_unstable();
        kinds.dedup();
        ensure!(self.from == From::Formulas || kinds == [TupleWords::Slt], "--tokens is for formulas");
        if let Some(path) = &self.write_sequences {
            ensure!(kinds.len() == 1, "--write-sequences writes one kind of tokens");
            return self.write(path, kinds[0]);
        }
        let names: Vec<String> = match kinds[..] {
            [_] => vec![self.name.clone()],
            _ => kinds.iter().map(|kind| format!("{}-{kind}", self.name)).collect(),
        };
        let store = self.keep.open(&names)?;
        for (kind, name) in kinds.into_iter().zip(&names) {
            self.train(&store, &self.source(kind)?, &options, name)?;
        }
        Ok(Exit::Yes)
    }
}

impl TrainVectors {
    fn source(&self, kind: TupleWords) -> Result<Source> {
        match self.from {
            From::Formulas => Source::formulas(&self.source, kind),
            From::Lines => Source::lines(&self.source),
        }
    }

    /// Writes the sequences as lines.
    fn write(&self, path: &Path, kind: TupleWords) -> Result<Exit> {
        let at = || path.display().to_string();
        let mut out = BufWriter::new(File::create(path).with_context(at)?);
        self.source(kind)?.write(&mut out)?;
        out.flush().with_context(at)?;
        Ok(Exit::Yes)
    }

    /// Trains one model.
    fn train(&self, store: &Store, source: &Source, options: &Options, name: &str) -> Result<()> {
        let folder = self.keep.folder(store, name);
        self.keep.restart(&folder)?;
        let mut work = match Work::open(&folder, options, source.name()) {
            Err(error @ ::train::vectors::Error::Other { .. }) => {
                bail!("{error}: --restart discards it");
            }
            opened => opened?,
        };
        match work.sequences()? {
            Some(sequences) => source.read(sequences)?,
            None => note(&format!("{name}: resuming the training in {}", folder.display())),
        }
        let [sequences, occurrences, distinct, tokens] = work.counts()?;
        note(&format!(
            "{name}: {sequences} sequences, {occurrences} tokens, {distinct} of them distinct, {tokens} with vectors"
        ));
        let mut watcher = Watcher::new(name);
        work.train(&mut watcher)?;
        drop(watcher);
        let mut sets = self.keep.trained_on.clone();
        if sets.is_empty() {
            sets.extend(source.site().map(str::to_owned));
        }
        let model = work.write_model(&sets)?;
        let add =
            AddOptions { name: Some(name.to_owned()), replace: self.keep.replace, ..AddOptions::default() };
        let added = store.add(&[model], &add, &mut check_with_engine, &mut ())?;
        work.remove()?;
        // The last training leaves no empty folder.
        let _ = folder.parent().map(std::fs::remove_dir);
        note_new(&added);
        Ok(())
    }
}

/// Shows how far a training is, and the loss of each tenth.
struct Watcher {
    name: String,
    progress: Option<Progress>,
    done: u64,
    tenths: u64,
    losses: (f64, u32),
}

impl Watcher {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), progress: None, done: 0, tenths: 0, losses: (0.0, 0) }
    }
}

impl Watch for Watcher {
    fn learned(&mut self, done: u64, total: u64, loss: f64) -> Stopped {
        let progress = self.progress.get_or_insert_with(|| Progress::items(total));
        progress.advance(done.saturating_sub(self.done));
        self.done = done;
        self.losses = (self.losses.0 + loss, self.losses.1 + 1);
        let tenths = done * 10 / total.max(1);
        if tenths > self.tenths {
            self.tenths = tenths;
            let loss = self.losses.0 / f64::from(self.losses.1);
            note(&format!("{}: {}0 % learned, loss {loss:.3}", self.name, tenths));
            self.losses = (0.0, 0);
        }
        Stopped::No
    }
}
