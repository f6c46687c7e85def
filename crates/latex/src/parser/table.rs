//! Tables: environments, and plain TeX's tables in braces.

use super::{Parser, Step, Until};
use crate::diagnostic::DiagnosticKind;
use crate::lexer::{Token, TokenKind};
use crate::tables::{Environment, EnvironmentArgument, tables};
use crate::tree::{Kind, NodeId, Opaque, Span, TableKind, Text};

/// Aligned equations.
const ALIGN: Environment = Environment {
    kind: Some(TableKind::Align),
    left: None,
    right: None,
    columns: "",
    argument: EnvironmentArgument::None,
};

impl Parser<'_, '_> {
    /// `\begin{name} … \end{name}`, after `\begin`.
    pub(super) fn environment(&mut self, token: Token) -> Step {
        let name = self.raw_argument();
        let name = name.trim();
        let Some(environment) = tables().environment(name) else {
            let span = token.span.to(self.span_here());
            self.report(DiagnosticKind::UnknownEnvironment, span, format!("unknown environment `{name}`"));
            let unknown = Environment {
                kind: Some(TableKind::Matrix),
                left: None,
                right: None,
                columns: "",
                argument: EnvironmentArgument::None,
            };
            return Step::Node(self.table(token, name, unknown));
        };
        if environment.kind.is_none() {
            return Step::Node(self.unread_environment(token, name));
        }
        if environment.argument == EnvironmentArgument::None && self.is_table_in_braces() {
            return Step::Node(self.table_in_braces(token, name, environment));
        }
        Step::Node(self.table(token, name, environment))
    }

    fn table(&mut self, token: Token, name: &str, environment: Environment) -> NodeId {
        let mut columns = Text::Static(environment.columns);
        let mut one_alignment = None;
        match environment.argument {
            EnvironmentArgument::None if name.ends_with("matrix*") => {
                // `\begin{matrix*}[r]`: all columns alike.
                let typed = self.bracket_text().unwrap_or_default();
                one_alignment = typed.chars().find(|c| matches!(c, 'l' | 'c' | 'r'));
            }
            EnvironmentArgument::None => {
                // `\begin{aligned}[t]`.
                if takes_position(name) {
                    self.skip_bracket();
                }
            }
            EnvironmentArgument::Columns => {
                self.skip_bracket();
                if self.peek().kind == TokenKind::Open {
                    let columns_typed = self.raw_argument();
                    columns = self.tree.write_text(|buffer| push_columns(&columns_typed, buffer));
                }
            }
            EnvironmentArgument::Number => {
                self.skip_bracket();
                if self.peek().kind == TokenKind::Open {
                    self.raw_argument();
                }
            }
        }
        let mark = self.nodes.len();
        let inner = self.span_here();
        self.environments += 1;
        self.table_rows();
        self.environments -= 1;
        if let Some(alignment) = one_alignment {
            let cells = |&row: &NodeId| match self.tree.kind(row) {
                Kind::TableRow(cells) => self.tree.list(cells).len(),
                _ => 0,
            };
            let count = self.nodes[mark..].iter().map(cells).max().unwrap_or(0);
            columns = self.tree.write_text(|buffer| buffer.extend(std::iter::repeat_n(alignment, count)));
        }
        let end = self.next();
        if end.kind == TokenKind::Command && self.input.name(end) == "end" {
            let closed = self.raw_argument();
            if closed.trim() != name {
                let span = end.span.to(self.span_here());
                let message = format!("`\\end{{{}}}` closes `\\begin{{{name}}}`", closed.trim());
                self.report(DiagnosticKind::UnmatchedDelimiter, span, message);
            }
        } else {
            self.input.unread(end);
            let message = format!("`\\begin{{{name}}}` without `\\end{{{name}}}`");
            self.report(DiagnosticKind::UnmatchedDelimiter, token.span, message);
        }
        self.finish_table(token, mark, inner, environment, columns)
    }

