//! Which tag each name of Content MathML gets.

/// Whether the labs' converter knows a name, or would have given the formula up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Yes,
    No,
}

/// What a name becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A prefix before the name itself.
    Prefix(&'static str),
    /// This tag.
    Tag(&'static str),
}

/// Elements that stand for one sign, like `plus`.
pub(super) fn sign(name: &str) -> Option<(Named, Known)> {
    Some(match name {
        "sin" | "cos" | "tan" | "cot" | "sec" | "csc" | "sinh" | "cosh" | "tanh" | "coth" | "sech"
        | "csch" | "arccos" | "arccot" | "arccsc" | "arcsec" | "arcsin" | "arctan" | "arccosh"
        | "arccoth" | "arccsch" | "arcsech" | "arcsinh" | "arctanh" | "abs" | "exp" | "log" | "ln"
        | "min" | "max" | "ceiling" | "floor" | "arg" | "gcd" | "real" | "imaginary" => {
            (Named::Prefix("F!"), Known::Yes)
        }
        "determinant" => (Named::Tag("F!det"), Known::Yes),
        "approx" | "eq" | "neq" | "equivalent" | "union" | "intersect" | "plus" | "times" | "and" | "or" => {
            (Named::Prefix("U!"), Known::Yes)
        }
        "lt" | "gt" | "leq" | "geq" | "minus" | "divide" | "subset" | "prsubset" | "notsubset"
        | "notprsubset" | "in" | "notin" | "forall" | "exists" | "setdiff" | "not" | "implies" | "int"
        | "sum" | "partialdiff" | "limit" | "factorial" | "compose" | "root" => {
            (Named::Prefix("O!"), Known::Yes)
        }
        "infinity" | "emptyset" | "imaginaryi" => (Named::Prefix("C!"), Known::Yes),
        "pi" | "exponentiale" | "eulergamma" | "true" | "false" | "notanumber" | "integers" | "reals"
        | "rationals" | "naturalnumbers" | "complexes" | "primes" => (Named::Prefix("C!"), Known::No),
        "quotient" | "power" | "rem" | "xor" | "conjugate" | "lcm" | "factorof" | "product" | "tendsto"
        | "diff" | "divergence" | "grad" | "curl" | "laplacian" | "card" | "cartesianproduct" | "mean"
        | "sdev" | "variance" | "median" | "mode" | "moment" | "transpose" | "selector" | "vectorproduct"
        | "scalarproduct" | "outerproduct" | "inverse" | "ident" | "domain" | "codomain" | "image"
        | "uminus" | "prod" | "var" => (Named::Prefix("O!"), Known::No),
        _ => return None,
    })
}

/// Parts of an application that say what they are.
pub(super) fn is_qualifier(name: &str) -> bool {
    matches!(name, "degree" | "bvar" | "lowlimit" | "uplimit")
}

/// A `csymbol` of LaTeXML's own dictionary, in lower case.
pub(super) fn latexml(name: &str) -> (Named, Known) {
    match name {
        "absent" => (Named::Tag("W!"), Known::Yes),
        "for-all" => (Named::Tag("O!forall"), Known::Yes),
        "hyperbolic-cotangent" => (Named::Tag("F!coth"), Known::Yes),
        "modulo" => (Named::Tag("O!rem"), Known::Yes),
        "planck-constant-over-2-pi" => (Named::Tag("C!hbar"), Known::Yes),
        "square-root" => (Named::Tag("O!root"), Known::Yes),
        // What those who came after the labs' converter made of the two that matter most.
        "differential-d" => (Named::Tag("V!d"), Known::No),
        "conditional" => (Named::Tag("V!c"), Known::No),
        _ if KNOWN.binary_search(&name).is_ok() => (Named::Prefix("O!"), Known::Yes),
        _ => (Named::Prefix("O!"), Known::No),
    }
}

/// A `csymbol` of the dictionary `ambiguous`.
pub(super) fn ambiguous(name: &str) -> (Named, Known) {
    match name {
        "formulae-sequence" => (Named::Tag("O!form-seq"), Known::Yes),
        "fragments" => (Named::Tag("O!fragments"), Known::Yes),
        "missing-subexpression" => (Named::Tag("W!"), Known::Yes),
        "subscript" => (Named::Tag("O!SUB"), Known::Yes),
        "superscript" => (Named::Tag("O!SUP"), Known::Yes),
        _ => (Named::Prefix("O!"), Known::No),
    }
}

/// The names of LaTeXML's dictionary that the labs' converter has, in order.
const KNOWN: [&str; 159] = [
    "annotated",
    "approaches-limit",
    "approximately-equals-or-equals",
    "approximately-equals-or-image-of",
    "assign",
    "asymptotically-equals",
    "because",
    "between",
    "binomial",
    "bottom",
    "bra",
    "cases",
    "complement",
    "conditional-set",
    "contains",
    "continued-fraction",
    "contour-integral",
    "coproduct",
    "currency-dollar",
    "degree",
    "difference-between",
    "dimension",
    "direct-product",
    "direct-sum",
    "divides",
    "does-not-prove",
    "double-integral",
    "double-intersection",
    "double-subset-of",
    "double-superset-of",
    "double-union",
    "equals-or-preceeds",
    "equals-or-succeeds",
    "evaluated-at",
    "exclusive-or",
    "expectation",
    "forces",
    "geometrically-equals",
    "greater-than-and-not-approximately-equals",
    "greater-than-and-not-equals",
    "greater-than-and-not-equivalent-to",
    "greater-than-or-approximately-equals",
    "greater-than-or-equals-or-less-than",
    "greater-than-or-equivalent-to",
    "greater-than-or-less-than",
    "iff",
    "image-of-or-approximately-equals",
    "infimum",
    "infinity",
    "injective-limit",
    "inner-product",
    "kernel",
    "ket",
    "left-normal-factor-semidirect-product",
    "left-semidirect-product",
    "less-than-and-not-approximately-equals",
    "less-than-and-not-equals",
    "less-than-and-not-equivalent-to",
    "less-than-or-approximately-equals",
    "less-than-or-equals-or-greater-than",
    "less-than-or-greater-than",
    "less-than-or-similar-to",
    "limit-from",
    "limit-infimum",
    "limit-supremum",
    "maps-to",
    "matrix",
    "minus-or-plus",
    "models",
    "much-greater-than",
    "much-less-than",
    "norm",
    "not-and",
    "not-approximately-equals",
    "not-contains",
    "not-contains-nor-equals",
    "not-divides",
    "not-equivalent-to",
    "not-exists",
    "not-forces",
    "not-greater-than",
    "not-greater-than-nor-equals",
    "not-greater-than-or-equals",
    "not-less-than",
    "not-less-than-nor-equals",
    "not-less-than-nor-greater-than",
    "not-less-than-or-equals",
    "not-models",
    "not-much-greater-than",
    "not-much-less-than",
    "not-parallel-to",
    "not-partial-differential",
    "not-perpendicular-to",
    "not-precedes",
    "not-precedes-nor-equals",
    "not-proportional-to",
    "not-proves",
    "not-similar-to",
    "not-similar-to-or-equals",
    "not-square-image-of-or-equals",
    "not-subgroup-of",
    "not-subgroup-of-nor-equals",
    "not-subset-of",
    "not-subset-of-nor-equals",
    "not-subset-of-or-equals",
    "not-succeeds",
    "not-succeeds-nor-equals",
    "not-superset-of",
    "not-superset-of-nor-equals",
    "not-superset-of-or-equals",
    "not-very-much-greater-than",
    "not-very-much-less-than",
    "parallel-to",
    "percent",
    "perpendicular-to",
    "plus-or-minus",
    "precedes",
    "precedes-and-not-approximately-equals",
    "precedes-and-not-equals",
    "precedes-and-not-equivalent-to",
    "precedes-or-approximately-equals",
    "precedes-or-equals",
    "precedes-or-equivalent-to",
    "product",
    "projective-limit",
    "proper-intersection",
    "proportional-to",
    "proves",
    "quadruple-integral",
    "quantum-operator-product",
    "right-normal-factor-semidirect-product",
    "right-semidirect-product",
    "similar-to",
    "similar-to-or-equals",
    "square-image-of",
    "square-image-of-or-equals",
    "square-intersection",
    "square-original-of",
    "square-original-of-or-equals",
    "square-union",
    "succeeds",
    "succeeds-and-not-approximately-equals",
    "succeeds-and-not-equals",
    "succeeds-and-not-equivalent-to",
    "succeeds-or-approximately-equals",
    "succeeds-or-equals",
    "succeeds-or-equivalent-to",
    "superset-of",
    "superset-of-and-not-equals",
    "superset-of-or-equals",
    "supremum",
    "symmetric-difference",
    "tensor-product",
    "therefore",
    "top",
    "triple-integral",
    "very-much-greater-than",
    "very-much-less-than",
    "weierstrass-p",
];
