//! `hypatia formula gallery`: a page of formulas, source beside rendering.

use crate::{Exit, Run, output};
use anyhow::{Context, Result};
use clap::Args;
use formula::gallery::{entries, gallery};
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Writes a page that shows varied formulas: the LaTeX that was typed, how it is drawn, the \
same in one line of text, and what was noticed while reading it. The page is one file \
without scripts and without anything from elsewhere.";

const EXAMPLES: &str = "\
Examples:
  hypatia formula gallery -o gallery.html
  hypatia formula gallery | less";

/// Write a page of formulas, source beside rendering
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Gallery {
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Run for Gallery {
    fn run(self) -> Result<Exit> {
        let page = gallery(entries());
        match &self.output {
            Some(path) => std::fs::write(path, page).with_context(|| path.display().to_string())?,
            None => output::print(page.as_bytes())?,
        }
        Ok(Exit::Yes)
    }
}
