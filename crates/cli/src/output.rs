//! Printing: values as TSV or JSON lines, straight to standard output.

mod folder;

pub(crate) use folder::OutputFolder;

use crate::records::push_field;
use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::Serialize;
use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A header line, then a row for each formula, quoted as in CSV where a value needs it
    Tsv,
    /// An object for each formula, one a line
    Json,
}

/// When output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Whether what goes to standard output is coloured.
    pub(crate) fn is_on(self) -> bool {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let dumb = set("TERM").is_some_and(|terminal| terminal == "dumb");
                io::stdout().is_terminal() && set("NO_COLOR").is_none() && !dumb
            }
        }
    }
}

/// A number of bytes for people.
pub(crate) fn size(bytes: u64) -> String {
    let mut size = bytes as f64;
    for unit in ["bytes", "kB", "MB"] {
        if size < 999.5 {
            let decimals = usize::from(unit != "bytes" && size < 9.95);
            return format!("{size:.decimals$} {unit}");
        }
        size /= 1000.0;
    }
    format!("{size:.1} GB")
}

/// Writes bytes to standard output.
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).context("writing to standard output")
}

/// A file that is written as a whole or not at all: under another name first,
/// which is changed at the end. `-` is standard output.
#[derive(Debug)]
pub(crate) struct WholeFile {
    name: String,
    target: Target,
    told: Told,
}

/// Whether a note says that a file was replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Yes,
    /// It belongs to another output, which has the note.
    No,
}

#[derive(Debug)]
enum Target {
    Stdout,
    /// What is no plain file, such as a pipe, cannot be replaced.
    Direct(File),
    Replace {
        file: File,
        temporary: PathBuf,
        path: PathBuf,
    },
    Written,
}

impl WholeFile {
    /// Makes sure that the file can be written, before the work begins.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        Self::create_with(path, &OpenOptions::new())
    }

    /// As [`Self::create`], for a file that belongs to another output.
    pub(crate) fn create_beside(path: &Path) -> Result<Self> {
        let mut file = Self::create(path)?;
        file.told = Told::No;
        Ok(file)
    }

    /// As [`Self::create`], but nobody else can read the file, from the first moment.
    pub(crate) fn create_private(path: &Path) -> Result<Self> {
        Self::create_with(path, OpenOptions::new().mode(0o600))
    }

    fn create_with(path: &Path, options: &OpenOptions) -> Result<Self> {
        let name = path.display().to_string();
        if path == Path::new("-") {
            return Ok(Self { name: "standard output".to_owned(), target: Target::Stdout, told: Told::No });
        }
        if fs::metadata(path).is_ok_and(|data| data.is_dir()) {
            anyhow::bail!("{name}: is a folder, not a file");
        }
        if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            let file = File::options().write(true).open(path).with_context(|| name.clone())?;
            return Ok(Self { name, target: Target::Direct(file), told: Told::No });
        }
        // A link stays a link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let last = path.file_name().with_context(|| format!("{name}: is no name of a file"))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.exists()) {
            anyhow::bail!("{name}: there is no folder {}", folder.display());
        }
        let temporary =
            path.with_file_name(format!(".{}.{}.tmp", last.to_string_lossy(), std::process::id()));
        let mut options = options.clone();
        let file =
            options.write(true).create(true).truncate(true).open(&temporary).with_context(|| name.clone())?;
        let told = if path.exists() { Told::Yes } else { Told::No };
        Ok(Self { name, target: Target::Replace { file, temporary, path }, told })
    }

    /// Writes it all.
    pub(crate) fn write(mut self, bytes: &[u8]) -> Result<()> {
        let written = match &mut self.target {
            Target::Stdout => return print(bytes),
            Target::Direct(file) => file.write_all(bytes),
            Target::Replace { file, temporary, path } => file
                .write_all(bytes)
                .and_then(|()| file.sync_all())
                .and_then(|()| fs::rename(temporary, path)),
            Target::Written => Ok(()),
        };
        written.with_context(|| self.name.clone())?;
        self.target = Target::Written;
        if self.told == Told::Yes {
            note(&format!("{}: replaced", self.name));
        }
        Ok(())
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Target::Replace { temporary, .. } = &self.target {
            // What is left when the work failed; nobody misses it.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Whether an output was there before. Outputs are replaced when the new one is whole, with a note.
#[must_use]
#[derive(Debug)]
pub(crate) struct Replaced(Option<String>);

impl Replaced {
    /// Nothing was there.
    pub(crate) fn nothing() -> Self {
        Self(None)
    }

    /// Says that the output was replaced, once it is.
    pub(crate) fn note(&self) {
        if let Some(name) = &self.0 {
            note(&format!("{name}: replaced"));
        }
    }
}

/// Looks whether an output will replace something.
///
/// # Errors
///
/// If what is there is not of the kind that is written: that is somebody's work, and stays.
pub(crate) fn replaces(path: &Path, is_of_kind: impl Fn(&Path) -> bool) -> Result<Replaced> {
    let name = path.display().to_string();
    match fs::metadata(path) {
        Err(_) => Ok(Replaced(None)),
        // An empty file has nothing to lose.
        Ok(data) if data.is_file() && data.len() == 0 => Ok(Replaced(None)),
        Ok(_) if is_of_kind(path) => Ok(Replaced(Some(name))),
        Ok(_) => anyhow::bail!("{name}: something else is there; choose another name, or move it away"),
    }
}

/// Makes sure that an output is none of the files that are read.
///
/// # Errors
///
/// If it is: it would be lost, and nobody means that.
pub(crate) fn ensure_apart<'p>(output: &Path, inputs: impl IntoIterator<Item = &'p Path>) -> Result<()> {
    let Ok(written) = output.canonicalize() else { return Ok(()) };
    for input in inputs {
        let is_same = input.canonicalize().is_ok_and(|read| read == written && read.is_file());
        anyhow::ensure!(!is_same, "{}: would be overwritten by its result", input.display());
    }
    Ok(())
}

/// Tells people something beside the output; if nobody listens, that is no error.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{}", text.trim_end());
}

/// Appends a row of a TSV.
pub(crate) fn push_row(out: &mut String, values: &[&str]) {
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out.push('\t');
        }
        push_field(out, value);
    }
    out.push('\n');
}

/// Appends a value as JSON on a line of its own.
pub(crate) fn push_json(out: &mut String, value: &impl Serialize) {
    let json = serde_json::to_string(value).expect("maps with string keys and plain values always serialise");
    out.push_str(&json);
    out.push('\n');
}

/// Appends an object of strings on a line of its own, in the given order.
pub(crate) fn push_pairs(out: &mut String, pairs: &[(&str, &str)]) {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let pairs: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{}:{}", quoted(name), quoted(value))).collect();
    out.push_str(&format!("{{{}}}\n", pairs.join(",")));
}
