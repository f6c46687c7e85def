//! Zip archives, which wheels are, too.

use super::{MOST_RATIO, SMALL, Take, is_damage, many};
use crate::Error;
use crate::select::{MOST_MEMBERS, Member};
use ::zip::{CompressionMethod, ZipArchive};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

type Archive = ZipArchive<BufReader<File>>;

pub(super) fn open(path: &Path) -> Result<Archive, Error> {
    let file = BufReader::new(File::open(path).map_err(|cause| Error::io(path, cause))?);
    let archive = ZipArchive::new(file).map_err(|cause| failed(path, None, cause.into()))?;
    if archive.len() > MOST_MEMBERS {
        return Err(many(path));
    }
    Ok(archive)
}

pub(super) fn list(path: &Path) -> Result<Vec<Member>, Error> {
    let mut archive = open(path)?;
    let mut members = Vec::with_capacity(archive.len());
    for number in 0..archive.len() {
        let entry = archive.by_index_raw(number).map_err(|cause| failed(path, None, cause.into()))?;
        if entry.is_dir() {
            continue;
        }
        let name = match entry.name() {
            Ok(name) => name.into_owned(),
            Err(_) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
        };
        members.push(Member { path: name, size: Some(entry.size()), is_link: entry.is_symlink() });
    }
    Ok(members)
}

pub(super) fn read(path: &Path, wanted: &[&str], take: Take<'_>) -> Result<(), Error> {
    let mut archive = open(path)?;
    for name in wanted {
        let mut entry = archive.by_name(name).map_err(|cause| failed(path, Some(name), cause.into()))?;
        if entry.encrypted() {
            return Err(Error::refused(path, format!("'{name}' is encrypted")));
        }
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(Error::refused(path, format!("'{name}' is packed by {}", entry.compression())));
        }
        let (size, packed) = (entry.size(), entry.compressed_size());
        if size > SMALL && size / MOST_RATIO > packed {
            return Err(Error::refused(path, format!("'{name}' would grow from {packed} to {size} bytes")));
        }
        take(name, &mut entry)?;
    }
    Ok(())
}

fn failed(path: &Path, member: Option<&str>, cause: std::io::Error) -> Error {
    if !is_damage(&cause) {
        return Error::io(path, cause);
    }
    let reason = member.map_or_else(String::new, |member| format!("'{member}': "));
    Error::damaged(path, format!("{reason}a damaged zip archive: {cause}"))
}
