//! What each symbol is to the labs' grammar, and what it means to them.

/// The part of speech of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A letter of which nothing is known.
    Unknown,
    /// Anything that is complete: a fraction, a word, a known constant.
    Atom,
    Number,
    /// A table.
    Array,
    /// Takes arguments in parentheses only.
    Function,
    /// Takes any argument.
    OpFunction,
    /// The same, but not another of its kind.
    TrigFunction,
    /// `∑`, `lim`, `∀`, `∂`.
    BigOp,
    Integral,
    /// `∇`
    Operator,
    AddOp,
    MulOp,
    Relation,
    MetaRelation,
    ModifierOp,
    /// `(mod n)`
    Modifier,
    Postfix,
    Punct,
    Period,
    Open,
    Close,
    /// A bar that may be either.
    Bar,
    /// Primes.
    Prime,
    PostSub,
    PostSup,
    FloatSub,
    FloatSup,
}

impl Role {
    pub(super) fn is_script(self) -> bool {
        matches!(self, Self::PostSub | Self::PostSup | Self::FloatSub | Self::FloatSup)
    }
}

/// What a symbol is in Content MathML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Only its own letters.
    Letters,
    /// An element.
    Sign(&'static str),
    /// A symbol of LaTeXML's dictionary.
    Symbol(&'static str),
}

use Meaning::{Letters, Sign, Symbol};

/// What an operator's text is.
pub(super) fn operator(text: &str) -> (Role, Meaning) {
    if let Some(negated) = text.strip_suffix('\u{338}').filter(|rest| !rest.is_empty()) {
        return (Role::Relation, negation(negated));
    }
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(c), None) => sign(c),
        _ => word(text),
    }
}

/// What a name or a sign of several characters is.
fn word(text: &str) -> (Role, Meaning) {
    match text {
        ":=" => (Role::Relation, Symbol("assign")),
        "!!" => (Role::Postfix, Symbol("double-factorial")),
        "mod" => (Role::ModifierOp, Symbol("modulo")),
        "lim" => (Role::BigOp, Sign("limit")),
        "det" => (Role::BigOp, Sign("determinant")),
        "dim" => (Role::BigOp, Symbol("dimension")),
        "inf" => (Role::BigOp, Symbol("infimum")),
        "sup" => (Role::BigOp, Symbol("supremum")),
        "lim inf" | "liminf" => (Role::BigOp, Symbol("limit-infimum")),
        "lim sup" | "limsup" => (Role::BigOp, Symbol("limit-supremum")),
        "inj lim" => (Role::BigOp, Symbol("injective-limit")),
        "proj lim" => (Role::BigOp, Symbol("projective-limit")),
        "||" | "|||" => (Role::Bar, Letters),
        "&comma;" => (Role::Punct, Letters),
        "&lsqb;" => (Role::Open, Letters),
        "&rsqb;" => (Role::Close, Letters),
        "&amp;" => (Role::AddOp, Sign("and")),
        "" => (Role::Atom, Letters),
        _ if text.chars().all(|c| c == '′') => (Role::Prime, Letters),
        _ => (Role::Unknown, Letters),
    }
}

/// What the name of a function is, typed as such.
pub(super) fn function(name: &str) -> (Role, Meaning) {
    match name {
        "sin" => (Role::TrigFunction, Sign("sin")),
        "cos" => (Role::TrigFunction, Sign("cos")),
        "tan" => (Role::TrigFunction, Sign("tan")),
        "cot" => (Role::TrigFunction, Sign("cot")),
        "sec" => (Role::TrigFunction, Sign("sec")),
        "csc" => (Role::TrigFunction, Sign("csc")),
        "sinh" => (Role::TrigFunction, Sign("sinh")),
        "cosh" => (Role::TrigFunction, Sign("cosh")),
        "tanh" => (Role::TrigFunction, Sign("tanh")),
        "coth" => (Role::TrigFunction, Symbol("hyperbolic-cotangent")),
        "arccos" => (Role::OpFunction, Sign("arccos")),
        "arcsin" => (Role::OpFunction, Sign("arcsin")),
        "arctan" => (Role::OpFunction, Sign("arctan")),
        "arg" => (Role::OpFunction, Sign("arg")),
        "deg" => (Role::OpFunction, Symbol("degree")),
        "exp" => (Role::OpFunction, Sign("exp")),
        "gcd" => (Role::OpFunction, Sign("gcd")),
        "ker" => (Role::OpFunction, Symbol("kernel")),
        "ln" => (Role::OpFunction, Sign("ln")),
        "log" => (Role::OpFunction, Sign("log")),
        "max" => (Role::OpFunction, Sign("max")),
        "min" => (Role::OpFunction, Sign("min")),
        "ℜ" => (Role::OpFunction, Sign("real")),
        "ℑ" => (Role::OpFunction, Sign("imaginary")),
        _ => match word(name) {
            (Role::Unknown, _) => (Role::OpFunction, Letters),
            known => known,
        },
    }
}

