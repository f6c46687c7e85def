//! Formulas as the words that approach0's encoders read.
//!
//! Every token of the LaTeX becomes one word between dollars: commands by their name, letters without their font,
//! braces and brackets as they are. Numbers are written digit by digit ([`Lexing::Version3`], of 2023), or one of
//! several digits as a single word for all such numbers ([`Lexing::Version1`], of 2022).

/// How numbers become words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lexing {
    /// Of two digits or more: one word for all.
    Version1,
    /// Digit by digit.
    Version3,
}

/// The word for a number of several digits.
const SOME_NUMBER: &str = "somenum";

/// Fonts: neither they nor their braces leave a word.
#[rustfmt::skip]
const FONTS: &[&str] = &[
    "boldsymbol", "mathbb", "mathbf", "mathcal", "mathfrak", "mathit", "mathop", "mathrm", "mathscr", "mathsf",
    "mathtt", "operatorname", "text", "textbf", "textit", "textrm",
];

/// Sizes, spacing and fonts that take no braces, which leave no word.
#[rustfmt::skip]
const SILENT: &[&str] = &[
    "Big", "Bigg", "Bigl", "Bigr", "bf", "big", "bigg", "biggl", "biggr", "bigl", "bigr", "cal", "displaystyle",
    "it", "left", "limits", "middle", "nolimits", "qquad", "quad", "right", "rm", "scriptstyle", "textstyle", "tt",
];

/// Commands that stand for the same sign as another.
const SAME: &[(&str, &str)] = &[
    ("cfrac", "frac"),
    ("dfrac", "frac"),
    ("tfrac", "frac"),
    ("dbinom", "binom"),
    ("tbinom", "binom"),
    ("geq", "ge"),
    ("leq", "le"),
    ("neq", "ne"),
    ("rightarrow", "to"),
    ("lbrace", "{"),
    ("rbrace", "}"),
];

/// Writes the words of a formula, each with blanks around it.
pub(crate) fn formula_words(latex: &str, lexing: Lexing, out: &mut String) {
    let mut words = Words { out, open: Vec::new() };
    words.out.push(' ');
    let mut rest = latex;
    while let Some(first) = rest.chars().next() {
        rest = match first {
            '\\' => words.command(&rest[1..]),
            '0'..='9' if lexing == Lexing::Version1 => words.number(rest),
            _ => {
                words.sign(first);
                &rest[first.len_utf8()..]
            }
        };
    }
}

struct Words<'o> {
    out: &'o mut String,
    /// For each open brace whether it left a word.
    open: Vec<bool>,
}

impl Words<'_> {
    fn word(&mut self, word: &str) {
        self.out.push('$');
        self.out.push_str(word);
        self.out.push_str("$ ");
    }

    /// Reads the digits of a number; says what follows.
    fn number<'t>(&mut self, rest: &'t str) -> &'t str {
        let digits = rest.find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len());
        self.word(if digits > 1 { SOME_NUMBER } else { &rest[..digits] });
        &rest[digits..]
    }

    /// Reads a command behind its backslash; says what follows.
    fn command<'t>(&mut self, rest: &'t str) -> &'t str {
        let length = rest.find(|next: char| !next.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(length);
        match name {
            "" => {
                let Some(sign) = rest.chars().next() else { return rest };
                match sign {
                    '\\' => self.word("newline"),
                    '{' | '}' | '|' | '%' | '#' | '&' | '_' => self.word(sign.encode_utf8(&mut [0; 4])),
                    _ => {}
                }
                &rest[sign.len_utf8()..]
            }
            // The name of an environment says nothing, its rows do.
            "begin" | "end" => match after.strip_prefix('{').and_then(|inside| inside.split_once('}')) {
                Some((_, after)) => after,
                None => after,
            },
            _ if FONTS.contains(&name) => match after.trim_start().strip_prefix('{') {
                Some(inside) => {
                    self.open.push(false);
                    inside
                }
                None => after,
            },
            _ if SILENT.contains(&name) => after,
            _ => {
                let same = SAME.iter().find(|(known, _)| *known == name);
                self.word(same.map_or(name, |(_, same)| same));
                after
            }
        }
    }

    fn sign(&mut self, sign: char) {
        let name = match sign {
            '+' => "plus",
            '-' | '−' => "minus",
            '=' => "equal",
            '^' => "supscript",
            '_' => "subscript",
            '*' => "times",
            '/' => "div",
            '<' => "lt",
            '>' => "gt",
            '!' => "factorial",
            '\'' => "prime",
            '&' | '$' | '~' => return,
            '{' => {
                self.open.push(true);
                "{"
            }
            '}' => {
                if self.open.pop() == Some(false) {
                    return;
                }
                "}"
            }
            _ if sign.is_whitespace() => return,
            _ => return self.word(sign.encode_utf8(&mut [0; 4])),
        };
        self.word(name);
    }
}

#[cfg(test)]
mod tests {
    use super::{Lexing, formula_words};

    fn words(latex: &str) -> String {
        words_by(latex, Lexing::Version3)
    }

    fn words_by(latex: &str, lexing: Lexing) -> String {
        let mut out = String::new();
        formula_words(latex, lexing, &mut out);
        out.trim().to_owned()
    }

    #[test]
    fn formulas_become_the_words_of_approach0() {
        for (latex, expected) in [
            ("x^2", "$x$ $supscript$ $2$"),
            (r"\frac{1}{2}+x_{12}", "$frac$ ${$ $1$ $}$ ${$ $2$ $}$ $plus$ $x$ $subscript$ ${$ $1$ $2$ $}$"),
            (
                r"\int_0^\infty e^{-x^2}dx",
                "$int$ $subscript$ $0$ $supscript$ $infty$ $e$ $supscript$ ${$ $minus$ $x$ $supscript$ $2$ $}$ $d$ $x$",
            ),
            (r"\mathbb{R}^n \to \mathbb{R}", "$R$ $supscript$ $n$ $to$ $R$"),
            (r"f_3(n) = \binom n2", "$f$ $subscript$ $3$ $($ $n$ $)$ $equal$ $binom$ $n$ $2$"),
            (r"\sin\alpha \le 3.14", "$sin$ $alpha$ $le$ $3$ $.$ $1$ $4$"),
            (r"\begin{align}x&=1\\y&=2\end{align}", "$x$ $equal$ $1$ $newline$ $y$ $equal$ $2$"),
        ] {
            assert_eq!(words(latex), expected, "{latex}");
        }
    }

    #[test]
    fn the_first_version_has_one_word_for_all_longer_numbers() {
        for (latex, expected) in [
            ("x^2", "$x$ $supscript$ $2$"),
            (
                r"\frac{1}{2}+x_{12}",
                "$frac$ ${$ $1$ $}$ ${$ $2$ $}$ $plus$ $x$ $subscript$ ${$ $somenum$ $}$",
            ),
            (r"\sin\alpha \le 3.14", "$sin$ $alpha$ $le$ $3$ $.$ $somenum$"),
            (r"f_3(n) = \binom n2", "$f$ $subscript$ $3$ $($ $n$ $)$ $equal$ $binom$ $n$ $2$"),
            ("10", "$somenum$"),
        ] {
            assert_eq!(words_by(latex, Lexing::Version1), expected, "{latex}");
        }
    }

    #[test]
    fn broken_latex_is_no_trouble() {
        for latex in ["", "\\", "}", "{", r"\mathbb", r"\mathbb{", r"\begin", r"\begin{", "é\\é"] {
            assert!(words(latex).len() < 40, "{latex}");
        }
    }
}
