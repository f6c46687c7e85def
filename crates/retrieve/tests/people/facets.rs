//! By what results can be narrowed down.

use super::{Collection, SMALL};
use retrieve::people::{Facet, SearchOptions};
use retrieve::typed::Typed;
use std::fmt::Write as _;

fn facets_of(collection: &Collection, query: &str, facets: usize) -> Vec<Facet> {
    let options = SearchOptions { facets, limit: 0, ..SearchOptions::default() };
    collection.engine.search(&Typed::read(query), &options).unwrap().facets
}

/// `name: label count, …` for each facet.
fn written(facets: &[Facet]) -> Vec<String> {
    let facet = |facet: &Facet| {
        let values = facet.values.iter().map(|value| format!("{} {}", value.label, value.count));
        format!("{}: {}", facet.name, values.collect::<Vec<_>>().join(", "))
    };
    facets.iter().map(facet).collect()
}

#[test]
fn counts() {
    let check = |query: &str, expected: &[&str]| {
        assert_eq!(written(&facets_of(&SMALL, query, 100)), expected, "{query}");
    };
    check(
        "tag:inequality",
        &[
            "tags: inequality 5, real-analysis 3",
            "kind: questions 2, answers 3, accepted answers 1",
            "year: 2016 1, 2015 1, 2014 3",
            "votes: 0 or less 1, 1 or more 4, 5 or more 3",
        ],
    );
    // Nothing tells these two apart but their kind and votes; the tag is in use.
    check(
        "tag:real-analysis date:2014-03-02",
        &[
            "tags: inequality 2, real-analysis 2",
            "kind: questions 1, answers 1",
            "votes: 0 or less 1, 5 or more 1",
        ],
    );
    // What is in use stays, with nothing found at all.
    check(
        "group tag:calculus year:2014 score:>=5 is:answer",
        &["tags: calculus 0", "kind: answers 0", "year: 2014 0", "votes: 5 or more 0"],
    );
    check("group", &[]);
    check("tag:group-theory", &["tags: abstract-algebra 1, group-theory 1"]);
    // Half of them have no tags, dates and votes.
    check(
        "mean",
        &[
            "tags: inequality 2",
            "kind: questions 1, answers 1",
            "year: 2016 1, 2015 1",
            "votes: 1 or more 2, 5 or more 1",
        ],
    );
}

#[test]
fn only_the_best_are_counted() {
    let facets = facets_of(&SMALL, "is:question", 2);
    assert_eq!(written(&facets)[0], "tags: inequality 2, real-analysis 1");
    assert!(facets_of(&SMALL, "is:question", 0).is_empty());
}

#[test]
fn each_filter_leaves_as_many_as_it_says() {
    for query in ["is:question", "-nothing", "inequality square", "$x^2$", "mean"] {
        for facet in facets_of(&SMALL, query, 1000) {
            for value in facet.values {
                let options = SearchOptions { limit: 100, ..SearchOptions::default() };
                let narrowed = format!("{query} {}", value.filter);
                let found = SMALL.engine.search(&Typed::read(&narrowed), &options).unwrap().hits.len();
                assert_eq!(found, value.count, "{narrowed}");
            }
        }
    }
}

#[test]
fn odd_tags_and_many_years() {
    let mut lines = String::new();
    let tags = [
        "a b",
        "c++",
        "snake_case",
        "Über-Tag",
        "q\\\"uote",
        "x,",
        "tag:tag",
        "$x$",
        "-minus",
        "[brackets]",
        "é",
    ];
    for (number, tag) in tags.iter().enumerate() {
        writeln!(
            lines,
            r#"{{"kind":"question","id":{},"title":"Odd","body":"odd","tags":["{tag}","plain"]}}"#,
            number + 1
        )
        .unwrap();
    }
    for year in 1990..2010 {
        let posts = if year < 2000 { 2 } else { 1 };
        for post in 0..posts {
            writeln!(
                lines,
                r#"{{"kind":"question","id":{},"title":"Dated","body":"dated","date":"{year}-05-06"}}"#,
                year * 10 + post
            )
            .unwrap();
        }
    }
    let odd = Collection::of("people-odd", &lines);
    let facets = facets_of(&odd, "odd", 100);
    let filters: Vec<&str> = facets[0].values.iter().map(|value| value.filter.as_str()).collect();
    assert_eq!(
        filters,
        [
            "tag:plain",
            "tag:$x$",
            "tag:-minus",
            "tag:c++",
            "tag:q\"uote",
            "tag:tag:tag",
            "tag:é",
            "tag:über-tag"
        ]
    );
    for value in &facets[0].values {
        let found = odd
            .engine
            .search(&Typed::read(&value.filter), &SearchOptions { limit: 50, ..SearchOptions::default() })
            .unwrap();
        assert_eq!(found.hits.len(), value.count, "{}", value.filter);
    }
    let facets = facets_of(&odd, "dated", 100);
    assert_eq!(
        written(&facets),
        [
            "year: 2009 1, 2008 1, 1999 2, 1998 2, 1997 2, 1996 2, 1995 2, 1994 2, 1993 2, 1992 2, 1991 2, 1990 2"
        ]
    );
}
