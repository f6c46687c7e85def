//! What visitors type, and the files that say how their queries are answered.

use super::text_or_refuse;
use crate::Outcome;
use crate::small::SmallIndex;
use retrieve::people::{Marked, SearchOptions};
use retrieve::typed::{LONGEST, Reading, Typed};
use retrieve::{Engine, Pipeline, Query, System};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

/// Queries of any text: every part lies in the query, on the borders of characters, in order, and no part is
/// read twice.
pub fn typed_query(bytes: &[u8]) -> Outcome {
    let query = text_or_refuse!(bytes);
    let typed = Typed::read(query);
    check_typed(query, &typed);
    assert_eq!(Typed::read(query), typed);
    let asked = Query::of_typed(&typed);
    assert!(asked.searched().title.formulas.len() <= typed.formulas.len());
    for formula in &typed.formulas {
        let _ = latex::parse_bytes(formula.latex.as_bytes(), latex::Mode::Query);
    }
    if typed.is_empty() { Outcome::Refused } else { Outcome::Read }
}

fn check_typed(query: &str, typed: &Typed) {
    let check = |spans: &[Range<usize>]| {
        for span in spans {
            assert!(query.get(span.clone()).is_some(), "{span:?}");
        }
        assert!(spans.is_sorted_by_key(|span| span.start), "{spans:?}");
    };
    let words: Vec<Range<usize>> = typed.words.iter().map(|word| word.span.clone()).collect();
    let phrases: Vec<Range<usize>> = typed.phrases.iter().map(|phrase| phrase.span.clone()).collect();
    let formulas: Vec<Range<usize>> = typed.formulas.iter().map(|formula| formula.span.clone()).collect();
    let filters: Vec<Range<usize>> = typed.filters.iter().map(|filter| filter.span.clone()).collect();
    let notes: Vec<Range<usize>> = typed.notes.iter().map(|note| note.span.clone()).collect();
    [&words, &phrases, &formulas, &filters, &notes].into_iter().for_each(|spans| check(spans));
    // Tags and entities are read as what they show.
    let is_plain = !query.contains(['&', '<']);
    for word in typed.words.iter().filter(|_| is_plain) {
        assert_eq!(word.text, query[word.span.clone()]);
    }
    for formula in typed.formulas.iter().filter(|formula| is_plain && formula.reading == Reading::AsTyped) {
        assert_eq!(formula.latex, query[formula.span.clone()]);
    }
    // Formulas may stand in phrases; all other parts stand beside each other.
    let inside = |span: &Range<usize>| {
        phrases.iter().any(|phrase| phrase.start <= span.start && span.end <= phrase.end)
    };
    // What words say is a formula and words.
    let verbal =
        |span: &Range<usize>| words.iter().any(|word| span.start <= word.start && word.end <= span.end);
    let outside: Vec<Range<usize>> =
        formulas.into_iter().filter(|span| !inside(span) && !verbal(span)).collect();
    let mut all: Vec<Range<usize>> = words.iter().cloned().chain(filters).chain(outside).collect();
    all.extend(phrases.iter().cloned());
    all.sort_by_key(|span| (span.start, span.end));
    assert!(all.windows(2).all(|pair| pair[0].end <= pair[1].start), "{all:?}");
    let end = query.char_indices().nth(LONGEST).map_or(query.len(), |(at, _)| at);
    assert!(all.iter().all(|span| span.end <= end), "{all:?}");
}

struct Searched {
    engine: Engine,
    /// The index lives in it.
    _index: SmallIndex,
}

static SEARCHED: LazyLock<Searched> = LazyLock::new(|| {
    let index = SmallIndex::new();
    Searched { engine: Engine::new(index.open()), _index: index }
});

/// Queries of any text, searched for in a small index: scores are numbers in order, and marks lie in their texts.
pub fn search(bytes: &[u8]) -> Outcome {
    let query = text_or_refuse!(bytes);
    let typed = Typed::read(query);
    let options = SearchOptions { facets: 10, ..SearchOptions::default() };
    let results = SEARCHED.engine.search(&typed, &options).expect("no query is an error");
    assert!(results.hits.windows(2).all(|pair| pair[0].score >= pair[1].score));
    for hit in &results.hits {
        assert!(hit.score.is_finite(), "{}: {}", hit.id, hit.score);
        assert_ne!(hit.id, "11", "a post that was deleted is found");
        check_marked(&hit.title);
        check_marked(&hit.snippet);
        for formula in &hit.why.formulas {
            assert!(formula.query < typed.formulas.len());
            assert!((0.0..=1.001).contains(&formula.similarity));
            assert!(formula.spans.iter().all(|(span, _)| formula.latex.get(span.clone()).is_some()));
        }
    }
    for note in &results.notes {
        assert!(query.get(note.span.clone()).is_some(), "{note:?}");
    }
    if results.hits.is_empty() { Outcome::Refused } else { Outcome::Read }
}

fn check_marked(marked: &Marked) {
    assert!(marked.words.is_sorted_by_key(|span| span.start));
    assert!(marked.words.iter().all(|span| marked.text.get(span.clone()).is_some()), "{marked:?}");
    assert!(
        marked.formulas.iter().all(|formula| marked.text.get(formula.span.clone()).is_some()),
        "{marked:?}"
    );
}

/// Systems' files of any text: one that is read compiles or says why not, and runs on a small index.
pub fn system(bytes: &[u8]) -> Outcome {
    let text = text_or_refuse!(bytes);
    let system = match System::read(text, "a.toml") {
        Ok(system) => system,
        Err(error) => {
            assert!(error.to_string().starts_with("a.toml: "), "{error}");
            return Outcome::Refused;
        }
    };
    assert_eq!(System::read(text, "a.toml").as_ref(), Ok(&system));
    let Ok(pipeline) = Pipeline::compile(system, &System::named, &BTreeMap::new()) else {
        return Outcome::Refused;
    };
    let query = Query::of_typed(&Typed::read("prove the inequality $a^2+b^2\\ge 2ab$"));
    let formulas = retrieve::Asked::formulas("a^2+b^2");
    // An index may lack a system's features; that is an error, and a ranking holds numbers.
    for asked in [retrieve::Asked::posts(&query), formulas] {
        if let Ok(outcome) = SEARCHED.engine.run(&pipeline, &asked, 5) {
            check_ranking(&outcome.ranking);
        }
    }
    Outcome::Read
}

fn check_ranking(ranking: &retrieve::Ranking) {
    let scores: Vec<f64> = match ranking {
        retrieve::Ranking::Posts(hits) => hits.iter().map(|hit| hit.score).collect(),
        retrieve::Ranking::Formulas(hits) => hits.iter().map(|hit| hit.score).collect(),
    };
    assert!(scores.iter().all(|score| !score.is_nan()), "{scores:?}");
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
}

/// Files of systems that answer, of any text: errors name the file.
pub fn answer_system(bytes: &[u8]) -> Outcome {
    let text = text_or_refuse!(bytes);
    let read = answer::System::read(text, "a.toml");
    match &read {
        Ok(system) => assert_eq!(answer::System::read(text, "a.toml").as_ref().ok(), Some(system)),
        Err(error) => assert!(error.to_string().contains("a.toml"), "{error}"),
    }
    Outcome::of(&read)
}
