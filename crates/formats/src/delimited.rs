//! Records of fields separated by tabs or commas, read one at a time.
//!
//! Tables of formulas have millions of records and fields of any size with
//! line ends inside quotes, so one record at a time is in memory, and every
//! field knows its line and column.

use crate::error::{Error, Place};
use std::io::BufRead;
use std::ops::Range;

/// How many bytes one record may have: a quote that is never closed must not
/// pull a whole collection into memory.
const MAX_RECORD: usize = 1 << 26;

/// What stands between fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delimiter {
    Tab,
    Comma,
}

impl Delimiter {
    fn byte(self) -> u8 {
        match self {
            Self::Tab => b'\t',
            Self::Comma => b',',
        }
    }

    /// Tab if there is one in the first line, else comma.
    pub(crate) fn of(text: &str) -> Self {
        let first = text.lines().next().unwrap_or_default();
        if first.contains('\t') { Self::Tab } else { Self::Comma }
    }
}

/// Whether quotes around a field are a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// A field may stand in quotes, with the quotes inside it doubled.
    Csv,
    /// Quotes are characters like others.
    None,
}

/// Reads records; lines that are empty are passed over.
pub(crate) struct Records<R> {
    name: String,
    input: R,
    delimiter: u8,
    quoting: Quoting,
    /// The lines read so far.
    lines: usize,
    record: Record,
}

/// One record.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// The line it starts on, from 1.
    pub(crate) line: usize,
    /// What stands in the file, with its line end.
    raw: Vec<u8>,
    /// The fields one after the other, without quotes.
    text: String,
    fields: Vec<Field>,
}

#[derive(Debug)]
struct Field {
    text: Range<usize>,
    raw_start: usize,
}

impl Record {
    /// How many fields it has; at least one.
    pub(crate) fn len(&self) -> usize {
        self.fields.len()
    }

    /// A field, from 0.
    pub(crate) fn get(&self, index: usize) -> Option<&str> {
        self.fields.get(index).map(|field| &self.text[field.text.clone()])
    }

    /// All fields.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| &self.text[field.text.clone()])
    }
}

impl<R: BufRead> Records<R> {
    /// Reads from `input`, called `name` in messages.
    pub(crate) fn new(name: &str, input: R, delimiter: Delimiter, quoting: Quoting) -> Self {
        let delimiter = delimiter.byte();
        Self { name: name.to_owned(), input, delimiter, quoting, lines: 0, record: Record::default() }
    }

    /// Reads on. Afterwards [`Records::record`] is the record; false at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, Error> {
        loop {
            self.record.raw.clear();
            self.record.line = self.lines + 1;
            if !self.read_line()? {
                return Ok(false);
            }
            if self.lines == 1 && self.record.raw.starts_with(b"\xEF\xBB\xBF") {
                self.record.raw.drain(..3);
            }
            if !matches!(self.record.raw.as_slice(), b"\n" | b"\r\n" | b"") {
                break;
            }
        }
        self.split()?;
        Ok(true)
    }

    /// The record read last.
    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    /// Where a field of the record read last begins.
    pub(crate) fn place(&self, field: usize) -> Place {
        let start = self.record.fields.get(field).map_or(self.record.raw.len(), |field| field.raw_start);
        self.place_of(start.min(trimmed(&self.record.raw)))
    }

    /// An error at a field of the record read last.
    pub(crate) fn bad(&self, field: usize, reason: impl Into<String>) -> Error {
        Error::Bad { place: self.place(field), reason: reason.into() }
    }

    fn place_of(&self, offset: usize) -> Place {
        let before = &self.record.raw[..offset];
        let line = self.record.line + memchr::memchr_iter(b'\n', before).count();
        let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        let column = 1 + String::from_utf8_lossy(&before[start..]).chars().count();
        Place { file: self.name.clone(), line, column: Some(column) }
    }

    fn read_line(&mut self) -> Result<bool, Error> {
        let left = MAX_RECORD.saturating_sub(self.record.raw.len());
        let read = std::io::Read::take(&mut self.input, left as u64)
            .read_until(b'\n', &mut self.record.raw)
            .map_err(|cause| Error::Io { file: self.name.clone(), cause })?;
        self.lines += usize::from(read > 0);
        if self.record.raw.len() >= MAX_RECORD {
            let place = Place { file: self.name.clone(), line: self.record.line, column: None };
            let reason = format!("a record of more than {MAX_RECORD} bytes: is a quote never closed?");
            return Err(Error::Bad { place, reason });
        }
        Ok(read > 0)
    }

    fn split(&mut self) -> Result<(), Error> {
        let mut fields = std::mem::take(&mut self.record.fields);
        let mut text = std::mem::take(&mut self.record.text).into_bytes();
        fields.clear();
        text.clear();
        let mut at = 0;
        loop {
            let (raw_start, start) = (at, text.len());
            if self.quoting == Quoting::Csv && self.record.raw.get(at) == Some(&b'"') {
                at = self.quoted(at, &mut text)?;
            }
            // What follows a closing quote belongs to the field, as other readers have it.
            let end = trimmed(&self.record.raw);
            let rest = &self.record.raw[at.min(end)..end];
            let length = memchr::memchr(self.delimiter, rest).unwrap_or(rest.len());
            text.extend_from_slice(&rest[..length]);
            fields.push(Field { text: start..text.len(), raw_start });
            at = at.min(end) + length;
            if at >= end {
                break;
            }
            at += 1;
        }
        // The file is looked at, not the fields, which side by side might be UTF-8 by chance.
        let checked = std::str::from_utf8(&self.record.raw).map_err(|error| error.valid_up_to());
        let text = checked.and_then(|_| String::from_utf8(text).map_err(|_| 0)).map_err(|valid| {
            let reason = "is not UTF-8 here; convert the file, for example with iconv".to_owned();
            Error::Bad { place: self.place_of(valid), reason }
        })?;
        (self.record.text, self.record.fields) = (text, fields);
        Ok(())
    }

    /// Reads a field from its opening quote; returns where its closing quote was passed.
    fn quoted(&mut self, open: usize, text: &mut Vec<u8>) -> Result<usize, Error> {
        let mut at = open + 1;
        loop {
            match memchr::memchr(b'"', &self.record.raw[at..]) {
                Some(length) => {
                    text.extend_from_slice(&self.record.raw[at..at + length]);
                    at += length + 1;
                    if self.record.raw.get(at) != Some(&b'"') {
                        return Ok(at);
                    }
                    text.push(b'"');
                    at += 1;
                }
                None => {
                    text.extend_from_slice(&self.record.raw[at..]);
                    at = self.record.raw.len();
                    if !self.read_line()? {
                        let reason = "the quote that opens here is never closed".to_owned();
                        return Err(Error::Bad { place: self.place_of(open), reason });
                    }
                }
            }
        }
    }
}

