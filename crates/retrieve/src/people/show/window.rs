//! The part of a text that says most about what was found in it.

use crate::people::highlight::Highlight;
use crate::people::{Marked, MarkedFormula, Rest};
use std::collections::HashMap;
use std::ops::Range;
use text::{FORMULA, Kind, Tokenizer};

/// How many words a window has.
const LENGTH: usize = 30;
/// So many bytes of LaTeX are as long as a word.
const AS_A_WORD: usize = 12;
/// The score of the first occurrence of a word; each repetition scores 1.
const FIRST: usize = 8;
/// The score of a formula like one of the query.
const FIRST_FORMULA: usize = 12;

/// A text to be shown.
pub(super) struct Source<'t> {
    /// Plain text with [`FORMULA`] for each formula.
    pub(super) text: &'t str,
    /// The LaTeX of its formulas.
    pub(super) formulas: &'t [String],
    /// For each the formula of the query that it is like.
    pub(super) places: &'t [Option<usize>],
}

/// Something that a window is made of.
struct Token<'q> {
    span: Range<usize>,
    /// How many words it is as long as.
    length: usize,
    what: What<'q>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What<'q> {
    Other,
    Word(&'q str),
    Formula(usize),
}

impl What<'_> {
    fn score(self) -> usize {
        match self {
            Self::Other => 0,
            Self::Word(_) => FIRST,
            Self::Formula(_) => FIRST_FORMULA,
        }
    }
}

