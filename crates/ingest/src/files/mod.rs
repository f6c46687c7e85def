//! What bytes are there to read? Files, folders and archives, unpacked as they are read.
//!
//! [`list`] finds the inputs under a path, and [`Input::read`] lends the
//! unpacked bytes of one. Packing is told by content, not by name: gzip, zstd
//! and bzip2, also of the members of zip and 7z archives. Everything is
//! streamed in constant memory. What the bytes mean is left to others.

mod list;
mod order;
mod packing;
mod seven;
mod stream;
mod zip;

use std::fs::File;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

pub use list::list;
pub use order::natural;

use packing::unpack;
use seven::SevenMember;
use stream::{Buffered, Counted, Progress};
use zip::ZipMember;

/// Why the inputs under a path could not be listed.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", path.display())]
pub struct Error {
    /// The path.
    pub path: PathBuf,
    /// What the system said.
    pub cause: io::Error,
}

/// A file, or a member of an archive.
///
/// A file that cannot be opened and an archive that is damaged are inputs as
/// well, so that nothing is lost silently: reading them says what is wrong.
#[derive(Clone, Debug)]
pub struct Input {
    /// A name for messages, such as `dump.7z/Posts.xml` or `Posts.xml.gz`.
    pub name: String,
    relative: String,
    packed_size: u64,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    File(Arc<Path>),
    Zip(Arc<Path>, ZipMember),
    Seven(SevenMember),
    Text(&'static str),
    Empty,
    Broken(io::ErrorKind, String),
}

impl Input {
    /// A text that is part of the program, under a name.
    #[must_use]
    pub fn text(name: &str, text: &'static str) -> Self {
        Self {
            name: name.to_owned(),
            relative: name.to_owned(),
            packed_size: text.len() as u64,
            place: Place::Text(text),
        }
    }

    /// Its own name without folders and packing: `Posts.xml` for `dump/Posts.xml.gz`.
    #[must_use]
    pub fn plain_name(&self) -> &str {
        self.relative.rsplit('/').next().unwrap_or(&self.relative)
    }

    /// Its path below what was listed, without packing: `a/b.html` for `a/b.html.zst` in a folder
    /// or at the top of an archive that was itself listed.
    #[must_use]
    pub fn relative(&self) -> &str {
        &self.relative
    }

    /// How many bytes it takes where it is; for a member of a 7z archive its share of the archive.
    #[must_use]
    pub fn packed_size(&self) -> u64 {
        self.packed_size
    }

    /// Opens it and lends its unpacked bytes to `with`.
    ///
    /// The reader's first `fill_buf` gives at least 4 KiB, or all there is.
    /// `done` grows with the packed bytes that are consumed; after the call it
    /// has grown by [`packed_size`](Self::packed_size), whatever happened.
    /// A later member of a solid 7z archive costs unpacking all before it;
    /// [`read_each`] does so once for all of them.
    ///
    /// # Errors
    ///
    /// What `with` gave, or why it cannot be opened. Damage shows as an error of the reader, whose text
    /// says what is damaged, after everything before it was given.
    pub fn read(
        &self,
        done: &AtomicU64,
        with: &mut dyn FnMut(&mut dyn BufRead) -> io::Result<()>,
    ) -> io::Result<()> {
        let progress = Progress::new(done, self.packed_size);
        match &self.place {
            Place::File(path) => {
                let mut raw = Buffered::new(Counted::new(File::open(path)?, progress));
                unpack(&mut raw, with)
            }
            Place::Zip(path, member) => member.read(path, progress, with),
            Place::Seven(member) => member.read(progress, with),
            Place::Text(text) => {
                let mut counted = Buffered::new(Counted::new(text.as_bytes(), progress));
                with(&mut counted)
            }
            Place::Empty => with(&mut io::empty()),
            Place::Broken(kind, reason) => Err(io::Error::new(*kind, reason.clone())),
        }
    }
}

/// Reads all inputs, unpacking each solid block of a 7z archive only once.
///
/// The order is that of `inputs`, but the members of one solid block all come
/// at the place of the first of them, in the order of the archive. `with` gets
/// the number of the input. Gives the inputs that failed, by number.
pub fn read_each(
    inputs: &[Input],
    done: &AtomicU64,
    with: &mut dyn FnMut(usize, &mut dyn BufRead) -> io::Result<()>,
) -> Vec<(usize, io::Error)> {
    let mut failed = Vec::new();
    let mut blocks = std::collections::BTreeMap::new();
    for (number, input) in inputs.iter().enumerate() {
        if let Place::Seven(member) = &input.place {
            blocks.entry(member.block_key()).or_insert_with(Vec::new).push(number);
        }
    }
    for (number, input) in inputs.iter().enumerate() {
        let Place::Seven(member) = &input.place else {
            if let Err(error) = input.read(done, &mut |reader| with(number, reader)) {
                failed.push((number, error));
            }
            continue;
        };
        // The block is taken out of the map with its first member; the others were read with it.
        let Some(numbers) = blocks.remove(&member.block_key()) else { continue };
        let wanted = numbers.into_iter().filter_map(|number| match &inputs[number].place {
            Place::Seven(member) => Some((number, member, inputs[number].packed_size)),
            _ => None,
        });
        failed.extend(seven::read_block(wanted.collect(), done, with));
    }
    failed.sort_by_key(|(number, _)| *number);
    failed
}
