//! Mathematics typed without LaTeX, turned into LaTeX: `sqrt(2)`, `x^(n+1)`, `int_0^1 x^2 dx`.
//!
//! Names, signs and brackets are read as on a calculator and in AsciiMath. Where notations differ, blanks decide
//! as they do for a reader: `1/2x` divides by 2x, `sin x / x` divides sin x by x.

mod names;
mod token;

pub(super) use names::{Name, name, number_set};

use token::{Kind, Token, begins_factor, is_differential, is_exponent, tokens};

/// Things deeper inside each other than this are taken as they are.
const DEEPEST: usize = 32;

/// The LaTeX of mathematics that was typed without it; none where both are the same or it is LaTeX already.
pub(super) fn latex(text: &str) -> Option<String> {
    if text.contains('\\') {
        return None;
    }
    let tokens = tokens(text);
    let mut reader = Reader { tokens: &tokens, at: 0, depth: 0 };
    let mut written = reader.list(None).text();
    while reader.at < tokens.len() {
        // A bracket that closes nothing.
        push(&mut written, tokens[reader.at].text);
        reader.at += 1;
        push(&mut written, &reader.list(None).text());
    }
    (signs(&written) != signs(text)).then_some(written)
}

/// Whether something in it is written otherwise in LaTeX: a name, brackets around a script, a sign of several
/// characters.
pub(super) fn is_plain(text: &str) -> bool {
    if text.contains('\\') {
        return false;
    }
    let tokens = tokens(text);
    tokens.iter().enumerate().any(|(at, token)| match token.kind {
        Kind::Letters => token.text.len() > 1 && name(token.text).is_some(),
        Kind::Operator => token.text.starts_with('\\') && !matches!(token.text, "\\pm" | "\\cdot" | "\\sim"),
        Kind::Script => {
            let next = tokens.get(at + 1);
            next.is_some_and(|next| next.text == "(" || next.kind == Kind::Number && next.text.len() > 1)
        }
        Kind::Root => true,
        _ => false,
    })
}

/// LaTeX without blanks, and without braces around a single sign.
fn signs(text: &str) -> Vec<char> {
    let mut signs: Vec<char> = Vec::with_capacity(text.len());
    for sign in text.chars().filter(|sign| !sign.is_whitespace()) {
        match signs[..] {
            [.., '{', inside] if sign == '}' => {
                signs.truncate(signs.len() - 2);
                signs.push(inside);
            }
            _ => signs.push(sign),
        }
    }
    signs
}

/// A thing that was read: LaTeX that can be put into a sequence.
struct Unit {
    latex: String,
    /// Whether it is a factor; signs between two things are not.
    factor: bool,
    /// Whether a blank stands before it.
    spaced: bool,
    /// What stands between its brackets, if it is nothing else.
    inside: Option<String>,
}

impl Unit {
    /// Its LaTeX as an argument: without brackets around it.
    fn argument(&self) -> &str {
        self.inside.as_deref().unwrap_or(&self.latex)
    }
}

/// Units in a row.
#[derive(Default)]
struct List {
    units: Vec<Unit>,
}

impl List {
    fn text(&self) -> String {
        joined(&self.units)
    }

    /// Makes a fraction, or what else a command puts one above the other, of the factors at the end and of `below`.
    fn combine(&mut self, command: &str, below: &[Unit], spaced: bool) {
        let start = self.factors(spaced);
        let above: Vec<Unit> = self.units.drain(start..).collect();
        let argument = |units: &[Unit]| match units {
            [only] => only.argument().to_owned(),
            _ => joined(units),
        };
        let latex = if above.is_empty() || below.is_empty() || is_quotient(&above) && command == "\\frac" {
            format!("{}/{}", joined(&above), joined(below))
        } else {
            format!("{command}{{{}}}{{{}}}", argument(&above), argument(below))
        };
        let spaced = above.first().is_some_and(|unit| unit.spaced);
        self.units.push(Unit { latex, factor: true, spaced, inside: None });
    }

