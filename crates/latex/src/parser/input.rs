//! The stream of tokens: the source, with what macros and look-ahead put in front of it.

use super::macros::Macro;
use crate::lexer::{Lexer, Token, TokenKind};
use crate::tree::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// What macros may put in front of the source before calls are kept unexpanded: tokens, and bytes of names.
const EXPANSION_BUDGET: usize = 20_000;

pub(super) struct Input<'s> {
    lexer: Lexer<'s>,
    /// Tokens to read before the source, the next one last.
    pending: Vec<Token>,
    macros: HashMap<&'s [u8], Rc<Macro>>,
    /// What is left of [`EXPANSION_BUDGET`].
    pub(super) budget: usize,
    /// Whether it did not suffice.
    pub(super) exhausted: bool,
    /// One past the last byte that was read, and the same before the last token.
    end: u32,
    end_before: u32,
    /// Where the source ends for us (a closing `$` is not part of the formula).
    stop: u32,
    /// The length of the whole source.
    length: usize,
}

impl<'s> Input<'s> {
    pub(super) fn new(source: &'s [u8], pending: Vec<Token>) -> Self {
        Self {
            lexer: Lexer::new(source),
            pending,
            macros: HashMap::new(),
            budget: EXPANSION_BUDGET,
            exhausted: false,
            end: 0,
            end_before: 0,
            stop: source.len() as u32,
            length: source.len(),
        }
    }

    pub(super) fn into_pending(mut self) -> Vec<Token> {
        self.pending.clear();
        self.pending
    }

    /// The bytes of the formula, up to its closing delimiter if it has one.
    pub(super) fn source(&self) -> &'s [u8] {
        self.lexer.source()
    }

    /// Everything, delimiters included.
    pub(super) fn whole(&self) -> Span {
        Span::new(0, self.length)
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
        self.end = self.end.max(token.span.end.min(self.stop));
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
        let trimmed = source.trim_ascii();
        if !matches!(trimmed.first(), Some(b'$' | b'\\')) {
            return;
        }
        let blank_before = source.iter().take_while(|b| b.is_ascii_whitespace()).count();
        for (open, close) in [("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")] {
            let inner =
                trimmed.strip_prefix(open.as_bytes()).and_then(|rest| rest.strip_suffix(close.as_bytes()));
            let Some(inner) = inner else { continue };
            // `$x$ and $y$` is not one formula in dollar signs; `$x\$` and `\[x\\]` only look closed.
            let escaped = inner.iter().rev().take_while(|&&b| b == b'\\').count() % 2 == 1;
            if escaped || open.starts_with('$') && inner.contains(&b'$') {
                continue;
            }
            let start = blank_before + open.len();
            self.lexer = Lexer::new(&source[..start + inner.len()]);
            self.lexer.seek(start);
            self.stop = (start + inner.len()) as u32;
            self.end = start as u32;
            self.end_before = self.end;
            return;
        }
    }

    pub(super) fn has_macros(&self) -> bool {
        !self.macros.is_empty()
    }

    pub(super) fn macro_named(&self, name: &[u8]) -> Option<&Rc<Macro>> {
        self.macros.get(name)
    }

    pub(super) fn define(&mut self, name: Token, definition: Rc<Macro>) {
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
    pub(super) fn push_source(&self, token: Token, out: &mut String) {
        match token.kind {
            TokenKind::Command => {
                out.push('\\');
                out.push_str(&String::from_utf8_lossy(self.name_bytes(token)));
            }
            TokenKind::Char(c) => out.push(c),
            TokenKind::Open => out.push('{'),
            TokenKind::Close => out.push('}'),
            TokenKind::Sup => out.push('^'),
            TokenKind::Sub => out.push('_'),
            TokenKind::Align => out.push('&'),
            TokenKind::Hash => out.push('#'),
            TokenKind::Dollar => out.push('$'),
            TokenKind::Space => out.push(' '),
            TokenKind::Invalid => out.push('\u{fffd}'),
            TokenKind::Parameter(number) => {
                out.push('#');
                out.push(char::from(b'0' + number));
            }
            TokenKind::Operator { .. } | TokenKind::Comment | TokenKind::End => {}
        }
    }

    /// The source behind the token that comes next; nothing when macros have put something in front of it.
    pub(super) fn bytes_after_next(&self) -> &'s [u8] {
        if self.pending.len() == 1 { self.lexer.rest() } else { &[] }
    }

    /// What stands between the token that comes next and its like, as bytes, and whether the second one is
    /// there. `None` when macros have put something in front of the source.
    pub(super) fn take_verbatim(&mut self, fence: Token) -> Option<(&'s [u8], bool)> {
        if self.pending.len() != 1 || fence.kind == TokenKind::End {
            return None;
        }
        let source = self.source();
        let start = fence.span.start as usize;
        // The fence is one character, whatever token it begins.
        let width = std::str::from_utf8(&source[start..fence.span.end as usize])
            .map_or(1, |text| text.chars().next().map_or(1, char::len_utf8));
        let (fence, inside) = source[start..].split_at(width);
        let length = inside.windows(width).position(|window| window == fence);
        let (inside, end) = match length {
            Some(length) => (&inside[..length], start + length + 2 * width),
            None => (inside, source.len()),
        };
        self.pending.clear();
        self.lexer.seek(end);
        self.end = end as u32;
        Some((inside, length.is_some()))
    }

    /// Says where reading stands, after tokens were put back.
    pub(super) fn set_end(&mut self, end: u32) {
        self.end = end;
    }

    /// Whether the `[` that comes next opens a length, as in `\\[2pt]`, and not part of the formula.
    pub(super) fn rest_after_bracket_is_length(&self) -> bool {
        let rest = self.lexer.rest();
        let inner = rest.iter().take(16).position(|&b| b == b']').map(|end| &rest[..end]);
        self.pending.len() == 1
            && inner.is_some_and(|inner| {
                let inner = inner.trim_ascii();
                let unit = inner.iter().rev().take_while(|b| b.is_ascii_alphabetic()).count();
                unit == 2 && inner[..inner.len() - 2].iter().all(|b| b" 0123456789.-+,".contains(b))
            })
    }
}
