//! `hypatia formula`: what can be said about formulas, one file a command.

mod cluster;
mod compare;
mod each;
mod features;
mod gallery;
mod key;
mod latex;
mod mathml;
mod nearest;
mod opt;
mod parse;
mod rank;
mod same;
mod slt;
mod suite;
mod text;

use crate::{Exit, Run};
use anyhow::Result;
use clap::Subcommand;

const LONG_ABOUT: &str = "\
Reads formulas and says what they are.

All commands but 'same', 'compare', 'rank', 'nearest', 'suite' and 'gallery' take a formula as an argument, a file with one formula a line, a \
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
    Opt(opt::Opt),
    Mathml(mathml::Mathml),
    Text(text::Text),
    Latex(latex::Latex),
    Key(key::Key),
    Features(features::Features),
    Same(same::Same),
    Cluster(cluster::Cluster),
    Compare(compare::Compare),
    Rank(rank::Rank),
    Nearest(nearest::Nearest),
    Suite(suite::Suite),
    Gallery(gallery::Gallery),
}

impl Run for Formula {
    fn run(self) -> Result<Exit> {
        match self {
            Self::Parse(command) => command.run(),
            Self::Slt(command) => command.run(),
            Self::Opt(command) => command.run(),
            Self::Mathml(command) => command.run(),
            Self::Text(command) => command.run(),
            Self::Latex(command) => command.run(),
            Self::Key(command) => command.run(),
            Self::Features(command) => command.run(),
            Self::Same(command) => command.run(),
            Self::Cluster(command) => command.run(),
            Self::Compare(command) => command.run(),
            Self::Rank(command) => command.run(),
            Self::Nearest(command) => command.run(),
            Self::Suite(command) => command.run(),
            Self::Gallery(command) => command.run(),
        }
    }
}
