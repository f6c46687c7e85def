//! Sub- and superscripts, in any order, and primes.

use super::Parser;
use crate::diagnostic::DiagnosticKind;
use crate::lexer::{Token, TokenKind};
use crate::tables::{Place, tables};
use crate::tree::{Kind, Limits, NodeId, Span};

/// How often a side that is taken may get one more script; what follows then stands beside, without a base.
const MAX_SCRIPT_CHAIN: u32 = 8;

/// Whether this character, typed as it is, is a script of what stands before it.
pub(super) fn is_script(c: char) -> bool {
    c == '\'' || !c.is_ascii() && (strokes(c).is_some() || tables().script(c).is_some())
}

/// How many primes a character is.
pub(super) fn strokes(c: char) -> Option<u16> {
    match c {
        '\'' | '’' | '′' => Some(1),
        '″' => Some(2),
        '‴' => Some(3),
        '⁗' => Some(4),
        _ => None,
    }
}

/// A nucleus with the scripts that were read so far.
struct Scripted {
    base: Option<NodeId>,
    sub: Option<NodeId>,
    sup: Option<NodeId>,
    limits: Limits,
    /// How often a side that was taken got one more script.
    chain: u32,
}

impl Scripted {
    fn slot(&mut self, place: Place) -> &mut Option<NodeId> {
        match place {
            Place::Above => &mut self.sup,
            Place::Below => &mut self.sub,
        }
    }

    /// Whether one more script may stand there; counts those that stand where another one does.
    fn has_room(&mut self, place: Place) -> bool {
        self.chain += u32::from(self.slot(place).is_some());
        self.chain <= MAX_SCRIPT_CHAIN || self.slot(place).is_none()
    }

    fn kind(&self) -> Kind {
        let Self { base, sub, sup, limits, .. } = *self;
        Kind::Scripts { base, sub, sup, limits }
    }
}

impl Parser<'_, '_> {
    /// Pushes a nucleus with whatever scripts follow it.
    pub(super) fn push_with_scripts(&mut self, base: Option<NodeId>, span: Span) {
        let node = self.scripts(base, span);
        self.nodes.extend(node);
    }

