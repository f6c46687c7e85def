//! Sequences of tokens on disk: first as hashes, while tokens are counted, then as numbers, in pieces of about
//! [`PIECE`] tokens that threads take one by one.

use super::error::Error;
use super::options::Options;
use super::vocabulary::{Counter, Vocabulary};
use frame::{Format, Frame, FrameWriter};
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The tokens of a piece, of which gensim calls its own a job.
const PIECE: u64 = 10_000;
/// The most tokens of a sequence; a longer one is several.
const LONGEST: usize = 10_000;

const FORMAT: Format = Format { head: *b"HYPTRSQ\0", foot: *b"\0QSRTPYH", version: 1 };

/// Counts tokens and writes their hashes to a file.
#[derive(Debug)]
pub(super) struct HashedSequences {
    path: PathBuf,
    file: BufWriter<File>,
    counter: Counter,
    sequence: Vec<u64>,
    sequences: u64,
}

impl HashedSequences {
    pub(super) fn create(path: PathBuf, options: &Options) -> Result<Self, Error> {
        let file = File::create(&path).map_err(Error::io(&path))?;
        Ok(Self {
            file: BufWriter::with_capacity(1 << 18, file),
            path,
            counter: Counter::new(options.most_distinct),
            sequence: Vec::new(),
            sequences: 0,
        })
    }

    /// Adds a sequence; empty tokens are none.
    pub(super) fn push<'t>(&mut self, tokens: impl IntoIterator<Item = &'t str>) -> Result<(), Error> {
        for token in tokens {
            if token.is_empty() {
                continue;
            }
            let hash = self.counter.count(token);
            self.sequence.push(hash);
            if self.sequence.len() == LONGEST {
                self.write()?;
            }
        }
        self.write()
    }

    fn write(&mut self) -> Result<(), Error> {
        if self.sequence.is_empty() {
            return Ok(());
        }
        self.sequences += 1;
        let length = self.sequence.len() as u64;
        for number in std::iter::once(&length).chain(&self.sequence) {
            self.file.write_all(&number.to_le_bytes()).map_err(Error::io(&self.path))?;
        }
        self.sequence.clear();
        Ok(())
    }

    /// Writes the sequences as numbers of the tokens that get vectors, and removes the hashes.
    pub(super) fn finish(
        self,
        target: &Path,
        options: &Options,
        extras: &[(&str, &[u8])],
    ) -> Result<(), Error> {
        let Self { path, file, counter, sequences, .. } = self;
        file.into_inner().map_err(|error| Error::io(&path)(error.into_error()))?;
        let (total, distinct) = (counter.total, counter.distinct());
        let (vocabulary, numbers) = counter.finish(options);
        if vocabulary.len() == 0 {
            return Err(Error::Nothing(format!(
                "{sequences} sequences with {distinct} distinct tokens, none of which occurs {} times",
                options.min_count
            )));
        }
        let hidden = target.with_extension("new");
        let mut writer = FrameWriter::create(&hidden, FORMAT)?;
        let mut pieces: Vec<u64> = Vec::new();
        let mut known = 0_u64;
        writer.section::<Error>("tokens", |put| {
            let mut hashes = BufReader::with_capacity(1 << 18, File::open(&path).map_err(Error::io(&path))?);
            let mut next = || {
                let mut bytes = [0; 8];
                hashes.read_exact(&mut bytes).map(|()| u64::from_le_bytes(bytes)).map_err(Error::io(&path))
            };
            let (mut at, mut in_piece, mut bytes) = (0_u64, 0_u64, Vec::new());
            for _ in 0..sequences {
                bytes.clear();
                bytes.extend_from_slice(&[0; 4]);
                for _ in 0..next()? {
                    if let Some(number) = numbers.get(&next()?) {
                        bytes.extend_from_slice(&number.to_le_bytes());
                    }
                }
                let length = (bytes.len() / 4 - 1) as u32;
                if length == 0 {
                    continue;
                }
                bytes[..4].copy_from_slice(&length.to_le_bytes());
                if pieces.is_empty() || in_piece >= PIECE {
                    pieces.extend([at, known]);
                    in_piece = 0;
                }
                put(&bytes)?;
                at += bytes.len() as u64;
                in_piece += u64::from(length);
                known += u64::from(length);
            }
            Ok(())
        })?;
        writer.items("pieces", pieces.iter().map(|number| number.to_le_bytes()))?;
        writer.items("totals", [total, known, sequences, distinct as u64].map(u64::to_le_bytes))?;
        writer.section::<Error>("vocabulary", |put| Ok(put(vocabulary.to_lines().as_bytes())?))?;
        let names: Vec<&str> = extras.iter().map(|(name, _)| *name).collect();
        writer.section::<Error>("extras", |put| Ok(put(names.join("\n").as_bytes())?))?;
        for (name, bytes) in extras {
            writer.section::<Error>(&format!("extra.{name}"), |put| Ok(put(bytes)?))?;
        }
        writer.finish()?;
        frame::publish(&hidden, target)?;
        fs::remove_file(&path).map_err(Error::io(&path))
    }
}

