//! "positive real numbers $a$ and $b$": what words say about letters.

use super::{Mode, Scan};
use crate::domain::Numbers;
use crate::expr::{Expr, Function};
use crate::judge::Relation;
use crate::state::Condition;
use crate::words::{Item, Sentence};
use std::rc::Rc;

impl Scan<'_> {
    /// Takes what the words of a sentence say about the letters beside them.
    pub(super) fn adjectives(&mut self, sentence: &Sentence, modes: &[Mode]) {
        for (place, (item, _)) in sentence.items.iter().enumerate() {
            let Item::Word(word) = item else { continue };
            if !is_adjective(word) {
                continue;
            }
            let is_kept = modes[place] == Mode::Define;
            let mut names = self.behind(sentence, place);
            if names.is_empty() {
                names = self.before(sentence, place);
            }
            for name in names {
                self.adjective(word, &name, is_kept);
            }
            self.local.is_universal |= modes[place] == Mode::Domain;
        }
    }

    /// The letters after an adjective: `integers $a$ and $b$`, `real $x>0$`.
    fn behind(&self, sentence: &Sentence, place: usize) -> Vec<Rc<str>> {
        let mut names = Vec::new();
        let mut skipped = 0;
        for (item, _) in &sentence.items[place + 1..] {
            match item {
                Item::Word(word) if !names.is_empty() && word != "and" => break,
                Item::Word(_) if names.is_empty() => {
                    skipped += 1;
                    if skipped > 3 {
                        break;
                    }
                }
                Item::Word(_) => {}
                Item::Comma if names.is_empty() => break,
                Item::Comma => {}
                Item::Term(formula, node) => {
                    let found = self.variables(*formula, *node);
                    if found.is_empty() {
                        break;
                    }
                    names.extend(found);
                }
                Item::Link(link) => {
                    if names.is_empty() && link.relation != "U!eq" {
                        names.extend(self.variables(link.formula, link.left));
                    }
                    break;
                }
            }
        }
        names
    }

    /// The letters before an adjective: `$x$ and $y$ are positive`.
    fn before(&self, sentence: &Sentence, place: usize) -> Vec<Rc<str>> {
        let mut names = Vec::new();
        for (item, _) in sentence.items[..place].iter().rev() {
            match item {
                Item::Word(word)
                    if matches!(word.as_str(), "is" | "are" | "be" | "both" | "a" | "an" | "any" | "and") => {
                }
                Item::Word(word) if is_adjective(word) => {}
                Item::Comma => {}
                Item::Term(formula, node) => {
                    let found = self.variables(*formula, *node);
                    if found.is_empty() {
                        break;
                    }
                    names.extend(found);
                }
                _ => break,
            }
        }
        names
    }

    fn adjective(&mut self, word: &str, name: &Rc<str>, is_kept: bool) {
        let variable = Expr::variable(name);
        let numbers = match word {
            "integer" | "integers" => Some(Numbers::Integer),
            "natural" | "naturals" => Some(Numbers::Natural),
            "prime" | "primes" => Some(Numbers::Prime),
            "complex" => Some(Numbers::Complex),
            "real" | "reals" | "rational" => Some(Numbers::Real),
            _ => None,
        };
        if let Some(numbers) = numbers {
            // A positive integer stays an integer, and an odd prime a prime.
            let known = self.state.numbers.get(name);
            if !(known == Some(&Numbers::Prime) && numbers != Numbers::Real) {
                self.state.numbers.insert(Rc::clone(name), numbers);
            }
            return;
        }
        let relation = match word {
            "positive" => Relation::Greater,
            "negative" => Relation::Less,
            "nonnegative" | "non-negative" => Relation::AtLeast,
            "nonzero" | "non-zero" => Relation::NotEqual,
            "even" | "odd" => {
                self.state.numbers.entry(Rc::clone(name)).or_insert(Numbers::Integer);
                let left = Rc::new(Expr::Call(Function::Rem, vec![variable, Expr::whole(2)]));
                let right = Expr::whole(i64::from(word == "odd"));
                return self.condition(Condition { relation: Relation::Equal, left, right }, is_kept);
            }
            // Not known in numbers.
            _ => {
                self.local.constrained.insert(Rc::clone(name));
                return;
            }
        };
        self.condition(Condition { relation, left: variable, right: Expr::whole(0) }, is_kept);
    }
}

fn is_adjective(word: &str) -> bool {
    matches!(
        word,
        "positive"
            | "negative"
            | "nonnegative"
            | "non-negative"
            | "nonzero"
            | "non-zero"
            | "integer"
            | "integers"
    ) || matches!(
        word,
        "natural" | "naturals" | "prime" | "primes" | "complex" | "real" | "reals" | "rational"
    ) || matches!(
        word,
        "even" | "odd" | "composite" | "irrational" | "coprime" | "small" | "large" | "infinitesimal"
    )
}
