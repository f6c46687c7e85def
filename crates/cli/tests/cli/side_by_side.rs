//! `hypatia answers`: what several runs answered, side by side on a page.

use crate::util::Dir;

const TOPICS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Topics>
<Topic number="A.1"><Title>Is &lt;span class="math-container" id="q_1"&gt;$2$&lt;/span&gt; even?</Title>
<Question>&lt;p&gt;Is it?&lt;/p&gt;</Question><Tags>parity,integers</Tags></Topic>
<Topic number="A.2"><Title>And three?</Title><Question>&lt;p&gt;Is it?&lt;/p&gt;</Question><Tags>parity</Tags></Topic>
</Topics>
"#;

fn page(dir: &Dir, more: &[&str]) -> String {
    let common = ["answers", "--topics", "topics.xml", "-o", "page.html"];
    let done = dir.run(&[&common[..], more].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    std::fs::read_to_string(dir.path().join("page.html")).unwrap()
}

fn folder(name: &str) -> Dir {
    let dir = Dir::new(name);
    dir.write("topics.xml", TOPICS);
    dir.write("us-long-name.tsv", "A.1\t1\t1\tus\tpost 77, and more\tYes: $2=2\\cdot 1$.\n");
    dir.write("them.tsv", "A.1\t1\t1\tthem\t78\tNo.\nA.2\t1\t1\tthem\tgenerated\tNo & <b>no</b>.\n");
    dir.write("task1.qrels", "A.1\t0\t77\t3\nA.1\t0\t79\t1\n");
    dir
}

#[test]
fn sources_are_found_among_words_and_said_to_be_not_judged() {
    let dir = folder("side-by-side-sources");
    let page = page(&dir, &["us-long-name.tsv", "them.tsv", "--qrels", "task1.qrels"]);
    let badge = "<span class=\"badge grade-3\" title=\"People gave post 77 the grade 3\">77 judged 3</span>";
    assert!(page.contains(badge), "{page}");
    assert_eq!(page.matches("sources not judged").count(), 2, "{page}");
    assert!(page.contains("sources: post 77, and more</p>"), "{page}");
    assert!(page.contains(">us-long-name</h3>") && page.contains("No answer."), "{page}");
}

#[test]
fn a_page_has_contents_tags_and_marks_and_loads_nothing() {
    let dir = folder("side-by-side-page");
    dir.write("us-long-name.tsv.json", r#"{ "system": "short", "kind": "extracted", "topics": 1 }"#);
    dir.write("them.tsv.json", r#"{ "system": "writer", "kind": "generated", "model": "oracle <1>" }"#);
    let page = page(&dir, &["us-long-name.tsv", "them.tsv"]);
    for expected in [
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline';",
        "<li><a href=\"#A.1\">A.1</a> Is <math",
        "<section id=\"A.1\">\n<h2><span class=\"number\">1. ",
        "<section id=\"A.2\">\n<h2><span class=\"number\">2. ",
        "<li>parity</li><li>integers</li>",
        "<h3 title=\"us-long-name.tsv\">short</h3>\n<div class=\"badges\"><span class=\"mark extracted\">extracted</span>",
        "<h3 title=\"them.tsv\">writer</h3>\n<div class=\"badges\"><span class=\"mark generated\">generated</span>",
        "<b>writer</b>, written by oracle &lt;1&gt;: 2 answers <span class=\"file\">them.tsv</span>",
        "<b>short</b>: 1 answer <span class=\"file\">us-long-name.tsv</span>",
        "2 questions, answered by:",
    ] {
        assert!(page.contains(expected), "{expected}\n{page}");
    }
    assert!(!page.contains("judged") && !page.contains("<script") && !page.contains("<b>no</b>"), "{page}");
    // A system that two runs share tells nothing apart.
    dir.write("them.tsv.json", r#"{ "system": "short", "kind": null }"#);
    let page = self::page(&dir, &["us-long-name.tsv", "them.tsv", "--limit", "1"]);
    assert!(page.contains(">us-long-name</h3>") && page.contains(">them</h3>"), "{page}");
    assert!(page.contains("1 of 2 questions") && !page.contains("id=\"A.2\""), "{page}");
}

#[test]
fn claims_of_generated_answers_are_tested_and_others_are_not() {
    let dir = folder("side-by-side-claims");
    dir.write("them.tsv", "A.1\t1\t1\tthem\tgenerated\tYes: $2+2=5$, $2=2$ and $f(x)=g(<b>)$.\n");
    let page = page(&dir, &["us-long-name.tsv", "them.tsv"]);
    assert_eq!(page.matches("Claims, tested with numbers").count(), 1, "{page}");
    let (_, claims) = page.split_once("Claims, tested with numbers").unwrap();
    let (claims, _) = claims.split_once("</details>").unwrap();
    assert!(claims.contains("<li><strong>failed</strong> "), "{claims}");
    assert!(claims.contains("<span class=\"quiet\">the left side is 4, the right side 5</span>"), "{claims}");
    assert!(claims.contains("<li><strong>checked</strong> ") && !claims.contains("<b>"), "{claims}");
}

#[test]
fn a_limit_of_nothing_is_refused() {
    let dir = folder("side-by-side-limit");
    let done = dir.run(&["answers", "them.tsv", "--topics", "topics.xml", "--limit", "0", "-o", "page.html"]);
    assert_eq!(done.code, 2, "{}", done.stderr);
    assert!(done.stderr.contains("--limit") && !dir.path().join("page.html").exists(), "{}", done.stderr);
}
