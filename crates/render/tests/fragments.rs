//! Parts for the pages of a site.

use render::{Around, Fragment, Highlight, Links, Options, Page};
use std::collections::{BTreeMap, BTreeSet};
use store::{About, Collection, CollectionWriter, Id, IdKinds, NewComment, NewPost, PostKind};
use testkit::{SmallCollection, TempDir, small_collection};

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

/// No styles, no scripts, one main heading, no rank of headings skipped, no link in a link, every anchor once.
fn check(html: &str) {
    for forbidden in [" style=", "<style", "<script", "<html", "<main", " onclick"] {
        assert!(!html.contains(forbidden), "{forbidden} in\n{html}");
    }
    assert_eq!(html.matches("<h1>").count(), 1, "{html}");
    let ranks: Vec<u8> = html.split("<h").skip(1).filter_map(|tag| tag.as_bytes().first()).copied().collect();
    let ranks: Vec<u8> = ranks.into_iter().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    assert_eq!(ranks[0], 1, "{html}");
    assert!(ranks.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{ranks:?}\n{html}");
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

/// Headings of texts and comments rank right below that of their post, wherever the post stands.
#[test]
fn headings_rank_below_that_of_their_post() {
    let folder = TempDir::new("fragment-headings");
    let path = folder.path().join("headings");
    let mut writer = CollectionWriter::create(&path, IdKinds::default()).unwrap();
    let post = NewPost {
        id: Id::Number(1),
        kind: PostKind::Question,
        parent: None,
        title: Some("Title"),
        body: "<h1>Part</h1><h2>Section</h2>",
        tags: &[],
        score: None,
        date: None,
        owner: None,
        views: None,
    };
    let question = writer.add_post(&post, &[]).unwrap();
    let reply = NewPost { id: Id::Number(2), kind: PostKind::Answer, parent: Some("1"), title: None, ..post };
    let answer = writer.add_post(&reply, &[]).unwrap();
    writer.set_parent(answer, question);
    for (id, post) in [(7, question), (8, answer)] {
        let comment =
            NewComment { id: Id::Number(id), post, text: "Hm.", score: None, date: None, owner: None };
        writer.add_comment(&comment, &[]).unwrap();
    }
    writer.finish(About::default()).unwrap();
    let collection = Collection::open(&path).unwrap();
    let page = Page::new(&collection, Options::default());
    let headings = |html: &str| -> Vec<String> {
        let tags = html.split("<h").skip(1).filter(|tag| tag.as_bytes()[1] == b'>');
        tags.map(|tag| tag[..tag.find('<').unwrap()].replace('>', " ")).collect()
    };
    let mut reader = collection.reader();
    let thread = page.thread_fragment(&mut reader, question).unwrap().content;
    assert_eq!(
        headings(&thread),
        [
            "1 Title",
            "2 Part",
            "3 Section",
            "2 1 comment",
            "2 1 answer",
            "3 Answer 2",
            "4 Part",
            "5 Section",
            "4 1 comment"
        ]
    );
    let alone = page.post_fragment(&mut reader, answer).unwrap().content;
    assert_eq!(headings(&alone)[1..], ["2 Answer 2", "3 Part", "4 Section", "3 1 comment"]);
    let text = page.text_fragment(&mut reader, question).unwrap().content;
    assert_eq!(headings(&text), ["3 Title", "4 Part", "5 Section"]);
    let text = page.text_fragment(&mut reader, answer).unwrap().content;
    assert_eq!(headings(&text), ["3 Part", "4 Section"]);
}
