//! `hypatia config`: the settings in force, and where each comes from.

use crate::output::push_json;
use crate::settings::Settings;
use crate::{Exit, Run, output};
use anyhow::Result;
use clap::{Args, ValueEnum};
use figures::table::{Cell, Colour, Column, Row, Table};
use serde::Serialize;

const LONG_ABOUT: &str = "\
Shows the settings that commands use where an option is missing, and where each comes from.

A setting comes from the first of these that has it:
  1. the option on the command line, such as --index
  2. a variable: HYPATIA_INDEX, HYPATIA_HOST, HYPATIA_PORT, HYPATIA_MODELS
  3. the file hypatia.toml in the current folder
  4. the file hypatia/hypatia.toml in $XDG_CONFIG_HOME, or in ~/.config
  5. the default

If the variable HYPATIA_CONFIG names a file, that file is read instead of 3 and 4. Relative paths in a file \
start from the folder of the file. A settings file may look like this:

  index = \"math.index\"      # what search, ask, serve and run use, and what index builds
  port = 9000               # where serve and demo listen
  host = \"127.0.0.1\"        # 0.0.0.0 lets other computers connect
  models = \"/srv/models\"    # the store of models, see hypatia model

By default the store of models is hypatia/models in $XDG_DATA_HOME, or in ~/.local/share.";

const EXAMPLES: &str = "\
Examples:
  hypatia config
  hypatia config --format json
  HYPATIA_PORT=9000 hypatia config";

/// Show the settings in force and where they come from
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Config {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table
    Text,
    /// One JSON object per line, one for each setting
    Json,
}

#[derive(Serialize)]
struct Line<'a> {
    setting: &'a str,
    value: Option<&'a str>,
    from: &'a str,
    variable: &'a str,
}

impl Run for Config {
    fn run(self) -> Result<Exit> {
        let settings = Settings::read()?;
        let mut table = Table {
            columns: ["setting", "value", "from", "what it is"].map(Column::left).into(),
            ..Table::default()
        };
        let mut json = String::new();
        for (known, value, origin) in settings.rows() {
            let from = origin.to_string();
            match self.format {
                Format::Text => {
                    let cells = [known.key, value.as_deref().unwrap_or("not set"), &from, known.about];
                    table.rows.push(Row::Cells(cells.map(Cell::text).into()));
                }
                Format::Json => {
                    let (setting, variable) = (known.key, known.variable);
                    push_json(&mut json, &Line { setting, value: value.as_deref(), from: &from, variable });
                }
            }
        }
        let out = match self.format {
            Format::Text => table.to_text(Colour::Off),
            Format::Json => json,
        };
        output::print(out.as_bytes())?;
        Ok(Exit::Yes)
    }
}
