//! `hypatia judge`: what a language model would say of answers, beside how far people agree with it.

mod record;

use crate::answers::model::{KeptArgs, ModelArgs};
use crate::output::{self, WholeFile};
use crate::progress::Progress;
use crate::{Exit, Run, names};
use ::formats::qrels::{Qrels, Scale};
use ::formats::task3::{LONGEST_ANSWER, Task3Answer, Task3Run};
use ::formats::{RunTag, Source, TopicId, Topics, read_topics};
use ::grader::{Judge, ModelGrade, OfGrade, Trust, choose, of_grade, verdicts};
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use record::{Calibration, Input, Record, RunMeans};
use retrieve::Query;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use store::Collection;

/// The default number of concurrent requests to a server.
const ASKED_AT_ONCE: NonZeroUsize = NonZeroUsize::new(4).expect("four is not zero");

const LONG_ABOUT: &str = "\
Lets a language model grade the answers of runs of Task 3 from 0 to 3, and answers that people judged, too, so \
that it is known how far the two agree. That agreement is printed with every use and stands in every row of the \
table: without it a model's grades say nothing.

What a model says is no judgment. It is written to a table of its own, which `hypatia eval` and `hypatia lab` do \
not take, and the means over it are called AR and P@1 by the model. Beside the table stands a file FILE.json that \
says how it was made, with every answer that people judged, their grade and what the model said of it.

People's judgments are those of Task 1 (--qrels), and the texts of the posts come from --collection. --calibrate \
says how many of them are drawn by --seed, as many of each grade as there are; the agreement is given over \
these, and weighed by how frequent each grade is among the judgments. Under 20 answers it is too few to say.

What the model said is kept in the folder FILE.cache, or where --cache says: after an interruption the same command \
goes on from there, and --only-kept makes the same table again without a model.";

const EXAMPLES: &str = "\
Examples:
  hypatia judge ours.tsv --topics t.xml --qrels task1.qrels --collection math.coll \\
      --endpoint http://127.0.0.1:8000/v1 --model llama-3 -o verdicts.tsv
  hypatia judge a.tsv b.tsv --topics t.xml --qrels task1.qrels --collection math.coll \\
      --model model.gguf --calibrate 100 -o verdicts.tsv --format json";

/// Let a language model grade answers, with its agreement to people
#[derive(Debug, Args)]
#[command(name = "judge", long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct JudgeAnswers {
    /// Runs of Task 3: topic, rank, score, run, sources, answer
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,

    /// The file of topics
    #[arg(long, value_name = "FILE")]
    topics: PathBuf,

    /// What people judged: posts of the collection, for these topics
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,

    /// The collection that these posts are in
    #[arg(long, value_name = "COLLECTION")]
    collection: PathBuf,

    /// How many answers that people judged the model grades, too
    #[arg(long, value_name = "N", default_value_t = 40)]
    calibrate: usize,

    /// How many answers are asked for at once [default: 4 of a server, 1 of a model in this process]
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// How the means are printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    model: ModelArgs,

    #[command(flatten)]
    kept: KeptArgs,

    /// Where the verdicts go; FILE.json and the folder FILE.cache stand beside it
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// How the means are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for people
    Text,
    /// One object with all values
    Json,
}

/// A run and what it is called.
struct NamedRun {
    name: String,
    input: Input,
    run: Task3Run,
}

/// An answer that people judged.
struct Judged {
    topic: TopicId,
    post: String,
    grade: i32,
    text: String,
}

