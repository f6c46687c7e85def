//! Names and signs of mathematics as people type them without LaTeX.

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::typed) enum Name {
    /// A symbol: `pi`, `infinity`.
    Symbol(&'static str),
    /// A sign between two things: `in`, `times`.
    Operator(&'static str),
    /// A function whose argument keeps its brackets: `sin(x)`.
    Function(&'static str),
    /// A command whose argument goes between braces: `sqrt(2)`.
    Command(&'static str),
    /// Signs around the argument: `abs(x)`.
    Around(&'static str, &'static str),
    /// A sum, product or integral.
    Big(&'static str),
    /// A limit, whose arrow may follow: `lim x->0`.
    Limit,
    /// `binom(n,k)`, `frac(a,b)`.
    Pair(&'static str),
}

/// What a run of letters stands for in mathematics without LaTeX.
pub(in crate::typed) fn name(letters: &str) -> Option<Name> {
    let place = NAMES.binary_search_by_key(&letters, |(name, _)| name).ok()?;
    Some(NAMES[place].1)
}

/// The letter of a set of numbers in blackboard bold.
pub(in crate::typed) fn number_set(letter: &str) -> Option<&'static str> {
    Some(match letter {
        "R" => "\\mathbb{R}",
        "Z" => "\\mathbb{Z}",
        "Q" => "\\mathbb{Q}",
        "C" => "\\mathbb{C}",
        "N" => "\\mathbb{N}",
        _ => return None,
    })
}

/// By name, in order.
#[rustfmt::skip]
const NAMES: &[(&str, Name)] = &[
    ("CC", Name::Symbol("\\mathbb{C}")),
    ("Delta", Name::Symbol("\\Delta")),
    ("Gamma", Name::Symbol("\\Gamma")),
    ("Infinity", Name::Symbol("\\infty")),
    ("Lambda", Name::Symbol("\\Lambda")),
    ("NN", Name::Symbol("\\mathbb{N}")),
    ("Omega", Name::Symbol("\\Omega")),
    ("Phi", Name::Symbol("\\Phi")),
    ("Pi", Name::Symbol("\\pi")),
    ("Psi", Name::Symbol("\\Psi")),
    ("QQ", Name::Symbol("\\mathbb{Q}")),
    ("RR", Name::Symbol("\\mathbb{R}")),
    ("Sigma", Name::Symbol("\\Sigma")),
    ("Sqrt", Name::Command("\\sqrt")),
    ("Theta", Name::Symbol("\\Theta")),
    ("ZZ", Name::Symbol("\\mathbb{Z}")),
    ("abs", Name::Around("|", "|")),
    ("aleph", Name::Symbol("\\aleph")),
    ("alpha", Name::Symbol("\\alpha")),
    ("arccos", Name::Function("\\arccos")),
    ("arcsin", Name::Function("\\arcsin")),
    ("arctan", Name::Function("\\arctan")),
    ("arg", Name::Function("\\arg")),
    ("beta", Name::Symbol("\\beta")),
    ("binom", Name::Pair("\\binom")),
    ("binomial", Name::Pair("\\binom")),
    ("cbrt", Name::Command("\\sqrt[3]")),
    ("ceil", Name::Around("\\lceil ", "\\rceil ")),
    ("chi", Name::Symbol("\\chi")),
    ("choose", Name::Pair("\\binom")),
    ("cos", Name::Function("\\cos")),
    ("cosh", Name::Function("\\cosh")),
    ("cot", Name::Function("\\cot")),
    ("csc", Name::Function("\\csc")),
    ("deg", Name::Function("\\deg")),
    ("delta", Name::Symbol("\\delta")),
    ("det", Name::Function("\\det")),
    ("dim", Name::Function("\\dim")),
    ("eps", Name::Symbol("\\epsilon")),
    ("epsilon", Name::Symbol("\\epsilon")),
    ("eta", Name::Symbol("\\eta")),
    ("exp", Name::Function("\\exp")),
    ("floor", Name::Around("\\lfloor ", "\\rfloor ")),
    ("forall", Name::Symbol("\\forall")),
    ("frac", Name::Pair("\\frac")),
    ("gamma", Name::Symbol("\\gamma")),
    ("gcd", Name::Function("\\gcd")),
    ("in", Name::Operator("\\in")),
    ("infinity", Name::Symbol("\\infty")),
    ("infty", Name::Symbol("\\infty")),
    ("int", Name::Big("\\int")),
    ("integral", Name::Big("\\int")),
    ("integrate", Name::Big("\\int")),
    ("iota", Name::Symbol("\\iota")),
    ("kappa", Name::Symbol("\\kappa")),
    ("ker", Name::Function("\\ker")),
    ("lambda", Name::Symbol("\\lambda")),
    ("lcm", Name::Function("\\operatorname{lcm}")),
    ("lim", Name::Limit),
    ("limit", Name::Limit),
    ("ln", Name::Function("\\ln")),
    ("log", Name::Function("\\log")),
    ("max", Name::Function("\\max")),
    ("min", Name::Function("\\min")),
    ("mod", Name::Operator("\\bmod")),
    ("mu", Name::Symbol("\\mu")),
    ("norm", Name::Around("\\|", "\\|")),
    ("nu", Name::Symbol("\\nu")),
    ("omega", Name::Symbol("\\omega")),
    ("oo", Name::Symbol("\\infty")),
    ("partial", Name::Symbol("\\partial")),
    ("phi", Name::Symbol("\\phi")),
    ("pi", Name::Symbol("\\pi")),
    ("prod", Name::Big("\\prod")),
    ("product", Name::Big("\\prod")),
    ("psi", Name::Symbol("\\psi")),
    ("rho", Name::Symbol("\\rho")),
    ("sec", Name::Function("\\sec")),
    ("sgn", Name::Function("\\operatorname{sgn}")),
    ("sigma", Name::Symbol("\\sigma")),
    ("sin", Name::Function("\\sin")),
    ("sinh", Name::Function("\\sinh")),
    ("sqrt", Name::Command("\\sqrt")),
    ("sum", Name::Big("\\sum")),
    ("sup", Name::Function("\\sup")),
    ("tan", Name::Function("\\tan")),
    ("tanh", Name::Function("\\tanh")),
    ("tau", Name::Symbol("\\tau")),
    ("theta", Name::Symbol("\\theta")),
    ("times", Name::Operator("\\times")),
    ("to", Name::Operator("\\to")),
    ("tr", Name::Function("\\operatorname{tr}")),
    ("xi", Name::Symbol("\\xi")),
    ("zeta", Name::Symbol("\\zeta")),
];

/// Signs of several characters; the longest of a beginning comes first.
pub(super) const SIGNS: &[(&str, &str)] = &[
    ("<=>", "\\iff"),
    ("<->", "\\leftrightarrow"),
    ("-->", "\\to"),
    ("==>", "\\Rightarrow"),
    ("|->", "\\mapsto"),
    ("...", "\\ldots"),
    ("<=", "\\le"),
    (">=", "\\ge"),
    ("=<", "\\le"),
    ("=>", "\\Rightarrow"),
    ("->", "\\to"),
    ("!=", "\\ne"),
    ("==", "="),
    ("~=", "\\approx"),
    ("+-", "\\pm"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(NAMES.is_sorted_by(|left, right| left.0 < right.0));
    }

    #[test]
    fn no_sign_hides_a_longer_one() {
        for (place, (sign, _)) in SIGNS.iter().enumerate() {
            let hidden = SIGNS[place + 1..].iter().find(|(later, _)| later.starts_with(sign));
            assert_eq!(hidden, None, "{sign}");
        }
    }
}
