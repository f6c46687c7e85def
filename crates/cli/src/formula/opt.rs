//! `hypatia formula opt`: the operator tree of each formula, as the labs write it.

use super::each::EachArgs;
use crate::engine::{Engine, Formula, OptAs};
use crate::{Exit, Run};
use anyhow::Result;
use clap::Args;

const LONG_ABOUT: &str = "\
Prints the operator tree of each formula as the string that the math retrieval labs use: \
which operation is applied to what.

'--as labs' gives the tree that LaTeXML and the labs' converter would build, with their \
mistakes; from MathML, the Content MathML in it is used if there is any. Strings are read \
and written again. What cannot be read at all gives a blank and a warning.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula opt 'x^2+1'
  hypatia formula opt latex_representation.tsv --as labs > opt.tsv
  hypatia formula opt opt_representation.tsv --column content_mathml \\
      --id visual_id --from mathml --as labs
  hypatia formula opt 'f(x)=1' --content";

/// Print operator trees, in the labs' string form or as Content MathML
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Opt {
    #[command(flatten)]
    each: EachArgs,

    /// What the trees say
    #[arg(long = "as", value_name = "KIND", default_value = "meaning")]
    says: OptAs,

    /// Print Content MathML
    #[arg(long)]
    content: bool,
}

impl Run for Opt {
    fn run(self) -> Result<Exit> {
        let says = self.says;
        let write = if self.content { Engine::content } else { Engine::opt };
        self.each
            .run_any("opt", move |engine: &mut Engine, formula: Formula<'_>| write(engine, formula, says))
    }
}
