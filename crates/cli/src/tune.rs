//! `hypatia tune`: the numbers of a system, chosen on some topics and measured on others.

mod answers;
mod bench;
mod learned;
mod ledger;
mod protocol;
mod report;

use crate::place::find_index;
use crate::run::given::GivenArgs;
use crate::run::topics;
use crate::{Exit, Run, systems};
use ::formats::{Source, Topic, read_topics};
use ::fuse::tune::{Axis, Choice, Effort, Space, Tuner};
use anyhow::{Context, Result, bail, ensure};
use bench::Bench;
use clap::Args;
use eval::{Aggregate, Codes, JudgedTopic, Judgments, Measure};
use learned::{Grid, TreePairs};
use protocol::{Chosen, HeldOut};
use retrieve::{Engine, System};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

const LONG_ABOUT: &str = "\
Chooses numbers of a system's file and measures them on topics for which they were not chosen.

--vary names numbers and the values to try, the simplest first; the search changes one number after the \
other, and of settings that the topics cannot tell apart it takes the simplest. --learn names weights, such as \
posts.dense.own, and learns them all at once: a logistic regression over pairs of judged posts. --select \
learns as few of them as the training topics call for. --trees also learns gradient-boosted trees from the \
same features and compares both with each other and with all weights at 1; trees are only measured, not written.

Topics are cut into folds; numbers are chosen on all folds but one and measured on that one. With \
several files of topics, such as two years, numbers are also chosen on all files but one and measured \
on that one. The report has the held-out means with 95 % intervals, the gap to the mean on the topics \
that numbers were chosen on, how many settings were tried, and the difference to the file as it stands. \
It is called a gain only if its interval lies above zero.

Every run is written to a ledger beside the system's file, and what earlier runs tried on the same \
topics is counted.

Of a system that gives one answer (Task 3), the weights by which it ranks candidates can be varied, \
rank.NAME; the measure is AR, the mean grade of the chosen answer, 0 if it was not judged.";

/// The measure by default.
const MEASURE: &str = "nDCG'";

const EXAMPLES: &str = "\
Examples:
  hypatia tune --system hypatia-classic-1 --index math.index \\
      --topics 2020.xml --qrels 2020.qrels --topics 2021.xml --qrels 2021.qrels \\
      --vary posts.group.words.weight=0.5,0.7,0.9,1.1 --vary posts.query.title=1,2,3
  hypatia tune --system mine.toml --index math.index \\
      --topics 2020.xml --qrels 2020.qrels --topics 2021.xml --qrels 2021.qrels \\
      --learn posts.group.words.weight,posts.dense.own,posts.dense.question -o weights.toml
  hypatia tune --system mine.toml --index math.index --topics t.xml --qrels q.txt \\
      --learn posts.group.words.weight,posts.dense.own --select --penalty 0.01,0.1,1 --trees
  hypatia tune --system mine.toml --index math.index --topics t.xml --qrels q.txt \\
      --learn posts.group.words.weight,posts.dense.own --trees=50x4x0.1,100x4x0.1 --tree-pairs grades
  hypatia tune --system hypatia-classic-2 --index math.index --topics t.xml --qrels q.txt \\
      --vary formulas.rerank.depth=10,30,100 -o best.toml
  hypatia tune --system mine.toml --index links.index --topics v/links/Topics_Task1.xml \\
      --qrels v/links/task1.qrels --measure nDCG@1000 --learn posts.group.words.weight,posts.dense.own --unjudged 200
  hypatia tune --system hypatia-extract --index math.index --topics t.xml --qrels q.txt \\
      --vary rank.answer_formulas=0.3,1,3 --vary rank.question=0,0.3,1

Groups, parts and members of a file are called by their name, or by their place from 0 on:
posts.group.words.part.0.model.k1, fusion.member.bm25.weight";

