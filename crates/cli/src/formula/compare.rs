//! `hypatia formula compare`: how alike formulas are, and why.

mod parts;
mod print;

use crate::engine::{Alike, Formula, MEASURES, Measurer, Notation, term_weights};
use crate::{Exit, Run, output};
use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use latex::Mode;
use parts::{PartPair, Parts, Replaced};
use print::Colours;
use serde::Serialize;
use std::ffi::OsString;

const LONG_ABOUT: &str = "\
Says how alike a candidate is to a query, and why: the score with every term it is made of, \
then both formulas with a mark under each part that says what became of it, the parts that \
lie on each other, the letters that were renamed, what wildcards stand for, and how many \
operands changed places. Of several candidates, a ranking is printed; with -v, the details \
of each, too.

In LaTeX, '?x' and '\\qvar{x}' in the query are wildcards. Formulas that are not LaTeX are shown \
as the LaTeX made from them. Put '--' before formulas that start with a hyphen, after all options. With --all, every other measure of likeness stands beside the score.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula compare 'x^2+y^2=z^2' 'a^2+b^2=c^2'
  hypatia formula compare '\\int_0^1 ?f dx' '\\int_0^1 x^2 dx' '\\sum_0^1 x^2' -v
  hypatia formula compare 'a+b' 'b+a' --all
  hypatia formula compare --color never -- '-x+1' '1-x'
  hypatia formula compare 'a+b' 'b+a' --format json | jq '.candidates[].score'";

/// Say how alike formulas are, and why
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Compare {
    /// The formula that is looked for
    query: OsString,

    /// A formula that may be found
    #[arg(required = true, value_name = "CANDIDATE")]
    candidates: Vec<OsString>,

    /// What the formulas are written in
    #[arg(long, value_name = "NOTATION", default_value = "latex")]
    from: Notation,

    /// Print every other measure of likeness, too
    #[arg(long)]
    all: bool,

    /// Print the details of every candidate, not of a single one only
    #[arg(short, long)]
    verbose: bool,

    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Whether to colour; 'auto' does on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: output::Colour,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One object with everything, all measures included
    Json,
}

/// A term of a score.
#[derive(Clone, Debug, Serialize)]
struct Term {
    term: &'static str,
    value: f32,
    weight: f32,
    /// What it adds to the score.
    adds: f32,
}

/// A measure of likeness; none where it needs a tree that is not there.
#[derive(Clone, Debug, Serialize)]
struct Measured {
    measure: &'static str,
    value: Option<f64>,
    #[serde(skip)]
    about: &'static str,
}

/// What was found out about a candidate.
#[derive(Debug)]
struct Compared {
    candidate: String,
    /// Its place on the command line, from 1.
    number: usize,
    /// As LaTeX.
    shown: String,
    score: f32,
    terms: Vec<Term>,
    parts: Option<Parts>,
    measures: Vec<Measured>,
}

impl Run for Compare {
    fn run(self) -> Result<Exit> {
        let query = self.query.to_string_lossy();
        let mut alike = Alike::default();
        let shown = alike.shown(self.formula(&query, Mode::Query)).unwrap_or_default();
        let mut compared = Vec::new();
        for (candidate, number) in self.candidates.iter().zip(1..) {
            compared.push(self.compare(&mut alike, &query, &candidate.to_string_lossy(), number)?);
        }
        // Equal scores stay in the order in which they were given.
        compared.sort_by(|one, other| other.score.total_cmp(&one.score));
        let mut out = String::new();
        match self.format {
            Format::Json => output::push_json(&mut out, &json(&query, &compared)),
            Format::Text => self.text(&mut out, &shown, &compared),
        }
        output::print(out.as_bytes())?;
        Ok(Exit::Yes)
    }
}

