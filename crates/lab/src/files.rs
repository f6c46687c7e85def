//! Files of a lab: written whole or not at all, and known by their checksums.

use crate::error::{Error, Result};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// The SHA-256 of some bytes, as `sha256sum` prints it.
#[must_use]
pub fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a whole file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(Error::io(path))
}

/// Writes a file under another name first, so that nobody ever sees half of it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    /// Two threads of a program may write the same file.
    static WRITES: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let unique = format!("{}-{}", std::process::id(), WRITES.fetch_add(1, Ordering::Relaxed));
    let temporary = path.with_file_name(format!(".{name}.{unique}.tmp"));
    write_synced(&temporary, bytes)?;
    rename_synced(&temporary, path).map_err(Error::io(path)).inspect_err(|_| {
        // What is left of it is in nobody's way.
        let _ = fs::remove_file(&temporary);
    })
}

/// Writes a file and brings it to the disk; if that fails, nothing of it stays.
pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let written = File::create(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written.map_err(Error::io(path))
}

/// Renames a file and brings its folder to the disk.
pub(crate) fn rename_synced(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    File::open(to.parent().unwrap_or(Path::new(".")))?.sync_all()
}

/// Whether a text can be the name of a file or folder inside a lab.
///
/// Names go into paths, so that nothing may lead out of the folder.
pub(crate) fn is_plain_name(text: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "._-+".contains(letter);
    !text.is_empty() && text.len() <= 100 && !text.starts_with('.') && text.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_sha256sum() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(checksum(b""), empty);
        assert!(checksum(b"abc").starts_with("ba7816bf"));
    }

    #[test]
    fn names_never_lead_out_of_the_folder() {
        for good in ["2022", "arqmath-3", "a.b_c"] {
            assert!(is_plain_name(good), "{good}");
        }
        for bad in ["", "..", ".x", "a/b", "a\\b", "a b", "é", "x\0"] {
            assert!(!is_plain_name(bad), "{bad:?}");
        }
    }
}
