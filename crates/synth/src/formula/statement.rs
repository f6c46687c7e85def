//! What a formula is as a whole: a term, a relation, a set, a map, several lines.

use super::Family;
use super::grammar::Grammar;

/// Forms of a whole formula, in the order of the weights below.
#[derive(Clone, Copy)]
enum Form {
    Expression,
    Relation,
    Membership,
    Map,
    Builder,
    List,
    Quantified,
    Implication,
    Congruence,
}

const FORMS: [Form; 9] = [
    Form::Expression,
    Form::Relation,
    Form::Membership,
    Form::Map,
    Form::Builder,
    Form::List,
    Form::Quantified,
    Form::Implication,
    Form::Congruence,
];

impl Family {
    #[rustfmt::skip]
    fn form_weights(self) -> [u16; 9] {
        match self {
            //                 ex  re  me ma bu  li qu im co
            Self::Analysis => [40, 40,  7, 4, 2,  5, 3, 1, 0],
            Self::Series =>   [45, 44,  4, 1, 1,  6, 1, 1, 0],
            Self::Number =>   [36, 36,  5, 1, 3,  6, 1, 1, 12],
            Self::Integral => [48, 46,  2, 1, 0,  4, 1, 0, 0],
            Self::Linear =>   [42, 34,  9, 5, 3,  8, 1, 1, 0],
            Self::Algebra =>  [40, 36, 10, 5, 3,  7, 1, 1, 2],
            Self::Chance =>   [44, 42,  4, 2, 3,  6, 1, 1, 0],
            Self::Sets =>     [34, 16, 20, 9, 9,  8, 4, 3, 0],
            Self::Plane =>    [46, 42,  2, 1, 1,  8, 0, 1, 0],
            Self::Logic =>    [34, 26, 12, 4, 6,  6, 8, 12, 1],
        }
    }
}

impl Grammar<'_> {
    /// A whole formula of about that many symbols.
    pub(crate) fn statement(&mut self, size: usize) {
        if size <= 2 {
            return self.expression(size);
        }
        let form = FORMS[self.draw.weighted(&self.family.form_weights())];
        if size > 40 && self.draw.percent(25) {
            return self.lines(size);
        }
        match form {
            Form::Expression => self.expression(size),
            Form::Relation => self.relations(size),
            Form::Membership => self.membership(size),
            Form::Map => self.map(size),
            Form::Builder if size >= 6 => self.builder(size),
            Form::Builder | Form::List => {
                let open = self.draw.percent(60);
                self.push(if open { "(" } else { "" });
                self.list(size - 1);
                self.push(if open { ")" } else { "" });
            }
            Form::Quantified if size >= 6 => self.quantified(size),
            Form::Implication if size >= 7 => {
                self.relations(size / 2);
                let arrow = *self.draw.pick(&["\\implies", "\\Rightarrow", "\\iff"]);
                self.push(arrow);
                self.relations(size - size / 2 - 1);
            }
            Form::Congruence if size >= 5 => {
                self.expression(size - 4);
                self.push("\\equiv");
                self.expression(1);
                self.push("\\pmod{");
                self.expression(1);
                self.push("}");
            }
            Form::Quantified | Form::Implication | Form::Congruence => self.relations(size),
        }
        if size > 5 && self.draw.percent(4) {
            self.push(".");
        }
    }

    /// Two sides, or a chain of more when there is room.
    fn relations(&mut self, size: usize) {
        let mut size = size.saturating_sub(1).max(2);
        let first = match self.draw.percent(55) {
            true => self.draw.between(1, 4.min(size - 1)),
            false => self.draw.between(1, size - 1),
        };
        self.expression(first);
        size -= first;
        while size > 14 && self.draw.percent(70) {
            let part = self.draw.between(3, size / 2);
            self.relation();
            self.expression(part);
            size -= part;
        }
        self.relation();
        self.expression(size);
    }

    fn space(&mut self) {
        let text = match self.draw.percent(60) {
            true => self.variables.space,
            false => self.variables.set[self.draw.below(2)],
        };
        self.push(text);
        if self.draw.percent(25) {
            let index = *self.draw.pick(&["^{n}", "^{2}", "^{+}", "^{3}", "[x]", "^{n\\times n}", "^{*}"]);
            self.push(index);
        }
    }

    fn membership(&mut self, size: usize) {
        match size {
            0..=3 => {
                let letter = self.draw.pick(&[self.variables.plain[0], self.variables.index[0]]).to_owned();
                self.push(letter);
            }
            _ => self.list((size - 2).min(6)),
        }
        let sign = ["\\in", "\\notin", "\\subseteq", "\\subset"][self.draw.weighted(&[70, 6, 16, 8])];
        self.push(sign);
        self.space();
        if size > 10 {
            self.push(",");
            self.relations(size - 8);
        }
    }

    fn map(&mut self, size: usize) {
        let function = self.variables.function[0];
        self.push(function);
        self.push(":");
        self.space();
        self.push("\\to");
        self.space();
        if size > 8 {
            let plain = self.variables.plain[0];
            self.push(",");
            self.push(plain);
            self.push("\\mapsto");
            self.expression(size - 7);
        }
    }

    fn builder(&mut self, size: usize) {
        let plain = self.variables.plain[0];
        self.push("\\{");
        self.push(plain);
        self.push("\\in");
        self.space();
        let bar = *self.draw.pick(&["\\mid", ":", "|"]);
        self.push(bar);
        self.relations(size - 5);
        self.push("\\}");
    }

    fn quantified(&mut self, size: usize) {
        let greek = self.variables.greek[0];
        let sign = *self.draw.pick(&["\\forall", "\\exists", "\\forall"]);
        self.push(sign);
        self.push(greek);
        self.push(">0");
        let gap = *self.draw.pick(&[",", "\\;", ":", "\\quad"]);
        self.push(gap);
        self.relations(size - 4);
    }

    /// Several lines, or a function given case by case.
    fn lines(&mut self, size: usize) {
        let rows = (size / 18).clamp(2, 6);
        let each = size / rows;
        if self.draw.percent(25) {
            let (function, plain) = (self.variables.function[0], self.variables.plain[0]);
            self.push(function);
            for part in ["(", plain, ")=\\begin{cases}"] {
                self.push(part);
            }
            for row in 0..2 {
                self.expression(each.min(15));
                self.push("&\\text{if }");
                self.relations(4);
                self.push(if row == 0 { "\\\\" } else { "\\end{cases}" });
            }
            return;
        }
        let name = *self.draw.pick(&["align*", "aligned", "align"]);
        self.push("\\begin{");
        self.push(name);
        self.push("}");
        for row in 0..rows {
            if row == 0 {
                self.expression(each / 3);
            }
            self.push("&=");
            self.expression(each);
            if row + 1 < rows {
                self.push("\\\\");
            }
        }
        self.push("\\end{");
        self.push(name);
        self.push("}");
    }
}
