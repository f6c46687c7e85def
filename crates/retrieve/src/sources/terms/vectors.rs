//! The lengths of documents as vectors: what the cosine is divided by.
//!
//! They need every term of every document, so all lists of the fields are read once. Words with the same stem
//! are one term, and stop words are none.

use super::clauses::TermKind;
use crate::engine::Work;
use crate::error::Error;
use crate::model::{TermStatistics, Totals};
use crate::norms::{Measured, Returned};
use crate::system::Part;
use index::postings::Block;
use index::top::Spread;
use index::{Document, Index, Posts, word_key};
use std::collections::{BTreeSet, HashMap};

/// A list of a term: the term, the segment, the field by its place among those measured, and its own key.
type TermList = (TermKind, u64, usize, usize, u64);

/// The length of each document's vector, a segment after the other.
pub(crate) fn lengths(
    index: &Index,
    part: &Part,
    measured: &[Measured],
    returned: &Returned,
    work: &mut Work,
) -> Result<Vec<Vec<f32>>, Error> {
    let segments = index.segments();
    let mut squares: Vec<Vec<f64>> =
        segments.iter().map(|segment| vec![0.0; segment.posts.documents() as usize]).collect();
    let mut frequencies: Vec<Vec<f32>> =
        segments.iter().map(|segment| vec![0.0; segment.posts.documents() as usize]).collect();
    let documents: usize = segments
        .iter()
        .enumerate()
        .map(|(number, segment)| {
            let all = 0..segment.posts.documents();
            all.filter(|doc| returned.has(Document { segment: number, doc: *doc })).count()
        })
        .sum();
    let totals = Totals { documents: documents as f64, mean_length: 0.0 };
    let mut block = Block::default();
    let mut touched: Vec<Document> = Vec::new();
    let lists = lists(index, part, measured);
    for term in lists.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1)) {
        if work.is_over() {
            return Err(Error::Stopped);
        }
        for &(_, _, segment, place, key) in term {
            let posts = &segments[segment].posts;
            let (field, spread, factor) = measured[place];
            let Some(list) = posts.postings(field).and_then(|postings| postings.find(key)) else { continue };
            let mut add = |doc: u32, frequency: u32| {
                let document = Document { segment, doc };
                if returned.has(document) {
                    let sum = &mut frequencies[segment][doc as usize];
                    if *sum == 0.0 {
                        touched.push(document);
                    }
                    *sum += frequency as f32 * factor as f32;
                }
            };
            for number in 0..list.num_blocks() {
                list.unpack(number, &mut block);
                for (doc, frequency) in block.postings() {
                    match spread {
                        Spread::Own => add(doc, frequency),
                        Spread::Answers => answers(posts, doc).for_each(|answer| add(answer, frequency)),
                    }
                }
            }
        }
        let statistics = TermStatistics { documents: touched.len() as f64, occurrences: 0.0 };
        let idf = part.model.idf(statistics, totals);
        for Document { segment, doc } in touched.drain(..) {
            let number = f64::from(std::mem::take(&mut frequencies[segment][doc as usize])) * idf;
            squares[segment][doc as usize] += number * number;
        }
    }
    let roots = |squares: Vec<f64>| squares.into_iter().map(|sum| libm::sqrt(sum) as f32).collect();
    Ok(squares.into_iter().map(roots).collect())
}

/// The lists of all terms, those of a term together.
fn lists(index: &Index, part: &Part, measured: &[Measured]) -> Vec<TermList> {
    let stops: BTreeSet<u64> = part.stop.words().iter().map(|word| word_key(word)).collect();
    let mut lists = Vec::new();
    for (segment, posts) in index.segments().iter().map(|segment| &segment.posts).enumerate() {
        let stems: HashMap<u64, u64, foldhash::fast::FixedState> =
            posts.stems(part.stem).map(|(stem, word)| (word, stem)).collect();
        for (place, (field, ..)) in measured.iter().enumerate() {
            let kind = TermKind::of(*field);
            for key in posts.postings(*field).iter().flat_map(index::postings::Postings::keys) {
                if kind != TermKind::Word {
                    lists.push((kind, key, segment, place, key));
                } else if !stops.contains(&key) {
                    lists.push((kind, stems.get(&key).copied().unwrap_or(key), segment, place, key));
                }
            }
        }
    }
    lists.sort_unstable();
    lists
}

/// The answers to a document, which follow it.
pub(crate) fn answers(posts: &Posts, question: u32) -> impl Iterator<Item = u32> {
    (question + 1..posts.documents()).take_while(move |doc| posts.parent(*doc) == Some(question))
}
