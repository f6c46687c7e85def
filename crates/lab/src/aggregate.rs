//! How what assessors said becomes one grade: named rules, and a stated policy for codes.
//!
//! A thing that several assessors judged is decided by the [`Rule`]; what an
//! adjudicator said stands above all others, except in a sum. Then the grade of
//! a formula is the highest of its instances. Codes count only where nobody
//! gave a grade.

use crate::judgments::{Judgment, Stage};
use crate::verdict::Verdict;
use formats::TopicId;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How several assessors' grades become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The highest counts, as over the instances of a formula.
    Maximum,
    /// The sum of two assessors' grades, as in NTCIR.
    Sum,
    /// The grade that most assessors gave.
    Majority,
    /// The grade that all assessors gave, else what the adjudicator said.
    Adjudicated,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Maximum => "the highest grade of all assessors and instances",
            Self::Sum => "the sum of two assessors' grades",
            Self::Majority => "the grade that most assessors gave, and of a formula the highest of its instances",
            Self::Adjudicated => {
                "the grade that all assessors gave or the adjudicator's, and of a formula the highest of its instances"
            }
        })
    }
}

/// What becomes of things that got no grade but a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codes {
    /// They are left out, as if not judged.
    LeaveOut,
    /// They count as not relevant.
    Zero,
    /// They are written as 5 (system failure) and 6 (do not know), as in ARQMath's Task 3.
    Keep,
}

impl fmt::Display for Codes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LeaveOut => "left out",
            Self::Zero => "counted as not relevant",
            Self::Keep => "kept as 5 and 6",
        })
    }
}

/// What the assessors' words come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aggregated {
    /// For each topic its items, by id.
    pub topics: BTreeMap<TopicId, BTreeMap<String, Verdict>>,
    /// The verdicts of instances, before the highest was taken.
    pub instances: BTreeMap<TopicId, BTreeMap<(String, String), Verdict>>,
    /// Things that the rule does not decide, and why.
    pub undecided: Vec<Undecided>,
}

/// A thing that the rule does not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// The topic.
    pub topic: TopicId,
    /// The item.
    pub item: String,
    /// The instance.
    pub instance: Option<String>,
    /// What is missing.
    pub reason: String,
}

/// Makes one verdict of all, for every item. Rows must be the ones that count now.
#[must_use]
pub fn aggregate(judgments: &[Judgment], rule: Rule) -> Aggregated {
    let mut things: BTreeMap<(&TopicId, &str, Option<&str>), Said<'_>> = BTreeMap::new();
    for row in judgments {
        let said = &row.said;
        let key = (&said.topic, said.item.as_str(), said.instance.as_deref());
        match said.stage {
            Stage::Main => {
                things.entry(key).or_default().assessors.insert(&said.assessor, said.verdict);
            }
            // Several adjudicators overrule each other in the order of the log.
            Stage::Adjudication => things.entry(key).or_default().adjudicated = Some(said.verdict),
            Stage::CrossCheck | Stage::Training(_) | Stage::Sample | Stage::Gold => {}
        }
    }
    let mut result = Aggregated::default();
    for ((topic, item, instance), said) in things {
        let verdict = match said.decide(rule) {
            Ok(verdict) => verdict,
            Err(reason) => {
                result.undecided.push(Undecided {
                    topic: topic.clone(),
                    item: item.to_owned(),
                    instance: instance.map(str::to_owned),
                    reason,
                });
                continue;
            }
        };
        if let Some(instance) = instance {
            let of_topic = result.instances.entry(topic.clone()).or_default();
            of_topic.insert((item.to_owned(), instance.to_owned()), verdict);
        }
        let of_topic = result.topics.entry(topic.clone()).or_default();
        let best = of_topic.entry(item.to_owned()).or_insert(verdict);
        *best = higher(*best, verdict);
    }
    result
}

/// What was said of one thing.
#[derive(Default)]
struct Said<'a> {
    assessors: BTreeMap<&'a str, Verdict>,
    adjudicated: Option<Verdict>,
}

impl Said<'_> {
    fn decide(&self, rule: Rule) -> Result<Verdict, String> {
        let grades: Vec<i32> = self.assessors.values().filter_map(|verdict| verdict.grade()).collect();
        if rule == Rule::Sum {
            return self.sum(&grades);
        }
        if let Some(verdict) = self.adjudicated {
            return Ok(verdict);
        }
        let Some(highest) = grades.iter().copied().max() else { return Ok(self.code()) };
        match rule {
            Rule::Majority => majority(&grades),
            Rule::Adjudicated if grades.iter().any(|grade| *grade != highest) => {
                let grades: BTreeSet<i32> = grades.into_iter().collect();
                let grades: Vec<String> = grades.iter().map(ToString::to_string).collect();
                Err(format!("assessors gave {}, and nobody has adjudicated", grades.join(" and ")))
            }
            Rule::Maximum | Rule::Sum | Rule::Adjudicated => Ok(Verdict::Grade(highest)),
        }
    }

    fn sum(&self, grades: &[i32]) -> Result<Verdict, String> {
        match (grades, self.assessors.len()) {
            ([one, other], 2) => Ok(Verdict::Grade(one + other)),
            ([], 2) => Ok(self.code()),
            (_, 2) => Err("one of the two assessors gave no grade".to_owned()),
            (_, 1) => Err("one assessor has judged it, and two must".to_owned()),
            (_, several) => Err(format!("{several} assessors have judged it, and two must")),
        }
    }

    /// What is said where nobody gave a grade.
    fn code(&self) -> Verdict {
        let failed = self.assessors.values().any(|verdict| *verdict == Verdict::SystemFailure);
        if failed { Verdict::SystemFailure } else { Verdict::DoNotKnow }
    }
}

fn majority(grades: &[i32]) -> Result<Verdict, String> {
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    for grade in grades {
        *counts.entry(*grade).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or(0);
    let winners: Vec<i32> =
        counts.into_iter().filter(|(_, count)| *count == most).map(|(grade, _)| grade).collect();
    match winners.as_slice() {
        [grade] => Ok(Verdict::Grade(*grade)),
        several => {
            let grades: Vec<String> = several.iter().map(ToString::to_string).collect();
            Err(format!("{} were given equally often, and nobody has adjudicated", grades.join(" and ")))
        }
    }
}

/// The better of two verdicts of one formula; a grade is always better than a code.
fn higher(left: Verdict, right: Verdict) -> Verdict {
    match (left.grade(), right.grade()) {
        (Some(a), Some(b)) => Verdict::Grade(a.max(b)),
        (None, Some(_)) => right,
        (Some(_), None) => left,
        (None, None) if left == Verdict::SystemFailure => left,
        (None, None) => right,
    }
}

#[cfg(test)]
mod tests;
