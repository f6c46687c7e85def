//! Formulas between dollars, in `\(…\)` and `\[…\]`, and in environments.
//!
//! What counts, beyond what TeX says, since dollars are money too:
//! * `\$` is a dollar; `\\` is one thing, so `\\(` opens nothing.
//! * `$…$` ends at the first dollar that is not inside braces (or at the first one at all, where braces do not match).
//! * An inline formula does not go over a blank line; no formula goes over a block of HTML, code or another formula.
//! * `$…$` neither starts nor ends with a blank and no digit follows it: `$5 and $10` and `$5-$10` are money, `$5$`
//!   is a formula. With a blank at an end it must look like mathematics, the more so with one at one end only: `$ x^2 $`,
//!   `$x^2 $`.
//! * What starts with an amount and goes on with words (`5 million in US`), or is three words or more, is prose unless
//!   something in it looks like mathematics.
//! * An environment ends at its own end, past others of its name inside it; only then may it go over the end of a
//!   paragraph and over formulas' spans. Where ends are missing, the innermost that is whole counts.
//!
//! LaTeX sources have no prices, so the rules about blanks and words do not apply to them.

use std::ops::Range;

use crate::span::{self, Shape};
use crate::tag::{Lexer, Side, Tag};
use crate::{Display, Origin};

/// What the text around is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flavour {
    /// HTML: tags may stand in a formula.
    Html,
    /// Text or Markdown.
    Plain,
    /// LaTeX: every dollar is a delimiter.
    Latex,
}

/// A formula with delimiters.
#[derive(Debug)]
pub(crate) struct Hit {
    /// Its content; for most environments, the environment.
    pub(crate) inner: Range<usize>,
    /// Where the text goes on.
    pub(crate) after: usize,
    pub(crate) display: Display,
    pub(crate) origin: Origin,
}

/// Environments that are formulas; `math` and `displaymath` are mere delimiters.
#[rustfmt::skip]
const ENVIRONMENTS: [&str; 44] = [
    "math", "displaymath", "displaymath*", "equation", "equation*", "align", "align*", "alignat", "alignat*", "gather",
    "gather*", "multline", "multline*", "eqnarray", "eqnarray*", "flalign", "flalign*", "xalignat", "xalignat*",
    "dmath", "dmath*", "IEEEeqnarray", "IEEEeqnarray*", "split", "aligned", "alignedat", "gathered",
    "array", "subarray", "matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "matrix*", "pmatrix*",
    "bmatrix*", "smallmatrix", "cases", "dcases", "rcases", "numcases", "CD",
];

/// The longest of their names, and the blanks that may stand before the brace.
const LONGEST_NAME: usize = 16;
const MOST_BLANKS: usize = 8;

/// Looks for formulas; remembers what it looked for in vain, so that the whole takes linear time.
pub(crate) struct Finder {
    flavour: Flavour,
    /// Up to where there is no `$` outside braces, `$$`, `\)`, `\]`, own end of each environment, and end at all.
    vain: [usize; KINDS],
    lexer: Lexer,
}

const BRACED: usize = 0;
const DOUBLE: usize = 1;
const ROUND: usize = 2;
const SQUARE: usize = 3;
const OWN_END: usize = 4;
const FIRST_END: usize = OWN_END + ENVIRONMENTS.len();
const KINDS: usize = FIRST_END + ENVIRONMENTS.len();

/// What ends a formula.
#[derive(Clone, Copy)]
enum Close<'c> {
    /// A dollar, with braces counted or not.
    Dollar { braces: bool },
    /// These characters.
    Text(&'c str),
    /// The end of an environment of this name.
    Environment { name: &'c str, nesting: Nesting },
}

/// What an environment of the same name inside an environment means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nesting {
    /// It ends by itself.
    Counted,
    /// The one around it is not closed.
    None,
}

/// How a search for an end went.
enum Search {
    /// Where the end begins and where the text goes on.
    Found(usize, usize),
    /// Nothing up to here, and nothing may go on beyond.
    Vain(usize),
}

impl Finder {
    pub(crate) fn new(flavour: Flavour) -> Self {
        Self { flavour, vain: [0; KINDS], lexer: Lexer::default() }
    }

