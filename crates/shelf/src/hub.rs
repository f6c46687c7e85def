//! Fetching a model from a hub that speaks Hugging Face's protocol.
//!
//! `GET /api/models/REPO/revision/REV` names the commit and its files; `GET /REPO/resolve/COMMIT/FILE` gives a
//! file, mostly by a redirect to another host. The hub's own answer names the checksum: the SHA-256 of large
//! files, git's SHA-1 of small ones. `client.rs` speaks HTTP, `token.rs` knows who asks, `download.rs` fetches
//! one file. Nothing is fetched but by [`Store::fetch`].

mod client;
mod download;
mod token;
mod wanted;

pub use wanted::Wanted;

use crate::add::{AddOptions, Check};
use crate::describe::Named;
use crate::facts::ModelFile;
use crate::select::{Member, choose, is_safe};
use crate::staging::Writer;
use crate::store::{Found, PARTIAL, Store};
use crate::{Error, Watch, name};
use client::{Client, Failure};
use download::{Blob, Download};
use generate::{Key, Proxies};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::env;
use std::fs::{self, OpenOptions};
use std::path::Path;
use std::time::Duration;

const PUBLIC: &str = "https://huggingface.co";
/// A repository with a hundred thousand files has a list of about this size.
const LONGEST_LIST: u64 = 32 << 20;

/// A hub, and how it is asked.
#[derive(Clone, Debug)]
pub struct Hub {
    /// The address, such as `https://huggingface.co`.
    pub endpoint: String,
    /// Who asks. It is sent to the endpoint itself and to nobody else.
    pub token: Option<Key>,
    /// Ask nobody: every fetch is an error.
    pub offline: bool,
    /// The proxies that the environment names.
    pub proxies: Proxies,
    /// How long a connection may take: 10 seconds by default.
    pub connect_timeout: Duration,
    /// How long no byte may come: 60 seconds by default.
    pub idle_timeout: Duration,
    /// How often something is tried in a row without a new byte: 5 by default.
    pub attempts: u32,
    /// The wait after the first failure, doubled each time: 1 second by default.
    pub first_wait: Duration,
}

impl Hub {
    /// A hub at an address, asked without a token.
    #[must_use]
    pub fn new(endpoint: impl Into<String>) -> Self {
        Self {
            endpoint: endpoint.into(),
            token: None,
            offline: false,
            proxies: Proxies::from_environment(),
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(60),
            attempts: 5,
            first_wait: Duration::from_secs(1),
        }
    }

    /// The hub that the environment names, as for the hub's own tools: `HF_ENDPOINT`, `HF_TOKEN` or
    /// `HUGGING_FACE_HUB_TOKEN` or the file `token` in `HF_HOME`, `HF_HUB_OFFLINE`, and the proxies.
    ///
    /// # Errors
    ///
    /// If a token cannot be read or cannot be sent. It is never shown.
    pub fn from_environment() -> Result<Self, Error> {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.trim().is_empty());
        let endpoint = variable("HF_ENDPOINT").unwrap_or_else(|| PUBLIC.to_owned());
        let mut hub = Self::new(endpoint.trim());
        hub.offline = variable("HF_HUB_OFFLINE").is_some_and(|value| is_on(&value));
        hub.token = token::find(variable)?;
        Ok(hub)
    }
}

/// Whether a variable says yes, as the hub's own tools read it.
fn is_on(value: &str) -> bool {
    ["1", "on", "yes", "true"].contains(&value.trim().to_ascii_lowercase().as_str())
}

#[derive(Deserialize)]
struct Info {
    sha: String,
    siblings: Vec<Sibling>,
}

#[derive(Deserialize)]
struct Sibling {
    rfilename: String,
    size: Option<u64>,
    #[serde(rename = "blobId")]
    blob: Option<String>,
    lfs: Option<Lfs>,
}

#[derive(Deserialize)]
struct Lfs {
    sha256: Option<String>,
    size: Option<u64>,
}

impl Sibling {
    fn size(&self) -> Option<u64> {
        self.lfs.as_ref().and_then(|lfs| lfs.size).or(self.size)
    }

    /// The checksum that the list names.
    fn checksum(&self) -> Option<Blob> {
        match &self.lfs {
            Some(lfs) => lfs.sha256.as_deref().and_then(Blob::parse),
            None => self.blob.as_deref().and_then(Blob::parse),
        }
    }
}

