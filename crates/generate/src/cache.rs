//! Completions that are kept in a folder, so that they can be had again without a model.
//!
//! One file a completion, found by a key, which is the SHA-256 of what was asked: see [`Cache`].

use crate::{Completion, Error, Request};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The form of the files; it is part of the key, so that a new form never finds old files.
const FORMAT: u32 = 1;

/// A folder of kept completions.
///
/// The **key** is the SHA-256, in hexadecimal, of `{"format":1,"generator":…,"request":…}`: the name of the
/// generator and the request as JSON without blanks, with the members of each object in the order in which
/// [`Request`] has them. The completion lies under `ab/cd/abcd….json`, where `abcd…` is the key:
///
/// ```json
/// {
///   "format": 1,
///   "key": "abcd…",
///   "generator": "a-model at https://host/v1",
///   "request": { "prompt": { "text": "2+2=" }, "temperature": 0.0, "max_tokens": 9, "seed": 7 },
///   "completion": { "text": "4", "ended": "itself", "prompt_tokens": 4, "completion_tokens": 1 },
///   "checksum": "…"
/// }
/// ```
///
/// `checksum` is the SHA-256 of the completion as JSON without blanks. What a server said of itself stands in
/// `completion.served`, if it said anything.
///
/// A file is written under another name, brought to the disk and renamed: whoever reads sees a whole file or
/// none, whatever happens, and threads and processes can share a folder. When two keep the same at once, the
/// later one stays. A file that is not whole, that was changed, or that lies under another key than its own
/// is an error with its name, never a completion and never passed over.
///
/// ```
/// # let folder = testkit::TempDir::new("cache-example");
/// use generate::{Cache, Completion, Ended, Prompt, Request};
/// let prompt = Prompt::Text("2+2=".to_owned());
/// let request = Request { prompt, temperature: 0.0, max_tokens: 9, seed: 7, stop: vec![] };
/// let completion = Completion {
///     prompt_tokens: Some(4),
///     completion_tokens: Some(1),
///     ..Completion::new("4", Ended::Itself)
/// };
/// let cache = Cache::open(folder.path())?;
/// assert_eq!(cache.get("a-model", &request)?, None);
/// cache.put("a-model", &request, &completion)?;
/// assert_eq!(cache.get("a-model", &request)?, Some(completion));
/// # Ok::<(), generate::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Opens a folder, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, Error> {
        let folder = folder.into();
        fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        Ok(Self { folder })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The key of a request.
    ///
    /// # Errors
    ///
    /// When the request cannot be written down: its temperature is no number.
    pub fn key(generator: &str, request: &Request) -> Result<String, Error> {
        Ok(hexadecimal(&digest(generator, request)?))
    }

    /// What is kept for a request.
    ///
    /// # Errors
    ///
    /// When a file is there but damaged or cannot be read.
    pub fn get(&self, generator: &str, request: &Request) -> Result<Option<Completion>, Error> {
        let key = Self::key(generator, request)?;
        let path = self.path(&key);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io(&path)(error)),
        };
        match read(&bytes, &key, generator, request) {
            Ok(completion) => Ok(Some(completion)),
            Err(reason) => Err(Error::Damaged { path, reason }),
        }
    }

    /// Keeps a completion, in place of what was kept for the same request.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn put(&self, generator: &str, request: &Request, completion: &Completion) -> Result<(), Error> {
        let key = Self::key(generator, request)?;
        let path = self.path(&key);
        let bytes = written(key, generator, request, completion);
        let folder = path.parent().unwrap_or(&self.folder);
        write(folder, &path, &bytes).map_err(Error::io(&path))
    }

    /// The names of the generators that wrote what is kept.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or is damaged.
    pub fn generators(&self) -> Result<BTreeSet<String>, Error> {
        let mut names = BTreeSet::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(Error::io(&folder))? {
                let path = entry.map_err(Error::io(&folder))?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "json") {
                    let bytes = fs::read(&path).map_err(Error::io(&path))?;
                    let Wrote { generator } = serde_json::from_slice(&bytes)
                        .map_err(|error| Error::Damaged { path, reason: error.to_string() })?;
                    names.insert(generator);
                }
            }
        }
        Ok(names)
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(&key[..2]).join(&key[2..4]).join(format!("{key}.json"))
    }
}

/// What a file holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept<R> {
    format: u32,
    key: String,
    generator: String,
    request: R,
    completion: Completion,
    checksum: String,
}