    /// The formula that starts at `at`, where `text` has a `$` or a `\`.
    pub(crate) fn at(&mut self, text: &str, at: usize) -> Option<Hit> {
        let rest = &text[at..];
        if rest.starts_with("$$") {
            let (inner, after) = self.search(text, at + 2, DOUBLE, Close::Text("$$"))?;
            return hit(at + 2..inner, after, Display::Block, Origin::Dollars);
        }
        if rest.starts_with('$') {
            return self.dollar(text, at);
        }
        if rest.starts_with(r"\(") {
            let (inner, after) = self.search(text, at + 2, ROUND, Close::Text(r"\)"))?;
            return hit(at + 2..inner, after, Display::Inline, Origin::Brackets);
        }
        if rest.starts_with(r"\[") {
            let (inner, after) = self.search(text, at + 2, SQUARE, Close::Text(r"\]"))?;
            return hit(at + 2..inner, after, Display::Block, Origin::Brackets);
        }
        self.environment(text, at)
    }

    fn environment(&mut self, text: &str, at: usize) -> Option<Hit> {
        let (name, length) = environment_name(&text[at..], r"\begin")?;
        let kind = ENVIRONMENTS.iter().position(|known| *known == name)?;
        let start = at + length;
        let close = |nesting| Close::Environment { name, nesting };
        let (inner, after) = match self.search(text, start, OWN_END + kind, close(Nesting::Counted)) {
            Some(found) => found,
            None => self.search(text, start, FIRST_END + kind, close(Nesting::None))?,
        };
        match name {
            "math" => hit(start..inner, after, Display::Inline, Origin::Environment),
            "displaymath" | "displaymath*" => hit(start..inner, after, Display::Block, Origin::Environment),
            _ => match text[start..inner].trim() {
                "" => hit(start..inner, after, Display::Block, Origin::Environment),
                // "Put it between \begin{align} and \end{align}."
                "and" | "or" | "to" | "..." | "…" if self.flavour != Flavour::Latex => None,
                _ => hit(at..after, after, Display::Block, Origin::Environment),
            },
        }
    }

    fn dollar(&mut self, text: &str, at: usize) -> Option<Hit> {
        let start = at + 1;
        let (end, after) = match self.search(text, start, BRACED, Close::Dollar { braces: true }) {
            Some(found) => found,
            None => match self.close(text, start, Close::Dollar { braces: false }) {
                Search::Found(end, after) => (end, after),
                Search::Vain(_) => return None,
            },
        };
        let inner = &text[start..end];
        // `5$ + 6$` is an amount before its sign, `$a$ +$b$` ends one formula and begins another.
        let lead = text[..at].chars().next_back().filter(|_| inner.starts_with(char::is_whitespace));
        let between = lead.is_some_and(|c| {
            c.is_ascii_digit()
                || ((c.is_alphanumeric() || matches!(c, '}' | ')' | ']'))
                    && text[after..].starts_with(char::is_alphanumeric))
        });
        let fine = match self.flavour {
            Flavour::Latex => !inner.trim().is_empty(),
            // `$ $` keeps a distance; in `$x$ $y$` it is not a formula.
            Flavour::Html | Flavour::Plain if inner.trim().is_empty() && !inner.is_empty() => {
                !text[..at].ends_with(char::is_alphanumeric)
                    && !text[after..].starts_with(|c: char| !c.is_whitespace() && c != '<')
            }
            Flavour::Html | Flavour::Plain => {
                !text[after..].starts_with(|c: char| c.is_ascii_digit()) && !between && is_formula(inner)
            }
        };
        if fine { hit(start..end, after, Display::Inline, Origin::Dollars) } else { None }
    }

    fn search(&mut self, text: &str, from: usize, kind: usize, close: Close<'_>) -> Option<(usize, usize)> {
        if from < self.vain[kind] {
            return None;
        }
        match self.close(text, from, close) {
            Search::Found(at, after) => Some((at, after)),
            Search::Vain(up_to) => {
                self.vain[kind] = up_to;
                None
            }
        }
    }

