//! What each member of a system contributes: alone, left out, and beside the others.

mod print;

use super::LeftOut;
use super::print::method;
use super::runner::{Ran, Runner};
use crate::systems;
use anyhow::{Context, Result};
use eval::overlap::{self, Common, Counts};
use eval::{Aggregate, Comparison, RunScores, TopicPolicy, TopicScores};
pub(super) use print::Frame;
use retrieve::{Component, Engine, Pipeline, System, SystemError};
use stats::gain::Difference;
use std::rc::Rc;

/// What is run: the systems that are compared, then variants of them, each once.
pub(super) struct Plan {
    runs: Vec<(System, Pipeline)>,
    compared: usize,
    /// The members of each system that is compared.
    members: Vec<Vec<Planned>>,
    /// What was run so far.
    ran: Vec<Option<Result<Rc<Ran>, String>>>,
}

/// A member, and the runs that show what it contributes.
struct Planned {
    component: Component,
    /// The member alone; nothing if it only scores what others retrieve.
    alone: Option<Result<usize, String>>,
    /// The system without it; nothing if the system is made without it anyway.
    without: Option<Result<usize, String>>,
}

impl Plan {
    /// The systems that are compared.
    pub(super) fn new(runs: Vec<(System, Pipeline)>) -> Self {
        let compared = runs.len();
        Self { ran: runs.iter().map(|_| None).collect(), members: Vec::new(), runs, compared }
    }

    /// Adds the variants that show what the members of each system contribute.
    pub(super) fn add_members(&mut self, engine: &Engine, compile: &dyn Fn(System) -> Result<Pipeline>) {
        for number in 0..self.compared {
            let system = self.runs[number].0.clone();
            let components = system.components();
            let several = components.len() > 1;
            let plan = |component: Component| {
                if !several {
                    return Planned { component, alone: None, without: None };
                }
                let (alone, is_there) = match system.only(&component, &systems::find_member) {
                    Ok(None) => (None, true),
                    Err(error) => (Some(Err(reason(&system, &error))), true),
                    Ok(Some(alone)) => {
                        let added = self.add(alone, compile);
                        let there = added.as_ref().is_ok_and(|at| engine.lacks(&self.runs[*at].1).is_none());
                        (Some(added), there)
                    }
                };
                let without = is_there.then(|| match system.without(&component) {
                    Ok(without) => self.add(without, compile),
                    Err(error) => Err(reason(&system, &error)),
                });
                Planned { component, alone, without }
            };
            let planned = components.into_iter().map(plan).collect();
            self.members.push(planned);
        }
    }

    /// The place of a system among the runs, where it is put unless one that ranks alike is there.
    fn add(&mut self, system: System, compile: &dyn Fn(System) -> Result<Pipeline>) -> Result<usize, String> {
        if let Some(known) = self.runs.iter().position(|(known, _)| known.ranks_as(&system)) {
            return Ok(known);
        }
        let pipeline = compile(system.clone()).map_err(|error| format!("{error:#}"))?;
        self.runs.push((system, pipeline));
        self.ran.push(None);
        Ok(self.runs.len() - 1)
    }

    /// How many runs there are at most.
    pub(super) fn num_runs(&self) -> usize {
        self.runs.len()
    }

    /// How many systems are compared.
    pub(super) fn num_compared(&self) -> usize {
        self.compared
    }

    /// What is run at a place.
    pub(super) fn run(&self, number: usize) -> (&System, &Pipeline) {
        let (system, pipeline) = &self.runs[number];
        (system, pipeline)
    }

    /// Keeps what a run gave.
    pub(super) fn keep(&mut self, number: usize, ran: Result<Ran, String>) -> Option<Rc<Ran>> {
        let ran = ran.map(Rc::new);
        let kept = ran.as_ref().ok().map(Rc::clone);
        self.ran[number] = Some(ran);
        kept
    }

    /// What a run gave; it is run now if it was not run before.
    fn ran(&mut self, number: usize, runner: &Runner<'_>) -> Result<Result<Rc<Ran>, String>> {
        if self.ran[number].is_none() {
            let (system, pipeline) = self.run(number);
            let ran = runner.run(&system.name, pipeline, 1)?;
            self.keep(number, ran.map(|(ran, _)| ran));
        }
        self.ran[number].clone().context("it was just run")
    }

