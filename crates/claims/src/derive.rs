//! Derivatives by rules, and definitions put into expressions.

use crate::expr::{Expr, Function, Shared};
use crate::value::Stop;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Larger expressions are not made.
const MAX_SIZE: usize = 3_000;
/// More deeply nested ones are not made.
const MAX_DEPTH: usize = 160;
/// Definitions that use definitions, so deep.
const MAX_DEFINITIONS: usize = 12;

/// What a name stands for: an expression in its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) parameters: Vec<Rc<str>>,
    pub(crate) body: Shared,
    /// Whether the text says so in as many words, and only once.
    pub(crate) firm: bool,
}

/// What the names of a text stand for.
pub(crate) type Definitions = BTreeMap<Rc<str>, Definition>;

type Made = Result<Shared, Stop>;

fn unknown(what: &str) -> Stop {
    Stop::Unknown(what.to_owned())
}

/// The expression with definitions put in and derivatives taken.
pub(crate) fn resolve(expr: &Shared, definitions: &Definitions) -> Made {
    Resolver { definitions, bound: Vec::new(), deep: 0 }.resolve(expr)
}

struct Resolver<'d> {
    definitions: &'d Definitions,
    bound: Vec<Rc<str>>,
    deep: usize,
}

impl Resolver<'_> {
    fn resolve(&mut self, expr: &Shared) -> Made {
        let bound = match &**expr {
            Expr::Variable(name) => return self.variable(expr, name),
            Expr::Apply(name, primes, arguments) => return self.apply(name, *primes, arguments),
            Expr::Derivative(term, name, order) => {
                let mut term = self.with_bound(name, term)?;
                let free = term.free();
                if !free.contains(name) && !free.is_empty() {
                    return Err(Stop::Unknown(format!("it is not known how it depends on {name}")));
                }
                for _ in 0..*order {
                    term = derivative(&term, name)?;
                    limited(&term)?;
                }
                // The place is where the variable is defined to be.
                return match self.definitions.contains_key(name) && !self.bound.contains(name) {
                    true => Ok(term.replace(name, &self.variable(&Expr::variable(name), name)?)),
                    false => Ok(term),
                };
            }
            Expr::Limit(term, name, ..) if !term.free().contains(name) && !term.free().is_empty() => {
                return Err(Stop::Unknown(format!("it is not known how it depends on {name}")));
            }
            Expr::Repeat(_, range, _) => Some(&range.index),
            Expr::Integral(_, name, _) | Expr::Limit(_, name, ..) => Some(name),
            _ => None,
        };
        if let Some(bound) = bound {
            self.bound.push(Rc::clone(bound));
        }
        let mut failed = None;
        let made = expr.map(&mut |part| match self.resolve(part) {
            Ok(part) => part,
            Err(stop) => {
                failed.get_or_insert(stop);
                Rc::clone(part)
            }
        });
        if bound.is_some() {
            self.bound.pop();
        }
        match failed {
            Some(stop) => Err(stop),
            None => limited(&made).map(|()| made),
        }
    }

    fn with_bound(&mut self, name: &Rc<str>, term: &Shared) -> Made {
        self.bound.push(Rc::clone(name));
        let made = self.resolve(term);
        self.bound.pop();
        made
    }

    fn variable(&mut self, expr: &Shared, name: &Rc<str>) -> Made {
        let definition = self.definitions.get(name).filter(|_| !self.bound.contains(name));
        let Some(definition) = definition else { return Ok(Rc::clone(expr)) };
        if !definition.parameters.is_empty() {
            return Err(Stop::Unknown(format!("{name} is a function")));
        }
        self.deeper(&definition.body)
    }

    fn deeper(&mut self, body: &Shared) -> Made {
        if self.deep >= MAX_DEFINITIONS {
            return Err(unknown("the definitions go round in a circle"));
        }
        self.deep += 1;
        let made = self.resolve(body);
        self.deep -= 1;
        made
    }

    fn apply(&mut self, name: &Rc<str>, primes: u32, arguments: &[Shared]) -> Made {
        let definition = self.definitions.get(name).filter(|one| one.parameters.len() == arguments.len());
        let Some(definition) = definition else {
            return Err(Stop::Unknown(format!("the function {name} is not known")));
        };
        let bound = self.bound.len();
        self.bound.extend(definition.parameters.iter().cloned());
        let body = self.deeper(&definition.body);
        self.bound.truncate(bound);
        let mut body = body?;
        if primes > 0 {
            let [parameter] = definition.parameters.as_slice() else {
                return Err(unknown("a prime on a function of several variables"));
            };
            for _ in 0..primes {
                body = derivative(&body, parameter)?;
                limited(&body)?;
            }
        }
        // In two rounds, so that arguments may use the names of parameters.
        let names: Vec<Rc<str>> = (0..arguments.len()).map(|at| format!("{name} {at}").into()).collect();
        for (parameter, fresh) in definition.parameters.iter().zip(&names) {
            body = body.replace(parameter, &Expr::variable(fresh));
        }
        for (argument, fresh) in arguments.iter().zip(&names) {
            body = body.replace(fresh, &self.resolve(argument)?);
            limited(&body)?;
        }
        Ok(body)
    }
}

