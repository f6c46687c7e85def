//! `hypatia formula same`: do two formulas look the same, and why?

use crate::engine::{Engine, Formula, Notation, Rule};
use crate::output;
use crate::{Exit, Run};
use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::ffi::OsString;

const LONG_ABOUT: &str = "\
Says whether two formulas are the same, and why or why not. The program leaves with 0 \
when they are and with 1 when they are not, so scripts can ask, too.

By 'key', formulas are the same when they look the same. By 'labs', they are the same \
when their SLT strings are identical or, if there is none, their LaTeX without blanks.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula same '{n \\over m}' '\\frac nm'
  hypatia formula same 'x^2_1' 'x_1^2' --by labs
  hypatia formula same -- '-x' '- x'                      formulas that start with a hyphen
  hypatia formula same \"$a\" \"$b\" > /dev/null && echo duplicate";

/// Say whether two formulas look the same, and why
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Same {
    /// One formula
    a: OsString,

    /// The other
    b: OsString,

    /// What the formulas are written in
    #[arg(long, value_name = "NOTATION", default_value = "latex")]
    from: Notation,

    /// The rule to go by
    #[arg(long, value_name = "RULE", default_value = "key")]
    by: Rule,

    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Yes or no, then the reasons
    Text,
    /// An object with 'same' and 'because'
    Json,
}

#[derive(Serialize)]
struct Sameness {
    same: bool,
    because: String,
}

impl Run for Same {
    fn run(self) -> Result<Exit> {
        ensure!(self.from != Notation::Opt, crate::input::NO_LAYOUT);
        let formula = |source| Formula { notation: self.from, mode: latex::Mode::Document, source };
        let [a, b] = [&self.a, &self.b].map(|given| given.to_string_lossy());
        let comparison = Engine::default().compare(formula(&a), formula(&b), self.by);
        let mut out = String::new();
        match self.format {
            Format::Text => {
                out.push_str(if comparison.same { "yes\n" } else { "no\n" });
                for line in comparison.because.lines() {
                    out.push_str(&format!("{line}\n"));
                }
            }
            Format::Json => {
                output::push_json(&mut out, &Sameness { same: comparison.same, because: comparison.because });
            }
        }
        output::print(out.as_bytes())?;
        Ok(if comparison.same { Exit::Yes } else { Exit::No })
    }
}
