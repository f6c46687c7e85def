//! Sets of documents, as the index gives them.

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::sources::terms::answers;
use index::postings::Block;
use index::{Document, Field, Part, word_key};

/// So many blocks of postings are read between two looks at the clock.
pub(super) const BLOCKS: usize = 256;

/// A set of documents: a bit for each, by segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Documents(Vec<Vec<u64>>);

impl Documents {
    pub(super) fn none(engine: &Engine) -> Self {
        let segments = engine.index().segments().iter();
        Self(segments.map(|segment| vec![0; (segment.posts.documents() as usize).div_ceil(64)]).collect())
    }

    pub(super) fn insert(&mut self, Document { segment, doc }: Document) {
        self.0[segment][doc as usize / 64] |= 1 << (doc % 64);
    }

    pub(super) fn contains(&self, Document { segment, doc }: Document) -> bool {
        self.0[segment][doc as usize / 64] >> (doc % 64) & 1 == 1
    }

    /// The posts that have a folded word themselves or, if they are answers, in title or tags of their
    /// question.
    fn with_word(engine: &Engine, term: &str, parts: &[Part], work: &mut Work) -> Result<Self, Error> {
        let mut documents = Self::none(engine);
        let mut block = Block::default();
        for (number, segment) in engine.index().segments().iter().enumerate() {
            for part in parts {
                let postings = segment.posts.postings(Field::Words(*part));
                let Some(list) = postings.and_then(|postings| postings.find(word_key(term))) else {
                    continue;
                };
                for place in 0..list.num_blocks() {
                    if place.is_multiple_of(BLOCKS) && work.is_over() {
                        return Err(Error::Stopped);
                    }
                    list.unpack(place, &mut block);
                    for (doc, _) in block.postings() {
                        documents.insert(Document { segment: number, doc });
                        if *part == Part::Body {
                            continue;
                        }
                        for doc in answers(&segment.posts, doc) {
                            documents.insert(Document { segment: number, doc });
                        }
                    }
                }
            }
        }
        Ok(documents)
    }

    /// The posts that have all of these words; all posts if there are none.
    pub(super) fn with_words(
        engine: &Engine,
        words: impl IntoIterator<Item = String>,
        parts: &[Part],
        work: &mut Work,
    ) -> Result<Self, Error> {
        let mut all: Option<Self> = None;
        for word in words {
            let more = Self::with_word(engine, &word, parts, work)?;
            match &mut all {
                None => all = Some(more),
                Some(all) => {
                    for (bits, more) in all.0.iter_mut().flatten().zip(more.0.iter().flatten()) {
                        *bits &= more;
                    }
                }
            }
        }
        Ok(all.unwrap_or_else(|| {
            let mut every = Self::none(engine);
            every.0.iter_mut().flatten().for_each(|bits| *bits = u64::MAX);
            every
        }))
    }
}
