//! Goes through the sentences of a text: what is assumed, what is defined, what is claimed.

mod adjectives;
mod assumed;

use crate::derive::Definition;
use crate::expr::{Expr, Shared};
use crate::grammar;
use crate::judge::{Candidate, Claim, Kind, Local, Relation, Status, judge};
use crate::read::{Noticed, Reader, Unread};
use crate::state::State;
use crate::words::{Item, Link, Sentence, Text};
use formula::opt::OptId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What the words before a formula make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Claim,
    /// Assumed, up to the next comma.
    Until,
    /// Values for which the rest is said, up to the next comma.
    Domain,
    /// Defined or assumed, up to the end of the sentence.
    Define,
    /// To be shown or solved, up to the end of the sentence.
    Goal,
    /// The next relation is an equation that describes something.
    One,
}

/// The claims of a text, tested.
pub(crate) fn claims(text: &str, state: &mut State, go_on: &mut dyn FnMut() -> bool) -> Vec<Claim> {
    let text = Text::new(text);
    let mut claims = Vec::new();
    state.defined = defined(&text, state);
    for sentence in &text.sentences {
        let mut scan = Scan::new(&text, state, Mode::Claim);
        scan.read(sentence);
        let Scan { local, candidates, before, .. } = scan;
        for candidate in candidates {
            if claims.len() >= state.limits.claims {
                return claims;
            }
            if state.steps == 0 || !go_on() {
                let Candidate { place, is_formula, .. } = candidate;
                let note = "the time for this text is used up".to_owned();
                claims.push(Claim { place, is_formula, status: Status::NotCheckable, note });
                continue;
            }
            let claim = judge(candidate.clone(), &local, state);
            remember(&candidate, &claim, state);
            claims.push(claim);
        }
        restore(before, state);
    }
    claims
}

/// The names that a text defines or says something about anywhere.
fn defined(text: &Text, state: &State) -> BTreeSet<Rc<str>> {
    let mut all = state.like();
    for sentence in &text.sentences {
        let mut scan = Scan::new(text, &mut all, Mode::Claim);
        scan.read(sentence);
        let before = scan.before;
        restore(before, &mut all);
    }
    all.definitions.into_keys().chain(all.constrained).collect()
}

/// Puts back what the values of a sentence replaced.
fn restore(before: Vec<(Rc<str>, Option<Definition>)>, state: &mut State) {
    for (name, definition) in before.into_iter().rev() {
        match definition {
            Some(definition) => state.definitions.insert(name, definition),
            None => state.definitions.remove(&name),
        };
    }
}

/// An equation that does not hold for all values says something about its letters.
fn remember(candidate: &Candidate, claim: &Claim, state: &mut State) {
    if let (Ok(Kind::Compare(Relation::Equal, left, right)), Status::NotCheckable) =
        (&candidate.kind, claim.status)
    {
        let (left, right) = (left.free(), right.free());
        for name in left.union(&right) {
            if !state.definitions.contains_key(name) {
                state.constrained.insert(Rc::clone(name));
            }
        }
    }
}

/// Takes what a text states as assumptions.
pub(crate) fn assume(text: &str, state: &mut State) {
    let text = Text::new(text);
    for sentence in &text.sentences {
        let mut scan = Scan::new(&text, state, Mode::Define);
        scan.read(sentence);
        let before = scan.before;
        restore(before, state);
    }
}

/// A sentence being read.
struct Scan<'s> {
    text: &'s Text,
    state: &'s mut State,
    /// What a sentence begins with.
    usual: Mode,
    mode: Mode,
    /// Whether something was assumed since the mode was set.
    seen: bool,
    local: Local,
    candidates: Vec<Candidate>,
    /// What names stood for before this sentence gave them values.
    before: Vec<(Rc<str>, Option<Definition>)>,
    /// The variable of an indefinite integral in the chain that is being read.
    primitive: Option<Rc<str>>,
}

impl<'s> Scan<'s> {
    fn new(text: &'s Text, state: &'s mut State, usual: Mode) -> Self {
        let (local, candidates) = (Local::default(), Vec::new());
        Self {
            text,
            state,
            usual,
            mode: usual,
            seen: false,
            local,
            candidates,
            before: Vec::new(),
            primitive: None,
        }
    }

