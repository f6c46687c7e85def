//! What each sign does: how it binds, and what its operation is called.

/// What a symbol on a baseline is to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A letter, a number, a fraction, a fence: anything that is a whole of its own.
    Operand,
    /// The name of a function, applied to what follows.
    Function,
    /// A sum, a limit: applied to the term that follows.
    Big,
    /// Any integral sign.
    Integral,
    /// The d of an integral.
    Differential,
    /// Applied to one thing after it: `∂`, `∇`.
    Prefix,
    /// Applied to the thing before it: `!`.
    Postfix,
    Quantifier,
    Not,
    /// Opens something that this sign closes.
    Open(char),
    Close(char),
    /// `|` or `‖`: opens, closes, or stands between.
    Bar,
    Text,
    // From here on signs between operands, the loosest first.
    Comma,
    Semicolon,
    Period,
    Colon,
    /// Between statements that may hold implications: `p→q ≡ ¬q→¬p`.
    Equivalent,
    Implies,
    Or,
    And,
    Relation,
    Union,
    Intersect,
    Add,
    Multiply,
    Modulo,
    /// Nothing that counts.
    Nothing,
}

/// How tightly a sign between operands binds; the loosest is 1. 0 for all others.
pub(super) fn level(kind: Kind) -> u8 {
    match kind {
        Kind::Colon => COLON,
        Kind::Equivalent => 2,
        Kind::Implies => IMPLIES,
        Kind::Or => 4,
        Kind::And => 5,
        Kind::Relation => RELATION,
        Kind::Union => 7,
        Kind::Intersect => 8,
        Kind::Add => ADD,
        Kind::Multiply | Kind::Modulo => MULTIPLY,
        _ => 0,
    }
}

pub(super) const COLON: u8 = 1;
pub(super) const IMPLIES: u8 = 3;
pub(super) const RELATION: u8 = 6;
pub(super) const ADD: u8 = 9;
pub(super) const MULTIPLY: u8 = 10;
/// Products without a sign.
pub(super) const JUXTAPOSED: u8 = 11;

/// What a tag is, and the tag of its operation.
pub(super) fn sign(tag: &str) -> (Kind, &'static str) {
    let bytes = tag.as_bytes();
    match bytes {
        [] => return (Kind::Nothing, ""),
        [b'?', ..] => return (Kind::Operand, ""),
        [b'T', b'!', b'.' | b';'] => return (Kind::Period, ""),
        b"T!mod" => return (Kind::Modulo, "O!rem"),
        [b'T', b'!', ..] => return (Kind::Text, ""),
        [b'V', b'!', name @ ..] => return letter(name, tag),
        [_, b'!', ..] if bytes != b"!!" => return (Kind::Operand, ""),
        _ => {}
    }
    let mut letters = tag.chars();
    let first = letters.next().unwrap_or_default();
    match letters.next() {
        None => of_char(first),
        Some('\u{338}') => negated(first),
        Some(_) => of_word(tag),
    }
}

fn letter(name: &[u8], tag: &str) -> (Kind, &'static str) {
    match name {
        b"#" => (Kind::Prefix, "F!cardinality"),
        [_] => (Kind::Operand, ""),
        [first, ..] if first.is_ascii() => {
            if is_function_name(&tag[2..]) {
                (Kind::Function, "")
            } else {
                match &tag[2..] {
                    "lim sup" | "lim inf" => of_word(&tag[2..]),
                    _ => (Kind::Operand, ""),
                }
            }
        }
        _ => match &tag[2..] {
            "¬" => (Kind::Not, "O!not"),
            "ℜ" | "ℑ" => (Kind::Function, ""),
            "∂" => (Kind::Prefix, "O!partialdiff"),
            "∇" => (Kind::Prefix, "O!gradient"),
            // Typed as they are, some signs count as letters.
            "⊴" | "⊵" | "⊲" | "⊳" | "∀" | "∃" | "∄" | "−" | "±" | "×" | "·" | "⋅" | "→" | "⇒" | "⇔" | "≡"
            | "≈" | "≠" | "≤" | "≥" | "∈" | "∉" | "⊂" | "⊆" | "∪" | "∩" | "∧" | "∨" => {
                of_char(tag.chars().nth(2).unwrap_or_default())
            }
            _ => (Kind::Operand, ""),
        },
    }
}

