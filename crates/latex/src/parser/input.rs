//! The stream of tokens: the source, with what macros and look-ahead put in front of it.

use super::macros::Macro;
use crate::lexer::{Lexer, Token, TokenKind};
use std::collections::HashMap;

/// How many tokens macros may put in front of the source before calls are kept unexpanded.
const EXPANSION_BUDGET: usize = 50_000;

pub(super) struct Input<'s> {
    lexer: Lexer<'s>,
    /// Tokens to read before the source, the next one last.
    pending: Vec<Token>,
    macros: HashMap<&'s [u8], Macro>,
    /// What is left of [`EXPANSION_BUDGET`].
    pub(super) budget: usize,
    /// One past the last byte that was read, and the same before the last token.
    end: u32,
    end_before: u32,
    /// Where the source ends for us (a closing `$` is not part of the formula).
    stop: usize,
}

impl<'s> Input<'s> {
    pub(super) fn new(source: &'s [u8], pending: Vec<Token>) -> Self {
        Self {
            lexer: Lexer::new(source),
            pending,
            macros: HashMap::new(),
            budget: EXPANSION_BUDGET,
            end: 0,
            end_before: 0,
            stop: source.len(),
        }
    }

    pub(super) fn into_pending(mut self) -> Vec<Token> {
        self.pending.clear();
        self.pending
    }

    pub(super) fn source(&self) -> &'s [u8] {
        self.lexer.source()
    }

    /// One past the last byte that was read.
    pub(super) fn end(&self) -> u32 {
        self.end
    }

    /// The name of a command; names that are not UTF-8 cannot be known and read as nothing.
    pub(super) fn name(&self, token: Token) -> &'s str {
        std::str::from_utf8(self.name_bytes(token)).unwrap_or("")
    }

    pub(super) fn name_bytes(&self, token: Token) -> &'s [u8] {
        &self.source()[token.name.range()]
    }

    /// The next token as it stands, macros unexpanded.
    pub(super) fn next_raw(&mut self) -> Token {
        let token = match self.pending.pop() {
            Some(token) => token,
            None => self.lexer.next(),
        };
        self.end_before = self.end;
        self.end = self.end.max(token.span.end.min(self.stop as u32));
        token
    }

    pub(super) fn peek_raw(&mut self) -> Token {
        match self.pending.last() {
            Some(&token) => token,
            None => {
                let token = self.lexer.next();
                self.pending.push(token);
                token
            }
        }
    }

    /// Puts the token that was read last back.
    pub(super) fn unread(&mut self, token: Token) {
        self.unread_to(token, self.end_before);
    }

    /// Puts a token back and says where reading stood before it.
    pub(super) fn unread_to(&mut self, token: Token, end: u32) {
        self.pending.push(token);
        self.end = end;
    }

    /// Takes `$…$`, `$$…$$`, `\(…\)` and `\[…\]` off the outside.
    pub(super) fn strip_math_delimiters(&mut self) {
        let source = self.source();
        let blank_before = source.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let trimmed = source.trim_ascii();
        for (open, close) in [("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")] {
            let inner = trimmed.strip_prefix(open.as_bytes()).and_then(|rest| rest.strip_suffix(close.as_bytes()));
            let Some(inner) = inner else { continue };
            // `$x$ and $y$` or `x\$` is not one formula in dollar signs.
            if open.starts_with('$') && (inner.contains(&b'$') || inner.last() == Some(&b'\\')) {
                continue;
            }
            let start = blank_before + open.len();
            self.lexer = Lexer::new(&source[..start + inner.len()]);
            self.lexer.seek(start);
            self.stop = start + inner.len();
            self.end = start as u32;
            self.end_before = self.end;
            return;
        }
    }

    pub(super) fn has_macros(&self) -> bool {
        !self.macros.is_empty()
    }

    pub(super) fn macro_named(&self, name: &[u8]) -> Option<&Macro> {
        self.macros.get(name)
    }

    pub(super) fn define(&mut self, name: Token, definition: Macro) {
        self.macros.insert(self.name_bytes(name), definition);
    }

    /// Puts tokens in front, the first one first.
    pub(super) fn push_tokens(&mut self, tokens: impl DoubleEndedIterator<Item = Token>) {
        self.pending.extend(tokens.rev());
    }

    /// Whether the next token follows the last one without a blank, as the bytes stand.
    pub(super) fn next_is(&mut self, kind: TokenKind) -> bool {
        self.peek_raw().kind == kind
    }

    /// Appends what a token looks like in the source.
    pub(super) fn push_source(&self, token: Token, out: &mut Vec<u8>) {
        match token.kind {
            TokenKind::Command => {
                out.push(b'\\');
                out.extend_from_slice(self.name_bytes(token));
            }
            TokenKind::Char(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            TokenKind::Open => out.push(b'{'),
            TokenKind::Close => out.push(b'}'),
            TokenKind::Sup => out.push(b'^'),
            TokenKind::Sub => out.push(b'_'),
            TokenKind::Align => out.push(b'&'),
            TokenKind::Hash => out.push(b'#'),
            TokenKind::Dollar => out.push(b'$'),
            TokenKind::Space => out.push(b' '),
            TokenKind::Invalid => out.extend_from_slice("\u{fffd}".as_bytes()),
            TokenKind::Parameter(_) | TokenKind::Operator { .. } | TokenKind::Comment | TokenKind::End => {}
        }
    }

    /// Whether the `[` that comes next opens a length, as in `\\[2pt]`, and not part of the formula.
    pub(super) fn rest_after_bracket_is_length(&self) -> bool {
        let rest = self.lexer.rest();
        let inner = rest.iter().take(16).position(|&b| b == b']').map(|end| &rest[..end]);
        inner.is_some_and(|inner| {
            let inner = inner.trim_ascii();
            let unit = inner.iter().rev().take_while(|b| b.is_ascii_alphabetic()).count();
            unit == 2 && inner[..inner.len() - 2].iter().all(|b| b" 0123456789.-+,".contains(b))
        })
    }
}
