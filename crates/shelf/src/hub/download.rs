//! One file of a repository: fetched from where an earlier attempt ended, then compared with its checksum.

use super::client::{Answer, Client, Failure, wait};
use super::{Hub, wanted};
use crate::facts::ModelFile;
use crate::select::Chosen;
use crate::{Error, Watch, digest};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use ureq::http::StatusCode;

/// The checksum of a file, as a hub names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blob {
    /// SHA-256, of large files.
    Sha256([u8; 32]),
    /// The id by which git knows a file, of small ones.
    Git([u8; 20]),
}

impl Blob {
    /// Reads a checksum, or an entity tag that is one.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches("W/").trim_matches('"');
        let bytes: Option<Vec<u8>> = (0..text.len())
            .step_by(2)
            .map(|at| text.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()))
            .collect();
        let bytes = bytes?;
        <[u8; 32]>::try_from(&bytes[..])
            .map(Self::Sha256)
            .or_else(|_| <[u8; 20]>::try_from(&bytes[..]).map(Self::Git))
            .ok()
    }

    fn hex(self) -> String {
        match self {
            Self::Sha256(bytes) => digest::hex(&bytes),
            Self::Git(bytes) => digest::hex(&bytes),
        }
    }

    /// The file's own checksum of the same sort, if it is another.
    fn differs(self, path: &Path, sha256: &str) -> Result<Option<String>, Error> {
        let found = match self {
            Self::Sha256(_) => sha256.to_owned(),
            Self::Git(_) => digest::git_blob(path)?,
        };
        Ok((found != self.hex()).then_some(found))
    }
}

/// One file to be fetched.
pub(super) struct Download<'d> {
    pub(super) client: &'d Client<'d>,
    pub(super) hub: &'d Hub,
    pub(super) repository: &'d str,
    pub(super) commit: &'d str,
    pub(super) file: &'d Chosen,
    /// The checksum in the list of files, if there is one.
    pub(super) listed: Option<Blob>,
    /// Where files are until all are there.
    pub(super) folder: &'d Path,
}

/// What the hub says about a file that has come.
struct Arrived {
    checksum: Option<Blob>,
    resumed: bool,
}