/// Names that are applied without brackets, too.
pub(super) fn is_function_name(name: &str) -> bool {
    matches!(
        name,
        "sin" | "cos" | "tan" | "cot" | "sec" | "csc" | "sinh" | "cosh" | "tanh" | "coth" | "sech" | "csch"
    ) || matches!(
        name,
        "arcsin" | "arccos" | "arctan" | "arccot" | "arcsec" | "arccsc" | "arcsinh" | "arccosh" | "arctanh"
    ) || matches!(
        name,
        "log"
            | "ln"
            | "lg"
            | "exp"
            | "det"
            | "dim"
            | "ker"
            | "deg"
            | "gcd"
            | "lcm"
            | "arg"
            | "max"
            | "min"
            | "hom"
            | "Hom"
            | "rank"
            | "rk"
            | "tr"
            | "Tr"
            | "sgn"
            | "sign"
            | "Pr"
            | "Var"
            | "Cov"
            | "span"
            | "im"
            | "Im"
            | "Re"
            | "coker"
            | "End"
            | "Aut"
            | "Gal"
            | "Spec"
            | "ord"
            | "erf"
            | "Li"
            | "diag"
            | "adj"
            | "supp"
            | "char"
            | "vol"
            | "diam"
            | "dist"
            | "cis"
            | "arsinh"
            | "arcosh"
            | "artanh"
            | "arctg"
            | "tg"
            | "ctg"
            | "cosec"
            | "cotg"
            | "sinc"
            | "argmax"
            | "argmin"
    )
}

/// Names that people type without a backslash, by their first letter.
pub(super) fn spelled_names(first: u8) -> &'static [&'static str] {
    match first {
        b'a' => &["arcsin", "arccos", "arctan", "arg"],
        b'c' => &["cosh", "cos", "cot", "csc", "coth"],
        b'd' => &["det", "dim", "deg"],
        b'e' => &["exp"],
        b'g' => &["gcd"],
        b'k' => &["ker"],
        b'l' => &["log", "ln", "lcm"],
        b'm' => &["max", "min"],
        b'r' => &["rank"],
        b's' => &["sinh", "sin", "sec", "sgn"],
        b't' => &["tanh", "tan"],
        b'H' => &["Hom"],
        b'I' => &["Im"],
        b'R' => &["Re"],
        b'V' => &["Var"],
        _ => &[],
    }
}

/// The inverse function, if a −1 above the name means it.
pub(super) fn inverse(name: &str) -> Option<&'static str> {
    Some(match name {
        "sin" => "F!arcsin",
        "cos" => "F!arccos",
        "tan" => "F!arctan",
        "cot" => "F!arccot",
        "sec" => "F!arcsec",
        "csc" => "F!arccsc",
        "sinh" => "F!arcsinh",
        "cosh" => "F!arccosh",
        "tanh" => "F!arctanh",
        _ => return None,
    })
}

fn of_word(tag: &str) -> (Kind, &'static str) {
    match tag {
        "&comma;" => (Kind::Comma, ""),
        "&lsqb;" => (Kind::Open(']'), ""),
        "&rsqb;" => (Kind::Close(']'), ""),
        "&quest;" => (Kind::Operand, ""),
        "lim" => (Kind::Big, "O!limit"),
        "sup" => (Kind::Big, "O!supremum"),
        "inf" => (Kind::Big, "O!infimum"),
        "lim sup" | "limsup" => (Kind::Big, "O!limit-supremum"),
        "lim inf" | "liminf" => (Kind::Big, "O!limit-infimum"),
        "inj lim" | "injlim" => (Kind::Big, "O!injective-limit"),
        "proj lim" | "projlim" => (Kind::Big, "O!projective-limit"),
        "mod" | "bmod" => (Kind::Modulo, "O!rem"),
        ":=" | "::=" => (Kind::Relation, "O!assign"),
        "=:" => (Kind::Relation, "O!assigned-to"),
        "==" => (Kind::Relation, "U!eq"),
        "!=" => (Kind::Relation, "U!neq"),
        "<=" => (Kind::Relation, "O!leq"),
        ">=" => (Kind::Relation, "O!geq"),
        "=>" => (Kind::Implies, "O!implies"),
        "->" => (Kind::Relation, "O!to"),
        "<<" => (Kind::Relation, "O!much-less-than"),
        ">>" => (Kind::Relation, "O!much-greater-than"),
        "||" => (Kind::Bar, "O!norm"),
        "!!" => (Kind::Postfix, "O!double-factorial"),
        "..." => (Kind::Operand, ""),
        _ if is_function_name(tag) => (Kind::Function, ""),
        _ => (Kind::Operand, ""),
    }
}

