//! The pieces of plain text, as they look to someone who searches for formulas in it.

use super::ascii::{self, Name};
use std::ops::Range;

/// What a piece may be in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A number.
    Number,
    /// A single letter, a wildcard, an infinity.
    Letter,
    /// Two or three letters that touch a number or sign: a product.
    Product,
    /// A differential with a blank before it: dx.
    Differential,
    /// A backslash and a name that stands for a thing or takes arguments.
    Command,
    /// What braces after a command or script hold.
    Group,
    /// The name of a function.
    Function,
    /// A sign, or a command, between two things.
    Operator,
    /// A sign before a thing, such as ∫ or ∀.
    Prefix,
    /// A word for such a sign before something that may be a formula: `sum 1/n^2`.
    Big,
    /// `^` or `_`.
    Script,
    Open,
    Close,
    Bar,
    /// What belongs to the thing before it: a prime, raised and lowered signs of Unicode, degrees.
    Prime,
    Bang,
    Comma,
    Colon,
    /// Three dots.
    Dots,
    /// A word of a language.
    Word,
    /// Anything else.
    Other,
}

/// A piece of text.
#[derive(Clone, Debug)]
pub(crate) struct Lexeme {
    pub(crate) class: Class,
    pub(crate) span: Range<usize>,
    /// Whether nothing stands between it and the one before.
    pub(crate) glued: bool,
}

/// Functions of one thing that people write without a bracket.
#[rustfmt::skip]
pub(crate) const ELEMENTARY: &[&str] = &[
    "arccos", "arcsin", "arctan", "cos", "cosh", "cot", "csc", "exp", "ln", "log", "sec", "sin", "sinh",
    "tan", "tanh",
];

/// Other names that formulas hold; outside of formulas some are words.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "Aut", "End", "Ext", "GL", "Gal", "Hom", "Im", "Ker", "PGL", "PSL", "Re", "SL", "SO", "SU", "Sp",
    "Spec", "Tor", "Var", "arg", "deg", "det", "diag", "dim", "div", "erf", "gcd", "grad", "inf", "ker",
    "lcm", "lim", "liminf", "limsup", "max", "min", "mod", "rank", "sgn", "span", "sqrt", "sup", "tr",
];

/// Short words that are never products.
#[rustfmt::skip]
const SHORT_WORDS: &[&str] = &[
    "all", "am", "an", "and", "any", "are", "as", "at", "be", "but", "by", "can", "do", "for", "get", "go",
    "has", "he", "how", "if", "iff", "in", "is", "it", "its", "let", "may", "me", "my", "nd", "no", "non",
    "not", "nth", "of", "on", "one", "or", "our", "rd", "set", "so", "st", "th", "the", "to", "two", "up",
    "us", "use", "vs", "was", "we", "why", "you",
];

/// Commands that stand between two things.
#[rustfmt::skip]
const OPERATORS: &[&str] = &[
    "Leftarrow", "Leftrightarrow", "Longrightarrow", "Rightarrow", "ast", "approx", "bmod", "cap", "cdot",
    "circ", "cong", "cup", "div", "equiv", "ge", "geq", "gg", "iff", "implies", "in", "land", "le",
    "leftarrow", "leftrightarrow", "leq", "ll", "longrightarrow", "lor", "mapsto", "mid", "mod", "mp", "ne",
    "neq", "ni", "nmid", "notin", "oplus", "otimes", "over", "parallel", "perp", "pm", "pmod", "prec",
    "propto", "rightarrow", "setminus", "sim", "simeq", "star", "subset", "subseteq", "succ", "supset",
    "supseteq", "times", "to", "vee", "wedge",
];

