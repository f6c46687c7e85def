//! The pages over the sample and over posts that mean harm: what they hold, where links lead, what never
//! becomes markup.

use crate::common;

use common::Site;
use std::collections::BTreeSet;

/// Pages of all kinds.
const PAGES: &[&str] = &[
    "/",
    "/help",
    "/ask",
    "/search",
    "/search?q=",
    "/search?q=matrix",
    "/search?q=eigenvalues+%22symmetric+matrix%22+score:%3E2",
    "/search?q=integral&view=posts&page=2",
    "/search?q=prove&f=a^2%2Bb^2%5Cge+2ab",
    "/search?f=a^2%2Bb^2%5Cge+2ab&view=formulas",
    "/search?f=%5Cfrac%7B?a%7D%7B?b%7D&view=formulas&page=2",
    "/search?q=words+only&view=formulas",
    "/search?q=polynomal",
    "/search?q=%24%5Cfoo%7B%24",
    "/search?q=matrix&page=99999999999999999999",
    "/search?q=matrix&page=900",
    "/search?q=matrix&system=bm25",
    "/search?q=tag:calculus+answers:0",
    "/preview?q=%24x%24",
    "/ask?title=Why+does+%24%5Csum+1/n%24+diverge&body=I+*know*+%24%241%2B1%24%24&tags=series&system=bm25&system=search",
    "/ask/preview?title=x&body=%24y%24",
    "/answer",
    "/answer?q=Why+is+%24%5Csqrt+2%24+irrational?&system=hypatia-extract&system=first-answer",
    "/answer?title=x&body=%24y%24&tags=series&system=nothing",
    "/answer/part?q=Why+is+%24%5Csqrt+2%24+irrational?",
    "/search?q=why+is+the+square+root+of+two+irrational",
    "/thread/1",
    "/post/2",
    "/nothing",
    "/formula/18446744073709551615",
    "/formula/x",
    "/thread/x%20y",
    "/search?q=x&system=nothing",
    "/ask?title=x&system=nothing",
];

/// What no page may hold, and what each must.
fn check(path: &str, html: &str) {
    for never in [
        " style=",
        "<style",
        "<script>",
        "javascript:",
        "onclick",
        "onerror",
        "{{",
        "{%",
        "&amp;amp;",
        "&amp;lt;",
    ] {
        assert!(!html.contains(never), "{never} in {path}");
    }
    for script in html.split("<script").skip(1) {
        assert!(script.starts_with(" type=\"module\" src=\"/static/"), "{path}");
    }
    let mut ids = BTreeSet::new();
    for tag in html.split('<').filter_map(|part| part.split('>').next()) {
        if let Some((_, rest)) = tag.split_once(" id=\"") {
            let id = rest.split('"').next().unwrap();
            assert!(ids.insert(id.to_owned()), "{id} is there twice in {path}");
        }
        for attribute in [" href=\"", " src=\"", " action=\""] {
            if let Some((_, rest)) = tag.split_once(attribute) {
                assert!(rest.starts_with(['/', '#']) && !rest.starts_with("//"), "{tag} in {path}");
            }
        }
    }
    for (open, close) in [("<a ", "</a>"), ("<li", "</li>"), ("<section", "</section>"), ("<math", "</math>")]
    {
        let opened =
            html.matches(open).count() - if open == "<li" { html.matches("<link").count() } else { 0 };
        assert_eq!(opened, html.matches(close).count(), "{open} in {path}");
    }
    if html.starts_with("<!DOCTYPE") {
        assert_eq!(html.matches("<h1").count(), 1, "{path}");
        assert_eq!(html.matches("<main").count(), 1, "{path}");
    }
    assert!(html.len() < 100_000, "{path} has {} bytes", html.len());
    links(path, html);
}

/// No link stands in a link.
fn links(path: &str, html: &str) {
    let mut open = false;
    for tag in html.split('<').skip(1) {
        if tag.starts_with("a ") {
            assert!(!open, "a link in a link at <{} in {path}", &tag[..tag.len().min(120)]);
            open = true;
        } else if tag.starts_with("/a>") {
            open = false;
        }
    }
}

#[tokio::test]
async fn every_page_is_whole() {
    let site = Site::sample("pages-whole");
    for path in PAGES {
        let answer = site.get(path).await;
        assert!(answer.status.as_u16() < 500, "{path}: {}", answer.status);
        assert!(answer.header("content-type").starts_with("text/html"), "{path}");
        check(path, &answer.text());
    }
}