fn of_char(c: char) -> (Kind, &'static str) {
    match c {
        ',' | '\u{2063}' => (Kind::Comma, ""),
        ';' => (Kind::Semicolon, ""),
        '.' => (Kind::Period, ""),
        ':' | '∶' => (Kind::Colon, "O!colon"),
        '(' => (Kind::Open(')'), ""),
        ')' => (Kind::Close(')'), ""),
        '{' => (Kind::Open('}'), ""),
        '}' => (Kind::Close('}'), ""),
        '⟨' | '〈' => (Kind::Open('⟩'), ""),
        '⟩' | '〉' => (Kind::Close('⟩'), ""),
        '⌊' => (Kind::Open('⌋'), ""),
        '⌋' => (Kind::Close('⌋'), ""),
        '⌈' => (Kind::Open('⌉'), ""),
        '⌉' => (Kind::Close('⌉'), ""),
        '⟦' => (Kind::Open('⟧'), ""),
        '⟧' => (Kind::Close('⟧'), ""),
        '|' => (Kind::Bar, "F!abs"),
        '∥' | '‖' => (Kind::Bar, "O!norm"),
        '∣' => (Kind::Relation, "O!divides"),
        '∤' => (Kind::Relation, "O!not-divides"),
        'd' | '𝑑' | 'ⅆ' => (Kind::Differential, ""),
        '∂' => (Kind::Prefix, "O!partialdiff"),
        '∇' => (Kind::Prefix, "O!gradient"),
        '#' => (Kind::Prefix, "F!cardinality"),
        '√' => (Kind::Prefix, "O!root"),
        '!' => (Kind::Postfix, "O!factorial"),
        '%' => (Kind::Postfix, "O!percent"),
        '‰' => (Kind::Postfix, "O!per-mille"),
        '∀' => (Kind::Quantifier, "O!forall"),
        '∃' => (Kind::Quantifier, "O!exists"),
        '∄' => (Kind::Quantifier, "O!not-exists"),
        '¬' => (Kind::Not, "O!not"),
        '∧' | '⋏' => (Kind::And, "U!and"),
        '∨' | '⋎' => (Kind::Or, "U!or"),
        '⊻' => (Kind::Or, "U!exclusive-or"),
        '⇒' | '⟹' => (Kind::Implies, "O!implies"),
        '⇐' | '⟸' => (Kind::Implies, "O!implied-by"),
        '⇔' | '⟺' => (Kind::Implies, "O!iff"),
        '⇏' => (Kind::Implies, "O!not-implies"),
        '∴' => (Kind::Implies, "O!therefore"),
        '∵' => (Kind::Implies, "O!because"),
        '∪' | '⋓' => (Kind::Union, "U!union"),
        '⊎' | '⊔' => (Kind::Union, "U!disjoint-union"),
        '∖' | '\\' => (Kind::Union, "O!setdiff"),
        '△' | '∆' => (Kind::Union, "U!symmetric-difference"),
        '∩' | '⋒' => (Kind::Intersect, "U!intersect"),
        '⊓' => (Kind::Intersect, "U!square-intersection"),
        '+' => (Kind::Add, "U!plus"),
        '-' | '−' | '–' => (Kind::Add, "O!minus"),
        '±' => (Kind::Add, "O!plus-or-minus"),
        '∓' => (Kind::Add, "O!minus-or-plus"),
        '⊕' => (Kind::Add, "O!direct-sum"),
        '⊖' => (Kind::Add, "O!circled-minus"),
        '·' | '⋅' | '∙' | '×' | '*' | '∗' | '•' => (Kind::Multiply, "U!times"),
        '/' | '÷' | '∕' | '⁄' => (Kind::Multiply, "O!divide"),
        '∘' => (Kind::Multiply, "O!compose"),
        '⊗' => (Kind::Multiply, "O!tensor-product"),
        '⊙' => (Kind::Multiply, "O!direct-product"),
        '⊠' => (Kind::Multiply, "O!box-product"),
        '⋆' | '★' => (Kind::Multiply, "O!star"),
        '⋄' | '⋇' => (Kind::Multiply, "O!diamond"),
        '⋉' | '⋊' => (Kind::Multiply, "O!semidirect-product"),
        '↑' => (Kind::Multiply, "O!uparrow"),
        '≀' => (Kind::Multiply, "O!wreath-product"),
        '⨯' => (Kind::Multiply, "O!cross-product"),
        _ => big(c).or_else(|| relation(c)).unwrap_or((Kind::Operand, "")),
    }
}

