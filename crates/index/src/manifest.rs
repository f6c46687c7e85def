//! What belongs to an index: the one file that says which others count.
//!
//! It is replaced whole, so an index is always in the state before a change or
//! after it. Its last line is the checksum of those before.

use crate::error::Error;
use crate::features::FeatureKind;
use crate::parts::PartLabel;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Its name in the folder of an index.
pub(crate) const NAME: &str = "index.json";
/// The file that is locked while an index is written.
pub(crate) const LOCK: &str = "lock";

/// Whether a folder is an index, of any version, damaged or not.
#[must_use]
pub fn is_index(folder: &Path) -> bool {
    match Manifest::read(folder) {
        Ok(_) | Err(Error::Version { .. }) => true,
        // Files of this name are common elsewhere; ours is beside its lock, or has our first line.
        Err(Error::Damaged { .. }) => {
            let text = fs::read(folder.join(NAME)).unwrap_or_default();
            folder.join(LOCK).is_file() || text.starts_with(b"{\n  \"format\": ")
        }
        Err(_) => false,
    }
}
/// The version of the format that is written and read.
const VERSION: u32 = 1;
/// The version of an index that has parts. Programs that would lose them do not read it.
const VERSION_WITH_PARTS: u32 = 2;

/// What belongs to an index.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// The version of the format.
    pub(crate) format: u32,
    /// The version of the program that wrote it.
    pub(crate) program: String,
    /// How often the index was changed; numbers of files grow with it.
    pub(crate) generation: u64,
    /// The kinds of features that formulas are found by.
    pub(crate) formula_features: Vec<String>,
    /// The kinds of features that posts are found by.
    pub(crate) post_features: Vec<String>,
    /// The parts of other kinds, in the order of their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<PartLabel>,
    /// The collections that posts come from.
    pub(crate) collections: Vec<Source>,
    /// The segments of posts.
    pub(crate) segments: Vec<Segment>,
}

/// A collection, and the index of its formulas.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) number: u16,
    pub(crate) collection: FileNote,
    pub(crate) formulas: FileNote,
    /// Its files of the index's parts, in the order of their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<PartNote>,
}

/// A segment of posts, and which of its documents are not valid any more.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) posts: FileNote,
    pub(crate) dead: Option<FileNote>,
    /// Its files of the index's parts, in the order of their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<PartNote>,
}

/// A file of the index.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub(crate) struct FileNote {
    pub(crate) file: String,
    /// The fingerprint of its frame, as 16 hexadecimal digits.
    pub(crate) fingerprint: String,
}

/// A file of a part.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub(crate) struct PartNote {
    /// The name of the part.
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) file: FileNote,
}

impl FileNote {
    pub(crate) fn new(file: &str, fingerprint: u64) -> Self {
        Self { file: file.to_owned(), fingerprint: format!("{fingerprint:016x}") }
    }
}

impl Manifest {
    pub(crate) fn new(formula_features: &[FeatureKind], post_features: &[FeatureKind]) -> Self {
        let names = |kinds: &[FeatureKind]| kinds.iter().map(|kind| kind.name().to_owned()).collect();
        Self {
            format: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            generation: 0,
            formula_features: names(formula_features),
            post_features: names(post_features),
            parts: Vec::new(),
            collections: Vec::new(),
            segments: Vec::new(),
        }
    }

