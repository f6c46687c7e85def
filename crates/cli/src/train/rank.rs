//! `hypatia train rank`: weights of features, from judgments.

mod data;
mod folds;

use crate::model::StoreArgs;
use crate::output::{WholeFile, note};
use crate::run::given::GivenArgs;
use crate::{Exit, Run, warn};
use ::formats::FeatureTable;
use ::train::rank::{Fitted, Judged, LARGEST_RANKER, Pass, RankSvm, Ranker, Training};
use anyhow::{Context, Result, ensure};
use clap::Args;
use data::Data;
use shelf::{Found, Kind, Made};
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

const LONG_ABOUT: &str = "\
Learns weights of features by which judged items are ranked: a linear ranking support-vector machine, as \
svm_rank_learn trains it with its default loss. The optimum is exact: the objective is printed with the duality gap, \
which bounds how much lower any other weights could get, and is at most --tolerance of it. The same data and seed give \
the same weights on every machine.

Features come from files in the form of SVM-rank and LETOR (`2 qid:B.1 1:0.5 3:0.25 # 1234`), or from a system whose \
scorer is `learned`: the features of what it finds for the topics, with their judgments.

The result is a model of the store, which systems use by its name; `hypatia model info` shows it. It remembers the \
topics, and runs over any of them are marked as train-on-test (\u{2021}) wherever they are scored. With --folds, the \
topics of each fold are scored by weights learned on the others, and the scores are written as a run.";

const EXAMPLES: &str = "\
Examples:
  hypatia train rank features.txt --name mine
  hypatia train rank --system dprl-ltr --index math.index --topics t2020.xml --qrels q2020.txt --name dprl-ltr
  hypatia train rank --system dprl-ltr --index math.index --topics t.xml --qrels q.txt --features features.txt
  hypatia train rank features.txt --folds 5 -o run.tsv
  hypatia run --task 2 --system dprl-ltr --topics t2021.xml --index math.index -o run.tsv";

/// Learn weights of features from judgments
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct TrainRank {
    /// Files of features with grades; topics of several files are one set
    #[arg(value_name = "FEATURES", required_unless_present = "system", conflicts_with = "system")]
    files: Vec<PathBuf>,

    /// The system whose scorer is to learn, or its file
    #[arg(long, value_name = "NAME", requires_all = ["topics", "qrels"])]
    system: Option<String>,

    /// The index [default: that of the settings, see hypatia config]
    #[arg(long, value_name = "INDEX", requires = "system")]
    index: Option<PathBuf>,

    /// A file of topics; may be given several times
    #[arg(long, value_name = "FILE", requires = "system")]
    topics: Vec<PathBuf>,

    /// The judgments of these topics, of visual ids, one file for each file of topics
    #[arg(long, value_name = "FILE", requires = "system")]
    qrels: Vec<PathBuf>,

    #[command(flatten)]
    given: GivenArgs,

    /// How much pairs in the wrong order count against large weights, as in svm_rank_learn -c
    #[arg(long, value_name = "C", default_value_t = 0.2, value_parser = positive)]
    c: f64,

    /// The share of the objective that the duality gap may have at the end
    #[arg(long, value_name = "SHARE", default_value_t = 1e-6, value_parser = positive)]
    tolerance: f64,

    /// What the order of the search, and folds, are drawn from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// The name of the ranker in the store
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// A set that the data come from, beside the files; can be repeated
    #[arg(long, value_name = "SET", num_args = 1)]
    trained_on: Vec<String>,

    /// Replace a model of the same name
    #[arg(long, requires = "name")]
    replace: bool,

    /// Also write the features with their grades to a file, which this command can read
    #[arg(long, value_name = "FILE", requires = "system")]
    features: Option<PathBuf>,

    /// Score each of N folds of the topics by weights learned on the others
    #[arg(long, value_name = "N", requires = "output", conflicts_with = "name")]
    folds: Option<usize>,

    /// The run with the scores of --folds, in TREC's form
    #[arg(short, long, value_name = "RUN", requires = "folds")]
    output: Option<PathBuf>,

    #[command(flatten)]
    store: StoreArgs,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "a number above 0 is needed".to_owned())
}

impl Run for TrainRank {
    fn run(self) -> Result<Exit> {
        let data = if let Some(system) = &self.system { self.of_system(system)? } else { self.of_files()? };
        if let Some(path) = &self.features {
            WholeFile::create(path)?.write(data.table.to_text().as_bytes())?;
        }
        let ranges = data.topics();
        note(&format!(
            "{} judged items of {} topics, {} features",
            data.table.rows.len(),
            ranges.len(),
            data.table.names.len()
        ));
        if let (Some(folds), Some(output)) = (self.folds, &self.output) {
            folds::run(&self, &data, folds, output)?;
            return Ok(Exit::Yes);
        }
        let fitted = self.fit(&data, &(0..ranges.len()).collect::<Vec<_>>())?;
        report(&fitted);
        let ranker = self.ranker(&data, fitted);
        for (name, weight) in ranker.features.iter().zip(&ranker.weights) {
            note(&format!("{weight:>12.6}  {name}"));
        }
        match self.name.clone() {
            Some(name) => self.keep(name, ranker, &data)?,
            None if self.features.is_none() => {
                crate::output::print(ranker.to_json().as_bytes())?;
            }
            None => {}
        }
        Ok(Exit::Yes)
    }
}

