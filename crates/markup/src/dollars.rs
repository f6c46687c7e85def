//! Formulas between dollars, in `\(…\)` and `\[…\]`, and in environments.
//!
//! What counts, beyond what TeX says, since dollars are money too:
//! * `\$` is a dollar; `\\` is one thing, so `\\(` opens nothing.
//! * `$…$` ends at the first dollar that is not inside braces (or at the first one at all, where braces do not match).
//! * An inline formula does not go over a blank line; no formula goes over a block of HTML, code or another formula.
//! * `$…$` neither starts nor ends with a blank and no digit follows it: `$5 and $10` and `$5-$10` are money, `$5$`
//!   is a formula. With blanks at both ends it must look like mathematics: `$ x^2 $`.
//! * What starts with an amount and goes on with words (`5 million in US`), or is three words or more, is prose unless
//!   something in it looks like mathematics.
//!
//! In LaTeX there is no money: there the last two rules do not hold.

use std::ops::Range;

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

/// Environments that are formulas; those of the first group are mere delimiters.
const ENVIRONMENTS: [&str; 19] = [
    "math",
    "displaymath",
    "equation",
    "equation*",
    "align",
    "align*",
    "alignat",
    "alignat*",
    "gather",
    "gather*",
    "multline",
    "multline*",
    "eqnarray",
    "eqnarray*",
    "flalign",
    "flalign*",
    "dmath",
    "dmath*",
    "displaymath*",
];

/// Looks for formulas; remembers what it looked for in vain, so that the whole takes linear time.
pub(crate) struct Finder {
    flavour: Flavour,
    /// Up to where there is no `$` outside braces, `$$`, `\)`, `\]`, and end of each environment.
    vain: [usize; 4 + ENVIRONMENTS.len()],
    lexer: Lexer,
}

const BRACED: usize = 0;
const DOUBLE: usize = 1;
const ROUND: usize = 2;
const SQUARE: usize = 3;
const ENVIRONMENT: usize = 4;

/// What ends a formula.
#[derive(Clone, Copy)]
enum Close<'c> {
    /// A dollar, with braces counted or not.
    Dollar { braces: bool },
    /// These characters.
    Text(&'c str),
}

/// How a search for an end went.
enum Search {
    Found(usize),
    /// Nothing up to here, and nothing may go on beyond.
    Vain(usize),
}

impl Finder {
    pub(crate) fn new(flavour: Flavour) -> Self {
        Self { flavour, vain: [0; 4 + ENVIRONMENTS.len()], lexer: Lexer::default() }
    }

    /// The formula that starts at `at`, where `text` has a `$` or a `\`.
    pub(crate) fn at(&mut self, text: &str, at: usize) -> Option<Hit> {
        let rest = &text[at..];
        if rest.starts_with("$$") {
            let inner = self.search(text, at + 2, DOUBLE, Close::Text("$$"))?;
            return hit(at + 2..inner, inner + 2, Display::Block, Origin::Dollars);
        }
        if rest.starts_with('$') {
            return self.dollar(text, at);
        }
        if rest.starts_with(r"\(") {
            let inner = self.search(text, at + 2, ROUND, Close::Text(r"\)"))?;
            return hit(at + 2..inner, inner + 2, Display::Inline, Origin::Brackets);
        }
        if rest.starts_with(r"\[") {
            let inner = self.search(text, at + 2, SQUARE, Close::Text(r"\]"))?;
            return hit(at + 2..inner, inner + 2, Display::Block, Origin::Brackets);
        }
        let name_at = r"\begin{".len();
        let name = rest.strip_prefix(r"\begin{")?;
        let name = &name[..name.bytes().take(16).position(|b| b == b'}')?];
        let kind = ENVIRONMENTS.iter().position(|known| *known == name)?;
        let end = format!("\\end{{{name}}}");
        let start = at + name_at + name.len() + 1;
        let inner = self.search(text, start, ENVIRONMENT + kind, Close::Text(&end))?;
        let after = inner + end.len();
        match name {
            "math" => hit(start..inner, after, Display::Inline, Origin::Environment),
            "displaymath" | "displaymath*" => hit(start..inner, after, Display::Block, Origin::Environment),
            _ if text[start..inner].trim().is_empty() => {
                hit(start..inner, after, Display::Block, Origin::Environment)
            }
            _ => hit(at..after, after, Display::Block, Origin::Environment),
        }
    }

