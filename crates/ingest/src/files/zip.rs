//! Members of zip archives.
//!
//! The table at the end of an archive is read once, when its members are
//! listed; a member is then read from its own place, so that an archive of
//! many members takes no longer than its bytes.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::packing::unpack;
use super::stream::{Buffered, Checked, Counted, Named, Progress, damaged};
use zip::CompressionMethod;

/// Where a member is and how it is packed.
#[derive(Clone, Debug)]
pub(super) struct ZipMember {
    start: u64,
    packed_size: u64,
    size: u64,
    checksum: u32,
    method: Method,
}

#[derive(Clone, Debug)]
enum Method {
    Stored,
    Deflated,
    /// One that cannot be read, with the reason.
    Other(String),
}

/// The members of an archive with their names, in the order of its table.
pub(super) fn members(path: &Path) -> io::Result<Vec<(String, u64, ZipMember)>> {
    let archive = zip::ZipArchive::new(BufReader::new(File::open(path)?))
        .map_err(|error| damaged("zip", io::Error::from(error)))?;
    let mut members = Vec::with_capacity(archive.len());
    for number in 0..archive.len() {
        let entry = archive.by_index_data(number).map_err(|error| damaged("zip", io::Error::from(error)))?;
        if !entry.is_file() {
            continue;
        }
        let method = match entry.compression() {
            _ if entry.encrypted() => Method::Other("it is encrypted".to_owned()),
            CompressionMethod::Stored => Method::Stored,
            CompressionMethod::Deflated => Method::Deflated,
            other => Method::Other(format!("it is packed by the method {other}")),
        };
        let member = ZipMember {
            start: entry.header_start(),
            packed_size: entry.compressed_size(),
            size: entry.size(),
            checksum: entry.crc32(),
            method,
        };
        let name = entry.name().map_or_else(
            |_| String::from_utf8_lossy(entry.name_raw()).into_owned(),
            |name| name.into_owned(),
        );
        members.push((name, entry.compressed_size(), member));
    }
    Ok(members)
}

impl ZipMember {
    /// Lends its bytes.
    pub(super) fn read(
        &self,
        path: &Path,
        progress: Progress<'_>,
        with: &mut dyn FnMut(&mut dyn BufRead) -> io::Result<()>,
    ) -> io::Result<()> {
        if let Method::Other(reason) = &self.method {
            let text = format!("this member of a zip archive cannot be read: {reason}");
            return Err(io::Error::new(io::ErrorKind::Unsupported, text));
        }
        let mut file = File::open(path)?;
        let start = data_start(&mut file, self.start).map_err(|error| damaged("zip", error))?;
        file.seek(SeekFrom::Start(start))?;
        let packed = Counted::new(file.take(self.packed_size), progress);
        match self.method {
            Method::Deflated => {
                let packed = flate2::bufread::DeflateDecoder::new(Buffered::new(packed));
                self.lend(packed, with)
            }
            Method::Stored | Method::Other(_) => self.lend(packed, with),
        }
    }

    fn lend(
        &self,
        unpacked: impl Read,
        with: &mut dyn FnMut(&mut dyn BufRead) -> io::Result<()>,
    ) -> io::Result<()> {
        let checked = Checked::new(unpacked, self.size, Some(self.checksum));
        unpack(&mut Buffered::new(Named::new(checked, "zip")), with)
    }
}

/// Where the bytes of a member begin: after its own header, whose length the table does not tell.
fn data_start(file: &mut File, start: u64) -> io::Result<u64> {
    let mut header = [0; 30];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut header)?;
    if !header.starts_with(b"PK\x03\x04") {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a member is not where the table says"));
    }
    let length = |at: usize| u64::from(u16::from_le_bytes([header[at], header[at + 1]]));
    Ok(start + 30 + length(26) + length(28))
}