impl TrainRank {
    fn svm(&self) -> RankSvm {
        RankSvm { c: self.c, tolerance: self.tolerance, seed: self.seed, ..RankSvm::default() }
    }

    /// The best weights for some of the topics.
    fn fit(&self, data: &Data, chosen: &[usize]) -> Result<Fitted> {
        let ranges = data.topics();
        let topics: Vec<_> = chosen.iter().map(|place| ranges[*place].clone()).collect();
        let grades: Vec<f64> = data.table.rows.iter().map(|row| row.grade).collect();
        let FeatureTable { names, values, .. } = &data.table;
        let judged = Judged { width: names.len(), values, grades: &grades, topics: &topics };
        let started = Instant::now();
        let mut told = started;
        let mut watch = |pass: &Pass| {
            // Most data are done before anybody wants to know.
            if told.elapsed().as_secs() >= 5 {
                told = Instant::now();
                let gap = (pass.objective - pass.dual) / pass.objective.max(f64::MIN_POSITIVE);
                note(&format!("pass {}: objective {:.6}, gap {gap:.1e} of it", pass.number, pass.objective));
            }
            true
        };
        let fitted = self.svm().fit(judged, &mut watch)?;
        ensure!(fitted.pairs > 0, "no topic has items of different grades: there is nothing to learn from");
        if fitted.gap() > self.tolerance * fitted.last.objective {
            warn(&format!(
                "the gap is still {:.1e} of the objective after {} passes; weights are not exact to {:.0e}",
                fitted.gap() / fitted.last.objective,
                fitted.last.number,
                self.tolerance
            ));
        }
        Ok(fitted)
    }

    fn ranker(&self, data: &Data, fitted: Fitted) -> Ranker {
        let gap = fitted.gap();
        let Fitted { weights, last, pairs, swapped } = fitted;
        let training = Training {
            method: "rank-svm".to_owned(),
            data: data.files.clone(),
            topics: data.topic_ids(),
            system: self.system.clone(),
            c: self.c,
            tolerance: self.tolerance,
            seed: self.seed,
            items: data.table.rows.len(),
            pairs,
            swapped,
            objective: last.objective,
            gap,
            passes: last.number,
        };
        Ranker::new(data.table.names.clone(), weights, training)
    }

    /// Puts a ranker into the store.
    fn keep(self, name: String, ranker: Ranker, data: &Data) -> Result<()> {
        let store = self.store.open()?;
        let topics = data.topic_ids();
        let mut trained_on = self.trained_on;
        trained_on.extend(of_arqmath(&topics));
        let made = Made {
            name,
            kind: Kind::Ranker,
            family: "rank-svm".to_owned(),
            dimensions: Some(ranker.features.len() as u64),
            parameters: Some(ranker.weights.len() as u64),
            source: data.source.clone(),
            trained_on,
            topics,
            files: vec![(FILE.to_owned(), ranker.to_json().into_bytes())],
        };
        let found = store.keep(made, self.replace)?;
        note(&format!("{}: {} in {}", found.facts.name, found.facts.kind, found.folder.display()));
        Ok(())
    }
}

/// The file of a ranker in its folder.
const FILE: &str = "ranker.json";

/// Reads the ranker of a model of the store.
///
/// # Errors
///
/// When the model is not one, or its file is damaged.
pub(crate) fn read_ranker(found: &Found) -> Result<Ranker> {
    let name = &found.facts.name;
    ensure!(
        found.facts.kind == Kind::Ranker,
        "{name}: is a model of another kind ({}); a ranker is needed",
        found.facts.kind
    );
    let path = found.folder.join(FILE);
    let size = fs::metadata(&path).with_context(|| path.display().to_string())?.len();
    ensure!(size <= LARGEST_RANKER, "{}: too large for a ranker", path.display());
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ranker::read(&text).with_context(|| path.display().to_string())
}

/// The set that topics with the numbers of ARQMath stand for.
fn of_arqmath(topics: &[String]) -> Option<String> {
    let is_one = |id: &String| {
        id.strip_prefix(['A', 'B', 'C'])
            .and_then(|rest| rest.strip_prefix('.'))
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let (first, last) = (topics.first()?, topics.last()?);
    topics.iter().all(is_one).then(|| format!("ARQMath's judgments of {first} to {last}"))
}

fn report(fitted: &Fitted) {
    let relative = fitted.gap() / fitted.last.objective.max(f64::MIN_POSITIVE);
    note(&format!(
        "objective {:.9}, duality gap {:.2e} ({relative:.1e} of it), {} passes",
        fitted.last.objective,
        fitted.gap(),
        fitted.last.number
    ));
    note(&format!("{} pairs, {} in the wrong order", fitted.pairs, fitted.swapped));
}
