//! Expressions: sums, terms, atoms. Every call has less to spend than its
//! caller, so depth and length are bounded by the size.

use super::Family;
use super::tokens::Tokens;
use super::variables::Variables;
use crate::draw::Draw;

/// Writes one formula.
#[derive(Debug)]
pub(crate) struct Grammar<'a> {
    pub(crate) draw: Draw,
    pub(crate) variables: Variables,
    pub(crate) family: Family,
    pub(crate) out: Tokens<'a>,
}

/// Terms of three symbols and more; the tables below give each its weight.
#[derive(Clone, Copy)]
enum Term {
    Product,
    Power,
    Indexed,
    Function,
    Named,
    Fraction,
    Root,
    Bracketed,
    Absolute,
    Sum,
    Integral,
    Limit,
    Derivative,
    Binomial,
    Factorial,
    Matrix,
    Vector,
    Chance,
    Angle,
    SetOperation,
    Accent,
}

const TERMS: [Term; 21] = [
    Term::Product,
    Term::Power,
    Term::Indexed,
    Term::Function,
    Term::Named,
    Term::Fraction,
    Term::Root,
    Term::Bracketed,
    Term::Absolute,
    Term::Sum,
    Term::Integral,
    Term::Limit,
    Term::Derivative,
    Term::Binomial,
    Term::Factorial,
    Term::Matrix,
    Term::Vector,
    Term::Chance,
    Term::Angle,
    Term::SetOperation,
    Term::Accent,
];

impl Family {
    #[rustfmt::skip]
    fn term_weights(self) -> [u16; 21] {
        match self {
            //                 pr  pw  ix  fn  nm  fr  rt  br  ab  su  in  li  de  bi  fa  ma  ve  ch  an  se  ac
            Self::Analysis => [18, 12, 10, 22, 12, 16,  5,  8,  9,  4,  6,  8,  9,  0,  1,  0,  1,  0,  0,  0,  2],
            Self::Series =>   [14, 16, 18,  8,  5, 22,  4,  8,  4, 20,  2,  7,  1,  3,  4,  0,  0,  0,  0,  0,  1],
            Self::Number =>   [22, 24, 14,  8,  4, 10,  4, 12,  2,  8,  0,  1,  0,  7,  6,  0,  0,  0,  0,  1,  1],
            Self::Integral => [14, 14,  5, 12, 18, 20,  7,  8,  3,  4, 24,  3,  4,  0,  1,  0,  0,  0,  0,  0,  1],
            Self::Linear =>   [22, 14, 18, 10,  3,  7,  4,  8,  6,  5,  1,  1,  1,  0,  0, 10,  9,  0,  0,  2,  4],
            Self::Algebra =>  [24, 22, 16, 12,  4, 14,  7, 14,  3,  3,  1,  0,  0,  1,  1,  1,  2,  0,  0,  3,  2],
            Self::Chance =>   [14, 10, 20, 10,  5, 16,  4,  8,  3,  8,  5,  2,  0,  7,  2,  0,  0, 24,  0,  2,  6],
            Self::Sets =>     [ 8,  8, 24, 16,  2,  3,  1,  6,  5,  2,  1,  2,  0,  0,  0,  0,  4,  0,  0, 32,  8],
            Self::Plane =>    [20, 14, 10,  6, 28, 18, 10,  8,  5,  1,  0,  0,  0,  0,  0,  0,  4,  0, 10,  0,  8],
            Self::Logic =>    [14, 12, 18, 22,  4, 10,  3,  8,  3,  4,  1,  1,  0,  1,  1,  0,  3,  0,  0, 14,  3],
        }
    }
}

const NAMED: [&str; 12] = [
    "\\sin", "\\cos", "\\log", "\\ln", "\\tan", "\\exp", "\\cot", "\\arctan", "\\sinh", "\\sec", "\\arcsin",
    "\\cosh",
];

