//! The terms of a query: which words, signs and features of formulas are looked for.

use super::clauses::{Term, TermKind};
use crate::engine::{Engine, Work};
use crate::query::{Query, Section};
use crate::system::{Chosen, KeptWords, Locations, Part, PostStage, Terms};
use index::{Extractor, FeatureKind, Field, symbol_words, word_key};
use latex::Mode;
use std::collections::BTreeMap;
use text::{Stemmer, StopWords, Tokenizer, Word};

impl Engine {
    /// The terms of a query that a part looks for.
    pub(super) fn terms_of(
        &self,
        part: &Part,
        stage: &PostStage,
        query: &Query,
        work: &mut Work,
    ) -> Vec<Term> {
        let weights = part.query.unwrap_or(stage.query);
        let mut counted: BTreeMap<(TermKind, u64), Term> = BTreeMap::new();
        let mut add = |kind: TermKind, key: u64, name: &str, weight: f64| {
            let new = || Term { name: name.to_owned(), kind, key, frequency: 0.0 };
            counted.entry((kind, key)).or_insert_with(new).frequency += weight;
        };
        let mut tokenizer = Tokenizer::default();
        let tags = Section { text: query.tags.join(" "), formulas: Vec::new() };
        let [in_title, in_body] = chosen(query, part.formulas, &mut work.extractor);
        let sections = [
            (&query.title, in_title, weights.title),
            (&query.body, in_body, weights.body),
            (&tags, Vec::new(), weights.tags),
        ];
        for (section, formulas, weight) in sections.into_iter().filter(|(.., weight)| *weight > 0.0) {
            for terms in &part.terms {
                let mut add_word = |key: u64, name: &str| {
                    if part.keep.is_none_or(|kept| self.is_kept(kept, part.stem, key)) {
                        add(TermKind::Word, key, name, weight);
                    }
                };
                match terms {
                    Terms::Words => words_of(&section.text, part, &mut tokenizer, add_word),
                    Terms::Source => {
                        for latex in &formulas {
                            tokenizer.tokenize_source(latex, counting(part, &mut add_word));
                        }
                    }
                    Terms::Symbols => {
                        for text in std::iter::once(section.text.as_str()).chain(formulas.iter().copied()) {
                            symbol_words(text, |word| words_of(word, part, &mut tokenizer, &mut add_word));
                        }
                    }
                    Terms::Math(kind) => {
                        for latex in &formulas {
                            work.extractor.read(latex, Mode::Query);
                            let add = |key| add(TermKind::Feature(*kind), key, latex, weight);
                            match (kind, part.locations) {
                                (FeatureKind::TuplesL8, Locations::None) => {
                                    work.extractor.unlocated_tuples(add);
                                }
                                _ => work.extractor.features(*kind, add),
                            }
                        }
                    }
                }
            }
        }
        counted.into_values().collect()
    }

    /// Whether a stem is among those that are looked for. Words of tags are those of all posts that were
    /// indexed, deleted ones included until the index is made anew.
    fn is_kept(&self, kept: KeptWords, stemmer: Stemmer, stem: u64) -> bool {
        let KeptWords::TagWords = kept;
        self.index.segments().iter().any(|segment| {
            let posts = &segment.posts;
            let tags = posts.postings(Field::Words(index::Part::Tags));
            let mut keys = std::iter::once(stem).chain(posts.words_of_stem(stemmer, stem));
            tags.is_some_and(|tags| keys.any(|key| tags.find(key).is_some()))
        })
    }
}

/// Gives the words of a text that count, each with the key of its stem.
pub(super) fn words_of(text: &str, part: &Part, tokenizer: &mut Tokenizer, each: impl FnMut(u64, &str)) {
    tokenizer.tokenize(text, counting(part, each));
}

/// Passes on the words that count, each with the key of its stem.
fn counting<'p>(part: &'p Part, mut each: impl FnMut(u64, &str) + 'p) -> impl FnMut(Word<'_>) + 'p {
    let mut memory = String::new();
    // Where keywords are chosen by a list, stop words are not on it, though they count to lengths.
    let unlisted = if part.keep.is_some() { StopWords::Long } else { StopWords::None };
    move |word| {
        if !part.stop.contains(word.term) && !unlisted.contains(word.term) {
            let stem = part.stem.stem(word.term, &mut memory);
            each(word_key(stem), stem);
        }
    }
}

/// The formulas of a query's title and text that are looked for.
pub(crate) fn chosen<'q>(query: &'q Query, choose: Chosen, extractor: &mut Extractor) -> [Vec<&'q str>; 2] {
    let all =
        |section: &'q Section| -> Vec<&'q str> { section.formulas.iter().map(String::as_str).collect() };
    let mut chosen = [all(&query.title), all(&query.body)];
    let mut size = |latex: &str| {
        extractor.read(latex, Mode::Query);
        extractor.slt().preorder().count()
    };
    match choose {
        Chosen::All => {}
        Chosen::Telling => chosen[1].retain(|latex| size(latex) > 1),
        Chosen::Largest => {
            let place = usize::from(chosen[0].is_empty());
            let sizes: Vec<usize> = chosen[place].iter().map(|latex| size(latex)).collect();
            let most = sizes.iter().copied().max();
            let equals: Vec<&str> = (chosen[place].iter().zip(&sizes))
                .filter(|(_, size)| Some(**size) == most)
                .map(|(latex, _)| *latex)
                .collect();
            let one = query.chance.map_or(0, |chance| (chance % equals.len().max(1) as u64) as usize);
            let largest: Vec<&str> = equals.get(one).copied().into_iter().collect();
            chosen = [Vec::new(), Vec::new()];
            chosen[place] = largest;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Tangent-S took one of several formulas as large by chance.
    #[test]
    fn chance_decides_between_formulas_as_large() {
        let section = |formulas: &[&str]| Section {
            text: String::new(),
            formulas: formulas.iter().map(ToString::to_string).collect(),
        };
        let query = Query { body: section(&["a", "x+y", "u+v", "z+w"]), ..Query::default() };
        let mut extractor = Extractor::default();
        let mut one = |query: &Query| -> String {
            let [title, body] = chosen(query, Chosen::Largest, &mut extractor);
            assert!(title.is_empty() && body.len() == 1);
            body[0].to_owned()
        };
        assert_eq!(one(&query), "x+y", "without a seed the first");
        let drawn: BTreeSet<String> = (0..30).map(|seed| one(&query.clone().with_chance(seed))).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), ["u+v", "x+y", "z+w"]);
        assert_eq!(one(&query.clone().with_chance(7)), one(&query.with_chance(7)));
    }
}
