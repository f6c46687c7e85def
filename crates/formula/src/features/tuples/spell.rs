//! Tags as they are written in tuples.

/// Appends a tag in the spelling of tuples: lower case, no blanks, no signs that tuples need themselves.
pub(super) fn spell(tag: &str, out: &mut String) {
    let mut rest = match tag {
        "O!divide" => "F!",
        "O!root" => "R!",
        _ => tag,
    };
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            '&' => {
                let name = rest[1..].bytes().take_while(u8::is_ascii_alphanumeric).count();
                if name > 0 && rest[1 + name..].starts_with(';') {
                    out.push_str(&rest[1..=name]);
                    length = name + 2;
                } else {
                    out.push_str("amp");
                }
            }
            '<' => out.push_str("lt"),
            '>' => out.push_str("gt"),
            '*' => out.push_str("ast"),
            _ if first.is_whitespace() => {}
            _ => out.extend(first.to_lowercase()),
        }
        rest = &rest[length..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_spelled_for_words() {
        for (tag, expected) in [
            ("V!A", "v!a"),
            ("V!α", "v!α"),
            ("O!divide", "f!"),
            ("O!root", "r!"),
            ("M!&lsqb;)1x2", "m!lsqb)1x2"),
            ("&comma;", "comma"),
            ("<", "lt"),
            (">", "gt"),
            ("&", "amp"),
            ("*", "ast"),
            ("T!if x", "t!ifx"),
            ("?x", "?x"),
            ("V!&quest;", "v!quest"),
            ("&x", "ampx"),
        ] {
            let mut spelled = String::new();
            spell(tag, &mut spelled);
            assert_eq!(spelled, expected, "{tag}");
        }
    }
}
