//! Which of two formulas is the better answer? Pairs of which people are sure, and a mark for scorers.
//!
//! The pairs stand in `data/equivalence.tsv`: a query, a formula that may be
//! found, how the two are related, and a grade. They are grouped by query;
//! [`score`] says how often a scorer puts the higher grade first.

use std::collections::{BTreeMap, HashMap};

/// How a candidate is related to its query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// Typed differently, the same to look at; or something its wildcards may stand for.
    Same,
    /// Variables have other names, each the same one everywhere.
    Renamed,
    /// Operands whose order does not matter are swapped.
    Commuted,
    /// Sides are swapped or a term is moved.
    Rearranged,
    /// Another notation for the same thing.
    Renotated,
    /// One stands in the other.
    Part,
    /// Another operator.
    WrongOperator,
    /// Names that do not correspond.
    WrongRenaming,
    /// The same symbols put together in another way.
    WrongStructure,
    /// Another number.
    WrongNumber,
    /// Swapped where the order matters.
    WrongOrder,
    /// Another function.
    WrongFunction,
    /// Some symbols in common.
    Fragment,
    /// Nothing in common that matters.
    Unrelated,
}

impl Relation {
    /// All relations, those of answers first.
    pub const ALL: [Self; 14] = [
        Self::Same,
        Self::Renamed,
        Self::Commuted,
        Self::Rearranged,
        Self::Renotated,
        Self::Part,
        Self::WrongOperator,
        Self::WrongRenaming,
        Self::WrongStructure,
        Self::WrongNumber,
        Self::WrongOrder,
        Self::WrongFunction,
        Self::Fragment,
        Self::Unrelated,
    ];

    /// The relation as the file spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Renamed => "renamed",
            Self::Commuted => "commuted",
            Self::Rearranged => "rearranged",
            Self::Renotated => "renotated",
            Self::Part => "part",
            Self::WrongOperator => "wrong-operator",
            Self::WrongRenaming => "wrong-renaming",
            Self::WrongStructure => "wrong-structure",
            Self::WrongNumber => "wrong-number",
            Self::WrongOrder => "wrong-order",
            Self::WrongFunction => "wrong-function",
            Self::Fragment => "fragment",
            Self::Unrelated => "unrelated",
        }
    }

    /// The relation with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|relation| relation.name() == name)
    }
}

/// A query and a formula that may be found for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair<'s> {
    /// The name of the query's group.
    pub group: &'s str,
    /// The formula looked for, as a person would type it; wildcards as in queries.
    pub query: &'s str,
    /// The formula found, as it stands in a document.
    pub candidate: &'s str,
    /// How the two are related.
    pub relation: Relation,
    /// 3 the same thing, 2 nearly, 1 a part of it, 0 something else.
    pub grade: u8,
    /// What differs.
    pub note: &'s str,
}

/// The pairs that come with the program, group by group.
pub fn pairs() -> impl Iterator<Item = Pair<'static>> {
    read(include_str!("../data/equivalence.tsv"))
}

/// The rows of a table that are pairs; whatever else stands there is passed over.
fn read(table: &str) -> impl Iterator<Item = Pair<'_>> {
    table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut fields = line.split('\t');
        let [group, query, candidate, relation, grade, note] = std::array::from_fn(|_| fields.next());
        Some(Pair {
            group: group?,
            query: query?,
            candidate: candidate?,
            relation: Relation::from_name(relation?)?,
            grade: grade?.parse().ok()?,
            note: note?,
        })
    })
}

/// How many of how many were put in the right order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// In the right order.
    pub right: usize,
    /// All that were compared.
    pub all: usize,
}

impl Share {
    /// The part that is right, from 0 to 1; none if nothing was compared.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        (self.all > 0).then(|| self.right as f64 / self.all as f64)
    }

    fn count(&mut self, order: Order) {
        self.all += 1;
        self.right += usize::from(order == Order::Right);
    }
}

/// Two candidates of a group that a scorer did not put in the right order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation<'s> {
    /// The one that should be ranked first.
    pub higher: Pair<'s>,
    /// Its score.
    pub higher_score: f64,
    /// The one that was not ranked after it.
    pub lower: Pair<'s>,
    /// Its score.
    pub lower_score: f64,
}

/// How well a scorer orders candidates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report<'s> {
    /// Over all pairs of candidates of a group with different grades.
    pub overall: Share,
    /// By the relation of the candidate with the higher grade.
    pub by_higher: BTreeMap<Relation, Share>,
    /// By the relation of the candidate with the lower grade.
    pub by_lower: BTreeMap<Relation, Share>,
    /// What went wrong, group by group in the order in which they are given.
    pub violations: Vec<Violation<'s>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Right,
    Wrong,
}

