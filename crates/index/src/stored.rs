//! What the files of an index have in common: numbers for each document, and lists for each field.

use crate::error::Error;
use crate::postings::Postings;
use frame::{Bytes, Format, Frame, Opening};
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::Path;

/// The three sections of a field.
const PARTS: [&str; 3] = ["keys", "ends", "lists"];

/// A file of an index that was opened. Where sections are is looked up once.
#[derive(Debug)]
pub(crate) struct Stored {
    frame: Frame,
    documents: u32,
    fields: Vec<(Box<str>, [Range<usize>; PARTS.len()])>,
}

/// A section that holds so many bytes for each document.
#[derive(Clone, Debug)]
pub(crate) struct Column(Range<usize>);

impl Stored {
    /// Opens a file, and reads what it says about itself.
    pub(crate) fn open<About: DeserializeOwned>(
        path: &Path,
        format: &Format,
        opening: Opening,
    ) -> Result<(Frame, About), Error> {
        let frame = Frame::open_as(path, format, opening)?;
        let about = serde_json::from_slice(frame.bytes("about"))
            .map_err(|error| frame.damaged(&format!("it does not say what is in it ({error})")))?;
        Ok((frame, about))
    }

    /// A file with these fields over so many documents.
    pub(crate) fn new(frame: Frame, documents: u32, fields: &[String]) -> Result<Self, Error> {
        let mut stored = Self { frame, documents, fields: Vec::new() };
        for field in fields {
            let range = |part: &str| stored.frame.range(&format!("{field}.{part}")).unwrap_or_default();
            stored.fields.push((field.as_str().into(), PARTS.map(range)));
            if stored.lists(stored.fields.len() - 1).is_none() {
                return Err(stored.damaged(&format!("the lists of {field} do not fit together")));
            }
        }
        Ok(stored)
    }

    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    pub(crate) fn documents(&self) -> u32 {
        self.documents
    }

    pub(crate) fn damaged(&self, what: &str) -> Error {
        self.frame.damaged(what).into()
    }

    /// The lists of the field with this place among those of the file.
    pub(crate) fn lists(&self, field: usize) -> Option<Postings<'_>> {
        let [keys, ends, lists] = &self.fields[field].1;
        let view = |range: &Range<usize>| self.frame.view(range.clone());
        Postings::new(view(keys), view(ends), view(lists), self.documents)
    }

    /// The lists of a field, if there is one of this name.
    pub(crate) fn postings(&self, name: &str) -> Option<Postings<'_>> {
        let field = self.fields.iter().position(|(known, _)| **known == *name)?;
        self.lists(field)
    }

    /// A section with `size` bytes for each document.
    pub(crate) fn column(&self, name: &str, size: usize) -> Result<Column, Error> {
        let range = self.frame.range(name).unwrap_or_default();
        if range.len() == self.documents as usize * size {
            Ok(Column(range))
        } else {
            Err(self.damaged(&format!("the section {name} has a wrong length")))
        }
    }

    /// A column, of which a few numbers are read.
    pub(crate) fn view(&self, column: &Column) -> Bytes<'_> {
        self.frame.view(column.0.clone())
    }

    /// All bytes of a column.
    pub(crate) fn bytes(&self, column: &Column) -> &[u8] {
        self.frame.at(column.0.clone())
    }

    /// The numbers of 16 bits in a section, one a document.
    pub(crate) fn lengths<'s>(&'s self, name: &str) -> impl Iterator<Item = u16> + use<'s> {
        self.lengths_from(name, 0)
    }

    /// The same, from a document on.
    pub(crate) fn lengths_from<'s>(&'s self, name: &str, doc: usize) -> impl Iterator<Item = u16> + use<'s> {
        let lengths = self.frame.range(name).unwrap_or_default();
        let start = lengths.end.min(lengths.start + doc * 2);
        let bytes = self.frame.at(start..lengths.end);
        bytes.chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }
}

/// A number of 32 bits among such.
#[inline]
pub(crate) fn number(numbers: &[u8], place: u32) -> Option<u32> {
    let bytes = numbers.get(place as usize * 4..place as usize * 4 + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
}

/// A number of 32 bits in a section of such.
#[inline]
pub(crate) fn number_in(numbers: Bytes<'_>, place: u32) -> Option<u32> {
    number(numbers.get(place as usize * 4..place as usize * 4 + 4)?, 0)
}
