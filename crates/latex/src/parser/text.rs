//! Text inside formulas: `\text{…}`, `\mbox{…}`, with formulas in it.

use super::{Mode, Parser, Until};
use crate::diagnostic::DiagnosticKind;
use crate::lexer::{Token, TokenKind};
use crate::tables::{Meaning, tables};
use crate::tree::{Font, Kind, NodeId, Opaque, Span, Text};

impl Parser<'_, '_> {
    /// The argument of a text command.
    pub(super) fn text_argument(&mut self, command: Token, font: Font) -> NodeId {
        let mark = self.nodes.len();
        let token = self.next_solid();
        match token.kind {
            TokenKind::Open => self.text_run(Some(token), font),
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
        if let [single] = self.nodes[mark..] {
            self.nodes.truncate(mark);
            let node = self.tree.node_mut(single);
            node.span = span.to(node.span);
            return single;
        }
        let row = self.finish_row(mark, span);
        self.tree.node_mut(row).span = span;
        row
    }

    /// Reads text up to the closing brace (or one token, when there was no opening one).
    fn text_run(&mut self, open: Option<Token>, font: Font) {
        let mut letters = String::new();
        let mut span = self.span_here();
        let mut depth = 0u32;
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
                TokenKind::Close if depth == 0 => {
                    if open.is_none() {
                        self.input.unread(token);
                    }
                    break;
                }
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth -= 1,
                TokenKind::Space => letters.push(' '),
                TokenKind::Char('~') => letters.push(' '),
                TokenKind::Char('?') if self.mode == Mode::Query => {
                    self.push_letters(&mut letters, span, font);
                    let node = self.question_mark(token.span);
                    self.nodes.push(node);
                    span = self.span_here();
                    continue;
                }
                TokenKind::Char(c) => letters.push(c),
                TokenKind::Sup => letters.push('^'),
                TokenKind::Sub => letters.push('_'),
                TokenKind::Align => letters.push('&'),
                TokenKind::Hash => letters.push('#'),
                TokenKind::Invalid => {
                    self.report(DiagnosticKind::InvalidUtf8, token.span, "bytes that are not UTF-8");
                    letters.push('\u{fffd}');
                }
                TokenKind::Dollar => {
                    self.push_letters(&mut letters, span, font);
                    self.math_in_text(token);
                    span = self.span_here();
                    continue;
                }
                TokenKind::Command => {
                    if let Some(node) = self.command_in_text(token, &mut letters, span, font) {
                        self.nodes.push(node);
                        span = self.span_here();
                        continue;
                    }
                }
                TokenKind::Comment | TokenKind::Parameter(_) | TokenKind::Operator { .. } => {}
            }
            span = span.to(token.span);
            if open.is_none() && !letters.is_empty() {
                break;
            }
        }
        let nothing = letters.is_empty();
        self.push_letters(&mut letters, span, font);
        if nothing && open.is_some_and(|open| self.tree.is_empty() || open.span.end == self.input.end().saturating_sub(1)) {
            let text = Text::Static("");
            let node = self.tree.push(Kind::TextRun { text, font }, span);
            self.nodes.push(node);
        }
    }

    fn push_letters(&mut self, letters: &mut String, span: Span, font: Font) {
        if letters.is_empty() {
            return;
        }
        let text = self.tree.write_text(|buffer| buffer.push_str(letters));
        letters.clear();
        let node = self.tree.push(Kind::TextRun { text, font }, span);
        self.nodes.push(node);
    }

    /// `$…$` inside text, after the dollar sign.
    fn math_in_text(&mut self, open: Token) {
        let before = std::mem::replace(&mut self.font, Font::Default);
        let row = self.row(Until::Dollar);
        self.font = before;
        let close = self.next();
        if close.kind == TokenKind::Dollar {
            self.tree.node_mut(row).span = open.span.to(close.span);
        } else {
            self.input.unread(close);
            self.report(DiagnosticKind::UnmatchedDelimiter, open.span, "this dollar sign is never closed");
        }
        self.nodes.push(row);
    }

    /// A command in text: most stand for a letter, some hold more text, the rest are read as in a formula.
    fn command_in_text(
        &mut self,
        token: Token,
        letters: &mut String,
        span: Span,
        font: Font,
    ) -> Option<NodeId> {
        let name = self.input.name(token);
        match name {
            "\\" | " " | "newline" | "quad" | "qquad" | "space" | "," | ";" | ":" | "enspace" | ">" => {
                letters.push(' ');
                return None;
            }
            "!" | "/" | "-" | "@" => return None,
            "(" | ")" => return None,
            "'" | "`" | "^" | "\"" | "~" | "=" | "." | "c" | "v" | "u" | "H" | "d" | "b" | "t" => {
                self.text_accent(name, letters);
                return None;
            }
            _ => {}
        }
        let text_letter = match name {
            "ss" => "ß",
            "ae" => "æ",
            "AE" => "Æ",
            "oe" => "œ",
            "OE" => "Œ",
            "o" => "ø",
            "O" => "Ø",
            "aa" => "å",
            "AA" => "Å",
            "l" => "ł",
            "L" => "Ł",
            "i" => "ı",
            "j" => "ȷ",
            "textbackslash" => "\\",
            "textasciitilde" => "~",
            "textasciicircum" => "^",
            _ => "",
        };
        if !text_letter.is_empty() {
            letters.push_str(text_letter);
            return None;
        }
        match tables().command(name) {
            Some(Meaning::Symbol { text, .. }) => {
                letters.push_str(text);
                None
            }
            Some(Meaning::FontSwitch(_)) => None,
            Some(Meaning::Text(inner)) => {
                self.push_letters(letters, span, font);
                Some(if self.depth < super::MAX_DEPTH {
                    self.depth += 1;
                    let node = self.text_argument(token, inner);
                    self.depth -= 1;
                    node
                } else {
                    self.report(DiagnosticKind::TooDeep, token.span, "nested too deeply; kept unread");
                    self.opaque(token.span, Opaque::Misplaced)
                })
            }
            _ => {
                self.push_letters(letters, span, font);
                if self.depth >= super::MAX_DEPTH {
                    self.report(DiagnosticKind::TooDeep, token.span, "nested too deeply; kept unread");
                    return Some(self.opaque(token.span, Opaque::Misplaced));
                }
                self.depth += 1;
                let step = self.command(token);
                self.depth -= 1;
                match step {
                    super::Step::Node(node) => Some(node),
                    super::Step::Nothing => None,
                    super::Step::Infix(_) => Some(self.opaque(token.span, Opaque::Misplaced)),
                }
            }
        }
    }

    /// `\'e` and the like: the letter with its combining accent.
    pub(super) fn text_accent(&mut self, accent: &str, letters: &mut String) {
        let combining = match accent {
            "'" => '\u{301}',
            "`" => '\u{300}',
            "^" => '\u{302}',
            "\"" => '\u{308}',
            "~" => '\u{303}',
            "=" => '\u{304}',
            "." => '\u{307}',
            "c" => '\u{327}',
            "v" => '\u{30c}',
            "u" => '\u{306}',
            "H" => '\u{30b}',
            "d" => '\u{323}',
            "b" => '\u{331}',
            _ => '\u{361}',
        };
        let letter = self.raw_argument();
        letters.push_str(&letter);
        if !letter.is_empty() {
            letters.push(combining);
        }
    }
}
