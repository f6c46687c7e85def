//! `hypatia model verify`: are the models still what was added?

use super::{StoreArgs, Watcher};
use crate::output::{self, note};
use crate::{Exit, Run};
use anyhow::Result;
use clap::Args;

const LONG_ABOUT: &str = "\
Compares the size and SHA-256 checksum of every file with those that were stored when the model was added, and \
names files that are missing, changed or not part of the model. Without a name, all models are verified.

The program leaves with 0 when everything is whole and with 1 when something is not. Nothing is changed.";

const EXAMPLES: &str = "\
Examples:
  hypatia model verify
  hypatia model verify all-MiniLM-L6-v2 all-mpnet-base-v2";

/// Compare the files of models with their checksums
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Verify {
    /// The names of the models; by default all
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    #[command(flatten)]
    store: StoreArgs,
}

impl Run for Verify {
    fn run(self) -> Result<Exit> {
        let store = self.store.open()?;
        let mut faults = Vec::new();
        let mut names = self.names;
        if names.is_empty() {
            let listing = store.list()?;
            faults.extend(listing.damaged.iter().map(|error| format!("{error}\n")));
            names = listing.models.into_iter().map(|found| found.facts.name).collect();
        }
        let mut whole = Vec::new();
        for name in &names {
            let mut watcher = Watcher::default();
            let found = store.verify(name, &mut watcher)?;
            if found.is_empty() {
                whole.push(name.as_str());
            }
            faults.extend(found.iter().map(|fault| format!("{name}/{fault}\n")));
        }
        output::print(text::visible(&faults.concat()).as_bytes())?;
        for name in whole {
            note(&format!("{name}: whole"));
        }
        Ok(if faults.is_empty() { Exit::Yes } else { Exit::No })
    }
}
