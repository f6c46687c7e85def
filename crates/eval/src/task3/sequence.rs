//! A text as a row of tokens in which passages can be found again.
//!
//! The tokens are those of [`Tokenizer::WordsAndLatex`](super::Tokenizer), without what changes when a
//! passage is cut out: the tags around formulas and the ellipses between passages. Where sentences end is
//! kept beside them.

use super::tokens::words_and_latex;

/// The tokens of a text, and where its sentences end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sequence {
    pub(super) tokens: Vec<String>,
    /// How many tokens stand before the end of each sentence; the last is the end of the text.
    pub(super) ends: Vec<usize>,
}

impl Sequence {
    /// Reads a text whose formulas are tagged.
    ///
    /// In prose a full stop, an exclamation mark, a question mark and an ellipsis end a sentence, and so does
    /// a full stop that is the last sign of a formula. An ellipsis is `…`, two full stops or more, `\ldots` or
    /// `\dots`, with brackets around it or without.
    pub(super) fn read(tagged: &str) -> Self {
        let mut sequence = Self::default();
        let mut in_formula = false;
        let mut tokens = words_and_latex(tagged).into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token.as_str() {
                "[MATH]" => in_formula = true,
                "[/MATH]" => {
                    in_formula = false;
                    if sequence.tokens.last().is_some_and(|last| last == ".") {
                        sequence.end_sentence();
                    }
                }
                _ if in_formula => sequence.tokens.push(token),
                text @ ("…" | "." | "\\ldots" | "\\dots") => {
                    let mut is_ellipsis = text != ".";
                    while tokens.next_if(|next| next == ".").is_some() {
                        is_ellipsis = true;
                    }
                    if is_ellipsis {
                        let closing = match sequence.tokens.last().map(String::as_str) {
                            Some("[") => "]",
                            Some("(") => ")",
                            _ => "",
                        };
                        if tokens.next_if(|next| next == closing).is_some() {
                            sequence.tokens.pop();
                        }
                    } else {
                        sequence.tokens.push(token);
                    }
                    sequence.end_sentence();
                }
                "!" | "?" => {
                    sequence.tokens.push(token);
                    sequence.end_sentence();
                }
                // A dollar sign that is none is written with a backslash, and in a post without one.
                "\\$" => sequence.tokens.push("$".to_owned()),
                _ => sequence.tokens.push(token),
            }
        }
        sequence.end_sentence();
        sequence
    }

    fn end_sentence(&mut self) {
        let end = self.tokens.len();
        if end > self.ends.last().copied().unwrap_or(0) {
            self.ends.push(end);
        }
    }

    /// The sentences, in order.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &[String]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.tokens[start..*end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sentences, parted by `/`.
    fn check(tagged: &str, expected: &str) {
        let sequence = Sequence::read(tagged);
        let sentences: Vec<String> = sequence.sentences().map(|sentence| sentence.join(" ")).collect();
        assert_eq!(sentences.join(" / "), expected, "{tagged:?}");
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        check("Let [MATH] x=1.5 [/MATH] . Is it? Yes!", "let x = 1.5 . / is it ? / yes !");
        check("We have [MATH] a=b. [/MATH] Then", "we have a = b . / then");
        check("[MATH] a.b [/MATH] c", "a . b c");
        check("no end", "no end");
        check("", "");
    }

    #[test]
    fn an_ellipsis_parts_and_is_no_token() {
        for ellipsis in ["…", "...", "..", "[…]", "(...)", "[ … ]", "\\ldots", "[\\dots]"] {
            check(&format!("So a {ellipsis} b"), "so a / b");
        }
        check("[… a] …", "[ / a ]");
        check("[MATH] 1,\\ldots,n... [/MATH] b", "1 , \\ldots , n . . . / b");
    }

    #[test]
    fn signs_that_only_stand_around_are_left_out() {
        check("costs \\$5 [MATH] X [/MATH] [MATH] y", "costs $ 5 X y");
    }
}