/// Sequences of numbers on disk.
#[derive(Debug)]
pub(super) struct NumberedSequences {
    frame: Frame,
    pub(super) vocabulary: Vocabulary,
    /// Where each piece begins, and the tokens before it.
    pieces: Vec<(u64, u64)>,
    /// The occurrences of all tokens, and of those with vectors.
    pub(super) total: u64,
    pub(super) known: u64,
    pub(super) sequences: u64,
    pub(super) distinct: u64,
}

impl NumberedSequences {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let frame = Frame::open(path, &FORMAT)?;
        let damaged = |what: &str| Error::from(frame.damaged(what));
        let lines = std::str::from_utf8(frame.bytes("vocabulary"));
        let lines = lines.map_err(|_| damaged("its vocabulary is not text"))?;
        let vocabulary = Vocabulary::from_lines(lines)
            .map_err(|line| damaged(&format!("line {line} of its vocabulary is not a token with a count")))?;
        let numbers = |name: &str| -> Vec<u64> {
            frame.bytes(name).as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect()
        };
        let pieces = numbers("pieces").as_chunks().0.iter().map(|&[at, before]| (at, before)).collect();
        let [total, known, sequences, distinct] = numbers("totals")[..] else {
            return Err(damaged("its totals are missing"));
        };
        Ok(Self { frame, vocabulary, pieces, total, known, sequences, distinct })
    }

    /// The number of pieces.
    pub(super) fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// The tokens before a piece.
    pub(super) fn before(&self, piece: usize) -> u64 {
        self.pieces.get(piece).map_or(self.known, |(_, before)| *before)
    }

    /// The sequences of a piece: their tokens one after the other, and where each ends.
    pub(super) fn read(
        &self,
        piece: usize,
        tokens: &mut Vec<u32>,
        ends: &mut Vec<usize>,
    ) -> Result<(), Error> {
        tokens.clear();
        ends.clear();
        let damaged = || Error::from(self.frame.damaged("its sequences are not as they were written"));
        let section = self.frame.range("tokens").ok_or_else(damaged)?;
        let view = self.frame.view(section);
        let place = |at: u64| usize::try_from(at).map_err(|_| damaged());
        let start = place(self.pieces.get(piece).ok_or_else(damaged)?.0)?;
        let end = self.pieces.get(piece + 1).map_or(Ok(view.len()), |(at, _)| place(*at))?;
        let bytes = view.get(start..end).ok_or_else(damaged)?;
        let mut numbers = bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let size = self.vocabulary.len() as u32;
        while let Some(length) = numbers.next() {
            let before = tokens.len();
            tokens.extend(numbers.by_ref().take(length as usize));
            if tokens.len() != before + length as usize || tokens[before..].iter().any(|token| *token >= size)
            {
                return Err(damaged());
            }
            ends.push(tokens.len());
        }
        Ok(())
    }

    /// What the caller gave to be kept, by name.
    pub(super) fn extras(&self) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let names = std::str::from_utf8(self.frame.bytes("extras"));
        let names = names.map_err(|_| self.frame.damaged("its names are not text"))?;
        let named =
            names.lines().map(|name| (name.to_owned(), self.frame.bytes(&format!("extra.{name}")).to_vec()));
        let named = named.collect();
        self.frame.sound()?;
        Ok(named)
    }

    /// A number that is another one for other sequences.
    pub(super) fn fingerprint(&self) -> u64 {
        self.frame.fingerprint()
    }
}
