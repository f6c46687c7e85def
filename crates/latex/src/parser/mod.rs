//! Tokens to tree.
//!
//! One function a production, recursive, with a depth that is bounded by
//! [`MAX_DEPTH`]: what is nested deeper is kept in one piece as an opaque node.
//! Whatever comes, every token ends up in the tree or in a diagnostic.

mod commands;
mod converter;
mod delimiters;
mod input;
mod itex;
mod macros;
mod raw;
mod scripts;
mod structure;
mod table;
mod text;

pub(crate) use structure::{STRUCTURES, Structure};

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::{Token, TokenKind};
use crate::tables::{Meaning, tables};
use crate::tree::{Bar, Class, Font, Kind, NodeId, Opaque, Span, Style, Text, Tree};
use input::Input;
use std::borrow::Cow;

/// How deep groups, arguments and environments may nest before they are kept unread.
const MAX_DEPTH: u32 = 120;

/// How many diagnostics one formula may give; the last one then says that there were more.
pub(crate) const MAX_DIAGNOSTICS: usize = 1000;

/// How to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A formula of a document: `?` is a question mark.
    #[default]
    Document,
    /// A query: `?`, `?x` and `?1` are wildcards, and `\simto{…}` is a part that need only be similar.
    Query,
}

/// Buffers that outlive a formula, so that reading many allocates almost nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    nodes: Vec<NodeId>,
    contexts: Vec<Until>,
    pending: Vec<Token>,
}

/// What ends a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// The end of the formula.
    End,
    /// `}`
    Brace,
    /// `]`
    Bracket,
    /// `\right`
    Right,
    /// `&`, `\\`, `\end`
    Cell,
    /// The same in a table that ends with the group or the fence around it
    OpenCell,
    /// `$`, in text
    Dollar,
    /// `\)`, in text
    Parenthesis,
    /// `\of`
    Of,
    /// `\over`, in `\buildrel`
    Over,
}

impl Until {
    fn is_cell(self) -> bool {
        matches!(self, Self::Cell | Self::OpenCell)
    }
}

/// Reads `source` into `tree` and `diagnostics`, which are emptied first.
pub(crate) fn parse_into(
    source: &[u8],
    mode: Mode,
    scratch: &mut Scratch,
    tree: &mut Tree,
    diagnostics: &mut Vec<Diagnostic>,
) {
    tree.clear();
    diagnostics.clear();
    scratch.nodes.clear();
    scratch.contexts.clear();
    scratch.pending.clear();
    let mut parser = Parser {
        input: Input::new(source, std::mem::take(&mut scratch.pending)),
        tree,
        diagnostics,
        nodes: &mut scratch.nodes,
        contexts: &mut scratch.contexts,
        font: Font::Default,
        depth: 0,
        braces: 0,
        cells: 0,
        dollars: 0,
        unknown_end: u32::MAX,
        parentheses: 0,
        environments: 0,
        late_ends: 0,
        opaque_bytes: 2 * source.len() + 64,
        mode,
    };
    parser.formula();
    scratch.pending = parser.input.into_pending();
}

struct Parser<'s, 'b> {
    input: Input<'s>,
    tree: &'b mut Tree,
    diagnostics: &'b mut Vec<Diagnostic>,
    /// The nodes of all rows under construction, the innermost last.
    nodes: &'b mut Vec<NodeId>,
    /// What the rows under construction wait for.
    contexts: &'b mut Vec<Until>,
    font: Font,
    depth: u32,
    /// How many rows wait for each of these, or how many environments are open.
    braces: u32,
    cells: u32,
    dollars: u32,
    parentheses: u32,
    environments: u32,
    /// How many tables in a converter's braces have not met their `\end`.
    late_ends: u32,
    /// How many bytes of the source may still be copied into opaque nodes. Only macros, whose tokens all
    /// stand for the whole call, can use it up.
    opaque_bytes: usize,
    /// Where the last unknown command ended.
    unknown_end: u32,
    mode: Mode,
}

impl Parser<'_, '_> {
    fn formula(&mut self) {
        self.input.strip_math_delimiters();
        let mut root = self.row(Until::End);
        let next = self.peek();
        if next.kind == TokenKind::Align {
            self.report(DiagnosticKind::Misplaced, next.span, "`&` outside a table; read as aligned rows");
            let table = self.formula_as_table(root);
            self.nodes.push(table);
            root = self.finish_row(0, next.span);
        }
        debug_assert_eq!(self.peek().kind, TokenKind::End, "the whole formula is read");
        self.tree.node_mut(root).span = self.input.whole();
        self.tree.set_root(root);
        if self.input.has_macros() {
            self.tree.widen_spans();
        }
        // What was opened and never closed is noticed at the end, but belongs where it was opened.
        let kept = self.diagnostics.len().min(MAX_DIAGNOSTICS);
        self.diagnostics[..kept].sort_by_key(|diagnostic| diagnostic.span.start);
    }

