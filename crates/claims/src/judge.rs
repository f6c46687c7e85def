//! Holds a claim against numbers.

mod excuse;
mod outcome;

use crate::derive::{derivative, resolve};
use crate::domain::{Numbers, places};
use crate::eval::{Evaluator, Readings};
use crate::expr::{Expr, Function, Shared};
use crate::read::Noticed;
use crate::state::{Condition, State};
use crate::value::Stop;
use excuse::{Excuse, loosely_defined};
use outcome::{Outcome, compare, outcome};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// What came of testing a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// It holds wherever it was tested.
    Checked,
    /// It is clearly violated.
    Failed,
    /// It could not be tested, or testing it decided nothing.
    NotCheckable,
}

impl Status {
    /// As pages, tables and the API write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Checked => "checked",
            Self::Failed => "failed",
            Self::NotCheckable => "not checkable",
        }
    }
}

/// A claim of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Where it is in the text, in bytes; of a formula without its dollars.
    pub place: Range<usize>,
    /// Whether it is a part of a formula, and not words around formulas.
    pub is_formula: bool,
    /// What came of testing it.
    pub status: Status,
    /// What was computed, or why nothing was.
    pub note: String,
}

impl Claim {
    /// The claim as it is in its text: a formula between dollars, or words.
    #[must_use]
    pub fn quoted(&self, text: &str) -> String {
        let said = text.get(self.place.clone()).unwrap_or_default();
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        if self.is_formula { format!("${said}$") } else { said }
    }
}

/// How many claims had which outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those that hold wherever they were tested.
    pub checked: usize,
    /// Those that are clearly violated.
    pub failed: usize,
    /// All others.
    pub not_checkable: usize,
}

impl Counts {
    /// Counts claims by their outcome.
    #[must_use]
    pub fn of(claims: &[Claim]) -> Self {
        let mut counts = Self::default();
        for claim in claims {
            match claim.status {
                Status::Checked => counts.checked += 1,
                Status::Failed => counts.failed += 1,
                Status::NotCheckable => counts.not_checkable += 1,
            }
        }
        counts
    }

    /// All claims.
    #[must_use]
    pub fn all(self) -> usize {
        self.checked + self.failed + self.not_checkable
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.checked += other.checked;
        self.failed += other.failed;
        self.not_checkable += other.not_checkable;
    }
}

/// A relation between numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Near,
}

impl Relation {
    pub(crate) fn of_tag(tag: &str) -> Option<Self> {
        Some(match tag {
            "U!eq" => Self::Equal,
            "U!neq" => Self::NotEqual,
            "O!lt" => Self::Less,
            "O!leq" => Self::AtMost,
            "O!gt" => Self::Greater,
            "O!geq" => Self::AtLeast,
            "U!approx" | "U!approximately-equals" => Self::Near,
            _ => return None,
        })
    }
}

/// What is claimed.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Compare(Relation, Shared, Shared),
    /// Equal up to a constant, over a variable.
    Primitive(Shared, Shared, Rc<str>),
    Congruent(Shared, Shared, Shared),
    /// The divisor, the number, and whether it divides.
    Divides(Shared, Shared, bool),
    Prime(Shared, bool),
    Even(Shared, bool),
    Eigenvalues(Shared, Vec<Shared>),
}

impl Kind {
    fn parts(&self) -> Vec<&Shared> {
        match self {
            Self::Compare(_, left, right)
            | Self::Primitive(left, right, _)
            | Self::Divides(left, right, _) => {
                vec![left, right]
            }
            Self::Congruent(left, right, modulus) => vec![left, right, modulus],
            Self::Prime(one, _) | Self::Even(one, _) => vec![one],
            Self::Eigenvalues(table, values) => std::iter::once(table).chain(values).collect(),
        }
    }

