//! LaTeX that stands in the text of a page without delimiters.
//!
//! Two things are made of it.
//! A piece between two tags or formulas that is mathematics from end to end is a formula ([`is_formula`]).
//! Elsewhere the commands of text are carried out or dropped ([`command`]): `\textbf{…}`, `\eqref{…}`, `\item`,
//! `\label{…}`, `\newcommand…`.
//! All other commands stay as they are: mostly somebody says how to type something.

use crate::dollars::{environment_name, is_environment};
use crate::latex::words::{self, Command};

/// A command of text is looked at no further than this.
const LONGEST: usize = 400;

/// What a command in a text becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said<'t> {
    /// This text, and what follows it.
    Text(&'static str),
    /// The text of its argument between the tags of this name.
    Tagged(&'static str, &'t str),
    /// The text of its argument between these.
    Between(&'static str, &'t str, &'static str),
    /// A new line with a bullet, and the label of the item.
    Item(&'t str),
    /// Nothing.
    Nothing,
}

/// What the command at the start of `text` becomes, and how much of the text it is; none if it stays as it is.
///
/// `before` is the character before it: where that belongs to a word or to code, a backslash does not begin a command.
pub(crate) fn command(text: &str, before: Option<char>) -> Option<(Said<'_>, usize)> {
    let name = command_name(text)?;
    if name.len() < 3 || before == Some('`') {
        return None;
    }
    let after = 1 + name.len();
    let rest = &text[after..];
    let joined = before.is_some_and(char::is_alphanumeric);
    match name {
        "begin" | "end" => return environment(text, name),
        "item" => {
            let label = option(rest);
            let length = label.map_or(0, |label| label.len() + 2);
            return (!joined).then_some((Said::Item(label.unwrap_or("")), after + length));
        }
        "eqref" | "tag" => {
            let (argument, length) = argument(rest)?;
            return Some((Said::Between("(", argument, ")"), after + length));
        }
        _ if (name == "def" || words::defines(name)) && rest.starts_with('\\') => {
            let macro_name = command_name(rest)?;
            let length = groups(&rest[1 + macro_name.len()..], 1)?;
            return Some((Said::Nothing, after + 1 + macro_name.len() + length));
        }
        "require" => {
            let length = groups(rest, 1)?;
            return Some((Said::Nothing, after + length));
        }
        "noindent" | "medskip" | "bigskip" | "smallskip" | "centering" | "newpage" | "maketitle" | "par"
        | "hline" | "clearpage" | "hrule" => return (!joined).then_some((Said::Nothing, after)),
        _ => {}
    }
    match words::command(name) {
        Command::Text(text) if !joined => Some((Said::Text(text), after)),
        Command::Inline(open, close) => {
            let (argument, length) = argument(rest)?;
            let said = match open.strip_prefix('<').and_then(|tag| tag.strip_suffix('>')) {
                Some(tag) => Said::Tagged(tag, argument),
                None => Said::Between(open, argument, close),
            };
            Some((said, after + length))
        }
        Command::Heading(..) => {
            let (argument, length) = argument(rest)?;
            Some((Said::Tagged("strong", argument), after + length))
        }
        Command::Drop(count) => {
            let length = groups(rest, count)?;
            Some((Said::Nothing, after + length))
        }
        Command::Text(_) | Command::Unknown => None,
    }
}

/// The name of the command that `text` starts with.
fn command_name(text: &str) -> Option<&str> {
    let name = text.strip_prefix('\\')?;
    let name = &name[..name.bytes().take(LONGEST).take_while(u8::is_ascii_alphabetic).count()];
    (!name.is_empty()).then_some(name)
}

/// The begin or end of an environment of text.
fn environment<'t>(text: &'t str, side: &str) -> Option<(Said<'t>, usize)> {
    let (name, length) = environment_name(text, if side == "begin" { r"\begin" } else { r"\end" })?;
    let name = name.trim_end_matches('*');
    let title = words::environment(name);
    let known = title.is_some()
        || matches!(
            name,
            "itemize"
                | "enumerate"
                | "description"
                | "center"
                | "quote"
                | "quotation"
                | "document"
                | "flushleft"
                | "flushright"
                | "figure"
                | "table"
                | "subequations"
                | "framed"
                | "verse"
        );
    if !known {
        return None;
    }
    let option = option(&text[length..]).map_or(0, |option| option.len() + 2);
    Some(match title {
        Some(title) if side == "begin" => (Said::Tagged("b", title), length + option),
        _ if side == "begin" => (Said::Nothing, length + option),
        _ => (Said::Nothing, length),
    })
}

/// The optional argument at the start of a text.
fn option(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('[')?;
    let end = rest.bytes().take(LONGEST).position(|b| b == b']' || is_special(b))?;
    (rest.as_bytes()[end] == b']').then(|| &rest[..end])
}

/// The plain argument at the start of a text, and how long it is with its braces.
fn argument(text: &str) -> Option<(&str, usize)> {
    let rest = text.strip_prefix('{')?;
    let end = rest.bytes().take(LONGEST).position(|b| b == b'}' || is_special(b))?;
    (rest.as_bytes()[end] == b'}').then(|| (&rest[..end], end + 2))
}

/// Whether a byte is, or may begin, something else than ordinary text.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'{' | b'<' | b'>' | b'&' | b'\\' | b'$' | b'\r' | 0 | 0xC2 | 0xEF)
}