    /// What the members of a system contribute.
    pub(super) fn report(
        &mut self,
        number: usize,
        runner: &Runner<'_>,
        policy: TopicPolicy,
    ) -> Result<Report> {
        let Some(Ok(whole)) = self.ran[number].clone() else {
            return Ok(Report::One(None));
        };
        let planned = std::mem::take(&mut self.members[number]);
        if let [Planned { component, .. }] = &planned[..] {
            return Ok(Report::One(Some(component.name().to_owned())));
        }
        let fusion = self.runs[number].0.fusion.as_ref();
        // A fusion does not see more of its members.
        let reads = fusion.map(|fusion| fusion.depth).filter(|depth| *depth < runner.effort.depth);
        let depth = reads.unwrap_or(usize::MAX).min(runner.firsts);
        let mut left_out = Vec::new();
        let mut found = Vec::new();
        for Planned { component, alone, without } in planned {
            let mut get = |run: Option<Result<usize, String>>, what: &str| -> Result<Option<Rc<Ran>>> {
                let ran = match run {
                    None => return Ok(None),
                    Some(Ok(number)) => self.ran(number, runner)?,
                    Some(Err(why)) => Err(why),
                };
                let name = component.name();
                let out = |why| left_out.push(LeftOut { name: format!("{what}{name}"), why });
                Ok(ran.map_err(out).ok())
            };
            let alone = get(alone, "")?;
            let without = get(without, "without ")?;
            found.push(Tried { component, alone, without });
        }
        let members = Members { left_out, reads, ..Members::of(&whole, found, depth, policy) };
        Ok(Report::Several(Box::new(members)))
    }
}

/// Why there is no such variant, without the name of the system, which stands before it anyway.
fn reason(system: &System, error: &SystemError) -> String {
    let error = error.to_string();
    error.strip_prefix(&format!("{}: ", system.name)).unwrap_or(&error).to_owned()
}

/// What the members of a system contribute.
pub(super) enum Report {
    /// There is one member, of this name.
    One(Option<String>),
    Several(Box<Members>),
}

/// Several members of a system.
pub(super) struct Members {
    rows: Vec<Row>,
    /// How many of the first results are looked at.
    depth: usize,
    /// Relevant items among the first of the whole system,
    whole: Counts,
    /// and among the first of any member.
    together: Counts,
    /// For each topic the member that is best on it.
    oracle: Option<RunScores>,
    /// What two members have in common, the whole system last: by the places of both, the first lower.
    common: Vec<Vec<Option<Common>>>,
    /// How many results of a member the fusion reads, where that is not all of them.
    reads: Option<usize>,
    left_out: Vec<LeftOut>,
}

/// A member whose runs were made, as far as they could be.
struct Tried {
    component: Component,
    alone: Option<Rc<Ran>>,
    without: Option<Rc<Ran>>,
}

/// A member.
struct Row {
    component: Component,
    alone: Option<Alone>,
    without: Option<Without>,
}

/// A member alone.
struct Alone {
    ran: Rc<Ran>,
    counts: Counts,
}

/// A system without a member.
struct Without {
    ran: Rc<Ran>,
    /// Compared with the whole, by each measure.
    against: Vec<Against>,
}

struct Against {
    comparison: Comparison,
    difference: Difference,
}

