//! `hypatia tune`: the numbers of a system found by cross-validation.

mod answers;

use crate::output::{WholeFile, note, print};
use crate::place::find_index;
use crate::run::given::GivenArgs;
use crate::run::topics::{self, Doc, rank};
use crate::{Answer, Run, systems};
use ::collection::check::MOST_RESULTS;
use ::collection::order::{Width, compare};
use ::collection::qrels::{Qrels, Scale};
use ::collection::{DocId, Source, Topic, read_topics};
use ::fuse::tune::{Axis, CrossValidation, Effort, Folds, Space, Tuner};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use eval::{Aggregate, Codes, JudgedTopic, Judgments, Measure, Ranked, Verdict};
use report::table::{Cell, Colour, Column, Row, Table};
use retrieve::{Engine, System};
use std::path::{Path, PathBuf};

const LONG_ABOUT: &str = "\
Tries other numbers in a system's file and says which are best, and how good they are on topics for \
which they were not chosen: topics are cut into folds, the numbers are chosen on all folds but one, and \
the one that was left out is scored with them. The search changes one number after the other.

Several files of topics can be given, each with its judgments; every fold has its share of each file.

Of a system that gives one answer (Task 3) the weights by which it ranks candidates anew can be varied, \
rank.NAME; the measure is AR, the mean grade of the answer that is chosen, 0 if it was not judged.";

/// What is made as high as possible when nothing is said.
const MEASURE: &str = "nDCG'";

const EXAMPLES: &str = "\
Examples:
  hypatia tune --system hypatia-classic-1 --index math.index \\
      --topics 2020.xml --qrels 2020.qrels --topics 2021.xml --qrels 2021.qrels \\
      --vary posts.group.words.weight=0.5,0.7,0.9,1.1 --vary posts.query.title=1,2,3
  hypatia tune --system hypatia-classic-2 --index math.index --topics t.xml --qrels q.txt \\
      --vary formulas.rerank.depth=10,30,100 -o best.toml
  hypatia tune --system hypatia-extract --index math.index --topics t.xml --qrels q.txt \\
      --vary rank.answer_formulas=0.3,1,3 --vary rank.question=0,0.3,1

Groups, parts and members of a file are called by their name, or by their place from 0 on:
posts.group.words.part.0.model.k1, fusion.member.bm25.weight";

/// Find the numbers of a system by cross-validation
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
    #[arg(long, value_name = "PLACE=V,V,…", required = true, value_parser = varied)]
    vary: Vec<(String, Vec<f64>)>,

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
    #[arg(long, value_name = "N", default_value_t = 1)]
    restarts: usize,

    /// How many results a topic has at most [default: 1000]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// Where the numbers that are best on all topics go, as lines to be put into the file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn varied(text: &str) -> Result<(String, Vec<f64>), String> {
    let (place, values) = text.split_once('=').ok_or("expected PLACE=VALUE,VALUE,…")?;
    let values = values
        .split(',')
        .map(|value| value.trim().parse::<f64>().map_err(|_| format!("`{value}` is no number")));
    let values: Vec<f64> = values.collect::<Result<_, _>>()?;
    if values.iter().all(|value| value.is_finite()) {
        Ok((place.trim().to_owned(), values))
    } else {
        Err("numbers must be finite".to_owned())
    }
}

impl Run for Tune {
    fn run(self) -> Result<Answer> {
        topics::ensure_each_is_judged(&self.topics, &self.qrels)?;
        let mut qrels = Vec::new();
        for path in &self.qrels {
            qrels.push(Qrels::read(Source::path(path), Scale::Plain)?.0);
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

/// A topic with its judgments, and the how many-th file it is from.
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
            for judgments in judgments.topics() {
                let relevant = judgments.pool().num_relevant(1) > 0;
                if let Some(topic) = topics.get(judgments.id().as_str()).filter(|_| relevant) {
                    judged.push(Judged { topic: topic.clone(), judgments, file });
                }
            }
        }
        ensure!(!judged.is_empty(), "no topic has anything that is judged relevant");
        Ok(judged)
    }

