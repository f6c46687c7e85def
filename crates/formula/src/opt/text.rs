//! The labs' strings: `[U!plus,0[V!x],1[N!1]]`.
//!
//! A node prints as `[`, its tag, then every child as `,`, label, child, and
//! `]`. Labels count `0`–`9`, `A`–`Z`, `a`–`z`; the sixty-second and all
//! further children are `z`.

use super::{Opt, OptId};
use crate::slt::text::unquote;
use latex::Span;
use std::fmt;
use thiserror::Error;

/// Why a string is no operator tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("byte {offset}: {reason}")]
pub struct OptError {
    /// Where, in bytes from the start.
    pub offset: usize,
    /// What is wrong there.
    pub reason: OptErrorReason,
}

/// What can be wrong with a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OptErrorReason {
    /// The text does not begin with a node.
    #[error("a node must begin with `[`")]
    NoNode,
    /// A comma without the label of a child after it.
    #[error("`,` must be followed by the label of the next child, 0–9, A–Z or a–z, and `[`")]
    NoLabel,
    /// The text ends inside a node.
    #[error("the text ends inside a node")]
    Unclosed,
    /// Something follows the tree.
    #[error("something follows after the tree")]
    TrailingText,
    /// More than 4 GiB.
    #[error("the text is too long")]
    TooLong,
}

const LABELS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The label of the edge to the child at this position.
#[must_use]
pub fn label(position: usize) -> char {
    LABELS[position.min(LABELS.len() - 1)] as char
}

impl Opt {
    /// Reads a string. Each node's span is its place in the string.
    ///
    /// # Errors
    /// If the text does not follow the grammar.
    ///
    /// ```
    /// use formula::opt::Opt;
    ///
    /// let opt = Opt::read("[U!plus,0[V!x],1[N!1]]")?;
    /// assert_eq!(opt.preorder().map(|id| opt.tag(id)).collect::<Vec<_>>(), ["U!plus", "V!x", "N!1"]);
    /// # Ok::<(), formula::opt::OptError>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, OptError> {
        let mut opt = Self::default();
        opt.read_into(text)?;
        Ok(opt)
    }

    /// Reads a string into this tree, which is emptied first and left empty on errors.
    ///
    /// # Errors
    /// As [`Opt::read`].
    pub fn read_into(&mut self, text: &str) -> Result<(), OptError> {
        self.clear();
        let result = self.read_nodes(text);
        if result.is_err() {
            self.clear();
        }
        result
    }

    /// Reads a string into this tree as [`Opt::read_into`] does, but takes off quotes that a table put around the
    /// whole string, with or without backslashes. Spans are places in the string without its quotes.
    ///
    /// # Errors
    /// As [`Opt::read`].
    pub fn read_repaired_into(&mut self, text: &str) -> Result<(), OptError> {
        match unquote(text.trim()) {
            Some(unquoted) => self.read_into(&unquoted),
            None => self.read_into(text),
        }
    }

    fn read_nodes(&mut self, text: &str) -> Result<(), OptError> {
        let fail = |offset, reason| Err(OptError { offset, reason });
        let mut at = text.len() - text.trim_start().len();
        let text = text.trim_end();
        if u32::try_from(text.len()).is_err() {
            return fail(0, OptErrorReason::TooLong);
        }
        let bytes = text.as_bytes();
        let mut open: Option<OptId> = None;
        // For each open node, how many children it has.
        let mut counts: Vec<usize> = Vec::new();
        loop {
            if bytes.get(at) != Some(&b'[') {
                return fail(at, OptErrorReason::NoNode);
            }
            let start = at + 1;
            let length = bytes[start..].iter().position(|byte| matches!(byte, b'[' | b',' | b']'));
            let Some(length) = length else { return fail(text.len(), OptErrorReason::Unclosed) };
            let node = self.push(&text[start..start + length]);
            self.set_span(node, Span::new(at, text.len()));
            match open {
                None => self.set_root(Some(node)),
                Some(parent) => self.append(parent, node),
            }
            at = start + length;
            open = Some(node);
            counts.push(0);
            while let Some(current) = open {
                match bytes.get(at) {
                    Some(b']') => {
                        at += 1;
                        let start = self.span(current).start as usize;
                        self.set_span(current, Span::new(start, at));
                        counts.pop();
                        open = self.parent(current);
                    }
                    Some(b',') => {
                        let Some(count) = counts.last_mut() else { break };
                        if bytes.get(at + 1).copied() != Some(label(*count) as u8) {
                            return fail(at + 1, OptErrorReason::NoLabel);
                        }
                        *count += 1;
                        at += 2;
                        break;
                    }
                    Some(_) => return fail(at, OptErrorReason::NoLabel),
                    None => return fail(at, OptErrorReason::Unclosed),
                }
            }
            if open.is_none() {
                return if at == text.len() { Ok(()) } else { fail(at, OptErrorReason::TrailingText) };
            }
        }
    }
}

