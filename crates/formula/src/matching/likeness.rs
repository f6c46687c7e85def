//! How two nodes are alike, and which letter stands for which.

use super::align::Aligned;
use super::node::{Kind, Node, Nodes, Strictness};

/// How two nodes are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Likeness {
    /// The same, spelled the same.
    Same,
    /// The same in another notation: `a > b` and `b < a`.
    Notation,
    /// A letter that is renamed the same way all over the formula.
    Renamed,
    /// A wildcard and what it stands for.
    Wildcard,
    /// A letter for another, against the renaming.
    OtherLetter,
    /// A number for another.
    OtherNumber,
    /// Nearly the same: `<` and `≤`, `sin` and `cos`.
    Family,
    /// Different, but what is below is aligned.
    Different,
}

impl Likeness {
    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Notation => "other notation",
            Self::Renamed => "renamed",
            Self::Wildcard => "wildcard",
            Self::OtherLetter => "other letter",
            Self::OtherNumber => "other number",
            Self::Family => "family",
            Self::Different => "different",
        }
    }
}

/// What a letter or a wildcard of the query stands for.
#[derive(Clone, Copy, Debug)]
struct Binding {
    name: u64,
    value: u64,
    votes: f32,
}

/// What the letters and wildcards of a query stand for in a candidate.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings {
    votes: Vec<Binding>,
    kept: Vec<Binding>,
}

/// What keeping its name is worth to a letter, in votes.
const SAME_NAME: f32 = 0.5;
/// What standing for something larger is worth to a wildcard, in votes for each weight.
const LARGER: f32 = 0.01;

impl Bindings {
    /// Keeps what most pairs agree with. Two letters do not become one; two wildcards may stand for the same.
    /// Says whether anything stands for something else, so that credit can change.
    pub(super) fn read(&mut self, pairs: &[Aligned], query: &Nodes, candidate: &Nodes) -> bool {
        self.votes.clear();
        self.kept.clear();
        let mut differs = false;
        for pair in pairs {
            let ours = &query.all()[pair.query as usize];
            let theirs = &candidate.all()[pair.candidate as usize];
            let (value, vote) = match (ours.kind, theirs.kind) {
                (Kind::Letter, Kind::Letter) => (theirs.symbol, 1.0),
                (Kind::Wildcard, _) => (theirs.hash, 1.0 + LARGER * theirs.total),
                (Kind::FunctionWildcard, _) => (theirs.symbol, 1.0),
                _ => continue,
            };
            let name = ours.symbol;
            differs |= name != value;
            match self.votes.iter_mut().find(|known| known.name == name && known.value == value) {
                Some(known) => known.votes += vote,
                None => {
                    let votes = vote + if name == value { SAME_NAME } else { 0.0 };
                    self.votes.push(Binding { name, value, votes });
                }
            }
        }
        if !differs {
            return false;
        }
        self.votes.sort_by(|left, right| {
            right
                .votes
                .total_cmp(&left.votes)
                .then_with(|| (left.name, left.value).cmp(&(right.name, right.value)))
        });
        for &binding in &self.votes {
            let is_letter =
                query.all().iter().any(|node| node.kind == Kind::Letter && node.symbol == binding.name);
            let clashes =
                |known: &Binding| known.name == binding.name || is_letter && known.value == binding.value;
            if !self.kept.iter().any(clashes) {
                self.kept.push(binding);
            }
        }
        true
    }

    /// What a letter or wildcard stands for.
    fn value_of(&self, name: u64) -> Option<u64> {
        self.kept.iter().find(|known| known.name == name).map(|known| known.value)
    }

    /// The letters and wildcards with what they stand for, if that is something else.
    pub(super) fn changes(&self) -> impl Iterator<Item = (u64, u64)> {
        self.kept.iter().map(|known| (known.name, known.value)).filter(|(name, value)| name != value)
    }
}

/// How a node of the query and one of the candidate are alike. Without bindings, every letter may stand for every
/// other, and every wildcard for anything.
pub(super) fn likeness(query: &Node, candidate: &Node, bindings: Option<&Bindings>) -> Likeness {
    let likeness = free_likeness(query, candidate, bindings);
    match (query.strictness, likeness) {
        (Strictness::Similar, _) | (_, Likeness::Same | Likeness::Notation | Likeness::Wildcard) => likeness,
        _ => Likeness::Different,
    }
}

fn free_likeness(query: &Node, candidate: &Node, bindings: Option<&Bindings>) -> Likeness {
    let stands_for = bindings.and_then(|bindings| bindings.value_of(query.symbol));
    match (query.kind, candidate.kind) {
        (Kind::AnyWildcard, _) => Likeness::Wildcard,
        (Kind::Wildcard, _) => match stands_for {
            Some(value) if value != candidate.hash => Likeness::Different,
            _ => Likeness::Wildcard,
        },
        (Kind::FunctionWildcard, Kind::Letter | Kind::Function) => match stands_for {
            Some(value) if value != candidate.symbol => Likeness::Different,
            _ => Likeness::Same,
        },
        (Kind::Letter, Kind::Letter) => match stands_for {
            Some(value) if value != candidate.symbol => Likeness::OtherLetter,
            _ if query.symbol == candidate.symbol => Likeness::Same,
            Some(_) => Likeness::Renamed,
            None => Likeness::OtherLetter,
        },
        _ if query.symbol == candidate.symbol && query.spelling == candidate.spelling => Likeness::Same,
        _ if query.symbol == candidate.symbol => Likeness::Notation,
        (Kind::Number, Kind::Number) => Likeness::OtherNumber,
        _ if query.family != 0 && query.family == candidate.family => Likeness::Family,
        _ => Likeness::Different,
    }
}
