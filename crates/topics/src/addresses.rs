//! Addresses in the texts of posts: in links, and typed as they are.

use std::ops::Range;

/// The next word from a place on that holds a slash, from `http` on where that stands in it, without the marks that
/// end a sentence; and where the word ends.
pub(crate) fn next_address(html: &str, at: usize) -> Option<(Range<usize>, usize)> {
    // An address holds none of these.
    let ends = |c: char| c.is_whitespace() || "\"<>()[]".contains(c) || c == markup::MARKER;
    let slash = at + html.get(at..)?.find('/')?;
    let word = html[at..slash].rfind(ends).map_or(at, |end| {
        let end = at + end;
        end + html[end..].chars().next().map_or(1, char::len_utf8)
    });
    let start = html[word..slash].find("http").map_or(word, |http| word + http);
    let end = html[slash..].find(ends).map_or(html.len(), |end| slash + end);
    let address = html[start..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
    Some((start..start + address.len(), end))
}
