//! The smallest parts: letters and numbers.

use super::grammar::Grammar;

impl Grammar<'_> {
    /// What stands alone most often: letters, digits, names of sets.
    pub(crate) fn symbol(&mut self) {
        const SYMBOLS: [&str; 78] = [
            "n",
            "x",
            "f",
            "A",
            "X",
            "a",
            "0",
            "1",
            "p",
            "k",
            "2",
            "B",
            "b",
            "\\mathbb{R}",
            "y",
            "S",
            "R",
            "G",
            "g",
            "m",
            "F",
            "3",
            "N",
            "P",
            "i",
            "M",
            "T",
            "r",
            "L",
            "V",
            "c",
            "E",
            "4",
            "C",
            "Y",
            "\\infty",
            "\\mathbb{N}",
            "t",
            "d",
            "5",
            "q",
            "\\alpha",
            "\\epsilon",
            "D",
            "\\pi",
            "z",
            "e",
            "\\delta",
            "I",
            "\\mathbb{Z}",
            "s",
            "\\mathbb{Q}",
            "\\theta",
            "u",
            "H",
            "\\lambda",
            "K",
            "6",
            "Q",
            "h",
            "U",
            "j",
            "\\sim",
            "\\sigma",
            "\\mu",
            "\\mathbb{C}",
            "W",
            "v",
            "10",
            "\\beta",
            "\\phi",
            "\\omega",
            "Z",
            "w",
            "7",
            "8",
            "J",
            "\\mathcal{F}",
        ];
        const RARE: [&str; 40] = [
            "\\varphi",
            "\\gamma",
            "9",
            "12",
            "O",
            "l",
            "\\Omega",
            "\\rho",
            "\\tau",
            "\\leq",
            "\\in",
            "\\psi",
            "\\xi",
            "\\eta",
            "\\Gamma",
            "\\zeta",
            "\\nu",
            "\\chi",
            "\\kappa",
            "\\Delta",
            "\\mathcal{B}",
            "\\mathcal{A}",
            "\\mathfrak{p}",
            "\\mathfrak{g}",
            "\\mathbf{x}",
            "\\mathbf{v}",
            "\\emptyset",
            "\\subseteq",
            "\\to",
            "\\implies",
            "\\ell",
            "\\aleph_{0}",
            "\\hat{f}",
            "\\bar{x}",
            "\\mathcal{C}",
            "\\mathcal{L}",
            "\\Phi",
            "\\Lambda",
            "\\varepsilon",
            "\\cong",
        ];
        if self.draw.percent(10) {
            let number = self.draw.ranked(400, 8.0);
            return self.out.number(number);
        }
        let text = if self.draw.percent(91) {
            SYMBOLS[self.draw.ranked(SYMBOLS.len(), 4.0)]
        } else {
            RARE[self.draw.ranked(RARE.len(), 12.0)]
        };
        self.push(text);
    }

    /// A letter, a number, or a constant of nature.
    pub(super) fn atom(&mut self) {
        let text = match self.draw.weighted(&[40, 18, 16, 12, 8, 4]) {
            0 => self.variables.plain[self.draw.ranked(3, 0.7)],
            1 => return self.number(),
            2 => self.variables.constant[self.draw.ranked(3, 1.0)],
            3 => self.variables.index[self.draw.ranked(2, 0.5)],
            4 => self.variables.greek[self.draw.below(2)],
            _ => self.draw.pick(&["\\pi", "e", "i", "\\pi"]),
        };
        self.push(text);
    }

    pub(super) fn number(&mut self) {
        let number = match self.draw.weighted(&[80, 15, 5]) {
            0 => 1 + self.draw.ranked(9, 1.5),
            1 => self.draw.between(10, 99),
            _ => self.draw.between(100, 2100),
        };
        self.out.number(number);
    }

    /// A letter to which an index or an argument can be given.
    pub(super) fn letter(&mut self) {
        let text = match self.draw.weighted(&[40, 40, 20]) {
            0 => self.variables.constant[self.draw.ranked(3, 1.0)],
            1 => self.variables.plain[self.draw.ranked(3, 1.0)],
            _ => self.variables.set[self.draw.ranked(3, 1.0)],
        };
        self.push(text);
    }
}
