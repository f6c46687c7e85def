//! The labs' grammar: products, factors, functions and their arguments.

use super::parse::Parse;
use super::role::{Meaning, Role};
use super::tokens::{Made, Token};
use crate::opt::content::tree::{ContentId, Element};

/// Which arguments a function takes without parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bare {
    /// Any.
    All,
    /// No trigonometric function.
    NoTrig,
}

/// A product while it is read: factors of the operator that came last.
struct Product {
    from: usize,
    first: ContentId,
    run: Option<(Sign, Vec<ContentId>)>,
}

/// The sign between two factors: the operator, and what one sees of it.
type Sign = (ContentId, Option<char>);

impl Product {
    fn new(from: usize, first: ContentId) -> Self {
        Self { from, first, run: None }
    }

    fn times(&mut self, parse: &mut Parse<'_>, before: usize, sign: Option<Sign>, factor: ContentId) {
        let operator = sign.unwrap_or_else(|| (parse.nodes.sign("times"), None));
        match &mut self.run {
            // `a*b c` has two different signs, though both are read as times.
            Some((same, factors))
                if same.1 == operator.1 && parse.nodes.tree.same_operator(same.0, operator.0) =>
            {
                factors.push(factor);
            }
            _ => {
                let left = self.done(parse, before);
                self.run = Some((operator, vec![left, factor]));
            }
        }
    }

    fn done(&mut self, parse: &mut Parse<'_>, to: usize) -> ContentId {
        if let Some(((operator, _), factors)) = self.run.take() {
            self.first = parse.nodes.apply(self.from, to, operator, &factors);
        }
        self.first
    }
}

