//! Bytes to TeX tokens.
//!
//! The lexer reads one token at a time and keeps no state but its position.
//! It undoes HTML escapes that were left in the source (`&lt;`), also those
//! that a converter cut in two at their `&`, skips comments, and copes with
//! bytes that are not UTF-8.

use crate::Span;
use crate::tables::tables;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// `\name` or `\%`; the name is [`Token::name`].
    Command,
    /// Any other character.
    Char(char),
    /// `{`
    Open,
    /// `}`
    Close,
    /// `^`
    Sup,
    /// `_`
    Sub,
    /// `&`
    Align,
    /// `#`
    Hash,
    /// `#1` in a macro's body.
    Parameter(u8),
    /// In the body of `\DeclareMathOperator`: the group that follows is an operator's name.
    Operator {
        /// Whether its scripts go above and below.
        limits: bool,
    },
    /// `$` or `$$`
    Dollar,
    /// A run of white space.
    Space,
    /// A comment, with the line end that closes it and the blanks that begin the next line.
    Comment,
    /// Bytes that are not UTF-8.
    Invalid,
    /// Nothing left.
    End,
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Where it stands; for a token that came out of a macro, where the macro was called.
    pub(crate) span: Span,
    /// The bytes of a command's name, without the backslash.
    pub(crate) name: Span,
}

impl Token {
    pub(crate) fn new(kind: TokenKind, span: Span) -> Self {
        Self { kind, span, name: Span::default() }
    }
}

/// Reads tokens from a source.
#[derive(Clone, Debug)]
pub(crate) struct Lexer<'s> {
    source: &'s [u8],
    position: usize,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(source: &'s [u8]) -> Self {
        Self { source, position: 0 }
    }

    pub(crate) fn source(&self) -> &'s [u8] {
        self.source
    }

    pub(crate) fn seek(&mut self, position: usize) {
        self.position = position;
    }

    /// The bytes not read yet.
    pub(crate) fn rest(&self) -> &'s [u8] {
        &self.source[self.position..]
    }

    pub(crate) fn next(&mut self) -> Token {
        let start = self.position;
        let Some(&byte) = self.source.get(start) else {
            return Token::new(TokenKind::End, Span::new(start, start));
        };
        let kind = match byte {
            b'\\' => return self.command(start),
            b'{' => TokenKind::Open,
            b'}' => TokenKind::Close,
            b'^' => TokenKind::Sup,
            b'_' => TokenKind::Sub,
            b'#' => TokenKind::Hash,
            b'&' => return self.ampersand(start),
            b'a' if self.is_rest_of_ampersand() => {
                self.position += REST_OF_AMPERSAND.len() - 1;
                TokenKind::Space
            }
            b'$' => {
                if let Some((kind, length)) = torn_sign(self.rest()) {
                    self.position += length;
                    return Token::new(kind, Span::new(start, self.position));
                }
                if self.source.get(start + 1) == Some(&b'$') {
                    self.position += 1;
                }
                TokenKind::Dollar
            }
            b'%' => {
                self.position += comment_length(self.rest()) - 1;
                TokenKind::Comment
            }
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => {
                let blanks =
                    self.rest().iter().take_while(|b| b.is_ascii_whitespace() || **b == 0x0b).count();
                self.position += blanks - 1;
                TokenKind::Space
            }
            0..0x80 => TokenKind::Char(byte as char),
            _ => return self.unicode(start),
        };
        self.position += 1;
        Token::new(kind, Span::new(start, self.position))
    }

    fn command(&mut self, start: usize) -> Token {
        let rest = &self.source[start + 1..];
        let letters = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let name_length = match rest.first() {
            None => 0,
            Some(_) if letters > 0 => letters + at_suffix(&rest[..letters], &rest[letters..]),
            Some(b'@') => at_suffix(b"", rest).max(1),
            Some(0..0x80) => 1,
            Some(_) => decode(rest).map_or(1, char::len_utf8),
        };
        let name = Span::new(start + 1, start + 1 + name_length);
        self.position = start + 1 + name_length;
        Token { kind: TokenKind::Command, span: Span::new(start, self.position), name }
    }

    fn ampersand(&mut self, start: usize) -> Token {
        self.position = start + 1;
        let bytes = &self.source[start..];
        let (kind, length) = entity(bytes).or_else(|| torn_sign(bytes)).unwrap_or((TokenKind::Align, 1));
        self.position = start + length;
        Token::new(kind, Span::new(start, self.position))
    }

    /// Whether what comes next is the rest of an `&amp;` whose `&` began a cell. The converter put the style
    /// of the cell in between: `&\displaystyle amp;`, `&$\displaystyle amp;`, `\qvar@construct{&}amp;`.
    fn is_rest_of_ampersand(&self) -> bool {
        if !self.rest().starts_with(REST_OF_AMPERSAND) {
            return false;
        }
        let before = self.source[..self.position].trim_ascii_end();
        let styled = before.strip_suffix(DISPLAY_STYLE);
        let before = styled.unwrap_or(before).trim_ascii_end();
        let before = before.strip_suffix(b"$").unwrap_or(before);
        // Some cells stand alone, without the `&` that began them.
        before.ends_with(b"&") || before.ends_with(b"{&}") || before.is_empty() && styled.is_some()
    }

    fn unicode(&mut self, start: usize) -> Token {
        let kind = match decode(&self.source[start..]) {
            Some(c) => {
                self.position += c.len_utf8();
                if c.is_whitespace()
                    || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2060}'..='\u{2064}')
                {
                    TokenKind::Space
                } else {
                    TokenKind::Char(c)
                }
            }
            None => {
                self.position += 1;
                while self.position < self.source.len()
                    && self.source[self.position] >= 0x80
                    && decode(self.rest()).is_none()
                {
                    self.position += 1;
                }
                TokenKind::Invalid
            }
        };
        Token::new(kind, Span::new(start, self.position))
    }
}

