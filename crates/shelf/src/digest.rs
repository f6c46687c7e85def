//! Checksums of files.

use crate::Error;
use sha1::Sha1;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

const BUFFER: usize = 1 << 18;

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 and size of a file, read piece by piece. `on_bytes` hears how many bytes were read.
pub(crate) fn sha256(path: &Path, on_bytes: &mut dyn FnMut(u64)) -> Result<(String, u64), Error> {
    let mut hasher = Sha256::new();
    let size = pieces(path, &mut |piece| {
        hasher.update(piece);
        on_bytes(piece.len() as u64);
    })?;
    Ok((hex(&hasher.finalize()), size))
}

/// The id by which git knows a file.
pub(crate) fn git_blob(path: &Path) -> Result<String, Error> {
    let size = std::fs::metadata(path).map_err(|cause| Error::io(path, cause))?.len();
    let mut hasher = Sha1::new();
    hasher.update(format!("blob {size}\0"));
    pieces(path, &mut |piece| hasher.update(piece))?;
    Ok(hex(&hasher.finalize()))
}

fn pieces(path: &Path, with: &mut dyn FnMut(&[u8])) -> Result<u64, Error> {
    let io = |cause| Error::io(path, cause);
    let mut file = File::open(path).map_err(io)?;
    let mut buffer = vec![0; BUFFER];
    let mut size = 0;
    loop {
        let read = file.read(&mut buffer).map_err(io)?;
        if read == 0 {
            return Ok(size);
        }
        with(&buffer[..read]);
        size += read as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_sha256sum_and_git() {
        let dir = testkit::TempDir::new("digest");
        let path = dir.write("a", "hello\n");
        let (sha256, size) = sha256(&path, &mut |_| {}).unwrap();
        assert_eq!(sha256, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
        assert_eq!(size, 6);
        assert_eq!(git_blob(&path).unwrap(), "ce013625030ba8dba906f756967f9e9ca394464a");
    }
}
