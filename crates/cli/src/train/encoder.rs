//! `hypatia train encoder`: an encoder fitted to pairs of texts, whole or by one matrix after it.

use super::fit::{Data, DataArgs, Fit, FitArgs, Plan, Reading};
use crate::output::note;
use crate::progress::Progress;
use crate::{Exit, Run};
use ::train::encoder::{
    Adapter, Candidates, Example, Held, Negatives, Objective, Pairs, Sampler, Thread, Threads,
};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use model::training::{Learner, write_adapter};
use model::{EncoderOptions, TextEncoder};
use serde_json::json;
use stats::rng::Rng;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::time::Instant;
use store::LinkKind;

const LONG_ABOUT: &str = "\
Fits a sentence encoder to a collection, so that questions get vectors near those of their answers, and adds the new \
model to the store, where `hypatia model list` shows it. `hypatia index I --encode NAME` then makes vectors with it.

Pairs are questions with their answers (the accepted one, else that with the most votes, else the first), questions \
with their duplicates or with linked questions, and topics with texts that were judged relevant. With --negatives tag \
each pair gets an answer of another question that shares a tag, with --negatives run a text of a run that was not \
judged relevant; it is never of the same thread. --loss says what is learned:
  ranking             which text of the batch belongs to the question, by cosine times 20 (MultipleNegativesRanking)
  in-batch            the same by dot product without a scale
  triplet             a margin of .5 between the text and the hard negative
  cosine              the votes of answers as cosines, as CompuBERT of 2020
  online-contrastive  hard pairs of the batch that belong together or do not

--adapter learns one matrix on the vectors as they are, which begins as the identity and is drawn back to it; that \
takes seconds after the texts were encoded once. Without it all weights are learned, on the CPU, without dropout: the \
command says what that takes before it begins, and --estimate stops there.

A checkpoint is written every five minutes, and the same command goes on from there after a kill. The same data, \
options and seed give the same bytes, with any number of threads. A tenth of the questions is held out; the training \
keeps the weights of the best mean reciprocal rank on them, and ends when that does not rise any more.";

const EXAMPLES: &str = "\
Examples:
  hypatia train encoder math.coll --base all-MiniLM-L6-v2 --name minilm-math --adapter
  hypatia train encoder math.coll --base all-MiniLM-L6-v2 --name minilm-tuned --negatives tag --estimate
  hypatia train encoder math.coll --base all-MiniLM-L6-v2 --name compubert --answers accepted --batch 64
  hypatia train encoder math.coll --base all-MiniLM-L6-v2 --name qq --pairs duplicates --loss online-contrastive --negatives tag

Then: hypatia index math.index --encode minilm-tuned";

/// How near a question is to a text that does not belong to it, at most.
const MARGIN: f64 = 0.5;
/// Texts that are encoded to estimate what all take.
const SAMPLE: usize = 32;
/// Texts that are encoded together for an adapter.
const AT_ONCE: usize = 256;

/// What belongs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum PairKind {
    /// A question and its answers
    Answers,
    /// Questions that ask the same
    Duplicates,
    /// Questions of which one mentions the other
    Links,
}

/// Which answers of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Answers {
    /// The best known
    Best,
    /// The one that was accepted; questions without one are left out
    Accepted,
    /// All
    All,
}

/// Where hard negatives come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NegativesFrom {
    /// There are none
    None,
    /// Answers of questions that share a tag
    Tag,
    /// The first texts of a run
    Run,
}

/// What is learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Loss {
    /// Which text belongs to a question, by cosine
    Ranking,
    /// The same by dot product
    InBatch,
    /// A margin before the hard negative
    Triplet,
    /// Votes as cosines
    Cosine,
    /// Hard pairs of the batch
    OnlineContrastive,
}