#[tokio::test]
async fn pages_answer_what_is_asked() {
    let site = Site::sample("pages-asked");
    for (path, status, parts) in [
        (
            "/",
            200,
            &[
                "<title>Hypatia · search for mathematics</title>",
                "distinct formulas in this index",
                "href=\"/search?f=a%5E2%2Bb%5E2%5Cge+2ab&#38;view=formulas\"",
            ][..],
        ),
        (
            "/search?q=eigenvalues",
            200,
            &[
                "<title>eigenvalues · Hypatia</title>",
                "aria-label=\"Results\"",
                "Why this matched",
                "<mark>",
                "aria-label=\"Filters\"",
            ],
        ),
        (
            "/search?q=polynomal",
            200,
            &["Showing results for <strong>polynomial</strong>", "/search?q=polynomal&#38;read=literal"],
        ),
        (
            "/search?q=polynomal&read=literal",
            200,
            &[
                "Did you mean <a href=\"/search?q=polynomial&#38;read=literal\">polynomial?</a>",
                "Nothing was found",
            ],
        ),
        ("/search?q=tag:geometry+answers:0", 200, &["Search without it", "Remove the filter answers:0"]),
        ("/search?q=matrix&view=formulas", 200, &["There is no formula in the query"]),
        ("/search", 200, &["What are you looking for?"]),
        ("/search?f=a^2%2Bb^2%5Cge+2ab&view=formulas", 200, &["% alike", "/formula/", "hyp-renamed"]),
        ("/search?q=%24a%5Cfoo%24", 200, &["<mark class=\"mistake\">\\foo</mark>", "unknown command \\foo"]),
        ("/search?q=x&system=nothing", 400, &["There is no system"]),
        ("/thread/1", 200, &["id=\"post-1\"", "href=\"/formula/"]),
        ("/post/2", 200, &["The whole thread"]),
        ("/thread/none", 404, &["Not found"]),
        ("/formula/none", 404, &["Not found"]),
        ("/ask", 200, &["hypatia-classic-1", "type=\"checkbox\"", "checked"]),
        (
            "/ask?title=eigenvalues+of+a+symmetric+matrix&system=bm25&system=search",
            200,
            &["side-2", "Answers from bm25", " in search"],
        ),
        ("/help", 200, &["id=\"keys\"", "/search?q=tag:calculus"]),
        ("/opensearch.xml", 200, &["<ShortName>Hypatia</ShortName>"]),
    ] {
        let answer = site.get(path).await;
        assert_eq!(answer.status, status, "{path}");
        let text = answer.text();
        for part in parts {
            assert!(text.contains(part), "{part} is not in {path}:\n{text}");
        }
    }
}

/// All places that links of a page lead to.
fn targets(html: &str) -> Vec<String> {
    let links = html.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.map(|link| link.replace("&#38;", "&").replace("&amp;", "&")).collect()
}

#[tokio::test]
async fn links_lead_somewhere_and_keep_the_search() {
    let site = Site::sample("pages-links");
    let start = "/search?q=matrix+tag:linear-algebra&f=A%5E%7B-1%7D&view=posts&system=search";
    let page = site.get(start).await.text();
    let mut seen = BTreeSet::new();
    for link in targets(&page) {
        if link.starts_with('#') || !seen.insert(link.clone()) {
            continue;
        }
        let answer = site.get(link.split('#').next().unwrap()).await;
        assert!(
            answer.status.is_success() || answer.status.is_redirection() || link == "/api",
            "{link}: {}",
            answer.status
        );
    }
    // Tabs, pages, filters and chips keep everything else.
    for (class, keeps) in [
        ("class=\"tabs\"", &["q=matrix+tag:linear-algebra", "f=A%5E%7B-1%7D", "system=search"][..]),
        ("class=\"chips\"", &["q=matrix&", "f=A%5E%7B-1%7D", "view=posts", "system=search"]),
        ("class=\"filters\"", &["q=matrix", "f=A%5E%7B-1%7D", "view=posts", "system=search"]),
    ] {
        let part = page.split(class).nth(1).unwrap_or_else(|| panic!("no {class} in {page}"));
        let part = part.split(if class.contains("filters") { "</aside>" } else { "</ul>" }).next().unwrap();
        let links = targets(part);
        assert!(!links.is_empty(), "{class}");
        for link in links {
            for kept in keeps {
                assert!(link.contains(kept), "{kept} is not in {link} of {class}");
            }
        }
    }
}

