//! Reads the header of a GGUF file, versions 1 to 3, little-endian.

use super::tensors::TensorInfo;
use super::value::{Array, Value};
use crate::Error;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// Lists of lists are in the format, but no model needs them.
const MAX_DIMENSIONS: u32 = 4;
/// What tensors are aligned to unless the file says otherwise.
const DEFAULT_ALIGNMENT: u64 = 32;

/// The header of a GGUF file.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) path: PathBuf,
    pub(crate) metadata: BTreeMap<String, Value>,
    pub(crate) tensors: BTreeMap<String, TensorInfo>,
    /// Where the data of the tensors begins.
    pub(crate) data_start: u64,
    /// How long the file is.
    pub(crate) file_size: u64,
}

impl Header {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is no GGUF file, or says what cannot be.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let io = |cause| Error::io(path, cause);
        let file = File::open(path).map_err(io)?;
        let file_size = file.metadata().map_err(io)?.len();
        let mut reader = Reader { path, input: BufReader::new(file), position: 0, file_size, wide: true };
        reader.header()
    }

    /// A value that must be there and be a whole number.
    pub(crate) fn count(&self, key: &str) -> Result<u64, Error> {
        self.optional_count(key)?.ok_or_else(|| self.missing(key))
    }

    /// A whole number, if the key is there.
    pub(crate) fn optional_count(&self, key: &str) -> Result<Option<u64>, Error> {
        self.get(key, Value::as_count, "a whole number")
    }

    /// A number, if the key is there.
    pub(crate) fn optional_number(&self, key: &str) -> Result<Option<f64>, Error> {
        self.get(key, Value::as_number, "a number")
    }

    /// A truth value, if the key is there.
    pub(crate) fn optional_bool(&self, key: &str) -> Result<Option<bool>, Error> {
        self.get(key, Value::as_bool, "a truth value")
    }

    /// A text, if the key is there.
    pub(crate) fn optional_text(&self, key: &str) -> Result<Option<&str>, Error> {
        self.get(key, Value::as_str, "a text")
    }

    /// A list, if the key is there.
    pub(crate) fn optional_array(&self, key: &str) -> Result<Option<&Array>, Error> {
        self.get(key, Value::as_array, "a list")
    }

    /// That a key is missing.
    pub(crate) fn missing(&self, key: &str) -> Error {
        Error::damaged(&self.path, format!("the metadata has no `{key}`"))
    }

    fn get<'a, T>(
        &'a self,
        key: &str,
        read: impl Fn(&'a Value) -> Option<T>,
        expected: &str,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.metadata.get(key) else { return Ok(None) };
        read(value)
            .map(Some)
            .ok_or_else(|| Error::damaged(&self.path, format!("`{key}` is {}, not {expected}", value.kind())))
    }
}

struct Reader<'a> {
    path: &'a Path,
    input: BufReader<File>,
    position: u64,
    file_size: u64,
    /// Whether lengths have eight bytes; in version 1 they had four.
    wide: bool,
}