/// What an identifier that was not typed as a function is.
pub(super) fn identifier(text: &str) -> (Role, Meaning) {
    match text {
        "∞" => (Role::Atom, Sign("infinity")),
        "∅" => (Role::Atom, Sign("emptyset")),
        "ℏ" => (Role::Atom, Symbol("Planck-constant-over-2-pi")),
        "℘" => (Role::Unknown, Symbol("Weierstrass-p")),
        "∁" => (Role::Unknown, Symbol("complement")),
        "…" | "⋯" | "⋮" | "⋱" => (Role::Atom, Letters),
        "∂" => (Role::BigOp, Sign("partialdiff")),
        "∀" | "∃" | "∄" | "¬" | "∇" | "⊤" | "⊥" => operator(text),
        _ => (Role::Unknown, Letters),
    }
}

/// A relation with a stroke through it.
fn negation(text: &str) -> Meaning {
    match operator(text).1 {
        Sign("eq") => Sign("neq"),
        Sign("in") => Sign("notin"),
        Sign("lt") => Symbol("not-less-than"),
        Sign("gt") => Symbol("not-greater-than"),
        Sign("leq") => Symbol("not-less-than-or-equals"),
        Sign("geq") => Symbol("not-greater-than-or-equals"),
        Sign("equivalent") => Symbol("not-equivalent-to"),
        Sign("approx") => Symbol("not-approximately-equals"),
        Sign("subset") if text == "⊆" => Symbol("not-subset-of-or-equals"),
        Sign("subset") => Symbol("not-subset-of"),
        Sign("exists") => Symbol("not-exists"),
        Sign("implies") => Symbol("not-implies"),
        Symbol("superset-of") => Symbol("not-superset-of"),
        Symbol("superset-of-or-equals") => Symbol("not-superset-of-or-equals"),
        Symbol("similar-to") => Symbol("not-similar-to"),
        Symbol("similar-to-or-equals") => Symbol("not-similar-to-or-equals"),
        Symbol("contains") => Symbol("not-contains"),
        Symbol("parallel-to") => Symbol("not-parallel-to"),
        Symbol("perpendicular-to") => Symbol("not-perpendicular-to"),
        Symbol("precedes") => Symbol("not-precedes"),
        Symbol("succeeds") => Symbol("not-succeeds"),
        Symbol("models") => Symbol("not-models"),
        Symbol("proves") => Symbol("not-proves"),
        Symbol("much-less-than") => Symbol("not-much-less-than"),
        Symbol("much-greater-than") => Symbol("not-much-greater-than"),
        Symbol("proportional-to") => Symbol("not-proportional-to"),
        _ if matches!(text, "∣" | "|") => Symbol("not-divides"),
        _ => Letters,
    }
}

fn sign(c: char) -> (Role, Meaning) {
    match c {
        '(' | '[' | '{' | '⟨' | '⌊' | '⌈' => (Role::Open, Letters),
        ')' | ']' | '}' | '⟩' | '⌋' | '⌉' => (Role::Close, Letters),
        '|' | '∥' | '‖' | '∣' => (Role::Bar, Letters),
        ',' | ';' => (Role::Punct, Letters),
        '.' => (Role::Period, Letters),
        '!' => (Role::Postfix, Sign("factorial")),
        '%' => (Role::Postfix, Symbol("percent")),
        '′' => (Role::Prime, Letters),
        '∇' => (Role::Operator, Letters),
        '√' => (Role::Operator, Symbol("square-root")),
        '$' => (Role::Operator, Symbol("currency-dollar")),
        '¬' => (Role::Function, Sign("not")),
        '∄' => (Role::Function, Symbol("not-exists")),
        _ => add_op(c)
            .map(|meaning| (Role::AddOp, meaning))
            .or_else(|| mul_op(c).map(|meaning| (Role::MulOp, meaning)))
            .or_else(|| big_op(c))
            .or_else(|| meta_relation(c).map(|meaning| (Role::MetaRelation, meaning)))
            .or_else(|| relation(c).map(|meaning| (Role::Relation, meaning)))
            .unwrap_or((Role::Unknown, Letters)),
    }
}

