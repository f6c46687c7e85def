//! An index, opened: collections, the formulas of each, and segments of posts.

use crate::error::Error;
use crate::features::FeatureKind;
use crate::formulas::Formulas;
use crate::manifest::{FileNote, Manifest};
use crate::parts::{Over, PartFile, PartLabel, open_parts};
use crate::posts::Posts;
use crate::stored::number;
use frame::{Format, Frame, FrameWriter, Opening};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use store::{Collection, PostNo};

/// What a list of documents that are not valid any more begins and ends with.
const DEAD: Format = Format { head: *b"hypatiaD", foot: *b"Daitapyh", version: 1 };
/// How often an index that is changed while it is opened is opened again.
const TRIES: u32 = 20;

/// An index that was opened: a state that does not change, whatever is written to the folder later.
#[derive(Debug)]
pub struct Index {
    path: PathBuf,
    manifest: Manifest,
    sources: Vec<Source>,
    segments: Vec<Segment>,
    places: OnceLock<Vec<Vec<Place>>>,
}

/// A collection of an index.
#[derive(Debug)]
pub struct Source {
    /// Its number, which documents of segments name.
    pub number: u16,
    /// The collection.
    pub collection: Collection,
    /// Its formulas.
    pub formulas: Formulas,
    parts: Vec<PartFile>,
}

impl Source {
    /// The file of a part over formulas, if the index has a part of this name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&PartFile> {
        find(&self.parts, name)
    }
}

fn find<'p>(parts: &'p [PartFile], name: &str) -> Option<&'p PartFile> {
    parts.iter().find(|part| part.about().label.name == name)
}

/// A segment of an index.
#[derive(Debug)]
pub struct Segment {
    /// The posts.
    pub posts: Posts,
    /// A bit for each document, set if it is not valid any more; empty if all are.
    dead: Vec<u64>,
    num_dead: u32,
    parts: Vec<PartFile>,
}

impl Segment {
    /// The file of a part over posts, if the index has a part of this name. It has values for all documents,
    /// also for those that are not valid any more.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&PartFile> {
        find(&self.parts, name)
    }

    /// Whether a document is valid: neither replaced nor deleted.
    #[inline]
    #[must_use]
    pub fn is_live(&self, doc: u32) -> bool {
        self.dead.is_empty() || self.dead[doc as usize / 64] >> (doc % 64) & 1 == 0
    }

    /// How many documents are valid.
    #[must_use]
    pub fn live(&self) -> u32 {
        self.posts.documents() - self.num_dead
    }

    pub(crate) fn dead(&self) -> BTreeSet<u32> {
        (0..self.posts.documents()).filter(|doc| !self.is_live(*doc)).collect()
    }
}

/// Where the document of a post is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// The segment, counted from 0; `u16::MAX` if the post is not valid any more.
    segment: u16,
    doc: u32,
}

/// The document of a post: a segment of the index, counted from 0, and a number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Document {
    /// The segment.
    pub segment: usize,
    /// The number.
    pub doc: u32,
}

