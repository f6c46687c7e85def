//! What a sign on a baseline does in approach0's grammar.

use super::Token;
use crate::slt::{Edge, Slt, SltId};

/// What a sign does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A symbol that stands in a hanger.
    Symbol(Token),
    /// The name of a function or a big operator.
    Head(Token),
    /// Between operands.
    Between(Operator),
    /// After its operand.
    Factorial,
    Prime,
    /// An opening sign that layout trees do not take for a fence.
    Open(Token),
    /// A closing sign.
    Close,
    /// Not seen by the grammar.
    Nothing,
}

/// An operator and how strongly it binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// Separators, arrows, quantifiers: weakest, from right to left.
    Outer(Token),
    /// Relations and set operations: from right to left.
    Relation(Token),
    /// Sums, with the sign of what follows.
    Add(Sign),
    Modular,
    Times,
    Frac,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

/// The role of an identifier.
pub(super) fn identifier(text: &str) -> Role {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (None, _) => Role::Nothing,
        (Some(letter), None) => sign(letter),
        (Some('&'), _) => operator(text),
        _ => Role::Head(name(text)),
    }
}

/// The class of a name of several letters.
pub(super) fn name(text: &str) -> Token {
    match text {
        "sin" | "cos" | "tan" | "cot" | "sec" | "csc" | "sinh" | "cosh" | "tanh" | "coth" | "sech"
        | "csch" | "arcsin" | "arccos" | "arctan" | "arccot" | "arcsec" | "arccsc" => Token::Trigonometric,
        "log" | "ln" | "lg" => Token::Log,
        "exp" => Token::Exp,
        "max" | "min" => Token::Maxmin,
        "lim" => Token::Lim,
        "sup" | "inf" | "lim sup" | "lim inf" | "limsup" | "liminf" => Token::Infsup,
        "arg" => Token::Arg,
        _ => Token::NameFun,
    }
}

/// Names that are also seen when they are typed as single letters; none before its own beginning.
const TYPED: [&str; 28] = [
    "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "coth", "sin", "cos", "tan", "cot", "sec", "csc",
    "log", "ln", "lg", "exp", "max", "min", "sup", "inf", "det", "deg", "dim", "gcd", "ker", "arg", "hom",
];

/// A name typed as single letters (`logn`), and its last letter. Letters with blanks between them are none.
pub(super) fn typed_name(slt: &Slt, first: SltId) -> Option<(&'static str, SltId)> {
    let letter = |id| slt.tag(id).strip_prefix("V!").filter(|letter| letter.len() == 1);
    let beginning = letter(first)?;
    TYPED.into_iter().filter(|name| name.starts_with(beginning)).find_map(|name| {
        let mut at = first;
        for place in 1..name.len() {
            // Only the last letter carries scripts.
            if slt.children(at).any(|(edge, _)| edge != Edge::Next) {
                return None;
            }
            let next = slt.next(at)?;
            let [before, after] = [at, next].map(|id| slt.span(id));
            let apart = !before.is_empty() && !after.is_empty() && before.end != after.start;
            if apart || letter(next)? != &name[place..=place] {
                return None;
            }
            at = next;
        }
        Some((name, at))
    })
}

/// The role of an operator's tag.
pub(super) fn operator(text: &str) -> Role {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (None, _) => Role::Nothing,
        (Some(letter), None) => sign(letter),
        _ => match text {
            "&comma;" => Role::Between(Operator::Outer(Token::Sep)),
            "&quest;" => Role::Nothing,
            "&lsqb;" => Role::Open(Token::Group),
            "&rsqb;" => Role::Close,
            ":=" | "=:" | "==" | "!=" | "<=" | ">=" => Role::Between(Operator::Relation(Token::Gtls)),
            "mod" => Role::Between(Operator::Modular),
            _ if text.chars().all(char::is_alphabetic) || text.starts_with("lim") => Role::Head(name(text)),
            // Several signs of a kind in one.
            _ if text.chars().all(|c| sign(c) == Role::Prime) => Role::Prime,
            _ if text.chars().all(|c| c == '!') => Role::Factorial,
            _ if text.chars().all(|c| c == '|') => Role::Symbol(Token::Vert),
            _ if text.chars().all(|c| c == '.') => Role::Symbol(Token::Dots),
            _ => Role::Symbol(Token::Var),
        },
    }
}

