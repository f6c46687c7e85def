//! Symbols as words, in the manner of PyTerrier's baseline in the labs.
//!
//! A tokeniser of text drops what stands between letters, and `x^{2}` and `x_2` are the same to it.
//! So each sign of ASCII gets a name, and formulas can be searched for as text: `x^{2}` becomes
//! x, power, open, brace, 2, close, brace. The line below (`_`) has no name there and has none here.

/// What two backslashes are called, which begin a new row.
const NEW_ROW: &[&str] = &["double", "backslash"];

/// The words that a sign is called by; none for letters, digits and signs without a name.
fn names(sign: char) -> &'static [&'static str] {
    match sign {
        '+' => &["plus"],
        '-' => &["minus"],
        '^' => &["power"],
        '*' => &["star"],
        '#' => &["hash"],
        '!' => &["exclaim"],
        '?' => &["question"],
        ',' => &["comma"],
        '.' => &["period"],
        '/' => &["forward", "slash"],
        ':' => &["colon"],
        ';' => &["semicolon"],
        '&' => &["ampersand"],
        '~' => &["tilde"],
        '`' => &["backquote"],
        '@' => &["at"],
        '$' => &["dollar"],
        '%' => &["percent"],
        '"' => &["double", "quote"],
        '\'' => &["single", "quote"],
        '|' => &["vertical", "bar"],
        '=' => &["equals"],
        '>' => &["greater", "than"],
        '<' => &["less", "than"],
        '{' => &["open", "brace"],
        '}' => &["close", "brace"],
        '[' => &["open", "square", "bracket"],
        ']' => &["close", "square", "bracket"],
        '(' => &["open", "parenthesis"],
        ')' => &["close", "parenthesis"],
        '\\' => &["backslash"],
        _ => &[],
    }
}

/// Gives the words that the symbols of a text are called by, in order.
pub fn symbol_words(text: &str, mut each: impl FnMut(&'static str)) {
    let mut characters = text.chars().peekable();
    while let Some(sign) = characters.next() {
        let words = match sign {
            '\\' if characters.next_if_eq(&'\\').is_some() => NEW_ROW,
            sign => names(sign),
        };
        words.iter().for_each(|word| each(word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use text::Tokenizer;

    /// What a sign is between the words around it, for a text that is cut after its signs were named.
    fn named(text: &str) -> Vec<String> {
        let mut named = String::new();
        for piece in text.split_inclusive(|sign| !names(sign).is_empty()) {
            named.push_str(piece.trim_end_matches(|sign| !names(sign).is_empty()));
            symbol_words(piece, |word| {
                named.push(' ');
                named.push_str(word);
            });
            named.push(' ');
        }
        let mut terms = Vec::new();
        Tokenizer::default().tokenize(&named, |word| terms.push(word.term.to_owned()));
        terms
    }

    #[test]
    fn the_dossiers_example() {
        assert_eq!(named("x^{2}"), ["x", "power", "open", "brace", "2", "close", "brace"]);
    }

    #[test]
    fn symbols_have_names() {
        let check = |text: &str, expected: &str| {
            let mut words = Vec::new();
            symbol_words(text, |word| words.push(word));
            assert_eq!(words.join(" "), expected, "{text}");
        };
        check("x^{2}", "power open brace close brace");
        check("a_1 \u{3b1} \u{2264}", "");
        check(r"\\", "double backslash");
        check(r"\\\", "double backslash backslash");
        check(r"\frac{a}[b]", "backslash open brace close brace open square bracket close square bracket");
        check("Is a<b, or a>=b?", "less than comma greater than equals question");
        check(
            "+-*#!./:;&~`@$%\"'|()",
            "plus minus star hash exclaim period forward slash colon semicolon ampersand tilde backquote at \
             dollar percent double quote single quote vertical bar open parenthesis close parenthesis",
        );
    }
}