/// How often `scorer` gives the better of two candidates the higher score.
///
/// The scorer is given the query and the candidate of each pair once, in the
/// order of the pairs. Equal scores are wrong, and so is any score that is not
/// a number. All candidates of a group are compared with each other, so the
/// time is quadratic in the size of the largest group.
///
/// ```
/// use formula::equivalence::{pairs, score};
///
/// let report = score(pairs(), |query, candidate| f64::from(u8::from(query == candidate)));
/// assert!(report.overall.value() < Some(0.5));
/// ```
pub fn score<'s>(
    pairs: impl IntoIterator<Item = Pair<'s>>,
    mut scorer: impl FnMut(&str, &str) -> f64,
) -> Report<'s> {
    let mut groups: Vec<Vec<(Pair<'s>, f64)>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for pair in pairs {
        let place = *places.entry(pair.group).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push((pair, scorer(pair.query, pair.candidate)));
    }
    let mut report = Report::default();
    for group in &groups {
        for &(higher, higher_score) in group {
            for &(lower, lower_score) in group.iter().filter(|(lower, _)| lower.grade < higher.grade) {
                let order = if higher_score > lower_score { Order::Right } else { Order::Wrong };
                report.overall.count(order);
                report.by_higher.entry(higher.relation).or_default().count(order);
                report.by_lower.entry(lower.relation).or_default().count(order);
                if order == Order::Wrong {
                    report.violations.push(Violation { higher, higher_score, lower, lower_score });
                }
            }
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOY: &str = "# a comment\n\
        group\tquery\tcandidate\trelation\tgrade\tnote\n\
        g\tq\tbest\tsame\t3\tn\n\
        g\tq\tgood\trenamed\t2\tn\n\
        h\tp\tbest\tcommuted\t3\tn\n\
        g\tq\tbad\twrong-order\t0\tn\n\
        h\tp\tbad\tfragment\t0\tn\n\
        a line that is no pair\n\
        h\tp\tbad\tno-relation\t0\tn\n\
        h\tp\tbad\tfragment\tmany\tn\n";

    fn check(scorer: impl FnMut(&str, &str) -> f64, right: usize, violations: &[(&str, &str, &str)]) {
        let report = score(read(TOY), scorer);
        assert_eq!(report.overall, Share { right, all: 4 });
        let found: Vec<_> = report
            .violations
            .iter()
            .map(|v| (v.higher.group, v.higher.candidate, v.lower.candidate))
            .collect();
        assert_eq!(found, violations);
        for shares in [&report.by_higher, &report.by_lower] {
            let sum = shares.values().fold([0; 2], |sum, share| [sum[0] + share.right, sum[1] + share.all]);
            assert_eq!(sum, [right, 4]);
        }
    }

    #[test]
    fn scorers_that_know_everything_or_nothing() {
        let order = |candidate: &str| match candidate {
            "best" => 3.0,
            "good" => 2.0,
            _ => 0.0,
        };
        let all = [("g", "best", "good"), ("g", "best", "bad"), ("g", "good", "bad"), ("h", "best", "bad")];
        check(|_, candidate| order(candidate), 4, &[]);
        check(|_, candidate| -order(candidate), 0, &all);
        check(|_, _| 1.0, 0, &all);
        check(|_, _| f64::NAN, 0, &all);
        check(|query, candidate| if query == "q" { order(candidate) } else { 0.0 }, 3, &all[3..]);
        check(|_, candidate| order(candidate).min(2.0), 3, &all[..1]);
    }

    #[test]
    fn shares_by_relation() {
        let report = score(read(TOY), |_, candidate| if candidate == "best" { 1.0 } else { 0.0 });
        let shares = |of: &BTreeMap<Relation, Share>| -> Vec<_> {
            of.iter().map(|(relation, share)| (relation.name(), share.right, share.all)).collect()
        };
        assert_eq!(shares(&report.by_higher), [("same", 2, 2), ("renamed", 0, 1), ("commuted", 1, 1)]);
        assert_eq!(shares(&report.by_lower), [("renamed", 1, 1), ("wrong-order", 1, 2), ("fragment", 1, 1)]);
    }

    #[test]
    fn nothing_gives_no_share() {
        assert_eq!(score([], |_, _| 0.0).overall.value(), None);
        assert_eq!(Share { right: 1, all: 4 }.value(), Some(0.25));
    }

    #[test]
    fn names_are_read_back() {
        for relation in Relation::ALL {
            assert_eq!(Relation::from_name(relation.name()), Some(relation));
        }
    }
}