impl Reader<'_> {
    fn header(&mut self) -> Result<Header, Error> {
        let magic: [u8; 4] = self.bytes()?;
        if &magic != b"GGUF" {
            return Err(self.wrong(0, "this is no GGUF file: it does not begin with `GGUF`"));
        }
        let version = self.u32()?;
        self.wide = match version {
            1 => false,
            2 | 3 => true,
            other => return Err(self.wrong(4, format!("version {other} of GGUF is not known"))),
        };
        let num_tensors = self.length("tensors", 25)?;
        let num_values = self.length("values", 13)?;
        let mut metadata = BTreeMap::new();
        for _ in 0..num_values {
            let key = self.string()?;
            let kind = self.u32()?;
            let value = self.value(kind)?;
            metadata.insert(key, value);
        }
        let mut tensors = BTreeMap::new();
        for _ in 0..num_tensors {
            let place = self.position;
            let (name, info) = self.tensor()?;
            if tensors.insert(name.clone(), info).is_some() {
                return Err(self.wrong(place, format!("there are two tensors `{name}`")));
            }
        }
        let alignment = match metadata.get("general.alignment") {
            None => DEFAULT_ALIGNMENT,
            Some(value) => value
                .as_count()
                .filter(|count| count.is_power_of_two() && *count <= 1 << 20)
                .ok_or_else(|| Error::damaged(self.path, "`general.alignment` is no power of two"))?,
        };
        let data_start = self.position.next_multiple_of(alignment);
        Ok(Header { path: self.path.to_owned(), metadata, tensors, data_start, file_size: self.file_size })
    }

    fn tensor(&mut self) -> Result<(String, TensorInfo), Error> {
        let place = self.position;
        let name = self.string()?;
        let dimensions = self.u32()?;
        if !(1..=MAX_DIMENSIONS).contains(&dimensions) {
            return Err(self.wrong(place, format!("the tensor `{name}` has {dimensions} dimensions")));
        }
        // The file has the dimension that lies together first; others write it last.
        let mut shape = vec![0; dimensions as usize];
        for size in shape.iter_mut().rev() {
            let number = if self.wide { self.u64()? } else { u64::from(self.u32()?) };
            *size = usize::try_from(number).unwrap_or(usize::MAX);
        }
        let kind = self.u32()?;
        let offset = self.u64()?;
        let info = TensorInfo::new(shape, kind, offset)
            .map_err(|reason| self.wrong(place, format!("the tensor `{name}` {reason}")))?;
        Ok((name, info))
    }

    fn value(&mut self, kind: u32) -> Result<Value, Error> {
        Ok(match kind {
            0 => Value::Unsigned(u64::from(self.bytes::<1>()?[0])),
            1 => Value::Signed(i64::from(self.bytes::<1>()?[0].cast_signed())),
            2 => Value::Unsigned(u64::from(u16::from_le_bytes(self.bytes()?))),
            3 => Value::Signed(i64::from(i16::from_le_bytes(self.bytes()?))),
            4 => Value::Unsigned(u64::from(self.u32()?)),
            5 => Value::Signed(i64::from(i32::from_le_bytes(self.bytes()?))),
            6 => Value::Float(f64::from(f32::from_le_bytes(self.bytes()?))),
            7 => Value::Bool(self.bytes::<1>()?[0] != 0),
            8 => Value::String(self.string()?),
            9 => Value::Array(self.array()?),
            10 => Value::Unsigned(self.u64()?),
            11 => Value::Signed(i64::from_le_bytes(self.bytes()?)),
            12 => Value::Float(f64::from_le_bytes(self.bytes()?)),
            other => return Err(self.wrong(self.position - 4, format!("no value has the type {other}"))),
        })
    }

    fn array(&mut self) -> Result<Array, Error> {
        let place = self.position;
        let kind = self.u32()?;
        let size = match kind {
            0 | 1 | 7 => 1,
            2 | 3 => 2,
            4..=6 => 4,
            8 if self.wide => 8,
            8 => 4,
            10..=12 => 8,
            9 => return Err(self.wrong(place, "a list holds lists")),
            other => return Err(self.wrong(place, format!("no value has the type {other}"))),
        };
        let length = self.length("elements of a list", size)?;
        let mut integers = Vec::new();
        let mut floats = Vec::new();
        let mut strings = Vec::new();
        for _ in 0..length {
            match self.value(kind)? {
                Value::Unsigned(number) => integers.push(i64::try_from(number).unwrap_or(i64::MAX)),
                Value::Signed(number) => integers.push(number),
                Value::Bool(value) => integers.push(i64::from(value)),
                Value::Float(number) => floats.push(number as f32),
                Value::String(text) => strings.push(text),
                Value::Array(_) => return Err(self.wrong(place, "a list holds lists")),
            }
        }
        Ok(match kind {
            6 | 12 => Array::Floats(floats),
            8 => Array::Strings(strings),
            _ => Array::Integers(integers),
        })
    }

    /// A length or count, of things of at least this many bytes each.
    fn length(&mut self, of: &str, size: u64) -> Result<u64, Error> {
        let place = self.position;
        let length = if self.wide { self.u64()? } else { u64::from(self.u32()?) };
        let left = self.file_size.saturating_sub(self.position);
        if length.checked_mul(size).is_none_or(|needed| needed > left) {
            let reason = format!("it says that {length} {of} follow, but only {left} bytes do");
            return Err(self.wrong(place, reason));
        }
        Ok(length)
    }

    fn string(&mut self) -> Result<String, Error> {
        let place = self.position;
        let length = self.length("bytes of text", 1)?;
        let mut bytes = Vec::new();
        let read = (&mut self.input).take(length).read_to_end(&mut bytes);
        read.map_err(|cause| Error::io(self.path, cause))?;
        if bytes.len() as u64 != length {
            return Err(self.wrong(place, "the file ends within a text"));
        }
        self.position += length;
        // Vocabularies with a broken piece exist and work; a piece that cannot be written is never needed.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn u32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    fn u64(&mut self) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes).map_err(|cause| match cause.kind() {
            std::io::ErrorKind::UnexpectedEof => self.wrong(self.position, "the file ends within its header"),
            _ => Error::io(self.path, cause),
        })?;
        self.position += N as u64;
        Ok(bytes)
    }

    fn wrong(&self, place: u64, reason: impl std::fmt::Display) -> Error {
        Error::damaged(self.path, format!("byte {place}: {reason}"))
    }
}
