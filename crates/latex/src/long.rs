//! Formulas that are too long to be taken apart whole.
//!
//! Trees, features and alignments need some hundred bytes for each symbol. The longest formulas that people
//! write have a few thousand bytes; a text of megabytes between dollars is a mistake or an attack.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::parser::MAX_DIAGNOSTICS;
use crate::tree::{Kind, Opaque, Span, Tree};

/// How many bytes of a formula are taken apart. What follows is one opaque node with a remark.
pub const LONGEST: usize = 64 << 10;

/// The bytes that are taken apart, and those that are kept in one piece. No character is cut in two.
pub(crate) fn split(source: &[u8]) -> (&[u8], &[u8]) {
    if source.len() <= LONGEST {
        return (source, &[]);
    }
    let is_start = |at: &usize| source[*at] & 0xC0 != 0x80;
    let end = (LONGEST - 3..=LONGEST).rev().find(is_start).unwrap_or(LONGEST);
    source.split_at(end)
}

/// Keeps the rest of a formula whose first `start` bytes are in the tree, and says so.
///
/// The node's text is short but tells different rests apart, so that formulas which end differently have
/// different keys.
pub(crate) fn keep(rest: &[u8], start: usize, tree: &mut Tree, diagnostics: &mut Vec<Diagnostic>) {
    let Some(root) = tree.root() else { return };
    let whole = start + rest.len();
    let span = Span::new(start, whole);
    let text = tree.write_text(|buffer| buffer.push_str(&format!("…{}:{:016x}", rest.len(), fnv(rest))));
    let opaque = tree.push(Kind::Opaque { text, reason: Opaque::Unread }, span);
    let list = tree.push_list(&[root, opaque]);
    let root = tree.push(Kind::Row(list), Span::new(0, whole));
    tree.set_root(root);
    let message = format!("a formula of {whole} bytes: only the first {start} are taken apart");
    // A long formula may have given as many remarks as are kept.
    diagnostics.truncate(MAX_DIAGNOSTICS);
    diagnostics.push(Diagnostic { span, kind: DiagnosticKind::TooLong, message: message.into() });
}

/// FNV-1a, which is the same on every machine.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::LONGEST;
    use crate::{DiagnosticKind, Kind, Mode, parse, parse_bytes};

    #[test]
    fn the_rest_of_a_long_formula_is_kept_in_one_piece() {
        for length in [LONGEST - 1, LONGEST] {
            assert!(parse(&"x".repeat(length)).diagnostics.is_empty(), "{length} bytes");
        }
        let source = "é+".repeat(LONGEST);
        let parsed = parse(&source);
        assert!(parsed.has_errors());
        let last = parsed.diagnostics.last().expect("a remark");
        assert_eq!(last.kind, DiagnosticKind::TooLong);
        assert!(source.get(last.span.range()).is_some(), "the cut falls between characters");
        assert_eq!(
            last.message,
            format!("a formula of {} bytes: only the first 65535 are taken apart", source.len())
        );
        assert!(parsed.tree.len() < 2 * LONGEST);
        let root = parsed.tree.node(parsed.tree.root().expect("a root"));
        assert_eq!(root.span.range(), 0..source.len());
        assert!(matches!(root.kind, Kind::Row(_)));
    }

    #[test]
    fn other_rests_are_other_nodes() {
        let start = "x".repeat(LONGEST);
        let tree = |rest: &str| parse(&format!("{start}{rest}")).tree.to_string();
        assert_ne!(tree("a"), tree("b"));
        assert_eq!(tree("a"), tree("a"));
        let _ = parse_bytes(&vec![0x80; 3 * LONGEST], Mode::Query);
    }
}