fn big(c: char) -> Option<(Kind, &'static str)> {
    Some(match c {
        '∑' => (Kind::Big, "O!sum"),
        '∏' => (Kind::Big, "O!product"),
        '∐' => (Kind::Big, "O!coproduct"),
        '⋃' => (Kind::Big, "O!bigcup"),
        '⋂' => (Kind::Big, "O!bigcap"),
        '⋁' => (Kind::Big, "O!bigvee"),
        '⋀' => (Kind::Big, "O!bigwedge"),
        '⨁' => (Kind::Big, "O!bigoplus"),
        '⨂' => (Kind::Big, "O!bigotimes"),
        '⨀' => (Kind::Big, "O!bigodot"),
        '⨄' => (Kind::Big, "O!biguplus"),
        '⨆' => (Kind::Big, "O!bigsqcup"),
        '∫' | '∬' | '∭' | '⨌' => (Kind::Integral, "O!int"),
        '∮' | '∯' | '∰' => (Kind::Integral, "O!contour-integral"),
        _ => return None,
    })
}

fn relation(c: char) -> Option<(Kind, &'static str)> {
    let tag = match c {
        '=' => "U!eq",
        '≠' => "U!neq",
        '<' => "O!lt",
        '>' => "O!gt",
        '≤' | '≦' | '⩽' => "O!leq",
        '≥' | '≧' | '⩾' => "O!geq",
        '≮' => "O!not-less-than",
        '≯' => "O!not-greater-than",
        '≰' => "O!not-less-than-nor-equals",
        '≱' => "O!not-greater-than-nor-equals",
        '≪' => "O!much-less-than",
        '≫' => "O!much-greater-than",
        '≲' => "O!less-than-or-similar-to",
        '≳' => "O!greater-than-or-similar-to",
        '≈' => "U!approx",
        '≅' => "U!approximately-equals",
        '≃' => "U!similar-to-or-equals",
        '∼' | '~' => "U!similar-to",
        '≁' => "U!not-similar-to",
        '≍' => "U!asymptotically-equals",
        '≡' => "U!equivalent",
        '≢' => "U!not-equivalent-to",
        '≐' => "O!approaches-limit",
        '≜' | '≝' | '≔' | '≙' => "O!assign",
        '≕' => "O!assigned-to",
        '∝' => "O!proportional-to",
        '∈' | '∊' => "O!in",
        '∉' => "O!notin",
        '∋' => "O!contains",
        '⊂' => "O!subset",
        '⊆' => "O!subset-of-or-equals",
        '⊊' | '⫋' => "O!prsubset",
        '⊄' => "O!not-subset-of",
        '⊈' => "O!not-subset-of-or-equals",
        '⊃' => "O!superset-of",
        '⊇' => "O!superset-of-or-equals",
        '⊋' => "O!superset-of-and-not-equals",
        '⊲' | '⊳' | '◁' | '◃' => "O!subgroup-of",
        '⊴' | '⊵' => "O!subgroup-of-or-equals",
        '≺' => "O!precedes",
        '≼' | '⪯' => "O!precedes-or-equals",
        '≻' => "O!succeeds",
        '≽' | '⪰' => "O!succeeds-or-equals",
        '⊢' => "O!proves",
        '⊨' | '⊧' => "O!models",
        '⊥' | '⟂' => "U!perpendicular-to",
        '∦' => "U!not-parallel-to",
        '→' | '⟶' => "O!to",
        '←' | '⟵' => "O!from",
        '↔' | '⟷' => "U!leftrightarrow",
        '↦' | '⟼' => "O!maps-to",
        '↪' => "O!hookrightarrow",
        '↩' => "O!hookleftarrow",
        '↠' => "O!twoheadrightarrow",
        '↣' => "O!rightarrowtail",
        '⇝' | '↝' | '⤳' => "O!leads-to",
        '⇀' => "O!rightharpoonup",
        '⇌' => "U!equilibrium",
        '⇉' => "O!rightrightarrows",
        '↗' => "O!nearrow",
        '↘' => "O!searrow",
        '↾' => "O!restricted-to",
        '⋚' => "O!less-than-or-equals-or-greater-than",
        '⌢' | '⌣' => "O!smile",
        _ => return None,
    };
    Some((Kind::Relation, tag))
}

