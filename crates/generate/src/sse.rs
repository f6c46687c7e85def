//! Server-sent events: the form in which servers send a text piece by piece.
//!
//! An [`EventReader`] takes bytes as they come from a connection, cut anywhere, and gives the data of each
//! event. It follows the HTML standard: lines end with LF, CRLF or CR, lines that begin with a colon are
//! comments, several `data` lines are one text, and a blank line ends an event. It leaves what the data mean
//! to others, and holds no more of a stream than the longest line that is allowed.

use std::mem;

/// Why a stream cannot be read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SseError {
    /// A line, or the data of an event, is longer than allowed.
    #[error("a line of the stream has more than {limit} bytes")]
    TooLong {
        /// How many bytes it may have.
        limit: usize,
    },
    /// A line is not UTF-8.
    #[error("a line of the stream is not UTF-8")]
    NotText,
}

/// Reads events from bytes that come in pieces.
///
/// ```
/// let mut reader = generate::sse::EventReader::new(1000);
/// let mut events = Vec::new();
/// reader.push(b": ping\n\ndata: on", &mut events)?;
/// reader.push(b"e\r\n\r\ndata: two", &mut events)?;
/// assert_eq!(events, ["one"]);
/// reader.finish(&mut events)?;
/// assert_eq!(events, ["one", "two"]);
/// # Ok::<(), generate::sse::SseError>(())
/// ```
#[derive(Debug)]
pub struct EventReader {
    limit: usize,
    /// The beginning of a line whose end has not come.
    line: Vec<u8>,
    /// The data of the event so far.
    data: Option<String>,
    /// The last byte was a CR: an LF that follows belongs to it.
    after_return: bool,
    at_start: bool,
    failed: Option<SseError>,
}

