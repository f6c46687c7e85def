//! Files of a lab: written whole or not at all, and known by their checksums.
//!
//! What is in a lab is for its organisers: files are made with mode 0600 and folders with 0700, from
//! the first moment on. Only the report is made to be shown, and has the modes of any other file.

use crate::error::{Error, Result};
use sha2::{Digest as _, Sha256};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
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

/// Who may read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Readers {
    /// Whoever made it.
    Owner,
    /// Whom the system lets by default.
    Usual,
}

/// Writes a private file under another name first, so that nobody ever sees half of it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_for(Readers::Owner, path, bytes)
}

/// As [`write`], for a file that may be shown to others.
pub(crate) fn write_public(path: &Path, bytes: &[u8]) -> Result<()> {
    write_for(Readers::Usual, path, bytes)
}

fn write_for(readers: Readers, path: &Path, bytes: &[u8]) -> Result<()> {
    /// Two threads of a program may write the same file.
    static WRITES: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let unique = format!("{}-{}", std::process::id(), WRITES.fetch_add(1, Ordering::Relaxed));
    let temporary = path.with_file_name(format!(".{name}.{unique}.tmp"));
    write_whole(readers, &temporary, bytes)?;
    rename_synced(&temporary, path).map_err(Error::io(path)).inspect_err(|_| {
        // What is left of it is in nobody's way.
        let _ = fs::remove_file(&temporary);
    })
}

/// Writes a private file and brings it to the disk; if that fails, nothing of it stays.
pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> Result<()> {
    write_whole(Readers::Owner, path, bytes)
}

fn write_whole(readers: Readers, path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let (mut options, mut builder) = (OpenOptions::new(), DirBuilder::new());
    if readers == Readers::Owner {
        options.mode(0o600);
        builder.mode(0o700);
    }
    builder.recursive(true).create(folder).map_err(Error::io(folder))?;
    let written = options.write(true).create(true).truncate(true).open(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written.map_err(Error::io(path))
}

/// Makes an empty file that nobody else can read, where there is none.
pub(crate) fn private_file(path: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map(|_| ())
}

/// Makes a folder that nobody else can enter, where there is none.
pub(crate) fn private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// Makes a folder and those above it, none of which others can enter.
pub(crate) fn private_folders(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).recursive(true).create(path)
}

/// The permissions of a file or folder that let others in, if there are any.
pub(crate) fn lets_others_in(path: &Path) -> Option<u32> {
    let mode = fs::metadata(path).ok()?.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then_some(mode)
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