impl Run for JudgeAnswers {
    fn run(self) -> Result<Exit> {
        // Everything that can be wrong is looked at before a model is asked, which may cost money.
        ensure!(self.calibrate > 0, "--calibrate is at least 1: grades of a model alone say nothing");
        ensure!(
            self.model.model.is_some(),
            "name a language model with --model, or a server with --endpoint and --model"
        );
        let beside = |ending: &str| PathBuf::from(format!("{}.{ending}", self.output.display()));
        ensure!(
            self.output != Path::new("-"),
            "--output is a file: how far people agree is written beside it"
        );
        let (topics_input, topics_text) = Input::read(&self.topics)?;
        let topics = read_topics(Source::bytes(&topics_input.file, topics_text))?.topics;
        let questions: BTreeMap<&str, String> = topics
            .iter()
            .map(|topic| (topic.id.as_str(), answer::question_text(&Query::of_topic(topic))))
            .collect();
        let runs = self.read_runs(&questions)?;
        let (qrels_input, qrels_text) = Input::read(&self.qrels)?;
        let (qrels, _) = Qrels::read(Source::bytes(&qrels_input.file, qrels_text), Scale::Plain)?;
        let collection = Collection::open_whole(&self.collection)?;
        let judged = judged(&qrels, &topics, &collection, self.calibrate, self.kept.seed())?;
        let output = WholeFile::create(&self.output)?;
        let record_file = WholeFile::create_beside(&beside("json"))?;
        let kept = self.kept.open(Some(&beside("cache")))?;
        let folder = kept.as_ref().map(|(cache, _)| cache.folder().display().to_string());
        let model = self.model.open(kept)?.context("a language model was named")?;
        let judge = Judge::new(model.as_ref());

        let of_people = judged.iter().map(|judged| (&judged.topic, judged.text.as_str()));
        let answers: Vec<&Task3Answer> = runs.iter().flat_map(|run| &run.run.answers).collect();
        let of_runs = answers.iter().map(|answer| (&answer.topic, answer.answer.as_str()));
        let asked: Vec<(&TopicId, &str)> = of_people.chain(of_runs).collect();
        let mut verdicts = self.ask(&judge, &questions, &asked, folder.as_deref())?;
        let of_runs = verdicts.split_off(judged.len());

        let pairs: Vec<(Option<i32>, i32)> =
            verdicts.iter().zip(&judged).map(|(verdict, judged)| (verdict.grade, judged.grade)).collect();
        let trust = Trust::of(&pairs, grades_of(&qrels, &topics), self.kept.seed());
        let name = judge.name();
        let mut table = format!("{}\n", verdicts::HEADER);
        let mut means = Vec::new();
        let mut rest = of_runs.iter();
        for NamedRun { name: tag, input, run } in &runs {
            let mut grades = Vec::new();
            for (answer, verdict) in run.answers.iter().zip(rest.by_ref()) {
                let tag = RunTag::from(tag.as_str());
                verdicts::push_row(&mut table, &answer.topic, &tag, &name, verdict, &trust);
                grades.push(verdict.grade);
            }
            means.push(RunMeans::of(tag, input, &grades));
        }
        let calibration = judged.iter().zip(&verdicts).map(|(judged, verdict)| Calibration {
            topic: judged.topic.as_str(),
            post: &judged.post,
            people: judged.grade,
            model: verdict.grade,
            said: &verdict.said,
        });
        let record = Record {
            program: "hypatia",
            version: env!("CARGO_PKG_VERSION"),
            command: std::env::args().collect(),
            model: &name,
            seed: self.kept.seed(),
            topics: topics_input,
            qrels: qrels_input,
            collection: Input {
                file: self.collection.display().to_string(),
                fingerprint: format!("{:016x}", collection.fingerprint()),
            },
            runs: &means,
            agreement: trust.into(),
            calibration: calibration.collect(),
        };
        // The record goes first: a table without it is worse than a record without a table.
        record_file.write(record.to_json()?.as_bytes())?;
        output.write(table.as_bytes())?;
        let shown = match self.format {
            Format::Text => record::table(&means, &name, &trust),
            Format::Json => record::summary(&means, &name, &trust)?,
        };
        output::print(shown.as_bytes())?;
        Ok(Exit::Yes)
    }
}

