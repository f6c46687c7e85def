//! A file of a part, opened without knowing its kind.

use super::output::ends_name;
use super::{Over, PartLabel};
use crate::error::Error;
use crate::index::{agree, lost};
use crate::manifest::{Manifest, NAME, PartNote};
use crate::stored::Stored;
use frame::{Format, Frame, Opening};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The first and last bytes of a part's file.
pub(crate) const FORMAT: Format = Format { head: *b"hypatiaX", foot: *b"Xaitapyh", version: 1 };

/// The first section of a part's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartAbout {
    /// What identifies the part.
    #[serde(flatten)]
    pub label: PartLabel,
    /// The number of documents: posts of the segment, deleted ones included, or formulas.
    pub documents: u32,
}

/// An open file of a part: over one segment of posts, or over the formulas of one collection.
#[derive(Debug)]
pub struct PartFile {
    frame: Frame,
    about: PartAbout,
}

impl PartFile {
    pub(crate) fn open(path: &Path, opening: Opening) -> Result<Self, Error> {
        let (frame, about) = Stored::open::<PartAbout>(path, &FORMAT, opening)?;
        Ok(Self { frame, about })
    }

    /// What the file says about itself.
    #[must_use]
    pub fn about(&self) -> &PartAbout {
        &self.about
    }

    /// The size of the file in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.frame.size()
    }

    /// The names of its sections, in the order they were written in.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.frame.sections().map(|(name, _)| name)
    }

    /// The bytes of a section; empty if there is no such section.
    #[must_use]
    pub fn bytes(&self, section: &str) -> &[u8] {
        self.frame.bytes(section)
    }

    /// A section that holds a row of `bytes` bytes for each document.
    ///
    /// # Errors
    ///
    /// When it is missing or has another length.
    pub fn rows(&self, section: &str, bytes: usize) -> Result<&[u8], Error> {
        let rows = self.bytes(section);
        if rows.len() == self.about.documents as usize * bytes {
            Ok(rows)
        } else {
            Err(self.damaged(&format!("the section {section} has a wrong length")))
        }
    }

    /// The row of a document in a section with rows of `bytes` bytes, if there is one.
    #[must_use]
    pub fn row(&self, section: &str, bytes: usize, doc: u32) -> Option<&[u8]> {
        let start = (doc as usize).checked_mul(bytes)?;
        self.frame.view(self.frame.range(section)?).get(start..start.checked_add(bytes)?)
    }

    /// A section of lists with rows of `bytes` bytes: all rows, and for each document the row after its last as
    /// four little-endian bytes. Opening does not read the ends; if they are damaged, they may be in any order.
    ///
    /// # Errors
    ///
    /// When it is missing, or the two sections do not fit together.
    pub fn lists(&self, section: &str, bytes: usize) -> Result<(&[u8], &[[u8; 4]]), Error> {
        let ends = self.rows(&ends_name(section), 4)?.as_chunks().0;
        let rows = self.bytes(section);
        let last = ends.last().map_or(0, |last| u32::from_le_bytes(*last));
        if rows.len() as u64 == u64::from(last) * bytes as u64 {
            Ok((rows, ends))
        } else {
            Err(self.damaged(&format!("the section {section} has a wrong length")))
        }
    }

    /// The rows of a document in a section of lists with rows of `bytes` bytes, if there are any sections.
    #[must_use]
    pub fn list(&self, section: &str, bytes: usize, doc: u32) -> Option<&[u8]> {
        let end = |doc: u32| {
            let end = self.row(&ends_name(section), 4, doc)?;
            Some(u32::from_le_bytes(end.try_into().ok()?) as usize)
        };
        let start = match doc.checked_sub(1) {
            None => 0,
            Some(before) => end(before)?,
        };
        let (start, stop) = (start.checked_mul(bytes)?, end(doc)?.checked_mul(bytes)?);
        self.frame.view(self.frame.range(section)?).get(start..stop)
    }

    /// An error that says that this file is damaged, for kinds whose sections do not fit together.
    #[must_use]
    pub fn damaged(&self, what: &str) -> Error {
        self.frame.damaged(what).into()
    }

    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        Ok(self.frame.check()?)
    }
}

/// Opens the files of a segment or collection, which has this number of documents.
pub(crate) fn open_parts(
    folder: &Path,
    manifest: &Manifest,
    (over, notes): (Over, &[PartNote]),
    documents: u32,
    opening: Opening,
) -> Result<Vec<PartFile>, Error> {
    let labels: Vec<&PartLabel> = manifest.parts.iter().filter(|label| label.over == over).collect();
    if !labels.iter().map(|label| &label.name).eq(notes.iter().map(|note| &note.name)) {
        let what = "the parts of the index and those of its files are not the same".to_owned();
        return Err(Error::Damaged { file: folder.join(NAME), what });
    }
    let mut files = Vec::new();
    for (label, note) in labels.into_iter().zip(notes) {
        let path = folder.join(&note.file.file);
        let file = PartFile::open(&path, opening).map_err(|error| lost(&path, error))?;
        agree(folder, &note.file, file.frame.fingerprint())?;
        if file.about.label != *label {
            return Err(file.damaged("it belongs to another part"));
        }
        if file.about.documents != documents {
            return Err(file.damaged("it has a wrong number of documents"));
        }
        files.push(file);
    }
    Ok(files)
}
