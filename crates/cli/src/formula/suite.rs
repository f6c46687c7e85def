//! `hypatia formula suite`: how often a measure puts the better of two formulas first.

use crate::engine::{MEASURES, Measure, Measurer};
use crate::output;
use crate::{Exit, Run};
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use formula::equivalence::{Relation, Report, Share, pairs, score};
use serde::Serialize;

const LONG_ABOUT: &str = "\
Scores pairs of formulas of which people are sure: the same thing typed differently, letters \
renamed, operands swapped, and formulas that only look alike. For every two candidates of a \
query with different grades, the better one should get the higher score; printed is the share \
where it does, over all and by the relation of either candidate to the query. Equal scores \
are wrong.

With -v, every two candidates that are in the wrong order are printed, too. --by names the \
measure that is looked at, 'all' compares them all.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula suite
  hypatia formula suite -v | less
  hypatia formula suite --by all";

/// Score known pairs of formulas: is the better one put first?
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Suite {
    /// The measure of likeness, or 'all'
    #[arg(long, value_name = "MEASURE", default_value = "hypatia", value_parser = names())]
    by: String,

    /// Print what is in the wrong order
    #[arg(short, long)]
    verbose: bool,

    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// An object for each measure, one a line
    Json,
}

fn names() -> PossibleValuesParser {
    MEASURES.iter().map(|measure| measure.name).chain(["all"]).collect::<Vec<_>>().into()
}

impl Run for Suite {
    fn run(self) -> Result<Exit> {
        let mut measurer = Measurer::default();
        let wanted = MEASURES.iter().filter(|measure| self.by == "all" || self.by == measure.name);
        let reports: Vec<(&Measure, Report<'static>)> = wanted
            .map(|measure| {
                let report = score(pairs(), |query, candidate| {
                    measurer.of_latex(measure, query, candidate).unwrap_or(f64::NAN)
                });
                (measure, report)
            })
            .collect();
        let mut out = String::new();
        for (measure, report) in &reports {
            match self.format {
                Format::Json => output::push_json(&mut out, &Object::new(measure, report)),
                Format::Text if self.by == "all" => {
                    out.push_str(&format!(
                        "{:<20}{}  {}\n",
                        measure.name,
                        shown(report.overall),
                        measure.about
                    ));
                }
                Format::Text => table(&mut out, report),
            }
            if self.verbose && self.format == Format::Text {
                violations(&mut out, report);
            }
        }
        output::print(out.as_bytes())?;
        Ok(Exit::Yes)
    }
}

fn shown(share: Share) -> String {
    let value = share.value().map_or_else(|| String::from("-"), |value| format!("{value:.4}"));
    format!("{value:>8}{:>12}", format!("{}/{}", share.right, share.all))
}

fn table(out: &mut String, report: &Report<'_>) {
    out.push_str(&format!("{:<16}{:<22}{}\n", "", "  as the better one", "  as the other one"));
    for relation in Relation::ALL {
        let of = |shares: &std::collections::BTreeMap<Relation, Share>| {
            shown(shares.get(&relation).copied().unwrap_or_default())
        };
        let (better, other) = (of(&report.by_higher), of(&report.by_lower));
        out.push_str(&format!("{:<16}{better}  {other}\n", relation.name()));
    }
    out.push_str(&format!("{:<16}{}\n", "overall", shown(report.overall)));
}

fn violations(out: &mut String, report: &Report<'_>) {
    for violation in &report.violations {
        out.push_str(&format!("\n{}: {}\n", violation.higher.group, violation.higher.query));
        for (pair, score) in
            [(violation.higher, violation.higher_score), (violation.lower, violation.lower_score)]
        {
            let (grade, relation) = (pair.grade, pair.relation.name());
            out.push_str(&format!("  {score:.4}  grade {grade}  {relation:<14}  {}\n", pair.candidate));
        }
    }
}

#[derive(Serialize)]
struct Object {
    measure: &'static str,
    overall: ShareObject,
    relations: Vec<RelationObject>,
    violations: Vec<ViolationObject>,
}

#[derive(Serialize)]
struct RelationObject {
    relation: &'static str,
    better: ShareObject,
    other: ShareObject,
}

#[derive(Serialize)]
struct ShareObject {
    share: Option<f64>,
    right: usize,
    all: usize,
}

#[derive(Serialize)]
struct ViolationObject {
    group: &'static str,
    query: &'static str,
    better: &'static str,
    better_score: f64,
    other: &'static str,
    other_score: f64,
}

impl From<Share> for ShareObject {
    fn from(share: Share) -> Self {
        Self { share: share.value(), right: share.right, all: share.all }
    }
}

impl Object {
    fn new(measure: &Measure, report: &Report<'static>) -> Self {
        let relation = |relation: Relation| RelationObject {
            relation: relation.name(),
            better: report.by_higher.get(&relation).copied().unwrap_or_default().into(),
            other: report.by_lower.get(&relation).copied().unwrap_or_default().into(),
        };
        let violations = report.violations.iter().map(|violation| ViolationObject {
            group: violation.higher.group,
            query: violation.higher.query,
            better: violation.higher.candidate,
            better_score: violation.higher_score,
            other: violation.lower.candidate,
            other_score: violation.lower_score,
        });
        Self {
            measure: measure.name,
            overall: report.overall.into(),
            relations: Relation::ALL.into_iter().map(relation).collect(),
            violations: violations.collect(),
        }
    }
}
