//! Threads of questions, answers and comments.

use ingest::documents::Format;

use super::{Failing, items};

fn check(input: impl AsRef<[u8]>, expected: &[&str]) {
    super::check(Format::Threads, "a.md", input, expected);
}

#[test]
fn a_thread() {
    check(
        "\
=== question 101
title: Why does $\\sum 1/n$: grow?
tags: calculus, sequences and series
score: 14
date: 2014-03-02T09:15:00
owner: 12
views: 812
accepted: 102
duplicate-of: 120
related: 131, 140

First.

--- not an answer
=== question mark ===
--- answer me this

--- answer 102
score: −1

    code

... comment 7
owner: 12
score: 1

Short $x^2$.
... comment 8

Two.

=== question 120
",
        &[
            "question 0:1 101 accepted=102 score=14 date=2014-03-02T09:15:00.000 owner=12 views=812 tags=[\"calculus\", \"sequences and series\"] title=\"Why does $\\\\sum 1/n$: grow?\" \"First.\\n\\n--- not an answer\\n=== question mark ===\\n--- answer me this\"",
            "link 0:9 101 120 duplicate",
            "link 0:10 101 131 related",
            "link 0:10 101 140 related",
            "answer 0:18 102 parent=101 score=-1 \"    code\"",
            "comment 0:23 7 post=102 score=1 owner=12 \"Short $x^2$.\"",
            "comment 0:28 8 post=102 \"Two.\"",
            "question 0:32 120 \"\"",
        ],
    );
}

#[test]
fn line_ends_and_marks_of_other_systems() {
    check(
        "\u{feff}=== question 1\r\ntitle: T\r\n\r\nA\r\n\r\nB\r\n",
        &["question 0:1 1 title=\"T\" \"A\\n\\nB\""],
    );
}

#[test]
fn what_is_wrong_is_told() {
    check(
        "stray\nmore\n=== question 1\nscore: x\ndate: yesterday\nno key\ncolour: red\nscore: 3\n\nB\n",
        &[
            "! broken-row 0:1 [] stray",
            "question 0:3 1 \"B\"",
            "! broken-row 0:6 [post 1] no key",
            "! unknown-element 0:7 [post 1] colour",
            "! repeated-attribute 0:8 [post 1] score",
            "! bad-number 0:4 [post 1] score: x",
            "! bad-date 0:5 [post 1] yesterday",
        ],
    );
    check(
        "... comment 1\n\nA\n--- answer 2\ntitle: T\n\nB\n... comment 3\n\nC",
        &[
            "! orphan-comment 0:1 [comment 1]",
            "answer 0:4 2 \"B\"",
            "! unknown-element 0:5 [post 2] title",
            "comment 0:8 3 post=2 \"C\"",
        ],
    );
    check(
        "=== question\n\nA\n... comment 1\n\nB\n--- answer 2\n",
        &["! missing-id 0:1 [post]", "! orphan-comment 0:4 [comment 1]", "answer 0:7 2 \"\""],
    );
    check(
        b"=== question 1\n\na\xff\n\xfe\n",
        &["question 0:1 1 \"a\u{fffd}\\n\u{fffd}\"", "! bad-encoding 0:1 [post 1]"],
    );
    check("", &[]);
}

#[test]
fn a_file_that_fails_loses_only_what_is_not_whole() {
    let (found, result) = items(Format::Threads, "a", Failing(b"=== question 1\n\nA\n--- answer 2\n\nB"));
    let expected = ["question 0:1 1 \"A\"", "! cut-short 0:4 [post 2] damaged gzip: it ends too early"];
    assert_eq!(found, expected);
    assert!(result.is_err());
}
