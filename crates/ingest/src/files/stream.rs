//! Readers that count, buffer, check and name the damage of what they read.

use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicU64, Ordering};

/// How large buffers are.
const BUFFER: usize = 256 << 10;
/// How much one filling of a buffer gives at least, unless the input ends.
const LEAST: usize = 4 << 10;

/// Counts towards a known total, and reaches it when dropped.
pub(super) struct Progress<'a> {
    done: &'a AtomicU64,
    total: u64,
    counted: u64,
}

impl<'a> Progress<'a> {
    pub(super) fn new(done: &'a AtomicU64, total: u64) -> Self {
        Self { done, total, counted: 0 }
    }

    /// Says that `amount` of the total have been consumed by now.
    fn reach(&mut self, amount: u64) {
        let amount = amount.min(self.total);
        if amount > self.counted {
            self.done.fetch_add(amount - self.counted, Ordering::Relaxed);
            self.counted = amount;
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.reach(self.total);
    }
}

/// Counts the bytes that pass.
pub(super) struct Counted<'a, R> {
    inner: R,
    passed: u64,
    progress: Progress<'a>,
}

impl<'a, R> Counted<'a, R> {
    pub(super) fn new(inner: R, progress: Progress<'a>) -> Self {
        Self { inner, passed: 0, progress }
    }
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let amount = self.inner.read(buffer)?;
        self.passed += amount as u64;
        self.progress.reach(self.passed);
        Ok(amount)
    }
}

/// Counts the bytes that pass as a share of the bytes that are to pass.
pub(super) struct CountedShare<'a, R> {
    inner: R,
    passed: u64,
    size: u64,
    progress: Progress<'a>,
}

impl<'a, R> CountedShare<'a, R> {
    pub(super) fn new(inner: R, size: u64, progress: Progress<'a>) -> Self {
        Self { inner, passed: 0, size, progress }
    }
}

impl<R: Read> Read for CountedShare<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let amount = self.inner.read(buffer)?;
        self.passed += amount as u64;
        self.progress.reach(share(self.progress.total, self.passed, self.size));
        Ok(amount)
    }
}

/// The part of `total` that `part` is of `whole`.
pub(super) fn share(total: u64, part: u64, whole: u64) -> u64 {
    if whole == 0 {
        return 0;
    }
    u64::try_from(u128::from(total) * u128::from(part) / u128::from(whole)).unwrap_or(u64::MAX)
}

/// A buffer that is filled as far as the input goes, and keeps an error until what came before it is read.
///
/// `BufReader` may give a single byte where the input does, and then a look at
/// how a file begins would need to wait for more.
pub(super) struct Buffered<R> {
    inner: R,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    failed: Option<io::Error>,
    ended: bool,
}

impl<R: Read> Buffered<R> {
    pub(super) fn new(inner: R) -> Self {
        let buffer = vec![0; BUFFER].into_boxed_slice();
        Self { inner, buffer, start: 0, end: 0, failed: None, ended: false }
    }
}

impl<R: Read> BufRead for Buffered<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            while self.end < LEAST && !self.ended {
                match self.inner.read(&mut self.buffer[self.end..]) {
                    Ok(0) => self.ended = true,
                    Ok(amount) => self.end += amount,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => {
                        self.ended = true;
                        if self.end == 0 {
                            return Err(error);
                        }
                        self.failed = Some(error);
                    }
                }
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, amount: usize) {
        self.start = (self.start + amount).min(self.end);
    }
}

impl<R: Read> Read for Buffered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut ready = self.fill_buf()?;
        let amount = ready.read(buffer)?;
        self.consume(amount);
        Ok(amount)
    }
}

/// Says in errors of unpacking what is damaged.
pub(super) struct Named<R> {
    inner: R,
    packing: &'static str,
}

impl<R> Named<R> {
    pub(super) fn new(inner: R, packing: &'static str) -> Self {
        Self { inner, packing }
    }
}

impl<R: Read> Read for Named<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| damaged(self.packing, error))
    }
}

/// The error `damaged gzip: …`; an error of the system or one that already says so stays as it is.
pub(super) fn damaged(packing: &str, error: io::Error) -> io::Error {
    let text = error.to_string();
    if error.raw_os_error().is_some()
        || error.kind() == io::ErrorKind::Interrupted
        || text.starts_with("damaged ")
    {
        return error;
    }
    let reason = match error.kind() {
        io::ErrorKind::UnexpectedEof => "it ends too early".to_owned(),
        _ => text,
    };
    io::Error::new(error.kind(), format!("damaged {packing}: {reason}"))
}

/// Gives an error where an input ends before its size, goes on after it, or has another checksum.
pub(super) struct Checked<R> {
    inner: R,
    left: u64,
    checksum: Option<(flate2::Crc, u32)>,
}

impl<R> Checked<R> {
    /// `checksum` is the CRC-32 that the bytes must have, if it is to be checked here.
    pub(super) fn new(inner: R, size: u64, checksum: Option<u32>) -> Self {
        Self { inner, left: size, checksum: checksum.map(|expected| (flate2::Crc::new(), expected)) }
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let amount = self.inner.read(buffer)?;
        if buffer.is_empty() {
            return Ok(0);
        }
        let Some(left) = self.left.checked_sub(amount as u64) else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is longer than it says"));
        };
        self.left = left;
        if amount == 0 && left > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let Some((sum, expected)) = &mut self.checksum {
            sum.update(&buffer[..amount]);
            if amount == 0 && sum.sum() != *expected {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum does not match"));
            }
        }
        Ok(amount)
    }
}