    pub(super) fn finish_table(
        &mut self,
        token: Token,
        mark: usize,
        inner: Span,
        environment: Environment,
        columns: Text,
    ) -> NodeId {
        let kind = environment.kind.unwrap_or(TableKind::Matrix);
        // `\begin{equation}` and one-line displays are no tables.
        if let (TableKind::Gather, [row]) = (kind, &self.nodes[mark..])
            && let Kind::TableRow(cells) = self.tree.kind(*row)
            && let [cell] = *self.tree.list(cells)
        {
            self.nodes.truncate(mark);
            self.tree.node_mut(cell).span = token.span.to(self.span_here());
            return cell;
        }
        let rows = self.tree.push_list(&self.nodes[mark..]);
        self.nodes.truncate(mark);
        let Environment { left, right, .. } = environment;
        let span = token.span.to(inner).to(self.span_here());
        self.tree.push(Kind::Table { rows, kind, left, right, columns }, span)
    }

    /// `\matrix{a & b \cr c & d}`.
    pub(super) fn brace_table(
        &mut self,
        token: Token,
        kind: TableKind,
        left: Option<char>,
        right: Option<char>,
    ) -> NodeId {
        let mark = self.nodes.len();
        let open = self.peek();
        let inner = self.span_here();
        if open.kind == TokenKind::Open {
            self.next_solid();
            self.rows_in_braces(open);
        } else {
            let argument = self.argument(token.span, "the table");
            let cells = self.tree.push_list(&[argument]);
            let span = self.tree.node(argument).span;
            let row = self.tree.push(Kind::TableRow(cells), span);
            self.nodes.push(row);
        }
        let environment =
            Environment { kind: Some(kind), left, right, columns: "", argument: EnvironmentArgument::None };
        self.finish_table(token, mark, inner, environment, Text::Static(""))
    }

    /// The rows of a table up to the brace that closes it, and that brace.
    pub(super) fn rows_in_braces(&mut self, open: Token) {
        self.braces += 1;
        self.table_rows();
        self.braces -= 1;
        let close = self.next();
        if close.kind != TokenKind::Close {
            self.input.unread(close);
            self.report(DiagnosticKind::UnmatchedBrace, open.span, "this brace is never closed");
        }
    }

    /// A table that has no end of its own: the rest of the group.
    pub(super) fn rest_of_table(&mut self, token: Token) -> NodeId {
        let mark = self.nodes.len();
        let inner = self.span_here();
        self.table_rows_from(mark, self.input.end(), Until::OpenCell);
        // `\@@eqnarray` is the inside of an `eqnarray`.
        let outer = tables().environment(self.input.name(token).trim_start_matches('@'));
        let columns = outer.map_or("", |environment| environment.columns);
        self.finish_table(token, mark, inner, ALIGN, Text::Static(columns))
    }

    /// The whole formula as a table, after its first cell was read and `&` met.
    pub(super) fn formula_as_table(&mut self, first: NodeId) -> NodeId {
        let bottom = self.nodes.len();
        let start = Token::new(TokenKind::Align, self.tree.node(first).span);
        let mark = self.push_broken_rows(first);
        self.input.next_raw();
        self.table_rows_from(mark, self.tree.node(self.nodes[mark]).span.start, Until::Cell);
        self.finish_table(start, bottom, start.span, ALIGN, Text::Static(""))
    }

    /// Pushes what stood before the first `&`: whole table rows where lines were broken, and the first cell of
    /// the row that goes on, whose place is returned.
    fn push_broken_rows(&mut self, first: NodeId) -> usize {
        let items = self.tree.row(&first).to_vec();
        let lines: Vec<&[NodeId]> = items.split(|&item| self.tree.kind(item) == Kind::LineBreak).collect();
        if lines.len() == 1 {
            self.nodes.push(first);
            return self.nodes.len() - 1;
        }
        let mut place = self.tree.node(first).span;
        for (number, line) in lines.iter().enumerate() {
            let mark = self.nodes.len();
            self.nodes.extend_from_slice(line);
            let end = line.last().map_or(place.start, |&last| self.tree.node(last).span.end);
            place = Span { start: end, end };
            let cell = self.finish_row(mark, place);
            self.nodes.push(cell);
            if number + 1 == lines.len() {
                break;
            }
            self.nodes.truncate(mark);
            let cells = self.tree.push_list(&[cell]);
            let row = self.tree.push(Kind::TableRow(cells), self.tree.node(cell).span);
            self.nodes.push(row);
        }
        self.nodes.len() - 1
    }