/// Cuts text into pieces; what a piece is depends on its neighbours only.
pub(crate) fn lexemes(text: &str) -> Vec<Lexeme> {
    let partners = braces(text);
    let mut lexemes: Vec<Lexeme> = Vec::new();
    let mut at = 0;
    let mut end = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let before = lexemes.last().filter(|_| end == at && at > 0).map(|lexeme| lexeme.class);
        let (class, length) = match (first, before) {
            ('{', Some(Class::Script | Class::Command | Class::Group | Class::Close | Class::Function)) => {
                let blank = || text[at..].find(char::is_whitespace).unwrap_or(text.len() - at);
                (Class::Group, partners[at].map_or_else(blank, |partner| partner + 1 - at))
            }
            // `\pmod{5}`, but not `A={1,2}`.
            ('{', Some(Class::Operator)) if text[..at].ends_with(|c: char| c.is_ascii_alphabetic()) => {
                let blank = || text[at..].find(char::is_whitespace).unwrap_or(text.len() - at);
                (Class::Group, partners[at].map_or_else(blank, |partner| partner + 1 - at))
            }
            (_, None) if is_link(&text[at..]) => {
                (Class::Word, text[at..].find(char::is_whitespace).unwrap_or(text.len() - at))
            }
            _ => piece(&text[at..], first, before),
        };
        lexemes.push(Lexeme { class, span: at..at + length, glued: before.is_some() });
        at += length;
        end = at;
    }
    for index in 0..lexemes.len() {
        if lexemes[index].class == Class::Word {
            lexemes[index].class = word(text, &lexemes, index);
        }
    }
    // These depend on what their neighbours are.
    for index in 0..lexemes.len() {
        if lexemes[index].class == Class::Word
            && let Some(class) = named(text, &lexemes, index)
        {
            lexemes[index].class = class;
        }
    }
    lexemes
}

/// What a word of mathematics is among the things around it, if it is no word.
fn named(text: &str, lexemes: &[Lexeme], index: usize) -> Option<Class> {
    let letters = &text[lexemes[index].span.clone()];
    let before = index.checked_sub(1).map(|before| &lexemes[before]);
    let after = lexemes.get(index + 1);
    let shown = |lexeme: &Lexeme| &text[lexeme.span.clone()];
    let is_thing = |lexeme: &Lexeme| match lexeme.class {
        Class::Letter => !matches!(shown(lexeme), "a" | "A" | "I" | "?"),
        Class::Number | Class::Product | Class::Command => true,
        _ => false,
    };
    match letters {
        "choose" => {
            let left = before.is_some_and(|before| is_thing(before) || before.class == Class::Close);
            let right = after.is_some_and(|after| is_thing(after) || after.class == Class::Open);
            (left && right).then_some(Class::Operator)
        }
        "in" => {
            let left = before.is_some_and(|before| is_thing(before) && before.class == Class::Letter);
            let right = after.is_some_and(|after| match after.class {
                Class::Letter => shown(after).starts_with(char::is_uppercase) && shown(after) != "A",
                Class::Open => true,
                _ => matches!(shown(after), "RR" | "ZZ" | "QQ" | "CC" | "NN"),
            });
            (left && right).then_some(Class::Operator)
        }
        "to" => {
            let limit =
                index.checked_sub(2).is_some_and(|limit| matches!(shown(&lexemes[limit]), "lim" | "limit"));
            (limit && before.is_some_and(is_thing) && after.is_some_and(is_thing)).then_some(Class::Operator)
        }
        _ => match ascii::name(letters)? {
            Name::Symbol(_) => {
                let left = before.is_some_and(|before| match before.class {
                    Class::Number | Class::Script | Class::Open | Class::Prefix | Class::Function => true,
                    Class::Operator => shown(before) != "-" || !lexemes[index].glued,
                    Class::Letter => {
                        is_thing(before) && after.is_some_and(|after| after.class == Class::Close)
                    }
                    _ => false,
                });
                let right = after.is_some_and(|after| match after.class {
                    Class::Script => after.glued,
                    Class::Operator => !matches!(shown(after), "-" | "/" | "~") || !after.glued,
                    _ => false,
                });
                let applied = after.is_some_and(|after| shown(after) == "(" && after.glued);
                // pi r^2
                let factor = after.is_some_and(&is_thing)
                    && lexemes.get(index + 2).is_some_and(|next| next.class == Class::Script && next.glued);
                let quotient = after.is_some_and(|after| shown(after) == "/" && after.glued)
                    && lexemes.get(index + 2).is_some_and(|next| next.class == Class::Number);
                (left || right || quotient || applied || factor).then_some(Class::Letter)
            }
            Name::Big(_) | Name::Limit => after
                .is_some_and(|after| {
                    is_thing(after) || matches!(after.class, Class::Open | Class::Function | Class::Script)
                })
                .then_some(Class::Big),
            _ => None,
        },
    }
}

