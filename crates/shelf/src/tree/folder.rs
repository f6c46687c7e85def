//! A folder on this machine.

use super::{Take, many};
use crate::Error;
use crate::select::{MOST_MEMBERS, Member};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// How deep a model may lie in a folder.
const DEEPEST: usize = 8;

/// The files of a folder and of those in it. Hidden folders are passed over, links to folders not followed.
pub(super) fn list(folder: &Path) -> Result<Vec<Member>, Error> {
    let mut members = Vec::new();
    walk(folder, String::new(), 0, &mut members)?;
    if members.len() > MOST_MEMBERS {
        return Err(many(folder));
    }
    Ok(members)
}

fn walk(folder: &Path, prefix: String, depth: usize, members: &mut Vec<Member>) -> Result<(), Error> {
    let io = |cause| Error::io(folder, cause);
    for entry in fs::read_dir(folder).map_err(io)? {
        let entry = entry.map_err(io)?;
        // Names that are not Unicode are none that a model's files have.
        let Ok(name) = entry.file_name().into_string() else { continue };
        let kind = entry.file_type().map_err(io)?;
        if name.starts_with('.') || !crate::select::is_safe(&name) || members.len() > MOST_MEMBERS {
            continue;
        }
        let path = format!("{prefix}{name}");
        if kind.is_dir() {
            if depth < DEEPEST {
                walk(&entry.path(), format!("{path}/"), depth + 1, members)?;
            }
        } else if let Ok(data) = fs::metadata(entry.path()) {
            // What a link points to decides; whether it may be followed is decided when it is read.
            if data.is_file() {
                members.push(Member { path, size: Some(data.len()), is_link: false });
            }
        }
    }
    Ok(())
}

/// The one member of a tree that is a file.
pub(super) fn single(file: &Path) -> Result<Member, Error> {
    let name = file.file_name().and_then(OsStr::to_str);
    let name = name.ok_or_else(|| Error::refused(file, "the name is not valid Unicode"))?;
    let size = fs::metadata(file).map_err(|cause| Error::io(file, cause))?.len();
    // Whatever it was called, it is a GGUF file by its first bytes.
    let has_ending = name.to_ascii_lowercase().ends_with(".gguf");
    let path = if has_ending { name.to_owned() } else { format!("{name}.gguf") };
    Ok(Member { path, size: Some(size), is_link: false })
}

pub(super) fn read(folder: &Path, wanted: &[&str], take: Take<'_>) -> Result<(), Error> {
    for path in wanted {
        let file = folder.join(path);
        let mut opened = File::open(resolve(folder, &file)?).map_err(|cause| Error::io(&file, cause))?;
        take(path, &mut opened)?;
    }
    Ok(())
}

/// The file that a path leads to: within the folder, or, as in the cache of the hub's own tools, in `blobs`
/// beside the folder of snapshots. A link to anywhere else may be a trick, and is refused.
fn resolve(folder: &Path, file: &Path) -> Result<PathBuf, Error> {
    let canonical = |path: &Path| path.canonicalize().map_err(|cause| Error::io(path, cause));
    let (root, target) = (canonical(folder)?, canonical(file)?);
    let blobs = root.ancestors().nth(2).map(|repository| repository.join("blobs"));
    if target.starts_with(&root) || blobs.is_some_and(|blobs| target.starts_with(blobs)) {
        return Ok(target);
    }
    Err(Error::refused(file, "a link that leads out of the folder"))
}
