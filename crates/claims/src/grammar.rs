//! The words that turn formulas into claims, assumptions and goals.

use crate::expr::{Expr, Function, Shared};
use crate::judge::{Kind, Relation};
use crate::sentence::Mode;
use crate::words::Item;
use formula::opt::OptId;
use std::ops::Range;
use std::rc::Rc;

/// What a word makes of the formulas after it; nothing if it changes nothing.
pub(crate) fn mode(word: &str, before: &str, next: &str, now: Mode) -> Option<Mode> {
    let assumes = matches!(
        word,
        "if" | "when"
            | "whenever"
            | "provided"
            | "given"
            | "assuming"
            | "unless"
            | "once"
            | "setting"
            | "putting"
            | "while"
    ) || matches!(
        word,
        "taking"
            | "choosing"
            | "with"
            | "satisfying"
            | "satisfies"
            | "satisfy"
            | "such"
            | "solving"
            | "till"
            | "until"
    );
    let defines = matches!(
        word,
        "suppose"
            | "supposing"
            | "assume"
            | "let"
            | "letting"
            | "define"
            | "denote"
            | "denotes"
            | "denoting"
            | "consider"
    ) || matches!(
        word,
        "where" | "call" | "fix" | "choose" | "put" | "pick" | "assumption" | "hypothesis" | "defined"
    );
    let describes = matches!(
        word,
        "equation"
            | "equations"
            | "curve"
            | "line"
            | "circle"
            | "parabola"
            | "ellipse"
            | "hyperbola"
            | "plane"
            | "sphere"
    ) || matches!(
        word,
        "surface"
            | "recurrence"
            | "recursion"
            | "constraint"
            | "condition"
            | "system"
            | "ode"
            | "pde"
            | "locus"
    );
    let aims = matches!(
        word,
        "solve"
            | "determine"
            | "show"
            | "prove"
            | "want"
            | "need"
            | "wish"
            | "goal"
            | "whether"
            | "looking"
            | "look"
    ) || matches!(
        word,
        "seek"
            | "solutions"
            | "solution"
            | "try"
            | "trying"
            | "must"
            | "should"
            | "would"
            | "requires"
            | "require"
    ) || matches!(
        word,
        "proving"
            | "showing"
            | "verify"
            | "guess"
            | "conjecture"
            | "claim"
            | "expect"
            | "hope"
            | "ask"
            | "asks"
    );
    let states = matches!(
        word,
        "then"
            | "hence"
            | "therefore"
            | "thus"
            | "so"
            | "have"
            | "get"
            | "obtain"
            | "gives"
            | "give"
            | "yields"
            | "yield"
    ) || matches!(
        word,
        "implies" | "imply" | "because" | "since" | "conclude" | "holds" | "follows" | "finds"
    );
    match word {
        // "for example" and "for which" are something else.
        "for" if matches!(next, "example" | "instance" | "this" | "that" | "the") => None,
        "for" if next == "which" => Some(Mode::Until),
        "for" if matches!(now, Mode::Claim | Mode::Until) => Some(Mode::Domain),
        "every" | "any" | "each" if now == Mode::Claim && matches!(before, "" | "and") => Some(Mode::Domain),
        "all" if now == Mode::Claim => Some(Mode::Domain),
        "find" if matches!(before, "we" | "i" | "you" | "to") && before != "to" => Some(Mode::Claim),
        "find" | "finding" => Some(Mode::Goal),
        "set" if matches!(before, "" | "we" | "and" | "i") => Some(Mode::Define),
        "write" if matches!(before, "" | "we") => Some(Mode::Define),
        "take" if matches!(before, "" | "we" | "now") => Some(Mode::Define),
        // A goal or a definition is left by a new clause only.
        _ if states
            && now == Mode::Goal
            && !matches!(word, "then" | "hence" | "therefore" | "thus" | "gives" | "yields") =>
        {
            None
        }
        "since" | "because" => Some(Mode::Claim),
        "so" if next == "that" => None,
        _ if states => Some(Mode::Claim),
        _ if assumes => Some(Mode::Until),
        _ if defines => Some(Mode::Define),
        _ if describes && now == Mode::Claim => Some(Mode::One),
        _ if aims => Some(Mode::Goal),
        _ => None,
    }
}

