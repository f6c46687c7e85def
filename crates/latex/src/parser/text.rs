//! Text inside formulas: `\text{…}`, `\mbox{…}`, with formulas in it.

use super::{MAX_DEPTH, Mode, Parser, Step, Until};
use crate::diagnostic::DiagnosticKind;
use crate::lexer::{Token, TokenKind};
use crate::tables::{Meaning, printable, tables};
use crate::tree::{Font, Kind, NodeId, Span, Text};

/// Words that are being read.
struct Words {
    /// The first letter's place in the tree's buffer; letters that follow are written behind it.
    start: Option<Text>,
    span: Span,
    font: Font,
}

/// What a command in text was.
enum InText {
    /// Letters or nothing, written already.
    Letters,
    /// A node of its own.
    Node(NodeId),
}

impl Parser<'_, '_> {
    /// The argument of a text command.
    pub(super) fn text_argument(&mut self, command: Token, font: Font) -> NodeId {
        let mark = self.nodes.len();
        let token = self.next_solid();
        match token.kind {
            TokenKind::Open => {
                self.braces += 1;
                self.text_run(Some(token), font);
                self.braces -= 1;
            }
            TokenKind::End | TokenKind::Close | TokenKind::Align => {
                self.input.unread(token);
                return self.missing(command.span, "the text");
            }
            _ => {
                self.input.unread(token);
                self.text_run(None, font);
            }
        }
        let span = command.span.to(self.span_here());
        let node = match self.nodes[mark..] {
            [single] => {
                self.nodes.truncate(mark);
                single
            }
            [] => self.tree.push(Kind::TextRun { text: Text::Static(""), font }, span),
            _ => self.finish_row(mark, span),
        };
        self.tree.node_mut(node).span = span;
        node
    }

    /// Reads text up to the closing brace (or one thing, when there was no opening one).
    fn text_run(&mut self, open: Option<Token>, font: Font) {
        let mut words = Words { start: None, span: self.span_here(), font };
        // The fonts outside of the braces that are open inside the text.
        let mut fonts = Vec::new();
        loop {
            let token = self.next();
            match token.kind {
                TokenKind::End => {
                    self.input.unread(token);
                    if let Some(open) = open {
                        self.report(DiagnosticKind::UnmatchedBrace, open.span, "this brace is never closed");
                    }
                    break;
                }
                TokenKind::Close => match fonts.pop() {
                    Some(outer) => self.switch_font(&mut words, outer),
                    None => {
                        if open.is_none() {
                            self.input.unread(token);
                        }
                        break;
                    }
                },
                TokenKind::Open => fonts.push(words.font),
                TokenKind::Space | TokenKind::Char('~') => self.letter(&mut words, ' '),
                TokenKind::Char('?') if self.mode == Mode::Query && self.begins_wildcard(&words) => {
                    self.finish_words(&mut words);
                    let node = self.question_mark(token.span);
                    self.nodes.push(node);
                }
                TokenKind::Char(c) => {
                    let shown = printable(c);
                    if shown != c {
                        self.report(DiagnosticKind::StrayCharacter, token.span, "a control character");
                    }
                    self.typeset(&mut words, shown);
                }
                TokenKind::Sup => self.letter(&mut words, '^'),
                TokenKind::Sub => self.letter(&mut words, '_'),
                TokenKind::Align => self.letter(&mut words, '&'),
                TokenKind::Hash => self.letter(&mut words, '#'),
                TokenKind::Invalid => {
                    self.report(DiagnosticKind::InvalidUtf8, token.span, "bytes that are not UTF-8");
                    self.letter(&mut words, '\u{fffd}');
                }
                TokenKind::Dollar => {
                    self.finish_words(&mut words);
                    self.math_in_text(token, Until::Dollar);
                }
                TokenKind::Command if self.input.name(token) == "(" => {
                    self.finish_words(&mut words);
                    self.math_in_text(token, Until::Parenthesis);
                }
                TokenKind::Command => match self.command_in_text(token, &mut words) {
                    InText::Letters => {}
                    InText::Node(node) => self.nodes.push(node),
                },
                TokenKind::Parameter(number) => {
                    self.report(DiagnosticKind::BadMacro, token.span, format!("`#{number}` has no value"));
                    self.letter(&mut words, '#');
                    self.letter(&mut words, char::from(b'0' + number));
                }
                TokenKind::Comment | TokenKind::Operator { .. } => {}
            }
            words.span = match words.start {
                Some(_) => words.span.to(self.span_here()),
                None => self.span_here(),
            };
            if open.is_none() && fonts.is_empty() {
                break;
            }
        }
        self.finish_words(&mut words);
    }

    /// Whether a question mark in a query's text is a wildcard: alone, or with a name in braces.
    fn begins_wildcard(&mut self, words: &Words) -> bool {
        words.start.is_none() || self.input.next_is(TokenKind::Open)
    }

    fn letter(&mut self, words: &mut Words, c: char) {
        let written = self.tree.write_text(|buffer| buffer.push(c));
        words.start.get_or_insert(written);
    }

