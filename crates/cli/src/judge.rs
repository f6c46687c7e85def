//! `hypatia judge`: what a language model would say of answers, beside how far people agree with it.

use crate::answers::model::{KeptArgs, ModelArgs};
use crate::output::{self, WholeFile};
use crate::progress::Progress;
use crate::{Answer, Run};
use ::collection::qrels::{Qrels, Scale};
use ::collection::task3::{LONGEST_ANSWER, Task3Run};
use ::collection::{RunTag, Source, Topics, read_topics};
use ::judge::{Judge, Trust, Verdict, choose, verdicts};
use anyhow::{Context, Result, ensure};
use clap::Args;
use report::table::{Cell, Colour, Column, Row, Table};
use retrieve::Query;
use std::collections::BTreeMap;
use std::path::PathBuf;
use store::Collection;

const LONG_ABOUT: &str = "\
Lets a language model grade the answers of runs of Task 3 from 0 to 3, and answers that people judged, too, so \
that it is known how far the two agree. That agreement is printed with every use: without it a model's grades \
say nothing.

What a model says is no judgment. It is written to a table of its own, which `hypatia eval` and `hypatia lab` do \
not take, and the means over it are called AR and P@1 by the model.

People's judgments are those of Task 1 (--qrels), and the texts of the posts come from --collection. So many of \
them as --calibrate says are drawn by --seed, as many of each grade as there are.";

const EXAMPLES: &str = "\
Examples:
  hypatia judge ours.tsv --topics t.xml --qrels task1.qrels --collection math.coll \\
      --endpoint http://127.0.0.1:8000/v1 --model llama-3 --cache kept -o verdicts.tsv
  hypatia judge a.tsv b.tsv --topics t.xml --qrels task1.qrels --collection math.coll \\
      --model model.gguf --calibrate 100 -o verdicts.tsv";

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

    #[command(flatten)]
    model: ModelArgs,

    #[command(flatten)]
    kept: KeptArgs,

    /// Where the verdicts go
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Run for JudgeAnswers {
    fn run(self) -> Result<Answer> {
        ensure!(self.calibrate > 0, "--calibrate is at least 1: grades of a model alone say nothing");
        let topics = read_topics(Source::path(&self.topics))?;
        let mut runs = Vec::new();
        for path in &self.runs {
            runs.push(Task3Run::read(Source::path(path))?);
        }
        let (qrels, _) = Qrels::read(Source::path(&self.qrels), Scale::Plain)?;
        let collection = Collection::open(&self.collection)?;
        let judged = judged(&qrels, &topics.topics, &collection, self.calibrate, self.kept.seed())?;
        let output = WholeFile::create(&self.output)?;
        let model = self.model.open(self.kept.open(None)?)?;
        let model = model.context("name a language model with --model, or a server with --endpoint")?;
        let judge = Judge::new(model.as_ref());
        let questions: BTreeMap<&str, String> = topics
            .topics
            .iter()
            .map(|topic| (topic.id.as_str(), answer::question_text(&Query::of_topic(topic))))
            .collect();
        let answers: usize = runs.iter().map(|run| run.answers.len()).sum();
        let mut progress = Progress::items((judged.len() + answers) as u64);
        let mut pairs = Vec::new();
        for (grade, (topic, text)) in judged {
            pairs.push((judge.verdict(&questions[topic.as_str()], &text)?.grade, grade));
            progress.advance(1);
        }
        let trust = Trust::of(&pairs);
        let mut table = format!("{}\n", verdicts::HEADER);
        let mut rows = Vec::new();
        let name = judge.name();
        for (run, path) in runs.iter().zip(&self.runs) {
            let tag = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            let mut grades = Vec::new();
            for answer in &run.answers {
                let question = questions.get(answer.topic.as_str());
                let question = question.with_context(|| {
                    format!("{}: topic {} is not there", self.topics.display(), answer.topic)
                })?;
                let verdict: Verdict = judge.verdict(question, &answer.answer)?;
                verdicts::push_row(&mut table, &answer.topic, &RunTag::from(tag.as_str()), &name, &verdict);
                grades.push(verdict.grade);
                progress.advance(1);
            }
            rows.push((tag, grades));
        }
        drop(progress);
        output.write(table.as_bytes())?;
        output::print(shown(&rows, &name, trust).as_bytes())?;
        Ok(Answer::Yes)
    }
}

/// Posts that people judged, with their grade, topic and text: those that are no longer than an answer may be.
fn judged(
    qrels: &Qrels,
    topics: &Topics,
    collection: &Collection,
    most: usize,
    seed: u64,
) -> Result<Vec<(i32, (String, String))>> {
    let mut reader = collection.reader();
    let mut found = Vec::new();
    for topic in topics {
        for row in qrels.topic(&topic.id).into_iter().flat_map(|judged| judged.rows()) {
            let (Some(grade), Some(post)) =
                (row.judgment().grade(), collection.find_post(row.doc().as_str()))
            else {
                continue;
            };
            found.push((grade, (topic.id.to_string(), post)));
        }
    }
    // Texts are read in the order in which posts are drawn, until there are enough that are short.
    let mut chosen = Vec::new();
    let all = found.len();
    for (grade, (topic, post)) in choose(found, all, seed) {
        let text = excerpt::body(collection, &mut reader, post)?.plain();
        if !text.is_empty() && text.chars().count() <= LONGEST_ANSWER {
            chosen.push((grade, (topic, text)));
        }
        if chosen.len() == most {
            break;
        }
    }
    ensure!(!chosen.is_empty(), "none of the posts that were judged for these topics is in the collection");
    Ok(chosen)
}

fn shown(rows: &[(String, Vec<Option<i32>>)], model: &str, trust: Trust) -> String {
    let columns = vec![
        Column::left("Run"),
        Column::right("answers"),
        Column::right("graded"),
        Column::right("AR").under("by the model"),
        Column::right("P@1").under("by the model"),
    ];
    let row = |(tag, grades): &(String, Vec<Option<i32>>)| {
        let graded: Vec<i32> = grades.iter().flatten().copied().collect();
        let mean = |sum: f64| {
            if graded.is_empty() { Cell::text("–") } else { Cell::number(sum / graded.len() as f64, 3) }
        };
        Row::Cells(vec![
            Cell::text(tag),
            Cell::number(grades.len() as f64, 0),
            Cell::number(graded.len() as f64, 0),
            mean(graded.iter().map(|grade| f64::from(*grade)).sum()),
            mean(graded.iter().filter(|grade| **grade >= 2).count() as f64),
        ])
    };
    let footnotes = vec![
        format!("Grades of {model}, not of people; over the answers that it graded."),
        format!("Its {trust}."),
    ];
    Table { columns, rows: rows.iter().map(row).collect(), footnotes, ..Table::default() }
        .to_text(Colour::Off)
}