    fn resolved(&self, state: &State) -> Result<Self, Stop> {
        let of = |expr: &Shared| resolve(expr, &state.definitions);
        Ok(match self {
            Self::Compare(relation, left, right) => {
                let (left, right) = with_identity(of(left)?, of(right)?);
                Self::Compare(*relation, left, right)
            }
            Self::Primitive(left, right, name) => {
                let (left, right) = (of(left)?, of(right)?);
                Self::Compare(Relation::Equal, derivative(&left, name)?, derivative(&right, name)?)
            }
            Self::Congruent(left, right, modulus) => Self::Congruent(of(left)?, of(right)?, of(modulus)?),
            Self::Divides(left, right, holds) => Self::Divides(of(left)?, of(right)?, *holds),
            Self::Prime(one, holds) => Self::Prime(of(one)?, *holds),
            Self::Even(one, holds) => Self::Even(of(one)?, *holds),
            Self::Eigenvalues(table, values) => {
                Self::Eigenvalues(of(table)?, values.iter().map(of).collect::<Result<_, _>>()?)
            }
        })
    }
}

/// I beside matrices of one size is the identity.
fn with_identity(left: Shared, right: Shared) -> (Shared, Shared) {
    let mut size = None;
    for side in [&left, &right] {
        side.any(&mut |part| {
            if let Expr::Matrix(columns, cells) = part {
                size = size.or((columns * columns == cells.len() && *columns > 1).then_some(*columns));
            }
            false
        });
    }
    let Some(size) = size else { return (left, right) };
    let cells = (0..size * size).map(|at| Expr::whole(i64::from(at / size == at % size))).collect();
    let identity = Rc::new(Expr::Matrix(size, cells));
    (left.replace("I", &identity), right.replace("I", &identity))
}

/// A claim, before it is tested.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) kind: Result<Kind, String>,
    pub(crate) noticed: Noticed,
    pub(crate) place: Range<usize>,
    pub(crate) is_formula: bool,
    /// How many links its chain has.
    pub(crate) chain: usize,
}

/// What the sentence says about the variables of its claims.
#[derive(Clone, Debug, Default)]
pub(crate) struct Local {
    pub(crate) conditions: Vec<Condition>,
    pub(crate) constrained: BTreeSet<Rc<str>>,
    /// It speaks of all values.
    pub(crate) is_universal: bool,
    /// It speaks of an identity, a rule or a transformation.
    pub(crate) has_cue: bool,
}

#[derive(Default)]
struct Tally {
    holds: usize,
    unclear: usize,
    violated: Vec<String>,
    stop: Option<Stop>,
    /// What both sides are, for claims without variables.
    value: Option<String>,
}

pub(crate) fn judge(candidate: Candidate, local: &Local, state: &mut State) -> Claim {
    let Candidate { kind, noticed, place, is_formula, chain } = candidate;
    let made = |status, note: String| Claim { place: place.clone(), is_formula, status, note };
    let kind = match kind {
        Ok(kind) => kind,
        Err(reason) => return made(Status::NotCheckable, reason),
    };
    let resolved = match kind.resolved(state) {
        Ok(resolved) => resolved,
        Err(stop) => return made(Status::NotCheckable, reason(&stop)),
    };
    let budget = state.limits.claim.min(state.steps);
    let mut test = Test::new(&resolved, noticed, local, state, budget);
    let tallies: Vec<Tally> =
        readings(&resolved, noticed, test.complex).into_iter().map(|one| test.run(one)).collect();
    let left = test.steps;
    let names = test.names.clone();
    state.steps = state.steps.saturating_sub(budget.saturating_sub(left));
    let mut best = made(Status::NotCheckable, "it could not be decided".to_owned());
    for tally in &tallies {
        if names.is_empty() && tally.holds > 0 {
            // An inequality at one value that the text mentions says nothing about others.
            let is_order = matches!(kind, Kind::Compare(relation, ..) if !matches!(relation, Relation::Equal | Relation::Near));
            if let Some(name) = loosely_defined(&kind, state).filter(|_| is_order) {
                return made(Status::NotCheckable, format!("the text may have given {name} another value"));
            }
            return made(Status::Checked, tally.value.clone().unwrap_or_else(|| "computed".to_owned()));
        }
        let enough = tally.holds >= 4 && tally.violated.is_empty() && tally.unclear <= tally.holds;
        if !names.is_empty() && enough {
            return made(Status::Checked, format!("holds at the {} places tested", tally.holds));
        }
        if tally.violated.is_empty() {
            best.note = match (&tally.stop, tally.holds + tally.unclear) {
                (Some(stop), 0) => reason(stop),
                (_, 0) => "no values to test it with".to_owned(),
                _ => "rounding leaves it undecided".to_owned(),
            };
        }
    }
    if tallies.iter().any(|tally| tally.violated.is_empty()) {
        return best;
    }
    let Some(tally) = tallies.first() else { return best };
    let excuse = Excuse { kind: &kind, resolved: &resolved, noticed, local, state, names: &names, chain };
    match excuse.find(tally) {
        Some(excuse) => made(Status::NotCheckable, excuse),
        None => made(Status::Failed, tally.violated[0].clone()),
    }
}