impl Grammar<'_> {
    /// Writes tokens.
    pub(crate) fn push(&mut self, text: &str) {
        self.out.push(text);
    }

    /// The relation between the sides of a statement.
    pub(crate) fn relation(&mut self) {
        const RELATIONS: [&str; 10] =
            ["=", "\\leq", "<", ">", "\\geq", "\\neq", "\\approx", "\\equiv", "\\sim", "\\to"];
        let relation = RELATIONS[self.draw.weighted(&[70, 7, 7, 6, 5, 3, 1, 1, 1, 1])];
        self.push(relation);
    }

    /// Terms added up.
    pub(crate) fn expression(&mut self, size: usize) {
        let mut size = size;
        while size > 3 && self.draw.percent(if size > 12 { 70 } else { 45 }) {
            let first = self.draw.between(1, size / 2);
            self.term(first);
            let sign = ["+", "-", "+", "-", "+", "\\cdot", "+\\cdots+"]
                [self.draw.weighted(&[30, 22, 10, 8, 8, 5, 2])];
            self.push(sign);
            size = size.saturating_sub(first + 1).max(1);
        }
        self.term(size);
    }

    pub(super) fn term(&mut self, size: usize) {
        match size {
            0 | 1 => return self.atom(),
            2 => return self.pair(),
            _ => {}
        }
        let term = TERMS[self.draw.weighted(&self.family.term_weights())];
        // What needs more room than there is becomes a product.
        let needs = match term {
            Term::Sum | Term::Integral | Term::Limit => 5,
            Term::Matrix => 7,
            Term::Derivative => 4,
            _ => 3,
        };
        self.term_of_kind(if size < needs { Term::Product } else { term }, size);
    }

    fn term_of_kind(&mut self, term: Term, size: usize) {
        let inner = size - 1;
        match term {
            Term::Product => {
                let first = self.draw.between(1, (size / 2).min(4));
                self.factor(first);
                match size - first {
                    // A number would not stand last.
                    1 => self.letter(),
                    rest => self.next_factor(rest),
                }
            }
            Term::Power => {
                let exponent = if self.draw.percent(70) { 1 } else { self.draw.between(1, size / 2) };
                self.base(size - exponent);
                self.scripted("^", exponent);
            }
            Term::Indexed => {
                self.letter();
                self.scripted("_", inner.min(3));
                if size > 4 {
                    self.next_factor(size - 4);
                }
            }
            Term::Function => self.function(inner),
            Term::Named => self.named(inner),
            Term::Fraction => {
                let below = self.draw.between(1, size.div_ceil(2));
                self.with_two("\\frac{", inner.saturating_sub(below), below);
            }
            Term::Root => self.enclosed("\\sqrt{", inner, "}"),
            Term::Bracketed => match self.draw.percent(25) {
                true => self.enclosed("\\left(", inner, "\\right)"),
                false => self.enclosed("(", inner, ")"),
            },
            Term::Absolute => match self.draw.weighted(&[60, 20, 10, 10]) {
                0 => self.enclosed("|", inner, "|"),
                1 => self.enclosed("\\|", inner, "\\|"),
                2 => self.enclosed("\\lfloor", inner, "\\rfloor"),
                _ => self.enclosed("\\left|", inner, "\\right|"),
            },
            Term::Sum => self.large(size),
            Term::Integral => self.integral(size),
            Term::Limit => self.limit(size),
            Term::Derivative => self.derivative(size),
            Term::Binomial => self.with_two("\\binom{", inner / 2, inner - inner / 2),
            Term::Factorial => {
                self.base(inner);
                self.push("!");
            }
            Term::Matrix => self.matrix(size),
            Term::Vector => self.vector(inner),
            Term::Chance => self.chance(inner),
            Term::Angle => {
                let text = *self.draw.pick(&[
                    "\\angle ABC",
                    "\\triangle ABC",
                    "AB",
                    "\\overline{AB}",
                    "BC",
                    "\\vec{AB}",
                ]);
                self.push(text);
            }
            Term::SetOperation => self.set_operation(size),
            Term::Accent => {
                let text = *self.draw.pick(&["\\overline{", "\\bar{", "\\hat{", "\\tilde{", "\\vec{"]);
                self.push(text);
                self.letter();
                self.push("}");
                if size > 3 {
                    self.next_factor(size - 2);
                }
            }
        }
    }

    /// A command of two arguments.
    fn with_two(&mut self, start: &str, first: usize, second: usize) {
        self.push(start);
        self.expression(first);
        self.push("}{");
        self.expression(second);
        self.push("}");
    }

    /// Two symbols.
    fn pair(&mut self) {
        match self.draw.weighted(&[30, 26, 16, 4, 8, 16]) {
            0 => {
                self.letter();
                self.scripted("_", 1);
            }
            1 => {
                self.atom();
                self.scripted("^", 1);
            }
            2 => {
                let number = 2 + self.draw.ranked(40, 2.0);
                self.out.number(number);
                self.letter();
            }
            3 => {
                let function = self.variables.function[self.draw.below(2)];
                self.push(function);
                self.push("'");
            }
            4 => {
                self.push("-");
                self.atom();
            }
            _ => {
                self.letter();
                self.letter();
            }
        }
    }

    /// A term that can stand beside another.
    pub(super) fn factor(&mut self, size: usize) {
        if size > 2 && self.draw.percent(50) {
            self.enclosed("(", size - 1, ")");
        } else {
            self.term(size.min(8));
        }
    }

    /// A factor after another one.
    pub(super) fn next_factor(&mut self, size: usize) {
        self.out.times();
        self.factor(size);
    }

    /// What can carry an exponent without a bracket, or a bracket.
    fn base(&mut self, size: usize) {
        match size {
            0 | 1 => self.atom(),
            2 => {
                let letter = self.variables.plain[0];
                self.push(letter);
            }
            _ => self.enclosed("(", size - 1, ")"),
        }
    }

    pub(super) fn enclosed(&mut self, open: &str, size: usize, close: &str) {
        self.push(open);
        self.expression(size);
        self.push(close);
    }

    pub(super) fn scripted(&mut self, script: &str, size: usize) {
        self.push(script);
        self.push("{");
        match (script, size) {
            ("^", 0 | 1) if self.draw.percent(55) => {
                let number = 2 + self.draw.ranked(6, 0.8);
                self.out.number(number);
            }
            ("_", 0 | 1) => match self.draw.percent(60) {
                true => {
                    let index = self.variables.index[self.draw.ranked(2, 0.6)];
                    self.push(index);
                }
                false => {
                    let number = self.draw.ranked(12, 3.0);
                    self.out.number(number);
                }
            },
            ("_", _) => {
                let index = self.variables.index[self.draw.below(2)];
                self.push(index);
                let more = *self.draw.pick(&["+1", "-1", "k", "j", ",1", "+2", ",m"]);
                self.push(more);
            }
            _ => self.expression(size),
        }
        self.push("}");
    }

    fn function(&mut self, size: usize) {
        let function = self.variables.function[self.draw.ranked(2, 0.6)];
        self.push(function);
        match self.draw.weighted(&[80, 10, 5, 5]) {
            0 => {}
            1 => self.push("'"),
            2 => self.push("^{-1}"),
            _ => self.scripted("_", 1),
        }
        let argument = if size < 5 || self.draw.percent(60) { 1 } else { size / 2 };
        match argument {
            1 => {
                let plain = self.variables.plain[self.draw.ranked(3, 0.5)];
                self.push("(");
                self.push(plain);
                self.push(")");
            }
            _ => self.enclosed("(", argument, ")"),
        }
        if size > argument + 2 {
            self.next_factor(size - argument - 1);
        }
    }

    fn named(&mut self, size: usize) {
        let name = NAMED[self.draw.ranked(NAMED.len(), 2.0)];
        self.push(name);
        if self.draw.percent(15) {
            self.push("^{2}");
        }
        match size {
            0..3 => self.term(size),
            _ => self.enclosed("(", size, ")"),
        }
    }
}
