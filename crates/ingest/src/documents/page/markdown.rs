//! Pages of Markdown: front matter between `---` lines, and the first heading.

use super::super::{split_tags, unquoted};
use super::Parts;

/// What a Markdown file says about itself, and its body.
///
/// A heading that is the title and stands before everything else is no part
/// of the body, so that its formulas are not there twice.
pub(super) fn parts(text: &str) -> Parts {
    let (mut parts, body) = match front_matter(text) {
        Some((header, body)) => (header_parts(header), body),
        None => (Parts::default(), text),
    };
    let mut cut = 0..0;
    if parts.title.is_none()
        && let Some((title, place)) = heading(body)
    {
        parts.title = Some(title);
        if body[..place.start].trim().is_empty() {
            cut = 0..place.end;
        }
    }
    let body = body[cut.end..].trim_end();
    // An indented first line may be code, so only whole lines are blank.
    let start = body.len() - body.trim_start().len();
    let start = body[..start].rfind('\n').map_or(0, |at| at + 1);
    body[start..].clone_into(&mut parts.body);
    parts
}

/// The lines between a first line `---` and the next, and what follows.
fn front_matter(text: &str) -> Option<(&str, &str)> {
    let (first, rest) = text.split_once('\n')?;
    if first.trim_end() != "---" {
        return None;
    }
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            // A file that begins with a rule across the page has text after it and no keys.
            let header = &rest[..at];
            let keys =
                header.lines().find(|line| !line.trim().is_empty()).is_none_or(|line| key(line).is_some());
            return keys.then(|| (header, &rest[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

fn key(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let plain =
        !key.is_empty() && key.chars().all(|char| char.is_alphanumeric() || matches!(char, '-' | '_'));
    plain.then(|| (key, value.trim()))
}

fn header_parts(header: &str) -> Parts {
    let mut parts = Parts::default();
    let mut lines = header.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((key, value)) = key(line) else { continue };
        let text = || Some(unquoted(value).to_owned()).filter(|text| !text.is_empty());
        match key.to_ascii_lowercase().as_str() {
            "title" => parts.title = text(),
            "id" => parts.id = text(),
            "date" => parts.date = text(),
            "tags" if value.is_empty() => {
                // A list with one tag a line.
                while let Some(tag) = lines.next_if(|line| line.trim_start().starts_with("- ")) {
                    let tag = unquoted(tag.trim_start()[2..].trim());
                    if !tag.is_empty() {
                        parts.tags.push(tag.to_owned());
                    }
                }
            }
            "tags" => parts.tags = split_tags(value),
            _ => {}
        }
    }
    parts
}

/// The first heading of the first level outside code, and its place with its line break.
fn heading(text: &str) -> Option<(String, std::ops::Range<usize>)> {
    let mut fence: Option<&str> = None;
    let mut at = 0;
    // The lines of the paragraph so far, and the first of them.
    let mut paragraph = (0, "", 0);
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let indent = line.len() - line.trim_start_matches(' ').len();
        let plain = line.trim();
        let marks = |mark: char| &plain[..plain.len() - plain.trim_start_matches(mark).len()];
        let run = if plain.starts_with('`') { marks('`') } else { marks('~') };
        if let Some(open) = fence {
            if run.starts_with(open) && run.len() == plain.len() {
                fence = None;
            }
            continue;
        }
        if run.len() >= 3 && indent < 4 {
            fence = Some(run);
            paragraph.0 = 0;
            continue;
        }
        if indent < 4 {
            if let Some(title) = plain.strip_prefix('#').filter(|rest| rest.starts_with([' ', '\t'])) {
                // Marks at the end of a heading are no part of it, if a blank stands before them.
                let open = title.trim_end_matches('#');
                let title = if open.ends_with([' ', '\t']) { open } else { title };
                return Some((title.trim().to_owned(), start..end));
            }
            // A single line underlined with `=`.
            let (lines, title, first) = paragraph;
            if lines == 1 && !plain.is_empty() && plain.bytes().all(|byte| byte == b'=') {
                return Some((title.to_owned(), first..end));
            }
        }
        paragraph = match paragraph {
            _ if plain.is_empty() => (0, "", 0),
            // Indented text is code, but not inside a paragraph.
            (0, _, _) if indent >= 4 => (0, "", 0),
            (0, _, _) => (1, plain, start),
            (lines, title, first) => (lines + 1, title, first),
        };
    }
    None
}
