//! Definitions inside a formula, and their expansion.
//!
//! Each expansion draws on a budget, so a macro that calls itself ends: when
//! the budget is used up, calls are kept as opaque symbols.

use super::Parser;
use crate::diagnostic::DiagnosticKind;
use crate::lexer::{Token, TokenKind};
use crate::tree::Span;

/// A defined command.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    parameters: u8,
    /// The value of the first parameter when it is not given in brackets.
    default: Option<Vec<Token>>,
    body: Vec<Token>,
}

impl Parser<'_, '_> {
    /// Replaces a call by the macro's body. False when the command is no macro.
    pub(super) fn expand(&mut self, call: Token) -> bool {
        let name = self.input.name_bytes(call);
        if self.input.macro_named(name).is_none() {
            return false;
        }
        if self.input.budget == 0 {
            self.report(DiagnosticKind::BadMacro, call.span, "the definitions expand without end");
            return false;
        }
        let Some(definition) = self.input.macro_named(name).cloned() else { return false };
        let start = self.input.end();
        let mut arguments = Vec::with_capacity(definition.parameters.into());
        for number in 0..definition.parameters {
            let optional = definition.default.as_ref().filter(|_| number == 0);
            arguments.push(match optional {
                Some(default) => self.bracket_tokens().unwrap_or_else(|| default.clone()),
                None => self.argument_tokens(),
            });
        }
        let span = call.span.to(Span { start: call.span.start, end: self.input.end().max(start) });
        let mut expansion = Vec::with_capacity(definition.body.len());
        for token in &definition.body {
            match token.kind {
                TokenKind::Parameter(number) => {
                    if let Some(argument) = arguments.get(usize::from(number).wrapping_sub(1)) {
                        expansion.extend_from_slice(argument);
                    }
                }
                _ => expansion.push(Token { span, ..*token }),
            }
            if expansion.len() > self.input.budget {
                break;
            }
        }
        self.input.budget = self.input.budget.saturating_sub(expansion.len() + 1);
        self.input.push_tokens(expansion.into_iter());
        true
    }

    /// `\def\name#1#2{body}`.
    pub(super) fn define_plain(&mut self, command: Token) {
        let Some(name) = self.defined_name(command) else { return };
        let mut parameters = 0;
        loop {
            let token = self.input.next_raw();
            match token.kind {
                TokenKind::Space => {}
                TokenKind::Open => {
                    self.input.unread(token);
                    break;
                }
                TokenKind::Hash => {
                    if let TokenKind::Char(c @ '1'..='9') = self.input.next_raw().kind {
                        parameters = c as u8 - b'0';
                    }
                }
                TokenKind::End => {
                    self.input.unread(token);
                    self.report(DiagnosticKind::BadMacro, command.span, "this definition has no body");
                    return;
                }
                _ => {
                    self.report(DiagnosticKind::BadMacro, token.span, "parameters with delimiters are not read");
                }
            }
        }
        let body = self.body_tokens();
        self.input.define(name, Macro { parameters, default: None, body });
    }

    /// `\newcommand{\name}[n][default]{body}` and its kin.
    pub(super) fn define_latex(&mut self, command: Token) {
        self.skip_star();
        let Some(name) = self.defined_name(command) else { return };
        let count = self.bracket_tokens().and_then(|tokens| match tokens.first()?.kind {
            TokenKind::Char(c @ '0'..='9') => Some(c as u8 - b'0'),
            _ => None,
        });
        let default = self.bracket_tokens();
        let body = self.body_tokens();
        let parameters = count.unwrap_or(u8::from(default.is_some()));
        let default = default.filter(|_| parameters > 0);
        self.input.define(name, Macro { parameters, default, body });
    }

    /// `\DeclareMathOperator{\name}{letters}`.
    pub(super) fn define_operator(&mut self, command: Token) {
        let starred = self.skip_star();
        let Some(name) = self.defined_name(command) else { return };
        let letters = self.body_tokens();
        let mut body = Vec::with_capacity(letters.len() + 3);
        body.push(Token::new(TokenKind::Operator { limits: starred }, command.span));
        body.push(Token::new(TokenKind::Open, command.span));
        body.extend(letters);
        body.push(Token::new(TokenKind::Close, command.span));
        self.input.define(name, Macro { parameters: 0, default: None, body });
    }

