//! Tar archives: POSIX ustar and pax, and GNU's long names.
//!
//! An archive is a row of blocks of 512 bytes: a header for each member, then its bytes, filled up. It is read
//! once from front to back, and each member is lent as it passes.

use crate::Error;
use crate::select::Member;
use std::io::{self, Read};
use std::path::Path;

const BLOCK: usize = 512;
/// Long names and pax records are short texts.
const LONGEST_EXTRA: u64 = 1 << 20;

/// Why an archive could not be read.
pub(super) enum Failed {
    Damaged(String),
    Io(io::Error),
    Other(Error),
}

impl Failed {
    pub(super) fn at(self, path: &Path) -> Error {
        match self {
            Self::Damaged(reason) => Error::damaged(path, format!("a damaged tar archive: {reason}")),
            Self::Io(cause) if super::is_damage(&cause) => {
                Error::damaged(path, format!("a damaged tar archive: {cause}"))
            }
            Self::Io(cause) => Error::io(path, cause),
            Self::Other(error) => error,
        }
    }
}

/// Whether a file begins with a tar header.
pub(super) fn is_tar(start: &[u8]) -> bool {
    start.len() >= BLOCK && &start[257..262] == b"ustar" && has_checksum(&start[..BLOCK])
}

/// Lends each file and link of an archive.
pub(super) fn read(
    mut archive: Box<dyn Read>,
    with: &mut dyn FnMut(&Member, &mut dyn Read) -> Result<(), Error>,
) -> Result<(), Failed> {
    let (mut long_name, mut pax_size) = (None::<String>, None::<u64>);
    let mut header = [0; BLOCK];
    loop {
        if !fill(&mut archive, &mut header)? || header.iter().all(|byte| *byte == 0) {
            return Ok(());
        }
        if !has_checksum(&header) {
            return Err(Failed::Damaged("a header has a wrong checksum".to_owned()));
        }
        let declared =
            number(&header[124..136]).ok_or_else(|| Failed::Damaged("a size is not a number".to_owned()))?;
        let kind = header[156];
        if matches!(kind, b'L' | b'x' | b'g' | b'K') {
            let text = extra(&mut archive, declared)?;
            match kind {
                b'L' => long_name = Some(String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned()),
                b'x' => {
                    let records = pax(&text);
                    long_name = records.path.or(long_name);
                    pax_size = records.size;
                }
                _ => {}
            }
            continue;
        }
        let size = pax_size.take().unwrap_or(declared);
        let path = long_name.take().unwrap_or_else(|| name(&header));
        let path = path.strip_prefix("./").unwrap_or(&path).to_owned();
        let mut data = (&mut archive).take(size);
        match kind {
            // Plain files; links and devices have no bytes, folders neither.
            b'0' | 0 | b'7' if !path.ends_with('/') => {
                let member = Member { path, size: Some(size), is_link: false };
                with(&member, &mut data).map_err(Failed::Other)?;
            }
            b'1' | b'2' | b'3' | b'4' | b'6' => {
                let member = Member { path, size: Some(0), is_link: true };
                with(&member, &mut io::empty()).map_err(Failed::Other)?;
            }
            _ => {}
        }
        io::copy(&mut data, &mut io::sink()).map_err(Failed::Io)?;
        if data.limit() > 0 {
            return Err(Failed::Damaged("it ends within a file".to_owned()));
        }
        let padding = size.next_multiple_of(BLOCK as u64) - size;
        io::copy(&mut (&mut archive).take(padding), &mut io::sink()).map_err(Failed::Io)?;
    }
}

/// Fills a block; not at the end of the archive.
fn fill(archive: &mut dyn Read, block: &mut [u8; BLOCK]) -> Result<bool, Failed> {
    let mut filled = 0;
    while filled < BLOCK {
        match archive.read(&mut block[filled..]) {
            Ok(0) if filled == 0 => return Ok(false),
            Ok(0) => return Err(Failed::Damaged("it ends within a header".to_owned())),
            Ok(read) => filled += read,
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(Failed::Io(cause)),
        }
    }
    Ok(true)
}

/// The bytes of a member that describes the next one.
fn extra(archive: &mut dyn Read, size: u64) -> Result<Vec<u8>, Failed> {
    if size > LONGEST_EXTRA {
        return Err(Failed::Damaged(format!("a long name has {size} bytes")));
    }
    let mut text = Vec::new();
    let whole = size.next_multiple_of(BLOCK as u64);
    archive.take(whole).read_to_end(&mut text).map_err(Failed::Io)?;
    if text.len() as u64 != whole {
        return Err(Failed::Damaged("it ends within a long name".to_owned()));
    }
    text.truncate(usize::try_from(size).unwrap_or(0));
    Ok(text)
}

/// The sum of a header's bytes, where its own place counts as blanks.
fn has_checksum(header: &[u8]) -> bool {
    let sum: u64 = header
        .iter()
        .enumerate()
        .map(|(at, byte)| u64::from(if (148..156).contains(&at) { b' ' } else { *byte }))
        .sum();
    number(&header[148..156]) == Some(sum)
}

/// A number in octal digits, or in GNU's base 256.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let first = u64::from(field[0] & 0x7f);
        return field[1..]
            .iter()
            .try_fold(first, |value, byte| value.checked_mul(256)?.checked_add(u64::from(*byte)));
    }
    let text = std::str::from_utf8(field).ok()?.trim_matches([' ', '\0']);
    if text.is_empty() { Some(0) } else { u64::from_str_radix(text, 8).ok() }
}

/// The name in a header: its prefix and its own part.
fn name(header: &[u8; BLOCK]) -> String {
    let text = |field: &[u8]| {
        let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
        String::from_utf8_lossy(&field[..end]).into_owned()
    };
    let (name, prefix) = (text(&header[..100]), text(&header[345..500]));
    // GNU's own format has times where POSIX has the prefix.
    let is_posix = &header[257..263] == b"ustar\0";
    if prefix.is_empty() || !is_posix { name } else { format!("{prefix}/{name}") }
}

#[derive(Default)]
struct Pax {
    path: Option<String>,
    size: Option<u64>,
}

/// The records of a pax header, such as `20 path=some/name\n`.
fn pax(mut text: &[u8]) -> Pax {
    let mut found = Pax::default();
    while let Some(blank) = text.iter().position(|byte| *byte == b' ') {
        let length = std::str::from_utf8(&text[..blank]).ok().and_then(|digits| digits.parse::<usize>().ok());
        let Some(length) = length.filter(|length| (blank + 2..=text.len()).contains(length)) else { break };
        let record = String::from_utf8_lossy(&text[blank + 1..length - 1]);
        match record.split_once('=') {
            Some(("path", value)) => found.path = Some(value.to_owned()),
            Some(("size", value)) => found.size = value.parse().ok(),
            _ => {}
        }
        text = &text[length..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_octal_or_binary() {
        assert_eq!(number(b"0000644\0"), Some(0o644));
        assert_eq!(number(b"        "), Some(0));
        assert_eq!(number(&[0x80, 0, 0, 0, 0, 0, 1, 0]), Some(256));
        assert_eq!(number(&[0xff; 12]), None);
        assert_eq!(number(b"9\0"), None);
    }

    #[test]
    fn pax_records_end_where_they_say() {
        let found = pax(b"14 path=a/b=c\n11 size=77\nbroken");
        assert_eq!((found.path.as_deref(), found.size), (Some("a/b=c"), Some(77)));
        assert_eq!(pax(b"99 path=x\n").path, None);
        assert_eq!(pax(b"2 path=x\n").path, None);
    }
}
