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

impl Parser<'_, '_> {
    /// Pushes a nucleus with whatever scripts follow it.
    pub(super) fn push_with_scripts(&mut self, base: Option<NodeId>, span: Span) {
        let node = self.scripts(base, span);
        self.nodes.extend(node);
    }

    pub(super) fn scripts(&mut self, mut base: Option<NodeId>, start: Span) -> Option<NodeId> {
        let (mut sub, mut sup, mut limits) = (None, None, Limits::Auto);
        let mut chain = 0;
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Sup | TokenKind::Sub => {
                    let above = token.kind == TokenKind::Sup;
                    let taken = if above { sup } else { sub };
                    if taken.is_some() {
                        chain += 1;
                        if chain > MAX_SCRIPT_CHAIN {
                            break;
                        }
                    }
                    let before = self.span_here();
                    self.next();
                    let script = self.argument(token.span, "a script");
                    let slot = if above { &mut sup } else { &mut sub };
                    match taken {
                        None => *slot = Some(script),
                        // `f'^2`: primes and superscript stand together.
                        Some(primes) if above && matches!(self.tree.kind(primes), Kind::Primes(_)) => {
                            sup = Some(self.pair(primes, script));
                        }
                        Some(_) => {
                            let which = match above {
                                true => {
                                    "two superscripts in a row; the second is taken to belong to the whole"
                                }
                                false => {
                                    "two subscripts in a row; the second is taken to belong to the whole"
                                }
                            };
                            self.report(DiagnosticKind::DoubleScript, token.span, which);
                            base = Some(
                                self.tree.push(Kind::Scripts { base, sub, sup, limits }, start.to(before)),
                            );
                            (sub, sup, limits) = if above {
                                (None, Some(script), Limits::Auto)
                            } else {
                                (Some(script), None, Limits::Auto)
                            };
                        }
                    }
                }
                // A blank parts `x ₂F₁`, though not `f '`.
                TokenKind::Char(c) if is_script(c) => {
                    let apart = token.span.start > self.input.end() && strokes(c).is_none();
                    if apart && (base.is_some() || sub.is_some() || sup.is_some()) {
                        break;
                    }
                    let place = tables().script(c).map_or(Place::Above, |(place, _)| place);
                    let slot = if place == Place::Above { sup } else { sub };
                    if slot.is_some() {
                        chain += 1;
                        if chain > MAX_SCRIPT_CHAIN {
                            break;
                        }
                    }
                    let script = match strokes(c) {
                        Some(_) => self.primes(),
                        None => self.typed_script(place),
                    };
                    let script = match slot {
                        None => script,
                        Some(before) => self.pair(before, script),
                    };
                    *(if place == Place::Above { &mut sup } else { &mut sub }) = Some(script);
                }
                TokenKind::Command => {
                    limits = match self.input.name(token) {
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
        if sub.is_none() && sup.is_none() && limits == Limits::Auto {
            return base;
        }
        let span = start.to(self.span_here());
        Some(self.tree.push(Kind::Scripts { base, sub, sup, limits }, span))
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