fn is_link(text: &str) -> bool {
    ["http://", "https://", "www."].iter().any(|start| text.starts_with(start))
}

/// For each byte that is an opening brace, the closing one.
fn braces(text: &str) -> Vec<Option<usize>> {
    let (mut partners, mut open) = (vec![None; text.len()], Vec::new());
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' if !escaped => open.push(at),
            b'}' if !escaped => {
                if let Some(start) = open.pop() {
                    partners[start] = Some(at);
                }
            }
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
    }
    partners
}

/// What the text begins with, and its length in bytes.
fn piece(text: &str, first: char, before: Option<Class>) -> (Class, usize) {
    let bytes = text.as_bytes();
    let starts = |signs: &[&str]| signs.iter().find(|sign| text.starts_with(**sign)).map(|sign| sign.len());
    if first == '\\' {
        return command(text);
    }
    if first.is_ascii_digit() {
        let mut length = digits(bytes);
        if bytes.get(length) == Some(&b'.') && bytes.get(length + 1).is_some_and(u8::is_ascii_digit) {
            length += 1 + digits(&bytes[length + 1..]);
        }
        return (Class::Number, length);
    }
    if first == 'Σ' {
        let sum = text['Σ'.len_utf8()..]
            .trim_start()
            .starts_with(|next: char| next.is_ascii_alphanumeric() || matches!(next, '_' | '('));
        return (if sum { Class::Prefix } else { Class::Letter }, first.len_utf8());
    }
    if let Some(length) = starts(&["³√", "⁴√"]) {
        return (Class::Prefix, length);
    }
    if is_thing(first) {
        return (Class::Letter, first.len_utf8());
    }
    if is_raised_or_lowered(first) {
        return (Class::Prime, text.find(|next| !is_raised_or_lowered(next)).unwrap_or(text.len()));
    }
    if first.is_alphanumeric() {
        // Words of a language hold apostrophes: don't, Euler's.
        let is_greek = |letter: char| first.is_ascii() && is_thing(letter);
        let ends = |letter: char| !letter.is_alphabetic() || is_raised_or_lowered(letter) || is_greek(letter);
        let length = text.find(ends).unwrap_or(text.len()).max(first.len_utf8());
        return if length == first.len_utf8() { (Class::Letter, length) } else { (Class::Word, length) };
    }
    if let Some(length) = starts(&["...", "…", "⋯"]) {
        return (Class::Dots, length);
    }
    if let Some(length) = starts(&[
        "<=>", "<->", "-->", "==>", "|->", "<=", ">=", "=>", "=<", "->", "<-", "!=", "==", ":=", "**", "<<",
        ">>",
    ]) {
        return (Class::Operator, length);
    }
    let class = match first {
        '^' | '_' => Class::Script,
        '+' | '-' | '*' | '/' | '=' | '<' | '>' | '~' => Class::Operator,
        '(' | '[' | '{' | '⌊' | '⌈' | '⟨' => Class::Open,
        ')' | ']' | '}' | '⌋' | '⌉' | '⟩' => Class::Close,
        '|' | '‖' => Class::Bar,
        '\'' | '′' | '″' | '°' => Class::Prime,
        '!' => Class::Bang,
        ',' => Class::Comma,
        ':' => Class::Colon,
        '∫' | '∬' | '∮' | '∑' | '∏' | '√' | '∛' | '∜' | '∀' | '∃' | '¬' | '∂' | '∇' => {
            Class::Prefix
        }
        '±'
        | '×'
        | '÷'
        | '·'
        | '\u{2190}'..='\u{21FF}'
        | '\u{2200}'..='\u{22FF}'
        | '\u{27F0}'..='\u{27FF}' => Class::Operator,
        '?' => return wildcard(text, before),
        _ => Class::Other,
    };
    (class, first.len_utf8())
}

