//! `hypatia model list`: all models of the store.

use super::{Format, StoreArgs, info, size};
use crate::output::{self, note};
use crate::{Exit, Run, warn};
use anyhow::Result;
use clap::Args;
use figures::table::{Cell, Colour, Column, Row, Table};
use shelf::Exposure;

const LONG_ABOUT: &str = "\
Lists the models of the store with kind, family, dimensions, length limit in tokens and size. `Math SE` says \
whether a model was trained on Math Stack Exchange, the site of ARQMath's collections: `yes`; `likely`, if it was \
trained on Stack Exchange and nothing says which sites; or nothing, if nothing is known.

Unfinished downloads are listed on standard error.";

const EXAMPLES: &str = "\
Examples:
  hypatia model list
  hypatia model list --format json
  hypatia model list --models /srv/models";

/// List the models of the store
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct List {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    store: StoreArgs,
}

impl Run for List {
    fn run(self) -> Result<Exit> {
        let store = self.store.open()?;
        let listing = store.list()?;
        let mut columns: Vec<Column> = ["name", "kind", "family"].map(Column::left).into();
        columns.extend(["dimensions", "tokens", "size"].map(Column::right));
        columns.extend(["Math SE", "source"].map(Column::left));
        let mut table = Table { columns, ..Table::default() };
        let mut json = String::new();
        let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        for found in &listing.models {
            let facts = &found.facts;
            match self.format {
                Format::Json => info::push_json(&mut json, found),
                Format::Text => {
                    let cells = [
                        facts.name.clone(),
                        facts.kind.to_string(),
                        facts.family.clone(),
                        number(facts.dimensions),
                        number(facts.max_tokens),
                        size(facts.size()),
                        exposure(facts.math_stack_exchange()).to_owned(),
                        facts.source.clone(),
                    ];
                    table.rows.push(Row::Cells(cells.map(|cell| Cell::text(&cell)).into()));
                }
            }
        }
        match self.format {
            Format::Json => output::print(json.as_bytes())?,
            Format::Text if listing.models.is_empty() => {
                note(&format!("no models in {}", store.folder().display()));
            }
            Format::Text => output::print(table.to_text(Colour::Off).as_bytes())?,
        }
        for unfinished in &listing.unfinished {
            note(&format!(
                "{}: an unfinished download ({}); fetch it again to resume, or remove it",
                unfinished.name,
                size(unfinished.size)
            ));
        }
        listing.damaged.iter().for_each(|error| warn(&error.to_string()));
        Ok(if listing.damaged.is_empty() { Exit::Yes } else { Exit::No })
    }
}

fn exposure(exposure: Exposure) -> &'static str {
    match exposure {
        Exposure::Yes | Exposure::Topics => "yes",
        Exposure::Likely => "likely",
        Exposure::Unknown => "",
    }
}
