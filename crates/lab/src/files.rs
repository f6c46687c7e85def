//! Files of a lab: written whole or not at all, and known by their checksums.

use crate::error::{Error, Result};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

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
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path))
        .and_then(|()| File::open(folder).and_then(|folder| folder.sync_all()));
    if written.is_err() {
        // What is left of it is in nobody's way.
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(Error::io(path))
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