impl Members {
    fn of(whole: &Rc<Ran>, found: Vec<Tried>, depth: usize, policy: TopicPolicy) -> Self {
        let alone: Vec<&Rc<Ran>> = found.iter().filter_map(|tried| tried.alone.as_ref()).collect();
        let firsts: Vec<_> = alone.iter().map(|ran| &ran.firsts).collect();
        let (counts, together) = overlap::counts(&firsts, depth);
        let (whole_counts, _) = overlap::counts(&[&whole.firsts], depth);
        let all: Vec<_> = firsts.iter().copied().chain([&whole.firsts]).collect();
        let common = overlap::common(&all, depth);
        let scores: Vec<&RunScores> = alone.iter().map(|ran| &ran.scores).collect();
        let oracle = (scores.len() > 1).then(|| best_by_topic(&scores, policy));
        let without: Vec<&RunScores> =
            found.iter().filter_map(|tried| Some(&tried.without.as_ref()?.scores)).collect();
        let by_measure: Vec<Vec<Comparison>> = (0..whole.scores.measures.len())
            .map(|measure| eval::against(&whole.scores, &without, measure, method(policy)))
            .collect();
        let mut counts = counts.into_iter();
        let mut tested = 0..;
        let rows = found.into_iter().filter_map(|Tried { component, alone, without }| {
            let alone = alone.and_then(|ran| Some(Alone { ran, counts: counts.next()? }));
            let without = without.and_then(|ran| {
                let number: usize = tested.next()?;
                let against = |(measure, comparisons): (usize, &Vec<Comparison>)| {
                    let (mut left, right) = eval::pairs(&ran.scores, &whole.scores, measure, policy);
                    if whole.scores.measures[measure].aggregate() != Aggregate::Mean {
                        // Intervals are those of means.
                        left.clear();
                    }
                    Against { comparison: comparisons[number], difference: Difference::of(&left, &right) }
                };
                let against = by_measure.iter().enumerate().map(against).collect();
                Some(Without { ran, against })
            });
            let is_there = alone.is_some() || without.is_some();
            is_there.then_some(Row { component, alone, without })
        });
        Self {
            rows: rows.collect(),
            depth,
            whole: whole_counts.into_iter().next().unwrap_or_default(),
            together,
            oracle,
            common,
            reads: None,
            left_out: Vec::new(),
        }
    }
}

/// For each topic the scores of the run that is best on it by the first measure, the first of equals.
fn best_by_topic(runs: &[&RunScores], policy: TopicPolicy) -> RunScores {
    let mut best = runs[0].clone();
    let is_better = |left: &TopicScores, right: &TopicScores| {
        let key = |topic: &TopicScores| (policy.admits(topic), topic.values[0]);
        key(left) > key(right)
    };
    for run in &runs[1..] {
        for (best, topic) in best.topics.iter_mut().zip(&run.topics) {
            if is_better(topic, best) {
                best.clone_from(topic);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::formats::TopicId;
    use eval::{LeftOut as Dropped, Outcome};

    /// Scores of two measures, a topic each; nothing was found where both are negative.
    fn scores(values: &[[f64; 2]]) -> RunScores {
        let topic = |values: &[f64; 2]| TopicScores {
            id: TopicId::from("T"),
            outcome: if values[0] < 0.0 { Outcome::NoResults } else { Outcome::Judged },
            values: values.to_vec(),
            num_results: 1,
            num_judged: 1,
            pool_size: 1,
            highest_grade: Some(1),
            num_tied: 0,
            tie_bounds: Vec::new(),
        };
        RunScores {
            measures: ["nDCG'", "AP'"].map(|name| name.parse().expect("a measure")).to_vec(),
            topics: values.iter().map(topic).collect(),
            without_judgments: Vec::new(),
            left_out: Dropped::default(),
        }
    }

    #[test]
    fn the_best_member_of_a_topic_is_chosen_by_the_first_measure() {
        let words = scores(&[[0.9, 0.1], [0.2, 0.8], [0.5, 0.3]]);
        let parts = scores(&[[0.3, 0.7], [0.4, 0.6], [0.5, 0.9]]);
        let best = best_by_topic(&[&words, &parts], TopicPolicy::All);
        let values: Vec<&[f64]> = best.topics.iter().map(|topic| topic.values.as_slice()).collect();
        // Of equals it is the first.
        assert_eq!(values, [[0.9, 0.1], [0.4, 0.6], [0.5, 0.3]]);
        assert!((best.average(0, TopicPolicy::All).value - 0.6).abs() < 1e-12);
    }

    #[test]
    fn a_topic_that_a_member_does_not_answer_is_taken_from_another() {
        let silent = scores(&[[-1.0, -1.0]]);
        let answers = scores(&[[0.0, 0.0]]);
        let best = best_by_topic(&[&silent, &answers], TopicPolicy::Returned);
        assert_eq!(best.average(0, TopicPolicy::Returned).topics, 1);
    }
}
