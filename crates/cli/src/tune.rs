//! `hypatia tune`: the numbers of a system found by cross-validation.

use crate::output::{WholeFile, note, print};
use crate::run::given::GivenArgs;
use crate::run::topics::{self, Doc, rank};
use crate::{Answer, Run, systems};
use ::collection::order::{Width, compare};
use ::collection::qrels::{Qrels, Scale};
use ::collection::{DocId, Source, Topic, read_topics};
use ::fuse::tune::{Axis, CrossValidation, Effort, Folds, Space, Tuner};
use ::index::Index;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use eval::{Aggregate, Codes, Judgments, Measure, Ranked, Verdict};
use report::table::{Cell, Colour, Column, Row, Table};
use retrieve::{Engine, System};
use std::path::{Path, PathBuf};

const LONG_ABOUT: &str = "\
Tries other numbers in a system's file and says which are best, and how good they are on topics for \
which they were not chosen: topics are cut into folds, the numbers are chosen on all folds but one, and \
the one that was left out is scored with them. The search changes one number after the other.

Several files of topics can be given, each with its judgments; every fold has its share of each file.";

const EXAMPLES: &str = "\
Examples:
  hypatia tune --system hypatia-classic-1 --index math.index \\
      --topics 2020.xml --qrels 2020.qrels --topics 2021.xml --qrels 2021.qrels \\
      --vary posts.group.words.weight=0.5,0.7,0.9,1.1 --vary posts.query.title=1,2,3
  hypatia tune --system hypatia-classic-2 --index math.index --topics t.xml --qrels q.txt \\
      --vary formulas.rerank.depth=10,30,100 -o best.toml

Groups, parts and members of a file are called by their name, or by their place from 0 on:
posts.group.words.part.0.model.k1, fusion.member.bm25.weight";

/// Find the numbers of a system by cross-validation
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Tune {
    /// The name of a system, or a file
    #[arg(long, value_name = "NAME")]
    system: String,

    /// The index
    #[arg(long, value_name = "INDEX")]
    index: PathBuf,

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

    /// What is made as high as possible
    #[arg(long, value_name = "M", default_value = "nDCG'")]
    measure: String,

    /// How many folds topics are cut into
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: usize,

    /// What folds and starts are drawn from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// From how many drawn places the search starts again
    #[arg(long, value_name = "N", default_value_t = 1)]
    restarts: usize,

    /// How many results a topic has at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    depth: usize,

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
        let measure: Measure = self.measure.parse().context("--measure")?;
        if measure.aggregate() != Aggregate::Mean {
            bail!("--measure: {measure} has no mean over topics; take one such as nDCG', AP or P@10");
        }
        let text = systems::text(&self.system)?;
        let engine = Engine::new(Index::open(&self.index)?);
        let system = System::read(&text, &self.system)?;
        let inputs = self.given.read(system.task, engine.index())?;
        inputs.ensure_used(&[&inputs.plan(system)?])?;
        let mut judged: Vec<(Topic, usize, usize)> = Vec::new();
        let mut all_qrels = Vec::new();
        for path in &self.qrels {
            all_qrels.push(Qrels::read(Source::path(path), Scale::Plain)?.0);
        }
        let judgments: Vec<Judgments<'_>> =
            all_qrels.iter().map(|qrels| Judgments::new(qrels, Codes::Unjudged)).collect();
        for (file, (path, judgments)) in self.topics.iter().zip(&judgments).enumerate() {
            let topics = read_topics(Source::path(path))?.topics;
            for (place, topic) in judgments.topics().iter().enumerate() {
                let relevant = topic.pool().num_relevant(1) > 0;
                if let Some(asked) = topics.get(topic.id().as_str()).filter(|_| relevant) {
                    judged.push((asked.clone(), file, place));
                }
            }
        }
        ensure!(!judged.is_empty(), "no topic has anything that is judged relevant");
        let places: Vec<&str> = self.vary.iter().map(|(place, _)| place.as_str()).collect();
        let axes = self
            .vary
            .iter()
            .map(|(place, values)| Axis::Values { name: place.clone(), values: values.clone() });
        let space = Space::new(axes.collect())?;
        let varied = |parameters: &[f64]| {
            let changes: Vec<(&str, f64)> = places.iter().copied().zip(parameters.iter().copied()).collect();
            inputs.plan_quietly(System::varied(&text, &self.system, &changes)?)
        };
        // What every setting would say is said once.
        let first: Vec<f64> = self.vary.iter().map(|(_, values)| values[0]).collect();
        rank(&engine, &varied(&first)?, &judged[0].0, &inputs, self.depth)?;
        let effort = Effort { restarts: self.restarts, seed: self.seed };
        let mut tuner = Tuner::new(&space, judged.len(), effort, |parameters, topic| {
            let (topic, file, place) = &judged[topic];
            let ranked = varied(parameters).and_then(|plan| rank(&engine, &plan, topic, &inputs, self.depth));
            ranked.map_or(f64::NAN, |ranked| score(&measure, &judgments[*file].topics()[*place], ranked))
        })?;
        let strata: Vec<usize> = judged.iter().map(|(_, file, _)| *file).collect();
        let folds = Folds::stratified(&strata, self.folds, self.seed).context("--folds")?;
        let found = tuner.cross_validate(&folds)?;
        let tried = tuner.num_tried();
        print(self.report(&places, &measure, &found, tried, judged.len()).as_bytes())?;
        if let Some(path) = &self.output {
            let lines = places
                .iter()
                .zip(&found.fitted.parameters)
                .map(|(place, value)| format!("{place} = {value}\n"));
            WholeFile::create(path)?.write(lines.collect::<String>().as_bytes())?;
        }
        if let Some(path) = self.output.as_deref().filter(|path| *path != Path::new("-")) {
            note(&format!("written to {}", path.display()));
        }
        Ok(Answer::Yes)
    }
}

/// The measure of a ranking.
fn score(measure: &Measure, judged: &eval::JudgedTopic<'_>, ranked: Vec<(Doc, f64)>) -> f64 {
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
    fn report(
        &self,
        places: &[&str],
        measure: &Measure,
        found: &CrossValidation,
        tried: usize,
        topics: usize,
    ) -> String {
        let mut columns = vec![Column::left("Fold"), Column::right("topics")];
        columns.extend(places.iter().map(|place| Column::right(*place)));
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