#[tokio::test]
async fn nothing_from_people_becomes_markup() {
    let site = Site::small("pages-hostile");
    for hostile in [
        "%3Cscript%3Ealert(1)%3C/script%3E",
        "%22%3E%3Cimg+src=x+onerror=alert(1)%3E",
        "%24%3Cscript%3E%24",
        "%24%5Ctext%7B%3C/math%3E%3Cb%3E%7D%24",
        "%22+autofocus+onfocus=alert(1)+x=%22",
        "%00%01%EF%BF%BE%E2%80%AE",
        "%FF%FE",
        "tag:%3Cb%3E",
        "[%22%3E%3Cb%3E]",
    ] {
        for path in [
            format!("/search?q={hostile}"),
            format!("/search?f={hostile}"),
            format!("/search?q={hostile}&f={hostile}&view=formulas"),
            format!("/search?q=square&system={hostile}"),
            format!("/search?q=square&view={hostile}&page={hostile}"),
            format!("/preview?q={hostile}&f={hostile}"),
            format!("/ask?title={hostile}&body={hostile}&tags={hostile}"),
            format!("/ask?title=x&system={hostile}"),
            format!("/ask/preview?title={hostile}&body={hostile}"),
            format!("/answer?q={hostile}+square&f={hostile}&title={hostile}&body={hostile}&tags={hostile}"),
            format!("/answer/part?q=square+{hostile}"),
            format!("/answer?q=x&system={hostile}"),
            format!("/search?q=why+square+{hostile}"),
            format!("/thread/{hostile}"),
            format!("/formula/{hostile}"),
            format!("/thread/1?hl={hostile}"),
            format!("/{hostile}"),
        ] {
            let answer = site.get(&path).await;
            assert!(answer.status.as_u16() < 500, "{path}: {}", answer.status);
            let html = answer.text();
            for never in ["<script>", "<img", "\"><b>", "</math><b", "\" onerror"] {
                assert!(!html.contains(never), "{never} in {path}:\n{html}");
            }
            for script in html.split("<script").skip(1) {
                assert!(script.starts_with(" type=\"module\" src=\"/static/"), "{path}");
            }
            for tag in html.split('<').skip(1).filter_map(|part| part.split('>').next()) {
                // Every other piece stands between quotation marks.
                let names: String = tag.split('"').step_by(2).collect();
                assert!(!names.contains("onfocus") && !names.contains("onerror"), "{tag} in {path}");
            }
        }
    }
    // Titles and texts of posts, too.
    for path in ["/thread/3", "/post/3", "/search?q=sums", "/search?q=square&view=posts"] {
        let html = site.get(path).await.text();
        assert!(!html.contains("<script>") && !html.contains("Sophie <b>"), "{path}");
        check(path, &html);
    }
}

#[tokio::test]
async fn long_queries_are_no_trouble() {
    let site = Site::small("pages-long");
    for (path, status) in [
        (format!("/search?q={}", "(".repeat(9_000)), 200),
        (format!("/search?f={}", "%5E".repeat(9_000)), 200),
        (format!("/search?f={}&view=formulas", "%7B".repeat(9_000)), 200),
        (format!("/preview?f={}", "%5Cfrac".repeat(1_400)), 200),
        (format!("/search?q={}", "x".repeat(20_000)), 400),
        (format!("/ask?body={}", "%24x".repeat(4_000)), 200),
        (format!("/ask?body={}", "x".repeat(20_001)), 400),
    ] {
        let answer = site.get(&path).await;
        assert_eq!(answer.status, status, "{}", &path[..40]);
        assert!(answer.body.len() < 300_000, "{} bytes for {}", answer.body.len(), &path[..40]);
    }
}

#[tokio::test]
async fn files_are_kept_for_ever_and_small() {
    let site = Site::small("pages-files");
    let home = site.get("/").await.text();
    let mut files: Vec<String> =
        targets(&home).into_iter().filter(|link| link.starts_with("/static/")).collect();
    files.extend(home.split(" src=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(String::from));
    assert_eq!(files.len(), 3, "{files:?}");
    let folder = files[0].rsplit_once('/').unwrap().0.to_owned();
    let mut size = 0;
    for name in [
        "style.css",
        "main.js",
        "preview.js",
        "palette.js",
        "slots.js",
        "complete.js",
        "copy.js",
        "wide.js",
        "keys.js",
        "answer.js",
    ] {
        let answer = site.get(&format!("{folder}/{name}")).await;
        assert_eq!(answer.status, 200, "{name}");
        assert!(answer.header("cache-control").contains("immutable"), "{name}");
        size += answer.body.len();
    }
    assert!(size < 80_000, "{size} bytes of styles and scripts");
    let font = site.get(&format!("{folder}/hypatia-math.woff2")).await;
    assert_eq!((font.header("content-type"), &font.body[..4]), ("font/woff2", b"wOF2".as_slice()));
    assert!(font.header("cache-control").contains("immutable"));
    assert!(font.body.len() < 300_000, "{} bytes of a font", font.body.len());
    let palette = site.json(&format!("{folder}/palette.json")).await;
    assert!(palette.as_array().unwrap().len() > 8);
    assert_eq!(site.get("/static/0/style.css").await.header("cache-control"), "no-cache");
    assert_eq!(site.get(&format!("{folder}/none.js")).await.status, 404);
}