fn limited(expr: &Shared) -> Result<(), Stop> {
    if expr.size(MAX_SIZE) < MAX_SIZE && expr.is_shallow(MAX_DEPTH) { Ok(()) } else { Err(Stop::Budget) }
}

fn add(parts: Vec<Shared>) -> Shared {
    let mut parts: Vec<Shared> = parts.into_iter().filter(|part| !part.is_whole(0)).collect();
    match parts.len() {
        0 => Expr::whole(0),
        1 => parts.remove(0),
        _ => Rc::new(Expr::Add(parts)),
    }
}

fn mul(parts: Vec<Shared>) -> Shared {
    if parts.iter().any(|part| part.is_whole(0)) {
        return Expr::whole(0);
    }
    let mut parts: Vec<Shared> = parts.into_iter().filter(|part| !part.is_whole(1)).collect();
    match parts.len() {
        0 => Expr::whole(1),
        1 => parts.remove(0),
        _ => Rc::new(Expr::Mul(parts)),
    }
}

fn div(left: Shared, right: &Shared) -> Shared {
    if left.is_whole(0) { left } else { Rc::new(Expr::Div(left, Rc::clone(right))) }
}

fn pow(base: &Shared, exponent: &Shared) -> Shared {
    Rc::new(Expr::Pow(Rc::clone(base), Rc::clone(exponent)))
}

fn neg(part: Shared) -> Shared {
    if part.is_whole(0) { part } else { Rc::new(Expr::Neg(part)) }
}

/// The derivative by a variable of what has no derivatives and definitions in it.
pub(crate) fn derivative(expr: &Shared, by: &Rc<str>) -> Made {
    if !expr.free().contains(by) && !matches!(**expr, Expr::Integral(_, _, None)) {
        return Ok(match &**expr {
            Expr::Matrix(columns, cells) => {
                Rc::new(Expr::Matrix(*columns, vec![Expr::whole(0); cells.len()]))
            }
            _ => Expr::whole(0),
        });
    }
    let slope = |part: &Shared| derivative(part, by);
    Ok(match &**expr {
        Expr::Variable(_) => Expr::whole(1),
        Expr::Add(parts) => add(parts.iter().map(slope).collect::<Result<_, _>>()?),
        Expr::Neg(part) => neg(slope(part)?),
        Expr::Mul(parts) => {
            let mut sum = Vec::with_capacity(parts.len());
            for (place, part) in parts.iter().enumerate() {
                let mut product = parts.clone();
                product[place] = slope(part)?;
                sum.push(mul(product));
            }
            add(sum)
        }
        Expr::Div(left, right) => {
            let first = div(slope(left)?, right);
            let second = mul(vec![Rc::clone(left), slope(right)?]);
            add(vec![first, neg(div(second, &pow(right, &Expr::whole(2))))])
        }
        Expr::Root(base, degree) => {
            let below =
                mul(vec![Rc::clone(degree), pow(expr, &add(vec![Rc::clone(degree), Expr::whole(-1)]))]);
            div(slope(base)?, &below)
        }
        Expr::Pow(base, exponent) => power(expr, base, exponent, by)?,
        Expr::Call(function, arguments) => call(expr, *function, arguments, by)?,
        Expr::Repeat(crate::expr::Big::Sum, range, term) => {
            if range.from.free().contains(by) || range.to.free().contains(by) {
                return Err(unknown("a sum cannot be differentiated by its bounds"));
            }
            Rc::new(Expr::Repeat(crate::expr::Big::Sum, range.clone(), slope(term)?))
        }
        Expr::Integral(term, name, None) => match name == by {
            true => Rc::clone(term),
            false => return Err(unknown("the integral is over another variable")),
        },
        Expr::Integral(term, name, Some((low, high))) => {
            let at = |end: &Shared| Ok(mul(vec![term.replace(name, end), slope(end)?]));
            let mut sum = vec![at(high)?, neg(at(low)?)];
            if name != by && term.free().contains(by) {
                let bounds = Some((Rc::clone(low), Rc::clone(high)));
                sum.push(Rc::new(Expr::Integral(slope(term)?, Rc::clone(name), bounds)));
            }
            add(sum)
        }
        Expr::Matrix(columns, cells) => {
            Rc::new(Expr::Matrix(*columns, cells.iter().map(slope).collect::<Result<_, _>>()?))
        }
        _ => return Err(unknown("there is no rule for its derivative")),
    })
}

