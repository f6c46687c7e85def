//! Operator trees as expressions: which notation has one meaning, and which does not.

mod dots;

use crate::expr::{Big, Expr, Function, Range, Shared, Side};
use crate::rational::Rational;
use formula::opt::{Brackets, Opt, OptId};
use std::rc::Rc;

/// Formulas that are nested more deeply are not read.
const MAX_DEPTH: usize = 64;
/// Longer tables are not read.
const MAX_CELLS: usize = 64;

/// Why a formula cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unread(pub(crate) String);

type Made = Result<Shared, Unread>;

/// What was noticed while reading.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Noticed {
    /// It may be read in another way.
    pub(crate) ambiguous: bool,
    /// A name has an index.
    pub(crate) indexed: bool,
    /// The letter i was taken for the imaginary unit.
    pub(crate) imaginary: bool,
    /// The letter e was taken for the number.
    pub(crate) euler: bool,
}

/// Reads one formula.
pub(crate) struct Reader<'r> {
    pub(crate) opt: &'r Opt,
    pub(crate) latex: &'r str,
    /// Whether i is the imaginary unit.
    pub(crate) imaginary: bool,
    /// Letters that have a meaning of their own in the text, which i and e then have not.
    pub(crate) named: &'r dyn Fn(&str) -> bool,
    pub(crate) noticed: Noticed,
    bound: Vec<Rc<str>>,
}

fn unread(what: &str) -> Unread {
    Unread(what.to_owned())
}

impl<'r> Reader<'r> {
    pub(crate) fn new(
        opt: &'r Opt,
        latex: &'r str,
        imaginary: bool,
        named: &'r dyn Fn(&str) -> bool,
    ) -> Self {
        Self { opt, latex, imaginary, named, noticed: Noticed::default(), bound: Vec::new() }
    }

    /// Reads a part of the formula.
    pub(crate) fn read(&mut self, node: OptId) -> Made {
        self.node(node, 0)
    }

    fn kids(&self, node: OptId) -> Vec<OptId> {
        self.opt.children(node).collect()
    }

    fn all(&mut self, nodes: &[OptId], depth: usize) -> Result<Vec<Shared>, Unread> {
        nodes.iter().map(|node| self.node(*node, depth)).collect()
    }

