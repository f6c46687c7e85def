//! What a converter leaves in formulas: inner commands of LaTeXML, ends of a document, and tables whose
//! braces and ends are out of place.

use super::{Parser, Step};
use crate::diagnostic::DiagnosticKind;
use crate::lexer::{Token, TokenKind};
use crate::tables::Environment;
use crate::tree::{NodeId, Opaque, Text};

/// How far the first cell of a table is looked through for [`FILL`].
const LONGEST_FIRST_CELL: usize = 4096;

/// What LaTeXML puts at the end of the first cell of a table in braces.
const FILL: &[u8] = b"hfil";

impl Parser<'_, '_> {
    /// Whether a command is one of the converter's own. The lexer takes an `@` into a name only there.
    pub(super) fn is_inner_command(&self, token: Token) -> bool {
        let name = self.input.name_bytes(token);
        name.len() > 1 && name.contains(&b'@')
    }

    /// `\end` that nothing waits for.
    pub(super) fn stray_end(&mut self, token: Token) -> Step {
        let name = self.raw_argument();
        let span = token.span.to(self.span_here());
        let late = name == "document" || self.late_ends > 0;
        if late {
            // A dollar too many lets the end of the converter's document into the formula.
            self.late_ends = self.late_ends.saturating_sub(u32::from(name != "document"));
            self.report(DiagnosticKind::Ignored, span, format!("`\\end{{{name}}}` is left out"));
            return Step::Nothing;
        }
        let message = format!("`\\end{{{name}}}` without `\\begin`");
        self.report(DiagnosticKind::UnmatchedDelimiter, span, message);
        Step::Node(self.opaque(span, Opaque::Misplaced))
    }

    /// Whether a table in the converter's braces comes next: its first cell ends with `\hfil`.
    pub(super) fn is_table_in_braces(&mut self) -> bool {
        if self.peek().kind != TokenKind::Open {
            return false;
        }
        let bytes = self.input.bytes_after_next();
        let mut rest = &bytes[..bytes.len().min(LONGEST_FIRST_CELL)];
        let mut depth = 0u32;
        while let Some((&byte, tail)) = rest.split_first() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 0 => return false,
                b'}' => depth -= 1,
                b'&' if depth == 0 => return false,
                b'\\' if depth == 0 && tail.starts_with(FILL) => {
                    let next = tail[FILL.len()..].trim_ascii_start();
                    return [&b"&"[..], b"\\\\", b"\\cr"].iter().any(|end| next.starts_with(end));
                }
                b'\\' => {
                    rest = tail.get(1..).unwrap_or_default();
                    continue;
                }
                _ => {}
            }
            rest = tail;
        }
        false
    }

    /// `\begin{matrix}{a\hfil&b\\ c&d}`: what LaTeXML makes of `\matrix{a&b\cr c&d}`. The table is in the
    /// braces; `\end{matrix}` stands before the closing one, behind it, or at the end of the formula.
    pub(super) fn table_in_braces(&mut self, token: Token, name: &str, environment: Environment) -> NodeId {
        let open = self.next_solid();
        let mark = self.nodes.len();
        let inner = self.span_here();
        self.environments += 1;
        self.braces += 1;
        self.table_rows();
        self.braces -= 1;
        self.environments -= 1;
        let closed = self.takes_close();
        let ended = self.takes_end(name);
        if !(closed || ended && self.takes_close()) {
            self.report(DiagnosticKind::UnmatchedBrace, open.span, "this brace is never closed");
        }
        self.late_ends += u32::from(!ended);
        self.finish_table(token, mark, inner, environment, Text::Static(environment.columns))
    }

    fn takes_close(&mut self) -> bool {
        let comes = self.peek().kind == TokenKind::Close;
        if comes {
            self.next_solid();
        }
        comes
    }

    /// Takes `\end{name}` if it comes next.
    fn takes_end(&mut self, name: &str) -> bool {
        let end = self.peek();
        let comes = end.kind == TokenKind::Command
            && self.input.name(end) == "end"
            && self.input.bytes_after_next().starts_with(format!("{{{name}}}").as_bytes());
        if comes {
            self.next_solid();
            self.raw_argument();
        }
        comes
    }
}