/// Letters, digits and signs of Unicode that stand above or below the line: x², aₙ₊₁.
fn is_raised_or_lowered(sign: char) -> bool {
    matches!(sign, '²' | '³' | '¹' | '\u{2070}'..='\u{209C}' | 'ⱼ' | 'ᵀ' | 'ᵃ'..='ᵛ' | 'ʰ' | 'ʲ' | 'ʳ' | 'ˡ' | 'ˢ' | 'ˣ' | 'ᶜ' | 'ᶠ' | 'ᶻ')
}

/// Signs that are things: infinity, the empty set.
fn is_thing(first: char) -> bool {
    matches!(first, '∞' | '∅') || matches!(first, '\u{370}'..='\u{3FF}') && first.is_alphabetic()
}

/// `?`, `?x`, `?x0`, `?12`; behind a thing and before a blank it ends a sentence.
fn wildcard(text: &str, before: Option<Class>) -> (Class, usize) {
    let bytes = text.as_bytes();
    let name = match bytes.get(1) {
        Some(byte) if byte.is_ascii_alphabetic() => 1 + digits(&bytes[2..]),
        _ => digits(&bytes[1..]),
    };
    let sentence = matches!(
        before,
        Some(
            Class::Number
                | Class::Letter
                | Class::Word
                | Class::Group
                | Class::Command
                | Class::Close
                | Class::Bang
        )
    );
    if sentence && name == 0 { (Class::Other, 1) } else { (Class::Letter, 1 + name) }
}

