//! Bytes of a connection, held against the rules of HTTP/1.1 where the parser is lenient.
//!
//! The parser takes a line feed alone for the end of a line. A proxy that does not may see one
//! request where we see two. So lines of a head, of the sizes of chunks and of trailers must end
//! with CR LF here; and a request that says in two ways how long its body is, or in one that is
//! not plain, is refused, too. Where a rule is broken, the byte that breaks it becomes a NUL, which
//! no line may have: the parser then answers with 400.

use super::guests::Guest;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// Lines of which more is to be known have no more bytes than this.
const KEPT: usize = 128;

/// A connection whose requests are checked as they are read.
pub(super) struct StrictStream {
    stream: TcpStream,
    checker: Checker,
    guest: Arc<Guest>,
}

impl StrictStream {
    pub(super) fn new(stream: TcpStream, guest: Arc<Guest>) -> Self {
        Self { stream, checker: Checker::default(), guest }
    }

    fn sent<T>(&self, polled: Poll<T>) -> Poll<T> {
        self.guest.sends(polled.is_pending());
        polled
    }
}

impl AsyncRead for StrictStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        self.checker.check(&mut buffer.filled_mut()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for StrictStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.sent(polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.sent(polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Where in a request a byte stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the head.
    Head,
    /// In a body or a chunk, of which so many bytes are left.
    Body(u64, After),
    /// In the line with the size of a chunk.
    Size,
    /// In the lines behind the last chunk.
    Trailers,
    /// Behind a byte that was refused: the connection ends.
    Refused,
}

/// What comes after a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    Head,
    Chunk,
}

#[derive(Debug)]
struct Checker {
    place: Place,
    /// The line so far, without its end; of a long one only its beginning.
    line: Vec<u8>,
    length: usize,
    last: u8,
    /// Whether the request line was read.
    begun: bool,
    content_length: Option<u64>,
    chunked: bool,
}

impl Default for Checker {
    fn default() -> Self {
        Self {
            place: Place::Head,
            line: Vec::new(),
            length: 0,
            last: 0,
            begun: false,
            content_length: None,
            chunked: false,
        }
    }
}

impl Checker {
    /// Goes over bytes as they come, in pieces of any size.
    fn check(&mut self, bytes: &mut [u8]) {
        let mut at = 0;
        while at < bytes.len() {
            match self.place {
                Place::Refused => return,
                Place::Body(left, after) => {
                    let here = u64::try_from(bytes.len() - at).unwrap_or(u64::MAX).min(left);
                    at += usize::try_from(here).unwrap_or(usize::MAX);
                    self.place = match (left - here, after) {
                        (0, After::Head) => Place::Head,
                        (0, After::Chunk) => Place::Size,
                        (left, after) => Place::Body(left, after),
                    };
                }
                Place::Head | Place::Size | Place::Trailers => {
                    let byte = bytes[at];
                    if byte != b'\n' {
                        self.keep(byte);
                    } else if self.last != b'\r' || self.line_ends().is_none() {
                        bytes[at] = 0;
                        self.place = Place::Refused;
                    }
                    self.last = byte;
                    at += 1;
                }
            }
        }
    }

    fn keep(&mut self, byte: u8) {
        self.length += 1;
        if self.line.len() < KEPT {
            self.line.push(byte);
        }
    }

    /// A line has ended; nothing, if it breaks a rule.
    fn line_ends(&mut self) -> Option<()> {
        let is_whole = self.length == self.line.len();
        let mut line = std::mem::take(&mut self.line);
        // Its CR.
        if is_whole {
            line.pop();
        }
        let is_empty = self.length == 1;
        self.length = 0;
        match self.place {
            Place::Head if is_empty && !self.begun => {}
            Place::Head if is_empty => self.head_ends(),
            Place::Head if !self.begun => self.begun = true,
            Place::Head => self.header(&line, is_whole)?,
            Place::Size => {
                let digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
                let size = std::str::from_utf8(&line[..digits]).ok()?;
                let size = u64::from_str_radix(size, 16).ok()?;
                self.place = match size {
                    0 => Place::Trailers,
                    // A chunk ends with CR LF, which the parser looks at.
                    size => Place::Body(size.checked_add(2)?, After::Chunk),
                };
            }
            Place::Trailers if is_empty => self.place = Place::Head,
            Place::Trailers | Place::Body(..) | Place::Refused => {}
        }
        Some(())
    }

    fn header(&mut self, line: &[u8], is_whole: bool) -> Option<()> {
        let named = |name: &str| -> Option<&[u8]> {
            let (start, value) = (line.get(..name.len())?, line.get(name.len()..)?);
            start.eq_ignore_ascii_case(name.as_bytes()).then_some(value)
        };
        if let Some(value) = named("content-length:") {
            let digits = value.trim_ascii();
            let plain = is_whole && !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
            let length = std::str::from_utf8(digits).ok().filter(|_| plain)?.parse().ok()?;
            // Twice the same is twice too.
            if self.chunked || self.content_length.replace(length).is_some() {
                return None;
            }
        } else if let Some(value) = named("transfer-encoding:") {
            let plain = is_whole && value.trim_ascii().eq_ignore_ascii_case(b"chunked");
            if !plain || self.chunked || self.content_length.is_some() {
                return None;
            }
            self.chunked = true;
        }
        Some(())
    }

    fn head_ends(&mut self) {
        self.begun = false;
        self.place = match (std::mem::take(&mut self.chunked), self.content_length.take()) {
            (true, _) => Place::Size,
            (false, Some(length)) if length > 0 => Place::Body(length, After::Head),
            _ => Place::Head,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of bytes that come in pieces of a size.
    fn checked(text: &str, size: usize) -> Vec<u8> {
        let mut bytes = text.as_bytes().to_vec();
        let mut checker = Checker::default();
        bytes.chunks_mut(size).for_each(|piece| checker.check(piece));
        bytes
    }

    const GOOD: [&str; 6] = [
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\na\nb\n\nc\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\ntransfer-ENCODING:  Chunked \r\n\r\n5\r\na\nb\nc\r\nA;x=y\r\n\n\n\n\n\n\n\n\n\n\n\r\n0\r\n\
         t: u\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nX-Content-Length: 1, 2\r\nX: a\rb\r\n\r\n",
    ];

    #[test]
    fn what_keeps_the_rules_is_not_changed() {
        for text in GOOD {
            for size in [1, 2, 3, 7, 1000] {
                assert_eq!(checked(text, size), text.as_bytes(), "{text:?} by {size}");
            }
        }
    }

    #[test]
    fn the_first_byte_that_breaks_a_rule_becomes_a_nul() {
        // The sign @ stands for the line feed that is refused.
        for marked in [
            "GET / HTTP/1.1@Host: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x@\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n@",
            "@GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1@\n",
            "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\na\nGET / HTTP/1.1@\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2@a\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nt: u@\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r@",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r@\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r@\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 2\r@\r\n",
            "POST / HTTP/1.1\r\nContent-Length: +2\r@\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r@\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r@",
        ] {
            let (text, expected) = (marked.replace('@', "\n"), marked.replace('@', "\0"));
            for size in [1, 2, 5, 1000] {
                assert_eq!(String::from_utf8_lossy(&checked(&text, size)), expected, "by {size}");
            }
        }
    }

    #[test]
    fn a_line_of_any_length_takes_little_memory() {
        let mut checker = Checker::default();
        for _ in 0..1000 {
            checker.check(&mut [b'a'; 1000]);
        }
        assert!(checker.line.capacity() <= 4 * KEPT);
        let long = format!("POST / HTTP/1.1\r\nContent-Length: {}1\r\n\r\n", "0".repeat(KEPT));
        assert!(checked(&long, 10).contains(&0), "a length of so many digits is none");
    }
}
