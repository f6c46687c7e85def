//! Which file was it? A checksum of all its bytes.

use crate::Error;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// The XXH3 checksum of a file, in sixteen digits; the file is read once, piece by piece.
///
/// # Errors
///
/// When the file cannot be read.
pub(crate) fn fingerprint(path: &Path) -> Result<String, Error> {
    let io = |cause| Error::io(path, cause);
    let mut file = File::open(path).map_err(io)?;
    let mut hasher = Xxh3::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer).map_err(io)?;
        if read == 0 {
            return Ok(format!("{:016x}", hasher.digest()));
        }
        hasher.update(&buffer[..read]);
    }
}
