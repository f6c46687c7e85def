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

use super::GroupQuery;
use super::clauses::{Term, TermKind};
use super::terms::chosen;
use crate::engine::{Engine, Memory};
use crate::error::Error;
use crate::hits::{Clue, Hit};
use crate::query::Query;
use crate::system::{Part, PostStage, Proximity, Terms};
use collection::{DocId, order};
use index::{Document, word_key};
use latex::Mode;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use store::{FormNo, FormulaNo, Reader};
use text::{Cutter, FORMULA, Kind, Stemmer};

/// A term of a query where it stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    Word(u64),
    Formula(u64),
}

/// The terms of a query that may be near each other.
pub(super) struct Sought {
    near: Proximity,
    stemmer: Stemmer,
    words: BTreeSet<u64>,
    /// The trees of formulas, hashed.
    formulas: BTreeSet<u64>,
}

/// What posts are read with: a reader for each collection, and trees of formulas that were seen.
struct Reading<'e> {
    readers: Vec<(u16, Reader<'e>)>,
    trees: HashMap<(u16, FormNo), u64, foldhash::fast::FixedState>,
}

/// What the least distance of two terms is worth.
fn worth(near: Proximity, distance: Option<usize>) -> f64 {
    let nearness = distance.map_or(0.0, |distance| libm::exp(-(distance as f64)));
    near.weight * (libm::log(near.offset + nearness) - libm::log(near.offset))
}

/// The least distance of two different terms among those met, which come in the order of their places.
fn least_distance(met: &[(usize, Met)]) -> Option<usize> {
    // Of two terms with a third between them, one differs from the third and is nearer to it.
    let neighbours = met.windows(2).filter(|pair| pair[0].1 != pair[1].1);
    neighbours.map(|pair| pair[1].0 - pair[0].0).min()
}

impl Engine {
    /// What may be near each other: the words of the first part that looks for words, and formulas as they
    /// are chosen to be looked for.
    pub(super) fn sought(
        &self,
        stage: &PostStage,
        near: Proximity,
        groups: &[GroupQuery<'_, '_>],
        query: &Query,
        memory: &mut Memory,
    ) -> Sought {
        let parts = || {
            stage.groups.iter().zip(groups).flat_map(|(group, ready)| group.parts.iter().zip(&ready.parts))
        };
        let with_words = parts().find(|(part, _)| part.terms.contains(&Terms::Words));
        let keys = |terms: &[Term]| -> BTreeSet<u64> {
            terms.iter().filter(|term| term.kind == TermKind::Word).map(|term| term.key).collect()
        };
        let choose = stage.by_formulas.map(|by| by.choose).or_else(|| {
            let with_formulas = |part: &Part| part.terms.iter().any(|terms| matches!(terms, Terms::Math(_)));
            parts().find(|(part, _)| with_formulas(part)).map(|(part, _)| part.formulas)
        });
        let formulas = choose.map(|choose| chosen(query, choose, &mut memory.extractor)).unwrap_or_default();
        let formulas = formulas.into_iter().flatten().map(|latex| tree(latex, Mode::Query, memory)).collect();
        Sought {
            near,
            stemmer: with_words.map_or(Stemmer::None, |(part, _)| part.stem),
            words: with_words.map(|(_, ready)| keys(&ready.terms)).unwrap_or_default(),
            formulas,
        }
    }

    /// Adds what nearness is worth to the first, and ranks them anew; the others stay below.
    pub(super) fn bring_near(
        &self,
        sought: &Sought,
        hits: &mut [Hit],
        memory: &mut Memory,
    ) -> Result<(), Error> {
        let depth = sought.near.depth.min(hits.len());
        let mut reading = self.reading();
        for hit in &mut hits[..depth] {
            hit.score += self.nearness(sought, hit.document, &mut reading, memory)?;
        }
        hits[..depth].sort_by(|left, right| {
            order::compare((left.score, DocId(&left.id)), (right.score, DocId(&right.id)))
        });
        Ok(())
    }

    /// What nearness is worth to a post, as a clue.
    pub(super) fn near_clue(
        &self,
        sought: &Sought,
        document: Document,
        memory: &mut Memory,
    ) -> Result<Option<Clue>, Error> {
        let worth = self.nearness(sought, document, &mut self.reading(), memory)?;
        let (group, term) = ("nearness".to_owned(), "two terms near each other".to_owned());
        let clue = Clue { group, place: "post", term, frequency: 1.0, worth };
        Ok(Some(clue).filter(|clue| clue.worth > 0.0))
    }

    fn reading(&self) -> Reading<'_> {
        let readers = self.index.sources().iter();
        let readers = readers.map(|source| (source.number, source.collection.reader())).collect();
        Reading { readers, trees: HashMap::default() }
    }

    fn nearness(
        &self,
        sought: &Sought,
        document: Document,
        reading: &mut Reading<'_>,
        memory: &mut Memory,
    ) -> Result<f64, Error> {
        let (source, post) = self.index.post(document);
        let collection = &source.collection;
        let Reading { readers, trees } = reading;
        let reader = readers.iter_mut().find(|(number, _)| *number == source.number);
        let reader = &mut reader.expect("there is a reader for each collection").1;
        let read = reader.post(post)?;
        let mut formulas = collection.formulas_of_post(post).map(FormulaNo);
        let (mut met, mut place) = (Vec::new(), 0);
        let (mut cutter, mut stem) = (Cutter::default(), String::new());
        for html in [read.title.as_deref().unwrap_or_default(), &read.body] {
            let text = markup::text(html, |_, out| out.push(FORMULA));
            for (number, piece) in text.split(FORMULA).enumerate() {
                if number > 0 {
                    let formula = formulas.next().filter(|_| !sought.formulas.is_empty());
                    if let Some(formula) = formula {
                        let form = collection.formula_form(formula);
                        let tree = match trees.entry((source.number, form)) {
                            Entry::Occupied(known) => *known.get(),
                            Entry::Vacant(new) => {
                                *new.insert(tree(reader.latex(form)?, Mode::Document, memory))
                            }
                        };
                        if sought.formulas.contains(&tree) {
                            met.push((place, Met::Formula(tree)));
                        }
                    }
                    place += 1;
                }
                cutter.cut(piece, |word| {
                    if word.kind != Kind::Compound {
                        let key = word_key(sought.stemmer.stem(word.term, &mut stem));
                        if sought.words.contains(&key) {
                            met.push((place, Met::Word(key)));
                        }
                        place += 1;
                    }
                });
            }
        }
        Ok(worth(sought.near, least_distance(&met)))
    }
}

/// The layout tree of a formula, hashed.
fn tree(latex: &str, mode: Mode, memory: &mut Memory) -> u64 {
    memory.extractor.read(latex, mode);
    word_key(&memory.extractor.slt().to_string())
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
            let found = worth(near, distance) + libm::log(0.3);
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