/// The labs' string.
impl fmt::Display for Opt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(root) = self.root() else { return Ok(()) };
        // For each open node, how many children were begun.
        let mut begun: Vec<usize> = Vec::new();
        let mut at = root;
        loop {
            write!(f, "[{}", self.tag(at))?;
            if let Some(child) = self.first_child(at) {
                write!(f, ",{}", label(0))?;
                begun.push(1);
                at = child;
                continue;
            }
            loop {
                write!(f, "]")?;
                let Some(count) = begun.last_mut() else { return Ok(()) };
                if let Some(sibling) = self.next_sibling(at) {
                    write!(f, ",{}", label(*count))?;
                    *count += 1;
                    at = sibling;
                    break;
                }
                begun.pop();
                match self.parent(at) {
                    Some(parent) => at = parent,
                    None => return Ok(()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_read_back() {
        for text in [
            "[V!x]",
            "[U!plus,0[O!SUP,0[V!x],1[N!2]],1[N!1]]",
            "[+!O!limit,0[O!SUB,0[O!limit],1[F!→,0[V!x],1[N!0]]],1[V!f]]",
            "[M!M-2x2,0[M!R!,0[V!a],1[V!b]],1[M!R!,0[V!c],1[V!d]]]",
        ] {
            let opt = Opt::read(text).unwrap();
            assert_eq!(opt.to_string(), text);
            for id in opt.preorder() {
                assert_eq!(
                    Opt::read(&text[opt.span(id).range()]).unwrap().to_string(),
                    text[opt.span(id).range()]
                );
            }
        }
        let mut wide = Opt::default();
        let top = wide.push("U!plus");
        for _ in 0..100 {
            let child = wide.push("N!1");
            wide.append(top, child);
        }
        wide.set_root(Some(top));
        assert_eq!(Opt::read(&wide.to_string()), Ok(wide));
    }

    #[test]
    fn quotes_of_a_table_are_taken_off() {
        let mut opt = Opt::default();
        for text in ["[V!x]", "\"[V!x]\"", "\\\"[V!x]\\\"", " \"[V!x]\" "] {
            opt.read_repaired_into(text).unwrap();
            assert_eq!(opt.to_string(), "[V!x]", "{text}");
        }
        assert!(opt.read_repaired_into("\"[V!x\"").is_err());
    }

    #[test]
    fn wrong_strings_are_told_where() {
        let reason = |text: &str| Opt::read(text).unwrap_err();
        for (text, offset, expected) in [
            ("", 0, OptErrorReason::NoNode),
            ("x", 0, OptErrorReason::NoNode),
            ("[V!x", 4, OptErrorReason::Unclosed),
            ("[V!x[V!y]]", 4, OptErrorReason::NoLabel),
            ("[V!x,1[V!y]]", 5, OptErrorReason::NoLabel),
            ("[V!x,0]", 6, OptErrorReason::NoNode),
            ("[V!x] ]", 5, OptErrorReason::TrailingText),
        ] {
            assert_eq!(reason(text), OptError { offset, reason: expected }, "{text}");
        }
    }
}