/// What a stop is called.
fn reason(stop: &Stop) -> String {
    match stop {
        Stop::Undefined => "a side has no value".to_owned(),
        Stop::Imprecise => "a side cannot be computed closely enough".to_owned(),
        Stop::Budget => "it takes too long to compute".to_owned(),
        Stop::Unknown(what) => what.clone(),
    }
}

/// What notation with several meanings may mean here, the usual first.
fn readings(kind: &Kind, noticed: Noticed, complex: bool) -> Vec<Readings> {
    let parts = kind.parts();
    let has = |is: &mut dyn FnMut(&Expr) -> bool| parts.iter().any(|part| part.any(is));
    let complex = complex || noticed.imaginary;
    let usual = Readings { complex, ..Readings::default() };
    let mut all = vec![usual];
    if has(&mut |part| matches!(part, Expr::Call(Function::Log, arguments) if arguments.len() == 1)) {
        all.push(Readings { base: 10, ..usual });
        all.push(Readings { base: 2, ..usual });
    }
    let is_angle = |part: &Expr| match part {
        Expr::Call(Function::Sin | Function::Cos | Function::Tan, arguments) => {
            matches!(&*arguments[0], Expr::Number(_)) && !arguments[0].is_whole(0)
        }
        Expr::Call(Function::Arcsin | Function::Arccos | Function::Arctan, _) => has(
            &mut |part| matches!(part, Expr::Number(value) if value.to_i64().is_some_and(|degrees| degrees >= 15)),
        ),
        _ => false,
    };
    if has(&mut |part| is_angle(part)) {
        all.push(Readings { degrees: true, ..usual });
    }
    all
}

/// What numbers a name stands for, if the text does not say: by its letter, and whether whole ones are needed.
pub(crate) fn default_numbers(name: &str, state: &State, whole: bool) -> Numbers {
    if let Some(numbers) = state.numbers.get(name) {
        return *numbers;
    }
    let first = name.chars().next().unwrap_or_default();
    match first {
        'n' | 'm' | 'k' | 'N' | 'j' | 'l' => Numbers::Natural,
        'z' | 'w' if state.complex => Numbers::Complex,
        _ if whole => Numbers::Integer,
        _ => Numbers::Real,
    }
}

/// Whether a name is used where only whole numbers make sense.
fn needs_whole(kind: &Kind, name: &str) -> bool {
    if !matches!(kind, Kind::Compare(..) | Kind::Primitive(..) | Kind::Eigenvalues(..)) {
        return true;
    }
    let holds = |part: &Shared| part.free().contains(name);
    kind.parts().iter().any(|side| {
        side.any(&mut |part| match part {
            Expr::Call(Function::Factorial | Function::Binomial | Function::DoubleFactorial, arguments)
            | Expr::Call(Function::Gcd | Function::Lcm | Function::Rem, arguments) => {
                arguments.iter().any(holds)
            }
            Expr::Repeat(_, range, _) => holds(&range.from) || holds(&range.to),
            _ => false,
        })
    })
}