    // Rows

    /// Reads things side by side up to what `until` names, and leaves that unread.
    fn row(&mut self, until: Until) -> NodeId {
        if self.depth >= MAX_DEPTH {
            return self.skip_row();
        }
        self.depth += 1;
        self.contexts.push(until);
        self.count(until, 1);
        let font = self.font;
        let mark = self.nodes.len();
        let start = self.input.end();
        let mut infix = None;
        loop {
            let token = self.next();
            match token.kind {
                TokenKind::Space => {}
                _ if self.ends_row(token, until) => {
                    self.input.unread(token);
                    break;
                }
                TokenKind::Command => match self.command(token) {
                    Step::Node(node) => self.push_with_scripts(Some(node), token.span),
                    Step::Nothing => {}
                    Step::Infix(found) => self.infix(found, token, mark, &mut infix),
                },
                TokenKind::Sup | TokenKind::Sub => {
                    self.input.unread(token);
                    self.push_with_scripts(None, token.span);
                }
                TokenKind::Char(c) if scripts::is_script(c) => {
                    self.input.unread(token);
                    self.push_with_scripts(None, token.span);
                }
                _ => {
                    if let Some(node) = self.plain_atom(token) {
                        self.push_with_scripts(Some(node), token.span);
                    }
                }
            }
        }
        let span = Span { start, end: self.input.end().max(start) };
        let mut row = self.finish_row(mark, span);
        if let Some((numerator, found)) = infix {
            let denominator = row;
            let whole = self.tree.node(numerator).span.to(span);
            let Infix { bar, left, right } = found;
            let fraction = self
                .tree
                .push(Kind::Fraction { numerator, denominator, bar, left, right, style: None }, whole);
            self.nodes.push(fraction);
            row = self.finish_row(mark, whole);
        }
        self.font = font;
        self.count(until, -1);
        self.contexts.pop();
        self.depth -= 1;
        row
    }

    fn count(&mut self, until: Until, by: i32) {
        let counter = match until {
            Until::Brace => &mut self.braces,
            Until::Cell | Until::OpenCell => &mut self.cells,
            Until::Dollar => &mut self.dollars,
            Until::Parenthesis => &mut self.parentheses,
            _ => return,
        };
        *counter = counter.wrapping_add_signed(by);
    }

    fn finish_row(&mut self, mark: usize, span: Span) -> NodeId {
        let list = self.tree.push_list(&self.nodes[mark..]);
        let span = match (self.nodes.get(mark), self.nodes.last()) {
            (Some(&first), Some(&last)) => self.tree.node(first).span.to(self.tree.node(last).span),
            _ => Span { start: span.end, end: span.end },
        };
        self.nodes.truncate(mark);
        self.tree.push(Kind::Row(list), span)
    }

    fn infix(&mut self, found: Infix, token: Token, mark: usize, infix: &mut Option<(NodeId, Infix)>) {
        if infix.is_some() {
            // TeX refuses this as ambiguous; keeping the word shows where it stands.
            self.report(DiagnosticKind::Misplaced, token.span, "a second fraction command in the same group");
            let node = self.misplaced(token);
            self.nodes.push(node);
            return;
        }
        let span = token.span;
        let numerator = self.finish_row(mark, Span { start: span.start, end: span.start });
        *infix = Some((numerator, found));
    }

    /// Whether a token ends the row that waits for `until`, or one around it.
    fn ends_row(&mut self, token: Token, until: Until) -> bool {
        match token.kind {
            TokenKind::End => true,
            TokenKind::Close => self.braces > 0,
            TokenKind::Char(']') => until == Until::Bracket,
            TokenKind::Dollar => self.dollars > 0,
            // Outside any table, `&` makes one of the whole formula or of the group.
            TokenKind::Align => {
                until.is_cell()
                    || matches!(
                        self.innermost_strong(),
                        Until::Cell | Until::OpenCell | Until::Brace | Until::End
                    )
            }
            TokenKind::Command => match self.input.name(token) {
                "right" => {
                    let weak = |until: &&Until| {
                        matches!(until, Until::Bracket | Until::Of | Until::Over | Until::OpenCell)
                    };
                    self.contexts.iter().rev().find(|until| !weak(until)) == Some(&Until::Right)
                }
                "\\" | "cr" | "newline" | "tabularnewline" => {
                    until.is_cell() || self.cells > 0 && self.innermost_strong().is_cell()
                }
                "end" => self.environments > 0,
                "of" => until == Until::Of,
                "over" => until == Until::Over,
                ")" => self.parentheses > 0,
                "egroup" | "endgroup" => self.braces > 0,
                _ => false,
            },
            _ => false,
        }
    }

