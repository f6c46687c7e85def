//! `hypatia formula latex`: each formula as normalised LaTeX.

use super::each::EachArgs;
use crate::engine::Engine;
use crate::{Exit, Run};
use anyhow::Result;
use clap::Args;

const LONG_ABOUT: &str = "\
Prints each formula as LaTeX in one spelling: braces around arguments, scripts in one \
order, '\\frac' for every fraction, macros expanded, blanks only where they are needed. \
Formulas that look the same come out alike in most cases; 'key' is the exact test.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula latex '{n \\over m}'
  hypatia formula latex formulas.txt > normalised.tsv";

/// Print normalised LaTeX
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Latex {
    #[command(flatten)]
    each: EachArgs,
}

impl Run for Latex {
    fn run(self) -> Result<Exit> {
        self.each.run("latex", Engine::latex)
    }
}
