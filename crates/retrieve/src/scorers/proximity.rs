//! Nearness: posts in which two different terms of a query stand near each other gain.
//!
//! ```text
//! weight · ( ln(offset + exp(−distance)) − ln(offset) )
//! ```
//!
//! with the least distance of two different terms, counted in words, a formula being one. approach0 has the
//! first logarithm alone. The second is the same for all posts and so changes no ranking: with it, a post
//! without two terms gains nothing, and neither do those that are not looked at because they come later.
//!
//! A post's own title and text are looked at. A formula is a term of the query if its tree is that of one.

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, ClueKind};
use crate::pipeline::stage::{LookedFor, OpenPostScorer, OpenPostSource, PostScorer};
use crate::query::Query;
use crate::sources::terms::chosen;
use index::{Document, Extractor, word_key};
use latex::Mode;
use post::{FormulaTexts, PostView};
use serde::Deserialize;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use store::{FormNo, Reader};
use text::{FORMULA, Kind, Stemmer, Tokenizer};

/// Scores posts by how near terms of the query stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct Proximity {
    /// The higher, the less nearness counts.
    offset: f64,
}

/// The settings as they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    offset: Option<f64>,
}

impl TryFrom<Written> for Proximity {
    type Error = &'static str;

    fn try_from(Written { offset }: Written) -> Result<Self, Self::Error> {
        match offset {
            None => Ok(Self::default()),
            Some(offset) if offset.is_finite() && offset > 0.0 => Ok(Self { offset }),
            Some(_) => Err("`offset` is a number above 0"),
        }
    }
}

impl Default for Proximity {
    fn default() -> Self {
        Self { offset: 0.3 }
    }
}

impl Proximity {
    /// With another offset, which is above 0.
    pub(crate) fn new(offset: f64) -> Self {
        Self { offset }
    }

    /// The score of the least distance of two terms.
    fn score(self, distance: Option<usize>) -> f64 {
        let nearness = distance.map_or(0.0, |distance| libm::exp(-(distance as f64)));
        libm::log(self.offset + nearness) - libm::log(self.offset)
    }
}

/// A term of a query where it stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    Word(u64),
    Formula(u64),
}

/// The terms of a query that may be near each other, and what posts are read with.
struct OpenProximity<'q> {
    engine: &'q Engine,
    proximity: Proximity,
    stemmer: Stemmer,
    words: BTreeSet<u64>,
    /// The trees of formulas, hashed.
    formulas: BTreeSet<u64>,
    /// A reader for each collection.
    readers: Vec<(u16, Reader<'q>)>,
    texts: FormulaTexts,
    /// Trees of formulas that were seen.
    trees: HashMap<(u16, FormNo), u64, foldhash::fast::FixedState>,
}

/// The least distance of two different terms among those met, which come in the order of their places.
fn least_distance(met: &[(usize, Met)]) -> Option<usize> {
    // Of two terms with a third between them, one differs from the third and is nearer to it.
    let neighbours = met.windows(2).filter(|pair| pair[0].1 != pair[1].1);
    neighbours.map(|pair| pair[1].0 - pair[0].0).min()
}

impl PostScorer for Proximity {
    /// What may be near each other: the words that sources look for, and formulas as they choose them.
    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        query: &'q Query,
        sources: &[Box<dyn OpenPostSource + 'q>],
        work: &mut Work,
    ) -> Result<Box<dyn OpenPostScorer + 'q>, Error> {
        let query = query.searched();
        let looked_for: Vec<LookedFor> = sources.iter().map(|source| source.looked_for()).collect();
        let choose = looked_for.iter().rev().find_map(|looked_for| looked_for.formulas);
        let words = looked_for.into_iter().find_map(|looked_for| looked_for.words);
        let (stemmer, words) = words.unwrap_or((Stemmer::None, BTreeSet::new()));
        let formulas = choose.map(|choose| chosen(query, choose, &mut work.extractor)).unwrap_or_default();
        let formulas = formulas.into_iter().flatten();
        let formulas = formulas.map(|latex| tree(latex, Mode::Query, &mut work.extractor)).collect();
        let readers = engine.index.sources().iter();
        Ok(Box::new(OpenProximity {
            engine,
            proximity: *self,
            stemmer,
            words,
            formulas,
            readers: readers.map(|source| (source.number, source.collection.reader())).collect(),
            trees: HashMap::default(),
            texts: FormulaTexts::default(),
        }))
    }
}