    /// Reads the manifest of an index.
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(NAME);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                return Err(Error::Damaged { file: path, what: "it is no text".to_owned() });
            }
            Err(error) if folder.is_dir() && error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::NotAnIndex(folder.to_owned()));
            }
            Err(_) if folder.is_file() => return Err(Error::NotAnIndex(folder.to_owned())),
            Err(cause) => return Err(Error::io(&path)(cause)),
        };
        let damaged = |what: &str| Error::Damaged { file: path.clone(), what: what.to_owned() };
        let (body, checksum) = text
            .strip_suffix('\n')
            .and_then(|text| text.rsplit_once('\n'))
            .ok_or_else(|| damaged("its last line is missing"))?;
        if checksum != format!("checksum {:016x}", xxh3_64(body.as_bytes())) {
            return Err(damaged("it has a wrong checksum"));
        }
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let version: Version = serde_json::from_str(body).map_err(|error| damaged(&error.to_string()))?;
        if ![VERSION, VERSION_WITH_PARTS].contains(&version.format) {
            let known = VERSION_WITH_PARTS;
            return Err(Error::Version { file: path, found: version.format, known });
        }
        let manifest: Self = serde_json::from_str(body).map_err(|error| damaged(&error.to_string()))?;
        if let Some(note) = manifest.files().find(|note| !is_plain(&note.file)) {
            return Err(damaged(&format!("{:?} is not a file of its folder", note.file)));
        }
        Ok(manifest)
    }

    /// A number that is another one when anything in the index is.
    pub(crate) fn fingerprint(&self) -> u64 {
        let files: Vec<&str> = self.files().map(|note| note.fingerprint.as_str()).collect();
        xxh3_64(files.join(" ").as_bytes())
    }

    /// Makes this the manifest of an index.
    pub(crate) fn publish(&self, folder: &Path) -> Result<(), Error> {
        let format = if self.parts.is_empty() { VERSION } else { VERSION_WITH_PARTS };
        let body = serde_json::to_string_pretty(&Self { format, ..self.clone() })
            .expect("names and numbers can be written");
        let text = format!("{body}\nchecksum {:016x}\n", xxh3_64(body.as_bytes()));
        let path = folder.join("index.json.new");
        let mut file = File::create(&path).map_err(Error::io(&path))?;
        file.write_all(text.as_bytes()).map_err(Error::io(&path))?;
        file.sync_all().map_err(Error::io(&path))?;
        Ok(frame::publish(&path, &folder.join(NAME))?)
    }

    /// The files that belong to it.
    pub(crate) fn files(&self) -> impl Iterator<Item = &FileNote> {
        let sources = self.collections.iter().flat_map(|source| {
            [&source.collection, &source.formulas].into_iter().chain(part_files(&source.parts))
        });
        let segments = self.segments.iter().flat_map(|segment| {
            std::iter::once(&segment.posts).chain(segment.dead.as_ref()).chain(part_files(&segment.parts))
        });
        sources.chain(segments)
    }

    /// The files of parts, by collection and segment.
    fn part_notes(&mut self) -> impl Iterator<Item = &mut Vec<PartNote>> {
        let collections = self.collections.iter_mut().map(|source| &mut source.parts);
        collections.chain(self.segments.iter_mut().map(|segment| &mut segment.parts))
    }

    /// Lists a part. Files of one with the same name that was another part are no longer listed.
    pub(crate) fn add_part(&mut self, label: &PartLabel) {
        if !self.parts.contains(label) {
            self.remove_part(&label.name);
            self.parts.push(label.clone());
            self.parts.sort_by(|left, right| left.name.cmp(&right.name));
        }
    }

    /// Removes a part and its files from the lists.
    pub(crate) fn remove_part(&mut self, name: &str) {
        self.parts.retain(|label| label.name != name);
        self.part_notes().for_each(|notes| notes.retain(|note| note.name != name));
    }
}

/// Whether a name is that of a file in the folder itself: an index reads nothing from elsewhere.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':', '\0'])
}

fn part_files(notes: &[PartNote]) -> impl Iterator<Item = &FileNote> {
    notes.iter().map(|note| &note.file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::TempDir;

    #[test]
    fn a_manifest_names_files_of_its_own_folder_only() {
        let folder = TempDir::new("manifest-names");
        let mut manifest = Manifest::new(&[], &[]);
        let segment = |file: &str| Segment { posts: FileNote::new(file, 1), dead: None, parts: Vec::new() };
        manifest.segments.push(segment("1.posts"));
        manifest.publish(folder.path()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), manifest);
        for name in ["", "..", "../1.posts", "/etc/passwd", "a/b", ".hidden", "c:x", "a\\b"] {
            manifest.segments[0] = segment(name);
            manifest.publish(folder.path()).unwrap();
            let error = Manifest::read(folder.path()).unwrap_err().to_string();
            assert!(error.contains("is not a file of its folder"), "{name}: {error}");
        }
    }
}
