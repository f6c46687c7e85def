//! What a formula computes: a tree that can be evaluated, differentiated and substituted into.

use crate::rational::Rational;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A shared expression.
pub(crate) type Shared = Rc<Expr>;

/// A function with a fixed meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Sin,
    Cos,
    Tan,
    Cot,
    Sec,
    Csc,
    Sinh,
    Cosh,
    Tanh,
    Coth,
    Sech,
    Csch,
    Arcsin,
    Arccos,
    Arctan,
    Arcsinh,
    Arccosh,
    Arctanh,
    Ln,
    /// To a base that is not written, or the second argument.
    Log,
    Abs,
    Sign,
    Floor,
    Ceiling,
    Factorial,
    DoubleFactorial,
    Binomial,
    Gcd,
    Lcm,
    Max,
    Min,
    Gamma,
    Erf,
    Re,
    Im,
    Conjugate,
    Det,
    Trace,
    Transpose,
    /// The remainder of a division.
    Rem,
}

/// What is repeated over an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Big {
    Sum,
    Product,
}

/// From where a limit is approached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Both,
    Above,
    Below,
}

/// An expression. See the [module](self).
#[derive(Debug)]
pub(crate) enum Expr {
    Number(Rational),
    /// A number with digits behind a point: its value and how many there are.
    Decimal(Rational, u32),
    Pi,
    E,
    I,
    Infinity,
    Variable(Rc<str>),
    Add(Vec<Shared>),
    Neg(Shared),
    Mul(Vec<Shared>),
    Div(Shared, Shared),
    Pow(Shared, Shared),
    Root(Shared, Shared),
    Call(Function, Vec<Shared>),
    /// A function that the text defines, how often it is differentiated, and its arguments.
    Apply(Rc<str>, u32, Vec<Shared>),
    Repeat(Big, Range, Shared),
    /// Integrand, variable, and bounds if there are any.
    Integral(Shared, Rc<str>, Option<(Shared, Shared)>),
    Limit(Shared, Rc<str>, Shared, Side),
    Derivative(Shared, Rc<str>, u32),
    /// A table row by row, and how many columns it has.
    Matrix(usize, Vec<Shared>),
}

/// The index of a sum, and its first and last value.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    pub(crate) index: Rc<str>,
    pub(crate) from: Shared,
    pub(crate) to: Shared,
}

impl Expr {
    pub(crate) fn whole(value: i64) -> Shared {
        Rc::new(Self::Number(Rational::whole(value)))
    }

    pub(crate) fn variable(name: &str) -> Shared {
        Rc::new(Self::Variable(name.into()))
    }

    pub(crate) fn call(function: Function, argument: &Shared) -> Shared {
        Rc::new(Self::Call(function, vec![Rc::clone(argument)]))
    }

    pub(crate) fn is_whole(&self, value: i64) -> bool {
        matches!(self, Self::Number(number) if number.to_i64() == Some(value))
    }

    /// The name, if it is a variable alone.
    pub(crate) fn as_variable(&self) -> Option<&Rc<str>> {
        match self {
            Self::Variable(name) => Some(name),
            _ => None,
        }
    }

    /// The direct parts.
    pub(crate) fn parts(&self) -> Vec<&Shared> {
        match self {
            Self::Number(_) | Self::Decimal(..) | Self::Pi | Self::E | Self::I => Vec::new(),
            Self::Infinity | Self::Variable(_) => Vec::new(),
            Self::Add(parts) | Self::Mul(parts) | Self::Matrix(_, parts) => parts.iter().collect(),
            Self::Call(_, parts) | Self::Apply(_, _, parts) => parts.iter().collect(),
            Self::Neg(part) | Self::Derivative(part, ..) => vec![part],
            Self::Div(left, right) | Self::Pow(left, right) | Self::Root(left, right) => vec![left, right],
            Self::Limit(part, _, to, _) => vec![part, to],
            Self::Repeat(_, range, part) => vec![part, &range.from, &range.to],
            Self::Integral(part, _, None) => vec![part],
            Self::Integral(part, _, Some((low, high))) => vec![part, low, high],
        }
    }

    /// Whether it or a part of it is such a thing.
    pub(crate) fn any(&self, is: &mut dyn FnMut(&Self) -> bool) -> bool {
        is(self) || self.parts().into_iter().any(|part| part.any(is))
    }