    /// What is written between two neighbours.
    fn between(&self, left: OptId, right: OptId) -> &'r str {
        let (left, right) = (self.opt.span(left), self.opt.span(right));
        self.latex.get(left.end as usize..right.start as usize).unwrap_or_default()
    }

    fn node(&mut self, node: OptId, depth: usize) -> Made {
        if depth > MAX_DEPTH {
            return Err(unread("it is nested too deeply"));
        }
        let tag = self.opt.tag(node);
        let kids = self.kids(node);
        let depth = depth + 1;
        match (tag.get(..2).unwrap_or_default(), tag.get(2..).unwrap_or_default()) {
            ("N!", digits) => number(digits),
            ("V!", name) => self.letter(name),
            ("C!", "infinity") => Ok(Rc::new(Expr::Infinity)),
            ("F!", name) => self.function(name, &kids, depth),
            ("U!", "plus") => self.plus(&kids, depth),
            ("U!", "times") => self.times(&kids, depth),
            ("M!", shape) => self.table(shape, &kids, depth),
            ("O!", name) => self.operation(name, &kids, depth),
            ("+!", name) => self.compound(name, &kids, depth),
            ("W!", _) => Err(unread("a part of it is missing")),
            _ => Err(Unread(format!(
                "{} has no value that can be computed",
                tag.get(2..).unwrap_or(tag).replace('-', " ")
            ))),
        }
    }

    fn letter(&mut self, name: &str) -> Made {
        let mut letters = name.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            return Err(Unread(format!("the meaning of {name} is not known")));
        };
        let is_bound = self.bound.iter().any(|bound| **bound == *name);
        if !is_bound && !(self.named)(name) {
            match letter {
                'π' => return Ok(Rc::new(Expr::Pi)),
                'e' => {
                    self.noticed.euler = true;
                    return Ok(Rc::new(Expr::E));
                }
                'i' if self.imaginary => {
                    self.noticed.imaginary = true;
                    return Ok(Rc::new(Expr::I));
                }
                _ => {}
            }
        }
        let is_plain =
            letter.is_ascii_alphabetic() || matches!(letter, 'α'..='ω' | 'ϕ' | 'ϵ' | 'ϑ' | 'Δ' | 'Θ');
        if is_plain {
            Ok(Expr::variable(name))
        } else {
            Err(Unread(format!("the meaning of {name} is not known")))
        }
    }

    fn plus(&mut self, kids: &[OptId], depth: usize) -> Made {
        self.scopes(kids);
        if let Some(series) = self.dots(kids, Big::Sum, depth)? {
            return Ok(series);
        }
        Ok(Rc::new(Expr::Add(self.all(kids, depth)?)))
    }

    /// A sum or a limit before another term may reach over it.
    fn scopes(&mut self, kids: &[OptId]) {
        let (_, before) = kids.split_last().unwrap_or((&OptId::FIRST, &[]));
        for kid in before {
            let is_open = self.opt.brackets(*kid) == Brackets::None;
            if is_open && matches!(self.opt.tag(*kid), "O!sum" | "O!limit" | "O!product") {
                self.noticed.ambiguous = true;
            }
        }
    }

    fn times(&mut self, kids: &[OptId], depth: usize) -> Made {
        for pair in kids.windows(2) {
            let next_to = is_space(self.between(pair[0], pair[1]));
            let divides = |node: OptId| self.opt.tag(node) == "O!divide";
            let is_digit = self.opt.tag(pair[0]).starts_with("N!");
            // A mixed number, or a division that may reach over what follows.
            let bare = |node: OptId| self.opt.brackets(node) == Brackets::None;
            let parts = self.kids(pair[0]);
            let slash = divides(pair[0])
                && bare(pair[0])
                && parts.len() == 2
                && self.between(parts[0], parts[1]).contains('/');
            // `\sin(2n+1)x`: few mean a factor behind the sine.
            let reaches =
                next_to && self.is_function_value(pair[0]) && self.opt.tag(pair[1]).starts_with("V!");
            if next_to && is_digit && self.opt.tag(pair[1]).starts_with("N!") {
                return Err(unread("numbers side by side may be digits, a cycle or a product"));
            }
            if (next_to && is_digit && divides(pair[1]) && bare(pair[1])) || slash || reaches {
                self.noticed.ambiguous = true;
            }
        }
        if let Some(product) = self.dots(kids, Big::Product, depth)? {
            return Ok(product);
        }
        Ok(Rc::new(Expr::Mul(self.all(kids, depth)?)))
    }

    fn is_function_value(&self, node: OptId) -> bool {
        let of = match self.opt.tag(node) {
            "O!SUP" => self.opt.first_child(node).unwrap_or(node),
            _ => node,
        };
        self.opt.brackets(node) == Brackets::None
            && self.opt.tag(of).strip_prefix("F!").is_some_and(|name| known(name).is_some())
            && !matches!(self.opt.tag(of), "F!abs" | "F!floor" | "F!ceiling" | "F!Γ" | "F!det" | "F!tr")
    }

    fn divide(&mut self, left: OptId, right: OptId, depth: usize) -> Made {
        let is_product = self.opt.tag(right) == "U!times" && self.opt.brackets(right) == Brackets::None;
        if is_product && self.between(left, right).contains('/') {
            self.noticed.ambiguous = true;
        }
        Ok(Rc::new(Expr::Div(self.node(left, depth)?, self.node(right, depth)?)))
    }

    fn table(&mut self, shape: &str, rows: &[OptId], depth: usize) -> Made {
        if shape.starts_with("V-") && !rows.is_empty() {
            // Pairs may stand for fractions, classes, intervals or common divisors.
            self.noticed.ambiguous = true;
            return Ok(Rc::new(Expr::Matrix(1, self.all(rows, depth)?)));
        }
        if !shape.starts_with("M-") {
            return Err(unread("lists and sets have no value"));
        }
        let rows: Vec<Vec<OptId>> = rows.iter().map(|row| self.kids(*row)).collect();
        let columns = rows.first().map_or(0, Vec::len);
        if columns == 0 || rows.len() * columns > MAX_CELLS || rows.iter().any(|row| row.len() != columns) {
            return Err(unread("the table is not a small matrix"));
        }
        Ok(Rc::new(Expr::Matrix(columns, self.all(&rows.concat(), depth)?)))
    }

    fn function(&mut self, name: &str, kids: &[OptId], depth: usize) -> Made {
        // The base of a logarithm and the like is an argument of its own.
        let Some(function) = known(name) else {
            return match (name, kids) {
                ("exp", [argument]) => Ok(Rc::new(Expr::Pow(Rc::new(Expr::E), self.node(*argument, depth)?))),
                _ => self.apply(name, 0, kids, depth),
            };
        };
        if let [argument] = kids {
            self.unclear_argument(*argument);
        }
        let arguments = self.all(kids, depth)?;
        let most = match function {
            Function::Gcd | Function::Lcm | Function::Max | Function::Min => 16,
            Function::Log => 2,
            _ => 1,
        };
        if arguments.is_empty() || arguments.len() > most {
            return Err(Unread(format!("{name} has {} arguments", arguments.len())));
        }
        Ok(Rc::new(Expr::Call(function, arguments)))
    }

    /// `sin x(1+y)`: where the argument ends is not clear.
    fn unclear_argument(&mut self, argument: OptId) {
        if self.opt.brackets(argument) != Brackets::None {
            return;
        }
        let kids = self.kids(argument);
        let is_product = self.opt.tag(argument) == "U!times";
        let is_slash = self.opt.tag(argument) == "O!divide"
            && kids.len() == 2
            && self.between(kids[0], kids[1]).contains('/');
        let is_long = is_product
            && kids.iter().any(|kid| {
                let tag = self.opt.tag(*kid);
                tag.starts_with("F!") || self.opt.brackets(*kid) != Brackets::None
            });
        self.noticed.ambiguous |= is_slash || is_long;
    }

    fn apply(&mut self, name: &str, primes: u32, kids: &[OptId], depth: usize) -> Made {
        if kids.is_empty() || name.is_empty() {
            return Err(Unread(format!("{name} is applied to nothing")));
        }
        Ok(Rc::new(Expr::Apply(name.into(), primes, self.all(kids, depth)?)))
    }

    fn compound(&mut self, name: &str, kids: &[OptId], depth: usize) -> Made {
        let (Some((head, arguments)), Some(letter)) = (kids.split_first(), name.strip_prefix("V!")) else {
            return Err(unread("an operation with an index has no value"));
        };
        if self.opt.tag(*head) != "O!prime" {
            return Err(Unread(format!("the meaning of {letter} with an index or a power is not known")));
        }
        let primes = self.primes(*head)?;
        self.apply(letter, primes, arguments, depth)
    }

    fn primes(&self, node: OptId) -> Result<u32, Unread> {
        match self.opt.children(node).nth(1) {
            None => Ok(1),
            Some(order) => self.order(order),
        }
    }

    fn order(&self, node: OptId) -> Result<u32, Unread> {
        let digits = self.opt.tag(node).strip_prefix("N!").and_then(|digits| digits.parse().ok());
        digits
            .filter(|order| *order <= 6)
            .ok_or_else(|| unread("the order of the derivative is not a small number"))
    }

    fn operation(&mut self, name: &str, kids: &[OptId], depth: usize) -> Made {
        match (name, kids) {
            ("minus", [one]) => Ok(Rc::new(Expr::Neg(self.node(*one, depth)?))),
            ("minus", [left, right]) => {
                self.scopes(kids);
                let right = Rc::new(Expr::Neg(self.node(*right, depth)?));
                Ok(Rc::new(Expr::Add(vec![self.node(*left, depth)?, right])))
            }
            ("divide", [left, right]) => self.divide(*left, *right, depth),
            ("SUP", [base, above]) => self.power(*base, *above, depth),
            ("SUB", [base, below]) => self.indexed(*base, *below),
            ("root", [base, degree]) => {
                Ok(Rc::new(Expr::Root(self.node(*base, depth)?, self.node(*degree, depth)?)))
            }
            ("percent", [one]) => Ok(Rc::new(Expr::Div(self.node(*one, depth)?, Expr::whole(100)))),
            ("factorial", [one]) => self.call(Function::Factorial, &[*one], depth),
            ("double-factorial", [one]) => self.call(Function::DoubleFactorial, &[*one], depth),
            ("binomial", [_, _]) => self.call(Function::Binomial, kids, depth),
            ("rem", [_, _]) => self.call(Function::Rem, kids, depth),
            ("bar", [one]) if self.imaginary && !self.opt.tag(*one).starts_with("N!") => {
                self.call(Function::Conjugate, &[*one], depth)
            }
            ("max" | "min", [list]) | ("max" | "min", [list, _]) => {
                self.extreme(name, *list, kids.len(), depth)
            }
            ("sum", [term, below, above]) => self.repeat(Big::Sum, *term, *below, *above, depth),
            ("product", [term, below, above]) => self.repeat(Big::Product, *term, *below, *above, depth),
            ("limit", [term, below]) => self.limit(*term, *below, depth),
            ("int", [term, variable, low, high]) => self.integral([*term, *variable, *low, *high], depth),
            ("diff" | "partialdiff", [term, variable, rest @ ..]) => {
                let order = rest.first().map_or(Ok(1), |order| self.order(*order))?;
                let variable = self.bare(*variable)?;
                Ok(Rc::new(Expr::Derivative(self.node(*term, depth)?, variable, order)))
            }
            ("prime", [term, ..]) => self.prime(*term, kids.len(), depth),
            ("evaluated-at", [term, low, high]) => self.evaluated(*term, *low, *high, depth),
            _ => Err(Unread(format!("{} has no value that can be computed", name.replace('-', " ")))),
        }
    }

    fn call(&mut self, function: Function, kids: &[OptId], depth: usize) -> Made {
        Ok(Rc::new(Expr::Call(function, self.all(kids, depth)?)))
    }

    fn extreme(&mut self, name: &str, list: OptId, parts: usize, depth: usize) -> Made {
        let tag = self.opt.tag(list);
        if parts != 1 || !(tag.starts_with("M!V-") || tag.starts_with("M!S-")) {
            return Err(unread("an extreme value over a set cannot be computed"));
        }
        let kids = self.kids(list);
        self.call(if name == "max" { Function::Max } else { Function::Min }, &kids, depth)
    }

    fn power(&mut self, base: OptId, above: OptId, depth: usize) -> Made {
        match self.opt.tag(above) {
            "V!T" | "V!⊤" | "V!t" if self.opt.tag(base).starts_with("M!M-") => {
                return self.call(Function::Transpose, &[base], depth);
            }
            "V!∘" => {
                let degrees = vec![self.node(base, depth)?, Rc::new(Expr::Pi)];
                return Ok(Rc::new(Expr::Div(Rc::new(Expr::Mul(degrees)), Expr::whole(180))));
            }
            "V!T" | "V!⊤" => self.noticed.ambiguous = true,
            _ => {}
        }
        Ok(Rc::new(Expr::Pow(self.node(base, depth)?, self.node(above, depth)?)))
    }

    fn indexed(&mut self, base: OptId, below: OptId) -> Made {
        let (base, index) = (self.opt.tag(base), self.opt.tag(below));
        let letter = base.strip_prefix("V!").filter(|name| name.chars().count() == 1);
        let (Some(letter), Some(name)) = (letter, index.get(2..)) else {
            return Err(unread("the meaning of an index is not known"));
        };
        if !(index.starts_with("N!") || index.starts_with("V!")) || name.chars().count() > 3 {
            return Err(unread("the meaning of an index is not known"));
        }
        self.noticed.indexed = true;
        Ok(Expr::variable(&format!("{letter}_{name}")))
    }

    fn bare(&mut self, node: OptId) -> Result<Rc<str>, Unread> {
        let name = self.opt.tag(node).strip_prefix("V!").unwrap_or_default();
        let is_letter = name.chars().count() == 1 && name.chars().all(char::is_alphabetic);
        if is_letter { Ok(name.into()) } else { Err(unread("the variable is not a letter")) }
    }

    /// Reads something in which a name stands for another thing than outside.
    fn inside(&mut self, name: &Rc<str>, node: OptId, depth: usize) -> Made {
        self.bound.push(Rc::clone(name));
        let made = self.node(node, depth);
        self.bound.pop();
        made
    }

    fn repeat(&mut self, big: Big, term: OptId, below: OptId, above: OptId, depth: usize) -> Made {
        let kids = self.kids(below);
        let is_open = self.opt.tag(below) == "O!geq" && self.opt.tag(above) == "W!";
        let (true, [index, from]) = (self.opt.tag(below) == "U!eq" || is_open, kids.as_slice()) else {
            return Err(unread("the range of the sum is not given by a first and a last index"));
        };
        let index = self.bare(*index)?;
        let to = if is_open { Rc::new(Expr::Infinity) } else { self.node(above, depth)? };
        let from = self.node(*from, depth)?;
        let term = self.inside(&index, term, depth)?;
        Ok(Rc::new(Expr::Repeat(big, Range { index, from, to }, term)))
    }

    fn limit(&mut self, term: OptId, below: OptId, depth: usize) -> Made {
        let kids = self.kids(below);
        let (true, [variable, to]) = (self.opt.tag(below) == "O!to", kids.as_slice()) else {
            return Err(unread("the limit does not say where it is taken"));
        };
        let variable = self.bare(*variable)?;
        let sides = self.kids(*to);
        let (to, side) = match (self.opt.tag(*to), sides.as_slice()) {
            ("O!SUP", [to, sign]) if self.opt.tag(*sign) == "V!+" => (*to, Side::Above),
            ("O!SUP", [to, sign]) if self.opt.tag(*sign) == "V!-" => (*to, Side::Below),
            _ => (*to, Side::Both),
        };
        let to = self.node(to, depth)?;
        let term = self.inside(&variable, term, depth)?;
        Ok(Rc::new(Expr::Limit(term, variable, to, side)))
    }

    fn integral(&mut self, [term, variable, low, high]: [OptId; 4], depth: usize) -> Made {
        let variable = self.bare(variable)?;
        let is_blank = |node: OptId| self.opt.tag(node) == "W!";
        let bounds = match (is_blank(low), is_blank(high)) {
            (true, true) => None,
            (false, false) => Some((self.node(low, depth)?, self.node(high, depth)?)),
            _ => return Err(unread("the region of the integral has no bounds")),
        };
        let term = self.inside(&variable, term, depth)?;
        Ok(Rc::new(Expr::Integral(term, variable, bounds)))
    }

    /// `(x^2)'`
    fn prime(&mut self, term: OptId, parts: usize, depth: usize) -> Made {
        let term = self.node(term, depth)?;
        let free = term.free();
        match free.iter().next() {
            Some(variable) if free.len() == 1 && parts == 1 && term.as_variable().is_none() => {
                Ok(Rc::new(Expr::Derivative(Rc::clone(&term), Rc::clone(variable), 1)))
            }
            _ => Err(unread("the meaning of a prime is not known")),
        }
    }

    /// The difference of the values at two ends.
    fn evaluated(&mut self, term: OptId, low: OptId, high: OptId, depth: usize) -> Made {
        let (term, low, high) = (self.node(term, depth)?, self.node(low, depth)?, self.node(high, depth)?);
        let free = term.free();
        match free.iter().next() {
            Some(variable) if free.len() == 1 => {
                let lower = Rc::new(Expr::Neg(term.replace(variable, &low)));
                Ok(Rc::new(Expr::Add(vec![term.replace(variable, &high), lower])))
            }
            _ => Err(unread("it is not clear which variable takes the value")),
        }
    }
}

