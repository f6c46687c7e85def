//! What does a question ask for, and does it ask for one thing or for several? Told from its words.
//!
//! Nothing here understands a question: short lists of words and turns of phrase decide, and labels given by
//! people go before them.

mod parts;
mod words;

pub use parts::{PARTS_RULE, PartsSign, parts};
pub use words::{Words, words};

use crate::QuestionType;

/// The rule for types in words.
pub const TYPE_RULE: &str = "\
Words and turns of phrase speak for a type: 'prove', 'show that', 'if and only if', 'counterexample' for Proof; \
'compute', 'find', 'evaluate', 'solve', 'how many', 'closed form' for Computation; 'what does', 'meaning', \
'intuition', 'difference between', 'definition', 'notation' for Concept. One in the title counts 3, one in the \
text 1 (each phrase at most twice there). The type with the most wins, the one named first in this order when even: \
Proof, Computation, Concept. If nothing speaks: Concept when there are at least 8 words a formula, else Computation. \
People and this rule agree on 114 of 148 topics of ARQMath 1 and 2 (calling all of them Proof: 68).";

/// What speaks for a proof.
const PROOF: [&str; 27] = [
    "prove",
    "proof",
    "proofs",
    "proving",
    "proven",
    "proves",
    "disprove",
    "show that",
    "show this",
    "shows that",
    "showing that",
    "to show",
    "verify that",
    "if and only if",
    "iff",
    "counterexample",
    "counter example",
    "by induction",
    "by contradiction",
    "contradiction",
    "is it true that",
    "such that every",
    "then there exists",
    "justify",
    "implies that",
    "must be",
    "why is",
];

/// What speaks for a computation.
const COMPUTATION: [&str; 34] = [
    "compute",
    "computing",
    "computation",
    "calculate",
    "calculating",
    "calculation",
    "find",
    "finding",
    "evaluate",
    "evaluating",
    "evaluation",
    "solve",
    "solving",
    "solution",
    "solutions",
    "determine",
    "how many",
    "how much",
    "simplify",
    "closed form",
    "value of",
    "what is the probability",
    "probability that",
    "probability of",
    "number of ways",
    "integrate",
    "differentiate",
    "expand",
    "factor",
    "maximum",
    "minimum",
    "remainder",
    "limit of",
    "sum of",
];

/// What speaks for a concept.
const CONCEPT: [&str; 40] = [
    "what does",
    "what do",
    "what is a",
    "what is an",
    "what are",
    "what exactly",
    "what is the difference",
    "difference between",
    "meaning",
    "mean by",
    "mean",
    "intuition",
    "intuitive",
    "intuitively",
    "understand",
    "understanding",
    "definition",
    "definitions",
    "defined",
    "define",
    "notation",
    "notations",
    "concept",
    "interpretation",
    "interpret",
    "explain",
    "explanation",
    "why do we",
    "why do",
    "why does",
    "why are",
    "confused",
    "confusion",
    "reference",
    "references",
    "book",
    "example of",
    "examples of",
    "relation between",
    "relationship between",
];

/// What counts for a phrase in the title.
const TITLE_WEIGHT: usize = 3;
/// How often a phrase counts in the text.
const MOST_OFTEN: usize = 2;
/// From here on a question without any phrase is one of words.
const WORDS_A_FORMULA: usize = 8;

/// What a question asks for.
///
/// ```
/// use topics::{QuestionType, wording::{question_type, words}};
/// let kind = |title, body| question_type(&words(title), &words(body));
/// assert_eq!(kind("Prove that there are infinitely many primes", ""), QuestionType::Proof);
/// assert_eq!(kind("What is the meaning of a dual space?", "I find it odd."), QuestionType::Concept);
/// ```
#[must_use]
pub fn question_type(title: &Words, body: &Words) -> QuestionType {
    let weigh = |phrases: &[&str]| -> usize {
        let count =
            |phrase: &&str| title.count(phrase).min(1) * TITLE_WEIGHT + body.count(phrase).min(MOST_OFTEN);
        phrases.iter().map(count).sum()
    };
    let found = [
        (QuestionType::Proof, weigh(&PROOF)),
        (QuestionType::Computation, weigh(&COMPUTATION)),
        (QuestionType::Concept, weigh(&CONCEPT)),
    ];
    let most = found.iter().map(|(_, weight)| *weight).max().unwrap_or_default();
    if most > 0 {
        let first = found.iter().find(|(_, weight)| *weight == most);
        return first.map_or(QuestionType::Proof, |(kind, _)| *kind);
    }
    let (terms, formulas) = (title.terms + body.terms, title.formulas + body.formulas);
    if terms >= WORDS_A_FORMULA * formulas.max(1) { QuestionType::Concept } else { QuestionType::Computation }
}
