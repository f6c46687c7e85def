//! The tokens of mathematics that was typed without LaTeX.

use super::names::{Name, SIGNS, name};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    /// A run of letters.
    Letters,
    /// `^` or `_`.
    Script,
    Slash,
    Open,
    Close,
    /// `|`
    Bar,
    /// `+`, `=`, `<=` and their like.
    Operator,
    /// `√`
    Root,
    Comma,
    /// Signs that belong to what stands before them: `'`, `!`.
    Postfix,
    Other,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    /// How it is written in LaTeX, names aside.
    pub(super) text: &'a str,
    /// Whether a blank stands before it.
    pub(super) spaced: bool,
}

/// Cuts a text into tokens; blanks are dropped.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    // In `n!=n(n-1)!` both are factorials.
    let factorials = text.replace("!=", "").contains('!');
    let (mut at, mut spaced) = (0, false);
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            (at, spaced) = (at + first.len_utf8(), true);
            continue;
        }
        let rest = &text[at..];
        let until = |ends: fn(char) -> bool| rest.find(ends).unwrap_or(rest.len());
        let behind_script = tokens.last().is_some_and(|token| token.kind == Kind::Script);
        let is_sign = |sign: &str| match sign {
            "!=" => spaced || !factorials,
            // The sign of `f^+-f^-`.
            "+-" => !behind_script,
            _ => true,
        };
        let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign) && is_sign(sign));
        let (kind, length, shown) = match first {
            _ if rest.starts_with("**") => (Kind::Script, 2, "^"),
            _ if sign.is_some() => {
                let (sign, shown) = sign.expect("there is one");
                (Kind::Operator, sign.len(), *shown)
            }
            '0'..='9' => {
                let digits = until(|next| !next.is_ascii_digit());
                let decimals = rest[digits..].strip_prefix('.').map_or(0, |decimals| {
                    decimals.find(|next: char| !next.is_ascii_digit()).unwrap_or(decimals.len())
                });
                let length = if decimals > 0 { digits + 1 + decimals } else { digits };
                (Kind::Number, length, &rest[..length])
            }
            'a'..='z' | 'A'..='Z' => {
                let length = until(|next| !next.is_ascii_alphabetic());
                (Kind::Letters, length, &rest[..length])
            }
            '?' if rest[1..].starts_with(|next: char| next.is_ascii_alphanumeric()) => {
                let name = rest[2..].find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len() - 2);
                (Kind::Other, 2 + name, &rest[..2 + name])
            }
            '^' | '_' => (Kind::Script, 1, &rest[..1]),
            '/' => (Kind::Slash, 1, "/"),
            '(' | '[' | '{' => (Kind::Open, 1, &rest[..1]),
            ')' | ']' | '}' => (Kind::Close, 1, &rest[..1]),
            '|' => (Kind::Bar, 1, "|"),
            '*' => (Kind::Operator, 1, "\\cdot"),
            '~' => (Kind::Operator, 1, "\\sim"),
            '+' | '-' | '=' | '<' | '>' | '±' | '×' | '÷' | '·' | '\u{2190}'..='\u{21FF}' => {
                (Kind::Operator, first.len_utf8(), &rest[..first.len_utf8()])
            }
            '∑' | '∏' | '∫' | '∬' | '∮' => {
                (Kind::Operator, first.len_utf8(), &rest[..first.len_utf8()])
            }
            'Σ' if is_summed(rest) => (Kind::Operator, first.len_utf8(), "\\sum"),
            '³' if rest.starts_with("³√") => (Kind::Root, "³√".len(), "\\sqrt[3]"),
            '⁴' if rest.starts_with("⁴√") => (Kind::Root, "⁴√".len(), "\\sqrt[4]"),
            '√' => (Kind::Root, first.len_utf8(), "\\sqrt"),
            '∛' => (Kind::Root, first.len_utf8(), "\\sqrt[3]"),
            '∜' => (Kind::Root, first.len_utf8(), "\\sqrt[4]"),
            ',' | ';' => (Kind::Comma, 1, &rest[..1]),
            '\'' | '!' => (Kind::Postfix, 1, &rest[..1]),
            _ => (Kind::Other, first.len_utf8(), &rest[..first.len_utf8()]),
        };
        tokens.push(Token { kind, text: shown, spaced });
        (at, spaced) = (at + length, false);
    }
    tokens
}

/// Whether a factor can begin so.
pub(super) fn begins_factor(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Number | Kind::Letters | Kind::Open | Kind::Root | Kind::Other)
}

/// Whether a token goes on with an exponent of e: `e^2x`, `e^iπ`.
pub(super) fn is_exponent(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Number => true,
        Kind::Letters => {
            token.text.len() <= 2 || matches!(name(token.text), Some(Name::Symbol(_))) || token.text == "ipi"
        }
        Kind::Other => token.text.chars().all(char::is_alphabetic),
        _ => false,
    }
}

/// `dx` and its like.
pub(super) fn is_differential(letters: &str) -> bool {
    letters.len() == 2
        && letters.starts_with('d')
        && letters.ends_with(|letter: char| letter.is_ascii_lowercase())
}

/// Whether a capital sigma is the sign of a sum.
fn is_summed(rest: &str) -> bool {
    let after = rest.strip_prefix('Σ').unwrap_or_default();
    after.starts_with('_')
        || after.trim_start().starts_with(|next: char| next.is_ascii_alphanumeric() || next == '(')
}
