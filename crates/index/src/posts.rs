//! The index of posts: a segment, opened.
//!
//! Documents of a segment are posts in the order of threads: a question, then
//! its answers. A segment is never changed; posts that are replaced or deleted
//! later are noted beside it.

mod build;

pub(crate) use build::{DocumentPlace, build, form_latex};

use crate::error::Error;
use crate::fields::{Field, length_section};
use crate::postings::Postings;
use crate::top::{self, Space};
use frame::{Format, Frame};
use serde::{Deserialize, Serialize};
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
    frame: Frame,
    about: About,
    windows: Vec<u32>,
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
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let frame = Frame::open(path, &FORMAT)?;
        let about: About = serde_json::from_slice(frame.bytes("about"))
            .map_err(|error| frame.damaged(&format!("it does not say what is in it ({error})")))?;
        let documents = about.documents as usize;
        for (section, size) in [("doc.post", 4), ("doc.source", 2), ("doc.parent", 4), ("doc.rank", 4)] {
            if frame.bytes(section).len() != documents * size {
                return Err(frame.damaged(&format!("the section {section} has a wrong length")).into());
            }
        }
        for (section, entry) in frame.sections() {
            if section.starts_with("length.") && entry.range.len() != documents * 2 {
                return Err(frame.damaged(&format!("the section {section} has a wrong length")).into());
            }
        }
        let parents = frame.bytes("doc.parent");
        let parent = |doc: u32| number(parents, doc).filter(|parent| *parent != u32::MAX);
        let windows = top::windows(about.documents, WINDOW, parent);
        let posts = Self { frame, about, windows };
        for field in &posts.about.fields {
            if posts.lists(field).is_none() {
                return Err(posts.frame.damaged(&format!("the lists of {field} do not fit together")).into());
            }
        }
        Ok(posts)
    }

    /// Reads all of it and compares checksums.
    pub(crate) fn check(&self) -> Result<(), Error> {
        Ok(self.frame.check()?)
    }

    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// How many documents it has, those that are not valid any more included.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.about.documents
    }

    /// How many words it knows.
    #[must_use]
    pub fn words(&self) -> u64 {
        self.about.words
    }

    fn lists(&self, field: &str) -> Option<Postings<'_>> {
        let section = |part: &str| self.frame.bytes(&format!("{field}.{part}"));
        Postings::new(section("keys"), section("ends"), section("lists"), self.documents())
    }

    /// The lists of a field, if it is indexed.
    #[must_use]
    pub fn postings(&self, field: Field) -> Option<Postings<'_>> {
        let name = field.to_string();
        if self.about.fields.contains(&name) { self.lists(&name) } else { None }
    }

    /// The bytes that lists and keys of a field take.
    #[must_use]
    pub fn size_of(&self, field: Field) -> u64 {
        let parts = ["keys", "ends", "lists"];
        parts.iter().map(|part| self.frame.bytes(&format!("{field}.{part}")).len() as u64).sum()
    }

    /// How long a field of each document is, without stop words.
    pub fn lengths(&self, field: Field, stop: StopWords) -> impl Iterator<Item = u16> {
        let bytes = self.frame.bytes(&length_section(field, stop));
        bytes.chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    /// The documents, for a search.
    #[must_use]
    pub fn space(&self) -> Space<'_> {
        Space {
            documents: self.documents(),
            windows: &self.windows,
            parents: self.frame.bytes("doc.parent"),
            ranks: self.frame.bytes("doc.rank"),
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
        let at = doc as usize * 2;
        let source = &self.frame.bytes("doc.source")[at..at + 2];
        let post = number(self.frame.bytes("doc.post"), doc).expect("there is such a document");
        (u16::from_le_bytes([source[0], source[1]]), PostNo(post))
    }

    /// The document that a document answers.
    #[must_use]
    pub fn parent(&self, doc: u32) -> Option<u32> {
        number(self.frame.bytes("doc.parent"), doc).filter(|parent| *parent != u32::MAX)
    }

    /// The keys of the words that have a stem, the stem itself aside.
    pub fn words_of_stem(&self, stemmer: Stemmer, stem: u64) -> impl Iterator<Item = u64> {
        let pairs = match stemmer {
            Stemmer::None => &[],
            Stemmer::Porter | Stemmer::English => self.frame.bytes(&format!("stems.{}", stemmer.name())),
        };
        let key = |place: usize, half: usize| {
            let at = place * 16 + half * 8;
            u64::from_le_bytes(pairs[at..at + 8].try_into().expect("eight bytes"))
        };
        let len = pairs.len() / 16;
        let (mut low, mut high) = (0, len);
        while low < high {
            let middle = low.midpoint(high);
            if key(middle, 0) < stem { low = middle + 1 } else { high = middle }
        }
        (low..len).take_while(move |place| key(*place, 0) == stem).map(move |place| key(place, 1))
    }
}

pub(crate) fn number(numbers: &[u8], place: u32) -> Option<u32> {
    let bytes = numbers.get(place as usize * 4..place as usize * 4 + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
}