    pub(super) fn scripts(&mut self, base: Option<NodeId>, start: Span) -> Option<NodeId> {
        let mut read = Scripted { base, sub: None, sup: None, limits: Limits::Auto, chain: 0 };
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Sup | TokenKind::Sub => {
                    if !self.marked_script(&mut read, token, start) {
                        break;
                    }
                }
                TokenKind::Char(c) if is_script(c) => {
                    if !self.character_script(&mut read, token, c) {
                        break;
                    }
                }
                TokenKind::Command => {
                    read.limits = match self.input.name(token) {
                        "limits" => Limits::Limits,
                        "nolimits" => Limits::NoLimits,
                        "displaylimits" => Limits::Auto,
                        "sp" => {
                            self.next();
                            self.input.unread(Token::new(TokenKind::Sup, token.span));
                            continue;
                        }
                        "sb" => {
                            self.next();
                            self.input.unread(Token::new(TokenKind::Sub, token.span));
                            continue;
                        }
                        _ => break,
                    };
                    self.next();
                }
                _ => break,
            }
        }
        if read.sub.is_none() && read.sup.is_none() && read.limits == Limits::Auto {
            return read.base;
        }
        let span = start.to(self.span_here());
        Some(self.tree.push(read.kind(), span))
    }

    /// Reads a script behind `^` or `_`; says whether there was room for it.
    fn marked_script(&mut self, read: &mut Scripted, token: Token, start: Span) -> bool {
        let place = if token.kind == TokenKind::Sup { Place::Above } else { Place::Below };
        if !read.has_room(place) {
            return false;
        }
        let before = self.span_here();
        self.next();
        let script = self.argument(token.span, "a script");
        match *read.slot(place) {
            None => *read.slot(place) = Some(script),
            // `f'^2`: primes and superscript stand together.
            Some(primes) if place == Place::Above && matches!(self.tree.kind(primes), Kind::Primes(_)) => {
                read.sup = Some(self.pair(primes, script));
            }
            Some(_) => {
                let which = match place {
                    Place::Above => "two superscripts in a row; the second is taken to belong to the whole",
                    Place::Below => "two subscripts in a row; the second is taken to belong to the whole",
                };
                self.report(DiagnosticKind::DoubleScript, token.span, which);
                let base = Some(self.tree.push(read.kind(), start.to(before)));
                *read = Scripted { base, sub: None, sup: None, limits: Limits::Auto, chain: read.chain };
                *read.slot(place) = Some(script);
            }
        }
        true
    }

    /// Reads a script that is a character of its own; says whether it belongs to what stands before it.
    fn character_script(&mut self, read: &mut Scripted, token: Token, c: char) -> bool {
        // A blank parts `x ₂F₁`, though not `f '`.
        let apart = token.span.start > self.input.end() && strokes(c).is_none();
        if apart && (read.base.is_some() || read.sub.is_some() || read.sup.is_some()) {
            return false;
        }
        let place = tables().script(c).map_or(Place::Above, |(place, _)| place);
        if !read.has_room(place) {
            return false;
        }
        let script = match strokes(c) {
            Some(_) => self.primes(),
            None => self.typed_script(place),
        };
        let script = match *read.slot(place) {
            None => script,
            Some(before) => self.pair(before, script),
        };
        *read.slot(place) = Some(script);
        true
    }

    /// Two nodes in a row, rows laid open.
    pub(super) fn pair(&mut self, first: NodeId, second: NodeId) -> NodeId {
        let mark = self.nodes.len();
        for id in [first, second] {
            match self.tree.kind(id) {
                Kind::Row(list) => self.nodes.extend_from_slice(self.tree.list(list)),
                _ => self.nodes.push(id),
            }
        }
        let span = self.tree.node(first).span.to(self.tree.node(second).span);
        self.finish_row(mark, span)
    }

    /// A run of primes.
    pub(super) fn primes(&mut self) -> NodeId {
        let mut count = 0u16;
        let mut span = self.peek().span;
        loop {
            let token = self.peek();
            let TokenKind::Char(c) = token.kind else { break };
            let Some(sum) = strokes(c).and_then(|strokes| count.checked_add(strokes)) else { break };
            count = sum;
            self.next();
            span = span.to(token.span);
        }
        self.tree.push(Kind::Primes(count), span)
    }

    /// Scripts that were typed as characters: `x²`, `x₁₂`.
    fn typed_script(&mut self, place: Place) -> NodeId {
        let mark = self.nodes.len();
        let start = self.peek().span;
        loop {
            let token = self.peek();
            let TokenKind::Char(c) = token.kind else { break };
            let Some((found, plain)) = tables().script(c) else { break };
            let apart = token.span.start > self.input.end() && self.nodes.len() > mark;
            if found != place || apart {
                break;
            }
            self.next();
            let node = match plain {
                '0'..='9' => self.typed_digits(place, plain, token.span),
                _ => self.character(plain, token.span),
            };
            self.nodes.push(node);
        }
        match self.nodes[mark..] {
            [single] => {
                self.nodes.truncate(mark);
                single
            }
            _ => self.finish_row(mark, start),
        }
    }

    /// A number in script characters, after its first digit.
    fn typed_digits(&mut self, place: Place, first: char, mut span: Span) -> NodeId {
        let start = self.tree.write_text(|buffer| buffer.push(first));
        loop {
            let token = self.input.peek_raw();
            let TokenKind::Char(c) = token.kind else { break };
            let Some((found, digit @ '0'..='9')) = tables().script(c) else { break };
            if found != place {
                break;
            }
            self.input.next_raw();
            span = span.to(token.span);
            self.tree.write_text(|buffer| buffer.push(digit));
        }
        let text = self.tree.text_since(start);
        self.tree.push(Kind::Number { text, font: self.font }, span)
    }
}
