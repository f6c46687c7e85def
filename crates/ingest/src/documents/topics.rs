//! Topics in the text format of the sample collection.
//!
//! A topic begins with a line `=== topic A.1`, followed by lines `key: value`,
//! an empty line and a body in Markdown. These files are our own, so anything
//! unexpected in them is a mistake and not dirt.

use super::split_tags;

/// A topic of the sample collection, with what is said about it; texts that are not given are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleTopic {
    /// Its id, such as `A.1`.
    pub id: String,
    /// Its title, in Markdown.
    pub title: String,
    /// Its text, in Markdown.
    pub body: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// `Proof`, `Concept` or `Computation`: the value of `type`.
    pub kind: String,
    /// `Low`, `Medium` or `High`.
    pub difficulty: String,
    /// `Text`, `Formula` or `Both`.
    pub dependence: String,
    /// Questions of the collection that ask the same.
    pub duplicate_of: Vec<String>,
    /// The formula of its formula topic, as LaTeX.
    pub formula: String,
    /// `low`, `medium` or `high`, of the formula.
    pub complexity: String,
}

const MARKER: &str = "=== topic";

/// Whether a file that begins so holds topics.
pub(super) fn begins(start: &[u8]) -> bool {
    start.starts_with(b"=== topic ")
}

/// Reads the topics of a file.
///
/// ```
/// let topics = ingest::documents::read_topics("=== topic A.1\ntitle: Why?\n\nBecause.\n").unwrap();
/// assert_eq!((topics[0].id.as_str(), topics[0].body.as_str()), ("A.1", "Because."));
/// ```
///
/// # Errors
///
/// With the line, when something is not as it must be.
pub fn read_topics(text: &str) -> Result<Vec<SampleTopic>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut topics: Vec<SampleTopic> = Vec::new();
    let mut keys: Vec<&str> = Vec::new();
    let mut in_header = false;
    for (number, line) in text.lines().enumerate() {
        let fail = |reason: String| Err(format!("line {}: {reason}", number + 1));
        if let Some(id) = line.strip_prefix(MARKER) {
            let id = id.trim();
            if id.is_empty() || id.contains(char::is_whitespace) {
                return fail(format!("a topic's id is one word, not {id:?}"));
            }
            if topics.iter().any(|topic| topic.id == id) {
                return fail(format!("there are two topics {id}"));
            }
            if let Err(reason) = check_last(&topics) {
                return fail(reason);
            }
            topics.push(SampleTopic { id: id.to_owned(), ..SampleTopic::default() });
            keys.clear();
            in_header = true;
            continue;
        }
        let Some(topic) = topics.last_mut() else {
            if line.trim().is_empty() {
                continue;
            }
            return fail(format!("expected {MARKER} and an id"));
        };
        if !in_header {
            topic.body.push_str(line);
            topic.body.push('\n');
        } else if line.trim().is_empty() {
            in_header = false;
        } else {
            let Some((key, value)) = line.split_once(':') else {
                return fail("expected `key: value` or an empty line before the body".to_owned());
            };
            let (key, value) = (key.trim(), value.trim().to_owned());
            if keys.contains(&key) {
                return fail(format!("{key} is given twice"));
            }
            keys.push(key);
            match key {
                "title" => topic.title = value,
                "tags" => topic.tags = split_tags(&value),
                "type" => topic.kind = value,
                "difficulty" => topic.difficulty = value,
                "dependence" => topic.dependence = value,
                "duplicate-of" => topic.duplicate_of = split_tags(&value),
                "formula" => topic.formula = value,
                "complexity" => topic.complexity = value,
                _ => return fail(format!("unknown key {key}")),
            }
        }
    }
    check_last(&topics).map_err(|reason| format!("end of file: {reason}"))?;
    for topic in &mut topics {
        topic.body = topic.body.trim_matches('\n').trim_end().to_owned();
    }
    Ok(topics)
}

fn check_last(topics: &[SampleTopic]) -> Result<(), String> {
    match topics.last() {
        Some(topic) if topic.title.is_empty() => Err(format!("topic {} before it has no title", topic.id)),
        _ => Ok(()),
    }
}