    /// The innermost thing under construction that a cell's end cannot break into.
    fn innermost_strong(&self) -> Until {
        let strong =
            |until: &&Until| !matches!(until, Until::Right | Until::Bracket | Until::Of | Until::Over);
        self.contexts.iter().rev().find(strong).copied().unwrap_or(Until::End)
    }

    /// Keeps everything up to the end of the enclosing group in one piece.
    fn skip_row(&mut self) -> NodeId {
        let start = self.input.end();
        let mut open = 0u32;
        let mut text = Text::Static("");
        loop {
            let token = self.input.next_raw();
            match token.kind {
                TokenKind::End => {
                    self.input.unread(token);
                    break;
                }
                TokenKind::Open => open += 1,
                TokenKind::Close if open == 0 => {
                    self.input.unread(token);
                    break;
                }
                TokenKind::Close => open -= 1,
                _ => {}
            }
            let piece = self.tree.write_text(|buffer| self.input.push_source(token, buffer));
            if text == Text::Static("") {
                text = piece;
            }
        }
        let span = Span { start, end: self.input.end().max(start) };
        self.report(DiagnosticKind::TooDeep, span, "nested too deeply; the inside is kept unread");
        let text = self.tree.text_since(text);
        self.tree.push(Kind::Opaque { text, reason: Opaque::Misplaced }, span)
    }

    // Atoms

    /// An argument: a group, or one atom.
    fn argument(&mut self, command: Span, what: &str) -> NodeId {
        let token = self.next_solid();
        match token.kind {
            TokenKind::Open => self.group(token),
            _ if self.depth >= MAX_DEPTH => {
                if token.kind == TokenKind::End {
                    self.input.unread(token);
                    return self.missing(command, what);
                }
                self.too_deep(token)
            }
            TokenKind::Char(c @ '0'..='9') => {
                self.tree.push(Kind::Number { text: Text::Char(c), font: self.font }, token.span)
            }
            TokenKind::Sup | TokenKind::Sub => {
                self.input.unread(token);
                self.missing(command, what)
            }
            TokenKind::Char(c) if scripts::strokes(c).is_some() => {
                self.input.unread(token);
                self.primes()
            }
            _ if self.ends_argument(token) => {
                self.input.unread(token);
                self.missing(command, what)
            }
            TokenKind::Command => {
                self.depth += 1;
                let node = self.command_argument(token, command, what);
                self.depth -= 1;
                node
            }
            _ => match self.plain_atom(token) {
                Some(node) => node,
                None => self.missing(command, what),
            },
        }
    }

    fn ends_argument(&mut self, token: Token) -> bool {
        let until = self.contexts.last().copied().unwrap_or(Until::End);
        self.ends_row(token, until)
    }

    fn command_argument(&mut self, token: Token, command: Span, what: &str) -> NodeId {
        // `x_\rm{eff}`: the font goes to what follows.
        if let Some(Meaning::FontSwitch(font)) = self.meaning(token) {
            let before = std::mem::replace(&mut self.font, font);
            let node = self.argument(command, what);
            self.font = before;
            return node;
        }
        match self.command(token) {
            Step::Node(node) => node,
            // Something that leaves nothing behind (`\label{…}`, a style) stands before the argument.
            Step::Nothing => self.argument(command, what),
            Step::Infix(_) => {
                self.report(
                    DiagnosticKind::Misplaced,
                    token.span,
                    "a fraction command where an argument should be",
                );
                self.misplaced(token)
            }
        }
    }

    fn missing(&mut self, command: Span, what: &str) -> NodeId {
        if self.is_heard() {
            self.report(DiagnosticKind::MissingArgument, command, format!("{what} is missing"));
        }
        let here = self.span_here();
        let mark = self.nodes.len();
        self.finish_row(mark, here)
    }

