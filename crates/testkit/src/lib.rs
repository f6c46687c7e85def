//! Fixtures and checks for the tests of the other crates.
//!
//! Everything here is for tests: where the optional real data is, tables read
//! by an independent reader, and snapshots kept as files beside their input.
//! Failures are panics, as tests want them; nothing here is ever shipped.

mod collection;
pub mod crowd;
mod data;
pub mod lab;
mod snapshot;
mod temp;
mod tidy;

pub use collection::{SmallCollection, small_collection};
pub use data::{data_dir, model_dir, parse_tsv, read_tsv, skip};
pub use snapshot::check_dir;
pub use temp::TempDir;
pub use tidy::{paths_in_markdown, tracked_files};

use std::path::PathBuf;

/// The root of the workspace.
#[must_use]
pub fn workspace_root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root.pop();
    root
}
