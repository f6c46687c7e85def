//! `hypatia systems`: which systems there are, and their files.

use crate::{Answer, Run, output};
use anyhow::{Context, Result};
use clap::Args;
use retrieve::{SYSTEMS, System};
use std::fs;
use std::path::Path;

const LONG_ABOUT: &str = "\
Lists the systems that come with the program: the name, the task of the labs that a system is for, \
and what it is. With a name, the file of that system is printed. Save it under a name that ends in \
.toml, change it, and give the file to `hypatia run` or `hypatia search` with --system.";

const EXAMPLES: &str = "\
Examples:
  hypatia systems
  hypatia systems search
  hypatia systems bm25 > mine.toml";

/// List the systems, or print the file of one
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Systems {
    /// The name of a system
    name: Option<String>,
}

impl Run for Systems {
    fn run(self) -> Result<Answer> {
        let mut out = String::new();
        if let Some(name) = self.name {
            // An unknown name is told with those that are known.
            out.push_str(&text(&name)?);
        } else {
            let width = SYSTEMS.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
            for (name, _) in SYSTEMS {
                let system = System::named(name)?;
                out.push_str(&format!("{name:<width$}  task {}  {}\n", system.task.number(), system.about));
            }
        }
        output::print(out.as_bytes())?;
        Ok(Answer::Yes)
    }
}

/// A system by its name or its file, which ends in `.toml`.
pub(crate) fn find(name: &str) -> Result<System> {
    Ok(System::read(&text(name)?, name)?)
}

/// The text of a system's file, by the name of a system or of a file.
pub(crate) fn text(name: &str) -> Result<String> {
    match SYSTEMS.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => Ok((*text).to_owned()),
        None if Path::new(name).extension().is_some_and(|extension| extension == "toml") => {
            fs::read_to_string(name).with_context(|| name.to_owned())
        }
        None => Err(System::named(name).expect_err("it is none of those that come with the program").into()),
    }
}
