//! Cleaned HTML as plain text.

use crate::MARKER;
use crate::entity::{self, Place};
use crate::tag::{Lexer, Side, Tag};

/// Cleaned HTML as plain text: blocks on lines of their own, list items with "- ", entities undone, each formula
/// written by `formula(k, &mut out)`.
pub fn text(html: &str, mut formula: impl FnMut(usize, &mut String)) -> String {
    let mut lines = Lines::default();
    let mut lexer = Lexer::default();
    let mut k = 0;
    let mut pre = 0_u32;
    let mut rest = html;
    loop {
        let length = rest.find(['<', '&', MARKER]).unwrap_or(rest.len());
        let (words, after) = rest.split_at(length);
        if pre > 0 {
            lines.verbatim(words);
        } else {
            lines.words(words);
        }
        rest = after;
        let Some(c) = rest.chars().next() else { break };
        let mut skip = c.len_utf8();
        match c {
            '&' => match entity::read(rest, Place::Text) {
                Some((chars, length)) => {
                    for c in chars.into_iter().filter(|c| *c != '\0') {
                        lines.char(if c == '\u{A0}' { ' ' } else { c });
                    }
                    skip = length;
                }
                None => lines.char('&'),
            },
            MARKER => {
                lines.begin();
                formula(k, &mut lines.out);
                k += 1;
            }
            _ => match lexer.read(rest, 0) {
                Some(lexeme) => {
                    skip = lexeme.after;
                    match (lexeme.tag, lexeme.end) {
                        (Tag::Br, _) => lines.end(),
                        (Tag::Li, Side::Start) => {
                            lines.end();
                            lines.item = true;
                        }
                        (Tag::Td | Tag::Th, _) => lines.blank(),
                        (tag, side) => {
                            if tag.is_block() {
                                lines.end();
                            }
                            if tag == Tag::Pre {
                                pre = if side == Side::Start { pre + 1 } else { pre.saturating_sub(1) };
                            }
                        }
                    }
                }
                None => lines.char('<'),
            },
        }
        rest = &rest[skip..];
    }
    let length = lines.out.trim_end().len();
    lines.out.truncate(length);
    lines.out
}

/// Cleaned HTML with tokens as text with the same tokens.
pub(crate) fn with_tokens(html: &str) -> String {
    // A token is a marker and a number; the number is text already.
    text(html, |_, out| out.push(MARKER))
}

/// Text under way: runs of blanks are one, lines do not start or end with blanks.
#[derive(Default)]
struct Lines {
    out: String,
    /// A blank is due before the next word.
    gap: bool,
    /// The next word starts an item.
    item: bool,
}

impl Lines {
    fn at_start(&self) -> bool {
        self.out.is_empty() || self.out.ends_with('\n')
    }

    /// Before a word: the mark of an item, or the blank that is due.
    fn begin(&mut self) {
        if std::mem::take(&mut self.item) {
            self.out.push_str("- ");
        } else if self.gap && !self.at_start() && !self.out.ends_with(' ') {
            self.out.push(' ');
        }
        self.gap = false;
    }

    fn words(&mut self, text: &str) {
        let mut rest = text;
        loop {
            let word = rest.trim_ascii_start();
            self.gap |= word.len() < rest.len();
            if word.is_empty() {
                return;
            }
            let length = word.bytes().position(|b| b.is_ascii_whitespace()).unwrap_or(word.len());
            self.begin();
            self.out.push_str(&word[..length]);
            rest = &word[length..];
        }
    }

    fn verbatim(&mut self, text: &str) {
        if !text.is_empty() {
            self.begin();
            self.out.push_str(text);
        }
    }

    fn char(&mut self, c: char) {
        if c.is_ascii_whitespace() {
            self.gap = true;
        } else {
            self.begin();
            self.out.push(c);
        }
    }

    fn blank(&mut self) {
        self.gap = true;
    }

    /// Ends the line if there is one.
    fn end(&mut self) {
        self.gap = false;
        if !self.at_start() {
            let length = self.out.trim_end_matches(' ').len();
            self.out.truncate(length);
            self.out.push('\n');
        }
    }
}
