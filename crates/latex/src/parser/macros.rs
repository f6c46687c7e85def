//! Definitions inside a formula, and their expansion.
//!
//! Each expansion draws on a budget, so a macro that calls itself ends: when
//! the budget is used up, calls are kept as opaque symbols. What is charged
//! for are all tokens that a call looks at or writes, and the letters of their
//! names, so no formula costs more than its length and the budget.

use super::Parser;
use crate::diagnostic::DiagnosticKind;
use crate::lexer::{Token, TokenKind};
use crate::tree::Span;
use std::rc::Rc;

/// A defined command.
#[derive(Debug)]
pub(super) struct Macro {
    parameters: u8,
    /// The value of the first parameter when it is not given in brackets.
    default: Option<Vec<Token>>,
    body: Vec<Token>,
    /// What a call costs, its arguments aside.
    cost: usize,
}

impl Macro {
    fn new(parameters: u8, default: Option<Vec<Token>>, body: Vec<Token>) -> Rc<Self> {
        let cost = 1 + cost_of(&body) + default.as_deref().map_or(0, cost_of);
        Rc::new(Self { parameters, default, body, cost })
    }
}

/// What putting these tokens in front of the source costs.
fn cost_of(tokens: &[Token]) -> usize {
    tokens.iter().map(|token| 1 + token.name.range().len()).sum()
}

impl Parser<'_, '_> {
    /// Replaces a call by the macro's body. False when the command is no macro, or cannot be expanded any more.
    pub(super) fn expand(&mut self, call: Token) -> bool {
        let name = self.input.name_bytes(call);
        let Some(definition) = self.input.macro_named(name).map(Rc::clone) else { return false };
        if !self.charge(definition.cost, call) {
            return false;
        }
        let mut arguments = Vec::with_capacity(definition.parameters.into());
        let mut defaulted = false;
        for number in 0..definition.parameters {
            let optional = definition.default.as_ref().filter(|_| number == 0);
            arguments.push(match optional {
                Some(default) => self.bracket_tokens().unwrap_or_else(|| {
                    defaulted = true;
                    default.clone()
                }),
                None => {
                    if matches!(self.peek_raw_solid().kind, TokenKind::End | TokenKind::Close) {
                        let message = "an argument of this macro is missing";
                        self.report(DiagnosticKind::MissingArgument, call.span, message);
                    }
                    self.argument_tokens()
                }
            });
        }
        let span = call.span.to(self.span_here());
        if defaulted {
            // The value was typed at the definition, but stands here.
            arguments[0].iter_mut().for_each(|token| token.span = span);
        }
        let costs: Vec<usize> = arguments.iter().map(|argument| cost_of(argument)).collect();
        let parameter = |token: &Token| match token.kind {
            TokenKind::Parameter(number) => usize::from(number).checked_sub(1),
            _ => None,
        };
        let spent = definition.body.iter().filter_map(|token| costs.get(parameter(token)?)).sum();
        if !self.charge(spent, call) {
            // What was read as arguments follows the call as groups.
            for argument in arguments.into_iter().rev() {
                self.input.push_tokens([Token::new(TokenKind::Close, span)].into_iter());
                self.input.push_tokens(argument.into_iter());
                self.input.push_tokens([Token::new(TokenKind::Open, span)].into_iter());
            }
            return false;
        }
        let mut expansion = Vec::with_capacity(definition.body.len());
        for token in &definition.body {
            match parameter(token).and_then(|index| arguments.get(index)) {
                Some(argument) => expansion.extend_from_slice(argument),
                None => expansion.push(Token { span, ..*token }),
            }
        }
        self.input.push_tokens(expansion.into_iter());
        true
    }

    /// Draws on the budget; when it does not suffice, there is nothing left, and that is said once.
    fn charge(&mut self, cost: usize, call: Token) -> bool {
        let left = self.input.budget.checked_sub(cost);
        if left.is_none() && !std::mem::replace(&mut self.input.exhausted, true) {
            let message = "the definitions expand without end; from here on they are kept as they are";
            self.report(DiagnosticKind::BadMacro, call.span, message);
        }
        self.input.budget = left.unwrap_or(0);
        left.is_some()
    }

    /// `\def\name#1#2{body}`.
    pub(super) fn define_plain(&mut self, command: Token) {
        let Some(name) = self.defined_name(command) else { return };
        let mut parameters = 0;
        loop {
            let token = self.raw_solid();
            match token.kind {
                TokenKind::Open => {
                    self.input.unread(token);
                    break;
                }
                TokenKind::Hash => {
                    if let TokenKind::Char(c @ '1'..='9') = self.input.peek_raw().kind {
                        self.input.next_raw();
                        parameters = c as u8 - b'0';
                    }
                }
                TokenKind::End | TokenKind::Close => {
                    self.input.unread(token);
                    self.no_body(command);
                    return;
                }
                _ => {
                    self.report(
                        DiagnosticKind::BadMacro,
                        token.span,
                        "parameters with delimiters are not read",
                    );
                }
            }
        }
        let body = self.body_tokens(command);
        self.input.define(name, Macro::new(parameters, None, body));
    }

