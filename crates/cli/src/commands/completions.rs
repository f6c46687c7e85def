//! `hypatia completions`: tab completion for the user's shell.

use super::Hypatia;
use crate::{Exit, Run, output};
use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

const LONG_ABOUT: &str = "\
Prints a completion script for a shell. The script is made from the same definitions as \
the help, so it knows every command and option of this very program.";

const EXAMPLES: &str = "\
Examples:
  hypatia completions bash > ~/.local/share/bash-completion/completions/hypatia
  hypatia completions zsh > ~/.zfunc/_hypatia
  hypatia completions fish > ~/.config/fish/completions/hypatia.fish";

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// The shell to write for
    shell: Shell,
}

impl Run for Completions {
    fn run(self) -> Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Hypatia::command(), "hypatia", &mut script);
        output::print(&script)?;
        Ok(Exit::Yes)
    }
}