/// Choose the numbers of a system, and measure them on other topics
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Tune {
    /// The name of a system, or a file
    #[arg(long, value_name = "NAME")]
    system: String,

    /// The index [default: that of the settings, see hypatia config]
    #[arg(long, value_name = "INDEX")]
    index: Option<PathBuf>,

    /// A file of topics; may be given several times
    #[arg(long, value_name = "FILE", required = true)]
    topics: Vec<PathBuf>,

    /// The judgments of these topics, one file for each file of topics; for formulas, of visual ids
    #[arg(long, value_name = "FILE", required = true)]
    qrels: Vec<PathBuf>,

    /// A number of the file and the values to try; may be given several times
    #[arg(long, value_name = "PLACE=V,V,…", required_unless_present = "learn", value_parser = varied)]
    vary: Vec<(String, Vec<f64>)>,

    /// Weights of the file to learn, separated by commas
    #[arg(long, value_name = "PLACES", value_delimiter = ',', conflicts_with = "vary")]
    learn: Vec<String>,

    /// How much --learn keeps weights near 0; of several, the best inside the training topics
    #[arg(long, value_name = "P,P,…", value_delimiter = ',', default_value = "0.1", value_parser = penalty, conflicts_with = "vary")]
    penalty: Vec<f64>,

    /// Learn as few of the places of --learn as the training topics call for, chosen by cross-validation inside them
    #[arg(long, requires = "learn", conflicts_with = "vary")]
    select: bool,

    /// The first N posts without a judgment, all weights at 1, count as judged 0 when learning: for topics of which only
    /// relevant posts are known, such as those of `collection validation`
    #[arg(long, value_name = "N", default_value_t = 0, requires = "learn")]
    unjudged: usize,

    /// Also learn gradient-boosted trees from the features of --learn, and compare; of up to 12 settings, each
    /// TREESxLEAVESxRATE, the best inside the training topics [without settings: 50 or 150 trees of 2, 4 or 8 leaves at
    /// a learning rate of 0.03 or 0.1]
    #[arg(long, value_name = "NxNxR,…", num_args = 0..=1, require_equals = true, default_missing_value = Grid::DEFAULT, requires = "learn", conflicts_with = "vary")]
    trees: Option<Grid>,

    /// How --trees weighs pairs of judged posts
    #[arg(long, value_name = "KIND", value_enum, default_value = "ndcg", requires = "trees")]
    tree_pairs: TreePairs,

    #[command(flatten)]
    given: GivenArgs,

    /// What is made as high as possible [default: nDCG'; for answers always the mean grade of the first, AR]
    #[arg(long, value_name = "M")]
    measure: Option<String>,

    /// How many folds topics are cut into
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: usize,

    /// What folds and starts are drawn from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// From how many drawn places the search starts again
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "learn")]
    restarts: usize,

    /// How many results a topic has at most [default: 1000]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// Where this run is recorded [default: the system's file with .tuning.jsonl, in the current folder for systems
    /// that come with the program]
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,

    /// A folder for files of the system with the numbers that were chosen without each file of topics, to be run on it
    #[arg(long, value_name = "DIR")]
    held_out: Option<PathBuf>,

    /// Where the numbers that were chosen on all topics go, as lines to be put into the file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn varied(text: &str) -> Result<(String, Vec<f64>), String> {
    let (place, values) = text.split_once('=').ok_or("expected PLACE=VALUE,VALUE,…")?;
    let values = values
        .split(',')
        .map(|value| value.trim().parse::<f64>().map_err(|_| format!("`{value}` is not a number")));
    let values: Vec<f64> = values.collect::<Result<_, _>>()?;
    if values.iter().all(|value| value.is_finite()) {
        Ok((place.trim().to_owned(), values))
    } else {
        Err("numbers must be finite".to_owned())
    }
}

fn penalty(text: &str) -> Result<f64, String> {
    let penalty: f64 = text.trim().parse().map_err(|_| format!("`{text}` is not a number"))?;
    if (1e-6..=1e6).contains(&penalty) {
        Ok(penalty)
    } else {
        Err("a penalty is from 1e-6 to 1e6".to_owned())
    }
}

impl Run for Tune {
    fn run(self) -> Result<Exit> {
        topics::ensure_each_is_judged(&self.topics, &self.qrels)?;
        self.ensure_held_out()?;
        let mut qrels = Vec::new();
        for path in &self.qrels {
            qrels.push(crate::judged::read(path)?);
        }
        let judgments: Vec<Judgments<'_>> =
            qrels.iter().map(|qrels| Judgments::new(qrels, Codes::Unjudged)).collect();
        let judged = self.judged(&judgments)?;
        if answers::is_for_answers(&self.system) {
            self.tune_answers(&judged)
        } else {
            self.tune_ranking(&judged)
        }
    }
}

/// A topic with its judgments, and the number of its file.
struct Judged<'j> {
    topic: Topic,
    judgments: &'j JudgedTopic<'j>,
    file: usize,
}

