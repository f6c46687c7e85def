//! Topics of the sample collection.

use ingest::documents::{SampleTopic, read_topics};

const TOPIC: &str = "
=== topic A.1
title: Why?
tags: a b, c
type: Proof
difficulty: Medium
dependence: Both
duplicate-of: 101, 102
formula: \\sum_{n=1}^{\\infty} \\frac{1}{n}: x
complexity: low

Text

more

=== topic A.2
title: T
";

#[test]
fn topics_are_read() {
    let text = |text: &str| text.to_owned();
    let first = SampleTopic {
        id: text("A.1"),
        title: text("Why?"),
        body: text("Text\n\nmore"),
        tags: vec![text("a b"), text("c")],
        kind: text("Proof"),
        difficulty: text("Medium"),
        dependence: text("Both"),
        duplicate_of: vec![text("101"), text("102")],
        formula: text("\\sum_{n=1}^{\\infty} \\frac{1}{n}: x"),
        complexity: text("low"),
    };
    let second = SampleTopic { id: text("A.2"), title: text("T"), ..SampleTopic::default() };
    assert_eq!(read_topics(TOPIC), Ok(vec![first, second]));
    assert_eq!(read_topics(""), Ok(Vec::new()));
}

#[test]
fn mistakes_are_named_with_their_line() {
    for (text, expected) in [
        ("x", "line 1: expected === topic and an id"),
        ("=== topic\n", "line 1: a topic's id is one word, not \"\""),
        ("=== topic A\ntitle: x\n\n=== topic A\n", "line 4: there are two topics A"),
        ("=== topic A\n=== topic B", "line 2: topic A before it has no title"),
        ("=== topic A\n", "end of file: topic A before it has no title"),
        ("=== topic A\ntitle: x\nno key\n", "line 3: expected `key: value` or an empty line before the body"),
        ("=== topic A\ntitle: x\ntitle: y", "line 3: title is given twice"),
        ("=== topic A\ncolour: x", "line 2: unknown key colour"),
    ] {
        assert_eq!(read_topics(text), Err(expected.to_owned()));
    }
}
