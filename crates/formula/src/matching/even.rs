//! Operator trees in which different notations of the same thing are one.
//!
//! | written | becomes |
//! | --- | --- |
//! | `a - b` | a sum of `a` and the opposite of `b` |
//! | `\frac{a}{b}`, `a b^{-1}`, `\frac1b a` | a product of `a` and the inverse of `b` |
//! | `x^{-n}` | the inverse of `x^n` |
//! | `\left(\frac ab\right)^n` | `\frac{a^n}{b^n}` |
//! | `x^{1/n}` | the root |
//! | `\exp x` | `e^x` |
//! | `\ln x` | `\log x` |
//! | `a > b`, `a \ge b`, `A \supset B` | `b < a`, `b \le a`, `B \subset A` |
//! | `\frac{df}{dx}`, `\dot f` | `f'` |
//! | `\sum_{n \ge 0}` | `\sum_{n=0}^\infty` |
//! | `\int_{\mathbb R}` | `\int_{-\infty}^\infty` |
//! | `C(n,k)` | `\binom nk` |
//! | `a_{ij}` | `a_{i,j}` |
//! | `\partial_x f` | `\frac{\partial f}{\partial x}` |
//! | `\vec v`, `\mathbf v`, `\mathbb P`, `\Pr` | `v`, `v`, `P`, `P` |
//!
//! Sums and products in sums and products are one, brackets or not.

use super::node::{Kind, MAX_NODES, Nodes};
use crate::alphabet::plain;
use crate::opt::{Opt, OptId};
use latex::Span;
use std::borrow::Cow;

/// A tree while it is evened out: nodes with lists of children; not all hang from the root.
#[derive(Debug, Default)]
pub(super) struct Even<'t> {
    nodes: Vec<Part<'t>>,
}

#[derive(Debug)]
struct Part<'t> {
    tag: Cow<'t, str>,
    /// The tag it had before, where only the notation is another.
    written: Option<&'t str>,
    children: Vec<u32>,
    origin: (OptId, Span),
}

const OPPOSITE: &str = "O!opposite";
const INVERSE: &str = "O!inverse";
/// A derivative that does not say by what.
const DERIVATIVE: &str = "O!prime";
/// A derivative that does.
const TOTAL: &str = "O!diff";
const PLUS: &str = "U!plus";
const TIMES: &str = "U!times";
/// A product in which the order may count.
pub(super) const ORDERED_TIMES: &str = "O!times";
const POWER: &str = "O!SUP";
const INDEX: &str = "O!SUB";

impl<'t> Even<'t> {
    /// Evens a tree out. What comes after [`MAX_NODES`] nodes is left out.
    pub(super) fn read(&mut self, opt: &'t Opt) {
        let Some(root) = opt.root() else { return };
        let mut begun = 1;
        let mut open: Vec<(OptId, Option<OptId>, Vec<u32>)> = vec![(root, opt.first_child(root), Vec::new())];
        while let Some((id, next, children)) = open.last_mut() {
            if let Some(child) = next.filter(|_| begun < MAX_NODES) {
                *next = opt.next_sibling(child);
                begun += 1;
                open.push((child, opt.first_child(child), Vec::new()));
                continue;
            }
            let (id, children) = (*id, std::mem::take(children));
            open.pop();
            let part = self.close(opt.tag(id), children, (id, opt.span(id)));
            if let Some((_, _, siblings)) = open.last_mut() {
                siblings.push(part);
            }
        }
        self.leave_out_variable();
    }

