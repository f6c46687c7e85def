//! How an answer is cut into tokens.
//!
//! A lexical measure depends on the tokens, so a tokenizer has a name that is
//! shown beside every number. The two built-in ones need no model; those of
//! language models live in a crate of their own.

use std::fmt;

/// Something that cuts text into tokens, always in the same way.
pub trait Tokenize {
    /// What it is called beside a number.
    fn name(&self) -> String;

    /// The tokens in order; equal tokens are equal strings.
    ///
    /// # Errors
    ///
    /// When the text has no tokens in the model's vocabulary and the model has no way to say so.
    fn tokens(&self, text: &str) -> Result<Vec<String>, TokenizeError>;
}

/// Why a text could not be cut.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{tokenizer}: {reason}")]
pub struct TokenizeError {
    /// What the tokenizer is called.
    pub tokenizer: String,
    /// What went wrong.
    pub reason: String,
}

/// The built-in tokenizers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// What stands between white space.
    Blanks,
    /// Words of prose and symbols of LaTeX.
    ///
    /// - `[MATH]` and `[/MATH]` are tokens, and what stands between them is a
    ///   formula; one that is not closed goes to the end of the text.
    /// - A command is one token with its backslash: `\frac`, `\{`, `\\`. Its
    ///   case is kept.
    /// - A number is one token: decimal digits, with a point between them.
    /// - In prose a word is one token, in lower case: letters, combining
    ///   accents and the apostrophes between letters.
    /// - In a formula each letter is a token as it stands: `ab` is a product
    ///   and `X` is not `x`.
    /// - Any other character is a token of its own; white space only separates.
    #[default]
    WordsAndLatex,
}

impl fmt::Display for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blanks => "blanks",
            Self::WordsAndLatex => "words and LaTeX",
        })
    }
}

impl Tokenize for Tokenizer {
    fn name(&self) -> String {
        self.to_string()
    }

    fn tokens(&self, text: &str) -> Result<Vec<String>, TokenizeError> {
        Ok(match self {
            Self::Blanks => text.split_whitespace().map(str::to_owned).collect(),
            Self::WordsAndLatex => words_and_latex(text),
        })
    }
}

/// Where the cutter stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Prose,
    Formula,
}

pub(super) fn words_and_latex(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut mode = Mode::Prose;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("[MATH]") {
            mode = Mode::Formula;
            "[MATH]".len()
        } else if rest.starts_with("[/MATH]") {
            mode = Mode::Prose;
            "[/MATH]".len()
        } else {
            match c {
                '\\' => command(rest),
                c if c.is_ascii_digit() => number(rest),
                c if c.is_alphabetic() && mode == Mode::Prose => word(rest),
                c => c.len_utf8(),
            }
        };
        let (token, behind) = rest.split_at(length);
        if c.is_alphabetic() && mode == Mode::Prose {
            tokens.push(token.to_lowercase());
        } else if !c.is_whitespace() {
            tokens.push(token.to_owned());
        }
        rest = behind;
    }
    tokens
}

/// The length of a command: a backslash with letters, or with one other character.
fn command(text: &str) -> usize {
    let behind = &text[1..];
    let letters = behind.bytes().take_while(u8::is_ascii_alphabetic).count();
    let first = behind.chars().next().filter(|c| !c.is_whitespace());
    1 + if letters > 0 { letters } else { first.map_or(0, char::len_utf8) }
}

/// The length of a number: digits, and a point with digits behind it.
fn number(text: &str) -> usize {
    let digits = |from: usize| text.bytes().skip(from).take_while(u8::is_ascii_digit).count();
    let whole = digits(0);
    match digits(whole + 1) {
        fraction if fraction > 0 && text[whole..].starts_with('.') => whole + 1 + fraction,
        _ => whole,
    }
}

/// The length of a word, which starts with a letter.
fn word(text: &str) -> usize {
    let mut end = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let letter_follows = characters.peek().is_some_and(|(_, next)| next.is_alphabetic());
        let belongs = c.is_alphabetic()
            || ('\u{300}'..='\u{36F}').contains(&c)
            || (matches!(c, '\'' | '\u{2019}') && letter_follows);
        if !belongs {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        let tokens = Tokenizer::WordsAndLatex.tokens(text).unwrap();
        assert_eq!(tokens.join("|"), expected, "{text:?}");
    }

    #[test]
    fn prose_is_cut_into_words_in_lower_case() {
        check("It's Gauß's, \u{c9}t\u{e9} e\u{301}!", "it's|gauß's|,|été|e\u{301}|!");
        check("don' t x'", "don|'|t|x|'");
        check("3.14 1,5 2. .5 v2", "3.14|1|,|5|2|.|.|5|v|2");
    }

    #[test]
    fn formulas_are_cut_into_symbols() {
        check(
            "Let [MATH] aX+\\frac{12.5}{\\Delta} [/MATH] be",
            "let|[MATH]|a|X|+|\\frac|{|12.5|}|{|\\Delta|}|[/MATH]|be",
        );
        check("[MATH] x\\,\\{y\\}\\\\ \\", "[MATH]|x|\\,|\\{|y|\\}|\\\\|\\");
        check("Ab [MATH] Ab", "ab|[MATH]|A|b");
        check("\\LaTeX is [it]", "\\LaTeX|is|[|it|]");
        check("a\\ b", "a|\\|b");
    }

    #[test]
    fn blanks_only_separate() {
        assert_eq!(Tokenizer::Blanks.tokens(" A b\t$x$ ").unwrap(), ["A", "b", "$x$"]);
        check(" \n\u{A0}", "");
    }

    proptest! {
        #[test]
        fn any_text_is_cut_without_loss(text in "[a-cA-C0-9.\\\\' \\[\\]/MATH]{0,40}|\\PC*") {
            let tokens = Tokenizer::WordsAndLatex.tokens(&text).unwrap();
            let letters = |text: &str| -> String {
                text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
            };
            prop_assert!(tokens.iter().all(|token| !token.is_empty()));
            prop_assert_eq!(letters(&tokens.concat()).to_lowercase(), letters(&text).to_lowercase());
        }
    }
}
