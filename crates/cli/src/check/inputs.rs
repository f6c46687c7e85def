//! What `hypatia check` reads: runs, topics and tables of formulas.

use super::Unreadable;
use anyhow::{Result, ensure};
use formats::check::{CollectionLookup, FormulaPlace, FormulaTable, PostKind, Submission, Topics};
use formats::qrels::{Qrels, Scale};
use formats::{DocId, Source, TopicId};
use index::Index;
use lab::InCollection;
use std::borrow::Cow;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use store::Collection;

/// Reads a run; `-` is standard input.
pub(super) fn read_submission(path: &Path) -> std::result::Result<Submission, Unreadable> {
    let is_input = path.as_os_str() == "-";
    let label = if is_input { "standard input".to_owned() } else { path.display().to_string() };
    let mut bytes = Vec::new();
    let read = if is_input {
        io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else if path.is_dir() {
        Err(io::Error::other("is a folder, not a file"))
    } else {
        fs::read(path).map(|read| bytes = read)
    };
    let file_name = path.file_name().filter(|_| !is_input).map(|name| name.to_string_lossy());
    read.map_err(|error| format!("{label}: {error}"))
        .and_then(|()| {
            Submission::read(&label, file_name.as_deref(), bytes).map_err(|error| error.to_string())
        })
        .map_err(|reason| Unreadable { file: label, reason })
}

/// The topics that the user gave.
pub(super) enum KnownTopics {
    All(Vec<TopicId>),
    Judged(Vec<TopicId>),
}

impl KnownTopics {
    pub(super) fn topics(&self) -> Topics<'_> {
        match self {
            Self::All(ids) => Topics::All(ids),
            Self::Judged(ids) => Topics::Judged(ids),
        }
    }
}

/// Reads judgments, or a list of topics: a file whose lines are single words.
pub(super) fn read_topics(path: &Path) -> Result<KnownTopics> {
    let source = Source::path(path).read()?;
    let lines = || source.text.lines().filter(|line| !line.trim().is_empty());
    ensure!(lines().next().is_some(), "{}: names no topics", source.name);
    if lines().all(|line| line.split_whitespace().count() == 1) {
        return Ok(KnownTopics::All(lines().map(|line| TopicId::from(line.trim())).collect()));
    }
    let (qrels, _) = Qrels::read(Source::bytes(&source.name, source.text), Scale::Plain)?;
    Ok(KnownTopics::Judged(qrels.topics().map(|topic| topic.id().clone()).collect()))
}

/// Reads the topics of a lab.
pub(super) fn read_topic_file(path: &Path) -> Result<KnownTopics> {
    let file = formats::read_topics(Source::path(path))?;
    file.notes.iter().for_each(|note| crate::warn(&note.to_string()));
    ensure!(!file.topics.is_empty(), "{}: names no topics", path.display());
    Ok(KnownTopics::All(file.topics.iter().map(|topic| topic.id.clone()).collect()))
}

/// What is known of the collection.
pub(super) enum Known {
    /// Tables of its formulas.
    Tables(FormulaTable),
    /// The collection itself.
    Collection(Box<Collection>),
    /// The collections of an index.
    Index(Box<Index>),
}

impl Known {
    /// Reads what was given; nothing if nothing was.
    pub(super) fn read(formulas: &[PathBuf], collection: Option<&Path>) -> Result<Option<Self>> {
        Ok(match collection {
            Some(path) if path.is_dir() => Some(Self::Index(Box::new(Index::open(path)?))),
            Some(path) => Some(Self::Collection(Box::new(Collection::open(path)?))),
            None => read_formulas(formulas)?.map(Self::Tables),
        })
    }

    /// Whether all that was read is as it was written.
    pub(super) fn sound(&self) -> Result<()> {
        match self {
            Self::Tables(_) => Ok(()),
            Self::Collection(collection) => Ok(collection.sound()?),
            Self::Index(index) => Ok(index.sound()?),
        }
    }
}

impl CollectionLookup for Known {
    fn is_answer(&self, post: DocId<'_>) -> PostKind {
        match self {
            Self::Tables(table) => table.is_answer(post),
            Self::Collection(collection) => InCollection(collection).is_answer(post),
            Self::Index(index) => index
                .sources()
                .iter()
                .map(|source| InCollection(&source.collection).is_answer(post))
                .find(|kind| *kind != PostKind::Missing)
                .unwrap_or(PostKind::Missing),
        }
    }

    fn formula_place(&self, formula: DocId<'_>) -> Option<FormulaPlace<'_>> {
        match self {
            Self::Tables(table) => table.formula_place(formula),
            Self::Collection(collection) => InCollection(collection).formula_place(formula).map(owned),
            Self::Index(index) => index
                .sources()
                .iter()
                .find_map(|source| InCollection(&source.collection).formula_place(formula).map(owned)),
        }
    }
}

/// A place that does not borrow from what found it.
fn owned(place: FormulaPlace<'_>) -> FormulaPlace<'static> {
    FormulaPlace { post: Cow::Owned(place.post.into_owned()), kind: place.kind }
}

/// Reads tables of formulas into one.
fn read_formulas(paths: &[PathBuf]) -> Result<Option<FormulaTable>> {
    if paths.is_empty() {
        return Ok(None);
    }
    let mut table = FormulaTable::default();
    for path in paths {
        let left_out = table.read(Source::path(path))?;
        if left_out > 0 {
            let rows = if left_out == 1 { "row" } else { "rows" };
            crate::warn(&format!("{}: {left_out} {rows} without ids left out", path.display()));
        }
    }
    ensure!(table.num_formulas() > 0, "--formulas: there are no formulas in the tables");
    Ok(Some(table))
}
