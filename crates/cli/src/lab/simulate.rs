//! `hypatia lab simulate`: what adaptive judging would have saved.

use super::pool::MethodName;
use crate::output;
use crate::{Exit, Run};
use ::formats::qrels::{Qrels, Scale};
use ::formats::run::{Run as RankedRun, RunKind, RunLayout};
use ::formats::{RunTag, Source};
use ::pool::simulate::{Replay, Replayed, Setting};
use ::pool::{Extent, PooledRun, Reading, Standing, Unit};
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use eval::TopicPolicy;
use figures::chart::{Lines, Range, Series};
use figures::table::{Cell, Colour, Column, Row, Table};
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Judges again what was judged, one item after the other, in the order that a method chooses, and tells \
after each share of the judgments how alike the order of the runs is to the order by all judgments \
(Kendall's tau-b) and how many relevant items were found. So one sees what adaptive judging would have \
saved on judgments that exist.

Only judged items can be judged again, and only those that the runs at hand returned: see the \
documentation for what that means. Chance decides between equals, so every method is run with several \
seeds and the mean is printed, with the share of judgments from which on tau stays at or above --tau in \
every one of them.";

const EXAMPLES: &str = "\
Examples:
  hypatia lab simulate runs/*.tsv --qrels task1.qrels
  hypatia lab simulate runs/*.tsv --qrels task1.qrels --measure \"AP'(rel=2)\" --depth 100
  hypatia lab simulate runs/*.trec --qrels task2.qrels --task 2 --tau 0.95 --plot saving.svg";

/// See what adaptive judging would have saved
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Simulate {
    /// Runs
    #[arg(value_name = "RUN", required = true, num_args = 2..)]
    runs: Vec<PathBuf>,

    /// The judgments
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,

    /// 1: answers; 2: formulas, as TREC runs of visual ids
    #[arg(long, value_name = "N", default_value = "1")]
    task: Ranked,

    /// By what runs are put in order
    #[arg(long, value_name = "MEASURE", default_value = "nDCG'")]
    measure: String,

    /// How deep runs are pooled [default: whole]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// From which grade on an item is relevant
    #[arg(long, value_name = "GRADE", default_value_t = 2)]
    level: i32,

    /// The methods, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_values = ["rank-by-rank", "random", "move-to-front", "max-mean", "max-mean-last"])]
    methods: Vec<MethodName>,

    /// What tau is asked for
    #[arg(long, value_name = "TAU", default_value_t = 0.9)]
    tau: f64,

    /// How many seeds, counted from 1
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,

    /// Where a chart goes, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Ranked {
    /// Answers to questions
    #[value(name = "1")]
    One,
    /// Formulas
    #[value(name = "2")]
    Two,
}

/// The shares of judgments that are looked at: every 2.5 %.
fn shares() -> Vec<f64> {
    (1..=40).map(|step| f64::from(step) * 0.025).collect()
}

impl Run for Simulate {
    fn run(self) -> Result<Exit> {
        ensure!((0.0..=1.0).contains(&self.tau), "--tau is from 0 to 1, not {}", self.tau);
        let chart = self.plot.as_deref().map(output::WholeFile::create).transpose()?;
        let measure: eval::Measure =
            self.measure.parse().with_context(|| format!("--measure {}", self.measure))?;
        let (qrels, _) = Qrels::read(Source::path(&self.qrels), Scale::Plain)?;
        let (kind, unit) = match self.task {
            Ranked::One => (RunKind::Documents, Unit::Posts),
            Ranked::Two => (RunKind::Formulas, Unit::VisualIds),
        };
        let runs: Vec<RankedRun> = self
            .runs
            .iter()
            .map(|path| Ok(RankedRun::read(Source::path(path), kind)?))
            .collect::<Result<_>>()?;
        for run in &runs {
            ensure!(
                self.task == Ranked::One || run.layout() == RunLayout::Trec,
                "{}: runs of formulas must be of visual ids, in TREC's columns",
                run.name()
            );
        }
        let pooled: Vec<PooledRun<'_>> = runs
            .iter()
            .map(|run| PooledRun { name: RunTag::new(run.name()), run, standing: Standing::Primary })
            .collect();
        let extent = Extent::depth(self.depth.unwrap_or(usize::MAX));
        let replay = Replay::new(Setting {
            runs: &pooled,
            reading: Reading::new(unit),
            extent,
            qrels: &qrels,
            level: self.level,
            measure: &measure,
            policy: TopicPolicy::All,
        })?;
        let mut results: Vec<(MethodName, Vec<Replayed>)> = Vec::new();
        for method in &self.methods {
            let seeds: Vec<u64> = (1..=self.seeds).collect();
            let replayed = parallel::map(&seeds, |seed| replay.run(method.method(), *seed, &shares()));
            results.push((*method, replayed.into_iter().collect::<Result<_, _>>()?));
        }
        output::print(self.table(&results, runs.len()).to_text(Colour::Off).as_bytes())?;
        if let Some(chart) = chart {
            chart.write(self.chart(&results).as_bytes())?;
        }
        Ok(Exit::Yes)
    }
}

/// The mean over seeds of what holds at a share.
fn mean(replayed: &[Replayed], point: usize, value: fn(&::pool::simulate::Point) -> f64) -> f64 {
    let values: Vec<f64> = replayed.iter().map(|replayed| value(&replayed.points[point])).collect();
    #[expect(clippy::cast_precision_loss, reason = "few seeds")]
    let count = values.len() as f64;
    values.iter().sum::<f64>() / count
}

fn tau_of(point: &::pool::simulate::Point) -> f64 {
    // All runs equal means that their order is not known at all.
    point.tau.unwrap_or(0.0)
}

impl Simulate {
    /// The share from which on tau is high enough with every seed.
    fn steady(&self, replayed: &[Replayed]) -> Option<f64> {
        let each: Option<Vec<f64>> = replayed.iter().map(|replayed| replayed.steady_from(self.tau)).collect();
        each.and_then(|shares| shares.into_iter().reduce(f64::max))
    }

    fn table(&self, results: &[(MethodName, Vec<Replayed>)], runs: usize) -> Table {
        let shown = [0.05, 0.1, 0.2, 0.3, 0.5];
        let points: Vec<usize> = shown
            .iter()
            .filter_map(|share| shares().iter().position(|point| (point - share).abs() < 1e-9))
            .collect();
        let mut columns =
            vec![Column::left("Method"), Column::right(format!("judgments for tau {}", self.tau))];
        columns.push(Column::right("saved"));
        columns.extend(
            shown.iter().map(|share| Column::right(format!("{:.0} %", share * 100.0)).under("tau after")),
        );
        columns.extend(
            shown
                .iter()
                .map(|share| Column::right(format!("{:.0} %", share * 100.0)).under("relevant found after")),
        );
        let rows = results.iter().map(|(method, replayed)| {
            let steady = self.steady(replayed);
            let percent = |share: f64| Cell::text(format!("{:.1} %", share * 100.0));
            let mut cells = vec![Cell::text(method.method().name())];
            cells.push(steady.map_or_else(|| Cell::text("all"), percent));
            cells.push(steady.map_or_else(|| percent(0.0), |share| percent(1.0 - share)));
            cells.extend(points.iter().map(|point| Cell::number(mean(replayed, *point, tau_of), 3)));
            cells.extend(
                points.iter().map(|point| Cell::number(mean(replayed, *point, |point| point.found), 3)),
            );
            Row::Cells(cells)
        });
        let first = results.first().and_then(|(_, replayed)| replayed.first());
        let (judgments, relevant) = first.map_or((0, 0), |replayed| (replayed.judgments, replayed.relevant));
        Table {
            caption: vec![format!(
                "{runs} runs by {}; {judgments} judgments of what they returned, {relevant} of grade {} or more",
                self.measure, self.level
            )],
            columns,
            rows: rows.collect(),
            footnotes: vec![
                format!(
                    "Judgments for tau: the share from which on it stays there with each of {} seeds; other values are means over seeds.",
                    self.seeds
                ),
                "Only what was judged and what these runs returned can be judged again; ranks are those in the files."
                    .to_owned(),
            ],
        }
    }

    fn chart(&self, results: &[(MethodName, Vec<Replayed>)]) -> String {
        let series = results.iter().map(|(method, replayed)| Series {
            name: method.method().name().to_owned(),
            points: shares()
                .iter()
                .enumerate()
                .map(|(at, share)| (share * 100.0, mean(replayed, at, tau_of)))
                .collect(),
            band: Vec::new(),
        });
        Lines {
            title: "How soon the order of the runs is known".to_owned(),
            x_label: "judged, in percent".to_owned(),
            y_label: "Kendall's tau-b with the order by all judgments".to_owned(),
            series: series.collect(),
            x_range: Range::Data,
            y_range: Range::Data,
            decimals: 3,
            ..Lines::default()
        }
        .to_svg()
    }
}
