//! `hypatia formula key`: the visual key of each formula.

use super::each::EachArgs;
use crate::engine::Engine;
use crate::{Exit, Run};
use anyhow::Result;
use clap::Args;

const LONG_ABOUT: &str = "\
Prints a 128-bit key of each formula, as 32 hexadecimal digits. Two formulas have the \
same key when they look the same: the order of scripts, braces, blanks, '\\over' or \
'\\frac', macros and synonyms make no difference; fonts, symbols, order and structure do. \
Keys are stable: the same formula gives the same key everywhere and tomorrow.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula key 'x_1^2'                               same key as 'x^2_1'
  hypatia formula key formulas.txt | cut -f2 | sort | uniq -c | sort -rn | head";

/// Print the visual key: equal for what looks the same
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Key {
    #[command(flatten)]
    each: EachArgs,
}

impl Run for Key {
    fn run(self) -> Result<Exit> {
        self.each.run("key", Engine::key)
    }
}