impl JudgeAnswers {
    /// The runs, each with answers, all of them to topics that are there.
    fn read_runs(&self, questions: &BTreeMap<&str, String>) -> Result<Vec<NamedRun>> {
        let mut runs = Vec::new();
        for (path, name) in self.runs.iter().zip(names::of_distinct_files(&self.runs)?) {
            let (input, text) = Input::read(path)?;
            let run = Task3Run::read(Source::bytes(&input.file, text))?;
            ensure!(!run.answers.is_empty(), "{}: holds no answers", run.name);
            for answer in &run.answers {
                let is_there = questions.contains_key(answer.topic.as_str());
                let (place, topics) = (answer.place(&run), self.topics.display());
                ensure!(is_there, "{place}: topic {} is not in {topics}", answer.topic);
            }
            runs.push(NamedRun { name, input, run });
        }
        Ok(runs)
    }

    /// What the model says of each answer, in their order.
    fn ask(
        &self,
        judge: &Judge<'_>,
        questions: &BTreeMap<&str, String>,
        asked: &[(&TopicId, &str)],
        folder: Option<&str>,
    ) -> Result<Vec<ModelGrade>> {
        // A model in this process takes all cores by itself.
        let otherwise = if self.model.is_local() { NonZeroUsize::MIN } else { ASKED_AT_ONCE };
        let progress = Mutex::new(Progress::items(asked.len() as u64));
        let failed = AtomicBool::new(false);
        let said = parallel::map_on(self.threads.unwrap_or(otherwise), asked, |(topic, text)| {
            if failed.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let verdict = judge.grade(&questions[topic.as_str()], text);
            if verdict.is_err() {
                failed.store(true, Ordering::Relaxed);
            }
            if let Ok(mut progress) = progress.lock() {
                progress.advance(1);
            }
            verdict.map(Some)
        });
        drop(progress);
        let done = said.iter().filter(|said| matches!(said, Ok(Some(_)))).count();
        let mut verdicts = Vec::with_capacity(said.len());
        for ((topic, _), said) in asked.iter().zip(said) {
            let said = said.with_context(|| {
                let kept = folder.map_or_else(String::new, |folder| {
                    format!(" (what was said is kept in {folder}: the same command goes on from there)")
                });
                format!("topic {topic}, after {done} of {} answers{kept}", asked.len())
            })?;
            verdicts.extend(said);
        }
        ensure!(verdicts.len() == asked.len(), "some answers were not judged");
        Ok(verdicts)
    }
}

/// How many posts people gave each grade, for these topics.
fn grades_of(qrels: &Qrels, topics: &Topics) -> OfGrade {
    let judgments = topics.iter().filter_map(|topic| qrels.topic(&topic.id));
    of_grade(judgments.flat_map(|judged| judged.rows().filter_map(|row| row.judgment().grade())))
}

/// Posts that people judged: those that are no longer than an answer may be.
fn judged(
    qrels: &Qrels,
    topics: &Topics,
    collection: &Collection,
    most: usize,
    seed: u64,
) -> Result<Vec<Judged>> {
    let mut reader = collection.reader();
    let mut found = Vec::new();
    for topic in topics {
        for row in qrels.topic(&topic.id).into_iter().flat_map(|judged| judged.rows()) {
            let (Some(grade), Some(post)) =
                (row.judgment().grade(), collection.find_post(row.doc().as_str()))
            else {
                continue;
            };
            found.push((grade, (topic.id.clone(), row.doc().as_str().to_owned(), post)));
        }
    }
    // Texts are read in the order in which posts are drawn, until there are enough that are short.
    let mut chosen = Vec::new();
    let all = found.len();
    for (grade, (topic, id, post)) in choose(found, all, seed) {
        let text = post::body(&mut reader, post)?.plain();
        if !text.is_empty() && text.chars().count() <= LONGEST_ANSWER {
            chosen.push(Judged { topic, post: id, grade, text });
        }
        if chosen.len() == most {
            break;
        }
    }
    ensure!(!chosen.is_empty(), "none of the posts that were judged for these topics is in the collection");
    Ok(chosen)
}

impl Input {
    /// A file, and what is in it.
    fn read(path: &Path) -> Result<(Self, Vec<u8>)> {
        let file = path.display().to_string();
        let bytes = if path == Path::new("-") {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(path)
        };
        let bytes = bytes.with_context(|| file.clone())?;
        let fingerprint = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bytes));
        Ok((Self { file, fingerprint }, bytes))
    }
}
