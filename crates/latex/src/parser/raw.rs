//! Arguments that are not formulas: names, numbers, lengths, text kept as it was typed, wildcards.

use super::{Mode, Parser};
use crate::diagnostic::DiagnosticKind;
use crate::lexer::{Token, TokenKind};
use crate::tree::{Font, Kind, NodeId, Opaque, Span};

/// Units of length with their size in eighteenths of an em.
const UNITS: &[(&str, f32)] = &[
    ("mu", 1.0),
    ("em", 18.0),
    ("ex", 8.0),
    ("pt", 1.8),
    ("px", 1.8),
    ("bp", 1.8),
    ("pc", 21.6),
    ("dd", 1.9),
    ("cc", 23.0),
    ("sp", 0.0),
    ("mm", 5.1),
    ("cm", 51.0),
    ("in", 130.0),
];

impl Parser<'_, '_> {
    // Wildcards

    /// A wildcard. Some topics put stars around its name (`*1*`), which are not part of it.
    pub(super) fn wildcard(&mut self, name: &str, span: Span) -> NodeId {
        let name = name.trim().trim_matches('*').trim();
        let text = self.tree.write_text(|buffer| buffer.push_str(name));
        self.tree.push(Kind::Wildcard(text), span)
    }

    /// `\qvar{x}`: a wildcard with a name.
    pub(super) fn named_wildcard(&mut self, token: Token) -> NodeId {
        let name = self.raw_argument();
        self.wildcard(&name, token.span.to(self.span_here()))
    }

    /// `?`, `?x`, `?x0`, `?1`, `?{x0}` in a query.
    pub(super) fn question_mark(&mut self, mut span: Span) -> NodeId {
        let mut name = String::new();
        if self.input.next_is(TokenKind::Open) {
            name = self.raw_argument();
            span = span.to(self.span_here());
        } else if let TokenKind::Char(c) = self.input.peek_raw().kind
            && c.is_ascii_alphanumeric()
        {
            span = span.to(self.input.next_raw().span);
            name.push(c);
            while let TokenKind::Char(c @ '0'..='9') = self.input.peek_raw().kind {
                name.push(c);
                span = span.to(self.input.next_raw().span);
            }
        }
        self.wildcard(&name, span)
    }

    /// In a query a wildcard; in a document, a converter's reading of a question mark and what follows it.
    pub(super) fn constructed_wildcard(&mut self, token: Token) -> NodeId {
        if self.mode == Mode::Query {
            return self.named_wildcard(token);
        }
        let question = self.character('?', token.span);
        if self.takes_end_of_cell() {
            return question;
        }
        let rest = self.argument(token.span, "what follows the question mark");
        let mark = self.nodes.len();
        self.nodes.push(question);
        match self.tree.kind(rest) {
            Kind::Row(list) => self.nodes.extend_from_slice(self.tree.list(list)),
            _ => self.nodes.push(rest),
        }
        let span = token.span.to(self.span_here());
        let row = self.finish_row(mark, span);
        self.tree.node_mut(row).span = span;
        row
    }

    /// Takes `{&}` and `{$}`: what followed the question mark was the end of its cell or of its formula.
    fn takes_end_of_cell(&mut self) -> bool {
        let end = self.input.end();
        let tokens = [(); 3].map(|()| self.raw_solid());
        let [open, inner, close] = tokens;
        let is_end = matches!(inner.kind, TokenKind::Align | TokenKind::Dollar);
        if is_end && (open.kind, close.kind) == (TokenKind::Open, TokenKind::Close) {
            if inner.kind == TokenKind::Align {
                self.input.push_tokens([inner].into_iter());
            }
            return true;
        }
        self.input.push_tokens(tokens.into_iter());
        self.input.set_end(end);
        false
    }

    // Characters by number

    /// `\unicode{x2102}`.
    pub(super) fn unicode(&mut self, token: Token) -> NodeId {
        self.skip_bracket();
        let code = self.raw_argument();
        self.character_numbered(token, code_point(code.trim()))
    }