    /// `\newcommand{\name}[n][default]{body}` and its kin.
    pub(super) fn define_latex(&mut self, command: Token) {
        self.skip_star();
        let Some(name) = self.defined_name(command) else { return };
        let count = self.bracket_tokens();
        let default = count.as_ref().and_then(|_| self.bracket_tokens());
        let count = count.and_then(|tokens| match tokens.first()?.kind {
            TokenKind::Char(c @ '0'..='9') => Some(c as u8 - b'0'),
            _ => None,
        });
        let body = self.body_tokens(command);
        let parameters = count.unwrap_or(u8::from(default.is_some()));
        let default = default.filter(|_| parameters > 0);
        self.input.define(name, Macro::new(parameters, default, body));
    }

    /// `\DeclareMathOperator{\name}{letters}`.
    pub(super) fn define_operator(&mut self, command: Token) {
        let starred = self.skip_star();
        let Some(name) = self.defined_name(command) else { return };
        let letters = self.body_tokens(command);
        let mut body = Vec::with_capacity(letters.len() + 3);
        body.push(Token::new(TokenKind::Operator { limits: starred }, command.span));
        body.push(Token::new(TokenKind::Open, command.span));
        body.extend(letters);
        body.push(Token::new(TokenKind::Close, command.span));
        self.input.define(name, Macro::new(0, None, body));
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
            self.no_body(command);
            return;
        }
        let other = self.input.name_bytes(token);
        if token.kind == TokenKind::Command && other == self.input.name_bytes(name) {
            return;
        }
        // What the other command means now is what this one means from now on.
        let definition = match self.input.macro_named(other) {
            Some(known) if token.kind == TokenKind::Command => Rc::clone(known),
            _ => Macro::new(0, None, vec![token]),
        };
        self.input.define(name, definition);
    }

    fn no_body(&mut self, command: Token) {
        let span = command.span.to(self.span_here());
        self.report(DiagnosticKind::BadMacro, span, "this definition has no body");
    }

    /// The command that is to be defined, in braces or not.
    fn defined_name(&mut self, command: Token) -> Option<Token> {
        let open = self.raw_solid();
        let in_braces = open.kind == TokenKind::Open;
        let token = if in_braces { self.raw_solid() } else { open };
        if token.kind == TokenKind::Command {
            let end = self.input.end();
            let close = self.raw_solid();
            if !(in_braces && close.kind == TokenKind::Close) {
                self.input.unread_to(close, end);
            }
            return Some(token);
        }
        self.input.unread(token);
        if in_braces {
            self.input.unread(open);
        }
        self.report(DiagnosticKind::BadMacro, command.span, "a definition needs a command to define");
        None
    }

    /// The next token that is no blank and no comment, macros unexpanded.
    pub(super) fn raw_solid(&mut self) -> Token {
        loop {
            let token = self.input.next_raw();
            match token.kind {
                TokenKind::Space => {}
                TokenKind::Comment => self.comment(token),
                _ => return token,
            }
        }
    }

    /// Looks at the same.
    pub(super) fn peek_raw_solid(&mut self) -> Token {
        let end = self.input.end();
        let token = self.raw_solid();
        self.input.unread_to(token, end);
        token
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
            TokenKind::Open => self.balanced_tokens(token.span, TokenKind::Close),
            TokenKind::End | TokenKind::Close => {
                self.input.unread(token);
                Vec::new()
            }
            _ => vec![token],
        }
    }

    fn body_tokens(&mut self, command: Token) -> Vec<Token> {
        if matches!(self.peek_raw_solid().kind, TokenKind::End | TokenKind::Close) {
            self.no_body(command);
        }
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
        let end = self.input.end();
        let token = self.raw_solid();
        if token.kind == TokenKind::Char('[') {
            return Some(self.balanced_tokens(token.span, TokenKind::Char(']')));
        }
        self.input.unread_to(token, end);
        None
    }

    fn balanced_tokens(&mut self, opened: Span, close: TokenKind) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut open = 0u32;
        loop {
            let token = self.input.next_raw();
            match token.kind {
                TokenKind::End => {
                    self.input.unread(token);
                    self.report(DiagnosticKind::UnmatchedBrace, opened, "an argument is never closed");
                    return tokens;
                }
                kind if kind == close && open == 0 => return tokens,
                TokenKind::Open => open += 1,
                // In `[…]` the group around it ends first.
                TokenKind::Close if open == 0 => {
                    self.input.unread(token);
                    self.report(DiagnosticKind::UnmatchedDelimiter, opened, "this bracket is never closed");
                    return tokens;
                }
                TokenKind::Close => open -= 1,
                TokenKind::Comment => {
                    self.comment(token);
                    continue;
                }
                _ => {}
            }
            tokens.push(token);
        }
    }
}
