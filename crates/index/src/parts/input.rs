//! What a part is built from: a new segment or collection, and old values that are still valid.

use super::{Context, PartFile, PartLabel};
use crate::error::Error;
use crate::formulas::Formulas;
use crate::index::{Document, Index};
use crate::posts::Posts;
use store::{Collection, PostNo, Reader};

/// A post: the number of its collection in the index, and its number there.
type Place = (u16, PostNo);

/// The documents of a segment for which a part is built.
#[derive(Debug)]
pub struct NewPosts<'a> {
    posts: &'a Posts,
    collections: &'a [(u16, Collection)],
    context: Context,
    old: Option<OldPosts<'a>>,
}

/// The index before the change.
#[derive(Debug)]
struct OldPosts<'a> {
    index: &'a Index,
    /// The files of the part by segment; none if the part had other settings then.
    files: Vec<Option<&'a PartFile>>,
    /// For each new collection, the places of old ones with the same content.
    twins: Vec<(u16, Vec<usize>)>,
}

impl<'a> NewPosts<'a> {
    /// Old files that values are copied from are compared with their checksums, so that damage is not
    /// copied into a file whose checksums are right.
    pub(crate) fn new(
        posts: &'a Posts,
        collections: &'a [(u16, Collection)],
        (label, context): (&PartLabel, Context),
        old: Option<&'a Index>,
    ) -> Result<Self, Error> {
        let old = old.map(|index| {
            let file = |file: &&PartFile| file.about().label == *label;
            let files: Vec<_> =
                index.segments().iter().map(|segment| segment.part(&label.name).filter(file)).collect();
            let twins = collections.iter().map(|(number, new)| (*number, twins(index, new))).collect();
            OldPosts { index, files, twins }
        });
        let old = old.filter(|old| old.files.iter().any(Option::is_some));
        let new = Self { posts, collections, context, old };
        let mut used = vec![false; new.old.as_ref().map_or(0, |old| old.files.len())];
        for document in (0..new.documents()).filter_map(|doc| new.old_document(doc)) {
            used[document.segment] = true;
        }
        let files = new.old.iter().flat_map(|old| &old.files);
        for (file, _) in files.zip(used).filter(|(_, used)| *used) {
            file.map_or(Ok(()), PartFile::check)?;
        }
        Ok(new)
    }

    /// The number of documents.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.posts.documents()
    }

    /// The segment: which document answers which, and all posting lists.
    #[must_use]
    pub fn posts(&self) -> &'a Posts {
        self.posts
    }

    /// The collection of a document, and its post there.
    #[must_use]
    pub fn post(&self, doc: u32) -> (&'a Collection, PostNo) {
        let (number, post) = self.posts.place(doc);
        (self.collection(number), post)
    }

    /// Readers of all collections, for one thread.
    #[must_use]
    pub fn readers(&self) -> PostReaders<'a> {
        let readers = self.collections.iter().map(|(number, collection)| (*number, collection.reader()));
        PostReaders { posts: self.posts, readers: readers.collect() }
    }

    /// Where the value of a document is in the index before the change: a file of this part with the same
    /// version and settings, and a document there. There is none if the post or its [`Context`] is new.
    #[must_use]
    pub fn old(&self, doc: u32) -> Option<(&'a PartFile, u32)> {
        let document = self.old_document(doc)?;
        let file = self.old.as_ref()?.files[document.segment]?;
        Some((file, document.doc))
    }

    fn old_document(&self, doc: u32) -> Option<Document> {
        let old = self.old.as_ref()?;
        let (number, post) = self.posts.place(doc);
        let twins = &old.twins.iter().find(|(known, _)| *known == number)?.1;
        let document = twins.iter().find_map(|source| old.index.document(*source, post))?;
        let before = &old.index.segments()[document.segment].posts;
        let question = |posts: &Posts, doc| posts.parent(doc).map(|parent| posts.place(parent));
        let valid = match (self.context, question(before, document.doc), question(self.posts, doc)) {
            (Context::Post, _, _) | (Context::Question, None, None) => true,
            (Context::Question, Some(was), Some(is)) => self.is_same(old.index, was, is),
            (Context::Question, _, _) => false,
        };
        valid.then_some(document)
    }

    /// Whether a post of the old index is a post of the new segment.
    fn is_same(&self, index: &Index, was: Place, is: Place) -> bool {
        let source = index.source(was.0);
        let same = |old: &Collection| old.fingerprint() == self.collection(is.0).fingerprint();
        was.1 == is.1 && source.is_some_and(|source| same(&source.collection))
    }

    fn collection(&self, number: u16) -> &'a Collection {
        let found = self.collections.iter().find(|(known, _)| *known == number);
        &found.expect("documents come from collections of the index").1
    }
}

/// The places of collections of an index that hold what a collection holds.
fn twins(index: &Index, collection: &Collection) -> Vec<usize> {
    let same = |place: &usize| index.sources()[*place].collection.fingerprint() == collection.fingerprint();
    (0..index.sources().len()).filter(same).collect()
}

/// Reads the posts of a segment.
#[derive(Debug)]
pub struct PostReaders<'a> {
    posts: &'a Posts,
    readers: Vec<(u16, Reader<'a>)>,
}

impl<'a> PostReaders<'a> {
    /// The reader of a document's collection, and its post there.
    pub fn post(&mut self, doc: u32) -> (&mut Reader<'a>, PostNo) {
        let (number, post) = self.posts.place(doc);
        let found = self.readers.iter_mut().find(|(known, _)| *known == number);
        (&mut found.expect("documents come from collections of the index").1, post)
    }
}

/// The formulas of a collection for which a part is built.
#[derive(Debug)]
pub struct NewFormulas<'a> {
    collection: &'a Collection,
    formulas: &'a Formulas,
    old: Option<(&'a Formulas, &'a PartFile)>,
}

impl<'a> NewFormulas<'a> {
    pub(crate) fn new(
        collection: &'a Collection,
        formulas: &'a Formulas,
        label: &PartLabel,
        old: Option<&'a Index>,
    ) -> Result<Self, Error> {
        let old = old.and_then(|index| {
            let sources = twins(index, collection).into_iter().map(|place| &index.sources()[place]);
            let with_file = |source: &'a crate::Source| {
                let file = source.part(&label.name).filter(|file| file.about().label == *label);
                file.map(|file| (&source.formulas, file))
            };
            sources.filter_map(with_file).next()
        });
        old.map_or(Ok(()), |(_, file)| file.check())?;
        Ok(Self { collection, formulas, old })
    }

    /// The number of formulas.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.formulas.documents()
    }

    /// The collection.
    #[must_use]
    pub fn collection(&self) -> &'a Collection {
        self.collection
    }

    /// Its formulas: LaTeX, visual ids, and all posting lists.
    #[must_use]
    pub fn formulas(&self) -> &'a Formulas {
        self.formulas
    }

    /// Where the value of a formula is in the index before the change, as [`NewPosts::old`] says it of posts.
    /// Files of collections that stay are kept, so there is one only if the same collection is indexed again.
    #[must_use]
    pub fn old(&self, doc: u32) -> Option<(&'a PartFile, u32)> {
        let (formulas, file) = self.old?;
        formulas.document(self.formulas.visual(doc)).map(|doc| (file, doc))
    }
}