fn add_op(c: char) -> Option<Meaning> {
    Some(match c {
        '+' => Sign("plus"),
        '-' | '−' => Sign("minus"),
        '±' => Symbol("plus-or-minus"),
        '∓' => Symbol("minus-or-plus"),
        '∩' => Sign("intersect"),
        '∪' => Sign("union"),
        '⊓' => Symbol("square-intersection"),
        '⊔' => Symbol("square-union"),
        '∨' | '⋎' => Sign("or"),
        '∧' | '⋏' | '&' => Sign("and"),
        '∖' => Sign("setdiff"),
        '⊲' => Symbol("subgroup-of"),
        '⊳' => Symbol("contains-as-subgroup"),
        '⊴' => Symbol("subgroup-of-or-equals"),
        '⊵' => Symbol("contains-as-subgroup-or-equals"),
        '⊕' => Symbol("direct-sum"),
        '⊖' => Symbol("symmetric-difference"),
        '⊤' => Symbol("top"),
        '⊥' => Symbol("bottom"),
        '⋒' => Symbol("double-intersection"),
        '⋓' => Symbol("double-union"),
        '⊼' => Symbol("not-and"),
        '⊻' => Symbol("exclusive-or"),
        '⊎' | '⋄' | '△' | '▽' | '◁' | '▷' | '∔' | '⊟' | '⊞' | '⊝' | '⊺' => Letters,
        _ => return None,
    })
}

fn mul_op(c: char) -> Option<Meaning> {
    Some(match c {
        '*' | '×' => Sign("times"),
        '/' | '÷' => Sign("divide"),
        '∘' => Sign("compose"),
        '⊗' => Symbol("tensor-product"),
        '⊙' => Symbol("direct-product"),
        '⨿' => Symbol("coproduct"),
        '⋉' => Symbol("left-normal-factor-semidirect-product"),
        '⋊' => Symbol("right-normal-factor-semidirect-product"),
        '⋋' => Symbol("left-semidirect-product"),
        '⋌' => Symbol("right-semidirect-product"),
        '∗' | '⋆' | '∙' | '•' | '⋅' | '·' | '≀' | '⊘' | '○' | '◯' | '†' | '‡' | '\\' | '⊠' | '⊡' | '⋇'
        | '⊛' | '⊚' => Letters,
        _ => return None,
    })
}

fn big_op(c: char) -> Option<(Role, Meaning)> {
    Some(match c {
        '∫' => (Role::Integral, Sign("int")),
        '∮' => (Role::Integral, Symbol("contour-integral")),
        '∬' => (Role::Integral, Symbol("double-integral")),
        '∭' => (Role::Integral, Symbol("triple-integral")),
        '⨌' => (Role::Integral, Symbol("quadruple-integral")),
        '∑' => (Role::BigOp, Sign("sum")),
        '∏' => (Role::BigOp, Symbol("product")),
        '∐' => (Role::BigOp, Symbol("coproduct")),
        '⋂' => (Role::BigOp, Sign("intersect")),
        '⋃' => (Role::BigOp, Sign("union")),
        '⨆' => (Role::BigOp, Symbol("square-union")),
        '⋁' => (Role::BigOp, Sign("or")),
        '⋀' => (Role::BigOp, Sign("and")),
        '⨂' => (Role::BigOp, Symbol("tensor-product")),
        '⨁' => (Role::BigOp, Symbol("direct-sum")),
        '⨄' => (Role::BigOp, Symbol("symmetric-difference")),
        '⨀' => (Role::BigOp, Letters),
        '∀' => (Role::BigOp, Symbol("for-all")),
        '∃' => (Role::BigOp, Sign("exists")),
        '∂' => (Role::BigOp, Sign("partialdiff")),
        _ => return None,
    })
}

fn meta_relation(c: char) -> Option<Meaning> {
    Some(match c {
        '⊢' => Symbol("proves"),
        '⊣' => Symbol("does-not-prove"),
        '∴' => Symbol("therefore"),
        '∵' => Symbol("because"),
        '⇔' => Symbol("iff"),
        ':' | '↔' | '⟺' | '⇌' | '⟷' => Letters,
        _ => return None,
    })
}