    /// The variables whose value is not given inside the expression.
    pub(crate) fn free(&self) -> BTreeSet<Rc<str>> {
        let mut names = BTreeSet::new();
        self.add_free(&mut names);
        names
    }

    fn add_free(&self, names: &mut BTreeSet<Rc<str>>) {
        let (bound, part, outside): (&Rc<str>, &Shared, Vec<&Shared>) = match self {
            Self::Variable(name) => {
                names.insert(Rc::clone(name));
                return;
            }
            Self::Repeat(_, range, part) => (&range.index, part, vec![&range.from, &range.to]),
            Self::Integral(part, name, Some((low, high))) => (name, part, vec![low, high]),
            Self::Limit(part, name, to, _) => (name, part, vec![to]),
            _ => {
                self.parts().into_iter().for_each(|part| part.add_free(names));
                return;
            }
        };
        let mut inside = part.free();
        inside.remove(bound);
        names.append(&mut inside);
        outside.into_iter().for_each(|part| part.add_free(names));
    }

    /// How many nodes it has, counted up to a limit.
    pub(crate) fn size(&self, limit: usize) -> usize {
        let mut size = 1;
        for part in self.parts() {
            if size >= limit {
                break;
            }
            size += part.size(limit - size);
        }
        size
    }

    /// Whether it is nested at most so deeply.
    pub(crate) fn is_shallow(&self, depth: usize) -> bool {
        depth > 0 && self.parts().into_iter().all(|part| part.is_shallow(depth - 1))
    }

    /// The same with another part for each variable of a name.
    pub(crate) fn replace(self: &Rc<Self>, name: &str, by: &Shared) -> Shared {
        if let Self::Variable(own) = &**self {
            return if **own == *name { Rc::clone(by) } else { Rc::clone(self) };
        }
        let bound = match &**self {
            Self::Repeat(_, range, _) => Some(&range.index),
            Self::Integral(_, bound, Some(_)) | Self::Limit(_, bound, ..) => Some(bound),
            _ => None,
        };
        if bound.is_some_and(|bound| **bound == *name) || self.parts().is_empty() {
            return Rc::clone(self);
        }
        self.map(&mut |part| part.replace(name, by))
    }

    /// The same with other parts.
    pub(crate) fn map(&self, to: &mut dyn FnMut(&Shared) -> Shared) -> Shared {
        let mut all = |parts: &[Shared]| parts.iter().map(&mut *to).collect::<Vec<_>>();
        Rc::new(match self {
            Self::Number(value) => Self::Number(value.clone()),
            Self::Decimal(value, places) => Self::Decimal(value.clone(), *places),
            Self::Pi => Self::Pi,
            Self::E => Self::E,
            Self::I => Self::I,
            Self::Infinity => Self::Infinity,
            Self::Variable(name) => Self::Variable(Rc::clone(name)),
            Self::Add(parts) => Self::Add(all(parts)),
            Self::Mul(parts) => Self::Mul(all(parts)),
            Self::Matrix(columns, parts) => Self::Matrix(*columns, all(parts)),
            Self::Call(function, parts) => Self::Call(*function, all(parts)),
            Self::Apply(name, primes, parts) => Self::Apply(Rc::clone(name), *primes, all(parts)),
            Self::Neg(part) => Self::Neg(to(part)),
            Self::Derivative(part, name, order) => Self::Derivative(to(part), Rc::clone(name), *order),
            Self::Div(left, right) => Self::Div(to(left), to(right)),
            Self::Pow(left, right) => Self::Pow(to(left), to(right)),
            Self::Root(left, right) => Self::Root(to(left), to(right)),
            Self::Limit(part, name, end, side) => Self::Limit(to(part), Rc::clone(name), to(end), *side),
            Self::Repeat(big, range, part) => {
                let index = Rc::clone(&range.index);
                let range = Range { index, from: to(&range.from), to: to(&range.to) };
                Self::Repeat(*big, range, to(part))
            }
            Self::Integral(part, name, bounds) => {
                let bounds = bounds.as_ref().map(|(low, high)| (to(low), to(high)));
                Self::Integral(to(part), Rc::clone(name), bounds)
            }
        })
    }
}
