//! Records of text files, read in batches: lines, or rows of a TSV with quoting.
//!
//! The reader only finds where records end; taking a record apart is left to
//! [`fields`], which the workers call on all cores. Memory is bounded by the
//! batch size and the longest single record.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

/// A batch ends when it holds this many bytes …
const BATCH_BYTES: usize = 128 * 1024;
/// … or this many records, so that long formulas do not make lumps of work.
const BATCH_RECORDS: usize = 1024;

/// How a file is cut into records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Layout {
    /// One formula a line
    Txt,
    /// A header line, then rows of tab-separated fields, quoted as in CSV
    Tsv,
}

/// Records that follow each other in a file.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    bytes: Vec<u8>,
    records: Vec<Bounds>,
    /// The number of the first record, from 1, the header not counted.
    first: u64,
}

#[derive(Clone, Copy, Debug)]
struct Bounds {
    start: usize,
    end: usize,
    line: u64,
}

/// One record of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'b> {
    /// Its bytes, without the line end.
    pub(crate) bytes: &'b [u8],
    /// Its number, from 1.
    pub(crate) number: u64,
    /// The line it starts on, from 1.
    pub(crate) line: u64,
}

impl Batch {
    /// The records in order.
    pub(crate) fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.records.iter().zip(self.first..).map(|(bounds, number)| Record {
            bytes: &self.bytes[bounds.start..bounds.end],
            number,
            line: bounds.line,
        })
    }

    /// How many bytes it holds.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
}

/// Cuts a stream into records.
pub(crate) struct RecordReader<R> {
    input: BufReader<R>,
    layout: Layout,
    /// Lines read so far.
    lines: u64,
    /// Records handed out so far.
    records: u64,
    at_start: bool,
    /// Whether an empty line is left out; so in a table of several columns.
    skip_empty_lines: bool,
    /// What went wrong after the batch handed out last.
    failed: Option<io::Error>,
}

impl<R: Read> RecordReader<R> {
    pub(crate) fn new(input: R, layout: Layout) -> Self {
        Self {
            input: BufReader::with_capacity(2 * BATCH_BYTES, input),
            layout,
            lines: 0,
            records: 0,
            at_start: true,
            skip_empty_lines: false,
            failed: None,
        }
    }

    /// Reads the header of a table; empty when there is not even a line.
    pub(crate) fn read_header(&mut self) -> io::Result<Vec<String>> {
        let mut bytes = Vec::new();
        let Some(bounds) = self.read_record(&mut bytes)? else { return Ok(Vec::new()) };
        let header: Vec<String> = fields(&bytes[bounds.start..bounds.end])
            .map(|field| String::from_utf8_lossy(&field).trim().to_owned())
            .collect();
        self.skip_empty_lines = header.len() > 1;
        Ok(header)
    }

    /// Reads some records; `None` at the end. Records in front of an error are
    /// handed out before it. A batch is handed out early when
    /// reading on would have to wait, so that a slow producer sees its results.
    pub(crate) fn read_batch(&mut self) -> io::Result<Option<Batch>> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut batch = Batch { first: self.records + 1, ..Batch::default() };
        while batch.bytes.len() < BATCH_BYTES && batch.records.len() < BATCH_RECORDS {
            let bounds = match self.read_record(&mut batch.bytes) {
                Ok(Some(bounds)) => bounds,
                Ok(None) => break,
                Err(error) if batch.records.is_empty() => return Err(error),
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            };
            batch.records.push(bounds);
            self.records += 1;
            if self.input.buffer().is_empty() {
                break;
            }
        }
        Ok((!batch.records.is_empty()).then_some(batch))
    }

    /// Appends one record to `bytes` and says where it stands there.
    fn read_record(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<Bounds>> {
        loop {
            let start = bytes.len();
            let line = self.lines + 1;
            if !self.read_line(bytes)? {
                return Ok(None);
            }
            let mut start = start;
            if self.at_start {
                self.at_start = false;
                if bytes[start..].starts_with(b"\xEF\xBB\xBF") {
                    start += 3;
                    if start == bytes.len() {
                        return Ok(None);
                    }
                }
            }
            if self.layout == Layout::Tsv {
                let mut state = State::FieldStart;
                let mut seen = start;
                loop {
                    state = state.after(&bytes[seen..]);
                    if state != State::Quoted {
                        break;
                    }
                    seen = bytes.len();
                    if !self.read_line(bytes)? {
                        let message = format!("line {line}: a quoted field is never closed");
                        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                    }
                }
            }
            let end = start + without_line_end(&bytes[start..]).len();
            if start == end && self.skip_empty_lines {
                bytes.truncate(start);
                continue;
            }
            return Ok(Some(Bounds { start, end, line }));
        }
    }

    /// Appends a line with its end; false when there is none.
    fn read_line(&mut self, bytes: &mut Vec<u8>) -> io::Result<bool> {
        let read = self.input.read_until(b'\n', bytes)?;
        self.lines += u64::from(read > 0);
        Ok(read > 0)
    }
}

fn without_line_end(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

/// Where in a row of a table we are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    FieldStart,
    Plain,
    Quoted,
    /// After a quote in a quoted field: its end, or half of a doubled one.
    Quote,
}

impl State {
    fn after(mut self, bytes: &[u8]) -> Self {
        if self != Self::Quoted && !bytes.contains(&b'"') {
            return Self::Plain;
        }
        for &byte in bytes {
            self = self.step(byte);
        }
        self
    }

