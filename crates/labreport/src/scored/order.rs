//! The order of the lab's tables: baselines first, then teams by their best
//! run, and within a team by the first measure.

use crate::input::{Role, System};
use std::cmp::Ordering;

/// Systems under one heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TeamSection {
    pub(crate) heading: String,
    pub(crate) systems: Vec<usize>,
}

/// Higher values first; what has none stands at the end, and equal ones as they were given.
pub(crate) fn best_first(values: &[Option<f64>], left: usize, right: usize) -> Ordering {
    let of = |system: usize| values.get(system).copied().flatten();
    match (of(left), of(right)) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
    .then(left.cmp(&right))
}

/// The systems by heading.
pub(crate) fn team_sections(systems: &[System], values: &[Option<f64>]) -> Vec<TeamSection> {
    let mut baselines = Vec::new();
    let mut teams: Vec<TeamSection> = Vec::new();
    let mut order: Vec<usize> = (0..systems.len()).collect();
    order.sort_by(|a, b| best_first(values, *a, *b));
    // The best run of a team comes first, so teams come by their best runs.
    for index in order {
        let system = &systems[index];
        if system.role == Role::Baseline {
            baselines.push(index);
            continue;
        }
        match teams.iter_mut().find(|team| team.heading == system.team) {
            Some(team) => team.systems.push(index),
            None => teams.push(TeamSection { heading: system.team.clone(), systems: vec![index] }),
        }
    }
    if !baselines.is_empty() {
        let heading = if baselines.len() == 1 { "Baseline" } else { "Baselines" };
        teams.insert(0, TeamSection { heading: heading.to_owned(), systems: baselines });
    }
    teams
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{baseline, submitted};

    #[test]
    fn baselines_then_teams_by_their_best_run() {
        let systems = [
            submitted("A", "a1"),
            submitted("B", "b1"),
            baseline("x"),
            submitted("A", "a2"),
            submitted("C", "not run"),
            baseline("y"),
        ];
        let values = [Some(0.1), Some(0.4), Some(0.2), Some(0.5), None, Some(0.9)];
        let sections = team_sections(&systems, &values);
        let shown: Vec<(&str, &[usize])> =
            sections.iter().map(|section| (section.heading.as_str(), section.systems.as_slice())).collect();
        assert_eq!(shown, [("Baselines", &[5, 2][..]), ("A", &[3, 0]), ("B", &[1]), ("C", &[4])]);
    }
}