impl Store {
    /// Fetches a model from a hub: only the files that the engine reads, with the card and the licence, each
    /// compared with the checksum that the hub names.
    ///
    /// A download that is interrupted, even by a kill, is resumed when the same model is fetched again. The
    /// model is there when this returns, or not at all.
    ///
    /// # Errors
    ///
    /// As those of [`Store::add`]; if the hub cannot be reached, does not know the repository or revision, does
    /// not give it to this person, or gives other bytes than it says.
    pub fn fetch(
        &self,
        hub: &Hub,
        wanted: &Wanted,
        options: &AddOptions,
        check: Check<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Found, Error> {
        let repository = wanted.repository.as_str();
        if hub.offline {
            return Err(Error::hub(repository, "HF_HUB_OFFLINE is set, so nothing is fetched"));
        }
        let short = repository.rsplit('/').next().unwrap_or(repository);
        let name = options.name.as_deref().unwrap_or(short);
        name::check(name)?;
        self.ensure_free(Some(name), options.replace)?;
        let client = Client::new(hub, repository)?;
        let info = info(&client, hub, wanted, watch)?;
        let members: Vec<Member> = info
            .siblings
            .iter()
            .filter(|file| is_safe(&file.rfilename))
            .map(|file| Member { path: file.rfilename.clone(), size: file.size(), is_link: false })
            .collect();
        let choice = choose(&members, options.file.as_deref())
            .map_err(|reason| Error::hub(repository, format!("the repository {reason}")))?;
        let checksums: BTreeMap<&str, Blob> = info
            .siblings
            .iter()
            .filter_map(|file| Some((file.rfilename.as_str(), file.checksum()?)))
            .collect();
        watch.begin(choice.files.iter().filter_map(|file| file.size).sum());

        let writer = Writer::open(self.folder())?;
        let partial = self.folder().join(PARTIAL).join(name);
        fs::create_dir_all(&partial).map_err(|cause| Error::io(&partial, cause))?;
        let _alone = lock(&self.folder().join(PARTIAL), name)?;
        let mut files: Vec<ModelFile> = Vec::new();
        // Small files first: what is wrong with a model mostly shows there.
        let mut order: Vec<usize> = (0..choice.files.len()).collect();
        order.sort_by_key(|number| (choice.files[*number].size, *number));
        for file in order.into_iter().map(|number| &choice.files[number]) {
            let download = Download {
                client: &client,
                hub,
                repository,
                commit: &info.sha,
                file,
                listed: checksums.get(file.from.as_str()).copied(),
                folder: &partial,
            };
            files.push(download.run(watch)?);
        }

        let staging = writer.stage()?;
        for file in &files {
            let target = staging.folder.join(&file.path);
            if let Some(folder) = target.parent() {
                fs::create_dir_all(folder).map_err(|cause| Error::io(folder, cause))?;
            }
            let from = partial.join(&file.path);
            // As a second link, the file is still there if the process is killed before the end.
            fs::hard_link(&from, &target)
                .or_else(|_| fs::rename(&from, &target))
                .map_err(|cause| Error::io(&target, cause))?;
        }
        let named =
            Named { wanted: Some(name), file: None, source: repository, trained_on: &options.trained_on };
        let found = self.finish(staging, files, &named, Some(info.sha), options.replace, check);
        // Refused or not, there is nothing left to resume.
        writer.remove(&partial)?;
        found
    }
}

/// The commit of a revision and its files.
fn info(client: &Client<'_>, hub: &Hub, wanted: &Wanted, watch: &mut dyn Watch) -> Result<Info, Error> {
    let revision = wanted.revision.as_deref().unwrap_or("main");
    let path = format!("/api/models/{}/revision/{}?blobs=true", wanted.repository, wanted::quote(revision));
    let mut failures = 0;
    let bytes = loop {
        match client.text(&path, LONGEST_LIST) {
            Ok(bytes) => break bytes,
            Err(Failure::Final(reason)) => return Err(Error::hub(&wanted.repository, reason)),
            Err(Failure::Temporary(reason, wait)) => {
                failures += 1;
                client::wait(hub, failures, &reason, wait, watch)
                    .map_err(|reason| Error::hub(&wanted.repository, reason))?;
            }
        }
    };
    let wrong = |reason: String| Error::hub(&wanted.repository, reason);
    let info: Info = serde_json::from_slice(&bytes).map_err(|cause| {
        wrong(format!("{} does not answer as a hub of models does: {cause}", hub.endpoint))
    })?;
    let is_commit = |text: &str| text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_commit(&info.sha) {
        return Err(wrong(format!("{} names no commit", hub.endpoint)));
    }
    if is_commit(revision) && !revision.eq_ignore_ascii_case(&info.sha) {
        return Err(wrong(format!("asked for {revision}, the hub has {}", info.sha)));
    }
    Ok(info)
}

/// Makes sure that no other process fetches the same model.
fn lock(folder: &Path, name: &str) -> Result<fs::File, Error> {
    let path = folder.join(format!(".{name}.lock"));
    let file =
        OpenOptions::new().create(true).append(true).open(&path).map_err(|cause| Error::io(&path, cause))?;
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => {
            Err(Error::hub(name, "another process is fetching this model into the same store"))
        }
        // Some network file systems have no locks.
        _ => Ok(file),
    }
}