    fn tune_ranking(&self, judged: &[Judged<'_>]) -> Result<Answer> {
        let measure: Measure = self.measure.as_deref().unwrap_or(MEASURE).parse().context("--measure")?;
        if measure.aggregate() != Aggregate::Mean {
            bail!("--measure: {measure} has no mean over topics; take one such as nDCG', AP or P@10");
        }
        let text = systems::text(&self.system)?;
        let engine = Engine::open_whole(&find_index(self.index.as_deref())?, crate::models::resources()?)?;
        let system = System::read(&text, &self.system)?;
        let inputs = self.given.read(system.task, engine.index())?;
        inputs.ensure_used(&[&inputs.pipeline(system)?])?;
        let varied = |parameters: &[f64]| {
            let places = self.vary.iter().map(|(place, _)| place.as_str());
            let changes: Vec<(&str, f64)> = places.zip(parameters.iter().copied()).collect();
            inputs.pipeline_quietly(System::varied(&text, &self.system, &changes)?)
        };
        // What every setting would say is said once.
        let first: Vec<f64> = self.vary.iter().map(|(_, values)| values[0]).collect();
        let depth = self.depth.unwrap_or(MOST_RESULTS);
        rank(&engine, &varied(&first)?, &judged[0].topic, &inputs, depth)?;
        self.search(judged, &measure.to_string(), |parameters, topic| {
            let Judged { topic, judgments, .. } = &judged[topic];
            let ranked =
                varied(parameters).and_then(|pipeline| rank(&engine, &pipeline, topic, &inputs, depth));
            ranked.map_or(f64::NAN, |ranked| score(&measure, judgments, ranked.ranked))
        })
    }

    /// Searches for the values with the highest mean, says what was found and writes it.
    fn search(
        &self,
        judged: &[Judged<'_>],
        measure: &str,
        score: impl Fn(&[f64], usize) -> f64 + Sync,
    ) -> Result<Answer> {
        let axis =
            |(name, values): &(String, Vec<f64>)| Axis::Values { name: name.clone(), values: values.clone() };
        let space = Space::new(self.vary.iter().map(axis).collect())?;
        let effort = Effort { restarts: self.restarts, seed: self.seed };
        let mut tuner = Tuner::new(&space, judged.len(), effort, score)?;
        let strata: Vec<usize> = judged.iter().map(|judged| judged.file).collect();
        let folds = Folds::stratified(&strata, self.folds, self.seed).context("--folds")?;
        let found = tuner.cross_validate(&folds)?;
        let tried = tuner.num_tried();
        print(self.report(measure, &found, tried, judged.len()).as_bytes())?;
        if let Some(path) = &self.output {
            let places = self.vary.iter().map(|(place, _)| place);
            let lines =
                places.zip(&found.fitted.parameters).map(|(place, value)| format!("{place} = {value}\n"));
            WholeFile::create(path)?.write(lines.collect::<String>().as_bytes())?;
        }
        if let Some(path) = self.output.as_deref().filter(|path| *path != Path::new("-")) {
            note(&format!("written to {}", path.display()));
        }
        Ok(Answer::Yes)
    }
}

/// The measure of a ranking.
fn score(measure: &Measure, judged: &JudgedTopic<'_>, ranked: Vec<(Doc, f64)>) -> f64 {
    let name = |(doc, score): (Doc, f64)| match doc {
        Doc::Post(id) => (Width::F32.round(score), id),
        Doc::Formula(hit) => (Width::F32.round(score), hit.visual_id.to_string()),
    };
    let mut results: Vec<(f64, String)> = ranked.into_iter().map(name).collect();
    results.sort_by(|left, right| compare((left.0, DocId(&left.1)), (right.0, DocId(&right.1))));
    let verdicts: Vec<Verdict> = results.iter().map(|(_, doc)| judged.verdict(DocId(doc))).collect();
    measure.score(Ranked { verdicts: &verdicts, pool: judged.pool() })
}

impl Tune {
    fn report(&self, measure: &str, found: &CrossValidation, tried: usize, topics: usize) -> String {
        let mut columns = vec![Column::left("Fold"), Column::right("topics")];
        columns.extend(self.vary.iter().map(|(place, _)| Column::right(place.as_str())));
        columns.extend([Column::right("training"), Column::right("held out")]);
        let row = |name: String, topics: usize, fitted: &::fuse::tune::Fitted, held_out: f64| {
            let mut cells = vec![Cell::text(name), Cell::text(topics.to_string())];
            cells.extend(fitted.parameters.iter().map(|value| Cell::text(format!("{value}"))));
            cells.extend([Cell::number(fitted.mean, 4), Cell::number(held_out, 4)]);
            Row::Cells(cells)
        };
        let mut rows: Vec<Row> = (1_usize..)
            .zip(&found.folds)
            .map(|(name, fold)| row(name.to_string(), fold.topics.len(), &fold.fitted, fold.held_out_mean))
            .collect();
        rows.push(Row::Rule);
        rows.push(row("all".to_owned(), topics, &found.fitted, found.held_out_mean));
        let caption = format!(
            "{measure} of {} over {topics} topics with something relevant; {tried} settings tried, seed {}",
            self.system, self.seed
        );
        let table = Table { caption: vec![caption], columns, rows, ..Table::default() };
        table.to_text(Colour::Off)
    }
}