impl Tune {
    /// The topics that have anything relevant.
    fn judged<'j>(&self, judgments: &'j [Judgments<'j>]) -> Result<Vec<Judged<'j>>> {
        let mut judged = Vec::new();
        for (file, (path, judgments)) in self.topics.iter().zip(judgments).enumerate() {
            let topics = read_topics(Source::path(path))?.topics;
            let before = judged.len();
            for judgments in judgments.topics() {
                let relevant = judgments.pool().num_relevant(1) > 0;
                if let Some(topic) = topics.get(judgments.id().as_str()).filter(|_| relevant) {
                    let known = judged.iter().find(|known: &&Judged<'_>| known.topic.id == topic.id);
                    if let Some(known) = known {
                        // It would be chosen on and held out at once.
                        let first = self.topics[known.file].display();
                        bail!("{}: the topic {} is in {first} as well", path.display(), topic.id);
                    }
                    judged.push(Judged { topic: topic.clone(), judgments, file });
                }
            }
            ensure!(
                judged.len() > before,
                "{}: no topic has anything that is judged relevant",
                path.display()
            );
        }
        Ok(judged)
    }

    fn tune_ranking(&self, judged: &[Judged<'_>]) -> Result<Exit> {
        let measure: Measure = self.measure.as_deref().unwrap_or(MEASURE).parse().context("--measure")?;
        if measure.aggregate() != Aggregate::Mean {
            bail!("--measure: {measure} has no mean over topics; take one such as nDCG', AP or P@10");
        }
        for (file, qrels) in self.qrels.iter().enumerate() {
            let topics = judged.iter().filter(|judged| judged.file == file).map(|judged| judged.judgments);
            let primes = Some(measure.to_string()).filter(|_| measure.is_judged_only());
            topics::warn_of_primes(qrels, topics, primes, "--measure nDCG@1000, AP or RR");
        }
        let text = systems::text(&self.system)?;
        let engine = Engine::open_whole(&find_index(self.index.as_deref())?, crate::models::resources()?)?;
        let system = System::read(&text, &self.system)?;
        let inputs = self.given.read(system.task, engine.index())?;
        let as_it_stands = inputs.pipeline(system)?;
        inputs.ensure_used(&[&as_it_stands])?;
        let bench = Bench { tune: self, text, engine, inputs, measure, judged };
        // One topic and one value of each place show most mistakes before the long work.
        bench.score(&as_it_stands, 0)?;
        for (place, values) in &self.vary {
            bench.with(&[(place, values[0])])?;
        }
        for place in &self.learn {
            bench.with(&[(place, 1.0)])?;
        }
        let stands = bench.scores(&as_it_stands)?;
        if self.learn.is_empty() { bench.search(stands) } else { bench.learn(stands) }
    }

    /// The numbers that are chosen, by their places in the file.
    fn places(&self) -> impl Iterator<Item = &str> {
        self.vary.iter().map(|(place, _)| place).chain(&self.learn).map(String::as_str)
    }

    /// How many subsets of places --select tries for a set of training topics.
    fn num_subsets(&self) -> usize {
        ::fuse::learn::num_subsets(self.learn.len())
    }

    /// How many settings --learn tries for a set of training topics.
    fn num_learned(&self) -> usize {
        let penalties = self.penalty.len();
        // Several penalties are compared again on the places that are kept.
        let again = if penalties > 1 { penalties } else { 0 };
        let selected = if self.select { self.num_subsets() + again } else { 0 };
        penalties + selected + self.trees.as_ref().map_or(0, Grid::num_settings)
    }

    /// Searches for the values with the highest mean, and says what was found. `stands` are the values of topics with
    /// the file as it stands.
    fn search(
        &self,
        judged: &[Judged<'_>],
        measure: &str,
        (stands, fingerprint): (Vec<f64>, u64),
        score: impl Fn(&[f64], usize) -> Result<f64> + Sync,
    ) -> Result<Exit> {
        let failed: Mutex<Option<anyhow::Error>> = Mutex::default();
        let score = |parameters: &[f64], topic: usize| {
            score(parameters, topic).unwrap_or_else(|error| {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                f64::NAN
            })
        };
        // What the file has is not preferred: it may have been chosen on the topics that are held out here.
        let axis =
            |(name, values): &(String, Vec<f64>)| Axis::Values { name: name.clone(), values: values.clone() };
        let space = Space::new(self.vary.iter().map(axis).collect())?;
        let effort = Effort { restarts: self.restarts, seed: self.seed, choice: Choice::Simplest };
        let mut tuner = Tuner::new(&space, judged.len(), effort, score)?;
        let held_out = HeldOut::by(self, judged, |training| Ok(tuner.choose(training)))?;
        let tried = tuner.num_tried();
        drop(tuner);
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let measure = measure.to_owned();
        self.conclude(&Chosen { measure, held_out, tried, stands, learned: None }, fingerprint)
    }
}
