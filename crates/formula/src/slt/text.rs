//! The labs' strings: `[V!x[+[N!1]],a[N!2]]`.
//!
//! A node prints as `[`, its tag, the next node on the baseline without a label,
//! then every other child as `,`, label, child, and `]`. Reading and writing
//! keep no stack of their own, so the length of a formula is all they need.

use super::{Edge, Look, Slt, SltId, Step, build};
use std::fmt;
use thiserror::Error;

/// Why a string is no layout tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("byte {offset}: {reason}")]
pub struct SltError {
    /// Where, in bytes from the start.
    pub offset: usize,
    /// What is wrong there.
    pub reason: SltErrorReason,
}

/// What can be wrong with a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SltErrorReason {
    /// The text does not begin with a node.
    #[error("a node must begin with `[`")]
    NoNode,
    /// A comma without a label after it.
    #[error("`,` must be followed by a label, one of a b o u c d w e, and `[`")]
    NoLabel,
    /// Two children at the same edge.
    #[error("the node has two children at the same edge")]
    TwoChildren,
    /// A next node after labelled children.
    #[error("the next node must come before labelled children")]
    NextTooLate,
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

impl Slt {
    /// Reads a string as it is.
    ///
    /// # Errors
    /// If the text does not follow the grammar.
    ///
    /// ```
    /// use formula::slt::Slt;
    ///
    /// let slt = Slt::read("[V!x[+[N!1]],a[N!2]]")?;
    /// assert_eq!(slt.preorder().map(|id| slt.tag(id)).collect::<Vec<_>>(), ["V!x", "+", "N!1", "N!2"]);
    /// # Ok::<(), formula::slt::SltError>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, SltError> {
        let mut slt = Self::default();
        slt.read_into(text)?;
        Ok(slt)
    }

    /// Reads a string and [repairs](Slt::repair) what is known to be broken in the labs' strings. Quotes that a
    /// table put around the whole string, with or without backslashes, are taken off first.
    ///
    /// # Errors
    /// If the text does not follow the grammar.
    pub fn read_repaired(text: &str) -> Result<Self, SltError> {
        let mut slt = Self::default();
        slt.read_repaired_into(text)?;
        Ok(slt)
    }

    /// Does what [`Slt::read_repaired`] does in a tree that is there already.
    ///
    /// # Errors
    /// As [`Slt::read`]; the tree is empty then.
    pub fn read_repaired_into(&mut self, text: &str) -> Result<(), SltError> {
        match unquote(text.trim()) {
            Some(unquoted) => self.read_into(&unquoted)?,
            None => self.read_into(text)?,
        }
        self.repair();
        Ok(())
    }

    /// Reads a string into this tree, which is emptied first and left empty on errors.
    ///
    /// # Errors
    /// If the text does not follow the grammar.
    pub fn read_into(&mut self, text: &str) -> Result<(), SltError> {
        self.clear();
        let result = self.read_nodes(text);
        if result.is_err() {
            self.clear();
        }
        result
    }

    fn read_nodes(&mut self, text: &str) -> Result<(), SltError> {
        let fail = |offset, reason| Err(SltError { offset, reason });
        let blanks_before = text.len() - text.trim_start().len();
        let text = text.trim_end();
        if u32::try_from(text.len()).is_err() {
            return fail(0, SltErrorReason::TooLong);
        }
        let bytes = text.as_bytes();
        let mut at = blanks_before;
        // Where the node that begins at `at` hangs; `None` for the root.
        let mut hangs_from: Option<(SltId, Edge)> = None;
        loop {
            if bytes.get(at) != Some(&b'[') {
                return fail(at, SltErrorReason::NoNode);
            }
            let start = at + 1;
            let length = bytes[start..].iter().position(|byte| matches!(byte, b'[' | b',' | b']'));
            let Some(length) = length else { return fail(text.len(), SltErrorReason::Unclosed) };
            let node = self.push_with(Look::default(), |tags| tags.push_str(&text[start..start + length]));
            match hangs_from {
                None => self.set_root(Some(node)),
                Some((parent, edge)) => {
                    if self.child(parent, edge).is_some() {
                        return fail(at, SltErrorReason::TwoChildren);
                    }
                    self.link(parent, edge, node);
                }
            }
            at = start + length;
            let mut open = Some(node);
            loop {
                let Some(current) = open else {
                    return if at == text.len() { Ok(()) } else { fail(at, SltErrorReason::TrailingText) };
                };
                match bytes.get(at) {
                    Some(b'[') => {
                        if self.has_children(current) {
                            return fail(at, SltErrorReason::NextTooLate);
                        }
                        hangs_from = Some((current, Edge::Next));
                        break;
                    }
                    Some(b',') => {
                        let edge = bytes.get(at + 1).and_then(|&label| Edge::from_label(label as char));
                        let Some(edge) = edge.filter(|&edge| edge != Edge::Next) else {
                            return fail(at + 1, SltErrorReason::NoLabel);
                        };
                        hangs_from = Some((current, edge));
                        at += 2;
                        break;
                    }
                    Some(b']') => {
                        at += 1;
                        open = self.parent(current);
                    }
                    Some(_) => return fail(at, SltErrorReason::TrailingText),
                    None => return fail(at, SltErrorReason::Unclosed),
                }
            }
        }
    }

    /// Puts together entities that LaTeXML took apart: `V!&`, `V!l`, `V!t`, `;` in a row become `<`, and the
    /// same for `gt`, `amp` and `#39`, which was a prime. Returns how many were found.
    ///
    /// What hung from the `;` (the rest of the baseline, scripts) hangs from the repaired sign.
    pub fn repair(&mut self) -> usize {
        let mut repaired = 0;
        for index in 0..self.nodes.len() {
            let id = id_at(index);
            if self.tag(id) != "V!&" {
                continue;
            }
            let found = ENTITIES.iter().find_map(|(tags, sign)| Some((self.spelled(id, tags)?, *sign)));
            let Some((last, sign)) = found else { continue };
            repaired += 1;
            let mut carrier = id;
            self.unlink(id, Edge::Next);
            match sign {
                "'" => match self.add_prime(id, last) {
                    Some(base) => carrier = base,
                    None => self.set_tag(id, "′"),
                },
                _ => self.set_tag(id, sign),
            }
            while let Some(child) = self.nodes[last.index()].first_child {
                let edge = self.edge(child);
                self.unlink(last, edge);
                self.link(carrier, edge, child);
            }
        }
        if repaired > 0 {
            // Ends of baselines may lie in the parts that were taken out.
            for node in &mut self.nodes {
                node.towards_end = None;
            }
        }
        repaired
    }

    /// Replaces a sign by a prime on the symbol before it and returns that symbol.
    fn add_prime(&mut self, sign: SltId, last: SltId) -> Option<SltId> {
        if self.children(last).any(|(edge, _)| edge != Edge::Next) {
            return None;
        }
        let base = self.parent(sign).filter(|_| self.edge(sign) == Edge::Next)?;
        let edge = if build::is_operator(self.tag(base)) { Edge::Over } else { Edge::Above };
        match self.child(base, edge) {
            None => {
                let prime = self.push_with(Look::default(), |tag| tag.push('′'));
                self.link(base, edge, prime);
            }
            Some(primes)
                if self.tag(primes).chars().all(|letter| letter == '′') && !self.has_children(primes) =>
            {
                self.set_tag_with(primes, |tags, old| {
                    tags.extend_from_within(old);
                    tags.push('′');
                });
            }
            Some(_) => return None,
        }
        self.unlink(base, Edge::Next);
        Some(base)
    }

    /// The last of these tags, if they follow on the baseline, all without anything else hanging from them.
    fn spelled(&self, ampersand: SltId, tags: &[&str]) -> Option<SltId> {
        let mut at = ampersand;
        for tag in tags {
            at = self.next(at).filter(|_| self.children(at).count() == 1)?;
            if self.tag(at) != *tag {
                return None;
            }
        }
        Some(at)
    }

    /// Appends the string of this tree; nothing for a tree without nodes.
    pub fn write_to(&self, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = self.write(out);
    }

    fn write(&self, out: &mut impl fmt::Write) -> fmt::Result {
        for step in self.walk() {
            match step {
                Step::Open(edge, id) => {
                    if edge != Edge::Next {
                        out.write_char(',')?;
                        out.write_char(edge.label())?;
                    }
                    out.write_char('[')?;
                    out.write_str(self.tag(id))?;
                }
                Step::Close => out.write_char(']')?,
            }
        }
        Ok(())
    }
}

/// What follows `V!&` in an entity taken apart, and what the entity stands for.
const ENTITIES: [(&[&str], &str); 4] = [
    (&["V!l", "V!t", ";"], "<"),
    (&["V!g", "V!t", ";"], ">"),
    (&["V!a", "V!m", "V!p", ";"], "&"),
    (&["V!#", "N!39", ";"], "'"),
];

/// The string inside `"…"` or `\"…\"`, in which quotes are doubled.
pub(crate) fn unquote(text: &str) -> Option<String> {
    let plain = if text.starts_with("\\\"") { text.replace("\\\"", "\"") } else { text.to_owned() };
    let inner = plain.strip_prefix('"')?.strip_suffix('"')?;
    Some(inner.replace("\"\"", "\""))
}

fn id_at(index: usize) -> SltId {
    let number = std::num::NonZeroU32::new(index as u32 + 1);
    SltId(number.expect("the number of a node is not zero"))
}

impl fmt::Display for Slt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}
