//! Holds a claim against numbers.

use crate::decimals::Sides;
use crate::derive::{derivative, resolve};
use crate::domain::{Numbers, places};
use crate::eval::{Evaluator, Readings};
use crate::expr::{Expr, Function, Shared};
use crate::rational::{Rational, is_prime};
use crate::read::Noticed;
use crate::state::{Condition, State};
use crate::value::{Standing, Stop, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
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

/// What a place says about a claim.
#[derive(Clone, Debug)]
enum Outcome {
    Holds,
    Violated(String),
    Unclear,
    Undefined(Stop),
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

/// Why a violated claim is not called failed.
struct Excuse<'e> {
    kind: &'e Kind,
    resolved: &'e Kind,
    noticed: Noticed,
    local: &'e Local,
    state: &'e State,
    names: &'e [Rc<str>],
    chain: usize,
}

impl Excuse<'_> {
    fn find(&self, tally: &Tally) -> Option<String> {
        let is_modular = matches!(self.kind, Kind::Congruent(..) | Kind::Divides(..) | Kind::Prime(..));
        if self.noticed.ambiguous {
            return Some("the formula can be read in several ways".to_owned());
        }
        if self.noticed.indexed {
            return Some("the text does not say what a name with an index is".to_owned());
        }
        if self.state.ring && !is_modular {
            return Some("the numbers may be those of another ring or base".to_owned());
        }
        if self.state.refutes {
            return Some("the text may state it to refute it".to_owned());
        }
        if self.is_multivalued() {
            return Some("a function in it has several values".to_owned());
        }
        if matches!(&self.kind, Kind::Compare(_, left, _) if matches!(**left, Expr::E)) {
            return Some("e may be another thing than the number".to_owned());
        }
        if let Some(name) = self.loosely_defined() {
            return Some(format!("the text may have given {name} another value"));
        }
        if self.names.is_empty() {
            return None;
        }
        if matches!(self.kind, Kind::Compare(Relation::Near, ..)) {
            return Some("the text does not say how close they are".to_owned());
        }
        let is_alone = self.kind.parts().iter().any(|side| side.as_variable().is_some());
        if is_alone && !self.local.is_universal {
            return Some("a name stands alone on a side".to_owned());
        }
        if is_modular && self.state.coprime {
            return Some("the text speaks of common divisors".to_owned());
        }
        if let Some(name) = self.names.iter().find(|name| self.state.defined.contains(*name)) {
            return Some(format!("the text says elsewhere what {name} is"));
        }
        let constrained = |name: &&Rc<str>| {
            self.state.constrained.contains(*name) || self.local.constrained.contains(*name)
        };
        if let Some(name) = self.names.iter().find(constrained) {
            return Some(format!("the text makes an assumption about {name}"));
        }
        if self.local.is_universal && tally.violated.len() >= 3 {
            return None;
        }
        if let Kind::Compare(Relation::Equal, ..) | Kind::Primitive(..) = self.kind {
            let nearly_all =
                tally.violated.len() >= 4 && tally.holds + tally.unclear <= self.coincidences(tally);
            if !nearly_all {
                return Some("it holds for some values only".to_owned());
            }
            if self.is_meant_for_all() {
                return None;
            }
            return Some("it may be an equation for some values".to_owned());
        }
        Some("the text does not say for which values".to_owned())
    }

    /// A name in the claim that is defined in passing.
    fn loosely_defined(&self) -> Option<Rc<str>> {
        let mut loose = None;
        let mut left: Vec<Shared> = self.kind.parts().into_iter().cloned().collect();
        let mut seen = BTreeSet::new();
        while let Some(expr) = left.pop() {
            expr.any(&mut |part| {
                let (Expr::Variable(name) | Expr::Apply(name, ..)) = part else { return false };
                if let Some(definition) =
                    self.state.definitions.get(name).filter(|_| seen.insert(Rc::clone(name)))
                {
                    if !definition.firm {
                        loose = Some(Rc::clone(name));
                    }
                    left.push(Rc::clone(&definition.body));
                }
                false
            });
        }
        loose
    }

    /// How often a false equality of whole numbers may hold by chance.
    fn coincidences(&self, tally: &Tally) -> usize {
        let is_whole = self.names.iter().all(|name| default_numbers(name, self.state, true).is_whole());
        if is_whole { 1 + tally.violated.len() / 8 } else { 0 }
    }

    /// Whether an equality is an identity that is claimed, and not an equation.
    fn is_meant_for_all(&self) -> bool {
        if matches!(self.kind, Kind::Primitive(..)) {
            return true;
        }
        let sides = self.kind.parts();
        let works = |side: &&Shared| {
            side.any(&mut |part| {
                matches!(part, Expr::Derivative(..) | Expr::Integral(..) | Expr::Limit(..) | Expr::Repeat(..))
                    || matches!(part, Expr::Apply(_, primes, _) if *primes > 0)
            })
        };
        let resolved = self.resolved.parts();
        let (left, right) = (resolved[0].free(), resolved[1].free());
        let is_large = |name: &Rc<str>| name.starts_with(char::is_uppercase) && !matches!(&**name, "N" | "M");
        if left.union(&right).any(is_large) {
            return false;
        }
        if sides.iter().any(works) {
            return (works(&sides[0]) && right.is_subset(&left))
                || (works(&sides[1]) && left.is_subset(&right));
        }
        let is_zero = sides.iter().any(|side| side.is_whole(0));
        left == right && !is_zero && !self.state.solves && (self.local.has_cue || self.chain >= 2)
    }

    fn is_multivalued(&self) -> bool {
        let is_complex = self.state.complex || self.noticed.imaginary;
        is_complex
            && self.resolved.parts().iter().any(|side| {
                side.any(&mut |part| match part {
                    Expr::Call(Function::Ln | Function::Log, arguments) => !is_positive(&arguments[0]),
                    Expr::Root(base, _) => !is_positive(base),
                    Expr::Pow(base, exponent) => !is_positive(base) && !is_whole(exponent),
                    _ => false,
                })
            })
    }
}