    /// `y'` does not say by what is derived, so `dy/dt` need not either, unless there are several variables.
    fn leave_out_variable(&mut self) {
        let variable = |part: &Part<'_>| match part.children[..] {
            [_, variable] | [_, variable, _] if part.tag == TOTAL => Some(variable),
            _ => None,
        };
        let mut variables = self.nodes.iter().filter_map(variable).map(|part| self.tag(part));
        let Some(first) = variables.next() else { return };
        if first.starts_with("V!") && variables.all(|other| other == first) {
            for part in self.nodes.iter_mut().filter(|part| part.tag == TOTAL) {
                part.children.remove(1);
                part.tag = Cow::Borrowed(DERIVATIVE);
                part.written = Some(TOTAL);
            }
        }
    }

    /// Puts what hangs from the root into flat arrays, children before parents.
    pub(super) fn emit(&self, nodes: &mut Nodes) {
        let Some(root) = self.nodes.len().checked_sub(1) else { return };
        let mut open: Vec<(u32, usize, Vec<u32>)> = vec![(root as u32, 0, Vec::new())];
        while let Some((part, next, done)) = open.last_mut() {
            let children = &self.nodes[*part as usize].children;
            if let Some(&child) = children.get(*next) {
                *next += 1;
                open.push((child, 0, Vec::new()));
                continue;
            }
            let (part, done) = (*part, std::mem::take(done));
            open.pop();
            let Part { tag, written, origin, .. } = &self.nodes[part as usize];
            let head_of = open.last().filter(|(_, next, _)| *next == 1).map(|(above, _, _)| self.tag(*above));
            let position = nodes.push(tag, *written, head_of, &done, *origin);
            if let Some(bound) = bound_letter(nodes, tag, &done) {
                nodes.bind(bound);
            }
            if let Some((_, _, siblings)) = open.last_mut() {
                siblings.push(position);
            }
        }
    }

    fn tag(&self, part: u32) -> &str {
        &self.nodes[part as usize].tag
    }

    fn push(&mut self, tag: impl Into<Cow<'t, str>>, children: Vec<u32>, origin: (OptId, Span)) -> u32 {
        self.nodes.push(Part { tag: tag.into(), written: None, children, origin });
        self.nodes.len() as u32 - 1
    }

    /// The only child of a node with this tag.
    fn inside(&self, part: u32, tag: &str) -> Option<u32> {
        let Part { tag: found, children, .. } = &self.nodes[part as usize];
        match children[..] {
            [only] if found == tag => Some(only),
            _ => None,
        }
    }

    /// A node whose children are there already; it remembers how it was written.
    fn close(&mut self, tag: &'t str, children: Vec<u32>, origin: (OptId, Span)) -> u32 {
        let part = self.even(tag, children, origin);
        let is_new = part as usize + 1 == self.nodes.len();
        if is_new && self.tag(part) != tag && !matches!(tag, PLUS | TIMES | "O!minus" | "O!divide") {
            self.nodes[part as usize].written = Some(tag);
        }
        part
    }

    fn even(&mut self, tag: &'t str, children: Vec<u32>, origin: (OptId, Span)) -> u32 {
        match (tag, &children[..]) {
            ("O!minus", &[only]) => self.opposite(only, origin),
            ("O!minus", &[left, right]) => {
                // The sign belongs to the opposite, not to the sum.
                let (id, mut place) = self.nodes[right as usize].origin;
                let sign = self.nodes[left as usize].origin.1.end;
                if sign <= place.start {
                    place.start = sign;
                }
                let right = self.opposite(right, (id, place));
                self.sum(vec![left, right], origin)
            }
            (PLUS, _) => self.sum(children, origin),
            (TIMES, _) => self.product(children, origin),
            ("O!divide", &[over, under]) => {
                let under_origin = self.nodes[under as usize].origin;
                let under = self.inverse(under, under_origin);
                self.product(vec![over, under], origin)
            }
            (POWER, &[base, exponent]) => self.power(base, exponent, origin),
            ("F!exp", &[exponent]) => {
                let base = self.push("V!e", Vec::new(), origin);
                self.push(POWER, vec![base, exponent], origin)
            }
            ("O!root", &[radicand, degree]) if self.tag(degree) == "N!2" => {
                self.push("O!root", vec![radicand], origin)
            }
            ("O!gt", &[left, right]) => self.push("O!lt", vec![right, left], origin),
            ("O!geq", &[left, right]) => self.push("O!leq", vec![right, left], origin),
            ("O!superset" | "O!superset-of", &[left, right]) => {
                self.push("O!subset", vec![right, left], origin)
            }
            ("O!dot", &[of]) => self.push(DERIVATIVE, vec![of], origin),
            ("O!vec" | "O!arrow", &[of]) => of,
            ("O!sum" | "O!product", &[body, below, above]) => self.bounds(tag, [body, below, above], origin),
            ("O!int", &[body, variable, lower, upper])
                if self.tag(lower) == "V!ℝ" && self.tag(upper) == "W!" =>
            {
                let place = self.nodes[lower as usize].origin;
                let infinity = self.push("C!infinity", Vec::new(), place);
                let lower = self.push(OPPOSITE, vec![infinity], place);
                let upper = self.push("C!infinity", Vec::new(), place);
                self.push(tag, vec![body, variable, lower, upper], origin)
            }
            ("F!C", &[_, _]) => self.push("O!binomial", children, origin),
            (INDEX, &[base, index]) if matches!(self.tag(index), TIMES | ORDERED_TIMES) => {
                let Part { children: indices, origin: place, .. } = &self.nodes[index as usize];
                let (indices, place) = (indices.clone(), *place);
                let list = self.push(format!("M!L-{}", indices.len()), indices, place);
                self.push(INDEX, vec![base, list], origin)
            }
            // `\partial_x f`
            ("+!O!partialdiff", &[head, of]) if self.tag(head) == INDEX => {
                let variable = self.nodes[head as usize].children.get(1).copied();
                let mut children = vec![of];
                children.extend(variable);
                self.push("O!partialdiff", children, origin)
            }
            _ if tag.starts_with("+!V!") || tag.starts_with("+!F!") => self.push("+!", children, origin),
            _ => self.push(usual(tag), children, origin),
        }
    }

    fn opposite(&mut self, of: u32, origin: (OptId, Span)) -> u32 {
        match self.inside(of, OPPOSITE) {
            Some(inside) => inside,
            None => self.push(OPPOSITE, vec![of], origin),
        }
    }

    fn inverse(&mut self, of: u32, origin: (OptId, Span)) -> u32 {
        if let Some(inside) = self.inside(of, INVERSE) {
            return inside;
        }
        // `1/e^x` is `e^{-x}`.
        if let (POWER, &[base, exponent]) = (self.tag(of), &self.nodes[of as usize].children[..])
            && self.tag(base) == "V!e"
        {
            let exponent = self.opposite(exponent, origin);
            return self.push(POWER, vec![base, exponent], origin);
        }
        self.push(INVERSE, vec![of], origin)
    }

    fn sum(&mut self, parts: Vec<u32>, origin: (OptId, Span)) -> u32 {
        let mut all = Vec::with_capacity(parts.len());
        for part in parts {
            match self.tag(part) {
                PLUS => all.extend_from_slice(&self.nodes[part as usize].children),
                _ => all.push(part),
            }
        }
        self.push(PLUS, all, origin)
    }

    fn product(&mut self, parts: Vec<u32>, origin: (OptId, Span)) -> u32 {
        let mut all = Vec::with_capacity(parts.len());
        let mut opposite = false;
        for part in parts {
            let part = match self.inside(part, OPPOSITE) {
                Some(inside) => {
                    opposite = !opposite;
                    inside
                }
                None => part,
            };
            match self.tag(part) {
                TIMES | ORDERED_TIMES => all.extend_from_slice(&self.nodes[part as usize].children),
                _ => all.push(part),
            }
        }
        if all.len() > 1 {
            let one = all.iter().position(|&part| self.tag(part) == "N!1");
            if let Some(one) = one {
                all.remove(one);
            }
        }
        let product = match all[..] {
            [only] => only,
            _ if self.order_counts(&all) => self.push(ORDERED_TIMES, all, origin),
            _ => self.push(TIMES, all, origin),
        };
        if opposite { self.opposite(product, origin) } else { product }
    }

    /// Whether the order of factors may count: capital letters side by side may be matrices, and a letter beside
    /// its own inverse would cancel.
    fn order_counts(&self, factors: &[u32]) -> bool {
        let is_letter = |part: u32| self.nodes[part as usize].children.is_empty();
        let cancels = |part: u32| {
            let inverse = self.inside(part, INVERSE).filter(|&inside| is_letter(inside));
            inverse.is_some_and(|inside| factors.iter().any(|&other| self.tag(other) == self.tag(inside)))
        };
        factors.iter().filter(|&&part| self.is_capital(part)).count() > 1
            || factors.iter().any(|&part| cancels(part))
    }

    /// A capital letter, or a power of one.
    fn is_capital(&self, part: u32) -> bool {
        let Part { tag, children, .. } = &self.nodes[part as usize];
        match (&**tag, children.first()) {
            (POWER | INVERSE | INDEX, Some(&base)) => {
                self.nodes[base as usize].tag.strip_prefix("V!").is_some_and(is_capital)
            }
            _ => tag.strip_prefix("V!").is_some_and(is_capital),
        }
    }

    fn power(&mut self, base: u32, exponent: u32, origin: (OptId, Span)) -> u32 {
        // `(a/b)^n`
        if let (TIMES, &[over, under]) = (self.tag(base), &self.nodes[base as usize].children[..])
            && let Some(under) = self.inside(under, INVERSE)
            && self.inside(exponent, OPPOSITE).is_none()
        {
            let over = self.power(over, exponent, origin);
            let under = self.power(under, exponent, origin);
            let under = self.inverse(under, origin);
            return self.product(vec![over, under], origin);
        }
        if self.tag(base) != "V!e"
            && let Some(positive) = self.inside(exponent, OPPOSITE)
        {
            let power = if self.tag(positive) == "N!1" { base } else { self.power(base, positive, origin) };
            return self.inverse(power, origin);
        }
        if let Some(degree) = self.inside(exponent, INVERSE)
            && self.tag(base) != "V!e"
        {
            let children = if self.tag(degree) == "N!2" { vec![base] } else { vec![base, degree] };
            return self.push("O!root", children, origin);
        }
        self.push(POWER, vec![base, exponent], origin)
    }

    /// `\sum_{n \ge 0}` with nothing above begins at 0 and does not end.
    fn bounds(&mut self, tag: &'t str, [body, below, above]: [u32; 3], origin: (OptId, Span)) -> u32 {
        let (mut below, mut above) = (below, above);
        if let ("O!leq", &[first, index]) = (self.tag(below), &self.nodes[below as usize].children[..])
            && self.tag(above) == "W!"
        {
            let place = self.nodes[below as usize].origin;
            below = self.push("U!eq", vec![index, first], place);
            above = self.push("C!infinity", Vec::new(), place);
        }
        self.push(tag, vec![body, below, above], origin)
    }
}

