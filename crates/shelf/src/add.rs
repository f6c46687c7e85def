//! Adding a model from files of this machine.

use crate::describe::{Named, describe};
use crate::facts::{Facts, ModelFile};
use crate::select::choose;
use crate::staging::{Staging, WriteError, Writer};
use crate::store::{Found, Store};
use crate::tree::Tree;
use crate::{Error, Watch, name};
use std::path::{Path, PathBuf};

/// Opens a new model with the engine before it gets its name: the folder, and what is known of it. A sentence
/// that names file and reason refuses it.
pub type Check<'c> = &'c mut dyn FnMut(&Path, &Facts) -> Result<(), String>;

/// How a model is added, from files or from a hub.
#[derive(Clone, Debug, Default)]
pub struct AddOptions {
    /// The name in the store; by default that of the folder, the card or the repository.
    pub name: Option<String>,
    /// Sets that the model was trained on, beside those that the card names.
    pub trained_on: Vec<String>,
    /// Replace a model of the same name.
    pub replace: bool,
    /// The GGUF file that is meant, where there are several.
    pub file: Option<String>,
}

impl Store {
    /// Adds a model: a folder, an archive or a GGUF file, or the parts of one archive in their order.
    ///
    /// Only the files that the engine reads are copied, with the card and the licence. The model is there when
    /// this returns, or not at all, even if the process is killed. Memory: some hundred kilobytes, and the
    /// headers of the weights; `check` may take more.
    ///
    /// # Errors
    ///
    /// If the input holds no model or several, is damaged, or `check` refuses it; if there is a model of this
    /// name already and it is not to be replaced; if the store cannot be written.
    pub fn add(
        &self,
        inputs: &[PathBuf],
        options: &AddOptions,
        check: Check<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Found, Error> {
        let [first, ..] = inputs else {
            return Err(Error::refused(Path::new(""), "nothing to add"));
        };
        self.ensure_free(options.name.as_deref(), options.replace)?;
        let whole = if inputs.len() == 1 { Some(Tree::open(first)?) } else { None };
        let writer = Writer::open(self.folder())?;
        let staging = writer.stage()?;
        let scratch = writer.stage()?;
        let tree = match whole {
            Some(tree) => tree,
            None => Tree::join(inputs, &scratch.folder.join("joined"))?,
        };
        let members = tree.list()?;
        let choice =
            choose(&members, options.file.as_deref()).map_err(|reason| Error::refused(first, reason))?;
        watch.begin(choice.files.iter().filter_map(|file| file.size).sum());
        let wanted: Vec<&str> = choice.files.iter().map(|file| file.from.as_str()).collect();
        let mut files: Vec<ModelFile> = Vec::with_capacity(wanted.len());
        tree.read(&wanted, &mut |path, reader| {
            let Some(file) = choice.files.iter().find(|file| file.from == path) else { return Ok(()) };
            let limit = file.size.unwrap_or(file.limit);
            let written = staging.write(&file.path, reader, limit, &mut |bytes| watch.advance(bytes));
            let written = written.map_err(|error| match error {
                WriteError::Ours(error) => error,
                WriteError::Theirs(cause) => Error::damaged(first, format!("'{path}': {cause}")),
                WriteError::TooLong => {
                    Error::damaged(first, format!("'{path}' is longer than it was listed"))
                }
            })?;
            if file.size.is_some_and(|size| size != written.size) {
                return Err(Error::damaged(first, format!("'{path}' is shorter than it was listed")));
            }
            files.push(written);
            Ok(())
        })?;
        let source = source(first);
        let file = match &tree {
            Tree::Folder(folder) => {
                let inner =
                    choice.root.trim_end_matches('/').rsplit('/').next().filter(|name| !name.is_empty());
                let own = folder.canonicalize().ok();
                let own = own
                    .as_deref()
                    .and_then(Path::file_name)
                    .and_then(|name| name.to_str())
                    .map(str::to_owned);
                inner.map(str::to_owned).or(own)
            }
            Tree::Single(_) => choice.files.first().map(|file| stem(&file.path).to_owned()),
            Tree::Zip(_) | Tree::Tar(..) => None,
        };
        let named = Named {
            wanted: options.name.as_deref(),
            file: file.as_deref(),
            source: &source,
            trained_on: &options.trained_on,
        };
        self.finish(staging, files, &named, None, options.replace, check).map_err(|error| moved(error, first))
    }

    /// Describes and checks what is in a hidden folder, and gives it its name.
    pub(crate) fn finish(
        &self,
        staging: Staging<'_>,
        mut files: Vec<ModelFile>,
        named: &Named<'_>,
        revision: Option<String>,
        replace: bool,
        check: Check<'_>,
    ) -> Result<Found, Error> {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let hidden = staging.folder.clone();
        let at = |error| within(error, &hidden, Path::new(named.source));
        let mut facts = describe(&staging.folder, files, named).map_err(at)?;
        facts.revision = revision;
        self.ensure_free(Some(&facts.name), replace)?;
        check(&staging.folder, &facts).map_err(|reason| {
            let reason = reason.replace(&format!("{}/", hidden.display()), "");
            Error::refused(Path::new(named.source), reason)
        })?;
        let folder = staging.commit(&facts, replace)?;
        Ok(Found { folder, facts })
    }

    /// Makes sure, before the work, that a name can be used.
    pub(crate) fn ensure_free(&self, wanted: Option<&str>, replace: bool) -> Result<(), Error> {
        let Some(wanted) = wanted else { return Ok(()) };
        name::check(wanted)?;
        if !replace && std::fs::symlink_metadata(self.folder().join(wanted)).is_ok() {
            return Err(Error::Exists { name: wanted.to_owned(), folder: self.folder().to_owned() });
        }
        Ok(())
    }
}

/// An error about a file in the hidden folder, which names the file as the person knows it.
fn within(error: Error, hidden: &Path, source: &Path) -> Error {
    let known = |path: PathBuf| path.strip_prefix(hidden).map_or(path.clone(), |file| source.join(file));
    match error {
        Error::Io { path, cause } => Error::Io { path: known(path), cause },
        Error::Damaged { path, reason } => Error::Damaged { path: known(path), reason },
        Error::Refused { path, reason } => Error::Refused { path: known(path), reason },
        other => other,
    }
}

/// The same with the whole path of the input in place of its last part.
fn moved(error: Error, input: &Path) -> Error {
    let known = |path: PathBuf| match input.file_name().map(|name| path.strip_prefix(name)) {
        Some(Ok(rest)) if rest.as_os_str().is_empty() => input.to_owned(),
        Some(Ok(rest)) => input.join(rest),
        _ => path,
    };
    match error {
        Error::Damaged { path, reason } => Error::Damaged { path: known(path), reason },
        Error::Refused { path, reason } => Error::Refused { path: known(path), reason },
        other => other,
    }
}

/// The name of the input without its folder, which differs from machine to machine.
fn source(input: &Path) -> String {
    let last = input.file_name().map(|name| name.to_string_lossy().into_owned());
    let whole = || input.canonicalize().ok()?.file_name().map(|name| name.to_string_lossy().into_owned());
    last.or_else(whole).unwrap_or_else(|| "a folder".to_owned())
}

/// A name without its ending.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