impl Source<'_> {
    /// All of it.
    pub(super) fn whole(&self, asked: &Highlight) -> Marked {
        let (_, words) = self.read(asked);
        self.mark(0..self.text.len(), &words)
    }

    /// The best window.
    pub(super) fn best_window(&self, asked: &Highlight) -> Marked {
        let (tokens, words) = self.read(asked);
        let mut best = (0, 0..0);
        let mut within: HashMap<What<'_>, usize> = HashMap::new();
        let (mut end, mut length, mut score) = (0, 0, 0);
        for start in 0..tokens.len() {
            while end < tokens.len() && (length + tokens[end].length <= LENGTH || end == start) {
                let token = &tokens[end];
                length += token.length;
                if token.what != What::Other {
                    let count = within.entry(token.what).or_insert(0);
                    score += if *count == 0 { token.what.score() } else { 1 };
                    *count += 1;
                }
                end += 1;
            }
            // The first of those that are worth the same, so that a post is read from its beginning.
            if score > best.0 || start == 0 {
                best = (score, start..end);
            }
            let token = &tokens[start];
            length -= token.length;
            if let Some(count) = within.get_mut(&token.what) {
                *count -= 1;
                score -= if *count == 0 { token.what.score() } else { 1 };
            }
        }
        let mut window = best.1;
        // What was found is not to stand at the very edge, where there is room beside it.
        let found: Vec<usize> = window.clone().filter(|place| tokens[*place].what != What::Other).collect();
        if let (Some(first), Some(last)) = (found.first(), found.last()) {
            let (before, after) = (first - window.start, window.end - 1 - last);
            let length = |range: Range<usize>| tokens[range].iter().map(|token| token.length).sum::<usize>();
            let back = (after.saturating_sub(before) / 2).min(window.start);
            // A text that is shown from its beginning stays so.
            let room = if window.start == 0 { 0 } else { tokens.len() - window.end };
            let on = (before.saturating_sub(after) / 2).min(room);
            if back > 0 && length(window.start - back..window.start) <= LENGTH / 2 {
                window = window.start - back..window.end - back;
            } else if on > 0 && length(window.end..window.end + on) <= LENGTH / 2 {
                window = window.start + on..window.end + on;
            }
        }
        let span =
            match (tokens.get(window.start), window.end.checked_sub(1).and_then(|last| tokens.get(last))) {
                (Some(first), Some(last)) if window.start < window.end => {
                    let start = if window.start == 0 { 0 } else { self.blank_before(first.span.start) };
                    let end = if window.end == tokens.len() {
                        self.text.len()
                    } else {
                        self.blank_after(last.span.end)
                    };
                    start..end
                }
                _ => 0..self.text.len().min(200),
            };
        let span = self.whole_characters(span);
        self.mark(span, &words)
    }

    /// Words and formulas of the text in order, and where words stand that were looked for.
    fn read<'q>(&self, asked: &'q Highlight) -> (Vec<Token<'q>>, Vec<Range<usize>>) {
        let (mut tokenizer, mut memory) = (Tokenizer::default(), String::new());
        let (mut tokens, mut words): (Vec<Token<'q>>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        let mut start = 0;
        for (number, piece) in self.text.split(FORMULA).enumerate() {
            if let Some(formula) = number.checked_sub(1) {
                let length = self.formulas.get(formula).map_or(0, String::len);
                let like = self.places.get(formula).copied().flatten();
                tokens.push(Token {
                    span: start - FORMULA.len_utf8()..start,
                    length: 1 + length.min(LENGTH * AS_A_WORD) / AS_A_WORD,
                    what: like.map_or(What::Other, What::Formula),
                });
            }
            tokenizer.tokenize(piece, |word| {
                let span = start + word.span.start..start + word.span.end;
                let stem = asked.matches(word.term, &mut memory);
                if stem.is_some() {
                    match words.last_mut() {
                        Some(last) if span.start < last.end => {
                            *last = last.start.min(span.start)..last.end.max(span.end);
                        }
                        _ => words.push(span.clone()),
                    }
                }
                let what = stem.map_or(What::Other, What::Word);
                if word.kind != Kind::Compound {
                    tokens.push(Token { span, length: 1, what });
                } else if let Some(last) = tokens.last_mut().filter(|_| what != What::Other) {
                    last.what = what;
                }
            });
            start += piece.len() + FORMULA.len_utf8();
        }
        (tokens, words)
    }

    fn blank_before(&self, at: usize) -> usize {
        let before = &self.text[..at];
        before
            .rfind(char::is_whitespace)
            .map_or(0, |blank| blank + before[blank..].chars().next().map_or(0, char::len_utf8))
    }

    fn blank_after(&self, at: usize) -> usize {
        self.text[at..]
            .find(|next: char| next.is_whitespace() || next == FORMULA)
            .map_or(self.text.len(), |length| at + length)
    }

    fn whole_characters(&self, span: Range<usize>) -> Range<usize> {
        let down = |at: usize| (0..=at).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        down(span.start)..down(span.end)
    }

    /// A part of the text with its formulas as LaTeX, in one line.
    fn mark(&self, span: Range<usize>, words: &[Range<usize>]) -> Marked {
        let mut marked = Marked::default();
        let (mut formula, mut at) = (self.text[..span.start].matches(FORMULA).count(), span.start);
        let mut words = words.iter().skip_while(|word| word.end <= span.start).peekable();
        let in_line = |text: &str| text.replace(char::is_control, " ");
        for (number, piece) in self.text[span.clone()].split(FORMULA).enumerate() {
            if number > 0 {
                let start = marked.text.len();
                let latex = self.formulas.get(formula).map_or("", String::as_str);
                marked.text.push('$');
                marked.text.push_str(&in_line(latex));
                marked.text.push('$');
                let like = self.places.get(formula).copied().flatten();
                marked.formulas.push(MarkedFormula { span: start..marked.text.len(), like });
                formula += 1;
                at += FORMULA.len_utf8();
            }
            let start = marked.text.len();
            marked.text.push_str(&in_line(piece));
            let end = at + piece.len();
            // Blanks for control characters are as long as those of ASCII; others do not occur in cleaned text.
            let exact = marked.text.len() - start == piece.len();
            while let Some(word) = words.next_if(|word| word.end <= end) {
                if exact && word.start >= at {
                    marked.words.push(start + word.start - at..start + word.end - at);
                }
            }
            at = end;
        }
        marked.before = if span.start > 0 { Rest::Cut } else { Rest::None };
        marked.after = if span.end < self.text.len() { Rest::Cut } else { Rest::None };
        marked
    }
}
