//! The beginning of a GGUF file: what kind of model it holds.
//!
//! Only the metadata is read, and of that only single numbers and texts; the engine reads and checks the rest
//! when it opens the file.

use crate::Error;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// More keys than any file has.
const MOST_KEYS: u64 = 100_000;
/// Chat templates are the longest texts.
const LONGEST_TEXT: u64 = 16 << 20;
/// Metadata with the tokens of a vocabulary has some ten megabytes.
const LONGEST_METADATA: u64 = 1 << 30;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Number(u64),
    Other,
}

/// The metadata that are single values.
pub(crate) fn read(path: &Path) -> Result<BTreeMap<String, Value>, Error> {
    let file = File::open(path).map_err(|cause| Error::io(path, cause))?;
    let mut reader = Reader(BufReader::with_capacity(1 << 16, file).take(LONGEST_METADATA));
    reader.metadata().map_err(|cause| match cause.kind() {
        io::ErrorKind::UnexpectedEof => {
            Error::damaged(path, "cut short: the GGUF file ends within its metadata")
        }
        io::ErrorKind::InvalidData => Error::damaged(path, cause.to_string()),
        _ => Error::io(path, cause),
    })
}

struct Reader<R>(R);

fn invalid(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

impl<R: Read> Reader<R> {
    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> io::Result<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> io::Result<u64> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let skipped = io::copy(&mut (&mut self.0).take(bytes), &mut io::sink())?;
        if skipped == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn text(&mut self) -> io::Result<String> {
        let length = self.u64()?;
        if length > LONGEST_TEXT {
            return Err(invalid(format!("a text in the metadata would have {length} bytes")));
        }
        let mut bytes = Vec::new();
        (&mut self.0).take(length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn metadata(&mut self) -> io::Result<BTreeMap<String, Value>> {
        if &self.bytes::<4>()? != b"GGUF" {
            return Err(invalid("not a GGUF file".to_owned()));
        }
        let version = self.u32()?;
        if !(2..=3).contains(&version) {
            return Err(invalid(format!("a GGUF file of version {version}; versions 2 and 3 are read")));
        }
        let _tensors = self.u64()?;
        let keys = self.u64()?;
        if keys > MOST_KEYS {
            return Err(invalid(format!("a GGUF file with {keys} keys")));
        }
        let mut found = BTreeMap::new();
        for _ in 0..keys {
            let key = self.text()?;
            let kind = self.u32()?;
            let value = self.value(kind)?;
            if value != Value::Other {
                found.insert(key, value);
            }
        }
        Ok(found)
    }

    fn value(&mut self, kind: u32) -> io::Result<Value> {
        Ok(match kind {
            0 => Value::Number(u64::from(self.bytes::<1>()?[0])),
            2 => Value::Number(u64::from(u16::from_le_bytes(self.bytes()?))),
            4 => Value::Number(u64::from(self.u32()?)),
            10 => Value::Number(self.u64()?),
            8 => Value::Text(self.text()?),
            9 => {
                let (kind, count) = (self.u32()?, self.u64()?);
                if let Some(width) = width(kind) {
                    self.skip(
                        count.checked_mul(width).ok_or_else(|| invalid("an array is too long".to_owned()))?,
                    )?;
                } else if kind == 8 {
                    // The file ends long before an absurd number of texts is read.
                    for _ in 0..count {
                        let length = self.u64()?;
                        self.skip(length)?;
                    }
                } else {
                    return Err(invalid(format!("an array of the unknown type {kind}")));
                }
                Value::Other
            }
            _ => {
                self.skip(
                    width(kind).ok_or_else(|| invalid(format!("a value of the unknown type {kind}")))?,
                )?;
                Value::Other
            }
        })
    }
}

/// The bytes of a number of this type.
fn width(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Vec<u8> {
        [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat()
    }

    fn good() -> Vec<u8> {
        let mut bytes = b"GGUF".to_vec();
        bytes.extend(3u32.to_le_bytes());
        bytes.extend([0u64.to_le_bytes(), 3u64.to_le_bytes()].concat());
        bytes.extend([text("general.architecture"), 8u32.to_le_bytes().to_vec(), text("llama")].concat());
        bytes.extend([text("words"), 9u32.to_le_bytes().to_vec(), 8u32.to_le_bytes().to_vec()].concat());
        bytes.extend([2u64.to_le_bytes().to_vec(), text("a"), text("b")].concat());
        bytes.extend(
            [text("llama.context_length"), 4u32.to_le_bytes().to_vec(), 8u32.to_le_bytes().to_vec()].concat(),
        );
        bytes
    }

    #[test]
    fn numbers_and_texts_are_read_and_arrays_passed_over() {
        let dir = testkit::TempDir::new("gguf");
        let found = read(&dir.write("a.gguf", good())).unwrap();
        assert_eq!(found["general.architecture"], Value::Text("llama".to_owned()));
        assert_eq!(found["llama.context_length"], Value::Number(8));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn every_cut_is_damage() {
        let dir = testkit::TempDir::new("gguf-cut");
        let whole = good();
        for length in 0..whole.len() {
            let error = read(&dir.write("a.gguf", &whole[..length])).unwrap_err();
            assert!(error.is_damage(), "{length}: {error}");
        }
    }
}
