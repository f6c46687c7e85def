//! Small words of a page: anchors, names, counts.

use crate::escape::push_text;
use store::{Id, PostKind};

/// What stands between facts.
pub(super) const SEPARATOR: &str = " <span class=\"dot\" aria-hidden=\"true\">·</span> ";

/// The anchor of something; an anchor holds no blanks.
pub(super) fn anchor(kind: &str, id: Id<'_>) -> String {
    let id = id.to_string().replace(|c: char| c.is_whitespace() || c.is_control(), "_");
    format!("{kind}-{id}")
}

/// What a post is called when it has no title, escaped.
pub(super) fn label(kind: PostKind, id: Id<'_>) -> String {
    let kind = match kind {
        PostKind::Question => "Question",
        PostKind::Answer => "Answer",
        PostKind::Document => "Document",
    };
    let mut out = format!("{kind} ");
    push_text(&id.to_string(), &mut out);
    out
}

pub(super) fn score(score: i32) -> String {
    format!("score {}", score.to_string().replace('-', "−"))
}

/// `1 answer`, `2 answers`.
pub(super) fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
