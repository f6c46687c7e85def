//! Pages of LaTeX: where the title is. The whole file is the body, since its macros may matter.

use super::Parts;

/// Title and body of a LaTeX file.
pub(super) fn parts(text: String) -> Parts {
    Parts { title: title(&text), body: text, ..Parts::default() }
}

/// The argument of the first `\title` outside comments.
fn title(text: &str) -> Option<String> {
    let mut rest = text;
    loop {
        let at = rest.find(['\\', '%'])?;
        if rest[at..].starts_with('%') {
            rest = rest[at..].split_once('\n')?.1;
            continue;
        }
        let after = &rest[at + 1..];
        if let Some(mut argument) = after.strip_prefix("title").map(str::trim_start) {
            // A bracket that is never closed ends the search, or many of them would take long.
            if let Some(optional) = argument.strip_prefix('[') {
                argument = optional[balanced(optional, '[', ']')?.len() + 1..].trim_start();
            }
            if let Some(argument) = argument.strip_prefix('{') {
                return balanced(argument, '{', '}').map(without_comments);
            }
        }
        // What follows a backslash is no comment: `\%`.
        let escaped = after.chars().next()?;
        rest = &after[escaped.len_utf8()..];
    }
}

/// The text up to the bracket that closes the one before it.
fn balanced(text: &str, open: char, close: char) -> Option<&str> {
    let mut depth = 0usize;
    let mut escaped = false;
    for (at, char) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if char == '\\' {
            escaped = true;
        } else if char == open {
            depth += 1;
        } else if char == close {
            if depth == 0 {
                return Some(&text[..at]);
            }
            depth -= 1;
        }
    }
    None
}

/// One line without comments.
fn without_comments(text: &str) -> String {
    let mut words = Vec::new();
    for line in text.lines() {
        let comment = line
            .char_indices()
            .find(|(at, char)| *char == '%' && !line[..*at].ends_with('\\'))
            .map_or(line.len(), |(at, _)| at);
        words.extend(line[..comment].split_whitespace());
    }
    words.join(" ")
}