    /// Where the factors begin that stand at the end: with a blank before the slash all, else those without blanks.
    fn factors(&self, spaced: bool) -> usize {
        let mut start = self.units.len();
        while start > 0 && self.units[start - 1].factor {
            start -= 1;
            if !spaced && self.units[start].spaced {
                break;
            }
        }
        start
    }
}

/// `Z/nZ`, `G/H`: not a fraction.
fn is_quotient(above: &[Unit]) -> bool {
    matches!(above, [unit] if unit.latex.len() == 1 && unit.latex.starts_with(|letter: char| letter.is_ascii_uppercase())
        || unit.latex.starts_with("\\mathbb"))
}

struct Reader<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn next(&self) -> Option<&'t Token<'t>> {
        self.tokens.get(self.at)
    }

    fn next_is(&self, kind: Kind) -> bool {
        self.next().is_some_and(|token| token.kind == kind)
    }

    /// Reads up to a bracket that closes, a bar or a comma where that ends the list, or the end.
    fn list(&mut self, end: Option<Kind>) -> List {
        let mut list = List::default();
        while let Some(token) = self.next() {
            if token.kind == Kind::Close || Some(token.kind) == end {
                break;
            }
            if token.kind == Kind::Slash {
                self.at += 1;
                let spaced = token.spaced && self.next().is_some_and(|next| next.spaced);
                let below = self.divisor(spaced, end);
                list.combine("\\frac", &below, spaced);
                continue;
            }
            let between = list.units.last().is_some_and(|unit| unit.factor);
            if token.text == "choose" && between && self.tokens.get(self.at + 1).is_some_and(begins_factor) {
                self.at += 1;
                let below = self.divisor(false, end);
                list.combine("\\binom", &below, false);
                continue;
            }
            let unit = self.unit();
            list.units.push(unit);
        }
        list
    }

    /// What a slash divides by: with blanks around the slash a product, else what stands without blanks.
    fn divisor(&mut self, spaced: bool, end: Option<Kind>) -> Vec<Unit> {
        let mut units: Vec<Unit> = Vec::new();
        while let Some(token) = self.next() {
            let ends =
                matches!(token.kind, Kind::Close | Kind::Slash | Kind::Comma) || Some(token.kind) == end;
            let apart = !units.is_empty() && token.spaced && !spaced;
            let sign = token.kind == Kind::Operator && !(units.is_empty() && token.text == "-");
            let differential = !units.is_empty() && token.spaced && is_differential(token.text);
            if ends || apart || sign || differential || self.is_operator_name(token) {
                break;
            }
            units.push(self.unit());
        }
        units
    }

    fn is_operator_name(&self, token: &Token<'_>) -> bool {
        token.kind == Kind::Letters && matches!(name(token.text), Some(Name::Operator(_)))
    }

    /// Reads a thing with its scripts.
    fn unit(&mut self) -> Unit {
        let Some(token) = self.next() else {
            return Unit { latex: String::new(), factor: false, spaced: false, inside: None };
        };
        let mut unit = self.thing(token);
        while let Some(next) = self.next() {
            match next.kind {
                Kind::Script => {
                    self.at += 1;
                    let script = self.script(&unit, next.text);
                    unit.latex.push_str(next.text);
                    unit.latex.push_str(&script);
                }
                Kind::Postfix if !next.spaced && unit.factor => {
                    self.at += 1;
                    unit.latex.push_str(next.text);
                }
                _ => break,
            }
            unit.inside = None;
        }
        unit
    }

    /// What stands behind `^` or `_`, between braces where it needs them.
    fn script(&mut self, base: &Unit, sign: &str) -> String {
        let Some(token) = self.next() else { return "{}".to_owned() };
        let grouped = |inside: &str| {
            if inside.chars().count() == 1 { inside.to_owned() } else { format!("{{{inside}}}") }
        };
        if sign == "^" && base.latex == "e" && is_exponent(token) {
            let mut exponent = String::new();
            while let Some(next) =
                self.next().filter(|next| is_exponent(next) && (exponent.is_empty() || !next.spaced))
            {
                self.at += 1;
                let latex = match name(next.text) {
                    Some(Name::Symbol(latex)) => latex.to_owned(),
                    _ => spelled(next.text),
                };
                push(&mut exponent, &latex);
            }
            exponent.push_str(&self.tower(sign));
            return grouped(&exponent);
        }
        match token.kind {
            // A conjugate or dual.
            Kind::Operator if token.text == "\\cdot" => {
                self.at += 1;
                "*".to_owned()
            }
            Kind::Operator if matches!(token.text, "-" | "+") => {
                self.at += 1;
                let next = self.next().is_some_and(|next| !next.spaced && begins_factor(next));
                let rest = if next { self.thing_after_sign() } else { String::new() };
                grouped(&format!("{}{rest}{}", token.text, self.tower(sign)))
            }
            Kind::Letters if name(token.text).is_none() && token.text.len() > 1 => {
                // `a_ij` and `e^ix` have all letters there, `x^nk` has not.
                self.at += 1;
                if sign == "_" || base.latex == "e" {
                    return grouped(&spelled(token.text));
                }
                let (first, rest) = token.text.split_at(1);
                format!("{first} {rest}")
            }
            Kind::Close | Kind::Slash | Kind::Comma => "{}".to_owned(),
            _ => {
                let unit = self.thing(token);
                // The order of a derivative keeps its brackets: `f^(n)(x)`.
                let applied = self.next().is_some_and(|next| next.text == "(" && !next.spaced);
                let is_order = unit.argument().len() == 1
                    && unit.argument().starts_with(|c: char| c.is_ascii_lowercase());
                if sign == "^" && applied && is_order && unit.inside.is_some() && is_function(&base.latex) {
                    return format!("{{{}}}", unit.latex);
                }
                let tower = self.tower(sign);
                grouped(&format!("{}{tower}", unit.argument()))
            }
        }
    }

    /// The power of a power: `2^2^2`.
    fn tower(&mut self, sign: &str) -> String {
        if sign != "^"
            || !self.next().is_some_and(|next| next.text == "^" && !next.spaced)
            || self.depth == DEEPEST
        {
            return String::new();
        }
        self.at += 1;
        self.depth += 1;
        let base = Unit { latex: String::new(), factor: true, spaced: false, inside: None };
        let script = self.script(&base, "^");
        self.depth -= 1;
        format!("^{script}")
    }

    fn thing_after_sign(&mut self) -> String {
        match self.next() {
            Some(token) => self.thing(token).argument().to_owned(),
            None => String::new(),
        }
    }

    /// Reads a thing without its scripts.
    fn thing(&mut self, token: &Token<'_>) -> Unit {
        self.at += 1;
        let plain = |latex: &str, factor| Unit {
            latex: latex.to_owned(),
            factor,
            spaced: token.spaced,
            inside: None,
        };
        if self.depth == DEEPEST {
            return plain(token.text, true);
        }
        self.depth += 1;
        let unit = match token.kind {
            Kind::Letters => self.letters(token),
            Kind::Open => self.brackets(token),
            Kind::Root => {
                let minus = self.next().is_some_and(|next| next.text == "-" && !next.spaced);
                self.at += usize::from(minus);
                let (minus, argument) = (if minus { "-" } else { "" }, self.argument());
                plain(&format!("{}{{{minus}{argument}}}", token.text), true)
            }
            Kind::Bar => self.bars(token),
            Kind::Operator | Kind::Comma | Kind::Slash => plain(token.text, false),
            Kind::Number | Kind::Script | Kind::Close | Kind::Postfix | Kind::Other => {
                plain(token.text, true)
            }
        };
        self.depth -= 1;
        unit
    }

    fn letters(&mut self, token: &Token<'_>) -> Unit {
        let unit = |latex: String, factor| Unit { latex, factor, spaced: token.spaced, inside: None };
        let before = self.at.checked_sub(2).map(|before| self.tokens[before].text);
        if token.text == "inf" && matches!(before, Some("\\to" | "→" | "^" | "-" | "+")) {
            return unit("\\infty".to_owned(), true);
        }
        match name(token.text) {
            Some(Name::Symbol(latex)) => unit(latex.to_owned(), true),
            Some(Name::Operator(latex)) => {
                let mut latex = latex.to_owned();
                let applied = self
                    .tokens
                    .get(self.at + 1)
                    .is_some_and(|after| after.kind == Kind::Open && !after.spaced);
                if let Some(next) = self.next().filter(|_| latex == "\\in" && !applied)
                    && let Some(set) = number_set(next.text)
                {
                    self.at += 1;
                    push(&mut latex, set);
                }
                unit(latex, false)
            }
            Some(Name::Function(latex)) => {
                let mut latex = latex.to_owned();
                while self.next_is(Kind::Script) {
                    let sign = self.tokens[self.at].text;
                    self.at += 1;
                    let base = unit(String::new(), true);
                    let script = self.script(&base, sign);
                    latex.push_str(sign);
                    latex.push_str(&script);
                }
                // The argument belongs to it, so that a slash divides both.
                if let Some(next) = self.next().filter(|next| next.kind == Kind::Open && !next.spaced) {
                    let argument = self.thing(next);
                    push(&mut latex, &argument.latex);
                } else if self.takes_next() {
                    self.take_argument(&mut latex);
                }
                unit(latex, true)
            }
            Some(Name::Command(latex)) => {
                let argument = self.argument();
                unit(format!("{latex}{{{argument}}}"), true)
            }
            Some(Name::Around(open, close)) => {
                let argument = self.argument();
                unit(format!("{open}{argument}{close}"), true)
            }
            Some(Name::Pair(latex)) => self.pair(token, latex),
            Some(Name::Big(latex)) => unit(format!("{latex}{}", self.lower_bound()), false),
            Some(Name::Limit) => unit(self.limit(), false),
            None => match function_and_letter(token.text) {
                Some((function, letter)) => unit(format!("{function} {letter}"), true),
                None => unit(token.text.to_owned(), true),
            },
        }
    }

    /// Whether what follows a function is its argument: `sin x / x`, but `sin x/2` halves the argument.
    fn takes_next(&self) -> bool {
        let Some(next) = self.next().filter(|next| begins_factor(next)) else { return false };
        let is_name =
            |name: Option<Name>| matches!(name, Some(Name::Operator(_) | Name::Big(_) | Name::Limit));
        if next.kind == Kind::Letters && (is_name(name(next.text)) || next.text == "choose") {
            return false;
        }
        let after = self.tokens[self.at + 1..].iter().find(|token| token.spaced || !begins_factor(token));
        let slash = after.is_some_and(|after| after.kind == Kind::Slash && !after.spaced);
        let halved = self.tokens[self.at + 1..].windows(2).find(|pair| pair[0].kind == Kind::Slash);
        !(slash && halved.is_some_and(|pair| pair[1].kind == Kind::Number && !pair[1].spaced))
    }

    /// Reads the argument of a function: a product without blanks, `sin 2x`.
    fn take_argument(&mut self, latex: &mut String) {
        let first = self.unit();
        push(latex, &first.latex);
        while self.next().is_some_and(|next| !next.spaced && begins_factor(next) && next.kind != Kind::Open) {
            let more = self.unit();
            push(latex, &more.latex);
        }
    }

    /// The lower bound of `sum_k=0^n`, which is typed without brackets.
    fn lower_bound(&mut self) -> String {
        let rest = &self.tokens[self.at.min(self.tokens.len())..];
        let [below, variable, equals, from, above, ..] = rest else { return String::new() };
        let is_bound = below.text == "_"
            && variable.kind == Kind::Letters
            && variable.text.len() == 1
            && equals.text == "="
            && matches!(from.kind, Kind::Number | Kind::Letters)
            && above.text == "^";
        if !is_bound || rest[1..5].iter().any(|token| token.spaced) {
            return String::new();
        }
        self.at += 4;
        format!("_{{{}={}}}", variable.text, from.text)
    }

    /// `binom(n,k)`, `frac(a)(b)`.
    fn pair(&mut self, token: &Token<'_>, latex: &str) -> Unit {
        let unit = |latex: String| Unit { latex, factor: true, spaced: token.spaced, inside: None };
        if !self.next_is(Kind::Open) {
            return unit(token.text.to_owned());
        }
        self.at += 1;
        let first = self.list(Some(Kind::Comma)).text();
        let second = if self.next_is(Kind::Comma) {
            self.at += 1;
            let second = self.list(None).text();
            self.close();
            second
        } else {
            self.close();
            self.argument()
        };
        unit(format!("{latex}{{{first}}}{{{second}}}"))
    }

    /// A limit, with what goes where below it: `lim x->0`, `lim_(x->0)`.
    fn limit(&mut self) -> String {
        let [variable, arrow, _, ..] = &self.tokens[self.at.min(self.tokens.len())..] else {
            return "\\lim".to_owned();
        };
        let is_arrow = matches!(arrow.text, "\\to" | "→" | "to");
        if variable.kind != Kind::Letters || !is_arrow {
            return "\\lim".to_owned();
        }
        self.at += 2;
        let goal = self.unit();
        let sign = matches!(goal.latex.as_str(), "+" | "-");
        let goal = if sign { goal.latex + &self.unit().latex } else { goal.latex };
        format!("\\lim_{{{}\\to {goal}}}", variable.text)
    }

    /// What a command takes: what stands between the brackets that follow, or the next thing.
    fn argument(&mut self) -> String {
        match self.next() {
            Some(token) if matches!(token.kind, Kind::Open | Kind::Bar) => {
                self.thing(token).argument().to_owned()
            }
            Some(token) if matches!(token.kind, Kind::Close | Kind::Operator | Kind::Slash | Kind::Comma) => {
                String::new()
            }
            Some(_) => self.unit().latex,
            None => String::new(),
        }
    }

    fn brackets(&mut self, open: &Token<'_>) -> Unit {
        let unit = |latex, inside| Unit { latex, factor: true, spaced: open.spaced, inside };
        // Braces that touch what stands before them group, others are those of a set.
        let before = self.at.checked_sub(2).map(|before| self.tokens[before].kind);
        let is_behind = !open.spaced
            && matches!(
                before,
                Some(Kind::Letters | Kind::Number | Kind::Close | Kind::Script | Kind::Other | Kind::Root)
            );
        let inside = self.list(None).text();
        let close = self.close();
        if let Some(modulus) = inside.strip_prefix("\\bmod").filter(|_| open.text == "(") {
            return unit(format!("\\pmod{{{}}}", modulus.trim()), None);
        }
        // A brace that is never closed groups what follows all the same.
        let is_group = open.text == "{" && matches!(close, "}" | "");
        let latex = match is_group {
            true if !is_behind => format!("\\{{{inside}\\}}"),
            true => format!("{{{inside}}}"),
            false => format!("{}{inside}{close}", open.text),
        };
        let stripped = is_group || open.text == "(" && close == ")" && !inside.is_empty();
        unit(latex, stripped.then_some(inside))
    }

    /// What closes a bracket, if that comes now.
    fn close(&mut self) -> &'t str {
        match self.next().filter(|token| token.kind == Kind::Close) {
            Some(token) => {
                self.at += 1;
                token.text
            }
            None => "",
        }
    }

    /// `|x|`, or a bar alone.
    fn bars(&mut self, bar: &Token<'_>) -> Unit {
        let unit = |latex: String, factor| Unit { latex, factor, spaced: bar.spaced, inside: None };
        let mut depth = 0_usize;
        let closes = self.tokens[self.at..].iter().take_while(|token| {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close if depth == 0 => return false,
                Kind::Close => depth -= 1,
                _ => {}
            }
            true
        });
        let closes = closes.take(256).any(|token| token.kind == Kind::Bar);
        if !closes {
            return unit("|".to_owned(), false);
        }
        let inside = self.list(Some(Kind::Bar)).text();
        if self.next_is(Kind::Bar) {
            self.at += 1;
            return unit(format!("|{inside}|"), true);
        }
        unit(format!("|{inside}"), true)
    }
}

