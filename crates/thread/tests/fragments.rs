//! Parts for the pages of a site.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

use std::collections::{BTreeMap, BTreeSet};
use testkit::{SmallCollection, small_collection};
use thread::{Around, Fragment, Highlight, Links, Options, Page};

/// Which part.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Thread,
    Post,
}

fn fragment(small: &SmallCollection, id: &str, part: Part, highlight: Highlight) -> Fragment {
    let options = Options { links: Links::Server, highlight, ..Options::default() };
    made(small, id, part, options)
}

fn made(small: &SmallCollection, id: &str, part: Part, options: Options<'_>) -> Fragment {
    let collection = &small.collection;
    let page = Page::new(collection, options);
    let (mut reader, post) = (collection.reader(), collection.find_post(id).unwrap());
    let fragment = match part {
        Part::Thread => page.thread_fragment(&mut reader, post).unwrap(),
        Part::Post => page.post_fragment(&mut reader, post).unwrap(),
    };
    check(&fragment.content);
    fragment
}

/// No styles, no scripts, one main heading, no link in a link, every anchor once.
fn check(html: &str) {
    for forbidden in [" style=", "<style", "<script", "<html", "<main", " onclick"] {
        assert!(!html.contains(forbidden), "{forbidden} in\n{html}");
    }
    assert_eq!(html.matches("<h1>").count(), 1, "{html}");
    let mut links = 0_i32;
    let mut ids: BTreeMap<&str, u32> = BTreeMap::new();
    for tag in html.split('<').skip(1) {
        match tag {
            _ if tag.starts_with("a ") => links += 1,
            _ if tag.starts_with("/a>") => links -= 1,
            _ => {}
        }
        assert!((0..=1).contains(&links), "a link in a link at <{tag}\n{html}");
        if let Some((_, rest)) = tag.split('>').next().and_then(|tag| tag.split_once(" id=\"")) {
            *ids.entry(rest.split('"').next().unwrap()).or_default() += 1;
        }
    }
    assert!(ids.values().all(|count| *count == 1), "{ids:?}");
}

#[test]
fn a_thread() {
    let small = small_collection("fragment-thread");
    let thread = fragment(&small, "12", Part::Thread, Highlight::default());
    assert_eq!(thread.title, "Why is ∑ 1/n infinite?");
    for part in [
        "<article class=\"question\" id=\"post-10\">",
        "<h1>Why is <a class=\"math-container\" id=\"formula-1\" href=\"/formula/501\"",
        "<li><a href=\"/search?q=%5Bcalculus%5D\">calculus</a></li>",
        "<article class=\"answer accepted\" id=\"post-12\">",
        "<h3><span class=\"tick\" aria-hidden=\"true\">✓</span> Accepted answer 12</h3>",
        "<a class=\"math-container block\" id=\"formula-3\" href=\"/formula/501\" data-visual-id=\"501\"",
        "<li id=\"comment-7\">",
        "<li><a href=\"/thread/20\">Harmonic numbers</a> <small>20</small></li>",
        "<footer>Thread 10",
    ] {
        assert!(thread.content.contains(part), "{part} is not in\n{}", thread.content);
    }
    assert!(thread.content.starts_with("<article"));
    assert!(thread.hits.is_empty());
}

#[test]
fn formulas_in_links_are_no_links() {
    let small = small_collection("fragment-links");
    let thread = fragment(&small, "21", Part::Thread, Highlight::default());
    let related = "<a href=\"/thread/10\">Why is <span class=\"math-container\" data-visual-id=\"501\"";
    assert!(thread.content.contains(related), "{}", thread.content);
}

#[test]
fn highlights() {
    let small = small_collection("fragment-hits");
    let highlight = Highlight { visuals: BTreeSet::from([501]), ..Highlight::default() };
    let thread = fragment(&small, "10", Part::Thread, highlight);
    assert_eq!(thread.hits, ["formula-1", "formula-3"]);
    assert!(thread.content.starts_with("<nav class=\"hits\""), "{}", thread.content);
    assert!(
        thread.content.contains("<a class=\"math-container hit\" id=\"formula-1\""),
        "{}",
        thread.content
    );
}

#[test]
fn one_post() {
    let small = small_collection("fragment-post");
    let question = fragment(&small, "10", Part::Post, Highlight::default());
    assert_eq!(question.title, "Why is ∑ 1/n infinite?");
    assert!(question.content.contains("id=\"post-10\"") && !question.content.contains("id=\"post-12\""));
    let answer = fragment(&small, "12", Part::Post, Highlight::default());
    assert_eq!(answer.title, question.title);
    for part in [
        "<h1><a href=\"/thread/10\">Why is <span class=\"math-container\" data-visual-id=\"501\"",
        "</h1>\n<h2><span class=\"tick\" aria-hidden=\"true\">✓</span> Accepted answer 12</h2>",
        "<a class=\"math-container block\" id=\"formula-3\" href=\"/formula/501\"",
    ] {
        assert!(answer.content.contains(part), "{part} is not in\n{}", answer.content);
    }
    assert!(!answer.content.contains("id=\"post-10\""));
}

#[test]
fn what_was_deleted_is_not_shown() {
    let small = small_collection("fragment-gone");
    let gone = |ids: &[&str]| Options {
        links: Links::Server,
        gone: ids.iter().map(|id| small.collection.find_post(id).unwrap()).collect(),
        ..Options::default()
    };
    let thread = made(&small, "10", Part::Thread, gone(&["12"]));
    assert!(thread.content.contains("0 answers"), "{}", thread.content);
    assert!(!thread.content.contains("Group the terms"), "{}", thread.content);
    for part in [Part::Thread, Part::Post] {
        let answer = made(&small, "12", part, gone(&["10"]));
        assert_eq!(answer.title, "Question 10");
        assert!(answer.content.contains("Group the terms"), "{}", answer.content);
        for lost in ["infinite", "calculus", "growth"] {
            assert!(!answer.content.contains(lost), "{lost} in {}", answer.content);
        }
    }
}

#[test]
fn the_text_of_a_post_alone() {
    let small = small_collection("fragment-text");
    let text = |highlight| {
        let options =
            Options { links: Links::Server, highlight, around: Around::Nothing, ..Options::default() };
        let page = Page::new(&small.collection, options);
        page.text_fragment(&mut small.collection.reader(), small.collection.find_post("12").unwrap()).unwrap()
    };
    let plain = text(Highlight::default());
    assert!(plain.content.contains("Group the terms"), "{}", plain.content);
    for left_out in ["<a class=\"math-container", " id=\"", " style=", "score", "ccepted", "<header", "<h1"] {
        assert!(!plain.content.contains(left_out), "{left_out} in {}", plain.content);
    }
    let formulas = BTreeSet::from(["3".to_owned()]);
    let one = text(Highlight { formulas, ..Highlight::default() });
    assert_eq!(one.hits, ["formula-3"]);
    assert_eq!(one.content.matches(" hit\"").count(), 1, "{}", one.content);
    assert!(
        one.content.contains("<span class=\"math-container block hit\" id=\"formula-3\""),
        "{}",
        one.content
    );
}

#[test]
fn on_a_site_without_a_search_nothing_leads_to_it() {
    let small = small_collection("fragment-around");
    let options = Options { links: Links::Server, around: Around::Nothing, ..Options::default() };
    let thread = made(&small, "12", Part::Thread, options);
    assert!(thread.content.contains("<li>calculus</li>"), "{}", thread.content);
    for left_out in ["/formula/", "/search"] {
        assert!(!thread.content.contains(left_out), "{left_out} in {}", thread.content);
    }
}
