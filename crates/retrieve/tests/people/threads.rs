//! Results grouped by threads.

use super::{Collection, SMALL, found, ids};
use proptest::prelude::*;
use retrieve::people::{Grouping, Results, SearchOptions, Total};
use retrieve::typed::Typed;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

fn threads(query: &str, offset: usize, limit: usize) -> Results {
    page(&SMALL, query, offset, limit)
}

fn page(collection: &Collection, query: &str, offset: usize, limit: usize) -> Results {
    let options =
        SearchOptions { offset, limit, grouping: Grouping::Threads, facets: 20, ..SearchOptions::default() };
    collection.engine.search(&Typed::read(query), &options).unwrap()
}

/// The best posts of threads, each with the others and their number.
fn written(results: &Results) -> String {
    let hits = results.hits.iter().map(|hit| {
        let others: Vec<&str> = hit.others.iter().map(|other| other.id.as_str()).collect();
        format!("{}: {} ({} {})", hit.rank, hit.id, hit.num_others, others.join(","))
    });
    hits.collect::<Vec<_>>().join("; ")
}

#[test]
fn the_best_post_stands_for_its_thread() {
    for (query, expected, total) in [
        ("tag:inequality square", "1: 12 (2 10,11)", Total::Exactly(1)),
        ("is:answer", "1: 12 (1 11); 2: 21 (0 )", Total::Exactly(2)),
        ("tag:inequality", "1: 12 (2 10,11); 2: 21 (1 20)", Total::Exactly(2)),
        ("group", "1: 30 (0 )", Total::Exactly(1)),
        ("mean", "1: 20 (1 21); 2: 50 (0 )", Total::Exactly(2)),
        ("nothing-like-it", "", Total::Exactly(0)),
    ] {
        let results = threads(query, 0, 10);
        assert_eq!((written(&results).as_str(), results.total), (expected, total), "{query}");
    }
}

#[test]
fn others_are_shown_with_what_was_found() {
    let results = threads("tag:inequality square", 0, 10);
    let other = &results.hits[0].others[0];
    assert_eq!(other.snippet.words.len(), 1);
    assert!(!other.why.clues.is_empty());
    assert_eq!((other.rank, other.num_others), (1, 0));
}

/// Threads of a question and five answers each, with words that mix their posts in the ranking.
static MANY: LazyLock<Collection> = LazyLock::new(|| {
    let mut lines = String::new();
    for thread in 0..90 {
        let id = 1000 + thread * 10;
        let body = "limit ".repeat(1 + thread % 7);
        writeln!(lines, r#"{{"kind":"question","id":{id},"title":"Limit $x_{{{thread}}}$","body":"{body} of $x^{{{thread}}}+1$","tags":["limits"],"score":{thread}}}"#).unwrap();
        for answer in 1..=5 {
            let body =
                format!("sequence {}{}", "limit ".repeat((thread + 3 * answer) % 11), "word ".repeat(answer));
            let (answer, score) = (id + answer, answer * thread % 13);
            writeln!(lines, r#"{{"kind":"answer","id":{answer},"parent":{id},"body":"{body} and $x^2+{score}$","score":{score}}}"#).unwrap();
        }
    }
    Collection::of("people-threads", &lines)
});

#[test]
fn pages_of_threads_never_repeat_one() {
    for query in ["limit", "limit sequence $x^2+1$", "$x^2+1$", "tag:limits word", "is:answer", "limit -word"]
    {
        let all = page(&MANY, query, 0, 1000);
        assert_eq!(all.total, Total::Exactly(all.hits.len()), "{query}");
        let posts: usize = all.hits.iter().map(|hit| 1 + hit.num_others).sum();
        let plain = SearchOptions { limit: 5000, ..SearchOptions::default() };
        let plain = MANY.engine.search(&Typed::read(query), &plain).unwrap();
        assert_eq!(posts, plain.hits.len(), "{query}");
        let mut paged = Vec::new();
        for number in 0.. {
            let part = page(&MANY, query, 7 * number, 7);
            if part.hits.is_empty() {
                break;
            }
            paged.extend(part.hits);
        }
        let of = |hits: &[retrieve::people::FoundPost]| -> Vec<(usize, String)> {
            hits.iter().map(|hit| (hit.rank, hit.id.clone())).collect()
        };
        assert_eq!(of(&paged), of(&all.hits), "{query}");
        let thread =
            |hit: &retrieve::people::FoundPost| hit.question_id.clone().unwrap_or_else(|| hit.id.clone());
        let different: BTreeSet<String> = paged.iter().map(thread).collect();
        assert_eq!(different.len(), paged.len(), "{query}");
        for hit in &all.hits {
            assert!(hit.others.len() == hit.num_others.min(3), "{query}");
            assert!(hit.others.iter().all(|other| other.score <= hit.score && thread(other) == thread(hit)));
        }
    }
}

#[test]
fn posts_are_ranked_deep_enough_for_the_threads_that_are_wanted() {
    // The first 256 posts make far fewer threads.
    let results = page(&MANY, "limit sequence", 80, 10);
    assert_eq!(results.hits.len(), 10);
    assert_eq!(results.total, Total::Exactly(90));
    let first = page(&MANY, "limit sequence", 0, 10);
    assert!(matches!(first.total, Total::AtLeast(number) if number > 10), "{:?}", first.total);
}

#[test]
fn the_same_posts_are_found_as_without_groups() {
    for query in ["inequality", "$x^2$", "real square", "-inequality"] {
        let results = threads(query, 0, 10);
        let mut all: Vec<&str> = ids(&results);
        all.extend(results.hits.iter().flat_map(|hit| hit.others.iter().map(|other| other.id.as_str())));
        all.sort_unstable();
        assert_eq!(all.join(" "), found(query), "{query}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_query_is_answered_with_threads_and_facets(
        query in r#"([ -~]|[+"$?:\[\]-]|is:|tag:|score:>|year:|real|square|mean|x\^2|\\int|[À-ῼ]){0,40}"#,
        offset in 0_usize..4,
    ) {
        let results = threads(&query, offset, 2);
        prop_assert!(results.hits.len() <= 2);
        prop_assert!(!results.hits.is_empty() || !results.notes.is_empty(), "{query:?}");
        for facet in &results.facets {
            prop_assert!(!facet.values.is_empty(), "{query:?}");
            for value in &facet.values {
                let typed = Typed::read(&value.filter);
                prop_assert_eq!(typed.filters.len(), 1, "{}", value.filter);
                prop_assert!(typed.words.is_empty() && typed.formulas.is_empty());
            }
        }
    }
}