    /// `\char"41`, `\char'101`, `\char65`.
    pub(super) fn char_code(&mut self, token: Token) -> NodeId {
        let mut digits = String::new();
        if self.peek().kind == TokenKind::Open {
            digits = self.raw_argument();
        } else {
            self.peek();
            while let TokenKind::Char(c) = self.input.peek_raw().kind {
                let fits = match c {
                    '0'..='9' => true,
                    '"' | '\'' => digits.is_empty(),
                    'a'..='f' | 'A'..='F' => digits.starts_with('"'),
                    _ => false,
                };
                if !fits || digits.len() > 8 {
                    break;
                }
                self.input.next_raw();
                digits.push(c);
            }
        }
        let digits = digits.trim();
        let code = match (digits.strip_prefix('"'), digits.strip_prefix('\'')) {
            (Some(hex), _) => u32::from_str_radix(hex, 16).ok(),
            (_, Some(octal)) => u32::from_str_radix(octal, 8).ok(),
            _ => digits.parse().ok(),
        };
        self.character_numbered(token, code.and_then(char::from_u32))
    }

    fn character_numbered(&mut self, token: Token, c: Option<char>) -> NodeId {
        let span = token.span.to(self.span_here());
        match c.filter(|c| !c.is_control()) {
            Some(c) => self.character(c, span),
            None => {
                self.report(DiagnosticKind::Misplaced, span, "no character has this number");
                self.opaque(span, Opaque::Misplaced)
            }
        }
    }

    // Arguments as they were typed

    /// `\verb|…|`, after the command.
    pub(super) fn verbatim(&mut self, token: Token) -> NodeId {
        self.skip_star();
        // Looking for the star may have made a token of what follows.
        let fence = self.input.next_raw();
        self.input.unread(fence);
        let (letters, closed) = match self.input.take_verbatim(fence) {
            Some((bytes, closed)) => (String::from_utf8_lossy(bytes).into_owned(), closed),
            None => self.verbatim_tokens(),
        };
        if !closed {
            self.report(DiagnosticKind::UnmatchedDelimiter, token.span, "`\\verb` is never closed");
        }
        let text = self.tree.write_text(|buffer| buffer.push_str(&letters));
        self.finish(token, Kind::TextRun { text, font: Font::Monospace })
    }

    fn verbatim_tokens(&mut self) -> (String, bool) {
        let fence = self.input.next_raw();
        let mut letters = String::new();
        loop {
            let next = self.input.next_raw();
            if next.kind == TokenKind::End {
                self.input.unread(next);
                return (letters, false);
            }
            if next.kind == fence.kind {
                return (letters, true);
            }
            self.input.push_source(next, &mut letters);
        }
    }

    /// An argument as it was typed, unread.
    pub(super) fn raw_argument(&mut self) -> String {
        let token = self.raw_solid();
        let mut letters = String::new();
        match token.kind {
            TokenKind::Open => self.raw_up_to(token, TokenKind::Close, &mut letters),
            TokenKind::End | TokenKind::Close => self.input.unread(token),
            _ => self.input.push_source(token, &mut letters),
        }
        letters
    }

    /// `[…]`, if that comes next, with a remark that it changes nothing.
    pub(super) fn skip_bracket(&mut self) {
        let open = self.peek();
        if self.bracket_text().is_some() {
            let span = open.span.to(self.span_here());
            self.report(DiagnosticKind::Ignored, span, "this option changes nothing here");
        }
    }

    /// The same for any number of them, without a remark.
    pub(super) fn skip_options(&mut self) {
        while self.bracket_text().is_some() {}
    }

    /// The inside of `[…]`, if that comes next.
    pub(super) fn bracket_text(&mut self) -> Option<String> {
        if self.peek().kind != TokenKind::Char('[') {
            return None;
        }
        let open = self.next_solid();
        let mut letters = String::new();
        self.raw_up_to(open, TokenKind::Char(']'), &mut letters);
        Some(letters)
    }