    fn dollar(&mut self, text: &str, at: usize) -> Option<Hit> {
        let start = at + 1;
        let end = match self.search(text, start, BRACED, Close::Dollar { braces: true }) {
            Some(end) => end,
            None => match self.close(text, start, Close::Dollar { braces: false }) {
                Search::Found(end) => end,
                Search::Vain(_) => return None,
            },
        };
        let inner = &text[start..end];
        let after = end + 1;
        let fine = match self.flavour {
            Flavour::Latex => !inner.trim().is_empty(),
            Flavour::Html | Flavour::Plain => {
                !text[after..].starts_with(|c: char| c.is_ascii_digit()) && is_formula(inner)
            }
        };
        if fine { hit(start..end, after, Display::Inline, Origin::Dollars) } else { None }
    }

    fn search(&mut self, text: &str, from: usize, kind: usize, close: Close<'_>) -> Option<usize> {
        if from < self.vain[kind] {
            return None;
        }
        match self.close(text, from, close) {
            Search::Found(at) => Some(at),
            Search::Vain(up_to) => {
                self.vain[kind] = up_to;
                None
            }
        }
    }

    fn close(&mut self, text: &str, from: usize, close: Close<'_>) -> Search {
        let bytes = text.as_bytes();
        let inline = matches!(close, Close::Dollar { .. } | Close::Text(r"\)"));
        let mut depth = 0_u32;
        let mut at = from;
        while let Some(&byte) = bytes.get(at) {
            if let Close::Text(end) = close
                && byte == end.as_bytes()[0]
                && text[at..].starts_with(end)
            {
                return Search::Found(at);
            }
            match byte {
                b'\\' => {
                    // Whatever is escaped is one character, which may be long.
                    at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8);
                    continue;
                }
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                b'$' => {
                    if let Close::Dollar { braces } = close
                        && (depth == 0 || !braces)
                    {
                        return Search::Found(at);
                    }
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
                        let stops = (lexeme.tag.is_block() || matches!(lexeme.tag, Tag::Code))
                            || ["script", "style", "textarea", "math"].contains(&lexeme.local())
                            || lexeme.starts_formula()
                            || (lexeme.tag == Tag::A && lexeme.end == Side::End);
                        if stops {
                            return Search::Vain(at);
                        }
                        at = lexeme.after;
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

/// Whether what stands between two dollars is a formula rather than money or prose.
fn is_formula(inner: &str) -> bool {
    let trimmed = inner.trim();
    if trimmed.is_empty() {
        return false;
    }
    let strong = |c: char| matches!(c, '\\' | '^' | '_' | '=' | '{' | '+' | '<' | '>' | '|');
    let is_math = trimmed.contains(strong) || trimmed.contains("&lt;") || trimmed.contains("&gt;");
    let blanks = [inner.starts_with(char::is_whitespace), inner.ends_with(char::is_whitespace)];
    match blanks {
        [false, false] => {}
        [true, true] => return is_math,
        _ => return false,
    }
    if is_math {
        return true;
    }
    let is_word = |word: &str| {
        word.chars().count() >= 2
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | ',' | '.'))
    };
    let words = trimmed.split_whitespace().filter(|word| is_word(word)).count();
    let amount = trimmed.starts_with(|c: char| c.is_ascii_digit()) && trimmed.contains(char::is_whitespace);
    !(words >= 3 || (amount && words >= 1))
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
            ("\\", &[]),
        ] {
            check(Flavour::Plain, text, expected);
        }
        check(Flavour::Html, "$a <em>b</em> c$ $x<p>y$ $x</p>$ $u<v$", &["a <em>b</em> c", "u<v"]);
        check(Flavour::Latex, "$ x $ 5$ % $\n$", &[" x ", " % $\n"]);
    }
}