/// Letters that mostly stand for functions.
fn is_function(latex: &str) -> bool {
    matches!(latex, "f" | "g" | "h" | "u" | "y" | "F" | "G")
}

/// `sinx`, `lnx`: a function and a letter.
fn function_and_letter(letters: &str) -> Option<(&'static str, &str)> {
    let (function, letter) = super::lexeme::function_and_letter(letters)?;
    match name(function)? {
        Name::Function(latex) => Some((latex, letter)),
        _ => None,
    }
}

/// Letters that touch, with a name at the end in LaTeX: `ipi`.
fn spelled(letters: &str) -> String {
    match letters.strip_suffix("pi") {
        Some(before) => format!("{before}\\pi"),
        None => letters.to_owned(),
    }
}

fn joined(units: &[Unit]) -> String {
    let mut text = String::new();
    for unit in units {
        push(&mut text, &unit.latex);
    }
    text
}

/// Appends LaTeX, with a blank where a command would run into a letter.
fn push(text: &mut String, latex: &str) {
    let command = text.rfind('\\').is_some_and(|at| {
        let name = &text[at + 1..];
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    if command && latex.starts_with(|first: char| first.is_ascii_alphabetic()) {
        text.push(' ');
    }
    text.push_str(latex);
}

#[cfg(test)]
mod tests {
    use super::latex;

    #[test]
    fn what_is_typed_becomes_latex() {
        for (typed, expected) in [
            ("sqrt(2)", r"\sqrt{2}"),
            ("sqrt 2", r"\sqrt{2}"),
            ("sqrt(x^2+1)/2", r"\frac{\sqrt{x^2+1}}{2}"),
            ("int_0^1 x^2 dx", r"\int_0^1x^2dx"),
            ("int_(-oo)^oo e^(-x^2) dx", r"\int_{-\infty}^{\infty}e^{-x^2}dx"),
            ("sum_{k=1}^n k", r"\sum_{k=1}^nk"),
            ("sum_(n=1)^infinity 1/n^2", r"\sum_{n=1}^{\infty}\frac{1}{n^2}"),
            ("abs(x)", "|x|"),
            ("|x+1|/2", r"\frac{|x+1|}{2}"),
            ("log(ab) = log a + log b", r"\log(ab)=\log a+\log b"),
            ("a <= b", r"a\le b"),
            ("x -> 0", r"x\to0"),
            ("x^(n+1)", "x^{n+1}"),
            ("a_(n+1)", "a_{n+1}"),
            ("x^10", "x^{10}"),
            ("x^-1", "x^{-1}"),
            ("e^(i pi) = -1", r"e^{i\pi}=-1"),
            ("e^ipi+1=0", r"e^{i\pi}+1=0"),
            ("a_ij", "a_{ij}"),
            ("(a+b)/2", r"\frac{a+b}{2}"),
            ("n(n+1)/2", r"\frac{n(n+1)}{2}"),
            ("1/2x", r"\frac{1}{2x}"),
            ("1/2 x", r"\frac{1}{2}x"),
            ("sin x / x", r"\frac{\sin x}{x}"),
            ("sin(x)/x", r"\frac{\sin(x)}{x}"),
            ("sinx/x", r"\frac{\sin x}{x}"),
            ("lim x->0 sin(x)/x", r"\lim_{x\to 0}\frac{\sin(x)}{x}"),
            ("lim_(n->oo) (1+1/n)^n", r"\lim_{n\to\infty}(1+\frac{1}{n})^n"),
            ("dy/dx", r"\frac{dy}{dx}"),
            ("Z/nZ -> R", r"Z/nZ\to R"),
            ("x in R", r"x\in\mathbb{R}"),
            ("binom(n,k)", r"\binom{n}{k}"),
            ("n choose k", r"\binom{n}{k}"),
            ("(n+1) choose 2", r"\binom{n+1}{2}"),
            ("2n choose n", r"\binom{2n}{n}"),
            ("√2", r"\sqrt{2}"),
            ("√(x+1)", r"\sqrt{x+1}"),
            ("2**n", "2^n"),
            ("2*x", r"2\cdot x"),
            ("x != y", r"x\ne y"),
            ("x^2 = 1 (mod 5)", r"x^2=1\pmod{5}"),
            ("n!=n*(n-1)!", r"n!=n\cdot(n-1)!"),
            ("a + ... + b", r"a+\ldots+b"),
            ("sin^2 x + cos^2 x", r"\sin^2x+\cos^2x"),
            ("d/dx x^x", r"\frac{d}{dx}x^x"),
            ("x^+ = max(x,0)", r"x^+=\max(x,0)"),
            ("f = f^+ - f^- <= 1", r"f=f^+-f^-\le1"),
            ("f^+-f^- <= 1", r"f^+-f^-\le1"),
            ("lim x->0^+ ln x", r"\lim_{x\to 0^+}\ln x"),
            ("1/sin x", r"\frac{1}{\sin x}"),
            ("sin x/x", r"\frac{\sin x}{x}"),
            ("cos x/sin x", r"\frac{\cos x}{\sin x}"),
            ("log 2/log 3", r"\frac{\log2}{\log3}"),
            ("sin x/2", r"\sin\frac{x}{2}"),
            ("sin 2x / 3", r"\frac{\sin2x}{3}"),
            ("int_0^oo sin x / x dx", r"\int_0^{\infty}\frac{\sin x}{x}dx"),
            ("sqrt ?x", r"\sqrt{?x}"),
            ("n! != m!", r"n!\ne m!"),
            ("f^(n)(x) <= 1", r"f^{(n)}(x)\le1"),
            ("x^(n)(y+1)", "x^n(y+1)"),
            ("e^-x^2", "e^{-x^2}"),
            ("e^x^2", "e^{x^2}"),
            ("2^2^2", "2^{2^2}"),
            ("e^iπ", "e^{iπ}"),
            ("e^2x", "e^{2x}"),
            ("e^(2x) y", "e^{2x}y"),
            ("∑1/n", r"∑\frac{1}{n}"),
            ("Σ_{n=1}^∞ 1/n", r"\sum_{n=1}^∞\frac{1}{n}"),
            ("sum_k=0^n x^k", r"\sum_{k=0}^nx^k"),
            ("lim_{n->inf} a_n", r"\lim_{n\to\infty}a_n"),
            ("√-1", r"\sqrt{-1}"),
            ("³√2", r"\sqrt[3]{2}"),
            ("f in C[0,1]", r"f\in C[0,1]"),
            ("A ∪ {x}", r"A∪\{x\}"),
            ("{1,2,3}", r"\{1,2,3\}"),
            ("X ~ N(0,1)", r"X\sim N(0,1)"),
            ("phi(n) = 14", r"\phi(n)=14"),
        ] {
            assert_eq!(latex(typed).as_deref(), Some(expected), "{typed}");
        }
    }

    #[test]
    fn what_is_latex_already_stays() {
        for typed in [
            "x^2+1",
            r"\frac{1}{2}",
            "a_n",
            "f(x)",
            "e^x",
            "x^{n+1}",
            "a=b",
            "|x|",
            "?a^2+?b^2=?c^2",
            "(a,b)",
            "C^*",
        ] {
            assert_eq!(latex(typed), None, "{typed}");
        }
    }

    #[test]
    fn nothing_is_too_broken() {
        for typed in [
            "(", ")", "((((", "x^", "x_", "/", "a/", "/b", "sqrt", "sqrt(", "binom(", "binom(a", "|", "||",
            "lim", "lim x->", "^^^", "x^)", "a//b",
        ] {
            assert_ne!(latex(typed).as_deref(), Some(""), "{typed}");
        }
        for (piece, times) in [("(", 10_000), ("sqrt ", 2_000), ("|", 10_000), ("x^", 5_000), ("sin ", 2_000)]
        {
            let typed = piece.repeat(times);
            assert_ne!(latex(&typed).as_deref(), Some(""), "{piece}");
        }
    }
}
