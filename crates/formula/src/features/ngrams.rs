//! Runs of tokens: what a search engine for text would make of a formula.
//!
//! Tokens come from LaTeX or from a layout tree. Of LaTeX, each command, letter,
//! group of digits and other character is one; spacing, braces, sizes of
//! delimiters and styles are none. Of a layout tree, the tags are the tokens, in
//! reading order, so that formulas of which there is no LaTeX can be compared.
//! The two kinds of token are not comparable with each other.
//!
//! Reading is linear in the length of the formula; runs are as many as tokens
//! times the longest length, which is at most [`LONGEST`].

use crate::normal::write_latex_into;
use crate::slt::{Edge, Slt, SltId};
use latex::Tree;
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// The longest run that is made.
pub const LONGEST: usize = 8;

/// The tokens of a formula; keeps its memory between formulas.
///
/// ```
/// use formula::features::Tokens;
///
/// let mut tokens = Tokens::default();
/// tokens.read_latex(r"\left( x^{12} \right)");
/// assert_eq!(tokens.iter().collect::<Vec<_>>(), ["(", "x", "^", "12", ")"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    text: String,
    /// Where each token ends, and its hash.
    ends: Vec<(u32, u64)>,
    normal: String,
    stack: Vec<SltId>,
}

/// A run of tokens.
///
/// Prints with `~` between tokens, which no token of LaTeX is.
#[derive(Clone, Copy, Debug)]
pub struct Ngram<'t> {
    tokens: &'t Tokens,
    start: usize,
    end: usize,
}