struct Test<'t> {
    kind: &'t Kind,
    names: Vec<Rc<str>>,
    numbers: Vec<Numbers>,
    conditions: Vec<Condition>,
    complex: bool,
    steps: u64,
}

impl<'t> Test<'t> {
    fn new(kind: &'t Kind, noticed: Noticed, local: &Local, state: &State, steps: u64) -> Self {
        let mut names: BTreeSet<Rc<str>> = kind.parts().into_iter().flat_map(|part| part.free()).collect();
        let all = state.conditions.iter().chain(&local.conditions);
        let mut conditions: Vec<Condition> = Vec::new();
        for condition in all {
            let of = |side: &Shared| resolve(side, &state.definitions);
            if let (Ok(left), Ok(right)) = (of(&condition.left), of(&condition.right)) {
                conditions.push(Condition { relation: condition.relation, left, right });
            }
        }
        let used = |condition: &Condition| {
            let mut used = condition.left.free();
            used.append(&mut condition.right.free());
            used
        };
        // What is assumed of others counts if it ties them to those of the claim.
        for _ in 0..2 {
            for condition in &conditions {
                let used = used(condition);
                if used.iter().any(|name| names.contains(name)) && names.len() + used.len() <= 8 {
                    names.extend(used);
                }
            }
        }
        conditions.retain(|condition| {
            let used = used(condition);
            !used.is_empty() && used.is_subset(&names)
        });
        let names: Vec<Rc<str>> = names.into_iter().collect();
        let numbers: Vec<Numbers> =
            names.iter().map(|name| default_numbers(name, state, needs_whole(kind, name))).collect();
        let complex = numbers.contains(&Numbers::Complex) || noticed.imaginary;
        Self { kind, names, numbers, conditions, complex, steps }
    }

    fn run(&mut self, readings: Readings) -> Tally {
        let mut tally = Tally::default();
        let places = if self.names.is_empty() { vec![Vec::new()] } else { places(&self.numbers) };
        let wanted = if self.numbers.iter().all(|one| one.is_whole()) { 60 } else { 24 };
        let mut evaluator = Evaluator::new(self.steps, readings);
        for place in places {
            if tally.holds + tally.violated.len() + tally.unclear >= wanted {
                break;
            }
            for (name, value) in self.names.iter().zip(&place) {
                evaluator.set(name, value.clone());
            }
            let admits = |condition: &Condition, evaluator: &mut Evaluator| {
                matches!(
                    compare(condition.relation, &condition.left, &condition.right, evaluator).0,
                    Outcome::Holds
                )
            };
            if !self.conditions.iter().all(|condition| admits(condition, &mut evaluator)) {
                continue;
            }
            let (outcome, value) = outcome(self.kind, &mut evaluator);
            match outcome {
                Outcome::Holds => tally.holds += 1,
                Outcome::Unclear => tally.unclear += 1,
                Outcome::Undefined(stop) => {
                    let is_last = !matches!(stop, Stop::Undefined | Stop::Imprecise);
                    if tally.stop.is_none() || is_last {
                        tally.stop = Some(stop);
                    }
                    if is_last {
                        break;
                    }
                }
                Outcome::Violated(what) => {
                    let named =
                        self.names.iter().zip(&place).map(|(name, value)| format!("{name} = {value}"));
                    let named = named.collect::<Vec<_>>().join(", ");
                    tally.violated.push(if named.is_empty() { what } else { format!("for {named}: {what}") });
                }
            }
            tally.value = value.or(tally.value);
        }
        self.steps = evaluator.steps_left();
        tally
    }
}