impl OpenPostScorer for OpenProximity<'_> {
    fn score(&mut self, documents: &[Document], work: &mut Work) -> Result<Vec<f64>, Error> {
        let mut scores = Vec::with_capacity(documents.len());
        for document in documents {
            if work.is_over() {
                break;
            }
            let distance = self.distance(*document, &mut work.extractor)?;
            scores.push(self.proximity.score(distance));
        }
        Ok(scores)
    }

    fn explain(&mut self, _: Document, score: f64, _: &mut Work) -> Result<Vec<Clue>, Error> {
        let (group, term) = ("nearness".to_owned(), "two terms near each other".to_owned());
        let clue = Clue { group, place: "post", term, kind: ClueKind::Remark, frequency: 1.0, score };
        Ok(Some(clue).filter(|clue| clue.score != 0.0).into_iter().collect())
    }
}

impl OpenProximity<'_> {
    /// The least distance of two different terms in a post.
    fn distance(&mut self, document: Document, extractor: &mut Extractor) -> Result<Option<usize>, Error> {
        let (source, post) = self.engine.index.post(document);
        let collection = &source.collection;
        let Self { readers, trees, texts, .. } = self;
        let reader = readers.iter_mut().find(|(number, _)| *number == source.number);
        let reader = &mut reader.expect("there is a reader for each collection").1;
        let PostView { title, body, .. } = PostView::read(reader, post)?;
        let (mut met, mut place) = (Vec::new(), 0);
        let (mut tokenizer, mut stem) = (Tokenizer::default(), String::new());
        for passage in title.iter().chain([&body]) {
            let mut forms = passage.forms(collection);
            for (number, piece) in passage.text.split(FORMULA).enumerate() {
                if number > 0 {
                    let form = forms.next().filter(|_| !self.formulas.is_empty());
                    if let Some(form) = form {
                        let tree = match trees.entry((source.number, form)) {
                            Entry::Occupied(known) => *known.get(),
                            Entry::Vacant(new) => {
                                let latex = texts.latex(reader, form)?;
                                *new.insert(tree(&latex, Mode::Document, extractor))
                            }
                        };
                        if self.formulas.contains(&tree) {
                            met.push((place, Met::Formula(tree)));
                        }
                    }
                    place += 1;
                }
                tokenizer.tokenize(piece, |word| {
                    if word.kind != Kind::Compound {
                        let key = word_key(self.stemmer.stem(word.term, &mut stem));
                        if self.words.contains(&key) {
                            met.push((place, Met::Word(key)));
                        }
                        place += 1;
                    }
                });
            }
        }
        Ok(least_distance(&met))
    }
}

/// The layout tree of a formula, hashed.
fn tree(latex: &str, mode: Mode, extractor: &mut Extractor) -> u64 {
    extractor.read(latex, mode);
    word_key(&extractor.slt().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dossiers_examples() {
        let near = Proximity::default();
        for (distance, expected) in [
            (Some(0), 0.262_364),
            (Some(1), -0.403_648),
            (Some(2), -0.831_639),
            (Some(10), -1.203_821),
            (None, libm::log(0.3)),
        ] {
            let found = near.score(distance) + libm::log(0.3);
            assert!((found - expected).abs() < 1e-6, "{distance:?}: {found}");
        }
    }

    #[test]
    fn the_least_distance_is_that_of_different_terms() {
        let check = |places: &[(usize, u64)], expected: Option<usize>| {
            let met: Vec<(usize, Met)> =
                places.iter().map(|(place, key)| (*place, Met::Word(*key))).collect();
            assert_eq!(least_distance(&met), expected, "{places:?}");
        };
        check(&[], None);
        check(&[(3, 1)], None);
        check(&[(3, 1), (4, 1), (9, 1)], None);
        check(&[(0, 1), (1, 1), (5, 2), (6, 2), (8, 1)], Some(2));
        check(&[(0, 1), (7, 2)], Some(7));
    }
}
