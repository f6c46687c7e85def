//! The labs' grammar of a baseline, as far as it shows in the layout.
//!
//! LaTeXML parses each baseline with a grammar of expressions. Where the parse
//! succeeds, vertical bars are paired to absolute values and norms, an
//! evaluation bar takes the whole product before it, the d of an integral is
//! an operator, and the two sides of a set's "such that" are groups of their
//! own. Where it fails, only opening and closing delimiters are paired. This is
//! a recogniser for that grammar: ordered choice, no way back into a choice
//! that was made, like the original. It reports what it found as [`Event`]s.

/// A terminal of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A letter, number, fraction, …
    Operand,
    /// The letter d.
    LetterD,
    /// `\log` and its kin: takes an argument without parentheses.
    Function,
    /// `\sin` and its kin: does not take another of its kind as argument.
    TrigFunction,
    /// `∑`, `lim`, `∀`, `∂`, …
    BigOp,
    /// `∫`
    Integral,
    /// `∇`
    Operator,
    /// `+`
    AddOp,
    /// `×`
    MulOp,
    /// `=`, `→`
    Relation,
    /// `<`, `>`
    Angle,
    /// `:`, `⇔`
    MetaRelation,
    /// `mod`
    ModifierOp,
    /// `\pmod{n}`
    Modifier,
    /// `!`
    Postfix,
    /// `,`
    Punct,
    /// `.`
    Period,
    /// An opening delimiter.
    Open(char),
    /// A closing delimiter.
    Close(char),
    /// `|`, `∥`, `∣`, `\middle|`
    Bar,
    /// Scripts of what stands before; whether there is a subscript.
    Script(bool),
    /// Scripts of what comes.
    FloatScript,
}

/// Something that shows in the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// `|x|`: the places of the bars.
    Absolute(usize, usize),
    /// `||x||`: the places of the first of each two.
    Norm(usize, usize),
    /// `f|_0`: where the product begins, and the place of the bar.
    EvaluatedAt(usize, usize),
    /// `dx` in an integral: the place of the d.
    Differential(usize),
    /// `{x|x>0}`: the places of the sign and the closing brace.
    SuchThat(usize, usize),
}

/// What kind of baseline it is; some accept more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// A formula, an argument, a cell.
    Anything,
    /// A sub- or superscript.
    Script,
}

/// How deep delimiters may nest before the parse is given up.
const MAX_DEPTH: u32 = 60;

/// Parses baselines; keeps its memory.
#[derive(Debug, Default)]
pub(super) struct Grammar {
    events: Vec<Event>,
}

impl Grammar {
    /// Parses a baseline. `None` if it is not of the grammar, or the work would be more than linear.
    pub(super) fn parse(&mut self, tokens: &[Token], start: Start) -> Option<&[Event]> {
        let mut tokens = tokens;
        if start == Start::Anything {
            while let Some((Token::Punct | Token::Period, rest)) = tokens.split_last() {
                tokens = rest;
            }
        }
        let budget = 200 + 40 * tokens.len();
        for max_absolute in 0..3 {
            self.events.clear();
            let mut parse = Parse {
                tokens,
                at: 0,
                events: &mut self.events,
                steps: budget,
                depth: 0,
                absolute: max_absolute,
                absolute_refused: false,
                no_bar: false,
                no_evaluation: false,
                no_angle: false,
                no_condition: false,
            };
            let matched = match start {
                Start::Anything => parse.anything(),
                Start::Script => parse.script_list(),
            };
            if matched && parse.at == tokens.len() && parse.steps > 0 {
                return Some(&self.events);
            }
            if !parse.absolute_refused {
                return None;
            }
        }
        None
    }
}

struct Parse<'p> {
    tokens: &'p [Token],
    at: usize,
    events: &'p mut Vec<Event>,
    steps: usize,
    depth: u32,
    /// How many more absolute values may be opened inside one another.
    absolute: i32,
    absolute_refused: bool,
    no_bar: bool,
    no_evaluation: bool,
    no_angle: bool,
    /// Whether a bar after an expression is a set's "such that".
    no_condition: bool,
}

