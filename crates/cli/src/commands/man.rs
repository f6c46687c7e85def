//! `hypatia man`: manual pages made from the same definitions as the help.

use super::Hypatia;
use crate::{Exit, Run, output};
use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use std::fs;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Prints the manual page of hypatia, or writes the pages of all commands into a folder, \
one file each (hypatia.1, hypatia-formula.1, hypatia-formula-slt.1 and so on).";

const EXAMPLES: &str = "\
Examples:
  hypatia man | man -l -                          read the main page
  hypatia man --dir ~/.local/share/man/man1       install all pages";

/// Print the manual page, or write all pages into a folder
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Man {
    /// Write the pages of all commands into this folder, making it if need be
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Run for Man {
    fn run(self) -> Result<Exit> {
        match self.dir {
            Some(dir) => {
                fs::create_dir_all(&dir).with_context(|| format!("making {}", dir.display()))?;
                clap_mangen::generate_to(Hypatia::command(), &dir)
                    .with_context(|| format!("writing into {}", dir.display()))?;
            }
            None => {
                let mut page = Vec::new();
                clap_mangen::Man::new(Hypatia::command()).render(&mut page)?;
                output::print(&page)?;
            }
        }
        Ok(Exit::Yes)
    }
}