impl Index {
    /// Opens an index. Files of up to 64 MB are read whole.
    ///
    /// # Errors
    ///
    /// When there is none, or it is damaged. Larger files are compared with their checksums piece by
    /// piece, as they are used: see [`Index::sound`]. [`Index::check`] reads all.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::open_as(path, Opening::USUAL)
    }

    /// Opens an index, and reads its files whole up to a size of choice.
    ///
    /// # Errors
    ///
    /// As for [`Index::open`].
    pub fn open_as(path: &Path, opening: Opening) -> Result<Self, Error> {
        let mut manifest = Manifest::read(path)?;
        for _ in 1..TRIES {
            let opened = Self::open_state(path, manifest.clone(), opening);
            if opened.is_ok() {
                return opened;
            }
            // Files of an old state are removed as soon as there is a new one.
            let now = Manifest::read(path)?;
            if now == manifest {
                return opened;
            }
            manifest = now;
        }
        Self::open_state(path, manifest, opening)
    }

    /// Opens an index and reads all of it, whatever its size: what is made of it is made of what was written.
    ///
    /// # Errors
    ///
    /// As for [`Index::open`] and [`Index::check`].
    pub fn open_whole(path: &Path) -> Result<Self, Error> {
        let index = Self::open(path)?;
        index.check()?;
        Ok(index)
    }

    fn open_state(path: &Path, manifest: Manifest, opening: Opening) -> Result<Self, Error> {
        let mut sources = Vec::new();
        for source in &manifest.collections {
            let file = path.join(&source.collection.file);
            let collection =
                Collection::open_as(&file, opening).map_err(|error| lost(&file, error.into()))?;
            agree(path, &source.collection, collection.fingerprint())?;
            let file = path.join(&source.formulas.file);
            let formulas = Formulas::open(&file, opening).map_err(|error| lost(&file, error))?;
            agree(path, &source.formulas, formulas.frame().fingerprint())?;
            let notes = (Over::Formulas, &source.parts[..]);
            let parts = open_parts(path, &manifest, notes, formulas.documents(), opening)?;
            sources.push(Source { number: source.number, collection, formulas, parts });
        }
        let mut segments = Vec::new();
        for segment in &manifest.segments {
            let file = path.join(&segment.posts.file);
            let posts = Posts::open(&file, opening).map_err(|error| lost(&file, error))?;
            agree(path, &segment.posts, posts.frame().fingerprint())?;
            let (mut dead, mut num_dead) = (Vec::new(), 0);
            if let Some(note) = &segment.dead {
                let file = path.join(&note.file);
                let frame = Frame::open(&file, &DEAD).map_err(|error| lost(&file, error.into()))?;
                agree(path, note, frame.fingerprint())?;
                frame.check()?;
                dead.resize((posts.documents() as usize).div_ceil(64), 0_u64);
                let numbers = frame.bytes("dead");
                for place in 0..u32::try_from(numbers.len() / 4).unwrap_or(u32::MAX) {
                    let doc = number(numbers, place).filter(|doc| *doc < posts.documents());
                    let doc = doc.ok_or_else(|| frame.damaged("it names a document that does not exist"))?;
                    let (word, bit) = (&mut dead[doc as usize / 64], 1 << (doc % 64));
                    num_dead += u32::from(*word & bit == 0);
                    *word |= bit;
                }
            }
            let notes = (Over::Posts, &segment.parts[..]);
            let parts = open_parts(path, &manifest, notes, posts.documents(), opening)?;
            segments.push(Segment { posts, dead, num_dead, parts });
        }
        let index = Self { path: path.to_owned(), manifest, sources, segments, places: OnceLock::new() };
        let places = index.check_places();
        index.sound()?;
        places?;
        Ok(index)
    }

    /// Its files.
    fn frames(&self) -> impl Iterator<Item = &Frame> {
        let sources = self.sources.iter();
        let sources = sources.flat_map(|source| [source.collection.frame(), source.formulas.frame()]);
        let segments = self.segments.iter().map(|segment| segment.posts.frame());
        sources.chain(segments).chain(self.part_files().map(PartFile::frame))
    }

    /// Whether all that was read of it so far is as it was written, and its files are as long as they were.
    ///
    /// Reading never fails: a damaged piece reads as nothing. So whoever has read something asks here before
    /// showing it to anyone. An index of which no damage was found never gives anything wrong.
    ///
    /// # Errors
    ///
    /// When something is not as it was written; the error names file and section.
    pub fn sound(&self) -> Result<(), Error> {
        Ok(self.frames().try_for_each(Frame::sound)?)
    }

    /// How many sections were found to be damaged so far.
    #[must_use]
    pub fn num_damaged(&self) -> usize {
        self.frames().map(Frame::num_damaged).sum()
    }

    /// As [`Index::check`], piece by piece, so that it can be done beside searches. `each` is told how many
    /// bytes were read since the last call, and says whether to go on.
    ///
    /// # Errors
    ///
    /// When something is not as it was written. All files are read in any case; the error is the first one.
    pub fn check_slowly(&self, mut each: impl FnMut(u64) -> bool) -> Result<(), Error> {
        let mut outcome = Ok(());
        for frame in self.frames() {
            outcome = outcome.and(frame.check_slowly(&mut each));
        }
        Ok(outcome?)
    }

    /// Documents lead to posts and visual ids that exist, and answers follow their question.
    fn check_places(&self) -> Result<(), Error> {
        for source in &self.sources {
            let (formulas, visuals) = (&source.formulas, source.collection.num_visuals());
            if (0..formulas.documents()).any(|doc| formulas.visual(doc).0 >= visuals) {
                return Err(formulas.frame().damaged("a document leads to no visual id").into());
            }
        }
        for segment in &self.segments {
            let damaged = || segment.posts.frame().damaged("a document leads to no post");
            let mut question = None;
            for doc in 0..segment.posts.documents() {
                match segment.posts.given_parent(doc) {
                    None => question = Some(doc),
                    Some(parent) if question.is_some_and(|question| (question..doc).contains(&parent)) => {}
                    Some(_) => {
                        let what = "a document answers one that is not before it in its thread";
                        return Err(segment.posts.frame().damaged(what).into());
                    }
                }
                let (source, post) = segment.posts.place(doc);
                let collection = self.source(source).map(|source| &source.collection);
                let collection = collection.ok_or_else(damaged)?;
                if post.0 >= collection.num_posts() {
                    return Err(damaged().into());
                }
            }
        }
        Ok(())
    }

    /// Reads all files and compares checksums.
    ///
    /// # Errors
    ///
    /// When one is not as it was written.
    pub fn check(&self) -> Result<(), Error> {
        Ok(self.frames().try_for_each(Frame::check)?)
    }

    /// Reads the files of parts and compares checksums.
    pub(crate) fn check_parts(&self) -> Result<(), Error> {
        self.part_files().try_for_each(PartFile::check)
    }

    fn part_files(&self) -> impl Iterator<Item = &PartFile> {
        let sources = self.sources.iter().flat_map(|source| &source.parts);
        sources.chain(self.segments.iter().flat_map(|segment| &segment.parts))
    }

    /// Its parts of other kinds, in the order of their names.
    #[must_use]
    pub fn parts(&self) -> &[PartLabel] {
        &self.manifest.parts
    }

    /// The size of the files of its parts in bytes.
    #[must_use]
    pub fn parts_size(&self) -> u64 {
        self.part_files().map(PartFile::size).sum()
    }

    /// Where it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// How often it was changed.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.manifest.generation
    }

    /// A number that is another one when anything in it is.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.manifest.fingerprint()
    }

    /// What [`Index::fingerprint`] and [`Index::generation`] of an index would be, without opening it.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn state_at(path: &Path) -> Result<(u64, u64), Error> {
        let manifest = Manifest::read(path)?;
        Ok((manifest.fingerprint(), manifest.generation))
    }

    /// The kinds of features that formulas are found by.
    #[must_use]
    pub fn formula_features(&self) -> Vec<FeatureKind> {
        self.manifest.formula_features.iter().filter_map(|name| name.parse().ok()).collect()
    }

    /// The kinds of features that posts are found by.
    #[must_use]
    pub fn post_features(&self) -> Vec<FeatureKind> {
        self.manifest.post_features.iter().filter_map(|name| name.parse().ok()).collect()
    }

    /// Its collections.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// A collection by its number.
    #[must_use]
    pub fn source(&self, number: u16) -> Option<&Source> {
        self.sources.iter().find(|source| source.number == number)
    }

    /// Its segments of posts.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// How many posts are valid.
    #[must_use]
    pub fn num_posts(&self) -> u32 {
        self.segments.iter().map(Segment::live).sum()
    }

    /// The bytes that its files take on disk.
    #[must_use]
    pub fn size(&self) -> u64 {
        let sources =
            self.sources.iter().map(|source| source.collection.size() + source.formulas.frame().size());
        let segments = self.segments.iter().map(|segment| segment.posts.frame().size());
        sources.chain(segments).sum::<u64>() + self.parts_size()
    }

    /// The bytes that the indexes of formulas take on disk.
    #[must_use]
    pub fn formulas_size(&self) -> u64 {
        self.sources.iter().map(|source| source.formulas.frame().size()).sum()
    }

    /// The collection and the post of a document.
    #[must_use]
    pub fn post(&self, document: Document) -> (&Source, PostNo) {
        let (source, post) = self.segments[document.segment].posts.place(document.doc);
        (self.source(source).expect("looked at when it was opened"), post)
    }

    /// The document of a post of the collection with this place among [`Index::sources`], if the post is valid.
    #[must_use]
    pub fn document(&self, source: usize, post: PostNo) -> Option<Document> {
        let places = self.places.get_or_init(|| self.find_places());
        let Place { segment, doc } = places[source][post.index()];
        (segment != u16::MAX).then_some(Document { segment: usize::from(segment), doc })
    }

    fn find_places(&self) -> Vec<Vec<Place>> {
        let none = Place { segment: u16::MAX, doc: 0 };
        let posts = |source: &Source| vec![none; source.collection.num_posts() as usize];
        let mut places: Vec<Vec<Place>> = self.sources.iter().map(posts).collect();
        for (number, segment) in (0_u16..).zip(&self.segments) {
            for doc in (0..segment.posts.documents()).filter(|doc| segment.is_live(*doc)) {
                let (source, post) = segment.posts.place(doc);
                let source = self.sources.iter().position(|known| known.number == source);
                places[source.expect("looked at when it was opened")][post.index()] =
                    Place { segment: number, doc };
            }
        }
        places
    }

    /// The document of the post with an id, if there is one.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<Document> {
        let found = |(place, source): (usize, &Source)| {
            source.collection.find_post(id).and_then(|post| self.document(place, post))
        };
        self.sources.iter().enumerate().rev().find_map(found)
    }
}

