//! Where are the models, and what is known of each?
//!
//! A [`Store`] is a folder with a folder for each model: its files as published, and `hypatia-model.json` with
//! the [`Facts`]: kind, dimensions, checksums, and the sets that it was trained on. Models are
//! [added](Store::add) from folders, archives and GGUF files, or [fetched](Store::fetch) from a hub that speaks
//! Hugging Face's protocol, and nothing is fetched otherwise. The crate does not run models: a caller that has an
//! engine gives `add` and `fetch` a [`Check`], which opens the new folder before it gets its name.
//!
//! It is named `shelf` because `store` holds collections and `model` runs models.
//!
//! ```
//! # fn main() -> Result<(), shelf::Error> {
//! let store = shelf::Store::open("models");
//! assert!(store.list()?.models.is_empty());
//! let error = store.find("all-MiniLM-L6-v2").unwrap_err();
//! assert!(error.to_string().contains("there is no model 'all-MiniLM-L6-v2'"));
//! # Ok(())
//! # }
//! ```

mod add;
mod card;
mod describe;
mod digest;
mod error;
mod facts;
mod gguf;
mod hub;
mod known;
mod made;
mod name;
mod safetensors;
mod select;
mod staging;
mod store;
mod tree;
mod verify;

pub use add::{AddOptions, Check};
pub use error::Error;
pub use facts::{FACTS_FILE, Facts, Kind, ModelFile, Origin, TrainedOn};
pub use formats::{Exposure, MATH_STACK_EXCHANGE};
pub use hub::{Hub, Wanted};
pub use made::Made;
pub use store::{Found, Listing, Store, Unfinished};
pub use verify::{Fault, Wrong};

/// Follows work that takes long.
pub trait Watch {
    /// This many bytes will be read, as far as is known.
    fn begin(&mut self, bytes: u64) {
        let _ = bytes;
    }

    /// This many more bytes are done.
    fn advance(&mut self, bytes: u64) {
        let _ = bytes;
    }

    /// Something that a person who waits wants to know, such as a retry.
    fn note(&mut self, text: &str) {
        let _ = text;
    }
}

/// Nobody watches.
impl Watch for () {}