impl Compare {
    fn formula<'s>(&self, source: &'s str, mode: Mode) -> Formula<'s> {
        Formula { notation: self.from, mode, source }
    }

    fn compare(&self, alike: &mut Alike, query: &str, candidate: &str, number: usize) -> Result<Compared> {
        let sources = [self.formula(query, Mode::Query), self.formula(candidate, Mode::Document)];
        let unread = |what: String| move |reason: String| anyhow!("{what} cannot be read: {reason}");
        let ours = alike.read(sources[0]).map_err(unread("the query".to_owned()))?;
        let theirs = alike.read(sources[1]).map_err(unread(format!("candidate {number}")))?;
        let score = alike.score(&ours, &theirs);
        // What has no layout is not compared by it.
        let counts = |term: formula::matching::Term| self.from != Notation::Opt || !term.needs_layout();
        let weights = term_weights();
        let sum: f32 = weights.iter().filter(|(term, _)| counts(*term)).map(|(_, weight)| weight).sum();
        let terms = weights
            .into_iter()
            .zip(score.terms)
            .filter(|((term, _), _)| counts(*term))
            .map(|((term, weight), value)| Term {
                term: term.name(),
                value,
                weight,
                adds: value * weight / sum,
            })
            .collect();
        let (shown, parts) = match (alike.shown(sources[0]), alike.shown(sources[1])) {
            (Some(query), Some(candidate)) => {
                // The same trees when they were LaTeX; else what is shown must know where it was typed.
                let latex = |source, mode| Formula { notation: Notation::Latex, mode, source };
                let ours = alike.read(latex(&query, Mode::Query)).map_err(|reason| anyhow!(reason))?;
                let theirs =
                    alike.read(latex(&candidate, Mode::Document)).map_err(|reason| anyhow!(reason))?;
                alike.score(&ours, &theirs);
                let parts = Parts::new(alike.alignment(), (&ours, &query), (&theirs, &candidate));
                (candidate.into_owned(), Some(parts))
            }
            _ => (candidate.to_owned(), None),
        };
        let measures = if self.all || self.format == Format::Json {
            measure(sources[0], sources[1])
        } else {
            Vec::new()
        };
        Ok(Compared {
            candidate: candidate.to_owned(),
            number,
            shown,
            score: score.value,
            terms,
            parts,
            measures,
        })
    }

    fn text(&self, out: &mut String, query: &str, compared: &[Compared]) {
        let colours = if self.color.is_on() { Colours::On } else { Colours::Off };
        let single = compared.len() == 1;
        if !single {
            for (one, rank) in compared.iter().zip(1..) {
                out.push_str(&format!("{rank:>3}  {:.4}  {}\n", one.score, print::short(&one.candidate)));
            }
        }
        for (one, rank) in compared.iter().zip(1..) {
            let headed = !single && (self.verbose || self.all);
            if headed {
                out.push_str(&format!("\n{rank}: {}\n", print::short(&one.candidate)));
            }
            if single || self.verbose {
                print::details(out, query, one, colours);
            }
            if self.all {
                print::measures(out, &one.measures);
            }
        }
    }
}

/// Every measure of two formulas.
fn measure(query: Formula<'_>, candidate: Formula<'_>) -> Vec<Measured> {
    let mut measurer = Measurer::default();
    let (Ok(query), Ok(candidate)) = (measurer.read(query), measurer.read(candidate)) else {
        return Vec::new();
    };
    let measured = |measure: &crate::engine::Measure| Measured {
        measure: measure.name,
        value: measurer.value(measure, &query, &candidate),
        about: measure.about,
    };
    MEASURES.iter().map(measured).collect()
}

#[derive(Serialize)]
struct ComparisonObject<'a> {
    query: &'a str,
    candidates: Vec<CandidateObject<'a>>,
}

#[derive(Serialize)]
struct CandidateObject<'a> {
    rank: usize,
    number: usize,
    candidate: &'a str,
    latex: &'a str,
    score: f32,
    terms: &'a [Term],
    measures: &'a [Measured],
    pairs: &'a [PartPair],
    renamed: &'a [Replaced],
    wildcards: &'a [Replaced],
    moved: u32,
}

fn json<'a>(query: &'a str, compared: &'a [Compared]) -> ComparisonObject<'a> {
    let candidates = compared
        .iter()
        .zip(1..)
        .map(|(one, rank)| {
            let parts = one.parts.as_ref();
            CandidateObject {
                rank,
                number: one.number,
                candidate: &one.candidate,
                latex: parts.map_or("", |_| &one.shown),
                score: one.score,
                terms: &one.terms,
                measures: &one.measures,
                pairs: parts.map_or(&[], |parts| &parts.pairs),
                renamed: parts.map_or(&[], |parts| &parts.renamed),
                wildcards: parts.map_or(&[], |parts| &parts.wildcards),
                moved: parts.map_or(0, |parts| parts.moved),
            }
        })
        .collect();
    ComparisonObject { query, candidates }
}
