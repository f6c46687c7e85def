//! How many words stand in a text, formulas left out.

/// Counts words: what stands between blanks and has a letter or digit in it. A formula is a blank.
pub(crate) fn count(html: &str) -> i64 {
    let text = markup::text(html, |_, out| out.push(' '));
    let words = text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric));
    i64::try_from(words.count()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn words_are_counted() {
        for (html, words) in [
            ("", 0),
            ("Why is \u{FDD0} infinite?", 3),
            ("<p>I know \u{FDD0} &amp; its <em>growth</em>.</p>", 4),
            ("<p>Group the terms of</p><p>\u{FDD0}</p><p>and compare with \u{FDD0}.</p>", 7),
            ("<em>gro</em>wth", 1),
            ("one<br>two<p>three</p>four", 4),
            ("\u{FDD0}-th term, n\u{FDD0}", 3),
            ("don't well-known 3.14 — &lt;&gt; …", 3),
            ("<ul><li>a</li><li>b</li></ul>", 2),
        ] {
            assert_eq!(count(html), words, "{html}");
        }
    }
}
