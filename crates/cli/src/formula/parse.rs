//! `hypatia formula parse`: the layout tree of LaTeX, and what is wrong with it.

mod report;
mod source_line;

use super::each::mode;
use crate::engine::Engine;
use crate::input::{InputArgs, Item};
use crate::{Exit, Run, output, stream};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use report::Report;
use serde::Serialize;

const LONG_ABOUT: &str = "\
Reads LaTeX into a layout tree and says what was noticed on the way.

A single formula is shown as a tree, each node with the bytes it came from, and each \
remark under the place it is about. A file gives a row for each formula: how many errors \
it has, and all remarks. With --report, remarks are counted over the whole file instead, \
by kind and by unknown command, with examples.

An error means that part of the formula could not be placed in the tree and is kept as an \
opaque symbol; everything else is a warning.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula parse '\\frac{a}{b}^\\foo'
  hypatia formula parse formulas.txt | awk -F'\\t' '$2 > 0'
  hypatia formula parse posts.tsv --report
  hypatia formula parse posts.tsv --report --format json | jq .commands";

/// Print layout trees and remarks, or count remarks over a file
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Parse {
    #[command(flatten)]
    input: InputArgs,

    /// Count remarks by kind and by unknown command, with examples
    #[arg(long)]
    report: bool,

    /// Read the formulas as queries: '?', '?x' and '?1' are wildcards
    #[arg(long)]
    query: bool,

    /// How to print [default: text; formulas of a file without --report: tsv]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: trees with remarks, or a table of counts
    Text,
    /// Id, number of errors, remarks; not for --report
    Tsv,
    /// An object for each formula, one a line; with --report, one object
    Json,
}

impl Run for Parse {
    fn run(self) -> Result<Exit> {
        if self.report {
            return self.report();
        }
        let source = self.input.open_latex()?;
        let single = source.is_single();
        let mode = mode(self.query);
        let format = self.format.unwrap_or(if single { Format::Text } else { Format::Tsv });
        if format == Format::Tsv {
            output::print(b"id\terrors\tdiagnostics\n")?;
        }
        let work = move |engine: &mut Engine, item: &Item<'_>, out: &mut String| {
            let parse = engine.parse(&item.formula, mode);
            match format {
                Format::Text if single => push_text(out, &item.formula, parse),
                Format::Text => {
                    out.push_str(&format!("{}: {}\n", item.id, item.formula));
                    push_text(out, &item.formula, parse);
                    out.push('\n');
                }
                Format::Tsv => push_row(out, &item.id, parse),
                Format::Json => push_object(out, &item.id, parse),
            }
        };
        stream::each(source, self.input.threads(), work, |out| output::print(out.as_bytes()))?;
        Ok(Exit::Yes)
    }
}

impl Parse {
    fn report(&self) -> Result<Exit> {
        let format = self.format.unwrap_or(Format::Text);
        if format == Format::Tsv {
            bail!("--report prints text or json, not tsv");
        }
        let source = self.input.open_latex()?;
        let mut total = Report::default();
        let mode = mode(self.query);
        let work = move |engine: &mut Engine, item: &Item<'_>, report: &mut Report| {
            report.add(&item.id, &item.formula, &engine.parse(&item.formula, mode).diagnostics);
        };
        stream::each(source, self.input.threads(), work, |part: Report| {
            total.join(part);
            Ok(())
        })?;
        let out = if format == Format::Json { total.json() } else { total.table() };
        output::print(out.as_bytes())?;
        Ok(Exit::Yes)
    }
}

fn push_text(out: &mut String, source: &str, parse: &latex::Parse) {
    out.push_str(&parse.tree.to_string());
    for diagnostic in &parse.diagnostics {
        let severity = if diagnostic.kind.is_error() { "error" } else { "warning" };
        out.push_str(&format!("{severity}: {}: {}\n", diagnostic.kind, diagnostic.message));
        out.push_str(&source_line::show(source, diagnostic.span.range()));
    }
}

fn errors(parse: &latex::Parse) -> usize {
    parse.diagnostics.iter().filter(|diagnostic| diagnostic.kind.is_error()).count()
}

fn push_row(out: &mut String, id: &str, parse: &latex::Parse) {
    let remarks: Vec<String> = parse
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let latex::Span { start, end } = diagnostic.span;
            format!("{}@{start}-{end}: {}", diagnostic.kind, diagnostic.message)
        })
        .collect();
    output::push_row(out, &[id, &errors(parse).to_string(), &remarks.join("; ")]);
}

#[derive(Serialize)]
struct FormulaObject<'a> {
    id: &'a str,
    errors: usize,
    diagnostics: Vec<DiagnosticObject<'a>>,
}

#[derive(Serialize)]
struct DiagnosticObject<'a> {
    kind: &'static str,
    error: bool,
    start: u32,
    end: u32,
    message: &'a str,
}

fn push_object(out: &mut String, id: &str, parse: &latex::Parse) {
    let diagnostics = parse
        .diagnostics
        .iter()
        .map(|diagnostic| DiagnosticObject {
            kind: diagnostic.kind.name(),
            error: diagnostic.kind.is_error(),
            start: diagnostic.span.start,
            end: diagnostic.span.end,
            message: &diagnostic.message,
        })
        .collect();
    output::push_json(out, &FormulaObject { id, errors: errors(parse), diagnostics });
}