    /// A character as TeX sets it in text: quotes are curved, hyphens in a row are dashes.
    fn typeset(&mut self, words: &mut Words, c: char) {
        let begun = words.start.is_some();
        let written = self.tree.write_text(|buffer| {
            let (single, double) = match c {
                '\'' => ('’', '”'),
                '`' => ('‘', '“'),
                '-' if begun && buffer.ends_with('–') => ('–', '—'),
                '-' => ('-', '–'),
                _ => (c, c),
            };
            if begun && single != double && buffer.ends_with(single) {
                buffer.pop();
                buffer.push(double);
            } else {
                buffer.push(single);
            }
        });
        words.start.get_or_insert(written);
    }

    fn letters(&mut self, words: &mut Words, letters: &str) {
        let written = self.tree.write_text(|buffer| buffer.push_str(letters));
        words.start.get_or_insert(written);
    }

    fn switch_font(&mut self, words: &mut Words, font: Font) {
        if words.font != font {
            self.finish_words(words);
            words.font = font;
        }
    }

    /// Makes a node of the words so far, if there are any.
    fn finish_words(&mut self, words: &mut Words) {
        let Some(start) = words.start.take() else { return };
        let text = self.tree.text_since(start);
        let node = self.tree.push(Kind::TextRun { text, font: words.font }, words.span);
        self.nodes.push(node);
    }

    /// `$…$` or `\(…\)` inside text, after what opens it.
    fn math_in_text(&mut self, open: Token, until: Until) {
        let before = std::mem::replace(&mut self.font, Font::Default);
        let row = self.row(until);
        self.font = before;
        let close = self.next();
        let closed = match until {
            Until::Parenthesis => close.kind == TokenKind::Command && self.input.name(close) == ")",
            _ => close.kind == TokenKind::Dollar,
        };
        if !closed {
            self.input.unread(close);
            self.report(
                DiagnosticKind::UnmatchedDelimiter,
                open.span,
                "this formula in text is never closed",
            );
        }
        self.tree.node_mut(row).span = open.span.to(self.span_here());
        self.nodes.push(row);
    }

    /// A command in text: most stand for a letter, some hold more text, the rest are read as in a formula.
    fn command_in_text(&mut self, token: Token, words: &mut Words) -> InText {
        let name = self.input.name(token);
        if tables().letter_accent(name).is_some() {
            let text = self.accented_letter(name);
            words.start.get_or_insert(text);
            return InText::Letters;
        }
        let meaning = match name {
            "\\" | "newline" => Some(Meaning::Space(6)),
            _ => self.meaning(token),
        };
        match meaning {
            Some(Meaning::Symbol { text, .. }) => self.letters(words, text),
            Some(Meaning::Space(mu)) => {
                if mu > 0 {
                    self.letter(words, ' ');
                }
            }
            Some(Meaning::FontSwitch(font)) => self.switch_font(words, font),
            _ => return self.node_in_text(token, meaning, words),
        }
        // TeX skips blanks behind a command's name.
        if name.starts_with(|c: char| c.is_ascii_alphabetic()) && self.input.next_is(TokenKind::Space) {
            self.input.next_raw();
        }
        InText::Letters
    }

    fn node_in_text(&mut self, token: Token, meaning: Option<Meaning>, words: &mut Words) -> InText {
        self.finish_words(words);
        if self.depth >= MAX_DEPTH {
            return InText::Node(self.too_deep(token));
        }
        self.depth += 1;
        let step = match meaning {
            Some(Meaning::Text(font)) => Step::Node(self.text_argument(token, font)),
            _ => {
                let before = std::mem::replace(&mut self.font, words.font);
                let step = self.command(token);
                self.font = before;
                step
            }
        };
        self.depth -= 1;
        match step {
            Step::Node(node) => InText::Node(node),
            Step::Nothing => InText::Letters,
            Step::Infix(_) => {
                self.report(DiagnosticKind::Misplaced, token.span, "a fraction command in text");
                InText::Node(self.misplaced(token))
            }
        }
    }

    /// `\'e` and the like: the letter with its accent.
    pub(super) fn accented_letter(&mut self, accent: &str) -> Text {
        // A command that is no letter is not the accent's.
        let next = self.peek_raw_solid();
        let takes = next.kind != TokenKind::Command || matches!(self.input.name(next), "i" | "j");
        let letter = if takes { self.raw_argument() } else { String::new() };
        if letter.trim().is_empty() {
            self.report(DiagnosticKind::MissingArgument, next.span, "the letter under an accent is missing");
        }
        // TeX skips blanks behind a command's name.
        let is_name = letter.starts_with('\\') && letter.ends_with(|c: char| c.is_ascii_alphabetic());
        if is_name && self.input.next_is(TokenKind::Space) {
            self.input.next_raw();
        }
        let letter = match letter.trim() {
            // The accent takes the dot's place.
            "\\i" | "ı" => "i",
            "\\j" | "ȷ" => "j",
            letter => letter,
        };
        let accent = tables().letter_accent(accent);
        self.tree.write_text(|buffer| {
            let mut chars = letter.chars();
            match (accent, chars.next()) {
                (Some(accent), Some(first)) => accent.push(first, buffer),
                (_, first) => buffer.extend(first),
            }
            buffer.push_str(chars.as_str());
        })
    }
}
