//! Indexes made by a program.

use crate::error::Error;
use crate::open::Index;
use index::{Change, FeatureKind, Options};
use ingest::{Markup, Plan, Strictness};
use serde_json::{Map, Value, json};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A document to be indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its id; a document with the same id replaces it.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// Its title, in one line, with formulas between dollars; may be empty.
    pub title: String,
    /// Its text.
    pub body: String,
    /// How title and text are written.
    pub markup: Markup,
    /// Its tags.
    pub tags: Vec<String>,
    /// Votes for it less votes against it.
    pub votes: Option<i32>,
    /// When it was written: `2014-03-02` or `2014-03-02T09:15:00`.
    pub date: Option<String>,
}

/// What a document is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A page of its own.
    #[default]
    Document,
    /// A question.
    Question,
    /// An answer to the question with this id.
    Answer {
        /// The id.
        to: String,
    },
}

impl Document {
    /// A document in Markdown, without tags, votes and date.
    #[must_use]
    pub fn new(id: impl Into<String>, title: impl Into<String>, body: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            kind: Kind::Document,
            title: title.into(),
            body: body.into(),
            markup: Markup::Markdown,
            tags: Vec::new(),
            votes: None,
            date: None,
        }
    }

    /// It as a line that `ingest` reads.
    fn line(&self) -> String {
        let mut line = Map::new();
        let mut put = |name: &str, value: Value| line.insert(name.to_owned(), value);
        put("id", json!(self.id));
        match &self.kind {
            Kind::Document => put("kind", json!("document")),
            Kind::Question => put("kind", json!("question")),
            Kind::Answer { to } => {
                put("parent", json!(to));
                put("kind", json!("answer"))
            }
        };
        if !self.title.is_empty() {
            put("title", json!(self.title));
        }
        put("body", json!(self.body));
        put(
            "markup",
            json!(match self.markup {
                Markup::Html => "html",
                Markup::Markdown => "markdown",
                Markup::Latex => "latex",
                Markup::Text => "text",
            }),
        );
        put("tags", json!(self.tags));
        if let Some(votes) = self.votes {
            put("score", json!(votes));
        }
        if let Some(date) = &self.date {
            put("date", json!(date));
        }
        Value::Object(line).to_string()
    }
}

/// What an index is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// A collection that was made before.
    Collection(&'a Path),
    /// Files that `hypatia collection build` reads: a dump, JSON lines, pages; or a folder of them.
    Files(&'a Path),
}

impl Index {
    /// Makes an index of documents that a program has, and opens it. What is at the path stays as it is
    /// until the new index is whole. Of documents with the same id the first is taken.
    ///
    /// # Errors
    ///
    /// When something cannot be written.
    pub fn build(
        path: impl AsRef<Path>,
        documents: impl IntoIterator<Item = Document>,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        let workshop = Workshop::beside(path)?;
        let collection = workshop.collection_of(documents)?;
        build(path, &collection)
    }

    /// Makes an index of a collection or of files, and opens it.
    ///
    /// # Errors
    ///
    /// When something cannot be read or written, or nothing is there to be indexed.
    pub fn build_from(path: impl AsRef<Path>, source: Source<'_>) -> Result<Self, Error> {
        let path = path.as_ref();
        match source {
            Source::Collection(collection) => build(path, collection),
            Source::Files(files) => {
                let workshop = Workshop::beside(path)?;
                build(path, &workshop.collection(&Plan::of(files)?)?)
            }
        }
    }

    /// Adds documents to the index in its folder, replaces those that are known and takes others out, and
    /// opens the new state. This one stays as it was opened.
    ///
    /// ```
    /// # let folder = testkit::TempDir::new("hypatia-change");
    /// # use hypatia::{Document, Index};
    /// # let index = Index::build(folder.path().join("i"), [Document::new("a", "Old", "one"), Document::new("b", "Other", "two")])?;
    /// let changed = index.change([Document::new("a", "New", "three")], &["b".into()])?;
    /// assert_eq!((index.num_posts(), changed.num_posts()), (2, 1));
    /// assert_eq!(changed.post("a")?.expect("it was replaced").title, "New");
    /// # Ok::<(), hypatia::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When something cannot be written; then nothing has changed.
    pub fn change(
        &self,
        documents: impl IntoIterator<Item = Document>,
        delete: &[String],
    ) -> Result<Self, Error> {
        let mut documents = documents.into_iter().peekable();
        let workshop = Workshop::beside(self.path())?;
        let added = match documents.peek() {
            Some(_) => Some(workshop.collection_of(documents)?),
            None => None,
        };
        let change = Change { add: added.as_deref(), delete };
        let (index, _) = index::change(self.path(), change, &index::Unwatched)?;
        Ok(Self::of(index))
    }
}

/// What our own systems need.
fn build(path: &Path, collection: &Path) -> Result<Index, Error> {
    let options = Options {
        formula_features: vec![FeatureKind::Parts],
        post_features: vec![FeatureKind::Parts, FeatureKind::Paths],
    };
    Ok(Index::of(index::build(collection, path, &options, &index::Unwatched)?))
}

/// A folder beside an index, for what is needed on the way; it is gone in the end.
struct Workshop(PathBuf);

impl Workshop {
    fn beside(path: &Path) -> Result<Self, Error> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".making-{}-{number}", std::process::id()));
        let folder = path.with_file_name(name);
        fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        Ok(Self(folder))
    }

    /// A collection of documents.
    fn collection_of(&self, documents: impl IntoIterator<Item = Document>) -> Result<PathBuf, Error> {
        let path = self.0.join("documents.jsonl");
        let mut file = BufWriter::new(File::create(&path).map_err(Error::io(&path))?);
        for document in documents {
            writeln!(file, "{}", document.line()).map_err(Error::io(&path))?;
        }
        file.flush().map_err(Error::io(&path))?;
        // Names may look like numbers.
        self.collection(&Plan::of(&path)?.with_names())
    }

    /// A collection of files.
    fn collection(&self, plan: &Plan) -> Result<PathBuf, Error> {
        let target = self.0.join("documents.coll");
        let done = AtomicU64::new(0);
        ingest::build(plan, &target, Strictness::Lenient, &done, &mut ingest::Unwatched)?;
        Ok(target)
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // What cannot be removed is in nobody's way.
        fs::remove_dir_all(&self.0).ok();
    }
}
