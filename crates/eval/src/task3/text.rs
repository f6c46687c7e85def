//! Answers as text with tagged formulas, the form in which they are compared.
//!
//! A written answer has formulas between dollar signs; they become ` [MATH] `
//! and ` [/MATH] `. Then white space is collapsed, tags between which nothing
//! stands are joined, and a closing tag at the end is dropped. The lab's
//! script does this with a pattern that also takes away the character before
//! a dollar sign, which damages most formulas; both ways are here.

use std::fmt;

const OPEN: &str = " [MATH] ";
const CLOSE: &str = " [/MATH] ";

/// How the dollar signs of a written answer are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Normalisation {
    /// As meant: a dollar sign opens a formula and the next one closes it; two
    /// together are one sign where no formula of one sign is open; one behind
    /// an odd number of backslashes is a character. Nothing else is lost.
    #[default]
    Published,
    /// As the lab's script does it: a dollar sign at the start of the text,
    /// or behind any character but a backslash, or behind two backslashes,
    /// opens and closes by turns, and what stands before it is swallowed.
    AsRun,
}

impl Normalisation {
    /// The answer with tags, as it is compared.
    ///
    /// ```
    /// use eval::task3::Normalisation;
    /// assert_eq!(Normalisation::Published.apply("Let  $x$ be"), "Let [MATH] x [/MATH] be");
    /// assert_eq!(Normalisation::AsRun.apply("Let  $x$ be"), "Let [MATH] [/MATH] be");
    /// ```
    #[must_use]
    pub fn apply(self, answer: &str) -> String {
        tidy(&match self {
            Self::Published => tag(answer),
            Self::AsRun => tag_as_run(answer),
        })
    }
}

impl fmt::Display for Normalisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Published => "as published",
            Self::AsRun => "as run",
        })
    }
}

/// A part of an answer of the collection, whose formulas stand in elements of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text outside formulas, in which dollar signs mean nothing.
    Text(&'a str),
    /// The LaTeX of a formula, without dollar signs.
    Formula(&'a str),
}

/// An answer of the collection: as it is compared, and its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedAnswer {
    /// The text with tags, as it is compared.
    pub text: String,
    /// How many characters it has as text with LaTeX, the two signs around each formula included.
    pub characters: usize,
}

impl ComparedAnswer {
    /// From the pieces of the answer, in order. There are no dollar signs to
    /// be read, so both ways of [`Normalisation`] give the same.
    ///
    /// ```
    /// use eval::task3::{Piece, ComparedAnswer};
    /// let post = ComparedAnswer::from_pieces([Piece::Text("Take "), Piece::Formula("x^2"), Piece::Text(".")]);
    /// assert_eq!((post.text.as_str(), post.characters), ("Take [MATH] x^2 [/MATH] .", 11));
    /// ```
    #[must_use]
    pub fn from_pieces<'a>(pieces: impl IntoIterator<Item = Piece<'a>>) -> Self {
        let mut text = String::new();
        let mut characters = 0;
        for piece in pieces {
            match piece {
                Piece::Text(part) => {
                    text.push_str(part);
                    characters += part.chars().count();
                }
                Piece::Formula(part) => {
                    text.push_str(OPEN);
                    text.push_str(part);
                    text.push_str(CLOSE);
                    characters += part.chars().count() + 2;
                }
            }
        }
        Self { text: tidy(&text), characters }
    }

    /// From a text that has a mark for each formula, and the LaTeX of the formulas in order.
    ///
    /// ```
    /// use eval::task3::ComparedAnswer;
    /// let post = ComparedAnswer::from_marked("Take #.", '#', ["x^2"]);
    /// assert_eq!((post.text.as_str(), post.characters), ("Take [MATH] x^2 [/MATH] .", 11));
    /// ```
    #[must_use]
    pub fn from_marked<'a>(text: &'a str, mark: char, formulas: impl IntoIterator<Item = &'a str>) -> Self {
        let mut formulas = formulas.into_iter();
        let mut parts = text.split(mark);
        let first = parts.next().map(Piece::Text);
        let rest = parts.flat_map(|part| [formulas.next().map(Piece::Formula), Some(Piece::Text(part))]);
        Self::from_pieces(first.into_iter().chain(rest.flatten()))
    }
}

/// Where the reader of an answer stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Text,
    /// A formula that one dollar sign opened.
    One,
    /// A formula that two dollar signs opened.
    Two,
}

fn tag(answer: &str) -> String {
    let mut out = String::with_capacity(answer.len() + 32);
    let mut inside = Inside::Text;
    let mut rest = answer;
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        if c == '\\' {
            // A command or an escaped character: what follows is no sign.
            taken += rest[1..].chars().next().map_or(0, char::len_utf8);
            out.push_str(&rest[..taken]);
        } else if c == '$' {
            let double = rest.starts_with("$$");
            let (tag, next) = match inside {
                Inside::Text if double => (OPEN, Inside::Two),
                Inside::Text => (OPEN, Inside::One),
                Inside::One | Inside::Two => (CLOSE, Inside::Text),
            };
            taken += usize::from(double && inside != Inside::One);
            out.push_str(tag);
            inside = next;
        } else {
            out.push(c);
        }
        rest = &rest[taken..];
    }
    out
}

