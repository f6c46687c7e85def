//! Which files are there, what do they hold, and in which order are they read?

use super::BuildError;
use crate::dirt::{Dirt, DirtKind};
use crate::documents::{self, Format};
use crate::files::{self, Input};
use crate::record::At;
use crate::rows::FileKind;
use crate::site::site_of;
use crate::tables::TableKind;
use memchr::memmem;
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::atomic::AtomicU64;
use store::{Id, IdKind, IdKinds};

/// What a collection is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A dump whose formulas stand in spans with ids, as ARQMath's.
    Arqmath,
    /// A dump whose formulas stand between dollars.
    StackExchange,
    /// Threads, lines of JSON or pages, whose ids are numbers.
    NumberedDocuments,
    /// Lines of JSON or pages, whose ids are names.
    NamedDocuments,
}

impl Source {
    /// Its name in `info`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Arqmath => "arqmath",
            Self::StackExchange => "stack-exchange",
            Self::NumberedDocuments | Self::NamedDocuments => "documents",
        }
    }
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Table(TableKind),
    Rows(FileKind),
    Documents(Format),
    /// Nothing of it can be read.
    Broken,
    Unknown,
}

/// The files that a collection is built from, and what they hold.
#[derive(Debug)]
pub struct Plan {
    pub(crate) inputs: Vec<(Input, Holds)>,
    pub(crate) source: Source,
    pub(crate) spans_have_ids: bool,
    pub(crate) site: Option<String>,
}

/// How far into a file we look to see what kind of collection it is.
const GLANCE: usize = 4 << 20;

impl Plan {
    /// Looks at all files under a path.
    ///
    /// # Errors
    ///
    /// When the path cannot be read, or nothing under it can be used.
    pub fn of(path: &Path) -> Result<Self, BuildError> {
        let inputs = files::list(path)
            .map_err(|error| BuildError::Store(store::Error::Io { file: error.path, cause: error.cause }))?;
        let mut plan = Self::new(inputs, &path.display().to_string())?;
        if plan.source == Source::StackExchange {
            plan.site = site_of(path);
        }
        Ok(plan)
    }

    /// The same with posts of a site, such as `physics.stackexchange.com`: its addresses name these posts.
    #[must_use]
    pub fn of_site(mut self, site: &str) -> Self {
        self.site = Some(site.to_ascii_lowercase());
        self
    }

    /// Looks at these files; `name` is what they are called together.
    ///
    /// # Errors
    ///
    /// When none of them can be used.
    pub fn new(inputs: Vec<Input>, name: &str) -> Result<Self, BuildError> {
        let mut inputs: Vec<(Input, Holds)> = inputs
            .into_iter()
            .map(|input| {
                let holds = holds(&input);
                (input, holds)
            })
            .collect();
        let dump = inputs.iter().any(|(_, holds)| *holds == Holds::Rows(FileKind::Posts));
        if dump {
            // Beside a dump, other texts are its description.
            for (_, holds) in &mut inputs {
                if matches!(holds, Holds::Documents(_)) {
                    *holds = Holds::Unknown;
                }
            }
        }
        let tables = inputs.iter().any(|(_, holds)| matches!(holds, Holds::Table(_)));
        let main = inputs.iter().find(|(_, holds)| match holds {
            Holds::Rows(FileKind::Posts) => true,
            Holds::Documents(format) => *format != Format::Topics,
            _ => false,
        });
        let Some((first, holds)) = main else {
            let broken = (0_u32..).zip(&inputs).find(|(_, (_, holds))| *holds == Holds::Broken);
            return Err(broken.map_or_else(
                || BuildError::Nothing(name.to_owned()),
                |(file, (input, _))| {
                    let why = glance(input, 1).1.map(|error| error.to_string()).unwrap_or_default();
                    let dirt = Dirt::new(DirtKind::UnreadableFile, At { file, line: 0 }, "", &why);
                    BuildError::Incomplete { file: input.name.clone(), dirt: Box::new(dirt) }
                },
            ));
        };
        let start = glance(first, GLANCE).0;
        let spans_have_ids = tables || has_span_ids(&start);
        let source = match holds {
            Holds::Rows(_) if spans_have_ids => Source::Arqmath,
            Holds::Rows(_) => Source::StackExchange,
            Holds::Documents(Format::Threads) => Source::NumberedDocuments,
            Holds::Documents(Format::Jsonl) if first_id_is_number(&start) => Source::NumberedDocuments,
            _ => Source::NamedDocuments,
        };
        // ARQMath's collection is of Mathematics Stack Exchange.
        let site = (source == Source::Arqmath).then(|| "math.stackexchange.com".to_owned());
        Ok(Self { inputs, source, spans_have_ids, site })
    }

