//! `hypatia model fetch`: a model from a hub.

use super::{NewArgs, StoreArgs, Watcher, engine, note_new};
use crate::{Exit, Run};
use anyhow::Result;
use clap::Args;
use shelf::{Hub, Wanted};

const LONG_ABOUT: &str = "\
Gets a model from the Hugging Face hub, or from a server that speaks its protocol. Only needed files are fetched, \
each is compared with the checksum that the hub names, and the commit is stored with the model. This is the only \
command that fetches models.

If the download is interrupted, by Ctrl-C or otherwise, the same command resumes it; `model remove` discards it.

Variables are those of the hub's own tools:
  HF_ENDPOINT                       the hub; https://huggingface.co by default
  HF_TOKEN, HUGGING_FACE_HUB_TOKEN  an access token, else the file `token` in HF_HOME
  HF_HUB_OFFLINE=1                  fetch nothing
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY

A token is sent to the hub itself only, never to hosts that it redirects to, and never shown.";

const EXAMPLES: &str = "\
Examples:
  hypatia model fetch sentence-transformers/all-MiniLM-L6-v2
  hypatia model fetch sentence-transformers/all-mpnet-base-v2@main --name mpnet
  hypatia model fetch cross-encoder/ms-marco-MiniLM-L6-v2
  hypatia model fetch Qwen/Qwen2.5-0.5B-Instruct-GGUF --file qwen2.5-0.5b-instruct-q8_0.gguf
  HF_ENDPOINT=https://hub.example.org hypatia model fetch our/encoder";

/// Fetch a model from the Hugging Face hub
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Fetch {
    /// The repository, and a branch, tag or commit
    #[arg(value_name = "NAME[@REVISION]")]
    wanted: Wanted,

    #[command(flatten)]
    new: NewArgs,

    #[command(flatten)]
    store: StoreArgs,
}

impl Run for Fetch {
    fn run(self) -> Result<Exit> {
        let store = self.store.open()?;
        let hub = Hub::from_environment()?;
        let mut watcher = Watcher::default();
        let fetched =
            store.fetch(&hub, &self.wanted, &self.new.options(), &mut engine::check, &mut watcher)?;
        drop(watcher);
        note_new(&fetched);
        Ok(Exit::Yes)
    }
}