impl Download<'_> {
    /// Fetches the file into the folder.
    pub(super) fn run(&self, watch: &mut dyn Watch) -> Result<ModelFile, Error> {
        let target = self.folder.join(&self.file.path);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).map_err(|cause| Error::io(folder, cause))?;
        }
        if let Some(file) = self.finished(&target)? {
            watch.advance(file.size);
            return Ok(file);
        }
        let part = self.part();
        let mut again = true;
        loop {
            let arrived = self.arrive(&part, watch)?;
            let (sha256, size) = digest::sha256(&part, &mut |_| {})?;
            let checksums: Vec<Blob> = [arrived.checksum, self.listed].into_iter().flatten().collect();
            if checksums.is_empty() {
                return Err(self.error("the hub names no checksum"));
            }
            let mut wrong = None;
            for expected in checksums {
                wrong = wrong.or(expected.differs(&part, &sha256)?.map(|found| (expected.hex(), found)));
            }
            let Some((expected, found)) = wrong else {
                OpenOptions::new()
                    .append(true)
                    .open(&part)
                    .and_then(|file| file.sync_all())
                    .and_then(|()| fs::rename(&part, &target))
                    .map_err(|cause| Error::io(&target, cause))?;
                return Ok(ModelFile { path: self.file.path.clone(), size, sha256 });
            };
            // Nothing of it can be trusted. What was resumed may have begun as another file.
            fs::remove_file(&part).map_err(|cause| Error::io(&part, cause))?;
            if !(arrived.resumed && again) {
                return Err(self.error(&format!("its checksum is {found}, but the hub says {expected}")));
            }
            again = false;
            watch.note(&format!("{}: the partial file does not fit; starting over", self.file.from));
        }
    }

    /// The file as an earlier attempt left it, if it is whole.
    fn finished(&self, target: &Path) -> Result<Option<ModelFile>, Error> {
        let Some(listed) = self.listed.filter(|_| target.is_file()) else { return Ok(None) };
        let (sha256, size) = digest::sha256(target, &mut |_| {})?;
        if listed.differs(target, &sha256)?.is_some() {
            return Ok(None);
        }
        Ok(Some(ModelFile { path: self.file.path.clone(), size, sha256 }))
    }

    /// Where the bytes go; files with other checksums have other names.
    fn part(&self) -> PathBuf {
        let checksum = self.listed.map_or_else(|| self.commit.to_owned(), Blob::hex);
        let short: String = checksum.chars().take(16).collect();
        self.folder.join(format!("{}.{short}.part", self.file.path))
    }

    /// Asks until the file is there.
    fn arrive(&self, part: &Path, watch: &mut dyn Watch) -> Result<Arrived, Error> {
        let length = || fs::metadata(part).map_or(0, |data| data.len());
        let (mut failures, mut resumed) = (0, length() > 0);
        watch.advance(length());
        loop {
            let before = length();
            match self.attempt(part, before, watch) {
                Ok(checksum) => return Ok(Arrived { checksum, resumed }),
                Err(Failed::Other(error)) => return Err(error),
                Err(Failed::Request(Failure::Final(reason))) => return Err(self.error(&reason)),
                Err(Failed::Request(Failure::Temporary(reason, asked))) => {
                    failures = if length() > before { 1 } else { failures + 1 };
                    resumed |= length() > 0;
                    wait(self.hub, failures, &reason, asked, watch).map_err(|reason| self.error(&reason))?;
                }
            }
        }
    }

    fn attempt(&self, part: &Path, have: u64, watch: &mut dyn Watch) -> Result<Option<Blob>, Failed> {
        let parts: Vec<String> = self.file.from.split('/').map(wanted::quote).collect();
        let path = format!("/{}/resolve/{}/{}", self.repository, self.commit, parts.join("/"));
        let answer =
            self.client.get(&path, Some(have).filter(|have| *have > 0), None).map_err(Failed::Request)?;
        let finally = |reason: String| Failed::Request(Failure::Final(reason));
        if answer.commit.as_deref().is_some_and(|commit| commit != self.commit) {
            return Err(finally("the hub answers with another commit".to_owned()));
        }
        let checksum = answer.etag.as_deref().and_then(Blob::parse);
        let (start, size) = self.extent(&answer, have).map_err(Failed::Request)?;
        if size.is_some_and(|size| size > self.file.limit) {
            return Err(finally(format!(
                "it has {} bytes; {} is the limit",
                size.unwrap_or(0),
                self.file.limit
            )));
        }
        let io = |cause| Failed::Other(Error::io(part, cause));
        let mut file = OpenOptions::new().create(true).append(true).open(part).map_err(io)?;
        if start < have {
            file.set_len(start).map_err(io)?;
        }
        if answer.response.status() != StatusCode::RANGE_NOT_SATISFIABLE {
            self.copy(answer, &mut file, part, start, size, watch)?;
        }
        let length = file.metadata().map_err(io)?.len();
        match size {
            Some(size) if length < size => {
                let reason = format!("the connection ended after {length} of {size} bytes");
                Err(Failed::Request(Failure::Temporary(reason, None)))
            }
            _ => Ok(checksum),
        }
    }

    /// Where the answer begins, and how long the whole file is.
    fn extent(&self, answer: &Answer, have: u64) -> Result<(u64, Option<u64>), Failure> {
        let told = |name: &str| answer.response.headers().get(name).and_then(|value| value.to_str().ok());
        let known = answer.size.or(self.file.size);
        match answer.response.status() {
            StatusCode::PARTIAL_CONTENT => {
                // `bytes 5-9/10`
                let range = told("content-range").and_then(|text| text.strip_prefix("bytes "));
                let (range, whole) = range.and_then(|text| text.split_once('/')).unwrap_or_default();
                let start = range.split('-').next().and_then(|start| start.parse::<u64>().ok());
                if start != Some(have) {
                    return Err(Failure::Final("the server sends another range than asked for".to_owned()));
                }
                Ok((have, known.or_else(|| whole.parse().ok())))
            }
            // Nothing is left to send: the file is whole, or not the one that we began.
            StatusCode::RANGE_NOT_SATISFIABLE => Ok((if known == Some(have) { have } else { 0 }, known)),
            // The server does not know ranges, or was not asked for one.
            _ => Ok((0, known.or_else(|| told("content-length").and_then(|text| text.parse().ok())))),
        }
    }

    fn copy(
        &self,
        mut answer: Answer,
        file: &mut File,
        part: &Path,
        start: u64,
        size: Option<u64>,
        watch: &mut dyn Watch,
    ) -> Result<(), Failed> {
        let limit = size.unwrap_or(self.file.limit);
        let mut reader = answer.response.body_mut().as_reader();
        let mut buffer = vec![0; 1 << 16];
        let mut length = start;
        loop {
            let read = match reader.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => read,
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => continue,
                Err(cause) => {
                    let reason = format!("the download broke off: {}", self.client.scrub(&cause.to_string()));
                    return Err(Failed::Request(Failure::Temporary(reason, None)));
                }
            };
            length += read as u64;
            if length > limit {
                let reason = format!("the server sends more than {limit} bytes");
                return Err(Failed::Request(Failure::Final(reason)));
            }
            file.write_all(&buffer[..read]).map_err(|cause| Failed::Other(Error::io(part, cause)))?;
            watch.advance(read as u64);
        }
    }

    fn error(&self, reason: &str) -> Error {
        Error::hub(format!("{}/{}", self.repository, self.file.from), reason)
    }
}

enum Failed {
    Request(Failure),
    Other(Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entity_tags_are_checksums_or_nothing() {
        let sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
        assert_eq!(Blob::parse(&format!("\"{sha256}\"")).unwrap().hex(), sha256);
        let git = "ce013625030ba8dba906f756967f9e9ca394464a";
        assert_eq!(Blob::parse(&format!("W/\"{git}\"")).map(Blob::hex).as_deref(), Some(git));
        for other in ["", "\"abc\"", "\"d41d8cd98f00b204e9800998ecf8427e\"", "\"é\"", "zz"] {
            assert_eq!(Blob::parse(other), None, "{other}");
        }
    }
}
