//! Text made safe for the place it goes to, and its width on a screen of
//! equally wide letters.

/// Text for the inside of an XML or HTML element, or of a quoted attribute.
///
/// Characters that XML does not allow are left out; line breaks become spaces. Characters that nobody sees, such
/// as those that turn the direction of text, are shown by their numbers.
///
/// ```
/// assert_eq!(figures::markup("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
/// ```
#[must_use]
pub fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\r' | '\t' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c if is_steering(c) => out.push_str(&format!("&lt;U+{:04X}&gt;", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Whether a character is not seen but changes what is: all of these but the two joiners, which some scripts and
/// emoji need.
fn is_steering(c: char) -> bool {
    text::is_hidden(c) && !matches!(c, '\u{200C}' | '\u{200D}')
}

/// Text on one line without control characters, so that a cell can neither
/// break its row nor steer a terminal.
pub(crate) fn one_line(text: &str) -> String {
    let seen = text.chars().filter_map(|c| match c {
        '\n' | '\r' | '\t' => Some(' '),
        c if c.is_control() => None,
        c => Some(c),
    });
    text::visible(&seen.collect::<String>()).into_owned()
}

/// How many columns of a terminal the text takes: marks that combine with the
/// letter before take none, East Asian letters take two.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(char_columns).sum()
}

/// Is this a letter as wide as it is high?
pub(crate) fn is_wide(c: char) -> bool {
    matches!(c as u32, 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1f64f | 0x1f900..=0x1f9ff
        | 0x20000..=0x3fffd)
}

/// Does this only change the letter before it?
pub(crate) fn is_combining(c: char) -> bool {
    matches!(c as u32, 0x300..=0x36f | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x200b..=0x200f
        | 0x20d0..=0x20ff | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f)
}

fn char_columns(c: char) -> usize {
    if is_combining(c) {
        0
    } else if is_wide(c) {
        2
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_has_no_live_characters() {
        assert_eq!(markup("<a b=\"c\">&\u{1b}[1m\n"), "&lt;a b=&quot;c&quot;&gt;&amp;[1m ");
    }

    #[test]
    fn characters_that_turn_text_around_are_shown() {
        assert_eq!(markup("a\u{202E}b"), "a&lt;U+202E&gt;b");
        assert_eq!(one_line("a\u{202E}b\u{FEFF}"), "a<U+202E>b<U+FEFF>");
        assert_eq!(markup("\u{1F468}\u{200D}\u{1F469}"), "\u{1F468}\u{200D}\u{1F469}");
    }

    #[test]
    fn columns_of_accents_and_wide_letters() {
        assert_eq!(columns("nDCG'"), 5);
        assert_eq!(columns("e\u{301}"), 1);
        assert_eq!(columns("数学"), 4);
    }
}
