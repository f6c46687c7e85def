//! `hypatia lab verify`: is a lab's folder whole?

use super::counted;
use crate::output::{self, note};
use crate::{Exit, Run};
use anyhow::{Result, bail};
use clap::Args;
use lab::verify::Severity;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Looks at every part of a lab and tells what is wrong: files that are missing, were changed or are not \
known, a database that is damaged or was changed by another program, judgments that were taken out, runs \
and judgments of other topics, a collection that is another. Nothing is changed or mended.

The program leaves with 0 when nothing is damaged, with 1 when something is, and with 2 when a part cannot \
be read, so that nobody can tell. Notes are no damage: such as runs \
that came after the pool was made, or judgments that are newer than the files made of them.";

const EXAMPLES: &str = "\
Examples:
  hypatia lab verify mylab
  hypatia lab verify mylab && cp -r mylab archive/";

/// See whether a lab's folder is whole
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Verify {
    /// The folder of the lab
    #[arg(value_name = "LAB")]
    folder: PathBuf,
}

impl Run for Verify {
    fn run(self) -> Result<Exit> {
        let found = lab::verify::verify(&self.folder);
        let lines: String = found.iter().map(|damage| format!("{damage}\n")).collect();
        output::print(lines.as_bytes())?;
        let damages = found.iter().filter(|damage| damage.severity == Severity::Damage).count();
        if damages > 0 {
            note(&format!("{}: {}", self.folder.display(), counted(damages, "damage", "damages")));
            return Ok(Exit::No);
        }
        let unreadable = found.iter().filter(|damage| damage.severity == Severity::Unreadable).count();
        if unreadable > 0 {
            let parts = counted(unreadable, "part", "parts");
            bail!("{}: {parts} cannot be read; no damage was found in the rest", self.folder.display());
        }
        note(&format!("{}: the lab is whole", self.folder.display()));
        Ok(Exit::Yes)
    }
}
