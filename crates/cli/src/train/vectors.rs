//! `hypatia train vectors`: vectors of tokens, from the formulas of a collection or lines of tokens.

use crate::{Exit, Run};
use anyhow::{Result, bail};
use clap::Args;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Learns an embedding of each token from the tokens around it.";

const EXAMPLES: &str = "\
Examples:
  hypatia train vectors math.coll --tokens slt --name cft-slt
  hypatia train vectors tokens.txt --from lines --name words";

/// Learn embeddings of tokens
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct TrainVectors {
    /// A collection, or a text file with one sequence of tokens a line
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
}

impl Run for TrainVectors {
    fn run(self) -> Result<Exit> {
        bail!("{}: training is not possible yet", self.source.display());
    }
}
