//! What did this person type, as a tree?
//!
//! [`parse`] takes whatever stood between dollar signs and returns a layout
//! [`Tree`] and a list of [`Diagnostic`]s. It never fails, and the work it does
//! is linear in the length of the input. Of a formula of more than [`LONGEST`]
//! bytes the beginning is taken apart, and the rest is kept as one opaque node.
//!
//! This crate does no I/O and knows no trees of other kinds: symbol layout
//! trees, operator trees and MathML are made from its tree by the `formula` crate.

mod diagnostic;
mod lexer;
mod long;
mod names;
mod parser;
mod print;
mod tables;
mod tree;

pub use diagnostic::{Diagnostic, DiagnosticKind};
pub use long::LONGEST;
pub use names::{
    accent_command, command_for, command_for_letters, is_script_character, negated, typed_character,
};
pub use parser::Mode;
pub use tree::{
    Bar, Class, Enclosure, Font, Kind, Limits, List, Node, NodeId, Opaque, Span, Style, TableKind, Text, Tree,
};

/// A tree and what was noticed while reading it.
#[derive(Clone, Debug, Default)]
pub struct Parse {
    /// The layout tree; its root is a row.
    pub tree: Tree,
    /// What was noticed, in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parse {
    /// Whether some part of the input could not be placed in the tree.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.kind.is_error())
    }
}

/// Reads a formula of a document.
///
/// ```
/// let parse = latex::parse(r"\frac12 + \foo");
/// assert!(parse.tree.root().is_some());
/// assert_eq!(parse.diagnostics[0].message, "unknown command `\\foo`");
/// ```
#[must_use]
pub fn parse(source: &str) -> Parse {
    parse_bytes(source.as_bytes(), Mode::Document)
}

/// Reads a formula from bytes that need not be UTF-8.
#[must_use]
pub fn parse_bytes(source: &[u8], mode: Mode) -> Parse {
    let mut reader = Reader::default();
    reader.read(source, mode);
    reader.parse
}

/// Reads many formulas, one after the other, with the same buffers.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    scratch: parser::Scratch,
    parse: Parse,
}

impl Reader {
    /// Reads a formula; what it gives lives until the next call.
    pub fn read(&mut self, source: &[u8], mode: Mode) -> &Parse {
        // Spans are 32 bits wide; a formula of four gigabytes is cut.
        let source = &source[..source.len().min(u32::MAX as usize)];
        let (start, rest) = long::split(source);
        let Parse { tree, diagnostics } = &mut self.parse;
        parser::parse_into(start, mode, &mut self.scratch, tree, diagnostics);
        if !rest.is_empty() {
            long::keep(rest, start.len(), tree, diagnostics);
        }
        &self.parse
    }

    /// What was read last.
    #[must_use]
    pub fn last(&self) -> &Parse {
        &self.parse
    }
}