    /// `{…}`, after its opening brace.
    fn group(&mut self, open: Token) -> NodeId {
        // The argument of an author's macro may well be a table.
        let of_unknown = self.unknown_end == open.span.start;
        let mut node = self.row(Until::Brace);
        let next = self.peek();
        if next.kind == TokenKind::Align {
            if !of_unknown {
                self.report(
                    DiagnosticKind::Misplaced,
                    next.span,
                    "`&` outside a table; the group is read as one",
                );
            }
            self.braces += 1;
            let table = self.formula_as_table(node);
            self.braces -= 1;
            let mark = self.nodes.len();
            self.nodes.push(table);
            node = self.finish_row(mark, next.span);
        }
        let token = self.next();
        let closed = token.kind == TokenKind::Close
            || token.kind == TokenKind::Command && matches!(self.input.name(token), "egroup" | "endgroup");
        if closed {
            self.tree.node_mut(node).span = open.span.to(token.span);
        } else {
            self.input.unread(token);
            self.report(DiagnosticKind::UnmatchedBrace, open.span, "this brace is never closed");
            let span = open.span.to(self.tree.node(node).span);
            self.tree.node_mut(node).span = span;
        }
        node
    }

    /// An atom that is no command and no script.
    fn plain_atom(&mut self, token: Token) -> Option<NodeId> {
        Some(match token.kind {
            TokenKind::Char(c) => match c {
                '0'..='9' => self.number(c, token.span),
                '.' if matches!(self.input.peek_raw().kind, TokenKind::Char('0'..='9'))
                    && !self.after_dot() =>
                {
                    self.number(c, token.span)
                }
                '~' => self.tree.push(Kind::Space(6), token.span),
                '?' if self.mode == Mode::Query => self.question_mark(token.span),
                _ => self.character(c, token.span),
            },
            TokenKind::Open => self.group(token),
            TokenKind::Close => {
                self.report(
                    DiagnosticKind::UnmatchedBrace,
                    token.span,
                    "a closing brace without an opening one",
                );
                self.misplaced(token)
            }
            TokenKind::Align => {
                self.report(DiagnosticKind::Misplaced, token.span, "`&` outside a table");
                self.misplaced(token)
            }
            TokenKind::Hash => {
                self.report(DiagnosticKind::StrayCharacter, token.span, "`#` outside a definition");
                self.character('#', token.span)
            }
            TokenKind::Dollar => {
                // LaTeXML makes a formula of each cell of an `\@@eqnarray`.
                if !self.contexts.contains(&Until::OpenCell) {
                    self.report(DiagnosticKind::StrayCharacter, token.span, "a dollar sign inside a formula");
                }
                self.dollars_in_math(token)
            }
            TokenKind::Invalid => {
                self.report(DiagnosticKind::InvalidUtf8, token.span, "bytes that are not UTF-8");
                self.character('\u{fffd}', token.span)
            }
            TokenKind::Parameter(number) => {
                self.report(DiagnosticKind::BadMacro, token.span, format!("`#{number}` has no value"));
                self.misplaced(token)
            }
            TokenKind::Operator { limits } => self.operator_name(token.span, limits),
            TokenKind::Sup | TokenKind::Sub | TokenKind::Space | TokenKind::Comment | TokenKind::Command => {
                return None;
            }
            TokenKind::End => return None,
        })
    }

    /// `$…$` where a formula is open already: a group.
    fn dollars_in_math(&mut self, open: Token) -> NodeId {
        // `$$` opens and closes at once.
        if open.span.range().len() == 2 {
            return self.finish_row(self.nodes.len(), open.span);
        }
        let row = self.row(Until::Dollar);
        let close = self.next();
        if close.kind != TokenKind::Dollar {
            self.input.unread(close);
        }
        self.tree.node_mut(row).span = open.span.to(self.span_here());
        row
    }

    /// Whether the last thing was a dot: the third one of `...5` is no decimal point.
    fn after_dot(&self) -> bool {
        let dot = |&id: &NodeId| matches!(self.tree.kind(id), Kind::Symbol { text: Text::Char('.'), .. });
        self.nodes.last().is_some_and(dot)
    }

    fn character(&mut self, c: char, span: Span) -> NodeId {
        if c.is_ascii_alphabetic() {
            return self.symbol(Text::Char(c), Class::Ord, span);
        }
        let (class, shown) = tables().character(c);
        if shown == '\u{fffd}' && c != shown {
            self.report(DiagnosticKind::StrayCharacter, span, "a control character");
        }
        self.symbol(Text::Char(shown), class, span)
    }

    fn symbol(&mut self, text: Text, class: Class, span: Span) -> NodeId {
        let font = match text {
            // TeX has small Greek letters in one shape; only `\boldsymbol` reaches them.
            Text::Char('α'..='ω' | 'ϵ' | 'ϑ' | 'ϰ' | 'ϕ' | 'ϱ' | 'ϖ') if self.font != Font::BoldItalic => {
                Font::Default
            }
            _ => self.font,
        };
        self.tree.push(Kind::Symbol { text, class, font }, span)
    }

