//! Parts with one number for each post or formula, which count how often they compute one.

use crate::parts::{
    BuildFormulas, BuildPosts, Context, ListSection, NewFormulas, NewPosts, PartBuilder, PartFile,
    PartOutput, RowSection,
};
use crate::{Document, Error, Index, PartKind};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use store::{PostNo, Reader};
use xxhash_rust::xxh3::xxh3_64;

/// What a number is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Post,
    Question,
    Formula,
}

/// A part with one number for each document.
#[derive(Debug)]
pub(super) struct Numbers {
    pub(super) name: &'static str,
    pub(super) version: u32,
    pub(super) settings: &'static str,
    pub(super) from: From,
    computed: AtomicU32,
}

/// The section of the lists.
const LISTS: &str = "lists";
/// The section of the numbers.
pub(super) const SECTION: &str = "numbers";

/// A part of each kind.
pub(super) fn all() -> Vec<Numbers> {
    vec![
        Numbers::new("per-post", From::Post),
        Numbers::new("asked", From::Question),
        Numbers::new("looks", From::Formula),
    ]
}

/// Whether a file is one of these parts.
pub(super) fn is_part(name: &str) -> bool {
    ["per-post", "asked", "looks"].iter().any(|part| name.ends_with(part))
}

/// Kinds as an index takes them.
pub(super) fn kinds(numbers: &[Numbers]) -> Vec<&dyn PartKind> {
    numbers.iter().map(|kind| kind as &dyn PartKind).collect()
}

impl Numbers {
    pub(super) fn new(name: &'static str, from: From) -> Self {
        Self { name, version: 1, settings: "first", from, computed: AtomicU32::new(0) }
    }

    /// How often a number was computed since this was asked last.
    pub(super) fn computed(&self) -> u32 {
        self.computed.swap(0, Ordering::Relaxed)
    }

    /// Counts numbers as computed again.
    pub(super) fn note(&self, computed: u32) {
        self.computed.fetch_add(computed, Ordering::Relaxed);
    }

    /// The same kind, with a count of its own.
    pub(super) fn again(&self) -> Self {
        Self { computed: AtomicU32::new(0), ..*self }
    }

    fn number(&self, text: &str) -> f32 {
        let text = format!("{text} {} {}", self.version, self.settings);
        (xxh3_64(text.as_bytes()) >> 40) as f32
    }

    fn of_post(&self, reader: &mut Reader<'_>, post: PostNo, question: Option<&str>) -> f32 {
        let question = question.filter(|_| self.from == From::Question);
        self.number(&format!("{}{}", text(reader, post), question.unwrap_or_default()))
    }

    fn section(documents: u32) -> RowSection<'static> {
        RowSection { name: SECTION, documents, bytes: 4, batch: 8 }
    }

    /// The numbers that an index has, of posts by their ids and of formulas by their LaTeX and collection.
    /// They are as computed from what is in the index.
    pub(super) fn values(&self, index: &Index) -> BTreeMap<String, f32> {
        let mut values = BTreeMap::new();
        if self.from == From::Formula {
            for source in index.sources() {
                let file = source.part(self.name).unwrap();
                for doc in 0..source.formulas.documents() {
                    let latex = source.formulas.latex(doc);
                    assert_eq!(value(file, doc), self.number(latex));
                    values.insert(format!("{} {latex}", source.number), value(file, doc));
                }
            }
            return values;
        }
        for (number, segment) in index.segments().iter().enumerate() {
            let file = segment.part(self.name).unwrap();
            for doc in 0..segment.posts.documents() {
                let at = |doc: u32| index.post(Document { segment: number, doc });
                let question = segment.posts.parent(doc).map(at);
                let question = question.map(|(source, post)| text(&mut source.collection.reader(), post));
                let (source, post) = at(doc);
                let expected = self.of_post(&mut source.collection.reader(), post, question.as_deref());
                let id = source.collection.post_id(post).to_string();
                // Documents that are deleted have their numbers, too.
                assert_eq!(value(file, doc), expected, "{} of {id}", self.name);
                assert_eq!(file.list(LISTS, 4, doc).unwrap(), list(expected), "{} of {id}", self.name);
                if segment.is_live(doc) {
                    values.insert(id, value(file, doc));
                }
            }
        }
        values
    }
}

fn text(reader: &mut Reader<'_>, post: PostNo) -> String {
    let post = reader.post(post).unwrap();
    format!("{}{}", post.title.as_deref().unwrap_or_default(), post.body)
}

/// A number as often as it says, up to three times.
fn list(number: f32) -> Vec<u8> {
    number.to_le_bytes().repeat(number as usize % 4)
}

fn value(file: &PartFile, doc: u32) -> f32 {
    let row = file.row(SECTION, 4, doc).unwrap();
    assert_eq!(file.rows(SECTION, 4).unwrap().len(), file.about().documents as usize * 4);
    f32::from_le_bytes(row.try_into().unwrap())
}

impl PartKind for Numbers {
    fn name(&self) -> &str {
        self.name
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn settings(&self) -> String {
        self.settings.to_owned()
    }

    fn builder(&self) -> PartBuilder<'_> {
        match self.from {
            From::Post | From::Question => PartBuilder::Posts(self),
            From::Formula => PartBuilder::Formulas(self),
        }
    }
}

impl BuildPosts for Numbers {
    fn context(&self) -> Context {
        if self.from == From::Question { Context::Question } else { Context::Post }
    }

    fn build(&self, posts: &NewPosts<'_>, out: &mut PartOutput<'_>) -> Result<(), Error> {
        let old = |doc| posts.old(doc).and_then(|(file, doc)| file.row(SECTION, 4, doc));
        out.rows(Self::section(posts.documents()), old, || {
            let mut readers = posts.readers();
            move |docs: &[u32]| {
                let mut rows = Vec::new();
                for doc in docs {
                    self.computed.fetch_add(1, Ordering::Relaxed);
                    let question = posts.posts().parent(*doc).map(|question| {
                        let (reader, post) = readers.post(question);
                        text(reader, post)
                    });
                    let (reader, post) = readers.post(*doc);
                    rows.extend(self.of_post(reader, post, question.as_deref()).to_le_bytes());
                }
                Ok(rows)
            }
        })?;
        let section = ListSection { name: LISTS, documents: posts.documents(), bytes: 4, batch: 5 };
        let old = |doc| posts.old(doc).and_then(|(file, doc)| file.list(LISTS, 4, doc));
        out.lists(section, old, || {
            let mut readers = posts.readers();
            move |docs: &[u32]| {
                let mut lists = Vec::new();
                for doc in docs {
                    let question = posts.posts().parent(*doc).map(|question| {
                        let (reader, post) = readers.post(question);
                        text(reader, post)
                    });
                    let (reader, post) = readers.post(*doc);
                    lists.push(list(self.of_post(reader, post, question.as_deref())));
                }
                Ok(lists)
            }
        })
        .map(drop)
    }
}

impl BuildFormulas for Numbers {
    fn build(&self, formulas: &NewFormulas<'_>, out: &mut PartOutput<'_>) -> Result<(), Error> {
        let old = |doc| formulas.old(doc).and_then(|(file, doc)| file.row(SECTION, 4, doc));
        out.rows(Self::section(formulas.documents()), old, || {
            |docs: &[u32]| {
                self.computed.fetch_add(u32::try_from(docs.len()).unwrap(), Ordering::Relaxed);
                let number = |doc: &u32| self.number(formulas.formulas().latex(*doc)).to_le_bytes();
                Ok(docs.iter().flat_map(number).collect())
            }
        })
        .map(drop)
    }
}
