//! Lexical overlap: how many tokens an answer shares with a reference.
//!
//! The value is F1 = 2·|A∩B| / (|A|+|B|). The overview says that answers are
//! bags of tokens; the lab's script, and so its table, takes sets.

use super::error::Task3Error;
use super::similarity::{AnswerSimilarity, Rule};
use super::tokens::Tokenize;
use std::collections::BTreeMap;
use std::fmt;

/// Whether a token that occurs twice counts twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Counting {
    /// It does, as the overview says.
    #[default]
    Bags,
    /// It does not, as in the lab's script.
    Sets,
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bags => "bags, as published",
            Self::Sets => "sets, as run",
        })
    }
}

/// The F1 of the tokens of two texts, from 0 to 1; 0 if one of them is empty.
///
/// ```
/// use eval::task3::{Counting, token_f1};
/// let f1 = token_f1(&["a", "b", "c"], &["a", "b", "d"], Counting::Sets);
/// assert!((f1 - 2.0 / 3.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn token_f1<T: Ord>(answer: &[T], reference: &[T], counting: Counting) -> f64 {
    f1(&counts(answer, counting), &counts(reference, counting))
}

fn counts<T: Ord>(tokens: &[T], counting: Counting) -> BTreeMap<&T, usize> {
    let mut counts = BTreeMap::new();
    for token in tokens {
        let count = counts.entry(token).or_insert(0);
        *count = match counting {
            Counting::Bags => *count + 1,
            Counting::Sets => 1,
        };
    }
    counts
}

fn f1<T: Ord>(left: &BTreeMap<&T, usize>, right: &BTreeMap<&T, usize>) -> f64 {
    let common: usize =
        left.iter().map(|(token, count)| right.get(token).map_or(0, |other| *count.min(other))).sum();
    match left.values().chain(right.values()).sum::<usize>() {
        0 => 0.0,
        total => 2.0 * common as f64 / total as f64,
    }
}

/// Lexical overlap (LO) with a tokenizer.
#[derive(Clone, Copy)]
pub struct LexicalOverlap<'a> {
    /// What cuts the texts.
    pub tokenizer: &'a dyn Tokenize,
    /// Whether a token that occurs twice counts twice.
    pub counting: Counting,
}

impl fmt::Debug for LexicalOverlap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LexicalOverlap")
            .field("tokenizer", &self.tokenizer.name())
            .field("counting", &self.counting)
            .finish()
    }
}

impl AnswerSimilarity for LexicalOverlap<'_> {
    fn name(&self) -> String {
        "LO".to_owned()
    }

    fn rules(&self) -> Vec<Rule> {
        vec![
            Rule { name: "tokenizer", value: self.tokenizer.name() },
            Rule { name: "tokens", value: self.counting.to_string() },
        ]
    }

    fn similarities(&self, answer: &str, references: &[&str]) -> Result<Vec<Option<f64>>, Task3Error> {
        let answer = self.tokenizer.tokens(answer)?;
        let answer = counts(&answer, self.counting);
        let mut values = Vec::with_capacity(references.len());
        for reference in references {
            let reference = self.tokenizer.tokens(reference)?;
            let filled = !reference.is_empty();
            values.push(filled.then(|| f1(&answer, &counts(&reference, self.counting))));
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task3::Tokenizer;
    use proptest::prelude::*;

    fn check(answer: &str, reference: &str, sets: f64, bags: f64) {
        for (counting, expected) in [(Counting::Sets, sets), (Counting::Bags, bags)] {
            let lexical = LexicalOverlap { tokenizer: &Tokenizer::Blanks, counting };
            let values = lexical.similarities(answer, &[reference]).unwrap();
            let value = values[0].unwrap();
            assert!((value - expected).abs() < 5e-7, "{answer}/{reference} as {counting}: {value}");
        }
    }

    #[test]
    fn tokens_in_common() {
        check("a b c", "a b d", 0.666667, 0.666667);
        check("a a b", "a b b c", 0.8, 0.571429);
        check("x y", "z", 0.0, 0.0);
        check("a b", "a b", 1.0, 1.0);
        check("", "a b", 0.0, 0.0);
    }

    #[test]
    fn empty_references_have_no_value() {
        let lexical = LexicalOverlap { tokenizer: &Tokenizer::Blanks, counting: Counting::Sets };
        assert_eq!(lexical.similarities("", &["", "a"]).unwrap(), [None, Some(0.0)]);
        assert_eq!(token_f1::<&str>(&[], &[], Counting::Bags), 0.0);
    }

    proptest! {
        #[test]
        fn f1_is_a_share_and_symmetric(left in prop::collection::vec(0_u8..6, 0..12), right in prop::collection::vec(0_u8..6, 0..12)) {
            for counting in [Counting::Sets, Counting::Bags] {
                let value = token_f1(&left, &right, counting);
                prop_assert!((0.0..=1.0).contains(&value));
                prop_assert_eq!(value, token_f1(&right, &left, counting));
                prop_assert_eq!(token_f1(&left, &left, counting), if left.is_empty() { 0.0 } else { 1.0 });
            }
        }

        #[test]
        fn order_does_not_matter(left in prop::collection::vec(0_u8..6, 0..12)) {
            let mut sorted = left.clone();
            sorted.sort_unstable();
            prop_assert_eq!(token_f1(&left, &sorted, Counting::Bags), if left.is_empty() { 0.0 } else { 1.0 });
        }
    }
}