/// Whether a sentence denies or doubts what is in it.
pub(crate) fn denies(words: &[&str]) -> bool {
    let doubts = |word: &&str| {
        matches!(
            *word,
            "false"
                | "wrong"
                | "incorrect"
                | "mistake"
                | "mistaken"
                | "error"
                | "fallacy"
                | "doesn't"
                | "cannot"
                | "can't"
        ) || matches!(
            *word,
            "impossible" | "contradiction" | "contradicts" | "absurd" | "fails" | "fail" | "would" | "were"
        ) || matches!(
            *word,
            "never" | "isn't" | "aren't" | "wouldn't" | "nor" | "neither" | "untrue" | "instead" | "misprint"
        ) || matches!(
            *word,
            "typo" | "contrary" | "unlike" | "pretend" | "could" | "might" | "perhaps" | "maybe" | "formally"
        )
    };
    let negated = words.windows(2).any(|pair| {
        pair[0] == "not"
            && !matches!(
                pair[1],
                "only" | "prime" | "divisible" | "even" | "odd" | "a" | "an" | "hard" | "difficult" | "too"
            )
    });
    words.iter().any(doubts) || negated || words.last() == Some(&"not")
}

/// Whether a sentence speaks of all values of something.
pub(crate) fn is_universal(words: &[&str]) -> bool {
    let small =
        ["sufficiently", "large", "small", "near", "almost", "approximately", "some", "close", "certain"];
    let all = ["all", "every", "any", "each", "always"];
    words.iter().any(|word| all.contains(word)) && !words.iter().any(|word| small.contains(word))
}

/// Whether a sentence claims that something exists.
pub(crate) fn exists(words: &[&str]) -> bool {
    words.iter().any(|word| {
        matches!(*word, "exists" | "exist" | "some" | "there" | "infinitely" | "only" | "unique" | "exactly")
    })
}

/// Whether a sentence speaks of identities and transformations.
pub(crate) fn has_cue(words: &[&str]) -> bool {
    words.iter().any(|word| {
        [
            "identit",
            "expan",
            "simplif",
            "factor",
            "recall",
            "fractions",
            "rule",
            "formula",
            "theorem",
            "telescop",
            "rewrit",
        ]
        .iter()
        .any(|cue| word.starts_with(cue))
    })
}

