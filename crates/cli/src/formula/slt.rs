//! `hypatia formula slt`: the symbol layout tree of each formula, as the labs write it.

use super::each::EachArgs;
use crate::engine::Engine;
use crate::{Exit, Run};
use anyhow::Result;
use clap::Args;

const LONG_ABOUT: &str = "\
Prints the symbol layout tree of each formula as the depth-first string that the math \
retrieval labs use: what stands where on the writing line, above and below it.

From MathML, the tree is built as the labs did, also where their reader gives up; strings \
are read and written again, which repairs what can be repaired. What cannot be read at all \
gives a blank and a warning.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula slt 'x^2+1'
  hypatia formula slt latex_representation.tsv > slt.tsv
  hypatia formula slt slt_representation.tsv --from mathml > slt.tsv
  hypatia formula slt formulas.txt --format json | jq -r .slt";

/// Print symbol layout trees, in the labs' string form
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Slt {
    #[command(flatten)]
    each: EachArgs,
}

impl Run for Slt {
    fn run(self) -> Result<Exit> {
        self.each.run("slt", Engine::slt)
    }
}