/// Whether there is nothing but space between two things.
fn is_space(between: &str) -> bool {
    for space in ["\\,", "\\;", "\\:", "\\ ", "\\!", "~", "{", "}", " ", "\n", "\\left", "\\right"] {
        if between.contains(space) {
            return is_space(&between.replace(space, ""));
        }
    }
    between.trim().is_empty()
}

fn number(digits: &str) -> Made {
    if digits.starts_with('.') || digits.ends_with('.') {
        return Err(unread("the point may be a sign of multiplication"));
    }
    match Rational::parse(digits) {
        Some((value, None)) => Ok(Rc::new(Expr::Number(value))),
        Some((value, Some(places))) => Ok(Rc::new(Expr::Decimal(value, places))),
        None => Err(Unread(format!("the number {digits} cannot be read"))),
    }
}

fn known(name: &str) -> Option<Function> {
    Some(match name {
        "sin" => Function::Sin,
        "cos" => Function::Cos,
        "tan" | "tg" => Function::Tan,
        "cot" | "ctg" | "cotg" => Function::Cot,
        "sec" => Function::Sec,
        "csc" | "cosec" => Function::Csc,
        "sinh" => Function::Sinh,
        "cosh" => Function::Cosh,
        "tanh" => Function::Tanh,
        "coth" => Function::Coth,
        "sech" => Function::Sech,
        "csch" => Function::Csch,
        "arcsin" => Function::Arcsin,
        "arccos" => Function::Arccos,
        "arctan" | "arctg" => Function::Arctan,
        "arcsinh" | "arsinh" => Function::Arcsinh,
        "arccosh" | "arcosh" => Function::Arccosh,
        "arctanh" | "artanh" => Function::Arctanh,
        "ln" => Function::Ln,
        "log" | "lg" => Function::Log,
        "abs" => Function::Abs,
        "sgn" | "sign" => Function::Sign,
        "floor" => Function::Floor,
        "ceiling" => Function::Ceiling,
        "gcd" => Function::Gcd,
        "lcm" => Function::Lcm,
        "max" => Function::Max,
        "min" => Function::Min,
        "Γ" => Function::Gamma,
        "erf" => Function::Erf,
        "Re" | "ℜ" => Function::Re,
        "Im" | "ℑ" => Function::Im,
        "det" => Function::Det,
        "tr" | "Tr" => Function::Trace,
        _ => return None,
    })
}
