//! Terms with a structure of their own: sums, integrals, matrices, sets.

use super::grammar::Grammar;

impl Grammar<'_> {
    pub(super) fn large(&mut self, size: usize) {
        let sign = ["\\sum", "\\prod", "\\bigcup", "\\max"][self.draw.weighted(&[80, 14, 3, 3])];
        let index = self.variables.index[self.draw.below(2)];
        self.push(sign);
        self.push("_{");
        self.push(index);
        let start = *self.draw.pick(&["=1", "=0", "=1", "=0", "\\geq 1", "=2", "\\in I"]);
        self.push(start);
        self.push("}");
        if sign != "\\max" {
            let end = *self.draw.pick(&["\\infty", "n", "\\infty", "n", "N", "n-1", "m"]);
            self.push("^{");
            self.push(end);
            self.push("}");
        }
        self.term(size.saturating_sub(5).max(2));
    }

    pub(super) fn integral(&mut self, size: usize) {
        self.push("\\int");
        let size = match self.draw.weighted(&[45, 20, 10, 25]) {
            0 => {
                let bounds = *self.draw.pick(&[
                    "_{0}^{1}",
                    "_{0}^{\\infty}",
                    "_{a}^{b}",
                    "_{-\\infty}^{\\infty}",
                    "_{0}^{\\pi}",
                    "_{0}^{x}",
                ]);
                self.push(bounds);
                size.saturating_sub(5)
            }
            1 => {
                self.push("_{0}^{");
                self.atom();
                self.push("}");
                size.saturating_sub(5)
            }
            2 => {
                let set = self.variables.set[0];
                self.push("_{");
                self.push(set);
                self.push("}");
                size.saturating_sub(4)
            }
            _ => size.saturating_sub(3),
        };
        self.term(size.max(1));
        let plain = self.variables.plain[0];
        let gap = *self.draw.pick(&["d", "\\,d", "d"]);
        self.push(gap);
        self.push(plain);
    }

    pub(super) fn limit(&mut self, size: usize) {
        let (variable, target) = match self.draw.percent(55) {
            true => (self.variables.index[0], "\\infty"),
            false => (self.variables.plain[0], *self.draw.pick(&["0", "\\infty", "a", "0^{+}", "1"])),
        };
        self.push("\\lim_{");
        self.push(variable);
        self.push("\\to");
        self.push(target);
        self.push("}");
        self.term(size.saturating_sub(4).max(1));
    }

    pub(super) fn derivative(&mut self, size: usize) {
        let (sign, plain) = (*self.draw.pick(&["d", "\\partial", "d"]), self.variables.plain[0]);
        let function = self.variables.function[0];
        self.push("\\frac{");
        self.push(sign);
        if size < 7 {
            self.push(function);
        }
        self.push("}{");
        self.push(sign);
        self.push(plain);
        self.push("}");
        if size >= 7 {
            self.enclosed("(", size - 4, ")");
        }
    }

    pub(super) fn matrix(&mut self, size: usize) {
        let kind = ["pmatrix", "bmatrix", "vmatrix", "matrix"][self.draw.weighted(&[50, 35, 10, 5])];
        let side = if size > 14 { 3 } else { 2 };
        let columns = if self.draw.percent(25) { 1 } else { side };
        let each = (size / (side * columns)).clamp(1, 4);
        self.push("\\begin{");
        self.push(kind);
        self.push("}");
        for row in 0..side {
            for column in 0..columns {
                if column > 0 {
                    self.push("&");
                }
                if self.draw.percent(40) {
                    let digit = self.draw.below(3);
                    self.out.number(digit);
                } else {
                    self.term(each);
                }
            }
            if row + 1 < side {
                self.push("\\\\");
            }
        }
        self.push("\\end{");
        self.push(kind);
        self.push("}");
    }

    pub(super) fn vector(&mut self, size: usize) {
        let (open, close) =
            *self.draw.pick(&[("(", ")"), ("\\langle", "\\rangle"), ("(", ")"), ("[", "]"), ("\\{", "\\}")]);
        self.push(open);
        self.list(size);
        self.push(close);
    }

    /// Things with commas between them.
    pub(crate) fn list(&mut self, size: usize) {
        if self.draw.percent(30) {
            let letter = self.variables.constant[0];
            let index = self.variables.index[0];
            for part in ["", "_{1},", "", "_{2},\\ldots,", "", "_{"] {
                self.push(if part.is_empty() { letter } else { part });
            }
            self.push(index);
            return self.push("}");
        }
        let items = self.draw.between(2, 3.min(size.max(2)));
        for item in 0..items {
            if item > 0 {
                self.push(",");
            }
            self.expression((size / items).max(1));
        }
    }

    pub(super) fn chance(&mut self, size: usize) {
        let set = self.variables.set[0];
        match self.draw.weighted(&[45, 30, 12, 13]) {
            0 => {
                let name = *self.draw.pick(&["P(", "\\mathbb{P}(", "\\Pr("]);
                self.push(name);
                self.push(set);
                if size > 2 {
                    self.relation();
                    self.expression(size - 2);
                }
                self.push(")");
            }
            1 => {
                let name = *self.draw.pick(&["E[", "\\mathbb{E}[", "\\mathbb{E}["]);
                self.push(name);
                self.push(set);
                if size > 2 {
                    self.next_factor(size - 2);
                }
                self.push("]");
            }
            2 => {
                self.push("\\operatorname{Var}(");
                self.push(set);
                self.push(")");
            }
            _ => {
                self.push(set);
                self.scripted("_", 1);
            }
        }
    }

    pub(super) fn set_operation(&mut self, size: usize) {
        let [first, second, third] = self.variables.set;
        self.push(first);
        let sign = ["\\cap", "\\cup", "\\times", "\\setminus", "/", "\\circ"]
            [self.draw.weighted(&[26, 26, 20, 14, 8, 6])];
        self.push(sign);
        match size {
            0..=3 => self.push(second),
            4 => {
                self.push(second);
                self.scripted("_", 1);
            }
            _ => {
                self.push("(");
                self.push(second);
                let sign = *self.draw.pick(&["\\cap", "\\cup", "\\times"]);
                self.push(sign);
                self.push(third);
                self.push(")");
            }
        }
    }
}