fn power(expr: &Shared, base: &Shared, exponent: &Shared, by: &Rc<str>) -> Made {
    let inner = derivative(base, by)?;
    if !exponent.free().contains(by) {
        let less = match &**exponent {
            Expr::Number(value) => {
                let less = value.sub(&crate::rational::Rational::whole(1)).ok_or(Stop::Budget)?;
                Rc::new(Expr::Number(less))
            }
            _ => add(vec![Rc::clone(exponent), Expr::whole(-1)]),
        };
        let lower = match less.is_whole(0) {
            true => Expr::whole(1),
            false => pow(base, &less),
        };
        return Ok(mul(vec![Rc::clone(exponent), lower, inner]));
    }
    let outer = derivative(exponent, by)?;
    if matches!(**base, Expr::E) {
        return Ok(mul(vec![Rc::clone(expr), outer]));
    }
    let growth = mul(vec![outer, Expr::call(Function::Ln, base)]);
    let change = div(mul(vec![Rc::clone(exponent), inner]), base);
    Ok(mul(vec![Rc::clone(expr), add(vec![growth, change])]))
}

fn call(expr: &Shared, function: Function, arguments: &[Shared], by: &Rc<str>) -> Made {
    let [argument, rest @ ..] = arguments else { return Err(unknown("a function of nothing")) };
    let inner = derivative(argument, by)?;
    let of = |function| Expr::call(function, argument);
    let one = || Expr::whole(1);
    let two = Expr::whole(2);
    let square = || pow(argument, &two);
    let root = |inside: Vec<Shared>| Rc::new(Expr::Root(add(inside), Expr::whole(2)));
    let outer = match function {
        Function::Sin => of(Function::Cos),
        Function::Cos => neg(of(Function::Sin)),
        Function::Tan => pow(&of(Function::Sec), &two),
        Function::Cot => neg(pow(&of(Function::Csc), &two)),
        Function::Sec => mul(vec![of(Function::Sec), of(Function::Tan)]),
        Function::Csc => neg(mul(vec![of(Function::Csc), of(Function::Cot)])),
        Function::Sinh => of(Function::Cosh),
        Function::Cosh => of(Function::Sinh),
        Function::Tanh => pow(&of(Function::Sech), &two),
        Function::Coth => neg(pow(&of(Function::Csch), &two)),
        Function::Sech => neg(mul(vec![of(Function::Sech), of(Function::Tanh)])),
        Function::Csch => neg(mul(vec![of(Function::Csch), of(Function::Coth)])),
        Function::Arcsin => div(one(), &root(vec![one(), neg(square())])),
        Function::Arccos => neg(div(one(), &root(vec![one(), neg(square())]))),
        Function::Arctan => div(one(), &add(vec![one(), square()])),
        Function::Arcsinh => div(one(), &root(vec![one(), square()])),
        Function::Arccosh => div(one(), &root(vec![square(), Expr::whole(-1)])),
        Function::Arctanh => div(one(), &add(vec![one(), neg(square())])),
        Function::Ln => div(one(), argument),
        // The base stays: log x and ln x differ by a factor.
        Function::Log if rest.iter().all(|base| !base.free().contains(by)) => {
            let mut below = vec![Rc::clone(argument)];
            let mut of_e = vec![Rc::new(Expr::E)];
            of_e.extend(rest.iter().cloned());
            below.push(div(one(), &Rc::new(Expr::Call(Function::Log, of_e))));
            div(one(), &mul(below))
        }
        Function::Abs => div(Rc::clone(argument), expr),
        Function::Erf => {
            let bell = pow(&Rc::new(Expr::E), &neg(square()));
            div(mul(vec![two.clone(), bell]), &Rc::new(Expr::Root(Rc::new(Expr::Pi), Expr::whole(2))))
        }
        _ => return Err(unknown("there is no rule for its derivative")),
    };
    Ok(mul(vec![outer, inner]))
}
