//! `hypatia formula mathml`: each formula as MathML Core.

use super::each::EachArgs;
use crate::engine::Engine;
use crate::{Exit, Run};
use anyhow::Result;
use clap::Args;

const LONG_ABOUT: &str = "\
Prints each formula as MathML Core, which Chromium, Firefox and Safari draw without any \
script, with the LaTeX in 'alttext'.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula mathml '\\frac{1}{2}' > half.html
  hypatia formula mathml formulas.txt --format json";

/// Print MathML that browsers draw
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Mathml {
    #[command(flatten)]
    each: EachArgs,
}

impl Run for Mathml {
    fn run(self) -> Result<Exit> {
        self.each.run("mathml", Engine::mathml)
    }
}
