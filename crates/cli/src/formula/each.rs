//! What the commands that turn each formula into one value have in common.

use crate::engine::{Engine, Formula, Notation};
use crate::input::{InputArgs, Item, Source};
use crate::output::{self, Format};
use crate::{Exit, stream};
use anyhow::Result;
use clap::Args;
use latex::Mode;

/// The arguments of these commands.
#[derive(Debug, Args)]
pub(crate) struct EachArgs {
    #[command(flatten)]
    input: InputArgs,

    /// What the formulas are written in [default: latex, or what the column is named after]
    #[arg(long, value_name = "NOTATION")]
    from: Option<Notation>,

    /// Read the formulas as queries: '?', '?x' and '?1' are wildcards
    #[arg(long)]
    query: bool,

    /// How to print [default: tsv; a single formula given as an argument: just the value]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
}

impl EachArgs {
    /// Whether the formulas are said to be operator trees.
    pub(crate) fn is_opt(&self) -> bool {
        self.from == Some(Notation::Opt)
    }

    /// Prints `value` of each formula in a column called `name`.
    pub(crate) fn run(
        &self,
        name: &'static str,
        value: impl Fn(&mut Engine, Formula<'_>) -> String + Send + Sync + 'static,
    ) -> Result<Exit> {
        let source = self.input.open(&[])?;
        let notation = source.layout_notation(self.from)?;
        self.print(source, notation, name, value)
    }

    /// The same for what need not look like anything: operator trees, too.
    pub(crate) fn run_any(
        &self,
        name: &'static str,
        value: impl Fn(&mut Engine, Formula<'_>) -> String + Send + Sync + 'static,
    ) -> Result<Exit> {
        let source = self.input.open(&[])?;
        let notation = source.notation(self.from);
        self.print(source, notation, name, value)
    }

    fn print(
        &self,
        source: Source,
        notation: Notation,
        name: &'static str,
        value: impl Fn(&mut Engine, Formula<'_>) -> String + Send + Sync + 'static,
    ) -> Result<Exit> {
        let mode = mode(self.query);
        let format = if source.is_single() { self.format } else { Some(self.format.unwrap_or(Format::Tsv)) };
        if format == Some(Format::Tsv) {
            output::print(format!("id\t{name}\n").as_bytes())?;
        }
        let work = move |engine: &mut Engine, item: &Item<'_>, out: &mut String| {
            let value = value(engine, Formula { notation, mode, source: &item.formula });
            match format {
                None => {
                    out.push_str(&value);
                    out.push('\n');
                }
                Some(Format::Tsv) => output::push_row(out, &[&item.id, &value]),
                Some(Format::Json) => output::push_pairs(out, &[("id", &item.id), (name, &value)]),
            }
        };
        stream::each(source, self.input.threads(), work, |out| output::print(out.as_bytes()))?;
        Ok(Exit::Yes)
    }
}

/// How LaTeX is read.
pub(super) fn mode(query: bool) -> Mode {
    if query { Mode::Query } else { Mode::Document }
}