    fn close(&mut self, text: &str, from: usize, close: Close<'_>) -> Search {
        let bytes = text.as_bytes();
        let inline = matches!(close, Close::Dollar { .. } | Close::Text(r"\)"));
        let own = matches!(close, Close::Environment { nesting: Nesting::Counted, .. });
        let braces = matches!(close, Close::Dollar { braces: true });
        let mut depth = 0_u32;
        let mut at = from;
        while let Some(&byte) = bytes.get(at) {
            if let Close::Text(end) = close
                && byte == end.as_bytes()[0]
                && text[at..].starts_with(end)
            {
                return Search::Found(at, at + end.len());
            }
            match byte {
                b'\\' => {
                    if let Close::Environment { name, nesting } = close {
                        if environment_name(&text[at..], r"\begin").is_some_and(|(begun, _)| begun == name) {
                            if nesting == Nesting::None {
                                return Search::Vain(at);
                            }
                            depth += 1;
                        } else if let Some((ended, length)) = environment_name(&text[at..], r"\end")
                            && ended == name
                        {
                            if depth == 0 {
                                return Search::Found(at, at + length);
                            }
                            depth -= 1;
                        }
                    }
                    // Whatever is escaped is one character, which may be long; but a tag is a tag.
                    let escaped = text[at + 1..].chars().next();
                    let tag = self.flavour == Flavour::Html && escaped == Some('<');
                    at += 1 + if tag { 0 } else { escaped.map_or(0, char::len_utf8) };
                    continue;
                }
                b'{' if braces => depth += 1,
                b'}' if braces => depth = depth.saturating_sub(1),
                b'$' if matches!(close, Close::Dollar { .. }) && depth == 0 => {
                    return Search::Found(at, at + 1);
                }
                b'\n' if inline => {
                    let line = &text[at + 1..];
                    let next = line.bytes().find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
                    if next.is_none() || next == Some(b'\n') {
                        return Search::Vain(at);
                    }
                }
                b'%' if self.flavour == Flavour::Latex => {
                    at = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
                    continue;
                }
                b'<' if self.flavour == Flavour::Html => {
                    if text[at..].starts_with("<!--") {
                        return Search::Vain(at);
                    }
                    if let Some(lexeme) = self.lexer.read(text, at)
                        && lexeme.is_known()
                    {
                        let formula = lexeme.starts_formula();
                        let block = lexeme.tag.is_block() && !(own && lexeme.tag == Tag::P);
                        let stops = (block || matches!(lexeme.tag, Tag::Code))
                            || ["script", "style", "textarea", "math"].contains(&lexeme.local())
                            || (formula && !own)
                            || (lexeme.tag == Tag::A && lexeme.end == Side::End);
                        if stops {
                            return Search::Vain(at);
                        }
                        at = lexeme.after;
                        if formula {
                            let extent = span::extent(text, at, &mut self.lexer);
                            if extent.shape == Shape::Unclosed {
                                return Search::Vain(at);
                            }
                            at = extent.after;
                        }
                        continue;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        Search::Vain(bytes.len())
    }
}

fn hit(inner: Range<usize>, after: usize, display: Display, origin: Origin) -> Option<Hit> {
    Some(Hit { inner, after, display, origin })
}

/// The name in `\begin{name}` or `\end{name}` (`\begin` or `\end` is `command`), and how long the whole is.
pub(crate) fn environment_name<'t>(text: &'t str, command: &str) -> Option<(&'t str, usize)> {
    let rest = text.strip_prefix(command)?;
    let blanks = rest.bytes().take(MOST_BLANKS).take_while(|b| *b == b' ').count();
    let name = rest[blanks..].strip_prefix('{')?;
    let length = name.bytes().take(LONGEST_NAME).position(|b| b == b'}')?;
    Some((&name[..length], command.len() + blanks + length + 2))
}

/// Whether an environment of this name is a formula by itself.
pub(crate) fn is_environment(name: &str) -> bool {
    ENVIRONMENTS.contains(&name)
}

/// Whether what stands between two dollars is a formula rather than money or prose.
fn is_formula(inner: &str) -> bool {
    let trimmed = inner.trim();
    // After the end of a formula: `$x$, 5$`.
    let mut chars = inner.chars();
    let goes_on = chars.next().is_some_and(|c| matches!(c, ',' | ';' | '.' | ':' | '?' | '!'))
        && chars.next().is_some_and(char::is_whitespace);
    if trimmed.is_empty() || goes_on || is_address(trimmed) {
        return false;
    }
    let strong = |c: char| matches!(c, '\\' | '^' | '_' | '=' | '{' | '+' | '<' | '>' | '|');
    let is_math = trimmed.contains(strong) || trimmed.contains("&lt;") || trimmed.contains("&gt;");
    let words = words_outside_braces(trimmed);
    let blanks = [inner.starts_with(char::is_whitespace), inner.ends_with(char::is_whitespace)];
    match blanks {
        [false, false] => {}
        [true, true] => return is_math && words < 3,
        _ if trimmed.contains(['\\', '^', '_']) => return words < 3,
        // `$y(x) $` is a formula, `$5 (cash) $` is not.
        _ => {
            let call = trimmed.contains('(') && trimmed.starts_with(char::is_alphabetic);
            return words == 0 && (is_math || call);
        }
    }
    if is_math {
        return true;
    }
    let amount = trimmed.starts_with(|c: char| c.is_ascii_digit()) && trimmed.contains(char::is_whitespace);
    !(words >= 3 || (amount && words >= 1))
}

/// Words of two letters and more that stand between blanks and in no braces.
fn words_outside_braces(text: &str) -> usize {
    let is_word = |word: &str| {
        word.chars().count() >= 2
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | ',' | '.'))
    };
    let mut depth = 0_usize;
    let mut words = 0;
    for word in text.split_whitespace() {
        words += usize::from(depth == 0 && is_word(word));
        for byte in word.bytes() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    words
}

/// Whether this is a piece of an address: `%7Bx%5Ey`.
fn is_address(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'%', bytes).any(|at| {
        !bytes[..at].ends_with(b"\\")
            && bytes
                .get(at + 1..at + 3)
                .is_some_and(|code| code.iter().all(|b| b.is_ascii_digit() || (b'A'..=b'F').contains(b)))
    })
}

#[cfg(test)]
mod tests {
    use super::{Finder, Flavour};