    /// `\let\name=\other`.
    pub(super) fn define_alias(&mut self, command: Token) {
        let Some(name) = self.defined_name(command) else { return };
        let mut token = self.raw_solid();
        if token.kind == TokenKind::Char('=') {
            token = self.raw_solid();
        }
        if token.kind == TokenKind::End {
            self.input.unread(token);
            self.report(DiagnosticKind::BadMacro, command.span, "this definition has no body");
            return;
        }
        if self.input.name_bytes(token) == self.input.name_bytes(name) {
            return;
        }
        // What the other command means now is what this one means from now on.
        let definition = match self.input.macro_named(self.input.name_bytes(token)) {
            Some(known) if token.kind == TokenKind::Command => known.clone(),
            _ => Macro { parameters: 0, default: None, body: vec![token] },
        };
        self.input.define(name, definition);
    }

    fn defined_name(&mut self, command: Token) -> Option<Token> {
        let mut token = self.raw_solid();
        if token.kind == TokenKind::Open {
            token = self.raw_solid();
            if token.kind == TokenKind::Command {
                let close = self.raw_solid();
                if close.kind != TokenKind::Close {
                    self.input.unread(close);
                }
            }
        }
        if token.kind == TokenKind::Command {
            return Some(token);
        }
        self.input.unread(token);
        self.report(DiagnosticKind::BadMacro, command.span, "a definition needs a command to define");
        None
    }

    pub(super) fn raw_solid(&mut self) -> Token {
        loop {
            let token = self.input.next_raw();
            if !matches!(token.kind, TokenKind::Space | TokenKind::Comment) {
                return token;
            }
        }
    }

    /// Takes a star if one comes next.
    pub(super) fn skip_star(&mut self) -> bool {
        let starred = self.input.next_is(TokenKind::Char('*'));
        if starred {
            self.input.next_raw();
        }
        starred
    }

    /// The tokens of an argument: those in braces, or one.
    fn argument_tokens(&mut self) -> Vec<Token> {
        let token = self.raw_solid();
        match token.kind {
            TokenKind::Open => self.balanced_tokens(TokenKind::Close),
            TokenKind::End | TokenKind::Close => {
                self.input.unread(token);
                Vec::new()
            }
            _ => vec![token],
        }
    }

    fn body_tokens(&mut self) -> Vec<Token> {
        let raw = self.argument_tokens();
        let mut body = Vec::with_capacity(raw.len());
        let mut tokens = raw.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let digit = tokens.peek().and_then(|next| match next.kind {
                TokenKind::Char(c @ '1'..='9') if token.kind == TokenKind::Hash => Some(c as u8 - b'0'),
                _ => None,
            });
            match digit {
                Some(number) => {
                    tokens.next();
                    body.push(Token { kind: TokenKind::Parameter(number), ..token });
                }
                None => body.push(token),
            }
        }
        body
    }

    /// The tokens of `[…]`, if that comes next.
    fn bracket_tokens(&mut self) -> Option<Vec<Token>> {
        let token = self.raw_solid();
        if token.kind == TokenKind::Char('[') {
            return Some(self.balanced_tokens(TokenKind::Char(']')));
        }
        self.input.unread(token);
        None
    }

    fn balanced_tokens(&mut self, close: TokenKind) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut open = 0u32;
        loop {
            let token = self.input.next_raw();
            match token.kind {
                TokenKind::End => {
                    self.input.unread(token);
                    let here = self.span_here();
                    self.report(DiagnosticKind::UnmatchedBrace, here, "an argument is never closed");
                    return tokens;
                }
                kind if kind == close && open == 0 => return tokens,
                TokenKind::Open => open += 1,
                TokenKind::Close => open = open.saturating_sub(1),
                TokenKind::Comment => continue,
                _ => {}
            }
            tokens.push(token);
        }
    }
}