/// So many groups in braces at the start of a text, with optional arguments before each: how long they are together.
/// Tags may not be in them.
fn groups(text: &str, count: u32) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    for _ in 0..count {
        while let Some(option) = option(&text[at..]) {
            at += option.len() + 2;
        }
        if bytes.get(at) != Some(&b'{') {
            return None;
        }
        let mut depth = 0_usize;
        let mut length = 0;
        loop {
            match bytes.get(at + length)? {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b'<' => return None,
                b'\\' => length += 1,
                _ => {}
            }
            length += 1;
            if depth == 0 {
                break;
            }
            if length > LONGEST {
                return None;
            }
        }
        at += length;
    }
    Some(at)
}

/// Letters that are mathematics although they are a word of several letters.
#[rustfmt::skip]
const NAMES: [&str; 30] = [
    "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "log", "exp", "lim", "max", "min", "sup", "inf",
    "det", "dim", "ker", "mod", "gcd", "lcm", "arg", "deg", "sgn", "arcsin", "arccos", "arctan", "rank", "span",
];

/// Words of two letters; other pairs of letters are products, such as `dx`.
#[rustfmt::skip]
const WORDS: [&str; 33] = [
    "am", "an", "as", "at", "be", "by", "do", "eg", "go", "he", "hi", "if", "ie", "in", "is", "it", "me", "my", "no",
    "of", "oh", "ok", "on", "or", "so", "to", "up", "us", "vs", "we", "op", "ah", "re",
];

/// Where in a piece of HTML between two tags the formula is that it consists of, apart from blanks, punctuation and
/// a lost dollar; none if it is prose or has no command of mathematics.
pub(crate) fn formula(piece: &str) -> Option<std::ops::Range<usize>> {
    let punctuation = |c: char| matches!(c, ' ' | '\t' | '\n' | ',' | '.' | ':' | '?' | '!');
    let lead = piece.len() - piece.trim_start_matches(punctuation).len();
    let inner = piece[lead..].trim_end_matches(|c| punctuation(c) || c == ';');
    // `\,` and `&gt;` end with what else is punctuation.
    let cut = &piece[lead + inner.len()..];
    let length = match cut.chars().next() {
        Some(c) if inner.ends_with('\\') => inner.len() + c.len_utf8(),
        Some(';') => {
            let is_entity = |at: usize| inner[at + 1..].bytes().all(|byte| byte.is_ascii_alphanumeric());
            inner.len() + usize::from(inner.rfind('&').is_some_and(is_entity))
        }
        _ => inner.len(),
    };
    let inner = &piece[lead..lead + length];
    let (start, inner) = match (inner.strip_prefix('$'), inner.strip_suffix('$')) {
        (Some(inner), _) => (lead + 1, inner),
        (None, Some(inner)) => (lead, inner),
        (None, None) => (lead, inner),
    };
    is_formula(inner).then(|| start..start + inner.len())
}