fn relation(c: char) -> Option<Meaning> {
    Some(match c {
        '=' => Sign("eq"),
        '≠' => Sign("neq"),
        '<' => Sign("lt"),
        '>' => Sign("gt"),
        '≤' | '≦' | '⩽' | '⪕' => Sign("leq"),
        '≥' | '≧' | '⩾' | '⪖' => Sign("geq"),
        '≡' => Sign("equivalent"),
        '≈' | '≅' => Sign("approx"),
        '∼' => Symbol("similar-to"),
        '≃' => Symbol("similar-to-or-equals"),
        '≍' => Symbol("asymptotically-equals"),
        '≐' => Symbol("approaches-limit"),
        '≑' => Symbol("geometrically-equals"),
        '≊' => Symbol("approximately-equals-or-equals"),
        '≺' => Symbol("precedes"),
        '⪯' | '≼' => Symbol("precedes-or-equals"),
        '≻' => Symbol("succeeds"),
        '⪰' | '≽' => Symbol("succeeds-or-equals"),
        '≪' => Symbol("much-less-than"),
        '≫' => Symbol("much-greater-than"),
        '⋘' => Symbol("very-much-less-than"),
        '⋙' => Symbol("very-much-greater-than"),
        '⊂' | '⊆' => Sign("subset"),
        '⊊' => Sign("prsubset"),
        '⊃' => Symbol("superset-of"),
        '⊇' => Symbol("superset-of-or-equals"),
        '⊋' => Symbol("superset-of-and-not-equals"),
        '⊄' => Symbol("not-subset-of"),
        '⊅' => Symbol("not-superset-of"),
        '⊈' => Symbol("not-subset-of-nor-equals"),
        '⊉' => Symbol("not-superset-of-nor-equals"),
        '⋐' => Symbol("double-subset-of"),
        '⋑' => Symbol("double-superset-of"),
        '⊏' => Symbol("square-image-of"),
        '⊐' => Symbol("square-original-of"),
        '⊑' => Symbol("square-image-of-or-equals"),
        '⊒' => Symbol("square-original-of-or-equals"),
        '∈' => Sign("in"),
        '∉' => Sign("notin"),
        '∋' => Symbol("contains"),
        '∌' => Symbol("not-contains"),
        '⊧' => Symbol("models"),
        '⟂' => Symbol("perpendicular-to"),
        '∝' => Symbol("proportional-to"),
        '≲' => Symbol("less-than-or-similar-to"),
        '≳' => Symbol("greater-than-or-equivalent-to"),
        '⪅' => Symbol("less-than-or-approximately-equals"),
        '⪆' => Symbol("greater-than-or-approximately-equals"),
        '≶' => Symbol("less-than-or-greater-than"),
        '≷' => Symbol("greater-than-or-less-than"),
        '∤' => Symbol("not-divides"),
        '∦' => Symbol("not-parallel-to"),
        '≁' => Symbol("not-similar-to"),
        '≄' => Symbol("not-similar-to-or-equals"),
        '≇' | '≉' => Symbol("not-approximately-equals"),
        '≢' => Symbol("not-equivalent-to"),
        '≮' => Symbol("not-less-than"),
        '≯' => Symbol("not-greater-than"),
        '≰' => Symbol("not-less-than-nor-greater-than"),
        '≱' => Symbol("not-greater-than-nor-equals"),
        '⪇' | '≨' => Symbol("less-than-and-not-equals"),
        '⪈' | '≩' => Symbol("greater-than-and-not-equals"),
        '⊀' => Symbol("not-precedes"),
        '⊁' => Symbol("not-succeeds"),
        '⊩' => Symbol("forces"),
        '≬' => Symbol("between"),
        '≏' => Symbol("difference-between"),
        '⋔' => Symbol("proper-intersection"),
        '↦' => Symbol("maps-to"),
        '↝' => Symbol("leads-to"),
        '⟹' => Sign("implies"),
        '⟸' => Symbol("implied-by"),
        '⊨' | '⊪' | '⋈' | '⌣' | '⌢' | '≜' | '≗' | '≖' | '≔' | '≓' | '≒' | '∽' | '⋍' | '≂' | '⋖' | '⋗'
        | '⊸' | '⊭' | '⊯' | '≎' | '϶' => Letters,
        '\u{2190}'..='\u{21ff}' | '\u{27f0}'..='\u{27ff}' | '\u{2900}'..='\u{297f}' => Letters,
        _ => return None,
    })
}