/// Fit a sentence encoder to a collection
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct TrainEncoder {
    #[command(flatten)]
    data: DataArgs,

    /// What belongs together, with commas between
    #[arg(long, value_name = "KINDS", value_delimiter = ',', default_value = "answers")]
    pairs: Vec<PairKind>,

    /// Which answers of a question
    #[arg(long, value_name = "WHICH", default_value = "best")]
    answers: Answers,

    /// Learn from judged topics alone
    #[arg(long, requires = "topics")]
    judged_only: bool,

    /// The most pairs, drawn with the seed
    #[arg(long, value_name = "N")]
    most: Option<usize>,

    /// Where hard negatives come from
    #[arg(long, value_name = "WHERE", default_value = "none")]
    negatives: NegativesFrom,

    /// The run that hard negatives come from; its topics are judged topics or ids of questions
    #[arg(long, value_name = "FILE", required_if_eq("negatives", "run"))]
    run: Option<PathBuf>,

    /// How many of the first texts of a topic of the run are taken
    #[arg(long, value_name = "N", default_value_t = 100)]
    depth: usize,

    /// Compare a question with its own hard negative alone, not with all texts of the batch
    #[arg(long)]
    own_negatives: bool,

    /// What is learned
    #[arg(long, value_name = "LOSS", default_value = "ranking")]
    loss: Loss,

    /// What cosines are multiplied by in the loss `ranking`
    #[arg(long, value_name = "X", default_value_t = 20.0)]
    scale: f64,

    /// Learn one matrix on the vectors as they are
    #[arg(long)]
    adapter: bool,

    /// How strongly an adapter is drawn back to the identity
    #[arg(long, value_name = "X", default_value_t = 0.01)]
    pull: f64,

    #[command(flatten)]
    fit: FitArgs,
}

impl TrainEncoder {
    fn objective(&self) -> Result<Objective> {
        let negatives = if self.own_negatives { Negatives::Own } else { Negatives::Shared };
        let objective = match self.loss {
            Loss::Ranking => Objective::Ranking { scale: self.scale, negatives },
            Loss::InBatch => Objective::InBatch { negatives },
            Loss::Triplet => Objective::Triplet { margin: MARGIN },
            Loss::Cosine => Objective::Cosine,
            Loss::OnlineContrastive => Objective::OnlineContrastive { margin: MARGIN },
        };
        ensure!(
            !objective.needs_negatives() || self.negatives != NegativesFrom::None,
            "this loss needs hard negatives: --negatives tag or --negatives run"
        );
        ensure!(self.scale.is_finite() && self.scale > 0.0, "--scale must be a number above 0");
        ensure!(self.pull.is_finite() && self.pull >= 0.0, "--pull must be a number of at least 0");
        Ok(objective)
    }

    /// The pairs of some threads.
    fn examples(&self, data: &Data, threads: &[Thread]) -> Result<Vec<Example>> {
        let mut examples = Vec::new();
        if self.pairs.contains(&PairKind::Answers) && !self.judged_only {
            for thread in threads {
                let example = |answer: u32| Example::new(thread.question, answer, thread.question);
                if self.loss == Loss::Cosine {
                    let targets = data.targets(thread).unwrap_or_default();
                    let pairs = thread.answers.iter().zip(targets);
                    examples.extend(pairs.map(|(answer, target)| Example { target, ..example(*answer) }));
                    continue;
                }
                match self.answers {
                    Answers::Best => examples.push(example(thread.answers[0])),
                    Answers::Accepted => examples.extend(data.accepted(thread).map(example)),
                    Answers::All => examples.extend(thread.answers.iter().copied().map(example)),
                }
            }
        }
        let kinds: Vec<LinkKind> =
            [(PairKind::Duplicates, LinkKind::Duplicate), (PairKind::Links, LinkKind::Related)]
                .into_iter()
                .filter(|(kind, _)| self.pairs.contains(kind))
                .map(|(_, kind)| kind)
                .collect();
        if !kinds.is_empty() && !self.judged_only {
            ensure!(self.loss != Loss::Cosine, "links have no votes: --loss cosine is for answers");
            let learned: BTreeSet<u32> = threads.iter().map(|thread| thread.question).collect();
            let held: BTreeSet<u32> = data.threads.iter().map(|thread| thread.question).collect();
            // Questions without answers are in no thread, and so never held out.
            let is_learned = |question: &u32| learned.contains(question) || !held.contains(question);
            let linked =
                data.linked(&kinds)?.into_iter().filter(|(from, to)| is_learned(from) && is_learned(to));
            examples.extend(linked.map(|(from, to)| Example::new(from, to, from)));
        }
        if let Some(judged) = &data.judged {
            let pairs =
                judged.topics.iter().flat_map(|topic| topic.relevant.iter().map(|text| (topic.query, *text)));
            examples.extend(pairs.map(|(query, text)| Example::new(query, text, query)));
        }
        if let Some(most) = self.most {
            Rng::seeded(self.fit.seed).shuffle(&mut examples);
            examples.truncate(most);
        }
        if examples.is_empty() && self.loss == Loss::Cosine {
            bail!("the collection has no votes to learn from");
        }
        if examples.is_empty() && self.answers == Answers::Accepted {
            bail!("the collection does not say which answers were accepted; use --answers best");
        }
        Ok(examples)
    }

