//! Pages of HTML and XHTML: where title and body are. Their contents stay as they are.

use super::Parts;

/// Whether there is a `math` element, which makes a page one of an NTCIR-like collection.
pub(super) fn has_math(text: &str) -> bool {
    tags(text).any(|tag| tag.is("math") || tag.is("m:math") || tag.is("mml:math"))
}

/// Title and body of a page; without `<body>` all of it is its body.
pub(super) fn parts(text: String) -> Parts {
    let mut title = None;
    let mut body = None;
    let mut end = text.len();
    for tag in tags(&text) {
        if tag.is("title") && title.is_none() && body.is_none() {
            let inside = tag.inside().unwrap_or("");
            title = Some(inside.split_whitespace().collect::<Vec<_>>().join(" "));
        } else if tag.is("body") && body.is_none() {
            body = Some(text.len() - tag.after().len());
        } else if tag.is("/body") {
            end = tag.start;
        }
    }
    let body = match body {
        Some(start) if start <= end => text[start..end].trim().to_owned(),
        Some(start) => text[start..].trim().to_owned(),
        None => text,
    };
    Parts { title, body, ..Parts::default() }
}

/// A tag, from its `<` on.
struct Tag<'a> {
    start: usize,
    /// Everything from its name on.
    rest: &'a str,
}

impl<'a> Tag<'a> {
    /// Whether it has this name, in small letters or capitals; an end has a `/` before it.
    fn is(&self, name: &str) -> bool {
        let own = self.rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        own && self.rest[name.len()..]
            .chars()
            .next()
            .is_none_or(|next| next.is_whitespace() || matches!(next, '>' | '/'))
    }

    /// What comes after it.
    fn after(&self) -> &'a str {
        let mut quote = None;
        for (at, byte) in self.rest.bytes().enumerate() {
            match (quote, byte) {
                (None, b'>') => return &self.rest[at + 1..],
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(open), _) if open == byte => quote = None,
                _ => {}
            }
        }
        // A quote that never ends is no quote.
        self.rest.split_once('>').map_or("", |(_, after)| after)
    }

    /// What stands between it and the next end of an element with text only.
    fn inside(&self) -> Option<&'a str> {
        let after = self.after();
        after.find("</").map(|end| &after[..end])
    }
}

/// The tags of a text, without those in comments, CDATA, scripts and styles.
fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + memchr::memchr(b'<', &text.as_bytes()[at..])?;
            let rest = &text[start + 1..];
            at = start + 1;
            // Without its end the rest of the file is a comment.
            let skip = |end: &str| rest.find(end).map(|found| start + 1 + found);
            if rest.starts_with("!--") {
                at = skip("-->")?;
                continue;
            }
            if rest.starts_with("![CDATA[") {
                at = skip("]]>")?;
                continue;
            }
            let tag = Tag { start, rest };
            if let Some(raw) = ["script", "style"].into_iter().find(|name| tag.is(name)) {
                at = start + 1 + end_of_raw(rest, raw)?;
                continue;
            }
            return Some(tag);
        }
    })
}

/// Where `</script` stands after `<script`; a tag that closes itself has no inside.
fn end_of_raw(rest: &str, name: &str) -> Option<usize> {
    let tag_end = memchr::memchr(b'>', rest.as_bytes())?;
    if rest[..tag_end].ends_with('/') {
        return Some(tag_end);
    }
    let mut at = tag_end;
    loop {
        let start = at + rest[at..].find("</")?;
        let found = Tag { start, rest: &rest[start + 2..] };
        if found.is(name) {
            return Some(start + 1);
        }
        at = start + 2;
    }
}
