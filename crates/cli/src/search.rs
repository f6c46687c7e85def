//! `hypatia search`: what a person typed, found and shown in a terminal.

mod print;

use crate::place::find_index;
use crate::{Exit, Run, output, systems};
use anyhow::Result;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use print::Colours;
use retrieve::people::{SearchOptions, Sort};
use retrieve::typed::{Typed, Understanding};
use retrieve::{DEFAULT_SEARCH, Engine, Pipeline};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use web::{Reasons, Shown};

const LONG_ABOUT: &str = "\
Finds posts by words and formulas and shows them with what was found in them.

What can be typed:
  words                 inverse of a matrix
  formulas              $x^2+y^2$, \\(x\\), or without marks where they look like formulas: a^2+b^2>=2ab
  wildcards in them     $\\int ?f dx$: ?f stands for anything, the same name for the same thing
  must, must not        +word  -word  \"these words in this order\"  -\"not these\"  +$x^2$
                        +$x^2$ letters:any: the formula with any letters
  filters               tag:calculus or [calculus]  is:question  is:answer  is:accepted  user:name
                        score:>5  answers:0  year:2015  date:2015-03..2016; with - before, the opposite

Nothing is an error: what is not understood is searched as text, and a note says so. docs/search.md \
says what ranks how. Query words may come as several arguments. Put quotation marks of the shell around \
a query with $, \\, ? or *, and -- before one that begins with a hyphen.

Without --index it uses the index of the settings (`hypatia config` shows them), by default hypatia.index \
in the current folder. If nothing is found, the exit code is 1.";

const EXAMPLES: &str = "\
Examples:
  hypatia search --index math.index 'sum of squares $\\sum k^2$'
  hypatia search 'eigenvalues \"symmetric matrix\" is:answer score:>2'
  hypatia search '$\\int_0^1 ?f dx$' --formulas
  hypatia search 'cauchy inequality' --explain --limit 3
  hypatia search 'tag:calculus answers:0' --page 2
  hypatia search 'prime' --sort votes
  hypatia search 'prime' --json | jq '.hits[].title'";

/// Search posts by words and formulas
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Search {
    /// What to search for
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,

    /// The index [default: that of the settings, see hypatia config]
    #[arg(short, long, value_name = "INDEX")]
    index: Option<PathBuf>,

    /// How many posts are shown
    #[arg(short = 'n', long, value_name = "N", default_value = "10")]
    limit: NonZeroUsize,

    /// Which page of them
    #[arg(short, long, value_name = "N", default_value = "1")]
    page: NonZeroUsize,

    /// Order of the results: votes and date sort the best 10,000, most votes or newest first
    #[arg(long, value_name = "ORDER", default_value = "relevance", value_parser = sorts())]
    sort: Sort,

    /// The name of a system that ranks posts, or a file
    #[arg(long, value_name = "NAME", default_value = DEFAULT_SEARCH)]
    system: String,

    /// Show the formulas of the index that are most like those of the query, too
    #[arg(long)]
    formulas: bool,

    /// Say what each word and formula is worth, and which parts of formulas agree
    #[arg(long)]
    explain: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Search for the query as typed: correct no words, and read only marked formulas, as LaTeX
    #[arg(long)]
    literal: bool,

    /// Whether to colour; 'auto' does on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: output::Colour,
}

impl Run for Search {
    fn run(self) -> Result<Exit> {
        let query = self.query.join(" ");
        let understanding = if self.literal { Understanding::Literal } else { Understanding::Helpful };
        let typed = Typed::read_as(&query, understanding);
        let system = systems::find(&self.system)?;
        let pipeline = Pipeline::compile(system, &systems::find_member, &BTreeMap::new())?;
        let options = SearchOptions {
            pipeline: Arc::new(pipeline),
            limit: self.limit.get(),
            offset: (self.page.get() - 1).saturating_mul(self.limit.get()),
            sort: self.sort,
            understanding,
            ..SearchOptions::default()
        };
        let engine = Engine::open(&find_index(self.index.as_deref())?, crate::models::resources()?)?;
        let results = engine.search(&typed, &options)?;
        let out = if self.json {
            // The same object that the API gives.
            let shown = Shown { reasons: Reasons::Told, ..Shown::default() };
            web::search_json(&query, &typed, &results, shown) + "\n"
        } else {
            let mut printer =
                print::Printer::new(if self.color.is_on() { Colours::On } else { Colours::Off });
            printer.notes(&query, &typed, &results);
            if self.formulas {
                printer.formulas(&typed, &results);
            }
            for hit in &results.hits {
                printer.hit(hit);
                if self.explain {
                    printer.reasons(&typed, hit);
                }
            }
            printer.summary(&results);
            printer.out
        };
        output::print(out.as_bytes())?;
        Ok(if results.hits.is_empty() { Exit::No } else { Exit::Yes })
    }
}

/// Reads the name of an order.
fn sorts() -> impl TypedValueParser<Value = Sort> {
    let names = PossibleValuesParser::new(Sort::ALL.map(Sort::name));
    names.map(|name| Sort::named(&name).unwrap_or_default())
}