    fn read(&mut self, sentence: &Sentence) {
        let words: Vec<&str> = sentence
            .items
            .iter()
            .filter_map(|(item, _)| if let Item::Word(word) = item { Some(word.as_str()) } else { None })
            .collect();
        if sentence.is_question || grammar::denies(&words) {
            // What is asked or denied is no claim and no assumption.
            return;
        }
        self.local.is_universal = grammar::is_universal(&words);
        self.local.has_cue = grammar::has_cue(&words);
        let exists = grammar::exists(&words);
        let mut modes = Vec::with_capacity(sentence.items.len());
        let mut before = "";
        for (place, (item, range)) in sentence.items.iter().enumerate() {
            match item {
                Item::Word(word) => {
                    let next = sentence.items.get(place + 1).map(|(item, _)| item);
                    self.word(word, before, next);
                    before = word;
                }
                Item::Comma => {
                    if self.seen
                        && matches!(self.mode, Mode::Until | Mode::Domain)
                        && !self.list_goes_on(sentence, place)
                    {
                        self.set(self.usual);
                    }
                    before = "";
                }
                Item::Link(link) => {
                    let range = self.place(link, range);
                    self.link(link, range);
                    before = "";
                }
                Item::Term(..) => {
                    self.seen = true;
                    before = "";
                }
            }
            modes.push(self.mode);
        }
        self.adjectives(sentence, &modes);
        if self.usual == Mode::Claim {
            self.phrases(sentence, &modes);
        }
        if exists {
            self.local.is_universal = false;
            for candidate in &self.candidates {
                if let Ok(Kind::Compare(_, left, right)) = &candidate.kind {
                    self.local.constrained.extend(left.free().into_iter().chain(right.free()));
                }
            }
        }
    }

    fn set(&mut self, mode: Mode) {
        self.mode = mode;
        self.seen = false;
    }

    fn word(&mut self, word: &str, before: &str, next: Option<&Item>) {
        let next_word = if let Some(Item::Word(next)) = next { next.as_str() } else { "" };
        if let Some(mode) = grammar::mode(word, before, next_word, self.mode) {
            let mode = if mode == Mode::Claim { self.usual } else { mode };
            self.set(mode);
        }
    }

    /// Whether a comma is inside a list of what is assumed: `for $x>0$, $y>0$, …`, as the rest of the sentence has
    /// no other claim after it than one behind a further comma.
    fn list_goes_on(&self, sentence: &Sentence, place: usize) -> bool {
        let rest = &sentence.items[place + 1..];
        let next_is_condition = match rest.first() {
            Some((Item::Link(link), _)) => {
                matches!(link.relation.as_str(), "O!in" | "U!neq" | "O!gt" | "O!geq" | "O!lt" | "O!leq")
            }
            Some((Item::Term(..), _)) => true,
            _ => false,
        };
        // It is one if something else follows that can be claimed.
        let later = rest.iter().skip(1);
        let has_claim = later.clone().any(|(item, _)| matches!(item, Item::Link(_)));
        next_is_condition
            && has_claim
            && rest.iter().skip(1).any(|(item, _)| matches!(item, Item::Comma | Item::Word(_)))
    }

    fn place(&self, link: &Link, range: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        let formula = &self.text.formulas[link.formula];
        let (left, right) = (formula.opt.span(link.left), formula.opt.span(link.right));
        if left.is_empty() || right.is_empty() {
            return range.clone();
        }
        let inside =
            balanced(&formula.latex, left.start.min(right.start) as usize, left.end.max(right.end) as usize);
        formula.start + inside.start..formula.start + inside.end
    }

    /// Reads a part of a formula.
    fn expression(&self, formula: usize, node: OptId) -> (Result<Shared, Unread>, Noticed) {
        let formula = &self.text.formulas[formula];
        let named = |name: &str| self.state.is_named(name);
        let mut reader = Reader::new(&formula.opt, &formula.latex, self.state.imaginary, &named);
        let made = reader.read(node);
        (made, reader.noticed)
    }

    fn link(&mut self, link: &Link, place: std::ops::Range<usize>) {
        match self.mode {
            Mode::Claim => self.claim(link, place),
            mode => {
                self.assumed(link, mode);
                self.seen = true;
                if mode == Mode::One {
                    self.set(self.usual);
                }
            }
        }
    }

