//! What a text and its context have said so far: definitions, assumptions, and what kind of text it is.

use crate::Limits;
use crate::derive::Definitions;
use crate::domain::Numbers;
use crate::expr::Shared;
use crate::judge::Relation;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Something that is assumed of variables.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) relation: Relation,
    pub(crate) left: Shared,
    pub(crate) right: Shared,
}

/// What is known at a place of a text. See the [module](self).
pub(crate) struct State {
    pub(crate) limits: Limits,
    /// Steps left for the text.
    pub(crate) steps: u64,
    pub(crate) definitions: Definitions,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) numbers: BTreeMap<Rc<str>, Numbers>,
    /// Names that an equation or something that cannot be read says something about.
    pub(crate) constrained: BTreeSet<Rc<str>>,
    /// Names that the text defines somewhere, maybe only later.
    pub(crate) defined: BTreeSet<Rc<str>>,
    /// Whether i is the imaginary unit.
    pub(crate) imaginary: bool,
    /// Whether e may be an element.
    pub(crate) elements: bool,
    /// Whether complex numbers are meant throughout.
    pub(crate) complex: bool,
    /// Whether numbers may be those of another ring, or digits of another base.
    pub(crate) ring: bool,
    /// Whether numbers may have to have no common divisor.
    pub(crate) coprime: bool,
    /// Whether something is assumed to be refuted.
    pub(crate) refutes: bool,
    /// Whether equations are solved.
    pub(crate) solves: bool,
}

impl State {
    pub(crate) fn new(text: &str, context: &[&str], limits: Limits) -> Self {
        let mut all = context.join("\n");
        all.push('\n');
        all.push_str(text);
        let small = all.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| small.contains(word));
        let index = [
            "_i", "_{i", "i=", "i =", "i\\in", "i \\in", "i\\le", "i \\le", "i<", "i <", "_{j", "i-th",
            "i,j", "^i$", "ij",
        ];
        let complex = has(&[
            "complex",
            "imaginary",
            "\\mathrm{i}",
            "conjugate",
            "\\mathbb{c}",
            "\\mathbb c",
            "modulus of",
        ]);
        Self {
            limits,
            steps: limits.text,
            definitions: Definitions::new(),
            conditions: Vec::new(),
            numbers: BTreeMap::new(),
            constrained: BTreeSet::new(),
            defined: BTreeSet::new(),
            imaginary: complex || !index.iter().any(|index| all.contains(index)),
            elements: has(&["group", "identity element", "neutral element", "edges", "eccentricity"]),
            complex,
            ring: has(RINGS) || says_base(&small) || small_text_says_mod(text),
            coprime: has(&[
                "coprime",
                "co-prime",
                "relatively prime",
                "gcd",
                "invertible",
                "not divide",
                "nmid",
                ",n)=1",
                "unit",
            ]),
            refutes: has(&[
                "contradict",
                "absurd",
                "impossible",
                "counterexample",
                "paradox",
                "fallacy",
                "wrong",
                "would not",
                "would imply",
                "would mean",
                "would break",
            ]),
            solves: has(&[
                "solve",
                "solving",
                "equation",
                "solution",
                "root of",
                "roots of",
                "the roots",
                "unknown",
            ]),
        }
    }

    /// The same with nothing found in the text yet.
    pub(crate) fn like(&self) -> Self {
        Self {
            definitions: self.definitions.clone(),
            conditions: Vec::new(),
            numbers: BTreeMap::new(),
            constrained: BTreeSet::new(),
            defined: BTreeSet::new(),
            ..*self
        }
    }

    /// Whether a letter has a meaning of its own here.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.definitions.contains_key(name) || (self.elements && name == "e")
    }

    /// Takes a name's definition away and keeps it from being taken for anything.
    pub(crate) fn constrain(&mut self, name: &Rc<str>) {
        self.definitions.remove(name);
        self.constrained.insert(Rc::clone(name));
    }
}

/// Words and commands of texts in which numbers may not be those of school.
const RINGS: &[&str] = &[
    "characteristic",
    "\\mathbb{z}_",
    "\\mathbb z_",
    "\\mathbb{z}/",
    "\\mathbb z/",
    "\\mathbb{f}",
    "\\mathbb f",
    "\\bbb z_",
    "\\bbb{z}_",
    "\\bbb f",
    "\\bbb{f}",
    "\\mathbf{z}/",
    "gf(",
    "finite field",
    "field with",
    "binary",
    "hexadecimal",
    "boolean",
    "truth table",
    "modular arithmetic",
    "working mod",
    "modulo $",
    "mod $",
    "p-adic",
    "$p$-adic",
    "ordinal",
    "cardinal",
    "tropical",
    "quaternion",
    "floating",
    "nimber",
    "in degrees",
    "octal",
];

/// Whether a text computes with remainders, where `=` may be a congruence.
fn small_text_says_mod(text: &str) -> bool {
    ["\\pmod", "\\bmod", "\\mod", "modulo", " mod ", "(mod", "text{mod", "\\equiv"]
        .iter()
        .any(|word| text.contains(word))
}

/// "in base $8$", but not "the base case".
fn says_base(small: &str) -> bool {
    small.match_indices("base ").any(|(at, _)| {
        let rest = &small[at + 5..];
        rest.starts_with('$') || rest.starts_with(|letter: char| letter.is_ascii_digit())
    })
}
