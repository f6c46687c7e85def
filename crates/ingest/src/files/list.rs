//! Which inputs are there under a path?

use std::collections::{BTreeSet, VecDeque};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::order::natural;
use super::packing::{Packing, unpacked_name};
use super::{Error, Input, Place, seven, zip};

/// All inputs under a path: the file itself, the members of an archive, or all files of a folder and
/// the folders in it.
///
/// They come in [natural order](super::natural). What is hidden (its name
/// begins with a dot) is left out, and so are empty folders. Folders behind
/// symbolic links are listed once, and only if they are not listed anyway. Of
/// what lies below the path and cannot be opened an input is made that says
/// so when it is read.
///
/// # Errors
///
/// When the path itself cannot be opened.
pub fn list(path: &Path) -> Result<Vec<Input>, Error> {
    let fail = |cause| Error { path: path.to_owned(), cause };
    let metadata = fs::metadata(path).map_err(fail)?;
    let top = path.file_name().map_or_else(String::new, |name| clean(&name.to_string_lossy()));
    let mut listing = Listing { top, inputs: Vec::new() };
    if metadata.is_dir() {
        fs::read_dir(path).map_err(fail)?;
        listing.folder(path);
    } else if metadata.is_file() {
        File::open(path).map_err(fail)?;
        listing.file(path, "");
    } else {
        // A pipe can be read only once: it is not looked into before.
        listing.push("", 0, Place::File(Arc::from(path)));
    }
    listing
        .inputs
        .sort_by(|left, right| natural(&left.relative, &right.relative).then(left.name.cmp(&right.name)));
    Ok(listing.inputs)
}

struct Listing {
    top: String,
    inputs: Vec<Input>,
}

impl Listing {
    /// Lists a folder and those in it, real ones before those behind links.
    fn folder(&mut self, root: &Path) {
        let mut seen = BTreeSet::new();
        let mut folders = VecDeque::from([(root.to_owned(), String::new())]);
        let mut linked = VecDeque::new();
        while let Some((folder, relative)) = folders.pop_front().or_else(|| linked.pop_front()) {
            match fs::canonicalize(&folder).and_then(|real| Ok((real, sorted(&folder)?))) {
                Ok((real, entries)) => {
                    if !seen.insert(real) {
                        continue;
                    }
                    for entry in entries {
                        self.entry(&entry, &relative, &mut folders, &mut linked);
                    }
                }
                Err(error) => self.broken(&relative, &error),
            }
        }
    }

    fn entry(
        &mut self,
        entry: &Path,
        folder: &str,
        folders: &mut VecDeque<(PathBuf, String)>,
        linked: &mut VecDeque<(PathBuf, String)>,
    ) {
        let Some(name) = entry.file_name().map(|name| clean(&name.to_string_lossy())) else { return };
        if name.starts_with('.') {
            return;
        }
        let relative = join(folder, &name);
        match fs::metadata(entry) {
            Ok(metadata) if metadata.is_dir() => {
                let queue = if entry.is_symlink() { linked } else { folders };
                queue.push_back((entry.to_owned(), relative));
            }
            Ok(metadata) if metadata.is_file() => self.file(entry, &relative),
            // Sockets, pipes and devices in a folder hold no documents.
            Ok(_) => {}
            Err(error) => self.broken(&relative, &error),
        }
    }

    /// Lists a file, or the members of an archive; `relative` is empty for the path itself.
    fn file(&mut self, path: &Path, relative: &str) {
        let (start, size) = match beginning(path) {
            Ok(beginning) => beginning,
            Err(error) => return self.broken(relative, &error),
        };
        let shared: Arc<Path> = Arc::from(path);
        let members = match Packing::of(&start) {
            Some(Packing::Zip) => zip::members(path).map(|members| {
                let place = |member| Place::Zip(Arc::clone(&shared), member);
                members
                    .into_iter()
                    .map(|(name, size, member)| (name, size, place(member)))
                    .collect::<Vec<_>>()
            }),
            Some(Packing::Seven) => seven::members(path, size).map(|members| {
                let place = |member: Option<_>| member.map_or(Place::Empty, Place::Seven);
                members.into_iter().map(|(name, size, member)| (name, size, place(member))).collect()
            }),
            _ => return self.push(relative, size, Place::File(shared)),
        };
        match members {
            Ok(members) => {
                for (name, size, place) in members {
                    let name = member_name(&name);
                    if name.split('/').all(|part| !part.starts_with('.')) {
                        self.push(&join(relative, &name), size, place);
                    }
                }
            }
            Err(error) => self.broken(relative, &error),
        }
    }

    fn broken(&mut self, relative: &str, error: &io::Error) {
        self.push(relative, 0, Place::Broken(error.kind(), error.to_string()));
    }

    fn push(&mut self, relative: &str, packed_size: u64, place: Place) {
        let name = if self.top.is_empty() || relative.is_empty() {
            format!("{}{relative}", self.top)
        } else {
            join(&self.top, relative)
        };
        let relative = if relative.is_empty() { &self.top } else { relative };
        let relative = unpacked_name(relative).to_owned();
        self.inputs.push(Input { name, relative, packed_size, place });
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// A name without characters that could do something to a terminal.
fn clean(name: &str) -> String {
    name.chars().map(|char| if char.is_control() { '\u{fffd}' } else { char }).collect()
}

/// The name of a member, with `/` between its parts and without parts that mean nothing in an archive.
fn member_name(name: &str) -> String {
    let parts = name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
    clean(&parts.collect::<Vec<_>>().join("/"))
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries)
}

/// How a file begins, and its size.
fn beginning(path: &Path) -> io::Result<(Vec<u8>, u64)> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut start = Vec::with_capacity(Packing::BYTES);
    file.take(Packing::BYTES as u64).read_to_end(&mut start)?;
    Ok((start, size))
}