/// A claim in words: what it says, and the formulas in it.
#[derive(Debug)]
pub(crate) struct Phrase {
    says: Says,
    pub(crate) terms: Vec<(usize, OptId)>,
    pub(crate) place: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Prime(bool),
    Even(bool),
    DivisibleBy(bool),
    Divides,
    Equals,
    Of(&'static str),
    Remainder,
    Eigenvalues,
}

impl Phrase {
    /// The claim about what the formulas are.
    pub(crate) fn kind(&self, parts: &[Shared]) -> Option<Kind> {
        let equal = |left: Shared, right: &Shared| Kind::Compare(Relation::Equal, left, Rc::clone(right));
        Some(match (self.says, parts) {
            // A letter that is prime is a definition.
            (Says::Prime(_) | Says::Even(_), [one]) if one.as_variable().is_some() => return None,
            (Says::Prime(holds), [one]) => Kind::Prime(Rc::clone(one), holds),
            (Says::Even(even), [one]) => Kind::Even(Rc::clone(one), even),
            (Says::DivisibleBy(_) | Says::Divides, [one, ..]) if one.as_variable().is_some() => return None,
            (Says::DivisibleBy(holds), [number, by]) => {
                Kind::Divides(Rc::clone(by), Rc::clone(number), holds)
            }
            (Says::Divides, [by, number]) => Kind::Divides(Rc::clone(by), Rc::clone(number), true),
            (Says::Equals, [left, ..]) if left.as_variable().is_some() => return None,
            (Says::Equals, [left, right]) => equal(Rc::clone(left), right),
            (Says::Of(what), [rest @ .., right]) => equal(of(what, rest)?, right),
            (Says::Remainder, [number, by, rest]) => {
                equal(Rc::new(Expr::Call(Function::Rem, vec![Rc::clone(number), Rc::clone(by)])), rest)
            }
            (Says::Eigenvalues, [table, values @ ..]) if !values.is_empty() => {
                Kind::Eigenvalues(Rc::clone(table), values.to_vec())
            }
            _ => return None,
        })
    }
}

fn of(what: &str, parts: &[Shared]) -> Option<Shared> {
    let one = parts.first()?;
    let call = |function| Some(Rc::new(Expr::Call(function, parts.to_vec())));
    match (what, parts.len()) {
        ("derivative", 1) => {
            let free = one.free();
            let name = free.iter().next().filter(|_| free.len() == 1)?;
            Some(Rc::new(Expr::Derivative(Rc::clone(one), Rc::clone(name), 1)))
        }
        ("derivative", 2) => {
            Some(Rc::new(Expr::Derivative(Rc::clone(one), Rc::clone(parts[1].as_variable()?), 1)))
        }
        ("inverse", 1) if matches!(**one, Expr::Matrix(..)) => {
            Some(Rc::new(Expr::Pow(Rc::clone(one), Expr::whole(-1))))
        }
        ("determinant", 1) => call(Function::Det),
        ("trace", 1) => call(Function::Trace),
        ("divisor", 2) => call(Function::Gcd),
        ("multiple", 2) => call(Function::Lcm),
        ("sum", 2) => Some(Rc::new(Expr::Add(parts.to_vec()))),
        ("product", 2) => Some(Rc::new(Expr::Mul(parts.to_vec()))),
        _ => None,
    }
}

/// The claims in words of a sentence; those that are assumed are left out.
pub(crate) fn phrases(items: &[(Item, Range<usize>)], modes: &[Mode]) -> Vec<Phrase> {
    let mut found = Vec::new();
    for start in 0..items.len() {
        let made = match &items[start].0 {
            Item::Term(..) if is_claimed(items, modes, start) => after_term(items, start),
            Item::Word(word) if modes[start] == Mode::Claim || word == "remainder" => {
                after_word(items, start, word)
            }
            _ => None,
        };
        if let Some((says, terms, end)) = made {
            found.push(Phrase { says, terms, place: items[start].1.start..items[end].1.end });
        }
    }
    found
}

/// Whether what is said of a formula is claimed: also after "for every n ≥ 0 the number".
fn is_claimed(items: &[(Item, Range<usize>)], modes: &[Mode], at: usize) -> bool {
    let named = at >= 2
        && matches!(&items[at - 1].0, Item::Word(word) if matches!(word.as_str(), "number" | "expression" | "value"));
    modes[at] == Mode::Claim || (modes[at] == Mode::Domain && named)
}

type Made = Option<(Says, Vec<(usize, OptId)>, usize)>;

/// Reads on in the items of a sentence.
struct Cursor<'c> {
    items: &'c [(Item, Range<usize>)],
    at: usize,
}

impl Cursor<'_> {
    fn word(&mut self, wanted: &[&str]) -> bool {
        let found =
            matches!(self.items.get(self.at), Some((Item::Word(word), _)) if wanted.contains(&word.as_str()));
        self.at += usize::from(found);
        found
    }

    fn words(&mut self, wanted: &[&str]) -> bool {
        let before = self.at;
        let found = wanted.iter().all(|word| self.word(&[word]));
        if !found {
            self.at = before;
        }
        found
    }

    fn term(&mut self) -> Option<(usize, OptId)> {
        match self.items.get(self.at) {
            Some((Item::Term(formula, node), _)) => {
                self.at += 1;
                Some((*formula, *node))
            }
            _ => None,
        }
    }
}

