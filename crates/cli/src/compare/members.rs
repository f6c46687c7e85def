//! What each member of a system contributes: alone, left out, and beside the others.

mod count;
mod print;

use super::LeftOut;
use super::print::method;
use super::runner::{Ran, Runner};
use crate::gain::Difference;
use crate::systems;
use anyhow::{Context, Result};
use count::{Common, Counts};
use eval::{Aggregate, Comparison, RunScores, TopicPolicy, TopicScores};
pub(super) use print::Frame;
use retrieve::{Component, Engine, Pipeline, System, SystemError};
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
        let depth = fusion.map_or(usize::MAX, |fusion| fusion.depth).min(runner.firsts);
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
            found.push((component, alone, without));
        }
        Ok(Report::Several(Box::new(Members::of(&whole, found, left_out, depth, policy))))
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
    left_out: Vec<LeftOut>,
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
    fn of(
        whole: &Rc<Ran>,
        found: Vec<(Component, Option<Rc<Ran>>, Option<Rc<Ran>>)>,
        left_out: Vec<LeftOut>,
        depth: usize,
        policy: TopicPolicy,
    ) -> Self {
        let alone: Vec<&Rc<Ran>> = found.iter().filter_map(|(_, alone, _)| alone.as_ref()).collect();
        let firsts: Vec<_> = alone.iter().map(|ran| &ran.firsts).collect();
        let (counts, together) = count::counts(&firsts, depth);
        let (whole_counts, _) = count::counts(&[&whole.firsts], depth);
        let all: Vec<_> = firsts.iter().copied().chain([&whole.firsts]).collect();
        let common = count::common(&all, depth);
        let scores: Vec<&RunScores> = alone.iter().map(|ran| &ran.scores).collect();
        let oracle = (scores.len() > 1).then(|| best_by_topic(&scores, policy));
        let without: Vec<&RunScores> =
            found.iter().filter_map(|(_, _, without)| Some(&without.as_ref()?.scores)).collect();
        let by_measure: Vec<Vec<Comparison>> = (0..whole.scores.measures.len())
            .map(|measure| eval::against(&whole.scores, &without, measure, method(policy)))
            .collect();
        let mut counts = counts.into_iter();
        let mut tested = 0..;
        let rows = found.into_iter().filter_map(|(component, alone, without)| {
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
            left_out,
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