impl EventReader {
    /// A reader of one stream, whose lines have at most `limit` bytes, and so have the data of an event.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, line: Vec::new(), data: None, after_return: false, at_start: true, failed: None }
    }

    /// Takes the next bytes and adds the data of each event that ends in them to `events`.
    ///
    /// # Errors
    ///
    /// When a line is too long or no text. Events before it are in `events`, and every later call gives the
    /// same error.
    pub fn push(&mut self, bytes: &[u8], events: &mut Vec<String>) -> Result<(), SseError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.read(bytes, events).inspect_err(|error| self.failed = Some(*error))
    }

    /// The stream is over. A last event without a blank line after it counts: what is half of one is seen
    /// by whoever reads its data.
    ///
    /// # Errors
    ///
    /// As those of [`EventReader::push`].
    pub fn finish(mut self, events: &mut Vec<String>) -> Result<(), SseError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if !self.line.is_empty() {
            self.end_line(events)?;
        }
        events.extend(self.data);
        Ok(())
    }

    fn read(&mut self, bytes: &[u8], events: &mut Vec<String>) -> Result<(), SseError> {
        let mut rest = bytes;
        if self.after_return
            && let Some((first, others)) = rest.split_first()
        {
            self.after_return = false;
            if *first == b'\n' {
                rest = others;
            }
        }
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.extend_line(&rest[..end])?;
            self.end_line(events)?;
            let returned = rest[end] == b'\r';
            rest = &rest[end + 1..];
            if returned {
                match rest.first() {
                    Some(b'\n') => rest = &rest[1..],
                    Some(_) => {}
                    None => self.after_return = true,
                }
            }
        }
        self.extend_line(rest)
    }

    fn extend_line(&mut self, bytes: &[u8]) -> Result<(), SseError> {
        if self.line.len() + bytes.len() > self.limit {
            return Err(SseError::TooLong { limit: self.limit });
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self, events: &mut Vec<String>) -> Result<(), SseError> {
        let bytes = mem::take(&mut self.line);
        let mut line = str::from_utf8(&bytes).map_err(|_| SseError::NotText)?;
        if mem::take(&mut self.at_start) {
            line = line.strip_prefix('\u{FEFF}').unwrap_or(line);
        }
        if line.is_empty() {
            events.extend(self.data.take());
            return Ok(());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        // A comment has no name; other fields say nothing that is needed here.
        if field != "data" {
            return Ok(());
        }
        let value = value.strip_prefix(' ').unwrap_or(value);
        let data = match self.data.take() {
            None => value.to_owned(),
            Some(before) if before.len() + 1 + value.len() > self.limit => {
                return Err(SseError::TooLong { limit: self.limit });
            }
            Some(before) => before + "\n" + value,
        };
        self.data = Some(data);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LIMIT: usize = 40;

    /// The events of bytes that come in pieces of these lengths, the rest at once.
    fn read(bytes: &[u8], pieces: &[usize]) -> (Vec<String>, Option<SseError>) {
        let mut reader = EventReader::new(LIMIT);
        let (mut events, mut rest) = (Vec::new(), bytes);
        for length in pieces.iter().copied().chain([usize::MAX]) {
            let (piece, others) = rest.split_at(length.min(rest.len()));
            if let Err(error) = reader.push(piece, &mut events) {
                return (events, Some(error));
            }
            rest = others;
        }
        let error = reader.finish(&mut events).err();
        (events, error)
    }

    fn events(text: &str) -> Vec<String> {
        let (events, error) = read(text.as_bytes(), &[]);
        assert_eq!(error, None, "{text:?}");
        events
    }

    #[test]
    fn lines_end_in_three_ways() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["data: a", "data: b", "", "data:c", "", ""].join(end);
            assert_eq!(events(&text), ["a\nb", "c"], "{end:?}");
        }
    }

    #[test]
    fn comments_and_other_fields_are_passed_over() {
        assert_eq!(events(": ping\n\nid: 3\nevent: x\nretry\ndatabase: y\ndata: a\n: b\n\n"), ["a"]);
        assert_eq!(events("\u{FEFF}data\n\n\n\n: only this\n\n"), [""]);
    }

    #[test]
    fn a_last_event_needs_no_blank_line() {
        assert_eq!(events("data: a\n\ndata: [DONE]"), ["a", "[DONE]"]);
        assert_eq!(events("data: a\n"), ["a"]);
    }

    #[test]
    fn long_lines_and_long_events_are_refused() {
        let too_long = Some(SseError::TooLong { limit: LIMIT });
        let line = format!("data: {}", "x".repeat(LIMIT - 6));
        assert_eq!(read(line.as_bytes(), &[]).1, None);
        assert_eq!(read(format!("data: 1\n\n{line}x").as_bytes(), &[]), (vec!["1".to_owned()], too_long));
        assert_eq!(read("data: xxxxxxxxx\n".repeat(5).as_bytes(), &[]).1, too_long);
    }

    #[test]
    fn what_is_no_text_is_refused_and_stays_so() {
        assert_eq!(read(b"data: 1\n\ndata: \xFF\n\n", &[]), (vec!["1".to_owned()], Some(SseError::NotText)));
        let (mut reader, mut events) = (EventReader::new(LIMIT), Vec::new());
        assert_eq!(reader.push(b"\xFF\n", &mut events), Err(SseError::NotText));
        assert_eq!(reader.push(b"data: 1\n\n", &mut events), Err(SseError::NotText));
        assert_eq!(reader.finish(&mut events), Err(SseError::NotText));
        assert!(events.is_empty());
    }

    /// Bytes of the kind that matter to the reader.
    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"data: ".to_vec()),
            Just(b"data".to_vec()),
            Just(b":".to_vec()),
            Just(b"\n".to_vec()),
            Just(b"\r".to_vec()),
            Just("é\u{FEFF}".as_bytes().to_vec()),
            proptest::collection::vec(any::<u8>(), 0..20),
        ];
        proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn where_bytes_are_cut_makes_no_difference(
            bytes in stream(),
            pieces in proptest::collection::vec(0..9usize, 0..60),
        ) {
            prop_assert_eq!(read(&bytes, &pieces), read(&bytes, &[]));
        }

        #[test]
        fn any_bytes_give_no_more_than_they_hold(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let (events, _) = read(&bytes, &[]);
            prop_assert!(events.iter().all(|event| event.len() <= LIMIT));
            prop_assert!(events.iter().map(String::len).sum::<usize>() <= bytes.len());
        }

        #[test]
        fn events_that_were_written_come_back(texts in proptest::collection::vec("[^\r\n]{0,8}", 0..9)) {
            let written: String = texts.iter().map(|text| format!("data: {text}\n\n")).collect();
            prop_assert_eq!(events(&written), texts);
        }
    }
}