const REST_OF_AMPERSAND: &[u8] = b"amp;";
const DISPLAY_STYLE: &[u8] = b"\\displaystyle";

/// The length of `@construct` and the like, with which converters write commands of their own
/// (`\qvar@construct`, `\lx@sectionsign`, `\@@eqnarray`, `\@add@PDF@RDFa@triples`). In what people type,
/// `@` ends a name.
fn at_suffix(name: &[u8], rest: &[u8]) -> usize {
    let Some((b'@', inner)) = rest.split_first() else { return 0 };
    let length = inner.iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'@').count();
    let converter = match name {
        b"qvar" | b"lx" | b"ltx" => length > 0,
        b"" => length > 1,
        _ => false,
    };
    if converter { 1 + length } else { 0 }
}

/// `<` or `>` that a converter cut in two at the `&` of `&lt;`, and how long that is: `&\displaystyle lt;`
/// in aligned rows, `$&$\displaystyle lt;` where each cell is a formula of its own.
fn torn_sign(bytes: &[u8]) -> Option<(TokenKind, usize)> {
    let rest = bytes.strip_prefix(b"$&$").or_else(|| bytes.strip_prefix(b"&"))?;
    let rest = rest.strip_prefix(DISPLAY_STYLE)?.trim_ascii_start();
    let sign = match rest.get(..3)? {
        b"lt;" => '<',
        b"gt;" => '>',
        _ => return None,
    };
    Some((TokenKind::Char(sign), bytes.len() - rest.len() + 3))
}

