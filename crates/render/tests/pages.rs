//! Pages of the small collection.

use crate::support;

use render::{Highlight, Links, Options, Page};
use std::collections::BTreeSet;
use support::check_page;
use testkit::{SmallCollection, small_collection};

fn render(small: &SmallCollection, id: &str, options: Options<'_>) -> String {
    let collection = &small.collection;
    let page = Page::new(collection, options);
    let html = page.render(&mut collection.reader(), collection.find_post(id).unwrap()).unwrap();
    check_page(&html).unwrap_or_else(|complaint| panic!("{complaint}\n{html}"));
    html
}

#[test]
fn a_question_with_its_answer_and_comment() {
    let small = small_collection("page");
    let html = render(&small, "10", Options::default());
    for part in [
        "<title>Why is ∑ 1/n infinite?</title>",
        "<article class=\"question\" id=\"post-10\">",
        "Question 10",
        "score 7",
        "1 answer",
        "120 views",
        "<time datetime=\"2014-03-02T09:15:00.000\">2014-03-02 09:15</time>",
        "<bdi class=\"owner\">Hypatia</bdi>",
        "<li>calculus</li><li>series</li>",
        "<div class=\"postcell text\"><p>I know <span class=\"math-container\" id=\"formula-2\" data-visual-id=\"502\" title=\"H_n\"><math display=\"inline\"",
        "&amp; its <em>growth</em>.</p></div>",
        "<article class=\"answer accepted\" id=\"post-12\">",
        "score −1",
        "<span class=\"math-container block\" id=\"formula-3\" data-visual-id=\"501\" title=\"\\sum \\frac1n\"><math display=\"block\"",
        "<li id=\"comment-7\"><div class=\"text\">Only for <span class=\"math-container\" id=\"formula-6\"",
        "<h2>Duplicates of this</h2>\n<ul>\n<li><a href=\"20.html\">Harmonic numbers</a> <small>20</small></li>",
        "Thread 10",
        "5 formulas",
        "originally at math.stackexchange.com/q/10",
    ] {
        assert!(html.contains(part), "{part} is not in\n{html}");
    }
    // Ranks of headings are not skipped: title, answers, answer, its comments, linked questions.
    let ranks: Vec<&str> =
        html.split("<h").skip(1).map(|tag| &tag[..1]).filter(|rank| *rank <= "6").collect();
    assert_eq!(ranks, ["1", "2", "3", "4", "2"], "{html}");
    assert!(html.contains("<h1>Why is <span class=\"math-container\" id=\"formula-1\""), "{html}");
    // Any post of the thread leads to the same page, every time.
    assert_eq!(render(&small, "12", Options::default()), html);
}

#[test]
fn links_lead_to_pages_or_nowhere() {
    let small = small_collection("links");
    let html = render(&small, "21", Options::default());
    assert!(html.contains("<span class=\"outside\" title=\"https://example.org/\">there</span>"), "{html}");
    assert!(html.contains("<h2>Duplicate of</h2>\n<ul>\n<li><a href=\"10.html\">Why is <span"), "{html}");
    assert!(html.contains("<li class=\"absent\">Not in the collection: 99</li>"), "{html}");
    let server = render(&small, "21", Options { links: Links::Server, ..Options::default() });
    assert!(server.contains("<a href=\"/thread/10\">"), "{server}");
    let none = render(&small, "21", Options { links: Links::None, ..Options::default() });
    assert!(!none.contains("<a href"), "{none}");
    let with = |_| Some("../x/y.html".to_owned());
    let with = render(&small, "21", Options { links: Links::With(&with), ..Options::default() });
    assert!(with.contains("<a href=\"../x/y.html\">"), "{with}");
}

#[test]
fn formulas_are_highlighted_by_id_and_by_look() {
    let small = small_collection("highlight");
    for (formulas, visuals, expected) in [
        (vec!["2"], vec![], vec!["formula-2"]),
        (vec![], vec![501], vec!["formula-1", "formula-3"]),
        (vec!["6"], vec![503], vec!["formula-4", "formula-6"]),
        (vec!["77"], vec![77], vec![]),
    ] {
        let highlight = Highlight {
            formulas: formulas.into_iter().map(str::to_owned).collect::<BTreeSet<_>>(),
            visuals: visuals.into_iter().collect(),
        };
        let html = render(&small, "10", Options { highlight, ..Options::default() });
        let found: Vec<&str> = html
            .split("<span class=\"math-container")
            .skip(1)
            .filter(|element| element.starts_with(" hit\"") || element.starts_with(" block hit\""))
            .filter_map(|element| element.split_once("id=\"")?.1.split('"').next())
            .collect();
        assert_eq!(found, expected);
        for anchor in expected {
            assert!(html.contains(&format!("<a href=\"#{anchor}\">")), "{anchor}");
        }
        assert!(html.contains(".hit{background:#FFFF00"));
    }
}