/// Whether HTML ends with a span whose formula is a single letter.
pub(crate) fn ends_with_letter(html: &str) -> bool {
    let letter = html.strip_suffix("$</span>").map(str::as_bytes);
    matches!(letter, Some([.., b'$', letter]) if letter.is_ascii_alphabetic())
}

/// Whether HTML starts with a span whose formula is a single letter.
pub(crate) fn starts_with_letter(html: &str) -> bool {
    let end = html.bytes().take(LONGEST).position(|b| b == b'>');
    let content = end.filter(|_| html.starts_with("<span")).map(|end| &html.as_bytes()[end + 1..]);
    matches!(content, Some([b'$', letter, b'$', b'<', ..]) if letter.is_ascii_alphabetic())
}

fn is_formula(text: &str) -> bool {
    // A path of Windows is no formula.
    let is_path = text.get(1..3) == Some(":\\");
    if text.contains(['$', '`', '\u{FDD0}']) || text.starts_with(r"\begin") || is_path {
        return false;
    }
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    let mut commands = 0;
    // Text in braces after `\text` may be prose: up to where the braces are open that deep.
    let mut prose_from = None;
    while let Some(c) = text[at..].chars().next() {
        match c {
            '\\' => {
                let Some(name) = command_name(&text[at..]) else {
                    at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8);
                    continue;
                };
                if matches!(name, "begin" | "end") {
                    let side = if name == "begin" { r"\begin" } else { r"\end" };
                    let Some((name, length)) = environment_name(&text[at..], side) else { return false };
                    if !is_environment(name) {
                        return false;
                    }
                    at += length;
                    continue;
                }
                at += 1 + name.len();
                if matches!(name, "item" | "def" | "require") || words::defines(name) {
                    return false;
                }
                let prose = name.starts_with("text") || name == "mbox";
                if prose && bytes.get(at) == Some(&b'{') {
                    prose_from.get_or_insert(depth);
                } else if name.len() >= 2 && matches!(words::command(name), Command::Unknown) {
                    commands += 1;
                }
                continue;
            }
            '{' => depth += 1,
            '}' => {
                let Some(less) = depth.checked_sub(1) else { return false };
                depth = less;
                if prose_from == Some(depth) {
                    prose_from = None;
                }
            }
            '&' => {
                // An entity is a sign.
                let name = text[at + 1..].bytes().take(8).take_while(u8::is_ascii_alphanumeric).count();
                if bytes.get(at + 1 + name) == Some(&b';') {
                    at += name + 2;
                    continue;
                }
            }
            c if c.is_alphabetic() && prose_from.is_none() => {
                let length = text[at..].find(|c: char| !c.is_alphabetic()).unwrap_or(text.len() - at);
                if is_prose(&text[at..at + length]) {
                    return false;
                }
                at += length;
                continue;
            }
            _ => {}
        }
        at += c.len_utf8();
    }
    depth == 0 && commands > 0
}

/// Whether letters in a row are a word rather than variables.
fn is_prose(letters: &str) -> bool {
    let differentials = letters.len().is_multiple_of(2)
        && letters.len() <= 8
        && letters.as_bytes().chunks(2).all(|pair| pair[0] == b'd' && pair[1].is_ascii_alphabetic());
    let short = letters.chars().count() <= 2;
    let known = |list: &[&str]| list.iter().any(|known| letters.eq_ignore_ascii_case(known));
    if short { known(&WORDS) } else { !differentials && !known(&NAMES) }
}

