//! Where a training keeps what it has learned, and the model that comes of it: options of all commands that can go on
//! after a kill.

use crate::model::StoreArgs;
use anyhow::{Context, Result, ensure};
use clap::Args;
use shelf::Store;
use std::path::{Path, PathBuf};

/// Every training writes its plan first.
const PLAN: &str = "plan.json";

/// Options of a training and of its model.
#[derive(Clone, Debug, Args)]
pub(super) struct KeepArgs {
    /// The folder of the training, removed when it is done [default: .training/NAME in the store]
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,

    /// Discard what an earlier training in that folder has learned
    #[arg(long)]
    restart: bool,

    /// A set that the data belong to, such as math.stackexchange.com [default: the site of the collection]
    #[arg(long, value_name = "SET", num_args = 1)]
    pub(super) trained_on: Vec<String>,

    /// Replace a model of the same name
    #[arg(long)]
    pub(super) replace: bool,

    #[command(flatten)]
    store: StoreArgs,
}

impl KeepArgs {
    /// Opens the store. A name that is taken is an error before the work, not after it.
    pub(super) fn open(&self, names: &[String]) -> Result<Store> {
        let store = self.store.clone().open()?;
        for name in names {
            ensure!(
                self.replace || store.find(name).is_err(),
                "{name}: the store has a model of this name; replace it with --replace"
            );
        }
        Ok(store)
    }

    /// The folder of the training of a model.
    pub(super) fn folder(&self, store: &Store, name: &str) -> PathBuf {
        match &self.work {
            Some(work) => work.join(name),
            None => store.folder().join(".training").join(name),
        }
    }

    /// Discards what was learned in a folder, if that was asked for. A folder without the plan of a training stays.
    pub(super) fn restart(&self, folder: &Path) -> Result<()> {
        if self.restart && folder.join(PLAN).exists() {
            std::fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use testkit::TempDir;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        keep: KeepArgs,
    }

    #[test]
    fn only_folders_of_trainings_are_discarded() {
        let dir = TempDir::new("train-keep");
        let keep = Command::parse_from(["train", "--restart"]).keep;
        let [training, other] = ["training", "other"].map(|name| dir.path().join(name));
        for folder in [&training, &other] {
            std::fs::create_dir(folder).unwrap();
        }
        std::fs::write(training.join(PLAN), "{}").unwrap();
        std::fs::write(other.join("thesis.tex"), "kept").unwrap();
        for folder in [&training, &other] {
            keep.restart(folder).unwrap();
        }
        assert!(!training.exists());
        assert_eq!(std::fs::read_to_string(other.join("thesis.tex")).unwrap(), "kept");
    }
}