fn after_term(items: &[(Item, Range<usize>)], start: usize) -> Made {
    let mut cursor = Cursor { items, at: start };
    let first = cursor.term()?;
    if cursor.word(&["equals"]) || cursor.words(&["is", "equal", "to"]) {
        let second = cursor.term()?;
        return Some((Says::Equals, vec![first, second], cursor.at - 1));
    }
    if cursor.word(&["divides"]) {
        let second = cursor.term()?;
        return Some((Says::Divides, vec![first, second], cursor.at - 1));
    }
    if !cursor.word(&["is"]) {
        return None;
    }
    while cursor.word(&["also", "clearly", "always", "indeed", "then", "now", "itself"]) {}
    let holds = !cursor.word(&["not"]);
    while cursor.word(&["a", "an", "always"]) {}
    if cursor.words(&["divisible", "by"]) || cursor.words(&["multiple", "of"]) {
        let second = cursor.term()?;
        return Some((Says::DivisibleBy(holds), vec![first, second], cursor.at - 1));
    }
    let says = if cursor.word(&["prime"]) {
        Says::Prime(holds)
    } else if cursor.word(&["composite"]) {
        Says::Prime(!holds)
    } else if cursor.word(&["even"]) {
        Says::Even(holds)
    } else if cursor.word(&["odd"]) {
        Says::Even(!holds)
    } else {
        return None;
    };
    // "prime to 6" is something else.
    let ends = !matches!(items.get(cursor.at), Some((Item::Word(word), _)) if matches!(word.as_str(), "to" | "relative" | "in" | "if" | "when" | "iff" | "only" | "for" | "unless"));
    ends.then_some((says, vec![first], cursor.at - 1))
}

fn after_word(items: &[(Item, Range<usize>)], start: usize, word: &str) -> Made {
    let mut cursor = Cursor { items, at: start + 1 };
    match word {
        "derivative" | "inverse" | "determinant" | "trace" => {
            let what = match word {
                "derivative" => "derivative",
                "inverse" => "inverse",
                "determinant" => "determinant",
                _ => "trace",
            };
            // "the second derivative" is another one.
            let before = start.checked_sub(1).map(|before| &items[before].0);
            if matches!(before, Some(Item::Word(word)) if !matches!(word.as_str(), "the" | "its" | "and" | "a"))
            {
                return None;
            }
            if !cursor.word(&["of"]) {
                return None;
            }
            let mut terms = vec![cursor.term()?];
            if cursor.words(&["with", "respect", "to"]) {
                terms.push(cursor.term()?);
            }
            is(&mut cursor, terms, Says::Of(what))
        }
        "eigenvalues" => {
            if !cursor.word(&["of"]) {
                return None;
            }
            let mut terms = vec![cursor.term()?];
            if !cursor.word(&["are"]) {
                return None;
            }
            terms.push(cursor.term()?);
            loop {
                let before = cursor.at;
                let is_comma = matches!(items.get(cursor.at), Some((Item::Comma, _)));
                cursor.at += usize::from(is_comma);
                let has_and = cursor.word(&["and"]);
                match cursor.term() {
                    Some(term) if is_comma || has_and => terms.push(term),
                    _ => {
                        cursor.at = before;
                        break;
                    }
                }
            }
            Some((Says::Eigenvalues, terms, cursor.at - 1))
        }
        "divisor" | "multiple" | "gcd" | "sum" | "product" => {
            let before = start.checked_sub(1).map(|before| &items[before].0);
            let common = matches!(before, Some(Item::Word(word)) if word == "common");
            let what = match word {
                "divisor" if common => "divisor",
                "multiple" if common => "multiple",
                "gcd" => "divisor",
                "sum" => "sum",
                "product" => "product",
                _ => return None,
            };
            if !cursor.word(&["of"]) {
                return None;
            }
            let mut terms = vec![cursor.term()?];
            if !cursor.word(&["and"]) {
                return None;
            }
            terms.push(cursor.term()?);
            is(&mut cursor, terms, Says::Of(what))
        }
        "remainder" => {
            if !cursor.word(&["when", "of"]) {
                return None;
            }
            let mut terms = vec![cursor.term()?];
            if !cursor.words(&["is", "divided", "by"]) && !cursor.words(&["divided", "by"]) {
                return None;
            }
            terms.push(cursor.term()?);
            is(&mut cursor, terms, Says::Remainder)
        }
        _ => None,
    }
}

fn is(cursor: &mut Cursor<'_>, mut terms: Vec<(usize, OptId)>, says: Says) -> Made {
    if !cursor.word(&["is", "equals"]) {
        return None;
    }
    cursor.words(&["equal", "to"]);
    terms.push(cursor.term()?);
    Some((says, terms, cursor.at - 1))
}
