//! `hypatia formula text`: each formula as one line of Unicode.

use super::each::EachArgs;
use crate::engine::Engine;
use crate::{Exit, Run};
use anyhow::Result;
use clap::Args;

const LONG_ABOUT: &str = "\
Prints each formula as one readable line of Unicode: scripts as small raised or lowered \
characters where they exist, fractions with a slash, symbols as themselves.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula text '\\int_0^\\infty \\frac{\\sin x}{x} dx'
  hypatia formula text posts.tsv | less";

/// Print one-line Unicode for terminals
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Text {
    #[command(flatten)]
    each: EachArgs,
}

impl Run for Text {
    fn run(self) -> Result<Exit> {
        self.each.run("text", Engine::text)
    }
}
