//! Constructs of iTeX, the dialect of Instiki and the nLab: arrays in braces with options, and tensors.

use super::{Parser, scripts};
use crate::diagnostic::DiagnosticKind;
use crate::lexer::{Token, TokenKind};
use crate::tables::{Environment, EnvironmentArgument};
use crate::tree::{Kind, Limits, NodeId, Span, TableKind, Text};

/// A subscript and a superscript that stand one above the other.
type Scripts = (Option<NodeId>, Option<NodeId>);

impl Parser<'_, '_> {
    /// `\array{a & b \\ c & d}`, with options as in `\array{\arrayopts{\collayout{left right}} …}`.
    pub(super) fn brace_array(&mut self, token: Token) -> NodeId {
        let open = self.peek();
        if open.kind != TokenKind::Open {
            return self.brace_table(token, TableKind::Matrix, None, None);
        }
        self.next_solid();
        let columns = self.array_options();
        let mark = self.nodes.len();
        let inner = self.span_here();
        self.rows_in_braces(open);
        let environment = Environment {
            kind: Some(TableKind::Matrix),
            left: None,
            right: None,
            columns: "",
            argument: EnvironmentArgument::None,
        };
        self.finish_table(token, mark, inner, environment, columns)
    }

    /// The alignments that `\arrayopts` gives, if it comes next; its lines and spaces are left out.
    fn array_options(&mut self) -> Text {
        let next = self.peek();
        if next.kind != TokenKind::Command || self.input.name(next) != "arrayopts" {
            return Text::Static("");
        }
        self.next_solid();
        let options = self.raw_argument();
        let mut columns = String::new();
        let mut all_known = true;
        let mut parts = options.split('\\');
        all_known &= parts.next().is_none_or(|before| before.trim().is_empty());
        for option in parts {
            match alignments(option) {
                Some(found) if columns.is_empty() => columns = found,
                _ => all_known = false,
            }
        }
        if !all_known {
            let span = next.span.to(self.span_here());
            let message = "of `\\arrayopts` only the alignments of the columns are kept";
            self.report(DiagnosticKind::Ignored, span, message);
        }
        self.tree.write_text(|buffer| buffer.push_str(&columns))
    }

    /// `\tensor{T}{_a^b_c}`, with scripts on the left as in `\tensor[^a]{T}{_b}`; the braces around the
    /// scripts may be missing.
    pub(super) fn tensor(&mut self, token: Token) -> NodeId {
        self.skip_star();
        let left = match self.peek().kind {
            TokenKind::Char('[') => {
                let open = self.next_solid();
                self.scripts_in_turn(Some((open, TokenKind::Char(']'))))
            }
            _ => Vec::new(),
        };
        let base = self.argument(token.span, "what carries the scripts");
        let right = self.script_argument();
        self.with_scripts_around(token, left, base, right)
    }

    /// `\multiscripts{_a^b}{T}{_c^d}`.
    pub(super) fn multiscripts(&mut self, token: Token) -> NodeId {
        let left = self.script_argument();
        let base = self.argument(token.span, "what carries the scripts");
        let right = self.script_argument();
        self.with_scripts_around(token, left, base, right)
    }

    fn script_argument(&mut self) -> Vec<Scripts> {
        match self.peek().kind {
            TokenKind::Open => {
                let open = self.next_solid();
                self.braces += 1;
                let found = self.scripts_in_turn(Some((open, TokenKind::Close)));
                self.braces -= 1;
                found
            }
            _ => self.scripts_in_turn(None),
        }
    }

    /// Scripts side by side, up to what closes them: a subscript and the superscript behind it stand one above
    /// the other, and `_` or `^` with nothing behind it leaves its place empty.
    fn scripts_in_turn(&mut self, enclosed: Option<(Token, TokenKind)>) -> Vec<Scripts> {
        let mut found: Vec<Scripts> = Vec::new();
        let mut joins = false;
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Sup | TokenKind::Sub => {
                    self.next_solid();
                    let above = token.kind == TokenKind::Sup;
                    let next = self.peek().kind;
                    let empty = matches!(next, TokenKind::Sup | TokenKind::Sub | TokenKind::End)
                        || enclosed.is_some_and(|(_, close)| next == close);
                    let script = if empty { None } else { Some(self.argument(token.span, "a script")) };
                    match found.last_mut() {
                        Some(last) if above && joins => last.1 = script,
                        _ if above => found.push((None, script)),
                        _ => found.push((script, None)),
                    }
                    joins = !above;
                }
                TokenKind::Char(c) if scripts::strokes(c).is_some() => {
                    let primes = self.primes();
                    found.push((None, Some(primes)));
                    joins = false;
                }
                _ => break,
            }
        }
        if let Some((open, close)) = enclosed {
            self.close_scripts(open, close, &mut found);
        }
        found.retain(|(sub, sup)| sub.is_some() || sup.is_some());
        found
    }

    /// What closes the scripts; anything that stands before it has no place.
    fn close_scripts(&mut self, open: Token, close: TokenKind, found: &mut Vec<Scripts>) {
        if self.peek().kind != close {
            let until = if close == TokenKind::Close { super::Until::Brace } else { super::Until::Bracket };
            let rest = self.row(until);
            if !self.is_empty_row(rest) {
                let span = self.tree.node(rest).span;
                self.report(DiagnosticKind::Misplaced, span, "only scripts can stand at a side");
                found.push((None, Some(rest)));
            }
        }
        let end = self.next_solid();
        if end.kind != close {
            self.input.unread(end);
            self.report(DiagnosticKind::UnmatchedBrace, open.span, "these scripts are never closed");
        }
    }

    /// The innermost scripts belong to the base; those beyond them stand beside it, as in `T_a{}^b`.
    fn with_scripts_around(
        &mut self,
        token: Token,
        mut left: Vec<Scripts>,
        mut base: NodeId,
        right: Vec<Scripts>,
    ) -> NodeId {
        let span = token.span.to(self.span_here());
        let mut right = right.into_iter();
        if let Some((sub, sup)) = right.next() {
            let kind = Kind::Scripts { base: Some(base), sub, sup, limits: Limits::Auto };
            base = self.tree.push(kind, span);
        }
        if let Some((sub, sup)) = left.pop() {
            base = self.tree.push(Kind::PreScripts { base: Some(base), sub, sup }, span);
        }
        let mark = self.nodes.len();
        for scripts in left {
            let node = self.floating(scripts, span);
            self.nodes.push(node);
        }
        self.nodes.push(base);
        for scripts in right {
            let node = self.floating(scripts, span);
            self.nodes.push(node);
        }
        if self.nodes.len() == mark + 1 {
            self.nodes.truncate(mark);
            return base;
        }
        let row = self.finish_row(mark, span);
        self.tree.node_mut(row).span = span;
        row
    }

    /// Scripts of nothing.
    fn floating(&mut self, (sub, sup): Scripts, span: Span) -> NodeId {
        let nothing = self.finish_row(self.nodes.len(), span);
        self.tree.push(Kind::Scripts { base: Some(nothing), sub, sup, limits: Limits::Auto }, span)
    }
}

/// What `collayout{left right}` says, as letters of an array: `lr`.
fn alignments(option: &str) -> Option<String> {
    let (name, value) = option.trim_end().split_once('{')?;
    if !matches!(name.trim(), "collayout" | "colalign") {
        return None;
    }
    let letter = |word: &str| match word {
        "left" => Some('l'),
        "center" => Some('c'),
        "right" => Some('r'),
        _ => None,
    };
    value.strip_suffix('}')?.split_ascii_whitespace().map(letter).collect()
}