    /// Reads rows and leaves them on the stack of nodes.
    pub(super) fn table_rows(&mut self) {
        self.table_rows_from(self.nodes.len(), self.input.end(), Until::Cell);
    }

    /// The same, with the first cells of the first row, which begins at `start`, already there since `mark`.
    fn table_rows_from(&mut self, mut mark: usize, mut start: u32, until: Until) {
        loop {
            let ended = loop {
                let cell = self.row(until);
                self.nodes.push(cell);
                let token = self.next_solid();
                match token.kind {
                    TokenKind::Align => {}
                    TokenKind::Command
                        if matches!(self.input.name(token), "\\" | "cr" | "newline" | "tabularnewline") =>
                    {
                        self.skip_row_space();
                        break false;
                    }
                    _ => {
                        self.input.unread(token);
                        break true;
                    }
                }
            };
            // A last row with nothing in it is only the end of the one before.
            let only_empty = match self.nodes[mark..] {
                [cell] => matches!(self.tree.kind(cell), Kind::Row(list) if self.tree.list(list).is_empty()),
                _ => false,
            };
            if ended && only_empty {
                self.nodes.truncate(mark);
                return;
            }
            let cells = self.tree.push_list(&self.nodes[mark..]);
            self.nodes.truncate(mark);
            let span = Span { start, end: self.input.end().max(start) };
            let row = self.tree.push(Kind::TableRow(cells), span);
            self.nodes.push(row);
            if ended {
                return;
            }
            mark = self.nodes.len();
            start = self.input.end();
        }
    }

    /// `\\*[2pt]`: the star and the length that may follow at once.
    pub(super) fn skip_row_space(&mut self) {
        self.skip_star();
        if self.input.next_is(TokenKind::Char('[')) {
            let looks_like_length = self.input.rest_after_bracket_is_length();
            if looks_like_length {
                self.skip_bracket();
            }
        }
    }

    /// An environment that is kept in one piece.
    fn unread_environment(&mut self, token: Token, name: &str) -> NodeId {
        let mut depth = 0u32;
        loop {
            let next = self.input.next_raw();
            match next.kind {
                TokenKind::End => {
                    self.input.unread(next);
                    let message = format!("`\\begin{{{name}}}` without `\\end{{{name}}}`");
                    self.report(DiagnosticKind::UnmatchedDelimiter, token.span, message);
                    break;
                }
                TokenKind::Command if self.input.name(next) == "begin" => depth += 1,
                TokenKind::Command if self.input.name(next) == "end" => {
                    if depth == 0 {
                        self.raw_argument();
                        break;
                    }
                    depth -= 1;
                }
                _ => {}
            }
        }
        let span = token.span.to(self.span_here());
        self.report(DiagnosticKind::Unread, span, format!("`{name}` is kept in one piece"));
        self.opaque(span, Opaque::Unread)
    }
}

/// Whether `[t]` may follow `\begin{name}`.
fn takes_position(name: &str) -> bool {
    matches!(
        name,
        "aligned" | "gathered" | "split" | "multlined" | "lgathered" | "rgathered" | "crampedaligned"
    )
}

/// Keeps the letters and lines of a column specification: `@{}r|c*{2}{l}` is `r|cll`.
fn push_columns(typed: &str, out: &mut String) {
    let mut depth = 0u32;
    let mut chars = typed.chars();
    while let Some(c) = chars.next() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '*' if depth == 0 => {
                let rest = chars.as_str();
                let Some((count, columns, length)) = repeated_columns(rest) else { continue };
                for _ in 0..count.min(100) {
                    out.extend(columns.chars().filter(|c| matches!(c, 'l' | 'c' | 'r' | '|')));
                }
                chars = rest[length..].chars();
            }
            'l' | 'c' | 'r' | '|' if depth == 0 => out.push(c),
            'p' | 'm' | 'b' | 'X' if depth == 0 => out.push('l'),
            _ => {}
        }
    }
}

/// `{3}{lc}`: three, `lc`, and how long that is.
fn repeated_columns(rest: &str) -> Option<(usize, &str, usize)> {
    let (count, after) = rest.strip_prefix('{')?.split_once('}')?;
    let (columns, after) = after.strip_prefix('{')?.split_once('}')?;
    Some((count.trim().parse().ok()?, columns, rest.len() - after.len()))
}