fn negated(c: char) -> (Kind, &'static str) {
    let tag = match c {
        '=' => "U!neq",
        '<' => "O!not-less-than",
        '>' => "O!not-greater-than",
        '∈' => "O!notin",
        '≡' => "U!not-equivalent-to",
        '∼' | '~' => "U!not-similar-to",
        '∣' | '|' => "O!not-divides",
        '⊂' => "O!not-subset-of",
        '⊆' => "O!not-subset-of-or-equals",
        '≤' => "O!not-less-than-nor-equals",
        '≥' => "O!not-greater-than-nor-equals",
        '≈' => "U!not-approx",
        '≅' => "U!not-approximately-equals",
        '→' => "O!not-to",
        '⇒' | '⟹' => return (Kind::Implies, "O!not-implies"),
        '∃' => return (Kind::Quantifier, "O!not-exists"),
        '∀' => return (Kind::Quantifier, "O!not-forall"),
        '∥' => "U!not-parallel-to",
        _ => "O!not-related",
    };
    (Kind::Relation, tag)
}

/// The name of an accent, if the sign over something is one.
pub(super) fn accent(tag: &str) -> Option<&'static str> {
    let mut letters = tag.chars();
    let c = letters.next()?;
    if letters.next().is_some() {
        return None;
    }
    Some(match c {
        '¯' | '‾' | '―' | '\u{305}' | '\u{304}' | '─' | '_' => "O!bar",
        '^' | 'ˆ' | '\u{302}' => "O!hat",
        '~' | '˜' | '\u{303}' => "O!tilde",
        '→' | '⃗' | '⇀' | '⟶' => "O!vec",
        '←' | '⟵' => "O!overleftarrow",
        '↔' => "O!overleftrightarrow",
        '˙' | '.' => "O!dot",
        '¨' => "O!ddot",
        '\u{20db}' => "O!dddot",
        '´' => "O!acute",
        '`' => "O!grave",
        '˘' => "O!breve",
        'ˇ' => "O!check",
        '˚' | '∘' => "O!ring",
        '⏞' => "O!overbrace",
        '⏜' | '⌢' => "O!arc",
        _ => return None,
    })
}

/// The name of a sign under something, if it is a mark and no expression.
pub(super) fn under_accent(tag: &str) -> Option<&'static str> {
    Some(match tag {
        "¯" | "_" | "―" | "‾" | "\u{332}" => "O!underline",
        "⏟" => "O!underbrace",
        "~" | "˜" => "O!undertilde",
        "→" => "O!underrightarrow",
        "←" => "O!underleftarrow",
        _ => return None,
    })
}