    fn check(flavour: Flavour, text: &str, expected: &[&str]) {
        let mut finder = Finder::new(flavour);
        let mut found = Vec::new();
        let mut at = 0;
        while at < text.len() {
            if matches!(text.as_bytes()[at], b'$' | b'\\') {
                if let Some(hit) = finder.at(text, at) {
                    found.push(&text[hit.inner]);
                    at = hit.after;
                    continue;
                }
                if text[at..].starts_with("$$") {
                    at += 1;
                }
                if text.as_bytes()[at] == b'\\' {
                    at += 1;
                }
            }
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn formulas_and_money() {
        for (text, expected) in [
            ("$x$", &["x"][..]),
            ("a $5$ b", &["5"]),
            ("$5 and $10", &[]),
            ("$5-$10", &[]),
            ("from $5 million to $6 million", &[]),
            ("$5 million in US$ or so", &[]),
            ("I paid $20 for $x$", &["x"]),
            ("$x$-axis, the $n$th", &["x", "n"]),
            ("$ x $", &[]),
            ("$ x^2 $", &[" x^2 "]),
            ("$$x$$", &["x"]),
            ("$$ x $$ $y$", &[" x ", "y"]),
            (r"\$x$y$", &["y"]),
            (r"\(x\) \[y\] \\(z\\)", &["x", "y"]),
            (r"$\text{if $x$ is}$", &[r"\text{if $x$ is}"]),
            ("${$", &["{"]),
            (r"$a\$b$", &[r"a\$b"]),
            ("$a\n\nb$", &[]),
            ("$a\nb$", &["a\nb"]),
            (r"\begin{align}a&=b\end{align}", &[r"\begin{align}a&=b\end{align}"]),
            (r"\begin{math}a\end{math}", &["a"]),
            (r"\begin{proof}a\end{proof}", &[]),
            (r"\begin{align}a", &[]),
            (r"$$\begin{align}a\end{align}$$", &[r"\begin{align}a\end{align}"]),
            ("$one two three$", &[]),
            ("$abc$", &["abc"]),
            ("$", &[]),
            ("$$", &[]),
            ("$$$", &[]),
            ("$$$$", &[""]),
            ("a $ $ b$ $c $ $", &[" ", " "]),
            ("$x^2 $, $y(t) $,$ z=1$", &["x^2 ", "y(t) ", " z=1"]),
            ("$5 (cash) $, 5$ + 6$, $5 + tax and $", &[]),
            ("b$ +$c", &[]),
            (r"$\alpha$ or $ it is said that x=1 $", &[r"\alpha"]),
            ("$%7Bx%5Ey=1%7D$", &[]),
            (
                r"\begin{array}{c}\begin{array}{c}a\end{array}\end{array}",
                &[r"\begin{array}{c}\begin{array}{c}a\end{array}\end{array}"],
            ),
            (r"\begin{align}a\begin{align}b\end{align}", &[r"\begin{align}b\end{align}"]),
            (r"\begin {pmatrix}a\end{pmatrix}", &[r"\begin {pmatrix}a\end{pmatrix}"]),
            (r"\begin{align} and \end{align}", &[]),
            ("\\", &[]),
        ] {
            check(Flavour::Plain, text, expected);
        }
        check(Flavour::Html, "$a <em>b</em> c$ $x<p>y$ $x</p>$ $u<v$", &["a <em>b</em> c", "u<v"]);
        check(Flavour::Latex, "$ x $ 5$ % $\n$", &[" x ", " % $\n"]);
    }
}