/// The letter that an operator binds: the index of a sum, the variable of an integral.
fn bound_letter(nodes: &Nodes, tag: &str, children: &[u32]) -> Option<u32> {
    let place = match tag {
        "O!sum" | "O!product" | "O!int" | "O!limit" | "O!max" | "O!min" | "O!sup" | "O!inf" | "O!union"
        | "O!intersection" | "U!union" | "U!intersect" => 1,
        "O!forall" | "O!exists" | "O!conditional-set" => 0,
        _ => return None,
    };
    let mut at = *children.get(place)?;
    // `i = 1`, `x \\in A`, `x \\to 0`
    loop {
        let node = &nodes.all()[at as usize];
        if node.kind == Kind::Letter {
            return Some(at);
        }
        if !matches!(node.kind, Kind::Relation | Kind::Operator) {
            return None;
        }
        at = *nodes.children(node).first()?;
    }
}

fn is_capital(name: &str) -> bool {
    name.len() == 1 && name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// A tag whose spelling is evened out.
fn usual(tag: &str) -> Cow<'_, str> {
    let other = match tag {
        "F!ln" => "F!log",
        "F!Pr" => "F!P",
        "V!⊤" => "V!T",
        "U!approximately-equals" | "U!similar-to-or-equals" => "U!isomorphic",
        "O!iff" => "U!equivalent",
        "O!to" => "O!implies",
        _ => "",
    };
    if !other.is_empty() {
        return Cow::Borrowed(other);
    }
    let Some(name) = tag.strip_prefix("V!").or_else(|| tag.strip_prefix("F!")) else {
        return Cow::Borrowed(tag);
    };
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if !matches!(letter, 'ℝ' | 'ℕ' | 'ℤ' | 'ℚ' | 'ℂ') => {
            match plain(letter) {
                Some((plain, _)) if plain != letter => Cow::Owned(format!("{}{plain}", &tag[..2])),
                _ => Cow::Borrowed(tag),
            }
        }
        _ => Cow::Borrowed(tag),
    }
}
