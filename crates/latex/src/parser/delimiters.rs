//! Delimiters that are told their size: `\left … \right`, `\middle`, `\big`, and bra-kets.

use super::{Parser, Until};
use crate::diagnostic::DiagnosticKind;
use crate::lexer::{Token, TokenKind};
use crate::tables::{Meaning, tables};
use crate::tree::{Class, Kind, NodeId, Text};

impl Parser<'_, '_> {
    /// `\left( … \right)`, after `\left`.
    pub(super) fn fenced(&mut self, token: Token) -> NodeId {
        // `\left{ … \right}`, with the backslashes forgotten.
        let brace = self.bare_brace();
        let left = match brace {
            Some(open) => {
                let span = token.span.to(open.span);
                self.report(
                    DiagnosticKind::BadDelimiter,
                    span,
                    "a brace needs a backslash to be a delimiter",
                );
                Some('{')
            }
            None => self.delimiter(token),
        };
        let body = self.row(Until::Right);
        let next = self.next();
        let right = if next.kind != TokenKind::Command || self.input.name(next) != "right" {
            self.input.unread(next);
            self.report(DiagnosticKind::UnmatchedDelimiter, token.span, "`\\left` without `\\right`");
            None
        } else if brace.is_some() && self.input.peek_raw().kind == TokenKind::Close {
            self.input.next_raw();
            Some('}')
        } else {
            self.delimiter(next)
        };
        self.finish(token, Kind::Fenced { left, right, body })
    }

    /// An opening brace that comes next and is no group around one delimiter.
    fn bare_brace(&mut self) -> Option<Token> {
        let end = self.input.end();
        if self.peek().kind != TokenKind::Open {
            return None;
        }
        let open = self.next_solid();
        let first = self.raw_solid();
        let second = self.raw_solid();
        self.input.unread(second);
        self.input.unread(first);
        if second.kind == TokenKind::Close || first.kind == TokenKind::Close {
            self.input.unread_to(open, end);
            return None;
        }
        // Nothing behind the brace counts as read yet.
        self.input.unread_to(open, end);
        Some(self.input.next_raw())
    }

    /// `\middle|`, `\big(`: a delimiter alone.
    pub(super) fn lone_delimiter(&mut self, token: Token, class: Option<Class>) -> NodeId {
        match self.delimiter(token) {
            Some(sign) => {
                let class = class.unwrap_or_else(|| match (sign, tables().character(sign).0) {
                    ('{', _) => Class::Open,
                    ('}', _) => Class::Close,
                    (_, class @ (Class::Open | Class::Close)) => class,
                    _ => Class::Fence,
                });
                self.finish(token, Kind::Delimiter { sign, class })
            }
            // `\big.` is nothing; `\big x` was reported and the `x` is still to come.
            None => self.finish(token, Kind::Space(0)),
        }
    }

    /// The delimiter that comes next; `None` for `.` and for what is none, which is left unread.
    pub(super) fn delimiter(&mut self, command: Token) -> Option<char> {
        let before = self.input.end();
        let mut token = self.next_solid();
        // `\left\big(`: the inner command is for the eye only.
        while token.kind == TokenKind::Command
            && matches!(self.input.name(token), "big" | "Big" | "bigg" | "Bigg" | "displaystyle")
        {
            token = self.next_solid();
        }
        let found = match token.kind {
            // `\big{(}`
            TokenKind::Open => {
                let inner = self.raw_solid();
                let end = self.input.end();
                let close = self.raw_solid();
                let found = if close.kind == TokenKind::Close { self.delimiter_of(inner) } else { None };
                if found.is_none() {
                    self.input.unread_to(close, end);
                    self.input.unread_to(inner, before);
                }
                // `\genfrac{}{}…`, `\big{}`: no delimiter at all.
                if inner.kind == TokenKind::Close {
                    self.raw_solid();
                    return None;
                }
                found
            }
            _ => self.delimiter_of(token),
        };
        found.unwrap_or_else(|| {
            self.input.unread_to(token, before);
            let message = format!("`\\{}` needs a delimiter behind it", self.input.name(command));
            self.report(DiagnosticKind::BadDelimiter, command.span, message);
            None
        })
    }

