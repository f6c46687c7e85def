//! The tree as indented text, for tests and for people.

use crate::tree::{Kind, NodeId, Tree};
use std::fmt::{self, Write};

/// Prints one node a line: kind, letters, and the bytes it came from.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(root) = self.root() else { return Ok(()) };
        let mut stack: Vec<(NodeId, usize, &str)> = vec![(root, 0, "")];
        let mut children = Vec::new();
        while let Some((id, depth, role)) = stack.pop() {
            for _ in 0..depth {
                f.write_str("  ")?;
            }
            if !role.is_empty() {
                write!(f, "{role}: ")?;
            }
            self.describe(id, f)?;
            let span = self.node(id).span;
            writeln!(f, " {}..{}", span.start, span.end)?;
            children.clear();
            self.children(id, &mut children);
            stack.extend(children.iter().rev().map(|&(role, child)| (child, depth + 1, role)));
        }
        Ok(())
    }
}

impl Tree {
    /// Appends a node's children, each with the part it plays.
    pub fn children(&self, id: NodeId, out: &mut Vec<(&'static str, NodeId)>) {
        let mut some = |role, child: Option<NodeId>| out.extend(child.map(|child| (role, child)));
        match self.kind(id) {
            Kind::Row(list) | Kind::TableRow(list) => {
                out.extend(self.list(list).iter().map(|&child| ("", child)));
            }
            Kind::Table { rows, .. } => out.extend(self.list(rows).iter().map(|&child| ("", child))),
            Kind::Scripts { base, sub, sup, .. } | Kind::PreScripts { base, sub, sup } => {
                some("base", base);
                some("sub", sub);
                some("sup", sup);
            }
            Kind::Fraction { numerator, denominator, .. } => {
                some("over", Some(numerator));
                some("under", Some(denominator));
            }
            Kind::Root { radicand, degree } => {
                some("degree", degree);
                some("radicand", Some(radicand));
            }
            Kind::Fenced { body, .. } | Kind::Enclose { body, .. } | Kind::Classed { body, .. } => {
                some("", Some(body));
            }
            Kind::Phantom(body) | Kind::Similar { body } => some("", Some(body)),
            Kind::Accent { base, .. } => some("", Some(base)),
            Kind::Stack { base, over, under } => {
                some("base", Some(base));
                some("over", over);
                some("under", under);
            }
            Kind::Symbol { .. }
            | Kind::Number { .. }
            | Kind::TextRun { .. }
            | Kind::LineBreak
            | Kind::Space(_)
            | Kind::Primes(_)
            | Kind::Delimiter { .. }
            | Kind::StyleSwitch(_)
            | Kind::ColorSwitch(_)
            | Kind::Tag(_)
            | Kind::Wildcard(_)
            | Kind::Opaque { .. } => {}
        }
    }

    fn describe(&self, id: NodeId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let delimiters = |f: &mut fmt::Formatter<'_>, left: Option<char>, right: Option<char>| {
            if left.is_some() || right.is_some() {
                write!(f, " {}{}", left.unwrap_or('.'), right.unwrap_or('.'))?;
            }
            Ok(())
        };
        match self.kind(id) {
            Kind::Row(_) => f.write_str("row"),
            Kind::Symbol { text, class, font } => {
                write!(f, "{class:?} {}", self.text(text))?;
                self.describe_font(font, f)
            }
            Kind::Number { text, font } => {
                write!(f, "Number {}", self.text(text))?;
                self.describe_font(font, f)
            }
            Kind::TextRun { text, font } => {
                write!(f, "Text {:?}", self.text(text))?;
                self.describe_font(font, f)
            }
            Kind::LineBreak => f.write_str("line-break"),
            Kind::Space(mu) => write!(f, "space {mu}"),
            Kind::Scripts { limits, .. } => {
                f.write_str("scripts")?;
                if limits != crate::Limits::Auto { write!(f, " {limits:?}") } else { Ok(()) }
            }
            Kind::PreScripts { .. } => f.write_str("pre-scripts"),
            Kind::Primes(count) => write!(f, "primes {count}"),
            Kind::Fraction { bar, left, right, style, .. } => {
                f.write_str("fraction")?;
                if bar == crate::Bar::None {
                    f.write_str(" without-bar")?;
                }
                delimiters(f, left, right)?;
                style.map_or(Ok(()), |style| write!(f, " {style:?}"))
            }
            Kind::Root { .. } => f.write_str("root"),
            Kind::Fenced { left, right, .. } => {
                write!(f, "fenced {}{}", left.unwrap_or('.'), right.unwrap_or('.'))
            }
            Kind::Delimiter { sign, class } => write!(f, "delimiter {sign} {class:?}"),
            Kind::Accent { mark, under, stretchy, .. } => {
                let place = if under { "under" } else { "over" };
                let stretch = if stretchy { " stretchy" } else { "" };
                write!(f, "accent {mark} {place}{stretch}")
            }
            Kind::Stack { .. } => f.write_str("stack"),
            Kind::Table { kind, left, right, columns, .. } => {
                write!(f, "table {kind:?}")?;
                delimiters(f, left, right)?;
                let columns = self.text(columns);
                if columns.is_empty() { Ok(()) } else { write!(f, " {columns}") }
            }
            Kind::TableRow(_) => f.write_str("table-row"),
            Kind::Phantom(_) => f.write_str("phantom"),
            Kind::Enclose { enclosure, .. } => match enclosure {
                crate::Enclosure::Other(text) => write!(f, "enclose {}", self.text(text)),
                _ => write!(f, "enclose {enclosure:?}"),
            },
            Kind::Classed { class, .. } => write!(f, "as {class:?}"),
            Kind::StyleSwitch(style) => write!(f, "style {style:?}"),
            Kind::ColorSwitch(text) => write!(f, "color {}", self.text(text)),
            Kind::Tag(text) => write!(f, "tag {}", self.text(text)),
            Kind::Wildcard(text) => write!(f, "wildcard {:?}", self.text(text)),
            Kind::Similar { .. } => f.write_str("similar"),
            Kind::Opaque { text, reason } => write!(f, "opaque {reason:?} {:?}", self.text(text)),
        }
    }

    fn describe_font(&self, font: crate::Font, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if font == crate::Font::Default {
            Ok(())
        } else {
            f.write_char(' ').and_then(|()| write!(f, "{font:?}"))
        }
    }
}
