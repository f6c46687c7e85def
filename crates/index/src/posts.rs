//! The index of posts: a segment, opened.
//!
//! Documents of a segment are posts in the order of threads: a question, then
//! its answers. A segment is never changed; posts that are replaced or deleted
//! later are noted beside it.

mod build;

pub(crate) use build::{DocumentPlace, build};

use crate::error::Error;
use crate::features::FeatureKind;
use crate::fields::{Field, length_section};
use crate::postings::Postings;
use crate::stored::{Column, Stored, number_in};
use crate::top::{self, Space};
use frame::{Format, Frame, Opening};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;
use store::PostNo;
use text::{Stemmer, StopWords};

/// What a segment of posts begins and ends with.
pub(crate) const FORMAT: Format = Format { head: *b"hypatiaP", foot: *b"Paitapyh", version: 1 };
/// About how many documents are looked at together.
const WINDOW: u32 = 8192;

/// A segment of the index of posts.
#[derive(Debug)]
pub struct Posts {
    stored: Stored,
    /// Its fields, each with its place in the file.
    fields: Vec<(Field, usize)>,
    words: u64,
    windows: Vec<u32>,
    /// For each document its post, its collection, what it answers, and where its id stands in order.
    posts: Column,
    sources: Column,
    parents: Column,
    ranks: Column,
    porter: Range<usize>,
    english: Range<usize>,
}

/// What a segment says about itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct About {
    pub(crate) documents: u32,
    pub(crate) fields: Vec<String>,
    /// The words that the segment knows.
    pub(crate) words: u64,
}

impl Posts {
    pub(crate) fn open(path: &Path, opening: Opening) -> Result<Self, Error> {
        let (frame, about) = Stored::open::<About>(path, &FORMAT, opening)?;
        let stored = Stored::new(frame, about.documents, &about.fields)?;
        for (section, entry) in stored.frame().sections() {
            if section.starts_with("length.") && entry.range.len() != about.documents as usize * 2 {
                return Err(stored.damaged(&format!("the section {section} has a wrong length")));
            }
        }
        let stems = |stemmer: Stemmer| stored.frame().range(&stem_section(stemmer)).unwrap_or_default();
        let known = Field::all(&FeatureKind::OF_POSTS).into_iter();
        let fields = known.filter_map(|field| {
            let name = field.to_string();
            Some((field, about.fields.iter().position(|known| *known == name)?))
        });
        let mut posts = Self {
            fields: fields.collect(),
            words: about.words,
            windows: Vec::new(),
            posts: stored.column("doc.post", 4)?,
            sources: stored.column("doc.source", 2)?,
            parents: stored.column("doc.parent", 4)?,
            ranks: stored.column("doc.rank", 4)?,
            porter: stems(Stemmer::Porter),
            english: stems(Stemmer::English),
            stored,
        };
        posts.windows = top::windows(about.documents, WINDOW, |doc| posts.parent(doc));
        Ok(posts)
    }

    pub(crate) fn frame(&self) -> &Frame {
        self.stored.frame()
    }

    /// How many documents it has, those that are not valid any more included.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.stored.documents()
    }

    /// How many words it knows.
    #[must_use]
    pub fn words(&self) -> u64 {
        self.words
    }

    /// The lists of a field, if it is indexed.
    #[must_use]
    pub fn postings(&self, field: Field) -> Option<Postings<'_>> {
        let (_, place) = self.fields.iter().find(|(known, _)| *known == field)?;
        self.stored.lists(*place)
    }

    /// How long a field of each document is, without stop words.
    pub fn lengths(&self, field: Field, stop: StopWords) -> impl Iterator<Item = u16> {
        self.stored.lengths(&length_section(field, stop))
    }

    /// How long a field of a document is, without stop words.
    #[must_use]
    pub fn length(&self, field: Field, stop: StopWords, doc: u32) -> u16 {
        let lengths = self.frame().range(&length_section(field, stop)).unwrap_or_default();
        u16::from_le_bytes(self.frame().view(lengths).array(doc as usize * 2))
    }

    /// The documents, for a search.
    #[must_use]
    pub fn space(&self) -> Space<'_> {
        Space {
            documents: self.documents(),
            windows: &self.windows,
            parents: self.stored.bytes(&self.parents),
            ranks: self.stored.bytes(&self.ranks),
        }
    }

    /// Where the windows begin.
    #[must_use]
    pub fn windows(&self) -> &[u32] {
        &self.windows
    }

    /// The collection of a document, by its number in the index, and its post.
    #[must_use]
    pub fn place(&self, doc: u32) -> (u16, PostNo) {
        let source = self.stored.view(&self.sources).array(doc as usize * 2);
        let post = self.stored.view(&self.posts).array(doc as usize * 4);
        (u16::from_le_bytes(source), PostNo(u32::from_le_bytes(post)))
    }

    /// The document that a document answers, as the file says.
    pub(crate) fn given_parent(&self, doc: u32) -> Option<u32> {
        number_in(self.stored.view(&self.parents), doc).filter(|parent| *parent != u32::MAX)
    }

    /// The document that a document answers.
    #[must_use]
    pub fn parent(&self, doc: u32) -> Option<u32> {
        number_in(self.stored.view(&self.parents), doc).filter(|parent| *parent < self.documents())
    }

    /// The words whose stem is another word: the key of the stem and that of the word, in the order of both.
    pub fn stems(&self, stemmer: Stemmer) -> impl Iterator<Item = (u64, u64)> {
        let pairs = self.frame().at(self.stem_pairs(stemmer));
        let key = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        pairs.chunks_exact(16).map(move |pair| (key(&pair[..8]), key(&pair[8..])))
    }

    fn stem_pairs(&self, stemmer: Stemmer) -> Range<usize> {
        match stemmer {
            Stemmer::None => 0..0,
            Stemmer::Porter => self.porter.clone(),
            Stemmer::English => self.english.clone(),
        }
    }

    /// The keys of the words that have a stem, the stem itself aside.
    pub fn words_of_stem(&self, stemmer: Stemmer, stem: u64) -> impl Iterator<Item = u64> {
        let pairs = self.frame().view(self.stem_pairs(stemmer));
        let key = move |place: usize, half: usize| u64::from_le_bytes(pairs.array(place * 16 + half * 8));
        let len = pairs.len() / 16;
        let (mut low, mut high) = (0, len);
        while low < high {
            let middle = low.midpoint(high);
            if key(middle, 0) < stem { low = middle + 1 } else { high = middle }
        }
        (low..len).take_while(move |place| key(*place, 0) == stem).map(move |place| key(place, 1))
    }
}

/// The name of the section with the words that have another word as their stem.
fn stem_section(stemmer: Stemmer) -> String {
    format!("stems.{}", stemmer.name())
}
