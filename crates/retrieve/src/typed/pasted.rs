//! Text that was pasted out of a web page, with its tags and entities.
//!
//! Tags become blanks, indices and powers become scripts, entities become their character. Every byte keeps its
//! place, so that places in the text are places in what was pasted.

use std::borrow::Cow;

/// Tags that become blanks.
const TAGS: [&str; 26] = [
    "a",
    "b",
    "blockquote",
    "br",
    "code",
    "div",
    "em",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "i",
    "img",
    "li",
    "ol",
    "p",
    "pre",
    "q",
    "small",
    "span",
    "strong",
    "table",
    "td",
    "tr",
    "ul",
];

/// The text without tags and entities, as long as it was.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let has_tags = text.contains("</") || text.contains("<br") || text.contains("<p>");
    if !has_tags && !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(found) = text[at..].find(['<', '&']) {
        plain.push_str(&text[at..at + found]);
        at += found;
        let rest = &text[at..];
        let read = if rest.starts_with('<') { tag(rest).filter(|_| has_tags) } else { entity(rest) };
        match read {
            Some((shown, length)) => {
                plain.push_str(&shown);
                plain.extend(std::iter::repeat_n(' ', length - shown.len()));
                at += length;
            }
            None => {
                plain.push_str(&rest[..1]);
                at += 1;
            }
        }
    }
    plain.push_str(&text[at..]);
    Cow::Owned(plain)
}

/// What a tag becomes, and its length.
fn tag(text: &str) -> Option<(String, usize)> {
    const LONGEST: usize = 400;
    let end = text.bytes().take(LONGEST).position(|byte| byte == b'>')? + 1;
    let inside = &text[1..end - 1];
    let (closes, inside) = inside.strip_prefix('/').map_or((false, inside), |inside| (true, inside));
    let name = inside.split([' ', '/', '\n']).next().unwrap_or_default().to_ascii_lowercase();
    let shown = match (name.as_str(), closes) {
        ("sub", false) => "_{",
        ("sup", false) => "^{",
        ("sub" | "sup", true) => "}",
        (name, _) if TAGS.contains(&name) => "",
        _ => return None,
    };
    Some((shown.to_owned(), end))
}

/// What an entity becomes, and its length.
fn entity(text: &str) -> Option<(String, usize)> {
    let (character, length) = markup::entity(text)?;
    let shown = if matches!(character, '\u{A0}' | '"') { ' ' } else { character }.to_string();
    (shown.len() <= length).then_some((shown, length))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn every_byte_keeps_its_place() {
        for (pasted, expected) in [
            ("a &lt; b", "a <    b"),
            ("<p>Let <i>n</i><sup>4</sup></p>", "   Let    n    ^{   4}         "),
            ("X<sub>1</sub>,&hellip;", "X_{   1}     ,…     "),
            ("a<b and c>d", "a<b and c>d"),
            ("<math><mi>x</mi></math>", "<math><mi>x</mi></math>"),
            ("R&D, a & b", "R&D, a & b"),
        ] {
            let found = plain(pasted);
            assert_eq!(found, expected);
            assert_eq!(found.len(), pasted.len());
        }
    }
}
