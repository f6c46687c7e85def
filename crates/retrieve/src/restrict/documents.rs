//! Sets of posts, as the index gives them.

use super::bits::{Bits, each_in};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::sources::terms::answers;
use index::{Document, Field, Part, word_key};

/// A set of posts, by segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Documents(Vec<Bits>);

impl Documents {
    pub(super) fn none(engine: &Engine) -> Self {
        let segments = engine.index().segments().iter();
        Self(segments.map(|segment| Bits::none(segment.posts.documents())).collect())
    }

    pub(super) fn insert(&mut self, Document { segment, doc }: Document) {
        self.0[segment].insert(doc);
    }

    pub(super) fn contains(&self, Document { segment, doc }: Document) -> bool {
        self.0[segment].contains(doc)
    }

    /// The posts that have a folded word themselves or, if they are answers, in title or tags of their
    /// question.
    fn with_word(engine: &Engine, term: &str, parts: &[Part], work: &mut Work) -> Result<Self, Error> {
        let mut documents = Self::none(engine);
        for (segment, bits) in engine.index().segments().iter().zip(&mut documents.0) {
            for part in parts {
                let postings = segment.posts.postings(Field::Words(*part));
                let Some(list) = postings.and_then(|postings| postings.find(word_key(term))) else {
                    continue;
                };
                each_in(list, work, |doc| {
                    bits.insert(doc);
                    if *part != Part::Body {
                        answers(&segment.posts, doc).for_each(|answer| bits.insert(answer));
                    }
                })?;
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
        let mut all = Self::none(engine);
        all.0.iter_mut().for_each(Bits::fill);
        for word in words {
            let more = Self::with_word(engine, &word, parts, work)?;
            all.0.iter_mut().zip(&more.0).for_each(|(bits, more)| bits.keep(more));
        }
        Ok(all)
    }
}