    /// What a token is as a delimiter: `Some(None)` for `.`, `None` if it is none.
    fn delimiter_of(&self, token: Token) -> Option<Option<char>> {
        match token.kind {
            TokenKind::Char(c) => typed_delimiter(c),
            TokenKind::Command => named_delimiter(self.input.name(token)).map(Some),
            _ => None,
        }
    }

    /// `\genfrac{(}{)}`: an argument that holds one delimiter or none.
    pub(super) fn delimiter_argument(&mut self, command: Token) -> Option<char> {
        let typed = self.raw_argument();
        let typed = typed.trim();
        let mut chars = typed.chars();
        let found = match (chars.next(), chars.next()) {
            (None, _) => return None,
            (Some(c), None) => typed_delimiter(c),
            _ => typed.strip_prefix('\\').and_then(named_delimiter).map(Some),
        };
        found.unwrap_or_else(|| {
            let span = command.span.to(self.span_here());
            self.report(DiagnosticKind::BadDelimiter, span, format!("`{typed}` is no delimiter"));
            None
        })
    }

    /// Whether a delimiter comes next, with a size or without.
    pub(super) fn before_delimiter(&mut self) -> bool {
        let next = self.peek();
        match next.kind {
            TokenKind::Command
                if matches!(self.input.name(next), "left" | "big" | "bigl" | "Big" | "Bigl") =>
            {
                true
            }
            _ => matches!(self.delimiter_of(next), Some(Some(_))),
        }
    }

    /// `\braket{a|b}`, and the `\braket{a}{b}` of the physics package.
    pub(super) fn bra_ket(&mut self, token: Token) -> NodeId {
        let mut body = self.argument(token.span, "an argument");
        let has_bar = |id: &NodeId| {
            matches!(
                self.tree.kind(*id),
                Kind::Symbol { class: Class::Fence, .. }
                    | Kind::Symbol { text: Text::Char('∣'), .. }
                    | Kind::Delimiter { class: Class::Fence, .. }
            )
        };
        if !self.tree.row(&body).iter().any(has_bar) && self.input.next_is(TokenKind::Open) {
            let here = self.span_here();
            let bar = self.tree.push(Kind::Delimiter { sign: '|', class: Class::Fence }, here);
            let second = self.argument(token.span, "an argument");
            let mark = self.nodes.len();
            self.nodes.extend([body, bar, second]);
            body = self.finish_row(mark, here);
        }
        self.finish(token, Kind::Fenced { left: Some('⟨'), right: Some('⟩'), body })
    }

    /// `\ketbra{a}{b}`: a ket and a bra.
    pub(super) fn ket_bra(&mut self, token: Token) -> NodeId {
        let mark = self.nodes.len();
        for (left, right) in [('|', '⟩'), ('⟨', '|')] {
            let body = self.argument(token.span, "an argument");
            let span = self.tree.node(body).span;
            let fenced = self.tree.push(Kind::Fenced { left: Some(left), right: Some(right), body }, span);
            self.nodes.push(fenced);
        }
        let span = token.span.to(self.span_here());
        let row = self.finish_row(mark, span);
        self.tree.node_mut(row).span = span;
        row
    }
}

/// A character as a delimiter: `Some(None)` for `.`, `None` if it is none.
fn typed_delimiter(c: char) -> Option<Option<char>> {
    match c {
        '.' => Some(None),
        '<' => Some(Some('⟨')),
        '>' => Some(Some('⟩')),
        '/' => Some(Some('/')),
        _ => {
            let class = tables().character(c).0;
            let is_delimiter = matches!(class, Class::Open | Class::Close | Class::Fence)
                || class == Class::Arrow && !c.is_ascii()
                || matches!(c, '∣' | '∥' | '∖');
            is_delimiter.then_some(Some(c))
        }
    }
}

/// A command as a delimiter, by its name.
fn named_delimiter(name: &str) -> Option<char> {
    match name {
        "lt" => Some('⟨'),
        "gt" => Some('⟩'),
        "(" | ")" | "[" | "]" | "/" => name.chars().next(),
        _ => match tables().command(name) {
            Some(Meaning::Symbol { text, class })
                if matches!(class, Class::Open | Class::Close | Class::Fence | Class::Arrow)
                    || matches!(name, "backslash" | "mid" | "divides" | "parallel" | "setminus") =>
            {
                text.chars().next()
            }
            _ => None,
        },
    }
}
