//! Files as text: opened, unpacked, checked to be UTF-8.

use crate::error::{Error, Place};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// The first two bytes of what gzip writes.
const GZIP_MAGIC: [u8; 2] = [0x1F, 0x8B];

/// How much is read at once.
const BUFFER: usize = 1 << 17;

/// Where a text comes from.
#[derive(Debug)]
pub struct Source<'a> {
    name: String,
    input: Input<'a>,
}

#[derive(Debug)]
enum Input<'a> {
    Path(&'a Path),
    Bytes(Vec<u8>),
}

impl<'a> Source<'a> {
    /// A file, or standard input for `-`.
    #[must_use]
    pub fn path(path: &'a Path) -> Self {
        let name =
            if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
        Self { name, input: Input::Path(path) }
    }

    /// Bytes in memory under a name for messages.
    #[must_use]
    pub fn bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.to_owned(), input: Input::Bytes(bytes.into()) }
    }

    /// Reads all of it, unpacked if it is gzip, whatever its name, and without a byte order mark.
    ///
    /// # Errors
    ///
    /// When it cannot be read, the packing is damaged, or it is not UTF-8.
    pub fn read(self) -> Result<SourceText, Error> {
        let Self { name, input } = self;
        let read = || -> io::Result<Vec<u8>> {
            let bytes = match input {
                Input::Bytes(bytes) => bytes,
                Input::Path(path) if path == Path::new("-") => {
                    let mut bytes = Vec::new();
                    io::stdin().lock().read_to_end(&mut bytes)?;
                    bytes
                }
                Input::Path(path) => {
                    let mut file = File::open(path)?;
                    if file.metadata()?.is_dir() {
                        return Err(io::Error::other("is a folder, not a file"));
                    }
                    let mut bytes = Vec::new();
                    file.read_to_end(&mut bytes)?;
                    bytes
                }
            };
            if bytes.starts_with(&GZIP_MAGIC) {
                let mut unpacked = Vec::new();
                Unpacked(MultiGzDecoder::new(bytes.as_slice())).read_to_end(&mut unpacked)?;
                return Ok(unpacked);
            }
            Ok(bytes)
        };
        let mut bytes = read().map_err(|cause| Error::Io { file: name.clone(), cause })?;
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(SourceText { name, text }),
            Err(error) => {
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let valid = std::str::from_utf8(valid).expect("valid up to here");
                let place = place(&name, valid, valid.len());
                let reason = "is not UTF-8 here; convert the file, for example with iconv".to_owned();
                Err(Error::Bad { place, reason })
            }
        }
    }
}

impl<'a> Source<'a> {
    /// What it is called in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Opens it for reading piece by piece, unpacked if it is gzip: for files
    /// that do not fit in memory. Unlike [`Source::read`] this looks neither at
    /// the encoding nor for a byte order mark.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub fn open(self) -> Result<Box<dyn BufRead + Send + 'a>, Error> {
        let Self { name, input } = self;
        let open = || -> io::Result<Box<dyn BufRead + Send + 'a>> {
            let mut raw: Box<dyn Read + Send + 'a> = match input {
                Input::Bytes(bytes) => Box::new(Cursor::new(bytes)),
                Input::Path(path) if path == Path::new("-") => Box::new(io::stdin()),
                Input::Path(path) => {
                    let file = File::open(path)?;
                    if file.metadata()?.is_dir() {
                        return Err(io::Error::other("is a folder, not a file"));
                    }
                    Box::new(file)
                }
            };
            let mut magic = Vec::new();
            raw.by_ref().take(2).read_to_end(&mut magic)?;
            let packed = magic == GZIP_MAGIC;
            let whole = BufReader::with_capacity(BUFFER, Cursor::new(magic).chain(raw));
            Ok(if packed {
                Box::new(BufReader::with_capacity(BUFFER, Unpacked(MultiGzDecoder::new(whole))))
            } else {
                Box::new(whole)
            })
        };
        open().map_err(|cause| Error::Io { file: name, cause })
    }
}

/// What is unpacked, with errors that say so.
struct Unpacked<R>(MultiGzDecoder<R>);

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer);
        read.map_err(|error| io::Error::new(error.kind(), format!("damaged gzip: {error}")))
    }
}

/// A file that was read: its name and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// What to call it in messages.
    pub name: String,
    /// All of it, in UTF-8, without a byte order mark.
    pub text: String,
}

impl SourceText {
    /// The place of a byte of the text.
    #[must_use]
    pub fn place(&self, offset: usize) -> Place {
        place(&self.name, &self.text, offset)
    }
}

fn place(name: &str, text: &str, offset: usize) -> Place {
    let before = &text.as_bytes()[..offset];
    let line = 1 + memchr::memchr_iter(b'\n', before).count();
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let column = 1 + text[start..offset].chars().count();
    Place { file: name.to_owned(), line, column: Some(column) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn gzip_is_unpacked_whatever_its_name() {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all("a\tb\n".as_bytes()).unwrap();
        let text = Source::bytes("run.tsv", packer.finish().unwrap()).read().unwrap();
        assert_eq!(text.text, "a\tb\n");
    }

    #[test]
    fn reading_in_pieces_gives_the_same() {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(b"a\tb\n").unwrap();
        for bytes in [packer.finish().unwrap(), b"a\tb\n".to_vec(), b"a".to_vec(), Vec::new()] {
            let mut pieces = String::new();
            Source::bytes("x", bytes.clone()).open().unwrap().read_to_string(&mut pieces).unwrap();
            assert_eq!(pieces, Source::bytes("x", bytes).read().unwrap().text);
        }
    }

    #[test]
    fn damaged_gzip_is_an_error_with_its_name() {
        let error = Source::bytes("run.gz", b"\x1F\x8Bnonsense".as_slice()).read().unwrap_err();
        assert!(error.to_string().starts_with("run.gz: damaged gzip: "), "{error}");
    }

    #[test]
    fn what_is_not_utf8_is_placed() {
        let error = Source::bytes("q", b"ab\nx\xC3\xA4 \xFF".as_slice()).read().unwrap_err();
        assert_eq!(error.to_string(), "q:2:4: is not UTF-8 here; convert the file, for example with iconv");
    }

    #[test]
    fn byte_order_marks_are_dropped() {
        assert_eq!(Source::bytes("q", b"\xEF\xBB\xBFx".as_slice()).read().unwrap().text, "x");
    }
}