    fn step(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::FieldStart, b'"') | (Self::Quote, b'"') => Self::Quoted,
            (Self::Quoted, b'"') => Self::Quote,
            (Self::Quoted, _) => Self::Quoted,
            (_, b'\t') => Self::FieldStart,
            _ => Self::Plain,
        }
    }
}

/// The fields of a row, unquoted. As other readers do, a quote only counts at
/// the start of a field, and what follows a closing quote belongs to the field.
pub(crate) fn fields(row: &[u8]) -> impl Iterator<Item = Cow<'_, [u8]>> {
    let mut rest = Some(row);
    std::iter::from_fn(move || {
        let row = rest?;
        let length;
        let field = if row.first() == Some(&b'"') {
            let mut field = Vec::new();
            let mut state = State::FieldStart;
            let mut at = 0;
            while at < row.len() {
                let next = state.step(row[at]);
                match (state, next) {
                    // The tab after the field.
                    (_, State::FieldStart) => break,
                    // The opening quote, and each quote until we know which it is.
                    (State::FieldStart, _) | (State::Quoted, State::Quote) => {}
                    _ => field.push(row[at]),
                }
                state = next;
                at += 1;
            }
            length = at;
            Cow::Owned(field)
        } else {
            length = row.iter().position(|&byte| byte == b'\t').unwrap_or(row.len());
            Cow::Borrowed(&row[..length])
        };
        rest = row.get(length + 1..);
        Some(field)
    })
}

/// Appends a value such that [`fields`] gives it back: quoted only if it has
/// to be, so that plain tools can cut most files at tabs.
pub(crate) fn push_field(out: &mut String, value: &str) {
    if value.starts_with('"') || value.contains(['\t', '\n', '\r']) {
        out.push('"');
        out.push_str(&value.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8], layout: Layout) -> Vec<(u64, u64, Vec<String>)> {
        let mut reader = RecordReader::new(input, layout);
        if layout == Layout::Tsv {
            reader.read_header().unwrap();
        }
        let mut rows = Vec::new();
        while let Some(batch) = reader.read_batch().unwrap() {
            rows.extend(batch.records().map(|record| {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let values = match layout {
                    Layout::Txt => vec![text(record.bytes)],
                    Layout::Tsv => fields(record.bytes).map(|field| text(&field)).collect(),
                };
                (record.number, record.line, values)
            }));
        }
        rows
    }

    fn row(number: u64, line: u64, values: &[&str]) -> (u64, u64, Vec<String>) {
        (number, line, values.iter().map(|&value| value.to_owned()).collect())
    }

    #[test]
    fn lines() {
        let rows = read(b"\xEF\xBB\xBFx\r\n\n\"y\tz\nlast", Layout::Txt);
        let expected = [row(1, 1, &["x"]), row(2, 2, &[""]), row(3, 3, &["\"y\tz"]), row(4, 4, &["last"])];
        assert_eq!(rows, expected);
        assert_eq!(read(b"", Layout::Txt), []);
        assert_eq!(read(b"\xEF\xBB\xBF", Layout::Txt), []);
        assert_eq!(read(b"\n", Layout::Txt), [row(1, 1, &[""])]);
    }

    #[test]
    fn quoted_rows() {
        let input = b"id\tformula\r\n1\t\"a\tb\"\r\n2\t\"say \"\"x\"\"\r\nnext\"\n\n3\tf\"g\"\n4\t\"\"\n5\t\n\"6\"7\tx";
        let expected = [
            row(1, 2, &["1", "a\tb"]),
            row(2, 3, &["2", "say \"x\"\r\nnext"]),
            row(3, 6, &["3", "f\"g\""]),
            row(4, 7, &["4", ""]),
            row(5, 8, &["5", ""]),
            row(6, 9, &["67", "x"]),
        ];
        assert_eq!(read(input, Layout::Tsv), expected);
    }

    #[test]
    fn an_empty_line_is_a_row_of_a_one_column_table() {
        let expected = [row(1, 2, &["x"]), row(2, 3, &[""]), row(3, 4, &["y"])];
        assert_eq!(read(b"formula\nx\n\ny\n", Layout::Tsv), expected);
    }

    #[test]
    fn an_open_quote_is_an_error_that_says_where() {
        let mut reader = RecordReader::new(&b"id\tformula\n1\tx\n2\t\"x\n3\ty\n"[..], Layout::Tsv);
        reader.read_header().unwrap();
        assert_eq!(reader.read_batch().unwrap().unwrap().records().count(), 1);
        let error = reader.read_batch().unwrap_err();
        assert_eq!(error.to_string(), "line 3: a quoted field is never closed");
    }

    #[test]
    fn what_is_written_reads_back() {
        for value in ["", "x", "\"", "a\"b", "\"a\"", "a\tb", "a\nb\r\n", "\t", "\"\"\"\t", "é\r"] {
            let mut out = String::from("1\t");
            push_field(&mut out, value);
            out.push('\n');
            let input = format!("id\tvalue\n{out}");
            assert_eq!(read(input.as_bytes(), Layout::Tsv), [row(1, 2, &["1", value])], "{value:?}");
        }
    }

    #[test]
    fn long_input_comes_in_several_batches_with_running_numbers() {
        let input = "x\n".repeat(5000);
        let mut reader = RecordReader::new(input.as_bytes(), Layout::Txt);
        let mut numbers = Vec::new();
        let mut batches = 0;
        while let Some(batch) = reader.read_batch().unwrap() {
            batches += 1;
            numbers.extend(batch.records().map(|record| record.number));
        }
        assert!(batches >= 5);
        assert_eq!(numbers, (1..=5000).collect::<Vec<u64>>());
    }
}