    fn number(&mut self, first: char, mut span: Span) -> NodeId {
        let start = self.tree.write_text(|buffer| buffer.push(first));
        loop {
            let token = self.input.next_raw();
            match token.kind {
                TokenKind::Char(c @ '0'..='9') => {
                    self.tree.write_text(|buffer| buffer.push(c));
                    span = span.to(token.span);
                }
                TokenKind::Char('.') if matches!(self.input.peek_raw().kind, TokenKind::Char('0'..='9')) => {
                    self.tree.write_text(|buffer| buffer.push('.'));
                    span = span.to(token.span);
                }
                _ => {
                    self.input.unread(token);
                    break;
                }
            }
        }
        let text = self.tree.text_since(start);
        self.tree.push(Kind::Number { text, font: self.font }, span)
    }

    /// A node that keeps the source between two places as it is.
    fn opaque(&mut self, span: Span, reason: Opaque) -> NodeId {
        let length = span.range().len();
        let text = match self.opaque_bytes.checked_sub(length) {
            Some(left) => {
                self.opaque_bytes = left;
                let source = String::from_utf8_lossy(&self.input.source()[span.range()]);
                self.tree.write_text(|buffer| buffer.push_str(&source))
            }
            None => Text::Static("…"),
        };
        self.tree.push(Kind::Opaque { text, reason }, span)
    }

    /// A node that keeps one token.
    fn misplaced(&mut self, token: Token) -> NodeId {
        let text = self.tree.write_text(|buffer| self.input.push_source(token, buffer));
        self.tree.push(Kind::Opaque { text, reason: Opaque::Misplaced }, token.span)
    }

    /// The same, for a token that would be one level too many.
    fn too_deep(&mut self, token: Token) -> NodeId {
        self.report(DiagnosticKind::TooDeep, token.span, "nested too deeply; kept unread");
        self.misplaced(token)
    }

    fn span_here(&self) -> Span {
        let end = self.input.end();
        Span { start: end, end }
    }

    // Tokens

    fn next(&mut self) -> Token {
        loop {
            let token = self.input.next_raw();
            match token.kind {
                TokenKind::Comment => self.comment(token),
                TokenKind::Command if self.input.has_macros() => {
                    if self.expand(token) {
                        continue;
                    }
                    return token;
                }
                _ => return token,
            }
        }
    }

    /// The next token that is not blank.
    fn next_solid(&mut self) -> Token {
        loop {
            let token = self.next();
            if token.kind != TokenKind::Space {
                return token;
            }
        }
    }

    /// Looks at the next token that is not blank.
    fn peek(&mut self) -> Token {
        let end = self.input.end();
        let token = self.next_solid();
        self.input.unread_to(token, end);
        token
    }

    fn meaning(&self, token: Token) -> Option<Meaning> {
        tables().command(self.input.name(token))
    }

    fn comment(&mut self, token: Token) {
        self.report(DiagnosticKind::Ignored, token.span, "a comment");
    }

    /// Whether one more diagnostic is kept as it is, so that its message is worth making.
    fn is_heard(&self) -> bool {
        self.diagnostics.len() < MAX_DIAGNOSTICS
    }

    fn report(&mut self, kind: DiagnosticKind, span: Span, message: impl Into<Cow<'static, str>>) {
        match self.diagnostics.len().cmp(&MAX_DIAGNOSTICS) {
            std::cmp::Ordering::Less => {
                self.diagnostics.push(Diagnostic { span, kind, message: message.into() });
            }
            std::cmp::Ordering::Equal => {
                let message = "more remarks than are kept".into();
                self.diagnostics.push(Diagnostic { span, kind, message });
            }
            std::cmp::Ordering::Greater => {
                // An error among the many that are not kept is still an error.
                if let Some(last) = self.diagnostics.last_mut()
                    && kind.is_error()
                    && !last.kind.is_error()
                {
                    (last.kind, last.span) = (kind, span);
                }
            }
        }
    }
}

/// What reading a command gave.
enum Step {
    Node(NodeId),
    Nothing,
    Infix(Infix),
}

/// `\over` and its kin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Infix {
    bar: Bar,
    left: Option<char>,
    right: Option<char>,
}

/// The size commands in per cent.
fn size(name: &str) -> Option<Style> {
    Some(Style::Size(match name {
        "tiny" | "Tiny" => 50,
        "scriptsize" | "SMALL" => 70,
        "footnotesize" => 80,
        "small" => 90,
        "normalsize" => 100,
        "large" => 120,
        "Large" => 144,
        "LARGE" => 173,
        "huge" => 207,
        "Huge" => 249,
        _ => return None,
    }))
}