/// Who wrote what a file holds.
#[derive(Deserialize)]
struct Wrote {
    generator: String,
}

/// What the key of a request is made of.
#[derive(Serialize)]
struct Asked<'request> {
    format: u32,
    generator: &'request str,
    request: &'request Request,
}

/// The SHA-256 of what is asked of whom.
pub(crate) fn digest(generator: &str, request: &Request) -> Result<[u8; 32], Error> {
    // JSON has no such numbers: all of them would be written alike.
    if !request.temperature.is_finite() {
        return Err(Error::Request { reason: format!("the temperature is {}", request.temperature) });
    }
    let asked = serde_json::to_vec(&Asked { format: FORMAT, generator, request })
        .map_err(|error| Error::Request { reason: error.to_string() })?;
    Ok(Sha256::digest(asked).into())
}

fn checksum(completion: &Completion) -> String {
    let bytes = serde_json::to_vec(completion).expect("texts and numbers can be written as JSON");
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What is in the file of a completion.
fn written(key: String, generator: &str, request: &Request, completion: &Completion) -> Vec<u8> {
    let checksum = checksum(completion);
    let (generator, completion) = (generator.to_owned(), completion.clone());
    let kept = Kept { format: FORMAT, key, generator, request, completion, checksum };
    let mut bytes = serde_json::to_vec_pretty(&kept).expect("texts and numbers can be written as JSON");
    bytes.push(b'\n');
    bytes
}

/// The completion in a file that should hold the answer to a request, or what is wrong with the file.
fn read(bytes: &[u8], key: &str, generator: &str, request: &Request) -> Result<Completion, String> {
    let kept: Kept<Value> = serde_json::from_slice(bytes)
        .map_err(|error| format!("this is no whole kept completion: {error}"))?;
    if kept.format != FORMAT {
        return Err(format!("this has format {}, and {FORMAT} can be read", kept.format));
    }
    // Compared as it is read back: a number may lose its last digit on the way, in both alike.
    let asked = serde_json::to_vec(request).and_then(|bytes| serde_json::from_slice::<Value>(&bytes));
    if kept.key != key || kept.generator != generator || asked.ok() != Some(kept.request) {
        return Err("this is the answer to another request than its name says".to_owned());
    }
    if checksum(&kept.completion) != kept.checksum {
        return Err("the completion in it was changed after it was kept".to_owned());
    }
    Ok(kept.completion)
}

/// Writes a file under another name first, so that nobody ever sees half of it.
fn write(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let (temporary, mut file) = create_temporary(path)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&temporary, path))
        .and_then(|()| sync_folder(folder));
    if written.is_err() {
        // What is left of it is in nobody's way.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A new file beside another, which nobody else has: neither a thread of this process, nor a process with
/// the same number on another machine, nor one that was killed.
fn create_temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_file_name(format!(".{name}.{}.{number}.tmp", std::process::id()));
        match File::create_new(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result.map(|file| (temporary, file)),
        }
    }
}

/// Brings a renaming to the disk. Windows opens no folder as a file, and has no such call.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ended, Prompt};

    fn request() -> Request {
        let prompt = Prompt::Text("é".to_owned());
        Request { prompt, temperature: 0.7, max_tokens: 9, seed: 7, stop: Vec::new() }
    }

    fn completion() -> Completion {
        Completion { prompt_tokens: Some(4), ..Completion::new("4", Ended::Itself) }
    }

    fn key() -> String {
        Cache::key("m", &request()).unwrap()
    }

    fn whole() -> Vec<u8> {
        written(key(), "m", &request(), &completion())
    }

    fn read(bytes: &[u8]) -> Result<Completion, String> {
        super::read(bytes, &key(), "m", &request())
    }

    #[test]
    fn no_changed_bit_gives_another_completion() {
        assert_eq!(read(&whole()), Ok(completion()));
        let mut damaged = 0;
        for place in 0..whole().len() {
            for bit in 0..8 {
                let mut bytes = whole();
                bytes[place] ^= 1 << bit;
                match read(&bytes) {
                    // A blank may have become another blank.
                    Ok(found) => assert_eq!(found, completion(), "{}", bytes.escape_ascii()),
                    Err(_) => damaged += 1,
                }
            }
        }
        assert!(damaged > 7 * whole().len());
    }

    #[test]
    fn half_a_file_is_no_completion() {
        // The last byte is a line end, without which the file is still whole.
        for end in 0..whole().len() - 1 {
            assert!(read(&whole()[..end]).is_err(), "{end}");
        }
    }
}
