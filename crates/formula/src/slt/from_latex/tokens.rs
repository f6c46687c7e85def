//! What each symbol is to the grammar of a baseline.

use super::grammar::Token;
use latex::Class;

/// Whether an operand may end with this.
pub(super) fn ends_operand(token: Token) -> bool {
    matches!(
        token,
        Token::Operand
            | Token::LetterD
            | Token::Postfix
            | Token::Close(_)
            | Token::Bar
            | Token::Script(_)
            | Token::Modifier
    )
}

/// What a symbol of this class is to the grammar.
pub(super) fn token_of(class: Class, c: Option<char>) -> Token {
    let sign = c.unwrap_or_default();
    match class {
        Class::Ord | Class::Inner => Token::Operand,
        Class::BigOp | Class::LimitFunction => Token::BigOp,
        Class::Integral => Token::Integral,
        Class::Function => Token::Function,
        Class::Bin if is_add_op(sign) => Token::AddOp,
        Class::Bin => Token::MulOp,
        Class::Prefix => match sign {
            '∇' | '√' => Token::Operator,
            _ => Token::BigOp,
        },
        Class::Rel | Class::Arrow => match sign {
            '∣' | '∥' => Token::Bar,
            '<' | '>' => Token::Angle,
            ':' | '⊢' | '⊣' | '↔' | '⇔' | '⇌' | '⟷' | '⟺' | '∴' | '∵' => {
                Token::MetaRelation
            }
            _ => Token::Relation,
        },
        Class::Open | Class::Close | Class::Fence => delimiter_token(sign, class),
        Class::Punct => match sign {
            '.' => Token::Period,
            ':' => Token::MetaRelation,
            _ => Token::Punct,
        },
        Class::Postfix => Token::Postfix,
    }
}

pub(super) fn delimiter_token(sign: char, class: Class) -> Token {
    // `\bigl)` is typed, and closes all the same.
    match sign {
        '(' | '[' | '{' | '⟨' | '⌊' | '⌈' => return Token::Open(sign),
        ')' | ']' | '}' | '⟩' | '⌋' | '⌉' => return Token::Close(sign),
        _ => {}
    }
    match class {
        Class::Open => Token::Open(sign),
        Class::Close => Token::Close(sign),
        _ if matches!(sign, '|' | '∥' | '‖' | '∣') => Token::Bar,
        _ => Token::MulOp,
    }
}

/// What a name is to the grammar.
pub(super) fn named_token(name: &str, class: Class) -> Token {
    match name {
        "mod" => Token::ModifierOp,
        "cos" | "cosh" | "cot" | "coth" | "csc" | "sec" | "sin" | "sinh" | "tan" | "tanh" => {
            Token::TrigFunction
        }
        "gcd" | "max" | "min" | "Pr" => Token::Function,
        "dim" => Token::BigOp,
        _ => token_of(class, None),
    }
}

/// Whether a binary operator binds more loosely than multiplication.
fn is_add_op(c: char) -> bool {
    matches!(
        c,
        '+' | '-'
            | '−'
            | '±'
            | '∓'
            | '∩'
            | '∪'
            | '⊎'
            | '⊓'
            | '⊔'
            | '∨'
            | '∧'
            | '∖'
            | '⋄'
            | '△'
            | '▽'
    ) || matches!(
        c,
        '⊕' | '⊖'
            | '∔'
            | '⋒'
            | '⋓'
            | '⊼'
            | '⊻'
            | '⊟'
            | '⊞'
            | '⊤'
            | '⊥'
            | '⊝'
            | '⊺'
            | '⋏'
            | '⋎'
    )
}