impl Parse<'_> {
    pub(super) fn term(&mut self) -> Option<ContentId> {
        let from = self.at;
        let mut product = Product::new(from, self.factor()?);
        loop {
            if self.next_factor(&mut product, Self::factor) {
                continue;
            }
            if self.limits.no_bar || self.limits.no_evaluation {
                break;
            }
            let before = self.at;
            if let Some((lower, upper)) = self.attempt(Self::evaluation) {
                let base = product.done(self, before);
                let operator = self.nodes.symbol("evaluated-at");
                let mut parts = vec![base, lower];
                parts.extend(upper);
                let whole = self.nodes.apply(from, self.at, operator, &parts);
                product = Product::new(from, whole);
                continue;
            }
            let condition = self.attempt(|p| {
                p.take(Role::Bar)?;
                p.limits.no_bar = true;
                let from = p.at;
                let mut items = vec![p.expression()?];
                while let Some(item) = p.attempt(|p| {
                    p.take(Role::Punct)?;
                    p.expression()
                }) {
                    items.push(item);
                }
                Some(p.nodes.list(from, p.at, &items))
            });
            if let Some(condition) = condition {
                let base = product.done(self, before);
                let operator = self.nodes.symbol("conditional");
                return Some(self.nodes.apply(from, self.at, operator, &[base, condition]));
            }
            break;
        }
        Some(product.done(self, self.at))
    }

    /// Takes one more factor, with or without a sign before it.
    fn next_factor(&mut self, product: &mut Product, factor: fn(&mut Self) -> Option<ContentId>) -> bool {
        let before = self.at;
        let found = self.attempt(|p| {
            let glyph = p.tokens.get(p.at).map(|token| token.glyph);
            let operator = p.mul_op()?;
            let factor = factor(p)?;
            Some((Some((operator, glyph)), factor))
        });
        let found = found.or_else(|| self.attempt(factor).map(|factor| (None, factor)));
        let Some((operator, factor)) = found else { return false };
        product.times(self, before, operator, factor);
        true
    }

    fn evaluation_bar(&mut self) -> Option<usize> {
        let close = self.peek() == Some(Role::Close) && self.letter(self.at) == "|";
        if close {
            self.at += 1;
            return Some(self.at - 1);
        }
        self.take(Role::Bar)
    }

    /// A bar with a subscript: what to put in, and what to subtract it from.
    fn evaluation(&mut self) -> Option<(ContentId, Option<ContentId>)> {
        self.evaluation_bar()?;
        if let Some(lower) = self.take_node(Role::PostSub) {
            let upper = self.take_node(Role::PostSup);
            return Some((lower, upper));
        }
        let upper = self.take_node(Role::PostSup)?;
        let lower = self.take_node(Role::PostSub)?;
        Some((lower, Some(upper)))
    }

    pub(super) fn factor(&mut self) -> Option<ContentId> {
        let key = (self.at, self.limits);
        if let Some(&(found, end)) = self.memory.get(&key) {
            if found.is_some() {
                self.at = end;
            }
            return found;
        }
        let found = self.deeper(Self::factor_here);
        self.memory.insert(key, (found, self.at));
        found
    }

    fn factor_here(&mut self) -> Option<ContentId> {
        if let Some(table) = self.attempt(Self::fenced_table) {
            return Some(table);
        }
        if let Some(named) = self.attempt(|p| p.named(Bare::All)) {
            return Some(named);
        }
        match self.peek()? {
            Role::Open => {
                let open = self.at;
                self.at += 1;
                let found = self.attempt(|p| {
                    if p.letter(open) == "{"
                        && let Some(set) = p.attempt(|p| p.conditional_set(open))
                    {
                        return Some(set);
                    }
                    p.open_factor(open)
                });
                if found.is_some() {
                    return found;
                }
                self.at = open;
                self.attempt(Self::angles)
            }
            Role::BigOp | Role::Integral | Role::FloatSub | Role::FloatSup => self.big_operator(),
            Role::Bar => {
                if self.limits.no_bar {
                    return None;
                }
                self.attempt(Self::double_bars)
                    .or_else(|| self.attempt(Self::bars))
                    .or_else(|| self.attempt(Self::ket))
            }
            Role::Relation => self.attempt(Self::angles),
            Role::Operator => self.operator_factor(),
            _ => None,
        }
    }

    /// A table in delimiters, or on one side of a brace.
    fn fenced_table(&mut self) -> Option<ContentId> {
        let from = self.at;
        if let Some(open) = self.take(Role::Open) {
            let table = self.take_node(Role::Array)?;
            if let Some(close) = self.take(Role::Close) {
                let fenced = self.fence(open, &[table], None, close);
                return Some(self.with_scripts(from, fenced));
            }
            let is_brace = self.letter(open) == "{";
            return is_brace.then(|| {
                let cases = self.nodes.symbol("cases");
                self.nodes.apply(from, self.at, cases, &[table])
            });
        }
        let table = self.take_node(Role::Array)?;
        let close = self.take(Role::Close)?;
        (self.letter(close) == "}").then(|| {
            let cases = self.nodes.symbol("cases");
            self.nodes.apply(from, self.at, cases, &[table])
        })
    }

    /// A name, a number, or a function with its arguments.
    fn named(&mut self, bare: Bare) -> Option<ContentId> {
        let from = self.at;
        let mut floating = Vec::new();
        if matches!(self.peek(), Some(Role::FloatSub | Role::FloatSup)) {
            while let Some(place) = self.take_if(|role| {
                matches!(role, Role::FloatSub | Role::FloatSup | Role::PostSub | Role::PostSup)
            }) {
                floating.push(place);
            }
        }
        let role = self.peek()?;
        let takes = match role {
            Role::Unknown | Role::Atom | Role::Array | Role::Function | Role::OpFunction => true,
            Role::Number => floating.is_empty(),
            Role::TrigFunction => bare == Bare::All,
            _ => false,
        };
        if !takes {
            return None;
        }
        let place = self.at;
        self.at += 1;
        let mut node = self.leaves[place];
        if role == Role::Number && self.is_mixed(place) {
            self.at += 1;
            let plus = self.nodes.sign("plus");
            node = self.nodes.apply(place, self.at, plus, &[node, self.leaves[place + 1]]);
        }
        node = self.with_scripts(place, node);
        while let Some(script) = floating.pop() {
            node = self.scripted(from, node, script);
        }
        Some(match role {
            Role::Function => self.with_delimited_arguments(from, node).unwrap_or(node),
            Role::OpFunction => self.with_arguments(from, node, Bare::All),
            Role::TrigFunction => self.with_arguments(from, node, Bare::NoTrig),
            _ => node,
        })
    }

    /// Whether a number and the fraction after it are one: `2\frac{1}{4}`.
    fn is_mixed(&self, place: usize) -> bool {
        let tree = &self.nodes.tree;
        let is_whole = |id: ContentId| {
            tree.element(id) == Element::Number && tree.text(id).bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_fraction = |token: &Token| matches!(token.made, Made::Binary(Meaning::Sign("divide"), ..));
        is_whole(self.leaves[place])
            && self.tokens.get(place + 1).is_some_and(is_fraction)
            && tree.children(self.leaves[place + 1])[1..].iter().all(|&part| is_whole(part))
    }

    /// A node with the scripts and postfix operators that follow it.
    pub(super) fn with_scripts(&mut self, from: usize, node: ContentId) -> ContentId {
        let mut node = node;
        while let Some(place) =
            self.take_if(|role| matches!(role, Role::PostSub | Role::PostSup | Role::Postfix))
        {
            node = match self.tokens[place].role {
                Role::Postfix => self.nodes.apply(from, self.at, self.leaves[place], &[node]),
                _ => self.scripted(from, node, place),
            };
        }
        node
    }

    /// A node with one script.
    pub(super) fn scripted(&mut self, from: usize, node: ContentId, place: usize) -> ContentId {
        let name = match self.tokens[place].role {
            Role::PostSub | Role::FloatSub => "subscript",
            _ => "superscript",
        };
        let operator = self.nodes.ambiguous(name);
        self.nodes.apply(from, self.at, operator, &[node, self.leaves[place]])
    }

    fn big_operator(&mut self) -> Option<ContentId> {
        let from = self.at;
        let mut floating = Vec::new();
        while let Some(place) = self.take_if(|role| matches!(role, Role::FloatSub | Role::FloatSup)) {
            floating.push(place);
        }
        let place = self.take_if(|role| matches!(role, Role::BigOp | Role::Integral))?;
        let mut node = self.with_scripts(place, self.leaves[place]);
        while let Some(script) = floating.pop() {
            node = self.scripted(from, node, script);
        }
        let factor =
            if self.tokens[place].role == Role::Integral { Self::integral_factor } else { Self::factor };
        let start = self.at;
        let Some(first) = self.attempt(factor) else { return Some(node) };
        let mut product = Product::new(start, first);
        while self.next_factor(&mut product, factor) {}
        let operand = product.done(self, self.at);
        Some(self.nodes.apply(from, self.at, node, &[operand]))
    }

    fn integral_factor(&mut self) -> Option<ContentId> {
        self.attempt(Self::differential).or_else(|| self.factor())
    }

    fn differential(&mut self) -> Option<ContentId> {
        let from = self.at;
        self.take(Role::Unknown)?;
        if !matches!(self.letter(from), "d" | "𝑑") {
            return None;
        }
        let place = self.take_if(|role| matches!(role, Role::Unknown | Role::Atom | Role::Array))?;
        let variable = self.with_scripts(place, self.leaves[place]);
        let operator = self.nodes.symbol("differential-d");
        Some(self.nodes.apply(from, self.at, operator, &[variable]))
    }

    /// `∇ × F` and the like: operators in a row, and what they are applied to.
    fn operator_factor(&mut self) -> Option<ContentId> {
        let from = self.at;
        let mut operators = Vec::new();
        while let Some(place) = self.take(Role::Operator) {
            operators.push(self.with_scripts(place, self.leaves[place]));
        }
        let function =
            self.take_if(|role| matches!(role, Role::Function | Role::OpFunction | Role::TrigFunction));
        let delimited = if let Some(place) = function {
            operators.push(self.with_scripts(place, self.leaves[place]));
            None
        } else {
            self.attempt(|p| {
                let open = p.take(Role::Open)?;
                let inner = p.expression()?;
                p.balanced_close(open)?;
                Some(inner)
            })
        };
        let last = operators.pop()?;
        let last = match delimited {
            Some(inner) => self.nodes.apply(from, self.at, last, &[inner]),
            None => last,
        };
        let nested = operators
            .into_iter()
            .rev()
            .fold(last, |inner, operator| self.nodes.apply(from, self.at, operator, &[inner]));
        Some(self.with_arguments(from, nested, Bare::All))
    }

    fn with_arguments(&mut self, from: usize, function: ContentId, bare: Bare) -> ContentId {
        if let Some(applied) = self.with_delimited_arguments(from, function) {
            return applied;
        }
        let start = self.at;
        let argument = match bare {
            Bare::All => Self::bare_argument,
            Bare::NoTrig => Self::bare_trig_argument,
        };
        let Some(first) = self.attempt(argument) else { return function };
        let mut product = Product::new(start, first);
        while self.next_factor(&mut product, argument) {}
        let operand = product.done(self, self.at);
        self.nodes.apply(from, self.at, function, &[operand])
    }

    /// `(a, b)` after a function.
    fn with_delimited_arguments(&mut self, from: usize, function: ContentId) -> Option<ContentId> {
        self.attempt(|p| {
            let open = p.take(Role::Open)?;
            let mut arguments = vec![p.argument()?];
            while let Some(argument) = p.attempt(|p| {
                p.take_if(|role| matches!(role, Role::Punct | Role::Bar))?;
                p.argument()
            }) {
                arguments.push(argument);
            }
            p.balanced_close(open)?;
            Some(p.nodes.apply(from, p.at, function, &arguments))
        })
    }

    fn argument(&mut self) -> Option<ContentId> {
        let from = self.at;
        let mut node = self.expression()?;
        loop {
            let mut chain = vec![node];
            self.relations(&mut chain);
            if chain.len() > 1 {
                node = self.nodes.relation(from, self.at, &chain);
                continue;
            }
            let related = self.attempt(|p| {
                let relation = p.take_node(Role::MetaRelation)?;
                let right = p.formula()?;
                Some(p.nodes.apply(from, p.at, relation, &[node, right]))
            });
            match related {
                Some(related) => node = related,
                None => return Some(node),
            }
        }
    }

    fn bare_argument(&mut self) -> Option<ContentId> {
        self.deeper(|p| p.attempt(|p| p.named(Bare::All)).or_else(|| p.bars()))
    }

    fn bare_trig_argument(&mut self) -> Option<ContentId> {
        self.deeper(|p| p.attempt(|p| p.named(Bare::NoTrig)).or_else(|| p.bars()))
    }

    /// Whether the token is a bar typed once.
    pub(super) fn is_single_bar(&self, place: usize) -> bool {
        self.tokens.get(place).is_some_and(|token| token.role == Role::Bar && token.made != Made::Space)
            && self.letter(place) == "|"
    }
}