fn sign(sign: char) -> Role {
    use Operator::{Add, Frac, Outer, Relation, Times};
    let between = Role::Between;
    match sign {
        '+' | '±' | '∓' | '⊕' | '∔' => between(Add(Sign::Plus)),
        '-' | '−' | '–' | '∖' | '\\' | '¬' | '⊖' => between(Add(Sign::Minus)),
        '×' | '·' | '⋅' | '⊗' | '⊙' => between(Times),
        '/' | '÷' | '∕' => between(Frac),
        '=' | '<' | '>' | '≤' | '≥' | '≠' | '≈' | '≡' | '∼' | '~' | '≅' | '≃' | '≍' | '≐' | '≪' | '≫'
        | '≺' | '≻' | '⪯' | '⪰' | '≼' | '≽' | '⩽' | '⩾' | '≦' | '≧' | '≲' | '≳' | '≜' | '≔' | '≕' | '≢'
        | '≁' | '≉' | '≄' | '≇' | '≮' | '≯' | '≰' | '≱' | '⊀' | '⊁' | '≑' | '≗' | '⋘' | '⋙' => {
            between(Relation(Token::Gtls))
        }
        '∈' | '∉' | '∋' | '∌' | '∊' | '∍' => between(Relation(Token::Inni)),
        '⊂' | '⊃' | '⊆' | '⊇' | '⊄' | '⊅' | '⊈' | '⊉' | '⊊' | '⊋' | '⊏' | '⊐' | '⊑' | '⊒' | '⫋' | '⫌'
        | '⋐' | '⋑' => between(Relation(Token::Subset)),
        '∪' | '∩' | '∧' | '∨' | '⊔' | '⊓' | '⊎' | '⋒' | '⋓' | '⊻' => {
            between(Relation(Token::Capcup))
        }
        '∥' | '∦' => between(Relation(Token::Parall)),
        '∝' => between(Relation(Token::Propto)),
        '⋈' => between(Relation(Token::Bowtie)),
        '←'..='⇿' | '⟵'..='⟿' => between(Outer(Token::Arrow)),
        ',' | ';' | ':' => between(Outer(Token::Sep)),
        '∀' => between(Outer(Token::Forall)),
        '∃' | '∄' => between(Outer(Token::Exists)),
        '!' => Role::Factorial,
        '′' | '\'' | '″' | '‴' | '⁗' => Role::Prime,
        '∑' => Role::Head(Token::Sum),
        '∏' | '∐' => Role::Head(Token::Prod),
        '∫'..='∳' => Role::Head(Token::Int),
        '⋃' | '⋂' | '⨄' | '⨅' | '⨆' | '⋀' | '⋁' => Role::Head(Token::Bcapcup),
        '⨀' | '⨁' | '⨂' => Role::Head(Token::Bigo),
        '(' | '{' => Role::Open(Token::Group),
        ')' | '}' | '⌋' | '⌉' => Role::Close,
        '⌊' => Role::Open(Token::Floor),
        '⌈' => Role::Open(Token::Ceil),
        '|' | '∣' | '∤' | '‖' => Role::Symbol(Token::Vert),
        '⟨' | '⟩' | '∠' | '△' | '▵' | '◁' | '▷' | '⊲' | '⊳' | '∡' => {
            Role::Symbol(Token::Angle)
        }
        '∞' => Role::Symbol(Token::Infty),
        'π' => Role::Symbol(Token::Pi),
        '∅' => Role::Symbol(Token::Empty),
        '∂' | '∇' => Role::Symbol(Token::Partial),
        '⊥' | '⟂' => Role::Symbol(Token::Perp),
        '∘' | '°' => Role::Symbol(Token::Circ),
        '%' => Role::Symbol(Token::Percent),
        '*' | '∗' => Role::Symbol(Token::Star),
        '…' | '⋯' | '⋮' | '⋱' => Role::Symbol(Token::Dots),
        '.' | '"' | '@' | '#' | '$' | '&' | '?' => Role::Nothing,
        _ => Role::Symbol(Token::Var),
    }
}

/// How many strokes a prime has.
pub(super) fn strokes(text: &str) -> usize {
    text.chars()
        .map(|c| match c {
            '″' => 2,
            '‴' => 3,
            '⁗' => 4,
            _ => 1,
        })
        .sum()
}