impl Tokens {
    /// Forgets the tokens, keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// How many tokens there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The tokens in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.token(index))
    }

    fn token(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1].0 as usize };
        &self.text[start..self.ends[index].0 as usize]
    }

    /// Adds a token.
    pub fn push(&mut self, token: &str) {
        // Ends are 32 bits wide; what comes after four gigabytes is not seen.
        if token.is_empty() || u32::try_from(self.text.len() + token.len()).is_err() {
            return;
        }
        self.text.push_str(token);
        self.ends.push((self.text.len() as u32, xxh3_64(token.as_bytes())));
    }

    /// Reads what a LaTeX tree looks like when written in one way (see [`crate::normal`]), so that
    /// `x^2_1` and `{x}_{1}^{2}` have the same tokens.
    pub fn read_tree(&mut self, tree: &Tree) {
        let mut normal = std::mem::take(&mut self.normal);
        normal.clear();
        write_latex_into(tree, &mut normal);
        self.read_latex(&normal);
        self.normal = normal;
    }

    /// Reads LaTeX as it was typed.
    pub fn read_latex(&mut self, latex: &str) {
        self.clear();
        let mut rest = latex;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '\\' => self.command(rest),
                '{' | '}' | '$' | '~' => 1,
                '%' => rest.find('\n').map_or(rest.len(), |end| end + 1),
                _ if first.is_whitespace() => first.len_utf8(),
                _ if first.is_ascii_digit() => {
                    let length = number_length(rest);
                    self.push(&rest[..length]);
                    length
                }
                _ => {
                    self.push(&rest[..first.len_utf8()]);
                    first.len_utf8()
                }
            };
            rest = &rest[length..];
        }
    }

    /// Reads a command at the start of `rest` and returns how many bytes it took.
    fn command(&mut self, rest: &str) -> usize {
        let letters = rest[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters == 0 {
            let Some(sign) = rest[1..].chars().next() else { return 1 };
            let length = 1 + sign.len_utf8();
            // A line break and escaped characters are seen, spaces are not.
            if !matches!(sign, ',' | ';' | ':' | '!' | '>' | '/' | '@' | '(' | ')' | '[' | ']')
                && !sign.is_whitespace()
            {
                self.push(&rest[..length]);
            }
            return length;
        }
        let end = 1 + letters;
        let (name, after) = (&rest[1..end], &rest[end..]);
        match name {
            "left" | "right" | "middle" | "big" | "bigl" | "bigr" | "bigm" | "Big" | "Bigl" | "Bigr"
            | "Bigm" | "bigg" | "biggl" | "biggr" | "biggm" | "Bigg" | "Biggl" | "Biggr" | "Biggm" => {
                // An invisible delimiter is written as a full stop.
                let blanks = after.len() - after.trim_start().len();
                end + if after[blanks..].starts_with('.') { blanks + 1 } else { 0 }
            }
            "displaystyle" | "textstyle" | "scriptstyle" | "scriptscriptstyle" | "limits" | "nolimits"
            | "quad" | "qquad" | "enspace" | "thinspace" | "nonumber" | "notag" | "hfill" | "relax"
            | "rm" | "it" | "tiny" | "small" | "normalsize" | "large" | "Large" | "huge" | "Huge"
            | "strut" => end,
            "hspace" | "vspace" | "mspace" | "hskip" | "kern" | "mkern" | "phantom" | "hphantom"
            | "vphantom" | "color" | "textcolor" | "label" | "tag" => {
                end + after.len() - skip_argument(after).len()
            }
            "text" | "textrm" | "textit" | "textbf" | "mbox" | "hbox" | "operatorname" | "begin" | "end" => {
                let left = skip_argument(after);
                let argument = &after[..after.len() - left.len()];
                let words = argument.trim_start_matches(['*', ' ', '{']).trim_end_matches('}');
                if matches!(name, "begin" | "end") {
                    self.push(words.trim());
                } else {
                    words.split_whitespace().for_each(|word| self.push(word));
                }
                // The columns of an array are layout that is not seen.
                let columns = name == "begin" && matches!(words, "array" | "tabular" | "alignedat");
                let left = if columns { skip_argument(left) } else { left };
                rest.len() - left.len()
            }
            _ => {
                self.push(&rest[..end]);
                end
            }
        }
    }

    /// Reads the tags of a layout tree in the order in which one reads a formula: what stands before a symbol
    /// or inside it, over, under, below, above, then the next, then the next item or cell. Blanks and
    /// invisible groups are left out.
    pub fn read_slt(&mut self, slt: &Slt) {
        const LAST_TO_FIRST: [Edge; 9] = [
            Edge::Element,
            Edge::Next,
            Edge::Above,
            Edge::Below,
            Edge::Under,
            Edge::Over,
            Edge::Within,
            Edge::PreBelow,
            Edge::PreAbove,
        ];
        self.clear();
        let mut stack = std::mem::take(&mut self.stack);
        stack.extend(slt.root());
        while let Some(id) = stack.pop() {
            if !matches!(slt.tag(id), "W!" | "M!1x1") {
                self.push(slt.tag(id));
            }
            for edge in LAST_TO_FIRST {
                stack.extend(slt.child(id, edge));
            }
        }
        self.stack = stack;
    }

    /// Calls `sink` with every run of 1 to `longest` tokens (at most [`LONGEST`]): by where it begins, short
    /// ones first.
    pub fn ngrams(&self, longest: usize, mut sink: impl FnMut(Ngram<'_>)) {
        for start in 0..self.len() {
            let last = self.len().min(start + longest.min(LONGEST));
            for end in start + 1..=last {
                sink(Ngram { tokens: self, start, end });
            }
        }
    }
}

impl<'t> Ngram<'t> {
    /// The tokens of the run.
    pub fn tokens(&self) -> impl Iterator<Item = &'t str> {
        let tokens = self.tokens;
        (self.start..self.end).map(move |index| tokens.token(index))
    }

    /// How many tokens the run has.
    #[must_use]
    pub fn length(&self) -> usize {
        self.end - self.start
    }

    /// A number that is equal for equal runs, the same on every machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut bytes = [0; 8 * LONGEST];
        let hashes = self.tokens.ends[self.start..self.end].iter();
        for (place, (_, hash)) in bytes.chunks_exact_mut(8).zip(hashes) {
            place.copy_from_slice(&hash.to_le_bytes());
        }
        xxh3_64(&bytes[..8 * self.length()])
    }
}

impl fmt::Display for Ngram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, token) in self.tokens().enumerate() {
            if index > 0 {
                f.write_str("~")?;
            }
            f.write_str(token)?;
        }
        Ok(())
    }
}

/// The length of digits with a decimal point inside.
fn number_length(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    let fraction = text[whole..].strip_prefix('.').map_or(0, digits);
    if fraction == 0 { whole } else { whole + 1 + fraction }
}

/// What follows after one argument: a group in braces (with nested ones), or nothing skipped.
fn skip_argument(text: &str) -> &str {
    let trimmed = text.trim_start_matches(['*', ' ']);
    if !trimmed.starts_with('{') {
        return text;
    }
    let mut depth = 0_usize;
    let mut escaped = false;
    for (place, byte) in trimmed.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &trimmed[place + 1..];
        }
    }
    ""
}
