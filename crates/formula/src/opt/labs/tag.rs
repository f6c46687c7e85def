//! What the tags of a layout tree say.

use crate::slt::{Slt, SltId};

/// The prefix of a tag and the rest; `None` for an operator.
pub(super) fn split_tag(tag: &str) -> Option<(&str, &str)> {
    let is_prefix = |prefix: &&str| matches!(prefix.as_bytes(), [b'A'..=b'Z', b'!']);
    tag.split_at_checked(2).filter(|(prefix, _)| is_prefix(prefix))
}

/// Whether what hangs over or under a symbol is an accent or the like.
pub(super) fn is_mark(slt: &Slt, id: SltId) -> bool {
    let known = matches!(
        slt.tag(id),
        "¯" | "ˉ"
            | "‾"
            | "^"
            | "ˆ"
            | "~"
            | "˜"
            | "∼"
            | "→"
            | "←"
            | "↔"
            | "˙"
            | "¨"
            | "⃛"
            | "ˇ"
            | "˘"
            | "´"
            | "`"
            | "˚"
            | "⏞"
            | "⏟"
            | "⏜"
            | "⏝"
            | "⎴"
            | "⎵"
            | "_"
            | "⇀"
            | "⃗"
            | "..."
            | "…"
    );
    known && !slt.has_children(id)
}

/// The opening and closing signs in the tag of a group.
pub(super) fn delimiters(tag: &str) -> (&str, &str) {
    let signs = tag.strip_prefix("M!").unwrap_or_default();
    let end = signs.find(|c: char| c.is_ascii_digit()).unwrap_or(signs.len());
    let signs = &signs[..end];
    match signs {
        "" => ("", ""),
        "||||" => ("||", "||"),
        _ => {
            let open = match signs.strip_prefix('&').and_then(|rest| rest.find(';')) {
                Some(length) => length + 2,
                None => signs.chars().next().map_or(0, char::len_utf8),
            };
            let (open, close) = signs.split_at(open);
            let spelled = |sign: &'_ str| match sign {
                "&lsqb;" => "[",
                "&rsqb;" => "]",
                _ => "",
            };
            let (spelled_open, spelled_close) = (spelled(open), spelled(close));
            (
                if spelled_open.is_empty() { open } else { spelled_open },
                if spelled_close.is_empty() { close } else { spelled_close },
            )
        }
    }
}

/// Rows and columns in the tag of a group.
pub(super) fn size(tag: &str) -> (u32, u32) {
    let digits = tag.find(|c: char| c.is_ascii_digit()).map_or("", |at| &tag[at..]);
    let (rows, columns) = digits.split_once('x').unwrap_or(("", ""));
    (rows.parse().unwrap_or(0), columns.parse().unwrap_or(0))
}
