//! What is written of a model's verdicts beside their table, and what is printed: means, and how far people agree.

use ::grader::{Estimate, FEWEST, Figures, RESAMPLES, Trust};
use anyhow::{Context, Result};
use figures::table::{Cell, Colour, Column, Row, Table};
use serde::Serialize;
use std::collections::BTreeMap;

/// How verdicts were made, as it stands beside them.
#[derive(Serialize)]
pub(super) struct Record<'a> {
    pub(super) program: &'a str,
    pub(super) version: &'a str,
    pub(super) command: Vec<String>,
    pub(super) model: &'a str,
    pub(super) seed: u64,
    pub(super) topics: Input,
    pub(super) qrels: Input,
    pub(super) collection: Input,
    pub(super) runs: &'a [RunMeans],
    pub(super) agreement: Agreement,
    pub(super) calibration: Vec<Calibration<'a>>,
}

impl Record<'_> {
    /// As the text of a file.
    pub(super) fn to_json(&self) -> Result<String> {
        let json = serde_json::to_string_pretty(self).context("writing down how verdicts were made")?;
        Ok(format!("{json}\n"))
    }
}

/// A file that was read.
#[derive(Clone, Serialize)]
pub(super) struct Input {
    pub(super) file: String,
    pub(super) fingerprint: String,
}

/// An answer that people judged and the model, too.
#[derive(Serialize)]
pub(super) struct Calibration<'a> {
    pub(super) topic: &'a str,
    pub(super) post: &'a str,
    pub(super) people: i32,
    pub(super) model: Option<i32>,
    pub(super) said: &'a str,
}

/// The means over a run, by the model.
#[derive(Serialize)]
pub(super) struct RunMeans {
    run: String,
    #[serde(flatten)]
    input: Input,
    answers: usize,
    graded: usize,
    #[serde(rename = "AR_by_the_model")]
    mean: Option<f64>,
    #[serde(rename = "P@1_by_the_model")]
    precision: Option<f64>,
}

impl RunMeans {
    /// From what the model said of each answer.
    pub(super) fn of(run: &str, input: &Input, grades: &[Option<i32>]) -> Self {
        let graded: Vec<i32> = grades.iter().flatten().copied().collect();
        let mean = |sum: f64| (!graded.is_empty()).then(|| sum / graded.len() as f64);
        Self {
            run: run.to_owned(),
            input: input.clone(),
            answers: grades.len(),
            graded: graded.len(),
            mean: mean(graded.iter().map(|grade| f64::from(*grade)).sum()),
            precision: mean(graded.iter().filter(|grade| **grade >= 2).count() as f64),
        }
    }
}

/// How far people agree.
#[derive(Serialize)]
pub(super) struct Agreement {
    in_words: String,
    answers: usize,
    without_grade: usize,
    same_grade: usize,
    fewest_answers: usize,
    grades_in_sample: BTreeMap<String, usize>,
    grades_in_judgments: BTreeMap<String, usize>,
    over_sample: Option<AgreementFigures>,
    as_judged: Option<AgreementFigures>,
    may_be_chance: Option<bool>,
    resamples: usize,
}

#[derive(Serialize)]
struct AgreementFigures {
    kappa_relevant: Option<Interval>,
    kappa_graded_squared: Option<Interval>,
    mean_difference: Interval,
}

#[derive(Serialize)]
struct Interval {
    value: f64,
    interval_95: [f64; 2],
}

impl From<Trust> for Agreement {
    fn from(trust: Trust) -> Self {
        let by_grade = |counts: [usize; 4]| (0..4).map(|grade| (grade.to_string(), counts[grade])).collect();
        Self {
            in_words: trust.to_string(),
            answers: trust.answers,
            without_grade: trust.without_grade,
            same_grade: trust.same,
            fewest_answers: FEWEST,
            grades_in_sample: by_grade(trust.sample),
            grades_in_judgments: by_grade(trust.judged),
            over_sample: trust.over_sample.map(Into::into),
            as_judged: trust.as_judged.map(Into::into),
            may_be_chance: trust.is_above_chance().map(|above| !above),
            resamples: RESAMPLES,
        }
    }
}

impl From<Figures> for AgreementFigures {
    fn from(figures: Figures) -> Self {
        Self {
            kappa_relevant: figures.relevant.map(Into::into),
            kappa_graded_squared: figures.graded.map(Into::into),
            mean_difference: figures.difference.into(),
        }
    }
}

impl From<Estimate> for Interval {
    fn from(Estimate { value, low, high }: Estimate) -> Self {
        Self { value, interval_95: [low, high] }
    }
}

/// Means and agreement as one object.
pub(super) fn summary(runs: &[RunMeans], model: &str, trust: &Trust) -> Result<String> {
    #[derive(Serialize)]
    struct Summary<'a> {
        model: &'a str,
        agreement: Agreement,
        runs: &'a [RunMeans],
    }
    let json = serde_json::to_string_pretty(&Summary { model, agreement: (*trust).into(), runs })?;
    Ok(format!("{json}\n"))
}

/// Means and agreement as a table for people.
pub(super) fn table(runs: &[RunMeans], model: &str, trust: &Trust) -> String {
    let columns = vec![
        Column::left("Run"),
        Column::right("answers"),
        Column::right("graded"),
        Column::right("AR").under("by the model"),
        Column::right("P@1").under("by the model"),
    ];
    let mean = |mean: Option<f64>| mean.map_or_else(|| Cell::text("–"), |mean| Cell::number(mean, 3));
    let row = |run: &RunMeans| {
        Row::Cells(vec![
            Cell::text(&run.run),
            Cell::number(run.answers as f64, 0),
            Cell::number(run.graded as f64, 0),
            mean(run.mean),
            mean(run.precision),
        ])
    };
    let mut footnotes = vec![format!("Grades of {model}, not of people; over the answers that it graded.")];
    footnotes.extend(format!("Its {trust}.").split_inclusive(". ").map(|line| line.trim_end().to_owned()));
    if trust.over_sample.is_some() {
        footnotes.push("In brackets: 95 % intervals, by drawing these answers again.".to_owned());
    }
    Table { columns, rows: runs.iter().map(row).collect(), footnotes, ..Table::default() }
        .to_text(Colour::Off)
}