/// Why a file that the manifest names cannot be opened: if it is gone or something else, that is damage.
pub(crate) fn lost(file: &Path, error: Error) -> Error {
    let what = match &error {
        Error::Io { cause, .. } | Error::Collection(store::Error::Io { cause, .. })
            if cause.kind() == std::io::ErrorKind::NotFound =>
        {
            "it is missing".to_owned()
        }
        Error::NotAnIndex(_) | Error::Collection(store::Error::NotACollection(_)) => {
            "its first bytes are wrong".to_owned()
        }
        Error::Version { found, known, .. }
        | Error::Collection(store::Error::Version { found, known, .. }) => {
            format!("its beginning says format {found} instead of {known}")
        }
        Error::Collection(store::Error::Damaged { what, .. }) => what.clone(),
        _ => return error,
    };
    Error::Damaged { file: file.to_owned(), what }
}

/// A file is the one that the manifest means.
pub(crate) fn agree(folder: &Path, note: &FileNote, fingerprint: u64) -> Result<(), Error> {
    if note.fingerprint == format!("{fingerprint:016x}") {
        return Ok(());
    }
    let what = "it is not the file that the index was built with".to_owned();
    Err(Error::Damaged { file: folder.join(&note.file), what })
}

/// Writes a list of documents that are not valid any more.
pub(crate) fn write_dead(path: &Path, dead: &BTreeSet<u32>) -> Result<u64, Error> {
    let mut file = FrameWriter::create(path, DEAD)?;
    file.numbers("dead", &dead.iter().copied().collect::<Vec<_>>())?;
    Ok(file.finish()?)
}
