//! Weights found by judgments, and a report of how they were found.

use super::load::Topic;
use super::options::Settings;
use super::{Fuse, Task};
use anyhow::{Context, Result, bail, ensure};
use eval::{Aggregate, Codes, JudgedTopic, Judgments, Measure, Preset, Ranked, ResultGrade};
use figures::table::{Cell, Colour, Column, Row};
use formats::order::{Width, compare};
use formats::{DocId, FormulaId, Keep, VisualIds, Wanted, read_visual_ids};
use fuse::tune::{Axis, Choice, CrossValidation, Effort, Folds, Space, Tuner};
use fuse::{Fusion, Table};
use std::collections::HashSet;
use std::path::Path;

/// How often the search starts again from a drawn place.
const RESTARTS: usize = 4;

/// What was found.
pub(super) struct Tuned {
    /// How to fuse each topic.
    pub(super) fusions: Vec<Fusion>,
    /// What people are told.
    pub(super) report: String,
}

/// Everything an objective needs, topic by topic.
struct Bench<'a> {
    measure: Measure,
    visual_ids: Option<VisualIds>,
    /// How many results count, as in `hypatia eval`.
    depth: Option<usize>,
    settings: &'a Settings,
    topics: Vec<Judged<'a>>,
    members: usize,
}

/// A judged topic, with what the runs have for it.
struct Judged<'a> {
    judged: &'a JudgedTopic<'a>,
    /// Its place among the topics of the runs, if it is there.
    place: Option<usize>,
    rankings: &'a [Vec<fuse::Ranked<DocId<'a>>>],
    table: Table<DocId<'a>>,
}

