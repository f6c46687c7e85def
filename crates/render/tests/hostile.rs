//! Pages of a collection that was made to do harm do none.

use crate::support;

use render::{Links, Options, Page};
use support::{HOSTILE, HOSTILE_FORMULAS, check_page, hostile_collection};

#[test]
fn the_reader_of_pages_is_strict() {
    let (head, tail) = ("<!DOCTYPE html><html><style></style><body>", "</body></html>");
    let check = |body: &str| check_page(&format!("{head}{body}{tail}"));
    assert_eq!(check("<p class=\"x\">a &lt; b</p><br>").unwrap(), ["html", "style", "body", "p", "br"]);
    for bad in [
        "<script>",
        "<p onclick=\"x\">a</p>",
        "<a href=\"javascript:x\">a</a>",
        "<a href=\"https://x.org\">a</a>",
        "<a href=\"//x.org\">a</a>",
        "<p class=x>a</p>",
        "<p>a",
        "a</p>",
        "a < b",
        "<P>a</P>",
        "<style></style>",
        "<p style=\"background:url(x)\">a</p>",
        "<p id=\"main\">a</p>",
    ] {
        assert!(check(bad).is_err(), "{bad}");
    }
}

#[test]
fn nothing_hostile_comes_through() {
    let (collection, _folder) = hostile_collection("hostile");
    for links in [Links::Files, Links::Server, Links::None] {
        let page = Page::new(&collection, Options { links, ..Options::default() });
        for post in collection.posts() {
            let html = page.render(&mut collection.reader(), post).unwrap();
            let elements = check_page(&html).unwrap_or_else(|complaint| panic!("{complaint}\n{html}"));
            assert!(elements.len() > 10);
        }
    }
}

#[test]
fn the_thread_keeps_its_shape() {
    let (collection, _folder) = hostile_collection("shape");
    let page = Page::new(&collection, Options::default());
    let html = page.render(&mut collection.reader(), collection.find_post("1").unwrap()).unwrap();
    let elements = check_page(&html).unwrap();
    let count = |name: &str| elements.iter().filter(|element| *element == name).count();
    assert_eq!(count("article"), HOSTILE.len() + 1);
    assert_eq!(count("h1"), 1);
    assert_eq!(html.matches("<li id=\"comment-").count(), HOSTILE.len());
    // Words that were hidden are seen, and those of scripts are not.
    assert!(html.contains("<p>all over the page</p>"));
    assert!(html.contains("<span>hidden words</span>"));
    assert_eq!(html.matches("class=\"unseen\"").count(), HOSTILE.len());
}

#[test]
fn parts_of_pages_are_as_harmless() {
    let (collection, _folder) = hostile_collection("parts");
    let page = Page::new(&collection, Options::default());
    let mut reader = collection.reader();
    let check = |part: String| {
        let html = format!("<!DOCTYPE html><html><style></style><body>{part}</body></html>");
        check_page(&html).unwrap_or_else(|complaint| panic!("{complaint}\n{part}"));
    };
    for post in collection.posts() {
        check(page.post(&mut reader, post).unwrap());
    }
    for comment in collection.comments() {
        check(page.comment(&mut reader, comment).unwrap());
    }
    for formula in collection.formulas() {
        check(page.formula(&mut reader, formula).unwrap());
    }
    assert!(collection.num_formulas() as usize > HOSTILE_FORMULAS.len());
}