#[cfg(test)]
mod tests {
    use super::{Said, command, formula};

    #[test]
    fn pieces_of_mathematics() {
        for (piece, expected) in [
            (
                r"\frac{f(z)}{P(z)}=(z-z_0)^{n-m} \frac{h(z)}{Q(z)}",
                Some(r"\frac{f(z)}{P(z)}=(z-z_0)^{n-m} \frac{h(z)}{Q(z)}"),
            ),
            (r" : \lim_{x \to 0}{f(x)} = 1. ", Some(r"\lim_{x \to 0}{f(x)} = 1")),
            (r"o(F) = \iint_F 1 \; dudv", Some(r"o(F) = \iint_F 1 \; dudv")),
            (
                r"\left\| \begin{pmatrix} u\\ v \end{pmatrix} \right\|",
                Some(r"\left\| \begin{pmatrix} u\\ v \end{pmatrix} \right\|"),
            ),
            (r"\sqrt{\pi}$", Some(r"\sqrt{\pi}")),
            (r"$x \le y", Some(r"x \le y")),
            (r"a \text{ for all } b", None),
            (r"a \in \text{ all of } B", Some(r"a \in \text{ all of } B")),
            (r"x \leq\,", Some(r"x \leq\,")),
            (r"\alpha &gt;", Some(r"\alpha &gt;")),
            (r"\alpha;", Some(r"\alpha")),
            (r"C:\Users\me", None),
            (r"use \sim here", None),
            (r"is \frac12", None),
            (r"R\Q", None),
            (r", \dots, ", None),
            (r"`\frac12`", None),
            (r"\frac{1}{2", None),
            (r"\frac}{", None),
            (r"\begin{align}\alpha\end{align}", None),
            (r"\begin{proof}\alpha\end{proof}", None),
            (r"\newcommand{\R}{\mathbb{R}}", None),
            ("x + y", None),
            ("", None),
            ("\\", None),
            ("$\\", None),
        ] {
            assert_eq!(formula(piece).map(|range| &piece[range]), expected, "{piece}");
        }
    }

    #[test]
    fn commands_of_text() {
        for (text, expected) in [
            (r"\textbf{so} x", Some((Said::Tagged("strong", "so"), 11))),
            (r"\eqref{1}.", Some((Said::Between("(", "1", ")"), 9))),
            (r"\ref{eq:a}", Some((Said::Between("[", "eq:a", "]"), 10))),
            (r"\label{a}b", Some((Said::Nothing, 9))),
            (r"\item[a] b", Some((Said::Item("a"), 8))),
            (r"\item b", Some((Said::Item(""), 5))),
            (r"\item[] b", Some((Said::Item(""), 7))),
            (r"\dots, x", Some((Said::Text("…"), 5))),
            (r"\newcommand{\R}{\mathbb{R}} x", Some((Said::Nothing, 27))),
            (r"\newcommand\R[1]{\mathbb{#1}}", Some((Said::Nothing, 29))),
            (r"\def\R{\mathbb{R}}", Some((Said::Nothing, 18))),
            (r"\begin{enumerate}[(a)] x", Some((Said::Nothing, 22))),
            (r"\begin{proof} x", Some((Said::Tagged("b", "Proof"), 13))),
            (r"\end{proof}", Some((Said::Nothing, 11))),
            (r"\section{On it}", Some((Said::Tagged("strong", "On it"), 15))),
            (r"\textbf x", None),
            (r"\textbf{a", None),
            (r"\textbf{<b>}", None),
            (r"\begin{align}", None),
            (r"\frac12", None),
            (r"\o/", None),
            (r"\newcommand{", None),
            (r"\def", None),
            ("\\", None),
        ] {
            assert_eq!(command(text, None), expected, "{text}");
        }
        assert_eq!(command(r"\dots", Some('`')), None);
        assert_eq!(command(r"\item", Some('e')), None);
    }
}
