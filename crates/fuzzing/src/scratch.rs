//! Folders for readers that want a path: in memory where the system has such a place.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// An empty folder of one's own, removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

const NAME: &str = "hypatia-fuzzing";

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        remove_orphans(&place);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = place.join(format!("{NAME}-{}-{name}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, and says where.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder left behind in the temporary place is no reason to fail.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Removes the folders of processes that are gone: a fuzzer leaves without dropping anything.
fn remove_orphans(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    if !Path::new("/proc/self").exists() {
        return;
    }
    for entry in entries.flatten() {
        let name = entry.file_name();
        let process =
            name.to_str().and_then(|name| name.strip_prefix(NAME)?.strip_prefix('-')?.split('-').next());
        let number = process.and_then(|process| process.parse::<u32>().ok());
        if number.is_some_and(|number| !Path::new(&format!("/proc/{number}")).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
