//! `hypatia model remove`: delete a model.

use super::StoreArgs;
use crate::output::note;
use crate::{Exit, Run};
use anyhow::Result;
use clap::Args;

const LONG_ABOUT: &str = "\
Deletes a model from the store, or a download that was not finished. The model is gone in one step, then its files \
are deleted; a process that has them open keeps them until it ends.";

const EXAMPLES: &str = "\
Examples:
  hypatia model remove all-MiniLM-L6-v2
  hypatia model remove minilm --models /srv/models";

/// Delete a model from the store
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Remove {
    /// The name of the model
    #[arg(value_name = "NAME")]
    name: String,

    #[command(flatten)]
    store: StoreArgs,
}

impl Run for Remove {
    fn run(self) -> Result<Exit> {
        let store = self.store.open()?;
        store.remove(&self.name)?;
        note(&format!("{}: removed from {}", self.name, store.folder().display()));
        Ok(Exit::Yes)
    }
}
