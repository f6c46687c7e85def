//! `hypatia formula`: what can be said about formulas, one file a command.

mod cluster;
mod each;
mod gallery;
mod key;
mod latex;
mod mathml;
mod parse;
mod same;
mod slt;
mod text;

use crate::{Answer, Run};
use anyhow::Result;
use clap::Subcommand;

const LONG_ABOUT: &str = "\
Reads formulas and says what they are.

All commands but 'same' and 'gallery' take a formula as an argument, a file with one formula a line, a \
table (.tsv) with a column of formulas, or '-' for standard input. Every formula gives a \
result, however broken it is; 'parse' says what was wrong with it. Files of any length \
are worked on with all cores, in order and in little memory.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula text 'e^{i\\pi}+1=0'
  hypatia formula slt posts.tsv --column formula --id id > slt.tsv
  cat formulas.txt | hypatia formula key -
  hypatia formula parse formulas.txt --report";

/// Read formulas: trees, MathML, text, LaTeX, identity
#[derive(Debug, Subcommand)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) enum Formula {
    Parse(parse::Parse),
    Slt(slt::Slt),
    Mathml(mathml::Mathml),
    Text(text::Text),
    Latex(latex::Latex),
    Key(key::Key),
    Same(same::Same),
    Cluster(cluster::Cluster),
    Gallery(gallery::Gallery),
}

impl Run for Formula {
    fn run(self) -> Result<Answer> {
        match self {
            Self::Parse(command) => command.run(),
            Self::Slt(command) => command.run(),
            Self::Mathml(command) => command.run(),
            Self::Text(command) => command.run(),
            Self::Latex(command) => command.run(),
            Self::Key(command) => command.run(),
            Self::Same(command) => command.run(),
            Self::Cluster(command) => command.run(),
            Self::Gallery(command) => command.run(),
        }
    }
}