    /// What epochs are drawn from.
    fn sampler(&self, data: &Data, threads: &[Thread]) -> Result<(Sampler, Vec<Example>)> {
        let examples = self.examples(data, threads)?;
        let candidates = match (self.negatives, &self.run) {
            (NegativesFrom::None, _) => Candidates::None,
            (NegativesFrom::Tag, _) => Candidates::Tags(Threads::new(threads.iter().cloned())),
            (NegativesFrom::Run, Some(run)) => Candidates::Given(data.candidates(run, self.depth)?),
            (NegativesFrom::Run, None) => bail!("--negatives run needs --run FILE"),
        };
        let tags: HashMap<u32, Vec<u32>> =
            data.threads.iter().map(|thread| (thread.question, thread.tags.clone())).collect();
        Ok((Sampler::Pairs(Pairs::new(examples.clone(), tags, candidates)), examples))
    }

    fn plan<'p>(&self, data: &'p Data, sampler: &'p Sampler, held: &'p [Held]) -> Result<Plan<'p>> {
        let (kind, usual) = if self.adapter { ("adapter", (10, 1e-3)) } else { ("encoder", (1, 2e-5)) };
        let (epochs, rate) = self.fit.epochs_and_rate(usual.0, usual.1);
        let names =
            |kinds: &[PairKind]| -> Vec<String> { kinds.iter().map(|kind| format!("{kind:?}")).collect() };
        let more = json!({
            "pairs": names(&self.pairs),
            "answers": format!("{:?}", self.answers),
            "negatives": format!("{:?}", self.negatives),
            "run": self.run.as_deref().map(|run| run.display().to_string()),
            "depth": self.depth,
            "most": self.most,
            "judged_only": self.judged_only,
            "pull": self.adapter.then_some(self.pull),
        });
        let objective = self.objective()?;
        Ok(Plan { kind, objective, epochs, rate, more, data, sampler, held, tokens: 0, memory: 0 })
    }

    /// Vectors of all texts that an adapter learns from, encoded once and kept beside the checkpoint.
    fn vectors(&self, fit: &Fit<'_>, data: &Data, encoder: &TextEncoder, texts: &[u32]) -> Result<Vec<f32>> {
        let folder = fit.beside(&format!("vectors-{}", encoder.fingerprint()))?;
        let mut reading = data.texts(Reading::Whole);
        let mut progress = Progress::items(texts.len() as u64);
        let mut vectors = Vec::with_capacity(texts.len() * encoder.dimensions());
        for (number, texts) in texts.chunks(AT_ONCE).enumerate() {
            let path = folder.join(format!("{number:08}"));
            let bytes = texts.len() * encoder.dimensions() * 4;
            match std::fs::read(&path).ok().filter(|known| known.len() == bytes) {
                Some(known) => {
                    vectors.extend(known.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)));
                }
                None => {
                    let read: Vec<String> = texts
                        .iter()
                        .map(|text| reading.text(*text, 0))
                        .collect::<Result<_, _>>()
                        .map_err(anyhow::Error::msg)?;
                    let new = encoder.encode(&read.iter().map(String::as_str).collect::<Vec<_>>())?;
                    let bytes: Vec<u8> = new.iter().flat_map(|number| number.to_le_bytes()).collect();
                    let hidden = path.with_extension("new");
                    std::fs::write(&hidden, bytes).with_context(|| hidden.display().to_string())?;
                    std::fs::rename(&hidden, &path).with_context(|| path.display().to_string())?;
                    vectors.extend(new);
                }
            }
            progress.advance(texts.len() as u64);
        }
        Ok(vectors)
    }

    /// About how many seconds it takes to encode all texts, from some of them.
    fn sample_time(&self, data: &Data, encoder: &TextEncoder, texts: &[u32]) -> Result<f64> {
        let mut reading = data.texts(Reading::Whole);
        let some = texts.iter().step_by(texts.len().div_ceil(SAMPLE).max(1));
        let read: Vec<String> =
            some.map(|text| reading.text(*text, 0)).collect::<Result<_, _>>().map_err(anyhow::Error::msg)?;
        let begun = Instant::now();
        encoder.encode(&read.iter().map(String::as_str).collect::<Vec<_>>())?;
        Ok(begun.elapsed().as_secs_f64() * texts.len() as f64 / read.len().max(1) as f64)
    }

    /// All texts that a training of an adapter may need.
    fn needed(examples: &[Example], sampler: &Sampler, plan: &Plan<'_>, seed: u64) -> Vec<u32> {
        let mut texts: BTreeSet<u32> =
            examples.iter().flat_map(|example| [example.query, example.document]).collect();
        texts.extend(plan.held.iter().flat_map(|held| held.documents.iter().copied().chain([held.query])));
        for epoch in 0..plan.epochs {
            texts.extend(sampler.epoch(seed, epoch).iter().filter_map(|example| example.negative));
        }
        texts.into_iter().collect()
    }
}

