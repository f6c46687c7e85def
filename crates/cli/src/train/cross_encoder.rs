//! `hypatia train cross-encoder`: an encoder that reads two texts together and says whether they belong together.

use super::fit::{Data, DataArgs, FitArgs, Judged, Plan, Reading};
use crate::{Exit, Run};
use ::train::encoder::{Held, JudgedTopic, Mirmu, Objective, Sampler, Threads, TuDbs};
use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use model::training::Learner;
use serde_json::json;

const LONG_ABOUT: &str = "\
Fits an encoder that reads a question and a text together and scores how well the text answers the question, and adds \
the new model to the store, where `hypatia model list` shows it. Systems rerank with it by name.

--sampler says which pairs an epoch has:
  tu-dbs  for each question its own answers, at most --per-question of them, and as many answers of questions that \
share a tag; titles and bodies
  mirmu   --draws draws for each topic: a topic, then a relevant text or, as likely, any other; bodies alone, of long \
ones 512 words from a place drawn at random. Topics are those of --topics and --qrels, else the questions of the \
collection with their answers

--logits 1 learns one logit by binary cross-entropy, as MIRMU did, --logits 2 two by cross-entropy, as TU_DBS did. The \
base may be an encoder without a head: then a new one begins with small numbers. All weights are learned, on the CPU, \
without dropout: the command says what that takes before it begins, and --estimate stops there.

A checkpoint is written every five minutes, and the same command goes on from there after a kill. The same data, \
options and seed give the same bytes, with any number of threads. A tenth of the questions is held out; the training \
keeps the weights of the best mean reciprocal rank among a text that belongs to each and nine that do not.";

const EXAMPLES: &str = "\
Examples:
  hypatia train cross-encoder math.coll --base all-MiniLM-L6-v2 --name tudbs --logits 2 --epochs 3 --warmup 200
  hypatia train cross-encoder math.coll --base all-MiniLM-L6-v2 --name mirmu --sampler mirmu \\
      --topics topics2020.xml --qrels qrels2020.txt --epochs 10 --warmup 10000 --restart-schedule
  hypatia train cross-encoder math.coll --base all-MiniLM-L6-v2 --name cross --max-tokens 256 --estimate

Then: hypatia run --system FILE.toml, where a stage of the system reranks with this model";

/// Words of a body that MIRMU reads.
const WORDS: usize = 512;
/// Texts that a text is ranked among when it is measured.
const OTHERS: usize = 9;

/// Which pairs an epoch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SamplerKind {
    /// Own answers, and answers of questions that share a tag
    TuDbs,
    /// Relevant texts and any others, drawn for each topic
    Mirmu,
}

/// Fit an encoder of pairs of texts to a collection
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct TrainCrossEncoder {
    #[command(flatten)]
    data: DataArgs,

    /// Which pairs an epoch has
    #[arg(long, value_name = "SAMPLER", default_value = "tu-dbs")]
    sampler: SamplerKind,

    /// Own answers of a question, and others, at most; of tu-dbs
    #[arg(long, value_name = "N", default_value_t = 10)]
    per_question: usize,

    /// Draws for each topic and epoch; of mirmu
    #[arg(long, value_name = "N", default_value_t = 50)]
    draws: usize,

    /// Logits of the model: 1 or 2
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    logits: u8,

    #[command(flatten)]
    fit: FitArgs,
}

impl TrainCrossEncoder {
    /// What epochs are drawn from, and what is measured on.
    fn sampler(&self, data: &Data) -> Result<(Sampler, Vec<Held>)> {
        let seed = self.fit.seed;
        if let (SamplerKind::Mirmu, Some(judged)) = (self.sampler, &data.judged) {
            let (learned, held) = judged.split(self.fit.held_out(judged.topics.len()), seed);
            let texts = data.answers();
            ensure!(!texts.is_empty(), "the collection has no answers");
            let held = Judged::held(&held, &texts, OTHERS, seed);
            return Ok((Sampler::Mirmu(Mirmu { topics: learned, texts, draws: self.draws }), held));
        }
        ensure!(data.judged.is_none(), "--topics and --qrels are for --sampler mirmu");
        let (learned, held) = data.split(self.fit.held_out(data.threads.len()), seed);
        let held = Data::held(&held, OTHERS, seed);
        let sampler = match self.sampler {
            SamplerKind::TuDbs => {
                Sampler::TuDbs(TuDbs { threads: Threads::new(learned), most: self.per_question })
            }
            SamplerKind::Mirmu => {
                let texts = learned.iter().flat_map(|thread| thread.answers.iter().copied()).collect();
                let topic = |thread: &::train::encoder::Thread| {
                    let mut relevant = thread.answers.clone();
                    relevant.sort_unstable();
                    JudgedTopic { query: thread.question, relevant }
                };
                let topics = learned.iter().map(topic).collect();
                Sampler::Mirmu(Mirmu { topics, texts, draws: self.draws })
            }
        };
        Ok((sampler, held))
    }
}

impl Run for TrainCrossEncoder {
    fn run(self) -> Result<Exit> {
        ensure!(self.per_question > 0 && self.draws > 0, "--per-question and --draws must be at least 1");
        let fit = self.fit.begin()?;
        fit.restart()?;
        let data = self.data.read()?;
        let (sampler, held) = self.sampler(&data)?;
        let reading = match self.sampler {
            SamplerKind::TuDbs => Reading::Whole,
            SamplerKind::Mirmu => Reading::Bodies(WORDS),
        };
        let logits = usize::from(self.logits);
        let texts = data.texts(reading);
        let folder = &fit.base.folder;
        let mut learner = Learner::cross_encoder(folder, logits, self.fit.max_tokens, self.fit.seed, texts)?;
        let (epochs, rate) = self.fit.epochs_and_rate(1, 2e-5);
        let objective = if logits == 1 { Objective::OneLogit } else { Objective::TwoLogits };
        let more = json!({
            "sampler": format!("{:?}", self.sampler),
            "per_question": self.per_question,
            "draws": self.draws,
            "logits": logits,
        });
        let (tokens, memory) = (learner.max_tokens(), learner.memory());
        let plan = Plan {
            kind: "cross-encoder",
            objective,
            epochs,
            rate,
            more,
            data: &data,
            sampler: &sampler,
            held: &held,
            tokens,
            memory,
        };
        fit.run(&mut learner, &plan, |learner, target, parameters, record| {
            learner.write(target, parameters, record)
        })?;
        Ok(Exit::Yes)
    }
}