/// How long the comment is that these bytes begin with.
fn comment_length(bytes: &[u8]) -> usize {
    let is_line_end = |b: &&u8| matches!(b, b'\n' | b'\r');
    let line = bytes.iter().take_while(|b| !is_line_end(b)).count();
    let rest = &bytes[line..];
    let line_end =
        if rest.starts_with(b"\r\n") { 2 } else { rest.iter().take(1).filter(is_line_end).count() };
    line + line_end + rest[line_end..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

fn decode(bytes: &[u8]) -> Option<char> {
    let length = match bytes.first()? {
        0..0x80 => 1,
        0xc2..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf5 => 4,
        _ => return None,
    };
    std::str::from_utf8(bytes.get(..length)?).ok()?.chars().next()
}

/// Reads `&lt;`, `&#39;`, `&#x3c;` and doubly escaped forms such as `&amp;lt;`.
fn entity(bytes: &[u8]) -> Option<(TokenKind, usize)> {
    let semicolon = bytes.iter().take(12).position(|&b| b == b';')?;
    let name = std::str::from_utf8(&bytes[1..semicolon]).ok()?;
    let length = semicolon + 1;
    if name == "amp" {
        // `&amp;lt;` was escaped twice.
        let mut again = [0; 12];
        let tail = &bytes[length..bytes.len().min(length + 11)];
        again[0] = b'&';
        again[1..=tail.len()].copy_from_slice(tail);
        return Some(match entity(&again[..=tail.len()]) {
            Some((kind, inner)) => (kind, length + inner - 1),
            None => (TokenKind::Align, length),
        });
    }
    let c = if let Some(digits) = name.strip_prefix('#') {
        let code = match digits.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        char::from_u32(code.ok()?)?
    } else {
        tables().entity(name)?
    };
    let kind = if c.is_whitespace() {
        TokenKind::Space
    } else {
        match c {
            '&' => TokenKind::Align,
            '{' => TokenKind::Open,
            '}' => TokenKind::Close,
            '^' => TokenKind::Sup,
            '_' => TokenKind::Sub,
            c if c.is_control() => return None,
            c => TokenKind::Char(c),
        }
    };
    Some((kind, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<TokenKind> {
        let mut lexer = Lexer::new(source.as_bytes());
        std::iter::from_fn(|| Some(lexer.next().kind).filter(|kind| *kind != TokenKind::End)).collect()
    }

    #[test]
    fn html_escapes_are_undone() {
        assert_eq!(kinds("&lt;"), [TokenKind::Char('<')]);
        assert_eq!(kinds("&amp;lt;"), [TokenKind::Char('<')]);
        assert_eq!(kinds("&amp;"), [TokenKind::Align]);
        assert_eq!(kinds("&amp;amp;"), [TokenKind::Align]);
        assert_eq!(kinds("&#39;"), [TokenKind::Char('\'')]);
        assert_eq!(kinds("&b;"), [TokenKind::Align, TokenKind::Char('b'), TokenKind::Char(';')]);
    }

    #[test]
    fn a_comment_ends_with_its_line() {
        assert_eq!(kinds("%a\n  b"), [TokenKind::Comment, TokenKind::Char('b')]);
        assert_eq!(kinds("%a\r\n\nb"), [TokenKind::Comment, TokenKind::Space, TokenKind::Char('b')]);
        assert_eq!(kinds("%a"), [TokenKind::Comment]);
    }

    #[test]
    fn names_may_hold_an_at_sign_only_inside() {
        assert_eq!(kinds("\\qvar@construct{").len(), 2);
        assert_eq!(kinds("\\tt@").len(), 2);
        assert_eq!(kinds("\\@@eqnarray").len(), 1);
        assert_eq!(kinds("\\@add@PDF@RDFa@triples{").len(), 2);
        assert_eq!(kinds("\\@x").len(), 2);
    }

    #[test]
    fn escapes_that_a_converter_cut_in_two_are_joined() {
        use TokenKind::{Align, Char, Command, Dollar, Space};
        assert_eq!(kinds("&\\displaystyle amp;="), [Align, Command, Space, Space, Char('=')]);
        assert_eq!(kinds("&$\\displaystyle amp;="), [Align, Dollar, Command, Space, Space, Char('=')]);
        assert_eq!(kinds("&\\displaystyle lt;b"), [Char('<'), Char('b')]);
        assert_eq!(kinds("$&$\\displaystyle gt;b"), [Char('>'), Char('b')]);
        assert_eq!(kinds("\\displaystyle amp;="), [Command, Space, Space, Char('=')]);
        assert_eq!(kinds("amp;"), ['a', 'm', 'p', ';'].map(Char));
        assert_eq!(kinds("&\\displaystyle l;"), [Align, Command, Space, Char('l'), Char(';')]);
    }

    #[test]
    fn broken_bytes_are_one_token_each_run() {
        let mut lexer = Lexer::new(b"\xed\xa0\x80x");
        let token = lexer.next();
        assert_eq!((token.kind, token.span), (TokenKind::Invalid, Span::new(0, 3)));
        assert_eq!(lexer.next().kind, TokenKind::Char('x'));
    }
}
