//! Lines of a file, in bounded memory.

use std::io::{self, BufRead};

/// How a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With a line break.
    Break,
    /// With the file.
    File,
    /// It was longer than the limit; only its beginning is there.
    TooLong,
}

/// Reads lines one by one.
pub(super) struct Lines<'a> {
    reader: &'a mut dyn BufRead,
    limit: usize,
    line: Vec<u8>,
    number: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(reader: &'a mut dyn BufRead, limit: usize) -> Self {
        Self { reader, limit, line: Vec::new(), number: 0 }
    }

    /// The next line with its number from 1, without its break and without a byte order mark.
    pub(super) fn next(&mut self) -> io::Result<Option<(u64, &[u8], End)>> {
        self.line.clear();
        // What one huge line took is not kept for all others.
        self.line.shrink_to(1 << 20);
        let mut end = End::File;
        let mut any = false;
        loop {
            let ready = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                ready => ready?,
            };
            if ready.is_empty() {
                break;
            }
            any = true;
            let found = memchr::memchr(b'\n', ready);
            let part = &ready[..found.unwrap_or(ready.len())];
            let room = self.limit - self.line.len();
            if part.len() > room {
                end = End::TooLong;
            }
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let used = found.map_or(ready.len(), |at| at + 1);
            self.reader.consume(used);
            if found.is_some() {
                if end != End::TooLong {
                    end = End::Break;
                }
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        self.number += 1;
        let mut line = self.line.as_slice();
        if self.number == 1 {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        Ok(Some((self.number, line.strip_suffix(b"\r").unwrap_or(line), end)))
    }
}

#[cfg(test)]
mod tests {
    use super::{End, Lines};

    fn check(input: &[u8], expected: &[(&str, End)]) {
        for size in [1, 3, 100] {
            let mut reader = std::io::BufReader::with_capacity(size, input);
            let mut lines = Lines::new(&mut reader, 10);
            let mut found = Vec::new();
            while let Some((number, line, end)) = lines.next().unwrap() {
                assert_eq!(number, found.len() as u64 + 1);
                found.push((String::from_utf8_lossy(line).into_owned(), end));
            }
            let found: Vec<_> = found.iter().map(|(line, end)| (line.as_str(), *end)).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn lines_end_as_they_end() {
        check(b"", &[]);
        check(b"a", &[("a", End::File)]);
        check(b"\n\r\na\r\n", &[("", End::Break), ("", End::Break), ("a", End::Break)]);
        check(b"\xef\xbb\xbfa\nb", &[("a", End::Break), ("b", End::File)]);
        check(b"0123456789\n", &[("0123456789", End::Break)]);
        check(b"0123456789a\nb\n", &[("0123456789", End::TooLong), ("b", End::Break)]);
        check(b"0123456789abcdefghijk", &[("0123456789", End::TooLong)]);
    }
}