impl Run for TrainEncoder {
    fn run(self) -> Result<Exit> {
        self.objective()?;
        let fit = self.fit.begin()?;
        fit.restart()?;
        let data = self.data.read()?;
        let (learned, held) = data.split(self.fit.held_out(data.threads.len()), self.fit.seed);
        let held = Data::held(&held, 0, self.fit.seed);
        let (sampler, examples) = self.sampler(&data, &learned)?;
        let mut plan = self.plan(&data, &sampler, &held)?;
        if self.adapter {
            let options =
                self.fit.max_tokens.map_or_else(EncoderOptions::default, EncoderOptions::with_max_tokens);
            let encoder = TextEncoder::open(&fit.base.folder, &options)?;
            let texts = Self::needed(&examples, &sampler, &plan, self.fit.seed);
            let width = encoder.dimensions();
            note(&format!("{}: encoding {} texts once", self.fit.name, texts.len()));
            if self.fit.estimate {
                let taken = self.sample_time(&data, &encoder, &texts)?;
                note(&format!(
                    "{}: that takes about {taken:.0} s; the training then takes seconds",
                    self.fit.name
                ));
                return Ok(Exit::Yes);
            }
            let vectors = self.vectors(&fit, &data, &encoder, &texts)?;
            plan.tokens = encoder.max_tokens();
            plan.memory = 4 * (vectors.len() + 8 * width * width) as u64;
            drop(encoder);
            let mut adapter = Adapter::new(texts, vectors, width, self.pull);
            let base = &fit.base.folder;
            fit.run(&mut adapter, &plan, |_, target, matrix, record| {
                write_adapter(base, target, matrix, record)
            })?;
        } else {
            let texts = data.texts(Reading::Whole);
            let mut learner = Learner::encoder(&fit.base.folder, self.fit.max_tokens, texts)?;
            (plan.tokens, plan.memory) = (learner.max_tokens(), learner.memory());
            fit.run(&mut learner, &plan, |learner, target, parameters, record| {
                learner.write(target, parameters, record)
            })?;
        }
        Ok(Exit::Yes)
    }
}