impl Parse<'_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn take(&mut self, token: Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn take_if(&mut self, test: impl Fn(Token) -> bool) -> bool {
        let found = self.peek().is_some_and(test);
        self.at += usize::from(found);
        found
    }

    /// Tries a rule; if it fails, everything is as before.
    fn attempt(&mut self, rule: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        let (at, events) = (self.at, self.events.len());
        let state = (self.depth, self.absolute);
        let flags = (self.no_bar, self.no_evaluation, self.no_angle, self.no_condition);
        let matched = rule(self);
        (self.depth, self.absolute) = state;
        (self.no_bar, self.no_evaluation, self.no_angle, self.no_condition) = flags;
        if !matched {
            self.at = at;
            self.events.truncate(events);
        }
        matched
    }

    // Formulas

    fn anything(&mut self) -> bool {
        self.attempt(Self::formulae)
            || self.attempt(|p| p.open().is_some() && p.formulae() && p.close().is_some())
            || self.attempt(Self::modifier_formula)
            || self.attempt(|p| p.open().is_some() && p.modifier_formula() && p.close().is_some())
            || self.take(Token::Modifier)
            || self.attempt(|p| p.take(Token::ModifierOp) && p.expression())
            || self.attempt(|p| p.take(Token::MetaRelation) && p.formula())
            || self.attempt(|p| {
                let mut count = 0;
                while p.attempt(|p| (count == 0 || p.optional_punct()) && p.any_operator()) {
                    count += 1;
                }
                count > 1
            })
            || self.take(Token::FloatScript)
    }

    fn script_list(&mut self) -> bool {
        if !self.script_item() {
            return false;
        }
        while self.attempt(|p| p.optional_punct() && p.script_item()) {}
        true
    }

    fn script_item(&mut self) -> bool {
        self.attempt(Self::formulae)
            || self.attempt(|p| p.any_operator() && p.expression())
            || self.attempt(Self::any_operator)
    }

    fn optional_punct(&mut self) -> bool {
        self.take(Token::Punct);
        true
    }

    fn formulae(&mut self) -> bool {
        if !self.formula() {
            return false;
        }
        let end_punct = |p: &mut Self| p.take(Token::Punct) || p.take(Token::Period);
        let mut more = false;
        while self.attempt(|p| end_punct(p) && p.formula()) {
            more = true;
        }
        if !more {
            self.attempt(|p| p.take(Token::MetaRelation) && p.formula());
        }
        true
    }

    fn formula(&mut self) -> bool {
        self.expression() && {
            self.extend_formula();
            true
        }
    }

    fn extend_formula(&mut self) {
        let mut several = false;
        while self.attempt(|p| p.take(Token::Punct) && p.expression()) {
            several = true;
        }
        if several {
            while self.attempt(Self::relation_expression) {}
            return;
        }
        if self.attempt(|p| {
            p.relation() && p.expression() && {
                p.more_right_sides();
                true
            }
        }) {
            return;
        }
        self.attempt(|p| p.relation() && p.at == p.tokens.len());
    }

    /// After `a = b`: more relations, or a list.
    fn more_right_sides(&mut self) {
        while self.attempt(|p| p.take(Token::Punct) && p.expression()) {
            // A list; its last item may be the left side of the next relation.
            while !self.attempt(|p| p.relation() && p.expression()) {
                if !self.attempt(|p| p.take(Token::Punct) && p.expression()) {
                    return;
                }
            }
        }
        while self.attempt(Self::relation_expression) {}
    }

    fn relation_expression(&mut self) -> bool {
        self.relation() && (self.attempt(Self::expression) || self.at == self.tokens.len())
    }

    fn modifier_formula(&mut self) -> bool {
        self.relation() && self.expression() && {
            self.more_right_sides();
            true
        }
    }

    fn relation(&mut self) -> bool {
        (self.take(Token::Relation) || !self.no_angle && self.take(Token::Angle)) && {
            self.decorations();
            true
        }
    }

    // Expressions

    fn expression(&mut self) -> bool {
        self.deeper(|p| p.attempt(Self::expression_here))
    }

    fn expression_here(&mut self) -> bool {
        if !(self.attempt(|p| p.add_op() && p.term()) || self.term()) {
            return false;
        }
        while self.attempt(Self::add_op) {
            if !self.attempt(Self::term) {
                // `a+`: from above.
                break;
            }
        }
        self.expression_modifier();
        true
    }

    fn expression_modifier(&mut self) {
        let _ = self.attempt(|p| {
            p.optional_punct();
            let Some(open) = p.open() else { return false };
            p.relation() && p.expression() && p.matching_close(open)
        }) || self.attempt(|p| {
            p.optional_punct();
            let Some(open) = p.open() else { return false };
            p.take(Token::ModifierOp) && p.expression() && p.matching_close(open)
        }) || self.take(Token::Modifier)
            || self.attempt(|p| p.take(Token::ModifierOp) && p.expression())
            || !self.no_evaluation
                && !self.no_bar
                && !self.no_condition
                && self.attempt(|p| p.take(Token::Bar) && p.expression());
    }

    fn term(&mut self) -> bool {
        let start = self.at;
        if !self.attempt(Self::factor) {
            return false;
        }
        loop {
            if self.attempt(|p| p.mul_op() && p.factor()) {
                continue;
            }
            if !self.no_evaluation && self.evaluation(start) {
                continue;
            }
            if !self.attempt(Self::factor) {
                return true;
            }
        }
    }

    /// A bar with a subscript after a product.
    fn evaluation(&mut self, start: usize) -> bool {
        let bar = self.at;
        self.attempt(|p| {
            if !(p.take(Token::Bar) || p.take(Token::Close('|'))) {
                return false;
            }
            if !p.take(Token::Script(true)) {
                return false;
            }
            p.events.push(Event::EvaluatedAt(start, bar));
            true
        })
    }

    fn factor(&mut self) -> bool {
        self.deeper(Self::factor_here)
    }

    /// Tries a rule that may come back to itself; too deep down it fails.
    fn deeper(&mut self, rule: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.depth >= MAX_DEPTH || self.steps == 0 {
            return false;
        }
        self.depth += 1;
        let matched = rule(self);
        self.depth -= 1;
        matched
    }

    fn factor_here(&mut self) -> bool {
        let floating = self.at;
        while self.take(Token::FloatScript) {}
        let pre_scripted = self.at > floating;
        if self.named_factor(false) {
            return true;
        }
        match self.peek() {
            Some(Token::BigOp) => {
                self.at += 1;
                self.scripts();
                if self.attempt(Self::factor) {
                    while self.attempt(|p| p.mul_op() && p.factor()) || self.attempt(Self::factor) {}
                }
                true
            }
            Some(Token::Integral) => {
                self.at += 1;
                self.scripts();
                self.integrand();
                true
            }
            _ if pre_scripted => false,
            Some(Token::Open('⟨')) => {
                self.attempt(Self::angles) || {
                    self.at += 1;
                    self.open_factor('⟨')
                }
            }
            Some(Token::Open(open)) => {
                self.at += 1;
                self.open_factor(open)
            }
            Some(Token::Bar) if !self.no_bar => {
                self.attempt(Self::norm) || self.attempt(Self::absolute_value) || self.attempt(Self::ket)
            }
            Some(Token::Operator) => {
                while self.take(Token::Operator) {
                    self.scripts();
                }
                self.function_arguments(false);
                true
            }
            _ => false,
        }
    }

    fn integrand(&mut self) {
        loop {
            let matched = self.differential()
                || self.attempt(|p| p.mul_op() && (p.differential() || p.factor()))
                || self.attempt(Self::factor);
            if !matched {
                return;
            }
        }
    }

    fn differential(&mut self) -> bool {
        let found = self.peek() == Some(Token::LetterD)
            && matches!(self.tokens.get(self.at + 1), Some(Token::Operand | Token::LetterD));
        if found {
            self.events.push(Event::Differential(self.at));
            self.at += 2;
            self.scripts();
        }
        found
    }

    fn scripts(&mut self) {
        while self.take_if(|token| matches!(token, Token::Script(_) | Token::Postfix)) {}
    }

    fn decorations(&mut self) {
        while self.take_if(|token| matches!(token, Token::Script(_))) {}
    }

    fn add_op(&mut self) -> bool {
        self.take(Token::AddOp) && {
            self.decorations();
            true
        }
    }

    fn mul_op(&mut self) -> bool {
        self.take(Token::MulOp) && {
            self.decorations();
            true
        }
    }

    fn any_operator(&mut self) -> bool {
        self.take_if(|token| {
            matches!(
                token,
                Token::Relation
                    | Token::Angle
                    | Token::MetaRelation
                    | Token::AddOp
                    | Token::MulOp
                    | Token::ModifierOp
                    | Token::BigOp
                    | Token::Integral
                    | Token::Operator
            )
        }) && {
            self.decorations();
            true
        }
    }

    // Delimiters

    fn open(&mut self) -> Option<char> {
        match self.peek() {
            Some(Token::Open(c)) => {
                self.at += 1;
                Some(c)
            }
            _ => None,
        }
    }

    fn close(&mut self) -> Option<char> {
        match self.peek() {
            Some(Token::Close(c)) => {
                self.at += 1;
                Some(c)
            }
            _ => None,
        }
    }

    fn matching_close(&mut self, open: char) -> bool {
        self.close().is_some_and(|close| matches(open, close))
    }

    /// Something in delimiters, after the opening one.
    fn open_factor(&mut self, open: char) -> bool {
        if self.attempt(|p| p.add_op() && p.matching_close(open)) {
            self.scripts();
            return true;
        }
        if open == '{' && self.attempt(Self::conditional_set) {
            self.scripts();
            return true;
        }
        if !self.expression() {
            return false;
        }
        // `P(X>0)`: of all relations, these two are at home in brackets.
        while self.attempt(|p| p.take(Token::Angle) && p.expression()) {}
        let mut several = false;
        while self.attempt(|p| p.take(Token::Punct) && p.expression()) {
            several = true;
        }
        let closed = if several { self.close().is_some() } else { self.matching_close(open) };
        if closed {
            self.scripts();
        }
        closed
    }

    fn conditional_set(&mut self) -> bool {
        let outside = std::mem::replace(&mut self.no_condition, true);
        let element = self.formula();
        self.no_condition = outside;
        if !element {
            return false;
        }
        let sign = self.at;
        let such_that = self.take(Token::Bar) || self.take(Token::MetaRelation);
        if !(such_that && self.formulae()) {
            return false;
        }
        let end = self.at;
        self.matching_close('{') && {
            self.events.push(Event::SuchThat(sign, end));
            true
        }
    }

    fn norm(&mut self) -> bool {
        let start = self.at;
        if !(self.take(Token::Bar) && self.take(Token::Bar) && self.absolute_expression()) {
            return false;
        }
        let end = self.at;
        self.take(Token::Bar) && self.take(Token::Bar) && {
            self.events.push(Event::Norm(start, end));
            self.scripts();
            true
        }
    }

    fn absolute_value(&mut self) -> bool {
        self.between_bars(Self::absolute_expression)
    }

    fn between_bars(&mut self, inside: fn(&mut Self) -> bool) -> bool {
        let start = self.at;
        if !(self.take(Token::Bar) && inside(self)) {
            return false;
        }
        let end = self.at;
        self.take(Token::Bar) && {
            self.events.push(Event::Absolute(start, end));
            self.scripts();
            true
        }
    }

    fn absolute_expression(&mut self) -> bool {
        if self.absolute < 0 {
            self.absolute_refused = true;
            return false;
        }
        let (absolute, no_evaluation) = (self.absolute, self.no_evaluation);
        self.absolute -= 1;
        self.no_evaluation = true;
        let matched = self.expression();
        (self.absolute, self.no_evaluation) = (absolute, no_evaluation);
        matched
    }

    fn ket(&mut self) -> bool {
        self.take(Token::Bar) && self.ket_expression() && self.take(Token::Close('⟩')) && {
            self.scripts();
            true
        }
    }

    /// `⟨a|`, `⟨a|b⟩`, `⟨x⟩`.
    fn angles(&mut self) -> bool {
        if !self.take(Token::Open('⟨')) {
            return false;
        }
        let bra = self.attempt(|p| {
            if !(p.ket_expression() && p.take(Token::Bar)) {
                return false;
            }
            p.attempt(|p| {
                p.ket_expression()
                    && (p.take(Token::Close('⟩'))
                        || p.take(Token::Bar) && p.ket_expression() && p.take(Token::Close('⟩')))
            });
            p.scripts();
            true
        });
        bra || self.attempt(|p| {
            p.absolute_expression() && p.take(Token::Close('⟩')) && {
                p.scripts();
                true
            }
        })
    }

    fn ket_expression(&mut self) -> bool {
        let (no_bar, no_angle) = (self.no_bar, self.no_angle);
        (self.no_bar, self.no_angle) = (true, true);
        let matched = self.attempt(Self::formulae)
            || self.take_if(|token| {
                matches!(token, Token::MetaRelation | Token::Relation | Token::AddOp | Token::MulOp)
            });
        (self.no_bar, self.no_angle) = (no_bar, no_angle);
        matched
    }

    // Functions

    fn function_arguments(&mut self, trigonometric: bool) {
        if self.attempt(Self::delimited_arguments) {
            return;
        }
        if self.attempt(|p| p.bare_argument(trigonometric)) {
            while self.attempt(|p| p.mul_op() && p.bare_argument(trigonometric))
                || self.attempt(|p| p.bare_argument(trigonometric))
            {}
        }
    }

    /// `(a, b)` after a function.
    fn delimited_arguments(&mut self) -> bool {
        let Some(open) = self.open() else { return false };
        if !self.function_argument() {
            return false;
        }
        let separator = |p: &mut Self| p.take(Token::Punct) || p.take(Token::Bar);
        while self.attempt(|p| separator(p) && p.function_argument()) {}
        self.matching_close(open)
    }

    fn function_argument(&mut self) -> bool {
        if !self.expression() {
            return false;
        }
        while self.attempt(|p| {
            let mut any = false;
            while p.attempt(Self::relation_expression) {
                any = true;
            }
            any || p.take(Token::MetaRelation) && p.formula()
        }) {}
        true
    }

    fn bare_argument(&mut self, trigonometric: bool) -> bool {
        self.deeper(|p| p.bare_argument_here(trigonometric))
    }

    fn bare_argument_here(&mut self, trigonometric: bool) -> bool {
        while self.take(Token::FloatScript) {}
        self.named_factor(trigonometric) || self.between_bars(Self::expression)
    }

    /// An operand, or a function with its arguments; in the argument of a trigonometric function, no other one.
    fn named_factor(&mut self, trigonometric: bool) -> bool {
        let function = match self.peek() {
            Some(Token::Operand | Token::LetterD) => None,
            Some(Token::Function) => Some(false),
            Some(Token::TrigFunction) if !trigonometric => Some(true),
            _ => return false,
        };
        self.at += 1;
        self.scripts();
        if let Some(trigonometric) = function {
            self.function_arguments(trigonometric);
        }
        true
    }
}

/// Whether two delimiters are a pair.
fn matches(open: char, close: char) -> bool {
    matches!(
        (open, close),
        ('(', ')') | ('[', ']') | ('{', '}') | ('|', '|') | ('∥', '∥') | ('⌊', '⌋') | ('⌈', '⌉') | ('⟨', '⟩')
    )
}
