//! What the tag of a layout node says.

/// A tag taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag<'t> {
    Variable(&'t str),
    Number(&'t str),
    Text(&'t str),
    /// Signs on the baseline, accents, names of enclosures.
    Operator(&'t str),
    Fraction,
    Root,
    /// A fence, a matrix or an invisible group.
    Table(Table),
    Wildcard(&'t str),
    Blank,
    Error(&'t str),
}

/// A fence, a matrix or an invisible group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) open: Option<char>,
    pub(crate) close: Option<char>,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl<'t> Tag<'t> {
    pub(crate) fn of(tag: &'t str) -> Self {
        if let Some(name) = tag.strip_prefix('?') {
            return Self::Wildcard(name);
        }
        let Some((kind, text)) = tag.split_once('!').filter(|(kind, _)| kind.chars().count() == 1) else {
            return Self::Operator(tag);
        };
        match kind {
            "V" => Self::Variable(text),
            "N" => Self::Number(text),
            "T" => Self::Text(text),
            "M" => Self::Table(Table::of(text)),
            "O" if text == "divide" => Self::Fraction,
            "O" if text == "root" => Self::Root,
            "W" => Self::Blank,
            "E" => Self::Error(text),
            // Not made by our readers, but strings may hold anything.
            _ => Self::Operator(tag),
        }
    }
}

impl Table {
    /// From the tag without its prefix: `()1x2`, `&lsqb;)1x2`, `2x2`.
    fn of(text: &str) -> Self {
        let digits_from_end = |text: &str| text.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (before, columns) = text.split_at(text.len() - digits_from_end(text));
        let before = before.strip_suffix('x').unwrap_or(before);
        let (fences, rows) = before.split_at(before.len() - digits_from_end(before));
        let mut signs = characters(fences);
        let open = signs.next();
        let close = signs.last();
        // Sizes that are no numbers, or too big ones, say nothing.
        let size = |text: &str| text.parse().unwrap_or(1).max(1);
        Self { open, close, rows: size(rows), columns: size(columns) }
    }
}

/// The characters of a tag's text, with the signs that tags spell out.
pub(crate) fn characters(text: &str) -> impl Iterator<Item = char> {
    const SPELLED: [(&str, char); 4] = [("&comma;", ','), ("&quest;", '?'), ("&lsqb;", '['), ("&rsqb;", ']')];
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let spelled = SPELLED.iter().find(|(name, _)| first == '&' && rest.starts_with(name));
        let (length, sign) = spelled.map_or((first.len_utf8(), first), |&(name, sign)| (name.len(), sign));
        rest = &rest[length..];
        Some(sign)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_taken_apart() {
        let table = |open, close, rows, columns| Tag::Table(Table { open, close, rows, columns });
        for (tag, expected) in [
            ("V!x", Tag::Variable("x")),
            ("N!12", Tag::Number("12")),
            ("T!if x", Tag::Text("if x")),
            ("+", Tag::Operator("+")),
            ("!", Tag::Operator("!")),
            ("lim", Tag::Operator("lim")),
            ("", Tag::Operator("")),
            ("O!divide", Tag::Fraction),
            ("O!root", Tag::Root),
            ("W!", Tag::Blank),
            ("E!bad", Tag::Error("bad")),
            ("?x", Tag::Wildcard("x")),
            ("M!1x1", table(None, None, 1, 1)),
            ("M!2x3", table(None, None, 2, 3)),
            ("M!()12x3", table(Some('('), Some(')'), 12, 3)),
            ("M!&lsqb;)1x2", table(Some('['), Some(')'), 1, 2)),
            ("M!||1x1", table(Some('|'), Some('|'), 1, 1)),
            ("M!", table(None, None, 1, 1)),
            ("M!0x99999999999999999999999", table(None, None, 1, 1)),
        ] {
            assert_eq!(Tag::of(tag), expected, "{tag}");
        }
        assert_eq!(characters("a&comma;b&x&rsqb;").collect::<String>(), "a,b&x]");
    }
}