fn is_whole(expr: &Expr) -> bool {
    match expr {
        Expr::Number(value) => value.is_whole(),
        Expr::Neg(inner) => is_whole(inner),
        _ => false,
    }
}

fn is_positive(expr: &Expr) -> bool {
    match expr {
        Expr::Number(value) | Expr::Decimal(value, _) => !value.is_negative() && !value.is_zero(),
        Expr::Pi | Expr::E => true,
        _ => false,
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

type Seen = (Outcome, Option<String>);

fn outcome(kind: &Kind, evaluator: &mut Evaluator) -> Seen {
    let made = match kind {
        Kind::Compare(relation, left, right) => return compare(*relation, left, right, evaluator),
        // Resolved claims have none.
        Kind::Primitive(..) => return (Outcome::Undefined(Stop::Undefined), None),
        Kind::Congruent(left, right, modulus) => congruent(left, right, modulus, evaluator),
        Kind::Divides(divisor, number, holds) => divides(divisor, number, *holds, evaluator),
        Kind::Prime(number, holds) => whole(number, evaluator).and_then(|number| {
            let prime = is_prime(&number).ok_or(Stop::Budget)?;
            let holds = if *holds { prime } else { !prime && number > BigInt::one() };
            Ok(said(holds, format!("{} is {}", shown(&number), if prime { "prime" } else { "not prime" })))
        }),
        Kind::Even(number, even) => whole(number, evaluator).map(|number| {
            let is_even = number.is_even();
            said(is_even == *even, format!("{} is {}", shown(&number), if is_even { "even" } else { "odd" }))
        }),
        Kind::Eigenvalues(table, values) => eigenvalues(table, values, evaluator),
    };
    made.unwrap_or_else(|stop| (Outcome::Undefined(stop), None))
}

fn said(holds: bool, what: String) -> Seen {
    if holds { (Outcome::Holds, Some(what)) } else { (Outcome::Violated(what), None) }
}

fn shown(number: &BigInt) -> String {
    Rational::of_big(number.clone()).map_or_else(|| "a long number".to_owned(), |number| number.to_string())
}

fn whole(number: &Shared, evaluator: &mut Evaluator) -> Result<BigInt, Stop> {
    match evaluator.value(number)? {
        Value::Exact(value) => value.as_big().cloned().ok_or(Stop::Undefined),
        _ => Err(Stop::Undefined),
    }
}

fn compare(relation: Relation, left: &Shared, right: &Shared, evaluator: &mut Evaluator) -> Seen {
    let sides = Sides { left, right };
    let values = evaluator.value(left).and_then(|left| Ok((left, evaluator.value(right)?)));
    let (one, other) = match values {
        Ok(values) => values,
        Err(stop) => return (Outcome::Undefined(stop), None),
    };
    let is_table = |value: &Value| matches!(value, Value::Table(_));
    if is_table(&one) != is_table(&other) {
        return (Outcome::Undefined(Stop::Undefined), None);
    }
    let standing = one.compare(&other);
    let differs = matches!(standing, Standing::Less | Standing::Greater | Standing::Different);
    if relation == Relation::Near || (relation == Relation::Equal && differs) {
        if let Some(outcome) = sides.rounded(relation, &one, &other) {
            return match outcome {
                Some(true) => (Outcome::Holds, Some(format!("{one} and {other}, to the digits given"))),
                Some(false) => {
                    (Outcome::Violated(format!("the left side is {one}, the right side {other}")), None)
                }
                None => (Outcome::Unclear, None),
            };
        }
    }
    let holds = match (relation, standing) {
        (_, Standing::Unclear) => None,
        (Relation::Equal | Relation::Near, _) => Some(!differs),
        (Relation::NotEqual, _) => Some(differs),
        (_, Standing::Different) => return (Outcome::Undefined(Stop::Undefined), None),
        (Relation::Less, Standing::Equal) | (Relation::Greater, Standing::Equal) => {
            let exact = matches!((&one, &other), (Value::Exact(_), Value::Exact(_)));
            if exact { Some(false) } else { None }
        }
        (Relation::Less, _) => Some(standing == Standing::Less),
        (Relation::Greater, _) => Some(standing == Standing::Greater),
        (Relation::AtMost, _) => Some(standing != Standing::Greater),
        (Relation::AtLeast, _) => Some(standing != Standing::Less),
    };
    let what = || format!("the left side is {one}, the right side {other}");
    match holds {
        Some(true) if standing == Standing::Equal => (Outcome::Holds, Some(format!("both sides are {one}"))),
        Some(true) => (Outcome::Holds, Some(what())),
        Some(false) => (Outcome::Violated(what()), None),
        None => (Outcome::Unclear, None),
    }
}

fn divides(divisor: &Shared, number: &Shared, holds: bool, evaluator: &mut Evaluator) -> Result<Seen, Stop> {
    let divisor = whole(divisor, evaluator)?;
    if divisor.is_zero() {
        return Err(Stop::Undefined);
    }
    let rest = modular(number, &divisor.abs(), evaluator, 0)?;
    let what = format!("the remainder by {} is {}", shown(&divisor), shown(&rest));
    Ok(said(rest.is_zero() == holds, what))
}

fn congruent(
    left: &Shared,
    right: &Shared,
    modulus: &Shared,
    evaluator: &mut Evaluator,
) -> Result<Seen, Stop> {
    let modulus = whole(modulus, evaluator)?.abs();
    if modulus.is_zero() {
        return Err(Stop::Undefined);
    }
    let left = modular(left, &modulus, evaluator, 0)?;
    let right = modular(right, &modulus, evaluator, 0)?;
    let what = format!("modulo {} they are {} and {}", shown(&modulus), shown(&left), shown(&right));
    Ok(said(left == right, what))
}

/// The remainder of an expression, without computing large powers.
fn modular(expr: &Shared, modulus: &BigInt, evaluator: &mut Evaluator, depth: usize) -> Result<BigInt, Stop> {
    evaluator.spend(1 + modulus.bits() / 64)?;
    let mut inner = |part: &Shared| modular(part, modulus, evaluator, depth + 1);
    let made = match &**expr {
        Expr::Add(parts) => parts.iter().try_fold(BigInt::zero(), |sum, part| Ok(sum + inner(part)?))?,
        Expr::Mul(parts) => {
            parts.iter().try_fold(BigInt::one(), |made, part| Ok((made * inner(part)?) % modulus))?
        }
        Expr::Neg(part) => -inner(part)?,
        Expr::Pow(base, exponent) => {
            let exponent = whole(exponent, evaluator)?;
            let base = modular(base, modulus, evaluator, depth + 1)?;
            evaluator.spend((exponent.bits() + 1) * (1 + modulus.bits() * modulus.bits() / 2_048))?;
            let base =
                if exponent.is_negative() { base.modinv(modulus).ok_or(Stop::Undefined)? } else { base };
            base.modpow(&exponent.abs(), modulus)
        }
        Expr::Div(above, below) => {
            // A quotient that is whole, or the inverse.
            match whole(expr, evaluator) {
                Ok(whole) => whole,
                Err(Stop::Undefined) => {
                    let above = modular(above, modulus, evaluator, depth + 1)?;
                    let below = modular(below, modulus, evaluator, depth + 1)?;
                    above * below.modinv(modulus).ok_or(Stop::Undefined)?
                }
                Err(stop) => return Err(stop),
            }
        }
        _ => whole(expr, evaluator)?,
    };
    Ok(made.mod_floor(modulus))
}

/// Whether each value is one, and there are not fewer than there must be.
fn eigenvalues(table: &Shared, values: &[Shared], evaluator: &mut Evaluator) -> Result<Seen, Stop> {
    let Value::Table(matrix) = evaluator.value(table)? else { return Err(Stop::Undefined) };
    let size = matrix.columns;
    let identity = Value::Table(crate::value::Table::identity(size));
    let mut sum = Value::whole(0);
    for value in values {
        let value = evaluator.value(value)?;
        let shifted = Value::Table(matrix.clone()).add(&identity.mul(&value.neg())?)?;
        let Value::Table(shifted) = shifted else { return Err(Stop::Undefined) };
        let det = shifted.det()?;
        match det.compare(&Value::whole(0)) {
            Standing::Equal => {}
            Standing::Unclear if det.ball().is_ok_and(|det| det.abs() <= 4.0 * det.rad) => {}
            Standing::Unclear => return Ok((Outcome::Unclear, None)),
            _ => return Ok(said(false, format!("det(A − λI) is {det} for λ = {value}"))),
        }
        sum = sum.add(&value)?;
    }
    if values.len() == size {
        let trace = matrix.trace()?;
        let standing = trace.compare(&sum);
        let what = format!("their sum is {sum}, the trace {trace}");
        return Ok(match standing {
            Standing::Unclear => (Outcome::Unclear, None),
            _ => said(standing == Standing::Equal, what),
        });
    }
    Ok(said(true, "det(A − λI) is 0 for each".to_owned()))
}