    /// Reads tokens as they stand up to and with the one that closes what `opened` opened.
    pub(super) fn raw_up_to(&mut self, opened: Token, close: TokenKind, out: &mut String) {
        let mut open = 0u32;
        loop {
            let token = self.input.next_raw();
            match token.kind {
                kind if kind == close && open == 0 => return,
                TokenKind::End => {
                    self.input.unread(token);
                    self.report(DiagnosticKind::UnmatchedBrace, opened.span, "an argument is never closed");
                    return;
                }
                // The group around a `[…]` ends first.
                TokenKind::Close if open == 0 => {
                    self.input.unread(token);
                    self.report(
                        DiagnosticKind::UnmatchedDelimiter,
                        opened.span,
                        "this bracket is never closed",
                    );
                    return;
                }
                TokenKind::Open => open += 1,
                TokenKind::Close => open -= 1,
                TokenKind::Comment => self.comment(token),
                _ => {}
            }
            self.input.push_source(token, out);
        }
    }

    // Lengths

    /// A length such as `1.5em` or `3mu plus 1fil minus 1pt`, in eighteenths of an em.
    pub(super) fn length(&mut self, command: Token) -> f32 {
        let length = self.dimension(command);
        for stretch in ["plus", "minus"] {
            if self.keyword(stretch) {
                self.dimension(command);
            }
        }
        length
    }

    /// A number with its unit. What is none is left unread.
    fn dimension(&mut self, command: Token) -> f32 {
        let before = self.input.end();
        let mut number = String::new();
        let mut last = before;
        let mut tokens = Vec::new();
        loop {
            let token = self.input.next_raw();
            match token.kind {
                TokenKind::Space if number.is_empty() => continue,
                TokenKind::Char(c @ ('-' | '+')) if number.is_empty() => number.push(c),
                TokenKind::Char(c @ ('0'..='9' | '.' | ',')) if number.len() < 16 => number.push(c),
                _ => {
                    self.input.unread_to(token, last);
                    break;
                }
            }
            last = self.input.end();
            tokens.push(token);
        }
        let Ok(value) = number.replace(',', ".").parse::<f32>() else {
            let found_nothing = tokens.is_empty();
            self.input.push_tokens(tokens.into_iter());
            if found_nothing {
                // `\kern\foo`: the length is a macro's or a register's.
                self.report(DiagnosticKind::MissingArgument, command.span, "the length is missing");
            } else {
                self.report(DiagnosticKind::MissingArgument, command.span, "the length is no number");
            }
            return 0.0;
        };
        self.keyword("true");
        let known = UNITS.iter().find_map(|&(unit, factor)| self.keyword(unit).then_some(factor));
        let factor =
            known.or_else(|| ["filll", "fill", "fil"].iter().any(|unit| self.keyword(unit)).then_some(0.0));
        (value * factor.unwrap_or(1.0)).clamp(-1800.0, 1800.0)
    }

    /// Takes these letters if they come next.
    fn keyword(&mut self, word: &str) -> bool {
        let end = self.input.end();
        let mut tokens: [Option<Token>; 6] = [None; 6];
        let mut read = 0;
        let mut letters = word.chars();
        let mut wanted = letters.next();
        while let Some(letter) = wanted {
            let token = self.input.next_raw();
            tokens[read] = Some(token);
            read += 1;
            match token.kind {
                TokenKind::Space if read == 1 => {}
                TokenKind::Char(c) if c == letter => wanted = letters.next(),
                _ => {
                    self.input.push_tokens(tokens[..read].iter().filter_map(|token| *token));
                    self.input.set_end(end);
                    return false;
                }
            }
        }
        true
    }
}

/// A length in eighteenths of an em; `None` when there is no number.
pub(super) fn parse_length(text: &str) -> Option<f32> {
    let text = text.trim();
    let split = text.find(|c: char| !matches!(c, '0'..='9' | '.' | '-' | '+' | ',')).unwrap_or(text.len());
    let number: f32 = text[..split].replace(',', ".").parse().ok()?;
    let unit = text[split..].trim();
    let factor = UNITS.iter().find(|(known, _)| unit.starts_with(known)).map_or(1.0, |&(_, factor)| factor);
    Some((number * factor).clamp(-1800.0, 1800.0))
}

/// `x2102`, `U+2102`, `8450`.
fn code_point(text: &str) -> Option<char> {
    let hex =
        text.strip_prefix(['x', 'X']).or_else(|| text.strip_prefix("U+")).or_else(|| text.strip_prefix("0x"));
    let code = match hex {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => text.parse(),
    };
    char::from_u32(code.ok()?)
}
