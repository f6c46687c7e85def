//! Packed streams: gzip, zstd and bzip2, told by how they begin.

use std::io::{self, BufRead, Read};

use super::stream::{Buffered, Named, damaged};

/// The largest window of a zstd frame, as a power of two: what `--long=31` makes.
const ZSTD_WINDOW: u32 = 31;

/// How a file is packed as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Zip,
    Seven,
}

impl Packing {
    /// How many bytes it takes to tell.
    pub(super) const BYTES: usize = 10;

    /// How a file that begins with these bytes is packed.
    pub(super) fn of(start: &[u8]) -> Option<Self> {
        match start {
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            // A frame may have skippable frames before it.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            // The digits of pi begin a block, those of its root the end of a stream.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => Some(Self::Bzip2),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some(Self::Seven),
            _ => None,
        }
    }

    /// How a file is packed that ends before that can be told for sure; a first look gives all of so short a
    /// file.
    fn cut(start: &[u8]) -> Option<&'static str> {
        let begins = [("gzip", &[0x1f, 0x8b][..]), ("zstd", &[0x28, 0xb5]), ("bzip2", b"BZh")];
        let (packing, _) = begins.into_iter().find(|(_, begin)| start.starts_with(begin))?;
        (start.len() < Self::BYTES && (packing == "bzip2" || Self::of(start).is_none())).then_some(packing)
    }
}

/// The name of a file without the ending of its packing.
pub(super) fn unpacked_name(name: &str) -> &str {
    for ending in [".gz", ".gzip", ".zst", ".zstd", ".bz2"] {
        let Some(start) = name.len().checked_sub(ending.len()).filter(|start| *start > 0) else { continue };
        // A name that is all ending, as in `a/.gz`, keeps it.
        let ends = name.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(ending));
        if ends && !name[..start].ends_with('/') {
            return &name[..start];
        }
    }
    name
}

/// Lends the bytes of a stream that may be packed.
pub(super) fn unpack(
    raw: &mut dyn BufRead,
    with: &mut dyn FnMut(&mut dyn BufRead) -> io::Result<()>,
) -> io::Result<()> {
    let start = raw.fill_buf()?;
    if let Some(packing) = Packing::cut(start) {
        return Err(damaged(packing, io::ErrorKind::UnexpectedEof.into()));
    }
    match Packing::of(start) {
        Some(Packing::Gzip) => lend(flate2::bufread::MultiGzDecoder::new(raw), "gzip", with),
        Some(Packing::Bzip2) => lend(bzip2::bufread::MultiBzDecoder::new(raw), "bzip2", with),
        Some(Packing::Zstd) => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(raw)?;
            decoder.window_log_max(ZSTD_WINDOW)?;
            lend(decoder, "zstd", with)
        }
        Some(Packing::Xz) => {
            Err(io::Error::new(io::ErrorKind::Unsupported, "xz cannot be read; unpack it first (unxz)"))
        }
        // Archives are listed member by member; one inside another is bytes like any.
        Some(Packing::Zip | Packing::Seven) | None => with(raw),
    }
}

fn lend(
    unpacked: impl Read,
    packing: &'static str,
    with: &mut dyn FnMut(&mut dyn BufRead) -> io::Result<()>,
) -> io::Result<()> {
    with(&mut Buffered::new(Named::new(unpacked, packing)))
}

#[cfg(test)]
mod tests {
    use super::unpacked_name;

    #[test]
    fn names_lose_the_ending_of_their_packing() {
        for (name, expected) in [
            ("Posts.xml", "Posts.xml"),
            ("Posts.xml.gz", "Posts.xml"),
            ("Posts.xml.ZST", "Posts.xml"),
            ("a.b/c.tsv.bz2", "a.b/c.tsv"),
            ("a.gz.gz", "a.gz"),
            (".gz", ".gz"),
            ("a/.gz", "a/.gz"),
            ("é.gz", "é"),
            ("aéz", "aéz"),
        ] {
            assert_eq!(unpacked_name(name), expected);
        }
    }
}