/// The length without the line end.
fn trimmed(raw: &[u8]) -> usize {
    let raw = raw.strip_suffix(b"\n").unwrap_or(raw);
    raw.strip_suffix(b"\r").unwrap_or(raw).len()
}

/// Where the columns of a table with a header are.
#[derive(Debug)]
pub(crate) struct Header(Vec<String>);

impl Header {
    /// The names of a record: lower case, blanks as `_`.
    pub(crate) fn new(record: &Record) -> Self {
        Self(record.iter().map(column_name).collect())
    }

    /// The column with the first of these names that there is.
    pub(crate) fn find(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.0.iter().position(|column| column == name))
    }

    /// The names, for messages.
    pub(crate) fn names(&self) -> String {
        self.0.join(", ")
    }
}

/// A name of a column as [`Header`] keeps it.
pub(crate) fn column_name(text: &str) -> String {
    text.split([' ', '\u{A0}', '_', '-'])
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("_")
        .to_lowercase()
}

/// A field for a table whose readers know quotes: in quotes where it must be.
pub(crate) fn quote(field: &str) -> std::borrow::Cow<'_, str> {
    if field.contains(['\t', '\n', '\r', '"', ',']) {
        format!("\"{}\"", field.replace('"', "\"\"")).into()
    } else {
        field.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], quoting: Quoting) -> Result<Vec<(usize, Vec<String>)>, Error> {
        let mut records = Records::new("t", text, Delimiter::Tab, quoting);
        let mut all = Vec::new();
        while records.advance()? {
            all.push((records.record().line, records.record().iter().map(str::to_owned).collect()));
        }
        Ok(all)
    }

    fn check(text: &str, quoting: Quoting, expected: &[(usize, &[&str])]) {
        let found = read(text.as_bytes(), quoting).unwrap();
        let found: Vec<(usize, Vec<&str>)> =
            found.iter().map(|(line, fields)| (*line, fields.iter().map(String::as_str).collect())).collect();
        let expected: Vec<(usize, Vec<&str>)> =
            expected.iter().map(|(line, fields)| (*line, fields.to_vec())).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn line_ends_and_empty_fields() {
        check("a\tb\r\n\n\tc\t\nd", Quoting::None, &[(1, &["a", "b"]), (3, &["", "c", ""]), (4, &["d"])]);
        check("\u{FEFF}a\r", Quoting::Csv, &[(1, &["a"])]);
        check("", Quoting::Csv, &[]);
    }

    #[test]
    fn quotes() {
        let text = "\"a\tb\"\t\"say \"\"x\"\"\r\ny\"\r\n\"\"\tc\"d\"\t\"e\"f\nz";
        let expected: &[(usize, &[&str])] =
            &[(1, &["a\tb", "say \"x\"\r\ny"]), (3, &["", "c\"d\"", "ef"]), (4, &["z"])];
        check(text, Quoting::Csv, expected);
        check("\"a\tb\"\n", Quoting::None, &[(1, &["\"a", "b\""])]);
    }

    #[test]
    fn errors_are_placed() {
        let error = read(b"a\n\xC3\xA4\t\"b\nc", Quoting::Csv).unwrap_err();
        assert_eq!(error.to_string(), "t:2:3: the quote that opens here is never closed");
        let error = read(b"a\nbc\t\xFF", Quoting::Csv).unwrap_err();
        assert!(error.to_string().starts_with("t:2:4: is not UTF-8"), "{error}");
    }

    #[test]
    fn a_field_may_be_large() {
        let large = "x".repeat(300_000);
        let text = format!("\"{large}\n\"\ty\n");
        check(&text, Quoting::Csv, &[(1, &[&format!("{large}\n"), "y"])]);
    }

    proptest::proptest! {
        #[test]
        fn fields_survive(rows in proptest::collection::vec(
            proptest::collection::vec("[ab\"\t\r\n,é]{0,5}", 2..4), 0..5)) {
            let text: String = rows
                .iter()
                .map(|row| row.iter().map(|field| quote(field).into_owned()).collect::<Vec<_>>().join("\t") + "\n")
                .collect();
            let found: Vec<Vec<String>> =
                read(text.as_bytes(), Quoting::Csv).unwrap().into_iter().map(|(_, fields)| fields).collect();
            proptest::prop_assert_eq!(found, rows);
        }
    }
}