    fn claim(&mut self, link: &Link, place: std::ops::Range<usize>) {
        if link.relation == "O!assign" {
            return self.assumed(link, Mode::Define);
        }
        let is_known = Relation::of_tag(&link.relation).is_some()
            || matches!(link.relation.as_str(), "O!divides" | "O!not-divides")
            || (link.relation == "U!equivalent" && link.modulus.is_some());
        if !is_known {
            // Membership, arrows and the like claim nothing that can be computed.
            return;
        }
        let (left, noticed) = self.expression(link.formula, link.left);
        let (right, other) = self.expression(link.formula, link.right);
        let mut noticed = joined(noticed, other);
        if link.chain.1 == 0 {
            self.primitive = None;
        }
        let (left, right) = match (left, right) {
            (Ok(left), Ok(right)) => (left, right),
            (Err(Unread(reason)), _) | (_, Err(Unread(reason))) => {
                self.constrain_letters(link);
                return self.push(Err(reason), noticed, place, link.chain.0);
            }
        };
        if link.relation == "U!eq" && link.modulus.is_none() && self.defines(&left, &right) {
            return;
        }
        // `r > 0` says something about r.
        let is_bare = |side: &Shared| side.as_variable().is_some();
        let is_said = is_bare(&left) && (is_bare(&right) || right.free().is_empty())
            || is_bare(&right) && left.free().is_empty();
        if is_said && (link.relation != "U!eq" || link.modulus.is_some()) {
            return;
        }
        let formula = &self.text.formulas[link.formula];
        let source = place.start - formula.start..place.end - formula.start;
        // Lines below each other without a table around them.
        let source = formula.latex.get(source).unwrap_or_default();
        noticed.ambiguous |= source.contains("\\\\") && !source.contains("\\begin");
        let kind = match (link.relation.as_str(), link.modulus) {
            ("U!eq" | "U!equivalent", Some(modulus)) => {
                let (modulus, other) = self.expression(link.formula, modulus);
                noticed = joined(noticed, other);
                modulus.map(|modulus| Kind::Congruent(left, right, modulus)).map_err(|Unread(reason)| reason)
            }
            ("O!divides", _) => Ok(Kind::Divides(left, right, true)),
            ("O!not-divides", _) => Ok(Kind::Divides(left, right, false)),
            (tag, _) => {
                let relation = Relation::of_tag(tag).unwrap_or(Relation::Equal);
                self.primitive = indefinite(&left).or_else(|| indefinite(&right)).or(self.primitive.take());
                match &self.primitive {
                    Some(name) if relation == Relation::Equal => {
                        Ok(Kind::Primitive(left, right, Rc::clone(name)))
                    }
                    _ => Ok(Kind::Compare(relation, left, right)),
                }
            }
        };
        self.push(kind, noticed, place, link.chain.0);
    }

    fn push(
        &mut self,
        kind: Result<Kind, String>,
        noticed: Noticed,
        place: std::ops::Range<usize>,
        chain: usize,
    ) {
        self.candidates.push(Candidate { kind, noticed, place, is_formula: true, chain });
    }

    /// Claims in words around formulas.
    fn phrases(&mut self, sentence: &Sentence, modes: &[Mode]) {
        for phrase in grammar::phrases(&sentence.items, modes) {
            let mut noticed = Noticed::default();
            let mut failed = None;
            let mut parts = Vec::new();
            for (formula, node) in &phrase.terms {
                let (made, other) = self.expression(*formula, *node);
                noticed = joined(noticed, other);
                match made {
                    Ok(made) => parts.push(made),
                    Err(Unread(reason)) => failed = Some(reason),
                }
            }
            let kind = match failed {
                Some(reason) => Err(reason),
                None => match phrase.kind(&parts) {
                    Some(kind) => Ok(kind),
                    None => continue,
                },
            };
            self.candidates.push(Candidate {
                kind,
                noticed,
                place: phrase.place,
                is_formula: false,
                chain: 1,
            });
        }
    }
}

/// A part of a formula with the braces that it needs, or all of the formula.
fn balanced(latex: &str, start: usize, mut end: usize) -> std::ops::Range<usize> {
    let open = |part: &str| {
        let mut depth = 0_i64;
        let mut lowest = 0;
        let mut letters = part.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => drop(letters.next()),
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            lowest = lowest.min(depth);
        }
        (depth, lowest)
    };
    let all = 0..latex.len();
    let Some(part) = latex.get(start..end) else { return all };
    let (mut depth, lowest) = open(part);
    while depth > 0 && latex[end..].starts_with(['}', ' ']) {
        depth -= i64::from(latex[end..].starts_with('}'));
        end += 1;
    }
    let part = &latex[start..end];
    let fences = part.matches("\\left").count() == part.matches("\\right").count() || part.contains("arrow");
    let tables = part.matches("\\begin").count() == part.matches("\\end").count();
    if depth == 0 && lowest >= 0 && fences && tables { start..end } else { all }
}

fn joined(left: Noticed, right: Noticed) -> Noticed {
    Noticed {
        ambiguous: left.ambiguous || right.ambiguous,
        indexed: left.indexed || right.indexed,
        imaginary: left.imaginary || right.imaginary,
        euler: left.euler || right.euler,
    }
}

/// The variable of an indefinite integral in an expression.
fn indefinite(expr: &Shared) -> Option<Rc<str>> {
    let mut found = None;
    expr.any(&mut |part| {
        if let Expr::Integral(_, name, None) = part {
            found = Some(Rc::clone(name));
        }
        false
    });
    found
}