    /// The same with ids of documents taken as names, even if the first looks like a number.
    #[must_use]
    pub fn with_names(mut self) -> Self {
        if self.source == Source::NumberedDocuments {
            self.source = Source::NamedDocuments;
        }
        self
    }

    /// All bytes to be read, as they are packed.
    #[must_use]
    pub fn packed_size(&self) -> u64 {
        let read = self.inputs.iter().filter(|(_, holds)| *holds != Holds::Unknown);
        read.map(|(input, _)| input.packed_size()).sum()
    }

    /// What it is built from.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }

    pub(crate) fn ids(&self) -> IdKinds {
        let kind = match self.source {
            Source::NamedDocuments => IdKind::Texts,
            Source::Arqmath | Source::StackExchange | Source::NumberedDocuments => IdKind::Numbers,
        };
        IdKinds { posts: kind, comments: kind, formulas: kind }
    }

    /// The files that hold something, with their numbers.
    pub(crate) fn holding(&self, wanted: impl Fn(Holds) -> bool) -> Vec<(u32, &Input)> {
        let numbered = (0_u32..).zip(&self.inputs);
        numbered
            .filter(|(_, (_, holds))| wanted(*holds))
            .map(|(number, (input, _))| (number, input))
            .collect()
    }
}

fn holds(input: &Input) -> Holds {
    if let Some(kind) = TableKind::of_path(input.relative()) {
        return Holds::Table(kind);
    }
    if let Some(kind) = FileKind::of_name(input.plain_name()) {
        return Holds::Rows(kind);
    }
    let (start, error) = glance(input, 4096);
    match documents::format_of(input.plain_name(), &start) {
        Some(format) => Holds::Documents(format),
        None if start.is_empty() && error.is_some() => Holds::Broken,
        None => Holds::Unknown,
    }
}

/// The first bytes of a file; fewer when it cannot be read, with the reason.
fn glance(input: &Input, length: usize) -> (Vec<u8>, Option<io::Error>) {
    let mut start = Vec::new();
    let read = input.read(&AtomicU64::new(0), &mut |reader: &mut dyn BufRead| {
        while start.len() < length {
            match reader.fill_buf()? {
                [] => break,
                some => {
                    start.extend_from_slice(some);
                    let read = some.len();
                    reader.consume(read);
                }
            }
        }
        Ok::<(), io::Error>(())
    });
    start.truncate(length);
    (start, read.err())
}

/// Whether formulas stand in spans with ids, in XML, JSON or HTML.
fn has_span_ids(start: &[u8]) -> bool {
    memmem::find_iter(start, b"math-container").any(|at| {
        let after = &start[at + b"math-container".len()..];
        let after = &after[..after.len().min(16)];
        ["&quot; id=", "\" id=", "\\\" id=", "' id="].iter().any(|start| after.starts_with(start.as_bytes()))
    })
}

fn first_id_is_number(start: &[u8]) -> bool {
    let line = start.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let value = line.and_then(|line| serde_json::from_slice::<serde_json::Value>(line).ok());
    match value.as_ref().and_then(|value| value.get("id")) {
        Some(serde_json::Value::Number(number)) => number.is_u64(),
        Some(serde_json::Value::String(text)) => Id::parse(text, IdKind::Numbers).is_some(),
        _ => false,
    }
}
