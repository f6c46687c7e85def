//! How complex is a formula? A measure from its signs and its structure.

use crate::Level;
use latex::{Class, Kind, NodeId, Tree};

/// The rule in words.
pub const RULE: &str = "\
A formula has points: 1 for each sign (letters, numbers, operators, brackets; the name of a function and a \
text are one sign), 2 for each structure (fraction, root, subscript, superscript, big operator, limit, named \
function, accent, thing above or below, matrix or table and each of its further rows; primes are signs), and \
3 for each level of its deepest nesting (in numerator or denominator, root, script, cell, above or below). \
Up to 15 points it is Low, up to 26 Medium, beyond High: the cut-offs part the 185 formula queries of ARQMath 1 \
and 2 in about equal thirds.";

/// The most points of a formula of low complexity.
pub const LOW_UP_TO: u32 = 15;
/// The most points of a formula of medium complexity.
pub const MEDIUM_UP_TO: u32 = 26;

/// What the complexity of a formula is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// Printed signs.
    pub signs: u32,
    /// Fractions, roots, scripts and the like.
    pub structures: u32,
    /// The deepest nesting of structures.
    pub depth: u32,
}

impl Measure {
    /// One number for all of it.
    #[must_use]
    pub fn points(self) -> u32 {
        let structures = self.structures.saturating_mul(2);
        self.signs.saturating_add(structures).saturating_add(self.depth.saturating_mul(3))
    }

    /// Low, medium or high.
    #[must_use]
    pub fn level(self) -> Level {
        let points = self.points();
        if points <= LOW_UP_TO {
            Level::Low
        } else if points <= MEDIUM_UP_TO {
            Level::Medium
        } else {
            Level::High
        }
    }
}

/// Measures a formula, in time linear in its length.
///
/// ```
/// use topics::{Level, complexity::measure};
/// let level = |source| measure(&latex::parse(source).tree).level();
/// assert_eq!(level("[x,y]=x"), Level::Low);
/// assert_eq!(level(r"\int\frac1{(x^2+1)^n}dx"), Level::Medium);
/// assert_eq!(level(r"\frac{\sqrt{1-p^2}}{2\pi(1-2p\sin(\phi)\cos(\phi))}"), Level::High);
/// ```
#[must_use]
pub fn measure(tree: &Tree) -> Measure {
    let mut walk = Walk { measure: Measure::default(), open: Vec::new() };
    walk.open.extend(tree.root().map(|root| (root, 0)));
    while let Some((id, depth)) = walk.open.pop() {
        walk.node(tree, id, depth);
    }
    walk.measure
}

struct Walk {
    measure: Measure,
    /// Nodes still to be looked at, with how deep they lie.
    open: Vec<(NodeId, u32)>,
}

impl Walk {
    fn node(&mut self, tree: &Tree, id: NodeId, depth: u32) {
        match tree.kind(id) {
            Kind::Row(list) | Kind::TableRow(list) => {
                self.open.extend(tree.list(list).iter().map(|child| (*child, depth)));
            }
            Kind::Symbol { class, .. } => {
                self.sign(depth);
                let operators = [Class::BigOp, Class::Integral, Class::Function, Class::LimitFunction];
                self.measure.structures += u32::from(operators.contains(&class));
            }
            Kind::Number { .. } | Kind::Delimiter { .. } | Kind::Wildcard(_) | Kind::Opaque { .. } => {
                self.sign(depth);
            }
            Kind::TextRun { text, .. } => {
                if tree.with_text(text, |text| !text.trim().is_empty()) {
                    self.sign(depth);
                }
            }
            Kind::Primes(count) => self.measure.signs += u32::from(count),
            Kind::Scripts { base, sub, sup, .. } => {
                self.open.extend(base.map(|base| (base, depth)));
                self.script(tree, sub, depth);
                self.script(tree, sup, depth);
            }
            Kind::PreScripts { base, sub, sup } => {
                self.open.extend(base.map(|base| (base, depth)));
                self.script(tree, sub, depth);
                self.script(tree, sup, depth);
            }
            Kind::Fraction { numerator, denominator, .. } => {
                self.measure.structures += 1;
                self.open.extend([(numerator, depth + 1), (denominator, depth + 1)]);
            }
            Kind::Root { radicand, degree } => {
                self.measure.structures += 1;
                self.open.push((radicand, depth + 1));
                self.open.extend(degree.map(|degree| (degree, depth + 1)));
            }
            Kind::Fenced { left, right, body } => {
                self.measure.signs += u32::from(left.is_some()) + u32::from(right.is_some());
                self.open.push((body, depth));
            }
            Kind::Accent { base, .. } => {
                self.measure.structures += 1;
                self.open.push((base, depth));
            }
            Kind::Stack { base, over, under } => {
                self.open.push((base, depth));
                self.script(tree, over, depth);
                self.script(tree, under, depth);
            }
            Kind::Table { rows, left, right, .. } => {
                self.measure.signs += u32::from(left.is_some()) + u32::from(right.is_some());
                let rows = tree.list(rows);
                self.measure.structures += u32::try_from(rows.len()).unwrap_or(u32::MAX).max(1);
                self.open.extend(rows.iter().map(|row| (*row, depth + 1)));
            }
            Kind::Enclose { body, .. } | Kind::Classed { body, .. } | Kind::Similar { body } => {
                self.open.push((body, depth));
            }
            Kind::LineBreak
            | Kind::Space(_)
            | Kind::Phantom(_)
            | Kind::StyleSwitch(_)
            | Kind::ColorSwitch(_)
            | Kind::Tag(_) => {}
        }
    }

    /// A sign; only what holds one is a level of nesting.
    fn sign(&mut self, depth: u32) {
        self.measure.signs += 1;
        self.measure.depth = self.measure.depth.max(depth);
    }

    fn script(&mut self, tree: &Tree, script: Option<NodeId>, depth: u32) {
        let Some(script) = script else { return };
        if let [only] = tree.row(&script)
            && let Kind::Primes(count) = tree.kind(*only)
        {
            self.measure.signs += u32::from(count);
            return;
        }
        self.measure.structures += 1;
        self.open.push((script, depth + 1));
    }
}