/// Finds weights by the judgments.
pub(super) fn tune(args: &Fuse, settings: &Settings, topics: &[Topic<'_>], qrels: &Path) -> Result<Tuned> {
    let measure: Measure = args.tuning.measure.parse().context("--measure")?;
    if measure.aggregate() != Aggregate::Mean {
        bail!("--measure: {measure} has no mean over topics; take one such as nDCG', AP or P@10");
    }
    let qrels = crate::judged::read(qrels)?;
    let judgments = Judgments::new(&qrels, Codes::Unjudged);
    let mut bench = Bench {
        measure,
        visual_ids: visual_ids(args, topics)?,
        depth: (args.task == Some(Task::One)).then(|| Preset::Task1.depth()).flatten(),
        settings,
        topics: Vec::with_capacity(judgments.topics().len()),
        members: args.runs.len(),
    };
    let normalisation = settings.fusion(&[], None).normalisation;
    for judged in judgments.topics() {
        let place = topics.iter().position(|topic| topic.id == judged.id());
        let rankings = place.map_or(&[][..], |place| topics[place].rankings.as_slice());
        let none = vec![Vec::new(); bench.members];
        let slices: Vec<&[fuse::Ranked<DocId<'_>>]> =
            if rankings.is_empty() { &none } else { rankings }.iter().map(Vec::as_slice).collect();
        let table = Table::new(&slices, normalisation).with_context(|| format!("topic {}", judged.id()))?;
        bench.topics.push(Judged { judged, place, rankings, table });
    }
    ensure!(
        bench.topics.iter().any(|topic| topic.place.is_some()),
        "{}: none of the topics of the runs is judged",
        args.tuning.tune.as_deref().unwrap_or(Path::new("-")).display()
    );
    search(args, &bench, topics.len())
}

fn search(args: &Fuse, bench: &Bench<'_>, num_topics: usize) -> Result<Tuned> {
    let seed = args.seed.unwrap_or(1);
    let mut axes = vec![Axis::Simplex { names: member_names(args), steps: args.tuning.steps }];
    if bench.settings.has_k() {
        axes.push(Axis::Values { name: "k".to_owned(), values: bench.settings.ks.clone() });
    }
    let space = Space::new(axes)?;
    let count = bench.topics.len();
    let effort = Effort { restarts: RESTARTS, seed, choice: Choice::Best };
    let mut tuner = Tuner::new(&space, count, effort, |parameters, topic| {
        bench.fused(parameters, topic).unwrap_or(f64::NAN)
    })?;
    let folds = Folds::new(count, args.tuning.folds, seed).context("--folds")?;
    let found = tuner.cross_validate(&folds)?;
    let all = bench.fusion(&found.fitted.parameters);
    let mut fusions = vec![all; num_topics];
    if args.tuning.held_out {
        for (topic, judged) in bench.topics.iter().enumerate() {
            if let Some(place) = judged.place {
                fusions[place] = bench.fusion(&found.folds[folds.fold_of(topic)].fitted.parameters);
            }
        }
    }
    let report = report(args, bench, &space, &found, tuner.num_tried());
    Ok(Tuned { fusions, report })
}

impl Bench<'_> {
    /// How to fuse by what was found.
    fn fusion(&self, parameters: &[f64]) -> Fusion {
        self.settings.fusion(&parameters[..self.members], parameters.get(self.members).copied())
    }

    /// The measure of a topic fused by these parameters, as `hypatia eval` gives it.
    fn fused(&self, parameters: &[f64], topic: usize) -> Result<f64, fuse::Error> {
        let fusion = self.fusion(parameters);
        let topic = &self.topics[topic];
        let order = topic.table.order(&fusion.method, &fusion.weights, fusion.depth)?;
        let ids = topic.table.ids();
        Ok(self.score(topic, order.into_iter().map(|(place, score)| (ids[place], score))))
    }

    /// The measure of a topic in one of the runs.
    fn alone(&self, member: usize, topic: usize) -> f64 {
        let topic = &self.topics[topic];
        let ranking = topic.rankings.get(member).map_or(&[][..], Vec::as_slice);
        self.score(topic, ranking.iter().map(|result| (result.id, result.score)))
    }

    fn score<'d>(&self, topic: &Judged<'_>, ranking: impl Iterator<Item = (DocId<'d>, f64)>) -> f64 {
        // As in the evaluation: 32 bits of a score count, and of a visual id its first instance.
        let rounded = ranking.map(|(doc, score)| (Width::F32.round(score) + 0.0, doc));
        let verdict = |doc| topic.judged.verdict(doc);
        let mut verdicts: Vec<ResultGrade> = match &self.visual_ids {
            None => in_order(rounded.collect()).map(verdict).collect(),
            Some(table) => {
                let mut seen = HashSet::new();
                let visual = rounded
                    .filter_map(|(score, doc)| Some((score, DocId(table.get(doc.as_str())?.as_str()))));
                in_order(visual.filter(|(_, id)| seen.insert(*id)).collect()).map(verdict).collect()
            }
        };
        verdicts.truncate(self.depth.unwrap_or(usize::MAX));
        self.measure.score(Ranked { grades: &verdicts, judged: topic.judged.pool() })
    }

    fn mean(&self, value: impl Fn(usize) -> f64) -> f64 {
        (0..self.topics.len()).map(value).sum::<f64>() / self.topics.len() as f64
    }
}

/// Documents by score and id.
fn in_order(mut results: Vec<(f64, DocId<'_>)>) -> impl Iterator<Item = DocId<'_>> {
    results.sort_by(|a, b| compare(*a, *b));
    results.into_iter().map(|(_, doc)| doc)
}

/// The visual ids of the formulas of all runs, if they are formula ids.
fn visual_ids(args: &Fuse, topics: &[Topic<'_>]) -> Result<Option<VisualIds>> {
    let Some(table) = &args.tuning.visual_ids else { return Ok(None) };
    ensure!(args.task == Some(Task::Two), "--visual-ids has no effect without --task 2");
    let results = topics.iter().flat_map(|topic| &topic.rankings).flatten();
    let wanted: HashSet<FormulaId> = results.map(|result| FormulaId::from(result.id.as_str())).collect();
    let ids = read_visual_ids(table, Wanted::Only(&wanted), Keep::VisualIds)?;
    ensure!(!ids.is_empty(), "{}: holds none of the formulas of the runs", table.display());
    Ok(Some(ids))
}

/// What the runs are called in tables: the names of their files without folder and ending.
fn member_names(args: &Fuse) -> Vec<String> {
    let short = |path: &std::path::PathBuf| {
        path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
    };
    let names: Vec<String> = args.runs.iter().map(short).collect();
    let unique = names.iter().collect::<HashSet<_>>().len() == names.len();
    if unique { names } else { args.runs.iter().map(|path| path.display().to_string()).collect() }
}

fn report(args: &Fuse, bench: &Bench<'_>, space: &Space, found: &CrossValidation, tried: usize) -> String {
    let names: Vec<&str> = space.names().collect();
    let number = |value: f64| Cell::number(value, 4);
    let setting = |parameters: &[f64]| -> Vec<Cell> {
        parameters.iter().map(|value| Cell::text(format!("{}", (value * 1e4).round() / 1e4))).collect()
    };
    let mut columns = vec![Column::left("Fold"), Column::right("topics")];
    columns.extend(names.iter().map(|name| Column::right(*name)));
    columns.extend([Column::right("training"), Column::right("held out")]);
    let row = |name: String, topics: usize, fitted: &fuse::tune::Fitted, held_out: Cell| {
        let mut cells = vec![Cell::text(name), Cell::text(topics.to_string())];
        cells.extend(setting(&fitted.parameters));
        cells.extend([number(fitted.mean), held_out]);
        Row::Cells(cells)
    };
    let mut rows: Vec<Row> = (1..)
        .zip(&found.folds)
        .map(|(name, fold): (usize, _)| {
            row(name.to_string(), fold.topics.len(), &fold.fitted, number(fold.held_out_mean))
        })
        .collect();
    rows.push(Row::Rule);
    rows.push(row("all".to_owned(), bench.topics.len(), &found.fitted, number(found.held_out_mean)));
    let seed = args.seed.unwrap_or(1);
    let caption = format!(
        "{} over {} judged topics, {} runs by {}; {tried} settings tried, seed {seed}",
        bench.measure,
        bench.topics.len(),
        bench.members,
        bench.settings.fusion(&[], None).method,
    );
    let folds = figures::table::Table { caption: vec![caption], columns, rows, ..Default::default() };

    let mut rows: Vec<Row> = (0..bench.members)
        .map(|member| {
            let mean = bench.mean(|topic| bench.alone(member, topic));
            Row::Cells(vec![Cell::text(format!("{} alone", names[member])), number(mean)])
        })
        .collect();
    let mut equal = vec![1.0; bench.members];
    equal.extend(bench.settings.has_k().then_some(bench.settings.ks[0]));
    let of_equal = match equal.get(bench.members) {
        Some(k) => format!("equal weights, k = {k}"),
        None => "equal weights".to_owned(),
    };
    let equal = bench.mean(|topic| bench.fused(&equal, topic).unwrap_or(f64::NAN));
    rows.push(Row::Rule);
    for (name, value) in [
        (of_equal.as_str(), equal),
        ("weights found, topics held out", found.held_out_mean),
        ("weights found, same topics (too good)", found.fitted.mean),
    ] {
        rows.push(Row::Cells(vec![Cell::text(name), number(value)]));
    }
    let deviation = format!("Deviation of the held-out means between folds: {:.4}.", found.deviation);
    let written = if args.tuning.held_out {
        "Written: each topic with the weights of its fold."
    } else {
        "Written: all topics with the weights found on all."
    };
    let means = figures::table::Table {
        columns: vec![Column::left("Mean over all judged topics"), Column::right(bench.measure.to_string())],
        rows,
        footnotes: vec![deviation, written.to_owned()],
        ..Default::default()
    };
    format!("{}\n{}", folds.to_text(Colour::Off), means.to_text(Colour::Off))
}
