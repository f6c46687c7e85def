//! Lines of JSON.

use ingest::documents::{Format, LIMIT};

use super::{Failing, items};

fn check(input: impl AsRef<[u8]>, expected: &[&str]) {
    super::check(Format::Jsonl, "a.jsonl", input, expected);
}

#[test]
fn posts() {
    check(r#"{"id": 17, "body": "Text"}"#, &[r#"document 0:1 17 "Text""#]);
    check(r#"{"id": " x/y ", "kind": null}"#, &[r#"document 0:1 x/y """#]);
    check(
        r#"{"kind":"question","id":1,"accepted":2,"title":"T $x$","body":"B","markup":"html","tags":["a b","c"],"score":-3,"date":"2014-03-02","owner":"u","views":7,"other":[1]}"#,
        &[
            r#"question 0:1 1 accepted=2 markup=Html score=-3 date=2014-03-02T00:00:00.000 owner=u views=7 tags=["a b", "c"] title="T $x$" "B""#,
        ],
    );
    check(
        "\u{feff}{\"kind\": \"post\", \"id\": 1}\r\n\r\n{\"kind\": \"post\", \"id\": 2, \"parent\": \"1\", \"score\": \"5\"}",
        &["question 0:1 1 \"\"", "answer 0:3 2 parent=1 score=5 \"\""],
    );
    check(r#"{"kind": "answer", "id": 2, "markup": "latex"}"#, &[r#"answer 0:1 2 markup=Latex """#]);
}

#[test]
fn comments_links_and_users() {
    check(
        r#"{"kind":"comment","id":7,"post":1,"text":"T","score":1,"date":"2014-03-02T09:15:00","owner":3,"markup":"text"}"#,
        &[r#"comment 0:1 7 post=1 markup=Text score=1 date=2014-03-02T09:15:00.000 owner=3 "T""#],
    );
    check(r#"{"kind":"comment","id":7,"post":1,"body":"T"}"#, &[r#"comment 0:1 7 post=1 "T""#]);
    check(r#"{"kind":"link","from":1,"to":"2"}"#, &["link 0:1 1 2 related"]);
    check(
        r#"{"kind":"link","from":1,"to":2,"link":"duplicate","date":"2014-03-02"}"#,
        &["link 0:1 1 2 duplicate date=2014-03-02T00:00:00.000"],
    );
    check(r#"{"kind":"user","id":3,"name":"Sophie"}"#, &[r#"user 0:1 3 "Sophie""#]);
}

#[test]
fn tags_as_texts() {
    for (tags, expected) in [
        ("<a-b><c>", r#"["a-b", "c"]"#),
        ("|a|b|", r#"["a", "b"]"#),
        ("linear algebra, rings", r#"["linear algebra", "rings"]"#),
        ("a  b", r#"["a", "b"]"#),
        ("a", r#"["a"]"#),
    ] {
        check(format!(r#"{{"id":1,"tags":"{tags}"}}"#), &[&format!("document 0:1 1 tags={expected} \"\"")]);
    }
}

#[test]
fn what_is_wrong_is_told() {
    for (line, expected) in [
        ("{", "! broken-row 0:1 [] column 1: {"),
        ("[1]", "! broken-row 0:1 [] column 0: [1]"),
        ("{\"id\": 1} x", "! broken-row 0:1 [] column 11: {\"id\": 1} x"),
        ("{}", "! missing-id 0:1 [] no id"),
        (r#"{"id": " "}"#, "! missing-id 0:1 [] no id"),
        (r#"{"id": 1.5}"#, "! bad-id 0:1 [] id is 1.5"),
        (r#"{"id": 1, "kind": "wiki"}"#, "! other-kind 0:1 [] wiki"),
        (r#"{"id": 1, "body": 5}"#, "! broken-row 0:1 [post 1] body is not a text: 5"),
        (
            r#"{"id": 1, "markup": "rst"}"#,
            "! broken-row 0:1 [post 1] unknown markup rst: not markdown, html, latex or text",
        ),
        (r#"{"kind": "comment", "id": 1}"#, "! orphan-comment 0:1 [comment 1] it names no post"),
        (r#"{"kind": "link", "from": 1}"#, "! missing-id 0:1 [link] no to"),
        (r#"{"kind": "link", "from": 1, "to": 2, "link": 3}"#, "! other-link-kind 0:1 [link 1 2] 3"),
    ] {
        check(format!("{line}\n{{\"id\": 2}}\n"), &[expected, "document 0:2 2 \"\""]);
    }
}

#[test]
fn what_is_wrong_in_fields_that_may_be_missing_is_taken_as_missing() {
    check(
        r#"{"id":1,"score":"x","views":-1,"date":20140302,"owner":[],"tags":["a",[],"b"],"id":2}"#,
        &[
            r#"document 0:1 1 tags=["a", "b"] """#,
            "! repeated-attribute 0:1 [] id",
            "! bad-tags 0:1 [post 1] []",
            "! bad-number 0:1 [post 1] score: \"x\"",
            "! bad-date 0:1 [post 1] 20140302",
            "! bad-number 0:1 [post 1] owner: []",
            "! bad-number 0:1 [post 1] views: -1",
        ],
    );
    check(r#"{"id":1,"tags":5}"#, &[r#"document 0:1 1 """#, "! bad-tags 0:1 [post 1] 5"]);
    check(
        b"{\"id\":1,\"body\":\"a\xffb\xfe\"}",
        &["document 0:1 1 \"a\u{fffd}b\u{fffd}\"", "! bad-encoding 0:1 [post 1]"],
    );
}

#[test]
fn files_that_end_early() {
    check(
        "{\"id\":1}\n{\"id\":2, \"bo",
        &["document 0:1 1 \"\"", "! cut-short 0:2 [] column 12: {\"id\":2, \"bo"],
    );
    let (found, result) = items(Format::Jsonl, "a", Failing(b"{\"id\":1}\n{\"id\""));
    assert_eq!(found, ["document 0:1 1 \"\""]);
    assert_eq!(result.unwrap_err().to_string(), "damaged gzip: it ends too early");
}

#[test]
fn lines_that_are_too_long_are_skipped() {
    let long = format!("{{\"id\": 1, \"body\": \"{}\"}}\n{{\"id\": 2}}\n", "x".repeat(LIMIT));
    let (found, result) = items(Format::Jsonl, "a", long.as_bytes());
    result.unwrap();
    assert_eq!(found.len(), 2);
    assert!(found[0].starts_with("! too-long 0:1 [] {\"id\": 1, \"body\": \"xxx"));
    assert_eq!(found[1], "document 0:2 2 \"\"");
}

#[test]
fn deep_nesting_is_a_broken_row() {
    let deep = format!("{{\"id\": 1, \"x\": {}", "[".repeat(100_000));
    let (found, _) = items(Format::Jsonl, "a", deep.as_bytes());
    assert!(found.len() == 1 && found[0].starts_with("! broken-row"), "{found:?}");
}