fn command(text: &str) -> (Class, usize) {
    let name = text[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
    if name == 0 {
        return match text[1..].chars().next() {
            Some('{') => (Class::Open, 2),
            Some('}') => (Class::Close, 2),
            Some('|') => (Class::Bar, 2),
            Some(',' | ';' | ':' | '!' | '\\' | '%' | '&' | '#' | '_') => (Class::Command, 2),
            _ => (Class::Other, 1),
        };
    }
    let class = if OPERATORS.contains(&&text[1..=name]) { Class::Operator } else { Class::Command };
    (class, 1 + name)
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// What two or more letters are.
fn word(text: &str, lexemes: &[Lexeme], index: usize) -> Class {
    let lexeme = &lexemes[index];
    let letters = &text[lexeme.span.clone()];
    if ELEMENTARY.contains(&letters) || FUNCTIONS.contains(&letters) {
        return Class::Function;
    }
    let next = lexemes.get(index + 1).filter(|next| next.glued);
    match ascii::name(letters) {
        // abs(x), binom(n,k)
        Some(Name::Command(_) | Name::Around(..) | Name::Pair(_))
            if next.is_some_and(|next| &text[next.span.clone()] == "(") =>
        {
            return Class::Function;
        }
        Some(Name::Big(_) | Name::Limit) if next.is_some_and(|next| next.class == Class::Script) => {
            return Class::Prefix;
        }
        Some(Name::Big(_) | Name::Limit | Name::Symbol(_)) => return Class::Word,
        _ => {}
    }
    // sinx, but not cost.
    if function_and_letter(letters).is_some() {
        return Class::Command;
    }
    if let Some(class) = derivative(text, &lexeme.span) {
        return class;
    }
    if letters.chars().count() > 3 || SHORT_WORDS.iter().any(|word| word.eq_ignore_ascii_case(letters)) {
        return Class::Word;
    }
    let touches = |neighbour: &Lexeme| match neighbour.class {
        Class::Number | Class::Command | Class::Group | Class::Close | Class::Script => true,
        Class::Prime => text[neighbour.span.clone()].starts_with(is_raised_or_lowered),
        // Hyphens and slashes stand between words, too: non-zero, km/h.
        Class::Operator => !matches!(&text[neighbour.span.clone()], "-" | "/" | "*" | "<" | ">"),
        _ => false,
    };
    let before = lexeme.glued.then(|| index.checked_sub(1)).flatten().map(|before| &lexemes[before]);
    let after = lexemes.get(index + 1).filter(|after| after.glued && after.class != Class::Close);
    // Z/nZ, f(cW)
    let mixed = letters.starts_with(char::is_lowercase) && letters.ends_with(char::is_uppercase);
    // log(ab), f(xy)
    let argument = before.is_some_and(|before| before.class == Class::Open)
        && lexemes.get(index.wrapping_sub(2)).is_some_and(|name| {
            matches!(name.class, Class::Function | Class::Letter) && lexemes[index - 1].glued
        })
        && lexemes.get(index + 1).is_some_and(|after| after.class == Class::Close && after.glued);
    // x - AB, A = PQ
    let operand = index.checked_sub(1).map(|before| &lexemes[before]).is_some_and(|sign| {
        let glued = sign.glued == lexeme.glued;
        let left = index.checked_sub(2).map(|left| lexemes[left].class);
        let is_thing = matches!(
            left,
            Some(Class::Letter | Class::Product | Class::Number | Class::Close | Class::Group | Class::Prime)
        );
        sign.class == Class::Operator && glued && is_thing && !lexeme.glued
    });
    // AB = I
    let subject = letters.chars().all(char::is_uppercase)
        && lexemes.get(index + 1).is_some_and(|sign| &text[sign.span.clone()] == "=");
    // AB - BA
    let capitals = |lexeme: &Lexeme| {
        let word = &text[lexeme.span.clone()];
        (2..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let is_sign = |lexeme: &Lexeme| matches!(&text[lexeme.span.clone()], "-" | "+");
    let beside = |sign: Option<usize>, other: Option<usize>| {
        let [sign, other] = [sign, other].map(|place| place.and_then(|place| lexemes.get(place)));
        sign.is_some_and(is_sign) && other.is_some_and(capitals)
    };
    let difference = capitals(lexeme)
        && (beside(Some(index + 1), Some(index + 2)) || beside(index.checked_sub(1), index.checked_sub(2)));
    // ab = ba, Ax = b
    let equation = letters.len() == 2
        && lexemes.get(index + 1).is_some_and(|sign| &text[sign.span.clone()] == "=")
        && lexemes
            .get(index + 2)
            .is_some_and(|right| right.span.len() <= 2 || ascii::name(&text[right.span.clone()]).is_some());
    let is_product = mixed && before.is_some() || argument || operand || subject || difference || equation;
    if before.is_some_and(touches) || after.is_some_and(touches) || is_product {
        return Class::Product;
    }
    let differential = letters.len() == 2 && letters.starts_with('d') && !lexeme.glued;
    if differential && !after.is_some_and(|after| after.class == Class::Word) {
        Class::Differential
    } else {
        Class::Word
    }
}

/// The function and the letter of `sinx`; `cost` is a word.
pub(crate) fn function_and_letter(letters: &str) -> Option<(&str, &str)> {
    let (function, letter) = letters.split_at_checked(letters.len().checked_sub(1)?)?;
    let is_known =
        matches!(letter, "x" | "y" | "z" | "u" | "v" | "n" | "k") && ELEMENTARY.contains(&function);
    is_known.then_some((function, letter))
}

/// What `dy` and `dx` are in `dy/dx`; the latter takes what follows.
fn derivative(text: &str, span: &Range<usize>) -> Option<Class> {
    let is_differential = |word: &str| {
        word.len() == 2 && word.starts_with('d') && word.ends_with(|c: char| c.is_ascii_lowercase())
    };
    if !is_differential(&text[span.clone()]) {
        return None;
    }
    let (before, after) = (&text[..span.start], &text[span.end..]);
    if let Some(above) = before.strip_suffix('/') {
        // d, dy, d^2, d^2y
        let start = above.char_indices().rev().take(4).last().map_or(above.len(), |(at, _)| at);
        let is_word = |at: usize| above[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        let order = |rest: &str| rest.starts_with('^') || rest.chars().count() <= 1;
        let mut places = above[start..].match_indices('d').map(|(at, _)| start + at);
        return places.any(|at| !is_word(at) && order(&above[at + 1..])).then_some(Class::Command);
    }
    let below = after.strip_prefix('/')?;
    let end = below.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(below.len());
    is_differential(&below[..end]).then_some(Class::Product)
}
