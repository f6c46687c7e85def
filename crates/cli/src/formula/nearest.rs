//! `hypatia formula nearest`: the formulas of an index whose embeddings are nearest to that of a formula.

use crate::place::find_index;
use crate::{Exit, Run, models, nearest, output};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use figures::table::{Cell, Colour, Column, Row, Table};
use formula::text::write_text;
use latex::Mode;
use retrieve::{Deadline, Engine};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Lists the formulas of an index whose embeddings are nearest to that of a formula: the cosine of their vectors, the \
visual id, and the formula. The formula need not be in the index: parts that the model does not know are made of \
sub-words.

The index needs vectors of formulas. `hypatia train vectors` trains a model on the formulas of a collection, and \
`hypatia index -o INDEX --encode NAME --of formulas` adds its vectors. Without --model, the first model is used whose \
vectors the index has. If nothing is found, the exit code is 1.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula nearest 'x^2+y^2=z^2' --index math.index
  hypatia formula nearest '\\int_0^1 f' --model cft-opt -n 20
  hypatia formula nearest 'e^{i\\pi}' --format json | jq -r .latex";

/// Longer formulas are cut in the table.
const SHOWN: usize = 120;

/// List the formulas of an index that are nearest by embedding
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Nearest {
    /// The formula, as LaTeX
    formula: String,

    /// The index [default: that of the settings, see hypatia config]
    #[arg(short, long, value_name = "INDEX")]
    index: Option<PathBuf>,

    /// The model whose vectors are compared [default: the first that the index has vectors by]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,

    /// How many formulas are listed
    #[arg(short = 'n', long, value_name = "N", default_value = "10")]
    limit: NonZeroUsize,

    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for people
    Text,
    /// One JSON object per line
    Json,
}

#[derive(Serialize)]
struct Line<'l> {
    rank: usize,
    visual_id: u64,
    cosine: f64,
    latex: &'l str,
}

impl Run for Nearest {
    fn run(self) -> Result<Exit> {
        let index = find_index(self.index.as_deref())?;
        let engine = Engine::open(&index, models::resources()?)?;
        let known = engine.formula_models();
        let model = match (&self.model, known.first()) {
            (Some(model), _) if !known.contains(model) && !known.is_empty() => {
                bail!(
                    "{}: has no vectors of formulas by {model}; {}",
                    index.display(),
                    nearest::suggest(model, &known)
                )
            }
            (Some(model), Some(_)) => model,
            (None, Some(first)) => first,
            (_, None) => bail!(
                "{0}: has no vectors of formulas whose model is here; train one with `hypatia train vectors`, then add \
                 its vectors with `hypatia index -o {0} --encode NAME --of formulas`",
                index.display()
            ),
        };
        let hits = engine.nearest_formulas(&self.formula, model, self.limit.get(), &Deadline::never())?;
        let mut out = String::new();
        let columns = vec![Column::right("cosine"), Column::right("visual id"), Column::left("formula")];
        let mut table = Table { columns, ..Table::default() };
        for (rank, hit) in (1..).zip(&hits) {
            let latex = engine.formula_latex(hit);
            match self.format {
                Format::Json => {
                    let line = Line { rank, visual_id: hit.visual_id, cosine: hit.score, latex };
                    output::push_json(&mut out, &line);
                }
                Format::Text => {
                    let text =
                        write_text(&latex::Reader::default().read(latex.as_bytes(), Mode::Document).tree);
                    let shown: String = text.chars().take(SHOWN).collect();
                    table.rows.push(Row::Cells(vec![
                        Cell::number(hit.score, 4),
                        Cell::text(hit.visual_id.to_string()),
                        Cell::text(shown),
                    ]));
                }
            }
        }
        if self.format == Format::Text && !hits.is_empty() {
            out = table.to_text(Colour::Off);
        }
        output::print(out.as_bytes())?;
        Ok(if hits.is_empty() { Exit::No } else { Exit::Yes })
    }
}