fn tag_as_run(answer: &str) -> String {
    let mut out = String::with_capacity(answer.len() + 32);
    let mut tags = [OPEN, CLOSE].into_iter().cycle();
    let mut at = 0;
    while let Some(c) = answer[at..].chars().next() {
        let rest = &answer[at..];
        let swallowed = if at == 0 && c == '$' {
            0
        } else if rest.starts_with("\\\\$") {
            2
        } else if c != '\\' && rest[c.len_utf8()..].starts_with('$') {
            c.len_utf8()
        } else {
            out.push(c);
            at += c.len_utf8();
            continue;
        };
        out.extend(tags.next());
        at += swallowed + 1;
    }
    out
}

/// White space collapsed, empty pairs of tags joined, no closing tag at the end.
fn tidy(tagged: &str) -> String {
    let tagged = tagged.trim_end_matches(is_blank);
    let mut text = String::with_capacity(tagged.len());
    let mut blank = false;
    for c in tagged.chars() {
        let is_blank = is_blank(c);
        if !is_blank {
            text.push(c);
        } else if !blank {
            text.push(' ');
        }
        blank = is_blank;
    }
    let text = if text.starts_with(" [MATH]") { text.as_str() } else { text.trim_start_matches(' ') };
    let text = text.replace(" [/MATH] [MATH] ", " ");
    text.strip_suffix(" [/MATH]").map_or_else(|| text.clone(), str::to_owned)
}

/// White space as the lab's scripts know it: Unicode's, and the four separators of ASCII.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(answer: &str, as_run: &str, published: &str) {
        assert_eq!(Normalisation::AsRun.apply(answer), as_run, "as run: {answer:?}");
        assert_eq!(Normalisation::Published.apply(answer), published, "published: {answer:?}");
    }

    #[test]
    fn the_script_swallows_what_stands_before_a_dollar_sign() {
        check("Let $x$ be", "Let [MATH] [/MATH] be", "Let [MATH] x [/MATH] be");
        check("$x^2$ is", " [MATH] x^ [/MATH] is", " [MATH] x^2 [/MATH] is");
        check("a$b$c", " [MATH] [/MATH] c", "a [MATH] b [/MATH] c");
        check("$$x+1$$ ok", " [MATH] $x+ [/MATH] $ ok", " [MATH] x+1 [/MATH] ok");
        check("cost \\$5", "cost \\$5", "cost \\$5");
    }

    #[test]
    fn backslashes_before_a_dollar_sign() {
        check("a\\\\$b$", "a [MATH]", "a\\\\ [MATH] b");
        check("a\\\\\\$b", "a\\ [MATH] b", "a\\\\\\$b");
        check("\\", "\\", "\\");
    }

    #[test]
    fn tags_at_the_edges_and_between_formulas() {
        check("", "", "");
        check("$", " [MATH]", " [MATH]");
        check("$x$", " [MATH]", " [MATH] x");
        check("so $a$$b$ is", "so [MATH] [/MATH] $ [MATH] is", "so [MATH] a b [/MATH] is");
        check("\n so\t\u{1F}it\u{A0}is ", "so it is", "so it is");
        check(" [/MATH] [MATH] x", "[/MATH] [MATH] x", "[/MATH] [MATH] x");
    }

    #[test]
    fn answers_of_the_collection_are_not_damaged() {
        let pieces = [Piece::Formula("x"), Piece::Text(" "), Piece::Formula("y"), Piece::Text("costs $3 ä")];
        let post = ComparedAnswer::from_pieces(pieces);
        assert_eq!((post.text.as_str(), post.characters), (" [MATH] x y [/MATH] costs $3 ä", 3 + 1 + 3 + 10));
    }

    proptest! {
        #[test]
        fn any_text_is_normalised(answer in "[\\\\$ \n\t\\[\\]/MATHxä𝑥]{0,40}|\\PC*") {
            for normalisation in [Normalisation::Published, Normalisation::AsRun] {
                let text = normalisation.apply(&answer);
                prop_assert!(!text.contains("  "));
                prop_assert!(!text.contains(['\n', '\t']));
            }
        }

        #[test]
        fn nothing_but_signs_and_blanks_is_lost_as_published(answer in "[a-c$ ]{0,30}") {
            let letters = |text: &str| text.chars().filter(char::is_ascii_lowercase).collect::<String>();
            prop_assert_eq!(letters(&Normalisation::Published.apply(&answer)), letters(&answer));
        }
    }
}
