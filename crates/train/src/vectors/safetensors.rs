//! Matrices as safetensors: a header in JSON with names, types, shapes and places, then the numbers.

use super::error::Error;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

/// No header of ours is longer.
const LONGEST_HEADER: u64 = 1 << 20;

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

/// A tensor to be written: a name, its type, its shape, and its rows as bytes.
pub(super) struct NewTensor<'a> {
    pub(super) name: &'static str,
    pub(super) dtype: &'static str,
    pub(super) shape: Vec<usize>,
    pub(super) rows: Box<dyn Iterator<Item = Vec<u8>> + 'a>,
}

/// The bytes of a number of each type that is used.
const NUMBER: usize = 4;

/// Writes tensors.
pub(super) fn write(path: &Path, tensors: Vec<NewTensor<'_>>) -> Result<(), Error> {
    let mut at = 0;
    let mut entries = BTreeMap::new();
    for tensor in &tensors {
        let end = at + tensor.shape.iter().product::<usize>() * NUMBER;
        let entry =
            Entry { dtype: tensor.dtype.to_owned(), shape: tensor.shape.clone(), data_offsets: (at, end) };
        entries.insert(tensor.name, entry);
        at = end;
    }
    let mut header = serde_json::to_vec(&entries).expect("names and numbers can be written");
    // Readers map the numbers, which begin at a multiple of eight bytes then.
    header.resize(header.len().next_multiple_of(8), b' ');
    let io = || Error::io(path);
    let mut file = BufWriter::with_capacity(1 << 18, File::create(path).map_err(io())?);
    file.write_all(&(header.len() as u64).to_le_bytes()).map_err(io())?;
    file.write_all(&header).map_err(io())?;
    for row in tensors.into_iter().flat_map(|tensor| tensor.rows) {
        file.write_all(&row).map_err(io())?;
    }
    let file = file.into_inner().map_err(|error| io()(error.into_error()))?;
    file.sync_all().map_err(io())
}

/// Tensors that were read.
#[derive(Debug)]
pub(super) struct Tensors {
    entries: BTreeMap<String, Entry>,
    bytes: Vec<u8>,
    /// Where the numbers begin.
    start: usize,
}

impl Tensors {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let bytes = fs::read(path).map_err(Error::io(path))?;
        let damaged = |reason: &str| Error::damaged(path, reason);
        let (length, rest) = bytes.split_first_chunk().ok_or_else(|| damaged("it is cut short"))?;
        let length = u64::from_le_bytes(*length);
        if length > LONGEST_HEADER || length > rest.len() as u64 {
            return Err(damaged("its header is longer than the file"));
        }
        let length = length as usize;
        let entries: BTreeMap<String, Entry> = serde_json::from_slice(&rest[..length])
            .map_err(|cause| damaged(&format!("its header: {cause}")))?;
        let size = rest.len() - length;
        for (name, entry) in &entries {
            let numbers = entry.shape.iter().try_fold(NUMBER, |product, side| product.checked_mul(*side));
            let (from, to) = entry.data_offsets;
            if to > size || to.checked_sub(from) != numbers {
                return Err(damaged(&format!("the tensor {name} does not fit its place in the file")));
            }
        }
        Ok(Self { entries, start: 8 + length, bytes })
    }

    /// The shape and the bytes of a matrix of a type.
    pub(super) fn matrix(&self, name: &str, dtype: &str) -> Option<([usize; 2], &[[u8; NUMBER]])> {
        let Entry { dtype: found, shape, data_offsets: (from, to) } = self.entries.get(name)?;
        let [rows, columns] = shape[..] else { return None };
        let bytes = &self.bytes[self.start + from..self.start + to];
        (found == dtype).then_some(([rows, columns], bytes.as_chunks().0))
    }
}
